//! One accepted `go`, from its acceptance to its answer, as a state machine.
//!
//! Implements the rules of pondering, of infinite search, and of stopping. The task has no side effects: each
//! event returns the [`GoStep`] that the driver must execute.

use crate::book::{BookHit, BookVariation};
use crate::search::request::{Answer, Clock, PvLine, Request, SearchOutcome};
use crate::sys::Instant;

/// A `go`: a requested search for a move or a mate, from its acceptance to its answer.
#[derive(Debug)]
pub struct GoTask {
    /// The request to search.
    pub request: Request,
    /// The original request, while stochastic pondering searches another position.
    original_request: Option<Box<Request>>,
    phase: GoPhase,
    /// Whether the task must end as soon as possible.
    is_stopping: bool,
    /// The lines reported last, best first.
    pub lines: Vec<PvLine>,
    /// The move of the book and its continuation, if the answer comes from the book.
    pub book_move: Option<BookVariation>,
    /// An answer known before a search begins.
    pub preset_answer: Option<Answer>,
}

#[derive(Debug)]
enum GoPhase {
    /// Not begun.
    Waiting,
    Searching,
    /// The search is stopped and its result discarded; then the original request is searched.
    Discarding,
    /// The search has ended, but its answer must wait for a `stop` or a `ponderhit`.
    Finished(SearchOutcome),
}

/// The next step of the driver.
#[derive(Debug, PartialEq)]
pub enum GoStep {
    Nothing,
    /// Begin the search of [`GoTask::request`].
    Begin,
    /// Stop the search.
    Stop,
    /// Tell the search that the expected move was played. Its clock, or else that of the request, runs from `received`.
    SendPonderHit {
        clock: Option<Clock>,
        received: Instant,
    },
    /// Give the answer; the task is over.
    Answer(SearchOutcome),
}

impl GoTask {
    /// A task for a request. While pondering it searches `stochastic` instead, if that is given.
    pub fn new(request: Request, stochastic: Option<Request>) -> GoTask {
        let (request, original_request) = match stochastic {
            Some(stochastic) => (stochastic, Some(Box::new(request))),
            None => (request, None),
        };
        GoTask {
            request,
            original_request,
            phase: GoPhase::Waiting,
            is_stopping: false,
            lines: Vec::new(),
            book_move: None,
            preset_answer: None,
        }
    }

    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, GoPhase::Waiting)
    }

    /// Whether the task must end as soon as possible.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping
    }

    /// Whether the task searches another position than the requested one.
    pub fn is_stochastic_ponder(&self) -> bool {
        self.original_request.is_some()
    }

    /// Whether reports of the search are to be shown.
    pub fn wants_reports(&self) -> bool {
        matches!(self.phase, GoPhase::Searching)
    }

    /// The search has begun. After an earlier stop it must be stopped at once.
    pub fn begin(&mut self) -> GoStep {
        self.phase = GoPhase::Searching;
        if self.is_stopping { GoStep::Stop } else { GoStep::Nothing }
    }

    /// Ends the task, because of `stop`, `gameover`, a newer `go`, or the end of the session.
    pub fn stop(&mut self) -> GoStep {
        if std::mem::replace(&mut self.is_stopping, true) {
            return GoStep::Nothing;
        }
        match std::mem::replace(&mut self.phase, GoPhase::Waiting) {
            GoPhase::Waiting => self.return_to_original_request(GoStep::Nothing),
            GoPhase::Searching => self.end_pondering(GoStep::Stop),
            GoPhase::Discarding => {
                self.phase = GoPhase::Discarding;
                GoStep::Nothing
            }
            // The result is for another position, so it does not answer the request.
            GoPhase::Finished(_) if self.is_stochastic_ponder() => {
                self.return_to_original_request(GoStep::Begin)
            }
            GoPhase::Finished(outcome) => GoStep::Answer(outcome),
        }
    }

    /// The opponent has played the expected move.
    pub fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) -> GoStep {
        if self.is_stopping || !self.request.limits.ponder {
            return GoStep::Nothing;
        }
        let requests = [Some(&mut self.request), self.original_request.as_deref_mut()];
        for request in requests.into_iter().flatten() {
            request.limits.ponder = false;
            request.limits.clock = clock.or(request.limits.clock);
            request.received = received;
        }
        match std::mem::replace(&mut self.phase, GoPhase::Waiting) {
            GoPhase::Waiting => self.return_to_original_request(GoStep::Nothing),
            GoPhase::Searching => self.end_pondering(GoStep::SendPonderHit { clock, received }),
            GoPhase::Finished(_) if self.is_stochastic_ponder() => {
                self.return_to_original_request(GoStep::Begin)
            }
            GoPhase::Finished(outcome) if !self.request.limits.infinite => {
                GoStep::Answer(SearchOutcome { planned_end: Some(received), ..outcome })
            }
            // Discarding is impossible here: only the end of pondering leads to it.
            phase @ (GoPhase::Finished(_) | GoPhase::Discarding) => {
                self.phase = phase;
                GoStep::Nothing
            }
        }
    }

    /// The book has an answer.
    pub fn answer_from_book(&mut self, hit: &BookHit) -> GoStep {
        let best = hit.chosen_variation();
        self.book_move = Some(best.clone());
        self.answer(Answer::Move { best: best.pv[0], ponder: best.reply })
    }

    /// There is an answer without a search.
    pub fn answer(&mut self, answer: Answer) -> GoStep {
        let elapsed = self.request.received.elapsed();
        self.finish(SearchOutcome {
            answer,
            lines: Vec::new(),
            nodes: 0,
            elapsed,
            planned_end: None,
        })
    }

    /// The search has ended, or there is an answer without one.
    pub fn finish(&mut self, outcome: SearchOutcome) -> GoStep {
        let limits = &self.request.limits;
        let must_wait = (limits.ponder || limits.infinite) && !self.is_stopping;
        match self.phase {
            GoPhase::Discarding => self.return_to_original_request(GoStep::Begin),
            _ if must_wait => {
                self.phase = GoPhase::Finished(outcome);
                GoStep::Nothing
            }
            _ => GoStep::Answer(outcome),
        }
    }

    /// Ends pondering during the search: stochastic pondering is stopped, any other search takes `step`.
    fn end_pondering(&mut self, step: GoStep) -> GoStep {
        if self.is_stochastic_ponder() {
            self.phase = GoPhase::Discarding;
            return GoStep::Stop;
        }
        self.phase = GoPhase::Searching;
        step
    }

    /// Returns to the original request, which is still to be searched.
    fn return_to_original_request(&mut self, step: GoStep) -> GoStep {
        self.phase = GoPhase::Waiting;
        if let Some(original_request) = self.original_request.take() {
            self.request = *original_request;
            self.lines.clear();
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::settings::Settings;
    use crate::position::Position;
    use crate::search::request::{Answer, Limits};
    use crate::types::ByColor;

    fn request(ponder: bool, infinite: bool) -> Request {
        Request {
            position: Position::startpos(),
            limits: Limits { ponder, infinite, ..Limits::default() },
            options: Settings::default().search_options(),
            received: Instant::now(),
        }
    }

    fn task(ponder: bool, infinite: bool) -> GoTask {
        GoTask::new(request(ponder, infinite), None)
    }

    /// A pondering task that searches the start position instead of the one after a move.
    fn stochastic() -> GoTask {
        let mut original_request = request(true, false);
        original_request.position.try_play("7g7f".parse().unwrap()).unwrap();
        GoTask::new(original_request, Some(request(true, false)))
    }

    fn outcome() -> SearchOutcome {
        SearchOutcome {
            answer: Answer::Resign,
            lines: Vec::new(),
            nodes: 1,
            elapsed: Duration::ZERO,
            planned_end: None,
        }
    }

    fn clock() -> Clock {
        Clock { byoyomi: ByColor([Duration::from_secs(1); 2]), ..Clock::default() }
    }

    #[test]
    fn a_plain_search_is_answered_when_it_ends() {
        let mut task = task(false, false);
        assert_eq!(task.begin(), GoStep::Nothing);
        assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_result_while_pondering_or_infinite_is_withheld_until_a_stop() {
        for (ponder, infinite) in [(true, false), (false, true), (true, true)] {
            let mut task = task(ponder, infinite);
            task.begin();
            assert_eq!(task.finish(outcome()), GoStep::Nothing);
            assert_eq!(task.stop(), GoStep::Answer(outcome()));
        }
    }

    #[test]
    fn a_withheld_result_is_the_answer_to_the_ponder_hit() {
        let mut task = task(true, false);
        task.begin();
        task.finish(outcome());
        let received = Instant::now();
        let at_once = SearchOutcome { planned_end: Some(received), ..outcome() };
        assert_eq!(task.ponder_hit(None, received), GoStep::Answer(at_once));
    }

    #[test]
    fn a_ponder_hit_does_not_end_an_infinite_search() {
        let mut task = task(true, true);
        task.begin();
        task.finish(outcome());
        assert_eq!(task.ponder_hit(None, Instant::now()), GoStep::Nothing);
        assert_eq!(task.stop(), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_second_stop_or_ponder_hit_does_nothing() {
        let mut task = task(true, false);
        task.begin();
        let (clock, received) = (Some(clock()), Instant::now());
        let sent = GoStep::SendPonderHit { clock, received };
        assert_eq!(task.ponder_hit(clock, received), sent);
        assert_eq!(task.ponder_hit(clock, received), GoStep::Nothing);
        assert_eq!(task.stop(), GoStep::Stop);
        assert_eq!(task.stop(), GoStep::Nothing);
        assert_eq!(task.ponder_hit(clock, received), GoStep::Nothing);
        assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_stop_before_the_search_begins_ends_it_when_it_does() {
        let mut task = task(false, true);
        assert_eq!(task.stop(), GoStep::Nothing);
        assert_eq!(task.begin(), GoStep::Stop);
        assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_ponder_hit_before_the_search_begins_makes_it_a_plain_one() {
        let mut task = task(true, false);
        let received = Instant::now();
        assert_eq!(task.ponder_hit(Some(clock()), received), GoStep::Nothing);
        assert!(!task.request.limits.ponder);
        assert_eq!(task.request.limits.clock, Some(clock()));
        assert_eq!(task.request.received, received);
    }

    #[test]
    fn stochastic_pondering_gives_way_to_the_request_at_the_ponder_hit() {
        let mut task = stochastic();
        task.begin();
        assert!(task.is_stochastic_ponder());
        assert_eq!(task.ponder_hit(Some(clock()), Instant::now()), GoStep::Stop);
        assert!(!task.wants_reports());
        assert_eq!(task.finish(outcome()), GoStep::Begin);
        assert_eq!(task.request.position.game_ply(), 2);
        assert_eq!(task.request.limits.clock, Some(clock()));
        assert_eq!(task.begin(), GoStep::Nothing);
        assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn stochastic_pondering_that_is_stopped_is_answered_from_the_requested_position() {
        let mut searching = stochastic();
        searching.begin();
        assert_eq!(searching.stop(), GoStep::Stop);
        assert_eq!(searching.finish(outcome()), GoStep::Begin);
        let mut finished = stochastic();
        finished.begin();
        finished.finish(outcome());
        assert_eq!(finished.stop(), GoStep::Begin);
        let mut waiting = stochastic();
        waiting.stop();
        for mut task in [searching, finished, waiting] {
            assert_eq!(task.request.position.game_ply(), 2);
            assert_eq!(task.begin(), GoStep::Stop);
            assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
        }
    }

    #[test]
    fn a_stop_right_after_the_ponder_hit_of_stochastic_pondering_gives_one_answer() {
        let mut task = stochastic();
        task.begin();
        assert_eq!(task.ponder_hit(None, Instant::now()), GoStep::Stop);
        assert_eq!(task.stop(), GoStep::Nothing);
        assert_eq!(task.finish(outcome()), GoStep::Begin);
        assert_eq!(task.begin(), GoStep::Stop);
        assert_eq!(task.finish(outcome()), GoStep::Answer(outcome()));
    }
}
