//! The page of an analysis: the report as one self-contained file.

use kawasemi::types::language::Language;

use super::report::AnalysisReport;
use crate::commands::single_file_page::SingleFilePage;

/// Each module follows those that it imports from.
pub(in crate::commands) const PAGE: SingleFilePage = SingleFilePage {
    generator: "Kawasemi analysis",
    template: include_str!("page.html"),
    styles: &[include_str!("../../../web/shogi.css"), include_str!("page.css")],
    modules: &[
        include_str!("../../../web/dom.js"),
        include_str!("../../../web/preferences.js"),
        include_str!("../../../web/sfen.js"),
        include_str!("../../../web/transfer.js"),
        include_str!("../../../web/text.js"),
        include_str!("../../../web/piece.js"),
        include_str!("../../../web/board.js"),
        include_str!("../../../web/graph.js"),
        include_str!("../../../web/movelist.js"),
        include_str!("../page_controls.js"),
        include_str!("page_text.js"),
        include_str!("page.js"),
    ],
};

/// Without a language, the page uses the browser's language.
pub(super) fn html(report: &AnalysisReport, language: Option<Language>) -> String {
    PAGE.html(&report.json(), language)
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
