//! A game as a tree of moves, independent of notation.
//!
//! The first child of a node continues its line, the others begin branches. All moves are legal:
//! they are added by a [`GameCursor`](super::GameCursor) only.

use std::time::Duration;

use super::ending::Ending;
use super::evaluation::Evaluation;
use super::header::Headers;
use crate::position::{Position, Setup};
use crate::types::Move;

/// Identifies a node within its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The move or ending that leads to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStep {
    /// The root: the game begins here.
    Start,
    Move(Move),
    /// The line ends here.
    Ending(Ending),
}

/// A node: a move or an ending, with comments and other data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameNode {
    step: GameStep,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// The time that the step took.
    pub elapsed: Option<Duration>,
    /// Comments for readers.
    pub comments: Vec<String>,
    /// Remarks that programs do not show: `'` in CSA, `#` in KIF.
    pub remarks: Vec<String>,
    pub evaluations: Vec<Evaluation>,
    /// A bookmark.
    pub bookmark: Option<String>,
}

impl GameNode {
    fn new(step: GameStep, parent: Option<NodeId>) -> GameNode {
        GameNode {
            step,
            parent,
            children: Vec::new(),
            elapsed: None,
            comments: Vec::new(),
            remarks: Vec::new(),
            evaluations: Vec::new(),
            bookmark: None,
        }
    }

    pub fn step(&self) -> &GameStep {
        &self.step
    }

    /// The move that leads here, if there is one.
    pub fn mv(&self) -> Option<Move> {
        match self.step {
            GameStep::Move(mv) => Some(mv),
            GameStep::Start | GameStep::Ending(_) => None,
        }
    }

    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The children, the main continuation first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// What can be changed of a node. Its step and its place in the tree cannot, so a game stays a tree of legal moves.
///
/// ```compile_fail
/// use kawasemi::position::Setup;
/// use kawasemi::record::{GameCursor, NodeId};
/// let mut game = GameCursor::new(Setup::startpos()).unwrap().into_game();
/// let other = game.node(NodeId::ROOT).clone();
/// *game.node_mut(NodeId::ROOT) = other;
/// ```
#[derive(Debug)]
pub struct NodeMut<'a> {
    pub elapsed: &'a mut Option<Duration>,
    pub comments: &'a mut Vec<String>,
    pub remarks: &'a mut Vec<String>,
    pub evaluations: &'a mut Vec<Evaluation>,
    pub bookmark: &'a mut Option<String>,
}

/// A game with its branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub headers: Headers,
    start: Setup,
    nodes: Vec<GameNode>,
}

impl GameRecord {
    /// A game without moves, headers and comments. The cursor checks the start position.
    pub(super) fn new(start: Setup) -> GameRecord {
        let root = GameNode::new(GameStep::Start, None);
        GameRecord { headers: Headers::default(), start, nodes: vec![root] }
    }

    /// The start position as a setup.
    pub fn start(&self) -> &Setup {
        &self.start
    }

    /// The start position. It is legal, because only cursors create games.
    pub fn start_position(&self) -> Position {
        Position::from_setup(&self.start).expect("the cursor checked the start")
    }

    pub(super) fn set_start(&mut self, start: Setup) {
        self.start = start;
    }

    /// The node with this id.
    ///
    /// # Panics
    /// If the id is of another game and this one has no such node.
    pub fn node(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.index()]
    }

    /// The node with this id, to change it.
    ///
    /// # Panics
    /// As [`GameRecord::node`].
    pub fn node_mut(&mut self, id: NodeId) -> NodeMut<'_> {
        let GameNode { elapsed, comments, remarks, evaluations, bookmark, .. } =
            &mut self.nodes[id.index()];
        NodeMut { elapsed, comments, remarks, evaluations, bookmark }
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &GameNode)> {
        self.nodes.iter().enumerate().map(|(i, node)| (NodeId(i as u32), node))
    }

    /// The nodes of the main line, including the root and the ending.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.node(id).children.first().copied())
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// The ending of the main line; `None` for an unfinished game.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.node(self.main_line().last()?).step {
            GameStep::Ending(ending) => Some(ending),
            GameStep::Start | GameStep::Move(_) => None,
        }
    }

    /// Moves a node before another child of the same parent, unless it is there already.
    pub(super) fn put_before(&mut self, id: NodeId, other: NodeId) {
        let Some(parent) = self.node(id).parent else { return };
        let children = &mut self.nodes[parent.index()].children;
        let place = |id| children.iter().position(|&child| child == id);
        if let (Some(from), Some(to)) = (place(id), place(other))
            && to < from
        {
            children[to..=from].rotate_right(1);
        }
    }

    /// Replaces an ending by another one.
    pub(super) fn set_ending(&mut self, id: NodeId, ending: Ending) {
        let step = &mut self.nodes[id.index()].step;
        debug_assert!(matches!(step, GameStep::Ending(_)));
        *step = GameStep::Ending(ending);
    }

    /// Appends a child. A move must be legal there.
    pub(super) fn push(&mut self, parent: NodeId, step: GameStep) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("texts of nodes fill memory first"));
        self.nodes.push(GameNode::new(step, Some(parent)));
        self.nodes[parent.index()].children.push(id);
        id
    }
}
