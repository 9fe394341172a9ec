//! Through a game node by node, with the position at each.

use std::time::Duration;

use super::game_record::{GameNode, GameRecord, GameStep, NodeId};
use crate::position::Position;
use crate::types::{ByColor, Color, Square};

/// Visits a line to its end, then goes back to the last branch that is left, and so on: the order
/// in which KIF files tell branches.
pub(super) struct GameWalk<'a> {
    game: &'a GameRecord,
    /// Before the move of the node that was visited last, until it is entered.
    position: Position,
    /// The nodes on the way here, with how many of their children have been visited.
    path: Vec<(NodeId, usize)>,
    /// What each side has spent, at each node of the path.
    spent: Vec<ByColor<Duration>>,
    visited: Option<NodeId>,
    main_line_only: bool,
}

/// What a walk knows of a node besides the node itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisitedNode {
    pub(super) id: NodeId,
    /// Number of the move (or of the end behind it), from 1.
    pub(super) number: usize,
    /// Whether it begins a branch.
    pub(super) is_branch: bool,
    /// Whether a branch beside it is still to come.
    pub(super) branches_follow: bool,
    /// Whose step it is.
    pub(super) side: Color,
    /// Where the move before went to.
    pub(super) last_square: Option<Square>,
    /// What this side has spent in all, this step included: the sum of the whole seconds, as
    /// whoever reads them adds them up.
    pub(super) spent: Duration,
}

impl<'a> GameWalk<'a> {
    /// Stands at the start, whose node is not visited.
    pub(super) fn new(game: &'a GameRecord) -> GameWalk<'a> {
        let position = game.start_position();
        let (path, spent) = (vec![(NodeId::ROOT, 0)], vec![ByColor::default()]);
        GameWalk { game, position, path, spent, visited: None, main_line_only: false }
    }

    pub(super) fn main_line(game: &'a GameRecord) -> GameWalk<'a> {
        GameWalk { main_line_only: true, ..GameWalk::new(game) }
    }

    /// Before the step that was visited last or, if it has been entered, after it.
    pub(super) fn position(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Makes the step that was visited last.
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

    /// The next node, in whose position the walk then stands, before its step.
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
