//! Pieces that a move loses or fails to win.

use super::comparison::{Comparison, Opportunity};
use super::material::{LastingGain, keeps, lasting_gain};
use super::reason::{Reason, ReasonKind};
use super::wording::{pieces, spelled_up_to, tactic_to, with_particle, won_or_lost};
use crate::analysis::motifs::{GAIN, LineReplay, Motif, MotifMatch, capture_value, matches_of};
use crate::types::PieceKind;
use crate::types::message::{Message, message};

/// The least gain of the rules about pawns: one pawn.
pub(super) fn pawn_value() -> i32 {
    capture_value(PieceKind::Pawn)
}

/// A side gains a piece permanently in one line, and not in the other.
pub(super) fn piece_gain(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    gain(lines, opportunity, GAIN)
}

/// A side gains a pawn or two permanently in one line, and not in the other.
pub(super) fn pawn_gain(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    gain(lines, opportunity, pawn_value())
}

fn gain(lines: &Comparison, opportunity: Opportunity<'_>, min: i32) -> Option<Reason> {
    if lines.is_decided() {
        return None;
    }
    let won =
        lasting_gain(opportunity.line, opportunity.side, min).filter(|it| fits_rule(it, min))?;
    let is_other = keeps(opportunity.other, !opportunity.side, min - won.value, min);
    let capture = opportunity.own_ply(won.capture_ply)?;
    // The other line has to reach as far.
    if !is_other || !lines.is_worth(won.value) || opportunity.other.moves().len() <= won.capture_ply
    {
        return None;
    }
    let motif = motif_of(opportunity.own, &won, capture);
    let way = way_to_capture(opportunity.own, capture, motif.as_ref());
    let what = exchange(&won, if opportunity.is_missed { "得" } else { "損" });
    let (kind, text) = if opportunity.is_missed {
        let text = message!(
            "Misses the win of {1}: {0}.",
            "{0}で{1}になる手を逃した。";
            way, what
        );
        (ReasonKind::MissesPiece, text)
    } else {
        (ReasonKind::LosesPiece, message!("Loses {1}: {0}.", "{0}で{1}になる。"; way, what))
    };
    Some(Reason { kind, motif: motif.map(|found| found.motif), text })
}

/// Whether a gain belongs to the rule with this minimum: a piece, or less than a piece.
fn fits_rule(gain: &LastingGain, min: i32) -> bool {
    min >= GAIN || gain.value < GAIN
}

fn is_pawns(gain: &LastingGain) -> bool {
    gain.net.taken.iter().all(|&kind| kind == PieceKind::Pawn)
}

/// The tactic that leads to a capture, if more than pawns are won. A piece that is exchanged is not taken for nothing.
fn motif_of(line: &LineReplay, gain: &LastingGain, capture: usize) -> Option<MotifMatch> {
    if is_pawns(gain) {
        return None;
    }
    let to = line.moves()[capture].to();
    let mut found: Vec<MotifMatch> = matches_of(line)
        .into_iter()
        .filter(|found| found.motif.wins_a_piece() && found.targets.contains(&to))
        .filter(|found| found.motif != Motif::FreePiece || gain.net.lost.is_empty())
        .filter(|found| found.ply <= capture && capture <= found.ply + 4)
        .collect();
    found.sort_by_key(|found| found.motif);
    found.into_iter().next()
}

/// The moves that lead to a capture: those of the tactic, or the first of the line and the capture.
fn way_to_capture(line: &LineReplay, capture: usize, motif: Option<&MotifMatch>) -> Message {
    motif.map_or_else(|| spelled_up_to(line, capture), |found| tactic_to(line, found, capture))
}

/// `a rook for a silver`, `飛車と銀の交換の駒損`; `a gold and a silver`, `金・銀の駒損`; `a gold`, `金損`; `a pawn`,
/// `1歩損`.
fn exchange(gain: &LastingGain, change: &str) -> Message {
    let (taken, lost) = (pieces(&gain.net.taken), pieces(&gain.net.lost));
    if !gain.net.lost.is_empty() {
        let ja = format!("{}の交換の駒{change}", with_particle(&taken.ja, &lost.ja));
        return Message { en: format!("{} for {}", taken.en, lost.en), ja };
    }
    let ja = if is_pawns(gain) || gain.net.taken.len() == 1 {
        won_or_lost(&gain.net.taken, change)
    } else {
        format!("{}の駒{change}", taken.ja)
    };
    Message { en: taken.en, ja }
}
