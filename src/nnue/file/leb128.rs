//! 16-bit numbers as signed LEB128, as in the files of Stockfish: a magic text, a length in bytes,
//! then the numbers, seven bits per byte from the lowest, with the top bit set if more follow.

use super::byte_reader::ByteReader;
use super::load_error::FormatError;
use crate::types::language::Localized;

pub(super) const MAGIC: &[u8] = b"COMPRESSED_LEB128";
/// The most bytes of a 16-bit number.
pub(super) const MAX_BYTES: usize = 3;

/// Whether a section starts here.
pub(super) fn is_next(reader: &ByteReader<'_>) -> bool {
    let rest = reader.rest();
    rest.strip_prefix(b"_").unwrap_or(rest).starts_with(MAGIC)
}

/// The encoded bytes of the section that starts here. Some writers put a stray `_` before it.
pub(super) fn section<'a>(
    reader: &mut ByteReader<'a>,
    what: Localized,
) -> Result<&'a [u8], FormatError> {
    reader.accept(b"_");
    if !reader.accept(MAGIC) {
        return Err(FormatError::NoSection { what, at: reader.at() as u64 });
    }
    let length = reader.u32(what)?;
    reader.take(what, u64::from(length))
}

/// The number of encoded numbers.
pub(super) fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte < 0x80).count()
}

/// Decodes exactly as many numbers as `to` holds.
pub(super) fn decode(bytes: &[u8], to: &mut [i16], what: Localized) -> Result<(), FormatError> {
    let (mut bytes, mut to) = (bytes, to);
    while !to.is_empty() {
        // Most parameters have one byte; runs of these are decoded together.
        if let (Some(run), Some(room)) = (bytes.first_chunk::<RUN>(), to.first_chunk_mut::<RUN>())
            && run.iter().fold(0, |all, byte| all | byte) < 0x80
        {
            for (number, &byte) in room.iter_mut().zip(run) {
                *number = short(byte);
            }
            (bytes, to) = (&bytes[RUN..], &mut to[RUN..]);
            continue;
        }
        let (some, rest) = to.split_at_mut(RUN.min(to.len()));
        for number in some {
            let (decoded, length) = first(bytes).ok_or(FormatError::InvalidLeb128 { what })?;
            *number = decoded;
            bytes = &bytes[length..];
        }
        to = rest;
    }
    if bytes.is_empty() { Ok(()) } else { Err(FormatError::InvalidLeb128 { what }) }
}

/// How many one-byte numbers are decoded together.
const RUN: usize = 32;

/// A one-byte number: bit 6 is the sign.
fn short(byte: u8) -> i16 {
    i16::from((byte << 1) as i8 >> 1)
}

/// The first number and its length in bytes; `None` if it is not a 16-bit number.
fn first(bytes: &[u8]) -> Option<(i16, usize)> {
    match *bytes.first()? {
        byte @ ..0x80 => Some((short(byte), 1)),
        _ => longer(bytes),
    }
}

fn longer(bytes: &[u8]) -> Option<(i16, usize)> {
    let length = 1 + bytes.iter().take(MAX_BYTES).position(|&byte| byte < 0x80)?;
    let number = bytes[..length]
        .iter()
        .rev()
        .fold(0_i32, |number, &byte| number << 7 | i32::from(byte & 0x7F));
    let unused = 32 - 7 * length as u32;
    Some((i16::try_from(number << unused >> unused).ok()?, length))
}

/// Encodes numbers, without magic text and length.
pub(super) fn encode(numbers: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let mut rest = number;
        // The last byte is the one that holds the sign too.
        while !(-64..64).contains(&rest) {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8 & 0x7F);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::language::localized;

    #[test]
    fn every_16_bit_number_reads_back() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let bytes = encode(&numbers);
        assert_eq!(count(&bytes), numbers.len());
        let mut decoded = vec![0; numbers.len()];
        decode(&bytes, &mut decoded, localized("numbers", "数値")).unwrap();
        assert_eq!(decoded, numbers);
    }

    #[test]
    fn runs_of_one_byte_numbers_may_have_any_length() {
        for length in 0..3 * RUN {
            for large in 0..length {
                let mut numbers: Vec<i16> = (0..length).map(|at| at as i16 % 128 - 64).collect();
                numbers[large] = -300;
                let mut decoded = vec![0; length];
                decode(&encode(&numbers), &mut decoded, localized("numbers", "数値")).unwrap();
                assert_eq!(decoded, numbers);
            }
        }
    }

    #[test]
    fn the_coding_is_the_published_one() {
        assert_eq!(encode(&[0, 2, -2, 63, -64]), [0x00, 0x02, 0x7E, 0x3F, 0x40]);
        assert_eq!(encode(&[127, -127]), [0xFF, 0x00, 0x81, 0x7F]);
        assert_eq!(encode(&[128, -128, -129]), [0x80, 0x01, 0x80, 0x7F, 0xFF, 0x7E]);
        assert_eq!(encode(&[i16::MAX, i16::MIN]), [0xFF, 0xFF, 0x01, 0x80, 0x80, 0x7E]);
    }

    #[test]
    fn bytes_that_encode_no_16_bit_number_are_refused() {
        let refused: [&[u8]; 7] = [
            &[],
            &[0x80],
            &[0x80, 0x80],
            &[0x80, 0x80, 0x80, 0x00],
            &[0xFF, 0xFF, 0x03],
            &[0x00, 0x00],
            &[0x80; 1000],
        ];
        for bytes in refused {
            assert!(decode(bytes, &mut [0], localized("numbers", "数値")).is_err(), "{bytes:x?}");
        }
    }

    #[test]
    fn a_section_may_have_a_stray_underscore_before_it() {
        for stray in [&b""[..], b"_"] {
            let bytes = [stray, MAGIC, &[2, 0, 0, 0], &[5, 6, 7]].concat();
            let mut reader = ByteReader::new(&bytes);
            assert!(is_next(&reader));
            assert_eq!(section(&mut reader, localized("numbers", "数値")).unwrap(), [5, 6]);
            assert_eq!(reader.rest(), [7]);
        }
    }

    #[test]
    fn a_section_longer_than_the_file_is_refused() {
        let bytes = [MAGIC, &[0xFF; 4], &[5; 100]].concat();
        assert!(section(&mut ByteReader::new(&bytes), localized("numbers", "数値")).is_err());
    }
}
