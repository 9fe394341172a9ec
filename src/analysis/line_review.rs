//! The losses and grades of the moves of a line, and statistics of each side.

use std::sync::Arc;

use super::accuracy::{self, RatedMove};
use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::formations::{FormationEvent, formations};
use super::line_cursor::{Branch, LineCursor};
use super::position_analysis::{AnalysisResults, PositionAnalysis};
use super::reasons::{Explainer, Reason};
use super::win_rate::win_rate;
use crate::position::Position;
use crate::record::{GameRecord, NodeId};
use crate::types::{ByColor, Color, Move};

/// Decides which moves are opening theory.
pub trait OpeningBook {
    fn contains(&self, position: &Position, mv: Move) -> bool;
}

/// The loss of a move against the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveLoss {
    /// `None` if the game is decided before or after the move.
    pub centipawns: Option<i32>,
    /// Loss of win rate, from 0 to 1.
    pub win_rate: f64,
}

/// The grade of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Dubious,
    Mistake,
    Blunder,
}

impl Grade {
    /// The grade for a loss of win rate: from 2.5, 5 and 10 percentage points on, which is about
    /// 0.8, 1.6 and 3.2 pawns in an even position.
    pub fn of(loss: f64) -> Option<Grade> {
        match loss {
            loss if loss >= 0.10 => Some(Grade::Blunder),
            loss if loss >= 0.05 => Some(Grade::Mistake),
            loss if loss >= 0.025 => Some(Grade::Dubious),
            _ => None,
        }
    }
}

/// A move of a game with its review.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    pub node: NodeId,
    pub mv: Move,
    pub side: Color,
    /// The analysis of the position before it.
    pub before: Arc<PositionAnalysis>,
    /// The analysis of the position after it.
    pub after: Arc<PositionAnalysis>,
    pub is_best: bool,
    pub is_book: bool,
    pub loss: MoveLoss,
    /// Why a mistake or a blunder is one, if that can be proved.
    pub reason: Option<Reason>,
}

impl ReviewedMove {
    /// `None` for a good move, and for a move of a book.
    pub fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss.win_rate).filter(|_| !self.is_book)
    }

    /// The score of the move for its player.
    pub fn score(&self) -> BoundedScore {
        self.after.best().estimate.before_move()
    }

    fn rated(&self) -> RatedMove {
        let of_black = |analysis: &PositionAnalysis, side| {
            let win_rate = win_rate(analysis.best().estimate.score);
            if side == Color::Black { win_rate } else { 1.0 - win_rate }
        };
        RatedMove {
            side: self.side,
            black_before: of_black(&self.before, self.side),
            black_after: of_black(&self.after, !self.side),
            loss: self.loss.win_rate,
            is_book: self.is_book,
        }
    }

    /// Whether the move misses a mate.
    pub fn misses_mate(&self) -> bool {
        let mates = |score| matches!(score, AnalysisScore::Win(WinReason::Mate { .. }));
        mates(self.before.best().estimate.score) && !mates(self.score().score)
    }
}

/// Statistics of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideStats {
    /// Reviewed moves.
    pub moves: usize,
    /// Best moves.
    pub best: usize,
    pub dubious: usize,
    pub mistakes: usize,
    pub blunders: usize,
    /// Number of moves with a loss in centipawns, and the sum of these losses.
    rated_moves: usize,
    total_loss_cp: i64,
    accuracy: Option<f64>,
}

impl SideStats {
    fn add(&mut self, reviewed: &ReviewedMove) {
        self.moves += 1;
        self.best += usize::from(reviewed.is_best);
        match reviewed.grade() {
            Some(Grade::Dubious) => self.dubious += 1,
            Some(Grade::Mistake) => self.mistakes += 1,
            Some(Grade::Blunder) => self.blunders += 1,
            None => {}
        }
        // Book moves are no measure of play.
        if let Some(loss) = reviewed.loss.centipawns.filter(|_| !reviewed.is_book) {
            self.rated_moves += 1;
            self.total_loss_cp += i64::from(loss);
        }
    }

    /// Mean loss in centipawns while the game was undecided, without moves of a book.
    pub fn average_centipawn_loss(&self) -> Option<f64> {
        (self.rated_moves > 0).then(|| self.total_loss_cp as f64 / self.rated_moves as f64)
    }

    /// The accuracy of the moves, from 0 to 1.
    pub fn accuracy(&self) -> Option<f64> {
        self.accuracy
    }
}

/// The review of a line of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct LineReview {
    /// `None` for the main line.
    pub branch: Option<Branch>,
    /// All moves of the line from the start of the game, with their nodes.
    pub line: Vec<(NodeId, Move)>,
    /// One for each move of the main line or of the branch; `None` if a position was not analysed.
    pub moves: Vec<Option<ReviewedMove>>,
    /// The analysis of the last position.
    pub end: Option<Arc<PositionAnalysis>>,
    pub stats: ByColor<SideStats>,
}

impl LineReview {
    /// Reviews the main line.
    pub fn new(
        game: &GameRecord,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        LineReview::of_cursor(LineCursor::new(game), None, results, openings)
    }

    /// Reviews a branch.
    pub fn of_branch(
        game: &GameRecord,
        branch: Branch,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        LineReview::of_cursor(LineCursor::of_branch(game, &branch), Some(branch), results, openings)
    }

    fn of_cursor(
        mut cursor: LineCursor,
        branch: Option<Branch>,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        let first_ply = branch.map_or(0, |branch| branch.ply);
        let end = results.get(cursor.key(cursor.ply())).cloned();
        while cursor.ply() > first_ply && cursor.step_back() {}
        let mut moves = Vec::with_capacity(cursor.moves().len() - first_ply);
        let mut stats = ByColor::<SideStats>::default();
        let mut explainer = Explainer::new();
        while let Some(&(node, mv)) = cursor.moves().get(cursor.ply()) {
            let mut reviewed = review_move(&cursor, node, mv, results, openings);
            if let Some(reviewed) = &mut reviewed {
                if reviewed.grade() >= Some(Grade::Mistake) {
                    let (before, after) = (&reviewed.before, &reviewed.after);
                    reviewed.reason = explainer.reason(cursor.position(), mv, before, after);
                }
                stats[reviewed.side].add(reviewed);
            }
            moves.push(reviewed);
            cursor.step_forward();
        }
        let rated: Vec<RatedMove> = moves.iter().flatten().map(ReviewedMove::rated).collect();
        for side in Color::ALL {
            stats[side].accuracy = accuracy::of_side(&rated, side);
        }
        LineReview { branch, line: cursor.moves().to_vec(), moves, end, stats }
    }

    /// Number of moves before the reviewed ones.
    pub fn first_ply(&self) -> usize {
        self.branch.map_or(0, |branch| branch.ply)
    }

    /// The names of the castles and openings that the reviewed moves complete.
    pub fn formations(&self, game: &GameRecord) -> Vec<FormationEvent> {
        let moves: Vec<Move> = self.line.iter().map(|&(_, mv)| mv).collect();
        let all = formations(&game.start_position(), &moves);
        all.into_iter().filter(|event| event.ply > self.first_ply()).collect()
    }

    /// Whether every position was analysed.
    pub fn is_complete(&self) -> bool {
        self.end.is_some() && self.moves.iter().all(Option::is_some)
    }
}

fn review_move(
    cursor: &LineCursor,
    node: NodeId,
    mv: Move,
    results: &AnalysisResults,
    openings: Option<&dyn OpeningBook>,
) -> Option<ReviewedMove> {
    let ply = cursor.ply();
    let before = results.get(cursor.key(ply))?.clone();
    let after = results.get(cursor.key(ply + 1))?.clone();
    let position = cursor.position();
    let is_best = before.best_move() == Some(mv);
    let loss = MoveLoss::of(mv, &before, &after);
    let is_book = openings.is_some_and(|openings| openings.contains(position, mv));
    Some(ReviewedMove {
        node,
        mv,
        side: position.side_to_move(),
        before,
        after,
        is_best,
        is_book,
        loss,
        reason: None,
    })
}

impl MoveLoss {
    /// The loss of a move between two positions.
    pub(super) fn of(mv: Move, before: &PositionAnalysis, after: &PositionAnalysis) -> MoveLoss {
        let played = after.best().estimate.before_move().score;
        match before.best_move() {
            Some(best) if best == mv => MoveLoss::nothing(played),
            _ => MoveLoss::between(before, played),
        }
    }

    fn nothing(played: AnalysisScore) -> MoveLoss {
        MoveLoss { centipawns: (!played.is_decided()).then_some(0), win_rate: 0.0 }
    }

    fn between(before: &PositionAnalysis, played: AnalysisScore) -> MoveLoss {
        let best = before.best().estimate.score;
        let centipawns = match (best, played) {
            (AnalysisScore::Centipawns(best), AnalysisScore::Centipawns(played)) => {
                Some((best - played).max(0))
            }
            _ => None,
        };
        let win_rate = (win_rate(best) - win_rate(played)).max(0.0);
        MoveLoss { centipawns, win_rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Variation;
    use std::time::Duration;

    fn position_analysis(score: AnalysisScore) -> PositionAnalysis {
        let variation = Variation { estimate: BoundedScore::exact(score), ..Variation::default() };
        PositionAnalysis { variations: vec![variation], nodes: 0, elapsed: Duration::ZERO }
    }

    fn loss(best: AnalysisScore, played: AnalysisScore) -> MoveLoss {
        MoveLoss::between(&position_analysis(best), played)
    }

    const MATE: WinReason = WinReason::Mate { plies: 5, is_shortest: true };

    #[test]
    fn losses_are_defined_between_centipawn_scores_only_and_never_negative() {
        let lost = loss(AnalysisScore::Centipawns(300), AnalysisScore::Centipawns(-300));
        assert_eq!(lost.centipawns, Some(600));
        assert!((lost.win_rate - 0.185).abs() < 0.001, "{lost:?}");
        let lost = loss(AnalysisScore::Centipawns(0), AnalysisScore::Centipawns(20));
        assert_eq!(lost, MoveLoss { centipawns: Some(0), win_rate: 0.0 });
        let lost = loss(AnalysisScore::Centipawns(0), AnalysisScore::Loss(MATE));
        assert_eq!(lost, MoveLoss { centipawns: None, win_rate: 0.5 });
        let lost = loss(AnalysisScore::Win(MATE), AnalysisScore::Win(WinReason::Unproven));
        assert_eq!(lost, MoveLoss { centipawns: None, win_rate: 0.0 });
    }

    #[test]
    fn from_an_even_position_grades_begin_at_about_0_8_and_1_6_and_3_2_pawns() {
        let grade = |lost: i32| {
            Grade::of(loss(AnalysisScore::Centipawns(0), AnalysisScore::Centipawns(-lost)).win_rate)
        };
        let grades = [75, 85, 155, 165, 320, 330].map(grade);
        let (dubious, mistake, blunder) =
            (Some(Grade::Dubious), Some(Grade::Mistake), Some(Grade::Blunder));
        assert_eq!(grades, [None, dubious, dubious, mistake, mistake, blunder]);
    }

    #[test]
    fn grades_begin_at_two_and_a_half_five_and_ten_hundredths() {
        let grades = [0.0, 0.024, 0.025, 0.05, 0.09, 0.1, 1.0].map(Grade::of);
        let (dubious, mistake, blunder) =
            (Some(Grade::Dubious), Some(Grade::Mistake), Some(Grade::Blunder));
        assert_eq!(grades, [None, None, dubious, mistake, mistake, blunder, blunder]);
    }
}
