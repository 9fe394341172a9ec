//! `selfplay inputs`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use kawasemi::sys::{AtomicFile, in_file};
use kawasemi::tools::files::{check_not_input, read};
use kawasemi::tools::opening::{Opening, read_openings};
use kawasemi::tools::teacher::{INPUT_BYTES, PlaneEncoder};

/// Writes the teacher's inputs for positions, to evaluate them or to compare them with another program
///
/// POSITIONS has a line for each position, as `selfplay positions --moves` writes them. FILE gets the
/// packed inputs, one after the other; one of zeros means that the line is not a position or that the game is over.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file of positions
    #[arg(value_name = "POSITIONS")]
    positions: PathBuf,
    /// The file of packed inputs
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    check_not_input(&arguments.positions, &arguments.out)?;
    let text = read(&arguments.positions)?;
    let write_error = |error| in_file(&arguments.out, error);
    let mut planes = AtomicFile::create(&arguments.out).map_err(write_error)?;
    for line in text.lines() {
        let packed = read_openings(line).ok().and_then(|openings| Some(encode(openings.first()?)));
        planes.write_all(&packed.unwrap_or([0; INPUT_BYTES])).map_err(write_error)?;
    }
    planes.commit().map_err(write_error)
}

fn encode(opening: &Opening) -> [u8; INPUT_BYTES] {
    let (mut position, mut encoder) = (opening.start(), PlaneEncoder::new());
    for &mv in opening.moves() {
        encoder.follow(&mut position, mv);
        position.do_move(mv);
    }
    encoder.encode(&mut position)
}
