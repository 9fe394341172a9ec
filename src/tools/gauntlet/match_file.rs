//! The file of a match: a header, then one line a game. It makes a match readable and resumable.
//!
//! The header lines begin with `#` and name everything that the games depend on; a file with another
//! header belongs to another match and is rejected. A game is words `key=value` followed by the whole
//! game as a `position` command.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::elo::Pentanomial;
use super::search_stats::EngineSearchStats;
use super::time_control::TimeControl;
use crate::tools::files::{FileLock, HeaderMismatch, append_whole, check_header, with_suffix};
use crate::tools::referee::{GameEnd, GameEndReason};
use crate::types::{ByColor, Color};
use crate::usi_client::EngineFaultKind;

/// A line of the file: one game.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchGameLine {
    /// Number in the schedule, from 0.
    pub number: usize,
    /// Line of the opening in its file, from 1.
    pub opening: usize,
    pub names: ByColor<String>,
    pub end: GameEnd,
    /// Number of moves, including the opening.
    pub plies: usize,
    pub stats: ByColor<EngineSearchStats>,
    /// Engine faults after the end of the game.
    pub late_faults: Vec<(Color, EngineFaultKind)>,
    /// The `position` command of the last position.
    pub position: String,
}

/// Why a line is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchLineError {
    /// No `position` command.
    NoPosition,
    Missing(&'static str),
    Bad(&'static str),
}

impl fmt::Display for MatchLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchLineError::NoPosition => f.write_str("no `position` in it"),
            MatchLineError::Missing(key) => write!(f, "`{key}` is missing"),
            MatchLineError::Bad(key) => write!(f, "`{key}` is not valid"),
        }
    }
}

impl std::error::Error for MatchLineError {}

impl fmt::Display for MatchGameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = (&self.names[Color::Black], &self.names[Color::White]);
        write!(f, "game={} opening={} black={black} white={white}", self.number, self.opening)?;
        write!(f, " result={} reason={}", self.end.outcome, self.end.reason)?;
        write!(f, " plies={}", self.plies)?;
        write!(f, " black_used={}", self.stats[Color::Black])?;
        write!(f, " white_used={}", self.stats[Color::White])?;
        for (color, kind) in &self.late_faults {
            write!(f, " late={}:{kind}", color.name())?;
        }
        write!(f, " {}", self.position)
    }
}

impl std::str::FromStr for MatchGameLine {
    type Err = MatchLineError;

    fn from_str(line: &str) -> Result<MatchGameLine, MatchLineError> {
        let split = line.find(" position ").ok_or(MatchLineError::NoPosition)?;
        let (header, position) = line.split_at(split);
        let words: Vec<(&str, &str)> =
            header.split_whitespace().filter_map(|word| word.split_once('=')).collect();
        let late_faults = words.iter().filter(|(key, _)| *key == "late");
        let late_faults: Option<_> = late_faults.map(|(_, value)| read_late_fault(value)).collect();
        let fields = Fields(words.iter().copied().collect());
        Ok(MatchGameLine {
            number: fields.read("game")?,
            opening: fields.read("opening")?,
            names: ByColor([fields.read("black")?, fields.read("white")?]),
            end: GameEnd { outcome: fields.read("result")?, reason: fields.read("reason")? },
            plies: fields.read("plies")?,
            stats: ByColor([fields.read("black_used")?, fields.read("white_used")?]),
            late_faults: late_faults.ok_or(MatchLineError::Bad("late"))?,
            position: position.trim().into(),
        })
    }
}

/// The words of a line by their keys.
struct Fields<'a>(HashMap<&'a str, &'a str>);

impl Fields<'_> {
    fn read<T: std::str::FromStr>(&self, key: &'static str) -> Result<T, MatchLineError> {
        let value = self.0.get(key).ok_or(MatchLineError::Missing(key))?;
        value.parse().map_err(|_| MatchLineError::Bad(key))
    }
}

fn read_late_fault(text: &str) -> Option<(Color, EngineFaultKind)> {
    let (color, kind) = text.split_once(':')?;
    let color = Color::ALL.into_iter().find(|&known| known.name() == color)?;
    match kind.parse().ok()? {
        GameEndReason::Fault(kind) => Some((color, kind)),
        _ => None,
    }
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum MatchFileError {
    Io(io::Error),
    OtherMatch(HeaderMismatch),
    /// The line with this number, from 1, is invalid.
    BadLine(usize, MatchLineError),
}

impl fmt::Display for MatchFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchFileError::Io(error) => error.fmt(f),
            MatchFileError::OtherMatch(other) => {
                write!(f, "it belongs to another match; {other}")
            }
            MatchFileError::BadLine(number, error) => write!(f, "line {number}: {error}"),
        }
    }
}

impl std::error::Error for MatchFileError {}

impl From<io::Error> for MatchFileError {
    fn from(error: io::Error) -> MatchFileError {
        MatchFileError::Io(error)
    }
}

/// The file of a match, open for appending.
#[derive(Debug)]
pub struct MatchFile {
    file: File,
    _lock: FileLock,
}

impl MatchFile {
    /// Opens or creates the file of the match with these header lines (without `#`). Returns the
    /// games in it. An incomplete header is completed, and an incomplete line at the end removed.
    ///
    /// # Errors
    /// If it belongs to another match, is invalid, or cannot be written.
    pub fn open(
        path: &Path,
        header: &[String],
    ) -> Result<(MatchFile, Vec<MatchGameLine>), MatchFileError> {
        let _lock = FileLock::take(with_suffix(path, ".lock"))?;
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let head: String = header.iter().map(|line| format!("# {line}\n")).collect();
        if text.len() < head.len() && head.starts_with(&text) {
            // Empty, or cut off within the header.
            file.rewind()?;
            append_whole(&mut file, head.as_bytes())?;
            return Ok((MatchFile { file, _lock }, Vec::new()));
        }
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let games = read_match(&text[..whole], header)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((MatchFile { file, _lock }, games))
    }

    /// Appends a game, in one write.
    ///
    /// # Errors
    /// If it cannot be written. Then a partly written line is removed.
    pub fn add(&mut self, game: &MatchGameLine) -> io::Result<()> {
        append_whole(&mut self.file, format!("{game}\n").as_bytes())
    }
}

/// The name and time control of an engine in the header.
pub type MatchEntrant = (String, TimeControl);

/// The content of a match file, read without the configuration of its match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    pub engines: Vec<MatchEntrant>,
    /// Pairs of the match that were played elsewhere.
    pub earlier_pairs: Pentanomial,
    pub games: Vec<MatchGameLine>,
}

/// Reads any match file.
///
/// # Errors
/// An invalid line. An incomplete line at the end is ignored.
pub fn read_match_file(text: &str) -> Result<MatchRecord, MatchFileError> {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let (header, games) = split_head(&text[..whole]);
    Ok(MatchRecord {
        engines: header.iter().filter_map(|line| read_entrant(line)).collect(),
        earlier_pairs: header.iter().find_map(|line| read_earlier_pairs(line)).unwrap_or_default(),
        games: read_games(&games)?,
    })
}

fn read_earlier_pairs(line: &str) -> Option<Pentanomial> {
    line.strip_prefix("earlier pairs=[")?.strip_suffix(']')?.parse().ok()
}

fn read_entrant(line: &str) -> Option<MatchEntrant> {
    let text = line.strip_prefix("engine name=")?;
    let name = text.split_whitespace().next()?;
    // In the description of an engine, free text comes before the limits and never after them.
    let limits = text.rsplit_once(" margin=").map_or("", |(before, _)| before);
    Some((name.into(), TimeControl::at_end_of(limits)))
}

fn read_match(text: &str, header: &[String]) -> Result<Vec<MatchGameLine>, MatchFileError> {
    let (found, games) = split_head(text);
    check_header(found, header).map_err(MatchFileError::OtherMatch)?;
    read_games(&games)
}

/// The header lines without `#`, and the numbered lines after them.
fn split_head(text: &str) -> (Vec<&str>, Vec<(usize, &str)>) {
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().map(|(i, line)| (i + 1, line)).collect();
    let split = lines.iter().position(|(_, line)| !line.starts_with('#')).unwrap_or(lines.len());
    let header = lines[..split].iter().map(|(_, line)| line.trim_start_matches(['#', ' ']));
    (header.collect(), lines[split..].to_vec())
}

fn read_games(lines: &[(usize, &str)]) -> Result<Vec<MatchGameLine>, MatchFileError> {
    let lines = lines.iter().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| line.parse().map_err(|error| MatchFileError::BadLine(*number, error)))
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use tempfile::tempdir;

    use super::super::engine_spec::{SpecDefaults, read_spec};
    use super::*;
    use crate::tools::referee::GameOutcome;

    /// A game of these engines with this result.
    pub(in super::super) fn line(
        number: usize,
        names: [&str; 2],
        outcome: GameOutcome,
    ) -> MatchGameLine {
        MatchGameLine {
            number,
            opening: 7,
            names: ByColor(names.map(String::from)),
            end: GameEnd { outcome, reason: GameEndReason::Resign },
            plies: 2,
            stats: ByColor::default(),
            late_faults: Vec::new(),
            position: "position startpos moves 7g7f 3c3d".into(),
        }
    }

    fn header() -> Vec<String> {
        vec!["match 1".into(), "engine name=a".into()]
    }

    #[test]
    fn a_line_reads_back() {
        let mut game = line(12, ["new", "old"], GameOutcome::Win(Color::White));
        game.stats[Color::White] = "1,2,3,4,5,6,7,8,9".parse().unwrap();
        game.late_faults =
            vec![(Color::Black, EngineFaultKind::Hang), (Color::White, EngineFaultKind::Crash)];
        let text = game.to_string();
        assert_eq!(text.parse(), Ok(game));
        assert!(text.starts_with("game=12 opening=7 black=new white=old result=0-1 reason=resign"));
    }

    #[test]
    fn invalid_lines_of_a_match_file_are_refused() {
        let good = line(0, ["a", "b"], GameOutcome::Draw).to_string();
        let read = |text: String| text.parse::<MatchGameLine>().unwrap_err();
        assert_eq!(read(good.replace("position", "pos")), MatchLineError::NoPosition);
        assert_eq!(read(good.replace("game=0", "")), MatchLineError::Missing("game"));
        assert_eq!(read(good.replace("1/2", "2-0")), MatchLineError::Bad("result"));
        assert_eq!(
            read(good.replace("plies=2", "plies=2 late=black")),
            MatchLineError::Bad("late")
        );
    }

    #[test]
    fn a_match_resumes_even_if_its_file_ends_in_the_middle_of_a_line() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("match");
        let games =
            [line(0, ["a", "b"], GameOutcome::Draw), line(1, ["b", "a"], GameOutcome::Draw)];
        let (mut match_file, played) = MatchFile::open(&path, &header()).unwrap();
        assert_eq!(played, []);
        match_file.add(&games[0]).unwrap();
        append_whole(&mut match_file.file, b"game=1 opening=7 black=b whi").unwrap();
        drop(match_file);
        let (mut match_file, played) = MatchFile::open(&path, &header()).unwrap();
        assert_eq!(played, games[..1]);
        match_file.add(&games[1]).unwrap();
        drop(match_file);
        let (_, played) = MatchFile::open(&path, &header()).unwrap();
        assert_eq!(played, games);
    }

    /// Regression: the file was taken for that of another match.
    #[test]
    fn a_match_begins_even_if_its_file_ends_in_the_middle_of_the_header() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("match");
        let head = "# match 1\n# engine name=a\n";
        for end in 0..head.len() {
            std::fs::write(&path, &head[..end]).unwrap();
            let (match_file, played) = MatchFile::open(&path, &header()).unwrap();
            assert_eq!(played, []);
            drop(match_file);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), head, "{end} bytes");
        }
    }

    /// Regression: the same match started twice overwrote its own games.
    #[test]
    fn a_match_file_is_written_by_one_match_at_a_time() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("match");
        let (match_file, _) = MatchFile::open(&path, &header()).unwrap();
        let error = MatchFile::open(&path, &header()).unwrap_err();
        assert_eq!(error.to_string(), "another process writes it");
        drop(match_file);
        drop(MatchFile::open(&path, &header()).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no lock stays");
    }

    #[test]
    fn the_file_of_another_match_is_refused_and_left_as_it_is() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("match");
        drop(MatchFile::open(&path, &header()).unwrap());
        let before = std::fs::read_to_string(&path).unwrap();
        let others: [&[String]; 2] = [&["match 1".into(), "engine name=b".into()], &header()[..1]];
        for other in others {
            let error = MatchFile::open(&path, other).unwrap_err();
            assert!(matches!(error, MatchFileError::OtherMatch(_)), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        for diary in ["Dear diary,\n", "Dear diary,"] {
            std::fs::write(&path, diary).unwrap();
            MatchFile::open(&path, &header()).unwrap_err();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), diary);
        }
    }

    #[test]
    fn a_match_file_is_read_without_knowing_its_match() {
        let game = line(0, ["a", "b"], GameOutcome::Draw);
        let b = read_spec("name=b cmd='x time=9' inc=10 time=1000", &SpecDefaults::default());
        let b = b.unwrap();
        let text =
            format!("# match 1\n# engine name=a x=1\n# engine {b} files=\n{game}\ngame=1 op");
        let record = read_match_file(&text).unwrap();
        let expected = [("a", TimeControl::default()), ("b", b.control)];
        assert_eq!(record.engines, expected.map(|(name, control)| (name.to_string(), control)));
        assert_eq!(record.earlier_pairs, Pentanomial::default());
        assert_eq!(record.games, [game]);
        let error = read_match_file("# match 1\n\nDear diary,\n").unwrap_err();
        assert!(matches!(error, MatchFileError::BadLine(3, MatchLineError::NoPosition)), "{error}");
    }
}
