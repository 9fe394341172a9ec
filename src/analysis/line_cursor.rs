//! The lines of a game: the main line and the branches, with a cursor for each.

use std::collections::HashMap;

use crate::position::Position;
use crate::record::{GameRecord, NodeId};
use crate::types::Move;

/// Identifies a position for the analysis: board, side to move, hands, and the number of earlier
/// occurrences in the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    /// An SFEN without the move number.
    sfen: String,
    /// Earlier occurrences, because repetition changes the score.
    earlier: u32,
}

/// A line that leaves another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The node of its first move. The line follows first children.
    pub head: NodeId,
    /// Number of moves before it.
    pub ply: usize,
    /// The line that it leaves: 0 is the main line, `n` is the `n`-th branch.
    pub parent: usize,
}

/// All branches of a game, in the order in which they leave their line, each followed by its own
/// branches.
pub fn branches(game: &GameRecord) -> Vec<Branch> {
    let mut found = Vec::new();
    // A stack: the next branch is on top.
    let mut stack = branches_of_line(game, NodeId::ROOT, 0, 0);
    while let Some(branch) = stack.pop() {
        found.push(branch);
        stack.extend(branches_of_line(game, branch.head, branch.ply + 1, found.len()));
    }
    found
}

/// The branches that leave a line at or after the node `from`, which comes after `ply` moves, the last
/// one first.
fn branches_of_line(game: &GameRecord, from: NodeId, ply: usize, line: usize) -> Vec<Branch> {
    let next = |&id: &NodeId| game.node(id).children().first().copied();
    let nodes = std::iter::successors(Some(from), next);
    let mut found = Vec::new();
    for (index, id) in nodes.enumerate() {
        let others = game.node(id).children().iter().skip(1);
        // An alternative end of the game has no move.
        let heads = others.filter(|&&head| game.node(head).mv().is_some());
        found.extend(heads.map(|&head| Branch { head, ply: ply + index, parent: line }));
    }
    found.reverse();
    found
}

/// A cursor on a line of a game, with its position.
#[derive(Debug)]
pub struct LineCursor {
    position: Position,
    /// The keys of the start position and of the positions after each move.
    keys: Vec<PositionKey>,
    moves: Vec<(NodeId, Move)>,
    /// Number of moves played.
    ply: usize,
}

impl LineCursor {
    /// The main line, with the cursor at its end.
    pub fn new(game: &GameRecord) -> LineCursor {
        LineCursor::along(game, game.main_line())
    }

    /// A branch with the moves before it, with the cursor at its end.
    pub fn of_branch(game: &GameRecord, branch: &Branch) -> LineCursor {
        let before = std::iter::successors(Some(branch.head), |&id| game.node(id).parent());
        let mut line: Vec<NodeId> = before.collect();
        line.reverse();
        let next = |&id: &NodeId| game.node(id).children().first().copied();
        line.extend(std::iter::successors(Some(branch.head), next).skip(1));
        LineCursor::along(game, line)
    }

    fn along(game: &GameRecord, line: impl IntoIterator<Item = NodeId>) -> LineCursor {
        let mut position = game.start_position();
        let mut seen = HashMap::new();
        let mut keys = vec![key(&position, &mut seen)];
        let mut moves = Vec::new();
        for id in line {
            let Some(mv) = game.node(id).mv() else { continue };
            position.do_move(mv);
            keys.push(key(&position, &mut seen));
            moves.push((id, mv));
        }
        let ply = moves.len();
        LineCursor { position, keys, moves, ply }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Number of moves played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The key of the position after `ply` moves.
    pub fn key(&self, ply: usize) -> &PositionKey {
        &self.keys[ply]
    }

    /// All moves of the line, with their nodes.
    pub fn moves(&self) -> &[(NodeId, Move)] {
        &self.moves
    }

    /// Goes back one move. False at the start.
    pub fn step_back(&mut self) -> bool {
        let Some(before) = self.ply.checked_sub(1) else { return false };
        self.position.undo_move(self.moves[before].1);
        self.ply = before;
        true
    }

    /// Goes forward one move. False at the end.
    pub fn step_forward(&mut self) -> bool {
        let Some(&(_, mv)) = self.moves.get(self.ply) else { return false };
        self.position.do_move(mv);
        self.ply += 1;
        true
    }
}

fn key(position: &Position, seen: &mut HashMap<String, u32>) -> PositionKey {
    let sfen = position.setup().sfen_without_ply();
    let count = seen.entry(sfen.clone()).or_default();
    let earlier = *count;
    *count += 1;
    PositionKey { sfen, earlier }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ErrorPolicy, RecordFormat, read};

    fn cursor(line: &str) -> LineCursor {
        LineCursor::new(&read(line, RecordFormat::Usi, ErrorPolicy::Refuse).unwrap().games[0])
    }

    #[test]
    fn transpositions_have_one_key_and_repetitions_another() {
        let one = cursor("startpos moves 7g7f 3c3d 2g2f");
        let other = cursor("startpos moves 2g2f 3c3d 7g7f");
        assert_eq!(one.key(3), other.key(3));
        assert_ne!(one.key(1), other.key(1));
        let cycle = cursor("startpos moves 2h3h 8b7b 3h2h 7b8b");
        assert_ne!(cycle.key(0), cycle.key(4));
        assert_eq!(cycle.key(0).sfen, cycle.key(4).sfen);
    }

    #[test]
    fn the_cursor_walks_from_the_end_to_the_start_and_back() {
        let mut cursor = cursor("startpos moves 7g7f 3c3d");
        let end = cursor.position().to_sfen();
        assert!(!cursor.step_forward());
        assert!(cursor.step_back() && cursor.step_back() && !cursor.step_back());
        assert_eq!(cursor.position().to_sfen(), Position::startpos().to_sfen());
        assert!(cursor.step_forward() && cursor.step_forward());
        assert_eq!((cursor.position().to_sfen(), cursor.ply()), (end, 2));
    }

    #[test]
    fn branches_come_in_the_order_in_which_they_leave_their_line() {
        const KIF: &str = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\
            変化：3手\n3 ６六歩(67)\n4 ８四歩(83)\n変化：4手\n4 ４二飛(82)\n\
            変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n";
        let game = read(KIF, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap().games.remove(0);
        let found = branches(&game);
        let keys: Vec<_> = found.iter().map(|branch| (branch.ply, branch.parent)).collect();
        assert_eq!(keys, [(0, 0), (2, 0), (3, 2)]);
        let line = |branch: &Branch| {
            let moves = LineCursor::of_branch(&game, branch).moves().to_vec();
            moves.iter().map(|(_, mv)| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        let lines: Vec<_> = found.iter().map(line).collect();
        assert_eq!(lines, ["2g2f 8c8d", "7g7f 3c3d 6g6f 8c8d", "7g7f 3c3d 6g6f 8b4b"]);
        // A line of moves has none.
        assert!(
            branches(
                &read("startpos moves 7g7f", RecordFormat::Usi, ErrorPolicy::Refuse).unwrap().games
                    [0]
            )
            .is_empty()
        );
    }
}
