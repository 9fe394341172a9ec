//! Writes games in any notation, and counts what it cannot hold.

use std::io::{self, Write};

use super::encoding::{Encoding, encode_part};
use super::error::ConversionLosses;
use super::format::RecordFormat;
use super::game_record::GameRecord;
use super::{csa, jkf, kif, usi};

/// Writes games as text, and counts what the notation cannot hold. The encoding is only named in the
/// text, where the notation does so.
pub fn write(
    games: &[GameRecord],
    format: RecordFormat,
    encoding: Encoding,
) -> (String, ConversionLosses) {
    let (mut text, mut losses) = (String::new(), ConversionLosses::default());
    for (nth, game) in games.iter().enumerate() {
        write_game(game, nth == 0, format, encoding, &mut text, &mut losses);
    }
    (text, losses)
}

/// Writes games as an encoded file.
///
/// ```
/// use kawasemi::record::{Encoding, ErrorPolicy, RecordFormat, read_bytes, write_bytes};
/// let kif = "手合割：平手\n   1 ７六歩(77)\n";
/// let (_, reading) = read_bytes(kif.as_bytes(), None, ErrorPolicy::Refuse).unwrap();
/// let (csa, losses) = write_bytes(&reading.games, RecordFormat::Csa, Encoding::Utf8);
/// assert_eq!(csa, b"V2.2\nPI\n+\n+7776FU\n");
/// assert!(losses.is_empty());
/// ```
pub fn write_bytes(
    games: &[GameRecord],
    format: RecordFormat,
    encoding: Encoding,
) -> (Vec<u8>, ConversionLosses) {
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, format, encoding);
    games.iter().for_each(|game| writer.write(game).expect("writing to memory does not fail"));
    let losses = writer.finish().expect("writing to memory does not fail");
    (bytes, losses)
}

fn write_game(
    game: &GameRecord,
    is_first: bool,
    format: RecordFormat,
    encoding: Encoding,
    text: &mut String,
    losses: &mut ConversionLosses,
) {
    match format {
        RecordFormat::Csa | RecordFormat::Csa3 => {
            let version = match format {
                RecordFormat::Csa3 => csa::CsaVersion::V3,
                _ => csa::CsaVersion::V2,
            };
            if is_first {
                csa::write_encoding(version, encoding, text);
            } else {
                csa::write_separator(text);
            }
            csa::write(game, version, text, losses);
        }
        RecordFormat::Kif | RecordFormat::Ki2 => {
            let style = match format {
                RecordFormat::Ki2 => kif::KifStyle::Ki2,
                _ => kif::KifStyle::Kif,
            };
            if !is_first {
                text.push('\n');
            }
            kif::write(game, style, encoding, text, losses);
        }
        RecordFormat::Jkf => jkf::write(game, text, losses),
        RecordFormat::Usi => usi::write_game(game, text, losses),
        RecordFormat::Sfen => usi::write_position(game, text, losses),
    }
}

/// Writes games one by one as an encoded file.
#[derive(Debug)]
pub struct GameWriter<W> {
    out: W,
    format: RecordFormat,
    encoding: Encoding,
    games: usize,
    /// The text of a game, kept for its memory.
    text: String,
    losses: ConversionLosses,
}

impl<W: Write> GameWriter<W> {
    pub fn new(out: W, format: RecordFormat, encoding: Encoding) -> GameWriter<W> {
        let (text, losses) = (String::new(), ConversionLosses::default());
        GameWriter { out, format, encoding, games: 0, text, losses }
    }

    /// Number of games written.
    pub fn games(&self) -> usize {
        self.games
    }

    /// # Errors
    /// I/O errors.
    pub fn write(&mut self, game: &GameRecord) -> io::Result<()> {
        let GameWriter { out, format, encoding, text, losses, .. } = self;
        text.clear();
        if self.games == 0 {
            out.write_all(encoding.mark())?;
        }
        write_game(game, self.games == 0, *format, *encoding, text, losses);
        out.write_all(&encode_part(text, *encoding, losses))?;
        self.games += 1;
        Ok(())
    }

    /// Ends the file, and returns what the notation and the encoding could not hold.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> io::Result<ConversionLosses> {
        if self.games == 0 {
            self.out.write_all(self.encoding.mark())?;
        }
        self.out.flush()?;
        Ok(self.losses)
    }
}
