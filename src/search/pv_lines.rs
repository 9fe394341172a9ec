//! The lines that are reported: the PV of a root move as far as it is legal, and how it ends. The PV is
//! checked here and nowhere else in the search.

use std::time::Duration;

use super::request::{PvEnding, PvLine, SearchOptions};
use super::root_move::RootMove;
use super::search_context::SearchContext;
use crate::position::{Position, Repetition};
use crate::types::{Bound, Depth, Move, Score};

/// Time, nodes and table usage of a report, the same for all its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchStats {
    elapsed: Duration,
    nodes: u64,
    hashfull_permille: u32,
}

impl SearchStats {
    pub(super) fn now(context: &SearchContext) -> SearchStats {
        SearchStats {
            elapsed: context.request.received.elapsed(),
            nodes: context.nodes(),
            hashfull_permille: context.table.hashfull(),
        }
    }
}

/// The line of a root move.
pub(super) fn pv_line(
    context: &SearchContext,
    stats: SearchStats,
    root_move: &RootMove,
    depth: Depth,
    index: usize,
) -> PvLine {
    let request = &context.request;
    let score = root_move.known_score().unwrap_or_else(|| context.static_eval());
    let (pv, ending) = legal_pv(&request.position, root_move.line(), &request.options);
    // No iteration may be finished: then the first one counts.
    let depth = depth.max(1);
    PvLine {
        depth,
        // The search may have visited hardly any node of a proven line.
        selective_depth: root_move.selective_depth.max(depth as usize).max(pv.len()),
        rank: index + 1,
        score,
        bound: root_move.bound,
        elapsed: stats.elapsed,
        nodes: stats.nodes,
        hashfull_permille: stats.hashfull_permille,
        pv,
        ending,
    }
}

/// A win that is better than the best of these moves: a proven one, or a shorter one that the
/// search has found before. The proven one may not be among them, because the solver also tries
/// moves that the search leaves out.
pub(super) fn better_known_win(
    context: &SearchContext,
    root_moves: &[RootMove],
) -> Option<RootMove> {
    let best = root_moves.first().map(|root_move| root_move.score);
    let proven = context.proven_win().filter(|win| best.is_none_or(|best| win.score >= best));
    // If the best line is not a win, the search has refuted the earlier one.
    let is_shorter = |win: &RootMove| best.is_some_and(|best| best.is_win() && win.score > best);
    let found = context.shortest_win().filter(is_shorter);
    // Among equals the proof, which has the whole line.
    found.into_iter().chain(proven).max_by_key(|win| win.score)
}

/// The line of the declaration that wins at once, if there is one: it has no moves.
pub(super) fn declaration_line(context: &SearchContext, stats: SearchStats) -> Option<PvLine> {
    let ending = Some(PvEnding::Declaration);
    context.declares_win.then(|| immediate_line(stats, Vec::new(), Score::mate_in(1), ending))
}

/// A line that needs no search.
pub(super) fn immediate_line(
    stats: SearchStats,
    pv: Vec<Move>,
    score: Score,
    ending: Option<PvEnding>,
) -> PvLine {
    PvLine {
        depth: 1,
        selective_depth: 1,
        rank: 1,
        score,
        bound: Bound::Exact,
        elapsed: stats.elapsed,
        nodes: stats.nodes,
        hashfull_permille: stats.hashfull_permille,
        pv,
        ending,
    }
}

/// The lines of a worker's root moves, as many as the options ask for, after a winning declaration. From the
/// second on, moves without a score, which an aborted search may have, are left out.
pub(super) fn pv_lines(
    context: &SearchContext,
    root_moves: &[RootMove],
    depth: Depth,
) -> Vec<PvLine> {
    let stats = SearchStats::now(context);
    let win = better_known_win(context, root_moves);
    let is_other = |other: &&RootMove| win.as_ref().is_none_or(|win| win.mv() != other.mv());
    let declaration = declaration_line(context, stats);
    let before = declaration.iter().len();
    let searched = win
        .iter()
        .chain(root_moves.iter().filter(is_other))
        .take(context.request.options.reported_lines())
        .enumerate()
        .filter(|&(index, root_move)| index == 0 || root_move.known_score().is_some())
        .map(|(index, root_move)| pv_line(context, stats, root_move, depth, before + index));
    declaration.into_iter().chain(searched).collect()
}

/// The line as far as it is legal, and how the rules end it, if they do.
fn legal_pv(
    position: &Position,
    line: &[Move],
    options: &SearchOptions,
) -> (Vec<Move>, Option<PvEnding>) {
    let mut position = position.clone();
    let mut legal = Vec::with_capacity(line.len());
    for (ply, &mv) in line.iter().enumerate() {
        if ply > 0
            && let Some(repetition) = position.search_repetition(ply)
        {
            return (legal, Some(ending_of(repetition)));
        }
        if position.try_play(mv).is_err() {
            return (legal, None);
        }
        legal.push(mv);
    }
    let ending = match position.search_repetition(legal.len()) {
        Some(repetition) => Some(ending_of(repetition)),
        None if !position.has_legal_move() => Some(PvEnding::Mated),
        None if options.max_moves.is_some_and(|max_moves| position.game_ply() > max_moves) => None,
        None if position.declaration_win(options.entering_king) => Some(PvEnding::Declaration),
        None => {
            // The search scores a win by the try rule without searching the move.
            legal.extend(position.try_rule_win(options.entering_king));
            None
        }
    };
    (legal, ending)
}

fn ending_of(repetition: Repetition) -> PvEnding {
    match repetition {
        Repetition::Draw => PvEnding::RepetitionDraw,
        Repetition::Win => PvEnding::RepetitionWin,
        Repetition::Loss => PvEnding::RepetitionLoss,
        Repetition::Superior => PvEnding::Superior,
        Repetition::Inferior => PvEnding::Inferior,
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::Limits;
    use super::super::testing::{START, context, request};
    use super::*;

    /// Regression: the reports were `mate 13 lowerbound`, then 17, then 13.
    #[test]
    fn no_mate_is_reported_that_is_longer_than_one_reported_before() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let context = context(request(START, limits, SearchOptions::for_tests()));
        let line = |index: usize, score| RootMove::proven(vec![context.root_moves[index]], score);
        let shown_score = |score| pv_lines(&context, &[line(1, score)], 9)[0].score;
        context.store_win(&line(1, Score(300)));
        let mut bounded = line(0, Score::mate_in(11));
        bounded.bound = Bound::Upper;
        context.store_win(&bounded);
        assert_eq!(shown_score(Score::mate_in(17)), Score::mate_in(17));
        (bounded.score, bounded.bound) = (Score::mate_in(13), Bound::Lower);
        context.store_win(&bounded);
        context.store_win(&line(1, Score::mate_in(17)));
        assert_eq!(shown_score(Score::mate_in(17)), Score::mate_in(13));
        assert_eq!(shown_score(Score::mate_in(9)), Score::mate_in(9));
        // A win that the search does not find again has been refuted.
        assert_eq!(shown_score(Score(900)), Score(900));
        context.add_proof(line(0, Score::mate_in(15)));
        assert_eq!(shown_score(Score::mate_in(17)), Score::mate_in(13));
    }

    /// Regression: a node limit or a proven win in the first iteration gave `info depth 0`.
    #[test]
    fn a_line_of_an_unfinished_first_iteration_has_depth_1() {
        let context = context(request(START, Limits::default(), SearchOptions::for_tests()));
        let lines = pv_lines(&context, &[RootMove::new(context.root_moves[0])], 0);
        assert_eq!((lines[0].depth, lines[0].selective_depth), (1, 1));
    }

    #[test]
    fn a_proven_mate_by_a_move_that_the_search_skips_stays_the_best_line() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let options = SearchOptions { multi_pv: 2, ..SearchOptions::for_tests() };
        let context = context(request("5k3/9/9/9/4R4/9/9/9/4K4 b - 1", limits, options));
        let unpromoted: Move = "5e5c".parse().unwrap();
        assert!(!context.root_moves.contains(&unpromoted));
        let searched: Vec<RootMove> = context.root_moves[..3]
            .iter()
            .map(|&mv| RootMove::proven(vec![mv], Score(300)))
            .collect();
        let best = |lines: &[PvLine]| lines.iter().map(|line| line.pv[0]).collect::<Vec<_>>();
        let before = pv_lines(&context, &searched, 7);
        assert_eq!(best(&before), context.root_moves[..2]);
        context.add_proof(RootMove::proven(vec![unpromoted], Score::mate_in(1)));
        let after = pv_lines(&context, &searched, 7);
        assert_eq!(best(&after), [unpromoted, context.root_moves[0]]);
        assert_eq!([after[0].score, after[1].score], [Score::mate_in(1), Score(300)]);
    }
}
