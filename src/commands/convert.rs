//! `kawasemi convert`: converts game records to another notation.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kawasemi::record::{Encoding, ErrorPolicy, RecordFormat};
use kawasemi::sys::in_file;

use crate::commands::games;

/// Convert game records to another notation.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Game records, or `-` for standard input. Notation and encoding are detected.
    #[arg(value_name = "IN", required = true)]
    from: Vec<PathBuf>,
    /// The file to write; standard output by default or with `-`.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// csa, csa3, kif, ki2, jkf, usi or sfen, instead of the format of the extension of OUT.
    #[arg(long, value_name = "FORMAT")]
    to: Option<RecordFormat>,
    /// utf-8, utf-8-bom or shift_jis, instead of the usual one for the extension of OUT.
    #[arg(long)]
    encoding: Option<Encoding>,
    /// End a game before an invalid move and skip a file without games, instead of failing.
    #[arg(long)]
    partial: bool,
}

impl ConvertArgs {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let output = self.output.as_deref().filter(|path| *path != Path::new("-"));
        let usual = output.and_then(games::by_extension);
        let format = self.to.or(usual.map(|(format, _)| format));
        let format = format.ok_or_else(|| no_format(output))?;
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

/// The message if neither the name of the output nor `--to` gives the format.
fn no_format(output: Option<&Path>) -> String {
    match output {
        Some(path) => {
            let names = ".kif, .kifu, .ki2, .ki2u, .csa, .jkf, .json, .usi, .sfen or .txt";
            in_file(
                path,
                format_args!("the name must end in {names}, or --to must give the format"),
            )
        }
        None => "name the file to write, as in `-o game.kif`, or give the format by --to".into(),
    }
}
