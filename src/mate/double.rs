//! One problem counted twice: where two lines from a node meet again further down, its numbers grow
//! with every meeting though there is only one thing to prove. The node is found by going up from
//! the meeting place along the parents that the table remembers; there both lines then count by
//! their maximum. (After KomoringHeights; the source-node detection of Kishimoto and Mueller.)

use super::dfpn::Frame;
use super::estimate::UNIT;
use super::expand::{Child, mark};
use super::path::Path;
use super::table::{Key, NO_SLOT, Table};
use super::value::Role;

/// Numbers that grow by more than this from a node to its parent are made of other things besides,
/// so that what is counted twice there does no harm.
const TRIBUTARY: u64 = 3 * UNIT;

/// Looks whether the best child of the last node was searched from elsewhere, and where the path
/// and that other line part.
pub(super) fn uncouple(
    table: &Table,
    path: &Path,
    stack: &mut [Frame],
    arena: &mut [Child],
    (side, best): (Role, usize),
) {
    let Some(last) = stack.last() else { return };
    let child = &arena[last.children + best];
    if child.parent == NO_SLOT || child.parent == last.slot {
        return;
    }
    if let Some(fork) = find_fork(table, path, child, side)
        && is_open_to(stack, fork.depth, path.depth())
    {
        let end = stack[fork.depth + 1].children;
        let frame = &mut stack[fork.depth];
        let children = &mut arena[frame.children..end];
        let others = children.iter().position(|child| child.key == fork.child);
        for place in [Some(frame.current), others].into_iter().flatten() {
            frame.marks |= mark(place);
            children[place].is_maxed = true;
        }
    }
}

/// Where two lines part.
struct Fork {
    /// The depth on the path.
    depth: usize,
    /// The first position of the other line.
    child: Key,
}

fn find_fork(table: &Table, path: &Path, child: &Child, side: Role) -> Option<Fork> {
    let mut below = (child.key, (child.value.pn(), child.value.dn()));
    let mut last: Option<(u64, u64)> = None;
    let (mut by_pn, mut by_dn) = (true, true);
    let (mut slot, mut side) = (child.parent, side);
    for _ in 0..path.depth() {
        if slot == NO_SLOT || !table.has(slot) {
            return None;
        }
        if let Some((pn, dn)) = last {
            by_pn &= below.1.0 <= pn + TRIBUTARY;
            by_dn &= below.1.1 <= dn + TRIBUTARY;
        }
        let counts = if side == Role::Attacker { by_dn } else { by_pn };
        if !by_pn && !by_dn {
            return None;
        }
        let above = table.at(slot);
        if let Some(depth) = path.find(above.0) {
            let fork = Fork { depth: usize::from(depth), child: below.0 };
            return (counts && depth < path.depth()).then_some(fork);
        }
        last = Some(below.1);
        (below, slot) = (above, table.parent(slot));
        side = if side == Role::Attacker { Role::Defender } else { Role::Attacker };
    }
    None
}

/// Whether the path down from a fork has no tributary of the kind that counts at the fork.
fn is_open_to(stack: &[Frame], fork: usize, depth: u16) -> bool {
    let same_side = (fork + 2..usize::from(depth)).step_by(2);
    same_side.into_iter().all(|depth| stack[depth].rest <= TRIBUTARY)
}
