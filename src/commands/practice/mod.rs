//! The practice page, on which puzzles are solved on the board: its data, and the file.

mod report;

pub use report::{
    OtherKind, OtherMove, PracticeProblem, PracticeReport, PracticeSource, PracticeStep, spelled,
    spelled_line,
};

use std::path::Path;

use kawasemi::sys::write_atomically;
use kawasemi::types::language::Language;

use crate::commands::notice::system_error;
use crate::commands::single_file_page::SingleFilePage;

pub const PAGE: SingleFilePage = SingleFilePage {
    generator: "Kawasemi practice",
    template: include_str!("page.html"),
    style: include_str!("page.css"),
    modules: &[include_str!("page_text.js"), include_str!("progress.js"), include_str!("page.js")],
};

/// Whether a file name is the name of a page.
pub fn is_page(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|it| it.eq_ignore_ascii_case("html") || it.eq_ignore_ascii_case("htm"))
}

/// Without a language, the page uses the browser's language.
pub fn save(
    path: &Path,
    report: &PracticeReport,
    language: Option<Language>,
) -> Result<(), String> {
    let page = PAGE.html(&report.json(), language);
    write_atomically(path, page.as_bytes()).map_err(|error| system_error(path, &error))
}
