//! Position diagrams of KIF.

use crate::position::Setup;
use crate::record::japanese_move::{self, MoveOrigin};
use crate::record::japanese_text::{self, digit};
use crate::record::text::push_line;
use crate::types::language::Localized;
use crate::types::{ByColor, Color, Hand, Piece, PieceKind, Square};

/// Words for all pieces that are neither on the board nor in the other hand, as printed problems have them.
const REST: [&str; 3] = ["残り", "残り全部", "残り全て"];

/// A partly read diagram.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    board: [Option<Piece>; Square::COUNT],
    ranks: usize,
    hands: [Option<Hand>; 2],
    /// The side that has all other pieces of the set in hand.
    rest_owner: Option<Color>,
}

impl Default for Diagram {
    fn default() -> Diagram {
        Diagram { board: [None; Square::COUNT], ranks: 0, hands: [None; 2], rest_owner: None }
    }
}

impl Diagram {
    /// Whether a rank has been read.
    pub(super) fn is_begun(&self) -> bool {
        self.ranks > 0
    }

    pub(super) fn is_complete(&self) -> bool {
        self.ranks == 9
    }

    /// Whether there are pieces in hand.
    pub(super) fn has_hands(&self) -> bool {
        self.rest_owner.is_some() || self.hands.iter().flatten().any(|hand| !hand.is_empty())
    }

    /// Whether the hand of this side was given, empty or not.
    pub(super) fn gives_hand(&self, color: Color) -> bool {
        self.hands[color.index()].is_some()
    }

    pub(super) fn setup(&self, side: Color, game_ply: u32) -> Setup {
        let mut setup = Setup { board: self.board, side, game_ply, ..Setup::empty() };
        setup.hands.0 = self.hands.map(Option::unwrap_or_default);
        if let Some(color) = self.rest_owner {
            setup.add_missing_pieces(color);
        }
        setup
    }

    /// The side that makes a move: the one whose mark it has, or whose piece is on its origin square.
    pub(super) fn mover(&self, text: &str) -> Option<Color> {
        let (parsed_move, _) = japanese_move::read_move(text)?;
        parsed_move.side.or_else(|| match parsed_move.origin {
            MoveOrigin::Board(from) => self.board[from.index()].map(Piece::color),
            MoveOrigin::Unspecified | MoveOrigin::Hand => None,
        })
    }

    /// Reads the next rank: `|v香v桂 ・ … |一`. `None` if it is invalid.
    pub(super) fn rank(&mut self, line: &str) -> Option<()> {
        let rank = u8::try_from(self.ranks).ok().filter(|&rank| rank < 9)?;
        let mut files = (0..9).rev();
        let mut color = Color::Black;
        for c in line.trim_start().chars().skip(1) {
            match c {
                '|' | '｜' => break,
                'v' | 'V' | 'ｖ' | '^' => color = Color::White,
                _ if c.is_whitespace() => {}
                '・' | '･' | '.' | '．' => {
                    files.next()?;
                }
                _ => {
                    let kind = japanese_text::kind(c)?;
                    let square = Square::new(files.next()?, rank);
                    self.board[square.index()] = Some(Piece::new(color, kind));
                    color = Color::Black;
                }
            }
        }
        self.ranks += 1;
        files.next().is_none().then_some(())
    }

    /// Reads a hand: `飛　歩十八`, `なし`, `残り全部`. `None` if it is invalid.
    pub(super) fn hand(&mut self, color: Color, text: &str) -> Option<()> {
        let mut hand = Hand::EMPTY;
        // It counts as given even if it is invalid.
        self.hands[color.index()] = Some(hand);
        self.rest_owner = self.rest_owner.filter(|&owner| owner != color);
        let text = text.trim();
        if REST.contains(&text) {
            // The other side has them already.
            if self.rest_owner.is_some() {
                return None;
            }
            self.rest_owner = Some(color);
        } else if text != "なし" {
            let mut chars = text.chars().filter(|&c| !c.is_whitespace()).peekable();
            while let Some(c) = chars.next() {
                let kind = japanese_text::kind(c)?;
                let mut digits = Vec::new();
                while let Some(c) = chars.next_if(|&c| c == '十' || digit(c).is_some()) {
                    digits.push(c);
                }
                hand.try_add(kind, number(&digits)?)?;
            }
        }
        self.hands[color.index()] = Some(hand);
        Some(())
    }
}

/// The count after a piece: 1 if there is none.
fn number(digits: &[char]) -> Option<u32> {
    match *digits {
        [] => Some(1),
        ['十'] => Some(10),
        ['十', ones] => Some(10 + digit(ones)?),
        [tens, '十'] => Some(digit(tens)? * 10),
        [ones] => digit(ones),
        [tens, ones] => Some(digit(tens)? * 10 + digit(ones)?),
        _ => None,
    }
}

/// A diagram of a position in kanji, with these names of the sides.
pub fn kanji_diagram(setup: &Setup, sides: &ByColor<Localized>) -> String {
    let mut text = String::new();
    push_diagram(&mut text, setup, sides);
    text
}

/// Writes a diagram.
pub(super) fn push_diagram(text: &mut String, setup: &Setup, sides: &ByColor<Localized>) {
    let hand = |color| format!("{}の持駒：", sides[color].ja);
    push_hand(text, &hand(Color::White), setup.hands[Color::White]);
    push_line(text, "  ９ ８ ７ ６ ５ ４ ３ ２ １");
    push_line(text, "+---------------------------+");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            match setup.piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    text.push(if piece.color() == Color::Black { ' ' } else { 'v' });
                    text.push(letter(piece.kind()));
                }
                None => text.push_str(" ・"),
            }
        }
        push_line(text, &format!("|{}", japanese_text::rank_kanji(rank)));
    }
    push_line(text, "+---------------------------+");
    push_hand(text, &hand(Color::Black), setup.hands[Color::Black]);
    push_line(text, &format!("{}番", sides[setup.side].ja));
}

fn push_hand(text: &mut String, name: &str, hand: Hand) {
    text.push_str(name);
    if hand.is_empty() {
        return push_line(text, "なし");
    }
    for kind in PieceKind::HAND.into_iter().rev().filter(|&kind| hand.has(kind)) {
        text.push(letter(kind));
        if hand.count(kind) > 1 {
            text.push_str(&japanese_text::kanji_number(hand.count(kind)));
        }
        text.push('　');
    }
    text.push('\n');
}

/// The one character of a piece in a diagram.
fn letter(kind: PieceKind) -> char {
    match kind {
        PieceKind::ProLance => '杏',
        PieceKind::ProKnight => '圭',
        PieceKind::ProSilver => '全',
        kind => japanese_text::name(kind).chars().next().expect("every piece has a name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::record::handicap::SIDES;

    fn read(text: &str) -> Option<Setup> {
        let mut diagram = Diagram::default();
        for line in text.lines() {
            if line.starts_with('|') {
                diagram.rank(line)?;
            } else if let Some((name, hand)) = line.split_once('：') {
                let color = if name.starts_with('先') { Color::Black } else { Color::White };
                diagram.hand(color, hand)?;
            }
        }
        Some(diagram.setup(Color::Black, 1))
    }

    #[test]
    fn a_diagram_is_read_back() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "4k4/+p+l+n+s+b+r3/9/9/9/9/9/9/K8 b 10Pr2b 1",
        ] {
            let setup =
                Position::from_sfen(sfen).map_or_else(|_| sfen.parse().unwrap(), |p| p.setup());
            let mut text = String::new();
            push_diagram(&mut text, &setup, &SIDES);
            assert_eq!(read(&text), Some(setup), "{text}");
        }
    }

    #[test]
    fn hands_are_read_however_they_are_counted() {
        for text in ["飛二　歩十八", "飛2歩18", "飛飛 歩１８ ", "歩十八飛二"] {
            let mut diagram = Diagram::default();
            diagram.hand(Color::Black, text).expect(text);
            let hand = diagram.setup(Color::Black, 1).hands[Color::Black];
            assert_eq!((hand.count(PieceKind::Rook), hand.count(PieceKind::Pawn)), (2, 18));
        }
        for text in ["歩十九", "玉", "と", "飛x", "十", "歩九十九九", "飛三"] {
            assert_eq!(Diagram::default().hand(Color::White, text), None, "{text}");
        }
    }

    /// Regression: a problem with these words was refused.
    #[test]
    fn a_hand_may_have_all_other_pieces() {
        let expected: Setup = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1".parse().unwrap();
        for words in ["残り", "残り全部", "　残り全て "] {
            let mut text = String::new();
            let problem: Setup = "8k/9/9/9/9/9/9/9/9 b G 1".parse().unwrap();
            push_diagram(&mut text, &problem, &SIDES);
            let text = text.replace("後手の持駒：なし", &format!("後手の持駒：{words}"));
            assert_eq!(read(&text), Some(expected.clone()), "{text}");
        }
    }

    /// Regression: the second hand took them from the first, and a later hand of the same side was ignored.
    #[test]
    fn one_side_has_all_other_pieces_until_its_hand_is_given_again() {
        let mut diagram = Diagram::default();
        assert_eq!(diagram.hand(Color::White, "残り"), Some(()));
        assert_eq!(diagram.hand(Color::Black, "残り全部"), None);
        assert_eq!(diagram.hand(Color::White, "金"), Some(()));
        let hands = diagram.setup(Color::Black, 1).hands;
        assert_eq!(hands[Color::White].count(PieceKind::Pawn), 0);
        assert_eq!(hands[Color::White].count(PieceKind::Gold), 1);
        assert_eq!(diagram.hand(Color::Black, "残り全部"), Some(()));
    }

    #[test]
    fn a_rank_has_nine_files() {
        let rank = |line: &str| Diagram::default().rank(line);
        assert_eq!(rank("|v香v桂 ・ ・v玉 ・ ・ ・ ・|一"), Some(()));
        assert_eq!(rank("|v香v桂・・v玉・・・・|"), Some(()));
        assert_eq!(rank("|v香v桂 ・|一"), None);
        assert_eq!(rank("| ・ ・ ・ ・ ・ ・ ・ ・ ・ ・|一"), None);
        assert_eq!(rank("| ・ ・ ・ ・ 犬 ・ ・ ・ ・|一"), None);
    }
}
