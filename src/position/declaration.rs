//! Entering-king rules: wins by declaration (points) and the try rule.

use super::board::Position;
use crate::types::{Bitboard, Color, Move, PieceKind, Square};

/// The entering-king rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EnteringKingRule {
    /// No declaration.
    None,
    /// The 24-point rule (24点法): declaration with 31 points. (24 points only draw, and are not declared here.)
    Csa24,
    /// The same, with the points of the handicap pieces subtracted from what White needs.
    Csa24Handicap,
    /// The 27-point rule (27点法): declaration with 28 points for Black, 27 for White (`Jishogi 1.1` of CSA).
    #[default]
    Csa27,
    /// The same, with the points of the handicap pieces subtracted from what White needs.
    Csa27Handicap,
    /// A king that moves to the initial square of the enemy king wins.
    Try,
}

/// Pieces apart from the king that must be in the enemy camp.
const CAMP_PIECES: u32 = 10;
/// Points of a full set: five for each of the four rooks and bishops, one for each of the other 34 pieces, none for
/// kings.
const ALL_POINTS: u32 = 54;

impl EnteringKingRule {
    /// The points that `color` needs for a declaration; `None` if the rule has none. `missing` are the
    /// points of a full set that are not in the game: White gives the handicap and needs that much less.
    const fn points_needed(self, color: Color, missing: u32) -> Option<u32> {
        use EnteringKingRule as Rule;
        let full: u32 = match (self, color) {
            (Rule::None | Rule::Try, _) => return None,
            (Rule::Csa24 | Rule::Csa24Handicap, _) => 31,
            (Rule::Csa27 | Rule::Csa27Handicap, Color::Black) => 28,
            (Rule::Csa27 | Rule::Csa27Handicap, Color::White) => 27,
        };
        match color {
            Color::White if self.counts_handicap() => Some(full.saturating_sub(missing)),
            _ => Some(full),
        }
    }

    const fn counts_handicap(self) -> bool {
        matches!(self, EnteringKingRule::Csa24Handicap | EnteringKingRule::Csa27Handicap)
    }
}

impl Position {
    /// Whether the side to move may declare a win: its king is in the far three ranks and not in check,
    /// ten more of its pieces are there, and these and its hand have enough points.
    ///
    /// ```
    /// use kawasemi::position::{EnteringKingRule, Position};
    /// let sfen = "GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1";
    /// let position = Position::from_sfen(sfen).unwrap();
    /// assert!(position.declaration_win(EnteringKingRule::Csa27));
    /// assert!(!position.declaration_win(EnteringKingRule::None));
    /// ```
    pub fn declaration_win(&self, rule: EnteringKingRule) -> bool {
        let us = self.side_to_move();
        let Some(full) = rule.points_needed(us, 0) else { return false };
        // The enemy camp is where pieces promote.
        let camp = Bitboard::promotion_zone(us);
        if !self.king(us).is_some_and(|king| camp.contains(king)) {
            return false;
        }
        let inside = self.pieces(us) & camp;
        if inside.len() <= CAMP_PIECES || self.in_check() {
            return false;
        }
        let points = self.board_points(inside) + self.hand_points(us);
        // The handicap is counted only if it matters.
        points >= full
            || rule.counts_handicap()
                && rule.points_needed(us, self.missing_points()).is_some_and(|need| points >= need)
    }

    /// The move that wins at once by the try rule, if that is the rule.
    pub fn try_rule_win(&self, rule: EnteringKingRule) -> Option<Move> {
        if rule == EnteringKingRule::Try { self.try_rule_move() } else { None }
    }

    /// The king move that wins by the try rule, if there is one.
    pub fn try_rule_move(&self) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(us)?;
        let goal = try_square(us);
        let mv = (king.distance(goal) == 1).then(|| Move::board(king, goal, false))?;
        self.is_legal(mv).then_some(mv)
    }

    /// Whether the last move wins by the try rule, if that is in force: the king moved to the initial
    /// square of the enemy king.
    pub fn has_won_by_try(&self) -> bool {
        let them = !self.side_to_move();
        let (goal, last) = (try_square(them), self.state().mv);
        self.king(them) == Some(goal) && last.is_ok() && last.to() == goal
    }

    fn board_points(&self, squares: Bitboard) -> u32 {
        squares
            .into_iter()
            .filter_map(|square| self.piece_at(square))
            .map(|p| points(p.kind()))
            .sum()
    }

    fn hand_points(&self, color: Color) -> u32 {
        self.hand(color).iter().map(|(kind, count)| count * points(kind)).sum()
    }

    /// The points of the pieces of a full set that are not in the game.
    fn missing_points(&self) -> u32 {
        let in_hands: u32 = Color::ALL.into_iter().map(|color| self.hand_points(color)).sum();
        ALL_POINTS - self.board_points(self.occupied()) - in_hands
    }
}

/// The initial square of the enemy king of `color`.
const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::new(4, 0),
        Color::White => Square::new(4, 8),
    }
}

const fn points(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook => 5,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EnteringKingRule::{Csa24, Csa24Handicap, Csa27, Csa27Handicap, None as NoRule, Try};

    const DECLARED: [EnteringKingRule; 4] = [Csa24, Csa24Handicap, Csa27, Csa27Handicap];

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
    }

    /// The rules by which the side to move may declare.
    fn declarable(sfen: &str) -> Vec<EnteringKingRule> {
        let position = position(sfen);
        let rules = [NoRule, Csa24, Csa24Handicap, Csa27, Csa27Handicap, Try];
        rules.into_iter().filter(|&rule| position.declaration_win(rule)).collect()
    }

    #[test]
    fn black_needs_28_points_or_31() {
        let with_hand = |hand| format!("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(declarable(&with_hand("2RB2Pbnl")), []);
        assert_eq!(declarable(&with_hand("2RB3Pbnl")), [Csa27, Csa27Handicap]);
        assert_eq!(declarable(&with_hand("2R2Bnl")), [Csa27, Csa27Handicap]);
        assert_eq!(declarable(&with_hand("2R2BPnl")), DECLARED);
    }

    #[test]
    fn white_needs_27_points_or_31() {
        // Black holds all that White lacks.
        let with_hand = |hand| format!("4K4/9/9/9/9/9/9/7+p+p/sssskgggg w {hand} 2");
        assert_eq!(declarable(&with_hand("B4N4L15P2rbp")), []);
        assert_eq!(declarable(&with_hand("B4N4L14P2rb2p")), [Csa27, Csa27Handicap]);
        assert_eq!(declarable(&with_hand("4N4L16P2r2b")), [Csa27, Csa27Handicap]);
        assert_eq!(declarable(&with_hand("4N4L15P2r2bp")), DECLARED);
    }

    #[test]
    fn ten_pieces_beside_the_king_must_stand_in_the_camp() {
        assert_eq!(declarable("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2R2BP 1"), DECLARED);
        assert_eq!(declarable("GGGGKSSSS/+P8/9/9/9/9/9/9/4k4 b 2R2B9P 1"), []);
        assert_eq!(declarable("GGGGKSSSS/+P8/9/+P8/9/9/9/9/4k4 b 2R2B9P 1"), []);
        assert_eq!(declarable("GGGGKSSSS/9/+P7+P/9/9/9/9/9/4k4 b 2R2BP 1"), DECLARED);
    }

    #[test]
    fn pieces_of_the_enemy_in_the_camp_do_not_count() {
        assert_eq!(declarable("GGGGKSSSS/+P8/+p+p+p+p+p4/9/9/9/9/9/4k4 b 2R2B9P 1"), []);
    }

    #[test]
    fn major_pieces_count_five_points_in_the_camp_and_none_outside() {
        // Eight small pieces and two promoted big ones inside: 18, with 10 in hand.
        assert_eq!(declarable("GGGGKSSSS/+R+B7/9/9/9/9/9/9/4k4 b RB 1"), [Csa27, Csa27Handicap],);
        assert_eq!(declarable("GGGGKSSSS/RB7/9/9/9/9/9/9/4k4 b RB 1"), [Csa27, Csa27Handicap],);
        assert_eq!(declarable("GGGGKSSSS/RB7/9/9/R8/9/9/9/4k4 b B 1"), []);
    }

    #[test]
    fn the_king_must_stand_in_the_camp_and_not_in_check() {
        assert_eq!(declarable("GGGG1SSSS/+P+P7/4K4/9/9/9/9/9/4k4 b 2R2BP 1"), DECLARED);
        assert_eq!(declarable("GGGG1SSSS/+P+P+P6/9/4K4/9/9/9/9/4k4 b 2R2B9P 1"), []);
        assert_eq!(declarable("GGGGKSSSS/+P+P7/9/9/4l4/9/9/9/4k4 b 2R2BP 1"), DECLARED);
        assert_eq!(declarable("GGGGKSSSS/+P+P7/9/9/4r4/9/9/9/4k4 b R2B9P 1"), []);
        assert_eq!(declarable("GGGG1SSSS/+P+P7/9/9/9/9/9/9/4k4 b 2R2BP 1"), []);
    }

    #[test]
    fn only_the_side_to_move_may_declare() {
        assert_eq!(declarable("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 w 2R2BP 1"), []);
        assert_eq!(declarable("4K4/9/9/9/9/9/9/7+p+p/sssskgggg b 2r2bp 1"), []);
    }

    #[test]
    fn a_handicap_lowers_the_points_that_white_needs() {
        // Without White's rook and bishop 44 points are left, and White needs 17 or 21.
        let two_pieces = |hand| format!("4K4/9/9/9/9/9/9/7+p+p/sssskgggg w {hand} 2");
        assert_eq!(declarable(&two_pieces("RB4N4L10P6p")), []);
        assert_eq!(declarable(&two_pieces("RB4N4L9P7p")), [Csa27Handicap]);
        assert_eq!(declarable(&two_pieces("RB4N4L6P10p")), [Csa27Handicap]);
        assert_eq!(declarable(&two_pieces("RB4N4L5P11p")), [Csa24Handicap, Csa27Handicap]);
        // A lance less is a point less.
        let lance = |hand| format!("4K4/9/9/9/9/9/9/7+p+p/sssskgggg w {hand} 2");
        assert_eq!(declarable(&lance("B4N3L15P2rbp")), [Csa27Handicap]);
    }

    #[test]
    fn black_needs_the_full_count_in_a_handicap_game() {
        let two_pieces = |hand| format!("GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(declarable(&two_pieces("RB4N3L15Pl")), DECLARED);
        assert_eq!(declarable(&two_pieces("RB4N4Lp15p")), [Csa27, Csa27Handicap]);
        assert_eq!(declarable(&two_pieces("RB4N3Ll16p")), []);
    }

    #[test]
    fn the_points_needed_are_never_negative() {
        assert_eq!(declarable("9/9/9/9/9/9/9/9/4k4 w - 1"), []);
        assert_eq!(
            declarable("9/9/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+pk3 w - 1"),
            [Csa24Handicap, Csa27Handicap,]
        );
    }

    fn tried(sfen: &str) -> Option<String> {
        position(sfen).try_rule_move().map(|mv| mv.to_string())
    }

    #[test]
    fn a_try_is_possible_from_every_neighbour_of_the_enemy_kings_initial_square() {
        for from in ["6a", "4a", "6b", "5b", "4b"] {
            let from: Square = from.parse().unwrap();
            for (color, king, other) in [(Color::Black, 'K', 'k'), (Color::White, 'k', 'K')] {
                let turn = |square: Square| match color {
                    Color::Black => square,
                    Color::White => square.rotated(),
                };
                let mut setup = crate::position::Setup::empty();
                setup.side = color;
                let far = Square::new(8, 8);
                for (square, letter) in [(turn(from), king), (turn(far), other)] {
                    let owner = if letter == 'K' { Color::Black } else { Color::White };
                    let piece = crate::types::Piece::new(owner, PieceKind::King);
                    setup.board[square.index()] = Some(piece);
                }
                let goal = turn(Square::new(4, 0));
                let expected = Move::board(turn(from), goal, false);
                let position = Position::from_setup(&setup).unwrap();
                assert_eq!(position.try_rule_move(), Some(expected));
            }
        }
    }

    #[test]
    fn a_try_may_capture_or_evade_a_check() {
        assert_eq!(tried("4s4/4K4/9/9/9/9/9/9/k8 b - 1").as_deref(), Some("5b5a"));
        assert_eq!(tried("9/r3K4/9/9/9/9/9/9/k8 b - 1").as_deref(), Some("5b5a"));
        assert_eq!(tried("K8/9/9/9/9/9/9/4k4/4G4 w - 1").as_deref(), Some("5h5i"));
    }

    #[test]
    fn no_try_onto_an_own_piece_an_attacked_square_or_from_afar() {
        assert_eq!(tried("4G4/4K4/9/9/9/9/9/9/k8 b - 1"), None);
        assert_eq!(tried("r8/4K4/9/9/9/9/9/9/k8 b - 1"), None);
        // Along the line of the check the square behind the king is attacked too.
        assert_eq!(tried("9/4K4/9/9/4r4/9/9/9/k8 b - 1"), None);
        assert_eq!(tried("9/9/4K4/9/9/9/9/9/k8 b - 1"), None);
        assert_eq!(tried("4K4/9/9/9/9/9/9/9/k8 b - 1"), None);
        assert_eq!(tried("9/9/9/9/9/9/9/9/k8 b - 1"), None);
        assert_eq!(tried("4K4/9/9/9/9/9/9/9/4k4 w - 1"), None);
    }

    #[test]
    fn a_try_win_requires_the_move_of_the_king_to_the_square() {
        let after = |sfen: &str, moves: &str| {
            let mut position = position(sfen);
            for mv in moves.split_whitespace() {
                position.try_play(mv.parse().unwrap()).unwrap();
            }
            position.has_won_by_try()
        };
        assert!(after("9/4K4/9/9/9/9/9/4k4/9 b - 1", "5b5a"));
        assert!(after("9/4K4/9/9/9/9/9/4k4/9 w - 1", "5h5i"));
        assert!(!after("9/4K4/9/9/9/9/9/4k4/9 b - 1", "5b4a"));
        assert!(!after("9/4K4/9/9/9/9/9/4k4/9 b - 1", "5b5a 5h4h"));
        assert!(!after("4K4/9/9/9/9/9/9/9/k8 w - 1", ""));
        assert!(!after("4K4/9/9/9/9/9/9/9/k8 b P 1", "P*5e"));
    }
}
