//! The hand-made evaluation, for where there is no network.
//!
//! It owns the sums kept along a line and the judgement of kings; the numbers live in [`tables`],
//! attack counting in [`effects`]. It must know nothing of the search. Nothing else may come to
//! depend on more than [`HandMade`], which goes when a network is built in. That pieces count by
//! their distance from both kings, and attacks near kings with less effect for each further one, are
//! ideas of YaneuraOu's material evaluations; the numbers and forms here are our own.

mod effects;
mod tables;
mod weights;

use crate::position::{Change, Delta, Position, Spot, attacks};
use crate::types::{Bitboard, ByColor, Color, Hand, MAX_PLY, Piece, PieceKind, Score, Square};
use effects::Effects;

/// Sums that a move changes little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    /// Material and place, hands included, Black's less White's.
    material: i32,
    /// What the pieces of both sides do about the king of that colour, to the good of its side.
    near: ByColor<i32>,
}

/// Keeps sums along the line being searched; one per worker.
///
/// After each `do_move` comes a `push`, after each null move a `push_null`, and with each undo a
/// `pop`. A `pop` too many is a bug of the caller and panics.
#[derive(Clone, Debug)]
pub(in crate::search) struct HandMade {
    line: Vec<Sums>,
}

impl HandMade {
    /// An evaluator at this position, with room for the deepest line.
    pub(super) fn new(position: &Position) -> HandMade {
        let mut evaluator = HandMade { line: Vec::with_capacity(MAX_PLY + 8) };
        evaluator.reset(position);
        evaluator
    }

    /// Begins a new line at this position; everything is computed afresh.
    pub(super) fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.line.push(Sums::of(position));
    }

    /// Follows a move. `position` is that after the move, `delta` what `do_move` returned.
    pub(super) fn push(&mut self, position: &Position, delta: &Delta) {
        let mut sums = *self.present();
        sums.apply(position, &delta.moved);
        if let Some(captured) = &delta.captured {
            sums.apply(position, captured);
        }
        if delta.moves_king() {
            let color = delta.moved.before.0.color();
            sums.near[color] = near(position, color);
        }
        self.line.push(sums);
    }

    /// Follows a null move.
    pub(super) fn push_null(&mut self) {
        self.line.push(*self.present());
    }

    /// Goes back by one move or null move.
    pub(super) fn pop(&mut self) {
        self.line.pop();
        debug_assert!(!self.line.is_empty());
    }

    /// The score of the position for the side to move, a pawn being 90. `position` is the one that
    /// the pushes and pops have led to.
    pub(super) fn evaluate(&self, position: &Position) -> Score {
        let sums = self.present();
        let effects =
            ByColor([Effects::of(position, Color::Black), Effects::of(position, Color::White)]);
        let black = sums.material + sums.near[Color::Black] - sums.near[Color::White]
            + activity(position, &effects, Color::Black)
            - activity(position, &effects, Color::White)
            + safety(position, &effects, Color::Black)
            - safety(position, &effects, Color::White);
        let own = if position.side_to_move() == Color::Black { black } else { -black };
        Score::from_eval(own + weights::TEMPO)
    }

    #[inline(always)]
    fn present(&self) -> &Sums {
        self.line.last().expect("a line has its beginning")
    }
}

impl Sums {
    fn of(position: &Position) -> Sums {
        let mut sums = Sums::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                sums.material += worth(piece, Spot::Board(square));
            }
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                let piece = Piece::new(color, kind);
                sums.material +=
                    (1..=count as u8).map(|n| worth(piece, Spot::Hand(n))).sum::<i32>();
            }
            sums.near[color] = near(position, color);
        }
        sums
    }

    #[inline(always)]
    fn apply(&mut self, position: &Position, change: &Change) {
        let ((old, from), (new, to)) = (change.before, change.after);
        self.material += worth(new, to) - worth(old, from);
        for color in Color::ALL {
            let Some(king) = position.king(color) else { continue };
            if let Spot::Board(square) = from {
                self.near[color] -= nearness(color, king, old, square);
            }
            if let Spot::Board(square) = to {
                self.near[color] += nearness(color, king, new, square);
            }
        }
    }
}

/// Material and place of one piece, positive for Black.
#[inline(always)]
fn worth(piece: Piece, spot: Spot) -> i32 {
    let kind = piece.kind().index();
    let sign = if piece.color() == Color::Black { 1 } else { -1 };
    let value = match spot {
        Spot::Hand(n) => tables::HAND[kind & 7][n as usize],
        Spot::Board(square) if piece.color() == Color::Black => tables::PLACE[kind][square.index()],
        Spot::Board(square) => tables::PLACE[kind][square.rotate().index()],
    };
    sign * i32::from(value)
}

/// What a piece does about the king of `color`, to the good of the king's side.
#[inline(always)]
fn nearness(color: Color, king: Square, piece: Piece, square: Square) -> i32 {
    let relation = tables::relation(color, king, square);
    let kind = piece.kind().index();
    if piece.color() == color {
        i32::from(tables::NEAR_OWN[kind][relation])
    } else {
        -i32::from(tables::NEAR_ENEMY[kind][relation])
    }
}

/// What all pieces do about the king of `color`; nothing when there is none.
fn near(position: &Position, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    let of = |square| Some(nearness(color, king, position.piece_at(square)?, square));
    position.occupied().into_iter().filter_map(of).sum()
}

/// What the pieces of `us` may do and suffer, kings apart.
#[inline(always)]
fn activity(position: &Position, effects: &ByColor<Effects>, us: Color) -> i32 {
    let own = position.pieces(us);
    let enemy = &effects[!us];
    let beside = position.king(us).map_or(Bitboard::EMPTY, attacks::king);
    let pinned = position.blockers(us) & own;
    let chased = enemy.pawns & own.without(position.pieces_of(us, PieceKind::Pawn));
    let hanging = (enemy.once & own).without(effects[us].once | beside);
    let hanging_weights = &weights::HANGING[(position.side_to_move() == us) as usize];
    let mut score = effects[us].mobility
        + weights::PINNED * pinned.len() as i32
        + weights::CHASED * chased.len() as i32;
    for square in hanging {
        if let Some(piece) = position.piece_at(square) {
            score += hanging_weights[piece.kind().index()];
        }
    }
    score
}

/// How safe the king of `color` is: below zero for one in danger, nothing when there is none.
#[inline(always)]
fn safety(position: &Position, effects: &ByColor<Effects>, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    let (own, enemy) = (&effects[color], &effects[!color]);
    let zone = &tables::ZONE_BITS[color.index()][king.rank() as usize];
    let weigh = |set: Bitboard| weigh(zone, king, set);
    let [once, twice] = weights::GUARDED;
    let guarded = weigh(own.once) * once + weigh(own.twice) * twice;
    let [once, twice, thrice] = weights::ATTACKED;
    let attacked =
        weigh(enemy.once) * once + weigh(enemy.twice) * twice + weigh(enemy.thrice) * thrice;

    let beside = attacks::king(king);
    let bare = beside.without(own.once);
    // Where a supported piece may be dropped or may enter and only the king could take it.
    let entries = (bare & enemy.once).without(position.pieces(!color)).len() as i32;
    let open = bare.without(position.occupied()).len() as i32;
    let escapes = beside.without(position.pieces(color) | enemy.once).len() as i32;
    let danger = attacked * weights::DANGER_ATTACK / 64
        + weights::DANGER_ENTRY * entries
        + weights::DANGER_OPEN * open
        - weights::DANGER_ESCAPE * escapes
        + hand_danger(position.hand(!color), entries);
    (guarded - attacked) / 64 - cost(danger)
}

/// What danger costs: more and more, up to a limit.
#[inline(always)]
fn cost(danger: i32) -> i32 {
    let danger = danger.clamp(0, 40_000);
    (danger * danger / weights::DANGER_DIVISOR).min(weights::DANGER_LIMIT)
}

/// What the attacker's hand adds to the danger of a king.
#[inline(always)]
fn hand_danger(hand: Hand, entries: i32) -> i32 {
    let of = |kind: PieceKind| {
        let [alone, by_entry] = weights::DANGER_HAND;
        let each = alone[kind.index()] + by_entry[kind.index()] * entries;
        each * hand.count(kind).min(2) as i32
    };
    PieceKind::HAND.into_iter().map(of).sum()
}

/// The weight of a set by the zone round a king.
#[inline(always)]
fn weigh(zone: &[u64; 3], king: Square, set: Bitboard) -> i32 {
    let window = window(set, king);
    let count = |bits: u64| (window & bits).count_ones() as i32;
    count(zone[0]) + 2 * count(zone[1]) + 4 * count(zone[2])
}

/// The seven files round a square in one word, its own file in the middle; what would be off the
/// board is empty.
#[inline(always)]
fn window(set: Bitboard, middle: Square) -> u64 {
    (set.0 << 27 >> (middle.file() * 9)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;
    use crate::types::Move;

    /// Positions with full hands, entered kings, one king, no king.
    const POSITIONS: [&str; 6] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "1+P1K5/3+P+PG3/9/4s4/9/9/3r5/2+p1+p4/4k1+p2 b RB2S4L9Pb3g3n3p 1",
        "4k4/9/4P4/9/9/4S4/9/9/9 b G2r2b3g3s4n4l17p 1",
        "9/9/2P1P4/9/4r4/4S4/9/9/9 b G 1",
    ];

    fn evaluate(position: &Position) -> Score {
        HandMade::new(position).evaluate(position)
    }

    /// Plays pseudo-random moves and shows every position with the evaluator that followed.
    fn walk(sfen: &str, seed: u64, visit: &mut dyn FnMut(&Position, &HandMade)) {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mut evaluator = HandMade::new(&position);
        let mut random = seed;
        let mut line: Vec<Move> = Vec::new();
        for _ in 0..150 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let choice = (random >> 33) as usize;
            let moves: Vec<Move> = position.legal_moves().moves().collect();
            if moves.is_empty() || choice.is_multiple_of(4) {
                let Some(mv) = line.pop() else { continue };
                position.undo_move(mv);
                evaluator.pop();
            } else {
                let mv = moves[choice % moves.len()];
                let delta = position.do_move(mv);
                evaluator.push(&position, &delta);
                line.push(mv);
            }
            visit(&position, &evaluator);
        }
    }

    #[test]
    fn sums_kept_along_a_line_equal_sums_computed_afresh() {
        for (seed, sfen) in (1..).zip(POSITIONS) {
            walk(sfen, seed, &mut |position, evaluator| {
                assert_eq!(*evaluator.present(), Sums::of(position), "{}", position.to_sfen());
            });
        }
    }

    #[test]
    fn exchanging_the_sides_changes_no_score() {
        for (seed, sfen) in (101..).zip(POSITIONS) {
            walk(sfen, seed, &mut |position, evaluator| {
                let turned = Position::from_setup(&position.setup().rotate()).unwrap();
                let (here, there) = (evaluator.evaluate(position), evaluate(&turned));
                assert_eq!(here, there, "{}", position.to_sfen());
            });
        }
    }

    #[test]
    fn a_null_move_keeps_the_sums_and_gives_the_other_side_the_move() {
        let mut position = Position::startpos();
        let mut evaluator = HandMade::new(&position);
        let before = *evaluator.present();
        position.do_null_move();
        evaluator.push_null();
        assert_eq!(*evaluator.present(), before);
        assert_eq!(evaluator.evaluate(&position), evaluate(&Position::startpos()));
        evaluator.pop();
        assert_eq!(evaluator.line.len(), 1);
    }

    #[test]
    fn the_start_is_even_but_for_the_right_to_move() {
        assert_eq!(evaluate(&Position::startpos()), Score(weights::TEMPO));
    }

    #[test]
    fn each_piece_lost_to_the_enemy_costs_its_side() {
        let start = Setup::startpos();
        let even = evaluate(&Position::startpos());
        let white = |&(_, piece): &(Square, Piece)| piece.color() == Color::White;
        for (square, piece) in start.pieces().filter(white) {
            if piece.kind() == PieceKind::King {
                continue;
            }
            let mut setup = start.clone();
            setup.board[square.index()] = None;
            setup.hands[Color::Black].add(piece.kind());
            let gain = evaluate(&Position::from_setup(&setup).unwrap()) - even;
            let on_board = i32::from(weights::BOARD[piece.kind().index()]);
            assert!(gain > on_board, "{piece} on {square}: {gain}");
        }
    }

    #[test]
    fn a_king_under_attack_is_worse_off_than_one_behind_its_guards() {
        let safe = "lnsg1gsnl/1r2k2b1/ppppppppp/9/9/9/PPPPPPPPP/1BSG3R1/LNK2GSNL b - 1";
        let bare = "lnsg1gsnl/1r2k2b1/ppppppppp/9/9/9/PPPPPPPPP/1BSG1K1R1/LN3GSNL b - 1";
        let score = |sfen| evaluate(&Position::from_sfen(sfen).unwrap());
        assert!(score(safe) > score(bare));
    }

    #[test]
    fn no_position_scores_like_a_mate() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            assert!(evaluate(&position).0.abs() <= Score::MAX_EVAL.0);
        }
        // Nearly all that there is, about a bare king.
        let crushing = "k8/1+R+R6/2+B+B5/2G6/9/9/9/9/K8 w 3G4S4N4L18P 1";
        let score = evaluate(&Position::from_sfen(crushing).unwrap());
        assert!(-Score::MAX_EVAL.0 <= score.0 && score.0 < -8_000, "{score:?}");
    }
}
