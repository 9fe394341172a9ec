//! Depth-first proof-number search (df-pn). It works on an explicit stack, so that a long line
//! cannot overflow the stack of the thread.
//!
//! Sources: df-pn and its thresholds are Nagai's. Disproofs that depend on a repetition are kept by
//! path, after Kishimoto and Mueller. The threshold controlling algorithm (TCA), which extends the
//! thresholds of nodes with old children, is Kishimoto's. A child is old if a search nearer to the root has
//! stored its numbers.

use super::child::Child;
use super::double_counting;
use super::expand::{Expander, ExpanderRestriction, NodeContext};
use super::frame::{Frame, FrameStage, Thresholds};
use super::limits::NodeCounter;
use super::node_key::NodeKey;
use super::node_numbers::NodeNumbers;
use super::node_value::{ANY_LENGTH, NO_REPETITION, NodeValue};
use super::path::SearchPath;
use super::proof_table::{NO_SLOT, effort_code, effort_of};
use super::solved_value::solved_value;
use super::tables::SolverTables;
use crate::position::Position;
use crate::types::{Color, Move};

/// The best child is searched until its phi exceeds that of the second-best by this fraction (1 / 4), so that
/// the search does not switch at every visit. (The 1 + epsilon trick of Pawlewicz and Lew. On problems from
/// Zuko it saves a third of the positions.)
const EPSILON_DIVISOR: u64 = 4;

/// From this depth on the fraction is larger (1 / 2): the way back to a deep node costs more.
const DEEP: u16 = 64;
const DEEP_EPSILON_DIVISOR: u64 = 2;

/// Why [`DfpnSearch::run`] returns.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunResult {
    Solved(NodeValue),
    /// A limit is reached, or another thread has solved the position.
    LimitReached,
    /// The table needs maintenance. The search can be continued after it.
    TableCrowded,
    /// A report is due. The search can be continued.
    ReportDue,
}

/// The moves that a search excludes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Restriction<'a> {
    /// The defender may not drop pieces.
    pub(super) without_drops: bool,
    /// The attacker may reach none of these positions.
    pub(super) avoided: &'a [NodeKey],
}

/// The state of a search, for reports.
pub(super) struct SearchStatus {
    /// The proof and disproof numbers of the root.
    pub(super) pn: u64,
    pub(super) dn: u64,
    /// Plies of the longest line searched.
    pub(super) depth: u16,
    /// The line being searched.
    pub(super) line: Vec<Move>,
}

/// The search of one position by one thread.
pub(super) struct DfpnSearch {
    position: Position,
    /// The depth of the horizon on the path.
    horizon: u16,
    expander: Expander,
    path: SearchPath,
    /// The length of the path before the root, in plies: see [`Restriction::avoided`].
    root_depth: u16,
    /// A frame for each position of the path from the root on.
    stack: Vec<Frame>,
    /// The children of all frames, one frame after the other.
    arena: Vec<Child>,
    deepest: u16,
    nodes: u64,
    /// The number of threshold extensions left (`inc_flag` in KomoringHeights): see [`DfpnSearch::begin`].
    extensions: u32,
}

impl DfpnSearch {
    /// The search of a position by the thread of this index; that of the main thread is 0.
    pub(super) fn new(
        root: &Position,
        attacker: Color,
        horizon: u16,
        restriction: Restriction<'_>,
        thread: u64,
    ) -> DfpnSearch {
        let path = SearchPath::with_history(restriction.avoided, attacker, root);
        let root_depth = restriction.avoided.len() as u16;
        let expander_restriction = ExpanderRestriction {
            without_drops: restriction.without_drops,
            avoids_mates: !restriction.avoided.is_empty(),
        };
        DfpnSearch {
            path,
            root_depth,
            position: root.clone(),
            horizon: horizon + root_depth,
            expander: Expander::new(thread, expander_restriction),
            stack: Vec::new(),
            arena: Vec::new(),
            deepest: 0,
            nodes: 0,
            extensions: 0,
        }
    }

    /// Searches until the root is solved or there is another reason to return.
    pub(super) fn run(
        &mut self,
        tables: &SolverTables,
        counter: &mut NodeCounter<'_>,
    ) -> RunResult {
        if self.stack.is_empty() {
            if counter.must_stop() {
                return RunResult::LimitReached;
            }
            let key = NodeKey::of(&self.position, self.path.attacker());
            let root = Child { is_new: true, ..Child::new(Move::NONE, key) };
            self.enter(tables, counter, &root, Thresholds::NONE);
        }
        loop {
            let numbers = self.numbers();
            let frame = &self.stack[self.stack.len() - 1];
            // A new node first returns its numbers to its parent.
            let enough = frame.is_new && frame.thresholds.are_reached(&numbers);
            if frame.stage == FrameStage::Entered && !enough && !numbers.is_solved() {
                self.begin(tables, &numbers);
            }
            if self.is_finished(&numbers) {
                let value = self.leave(tables, &numbers);
                if self.stack.is_empty() {
                    return RunResult::Solved(value);
                }
            } else if counter.must_stop() {
                return RunResult::LimitReached;
            } else {
                // Descend before the checks, so that the search ends however small the memory is.
                self.descend(tables, counter, &numbers);
                if tables.proofs.needs_maintenance() {
                    return RunResult::TableCrowded;
                }
                if counter.report_is_due() {
                    return RunResult::ReportDue;
                }
            }
        }
    }

    /// Looks up the slots of the path again after maintenance of the table has moved them.
    pub(super) fn find_slots(&mut self, tables: &SolverTables) {
        let positions = self.path.positions().skip(usize::from(self.root_depth));
        for (frame, key) in self.stack.iter_mut().zip(positions) {
            frame.slot = tables.proofs.find_or_take(key).unwrap_or(NO_SLOT);
        }
        for child in &mut self.arena {
            (child.slot, child.parent) = (NO_SLOT, NO_SLOT);
        }
    }

    /// Appends a node to the path. The board must already have its position.
    fn enter(
        &mut self,
        tables: &SolverTables,
        counter: &mut NodeCounter<'_>,
        child: &Child,
        thresholds: Thresholds,
    ) {
        let &Child { mv, key, slot, is_new, max_mask, effort, .. } = child;
        self.path.push(key);
        let children = self.arena.len();
        let depth = self.path.depth();
        let remaining = self.horizon - depth;
        let node = NodeContext { path: &self.path, remaining, is_new, max_mask };
        let has_old_child = self.expander.expand(&mut self.position, tables, node, &mut self.arena);
        self.stack.push(Frame {
            mv,
            stage: FrameStage::Entered,
            is_new,
            has_old_child,
            children,
            current: 0,
            delta_except_best: 0,
            thresholds,
            slot,
            max_mask,
            effort: effort_of(effort),
            entered_at: self.nodes,
            extensions: self.extensions,
        });
        self.deepest = self.deepest.max(depth - self.root_depth);
        self.nodes += 1;
        if is_new {
            self.extensions = self.extensions.saturating_sub(1);
        }
        counter.count();
    }

    /// Begins the search below the last node, whose numbers are below its thresholds.
    ///
    /// The numbers of old children may lead the search in a circle, in which every node is left at once
    /// because of the next. So each node with an old child allows the thresholds to be extended until one
    /// more new position has been expanded.
    fn begin(&mut self, tables: &SolverTables, numbers: &NodeNumbers) {
        let extensions = self.extensions;
        let frame = self.stack.last_mut().expect("a search has a root");
        frame.stage = FrameStage::Searching;
        frame.extensions = extensions;
        if frame.has_old_child {
            self.extensions += 1;
        }
        double_counting::resolve(
            &tables.proofs,
            &self.path,
            &mut self.stack,
            &mut self.arena,
            numbers.best,
        );
    }

    /// Whether the last node is left.
    fn is_finished(&self, numbers: &NodeNumbers) -> bool {
        let frame = &self.stack[self.stack.len() - 1];
        let extensions = if frame.stage == FrameStage::Entered { 0 } else { self.extensions };
        let was_extended =
            frame.stage == FrameStage::Returned && extensions == 0 && frame.extensions > 0;
        numbers.is_solved()
            || was_extended
            || self.thresholds(numbers, extensions).are_reached(numbers)
    }

    /// The thresholds of the last node.
    fn thresholds(&self, numbers: &NodeNumbers, extensions: u32) -> Thresholds {
        let thresholds = self.stack[self.stack.len() - 1].thresholds;
        if extensions > 0 { thresholds.extended(numbers) } else { thresholds }
    }

    /// Enters the best child of the last node.
    fn descend(
        &mut self,
        tables: &SolverTables,
        counter: &mut NodeCounter<'_>,
        numbers: &NodeNumbers,
    ) {
        let thresholds = self.thresholds(numbers, self.extensions);
        let key = self.path.last();
        let frame = self.stack.last_mut().expect("a search has a root");
        frame.current = numbers.best;
        frame.delta_except_best = numbers.delta_except_best;
        if frame.slot == NO_SLOT {
            frame.slot = tables.proofs.find_or_take(key).unwrap_or(NO_SLOT);
        }
        let child = self.arena[frame.children + numbers.best];
        // Phi and delta change their roles from a node to its children.
        let depth = self.path.depth() - self.root_depth;
        let divisor = if depth < DEEP { EPSILON_DIVISOR } else { DEEP_EPSILON_DIVISOR };
        let limit = numbers.second_phi + numbers.second_phi / divisor + 1;
        let next = Thresholds {
            phi: thresholds.delta.saturating_sub(numbers.delta_except_best),
            delta: thresholds.phi.min(limit),
        };
        self.position.do_move(child.mv);
        self.enter(tables, counter, &child, next);
    }

    /// Removes the last node from the path, stores its value and returns it to the parent.
    fn leave(&mut self, tables: &SolverTables, numbers: &NodeNumbers) -> NodeValue {
        let (node_type, depth, key) = (self.path.node_type(), self.path.depth(), self.path.last());
        let value = if numbers.is_solved() {
            let children = &self.arena[self.stack[self.stack.len() - 1].children..];
            solved_value(&self.position, node_type, children, key.hand)
                .without_repetitions_from(depth)
        } else {
            NodeValue::open(numbers.pn(node_type), numbers.dn(node_type))
        };
        let mut frame = self.stack.pop().expect("a search has a root");
        if frame.stage != FrameStage::Entered {
            self.extensions = self.extensions.min(frame.extensions);
        }
        let path_key = self.path.pop().expect("a search has a root");
        self.arena.truncate(frame.children);
        let effort = effort_code(frame.effort + self.nodes - frame.entered_at);
        let parent = self.stack.last().map_or(NO_SLOT, |parent| parent.slot);
        store(tables, &mut frame, (key, path_key, depth), (value, effort, parent));
        if let Some(above) = self.stack.last_mut() {
            self.position.undo_move(frame.mv);
            above.stage = FrameStage::Returned;
            let child = &mut self.arena[above.children + above.current];
            child.value = value;
            child.effort = effort;
            child.is_new = false;
            child.max_mask = frame.max_mask;
            child.parent = parent;
            child.slot = frame.slot;
        }
        value
    }

    /// The state of the search; `solved` is the value of its root, once it is known.
    pub(super) fn status(&mut self, solved: Option<NodeValue>) -> SearchStatus {
        let end = self.stack.get(1).map_or(self.arena.len(), |frame| frame.children);
        let line = self.stack.iter().skip(1).map(|frame| frame.mv).collect();
        let node_type = self.path.type_at(self.root_depth);
        let (pn, dn) = match (&mut self.arena[..end], solved) {
            (
                _,
                Some(
                    value @ (NodeValue::Mate { .. } | NodeValue::NoMate { within: ANY_LENGTH, .. }),
                ),
            ) => (value.pn(), value.dn()),
            // Before the root is expanded, and after a search to a nearer horizon.
            ([], _) => (1, 1),
            (children, _) => {
                let numbers = NodeNumbers::of(node_type, children);
                (numbers.pn(node_type), numbers.dn(node_type))
            }
        };
        SearchStatus { pn, dn, depth: self.deepest, line }
    }

    /// The numbers of the last node.
    fn numbers(&mut self) -> NodeNumbers {
        let children = self.stack[self.stack.len() - 1].children;
        NodeNumbers::of(self.path.node_type(), &mut self.arena[children..])
    }
}

/// Stores the value of a node that has been left.
fn store(
    tables: &SolverTables,
    frame: &mut Frame,
    (key, path_key, depth): (NodeKey, u64, u16),
    (value, effort, parent): (NodeValue, u8, u32),
) {
    let is_by_repetition = matches!(value, NodeValue::NoMate { repetition_depth, .. }
        if repetition_depth != NO_REPETITION);
    if frame.slot == NO_SLOT && (value.is_open() || is_by_repetition) {
        frame.slot = tables.proofs.find_or_take(key).unwrap_or(NO_SLOT);
    }
    let slot = frame.slot;
    match value {
        NodeValue::NoMate { within, repetition_depth, .. } if is_by_repetition => {
            tables.repetitions.store(path_key, within, repetition_depth);
            if slot != NO_SLOT {
                tables.proofs.mark_repetition(slot);
            }
        }
        NodeValue::Open { pn, dn } if slot != NO_SLOT => {
            let (place, cost) = ((parent, depth), (effort, frame.max_mask));
            tables.proofs.store_open(slot, (pn, dn), place, cost);
        }
        solved => tables.proofs.store_solved(key.board, solved, effort),
    }
}
