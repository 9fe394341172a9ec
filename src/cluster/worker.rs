//! One worker: how far it is with getting ready, what it searches, when it must have answered.
//!
//! Plain state without a process: lines of the worker go in with the moment at which they came, and
//! actions come out. Why anything is searched is the coordinator's.

use std::time::{Duration, Instant};

use super::action::Action;
use super::go::Go;
use super::job::{Job, Purpose};
use super::options::{Options, Share};
use crate::engine::NAME;

/// From the start to `usiok`.
const GREETING: Duration = Duration::from_secs(60);
/// How long others wait for one that gets ready. A big network on a slow disk or a huge table may take
/// longer: then it joins them when it can.
const WAITED_FOR: Duration = Duration::from_secs(60);
/// One that gets ready may say nothing for so long. Those of our own make send blank lines meanwhile;
/// others may be silent, and yet have much to do.
const READYING: Duration = Duration::from_secs(60);
const READYING_IN_SILENCE: Duration = Duration::from_secs(600);
/// From `stop` to the answer.
const STOPPING: Duration = Duration::from_secs(3);
/// How often the way to a worker and back is measured, and how long each time at most. Who does not
/// answer twice to `usi` is not measured.
const MEASUREMENTS: u8 = 3;
const MEASURING: Duration = Duration::from_secs(2);
/// Silence after which a searching worker of our own make is asked for a sign of life, and how long
/// it may then be silent: an eighth of the time it has for its move, within these bounds.
const SILENCE: Duration = Duration::from_secs(1);
const SIGN_OF_LIFE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// Taken off every clock at least: two processes are on the way.
const LEAST_MARGIN: Duration = Duration::from_millis(10);
/// The longest wait before a worker that fails again and again is started again.
const LONGEST_REST: Duration = Duration::from_secs(32);

/// How far a worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not running, until it is to be started.
    Down(Instant),
    /// Asked who it is, and must have said so.
    Greeting(Instant),
    /// Asked once more, when, and how often it will be.
    Measuring(Instant, u8),
    /// Greeted, and nothing else.
    Known,
    /// Asked to get ready, and until when others wait for it, if they still do.
    Preparing(Option<Instant>),
    Ready,
}

/// What a line of a worker comes to.
#[derive(Debug)]
pub(super) enum WorkerReply {
    Nothing,
    /// It may be of use now as it was not before.
    Changed,
    /// A line of its search.
    Info,
    /// A line that is none of the protocol.
    Other,
    Answer(Box<Job>, String),
    Fault(String),
}

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Worker {
    id: usize,
    share: Option<Share>,
    phase: Phase,
    name: String,
    pub(super) declared: Vec<String>,
    /// The longest that the way there and back took.
    latency: Duration,
    job: Option<Box<Job>>,
    /// What it searches next.
    next: Option<Box<Job>>,
    /// Lines for when it has answered.
    waiting: Vec<Vec<u8>>,
    /// Whether it is to say `readyok` once more.
    wants_ready: bool,
    last_heard: Instant,
    pinged: Option<Instant>,
    failures: u32,
    /// Whether it has been ready at any time since the program began.
    has_been_ready: bool,
}

impl Worker {
    /// One that is to be started.
    pub(super) fn new(id: usize, share: Option<Share>, now: Instant) -> Worker {
        Worker {
            id,
            share,
            phase: Phase::Down(now),
            name: String::new(),
            declared: Vec::new(),
            latency: Duration::ZERO,
            job: None,
            next: None,
            waiting: Vec::new(),
            wants_ready: false,
            last_heard: now,
            pinged: None,
            failures: 0,
            has_been_ready: false,
        }
    }

    /// What it is called in remarks.
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

    /// What is taken off the clocks it is told.
    pub(super) fn margin(&self) -> Duration {
        self.latency.max(LEAST_MARGIN)
    }

    pub(super) fn has_greeted(&self) -> bool {
        !matches!(self.phase, Phase::Down(_) | Phase::Greeting(_))
    }

    pub(super) fn is_ready(&self) -> bool {
        self.phase == Phase::Ready && !self.wants_ready
    }

    /// Whether nobody waits for it to get ready: one that has failed or takes long may come later.
    pub(super) fn is_settled(&self) -> bool {
        self.is_ready() || self.failures > 0 || self.phase == Phase::Preparing(None)
    }

    /// Whether it fails again and again.
    pub(super) fn is_hopeless(&self) -> bool {
        self.failures > 2 && !self.is_ready()
    }

    pub(super) fn has_been_ready(&self) -> bool {
        self.has_been_ready
    }

    /// The search that somebody waits for, if it has begun or is the next.
    pub(super) fn wanted(&self) -> Option<&Job> {
        self.next.as_deref().or(self.job.as_deref().filter(|job| job.wanted))
    }

    /// What it searches now and somebody waits for.
    pub(super) fn running(&self) -> Option<&Job> {
        self.job.as_deref().filter(|job| job.wanted)
    }

    /// Whether it searches, though it be what nobody wants any more.
    pub(super) fn is_searching(&self) -> bool {
        self.job.is_some()
    }

    /// Whether it has nothing to do that anybody wants.
    pub(super) fn is_free(&self) -> bool {
        self.is_ready() && self.wanted().is_none()
    }

    /// Whether it understands clocks behind `ponderhit`: what others make of them is not known.
    pub(super) fn takes_clocks(&self) -> bool {
        NAME.split(' ').next() == self.name.split(' ').next()
    }

    pub(super) fn tell(&self, line: impl Into<Vec<u8>>, out: &mut Vec<Action>) {
        out.push(Action::Tell(self.id, line.into()));
    }

    /// A line that must not come in the middle of a search.
    pub(super) fn tell_idle(&mut self, line: Vec<u8>, out: &mut Vec<Action>) {
        if self.job.is_some() {
            self.waiting.push(line);
        } else {
            self.tell(line, out);
        }
    }

    /// Tells it of an option that has been set, if it has had its options already.
    pub(super) fn set(&mut self, name: &str, options: &Options, out: &mut Vec<Action>) {
        if matches!(self.phase, Phase::Ready | Phase::Preparing(_))
            && let Some(line) = options.line_for(&self.declared, self.share, name)
        {
            self.tell_idle(line, out);
        }
    }

    /// It is to get ready for a game, as soon as it can.
    pub(super) fn prepare(&mut self, options: &Options, now: Instant, out: &mut Vec<Action>) {
        self.wants_ready = true;
        self.settle(options, now, out);
    }

    /// Searches this, after whatever it searches now.
    pub(super) fn begin(
        &mut self,
        job: Job,
        options: &Options,
        now: Instant,
        out: &mut Vec<Action>,
    ) {
        self.dismiss(now, out);
        self.next = Some(Box::new(job));
        self.settle(options, now, out);
    }

    /// Nobody wants what it searches.
    pub(super) fn dismiss(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.next = None;
        if let Some(job) = &mut self.job {
            job.wanted = false;
        }
        // An early answer is not wanted either.
        let _ = self.stop(now, out);
    }

    /// Nobody wants what it searches, and it gets nothing else for that. If its answer had come too
    /// early, it is idle from now on and will answer no more, so what waits is done here.
    pub(super) fn let_go(&mut self, options: &Options, now: Instant, out: &mut Vec<Action>) {
        self.dismiss(now, out);
        self.settle(options, now, out);
    }

    /// Wants an answer now; returns it if it has come already. A search that has not begun will be
    /// stopped as soon as it has.
    pub(super) fn stop(
        &mut self,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> Option<(Box<Job>, String)> {
        if let Some(next) = &mut self.next {
            next.hasty = true;
            return None;
        }
        let job = self.job.as_mut()?;
        if let Some(early) = job.early.take() {
            return Some((self.job.take()?, early));
        }
        if job.stopped.is_none() {
            job.stopped = Some(now + STOPPING + 2 * self.latency);
            self.tell("stop", out);
        }
        None
    }

    /// What it ponders on was played, and serves this `go` from now on. Returns the answer if it has
    /// come already.
    pub(super) fn hit(
        &mut self,
        ask: u64,
        go: &Go,
        with_clocks: bool,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> Option<(Box<Job>, String)> {
        let lost = self.lost(go, now);
        let job = self.job.as_mut()?;
        (job.purpose, job.ask, job.go) = (Purpose::Own, ask, go.clone());
        if let Some(early) = job.early.take() {
            return Some((self.job.take()?, early));
        }
        let side = job.game.position.side_to_move();
        let clocks = if with_clocks { go.clocks(side, lost) } else { String::new() };
        self.tell(format!("ponderhit{clocks}"), out);
        None
    }

    fn lost(&self, go: &Go, now: Instant) -> Duration {
        let gone = if go.limits.ponder { Duration::ZERO } else { now - go.received };
        gone + self.margin()
    }

    /// Does what waits, if it searches nothing.
    pub(super) fn settle(&mut self, options: &Options, now: Instant, out: &mut Vec<Action>) {
        if self.job.is_some() || !matches!(self.phase, Phase::Known | Phase::Ready) {
            return;
        }
        for line in std::mem::take(&mut self.waiting) {
            self.tell(line, out);
        }
        if std::mem::take(&mut self.wants_ready) {
            if self.phase == Phase::Known {
                for line in options.lines_for(&self.declared, self.share) {
                    self.tell(line, out);
                }
            }
            self.tell("isready", out);
            self.phase = Phase::Preparing(Some(now + WAITED_FOR));
            self.last_heard = now;
        } else if self.phase == Phase::Ready
            && let Some(job) = self.next.take()
        {
            let side = job.game.position.side_to_move();
            let go = job.go.line(side, self.lost(&job.go, now));
            if let Some((before, after)) = &job.around {
                self.tell(before.clone(), out);
                self.waiting.push(after.clone());
            }
            self.tell(job.game.line(), out);
            self.tell(go, out);
            let hasty = job.hasty;
            self.job = Some(job);
            (self.last_heard, self.pinged) = (now, None);
            if hasty {
                // It cannot have answered yet.
                let _ = self.stop(now, out);
            }
        }
    }

    /// A line of it.
    pub(super) fn hear(
        &mut self,
        line: &str,
        options: &Options,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> WorkerReply {
        (self.last_heard, self.pinged) = (now, None);
        match line.split_whitespace().next() {
            None => WorkerReply::Nothing,
            Some("id") => {
                if let Some(name) = line.split_once(" name ").map(|(_, name)| name.trim()) {
                    name.clone_into(&mut self.name);
                }
                WorkerReply::Nothing
            }
            Some("option") => {
                if matches!(self.phase, Phase::Greeting(_)) {
                    self.declared.push(line.to_owned());
                }
                WorkerReply::Nothing
            }
            Some("usiok") => self.greeted(options, now, out),
            Some("readyok") if matches!(self.phase, Phase::Preparing(_)) => {
                self.phase = Phase::Ready;
                self.has_been_ready = true;
                self.settle(options, now, out);
                WorkerReply::Changed
            }
            Some("readyok") => WorkerReply::Nothing,
            Some("info") => {
                if let Some(job) = &mut self.job {
                    job.note(line);
                }
                WorkerReply::Info
            }
            Some("bestmove" | "checkmate") => self.answered(line),
            Some(_) => WorkerReply::Other,
        }
    }

    fn greeted(&mut self, options: &Options, now: Instant, out: &mut Vec<Action>) -> WorkerReply {
        let left = match self.phase {
            Phase::Greeting(_) => MEASUREMENTS,
            Phase::Measuring(asked, left) => {
                self.latency = self.latency.max(now - asked);
                left - 1
            }
            _ => return WorkerReply::Nothing,
        };
        if left > 0 {
            self.phase = Phase::Measuring(now, left);
            self.tell("usi", out);
        } else {
            self.phase = Phase::Known;
            self.settle(options, now, out);
        }
        WorkerReply::Changed
    }

    fn answered(&mut self, line: &str) -> WorkerReply {
        let Some(job) = &mut self.job else {
            return WorkerReply::Fault(format!("unasked: {line}"));
        };
        if job.go.is_open_ended() && job.stopped.is_none() {
            job.early = Some(line.to_owned());
            return WorkerReply::Nothing;
        }
        match self.job.take() {
            Some(job) => WorkerReply::Answer(job, line.to_owned()),
            None => WorkerReply::Nothing,
        }
    }

    /// It has done what it is for.
    pub(super) fn praise(&mut self) {
        self.failures = 0;
    }

    /// When it must be looked at.
    pub(super) fn due(&self) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Down(at) | Phase::Greeting(at) | Phase::Preparing(Some(at)) => Some(at),
            Phase::Measuring(asked, _) => Some(asked + MEASURING),
            Phase::Preparing(None) | Phase::Known | Phase::Ready => None,
        };
        let stopped = self.job.as_ref().and_then(|job| job.stopped);
        [phase, stopped, self.readying_until(), self.sign_due()].into_iter().flatten().min()
    }

    /// When one that gets ready is given up, if it says nothing before.
    fn readying_until(&self) -> Option<Instant> {
        let patience = if self.takes_clocks() { READYING } else { READYING_IN_SILENCE };
        matches!(self.phase, Phase::Preparing(_)).then(|| self.last_heard + patience)
    }

    fn sign_due(&self) -> Option<Instant> {
        let job = self.job.as_ref().filter(|_| self.takes_clocks())?;
        let Some(pinged) = self.pinged else { return Some(self.last_heard + SILENCE) };
        let [least, most] = SIGN_OF_LIFE;
        let budget = job.go.budget(job.game.position.side_to_move());
        let budget = budget.filter(|_| job.go.limits.clock.is_some() && !job.go.limits.ponder);
        let patience = budget.map_or(most, |budget| (budget / 8).clamp(least, most));
        Some(pinged + patience + 4 * self.latency)
    }

    /// Does what is due, and tells what it has failed to do.
    pub(super) fn check(
        &mut self,
        options: &Options,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> Result<(), String> {
        match self.phase {
            Phase::Down(at) if at <= now => {
                self.declared.clear();
                // It may have been slow for a reason that is gone.
                self.latency = Duration::ZERO;
                self.phase = Phase::Greeting(now + GREETING);
                out.push(Action::Start(self.id));
                self.tell("usi", out);
            }
            Phase::Greeting(until) if until <= now => return Err("no usiok in time".into()),
            Phase::Preparing(Some(until)) if until <= now => self.phase = Phase::Preparing(None),
            Phase::Measuring(asked, _) if asked + MEASURING <= now => {
                self.phase = Phase::Known;
                self.settle(options, now, out);
            }
            _ => {}
        }
        if self.readying_until().is_some_and(|until| until <= now) {
            let silence = now.saturating_duration_since(self.last_heard).as_secs();
            return Err(format!("no readyok, and nothing else for {silence} s"));
        }
        if self.job.as_ref().and_then(|job| job.stopped).is_some_and(|until| until <= now) {
            return Err("no answer after stop".into());
        }
        if self.sign_due().is_some_and(|due| due <= now) {
            if self.pinged.is_some() {
                return Err("no sign of life".into());
            }
            self.pinged = Some(now);
            self.tell("usi", out);
        }
        Ok(())
    }

    /// It is given up, and will be started again: at once, later if that happens again and again.
    pub(super) fn fail(&mut self, now: Instant, out: &mut Vec<Action>) {
        out.push(Action::Kill(self.id));
        let seconds = 1u64.checked_shl(self.failures).map_or(0, |doubled| doubled / 2);
        let rest = if self.failures > 6 { LONGEST_REST } else { Duration::from_secs(seconds) };
        self.failures += 1;
        self.phase = Phase::Down(now + rest.min(LONGEST_REST));
        (self.job, self.next, self.pinged) = (None, None, None);
        self.waiting.clear();
    }

    /// Whether it is ready or about to be: one that was started again is not, until it is told.
    pub(super) fn has_been_told(&self) -> bool {
        self.wants_ready || matches!(self.phase, Phase::Preparing(_) | Phase::Ready)
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, Table};

    /// It was ended after a minute, and began anew, again and again.
    #[test]
    fn a_worker_that_takes_long_to_get_ready_joins_the_others_when_it_can() {
        let mut table = Table::new(&[true, true]);
        (0..2).for_each(|id| table.greet(id, 0));
        table.outside("isready");
        table.worker(0, "readyok");
        let goes_on = |table: &mut Table, seconds: u64| {
            for _ in 0..seconds {
                table.after(1000);
                table.worker(1, "");
            }
            table.said()
        };
        assert!(!goes_on(&mut table, 59).contains(&"readyok".into()));
        assert!(goes_on(&mut table, 2).contains(&"readyok".into()));
        assert_eq!(table.complained, ["1 of 2 workers are not ready"]);
        goes_on(&mut table, 1000);
        assert!(table.killed.is_empty());
        _ = table.told(1);
        table.worker(1, "readyok");
        table.outside("position startpos moves 7g7f 3c3d");
        table.outside(&format!("go ponder {CLOCK}"));
        assert!(table.told(1).ends_with("go movetime 100"), "it ranks");
    }

    #[test]
    fn a_worker_that_gets_ready_is_given_up_when_it_says_nothing_for_too_long() {
        for (name, seconds) in [("Kawasemi test", 60), ("Another", 600)] {
            let mut table = Table::playing_with(1, name);
            table.outside("isready");
            table.after(1000 * seconds - 1);
            assert!(table.killed.is_empty(), "{name}");
            table.after(1);
            assert_eq!(table.killed, [0], "{name}");
            let told = format!(
                "worker 1 ({name}): no readyok, and nothing else for {seconds} s; it is started again"
            );
            assert_eq!(table.complained, [told]);
        }
    }
}
