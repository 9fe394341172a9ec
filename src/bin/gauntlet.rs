//! The command line of the match tool: progress on standard error, the report on standard output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use parking_lot::Mutex;

use kawasemi::engine::Settings;
use kawasemi::position::EnteringKingRule;
use kawasemi::sys::{exit_interrupted, in_file, on_interrupt};
use kawasemi::tools::files::{read, with_suffix};
use kawasemi::tools::gauntlet::elo::Pentanomial;
use kawasemi::tools::gauntlet::engine_spec::{SpecDefaults, read_specs, set_option};
use kawasemi::tools::gauntlet::match_config::{MatchConfig, MatchConfigError, MatchFiles};
use kawasemi::tools::gauntlet::match_file::read_match_file;
use kawasemi::tools::gauntlet::match_results::MatchResults;
use kawasemi::tools::gauntlet::report::{report, status};
use kawasemi::tools::gauntlet::schedule::TournamentFormat;
use kawasemi::tools::gauntlet::sprt::Sprt;
use kawasemi::tools::gauntlet::time_control::TimeControl;
use kawasemi::tools::gauntlet::{MatchEndReason, MatchObserver, play_match};
use kawasemi::tools::numbers::thread_count;
use kawasemi::tools::opening::{Opening, load_openings};
use kawasemi::tools::referee::{GameRules, ResignRule};
use kawasemi::tools::terminal::{ProgressDisplay, exit, exit_by_arguments, print, print_error};
use kawasemi::usi::options::{self, OptionType};
use kawasemi::usi_client::EngineTimeouts;

/// Plays matches between USI engines and reports Elo with its error
///
/// An engine is described by words key=value: name, cmd (with arguments), dir, option.NAME,
/// time, inc, byoyomi, movetime (milliseconds), nodes, depth, margin, ponder (true or false),
/// restart (true: a new process for every game). Quotes enclose spaces. Example:
///
/// gauntlet -e 'name=new cmd="./kawasemi" option.USI_Hash=64' -e 'name=old cmd=./old'
/// --byoyomi 100 --openings openings.txt --sprt 0 5 --out new-old.match
#[derive(Debug, Parser)]
#[command(name = "gauntlet", version)]
struct Arguments {
    /// An engine (at least two)
    #[arg(short, long = "engine", value_name = "DESCRIPTION")]
    engines: Vec<String>,
    /// A USI option for every engine
    #[arg(short, long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Main time in ms; this and the next limits apply to engines without limits of their own
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Increment for every move in ms
    #[arg(long, value_name = "MS")]
    inc: Option<u64>,
    /// Byoyomi in ms
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// Exact time for every move in ms
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes for every move
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of every search
    #[arg(long)]
    depth: Option<u32>,
    /// Let engines ponder
    #[arg(long)]
    ponder: bool,
    /// How late an answer may come without a time loss, in ms
    #[arg(long, value_name = "MS", default_value_t = SpecDefaults::MARGIN_MS)]
    margin: u64,
    /// Time limit of a move of an engine without a clock, in s
    #[arg(long, value_name = "S", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=MAX_TIME_S))]
    move_timeout: u64,
    /// Time limit for usiok and readyok, in s
    #[arg(long, value_name = "S", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=MAX_TIME_S))]
    ready_timeout: u64,
    /// Openings, one per line: `startpos moves ...`, `sfen ... moves ...` or an SFEN
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings; the same seed gives the same order
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Pairs of games for each pairing [default: one for every opening]
    #[arg(long, conflicts_with = "games")]
    pairs: Option<usize>,
    /// Games for each pairing, rounded up to pairs
    #[arg(long)]
    games: Option<usize>,
    /// Games in parallel
    #[arg(short, long, default_value_t = 1, value_parser = thread_count(1))]
    concurrency: usize,
    /// Every engine plays every other, not only the first
    #[arg(long)]
    round_robin: bool,
    /// Draw after this many moves, including the opening
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_moves: u32,
    /// The rule for entering kings
    #[arg(long, value_name = "RULE", value_parser = king_rule(), ignore_case = true)]
    #[arg(default_value = "CSARule27")]
    entering_king: EnteringKingRule,
    /// Adjudicate a win when both engines see the same side ahead by this many centipawns
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..))]
    resign_score: Option<u32>,
    /// Consecutive moves of each engine for which --resign-score must hold
    #[arg(long, value_name = "N", default_value_t = 4, requires = "resign_score")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    resign_moves: u32,
    /// End the match when the SPRT on pairs has a verdict: ELO0 ELO1 [ALPHA BETA]
    #[arg(long, value_name = "X", num_args = 2..=4, allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// Pentanomial counts of pairs of this match that were played elsewhere, by the points of the first engine
    /// (0, 1/2, 1, 1 1/2, 2): they are not played again, and count in the SPRT and in the Elo by pairs
    #[arg(long, value_name = "N,N,N,N,N", default_value = "0,0,0,0,0")]
    earlier_pairs: Pentanomial,
    /// Write one line per game; an existing file of the same match is continued
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write one CSA file per game
    #[arg(long, value_name = "DIR")]
    csa: Option<PathBuf>,
    /// Write reports on crashes, time losses, illegal moves [default: FILE.faults next to --out]
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    /// End the match, after the games in progress, when this file appears [default: FILE.stop]
    #[arg(long, value_name = "FILE")]
    stop_file: Option<PathBuf>,
    /// Play nothing: report on the games in a file that --out wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "out", "earlier_pairs"])]
    report: Option<PathBuf>,
}

/// A year.
const MAX_TIME_S: u64 = 31_536_000;

fn main() -> ExitCode {
    let arguments =
        Arguments::try_parse().unwrap_or_else(|error| exit_by_arguments("gauntlet", &error));
    let result = match &arguments.report {
        Some(path) => report_on(path, &arguments),
        None => play(&arguments),
    };
    exit("gauntlet", result)
}

fn report_on(path: &Path, arguments: &Arguments) -> Result<(), String> {
    let record = read_match_file(&read(path)?).map_err(|error| in_file(path, error))?;
    let results = MatchResults::of_record(&record, arguments.sprt()?);
    if results.sprt.is_some() && results.pairings.len() > 1 {
        return Err(in_file(path, MatchConfigError::SprtNeedsTwoEngines));
    }
    print(report(&results))
}

fn play(arguments: &Arguments) -> Result<(), String> {
    let config = arguments.config()?;
    if config.pairs > config.openings.len() {
        print_error("gauntlet: more pairs than openings, so openings are repeated");
    }
    let latest = LatestResults::default();
    report_when_interrupted(&latest)?;
    let mut screen = Screen { terminal: ProgressDisplay::new(), latest: Arc::clone(&latest) };
    let end = play_match(&config, &mut screen).map_err(|error| error.to_string())?;
    // Locked until the report is printed, so that an interrupt does not print it again.
    let mut latest = latest.lock();
    *latest = None;
    screen.terminal.clear();
    print(report(&end.results))?;
    match end.reason {
        MatchEndReason::AllPlayed | MatchEndReason::Verdict => Ok(()),
        MatchEndReason::StopFile => print("Stopped by the stop file.\n"),
        MatchEndReason::Failure(error) => Err(error.to_string()),
    }
}

impl Arguments {
    fn config(&self) -> Result<MatchConfig, String> {
        let openings = self.read_openings()?;
        let games = self.games.map(|games| games.div_ceil(2));
        Ok(MatchConfig {
            engines: read_specs(&self.engines, &self.defaults())
                .map_err(|(number, error)| format!("engine {number}: {error}"))?,
            pairs: self.pairs.or(games).unwrap_or(openings.len()),
            openings,
            format: if self.round_robin {
                TournamentFormat::RoundRobin
            } else {
                TournamentFormat::Gauntlet
            },
            seed: self.shuffle,
            concurrency: self.concurrency,
            rules: self.rules(),
            timeouts: EngineTimeouts {
                ready: Duration::from_secs(self.ready_timeout),
                ..EngineTimeouts::default()
            },
            move_timeout: Duration::from_secs(self.move_timeout),
            sprt: self.sprt()?,
            earlier_pairs: self.earlier_pairs,
            files: self.files(),
        })
    }

    fn defaults(&self) -> SpecDefaults {
        let ms = |value: Option<u64>| value.map(Duration::from_millis);
        let mut options = Vec::new();
        for (name, value) in &self.options {
            set_option(&mut options, name, value);
        }
        let control = TimeControl {
            time: ms(self.time).unwrap_or_default(),
            increment: ms(self.inc).unwrap_or_default(),
            byoyomi: ms(self.byoyomi).unwrap_or_default(),
            move_time: ms(self.movetime),
            nodes: self.nodes,
            depth: self.depth,
        };
        let margin = Duration::from_millis(self.margin);
        SpecDefaults { options, control, margin, ponder: self.ponder }
    }

    fn read_openings(&self) -> Result<Vec<Opening>, String> {
        let Some(path) = &self.openings else { return Ok(vec![Opening::startpos(1)]) };
        load_openings(path)
    }

    fn rules(&self) -> GameRules {
        GameRules {
            max_moves: self.max_moves,
            entering_king: self.entering_king,
            resign: self
                .resign_score
                .map(|centipawns| ResignRule { centipawns, moves: self.resign_moves }),
        }
    }

    fn sprt(&self) -> Result<Option<Sprt>, String> {
        const DEFAULT_RATE: f64 = 0.05;
        let &[elo0, elo1, ref rates @ ..] = &self.sprt[..] else { return Ok(None) };
        let rate = |i: usize| rates.get(i).copied().unwrap_or(DEFAULT_RATE);
        Ok(Some(Sprt::new(elo0, elo1, rate(0), rate(1))?))
    }

    fn files(&self) -> MatchFiles {
        let with_suffix = |ending| self.out.as_ref().map(|out| with_suffix(out, ending));
        MatchFiles {
            match_file: self.out.clone(),
            csa: self.csa.clone(),
            faults: self.faults.clone().or_else(|| with_suffix(".faults")),
            stop: self.stop_file.clone().or_else(|| with_suffix(".stop")),
        }
    }
}

/// Parses an entering-king rule like the USI option.
fn king_rule() -> impl TypedValueParser<Value = EnteringKingRule> {
    const NAME: &[u8] = b"EnteringKingRule";
    let choices = match options::find(NAME).map(|row| &row.kind) {
        Some(OptionType::Combo { choices, .. }) => choices.iter().map(|(word, _)| *word),
        _ => unreachable!("the option is there"),
    };
    PossibleValuesParser::new(choices).try_map(|word| {
        let mut settings = Settings::default();
        options::set(&mut settings, NAME, Some(word.as_bytes())).map(|_| settings.entering_king)
    })
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is not NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

/// The results after the latest game.
type LatestResults = Arc<Mutex<Option<MatchResults>>>;

/// Prints the report of the finished games when the match is interrupted.
fn report_when_interrupted(latest: &LatestResults) -> Result<(), String> {
    let latest = Arc::clone(latest);
    let end = move || {
        // Locked to the end, so that nothing is printed after the report.
        let latest = latest.lock();
        if let Some(results) = &*latest {
            ProgressDisplay::new().clear();
            let text = report(results);
            // The program ends; an error cannot be reported.
            let _ = print(format_args!("{text}Stopped by an interrupt.\n"));
        }
        exit_interrupted();
    };
    on_interrupt(end).map_err(|error| error.to_string())
}

/// Shows the progress of the match.
struct Screen {
    terminal: ProgressDisplay,
    latest: LatestResults,
}

impl MatchObserver for Screen {
    fn progress(&mut self, results: &MatchResults, games: usize) {
        *self.latest.lock() = Some(results.clone());
        self.terminal.show(&|| status(results, games));
    }

    fn warn(&mut self, text: &str) {
        self.terminal.print_line(text);
    }
}
