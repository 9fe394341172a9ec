//! Moves in Japanese notation, as KIF and KI2 write them: `７六歩(77)`, `▲５七銀右`, `同　角成`.
//!
//! Digits may be full-width, half-width or kanji. Without an origin square, words after the piece tell
//! which one moves, by the rules of the Japan Shogi Association.

use std::cmp::Ordering;
use std::fmt::Write;

use super::error::MoveError;
use super::japanese_text::{digit, is_mark, is_mark_of, japanese_square, kind, mark, name};
use crate::position::{IllegalMove, Position};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// A parsed move, not yet resolved in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JapaneseMove {
    /// The side, if it is marked.
    pub(super) side: Option<Color>,
    /// `None`: the destination of the move before.
    pub(super) to: Option<Square>,
    /// The kind before the move.
    pub(super) kind: PieceKind,
    pub(super) promotes: bool,
    pub(super) origin: MoveOrigin,
    pub(super) disambiguation: Disambiguation,
}

/// The origin of the piece, as far as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveOrigin {
    Unspecified,
    Hand,
    Board(Square),
}

/// The words that disambiguate a move that several pieces could make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Disambiguation {
    /// The relative position (左, 直, 右): from the left (`Greater`), straight up (`Equal`), or from the
    /// right, from the player's side.
    pub(super) relative_position: Option<Ordering>,
    /// The movement (上, 寄, 引): forwards (`Greater`), sideways, or backwards.
    pub(super) movement: Option<Ordering>,
}

/// Reads a move at the beginning of a text; also returns the rest.
pub(super) fn read_move(text: &str) -> Option<(JapaneseMove, &str)> {
    let mut rest = text.trim_start();
    let side = Color::ALL.into_iter().find(|&color| rest.starts_with(|c| is_mark_of(c, color)));
    rest = rest.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    let to = match rest.strip_prefix('同') {
        Some(after) => {
            rest = after.trim_start();
            None
        }
        None => Some(read_square(&mut rest)?),
    };
    let kind = read_kind(&mut rest)?;
    let mut parsed_move = JapaneseMove {
        side,
        to,
        kind,
        promotes: false,
        origin: MoveOrigin::Unspecified,
        disambiguation: Disambiguation::default(),
    };
    read_suffixes(&mut parsed_move, &mut rest);
    Some((parsed_move, rest))
}

fn take(rest: &mut &str) -> Option<char> {
    let c = rest.chars().next()?;
    *rest = &rest[c.len_utf8()..];
    Some(c)
}

fn read_square(rest: &mut &str) -> Option<Square> {
    let mut coordinate = || {
        let digit = digit(take(rest)?)?;
        digit.checked_sub(1).map(|digit| digit as u8)
    };
    Some(Square::new(coordinate()?, coordinate()?))
}

fn read_kind(rest: &mut &str) -> Option<PieceKind> {
    match take(rest)? {
        '成' => {
            let promoted = kind(take(rest)?)?.promoted()?;
            matches!(promoted, PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver)
                .then_some(promoted)
        }
        c => kind(c),
    }
}

fn read_suffixes(parsed_move: &mut JapaneseMove, rest: &mut &str) {
    loop {
        let mut after = *rest;
        match take(&mut after) {
            Some('左') => parsed_move.disambiguation.relative_position = Some(Ordering::Greater),
            Some('直') => parsed_move.disambiguation.relative_position = Some(Ordering::Equal),
            Some('右') => parsed_move.disambiguation.relative_position = Some(Ordering::Less),
            Some('上' | '行' | '入') => {
                parsed_move.disambiguation.movement = Some(Ordering::Greater)
            }
            Some('寄') => parsed_move.disambiguation.movement = Some(Ordering::Equal),
            Some('引') => parsed_move.disambiguation.movement = Some(Ordering::Less),
            Some('打') => parsed_move.origin = MoveOrigin::Hand,
            Some('成') => parsed_move.promotes = true,
            Some('生') => parsed_move.promotes = false,
            Some('不') if after.starts_with('成') => {
                after = &after['成'.len_utf8()..];
                parsed_move.promotes = false;
            }
            Some('(' | '（') => {
                let Some(origin) = read_origin(&mut after) else { return };
                parsed_move.origin = origin;
            }
            // A time also begins with a bracket, but without two digits in it.
            Some(c) if c.is_whitespace() => {
                after = after.trim_start();
                let bracket = matches!(take(&mut after), Some('(' | '（'));
                let origin = bracket.then(|| read_origin(&mut after)).flatten();
                let Some(origin) = origin else { return };
                parsed_move.origin = origin;
            }
            _ => return,
        }
        *rest = after;
    }
}

/// The two digits of `(77)` with the closing bracket. `(00)` is the hand, as in CSA.
fn read_origin(rest: &mut &str) -> Option<MoveOrigin> {
    let origin = match read_hand(rest) {
        Some(()) => MoveOrigin::Hand,
        None => MoveOrigin::Board(read_square(rest)?),
    };
    matches!(take(rest)?, ')' | '）').then_some(origin)
}

/// The digits that mean the hand.
fn read_hand(rest: &mut &str) -> Option<()> {
    let mut after = *rest;
    for _ in 0..2 {
        take(&mut after).and_then(digit).filter(|&digit| digit == 0)?;
    }
    *rest = after;
    Some(())
}

/// The text after the `打(00)` that some converters of CSA write even after the word for an ending.
pub(super) fn without_hand(text: &str) -> &str {
    let mut rest = text.strip_prefix('打').unwrap_or(text);
    let bracket = matches!(take(&mut rest), Some('(' | '（'));
    let is_hand = bracket && read_origin(&mut rest) == Some(MoveOrigin::Hand);
    if is_hand { rest } else { text }
}

impl JapaneseMove {
    /// The move in a position whose last move went to `last`. It need not be legal if the origin is given.
    pub(super) fn resolve(
        self,
        position: &Position,
        last: Option<Square>,
    ) -> Result<Move, MoveError> {
        if self.side.is_some_and(|side| side != position.side_to_move()) {
            return Err(MoveError::WrongSide);
        }
        let to = self.to.or(last).ok_or(MoveError::NothingBefore)?;
        match self.origin {
            MoveOrigin::Hand => self.drop_to(to),
            MoveOrigin::Board(from) => self.board_move(position, from, to),
            MoveOrigin::Unspecified => self.resolve_without_origin(position, to),
        }
    }

    fn drop_to(self, to: Square) -> Result<Move, MoveError> {
        if !self.kind.can_be_held() {
            return Err(IllegalMove::NotInHand.into());
        }
        Ok(Move::drop(self.kind, to))
    }

    fn board_move(self, position: &Position, from: Square, to: Square) -> Result<Move, MoveError> {
        let found = position.piece_at(from).map(Piece::kind);
        if from == to {
            return Err(IllegalMove::Unreachable.into());
        }
        match found {
            // Some programs write the piece after promotion.
            Some(kind) if kind != self.kind => {
                let named_after = kind.promoted() == Some(self.kind) && !self.promotes;
                let after = named_after.then(|| Move::board(from, to, true));
                after.filter(|&mv| position.is_legal(mv)).ok_or(MoveError::WrongPiece(kind))
            }
            _ => Ok(Move::board(from, to, self.promotes)),
        }
    }

    fn resolve_without_origin(self, position: &Position, to: Square) -> Result<Move, MoveError> {
        let us = position.side_to_move();
        let board = |from| Move::board(from, to, self.promotes);
        let candidates: Vec<Square> = position
            .pieces_of(us, self.kind)
            .into_iter()
            .filter(|&from| from != to && position.is_legal(board(from)))
            .collect();
        match self.disambiguation.choose(us, self.kind, candidates, to)[..] {
            [from] => Ok(board(from)),
            [] if self.kind.can_be_held() && position.hand(us).has(self.kind) => {
                Ok(Move::drop(self.kind, to))
            }
            [] => Err(self.illegal_reason(position, to).into()),
            _ => Err(MoveError::Ambiguous),
        }
    }

    /// The reason why no piece of this kind can move there.
    fn illegal_reason(self, position: &Position, to: Square) -> IllegalMove {
        let pieces = position.pieces_of(position.side_to_move(), self.kind).into_iter();
        let reasons = pieces
            .filter(|&from| from != to)
            .filter_map(|from| position.validate_move(Move::board(from, to, self.promotes)).err());
        let mut telling = reasons.filter(|&reason| reason != IllegalMove::Unreachable);
        telling.next().unwrap_or(IllegalMove::Unreachable)
    }
}

/// The direction of a move from the player's side: from the left (`Greater`) or right, forwards or
/// backwards.
fn direction(color: Color, from: Square, to: Square) -> (Ordering, Ordering) {
    let turn = |square: Square| if color == Color::Black { square } else { square.rotated() };
    let (from, to) = (turn(from), turn(to));
    (from.file().cmp(&to.file()), from.rank().cmp(&to.rank()))
}

impl Disambiguation {
    /// The origin squares that match the words.
    fn choose(
        self,
        color: Color,
        kind: PieceKind,
        candidates: Vec<Square>,
        to: Square,
    ) -> Vec<Square> {
        let direction = |from: Square| direction(color, from, to);
        let fits_movement =
            |from: &Square| self.movement.is_none_or(|movement| direction(*from).1 == movement);
        let candidates: Vec<Square> = candidates.into_iter().filter(fits_movement).collect();
        let Some(relative_position) = self.relative_position else { return candidates };
        let strict = |from: &&Square| match relative_position {
            Ordering::Equal => direction(**from) == (Ordering::Equal, Ordering::Greater),
            side => direction(**from).0 == side,
        };
        // Of two horses or dragons, one that moves straight may still be the left one.
        let loose = matches!(kind, PieceKind::Horse | PieceKind::Dragon);
        let chosen: Vec<Square> = candidates.iter().filter(strict).copied().collect();
        if relative_position == Ordering::Equal || !loose && !chosen.is_empty() {
            return chosen;
        }
        let column =
            |from: &Square| if color == Color::Black { from.file() } else { 8 - from.file() };
        let files = candidates.iter().map(column);
        let outermost =
            if relative_position == Ordering::Greater { files.max() } else { files.min() };
        candidates.into_iter().filter(|from| Some(column(from)) == outermost).collect()
    }

    fn words(self) -> String {
        let relative_position = match self.relative_position {
            Some(Ordering::Greater) => "左",
            Some(Ordering::Equal) => "直",
            Some(Ordering::Less) => "右",
            None => "",
        };
        let movement = match self.movement {
            Some(Ordering::Greater) => "上",
            Some(Ordering::Equal) => "寄",
            Some(Ordering::Less) => "引",
            None => "",
        };
        format!("{relative_position}{movement}")
    }
}

/// The words that distinguish the moving piece from others of its kind. By custom, pieces that cannot
/// move because of a check or a pin count too.
fn disambiguation(position: &Position, mv: Move) -> Disambiguation {
    let us = position.side_to_move();
    let kind = position.moved_kind_before(mv);
    let candidates =
        position.attackers(us, mv.to(), position.occupied()) & position.pieces_of(us, kind);
    let own_direction = direction(us, mv.from(), mv.to());
    let others: Vec<(Ordering, Ordering)> = candidates
        .into_iter()
        .filter(|&from| from != mv.from())
        .map(|from| direction(us, from, mv.to()))
        .collect();
    let mut disambiguation = Disambiguation::default();
    if others.is_empty() {
        return disambiguation;
    }
    let beside: Vec<Ordering> =
        others.iter().filter(|other| other.1 == own_direction.1).map(|other| other.0).collect();
    if let Some(&beside) = beside.first() {
        disambiguation.relative_position = match (kind, own_direction.0) {
            // There are only two, so the straight one is the left or the right one.
            (PieceKind::Horse | PieceKind::Dragon, Ordering::Equal) => {
                Some(beside.reverse()).filter(|side| side.is_ne())
            }
            (_, side) => Some(side),
        };
    }
    let straight = disambiguation.relative_position == Some(Ordering::Equal);
    let same_side = others.iter().any(|other| other.0 == own_direction.0);
    if !straight && (same_side || beside.is_empty()) {
        disambiguation.movement = Some(own_direction.1);
    }
    disambiguation
}

/// The words after a piece that distinguish it from others of its kind; `打` for a drop if a piece on
/// the board could move there.
pub(super) fn disambiguation_words(position: &Position, mv: Move) -> String {
    if !mv.is_drop() {
        return disambiguation(position, mv).words();
    }
    let us = position.side_to_move();
    let candidates = position.attackers(us, mv.to(), position.occupied());
    let rivals = candidates & position.pieces_of(us, mv.dropped());
    if rivals.is_empty() { String::new() } else { "打".into() }
}

/// Destination and piece: `７六歩`, `同　歩`.
fn destination_and_piece(position: &Position, mv: Move, last: Option<Square>) -> String {
    let to = mv.to();
    let mut text = if last == Some(to) { String::from("同　") } else { japanese_square(to) };
    text.push_str(name(position.moved_kind_before(mv)));
    text
}

/// A legal move in KIF: `７六歩(77)`.
pub(super) fn kif_move(position: &Position, mv: Move, last: Option<Square>) -> String {
    let mut text = destination_and_piece(position, mv, last);
    if mv.is_drop() {
        text.push('打');
        return text;
    }
    let from = mv.from();
    let promotion = if mv.is_promotion() { "成" } else { "" };
    let _ = write!(text, "{promotion}({}{})", from.file() + 1, from.rank() + 1);
    text
}

/// A legal move in KI2: `▲７六歩`, or `▲同　歩` if the move before went to the same square, `last`.
pub fn ki2_move(position: &Position, mv: Move, last: Option<Square>) -> String {
    let us = position.side_to_move();
    let mut text = String::from(mark(us));
    text.push_str(&destination_and_piece(position, mv, last));
    text.push_str(&disambiguation_words(position, mv));
    if mv.is_promotion() {
        text.push('成');
    } else if position.may_promote(mv) {
        text.push_str("不成");
    }
    text
}

/// A legal move as in books: `▲７六歩`, `△同　銀`.
///
/// ```
/// use kawasemi::position::Position;
/// use kawasemi::record::japanese_move;
/// assert_eq!(japanese_move(&Position::startpos(), "7g7f".parse().unwrap()), "▲７六歩");
/// ```
pub fn japanese_move(position: &Position, mv: Move) -> String {
    ki2_move(position, mv, position.history().next_back().map(Move::to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::japanese_text;

    fn parsed_move(sfen: &str, text: &str) -> Result<String, MoveError> {
        let position = Position::from_sfen(sfen).unwrap();
        let (parsed_move, rest) = read_move(text).expect(text);
        assert_eq!(rest, "", "{text}");
        parsed_move.resolve(&position, Some("5e".parse().unwrap())).map(|mv| mv.to_string())
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn a_move_is_read_in_all_its_spellings() {
        for text in ["７六歩(77)", "76歩(77)", "▲７六歩", "７六歩（７７）", "☗7六歩", "７六歩 (77)"]
        {
            assert_eq!(parsed_move(START, text), Ok("7g7f".into()), "{text}");
        }
        assert_eq!(parsed_move(START, "△７六歩"), Err(MoveError::WrongSide));
        assert_eq!(parsed_move(START, "７六香(77)"), Err(MoveError::WrongPiece(PieceKind::Pawn)));
        assert_eq!(parsed_move(START, "５五歩打"), Ok("P*5e".into()));
        assert_eq!(parsed_move(START, "７六と打"), Err(IllegalMove::NotInHand.into()));
        assert_eq!(parsed_move(START, "７六飛"), Err(IllegalMove::Unreachable.into()));
        for text in ["", "▲", "７", "７六", "０六歩", "７六成金", "７六成歩", "歩", "同", "投了"]
        {
            assert_eq!(read_move(text), None, "{text}");
        }
    }

    #[test]
    fn what_follows_a_move_is_left() {
        let (parsed_move, rest) = read_move("同　銀成(31)   ( 0:12/00:00:12)+").unwrap();
        assert_eq!((parsed_move.to, parsed_move.promotes), (None, true));
        assert_eq!(rest, "   ( 0:12/00:00:12)+");
        assert_eq!(read_move("４五桂不成▲３四").unwrap().1, "▲３四");
        assert_eq!(read_move("４五桂打 (12:00/").unwrap().1, " (12:00/");
    }

    /// Examples of the kinds that the Japan Shogi Association gives on its page about notation,
    /// with own positions.
    #[test]
    fn disambiguating_words_are_written_and_read_back() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            ("4k4/2G6/G8/9/9/9/9/9/4K4 b 2r2b2g4s4n4l18p 1", &[("9c8b", "上"), ("7b8b", "寄")]),
            ("4k4/9/9/9/9/9/3S5/9/2S1K4 b 2r2b4g2s4n4l18p 1", &[("6g7h", "引"), ("7i7h", "上")]),
            ("4k4/9/9/9/9/9/9/9/2G1G3K b 2r2b2g4s4n4l18p 1", &[("7i6h", "左"), ("5i6h", "右")]),
            ("4k4/9/9/9/9/9/9/9/3GG3K b 2r2b2g4s4n4l18p 1", &[("6i5h", "左"), ("5i5h", "直")]),
            (
                "8k/9/9/9/9/3S1S3/9/3SS4/K8 b 2r2b4g4n4l18p 1",
                &[("6h5g", "左上"), ("5h5g", "直"), ("6f5g", "左引"), ("4f5g", "右")],
            ),
            ("8k/+R8/9/1+R7/9/9/9/9/K8 b 2b4g4s4n4l18p 1", &[("9b8b", "寄"), ("8d8b", "上")]),
            ("8k/9/9/9/9/9/9/4+R2+R1/K8 b 2b4g4s4n4l18p 1", &[("5h4h", "左"), ("2h4h", "右")]),
            ("k8/9/9/9/9/9/9/9/+B+B6K b 2r4g4s4n4l18p 1", &[("9i8h", "左"), ("8i8h", "右")]),
        ];
        for (sfen, moves) in cases {
            let position = Position::from_sfen(sfen).unwrap();
            for &(text, words) in *moves {
                let mv: Move = text.parse().unwrap();
                assert!(position.is_legal(mv), "{sfen} {mv}");
                assert_eq!(disambiguation_words(&position, mv), words, "{sfen} {mv}");
                let written = ki2_move(&position, mv, None);
                assert_eq!(parsed_move(sfen, &written), Ok(text.to_string()), "{sfen} {written}");
            }
        }
    }

    #[test]
    fn a_drop_is_marked_if_a_piece_on_the_board_could_move_there() {
        let sfen = "4k4/9/9/9/9/9/9/3G5/4K4 b G2r2b2g4s4n4l18p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let text = |mv: &str| ki2_move(&position, mv.parse().unwrap(), None);
        assert_eq!(text("G*5h"), "▲５八金打");
        assert_eq!(text("G*1a"), "▲１一金");
        assert_eq!(parsed_move(sfen, "▲５八金"), Ok("6h5h".into()));
        assert_eq!(parsed_move(sfen, "▲５八金打"), Ok("G*5h".into()));
        assert_eq!(parsed_move(sfen, "▲１一金"), Ok("G*1a".into()));
    }

    #[test]
    fn a_declined_promotion_is_marked() {
        let sfen = "4k4/9/9/4S4/9/9/9/9/4K4 b 2r2b4g3s4n4l18p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let text = |mv: &str| ki2_move(&position, mv.parse().unwrap(), Some("5c".parse().unwrap()));
        assert_eq!(text("5d5c+"), "▲同　銀成");
        assert_eq!(text("5d5c"), "▲同　銀不成");
        assert_eq!(text("5d4e"), "▲４五銀");
        assert_eq!(parsed_move(sfen, "▲５三銀不成"), Ok("5d5c".into()));
    }

    #[test]
    fn numbers_are_written_in_kanji() {
        let numbers = [1, 2, 9, 10, 11, 18, 20, 21].map(japanese_text::kanji_number);
        assert_eq!(numbers, ["一", "二", "九", "十", "十一", "十八", "二十", "二十一"]);
    }
}
