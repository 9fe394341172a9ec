//! Mates that a move misses or allows.

use super::comparison::{Comparison, Opportunity};
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::analysis_score::{AnalysisScore, WinReason};
use crate::analysis::motifs::{LineReplay, Motif};
use crate::types::Color;
use crate::types::message::{Message, message};

/// The length of a mate that a line shows to its end, if that is what its score says.
fn shown_mate(
    score: Option<AnalysisScore>,
    line: &LineReplay,
    winner: Color,
) -> Option<(usize, bool)> {
    let Some(AnalysisScore::Win(reason) | AnalysisScore::Loss(reason)) = score else { return None };
    let WinReason::Mate { plies, .. } = reason else { return None };
    let is_shown = line.is_mate() && line.end().side_to_move() != winner;
    let length = line.moves().len();
    is_shown.then_some((length, plies as usize == length))
}

/// `mate in 5`, or `mate` if the line is not known to be as long as the mate.
fn mate_words((plies, is_exact): (usize, bool)) -> Message {
    if is_exact { message!("mate in {plies}", "{plies}手詰") } else { message!("mate", "詰み") }
}

/// A side mates in one line and does not win in the other.
pub(super) fn mate(lines: &Comparison, opportunity: Opportunity<'_>) -> Option<Reason> {
    let of_side = |score: Option<AnalysisScore>| {
        score.map(|score| if opportunity.is_missed { score } else { score.negated() })
    };
    let wins = |score| matches!(of_side(score), Some(AnalysisScore::Win(_)));
    let (here, there) = if opportunity.is_missed {
        (lines.better_score, lines.played_score)
    } else {
        (lines.played_score, lines.better_score)
    };
    // It must be known that the better line does not lose.
    if !wins(here) || wins(there) || !opportunity.is_missed && there.is_none() {
        return None;
    }
    let mate = shown_mate(here, opportunity.own, opportunity.side)?;
    let (first, words) = (spelled(opportunity.own, 0), mate_words(mate));
    let link = if mate.0 == 1 { "まで" } else { "から" };
    let (kind, text) = if opportunity.is_missed {
        let text = message!("Misses {1} by {0}.", "{0}{link}の{1}を逃した。"; first, words);
        (ReasonKind::MissesMate, text)
    } else {
        let text = message!("Allows {1} by {0}.", "{0}{link}の{1}を許した。"; first, words);
        (ReasonKind::AllowsMate, text)
    };
    Some(Reason { kind, motif: Some(Motif::Mate), text })
}
