//! Makes a game from its JSON. Every move is checked.

use super::error::{CallError, TreeFault};
use super::game_tree::{GameTree, TreeEvaluation, TreeNode, duration_of};
use super::rules::start;
use crate::position::SfenError;
use crate::record::{Ending, GameCursor, GameRecord, HeaderKey};

pub(super) fn game_of(tree: &GameTree) -> Result<GameRecord, CallError> {
    let mut cursor = GameCursor::new(start(&tree.start)?).map_err(SfenError::Illegal)?;
    for (name, value) in &tree.headers {
        cursor.headers_mut().add(HeaderKey::of_kif(name), value);
    }
    let children = children_of(&tree.nodes)?;
    // A stack of the nodes to add, each with the number of moves before it.
    let mut stack: Vec<(usize, usize)> = tree.nodes.first().map(|_| (0, 0)).into_iter().collect();
    while let Some((at, moves)) = stack.pop() {
        let node = &tree.nodes[at];
        cursor.go_to(moves);
        add(&mut cursor, node).map_err(|reason| CallError::Tree { node: at, reason })?;
        let after = cursor.moves();
        stack.extend(children[at].iter().rev().map(|&child| (child, after)));
    }
    Ok(cursor.into_game())
}

/// The children of every node. All parents stand before them, and only the first has none.
fn children_of(nodes: &[TreeNode]) -> Result<Vec<Vec<usize>>, CallError> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        match node.parent {
            None if at == 0 => {}
            Some(parent) if parent < at && nodes[parent].end.is_none() => children[parent].push(at),
            _ => return Err(CallError::Tree { node: at, reason: TreeFault::Parent }),
        }
    }
    Ok(children)
}

/// Adds a node after the position of the cursor.
fn add(cursor: &mut GameCursor, node: &TreeNode) -> Result<(), TreeFault> {
    match (node.parent, &node.usi, &node.end) {
        (None, None, None) => {}
        (Some(_), Some(mv), None) => {
            let mv = mv.parse().map_err(|_| TreeFault::Move)?;
            cursor.play(mv).map_err(TreeFault::Refused)?;
        }
        (Some(_), None, Some(word)) => {
            let ending = Ending::from_keyword(word).ok_or(TreeFault::Ending)?;
            if !cursor.end(ending) {
                return Err(TreeFault::SecondEnding);
            }
        }
        _ => return Err(TreeFault::Step),
    }
    let elapsed = duration_of(node.seconds)?;
    let evaluations = node.evaluations.iter().map(TreeEvaluation::to_evaluation);
    let evaluations = evaluations.collect::<Result<Vec<_>, _>>()?;
    // Two branches that begin with one move share its node.
    let added = cursor.node_mut();
    *added.elapsed = added.elapsed.or(elapsed);
    added.comments.extend_from_slice(&node.comments);
    added.remarks.extend_from_slice(&node.remarks);
    *added.bookmark = added.bookmark.take().or_else(|| node.bookmark.clone());
    added.evaluations.extend(evaluations);
    Ok(())
}
