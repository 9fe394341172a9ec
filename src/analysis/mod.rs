//! Game analysis: the score of every position, the loss of each move, and statistics of each side.
//!
//! [`Analyzer`] analyses the positions of a game (`line_analysis` has its passes), [`LineReview`] grades its moves by
//! the results and asks `reasons` why they are bad, and [`annotate`] writes the review into the game. `motifs` finds
//! tactics in lines, `formations` names openings and castles. Files and display are handled elsewhere.

mod accuracy;
mod analysis_score;
mod analyzer;
mod annotate;
mod budget;
mod formations;
mod line_analysis;
mod line_cursor;
mod line_review;
mod motifs;
mod position_analysis;
mod reasons;
mod rules;
mod score_propagation;
#[cfg(test)]
mod tests;
mod win_rate;

pub use analysis_score::{AnalysisScore, BoundedScore, WinReason};
pub use analyzer::{AnalysisConfig, AnalysisError, AnalysisLimit, Analyzer};
pub use annotate::{CommentStyle, annotate};
pub use formations::{Formation, FormationEvent, FormationKind, formations};
pub use line_cursor::{Branch, LineCursor, PositionKey, branches};
pub use line_review::{Grade, LineReview, MoveLoss, OpeningBook, ReviewedMove, SideStats};
pub use motifs::{Motif, motifs};
pub use position_analysis::{AnalysisResults, PositionAnalysis, Variation};
pub use reasons::{Reason, ReasonKind};
pub use win_rate::{human_win_rate, win_rate};
