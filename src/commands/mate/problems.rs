//! Reading mate problems: lists with a position in each line, and records in any notation.

use std::io;
use std::path::{Path, PathBuf};

use kawasemi::position::{Position, Setup};
use kawasemi::record::{
    ErrorPolicy, GameRecord, NodeId, RecordError, RecordFormat, decode, detect, read_bytes,
};
use kawasemi::tsume;
use kawasemi::types::message::{Message, message};
use kawasemi::types::{Move, archive_format, excerpt, printable};

use super::written_problem::ProblemInfo;
use crate::commands::arguments;
use crate::commands::failure::Failure;
use crate::commands::games::{self, WarningNotices};
use crate::commands::notice::{file_error, notify};

/// Why a file of problems is refused.
#[derive(Debug)]
enum ProblemFileError {
    Unreadable(io::Error),
    Record(RecordError),
    Empty,
    NotAPosition {
        line: usize,
        error: Message,
    },
    NotALength {
        line: usize,
        /// An excerpt.
        text: String,
    },
    /// By the number of the problem.
    NoKing(usize),
    /// By the line of a list, which has moves.
    NoKingAfterMoves(usize),
}

impl ProblemFileError {
    /// The error in every language.
    fn message(&self) -> Message {
        match self {
            ProblemFileError::Unreadable(error) => error.into(),
            ProblemFileError::Record(error) => error.message(),
            ProblemFileError::Empty => message!(
                "the file has no problems (lines with an SFEN, or game records)",
                "ファイルに問題（SFENの行か棋譜）がありません"
            ),
            ProblemFileError::NotAPosition { line, error } => message!(
                "line {line}: no valid SFEN or USI position: {}",
                "{line}行目：SFENまたはUSIの局面として正しくありません：{}";
                error
            ),
            ProblemFileError::NotALength { line, text } => message!(
                "line {line}: expected a length in plies or ?, not \"{text}\"",
                "{line}行目：手数か「?」が必要です。「{text}」は読めません"
            ),
            ProblemFileError::NoKing(number) => message!(
                "problem {number}: the defender, who is not to move, has no king",
                "問題{number}：玉方（手番でない側）に玉がありません"
            ),
            ProblemFileError::NoKingAfterMoves(line) => message!(
                "line {line}: after the moves the defender, who is not to move, has no king; give \
                 the problem as a record (.kif) if they are its solution",
                "{line}行目：指し手の後の玉方（手番でない側）に玉がありません。\
                 指し手が作意なら、問題を棋譜（.kif）で渡してください"
            ),
        }
    }
}

/// A problem, with the solution that its source gives.
pub struct MateProblem {
    /// The line of a list, or the number of the game in a file of records.
    pub number: usize,
    /// The file, if there are several, without control characters, because it goes to terminals.
    pub file: Option<String>,
    pub info: ProblemInfo,
    start: ProblemStart,
    pub given: GivenSolution,
}

enum ProblemStart {
    /// As text, which takes little memory: a file may have a million.
    Text(String),
    Setup(Box<Setup>),
}

/// What the source of a problem says of its solution.
pub enum GivenSolution {
    Nothing,
    /// The length of the mate in plies.
    Length(usize),
    /// The recorded solution (作意), which by custom leaves out futile interpositions.
    Recorded(Vec<Move>),
}

impl GivenSolution {
    pub fn plies(&self) -> Option<usize> {
        match self {
            GivenSolution::Nothing => None,
            GivenSolution::Length(plies) => Some(*plies),
            GivenSolution::Recorded(moves) => Some(moves.len()),
        }
    }

    /// The recorded solution, empty if there is none.
    pub fn recorded(&self) -> &[Move] {
        match self {
            GivenSolution::Recorded(moves) => moves,
            GivenSolution::Nothing | GivenSolution::Length(_) => &[],
        }
    }
}

impl MateProblem {
    pub fn position(&self) -> Result<Position, Failure> {
        match &self.start {
            ProblemStart::Text(text) => Ok(arguments::position(text)?),
            ProblemStart::Setup(setup) => Ok(Position::from_setup(setup)?),
        }
    }

    /// Gives the defender the pieces that are missing.
    pub fn fill_hand(&mut self) -> Result<(), Failure> {
        let full = tsume::with_full_hand(&self.position()?.setup());
        self.start = ProblemStart::Text(full.to_string());
        Ok(())
    }

    fn of_game(number: usize, game: &GameRecord) -> Result<MateProblem, ProblemFileError> {
        if lacks_king(&game.start_position()) {
            return Err(ProblemFileError::NoKing(number));
        }
        let moves: Vec<Move> = game.main_moves().collect();
        let root = game.node(NodeId::ROOT);
        Ok(MateProblem {
            number,
            file: None,
            info: ProblemInfo {
                headers: game.headers.clone(),
                comments: root.comments.clone(),
                remarks: root.remarks.clone(),
            },
            start: ProblemStart::Setup(Box::new(game.start().clone())),
            given: if moves.is_empty() {
                GivenSolution::Nothing
            } else {
                GivenSolution::Recorded(moves)
            },
        })
    }
}

/// Whether the side not to move, the defender, has no king: probably the wrong side is to move.
fn lacks_king(problem: &Position) -> bool {
    problem.king(!problem.side_to_move()).is_none()
}

/// Whether pieces are missing, which by custom the defender has in hand.
pub fn lacks_pieces(problem: &Position) -> bool {
    !problem.setup().missing_pieces().is_empty()
}

/// Tells how many problems lack pieces in the defender's hand, which is a frequent mistake.
pub fn tell_missing_pieces(count: usize) {
    if count > 0 {
        notify(&message!(
            "problems whose defender lacks pieces in hand: {count}; --fill-hand adds them",
            "玉方の持ち駒が足りない問題：{count}。--fill-handで補えます"
        ));
    }
}

/// Fails if any problems have a wrong length or solution.
pub fn reject_wrong(count: usize) -> Result<(), Failure> {
    match count {
        0 => Ok(()),
        wrong => Err(message!(
            "wrong lengths or solutions in the files: {wrong}",
            "ファイルの手数か作意が誤っている問題：{wrong}"
        )
        .into()),
    }
}

/// Reads the problems of all files; `-` is standard input.
pub fn read_all(files: &[PathBuf]) -> Result<Vec<MateProblem>, String> {
    let mut problems = Vec::new();
    for path in files {
        let mut read = read(path).map_err(|error| file_error(path, &error.message()))?;
        if files.len() > 1 {
            let name = printable(&*path.to_string_lossy()).into_owned();
            read.iter_mut().for_each(|problem| problem.file = Some(name.clone()));
        }
        problems.append(&mut read);
    }
    Ok(problems)
}

fn read(path: &Path) -> Result<Vec<MateProblem>, ProblemFileError> {
    let bytes = games::read_bytes(path).map_err(ProblemFileError::Unreadable)?;
    let (decoded, _) = decode(&bytes);
    let problems = match detect(&decoded) {
        // A list may have remarks in any encoding.
        None | Some(RecordFormat::Usi | RecordFormat::Sfen) if archive_format(&bytes).is_none() => {
            of_list(&decoded)?
        }
        _ => {
            let read = read_bytes(&bytes, None, ErrorPolicy::Refuse);
            let (_, read) = read.map_err(ProblemFileError::Record)?;
            let mut warnings = WarningNotices::new(path);
            read.warnings.iter().for_each(|warning| warnings.add(warning));
            warnings.finish();
            let games = read.games.iter().enumerate();
            let problems = games.map(|(index, game)| MateProblem::of_game(index + 1, game));
            problems.collect::<Result<Vec<_>, _>>()?
        }
    };
    if problems.is_empty() { Err(ProblemFileError::Empty) } else { Ok(problems) }
}

fn of_list(text: &str) -> Result<Vec<MateProblem>, ProblemFileError> {
    // A line ends with LF, also after CRs, or with CR alone: a problem has no comment of several lines.
    let lines = text.split('\n').flat_map(|line| line.trim_end_matches('\r').split('\r'));
    let lines = lines.enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(line, text)| of_line(line, text)).collect()
}

fn of_line(line: usize, text: &str) -> Result<MateProblem, ProblemFileError> {
    let mut columns = text.split('\t');
    let position = columns.next().unwrap_or_default();
    // An invalid file is refused before the long work.
    let problem = arguments::position(position)
        .map_err(|error| ProblemFileError::NotAPosition { line, error })?;
    if lacks_king(&problem) {
        let has_moves = position.split_whitespace().any(|word| word == "moves");
        return Err(if has_moves {
            ProblemFileError::NoKingAfterMoves(line)
        } else {
            ProblemFileError::NoKing(line)
        });
    }
    let given = match columns.next().map(str::trim) {
        None | Some("" | "?") => GivenSolution::Nothing,
        Some(text) => {
            let wrong = |_| ProblemFileError::NotALength { line, text: excerpt(text) };
            GivenSolution::Length(text.parse().map_err(wrong)?)
        }
    };
    let start = ProblemStart::Text(position.to_owned());
    Ok(MateProblem { number: line, file: None, info: ProblemInfo::default(), start, given })
}
