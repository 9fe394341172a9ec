//! The wire format of Protocol Buffers, as far as books use it, read in place. (A library would
//! first build the whole message in memory, which a small hostile file can make very large.)

/// A field's number and its value.
pub(super) type WireField<'a> = (u32, WireValue<'a>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// A type that books do not use.
    Other,
}

impl WireValue<'_> {
    /// The number of an int32 or enumeration field.
    pub(super) fn int32(self) -> i32 {
        match self {
            WireValue::Number(number) => number as i32,
            _ => 0,
        }
    }
}

/// The fields of a message, up to the first invalid one.
#[derive(Clone, Debug)]
pub(super) struct WireFields<'a> {
    bytes: &'a [u8],
    /// The offset of the next field.
    pub(super) at: usize,
    is_broken: bool,
}

impl<'a> WireFields<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> WireFields<'a> {
        WireFields { bytes, at: 0, is_broken: false }
    }

    /// At most ten bytes of seven bits.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let end = self.at.checked_add(usize::try_from(length).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn field(&mut self) -> Option<WireField<'a>> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).ok().filter(|&number| number > 0)?;
        let value = match tag & 7 {
            0 => WireValue::Number(self.varint()?),
            1 => self.take(8).map(|_| WireValue::Other)?,
            2 => {
                let length = self.varint()?;
                WireValue::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| WireValue::Other)?,
            _ => return None,
        };
        Some((number, value))
    }
}

impl<'a> Iterator for WireFields<'a> {
    /// A field, or the offset of an invalid one.
    type Item = Result<WireField<'a>, usize>;

    fn next(&mut self) -> Option<Result<WireField<'a>, usize>> {
        if self.is_broken || self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let field = self.field();
        self.is_broken = field.is_none();
        Some(field.ok_or(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_place() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x02, b'a', b'b', 0x1d, 1, 2, 3, 4];
        let fields: Vec<_> = WireFields::of(&bytes).map(Result::unwrap).collect();
        assert_eq!(
            fields,
            [(1, WireValue::Number(150)), (2, WireValue::Bytes(b"ab")), (3, WireValue::Other)]
        );
    }

    #[test]
    fn an_invalid_field_gives_its_offset_and_ends_the_iteration() {
        for (bytes, at) in [
            (&[0x08, 0x01, 0x12, 0x05, 0x61][..], 2),
            (&[0x08], 0),
            (&[0xff; 12], 0),
            (&[0x00, 0x01], 0),
            (&[0x0b], 0),
            (&[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 0),
        ] {
            let results: Vec<_> = WireFields::of(bytes).collect();
            assert_eq!(results.last(), Some(&Err(at)), "{bytes:?}");
            assert!(results.len() <= 2);
        }
    }

    #[test]
    fn negative_numbers_have_ten_bytes() {
        let bytes = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let field = WireFields::of(&bytes).next().unwrap().unwrap();
        assert_eq!(field.1.int32(), -1);
    }
}
