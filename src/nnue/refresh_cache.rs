//! A cache of accumulators per king bucket, mirrored and not ("Finny tables"): a refresh applies only the
//! difference to the last position with the king there. The idea is from the chess engine Koivisto
//! (2021).

use super::features::{FeatureIndexer, FeatureScheme, IndexList, MAX_ACTIVE};
use super::kernels::Kernels;
use super::placed_piece::{FULL_SET, PlacedPiece};
use super::weights::FeatureTransformer;
use crate::position::{PieceLocation, Position};
use crate::sys::{AllocationError, HugePages};
use crate::types::{Bitboard, ByColor, Color, Hand, Piece, PieceKind, Square};

/// One accumulator per perspective and king bucket, those of a mirrored board separately.
#[derive(Debug)]
pub(super) struct RefreshCache {
    buckets: usize,
    width: usize,
    /// `[perspective][bucket]`
    entries: Box<[RefreshEntry]>,
    /// `[perspective][bucket][width]`
    accumulators: HugePages<i16>,
    /// How many pieces of a full set are not in the game; each adds a feature to all accumulators.
    missing_pieces: usize,
}

/// The position that a cached accumulator belongs to.
#[derive(Clone, Debug)]
struct RefreshEntry {
    is_valid: bool,
    /// `by_kind` and `black` are `board` as bitboards, which show quickly on which squares two boards differ.
    by_kind: [Bitboard; PieceKind::ALL.len()],
    black: Bitboard,
    board: [Option<Piece>; Square::COUNT],
    hands: ByColor<Hand>,
}

impl RefreshEntry {
    const EMPTY: RefreshEntry = RefreshEntry {
        is_valid: false,
        by_kind: [Bitboard::EMPTY; PieceKind::ALL.len()],
        black: Bitboard::EMPTY,
        board: [None; Square::COUNT],
        hands: ByColor([Hand::EMPTY; 2]),
    };
}

type ActiveList = IndexList<MAX_ACTIVE>;

impl RefreshCache {
    pub(super) fn new(
        scheme: &FeatureScheme,
        width: usize,
    ) -> Result<RefreshCache, AllocationError> {
        let buckets = scheme.oriented_buckets();
        Ok(RefreshCache {
            buckets,
            width,
            entries: vec![RefreshEntry::EMPTY; 2 * buckets].into(),
            accumulators: HugePages::zeroed(2 * buckets * width)?,
            missing_pieces: 0,
        })
    }

    /// Sets how many pieces of a full set are missing in the positions that follow.
    pub(super) fn set_missing_pieces(&mut self, count: usize) {
        if self.missing_pieces != count {
            self.missing_pieces = count;
            self.entries.fill(RefreshEntry::EMPTY);
        }
    }

    /// Computes the accumulator of the indexer's perspective of a position.
    pub(super) fn refresh(
        &mut self,
        indexer: &FeatureIndexer,
        transformer: &FeatureTransformer,
        kernels: &Kernels,
        position: &Position,
        to: &mut [i16],
    ) {
        let slot = indexer.perspective().index() * self.buckets + indexer.oriented_bucket();
        let accumulator = &mut self.accumulators[slot * self.width..][..self.width];
        let entry = &mut self.entries[slot];
        let (mut added, mut removed) = entry.replace(position, indexer);
        // More changes than a position has features: starting from the biases is faster.
        let is_far = added.len() + removed.len() > MAX_ACTIVE;
        if is_far || !entry.is_valid {
            accumulator.copy_from_slice(transformer.bias());
            let missing = &[indexer.missing_piece(); FULL_SET][..self.missing_pieces];
            kernels.update_in_place(accumulator, transformer.rows(), missing, &[]);
            *entry = RefreshEntry { is_valid: true, ..RefreshEntry::EMPTY };
            (added, removed) = entry.replace(position, indexer);
        }
        kernels.update_in_place(accumulator, transformer.rows(), &added, &removed);
        to.copy_from_slice(accumulator);
    }
}

impl RefreshEntry {
    /// Makes the bitboards those of `position`; returns the squares whose piece differs.
    fn replace_bitboards(&mut self, position: &Position) -> Bitboard {
        let black = position.pieces(Color::Black);
        let mut changed = self.black ^ black;
        self.black = black;
        for (cached, kind) in self.by_kind.iter_mut().zip(PieceKind::ALL) {
            let squares = position.pieces_of_kind(kind);
            changed |= *cached ^ squares;
            *cached = squares;
        }
        changed
    }

    /// Makes this the entry of `position`; returns the features that this adds and removes.
    fn replace(
        &mut self,
        position: &Position,
        indexer: &FeatureIndexer,
    ) -> (ActiveList, ActiveList) {
        let (mut added, mut removed) = (ActiveList::new(), ActiveList::new());
        for square in self.replace_bitboards(position) {
            let piece = position.piece_at(square);
            let cached = &mut self.board[square.index()];
            let location = PieceLocation::Board(square);
            if let Some(old) = *cached {
                indexer.append_active(PlacedPiece::new(old, location), &mut removed);
            }
            if let Some(new) = piece {
                indexer.append_active(PlacedPiece::new(new, location), &mut added);
            }
            *cached = piece;
        }
        for color in Color::ALL {
            let (old, new) = (self.hands[color], position.hand(color));
            if old == new {
                continue;
            }
            for kind in PieceKind::HAND {
                let piece = Piece::new(color, kind);
                let (old, new) = (old.count(kind) as u8, new.count(kind) as u8);
                for n in old + 1..=new {
                    indexer
                        .append_active(PlacedPiece::new(piece, PieceLocation::Hand(n)), &mut added);
                }
                for n in new + 1..=old {
                    indexer.append_active(
                        PlacedPiece::new(piece, PieceLocation::Hand(n)),
                        &mut removed,
                    );
                }
            }
            self.hands[color] = new;
        }
        (added, removed)
    }
}
