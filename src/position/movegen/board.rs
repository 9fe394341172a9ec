//! Moves of pieces on the board.

use super::non_promotions::NonPromotions;
use super::sink::MoveSink;
use crate::position::attacks;
use crate::position::board::Position;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

impl Position {
    /// Legal board moves to `targets`; all but the king's also keep to `mask`.
    pub(super) fn board_moves<S: MoveSink>(
        &self,
        targets: Bitboard,
        mask: Bitboard,
        non_promotions: NonPromotions,
        sink: &mut S,
    ) {
        self.piece_moves(targets & mask, non_promotions, sink);
        self.king_moves(targets, sink);
    }

    /// Legal moves to `targets` of all pieces but the king.
    pub(super) fn piece_moves<S: MoveSink>(
        &self,
        targets: Bitboard,
        non_promotions: NonPromotions,
        sink: &mut S,
    ) {
        // With the side as a constant, tables and branches are halved.
        match self.side {
            Color::Black => {
                PieceMoveGenerator::<{ Color::Black as u8 }>::new(self, targets, non_promotions)
                    .run(sink);
            }
            Color::White => {
                PieceMoveGenerator::<{ Color::White as u8 }>::new(self, targets, non_promotions)
                    .run(sink);
            }
        }
    }

    /// Legal king moves to `targets`.
    pub(super) fn king_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let us = self.side;
        let Some(king) = self.king(us) else { return };
        let without_king = self.occupied() ^ Bitboard::from_square(king);
        let safe: Bitboard = (attacks::king(king) & targets)
            .into_iter()
            .filter(|&to| self.attackers(!us, to, without_king).is_empty())
            .collect();
        self.safe_king_moves(safe, sink);
    }

    /// King moves to `targets`, none of which may be attacked.
    pub(super) fn safe_king_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let Some(king) = self.king(self.side) else { return };
        let piece = Piece::new(self.side, PieceKind::King);
        sink.piece(piece, king, attacks::king(king) & targets, false);
    }
}

/// Generates the moves of the pieces of a side, except the king.
struct PieceMoveGenerator<'a, const SIDE: u8> {
    position: &'a Position,
    targets: Bitboard,
    non_promotions: NonPromotions,
    pins: Option<Pins>,
}

/// Own pieces that must stay on the lines to their king.
#[derive(Clone, Copy)]
struct Pins {
    king: Square,
    pinned: Bitboard,
}

impl<'a, const SIDE: u8> PieceMoveGenerator<'a, SIDE> {
    const US: Color = if SIDE == 0 { Color::Black } else { Color::White };
    const ZONE: Bitboard = Bitboard::promotion_zone(Self::US);

    fn new(position: &'a Position, targets: Bitboard, non_promotions: NonPromotions) -> Self {
        let pinned = position.blockers(Self::US) & position.pieces(Self::US);
        let king = position.king(Self::US).filter(|_| !pinned.is_empty());
        let pins = king.map(|king| Pins { king, pinned });
        PieceMoveGenerator { position, targets, non_promotions, pins }
    }

    #[inline(always)]
    fn run<S: MoveSink>(&self, sink: &mut S) {
        if self.targets.is_empty() {
            return;
        }
        self.pawns(sink);
        self.each(PieceKind::Lance, sink, |from, occupied| {
            attacks::lance(Self::US, from, occupied)
        });
        self.each(PieceKind::Knight, sink, |from, _| attacks::knight(Self::US, from));
        self.each(PieceKind::Silver, sink, |from, _| attacks::silver(Self::US, from));
        self.each(PieceKind::Bishop, sink, attacks::bishop);
        self.each(PieceKind::Rook, sink, attacks::rook);
        self.each(PieceKind::Horse, sink, attacks::horse);
        self.each(PieceKind::Dragon, sink, attacks::dragon);
        self.golds(sink);
    }

    #[inline(always)]
    fn pawns<S: MoveSink>(&self, sink: &mut S) {
        let mut pawns = self.position.pieces_of(Self::US, PieceKind::Pawn);
        if let Some(Pins { king, pinned }) = self.pins {
            // A pinned pawn can move only along the file of its king.
            pawns = pawns.without(pinned.without(Bitboard::file(king.file())));
        }
        let targets = pawns.forward(Self::US) & self.targets;
        let pawn = Piece::new(Self::US, PieceKind::Pawn);
        sink.pawns(pawn.promote(), targets & Self::ZONE, true);
        let must_promote = match self.non_promotions {
            NonPromotions::All => Bitboard::far_ranks(Self::US, 1),
            NonPromotions::Useful => Self::ZONE,
        };
        sink.pawns(pawn, targets.without(must_promote), false);
    }

    #[inline(always)]
    fn golds<S: MoveSink>(&self, sink: &mut S) {
        for from in self.position.golds(Self::US) {
            let Some(piece) = self.position.piece_at(from) else { continue };
            let targets = self.legal_targets(from, attacks::gold(Self::US, from));
            sink.piece(piece, from, targets, false);
        }
    }

    #[inline(always)]
    fn each<S: MoveSink>(
        &self,
        kind: PieceKind,
        sink: &mut S,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        let occupied = self.position.occupied();
        for from in self.position.pieces_of(Self::US, kind) {
            let targets = self.legal_targets(from, attacks(from, occupied));
            if !targets.is_empty() {
                self.emit(kind, from, targets, sink);
            }
        }
    }

    /// The attacked targets that a pin allows.
    #[inline(always)]
    fn legal_targets(&self, from: Square, attacked: Bitboard) -> Bitboard {
        let mut targets = attacked & self.targets;
        if let Some(Pins { king, pinned }) = self.pins
            && pinned.contains(from)
        {
            targets &= attacks::ray_through(king, from);
        }
        targets
    }

    #[inline(always)]
    fn emit<S: MoveSink>(&self, kind: PieceKind, from: Square, targets: Bitboard, sink: &mut S) {
        let piece = Piece::new(Self::US, kind);
        if !kind.can_promote() {
            sink.piece(piece, from, targets, false);
            return;
        }
        let promoting = if Self::ZONE.contains(from) { targets } else { targets & Self::ZONE };
        sink.piece(piece.promote(), from, promoting, true);
        sink.piece(piece, from, targets.without(self.must_promote(kind, promoting)), false);
    }

    /// Targets where the kind must not or should not stay unpromoted.
    #[inline(always)]
    fn must_promote(&self, kind: PieceKind, promoting: Bitboard) -> Bitboard {
        let all = self.non_promotions == NonPromotions::All;
        match kind {
            PieceKind::Lance if all => Bitboard::far_ranks(Self::US, 1),
            PieceKind::Lance | PieceKind::Knight => Bitboard::far_ranks(Self::US, 2),
            PieceKind::Bishop | PieceKind::Rook if !all => promoting,
            _ => Bitboard::EMPTY,
        }
    }
}
