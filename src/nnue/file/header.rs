//! The head of a file of a net: version, hash and description.
//!
//! Owns these fields, the sums of hashes, and what the description may tell besides; knows nothing
//! of what follows.

use super::byte_reader::ByteReader;
use super::load_error::LoadProblem;
use crate::nnue::architecture::{Architecture, FeatureSet, Topology};

/// The only version that is read here.
pub(super) const VERSION: u32 = 0x7AF3_2F16;
/// Stands before the feature transformer of an SFNN net, unless [`computed_transformer_hash`] does.
pub(super) const SFNN_TRANSFORMER: u32 = 0x5F13_4AB8;
/// Stands before every stack of layers of an SFNN net, unless [`computed_network_hash`] does.
pub(super) const SFNN_STACK: u32 = 0x6333_718A;
/// Stands before the judge of progress.
pub(super) const PROGRESS: u32 = 0x6F50_524F;

const MOST_HINTS: usize = 16 << 10;

/// The head of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetHeader<'a> {
    pub(super) hash: u32,
    pub(super) description: &'a [u8],
}

impl<'a> NetHeader<'a> {
    pub(super) fn read(reader: &mut ByteReader<'a>) -> Result<NetHeader<'a>, LoadProblem> {
        let (file, length) = (reader.rest(), reader.rest().len());
        if let Some(what) = foreign_format(file) {
            return Err(LoadProblem::Stranger { what });
        }
        if length < 12 {
            return Err(LoadProblem::Short {
                what: "the head of a net",
                needs: 12,
                has: length as u64,
            });
        }
        let version = reader.u32("the version")?;
        if version != VERSION {
            return Err(LoadProblem::Version { version });
        }
        let hash = reader.u32("the hash")?;
        let length = reader.u32("the length of the description")?;
        let description = reader.take("the description", u64::from(length))?;
        Ok(NetHeader { hash, description })
    }

    /// The part of the description that is looked at, since it may be as long as the file.
    pub(super) fn hints(&self) -> &'a [u8] {
        &self.description[..self.description.len().min(MOST_HINTS)]
    }
}

/// What a file is that begins like no net.
fn foreign_format(file: &[u8]) -> Option<&'static str> {
    const BEGINNINGS: [(&[u8], &str); 7] = [
        (b"PK\x03\x04", "a ZIP archive, which must be unpacked first"),
        (b"7z\xBC\xAF", "a 7z archive, which must be unpacked first"),
        (b"Rar!\x1A\x07", "a RAR archive, which must be unpacked first"),
        (b"\x1F\x8B", "compressed by gzip, and must be unpacked first"),
        (b"\xFD7zXZ", "compressed by xz, and must be unpacked first"),
        (b"\x28\xB5\x2F\xFD", "compressed by zstd, and must be unpacked first"),
        (b"version https://git-lfs", "only the note of Git LFS that stands for the file"),
    ];
    if is_checkpoint(file) {
        return Some("a checkpoint of PyTorch, which its trainer must make a net of first");
    }
    if let Some((_, what)) = BEGINNINGS.iter().find(|(beginning, _)| file.starts_with(beginning)) {
        return Some(what);
    }
    if is_web_page(file) {
        return Some("a web page, not what was to be downloaded");
    }
    if file.get(2..).is_some_and(|name| name.starts_with(b"-lh")) {
        return Some("an LZH archive, which must be unpacked first");
    }
    // The version of the format and the name of the program that wrote it.
    if matches!(file, [0x08, 1..=31, 0x12, ..]) {
        return Some("an ONNX model, as dlshogi and its like have");
    }
    // bullet fills the last line of 64 bytes with its name.
    let last = &file[file.len().saturating_sub(64)..];
    let is_net = file.starts_with(&VERSION.to_le_bytes());
    (!is_net && last.windows(12).any(|part| part == b"bulletbullet"))
        .then_some("a net as bullet quantises it, without head and shape")
}

/// Whether a file is a ZIP archive that there is nothing to unpack of: its first part is the one that
/// PyTorch begins with.
fn is_checkpoint(file: &[u8]) -> bool {
    let head = &file[..file.len().min(300)];
    head.starts_with(b"PK\x03\x04") && head.windows(9).any(|part| part == b"/data.pkl")
}

/// Whether a file begins as web pages do. Sites write that in capitals or not, some of them behind
/// empty lines.
fn is_web_page(file: &[u8]) -> bool {
    let text = file[..file.len().min(100)].trim_ascii_start();
    [&b"<!DOCTYPE"[..], b"<html"].iter().any(|tag| {
        text.get(..tag.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(tag))
    })
}

/// What is known of other versions.
pub(super) fn version_name(version: u32) -> Option<&'static str> {
    Some(match version {
        0x7AF3_2F17 => "a net with 16-bit layers of BulletOu",
        0x7AF3_2F20 => "a net of Stockfish, or an older one with layer stacks of rshogi or tatara",
        0x7AF3_2F21 => "a net with layer stacks of rshogi or tatara",
        _ => return None,
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

/// The hash before the feature transformer of an SFNN net as some trainers compute it, who call all
/// kinds of HalfKA by one number. YaneuraOu writes that of a width of 1536 whatever the width is.
pub(super) const fn computed_transformer_hash(width: usize) -> u32 {
    FeatureSet::HalfKa1.hash() ^ width as u32
}

/// The hash before the layers as it is computed of their sizes, in classic nets and by some trainers
/// in SFNN nets too. YaneuraOu writes that of 1536x2-15-32 into all of these.
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

/// The set of features and the width that a classic transformer's hash names.
pub(super) fn transformer_named(hash: u32) -> Option<(FeatureSet, usize)> {
    FeatureSet::ALL.into_iter().find_map(|features| {
        let width = (features.hash() ^ hash) as usize / 2;
        let named =
            super::widths().any(|possible| possible == width) && hash & 1 == features.hash() & 1;
        named.then_some((features, width))
    })
}

/// What the layers of a classic net do by its description instead of clipping. Trainers write such
/// nets with the hashes and, all but for `Pairwise`, with the sizes of those that clip.
pub(super) fn other_activation(description: &[u8]) -> Option<&'static str> {
    const OTHERS: [&str; 3] = ["SqrClippedReLU", "SCReLU", "Pairwise"];
    OTHERS
        .into_iter()
        .find(|name| description.windows(name.len()).any(|part| part == name.as_bytes()))
}

/// A divisor of the output that the description gives, such as `fv_scale=24`.
pub(super) fn scale(description: &[u8]) -> Option<u32> {
    const KEY: &[u8] = b"fv_scale";
    let at = description.windows(KEY.len()).position(|part| part.eq_ignore_ascii_case(KEY))?;
    let after = &description[at + KEY.len()..];
    let digits = after.iter().position(|byte| !matches!(byte, b' ' | b'=' | b':' | b'"'))?;
    if digits == 0 {
        return None;
    }
    let first = numbers(&after[digits..]).next();
    first.filter(|&(at, scale)| at == 0 && (1..=128).contains(&scale)).map(|(_, scale)| scale)
}

/// The whole numbers in a description, each with where it begins; those beyond 32 bits are left
/// out.
pub(super) fn numbers(description: &[u8]) -> impl Iterator<Item = (usize, u32)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + description[at..].iter().position(u8::is_ascii_digit)?;
            let digits = description[start..].iter().take_while(|byte| byte.is_ascii_digit());
            at = start + digits.count();
            let text = std::str::from_utf8(&description[start..at]).unwrap_or_default();
            if let Ok(number) = text.parse() {
                return Some((start, number));
            }
        }
    })
}
