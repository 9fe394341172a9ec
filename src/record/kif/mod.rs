//! KIF and KI2, the notations of Kakinoki Shogi: the same head and diagrams, the same comments and
//! branches, but moves one a line with times, or many a line as people say them.

mod board;
mod read;
mod write;

pub(super) use read::{is_move_line, read};
pub(super) use write::{Style, write};

use super::Special;

/// The words for endings as a step in KIF; the first of each is written, but for draws.
const ENDINGS: &[(Special, &[&str])] = &[
    (Special::Resign, &["投了"]),
    (Special::Interrupted, &["中断"]),
    (Special::Jishogi, &["持将棋"]),
    (Special::Draw, &["引き分け", "引分け", "引分"]),
    (Special::Sennichite, &["千日手"]),
    (Special::Mate, &["詰み", "詰"]),
    (Special::NoMate, &["不詰", "不詰み"]),
    (Special::TimeUp, &["切れ負け", "時間切れ", "時間切れ負け", "Time-up"]),
    (Special::IllegalMove, &["反則負け"]),
    (Special::Declaration, &["入玉勝ち", "入玉宣言", "宣言勝ち"]),
    (Special::WinByDefault, &["不戦勝"]),
    (Special::LossByDefault, &["不戦敗"]),
    (Special::Matta, &["待った"]),
    (Special::Error, &["エラー"]),
];

/// Said of the side that is not to move, which has broken the rules.
const ILLEGAL_BEFORE: &str = "反則勝ち";
/// What a start is called that is no handicap with a name, and what it is called in a problem.
const OTHER_START: &str = "その他";
const PROBLEMS: [&str; 3] = ["詰将棋", "詰将棋問題", "必至問題"];
/// What is written for draws of all kinds.
const DRAW: &str = "持将棋";
