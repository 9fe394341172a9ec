//! The command `convert` of the program: writes records of games in another notation.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kawasemi::record::{Encoding, ErrorPolicy, RecordFormat};

use crate::commands::games;

/// Rewrite records of games in another notation.
#[derive(Debug, Args)]
pub struct Conversion {
    /// Files with games, `-` for standard input. Notation and encoding are found from the content.
    #[arg(value_name = "IN", required = true)]
    from: Vec<PathBuf>,
    /// The file to write; without it, or with `-`, standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// csa, csa3, kif, ki2, jkf, usi or sfen, instead of what the ending of OUT says.
    #[arg(long, value_name = "FORMAT")]
    to: Option<RecordFormat>,
    /// utf-8, utf-8-bom or shift_jis, instead of what is usual under the ending of OUT.
    #[arg(long)]
    encoding: Option<Encoding>,
    /// End a game before a move that cannot be read or played, and leave out a file without games,
    /// instead of refusing all.
    #[arg(long)]
    partial: bool,
}

impl Conversion {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let output = self.output.as_deref().filter(|path| *path != Path::new("-"));
        let usual = output.and_then(games::by_extension);
        let format = self.to.or(usual.map(|(format, _)| format));
        let format =
            format.ok_or("--to must say the format, for the name of the output does not")?;
        let usual = usual.filter(|&(named, _)| named == format);
        let usual = usual.map_or(Encoding::Utf8, |(_, encoding)| encoding);
        let encoding = self.encoding.unwrap_or(usual);
        let policy = if self.partial { ErrorPolicy::KeepBefore } else { ErrorPolicy::Refuse };
        let mut games = Vec::new();
        for (_, read) in games::read_all(&self.from, policy)? {
            games.extend(read);
        }
        let bytes = games::encode(&games, format, encoding);
        match output {
            Some(path) => Ok(games::save(path, &bytes)?),
            None => Ok(io::stdout().write_all(&bytes)?),
        }
    }
}
