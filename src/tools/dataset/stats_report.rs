//! The statistics as text.

use std::fmt;

use super::stats::{DatasetStats, GameStats, PositionStats};
use crate::types::Color;

impl fmt::Display for DatasetStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, header) in &self.headers {
            writeln!(f, "{}", path.display())?;
            header.entries().try_for_each(|(key, value)| writeln!(f, "  {key}={value}"))?;
        }
        let PositionStats { scored, unscored, .. } = self.positions;
        if self.games.count() > 0 {
            write_games(f, &self.games)?;
            writeln!(f, "Black       {:.1} % of the points", self.black_percent())?;
            let plies = (scored + unscored).max(1) as f64;
            writeln!(f, "bytes       {}, {:.2} a ply", self.bytes, self.bytes as f64 / plies)?;
        } else {
            writeln!(f, "bytes       {}", self.bytes)?;
        }
        write_positions(f, &self.positions)
    }
}

fn write_games(f: &mut fmt::Formatter<'_>, games: &GameStats) -> fmt::Result {
    let count = games.count();
    let (black, white) = (games.wins[Color::Black], games.wins[Color::White]);
    let draws = games.draws;
    writeln!(f, "games       {count}: {black} won by Black, {white} by White, {draws} drawn")?;
    for (reason, &number) in &games.end_reasons {
        writeln!(f, "  {:<16} {:>6.2} %", reason.to_string(), percent(number, count))?;
    }
    let mean = games.plies() as f64 / count as f64;
    let [quarter, median, three_quarters, longest] =
        [0.25, 0.5, 0.75, 1.0].map(|part| games.quantile(part));
    writeln!(f, "plies       {}, {mean:.1} a game", games.plies())?;
    writeln!(f, "  a quarter of the games has at most {quarter}, half {median}, three quarters")?;
    writeln!(f, "  {three_quarters}, the longest {longest}")?;
    writeln!(f, "repeated    {:.2} % of the games", 100.0 * games.distinct.repeated())
}

fn write_positions(f: &mut fmt::Formatter<'_>, positions: &PositionStats) -> fmt::Result {
    let PositionStats { scored, unscored, .. } = *positions;
    writeln!(f, "positions   {scored} with a score, {unscored} without")?;
    let shares = [
        ("in check", positions.in_check),
        ("captures", positions.captures),
        ("promotions", positions.promotions),
        ("not the best", positions.not_best),
    ];
    for (name, number) in shares {
        writeln!(f, "  {name:<16} {:>6.2} %", percent(number, scored))?;
    }
    writeln!(f, "repeated    {:.2} % of them", 100.0 * positions.distinct.repeated())?;
    writeln!(f, "score       in units (a pawn is 90), of either sign")?;
    let bounds = PositionStats::SCORE_BOUNDS.map(|bound| format!("to {bound}"));
    let names = bounds.into_iter().chain(["beyond".into(), "mates".into()]);
    for (name, &number) in names.zip(&positions.score_histogram) {
        writeln!(f, "  {name:<16} {:>6.2} %", percent(number, scored))?;
    }
    match positions.results.fit_scale() {
        Some(k) => writeln!(f, "win rate    1 / (1 + exp(-score / {k:.0}))"),
        None => writeln!(f, "win rate    does not follow from the score"),
    }
}

fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}
