//! The texts of a check in both languages.

use kawasemi::tsume::{CheckReport, CheckVerdict, RecordedSolution, SecondKind, SecondLength};
use kawasemi::types::language::Language;

/// One of two texts.
pub fn word(language: Language, english: &str, japanese: &str) -> String {
    match language {
        Language::English => english.to_owned(),
        Language::Japanese => japanese.to_owned(),
    }
}

pub fn verdict(report: &CheckReport, language: Language) -> String {
    match report.verdict {
        CheckVerdict::NoMate => word(language, "no mate: unsolvable", "不詰"),
        CheckVerdict::Undecided => word(language, "not decided", "未判定"),
        CheckVerdict::Mate(plies) => {
            word(language, &format!("mate in {plies}"), &format!("{plies}手詰"))
        }
        CheckVerdict::MateWithin(plies) => word(
            language,
            &format!("mate within {plies}, all interpositions counted; the length is not decided"),
            &format!("詰みあり（無駄合を含めて{plies}手以内）、手数は未判定"),
        ),
    }
}

/// Whether the problem is sound; empty where there is no mate.
pub fn soundness(report: &CheckReport, language: Language) -> Option<String> {
    if matches!(report.verdict, CheckVerdict::NoMate | CheckVerdict::Undecided) {
        return None;
    }
    Some(match report.is_unique() {
        Some(true) => word(language, "one solution", "余詰なし"),
        Some(false) => word(language, "second solutions", "余詰あり"),
        None => word(language, "second solutions not decided", "余詰は未判定"),
    })
}

pub fn left(pieces: u32, language: Language) -> String {
    match pieces {
        0 => word(language, "no pieces left", "駒余りなし"),
        _ => word(language, &format!("pieces left: {pieces}"), &format!("駒余り{pieces}枚")),
    }
}

pub fn recorded(judged: RecordedSolution, language: Language) -> String {
    match judged {
        RecordedSolution::Right => word(language, "the recorded solution is right", "作意は正しい"),
        RecordedSolution::TooLong => word(
            language,
            "the recorded solution is longer than the shortest mate",
            "作意より早い詰みがある",
        ),
        RecordedSolution::TooShort => word(
            language,
            "the defender can hold out longer than in the recorded solution",
            "作意より長く逃れる変化がある",
        ),
        RecordedSolution::Fails { ply } => word(
            language,
            &format!("the recorded solution fails at move {}", ply + 1),
            &format!("作意の{}手目では詰まない", ply + 1),
        ),
        RecordedSolution::Unfinished => word(
            language,
            "the recorded solution ends before the mate",
            "作意が詰みの前で終わっている",
        ),
        RecordedSolution::Undecided => {
            word(language, "the recorded solution is not decided", "作意は未判定")
        }
    }
}

pub fn kind(kind: SecondKind, language: Language) -> String {
    match kind {
        SecondKind::Shorter => word(language, "shorter mate", "早詰"),
        SecondKind::Independent => word(language, "second solution", "余詰"),
        SecondKind::Promotion => word(language, "promotion open", "成不成非限定"),
        SecondKind::Transposition => word(language, "order of moves", "手順前後"),
        SecondKind::Detour => word(language, "detour", "迂回手順"),
        SecondKind::LastMove => word(language, "other last move", "最終手余詰"),
        SecondKind::Unclassified => {
            word(language, "mates, kind not decided", "詰む（種類は未判定）")
        }
    }
}

pub fn length(length: SecondLength, language: Language) -> String {
    match length {
        SecondLength::Shorter => word(language, "shorter", "短い"),
        SecondLength::Equal => word(language, "as long", "同手数"),
        SecondLength::Longer => word(language, "longer", "長い"),
        SecondLength::Unknown => word(language, "length not decided", "手数は未判定"),
    }
}

/// The name of a kind in JSON.
pub fn kind_name(kind: SecondKind) -> &'static str {
    match kind {
        SecondKind::Shorter => "shorter",
        SecondKind::Independent => "independent",
        SecondKind::Promotion => "promotion",
        SecondKind::Transposition => "transposition",
        SecondKind::Detour => "detour",
        SecondKind::LastMove => "last_move",
        SecondKind::Unclassified => "unsorted",
    }
}

/// The name of a length in JSON.
pub fn length_name(length: SecondLength) -> Option<&'static str> {
    match length {
        SecondLength::Shorter => Some("shorter"),
        SecondLength::Equal => Some("equal"),
        SecondLength::Longer => Some("longer"),
        SecondLength::Unknown => None,
    }
}

/// The name of a verdict on a recorded solution in JSON.
pub fn recorded_name(judged: RecordedSolution) -> &'static str {
    match judged {
        RecordedSolution::Right => "right",
        RecordedSolution::TooLong => "too_long",
        RecordedSolution::TooShort => "too_short",
        RecordedSolution::Fails { .. } => "fails",
        RecordedSolution::Unfinished => "unfinished",
        RecordedSolution::Undecided => "undecided",
    }
}
