//! A game as JSON: its nodes in one list, so that nothing recurses with the depth of the tree.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::TreeFault;
use crate::position::Position;
use crate::record::{
    Evaluation, EvaluationValue, GameNode, GameRecord, GameStep, NodeId, SpelledMove, is_handicap,
};
use crate::types::{Color, Move};

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct GameTree {
    /// As SFEN.
    pub(super) start: String,
    /// Whether White gives a handicap, for the page only.
    #[serde(skip_deserializing)]
    handicap: bool,
    /// Names, as in KIF, and values.
    #[serde(default)]
    pub(super) headers: Vec<(String, String)>,
    /// The start first. A node follows its parent, and the rest of a line precedes its branches.
    pub(super) nodes: Vec<TreeNode>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct TreeNode {
    /// `None` for the start only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<usize>,
    /// The move that leads here, in USI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usi: Option<String>,
    /// The Japanese name of the move, for the page only.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    ja: Option<String>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    en: Option<String>,
    /// The keyword of the end of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bookmark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) evaluations: Vec<TreeEvaluation>,
}

/// An evaluation from Black's side: centipawns, or the winner of a mate.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct TreeEvaluation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) centipawns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selective_depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rank: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) heading: String,
    pub(super) line: Vec<String>,
}

impl GameTree {
    pub(super) fn of(game: &GameRecord) -> GameTree {
        let headers = game.headers.iter();
        let headers = headers.map(|(key, value)| (key.kif(false).to_owned(), value.to_owned()));
        GameTree {
            start: game.start().to_string(),
            handicap: is_handicap(game.start()),
            headers: headers.collect(),
            nodes: nodes_of(game),
        }
    }
}

/// A step of the traversal of a game.
enum TraversalStep {
    Enter { id: NodeId, parent: Option<usize> },
    TakeBack(Move),
}

fn nodes_of(game: &GameRecord) -> Vec<TreeNode> {
    let mut position = game.start_position();
    let mut nodes = Vec::new();
    let mut stack = vec![TraversalStep::Enter { id: NodeId::ROOT, parent: None }];
    while let Some(step) = stack.pop() {
        match step {
            TraversalStep::TakeBack(mv) => position.undo_move(mv),
            TraversalStep::Enter { id, parent } => {
                let node = game.node(id);
                let here = nodes.len();
                nodes.push(tree_node(node, parent, &position));
                if let Some(mv) = node.mv() {
                    position.do_move(mv);
                    stack.push(TraversalStep::TakeBack(mv));
                }
                let enter = |&id: &NodeId| TraversalStep::Enter { id, parent: Some(here) };
                stack.extend(node.children().iter().rev().map(enter));
            }
        }
    }
    nodes
}

/// `position` is the position before the step.
fn tree_node(node: &GameNode, parent: Option<usize>, position: &Position) -> TreeNode {
    let mut tree_node = TreeNode {
        parent,
        seconds: node.elapsed.map(|time| time.as_secs_f64()),
        comments: node.comments.clone(),
        remarks: node.remarks.clone(),
        bookmark: node.bookmark.clone(),
        evaluations: node.evaluations.iter().map(TreeEvaluation::of).collect(),
        ..TreeNode::default()
    };
    match node.step() {
        GameStep::Start => {}
        GameStep::Ending(end) => tree_node.end = Some(end.keyword()),
        GameStep::Move(mv) => {
            let SpelledMove { usi, ja, en } = SpelledMove::of(position, *mv);
            (tree_node.usi, tree_node.ja, tree_node.en) = (Some(usi), Some(ja), Some(en));
        }
    }
    tree_node
}

/// A time of a tree.
pub(super) fn duration_of(seconds: Option<f64>) -> Result<Option<Duration>, TreeFault> {
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| TreeFault::Time)
}

impl TreeEvaluation {
    fn of(evaluation: &Evaluation) -> TreeEvaluation {
        let mut found = TreeEvaluation {
            depth: evaluation.depth,
            selective_depth: evaluation.selective_depth,
            seconds: evaluation.time.map(|time| time.as_secs_f64()),
            nodes: evaluation.nodes,
            rank: evaluation.rank,
            heading: evaluation.heading.clone(),
            line: evaluation.line.iter().map(Move::to_string).collect(),
            ..TreeEvaluation::default()
        };
        match evaluation.value {
            EvaluationValue::Centipawns(value) => found.centipawns = Some(value),
            EvaluationValue::Mate { winner, plies } => {
                (found.winner, found.plies) = (Some(winner.name().to_owned()), plies);
            }
        }
        found
    }

    /// The evaluation, with its line up to the first unreadable move.
    pub(super) fn to_evaluation(&self) -> Result<Evaluation, TreeFault> {
        let value = match self.winner.as_deref() {
            Some(name) => {
                let winner = Color::ALL.into_iter().find(|color| color.name() == name);
                let winner = winner.ok_or(TreeFault::Winner)?;
                EvaluationValue::Mate { winner, plies: self.plies }
            }
            None => EvaluationValue::Centipawns(self.centipawns.unwrap_or_default()),
        };
        Ok(Evaluation {
            depth: self.depth,
            selective_depth: self.selective_depth,
            time: duration_of(self.seconds)?,
            nodes: self.nodes,
            rank: self.rank,
            heading: self.heading.clone(),
            ..Evaluation::new(value, self.line.iter().map_while(|mv| mv.parse().ok()).collect())
        })
    }
}
