//! The history of the values: a tab-separated table with a line for every batch.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::optimizer::SpsaOptimizer;
use crate::sys;
use crate::tools::files::read_text;

/// The history file of a tuning.
#[derive(Debug)]
pub(super) struct ValueHistory {
    path: PathBuf,
}

impl ValueHistory {
    /// Starts the table with the current values, or keeps the lines before them: a killed tuning may
    /// have written a line that its state does not know.
    pub(super) fn open(path: &Path, optimizer: &SpsaOptimizer) -> io::Result<ValueHistory> {
        let mut text = header(optimizer);
        match read_text(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            old => {
                let old = old?;
                let lines = old.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                let is_known = |line: &&str| pair(line).is_some_and(|pair| pair < optimizer.pairs);
                text.extend(lines.filter(is_known));
            }
        }
        text += &line(optimizer);
        sys::write_atomically(path, text.as_bytes())?;
        Ok(ValueHistory { path: path.into() })
    }

    /// Appends the current values.
    pub(super) fn add(&self, optimizer: &SpsaOptimizer) -> io::Result<()> {
        OpenOptions::new().append(true).open(&self.path)?.write_all(line(optimizer).as_bytes())
    }
}

fn header(optimizer: &SpsaOptimizer) -> String {
    let names: String =
        optimizer.values().map(|(parameter, _)| format!("\t{}", parameter.name)).collect();
    format!("pair\tpoints{names}\n")
}

fn line(optimizer: &SpsaOptimizer) -> String {
    let values: String = optimizer.values().map(|(_, value)| format!("\t{value:.3}")).collect();
    format!("{}\t{}{values}\n", optimizer.pairs, optimizer.net_wins)
}

/// The pair number at the start of a line.
fn pair(line: &str) -> Option<usize> {
    line.split('\t').next()?.parse().ok()
}
