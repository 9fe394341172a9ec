//! The clocks of `go` and `ponderhit`.

use std::time::Duration;

use super::error::CommandError;
use super::parser::Parser;
use super::types::Command;
use crate::search::request::Clock;
use crate::types::{ByColor, Color, excerpt};

impl Parser<'_> {
    pub(super) fn ponder_hit(&mut self) -> Command {
        let mut clock = ClockArguments::default();
        while let Some(word) = self.next() {
            if !clock.read(word, self) {
                self.error(CommandError::UnexpectedToken {
                    word: "ponderhit",
                    token: excerpt(word),
                });
            }
        }
        Command::PonderHit(clock.finish())
    }
}

/// The clock arguments of `go` and `ponderhit`.
#[derive(Default)]
pub(super) struct ClockArguments {
    /// May be below zero.
    time_ms: ByColor<Option<i64>>,
    increment: ByColor<Option<Duration>>,
    own_byoyomi: ByColor<Option<Duration>>,
    /// For a side without its own byoyomi.
    byoyomi: Option<Duration>,
    moves_to_go: Option<u32>,
}

impl ClockArguments {
    /// Parses the number after a clock keyword; false if `word` is another word.
    pub(super) fn read(&mut self, word: &[u8], parser: &mut Parser<'_>) -> bool {
        use Color::{Black, White};
        let (word, slot): (&'static str, _) = match word {
            b"btime" => return self.read_time(Black, "btime", parser),
            b"wtime" => return self.read_time(White, "wtime", parser),
            b"binc" => ("binc", &mut self.increment[Black]),
            b"winc" => ("winc", &mut self.increment[White]),
            b"byoyomi" => ("byoyomi", &mut self.byoyomi),
            b"bbyoyomi" => ("bbyoyomi", &mut self.own_byoyomi[Black]),
            b"wbyoyomi" => ("wbyoyomi", &mut self.own_byoyomi[White]),
            b"movestogo" => {
                let moves = parser.number("movestogo", 0, u64::from(u32::MAX));
                // Zero means sudden death, like a missing value.
                self.moves_to_go = moves.map(|moves| moves as u32).filter(|&moves| moves > 0);
                return true;
            }
            _ => return false,
        };
        *slot = parser.time(word).or(*slot);
        true
    }

    fn read_time(&mut self, side: Color, word: &'static str, parser: &mut Parser<'_>) -> bool {
        self.time_ms[side] = parser.signed_ms(word).or(self.time_ms[side]);
        true
    }

    /// The clocks, if the line has any. Missing times count as zero, so that no time is overspent.
    pub(super) fn finish(self) -> Option<Clock> {
        let sides = [self.increment.0, self.own_byoyomi.0];
        let given = self.byoyomi.is_some()
            || self.time_ms.0.iter().any(Option::is_some)
            || sides.as_flattened().iter().any(Option::is_some);
        let or_zero =
            |sides: ByColor<Option<Duration>>| ByColor(sides.0.map(Option::unwrap_or_default));
        let byoyomi = self.own_byoyomi.0.map(|own| own.or(self.byoyomi));
        let time_ms = self.time_ms.0.map(Option::unwrap_or_default);
        let clock = Clock {
            time: ByColor(time_ms.map(|ms| Duration::from_millis(ms.max(0).unsigned_abs()))),
            increment: or_zero(self.increment),
            byoyomi: or_zero(ByColor(byoyomi)),
            moves_to_go: self.moves_to_go,
        };
        // ShogiHome and UCI2WB subtract the coming increment or byoyomi from a time that may be less.
        let owed = ByColor(time_ms.map(|ms| Duration::from_millis(ms.min(0).unsigned_abs())));
        let pay = |clock: Clock, side: Color| clock.after(side, owed[side]);
        given.then(|| Color::ALL.into_iter().fold(clock, pay))
    }
}
