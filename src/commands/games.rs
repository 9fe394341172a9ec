//! Reads game records, and reports what is skipped.

use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use kawasemi::record::{
    Encoding, ErrorPolicy, GameRecord, GameStream, ReadWarning, RecordFormat, StreamedItem,
};
use kawasemi::sys::{is_stream, open_input, open_stdin};
use kawasemi::types::message::{Message, message};

use crate::commands::notice::{file_error, in_system_language, notice};
use crate::commands::spool::Spool;

/// Maximum number of warnings about one file.
const MAX_WARNINGS: usize = 20;

/// The format and encoding that an extension selects.
pub fn by_extension(path: &Path) -> Option<(RecordFormat, Encoding)> {
    RecordFormat::of_extension(path.extension()?.to_str()?)
}

/// The contents of a file; `-` is standard input.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// Opens a file; `-` is standard input. A source that can be read only once is copied.
fn open(path: &Path) -> io::Result<Box<dyn Source>> {
    let is_stdin = path == Path::new("-");
    if !is_stdin && !is_stream(path) {
        return Ok(Box::new(open_input(path)?));
    }
    let mut spool = Spool::new();
    if is_stdin {
        io::copy(&mut open_stdin()?, &mut spool)?;
    } else {
        io::copy(&mut open_input(path)?, &mut spool)?;
    }
    spool.rewind()?;
    Ok(Box::new(spool))
}

/// Whether a file has nothing but white space.
fn is_empty(input: &mut impl Read) -> io::Result<bool> {
    let mut bytes = [0; 4096];
    loop {
        match input.read(&mut bytes)? {
            0 => return Ok(true),
            read if bytes[..read].trim_ascii().is_empty() => {}
            _ => return Ok(false),
        }
    }
}

/// Prints the warnings about a file, not more than [`MAX_WARNINGS`].
pub struct WarningNotices<'a> {
    path: &'a Path,
    count: usize,
}

impl WarningNotices<'_> {
    pub fn new(path: &Path) -> WarningNotices<'_> {
        WarningNotices { path, count: 0 }
    }

    pub fn add(&mut self, warning: &ReadWarning) {
        self.count += 1;
        if self.count <= MAX_WARNINGS {
            notice(file_error(self.path, &warning.message()));
        }
    }

    /// Prints how many there were beyond the limit. Returns whether there were any.
    pub fn finish(self) -> bool {
        if let Some(more) = self.count.checked_sub(MAX_WARNINGS).filter(|&more| more > 0) {
            let text = message!("{more} more warnings", "ほかに{more}件の警告があります");
            notice(file_error(self.path, &text));
        }
        self.count > 0
    }
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct ReadFile {
    pub path: PathBuf,
    pub games: usize,
    /// Whether something was skipped or changed.
    pub has_losses: bool,
}

/// Reads the games of each file one by one, with warnings about skipped content. If partial games are
/// accepted, unreadable parts of one of several files are skipped with a warning.
pub fn for_each(
    paths: &[PathBuf],
    policy: ErrorPolicy,
    mut take: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Vec<ReadFile>, String> {
    let may_leave_out = policy == ErrorPolicy::KeepPartial && paths.len() > 1;
    let mut files = Vec::new();
    for path in paths {
        let mut file = ReadFile { path: path.clone(), games: 0, has_losses: false };
        match read(&mut file, policy, &mut take) {
            Ok(()) => {}
            Err(ReadFailure::Input(error)) if may_leave_out => {
                notice(error);
                file.has_losses = true;
            }
            Err(ReadFailure::Input(error) | ReadFailure::Consumer(error)) => return Err(error),
        }
        files.push(file);
    }
    let is_empty = files.iter().all(|file| file.games == 0);
    if is_empty {
        let error =
            message!("there is no game in any of the files", "どのファイルにも棋譜がありません");
        return Err(in_system_language(&error));
    }
    Ok(files)
}

/// Reads the games of each file. Skipped files have none.
pub fn read_all(
    paths: &[PathBuf],
    policy: ErrorPolicy,
) -> Result<Vec<(ReadFile, Vec<GameRecord>)>, String> {
    let mut games = Vec::new();
    let files = for_each(paths, policy, |game| {
        games.push(game);
        Ok(())
    })?;
    let mut games = games.into_iter();
    let with_games = |file: ReadFile| {
        let own = games.by_ref().take(file.games).collect();
        (file, own)
    };
    Ok(files.into_iter().map(with_games).collect())
}

enum ReadFailure {
    /// The file cannot be read.
    Input(String),
    /// Its games could not be used.
    Consumer(String),
}

fn read(
    file: &mut ReadFile,
    policy: ErrorPolicy,
    take: &mut impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<(), ReadFailure> {
    let path = file.path.clone();
    let failed = |error: Message| ReadFailure::Input(file_error(&path, &error));
    let refused = |error: io::Error| failed(Message::from(&error));
    let mut input = open(&path).map_err(refused)?;
    if is_empty(&mut input).map_err(refused)? {
        return Err(failed(message!(
            "there is no game in it: it is empty",
            "空のファイルで、棋譜がありません"
        )));
    }
    let expected = by_extension(&path).map(|(format, _)| format);
    let stream = GameStream::open(input, expected, policy);
    let stream = stream.map_err(|error| failed(error.message()))?;
    let mut warnings = WarningNotices::new(&path);
    for item in stream {
        match item.map_err(|error| failed(error.message()))? {
            StreamedItem::Game(game) => {
                file.games += 1;
                take(game).map_err(ReadFailure::Consumer)?;
            }
            StreamedItem::Warning(warning) => warnings.add(&warning),
        }
    }
    file.has_losses |= warnings.finish();
    if file.games == 0 {
        return Err(failed(message!("there is no game in it", "棋譜がありません")));
    }
    Ok(())
}
