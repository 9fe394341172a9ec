//! The games to analyse.

use kawasemi::analysis::{Analyzer, Branch, LineCursor, LineReview, OpeningBook};
use kawasemi::record::GameRecord;

/// A game to analyse, and where it comes from.
pub(super) struct GameSource {
    /// The name of the file without its folder, because the page and the JSON are for others too.
    pub(super) file: String,
    /// Number of the game in its file, from 1; `None` if it is the only one.
    pub(super) number: Option<usize>,
    pub(super) game: GameRecord,
    /// The branches to analyse.
    pub(super) branches: Vec<Branch>,
    /// Number of branches that are not analysed.
    pub(super) left_out: usize,
}

impl GameSource {
    pub(super) fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{} {number}", self.file),
            None => self.file.clone(),
        }
    }

    /// Number of positions to analyse. A branch adds only its own positions.
    pub(super) fn positions(&self) -> usize {
        let branch =
            |branch: &Branch| LineCursor::through(&self.game, branch).moves().len() - branch.ply;
        let main = LineCursor::new(&self.game).moves().len() + 1;
        main + self.branches.iter().map(branch).sum::<usize>()
    }

    /// The review of the main line, then those of the branches in their order.
    pub(super) fn reviews(&self, analyzer: &Analyzer, books: &dyn OpeningBook) -> Vec<LineReview> {
        let results = analyzer.results();
        let branch = |&branch| LineReview::of_branch(&self.game, branch, results, Some(books));
        let main = LineReview::new(&self.game, results, Some(books));
        std::iter::once(main).chain(self.branches.iter().map(branch)).collect()
    }
}
