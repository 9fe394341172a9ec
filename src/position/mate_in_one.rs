//! Mate in one, found without making moves.
//!
//! Most mates can be recognised by the squares around the king, an idea that YaneuraOu describes. Here
//! the escape squares of the king come first; a reverse lookup from each leaves the few squares from
//! which a kind of piece both gives check and covers all of them. Only these candidates are verified, on
//! the occupancy after the move.

use super::attacks;
use super::board::Position;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

impl Position {
    /// A legal move that mates, or `None` if there is none, none is found, or the side to move is in
    /// check.
    ///
    /// Every returned move mates. All mates are found, contact checks, knight and distant checks, drops
    /// and discovered checks, except:
    /// - discovered checks by the own king;
    /// - moves of pawn, bishop and rook that could promote and do not;
    /// - checks that only a pawn drop could block, if that drop would be a forbidden mate itself.
    ///
    /// ```
    /// use kawasemi::position::Position;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// assert_eq!(position.mate_in_one().unwrap().to_string(), "G*5b");
    /// ```
    #[inline]
    pub fn mate_in_one(&self) -> Option<Move> {
        if self.in_check() {
            return None;
        }
        MateInOne::new(self, self.king(!self.side)?).run()
    }
}

/// The data shared by all candidate moves of one call.
struct MateInOne<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    /// The squares around the enemy king.
    king_ring: Bitboard,
    /// The occupancy without the king: sliders attack through it.
    without_king: Bitboard,
    /// Squares that our bishops and horses attack now.
    diagonal: Bitboard,
    /// Squares that our rooks, dragons and lances attack now.
    orthogonal: Bitboard,
    /// Squares of the king ring that we attack now.
    covered: Bitboard,
    /// Squares of the king ring to which the king can flee now.
    escapes: Bitboard,
}

impl<'a> MateInOne<'a> {
    #[inline(always)]
    fn new(position: &'a Position, king: Square) -> MateInOne<'a> {
        let us = position.side;
        let king_ring = attacks::king(king);
        let without_king = position.occupied() ^ Bitboard::from_square(king);
        let (diagonal, orthogonal) = slider_attacks(position, us, king_ring, without_king);
        // The side as a constant makes the shifts constant.
        let steps = match us {
            Color::Black => stepper_attacks(position, Color::Black),
            Color::White => stepper_attacks(position, Color::White),
        };
        let covered = king_ring & (steps | diagonal | orthogonal);
        let escapes = king_ring.without(covered | position.pieces(!us));
        MateInOne {
            position,
            us,
            king,
            king_ring,
            without_king,
            diagonal,
            orthogonal,
            covered,
            escapes,
        }
    }

    #[inline(always)]
    fn run(&self) -> Option<Move> {
        let candidates = self.candidate_squares();
        if !candidates.is_empty() {
            let mate = self.checks_on(candidates);
            if mate.is_some() {
                return mate;
            }
        }
        self.discovered_mate()
    }

    /// A cheap superset of the squares where a checker can mate: it must be distant from the king or
    /// protected, possibly only by itself, and reach all escapes on an empty board.
    #[inline(always)]
    fn candidate_squares(&self) -> Bitboard {
        let hand = self.position.hand(self.us);
        let free = !(self.king_ring.without(self.covered) | self.position.pieces(self.us));
        let contact = self.king_ring & free;
        let drops = hand.has(PieceKind::Bishop);
        let diagonals = attacks::diagonals(self.king) & free;
        let diagonal = drops || self.diagonal.intersects(diagonals | contact);
        let drops = hand.has(PieceKind::Rook) || hand.has(PieceKind::Lance);
        let orthogonals = attacks::orthogonals(self.king) & free;
        let orthogonal = drops || self.orthogonal.intersects(orthogonals | contact);

        let mut squares = contact;
        if diagonal {
            squares |= diagonals;
        }
        if orthogonal {
            squares |= orthogonals;
        }
        // A checking knight covers no square of the king ring.
        if self.escapes.is_empty() {
            return squares | attacks::knight(!self.us, self.king) & free;
        }
        for escape in self.escapes {
            let mut reach = attacks::king(escape);
            if diagonal {
                reach |= attacks::diagonals(escape);
            }
            if orthogonal {
                reach |= attacks::orthogonals(escape);
            }
            squares &= reach;
        }
        squares
    }

    /// The squares outside the king ring from which a check cannot be blocked by a drop.
    fn unblockable(&self, squares: Bitboard) -> Bitboard {
        if squares.is_empty() {
            return squares;
        }
        let droppable = self.droppable(Bitboard::EMPTY);
        let stands = |&to: &Square| !attacks::between(self.king, to).intersects(droppable);
        squares.into_iter().filter(stands).collect()
    }

    /// The squares where the opponent can drop a piece after `captured` is gone.
    fn droppable(&self, captured: Bitboard) -> Bitboard {
        let (position, them) = (self.position, !self.us);
        let hand = position.hand(them);
        if hand.is_empty() {
            return Bitboard::EMPTY;
        }
        let has = |kind| hand.has(kind);
        let everywhere = [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook];
        if everywhere.into_iter().any(has) {
            return Bitboard::ALL;
        }
        let mut forbidden = Bitboard::ALL;
        if has(PieceKind::Knight) {
            forbidden &= Bitboard::far_ranks(them, 2);
        }
        if has(PieceKind::Lance) {
            forbidden &= Bitboard::far_ranks(them, 1);
        }
        if has(PieceKind::Pawn) {
            let pawns = position.pieces_of(them, PieceKind::Pawn).without(captured);
            forbidden &= Bitboard::far_ranks(them, 1) | pawns.fill_files();
        }
        !forbidden
    }

    /// Not inlined, since most calls end before.
    #[inline(never)]
    fn checks_on(&self, candidates: Bitboard) -> Option<Move> {
        let mate_squares = KindSquares::checking(self, candidates).guarding(self, self.escapes);
        let squares = mate_squares.any();
        let squares = squares & self.king_ring | self.unblockable(squares.without(self.king_ring));
        squares.into_iter().find_map(|to| self.check_on(&mate_squares, to))
    }

    #[inline(always)]
    fn check_on(&self, mate_squares: &KindSquares, to: Square) -> Option<Move> {
        let position = self.position;
        let (us, them, occupied) = (self.us, !self.us, position.occupied());
        let cannot_take = position.blockers(them).with(self.king);
        let is_capturable = !position.attackers(them, to, occupied).without(cannot_take).is_empty();
        if !is_capturable && !occupied.contains(to) {
            let mate = self.drop_on(mate_squares, to);
            if mate.is_some() {
                return mate;
            }
        }
        let mut movers = position.attackers(us, to, occupied);
        let is_alone = self.king_ring.contains(to) && !movers.more_than_one();
        if is_capturable || is_alone {
            // Only a line opened by the checker could still pin or protect.
            movers &= self.diagonal | self.orthogonal;
        }
        movers
            .without(position.pieces_of_kind(PieceKind::King))
            .into_iter()
            .find_map(|from| self.mating_move(mate_squares, from, to))
    }

    #[inline(always)]
    fn drop_on(&self, mate_squares: &KindSquares, to: Square) -> Option<Move> {
        let hand = self.position.hand(self.us);
        // A pawn drop must not mate.
        const KINDS: [PieceKind; 6] = [
            PieceKind::Gold,
            PieceKind::Silver,
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Lance,
            PieceKind::Knight,
        ];
        let mates = |kind: PieceKind| {
            hand.has(kind)
                && mate_squares.of(kind).contains(to)
                && AfterMove::new(self, kind, Bitboard::EMPTY, to).is_mate()
        };
        KINDS.into_iter().find(|&kind| mates(kind)).map(|kind| Move::drop(kind, to))
    }

    /// The move of a piece to an attacked square, promoted or not, if it mates.
    fn mating_move(&self, mate_squares: &KindSquares, from: Square, to: Square) -> Option<Move> {
        if self.position.breaks_pin(from, to) {
            return None;
        }
        let kind = self.position.piece_at(from)?.kind();
        let origin = Bitboard::from_square(from);
        let mates = |kind| {
            mate_squares.of(kind).contains(to) && AfterMove::new(self, kind, origin, to).is_mate()
        };
        let promotes = origin.with(to).intersects(Bitboard::promotion_zone(self.us));
        if let Some(promoted) = kind.promoted().filter(|_| promotes) {
            if mates(promoted) {
                return Some(Move::board(from, to, true));
            }
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) {
                return None;
            }
        }
        mates(kind).then(|| Move::board(from, to, false))
    }

    /// A mate by a move that opens a line of an own slider to the king or an escape.
    #[inline(always)]
    fn discovered_mate(&self) -> Option<Move> {
        let targets = self.escapes.with(self.king);
        self.blockers(targets)
            .into_iter()
            .find_map(|blocker| self.discovered_mate_by(blocker, targets))
    }

    /// A mate by a move of this piece, which stands between an own slider and some of the targets. Not
    /// inlined, since such a piece is rare.
    #[inline(never)]
    fn discovered_mate_by(&self, blocker: Square, targets: Bitboard) -> Option<Move> {
        let without = self.without_king ^ Bitboard::from_square(blocker);
        let is_opened = |&square: &Square| {
            let attackers = self.position.attackers(self.us, square, without);
            !attackers.without(Bitboard::from_square(blocker)).is_empty()
        };
        self.mate_opening_lines(blocker, targets.into_iter().filter(is_opened).collect())
    }

    /// Own pieces that are the only piece between an own slider and one of the targets.
    #[inline(always)]
    fn blockers(&self, targets: Bitboard) -> Bitboard {
        let of = |kind| self.position.pieces_of(self.us, kind);
        let mut found = Bitboard::EMPTY;
        for slider in of(PieceKind::Bishop) | of(PieceKind::Horse) {
            found |= self.blockers_of(slider, attacks::diagonals(slider) & targets);
        }
        for slider in of(PieceKind::Rook) | of(PieceKind::Dragon) {
            found |= self.blockers_of(slider, attacks::orthogonals(slider) & targets);
        }
        for slider in of(PieceKind::Lance) {
            found |= self.blockers_of(slider, attacks::lance_ray(self.us, slider) & targets);
        }
        found.without(self.position.pieces_of_kind(PieceKind::King))
    }

    #[inline(always)]
    fn blockers_of(&self, slider: Square, targets: Bitboard) -> Bitboard {
        let own = self.position.pieces(self.us);
        let between = |target| attacks::between(slider, target) & self.without_king;
        let alone = |line: &Bitboard| !line.more_than_one() && line.intersects(own);
        let blockers = targets.into_iter().map(between).filter(alone);
        blockers.fold(Bitboard::EMPTY, |found, blocker| found | blocker)
    }

    /// A mate by a move of a piece that opens lines to these squares.
    fn mate_opening_lines(&self, from: Square, opened: Bitboard) -> Option<Move> {
        let position = self.position;
        let piece = position.piece_at(from)?;
        // If the line opens to the king, the moving piece need not give check itself.
        let mate_squares = if opened.contains(self.king) {
            KindSquares::anywhere(self.us)
        } else {
            KindSquares::checking(self, !position.pieces(self.us))
        };
        let mate_squares = mate_squares.guarding(self, self.escapes.without(opened));
        let reach = attacks::of(piece, from, position.occupied());
        let targets = reach.without(position.pieces(self.us)) & mate_squares.any();
        targets.into_iter().find_map(|to| self.mating_move(&mate_squares, from, to))
    }
}

/// For each kind, the squares where a piece of that kind meets the conditions of a mate.
struct KindSquares {
    pawn: Bitboard,
    lance: Bitboard,
    knight: Bitboard,
    silver: Bitboard,
    gold: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    horse: Bitboard,
    dragon: Bitboard,
}

impl KindSquares {
    /// Where a piece gives check from one of the candidates. Sliders are considered only if one can be
    /// dropped or moved there.
    #[inline(always)]
    fn checking(search: &MateInOne<'_>, candidates: Bitboard) -> KindSquares {
        let (them, king, king_ring) = (!search.us, search.king, search.king_ring);
        let (hand, occupied) = (search.position.hand(search.us), search.position.occupied());
        let step = |squares: Bitboard| squares & candidates;
        let mut mate_squares = KindSquares {
            pawn: step(attacks::pawn(them, king)),
            lance: Bitboard::EMPTY,
            knight: step(attacks::knight(them, king)),
            silver: step(attacks::silver(them, king)),
            gold: step(attacks::gold(them, king)),
            bishop: Bitboard::EMPTY,
            rook: Bitboard::EMPTY,
            horse: Bitboard::EMPTY,
            dragon: Bitboard::EMPTY,
        };
        let dropped = |kind| if hand.has(kind) { candidates } else { Bitboard::EMPTY };
        let reached = search.diagonal & candidates;
        let useful = dropped(PieceKind::Bishop) | reached;
        if useful.intersects(attacks::diagonals(king)) || reached.intersects(king_ring) {
            let lines = attacks::bishop(king, occupied);
            mate_squares.bishop = lines & useful;
            mate_squares.horse = (lines | king_ring) & useful;
        }
        let reached = search.orthogonal & candidates;
        let useful = dropped(PieceKind::Rook) | dropped(PieceKind::Lance) | reached;
        if useful.intersects(attacks::orthogonals(king)) || reached.intersects(king_ring) {
            let lines = attacks::rook(king, occupied);
            mate_squares.lance = lines & useful & attacks::lance_ray(them, king);
            mate_squares.rook = lines & useful;
            mate_squares.dragon = (lines | king_ring) & useful;
        }
        mate_squares
    }

    /// Where a piece can legally be.
    fn anywhere(us: Color) -> KindSquares {
        let all = Bitboard::ALL;
        KindSquares {
            pawn: all.without(Bitboard::far_ranks(us, 1)),
            lance: all.without(Bitboard::far_ranks(us, 1)),
            knight: all.without(Bitboard::far_ranks(us, 2)),
            silver: all,
            gold: all,
            bishop: all,
            rook: all,
            horse: all,
            dragon: all,
        }
    }

    /// Keeps only the squares from which the piece also attacks all of `squares`.
    #[inline(always)]
    fn guarding(mut self, search: &MateInOne<'_>, squares: Bitboard) -> KindSquares {
        let them = !search.us;
        for square in squares {
            self.pawn &= attacks::pawn(them, square);
            self.knight &= attacks::knight(them, square);
            self.silver &= attacks::silver(them, square);
            self.gold &= attacks::gold(them, square);
            let near = attacks::king(square);
            if !self.horse.is_empty() {
                let diagonal = attacks::bishop(square, search.without_king);
                self.bishop &= diagonal;
                self.horse &= diagonal | near;
            }
            if !self.dragon.is_empty() {
                let orthogonal = attacks::rook(square, search.without_king);
                self.lance &= orthogonal & attacks::lance_ray(them, square);
                self.rook &= orthogonal;
                self.dragon &= orthogonal | near;
            }
            if self.any().is_empty() {
                break;
            }
        }
        self
    }

    #[inline(always)]
    fn of(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.pawn,
            PieceKind::Lance => self.lance,
            PieceKind::Knight => self.knight,
            PieceKind::Silver => self.silver,
            PieceKind::Bishop => self.bishop,
            PieceKind::Rook => self.rook,
            PieceKind::Horse => self.horse,
            PieceKind::Dragon => self.dragon,
            _ => self.gold,
        }
    }

    #[inline(always)]
    fn any(&self) -> Bitboard {
        self.pawn
            | self.lance
            | self.knight
            | self.silver
            | self.gold
            | self.bishop
            | self.rook
            | self.horse
            | self.dragon
    }
}

/// The board after a candidate move, for verification.
struct AfterMove<'a> {
    search: &'a MateInOne<'a>,
    /// The piece on `to` after the move.
    piece: Piece,
    /// Where it comes from; empty for a drop.
    from: Bitboard,
    to: Square,
    occupied: Bitboard,
}

impl<'a> AfterMove<'a> {
    fn new(
        search: &'a MateInOne<'a>,
        kind: PieceKind,
        from: Bitboard,
        to: Square,
    ) -> AfterMove<'a> {
        let occupied = search.position.occupied().without(from).with(to);
        AfterMove { search, piece: Piece::new(search.us, kind), from, to, occupied }
    }

    fn is_mate(&self) -> bool {
        let checkers = self.checkers();
        // Only a king move evades a double check.
        !checkers.is_empty()
            && (checkers.more_than_one() || !self.can_answer(checkers.lsb()))
            && !self.king_can_flee()
    }

    fn checkers(&self) -> Bitboard {
        let king = self.search.king;
        let mut checkers = Bitboard::EMPTY;
        if self.search.position.blockers(!self.search.us).intersects(self.from) {
            checkers = self.others_attacking(king, self.occupied);
        }
        if self.moved_attacks(king, self.occupied) {
            checkers = checkers.with(self.to);
        }
        checkers
    }

    #[inline(always)]
    fn moved_attacks(&self, square: Square, occupied: Bitboard) -> bool {
        attacks::of(self.piece, self.to, occupied).contains(square)
    }

    /// Our attackers of a square except the moved piece.
    #[inline(always)]
    fn others_attacking(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.search.position.attackers(self.search.us, square, occupied).without(self.from)
    }

    fn king_can_flee(&self) -> bool {
        let search = self.search;
        let captured = Bitboard::from_square(self.to);
        let own = search.position.pieces(!search.us).without(captured);
        let without_king = self.occupied ^ Bitboard::from_square(search.king);
        let guarded = attacks::of(self.piece, self.to, without_king);
        search
            .king_ring
            .without(own | guarded)
            .into_iter()
            .any(|square| self.others_attacking(square, without_king).is_empty())
    }

    /// Whether a piece other than the king captures or blocks the only checker.
    fn can_answer(&self, checker: Square) -> bool {
        let search = self.search;
        let captured = Bitboard::from_square(self.to);
        let between = attacks::between(search.king, checker);
        if !between.is_empty() && between.intersects(search.droppable(captured)) {
            return true;
        }
        let out_of_play = captured.with(search.king);
        between.with(checker).into_iter().any(|square| {
            let takers = search.position.attackers(!search.us, square, self.occupied);
            takers
                .without(out_of_play)
                .into_iter()
                .any(|from| self.can_move_to(from, square, checker))
        })
    }

    /// Whether an enemy piece is free to capture or block the checker.
    fn can_move_to(&self, from: Square, to: Square, checker: Square) -> bool {
        let king = self.search.king;
        let occupied = self.occupied.without(Bitboard::from_square(from)).with(to);
        let others = self.others_attacking(king, occupied);
        others.without(Bitboard::from_square(checker)).is_empty()
            && (self.to == checker || !self.moved_attacks(king, occupied))
    }
}

/// The squares one file to the left or right.
#[inline(always)]
fn neighbour_files(squares: Bitboard) -> Bitboard {
    squares.left() | squares.right()
}

/// The squares attacked by the steppers of a side, without horses and dragons, for all pieces at once.
#[inline(always)]
fn stepper_attacks(position: &Position, us: Color) -> Bitboard {
    let of = |kind| position.pieces_of(us, kind);
    let (silvers, golds) = (of(PieceKind::Silver), position.golds(us));
    let kings = of(PieceKind::King);
    let ahead = (silvers | golds | kings).forward(us);
    let behind = (golds | kings).forward(!us);
    let knights = of(PieceKind::Knight).forward(us).forward(us);
    let diagonal = ahead | (silvers | kings).forward(!us) | golds | kings | knights;
    ahead | of(PieceKind::Pawn).forward(us) | behind | neighbour_files(diagonal)
}

/// The squares attacked by the sliders of a side: diagonally by bishops and horses, and orthogonally by
/// rooks, dragons and lances that face the king ring. The steps of horses and dragons are in both.
#[inline(always)]
fn slider_attacks(
    position: &Position,
    us: Color,
    king_ring: Bitboard,
    occupied: Bitboard,
) -> (Bitboard, Bitboard) {
    let of = |kind| position.pieces_of(us, kind);
    let (mut diagonal, mut orthogonal) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in of(PieceKind::Bishop) | of(PieceKind::Horse) {
        diagonal |= attacks::bishop(square, occupied);
    }
    for square in of(PieceKind::Rook) | of(PieceKind::Dragon) {
        orthogonal |= attacks::rook(square, occupied);
    }
    for square in of(PieceKind::Horse) | of(PieceKind::Dragon) {
        diagonal |= attacks::king(square);
        orthogonal |= attacks::king(square);
    }
    for square in of(PieceKind::Lance) {
        if attacks::lance_ray(us, square).intersects(king_ring) {
            orthogonal |= attacks::lance(us, square, occupied);
        }
    }
    (diagonal, orthogonal)
}

#[cfg(test)]
mod tests;
