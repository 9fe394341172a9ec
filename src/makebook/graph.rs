//! A book as a graph of positions, and what their values are.

use std::cmp::Reverse;
use std::collections::hash_map::Entry as Slot;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use crate::book::{BookEntry, BookMove, MemoryBook, sfen_key};
use crate::position::{Position, Setup};
use crate::types::Move;

/// Centipawns of a mate on the board, as books write it; a mate in n plies is n less.
pub(super) const MATE: i32 = 32_000;
/// Beyond this, values are mates.
const NEAR_MATE: i32 = 31_000;
/// The most that an evaluation of a book is taken for. Programs write less, mates included; and the
/// numbers reach far enough beyond it for a value to be seen from the other side, a ply away.
const GREATEST: i32 = 1_000_000;
/// Of positions that repeat.
const DRAW: i32 = 0;

/// See the module's comment. Values are centipawns for the side to move.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    places: HashMap<Arc<str>, usize>,
    /// How many positions have moves.
    searched: usize,
}

#[derive(Debug)]
struct Node {
    name: Arc<str>,
    /// The least number of its move; `None` if it has been given none somewhere, as it may then be
    /// any.
    ply: Option<u32>,
    /// Whether its moves are known; who has none then is mated.
    is_searched: bool,
    edges: Vec<Edge>,
    value: i32,
}

#[derive(Debug)]
struct Edge {
    mv: Move,
    /// What the search has said of the move, for who plays it.
    said: i32,
    depth: u32,
    child: usize,
    /// What a book has said besides, which is not ours to forget.
    reply: Option<Move>,
    count: Option<u64>,
}

/// A move and what a search or a book says of it: centipawns for who plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) mv: Move,
    pub(super) value: i32,
    pub(super) depth: u32,
    pub(super) reply: Option<Move>,
    pub(super) count: Option<u64>,
}

impl Said {
    /// What a search says.
    pub(super) fn searched(mv: Move, value: i32, depth: u32) -> Said {
        Said { mv, value, depth, reply: None, count: None }
    }
}

/// Which positions may be searched, and in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    /// Centipawns that each move costs.
    pub(super) ply_cost: i32,
    /// No position behind this move.
    pub(super) last_ply: u32,
    /// None that is worth so much to either side.
    pub(super) decided: i32,
}

impl Graph {
    /// The graph of a book. Positions that cannot be, and moves that cannot be played, are left out.
    pub(super) fn of(book: &MemoryBook) -> Graph {
        let mut graph = Graph::default();
        for (setup, entry) in book.setups() {
            let said = entry.moves.iter().map(|mv| Said {
                mv: mv.mv,
                value: mv.eval.unwrap_or(DRAW).clamp(-GREATEST, GREATEST),
                depth: mv.depth.unwrap_or(0),
                reply: mv.reply,
                count: mv.count,
            });
            let place = graph.place_of(&setup, entry.ply);
            graph.learn(place, &said.collect::<Vec<_>>());
        }
        graph
    }

    /// How many positions the book has. Where a side is mated there is nothing to write.
    pub(super) fn searched(&self) -> usize {
        self.searched
    }

    /// The place of a position, which is new if it was not known.
    pub(super) fn place(&mut self, setup: &Setup) -> usize {
        self.place_of(setup, Some(setup.ply))
    }

    /// The same where the number of the move is this, if anything is known of it.
    fn place_of(&mut self, setup: &Setup, ply: Option<u32>) -> usize {
        let new = self.nodes.len();
        match self.places.entry(sfen_key(setup).into()) {
            Slot::Occupied(slot) => {
                let node = &mut self.nodes[*slot.get()];
                node.ply = node.ply.zip(ply).map(|(one, other)| one.min(other));
                *slot.get()
            }
            Slot::Vacant(slot) => {
                let name = Arc::clone(slot.key());
                slot.insert(new);
                let edges = Vec::new();
                self.nodes.push(Node { name, ply, is_searched: false, edges, value: DRAW });
                new
            }
        }
    }

    /// The position of this place, if it can be played on.
    pub(super) fn position(&self, place: usize) -> Option<Position> {
        let node = &self.nodes[place];
        let setup: Setup = node.name.parse().ok()?;
        Position::from_setup(&Setup { ply: node.ply.unwrap_or(1), ..setup }).ok()
    }

    /// Takes in what a search says of the moves of a position. Where it says nothing of a move that
    /// can be played, the position is still to be searched. Returns whether anything was learned.
    pub(super) fn learn(&mut self, place: usize, said: &[Said]) -> bool {
        if self.nodes[place].is_searched {
            return false;
        }
        let Some(mut position) = self.position(place) else { return false };
        let is_numbered = self.nodes[place].ply.is_some();
        for &Said { mv, value, depth, reply, count } in said {
            if position.try_play(mv).is_err() {
                continue;
            }
            let setup = position.setup();
            let child = self.place_of(&setup, is_numbered.then_some(setup.ply));
            position.undo_move(mv);
            self.nodes[place].edges.push(Edge { mv, said: value, depth, child, reply, count });
        }
        // Which of two equals comes first must not hang on how far the book had grown when it was
        // written, whose order a later call reads.
        self.nodes[place].edges.sort_by_key(|edge| edge.mv.bits());
        let has_moves = !self.nodes[place].edges.is_empty();
        self.nodes[place].is_searched = has_moves || !position.has_legal_move();
        self.searched += usize::from(has_moves);
        self.nodes[place].is_searched
    }

    /// Makes the values of all positions follow from those at the ends.
    ///
    /// Positions that repeat are a draw where neither side does better by leaving them: that is what
    /// the values come to if all begin at a draw. (For every bound above a draw, the set of positions
    /// where it can be reached only grows from one round to the next; for every other it shrinks.)
    pub(super) fn settle(&mut self) {
        for node in &mut self.nodes {
            node.value = match (node.is_searched, node.edges.is_empty()) {
                (true, true) => -MATE,
                (true, false) => DRAW,
                // The most that is said of it, so that it does not matter who has said it first.
                (false, _) => i32::MIN,
            };
        }
        for place in 0..self.nodes.len() {
            for edge in 0..self.nodes[place].edges.len() {
                let Edge { said, child, .. } = self.nodes[place].edges[edge];
                let node = &mut self.nodes[child];
                if !node.is_searched {
                    node.value = node.value.max(before(said));
                }
            }
        }
        let mut order: Vec<usize> =
            (0..self.nodes.len()).filter(|&place| !self.nodes[place].edges.is_empty()).collect();
        order.sort_by_key(|&place| Reverse(self.nodes[place].ply));
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &place in &order {
                let value = self.best(place).map_or(-MATE, |edge| self.worth(edge));
                has_changed |= value != self.nodes[place].value;
                self.nodes[place].value = value;
            }
        }
    }

    /// What a move is worth to who plays it.
    fn worth(&self, edge: &Edge) -> i32 {
        after(self.nodes[edge.child].value)
    }

    /// The best move, the first of several.
    fn best(&self, place: usize) -> Option<&Edge> {
        let edges = self.nodes[place].edges.iter();
        edges.rev().max_by_key(|edge| self.worth(edge))
    }

    /// The positions to search next, at most so many, the most promising first. Roots come with the
    /// numbers of their moves, from which moves without a number are counted. Values must be
    /// settled.
    pub(super) fn most_promising(
        &self,
        roots: &[(usize, u32)],
        taste: Taste,
        most: usize,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        let mut done = HashSet::new();
        // By name among equals, which does not hang on when a position was found.
        let mut open: BinaryHeap<Reverse<(i64, &str, u32, usize)>> = BinaryHeap::new();
        let begin = |&(root, ply): &(usize, u32)| Reverse((0, &*self.nodes[root].name, ply, root));
        open.extend(roots.iter().map(begin));
        while let Some(Reverse((cost, _, counted, place))) = open.pop() {
            if found.len() == most {
                break;
            }
            let node = &self.nodes[place];
            if !done.insert(place) {
                continue;
            }
            let ply = node.ply.unwrap_or(counted);
            if !node.is_searched {
                let is_decided = node.value != i32::MIN && node.value.abs() >= taste.decided;
                if ply <= taste.last_ply && !is_decided {
                    found.push(place);
                }
                continue;
            }
            for edge in &node.edges {
                let loss = i64::from(node.value) - i64::from(self.worth(edge));
                let cost = cost + loss.max(0) + i64::from(taste.ply_cost);
                let name = &*self.nodes[edge.child].name;
                open.push(Reverse((cost, name, ply.saturating_add(1), edge.child)));
            }
        }
        found
    }

    /// The value of a position, if anything is known of it, and the line of best moves from it.
    pub(super) fn line(&self, root: usize) -> (Option<i32>, Vec<Move>) {
        let (mut place, mut moves, mut seen) = (root, Vec::new(), HashSet::new());
        while seen.insert(place)
            && let Some(edge) = self.best(place)
        {
            moves.push(edge.mv);
            place = edge.child;
        }
        let value = self.nodes[root].value;
        ((value != i32::MIN).then_some(value), moves)
    }

    /// The book. Values must be settled. The depth of a move is at least that of the best move
    /// behind it and one more.
    pub(super) fn book(&self) -> MemoryBook {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.retain(|&place| !self.nodes[place].edges.is_empty());
        order.sort_by_key(|&place| (Reverse(self.nodes[place].ply), &self.nodes[place].name));
        // Of the best move of each position.
        let mut depths = vec![0; self.nodes.len()];
        let mut book = MemoryBook::default();
        for place in order {
            let Some(position) = self.position(place) else { continue };
            let best = self.best(place).map(|edge| edge.mv);
            let mut entry = BookEntry { ply: self.nodes[place].ply, moves: Vec::new() };
            for edge in &self.nodes[place].edges {
                let behind = depths[edge.child];
                let depth = if behind > 0 { edge.depth.max(behind + 1) } else { edge.depth };
                if best == Some(edge.mv) {
                    depths[place] = depth;
                }
                entry.add(BookMove {
                    mv: edge.mv,
                    reply: self.best(edge.child).map(|reply| reply.mv).or(edge.reply),
                    eval: Some(self.worth(edge)),
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

/// A value for the other side and a move earlier: a mate is one ply farther.
fn after(value: i32) -> i32 {
    match -value {
        mate if mate > NEAR_MATE => mate - 1,
        mated if mated < -NEAR_MATE => mated + 1,
        value => value,
    }
}

/// What [`after`] makes this of.
fn before(value: i32) -> i32 {
    match -value {
        mate if mate >= NEAR_MATE => mate + 1,
        mated if mated <= -NEAR_MATE => mated - 1,
        value => value,
    }
}
