//! `selfplay generate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use kawasemi::engine::{self, Settings};
use kawasemi::tools::games::Contents;
use kawasemi::tools::gauntlet::fingerprint;
use kawasemi::tools::gauntlet::opening::{Opening, read_openings};
use kawasemi::tools::selfplay::adjudicator::{DrawRule, WinRule};
use kawasemi::tools::selfplay::start::{Scatter, Starts};
use kawasemi::tools::selfplay::{Brake, Choosing, Config, Observer, Progress, generate};
use kawasemi::tools::terminal::{Terminal, print};
use kawasemi::types::Score;
use kawasemi::usi::options;

/// Plays games and appends them to a file, until it has as many as asked for.
///
/// The same command takes up a file where it was left. Ctrl-C finishes the games in progress;
/// Ctrl-C again leaves them. Game n follows from the arguments and n alone, so the file has the same
/// games whatever the number of threads.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of games
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Have so many games in the file
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,
    /// Have so many scored positions in the file
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Threads, each with a game of its own [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    threads: Option<usize>,
    /// Other games for another number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Nodes for every move
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Vary the nodes at random by so many percent in both directions
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    spread: u32,
    /// Transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2)]
    hash: usize,
    /// A network to evaluate with [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// A USI option of the engine, such as FV_SCALE=20
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,

    /// Openings, one a line, as for gauntlet
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Percent of the games that start from an opening, if there are any
    #[arg(long, value_name = "PERCENT", default_value_t = 60)]
    openings_share: u32,
    /// Random moves at the beginning of other games: 4-8/14 are four to eight of the first fourteen
    #[arg(long, value_name = "MOVES", default_value = "4-8/14")]
    random_plies: Scatter,
    /// Random moves behind an opening
    #[arg(long, value_name = "MOVES", default_value = "0-2/8")]
    opening_random_plies: Scatter,
    /// Draw a start anew when a side is ahead by more centipawns; 0 takes every start
    #[arg(long, value_name = "CP", default_value_t = 400)]
    balance: u32,
    /// After that, choose at random among so many best moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    choose: usize,
    /// That are worse than the best by no more centipawns
    #[arg(long, value_name = "CP", default_value_t = 50)]
    choose_margin: u32,
    /// In so many plies
    #[arg(long, value_name = "N", default_value_t = 20)]
    choose_plies: usize,

    /// A side wins that is ahead by so many centipawns; 0 plays to the mate
    #[arg(long, value_name = "CP", default_value_t = 2500)]
    win_score: u32,
    /// In so many plies in a row
    #[arg(long, value_name = "N", default_value_t = 4)]
    win_plies: u32,
    /// A game is drawn in which no side is ahead by more centipawns [default: none is]
    #[arg(long, value_name = "CP")]
    draw_score: Option<u32>,
    /// In so many plies in a row
    #[arg(long, value_name = "N", default_value_t = 40)]
    draw_plies: u32,
    /// From this move on
    #[arg(long, value_name = "N", default_value_t = 160)]
    draw_from: u32,
    /// Percent of the games that go to the end by the rules
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    play_on: u32,
    /// Draw after so many moves
    #[arg(long, value_name = "N", default_value_t = 320)]
    max_moves: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let config = arguments.config()?;
    let brake = Arc::new(Brake::new());
    let pressed = brake.clone();
    ctrlc::set_handler(move || pressed.press()).map_err(|error| error.to_string())?;
    let mut screen = Screen { terminal: Terminal::new(), config: &config };
    let end = generate(&config, &brake, &mut screen).map_err(|error| error.to_string())?;
    screen.terminal.clear();
    print(format_args!("{}\n", status(&config, &end)))
}

impl Arguments {
    fn config(&self) -> Result<Config, String> {
        let mut settings = Settings { eval_dir: None, ..Settings::default() };
        settings.eval_file.clone_from(&self.eval);
        for option in &self.option {
            options::assign(&mut settings, option.as_bytes()).map_err(|error| error.to_string())?;
        }
        let (network, messages) = engine::load_network(&settings)?;
        messages.iter().for_each(|message| eprintln!("{message}"));
        let mark = match &settings.eval_file {
            Some(path) => fingerprint::of_file(path).unwrap_or_else(|_| "unread".into()),
            None => "built-in".into(),
        };
        let evaluation = format!("{} {mark} scale {}", network.net.architecture, network.scale);
        let score = |centipawns: u32| Score::from_centipawns(centipawns.min(30_000) as i32);
        Ok(Config {
            out: self.out.clone(),
            games: self.games,
            positions: self.positions,
            threads: self.threads.unwrap_or(settings.threads),
            seed: self.seed,
            nodes: self.nodes,
            spread: self.spread,
            hash_mib: self.hash,
            network,
            evaluation,
            starts: Starts {
                openings: self.read_openings()?.into(),
                share: self.openings_share,
                usual: self.random_plies,
                behind_opening: self.opening_random_plies,
            },
            balance: (self.balance > 0).then(|| score(self.balance)),
            choosing: (self.choose > 1).then(|| Choosing {
                lines: self.choose,
                margin: score(self.choose_margin),
                plies: self.choose_plies,
            }),
            win: (self.win_score > 0)
                .then(|| WinRule { score: score(self.win_score), plies: self.win_plies }),
            draw: self.draw_score.map(|centipawns| DrawRule {
                score: score(centipawns),
                plies: self.draw_plies,
                from: self.draw_from,
            }),
            play_on: self.play_on,
            max_moves: self.max_moves,
            options: settings.search_options(),
        })
    }

    fn read_openings(&self) -> Result<Vec<Opening>, String> {
        let Some(path) = &self.openings else { return Ok(Vec::new()) };
        let name = Path::display(path);
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        read_openings(&text).map_err(|(line, error)| format!("{name}, line {line}: {error}"))
    }
}

/// Shows how the games go on.
struct Screen<'a> {
    terminal: Terminal,
    config: &'a Config,
}

impl Observer for Screen<'_> {
    fn opened(&mut self, contents: &Contents) {
        for error in &contents.damage {
            self.terminal.say(&format!("{}: {error}", self.config.out.display()));
        }
        if contents.cut > 0 {
            let (name, cut) = (self.config.out.display(), contents.cut);
            self.terminal.say(&format!("{name}: cut off {cut} bytes of an unfinished write"));
        }
        if contents.games > 0 {
            self.terminal.say(&format!("going on after {} games", contents.games));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.terminal.show(&|| status(self.config, progress));
    }
}

fn status(config: &Config, progress: &Progress) -> String {
    let Progress { games, positions, .. } = progress;
    let left = progress.left(config).filter(|left| !left.is_zero());
    let left = left.map_or(String::new(), |left| format!(", {} left", clock(left)));
    let (rate, elapsed) = (progress.rate(), clock(progress.elapsed));
    format!("{games} games, {positions} positions, {rate:.0} a second, {elapsed}{left}")
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
