//! Text encodings. Old files are in Windows Shift_JIS (code page 932), newer ones in UTF-8.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::{EncoderResult, SHIFT_JIS};

use super::error::{ConversionLoss, ConversionLosses};
use crate::types::message::{Message, listed, message};

/// An encoding for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// With a byte order mark, which some programs need.
    Utf8Bom,
    ShiftJis,
}

impl Encoding {
    pub const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf8Bom, Encoding::ShiftJis];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf8Bom => "utf-8-bom",
            Encoding::ShiftJis => "shift_jis",
        }
    }

    /// The byte order mark at the head of a file.
    pub(super) const fn mark(self) -> &'static [u8] {
        match self {
            Encoding::Utf8Bom => b"\xef\xbb\xbf",
            Encoding::Utf8 | Encoding::ShiftJis => b"",
        }
    }

    /// The name in the first line of KIF and CSA files.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Encoding::Utf8 | Encoding::Utf8Bom => "UTF-8",
            Encoding::ShiftJis => "Shift_JIS",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl UnknownEncoding {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let names = listed(&Encoding::ALL.map(Encoding::name));
        message!("the encodings are {}", "文字コードは{}のどれかです"; names)
    }
}

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Encoding, UnknownEncoding> {
        match text.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Encoding::Utf8),
            "utf-8-bom" | "utf8-bom" | "utf8bom" => Ok(Encoding::Utf8Bom),
            "shift_jis" | "shift-jis" | "shiftjis" | "sjis" | "cp932" => Ok(Encoding::ShiftJis),
            _ => Err(UnknownEncoding),
        }
    }
}

/// Encodes a text. Characters that the encoding lacks become question marks.
pub fn encode(text: &str, encoding: Encoding, losses: &mut ConversionLosses) -> Vec<u8> {
    [encoding.mark(), &*encode_part(text, encoding, losses)].concat()
}

/// Encodes a part of a text, without the byte order mark.
pub(super) fn encode_part<'a>(
    text: &'a str,
    encoding: Encoding,
    losses: &mut ConversionLosses,
) -> Cow<'a, [u8]> {
    match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => text.as_bytes().into(),
        Encoding::ShiftJis => encode_shift_jis(text, losses).into(),
    }
}

/// Characters that systems other than Windows write for these codes of Shift_JIS. The encoder has the table of
/// Windows, which maps the codes to similar characters.
const LOOKALIKES: [(char, [u8; 2]); 6] = [
    ('〜', [0x81, 0x60]),
    ('—', [0x81, 0x5c]),
    ('‖', [0x81, 0x61]),
    ('¢', [0x81, 0x91]),
    ('£', [0x81, 0x92]),
    ('¬', [0x81, 0xca]),
];

fn encode_shift_jis(text: &str, losses: &mut ConversionLosses) -> Vec<u8> {
    let mut encoder = SHIFT_JIS.new_encoder();
    // No character takes more bytes than in UTF-8; the encoder needs some extra room.
    let mut bytes = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    loop {
        bytes.reserve(rest.len() + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => match LOOKALIKES.iter().find(|(twin, _)| *twin == c) {
                Some((_, code)) => bytes.extend_from_slice(code),
                None => {
                    losses.add(ConversionLoss::Characters, 1);
                    bytes.push(b'?');
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::decoding::decode;

    #[test]
    fn characters_that_are_lacking_are_counted() {
        let mut losses = ConversionLosses::default();
        let bytes = encode("☗先手𠮷", Encoding::ShiftJis, &mut losses);
        assert_eq!(decode(&bytes), ("?先手?".to_string(), false));
        assert_eq!(losses.count(ConversionLoss::Characters), 2);
    }

    #[test]
    fn characters_that_windows_takes_for_others_are_not_lacking() {
        let mut losses = ConversionLosses::default();
        let bytes = encode("1〜9—‖¢£¬−", Encoding::ShiftJis, &mut losses);
        assert_eq!(decode(&bytes), ("1～9―∥￠￡￢－".to_string(), false));
        assert!(losses.is_empty());
    }
}
