//! The names of pieces and moves in sentences.

use crate::analysis::motifs::{MotifMatch, Replay};
use crate::record::{japanese_move, western_move};
use crate::types::PieceKind;

/// The name of a piece in English and Japanese.
pub(super) const fn piece(kind: PieceKind) -> (&'static str, &'static str) {
    match kind {
        PieceKind::Pawn => ("pawn", "歩"),
        PieceKind::Lance => ("lance", "香"),
        PieceKind::Knight => ("knight", "桂"),
        PieceKind::Silver => ("silver", "銀"),
        PieceKind::Bishop => ("bishop", "角"),
        PieceKind::Rook => ("rook", "飛車"),
        PieceKind::Gold => ("gold", "金"),
        PieceKind::King => ("king", "玉"),
        PieceKind::ProPawn => ("tokin", "と金"),
        PieceKind::ProLance => ("promoted lance", "成香"),
        PieceKind::ProKnight => ("promoted knight", "成桂"),
        PieceKind::ProSilver => ("promoted silver", "成銀"),
        PieceKind::Horse => ("horse", "馬"),
        PieceKind::Dragon => ("dragon", "龍"),
    }
}

/// Several pieces: `a rook, a silver and two pawns`, `飛車・銀・歩2枚`. Equal ones stand side by side.
pub(super) fn pieces(kinds: &[PieceKind]) -> (String, String) {
    const NUMBERS: [&str; 5] = ["no", "a", "two", "three", "four"];
    let mut parts: (Vec<String>, Vec<String>) = Default::default();
    for same in kinds.chunk_by(|one, other| one == other) {
        let (en, ja) = piece(same[0]);
        let count = same.len();
        let number = NUMBERS.get(count).map_or_else(|| count.to_string(), |&word| word.into());
        let plural = if count > 1 { "s" } else { "" };
        parts.0.push(format!("{number} {en}{plural}"));
        parts.1.push(if count > 1 { format!("{ja}{count}枚") } else { ja.into() });
    }
    let last = parts.0.pop().unwrap_or_default();
    let en = if parts.0.is_empty() { last } else { format!("{} and {last}", parts.0.join(", ")) };
    (en, parts.1.join("・"))
}

/// A move of a line in English and Japanese.
pub(super) fn spelled(line: &Replay, ply: usize) -> (String, String) {
    let (position, mv) = (line.before(ply), line.moves()[ply]);
    (western_move(position, mv), japanese_move(position, mv))
}

/// The moves that lead to one: the first of the line and that one, `N*5e and Nx6g+`.
pub(super) fn spelled_up_to(line: &Replay, ply: usize) -> (String, String) {
    let ((en, ja), (last_en, last_ja)) = (spelled(line, 0), spelled(line, ply));
    if ply == 0 {
        (en, ja)
    } else {
        (format!("{en} and {last_en}"), format!("{ja}から{last_ja}"))
    }
}

/// The move of a tactic with its name, and the capture if that is another move: `N*5e (knight fork) and Nx6g+`.
pub(super) fn tactic_to(line: &Replay, found: &MotifMatch, capture: usize) -> (String, String) {
    let ((en, ja), (capture_en, capture_ja)) = (spelled(line, found.ply), spelled(line, capture));
    let (name_en, name_ja) = (found.motif.en(), found.motif.ja());
    if found.ply == capture {
        return (format!("{en} ({name_en})"), format!("{ja}（{name_ja}）"));
    }
    (format!("{en} ({name_en}) and {capture_en}"), format!("{ja}（{name_ja}）から{capture_ja}"))
}
