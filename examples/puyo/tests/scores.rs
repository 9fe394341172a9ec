//! Scores computed by hand from the tables, and published chains.

use super::engine::chain;
use super::engine::field::Field;

/// The links, the score and the field that is left.
fn fired(field: &str) -> (u32, u32, String) {
    let mut field: Field = field.parse().unwrap();
    let chain = chain::run(&mut field);
    (chain.links, chain.score, field.to_string())
}

#[track_caller]
fn check(field: &str, links: u32, score: u32, left: &str) {
    assert_eq!(fired(field), (links, score, left.to_owned()), "{field}");
}

/// The chain of 19 links by Kenny that the protocol's document writes as a field
/// (<https://github.com/TukamotoRyuzo/upi-protocol>). The score is that of the engine of its author.
#[test]
fn the_score_of_the_published_chain_of_19_links_is_exact() {
    let kenny =
        "pppypppgpypy/yyygyggbgbbb/gggbybbybyyby/bbbpbyypyppyp/pppbyppgpggpg/yyybbggbbbgbg/";
    check(kenny, 19, 175_080, "//////");
}

#[test]
fn a_single_group_scores_by_its_size() {
    check("rrr//////", 0, 0, "rrr//////");
    // 10 for each puyo, times at least 1.
    check("rrrr//////", 1, 40, "//////");
    // Group bonus 2 for five, 3 for six, 7 for ten, 10 from eleven on.
    check("rrrr/r/////", 1, 50 * 2, "//////");
    check("rrr/rrr/////", 1, 60 * 3, "//////");
    check("rrrrr/rrrrr/////", 1, 100 * 7, "//////");
    check("rrrrrr/rrrrr/////", 1, 110 * 10, "//////");
    let full = "rrrrrrrrrrrr/".repeat(6);
    check(&full, 1, 720 * 10, "//////");
}

#[test]
fn groups_that_vanish_together_score_by_their_colours() {
    // Two groups of one colour: no bonus. Two to five colours: 3, 6, 12, 24.
    check("rrrr//rrrr////", 1, 80, "//////");
    check("rrrr/gggg/////", 1, 80 * 3, "//////");
    check("rrrr/gggg/bbbb////", 1, 120 * 6, "//////");
    check("rrrr/gggg/bbbb/yyyy///", 1, 160 * 12, "//////");
    check("rrrr/gggg/bbbb/yyyy/pppp//", 1, 200 * 24, "//////");
    // Five and six puyos in two colours: 2 + 3 + 3.
    check("rrrrr/gggggg/////", 1, 110 * 8, "//////");
}

#[test]
fn each_link_scores_by_its_place_in_the_chain() {
    // Green falls onto green: 40 + 40 * 8.
    check("rrrrg/ggg/////", 2, 40 + 320, "//////");
    // Then blue onto blue: 40 * 16 more.
    check("rrrrg/gggb/bbb////", 3, 40 + 320 + 640, "//////");
}

#[test]
fn garbage_beside_a_group_vanishes_and_counts_nothing() {
    // At the corner it stays.
    check("orrrro/oooo/////", 1, 40, "/o/////");
    check("rrrr/bbbgo/////", 1, 40, "/bbbgo/////");
    check("oooo//////", 0, 0, "oooo//////");
}

#[test]
fn puyos_in_the_hidden_row_neither_connect_nor_vanish() {
    check("gbgbgbgbgrrrr//////", 0, 0, "gbgbgbgbgrrrr//////");
    // What is below vanishes, and the hidden one comes into sight.
    check("gbgbgbgbrrrrr//////", 1, 40, "gbgbgbgbr//////");
    // Garbage there stays until it has fallen.
    check("gbgbgbgbrrrro//////", 1, 40, "gbgbgbgbo//////");
}
