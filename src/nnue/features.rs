//! Which inputs a position switches on, and how they are numbered.
//!
//! Owns the numbers of pieces in their places ("BonaPiece", a numbering from Bonanza that all
//! Japanese nets share, with hands before the board) and what each [`FeatureSet`] makes of them. It
//! knows nothing of sums and of moves as such, only of pieces that leave one spot for another.
//!
//! A view is a side that looks at the board from behind its own pieces: White sees it turned by
//! half a circle. Pieces missing from the full set of 38 count as the input 0, once each, as the
//! piece lists of YaneuraOu have them. A missing king is no input at all; where its square is asked
//! for, it stands on 5i as its side sees it, the middle of its back rank.

use std::ops::Deref;

use super::architecture::FeatureSet;
use crate::position::{Change, Position, Spot};
use crate::types::{Color, Piece, PieceKind, Square};

/// Pieces of the full set, kings not counted.
pub(super) const FULL_SET: usize = 38;
/// What one view of any position can switch on at most: 38 pieces and both kings, these perhaps
/// twice.
pub(super) const MAX_ACTIVE: usize = 42;
/// What one view of one move can switch on, or off, at most: a king counted twice, and what it took.
pub(super) const MAX_CHANGED: usize = 3;

/// Inputs of hands; the board begins here.
const HAND_END: usize = 90;
/// The input of the first piece in hand of each kind, own and enemy, by [`PieceKind::index`].
const IN_HAND: [[u16; 2]; 8] =
    [[0; 2], [1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];

/// Where the squares of a piece begin in the numbering, for its own side and the enemy's.
const fn plane(kind: PieceKind, enemy: bool) -> u16 {
    let pair = match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Bishop => 5,
        PieceKind::Horse => 6,
        PieceKind::Rook => 7,
        PieceKind::Dragon => 8,
        PieceKind::King => 9,
        _ => 4,
    };
    (HAND_END + 81 * (2 * pair + enemy as usize)) as u16
}

/// Numbers by piece: `[0 on the board, 1 in hand][view][piece]`.
type Planes = [[[u16; Piece::TABLE]; 2]; 2];

const fn planes(merge_kings: bool) -> Planes {
    let mut planes = [[[0; Piece::TABLE]; 2]; 2];
    let mut i = 0;
    while i < 2 * 2 * PieceKind::ALL.len() {
        let view = Color::ALL[i % 2];
        let owner = Color::ALL[i / 2 % 2];
        let kind = PieceKind::ALL[i / 4];
        let piece = Piece::new(owner, kind);
        let enemy = view as u8 != owner as u8;
        let apart = enemy && !(merge_kings && matches!(kind, PieceKind::King));
        planes[0][view.index()][piece.index()] = plane(kind, apart);
        if kind.index() < IN_HAND.len() {
            planes[1][view.index()][piece.index()] = IN_HAND[kind.index()][enemy as usize];
        }
        i += 1;
    }
    planes
}

static KINGS_APART: Planes = planes(false);
static KINGS_MERGED: Planes = planes(true);

/// A piece and where it lies, so small that it costs nothing to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedPiece {
    piece: Piece,
    /// A square, or the n-th of a hand (from 1) behind the squares.
    place: u8,
}

impl PlacedPiece {
    #[inline(always)]
    pub(super) const fn piece(self) -> Piece {
        self.piece
    }

    /// The same on the other wing.
    pub(super) const fn mirrored(self) -> PlacedPiece {
        if self.place >= FIRST_IN_HAND {
            return self;
        }
        PlacedPiece { place: mirror(self.place as usize) as u8, ..self }
    }

    pub(super) const fn spot(self) -> Spot {
        match self.place.checked_sub(FIRST_IN_HAND) {
            None => Spot::Board(Square::from_index(self.place as usize)),
            Some(before) => Spot::Hand(before + 1),
        }
    }

    #[inline(always)]
    pub(super) const fn new(piece: Piece, spot: Spot) -> PlacedPiece {
        let place = match spot {
            Spot::Board(square) => square.index() as u8,
            Spot::Hand(n) => FIRST_IN_HAND + n - 1,
        };
        PlacedPiece { piece, place }
    }

    #[inline(always)]
    fn is_king_of(self, color: Color) -> bool {
        self.piece == Piece::new(color, PieceKind::King)
    }
}

const FIRST_IN_HAND: u8 = Square::COUNT as u8;
/// Squares, and up to 18 pieces of a kind in a hand.
const PLACES: usize = Square::COUNT + 18;

/// A piece that goes from one place to another. Taken apart and put together again field by field:
/// what was just written in bytes is slow to be read as a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirtyPiece {
    before: PlacedPiece,
    after: PlacedPiece,
}

impl DirtyPiece {
    #[inline(always)]
    pub(super) const fn new(change: &Change) -> DirtyPiece {
        DirtyPiece {
            before: PlacedPiece::new(change.before.0, change.before.1),
            after: PlacedPiece::new(change.after.0, change.after.1),
        }
    }

    #[inline(always)]
    pub(super) fn moves_king_of(&self, color: Color) -> bool {
        self.before.is_king_of(color)
    }
}

/// `[view][0 as it is, 1 mirrored]`, the number of each place within its plane.
static WITHIN: [[[u8; PLACES]; 2]; 2] = {
    let mut within = [[[0; PLACES]; 2]; 2];
    let mut i = 0;
    while i < Square::COUNT {
        within[0][0][i] = i as u8;
        within[0][1][i] = mirror(i) as u8;
        within[1][0][i] = (80 - i) as u8;
        within[1][1][i] = mirror(80 - i) as u8;
        i += 1;
    }
    while i < PLACES {
        let n = i as u8 - FIRST_IN_HAND;
        within[0][0][i] = n;
        within[0][1][i] = n;
        within[1][0][i] = n;
        within[1][1][i] = n;
        i += 1;
    }
    within
};

/// The square on the other side of the fifth file.
const fn mirror(square: usize) -> usize {
    Square::from_index(square).mirrored().index()
}

/// Own kings from here on (file 6) are mirrored, where a set does so.
const FIRST_MIRRORED: usize = 45;

/// What kings are to a set, besides a choice of plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kings {
    /// No inputs.
    None,
    /// Inputs like those of other pieces.
    Once,
    /// The same, and a second one among kings only.
    Twice,
}

/// How a [`FeatureSet`] numbers its inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureScheme {
    planes: &'static Planes,
    kings: Kings,
    /// Inputs for each square of the own king; 0 for sets that do not ask for it.
    per_king: usize,
    mirrored: bool,
}

impl FeatureScheme {
    pub(super) fn of(set: FeatureSet) -> FeatureScheme {
        let (kings, merged, mirrored) = match set {
            FeatureSet::HalfKp => (Kings::None, false, false),
            FeatureSet::HalfKpVm => (Kings::None, false, true),
            FeatureSet::KP => (Kings::Once, false, false),
            FeatureSet::KA2 => (Kings::Twice, true, false),
            FeatureSet::HalfKa1 => (Kings::Once, false, false),
            FeatureSet::HalfKa2 => (Kings::Once, true, false),
            FeatureSet::HalfKaHm1 => (Kings::Once, false, true),
            FeatureSet::HalfKaHm2 => (Kings::Once, true, true),
        };
        let per_king = if set.blocks() == 1 { 0 } else { set.block_len() };
        let planes = if merged { &KINGS_MERGED } else { &KINGS_APART };
        FeatureScheme { planes, kings, per_king, mirrored }
    }

    /// Whether a move of the own king changes every input of its view.
    #[inline(always)]
    pub(super) fn depend_on_king(&self) -> bool {
        self.per_king != 0
    }

    /// The numbering for one view, as long as its king stays on `king`, which is the square as its
    /// own side sees it.
    #[inline(always)]
    pub(super) fn lens(&self, view: Color, king: Square) -> FeatureIndexer {
        let mirrored = self.mirrored && king.index() >= FIRST_MIRRORED;
        let king = if mirrored { mirror(king.index()) } else { king.index() };
        let [board, hand] = self.planes;
        FeatureIndexer {
            board: &board[view.index()],
            hand: &hand[view.index()],
            within: &WITHIN[view.index()][mirrored as usize],
            base: (king * self.per_king) as u32,
            kings: self.kings,
            view,
        }
    }
}

/// The numbers of inputs for one view and one square of its king.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureIndexer {
    board: &'static [u16; Piece::TABLE],
    hand: &'static [u16; Piece::TABLE],
    within: &'static [u8; PLACES],
    base: u32,
    kings: Kings,
    view: Color,
}

impl FeatureIndexer {
    /// The input that stands for a piece that is missing.
    #[inline(always)]
    pub(super) fn missing(&self) -> u32 {
        self.base
    }

    /// Adds what a piece switches on.
    #[inline(always)]
    pub(super) fn append<const N: usize>(&self, placed: PlacedPiece, to: &mut IndexList<N>) {
        if placed.piece.kind() == PieceKind::King {
            self.append_king(placed, to);
        } else {
            to.push(self.base + self.number(placed));
        }
    }

    /// Adds what the change of one piece switches on and off.
    #[inline(always)]
    pub(super) fn append_change<const N: usize>(
        &self,
        change: &DirtyPiece,
        added: &mut IndexList<N>,
        removed: &mut IndexList<N>,
    ) {
        self.append(change.after, added);
        self.append(change.before, removed);
    }

    #[inline(always)]
    fn number(&self, PlacedPiece { piece, place }: PlacedPiece) -> u32 {
        let planes = if place < FIRST_IN_HAND { self.board } else { self.hand };
        u32::from(planes[piece.index()]) + u32::from(self.within[place as usize])
    }

    #[inline(always)]
    fn append_king<const N: usize>(&self, king: PlacedPiece, to: &mut IndexList<N>) {
        if self.kings == Kings::None {
            return;
        }
        let number = self.number(king);
        to.push(self.base + number);
        if self.kings == Kings::Twice {
            // The first input puts both kings in one plane; the second tells them apart.
            let planes = if king.piece.color() == self.view { 1 } else { 2 };
            to.push(number + planes * Square::COUNT as u32);
        }
    }
}

/// The square of a king as its own side sees it.
#[inline(always)]
pub(super) fn own_king(position: &Position, color: Color) -> Square {
    const MISSING: Square = Square::new(4, 8);
    match (position.king(color), color) {
        (None, _) => MISSING,
        (Some(king), Color::Black) => king,
        (Some(king), Color::White) => king.rotate(),
    }
}

/// Every piece on the board and in the hands.
#[inline(always)]
pub(super) fn for_each_piece(position: &Position, mut visit: impl FnMut(PlacedPiece)) {
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            visit(PlacedPiece::new(piece, Spot::Board(square)));
        }
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            for n in 1..=count as u8 {
                visit(PlacedPiece::new(Piece::new(color, kind), Spot::Hand(n)));
            }
        }
    }
}

/// How many of the full set, kings not counted, are neither on the board nor in a hand.
pub(super) fn missing_pieces(position: &Position) -> usize {
    let mut present = 0;
    for_each_piece(position, |placed| {
        present += usize::from(placed.piece.kind() != PieceKind::King);
    });
    FULL_SET.saturating_sub(present)
}

/// A short list of inputs, on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexList<const N: usize> {
    inputs: [u32; N],
    len: usize,
}

impl<const N: usize> IndexList<N> {
    #[inline(always)]
    pub(super) const fn new() -> IndexList<N> {
        IndexList { inputs: [0; N], len: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, input: u32) {
        self.inputs[self.len] = input;
        self.len += 1;
    }
}

impl<const N: usize> Deref for IndexList<N> {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.inputs[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn active(set: FeatureSet, sfen: &str, view: Color) -> Vec<u32> {
        let position = Position::from_sfen(sfen).unwrap();
        let lens = FeatureScheme::of(set).lens(view, own_king(&position, view));
        let mut list = IndexList::<MAX_ACTIVE>::new();
        for_each_piece(&position, |placed| lens.append(placed, &mut list));
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    }

    fn placed(text: &str) -> PlacedPiece {
        let color = if text.starts_with(|c: char| c.is_ascii_uppercase()) {
            Color::Black
        } else {
            Color::White
        };
        let kind = PieceKind::from_letter(text[..1].to_uppercase().parse().unwrap()).unwrap();
        let spot = match text[1..].parse() {
            Ok(n) => Spot::Hand(n),
            Err(_) => Spot::Board(text[1..].parse().unwrap()),
        };
        PlacedPiece::new(Piece::new(color, kind), spot)
    }

    fn number(set: FeatureSet, view: Color, king: &str, piece: &str) -> u32 {
        let lens = FeatureScheme::of(set).lens(view, king.parse().unwrap());
        let mut list = IndexList::<2>::new();
        lens.append(placed(piece), &mut list);
        list[0]
    }

    #[test]
    fn pieces_have_the_published_numbers() {
        let numbers = [
            ("P1", 1, 20),
            ("P18", 18, 37),
            ("L4", 42, 47),
            ("N1", 49, 54),
            ("S4", 62, 67),
            ("G1", 69, 74),
            ("B2", 80, 83),
            ("R1", 85, 88),
            ("P1a", 90, 171 + 80),
            ("L1b", 252 + 1, 333 + 79),
            ("N9i", 414 + 80, 495),
            ("S5e", 576 + 40, 657 + 40),
            ("G1a", 738, 819 + 80),
            ("B1a", 900, 981 + 80),
            ("R1a", 1224, 1305 + 80),
            ("K1a", 1548, 1629 + 80),
        ];
        for (piece, own, enemy) in numbers {
            assert_eq!(number(FeatureSet::KP, Color::Black, "5i", piece), own, "{piece}");
            assert_eq!(number(FeatureSet::KP, Color::White, "5i", piece), enemy, "{piece}");
        }
        for (kind, own) in [(PieceKind::Horse, 1062), (PieceKind::Dragon, 1386)] {
            assert_eq!((plane(kind, false), plane(kind, true)), (own, own + 81));
        }
        for kind in [PieceKind::ProPawn, PieceKind::ProLance, PieceKind::ProSilver] {
            assert_eq!(plane(kind, true), plane(PieceKind::Gold, true));
        }
    }

    #[test]
    fn the_own_king_chooses_the_block_and_mirrors_the_board_but_no_hand() {
        let of = |set, king, piece| number(set, Color::Black, king, piece);
        // 6i is square 53, which mirrored is 35 (4i).
        assert_eq!(of(FeatureSet::HalfKp, "6i", "P9a"), 53 * 1548 + 90 + 72);
        assert_eq!(of(FeatureSet::HalfKpVm, "6i", "P9a"), 35 * 1548 + 90);
        assert_eq!(of(FeatureSet::HalfKpVm, "5i", "P9a"), 44 * 1548 + 90 + 72);
        assert_eq!(of(FeatureSet::HalfKpVm, "6i", "p3"), 35 * 1548 + 22);
        assert_eq!(of(FeatureSet::HalfKa1, "6i", "k9a"), 53 * 1710 + 1629 + 72);
        assert_eq!(of(FeatureSet::HalfKa2, "6i", "k9a"), 53 * 1629 + 1548 + 72);
        assert_eq!(of(FeatureSet::HalfKaHm1, "6i", "k9a"), 35 * 1710 + 1629);
        assert_eq!(of(FeatureSet::HalfKaHm2, "6i", "k9a"), 35 * 1629 + 1548);
    }

    #[test]
    fn the_second_input_of_a_king_tells_own_from_enemy() {
        let lens = FeatureScheme::of(FeatureSet::KA2).lens(Color::White, Square::new(0, 0));
        for (king, inputs) in [("k9i", [1548, 1629]), ("K9i", [1548, 1710])] {
            let mut list = IndexList::<2>::new();
            lens.append(placed(king), &mut list);
            assert_eq!(list[..], inputs);
        }
    }

    #[test]
    fn no_set_has_an_input_beyond_its_dimensions_and_no_two_pieces_share_one() {
        for set in FeatureSet::ALL {
            for king in Square::all() {
                let lens = FeatureScheme::of(set).lens(Color::Black, king);
                let mut seen = std::collections::HashSet::new();
                for piece in Piece::all().filter(|piece| !piece.kind().is_promoted()) {
                    for square in Square::all() {
                        let mut list = IndexList::<2>::new();
                        lens.append(PlacedPiece::new(piece, Spot::Board(square)), &mut list);
                        let shared = piece.kind() == PieceKind::King
                            && !matches!(
                                set,
                                FeatureSet::KP | FeatureSet::HalfKa1 | FeatureSet::HalfKaHm1
                            );
                        for &input in list.iter() {
                            assert!((input as usize) < set.dimensions());
                            assert!(seen.insert(input) || shared, "{set:?} {piece} {square}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_start_looks_alike_from_both_sides() {
        for set in FeatureSet::ALL {
            let black = active(set, START, Color::Black);
            assert_eq!(black, active(set, START, Color::White));
            assert_eq!(
                black.len(),
                38 + match set {
                    FeatureSet::HalfKp | FeatureSet::HalfKpVm => 0,
                    FeatureSet::KA2 => 4,
                    _ => 2,
                }
            );
        }
    }

    #[test]
    fn missing_pieces_are_counted_and_kings_are_none_of_them() {
        let missing = |sfen| missing_pieces(&Position::from_sfen(sfen).unwrap());
        assert_eq!(missing(START), 0);
        assert_eq!(missing("4k4/9/9/9/9/9/9/9/9 b 2P 1"), 36);
        assert_eq!(missing("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"), 0);
        let lone = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2P 1").unwrap();
        assert_eq!(own_king(&lone, Color::Black).to_string(), "5i");
        assert_eq!(own_king(&lone, Color::White).to_string(), "5i");
        assert_eq!(missing_pieces(&Position::from_setup(&Setup::empty()).unwrap()), 38);
    }
}
