//! Depth-first proof-number search over an explicit stack, so that no length of line can overflow
//! the thread's own. It owns the order of work and the thresholds; what a node's children are is
//! `expand`'s business.
//!
//! Sources of the ideas: df-pn and its thresholds from Nagai; the sharing of a threshold's gap
//! from Pawlewicz and Lew; refutations that lean on a repetition kept apart from the others, by
//! path, after Kishimoto and Mueller.

use super::Progress;
use super::budget::Meter;
use super::expand::{Child, Expander, Node};
use super::path::Path;
use super::table::{Distance, Memory};
use super::value::{INFINITE, NOTHING, Role, Value, settled};
use crate::position::Position;
use crate::types::Move;

/// A node on the path from the root.
#[derive(Debug)]
struct Frame {
    /// The move that led here.
    mv: Move,
    /// Its children lie in the arena from here on.
    children: usize,
    /// Which of them is being searched.
    current: usize,
    thresholds: Thresholds,
    /// The meter's count on entering.
    entered_at: u64,
}

/// A node is left when one of its numbers reaches its threshold.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { pn: INFINITE, dn: INFINITE };

    fn new(side: Role, own: u32, other: u32) -> Thresholds {
        match side {
            Role::Attacker => Thresholds { pn: own, dn: other },
            Role::Defender => Thresholds { pn: other, dn: own },
        }
    }

    fn own(self, side: Role) -> u32 {
        if side == Role::Attacker { self.pn } else { self.dn }
    }

    fn other(self, side: Role) -> u32 {
        if side == Role::Attacker { self.dn } else { self.pn }
    }

    fn are_reached(self, value: Value) -> bool {
        !value.is_open() || value.pn() >= self.pn || value.dn() >= self.dn
    }
}

/// A search of one position.
pub(super) struct Search<'a, 'm> {
    position: &'a mut Position,
    memory: &'a mut Memory,
    meter: &'a mut Meter<'m>,
    /// Plies to the horizon at the root.
    horizon: u16,
    /// Whether the horizon is too far to count.
    far: bool,
    expander: Expander,
    path: Path,
    /// One for each position of the path.
    stack: Vec<Frame>,
    /// The children of all frames, one after the other.
    arena: Vec<Child>,
    deepest: u16,
}

impl<'a, 'm> Search<'a, 'm> {
    pub(super) fn new(
        position: &'a mut Position,
        memory: &'a mut Memory,
        meter: &'a mut Meter<'m>,
        horizon: u16,
        far: bool,
    ) -> Self {
        let path = Path::new(position.side_to_move());
        Search {
            position,
            memory,
            meter,
            horizon,
            far,
            expander: Expander::default(),
            path,
            stack: Vec::new(),
            arena: Vec::new(),
            deepest: 0,
        }
    }

    /// The value of the position, or `None` when the budget is spent.
    pub(super) fn run(mut self) -> Option<Value> {
        self.enter(Move::NONE, Thresholds::NONE);
        loop {
            let standing = self.standing();
            let frame = self.frame();
            if frame.thresholds.are_reached(standing.value) {
                let value = self.leave(standing.value);
                if self.stack.is_empty() {
                    self.report(value);
                    return Some(value);
                }
            } else if self.meter.is_spent() {
                self.report(self.standing_of_root().value);
                self.abandon();
                return None;
            } else {
                self.descend(&standing);
            }
        }
    }

    fn frame(&self) -> &Frame {
        &self.stack[self.stack.len() - 1]
    }

    /// Adds the present position to the path.
    fn enter(&mut self, mv: Move, thresholds: Thresholds) {
        self.path.enter(self.position);
        self.stack.push(Frame {
            mv,
            children: self.arena.len(),
            current: 0,
            thresholds,
            entered_at: self.meter.nodes(),
        });
        self.deepest = self.deepest.max(self.path.depth());
        let remaining = self.horizon - self.path.depth();
        let node = Node { path: &self.path, remaining, far: self.far };
        self.expander.expand(self.position, self.memory, node, &mut self.arena);
        if self.meter.count() {
            self.report(self.standing_of_root().value);
        }
    }

    /// Goes down to the child that the standing calls for.
    fn descend(&mut self, standing: &Standing) {
        let side = self.path.side();
        let frame = self.stack.last_mut().expect("a search has a root");
        frame.current = standing.best;
        let child = self.arena[frame.children + standing.best];
        let (own, other) = (frame.thresholds.own(side), frame.thresholds.other(side));
        // A quarter more than the rival's number, so that the search does not change over at
        // every turn.
        let rival = standing.second.saturating_add(standing.second / 4 + 1);
        let rest = standing.value.other(side) - child.value.other(side);
        let thresholds = Thresholds::new(side, own.min(rival), other.saturating_sub(rest));
        self.position.do_move(child.mv);
        self.enter(child.mv, thresholds);
    }

    /// Takes the last position off the path, keeps its value and hands it to the parent.
    fn leave(&mut self, value: Value) -> Value {
        let value = value.at_depth(self.path.depth());
        let frame = self.stack.pop().expect("a search has a root");
        self.keep(value, self.meter.nodes() - frame.entered_at);
        self.arena.truncate(frame.children);
        if let Some(parent) = self.stack.last() {
            self.position.undo_move(frame.mv);
            self.arena[parent.children + parent.current].value = value;
        }
        value
    }

    /// Remembers the value of the last position, and takes that off the path.
    fn keep(&mut self, value: Value, effort: u64) {
        let remaining = self.horizon - self.path.depth();
        let (key, path) = self.path.leave().expect("a search has a root");
        match value {
            Value::NoMate { within, leans_on } if leans_on != NOTHING => {
                self.memory.paths.store(path, within, leans_on);
            }
            _ => {
                let distance = Distance::new(remaining, self.far);
                self.memory.table.store(key, value, distance, effort);
            }
        }
    }

    /// Goes back to the root and forgets the path.
    fn abandon(&mut self) {
        while let Some(frame) = self.stack.pop() {
            if !self.stack.is_empty() {
                self.position.undo_move(frame.mv);
            }
        }
    }

    fn report(&mut self, root: Value) {
        self.meter.report(&Progress {
            nodes: self.meter.nodes(),
            depth: u32::from(self.deepest),
            proof: root.pn(),
            disproof: root.dn(),
            hashfull_permille: self.memory.table.permille(),
        });
    }

    fn standing_of_root(&self) -> Standing {
        let end = self.stack.get(1).map_or(self.arena.len(), |frame| frame.children);
        Standing::of(Role::Attacker, &self.arena[..end])
    }

    fn standing(&self) -> Standing {
        Standing::of(self.path.side(), &self.arena[self.frame().children..])
    }
}

/// A node's value and where to go on.
struct Standing {
    value: Value,
    /// The open child with the least of the number that the side to move wants small.
    best: usize,
    /// That number of the next child.
    second: u32,
}

impl Standing {
    fn of(side: Role, children: &[Child]) -> Standing {
        let mut standing = Standing { value: Value::REFUTED, best: 0, second: INFINITE };
        let (mut least, mut open, mut sum) = (INFINITE, 0, 0u32);
        for (index, child) in children.iter().enumerate() {
            if child.value.is_won(side) {
                let won = children.iter().map(|child| child.value).filter(|v| v.is_won(side));
                return Standing { value: settled(side, won), ..standing };
            }
            let waits = |place: u16| children[usize::from(place)].value.is_open();
            if !child.value.is_open() || child.behind.is_some_and(waits) {
                continue;
            }
            let own = child.value.own(side);
            open += 1;
            sum = sum.saturating_add(child.value.other(side)).min(INFINITE - 1);
            if own < least {
                (standing.best, standing.second, least) = (index, least, own);
            } else {
                standing.second = standing.second.min(own);
            }
        }
        standing.value = match (open, side) {
            (0, _) => settled(side, children.iter().map(|child| child.value)),
            (_, Role::Attacker) => Value::open(least, sum),
            (_, Role::Defender) => Value::open(sum, least),
        };
        standing
    }
}
