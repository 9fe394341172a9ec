//! The command `analyze` of the program: analyses games move by move, and writes a table, JSON, comments
//! in records, or a page for the browser.

mod analyzed_game;
pub(in crate::commands) mod page;
mod report;
mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use kawasemi::analysis::{
    AnalysisConfig, AnalysisError, AnalysisLimit, Analyzer, CommentStyle, OpeningBook, annotate,
};
use kawasemi::book::{BookSet, Validation};
use kawasemi::engine::{self, Settings};
use kawasemi::position::Position;
use kawasemi::record::{Encoding, ErrorPolicy, RecordFormat};
use kawasemi::sys::write_atomically;
use kawasemi::types::language::{Language, localized};
use kawasemi::types::message::message;
use kawasemi::types::{Depth, Move};

use crate::commands::arguments;
use crate::commands::book;
use crate::commands::failure::{Failure, check_printed};
use crate::commands::games::{self, ReadFile};
use crate::commands::interrupt::on_interrupt;
use crate::commands::language;
use crate::commands::notice::{notice, notify, system_error};
use crate::commands::progress_bar::ProgressBar;
use crate::commands::record_output;
use crate::commands::source_game::SourceGame;
use crate::commands::terminal;
use analyzed_game::AnalyzedGame;
use report::AnalysisReport;
use table::TableStyle;

/// Analyse games move by move.
///
/// Every move of the main lines, and with --branches of all branches, is compared with the best
/// move. Ctrl-C ends the analysis with the results so far. The analysis goes from the end of a game
/// to its start.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// Game records in any notation, `-` for standard input.
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    /// Milliseconds per position; by default 1000.
    #[arg(long, value_name = "MS", conflicts_with_all = ["nodes", "depth"])]
    #[arg(value_parser = arguments::number::<u64>(1..=i64::MAX))]
    movetime: Option<u64>,
    /// Nodes per position, instead of a time. With one thread the result is reproducible.
    #[arg(long, conflicts_with = "depth")]
    #[arg(value_parser = arguments::number::<u64>(1..=i64::MAX))]
    nodes: Option<u64>,
    /// Depth of each search in plies, instead of a time.
    #[arg(long, value_parser = arguments::depth())]
    depth: Option<Depth>,
    /// Lines per position; by default 1.
    #[arg(long, value_name = "LINES", value_parser = arguments::number::<u16>(1..=600))]
    multipv: Option<u16>,
    /// Search threads; by default one per processor, at most 32.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Size of the transposition table in MiB; by default 256.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// A network file, instead of the built-in network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Analyse the branches of the records too, not only the main lines.
    #[arg(long)]
    branches: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write the games with comments, in the notation of the file extension.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a page for the browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// An opening book whose moves are marked and not graded, instead of the engine's own book; may
    /// be repeated.
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Language of the table and the page: en or ja; by default the system language, for the page
    /// the browser's.
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Show human win rates in the table instead of those of engines.
    #[arg(long, conflicts_with = "json")]
    human: bool,
    /// End a game before an invalid move and skip a file without games, instead of failing.
    #[arg(long)]
    partial: bool,
    /// Let --output overwrite an input file even if some of its content is lost.
    #[arg(long, requires = "output")]
    lossy: bool,
}

impl AnalyzeArgs {
    pub fn run(&self, settings: Settings) -> Result<(), Failure> {
        // Output paths are checked before the long analysis, not after it.
        let notation = self.output.as_deref().map(notation).transpose()?;
        for path in [&self.output, &self.html].into_iter().flatten() {
            arguments::check_writable(path)?;
        }
        if let Some(path) = &self.html {
            page::check_path(path)?;
        }
        let books = OpeningBooks::open(&self.book, &settings)?;
        let (files, mut games) = self.read()?;
        if let (Some(path), Some((format, encoding))) = (&self.output, notation)
            && !self.lossy
        {
            let records = games.iter().map(|game| &game.source.game);
            record_output::check_lossy_overwrite(path, &files, records, format, encoding)?;
        }
        let stop = on_interrupt()?;
        let settings = self.settings(settings);
        let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
        messages.iter().for_each(notify);
        let config = self.config(&settings);
        let mut report = AnalysisReport::new(&network, &config);
        let (mut analyzer, messages) = Analyzer::new(config, network)?;
        messages.iter().for_each(notify);

        let language = self.language();
        let result = analyze_all(&mut analyzer, &games, &stop, language);
        if result == Err(AnalysisError::Stopped) {
            let stopped = localized(
                "stopped; the results so far follow",
                "中断しました。ここまでの結果を出力します",
            );
            notice(stopped.of(language));
        }
        for game in &mut games {
            let reviews = game.reviews(&analyzer, &books);
            report.add(game, &reviews);
            if let Some((format, _)) = notation {
                for review in &reviews {
                    annotate(&mut game.source.game, review, comment_style(format));
                }
            }
        }
        self.write(&report, &games, notation)?;
        match result {
            Err(error @ AnalysisError::Failed(_)) => Err(error.message().into()),
            Err(AnalysisError::Stopped) => Err(Failure::Interrupted),
            Ok(()) => Ok(()),
        }
    }

    fn read(&self) -> Result<(Vec<ReadFile>, Vec<AnalyzedGame>), Failure> {
        let policy = if self.partial { ErrorPolicy::KeepPartial } else { ErrorPolicy::Refuse };
        let (mut files, mut games) = (Vec::new(), Vec::new());
        for (file, read) in games::read_all(&self.games, policy)? {
            let sources = SourceGame::of_file(&file, read).into_iter();
            games.extend(sources.map(|source| AnalyzedGame::new(source, self.branches)));
            files.push(file);
        }
        Ok((files, games))
    }

    /// The settings of the engine, changed by these arguments.
    fn settings(&self, settings: Settings) -> Settings {
        Settings {
            threads: self.threads.unwrap_or(settings.threads),
            hash_mib: self.hash.unwrap_or(settings.hash_mib),
            multi_pv: self.multipv.map_or(settings.multi_pv, usize::from),
            eval_file: self.eval.clone().or(settings.eval_file),
            analysis: true,
            // A strength level or resignation would spoil an analysis.
            limit_strength: false,
            resign_value: Settings::NEVER_RESIGN,
            report_bounds: false,
            ..settings
        }
    }

    fn config(&self, settings: &Settings) -> AnalysisConfig {
        const DEFAULT_MS: u64 = 1000;
        let limit = match (self.nodes, self.depth) {
            (Some(nodes), _) => AnalysisLimit::Nodes(nodes),
            (_, Some(depth)) => AnalysisLimit::Depth(depth),
            _ => AnalysisLimit::Time(Duration::from_millis(self.movetime.unwrap_or(DEFAULT_MS))),
        };
        AnalysisConfig {
            limit,
            options: settings.search_options(),
            threads: settings.threads,
            hash_mib: settings.hash_mib,
        }
    }

    fn write(
        &self,
        report: &AnalysisReport,
        games: &[AnalyzedGame],
        notation: Option<(RecordFormat, Encoding)>,
    ) -> Result<(), Failure> {
        let language = self.language();
        let records = match (&self.output, notation) {
            (Some(path), Some((format, encoding))) => {
                let records = games.iter().map(|game| &game.source.game);
                record_output::save(path, records, format, encoding)
            }
            _ => Ok(()),
        };
        let page = match &self.html {
            Some(path) => write_atomically(path, page::html(report, self.lang).as_bytes())
                .map_err(|error| system_error(path, &error)),
            None => Ok(()),
        };
        // A failure to write one output must not lose the others.
        let shown = self.show(report, language);
        records?;
        page?;
        check_printed(shown)
    }

    fn language(&self) -> Language {
        self.lang.unwrap_or_else(language::system_language)
    }

    fn table_style(&self, language: Language) -> TableStyle {
        TableStyle {
            language,
            is_human: self.human,
            columns: terminal::output_columns(),
            has_colours: terminal::shows_colours(),
        }
    }

    fn show(&self, report: &AnalysisReport, language: Language) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", report.json())?;
        } else {
            write!(out, "{}", table::text(report, self.table_style(language)))?;
        }
        out.flush()
    }
}

/// The opening books whose moves are marked: those named, else the engine's own.
struct OpeningBooks(BookSet);

impl OpeningBooks {
    fn open(paths: &[PathBuf], settings: &Settings) -> Result<OpeningBooks, String> {
        if paths.is_empty() {
            // Only some positions are looked up, so a large file is not read.
            let settings = Settings { book_on_the_fly: true, ..settings.clone() };
            let (books, messages) = engine::open_books(&settings);
            messages.iter().for_each(notify);
            return Ok(OpeningBooks(books));
        }
        let open = |path: &PathBuf| Ok((path.clone(), book::open(path, Validation::Sampled)?));
        let books = paths.iter().map(open).collect::<Result<_, String>>()?;
        Ok(OpeningBooks(BookSet::new(books)))
    }
}

impl OpeningBook for OpeningBooks {
    fn contains(&self, position: &Position, mv: Move) -> bool {
        self.0.contains(&position.setup(), mv)
    }
}

/// Analyses all games, with a progress bar.
fn analyze_all(
    analyzer: &mut Analyzer,
    games: &[AnalyzedGame],
    stop: &AtomicBool,
    language: Language,
) -> Result<(), AnalysisError> {
    let positions: usize = games.iter().map(AnalyzedGame::positions).sum();
    let count = message!("positions to analyse: {positions}", "{positions}局面を解析します");
    notice(count.of(language));
    let left_out: usize = games.iter().map(|game| game.branches_left_out).sum();
    if left_out > 0 {
        let remark = message!(
            "branches left out: {left_out}; --branches analyses them too",
            "解析しない分岐：{left_out}（--branchesを付けると解析します）"
        );
        notice(remark.of(language));
    }
    // Each position counts twice: for both passes.
    let mut progress = ProgressBar::new(2 * positions).in_language(language);
    for AnalyzedGame { source, branches, .. } in games {
        let name = source.name();
        let remark = name.of(language);
        progress.show(remark);
        let mut on_position = |is_new| {
            progress.advance(is_new);
            progress.show(remark);
        };
        let main = analyzer.analyze_game(&source.game, stop, &mut on_position);
        let result = main.and_then(|()| {
            branches.iter().try_for_each(|branch| {
                analyzer.analyze_branch(&source.game, branch, stop, &mut on_position)
            })
        });
        progress.clear();
        result?;
    }
    Ok(())
}

/// The notation of a file name, if it can hold comments.
fn notation(path: &Path) -> Result<(RecordFormat, Encoding), Failure> {
    let found = games::by_extension(path);
    let found =
        found.filter(|(format, _)| !matches!(format, RecordFormat::Usi | RecordFormat::Sfen));
    found.ok_or_else(|| {
        let must = message!(
            "the name must end in .kif, .kifu, .ki2, .ki2u, .csa, .jkf or .json",
            "拡張子は.kif、.kifu、.ki2、.ki2u、.csa、.jkf、.jsonのどれかにしてください"
        );
        Failure::file_name(path, &must)
    })
}

fn comment_style(format: RecordFormat) -> CommentStyle {
    match format {
        RecordFormat::Csa | RecordFormat::Csa3 => CommentStyle::Floodgate,
        _ => CommentStyle::ShogiGui,
    }
}
