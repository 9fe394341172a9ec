//! Finds the encoding of a text and decodes it in chunks, so that a text is never in memory as a whole.

use std::io::{self, BufRead, Cursor, Read, Seek};

use encoding_rs::{
    CoderResult, Decoder, EUC_JP, Encoding as Charset, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE,
};

use super::text_lines::LineEnds;

/// Number of bytes that are decoded at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// Number of bytes that show the encoding.
const HEAD_BYTES: u64 = 4096;
/// How ISO-2022-JP begins kanji, by the tables of 1983 and 1978.
const KANJI_ESCAPES: [&str; 2] = ["\x1b$B", "\x1b$@"];

/// How the bytes of a text are encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextEncoding {
    charset: &'static Charset,
    /// Length of the byte order mark.
    bom_length: usize,
    /// Whether there are bytes that are not characters.
    pub(super) is_damaged: bool,
    pub(super) line_ends: LineEnds,
}

impl TextEncoding {
    /// The encoding is that of the byte order mark, else UTF-16 or ISO-2022-JP if it looks like them, else UTF-8 if
    /// valid or slightly damaged, else Shift_JIS or EUC-JP, whichever fits better.
    ///
    /// # Errors
    /// I/O errors.
    pub(super) fn find(input: &mut (impl Read + Seek)) -> io::Result<TextEncoding> {
        let head = head(input)?;
        if let Some((charset, bom_length)) = Charset::for_bom(&head) {
            return Ok(decoding_stats(charset, bom_length, input)?.encoding);
        }
        if let Some(charset) = utf16_without_mark(&head) {
            let utf16 = decoding_stats(charset, 0, input)?.encoding;
            if !utf16.is_damaged {
                return Ok(utf16);
            }
        }
        let utf8 = decoding_stats(UTF_8, 0, input)?;
        if utf8.has_kanji_escape && utf8.non_ascii == 0 {
            let iso_2022_jp = decoding_stats(ISO_2022_JP, 0, input)?.encoding;
            if !iso_2022_jp.is_damaged {
                return Ok(iso_2022_jp);
            }
        }
        // Japanese text in another encoding is mostly invalid UTF-8, not just one byte in eight.
        if !utf8.encoding.is_damaged || utf8.replaced * 8 < utf8.non_ascii {
            return Ok(utf8.encoding);
        }
        let shift_jis = decoding_stats(SHIFT_JIS, 0, input)?;
        let euc_jp = decoding_stats(EUC_JP, 0, input)?;
        // EUC-JP may decode as half-width katakana, which records hardly contain; kanji in Shift_JIS
        // are never valid EUC-JP.
        let is_euc_jp = shift_jis.has_katakana && !euc_jp.encoding.is_damaged
            || euc_jp.replaced < shift_jis.replaced;
        Ok(if is_euc_jp { euc_jp.encoding } else { shift_jis.encoding })
    }

    /// The text from its beginning, without the byte order mark.
    ///
    /// # Errors
    /// I/O errors.
    pub(super) fn decode<R: Read + Seek>(self, mut input: R) -> io::Result<DecodedText<R>> {
        input.seek(io::SeekFrom::Start(self.bom_length as u64))?;
        Ok(DecodedText {
            input,
            decoder: self.charset.new_decoder_without_bom_handling(),
            bytes: vec![0; CHUNK_BYTES],
            text: String::new(),
            at: 0,
            is_over: false,
            is_damaged: false,
            non_ascii: 0,
        })
    }
}

/// The first bytes of a file.
pub(super) fn head(input: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.rewind()?;
    input.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// UTF-16 if the head of a text is full of ASCII characters as it encodes them, which are no text in other encodings.
fn utf16_without_mark(head: &[u8]) -> Option<&'static Charset> {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    // The other bytes of the characters whose byte at `high` is zero.
    let narrow = |high: usize| {
        let units = head.chunks_exact(2).filter(|unit| unit[high] == 0);
        units.map(|unit| unit[1 - high]).collect::<Vec<u8>>()
    };
    let (big, little) = (narrow(0), narrow(1));
    let (charset, narrow) =
        if little.len() > big.len() { (UTF_16LE, little) } else { (UTF_16BE, big) };
    // A few zeros are a damage.
    let is_likely = narrow.len() >= 4 && narrow.len() * 8 >= head.len() / 2;
    (is_likely && narrow.iter().all(is_text)).then_some(charset)
}

/// The result of decoding a whole text.
struct DecodingStats {
    encoding: TextEncoding,
    /// Number of replacement characters.
    replaced: usize,
    has_katakana: bool,
    has_kanji_escape: bool,
    /// Number of bytes that are not ASCII.
    non_ascii: usize,
}

fn decoding_stats(
    charset: &'static Charset,
    bom_length: usize,
    input: &mut (impl Read + Seek),
) -> io::Result<DecodingStats> {
    let line_ends = LineEnds::default();
    let encoding = TextEncoding { charset, bom_length, is_damaged: false, line_ends };
    let mut decoded = encoding.decode(input)?;
    let mut stats = DecodingStats {
        encoding,
        replaced: 0,
        has_katakana: false,
        has_kanji_escape: false,
        non_ascii: 0,
    };
    while decoded.next_chunk()? {
        stats.encoding.line_ends.add(&decoded.text);
        stats.replaced += decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
        stats.has_katakana |= decoded.text.contains(|c| ('\u{ff61}'..='\u{ff9f}').contains(&c));
        stats.has_kanji_escape |= KANJI_ESCAPES.iter().any(|escape| decoded.text.contains(escape));
    }
    (stats.encoding.is_damaged, stats.non_ascii) = (decoded.is_damaged, decoded.non_ascii);
    Ok(stats)
}

/// A text that is decoded as it is read, as UTF-8. Invalid bytes are replaced.
pub(super) struct DecodedText<R> {
    input: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    /// The current chunk, read up to `at`.
    text: String,
    at: usize,
    is_over: bool,
    is_damaged: bool,
    non_ascii: usize,
}

impl<R: Read> DecodedText<R> {
    /// Decodes the next chunk. Returns false at the end.
    fn next_chunk(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.at = 0;
        while self.text.is_empty() && !self.is_over {
            let length = self.read_bytes()?;
            self.is_over = length == 0;
            let mut rest = &self.bytes[..length];
            self.non_ascii += rest.iter().filter(|byte| !byte.is_ascii()).count();
            loop {
                self.text.reserve(rest.len() + 16);
                let (result, read, is_damaged) =
                    self.decoder.decode_to_string(rest, &mut self.text, self.is_over);
                self.is_damaged |= is_damaged;
                rest = &rest[read..];
                if result == CoderResult::InputEmpty {
                    break;
                }
            }
        }
        Ok(!self.text.is_empty())
    }

    fn read_bytes(&mut self) -> io::Result<usize> {
        loop {
            match self.input.read(&mut self.bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl<R: Read> BufRead for DecodedText<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.text.len() {
            self.next_chunk()?;
        }
        Ok(&self.text.as_bytes()[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl<R: Read> Read for DecodedText<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

/// Decodes a file; also returns whether invalid bytes were replaced.
pub fn decode(bytes: &[u8]) -> (String, bool) {
    let decoded = || {
        let mut input = Cursor::new(bytes);
        let encoding = TextEncoding::find(&mut input)?;
        let mut text = String::new();
        encoding.decode(input)?.read_to_string(&mut text)?;
        Ok::<_, io::Error>((text, encoding.is_damaged))
    };
    decoded().expect("reading from memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::encoding::{Encoding, encode};
    use crate::record::error::ConversionLosses;

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

    /// Regression: the error about these did not name the encoding.
    #[test]
    fn utf16_without_a_mark_and_iso_2022_jp_are_read() {
        // The last two have a zero byte too.
        let text = "手合割：平手\n   1 ７六歩(77)\n   2 一退\n";
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(to_bytes).collect();
            assert_eq!(decode(&bytes), (text.to_string(), false));
        }
        let bytes = b"\x1b$B@h<j\x1b(B: x\n";
        assert_eq!(decode(bytes), ("先手: x\n".to_string(), false));
        // Neither of them.
        for other in ["\x1b$ B\n", "PI\0\n", "\0\0P\0"] {
            assert_eq!(decode(other.as_bytes()).0, other);
        }
    }

    #[test]
    fn damaged_text_is_read_in_the_encoding_that_it_was_in() {
        let mut bytes = "先手：羽生善治、後手：谷川浩司".as_bytes().to_vec();
        bytes[3] = 0xff;
        let (text, damaged) = decode(&bytes);
        assert!(damaged && text.contains("羽生善治"), "{text}");
    }

    /// Regression: the text was read as Shift_JIS, in which it makes no sense.
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

    /// Gives one byte at a time.
    struct ByteByByte<'a>(&'a [u8]);

    impl Read for ByteByByte<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let length = bytes.len().min(1);
            self.0.read(&mut bytes[..length])
        }
    }

    impl Seek for ByteByByte<'_> {
        fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
            Ok(0)
        }
    }

    #[test]
    fn characters_that_are_read_in_two_pieces_are_whole() {
        for charset in [UTF_8, SHIFT_JIS, EUC_JP] {
            let bytes = charset.encode("先手：羽生\n").0;
            let line_ends = LineEnds::default();
            let encoding = TextEncoding { charset, bom_length: 0, is_damaged: false, line_ends };
            let mut text = String::new();
            encoding.decode(ByteByByte(&bytes)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "先手：羽生\n", "{}", charset.name());
        }
    }
}
