//! Writing games in the CSA format, version 2.2.
//!
//! Times are whole seconds, as that version has them. Evaluations follow their move as comments of
//! the form that the servers write: `'** 120 -3334FU +2625FU`, in centipawns as Black sees them,
//! with the line that follows the move.

use std::fmt::Write;
use std::time::Duration;

use crate::position::{Position, Setup};
use crate::types::{ByColor, Color, Move, Piece, PieceKind, Square};

/// A game to be written.
#[derive(Clone, Debug)]
pub struct CsaGame<'a> {
    pub names: ByColor<&'a str>,
    /// Where the moves start from.
    pub start: Setup,
    pub moves: &'a [CsaMove],
    /// `None` for a game that goes on.
    pub end: Option<Special>,
    /// For people, at the head of the file.
    pub comments: &'a [String],
}

/// A move with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsaMove {
    pub mv: Move,
    /// Cut to whole seconds when it is written.
    pub elapsed: Option<Duration>,
    pub evaluation: Option<Evaluation>,
}

/// What the player thought of its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// As Black sees it.
    pub centipawns: i64,
    /// What is to follow the move; written up to the first move that is not legal.
    pub line: Vec<Move>,
}

/// The last line of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Resign,
    Mate,
    Declaration,
    Sennichite,
    /// Drawn by agreement or by a limit of moves, for which this version has no word of its own.
    Draw,
    TimeUp,
    /// By the side to move.
    IllegalMove,
    /// By this side, whoever is to move.
    IllegalAction(Color),
    Interrupted,
    Error,
}

impl Special {
    const fn text(self) -> &'static str {
        match self {
            Special::Resign => "%TORYO",
            Special::Mate => "%TSUMI",
            Special::Declaration => "%KACHI",
            Special::Sennichite => "%SENNICHITE",
            Special::Draw => "%HIKIWAKE",
            Special::TimeUp => "%TIME_UP",
            Special::IllegalMove => "%ILLEGAL_MOVE",
            Special::IllegalAction(Color::Black) => "%+ILLEGAL_ACTION",
            Special::IllegalAction(Color::White) => "%-ILLEGAL_ACTION",
            Special::Interrupted => "%CHUDAN",
            Special::Error => "%ERROR",
        }
    }
}

/// A move that is not legal where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadMove {
    /// Number of the move, from 1.
    pub number: usize,
}

impl std::fmt::Display for BadMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "move {} of the game is not legal", self.number)
    }
}

impl std::error::Error for BadMove {}

impl CsaGame<'_> {
    /// The whole file.
    ///
    /// # Errors
    /// A start or a move that is not legal (a bad start counts as move 0).
    pub fn to_text(&self) -> Result<String, BadMove> {
        let mut position = Position::from_setup(&self.start).map_err(|_| BadMove { number: 0 })?;
        let mut text = String::from("V2.2\n");
        for comment in self.comments {
            push_line(&mut text, &format!("'{}", one_line(comment)));
        }
        push_line(&mut text, &format!("N+{}", one_line(self.names[Color::Black])));
        push_line(&mut text, &format!("N-{}", one_line(self.names[Color::White])));
        push_start(&mut text, &self.start);
        for (i, played) in self.moves.iter().enumerate() {
            push_move(&mut text, &mut position, played).ok_or(BadMove { number: i + 1 })?;
        }
        if let Some(end) = self.end {
            push_line(&mut text, end.text());
        }
        Ok(text)
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Text that cannot be taken for a line of its own.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

fn push_start(text: &mut String, start: &Setup) {
    if *start == Setup::startpos() {
        text.push_str("PI\n");
    } else {
        (0..9).for_each(|rank| push_rank(text, start, rank));
        Color::ALL.into_iter().for_each(|color| push_hand(text, start, color));
    }
    push_line(text, sign(start.side));
}

fn push_rank(text: &mut String, start: &Setup, rank: u8) {
    let cell = |file| match start.piece_at(Square::new(file, rank)) {
        Some(piece) => format!("{}{}", sign(piece.color()), code(piece.kind())),
        None => " * ".into(),
    };
    let cells: String = (0..9).rev().map(cell).collect();
    push_line(text, &format!("P{}{cells}", rank + 1));
}

fn push_hand(text: &mut String, start: &Setup, color: Color) {
    let hand = start.hands[color];
    if hand.is_empty() {
        return;
    }
    let pieces: String = hand
        .iter()
        .map(|(kind, count)| format!("00{}", code(kind)).repeat(count as usize))
        .collect();
    push_line(text, &format!("P{}{pieces}", sign(color)));
}

/// Plays and writes a move; `None` if it is not legal.
fn push_move(text: &mut String, position: &mut Position, played: &CsaMove) -> Option<()> {
    push_line(text, &play_move(position, played.mv)?);
    if let Some(elapsed) = played.elapsed {
        push_line(text, &format!("T{}", elapsed.as_secs()));
    }
    if let Some(evaluation) = &played.evaluation {
        let mut comment = format!("'** {}", evaluation.centipawns);
        let mut after = position.clone();
        for mv in evaluation.line.iter().map_while(|&mv| play_move(&mut after, mv)) {
            let _ = write!(comment, " {mv}");
        }
        push_line(text, &comment);
    }
    Some(())
}

/// Plays a move and returns its text, `+7776FU`; `None`, and nothing played, if it is not legal.
fn play_move(position: &mut Position, mv: Move) -> Option<String> {
    let color = position.side_to_move();
    position.try_play(mv).ok()?;
    let piece: Piece = position.piece_at(mv.to())?;
    let from = if mv.is_drop() { "00".into() } else { digits(mv.from()) };
    Some(format!("{}{from}{}{}", sign(color), digits(mv.to()), code(piece.kind())))
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

const fn sign(color: Color) -> &'static str {
    match color {
        Color::Black => "+",
        Color::White => "-",
    }
}

const fn code(kind: PieceKind) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<CsaMove> {
        let bare = |mv: Move| CsaMove { mv, elapsed: None, evaluation: None };
        text.split_whitespace().map(|word| bare(word.parse().unwrap())).collect()
    }

    fn game(start: Setup, moves: &[CsaMove]) -> CsaGame<'_> {
        CsaGame { names: ByColor(["a", "b"]), start, moves, end: None, comments: &[] }
    }

    #[test]
    fn a_game_from_the_usual_start_is_written() {
        let mut moves = moves("7g7f 3c3d 8h2b+ 3a2b B*4e");
        moves[2].elapsed = Some(Duration::from_millis(12_999));
        moves[2].evaluation = Some(Evaluation {
            centipawns: -30,
            line: ["3a2b", "B*5e", "9a9i"].map(|mv| mv.parse().unwrap()).to_vec(),
        });
        let comments = ["one\ntwo".to_string()];
        let game = CsaGame {
            end: Some(Special::Resign),
            comments: &comments,
            ..game(Setup::startpos(), &moves)
        };
        let expected = "V2.2\n'one two\nN+a\nN-b\nPI\n+\n+7776FU\n-3334FU\n+8822UM\nT12\n\
                        '** -30 -3122GI +0055KA\n-3122GI\n+0045KA\n%TORYO\n";
        assert_eq!(game.to_text().unwrap(), expected);
    }

    #[test]
    fn another_start_is_written_square_by_square_with_the_hands() {
        let position = Position::from_sfen("4k4/9/4+P4/9/9/9/9/9/4K3L w 2Pr 5").unwrap();
        let text = game(position.setup(), &[]).to_text().unwrap();
        let empty = " * ".repeat(9);
        let rank = |i: usize, cells: &str| format!("P{i}{cells}\n");
        let mut expected = String::from("V2.2\nN+a\nN-b\n");
        let (left, right) = (" * ".repeat(4), " * ".repeat(3));
        expected += &rank(1, &format!("{left}-OU{left}"));
        expected += &rank(2, &empty);
        expected += &rank(3, &format!("{left}+TO{left}"));
        (4..9).for_each(|i| expected += &rank(i, &empty));
        expected += &rank(9, &format!("{left}+OU{right}+KY"));
        expected += "P+00FU00FU\nP-00HI\n-\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_illegal_move_is_named() {
        let moves = moves("7g7f 7f7e");
        assert_eq!(game(Setup::startpos(), &moves).to_text(), Err(BadMove { number: 2 }));
    }

    #[test]
    fn every_kind_has_a_code_of_its_own() {
        let codes: std::collections::HashSet<_> = PieceKind::ALL.into_iter().map(code).collect();
        assert_eq!(codes.len(), PieceKind::ALL.len());
    }
}
