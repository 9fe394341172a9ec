//! The root mate search: while the workers search, the mate solver tries to prove that a root move
//! mates, or that the current best move allows a mate.
//!
//! It has its own thread (without threads it runs between the nodes of the worker) and takes little
//! time: it may search nodes in proportion to those of the workers, and sleeps when it is ahead of
//! them. A root move with a proof is not searched any more. (The idea is from dlshogi.)

use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, TryRecvError};

use super::request::Request;
use super::root_move::RootMove;
use super::search_context::SearchContext;
use crate::mate::{self, MateResult, ResumableSolver};
use crate::position::Position;
use crate::types::{MAX_PLY, Move, Score};

/// Memory of each of the two solvers.
const MEMORY_MIB: usize = 8;
/// Nodes of the solvers before the workers have searched anything.
const FREE_SOLVER_NODES: u64 = 2_000;
/// Nodes of the workers per node of the solvers: about a tenth of each thread's time, but no more than one
/// processor in all.
const SEARCH_NODES_PER_SOLVER_NODE: u64 = 40;
/// Nodes of a solver at a time: fewer are not worth the start, more delay the reaction to a new best
/// move.
const BATCH: std::ops::RangeInclusive<u64> = 500..=20_000;
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Whether the request allows a root mate search: not where the rules make a mate indecisive, and not
/// where the result must be reproducible or the play weak.
pub(super) fn is_enabled(request: &Request) -> bool {
    let (limits, options) = (&request.limits, &request.options);
    options.root_mates
        && options.strength.is_none()
        && !limits.has_depth_or_node_limit()
        && mate::decides_game(&request.position, options.entering_king)
}

/// Solvers that are not in use, kept for their memory.
pub(super) type SpareSolvers = Vec<ResumableSolver>;

/// Searches for proofs until the search is stopped or the main worker drops the sender of `best_moves`.
pub(super) fn search_root_mates(
    context: &Arc<SearchContext>,
    best_moves: &Receiver<Move>,
    spare: &mut SpareSolvers,
) {
    let mut search = RootMateSearch::begin(context.clone(), std::mem::take(spare));
    search.run(best_moves);
    *spare = search.into_spare_solvers();
}

/// The next action.
enum Step {
    /// Search this many nodes of a solver.
    Search(u64),
    /// The workers have not searched enough nodes yet.
    Wait,
    /// Both queries are answered.
    Idle,
}

/// Whether a position is a mate for the side to move.
#[derive(Debug)]
struct MateQuery {
    /// The root move that leads to the position; `None` for the root itself.
    after: Option<Move>,
    solver: ResumableSolver,
}

/// The search, with what it has found so far.
#[derive(Debug)]
pub(super) struct RootMateSearch {
    context: Arc<SearchContext>,
    /// Whether the side to move mates; `None` once it is answered.
    win: Option<MateQuery>,
    /// Whether the opponent mates after the best move; `None` once it is answered.
    loss: Option<MateQuery>,
    spare: SpareSolvers,
    /// Nodes of the solvers so far.
    solver_nodes: u64,
}

impl RootMateSearch {
    fn new(context: Arc<SearchContext>, spare: SpareSolvers) -> RootMateSearch {
        RootMateSearch { context, win: None, loss: None, spare, solver_nodes: 0 }
    }

    /// A search that begins with the root.
    pub(super) fn begin(context: Arc<SearchContext>, spare: SpareSolvers) -> RootMateSearch {
        let root = context.request.position.clone();
        let mut search = RootMateSearch::new(context, spare);
        search.win = search.start_solver(None, root);
        search
    }

    fn into_spare_solvers(mut self) -> SpareSolvers {
        let open = self.win.into_iter().chain(self.loss);
        self.spare.extend(open.map(|query| query.solver));
        self.spare
    }

    /// `None` if the system does not grant the memory.
    fn start_solver(&mut self, after: Option<Move>, position: Position) -> Option<MateQuery> {
        let solver = match self.spare.pop() {
            Some(mut solver) => {
                solver.reset(position);
                solver
            }
            None => ResumableSolver::new(position, MEMORY_MIB).ok()?,
        };
        Some(MateQuery { after, solver })
    }

    fn run(&mut self, best_moves: &Receiver<Move>) {
        while !self.context.is_stopped() {
            // The error tells whether the main worker has dropped the sender.
            let received = match self.next_step() {
                Step::Search(nodes) => {
                    self.search(nodes);
                    best_moves.try_recv().map_err(|error| error == TryRecvError::Disconnected)
                }
                Step::Wait => best_moves
                    .recv_timeout(POLL_INTERVAL)
                    .map_err(|error| error == RecvTimeoutError::Disconnected),
                Step::Idle => best_moves.recv().map_err(|_| true),
            };
            match received {
                // Those before the last are no longer the best.
                Ok(first) => self.set_best_move(best_moves.try_iter().last().unwrap_or(first)),
                Err(true) => return,
                Err(false) => {}
            }
        }
    }

    /// Searches as many nodes as those of the workers allow now.
    pub(super) fn run_slice(&mut self) {
        if let Step::Search(nodes) = self.next_step() {
            self.search(nodes.min(*BATCH.start()));
        }
    }

    fn next_step(&self) -> Step {
        if self.win.is_none() && self.loss.is_none() {
            return Step::Idle;
        }
        let allowed = FREE_SOLVER_NODES + self.context.nodes() / SEARCH_NODES_PER_SOLVER_NODE;
        match allowed.saturating_sub(self.solver_nodes) {
            few if few < *BATCH.start() => Step::Wait,
            enough => Step::Search(enough.min(*BATCH.end())),
        }
    }

    /// Starts the query for a new best move.
    pub(super) fn set_best_move(&mut self, best_move: Move) {
        let mut position = self.context.request.position.clone();
        if self.context.proof_of(best_move).is_some() || position.try_play(best_move).is_err() {
            return;
        }
        self.spare.extend(self.loss.take().map(|query| query.solver));
        self.loss = self.start_solver(Some(best_move), position);
    }

    /// Continues with the query that has had fewer nodes.
    fn search(&mut self, nodes: u64) {
        let nodes_of = |query: &Option<MateQuery>| {
            query.as_ref().map_or(u64::MAX, |query| query.solver.nodes())
        };
        let is_loss_next = nodes_of(&self.loss) < nodes_of(&self.win);
        let slot = if is_loss_next { &mut self.loss } else { &mut self.win };
        let Some(mut query) = slot.take() else { return };
        let before = query.solver.nodes();
        let found = query.solver.search(nodes, &|| self.context.is_stopped());
        self.solver_nodes += query.solver.nodes() - before;
        if found.result == MateResult::Unknown {
            *slot = Some(query);
            return;
        }
        self.spare.push(query.solver);
        if let MateResult::Mate(line) = found.result {
            let after = query.after;
            let plies = line.len().max(found.within.map_or(0, usize::from));
            let plies = plies + usize::from(after.is_some());
            self.add_proof(after.into_iter().chain(line).collect(), plies);
        }
    }

    /// Gives the proof to the workers, unless the move is not allowed or the game may be drawn before
    /// the mate: the longest defence may take `plies`, more than the line.
    fn add_proof(&self, line: Vec<Move>, plies: usize) {
        let request = &self.context.request;
        let last_ply = request.position.game_ply() as usize + plies - 1;
        let in_time =
            request.options.max_moves.is_none_or(|max_moves| last_ply <= max_moves as usize);
        // The side of the last move mates.
        let wins = line.len() % 2 == 1;
        // Only the solver tries non-promotions, and one may be the only mate.
        let is_allowed = wins && request.limits.search_moves.is_empty()
            || self.context.root_moves.contains(&line[0]);
        if in_time && plies < MAX_PLY && is_allowed {
            let score = if wins { Score::mate_in } else { Score::mated_in }(plies);
            self.context.add_proof(RootMove::proven(line, score));
            if wins && is_for_play(request) {
                self.context.stop();
            }
        }
    }
}

/// Whether only a move is wanted, and no further lines.
fn is_for_play(request: &Request) -> bool {
    !request.limits.infinite && request.options.reported_lines() == 1
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::request;
    use super::*;

    /// Black mates in eleven plies.
    const WIN: &str = "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1";
    /// White, to move, mates in five plies.
    const THREAT: &str = "9/9/9/9/9/9/P8/2P+r5/1K7 b r 1";

    /// The context of a search whose workers have searched many nodes.
    fn context(request: Request) -> Arc<SearchContext> {
        let context = super::super::testing::context(request);
        context.publish_nodes(0, 1 << 40);
        Arc::new(context)
    }

    fn search(context: &Arc<SearchContext>) -> RootMateSearch {
        RootMateSearch::new(context.clone(), SpareSolvers::new())
    }

    fn run_to_end(search: &mut RootMateSearch) {
        while let Step::Search(nodes) = search.next_step() {
            search.search(nodes);
        }
    }

    #[test]
    fn a_mate_at_the_root_ends_a_search_for_a_move() {
        let context = context(request(WIN, Limits::default(), SearchOptions::for_tests()));
        let (_sender, best_moves) = crossbeam::channel::unbounded();
        let mut spare = SpareSolvers::new();
        search_root_mates(&context, &best_moves, &mut spare);
        assert_eq!(spare.len(), 1, "its memory waits for the next search");
        let win = context.proven_win().unwrap();
        assert!(context.is_stopped());
        assert_eq!((win.score, win.pv.len()), (Score::mate_in(11), 11));
    }

    #[test]
    fn slices_between_the_nodes_find_the_mate_too() {
        let context = context(request(WIN, Limits::default(), SearchOptions::for_tests()));
        let mut search = RootMateSearch::begin(context.clone(), SpareSolvers::new());
        while !context.is_stopped() {
            search.run_slice();
        }
        assert_eq!(context.proven_win().map(|win| win.score), Some(Score::mate_in(11)));
        assert_eq!(search.into_spare_solvers().len(), 1);
    }

    #[test]
    fn a_mate_by_a_non_promotion_counts_unless_search_moves_are_given() {
        let sfen = "5k3/9/9/9/4R4/9/9/9/4K4 b - 1";
        let unpromoted: Move = "5e5c".parse().unwrap();
        let asked = Limits { search_moves: vec!["5e5d".parse().unwrap()], ..Limits::default() };
        for (limits, counts) in [(Limits::default(), true), (asked, false)] {
            let context = context(request(sfen, limits, SearchOptions::for_tests()));
            assert!(!context.root_moves.contains(&unpromoted));
            search(&context).add_proof(vec![unpromoted], 1);
            assert_eq!(context.proven_win().is_some(), counts);
        }
    }

    #[test]
    fn a_proof_after_the_proofs_are_closed_is_refused() {
        let context = context(request(WIN, Limits::default(), SearchOptions::for_tests()));
        let (mv, interrupts) = (context.root_moves[0], context.interrupts());
        context.close_proofs();
        context.add_proof(RootMove::proven(vec![mv; 6], Score::mated_in(6)));
        context.add_proof(RootMove::proven(vec![mv; 5], Score::mate_in(5)));
        assert!(context.proof_of(mv).is_none() && context.proven_win().is_none());
        assert_eq!(context.interrupts(), interrupts);
    }

    #[test]
    fn analysis_continues_when_a_mate_is_proven() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let context = context(request(WIN, limits, SearchOptions::for_tests()));
        let mut search = search(&context);
        search.win = search.start_solver(None, context.request.position.clone());
        run_to_end(&mut search);
        assert!(context.proven_win().is_some() && !context.is_stopped());
    }

    #[test]
    fn a_best_move_that_allows_a_mate_is_proven_lost() {
        let context = context(request(THREAT, Limits::default(), SearchOptions::for_tests()));
        let mut search = search(&context);
        let best_move: Move = "9g9f".parse().unwrap();
        search.set_best_move(best_move);
        run_to_end(&mut search);
        let loss = context.proof_of(best_move).unwrap();
        assert_eq!((loss.score, loss.pv.len()), (Score::mated_in(6), 6));
        assert!(context.proven_win().is_none() && !context.is_stopped());
    }

    /// Regression: moves that were no longer the best were searched one after the other.
    #[test]
    fn only_the_newest_best_move_is_searched() {
        let context = context(request(THREAT, Limits::default(), SearchOptions::for_tests()));
        let (sender, best_moves) = crossbeam::channel::unbounded();
        let [lost, newest] = ["9g9f", "8i9i"].map(|text| text.parse::<Move>().unwrap());
        assert!(context.root_moves.contains(&newest));
        sender.send(lost).unwrap();
        sender.send(newest).unwrap();
        drop(sender);
        search(&context).run(&best_moves);
        assert!(context.proof_of(lost).is_none());
    }

    #[test]
    fn the_root_mate_search_waits_for_the_workers() {
        let context = context(request(WIN, Limits::default(), SearchOptions::for_tests()));
        context.publish_nodes(0, 0);
        let mut search = search(&context);
        search.win = search.start_solver(None, context.request.position.clone());
        assert!(matches!(search.next_step(), Step::Search(FREE_SOLVER_NODES)));
        search.solver_nodes = FREE_SOLVER_NODES;
        assert!(matches!(search.next_step(), Step::Wait));
        context.publish_nodes(0, 1000 * SEARCH_NODES_PER_SOLVER_NODE);
        assert!(matches!(search.next_step(), Step::Search(1000)));
    }

    #[test]
    fn a_mate_after_the_move_limit_does_not_count() {
        for (max_moves, counts) in [(10, false), (11, true)] {
            let options =
                SearchOptions { max_moves: Some(max_moves), ..SearchOptions::for_tests() };
            let context = context(request(WIN, Limits::default(), options));
            let mut search = search(&context);
            search.win = search.start_solver(None, context.request.position.clone());
            run_to_end(&mut search);
            assert_eq!(context.proven_win().is_some(), counts, "{max_moves}");
        }
    }

    #[test]
    fn a_mate_whose_longest_defence_passes_the_move_limit_does_not_count() {
        let mv: Move = "4c4b".parse().unwrap();
        for (max_moves, counts) in [(10, false), (11, true)] {
            let options =
                SearchOptions { max_moves: Some(max_moves), ..SearchOptions::for_tests() };
            let context = context(request(WIN, Limits::default(), options));
            search(&context).add_proof(vec![mv; 9], 11);
            let score = context.proven_win().map(|win| win.score);
            assert_eq!(score, counts.then_some(Score::mate_in(11)), "{max_moves}");
        }
    }

    #[test]
    fn a_node_or_depth_limit_disables_the_root_mate_search() {
        let wanted = |limits| is_enabled(&request(WIN, limits, SearchOptions::for_tests()));
        assert!(wanted(Limits::default()));
        assert!(!wanted(Limits { nodes: Some(1000), ..Limits::default() }));
        assert!(!wanted(Limits { depth: Some(10), ..Limits::default() }));
    }

    #[test]
    fn a_position_before_a_fourth_occurrence_disables_the_root_mate_search() {
        let mut repeated =
            request("4k4/9/9/9/9/9/9/9/4K3R b - 1", Limits::default(), SearchOptions::for_tests());
        for times in 1..=3 {
            assert_eq!(is_enabled(&repeated), times < 3, "{times}");
            for mv in ["1i1h", "5a4a", "1h1i", "4a5a"] {
                repeated.position.try_play(mv.parse().unwrap()).unwrap();
            }
        }
    }
}
