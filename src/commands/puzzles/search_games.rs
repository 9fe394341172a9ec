//! Searches games for puzzles, several at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use kawasemi::analysis::AnalysisError;
use kawasemi::puzzles::{FinderError, FinderSettings, Puzzle, PuzzleFinder, distinct};
use kawasemi::search::STACK_BYTES;
use kawasemi::sys::{in_processor_group, refused_thread};
use kawasemi::types::message::{Message, message};

use super::searched_game::{FoundPuzzle, SearchedGame};
use crate::commands::notice::{in_system_language, notify};
use crate::commands::progress_bar::ProgressBar;
use crate::commands::source_game::SourceGame;

/// The steps of the progress for each position: one for each pass of the scan, and one for the examination.
const STEPS: usize = 3;

/// The result of a search. It has puzzles even if it was stopped or failed.
pub struct SearchedGames<'a> {
    /// The easy ones first, otherwise in the order of the games.
    pub puzzles: Vec<FoundPuzzle<'a>>,
    pub is_stopped: bool,
    pub failure: Option<String>,
}

/// The state that the threads share.
struct SharedSearch<'a> {
    games: &'a [SearchedGame],
    settings: &'a FinderSettings,
    stop: &'a Arc<AtomicBool>,
    next: AtomicUsize,
    /// By the index of the game.
    found: Mutex<Vec<(usize, Puzzle)>>,
    /// [`STEPS`] for each position.
    progress: Mutex<ProgressBar>,
    failure: Mutex<Option<String>>,
}

/// Searches all games.
pub fn search<'a>(
    games: &'a [SearchedGame],
    settings: &FinderSettings,
    threads: usize,
    stop: &Arc<AtomicBool>,
) -> SearchedGames<'a> {
    let positions = games.iter().map(|game| positions(&game.source)).sum::<usize>();
    let count = games.len();
    notify(&message!("games: {count}, positions: {positions}", "{count}局、{positions}局面"));
    let shared = SharedSearch {
        games,
        settings,
        stop,
        next: AtomicUsize::new(0),
        found: Mutex::default(),
        progress: Mutex::new(ProgressBar::new(STEPS * positions)),
        failure: Mutex::default(),
    };
    thread::scope(|scope| {
        let shared = &shared;
        let mut started = Vec::new();
        for index in 0..threads.max(1) {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            match thread.spawn_scoped(scope, in_processor_group(index, move || shared.work())) {
                Ok(thread) => started.push(thread),
                Err(error) => shared.fail(&FinderError::Thread(refused_thread(error)).message()),
            }
        }
        for thread in started {
            // Results of the other threads are kept.
            if thread.join().is_err() {
                shared.fail(&message!("a search failed", "探索に失敗しました"));
            }
        }
    });
    lock(&shared.progress).clear();
    let mut found = std::mem::take(&mut *lock(&shared.found));
    found.sort_by_key(|(game, puzzle)| (*game, puzzle.ply));
    let mut found = distinct(found);
    found.sort_by_key(|(_, puzzle)| puzzle.difficulty.grade);
    let with_source =
        |(game, puzzle): (usize, Puzzle)| FoundPuzzle { source: &games[game].source, puzzle };
    let failure = lock(&shared.failure).take();
    SearchedGames {
        puzzles: found.into_iter().map(with_source).collect(),
        is_stopped: failure.is_none() && stop.load(Ordering::Relaxed),
        failure,
    }
}

impl SharedSearch<'_> {
    fn work(&self) {
        let mut finder = match PuzzleFinder::new(self.settings.clone(), self.stop.clone()) {
            Ok(finder) => finder,
            Err(error) => return self.fail(&error.message()),
        };
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = self.games.get(index) else { return };
            let mut found = Vec::new();
            let searched = self.search(&mut finder, game, &mut found);
            lock(&self.found).extend(found.into_iter().map(|puzzle| (index, puzzle)));
            match searched {
                Ok(()) => {}
                Err(FinderError::Analysis(AnalysisError::Stopped)) => return,
                Err(error) => return self.fail(&error.message()),
            }
        }
    }

    fn search(
        &self,
        finder: &mut PuzzleFinder,
        SearchedGame { source, sides }: &SearchedGame,
        found: &mut Vec<Puzzle>,
    ) -> Result<(), FinderError> {
        if sides.is_empty() {
            self.advance(STEPS * positions(source), source);
            return Ok(());
        }
        let scan = finder.scan(&source.game, sides, &mut || {
            self.advance(1, source);
        })?;
        // The examination counts a step for each position, whatever the number of suspects.
        let (all, suspects) = (positions(source), scan.suspects());
        let mut examined = 0;
        finder.examine(&scan, found, &mut || {
            examined += 1;
            self.advance(all * examined / suspects - all * (examined - 1) / suspects, source);
        })?;
        if suspects == 0 {
            self.advance(all, source);
        }
        Ok(())
    }

    fn advance(&self, steps: usize, source: &SourceGame) {
        let mut progress = lock(&self.progress);
        (0..steps).for_each(|_| progress.advance(true));
        progress.show(&in_system_language(&source.name()));
    }

    /// The first failure ends the search.
    fn fail(&self, error: &Message) {
        lock(&self.failure).get_or_insert_with(|| in_system_language(error));
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn positions(source: &SourceGame) -> usize {
    source.game.main_moves().count() + 1
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kawasemi::engine::Settings;
    use kawasemi::nnue::Network;
    use kawasemi::record::{ErrorPolicy, read_bytes};

    use super::*;

    /// Regression: the bar went on to 15 of 10.
    #[test]
    fn a_search_has_as_many_steps_of_progress_as_were_announced() {
        let missed = include_bytes!("../../../tests/web/missed.usi");
        let (_, read) = read_bytes(missed, None, ErrorPolicy::Refuse).unwrap();
        let source = |(index, game)| SourceGame { file: "a".into(), number: Some(index), game };
        let sources = read.games.into_iter().enumerate().map(source);
        let games: Vec<SearchedGame> =
            sources.map(|source| SearchedGame::new(source, None)).collect();
        let total = STEPS * games.iter().map(|game| positions(&game.source)).sum::<usize>();
        let settings = FinderSettings {
            nodes: 100,
            hash_mib: 1,
            options: Settings::default().search_options(),
            network: Network::built_in(),
        };
        let stop = Arc::default();
        let shared = SharedSearch {
            games: &games,
            settings: &settings,
            stop: &stop,
            next: AtomicUsize::new(0),
            found: Mutex::default(),
            progress: Mutex::new(ProgressBar::new(total)),
            failure: Mutex::default(),
        };
        thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, || shared.work()).unwrap();
        });
        assert!(!lock(&shared.found).is_empty());
        let line = lock(&shared.progress).line(Duration::ZERO, "");
        assert!(line.contains(&format!(" {total}/{total}")), "{line}");
    }
}
