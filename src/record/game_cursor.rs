//! A cursor in a game tree, with the position there.
//!
//! The only way to add moves to a [`GameRecord`]: each is played on the position first, so a tree holds
//! legal moves only.

use super::ending::Ending;
use super::error::{MAX_MOVES, RefusedMove};
use super::evaluation::Evaluation;
use super::game_record::{GameRecord, GameStep, NodeId, NodeMut};
use super::header::Headers;
use crate::position::{IllegalSetup, Position, Setup};
use crate::types::{Move, Square};

/// Limit of the moves replayed in total to go from branch to branch, if a file jumps between lines.
const MAX_REPLAYED: usize = 1_000_000;

/// The end of a line of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEnd {
    last: NodeId,
    pub(super) moves: usize,
}

/// Owns a [`GameRecord`], is at one of its nodes, and plays or adds moves from there.
///
/// ```
/// use kawasemi::position::Setup;
/// use kawasemi::record::{GameCursor, Ending};
/// let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
/// cursor.play("7g7f".parse().unwrap()).unwrap();
/// cursor.node_mut().comments.push("the usual move".into());
/// assert!(cursor.play("7f7e".parse().unwrap()).is_err());
/// cursor.end(Ending::Resign);
/// assert_eq!(cursor.into_game().main_moves().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct GameCursor {
    game: GameRecord,
    /// The position after the moves of `path`.
    position: Position,
    /// The nodes from the root to the last move.
    path: Vec<NodeId>,
    /// The last node of `path`, or an ending after it.
    current: NodeId,
    replayed: usize,
}

impl GameCursor {
    /// Starts a new game.
    ///
    /// # Errors
    /// If the start position is illegal.
    pub fn new(start: Setup) -> Result<GameCursor, IllegalSetup> {
        GameCursor::open(GameRecord::new(start))
    }

    /// Opens an existing game at its start.
    ///
    /// # Errors
    /// If the start position is illegal.
    pub fn open(game: GameRecord) -> Result<GameCursor, IllegalSetup> {
        let position = Position::from_setup(game.start())?;
        let (path, current) = (vec![NodeId::ROOT], NodeId::ROOT);
        Ok(GameCursor { game, position, path, current, replayed: 0 })
    }

    /// Replaces the start position of a game without moves.
    pub(super) fn set_start(&mut self, start: Setup) -> Result<(), IllegalSetup> {
        debug_assert!(self.path.len() == 1 && self.game.nodes().count() == 1);
        self.position = Position::from_setup(&start)?;
        self.game.set_start(start);
        Ok(())
    }

    pub fn game(&self) -> &GameRecord {
        &self.game
    }

    pub fn headers_mut(&mut self) -> &mut Headers {
        &mut self.game.headers
    }

    pub fn into_game(self) -> GameRecord {
        self.game
    }

    /// The position of the next move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The current node.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// The current node, to change it.
    pub fn node_mut(&mut self) -> NodeMut<'_> {
        self.game.node_mut(self.current)
    }

    /// Number of moves from the start to here.
    pub fn moves(&self) -> usize {
        self.path.len() - 1
    }

    /// The destination of the last move.
    pub fn last_square(&self) -> Option<Square> {
        self.last_move().map(Move::to)
    }

    pub fn last_move(&self) -> Option<Move> {
        self.path.last().and_then(|&id| self.game.node(id).mv())
    }

    /// Plays a move. Follows an existing branch that begins with it, or appends a new one.
    ///
    /// # Errors
    /// If the move is illegal or the line too long. Then nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, RefusedMove> {
        if self.moves() >= MAX_MOVES {
            return Err(RefusedMove::TooLong);
        }
        self.position.try_play(mv).map_err(RefusedMove::Illegal)?;
        let here = *self.path.last().expect("a path begins at the start");
        let known = self.child(here, |step| *step == GameStep::Move(mv));
        let id = known.unwrap_or_else(|| self.game.push(here, GameStep::Move(mv)));
        self.path.push(id);
        self.current = id;
        Ok(id)
    }

    /// Ends the line here. Returns false, and does nothing, if it already has another ending.
    pub fn end(&mut self, ending: Ending) -> bool {
        let here = *self.path.last().expect("a path begins at the start");
        match self.child(here, |step| matches!(step, GameStep::Ending(_))) {
            Some(id) => {
                self.current = id;
                *self.game.node(id).step() == GameStep::Ending(ending)
            }
            None => {
                self.current = self.game.push(here, GameStep::Ending(ending));
                true
            }
        }
    }

    /// The ending here, if the current node is one.
    pub(super) fn ending(&self) -> Option<&Ending> {
        match self.game.node(self.current).step() {
            GameStep::Ending(ending) => Some(ending),
            GameStep::Start | GameStep::Move(_) => None,
        }
    }

    /// Whether the current node is an ending.
    pub(super) fn is_at_ending(&self) -> bool {
        self.ending().is_some()
    }

    /// Replaces the ending here.
    pub(super) fn replace_ending(&mut self, ending: Ending) {
        self.game.set_ending(self.current, ending);
    }

    /// Makes the last move the main continuation, before an ending at the same place.
    pub(super) fn insert_before_ending(&mut self) {
        let [.., before, last] = self.path[..] else { return };
        if let Some(ending) = self.child(before, |step| matches!(step, GameStep::Ending(_))) {
            self.game.put_before(last, ending);
        }
    }

    fn child(&self, of: NodeId, is_it: impl Fn(&GameStep) -> bool) -> Option<NodeId> {
        let children = self.game.node(of).children();
        children.iter().copied().find(|&id| is_it(self.game.node(id).step()))
    }

    /// Goes to the position after this many moves: on the line that leads here or, if that is shorter,
    /// on the main line. Returns false, and changes nothing, if both are shorter, or if too many moves
    /// would be replayed.
    pub fn go_to(&mut self, moves: usize) -> bool {
        if moves > self.moves() {
            return self.go_to_main_line(moves);
        }
        while self.moves() > moves {
            let mv = self.last_move().expect("only the start has no move");
            self.position.undo_move(mv);
            self.path.pop();
        }
        self.current = *self.path.last().expect("a path begins at the start");
        true
    }

    pub(super) fn go_to_main_line(&mut self, moves: usize) -> bool {
        self.replayed = self.replayed.saturating_add(moves);
        let line: Vec<Move> = self.game.main_moves().take(moves.min(MAX_MOVES)).collect();
        if line.len() < moves || self.replayed > MAX_REPLAYED {
            return false;
        }
        self.go_to(0);
        line.into_iter().for_each(|mv| {
            self.play(mv).expect("the main line was played before");
        });
        true
    }

    /// The last move, and the number of moves up to it. An ending is not counted.
    pub(super) fn line_end(&self) -> LineEnd {
        let last = *self.path.last().expect("a path begins at the start");
        LineEnd { last, moves: self.moves() }
    }

    /// Goes to the position after this many moves of another line. Returns false, and changes nothing,
    /// if the line is shorter, or if too many moves would be replayed.
    pub(super) fn go_to_line(&mut self, line: LineEnd, moves: usize) -> bool {
        let LineEnd { last: mut id, moves: mut depth } = line;
        let mut replay = Vec::new();
        while self.path.get(depth) != Some(&id) {
            replay.extend(self.game.node(id).mv().filter(|_| depth <= moves));
            id = self.game.node(id).parent().expect("all lines have the start in common");
            depth -= 1;
        }
        self.replayed = self.replayed.saturating_add(line.moves - depth);
        if moves > line.moves || self.replayed > MAX_REPLAYED {
            return false;
        }
        self.go_to(depth.min(moves));
        for mv in replay.into_iter().rev() {
            self.play(mv).expect("this line was played before");
        }
        true
    }

    /// Adds a comment to the current node, as an evaluation if it has a known format.
    pub fn comment(&mut self, text: &str) {
        let mv = self.game.node(self.current).mv();
        match Evaluation::read(text, mv, &mut self.position) {
            Some(evaluation) => self.node_mut().evaluations.push(evaluation),
            None => self.node_mut().comments.push(text.to_owned()),
        }
    }
}
