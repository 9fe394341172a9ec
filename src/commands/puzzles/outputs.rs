//! The files to which puzzles are written.

use std::path::Path;

use kawasemi::record::{Encoding, GameRecord, RecordFormat};
use kawasemi::sys::write_atomically;
use kawasemi::types::language::{Language, localized};
use kawasemi::types::message::message;

use super::searched_game::FoundPuzzle;
use super::{practice_problem, puzzle_record, shogihome};
use crate::commands::failure::Failure;
use crate::commands::games::ReadFile;
use crate::commands::notice::{file_error, system_error};
use crate::commands::practice::PracticeReport;
use crate::commands::{arguments, games, practice, record_output, single_file_page};

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
    pub fn new<'a>(path: &'a Path, files: &[ReadFile]) -> Result<PuzzleOutput<'a>, String> {
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
            return Err(file_error(path, &must));
        };
        record_output::reject_source(path, files.iter().map(|file| file.path.as_path()))?;
        arguments::check_writable(path)?;
        if matches!(format, OutputFormat::Page) {
            single_file_page::check_page_overwrite(path)?;
        }
        Ok(PuzzleOutput { path, format })
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
