//! The command `perft` of the program: counts legal move sequences.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;
use kawasemi::engine;
use kawasemi::position::Position;
use kawasemi::types::MAX_PLY;
use kawasemi::types::message::{Message, message};

use crate::commands::arguments;
use crate::commands::failure::Failure;
use crate::commands::notice::in_system_language;

/// Count the legal move sequences of a position.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Length of the sequences, in plies.
    #[arg(value_parser = arguments::number::<u32>(0..=MAX_PLY as i64))]
    depth: u32,
    /// The position, instead of the initial position: an SFEN, or the arguments of the USI command
    /// `position`.
    #[arg(long)]
    sfen: Option<String>,
    /// Show the count for each move.
    #[arg(long)]
    divide: bool,
}

impl PerftArgs {
    pub fn run(&self) -> Result<(), Failure> {
        let position = match &self.sfen {
            Some(text) => arguments::given_position(text)?,
            None => Position::startpos(),
        };
        let mut out = io::stdout().lock();
        if self.depth == 0 {
            return Ok(writeln!(out, "{}", in_system_language(&total(1, 0)))?);
        }
        let counted = engine::perft(position, self.depth, &AtomicBool::new(false));
        if self.divide {
            for (mv, leaves) in &counted.moves {
                writeln!(out, "{mv}: {leaves}")?;
            }
        }
        let millis = counted.elapsed.as_millis();
        writeln!(out, "{}", in_system_language(&total(counted.total(), millis)))?;
        Ok(())
    }
}

fn total(leaves: u64, millis: u128) -> Message {
    message!("{leaves} leaves in {millis} ms", "合計 {leaves}（{millis} ミリ秒）")
}
