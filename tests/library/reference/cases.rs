//! Single cases of the rules with known answers, each with its source.

use super::slow::Verdict;

/// A pawn drop that gives check.
#[derive(Debug)]
pub struct PawnDrop {
    pub sfen: &'static str,
    pub mv: &'static str,
    pub legal: bool,
}

const fn mate(sfen: &'static str, mv: &'static str) -> PawnDrop {
    PawnDrop { sfen, mv, legal: false }
}

const fn only_check(sfen: &'static str, mv: &'static str) -> PawnDrop {
    PawnDrop { sfen, mv, legal: true }
}

/// Positions from the tests of haitaka and maou, from games and mate problems with which other engines
/// are tested (nshogi, Open Tsume), and from random play from those; cshogi agrees on all.
pub const PAWN_DROPS: &[PawnDrop] = &[
    mate("7lk/9/8S/9/9/9/9/7L1/8K b P 1", "P*1b"),
    mate("7nk/9/8G/9/9/9/9/9/8K b P 1", "P*1b"),
    // The only piece that could take the pawn is pinned.
    mate("l7+P/4+Bsk2/4pp3/5b1pp/3n5/p4N2P/1pPP1PPg1/2G2L3/LNS1rGKNL w RS3Pgs3p 104", "P*3h"),
    mate("k8/9/9/9/9/9/8s/7l1/7LK w p 1", "P*1h"),
    mate(
        "ln7/3+P1+P1+Pg/p1s2p2l/2G5g/1pg1r1p2/Pk2p1+B1L/L1P1S1+np1/1BKS2R2/1N1P2S1N b 4P2p 211",
        "P*8g",
    ),
    mate("9/9/9/3S1l3/3lG1p+B1/2G2k3/4b1l2/4L2+r1/3R5 b N3P2g3s3n14p 1", "P*4g"),
    mate("1+P2p1p2/n2g1G1pp/3pB2Rn/2P1k1+r2/5l2B/3G2N2/N8/7S1/9 b Pg3s3l10p 1", "P*5e"),
    mate(
        "2B5l/1+N3sS2/6g2/l1+b1p1p1P/ps2GP2L/3PN1R2/L1K1+pk1G1/2P5+p/1+r3+n3 w GSN2P7p 212",
        "P*7f",
    ),
    mate("ln5Sl/5+S1b1/5p1pk/p5pn1/1p1N2+B1p/2p2SPN1/PP1PPP1+r1/2S1R4/L3KG2L b 2G4Pgp 91", "P*1d"),
    mate(
        "ln1g5/1r1k5/p2p1+B2p/1pp1SS1p1/2s6/1gP3n2/PP1P1+r2P/1S+b2l3/LN2K2P1 w NP2gl5p 92",
        "P*5h",
    ),
    mate("ln5+N1/2r1k4/3s3P1/p2ppP3/2P2pP+bP/2G+B3s1/PPpPP2g1/1sg6/L3G+rSNK w 2Ln4p 126", "P*1h"),
    mate(
        "s1+SG1+S2+N/1+P1P5/3+Rp2S1/1Pp2P3/+Nl1G2K1p/P3kppp1/B4RP2/1+pP+lG1+l1+l/1+n+ng+p2PP b Pb 377",
        "P*5g",
    ),
    mate(
        "ln6r/1s1p2+P1g/4Pp+P1l/2pG3g+B/1pg1p1p1p/Pk6P/2P1S2pL/LBKS2+nR1/1N1P2S1N b P2p 193",
        "P*8g",
    ),
    mate(
        "s1+S3+S1+N/1+PG6/4+R4/1Pp1pPBS1/+Nl1pk3p/P1G2pKp1/BpglGRP2/2P3+l1+l/1+n+n1+p2PP b 2P 361",
        "P*5f",
    ),
    mate(
        "+P+P+P1+bpRS1/3+R1n1L+L/2G2+P1kN/N1P6/P1G1S2p+P/3p+n3l/L3p2Sp/KP1+p4P/3P1g+pg1 b BPs 461",
        "P*2d",
    ),
    mate(
        "5kn+R1/+PS1+Ps4/3s+B1l2/1Lp1G1p1S/3p1n2+p/3+p1+nG2/4Pp1G1/6G+r1/5L1N+B b 2Pl7p 3",
        "P*4b",
    ),
    mate("3+Rs1B2/Sk5l1/2p4p1/2gSrpp2/Lb7/2N3P2/2PPP1L2/3p5/L8 b P3gs3n8p 11", "P*8c"),
    mate("1pg2p1l1/3gG1n2/6S2/1Sbp5/2p1Bs2L/1l2P2+p1/LR4+R2/k6P1/2+p+s1G1+p1 b 6P3n3p 3", "P*9i"),
    mate(
        "lk3S1nl/1rs+S+P4/1Pn4+P1/p1p1g1p1p/4p4/PKP1g1PpP/1G1g5/r2+p1B3/LN1PS3+n w BL3p 98",
        "P*8e",
    ),
    mate("9/9/9/3S1l3/3lG1p+B1/2GRsk3/4b1l2/4L2+r1/9 b N3P2g2s3n14p 3", "P*4g"),
    mate(
        "3+R2s1l/kpPs+B2b1/2s1pp3/1S5gP/2N2Gpn1/3P5/1P1KPP1+p1/1R+l6/2gg3+lL b 2N2P5p 137",
        "P*9c",
    ),
    mate("3l5/2+P2s2+P/G+P1gS1S1R/B1k1npp1p/p2p3pP/1K2L2n1/P3PPLG1/9/+n4+n2L b G5Prbs 185", "P*7e"),
    mate("l4k1nl/4g1gs1/3ppn1p1/2pb4p/p1Ps1p3/4P2S1/3G2PsP/2+p2P3/2+r2bKNL w RGNL5p 114", "P*3h"),
    mate("l4k1nl/4g1gs1/3ppn1p1/2pb4p/p1Ps1p3/4P2S1/3+b2PsP/2+p2P3/2+rN2KNL w RGLg5p 116", "P*3h"),
    mate("l2g4l/1B3+S3/p1spg2pp/2p1P4/5+R3/P2BNKP2/1kSP1P2P/3S2+n+r1/L1G4NL b 7Pgn 123", "P*8h"),
    mate("l2g4l/1B3+S3/p1spg2pp/2p1P4/1+R7/Pn1BNKP2/1kSP1P2P/3S2+n+r1/L1G4NL b 7Pg 125", "P*8h"),
    mate(
        "l2g4l/1S2l1Rp1/p1+Bp1+Pp1p/k1B+Sp4/9/2P1P1S2/3S1P2P/1g1KG1+r2/1N3+n2L b N5Pgn2p 105",
        "P*9e",
    ),
    mate("5kn2/+PS1+Ps4/3s+BGl2/1Lp3p1S/3p1n1+R+p/3+p1+nG2/4Pp1G1/6G+r1/5L1N+B b 2Pl7p 3", "P*4b"),
    mate("9/2l6/9/1pG1S4/1Pn+bg4/2k1+Bs3/9/r2S+r4/1L+p6 b S3N2P2g2l13p 3", "P*7g"),
    only_check(
        "lrS2k2l/4g2+P1/p1+Pp2n1p/4ppSp1/2G6/4P1P2/Pp1P1P1+bP/1S2G4/LNKG2+b1L w SN2Prnp 76",
        "P*7h",
    ),
    only_check(
        "lnsg3nl/3kg1r2/p1p3bpp/1p1sppp2/7P1/2PSP4/PP3PP1P/1BGS3R1/LN2KG1NL b Pp 25",
        "P*6c",
    ),
    only_check(
        "+L+PG+P+S+P2+P/P1+NG2+SP1/1+S2K+P3/1P3N+RlP/3+b4p/k4gP2/3+l4+p/+p+sp3p2/+pg+l1+n+p2+n w Rbp 610",
        "P*5b",
    ),
    only_check(
        "3g3nl/4ks1b1/p1+Bp1ppgp/2p6/1pPNPs2P/6np1/PP1G1PN2/3PK1SL1/L1+rr1G2L w Ps2p 86",
        "P*5g",
    ),
    only_check(
        "l2+N2snl/6r1k/2P2p3/pp1S2p1p/3Gn1+rN1/2K2P3/PP1G+p3P/9/L4s2L w 2BGSPg6p 110",
        "P*7e",
    ),
    only_check(
        "+R1g1kg2l/3s2s2/p1Np+Npnpp/6P2/1b7/Pp1bPS1PP/2g2P1s1/R8/L3KG1NL w L2P4p 72",
        "P*5h",
    ),
    only_check(
        "l3kp2l/3r2+RG1/1+bPp1g3/p3p3p/1N1Gn4/1P1S1P2P/P2PS1N2/1S2K4/L7L b BGS3Pn4p 127",
        "P*5b",
    ),
    only_check(
        "+PpG+L1+P1+Nl/4k1pPg/3p1p3/Lb2Ns2P/1RPgP1l2/1P1S1S1+BK/+p+rp6/1+p3+n+n2/3s3+p1 w 2Pgp 350",
        "P*1e",
    ),
    only_check(
        "l5+P1l/2s6/p4p3/2pPpbPk1/3S4p/P1P6/1GB2P2P/1K1pG4/LN4sN+p b 2GSNP2rnl3p 107",
        "P*2e",
    ),
    only_check(
        "ln3k1nl/5s3/pSp6/3p3p1/PKP3+r1p/1P2P4/2+sP4P/2g3+p2/Lg6L w R3P2b2gs2n3p 120",
        "P*8d",
    ),
    only_check(
        "ln4p2/1r1s2g2/p1pP1s1p1/1kg1p3p/2Pp1P+B2/1p+RnNK1P1/P3P2SP/9/L2G1BG1L b SNL2Pp 157",
        "P*8e",
    ),
    only_check(
        "1n1g2p1l/2s1k1g2/3p2np1/2P1pp2p/3r5/pP1B4P/1K1P2PS1/P3R4/LN5NL b B2SL3P2g2p 1",
        "P*5c",
    ),
    only_check("lnB2k1+Pl/4g1g2/p1pp2ppp/5r3/3s2P1P/NpPnPP3/P5Sb1/3S5/LNG1KG2L w rs4p 74", "P*5h"),
    only_check(
        "l3g2nl/3+B5/2p3p1p/p8/1p1s1+NPr1/2PG4P/PP2P+rk2/3K5/LN3+l3 w BGSNPg2s6p 124",
        "P*6g",
    ),
    only_check(
        "l6nl/3S1kg2/4p2p1/3P1sp1p/PK2Pp3/1Gp1N1P1P/4S1N2/1+r1BG1+b2/L1R5L w SN3Pg4p 1",
        "P*8d",
    ),
    only_check("lnkgs2+Pl/9/pppp4p/9/5n3/2r3P2/P1NPPP2P/2GSKS2r/L4G1+b1 b BGSLPn5p 1", "P*7b"),
    only_check(
        "3+R3nl/5sgb1/1sp1pppp1/3pk4/2P2N1P1/PG3PPRp/2NP5/+b2S1S3/3K1G2L b GN4P2lp 79",
        "P*5e",
    ),
    only_check(
        "l6+Pl/1Bk1g4/3pp1p1g/1Bpn5/p2+r2s2/2l1PPPp1/PPSP1G1s1/3R5/L1GK3N1 b SN3Pn2p 101",
        "P*7c",
    ),
    only_check(
        "5+P1Bl/+S1Gp2lPg/2R1sk1N1/L1g1p3P/pp1Pbn3/4SN2K/+rPp3Pp1/1G+p2+n2L/3+p5 w s4p 252",
        "P*1e",
    ),
    only_check(
        "r1+P1+P4/+R+P1l+b3+L/2GN3kN/N2PP1s2/3p3p+P/PS1S2S1l/L+b2p2+np/pP3+pg1g/2K1+pg+p1P b P 417",
        "P*2d",
    ),
];

/// A position and the rules by which the side to move may declare.
#[derive(Debug)]
pub struct Declaration {
    pub name: &'static str,
    pub sfen: &'static str,
    /// With 27 points, 27 in a handicap game, 24, 24 in a handicap game.
    pub wins: [bool; 4],
}

/// The first six are test positions of nyoki-mtl/rsshogi.
pub const DECLARATIONS: &[Declaration] = &[
    Declaration {
        name: "Black with 28 points",
        sfen: "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1",
        wins: [true, true, false, false],
    },
    Declaration {
        name: "Black with 27 points",
        sfen: "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L7Pb5p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "the king is outside",
        sfen: "1+N2+P2+L1/G1+P+B1+R+P2/1+L1+P5/K8/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b G2L7Pb4p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "only nine pieces follow",
        sfen: "K+N5+L1/G+L+P+B1+R+P2/3+P5/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b G2L8Pb4p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "in check",
        sfen: "K+N5+L1/G1+P+B1+R+P2/+P+L1+P2G2/9/2+p+n5/3s2+ss1/3+p+p1b1+r/6+sg+n/6g+nk b 2L7P4p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "White with 27 points",
        sfen: "K+N5+L1/G+P+P+B1+R+P2/+P+L1+P2G2/9/9/9/6b1+r/4+ss+sg+n/5+pg+nk w 2L5Psn7p 1",
        wins: [true, true, false, false],
    },
    Declaration {
        name: "Black with 30 points",
        sfen: "4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/8k b 2R2B4g4s4n4l8p 1",
        wins: [true, true, false, false],
    },
    Declaration {
        name: "Black with 31 points",
        sfen: "4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/8k b 2R2BP4g4s4n4l7p 1",
        wins: [true, true, true, true],
    },
    Declaration {
        name: "White with 31 points",
        sfen: "8K/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w 4G4S4N4L7P2r2bp 1",
        wins: [true, true, true, true],
    },
    Declaration {
        name: "White gave a rook and a bishop and has 16 points",
        sfen: "K8/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w RB4G4S4N4L2P6p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "White gave a rook and a bishop and has 17 points",
        sfen: "K8/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w RB4G4S4N4LP7p 1",
        wins: [false, true, false, false],
    },
    Declaration {
        name: "White gave a rook and a bishop and has 20 points",
        sfen: "K8/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w RBG4S4N4LP3g7p 1",
        wins: [false, true, false, false],
    },
    Declaration {
        name: "White gave a rook and a bishop and has 21 points",
        sfen: "K8/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w RB4S4N4LP4g7p 1",
        wins: [false, true, false, true],
    },
    Declaration {
        name: "Black is not forgiven what White gave",
        sfen: "4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/8k b RB4G3Ss4n4l8p 1",
        wins: [false, false, false, false],
    },
    Declaration {
        name: "a side without a king",
        sfen: "9/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/8k b 2R2BP4g4s4n4l7p 1",
        wins: [false, false, false, false],
    },
];

/// Moves that are repeated until the rules end the game.
#[derive(Debug)]
pub struct Repetition {
    pub name: &'static str,
    pub sfen: &'static str,
    pub cycle: &'static str,
    /// The ply at which the game ends, and the result for the side to move.
    pub plies: u32,
    pub verdict: Verdict,
}

pub const REPETITIONS: &[Repetition] = &[
    Repetition {
        name: "rooks go to and fro",
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        cycle: "2h3h 8b7b 3h2h 7b8b",
        plies: 12,
        verdict: Verdict::Draw,
    },
    Repetition {
        name: "the rook has checked with every move",
        sfen: "4k4/9/9/9/9/9/9/9/K4R3 b - 1",
        cycle: "4i5i 5a4a 5i4i 4a5a",
        plies: 12,
        verdict: Verdict::Loss,
    },
    Repetition {
        name: "the king was checked by every move",
        sfen: "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
        cycle: "5a4a 5i4i 4a5a 4i5i",
        plies: 12,
        verdict: Verdict::Win,
    },
    Repetition {
        name: "a quiet move among the checks",
        sfen: "4k4/9/9/9/9/9/9/9/K4R3 b - 1",
        cycle: "4i5i 5a4a 5i3i 4a5a 3i5i 5a4a 5i4i 4a5a",
        plies: 13,
        verdict: Verdict::Draw,
    },
    Repetition {
        name: "a quiet move, but only in earlier laps",
        sfen: "4k4/9/9/9/9/9/9/9/K5R2 b - 1",
        cycle: "3i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i3i 4a5a",
        plies: 13,
        verdict: Verdict::Draw,
    },
];
