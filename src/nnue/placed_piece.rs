//! A piece on the board or in a hand in two bytes, and a change of one, as the networks count them.

use crate::position::{DirtyPiece, PieceLocation, Position};
use crate::types::{Color, Piece, PieceKind, Square};

/// Pieces of a full set, kings not counted.
pub(super) const FULL_SET: usize = 38;
/// Squares, then up to 18 pieces of one kind in a hand.
pub(super) const LOCATIONS: usize = Square::COUNT + 18;
/// The first location in a hand.
pub(super) const FIRST_IN_HAND: u8 = Square::COUNT as u8;

/// A piece and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedPiece {
    pub(super) piece: Piece,
    /// A square, or [`FIRST_IN_HAND`] + *n* - 1 for the *n*-th piece of its kind in the hand.
    pub(super) location_index: u8,
}

impl PlacedPiece {
    #[inline(always)]
    pub(super) const fn new(piece: Piece, location: PieceLocation) -> PlacedPiece {
        let location_index = match location {
            PieceLocation::Board(square) => square.index() as u8,
            PieceLocation::Hand(n) => FIRST_IN_HAND + n - 1,
        };
        PlacedPiece { piece, location_index }
    }

    pub(super) const fn location(self) -> PieceLocation {
        match self.location_index.checked_sub(FIRST_IN_HAND) {
            None => PieceLocation::Board(Square::from_index(self.location_index as usize)),
            Some(before) => PieceLocation::Hand(before + 1),
        }
    }

    /// The piece on the mirrored square; a piece in hand stays.
    pub(super) const fn mirrored(self) -> PlacedPiece {
        if self.location_index >= FIRST_IN_HAND {
            return self;
        }
        PlacedPiece { location_index: mirror(self.location_index as usize) as u8, ..self }
    }

    #[inline(always)]
    fn is_king_of(self, color: Color) -> bool {
        self.piece == Piece::new(color, PieceKind::King)
    }
}

/// A [`DirtyPiece`] in four bytes.
///
/// Converted field by field: a load of one word that was just stored as bytes stalls (no store forwarding).
#[derive(Clone, Copy, Debug)]
pub(super) struct DirtyPlacedPiece {
    pub(super) before: PlacedPiece,
    pub(super) after: PlacedPiece,
}

impl DirtyPlacedPiece {
    #[inline(always)]
    pub(super) const fn new(dirty: &DirtyPiece) -> DirtyPlacedPiece {
        DirtyPlacedPiece {
            before: PlacedPiece::new(dirty.before.0, dirty.before.1),
            after: PlacedPiece::new(dirty.after.0, dirty.after.1),
        }
    }

    #[inline(always)]
    pub(super) fn is_king_of(&self, color: Color) -> bool {
        self.before.is_king_of(color)
    }
}

/// The square mirrored at the fifth file.
pub(super) const fn mirror(square: usize) -> usize {
    Square::from_index(square).mirrored().index()
}

/// The square of a king as its own side sees it: White's board is rotated. A missing king counts as
/// one on 5i, the middle of its back rank.
#[inline(always)]
pub(super) fn oriented_king(position: &Position, color: Color) -> Square {
    const MISSING: Square = Square::new(4, 8);
    match (position.king(color), color) {
        (None, _) => MISSING,
        (Some(king), Color::Black) => king,
        (Some(king), Color::White) => king.rotated(),
    }
}

/// Visits every piece on the board and in the hands.
#[inline(always)]
pub(super) fn for_each_piece(position: &Position, mut visit: impl FnMut(PlacedPiece)) {
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            visit(PlacedPiece::new(piece, PieceLocation::Board(square)));
        }
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            for n in 1..=count as u8 {
                visit(PlacedPiece::new(Piece::new(color, kind), PieceLocation::Hand(n)));
            }
        }
    }
}

/// How many pieces of the full set, kings not counted, are neither on the board nor in a hand.
pub(super) fn missing_pieces(position: &Position) -> usize {
    let mut present = 0;
    for_each_piece(position, |placed| {
        present += usize::from(placed.piece.kind() != PieceKind::King);
    });
    FULL_SET.saturating_sub(present)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;

    #[test]
    fn missing_pieces_are_counted_and_kings_are_none_of_them() {
        let missing = |sfen| missing_pieces(&Position::from_sfen(sfen).unwrap());
        assert_eq!(missing("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), 0);
        assert_eq!(missing("4k4/9/9/9/9/9/9/9/9 b 2P 1"), 36);
        assert_eq!(missing("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"), 0);
        let lone = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2P 1").unwrap();
        assert_eq!(oriented_king(&lone, Color::Black).to_string(), "5i");
        assert_eq!(oriented_king(&lone, Color::White).to_string(), "5i");
        assert_eq!(missing_pieces(&Position::from_setup(&Setup::empty()).unwrap()), 38);
    }
}
