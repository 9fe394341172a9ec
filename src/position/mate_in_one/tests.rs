//! The fast search against a slow one (every legal move played), and a position for each special case.

use super::*;

/// All mates in one: plays every legal move, and looks for a legal reply.
fn all_mates(position: &Position) -> Vec<Move> {
    let mut position = position.clone();
    let checks: Vec<Move> =
        position.legal_moves().moves().filter(|&mv| position.gives_check(mv)).collect();
    let mates = |&mv: &Move| {
        position.do_move(mv);
        let mate = position.in_check() && !position.has_legal_move();
        position.undo_move(mv);
        mate
    };
    checks.into_iter().filter(mates).collect()
}

/// Pseudo-random numbers that are the same on every machine (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

const ROOTS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    // Both kings in castles, many pieces in hand.
    "ln4snl/1r3gkg1/p2pp1p1p/2p2p1p1/9/2P1P1P1P/PP1P1P3/1KG1G2R1/LNS4NL b BSPbsp 1",
    // Bare kings, all pieces in hand.
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    // Bare kings behind pawns, hands without pieces that could interpose.
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b 2R2B4G4S 1",
    // Kings in the open, many big pieces on the board.
    "3gkg3/1+r2s4/2p1p1p2/1n3n3/4+B4/3N3N1/2P1P1P2/4S2+R1/3GKG3 b 2L 1",
    // Few pieces and no hands: distant checks and double checks.
    "lr2k2bl/9/p1p1p1p1p/9/9/9/P1P1P1P1P/9/LB2K2RL b - 1",
];

/// Plays random legal moves from every start and visits each position.
fn random_play(games: usize, plies: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for root in ROOTS {
        let root = Position::from_sfen(root).unwrap();
        for _ in 0..games {
            let mut position = root.clone();
            for _ in 0..plies {
                let moves: Vec<Move> = position.legal_moves().moves().collect();
                if moves.is_empty() {
                    break;
                }
                visit(&position);
                position.do_move(moves[random.below(moves.len())]);
            }
        }
    }
}

/// Whether the move is of a kind that the search excludes by its documentation.
fn is_left_out(position: &Position, mv: Move) -> bool {
    if mv.is_drop() || mv.is_promotion() {
        return false;
    }
    let zone = Bitboard::promotion_zone(position.side_to_move());
    let could_promote = zone.contains(mv.from()) || zone.contains(mv.to());
    match position.moved_piece_after(mv).kind() {
        PieceKind::King => true,
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => could_promote,
        _ => false,
    }
}

#[test]
fn in_random_games_every_mate_is_real_and_none_of_the_covered_kinds_is_missed() {
    let (mut positions, mut with_mate, mut found) = (0, 0, 0);
    random_play(25, 120, |position| {
        let answer = position.mate_in_one();
        if position.in_check() {
            assert_eq!(answer, None);
            return;
        }
        let mates = all_mates(position);
        positions += 1;
        with_mate += !mates.is_empty() as u32;
        found += answer.is_some() as u32;
        match answer {
            Some(mv) => assert!(mates.contains(&mv), "{mv} in {}", position.to_sfen()),
            None => {
                let missed = mates.iter().find(|&&mv| !is_left_out(position, mv));
                assert_eq!(missed, None, "in {}", position.to_sfen());
            }
        }
    });
    assert!(positions > 10_000 && with_mate > 500, "{positions} positions, {with_mate} mates");
    assert!(found * 100 >= with_mate * 99, "{found} of {with_mate} found");
}

/// Checks that the position has exactly these mates, and that the search finds one of them.
#[track_caller]
fn assert_mates(sfen: &str, expected: &[&str]) {
    let position = Position::from_sfen(sfen).unwrap();
    let mut mates: Vec<String> = all_mates(&position).iter().map(Move::to_string).collect();
    mates.sort_unstable();
    assert_eq!(mates, expected, "the mates themselves");
    match position.mate_in_one() {
        Some(mv) => assert!(expected.contains(&mv.to_string().as_str()), "{mv}"),
        None => assert_eq!(expected, &[] as &[&str], "none was found"),
    }
}

#[test]
fn a_dropped_gold_mates_for_either_side() {
    assert_mates("4k4/9/4P4/9/9/9/9/9/9 b G 1", &["G*5b"]);
    assert_mates("9/9/9/9/9/9/4p4/9/4K4 w g 1", &["G*5h"]);
}

#[test]
fn a_checker_beside_the_king_needs_protection() {
    assert_mates("4k4/3pppS2/9/9/9/9/9/9/9 b Rg 1", &["R*4a"]);
    assert_mates("4k4/3ppp3/9/9/9/9/9/9/9 b Rg 1", &[]);
}

#[test]
fn a_slider_may_protect_the_checker_through_the_square_it_comes_from() {
    assert_mates("7k1/9/7P1/9/9/9/9/9/7R1 b - 1", &["2c2b+"]);
    assert_mates("7k1/9/7P1/9/9/9/9/9/9 b - 1", &[]);
}

#[test]
fn the_king_cannot_flee_along_the_line_of_the_checker() {
    // The rook on 4a also attacks 6a, behind the king.
    assert_mates("4k4/3pppS2/9/9/9/9/9/9/9 b Rg 1", &["R*4a"]);
    // A gold on 4a does not.
    assert_mates("4k4/3pppS2/9/9/9/9/9/9/9 b Gg 1", &[]);
}

#[test]
fn a_defender_pinned_on_another_line_does_not_take() {
    assert_mates("4kg2R/9/4P4/9/9/9/9/9/9 b G 1", &["G*5b"]);
    assert_mates("4kg3/9/4P4/9/9/9/9/9/9 b G 1", &[]);
}

#[test]
fn a_pinned_defender_takes_along_its_pin() {
    assert_mates("4k4/9/3Sg4/9/9/9/9/9/4R4 b G 1", &[]);
    // A knight in its place cannot move back.
    assert_mates("4k4/9/3Sn4/9/9/9/9/9/4R4 b G 1", &["G*5b"]);
}

#[test]
fn of_two_defenders_the_one_that_is_not_pinned_takes() {
    assert_mates("4kg2R/9/3sP4/9/9/9/9/9/9 b G 1", &[]);
}

#[test]
fn a_defender_is_free_once_its_pinner_has_moved() {
    assert_mates("3nkg+R2/9/5P3/9/9/9/9/9/9 b - 1", &[]);
    assert_mates("3nkn+R2/9/5P3/9/9/9/9/9/9 b - 1", &["3a4b"]);
}

#[test]
fn a_line_that_opens_behind_the_moving_piece_pins_the_defender() {
    assert_mates("3nkgS1R/3p5/5P3/9/9/9/9/9/9 b - 1", &["3a4b+"]);
}

#[test]
fn a_line_that_opens_behind_the_moving_piece_lets_the_defender_take() {
    assert_mates("3gng3/4k4/9/3KP4/9/9/9/9/9 b - 1", &["5d5c+"]);
    assert_mates("3gng3/4k4/9/3KP4/9/9/9/9/4r4 b - 1", &[]);
}

#[test]
fn an_own_pinned_piece_does_not_mate() {
    assert_mates("9/9/3ppp3/4k4/9/3G5/5N3/9/3K5 b - 1", &["6f5e"]);
    assert_mates("9/9/3ppp3/4k4/9/K2G4r/5N3/9/9 b - 1", &[]);
}

#[test]
fn a_pawn_mates_by_a_push_but_not_by_a_drop() {
    assert_mates("9/9/7sp/7pk/9/7G1/9/9/9 b P 1", &[]);
    assert_mates("9/9/7sp/7pk/9/7GP/9/9/9 b - 1", &["1f1e", "2f1e"]);
}

#[test]
fn a_piece_no_longer_guards_what_it_guarded_before_it_moved() {
    // The silver leaves 2e to the king as an escape square.
    assert_mates("9/9/7sp/8k/9/7SP/9/9/9 b - 1", &[]);
    assert_mates("9/9/7sp/8k/9/6GSP/9/9/9 b - 1", &["2f1e", "2f2e", "3f2e"]);
}

#[test]
fn a_dropped_piece_blocks_the_own_line_that_guards_behind_it() {
    // On 5b the silver blocks the rook from 4b; on 4b it does no harm.
    assert_mates("4kn3/R8/9/9/9/9/9/9/9 b S 1", &[]);
    assert_mates("3nkn3/R8/9/9/9/9/9/9/9 b S 1", &["S*4b"]);
}

#[test]
fn a_piece_opens_the_own_line_that_guards_behind_it() {
    assert_mates("4kn3/R1G6/2N6/9/9/9/9/9/9 b - 1", &["7b6a"]);
}

#[test]
fn lines_opened_to_the_king_and_to_his_flight_square_work_together() {
    assert_mates("9/l2p5/pp4p2/P3p4/L1PkP+R3/9/2RP3K1/5lP1+l/6+B1B b - 1", &["5e5d"]);
}

#[test]
fn of_two_checkers_neither_can_be_taken() {
    assert_mates("3sk4/3p2g2/5P3/4N4/9/9/9/9/4R3r b - 1", &["5d4b+"]);
}

#[test]
fn a_double_check_cannot_be_blocked() {
    assert_mates("4ks3/2g2p3/3P5/4N4/9/9/9/9/r3R4 b p 1", &["5d6b+"]);
}

#[test]
fn the_piece_that_opens_a_line_may_pin_the_one_that_could_come_between() {
    assert_mates("3lkl3/3p1g3/9/9/4B4/9/9/9/4R4 b - 1", &["5e3c", "5e3c+"]);
}

#[test]
fn an_opened_line_mates_unless_something_comes_between() {
    let moves = ["5d4c", "5d4c+", "5d4e", "5d6c", "5d6c+", "5d6e"];
    assert_mates("3lkl3/3p1p3/9/4S4/9/9/9/9/4R4 b - 1", &moves);
    assert_mates("3lkl3/3p1p3/9/4S4/9/9/9/9/4R4 b p 1", &[]);
}

#[test]
fn a_knight_smothers_the_king_unless_it_is_taken() {
    assert_mates("7nk/7np/9/9/9/9/9/9/9 b N 1", &["N*2c"]);
    assert_mates("7nk/7gp/9/9/9/9/9/9/9 b N 1", &[]);
    assert_mates("7nk/7gp/6B2/9/9/9/9/9/9 b N 1", &["N*2c"]);
}

#[test]
fn a_distant_check_is_blocked_by_a_pawn_drop_unless_the_file_has_a_pawn() {
    let lances = ["L*5c", "L*5d", "L*5e", "L*5f"];
    assert_mates("3lkl3/3p1p3/9/9/9/9/4p4/9/9 b Lp 1", &lances);
    assert_mates("3lkl3/3p1p3/9/9/9/9/9/9/9 b Lp 1", &[]);
}

#[test]
fn a_check_along_the_last_rank_is_not_answered_by_pieces_that_could_never_move_there() {
    let rooks = ["R*1i", "R*2i", "R*3i", "R*7i", "R*8i", "R*9i"];
    assert_mates("9/9/9/9/9/9/9/R8/4k4 b Rnlp 1", &rooks);
    assert_mates("9/9/9/9/9/9/9/R8/4k4 b Rs 1", &[]);
    assert_mates("9/9/9/9/9/9/R8/4k4/9 b Rn2l 1", &[]);
}

#[test]
fn a_captured_pawn_no_longer_bars_its_file() {
    assert_mates("3lkl3/3p1p3/9/9/4p4/9/9/9/4R4 b - 1", &["5i5e"]);
    assert_mates("3lkl3/3p1p3/9/9/4p4/9/9/9/4R4 b p 1", &[]);
}

#[test]
fn a_check_from_afar_is_answered_by_a_piece_unless_it_is_pinned() {
    let left = ["R*7a", "R*8a", "R*9a"];
    assert_mates("4k4/3ppg3/9/9/9/9/9/9/9 b R 1", &left);
    let both = ["R*1a", "R*2a", "R*3a", "R*7a", "R*8a", "R*9a"];
    assert_mates("4k4/3ppg3/9/7B1/9/9/9/9/9 b R 1", &both);
}

#[test]
fn a_horse_steps_onto_a_line_to_the_far_king() {
    assert_mates(
        "b3+R+P3/slp1G2pG/pN1p+B4/1p1Pp1pS1/SkP1G3p/P2GP1l1+r/+nPLS3P1/5p2+n/1NK3+p1L b p 1",
        &["5c6c"],
    );
}

#[test]
fn a_silver_mates_from_behind_without_promotion() {
    assert_mates("R3ln3/2Spkp3/3sps3/9/9/9/9/9/9 b - 1", &["7b6a", "9a6a+"]);
}

#[test]
fn the_own_king_that_opens_a_line_is_left_out() {
    let position = Position::from_sfen("3lkl3/3p1p3/9/9/4K4/9/9/9/4R4 b - 1").unwrap();
    assert_eq!(all_mates(&position).len(), 6);
    assert_eq!(position.mate_in_one(), None);
}

#[test]
fn there_is_no_mate_without_a_king_or_while_in_check() {
    assert_mates("9/9/4P4/9/9/9/9/9/9 b G 1", &[]);
    let in_check = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K3r b G 1").unwrap();
    assert!(in_check.in_check());
    assert_eq!(in_check.mate_in_one(), None);
}
