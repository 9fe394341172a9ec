//! Text encodings. Old files are in Windows Shift_JIS (code page 932), newer ones in UTF-8.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{EUC_JP, EncoderResult, Encoding as Charset, SHIFT_JIS, UTF_8};

use super::error::{ConversionLoss, ConversionLosses};

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

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Encoding::ALL.map(Encoding::name);
        write!(f, "the encodings are {}", names.join(", "))
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

/// Decodes a file; also returns whether invalid bytes were replaced. The encoding is that of the byte
/// order mark, else UTF-8 if valid or slightly damaged, else Shift_JIS or EUC-JP, whichever fits
/// better.
pub fn decode(bytes: &[u8]) -> (String, bool) {
    if let Some((table, length)) = Charset::for_bom(bytes) {
        let (text, damaged) = table.decode_without_bom_handling(&bytes[length..]);
        return (text.into_owned(), damaged);
    }
    let (utf8, damaged) = UTF_8.decode_without_bom_handling(bytes);
    let foreign = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    // Japanese text in another encoding is mostly invalid UTF-8, not just one byte in eight.
    if !damaged || replaced(&utf8) * 8 < foreign {
        return (utf8.into_owned(), damaged);
    }
    let (shift_jis, damaged) = SHIFT_JIS.decode_without_bom_handling(bytes);
    let (euc_jp, euc_damaged) = EUC_JP.decode_without_bom_handling(bytes);
    // EUC-JP may decode as half-width katakana, which records hardly contain; kanji in Shift_JIS are
    // never valid EUC-JP.
    let katakana = shift_jis.contains(|c| ('\u{ff61}'..='\u{ff9f}').contains(&c));
    if katakana && !euc_damaged || replaced(&euc_jp) < replaced(&shift_jis) {
        return (euc_jp.into_owned(), euc_damaged);
    }
    (shift_jis.into_owned(), damaged)
}

/// Number of replacement characters.
fn replaced(text: &str) -> usize {
    text.matches(char::REPLACEMENT_CHARACTER).count()
}

/// Encodes a text. Characters that the encoding lacks become question marks.
pub fn encode(text: &str, encoding: Encoding, losses: &mut ConversionLosses) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8Bom => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        Encoding::ShiftJis => encode_shift_jis(text, losses),
    }
}

/// Characters that Shift_JIS has, but that the Windows table of the encoder maps to lookalikes. Other
/// systems write these.
const TWINS: [(char, [u8; 2]); 6] = [
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
            EncoderResult::Unmappable(c) => match TWINS.iter().find(|(twin, _)| *twin == c) {
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

    #[test]
    fn the_encoding_is_found_from_the_bytes() {
        let text = "先手：羽生善治\n▲７六歩 龍①\n";
        for encoding in Encoding::ALL {
            let mut losses = ConversionLosses::default();
            let bytes = encode(text, encoding, &mut losses);
            assert!(losses.is_empty());
            assert_eq!(decode(&bytes), (text.to_string(), false), "{encoding}");
            assert_eq!(encoding.name().parse(), Ok(encoding));
        }
        let euc = EUC_JP.encode("先手：谷川浩司").0;
        assert_eq!(decode(&euc), ("先手：谷川浩司".to_string(), false));
        let narrow = SHIFT_JIS.encode("先手：ﾊﾌﾞ").0;
        assert_eq!(decode(&narrow), ("先手：ﾊﾌﾞ".to_string(), false));
        let wide: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide), (text.to_string(), false));
    }

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

    #[test]
    fn damaged_text_is_read_in_the_encoding_that_it_was_in() {
        let mut bytes = "先手：羽生善治、後手：谷川浩司".as_bytes().to_vec();
        bytes[3] = 0xff;
        let (text, damaged) = decode(&bytes);
        assert!(damaged && text.contains("羽生善治"), "{text}");
    }

    /// Regression: it was taken for Shift_JIS, in which none of it has a meaning.
    #[test]
    fn damaged_text_in_an_old_encoding_is_read_in_it() {
        let text = "手合割：平手\n先手：谷川浩司\n   1 ７六歩(77)\n   2 ３四歩(33)\n*相居飛車\n";
        for table in [EUC_JP, SHIFT_JIS] {
            let mut bytes = table.encode(text).0.into_owned();
            let comment = bytes.iter().position(|&byte| byte == b'*').unwrap();
            bytes[comment + 1] = 0xff;
            let (read, damaged) = decode(&bytes);
            let kept = &text[..text.find('*').unwrap()];
            assert!(damaged && read.starts_with(kept), "{}: {read}", table.name());
        }
    }
}
