//! The named handicaps and the pieces that White plays without.

use std::fmt::Write;

use super::csa_move::{piece_code, square_digits};
use crate::position::Setup;
use crate::types::language::{Localized, localized};
use crate::types::{ByColor, Color, Square};

/// An even game or a named handicap.
#[derive(Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The name in KIF.
    pub name: &'static str,
    /// The name in JKF.
    pub preset: &'static str,
    /// Squares of the removed pieces: file and rank from 1.
    removed: &'static [(u8, u8)],
}

const fn row(name: &'static str, preset: &'static str, removed: &'static [(u8, u8)]) -> Handicap {
    Handicap { name, preset, removed }
}

/// All of them, from none to ten pieces.
#[rustfmt::skip]
pub const HANDICAPS: &[Handicap] = &[
    row("平手", "HIRATE", &[]),
    row("香落ち", "KY", &[(1, 1)]),
    row("右香落ち", "KY_R", &[(9, 1)]),
    row("角落ち", "KA", &[(2, 2)]),
    row("飛車落ち", "HI", &[(8, 2)]),
    row("飛香落ち", "HIKY", &[(8, 2), (1, 1)]),
    row("二枚落ち", "2", &[(8, 2), (2, 2)]),
    row("三枚落ち", "3", &[(8, 2), (2, 2), (1, 1)]),
    row("四枚落ち", "4", &[(8, 2), (2, 2), (1, 1), (9, 1)]),
    row("五枚落ち", "5", &[(8, 2), (2, 2), (8, 1), (1, 1), (9, 1)]),
    row("左五枚落ち", "5_L", &[(8, 2), (2, 2), (2, 1), (1, 1), (9, 1)]),
    row("六枚落ち", "6", &[(8, 2), (2, 2), (2, 1), (8, 1), (1, 1), (9, 1)]),
    row("左七枚落ち", "7_L", &[(8, 2), (2, 2), (3, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    row("右七枚落ち", "7_R", &[(8, 2), (2, 2), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    row("八枚落ち", "8",
        &[(8, 2), (2, 2), (3, 1), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    row("十枚落ち", "10",
        &[(8, 2), (2, 2), (4, 1), (6, 1), (3, 1), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
];

/// The start position of another name: White's three ranks, and White's hand.
struct OtherStart {
    name: &'static str,
    ranks: &'static str,
    hand: &'static str,
}

const fn other(name: &'static str, ranks: &'static str, hand: &'static str) -> OtherStart {
    OtherStart { name, ranks, hand }
}

/// They are read only: some programs write the names, but few know them.
const OTHER_STARTS: &[OtherStart] = &[
    other("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    other("トンボ", "4k4/1r5b1/ppppppppp", "-"),
    other("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
    other("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
    other("歩三兵", "4k4/9/9", "3p"),
    other("裸玉", "4k4/9/9", "-"),
    other("十九枚落ち", "4k4/9/9", "-"),
];

/// Those of names that mean another start on lishogi, or one of several starts elsewhere.
const LISHOGI_STARTS: &[OtherStart] = &[
    other("三枚落ち", "1nsgkgsnl/9/ppppppppp", "-"),
    other("七枚落ち", "3gkgs2/9/ppppppppp", "-"),
    other("九枚落ち", "4kg3/9/ppppppppp", "-"),
];

/// The start position of a name in KIF, in several spellings, in a game that was played at this site.
pub(super) fn named_start(name: &str, site: Option<&str>) -> Option<Setup> {
    let is_lishogi = site.is_some_and(|site| site.contains("lishogi.org"));
    let lishogi_starts = LISHOGI_STARTS.iter().filter(|_| is_lishogi);
    let find = |start: &&OtherStart| plain(start.name) == plain(name);
    let unusual = lishogi_starts.chain(OTHER_STARTS).find(find).map(OtherStart::setup);
    unusual.or_else(|| Handicap::named(name).map(Handicap::setup))
}

impl OtherStart {
    fn setup(&self) -> Setup {
        let OtherStart { ranks, hand, .. } = self;
        let sfen = format!("{ranks}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand} 1");
        sfen.parse().expect("the tables have valid ranks and hands")
    }
}

/// The names of the sides in an even game.
pub(super) const SIDES: ByColor<Localized> =
    ByColor([localized("Black", "先手"), localized("White", "後手")]);
/// In a handicap game, in which White moves first.
const HANDICAP_SIDES: ByColor<Localized> =
    ByColor([localized("Black", "下手"), localized("White", "上手")]);

/// Whether White gives a handicap in a game with this start position, whatever its move number: a named one, or one
/// of those that are read only.
pub fn is_handicap(start: &Setup) -> bool {
    if let Some(handicap) = Handicap::of(start) {
        return !handicap.is_even();
    }
    let first = Setup { game_ply: 1, ..start.clone() };
    OTHER_STARTS.iter().chain(LISHOGI_STARTS).any(|other| other.setup() == first)
}

/// The names of the sides in a game with this start position. A handicap changes those in Japanese.
pub fn side_names(start: &Setup) -> ByColor<Localized> {
    if is_handicap(start) { HANDICAP_SIDES } else { SIDES }
}

impl Handicap {
    /// The handicap of a start position, whatever its move number.
    pub fn of(start: &Setup) -> Option<&'static Handicap> {
        let first = Setup { game_ply: 1, ..start.clone() };
        HANDICAPS.iter().find(|handicap| handicap.setup() == first)
    }

    /// The handicap of a name in KIF, in several spellings.
    pub(super) fn named(name: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| plain(handicap.name) == plain(name))
    }

    /// The handicap of a name in JKF.
    pub(super) fn preset(name: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| handicap.preset == name)
    }

    pub fn is_even(&self) -> bool {
        self.removed.is_empty()
    }

    /// The start position. In a handicap game White moves first.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::startpos();
        for square in self.squares() {
            setup.board[square.index()] = None;
        }
        setup.side = if self.is_even() { Color::Black } else { Color::White };
        setup
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        self.removed.iter().map(|&(file, rank)| Square::new(file - 1, rank - 1))
    }

    /// The board line in CSA, `PI82HI22KA`.
    pub(super) fn csa(&self) -> String {
        let start = Setup::startpos();
        let mut line = String::from("PI");
        for square in self.squares() {
            let piece = start.piece_at(square).expect("only pieces that are there are removed");
            let _ = write!(line, "{}{}", square_digits(square), piece_code(piece.kind()));
        }
        line
    }
}

/// Normalises a name: kanji instead of digits, 落 instead of 落ち, 飛, 香, 角 instead of 飛車, 香車, 角行, and one of
/// the forms of other characters.
fn plain(name: &str) -> String {
    let name = name.replace("10", "十").replace("１０", "十");
    let digit = |c: char| match c {
        '2' | '２' => '二',
        '3' | '３' => '三',
        '4' | '４' => '四',
        '5' | '５' => '五',
        '6' | '６' => '六',
        '7' | '７' => '七',
        '8' | '８' => '八',
        '9' | '９' => '九',
        '+' => '＋',
        '兩' => '両',
        '王' => '玉',
        c => c,
    };
    name.chars().filter(|c| !"ち車行 　".contains(*c)).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn every_handicap_is_known_by_its_start_and_its_names() {
        for handicap in HANDICAPS {
            let setup = handicap.setup();
            assert!(Position::from_setup(&setup).is_ok());
            assert_eq!(Handicap::of(&setup), Some(handicap));
            assert_eq!(Handicap::named(handicap.name), Some(handicap));
            assert_eq!(Handicap::preset(handicap.preset), Some(handicap));
        }
    }

    #[test]
    fn every_other_start_is_legal() {
        for start in OTHER_STARTS.iter().chain(LISHOGI_STARTS) {
            assert!(Position::from_setup(&start.setup()).is_ok(), "{}", start.name);
            assert_eq!(named_start(start.name, Some("https://lishogi.org/x")), Some(start.setup()));
        }
    }

    /// Regression: トンボ and other starts without a name in the table of handicaps did not.
    #[test]
    fn only_a_handicap_changes_the_names_of_the_sides() {
        let names = |setup: &Setup| side_names(setup).0.map(|name| name.ja);
        let others = OTHER_STARTS.iter().chain(LISHOGI_STARTS).map(OtherStart::setup);
        for start in HANDICAPS[1..].iter().map(Handicap::setup).chain(others) {
            assert_eq!(names(&start), ["下手", "上手"], "{start}");
            let later = Setup { game_ply: 5, ..start };
            assert_eq!(names(&later), ["下手", "上手"], "{later}");
        }
        let other = "4k4/9/9/9/9/9/9/9/4K4 w - 1".parse().unwrap();
        for even in [HANDICAPS[0].setup(), other] {
            assert_eq!(names(&even), ["先手", "後手"]);
        }
    }

    #[test]
    fn starts_are_as_published() {
        let sfen = |name| Handicap::named(name).unwrap().setup().to_string();
        let tail = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(sfen("香車落"), format!("lnsgkgsn1/1r5b1{tail}"));
        assert_eq!(sfen("右香落ち"), format!("1nsgkgsnl/1r5b1{tail}"));
        assert_eq!(sfen("飛車落ち"), format!("lnsgkgsnl/7b1{tail}"));
        assert_eq!(sfen("飛香落ち"), format!("lnsgkgsn1/7b1{tail}"));
        assert_eq!(sfen("２枚落ち"), format!("lnsgkgsnl/9{tail}"));
        // All other programs but one remove this lance.
        assert_eq!(sfen("三枚落ち"), format!("lnsgkgsn1/9{tail}"));
        assert_eq!(sfen("六枚落ち"), format!("2sgkgs2/9{tail}"));
        assert_eq!(sfen("10枚落ち"), format!("4k4/9{tail}"));
        assert_eq!(Handicap::named("飛香落ち").unwrap().csa(), "PI82HI11KY");
        assert_eq!(Handicap::named("平手").unwrap().csa(), "PI");
    }
}
