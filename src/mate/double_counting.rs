//! Double counting: if two lines from a node meet again in one position, the numbers of that position count
//! twice at the node. The node is found by going up from the position along the parents in the proof table;
//! there both lines count by their maximum. (After KomoringHeights; the source-node detection of Kishimoto
//! and Mueller.)

use super::child::{CONVERGING_GROUP, Child, mask_bit};
use super::estimate::UNIT;
use super::frame::Frame;
use super::node_key::NodeKey;
use super::node_value::NodeType;
use super::path::SearchPath;
use super::proof_table::{NO_SLOT, ProofTable};

/// If a number grows by more than this from a node to its parent, it consists mostly of other branches, and
/// double counting does no harm.
const MAX_GROWTH: u64 = 3 * UNIT;

/// Marks the lines that meet in the best child of the last node, if it was also searched from
/// another parent: they count by their maximum at the node where they part.
pub(super) fn resolve(
    table: &ProofTable,
    path: &SearchPath,
    stack: &mut [Frame],
    arena: &mut [Child],
    best: usize,
) {
    let Some(last) = stack.last() else { return };
    let child = &arena[last.children + best];
    if child.parent == NO_SLOT || child.parent == last.slot {
        return;
    }
    // The path may have positions before the root of the search.
    let root_depth = usize::from(path.depth()) + 1 - stack.len();
    if let Some(source) = find_source_node(table, path, child)
        && let Some(index) = source.depth.checked_sub(root_depth)
        && grows_little(stack, index)
    {
        let end = stack[index + 1].children;
        let frame = &mut stack[index];
        let children = &mut arena[frame.children..end];
        let other = children.iter().position(|child| child.key == source.child);
        for index in [Some(frame.current), other].into_iter().flatten() {
            frame.max_mask |= mask_bit(index);
            children[index].max_group = CONVERGING_GROUP;
        }
    }
}

/// The node where two lines part: the source node of the double counting.
struct SourceNode {
    /// Its depth on the path.
    depth: usize,
    /// The first position of the other line.
    child: NodeKey,
}

fn find_source_node(table: &ProofTable, path: &SearchPath, child: &Child) -> Option<SourceNode> {
    let mut below = (child.key, (child.value.pn(), child.value.dn()));
    let mut last: Option<(u64, u64)> = None;
    let (mut by_pn, mut by_dn) = (true, true);
    let (mut slot, mut node_type) = (child.parent, path.node_type());
    for _ in 0..path.depth() {
        if slot == NO_SLOT || !table.has(slot) {
            return None;
        }
        if let Some((pn, dn)) = last {
            by_pn &= below.1.0 <= pn + MAX_GROWTH;
            by_dn &= below.1.1 <= dn + MAX_GROWTH;
        }
        if !by_pn && !by_dn {
            return None;
        }
        let above = table.at(slot);
        if let Some(depth) = path.find(above.0) {
            let counts = if node_type == NodeType::Or { by_dn } else { by_pn };
            let source = SourceNode { depth: usize::from(depth), child: below.0 };
            return (counts && depth < path.depth()).then_some(source);
        }
        last = Some(below.1);
        (below, slot) = (above, table.parent(slot));
        node_type = node_type.opposite();
    }
    None
}

/// Whether the delta of the nodes on the path below the source node, of its type, comes mostly from
/// the path itself.
fn grows_little(stack: &[Frame], source: usize) -> bool {
    let same_type = (source + 2..stack.len() - 1).step_by(2);
    same_type.into_iter().all(|index| stack[index].rest_delta <= MAX_GROWTH)
}
