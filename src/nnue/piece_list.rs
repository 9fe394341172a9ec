//! The pieces of a position as a compact list, for a trainer that keeps millions of positions and
//! needs only the features of each.

use super::architecture::FeatureSet;
use super::features::{FeatureScheme, IndexList, MAX_ACTIVE};
use super::placed_piece::{FULL_SET, PlacedPiece, for_each_piece, oriented_king};
use crate::position::{PieceLocation, Position, Setup};
use crate::types::{ByColor, Color, Piece, PieceKind, Square};

/// Every piece of a position with its location; without side to move and history.
#[derive(Clone, Copy, Debug)]
pub struct PieceList {
    /// The first `len` are valid.
    placed: [PlacedPiece; PieceList::MAX_PIECES],
    len: u8,
    /// See [`oriented_king`].
    kings: ByColor<Square>,
}

impl PieceList {
    /// Pieces of a full set with kings.
    const MAX_PIECES: usize = FULL_SET + 2;
    /// The feature of missing pieces, relative to its king bucket; active once per missing piece.
    pub const MISSING_PIECE: u16 = 0;
    /// How often it can be active.
    pub const MAX_MISSING: usize = FULL_SET;
    /// The most features that [`PieceList::append_active`] appends.
    pub const MAX_ACTIVE: usize = MAX_ACTIVE;

    pub fn new(position: &Position) -> PieceList {
        let nothing =
            PlacedPiece::new(Piece::new(Color::Black, PieceKind::Pawn), PieceLocation::Hand(1));
        let mut list = PieceList {
            placed: [nothing; PieceList::MAX_PIECES],
            len: 0,
            kings: ByColor(Color::ALL.map(|color| oriented_king(position, color))),
        };
        for_each_piece(position, |placed| {
            list.placed[usize::from(list.len)] = placed;
            list.len += 1;
        });
        list
    }

    fn placed(&self) -> &[PlacedPiece] {
        &self.placed[..usize::from(self.len)]
    }

    /// Appends the active features of one perspective to `features`, relative to the king bucket,
    /// and returns the bucket: the feature index is `bucket * king_bucket_len + feature`. Features
    /// that are active several times are appended as often.
    pub fn append_active(
        &self,
        set: FeatureSet,
        perspective: Color,
        features: &mut Vec<u16>,
    ) -> usize {
        let indexer = FeatureScheme::of(set).indexer(perspective, self.kings[perspective]);
        let first = indexer.missing_piece();
        let (mut list, mut kings) = (IndexList::<MAX_ACTIVE>::new(), 0);
        for &placed in self.placed() {
            indexer.append_active(placed, &mut list);
            kings += usize::from(placed.piece.kind() == PieceKind::King);
        }
        features.extend(list.iter().map(|&index| (index - first) as u16));
        let missing = (FULL_SET + kings).saturating_sub(self.placed().len());
        features.extend(std::iter::repeat_n(PieceList::MISSING_PIECE, missing));
        first as usize / set.king_bucket_len()
    }

    /// The pieces of the mirrored position: files 1 to 9 become 9 to 1.
    pub fn mirrored(mut self) -> PieceList {
        self.placed.iter_mut().for_each(|placed| *placed = placed.mirrored());
        for king in &mut self.kings.0 {
            *king = king.mirrored();
        }
        self
    }

    /// The position with this side to move.
    pub fn setup(&self, side: Color) -> Setup {
        let mut setup = Setup { side, ..Setup::empty() };
        for &placed in self.placed() {
            let piece = placed.piece;
            match placed.location() {
                PieceLocation::Board(square) => setup.board[square.index()] = Some(piece),
                PieceLocation::Hand(_) => setup.hands[piece.color()].add(piece.kind()),
            }
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::super::placed_piece::missing_pieces;
    use super::*;

    const POSITIONS: [&str; 5] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1",
        "9/9/2P1P4/9/4r4/4S4/9/9/9 b G 1",
    ];

    #[test]
    fn a_list_activates_the_features_of_its_position() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let list = PieceList::new(&position);
            for (set, perspective) in FeatureSet::ALL
                .into_iter()
                .flat_map(|set| Color::ALL.map(|perspective| (set, perspective)))
            {
                let indexer = FeatureScheme::of(set)
                    .indexer(perspective, oriented_king(&position, perspective));
                let mut expected = IndexList::<MAX_ACTIVE>::new();
                for_each_piece(&position, |placed| indexer.append_active(placed, &mut expected));
                (0..missing_pieces(&position)).for_each(|_| expected.push(indexer.missing_piece()));
                let mut numbers = Vec::new();
                let bucket = list.append_active(set, perspective, &mut numbers);
                let found: Vec<u32> = numbers
                    .iter()
                    .map(|&number| (bucket * set.king_bucket_len() + usize::from(number)) as u32)
                    .collect();
                assert_eq!(found, expected.to_vec(), "{set:?} {perspective:?} {sfen}");
                assert!(bucket < set.king_buckets());
                assert!(numbers.iter().all(|&number| usize::from(number) < set.king_bucket_len()));
            }
        }
    }

    #[test]
    fn a_position_is_restored_from_its_list() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let setup = PieceList::new(&position).setup(position.side_to_move());
            assert_eq!(setup, position.setup());
        }
    }

    #[test]
    fn a_mirrored_list_is_that_of_the_mirrored_position() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let mut setup = position.setup();
            for (index, piece) in position.setup().board.into_iter().enumerate() {
                setup.board[Square::from_index(index).mirrored().index()] = piece;
            }
            let list = PieceList::new(&position).mirrored();
            assert_eq!(list.setup(position.side_to_move()), setup);
            let other = PieceList::new(&Position::from_setup(&setup).unwrap());
            for perspective in Color::ALL {
                let sorted = |list: &PieceList| {
                    let mut numbers = Vec::new();
                    let bucket = list.append_active(FeatureSet::HalfKa1, perspective, &mut numbers);
                    numbers.sort_unstable();
                    (bucket, numbers)
                };
                assert_eq!(sorted(&list), sorted(&other), "{sfen}");
            }
        }
    }

    #[test]
    fn a_list_is_small() {
        assert!(size_of::<PieceList>() <= 84);
    }
}
