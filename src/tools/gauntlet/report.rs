//! The results of a match as text: a status line and a full report. Plain ASCII, for all terminals.

use std::fmt::Write;

use super::elo::{ScoreEstimate, Wdl};
use super::match_results::{EngineResults, MatchResults, PairingResults, SprtState};
use super::search_stats::EngineSearchStats;
use super::sprt::SprtVerdict;
use crate::types::Color;

/// The status line of a match of `games` games.
pub fn status(results: &MatchResults, games: usize) -> String {
    let mut line = format!("{}/{games}", results.games());
    if let [pairing] = &results.pairings[..] {
        let _ = write!(line, "  {} {}", title(results, pairing), wdl(pairing.total()));
        if let Some(estimate) = estimates(pairing).0 {
            let _ = write!(line, "  Elo {}", elo(estimate));
        }
    } else {
        for engine in &results.engines {
            let _ = write!(line, "  {} {}", engine.name, points(engine.total));
        }
    }
    if let (Some(sprt), Some(pairing)) = (&results.sprt, results.pairings.first()) {
        let (lower, upper) = sprt.test.bounds();
        let llr = sprt.test.llr(pairing.pairs);
        let _ = write!(line, "  LLR {llr:.2} ({lower:.2}, {upper:.2})");
    }
    let forfeits: u64 = results.engines.iter().flat_map(|engine| engine.forfeits.values()).sum();
    if forfeits > 0 {
        let _ = write!(line, "  forfeits {forfeits}");
    }
    line
}

/// The full report.
pub fn report(results: &MatchResults) -> String {
    let mut text = general(results);
    for pairing in &results.pairings {
        text += &pairing_report(results, pairing);
    }
    if let (Some(sprt), Some(pairing)) = (&results.sprt, results.pairings.first()) {
        text += &sprt_report(sprt, pairing);
    }
    text.push('\n');
    text += &engine_table(results);
    text.extend(results.engines.iter().map(clock));
    text.extend(results.engines.iter().map(forfeits));
    text
}

fn general(results: &MatchResults) -> String {
    let games = results.games();
    let mut text = format!("Games {games}");
    if games > 0 {
        let black = 100.0 * results.colors.points() / games as f64;
        let length = results.plies as f64 / games as f64;
        let Wdl { wins, draws, losses } = results.colors;
        let _ = write!(text, ", mean length {length:.1} moves");
        let _ = write!(text, "; Black {black:.1} % (Black {wins}, White {losses}, drawn {draws})");
    }
    text.push('\n');
    let end_reasons: Vec<String> =
        results.end_reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !end_reasons.is_empty() {
        let _ = writeln!(text, "Endings: {}", end_reasons.join(", "));
    }
    text
}

fn pairing_report(results: &MatchResults, pairing: &PairingResults) -> String {
    let total = pairing.total();
    let mut text = format!("\n{}: {}", title(results, pairing), wdl(total));
    if total.games() > 0 {
        let share = 100.0 * total.points() / total.games() as f64;
        let _ = write!(text, ", score {share:.2} %");
    }
    text.push('\n');
    let (pairs, games) = estimates(pairing);
    if let Some(estimate) = pairs {
        let [a, b, c, d, e] = pairing.pairs.0;
        let _ = writeln!(text, "  Elo by pairs  {}", strength(estimate));
        let _ = writeln!(text, "  pairs 0 to 2  {a}, {b}, {c}, {d}, {e}");
    }
    if let Some(estimate) = games {
        let _ = writeln!(text, "  Elo by games  {}", strength(estimate));
        let [black, white] = Color::ALL.map(|color| wdl(pairing.by_color[color]));
        let _ = writeln!(text, "  as Black {black}; as White {white}");
    }
    text
}

fn sprt_report(sprt: &SprtState, pairing: &PairingResults) -> String {
    let (lower, upper) = sprt.test.bounds();
    let llr = sprt.test.llr(pairing.pairs);
    let verdict = match sprt.verdict {
        Some(SprtVerdict::AcceptH1) => "H1 accepted",
        Some(SprtVerdict::AcceptH0) => "H0 accepted",
        None => "undecided",
    };
    let test = sprt.test;
    format!("  SPRT Elo {test}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {verdict}\n")
}

/// The estimates by pairs and by games.
fn estimates(pairing: &PairingResults) -> (Option<ScoreEstimate>, Option<ScoreEstimate>) {
    (pairing.pairs.estimate(), pairing.total().estimate())
}

fn title(results: &MatchResults, pairing: &PairingResults) -> String {
    let name = |engine: usize| results.engines[engine].name.as_str();
    format!("{} - {}", name(pairing.first), name(pairing.second))
}

fn wdl(count: Wdl) -> String {
    format!("+{} -{} ={}", count.wins, count.losses, count.draws)
}

fn points(count: Wdl) -> String {
    format!("{}/{}", count.points(), count.games())
}

/// Elo with half the width of its 95 % interval, or the interval if it is infinite. If all results are
/// equal, no error can be estimated.
fn elo(estimate: ScoreEstimate) -> String {
    let (low, high) = estimate.elo_interval();
    if estimate.error == 0.0 {
        format!("{:+.1} (no spread)", estimate.elo())
    } else if low.is_finite() && high.is_finite() {
        format!("{:+.1} +- {:.1}", estimate.elo(), estimate.elo_margin())
    } else {
        format!("{:+.1} ({low:+.1} to {high:+.1})", estimate.elo())
    }
}

/// Elo and the likelihood that the first engine is the stronger one.
fn strength(estimate: ScoreEstimate) -> String {
    match estimate.error {
        0.0 => elo(estimate),
        _ => format!("{}, LOS {:.1} %", elo(estimate), 100.0 * estimate.los()),
    }
}

/// A table with aligned columns, the first one to the left.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = match i {
                0 => write!(text, "{cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}

fn engine_table(results: &MatchResults) -> String {
    let header = ["engine", "points", "ms/move", "over ms", "depth", "nps", "ponder hits"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(results.engines.iter().map(engine_row));
    table(&rows)
}

fn engine_row(engine: &EngineResults) -> Vec<String> {
    let stats: &EngineSearchStats = &engine.stats;
    let shown = |value: Option<f64>, digits: usize| {
        value.map_or("-".into(), |value| format!("{value:.digits$}"))
    };
    vec![
        engine.name.clone(),
        points(engine.total),
        shown(stats.mean_time_ms(), 1),
        stats.excess_ms.to_string(),
        shown(stats.mean_depth(), 2),
        shown(stats.nodes_per_second(), 0),
        stats.ponder_hit_rate().map_or("-".into(), |rate| format!("{:.1} %", 100.0 * rate)),
    ]
}

fn clock(engine: &EngineResults) -> String {
    let EngineResults { name, clock_games, clock_shares, .. } = engine;
    if *clock_games == 0 {
        return String::new();
    }
    let share = 100.0 * clock_shares / *clock_games as f64;
    format!("{name} had used {share:.1} % of its time at the end of a game\n")
}

fn forfeits(engine: &EngineResults) -> String {
    let mut words: Vec<String> =
        engine.forfeits.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if engine.late_faults > 0 {
        words.push(format!("faults after the end {}", engine.late_faults));
    }
    if words.is_empty() {
        return String::new();
    }
    format!("{} forfeited: {}\n", engine.name, words.join(", "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::elo::Pentanomial;
    use super::super::match_file::tests::line;
    use super::super::sprt::Sprt;
    use super::super::time_control::TimeControl;
    use super::*;
    use crate::tools::referee::{GameEndReason, GameOutcome};

    fn results() -> MatchResults {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let mut results = MatchResults::new(&["new", "old"], &[(0, 1)], Some(sprt));
        let (black, white) = (GameOutcome::Win(Color::Black), GameOutcome::Win(Color::White));
        for pair in 0..10 {
            let second = if pair % 3 == 0 { GameOutcome::Draw } else { white };
            results.add(&line(2 * pair, ["new", "old"], black));
            results.add(&line(2 * pair + 1, ["old", "new"], second));
            results.add(&line(100 + 2 * pair, ["new", "old"], white));
            results.add(&line(101 + 2 * pair, ["old", "new"], second));
        }
        results
    }

    #[test]
    fn the_status_is_one_line_with_the_score_the_elo_and_the_test() {
        let status = status(&results(), 400);
        assert!(status.starts_with("40/400  new - old +22 -10 =8  Elo +107.5 +- "), "{status}");
        assert!(status.contains("  LLR ") && status.ends_with("(-2.94, 2.94)"), "{status}");
        assert!(!status.contains('\n'));
    }

    #[test]
    fn the_report_names_every_figure() {
        let (time, increment) = (Duration::from_secs(1), Duration::from_millis(50));
        let fischer = TimeControl { time, increment, ..TimeControl::default() };
        let mut results = results().with_time_controls([fischer]);
        let mut lost = line(300, ["old", "new"], GameOutcome::Win(Color::White));
        lost.end.reason = GameEndReason::TimeLoss;
        lost.stats[Color::White] = "10,1000,10,125,500000,1000,0,4,3".parse().unwrap();
        results.add(&lost);
        let report = report(&results);
        for expected in [
            "Games 41, mean length 2.0 moves; Black 34.1 % (Black 10, White 23, drawn 8)\n",
            "Endings: resign 40, time_loss 1\n",
            "\nnew - old: +23 -10 =8, score 65.85 %\n",
            "\n  pairs 0 to 2  0, 4, 6, 4, 6\n",
            "\n  as Black +10 -10 =0; as White +13 -0 =8\n",
            "  SPRT Elo [0, 10] alpha 0.05 beta 0.05: LLR ",
            "\nengine  points  ms/move  over ms  depth     nps  ponder hits\n",
            "\nnew      27/41    100.0        0  12.50  500000       75.0 %\n",
            "\nnew had used 66.7 % of its time at the end of a game\n",
            "\nold forfeited: time_loss 1\n",
        ] {
            assert!(report.contains(expected), "{expected:?} is missing in\n{report}");
        }
        assert!(report.is_ascii());
    }

    #[test]
    fn a_match_without_a_game_has_a_report_too() {
        let results = MatchResults::new(&["a", "b", "c"], &[(0, 1), (0, 2)], None);
        assert_eq!(status(&results, 8), "0/8  a 0/0  b 0/0  c 0/0");
        let report = report(&results);
        assert!(report.contains("a - c: +0 -0 =0\n"), "{report}");
    }

    /// Regression: the report of a match that earlier pairs had decided left them out.
    #[test]
    fn earlier_pairs_are_reported_without_a_game_too() {
        let results = MatchResults::new(&["a", "b"], &[(0, 1)], None);
        let text = report(&results.with_earlier_pairs(Pentanomial([20, 100, 200, 260, 120])));
        assert!(text.contains("\na - b: +0 -0 =0\n  Elo by pairs  +91"), "{text}");
        assert!(text.contains("\n  pairs 0 to 2  20, 100, 200, 260, 120\n"), "{text}");
    }

    #[test]
    fn identical_results_have_no_error_estimate() {
        let mut results = MatchResults::new(&["a", "b"], &[(0, 1)], None);
        results.add(&line(0, ["a", "b"], GameOutcome::Win(Color::Black)));
        let text = report(&results);
        assert!(text.contains("  Elo by games  +inf (no spread)\n"), "{text}");
        results.add(&line(1, ["b", "a"], GameOutcome::Win(Color::Black)));
        let text = report(&results);
        assert!(text.contains("  Elo by pairs  +0.0 (no spread)\n"), "{text}");
        assert!(text.contains("  Elo by games  +0.0 (-inf to +inf), LOS 50.0 %\n"), "{text}");
    }
}
