//! The rules, strongest first.

use super::material::{LastingGain, lasting_gain, quiet_balances};
use super::reason::{Reason, ReasonKind};
use super::wording::{pieces, spelled, square};
use crate::analysis::analysis_score::{AnalysisScore, BoundedScore, WinReason, behind};
use crate::analysis::motifs::{GAIN, Motif, MotifMatch, Replay, matches_of};
use crate::analysis::position_analysis::{PositionAnalysis, Variation};
use crate::mate::{Judgement, MateJudge, SolverLimits};
use crate::position::{Position, attacks};
use crate::types::{Bitboard, Bound, Color, Move, PieceKind};

/// Nodes of the mate solver for each question.
const NODES: u64 = 4_000;
const MEMORY_MIB: usize = 4;

/// Finds reasons, with a mate solver for threats.
#[derive(Debug)]
pub struct Explainer {
    /// `None` if there is no memory for it.
    judge: Option<MateJudge>,
}

/// The lines about a bad move, and what is known of their scores.
struct Comparison {
    side: Color,
    /// The move and its refutation.
    played: Replay,
    /// The refutation alone.
    refutation: Replay,
    better: Replay,
    played_score: Option<AnalysisScore>,
    better_score: Option<AnalysisScore>,
}

impl Explainer {
    pub fn new() -> Explainer {
        Explainer { judge: MateJudge::new(Color::Black, MEMORY_MIB).ok() }
    }

    /// The strongest reason why the move is worse than the best one, given the analyses of the positions
    /// before and after it.
    pub fn reason(
        &mut self,
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Reason> {
        let lines = Comparison::new(position, mv, before, after)?;
        let rules: [fn(&Comparison) -> Option<Reason>; 4] =
            [misses_mate, allows_mate, loses_piece, misses_piece];
        let found = rules.into_iter().find_map(|rule| rule(&lines));
        found
            .or_else(|| self.too_slow(&lines))
            .or_else(|| exposes_king(&lines))
            .or_else(|| better_move(&lines))
    }

    /// The better move threatens mate, the one played does not, and the answer to it does.
    fn too_slow(&mut self, lines: &Comparison) -> Option<Reason> {
        let better = self.threat(lines.better.after(0), lines.side)?;
        let Judgement::Mate(plies) = better else { return None };
        let own = self.threat(lines.played.after(0), lines.side)?;
        if own != (Judgement::NoMate { of_any_length: true }) {
            return None;
        }
        let answer = self.threat(lines.refutation.after(0), !lines.side)?;
        let Judgement::Mate(other) = answer else { return None };
        let ((en, ja), (reply_en, reply_ja)) =
            (spelled(&lines.better, 0), spelled(&lines.refutation, 0));
        Some(Reason {
            kind: ReasonKind::TooSlow,
            motif: None,
            en: format!(
                "Too slow: {en} would have threatened mate in {plies}, this move threatens none, \
                 and {reply_en} threatens mate in {other}."
            ),
            ja: format!(
                "速度負け。{ja}なら詰めろ（{plies}手）だったが、この手は詰めろにならず、\
                 {reply_ja}が詰めろ（{other}手）になる。"
            ),
        })
    }

    /// The mate by checks that the side that has just moved threatens, as if the other side passed.
    /// `None` in check.
    fn threat(&mut self, position: &Position, attacker: Color) -> Option<Judgement> {
        let judge = self.judge.as_mut()?;
        if position.in_check() || position.side_to_move() == attacker {
            return None;
        }
        let mut passed = position.clone();
        passed.do_null_move();
        judge.forget(attacker);
        let limits =
            SolverLimits { nodes: Some(NODES), depth: None, deadline: None, stop: &|| false };
        Some(judge.judge(&passed, None, &limits))
    }
}

impl Default for Explainer {
    fn default() -> Explainer {
        Explainer::new()
    }
}

impl Comparison {
    /// `None` if there is nothing to compare.
    fn new(
        position: &Position,
        mv: Move,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Comparison> {
        let (best, reply) = (before.best(), after.best());
        let played = Replay::new(position, &behind(mv, &reply.moves));
        let better = Replay::new(position, &best.moves);
        if played.moves().len() < 2 || better.moves().is_empty() || before.best_move() == Some(mv) {
            return None;
        }
        let refutation = Replay::new(played.after(0), &reply.moves);
        let exact = |variation: &Variation| {
            let BoundedScore { score, bound } = variation.estimate;
            (bound == Bound::Exact).then_some(score)
        };
        Some(Comparison {
            side: position.side_to_move(),
            played,
            refutation,
            better,
            // For the player of the move.
            played_score: exact(reply).map(AnalysisScore::negated),
            better_score: exact(best),
        })
    }

    /// Whether the scores differ by at least half of what the pieces are worth, in hundredths of pawns.
    fn is_worth(&self, value: i32) -> bool {
        use AnalysisScore::Centipawns;
        match (self.better_score, self.played_score) {
            (Some(Centipawns(better)), Some(Centipawns(played))) => (better - played) * 2 >= value,
            _ => false,
        }
    }

    fn is_decided(&self) -> bool {
        let mates = |score: Option<AnalysisScore>| score.is_some_and(AnalysisScore::is_mate);
        mates(self.played_score) || mates(self.better_score)
    }
}

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

fn misses_mate(lines: &Comparison) -> Option<Reason> {
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

fn allows_mate(lines: &Comparison) -> Option<Reason> {
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

/// The opponent gains material permanently that the better line keeps.
fn loses_piece(lines: &Comparison) -> Option<Reason> {
    if lines.is_decided() {
        return None;
    }
    let lost = lasting_gain(&lines.played, !lines.side)?;
    let kept = quiet_balances(&lines.better, lines.side);
    let is_kept = !kept.is_empty() && kept.iter().all(|&(_, value)| value >= GAIN - lost.value);
    // The refutation begins after the move.
    let capture = lost.capture.checked_sub(1)?;
    // The better line has to reach as far.
    if !is_kept || !lines.is_worth(lost.value) || lines.better.moves().len() <= lost.capture {
        return None;
    }
    let motif = motif_of(&lines.refutation, capture);
    let (means_en, means_ja) = means(&lines.refutation, capture, motif.as_ref());
    let (what_en, what_ja) = exchange(&lost);
    Some(Reason {
        kind: ReasonKind::LosesPiece,
        motif: motif.map(|found| found.motif),
        en: format!("Loses {what_en}: {means_en}."),
        ja: format!("{means_ja}で{what_ja}の駒損になる。"),
    })
}

/// The better line gains material permanently, and the line played does not.
fn misses_piece(lines: &Comparison) -> Option<Reason> {
    if lines.is_decided() {
        return None;
    }
    let won = lasting_gain(&lines.better, lines.side)?;
    let other = quiet_balances(&lines.played, lines.side);
    let is_missed = !other.is_empty() && other.iter().all(|&(_, value)| value <= won.value - GAIN);
    if !is_missed || !lines.is_worth(won.value) || lines.played.moves().len() <= won.capture {
        return None;
    }
    let motif = motif_of(&lines.better, won.capture);
    let (means_en, means_ja) = means(&lines.better, won.capture, motif.as_ref());
    let (what_en, what_ja) = exchange(&won);
    Some(Reason {
        kind: ReasonKind::MissesPiece,
        motif: motif.map(|found| found.motif),
        en: format!("Misses the win of {what_en}: {means_en}."),
        ja: format!("{means_ja}で{what_ja}の駒得になる手を逃した。"),
    })
}

/// The tactic that leads to a capture.
fn motif_of(line: &Replay, capture: usize) -> Option<MotifMatch> {
    let to = line.moves()[capture].to();
    let mut found: Vec<MotifMatch> = matches_of(line)
        .into_iter()
        .filter(|found| found.motif.wins_a_piece() && found.targets.contains(&to))
        .filter(|found| found.ply <= capture && capture <= found.ply + 4)
        .collect();
    found.sort_by_key(|found| found.motif);
    found.into_iter().next()
}

/// The move that does it, with the name of the tactic, and the capture if that is another move.
fn means(line: &Replay, capture: usize, motif: Option<&MotifMatch>) -> (String, String) {
    let (capture_en, capture_ja) = spelled(line, capture);
    let begun = motif.map_or(0, |found| found.ply);
    let (en, ja) = spelled(line, begun);
    let (name_en, name_ja) = motif.map_or((String::new(), String::new()), |found| {
        (format!(" ({})", found.motif.en()), format!("（{}）", found.motif.ja()))
    });
    if begun == capture {
        return (format!("{en}{name_en}"), format!("{ja}{name_ja}"));
    }
    (format!("{en}{name_en} and {capture_en}"), format!("{ja}{name_ja}から{capture_ja}"))
}

/// `a rook for a silver`, `飛車と銀の交換`; `a gold`, `金`.
fn exchange(lasting_gain: &LastingGain) -> (String, String) {
    let (taken_en, taken_ja) = pieces(&lasting_gain.taken);
    if lasting_gain.paid.is_empty() {
        return (taken_en, taken_ja);
    }
    let (paid_en, paid_ja) = pieces(&lasting_gain.paid);
    (format!("{taken_en} for {paid_en}"), format!("{taken_ja}と{paid_ja}の交換"))
}

/// Plies in which the king is watched.
const WATCHED: usize = 8;

/// Checks drive the king out or take its guards, and the better line has no check.
fn exposes_king(lines: &Comparison) -> Option<Reason> {
    let side = lines.side;
    let watched = |line: &Replay| line.moves().len().min(WATCHED);
    let (end, other) = (watched(&lines.played), watched(&lines.better));
    let checks = [(&lines.played, end), (&lines.better, other)]
        .map(|(line, plies)| checks(line, plies, side));
    if checks[0] < 2 || checks[1] > 0 || other < end.min(4) {
        return None;
    }
    let (home, king) = (lines.played.after(0).king(side)?, lines.played.after(end - 1).king(side)?);
    let distance = home.file().abs_diff(king.file()).max(home.rank().abs_diff(king.rank()));
    let lost = lost_guards(&lines.played, end, side);
    let (what_en, what_ja) = if distance >= 2 {
        (
            format!("drive it from {home} to {king}"),
            format!("玉が{}から{}へ追われる", square(home), square(king)),
        )
    } else if lost > 0 {
        let plural = if lost > 1 { "s" } else { "" };
        (
            format!("come with the loss of {lost} general{plural} beside it"),
            format!("玉のそばの金銀を{lost}枚取られる"),
        )
    } else {
        return None;
    };
    let (en, ja) = spelled(&lines.refutation, 0);
    let count = checks[0];
    Some(Reason {
        kind: ReasonKind::ExposesKing,
        motif: None,
        en: format!("Exposes the king: after {en}, {count} checks {what_en}."),
        ja: format!("玉が危なくなる。{ja}から王手が{count}回かかり、{what_ja}。"),
    })
}

/// The generals next to the king of a side that a line takes.
fn lost_guards(line: &Replay, plies: usize, side: Color) -> usize {
    let position = line.after(0);
    let generals = position.golds(side) | position.pieces_of(side, PieceKind::Silver);
    let guards = position.king(side).map_or(Bitboard::EMPTY, |king| attacks::king(king) & generals);
    let is_lost = |&ply: &usize| {
        let captured = line.captured(ply).filter(|piece| piece.color() == side);
        let to = line.moves()[ply].to();
        captured.is_some() && guards.contains(to) && captured == position.piece_at(to)
    };
    (1..plies).filter(is_lost).count()
}

/// The checks against a side in the first moves of a line.
fn checks(line: &Replay, plies: usize, side: Color) -> usize {
    let is_check = |&ply: &usize| {
        let after = line.after(ply);
        after.side_to_move() == side && after.in_check()
    };
    (0..plies).filter(is_check).count()
}

/// The better move has a name.
fn better_move(lines: &Comparison) -> Option<Reason> {
    let found = matches_of(&lines.better);
    let mut named: Vec<Motif> =
        found.iter().filter(|found| found.ply == 0).map(|found| found.motif).collect();
    named.retain(|motif| motif.is_a_move());
    named.sort_unstable();
    let &motif = named.first()?;
    let (en, ja) = spelled(&lines.better, 0);
    Some(Reason {
        kind: ReasonKind::BetterMove,
        motif: Some(motif),
        en: format!("Better is {en} ({}).", motif.en()),
        ja: format!("{ja}（{}）がまさった。", motif.ja()),
    })
}
