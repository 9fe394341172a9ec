//! Second solutions (余詰): other moves of the attacker on a line that mate too.

use super::budget::{CheckProgress, Undecided};
use super::customary_length::{CustomaryLengths, checks};
use crate::mate::{MateProver, ProofResult};
use crate::position::Position;
use crate::position::attacks::between;
use crate::types::{Move, PieceKind, Square};

/// The node limit of the first query about a move; each further round has four times as many.
const FIRST_NODES: u64 = 2_000;
/// The node limit to find the moves of a second solution.
const LINE_NODES: u64 = 100_000;

/// The kinds of second solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SecondSolutionKind {
    /// A shorter mate than the line (早詰).
    Shorter,
    /// Another mate, independent of the line (余詰).
    Independent,
    /// The same move with the other choice of promotion (成不成非限定): the mate takes as long.
    Promotion,
    /// The move of the line, which drops a lance, bishop or rook, at another distance from the king (打ち場所非限定):
    /// the later moves of the line mate too.
    DropDistance,
    /// The moves of the line in another order (手順前後): it mates only by returning to the line, and takes as
    /// long.
    Transposition,
    /// A detour (迂回手順): it mates only by returning to the line, and takes longer.
    Detour,
    /// Another mate, of any length, instead of the last move, which custom permits (最終手余詰).
    LastMove,
    /// The limits did not suffice to classify the mate.
    Unclassified,
}

/// The customary length of a mate, compared with the rest of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondSolutionLength {
    Shorter,
    Equal,
    Longer,
    Unknown,
}

/// A move that mates in place of the move of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondSolution {
    /// The plies of the line before it.
    pub ply: usize,
    pub mv: Move,
    pub kind: SecondSolutionKind,
    pub length: SecondSolutionLength,
    /// Upper bound of the length of the mate in plies, the move included, all interpositions counted.
    pub within: u16,
    /// The moves after it up to the mate, if they are known.
    pub line: Vec<Move>,
}

impl SecondSolution {
    pub(super) fn is_unclassified(&self) -> bool {
        self.kind == SecondSolutionKind::Unclassified
    }
}

/// The plies of the line before a move of the attacker that is not in it, and the move.
type OtherMove = (usize, Move);

/// The second solutions of a line, and the undecided moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SecondSolutionResults {
    pub(super) solutions: Vec<SecondSolution>,
    pub(super) undecided: Vec<OtherMove>,
}

pub(super) struct SecondSolutionFinder<'f, 'a> {
    pub(super) lengths: &'f mut CustomaryLengths<'a>,
    /// A prover that avoids the positions of the line.
    pub(super) avoiding_line: &'f mut MateProver,
    pub(super) line: &'f [Move],
    /// Whether the line is known to be a shortest mate.
    pub(super) is_shortest: bool,
    /// Whether the moves after second solutions are wanted.
    pub(super) with_lines: bool,
}

/// A position of the line with the attacker to move.
#[derive(Clone, Copy)]
struct LinePosition {
    ply: usize,
    /// The move of the line.
    mv: Move,
    /// The plies of the line from here to its end.
    remaining: u16,
}

impl SecondSolutionFinder<'_, '_> {
    /// Finds all second solutions. The line is a mate from `root`, its last move the attacker's.
    pub(super) fn find(&mut self, root: &Position) -> SecondSolutionResults {
        self.avoid_line(root);
        let mut line_positions = self.line_positions(root);
        let mut found = SecondSolutionResults::default();
        for (LinePosition { ply, mv, .. }, position) in &line_positions {
            let others = checks(position).into_iter().filter(|other| other != mv);
            found.undecided.extend(others.map(|other| (*ply, other)));
        }
        // What half of the limits finds is classified before the rest is spent on the moves still undecided.
        let limits = self.lengths.budget.limit_to_half();
        let mates = self.mates(&line_positions, &mut found.undecided);
        self.lengths.budget.restore(limits);
        self.add(&mut found, mates, &mut line_positions);
        let mates = self.mates(&line_positions, &mut found.undecided);
        self.add(&mut found, mates, &mut line_positions);
        found
    }

    /// Goes on with what [`SecondSolutionFinder::find`] left undecided from the same root, before another line is
    /// examined.
    pub(super) fn find_rest(&mut self, root: &Position, found: &mut SecondSolutionResults) {
        let mut line_positions = self.line_positions(root);
        let limits = self.lengths.budget.limit_to_half();
        for second in found.solutions.iter_mut().filter(|second| second.is_unclassified()) {
            let (at, position) = &mut line_positions[second.ply / 2];
            position.do_move(second.mv);
            second.length = self.length(position, at.remaining);
            second.kind = self.kind(position, *at, second.mv, second.length);
            position.undo_move(second.mv);
        }
        self.lengths.budget.restore(limits);
        let mates = self.mates(&line_positions, &mut found.undecided);
        self.add(found, mates, &mut line_positions);
    }

    /// Classifies moves that mate, with the plies of the mates after them, and adds them in the order of the line.
    fn add(
        &mut self,
        found: &mut SecondSolutionResults,
        mates: Vec<(OtherMove, u16)>,
        line_positions: &mut [(LinePosition, Position)],
    ) {
        for ((ply, mv), plies) in mates {
            let (line_position, position) = &mut line_positions[ply / 2];
            found.solutions.push(self.classify(position, *line_position, mv, plies));
        }
        found.solutions.sort_by_key(|second| second.ply);
    }

    /// The positions of the line with the attacker to move.
    fn line_positions(&self, root: &Position) -> Vec<(LinePosition, Position)> {
        let mut line_positions = Vec::new();
        let mut position = root.clone();
        for (ply, &mv) in self.line.iter().enumerate() {
            if ply % 2 == 0 {
                let remaining = (self.line.len() - ply) as u16;
                line_positions.push((LinePosition { ply, mv, remaining }, position.clone()));
            }
            position.do_move(mv);
        }
        line_positions
    }

    /// Which of the undecided moves mate, and in how many plies after them at most. The others stay undecided, or are
    /// removed. Each gets few nodes first, so that a hard one does not delay the others.
    fn mates(
        &mut self,
        line_positions: &[(LinePosition, Position)],
        undecided: &mut Vec<OtherMove>,
    ) -> Vec<(OtherMove, u16)> {
        let mut mates = Vec::new();
        let mut nodes = FIRST_NODES;
        while !undecided.is_empty() && self.lengths.budget.check_limits().is_ok() {
            undecided.retain(|&(ply, mv)| {
                let (number, of) = (ply / 2 + 1, line_positions.len());
                self.lengths.budget.report(CheckProgress::SecondSolutions { number, of });
                let mut position = line_positions[ply / 2].1.clone();
                position.do_move(mv);
                let answer = self.lengths.prove_mate_within_nodes(&position, Some(nodes));
                mates.extend(answer.ok().flatten().map(|plies| ((ply, mv), plies)));
                answer.is_err()
            });
            nodes = nodes.saturating_mul(4);
        }
        mates
    }

    /// Makes the prover avoid all positions of the line.
    fn avoid_line(&mut self, root: &Position) {
        let mut positions = vec![root.clone()];
        let mut position = root.clone();
        for &mv in self.line {
            position.do_move(mv);
            positions.push(position.clone());
        }
        self.avoiding_line.avoid(&positions);
    }

    /// The second solution that begins with a move after which the mate takes at most this many plies.
    fn classify(
        &mut self,
        position: &mut Position,
        at: LinePosition,
        mv: Move,
        plies: u16,
    ) -> SecondSolution {
        position.do_move(mv);
        let length = self.length(position, at.remaining);
        let kind = self.kind(position, at, mv, length);
        let line = self.line_after(position, plies);
        position.undo_move(mv);
        SecondSolution { ply: at.ply, mv, kind, length, within: plies + 1, line }
    }

    fn line_after(&mut self, position: &Position, plies: u16) -> Vec<Move> {
        if !self.with_lines {
            return Vec::new();
        }
        self.lengths.line(position, plies, Some(LINE_NODES)).unwrap_or_default()
    }

    /// The length of the mate after the played move, compared with the rest of the line.
    fn length(&mut self, position: &mut Position, remaining: u16) -> SecondSolutionLength {
        let mut is_within = |plies: u16| self.lengths.is_mate_within(position, plies);
        match is_within(remaining - 1) {
            Err(Undecided) => SecondSolutionLength::Unknown,
            Ok(false) => SecondSolutionLength::Longer,
            Ok(true) if self.is_shortest || remaining < 3 => SecondSolutionLength::Equal,
            Ok(true) => match is_within(remaining - 3) {
                Err(Undecided) => SecondSolutionLength::Unknown,
                Ok(true) => SecondSolutionLength::Shorter,
                Ok(false) => SecondSolutionLength::Equal,
            },
        }
    }

    fn kind(
        &mut self,
        position: &Position,
        at: LinePosition,
        mv: Move,
        length: SecondSolutionLength,
    ) -> SecondSolutionKind {
        if length == SecondSolutionLength::Shorter {
            return SecondSolutionKind::Shorter;
        }
        if at.remaining == 1 {
            return SecondSolutionKind::LastMove;
        }
        let optional = self.optional_kind(position, at, mv);
        if let (SecondSolutionLength::Equal, Some(kind)) = (length, optional) {
            return kind;
        }
        if length == SecondSolutionLength::Unknown && (optional.is_some() || !self.is_shortest) {
            return SecondSolutionKind::Unclassified;
        }
        let before = self.avoiding_line.nodes();
        let answer = self.avoiding_line.prove(position, None, &self.lengths.budget.limits(None));
        self.lengths.budget.spend(self.avoiding_line.nodes() - before);
        match (answer, length) {
            (ProofResult::Mate(_), _) => SecondSolutionKind::Independent,
            (ProofResult::NoMate { of_any_length: true }, SecondSolutionLength::Equal) => {
                SecondSolutionKind::Transposition
            }
            (ProofResult::NoMate { of_any_length: true }, SecondSolutionLength::Longer) => {
                SecondSolutionKind::Detour
            }
            _ => SecondSolutionKind::Unclassified,
        }
    }

    /// The kind of a mate by nearly the move of the line, provided that it takes as long.
    fn optional_kind(
        &mut self,
        position: &Position,
        at: LinePosition,
        mv: Move,
    ) -> Option<SecondSolutionKind> {
        if is_other_promotion(mv, at.mv) {
            return Some(SecondSolutionKind::Promotion);
        }
        let is_other_distance = self.is_other_drop_distance(position, at, mv);
        is_other_distance.then_some(SecondSolutionKind::DropDistance)
    }

    /// Whether the played move drops the piece of the line at another distance from the king, and the rest of the line
    /// mates after it.
    fn is_other_drop_distance(&mut self, position: &Position, at: LinePosition, mv: Move) -> bool {
        let king = position.king(position.side_to_move());
        if !king.is_some_and(|king| drop_at_two_distances(king, mv, at.mv)) {
            return false;
        }
        let mut position = position.clone();
        let mut has_moved = false;
        for &later in &self.line[at.ply + 1..] {
            let moves_dropped = !has_moved && !later.is_drop() && later.from() == at.mv.to();
            has_moved |= moves_dropped;
            let later = if moves_dropped {
                Move::board(mv.to(), later.to(), later.is_promotion())
            } else {
                later
            };
            if !position.is_legal(later) {
                return false;
            }
            position.do_move(later);
        }
        position.in_check() && self.lengths.is_mate_within(&mut position, 0) == Ok(true)
    }
}

/// Whether both moves drop the same sliding piece on one line from the king.
fn drop_at_two_distances(king: Square, a: Move, b: Move) -> bool {
    let drops_slider = |mv: Move| {
        mv.is_drop()
            && matches!(mv.dropped(), PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook)
    };
    drops_slider(a)
        && drops_slider(b)
        && a.dropped() == b.dropped()
        && (between(king, a.to()).contains(b.to()) || between(king, b.to()).contains(a.to()))
}

fn is_other_promotion(a: Move, b: Move) -> bool {
    !a.is_drop() && !b.is_drop() && a.from() == b.from() && a.to() == b.to()
}
