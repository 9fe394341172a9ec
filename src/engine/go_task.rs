//! One accepted `go`, from its acceptance to its answer: what each event makes of it.
//!
//! Owns the rules of pondering, of infinite search, and of being told to end. Acts on nothing
//! itself: each event returns the [`GoStep`] that its driver is to take.

use std::time::Instant;

use crate::book::{BookHit, BookVariation};
use crate::search::request::{Answer, Clock, PvLine, Request, SearchOutcome};

/// A search for a move or a mate that somebody has asked for.
#[derive(Debug)]
pub struct GoTask {
    /// What is searched.
    pub request: Request,
    /// What was asked for, where something else is searched while pondering.
    asked: Option<Box<Request>>,
    phase: Phase,
    /// Told to end as soon as possible.
    released: bool,
    /// The variations reported last, best first.
    pub lines: Vec<PvLine>,
    /// What the book says of the answer, if the answer comes from the book.
    pub book_move: Option<BookVariation>,
    /// The answer, where it is known before anything begins.
    pub preset_answer: Option<Answer>,
}

#[derive(Debug)]
enum Phase {
    /// Not begun.
    Waiting,
    Searching,
    /// Told to end, and nobody wants the result: then begins what was asked for.
    Discarding,
    /// It has its result, which must wait for a `stop` or a `ponderhit`.
    Held(SearchOutcome),
}

/// What the driver is to do.
#[derive(Debug, PartialEq)]
pub enum GoStep {
    Nothing,
    /// Begin the search of [`GoTask::request`].
    Begin,
    /// Stop the search.
    Stop,
    /// Tell the search that it is no longer pondering.
    TellPonderHit,
    /// Give the answer; the turn is over.
    Answer(SearchOutcome),
}

impl GoTask {
    /// A turn for the request `asked`, which while pondering searches `instead` if there is one.
    pub fn new(asked: Request, instead: Option<Request>) -> GoTask {
        let (request, asked) = match instead {
            Some(instead) => (instead, Some(Box::new(asked))),
            None => (asked, None),
        };
        let phase = Phase::Waiting;
        let lines = Vec::new();
        GoTask {
            request,
            asked,
            phase,
            released: false,
            lines,
            book_move: None,
            preset_answer: None,
        }
    }

    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Waiting)
    }

    /// Whether it has been told to end.
    pub fn is_stopping(&self) -> bool {
        self.released
    }

    /// Whether another position is searched than was asked for.
    pub fn is_stochastic_ponder(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether what the search reports is of any interest.
    pub fn wants_reports(&self) -> bool {
        matches!(self.phase, Phase::Searching)
    }

    /// The search has begun. One that was told to end before must be stopped at once.
    pub fn begin(&mut self) -> GoStep {
        self.phase = Phase::Searching;
        if self.released { GoStep::Stop } else { GoStep::Nothing }
    }

    /// An end is wanted: by `stop`, by `gameover`, by a newer `go`, by the end of the session.
    pub fn stop(&mut self) -> GoStep {
        if std::mem::replace(&mut self.released, true) {
            return GoStep::Nothing;
        }
        match std::mem::replace(&mut self.phase, Phase::Waiting) {
            Phase::Waiting => self.turn_to_asked(GoStep::Nothing),
            Phase::Searching => self.interrupt(GoStep::Stop),
            Phase::Discarding => {
                self.phase = Phase::Discarding;
                GoStep::Nothing
            }
            // The result is of another position, so it is no answer to what was asked.
            Phase::Held(_) if self.is_stochastic_ponder() => self.turn_to_asked(GoStep::Begin),
            Phase::Held(outcome) => GoStep::Answer(outcome),
        }
    }

    /// The move pondered on was played.
    pub fn ponder_hit(&mut self, clock: Option<Clock>, received: Instant) -> GoStep {
        if self.released || !self.request.limits.ponder {
            return GoStep::Nothing;
        }
        for request in [Some(&mut self.request), self.asked.as_deref_mut()].into_iter().flatten() {
            request.limits.ponder = false;
            request.limits.clock = clock.or(request.limits.clock);
            request.received = received;
        }
        match std::mem::replace(&mut self.phase, Phase::Waiting) {
            Phase::Waiting => self.turn_to_asked(GoStep::Nothing),
            Phase::Searching => self.interrupt(GoStep::TellPonderHit),
            Phase::Held(_) if self.is_stochastic_ponder() => self.turn_to_asked(GoStep::Begin),
            Phase::Held(outcome) if !self.request.limits.infinite => GoStep::Answer(outcome),
            // Discarding cannot be: only the end of pondering leads there.
            phase @ (Phase::Held(_) | Phase::Discarding) => {
                self.phase = phase;
                GoStep::Nothing
            }
        }
    }

    /// The book has an answer.
    pub fn answer_from_book(&mut self, advice: &BookHit) -> GoStep {
        let best = advice.best();
        self.book_move = Some(best.clone());
        self.answer(Answer::Move { best: best.pv[0], ponder: best.reply })
    }

    /// There is an answer, so nothing is searched.
    pub fn answer(&mut self, answer: Answer) -> GoStep {
        let elapsed = self.request.received.elapsed();
        self.done(SearchOutcome { answer, lines: Vec::new(), nodes: 0, elapsed })
    }

    /// The search has reported its end, or there is an answer without one.
    pub fn done(&mut self, outcome: SearchOutcome) -> GoStep {
        let limits = &self.request.limits;
        let must_wait = (limits.ponder || limits.infinite) && !self.released;
        match self.phase {
            Phase::Discarding => self.turn_to_asked(GoStep::Begin),
            _ if must_wait => {
                self.phase = Phase::Held(outcome);
                GoStep::Nothing
            }
            _ => GoStep::Answer(outcome),
        }
    }

    /// The end of pondering while searching: a substitute is stopped, another search takes `step`.
    fn interrupt(&mut self, step: GoStep) -> GoStep {
        if self.is_stochastic_ponder() {
            self.phase = Phase::Discarding;
            return GoStep::Stop;
        }
        self.phase = Phase::Searching;
        step
    }

    /// From now on it is about what was asked for, beginning with a search.
    fn turn_to_asked(&mut self, step: GoStep) -> GoStep {
        self.phase = Phase::Waiting;
        if let Some(asked) = self.asked.take() {
            self.request = *asked;
            self.lines.clear();
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Settings;
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

    fn turn(ponder: bool, infinite: bool) -> GoTask {
        GoTask::new(request(ponder, infinite), None)
    }

    /// A pondering turn that searches the start position although a move has been played on it.
    fn substitute() -> GoTask {
        let mut asked = request(true, false);
        asked.position.try_play("7g7f".parse().unwrap()).unwrap();
        GoTask::new(asked, Some(request(true, false)))
    }

    fn outcome() -> SearchOutcome {
        SearchOutcome {
            answer: Answer::Resign,
            lines: Vec::new(),
            nodes: 1,
            elapsed: Duration::ZERO,
        }
    }

    fn clock() -> Clock {
        Clock { byoyomi: ByColor([Duration::from_secs(1); 2]), ..Clock::default() }
    }

    #[test]
    fn a_plain_search_is_answered_when_it_ends() {
        let mut turn = turn(false, false);
        assert_eq!(turn.begin(), GoStep::Nothing);
        assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_result_while_pondering_or_infinite_is_held_until_released() {
        for (ponder, infinite) in [(true, false), (false, true), (true, true)] {
            let mut turn = turn(ponder, infinite);
            turn.begin();
            assert_eq!(turn.done(outcome()), GoStep::Nothing);
            assert_eq!(turn.stop(), GoStep::Answer(outcome()));
        }
    }

    #[test]
    fn a_held_result_is_the_answer_to_the_ponder_hit() {
        let mut turn = turn(true, false);
        turn.begin();
        turn.done(outcome());
        assert_eq!(turn.ponder_hit(None, Instant::now()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_ponder_hit_does_not_end_an_infinite_search() {
        let mut turn = turn(true, true);
        turn.begin();
        turn.done(outcome());
        assert_eq!(turn.ponder_hit(None, Instant::now()), GoStep::Nothing);
        assert_eq!(turn.stop(), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_second_stop_or_ponder_hit_does_nothing() {
        let mut turn = turn(true, false);
        turn.begin();
        assert_eq!(turn.ponder_hit(Some(clock()), Instant::now()), GoStep::TellPonderHit);
        assert_eq!(turn.ponder_hit(Some(clock()), Instant::now()), GoStep::Nothing);
        assert_eq!(turn.stop(), GoStep::Stop);
        assert_eq!(turn.stop(), GoStep::Nothing);
        assert_eq!(turn.ponder_hit(Some(clock()), Instant::now()), GoStep::Nothing);
        assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_stop_before_the_search_begins_ends_it_when_it_does() {
        let mut turn = turn(false, true);
        assert_eq!(turn.stop(), GoStep::Nothing);
        assert_eq!(turn.begin(), GoStep::Stop);
        assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_ponder_hit_before_the_search_begins_makes_it_a_plain_one() {
        let mut turn = turn(true, false);
        let received = Instant::now();
        assert_eq!(turn.ponder_hit(Some(clock()), received), GoStep::Nothing);
        assert!(!turn.request.limits.ponder);
        assert_eq!(turn.request.limits.clock, Some(clock()));
        assert_eq!(turn.request.received, received);
    }

    #[test]
    fn a_substitute_gives_way_to_what_was_asked_at_the_ponder_hit() {
        let mut turn = substitute();
        turn.begin();
        assert!(turn.is_stochastic_ponder());
        assert_eq!(turn.ponder_hit(Some(clock()), Instant::now()), GoStep::Stop);
        assert!(!turn.wants_reports());
        assert_eq!(turn.done(outcome()), GoStep::Begin);
        assert_eq!(turn.request.position.ply(), 2);
        assert_eq!(turn.request.limits.clock, Some(clock()));
        assert_eq!(turn.begin(), GoStep::Nothing);
        assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
    }

    #[test]
    fn a_substitute_that_is_released_is_answered_from_the_position_asked_for() {
        let mut searching = substitute();
        searching.begin();
        assert_eq!(searching.stop(), GoStep::Stop);
        assert_eq!(searching.done(outcome()), GoStep::Begin);
        let mut held = substitute();
        held.begin();
        held.done(outcome());
        assert_eq!(held.stop(), GoStep::Begin);
        let mut waiting = substitute();
        waiting.stop();
        for mut turn in [searching, held, waiting] {
            assert_eq!(turn.request.position.ply(), 2);
            assert_eq!(turn.begin(), GoStep::Stop);
            assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
        }
    }

    #[test]
    fn a_stop_right_after_the_ponder_hit_of_a_substitute_gives_one_answer() {
        let mut turn = substitute();
        turn.begin();
        assert_eq!(turn.ponder_hit(None, Instant::now()), GoStep::Stop);
        assert_eq!(turn.stop(), GoStep::Nothing);
        assert_eq!(turn.done(outcome()), GoStep::Begin);
        assert_eq!(turn.begin(), GoStep::Stop);
        assert_eq!(turn.done(outcome()), GoStep::Answer(outcome()));
    }
}
