//! Follows a game and names the castles and openings of its sides.

use std::sync::LazyLock;

use super::castles::CASTLES;
use super::formation::{Family, Formation, FormationRow};
use super::openings::OPENINGS;
use super::pattern::{Pattern, PatternContext, PlayedMove};
use crate::position::{Position, Setup};
use crate::record::is_handicap;
use crate::types::{ByColor, Color, Move, Piece, PieceKind};

/// A castle or an opening that a move completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormationEvent {
    /// The number of moves made.
    pub ply: usize,
    /// `None` for an opening of both sides.
    pub side: Option<Color>,
    pub formation: Formation,
}

type CompiledRows = Vec<(&'static FormationRow, Pattern)>;

static CASTLE_PATTERNS: LazyLock<CompiledRows> = LazyLock::new(|| compiled(CASTLES));
static OPENING_PATTERNS: LazyLock<CompiledRows> = LazyLock::new(|| compiled(OPENINGS));

fn compiled(rows: &'static [FormationRow]) -> CompiledRows {
    let pattern = |row: &FormationRow| Pattern::read(row.pattern).expect("a test reads every row");
    rows.iter().map(|row| (row, pattern(row))).collect()
}

/// Names the castles and openings of a game when they first appear. Openings are recognised only if both
/// sides begin with rook and bishop, and castles only for a side that gives neither as a handicap: with fewer
/// pieces the same shapes have other purposes.
///
/// ```
/// use kawasemi::analysis::formations;
/// use kawasemi::position::Position;
/// let moves = ["7g7f", "3c3d", "6g6f", "8c8d", "2h6h"].map(|mv| mv.parse().unwrap());
/// let found = formations(&Position::startpos(), &moves);
/// assert_eq!(found[0].formation.name.ja, "四間飛車");
/// ```
pub fn formations(start: &Position, moves: &[Move]) -> Vec<FormationEvent> {
    let mut tracker = FormationTracker::new(start);
    for &mv in moves {
        if !tracker.play(mv) {
            break;
        }
    }
    tracker.found
}

impl Formation {
    /// The castle or opening with this Japanese name.
    pub fn named(ja: &str) -> Option<Formation> {
        let mut all = CASTLES.iter().chain(OPENINGS).map(|row| row.formation);
        all.find(|formation| formation.name.ja == ja)
    }
}

/// The castle of a side by its position alone, without the moves that led to it.
#[cfg(test)]
pub(super) fn castle(position: &Position, side: Color) -> Option<Formation> {
    castle_in(PatternContext { position, played: &[], side, is_handicap: false })
}

fn castle_in(context: PatternContext<'_>) -> Option<Formation> {
    let found = CASTLE_PATTERNS.iter().find(|(_, pattern)| pattern.matches(context));
    found.map(|(row, _)| row.formation)
}

/// Names the openings and castles while the moves of a game are made.
struct FormationTracker {
    position: Position,
    is_handicap: bool,
    recognises_openings: bool,
    gives_handicap: ByColor<bool>,
    played: Vec<PlayedMove>,
    /// The row of the last opening of each side.
    openings: ByColor<Option<usize>>,
    /// The row of the last opening of both sides together.
    shared_opening: Option<usize>,
    found: Vec<FormationEvent>,
}

impl FormationTracker {
    fn new(start: &Position) -> FormationTracker {
        let setup = start.setup();
        FormationTracker {
            position: start.clone(),
            is_handicap: is_handicap(&setup),
            recognises_openings: has_major_pieces_at_home(&setup),
            gives_handicap: ByColor(Color::ALL.map(|side| gives_handicap(&setup, side))),
            played: Vec::new(),
            openings: ByColor::default(),
            shared_opening: None,
            found: Vec::new(),
        }
    }

    /// False if the move is illegal.
    fn play(&mut self, mv: Move) -> bool {
        let side = self.position.side_to_move();
        let from = (!mv.is_drop()).then(|| mv.from());
        if !self.position.is_legal(mv) {
            return false;
        }
        let kind = self.position.moved_kind_before(mv);
        self.position.do_move(mv);
        self.played.push(PlayedMove { side, kind, from, to: mv.to() });
        if !self.gives_handicap[side] {
            self.name_castle(side);
        }
        if self.recognises_openings {
            // A move may also complete an opening of the other side.
            self.name_openings(Some(side));
            self.name_openings(Some(!side));
            self.name_openings(None);
        }
        true
    }

    fn context(&self, side: Color) -> PatternContext<'_> {
        PatternContext {
            position: &self.position,
            played: &self.played,
            side,
            is_handicap: self.is_handicap,
        }
    }

    fn name_castle(&mut self, side: Color) {
        let Some(castle) = castle_in(self.context(side)) else { return };
        let is_known =
            |known: &FormationEvent| known.side == Some(side) && known.formation == castle;
        if !self.found.iter().any(is_known) {
            self.add(Some(side), castle);
        }
    }

    /// Names the openings of a side, or those of both sides, whose patterns are written for Black.
    fn name_openings(&mut self, side: Option<Color>) {
        let ply = self.played.len();
        let current = side.map_or(self.shared_opening, |side| self.openings[side]);
        let context = self.context(side.unwrap_or(Color::Black));
        let fits = |(index, (row, pattern)): &(usize, &(&FormationRow, Pattern))| {
            row.family.is_shared() == side.is_none()
                && ply <= row.last_ply
                && current.is_none_or(|current| replaces(*index, current))
                && pattern.matches(context)
        };
        let Some((index, (row, _))) = OPENING_PATTERNS.iter().enumerate().find(fits) else {
            return;
        };
        let formation = row.formation;
        match side {
            Some(side) => self.openings[side] = Some(index),
            None => self.shared_opening = Some(index),
        }
        self.add(side, formation);
    }

    fn add(&mut self, side: Option<Color>, formation: Formation) {
        self.found.push(FormationEvent { ply: self.played.len(), side, formation });
    }
}

/// Whether the opening of a row takes the place of another one.
fn replaces(index: usize, current: usize) -> bool {
    let family = |index: usize| -> Family { OPENINGS[index].family };
    index < current && family(index) == family(current)
}

/// Whether both sides begin with rook, bishop and king on their squares.
fn has_major_pieces_at_home(start: &Setup) -> bool {
    let even = Setup::startpos();
    let major = |kind| matches!(kind, PieceKind::Rook | PieceKind::Bishop | PieceKind::King);
    even.pieces()
        .filter(|(_, piece)| major(piece.kind()))
        .all(|(square, piece)| start.piece_at(square) == Some(piece))
}

/// Whether a side begins on its squares, but without its rook or bishop.
fn gives_handicap(start: &Setup, side: Color) -> bool {
    let even = Setup::startpos();
    let mut own = start.pieces().filter(|(_, piece)| piece.color() == side);
    let has = |kind| start.pieces().any(|(_, piece)| piece == Piece::new(side, kind));
    own.all(|(square, piece)| even.piece_at(square) == Some(piece))
        && start.hands[side].is_empty()
        && !(has(PieceKind::Rook) && has(PieceKind::Bishop))
}
