//! The SFNN file: a compressed feature transformer, an optional progress model, and layer stacks.
//!
//! Most architectures have the same hashes, so the architecture follows from the number of
//! parameters and from the positions of the markers of the stacks; the description decides only
//! between architectures that fit equally well.

use super::byte_reader::ByteReader;
use super::file_layout::FileLayout;
use super::header::{self, NetHeader};
use super::leb128;
use super::limits::{layer_sizes, widths};
use super::load_error::{LoadProblem, ShapeProblem};
use crate::nnue::architecture::{Architecture, FeatureSet, Topology};
use crate::nnue::parameters::layer_shapes;

/// Number of weights of the progress model.
pub(super) const PROGRESS_WEIGHTS: usize = FeatureSet::HalfKp.dimensions();

/// Detects the layout after the hash of the feature transformer.
pub(super) fn detect(
    header: &NetHeader<'_>,
    transformer: u32,
    mut reader: ByteReader<'_>,
) -> Result<FileLayout, LoadProblem> {
    let bias = leb128::section(&mut reader, "the biases")?;
    let bias_end = reader.at();
    let width = leb128::count(bias);
    if !widths().any(|possible| possible == width) {
        return Err(ShapeProblem::Width { width: width as u64 }.into());
    }
    if ![header::SFNN_TRANSFORMER, header::computed_transformer_hash(width)].contains(&transformer)
    {
        return Err(ShapeProblem::Transformer { hash: transformer }.into());
    }
    let rows = leb128::section(&mut reader, "the weights of the features")?;
    let rows_end = reader.at();
    let weights = leb128::count(rows);
    let features = FeatureSet::ALL
        .into_iter()
        .find(|features| features.dimensions() * width == weights)
        .ok_or(ShapeProblem::Features { weights: weights as u64, width: width as u64 })?;
    let progress = if reader.accept(&header::PROGRESS.to_le_bytes()) {
        let start = reader.at();
        reader.take("the progress coefficients", 4 + 4 * PROGRESS_WEIGHTS as u64)?;
        Some(start..reader.at())
    } else {
        None
    };
    let marker = reader.clone().u32("the marker of the first layer stack")?;
    let architecture = solve(header, &reader, marker, features, width)?;
    let hash = transformer ^ marker;
    let hash = if progress.is_some() { hash ^ header::PROGRESS } else { hash };
    let odd = header.hash != hash;
    Ok(FileLayout {
        architecture,
        bias: bias_end - bias.len()..bias_end,
        rows: rows_end - rows.len()..rows_end,
        compressed: true,
        progress,
        stacks: reader.at() + 4,
        stack_step: stack_bytes(&architecture),
        warnings: if odd {
            vec!["the hash in its header does not match its parts"]
        } else {
            vec![]
        },
    })
}

/// Size of a layer stack in bytes, including its marker.
fn stack_bytes(architecture: &Architecture) -> usize {
    4 + layer_shapes(architecture).iter().map(|shape| shape.bytes()).sum::<usize>()
}

/// Whether this is a marker of the layer stacks of such a net.
fn is_marker_of(shape: &Architecture, marker: u32) -> bool {
    [header::SFNN_STACK, header::computed_network_hash(shape)].contains(&marker)
}

/// The only architecture that matches the rest of the file, which starts with this marker.
fn solve(
    header: &NetHeader<'_>,
    reader: &ByteReader<'_>,
    marker: u32,
    features: FeatureSet,
    width: usize,
) -> Result<Architecture, LoadProblem> {
    let shapes = |stacks: usize| {
        all_shapes(features, width, stacks).filter(move |shape| is_marker_of(shape, marker))
    };
    if shapes(1).next().is_none() {
        let what = "the marker of a layer stack";
        return Err(ShapeProblem::Marker { what, at: reader.at() as u64, found: marker }.into());
    }
    let length = reader.rest().len();
    let step = first_step(reader, marker, shapes(1)).unwrap_or(length);
    let mut fitting: Vec<Architecture> = shapes(length / step)
        .filter(|shape| stack_bytes(shape) == step && length.is_multiple_of(step))
        .filter(|shape| is_marked(reader, marker, shape))
        .collect();
    if fitting.is_empty() {
        let transformer = format!("SFNN with {} of width {width}", features.name());
        let has = (reader.at() + reader.rest().len()) as u64;
        return Err(ShapeProblem::NoLayers { transformer, has }.into());
    }
    for choose in [by_description, by_padding] {
        let chosen: Vec<Architecture> =
            fitting.iter().filter(|shape| choose(header, reader, shape)).copied().collect();
        if !chosen.is_empty() {
            fitting = chosen;
        }
    }
    match fitting[..] {
        [shape] => Ok(shape),
        _ => Err(ShapeProblem::Ambiguous {
            candidates: fitting.iter().map(ToString::to_string).collect(),
        }
        .into()),
    }
}

/// All architectures with this transformer and number of stacks.
fn all_shapes(
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
fn is_marked(reader: &ByteReader<'_>, marker: u32, shape: &Architecture) -> bool {
    let marker = marker.to_le_bytes();
    reader.rest().chunks_exact(stack_bytes(shape)).all(|stack| stack.starts_with(&marker))
}

/// The size of the first stack if another follows, found by the marker of that one.
fn first_step(
    reader: &ByteReader<'_>,
    marker: u32,
    shapes: impl Iterator<Item = Architecture>,
) -> Option<usize> {
    let marker = marker.to_le_bytes();
    let is_marked =
        |&bytes: &usize| reader.rest().get(bytes..).is_some_and(|rest| rest.starts_with(&marker));
    shapes.map(|shape| stack_bytes(&shape)).filter(is_marked).min()
}

/// Whether the description has the sizes of both layers next to each other, as in `1536x2-15-32` or
/// `SFNN_HALFKAHM2_1536_15_32_K3K3`.
fn by_description(header: &NetHeader<'_>, _: &ByteReader<'_>, shape: &Architecture) -> bool {
    let numbers: Vec<usize> =
        header::numbers(header.hints()).map(|(_, number)| number as usize).collect();
    numbers.windows(2).any(|pair| pair == [shape.h1, shape.h2])
}

/// Whether the padding agrees about the shortcut. The file has the same size with and without it,
/// because the inputs of the second layer are padded. With a shortcut the last two of them are
/// padding and zero; without, trained nets have other weights there.
fn by_padding(_: &NetHeader<'_>, reader: &ByteReader<'_>, shape: &Architecture) -> bool {
    let with = match shape.topology {
        Topology::Sfnn { shortcut, .. } => shortcut,
        Topology::Classic => false,
    };
    let [l1, l2, _] = layer_shapes(shape);
    let inputs = 2 * shape.l1_outputs();
    let weights = 4 + l1.bytes() + 4 * l2.outputs;
    let padding_is_zero = reader.rest().chunks_exact(stack_bytes(shape)).all(|stack| {
        let rows = stack[weights..weights + l2.weights()].chunks_exact(l2.weights() / l2.outputs);
        rows.into_iter().all(|row| row[inputs - 2..inputs].iter().all(|&weight| weight == 0))
    });
    with == padding_is_zero
}
