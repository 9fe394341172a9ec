//! The words that reader and writer share.

use crate::record::ending::Ending;

/// Which of the two notations is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::record) enum KifStyle {
    Kif,
    Ki2,
}

/// The words for endings as a step in KIF. The first of each is written, except for draws.
pub(super) const ENDINGS: &[(Ending, &[&str])] = &[
    (Ending::Resign, &["投了"]),
    (Ending::Interrupted, &["中断"]),
    (Ending::Jishogi, &["持将棋"]),
    (Ending::Draw, &["引き分け", "引分け", "引分"]),
    (Ending::Sennichite, &["千日手"]),
    (Ending::Mate, &["詰み", "詰", "詰め"]),
    (Ending::NoMate, &["不詰", "不詰み"]),
    (Ending::TimeUp, &["切れ負け", "時間切れ", "時間切れ負け", "Time-up"]),
    (Ending::IllegalMove, &["反則負け"]),
    (Ending::Declaration, &["入玉勝ち", "入玉宣言", "入玉宣言勝ち", "宣言勝ち"]),
    (Ending::WinByDefault, &["不戦勝"]),
    (Ending::LossByDefault, &["不戦敗"]),
    (Ending::Matta, &["待った"]),
    (Ending::Error, &["エラー"]),
];

/// An illegal action by the side that is not to move.
pub(super) const ILLEGAL_BEFORE: &str = "反則勝ち";
/// The name of a start position that is not a named handicap, and its names in problems.
pub(super) const OTHER_START: &str = "その他";
pub(super) const PROBLEMS: [&str; 3] = ["詰将棋", "詰将棋問題", "必至問題"];
/// The word for draws of all kinds.
pub(super) const DRAW: &str = "持将棋";
