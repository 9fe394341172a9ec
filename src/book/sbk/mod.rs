//! Books of ShogiGUI (`.sbk`): states and the moves between them, in the wire format of Protocol
//! Buffers. Only read.
//!
//! Few states say what stands on the board; all others are found by playing to them, from the start of
//! a game where the first does not say it either. So the whole file is read, and its positions are
//! kept in memory.

mod wire;

use std::collections::{HashMap, HashSet, VecDeque};

use self::wire::{Fields, Value};
use super::BookSummary;
use super::entry::{BookEntry, BookMove};
use super::error::BookError;
use super::memory_book::MemoryBook;
use crate::position::{Position, Setup};
use crate::types::{Move, PieceKind, Square};

/// The fields of the book: its author, a description, and its states.
const STATES: u32 = 3;
const BOOK_FIELDS: std::ops::RangeInclusive<u32> = 1..=3;
/// What somebody has said of a move. (1 is forced and 2 is good.)
const DOUBTFUL: i32 = 3;
const BLUNDER: i32 = 4;

/// Whether a file may be one: all its fields are of those that a book has.
pub(super) fn may_be(bytes: &[u8]) -> bool {
    let is_known = |field: Result<wire::Field<'_>, usize>| match field {
        Ok((number, Value::Bytes(_))) => BOOK_FIELDS.contains(&number),
        _ => false,
    };
    !bytes.is_empty() && Fields::of(bytes).all(is_known)
}

/// A state as the file has it.
#[derive(Debug, Default)]
struct State<'a> {
    id: i32,
    position: Option<&'a [u8]>,
    moves: Vec<Link>,
}

/// A move from one state to another.
#[derive(Clone, Copy, Debug)]
struct Link {
    mv: Option<Move>,
    judgement: i32,
    weight: i32,
    next: i32,
}

/// Reads a book; moves that are called doubtful or blunders are left out.
///
/// # Errors
/// The place of what cannot be read, or that no state says what stands on the board and the first is
/// not the start of a game.
pub(super) fn read(bytes: &[u8]) -> Result<(MemoryBook, BookSummary), BookError> {
    let broken = |offset| BookError::Sbk { offset, what: "this is no field of a book" };
    // Where the states begin and end, by their numbers.
    let mut places: HashMap<i32, (usize, usize)> = HashMap::new();
    let mut open: VecDeque<(i32, Setup)> = VecDeque::new();
    // The first state, if it does not say what stands on the board.
    let mut first: Option<Option<i32>> = None;
    let mut fields = Fields::of(bytes);
    while let Some(field) = fields.next() {
        let (number, value) = field.map_err(broken)?;
        let (STATES, Value::Bytes(content)) = (number, value) else { continue };
        let start = fields.at - content.len();
        let state = read_state(content).map_err(|offset| broken(start + offset))?;
        places.entry(state.id).or_insert((start, fields.at));
        first.get_or_insert(state.position.is_none().then_some(state.id));
        open.extend(state.position.and_then(setup_of).map(|setup| (state.id, setup)));
    }
    let is_placed = !open.is_empty();
    let (seen, linked) = (HashSet::new(), HashSet::new());
    let mut walk = Walk { bytes, places, seen, linked, left_out: 0 };
    let mut book = MemoryBook::default();
    walk.follow(open, &mut book);
    if let Some(id) = first.flatten().filter(|&id| walk.may_begin_a_game(id)) {
        walk.follow(VecDeque::from([(id, Setup::startpos())]), &mut book);
    } else if !is_placed {
        let what = "no state of the book says what stands on the board";
        return Err(BookError::Sbk { offset: 0, what });
    }
    let mut notes = Vec::new();
    let lost = walk.places.len() - walk.seen.len();
    if lost > 0 {
        notes.push(format!("{lost} states that no move leads to are not kept"));
    }
    if walk.left_out > 0 {
        let left_out = walk.left_out;
        notes.push(format!("{left_out} moves that are called doubtful or blunders are left out"));
    }
    let summary = BookSummary { notes, ..book.summary() };
    Ok((book, summary))
}

struct Walk<'a> {
    bytes: &'a [u8],
    places: HashMap<i32, (usize, usize)>,
    seen: HashSet<i32>,
    /// States that a link has led to, so that a thousand links to one are gone once.
    linked: HashSet<i32>,
    left_out: u64,
}

impl Walk<'_> {
    /// Takes in states whose positions are known, and all that they lead to.
    fn follow(&mut self, mut open: VecDeque<(i32, Setup)>, book: &mut MemoryBook) {
        while let Some((id, setup)) = open.pop_front() {
            self.visit(id, &setup, book, &mut open);
        }
    }

    /// Whether nothing has led to a state, and all its moves can be played where a game begins. If the
    /// first state does not say what stands on the board, it is the start of a game, as ShogiGUI's
    /// converter writes it.
    fn may_begin_a_game(&self, id: i32) -> bool {
        let place = self.places.get(&id).filter(|_| !self.seen.contains(&id));
        let state = place.and_then(|&(start, end)| read_state(&self.bytes[start..end]).ok());
        let position = Position::startpos();
        let can_be_played = |link: &Link| link.mv.is_some_and(|mv| position.is_legal(mv));
        state.is_some_and(|state| !state.moves.is_empty() && state.moves.iter().all(can_be_played))
    }

    /// Takes in a state that is this position, and finds the positions of those it leads to.
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
        let Some(&(start, end)) = self.places.get(&id) else { return };
        let Ok(mut position) = Position::from_setup(setup) else { return };
        let Ok(state) = read_state(&self.bytes[start..end]) else { return };
        self.seen.insert(id);
        let mut entry = BookEntry { ply: Some(setup.ply), moves: Vec::new() };
        for link in state.moves {
            let Some(mv) = link.mv else { continue };
            if link.judgement == DOUBTFUL || link.judgement == BLUNDER {
                self.left_out += 1;
            } else {
                let count = u64::try_from(link.weight).ok().filter(|&weight| weight > 0);
                entry.add(BookMove { count, ..BookMove::bare(mv) });
            }
            if !self.linked.contains(&link.next) && position.try_play(mv).is_ok() {
                self.linked.insert(link.next);
                open.push_back((link.next, position.setup()));
                position.undo_move(mv);
            }
        }
        if !entry.moves.is_empty() {
            book.absorb(setup, entry);
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
/// Where in the state it cannot be read.
fn read_state(bytes: &[u8]) -> Result<State<'_>, usize> {
    let mut state = State::default();
    let mut fields = Fields::of(bytes);
    while let Some(field) = fields.next() {
        match field? {
            (1, value) => state.id = value.int32(),
            (7, Value::Bytes(text)) if !text.is_empty() => state.position = Some(text),
            (9, Value::Bytes(content)) => {
                let start = fields.at - content.len();
                state.moves.push(read_link(content).map_err(|offset| start + offset)?);
            }
            _ => {}
        }
    }
    Ok(state)
}

fn read_link(bytes: &[u8]) -> Result<Link, usize> {
    let mut link = Link { mv: None, judgement: 0, weight: 0, next: 0 };
    for field in Fields::of(bytes) {
        match field? {
            (1, value) => link.mv = move_of(value.int32() as u32),
            (2, value) => link.judgement = value.int32(),
            (3, value) => link.weight = value.int32(),
            (4, value) => link.next = value.int32(),
            _ => {}
        }
    }
    Ok(link)
}

/// A move of 32 bits: ranks and files from 1, both 0 for the origin of a drop; promotion in bit 19;
/// the kind from bit 24 on.
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
