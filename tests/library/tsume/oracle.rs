//! A slow oracle for mate problems: the graph of all checks and evasions, with the positions in which
//! the checking piece has captured an interposed piece, and every value by its definition.

use std::collections::HashMap;

use kawasemi::position::{Position, Setup};
use kawasemi::tsume::{MainLine, SecondSolutionKind};
use kawasemi::types::{Color, Hand, Move, PieceKind, Square};

struct Node {
    position: Position,
    /// The checks or the evasions, each with the number of the position after it.
    moves: Vec<(Move, usize)>,
    /// For each move that drops a piece in defence: the positions after its capture by the checking
    /// piece, with the piece given back.
    captured: Vec<Vec<usize>>,
    /// The plies to the mate by the customary rules.
    length: Option<usize>,
    /// It is mate in some number of plies, all interpositions counted.
    is_mate: bool,
}

pub struct Oracle {
    attacker: Color,
    numbers: HashMap<u64, usize>,
    nodes: Vec<Node>,
}

impl Oracle {
    /// `None` if there are more positions than `limit`.
    pub fn new(problem: &Position, limit: usize) -> Option<Oracle> {
        let attacker = problem.side_to_move();
        let mut oracle = Oracle { attacker, numbers: HashMap::new(), nodes: Vec::new() };
        oracle.number(problem);
        let mut next = 0;
        while next < oracle.nodes.len() {
            oracle.expand(next);
            next += 1;
            if oracle.nodes.len() > limit {
                return None;
            }
        }
        oracle.find_lengths();
        oracle.find_mates();
        Some(oracle)
    }

    pub fn length(&self, position: &Position) -> Option<usize> {
        self.nodes[self.numbers[&position.key()]].length
    }

    fn number(&mut self, position: &Position) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(position.key()).or_insert(next);
        if number == next {
            self.nodes.push(Node {
                position: position.clone(),
                moves: Vec::new(),
                captured: Vec::new(),
                length: None,
                is_mate: false,
            });
        }
        number
    }

    fn is_attackers(&self, number: usize) -> bool {
        self.nodes[number].position.side_to_move() == self.attacker
    }

    fn expand(&mut self, number: usize) {
        let mut position = self.nodes[number].position.clone();
        let attacks = self.is_attackers(number);
        for mv in position.legal_moves().moves() {
            position.do_move(mv);
            let counts = !attacks || position.in_check();
            let to = if counts { self.number(&position) } else { 0 };
            position.undo_move(mv);
            if counts {
                let captured =
                    if !attacks && mv.is_drop() { captured(&position, mv) } else { vec![] };
                let captured = captured.iter().map(|after| self.number(after)).collect();
                self.nodes[number].moves.push((mv, to));
                self.nodes[number].captured.push(captured);
            }
        }
    }

    /// Lengths in rising order. Positions of the defender of one length may depend on each other.
    fn find_lengths(&mut self) {
        let mut idle = 0;
        for plies in 0.. {
            let mut found = false;
            loop {
                let now: Vec<usize> = (0..self.nodes.len())
                    .filter(|&number| self.nodes[number].length.is_none())
                    .filter(|&number| self.has_length(number, plies))
                    .collect();
                if now.is_empty() {
                    break;
                }
                found = true;
                now.into_iter().for_each(|number| self.nodes[number].length = Some(plies));
            }
            idle = if found { 0 } else { idle + 1 };
            if idle > 4 {
                return;
            }
        }
    }

    fn has_length(&self, number: usize, plies: usize) -> bool {
        let node = &self.nodes[number];
        let after = |&(_, to): &(Move, usize)| self.nodes[to].length.map(|length| length + 1);
        if self.is_attackers(number) {
            return node.moves.iter().filter_map(after).min() == Some(plies);
        }
        if plies % 2 == 1 {
            return false;
        }
        // The defences that last no longer, and whether one lasts as long.
        let mut lasts = plies == 0;
        for (step, captured) in node.moves.iter().zip(&node.captured) {
            let length = after(step);
            let is_short = length.is_some_and(|length| length <= plies);
            let is_futile = captured
                .iter()
                .any(|&to| self.nodes[to].length.is_some_and(|length| length <= plies));
            if !is_short && !is_futile {
                return false;
            }
            lasts |= length == Some(plies);
        }
        lasts
    }

    fn find_mates(&mut self) {
        let mates = self.mates(|_| false);
        mates.into_iter().enumerate().for_each(|(number, mate)| self.nodes[number].is_mate = mate);
    }

    /// Where the attacker mates, all interpositions counted, without reaching an avoided position.
    fn mates(&self, avoided: impl Fn(&Position) -> bool) -> Vec<bool> {
        let mut mates = vec![false; self.nodes.len()];
        loop {
            let found: Vec<usize> = (0..self.nodes.len())
                .filter(|&number| !mates[number] && !avoided(&self.nodes[number].position))
                .filter(|&number| {
                    let mut steps = self.nodes[number].moves.iter();
                    if self.is_attackers(number) {
                        steps.any(|&(_, to)| mates[to])
                    } else {
                        steps.all(|&(_, to)| mates[to])
                    }
                })
                .collect();
            if found.is_empty() {
                return mates;
            }
            found.into_iter().for_each(|number| mates[number] = true);
        }
    }

    /// The pieces left after the best play: the attacker wants many, the defender few.
    fn left(&self, number: usize, known: &mut HashMap<usize, u32>) -> u32 {
        let node = &self.nodes[number];
        let length = node.length.expect("a mate");
        if length == 0 {
            return pieces(node.position.hand(self.attacker));
        }
        if let Some(&left) = known.get(&number) {
            return left;
        }
        let best = node.moves.iter().filter(|(_, to)| self.nodes[*to].length == Some(length - 1));
        let left: Vec<u32> = best.map(|&(_, to)| self.left(to, known)).collect();
        let left =
            if self.is_attackers(number) { left.into_iter().max() } else { left.into_iter().min() };
        let left = left.expect("a best move");
        known.insert(number, left);
        left
    }

    /// Panics unless both sides play their best in a line.
    pub fn check_line(&mut self, problem: &Position, line: &MainLine) {
        let sfen = problem.to_sfen();
        let mut known = HashMap::new();
        let root = self.numbers[&problem.key()];
        assert_eq!(line.moves.len(), self.nodes[root].length.unwrap(), "{sfen}");
        assert!(line.all_compared, "{sfen}");
        assert_eq!(line.pieces_left, self.left(root, &mut known), "{sfen}");
        let mut equal = Vec::new();
        let mut number = root;
        for (ply, &mv) in line.moves.iter().enumerate() {
            let node = &self.nodes[number];
            let best = node
                .moves
                .iter()
                .filter(|(_, to)| self.nodes[*to].length.map(|length| length + 1) == node.length);
            for &(other, to) in best {
                if other != mv && !self.is_attackers(number) {
                    equal.push((ply, other, Some(self.left(to, &mut known))));
                }
            }
            let (_, to) = *node.moves.iter().find(|(other, _)| *other == mv).expect("a check");
            assert_eq!(self.nodes[to].length.map(|length| length + 1), node.length, "{sfen}");
            assert_eq!(self.left(to, &mut known), line.pieces_left, "{sfen}");
            number = to;
        }
        let found = line.equal_defences.iter().flatten();
        let found: Vec<_> = found.map(|one| (one.ply, one.mv, one.pieces_left)).collect();
        let sorted = |mut all: Vec<(usize, Move, Option<u32>)>| {
            all.sort_by_key(|one| (one.0, one.1.bits()));
            all
        };
        assert_eq!(sorted(found), sorted(equal), "{sfen}");
    }

    pub fn second_solutions(
        &self,
        problem: &Position,
        line: &[Move],
    ) -> Vec<(usize, Move, SecondSolutionKind)> {
        let mut on_line = vec![problem.clone()];
        for &mv in line {
            let mut next = on_line[on_line.len() - 1].clone();
            next.do_move(mv);
            on_line.push(next);
        }
        let covers = |position: &Position| {
            on_line.iter().any(|other| {
                other.board_key() == position.board_key()
                    && other.hand(self.attacker).covers(position.hand(self.attacker))
            })
        };
        let beside = self.mates(covers);
        let mut found = Vec::new();
        for ply in (0..line.len()).step_by(2) {
            let node = &self.nodes[self.numbers[&on_line[ply].key()]];
            let rest = line.len() - ply;
            for &(mv, to) in &node.moves {
                if mv == line[ply] || !self.nodes[to].is_mate {
                    continue;
                }
                let is_equal = self.nodes[to].length == Some(rest - 1);
                let is_promotion =
                    !mv.is_drop() && mv.from() == line[ply].from() && mv.to() == line[ply].to();
                let kind = match () {
                    () if rest == 1 => SecondSolutionKind::LastMove,
                    () if is_equal && is_promotion => SecondSolutionKind::Promotion,
                    () if is_equal
                        && self.mates_at_other_distance(&on_line[ply], &line[ply..], mv) =>
                    {
                        SecondSolutionKind::DropDistance
                    }
                    () if beside[to] => SecondSolutionKind::Independent,
                    () if is_equal => SecondSolutionKind::Transposition,
                    () => SecondSolutionKind::Detour,
                };
                found.push((ply, mv, kind));
            }
        }
        found
    }

    /// Whether a move drops the sliding piece of the first move of a line in the same direction from the king, and the
    /// line mates with it.
    fn mates_at_other_distance(&self, problem: &Position, line: &[Move], mv: Move) -> bool {
        let king = problem.king(!self.attacker).expect("a king");
        let direction = |mv: Move| direction(king, mv.to());
        let slides = [PieceKind::Lance, PieceKind::Bishop, PieceKind::Rook];
        let is_same_piece = mv.is_drop() && line[0].is_drop() && mv.dropped() == line[0].dropped();
        if !is_same_piece || !slides.contains(&mv.dropped()) || direction(mv) != direction(line[0])
        {
            return false;
        }
        let mut number = self.numbers[&problem.key()];
        let mut square = Some(line[0].to());
        for (ply, &step) in line.iter().enumerate() {
            let mut step = if ply == 0 { mv } else { step };
            if ply > 0 && !step.is_drop() && Some(step.from()) == square {
                square = None;
                step = Move::board(mv.to(), step.to(), step.is_promotion());
            }
            let found = self.nodes[number].moves.iter().find(|(other, _)| *other == step);
            let Some(&(_, to)) = found else { return false };
            number = to;
        }
        self.nodes[number].length == Some(0)
    }
}

/// The directions of files and ranks from one square to another, if they are on one rank, file or diagonal.
fn direction(from: Square, to: Square) -> Option<(i8, i8)> {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = to.rank() as i8 - from.rank() as i8;
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    is_line.then_some((files.signum(), ranks.signum()))
}

fn pieces(hand: Hand) -> u32 {
    PieceKind::HAND.into_iter().map(|kind| hand.count(kind)).sum()
}

/// The positions after the checking piece has captured a dropped piece with check; the piece goes back to its
/// owner.
fn captured(before: &Position, drop: Move) -> Vec<Position> {
    let mut position = before.clone();
    let defender = position.side_to_move();
    let checkers: Vec<_> = position.checkers().into_iter().collect();
    let [checker] = checkers[..] else { return Vec::new() };
    position.do_move(drop);
    let captures = position.legal_moves().moves().collect::<Vec<_>>();
    let captures = captures
        .into_iter()
        .filter(|mv| !mv.is_drop() && mv.from() == checker && mv.to() == drop.to());
    captures
        .map(|capture| {
            let mut after = position.clone();
            after.do_move(capture);
            let mut setup: Setup = after.setup();
            setup.hands[!defender].remove(drop.dropped());
            setup.hands[defender].add(drop.dropped());
            Position::from_setup(&setup).expect("legal after a legal move")
        })
        .filter(Position::in_check)
        .collect()
}
