//! Mistakes from games of levels, one or more for each rule, and lines in which a rule was once wrong.

use super::{ReasonKind, cp, reason};
use crate::analysis::AnalysisScore;

/// A mistake: the position, the move with the score and the refutation, the better line with its score.
type Mistake =
    (&'static str, (&'static str, AnalysisScore, &'static str), (AnalysisScore, &'static str));

#[track_caller]
fn check(mistake: Mistake, kind: ReasonKind, en: &str, ja: &str) {
    let found = reason(mistake.0, mistake.1, mistake.2).unwrap();
    let text = (found.text.en.as_str(), found.text.ja.as_str());
    assert_eq!((found.kind, text), (kind, (en, ja)));
}

#[track_caller]
fn check_not(mistake: Mistake, kind: ReasonKind) {
    let found = reason(mistake.0, mistake.1, mistake.2);
    assert!(found.as_ref().is_none_or(|found| found.kind != kind), "{found:?}");
}

#[test]
fn a_move_loses_a_pawn_or_fails_to_win_one() {
    check(
        (
            "ln4knl/1r2g1g2/p3p1sp1/1pppspp1p/7P1/P1P1SPP2/1PSPP1N1P/2G4R1/LNK2G2L b Bb 35",
            ("4f4e", cp(104), "4d4e 4i4h"),
            (cp(85), "4i4h 8d8e"),
        ),
        ReasonKind::LosesPiece,
        "Loses a pawn: Px4e.",
        "△同　歩で1歩損になる。",
    );
    check(
        (
            "ln1gk1snl/1r1s2gb1/p2ppp2p/2p3pp1/1p7/2P6/PPBPPPP1P/2G1G2R1/LNS1K1SNL b p 15",
            ("7i6h", cp(175), "2b3c"),
            (cp(-7), "2h2d 2b7g+ 7h7g"),
        ),
        ReasonKind::MissesPiece,
        "Misses the win of a pawn: Rx2d.",
        "▲２四飛で1歩得になる手を逃した。",
    );
}

#[test]
fn a_move_lets_a_piece_promote_or_misses_a_promotion() {
    check(
        (
            "l5bn1/5sg1k/p1rs1g3/3pppp2/Bpp4p1/P2P1PP2/1P1S1S1P1/2G1R1GK1/LN7 w NLnl4p 74",
            ("7c7d", cp(801), "9e6b+ 4c5c"),
            (cp(-43), "7c7b N*2d"),
        ),
        ReasonKind::AllowsPromotion,
        "Lets a bishop promote: B-6b+.",
        "▲６二角成で馬を作られる。",
    );
    check(
        (
            "ln4+R1l/4g4/3k1s3/2ps1b3/P3p1gpp/1PPSP1p2/1K1P1P2P/L1G1G4/1NNr4L w N4Pbs2p 124",
            ("P*9g", cp(-996), "6f5e 6d5e"),
            (cp(1261), "P*8h 5h6h 6i1i+ 6f5e"),
        ),
        ReasonKind::MissesPromotion,
        "Misses the promotion of a rook: P*8h and Rx1i+.",
        "△８八歩から△１九飛成で龍を作る手を逃した。",
    );
}

#[test]
fn a_move_allows_a_tactic_that_later_moves_blur() {
    check(
        (
            "lnsg3nl/1r4bk1/p1prpp1pp/1p5G1/9/2P6/PP1PPPP1P/6S2/LNSGKG1NL b S2Pbp 29",
            ("S*7b", cp(3637), "7a7b 2d2c 2b2c"),
            (cp(-1680), "2d2e 6c6g+ P*2d 2c2d P*2c 2b3a S*2b 3a4b 2b1a+ 2d2e"),
        ),
        ReasonKind::AllowsTactic,
        "Lets the opponent take the silver: Sx7b (free piece).",
        "△同　銀（ただ取り）で銀を取られる。",
    );
}

/// Regression: the gold was said to be taken for nothing, and to be exchanged for a lance.
#[test]
fn a_piece_that_is_exchanged_is_not_taken_for_nothing() {
    check(
        (
            "+L2B1Ssnl/1r5k1/2pBp2sp/5gpp1/1nP1g2PP/5LP2/1P2PK3/8L/6RN1 w N2P2gs5p 98",
            ("G*3h", cp(-988), "4g3h 5e4f G*3g P*4e 2e2d 2c2d P*2c 2b2c 3h2h P*2f 3g2f"),
            (cp(2511), "P*4e 4f4e G*4f 4g3h 5e4e P*4h 4e3f 6c3f+ 4f3f 2e2d"),
        ),
        ReasonKind::LosesPiece,
        "Loses a gold for a lance: Kx3h.",
        "▲同　玉で金と香の交換の駒損になる。",
    );
}

/// Regression: the piece came after the move, and in `△同　歩と金を取られる` と and 金 read as a tokin.
#[test]
fn a_move_leaves_a_piece_or_does_not_take_one() {
    check(
        (
            "ln4+R1l/4g4/3k1s3/2pspb1pp/P5gn1/1PPSP1p1B/1pKP1P2P/L1G1G4/1N1r4L b SN3P2p 117",
            ("S*5e", cp(1158), "5d5e N*7i 1d1e 1f2e 2d2e"),
            (cp(548), "S*3c"),
        ),
        ReasonKind::LeavesPiece,
        "Lets the opponent take the silver: Px5e.",
        "銀を△同　歩と取られる。",
    );
    check(
        (
            "ln1g3nl/1ks1g3r/pppp1s1p1/3bp2Pp/5pS2/P1PBP3P/1P1P1P3/1K2G1R2/LNSG3NL w Pp 42 moves 2c2d",
            ("3h1h", cp(55), "1b3b"),
            (cp(254), "3e2d"),
        ),
        ReasonKind::DoesNotTake,
        "Does not take back: Sx2d.",
        "▲同　銀と取り返さなかった。",
    );
    check(
        (
            "ln4b1l/1r2g1k2/3s2np1/p1ppgppsp/1p2p4/P1PP1SPPP/1PNS1P3/2GB1GK2/L3R2NL w p 56 moves 9d9e",
            ("4f5e", cp(403), "5d5e"),
            (cp(122), "9f9e"),
        ),
        ReasonKind::DoesNotTake,
        "Does not take the pawn: Px9e.",
        "歩を▲同　歩と取らなかった。",
    );
}

#[test]
fn a_move_exposes_the_king_or_spares_the_other_one() {
    check(
        (
            "l6nl/1r1kgbgP1/2p1ps3/2sB3p1/pn3pS1p/1pPPP4/P1NS1P3/1KG1G2R1/L6NL b 3P2p 65",
            ("6d8f", cp(337), "8e9g+ 8h9g 9e9f 9g8g 8b8f 8g8f B*6d 8f8g"),
            (cp(391), "2b2a+ P*3d 7g8e 8b8e"),
        ),
        ReasonKind::ExposesKing,
        "Exposes the king: from Nx9g+ on, 4 checks follow.",
        "玉が危なくなる。△９七桂成から王手が4回かかる。",
    );
    check(
        (
            "7nl/2p3gk1/+BK2+Rp1ps/2PG1np1p/SL7/2+rp3S1/1+p1b1PPPP/9/7NL w L6P2gsn 144",
            ("G*4b", cp(-628), "5c5a S*7e 9e9d 7e6d"),
            (cp(3077), "7f8e 8c7b G*8a 7b6b 8e9e 9c8c S*7a 6b5a S*6b 5c6b 7a6b 5a6b"),
        ),
        ReasonKind::MissesAttack,
        "Misses an attack on the king: from +Rx8e on, 5 checks drive it from 8c to 6b.",
        "玉への攻めを逃した。△８五龍から王手が5回かかり、玉が８三から６二へ追われる。",
    );
}

#[test]
fn a_move_lets_a_king_lose_or_keep_its_guards() {
    check(
        (
            "l6nl/4g1gk1/p1+S2psp1/3rP1p1p/2p4P1/PP5RP/2BSsGP2/2G6/LNK3bNL b N5Pp 79",
            ("2f5f", cp(1440), "P*6f 4g5g 3i5g 5f5g 6f6g+ 7h6g S*7f P*6h 6d6g+ 6h6g"),
            (cp(-362), "2e2d P*6f 2d2c+ 3b2c P*2d 2c2d 2f2d 3c2d N*3f R*4i 7i8h"),
        ),
        ReasonKind::LosesGuards,
        "Loses guards of the king: 11 moves leave 0 of 2 generals near it, in the better line 2.",
        "玉の守りが薄くなる。11手後には玉のまわりの金銀が2枚から0枚に減る（最善の手順では2枚）。",
    );
    check(
        (
            "lnsg1B1nl/1r5k1/p1pppp1pp/1p4Gs1/9/2P6/PP1PPPP1P/6S2/LNSGKG1NL w Prbp 24",
            (
                "B*3b",
                cp(-62),
                "4a6c+ 6a5b 6c6d P*3c 3d2d 2c2d 7i7h 4c4d 6d5e 8d8e 5e4d 8e8f 8g8f 8b8f",
            ),
            (
                cp(426),
                "P*3b 4a6c+ 2d3c 3d3c 3b3c 6c5c G*3b 5c5d 8d8e 6i7h 7a6b 5i4h 6a5b S*4a 6b6c",
            ),
        ),
        ReasonKind::MissesGuards,
        "Leaves the opponent's king its guards: 15 moves from P*3b on leave 2 of 4 generals near it, here 4.",
        "相手玉の守りが残る。△３二歩からの15手では玉のまわりの金銀が4枚から2枚に減るが、この手順では4枚ある。",
    );
}

#[test]
fn a_move_lets_a_king_enter_the_camp_or_does_not_enter() {
    check(
        (
            "lnSg2Snl/4kg3/1rpp1p1pp/p8/2BKp1p2/P2S1P1P1/1PG1P1P1P/4b2r1/LN5NL w GS3p 66",
            ("6a7a", cp(1188), "7e4b+ 5b6b G*5c 6b7b 6e5d S*6b 5d4c 6b5c 4b5c 5h1d+ 4c3b"),
            (cp(-243), "5h4g+ 6e7f 6a7a 7e4b+ 5b6b"),
        ),
        ReasonKind::AllowsEntry,
        "Lets the opponent's king enter: Kx4c.",
        "▲４三玉の入玉を許した。",
    );
    check(
        (
            "lng3Snl/4kg3/1rpp1p1pp/p8/2BKp1p2/P2S1P1P1/1PG1P1P1P/4b2r1/LN5NL b GSs3p 67",
            ("3a4b", cp(-237), "6c6d 6e6d 5b4b 6d5d 4b3c S*4b 3c2d 7e5c+ 2h2f+ 5c7a S*5b"),
            (cp(772), "7e4b+ 5b6a 6e5d 6a7b 5d4c"),
        ),
        ReasonKind::MissesEntry,
        "Misses the entry of the king: Kx4c.",
        "▲４三玉の入玉を逃した。",
    );
}

#[test]
fn a_move_allows_or_misses_a_threat_of_mate() {
    check(
        (
            "7nl/2p3gk1/+B3+Rp1p1/2PG1npsp/SLK6/2Sp3S1/3b1PPPP/1+p+r6/7NL b 2GL6Pn 137",
            ("G*8g", cp(-358), "8h8g"),
            (cp(2410), "G*8f 6g4e+ 7e8d 6f6g+ 8d8c 6g7g 8c9b 7g7f"),
        ),
        ReasonKind::AllowsThreat,
        "Allows a threat of mate in 3: +Px8g.",
        "△同　とで詰めろ（3手）をかけられる。",
    );
    check(
        ("4k4/9/9/9/9/9/9/9/4K4 b GP 1", ("5i5h", cp(0), "5a4a"), (cp(900), "P*5c 5a4a")),
        ReasonKind::MissesThreat,
        "Misses a threat of mate in 1: P*5c.",
        "▲５三歩なら詰めろ（1手）だったが、この手は詰めろにならない。",
    );
}

/// Regression: `詰めろ（21手）`, where the shortest mate has 15 plies, which is too long as well.
#[test]
fn a_mate_that_is_too_long_to_be_found_is_not_said_to_be_threatened() {
    let mistake = (
        "ln6l/4ks+R2/6n2/2psp2pp/P5g2/1PPSP1p2/1pKP1P2P/L1G1G4/1N6L w BG3Prbsn2p 106",
        ("S*4c", cp(2275), "B*6a"),
        (cp(-1264), "S*6i"),
    );
    check_not(mistake, ReasonKind::MissesThreat);
}

#[test]
fn a_move_allows_a_move_that_was_impossible_or_leaves_a_square() {
    check(
        (
            "ln4+R1l/4g4/3k1s3/2p2b3/P2pP1gpp/1PP3p2/LK1P1P2P/2G1G4/1NNr4L w SN6Pb2s 130",
            ("6c5c", cp(480), "N*5f"),
            (cp(582), "S*4e"),
        ),
        ReasonKind::AllowsMove,
        "Allows N*5f: after S*4e the piece could have been taken.",
        "▲５六桂を許した。△４五銀なら取れる手だった。",
    );
    check(
        (
            "ln4knl/1r2g1g2/p4psp1/3Ps1p1p/7P1/PPS1P3P/2B3P2/2G1G2R1/LN1K3NL b S5Pbp 61",
            ("5f5e", cp(43), "P*7e"),
            (cp(316), "S*7e"),
        ),
        ReasonKind::LeavesSquare,
        "Leaves 7e to P*7e: S*7e takes the square first.",
        "△７五歩と指される。先に▲７五銀打と指すところだった。",
    );
}

#[test]
fn a_move_loses_a_tempo_to_an_attack_or_by_going_back() {
    check(
        (
            "ln3g1nl/1r2g1kb1/p1ppsp1p1/8p/1p4s2/2PP5/PPBSRP1PP/6GK1/LN1G2SNL b 2P2p 33",
            ("3h3g", cp(773), "P*3f 3g3h"),
            (cp(-407), "1g1f"),
        ),
        ReasonKind::LosesTempo,
        "Loses a move: P*3f attacks the gold, which moves again (G-3h).",
        "手損になる。△３六歩が金取りの先手になり、▲３八金と逃げることになる。",
    );
    check(
        (
            "ln5nl/1r1sg1kb1/5p1p1/p1ppPgpsp/1p7/2PPS2PP/PPN2PP2/2GB2SK1/L3RG1NL b p 43",
            ("3g3f", cp(388), "P*5e 5f6g"),
            (cp(180), "6h4f"),
        ),
        ReasonKind::LosesTempo,
        "Lets P*5e gain a move: it attacks the silver, which leaves (S-6g).",
        "△５五歩が銀取りの先手になり、▲６七銀と逃げることになる。",
    );
    check(
        (
            "l4gbnl/1r5k1/p1ns1gsp1/2ppppp1p/1p7/P1PP1PP1P/1PBS1SNP1/2G1R1GK1/LN6L b P 43",
            ("3g2e", cp(236), "3c2d 2g2f"),
            (cp(5), "6g5f"),
        ),
        ReasonKind::LosesTempo,
        "Lets S-2d gain a move: it attacks the knight, which needs protection (P-2f).",
        "△２四銀が桂取りの先手になり、▲２六歩と受けることになる。",
    );
    check(
        (
            "ln3g1nl/1r2g1kb1/p1p2p1p1/2sp1sp1p/1p7/2PPPPP1P/PPBS1S1P1/3R3K1/LN1G1G1NL w p 38",
            ("3b3a", cp(227), "6i5h 7d6c 4i3h 3a3b"),
            (cp(-53), "4a4b"),
        ),
        ReasonKind::LosesTempo,
        "Loses two moves: the king goes back (K-3b).",
        "手損になる。玉が△３二玉と元に戻る。",
    );
}

/// Regression: a silver that is driven from 3c over 4d to 5e was said to lose a move.
#[test]
fn a_piece_that_is_driven_forward_loses_no_move() {
    check(
        (
            "l2gk2nl/1rs3g2/p1np1ps2/2p1p3p/9/1PP3P+B1/P2P2SpP/1SKG2B2/LN3G1NL b 3Pr2p 41 moves 8h8g",
            ("3c4d", cp(82), "P*4e 4d5e 7f7e P*8h 7h8h P*8e 7e7d 8e8f 8g7f 7c8e 8h7h P*7g 8i7g"),
            (cp(265), "P*8h 7h8h P*8e 8f8e 8b8e"),
        ),
        ReasonKind::LosesTempo,
        "Lets P*4e gain a move: it attacks the silver, which leaves (S-5e).",
        "▲４五歩が銀取りの先手になり、△５五銀と逃げることになる。",
    );
}

#[test]
fn a_move_misses_the_gain_of_a_tempo() {
    check(
        (
            "ln3g1nl/1r2g1kb1/p1ppsp1p1/8p/1p4s2/2PP5/PPBSRPGPP/7K1/LN1G2SNL w 2P2p 34",
            ("2b1c", cp(-517), "3i4h"),
            (cp(773), "P*3f 3g3h"),
        ),
        ReasonKind::MissesTempo,
        "Misses the gain of a move: P*3f attacks the gold, which leaves (G-3h).",
        "△３六歩なら金取りの先手だった（▲３八金と逃げる）。",
    );
}

#[test]
fn a_move_comes_too_early_or_pays_before_the_better_one() {
    check(
        (
            "ln3k2l/1r2gbg2/3p1snp1/1sp1pp2p/P5S2/1PPSP1p2/3P1PN1P/2GBG4/LNK4RL b 3Pp 57",
            ("6h4f", cp(-247), "8d7c"),
            (cp(474), "P*3d 3f3g+ 3d3c+ 3b3c 6h4f"),
        ),
        ReasonKind::WrongOrder,
        "Too early: only after P*3d does B-4f threaten to win the tokin.",
        "手順前後。先に▲３四歩なら、後の▲４六角でと金得を狙える。",
    );
    check(
        (
            "l4g3/1k3l3/1psg3p1/2Pn2p1+P/P1p4P1/2s+B1PP2/1PNPG4/2KG1R3/L3s3L w RSN4Pbn2p 108",
            ("N*8f", cp(690), "8g8f 7c7d P*7c 6c6b N*6e B*8g 7h8h 4a5b R*7b 6b7b"),
            (cp(-371), "7c7d"),
        ),
        ReasonKind::WrongOrder,
        "Loses a knight (Px8f) before Sx7d follows.",
        "先に桂を▲同　歩と取られ、その後で△７四銀となる。",
    );
}

/// Regression: `▲同　と`, which after the move before it in the sentence would be on 5c.
#[test]
fn a_move_named_after_another_one_has_its_square() {
    check(
        (
            "ln1k5/1r1sgg+L+P1/2pp2p2/p3Ppn2/2PPb1S2/Pp2sPS2/1PN3G1L/4GR1K1/+n8 w B4Plp 102 moves 4b3b",
            ("5d5c+", cp(32), "6b5c 2b3b P*5g 5h4g 5f4g 4h4g 5e7g+ 3b3c L*2a P*2f 7g5i 3c3d"),
            (cp(610), "2b3b 5e7g+ 3b3c L*2a P*2f 6a7b 3e3d 7g6f 3d4c+ 5f5g"),
        ),
        ReasonKind::WrongOrder,
        "Loses a pawn (Sx5c) before +Px3b follows.",
        "先に歩を△同　銀と取られ、その後で▲３二ととなる。",
    );
}

#[test]
fn a_move_gives_the_opponent_time() {
    check(
        (
            "ln1gk2nl/1r3sg2/p1pppp1pp/6p2/1p7/P1s1P2P1/1P1PSPP1P/1G1BG2R1/LN2K2NL w Bsp 24",
            ("4b3c", cp(143), "5g6f"),
            (cp(212), "S*7e"),
        ),
        ReasonKind::GivesTime,
        "Gives time for S-6f, after which S*7e loses the silver.",
        "▲６六銀と指す余裕を与えた。その後の△７五銀は銀を取られる。",
    );
    check(
        (
            "ln1g3n1/1ks6/ppppbg3/3lp3p/3nPpp2/P1P+B2P1P/1P1P1P3/1KS1G3R/LN1G3+rL w SPsp 64",
            ("9c9d", cp(-1244), "5e5d"),
            (cp(1763), "5d5e"),
        ),
        ReasonKind::GivesTime,
        "Leaves the pawn to Px5d: Px5e takes first.",
        "歩を▲５四歩と取られる。先に△５五歩と取るところだった。",
    );
    check(
        (
            "ln4b1l/1r2g1k2/3s2np1/2pp1Spsp/Pp7/2PP2gPP/1PNS1P3/2GB1GK2/L3R2NL w 3P2p 62",
            ("7d7e", cp(687), "P*5d"),
            (cp(-57), "P*4c"),
        ),
        ReasonKind::GivesTime,
        "Gives time for P*5d: after P*4c it would leave the silver to Px4d.",
        "▲５四歩と指す余裕を与えた。先に△４三歩なら、▲５四歩には銀を△４四歩と取れた。",
    );
}

/// Regression: a better move that takes was said to move the piece away only.
#[test]
fn a_piece_that_the_reply_takes_is_moved_away_or_takes_first() {
    check(
        (
            "l5snl/1r2gk3/p1s2p1G1/4+B1pRp/1P1N5/P1G6/1p1PPK2P/9/L1S2G1N+b w S3Pnl5p 74 moves 1i6d",
            ("S*5e", cp(-371), "6d5d 5e5d 7c6d P*2b N*5e 4g3h B*4g 3h3i 4g3f+ 2b2a+ 3f5d 2a3a"),
            (cp(834), "5d3f 6d6c 3f6c 5b6c 6e7c+ N*5e 4g5h 6c7c"),
        ),
        ReasonKind::GivesTime,
        "Leaves the horse to +Bx5d: +B-3f moves it away first.",
        "馬を△５四馬と取られる。先に▲３六馬と指すところだった。",
    );
    check(
        (
            "ln2k2nl/1r3s3/2pspg1g1/3p3pp/pp3SP2/P1P2P2P/1P+bPP1N2/2SK3R1/LN1G1G2L b 3Pb 41 moves 8i7g",
            ("B*7d", cp(593), "9f9e 8e8f 8g8f 8b8f P*2e 2d2e B*6f 8f8h+ 6f1a+ 8h9i 1a2a"),
            (cp(-141), "9e9f 4e3d 4c3d 3e3d P*3f 3g4e 3f3g+ B*7a 8b5b G*4c 4b4c 4e5c+ G*8h 5c4c"),
        ),
        ReasonKind::GivesTime,
        "Leaves the pawn to Px9e: Px9f takes first.",
        "歩を▲９五歩と取られる。先に△９六歩と取るところだった。",
    );
}

#[test]
fn a_move_allows_a_move_that_the_better_one_prevents_or_makes_it_possible() {
    check(
        (
            "ln2k1snl/1r2g2g1/2ppppbp1/p5R1p/1psPBNp2/P5P1P/1P1SPP3/2G1GS3/LN2K3L w 2P 44",
            ("3c4b", cp(2720), "5e2b+"),
            (cp(-1537), "8e8f"),
        ),
        ReasonKind::AllowsMove,
        "Makes Bx2b+ possible, which was not before.",
        "この手で▲２二角成の筋が生じた。",
    );
    check(
        (
            "l5bn1/2r2sg2/p1ns1g1kP/2Pppppp1/1pp4N1/P2P1PP2/1P1S1S1P1/2G1R1GK1/LN2B4 w Ll2p 68",
            ("2d2e", cp(-312), "7d7c+ 7b7c 1c1b+ 2a3c 8i7g N*5e 7g8e 7c7d"),
            (cp(1018), "6c7d"),
        ),
        ReasonKind::AllowsMove,
        "Allows Px7c+, which Sx7d makes impossible.",
        "▲７三歩成を許した。△７四銀なら指せない手だった。",
    );
}

#[test]
fn a_line_ends_with_less_material() {
    check(
        (
            "l2+B2bn1/5sg1k/p2s1g3/2rpppp2/1pp4p1/P2P1PP2/1P1S1S1P1/2G1R1GK1/LN7 w N2Ln4p 78",
            (
                "1b2b",
                cp(1828),
                "L*2d N*2c N*1e P*1f 1e2c+ 3b2c 2d2c+ 2b2c 6a6b 4c5c G*4a 5c5b 6b6c 5b6c 4a3a B*1g 2h3g 4b3a B*4a 3a3b 4a6c+",
            ),
            (cp(-997), "4b3c 6a6b 4c5c 6b5a N*5e 2h3i 5e6g+ 7h6g P*1f N*2d 3c2d 5a2d 1f1g+"),
        ),
        ReasonKind::EndsBehind,
        "Ends with less material: a lance won for a gold after 12 moves, in the better line nothing is lost after 13.",
        "駒の損得で劣る。この手順は12手で香得、金損。最善の手順は13手で駒の損得なし。",
    );
    check(
        (
            "lnsgkg1nl/1r7/pppppsbpp/5pp2/7P1/2P1P4/PP1P1PP1P/1B1K1S1R1/LNSG1G1NL w - 12",
            ("8b2b", cp(122), "3g3f 9c9d 9g9f 5a6b 4i5h 7a7b 6h7h 6b7a 7i6h 4a5b 4g4f"),
            (cp(130), "4a3b 4g4f 8c8d 4f4e 4d4e 8h3c+ 2a3c 6h7h 8d8e 7i8h 4e4f 8h7g"),
        ),
        ReasonKind::EndsBehind,
        "Ends with less material: nothing is lost after 12 moves, in the better line a pawn won after 12.",
        "駒の損得で劣る。この手順は12手で駒の損得なし。最善の手順は12手で1歩得。",
    );
}

#[test]
fn the_pawn_before_the_rook_is_exchanged_in_one_line_only() {
    check(
        (
            "lnsgkgsnl/1r7/p1ppppbpp/1p4p2/7P1/9/PPPPPPP1P/1B4SR1/LNSGKG1NL b - 7",
            ("3h2g", cp(20), "8d8e 6i7h 8e8f 8g8f 8b8f"),
            (cp(261), "7g7f 3a2b 8h3c+ 2b3c 7i8h 9c9d"),
        ),
        ReasonKind::AllowsExchange,
        "Lets the opponent exchange the pawn before the rook: P-8f and Rx8f.",
        "△８六歩から△８六飛と飛車先の歩を交換される。",
    );
    check(
        (
            "ln1g2knl/1r4g2/2spppsp1/p5p1p/1pPP3P1/P3G2S1/1P2PPP1P/1SGK3R1/LN5NL w BPb 36",
            ("6a5b", cp(23), "3g3f 6c6d"),
            (cp(342), "8e8f 8g8f 8b8f"),
        ),
        ReasonKind::MissesExchange,
        "Misses the exchange of the pawn before the rook: P-8f and Rx8f.",
        "△８六歩から△８六飛の飛車先の歩交換を逃した。",
    );
}

/// Regression: the exchange was said to begin with the first move of the line.
#[test]
fn an_exchange_of_the_pawn_before_the_rook_begins_with_its_push() {
    check(
        (
            "l7l/1r2gkgs1/p1npppppp/1p1s5/3bPnS2/2PB1P1P1/PPSP4P/2G1G2R1/LNK4NL b 2P 41 moves 7i8h",
            ("8d8e", cp(1130), "4f4e 4b3a 6f4h 9c9d 2f2e 9d9e P*3d 3c3d 3e3d"),
            (cp(-856), "6e5f 4f4e 7c6e 7g6h 8d8e 3e4f 8e8f 8g8f 8b8f 7h8g 8f8b P*8f 1c1d 9g9f"),
        ),
        ReasonKind::MissesExchange,
        "Misses the exchange of the pawn before the rook: P-8f and Rx8f.",
        "△８六歩から△８六飛の飛車先の歩交換を逃した。",
    );
}

/// Regression: they were said to follow after the named move, which is the first of four in one of these lines.
#[test]
fn checks_are_counted_from_the_named_move_on() {
    check(
        (
            "l5snl/1r2gk3/p1s2p1G1/4S1pRp/1P1N2n2/P1G6/1p1PP3P/4K4/L1S2G1N1 w B3Pbl5p 80 moves 7c6d",
            ("B*4f", cp(-345), "L*5e 7f7e B*3f 5h6h 6d7e 4f5e 3f5d 5e8b+ 5d6e"),
            (cp(802), "B*8f B*3f 5h6h P*6c 8f6d 6c6d S*5c 4b5a 5c5b+ 8b5b"),
        ),
        ReasonKind::MissesAttack,
        "Misses an attack on the king: from B*8f on, 3 checks come with the loss of a general beside it.",
        "玉への攻めを逃した。▲８六角から王手が3回かかり、玉のそばの金銀を1枚取られる。",
    );
}

/// Regression: the sentence said that the knight attacks the silver only later. It does so at once, but a horse defends
/// the silver until a pawn closes its diagonal.
#[test]
fn a_piece_that_is_defended_for_now_is_attacked_but_not_won() {
    check(
        (
            "l5snl/1r2gk3/p1s2p1G1/4+B1pRp/1P2b4/P1G6/1pNPPK2P/9/L1S2G1NL w S3Pn5p 72 moves 5e1i+",
            ("7g6e", cp(-511), "P*5c 5d3f L*4f 3f4f 1i4f 4g4f"),
            (cp(826), "P*3g L*4d P*4e 1i1h 7g6e 1h4e 5d4e 4d4e P*4f"),
        ),
        ReasonKind::WrongOrder,
        "Too early: only after P*3g does N-6e threaten to win the silver.",
        "手順前後。先に▲３七歩なら、後の▲６五桂で銀得を狙える。",
    );
}

/// Regression: `馬得`, which nobody says.
#[test]
fn a_horse_that_is_taken_counts_as_a_bishop_in_japanese() {
    check(
        (
            "ln2k2nl/3r1sB2/2pspg1g1/3p3pp/Pp3SP2/2P2P2P/1PNPP+bN2/2SK1G1R1/L2G4L w 4P 48 moves 4g4h",
            ("3b4c+", cp(455), "4h3g 4c2a 3g2h 2a3b G*8h 3b2c 2h4f P*4c R*2h G*5h 4b4c"),
            (
                cp(1664),
                "2h4h 2c2b 3b4c+ 4b4c B*7a 2b3b 7a6b+ 5a6b R*4a B*2f 4h3h 9a9e 4a2a+ 9e9i+ 2a8a",
            ),
        ),
        ReasonKind::MissesPiece,
        "Misses the win of a horse: Rx4h.",
        "▲同　飛で角得になる手を逃した。",
    );
}

/// Regression: a rook and a pawn for a silver were called less than a bishop and a knight for a gold.
#[test]
fn a_pawn_or_two_in_the_value_of_other_pieces_is_no_loss_of_material() {
    let mistake = (
        "l7l/4k2g1/3gp1n2/prp1sP1pp/3p5/PPP1S1G1P/1GKPP1P1N/9/L2sR3L w BS3Pb2np 82 moves B*7h",
        ("S*8e", cp(227), "8d8e 8f8e 7d7e 7f7e N*6d 8g8h S*7f 7g8f"),
        (cp(162), "8g8h N*6d 8h7h 6i7h+ 7g7h 6d5f 5g5f"),
    );
    check_not(mistake, ReasonKind::EndsBehind);
}

/// Regression: the king that left them in the opening was said to lose its guards.
#[test]
fn generals_that_a_king_leaves_by_itself_are_not_lost() {
    let mistake = (
        "lnsgkgsnl/1r5b1/p2ppp1pp/1pp3p2/9/2P6/PPSPPPPPP/1B5R1/LN1GKGSNL b - 7",
        ("2h6h", cp(134), "7a6b 6i7h 1c1d 5i4h 5a4b 1g1f 4b3b"),
        (cp(53), "2g2f 2b3c 2f2e 7a6b 6i7h 1c1d 1g1f"),
    );
    check_not(mistake, ReasonKind::LosesGuards);
}

#[test]
fn a_dragon_for_a_rook_is_no_loss_of_material() {
    let mistake = (
        "ln1g3n1/1ks6/1pppbg3/p2lP3p/3n1pp2/P1P+B2P1P/1P1P1P3/1KS1G3R/LN1G3+rL w S2Psp 66",
        ("5c6b", cp(-907), "6f5f 4c5d 4g4f 2i1h 1i1h R*3i P*5e P*5g 5h6h"),
        (cp(1244), "5c4b 6f5f 4b3c S*6f 3e3f 4g4f 2i2e P*3d 3c2b 5f4e 3f3g+ 1f1e"),
    );
    check_not(mistake, ReasonKind::EndsBehind);
}

#[test]
fn a_reply_that_would_not_take_back_is_no_reply_to_an_exchange() {
    let mistake = (
        "ln6l/4g4/3k1s+R2/2pspb1pp/P5gn1/1PPSP1p1B/1pKP1P2P/L1G1G4/1N6L b SN3Pr2p 115",
        ("3c3a", cp(-268), "P*6e S*3c 4d3c 3a3c 3e3d 3c3a 6e6f 3a8a R*6i N*7i S*8h 7h8h"),
        (cp(458), "3c4d 4c4d B*8b R*2h P*3h P*6e 8b7a+ 6e6f 7a4d S*8h 7g8g 8h8i"),
    );
    check_not(mistake, ReasonKind::GivesTime);
}

#[test]
fn the_same_move_with_another_capture_is_no_move_in_another_order() {
    let mistake = (
        "ln1g1g1nl/1ks3r2/1pbp1s1p1/p1p1ppPPp/9/2PBPS2P/PPSP1P3/2K1G2R1/LN1G3NL w P 36",
        ("2c2d", cp(515), "2h2d P*2b 9g9f 4c3d P*3c 3b3c 6f4d P*4e"),
        (cp(-86), "3b3d 7f7e 3d2d 2h2d 2c2d 7e7d 7c6d"),
    );
    check_not(mistake, ReasonKind::WrongOrder);
}

#[test]
fn a_piece_that_the_better_move_takes_back_is_not_lost_before_it() {
    let mistake = (
        "ln3g3/1ks2l3/1p1gr1+Bp1/2P3p1+P/P1pp3P1/2sN1PP2/1PNPG4/2K2R3/L2G4L b B2S4Pnp 95",
        ("6i6h", cp(-741), "5c3c B*5e N*6d 5e3c+ 6e6f 3c6f B*3i 4h5h"),
        (cp(1755), "B*5e N*6d S*6b P*5f S*7a 8b9b 6b5c+ 5f5g+"),
    );
    check_not(mistake, ReasonKind::WrongOrder);
}

#[test]
fn a_pawn_that_is_offered_on_the_way_is_not_lost_before_the_better_move() {
    let mistake = (
        "l4gbnl/1r3s1k1/p1ns1g1p1/3pppp1p/1pp4N1/P2P1PP1P/1PBS1S1P1/2G1R1GK1/LN6L b Pp 47",
        ("7g9e", cp(753), "8b7b 6f6e 6d6e 4f4e 4d4e P*6d 6c6d 6g5f"),
        (cp(-30), "4f4e 2b3b 4e4d 4c4d 6f6e 3a2b P*4e 4d4e"),
    );
    check_not(mistake, ReasonKind::WrongOrder);
}

#[test]
fn an_exchange_leaves_no_piece() {
    let mistake = (
        "ln1g2knl/1r4gs1/2spppbp1/p5p1p/1pPP3P1/P3G2S1/1PB1PPP1P/2GK3R1/LNS4NL b P 33",
        ("7g3c+", cp(230), "2b3c 2e2d 2c2d 7h7g"),
        (cp(231), "3g3f 6c6d 3f3e 3d3e P*3d 3c7g+"),
    );
    check_not(mistake, ReasonKind::LeavesPiece);
}

#[test]
fn a_piece_that_was_attacked_before_a_check_is_attacked_by_no_answer() {
    let mistake = (
        "l1k2+P2l/1r7/2+B2gP2/1ls1p2p1/p4NS1p/2PPP1p2/PPK6/4S4/L8 w B2GS3N4Prg2p 112",
        ("R*3g", cp(2553), "G*4g G*8c N*6c"),
        (cp(-1478), "8d8g+ 7g6h"),
    );
    check_not(mistake, ReasonKind::LosesTempo);
}

#[test]
fn a_pawn_that_is_pushed_into_a_capture_is_not_won() {
    let mistake = (
        "ln3k1nl/1r2g1g2/2pp1s1p1/p1sbppp1p/1p7/P1P2SP2/1PSPPPN1P/2GBG2R1/LNK5L w P 40",
        ("9d9e", cp(318), "9f9e 7d8c 7g6f 6d4b"),
        (cp(-153), "4a3a 2h2f 7d8c 3f3e 3d3e 5h4h 4c3d 5g5f"),
    );
    check_not(mistake, ReasonKind::MissesPiece);
}

#[test]
fn a_piece_that_goes_back_with_a_capture_loses_no_tempo() {
    let mistake = (
        "ln3k1nl/4gsb2/7+R1/1sp+Bp2pp/P5g2/1PPSP1p2/1pKP1P2P/L1G1G4/1N6L b S4Prnp 97",
        ("2c2b", cp(-1784), "3f3g+ S*2c 3b2c 2b2c S*6i 5h6h"),
        (cp(2493), "2c8c R*3h 8c8a N*5a"),
    );
    check_not(mistake, ReasonKind::LosesTempo);
}

#[test]
fn an_exchange_is_no_move_that_the_better_move_prevents() {
    let mistake = (
        "ln3k2l/1r2gbg2/3p1snp1/1sp1pp2p/P5S2/1PPSPBp2/3P1PN1P/2G1G4/LNK4RL w 3Pp 58",
        ("4b6d", cp(512), "4f6d 6c6d P*3d"),
        (cp(-247), "8d7c P*3d 3f3g+ 3d3c+"),
    );
    check_not(mistake, ReasonKind::AllowsMove);
}

#[test]
fn a_piece_that_both_lines_win_is_not_missed() {
    let mistake = (
        "ln3g1nl/1ksg3r1/1pbpPs1p1/p1p1p1p1p/4Sp1P1/P1PS2P1P/1PBP1PN2/2K1G2R1/LN1G4L w - 46",
        (
            "1d1e",
            cp(725),
            "1f1e 5d5e 6f6e 4c4d 2h2f 7c8d 3g4e 8d3i+ 3f3e 3d3e P*3d 8a7c 6e5d 3e3f 2f3f 3i2h",
        ),
        (cp(1135), "5d5e 6f6e 4c4d 6e7d 7c8d 2h2i 6b5c 9f9e 9d9e P*9d 5c6d 7d8e"),
    );
    check_not(mistake, ReasonKind::MissesPiece);
}

#[test]
fn a_piece_that_is_taken_back_two_moves_later_is_no_free_piece() {
    let mistake = (
        "ln3g3/1ks2l3/1p1gr1+Bp1/2P3p1+P/P1pp3P1/2sN1PP2/1PNPG4/2K2R3/L2G4L b B2S4Pnp 95",
        ("6i6h", cp(-741), "5c3c B*5e N*6d 5e3c+ 6e6f 3c6f B*3i 4h5h P*5f 5g5f 6d5f 6f5f N*6d"),
        (cp(1755), "B*5e N*6d S*6b P*5f S*7a 8b9b 6b5c+ 5f5g+"),
    );
    check_not(mistake, ReasonKind::AllowsTactic);
    check_not(mistake, ReasonKind::LeavesPiece);
}

#[test]
fn a_pawn_that_promotes_into_a_capture_is_no_free_piece() {
    let mistake = (
        "ln3g2+B/1ks2r3/1p2g2p+P/p1Pps1p2/1sp2L1P1/P3pPP2/1P1P2N2/2K1GR3/LN1G4L w BN3Ps 72",
        ("5f5g+", cp(1764), "5h5g 5d4e 3g4e 5c6c 1c2c 8e7f"),
        (cp(-1326), "5d4e 3g4e L*7f 7h8h S*5g 4h1h"),
    );
    check_not(mistake, ReasonKind::AllowsTactic);
}

#[test]
fn a_capture_that_can_promote_is_shown_with_the_promotion() {
    check(
        (
            "l4g3/1k3l3/1psg2+Bp1/3n2p1+P/P1p4P1/2sp1PP2/1PNPG4/2KG1R3/L7L b RSN4Pbsn2p 105",
            ("3c6f", cp(-144), "B*3i"),
            (cp(311), "P*7d"),
        ),
        ReasonKind::GivesTime,
        "Gives time for B*3i: after P*7d it would leave the silver to Px7c+.",
        "△３九角と指す余裕を与えた。先に▲７四歩なら、△３九角には銀を▲７三歩成と取れた。",
    );
}
