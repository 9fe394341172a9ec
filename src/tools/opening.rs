//! Openings, read from text with one per line.
//!
//! A line is `startpos`, `sfen` and an SFEN, or an SFEN alone, optionally followed by `moves ...` and
//! preceded by `position`. Empty lines and lines that begin with `#` are skipped. The moves of every
//! line are checked when it is read.

use std::fmt;
use std::path::Path;

use crate::position::{IllegalMove, Position, Setup, SfenError};
use crate::sys::in_file;
use crate::tools::files::read;
use crate::types::Move;
use crate::types::usi::position_line;

/// An opening whose moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its line in the file, from 1.
    pub line: usize,
    /// `None` for the initial position.
    setup: Option<Setup>,
    moves: Vec<Move>,
}

/// Why a line is not an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningError {
    Sfen(SfenError),
    /// This word, the move with this number from 1, is not a move in USI notation.
    NoMove(usize, String),
    IllegalMove(usize, String, IllegalMove),
    /// The game is over in this position.
    Over,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Sfen(error) => error.fmt(f),
            OpeningError::NoMove(number, word) => {
                write!(f, "move {number}, `{word}`, is not a move")
            }
            OpeningError::IllegalMove(number, word, error) => {
                write!(f, "move {number}, {word}, is illegal: {error}")
            }
            OpeningError::Over => f.write_str("the game is over there"),
        }
    }
}

impl std::error::Error for OpeningError {}

/// The openings of a file.
///
/// # Errors
/// If it cannot be read, a line is invalid, or there is no opening in it.
pub fn load_openings(path: &Path) -> Result<Vec<Opening>, String> {
    let bad = |(line, error)| in_file(path, format!("line {line}: {error}"));
    match read_openings(&read(path)?).map_err(bad)? {
        openings if openings.is_empty() => Err(in_file(path, "there is no opening in it")),
        openings => Ok(openings),
    }
}

/// The openings of a text.
///
/// # Errors
/// The number of the first invalid line, from 1, and its error.
pub fn read_openings(text: &str) -> Result<Vec<Opening>, (usize, OpeningError)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let is_opening = |line: &str| !line.is_empty() && !line.starts_with('#');
    lines
        .filter(|(_, line)| is_opening(line))
        .map(|(number, line)| Opening::read(number, line).map_err(|error| (number, error)))
        .collect()
}

impl Opening {
    /// The initial position without moves, as line `line`.
    pub fn startpos(line: usize) -> Opening {
        Opening { line, setup: None, moves: Vec::new() }
    }

    fn read(line: usize, text: &str) -> Result<Opening, OpeningError> {
        let mut words: Vec<&str> = text.trim_start_matches('\u{feff}').split_whitespace().collect();
        if words.first() == Some(&"position") {
            words.remove(0);
        }
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(split);
        let (setup, mut position) = read_start(start).map_err(OpeningError::Sfen)?;
        let moves = play_all(&mut position, moves.get(1..).unwrap_or_default())?;
        if !position.has_legal_move() || position.repetition().is_some() {
            return Err(OpeningError::Over);
        }
        Ok(Opening { line, setup, moves })
    }

    /// The moves before the engines take over.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before the moves.
    pub fn start(&self) -> Position {
        match &self.setup {
            None => Position::startpos(),
            Some(setup) => Position::from_setup(setup).expect("checked when the opening was read"),
        }
    }

    /// The position where the engines take over, with its history.
    pub fn position(&self) -> Position {
        let mut position = self.start();
        for &mv in &self.moves {
            position.do_move(mv);
        }
        position
    }

    /// The `position` command of the position after these moves of the engines.
    pub fn position_command(&self, moves: impl IntoIterator<Item = Move>) -> String {
        let sfen = self.setup.as_ref().map(|setup| setup as &dyn fmt::Display);
        position_line(sfen, self.moves.iter().copied().chain(moves))
    }
}

impl fmt::Display for Opening {
    /// As a `position` command: `position startpos moves 7g7f`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_command([]))
    }
}

fn read_start(words: &[&str]) -> Result<(Option<Setup>, Position), SfenError> {
    let sfen = match words {
        ["startpos"] => return Ok((None, Position::startpos())),
        ["sfen", sfen @ ..] | sfen => sfen.join(" "),
    };
    let position = Position::from_sfen(&sfen)?;
    Ok((Some(position.setup()), position))
}

fn play_all(position: &mut Position, words: &[&str]) -> Result<Vec<Move>, OpeningError> {
    let mut moves = Vec::with_capacity(words.len());
    for (i, &word) in words.iter().enumerate() {
        let mv = word.parse().map_err(|_| OpeningError::NoMove(i + 1, word.into()))?;
        position
            .try_play(mv)
            .map_err(|error| OpeningError::IllegalMove(i + 1, word.into(), error))?;
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";

    fn read(text: &str) -> Result<Vec<Opening>, (usize, OpeningError)> {
        read_openings(text)
    }

    #[test]
    fn every_form_of_a_line_is_read_and_written_as_a_command() {
        let forms = [
            ("startpos", "position startpos".to_string()),
            ("startpos moves", "position startpos".into()),
            ("startpos moves 7g7f 3c3d", "position startpos moves 7g7f 3c3d".into()),
            ("position startpos moves 7g7f", "position startpos moves 7g7f".into()),
            (SFEN, format!("position sfen {SFEN}")),
            (&format!("sfen {SFEN} moves 3c3d"), format!("position sfen {SFEN} moves 3c3d")),
            (&format!("position  sfen\t{SFEN}"), format!("position sfen {SFEN}")),
        ];
        for (text, command) in forms {
            let openings = read(text).unwrap();
            assert_eq!(openings.len(), 1, "{text}");
            assert_eq!(openings[0].to_string(), command);
        }
    }

    #[test]
    fn lines_keep_their_numbers_and_comments_and_empty_lines_are_skipped() {
        let text = format!("\u{feff}startpos\r\n# two\r\n\r\n  {SFEN}\r\n");
        let lines: Vec<usize> = read(&text).unwrap().iter().map(|opening| opening.line).collect();
        assert_eq!(lines, [1, 4]);
    }

    #[test]
    fn an_opening_position_has_its_moves_in_its_history() {
        let openings = read("startpos moves 7g7f 3c3d 8h2b+").unwrap();
        let position = openings[0].position();
        assert_eq!(position.game_ply(), 4);
        assert_eq!(position.history().collect::<Vec<_>>(), openings[0].moves());
    }

    /// Regression: with such a file, `selfplay generate` started all games from the initial position.
    #[test]
    fn a_file_without_an_opening_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        std::fs::write(&path, "# none\n\n").unwrap();
        let expected = format!("{}: there is no opening in it", path.display());
        assert_eq!(load_openings(&path), Err(expected));
    }

    #[test]
    fn invalid_lines_are_reported_with_the_reason() {
        let fault = |text: &str| read(&format!("startpos\n{text}")).unwrap_err();
        assert_eq!(fault("startpos moves 7g7"), (2, OpeningError::NoMove(1, "7g7".into())));
        let illegal = OpeningError::IllegalMove(2, "7f7e".into(), IllegalMove::OpponentsPiece);
        assert_eq!(fault("startpos moves 7g7f 7f7e"), (2, illegal));
        assert!(matches!(fault("startpos 7g7f"), (2, OpeningError::Sfen(_))));
        assert!(matches!(fault("sfen 9/9 b - 1"), (2, OpeningError::Sfen(_))));
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        assert_eq!(fault(mated), (2, OpeningError::Over));
    }
}
