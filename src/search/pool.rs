//! The threads that search, parked between searches.
//!
//! Every thread keeps what its workers alone have learned for as long as it lives; what they learn
//! together belongs to the pool. A search is one [`Shared`]
//! handed to all; the first thread is the main worker and gives the answer when all
//! others have come to rest, or have had the time to: a thread that gets no turn on a busy machine
//! delays no answer. A worker that panics costs its own result only.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use crossbeam::sync::WaitGroup;
use parking_lot::{Condvar, Mutex};

use super::answer;
use super::common::Common;
use super::evaluate::Network;
use super::main_duties::{GameMemory, MainDuties};
use super::proofs;
use super::request::{Answer, Clock, Event, Limits, Outcome, Report, Request};
use super::shared::{PonderHit, Shared};
use super::worker::{Kept, Worker};
use crate::position::MoveList;
use crate::sys::{self, MemoryRefused, Pages};
use crate::tt::Table;
use crate::types::Move;

/// What a thread that searches needs for its stack: the search calls itself once a ply, some hundred
/// plies deep.
pub const STACK_BYTES: usize = 16 << 20;
/// What the table has until it is told otherwise.
const FIRST_MEBIBYTES: usize = 1;
/// What must be left for all else where the system limits what a program takes: a thread more is worth
/// less than a program that does not end in the middle of a game.
const SPARE_BYTES: usize = 128 << 20;
/// How long an answer waits for the others to come to rest where time matters. Who has a processor does
/// so within a millisecond or two.
const PATIENCE: Duration = Duration::from_millis(10);
/// Nodes of a limit for which there is a worker each. With fewer they all look at the same, so that
/// together they play worse than one of them with all the nodes (uuunuuun has measured it, 2018), and
/// what each searches before it tells would be most of the search.
const NODES_PER_WORKER: u64 = 4096;

/// What a thread is told to do.
enum Task {
    Search(Job),
    /// Get the memory for what this thread alone will learn, and say whether it was granted.
    Prepare(Sender<Result<(), MemoryRefused>>),
    /// Forget everything that this thread alone has learned; the waiter sees when it is done.
    Forget(WaitGroup),
    /// Nothing; the waiter sees when all before it is done.
    Rest(WaitGroup),
    Quit,
}

struct Job {
    shared: Arc<Shared>,
    role: Role,
}

enum Role {
    Helper(Unrest),
    Main {
        duties: Box<MainDuties>,
        /// Disconnects when the others have come to rest.
        helpers: Receiver<Infallible>,
    },
    /// Looks for mates; the main worker sends the moves that it likes best.
    Solver {
        favourites: Receiver<Move>,
        searching: Unrest,
    },
}

/// Dropped by who comes to rest.
type Unrest = Sender<Infallible>;

#[derive(Default)]
struct Mailbox {
    tasks: Mutex<VecDeque<Task>>,
    arrived: Condvar,
}

impl Mailbox {
    fn post(&self, task: Task) {
        self.tasks.lock().push_back(task);
        self.arrived.notify_one();
    }

    fn wait(&self) -> Task {
        let mut tasks = self.tasks.lock();
        loop {
            if let Some(task) = tasks.pop_front() {
                return task;
            }
            self.arrived.wait(&mut tasks);
        }
    }
}

struct Thread {
    mailbox: Arc<Mailbox>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn start(
        name: &str,
        id: usize,
        events: Sender<Event>,
        memory: Arc<Mutex<GameMemory>>,
    ) -> io::Result<Thread> {
        let mailbox = Arc::new(Mailbox::default());
        let own = mailbox.clone();
        let handle = std::thread::Builder::new()
            .name(name.into())
            .stack_size(STACK_BYTES)
            .spawn(move || Member { id, kept: None, events, memory }.run(&own))?;
        Ok(Thread { mailbox, handle: Some(handle) })
    }

    /// Gets the memory for what will be learned, if it has not.
    fn prepare(&self) -> Result<(), MemoryRefused> {
        let (granted, answer) = bounded(1);
        self.mailbox.post(Task::Prepare(granted));
        // A thread that has panicked before it could answer is found out by the next search.
        answer.recv().unwrap_or(Ok(()))
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.mailbox.post(Task::Quit);
        if let Some(handle) = self.handle.take() {
            // A thread that panicked has nothing left to say.
            let _ = handle.join();
        }
    }
}

/// The pool. Dropping it stops the search and joins all threads.
pub struct Pool {
    threads: Vec<Thread>,
    /// The one for the mate solver. `None` if the system grants no more threads.
    solver: Option<Thread>,
    table: Arc<Table>,
    network: Network,
    common: Common,
    /// How many threads that is prepared for, as a power of two; 0 before the first.
    prepared: usize,
    events: Sender<Event>,
    current: Option<Arc<Shared>>,
    memory: Arc<Mutex<GameMemory>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("threads", &self.threads.len())
            .field("hash_mib", &self.table.mebibytes())
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of one thread with a small table. `events` receives what the searches tell.
    ///
    /// # Errors
    /// The system grants no thread, or no memory.
    pub fn new(events: Sender<Event>) -> io::Result<Pool> {
        let memory = Arc::new(Mutex::new(GameMemory::default()));
        let (table, _) = Table::with_fallback(FIRST_MEBIBYTES);
        let common = Common::new(1, || None).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Pool {
            threads: vec![Thread::start("search-0", 0, events.clone(), memory.clone())?],
            solver: Thread::start("root-mates", 0, events.clone(), memory.clone()).ok(),
            table: Arc::new(table),
            network: Network::built_in(),
            common,
            prepared: 0,
            events,
            current: None,
            memory,
        })
    }

    /// Sets the number of threads. Only while idle.
    ///
    /// # Errors
    /// The system grants fewer, or no memory for them; those it grants stay, but for one.
    pub fn resize_threads(&mut self, threads: usize) -> Result<(), String> {
        self.resize_within(threads, sys::available_memory)
    }

    /// The same by what is said of the memory that is left.
    pub(super) fn resize_within(
        &mut self,
        threads: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<(), String> {
        let wanted = threads.max(1);
        self.threads.truncate(wanted);
        // Before the threads: what is left for them is looked at with this in use.
        self.prepare_common(wanted, &mut left);
        let added = self.add_threads(wanted, &mut left);
        if added.is_err() {
            self.threads.truncate((self.threads.len() - 1).max(1));
        }
        let granted = self.threads.len();
        self.prepare_common(granted, left);
        added.map_err(|refused| format!("only {granted} of {wanted} threads: {refused}"))
    }

    /// Lets the threads learn into tables as large as is right for so many, if there is memory for them.
    fn prepare_common(&mut self, threads: usize, left: impl FnMut() -> Option<u64>) {
        let size = threads.next_power_of_two();
        if self.prepared == size {
            return;
        }
        // Who still searches holds the old ones.
        self.current = None;
        self.await_rest();
        if let Ok(common) = Common::new(size, left) {
            self.common = common;
        }
        self.common.clear();
        self.prepared = size;
    }

    /// Each thread gets its memory before the next is started: now, not when the clock runs. Many
    /// systems grant more than there is, and end the program when it is used: so what is left is
    /// looked at before.
    fn add_threads(
        &mut self,
        wanted: usize,
        mut left: impl FnMut() -> Option<u64>,
    ) -> Result<(), String> {
        self.threads[0].prepare().map_err(|error| error.to_string())?;
        let needed = left().unwrap_or(0) / sys::RESERVE_SHARE + Kept::BYTES as u64;
        while self.threads.len() < wanted {
            if left().is_some_and(|left| left < needed) {
                return Err(MemoryRefused { bytes: Kept::BYTES }.to_string());
            }
            let id = self.threads.len();
            let name = format!("search-{id}");
            let thread = Thread::start(&name, id, self.events.clone(), self.memory.clone());
            let thread = thread.map_err(|error| error.to_string())?;
            thread.prepare().map_err(|error| error.to_string())?;
            // Nothing of it is used.
            Pages::<u8>::zeroed(SPARE_BYTES).map_err(|error| error.to_string())?;
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Sets the size of the transposition table, which forgets its content. Only while idle.
    /// Returns what the user should know when the memory was refused and less was taken.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Option<String> {
        self.current = None;
        // Who still searches holds the old table.
        self.await_rest();
        if self.table.mebibytes() == mebibytes {
            self.table.clear(self.threads.len());
            return None;
        }
        // The old table goes first: both at once may be more than there is.
        let (smallest, _) = Table::with_fallback(FIRST_MEBIBYTES);
        self.table = Arc::new(smallest);
        let (table, message) = Table::with_fallback(mebibytes);
        self.table = Arc::new(table);
        self.table.clear(self.threads.len());
        message
    }

    /// Sets what evaluates positions, at first the built-in network. Everything learned is
    /// forgotten, since it was learned with another evaluation. Only while idle.
    pub fn set_network(&mut self, network: Network) {
        // It holds the old network.
        self.current = None;
        self.network = network;
        self.clear();
    }

    /// Forgets everything learned. Only while idle.
    pub fn clear(&mut self) {
        self.await_rest();
        self.table.clear(self.threads.len());
        self.common.clear();
        *self.memory.lock() = GameMemory::default();
        let done = WaitGroup::new();
        for thread in &self.threads {
            thread.mailbox.post(Task::Forget(done.clone()));
        }
        done.wait();
    }

    /// Waits until nobody works for the last search any more. The next one need not: it shares
    /// nothing with it but tables that any number of threads may write to.
    fn await_rest(&self) {
        let done = WaitGroup::new();
        for thread in self.threads.iter().chain(&self.solver) {
            thread.mailbox.post(Task::Rest(done.clone()));
        }
        done.wait();
    }

    /// Begins a search and returns at once. Only while idle. Exactly one `Report::Done` of this
    /// generation follows, as its last event; but who was not waited for may still tell of a failure.
    pub fn go(&mut self, generation: u64, request: Request) {
        // Only for who never set the number of threads.
        self.prepare_common(self.threads.len(), sys::available_memory);
        self.table.new_search();
        self.memory.lock().begin(&request.position);
        let mut root_moves = root_moves(&request);
        if let Some(known) = self.table.probe(request.position.key()).hit {
            put_first(&mut root_moves, known.mv);
        }
        // A weak level must not see more for having more threads.
        let alone = request.options.strength.is_some() || root_moves.is_empty();
        let useful = useful_workers(self.threads.len(), request.limits.nodes);
        let workers = if alone { 1 } else { useful };
        let (table, network) = (self.table.clone(), self.network.clone());
        let common = self.common.clone();
        let shared = Shared::new(generation, request, root_moves, table, network, common, workers);
        let shared = Arc::new(shared);
        self.current = Some(shared.clone());
        let (unrest, helpers) = bounded(0);
        for thread in &self.threads[1..workers] {
            let role = Role::Helper(unrest.clone());
            thread.mailbox.post(Task::Search(Job { shared: shared.clone(), role }));
        }
        let mut duties = MainDuties::new(Some(self.events.clone()), &shared, *self.memory.lock());
        if let Some(solver) = self.solver.as_ref().filter(|_| proofs::are_wanted(&shared.request)) {
            let (sender, favourites) = unbounded();
            duties.share_favourites(sender);
            let role = Role::Solver { favourites, searching: unrest.clone() };
            solver.mailbox.post(Task::Search(Job { shared: shared.clone(), role }));
        }
        drop(unrest);
        let role = Role::Main { duties: Box::new(duties), helpers };
        self.threads[0].mailbox.post(Task::Search(Job { shared, role }));
    }

    /// Ends the running search, if need be after its first iteration. Has no effect on later ones.
    pub fn stop(&self) {
        if let Some(shared) = &self.current {
            shared.want_stop();
        }
    }

    /// The move that the running search ponders on was played: its clock runs from `received`.
    pub fn ponder_hit(&self, clock: Option<Clock>, received: Instant) {
        if let Some(shared) = &self.current {
            shared.ponder_hit(PonderHit { clock, received });
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
    }
}

/// How many of the threads are of use where so many nodes are to be searched; `None` for no limit.
pub(super) fn useful_workers(threads: usize, nodes: Option<u64>) -> usize {
    let most = nodes.map_or(u64::MAX, |nodes| (nodes / NODES_PER_WORKER).max(1));
    most.min(threads as u64) as usize
}

/// The legal moves that the request allows, each once; all of them if it allows none that is legal.
pub(super) fn root_moves(request: &Request) -> Vec<Move> {
    let position = &request.position;
    let mut list = MoveList::default();
    position.generate_all(request.options.promotions(), &mut list);
    let mut wanted = Vec::new();
    for &mv in &request.limits.search_moves {
        if position.is_legal(mv) && !wanted.contains(&mv) {
            wanted.push(mv);
        }
    }
    if wanted.is_empty() { list.moves().collect() } else { wanted }
}

/// Begins with this move if it is among them: stopped at once, a search plays its first move, and
/// the others keep their order.
fn put_first(moves: &mut [Move], first: Move) {
    if let Some(index) = moves.iter().position(|&mv| mv == first) {
        moves[..=index].rotate_right(1);
    }
}

/// Waits for those who search beside the main worker, which have been told to end. What each of them
/// has found lies in the shared results, so the answer can do without one that gets no turn. Without a
/// clock nobody is in a hurry to know less.
fn await_helpers(helpers: &Receiver<Infallible>, limits: &Limits) {
    let is_counted = limits.nodes.is_some() || limits.depth.is_some();
    let is_timed =
        limits.clock.is_some() || limits.move_time.is_some() || limits.random_time.is_some();
    // Either says no more than that the wait is over: nothing is ever sent.
    if is_counted && !is_timed {
        let _ = helpers.recv();
    } else {
        let _ = helpers.recv_timeout(PATIENCE);
    }
}

/// What a thread of the pool has with it as long as it lives.
struct Member {
    /// The number of its worker.
    id: usize,
    /// What its workers alone have learned. `None` until there is memory for it, and after a panic.
    kept: Option<Kept>,
    events: Sender<Event>,
    memory: Arc<Mutex<GameMemory>>,
}

impl Member {
    /// The life of a thread.
    fn run(mut self, mailbox: &Mailbox) {
        let mut idle = proofs::Idle::new();
        loop {
            match mailbox.wait() {
                Task::Quit => return,
                Task::Prepare(granted) => {
                    let own = self.kept.take().map_or_else(Kept::new, Ok);
                    let _ = granted.send(own.map(|own| self.kept = Some(own)));
                }
                Task::Forget(_done) => {
                    if let Some(kept) = &mut self.kept {
                        kept.forget();
                        kept.forget_network();
                    }
                }
                Task::Rest(_done) => {}
                Task::Search(Job { shared, role: Role::Helper(_running) }) => {
                    self.work(&shared, None);
                }
                Task::Search(Job {
                    shared,
                    role: Role::Solver { favourites, searching: _running },
                }) => {
                    let seek = || proofs::seek(&shared, &favourites, &mut idle);
                    if catch_unwind(AssertUnwindSafe(seek)).is_err() {
                        self.complain(&shared, "error: the mate solver failed".into());
                    }
                }
                Task::Search(Job { shared, role: Role::Main { duties, helpers } }) => {
                    self.lead(&shared, *duties, &helpers);
                }
            }
        }
    }

    /// Searches. A panic is reported and costs what the thread had learned.
    fn work(&mut self, shared: &Arc<Shared>, duties: Option<MainDuties>) {
        let id = self.id;
        let own = match self.kept.take().map_or_else(Kept::new, Ok) {
            Ok(own) => own,
            Err(error) => {
                let words = format!("error: search worker {id} has no memory: {error}");
                return self.complain(shared, words);
            }
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = Worker::new(id, shared.clone(), own, duties);
            worker.deepen();
            worker.into_kept()
        }));
        match searched {
            Ok(own) => self.kept = Some(own),
            Err(_) => {
                let words = format!("error: search worker {id} failed; its result is lost");
                self.complain(shared, words);
            }
        }
    }

    /// The main worker's part: search, stop the helpers, answer.
    fn lead(&mut self, shared: &Arc<Shared>, duties: MainDuties, helpers: &Receiver<Infallible>) {
        let found = catch_unwind(AssertUnwindSafe(|| {
            let known = answer::without_search(shared);
            if known.is_none() {
                self.work(shared, Some(duties));
            } else {
                // The solver waits for what they hear of.
                drop(duties);
            }
            shared.stop();
            await_helpers(helpers, &shared.request.limits);
            shared.seal_proofs();
            known.unwrap_or_else(|| answer::after_search(shared, &self.memory))
        }));
        shared.stop();
        // Even if all else failed, a legal move is an answer.
        let (answer, lines) = found.unwrap_or_else(|_| {
            let answer = match shared.root_moves.first() {
                Some(&best) => Answer::Move { best, ponder: None },
                None => Answer::Resign,
            };
            (answer, Vec::new())
        });
        let (nodes, elapsed) = (shared.nodes(), shared.request.received.elapsed());
        self.tell(shared, Report::Done(Outcome { answer, lines, nodes, elapsed }));
    }

    fn complain(&self, shared: &Shared, words: String) {
        self.tell(shared, Report::Message(words));
    }

    fn tell(&self, shared: &Shared, report: Report) {
        // Nobody listening any more means that the session is over.
        let _ = self.events.send(Event { generation: shared.generation, report });
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::Options;
    use super::super::tests::{START, request};
    use super::*;

    /// The generation of the search that ends next.
    fn ended(events: &Receiver<Event>) -> u64 {
        loop {
            let event = events.recv_timeout(Duration::from_secs(60)).unwrap();
            if matches!(event.report, Report::Done(_)) {
                return event.generation;
            }
        }
    }

    /// On a busy machine each answer waited until the system had let every helper run once more.
    #[test]
    fn a_helper_that_gets_no_turn_delays_neither_the_answer_nor_the_next_search() {
        let (sender, events) = unbounded();
        let mut pool = Pool::new(sender).unwrap();
        pool.resize_threads(2).unwrap();
        // Until somebody hears that it has its memory it comes to nothing else.
        let (granted, heard) = bounded(0);
        pool.threads[1].mailbox.post(Task::Prepare(granted));
        for generation in [1, 2] {
            let move_time = Some(Duration::from_millis(5));
            let limits = Limits { move_time, ..Limits::default() };
            pool.go(generation, request(START, limits, Options::of_tests()));
            assert_eq!(ended(&events), generation);
        }
        assert!(heard.recv().unwrap().is_ok());
        // Now it begins the searches that are over.
        pool.clear();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        pool.go(3, request(START, limits, Options::of_tests()));
        assert_eq!(ended(&events), 3);
    }

    #[test]
    fn every_helper_is_waited_for_where_no_clock_runs() {
        let counted = Limits { depth: Some(9), ..Limits::default() };
        let (unrest, helpers) = bounded(0);
        let second = Some(Duration::from_secs(1));
        for timed in [
            Limits { clock: Some(Clock::default()), ..counted.clone() },
            Limits { move_time: second, ..counted.clone() },
            Limits { random_time: second, ..counted.clone() },
        ] {
            await_helpers(&helpers, &timed);
        }
        let waiting = std::thread::spawn(move || await_helpers(&helpers, &counted));
        std::thread::sleep(5 * PATIENCE);
        assert!(!waiting.is_finished());
        drop(unrest);
        waiting.join().unwrap();
    }
}
