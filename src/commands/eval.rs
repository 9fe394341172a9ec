//! `kawasemi eval`: shows or converts a network file.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Subcommand;
use kawasemi::nnue::file;

#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Describe a network file.
    Info {
        /// The network, such as nn.bin.
        file: PathBuf,
    },
    /// Write an aligned copy of a network, which can be memory-mapped and shared by all processes.
    /// Other engines can read it too.
    Convert {
        /// The network.
        #[arg(value_name = "IN")]
        from: PathBuf,
        /// The file to write.
        #[arg(value_name = "OUT")]
        to: PathBuf,
    },
}

impl EvalCommand {
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let path = match self {
            EvalCommand::Info { file } => file,
            EvalCommand::Convert { from, to } => {
                file::convert(&from, &to)?;
                to
            }
        };
        Ok(write!(io::stdout(), "{}", file::info(&path)?)?)
    }
}
