//! The texts of a check, and the names of its parts in JSON.

use kawasemi::position::Position;
use kawasemi::tsume::{
    CheckReport, CheckVerdict, RecordedVerdict, SecondSolutionKind, SecondSolutionLength,
};
use kawasemi::types::language::{Localized, localized};
use kawasemi::types::message::{Message, counted, message};
use kawasemi::types::{Hand, PieceKind};

/// The verdict, whether the problem is sound, the pieces left, the result for the recorded solution, and the pieces
/// that the defender lacks.
pub fn facts(position: &Position, report: &CheckReport) -> Vec<Message> {
    let mut facts = vec![verdict(report)];
    facts.extend(soundness(report).map(Message::from));
    facts.extend(report.line.as_ref().map(|line| pieces_left(line.pieces_left)));
    facts.extend(report.recorded.map(recorded));
    facts.extend(lacking(position.setup().missing_pieces()));
    facts
}

fn verdict(report: &CheckReport) -> Message {
    match report.verdict {
        CheckVerdict::NoMate => message!("no mate: unsolvable", "不詰"),
        CheckVerdict::Undecided => NOT_DECIDED.into(),
        CheckVerdict::Mate(plies) => message!("mate in {plies}", "{plies}手詰"),
        CheckVerdict::MateWithin(plies) => message!(
            "mate within {plies}, all interpositions counted; the length is not decided",
            "詰みあり（無駄合を含めて{plies}手以内）、手数は未判定"
        ),
    }
}

pub const NOT_DECIDED: Localized = localized("not decided", "未判定");

/// Defences as long as that of the main line, which leave no more pieces.
pub const EQUAL_DEFENCES: Localized = localized("defences as long", "変化同手数");

/// The line may not be the main line.
pub const TENTATIVE_LINE: Localized = localized(
    "a line to the mate, perhaps not the main line",
    "詰みに至る手順の一つ（本手順かどうかは未判定）",
);

/// Whether the problem is sound; `None` where there is no mate.
fn soundness(report: &CheckReport) -> Option<Localized> {
    if matches!(report.verdict, CheckVerdict::NoMate | CheckVerdict::Undecided) {
        return None;
    }
    Some(match report.is_unique() {
        Some(true) => localized("one solution", "余詰なし"),
        Some(false) => localized("second solutions", "余詰あり"),
        None => localized("second solutions not decided", "余詰は未判定"),
    })
}

fn pieces_left(pieces: u32) -> Message {
    match pieces {
        0 => message!("no pieces left", "駒余りなし"),
        _ => message!("pieces left: {pieces}", "駒余り{pieces}枚"),
    }
}

fn recorded(judged: RecordedVerdict) -> Message {
    match judged {
        RecordedVerdict::Right => message!("the recorded solution is right", "作意は正しい"),
        RecordedVerdict::TooLong => message!(
            "the attacker can mate sooner than in the recorded solution",
            "作意より早い詰みがある"
        ),
        RecordedVerdict::FutileInterposition { ply } => {
            let number = ply + 1;
            message!(
                "move {number} of the recorded solution is a futile interposition",
                "作意の{number}手目は無駄合"
            )
        }
        RecordedVerdict::TooShort => message!(
            "the defender can hold out longer than in the recorded solution",
            "作意より手数の長い変化がある"
        ),
        RecordedVerdict::MorePiecesLeft => message!(
            "another defence as long leaves fewer pieces than the recorded solution",
            "作意と同手数で駒余りの少ない変化がある"
        ),
        RecordedVerdict::Fails { ply } => {
            let number = ply + 1;
            message!(
                "the recorded solution fails at move {number}",
                "作意の{number}手目では詰まない"
            )
        }
        RecordedVerdict::Unfinished => {
            message!("the recorded solution ends before the mate", "作意が詰みの前で終わっている")
        }
        RecordedVerdict::Undecided => {
            message!("the recorded solution is not decided", "作意は未判定")
        }
    }
}

/// That the defender lacks these pieces in hand; `None` if there are none.
fn lacking(missing: Hand) -> Option<Message> {
    let english = |(kind, count): (PieceKind, u32)| counted(count.into(), kind.name().en);
    let japanese = |(kind, count): (PieceKind, u32)| format!("{}{count}枚", kind.name().ja);
    // Most valuable first.
    let en = missing.iter().rev().map(english).collect::<Vec<_>>().join(", ");
    let ja = missing.iter().rev().map(japanese).collect::<Vec<_>>().join("・");
    (!missing.is_empty())
        .then(|| message!("missing from the defender's hand: {en}", "玉方の持ち駒に{ja}が足りない"))
}

pub const fn kind(kind: SecondSolutionKind) -> Localized {
    match kind {
        SecondSolutionKind::Shorter => localized("shorter mate", "早詰"),
        SecondSolutionKind::Independent => localized("independent mate", "余詰"),
        SecondSolutionKind::Promotion => localized("promotion optional", "成不成非限定"),
        SecondSolutionKind::DropDistance => localized("drop distance optional", "打ち場所非限定"),
        SecondSolutionKind::Transposition => localized("order of moves", "手順前後"),
        SecondSolutionKind::Detour => localized("detour", "迂回手順"),
        SecondSolutionKind::LastMove => localized("other last move", "最終手余詰"),
        SecondSolutionKind::Unclassified => {
            localized("mates, kind not decided", "詰む（種類は未判定）")
        }
    }
}

pub const fn length(length: SecondSolutionLength) -> Localized {
    match length {
        SecondSolutionLength::Shorter => localized("shorter", "短い"),
        SecondSolutionLength::Equal => localized("as long", "同手数"),
        SecondSolutionLength::Longer => localized("longer", "長い"),
        SecondSolutionLength::Unknown => localized("length not decided", "手数は未判定"),
    }
}

/// The name of a kind in JSON.
pub fn kind_name(kind: SecondSolutionKind) -> &'static str {
    match kind {
        SecondSolutionKind::Shorter => "shorter",
        SecondSolutionKind::Independent => "independent",
        SecondSolutionKind::Promotion => "promotion",
        SecondSolutionKind::DropDistance => "drop_distance",
        SecondSolutionKind::Transposition => "transposition",
        SecondSolutionKind::Detour => "detour",
        SecondSolutionKind::LastMove => "last_move",
        SecondSolutionKind::Unclassified => "unclassified",
    }
}

/// The name of a length in JSON.
pub fn length_name(length: SecondSolutionLength) -> Option<&'static str> {
    match length {
        SecondSolutionLength::Shorter => Some("shorter"),
        SecondSolutionLength::Equal => Some("equal"),
        SecondSolutionLength::Longer => Some("longer"),
        SecondSolutionLength::Unknown => None,
    }
}

/// The name of a verdict on a recorded solution in JSON.
pub fn recorded_name(judged: RecordedVerdict) -> &'static str {
    match judged {
        RecordedVerdict::Right => "right",
        RecordedVerdict::TooLong => "too_long",
        RecordedVerdict::FutileInterposition { .. } => "futile_interposition",
        RecordedVerdict::TooShort => "too_short",
        RecordedVerdict::MorePiecesLeft => "more_left",
        RecordedVerdict::Fails { .. } => "fails",
        RecordedVerdict::Unfinished => "unfinished",
        RecordedVerdict::Undecided => "undecided",
    }
}
