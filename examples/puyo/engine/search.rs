//! Looks for the best chain that the known pairs allow.
//!
//! A beam search without a fixed width: each round goes through all depths once, and at each takes the most
//! promising field that is left and tries all placements of the next pair. So the beam is as wide as time
//! permits, and a plan to the end exists after the first round. (The scheme is known as chokudai search.)

use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

use super::chain::Chain;
use super::field::{COLUMNS, VISIBLE_ROWS};
use super::placement::Placement;
use super::position::{Position, State};
use super::potential::potential;
use super::rule::Rule;
use super::tumo::Tumo;

/// A chain that comes a pair later counts for this much of its points.
const PATIENCE: f64 = 0.96;
/// More placements than a search needs. They take some 150 MB.
pub const MAX_NODES: usize = 1 << 20;

/// What a garbage puyo that has not fallen takes from the potential.
const ANNOUNCED: i32 = 30;
/// Even in a full field, this many pairs are planned.
const MIN_PAIRS: usize = 2;

/// What ends a search.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    pub deadline: Option<Instant>,
    /// Placements tried.
    pub nodes: usize,
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// The game as far as it is the same in all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub tumo: Tumo,
    pub rule: Rule,
}

/// Placements up to the best chain found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub placements: Vec<Placement>,
    pub chain: Chain,
}

/// The outcome of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    pub plan: Plan,
    /// Placements tried.
    pub nodes: usize,
}

/// A position that has been reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    parent: u32,
    placement: Placement,
}

/// What is left to be tried at one depth.
#[derive(Debug, Default)]
struct Level {
    open: BinaryHeap<(i32, u32)>,
    /// The keys of all fields reached.
    seen: HashSet<u64, BuildHasherDefault<KeyHasher>>,
}

struct Search<'a> {
    game: &'a Game,
    /// The number of the first pair.
    number: usize,
    limits: Limits<'a>,
    nodes: Vec<Node>,
    levels: Vec<Level>,
    tried: usize,
    /// The last node of the best plan, its chain and its value.
    best: Option<(u32, Chain, f64)>,
    /// Depth, value and node of the most promising of the deepest.
    deepest: (usize, i32, u32),
}

/// Searches. `earlier` is tried first, as far as it goes; the placements in `refused` are not made.
pub fn search(
    game: &Game,
    position: &Position,
    earlier: &[Placement],
    refused: &[Placement],
    limits: Limits<'_>,
) -> Found {
    let root = State::new(position);
    // As many pairs as fill the visible rows.
    let free = (COLUMNS * VISIBLE_ROWS).saturating_sub(root.side.field.count());
    let depths = (free / 2).max(MIN_PAIRS);
    let mut search = Search {
        game,
        number: position.number,
        limits,
        nodes: vec![Node { state: root, parent: 0, placement: Placement::NONE }],
        levels: (0..=depths).map(|_| Level::default()).collect(),
        tried: 0,
        best: None,
        deepest: (0, i32::MIN, 0),
    };
    // First, because a field that was reached is not reached again.
    search.follow(earlier, refused);
    search.expand_root(refused);
    while search.round() {}
    search.found()
}

impl Search<'_> {
    fn expand_root(&mut self, refused: &[Placement]) {
        let (root, pair) = (self.nodes[0].state, self.game.tumo.pair(self.number));
        for placement in Placement::all(&root.side.field, pair) {
            if !refused.contains(&placement) {
                self.reach(0, 0, placement);
            }
        }
    }

    /// Reaches the fields of an earlier plan, so that the search begins with its plan.
    fn follow(&mut self, plan: &[Placement], refused: &[Placement]) {
        let mut parent = 0;
        for (depth, &placement) in plan.iter().enumerate().take(self.levels.len() - 1) {
            if depth == 0 && refused.contains(&placement) {
                return;
            }
            let Some(node) = self.reach(depth, parent, placement) else { return };
            parent = node;
        }
    }

    /// Takes the best of each depth. False if the search is over.
    fn round(&mut self) -> bool {
        let mut has_more = false;
        for depth in 1..self.levels.len() - 1 {
            let Some((_, parent)) = self.levels[depth].open.pop() else { continue };
            has_more = true;
            let field = self.nodes[parent as usize].state.side.field;
            let pair = self.game.tumo.pair(self.number + depth);
            for placement in Placement::all(&field, pair) {
                self.reach(depth, parent, placement);
            }
            if self.is_over() {
                return false;
            }
        }
        has_more
    }

    fn is_over(&self) -> bool {
        self.tried >= self.limits.nodes
            || (self.limits.is_stopped)()
            || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes a placement; the node is new unless the field was reached before or is lost.
    fn reach(&mut self, depth: usize, parent: u32, placement: Placement) -> Option<u32> {
        self.tried += 1;
        let mut state = self.nodes[parent as usize].state;
        let pair = self.game.tumo.pair(self.number + depth);
        let chain = state.place(placement, pair, &self.game.rule);
        if state.side.field.is_lost() {
            return None;
        }
        let value = f64::from(chain.score) * PATIENCE.powi(depth as i32);
        let is_best = chain.links > 0 && self.best.is_none_or(|(_, _, best)| value > best);
        let is_new = self.levels[depth + 1].seen.insert(state.side.field.key());
        if !is_new && !is_best {
            return None;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { state, parent, placement });
        if is_best {
            self.best = Some((node, chain, value));
        }
        let garbage = state.garbage.fixed.saturating_add(state.garbage.unfixed).clamp(0, 1000);
        let promise = potential(&state.side.field) - garbage * ANNOUNCED;
        self.deepest = self.deepest.max((depth + 1, promise, node));
        self.levels[depth + 1].open.push((promise, node));
        Some(node)
    }

    fn found(&self) -> Found {
        let (node, chain) = match self.best {
            Some((node, chain, _)) => (node, chain),
            None => (self.deepest.2, Chain::default()),
        };
        Found { plan: Plan { placements: self.path(node), chain }, nodes: self.tried }
    }

    /// The placements that lead to a node.
    fn path(&self, mut node: u32) -> Vec<Placement> {
        let mut placements = Vec::new();
        while node != 0 {
            let Node { parent, placement, .. } = self.nodes[node as usize];
            placements.push(placement);
            node = parent;
        }
        placements.reverse();
        placements
    }
}

/// The keys are mixed already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = self.0.rotate_left(8) ^ key;
    }
}
