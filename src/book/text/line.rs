//! The lines of a text book.

use std::str;

use memchr::{memchr, memchr_iter, memchr2_iter};

use crate::book::entry::BookMove;
use crate::book::error::LineError;
use crate::position::Setup;
use crate::types::{Move, excerpt};

/// A line by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextLine<'a> {
    /// A blank line or a comment.
    Blank,
    /// The text after the word `sfen`.
    Position(&'a [u8]),
    Move(&'a [u8]),
}

impl TextLine<'_> {
    /// Ignores a comment behind a position or a move.
    pub(super) fn of(bytes: &[u8]) -> TextLine<'_> {
        let text = without_comment(bytes).trim_ascii();
        if text.is_empty() {
            return TextLine::Blank;
        }
        match text.strip_prefix(b"sfen") {
            Some(rest) if rest.first().is_none_or(u8::is_ascii_whitespace) => {
                TextLine::Position(rest.trim_ascii_start())
            }
            _ => TextLine::Move(text),
        }
    }
}

/// The line up to its comment, a word that begins with `#` or `//` and all that follows it.
pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    let begins_comment = |&at: &usize| {
        let begins_word = at == 0 || line[at - 1].is_ascii_whitespace();
        begins_word && (line[at] == b'#' || line[at..].starts_with(b"//"))
    };
    &line[..memchr2_iter(b'#', b'/', line).find(begins_comment).unwrap_or(line.len())]
}

/// Whether a line has a comment. What follows the fifth field of a move is one too, as for ShogiHome.
pub(super) fn has_comment(line: &[u8]) -> bool {
    let is_long = |text: &[u8]| words(text).nth(5).is_some() && book_move(text).is_ok();
    without_comment(line).len() < line.len()
        || matches!(TextLine::of(line), TextLine::Move(text) if is_long(text))
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A line with a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PositionLine {
    pub(super) setup: Setup,
    /// The number of the next move, if it is known.
    pub(super) ply: Option<u32>,
}

impl PositionLine {
    /// Reads the text after the word `sfen`. Hands may be in any order. The move number 0, which
    /// other programs write, means unknown.
    pub(super) fn read(text: &[u8]) -> Result<PositionLine, LineError> {
        let text = str::from_utf8(text).ok().filter(|text| text.is_ascii());
        let text = text.ok_or(LineError::NotText)?;
        let setup: Setup = text.parse().map_err(LineError::Position)?;
        let number = text.split_ascii_whitespace().nth(3);
        let is_known = number.is_some_and(|number| number.bytes().any(|digit| digit != b'0'));
        let ply = is_known.then_some(setup.game_ply);
        Ok(PositionLine { setup, ply })
    }
}

/// The key of a position, if its text is canonical: the text without the move number.
pub(super) fn key(text: &[u8]) -> &[u8] {
    let end = memchr_iter(b' ', text).nth(2);
    &text[..end.unwrap_or(text.len())]
}

/// Whether the key of a valid position is spelled as [`Setup::sfen_without_ply`] spells it.
pub(super) fn is_canonical(key: &[u8]) -> bool {
    let mut fields = key.split(|&byte| byte == b' ');
    let (board, side, hands) = (fields.next(), fields.next(), fields.next());
    let is_split_run = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_digit();
    let is_board_canonical = |board: &[u8]| !board.windows(2).any(is_split_run);
    board.is_some_and(is_board_canonical)
        && matches!(side, Some(b"b" | b"w"))
        && hands.is_some_and(are_hands_canonical)
        && fields.next().is_none()
}

/// Whether hands are not empty, with the kinds in the usual order, Black's first, and counts of more
/// than one; or a dash.
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
        let Some(index) = rest.iter().position(|other| other == letter) else { return false };
        if count == b"1" {
            return false;
        }
        (rest, count) = (&rest[index + 1..], b"");
    }
    !hands.is_empty()
}

/// Reads `MOVE [REPLY [EVAL [DEPTH [COUNT]]]]`. An unknown field is missing, `none` or `NaN`. Returns `None`
/// if the move itself is `none` or a similar word.
pub(super) fn book_move(text: &[u8]) -> Result<Option<BookMove>, LineError> {
    let mut words = words(text);
    let first = words.next().unwrap_or_default();
    if is_none(first) {
        return Ok(None);
    }
    let mut mv = BookMove::new(parse_move(first)?);
    let mut known = || words.next().filter(|word| !is_none(word));
    mv.reply = known().map(parse_move).transpose()?;
    let mut number = || known().map(parse_number).transpose();
    if !has_count_alone(text) {
        mv.eval = number()?.map(|n| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
        mv.depth = number()?.map(|n| n.clamp(0, u32::MAX.into()) as u32);
    }
    mv.count = number()?.map(|n| n.max(0) as u64);
    Ok(Some(mv))
}

/// Whether three spaces and the count follow the reply, as in `7i6h none   8`. ShogiHome 1.20.0 wrote nothing for
/// an unknown evaluation and depth.
fn has_count_alone(text: &[u8]) -> bool {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = text[..text.len() - digits].strip_suffix(b"   ");
    rest.is_some_and(|rest| !rest.ends_with(b" ") && words(rest).count() == 2)
}

/// ShogiHome writes NaN where it has read a line without an evaluation or a depth.
fn is_none(word: &[u8]) -> bool {
    [&b"none"[..], b"resign", b"win", b"null", b"nan"]
        .iter()
        .any(|none| none.eq_ignore_ascii_case(word))
}

fn parse_move(word: &[u8]) -> Result<Move, LineError> {
    let mv = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    mv.ok_or_else(|| LineError::NotAMove(excerpt(word)))
}

/// A whole number. Ignores the part after a decimal point.
fn parse_number(word: &[u8]) -> Result<i64, LineError> {
    let whole = word.split(|&byte| byte == b'.').next().unwrap_or_default();
    let number = str::from_utf8(whole).ok().and_then(|whole| whole.parse().ok());
    number.ok_or_else(|| LineError::NotANumber(excerpt(word)))
}

/// The lines from an offset on, each with the offset of its first byte.
#[derive(Clone, Debug)]
pub(super) struct TextLines<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Iterator for TextLines<'a> {
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
    fn the_kind_of_a_line_follows_from_its_first_word() {
        let cases: [(&[u8], TextLine<'_>); 13] = [
            (b"", TextLine::Blank),
            (b" \r", TextLine::Blank),
            (b"#YANEURAOU-DB2016 1.00\r", TextLine::Blank),
            (b"// a comment \xff", TextLine::Blank),
            (b"sfen 9/9 b - 1\r", TextLine::Position(b"9/9 b - 1")),
            (b"  sfen\t9/9 b", TextLine::Position(b"9/9 b")),
            (b"sfen", TextLine::Position(b"")),
            (b"sfenx", TextLine::Move(b"sfenx")),
            (b"7g7f 3c3d\r", TextLine::Move(b"7g7f 3c3d")),
            (b"7g7f 3c3d #a \xff", TextLine::Move(b"7g7f 3c3d")),
            (b"7g7f\t//a\r", TextLine::Move(b"7g7f")),
            (b"7g7f#a / b", TextLine::Move(b"7g7f#a / b")),
            (b"sfen 9/9 b - 1 # a", TextLine::Position(b"9/9 b - 1")),
        ];
        for (bytes, line) in cases {
            assert_eq!(TextLine::of(bytes), line);
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
        assert_eq!(read("7g7f none none None"), Ok(BookMove::new(mv("7g7f"))));
        // Regression: the move was skipped.
        let counted = BookMove { count: Some(2), ..BookMove::new(mv("7g7f")) };
        assert_eq!(read("7g7f none NaN NaN 2"), Ok(counted));
        assert_eq!(read("7g7f"), Ok(BookMove::new(mv("7g7f"))));
        assert_eq!(book_move(b"resign none"), Ok(None));
        assert_eq!(read("7g7f x"), Err(LineError::NotAMove("x".into())));
        assert_eq!(read("7g7f none 1e3"), Err(LineError::NotANumber("1e3".into())));
        let huge = read("7g7f none -99999999999 99999999999 -1").unwrap();
        assert_eq!((huge.eval, huge.depth, huge.count), (Some(i32::MIN), Some(u32::MAX), Some(0)));
    }

    /// Regression: ShogiHome's count was read as the evaluation.
    #[test]
    fn a_count_alone_after_three_spaces_is_no_evaluation() {
        let read = |text: &str| {
            let mv = book_move(text.as_bytes()).unwrap().unwrap();
            (mv.eval, mv.depth, mv.count)
        };
        assert_eq!(read("7i6h none   8"), (None, None, Some(8)));
        assert_eq!(read("7i6h 3c3d   12"), (None, None, Some(12)));
        for text in ["7i6h none  8", "7i6h none    8", "7i6h   none 8", "7i6h none \t 8"] {
            assert_eq!(read(text), (Some(8), None, None), "{text:?}");
        }
        assert_eq!(read("7i6h none   -8"), (Some(-8), None, None));
        assert_eq!(read("7i6h none   8 9"), (Some(8), Some(9), None));
    }

    #[test]
    fn a_key_is_the_line_without_the_move_number() {
        assert_eq!(key(b"9/9 b 2P 33"), b"9/9 b 2P");
        assert_eq!(key(b"9/9 b 2P"), b"9/9 b 2P");
        assert_eq!(key(b"9/9 b"), b"9/9 b");
        assert_eq!(key(b""), b"");
    }

    #[test]
    fn a_key_is_canonical_if_it_would_be_written_so() {
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
            let position = PositionLine::read(text.as_bytes()).unwrap();
            let written = position.setup.sfen_without_ply();
            assert_eq!(is_canonical(text.as_bytes()), written == text, "{text}");
        }
        for text in [&b"9  b -"[..], b"9  b", b"9 b ", b"9 b - 1", b"9\tb -", b"9 b", b""] {
            assert!(!is_canonical(text));
        }
    }

    #[test]
    fn lines_have_offsets() {
        let lines: Vec<_> = TextLines { bytes: b"a\n\nbc", at: 0 }.collect();
        assert_eq!(lines, [(0, &b"a"[..]), (2, b""), (3, b"bc")]);
        assert_eq!(TextLines { bytes: b"a\n", at: 9 }.next(), None);
    }
}
