//! What is known of a node, and how a node's value follows from its children. Pure arithmetic: it
//! must not know of positions or tables.

/// Larger than every proof or disproof number of an open node.
pub(super) const INFINITE: u32 = u32::MAX / 4;
/// "No mate within this many plies" for no mate at all.
pub(super) const FOREVER: u16 = u16::MAX;
/// The depth a disproof leans on when it leans on no position of its path.
pub(super) const NOTHING: u16 = u16::MAX;

/// The value of a node, seen from the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Proof and disproof numbers, both from 1 and below [`INFINITE`].
    Open { pn: u32, dn: u32 },
    /// There is a mate in at most this many plies.
    Mate { plies: u16 },
    /// There is no mate within this many plies, provided that the positions of the path at depth
    /// `leans_on` and below are not reached again to the attacker's profit.
    NoMate { within: u16, leans_on: u16 },
}

impl Value {
    /// No mate, ever, whatever the path.
    pub(super) const REFUTED: Value = Value::NoMate { within: FOREVER, leans_on: NOTHING };

    pub(super) fn open(pn: u32, dn: u32) -> Value {
        Value::Open { pn: pn.clamp(1, INFINITE - 1), dn: dn.clamp(1, INFINITE - 1) }
    }

    pub(super) fn is_open(self) -> bool {
        matches!(self, Value::Open { .. })
    }

    pub(super) fn pn(self) -> u32 {
        match self {
            Value::Open { pn, .. } => pn,
            Value::Mate { .. } => 0,
            Value::NoMate { .. } => INFINITE,
        }
    }

    pub(super) fn dn(self) -> u32 {
        match self {
            Value::Open { dn, .. } => dn,
            Value::Mate { .. } => INFINITE,
            Value::NoMate { .. } => 0,
        }
    }

    /// The number that the side to move wants small: proof for the attacker, disproof else.
    pub(super) fn own(self, side: Role) -> u32 {
        if side == Role::Attacker { self.pn() } else { self.dn() }
    }

    /// The other number.
    pub(super) fn other(self, side: Role) -> u32 {
        if side == Role::Attacker { self.dn() } else { self.pn() }
    }

    /// Whether the side to move at the parent gets what it wants here.
    pub(super) fn is_won(self, side: Role) -> bool {
        self.own(side) == 0
    }

    /// The same of a node at `depth`: a disproof that leans on that node or on deeper ones alone
    /// leans on nothing outside (whoever comes back to it is no further).
    pub(super) fn at_depth(self, depth: u16) -> Value {
        match self {
            Value::NoMate { within, leans_on } if leans_on >= depth => {
                Value::NoMate { within, leans_on: NOTHING }
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

/// The value that settled children give a node whose side to move has no open one left.
///
/// The attacker takes the shortest mate, else every refutation counts; the defender takes the best
/// refutation (one that leans on nothing and holds longest), else the longest mate.
pub(super) fn settled(side: Role, children: impl Iterator<Item = Value>) -> Value {
    let mut best: Option<Value> = None;
    for child in children {
        best = Some(match (best, side) {
            (None, _) => child,
            (Some(best), Role::Attacker) => for_attacker(best, child),
            (Some(best), Role::Defender) => for_defender(best, child),
        });
    }
    match best {
        Some(Value::Mate { plies }) => Value::Mate { plies: plies.saturating_add(1) },
        // `FOREVER` stays what it is.
        Some(Value::NoMate { within, leans_on }) => {
            Value::NoMate { within: within.saturating_add(1), leans_on }
        }
        Some(open) => open,
        None if side == Role::Attacker => Value::REFUTED,
        None => Value::Mate { plies: 0 },
    }
}

fn for_attacker(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Mate { plies: a }, Value::Mate { plies: b }) => Value::Mate { plies: a.min(b) },
        (Value::Mate { .. }, _) => a,
        (_, Value::Mate { .. }) => b,
        (Value::NoMate { within: a, leans_on: c }, Value::NoMate { within: b, leans_on: d }) => {
            Value::NoMate { within: a.min(b), leans_on: c.min(d) }
        }
        (Value::Open { .. }, _) => a,
        (_, Value::Open { .. }) => b,
    }
}

fn for_defender(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::NoMate { within: x, leans_on: c }, Value::NoMate { within: y, leans_on: d }) => {
            if (d, y) > (c, x) { b } else { a }
        }
        (Value::NoMate { .. }, _) => a,
        (_, Value::NoMate { .. }) => b,
        (Value::Mate { plies: x }, Value::Mate { plies: y }) => Value::Mate { plies: x.max(y) },
        (Value::Open { .. }, _) => a,
        (_, Value::Open { .. }) => b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_mate(within: u16, leans_on: u16) -> Value {
        Value::NoMate { within, leans_on }
    }

    fn mate(plies: u16) -> Value {
        Value::Mate { plies }
    }

    #[test]
    fn the_attacker_takes_the_shortest_mate_and_the_defender_the_longest() {
        let mates = [mate(4), mate(2), mate(6)];
        assert_eq!(settled(Role::Attacker, mates.into_iter()), mate(3));
        assert_eq!(settled(Role::Defender, mates.into_iter()), mate(7));
    }

    #[test]
    fn a_side_without_moves_has_lost() {
        assert_eq!(settled(Role::Attacker, [].into_iter()), Value::REFUTED);
        assert_eq!(settled(Role::Defender, [].into_iter()), mate(0));
    }

    #[test]
    fn an_attackers_node_is_refuted_no_farther_than_its_weakest_check() {
        let children = [Value::REFUTED, no_mate(FOREVER, 6), no_mate(5, 4)];
        assert_eq!(settled(Role::Attacker, children.into_iter()), no_mate(6, 4));
    }

    #[test]
    fn a_defenders_node_keeps_the_refutation_that_leans_on_nothing() {
        let children = [no_mate(FOREVER, 6), no_mate(5, NOTHING), no_mate(3, NOTHING), mate(2)];
        assert_eq!(settled(Role::Defender, children.into_iter()), no_mate(6, NOTHING));
    }

    #[test]
    fn what_leans_on_the_node_itself_leans_on_nothing_outside() {
        assert_eq!(no_mate(FOREVER, 4).at_depth(4), Value::REFUTED);
        assert_eq!(no_mate(FOREVER, 4).at_depth(6), no_mate(FOREVER, 4));
    }
}
