//! The book options of YaneuraOu's version 2, which its users choose by `engine_option_profile.txt`:
//! limits for each colour, and no choice by counts.

use super::definitions::{OPTIONS, option, spin};
use super::option::{OptionGroup, OptionType, UsiOption};
use crate::engine::BookOptionSet;

/// The options that only version 2 has.
pub static BOOK_OPTIONS_V2: [UsiOption; 4] = [
    option(
        "BookEvalBlackDiff",
        OptionGroup::Book,
        spin!(0, 99_999, book.eval_diff.0[0]),
        "As Black (sente), choose among book moves at most this many centipawns below the first.",
        "先手番で、定跡の第1候補との評価値の差がこの値以内の手から選ぶ。",
    ),
    option(
        "BookEvalWhiteDiff",
        OptionGroup::Book,
        spin!(0, 99_999, book.eval_diff.0[1]),
        "As White (gote), choose among book moves at most this many centipawns below the first.",
        "後手番で、定跡の第1候補との評価値の差がこの値以内の手から選ぶ。",
    ),
    option(
        "BookDepthBlackLimit",
        OptionGroup::Book,
        spin!(0, 99_999, book.depth_limit.0[0]),
        "As Black (sente), ignore the book where its first move was searched less deeply; 0 for never.",
        "先手番で、定跡の第1候補の探索の深さがこの値より浅いときは、自分で考える。0なら深さを問わない。",
    ),
    option(
        "BookDepthWhiteLimit",
        OptionGroup::Book,
        spin!(0, 99_999, book.depth_limit.0[1]),
        "As White (gote), ignore the book where its first move was searched less deeply; 0 for never.",
        "後手番で、定跡の第1候補の探索の深さがこの値より浅いときは、自分で考える。0なら深さを問わない。",
    ),
];

/// The options that version 2 does not have.
const ONLY_V1: [&str; 4] =
    ["NarrowBook", "BookEvalDiff", "BookDepthLimit", "ConsiderBookMoveCount"];

/// The options for users with this set of book options, in the order in which they are declared.
pub fn for_users(book_options: BookOptionSet) -> impl Iterator<Item = &'static UsiOption> {
    let is_v2 = book_options == BookOptionSet::V2;
    let last_book_option = OPTIONS.iter().rposition(|option| option.group == OptionGroup::Book);
    let (before, after) = OPTIONS.split_at(last_book_option.map_or(OPTIONS.len(), |last| last + 1));
    let added: &[UsiOption] = if is_v2 { &BOOK_OPTIONS_V2 } else { &[] };
    let is_declared = move |option: &&UsiOption| !(is_v2 && ONLY_V1.contains(&option.name));
    before.iter().filter(is_declared).chain(added).chain(after)
}
