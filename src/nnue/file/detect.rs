//! Detects the kind and layout of a file. Nothing that grows with the parameters is allocated.

use super::byte_reader::ByteReader;
use super::file_layout::FileLayout;
use super::header::FileHeader;
use super::load_error::{AccessError, LoadErrorKind};
use super::{classic, leb128, sfnn};
use crate::sys::MappedFile;
use crate::types::language::localized;

/// Detects the layout of a whole file.
pub(super) fn detect(file: &[u8]) -> Result<(FileHeader<'_>, FileLayout), LoadErrorKind> {
    let mut reader = ByteReader::new(file);
    let header = FileHeader::read(&mut reader)?;
    let hash =
        reader.u32(localized("the hash of the feature transformer", "特徴量変換器のハッシュ"))?;
    // The hash is not enough: classic HalfKA1 of width 768 has the same one.
    let layout = if leb128::is_next(&reader) {
        sfnn::detect(&header, hash, reader)?
    } else {
        classic::detect(&header, hash, reader, file.len())?
    };
    Ok((header, layout))
}

/// As [`detect`]. Damaged pages read as zeros, so any other error may follow from that.
pub(super) fn detect_mapped(
    file: &MappedFile,
) -> Result<(FileHeader<'_>, FileLayout), LoadErrorKind> {
    let detected = detect(file);
    if file.is_damaged() { Err(AccessError::Damaged.into()) } else { detected }
}
