//! The command `convert` of the program: converts game records to another notation.

use std::path::{Path, PathBuf};

use clap::Args;
use kawasemi::record::{Encoding, ErrorPolicy, GameWriter, RecordFormat};
use kawasemi::types::message::{listed, message};

use crate::commands::failure::Failure;
use crate::commands::record_output::{self, RecordOutput};
use crate::commands::{arguments, games};

/// Convert game records to another notation.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Game records, or `-` for standard input. Notation and encoding are detected.
    #[arg(value_name = "IN", required = true)]
    from: Vec<PathBuf>,
    /// The file to write; standard output by default or with `-`.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// csa, csa3, kif, ki2, jkf, usi or sfen; by default the format of the extension of OUT.
    #[arg(long, value_name = "FORMAT")]
    to: Option<RecordFormat>,
    /// utf-8, utf-8-bom or shift_jis; by default that of the extension of OUT, or else utf-8.
    #[arg(long)]
    encoding: Option<Encoding>,
    /// End a game before an invalid move and skip a file without games, instead of failing.
    #[arg(long)]
    partial: bool,
    /// Let OUT overwrite an input file even if some of its content is lost.
    #[arg(long, requires = "output")]
    lossy: bool,
}

impl ConvertArgs {
    pub fn run(&self) -> Result<(), Failure> {
        let path = self.output.as_deref().filter(|path| *path != Path::new("-"));
        let usual = path.and_then(games::by_extension);
        let format = self.to.or(usual.map(|(format, _)| format));
        let format = format.ok_or_else(|| no_format(path))?;
        let usual = usual.filter(|&(named, _)| named == format);
        let usual = usual.map_or(Encoding::Utf8, |(_, encoding)| encoding);
        let encoding = self.encoding.unwrap_or(usual);
        let policy = if self.partial { ErrorPolicy::KeepPartial } else { ErrorPolicy::Refuse };
        // Before the work, which may be long.
        path.map(arguments::check_writable).transpose()?;
        let mut output = RecordOutput::create(path)?;
        let mut writer = GameWriter::new(&mut output, format, encoding);
        let mut result = Ok(());
        let read = games::for_each(&self.from, policy, |game| {
            result = writer.write(&game);
            result.as_ref().map_err(ToString::to_string).copied()
        });
        let count = writer.games();
        let losses = result.and_then(|()| writer.finish());
        let losses = losses.map_err(|error| output.error(&error))?;
        let files = read?;
        record_output::report_losses(&losses, format, count, Some("--encoding utf-8"));
        if let Some(path) = path.filter(|_| !self.lossy) {
            record_output::reject_lossy_overwrite(path, &files, &losses)?;
        }
        output.commit()
    }
}

/// The failure if neither the name of the output nor `--to` gives the format.
fn no_format(output: Option<&Path>) -> Failure {
    match output {
        Some(path) => {
            let extensions =
                RecordFormat::EXTENSIONS.map(|(extension, ..)| format!(".{extension}"));
            Failure::file_name(
                path,
                &message!(
                    "the name must end in {}, or --to must give the format",
                    "拡張子は{}のどれかにするか、--toで形式を指定してください";
                    listed(&extensions.each_ref().map(String::as_str))
                ),
            )
        }
        None => Failure::arguments(&message!(
            "name the file to write, as in `-o game.kif`, or give the format by --to",
            "「-o game.kif」のように書き出すファイルを指定するか、--toで形式を指定してください"
        )),
    }
}
