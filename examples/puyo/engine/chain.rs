//! Chains and their scores, by the tables of Puyo Puyo Tsu (<https://puyonexus.com/wiki/Scoring>).

use super::field::{Cells, Field, MIN_GROUP, Puyo, group_around, large_groups};

/// Points for which one garbage puyo is sent.
pub const POINTS_PER_GARBAGE: u32 = 70;
/// Additional points of the next chain after an all clear: thirty garbage puyos.
pub const ALL_CLEAR_POINTS: u32 = 30 * POINTS_PER_GARBAGE;

const POINTS_PER_PUYO: u32 = 10;
const MAX_BONUS: u32 = 999;
/// The colour bonus by the number of colours that vanish together.
const COLOR_BONUS: [u32; 6] = [0, 0, 3, 6, 12, 24];
/// The group bonus by the size of a group, from four on. Larger groups have the last value.
const GROUP_BONUS: [u32; 8] = [0, 2, 3, 4, 5, 6, 7, 10];

/// The chain power of a link, counted from 1.
fn chain_power(link: u32) -> u32 {
    match link {
        0 | 1 => 0,
        2..=4 => 4 << (link - 1),
        _ => 32 * (link - 3),
    }
}

fn group_bonus(size: u32) -> u32 {
    GROUP_BONUS[((size - MIN_GROUP) as usize).min(GROUP_BONUS.len() - 1)]
}

/// The result of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// The number of times that groups vanished.
    pub links: u32,
    pub score: u32,
}

/// Runs a chain: lets groups vanish until there are none.
pub fn run(field: &mut Field) -> Chain {
    let mut chain = Chain::default();
    loop {
        let groups = field.vanishing();
        if groups == 0 {
            return chain;
        }
        chain.links += 1;
        chain.score += link_score(field, chain.links);
        field.vanish(groups);
    }
}

/// Runs a chain that begins with these groups. Returns the number of links.
#[inline]
pub fn count_links(field: &mut Field, mut groups: Cells) -> u32 {
    let mut links = 0;
    while groups != 0 {
        links += 1;
        field.vanish(groups);
        groups = field.vanishing();
    }
    links
}

/// The score of this link of a chain.
fn link_score(field: &Field, link: u32) -> u32 {
    let (mut puyos, mut colors, mut bonus) = (0, 0, chain_power(link));
    for color in Puyo::COLORS {
        let mut left = large_groups(field.visible_cells(color));
        colors += usize::from(left != 0);
        while left != 0 {
            let group = group_around(left & left.wrapping_neg(), left);
            left &= !group;
            puyos += group.count_ones();
            bonus += group_bonus(group.count_ones());
        }
    }
    bonus += COLOR_BONUS[colors];
    POINTS_PER_PUYO * puyos * bonus.clamp(1, MAX_BONUS)
}
