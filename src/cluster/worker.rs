//! One worker as a state machine without a process: its preparation, its searches and its timeouts.
//!
//! The lines of the worker go in, each with the time of its arrival, and actions come out. The coordinator
//! decides what is searched and why.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::action::ClusterAction;
use super::game_moves::GameMoves;
use super::go_limits::GoLimits;
use super::options::{ClusterOptions, LocalShare, OwnTurnMode, WORKER_NUMBER, declares};
use super::worker_search::{SearchPurpose, WorkerSearch};
use crate::engine::NAME;
use crate::usi_client::{MAX_OPTIONS, ponderhit_line, setoption_line};

/// Maximum time from the start to `usiok`.
const USIOK_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum delay of `readyok` for a worker that is getting ready. A worker that takes longer, because of a
/// large network or table, joins the others later.
const AWAIT_READY: Duration = Duration::from_secs(60);
/// Maximum silence of a worker that is getting ready. Kawasemi sends blank lines meanwhile; other engines may
/// send nothing.
const READY_SILENCE: Duration = Duration::from_secs(60);
const READY_SILENCE_OF_OTHERS: Duration = Duration::from_secs(600);
/// Maximum time from `stop` to the answer.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);
/// Number of measurements of a worker's latency by the answer to `usi`, and the timeout of each. The latency
/// of an engine that ignores a second `usi` stays unknown.
const MEASUREMENTS: u8 = 3;
const MEASURE_TIMEOUT: Duration = Duration::from_secs(2);
/// The silence after which a searching Kawasemi gets a ping, the command `usi`, and the timeout of its answer: an
/// eighth of the time for the move, within these bounds.
const PING_AFTER: Duration = Duration::from_secs(1);
const MIN_PING_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_PING_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum time that is subtracted from clocks, for the passage through two processes.
const MIN_MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// Maximum pause before a worker that keeps failing is restarted.
const MAX_PAUSE: Duration = Duration::from_secs(32);

/// The state of a worker's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkerPhase {
    /// Not running; to be started at this time.
    Down(Instant),
    /// `usi` is sent; `usiok` is due by this time.
    AwaitingUsiok(Instant),
    /// Another `usi` was sent at this time; the number is the measurements left.
    Measuring(Instant, u8),
    /// `usiok` has come and the latency is measured, but `isready` is not sent.
    Unprepared,
    /// `isready` is sent; the other workers wait for `readyok` until this time, if they still do.
    Preparing(Option<Instant>),
    Ready,
}

/// The meaning of a line of a worker.
#[derive(Debug)]
pub(super) enum WorkerLine {
    Nothing,
    /// The state of the worker has changed.
    Changed,
    /// An `info` line.
    Info,
    /// Entries of its transposition table for the other workers, one word each.
    Entries(String),
    /// A line that is not part of the protocol.
    Other,
    /// An answer that belongs to no search.
    UnexpectedAnswer,
    Answer(Box<WorkerSearch>, String),
}

/// The state of a worker.
#[derive(Debug)]
pub(super) struct ClusterWorker {
    id: usize,
    share: Option<LocalShare>,
    phase: WorkerPhase,
    name: String,
    pub(super) declared: Vec<String>,
    /// The longest measured time from a line to its answer.
    latency: Duration,
    search: Option<Box<WorkerSearch>>,
    /// The next search.
    next: Option<Box<WorkerSearch>>,
    /// Lines to send when no search runs.
    waiting: Vec<Vec<u8>>,
    /// Whether it has received its options since its start.
    has_options: bool,
    /// Whether `isready` is to be sent.
    wants_ready: bool,
    /// The `usi` without `usiok`, except that of the measurement in progress, in order: whether each ends the answer to
    /// a command.
    unanswered_usi: VecDeque<bool>,
    /// When its last line arrived.
    last_received: Instant,
    /// When a ping without an answer was sent.
    pinged: Option<Instant>,
    failures: u32,
    /// Whether it has ever been ready.
    has_been_ready: bool,
}

impl ClusterWorker {
    /// A worker that is to be started at once.
    pub(super) fn new(id: usize, share: Option<LocalShare>, now: Instant) -> ClusterWorker {
        ClusterWorker {
            id,
            share,
            phase: WorkerPhase::Down(now),
            name: String::new(),
            declared: Vec::new(),
            latency: Duration::ZERO,
            search: None,
            next: None,
            waiting: Vec::new(),
            has_options: false,
            wants_ready: false,
            unanswered_usi: VecDeque::new(),
            last_received: now,
            pinged: None,
            failures: 0,
            has_been_ready: false,
        }
    }

    /// The name of the worker in messages.
    pub(super) fn title(&self) -> String {
        let number = self.id + 1;
        if self.name.is_empty() {
            return format!("worker {number}");
        }
        format!("worker {number} ({})", self.name)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn latency(&self) -> Duration {
        self.latency
    }

    /// The time that is subtracted from the clocks sent to the worker.
    pub(super) fn move_overhead(&self) -> Duration {
        self.latency.max(MIN_MOVE_OVERHEAD)
    }

    pub(super) fn has_sent_usiok(&self) -> bool {
        !matches!(self.phase, WorkerPhase::Down(_) | WorkerPhase::AwaitingUsiok(_))
    }

    pub(super) fn is_ready(&self) -> bool {
        self.phase == WorkerPhase::Ready && !self.wants_ready
    }

    /// Whether `readyok` is not delayed for the worker: it is ready, has failed, or takes too long.
    pub(super) fn is_not_awaited(&self) -> bool {
        self.is_ready() || self.failures > 0 || self.phase == WorkerPhase::Preparing(None)
    }

    /// Whether the worker has failed several times and is not ready.
    pub(super) fn keeps_failing(&self) -> bool {
        self.failures > 2 && !self.is_ready()
    }

    pub(super) fn has_been_ready(&self) -> bool {
        self.has_been_ready
    }

    /// The current or next search whose answer is needed.
    pub(super) fn needed_search(&self) -> Option<&WorkerSearch> {
        self.next.as_deref().or(self.search.as_deref().filter(|search| search.wanted))
    }

    /// The current search, if its answer is needed.
    pub(super) fn running(&self) -> Option<&WorkerSearch> {
        self.search.as_deref().filter(|search| search.wanted)
    }

    /// Whether any search runs.
    pub(super) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Whether the worker is ready and has no search whose answer is needed.
    pub(super) fn is_free(&self) -> bool {
        self.is_ready() && self.needed_search().is_none()
    }

    /// Whether the worker is Kawasemi, which reads clocks after `ponderhit` and answers `usi` during a
    /// search.
    pub(super) fn is_kawasemi(&self) -> bool {
        NAME.split(' ').next() == self.name.split(' ').next()
    }

    pub(super) fn send(&self, line: impl Into<Vec<u8>>, out: &mut Vec<ClusterAction>) {
        out.push(ClusterAction::Send(self.id, line.into()));
    }

    /// Sends a line now, or after the current search.
    pub(super) fn send_when_idle(&mut self, line: Vec<u8>, out: &mut Vec<ClusterAction>) {
        if self.search.is_some() {
            self.waiting.push(line);
        } else {
            self.send(line, out);
        }
    }

    /// Sends an option that has just been set, if the worker has already received its options.
    pub(super) fn send_option(
        &mut self,
        name: &str,
        options: &ClusterOptions,
        out: &mut Vec<ClusterAction>,
    ) {
        if self.has_options
            && let Some(line) = options.line_for(&self.declared, self.share, name)
        {
            self.send_when_idle(line, out);
        }
    }

    /// Tells the worker whether it exchanges entries, if it has already received its options.
    pub(super) fn send_worker_number(
        &mut self,
        options: &ClusterOptions,
        out: &mut Vec<ClusterAction>,
    ) {
        if self.has_options
            && let Some(line) = self.worker_number_line(options)
        {
            self.send_when_idle(line, out);
        }
    }

    /// The line that makes the worker exchange entries or not, if it can.
    fn worker_number_line(&self, options: &ClusterOptions) -> Option<Vec<u8>> {
        let number = if options.own_turn == OwnTurnMode::Shared { self.id + 1 } else { 0 };
        let line = || setoption_line(WORKER_NUMBER, number.to_string().as_bytes());
        declares(&self.declared, WORKER_NUMBER).then(line)
    }

    /// Whether two workers can exchange entries: both are ready, and of the same version.
    pub(super) fn exchanges_with(&self, other: &ClusterWorker) -> bool {
        let is_able = |it: &ClusterWorker| it.is_ready() && declares(&it.declared, WORKER_NUMBER);
        self.name == other.name && is_able(self) && is_able(other)
    }

    /// Whether the worker can be sent a command with a free-text answer. While it gets ready, answers may come late.
    pub(super) fn takes_commands(&self) -> bool {
        matches!(self.phase, WorkerPhase::Unprepared | WorkerPhase::Ready)
    }

    /// Sends a command with a free-text answer about this position. Kawasemi can answer without disturbing its
    /// search, and `usiok` ends its answer.
    pub(super) fn send_command(
        &mut self,
        game: &GameMoves,
        line: Vec<u8>,
        options: &ClusterOptions,
        out: &mut Vec<ClusterAction>,
    ) {
        self.send_options(options, out);
        if self.needed_search().is_none() || self.is_kawasemi() {
            self.send(game.line(), out);
        }
        self.send(line, out);
        if self.is_kawasemi() {
            self.send("usi", out);
            self.unanswered_usi.push_back(true);
        }
    }

    /// Whether the answer to a command is known to be incomplete.
    pub(super) fn is_answering_command(&self) -> bool {
        self.unanswered_usi.contains(&true)
    }

    /// Prepares the worker for a game, as soon as no search runs.
    pub(super) fn prepare(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        self.wants_ready = true;
        self.flush(options, now, out);
    }

    /// Starts a search after cancelling the current one.
    pub(super) fn begin(
        &mut self,
        search: WorkerSearch,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        self.cancel(now, out);
        self.next = Some(Box::new(search));
        self.flush(options, now, out);
    }

    /// Cancels the searches of the worker.
    pub(super) fn cancel(&mut self, now: Instant, out: &mut Vec<ClusterAction>) {
        self.next = None;
        if let Some(search) = &mut self.search {
            search.wanted = false;
        }
        // An early answer is not needed either.
        let _ = self.stop(now, out);
    }

    /// Cancels the searches without starting another. After an early answer no further line comes, so the
    /// queued lines are sent here.
    pub(super) fn cancel_and_continue(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        self.cancel(now, out);
        self.flush(options, now, out);
    }

    /// Stops the search. Returns the answer if it has already come. A search that has not begun will be
    /// stopped as soon as it begins.
    pub(super) fn stop(
        &mut self,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) -> Option<(Box<WorkerSearch>, String)> {
        if let Some(next) = &mut self.next {
            next.stop_at_once = true;
            return None;
        }
        let search = self.search.as_mut()?;
        if let Some(early) = search.early.take() {
            return Some((self.search.take()?, early));
        }
        if search.answer_by.is_none() {
            search.answer_by = Some(now + STOP_TIMEOUT + 2 * self.latency);
            self.send("stop", out);
        }
        None
    }

    /// The expected move was played: the search now serves this task. Returns the answer if it has already
    /// come.
    pub(super) fn ponder_hit(
        &mut self,
        task: u64,
        go: &GoLimits,
        with_clocks: bool,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) -> Option<(Box<WorkerSearch>, String)> {
        let lost = self.lost_time(go, now);
        let search = self.search.as_mut()?;
        (search.purpose, search.task, search.go) = (SearchPurpose::OwnTurn, task, go.clone());
        if let Some(early) = search.early.take() {
            return Some((self.search.take()?, early));
        }
        let side = search.game.position.side_to_move();
        let clock = go.clock(side, lost).filter(|_| with_clocks);
        self.send(ponderhit_line(clock.as_ref()), out);
        None
    }

    fn lost_time(&self, go: &GoLimits, now: Instant) -> Duration {
        let elapsed = if go.limits.ponder { Duration::ZERO } else { now - go.received };
        elapsed + self.move_overhead()
    }

    /// Sends the queued lines, then `isready` or the next search, if no search runs.
    pub(super) fn flush(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        if self.search.is_some()
            || !matches!(self.phase, WorkerPhase::Unprepared | WorkerPhase::Ready)
        {
            return;
        }
        for line in std::mem::take(&mut self.waiting) {
            self.send(line, out);
        }
        if std::mem::take(&mut self.wants_ready) {
            self.send_isready(options, now, out);
        } else if self.phase == WorkerPhase::Ready
            && let Some(search) = self.next.take()
        {
            self.start_search(search, now, out);
        }
    }

    /// Sends the options, unless the worker has received them.
    fn send_options(&mut self, options: &ClusterOptions, out: &mut Vec<ClusterAction>) {
        if std::mem::replace(&mut self.has_options, true) {
            return;
        }
        for line in options.lines_for(&self.declared, self.share) {
            self.send(line, out);
        }
        if options.own_turn == OwnTurnMode::Shared
            && let Some(line) = self.worker_number_line(options)
        {
            self.send(line, out);
        }
    }

    fn send_isready(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        self.send_options(options, out);
        self.send("isready", out);
        self.phase = WorkerPhase::Preparing(Some(now + AWAIT_READY));
        self.last_received = now;
    }

    fn start_search(
        &mut self,
        search: Box<WorkerSearch>,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) {
        let side = search.game.position.side_to_move();
        let go = search.go.line(side, self.lost_time(&search.go, now));
        if let Some((set, restore)) = &search.set_and_restore {
            self.send(set.clone(), out);
            self.waiting.push(restore.clone());
        }
        self.send(search.game.line(), out);
        self.send(go, out);
        let stop_at_once = search.stop_at_once;
        self.search = Some(search);
        (self.last_received, self.pinged) = (now, None);
        if stop_at_once {
            // No answer can have come yet.
            let _ = self.stop(now, out);
        }
    }

    /// Reads a line of the worker.
    pub(super) fn read_line(
        &mut self,
        line: &str,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) -> WorkerLine {
        (self.last_received, self.pinged) = (now, None);
        match line.split_whitespace().next() {
            None => WorkerLine::Nothing,
            Some("id") => {
                if let Some(name) = line.split_once(" name ").map(|(_, name)| name.trim()) {
                    name.clone_into(&mut self.name);
                }
                WorkerLine::Nothing
            }
            Some("option") => {
                let is_asked = matches!(self.phase, WorkerPhase::AwaitingUsiok(_));
                if is_asked && self.declared.len() < MAX_OPTIONS {
                    self.declared.push(line.to_owned());
                }
                WorkerLine::Nothing
            }
            Some("usiok") => self.read_usiok(options, now, out),
            Some("readyok") if matches!(self.phase, WorkerPhase::Preparing(_)) => {
                self.phase = WorkerPhase::Ready;
                self.has_been_ready = true;
                self.flush(options, now, out);
                WorkerLine::Changed
            }
            Some("readyok") => WorkerLine::Nothing,
            Some("info") => match line.strip_prefix("info string entries ") {
                Some(entries) => WorkerLine::Entries(entries.into()),
                None => {
                    if let Some(search) = &mut self.search {
                        search.read_info(line);
                    }
                    WorkerLine::Info
                }
            },
            Some("bestmove" | "checkmate") => self.answered(line),
            Some(_) => WorkerLine::Other,
        }
    }

    fn read_usiok(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) -> WorkerLine {
        let left = match self.phase {
            WorkerPhase::AwaitingUsiok(_) => MEASUREMENTS,
            WorkerPhase::Measuring(sent_at, left) => {
                self.latency = self.latency.max(now - sent_at);
                left - 1
            }
            _ => {
                self.unanswered_usi.pop_front();
                return WorkerLine::Nothing;
            }
        };
        if left > 0 {
            self.phase = WorkerPhase::Measuring(now, left);
            self.send("usi", out);
        } else {
            self.phase = WorkerPhase::Unprepared;
            self.flush(options, now, out);
        }
        WorkerLine::Changed
    }

    fn answered(&mut self, line: &str) -> WorkerLine {
        let Some(mut search) = self.search.take() else {
            return WorkerLine::UnexpectedAnswer;
        };
        if search.go.is_open_ended() && search.answer_by.is_none() {
            search.early = Some(line.to_owned());
            self.search = Some(search);
            return WorkerLine::Nothing;
        }
        WorkerLine::Answer(search, line.to_owned())
    }

    /// Resets the count of failures after a correct answer.
    pub(super) fn reset_failures(&mut self) {
        self.failures = 0;
    }

    /// When [`ClusterWorker::check`] is due.
    pub(super) fn due(&self) -> Option<Instant> {
        let phase = match self.phase {
            WorkerPhase::Down(at)
            | WorkerPhase::AwaitingUsiok(at)
            | WorkerPhase::Preparing(Some(at)) => Some(at),
            WorkerPhase::Measuring(sent_at, _) => Some(sent_at + MEASURE_TIMEOUT),
            WorkerPhase::Preparing(None) | WorkerPhase::Unprepared | WorkerPhase::Ready => None,
        };
        let stopped = self.search.as_ref().and_then(|search| search.answer_by);
        [phase, stopped, self.ready_silence_until(), self.ping_due()].into_iter().flatten().min()
    }

    /// The deadline of a silent worker that is getting ready.
    fn ready_silence_until(&self) -> Option<Instant> {
        let timeout = if self.is_kawasemi() { READY_SILENCE } else { READY_SILENCE_OF_OTHERS };
        matches!(self.phase, WorkerPhase::Preparing(_)).then(|| self.last_received + timeout)
    }

    fn ping_due(&self) -> Option<Instant> {
        let search = self.search.as_ref().filter(|_| self.is_kawasemi())?;
        let Some(pinged) = self.pinged else { return Some(self.last_received + PING_AFTER) };
        let budget = search.go.budget(search.game.position.side_to_move());
        let budget =
            budget.filter(|_| search.go.limits.clock.is_some() && !search.go.limits.ponder);
        let timeout = budget.map_or(MAX_PING_TIMEOUT, |budget| {
            (budget / 8).clamp(MIN_PING_TIMEOUT, MAX_PING_TIMEOUT)
        });
        Some(pinged + timeout + 4 * self.latency)
    }

    /// Does the work that is due.
    ///
    /// # Errors
    /// The fault of the worker.
    pub(super) fn check(
        &mut self,
        options: &ClusterOptions,
        now: Instant,
        out: &mut Vec<ClusterAction>,
    ) -> Result<(), String> {
        match self.phase {
            WorkerPhase::Down(at) if at <= now => {
                self.declared.clear();
                // The latency may have changed.
                self.latency = Duration::ZERO;
                self.phase = WorkerPhase::AwaitingUsiok(now + USIOK_TIMEOUT);
                out.push(ClusterAction::Start(self.id));
                self.send("usi", out);
            }
            WorkerPhase::AwaitingUsiok(until) if until <= now => {
                return Err("no usiok in time".into());
            }
            WorkerPhase::Preparing(Some(until)) if until <= now => {
                self.phase = WorkerPhase::Preparing(None)
            }
            WorkerPhase::Measuring(sent_at, _) if sent_at + MEASURE_TIMEOUT <= now => {
                // Its answer may still come.
                self.unanswered_usi.push_back(false);
                self.phase = WorkerPhase::Unprepared;
                self.flush(options, now, out);
            }
            _ => {}
        }
        if self.ready_silence_until().is_some_and(|until| until <= now) {
            let silence = now.saturating_duration_since(self.last_received).as_secs();
            return Err(format!("no readyok, and nothing else for {silence} s"));
        }
        if self
            .search
            .as_ref()
            .and_then(|search| search.answer_by)
            .is_some_and(|until| until <= now)
        {
            return Err("no answer after stop".into());
        }
        if self.ping_due().is_some_and(|due| due <= now) {
            if self.pinged.is_some() {
                return Err("no answer to a ping".into());
            }
            self.pinged = Some(now);
            self.send("usi", out);
            self.unanswered_usi.push_back(false);
        }
        Ok(())
    }

    /// Kills the worker and restarts it: the first time at once, later after pauses that double.
    pub(super) fn restart(&mut self, now: Instant, out: &mut Vec<ClusterAction>) {
        out.push(ClusterAction::Kill(self.id));
        let pause = self.failures.checked_sub(1).map_or(Duration::ZERO, |doublings| {
            Duration::from_secs(2u64.saturating_pow(doublings)).min(MAX_PAUSE)
        });
        self.failures += 1;
        self.phase = WorkerPhase::Down(now + pause);
        (self.search, self.next, self.pinged) = (None, None, None);
        self.has_options = false;
        self.waiting.clear();
        self.unanswered_usi.clear();
    }

    /// Ends the pause before the next start, because the worker is needed.
    pub(super) fn end_pause(&mut self, now: Instant) {
        if let WorkerPhase::Down(start) = &mut self.phase {
            *start = now.min(*start);
        }
    }

    /// Whether the worker has got `isready` since its start, or will.
    pub(super) fn has_isready(&self) -> bool {
        self.wants_ready || matches!(self.phase, WorkerPhase::Preparing(_) | WorkerPhase::Ready)
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, TestCluster};
    use crate::usi_client::MAX_OPTIONS;

    /// Regression: such a worker was killed after a minute and restarted, over and over.
    #[test]
    fn a_worker_that_takes_long_to_get_ready_joins_later() {
        let mut cluster = TestCluster::new(&[true, true]);
        (0..2).for_each(|id| cluster.finish_handshake(id, 0));
        cluster.gui("isready");
        cluster.worker(0, "readyok");
        let output_after = |cluster: &mut TestCluster, seconds: u64| {
            for _ in 0..seconds {
                cluster.after(1000);
                cluster.worker(1, "");
            }
            cluster.output()
        };
        assert!(!output_after(&mut cluster, 59).contains(&"readyok".into()));
        assert!(output_after(&mut cluster, 2).contains(&"readyok".into()));
        assert_eq!(cluster.messages, ["workers that are not ready: 1 of 2"]);
        output_after(&mut cluster, 1000);
        assert!(cluster.killed.is_empty());
        _ = cluster.sent_to(1);
        cluster.worker(1, "readyok");
        cluster.gui("position startpos moves 7g7f 3c3d");
        cluster.gui(&format!("go ponder {CLOCK}"));
        assert!(cluster.sent_to(1).ends_with("go movetime 100"), "it ranks");
    }

    #[test]
    fn an_endless_list_of_options_does_not_fill_the_memory() {
        let mut cluster = TestCluster::new(&[true]);
        for number in 0..2 * MAX_OPTIONS {
            cluster.worker(0, &format!("option name A{number} type check default true"));
        }
        cluster.worker(0, "usiok");
        cluster.gui("usi");
        let declared = cluster.output().iter().filter(|line| line.contains(" name A")).count();
        assert_eq!(declared, MAX_OPTIONS);
    }

    #[test]
    fn a_worker_that_is_silent_for_too_long_while_getting_ready_is_given_up() {
        for (name, seconds) in [("Kawasemi test", 60), ("Another", 600)] {
            let mut cluster = TestCluster::playing_with(1, name);
            cluster.gui("isready");
            cluster.after(1000 * seconds - 1);
            assert!(cluster.killed.is_empty(), "{name}");
            cluster.after(1);
            assert_eq!(cluster.killed, [0], "{name}");
            let expected = format!(
                "worker 1 ({name}): no readyok, and nothing else for {seconds} s; restarting it"
            );
            assert_eq!(cluster.messages, [expected]);
        }
    }
}
