//! Validation of a [`Setup`] by pieces and counts. Whether the side not to move is in check needs
//! attacks, and is checked by the constructor of `Position`.

use std::fmt;

use super::legality::is_immobile;
use super::setup::Setup;
use crate::types::message::{Message, message};
use crate::types::{Bitboard, Color, File, Piece, PieceKind, Square};

/// Why a [`Setup`] cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalSetup {
    /// A side has more than one king.
    TwoKings(Color),
    /// Board and hands together hold more pieces of a kind (promoted ones included) than the set.
    TooMany { kind: PieceKind, found: u32 },
    /// A piece that can never move.
    ImmobilePiece { piece: Piece, square: Square },
    /// Two unpromoted pawns of a side on a file.
    DoubledPawns { color: Color, file: File },
    /// The side not to move is in check.
    OpponentInCheck,
}

/// Refuses what no game and no problem can contain: a second king of a side, more pieces than a set
/// has, pieces that can never move, two unpromoted pawns on a file. Pieces may be missing, including
/// kings.
///
/// # Errors
/// The first error, in the order above.
pub(super) fn validate_setup(setup: &Setup) -> Result<(), IllegalSetup> {
    validate_kings(setup)?;
    validate_counts(setup)?;
    validate_immobile_pieces(setup)?;
    validate_pawns(setup)
}

fn validate_kings(setup: &Setup) -> Result<(), IllegalSetup> {
    for color in Color::ALL {
        let king = Piece::new(color, PieceKind::King);
        if setup.pieces().filter(|&(_, piece)| piece == king).count() > 1 {
            return Err(IllegalSetup::TwoKings(color));
        }
    }
    Ok(())
}

fn validate_counts(setup: &Setup) -> Result<(), IllegalSetup> {
    for kind in PieceKind::HAND {
        let found = setup.count(kind);
        if found > kind.set_size() {
            return Err(IllegalSetup::TooMany { kind, found });
        }
    }
    Ok(())
}

fn validate_immobile_pieces(setup: &Setup) -> Result<(), IllegalSetup> {
    let immobile = |&(square, piece): &(Square, Piece)| {
        is_immobile(piece.kind(), square.relative_rank(piece.color()))
    };
    match setup.pieces().find(immobile) {
        Some((square, piece)) => Err(IllegalSetup::ImmobilePiece { piece, square }),
        None => Ok(()),
    }
}

fn validate_pawns(setup: &Setup) -> Result<(), IllegalSetup> {
    for color in Color::ALL {
        let pawn = Piece::new(color, PieceKind::Pawn);
        let pawns: Bitboard = setup
            .pieces()
            .filter_map(|(square, piece)| (piece == pawn).then_some(square))
            .collect();
        let doubled = |&file: &File| (pawns & Bitboard::file(file)).more_than_one();
        if let Some(file) = (0..9).find(doubled) {
            return Err(IllegalSetup::DoubledPawns { color, file });
        }
    }
    Ok(())
}

/// The English plural of a kind.
pub(super) const fn plural(kind: PieceKind) -> &'static str {
    match kind.unpromoted() {
        PieceKind::Pawn => "pawns",
        PieceKind::Lance => "lances",
        PieceKind::Knight => "knights",
        PieceKind::Silver => "silvers",
        PieceKind::Bishop => "bishops",
        PieceKind::Rook => "rooks",
        PieceKind::Gold => "golds",
        _ => "kings",
    }
}

/// The name of an unpromoted kind in Japanese.
pub(super) const fn japanese(kind: PieceKind) -> &'static str {
    kind.unpromoted().name().ja
}

/// The name of a side in Japanese.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

impl IllegalSetup {
    /// The error in every language.
    pub fn message(&self) -> Message {
        match *self {
            IllegalSetup::TwoKings(color) => {
                let ja = side(color);
                message!("{color:?} has more than one king", "{ja}の玉が2枚以上あります")
            }
            IllegalSetup::TooMany { kind, found } => {
                let (kinds, ja, size) = (plural(kind), japanese(kind), kind.set_size());
                message!(
                    "{found} {kinds} in all, but a set has {size}",
                    "{ja}が{found}枚ありますが、全部で{size}枚までです"
                )
            }
            IllegalSetup::ImmobilePiece { piece, square } => {
                let (file, rank) = (square.file() + 1, square.rank() + 1);
                let (owner, name) = (side(piece.color()), japanese(piece.kind()));
                message!(
                    "the {piece} on {square} could never move again",
                    "{file}筋{rank}段目の{owner}の{name}は行き所のない駒です"
                )
            }
            IllegalSetup::DoubledPawns { color, file } => {
                let (file, ja) = (file + 1, side(color));
                message!(
                    "{color:?} has two unpromoted pawns on file {file}",
                    "{file}筋に{ja}の歩が2枚あります（二歩）"
                )
            }
            IllegalSetup::OpponentInCheck => {
                message!(
                    "the side not to move is in check",
                    "手番でない側の玉に王手がかかっています"
                )
            }
        }
    }
}

impl fmt::Display for IllegalSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for IllegalSetup {}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(setup: &mut Setup, square: &str, color: Color, kind: PieceKind) {
        setup.board[square.parse::<Square>().unwrap().index()] = Some(Piece::new(color, kind));
    }

    #[test]
    fn the_start_position_and_the_empty_board_are_valid() {
        assert_eq!(validate_setup(&Setup::startpos()), Ok(()));
        assert_eq!(validate_setup(&Setup::empty()), Ok(()));
    }

    #[test]
    fn each_side_may_have_one_king_but_not_two() {
        for color in Color::ALL {
            let mut setup = Setup::empty();
            put(&mut setup, "5e", color, PieceKind::King);
            assert_eq!(validate_setup(&setup), Ok(()));
            put(&mut setup, "1a", !color, PieceKind::King);
            assert_eq!(validate_setup(&setup), Ok(()));
            put(&mut setup, "9i", color, PieceKind::King);
            assert_eq!(validate_setup(&setup), Err(IllegalSetup::TwoKings(color)));
        }
    }

    #[test]
    fn a_full_set_in_hand_is_valid_and_one_piece_more_is_not() {
        for kind in PieceKind::HAND {
            let mut setup = Setup::empty();
            for n in 0..kind.set_size() {
                setup.hands[Color::ALL[(n % 2) as usize]].add(kind);
            }
            assert_eq!(validate_setup(&setup), Ok(()), "{kind:?}");
            let on_board = kind.promoted().unwrap_or(kind);
            put(&mut setup, "5e", Color::White, on_board);
            let found = kind.set_size() + 1;
            assert_eq!(validate_setup(&setup), Err(IllegalSetup::TooMany { kind, found }));
        }
    }

    /// Regression: `9hのnは行き所のない駒です`.
    #[test]
    fn an_immobile_piece_and_its_square_have_japanese_names() {
        let piece = Piece::new(Color::White, PieceKind::Knight);
        let square: Square = "9h".parse().unwrap();
        let message = IllegalSetup::ImmobilePiece { piece, square }.message();
        assert_eq!(message.ja, "9筋8段目の後手の桂は行き所のない駒です");
    }

    #[test]
    fn a_piece_is_immobile_exactly_where_its_side_has_no_rank_left_for_it() {
        let reach = |kind| match kind {
            PieceKind::Pawn | PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            _ => 0,
        };
        for piece in Piece::all() {
            for square in Square::all() {
                let ranks_ahead = match piece.color() {
                    Color::Black => square.rank(),
                    Color::White => 8 - square.rank(),
                };
                let mut setup = Setup::empty();
                setup.board[square.index()] = Some(piece);
                let expected = if ranks_ahead < reach(piece.kind()) {
                    Err(IllegalSetup::ImmobilePiece { piece, square })
                } else {
                    Ok(())
                };
                assert_eq!(validate_setup(&setup), expected);
            }
        }
    }

    #[test]
    fn doubled_pawns_are_of_one_side_one_file_and_unpromoted() {
        for color in Color::ALL {
            let mut setup = Setup::empty();
            put(&mut setup, "9e", color, PieceKind::Pawn);
            put(&mut setup, "9d", !color, PieceKind::Pawn);
            put(&mut setup, "9f", color, PieceKind::ProPawn);
            put(&mut setup, "8e", color, PieceKind::Pawn);
            assert_eq!(validate_setup(&setup), Ok(()));
            put(&mut setup, "9c", color, PieceKind::Pawn);
            assert_eq!(validate_setup(&setup), Err(IllegalSetup::DoubledPawns { color, file: 8 }));
        }
    }
}
