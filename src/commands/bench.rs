//! The command `bench` of the program: searches fixed positions. The node count is the signature of the search.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kawasemi::engine::{self, Settings};
use kawasemi::search::bench;
use kawasemi::types::Depth;
use kawasemi::types::message::message;
use kawasemi::usi::options;

use crate::commands::arguments;
use crate::commands::failure::Failure;
use crate::commands::notice::in_system_language;

/// Measure the speed in fixed positions. The total node count is the signature of the search.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Depth of each search, in plies.
    #[arg(long, default_value_t = 12, value_parser = arguments::depth())]
    depth: Depth,
    /// Size of the transposition table, in MiB [default: 16].
    #[arg(long, value_name = "MIB", value_parser = arguments::hash())]
    hash: Option<usize>,
    /// Number of threads [default: 1]. With more than one, the node count varies.
    #[arg(long, value_parser = arguments::threads())]
    threads: Option<usize>,
    /// A network file to use instead of the built-in network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// The instruction set for the evaluation, named as in the option EvalKernel.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
}

impl BenchArgs {
    /// The size of the transposition table without `--hash` and USI_Hash.
    pub const DEFAULT_HASH_MIB: usize = 16;

    pub fn run(self, mut settings: Settings) -> Result<(), Failure> {
        settings.eval_file = self.eval.or(settings.eval_file);
        settings.hash_mib = self.hash.unwrap_or(settings.hash_mib);
        settings.threads = self.threads.unwrap_or(settings.threads);
        if let Some(kernel) = self.kernel {
            let set = options::set(&mut settings, b"EvalKernel", Some(kernel.as_bytes()));
            set.map_err(|error| Failure::arguments(&error.message()))?;
        }
        bench(settings, self.depth)
    }
}

fn bench(settings: Settings, depth: Depth) -> Result<(), Failure> {
    let engine::LoadedNetwork { network, messages, .. } = engine::load_network(&settings)?;
    let (hash, threads) = (settings.hash_mib, settings.threads);
    let (build, kernels) = (engine::build_info(), network.kernels.isa().name());
    let mut out = io::stdout().lock();
    // Results of two machines are comparable only with these values.
    let conditions = message!(
        "{}; kernels: {kernels}; Threads {threads}, USI_Hash {hash}, depth {depth}",
        "{}、命令セット {kernels}、Threads {threads}、USI_Hash {hash}、深さ {depth}";
        build
    );
    writeln!(out, "{}", in_system_language(&conditions))?;
    for message in messages {
        writeln!(out, "{}", in_system_language(&message))?;
    }
    let measure = bench::run(depth, hash, threads, &settings.search_options(), network)?;
    for (sfen, nodes) in bench::POSITIONS.iter().zip(&measure.nodes) {
        writeln!(out, "{nodes:>10}  {sfen}")?;
    }
    let (millis, speed) = (measure.elapsed.as_millis(), measure.nodes_per_second());
    let times =
        message!("time {millis} ms\nnps {speed}", "時間 {millis} ミリ秒\n速度 毎秒 {speed} ノード");
    writeln!(out, "{}", in_system_language(&times))?;
    // Not translated, because commits quote it.
    writeln!(out, "Bench: {}", measure.total())?;
    Ok(())
}
