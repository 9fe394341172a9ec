//! The files to which puzzles are written.

use std::path::{Path, PathBuf};

use kawasemi::record::{Encoding, GameRecord, RecordFormat};
use kawasemi::sys::{is_same_file, write_atomically};
use kawasemi::types::language::{Language, localized};
use kawasemi::types::message::message;

use super::searched_game::FoundPuzzle;
use super::{practice_problem, puzzle_record, shogihome};
use crate::commands::failure::Failure;
use crate::commands::games::ReadFile;
use crate::commands::notice::{file_error, notice, system_error};
use crate::commands::practice::PracticeReport;
use crate::commands::{arguments, games, practice, record_output};

/// A file and the format that its extension selects.
pub struct PuzzleOutput<'a> {
    path: &'a Path,
    format: OutputFormat,
}

enum OutputFormat {
    /// The page for practice.
    Page,
    /// The problem file of ShogiHome.
    ShogiHome,
    Records(RecordFormat, Encoding),
}

impl PuzzleOutput<'_> {
    /// Checks that the file can be written and is not one of the games.
    fn new<'a>(path: &'a Path, files: &[ReadFile]) -> Result<PuzzleOutput<'a>, Failure> {
        let is_json =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let format = if practice::is_page(path) {
            OutputFormat::Page
        } else if is_json {
            OutputFormat::ShogiHome
        } else if let Some((format, encoding)) = games::by_extension(path) {
            OutputFormat::Records(format, encoding)
        } else {
            let must = message!(
                "the name must end in .html, .json, .sfen, .kif, .kifu, .ki2, .ki2u, .csa or .jkf",
                "拡張子は.html、.json、.sfen、.kif、.kifu、.ki2、.ki2u、.csa、.jkfのどれかにしてください"
            );
            return Err(Failure::file_name(path, &must));
        };
        record_output::reject_source(path, files.iter().map(|file| file.path.as_path()))?;
        arguments::check_writable(path)?;
        match format {
            OutputFormat::Page => practice::PAGE.check_overwrite(path)?,
            OutputFormat::ShogiHome => {
                let must = message!(
                    "is not a problem file of ShogiHome; choose another name, or delete it",
                    "ShogiHomeの次の一手問題集ではありません。別の名前にするか、削除してください"
                );
                arguments::check_overwrite(path, shogihome::FORMAT, &must)?;
            }
            OutputFormat::Records(..) if has_content(path) => {
                let warning = message!(
                    "the file exists, and is replaced if puzzles are found",
                    "すでにあるファイルです。問題が見つかれば置き換えます"
                );
                notice(file_error(path, &warning));
            }
            OutputFormat::Records(..) => {}
        }
        Ok(PuzzleOutput { path, format })
    }

    /// Checks all files; none may be given twice.
    pub fn all<'a>(
        paths: &'a [PathBuf],
        files: &[ReadFile],
    ) -> Result<Vec<PuzzleOutput<'a>>, Failure> {
        for (index, path) in paths.iter().enumerate() {
            let is_same = |other: &PathBuf| other == path || is_same_file(other, path);
            if paths[..index].iter().any(is_same) {
                let must = message!("is given twice as an output", "出力に2回指定されています");
                return Err(Failure::file_name(path, &must));
            }
        }
        paths.iter().map(|path| PuzzleOutput::new(path, files)).collect()
    }

    pub fn write(
        &self,
        puzzles: &[FoundPuzzle<'_>],
        language: Option<Language>,
        nodes: u64,
    ) -> Result<(), Failure> {
        match self.format {
            OutputFormat::Page => {
                let title = localized("Puzzles from games", "実戦から作った問題");
                let problems = puzzles.iter().map(practice_problem::of).collect();
                let report = PracticeReport::new(title, problems);
                Ok(practice::save(self.path, &report, language)?)
            }
            OutputFormat::ShogiHome => {
                let text = shogihome::json(puzzles, nodes);
                let written = write_atomically(self.path, text.as_bytes());
                Ok(written.map_err(|error| system_error(self.path, &error))?)
            }
            OutputFormat::Records(format, encoding) => {
                let records: Vec<GameRecord> = puzzles.iter().map(puzzle_record::of).collect();
                let none = message!("no puzzles found", "問題が見つかりませんでした");
                record_output::save_found(self.path, &records, format, encoding, &none)
            }
        }
    }
}

/// Whether this is a file that is not empty.
fn has_content(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0)
}
