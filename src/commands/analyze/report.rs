//! The report of an analysis: the JSON output, from which the table and the page are made too.
//!
//! Scores and win rates are from Black's side, losses are those of the player who moved.

use std::slice;
#[cfg(test)]
use std::{sync::Arc, time::Duration};

use kawasemi::analysis::{
    AnalysisConfig, AnalysisLimit, AnalysisScore, BoundedScore, Branch, FormationEvent, Grade,
    LineReview, Motif, PositionAnalysis, Reason, ReviewedMove, SideStats, Variation, WinReason,
    human_win_rate, win_rate,
};
use kawasemi::engine;
use kawasemi::nnue::Network;
use kawasemi::position::Position;
use kawasemi::record::{
    self, Encoding, GameRecord, GameStep, HeaderKey, NodeId, RecordFormat, SpelledMove, side_names,
};
use kawasemi::search::request::PvEnding;
use kawasemi::types::language::Localized;
use kawasemi::types::message::Message;
use kawasemi::types::{Bound, ByColor, Color, printable};
#[cfg(test)]
use kawasemi::{analysis::MoveLoss, types::Move};
use serde::{Serialize, Serializer};

use super::analyzed_game::AnalyzedGame;

#[derive(Debug, Serialize)]
pub(super) struct AnalysisReport {
    pub(super) engine: &'static str,
    network: String,
    limit: LimitReport,
    multipv: usize,
    threads: usize,
    hash_mib: usize,
    /// Whether every move of every game is analysed.
    pub(super) complete: bool,
    pub(super) games: Vec<GameReport>,
}

/// The limit for each position; exactly one field is set.
#[derive(Debug, Serialize)]
struct LimitReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<i32>,
}

#[derive(Debug, Serialize)]
pub(super) struct GameReport {
    pub(super) file: String,
    pub(super) number: Option<usize>,
    pub(super) black: Option<String>,
    pub(super) white: Option<String>,
    pub(super) event: Option<String>,
    pub(super) date: Option<String>,
    start: String,
    /// A handicap changes them in Japanese.
    #[serde(serialize_with = "by_name_of_side")]
    pub(super) side_names: ByColor<Localized>,
    /// The record as it was read, with its branches.
    kif: String,
    pub(super) moves: Vec<MoveReport>,
    /// The castles and openings that the moves complete, in their order.
    pub(super) formations: Vec<FormationReport>,
    /// How the record ends: a keyword.
    ending: Option<String>,
    /// The last position; `None` if it was not analysed.
    pub(super) end: Option<PositionReport>,
    /// Of the main line.
    pub(super) summary: Summary,
    pub(super) branches: Vec<BranchReport>,
    /// Number of branches in the record that were not analysed.
    pub(super) branches_left_out: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct BranchReport {
    /// The line that it leaves: 0 is the main line, then the branches count from 1.
    pub(super) of: usize,
    /// The moves of that line before it.
    pub(super) after: usize,
    pub(super) moves: Vec<MoveReport>,
    pub(super) formations: Vec<FormationReport>,
    ending: Option<String>,
    pub(super) end: Option<PositionReport>,
}

/// A castle or an opening.
#[derive(Debug, Serialize)]
pub(super) struct FormationReport {
    /// Of the move that completes it.
    number: usize,
    /// `None` for an opening of both sides.
    pub(super) side: Option<&'static str>,
    /// `opening` or `castle`.
    pub(super) kind: &'static str,
    #[serde(flatten)]
    pub(super) name: Localized,
}

#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub(super) black: SideReport,
    pub(super) white: SideReport,
}

#[derive(Debug, Serialize)]
pub(super) struct SideReport {
    pub(super) moves: usize,
    pub(super) best: usize,
    pub(super) dubious: usize,
    pub(super) mistakes: usize,
    pub(super) blunders: usize,
    /// In centipawns, of the moves made while the game was undecided.
    pub(super) mean_loss: Option<f64>,
    /// From 0 to 1.
    pub(super) accuracy: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct MoveReport {
    /// From 1.
    pub(super) number: usize,
    side: &'static str,
    #[serde(rename = "move")]
    pub(super) mv: SpelledMove,
    /// The time that the player used, in seconds.
    seconds: Option<f64>,
    /// `None` if the analysis was stopped before.
    pub(super) analysis: Option<MoveAnalysis>,
}

#[derive(Debug, Serialize)]
pub(super) struct MoveAnalysis {
    /// Of the position after the move.
    pub(super) score: ScoreReport,
    pub(super) is_best: bool,
    pub(super) is_book: bool,
    pub(super) misses_mate: bool,
    pub(super) grade: Option<&'static str>,
    /// Why a mistake or a blunder is one, if that can be proved.
    pub(super) reason: Option<ReasonReport>,
    /// In centipawns; `None` where the game was or is decided.
    pub(super) loss: Option<i32>,
    /// Of the win rate, from 0 to 1.
    pub(super) win_rate_loss: f64,
    /// The position before the move.
    pub(super) before: PositionReport,
}

#[derive(Debug, Serialize)]
pub(super) struct ReasonReport {
    kind: &'static str,
    /// The tactic that is allowed or missed.
    motif: Option<&'static str>,
    #[serde(flatten)]
    pub(super) text: Message,
}

#[derive(Debug, Serialize)]
pub(super) struct PositionReport {
    /// Best first.
    pub(super) lines: Vec<LineReport>,
    nodes: u64,
    milliseconds: u128,
}

#[derive(Debug, Serialize)]
pub(super) struct LineReport {
    pub(super) score: ScoreReport,
    depth: i32,
    selective_depth: usize,
    pub(super) moves: Vec<SpelledMove>,
    pub(super) ending: Option<&'static str>,
    /// Found by the mate solver.
    solved: bool,
}

/// A score from Black's side. Exactly one of `centipawns` and `winner` is set.
#[derive(Debug, Serialize)]
pub(super) struct ScoreReport {
    pub(super) centipawns: Option<i32>,
    /// `exact`, `lower` (at least this score) or `upper`.
    pub(super) bound: &'static str,
    pub(super) winner: Option<&'static str>,
    /// `mate`, `perpetual_check`, `declaration`, or `unshown`.
    pub(super) by: Option<&'static str>,
    /// Plies to the mate, at most.
    pub(super) plies: Option<u32>,
    /// Whether no mate by checks alone is shorter.
    pub(super) is_shortest: Option<bool>,
    /// Of winning, from 0 to 1, in games of engines.
    pub(super) win_rate: f64,
    /// In games of people.
    pub(super) human_win_rate: f64,
}

impl AnalysisReport {
    pub(super) fn new(network: &Network, config: &AnalysisConfig) -> AnalysisReport {
        let mut limit = LimitReport { movetime_ms: None, nodes: None, depth: None };
        match config.limit {
            AnalysisLimit::Time(time) => limit.movetime_ms = Some(time.as_millis() as u64),
            AnalysisLimit::Nodes(nodes) => limit.nodes = Some(nodes),
            AnalysisLimit::Depth(depth) => limit.depth = Some(depth),
        }
        AnalysisReport {
            engine: engine::NAME,
            network: network.weights.architecture.to_string(),
            limit,
            multipv: config.options.multi_pv,
            threads: config.threads,
            hash_mib: config.hash_mib,
            complete: true,
            games: Vec::new(),
        }
    }

    /// Adds a game with the reviews of its main line and its branches.
    ///
    /// # Panics
    /// If the review of the main line is missing.
    pub(super) fn add(&mut self, analyzed: &AnalyzedGame, reviews: &[LineReview]) {
        let (main, branches) = reviews.split_first().expect("every game has a main line");
        self.complete &= reviews.iter().all(LineReview::is_complete);
        self.games.push(game(analyzed, main, branches));
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }
}

fn game(analyzed: &AnalyzedGame, main: &LineReview, branches: &[LineReview]) -> GameReport {
    let source = &analyzed.source;
    let game = &source.game;
    let (moves, end) = line_of(game, main);
    let ByColor([black, white]) = main.stats;
    GameReport {
        file: source.file.clone(),
        number: source.number,
        black: source.player(Color::Black),
        white: source.player(Color::White),
        event: source.header(HeaderKey::Event).or_else(|| source.header(HeaderKey::Title)),
        date: source.date(),
        start: game.start_position().to_sfen(),
        side_names: side_names(game.start()),
        kif: kif(game),
        moves,
        formations: formations(game, main),
        ending: ending_of(game, main),
        end,
        summary: Summary { black: side(&black), white: side(&white) },
        branches: branches.iter().filter_map(|review| branch(game, review)).collect(),
        branches_left_out: analyzed.branches_left_out,
    }
}

fn by_name_of_side<S: Serializer>(
    names: &ByColor<Localized>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Color::ALL.map(|color| (color.name(), names[color])))
}

fn kif(game: &GameRecord) -> String {
    let (text, _) = record::write(slice::from_ref(game), RecordFormat::Kif, Encoding::Utf8);
    text.lines().flat_map(|line| [printable(line), "\n".into()]).collect()
}

/// `None` for the review of a main line.
fn branch(game: &GameRecord, review: &LineReview) -> Option<BranchReport> {
    let Branch { parent: of, ply: after, .. } = review.branch?;
    let (moves, end) = line_of(game, review);
    let (formations, ending) = (formations(game, review), ending_of(game, review));
    Some(BranchReport { of, after, moves, formations, ending, end })
}

fn formations(game: &GameRecord, review: &LineReview) -> Vec<FormationReport> {
    let report = |event: FormationEvent| FormationReport {
        number: event.ply,
        side: event.side.map(Color::name),
        kind: event.formation.kind.tag(),
        name: event.formation.name,
    };
    review.formations(game).into_iter().map(report).collect()
}

/// The moves of a review, and the position after them.
fn line_of(game: &GameRecord, review: &LineReview) -> (Vec<MoveReport>, Option<PositionReport>) {
    let mut position = game.start_position();
    let (before, line) = review.line.split_at(review.first_ply());
    before.iter().for_each(|&(_, mv)| {
        position.do_move(mv);
    });
    let mut moves = Vec::with_capacity(line.len());
    for (index, (&(id, mv), reviewed)) in line.iter().zip(&review.moves).enumerate() {
        moves.push(MoveReport {
            number: before.len() + index + 1,
            side: position.side_to_move().name(),
            mv: SpelledMove::of(&position, mv),
            seconds: game.node(id).elapsed.map(|time| time.as_secs_f64()),
            analysis: reviewed.as_ref().map(|reviewed| analysis(reviewed, &position)),
        });
        position.do_move(mv);
    }
    let end = review.end.as_ref().map(|end| position_report(end, &position));
    (moves, end)
}

fn side(stats: &SideStats) -> SideReport {
    SideReport {
        moves: stats.moves,
        best: stats.best,
        dubious: stats.dubious,
        mistakes: stats.mistakes,
        blunders: stats.blunders,
        mean_loss: stats.average_centipawn_loss(),
        accuracy: stats.accuracy(),
    }
}

/// `position` is the position before the move.
fn analysis(reviewed: &ReviewedMove, position: &Position) -> MoveAnalysis {
    MoveAnalysis {
        score: score(reviewed.after.best().estimate, !reviewed.side),
        is_best: reviewed.is_best,
        is_book: reviewed.is_book,
        misses_mate: reviewed.misses_mate(),
        grade: reviewed.grade().map(|grade| match grade {
            Grade::Dubious => "dubious",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }),
        reason: reviewed.reason.as_ref().map(reason),
        loss: reviewed.loss.centipawns,
        win_rate_loss: reviewed.loss.win_rate,
        before: position_report(&reviewed.before, position),
    }
}

fn reason(reason: &Reason) -> ReasonReport {
    ReasonReport {
        kind: reason.kind.tag(),
        motif: reason.motif.map(Motif::tag),
        text: reason.text.clone(),
    }
}

fn position_report(found: &PositionAnalysis, position: &Position) -> PositionReport {
    let lines = found.variations.iter().map(|variation| line(variation, position)).collect();
    PositionReport { lines, nodes: found.nodes, milliseconds: found.elapsed.as_millis() }
}

fn line(variation: &Variation, position: &Position) -> LineReport {
    LineReport {
        score: score(variation.estimate, position.side_to_move()),
        depth: variation.depth,
        selective_depth: variation.selective_depth,
        moves: SpelledMove::line(position, variation.moves.iter().copied()),
        ending: variation.ending.map(|ending| match ending {
            PvEnding::Declaration => "declaration",
            PvEnding::RepetitionDraw => "repetition",
            PvEnding::RepetitionWin | PvEnding::RepetitionLoss => "perpetual_check",
            PvEnding::Superior | PvEnding::Inferior => "repetition_with_other_hands",
            PvEnding::Mated => "mate",
        }),
        solved: variation.is_solved,
    }
}

/// A score from Black's side, from a score for the side to move.
fn score(estimate: BoundedScore, side: Color) -> ScoreReport {
    let estimate = if side == Color::Black { estimate } else { estimate.negated() };
    let bound = match estimate.bound {
        Bound::Lower => "lower",
        Bound::Upper => "upper",
        Bound::Exact | Bound::None => "exact",
    };
    let mut score = ScoreReport {
        centipawns: None,
        bound,
        winner: None,
        by: None,
        plies: None,
        is_shortest: None,
        win_rate: win_rate(estimate.score),
        human_win_rate: human_win_rate(estimate.score),
    };
    let (winner, reason) = match estimate.score {
        AnalysisScore::Centipawns(value) => {
            return ScoreReport { centipawns: Some(value), ..score };
        }
        AnalysisScore::Win(reason) => (Color::Black, reason),
        AnalysisScore::Loss(reason) => (Color::White, reason),
    };
    score.winner = Some(winner.name());
    score.by = Some(match reason {
        WinReason::Mate { plies, is_shortest } => {
            (score.plies, score.is_shortest) = (Some(plies), Some(is_shortest));
            "mate"
        }
        WinReason::PerpetualCheck => "perpetual_check",
        WinReason::Declaration => "declaration",
        WinReason::Unproven => "unshown",
    });
    score
}

/// The keyword of the ending of a record's line.
fn ending_of(game: &GameRecord, review: &LineReview) -> Option<String> {
    let last = review.line.last().map_or(NodeId::ROOT, |&(id, _)| id);
    let GameStep::Ending(ending) = game.node(*game.node(last).children().first()?).step() else {
        return None;
    };
    Some(printable(&ending.keyword()).into_owned())
}

#[cfg(test)]
impl MoveReport {
    /// The best move, or else a blunder that misses a mate.
    pub(super) fn for_tests(is_best: bool) -> MoveReport {
        let position = &Position::startpos();
        let moves: Vec<Move> = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h"]
            .map(|mv| mv.parse().unwrap())
            .into();
        let mate = WinReason::Mate { plies: 19, is_shortest: false };
        let score = |score| BoundedScore::exact(score);
        let variation =
            |estimate| Variation { estimate, moves: moves.clone(), ..Variation::default() };
        let analysis_of = |estimate| {
            let (variations, elapsed) = (vec![variation(estimate)], Duration::ZERO);
            Arc::new(PositionAnalysis { variations, nodes: 0, elapsed })
        };
        let reviewed = ReviewedMove {
            node: NodeId::ROOT,
            mv: moves[0],
            side: Color::Black,
            before: analysis_of(score(AnalysisScore::Win(mate))),
            after: analysis_of(score(AnalysisScore::Centipawns(-1480))),
            is_best,
            is_book: false,
            reason: None,
            loss: MoveLoss { centipawns: Some(1441), win_rate: if is_best { 0.0 } else { 0.352 } },
        };
        MoveReport {
            number: 105,
            side: "black",
            mv: SpelledMove::of(position, moves[0]),
            seconds: None,
            analysis: Some(analysis(&reviewed, position)),
        }
    }
}
