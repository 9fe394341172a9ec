//! Traverses a game tree with the position at each node.

use std::time::Duration;

use super::game_record::{GameNode, GameRecord, GameStep, NodeId};
use crate::position::Position;
use crate::types::{ByColor, Color, Square};

/// Visits a line to its end, then goes back to the last remaining branch, and so on: the order of
/// branches in KIF files.
pub(super) struct GameWalk<'a> {
    game: &'a GameRecord,
    /// The position before the step of the last visited node, until it is entered.
    position: Position,
    /// The nodes from the root to here, each with its number of visited children.
    path: Vec<(NodeId, usize)>,
    /// The time spent by each side, at each node of the path.
    spent: Vec<ByColor<Duration>>,
    visited: Option<NodeId>,
    main_line_only: bool,
}

/// A visited node.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisitedNode {
    pub(super) id: NodeId,
    /// Number of the move or the ending, from 1.
    pub(super) number: usize,
    /// Whether it begins a branch.
    pub(super) is_branch: bool,
    /// Whether another branch from the same parent follows.
    pub(super) branches_follow: bool,
    /// The side to move.
    pub(super) side: Color,
    /// The destination of the move before.
    pub(super) last_square: Option<Square>,
    /// The total time of this side, including this step, as a sum of whole seconds.
    pub(super) spent: Duration,
}

impl<'a> GameWalk<'a> {
    /// At the root, which is not visited.
    pub(super) fn new(game: &'a GameRecord) -> GameWalk<'a> {
        let position = game.start_position();
        let (path, spent) = (vec![(NodeId::ROOT, 0)], vec![ByColor::default()]);
        GameWalk { game, position, path, spent, visited: None, main_line_only: false }
    }

    pub(super) fn main_line(game: &'a GameRecord) -> GameWalk<'a> {
        GameWalk { main_line_only: true, ..GameWalk::new(game) }
    }

    /// The position before the last visited step or, if it has been entered, after it.
    pub(super) fn position(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Makes the step of the last visited node.
    pub(super) fn enter(&mut self) {
        let Some(id) = self.visited.take() else { return };
        let node = self.game.node(id);
        let mut spent = *self.spent.last().expect("the start has its entry");
        let side = self.position.side_to_move();
        spent[side] = spent[side].saturating_add(whole_seconds(node));
        if let GameStep::Move(mv) = *node.step() {
            self.position.do_move(mv);
        }
        self.path.push((id, 0));
        self.spent.push(spent);
    }

    /// The next node. The walk is then before its step.
    pub(super) fn next(&mut self) -> Option<VisitedNode> {
        self.enter();
        loop {
            let (here, seen) = self.path.last_mut()?;
            let (parent, nth) = (*here, *seen);
            *seen += 1;
            let children = self.game.node(parent).children();
            let wanted = if self.main_line_only { children.get(..1) } else { Some(children) };
            if let Some(&id) = wanted.and_then(|children| children.get(nth)) {
                self.visited = Some(id);
                return Some(self.visit(id, parent, nth));
            }
            self.path.pop();
            self.spent.pop();
            if let Some(mv) = self.game.node(parent).mv() {
                self.position.undo_move(mv);
            }
        }
    }

    fn visit(&self, id: NodeId, parent: NodeId, nth: usize) -> VisitedNode {
        let node = self.game.node(id);
        let side = self.position.side_to_move();
        let spent = self.spent.last().expect("the start has its entry")[side];
        VisitedNode {
            id,
            number: self.path.len(),
            is_branch: nth > 0,
            branches_follow: nth + 1 < self.game.node(parent).children().len(),
            side,
            last_square: self.game.node(parent).mv().map(|mv| mv.to()),
            spent: spent.saturating_add(whole_seconds(node)),
        }
    }
}

fn whole_seconds(node: &GameNode) -> Duration {
    Duration::from_secs(node.elapsed.unwrap_or_default().as_secs())
}
