//! Making and unmaking moves.

use super::board::Position;
use super::dirty_pieces::{DirtyPiece, DirtyPieces, PieceLocation};
use super::legality::IllegalMove;
use super::state::StateInfo;
use super::zobrist;
use crate::types::{Bitboard, Move, Piece, PieceKind};

impl Position {
    /// Plays a move of unknown origin if it is legal.
    ///
    /// # Errors
    /// The rule that it violates; the position is then unchanged.
    pub fn try_play(&mut self, mv: Move) -> Result<DirtyPieces, IllegalMove> {
        self.validate_move(mv)?;
        Ok(self.do_move(mv))
    }

    /// Plays a legal move. An illegal one panics or leaves an invalid position: what comes from outside is played by
    /// [`Position::try_play`].
    pub fn do_move(&mut self, mv: Move) -> DirtyPieces {
        let gives_check = self.gives_check(mv);
        self.do_move_with(mv, gives_check)
    }

    /// As [`Position::do_move`], for callers who know [`Position::gives_check`].
    pub fn do_move_with(&mut self, mv: Move, gives_check: bool) -> DirtyPieces {
        self.do_move_with_prefetch(mv, gives_check, |_| {})
    }

    /// As [`Position::do_move_with`]. `prefetch` gets the new key as soon as it is known.
    pub fn do_move_with_prefetch(
        &mut self,
        mv: Move,
        gives_check: bool,
        prefetch: impl FnOnce(u64),
    ) -> DirtyPieces {
        let us = self.side;
        let mut state = *self.state();
        state.mv = mv;
        // A move list of megabytes may exceed sixteen bits.
        state.plies_from_null = state.plies_from_null.saturating_add(1);
        state.board_key ^= zobrist::SIDE;

        let captured = self.capture(mv, &mut state);
        let moved = if mv.is_drop() {
            self.drop(mv, &mut state)
        } else {
            self.move_on_board(mv, &mut state)
        };
        state.captured = captured.map(|piece| piece.before.0);
        prefetch(state.board_key ^ state.hand_key);

        self.side = !us;
        self.game_ply += 1;
        state.hand = self.hands[!us];
        if gives_check {
            state.continuous_checks[us] = state.continuous_checks[us].saturating_add(1);
            state.checkers = self.compute_checkers();
        } else {
            state.continuous_checks[us] = 0;
            state.checkers = Bitboard::EMPTY;
        }
        let to = Bitboard::from_square(mv.to());
        let changed = if mv.is_drop() { to } else { to.with(mv.from()) };
        self.refresh_blockers(&mut state, changed);
        (state.same_board_plies, state.earlier_occurrences) = self.previous_occurrences(&state);
        self.states.push(state);
        DirtyPieces { moved, captured }
    }

    #[inline(always)]
    fn capture(&mut self, mv: Move, state: &mut StateInfo) -> Option<DirtyPiece> {
        let (us, to) = (self.side, mv.to());
        let victim = self.board[to.index()]?;
        self.remove_piece(victim, to);
        state.toggle(victim, to);
        let kind = victim.kind().unpromoted();
        // No legal position has a king that can be captured.
        debug_assert!(kind != PieceKind::King);
        let count = self.hands[us].count(kind);
        self.hands[us].add(kind);
        state.change_hand(us, kind, count, count + 1);
        Some(DirtyPiece {
            before: (victim, PieceLocation::Board(to)),
            after: (Piece::new(us, kind), PieceLocation::Hand(count as u8 + 1)),
        })
    }

    #[inline(always)]
    fn drop(&mut self, mv: Move, state: &mut StateInfo) -> DirtyPiece {
        let (us, to, kind) = (self.side, mv.to(), mv.dropped());
        let piece = Piece::new(us, kind);
        let count = self.hands[us].count(kind);
        self.hands[us].remove(kind);
        state.change_hand(us, kind, count, count - 1);
        self.put_piece(piece, to);
        state.toggle(piece, to);
        DirtyPiece {
            before: (piece, PieceLocation::Hand(count as u8)),
            after: (piece, PieceLocation::Board(to)),
        }
    }

    #[inline(always)]
    fn move_on_board(&mut self, mv: Move, state: &mut StateInfo) -> DirtyPiece {
        let (from, to) = (mv.from(), mv.to());
        let before = self.moved_piece_before(mv);
        let after = if mv.is_promotion() { before.promote() } else { before };
        self.move_piece((before, from), (after, to));
        state.toggle(before, from);
        state.toggle(after, to);
        DirtyPiece {
            before: (before, PieceLocation::Board(from)),
            after: (after, PieceLocation::Board(to)),
        }
    }

    /// Undoes the last move, which must be `mv`.
    pub fn undo_move(&mut self, mv: Move) {
        debug_assert_eq!(self.state().mv, mv);
        let captured = self.state().captured;
        self.states.pop();
        self.side = !self.side;
        self.game_ply -= 1;
        let (us, to) = (self.side, mv.to());
        let after = self.board[to.index()].expect("the moved piece stands on its destination");
        if mv.is_drop() {
            self.remove_piece(after, to);
            self.hands[us].add(mv.dropped());
        } else {
            let before = if mv.is_promotion() { after.unpromote() } else { after };
            self.move_piece((after, to), (before, mv.from()));
        }
        if let Some(victim) = captured {
            self.put_piece(victim, to);
            self.hands[us].remove(victim.kind().unpromoted());
        }
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        let us = self.side;
        let mut state = *self.state();
        state.mv = Move::NULL;
        state.captured = None;
        state.plies_from_null = 0;
        state.earlier_occurrences = 0;
        state.same_board_plies = 0;
        state.board_key ^= zobrist::SIDE;
        state.continuous_checks[us] = 0;
        self.side = !us;
        self.game_ply += 1;
        state.hand = self.hands[!us];
        self.states.push(state);
    }

    /// Undoes a null move.
    pub fn undo_null_move(&mut self) {
        debug_assert_eq!(self.state().mv, Move::NULL);
        self.states.pop();
        self.side = !self.side;
        self.game_ply -= 1;
    }

    /// The key after a move.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let us = self.side;
        let key = self.board_key_after(mv) ^ self.hand_key();
        if mv.is_drop() {
            let kind = mv.dropped();
            let count = self.hands[us].count(kind);
            return key ^ zobrist::hand(us, kind, count) ^ zobrist::hand(us, kind, count - 1);
        }
        let Some(victim) = self.piece_at(mv.to()) else { return key };
        let kind = victim.kind().unpromoted();
        let count = self.hands[us].count(kind);
        key ^ zobrist::hand(us, kind, count) ^ zobrist::hand(us, kind, count + 1)
    }

    /// The key of board and side to move after a move.
    #[inline(always)]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        let to = mv.to();
        let mut key =
            self.board_key() ^ zobrist::SIDE ^ zobrist::board(self.moved_piece_after(mv), to);
        if !mv.is_drop() {
            key ^= zobrist::board(self.moved_piece_before(mv), mv.from());
            if let Some(victim) = self.piece_at(to) {
                key ^= zobrist::board(victim, to);
            }
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(position: &mut Position, depth: u32, visit: &mut dyn FnMut(&Position)) {
        visit(position);
        if depth == 0 {
            return;
        }
        for mv in position.legal_moves().moves() {
            let (expected, board) = (position.key_after(mv), position.board_key_after(mv));
            position.do_move(mv);
            assert_eq!(position.key(), expected, "key_after {mv}");
            assert_eq!(position.board_key(), board, "board_key_after {mv}");
            walk(position, depth - 1, visit);
            position.undo_move(mv);
        }
    }

    #[test]
    fn incremental_state_equals_recomputation() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            "4k4/9/4P4/9/9/9/9/9/9 b G 1",
        ] {
            let mut position = Position::from_sfen(sfen).unwrap();
            let before = format!("{position:?}");
            walk(&mut position, 2, &mut |position| {
                let (state, fresh) = (position.state(), position.initial_state());
                assert_eq!(state.board_key, fresh.board_key);
                assert_eq!(state.hand_key, fresh.hand_key);
                assert_eq!(state.hand, fresh.hand);
                assert_eq!(state.pawn_key, fresh.pawn_key);
                assert_eq!(state.minor_key, fresh.minor_key);
                assert_eq!(state.non_pawn_key, fresh.non_pawn_key);
                assert_eq!(state.checkers, fresh.checkers);
                assert_eq!(state.blockers, fresh.blockers);
            });
            assert_eq!(format!("{position:?}"), before, "undo restores everything");
        }
    }

    #[test]
    fn a_null_move_changes_the_side_and_nothing_on_the_board() {
        let mut position = Position::startpos();
        let (key, board) = (position.key(), position.setup().board);
        position.do_null_move();
        assert_eq!(position.key(), key ^ 1);
        assert_eq!(position.setup().board, board);
        position.undo_null_move();
        assert_eq!(position.key(), key);
    }

    #[test]
    fn more_moves_than_sixteen_bits_can_count_are_played() {
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/K4R3 b - 1").unwrap();
        let cycle = ["4i5i", "5a4a", "5i4i", "4a5a"].map(|text| text.parse().unwrap());
        for mv in cycle.into_iter().cycle().take(131_072) {
            position.do_move(mv);
        }
        assert_eq!(position.game_ply(), 131_073);
        assert_eq!(position.repetition(), Some(crate::position::Repetition::Loss));
        assert_eq!(position.search_repetition(1), Some(crate::position::Repetition::Loss));
    }
}
