//! The pieces of a position in a short list, for those who keep millions of positions and want
//! nothing of each but the inputs that it switches on, as a trainer does.

use super::architecture::FeatureSet;
use super::features::{
    FULL_SET, FeatureScheme, IndexList, MAX_ACTIVE, PlacedPiece, for_each_piece, own_king,
};
use crate::position::{Position, Setup, Spot};
use crate::types::{ByColor, Color, Piece, PieceKind, Square};

/// Every piece of a position and where it lies; whose turn it is, and all history, is left out.
#[derive(Clone, Copy, Debug)]
pub struct PieceList {
    /// The first `len` count.
    placed: [PlacedPiece; PieceList::MOST],
    len: u8,
    /// As [`own_king`] has them.
    kings: ByColor<Square>,
}

impl PieceList {
    /// Pieces of a set, kings counted.
    const MOST: usize = FULL_SET + 2;
    /// The input of missing pieces by its number within any block. It counts once for each of them.
    pub const MISSING: u16 = 0;
    /// How often it can count.
    pub const MOST_MISSING: usize = FULL_SET;

    pub fn new(position: &Position) -> PieceList {
        let nothing = PlacedPiece::new(Piece::new(Color::Black, PieceKind::Pawn), Spot::Hand(1));
        let mut list = PieceList {
            placed: [nothing; PieceList::MOST],
            len: 0,
            kings: ByColor(Color::ALL.map(|color| own_king(position, color))),
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

    /// Adds to `numbers` what one view switches on, each input by its number within its block, and
    /// says which block that is: the input itself is `block * block_len + number`. Inputs that
    /// count several times are there as often.
    pub fn inputs(&self, set: FeatureSet, view: Color, numbers: &mut Vec<u16>) -> usize {
        let lens = FeatureScheme::of(set).lens(view, self.kings[view]);
        let first = lens.missing();
        let (mut list, mut kings) = (IndexList::<MAX_ACTIVE>::new(), 0);
        for &placed in self.placed() {
            lens.append(placed, &mut list);
            kings += usize::from(placed.piece().kind() == PieceKind::King);
        }
        numbers.extend(list.iter().map(|&input| (input - first) as u16));
        let missing = (FULL_SET + kings).saturating_sub(self.placed().len());
        numbers.extend(std::iter::repeat_n(PieceList::MISSING, missing));
        first as usize / set.block_len()
    }

    /// The pieces of the mirrored position, files 1 to 9 become 9 to 1: worth as much by the rules.
    pub fn mirrored(mut self) -> PieceList {
        self.placed.iter_mut().for_each(|placed| *placed = placed.mirrored());
        for king in &mut self.kings.0 {
            *king = king.mirrored();
        }
        self
    }

    /// The position again, with this side to move.
    pub fn setup(&self, side: Color) -> Setup {
        let mut setup = Setup { side, ..Setup::empty() };
        for &placed in self.placed() {
            let piece = placed.piece();
            match placed.spot() {
                Spot::Board(square) => setup.board[square.index()] = Some(piece),
                Spot::Hand(_) => setup.hands[piece.color()].add(piece.kind()),
            }
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::missing_pieces;
    use super::*;

    const POSITIONS: [&str; 5] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1",
        "9/9/2P1P4/9/4r4/4S4/9/9/9 b G 1",
    ];

    #[test]
    fn a_list_switches_on_what_its_position_does() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let list = PieceList::new(&position);
            for (set, view) in
                FeatureSet::ALL.into_iter().flat_map(|set| Color::ALL.map(|view| (set, view)))
            {
                let lens = FeatureScheme::of(set).lens(view, own_king(&position, view));
                let mut expected = IndexList::<MAX_ACTIVE>::new();
                for_each_piece(&position, |placed| lens.append(placed, &mut expected));
                (0..missing_pieces(&position)).for_each(|_| expected.push(lens.missing()));
                let mut numbers = Vec::new();
                let block = list.inputs(set, view, &mut numbers);
                let found: Vec<u32> = numbers
                    .iter()
                    .map(|&number| (block * set.block_len() + usize::from(number)) as u32)
                    .collect();
                assert_eq!(found, expected.to_vec(), "{set:?} {view:?} {sfen}");
                assert!(block < set.blocks());
                assert!(numbers.iter().all(|&number| usize::from(number) < set.block_len()));
            }
        }
    }

    #[test]
    fn a_position_comes_back_from_its_list() {
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
            for view in Color::ALL {
                let sorted = |list: &PieceList| {
                    let mut numbers = Vec::new();
                    let block = list.inputs(FeatureSet::HalfKa1, view, &mut numbers);
                    numbers.sort_unstable();
                    (block, numbers)
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
