//! A game and its encoding.

use std::fmt;

use crate::position::packed::{self, PackError, PackedFormat, PackedPosition, UnpackError};
use crate::position::{Setup, sfen};
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Color, Move, Score};
use crate::usi_client::EngineFaultKind;

/// A whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredGame {
    /// The position before the first move.
    pub start: Setup,
    /// All moves, including the opening; at most [`ScoredGame::MAX_PLIES`] can be written.
    pub plies: Vec<GameMove>,
    pub end: GameEnd,
}

/// A move of a game with its score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GameMove {
    mv: Move,
    /// A score, or [`NO_SCORE`].
    score: i16,
    is_best: bool,
}

/// The score in a file for a position that was not searched.
const NO_SCORE: i16 = i16::MIN;
/// Flag for a move that was not the best move of the search. Move codes leave this bit free.
const NOT_BEST: u16 = 1 << 15;

impl GameMove {
    /// A move without a search: of an opening, or at random.
    pub const fn unsearched(mv: Move) -> GameMove {
        GameMove { mv, score: NO_SCORE, is_best: false }
    }

    /// A move with the score of a search of the position before it, for the side to move. `is_best`
    /// says whether the best move of the search was played.
    pub fn searched(mv: Move, score: Score, is_best: bool) -> GameMove {
        let score = score.0.clamp(-Score::MATE.0, Score::MATE.0) as i16;
        GameMove { mv, score, is_best }
    }

    pub const fn mv(self) -> Move {
        self.mv
    }

    /// The score of the position before the move, for the side to move.
    pub const fn score(self) -> Option<Score> {
        if self.score == NO_SCORE { None } else { Some(Score(self.score as i32)) }
    }

    /// Whether this was the best move of the search.
    pub const fn is_best(self) -> bool {
        self.is_best
    }

    /// Removes the score.
    pub const fn remove_score(&mut self) {
        self.score = NO_SCORE;
    }

    fn code(self) -> u16 {
        self.mv.bits() | if self.is_best { 0 } else { NOT_BEST }
    }

    fn from_codes(code: u16, score: i16) -> Option<GameMove> {
        let known =
            score == NO_SCORE || (-Score::MATE.0..=Score::MATE.0).contains(&i32::from(score));
        let mv = Move::from_bits(code & !NOT_BEST).filter(|_| known)?;
        Some(GameMove { mv, score, is_best: code & NOT_BEST == 0 })
    }
}

impl fmt::Debug for GameMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.mv, if self.is_best { "" } else { "?" })?;
        self.score().map_or(Ok(()), |score| write!(f, " ({})", score.0))
    }
}

/// The codes of the game ends.
pub(super) const END_REASONS: [(u8, GameEndReason); GameEndReason::ALL.len()] = [
    (1, GameEndReason::Resign),
    (2, GameEndReason::NoMove),
    (3, GameEndReason::Declaration),
    (4, GameEndReason::Try),
    (5, GameEndReason::Sennichite),
    (6, GameEndReason::PerpetualCheck),
    (7, GameEndReason::MaxMoves),
    (8, GameEndReason::Adjudication),
    (9, GameEndReason::TimeLoss),
    (10, GameEndReason::IllegalMove),
    (11, GameEndReason::FalseDeclaration),
    (12, GameEndReason::Fault(EngineFaultKind::Crash)),
    (13, GameEndReason::Fault(EngineFaultKind::Hang)),
    (14, GameEndReason::Fault(EngineFaultKind::Protocol)),
];

/// Why a game cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFormatError {
    TooManyPlies(usize),
    /// The start position cannot be packed.
    Unpackable(PackError),
    /// The bytes end within the game.
    Truncated,
    /// An unknown code of a result, a reason or a kind of start.
    Code(u8),
    Start(UnpackError),
    MoveNumber(u32),
    /// An invalid move or score at this ply, from 0.
    Ply(usize),
}

impl fmt::Display for GameFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFormatError::TooManyPlies(plies) => {
                write!(f, "{plies} plies, more than {}", ScoredGame::MAX_PLIES)
            }
            GameFormatError::Unpackable(error) => write!(f, "the start cannot be packed: {error}"),
            GameFormatError::Truncated => f.write_str("the bytes end within the game"),
            GameFormatError::Code(code) => write!(f, "the code {code} is unknown"),
            GameFormatError::Start(error) => write!(f, "the start: {error}"),
            GameFormatError::MoveNumber(number) => {
                write!(f, "the start has the move number {number}")
            }
            GameFormatError::Ply(ply) => write!(f, "ply {ply} has no move or no score"),
        }
    }
}

impl std::error::Error for GameFormatError {}

const STARTPOS_CODE: u8 = 0;
const PACKED_START: u8 = 1;

impl ScoredGame {
    pub const MAX_PLIES: usize = u16::MAX as usize;
    /// Upper bound of the size of a game in bytes.
    pub(super) const MAX_BYTES: usize = 5 + 36 + 4 * ScoredGame::MAX_PLIES;

    /// Number of positions with a score.
    pub fn scored(&self) -> usize {
        self.plies.iter().filter(|ply| ply.score().is_some()).count()
    }

    /// Appends the game to `bytes`, which stay unchanged after an error.
    pub(in crate::tools) fn write(&self, bytes: &mut Vec<u8>) -> Result<(), GameFormatError> {
        let plies = u16::try_from(self.plies.len());
        let plies = plies.map_err(|_| GameFormatError::TooManyPlies(self.plies.len()))?;
        let start = if self.start == Setup::startpos() {
            None
        } else {
            Some(
                packed::pack(&self.start, PackedFormat::Yaneuraou)
                    .map_err(GameFormatError::Unpackable)?,
            )
        };
        bytes.extend(plies.to_le_bytes());
        bytes.push(outcome_code(self.end.outcome));
        bytes.push(reason_code(self.end.reason));
        match start {
            None => bytes.push(STARTPOS_CODE),
            Some(packed) => {
                bytes.push(PACKED_START);
                bytes.extend(packed);
                bytes.extend(self.start.game_ply.to_le_bytes());
            }
        }
        self.plies.iter().for_each(|ply| bytes.extend(ply.code().to_le_bytes()));
        self.plies.iter().for_each(|ply| bytes.extend(ply.score.to_le_bytes()));
        Ok(())
    }

    /// Reads a game from the beginning of `bytes` and removes it from them. Does not check that the
    /// moves are legal; `Replay` does.
    pub(in crate::tools) fn read(bytes: &mut &[u8]) -> Result<ScoredGame, GameFormatError> {
        let plies = u16::from_le_bytes(take(bytes)?);
        let [outcome, reason, start] = take(bytes)?;
        let end = GameEnd {
            outcome: outcome_of(outcome).ok_or(GameFormatError::Code(outcome))?,
            reason: reason_of(reason).ok_or(GameFormatError::Code(reason))?,
        };
        let start = match start {
            STARTPOS_CODE => Setup::startpos(),
            PACKED_START => read_start(bytes)?,
            other => return Err(GameFormatError::Code(other)),
        };
        let plies = usize::from(plies);
        let (codes, rest) = bytes.split_at_checked(2 * plies).ok_or(GameFormatError::Truncated)?;
        let (scores, rest) = rest.split_at_checked(2 * plies).ok_or(GameFormatError::Truncated)?;
        *bytes = rest;
        let pairs = codes.as_chunks::<2>().0.iter().zip(scores.as_chunks::<2>().0).enumerate();
        // Not collected: the iterator has no exact size, so up to twice the memory would be reserved.
        let mut game = ScoredGame { start, plies: Vec::with_capacity(plies), end };
        for (ply, (&code, &score)) in pairs {
            let read = GameMove::from_codes(u16::from_le_bytes(code), i16::from_le_bytes(score));
            game.plies.push(read.ok_or(GameFormatError::Ply(ply))?);
        }
        Ok(game)
    }
}

fn read_start(bytes: &mut &[u8]) -> Result<Setup, GameFormatError> {
    let packed: PackedPosition = take(bytes)?;
    let mut setup =
        packed::unpack(&packed, PackedFormat::Yaneuraou).map_err(GameFormatError::Start)?;
    setup.game_ply = u32::from_le_bytes(take(bytes)?);
    if !(1..=sfen::MAX_MOVE_NUMBER).contains(&setup.game_ply) {
        return Err(GameFormatError::MoveNumber(setup.game_ply));
    }
    Ok(setup)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], GameFormatError> {
    let (&taken, rest) = bytes.split_first_chunk().ok_or(GameFormatError::Truncated)?;
    *bytes = rest;
    Ok(taken)
}

const fn outcome_code(outcome: GameOutcome) -> u8 {
    match outcome {
        GameOutcome::Draw => 0,
        GameOutcome::Win(Color::Black) => 1,
        GameOutcome::Win(Color::White) => 2,
    }
}

const fn outcome_of(code: u8) -> Option<GameOutcome> {
    match code {
        0 => Some(GameOutcome::Draw),
        1 => Some(GameOutcome::Win(Color::Black)),
        2 => Some(GameOutcome::Win(Color::White)),
        _ => None,
    }
}

fn reason_code(reason: GameEndReason) -> u8 {
    let row = END_REASONS.into_iter().find(|&(_, known)| known == reason);
    row.expect("every reason has a code").0
}

fn reason_of(code: u8) -> Option<GameEndReason> {
    END_REASONS.into_iter().find(|&(known, _)| known == code).map(|(_, reason)| reason)
}
