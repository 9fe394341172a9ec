//! Positions with published perft figures. Two are left out, one of lb with five lances and one of
//! Peeper with three bishops, because the engine refuses more pieces than a set has.

/// Leaf counts of one position by depth.
#[derive(Debug)]
pub struct Perft {
    pub name: &'static str,
    /// The source of the figures.
    pub source: &'static str,
    pub sfen: &'static str,
    /// Pairs of depth and leaf positions, by rising depth.
    pub nodes: &'static [(u32, u64)],
}

const WIDELY: &str =
    "ak11 on Qiita (8bd5f2bb0f5b014143c8), TalkChess thread 71550, YaneuraOu's unit tests";
const LB: &str = "the perft tests of the engine lb";
const LB_AND_PEEPER: &str = "the perft tests of the engines lb and Peeper";
const PEEPER: &str = "the perft tests of the engine Peeper";
const RSSHOGI: &str = "the perft expectations of nyoki-mtl/rsshogi";

pub const PERFT: &[Perft] = &[
    Perft {
        name: "initial position",
        source: WIDELY,
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        nodes: &[
            (1, 30),
            (2, 900),
            (3, 25_470),
            (4, 719_731),
            (5, 19_861_490),
            (6, 547_581_517),
            (7, 15_086_269_607),
        ],
    },
    Perft {
        name: "most moves known",
        source: "comments of perft solvers; rsshogi for depth 1",
        sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        nodes: &[(1, 593), (2, 105_677), (3, 53_393_368)],
    },
    Perft {
        name: "matsuri",
        source: "YaneuraOu's unit tests, lb, Peeper",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        nodes: &[(1, 207), (2, 28_684), (3, 4_809_015), (4, 516_925_165)],
    },
    Perft {
        name: "bare kings and full hands",
        source: LB_AND_PEEPER,
        sfen: "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
        nodes: &[(1, 524), (2, 248_257), (3, 112_911_856)],
    },
    Perft {
        name: "the last position of Ryu-O 18 in the USI draft",
        source: LB_AND_PEEPER,
        sfen: "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        nodes: &[(1, 178), (2, 18_041), (3, 2_552_846), (4, 207_741_677)],
    },
    Perft {
        name: "matsuri three plies on",
        source: LB,
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R2g2K2/LN4b1L w RGsn5p 3",
        nodes: &[(1, 160), (2, 20_791), (3, 2_685_299), (4, 266_976_811)],
    },
    Perft {
        name: "all pawns in hand",
        source: LB,
        sfen: "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b 9P9p 1",
        nodes: &[(1, 119), (2, 13_311), (3, 1_473_109), (4, 158_016_152)],
    },
    Perft {
        name: "pawns and kings on the back ranks",
        source: LB,
        sfen: "ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1",
        nodes: &[(1, 260), (2, 62_558), (3, 14_650_255)],
    },
    Perft {
        name: "middle game with a wandering king",
        source: PEEPER,
        sfen: "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b BGSs3p 91",
        nodes: &[(1, 180), (2, 15_217), (3, 2_067_680), (4, 129_175_973)],
    },
    Perft {
        name: "opening",
        source: RSSHOGI,
        sfen: "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
        nodes: &[(3, 37_189)],
    },
    Perft {
        name: "attack on a castle",
        source: RSSHOGI,
        sfen: "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        nodes: &[(2, 15_850), (3, 1_114_656)],
    },
    Perft {
        name: "attack with a full hand",
        source: RSSHOGI,
        sfen: "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        nodes: &[(2, 41_605), (3, 8_420_492)],
    },
    Perft {
        name: "late middle game",
        source: RSSHOGI,
        sfen: "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
        nodes: &[(2, 16_440), (3, 864_786)],
    },
    Perft {
        name: "castled king under a dragon",
        source: RSSHOGI,
        sfen: "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
        nodes: &[(1, 101), (2, 15_744), (3, 1_183_354)],
    },
    Perft {
        name: "check in the end game",
        source: RSSHOGI,
        sfen: "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
        nodes: &[(2, 445)],
    },
];
