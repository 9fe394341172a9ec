//! The command `puzzles` of the program: makes puzzles from the moves that players missed in games.

mod list;
mod outputs;
mod practice_problem;
mod puzzle_record;
mod search_games;
mod searched_game;
mod shogihome;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kawasemi::engine::{self, Settings};
use kawasemi::puzzles::FinderSettings;
use kawasemi::record::ErrorPolicy;
use kawasemi::types::language::Language;
use kawasemi::types::message::{Message, message};

use crate::commands::failure::{Failure, check_printed};
use crate::commands::games;
use crate::commands::interrupt::on_interrupt;
use crate::commands::notice::notify;
use crate::commands::source_game::SourceGame;
use crate::commands::{arguments, language};
use outputs::PuzzleOutput;
use searched_game::{FoundPuzzle, SearchedGame};

/// Make puzzles from the moves that players missed in games.
///
/// A puzzle is a position in which the player missed the only move that mates, wins or saves the
/// game. Ctrl-C ends the search with the puzzles found so far.
#[derive(Debug, Args)]
pub struct PuzzlesArgs {
    /// Game records in any notation, `-` for standard input.
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    /// Write the puzzles; may be repeated. The extension selects the format: .html is a practice
    /// page, .json a problem file for ShogiHome, .kif, .sfen and others are records.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Only moves of players with this text in their name, in upper or lower case.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Nodes per position of a game; by default 20000. Candidates are searched again with ten times
    /// more.
    #[arg(long, value_parser = arguments::number::<u64>(100..=i64::MAX))]
    nodes: Option<u64>,
    /// Games searched in parallel; by default one per processor.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Size of the transposition table of each thread in MiB; by default 32.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// A network file, instead of the built-in network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Language of the list and the page: en or ja; by default the system language, for the page
    /// the browser's.
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// End a game before an invalid move and skip a file without games, instead of failing.
    #[arg(long)]
    partial: bool,
}

const DEFAULT_NODES: u64 = 20_000;

impl PuzzlesArgs {
    /// The table of each thread without an option.
    pub const DEFAULT_HASH_MIB: usize = 32;

    pub fn run(&self, settings: &Settings) -> Result<(), Failure> {
        let policy = if self.partial { ErrorPolicy::KeepPartial } else { ErrorPolicy::Refuse };
        let (mut files, mut games) = (Vec::new(), Vec::new());
        for (file, read) in games::read_all(&self.games, policy)? {
            let sources = SourceGame::of_file(&file, read).into_iter();
            games.extend(sources.map(|source| SearchedGame::new(source, self.player.as_deref())));
            files.push(file);
        }
        // Output paths are checked before the long search, not after it.
        let outputs = PuzzleOutput::all(&self.output, &files)?;
        self.check_player(&games)?;
        let settings = self.settings(settings);
        let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
        messages.iter().for_each(notify);
        let finder = FinderSettings {
            nodes: self.nodes.unwrap_or(DEFAULT_NODES),
            hash_mib: self.hash.unwrap_or(settings.hash_mib),
            options: settings.search_options(),
            network,
        };
        let stop = on_interrupt()?;
        let threads = settings.threads.min(games.len());
        let searched = search_games::search(&games, &finder, threads, &stop);
        let puzzles = searched.puzzles;
        if searched.is_stopped {
            notify(&message!(
                "stopped; the puzzles found so far follow",
                "中断しました。ここまでに見つけた問題を書き出します"
            ));
        }
        let count = puzzles.len();
        notify(&message!("puzzles: {count}", "問題：{count}問"));
        self.write(&puzzles, &outputs, finder.nodes)?;
        match searched.failure {
            Some(failure) => Err(failure.into()),
            None if searched.is_stopped => Err(Failure::Interrupted),
            None => Ok(()),
        }
    }

    /// Checks that a game has a player with the name.
    fn check_player(&self, games: &[SearchedGame]) -> Result<(), Message> {
        match &self.player {
            Some(name) if games.iter().all(|game| game.sides.is_empty()) => Err(message!(
                "no player of these games has {name:?} in the name",
                "名前に「{name}」を含む対局者がいません"
            )),
            _ => Ok(()),
        }
    }

    /// The settings of the engine, changed by these arguments.
    fn settings(&self, settings: &Settings) -> Settings {
        Settings {
            threads: self.threads.unwrap_or(settings.threads),
            eval_file: self.eval.clone().or(settings.eval_file.clone()),
            analysis: true,
            // A strength level, a resignation or a short game would spoil the search.
            limit_strength: false,
            resign_value: Settings::NEVER_RESIGN,
            max_moves_to_draw: 0,
            report_bounds: false,
            ..settings.clone()
        }
    }

    fn write(
        &self,
        puzzles: &[FoundPuzzle<'_>],
        outputs: &[PuzzleOutput<'_>],
        nodes: u64,
    ) -> Result<(), Failure> {
        // A failure to write one output must not lose the others.
        let written: Vec<_> =
            outputs.iter().map(|output| output.write(puzzles, self.lang, nodes)).collect();
        let language = self.lang.unwrap_or_else(language::system_language);
        let mut out = io::stdout().lock();
        let shown = write!(out, "{}", list::text(puzzles, language)).and_then(|()| out.flush());
        written.into_iter().collect::<Result<(), _>>()?;
        check_printed(shown)
    }
}
