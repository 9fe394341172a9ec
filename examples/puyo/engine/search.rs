//! Searches for the best chain that the known pairs allow.
//!
//! An anytime beam search without a fixed width (chokudai search): each iteration visits all depths once, expands the
//! best remaining field at each depth, and tries all placements of the next pair. So the beam is as wide as time
//! permits, and a complete plan exists after the first iteration.

use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

use super::chain::Chain;
use super::evaluation::evaluate;
use super::field::{COLUMNS, VISIBLE_ROWS};
use super::placement::Placement;
use super::position::{Position, State};
use super::rule::Rule;
use super::tumo::Tumo;

/// The discount factor of the score of a chain for each pair before it.
const DISCOUNT: f64 = 0.96;
/// Maximum number of placements tried in a search. They take some 150 MB.
pub const MAX_NODES: usize = 1 << 20;

/// Penalty for each announced garbage puyo.
const GARBAGE_PENALTY: i32 = 30;
/// Minimum number of pairs that are planned, even in a full field.
const MIN_PAIRS: usize = 2;

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    pub deadline: Option<Instant>,
    /// Maximum number of placements tried.
    pub nodes: usize,
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// The part of the game that is the same in all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub tumo: Tumo,
    pub rule: Rule,
}

/// The placements up to the best chain found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub placements: Vec<Placement>,
    pub chain: Chain,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    pub plan: Plan,
    /// The number of placements tried.
    pub nodes: usize,
}

/// A position in the search tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    parent: u32,
    placement: Placement,
}

/// The nodes of one depth.
#[derive(Debug, Default)]
struct Level {
    /// The nodes that are not expanded, with their evaluations.
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
    /// Depth, evaluation and number of the best of the deepest nodes.
    deepest: (usize, i32, u32),
}

/// Searches a position. Starts from `previous_plan`, as far as it is valid, and never begins with a placement of
/// `refused`.
pub fn search(
    game: &Game,
    position: &Position,
    previous_plan: &[Placement],
    refused: &[Placement],
    limits: Limits<'_>,
) -> SearchResult {
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
    // First, because each field is added once.
    search.follow_plan(previous_plan, refused);
    search.expand_root(refused);
    while search.iterate() {}
    search.result()
}

impl Search<'_> {
    fn expand_root(&mut self, refused: &[Placement]) {
        let (root, pair) = (self.nodes[0].state, self.game.tumo.pair(self.number));
        for placement in Placement::all(&root.side.field, pair) {
            if !refused.contains(&placement) {
                self.add_node(0, 0, placement);
            }
        }
    }

    /// Adds the nodes of a plan.
    fn follow_plan(&mut self, plan: &[Placement], refused: &[Placement]) {
        let mut parent = 0;
        for (depth, &placement) in plan.iter().enumerate().take(self.levels.len() - 1) {
            if depth == 0 && refused.contains(&placement) {
                return;
            }
            let Some(node) = self.add_node(depth, parent, placement) else { return };
            parent = node;
        }
    }

    /// Expands the best node of each depth. Returns whether the search goes on.
    fn iterate(&mut self) -> bool {
        let mut has_more = false;
        for depth in 1..self.levels.len() - 1 {
            let Some((_, parent)) = self.levels[depth].open.pop() else { continue };
            has_more = true;
            let field = self.nodes[parent as usize].state.side.field;
            let pair = self.game.tumo.pair(self.number + depth);
            for placement in Placement::all(&field, pair) {
                self.add_node(depth, parent, placement);
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

    /// Tries a placement. Adds its node, unless its field was added before or is lost.
    fn add_node(&mut self, depth: usize, parent: u32, placement: Placement) -> Option<u32> {
        self.tried += 1;
        let mut state = self.nodes[parent as usize].state;
        let pair = self.game.tumo.pair(self.number + depth);
        let chain = state.place(placement, pair, &self.game.rule);
        if state.side.field.is_lost() {
            return None;
        }
        let value = f64::from(chain.score) * DISCOUNT.powi(depth as i32);
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
        let evaluation = evaluate(&state.side.field) - garbage * GARBAGE_PENALTY;
        self.deepest = self.deepest.max((depth + 1, evaluation, node));
        self.levels[depth + 1].open.push((evaluation, node));
        Some(node)
    }

    fn result(&self) -> SearchResult {
        let (node, chain) = match self.best {
            Some((node, chain, _)) => (node, chain),
            None => (self.deepest.2, Chain::default()),
        };
        SearchResult { plan: Plan { placements: self.path(node), chain }, nodes: self.tried }
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

/// Uses the keys, which are hashes, as they are.
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
