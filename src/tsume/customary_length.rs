//! Lengths by the customary rules of mate problems: futile interpositions do not count.
//!
//! A dropped piece is futile (無駄合) if the checking piece captures it with check, and the attacker then
//! mates within as many plies as the other defences last, even if the captured piece goes back to the
//! defender. So the length of a position with the defender to move is the smallest number of plies n such
//! that some defence lasts n plies and every defence that lasts longer is a futile interposition for n.
//!
//! Two lengths are bounds of this one: if all interpositions count, a mate is at least as long, and
//! if the defender may not drop, at most as long. If the bounds agree, that is the length;
//! otherwise the moves are examined one by one.

use std::collections::HashMap;

use super::budget::{Budget, CheckProgress, Decided, Undecided};
use super::futile_interposition;
use crate::mate::{MateProver, ProofResult};
use crate::position::Position;
use crate::position::movegen::NonPromotions;
use crate::types::{Color, Move};

/// The node limit of the proof that there is no mate of any length, if only a length is asked for.
const REFUTATION_NODES: u64 = 20_000;
/// The node limit of the first query of each prover; it doubles with each further query.
const FIRST_NODES: u64 = 1_000;
/// The node limit of comparing the provers with and without drops, if a mate without drops leaves the answer
/// open. Then the moves are examined.
const MAX_QUICK_NODES: u64 = 30_000;
/// Deeper lines stay undecided.
const MAX_DEPTH: usize = 1000;
/// No mate.
const NO_MATE: u16 = u16::MAX;

/// The customary length of a position is from `lower` to `upper` plies.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    lower: u16,
    upper: u16,
}

/// A move of the defender, and what is known of it.
struct Defence {
    mv: Move,
    /// Whether the mate after the move is fast enough; `None` if unknown.
    in_time: Option<bool>,
    futile: Option<bool>,
    /// The positions after the capture of a dropped piece.
    captured: Vec<Position>,
}

/// Decides lengths by the customary rules.
#[derive(Debug)]
pub(super) struct CustomaryLengths<'a> {
    /// All interpositions count.
    pub(super) with_drops: &'a mut MateProver,
    /// The defender drops nothing.
    pub(super) without_drops: &'a mut MateProver,
    pub(super) budget: Budget<'a>,
    known: HashMap<u64, Bounds>,
    depth: usize,
}

impl<'a> CustomaryLengths<'a> {
    pub(super) fn new(
        with_drops: &'a mut MateProver,
        without_drops: &'a mut MateProver,
        budget: Budget<'a>,
    ) -> CustomaryLengths<'a> {
        CustomaryLengths { with_drops, without_drops, budget, known: HashMap::new(), depth: 0 }
    }

    pub(super) fn attacker(&self) -> Color {
        self.with_drops.attacker()
    }

    pub(super) fn is_attackers_turn(&self, position: &Position) -> bool {
        position.side_to_move() == self.attacker()
    }

    /// The plies of the mate, or `None` for no mate.
    pub(super) fn length(&mut self, position: &mut Position) -> Decided<Option<u16>> {
        let Some(upper) = self.prove_mate(position)? else { return Ok(None) };
        self.tighten_upper_bound(position, upper);
        loop {
            let upper = self.bounds(position).upper;
            self.budget.report(CheckProgress::Measuring(upper));
            if upper < 2 || !self.is_mate_within(position, upper - 2)? {
                return Ok(Some(upper));
            }
        }
    }

    /// An upper bound of the length of the mate, all interpositions counted, or `None` for no mate.
    pub(super) fn prove_mate(&mut self, position: &Position) -> Decided<Option<u16>> {
        self.prove_mate_within_nodes(position, None)
    }

    /// [`CustomaryLengths::prove_mate`] with a search of at most this many nodes.
    pub(super) fn prove_mate_within_nodes(
        &mut self,
        position: &Position,
        nodes: Option<u64>,
    ) -> Decided<Option<u16>> {
        match self.query_with_drops(position, None, nodes)? {
            ProofResult::Mate(plies) => Ok(Some(plies)),
            ProofResult::NoMate { .. } => Ok(None),
            ProofResult::Unknown => Err(Undecided),
        }
    }

    /// Whether the mate takes at most this many plies.
    pub(super) fn is_mate_within(&mut self, position: &mut Position, plies: u16) -> Decided<bool> {
        match self.quick_answer(position, plies)? {
            Some(answer) => Ok(answer),
            None => self.search_moves(position, plies),
        }
    }

    /// The answer if the known bounds or both provers decide it, without examining the moves.
    fn quick_answer(&mut self, position: &Position, plies: u16) -> Decided<Option<bool>> {
        let Bounds { lower, upper } = self.bounds(position);
        if upper <= plies || plies < lower {
            return Ok(Some(upper <= plies));
        }
        self.compare_provers(position, plies)
    }

    /// The answer by examining the moves.
    fn search_moves(&mut self, position: &mut Position, plies: u16) -> Decided<bool> {
        if self.depth > MAX_DEPTH {
            return Err(Undecided);
        }
        self.depth += 1;
        let answer = if self.is_attackers_turn(position) {
            self.some_check_mates(position, plies)
        } else {
            self.every_defence_fails(position, plies)
        };
        self.depth -= 1;
        if answer? {
            self.tighten_upper_bound(position, plies)
        } else {
            self.tighten_lower_bound(position, plies + 1)
        }
        answer
    }

    /// The answer if the provers with and without drops agree. Both get twice the nodes in each round.
    fn compare_provers(&mut self, position: &Position, plies: u16) -> Decided<Option<bool>> {
        let (mut fails_with_drops, mut mates_without) = (false, false);
        let mut nodes = FIRST_NODES;
        // Alternately, because either may be much harder than the other.
        loop {
            if !fails_with_drops {
                match self.query_with_drops(position, Some(plies), Some(nodes))? {
                    ProofResult::Mate(within) => {
                        self.tighten_upper_bound(position, within);
                        return Ok(Some(true));
                    }
                    ProofResult::NoMate { of_any_length: true } => {
                        self.tighten_lower_bound(position, NO_MATE);
                        return Ok(Some(false));
                    }
                    ProofResult::NoMate { of_any_length: false } => fails_with_drops = true,
                    ProofResult::Unknown => {}
                }
            }
            if !mates_without {
                match self.query_without_drops(position, plies, nodes)? {
                    ProofResult::NoMate { .. } => {
                        self.tighten_lower_bound(position, plies + 1);
                        return Ok(Some(false));
                    }
                    ProofResult::Mate(_) => mates_without = true,
                    ProofResult::Unknown => {}
                }
            }
            if mates_without && (fails_with_drops || nodes > MAX_QUICK_NODES) {
                break;
            }
            nodes = nodes.saturating_mul(2);
        }
        let any = self.query_with_drops(position, None, Some(REFUTATION_NODES))?;
        if any == (ProofResult::NoMate { of_any_length: true }) {
            self.tighten_lower_bound(position, NO_MATE);
            return Ok(Some(false));
        }
        Ok(None)
    }

    fn query_without_drops(
        &mut self,
        position: &Position,
        plies: u16,
        nodes: u64,
    ) -> Decided<ProofResult> {
        self.budget.check_limits()?;
        let before = self.without_drops.nodes();
        let limits = self.budget.limits(Some(nodes));
        let found = self.without_drops.prove(position, Some(plies), &limits);
        self.budget.spend(self.without_drops.nodes() - before);
        Ok(found)
    }

    fn query_with_drops(
        &mut self,
        position: &Position,
        plies: Option<u16>,
        nodes: Option<u64>,
    ) -> Decided<ProofResult> {
        self.budget.check_limits()?;
        let before = self.with_drops.nodes();
        let found = self.with_drops.prove(position, plies, &self.budget.limits(nodes));
        self.budget.spend(self.with_drops.nodes() - before);
        Ok(found)
    }

    /// A line of a mate within these plies, found with at most this many nodes.
    pub(super) fn line(
        &mut self,
        position: &Position,
        plies: u16,
        nodes: Option<u64>,
    ) -> Option<Vec<Move>> {
        let before = self.with_drops.nodes();
        let line = self.with_drops.line(position, plies, &self.budget.limits(nodes));
        self.budget.spend(self.with_drops.nodes() - before);
        line
    }

    fn some_check_mates(&mut self, position: &mut Position, plies: u16) -> Decided<bool> {
        let Some(after) = plies.checked_sub(1) else { return Ok(false) };
        let mut open = Vec::new();
        for check in checks(position) {
            match self.quick_answer_after(position, check, after)? {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => open.push(check),
            }
        }
        for check in open {
            if self.is_mate_after(position, check, after)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Quick answers come first: one defence that lasts longer decides.
    fn every_defence_fails(&mut self, position: &mut Position, plies: u16) -> Decided<bool> {
        let mut defences = Vec::new();
        for mv in evasions(position) {
            let in_time = match plies.checked_sub(1) {
                Some(after) => self.quick_answer_after(position, mv, after)?,
                None => Some(false),
            };
            let mut defence = Defence { mv, in_time, futile: Some(false), captured: Vec::new() };
            if in_time != Some(true) {
                defence.captured = futile_interposition::after_capture(position, mv);
                defence.futile = self.is_quickly_futile(&defence.captured, plies)?;
            }
            if defence.in_time == Some(false) && defence.futile == Some(false) {
                return Ok(false);
            }
            defences.push(defence);
        }
        let (mut counted, mut has_futile_drop) = (Vec::new(), false);
        for Defence { mv, in_time, futile, captured } in defences {
            let in_time = match in_time {
                Some(answer) => answer,
                None => self.is_mate_after(position, mv, plies - 1)?,
            };
            if in_time {
                counted.push(mv);
            } else if futile == Some(true) || self.is_futile(captured, plies)? {
                has_futile_drop = true;
            } else {
                return Ok(false);
            }
        }
        Ok(!has_futile_drop || plies == 0 || self.some_lasts(position, &counted, plies)?)
    }

    /// Whether a drop only delays a mate within this many plies, by the positions after its capture.
    fn is_futile(&mut self, captured: Vec<Position>, plies: u16) -> Decided<bool> {
        for mut position in captured {
            if self.is_mate_within(&mut position, plies)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// [`CustomaryLengths::is_futile`] as far as quick answers decide it.
    fn is_quickly_futile(&mut self, captured: &[Position], plies: u16) -> Decided<Option<bool>> {
        let mut answer = Some(false);
        for position in captured {
            match self.quick_answer(position, plies)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => answer = None,
            }
        }
        Ok(answer)
    }

    fn quick_answer_after(
        &mut self,
        position: &mut Position,
        mv: Move,
        plies: u16,
    ) -> Decided<Option<bool>> {
        position.do_move(mv);
        let answer = self.quick_answer(position, plies);
        position.undo_move(mv);
        answer
    }

    /// Whether one of these defences lasts as long as this many plies.
    fn some_lasts(
        &mut self,
        position: &mut Position,
        defences: &[Move],
        plies: u16,
    ) -> Decided<bool> {
        for &mv in defences {
            if plies < 3 || !self.is_mate_after(position, mv, plies - 3)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the mate after a move takes at most this many plies.
    pub(super) fn is_mate_after(
        &mut self,
        position: &mut Position,
        mv: Move,
        plies: u16,
    ) -> Decided<bool> {
        position.do_move(mv);
        let answer = self.is_mate_within(position, plies);
        position.undo_move(mv);
        answer
    }

    fn bounds(&self, position: &Position) -> Bounds {
        let none = Bounds { lower: 0, upper: NO_MATE };
        self.known.get(&position.key()).copied().unwrap_or(none)
    }

    fn tighten_upper_bound(&mut self, position: &Position, upper: u16) {
        let bounds = self.bounds(position);
        let upper = bounds.upper.min(upper);
        self.known.insert(position.key(), Bounds { upper, ..bounds });
    }

    fn tighten_lower_bound(&mut self, position: &Position, lower: u16) {
        let bounds = self.bounds(position);
        let lower = bounds.lower.max(lower);
        self.known.insert(position.key(), Bounds { lower, ..bounds });
    }
}

/// The moves that give check.
pub(super) fn checks(position: &Position) -> Vec<Move> {
    let mut moves: Vec<crate::position::ScoredMove> = Vec::new();
    position.generate_checks(NonPromotions::All, &mut moves);
    moves.into_iter().map(|scored| scored.mv()).collect()
}

/// The moves of the defender.
pub(super) fn evasions(position: &Position) -> Vec<Move> {
    position.legal_moves().moves().collect()
}
