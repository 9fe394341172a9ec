//! The classic file: uncompressed, one layer stack; the architecture determines the size.
//!
//! The architecture follows from hashes and size. The description is used only for the activation:
//! trainers write the same one for every architecture.

use std::ops::Range;

use super::ambiguity::{self, Choice};
use super::byte_reader::ByteReader;
use super::file_layout::{Encoding, FileLayout};
use super::header::{self, FileHeader};
use super::limits::layer_sizes;
use super::load_error::{ArchitectureError, LoadErrorKind};
use crate::nnue::architecture::{Architecture, FeatureSet, HALF_KPE9, Topology};
use crate::nnue::parameters::layer_shapes;
use crate::types::language::localized;

/// Bytes after the description for this architecture with another number of features.
pub(super) fn payload(architecture: &Architecture, dimensions: usize) -> u64 {
    let layers: usize = layer_shapes(architecture).iter().map(|shape| shape.bytes()).sum();
    4 + 2 * architecture.width as u64 * (1 + dimensions as u64) + 4 + layers as u64
}

/// Detects the layout after the hash of the feature transformer, in a file of `length` bytes.
pub(super) fn detect(
    header: &FileHeader<'_>,
    transformer: u32,
    reader: ByteReader<'_>,
    length: usize,
) -> Result<FileLayout, LoadErrorKind> {
    let start = reader.at() - 4;
    let (named_features, width) = header::transformer_by_hash(transformer)
        .ok_or(ArchitectureError::Transformer { hash: transformer })?;
    if let Some(activation) = header::other_activation(header.description_start()) {
        return Err(ArchitectureError::Activation { activation }.into());
    }
    let features = features_by_size(named_features, width, length - start);
    let bias = reader.at()..reader.at() + 2 * width;
    let rows = bias.end..bias.end + 2 * width * features.dimensions();
    let layers = reader.rest().get(rows.end - reader.at()..).unwrap_or_default();
    let network = ByteReader::new(layers).u32(localized("", "")).ok();
    let hashes = [network, Some(header.hash ^ transformer)];
    let (architecture, assumption) = choose(features, width, start..length, hashes, layers)?;
    let stacks_at = rows.end + 4;
    let mut warnings = Vec::new();
    if features != named_features {
        warnings.push(localized(
            "the hash of its features is that of another kind of HalfKA",
            "特徴量のハッシュが別の種類のHalfKAのものです",
        ));
    }
    let network_hash = header::network_hash(&architecture);
    if network != Some(network_hash) {
        warnings.push(localized(
            "the hash of its layers does not match its size",
            "層のハッシュがサイズと合いません",
        ));
    }
    if header.hash != transformer ^ network_hash {
        warnings.push(localized(
            "the hash in its header does not match its parts",
            "ヘッダーのハッシュが中身と合いません",
        ));
    }
    Ok(FileLayout {
        architecture,
        bias,
        rows,
        encoding: Encoding::Plain,
        progress: None,
        stacks_at,
        stack_step: length - stacks_at,
        shards: None,
        assumption,
        warnings,
    })
}

/// The feature set that fits a file with `size` bytes after the description, among those with the hash of
/// `named`.
fn features_by_size(named: FeatureSet, width: usize, size: usize) -> FeatureSet {
    let fits = |&features: &FeatureSet| fitting(features, width, size).next().is_some();
    features_with_hash_of(named).iter().copied().find(fits).unwrap_or(named)
}

/// The architectures that have exactly `size` bytes after the description.
fn fitting(features: FeatureSet, width: usize, size: usize) -> impl Iterator<Item = Architecture> {
    let fits = move |architecture: &Architecture| {
        payload(architecture, features.dimensions()) == size as u64
    };
    architectures(features, width).filter(fits)
}

/// The architecture of a file, `body` of which follows the description. `hashes` are the hash before the
/// `layers` and the one that the header implies, where they are known.
fn choose(
    features: FeatureSet,
    width: usize,
    body: Range<usize>,
    hashes: [Option<u32>; 2],
    layers: &[u8],
) -> Result<Choice, LoadErrorKind> {
    let fitting: Vec<Architecture> = fitting(features, width, body.len()).collect();
    let named = named(features, width, hashes);
    if let Some(architecture) = fitting.iter().find(|architecture| named.contains(architecture)) {
        return Ok((*architecture, None));
    }
    match &fitting[..] {
        [architecture] if named.is_empty() => Ok((*architecture, None)),
        several @ [_, _, ..] if named.is_empty() => {
            let layers = layers.get(4..).into_iter();
            let padding =
                |architecture: &Architecture| ambiguity::padding(layers.clone(), architecture);
            Ok(ambiguity::choose(several, padding)?)
        }
        // If the hashes name architectures of other sizes, the file is truncated or too long.
        _ => Err(size_error(features, width, &named, body.start, body.end).into()),
    }
}

/// The architectures with the first hash that any has. Many share their hash with others, but never their size too.
fn named(features: FeatureSet, width: usize, hashes: [Option<u32>; 2]) -> Vec<Architecture> {
    let with_hash = |hash: u32| -> Vec<Architecture> {
        architectures(features, width)
            .filter(|architecture| header::network_hash(architecture) == hash)
            .collect()
    };
    let mut named = hashes.into_iter().flatten().map(with_hash);
    named.find(|architectures| !architectures.is_empty()).unwrap_or_default()
}

/// The feature sets that have the hash of this one in some files. Older programs write one hash for
/// all kinds of HalfKA, and the trainers bullet-shogi and tatara write that of HalfKA_hm1 for
/// HalfKA_hm2. Their sizes are so far apart that no layers make two of them equal.
fn features_with_hash_of(features: FeatureSet) -> &'static [FeatureSet] {
    match features {
        FeatureSet::HalfKa1 => &[
            FeatureSet::HalfKa1,
            FeatureSet::HalfKa2,
            FeatureSet::HalfKaHm1,
            FeatureSet::HalfKaHm2,
        ],
        FeatureSet::HalfKaHm1 => &[FeatureSet::HalfKaHm1, FeatureSet::HalfKaHm2],
        _ => &[],
    }
}

/// All architectures with this transformer.
fn architectures(features: FeatureSet, width: usize) -> impl Iterator<Item = Architecture> {
    layer_sizes().flat_map(move |h1| {
        let topology = Topology::Classic;
        layer_sizes().map(move |h2| Architecture { features, width, h1, h2, topology })
    })
}

/// The best explanation why no architecture matches the size of the file.
fn size_error(
    features: FeatureSet,
    width: usize,
    named: &[Architecture],
    start: usize,
    length: usize,
) -> ArchitectureError {
    let is_half_kpe9 =
        |architecture: Architecture| payload(&architecture, HALF_KPE9) == (length - start) as u64;
    if features == FeatureSet::HalfKp && architectures(features, width).any(is_half_kpe9) {
        return ArchitectureError::HalfKpe9;
    }
    let in_use = named.iter().find(|architecture| ambiguity::is_in_use(architecture));
    match in_use.or(named.first()) {
        Some(architecture) => ArchitectureError::Size {
            architecture: architecture.to_string(),
            needs: start as u64 + payload(architecture, features.dimensions()),
            has: length as u64,
        },
        None => ArchitectureError::NoLayers {
            transformer: format!("{} of width {width}", features.name()),
            has: length as u64,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Features, sizes, length of the description, hash, hashes of the parts, size of the file, and
    /// the offsets of the biases, the rows and the first layer.
    type Published = (FeatureSet, [usize; 3], u64, u32, u32, u32, u64, u64, u64, u64);

    use FeatureSet::{HalfKa1, HalfKa2, HalfKaHm1, HalfKaHm2, HalfKp, HalfKpVm, KP};

    #[rustfmt::skip]
    const PUBLISHED: [Published; 13] = [
        (HalfKp, [256, 32, 32], 178, 0x3E5A_A6EE, 0x5D69_D7B8, 0x6333_7156, 64_217_066, 194, 706, 64_199_366),
        (KP, [256, 32, 32], 165, 0x5C64_64A9, 0x3F57_15FF, 0x6333_7156, 893_917, 181, 693, 876_217),
        (HalfKpVm, [256, 32, 32], 180, 0x6858_6ECC, 0x0B6B_1F9A, 0x6333_7156, 35_684_332, 196, 708, 35_666_632),
        (HalfKp, [512, 8, 64], 178, 0x3E5A_A71C, 0x5D69_D1B8, 0x6333_76A4, 128_409_130, 194, 1218, 128_398_534),
        (HalfKp, [512, 8, 96], 178, 0x3E5A_A70C, 0x5D69_D1B8, 0x6333_76B4, 128_410_314, 194, 1218, 128_398_534),
        (HalfKp, [512, 16, 32], 181, 0x3E5A_A772, 0x5D69_D1B8, 0x6333_76CA, 128_416_173, 197, 1221, 128_398_537),
        (HalfKp, [768, 16, 64], 181, 0x3E5A_A222, 0x5D69_D3B8, 0x6333_719A, 192_624_717, 197, 1733, 192_597_705),
        (HalfKp, [1024, 8, 32], 179, 0x3E5A_B7EC, 0x5D69_DDB8, 0x6333_6A54, 256_814_475, 195, 2243, 256_796_871),
        (HalfKp, [1024, 8, 64], 179, 0x3E5A_B79C, 0x5D69_DDB8, 0x6333_6A24, 256_815_659, 195, 2243, 256_796_871),
        (HalfKa1, [256, 32, 32], 179, 0x3C20_3FEE, 0x5F13_4EB8, 0x6333_7156, 70_935_531, 195, 707, 70_917_831),
        (HalfKa2, [256, 32, 32], 179, 0x3C10_3FEE, 0x5F23_4EB8, 0x6333_7156, 67_576_299, 195, 707, 67_558_599),
        (HalfKaHm1, [256, 32, 32], 181, 0x1C20_3FEE, 0x7F13_4EB8, 0x6333_7156, 39_416_813, 197, 709, 39_399_113),
        (HalfKaHm2, [256, 32, 32], 181, 0x1C10_3FEE, 0x7F23_4EB8, 0x6333_7156, 37_550_573, 197, 709, 37_532_873),
    ];

    #[test]
    fn hashes_sizes_and_places_are_the_published_ones() {
        for (features, [width, h1, h2], n, hash, transformer, network, size, bias, rows, layers) in
            PUBLISHED
        {
            let architecture =
                Architecture { features, width, h1, h2, topology: Topology::Classic };
            assert_eq!(header::transformer_hash(&architecture), transformer, "{architecture}");
            assert_eq!(header::network_hash(&architecture), network, "{architecture}");
            assert_eq!(transformer ^ network, hash, "{architecture}");
            assert_eq!(
                12 + n + payload(&architecture, features.dimensions()),
                size,
                "{architecture}"
            );
            assert_eq!(12 + n + 4, bias, "{architecture}");
            assert_eq!(bias + 2 * width as u64, rows, "{architecture}");
            assert_eq!(
                rows + 2 * (width * features.dimensions()) as u64 + 4,
                layers,
                "{architecture}"
            );
        }
    }

    #[test]
    fn the_size_of_half_kpe9_is_the_published_one() {
        let features = FeatureSet::HalfKp;
        let topology = Topology::Classic;
        let architecture = Architecture { features, width: 256, h1: 32, h2: 32, topology };
        assert_eq!(HALF_KPE9, 1_128_492);
        assert_eq!(12 + 181 + payload(&architecture, HALF_KPE9), 577_806_317);
    }

    #[test]
    fn every_transformer_is_found_by_its_hash() {
        for features in FeatureSet::ALL {
            for width in (32..=4096).step_by(32) {
                let hash = features.hash() ^ (2 * width as u32);
                assert_eq!(header::transformer_by_hash(hash), Some((features, width)));
            }
        }
        assert_eq!(header::transformer_by_hash(0), None);
        assert_eq!(header::transformer_by_hash(FeatureSet::HalfKp.hash() ^ 513), None);
    }
}
