//! The lines of a game that a branch can leave.

use crate::record::game_cursor::{GameCursor, LineEnd};

/// The lines read so far. A line that is not longer than a later one is dropped, because a branch leaves the
/// latest line that is long enough.
#[derive(Default)]
pub(super) struct KnownLines(Vec<KnownLine>);

struct KnownLine {
    end: LineEnd,
    /// Number of moves, with the ending if it has one.
    steps: usize,
}

impl KnownLines {
    /// Adds the line that the cursor is about to leave.
    pub(super) fn add(&mut self, cursor: &GameCursor) {
        let end = cursor.line_end();
        let steps = end.moves + usize::from(cursor.is_at_ending());
        while self.0.pop_if(|line| line.steps <= steps).is_some() {}
        self.0.push(KnownLine { end, steps });
    }

    /// Goes to the position where a branch with another move of this number begins: in the latest line that
    /// has such a move, else in the main line, else after the latest line that reaches it. Returns false if
    /// no line does.
    pub(super) fn branch(&mut self, cursor: &mut GameCursor, number: usize) -> bool {
        self.add(cursor);
        let Some(before) = number.checked_sub(1) else { return false };
        if let Some(line) = self.latest(number) {
            return cursor.go_to_line(line, before);
        }
        cursor.go_to_main_line(before)
            || self.latest(before).is_some_and(|line| cursor.go_to_line(line, before))
    }

    fn latest(&self, steps: usize) -> Option<LineEnd> {
        let enough = self.0.partition_point(|line| line.steps >= steps);
        self.0[..enough].last().map(|line| line.end)
    }
}
