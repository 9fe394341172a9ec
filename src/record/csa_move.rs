//! Moves and pieces in CSA notation.

use super::error::MoveError;
use crate::position::{IllegalMove, Position};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// File and rank: `77`.
pub(super) fn square_digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

pub(super) const fn side_sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// A legal move: `+7776FU`, with the piece as it is after the move.
pub fn csa_move(position: &Position, mv: Move) -> String {
    let from = if mv.is_drop() { "00".into() } else { square_digits(mv.from()) };
    let piece = piece_code(position.moved_piece_after(mv).kind());
    format!("{}{from}{}{piece}", side_sign(position.side_to_move()), square_digits(mv.to()))
}

pub(super) const fn piece_code(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::Gold => "KI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::Horse => "UM",
        PieceKind::Dragon => "RY",
    }
}

pub(super) fn piece_of_code(text: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|&kind| piece_code(kind) == text)
}

pub(super) fn square_of_digits(digits: &[u8]) -> Option<Square> {
    let coordinate = |byte: u8| matches!(byte, b'1'..=b'9').then(|| byte - b'1');
    Some(Square::new(coordinate(digits[0])?, coordinate(digits[1])?))
}

/// Reads `+7776FU`. The move need not be legal.
///
/// # Errors
/// A text that is not a move, or a move of the wrong side or of a piece that is not on that square.
pub fn read_csa_move(text: &str, position: &Position) -> Result<Move, MoveError> {
    let unreadable = MoveError::Unreadable;
    let bytes = text.as_bytes();
    if bytes.len() != 7 || !text.is_ascii() {
        return Err(unreadable);
    }
    let side = match bytes[0] {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return Err(unreadable),
    };
    let to = square_of_digits(&bytes[3..5]).ok_or(unreadable)?;
    let after = piece_of_code(&text[5..]).ok_or(unreadable)?;
    let from = match &bytes[1..3] {
        b"00" => None,
        digits => Some(square_of_digits(digits).ok_or(unreadable)?),
    };
    if side != position.side_to_move() {
        return Err(MoveError::WrongSide);
    }
    let Some(from) = from else {
        let found = after.can_be_held().then(|| Move::drop(after, to));
        return found.ok_or(IllegalMove::NotInHand.into());
    };
    if from == to {
        return Err(IllegalMove::Unreachable.into());
    }
    let before = position.piece_at(from).map(Piece::kind).ok_or(IllegalMove::NoPiece)?;
    if before == after {
        Ok(Move::board(from, to, false))
    } else if before.promoted() == Some(after) {
        Ok(Move::board(from, to, true))
    } else {
        Err(MoveError::WrongPiece(before))
    }
}
