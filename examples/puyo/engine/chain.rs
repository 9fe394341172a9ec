//! Chains and their scores, by the tables of Puyo Puyo Tsu (<https://puyonexus.com/wiki/Scoring>).

use super::field::{Cells, Field, GROUP, Puyo, group_around, large_groups};

/// Points for which one garbage puyo is sent.
pub const POINTS_PER_GARBAGE: u32 = 70;
/// Points that the next chain has more after the field was empty: thirty garbage puyos.
pub const ALL_CLEAR_POINTS: u32 = 30 * POINTS_PER_GARBAGE;

const POINTS_PER_PUYO: u32 = 10;
const MAX_BONUS: u32 = 999;
/// By the number of colours that vanish together.
const COLOR_BONUS: [u32; 6] = [0, 0, 3, 6, 12, 24];
/// By the size of a group, from four on. It stays at the last value.
const GROUP_BONUS: [u32; 8] = [0, 2, 3, 4, 5, 6, 7, 10];

/// The bonus of a link of a chain, counted from 1.
fn chain_power(link: u32) -> u32 {
    match link {
        0 | 1 => 0,
        2..=4 => 4 << (link - 1),
        _ => 32 * (link - 3),
    }
}

fn group_bonus(size: u32) -> u32 {
    GROUP_BONUS[((size - GROUP) as usize).min(GROUP_BONUS.len() - 1)]
}

/// What became of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// How often groups vanished.
    pub links: u32,
    pub score: u32,
}

/// Lets groups vanish until there are none.
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

/// Lets groups vanish until there are none, beginning with these, and counts the links only.
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

/// The points for what vanishes as this link of a chain.
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
