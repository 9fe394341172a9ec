//! Patterns of pieces and moves that recognise castles and openings.
//!
//! A pattern is a text of conditions separated by spaces, written as if the side in question were
//! Black. Capital letters are its pieces, small letters those of the opponent:
//!
//! - `K8h`: a king on 8h; `G7h/7i`: a gold on one of these squares; `GS7g`: a gold or a silver there.
//! - `B*`: a bishop in hand.
//! - `R2d>3d`: a rook has moved from 2d to 3d in this game; `R>3d`: from anywhere, or was dropped there.
//! - `black`, `white`: the side is Black, or White.
//! - `first`, `second`: likewise (先手, 後手), but in a handicap game neither holds.
//! - `!` before a condition: it does not hold.

use crate::position::Position;
use crate::types::{Color, PieceKind, Square};

/// A move of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedMove {
    pub(super) side: Color,
    pub(super) kind: PieceKind,
    /// `None` for a drop.
    pub(super) from: Option<Square>,
    pub(super) to: Square,
}

/// The position and the moves that a pattern is matched against.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternContext<'a> {
    pub(super) position: &'a Position,
    pub(super) played: &'a [PlayedMove],
    /// The side that the pattern is about.
    pub(super) side: Color,
    pub(super) is_handicap: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Condition>);

#[derive(Clone, Debug)]
struct Condition {
    is_negated: bool,
    fact: Fact,
}

#[derive(Clone, Debug)]
enum Fact {
    Piece { own: bool, kinds: Vec<PieceKind>, squares: Vec<Square> },
    InHand { own: bool, kind: PieceKind },
    Played { own: bool, kind: PieceKind, from: Option<Square>, to: Square },
    IsSide(Color),
    IsFirst(bool),
}

impl Pattern {
    /// `None` if the text is not a pattern.
    pub(super) fn read(text: &str) -> Option<Pattern> {
        text.split_whitespace().map(Condition::read).collect::<Option<_>>().map(Pattern)
    }

    pub(super) fn matches(&self, context: PatternContext<'_>) -> bool {
        self.0.iter().all(|condition| condition.fact.is_true(context) != condition.is_negated)
    }
}

impl Condition {
    fn read(text: &str) -> Option<Condition> {
        let negated = text.strip_prefix('!');
        let fact = Fact::read(negated.unwrap_or(text))?;
        Some(Condition { is_negated: negated.is_some(), fact })
    }
}

impl Fact {
    fn read(text: &str) -> Option<Fact> {
        match text {
            "black" => return Some(Fact::IsSide(Color::Black)),
            "white" => return Some(Fact::IsSide(Color::White)),
            "first" => return Some(Fact::IsFirst(true)),
            "second" => return Some(Fact::IsFirst(false)),
            _ => {}
        }
        // Squares begin with a digit.
        let split = text.find(|c: char| !c.is_ascii_alphabetic())?;
        let (letters, rest) = text.split_at(split);
        let own = letters.chars().all(|c| c.is_ascii_uppercase());
        let kind = |c: char| PieceKind::from_letter(c.to_ascii_uppercase());
        let kinds: Vec<PieceKind> = letters.chars().map(kind).collect::<Option<_>>()?;
        let &kind = kinds.first()?;
        if rest == "*" {
            return Some(Fact::InHand { own, kind });
        }
        if let Some((from, to)) = rest.split_once('>') {
            let from = if from.is_empty() { None } else { Some(from.parse().ok()?) };
            return Some(Fact::Played { own, kind, from, to: to.parse().ok()? });
        }
        let squares: Option<Vec<Square>> = rest.split('/').map(|one| one.parse().ok()).collect();
        Some(Fact::Piece { own, kinds, squares: squares? })
    }

    fn is_true(&self, context: PatternContext<'_>) -> bool {
        let color = |own: bool| if own { context.side } else { !context.side };
        let relative = |square: Square| match context.side {
            Color::Black => square,
            Color::White => square.rotated(),
        };
        match self {
            Fact::Piece { own, kinds, squares } => squares.iter().any(|&square| {
                let piece = context.position.piece_at(relative(square));
                piece.is_some_and(|piece| {
                    piece.color() == color(*own) && kinds.contains(&piece.kind())
                })
            }),
            Fact::InHand { own, kind } => context.position.hand(color(*own)).has(*kind),
            Fact::Played { own, kind, from, to } => context.played.iter().any(|played| {
                let is_from = from.is_none_or(|from| played.from == Some(relative(from)));
                played.side == color(*own)
                    && played.kind == *kind
                    && played.to == relative(*to)
                    && is_from
            }),
            Fact::IsSide(side) => context.side == *side,
            Fact::IsFirst(first) => {
                !context.is_handicap && (context.side == Color::Black) == *first
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_read_whole_or_not_at_all() {
        for text in ["K8h G7h/7i !S7g", "B* b*", "R2d>3d !r>7f", "first", "second GS4h", "!white"] {
            assert!(Pattern::read(text).is_some(), "{text}");
        }
        for text in ["K", "8h", "K0h", "K8h/", "R>", "X5e", "third", "!"] {
            assert!(Pattern::read(text).is_none(), "{text}");
        }
    }
}
