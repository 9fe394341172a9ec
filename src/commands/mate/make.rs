//! Composes mate problems, sorted by their aesthetic score.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kawasemi::engine::Settings;
use kawasemi::record::HeaderKey;
use kawasemi::sys::in_processor_group;
use kawasemi::tsume::{ComposedProblem, ProblemComposer};
use kawasemi::types::message::message;

use super::MateArgs;
use super::written_problem::{ProblemInfo, WrittenProblem};
use crate::commands::failure::{Failure, check_printed};
use crate::commands::interrupt::on_interrupt;
use crate::commands::notice::{in_system_language, notify};
use crate::commands::progress_bar::ProgressBar;
use crate::commands::spelling;

const DEFAULT_COUNT: u64 = 10;
const DEFAULT_SEED: u64 = 1;
/// Maximum number of problems composed for each one asked for, because there may be fewer different ones.
const MAX_COMPOSED: u64 = 10;

/// Parses the length of the problems to make.
pub fn plies(text: &str) -> Result<u16, String> {
    let plies = text.parse().ok().filter(|&plies: &u16| plies % 2 == 1 && plies <= 15);
    plies.ok_or_else(|| {
        let error = message!(
            "this must be an odd number from 1 to 15",
            "1から15までの奇数を指定してください"
        );
        in_system_language(&error)
    })
}

pub fn run(arguments: &MateArgs, plies: u16, settings: &Settings) -> Result<(), Failure> {
    let output = arguments.output()?;
    let deadline =
        arguments.time.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)));
    let count = arguments.count.unwrap_or(DEFAULT_COUNT);
    let interrupted = on_interrupt()?;
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let stop = || interrupted.load(Ordering::Relaxed) || is_late();
    let threads = arguments.threads.unwrap_or(settings.threads);
    let composers = (0..threads).map(|_| ProblemComposer::new(plies));
    let mut composers = composers.collect::<Result<Vec<_>, _>>()?;
    let seed = arguments.seed.unwrap_or(DEFAULT_SEED);
    let mut made = make_all(&mut composers, seed, count, &stop);
    made.sort_by_key(|problem| std::cmp::Reverse(problem.aesthetic_score));
    let is_complete = made.len() as u64 >= count;
    if !is_complete {
        let made = made.len();
        notify(&message!("{made} of {count} problems made", "{count}問中{made}問できました"));
    }
    // First the file, because a failure to print must not lose it.
    if let Some(output) = output {
        let mut info = ProblemInfo::default();
        info.headers.add(HeaderKey::Title, format!("{plies}手詰"));
        let written = made.iter().map(|problem| WrittenProblem {
            position: &problem.position,
            report: &problem.report,
            recorded: &[],
            info: &info,
        });
        output.save(&written.collect::<Vec<_>>(), arguments.lang)?;
    }
    let row = |problem: &ComposedProblem| {
        let line = spelling::line_text(&problem.position, &problem.line, arguments.lang);
        let sfen = problem.position.to_sfen();
        format!("{sfen}\t{plies}\tscore {}\t{line}\n", problem.aesthetic_score)
    };
    let mut out = io::stdout().lock();
    let printed = made.iter().try_for_each(|problem| write!(out, "{}", row(problem)));
    check_printed(printed.and_then(|()| out.flush()))?;
    // The time that the user allows may end it too.
    if !is_complete && interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// The state that the threads share.
struct SharedComposition<'a> {
    seed: u64,
    /// The numbers of the problems to compose.
    numbers: Range<u64>,
    /// The next of these numbers.
    next: AtomicU64,
    /// Number of problems that were composed before.
    made_before: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl SharedComposition<'_> {
    /// Composes problems on one thread until all are composed; returns them with their numbers.
    fn compose(
        &self,
        composer: &mut ProblemComposer,
        mut progress: Option<&mut ProgressBar>,
    ) -> Vec<(u64, ComposedProblem)> {
        let mut made = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.numbers.end {
                return made;
            }
            if let Some(bar) = &mut progress {
                bar.reach(self.made_before + (number - self.numbers.start) as usize);
                bar.show("");
            }
            let Some(problem) = composer.compose(self.seed, number, self.stop) else { return made };
            made.push((number, problem));
        }
    }

    /// Composes all problems on several threads; returns them in the order of their numbers.
    fn compose_all(
        &self,
        composers: &mut [ProblemComposer],
        bar: &mut ProgressBar,
    ) -> Vec<ComposedProblem> {
        let mut made = thread::scope(|scope| {
            let mut composers = composers.iter_mut().enumerate();
            let first = composers.next();
            // If the system refuses a thread, the work only takes longer.
            let start = |(index, composer)| {
                let compose = in_processor_group(index, move || self.compose(composer, None));
                thread::Builder::new().spawn_scoped(scope, compose).ok()
            };
            let helpers: Vec<_> = composers.filter_map(start).collect();
            let mut made =
                first.map_or_else(Vec::new, |(_, composer)| self.compose(composer, Some(bar)));
            for helper in helpers {
                made.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            made
        });
        made.sort_by_key(|&(number, _)| number);
        made.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// Composes `count` different problems, numbered from 0. A problem equal to an earlier one is replaced by
/// one with a later number, until [`MAX_COMPOSED`] times as many have been composed.
fn make_all(
    composers: &mut [ProblemComposer],
    seed: u64,
    count: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<ComposedProblem> {
    let mut bar = ProgressBar::new(usize::try_from(count).unwrap_or(usize::MAX));
    let (mut made, mut seen, mut next) = (Vec::new(), HashSet::new(), 0);
    while (made.len() as u64) < count && next / MAX_COMPOSED < count && !stop() {
        let numbers = next..next + (count - made.len() as u64);
        next = numbers.end;
        let shared = SharedComposition {
            seed,
            next: AtomicU64::new(numbers.start),
            numbers,
            made_before: made.len(),
            stop,
        };
        let composed = shared.compose_all(composers, &mut bar);
        made.extend(composed.into_iter().filter(|problem| seen.insert(problem.key())));
    }
    bar.clear();
    made
}
