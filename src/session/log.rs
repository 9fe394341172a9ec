//! The two logs: the raw traffic, and the session in the Thinking Log Format.
//!
//! Each has its own writer thread, so that a full disk, a slow share or a wrong path costs log lines but
//! never a move. An error is reported once for each attempt.
//!
//! The Thinking Log Format is Kifuwarabe's (2022): `# ` marks input, `=` a reply, `?` an error, and
//! `# # ` a note of the engine.

use std::env;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{self, Path, PathBuf};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use crossbeam::channel::Sender;

use crate::sys::{BackgroundWriter, open_log};
use crate::types::printable;

/// Maximum number of bytes waiting for the disk. Further records are dropped.
const MAX_QUEUED: usize = 4 << 20;
/// The beginning of each line of a traffic log.
const TRAFFIC_STARTS: [&str; 2] = ["0000-00-00T00:00:00.000Z > ", "0000-00-00T00:00:00.000Z < "];
/// The first line of a thinking log, a note. It identifies the file; the other lines could begin any text
/// file.
const THINKING_HEAD: &str = "# # log of Kawasemi\n";

/// An entry of the logs.
#[derive(Clone, Copy, Debug)]
pub(super) enum LogEntry<'a> {
    /// A line from the GUI.
    Input(&'a [u8]),
    /// A line to the GUI.
    Output(&'a str),
    /// A line to the GUI with an error message.
    Error(&'a str),
    /// A note that the GUI does not see.
    Note(&'a str),
}

/// Both logs, if they are enabled.
#[derive(Debug)]
pub(super) struct Logs {
    /// The key of protocol lines in the thinking log.
    protocol: &'static str,
    traffic: Option<Log>,
    thinking: Option<Log>,
    /// Receives messages about logs that failed.
    log_errors: Sender<String>,
}

impl Logs {
    /// No log yet. Later errors are sent to `log_errors`.
    pub(super) fn new(protocol: &'static str, log_errors: Sender<String>) -> Logs {
        Logs { protocol, traffic: None, thinking: None, log_errors }
    }

    /// Opens, closes or moves the logs to these paths. A log that failed is tried again.
    pub(super) fn set_paths(&mut self, traffic: Option<&Path>, thinking: Option<&Path>) {
        reopen(&mut self.traffic, traffic, open_traffic, &self.log_errors);
        let is_shared = traffic.zip(thinking).is_some_and(|(one, other)| is_same(one, other));
        if let Some(path) = thinking.filter(|_| is_shared) {
            let why = "DebugLogFile is the same file; set ThinkingLog to another";
            let _ = self.log_errors.send(failure(path, why));
        }
        let thinking = thinking.filter(|_| !is_shared);
        reopen(&mut self.thinking, thinking, open_thinking, &self.log_errors);
    }

    pub(super) fn record(&mut self, entry: LogEntry<'_>) {
        if self.traffic.is_none() && self.thinking.is_none() {
            return;
        }
        let now = SystemTime::now();
        if let Some(log) = &self.traffic
            && let Some(record) = traffic_record(entry, now)
        {
            log.write(record);
        }
        if let Some(log) = &self.thinking {
            log.write(thinking_record(self.protocol, entry, now));
        }
    }

    /// Waits for the writers to finish, for at most `timeout` each.
    pub(super) fn close(&mut self, timeout: Duration) {
        for log in [self.traffic.take(), self.thinking.take()].into_iter().flatten() {
            log.writer.close(timeout);
        }
    }
}

fn reopen(log: &mut Option<Log>, path: Option<&Path>, open: OpenLog, log_errors: &Sender<String>) {
    let is_kept = |log: &Log| Some(log.path.as_path()) == path && !log.writer.has_ended();
    if !log.as_ref().is_some_and(is_kept) {
        *log = path.and_then(|path| Log::open(path.to_owned(), open, log_errors));
    }
}

/// Whether two paths are the same, without access to the disk.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole(one) == whole(other)
}

fn failure(path: &Path, why: impl Display) -> String {
    format!("cannot write the log {}: {why}", path.display())
}

/// Opens a log of one kind.
type OpenLog = fn(&Path) -> io::Result<File>;

fn open_traffic(path: &Path) -> io::Result<File> {
    open_log(path, &TRAFFIC_STARTS).map(|(file, _)| file)
}

fn open_thinking(path: &Path) -> io::Result<File> {
    let (mut file, is_empty) = open_log(path, &[THINKING_HEAD])?;
    if is_empty {
        file.write_all(THINKING_HEAD.as_bytes())?;
    }
    Ok(file)
}

/// One file with its writer.
#[derive(Debug)]
struct Log {
    path: PathBuf,
    writer: BackgroundWriter,
}

impl Log {
    fn open(path: PathBuf, open: OpenLog, log_errors: &Sender<String>) -> Option<Log> {
        let report = {
            let (log_errors, path) = (log_errors.clone(), path.clone());
            move |error: io::Error| _ = log_errors.send(failure(&path, error))
        };
        let target = path.clone();
        let open_here = move || open_somewhere(&target, open).map(BufWriter::new);
        match BackgroundWriter::spawn("log", open_here, report.clone()) {
            Ok(writer) => Some(Log { path, writer }),
            Err(error) => {
                report(error);
                None
            }
        }
    }

    /// Never blocks: a record is dropped if the queue is full or the writer has ended.
    fn write(&self, record: Vec<u8>) {
        if self.writer.backlog() < MAX_QUEUED {
            self.writer.write(record);
        }
    }
}

/// Opens the file as given, or next to the executable if the path is relative and cannot be
/// written.
fn open_somewhere(path: &Path, open: OpenLog) -> io::Result<File> {
    let is_no_log = |error: &io::Error| {
        path.is_dir()
            || matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
    };
    open(path).or_else(|error| match beside_executable(path) {
        Some(beside) if !is_no_log(&error) => open(&beside).map_err(|_| error),
        _ => Err(error),
    })
}

fn beside_executable(path: &Path) -> Option<PathBuf> {
    if path.is_absolute() {
        return None;
    }
    Some(env::current_exe().ok()?.parent()?.join(path))
}

/// `2026-11-20T18:44:03.123Z > usi`: `>` to the engine, `<` from it, as in the logs of GUIs.
fn traffic_record(entry: LogEntry<'_>, now: SystemTime) -> Option<Vec<u8>> {
    let (arrow, text) = match entry {
        LogEntry::Input(bytes) => (b'>', bytes),
        LogEntry::Output(text) | LogEntry::Error(text) => (b'<', text.as_bytes()),
        LogEntry::Note(_) => return None,
    };
    let mut record = timestamp(now, "%Y-%m-%dT%H:%M:%S%.3fZ ").into_bytes();
    record.extend([arrow, b' ']);
    record.extend_from_slice(text);
    record.push(b'\n');
    Some(record)
}

fn thinking_record(protocol: &str, entry: LogEntry<'_>, now: SystemTime) -> Vec<u8> {
    let stamp = timestamp(now, "ts:%s%.3f");
    let text = match entry {
        LogEntry::Input(bytes) => format!("# {}\n", printable(bytes)),
        LogEntry::Output("") => "=\n".into(),
        LogEntry::Output(text) => format!("= {protocol}:{} {stamp}\n", quoted(text)),
        LogEntry::Error(text) => format!("? {protocol}:{} {stamp}\n", quoted(text)),
        LogEntry::Note(text) => format!("# # {}\n", printable(text)),
    };
    text.into_bytes()
}

/// A value of the format: a literal string in single quotes if possible, otherwise a basic string in
/// double quotes.
fn quoted(text: &str) -> String {
    if !text.contains(|c: char| c == '\'' || c.is_control()) {
        return format!("'{text}'");
    }
    let mut value = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => value.extend(['\\', c]),
            c if c.is_control() => _ = write!(value, "\\u{:04x}", u32::from(c)),
            c => value.push(c),
        }
    }
    value + "\""
}

/// The time in UTC, formatted by a pattern of `strftime`.
fn timestamp(now: SystemTime, pattern: &str) -> String {
    DateTime::<Utc>::from(now).format(pattern).to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;
    use std::time::UNIX_EPOCH;

    use crossbeam::channel::unbounded;
    use tempfile::tempdir;

    use super::*;

    fn at(seconds: u64, millis: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(seconds * 1000 + millis)
    }

    #[test]
    fn the_traffic_log_keeps_the_received_bytes() {
        let text = |entry| traffic_record(entry, at(951_782_400, 7));
        let line = [b"2000-02-29T00:00:00.007Z > \xff\x00".as_slice(), b"\n"].concat();
        assert_eq!(text(LogEntry::Input(b"\xff\x00")), Some(line));
        assert_eq!(
            text(LogEntry::Output("usiok")),
            Some(b"2000-02-29T00:00:00.007Z < usiok\n".into())
        );
        assert_eq!(text(LogEntry::Note("thinking")), None);
    }

    #[test]
    fn the_thinking_log_follows_its_grammar() {
        let text = |entry| String::from_utf8(thinking_record("usi", entry, at(12, 5))).unwrap();
        assert_eq!(text(LogEntry::Input(b"go infinite")), "# go infinite\n");
        assert_eq!(text(LogEntry::Output("bestmove 7g7f")), "= usi:'bestmove 7g7f' ts:12.005\n");
        assert_eq!(text(LogEntry::Output("")), "=\n");
        assert_eq!(text(LogEntry::Note("search 3 begins")), "# # search 3 begins\n");
        assert_eq!(text(LogEntry::Error("it's \\wrong")), "? usi:\"it's \\\\wrong\" ts:12.005\n");
    }

    #[test]
    fn logged_text_never_contains_a_line_break() {
        let text = |entry| String::from_utf8(thinking_record("usi", entry, at(0, 0))).unwrap();
        assert_eq!(text(LogEntry::Input(b"a\rb\x0bc\xff")), "# a?b?c\u{fffd}\n");
        assert_eq!(text(LogEntry::Output("a\nb\"")), "= usi:\"a\\u000ab\\\"\" ts:0.000\n");
    }

    #[test]
    fn both_logs_are_written_and_flushed() {
        let folder = tempdir().unwrap();
        let [traffic, thinking] = ["traffic", "thinking"].map(|name| folder.path().join(name));
        let (log_errors, reported) = unbounded();
        let mut logs = Logs::new("usi", log_errors);
        logs.set_paths(Some(&traffic), Some(&thinking));
        logs.record(LogEntry::Input(b"usi"));
        logs.record(LogEntry::Output("usiok"));
        logs.close(Duration::from_secs(10));
        assert_eq!(reported.try_iter().collect::<Vec<_>>(), Vec::<String>::new());
        let written = fs::read_to_string(&traffic).unwrap();
        assert!(written.contains(" > usi\n") && written.ends_with(" < usiok\n"), "{written}");
        let written = fs::read_to_string(&thinking).unwrap();
        assert!(written.starts_with("# # log of Kawasemi\n# usi\n= usi:'usiok' ts:"), "{written}");
    }

    #[test]
    fn a_log_that_cannot_be_opened_is_reported_once_and_blocks_nothing() {
        let (log_errors, reported) = unbounded();
        let mut logs = Logs::new("usi", log_errors);
        logs.set_paths(Some(&env::temp_dir()), None);
        let notice = reported.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(notice.starts_with("cannot write the log "), "{notice}");
        for _ in 0..20_000 {
            logs.record(LogEntry::Input(b"usi"));
        }
        logs.close(Duration::from_secs(10));
        assert!(reported.try_recv().is_err());
    }

    /// Regression: a log was appended to a network that began with a byte of text, and to a book.
    #[test]
    fn a_file_that_is_no_log_of_this_kind_is_not_changed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("book.db");
        let thinking = THINKING_HEAD.as_bytes();
        for bytes in [b"\x16\x2f\xf3\x7a, a network", &b"#YANEURAOU-DB2016 1.00\n"[..], thinking] {
            fs::write(&path, bytes).unwrap();
            let (log_errors, reported) = unbounded();
            let mut logs = Logs::new("usi", log_errors);
            logs.set_paths(Some(&path), None);
            let notice = reported.recv_timeout(Duration::from_secs(10)).unwrap();
            assert!(notice.ends_with("book.db: the file exists and was not begun by this log"));
            logs.record(LogEntry::Input(b"usi"));
            logs.close(Duration::from_secs(10));
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    /// Regression: the log was written to a file of that name next to the executable, without a message.
    #[test]
    fn a_folder_in_place_of_a_log_is_reported() {
        // Relative to the folder of the package, where tests run.
        assert!(open_somewhere(Path::new("src"), open_traffic).is_err());
    }

    #[test]
    fn both_logs_append_to_their_earlier_files() {
        let folder = tempdir().unwrap();
        let paths = ["traffic", "thinking"].map(|name| folder.path().join(name));
        for _ in 0..2 {
            let (log_errors, reported) = unbounded();
            let mut logs = Logs::new("usi", log_errors);
            logs.set_paths(Some(&paths[0]), Some(&paths[1]));
            logs.record(LogEntry::Input(b"usi"));
            logs.close(Duration::from_secs(10));
            assert!(reported.try_recv().is_err());
        }
        let [traffic, thinking] = paths.map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(traffic.matches(" > usi\n").count(), 2, "{traffic}");
        assert_eq!(thinking, format!("{THINKING_HEAD}# usi\n# usi\n"));
    }

    #[test]
    fn both_logs_refuse_to_share_a_file() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("log");
        let (log_errors, reported) = unbounded();
        let mut logs = Logs::new("usi", log_errors);
        logs.set_paths(Some(&path), Some(&path));
        let notice = reported.try_recv().unwrap();
        assert!(
            notice.ends_with("log: DebugLogFile is the same file; set ThinkingLog to another"),
            "{notice}"
        );
        logs.record(LogEntry::Input(b"usi"));
        logs.close(Duration::from_secs(10));
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.ends_with(" > usi\n") && written.lines().count() == 1, "{written}");
    }

    #[test]
    fn a_log_changes_its_file_when_the_option_changes() {
        let folder = tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        let (log_errors, _told) = unbounded();
        let mut logs = Logs::new("usi", log_errors);
        logs.set_paths(Some(&first), None);
        logs.record(LogEntry::Input(b"one"));
        logs.set_paths(Some(&second), None);
        logs.record(LogEntry::Input(b"two"));
        logs.close(Duration::from_secs(10));
        assert!(fs::read_to_string(&second).unwrap().ends_with(" > two\n"));
        let timeout = std::time::Instant::now() + Duration::from_secs(10);
        while !fs::read_to_string(&first).is_ok_and(|text| text.ends_with(" > one\n")) {
            assert!(std::time::Instant::now() < timeout);
            thread::sleep(Duration::from_millis(1));
        }
    }
}
