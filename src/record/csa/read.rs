//! Reading CSA.
//!
//! Tolerated, because files in use have it: blanks at the ends of lines, blanks that were joined
//! within a drawn rank, headers behind the moves, no position, no side to move, unknown keywords.

use super::{kind, special};
use crate::position::{IllegalMove, Position, Setup};
use crate::record::draft::{self, Draft};
use crate::record::error::{Fault, MoveFault, Passed, Quote, RecordError};
use crate::record::game::NodeId;
use crate::record::header::Key;
use crate::record::time;
use crate::record::{Policy, Reading};
use crate::types::{Color, Hand, Move, Piece, PieceKind, Square};

/// Reads a file with one game or with several.
pub(in crate::record) fn read(text: &str, policy: Policy) -> Result<Reading, RecordError> {
    let mut reader = Reader { draft: Draft::new(policy), board: Board::default() };
    for (number, line) in draft::lines(text) {
        let separates = line.trim_end() == "/";
        if separates {
            reader.finish(number)?;
        } else if !reader.draft.is_given_up() {
            let fault = reader.line(number, line).err();
            reader.draft.settle(number, fault)?;
        }
    }
    reader.finish(text.lines().count())?;
    Ok(reader.draft.into_reading())
}

/// The position of a game as far as it has been drawn.
struct Board {
    setup: Setup,
    drawn: bool,
}

impl Default for Board {
    fn default() -> Board {
        Board { setup: Setup::empty(), drawn: false }
    }
}

struct Reader {
    draft: Draft,
    board: Board,
}

impl Reader {
    /// Ends a game at a separator or at the end of the file.
    fn finish(&mut self, number: usize) -> Result<(), RecordError> {
        if !self.draft.is_given_up() && self.draft.is_touched() {
            let fault = self.begin(self.board.setup.side).err();
            self.draft.settle(number, fault)?;
        }
        self.draft.finish();
        self.board = Board::default();
        Ok(())
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        let mut rest = line.trim_end();
        loop {
            let whole = rest.starts_with(['\'', 'N', '$']);
            let (part, behind) = match rest.split_once(',') {
                Some((part, behind)) if !whole => (part, Some(behind)),
                _ => (rest, None),
            };
            self.part(number, part.trim_end())?;
            match behind {
                Some(behind) => rest = behind,
                None => return Ok(()),
            }
        }
    }

    fn part(&mut self, number: usize, part: &str) -> Result<(), Fault> {
        let Some(first) = part.chars().next() else { return Ok(()) };
        let behind = &part[first.len_utf8()..];
        match first {
            '\'' => self.comment(behind),
            'V' if behind.starts_with(|c: char| c.is_ascii_digit()) => self.draft.touch(),
            'N' if behind.starts_with(['+', '-']) => {
                let key = if behind.starts_with('+') { Key::Black } else { Key::White };
                self.draft.header(key, &behind[1..]);
            }
            '$' => match behind.split_once(':') {
                Some((name, value)) => self.draft.header(Key::of_csa(name), value),
                None => self.draft.pass(number, Passed::Line(Quote::of(part))),
            },
            'P' => self.position(part)?,
            '+' | '-' if behind.is_empty() => self.begin(color(first))?,
            '+' | '-' => self.play(number, part)?,
            '%' => {
                self.begin(self.board.setup.side)?;
                if !self.draft.end(special(behind)) {
                    self.draft.pass(number, Passed::End(Quote::of(part)));
                }
            }
            'T' => match time::seconds(behind) {
                Some(elapsed) if self.draft.cursor.current() != NodeId::ROOT => {
                    self.draft.elapsed(number, elapsed, part);
                }
                _ => self.draft.pass(number, Passed::Time(Quote::of(part))),
            },
            _ => self.draft.pass(number, Passed::Line(Quote::of(part))),
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        if text.starts_with("CSA encoding=") || text.starts_with("encoding=") {
            return;
        }
        match text.strip_prefix('*') {
            Some(text) => self.draft.comment(text),
            None => self.draft.remark(text),
        }
    }

    /// Ends the head of a game, if that has not been done.
    fn begin(&mut self, side: Color) -> Result<(), Fault> {
        if self.draft.is_begun() {
            return Ok(());
        }
        if !self.board.drawn {
            self.board.setup = Setup::startpos();
        }
        self.board.setup.side = side;
        self.draft.begin(self.board.setup.clone())
    }

    fn play(&mut self, number: usize, text: &str) -> Result<(), Fault> {
        self.begin(color(text.chars().next().unwrap_or('+')))?;
        let found = read_move(text, self.draft.cursor.position());
        self.draft.play(number, text, found)
    }

    fn position(&mut self, part: &str) -> Result<(), Fault> {
        let wrong = || Fault::Position(Quote::of(part));
        if self.draft.is_begun() {
            return Err(wrong());
        }
        self.draft.touch();
        let behind = part.get(2..).ok_or_else(wrong)?;
        match part.as_bytes()[1] {
            b'I' => {
                self.board = Board { setup: Setup::startpos(), drawn: true };
                self.board.remove(behind).ok_or_else(wrong)
            }
            rank @ b'1'..=b'9' => self.board.rank(rank - b'1', behind).ok_or_else(wrong),
            b'+' => self.board.pieces(Color::Black, behind).ok_or_else(wrong),
            b'-' => self.board.pieces(Color::White, behind).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

const fn color(sign: char) -> Color {
    if sign == '-' { Color::White } else { Color::Black }
}

impl Board {
    /// Takes pieces from the start position: `82HI22KA`.
    fn remove(&mut self, text: &str) -> Option<()> {
        for (square, kind) in placed(text)? {
            let slot = &mut self.setup.board[square?.index()];
            slot.take_if(|piece| Some(piece.kind()) == kind)?;
        }
        Some(())
    }

    /// Nine cells, each ` * ` or `+FU`.
    fn rank(&mut self, rank: u8, text: &str) -> Option<()> {
        self.drawn = true;
        let mut rest = text.trim_start();
        for file in (0..9).rev() {
            let first = rest.chars().next()?;
            let length = if first == '*' { 1 } else { 3 };
            let cell = rest.get(..length)?;
            self.setup.board[Square::new(file, rank).index()] = match first {
                '*' => None,
                '+' | '-' => Some(Piece::new(color(first), kind(&cell[1..])?)),
                _ => return None,
            };
            rest = rest[length..].trim_start();
        }
        rest.is_empty().then_some(())
    }

    /// Pieces of a side: `63FU00KI`, `00AL` for all that are left.
    fn pieces(&mut self, color: Color, text: &str) -> Option<()> {
        self.drawn = true;
        for (square, kind) in placed(text)? {
            match (square, kind) {
                (None, None) => self.take_the_rest(color),
                (None, Some(kind)) => draft::add_to_hand(&mut self.setup.hands[color], kind, 1)?,
                (Some(square), Some(kind)) => {
                    let slot = &mut self.setup.board[square.index()];
                    if slot.is_some() {
                        return None;
                    }
                    *slot = Some(Piece::new(color, kind));
                }
                (Some(_), None) => return None,
            }
        }
        Some(())
    }

    fn take_the_rest(&mut self, color: Color) {
        for kind in PieceKind::HAND {
            let on_board =
                self.setup.pieces().filter(|(_, piece)| piece.kind().unpromoted() == kind);
            let in_hands = |hand: Hand| hand.count(kind) as usize;
            let used = on_board.count() + self.setup.hands.0.map(in_hands).iter().sum::<usize>();
            let left = (kind.set_size() as usize).saturating_sub(used) as u32;
            draft::add_to_hand(&mut self.setup.hands[color], kind, left)
                .expect("what is left of a set fits in a hand");
        }
    }
}

/// Groups of a square, `None` for the hand, and a piece, `None` for all.
fn placed(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let text = text.trim_end();
    let groups = text.is_ascii() && text.len().is_multiple_of(4);
    let group = |bytes: &[u8]| {
        let square = if &bytes[..2] == b"00" { None } else { Some(square(bytes)?) };
        match std::str::from_utf8(&bytes[2..]).ok()? {
            "AL" => Some((square, None)),
            code => Some((square, Some(kind(code)?))),
        }
    };
    groups.then(|| text.as_bytes().chunks(4).map(group).collect())?
}

fn square(digits: &[u8]) -> Option<Square> {
    let coordinate = |byte: u8| matches!(byte, b'1'..=b'9').then(|| byte - b'1');
    Some(Square::new(coordinate(digits[0])?, coordinate(digits[1])?))
}

/// Reads `+7776FU`. The move need not be legal.
///
/// # Errors
/// What is no move, and one of the wrong side or of a piece that does not stand there.
pub fn read_move(text: &str, position: &Position) -> Result<Move, MoveFault> {
    let unreadable = MoveFault::Unreadable;
    let bytes = text.as_bytes();
    if bytes.len() != 7 || !text.is_ascii() {
        return Err(unreadable);
    }
    let side = match bytes[0] {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return Err(unreadable),
    };
    let to = square(&bytes[3..5]).ok_or(unreadable)?;
    let after = kind(&text[5..]).ok_or(unreadable)?;
    let from = match &bytes[1..3] {
        b"00" => None,
        digits => Some(square(digits).ok_or(unreadable)?),
    };
    if side != position.side_to_move() {
        return Err(MoveFault::WrongSide);
    }
    let Some(from) = from else {
        let found = after.can_be_held().then(|| Move::drop(after, to));
        return found.ok_or(IllegalMove::NotInHand.into());
    };
    if from == to {
        return Err(IllegalMove::Unreachable.into());
    }
    let before = position.piece_at(from).map(Piece::kind).ok_or(IllegalMove::NoPiece)?;
    if before == after {
        Ok(Move::board(from, to, false))
    } else if before.promoted() == Some(after) {
        Ok(Move::board(from, to, true))
    } else {
        Err(MoveFault::WrongPiece(before))
    }
}
