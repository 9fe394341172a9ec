//! SFEN: a strict parser with error positions, and a writer of the canonical form. `validate` checks
//! whether the position is legal.
//!
//! Accepted because programs in use write it, or because texts are copied from pages: any separators
//! between the fields, a missing move number or the number 0 (both read as 1), hands in any order and with
//! repeated letters.

use std::fmt;
use std::str::FromStr;

use super::setup::Setup;
use super::validate::{IllegalSetup, japanese, plural, side};
use crate::types::message::{Message, message};
use crate::types::{ByColor, Color, Hand, Piece, PieceKind, Rank, Square, excerpt};

/// The largest accepted move number: far beyond any game, far below overflow.
pub const MAX_MOVE_NUMBER: u32 = 1_000_000;

/// An error in an SFEN. Columns count characters of the whole text from 1; ranks are 0..9. A quoted part of the text
/// is short and printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SfenError {
    /// The text ends before this field.
    Missing(SfenField),
    /// The first word has no `/`, so it is probably not meant as a board.
    NotABoard { column: usize, found: String },
    /// The board has fewer than nine ranks.
    FewRanks { found: usize },
    /// A tenth rank begins at this column.
    ManyRanks { column: usize },
    /// A rank has fewer than nine files.
    ShortRank { rank: Rank, column: usize, files: u8 },
    /// A rank has more than nine files.
    LongRank { rank: Rank, column: usize },
    /// A character of the board that is not a piece, a digit or `+`.
    BoardCharacter { rank: Rank, column: usize, found: char },
    /// A `+` that is not followed by a piece that can promote.
    Promotion { rank: Rank, column: usize, found: Option<char> },
    /// The side to move is neither `b` nor `w`.
    Side { column: usize, found: String },
    /// A character of the hands that is not a count or a piece.
    HandCharacter { column: usize, found: char },
    /// A king in hand.
    KingInHand { column: usize },
    /// A count that starts with 0.
    ZeroCount { column: usize },
    /// A count without a piece.
    CountAlone { column: usize },
    /// More pieces of a kind in one hand than the set has.
    HandOverflow { column: usize, color: Color, kind: PieceKind },
    /// The move number is not a number.
    MoveNumber { column: usize, found: String },
    /// The move number is above [`MAX_MOVE_NUMBER`].
    MoveNumberTooLarge { column: usize },
    /// Text after the last field.
    Trailing { column: usize, found: String },
    /// The syntax is correct, but the position is illegal.
    Illegal(IllegalSetup),
}

/// A required field of an SFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SfenField {
    Board,
    Side,
    Hands,
}

/// The character, or an escape sequence if it is not printable. A quotation mark is shown as it is.
fn shown(c: char) -> String {
    match c {
        '\'' | '"' | '\\' => c.into(),
        c => c.escape_debug().to_string(),
    }
}

/// Whether the character separates words: a space of any width, even of none, or a control character.
/// Text copied from a page or a chat has the wide space of Japanese and others.
pub fn is_separator(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200b}' | '\u{feff}')
}

/// The text of a field and the column of its first character.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    column: usize,
}

impl<'a> Token<'a> {
    fn chars(self) -> impl Iterator<Item = (usize, char)> + 'a {
        self.text.chars().enumerate().map(move |(at, c)| (self.column + at, c))
    }
}

/// The fields of a text.
struct Tokens<'a> {
    /// What is not read yet, and the column of its first character.
    rest: &'a str,
    column: usize,
}

impl<'a> Tokens<'a> {
    fn need(&mut self, field: SfenField) -> Result<Token<'a>, SfenError> {
        self.next().ok_or(SfenError::Missing(field))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let separators = self.rest.find(|c: char| !is_separator(c))?;
        let column = self.column + self.rest[..separators].chars().count();
        let rest = &self.rest[separators..];
        let (text, rest) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        (self.rest, self.column) = (rest, column + text.chars().count());
        Some(Token { text, column })
    }
}

/// Parses an SFEN in linear time. The result may be illegal.
///
/// ```
/// use kawasemi::position::Setup;
/// let text = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// assert_eq!(text.parse(), Ok(Setup::startpos()));
/// assert_eq!(Setup::startpos().to_string(), text);
/// let error = text.replace("1r5b1", "1r6b1").parse::<Setup>().unwrap_err();
/// assert_eq!(error.to_string(), "rank b has more than nine files (column 15)");
/// ```
impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Setup, SfenError> {
        let mut tokens = Tokens { rest: text, column: 1 };
        let board = read_board(tokens.need(SfenField::Board)?)?;
        let side = read_side(tokens.need(SfenField::Side)?)?;
        let hands = read_hands(tokens.need(SfenField::Hands)?)?;
        let game_ply = tokens.next().map_or(Ok(1), read_move_number)?;
        match tokens.next() {
            Some(Token { text, column }) => {
                Err(SfenError::Trailing { column, found: excerpt(text) })
            }
            None => Ok(Setup { board, hands, side, game_ply }),
        }
    }
}

fn read_board(token: Token<'_>) -> Result<[Option<Piece>; Square::COUNT], SfenError> {
    let mut column = token.column;
    if !token.text.contains('/') {
        return Err(SfenError::NotABoard { column, found: excerpt(token.text) });
    }
    let mut board = [None; Square::COUNT];
    let mut ranks = 0;
    for text in token.text.split('/') {
        if ranks == 9 {
            return Err(SfenError::ManyRanks { column });
        }
        read_rank(Token { text, column }, ranks, &mut board)?;
        ranks += 1;
        column += text.chars().count() + 1;
    }
    if ranks < 9 { Err(SfenError::FewRanks { found: ranks.into() }) } else { Ok(board) }
}

fn read_rank(
    token: Token<'_>,
    rank: Rank,
    board: &mut [Option<Piece>; Square::COUNT],
) -> Result<(), SfenError> {
    // The number of files left; the next file is the highest of them.
    let mut left: u8 = 9;
    let mut chars = token.chars();
    while let Some((column, c)) = chars.next() {
        let piece = match c {
            '1'..='9' => None,
            '+' => {
                let next = chars.next().map(|(_, c)| c);
                let promoted = next.and_then(read_piece).filter(|p| p.kind().can_promote());
                let refused = SfenError::Promotion { rank, column, found: next };
                Some(promoted.ok_or(refused)?.promote())
            }
            _ => {
                let refused = SfenError::BoardCharacter { rank, column, found: c };
                Some(read_piece(c).ok_or(refused)?)
            }
        };
        let files = c.to_digit(10).unwrap_or(1) as u8;
        left = left.checked_sub(files).ok_or(SfenError::LongRank { rank, column })?;
        if piece.is_some() {
            board[Square::new(left, rank).index()] = piece;
        }
    }
    match left {
        0 => Ok(()),
        _ => Err(SfenError::ShortRank { rank, column: token.column, files: 9 - left }),
    }
}

/// The unpromoted piece of a letter: upper case for Black, lower case for White.
fn read_piece(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Some(Piece::new(color, PieceKind::from_letter(letter.to_ascii_uppercase())?))
}

fn read_side(token: Token<'_>) -> Result<Color, SfenError> {
    match token.text {
        "b" => Ok(Color::Black),
        "w" => Ok(Color::White),
        text => Err(SfenError::Side { column: token.column, found: excerpt(text) }),
    }
}

fn read_hands(token: Token<'_>) -> Result<ByColor<Hand>, SfenError> {
    let mut hands = ByColor([Hand::EMPTY; 2]);
    if token.text == "-" {
        return Ok(hands);
    }
    // The count before the next letter, and the column where it starts.
    let mut pending: Option<(usize, u32)> = None;
    for (column, c) in token.chars() {
        if let Some(digit) = c.to_digit(10) {
            let (start, count) = pending.unwrap_or((column, 0));
            if digit == 0 && count == 0 {
                return Err(SfenError::ZeroCount { column });
            }
            pending = Some((start, count.saturating_mul(10).saturating_add(digit)));
            continue;
        }
        let piece = read_piece(c).ok_or(SfenError::HandCharacter { column, found: c })?;
        if piece.kind() == PieceKind::King {
            return Err(SfenError::KingInHand { column });
        }
        let (start, count) = pending.take().unwrap_or((column, 1));
        let (color, kind) = (piece.color(), piece.kind());
        let refused = SfenError::HandOverflow { column: start, color, kind };
        hands[color].try_add(kind, count).ok_or(refused)?;
    }
    match pending {
        Some((column, _)) => Err(SfenError::CountAlone { column }),
        None => Ok(hands),
    }
}

fn read_move_number(token: Token<'_>) -> Result<u32, SfenError> {
    let Token { text, column } = token;
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SfenError::MoveNumber { column, found: excerpt(text) });
    }
    match text.parse::<u32>() {
        Ok(number) if number <= MAX_MOVE_NUMBER => Ok(number.max(1)),
        _ => Err(SfenError::MoveNumberTooLarge { column }),
    }
}

impl fmt::Display for Setup {
    /// The canonical SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(self, f)?;
        f.write_str(match self.side {
            Color::Black => " b ",
            Color::White => " w ",
        })?;
        write_hands(self.hands, f)?;
        write!(f, " {}", self.game_ply)
    }
}

impl Setup {
    /// The canonical SFEN without the move number, so that transpositions have the same.
    pub fn sfen_without_ply(&self) -> String {
        let mut sfen = self.to_string();
        sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
        sfen
    }
}

fn write_board(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in 0..9 {
        if rank > 0 {
            f.write_str("/")?;
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            match setup.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    write_run(std::mem::take(&mut empty), f)?;
                    write!(f, "{piece}")?;
                }
            }
        }
        write_run(empty, f)?;
    }
    Ok(())
}

/// A run of empty squares.
fn write_run(empty: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

/// The field of the hands in an SFEN: `2RG3p`, or `-` if both are empty.
pub fn hands_field(hands: ByColor<Hand>) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_hands(hands, &mut text);
    text
}

fn write_hands(hands: ByColor<Hand>, f: &mut impl fmt::Write) -> fmt::Result {
    if Color::ALL.into_iter().all(|color| hands[color].is_empty()) {
        return f.write_str("-");
    }
    for color in Color::ALL {
        // Most valuable first.
        for kind in PieceKind::HAND.into_iter().rev() {
            let piece = Piece::new(color, kind);
            match hands[color].count(kind) {
                0 => {}
                1 => write!(f, "{piece}")?,
                count => write!(f, "{count}{piece}")?,
            }
        }
    }
    Ok(())
}

fn letter(rank: Rank) -> char {
    (b'a' + rank) as char
}

impl SfenField {
    fn missing(self) -> Message {
        match self {
            SfenField::Board => message!("no board is given", "盤面がありません"),
            SfenField::Side => message!("the side to move is missing", "手番がありません"),
            SfenField::Hands => message!(
                "the pieces in hand are missing ('-' if none)",
                "持ち駒がありません（なければ「-」）"
            ),
        }
    }
}

/// For a `+` before this character.
fn promotion_message(rank: Rank, column: usize, found: Option<char>) -> Message {
    let (letter, number) = (letter(rank), rank + 1);
    let what = match found {
        Some(c) => {
            let c = shown(c);
            message!("'{c}'", "「{c}」は成れません")
        }
        None => message!("nothing", "駒がありません"),
    };
    message!(
        "'+' in rank {letter} stands before {}, which cannot be promoted (column {column})",
        "{number}段目の「+」の後：{}（{column}文字目）";
        what
    )
}

impl SfenError {
    /// The error in every language.
    pub fn message(&self) -> Message {
        use SfenError as E;
        match self {
            E::Missing(field) => field.missing(),
            E::NotABoard { column, found } => message!(
                "'{found}' is not a board, which has nine ranks with '/' between them (column {column})",
                "「{found}」は盤面ではありません。盤面は9つの段を「/」で区切ります（{column}文字目）"
            ),
            E::FewRanks { found } => {
                message!("the board has {found} of nine ranks", "盤面が{found}段しかありません")
            }
            E::ManyRanks { column } => message!(
                "the board has more than nine ranks (column {column})",
                "盤面が9段より多くあります（{column}文字目）"
            ),
            &E::ShortRank { rank, column, files } => {
                let (letter, number) = (letter(rank), rank + 1);
                message!(
                    "rank {letter} has {files} of nine files (column {column})",
                    "{number}段目にマスが{files}つしかありません（{column}文字目）"
                )
            }
            &E::LongRank { rank, column } => {
                let (letter, number) = (letter(rank), rank + 1);
                message!(
                    "rank {letter} has more than nine files (column {column})",
                    "{number}段目にマスが9つより多くあります（{column}文字目）"
                )
            }
            &E::BoardCharacter { rank, column, found } => {
                let (letter, number, found) = (letter(rank), rank + 1, shown(found));
                message!(
                    "'{found}' in rank {letter} is not a piece (column {column})",
                    "{number}段目の「{found}」は駒ではありません（{column}文字目）"
                )
            }
            &E::Promotion { rank, column, found } => promotion_message(rank, column, found),
            E::Side { column, found } => message!(
                "the side to move is 'b' or 'w', not '{found}' (column {column})",
                "手番は「b」か「w」です。「{found}」は使えません（{column}文字目）"
            ),
            E::HandCharacter { column, found } => {
                let found = shown(*found);
                message!(
                    "'{found}' in hand is not a piece (column {column})",
                    "持ち駒の「{found}」は駒ではありません（{column}文字目）"
                )
            }
            E::KingInHand { column } => {
                message!(
                    "a king in hand (column {column})",
                    "持ち駒に玉があります（{column}文字目）"
                )
            }
            E::ZeroCount { column } => message!(
                "a count in hand begins with 0 (column {column})",
                "持ち駒の枚数が0で始まっています（{column}文字目）"
            ),
            E::CountAlone { column } => message!(
                "a count in hand without a piece (column {column})",
                "持ち駒の枚数の後に駒がありません（{column}文字目）"
            ),
            &E::HandOverflow { column, color, kind } => {
                let (size, kinds) = (kind.set_size(), plural(kind));
                let (owner, name) = (side(color), japanese(kind));
                message!(
                    "{color:?} has more than {size} {kinds} in hand (column {column})",
                    "{owner}の持ち駒の{name}が{size}枚より多くあります（{column}文字目）"
                )
            }
            E::MoveNumber { column, found } => message!(
                "'{found}' is not a move number (column {column})",
                "「{found}」は手数ではありません（{column}文字目）"
            ),
            E::MoveNumberTooLarge { column } => message!(
                "the move number is above {MAX_MOVE_NUMBER} (column {column})",
                "手数が{MAX_MOVE_NUMBER}より大きいです（{column}文字目）"
            ),
            E::Trailing { column, found } => message!(
                "'{found}' after the move number (column {column})",
                "手数の後に「{found}」があります（{column}文字目）"
            ),
            E::Illegal(reason) => reason.message(),
        }
    }
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

// Without a source: the text holds the reason, and a report of the chain would repeat it.
impl std::error::Error for SfenError {}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn an_error_names_the_place_in_the_whole_text() {
        let error = "  9/9/9/4x4/9/9/9/9/9 b - 1".parse::<Setup>().unwrap_err();
        assert_eq!(error, SfenError::BoardCharacter { rank: 3, column: 10, found: 'x' });
        let error = format!("{BOARD} b 3P2K 1").parse::<Setup>().unwrap_err();
        assert_eq!(error, SfenError::KingInHand { column: BOARD.len() + 7 });
    }

    /// Regression: a full-width space was reported as an unknown piece.
    #[test]
    fn any_blank_separates_the_fields() {
        for blank in ["\u{3000}", "\u{a0}", "\u{2003}", "\u{200b}", "\u{feff}", " \u{3000}\t"] {
            let text = format!("{blank}{BOARD} b - 1{blank}").replace(' ', blank);
            assert_eq!(text.parse(), Ok(Setup::startpos()), "{blank:?}");
        }
    }

    /// Regression: a column counted the bytes before it, also in Japanese, which calls it a character (文字目).
    #[test]
    fn a_column_counts_the_characters_before_it() {
        let error = format!("\u{3000}{BOARD}\u{3000}b\u{3000}x\u{3000}1").parse::<Setup>();
        let column = format!(" {BOARD} b x").len();
        assert_eq!(error, Err(SfenError::HandCharacter { column, found: 'x' }));
    }

    #[test]
    fn an_error_names_the_character_that_is_wrong() {
        let message = |text: &str| text.parse::<Setup>().unwrap_err().to_string();
        let board = BOARD.replace("1B5R1", "1B2\u{91d1}2R1");
        let wrong = message(&format!("{board} b - 1"));
        assert_eq!(wrong, "'\u{91d1}' in rank h is not a piece (column 46)");
        let wrong = message(&format!("{BOARD} b \u{6b69} 1"));
        assert_eq!(wrong, "'\u{6b69}' in hand is not a piece (column 61)");
    }

    #[test]
    fn a_text_quoted_in_an_error_is_short_and_has_no_control_characters() {
        let long = "\u{99d2}".repeat(100_000);
        for text in [
            format!("{BOARD} {long} - 1"),
            format!("{BOARD} b - {long}"),
            format!("{BOARD} b - 1 {long}"),
            format!("{BOARD} b {long} 1"),
            long.clone(),
            format!("+{long}"),
        ] {
            let message = text.parse::<Setup>().unwrap_err().to_string();
            let is_printable = !message.contains(char::is_control);
            assert!(is_printable && message.chars().count() < 150, "{message}");
        }
    }

    #[test]
    fn a_count_of_any_length_is_refused_before_it_reaches_the_hand() {
        for count in ["19", "32", "4294967297", "99999999999", &"9".repeat(1 << 20)] {
            let error = format!("{BOARD} b {count}P 1").parse::<Setup>().unwrap_err();
            let (column, color, kind) = (BOARD.len() + 4, Color::Black, PieceKind::Pawn);
            assert_eq!(error, SfenError::HandOverflow { column, color, kind });
        }
        let letters = "p".repeat(1 << 20);
        let error = format!("{BOARD} b {letters} 1").parse::<Setup>().unwrap_err();
        let column = BOARD.len() + 4 + 18;
        let (color, kind) = (Color::White, PieceKind::Pawn);
        assert_eq!(error, SfenError::HandOverflow { column, color, kind });
    }

    #[test]
    fn a_field_may_have_any_length() {
        let long = 1 << 20;
        for (text, expected) in [
            ("/".repeat(long), SfenError::ShortRank { rank: 0, column: 1, files: 0 }),
            ("9/".repeat(long), SfenError::ManyRanks { column: 19 }),
            ("1".repeat(long) + "/", SfenError::LongRank { rank: 0, column: 10 }),
            (" ".repeat(long), SfenError::Missing(SfenField::Board)),
        ] {
            assert_eq!(text.parse::<Setup>(), Err(expected));
        }
        let zeros = "0".repeat(long);
        assert_eq!(format!("{BOARD} b - {zeros}7").parse::<Setup>().map(|s| s.game_ply), Ok(7));
    }

    #[test]
    fn the_largest_move_number_is_read_and_the_next_refused() {
        let read =
            |number: u32| format!("{BOARD} b - {number}").parse::<Setup>().map(|s| s.game_ply);
        assert_eq!(read(MAX_MOVE_NUMBER), Ok(MAX_MOVE_NUMBER));
        let column = BOARD.len() + 6;
        for number in [MAX_MOVE_NUMBER + 1, u32::MAX] {
            assert_eq!(read(number), Err(SfenError::MoveNumberTooLarge { column }));
        }
    }
}
