//! A node's value from those of its children, and where to go on. Pure but for the hands that a
//! settled value needs; it must not know of memory.
//!
//! Numbers are added as in any proof-number search, but for children that are much the same or that
//! hang on the same position further down: those count by their maximum, so that what is one
//! problem does not count many times. (After "weak" proof numbers and KomoringHeights.)

use super::expand::{Child, NOBODY};
use super::hands;
use super::value::{FOREVER, INFINITE, NOTHING, Role, Value};
use crate::position::Position;
use crate::types::Hand;

/// Open children that wait count as so much less than one each.
const WAITING_SHARE: u64 = 8;

/// The numbers of a node and where to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// The least of the numbers that the side to move wants small; 0 if it has won.
    pub(super) own: u64,
    /// All of the other numbers together; 0 if it has lost.
    pub(super) other: u64,
    /// The open child to go on with.
    pub(super) best: usize,
    /// The number of the next child that the side to move wants small.
    pub(super) second: u64,
    /// The part of `other` that the best child has no share in.
    pub(super) rest: u64,
}

impl Standing {
    /// Also notes which children wait.
    pub(super) fn of(side: Role, children: &mut [Child]) -> Standing {
        let mut best: Option<usize> = None;
        let (mut second, mut sum, mut most, mut most_but_best, mut waiting) =
            (INFINITE, 0, 0, 0, 0);
        for place in 0..children.len() {
            let child = children[place];
            if child.value.is_won(side) {
                return Standing { own: 0, other: INFINITE, best: place, second, rest: 0 };
            }
            if !child.value.is_open() {
                continue;
            }
            let waits = child.behind != NOBODY && {
                let before = &children[usize::from(child.behind)];
                before.waits || before.value.is_open()
            };
            children[place].waits = waits;
            if waits {
                waiting += 1;
                continue;
            }
            let other = child.value.other(side);
            if child.is_maxed {
                most = most.max(other);
            } else {
                sum = add(sum, other);
            }
            match best {
                Some(leader) if !comes_before(side, &child, &children[leader]) => {
                    second = second.min(child.value.own(side));
                    most_but_best = most_but_best.max(if child.is_maxed { other } else { 0 });
                }
                _ => {
                    if let Some(leader) = best.map(|leader| children[leader]) {
                        second = second.min(leader.value.own(side));
                        let other = leader.value.other(side);
                        most_but_best = most_but_best.max(if leader.is_maxed { other } else { 0 });
                    }
                    best = Some(place);
                }
            }
        }
        let Some(best) = best else {
            return Standing { own: INFINITE, other: 0, best: 0, second, rest: 0 };
        };
        let waiting = if waiting > 0 { (waiting / WAITING_SHARE).max(1) } else { 0 };
        sum = add(sum, waiting);
        let leader = &children[best];
        let rest = if leader.is_maxed {
            sum
        } else {
            add(sum - leader.value.other(side).min(sum), most_but_best)
        };
        Standing { own: leader.value.own(side), other: add(sum, most), best, second, rest }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.own == 0 || self.other == 0
    }

    pub(super) fn pn(&self, side: Role) -> u64 {
        if side == Role::Attacker { self.own } else { self.other }
    }

    pub(super) fn dn(&self, side: Role) -> u64 {
        if side == Role::Attacker { self.other } else { self.own }
    }
}

#[inline(always)]
fn add(a: u64, b: u64) -> u64 {
    (a + b).min(INFINITE - 1)
}

/// Whether the side to move goes on with one child rather than with another.
#[inline(always)]
fn comes_before(side: Role, child: &Child, other: &Child) -> bool {
    let rank =
        |child: &Child| (child.value.own(side), child.value.other(side), child.effort, child.order);
    rank(child) < rank(other)
}

/// The value of a node whose side to move has won or lost by its children. The attacker takes the
/// shortest mate, else every refutation counts; the defender takes the best refutation (one that
/// leans on nothing and holds longest), else the longest mate.
pub(super) fn settle(position: &Position, side: Role, children: &[Child], hand: Hand) -> Value {
    let won = children.iter().any(|child| child.value.is_won(side));
    match (side, won) {
        (Role::Attacker, true) => mate_by_the_shortest(position, children),
        (Role::Attacker, false) => refuted_by_all(position, children, hand),
        (Role::Defender, true) => refuted_by_the_best(position, children, hand),
        (Role::Defender, false) => mate_by_all(position, children),
    }
}

fn mate_by_the_shortest(position: &Position, children: &[Child]) -> Value {
    let mates = children.iter().filter_map(|child| match child.value {
        Value::Mate { plies, hand } => Some((plies, child.mv, hand)),
        _ => None,
    });
    let (plies, mv, hand) = mates.min_by_key(|&(plies, ..)| plies).expect("a child is mate");
    Value::Mate { plies: plies + 1, hand: hands::before(position, mv, hand) }
}

fn mate_by_all(position: &Position, children: &[Child]) -> Value {
    let (mut longest, mut needed) = (0, Hand::EMPTY);
    for child in children {
        if let Value::Mate { plies, hand } = child.value {
            longest = longest.max(plies + 1);
            needed = needed.union(hand);
        }
    }
    Value::Mate { plies: longest, hand: hands::with_all_interpositions(position, needed) }
}

fn refuted_by_all(position: &Position, children: &[Child], own: Hand) -> Value {
    let (mut least, mut leans, mut allowed) = (FOREVER, NOTHING, Hand::FULL);
    for child in children {
        if let Value::NoMate { within, leans_on, hand } = child.value {
            least = least.min(one_more(within));
            leans = leans.min(leans_on);
            allowed = allowed.intersection(hands::before(position, child.mv, hand));
        }
    }
    let hand = if leans == NOTHING { hands::without_new_checks(position, allowed) } else { own };
    Value::NoMate { within: least, leans_on: leans, hand }
}

fn refuted_by_the_best(position: &Position, children: &[Child], own: Hand) -> Value {
    let refutations = children.iter().filter_map(|child| match child.value {
        Value::NoMate { within, leans_on, hand } => Some((leans_on, within, child.mv, hand)),
        _ => None,
    });
    let best = refutations.max_by_key(|&(leans_on, within, ..)| (leans_on, within));
    let (leans_on, within, mv, hand) = best.expect("a child is refuted");
    let hand = if leans_on == NOTHING { hands::leaving_the_drop(position, mv, hand) } else { own };
    Value::NoMate { within: one_more(within), leans_on, hand }
}

/// [`FOREVER`] stays what it is.
fn one_more(within: u16) -> u16 {
    within.saturating_add(1)
}
