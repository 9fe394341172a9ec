//! What the commands of `selfplay` that run a job have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use kawasemi::record::format_duration;
use kawasemi::sys::{in_file, on_interrupt};
use kawasemi::tools::dataset::DatasetKind;
use kawasemi::tools::fingerprint;
use kawasemi::tools::game_file::{ExistingGames, GameFileReader, ScoredGame};
use kawasemi::tools::numbers::thread_count;
use kawasemi::tools::part::Part;
use kawasemi::tools::selfplay::{
    CommonConfig, GameJob, SelfplayObserver, SelfplayProgress, StopSignal, run,
};
use kawasemi::tools::terminal::{Failure, ProgressDisplay, print};
use kawasemi::types::message::counted;

use super::network::{NetworkArguments, NetworkWithName};
use super::warnings::Warnings;

#[derive(Debug, Args)]
pub(crate) struct CommonArguments {
    /// The game file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Stop at this many scored positions in the file
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Threads, each with its own game [default: one for each processor, at most 32]
    #[arg(short, long, value_name = "N", value_parser = thread_count(1))]
    threads: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Nodes for every move
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Vary the nodes at random by up to this many percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    vary_nodes: u32,
    /// Transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2)]
    hash: usize,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// The games that a command takes positions from.
#[derive(Debug, Args)]
pub(crate) struct SourceArguments {
    /// Game files
    #[arg(required = true, value_name = "GAMES")]
    pub(crate) games: Vec<PathBuf>,
    /// Do only this part: 3/8 is the third of eight, for several machines; `selfplay join` joins them
    #[arg(long, value_name = "I/N", default_value_t)]
    pub(crate) part: Part,
}

impl CommonArguments {
    /// The configuration of a job without parts, or of this one.
    ///
    /// # Errors
    /// If the file name, an option or the network is invalid.
    pub(crate) fn common(&self, part: Part) -> Result<CommonConfig, String> {
        check_extension(&self.out)?;
        let NetworkWithName { network, name, settings } = self.network.load()?;
        Ok(CommonConfig {
            out: self.out.clone(),
            positions: self.positions,
            threads: self.threads.unwrap_or(settings.threads),
            part,
            seed: self.seed,
            nodes: self.nodes,
            node_variation_percent: self.vary_nodes,
            hash_mib: self.hash,
            network,
            network_name: name,
            options: settings.search_options(),
            option_arguments: self.network.option.join(" "),
        })
    }
}

/// Checks that a game file has an extension of its kind, or other commands would misread it.
///
/// # Errors
/// If the extension is that of another kind.
pub(crate) fn check_extension(out: &Path) -> Result<(), String> {
    if DatasetKind::of_name(out) != DatasetKind::Games {
        let name = out.display();
        return Err(format!(
            "{name}: this extension is for another kind of file; give the game file the extension .games"
        ));
    }
    Ok(())
}

/// All games of these files, and the fingerprints of the files.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn read_games(paths: &[PathBuf]) -> Result<(Arc<[ScoredGame]>, String), String> {
    let (mut games, mut warnings) = (Vec::new(), Warnings::default());
    for path in paths {
        read_file(path, &mut games, &mut warnings)?;
    }
    let fingerprints: Result<Vec<_>, _> = paths.iter().map(|path| fingerprint_of(path)).collect();
    Ok((games.into(), fingerprints?.join(" ")))
}

/// Adds the games of a file. Damaged and illegal games are reported and skipped.
fn read_file(
    path: &Path,
    games: &mut Vec<ScoredGame>,
    warnings: &mut Warnings,
) -> Result<(), String> {
    let name = path.display();
    let mut reader = GameFileReader::open(path).map_err(|error| format!("{name}: {error}"))?;
    while let Some(item) = reader.next() {
        let number = reader.number().saturating_sub(1);
        match item.map(|game| game.check().map(|()| game)) {
            Ok(Ok(game)) => games.push(game),
            Ok(Err(illegal)) => warnings.print(&format!("{name}: game {number}: {illegal}")),
            Err(error) if error.is_fatal() => return Err(format!("{name}: {error}")),
            Err(error) => warnings.print(&format!("{name}: {error}")),
        }
    }
    Ok(())
}

fn fingerprint_of(path: &Path) -> Result<String, String> {
    fingerprint::of_file(path).map_err(|error| in_file(path, error))
}

/// Runs a job, shows its progress, and prints its final status.
///
/// # Errors
/// If the job fails, or is interrupted before its goal.
pub(crate) fn run_job(job: &impl GameJob) -> Result<(), Failure> {
    let stop = Arc::new(StopSignal::new());
    let pressed = stop.clone();
    on_interrupt(move || pressed.raise()).map_err(|error| error.to_string())?;
    let mut screen = Screen { terminal: ProgressDisplay::new(), out: job.target().out };
    let end = run(job, &stop, &mut screen).map_err(|error| error.to_string())?;
    screen.terminal.clear();
    print(format_args!("{}\n", status(&end)))?;
    if end.is_done() { Ok(()) } else { Err(Failure::Interrupted) }
}

/// Shows the progress of a job.
struct Screen<'a> {
    terminal: ProgressDisplay,
    out: &'a Path,
}

impl SelfplayObserver for Screen<'_> {
    fn opened(&mut self, contents: &ExistingGames) {
        for error in &contents.damage {
            self.terminal.print_line(&format!("{}: {error}", self.out.display()));
        }
        if contents.cut > 0 {
            let (name, cut) = (self.out.display(), contents.cut);
            self.terminal
                .print_line(&format!("{name}: removed {cut} bytes of an incomplete write"));
        }
        if contents.games > 0 {
            self.terminal
                .print_line(&format!("continuing after {}", counted(contents.games, "game")));
        }
    }

    fn progress(&mut self, progress: &SelfplayProgress) {
        self.terminal.show(&|| status(progress));
    }
}

fn status(progress: &SelfplayProgress) -> String {
    let SelfplayProgress { games, positions, .. } = progress;
    let left = progress.remaining_time().filter(|left| !left.is_zero());
    let left = left.map_or(String::new(), |left| format!(", {} left", format_duration(left)));
    let (rate, elapsed) = (progress.rate(), format_duration(progress.elapsed));
    let (games, positions) = (counted(*games, "game"), counted(*positions, "position"));
    format!("{games}, {positions}, {rate:.0} per second, {elapsed}{left}")
}
