//! Deflated weights of the features: the LEB128 numbers of the rows of the first king bucket, then for
//! every other bucket its rows minus those of the bucket before, all compressed by DEFLATE (RFC 1951).
//! Buckets of a trained network are alike, so this takes about half of the space of plain LEB128.
//!
//! A section is a magic text, the number of weights, the length in bytes, and the compressed bytes.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::byte_reader::ByteReader;
use super::leb128;
use super::load_error::FormatError;
use crate::nnue::architecture::{Architecture, FeatureSet};
use crate::types::language::Localized;

const MAGIC: &[u8] = b"DEFLATED_DIFFERENCES";
/// The level of miniz_oxide that compresses best.
const LEVEL: u8 = 10;
/// DEFLATE expands a byte to at most this many. A number of LEB128 takes at least one of them.
const MAX_EXPANSION: usize = 1032;

/// Whether the rows of these features are written deflated, and no others are read so.
pub(super) fn is_used_by(features: FeatureSet) -> bool {
    features == FeatureSet::ZoneKaHm1
}

/// The compressed bytes and the number of weights of the section that starts here; `None` if none does.
///
/// # Errors
/// The section is cut off, or too short for its number of weights.
pub(super) fn section<'a>(
    reader: &mut ByteReader<'a>,
    what: Localized,
) -> Result<Option<(&'a [u8], usize)>, FormatError> {
    if !reader.accept(MAGIC) {
        return Ok(None);
    }
    let count = reader.u32(what)? as usize;
    let length = reader.u32(what)?;
    let bytes = reader.take(what, u64::from(length))?;
    if count > bytes.len().saturating_mul(MAX_EXPANSION) {
        Err(FormatError::Inflate { what })
    } else {
        Ok(Some((bytes, count)))
    }
}

/// Decodes the rows of all king buckets.
///
/// # Errors
/// The bytes are not as many numbers as `rows` holds.
pub(super) fn decode(
    bytes: &[u8],
    architecture: &Architecture,
    rows: &mut [i16],
    what: Localized,
) -> Result<(), FormatError> {
    let max_bytes = leb128::MAX_BYTES * rows.len();
    let numbers = decompress_to_vec_with_limit(bytes, max_bytes)
        .map_err(|_| FormatError::Inflate { what })?;
    leb128::decode(&numbers, rows, what)?;
    let mut buckets = rows.chunks_mut(architecture.king_bucket_weights());
    let mut before = buckets.next().unwrap_or_default();
    // By slices, because the compiler makes vector instructions of these.
    for bucket in buckets {
        for (weight, weight_before) in bucket.iter_mut().zip(before.iter()) {
            *weight = weight.wrapping_add(*weight_before);
        }
        before = bucket;
    }
    Ok(())
}

/// A section with the rows of all king buckets.
pub(super) fn encode(architecture: &Architecture, rows: &[i16]) -> Vec<u8> {
    let bucket = architecture.king_bucket_weights();
    let differences =
        rows[bucket..].iter().zip(rows).map(|(row, before)| row.wrapping_sub(*before));
    let numbers: Vec<i16> = rows[..bucket].iter().copied().chain(differences).collect();
    let bytes = compress_to_vec(&leb128::encode(&numbers), LEVEL);
    let number = |length: usize| (length as u32).to_le_bytes();
    [MAGIC, &number(rows.len()), &number(bytes.len()), &bytes].concat()
}
