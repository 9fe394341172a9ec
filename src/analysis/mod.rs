//! Games looked at move by move: what every position is worth, what each move gave away, and how
//! well each side played.
//!
//! [`Analyzer`] examines the positions of a game, [`LineReview`] judges its moves by what was found, and
//! [`annotate`] writes that into the game. None of them knows of files or of how anything is shown.

mod analysis_score;
mod analyzer;
mod annotate;
mod line_cursor;
mod line_review;
mod position_analysis;
mod rules;
#[cfg(test)]
mod tests;
mod winning_chance;

pub use analysis_score::{AnalysisScore, BoundedScore, WinReason};
pub use analyzer::{AnalysisConfig, AnalysisError, AnalysisLimit, Analyzer};
pub use annotate::{CommentStyle, annotate};
pub use line_cursor::{Branch, LineCursor, PositionKey, branches};
pub use line_review::{Grade, LineReview, MoveLoss, OpeningBook, ReviewedMove, SideStats};
pub use position_analysis::{AnalysisResults, PositionAnalysis, Variation};
pub use winning_chance::winning_chance;
