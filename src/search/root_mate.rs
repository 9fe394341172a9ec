//! What the mate solver proves of the moves at the root while the workers search: that one of them
//! mates, or that the move they like best is answered by a mate, however deep.
//!
//! The solver has a thread of its own and takes little: it may expand positions in proportion to
//! the nodes that the workers have searched, and sleeps when it is ahead of them. What it proves is
//! a fact about a root move, which is then not searched any more. (Engines with slower evaluations
//! gave the idea: dlshogi looks for mates at the root beside its search.)

use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, TryRecvError};

use super::request::Request;
use super::root_move::RootMove;
use super::shared::SearchContext;
use crate::mate::{self, MateProbe, MateResult};
use crate::position::Position;
use crate::types::{MAX_PLY, Move, Score};

/// For each of the two questions.
const MEMORY_MIB: usize = 8;
/// Positions that may be expanded before the workers have searched anything.
const ADVANCE: u64 = 2_000;
/// Nodes of search that earn the solver a position: some tenth of each thread's time, but
/// no more than one processor in all.
const NODES_PER_POSITION: u64 = 40;
/// Positions expanded at a time: fewer are not worth the beginning, more would be late for news.
const PORTION: std::ops::RangeInclusive<u64> = 500..=20_000;
const NAP: Duration = Duration::from_millis(5);

/// Whether the solver may speak in this search: not where its mates decide nothing, nor where the user
/// wants the same answer every time, or a weak one.
pub(super) fn is_enabled(request: &Request) -> bool {
    let (limits, options) = (&request.limits, &request.options);
    options.root_mates
        && options.strength.is_none()
        && (limits.nodes.is_none() && limits.depth.is_none())
        && mate::is_decisive(&request.position, options.entering_king)
}

/// Inquiries that nobody pursues, for their memory.
pub(super) type SpareProbes = Vec<MateProbe>;

/// Looks for proofs until the search is stopped or its main worker is gone, from which come the
/// moves that it likes best.
pub(super) fn search_root_mates(
    shared: &SearchContext,
    best_moves: &Receiver<Move>,
    idle: &mut SpareProbes,
) {
    let mut seeker = RootMateSearch::new(shared, std::mem::take(idle));
    seeker.win = seeker.ask(None, shared.request.position.clone());
    seeker.go_on(best_moves);
    *idle = seeker.into_idle();
}

/// What to do next.
enum Work {
    Portion(u64),
    /// The workers are behind.
    Wait,
    /// All that was asked is answered.
    Nothing,
}

/// Whether a position is a mate for the side to move.
struct Question {
    /// The root move that leads there; `None` for the root itself.
    after: Option<Move>,
    probe: MateProbe,
}

struct RootMateSearch<'a> {
    shared: &'a SearchContext,
    /// Whether the side to move mates; `None` once it is answered.
    win: Option<Question>,
    /// Whether the opponent mates after the move liked best, likewise.
    refutation: Option<Question>,
    idle: SpareProbes,
    /// Positions expanded.
    spent: u64,
}

impl<'a> RootMateSearch<'a> {
    fn new(shared: &'a SearchContext, idle: SpareProbes) -> RootMateSearch<'a> {
        RootMateSearch { shared, win: None, refutation: None, idle, spent: 0 }
    }

    fn into_idle(mut self) -> SpareProbes {
        let open = self.win.into_iter().chain(self.refutation);
        self.idle.extend(open.map(|question| question.probe));
        self.idle
    }

    /// `None` if the system does not grant the memory.
    fn ask(&mut self, after: Option<Move>, position: Position) -> Option<Question> {
        let probe = match self.idle.pop() {
            Some(mut probe) => {
                probe.reset(position);
                probe
            }
            None => MateProbe::new(position, MEMORY_MIB).ok()?,
        };
        Some(Question { after, probe })
    }

    fn go_on(&mut self, best_moves: &Receiver<Move>) {
        while !self.shared.is_stopped() {
            let news = match self.portion() {
                Work::Portion(positions) => {
                    self.work(positions);
                    best_moves.try_recv().map_err(|error| error == TryRecvError::Disconnected)
                }
                Work::Wait => best_moves
                    .recv_timeout(NAP)
                    .map_err(|error| error == RecvTimeoutError::Disconnected),
                Work::Nothing => best_moves.recv().map_err(|_| true),
            };
            match news {
                Ok(best_move) => self.turn_to(best_move),
                Err(is_over) if is_over => return,
                Err(_) => {}
            }
        }
    }

    fn portion(&self) -> Work {
        if self.win.is_none() && self.refutation.is_none() {
            return Work::Nothing;
        }
        let earned = ADVANCE + self.shared.nodes() / NODES_PER_POSITION;
        match earned.saturating_sub(self.spent) {
            few if few < *PORTION.start() => Work::Wait,
            enough => Work::Portion(enough.min(*PORTION.end())),
        }
    }

    /// The workers like another move best.
    fn turn_to(&mut self, best_move: Move) {
        let mut position = self.shared.request.position.clone();
        if self.shared.proof_of(best_move).is_some() || position.try_play(best_move).is_err() {
            return;
        }
        self.idle.extend(self.refutation.take().map(|question| question.probe));
        self.refutation = self.ask(Some(best_move), position);
    }

    /// Goes on with the question on which less has been spent.
    fn work(&mut self, positions: u64) {
        let spent_on = |question: &Option<Question>| {
            question.as_ref().map_or(u64::MAX, |question| question.probe.nodes())
        };
        let easier = spent_on(&self.refutation) < spent_on(&self.win);
        let slot = if easier { &mut self.refutation } else { &mut self.win };
        let Some(mut question) = slot.take() else { return };
        let before = question.probe.nodes();
        let found = question.probe.search(positions, &|| self.shared.is_stopped());
        self.spent += question.probe.nodes() - before;
        if found.result == MateResult::Unknown {
            *slot = Some(question);
            return;
        }
        self.idle.push(question.probe);
        if let MateResult::Mate(line) = found.result {
            let after = question.after;
            let plies = line.len().max(found.within.map_or(0, usize::from));
            let plies = plies + usize::from(after.is_some());
            self.note(after.into_iter().chain(line).collect(), plies);
        }
    }

    /// Tells the workers, unless the move is not theirs to play or the game may be drawn before:
    /// the best defence may hold for `plies`, longer than that of the line.
    fn note(&self, line: Vec<Move>, plies: usize) {
        let request = &self.shared.request;
        let last_ply = request.position.ply() as usize + plies - 1;
        let in_time = request.options.max_moves.is_none_or(|most| last_ply <= most as usize);
        // Whoever makes the last move mates.
        let wins = line.len() % 2 == 1;
        // Not to promote is tried by the solver only, and may be all that mates.
        let is_allowed = wins && request.limits.search_moves.is_empty()
            || self.shared.root_moves.contains(&line[0]);
        if in_time && plies < MAX_PLY && is_allowed {
            let score = if wins { Score::mate_in } else { Score::mated_in }(plies);
            self.shared.add_proof(RootMove::proven(line, score));
            if wins && is_for_play(request) {
                self.shared.stop();
            }
        }
    }
}

/// Whether a move is all that is wanted, and no further line.
fn is_for_play(request: &Request) -> bool {
    !request.limits.infinite && request.options.multi_pv == 1
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::tests::request;
    use super::*;

    /// Black mates in eleven plies.
    const WIN: &str = "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1";
    /// White, with the move, mates in five.
    const THREAT: &str = "9/9/9/9/9/9/P8/2P+r5/1K7 b r 1";

    /// Searched by workers that have done much.
    fn shared(request: Request) -> SearchContext {
        let shared = super::super::tests::shared(request);
        shared.publish_nodes(0, 1 << 40);
        shared
    }

    fn seeker(shared: &SearchContext) -> RootMateSearch<'_> {
        RootMateSearch::new(shared, SpareProbes::new())
    }

    fn exhaust(seeker: &mut RootMateSearch<'_>) {
        while let Work::Portion(positions) = seeker.portion() {
            seeker.work(positions);
        }
    }

    #[test]
    fn a_mate_at_the_root_ends_a_search_for_a_move() {
        let shared = shared(request(WIN, Limits::default(), SearchOptions::for_tests()));
        let (_favourites, told) = crossbeam::channel::unbounded();
        let mut idle = SpareProbes::new();
        search_root_mates(&shared, &told, &mut idle);
        assert_eq!(idle.len(), 1, "its memory waits for the next search");
        let win = shared.proven_win().unwrap();
        assert!(shared.is_stopped());
        assert_eq!((win.score, win.pv.len()), (Score::mate_in(11), 11));
    }

    #[test]
    fn a_mate_by_a_move_that_only_the_solver_tries_counts_unless_others_are_asked_for() {
        let sfen = "5k3/9/9/9/4R4/9/9/9/4K4 b - 1";
        let unpromoted: Move = "5e5c".parse().unwrap();
        let asked = Limits { search_moves: vec!["5e5d".parse().unwrap()], ..Limits::default() };
        for (limits, counts) in [(Limits::default(), true), (asked, false)] {
            let shared = shared(request(sfen, limits, SearchOptions::for_tests()));
            assert!(!shared.root_moves.contains(&unpromoted));
            seeker(&shared).note(vec![unpromoted], 1);
            assert_eq!(shared.proven_win().is_some(), counts);
        }
    }

    #[test]
    fn what_is_proven_while_the_answer_is_made_comes_too_late() {
        let shared = shared(request(WIN, Limits::default(), SearchOptions::for_tests()));
        let (mv, interrupts) = (shared.root_moves[0], shared.interrupts());
        shared.seal_proofs();
        shared.add_proof(RootMove::proven(vec![mv; 6], Score::mated_in(6)));
        shared.add_proof(RootMove::proven(vec![mv; 5], Score::mate_in(5)));
        assert!(shared.proof_of(mv).is_none() && shared.proven_win().is_none());
        assert_eq!(shared.interrupts(), interrupts);
    }

    #[test]
    fn analysis_goes_on_when_a_mate_is_proven() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let shared = shared(request(WIN, limits, SearchOptions::for_tests()));
        let mut seeker = seeker(&shared);
        seeker.win = seeker.ask(None, shared.request.position.clone());
        exhaust(&mut seeker);
        assert!(shared.proven_win().is_some() && !shared.is_stopped());
    }

    #[test]
    fn a_favourite_that_is_answered_by_a_mate_is_known_to_lose() {
        let shared = shared(request(THREAT, Limits::default(), SearchOptions::for_tests()));
        let mut seeker = seeker(&shared);
        let best_move: Move = "9g9f".parse().unwrap();
        seeker.turn_to(best_move);
        exhaust(&mut seeker);
        let loss = shared.proof_of(best_move).unwrap();
        assert_eq!((loss.score, loss.pv.len()), (Score::mated_in(6), 6));
        assert!(shared.proven_win().is_none() && !shared.is_stopped());
    }

    #[test]
    fn the_solver_waits_for_the_workers() {
        let shared = shared(request(WIN, Limits::default(), SearchOptions::for_tests()));
        shared.publish_nodes(0, 0);
        let mut seeker = seeker(&shared);
        seeker.win = seeker.ask(None, shared.request.position.clone());
        assert!(matches!(seeker.portion(), Work::Portion(ADVANCE)));
        seeker.spent = ADVANCE;
        assert!(matches!(seeker.portion(), Work::Wait));
        shared.publish_nodes(0, 1000 * NODES_PER_POSITION);
        assert!(matches!(seeker.portion(), Work::Portion(1000)));
    }

    #[test]
    fn a_mate_that_comes_after_the_last_move_of_the_game_counts_for_nothing() {
        for (max_moves, counts) in [(10, false), (11, true)] {
            let options =
                SearchOptions { max_moves: Some(max_moves), ..SearchOptions::for_tests() };
            let shared = shared(request(WIN, Limits::default(), options));
            let mut seeker = seeker(&shared);
            seeker.win = seeker.ask(None, shared.request.position.clone());
            exhaust(&mut seeker);
            assert_eq!(shared.proven_win().is_some(), counts, "{max_moves}");
        }
    }

    #[test]
    fn a_mate_whose_defence_may_outlast_the_game_counts_for_nothing() {
        let mv: Move = "4c4b".parse().unwrap();
        for (max_moves, counts) in [(10, false), (11, true)] {
            let options =
                SearchOptions { max_moves: Some(max_moves), ..SearchOptions::for_tests() };
            let shared = shared(request(WIN, Limits::default(), options));
            seeker(&shared).note(vec![mv; 9], 11);
            let score = shared.proven_win().map(|win| win.score);
            assert_eq!(score, counts.then_some(Score::mate_in(11)), "{max_moves}");
        }
    }

    #[test]
    fn who_asks_for_the_same_answer_every_time_gets_no_proofs() {
        let wanted = |limits| is_enabled(&request(WIN, limits, SearchOptions::for_tests()));
        assert!(wanted(Limits::default()));
        assert!(!wanted(Limits { nodes: Some(1000), ..Limits::default() }));
        assert!(!wanted(Limits { depth: Some(10), ..Limits::default() }));
    }

    #[test]
    fn nothing_is_proven_where_one_more_return_ends_the_game() {
        let mut lap =
            request("4k4/9/9/9/9/9/9/9/4K3R b - 1", Limits::default(), SearchOptions::for_tests());
        for times in 1..=3 {
            assert_eq!(is_enabled(&lap), times < 3, "{times}");
            for mv in ["1i1h", "5a4a", "1h1i", "4a5a"] {
                lap.position.try_play(mv.parse().unwrap()).unwrap();
            }
        }
    }
}
