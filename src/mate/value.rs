//! What is known of a node. Pure arithmetic: it must not know of positions or tables.

use crate::types::Hand;

/// Larger than every proof or disproof number of an open node.
pub const INFINITE: u64 = 1 << 60;
/// "No mate within this many plies" for no mate at all.
pub(super) const FOREVER: u16 = u16::MAX;
/// The depth a disproof leans on when it leans on no position of its path.
pub(super) const NOTHING: u16 = u16::MAX;

/// The value of a node, seen from the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Proof and disproof numbers, both from 1 and below [`INFINITE`].
    Open { pn: u64, dn: u64 },
    /// There is a mate in at most this many plies, on this board also with any other hand of the
    /// attacker that covers `hand` (the defender has the rest).
    Mate { plies: u16, hand: Hand },
    /// There is no mate within this many plies with any hand that `hand` covers, provided that the
    /// positions of the path at depth `leans_on` and below are not reached again to the attacker's
    /// profit.
    NoMate { within: u16, leans_on: u16, hand: Hand },
}

impl Value {
    #[inline(always)]
    pub(super) fn open(pn: u64, dn: u64) -> Value {
        Value::Open { pn: pn.clamp(1, INFINITE - 1), dn: dn.clamp(1, INFINITE - 1) }
    }

    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        matches!(self, Value::Open { .. })
    }

    #[inline(always)]
    pub(super) fn pn(self) -> u64 {
        match self {
            Value::Open { pn, .. } => pn,
            Value::Mate { .. } => 0,
            Value::NoMate { .. } => INFINITE,
        }
    }

    #[inline(always)]
    pub(super) fn dn(self) -> u64 {
        match self {
            Value::Open { dn, .. } => dn,
            Value::Mate { .. } => INFINITE,
            Value::NoMate { .. } => 0,
        }
    }

    /// The number that the side to move wants small: proof for the attacker, disproof else.
    #[inline(always)]
    pub(super) fn own(self, side: Role) -> u64 {
        if side == Role::Attacker { self.pn() } else { self.dn() }
    }

    /// The other number.
    #[inline(always)]
    pub(super) fn other(self, side: Role) -> u64 {
        if side == Role::Attacker { self.dn() } else { self.pn() }
    }

    /// Whether the side to move at the parent gets what it wants here.
    #[inline(always)]
    pub(super) fn is_won(self, side: Role) -> bool {
        self.own(side) == 0
    }

    /// The same of a node at `depth`: a disproof that leans on that node or on deeper ones alone
    /// leans on nothing outside (whoever comes back to it is no further).
    #[inline(always)]
    pub(super) fn at_depth(self, depth: u16) -> Value {
        match self {
            Value::NoMate { within, leans_on, hand } if leans_on >= depth => {
                Value::NoMate { within, leans_on: NOTHING, hand }
            }
            other => other,
        }
    }
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Attacker,
    Defender,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leans_on_the_node_itself_leans_on_nothing_outside() {
        let leaning = |leans_on| Value::NoMate { within: 7, leans_on, hand: Hand::EMPTY };
        assert_eq!(leaning(4).at_depth(4), leaning(NOTHING));
        assert_eq!(leaning(5).at_depth(4), leaning(NOTHING));
        assert_eq!(leaning(4).at_depth(6), leaning(4));
    }

    #[test]
    fn the_numbers_of_an_open_node_never_look_settled() {
        for number in [0, 1, 77, INFINITE, u64::MAX] {
            let value = Value::open(number, number);
            assert!(value.is_open() && !value.is_won(Role::Attacker));
            assert!(value.pn() > 0 && value.dn() < INFINITE);
        }
    }
}
