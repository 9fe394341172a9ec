//! The file to which checked or composed problems are written: records, or the practice page.

use std::path::{Path, PathBuf};

use kawasemi::record::{Encoding, GameRecord, RecordFormat};
use kawasemi::types::language::{Language, localized};
use kawasemi::types::message::message;

use super::written_problem::WrittenProblem;
use super::{check_record, practice_problem};
use crate::commands::failure::Failure;
use crate::commands::notice::notify;
use crate::commands::practice::PracticeReport;
use crate::commands::{arguments, games, practice, record_output};

/// A file and the format that its extension selects.
pub struct ProblemOutput<'a> {
    path: &'a Path,
    /// `None` is the page.
    notation: Option<(RecordFormat, Encoding)>,
}

impl ProblemOutput<'_> {
    /// Checks that the file can be written and is none of the `sources`.
    pub fn new<'a>(path: &'a Path, sources: &[PathBuf]) -> Result<ProblemOutput<'a>, Failure> {
        let notation = games::by_extension(path);
        if notation.is_none() && !practice::is_page(path) {
            let what = message!(
                "the extension must belong to a notation (.kif, .sfen, ...) or be .html",
                "拡張子は棋譜の形式のもの（.kif、.sfenなど）か.htmlです"
            );
            return Err(Failure::file_name(path, &what));
        }
        record_output::reject_source(path, sources.iter().map(PathBuf::as_path))?;
        arguments::check_writable(path)?;
        if notation.is_none() {
            practice::PAGE.check_overwrite(path)?;
        }
        Ok(ProblemOutput { path, notation })
    }

    pub fn save(
        &self,
        problems: &[WrittenProblem<'_>],
        language: Option<Language>,
    ) -> Result<(), Failure> {
        if let Some((format, encoding)) = self.notation {
            let records: Vec<GameRecord> = problems.iter().map(check_record::game).collect();
            let none = message!("no problem found", "問題が見つかりませんでした");
            return record_output::save_found(self.path, &records, format, encoding, &none);
        }
        let mut practised = Vec::new();
        for problem in problems {
            practised.extend(practice_problem::of(problem)?);
        }
        let left_out = problems.len() - practised.len();
        if left_out > 0 {
            notify(&message!(
                "problems without a decided solution left out of the page: {left_out}",
                "解が決まらないのでページに入れなかった問題：{left_out}"
            ));
        }
        let report = PracticeReport::new(localized("Mate problems", "詰将棋"), practised);
        Ok(practice::save(self.path, &report, language)?)
    }
}
