//! The header of a file: version, hash and description; and the hashes of architectures.

use super::byte_reader::ByteReader;
use super::limits::is_classic_width;
use super::load_error::FormatError;
use super::version::VERSION;
use crate::nnue::architecture::{Architecture, FeatureSet, Topology};
use crate::nnue::weights::NetworkWeights;
use crate::types::language::{Localized, localized};
use crate::types::{archive_format, excerpt};

/// Hash before the feature transformer of an SFNN network; some trainers write
/// [`computed_transformer_hash`] instead.
pub(super) const SFNN_TRANSFORMER: u32 = 0x5F13_4AB8;
/// Hash before every layer stack of an SFNN network; some trainers write [`computed_network_hash`]
/// instead.
pub(super) const SFNN_STACK: u32 = 0x6333_718A;
/// Hash before the progress model.
pub(super) const PROGRESS: u32 = 0x6F50_524F;
/// Hash before the weights of a router, a second network that selects the layer stack; of tatara.
pub(super) const ROUTER: u32 = 0x6F52_544B;

/// Maximum number of bytes of the description that are examined.
const MAX_EXAMINED: usize = 16 << 10;

/// The header of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileHeader<'a> {
    pub(super) hash: u32,
    pub(super) description: &'a [u8],
}

impl<'a> FileHeader<'a> {
    pub(super) fn read(reader: &mut ByteReader<'a>) -> Result<FileHeader<'a>, FormatError> {
        let (file, length) = (reader.rest(), reader.rest().len());
        if let Some(what) = foreign_format(file) {
            return Err(FormatError::Foreign { what });
        }
        if length < 12 {
            return Err(FormatError::Short {
                what: localized("the header of a network", "評価関数のヘッダー"),
                needs: 12,
                has: length as u64,
            });
        }
        let version = reader.u32(localized("the version", "バージョン"))?;
        if version != VERSION {
            return Err(FormatError::Version { version });
        }
        let hash = reader.u32(localized("the hash", "ハッシュ"))?;
        let length = reader.u32(localized("the length of the description", "説明の長さ"))?;
        let description = reader.take(localized("the description", "説明"), u64::from(length))?;
        Ok(FileHeader { hash, description })
    }

    /// The part of the description that is examined: a description may be as long as the file.
    pub(super) fn description_start(&self) -> &'a [u8] {
        &self.description[..self.description.len().min(MAX_EXAMINED)]
    }
}

/// What the file is if it is in another known format.
fn foreign_format(file: &[u8]) -> Option<Localized> {
    if is_checkpoint(file) {
        return Some(localized(
            "a checkpoint of PyTorch, which its trainer must export as a network first",
            "PyTorchのチェックポイントです。先に評価関数として書き出してください",
        ));
    }
    if file.starts_with(b"KWTRAIN1") {
        return Some(localized(
            "a checkpoint of train, which `train export` must write as a network first",
            "trainのチェックポイントです。先にtrain exportで評価関数として書き出してください",
        ));
    }
    if let Some(what) = archive_format(file) {
        return Some(what);
    }
    if file.starts_with(b"version https://git-lfs") {
        return Some(localized(
            "only the pointer of Git LFS, not the file itself",
            "Git LFSのポインタで、ファイルそのものではありません",
        ));
    }
    if is_web_page(file) {
        return Some(localized(
            "a web page, not the file to be downloaded",
            "Webページで、目的のファイルではありません",
        ));
    }
    if file.get(2..).is_some_and(|name| name.starts_with(b"-lh")) {
        return Some(localized(
            "an LZH archive, which must be unpacked first",
            "LZH形式の書庫です。先に展開してください",
        ));
    }
    // Protobuf fields: version of the format, name of the producer.
    if matches!(file, [0x08, 1..=31, 0x12, ..]) {
        return Some(localized("an ONNX model, as of dlshogi", "dlshogiなどのONNXモデルです"));
    }
    // bullet pads the last 64 bytes with its name.
    let last = &file[file.len().saturating_sub(64)..];
    let is_network = file.starts_with(&VERSION.to_le_bytes());
    (!is_network && last.windows(12).any(|part| part == b"bulletbullet")).then_some(localized(
        "a network as quantised by bullet, without header and architecture",
        "bulletが量子化しただけの評価関数で、ヘッダーも構造もありません",
    ))
}

/// Whether a ZIP archive is a checkpoint of PyTorch, which there is no use in unpacking.
fn is_checkpoint(file: &[u8]) -> bool {
    let head = &file[..file.len().min(300)];
    head.starts_with(b"PK\x03\x04") && head.windows(9).any(|part| part == b"/data.pkl")
}

/// Whether a file starts like a web page, in any letter case and after any empty lines.
fn is_web_page(file: &[u8]) -> bool {
    let text = file[..file.len().min(100)].trim_ascii_start();
    [&b"<!DOCTYPE"[..], b"<html"].iter().any(|tag| {
        text.get(..tag.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(tag))
    })
}

/// The hash before the feature transformer.
pub(super) const fn transformer_hash(architecture: &Architecture) -> u32 {
    match architecture.topology {
        Topology::Classic => architecture.features.hash() ^ (2 * architecture.width as u32),
        Topology::Sfnn { .. } => SFNN_TRANSFORMER,
    }
}

/// The hash before the layers.
pub(super) const fn network_hash(architecture: &Architecture) -> u32 {
    match architecture.topology {
        Topology::Classic => computed_network_hash(architecture),
        Topology::Sfnn { .. } => SFNN_STACK,
    }
}

/// The hash before the feature transformer of an SFNN network as some trainers compute it, with one
/// hash for all kinds of HalfKA. YaneuraOu writes that of width 1536 for every width.
pub(super) const fn computed_transformer_hash(width: usize) -> u32 {
    FeatureSet::HalfKa1.hash() ^ width as u32
}

/// The hash before the layers as computed from their sizes: in classic networks, and by some
/// trainers in SFNN networks. YaneuraOu writes that of 1536x2-15-32 into all SFNN networks.
pub(super) const fn computed_network_hash(architecture: &Architecture) -> u32 {
    const CLIPPED: u32 = 0x538D_24C7;
    const fn affine(before: u32, outputs: u32) -> u32 {
        0xCC03_DAE4_u32.wrapping_add(outputs) ^ (before >> 1) ^ (before << 31)
    }
    let slice = 0xEC42_E90D ^ architecture.l1_inputs() as u32;
    let first = affine(slice, architecture.l1_outputs() as u32).wrapping_add(CLIPPED);
    let second = affine(first, architecture.h2 as u32).wrapping_add(CLIPPED);
    affine(second, 1)
}

/// The feature set and width with this transformer hash.
pub(super) fn transformer_by_hash(hash: u32) -> Option<(FeatureSet, usize)> {
    FeatureSet::ALL.into_iter().find_map(|features| {
        let width = (features.hash() ^ hash) as usize / 2;
        let is_named = is_classic_width(width) && hash & 1 == features.hash() & 1;
        is_named.then_some((features, width))
    })
}

/// Another activation than ClippedReLU that the description names. Such networks have the same
/// hashes and, except for `Pairwise`, the same sizes.
pub(super) fn other_activation(description: &[u8]) -> Option<&'static str> {
    const OTHERS: [&str; 3] = ["SqrClippedReLU", "SCReLU", "Pairwise"];
    OTHERS
        .into_iter()
        .find(|name| description.windows(name.len()).any(|part| part == name.as_bytes()))
}

/// The divisor of the output in the description, such as `fv_scale=24`; the number as text if it is unusable.
pub(super) fn fv_scale(description: &[u8]) -> Option<Result<u32, String>> {
    const KEY: &[u8] = b"fv_scale";
    let mut places = description.windows(KEY.len()).enumerate();
    let text = places.find_map(|(at, part)| {
        let after_key = &description[at + KEY.len()..];
        part.eq_ignore_ascii_case(KEY).then(|| assigned_number(after_key))?
    })?;
    let number: Option<f64> = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let range = 1.0..=f64::from(NetworkWeights::MAX_FV_SCALE);
    let usable = number.filter(|number| number.fract() == 0.0 && range.contains(number));
    Some(usable.map(|number| number as u32).ok_or_else(|| excerpt(text)))
}

/// The number at the start of the text after a key, such as `=24` or `": 24.5`; `None` if there is none.
fn assigned_number(after_key: &[u8]) -> Option<&[u8]> {
    let start = after_key.iter().position(|byte| !matches!(byte, b' ' | b'=' | b':' | b'"'))?;
    let text = &after_key[start..];
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text[0] == b'-');
    let whole = digits(sign);
    if start == 0 || whole == 0 {
        return None;
    }
    let end = sign + whole;
    // A point without digits after it ends a sentence.
    let fraction = if text.get(end) == Some(&b'.') { digits(end + 1) } else { 0 };
    Some(if fraction > 0 { &text[..end + 1 + fraction] } else { &text[..end] })
}
