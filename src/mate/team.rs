//! The threads of a solver at one search: the caller's, which watches the clock, and helpers that
//! search the same position in the same memory, each with its own small noise. Whoever settles the
//! position first ends the search for all.

use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use super::Memory;
use super::budget::{Ledger, Meter};
use super::dfpn::{Outcome, Search, SearchStatus};
use super::value::Value;
use crate::position::Position;
use crate::types::Color;

/// Most searches are over before helpers could be of use.
const HEAD_START: Duration = Duration::from_millis(5);

pub(super) struct Team<'a> {
    pub(super) memory: &'a RwLock<Memory>,
    pub(super) ledger: &'a Ledger,
    /// All threads, the caller's counted.
    pub(super) threads: usize,
}

/// What is to be settled.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    pub(super) attacker: Color,
    /// Plies within which the mate is to be.
    pub(super) horizon: u16,
}

impl Question<'_> {
    /// A search that settles it, for the thread of this number: see [`Search::new`].
    fn search(self, number: u64) -> Search {
        Search::new(self.position, self.attacker, self.horizon, number)
    }
}

impl Team<'_> {
    /// The value of a position, or `None` when the budget is spent.
    pub(super) fn settle(
        &self,
        question: Question<'_>,
        meter: &mut Meter<'_>,
        report: &mut dyn FnMut(SearchStatus, &Meter<'_>),
    ) -> Option<Value> {
        self.ledger.set_done(false);
        let found = Mutex::new(None);
        let mut search = question.search(0);
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for number in 1..self.threads as u64 {
                let found = &found;
                let help = move || self.help(question, number, found);
                // A thread that the system refuses is no reason to fail.
                helpers.extend(thread::Builder::new().spawn_scoped(scope, help).ok());
            }
            let value = self.lead(&mut search, meter, report);
            self.finish(value, &found);
            helpers.iter().for_each(|helper| helper.thread().unpark());
        });
        self.ledger.set_done(false);
        let found = found.into_inner();
        // Only now: a helper may have settled it, and those at work count more than they search.
        report(search.progress(found), meter);
        found
    }

    /// The same by the caller's thread alone, without reports.
    pub(super) fn settle_alone(
        &self,
        question: Question<'_>,
        meter: &mut Meter<'_>,
    ) -> Option<Value> {
        self.lead(&mut question.search(0), meter, &mut |_, _| {})
    }

    /// Searches until the position is settled, or the budget spent.
    fn lead(
        &self,
        search: &mut Search,
        meter: &mut Meter<'_>,
        report: &mut dyn FnMut(SearchStatus, &Meter<'_>),
    ) -> Option<Value> {
        loop {
            let outcome = search.run(&self.memory.read(), meter);
            match outcome {
                Outcome::Settled(value) => return Some(value),
                Outcome::Spent => return None,
                Outcome::Report => report(search.progress(None), meter),
                Outcome::Crowded => {
                    let mut memory = self.memory.write();
                    memory.table.maintain(self.threads, &|| meter.is_over());
                    search.find_slots(&memory);
                }
            }
        }
    }

    fn help(&self, question: Question<'_>, number: u64, found: &Mutex<Option<Value>>) {
        thread::park_timeout(HEAD_START);
        let mut meter = Meter::helping(self.ledger);
        let mut search = question.search(number);
        let mut age = self.memory.read().table.age();
        loop {
            let memory = self.memory.read();
            if memory.table.age() != age {
                age = memory.table.age();
                search.find_slots(&memory);
            }
            let outcome = search.run(&memory, &mut meter);
            drop(memory);
            match outcome {
                Outcome::Settled(value) => return self.finish(Some(value), found),
                Outcome::Spent => return,
                // The leader does what is to be done, and lets nobody read meanwhile.
                Outcome::Crowded => thread::yield_now(),
                Outcome::Report => {}
            }
        }
    }

    fn finish(&self, value: Option<Value>, found: &Mutex<Option<Value>>) {
        self.ledger.set_done(true);
        let mut found = found.lock();
        *found = found.or(value);
    }
}
