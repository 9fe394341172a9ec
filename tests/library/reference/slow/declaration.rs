//! Wins by declaration and by the try rule, as the rules of tournaments state them.

use kawasemi::types::{Color, Move, PieceKind, Square};

use super::{SlowPosition, in_zone};

/// The point rules of the CSA and their variants for handicap games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Csa27,
    Csa27Handicap,
    Csa24,
    Csa24Handicap,
}

impl Rule {
    pub const ALL: [Rule; 4] = [Rule::Csa27, Rule::Csa27Handicap, Rule::Csa24, Rule::Csa24Handicap];

    /// The points that a side needs when no piece is missing.
    fn points_needed(self, color: Color) -> i32 {
        match (self, color) {
            (Rule::Csa27 | Rule::Csa27Handicap, Color::Black) => 28,
            (Rule::Csa27 | Rule::Csa27Handicap, Color::White) => 27,
            (Rule::Csa24 | Rule::Csa24Handicap, _) => 31,
        }
    }

    fn forgives_missing_pieces(self) -> bool {
        matches!(self, Rule::Csa27Handicap | Rule::Csa24Handicap)
    }
}

fn points(kind: PieceKind) -> i32 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Rook | PieceKind::Bishop => 5,
        _ => 1,
    }
}

impl SlowPosition {
    /// Whether the side to move wins by a declaration now.
    pub fn declaration_wins(&self, rule: Rule) -> bool {
        let color = self.side;
        let Some(king) = self.king(color) else { return false };
        let followers: Vec<PieceKind> = self
            .squares_of(color)
            .filter(|&(square, kind)| kind != PieceKind::King && in_zone(color, square))
            .map(|(_, kind)| kind)
            .collect();
        let on_board: i32 = followers.iter().copied().map(points).sum();
        let mut needed = rule.points_needed(color);
        // Missing pieces are White's handicap.
        if color == Color::White && rule.forgives_missing_pieces() {
            needed -= self.missing_points();
        }
        in_zone(color, king)
            && !self.in_check(color)
            && followers.len() >= 10
            && on_board + self.hand_points(color) >= needed
    }

    fn hand_points(&self, color: Color) -> i32 {
        PieceKind::HAND
            .into_iter()
            .map(|kind| self.in_hand(color, kind) as i32 * points(kind))
            .sum()
    }

    /// The points of the pieces that are not in the game.
    fn missing_points(&self) -> i32 {
        PieceKind::HAND
            .into_iter()
            .map(|kind| (kind.set_size() - self.total(kind)) as i32 * points(kind))
            .sum()
    }

    /// The move of the king to the initial square of the enemy king, if it is legal.
    pub fn try_move(&self) -> Option<Move> {
        let king = self.king(self.side)?;
        let goal = match self.side {
            Color::Black => Square::new(4, 0),
            Color::White => Square::new(4, 8),
        };
        if king == goal {
            return None;
        }
        let mv = Move::board(king, goal, false);
        self.legal_moves().contains(&mv).then_some(mv)
    }
}
