//! Books of ShogiGUI (`.sbk`), which are only read: states and the moves between them, in the wire
//! format of Protocol Buffers.
//!
//! Few states contain their position. The others are found by playing to them, from the start
//! position if the first state contains none either. So the whole file is read into memory.

mod wire;

use std::collections::{HashMap, HashSet, VecDeque};

use self::wire::{WireFields, WireValue};
use super::entry::{BookEntry, BookMove};
use super::error::BookError;
use super::losses::unusable_moves;
use super::memory_book::MemoryBook;
use super::validation::BookSummary;
use crate::position::{Position, Setup};
use crate::types::language::localized;
use crate::types::message::{Message, counted, message};
use crate::types::{Move, PieceKind, Square};

/// The fields of a book: author, description, states.
const STATES: u32 = 3;
const BOOK_FIELDS: std::ops::RangeInclusive<u32> = 1..=3;
/// The annotations of moves.
const FORCED: i32 = 1;
const GOOD: i32 = 2;
const DOUBTFUL: i32 = 3;
const BLUNDER: i32 = 4;

/// Whether a file looks like such a book: it has only fields of a book.
pub(super) fn matches(bytes: &[u8]) -> bool {
    let is_known = |field: Result<wire::WireField<'_>, usize>| match field {
        Ok((number, WireValue::Bytes(_))) => BOOK_FIELDS.contains(&number),
        _ => false,
    };
    !bytes.is_empty() && WireFields::of(bytes).all(is_known)
}

/// A book in memory.
#[derive(Debug)]
pub(super) struct SbkBook {
    entries: MemoryBook,
    losses: SbkLosses,
}

impl SbkBook {
    /// See [`Book::look_up`](super::Book::look_up).
    pub(super) fn look_up(&self, setup: &Setup, ply: Option<u32>) -> Option<BookEntry> {
        self.entries.look_up(setup, ply)
    }

    /// See [`Book::for_each`](super::Book::for_each).
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Setup, BookEntry)) -> Vec<Message> {
        self.entries.positions().for_each(|(setup, entry)| visit(&setup, entry.clone()));
        self.losses.messages()
    }
}

/// The number of parts of the file of each kind that entries do not hold.
#[derive(Debug, Default)]
struct SbkLosses {
    /// The author and the description of the book.
    texts: u64,
    comments: u64,
    /// Evaluations of positions.
    evals: u64,
    /// Positions with their number of games and of wins.
    game_counts: u64,
    /// Marks of forced and of good moves.
    marks: u64,
}

impl SbkLosses {
    fn add(&mut self, state: &SbkState<'_>) {
        let is_marked = |mv: &&SbkMove| matches!(mv.annotation, FORCED | GOOD);
        self.comments += u64::from(state.has_comment);
        self.evals += state.evals;
        self.game_counts += u64::from(state.has_game_counts);
        self.marks += state.moves.iter().filter(is_marked).count() as u64;
    }

    /// A message for each kind.
    fn messages(&self) -> Vec<Message> {
        let lost = |count: u64, one: &str, many: &str, ja: &str| {
            let what = if count == 1 { one } else { many };
            (count > 0).then(|| message!("{count} {what} left out", "{ja}を省きました：{count}"))
        };
        [
            lost(self.texts, "text about the book", "texts about the book", "定跡の作者や説明"),
            lost(self.comments, "comment", "comments", "コメント"),
            lost(self.evals, "evaluation of a position", "evaluations of positions", "評価値"),
            lost(self.game_counts, "game count", "game counts", "対局数と勝数"),
            lost(self.marks, "mark of a good move", "marks of good moves", "好手や絶対手の印"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A state of the file.
#[derive(Debug, Default)]
struct SbkState<'a> {
    id: i32,
    position: Option<&'a [u8]>,
    moves: Vec<SbkMove>,
    has_game_counts: bool,
    has_comment: bool,
    /// Number of evaluations of the position.
    evals: u64,
}

/// A move from one state to another.
#[derive(Clone, Copy, Debug)]
struct SbkMove {
    mv: Option<Move>,
    annotation: i32,
    weight: i32,
    next: i32,
}

/// Reads a book, without the moves marked as doubtful or as blunders.
///
/// # Errors
/// If a field cannot be read, or no state has a known position.
pub(super) fn read(bytes: &[u8]) -> Result<(SbkBook, BookSummary), BookError> {
    let broken = |offset| BookError::Sbk {
        offset,
        what: localized("invalid field", "不正なフィールド"),
    };
    // The start and end of each state, by its id.
    let mut ranges: HashMap<i32, (usize, usize)> = HashMap::new();
    let mut open: VecDeque<(i32, Setup)> = VecDeque::new();
    // The id of the first state, if it does not contain its position.
    let mut first: Option<Option<i32>> = None;
    let mut losses = SbkLosses::default();
    let mut fields = WireFields::of(bytes);
    while let Some(field) = fields.next() {
        let (number, WireValue::Bytes(content)) = field.map_err(broken)? else { continue };
        if number != STATES {
            losses.texts += u64::from(!content.is_empty());
            continue;
        }
        let start = fields.at - content.len();
        let state = read_state(content).map_err(|offset| broken(start + offset))?;
        losses.add(&state);
        ranges.entry(state.id).or_insert((start, fields.at));
        first.get_or_insert(state.position.is_none().then_some(state.id));
        open.extend(state.position.and_then(setup_of).map(|setup| (state.id, setup)));
    }
    let has_positions = !open.is_empty();
    let (seen, linked) = (HashSet::new(), HashSet::new());
    let mut walk = StateWalk { bytes, ranges, seen, linked, left_out: 0, unusable: 0 };
    let mut entries = MemoryBook::default();
    walk.follow(open, &mut entries);
    if let Some(id) = first.flatten().filter(|&id| walk.can_be_startpos(id)) {
        walk.follow(VecDeque::from([(id, Setup::startpos())]), &mut entries);
    } else if !has_positions {
        let what = localized(
            "no state of the book has a known position",
            "局面を特定できるデータがありません",
        );
        return Err(BookError::Sbk { offset: 0, what });
    }
    let mut notes = Vec::new();
    let lost = walk.ranges.len() - walk.seen.len();
    if lost > 0 {
        let states = counted(lost as u64, "state");
        notes.push(message!(
            "{states} that no move leads to left out",
            "どの手順でもたどり着けない{lost}局面を省きました"
        ));
    }
    if walk.left_out > 0 {
        let left_out = walk.left_out;
        let moves = counted(left_out, "move");
        notes.push(message!(
            "{moves} with the mark of a doubtful move or a blunder left out",
            "疑問手か悪手の印のある{left_out}手を省きました"
        ));
    }
    notes.extend(unusable_moves(walk.unusable));
    let summary = BookSummary { notes, ..entries.summary() };
    Ok((SbkBook { entries, losses }, summary))
}

/// The walk through the states, along their moves.
struct StateWalk<'a> {
    bytes: &'a [u8],
    ranges: HashMap<i32, (usize, usize)>,
    seen: HashSet<i32>,
    /// States to which a move has led; each is followed once.
    linked: HashSet<i32>,
    /// Moves marked as doubtful or as blunders.
    left_out: u64,
    /// Invalid and repeated moves.
    unusable: u64,
}

impl StateWalk<'_> {
    /// Adds states whose positions are known, and all states reachable from them.
    fn follow(&mut self, mut open: VecDeque<(i32, Setup)>, book: &mut MemoryBook) {
        while let Some((id, setup)) = open.pop_front() {
            self.visit(id, &setup, book, &mut open);
        }
    }

    /// Whether no move has led to a state and all its moves are legal in the initial position.
    /// ShogiGUI's converter leaves out the position of the first state where it is the initial
    /// position.
    fn can_be_startpos(&self, id: i32) -> bool {
        let range = self.ranges.get(&id).filter(|_| !self.seen.contains(&id));
        let state = range.and_then(|&(start, end)| read_state(&self.bytes[start..end]).ok());
        let position = Position::startpos();
        let is_legal = |sbk_move: &SbkMove| sbk_move.mv.is_some_and(|mv| position.is_legal(mv));
        state.is_some_and(|state| !state.moves.is_empty() && state.moves.iter().all(is_legal))
    }

    /// Adds a state with its position, and finds the positions of the states that it leads to.
    fn visit(
        &mut self,
        id: i32,
        setup: &Setup,
        book: &mut MemoryBook,
        open: &mut VecDeque<(i32, Setup)>,
    ) {
        if self.seen.contains(&id) {
            return;
        }
        let Some(&(start, end)) = self.ranges.get(&id) else { return };
        let Ok(mut position) = Position::from_setup(setup) else { return };
        let Ok(state) = read_state(&self.bytes[start..end]) else { return };
        self.seen.insert(id);
        let mut entry = BookEntry { ply: Some(setup.game_ply), moves: Vec::new() };
        for sbk_move in state.moves {
            let Some(mv) = sbk_move.mv else {
                self.unusable += 1;
                continue;
            };
            if sbk_move.annotation == DOUBTFUL || sbk_move.annotation == BLUNDER {
                self.left_out += 1;
            } else {
                let count = u64::try_from(sbk_move.weight).ok().filter(|&weight| weight > 0);
                self.unusable += u64::from(!entry.add(BookMove { count, ..BookMove::new(mv) }));
            }
            if !self.linked.contains(&sbk_move.next) && position.try_play(mv).is_ok() {
                self.linked.insert(sbk_move.next);
                open.push_back((sbk_move.next, position.setup()));
                position.undo_move(mv);
            }
        }
        if !entry.moves.is_empty() {
            book.merge(setup, entry);
        }
    }
}

fn setup_of(text: &[u8]) -> Option<Setup> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.strip_prefix("position ").unwrap_or(text);
    let text = text.strip_prefix("sfen ").unwrap_or(text);
    if text == "startpos" { Some(Setup::startpos()) } else { text.parse().ok() }
}

/// # Errors
/// The offset in the state where it cannot be read.
fn read_state(bytes: &[u8]) -> Result<SbkState<'_>, usize> {
    let mut state = SbkState::default();
    let mut fields = WireFields::of(bytes);
    while let Some(field) = fields.next() {
        match field? {
            (1, value) => state.id = value.int32(),
            (4..=6, value) => state.has_game_counts |= value.int32() > 0,
            (7, WireValue::Bytes(text)) if !text.is_empty() => state.position = Some(text),
            (8, WireValue::Bytes(text)) => state.has_comment |= !text.is_empty(),
            (9, WireValue::Bytes(content)) => {
                let start = fields.at - content.len();
                state.moves.push(read_move(content).map_err(|offset| start + offset)?);
            }
            (10, WireValue::Bytes(_)) => state.evals += 1,
            _ => {}
        }
    }
    Ok(state)
}

fn read_move(bytes: &[u8]) -> Result<SbkMove, usize> {
    let mut sbk_move = SbkMove { mv: None, annotation: 0, weight: 0, next: 0 };
    for field in WireFields::of(bytes) {
        match field? {
            (1, value) => sbk_move.mv = move_of(value.int32() as u32),
            (2, value) => sbk_move.annotation = value.int32(),
            (3, value) => sbk_move.weight = value.int32(),
            (4, value) => sbk_move.next = value.int32(),
            _ => {}
        }
    }
    Ok(sbk_move)
}

/// A move of 32 bits: ranks and files from 1, both 0 for the origin of a drop; promotion in bit 19;
/// the dropped kind from bit 24 on.
fn move_of(word: u32) -> Option<Move> {
    let nibble = |shift: u32| (word >> shift & 15) as u8;
    let square = |rank: u8, file: u8| {
        let is_on_board = (1..=9).contains(&rank) && (1..=9).contains(&file);
        is_on_board.then(|| Square::new(file - 1, rank - 1))
    };
    let to = square(nibble(8), nibble(12))?;
    let mv = if nibble(0) == 0 && nibble(4) == 0 {
        use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
        const KINDS: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];
        let kind = usize::from(nibble(24)).checked_sub(1)?;
        Move::drop(*KINDS.get(kind)?, to)
    } else {
        Move::board(square(nibble(0), nibble(4))?, to, word >> 19 & 1 != 0)
    };
    Move::from_bits(mv.bits())
}

#[cfg(test)]
mod tests;
