//! The engine of this program as a player.

use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, select, unbounded};

use super::{Ask, Desk, Order, OrderId, Player, Terms, Thought, Told};
use crate::book::BookVariation;
use crate::csa::clock::Clocks;
use crate::engine::answer_check::{self, CheckedAnswer};
use crate::engine::go_task::{GoStep, GoTask};
use crate::engine::{Engine, LoadResult, PoolBackend, SearchBackend, Settings};
use crate::position::Position;
use crate::search::request::{Clock, Event, Limits, PvLine, Report, SearchOutcome};
use crate::types::{Bound, ByColor, Color, Score};
use crate::usi_client::{BestMove, EngineScore};

/// What the engine itself needs at the end of its time, at most, when the network is taken off
/// already: to be woken and to answer.
const OWN_RESERVE_MS: u64 = 30;

/// See the module's comment.
#[derive(Debug)]
pub struct LocalPlayer(Desk);

impl LocalPlayer {
    /// The engine with these settings. Nothing heavy happens before it is to prepare.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(settings: Settings) -> io::Result<LocalPlayer> {
        let (sender, events) = unbounded();
        let searcher = PoolBackend::new(sender)?;
        LocalPlayer::with(searcher, events, settings)
    }

    /// The same with any searcher, which sends its events to `events`.
    fn with<S: SearchBackend>(
        searcher: S,
        events: Receiver<Event>,
        settings: Settings,
    ) -> io::Result<LocalPlayer> {
        let engine = Engine::new(searcher, settings)?;
        let work = move |orders, told| Worker::new(engine, events, orders, told).run();
        Ok(LocalPlayer(Desk::open("csa-engine", work)?))
    }
}

impl Player for LocalPlayer {
    fn obey(&mut self, order: Order) {
        self.0.obey(order);
    }

    fn told(&self) -> &Receiver<Told> {
        &self.0.told
    }
}

/// How far the engine is in getting ready for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preparation {
    Done,
    /// Wanted, but a search is still ending.
    Wanted,
    /// In the workshop.
    Begun,
}

/// A search from the order to its end.
struct Current {
    id: OrderId,
    turn: GoTask,
    /// Whether anybody waits for its answer.
    wanted: bool,
}

/// The thread of the player.
struct Worker<S> {
    engine: Engine<S>,
    events: Receiver<Event>,
    orders: Receiver<Order>,
    told: Sender<Told>,
    terms: Option<Terms>,
    /// The latest order to get ready.
    preparing: OrderId,
    /// The least time for a move, and the length of a game, that the user has set.
    least_ms: u64,
    max_moves: u32,
    preparation: Preparation,
    current: Option<Current>,
    /// What is searched when the current search has ended.
    next: Option<Box<Ask>>,
    /// Whether that is wanted at once.
    hurry: bool,
}

impl<S: SearchBackend> Worker<S> {
    fn new(
        engine: Engine<S>,
        events: Receiver<Event>,
        orders: Receiver<Order>,
        told: Sender<Told>,
    ) -> Worker<S> {
        Worker {
            least_ms: engine.settings().minimum_thinking_ms,
            max_moves: engine.settings().max_moves_to_draw,
            engine,
            events,
            orders,
            told,
            terms: None,
            preparing: 0,
            preparation: Preparation::Done,
            current: None,
            next: None,
            hurry: false,
        }
    }

    fn run(mut self) {
        self.tell(Told::Started);
        loop {
            select! {
                recv(self.orders) -> order => match order {
                    Ok(order) => self.obey(order),
                    Err(_) => break,
                },
                recv(self.events) -> event => match event {
                    Ok(event) => self.report(event),
                    Err(_) => return self.tell(Told::Failed("the search has ended".into())),
                },
                recv(self.engine.load_results()) -> prepared => match prepared {
                    Ok(prepared) => self.take_back(prepared),
                    Err(_) => return self.tell(Told::Failed("the engine has ended".into())),
                },
            }
        }
        self.engine.quit();
    }

    fn tell(&self, told: Told) {
        // Nobody listens any more when the player is being dropped.
        let _ = self.told.send(told);
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Prepare(id, terms) => {
                self.abandon();
                (self.preparing, self.terms) = (id, Some(terms));
                self.engine.new_game();
                self.preparation = Preparation::Wanted;
                self.advance();
            }
            Order::Search(ask) => {
                self.abandon();
                self.next = Some(ask);
                self.advance();
            }
            Order::PonderHit { id, clocks, received } => self.ponder_hit(id, clocks, received),
            Order::Stop if self.next.is_some() => self.hurry = true,
            Order::Stop => self.release(),
            Order::Abandon | Order::GameOver(_) | Order::GiveUp => self.abandon(),
        }
    }

    /// Whatever is searched, nobody wants it.
    fn abandon(&mut self) {
        (self.next, self.hurry) = (None, false);
        if let Some(current) = &mut self.current {
            current.wanted = false;
        }
        self.release();
    }

    fn release(&mut self) {
        if let Some(current) = &mut self.current {
            let step = current.turn.stop();
            self.take(step);
        }
    }

    fn ponder_hit(&mut self, id: OrderId, clocks: Clocks, received: Instant) {
        if let Some(next) = self.next.as_mut().filter(|next| next.id == id) {
            next.hit(clocks, received);
        }
        let Some(current) = self.current.as_mut().filter(|current| current.id == id) else {
            return;
        };
        let side = current.turn.request.position.side_to_move();
        // A search that ponders on another position is of the other side.
        let side = if current.turn.is_stochastic_ponder() { !side } else { side };
        let clock = engine_clock(&clocks, side);
        match current.turn.ponder_hit(Some(clock), received) {
            GoStep::TellPonderHit => self.engine.ponder_hit(Some(clock), received),
            step => self.take(step),
        }
    }

    fn take(&mut self, step: GoStep) {
        match step {
            GoStep::Nothing | GoStep::TellPonderHit => {}
            GoStep::Begin => self.begin(),
            GoStep::Stop => self.engine.stop(),
            GoStep::Answer(outcome) => self.answer(&outcome),
        }
    }

    /// Does what is to be done next, once no search stands in the way.
    fn advance(&mut self) {
        if self.current.is_some() || self.preparation == Preparation::Begun {
            return;
        }
        if self.preparation == Preparation::Wanted {
            self.preparation = Preparation::Begun;
            if !self.engine.prepare_game() {
                return;
            }
            self.preparation = Preparation::Done;
            self.tell(Told::Ready(self.preparing));
        }
        if let Some(ask) = self.next.take() {
            self.open_turn(*ask);
            if std::mem::take(&mut self.hurry) {
                self.release();
            }
        }
    }

    fn open_turn(&mut self, ask: Ask) {
        let start = Position::from_setup(&ask.start);
        let start = start.expect("the game was played from there");
        if let Err(refused) = self.engine.set_position(start, &ask.moves) {
            return self.tell(Told::Failed(refused.to_string()));
        }
        self.suit_settings(&ask.clocks);
        let side = self.engine.position().side_to_move();
        let clock = Some(engine_clock(&ask.clocks, side));
        let limits = Limits { clock, ponder: ask.ponder, ..Limits::default() };
        let request = self.engine.request(limits, ask.received);
        let instead = self.engine.stochastic_ponder(&request);
        let turn = GoTask::new(request, instead);
        self.current = Some(Current { id: ask.id, turn, wanted: true });
        self.begin();
    }

    /// Suits the settings to the terms of the game and to how long moves are on their way.
    fn suit_settings(&mut self, clocks: &Clocks) {
        let Some(terms) = self.terms else { return };
        let overhead = clocks.overhead;
        let least_ms = terms.least.saturating_sub(overhead).as_millis() as u64;
        let least_ms = self.least_ms.max(least_ms);
        let max_moves = terms.max_moves.unwrap_or(self.max_moves);
        self.engine.set(|settings| {
            settings.network_delay_ms = overhead.as_millis() as u64;
            settings.network_delay2_ms = settings.network_delay2_ms.min(OWN_RESERVE_MS);
            settings.round_up_to_full_second = terms.unit.as_millis() == 1000;
            settings.minimum_thinking_ms = least_ms;
            settings.max_moves_to_draw = max_moves;
        });
    }

    /// Begins the search that waits, as soon as the engine can, unless the book has an answer.
    fn begin(&mut self) {
        let Some(current) = &mut self.current else { return };
        if !current.turn.is_waiting() || !self.engine.ensure_ready() {
            return;
        }
        let asked = Some(&current.turn.request).filter(|_| !current.turn.is_stochastic_ponder());
        let step = match asked.and_then(|request| self.engine.probe_book(request)) {
            Some(advice) => {
                let thought = book_thought(advice.best());
                let step = current.turn.answer_from_book(&advice);
                let told = Told::Thought(current.id, thought);
                self.tell(told);
                step
            }
            None if self.engine.go(current.turn.request.clone()).is_some() => current.turn.begin(),
            None => return,
        };
        self.take(step);
    }

    fn take_back(&mut self, prepared: LoadResult<S>) {
        for message in self.engine.finish_load(prepared) {
            self.tell(Told::Remark(message));
        }
        if !self.engine.ensure_ready() {
            return;
        }
        if self.preparation == Preparation::Begun {
            self.preparation = Preparation::Done;
            self.tell(Told::Ready(self.preparing));
        }
        self.begin();
        self.advance();
    }

    fn report(&mut self, event: Event) {
        if !self.engine.is_running(event.generation) {
            return;
        }
        let ends = matches!(event.report, Report::Done(_));
        if ends {
            self.engine.search_finished(event.generation);
        }
        if self.current.is_none() {
            return;
        }
        match event.report {
            Report::Done(mut outcome) => {
                self.note_lines(std::mem::take(&mut outcome.lines));
                self.end(outcome);
            }
            Report::Lines(lines) => self.note_lines(lines),
            Report::Message(text) => self.tell(Told::Remark(text)),
            _ => {}
        }
    }

    /// The search for the current answer is over.
    fn end(&mut self, outcome: SearchOutcome) {
        let Some(current) = &mut self.current else { return };
        let step = current.turn.done(outcome);
        self.take(step);
    }

    fn note_lines(&mut self, mut lines: Vec<PvLine>) {
        let Some(current) = &mut self.current else { return };
        if lines.is_empty() || !current.turn.wants_reports() {
            return;
        }
        for line in &mut lines {
            answer_check::truncate_pv(&mut current.turn.request.position, line);
        }
        let best = lines.iter().find(|line| line.multi_pv <= 1).map(thought);
        let shown = current.wanted && !current.turn.is_stochastic_ponder();
        let told = best.filter(|_| shown).map(|best| Told::Thought(current.id, best));
        current.turn.lines = lines;
        told.into_iter().for_each(|told| self.tell(told));
    }

    fn answer(&mut self, outcome: &SearchOutcome) {
        let Some(Current { id, mut turn, wanted }) = self.current.take() else { return };
        if wanted {
            let position = &mut turn.request.position;
            let (verdict, complaint) =
                answer_check::check_move(position, &[], &turn.lines, outcome);
            complaint.into_iter().for_each(|text| self.tell(Told::Remark(text.into())));
            if let Some(last) = answer_check::final_line(&turn.lines, verdict, outcome) {
                self.tell(Told::Thought(id, thought(&last)));
            }
            self.tell(Told::Answer(id, answer_of(verdict)));
        }
        self.advance();
    }
}

fn answer_of(verdict: CheckedAnswer) -> BestMove {
    match verdict {
        CheckedAnswer::Move { best, ponder } => BestMove::Move { best, ponder },
        CheckedAnswer::Resign => BestMove::Resign,
        CheckedAnswer::Win => BestMove::DeclareWin,
    }
}

fn thought(line: &PvLine) -> Thought {
    let known = line.score != Score::NONE && line.bound != Bound::None;
    let plies = |distance: i32| Some(u64::from(distance.unsigned_abs()));
    let score = match line.score.mate_distance() {
        Some(distance) if line.score.is_win() => EngineScore::Mates(plies(distance)),
        Some(distance) => EngineScore::Mated(plies(distance)),
        None => EngineScore::Centipawns(i64::from(line.score.centipawns())),
    };
    Thought {
        depth: u32::try_from(line.depth).ok(),
        nodes: Some(line.nodes),
        score: known.then_some(score),
        line: line.pv.clone(),
    }
}

/// What the book says, as if it had been thought.
fn book_thought(candidate: &BookVariation) -> Thought {
    let centipawns = |eval| EngineScore::Centipawns(i64::from(eval));
    Thought {
        depth: candidate.depth,
        nodes: None,
        score: candidate.eval.map(centipawns),
        line: candidate.pv.clone(),
    }
}

/// The clocks in the engine's terms: what the side to move gets for its move it has already, and a
/// time must not be below the increment, for then both would be used. The engine itself takes the
/// network off (`NetworkDelay`, or the reserve of its own if that is larger), so what was taken off
/// this move is put back, but for that reserve; it is never told more than there is.
fn engine_clock(clocks: &Clocks, side: Color) -> Clock {
    let mut time = ByColor(clocks.sides.0.map(|budget| budget.rest));
    let mut increment = ByColor(clocks.whole.0.map(|budget| budget.increment));
    let mut byoyomi = ByColor(clocks.whole.0.map(|budget| budget.byoyomi));
    let taken_again = clocks.overhead.saturating_sub(Duration::from_millis(OWN_RESERVE_MS));
    let left = clocks.sides[side].next_move() + taken_again;
    let left = left.min(clocks.whole[side].next_move());
    byoyomi[side] = byoyomi[side].min(left);
    time[side] = left - byoyomi[side];
    increment[side] = increment[side].min(time[side]);
    Clock { time, increment, byoyomi, moves_to_go: None }
}

#[cfg(test)]
mod tests;
