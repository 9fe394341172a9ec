//! The SFNN file: a compressed feature transformer, an optional progress model, and layer stacks.
//!
//! Most architectures have the same hashes, so the architecture follows from the number of
//! parameters and from the positions of the markers of the stacks. The description decides between
//! architectures that fit equally well, and says whether the first layer is sharded.

use std::ops::Range;

use super::ambiguity::{self, Choice};
use super::byte_reader::ByteReader;
use super::deflate;
use super::file_layout::{Encoding, FileLayout};
use super::header::{self, FileHeader};
use super::leb128;
use super::limits::{is_sfnn_width, layer_sizes};
use super::load_error::{ArchitectureError, LoadErrorKind};
use super::network_name::NetworkName;
use super::shards::Shards;
use crate::nnue::architecture::{Architecture, FeatureSet, HALF_KPE9, Topology};
use crate::nnue::buckets::ProgressModel;
use crate::nnue::parameters::layer_shapes;
use crate::types::language::localized;

/// Detects the layout after the hash of the feature transformer.
pub(super) fn detect(
    header: &FileHeader<'_>,
    transformer: u32,
    mut reader: ByteReader<'_>,
) -> Result<FileLayout, LoadErrorKind> {
    let bias = leb128::section(&mut reader, localized("the biases", "特徴量変換器のバイアス"))?;
    let bias_end = reader.at();
    let width = leb128::count(bias);
    if !is_sfnn_width(width) {
        return Err(ArchitectureError::Width { width: width as u64 }.into());
    }
    if ![header::SFNN_TRANSFORMER, header::computed_transformer_hash(width)].contains(&transformer)
    {
        return Err(ArchitectureError::Transformer { hash: transformer }.into());
    }
    let (rows, encoding, features) = detect_rows(&mut reader, width)?;
    let progress = detect_progress(&mut reader)?;
    let marker = reader
        .clone()
        .u32(localized("the marker of the first layer stack", "最初の層スタックの目印"))?;
    let name = NetworkName::in_description(header.description_start());
    let found = find_architecture(header, &name, &reader, marker, features, width);
    // A part of unknown meaning is the likely reason of an unknown architecture.
    let (architecture, assumption) = found.map_err(|error| match &name.unknown {
        Some(part) => ArchitectureError::UnknownPart { part: part.clone() },
        None => error,
    })?;
    let shards = name.shards.map(|shards| fitting_shards(shards, &architecture)).transpose()?;
    let hash = transformer ^ marker;
    let hash = if progress.is_some() { hash ^ header::PROGRESS } else { hash };
    let has_wrong_hash = header.hash != hash;
    Ok(FileLayout {
        architecture,
        bias: bias_end - bias.len()..bias_end,
        rows,
        encoding,
        progress,
        stacks_at: reader.at() + 4,
        stack_step: stack_bytes(&architecture),
        shards,
        assumption,
        warnings: if has_wrong_hash {
            vec![localized(
                "the hash in its header does not match its parts",
                "ヘッダーのハッシュが中身と合いません",
            )]
        } else {
            vec![]
        },
    })
}

/// The place and encoding of the rows of the feature transformer, and the feature set that they are for.
fn detect_rows(
    reader: &mut ByteReader<'_>,
    width: usize,
) -> Result<(Range<usize>, Encoding, FeatureSet), LoadErrorKind> {
    let what = localized("the weights of the features", "特徴量の重み");
    let (rows, weights, encoding) = match deflate::section(reader, what)? {
        Some((rows, weights)) => (rows, weights, Encoding::Deflate),
        None => {
            let rows = leb128::section(reader, what)?;
            (rows, leb128::count(rows), Encoding::Leb128)
        }
    };
    let features = features(weights, width)?;
    if encoding == Encoding::Deflate && !deflate::is_used_by(features) {
        return Err(
            ArchitectureError::Features { weights: weights as u64, width: width as u64 }.into()
        );
    }
    Ok((reader.at() - rows.len()..reader.at(), encoding, features))
}

/// The place of the progress model, if the file has one.
fn detect_progress(reader: &mut ByteReader<'_>) -> Result<Option<Range<usize>>, LoadErrorKind> {
    if !reader.accept(&header::PROGRESS.to_le_bytes()) {
        return Ok(None);
    }
    let start = reader.at();
    let what = localized("the progress coefficients", "進行度の係数");
    reader.take(what, 4 + 4 * ProgressModel::WEIGHTS as u64)?;
    Ok(Some(start..reader.at()))
}

/// The feature set with this number of weights.
fn features(weights: usize, width: usize) -> Result<FeatureSet, ArchitectureError> {
    let is_it = |features: &FeatureSet| features.dimensions() * width == weights;
    FeatureSet::ALL.into_iter().find(is_it).ok_or(if weights == HALF_KPE9 * width {
        ArchitectureError::HalfKpe9
    } else {
        ArchitectureError::Features { weights: weights as u64, width: width as u64 }
    })
}

/// The shards that the name of the network states, if they fit it.
fn fitting_shards(
    shards: Shards,
    architecture: &Architecture,
) -> Result<Shards, ArchitectureError> {
    if shards.fit(architecture) {
        Ok(shards)
    } else {
        Err(ArchitectureError::Shards { shards, architecture: *architecture })
    }
}

/// Size of a layer stack in bytes, including its marker.
fn stack_bytes(architecture: &Architecture) -> usize {
    4 + layer_shapes(architecture).iter().map(|shape| shape.bytes()).sum::<usize>()
}

/// Whether this is a marker of the layer stacks of such a network.
fn is_marker_of(architecture: &Architecture, marker: u32) -> bool {
    [header::SFNN_STACK, header::computed_network_hash(architecture)].contains(&marker)
}

/// The architecture of the rest of the file, which starts with this marker.
fn find_architecture(
    header: &FileHeader<'_>,
    name: &NetworkName,
    reader: &ByteReader<'_>,
    marker: u32,
    features: FeatureSet,
    width: usize,
) -> Result<Choice, ArchitectureError> {
    let architectures = |stacks: usize| {
        all_architectures(features, width, stacks)
            .filter(move |architecture| is_marker_of(architecture, marker))
    };
    if marker == header::ROUTER {
        return Err(ArchitectureError::Router);
    }
    if architectures(1).next().is_none() {
        let what = localized("the marker of a layer stack", "層スタックの目印");
        return Err(ArchitectureError::Marker { what, at: reader.at() as u64, found: marker });
    }
    let length = reader.rest().len();
    let step = first_stack_bytes(reader, marker, architectures(1)).unwrap_or(length);
    let fitting: Vec<Architecture> = architectures(length / step)
        .filter(|architecture| stack_bytes(architecture) == step && length.is_multiple_of(step))
        .filter(|architecture| is_marked(reader, marker, architecture))
        .collect();
    if fitting.is_empty() {
        let layers =
            name.layers.map_or_else(String::new, |[h1, h2]| format!(" and layers {h1}-{h2}"));
        let transformer = format!("SFNN with {} of width {width}{layers}", features.name());
        let has = (reader.at() + reader.rest().len()) as u64;
        return Err(ArchitectureError::NoLayers { transformer, has });
    }
    let described = |architecture: &&Architecture| match name.layers {
        Some(layers) => layers == [architecture.h1, architecture.h2],
        None => is_described(header, architecture),
    };
    if let Some(architecture) = fitting.iter().find(described) {
        return Ok((*architecture, None));
    }
    let stacks = reader.rest().chunks_exact(step).map(|stack| &stack[4..]);
    ambiguity::choose(&fitting, |architecture| ambiguity::padding(stacks.clone(), architecture))
}

/// All architectures with this transformer and number of stacks.
fn all_architectures(
    features: FeatureSet,
    width: usize,
    stacks: usize,
) -> impl Iterator<Item = Architecture> {
    let layers = layer_sizes().flat_map(|outputs| layer_sizes().map(move |h2| (outputs, h2)));
    layers.flat_map(move |(outputs, h2)| {
        [true, false].map(|shortcut| {
            let topology = Topology::Sfnn { stacks, shortcut };
            Architecture { features, width, h1: outputs - usize::from(shortcut), h2, topology }
        })
    })
}

/// Whether every stack starts with the marker.
fn is_marked(reader: &ByteReader<'_>, marker: u32, architecture: &Architecture) -> bool {
    let marker = marker.to_le_bytes();
    reader.rest().chunks_exact(stack_bytes(architecture)).all(|stack| stack.starts_with(&marker))
}

/// The size of the first stack if another follows, found by the marker of that one.
fn first_stack_bytes(
    reader: &ByteReader<'_>,
    marker: u32,
    architectures: impl Iterator<Item = Architecture>,
) -> Option<usize> {
    let marker = marker.to_le_bytes();
    let is_marked =
        |&bytes: &usize| reader.rest().get(bytes..).is_some_and(|rest| rest.starts_with(&marker));
    architectures.map(|architecture| stack_bytes(&architecture)).filter(is_marked).min()
}

/// Whether the description has the sizes of both layers next to each other, as in `1536x2-15-32` or `1536_15_32`.
fn is_described(header: &FileHeader<'_>, architecture: &Architecture) -> bool {
    let text = header.description_start();
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    ['-', '_'].into_iter().any(|joint| {
        let sizes = format!("{}{joint}{}", architecture.h1, architecture.h2);
        text.windows(sizes.len()).enumerate().any(|(at, part)| {
            part == sizes.as_bytes()
                && !is_digit(text[..at].last())
                && !is_digit(text.get(at + sizes.len()))
        })
    })
}
