//! Threats of mate, which a mate solver proves.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::winning_captures::after_pass;
use super::wording::{spelled, spelled_with_square};
use crate::analysis::motifs::LineReplay;
use crate::mate::{MateProver, ProofResult, SolverLimits};
use crate::position::Position;
use crate::types::Color;
use crate::types::message::message;

/// Nodes of the mate solver for each proof.
const LIMITS: SolverLimits<'static> =
    SolverLimits { nodes: Some(4_000), ..SolverLimits::UNLIMITED };
/// Maximum length in plies of a threatened mate that a sentence mentions. It shows no line, so the reader has to find
/// the mate; few club players find a longer one.
const MAX_THREAT_PLIES: u16 = 9;
const MEMORY_MIB: usize = 4;

/// A mate solver for threats.
#[derive(Debug)]
pub(super) struct ThreatProver {
    /// `None` if there is no memory for it.
    prover: Option<MateProver>,
}

impl ThreatProver {
    pub(super) fn new() -> ThreatProver {
        ThreatProver { prover: MateProver::new(Color::Black, MEMORY_MIB).ok() }
    }

    /// The length of the shortest mate that the move at a ply threatens, if it is short enough to be named.
    fn threatened_mate(&mut self, line: &LineReplay, ply: usize) -> Option<u16> {
        let (prover, position) = self.after_pass(line, ply)?;
        // A search of any length may find a longer mate first.
        for plies in (1..=MAX_THREAT_PLIES).step_by(2) {
            match prover.prove(&position, Some(plies), &LIMITS) {
                ProofResult::Mate(plies) => return Some(plies),
                ProofResult::NoMate { of_any_length: false } => {}
                ProofResult::NoMate { of_any_length: true } | ProofResult::Unknown => return None,
            }
        }
        None
    }

    /// Whether it is proved that the move at a ply threatens no mate by checks, however long.
    fn threatens_no_mate(&mut self, line: &LineReplay, ply: usize) -> bool {
        let Some((prover, position)) = self.after_pass(line, ply) else { return false };
        let found = prover.prove(&position, None, &LIMITS);
        found == ProofResult::NoMate { of_any_length: true }
    }

    /// The prover for mates by checks of the side that moves at a ply, and the position in which the other side has
    /// passed after that move. `None` if the line is too short or the move gives check.
    fn after_pass(&mut self, line: &LineReplay, ply: usize) -> Option<(&mut MateProver, Position)> {
        let prover = self.prover.as_mut()?;
        if ply >= line.moves().len() || line.after(ply).in_check() {
            return None;
        }
        let position = after_pass(line.after(ply));
        prover.reset(position.side_to_move());
        Some((prover, position))
    }

    /// The better move threatens mate, the played move does not, and the reply does.
    pub(super) fn too_slow(&mut self, lines: &Comparison) -> Option<Reason> {
        let plies = self.threatened_mate(&lines.better, 0)?;
        if !self.threatens_no_mate(&lines.played, 0) {
            return None;
        }
        let other = self.threatened_mate(&lines.played, 1)?;
        let better = spelled(&lines.better, 0);
        let reply = spelled_with_square(&lines.refutation, 0);
        let text = message!(
            "Too slow: {} would have threatened mate in {plies}, this move threatens none, \
             and {} threatens mate in {other}.",
            "速度負け。{}なら詰めろ（{plies}手）だったが、この手は詰めろにならず、\
             {}が詰めろ（{other}手）になる。";
            better, reply
        );
        Some(Reason::new(ReasonKind::TooSlow, text))
    }

    /// The reply threatens mate, and the opponent's first two moves in the better line do not.
    pub(super) fn allows_threat(&mut self, lines: &Comparison) -> Option<Reason> {
        let plies = self.threatened_mate(&lines.played, 1)?;
        let is_prevented = lines.better.moves().len() > 3
            && [1, 3].into_iter().all(|ply| self.threatens_no_mate(&lines.better, ply));
        let reply = spelled(&lines.refutation, 0);
        let text = message!(
            "Allows a threat of mate in {plies}: {}.",
            "{}で詰めろ（{plies}手）をかけられる。";
            reply
        );
        is_prevented.then(|| Reason::new(ReasonKind::AllowsThreat, text))
    }

    /// The better move threatens mate, the played move does not.
    pub(super) fn misses_threat(&mut self, lines: &Comparison) -> Option<Reason> {
        let plies = self.threatened_mate(&lines.better, 0)?;
        let is_missed = self.threatens_no_mate(&lines.played, 0);
        let better = spelled(&lines.better, 0);
        let text = message!(
            "Misses a threat of mate in {plies}: {}.",
            "{}なら詰めろ（{plies}手）だったが、この手は詰めろにならない。";
            better
        );
        is_missed.then(|| Reason::new(ReasonKind::MissesThreat, text))
    }
}
