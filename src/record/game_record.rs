//! A game as a tree of moves, in no notation.
//!
//! The first child of a node continues the main line, the others begin branches. Every move in a
//! tree is legal where it stands: moves enter by a [`GameCursor`](super::GameCursor) only.

use std::time::Duration;

use super::evaluation::Evaluation;
use super::header::Headers;
use super::special_move::SpecialMove;
use crate::position::{Position, Setup};
use crate::types::Move;

/// The name of a node within its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What led to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStep {
    /// Nothing: the game begins here.
    Start,
    Move(Move),
    /// Nothing follows.
    End(SpecialMove),
}

/// A moment of a game: what led there, and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameNode {
    step: GameStep,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// What the step took the player.
    pub elapsed: Option<Duration>,
    /// Lines for whoever reads the game.
    pub comments: Vec<String>,
    /// Lines that programs leave in a file, and do not show: `'` in CSA, `#` in KIF.
    pub remarks: Vec<String>,
    pub evaluations: Vec<Evaluation>,
    /// A name by which the moment is found again.
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

    /// The move that led here, if it was one.
    pub fn mv(&self) -> Option<Move> {
        match self.step {
            GameStep::Move(mv) => Some(mv),
            GameStep::Start | GameStep::End(_) => None,
        }
    }

    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The main continuation first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// A game with its branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub headers: Headers,
    start: Setup,
    nodes: Vec<GameNode>,
}

impl GameRecord {
    /// A game without moves, headers and comments. The start is not looked at here; a
    /// [`GameCursor`](super::GameCursor) refuses one that cannot be played.
    pub(super) fn new(start: Setup) -> GameRecord {
        let root = GameNode::new(GameStep::Start, None);
        GameRecord { headers: Headers::default(), start, nodes: vec![root] }
    }

    /// Where the moves start from.
    pub fn start(&self) -> &Setup {
        &self.start
    }

    /// The position that the moves start from. There always is one: games are begun by cursors
    /// only, and a [`GameCursor`](super::GameCursor) takes no start that cannot be played.
    pub fn start_position(&self) -> Position {
        Position::from_setup(&self.start).expect("a cursor has checked the start")
    }

    pub(super) fn set_start(&mut self, start: Setup) {
        self.start = start;
    }

    pub fn node(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.index()]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut GameNode {
        &mut self.nodes[id.index()]
    }

    /// All nodes with their names, parents before children.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &GameNode)> {
        self.nodes.iter().enumerate().map(|(i, node)| (NodeId(i as u32), node))
    }

    /// The main line from the start, the start itself and the end included.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.node(id).children.first().copied())
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// How the main line ends; `None` for a game that goes on.
    pub fn ending(&self) -> Option<&SpecialMove> {
        match &self.node(self.main_line().last()?).step {
            GameStep::End(special) => Some(special),
            GameStep::Start | GameStep::Move(_) => None,
        }
    }

    /// Puts a node before another one that follows the same parent, unless it stands there already.
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

    /// Puts a node behind the others that follow its parent. A move must be legal there.
    pub(super) fn push(&mut self, parent: NodeId, step: GameStep) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("texts of nodes fill memory first"));
        self.nodes.push(GameNode::new(step, Some(parent)));
        self.nodes[parent.index()].children.push(id);
        id
    }
}
