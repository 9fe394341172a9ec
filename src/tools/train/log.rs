//! The log of a training: one line of tab-separated values per report.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use crate::sys::{self, in_file};
use crate::tools::files::read_text;

/// A line of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogRow {
    pub step: u64,
    pub epoch: f64,
    pub learning_rate: f64,
    /// Mean loss of the training positions since the row before, each before its step.
    pub train_loss: f64,
    /// The following are of held-out positions; see [`ValidationReport`](super::ValidationReport).
    pub loss: f64,
    pub mean_square_error: f64,
    pub outcome_accuracy: f64,
    pub move_agreement: f64,
    /// Since the training was started or resumed.
    pub seconds: f64,
}

const HEADER: &str =
    "step\tepoch\tlearning_rate\ttrain_loss\tloss\terror\toutcomes\tmoves\tseconds";

impl fmt::Display for LogRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogRow { step, epoch, learning_rate, train_loss, .. } = self;
        write!(f, "{step}\t{epoch:.4}\t{learning_rate:.4e}\t{train_loss:.6}\t")?;
        let LogRow { loss, mean_square_error, outcome_accuracy, move_agreement, seconds, .. } =
            self;
        write!(f, "{loss:.6}\t{mean_square_error:.6}\t{outcome_accuracy:.4}\t")?;
        write!(f, "{move_agreement:.4}\t{seconds:.1}")
    }
}

impl LogRow {
    fn parse(line: &str) -> Option<LogRow> {
        let (step, rest) = line.split_once('\t')?;
        let values: Vec<f64> = rest.split('\t').map(str::parse).collect::<Result<_, _>>().ok()?;
        let &[epoch, learning_rate, train_loss, loss, error, outcomes, moves, seconds] =
            &values[..]
        else {
            return None;
        };
        let step = step.parse().ok()?;
        Some(LogRow {
            step,
            epoch,
            learning_rate,
            train_loss,
            loss,
            mean_square_error: error,
            outcome_accuracy: outcomes,
            move_agreement: moves,
            seconds,
        })
    }
}

/// Reads a log. A last line without a line end was interrupted and is ignored.
///
/// # Errors
/// If the file cannot be read or a line is malformed.
pub fn read(path: &Path) -> Result<Vec<LogRow>, String> {
    let text = read_text(path).map_err(|error| in_file(path, error))?;
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines().enumerate();
    let malformed =
        |at: usize| format!("{}, line {}: not a line of a training log", path.display(), at + 1);
    match lines.next() {
        Some((_, HEADER)) => {}
        _ => return Err(malformed(0)),
    }
    lines.map(|(at, line)| LogRow::parse(line).ok_or_else(|| malformed(at))).collect()
}

/// Starts a log, or truncates an existing one after `steps` steps; returns its rows.
pub(super) fn begin(path: &Path, steps: u64) -> Result<Vec<LogRow>, String> {
    let mut rows = if steps > 0 && path.exists() { read(path)? } else { Vec::new() };
    rows.retain(|row| row.step <= steps);
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    // Atomically, or a training killed now would lose its log.
    sys::write_atomically(path, format!("{HEADER}\n{lines}").as_bytes())
        .map_err(|error| in_file(path, error))?;
    Ok(rows)
}

pub(super) fn append(path: &Path, row: &LogRow) -> Result<(), String> {
    let line = format!("{row}\n");
    let append = || OpenOptions::new().append(true).open(path)?.write_all(line.as_bytes());
    append().map_err(|error| in_file(path, error))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn row(step: u64) -> LogRow {
        LogRow {
            step,
            epoch: 0.5,
            learning_rate: 0.001,
            train_loss: 0.25,
            loss: 0.125,
            mean_square_error: 0.0625,
            outcome_accuracy: 0.75,
            move_agreement: 0.25,
            seconds: 12.5,
        }
    }

    #[test]
    fn a_resumed_log_continues_at_the_step_of_its_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.tsv");
        assert_eq!(begin(&path, 0).unwrap(), []);
        [10, 20, 30].into_iter().for_each(|step| append(&path, &row(step)).unwrap());
        assert_eq!(read(&path).unwrap(), [row(10), row(20), row(30)]);
        assert_eq!(begin(&path, 25).unwrap(), [row(10), row(20)]);
        append(&path, &row(30)).unwrap();
        assert_eq!(read(&path).unwrap(), [row(10), row(20), row(30)]);
        fs::write(&path, format!("{HEADER}\n{}\n1\t2\n", row(1))).unwrap();
        assert!(read(&path).unwrap_err().contains(", line 3: not a line"));
        fs::write(&path, "step\n").unwrap();
        assert!(read(&path).unwrap_err().contains(", line 1: not a line"));
        fs::remove_file(&path).unwrap();
        assert!(read(&path).unwrap_err().contains("log.tsv: "));
    }

    #[test]
    fn an_incomplete_last_line_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.tsv");
        fs::write(&path, format!("{HEADER}\n{}\n{}", row(1), row(2))).unwrap();
        assert_eq!(begin(&path, 5).unwrap(), [row(1)]);
        append(&path, &row(2)).unwrap();
        assert_eq!(read(&path).unwrap(), [row(1), row(2)]);
    }

    #[test]
    fn a_training_that_is_killed_while_it_resumes_keeps_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let [path, old] = ["log.tsv", "old.tsv"].map(|name| folder.path().join(name));
        fs::write(&path, format!("{HEADER}\n{}\n{}\n", row(1), row(2))).unwrap();
        // Another name for the file, which shows whether that is written over.
        fs::hard_link(&path, &old).unwrap();
        assert_eq!(begin(&path, 1).unwrap(), [row(1)]);
        assert_eq!(read(&old).unwrap(), [row(1), row(2)]);
    }
}
