//! The header of a game record.

use chrono::Local;

use super::clock::TimeRule;
use super::game_summary::GameSummary;
use crate::record::{GameCursor, HeaderKey, TimeLimit};
use crate::types::Color;

/// Dates in the CSA format.
const DATE: &str = "%Y/%m/%d %H:%M:%S";

/// Adds the data known before the game begins.
pub(super) fn write(cursor: &mut GameCursor, summary: &GameSummary) {
    let headers = cursor.headers_mut();
    headers.add(HeaderKey::Black, summary.names[Color::Black].as_str());
    headers.add(HeaderKey::White, summary.names[Color::White].as_str());
    if !summary.id.is_empty() {
        headers.add(HeaderKey::Event, summary.id.as_str());
    }
    headers.add(HeaderKey::Start, Local::now().format(DATE).to_string());
    let [black, white] = &summary.times.0;
    if black == white {
        headers.add(HeaderKey::TimeLimit, limit(black));
    } else {
        headers.add(HeaderKey::BlackTimeLimit, limit(black));
        headers.add(HeaderKey::WhiteTimeLimit, limit(white));
    }
    if let Some(moves) = summary.max_moves {
        headers.add(HeaderKey::MaxMoves, moves.to_string());
    }
}

/// Adds the end time.
pub(super) fn close(cursor: &mut GameCursor) {
    cursor.headers_mut().add(HeaderKey::End, Local::now().format(DATE).to_string());
}

fn limit(rule: &TimeRule) -> String {
    let total = rule.total.as_secs_f64();
    let byoyomi = (rule.byoyomi + rule.delay).as_secs_f64();
    TimeLimit { total, byoyomi, increment: rule.increment.as_secs_f64() }.to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn time_limits_are_written_in_the_form_of_records() {
        let s = Duration::from_secs;
        let rule = TimeRule { total: s(5400), byoyomi: s(9), ..TimeRule::default() };
        assert_eq!(limit(&rule), "01:30+09");
        let rule = TimeRule { total: s(300), increment: s(10), ..TimeRule::default() };
        assert_eq!(limit(&rule), "300+0+10");
        let rule = TimeRule { byoyomi: Duration::from_millis(500), ..TimeRule::default() };
        assert_eq!(limit(&rule), "0+0.5+0");
    }
}
