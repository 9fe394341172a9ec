//! Mates that a move misses or allows.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::wording::spelled;
use crate::analysis::analysis_score::{AnalysisScore, WinReason};
use crate::analysis::motifs::{Motif, Replay};
use crate::types::Color;

/// The length of a mate that a line shows to its end, if that is what its score says.
fn shown_mate(score: Option<AnalysisScore>, line: &Replay, winner: Color) -> Option<(usize, bool)> {
    let Some(AnalysisScore::Win(reason) | AnalysisScore::Loss(reason)) = score else { return None };
    let WinReason::Mate { plies, .. } = reason else { return None };
    let is_shown = line.is_mate() && line.end().side_to_move() != winner;
    let length = line.moves().len();
    is_shown.then_some((length, plies as usize == length))
}

/// `mate in 5`, or `mate` if the line is not known to be as long as the mate.
fn mate_words((plies, is_exact): (usize, bool)) -> (String, String) {
    if is_exact {
        (format!("mate in {plies}"), format!("{plies}手詰め"))
    } else {
        ("mate".into(), "詰み".into())
    }
}

pub(super) fn misses_mate(lines: &Comparison) -> Option<Reason> {
    let wins = |score| matches!(score, Some(AnalysisScore::Win(_)));
    if !wins(lines.better_score) || wins(lines.played_score) {
        return None;
    }
    let mate = shown_mate(lines.better_score, &lines.better, lines.side)?;
    let ((en, ja), (mate_en, mate_ja)) = (spelled(&lines.better, 0), mate_words(mate));
    Some(Reason {
        kind: ReasonKind::MissesMate,
        motif: Some(Motif::Mate),
        en: format!("Misses {mate_en} by {en}."),
        ja: format!("{ja}からの{mate_ja}を逃した。"),
    })
}

pub(super) fn allows_mate(lines: &Comparison) -> Option<Reason> {
    let loses = |score| matches!(score, Some(AnalysisScore::Loss(_)));
    if !loses(lines.played_score) || lines.better_score.is_none_or(|it| loses(Some(it))) {
        return None;
    }
    let mate = shown_mate(lines.played_score, &lines.refutation, !lines.side)?;
    let ((en, ja), (mate_en, mate_ja)) = (spelled(&lines.refutation, 0), mate_words(mate));
    Some(Reason {
        kind: ReasonKind::AllowsMate,
        motif: Some(Motif::Mate),
        en: format!("Allows {mate_en} by {en}."),
        ja: format!("{ja}からの{mate_ja}を許した。"),
    })
}
