//! The bench: fixed positions searched to a fixed depth on one thread.
//!
//! The node count is the signature of the search: it changes exactly when the behaviour of the
//! search changes, and is the same on every processor.

use std::time::Duration;

use crossbeam::channel::unbounded;

use super::request::{Limits, Report, Request, SearchOptions};
use super::thread_pool::ThreadPool;
use crate::nnue::Network;
use crate::position::Position;
use crate::sys::Instant;
use crate::types::Depth;
use crate::types::message::{Message, message};

/// Openings, middle games, attacks, endings, an entering king, and kings in check.
pub const POSITIONS: [&str; 12] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgk1snl/1r4gb1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/1B5R1/LN1GKGSNL w - 10",
    "ln1gk1snl/1rs3gb1/p1pppp1pp/1p4p2/7P1/2P1P4/PPSP1PP1P/1BG4R1/LN2KGSNL b - 15",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "ln1g3nl/1r1s2gk1/p2ppsbpp/2p2pp2/1p5P1/2PPP1P2/PPS2PN1P/1BGKGS1R1/LN6L b - 41",
    "l2g3nl/1ks2rg2/pppp1sbpp/4ppp2/7P1/2PPPPP2/PP1GSSN1P/2GB3R1/LNK5L w n 50",
    "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L7Pb5p 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "4k4/9/4p4/9/9/4P4/9/9/4K4 b RB2G2S2N2L8Prb2g2s2n2l8p 1",
];

/// The result of a bench.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// Nodes of each position, in the order of [`POSITIONS`].
    pub nodes: Vec<u64>,
    pub elapsed: Duration,
}

impl BenchResult {
    /// The signature.
    pub fn total(&self) -> u64 {
        self.nodes.iter().sum()
    }

    pub fn nodes_per_second(&self) -> u64 {
        (self.total() as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to `depth`, each as a new game, with `options`.
///
/// # Errors
/// If the system refuses threads or memory.
pub fn run(
    depth: Depth,
    hash_mib: usize,
    threads: usize,
    options: &SearchOptions,
    network: Network,
) -> Result<BenchResult, Message> {
    let (sender, events) = unbounded();
    let mut pool = ThreadPool::new(sender).map_err(|error| Message::from(&error))?;
    pool.resize_threads(threads)?;
    if let Some(message) = pool.resize_hash(hash_mib) {
        return Err(message);
    }
    pool.set_network(network);
    let mut result = BenchResult { nodes: Vec::new(), elapsed: Duration::ZERO };
    for (search_id, sfen) in POSITIONS.iter().enumerate() {
        let position = Position::from_sfen(sfen).map_err(|error| error.message())?;
        pool.clear();
        let received = Instant::now();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        pool.go(search_id as u64, Request { position, limits, options: options.clone(), received });
        let outcome = events.iter().find_map(|event| match event.report {
            Report::Done(outcome) => Some(outcome),
            _ => None,
        });
        let outcome = outcome.ok_or_else(|| {
            message!("the search ended without an answer", "探索が答えを出さずに終わりました")
        })?;
        result.nodes.push(outcome.nodes);
        result.elapsed += received.elapsed();
    }
    Ok(result)
}
