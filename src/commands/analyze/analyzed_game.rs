//! The games to analyse.

use kawasemi::analysis::{Analyzer, Branch, LineCursor, LineReview, OpeningBook, branches};

use crate::commands::source_game::SourceGame;

/// A game to analyse.
pub(super) struct AnalyzedGame {
    pub(super) source: SourceGame,
    /// The branches to analyse.
    pub(super) branches: Vec<Branch>,
    /// Number of branches that are not analysed.
    pub(super) branches_left_out: usize,
}

impl AnalyzedGame {
    /// A game whose main line is analysed, and its branches if `with_branches`.
    pub(super) fn new(source: SourceGame, with_branches: bool) -> AnalyzedGame {
        let all = branches(&source.game);
        let (branches, branches_left_out) =
            if with_branches { (all, 0) } else { (Vec::new(), all.len()) };
        AnalyzedGame { source, branches, branches_left_out }
    }

    /// Number of positions to analyse. A branch adds only its own positions.
    pub(super) fn positions(&self) -> usize {
        let game = &self.source.game;
        let branch =
            |branch: &Branch| LineCursor::of_branch(game, branch).moves().len() - branch.ply;
        let main = LineCursor::new(game).moves().len() + 1;
        main + self.branches.iter().map(branch).sum::<usize>()
    }

    /// The review of the main line, then those of the branches in their order.
    pub(super) fn reviews(&self, analyzer: &Analyzer, books: &dyn OpeningBook) -> Vec<LineReview> {
        let (game, results) = (&self.source.game, analyzer.results());
        let branch = |&branch| LineReview::of_branch(game, branch, results, Some(books));
        let main = LineReview::new(game, results, Some(books));
        std::iter::once(main).chain(self.branches.iter().map(branch)).collect()
    }
}
