//! The command `book` of the program: inspects, converts and builds opening books.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use kawasemi::book::{
    Book, BookEntry, BookError, BookFormat, BookWriteError, MemoryBook, UnknownExtension,
    Validation,
};
use kawasemi::engine::{self, Settings};
use kawasemi::makebook::{BookBuilder, BuildSettings};
use kawasemi::position::{Position, Setup};
use kawasemi::types::Move;
use kawasemi::types::language::{Localized, localized};
use kawasemi::types::message::{Message, counted, message};

use crate::commands::arguments;
use crate::commands::columns::pad_right;
use crate::commands::failure::{Failure, check_printed};
use crate::commands::interrupt::on_interrupt;
use crate::commands::language::system_language;
use crate::commands::notice::{file_error, in_system_language, notice, notify};
use crate::commands::progress_bar::ProgressBar;
use crate::commands::record_output;

/// Interval of saving a book while it is built.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Show the format and the size of a book.
    Info {
        /// The book, in any known format.
        file: PathBuf,
    },
    /// Show the entry of a position.
    Lookup {
        /// The book, in any known format.
        file: PathBuf,
        /// `startpos` or an SFEN, optionally followed by `moves` and moves.
        #[arg(required = true, num_args = 1..)]
        position: Vec<String>,
    },
    /// Merge books. If a move is in several books, the one from the deeper search is kept, else the
    /// first.
    Merge {
        /// The books, in any known format.
        #[arg(value_name = "IN", required = true, num_args = 1..)]
        from: Vec<PathBuf>,
        /// The file to write: .db, .ybb or .bin.
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
    },
    /// Convert a book to the format of the extension of OUT: .db, .ybb or .bin.
    Convert {
        /// The book, in any known format.
        #[arg(value_name = "IN")]
        from: PathBuf,
        /// The file to write.
        #[arg(value_name = "OUT")]
        to: PathBuf,
    },
    /// Build a book by searching, or continue one. Can be interrupted and resumed at any time.
    Make(MakeArgs),
}

/// The largest number of centipawns that an option takes.
const MAX_CENTIPAWNS: i64 = i32::MAX as i64;

#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The book, .db or .ybb, which is continued if it exists.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Number of positions of the book.
    #[arg(long, default_value_t = 1000, value_parser = arguments::number::<usize>(1..=i64::MAX))]
    positions: usize,
    /// Nodes per search.
    #[arg(long, default_value_t = 1_000_000, value_parser = arguments::number::<u64>(1..=i64::MAX))]
    nodes: u64,
    /// Moves to keep per position.
    #[arg(long, default_value_t = 4, value_parser = arguments::number::<u16>(1..=600))]
    moves: u16,
    /// The cost of a move in centipawns, in addition to its loss: a larger cost makes a broader
    /// book, a smaller one a deeper book.
    #[arg(long, value_name = "CP", default_value_t = 4, value_parser = arguments::number::<i32>(0..=MAX_CENTIPAWNS))]
    ply_cost: i32,
    /// Search no position after this move number; in a book without numbers, counted from the start.
    #[arg(long, value_name = "PLY", default_value_t = 60, value_parser = arguments::number::<u32>(1..=u32::MAX as i64))]
    last_ply: u32,
    /// Do not search positions with at least this score for either side, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 800, value_parser = arguments::number::<i32>(1..=MAX_CENTIPAWNS))]
    decided: i32,
    /// A position where games start, as for `lookup`, instead of the initial position. May be
    /// repeated.
    #[arg(long, value_name = "POSITION")]
    start: Vec<String>,
    /// Threads; by default one per processor, at most 32.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// The transposition table of each thread in MiB; 64 by default.
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// The network file; by default the engine's.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
}

impl BookCommand {
    pub fn run(self, settings: Settings) -> Result<(), Failure> {
        match self {
            BookCommand::Info { file } => info(&file),
            BookCommand::Lookup { file, position } => look_up(&file, &position.join(" ")),
            BookCommand::Merge { from, output } => convert(&from, &output),
            BookCommand::Convert { from, to } => convert(&[from], &to),
            BookCommand::Make(arguments) => arguments.run(settings),
        }
    }
}

/// Opens a book; an error names the file.
pub fn open(path: &Path, validation: Validation) -> Result<Book, String> {
    Book::open(path, validation).map_err(|error| file_error(path, &error.message()))
}

fn info(file: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let book = open(file, Validation::Full)?;
    let summary = book.summary();
    let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let sorted = if summary.indexed { UNSORTED } else { SORTED }.of(system_language());
    let mut rows = vec![
        (localized("format", "形式"), book.format().to_string()),
        (localized("bytes", "バイト数"), book.size().to_string()),
        (POSITIONS, number(summary.positions)),
        (localized("moves", "指し手数"), number(summary.moves)),
        (localized("sorted", "ソート"), sorted.to_owned()),
        (localized("read in", "読み込み"), format!("{} ms", start.elapsed().as_millis())),
    ];
    rows.extend(
        summary
            .notes
            .iter()
            .map(|note| (localized("note", "注"), in_system_language(note).to_owned())),
    );
    Ok(write_rows(&rows)?)
}

const SORTED: Localized = localized("yes", "済み");
const UNSORTED: Localized =
    localized("no (an index is built when it is opened)", "未ソート（開くときに索引を作る）");
const POSITIONS: Localized = localized("positions", "局面数");

/// Facts with their names in the language of the system.
fn write_rows(rows: &[(Localized, String)]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (name, fact) in rows {
        writeln!(out, "{}{fact}", pad_right(name.of(system_language()), 11))?;
    }
    Ok(())
}

fn look_up(file: &Path, position: &str) -> Result<(), Failure> {
    let position = arguments::given_position(position)?;
    let book = open(file, Validation::Sampled)?;
    let setup = position.setup();
    let found = book.look_up(&setup, None);
    let swapped = || Some(book.look_up(&setup.rotated(), None)?.rotated());
    let mut out = io::stdout().lock();
    match found.or_else(swapped) {
        None => {
            let words = localized("not in the book:", "定跡にない局面：").of(system_language());
            writeln!(out, "{words} {}", position.to_sfen())?;
        }
        Some(entry) => show(&mut out, &position, &entry)?,
    }
    Ok(())
}

const COLUMNS: Localized =
    localized("move   reply     eval  depth    count", "指し手 応手    評価値   深さ 採択回数");
const ILLEGAL: Localized = localized("  not legal", "  非合法手");

fn show(out: &mut impl Write, position: &Position, entry: &BookEntry) -> io::Result<()> {
    let or_dash = |field: Option<String>| field.unwrap_or_else(|| "-".into());
    writeln!(out, "{}", position.to_sfen())?;
    writeln!(out, "{}", COLUMNS.of(system_language()))?;
    for mv in &entry.moves {
        let reply = or_dash(mv.reply.map(|reply| reply.to_string()));
        let eval = or_dash(mv.eval.map(|eval| eval.to_string()));
        let depth = or_dash(mv.depth.map(|depth| depth.to_string()));
        let count = or_dash(mv.count.map(|count| count.to_string()));
        let remark = if position.is_legal(mv.mv) { "" } else { ILLEGAL.of(system_language()) };
        let mv = mv.mv.to_string();
        writeln!(out, "{mv:<6} {reply:<6} {eval:>7} {depth:>6} {count:>8}{remark}")?;
    }
    Ok(())
}

fn convert(from: &[PathBuf], to: &Path) -> Result<(), Failure> {
    let format = format_of(to)?;
    arguments::check_writable(to)?;
    let mut book = MemoryBook::default();
    for path in from {
        let MergedBook { format: read, skipped, lost, has_unknown_evals } = merge(path, &mut book)?;
        // Another format may hold less, and an unknown evaluation of a `.ybb` is written as 0.
        let is_kept = read == format && !(format == BookFormat::Ybb && has_unknown_evals);
        let is_whole = is_kept && skipped.is_empty() && lost.is_empty();
        report(path, skipped.into_iter().chain(lost));
        if !is_whole {
            record_output::reject_source(to, [&**path])?;
        }
    }
    if book.is_empty() {
        let error = message!(
            "the books have no positions, so no book is written",
            "局面がないので定跡を書き出しません"
        );
        return Err(error.into());
    }
    save(&book, format, to, true)?;
    let count = book.len();
    let positions = counted(count as u64, "position");
    let message = message!("{positions}", "{count}局面");
    Ok(writeln!(io::stdout(), "{}", in_system_language(&message))?)
}

fn report(path: &Path, notes: impl IntoIterator<Item = Message>) {
    notes.into_iter().for_each(|note| notice(file_error(path, &note)));
}

/// The format of a merged book, and messages about the parts that the merge leaves out.
struct MergedBook {
    format: BookFormat,
    /// Parts that could not be read.
    skipped: Vec<Message>,
    /// Parts that the merged book cannot hold.
    lost: Vec<Message>,
    has_unknown_evals: bool,
}

/// Merges a whole book into another one.
fn merge(path: &Path, into: &mut MemoryBook) -> Result<MergedBook, Failure> {
    let book = open(path, Validation::Full)?;
    let mut progress = ProgressBar::new(book.summary().positions.unwrap_or(0) as usize);
    let (mut done, mut renumbered, mut has_unknown_evals) = (0, 0, false);
    let mut lost = book.for_each(&mut |setup, entry| {
        has_unknown_evals |= entry.moves.iter().any(|mv| mv.eval.is_none());
        renumbered += usize::from(into.merge(setup, entry));
        done += 1;
        if done % 10_000 == 0 {
            progress.reach(done);
            progress.show(&path.to_string_lossy());
        }
    });
    progress.clear();
    if book.is_damaged() {
        return Err(file_error(path, &BookError::Truncated.message()).into());
    }
    if renumbered > 0 {
        let positions = counted(renumbered as u64, "position");
        lost.push(message!(
            "several move numbers in {positions}; the smallest is kept",
            "手数が複数ある局面：{renumbered}（最も小さい手数を残します）"
        ));
    }
    let (format, skipped) = (book.format(), book.summary().notes.clone());
    Ok(MergedBook { format, skipped, lost, has_unknown_evals })
}

fn format_of(path: &Path) -> Result<BookFormat, Failure> {
    let format = BookFormat::from_extension(path)
        .ok_or_else(|| Failure::file_name(path, &UnknownExtension.message()))?;
    match format {
        BookFormat::Sbk => Err(Failure::file_name(path, &BookWriteError::SbkIsReadOnly.message())),
        format => Ok(format),
    }
}

fn save(book: &MemoryBook, format: BookFormat, path: &Path, verbose: bool) -> Result<(), String> {
    let losses = format.save(book, path).map_err(|error| file_error(path, &error.message()))?;
    for message in losses.messages().iter().filter(|_| verbose) {
        notify(&message!("in {format}: {}", "{format}：{}"; message));
    }
    Ok(())
}

impl MakeArgs {
    /// The table of each thread without an option.
    pub const DEFAULT_HASH_MIB: usize = 64;

    fn run(self, mut settings: Settings) -> Result<(), Failure> {
        let format = BookFormat::from_extension(&self.output);
        let Some(format @ (BookFormat::Text | BookFormat::Ybb)) = format else {
            let must = message!(
                "a book is built as .db or .ybb; convert it when it is complete",
                "作る定跡は.dbか.ybbです。ほかの形式には完成してから変換してください"
            );
            return Err(Failure::file_name(&self.output, &must));
        };
        arguments::check_writable(&self.output)?;
        let mut known = MemoryBook::default();
        let mut lost = Vec::new();
        if self.output.exists() {
            let merged = merge(&self.output, &mut known)?;
            report(&self.output, merged.skipped);
            if merged.format != format {
                let read = merged.format;
                let must = message!(
                    "the format is {read}, not {format}; convert the book first",
                    "形式は{read}で、{format}ではありません。先に変換してください"
                );
                return Err(file_error(&self.output, &must).into());
            }
            lost = merged.lost;
        }
        settings.eval_file = self.eval.clone().or(settings.eval_file);
        let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
        messages.iter().for_each(notify);
        let starts = self.start.iter().map(|text| Ok(arguments::given_position(text)?.setup()));
        let mut roots = starts.collect::<Result<Vec<Setup>, Failure>>()?;
        if roots.is_empty() {
            roots.push(Setup::startpos());
        }
        let build = BuildSettings {
            roots,
            positions: self.positions,
            nodes: self.nodes,
            moves: self.moves.into(),
            ply_cost: self.ply_cost,
            last_ply: self.last_ply,
            decided: self.decided,
            threads: self.threads.unwrap_or(settings.threads),
            hash_mib: self.hash.unwrap_or(settings.hash_mib),
            network,
            options: settings.search_options(),
        };
        let stop = on_interrupt()?;
        let builder =
            BookBuilder::new(build, &known, stop.clone()).map_err(|error| error.message())?;
        self.build(builder, format, lost, &stop)
    }

    /// `lost` are messages about content of the old file that the new one cannot keep.
    fn build(
        &self,
        mut builder: BookBuilder,
        format: BookFormat,
        lost: Vec<Message>,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        let (first, start) = (builder.positions(), Instant::now());
        let wanted = self.positions;
        notify(&if first < wanted {
            message!(
                "{first} of {wanted} positions; an interrupt ends and saves the book",
                "{wanted}局面中{first}局面（Ctrl-Cで中断すると定跡を保存します）"
            )
        } else {
            let positions = counted(first as u64, "position");
            message!(
                "the book has {positions} already; nothing is added for --positions {wanted}",
                "定跡にはすでに{first}局面あるので、--positions {wanted}では何も加えません"
            )
        });
        let is_complete = self.extend(&mut builder, format, lost, stop)?;
        if is_complete && builder.positions() < wanted {
            let MakeArgs { last_ply, decided, .. } = self;
            notify(&message!(
                "no position is left to search within --last-ply {last_ply} and --decided {decided}",
                "--last-ply {last_ply}、--decided {decided}の範囲に探索する局面がもうありません"
            ));
        }
        let (value, line) = builder.pv();
        let line: Vec<String> = line.iter().map(Move::to_string).collect();
        let (positions, seconds) = (builder.positions(), start.elapsed().as_secs_f64());
        let new = positions - first;
        let counted = message!("{positions}, {new} new", "{positions}（新しい局面{new}）");
        check_printed(write_rows(&[
            (POSITIONS, in_system_language(&counted)),
            (localized("time", "時間"), format!("{seconds:.1} s")),
            (localized("value", "評価値"), format!("{} cp", value_text(value))),
            (localized("line", "手順"), line.join(" ")),
        ]))?;
        if is_complete { Ok(()) } else { Err(Failure::Interrupted) }
    }

    /// Searches until the book is complete or the user interrupts, and saves it from time to time and at the
    /// end. Returns whether it is complete.
    fn extend(
        &self,
        builder: &mut BookBuilder,
        format: BookFormat,
        mut lost: Vec<Message>,
        stop: &AtomicBool,
    ) -> Result<bool, Failure> {
        // A book without new positions is not written.
        let mut in_file = builder.positions();
        let mut progress = ProgressBar::resumed(self.positions, in_file);
        let mut saved = Instant::now();
        loop {
            let (value, line) = builder.pv();
            let (value, line) = (value_text(value), first_moves(&line));
            let result = builder.step(&mut |done| {
                progress.reach(done);
                progress.show(&format!("{value} cp {line}"));
            });
            let is_stopped = stop.load(Ordering::Relaxed) && builder.positions() < self.positions;
            let continues = matches!(result, Ok(true)) && !is_stopped;
            let is_due = !continues || saved.elapsed() >= SAVE_INTERVAL;
            if is_due && builder.positions() > in_file {
                save(&builder.book(), format, &self.output, false)?;
                progress.clear();
                report(&self.output, lost.drain(..));
                (in_file, saved) = (builder.positions(), Instant::now());
            }
            if !continues {
                progress.clear();
                result.map_err(|error| error.message())?;
                if is_stopped {
                    self.print_stopped(in_file);
                }
                return Ok(!is_stopped);
            }
        }
    }

    /// Reports what an interrupt has left.
    fn print_stopped(&self, positions: usize) {
        let (file, counted) = (self.output.display(), counted(positions as u64, "position"));
        notify(&message!(
            "stopped; {file} has {counted}, and the same command continues it",
            "中断しました。{file}に{positions}局面あります。同じコマンドで続きから作れます"
        ));
    }
}

/// A value, or a question mark.
fn value_text(value: Option<i32>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

/// The first moves of a line.
fn first_moves(line: &[Move]) -> String {
    line.iter().take(4).map(Move::to_string).collect::<Vec<_>>().join(" ")
}
