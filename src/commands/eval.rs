//! The command `eval` of the program: shows or converts a network file.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Subcommand;
use kawasemi::nnue::file::{self, NetworkInfo, Shards};
use kawasemi::nnue::{Architecture, NetworkWeights, Topology};
use kawasemi::types::language::Language;

use crate::commands::failure::Failure;
use crate::commands::language::system_language;

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
    pub fn run(self) -> Result<(), Failure> {
        let path = match self {
            EvalCommand::Info { file } => file,
            EvalCommand::Convert { from, to } => {
                file::convert(&from, &to)?;
                to
            }
        };
        let info = file::info(&path)?;
        let text = match system_language() {
            Language::English => info.to_string(),
            Language::Japanese => in_japanese(&info),
        };
        Ok(write!(io::stdout(), "{text}")?)
    }
}

/// The lines that the English text has, in the same order.
fn in_japanese(info: &NetworkInfo) -> String {
    let kind = match info.architecture.topology {
        Topology::Classic => "標準型".into(),
        Topology::Sfnn { stacks, shortcut } => {
            let shortcut = if shortcut { "あり" } else { "なし" };
            format!("SFNN（層スタック{stacks}個、ショートカット{shortcut}）")
        }
    };
    // Without the English words for the layer stacks.
    let layers = Architecture { topology: Topology::Classic, ..info.architecture };
    let off = info.rows_at % NetworkInfo::ROW_ALIGNMENT;
    let use_of_rows = match (info.in_place, info.compressed) {
        (true, _) => "ファイルをメモリマップして、そのまま使う".into(),
        (_, true) => "圧縮されているので、読み込み時に展開する".into(),
        _ => format!(
            "{} の倍数から {off} バイトずれているので、読み込み時にコピーする",
            NetworkInfo::ROW_ALIGNMENT
        ),
    };
    let mut lines = vec![
        format!("構造: {layers}、{kind}"),
        format!("サイズ: {} バイト", info.size),
        format!("ハッシュ: 0x{:08X}", info.hash),
        format!("説明: {}", info.description_line().ja),
        format!("特徴量の重み: {} バイト目から。{use_of_rows}", info.rows_at),
    ];
    if info.has_progress_model {
        lines.push("進行度: 係数がファイルにある".into());
    }
    if let Some(Shards { common, inputs, count }) = info.shards {
        lines.push(format!("第1層の分割: 共通の入力 {common}、{inputs} 入力のシャード {count} 個"));
    }
    lines.push(match &info.fv_scale {
        Some(Ok(fv_scale)) => format!("FV_SCALE: {fv_scale}"),
        Some(Err(text)) => {
            let max = NetworkWeights::MAX_FV_SCALE;
            format!("FV_SCALE: ファイルの{text}は1から{max}の整数ではないので、使わない")
        }
        None => "FV_SCALE: ファイルにない".into(),
    });
    lines.extend(info.notes().map(|note| format!("注: {}", note.ja)));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
