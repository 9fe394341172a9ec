//! Describes a file without loading it; no bucket mode is needed.

use std::fmt;
use std::path::Path;

use super::file_layout::ROW_ALIGNMENT;
use super::load_error::LoadError;
use super::open::open;
use super::shards::Shards;
use super::{build, detect, header};
use crate::nnue::architecture::{Architecture, Topology};
use crate::nnue::weights::NetworkWeights;
use crate::types::language::Localized;
use crate::types::message::{Message, message};

/// The description of a file; [`Display`](fmt::Display) writes a line for each property, in English.
#[derive(Clone, Debug)]
pub struct NetworkInfo {
    pub architecture: Architecture,
    /// In bytes.
    pub size: u64,
    pub hash: u32,
    /// The start of it, if it is very long.
    pub description: String,
    /// Length of the whole description without the spaces after it, in bytes.
    pub description_bytes: usize,
    /// Offset of the rows, in bytes.
    pub rows_at: usize,
    /// Whether the rows are used in the mapped file; otherwise they are copied.
    pub in_place: bool,
    pub compressed: bool,
    /// Whether the file has a progress model.
    pub has_progress_model: bool,
    /// How the first layer is sharded.
    pub shards: Option<Shards>,
    /// The divisor of the output, if the file states it; the number as text if it is unusable.
    pub fv_scale: Option<Result<u32, String>>,
    /// Assumptions about properties that the file does not contain.
    pub assumption: Option<Message>,
    /// Harmless irregularities.
    pub warnings: Vec<Localized>,
}

/// Describes a file.
///
/// # Errors
/// If it is not a network that can be loaded.
pub fn info(path: &Path) -> Result<NetworkInfo, LoadError> {
    let at_path = |kind| LoadError::new(path, kind);
    let file = open(path).map_err(at_path)?;
    let (header, layout) = detect::detect_mapped(&file).map_err(at_path)?;
    Ok(NetworkInfo {
        architecture: layout.architecture,
        size: file.len() as u64,
        hash: header.hash,
        description: String::from_utf8_lossy(header.description_start()).into_owned(),
        description_bytes: header.description.trim_ascii_end().len(),
        rows_at: layout.rows.start,
        in_place: build::can_map_in_place(&layout),
        compressed: layout.encoding.is_compressed(),
        has_progress_model: layout.progress.is_some(),
        shards: layout.shards,
        fv_scale: header::fv_scale(header.description_start()),
        assumption: layout.assumption,
        warnings: layout.warnings,
    })
}

impl fmt::Display for NetworkInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.architecture.topology {
            Topology::Classic => "classic",
            Topology::Sfnn { shortcut: true, .. } => "SFNN with shortcut",
            Topology::Sfnn { shortcut: false, .. } => "SFNN without shortcut",
        };
        writeln!(f, "network      {}, {kind}", self.architecture)?;
        writeln!(f, "size         {} bytes", self.size)?;
        writeln!(f, "hash         0x{:08X}", self.hash)?;
        writeln!(f, "description  {}", self.description_line())?;
        write!(f, "rows         at byte {}, ", self.rows_at)?;
        if self.in_place {
            writeln!(f, "used in the mapped file")?;
        } else if self.compressed {
            writeln!(f, "compressed, copied when loaded")?;
        } else {
            let off = self.rows_at % NetworkInfo::ROW_ALIGNMENT;
            let step = NetworkInfo::ROW_ALIGNMENT;
            writeln!(f, "{off} past a multiple of {step}, copied when loaded")?;
        }
        if self.has_progress_model {
            writeln!(f, "progress     coefficients in the file")?;
        }
        if let Some(Shards { common, inputs, count }) = self.shards {
            writeln!(f, "first layer  {common} common inputs and {count} shards of {inputs}")?;
        }
        match &self.fv_scale {
            Some(Ok(fv_scale)) => writeln!(f, "FV_SCALE     {fv_scale}")?,
            Some(Err(text)) => {
                let max = NetworkWeights::MAX_FV_SCALE;
                writeln!(
                    f,
                    "FV_SCALE     {text} in the file, not a whole number from 1 to {max}, so not used"
                )?;
            }
            None => writeln!(f, "FV_SCALE     not in the file")?,
        }
        self.notes().try_for_each(|note| writeln!(f, "note         {note}"))
    }
}

impl NetworkInfo {
    /// The alignment at which rows are used in the mapped file, in bytes.
    pub const ROW_ALIGNMENT: usize = ROW_ALIGNMENT;

    /// The description in one line of limited length.
    pub fn description_line(&self) -> Message {
        const MAX_CHARACTERS: usize = 400;
        let text = self.description.trim_end();
        match text.char_indices().nth(MAX_CHARACTERS) {
            Some((end, _)) => {
                let (start, bytes) = (text[..end].escape_debug(), self.description_bytes);
                message!("{start}... ({bytes} bytes)", "{start}…（{bytes} バイト）")
            }
            None => Message::verbatim(text.escape_debug()),
        }
    }

    /// What was assumed, and harmless irregularities.
    pub fn notes(&self) -> impl Iterator<Item = Message> {
        let warnings = self.warnings.iter().map(|&warning| Message::from(warning));
        self.assumption.iter().cloned().chain(warnings)
    }
}
