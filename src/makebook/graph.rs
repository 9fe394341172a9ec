//! A book as a graph of positions with minimax values.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use crate::book::{BookEntry, BookMove, MemoryBook};
use crate::position::{Position, Setup};
use crate::types::Move;

/// Centipawns of a mate on the board, as books write it; a mate in n plies is n less.
pub(super) const MATE: i32 = 32_000;
/// Beyond this, values are mates.
const NEAR_MATE: i32 = 31_000;
/// Evaluations of books are clamped to this. Programs write less, mates included, and there is room
/// beyond it for a value a ply away.
const MAX_EVAL: i32 = 1_000_000;
/// The value of a repetition.
const DRAW: i32 = 0;
/// The value of a leaf of which nothing is known.
const UNKNOWN: i32 = i32::MIN;

/// The positions of a book and the positions after their moves. Values are centipawns for the side
/// to move.
#[derive(Debug, Default)]
pub(super) struct BookGraph {
    nodes: Vec<GraphNode>,
    index_by_key: HashMap<Arc<str>, usize>,
    /// The number of positions with moves.
    positions: usize,
}

#[derive(Debug)]
struct GraphNode {
    /// The SFEN of the position without its move number.
    key: Arc<str>,
    /// The smallest move number; `None` if the position was once added without a number.
    ply: Option<u32>,
    /// Whether its moves are known. If it has none then, its side to move is mated.
    is_expanded: bool,
    edges: Vec<GraphEdge>,
    value: i32,
}

#[derive(Debug)]
struct GraphEdge {
    mv: Move,
    /// The value of the move by the search at its position, for the side that plays it.
    searched_value: i32,
    depth: u32,
    child: usize,
    /// Reply and count from an existing book, which are kept.
    reply: Option<Move>,
    count: Option<u64>,
}

/// A move with its value, by a search or a book: centipawns for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownMove {
    pub(super) mv: Move,
    pub(super) value: i32,
    pub(super) depth: u32,
    pub(super) reply: Option<Move>,
    pub(super) count: Option<u64>,
}

impl KnownMove {
    pub(super) fn searched(mv: Move, value: i32, depth: u32) -> KnownMove {
        KnownMove { mv, value, depth, reply: None, count: None }
    }
}

/// Which leaves are expanded, and in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafSelection {
    /// The cost of each move in centipawns.
    pub(super) ply_cost: i32,
    /// No position after this move number.
    pub(super) last_ply: u32,
    /// No position that is worth at least this many centipawns to either side.
    pub(super) decided: i32,
}

impl BookGraph {
    /// The graph of a book. Impossible positions and illegal moves are left out.
    pub(super) fn of(book: &MemoryBook) -> BookGraph {
        let mut graph = BookGraph::default();
        for (setup, entry) in book.positions() {
            let moves = entry.moves.iter().map(|mv| KnownMove {
                mv: mv.mv,
                value: mv.eval.unwrap_or(DRAW).clamp(-MAX_EVAL, MAX_EVAL),
                depth: mv.depth.unwrap_or(0),
                reply: mv.reply,
                count: mv.count,
            });
            let index = graph.add_with_ply(&setup, entry.ply);
            graph.expand(index, &moves.collect::<Vec<_>>());
        }
        graph
    }

    /// The number of positions that the book has. A mated position has no entry.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Adds a position, unless the graph has it. Returns its index.
    pub(super) fn add(&mut self, setup: &Setup) -> usize {
        self.add_with_ply(setup, Some(setup.game_ply))
    }

    /// [`BookGraph::add`] with this move number, or without one.
    fn add_with_ply(&mut self, setup: &Setup, ply: Option<u32>) -> usize {
        let new = self.nodes.len();
        match self.index_by_key.entry(setup.sfen_without_ply().into()) {
            Entry::Occupied(entry) => {
                let node = &mut self.nodes[*entry.get()];
                node.ply = node.ply.zip(ply).map(|(one, other)| one.min(other));
                *entry.get()
            }
            Entry::Vacant(entry) => {
                let key = Arc::clone(entry.key());
                entry.insert(new);
                let edges = Vec::new();
                self.nodes.push(GraphNode { key, ply, is_expanded: false, edges, value: DRAW });
                new
            }
        }
    }

    /// The position of a node, if it is possible.
    pub(super) fn position(&self, index: usize) -> Option<Position> {
        let node = &self.nodes[index];
        let setup: Setup = node.key.parse().ok()?;
        Position::from_setup(&Setup { game_ply: node.ply.unwrap_or(1), ..setup }).ok()
    }

    /// Gives a leaf its moves. Returns whether it is expanded now: without any legal move it is only
    /// if its side to move is mated.
    pub(super) fn expand(&mut self, index: usize, moves: &[KnownMove]) -> bool {
        if self.nodes[index].is_expanded {
            return false;
        }
        let Some(mut position) = self.position(index) else { return false };
        let has_ply = self.nodes[index].ply.is_some();
        for &KnownMove { mv, value, depth, reply, count } in moves {
            if position.try_play(mv).is_err() {
                continue;
            }
            let setup = position.setup();
            let child = self.add_with_ply(&setup, has_ply.then_some(setup.game_ply));
            position.undo_move(mv);
            let edge = GraphEdge { mv, searched_value: value, depth, child, reply, count };
            self.nodes[index].edges.push(edge);
        }
        // The order of equal moves must not depend on the order in the file of an earlier run.
        self.nodes[index].edges.sort_by_key(|edge| edge.mv.bits());
        let has_moves = !self.nodes[index].edges.is_empty();
        self.nodes[index].is_expanded = has_moves || !position.has_legal_move();
        self.positions += usize::from(has_moves);
        self.nodes[index].is_expanded
    }

    /// Computes the values of all positions from those of the leaves by minimax.
    ///
    /// Positions with moves start as a draw, and rounds of minimax follow until no value changes. So a
    /// repetition is a draw unless a side does better by leaving it. The rounds end because, for every
    /// bound above a draw, the set of positions that reach it only grows from one round to the next,
    /// and for every other bound it only shrinks.
    pub(super) fn update_values(&mut self) {
        for node in &mut self.nodes {
            node.value = match (node.is_expanded, node.edges.is_empty()) {
                (true, true) => -MATE,
                (true, false) => DRAW,
                (false, _) => UNKNOWN,
            };
        }
        // A leaf gets the greatest value that a move to it has, whatever their order.
        for index in 0..self.nodes.len() {
            for edge in 0..self.nodes[index].edges.len() {
                let GraphEdge { searched_value, child, .. } = self.nodes[index].edges[edge];
                let node = &mut self.nodes[child];
                if !node.is_expanded {
                    node.value = node.value.max(value_before(searched_value));
                }
            }
        }
        let mut order: Vec<usize> =
            (0..self.nodes.len()).filter(|&index| !self.nodes[index].edges.is_empty()).collect();
        order.sort_by_key(|&index| Reverse(self.nodes[index].ply));
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &index in &order {
                let value = self.best(index).map_or(-MATE, |edge| self.edge_value(edge));
                has_changed |= value != self.nodes[index].value;
                self.nodes[index].value = value;
            }
        }
    }

    /// The value of a move for the side that plays it.
    fn edge_value(&self, edge: &GraphEdge) -> i32 {
        value_after(self.nodes[edge.child].value)
    }

    /// The best move, the first of equal ones.
    fn best(&self, index: usize) -> Option<&GraphEdge> {
        let edges = self.nodes[index].edges.iter();
        edges.rev().max_by_key(|edge| self.edge_value(edge))
    }

    /// The leaves to expand next, at most `max`, those with the cheapest lines first. Roots have the
    /// move numbers from which positions without a number are counted. Needs up-to-date values.
    pub(super) fn select_leaves(
        &self,
        roots: &[(usize, u32)],
        selection: LeafSelection,
        max: usize,
    ) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut done = HashSet::new();
        // Equal costs are ordered by key, which does not depend on when a position was found.
        let mut open: BinaryHeap<Reverse<(i64, &str, u32, usize)>> = BinaryHeap::new();
        let start = |&(root, ply): &(usize, u32)| Reverse((0, &*self.nodes[root].key, ply, root));
        open.extend(roots.iter().map(start));
        while let Some(Reverse((cost, _, counted, index))) = open.pop() {
            if leaves.len() == max {
                break;
            }
            let node = &self.nodes[index];
            if !done.insert(index) {
                continue;
            }
            let ply = node.ply.unwrap_or(counted);
            if !node.is_expanded {
                let is_decided = node.value != UNKNOWN && node.value.abs() >= selection.decided;
                if ply <= selection.last_ply && !is_decided {
                    leaves.push(index);
                }
                continue;
            }
            for edge in &node.edges {
                let loss = i64::from(node.value) - i64::from(self.edge_value(edge));
                let cost = cost + loss.max(0) + i64::from(selection.ply_cost);
                let key = &*self.nodes[edge.child].key;
                open.push(Reverse((cost, key, ply.saturating_add(1), edge.child)));
            }
        }
        leaves
    }

    /// The value of a position, if it is known, and its principal variation.
    pub(super) fn pv(&self, root: usize) -> (Option<i32>, Vec<Move>) {
        let (mut index, mut moves, mut seen) = (root, Vec::new(), HashSet::new());
        while seen.insert(index)
            && let Some(edge) = self.best(index)
        {
            moves.push(edge.mv);
            index = edge.child;
        }
        let value = self.nodes[root].value;
        ((value != UNKNOWN).then_some(value), moves)
    }

    /// The depth of the best move of each position; 0 for positions without moves. Determined by the leaves alone, so
    /// that a book that was saved and continued has the same depths. A repetition has the depth of its plies.
    fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        let mut is_visited = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let (mut line, mut index) = (Vec::new(), start);
            while !is_visited[index]
                && let Some(best) = self.best(index)
            {
                is_visited[index] = true;
                line.push((index, best));
                index = best.child;
            }
            if let Some(first) = line.iter().position(|&(other, _)| other == index) {
                let plies = (line.len() - first) as u32;
                line.drain(first..).for_each(|(other, _)| depths[other] = plies);
            }
            for (other, best) in line.into_iter().rev() {
                depths[other] = depth_of(best, &depths);
            }
        }
        depths
    }

    /// The book of the graph. Needs up-to-date values.
    pub(super) fn book(&self) -> MemoryBook {
        let depths = self.depths();
        let mut book = MemoryBook::default();
        let has_moves = |&(_, node): &(usize, &GraphNode)| !node.edges.is_empty();
        for (index, node) in self.nodes.iter().enumerate().filter(has_moves) {
            let Some(position) = self.position(index) else { continue };
            let best = self.best(index).map(|edge| edge.mv);
            let mut entry = BookEntry { ply: node.ply, moves: Vec::new() };
            for edge in &node.edges {
                let is_best = best == Some(edge.mv);
                let depth = if is_best { depths[index] } else { depth_of(edge, &depths) };
                entry.add(BookMove {
                    mv: edge.mv,
                    reply: self.best(edge.child).map(|reply| reply.mv).or(edge.reply),
                    eval: Some(self.edge_value(edge)),
                    depth: Some(depth),
                    count: edge.count,
                });
            }
            entry.sort();
            book.insert(&position.setup(), entry);
        }
        book
    }
}

/// The depth of a move outside a repetition of best moves: one more than that of the best move after it, that of its
/// own search if none is known.
fn depth_of(edge: &GraphEdge, depths: &[u32]) -> u32 {
    match depths[edge.child] {
        0 => edge.depth,
        after => after.saturating_add(1),
    }
}

/// The value of a move from the value of the position after it: negated, and a mate one ply farther.
fn value_after(value: i32) -> i32 {
    match -value {
        mate if mate > NEAR_MATE => mate - 1,
        mated if mated < -NEAR_MATE => mated + 1,
        value => value,
    }
}

/// The inverse of [`value_after`].
fn value_before(value: i32) -> i32 {
    match -value {
        mate if mate >= NEAR_MATE => mate + 1,
        mated if mated <= -NEAR_MATE => mated - 1,
        value => value,
    }
}
