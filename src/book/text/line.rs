//! One line of a text book, and the lines of a text one after the other.

use std::str;

use memchr::{memchr, memchr_iter};

use crate::book::entry::BookMove;
use crate::book::error::{LineError, quote};
use crate::position::Setup;
use crate::types::Move;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A blank line or a comment.
    Nothing,
    /// What stands behind the word `sfen`.
    Position(&'a [u8]),
    Move(&'a [u8]),
}

impl Line<'_> {
    pub(super) fn of(bytes: &[u8]) -> Line<'_> {
        let text = bytes.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") || text.starts_with(b"//") {
            return Line::Nothing;
        }
        match text.strip_prefix(b"sfen") {
            Some(rest) if rest.first().is_none_or(u8::is_ascii_whitespace) => {
                Line::Position(rest.trim_ascii_start())
            }
            _ => Line::Move(text),
        }
    }
}

/// A position as a line has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) setup: Setup,
    /// The number of the next move, where the line says it.
    pub(super) ply: Option<u32>,
}

impl Placed {
    /// Reads what stands behind the word `sfen`; hands may be in any order. No move has the number 0,
    /// which other programs write for one that is not known.
    pub(super) fn read(text: &[u8]) -> Result<Placed, LineError> {
        let text = str::from_utf8(text).ok().filter(|text| text.is_ascii());
        let text = text.ok_or(LineError::NotText)?;
        let setup: Setup = text.parse().map_err(LineError::Position)?;
        let number = text.split_ascii_whitespace().nth(3);
        let is_known = number.is_some_and(|number| number.bytes().any(|digit| digit != b'0'));
        let ply = is_known.then_some(setup.ply);
        Ok(Placed { setup, ply })
    }
}

/// What stands behind the word `sfen` without the number of the move, where fields have one blank
/// between them. Whether it is a position is not looked at.
pub(super) fn name(text: &[u8]) -> &[u8] {
    let end = memchr_iter(b' ', text).nth(2);
    &text[..end.unwrap_or(text.len())]
}

/// Whether the name of a position, which can be read, is spelled as this program would spell it.
pub(super) fn is_canonical(name: &[u8]) -> bool {
    let mut fields = name.split(|&byte| byte == b' ');
    let (board, side, hands) = (fields.next(), fields.next(), fields.next());
    let is_split_run = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_digit();
    let is_board_canonical = |board: &[u8]| !board.windows(2).any(is_split_run);
    board.is_some_and(is_board_canonical)
        && matches!(side, Some(b"b" | b"w"))
        && hands.is_some_and(are_hands_canonical)
        && fields.next().is_none()
}

/// Whether there are any, the kinds in the usual order, Black's first, with counts of more than one;
/// none are a dash.
fn are_hands_canonical(hands: &[u8]) -> bool {
    const ORDER: &[u8] = b"RBGSNLPrbgsnlp";
    if hands == b"-" {
        return true;
    }
    let (mut rest, mut count): (&[u8], &[u8]) = (ORDER, b"");
    for (at, letter) in hands.iter().enumerate() {
        if letter.is_ascii_digit() {
            count = &hands[at - count.len()..=at];
            continue;
        }
        let Some(place) = rest.iter().position(|other| other == letter) else { return false };
        if count == b"1" {
            return false;
        }
        (rest, count) = (&rest[place + 1..], b"");
    }
    !hands.is_empty()
}

/// Reads `MOVE [REPLY [EVAL [DEPTH [COUNT]]]]`, where what is not known is missing or `none`. `None`
/// if it says that there is no move.
pub(super) fn book_move(text: &[u8]) -> Result<Option<BookMove>, LineError> {
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if is_none(first) {
        return Ok(None);
    }
    let mut mv = BookMove::bare(parse_move(first)?);
    let mut known = || words.next().filter(|word| !is_none(word));
    mv.reply = known().map(parse_move).transpose()?;
    let mut number = || known().map(parse_number).transpose();
    mv.eval = number()?.map(|n| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    mv.depth = number()?.map(|n| n.clamp(0, u32::MAX.into()) as u32);
    mv.count = number()?.map(|n| n.max(0) as u64);
    Ok(Some(mv))
}

fn is_none(word: &[u8]) -> bool {
    [&b"none"[..], b"resign", b"win", b"null"].iter().any(|none| none.eq_ignore_ascii_case(word))
}

fn parse_move(word: &[u8]) -> Result<Move, LineError> {
    let mv = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    mv.ok_or_else(|| LineError::NotAMove(quote(word)))
}

/// A whole number; what stands behind a decimal point does not count.
fn parse_number(word: &[u8]) -> Result<i64, LineError> {
    let whole = word.split(|&byte| byte == b'.').next().unwrap_or_default();
    let number = str::from_utf8(whole).ok().and_then(|whole| whole.parse().ok());
    number.ok_or_else(|| LineError::NotANumber(quote(word)))
}

/// Lines from a place on, each with the place of its first byte.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (start, length) = (self.at, memchr(b'\n', rest).unwrap_or(rest.len()));
        self.at += length + 1;
        Some((start, &rest[..length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_known_by_their_beginning() {
        let cases: [(&[u8], Line<'_>); 9] = [
            (b"", Line::Nothing),
            (b" \r", Line::Nothing),
            (b"#YANEURAOU-DB2016 1.00\r", Line::Nothing),
            (b"// a comment \xff", Line::Nothing),
            (b"sfen 9/9 b - 1\r", Line::Position(b"9/9 b - 1")),
            (b"  sfen\t9/9 b", Line::Position(b"9/9 b")),
            (b"sfen", Line::Position(b"")),
            (b"sfenx", Line::Move(b"sfenx")),
            (b"7g7f 3c3d\r", Line::Move(b"7g7f 3c3d")),
        ];
        for (bytes, line) in cases {
            assert_eq!(Line::of(bytes), line);
        }
    }

    #[test]
    fn fields_of_a_move_may_be_missing_or_none() {
        let read = |text: &str| book_move(text.as_bytes()).map(Option::unwrap);
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let full = BookMove {
            mv: mv("7g7f"),
            reply: Some(mv("3c3d")),
            eval: Some(-52),
            depth: Some(32),
            count: Some(5),
        };
        assert_eq!(read("7g7f 3c3d -52 32 5"), Ok(full.clone()));
        assert_eq!(read("7g7f\t3c3d  -52 32.9 5 more"), Ok(full.clone()));
        assert_eq!(read("7g7f none none None"), Ok(BookMove::bare(mv("7g7f"))));
        assert_eq!(read("7g7f"), Ok(BookMove::bare(mv("7g7f"))));
        assert_eq!(book_move(b"resign none"), Ok(None));
        assert_eq!(read("7g7f x"), Err(LineError::NotAMove("x".into())));
        assert_eq!(read("7g7f none 1e3"), Err(LineError::NotANumber("1e3".into())));
        let huge = read("7g7f none -99999999999 99999999999 -1").unwrap();
        assert_eq!((huge.eval, huge.depth, huge.count), (Some(i32::MIN), Some(u32::MAX), Some(0)));
    }

    #[test]
    fn a_name_is_the_line_without_the_number() {
        assert_eq!(name(b"9/9 b 2P 33"), b"9/9 b 2P");
        assert_eq!(name(b"9/9 b 2P"), b"9/9 b 2P");
        assert_eq!(name(b"9/9 b"), b"9/9 b");
        assert_eq!(name(b""), b"");
    }

    #[test]
    fn a_name_is_canonical_if_it_would_be_written_so() {
        let boards = ["4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/54/9/9/4K4", "4k4/9/9/9/9/9/9/9/4K31"];
        let hands = [
            "-",
            "P",
            "1P",
            "2P",
            "10P",
            "RB",
            "BR",
            "R2B",
            "pP",
            "Pp",
            "2R2B4G4S4N4L18P",
            "RbP",
            "RPb",
            "PP",
            "2rp",
            "p2r",
            "R1p",
            "18p",
        ];
        for text in boards.iter().flat_map(|board| hands.map(|hands| format!("{board} w {hands}")))
        {
            let placed = Placed::read(text.as_bytes()).unwrap();
            let written = crate::book::sfen_key(&placed.setup);
            assert_eq!(is_canonical(text.as_bytes()), written == text, "{text}");
        }
        for text in [&b"9  b -"[..], b"9  b", b"9 b ", b"9 b - 1", b"9\tb -", b"9 b", b""] {
            assert!(!is_canonical(text));
        }
    }

    #[test]
    fn lines_have_places() {
        let lines: Vec<_> = Lines { bytes: b"a\n\nbc", at: 0 }.collect();
        assert_eq!(lines, [(0, &b"a"[..]), (2, b""), (3, b"bc")]);
        assert_eq!(Lines { bytes: b"a\n", at: 9 }.next(), None);
    }
}
