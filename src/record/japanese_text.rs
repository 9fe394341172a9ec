//! The vocabulary of Japanese notation: side marks, digits, piece names.

use crate::types::{Color, PieceKind, Square};

/// Marks before a move: Black's, then White's.
const MARKS: [&str; 2] = ["▲▼☗", "△▽☖"];
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Whether it is the mark of either side.
pub(super) fn is_mark(c: char) -> bool {
    MARKS.iter().any(|marks| marks.contains(c))
}

pub(super) const fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// A digit in any of its forms, 0 to 9.
pub(super) fn digit(c: char) -> Option<u32> {
    let full = (c as u32).checked_sub('０' as u32).filter(|&digit| digit < 10);
    let kanji = KANJI.iter().position(|&kanji| kanji == c).map(|at| at as u32 + 1);
    c.to_digit(10).or(full).or(kanji)
}

/// Whether it is a digit, but no kanji.
pub(super) fn is_arabic(c: char) -> bool {
    c.is_ascii_digit() || FILES.contains(&c) || c == '０'
}

/// A character in half width, if it is the full-width form of an ASCII character.
pub(super) fn half_width(c: char) -> char {
    // The full-width forms are in the order of ASCII.
    match c {
        '！'..='～' => char::from_u32(c as u32 - '！' as u32 + '!' as u32).unwrap_or(c),
        _ => c,
    }
}

/// A number in digits of any width at the beginning of a text, and the rest.
pub(super) fn leading_number(text: &str) -> Option<(usize, &str)> {
    let digits = text.chars().take_while(|&c| is_arabic(c));
    let length = digits.clone().map(char::len_utf8).sum::<usize>();
    // Longer numbers cannot be move numbers.
    let short = length > 0 && digits.clone().count() <= 9;
    let digits = short.then(|| digits.filter_map(digit));
    let number = digits?.fold(0, |sum, digit| sum * 10 + digit as usize);
    Some((number, &text[length..]))
}

pub(super) const fn rank_kanji(rank: u8) -> char {
    KANJI[rank as usize]
}

/// A square: `７六`.
///
/// ```
/// use kawasemi::record::japanese_square;
/// assert_eq!(japanese_square("7f".parse().unwrap()), "７六");
/// ```
pub fn japanese_square(square: Square) -> String {
    [FILES[usize::from(square.file())], rank_kanji(square.rank())].into_iter().collect()
}

/// A number from 1 to 99 in kanji, as hands are counted.
pub(super) fn kanji_number(number: u32) -> String {
    let (tens, ones) = (number / 10, number % 10);
    let digit = |digit: u32| digit.checked_sub(1).map(|at| KANJI[at as usize]);
    let tens = (tens > 0).then(|| digit(tens).filter(|_| tens > 1).into_iter().chain(['十']));
    tens.into_iter().flatten().chain(digit(ones)).collect()
}

/// The name of a piece in a move.
pub(super) const fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::Gold => "金",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "龍",
    }
}

/// The piece of a name of one character.
pub(super) const fn kind(c: char) -> Option<PieceKind> {
    Some(match c {
        '歩' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '金' => PieceKind::Gold,
        '玉' | '王' => PieceKind::King,
        'と' | '个' => PieceKind::ProPawn,
        '杏' | '仝' => PieceKind::ProLance,
        '圭' | '今' => PieceKind::ProKnight,
        '全' => PieceKind::ProSilver,
        '馬' => PieceKind::Horse,
        '龍' | '竜' | '竝' => PieceKind::Dragon,
        _ => return None,
    })
}

/// Whether it is a mark of this side.
pub(super) fn is_mark_of(c: char, color: Color) -> bool {
    MARKS[color.index()].contains(c)
}
