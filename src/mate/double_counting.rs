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
    let (mut key, mut numbers) = (child.key, (child.value.pn(), child.value.dn()));
    let mut child_numbers: Option<(u64, u64)> = None;
    let (mut pn_grows_little, mut dn_grows_little) = (true, true);
    let (mut parent, mut node_type) = (child.parent, path.node_type());
    for _ in 0..path.depth() {
        if parent == NO_SLOT || !table.contains(parent) {
            return None;
        }
        if let Some((child_pn, child_dn)) = child_numbers {
            let (pn, dn) = numbers;
            pn_grows_little &= pn <= child_pn + MAX_GROWTH;
            dn_grows_little &= dn <= child_dn + MAX_GROWTH;
        }
        if !pn_grows_little && !dn_grows_little {
            return None;
        }
        let (parent_key, parent_numbers) = table.key_and_numbers(parent);
        if let Some(depth) = path.find(parent_key) {
            let delta_grows_little =
                if node_type == NodeType::Or { dn_grows_little } else { pn_grows_little };
            let source = SourceNode { depth: usize::from(depth), child: key };
            return (delta_grows_little && depth < path.depth()).then_some(source);
        }
        child_numbers = Some(numbers);
        (key, numbers) = (parent_key, parent_numbers);
        parent = table.parent(parent);
        node_type = node_type.opposite();
    }
    None
}

/// Whether the delta of the nodes on the path below the source node, of its type, comes mostly from
/// the path itself.
fn grows_little(stack: &[Frame], source: usize) -> bool {
    let same_type = (source + 2..stack.len() - 1).step_by(2);
    same_type.into_iter().all(|index| stack[index].delta_except_best <= MAX_GROWTH)
}
