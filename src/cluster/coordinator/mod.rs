//! The coordinator: one engine to the GUI, several workers inside.
//!
//! A state machine without processes, threads or a clock: the lines of the GUI and of the workers go in, each
//! with the time of its arrival, and actions come out. So every fault and every order of events is tested as
//! a transcript. This file handles the commands of the GUI; `assign` decides which worker searches what,
//! `results` handles the answers.

mod assign;
mod results;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::action::ClusterAction;
use super::game_moves::GameMoves;
use super::go_limits::GoLimits;
use super::go_task::GoTask;
use super::options::{ClusterOptions, LocalShare, declares};
use super::worker::ClusterWorker;
use super::worker_search::{SearchPurpose, WorkerSearch};
use crate::engine::{AUTHOR, NAME, Settings};
use crate::search::request::Clock;
use crate::session::line_too_long;
use crate::types::message::{Message, message};
use crate::usi::command::{Command, CommandError, Parsed, Start, UsiMoves, parse, sets_position};
use crate::usi::messages;
use crate::usi::options::{self, OptionError, OptionGroup};

/// Interval of the blank lines sent while `readyok` is pending.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Maximum time of pondering after a miss, if no `go` comes.
const PONDER_AFTER_MISS: Duration = Duration::from_secs(5);
/// With more unanswered `go` or unsent commands than this, further lines wait. The wait is short: all `go` but the last
/// are stopped, and a worker takes the commands as soon as it has started.
const MAX_TASKS: usize = 64;
/// Maximum time from `quit`, and from the end of the input, to the last answer, as in a session with one engine.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
const END_OF_INPUT_TIMEOUT: Duration = Duration::from_secs(30);

/// The state of the cluster.
#[derive(Debug)]
pub(super) struct Coordinator {
    workers: Vec<ClusterWorker>,
    options: ClusterOptions,
    /// The settings of this program itself: the logs, and the declaration rule.
    pub(super) settings: Settings,
    /// The settings at the start, which are declared as defaults.
    initial: Settings,
    out: Vec<ClusterAction>,
    game: Arc<GameMoves>,
    /// Whether the position of the GUI is unknown: the last `position` was refused or truncated.
    position_unknown: bool,
    /// Commands with a free-text answer, such as the board, that no worker can take yet, each with its position.
    unsent_commands: Vec<(Arc<GameMoves>, Vec<u8>)>,
    /// The worker that was sent such a command since the last `go` or `isready`.
    commanded: Option<usize>,
    /// Unanswered tasks. The first one is searched, and all but the last are stopped.
    tasks: VecDeque<GoTask>,
    last_task: u64,
    /// The worker of the last move, whose transposition table fits the game best.
    leader: usize,
    /// Commands `usi` and `isready` without an answer, and when the next blank line is due.
    awaiting_usi: usize,
    awaiting_ready: usize,
    next_blank: Instant,
    /// Whether `isready` has been sent to the workers.
    prepared: bool,
    /// When pondering after a miss ends.
    ponder_until: Option<Instant>,
    /// Early answers that are needed now: worker, search and line.
    early: Vec<(usize, Box<WorkerSearch>, String)>,
    /// When the program must end, after `quit` or the end of the input.
    pub(super) quit_by: Option<Instant>,
    /// The reason why no worker could be started, if that ends the program.
    pub(super) start_error: Option<Message>,
}

impl Coordinator {
    /// `local` says for each worker whether it is on this machine.
    pub(super) fn new(local: &[bool], settings: Settings, now: Instant) -> Coordinator {
        let count = local.iter().filter(|&&local| local).count() as u64;
        let mut index = 0..count;
        let share = |local: bool| {
            if local { index.next().map(|index| LocalShare { index, count }) } else { None }
        };
        let shares: Vec<Option<LocalShare>> = local.iter().copied().map(share).collect();
        let workers = shares.into_iter().enumerate();
        Coordinator {
            workers: workers.map(|(id, share)| ClusterWorker::new(id, share, now)).collect(),
            options: ClusterOptions::new(),
            initial: settings.clone(),
            settings,
            out: Vec::new(),
            game: Arc::new(GameMoves::startpos()),
            position_unknown: false,
            unsent_commands: Vec::new(),
            commanded: None,
            tasks: VecDeque::new(),
            last_task: 0,
            leader: 0,
            awaiting_usi: 0,
            awaiting_ready: 0,
            next_blank: now,
            prepared: false,
            ponder_until: None,
            early: Vec::new(),
            quit_by: None,
            start_error: None,
        }
    }

    /// The actions to execute, in order.
    pub(super) fn take_actions(&mut self) -> Vec<ClusterAction> {
        std::mem::take(&mut self.out)
    }

    fn output(&mut self, line: impl Into<String>) {
        self.out.push(ClusterAction::Output(line.into()));
    }

    /// Forwards a line of a worker that is not an answer.
    fn forward_line(&mut self, line: &str) {
        self.out.push(ClusterAction::Forward(line.into()));
    }

    fn message(&mut self, text: impl Into<String>) {
        self.out.push(ClusterAction::Message(text.into()));
    }

    /// Reads a line of the GUI.
    pub(super) fn read_line(&mut self, line: &[u8], now: Instant) {
        let Parsed { command, errors } = parse(line);
        if self.position_unknown && matches!(command, Some(Command::Display | Command::Eval)) {
            self.message(messages::OTHER_POSITION);
        }
        match command {
            Some(Command::Usi) => {
                self.awaiting_usi += 1;
                self.answer_usi();
            }
            Some(Command::IsReady) => self.answer_isready(now),
            Some(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Some(Command::GetOption(Some(name))) => self.show_option(&name, line),
            Some(Command::Help(Some(name))) => self.show_option_help(&name, line),
            Some(Command::Register) => {
                self.output("registration checking");
                self.output("registration ok");
            }
            Some(Command::NewGame) => self.new_game(now),
            Some(Command::Position { start, moves }) => {
                self.set_game(start, &moves, &errors);
            }
            Some(Command::PosDiff(moves)) => self.play_moves(&moves, &errors),
            Some(Command::Go(limits)) => self.go(GoLimits::new(line, *limits, now), now),
            Some(Command::PonderHit(clock)) => self.ponder_hit(clock, now),
            Some(Command::Stop) => {
                self.stop_command();
                self.stop(now);
            }
            Some(Command::GameOver) => self.game_over(line, now),
            Some(Command::Quit) => self.quit(now),
            // A worker without its network would answer late.
            Some(Command::Eval) if !self.prepared => {
                self.prepare(now);
                self.forward(line);
            }
            // The GUI would take it for the node count of its own position.
            Some(Command::Perft(_)) if self.position_unknown => self.message(messages::NO_SEARCH),
            // An empty line or a comment.
            None if errors.is_empty() => {}
            Some(_) | None => self.forward(line),
        }
    }

    /// A line of the GUI that was too long and was truncated. It is not executed, but the GUI's
    /// position may differ now.
    pub(super) fn read_truncated_line(&mut self, beginning: &[u8]) {
        self.message(line_too_long());
        self.position_unknown |= sets_position(beginning);
    }

    /// Answers `usi` as soon as one worker has sent `usiok`: its options are declared.
    fn answer_usi(&mut self) {
        if self.awaiting_usi == 0 || self.start_error.is_some() {
            return;
        }
        let first = self.workers.iter().find(|worker| worker.has_sent_usiok());
        if first.is_none() && !self.workers.iter().all(ClusterWorker::keeps_failing) {
            return;
        }
        let name = first.map(ClusterWorker::name).filter(|name| !name.is_empty()).unwrap_or(NAME);
        let name = format!("id name {name} x{}", self.workers.len());
        let mut lines = vec![name, format!("id author {AUTHOR}")];
        lines.extend(self.options.declarations(&self.initial));
        lines.push("usiok".into());
        for _ in 0..std::mem::take(&mut self.awaiting_usi) {
            lines.iter().for_each(|line| self.output(line.clone()));
        }
    }

    /// Answers `isready`: at once during a search that is not stopped, else when each worker is ready or no
    /// longer awaited.
    fn answer_isready(&mut self, now: Instant) {
        self.commanded = None;
        if self.tasks.back().is_some_and(|task| task.stopped.is_none()) {
            return self.output("readyok");
        }
        self.end_ponder_after_miss(now);
        self.prepare(now);
        if self.awaiting_ready == 0 {
            self.next_blank = now + KEEP_ALIVE;
        }
        self.awaiting_ready += 1;
        self.send_readyok_if_due();
    }

    fn prepare(&mut self, now: Instant) {
        self.prepared = true;
        for worker in &mut self.workers {
            worker.prepare(&self.options, now, &mut self.out);
        }
    }

    fn send_readyok_if_due(&mut self) {
        let enough = self.workers.iter().any(ClusterWorker::is_ready)
            && self.workers.iter().all(ClusterWorker::is_not_awaited)
            || self.workers.iter().all(ClusterWorker::keeps_failing);
        if self.awaiting_ready == 0 || self.start_error.is_some() || !enough {
            return;
        }
        let late = self.workers.iter().filter(|worker| !worker.is_ready()).count();
        if late > 0 {
            let count = self.workers.len();
            let text = format!("workers that are not ready: {late} of {count}");
            // An error only if no worker can search.
            let action = if late == count { ClusterAction::Error } else { ClusterAction::Message };
            self.out.push(action(text));
        }
        let ready = || self.workers.iter().filter(|worker| worker.is_ready());
        let slowest = ready().map(ClusterWorker::latency).max().unwrap_or_default();
        let (count, slowest) = (ready().count(), slowest.as_secs_f64() * 1000.0);
        self.output(format!("info string workers: {count}, latency {slowest:.1} ms at most"));
        for _ in 0..std::mem::take(&mut self.awaiting_ready) {
            self.output("readyok");
        }
    }

    fn set_option(&mut self, name: &[u8], value: Option<&[u8]>) {
        let Some(value) = value else {
            // A button.
            return self.send_to_ready(&[b"setoption name ", name].concat());
        };
        let meant = options::intended_value(name, &self.initial, value);
        let mut name = String::from_utf8_lossy(name);
        match options::set(&mut self.settings, name.as_bytes(), Some(meant)) {
            // Not sent to the workers: several processes must not write one file.
            Ok(row) if row.group == OptionGroup::Logs => {
                return self.out.push(ClusterAction::ReopenLogs);
            }
            // Workers declare an option by one name only, not by aliases.
            Ok(row) if !self.options.is_declared(&name) => name = row.name.into(),
            Ok(_) => {}
            // An option or a value that only the workers have is not an error.
            Err(OptionError::UnknownName { .. } | OptionError::OtherBookOptions { .. })
                if !self.is_unknown_option(&name) => {}
            Err(OptionError::Value(_)) if self.is_of_another_engine(&name) => {}
            Err(error) => return self.message(error.to_string()),
        }
        let before = self.options.own_turn;
        match self.options.set(&name, value) {
            Ok(true) => {
                for worker in &mut self.workers {
                    worker.send_option(&name, &self.options, &mut self.out);
                }
            }
            Ok(false) if self.options.own_turn == before => {}
            Ok(false) => {
                for worker in &mut self.workers {
                    worker.send_worker_number(&self.options, &mut self.out);
                }
            }
            Err(error) => self.message(error),
        }
    }

    /// Whether there is no option of this name. A worker that has not declared its options may have it.
    fn is_unknown_option(&self, name: &str) -> bool {
        let lacks =
            |worker: &ClusterWorker| worker.has_sent_usiok() && !declares(&worker.declared, name);
        self.options.cluster_option(name.as_bytes()).is_none() && self.workers.iter().all(lacks)
    }

    /// Whether a worker that is another engine has an option of this name, which may have other values than ours.
    fn is_of_another_engine(&self, name: &str) -> bool {
        let has =
            |worker: &ClusterWorker| !worker.is_kawasemi() && declares(&worker.declared, name);
        self.workers.iter().any(has)
    }

    /// Shows an option of the cluster itself, or lets a worker show another one.
    fn show_option(&mut self, name: &[u8], line: &[u8]) {
        let Some(option) = self.options.cluster_option(name) else { return self.forward(line) };
        self.output(format!("info string {} = {}", option.name, option.current));
    }

    fn show_option_help(&mut self, name: &[u8], line: &[u8]) {
        let Some(option) = self.options.cluster_option(name) else { return self.forward(line) };
        self.output(format!("info string {}: {}", option.name, option.meaning));
        self.output(format!("info string values: {}; now: {}", option.values, option.current));
    }

    fn new_game(&mut self, now: Instant) {
        if self.tasks.is_empty() {
            self.end_ponder_after_miss(now);
        }
        self.leader = 0;
        self.send_to_ready(b"usinewgame");
    }

    fn set_game(&mut self, start: Start, list: &UsiMoves, errors: &[CommandError]) {
        match GameMoves::new(start) {
            Ok(game) => {
                self.game = Arc::new(game);
                self.position_unknown = false;
                self.play_moves(list, errors);
            }
            Err(error) => {
                self.position_unknown = true;
                self.message(messages::start_refused(&error));
            }
        }
    }

    fn play_moves(&mut self, list: &UsiMoves, errors: &[CommandError]) {
        errors.iter().for_each(|error| self.message(error.to_string()));
        let mut game = (*self.game).clone();
        let played = game.play(&list.moves);
        self.game = Arc::new(game);
        self.position_unknown |= list.is_incomplete || played.is_err();
        if let Err(refused) = played {
            self.message(messages::move_refused(&refused));
        }
    }

    fn go(&mut self, go: GoLimits, now: Instant) {
        self.stop(now);
        self.commanded = None;
        self.last_task += 1;
        self.ponder_until = None;
        let mut task = GoTask::new(self.last_task, Arc::clone(&self.game), go);
        if self.position_unknown {
            task.position_unknown = true;
            self.message(messages::NO_SEARCH);
        }
        self.tasks.push_back(task);
        self.workers.iter_mut().for_each(|worker| worker.end_pause(now));
        if !self.prepared {
            // A GUI may send `go` without `isready`.
            self.prepare(now);
        }
        self.advance(now);
    }

    fn ponder_hit(&mut self, clock: Option<Clock>, now: Instant) {
        let Some(task) = self.tasks.back_mut().filter(|task| task.is_pondering()) else {
            return;
        };
        let with_clocks = task.go.ponder_hit(clock, now);
        self.workers.iter_mut().for_each(|worker| worker.end_pause(now));
        if self.tasks.len() == 1 {
            self.end_pondering(with_clocks, now);
        }
        self.advance(now);
    }

    /// Stops the last `go`. The earlier ones are already stopped.
    fn stop(&mut self, now: Instant) {
        let Some(task) = self.tasks.back_mut().filter(|task| task.stopped.is_none()) else {
            return;
        };
        task.stopped = Some(now);
        if task.go.limits.ponder {
            self.ponder_until = Some(now + PONDER_AFTER_MISS);
        }
        let id = task.id;
        self.stop_workers(id, now);
        self.advance(now);
    }

    /// Stops a command with a free-text answer that takes long, `go perft`.
    fn stop_command(&mut self) {
        let Some(worker) = self.commanded.map(|id| &self.workers[id]) else { return };
        if worker.is_kawasemi() && worker.takes_commands() && !worker.is_searching() {
            worker.send("stop", &mut self.out);
        }
    }

    /// Whether so many `go` are unanswered, or commands unsent, that further lines have to wait.
    pub(super) fn is_full(&self) -> bool {
        self.tasks.len().max(self.unsent_commands.len()) > MAX_TASKS
    }

    /// Ends the program when every command is answered.
    pub(super) fn quit(&mut self, now: Instant) {
        if self.quit_by.is_none() {
            self.quit_by = Some(now + QUIT_TIMEOUT);
            self.stop(now);
        }
    }

    /// Quits at the end of the input, also after `quit`. No GUI kills the program then, so workers that start are
    /// waited for.
    pub(super) fn end_input(&mut self, now: Instant) {
        self.quit(now);
        if self.start_error.is_none() {
            self.quit_by = Some(now + END_OF_INPUT_TIMEOUT);
        }
    }

    /// Ends the program if no worker has ever been ready and all keep failing.
    fn check_all_failed(&mut self, why: &str, now: Instant) {
        let is_lost = |worker: &ClusterWorker| worker.keeps_failing() && !worker.has_been_ready();
        if self.start_error.is_none() && self.workers.iter().all(is_lost) {
            let why =
                message!("no worker can be started: {why}", "ワーカーを起動できません：{why}");
            self.out.push(ClusterAction::Error(why.to_string()));
            self.start_error = Some(why);
            self.quit_by = Some(now);
        }
    }

    /// Ends the program if everything is answered, or the deadline is over.
    fn check_leaving(&mut self, now: Instant) {
        let Some(deadline) = self.quit_by else { return };
        let is_late = deadline <= now;
        if is_late {
            self.answer_all_by_fallback();
        }
        let has_unanswered = !self.tasks.is_empty()
            || self.awaiting_usi > 0
            || self.awaiting_ready > 0
            || !self.unsent_commands.is_empty()
            || self.workers.iter().any(ClusterWorker::is_answering_command);
        if is_late || !has_unanswered {
            self.out.push(ClusterAction::Exit);
        }
    }

    fn game_over(&mut self, line: &[u8], now: Instant) {
        self.stop(now);
        self.end_ponder_after_miss(now);
        self.send_to_ready(line.trim_ascii());
    }

    /// Sends a line to all workers that are ready, after their searches.
    fn send_to_ready(&mut self, line: &[u8]) {
        for worker in self.workers.iter_mut().filter(|worker| worker.is_ready()) {
            worker.send_when_idle(line.into(), &mut self.out);
        }
    }

    /// Forwards a command that only a worker understands, when one can take it. The answer must be about the current
    /// position, which may differ from the one being searched.
    fn forward(&mut self, line: &[u8]) {
        self.unsent_commands.push((Arc::clone(&self.game), line.trim_ascii().into()));
    }

    /// Sends the commands that only a worker understands to the one whose output is forwarded, or else to any.
    fn send_commands(&mut self) {
        if self.unsent_commands.is_empty() {
            return;
        }
        let takes_commands = |&id: &usize| self.workers[id].takes_commands();
        let others = 0..self.workers.len();
        let worker = [self.output_worker()].into_iter().chain(others).find(takes_commands);
        let Some(id) = worker else { return };
        for (game, line) in std::mem::take(&mut self.unsent_commands) {
            self.workers[id].send_command(&game, line, &self.options, &mut self.out);
        }
        self.commanded = Some(id);
    }

    /// Ends the pondering after a miss.
    fn end_ponder_after_miss(&mut self, now: Instant) {
        self.ponder_until = None;
        let tasks = &self.tasks;
        for (id, worker) in self.workers.iter_mut().enumerate() {
            let asked = |search: &WorkerSearch| {
                let serves = |task: &GoTask| {
                    let answers =
                        search.purpose == SearchPurpose::OwnTurn || task.worker == Some(id);
                    task.id == search.task && (answers || task.stopped.is_none())
                };
                tasks.iter().any(serves)
            };
            if worker.needed_search().is_some_and(|search| !asked(search)) {
                worker.cancel_and_continue(&self.options, now, &mut self.out);
            }
        }
    }

    /// When [`Coordinator::check`] is due.
    pub(super) fn due(&self) -> Option<Instant> {
        let workers = self.workers.iter().filter_map(ClusterWorker::due);
        let blank = (self.awaiting_ready > 0).then_some(self.next_blank);
        let task = self.tasks.front().and_then(|task| {
            let latency = task.worker.map_or(Duration::ZERO, |id| self.workers[id].latency());
            [task.stop_at(latency), task.fallback_at(latency), task.decide_by]
                .into_iter()
                .flatten()
                .min()
        });
        workers.chain(blank).chain(task).chain(self.ponder_until).chain(self.quit_by).min()
    }

    /// Does the work that is due.
    pub(super) fn check(&mut self, now: Instant) {
        for id in 0..self.workers.len() {
            if let Err(why) = self.workers[id].check(&self.options, now, &mut self.out) {
                self.restart_worker(id, &why, now);
            }
        }
        if self.ponder_until.is_some_and(|ponder_until| ponder_until <= now) {
            self.end_ponder_after_miss(now);
        }
        if self.awaiting_ready > 0 && self.next_blank <= now {
            self.output("");
            self.next_blank = now + KEEP_ALIVE;
        }
        self.check_task(now);
        self.advance(now);
        self.send_commands();
        self.answer_usi();
        self.send_readyok_if_due();
        self.check_leaving(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TASKS, messages};
    use crate::cluster::testing::TestCluster;

    /// Regression: a GUI that sent `go` endlessly filled the memory.
    #[test]
    fn lines_wait_while_many_searches_are_unanswered() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos");
        (0..MAX_TASKS).for_each(|_| cluster.gui("go infinite"));
        assert!(!cluster.coordinator.is_full());
        cluster.gui("go infinite");
        assert!(cluster.coordinator.is_full());
        cluster.after(1100);
        assert!(!cluster.coordinator.is_full());
        let answers = cluster.output();
        let answers = answers.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(answers.count(), MAX_TASKS, "all but the last");
    }

    /// Regression: the worker answered for the position being searched.
    #[test]
    fn a_free_text_command_during_a_search_is_about_the_current_position() {
        let both = "position startpos moves 2g2f; d; usi";
        for (name, expected) in [("Kawasemi test", both), ("Another", "d")] {
            let mut cluster = TestCluster::playing_with(1, name);
            cluster.gui("position startpos moves 7g7f");
            cluster.gui("go infinite");
            _ = cluster.sent_to(0);
            cluster.gui("position startpos moves 2g2f");
            cluster.gui("d");
            assert_eq!(cluster.sent_to(0), expected, "{name}");
        }
    }

    /// Regression: a worker counted the position before the refused move.
    #[test]
    fn nothing_is_counted_if_the_position_is_unknown() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos moves 7g7f 7g7f");
        cluster.gui("go perft 3");
        assert_eq!(cluster.messages.last().unwrap(), messages::NO_SEARCH);
        assert_eq!(cluster.sent_to(0), "");
        cluster.gui("position startpos moves 7g7f");
        cluster.gui("go perft 3");
        assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f; go perft 3; usi");
    }

    /// Regression: the count went on to its end.
    #[test]
    fn a_stop_ends_a_perft_but_no_later_search() {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("go perft 9");
        assert_eq!(cluster.sent_to(0), "position startpos; go perft 9; usi");
        cluster.worker(0, "usiok");
        cluster.gui("stop");
        assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["stop", ""]);
        cluster.worker(0, "perft 0 in 5 ms, stopped before the end");
        assert_eq!(cluster.output(), ["perft 0 in 5 ms, stopped before the end"]);
        cluster.gui("go infinite");
        cluster.gui("stop");
        assert_eq!(cluster.sent_to(0), "position startpos; go infinite; stop");
    }

    /// Regression: the board looked like that of the refused position.
    #[test]
    fn a_board_after_a_refused_position_is_said_to_be_another() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos moves 7g7f 7g7f");
        cluster.gui("d");
        assert_eq!(cluster.messages.last().unwrap(), messages::OTHER_POSITION);
        assert_eq!(cluster.sent_to(0), "position startpos moves 7g7f; d; usi");
        cluster.gui("position startpos");
        cluster.messages.clear();
        cluster.gui("d");
        assert_eq!(cluster.messages, Vec::<String>::new());
    }

    /// Regression: it was dropped, and so was an answer that had not come at the end of the input.
    #[test]
    fn a_command_before_the_start_of_the_workers_is_answered_before_the_end() {
        let mut cluster = TestCluster::new(&[true]);
        cluster.gui("setoption name EvalFile value x");
        cluster.gui("help Threads");
        cluster.end_input();
        cluster.finish_handshake(0, 1);
        let sent = cluster.sent_to(0);
        let expected = "; setoption name EvalFile value x; position startpos; help Threads; usi";
        assert!(sent.ends_with(expected), "{sent}");
        cluster.worker(0, "info string Threads: a number");
        assert_eq!(cluster.output(), ["info string Threads: a number"]);
        assert!(!cluster.over);
        cluster.worker(0, "usiok");
        assert!(cluster.over);
    }

    /// Regression: after `isready` or `go`, lines were passed on as messages and messages were dropped.
    #[test]
    fn an_answer_to_a_command_that_comes_after_the_next_go_is_unchanged() {
        let mut cluster = TestCluster::playing(1);
        for line in ["d", "help Threads", "isready", "go nodes 1000"] {
            cluster.gui(line);
        }
        for line in ["a board", "usiok", "info string Threads: a number", "usiok"] {
            cluster.worker(0, line);
        }
        assert_eq!(cluster.output(), ["a board", "info string Threads: a number"]);
        cluster.worker(0, "noise");
        assert_eq!(cluster.output(), ["info string worker 1 (Kawasemi test): noise"]);
    }

    /// Regression: the late answer to the measurement was taken for the end of the answer to the command.
    #[test]
    fn a_command_after_a_measurement_without_answer_is_answered_before_the_end() {
        let mut cluster = TestCluster::new(&[true]);
        cluster.worker(0, "id name Kawasemi test");
        cluster.worker(0, "usiok");
        cluster.gui("d");
        cluster.end_input();
        cluster.after(2001);
        cluster.worker(0, "usiok");
        assert!(!cluster.over);
        cluster.worker(0, "a board");
        cluster.worker(0, "usiok");
        assert_eq!(cluster.output(), ["a board"]);
        assert!(cluster.over);
    }

    /// Regression: a worker without its network answered after the end.
    #[test]
    fn a_static_evaluation_waits_for_a_worker_that_is_ready() {
        let mut cluster = TestCluster::new(&[true]);
        cluster.finish_handshake(0, 0);
        cluster.gui("eval");
        assert_eq!(cluster.last_sent_to(0), "isready");
        cluster.worker(0, "readyok");
        assert_eq!(cluster.sent_to(0), "position startpos; eval; usi");
    }
}
