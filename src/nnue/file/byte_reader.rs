//! A cursor over the bytes of a file that never reads past the end.

use super::load_error::FormatError;
use crate::types::language::Localized;

#[derive(Clone, Debug)]
pub(super) struct ByteReader<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(file: &'a [u8]) -> ByteReader<'a> {
        ByteReader { file, at: 0 }
    }

    /// The number of bytes read so far.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The unread bytes.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.file[self.at..]
    }

    /// The next `length` bytes; `what` names them in the error.
    pub(super) fn take(&mut self, what: Localized, length: u64) -> Result<&'a [u8], FormatError> {
        let short = || FormatError::Short { what, needs: length, has: self.rest().len() as u64 };
        let length = usize::try_from(length).map_err(|_| short())?;
        let taken = self.rest().get(..length).ok_or_else(short)?;
        self.at += length;
        Ok(taken)
    }

    pub(super) fn u32(&mut self, what: Localized) -> Result<u32, FormatError> {
        let bytes = self.take(what, 4)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    /// Skips the given bytes if they come next.
    pub(super) fn accept(&mut self, bytes: &[u8]) -> bool {
        let accepted = self.rest().starts_with(bytes);
        if accepted {
            self.at += bytes.len();
        }
        accepted
    }
}

/// Little-endian numbers of 16 bits.
pub(super) fn i16s(bytes: &[u8], to: &mut [i16]) {
    for (to, &bytes) in to.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *to = i16::from_le_bytes(bytes);
    }
}

/// Little-endian numbers of 32 bits.
pub(super) fn i32s(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect()
}

/// Little-endian floating-point numbers of 64 bits.
pub(super) fn f64s(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()
}
