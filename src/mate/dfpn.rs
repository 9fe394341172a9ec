//! Depth-first proof-number search over an explicit stack, so that no length of line can overflow
//! the thread's own. It owns the order of work and the thresholds; what a node's children are is
//! `expand`'s business, what they come to `standing`'s.
//!
//! Sources of the ideas: df-pn and its thresholds from Nagai; refutations that lean on a repetition
//! kept apart from the others, by path, after Kishimoto and Mueller; thresholds that give way where
//! numbers come from nearer to the root (the threshold controlling algorithm) from Kishimoto.

use super::Memory;
use super::budget::Meter;
use super::double;
use super::expand::{Child, Expander, Node};
use super::path::Path;
use super::standing::{Standing, settle};
use super::table::{Key, NO_SLOT, effort_code, effort_of};
use super::value::{FOREVER, INFINITE, NOTHING, Value};
use crate::position::Position;
use crate::types::{Color, Move};

/// A child is searched until its number exceeds that of the next one by this share, so that the
/// search does not change over at every turn. (After Pawlewicz and Lew. On problems from Zuko a
/// quarter takes two thirds of the positions that nothing takes.)
const LEAD_SHARE: u64 = 4;

/// A node on the path from the root.
#[derive(Debug)]
pub(super) struct Frame {
    /// The move that led here.
    mv: Move,
    stage: Stage,
    /// Nobody has expanded it before.
    is_new: bool,
    /// Numbers of its children come from nearer to the root.
    has_old: bool,
    /// Its children lie in the arena from here on.
    pub(super) children: usize,
    /// Which of them is being searched.
    pub(super) current: usize,
    /// The part of the numbers that this one has no share in.
    pub(super) rest: u64,
    thresholds: Thresholds,
    /// Its slot in the table.
    pub(super) slot: u32,
    /// Its children that count by their maximum.
    pub(super) marks: u16,
    /// What it had cost before.
    effort: u64,
    /// This thread's count of positions on entering.
    entered_at: u64,
    /// The patience when its search began.
    patience: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Expanded only.
    Entered,
    Searching,
    /// Searching, with a child just searched.
    Returned,
}

/// A node is left when one of its numbers reaches its threshold.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    own: u64,
    other: u64,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { own: INFINITE, other: INFINITE };

    fn are_reached(self, standing: &Standing) -> bool {
        standing.own >= self.own || standing.other >= self.other
    }

    /// Just above the standing, if that is more.
    fn beyond(self, standing: &Standing) -> Thresholds {
        Thresholds {
            own: self.own.max(standing.own + 1),
            other: self.other.max(standing.other + 1),
        }
    }
}

/// How a search comes back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Settled(Value),
    /// The budget is spent.
    Spent,
    /// The memory must be maintained; then the search can go on.
    Crowded,
    /// A report is due; then the search can go on.
    Report,
}

/// How far a search is.
pub(super) struct SearchStatus {
    /// The numbers of the root.
    pub(super) proof: u64,
    pub(super) disproof: u64,
    /// Plies of the longest line looked at.
    pub(super) depth: u16,
    /// The line being searched.
    pub(super) line: Vec<Move>,
}

/// A search of one position.
pub(super) struct Search {
    position: Position,
    /// Plies to the horizon at the root.
    horizon: u16,
    expander: Expander,
    path: Path,
    /// One for each position of the path.
    stack: Vec<Frame>,
    /// The children of all frames, one after the other.
    arena: Vec<Child>,
    deepest: u16,
    nodes: u64,
    /// How many times thresholds give way yet: see [`Search::begin`].
    patience: u32,
}

impl Search {
    /// A search of a position; helpers differ by their number, that of the leader is 0.
    pub(super) fn new(position: &Position, attacker: Color, horizon: u16, number: u64) -> Search {
        Search {
            path: Path::new(attacker, position),
            position: position.clone(),
            horizon,
            expander: Expander::new(number),
            stack: Vec::new(),
            arena: Vec::new(),
            deepest: 0,
            nodes: 0,
            patience: 0,
        }
    }

    /// Searches until the position is settled or something else must be seen to.
    pub(super) fn run(&mut self, memory: &Memory, meter: &mut Meter<'_>) -> Outcome {
        if self.stack.is_empty() {
            if meter.is_spent() {
                return Outcome::Spent;
            }
            let key = Key::of(&self.position, self.path.attacker());
            let root = Entrance::of_root(key);
            self.enter(memory, meter, root, Thresholds::NONE);
        }
        loop {
            let standing = self.standing();
            let frame = &self.stack[self.stack.len() - 1];
            // A new node is first of all to tell its parent what it looks like.
            let enough = frame.is_new && frame.thresholds.are_reached(&standing);
            if frame.stage == Stage::Entered && !enough && !standing.is_settled() {
                self.begin(memory, &standing);
            }
            if self.is_finished(&standing) {
                let value = self.leave(memory, &standing);
                if self.stack.is_empty() {
                    return Outcome::Settled(value);
                }
            } else if meter.is_spent() {
                return Outcome::Spent;
            } else {
                // Some progress first: however small the memory, the search comes to an end.
                self.descend(memory, meter, &standing);
                if memory.table.is_crowded() {
                    return Outcome::Crowded;
                }
                if meter.takes_report() {
                    return Outcome::Report;
                }
            }
        }
    }

    /// Finds the slots of the path again after maintenance.
    pub(super) fn find_slots(&mut self, memory: &Memory) {
        for (frame, key) in self.stack.iter_mut().zip(self.path.keys()) {
            frame.slot = memory.table.slot(key).unwrap_or(NO_SLOT);
        }
        for child in &mut self.arena {
            (child.slot, child.parent) = (NO_SLOT, NO_SLOT);
        }
    }

    /// Adds a position to the path, which the board already shows.
    fn enter(
        &mut self,
        memory: &Memory,
        meter: &mut Meter<'_>,
        to: Entrance,
        thresholds: Thresholds,
    ) {
        self.path.enter(to.key);
        let children = self.arena.len();
        let depth = self.path.depth();
        let (remaining, marks) = (self.horizon - depth, to.marks);
        let node = Node { path: &self.path, remaining, is_new: to.is_new, marks };
        let has_old = self.expander.expand(&mut self.position, memory, node, &mut self.arena);
        self.stack.push(Frame {
            mv: to.mv,
            stage: Stage::Entered,
            is_new: to.is_new,
            has_old,
            children,
            current: 0,
            rest: 0,
            thresholds,
            slot: to.slot,
            marks,
            effort: effort_of(to.effort),
            entered_at: self.nodes,
            patience: self.patience,
        });
        self.deepest = self.deepest.max(depth);
        self.nodes += 1;
        if to.is_new {
            self.patience = self.patience.saturating_sub(1);
        }
        meter.count();
    }

    /// Begins the search of the last node, whose thresholds leave room for one.
    ///
    /// Numbers that come from nearer to the root may lead the search in a circle, each node of
    /// which is left at once because of the next. So for every node that has such numbers the
    /// thresholds give way until a new position has been expanded.
    fn begin(&mut self, memory: &Memory, standing: &Standing) {
        let patience = self.patience;
        let frame = self.stack.last_mut().expect("a search has a root");
        frame.stage = Stage::Searching;
        frame.patience = patience;
        if frame.has_old {
            self.patience += 1;
        }
        let side = self.path.side();
        double::uncouple(
            &memory.table,
            &self.path,
            &mut self.stack,
            &mut self.arena,
            (side, standing.best),
        );
    }

    fn is_finished(&self, standing: &Standing) -> bool {
        let frame = &self.stack[self.stack.len() - 1];
        let patience = if frame.stage == Stage::Entered { 0 } else { self.patience };
        let satisfied = frame.stage == Stage::Returned && patience == 0 && frame.patience > 0;
        standing.is_settled()
            || satisfied
            || self.thresholds(standing, patience).are_reached(standing)
    }

    /// The thresholds of the last node.
    fn thresholds(&self, standing: &Standing, patience: u32) -> Thresholds {
        let thresholds = self.stack[self.stack.len() - 1].thresholds;
        if patience > 0 { thresholds.beyond(standing) } else { thresholds }
    }

    /// Goes down to the child that the standing calls for.
    fn descend(&mut self, memory: &Memory, meter: &mut Meter<'_>, standing: &Standing) {
        let thresholds = self.thresholds(standing, self.patience);
        let key = self.path.key();
        let frame = self.stack.last_mut().expect("a search has a root");
        frame.current = standing.best;
        frame.rest = standing.rest;
        if frame.slot == NO_SLOT {
            frame.slot = memory.table.slot(key).unwrap_or(NO_SLOT);
        }
        let child = self.arena[frame.children + standing.best];
        // The child sees the numbers from the other side.
        let rival = standing.second + standing.second / LEAD_SHARE + 1;
        let next = Thresholds {
            own: thresholds.other.saturating_sub(standing.rest),
            other: thresholds.own.min(rival),
        };
        self.position.do_move(child.mv);
        self.enter(memory, meter, Entrance::to(&child), next);
    }

    /// Takes the last position off the path, keeps its value and hands it to the parent.
    fn leave(&mut self, memory: &Memory, standing: &Standing) -> Value {
        let (side, depth, key) = (self.path.side(), self.path.depth(), self.path.key());
        let value = if standing.is_settled() {
            let children = &self.arena[self.stack[self.stack.len() - 1].children..];
            settle(&self.position, side, children, key.hand).at_depth(depth)
        } else {
            Value::open(standing.pn(side), standing.dn(side))
        };
        let mut frame = self.stack.pop().expect("a search has a root");
        if frame.stage != Stage::Entered {
            self.patience = self.patience.min(frame.patience);
        }
        let path = self.path.leave().expect("a search has a root");
        self.arena.truncate(frame.children);
        let effort = effort_code(frame.effort + self.nodes - frame.entered_at);
        let parent = self.stack.last().map_or(NO_SLOT, |parent| parent.slot);
        keep(memory, &mut frame, (key, path, depth), (value, effort, parent));
        if let Some(above) = self.stack.last_mut() {
            self.position.undo_move(frame.mv);
            above.stage = Stage::Returned;
            let child = &mut self.arena[above.children + above.current];
            child.value = value;
            child.effort = effort;
            child.is_new = false;
            child.marks = frame.marks;
            child.parent = parent;
            child.slot = frame.slot;
        }
        value
    }

    /// How far the search is; `found` is what its position has come to, once that is known.
    pub(super) fn progress(&mut self, found: Option<Value>) -> SearchStatus {
        let end = self.stack.get(1).map_or(self.arena.len(), |frame| frame.children);
        let line = self.stack.iter().skip(1).map(|frame| frame.mv).collect();
        let side = self.path.first();
        let (proof, disproof) = match (&mut self.arena[..end], found) {
            (_, Some(value @ (Value::Mate { .. } | Value::NoMate { within: FOREVER, .. }))) => {
                (value.pn(), value.dn())
            }
            // Before the root is expanded, and after a search that went no deeper than some plies.
            ([], _) => (1, 1),
            (children, _) => {
                let standing = Standing::of(side, children);
                (standing.pn(side), standing.dn(side))
            }
        };
        SearchStatus { proof, disproof, depth: self.deepest, line }
    }

    fn standing(&mut self) -> Standing {
        let children = self.stack[self.stack.len() - 1].children;
        Standing::of(self.path.side(), &mut self.arena[children..])
    }
}

/// The way to a node, with what its parent knows of it.
#[derive(Clone, Copy)]
struct Entrance {
    mv: Move,
    key: Key,
    slot: u32,
    is_new: bool,
    marks: u16,
    effort: u8,
}

impl Entrance {
    fn of_root(key: Key) -> Entrance {
        Entrance { mv: Move::NONE, key, slot: NO_SLOT, is_new: true, marks: 0, effort: 0 }
    }

    fn to(child: &Child) -> Entrance {
        let Child { mv, key, slot, is_new, marks, effort, .. } = *child;
        Entrance { mv, key, slot, is_new, marks, effort }
    }
}

/// Remembers the value of a node that has been left.
fn keep(
    memory: &Memory,
    frame: &mut Frame,
    (key, path, depth): (Key, u64, u16),
    (value, effort, parent): (Value, u8, u32),
) {
    let leans = matches!(value, Value::NoMate { leans_on, .. } if leans_on != NOTHING);
    if frame.slot == NO_SLOT && (value.is_open() || leans) {
        frame.slot = memory.table.slot(key).unwrap_or(NO_SLOT);
    }
    let slot = frame.slot;
    match value {
        Value::NoMate { within, leans_on, .. } if leans => {
            memory.paths.store(path, within, leans_on);
            if slot != NO_SLOT {
                memory.table.note_repetition(slot);
            }
        }
        Value::Open { pn, dn } if slot != NO_SLOT => {
            let (place, cost) = ((parent, depth), (effort, frame.marks));
            memory.table.store_open(slot, (pn, dn), place, cost);
        }
        settled => memory.table.store_settled(key.board, settled, effort),
    }
}
