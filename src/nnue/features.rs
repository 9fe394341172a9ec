//! Which features of a [`FeatureSet`] are active in a position, and their indices.
//!
//! Pieces are numbered as "BonaPiece", a numbering from Bonanza that all Japanese networks share:
//! hands first, then the board. Each feature set builds its indices from these numbers.
//!
//! A perspective is the board as one side sees it; for White it is rotated by 180 degrees. Each
//! piece missing from the full set of 38 activates feature 0 once more, as in the piece lists of
//! YaneuraOu. A missing king activates nothing.

use std::ops::Deref;

use super::architecture::FeatureSet;
use super::placed_piece::{DirtyPlacedPiece, FIRST_IN_HAND, LOCATIONS, PlacedPiece, mirror};
use crate::types::{Color, Piece, PieceKind, Square};

/// The most features of one perspective: 38 pieces and both kings, these perhaps twice.
pub(super) const MAX_ACTIVE: usize = 42;
/// The most features that one move adds or removes in one perspective: a king that counts twice,
/// and the captured piece.
pub(super) const MAX_CHANGED: usize = 3;

/// BonaPiece numbers of hands end here, those of the board begin.
const HAND_END: usize = 90;
/// BonaPiece of the first piece in hand of each kind, own and enemy, by [`PieceKind::index`].
const IN_HAND: [[u16; 2]; 8] =
    [[0; 2], [1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];

/// BonaPiece of a piece on the first square.
const fn board_start(kind: PieceKind, enemy: bool) -> u16 {
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
        // Gold, and the small pieces that promote to one.
        _ => 4,
    };
    (HAND_END + 81 * (2 * pair + enemy as usize)) as u16
}

/// Where the BonaPiece numbers of a piece begin: `[0 on the board, 1 in hand][perspective][piece]`.
type BonaPieces = [[[u16; Piece::TABLE]; 2]; 2];

const fn bona_pieces(merge_kings: bool) -> BonaPieces {
    let mut starts = [[[0; Piece::TABLE]; 2]; 2];
    let mut i = 0;
    while i < 2 * 2 * PieceKind::ALL.len() {
        let perspective = Color::ALL[i % 2];
        let owner = Color::ALL[i / 2 % 2];
        let kind = PieceKind::ALL[i / 4];
        let piece = Piece::new(owner, kind);
        let enemy = perspective as u8 != owner as u8;
        let apart = enemy && !(merge_kings && matches!(kind, PieceKind::King));
        starts[0][perspective.index()][piece.index()] = board_start(kind, apart);
        if kind.index() < IN_HAND.len() {
            starts[1][perspective.index()][piece.index()] = IN_HAND[kind.index()][enemy as usize];
        }
        i += 1;
    }
    starts
}

static SEPARATE_KINGS: BonaPieces = bona_pieces(false);
static MERGED_KINGS: BonaPieces = bona_pieces(true);

/// `[perspective][0 as it is, 1 mirrored]`: each location as this perspective sees it.
static ORIENTED: [[[u8; LOCATIONS]; 2]; 2] = {
    let mut oriented = [[[0; LOCATIONS]; 2]; 2];
    let mut i = 0;
    while i < Square::COUNT {
        oriented[0][0][i] = i as u8;
        oriented[0][1][i] = mirror(i) as u8;
        oriented[1][0][i] = (80 - i) as u8;
        oriented[1][1][i] = mirror(80 - i) as u8;
        i += 1;
    }
    while i < LOCATIONS {
        let n = i as u8 - FIRST_IN_HAND;
        oriented[0][0][i] = n;
        oriented[0][1][i] = n;
        oriented[1][0][i] = n;
        oriented[1][1][i] = n;
        i += 1;
    }
    oriented
};

/// Mirroring feature sets mirror the board if the own king is on files 6 to 9; the first of these squares is 6a.
const FIRST_MIRRORED: usize = 45;

/// The king buckets of sets that ignore the square of the own king.
static ONE_BUCKET: [u8; Square::COUNT] = [0; Square::COUNT];

/// The king buckets of sets that distinguish all squares.
static SQUARES: [u8; Square::COUNT] = {
    let mut buckets = [0; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        buckets[i] = i as u8;
        i += 1;
    }
    buckets
};

/// The king buckets of [`FeatureSet::ZoneKaHm1`]: 0 if the king has left its camp of three ranks, else by file,
/// 1 on files 1 and 2, 2 on 3 and 4, 3 on 5.
static ZONES: [u8; Square::COUNT] = {
    let mut zones = [0; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        zones[i] = match (i / 9, i % 9) {
            (_, ..6) => 0,
            (..2, _) => 1,
            (..4, _) => 2,
            _ => 3,
        };
        i += 1;
    }
    zones
};

/// Which features a king activates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KingFeatures {
    None,
    /// One, as any other piece.
    One,
    /// The same, and a second one that only kings have.
    Two,
}

/// The parameters of a [`FeatureSet`] in the form that indexing needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureScheme {
    bona_pieces: &'static BonaPieces,
    kings: KingFeatures,
    /// The bucket of each square of the own king, after mirroring.
    king_buckets: &'static [u8; Square::COUNT],
    /// 1 for sets that ignore the square of the own king.
    king_bucket_count: usize,
    /// Features per king bucket.
    king_bucket_len: usize,
    mirrored: bool,
}

impl FeatureScheme {
    pub(super) fn of(set: FeatureSet) -> FeatureScheme {
        let (kings, merged, mirrored) = match set {
            FeatureSet::HalfKp => (KingFeatures::None, false, false),
            FeatureSet::HalfKpVm => (KingFeatures::None, false, true),
            FeatureSet::KP => (KingFeatures::One, false, false),
            FeatureSet::KA2 => (KingFeatures::Two, true, false),
            FeatureSet::HalfKa1 => (KingFeatures::One, false, false),
            FeatureSet::HalfKa2 => (KingFeatures::One, true, false),
            FeatureSet::HalfKaHm1 | FeatureSet::ZoneKaHm1 => (KingFeatures::One, false, true),
            FeatureSet::HalfKaHm2 => (KingFeatures::One, true, true),
        };
        let bona_pieces = if merged { &MERGED_KINGS } else { &SEPARATE_KINGS };
        let king_buckets = match set {
            _ if set.king_buckets() == 1 => &ONE_BUCKET,
            FeatureSet::ZoneKaHm1 => &ZONES,
            _ => &SQUARES,
        };
        FeatureScheme {
            bona_pieces,
            kings,
            king_buckets,
            king_bucket_count: set.king_buckets(),
            king_bucket_len: set.king_bucket_len(),
            mirrored,
        }
    }

    /// Whether the features of a perspective depend on the bucket of its own king; see `is_refresh_needed` for a
    /// single move.
    #[inline(always)]
    pub(super) fn depends_on_king(&self) -> bool {
        self.king_bucket_count > 1
    }

    /// Number of king buckets, those of a mirrored board counted separately.
    pub(super) fn oriented_buckets(&self) -> usize {
        self.king_bucket_count * (1 + self.mirrored as usize)
    }

    /// Whether this move of the own king of a perspective changes the indices of all its features.
    #[inline(always)]
    pub(super) fn is_refresh_needed(&self, perspective: Color, king: &DirtyPlacedPiece) -> bool {
        let bucket = |placed: PlacedPiece| {
            let square = ORIENTED[perspective.index()][0][placed.location_index as usize];
            self.king_bucket(usize::from(square))
        };
        self.depends_on_king() && bucket(king.before) != bucket(king.after)
    }

    /// The bucket of the own king on an oriented square, and whether the board is mirrored.
    #[inline(always)]
    fn king_bucket(&self, king: usize) -> (usize, bool) {
        let is_mirrored = self.mirrored && king >= FIRST_MIRRORED;
        let king = if is_mirrored { mirror(king) } else { king };
        (usize::from(self.king_buckets[king]), is_mirrored)
    }

    /// The indexer of one perspective while its king is on `king`, an oriented square.
    #[inline(always)]
    pub(super) fn indexer(&self, perspective: Color, king: Square) -> FeatureIndexer {
        let (bucket, mirrored) = self.king_bucket(king.index());
        let [board, hand] = self.bona_pieces;
        FeatureIndexer {
            board: &board[perspective.index()],
            hand: &hand[perspective.index()],
            oriented: &ORIENTED[perspective.index()][mirrored as usize],
            offset: (bucket * self.king_bucket_len) as u32,
            oriented_bucket: bucket + self.king_bucket_count * mirrored as usize,
            kings: self.kings,
            perspective,
        }
    }
}

/// Feature indices of one perspective and one square of its king.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureIndexer {
    board: &'static [u16; Piece::TABLE],
    hand: &'static [u16; Piece::TABLE],
    oriented: &'static [u8; LOCATIONS],
    /// The first feature of the king bucket.
    offset: u32,
    oriented_bucket: usize,
    kings: KingFeatures,
    perspective: Color,
}

impl FeatureIndexer {
    #[inline(always)]
    pub(super) fn perspective(&self) -> Color {
        self.perspective
    }

    /// The index of the king bucket, below [`FeatureScheme::oriented_buckets`]. Two squares of the own king
    /// with the same index give every other piece the same features.
    #[inline(always)]
    pub(super) fn oriented_bucket(&self) -> usize {
        self.oriented_bucket
    }

    /// The feature that stands for a missing piece.
    #[inline(always)]
    pub(super) fn missing_piece(&self) -> u32 {
        self.offset
    }

    /// Appends the features that a piece activates.
    #[inline(always)]
    pub(super) fn append_active<const N: usize>(
        &self,
        placed: PlacedPiece,
        active: &mut IndexList<N>,
    ) {
        if placed.piece.kind() == PieceKind::King {
            self.append_king(placed, active);
        } else {
            active.push(self.offset + self.bona_piece(placed));
        }
    }

    /// Appends the features that a changed piece adds and removes.
    #[inline(always)]
    pub(super) fn append_changed<const N: usize>(
        &self,
        dirty: &DirtyPlacedPiece,
        added: &mut IndexList<N>,
        removed: &mut IndexList<N>,
    ) {
        self.append_active(dirty.after, added);
        self.append_active(dirty.before, removed);
    }

    #[inline(always)]
    fn bona_piece(&self, PlacedPiece { piece, location_index }: PlacedPiece) -> u32 {
        let starts = if location_index < FIRST_IN_HAND { self.board } else { self.hand };
        u32::from(starts[piece.index()]) + u32::from(self.oriented[location_index as usize])
    }

    #[inline(always)]
    fn append_king<const N: usize>(&self, king: PlacedPiece, active: &mut IndexList<N>) {
        if self.kings == KingFeatures::None {
            return;
        }
        let number = self.bona_piece(king);
        active.push(self.offset + number);
        if self.kings == KingFeatures::Two {
            // The first feature is the same for both kings on a square; the second is not.
            let planes = if king.piece.color() == self.perspective { 1 } else { 2 };
            active.push(number + planes * Square::COUNT as u32);
        }
    }
}

/// A short list of feature indices on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexList<const N: usize> {
    indices: [u32; N],
    len: usize,
}

impl<const N: usize> IndexList<N> {
    #[inline(always)]
    pub(super) const fn new() -> IndexList<N> {
        IndexList { indices: [0; N], len: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, index: u32) {
        self.indices[self.len] = index;
        self.len += 1;
    }
}

impl<const N: usize> Deref for IndexList<N> {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.indices[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::placed_piece::{for_each_piece, oriented_king};
    use crate::position::{PieceLocation, Position};

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn active(set: FeatureSet, sfen: &str, perspective: Color) -> Vec<u32> {
        let position = Position::from_sfen(sfen).unwrap();
        let indexer =
            FeatureScheme::of(set).indexer(perspective, oriented_king(&position, perspective));
        let mut list = IndexList::<MAX_ACTIVE>::new();
        for_each_piece(&position, |placed| indexer.append_active(placed, &mut list));
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
        let location = match text[1..].parse() {
            Ok(n) => PieceLocation::Hand(n),
            Err(_) => PieceLocation::Board(text[1..].parse().unwrap()),
        };
        PlacedPiece::new(Piece::new(color, kind), location)
    }

    fn number(set: FeatureSet, perspective: Color, king: &str, piece: &str) -> u32 {
        let indexer = FeatureScheme::of(set).indexer(perspective, king.parse().unwrap());
        let mut list = IndexList::<2>::new();
        indexer.append_active(placed(piece), &mut list);
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
            assert_eq!((board_start(kind, false), board_start(kind, true)), (own, own + 81));
        }
        for kind in [PieceKind::ProPawn, PieceKind::ProLance, PieceKind::ProSilver] {
            assert_eq!(board_start(kind, true), board_start(PieceKind::Gold, true));
        }
    }

    #[test]
    fn the_own_king_selects_the_king_bucket_and_mirrors_the_board_but_not_the_hands() {
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
    fn the_second_feature_of_a_king_tells_own_from_enemy() {
        let indexer = FeatureScheme::of(FeatureSet::KA2).indexer(Color::White, Square::new(0, 0));
        for (king, features) in [("k9i", [1548, 1629]), ("K9i", [1548, 1710])] {
            let mut list = IndexList::<2>::new();
            indexer.append_active(placed(king), &mut list);
            assert_eq!(list[..], features);
        }
    }

    #[test]
    fn no_set_has_a_feature_beyond_its_dimensions_and_no_two_pieces_share_one() {
        for set in FeatureSet::ALL {
            for king in Square::all() {
                let indexer = FeatureScheme::of(set).indexer(Color::Black, king);
                let mut seen = std::collections::HashSet::new();
                for piece in Piece::all().filter(|piece| !piece.kind().is_promoted()) {
                    for square in Square::all() {
                        let mut list = IndexList::<2>::new();
                        indexer.append_active(
                            PlacedPiece::new(piece, PieceLocation::Board(square)),
                            &mut list,
                        );
                        let shared = piece.kind() == PieceKind::King
                            && !matches!(
                                set,
                                FeatureSet::KP
                                    | FeatureSet::HalfKa1
                                    | FeatureSet::HalfKaHm1
                                    | FeatureSet::ZoneKaHm1
                            );
                        for &feature in list.iter() {
                            assert!((feature as usize) < set.dimensions());
                            assert!(seen.insert(feature) || shared, "{set:?} {piece} {square}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_zone_of_the_own_king_selects_the_bucket() {
        let squares = ["5a", "1f", "1g", "2i", "8h", "9i", "3g", "7i", "6h", "5i"];
        for (square, zone) in squares.into_iter().zip([0, 0, 1, 1, 1, 1, 2, 2, 2, 3]) {
            let number = number(FeatureSet::ZoneKaHm1, Color::Black, square, "P1");
            assert_eq!(number, zone * 1710 + 1, "{square}");
        }
    }

    #[test]
    fn a_king_that_stays_in_its_zone_and_its_half_needs_no_refresh() {
        let scheme = FeatureScheme::of(FeatureSet::ZoneKaHm1);
        let is_needed = |perspective, before: &str, after: &str| {
            let (before, after) = (placed(before), placed(after));
            scheme.is_refresh_needed(perspective, &DirtyPlacedPiece { before, after })
        };
        for (before, after, expected) in [
            ("K8h", "K9i", false),
            ("K8h", "K7h", true),
            ("K4h", "K6h", true),
            ("K5g", "K5f", true),
            ("K4d", "K5d", false),
            ("K5d", "K6d", true),
        ] {
            assert_eq!(is_needed(Color::Black, before, after), expected, "{before} {after}");
        }
        assert!(!is_needed(Color::White, "k2b", "k1a"));
        assert!(is_needed(Color::White, "k2b", "k3b"));
    }

    #[test]
    fn the_start_position_has_equal_features_for_both_sides() {
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
}
