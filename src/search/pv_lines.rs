//! What the user is shown of a root move: its line as far as the rules go along, and how it ends.

use std::time::Duration;

use super::request::{PvEnding, PvLine, SearchOptions};
use super::root_move::RootMove;
use super::shared::SearchContext;
use crate::nnue::Evaluator;
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{Depth, Move};

/// How far a search is. Lines that are told together have it in histories, or they would seem to go back
/// in time where they are told in another order than they were made in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchStats {
    elapsed: Duration,
    nodes: u64,
    hashfull_permille: u32,
}

impl SearchStats {
    pub(super) fn of(shared: &SearchContext) -> SearchStats {
        SearchStats {
            elapsed: shared.request.received.elapsed(),
            nodes: shared.nodes(),
            hashfull_permille: shared.table.hashfull(),
        }
    }
}

/// A root move as a line for the user.
pub(super) fn pv_line(
    shared: &SearchContext,
    progress: SearchStats,
    root_move: &RootMove,
    depth: Depth,
    index: usize,
) -> PvLine {
    let request = &shared.request;
    // Stopped before anything was searched, there is nothing but how the position looks.
    let score = root_move.known_score().unwrap_or_else(|| {
        Evaluator::new(shared.network.clone(), &request.position).evaluate(&request.position)
    });
    let (pv, ending) = legal_pv(&request.position, root_move.line(), &request.options);
    PvLine {
        depth,
        // Of a proven line the search itself may have seen next to nothing.
        selective_depth: root_move.selective_depth.max(depth as usize).max(pv.len()),
        multi_pv: index + 1,
        score,
        bound: root_move.bound,
        elapsed: progress.elapsed,
        nodes: progress.nodes,
        hashfull_permille: progress.hashfull_permille,
        pv,
        ending,
    }
}

/// The move that is proven to win, where it is to stand before the best of these. It need not be among
/// them: the solver tries moves too that the search leaves out.
pub(super) fn proven_win_ahead_of(
    shared: &SearchContext,
    root_moves: &[RootMove],
) -> Option<RootMove> {
    let best = root_moves.first().map(|root_move| root_move.score);
    shared.proven_win().filter(|win| best.is_none_or(|best| win.score >= best))
}

/// What a worker has found as lines for the user, as many as are asked for: a level looks at more.
/// Left out behind the first are moves of which no score is known, as a search that was cut short
/// has them: those of a finished iteration all have one.
pub(super) fn pv_lines(
    shared: &SearchContext,
    root_moves: &[RootMove],
    depth: Depth,
) -> Vec<PvLine> {
    let progress = SearchStats::of(shared);
    let win = proven_win_ahead_of(shared, root_moves);
    let is_other = |other: &&RootMove| win.as_ref().is_none_or(|win| win.mv() != other.mv());
    win.iter()
        .chain(root_moves.iter().filter(is_other))
        .take(shared.request.options.lines())
        .enumerate()
        .filter(|&(index, root_move)| index == 0 || root_move.known_score().is_some())
        .map(|(index, root_move)| pv_line(shared, progress, root_move, depth, index))
        .collect()
}

/// The line as far as it is legal, and how it ends if the rules end it.
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
        None if options.max_moves.is_some_and(|most| position.ply() > most) => None,
        None if position.declaration_win(options.entering_king) => Some(PvEnding::Declaration),
        None => {
            // The search knows who can win by the try rule, and ends before the move that does.
            legal.extend(try_rule_win(&position, options.entering_king));
            None
        }
    };
    (legal, ending)
}

/// The move that wins at once by the try rule, if that is the rule of the game.
pub(super) fn try_rule_win(position: &Position, rule: EnteringKingRule) -> Option<Move> {
    if rule == EnteringKingRule::Try { position.try_rule_move() } else { None }
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
    use super::super::tests::{request, shared};
    use super::*;
    use crate::types::Score;

    #[test]
    fn a_mate_that_only_the_solver_tries_stays_the_best_line_of_an_analysis() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let options = SearchOptions { multi_pv: 2, ..SearchOptions::for_tests() };
        let shared = shared(request("5k3/9/9/9/4R4/9/9/9/4K4 b - 1", limits, options));
        let unpromoted: Move = "5e5c".parse().unwrap();
        assert!(!shared.root_moves.contains(&unpromoted));
        let searched: Vec<RootMove> = shared.root_moves[..3]
            .iter()
            .map(|&mv| RootMove::proven(vec![mv], Score(300)))
            .collect();
        let best = |lines: &[PvLine]| lines.iter().map(|line| line.pv[0]).collect::<Vec<_>>();
        let before = pv_lines(&shared, &searched, 7);
        assert_eq!(best(&before), shared.root_moves[..2]);
        shared.add_proof(RootMove::proven(vec![unpromoted], Score::mate_in(1)));
        let after = pv_lines(&shared, &searched, 7);
        assert_eq!(best(&after), [unpromoted, shared.root_moves[0]]);
        assert_eq!([after[0].score, after[1].score], [Score::mate_in(1), Score(300)]);
    }
}
