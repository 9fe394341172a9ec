//! The coordinator: one engine to the outside, several inside.
//!
//! Plain state, without processes, threads or a clock of its own: lines from outside and from workers
//! go in with the moment at which they came, and actions come out. So every fault and every order of
//! events is tested as a transcript. Here is what the outside may say; `serve` decides who searches
//! what, `answers` what becomes of what the workers say.

mod answers;
mod serve;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::action::Action;
use super::ask::Ask;
use super::game::Game;
use super::go::Go;
use super::job::{Job, Purpose};
use super::options::{Options, Share, declares};
use super::worker::Worker;
use crate::engine::{AUTHOR, NAME, Settings};
use crate::search::request::Clock;
use crate::usi::command::{Command, CommandError, Parsed, Start, UsiMoves, parse, sets_position};
use crate::usi::messages;
use crate::usi::options::{self, OptionError, OptionGroup};

/// Between two blank lines that say that `readyok` is still to come.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// How long workers ponder on after a miss, if no `go` says what was played instead.
const STALE: Duration = Duration::from_secs(5);
/// At most from `quit` until nothing more is said, as long as a session takes.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Coordinator {
    workers: Vec<Worker>,
    options: Options,
    /// As far as they concern this program: the logs, and the rule of declarations.
    pub(super) settings: Settings,
    /// The same at the start: the logs that are declared as defaults.
    initial: Settings,
    out: Vec<Action>,
    game: Arc<Game>,
    /// The outside means another position than this, which was refused, or too long to be read.
    is_astray: bool,
    /// Not answered yet; the first is being searched, and all but the last are ending.
    asks: VecDeque<Ask>,
    last_ask: u64,
    /// The worker of the last move: its memory knows the game best.
    lead: usize,
    /// How many `usi` and `isready` wait for their answer, and when the next blank line is due.
    awaiting_usi: usize,
    awaiting_ready: usize,
    next_blank: Instant,
    /// Whether the workers are to be ready for a game.
    prepared: bool,
    /// When pondering that no `go` has asked for ends.
    stale: Option<Instant>,
    /// Answers that came before they were wanted, and are now: of which worker, to what.
    early: Vec<(usize, Box<Job>, String)>,
    /// Set once it is to end: when, at the latest.
    pub(super) leaving: Option<Instant>,
    /// Why it ends without having been of any use.
    pub(super) in_vain: Option<String>,
}

impl Coordinator {
    /// With so many workers, of which these (by their number) are on this machine.
    pub(super) fn new(local: &[bool], settings: Settings, now: Instant) -> Coordinator {
        let of = local.iter().filter(|&&local| local).count() as u64;
        let mut index = 0..of;
        let share = |local: bool| {
            if local { index.next().map(|index| Share { index, of }) } else { None }
        };
        let shares: Vec<Option<Share>> = local.iter().copied().map(share).collect();
        let workers = shares.into_iter().enumerate();
        Coordinator {
            workers: workers.map(|(id, share)| Worker::new(id, share, now)).collect(),
            options: Options::new(),
            initial: settings.clone(),
            settings,
            out: Vec::new(),
            game: Arc::new(Game::startpos()),
            is_astray: false,
            asks: VecDeque::new(),
            last_ask: 0,
            lead: 0,
            awaiting_usi: 0,
            awaiting_ready: 0,
            next_blank: now,
            prepared: false,
            stale: None,
            early: Vec::new(),
            leaving: None,
            in_vain: None,
        }
    }

    /// What is to be done, in this order.
    pub(super) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.out)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.out.push(Action::Say(line.into()));
    }

    fn complain(&mut self, text: impl Into<String>) {
        self.out.push(Action::Complain(text.into()));
    }

    /// A line from outside.
    pub(super) fn hear(&mut self, line: &[u8], now: Instant) {
        let Parsed { command, errors } = parse(line);
        match command {
            Some(Command::Usi) => {
                self.awaiting_usi += 1;
                self.introduce();
            }
            Some(Command::IsReady) => self.get_ready(now),
            Some(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Some(Command::GetOption(Some(name))) => self.show_option(&name, line),
            Some(Command::Help(Some(name))) => self.explain(&name, line),
            Some(Command::Register) => {
                self.say("registration checking");
                self.say("registration ok");
            }
            Some(Command::NewGame) => self.new_game(now),
            Some(Command::Position { start, moves }) => {
                self.set_game(start, &moves, &errors);
            }
            Some(Command::PosDiff(moves)) => self.move_on(&moves, &errors),
            Some(Command::Go(limits)) => self.go(Go::new(line, *limits, now), now),
            Some(Command::PonderHit(clock)) => self.ponder_hit(line, clock, now),
            Some(Command::Stop) => self.stop(now),
            Some(Command::GameOver) => self.game_over(line, now),
            Some(Command::Quit) => self.leave(now),
            // The count of another position would be taken for that of the one outside.
            Some(Command::Perft(_)) if self.is_astray => self.complain(messages::NO_SEARCH),
            // Workers may know another way to begin a remark.
            None if errors.is_empty() => {}
            Some(_) | None => self.pass_on(line),
        }
    }

    /// A line from outside that was too long, of which this is kept: not obeyed, but it may have
    /// changed what the outside means by the position.
    pub(super) fn hear_cut(&mut self, beginning: &[u8]) {
        self.complain(messages::line_too_long());
        self.is_astray |= sets_position(beginning);
    }

    /// Answered as soon as one worker has said who it is, since its options are declared.
    fn introduce(&mut self) {
        if self.awaiting_usi == 0 || self.in_vain.is_some() {
            return;
        }
        let greeted = self.workers.iter().find(|worker| worker.has_greeted());
        if greeted.is_none() && !self.workers.iter().all(Worker::is_hopeless) {
            return;
        }
        let name = greeted.map(Worker::name).filter(|name| !name.is_empty()).unwrap_or(NAME);
        let name = format!("id name {name} x{}", self.workers.len());
        let mut lines = vec![name, format!("id author {AUTHOR}")];
        lines.extend(self.options.declarations(&self.initial));
        lines.push("usiok".into());
        for _ in 0..std::mem::take(&mut self.awaiting_usi) {
            lines.iter().for_each(|line| self.say(line.clone()));
        }
    }

    /// Answered at once during a search that nobody has told to end, else when no worker can be
    /// waited for any longer.
    fn get_ready(&mut self, now: Instant) {
        if self.asks.back().is_some_and(|ask| ask.stopped.is_none()) {
            return self.say("readyok");
        }
        self.rest(now);
        self.prepare(now);
        if self.awaiting_ready == 0 {
            self.next_blank = now + KEEP_ALIVE;
        }
        self.awaiting_ready += 1;
        self.show_ready();
    }

    fn prepare(&mut self, now: Instant) {
        self.prepared = true;
        for worker in &mut self.workers {
            worker.prepare(&self.options, now, &mut self.out);
        }
    }

    fn show_ready(&mut self) {
        let enough = self.workers.iter().any(Worker::is_ready)
            && self.workers.iter().all(Worker::is_settled)
            || self.workers.iter().all(Worker::is_hopeless);
        if self.awaiting_ready == 0 || self.in_vain.is_some() || !enough {
            return;
        }
        let late = self.workers.iter().filter(|worker| !worker.is_ready()).count();
        if late > 0 {
            // Who looks for errors only must hear of it if nobody will search.
            let error = if late == self.workers.len() { "error: " } else { "" };
            self.complain(format!("{error}{late} of {} workers are not ready", self.workers.len()));
        }
        let slowest = self.workers.iter().map(Worker::latency).max().unwrap_or_default();
        let slowest = slowest.as_secs_f64() * 1000.0;
        self.say(format!(
            "info string {} workers, latency {slowest:.1} ms at most",
            self.workers.len()
        ));
        for _ in 0..std::mem::take(&mut self.awaiting_ready) {
            self.say("readyok");
        }
    }

    fn set_option(&mut self, name: &[u8], value: Option<&[u8]>) {
        let Some(value) = value else {
            // A button.
            return self.tell_ready(&[b"setoption name ", name].concat());
        };
        let meant = options::intended_value(name, &self.initial, value);
        let mut name = String::from_utf8_lossy(name);
        match options::set(&mut self.settings, name.as_bytes(), Some(meant)) {
            // For this program alone: many writers would spoil a file.
            Ok(row) if row.group == OptionGroup::Files => return self.out.push(Action::Follow),
            // Workers declare an option by one of its names only.
            Ok(row) if !self.options.is_declared(&name) => name = row.name.into(),
            Ok(_) => {}
            // Names that only workers know are no mistakes.
            Err(OptionError::UnknownName { .. }) if !self.is_unheard_of(&name) => {}
            Err(error) => return self.complain(error.to_string()),
        }
        match self.options.set(&name, value) {
            Ok(true) => {
                for worker in &mut self.workers {
                    worker.set(&name, &self.options, &mut self.out);
                }
            }
            Ok(false) => {}
            Err(error) => self.complain(error),
        }
    }

    /// Whether there is no option of this name; while a worker has not said what it has, it may.
    fn is_unheard_of(&self, name: &str) -> bool {
        let lacks = |worker: &Worker| worker.has_greeted() && !declares(&worker.declared, name);
        self.options.own(name.as_bytes()).is_none() && self.workers.iter().all(lacks)
    }

    /// The worker in front, which tells of all others, would say that there is no such option.
    fn show_option(&mut self, name: &[u8], line: &[u8]) {
        let Some(own) = self.options.own(name) else { return self.pass_on(line) };
        self.say(format!("info string {} = {}", own.name, own.now));
    }

    fn explain(&mut self, name: &[u8], line: &[u8]) {
        let Some(own) = self.options.own(name) else { return self.pass_on(line) };
        self.say(format!("info string {}: {}", own.name, own.meaning));
        self.say(format!("info string values: {}; now: {}", own.values, own.now));
    }

    fn new_game(&mut self, now: Instant) {
        if self.asks.is_empty() {
            self.rest(now);
        }
        self.lead = 0;
        self.tell_ready(b"usinewgame");
    }

    fn set_game(&mut self, start: Start, list: &UsiMoves, errors: &[CommandError]) {
        match Game::new(start) {
            Ok(game) => {
                self.game = Arc::new(game);
                self.is_astray = false;
                self.move_on(list, errors);
            }
            Err(error) => {
                self.is_astray = true;
                self.complain(messages::start_refused(&error));
            }
        }
    }

    fn move_on(&mut self, list: &UsiMoves, errors: &[CommandError]) {
        errors.iter().for_each(|error| self.complain(error.to_string()));
        let mut game = (*self.game).clone();
        let played = game.play(&list.moves);
        self.game = Arc::new(game);
        self.is_astray |= list.is_incomplete || played.is_err();
        if let Err(refused) = played {
            self.complain(messages::move_refused(&refused));
        }
    }

    fn go(&mut self, go: Go, now: Instant) {
        self.stop(now);
        self.last_ask += 1;
        self.stale = None;
        let mut ask = Ask::new(self.last_ask, Arc::clone(&self.game), go);
        if self.is_astray {
            ask.is_forfeit = true;
            self.complain(messages::NO_SEARCH);
        }
        self.asks.push_back(ask);
        if !self.prepared {
            // Who asks for a move without `isready` wants one all the same.
            self.prepare(now);
        }
        self.advance(now);
    }

    fn ponder_hit(&mut self, line: &[u8], clock: Option<Clock>, now: Instant) {
        let Some(ask) = self.asks.back_mut().filter(|ask| ask.is_pondering()) else { return };
        let with_clocks = ask.go.hit(line, clock, now);
        if self.asks.len() == 1 {
            self.convert(with_clocks, now);
        }
        self.advance(now);
    }

    /// The last `go` is to be answered at once. All before it have been told when it came.
    fn stop(&mut self, now: Instant) {
        let Some(ask) = self.asks.back_mut().filter(|ask| ask.stopped.is_none()) else { return };
        ask.stopped = Some(now);
        if ask.go.limits.ponder {
            self.stale = Some(now + STALE);
        }
        let id = ask.id;
        self.hurry(id, now);
        self.advance(now);
    }

    /// The outside has no more to say: it is over as soon as nothing is owed to it.
    pub(super) fn leave(&mut self, now: Instant) {
        if self.leaving.is_none() {
            self.leaving = Some(now + LAST_ANSWERS);
            self.stop(now);
        }
    }

    /// Ends it at once if no worker has ever been ready and none ever will be: who asks for moves
    /// of such an engine must learn that there is nobody to search for them.
    fn despair(&mut self, why: &str, now: Instant) {
        let is_lost = |worker: &Worker| worker.is_hopeless() && !worker.has_been_ready();
        if self.leaving.is_none() && self.workers.iter().all(is_lost) {
            let why = format!("no worker can be started: {why}");
            self.complain(format!("error: {why}"));
            self.in_vain = Some(why);
            self.leaving = Some(now);
        }
    }

    /// Ends it when all is answered, or the time for that is over.
    fn check_leaving(&mut self, now: Instant) {
        let Some(deadline) = self.leaving else { return };
        let is_late = deadline <= now;
        if is_late {
            self.make_do_for_all();
        }
        let owing = !self.asks.is_empty() || self.awaiting_usi > 0 || self.awaiting_ready > 0;
        if is_late || !owing {
            self.out.push(Action::Leave);
        }
    }

    fn game_over(&mut self, line: &[u8], now: Instant) {
        self.stop(now);
        self.rest(now);
        self.tell_ready(line.trim_ascii());
    }

    /// A line for all workers that are ready, as soon as they search nothing.
    fn tell_ready(&mut self, line: &[u8]) {
        for worker in self.workers.iter_mut().filter(|worker| worker.is_ready()) {
            worker.tell_idle(line.into(), &mut self.out);
        }
    }

    /// What this program does not know the worker in front may know. It is to speak of the position
    /// that stands, which may be another than it searches; one of our own make searches on regardless.
    fn pass_on(&mut self, line: &[u8]) {
        let worker = self.speaker();
        let worker = self.workers.get(worker).filter(|worker| worker.has_greeted());
        let Some(worker) = worker else { return };
        if worker.wanted().is_none() || worker.takes_clocks() {
            worker.tell(self.game.line(), &mut self.out);
        }
        worker.tell(line.trim_ascii(), &mut self.out);
    }

    /// Ends what nobody outside has asked for: pondering after a miss.
    fn rest(&mut self, now: Instant) {
        self.stale = None;
        let asks = &self.asks;
        for (id, worker) in self.workers.iter_mut().enumerate() {
            let asked = |job: &Job| {
                let serves = |ask: &Ask| {
                    let answers = job.purpose == Purpose::Own || ask.worker == Some(id);
                    ask.id == job.ask && (answers || ask.stopped.is_none())
                };
                asks.iter().any(serves)
            };
            if worker.wanted().is_some_and(|job| !asked(job)) {
                worker.let_go(&self.options, now, &mut self.out);
            }
        }
    }

    /// When something must be done even if nobody says anything.
    pub(super) fn due(&self) -> Option<Instant> {
        let workers = self.workers.iter().filter_map(Worker::due);
        let blank = (self.awaiting_ready > 0).then_some(self.next_blank);
        let ask = self.asks.front().and_then(|ask| {
            let latency = ask.worker.map_or(Duration::ZERO, |id| self.workers[id].latency());
            [ask.hurry_at(latency), ask.rescue_at(latency), ask.decide_by]
                .into_iter()
                .flatten()
                .min()
        });
        workers.chain(blank).chain(ask).chain(self.stale).chain(self.leaving).min()
    }

    /// Does what is due.
    pub(super) fn check(&mut self, now: Instant) {
        for id in 0..self.workers.len() {
            if let Err(why) = self.workers[id].check(&self.options, now, &mut self.out) {
                self.drop_worker(id, &why, now);
            }
        }
        if self.stale.is_some_and(|stale| stale <= now) {
            self.rest(now);
        }
        if self.awaiting_ready > 0 && self.next_blank <= now {
            self.say("");
            self.next_blank = now + KEEP_ALIVE;
        }
        self.check_ask(now);
        self.advance(now);
        self.introduce();
        self.show_ready();
        self.check_leaving(now);
    }
}

#[cfg(test)]
mod tests {
    use super::messages;
    use crate::cluster::testing::Table;

    /// The worker spoke of the position that it searched.
    #[test]
    fn a_question_during_a_search_is_about_the_position_that_stands() {
        let both = "position startpos moves 2g2f; d";
        for (name, told) in [("Kawasemi test", both), ("Another", "d")] {
            let mut table = Table::playing_with(1, name);
            table.outside("position startpos moves 7g7f");
            table.outside("go infinite");
            _ = table.told(0);
            table.outside("position startpos moves 2g2f");
            table.outside("d");
            assert_eq!(table.told(0), told, "{name}");
        }
    }

    /// A worker was let count the moves before the one that was refused.
    #[test]
    fn nothing_is_counted_where_the_position_is_not_known() {
        let mut table = Table::playing(1);
        table.outside("position startpos moves 7g7f 7g7f");
        table.outside("go perft 3");
        assert_eq!(table.complained.last().unwrap(), messages::NO_SEARCH);
        assert_eq!(table.told(0), "");
        table.outside("position startpos moves 7g7f");
        table.outside("go perft 3");
        assert_eq!(table.told(0), "position startpos moves 7g7f; go perft 3");
    }
}
