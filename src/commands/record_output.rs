//! Writes game records, and reports what is lost.

use std::fs::OpenOptions;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use kawasemi::record::{
    ConversionLoss, ConversionLosses, Encoding, GameRecord, GameWriter, RecordFormat,
};
use kawasemi::sys::{AtomicFile, is_same_file, is_stream};
use kawasemi::types::message::{Message, message};

use crate::commands::failure::Failure;
use crate::commands::games::ReadFile;
use crate::commands::notice::{file_error, in_system_language, notify, system_error};
use crate::commands::spool::Spool;

/// A file or a stream to which games are written, all at the end.
pub enum RecordOutput {
    File(PathBuf, AtomicFile),
    /// Standard output if there is no path.
    Stream(Option<PathBuf>, Spool),
}

impl RecordOutput {
    /// Opens an output; standard output without a path.
    pub fn create(path: Option<&Path>) -> Result<RecordOutput, String> {
        match path {
            Some(path) if !is_stream(path) => {
                let file = AtomicFile::create(path).map_err(|error| system_error(path, &error))?;
                Ok(RecordOutput::File(path.to_owned(), file))
            }
            path => Ok(RecordOutput::Stream(path.map(Path::to_owned), Spool::new())),
        }
    }

    /// An error of this output, with its path.
    pub fn error(&self, error: &io::Error) -> String {
        match self {
            RecordOutput::File(path, _) | RecordOutput::Stream(Some(path), _) => {
                system_error(path, error)
            }
            RecordOutput::Stream(None, _) => in_system_language(&Message::from(error)),
        }
    }

    /// Writes the games to their destination.
    pub fn commit(self) -> Result<(), Failure> {
        match self {
            RecordOutput::File(path, file) => {
                Ok(file.commit().map_err(|error| system_error(&path, &error))?)
            }
            RecordOutput::Stream(path, mut spool) => {
                spool.rewind()?;
                match path {
                    Some(path) => {
                        let mut out = OpenOptions::new().append(true).open(&path);
                        let copied = out.as_mut().map(|out| io::copy(&mut spool, out));
                        let copied = copied.map_err(|error| system_error(&path, error))?;
                        copied.map_err(|error| system_error(&path, &error))?;
                    }
                    None => {
                        io::copy(&mut spool, &mut io::stdout().lock())?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl Write for RecordOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            RecordOutput::File(_, file) => file.write(bytes),
            RecordOutput::Stream(_, spool) => spool.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            RecordOutput::File(_, file) => file.flush(),
            RecordOutput::Stream(_, spool) => spool.flush(),
        }
    }
}

/// Reports the content of these games that the notation or the encoding cannot hold. `encoding_option` is the option
/// of the command that selects UTF-8.
pub fn report_losses(
    losses: &ConversionLosses,
    format: RecordFormat,
    games: usize,
    encoding_option: Option<&str>,
) {
    for lost in losses.messages() {
        notify(&message!("in {format}: {}", "{format}：{}"; lost));
    }
    if losses.count(ConversionLoss::Characters) > 0 {
        notify(&utf8_hint(format, encoding_option));
    }
    if games > 1 && !format.allows_several_games() {
        notify(&message!(
            "in {format}: other programs may read only the first game of a file",
            "{format}：ほかのプログラムはファイルの最初の棋譜だけを読むかもしれません"
        ));
    }
}

/// How to write every character. An extension selects the encoding only in KIF and KI2.
fn utf8_hint(format: RecordFormat, encoding_option: Option<&str>) -> Message {
    let extension = match format {
        RecordFormat::Kif => Some(".kifu"),
        RecordFormat::Ki2 => Some(".ki2u"),
        _ => None,
    };
    match (encoding_option, extension) {
        (Some(option), Some(extension)) => message!(
            "in {format}: {option} or the extension {extension} selects UTF-8, which has every character",
            "{format}：{option}を付けるか拡張子を{extension}にすると、UTF-8になり、どの文字も書けます"
        ),
        (Some(option), None) => message!(
            "in {format}: {option} selects UTF-8, which has every character",
            "{format}：{option}を付けると、UTF-8になり、どの文字も書けます"
        ),
        (None, Some(extension)) => message!(
            "in {format}: the extension {extension} selects UTF-8, which has every character",
            "{format}：拡張子を{extension}にすると、UTF-8になり、どの文字も書けます"
        ),
        (None, None) => message!(
            "in {format}: the file is in Shift_JIS; KIF (.kifu) is in UTF-8, which has every character",
            "{format}：ファイルはShift_JISです。KIF（.kifu）はUTF-8になり、どの文字も書けます"
        ),
    }
}

/// Whether the output is this input file, possibly read as standard input.
fn is_source(input: &Path, output: &Path) -> bool {
    // Systems without this name cannot identify the file of standard input.
    let input = if input == Path::new("-") { Path::new("/dev/stdin") } else { input };
    is_same_file(input, output)
}

/// Rejects an output that is one of the input files, which may hold more than the output.
pub fn reject_source<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), String> {
    if inputs.into_iter().any(|input| is_source(input, output)) {
        let must = message!(
            "is one of the input files; the output needs another name",
            "読み込むファイルです。出力には別の名前を付けてください"
        );
        return Err(file_error(output, &must));
    }
    Ok(())
}

/// Rejects overwriting an input file if some of its content would be lost.
pub fn reject_lossy_overwrite(
    output: &Path,
    files: &[ReadFile],
    losses: &ConversionLosses,
) -> Result<(), String> {
    let mut replaced = files.iter().filter(|file| is_source(&file.path, output));
    if replaced.any(|file| file.has_losses || !losses.is_empty()) {
        Err(file_error(
            output,
            &message!(
                "is an input file, and the content named above would be lost; --lossy overwrites it anyway",
                "読み込むファイルと同じで、上書きすると上に挙げたものが失われます。--lossyを付けると上書きします"
            ),
        ))
    } else {
        Ok(())
    }
}

/// [`reject_lossy_overwrite`] before the games are written, by a trial of what would be lost.
pub fn check_lossy_overwrite<'a>(
    output: &Path,
    files: &[ReadFile],
    mut games: impl Iterator<Item = &'a GameRecord>,
    format: RecordFormat,
    encoding: Encoding,
) -> Result<(), String> {
    if !files.iter().any(|file| is_source(&file.path, output)) {
        return Ok(());
    }
    let mut trial = GameWriter::new(io::sink(), format, encoding);
    let written = games.try_for_each(|game| trial.write(game));
    let losses = written.and_then(|()| trial.finish());
    let losses = losses.map_err(|error| in_system_language(&Message::from(&error)))?;
    let refused = reject_lossy_overwrite(output, files, &losses);
    if refused.is_err() {
        report_losses(&losses, format, 1, None);
    }
    refused
}

/// Writes what a search found to a file, as [`save`] does. A search that found nothing leaves the file as it was:
/// a record file without a game cannot be read again.
pub fn save_found(
    path: &Path,
    found: &[GameRecord],
    format: RecordFormat,
    encoding: Encoding,
    nothing_found: &Message,
) -> Result<(), Failure> {
    if found.is_empty() {
        let name = path.display();
        notify(&message!("{}; {name} is not written", "{}。{name}は書き出しません"; nothing_found));
        return Ok(());
    }
    save(path, found.iter(), format, encoding)
}

/// Writes games to a file. Reports what the notation cannot hold.
pub fn save<'a>(
    path: &Path,
    mut games: impl Iterator<Item = &'a GameRecord>,
    format: RecordFormat,
    encoding: Encoding,
) -> Result<(), Failure> {
    let mut output = RecordOutput::create(Some(path))?;
    let mut writer = GameWriter::new(&mut output, format, encoding);
    let written = games.try_for_each(|game| writer.write(game));
    let count = writer.games();
    let losses = written.and_then(|()| writer.finish());
    let losses = losses.map_err(|error| system_error(path, &error))?;
    report_losses(&losses, format, count, None);
    output.commit()
}
