//! The page of an analysis: the report as one self-contained file.

use std::path::Path;

use kawasemi::types::language::Language;
use kawasemi::types::message::message;

use super::report::AnalysisReport;
use crate::commands::failure::Failure;
use crate::commands::games;
use crate::commands::single_file_page::SingleFilePage;

pub(in crate::commands) const PAGE: SingleFilePage = SingleFilePage {
    generator: "Kawasemi analysis",
    template: include_str!("page.html"),
    style: include_str!("page.css"),
    modules: &[
        include_str!("../../../web/graph.js"),
        include_str!("page_text.js"),
        include_str!("page.js"),
    ],
};

/// Without a language, the page uses the browser's language.
pub(super) fn html(report: &AnalysisReport, language: Option<Language>) -> String {
    PAGE.html(&report.json(), language)
}

/// Checks the path of `--html`: not `-`, which elsewhere means standard output, and not the name of a record, because
/// the shell expands `--html *.kif`.
pub(super) fn check_path(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(Failure::arguments(&message!(
            "--html needs the name of a file: standard output has the table",
            "--htmlにはファイル名が必要です。標準出力には表を書きます"
        )));
    }
    match games::by_extension(path) {
        Some(_) => {
            let error = message!(
                "is a name for records of games, not for a page",
                "棋譜の拡張子です。ページには使えません"
            );
            Err(Failure::file_name(path, &error))
        }
        None => Ok(PAGE.check_overwrite(path)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the page lost a branch that had not been analysed if a bad move came before it.
    #[test]
    fn the_page_handles_an_unfinished_analysis() {
        let script = PAGE.script();
        for (at, call) in script.match_indices("found(") {
            let (_, behind) = script[at + call.len()..].split_once(')').unwrap();
            assert!(!behind.starts_with(['.', '[']), "at byte {at}");
        }
    }
}
