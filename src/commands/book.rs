//! The command `book` of the program: looks at opening books, rewrites them, and makes them.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use kawasemi::book::{
    Book, BookEntry, BookFormat, BookWriteError, MemoryBook, UnknownExtension, Validation,
};
use kawasemi::engine::{self, Settings};
use kawasemi::makebook::{BookBuilder, BuildSettings};
use kawasemi::position::{Position, Setup};
use kawasemi::sys::in_file;
use kawasemi::types::Move;

use crate::commands::arguments;
use crate::commands::notice::notice;
use crate::commands::progress_bar::ProgressBar;

/// How long at most what was found while making a book is not in the file.
const SAVE_EVERY: Duration = Duration::from_secs(60);

#[derive(Debug, Subcommand)]
pub enum BookTask {
    /// Say what a file is and what is in it.
    Info {
        /// The book, of any known format.
        file: PathBuf,
    },
    /// Show what a book says of a position.
    Lookup {
        /// The book, of any known format.
        file: PathBuf,
        /// `startpos` or an SFEN, if wanted followed by `moves` and moves.
        #[arg(required = true, num_args = 1..)]
        position: Vec<String>,
    },
    /// Put books together. Of a move that several know, the deeper search counts, else the first.
    Merge {
        /// The books, of any known format.
        #[arg(value_name = "IN", required = true, num_args = 1..)]
        from: Vec<PathBuf>,
        /// The file to write; .db, .ybb or .bin.
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
    },
    /// Rewrite a book in the format that the ending of OUT says: .db, .ybb or .bin.
    Convert {
        /// The book, of any known format.
        #[arg(value_name = "IN")]
        from: PathBuf,
        /// The file to write.
        #[arg(value_name = "OUT")]
        to: PathBuf,
    },
    /// Make a book by searching, or go on with one. May be ended and begun again at any time.
    Make(Making),
}

#[derive(Debug, Args)]
pub struct Making {
    /// The book; .db or .ybb.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// How many positions it shall have.
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// How many are searched for each of them.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Moves to keep of each position.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=600))]
    moves: u16,
    /// Centipawns that a move costs besides what it loses: more make the book broader, fewer deeper.
    #[arg(long, value_name = "CP", default_value_t = 4, value_parser = clap::value_parser!(i32).range(0..))]
    ply_cost: i32,
    /// Search no position behind this move; in a book without numbers, counted from the start.
    #[arg(long, value_name = "PLY", default_value_t = 60)]
    last_ply: u32,
    /// Search no position that is worth so many centipawns to either side.
    #[arg(long, value_name = "CP", default_value_t = 800, value_parser = clap::value_parser!(i32).range(1..))]
    decided: i32,
    /// Where games begin, as for `lookup`, instead of at the start position. May be repeated.
    #[arg(long, value_name = "POSITION")]
    start: Vec<String>,
    /// Threads; one for each processor, at most 32, if nothing is said.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// Size of each thread's transposition table, in mebibytes.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = arguments::hash())]
    hash: usize,
    /// A network file to evaluate with, instead of the one that the engine would use.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
}

impl BookTask {
    pub fn run(self, settings: Settings) -> Result<(), Box<dyn Error>> {
        match self {
            BookTask::Info { file } => info(&file),
            BookTask::Lookup { file, position } => look_up(&file, &position.join(" ")),
            BookTask::Merge { from, output } => rewrite(&from, &output),
            BookTask::Convert { from, to } => rewrite(&[from], &to),
            BookTask::Make(making) => making.run(settings),
        }
    }
}

fn info(file: &Path) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let book = Book::open(file, Validation::Full).map_err(|error| in_file(file, error))?;
    let summary = book.summary();
    let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let mut out = io::stdout().lock();
    writeln!(out, "format     {}", book.format())?;
    writeln!(out, "bytes      {}", book.size())?;
    writeln!(out, "positions  {}", number(summary.positions))?;
    writeln!(out, "moves      {}", number(summary.moves))?;
    let order = if summary.indexed { "no, so it must be indexed when it is opened" } else { "yes" };
    writeln!(out, "in order   {order}")?;
    writeln!(out, "read in    {} ms", start.elapsed().as_millis())?;
    for note in &summary.notes {
        writeln!(out, "note       {note}")?;
    }
    Ok(())
}

fn look_up(file: &Path, position: &str) -> Result<(), Box<dyn Error>> {
    let position = arguments::position(position)?;
    let book = Book::open(file, Validation::Sampled).map_err(|error| in_file(file, error))?;
    let setup = position.setup();
    let found = book.look_up(&setup, None);
    let turned = || Some(book.look_up(&setup.rotate(), None)?.rotate());
    let mut out = io::stdout().lock();
    match found.or_else(turned) {
        None => writeln!(out, "the book does not know {}", position.to_sfen())?,
        Some(entry) => show(&mut out, &position, &entry)?,
    }
    Ok(())
}

fn show(out: &mut impl Write, position: &Position, entry: &BookEntry) -> io::Result<()> {
    let number = |number: Option<String>| number.unwrap_or_else(|| "-".into());
    writeln!(out, "{}", position.to_sfen())?;
    writeln!(out, "move   reply     eval  depth    count")?;
    for mv in &entry.moves {
        let reply = number(mv.reply.map(|reply| reply.to_string()));
        let eval = number(mv.eval.map(|eval| eval.to_string()));
        let depth = number(mv.depth.map(|depth| depth.to_string()));
        let count = number(mv.count.map(|count| count.to_string()));
        let remark = if position.is_legal(mv.mv) { "" } else { "  not legal" };
        let mv = mv.mv.to_string();
        writeln!(out, "{mv:<6} {reply:<6} {eval:>7} {depth:>6} {count:>8}{remark}")?;
    }
    Ok(())
}

fn rewrite(from: &[PathBuf], to: &Path) -> Result<(), Box<dyn Error>> {
    let format = format_of(to)?;
    arguments::check_writable(to)?;
    let mut collection = MemoryBook::default();
    for path in from {
        tell(path, absorb(path, &mut collection)?);
    }
    if collection.is_empty() {
        return Err("no position could be taken over, so no book is written".into());
    }
    save(&collection, format, to, true)?;
    Ok(writeln!(io::stdout(), "{} positions", collection.len())?)
}

fn tell(path: &Path, notes: impl IntoIterator<Item = String>) {
    notes.into_iter().for_each(|note| notice(in_file(path, note)));
}

/// Takes in a whole book, and tells what is wrong with it. Returns what cannot be kept, in words.
fn absorb(path: &Path, collection: &mut MemoryBook) -> Result<Vec<String>, Box<dyn Error>> {
    let book = Book::open(path, Validation::Full).map_err(|error| in_file(path, error))?;
    tell(path, book.summary().notes.clone());
    let mut progress = ProgressBar::new(book.summary().positions.unwrap_or(0) as usize);
    let (mut done, mut renumbered) = (0, 0);
    let mut lost = book.for_each(&mut |setup, entry| {
        renumbered += usize::from(collection.absorb(setup, entry));
        done += 1;
        if done % 10_000 == 0 {
            progress.reach(done);
            progress.show(&path.to_string_lossy());
        }
    });
    progress.clear();
    if book.is_damaged() {
        return Err(in_file(path, "the file was cut off while it was read").into());
    }
    if renumbered > 0 {
        let what = "positions were known before another move; the smaller number is kept";
        lost.push(format!("{renumbered} {what}"));
    }
    Ok(lost)
}

fn format_of(path: &Path) -> Result<BookFormat, String> {
    let format = BookFormat::from_extension(path).ok_or_else(|| in_file(path, UnknownExtension))?;
    match format {
        BookFormat::Sbk => Err(in_file(path, BookWriteError::Sbk)),
        format => Ok(format),
    }
}

fn save(book: &MemoryBook, format: BookFormat, path: &Path, tell: bool) -> Result<(), String> {
    let losses = format.save(book, path).map_err(|error| in_file(path, error))?;
    for sentence in losses.sentences().iter().filter(|_| tell) {
        notice(format_args!("in {format}: {sentence}"));
    }
    Ok(())
}

impl Making {
    fn run(self, mut settings: Settings) -> Result<(), Box<dyn Error>> {
        let format = format_of(&self.output)?;
        if format == BookFormat::Apery {
            return Err("a book to go on with is .db or .ybb; convert it when it is done".into());
        }
        arguments::check_writable(&self.output)?;
        let mut known = MemoryBook::default();
        let lost = match self.output.exists() {
            true => absorb(&self.output, &mut known)?,
            false => Vec::new(),
        };
        settings.eval_file = self.eval.clone().or(settings.eval_file);
        let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
        messages.iter().for_each(notice);
        let starts = self.start.iter().map(|text| Ok(arguments::position(text)?.setup()));
        let mut roots = starts.collect::<Result<Vec<Setup>, Box<dyn Error>>>()?;
        if roots.is_empty() {
            roots.push(Setup::startpos());
        }
        let plan = BuildSettings {
            roots,
            positions: self.positions,
            nodes: self.nodes,
            moves: self.moves.into(),
            ply_cost: self.ply_cost,
            last_ply: self.last_ply,
            decided: self.decided,
            threads: self.threads.unwrap_or(settings.threads),
            hash_mib: self.hash,
            network,
            options: settings.search_options(),
        };
        self.grow(BookBuilder::new(plan, &known)?, format, lost)
    }

    /// `lost` is what the file has that a new one has not.
    fn grow(
        &self,
        mut grower: BookBuilder,
        format: BookFormat,
        mut lost: Vec<String>,
    ) -> Result<(), Box<dyn Error>> {
        let (first, start) = (grower.positions(), Instant::now());
        // A book to which nothing is added stays as it is.
        let mut kept = first;
        let mut progress = ProgressBar::resumed(self.positions, first);
        let mut saved = Instant::now();
        loop {
            let (value, line) = grower.main_line();
            let (value, line) = (spelled(value), shortened(&line));
            let result = grower.step(&mut |done| {
                progress.reach(done);
                progress.show(&format!("{value} cp {line}"));
            });
            let goes_on = matches!(result, Ok(true));
            let is_due = !goes_on || saved.elapsed() >= SAVE_EVERY;
            if is_due && grower.positions() > kept {
                save(&grower.book(), format, &self.output, false)?;
                progress.clear();
                tell(&self.output, lost.drain(..));
                (kept, saved) = (grower.positions(), Instant::now());
            }
            if !goes_on {
                progress.clear();
                result?;
                break;
            }
        }
        let (value, line) = grower.main_line();
        let line: Vec<String> = line.iter().map(Move::to_string).collect();
        let (positions, seconds) = (grower.positions(), start.elapsed().as_secs_f64());
        let mut out = io::stdout().lock();
        writeln!(out, "positions  {positions}, {} of them new", positions - first)?;
        writeln!(out, "time       {seconds:.1} s")?;
        writeln!(out, "value      {} cp", spelled(value))?;
        Ok(writeln!(out, "line       {}", line.join(" "))?)
    }
}

/// A value, if it is known.
fn spelled(value: Option<i32>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

/// The first moves of a line.
fn shortened(line: &[Move]) -> String {
    line.iter().take(4).map(Move::to_string).collect::<Vec<_>>().join(" ")
}
