//! The command `go`: limits in any order and combination.

use super::clock::ClockArguments;
use super::error::CommandError;
use super::parser::{GO_KEYWORDS, Parser, parse_move};
use super::types::Command;
use crate::mate;
use crate::search::request::{Limits, MateLimit};
use crate::types::{MAX_PLY, Move, excerpt};

impl Parser<'_> {
    pub(super) fn go(&mut self) -> Option<Command> {
        let mut limits = Limits::default();
        let mut clock = ClockArguments::default();
        // Mates may exceed the maximum search depth; `mate` may come after `depth`.
        let deepest = if self.has(b"mate") { usize::from(mate::MAX_PLIES) } else { MAX_PLY };
        while let Some(word) = self.next() {
            match word {
                b"perft" => return self.perft(),
                b"searchmoves" => self.search_moves(&mut limits.search_moves),
                b"ponder" => limits.ponder = true,
                b"infinite" => limits.infinite = true,
                b"mate" => limits.mate = Some(self.mate()),
                b"movetime" => limits.move_time = self.time("movetime").or(limits.move_time),
                b"rtime" => limits.random_time = self.time("rtime").or(limits.random_time),
                b"nodes" => limits.nodes = self.number("nodes", 0, u64::MAX).or(limits.nodes),
                b"depth" => limits.depth = self.depth("depth", 0, deepest).or(limits.depth),
                _ if clock.read(word, self) => {}
                _ => self.error(CommandError::UnexpectedToken { word: "go", token: excerpt(word) }),
            }
        }
        let clock = clock.finish();
        drop_zeros(&mut limits, clock.is_some_and(|clock| !clock.is_zero()));
        limits.clock = clock.filter(|clock| limits.uses_clock(clock));
        // A mate search answers when it ends, even if `infinite` comes before `mate`.
        limits.infinite &= limits.mate.is_none();
        Some(Command::Go(Box::new(limits)))
    }

    fn perft(&mut self) -> Option<Command> {
        self.depth("perft", 1, MAX_PLY).map(|depth| Command::Perft(depth.unsigned_abs()))
    }

    fn search_moves(&mut self, moves: &mut Vec<Move>) {
        while let Some(token) = self.peek().filter(|token| !GO_KEYWORDS.contains(token)) {
            self.next();
            match parse_move(token) {
                Some(mv) => moves.push(mv),
                None => {
                    self.error(CommandError::NotAMove {
                        word: "searchmoves",
                        token: excerpt(token),
                    });
                }
            }
        }
    }

    /// The argument of `mate`: milliseconds, `infinite`, or nothing. Shogi GUIs send milliseconds,
    /// although the first draft of the protocol meant plies; this holds for small numbers too.
    fn mate(&mut self) -> MateLimit {
        if self.accept(b"infinite") {
            return MateLimit::Unlimited;
        }
        match self.peek() {
            Some(token) if !GO_KEYWORDS.contains(&token) => {
                self.time("mate").map_or(MateLimit::Unlimited, MateLimit::Time)
            }
            _ => MateLimit::Unlimited,
        }
    }
}

/// Drops limits of zero, which mean none: TanukiColiseum sends every keyword, and YaneuraOu reads them so.
/// But `movetime 0` without another limit asks for a move at once.
fn drop_zeros(limits: &mut Limits, has_clock: bool) {
    limits.nodes = limits.nodes.filter(|&nodes| nodes > 0);
    limits.depth = limits.depth.filter(|&depth| depth > 0);
    limits.random_time = limits.random_time.filter(|time| !time.is_zero());
    let move_time = limits.move_time.take();
    let is_only_limit = !has_clock && limits.needs_clock();
    limits.move_time = move_time.filter(|time| is_only_limit || !time.is_zero());
}
