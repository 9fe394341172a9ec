//! Statistics of an engine's searches, of a game or of a match.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use bytemuck::{Pod, Zeroable};

use super::match_player::SearchAnswer;
use crate::tools::numbers::parse_numbers;

/// Sums over searches. Nodes of ponder searches are left out, because their time is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct EngineSearchStats {
    pub searches: u64,
    pub time_ms: u64,
    /// Number of searches that reported a depth, and the sum of their last depths.
    pub depths: u64,
    pub depth_sum: u64,
    pub nodes: u64,
    /// The time of the searches with known nodes.
    pub nodes_ms: u64,
    /// The largest excess over the time of the clock, without the margin.
    pub excess_ms: u64,
    pub ponder_searches: u64,
    pub ponder_hits: u64,
}

impl EngineSearchStats {
    /// Adds a normal search.
    pub fn add_search(&mut self, answer: &SearchAnswer) {
        self.add_time_and_depth(answer);
        if let Some(nodes) = answer.info.nodes {
            // Engines print any number.
            self.nodes = self.nodes.saturating_add(nodes);
            self.nodes_ms += rounded_ms(answer.elapsed);
        }
    }

    /// Adds a search after a ponder hit.
    pub fn add_ponder_hit(&mut self, answer: &SearchAnswer) {
        self.add_time_and_depth(answer);
        self.ponder_hits += 1;
    }

    fn add_time_and_depth(&mut self, answer: &SearchAnswer) {
        self.searches += 1;
        self.time_ms += rounded_ms(answer.elapsed);
        if let Some(depth) = answer.info.depth {
            self.depths += 1;
            self.depth_sum += u64::from(depth);
        }
    }

    /// Adds the excess time of a move.
    pub fn record_excess(&mut self, excess: Duration) {
        let ms = excess.as_micros().div_ceil(1000) as u64;
        self.excess_ms = self.excess_ms.max(ms);
    }

    pub fn mean_depth(&self) -> Option<f64> {
        ratio(self.depth_sum, self.depths)
    }

    pub fn mean_time_ms(&self) -> Option<f64> {
        ratio(self.time_ms, self.searches)
    }

    pub fn nodes_per_second(&self) -> Option<f64> {
        ratio(self.nodes, self.nodes_ms).map(|per_ms| per_ms * 1000.0)
    }

    pub fn ponder_hit_rate(&self) -> Option<f64> {
        ratio(self.ponder_hits, self.ponder_searches)
    }

    /// The fields in the order of their declaration.
    fn fields(self) -> StatsFields {
        bytemuck::cast(self)
    }
}

type StatsFields = [u64; 9];

impl std::ops::AddAssign for EngineSearchStats {
    /// Adds the sums and takes the maximum of the excess.
    fn add_assign(&mut self, other: EngineSearchStats) {
        let excess_ms = self.excess_ms.max(other.excess_ms);
        let (fields, others) = (self.fields(), other.fields());
        let sums: StatsFields = std::array::from_fn(|i| fields[i].saturating_add(others[i]));
        *self = EngineSearchStats { excess_ms, ..bytemuck::cast(sums) };
    }
}

impl fmt::Display for EngineSearchStats {
    /// The fields in the order of their declaration, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, field) in self.fields().into_iter().enumerate() {
            write!(f, "{}{field}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// The text is not nine numbers separated by commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStatsError;

impl FromStr for EngineSearchStats {
    type Err = SearchStatsError;

    fn from_str(text: &str) -> Result<EngineSearchStats, SearchStatsError> {
        let fields: Option<StatsFields> = parse_numbers(text, u64::MAX);
        fields.map(bytemuck::cast).ok_or(SearchStatsError)
    }
}

fn rounded_ms(time: Duration) -> u64 {
    (time.as_micros() as u64 + 500) / 1000
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi_client::SearchInfo;

    fn answer(ms: u64, depth: Option<u32>, nodes: Option<u64>) -> SearchAnswer {
        let info = SearchInfo { depth, nodes, ..SearchInfo::default() };
        SearchAnswer { elapsed: Duration::from_millis(ms), info, ..SearchAnswer::default() }
    }

    #[test]
    fn means_count_only_the_searches_that_report() {
        let mut stats = EngineSearchStats::default();
        stats.add_search(&answer(100, Some(10), Some(50_000)));
        stats.add_search(&answer(0, None, None));
        stats.add_search(&answer(100, Some(13), Some(70_000)));
        stats.add_ponder_hit(&answer(40, Some(13), Some(1_000_000)));
        assert_eq!(stats.mean_depth(), Some(12.0));
        assert_eq!(stats.mean_time_ms(), Some(60.0));
        assert_eq!(stats.nodes_per_second(), Some(600_000.0));
        assert_eq!(EngineSearchStats::default().mean_depth(), None);
    }

    #[test]
    fn sums_add_up_and_the_worst_excess_stays() {
        let mut sum = EngineSearchStats::default();
        let mut one = EngineSearchStats::default();
        one.add_search(&answer(7, Some(3), None));
        one.record_excess(Duration::from_micros(2500));
        sum += one;
        one.record_excess(Duration::from_micros(900));
        sum += one;
        assert_eq!((sum.searches, sum.time_ms, sum.excess_ms), (2, 14, 3));
        let mut all: EngineSearchStats = "1,2,3,4,5,6,7,8,9".parse().unwrap();
        all += all;
        assert_eq!(all.to_string(), "2,4,6,8,10,12,7,16,18");
    }

    /// Regression: the sum overflowed.
    #[test]
    fn absurd_numbers_of_nodes_do_not_overflow() {
        let mut stats = EngineSearchStats::default();
        (0..2).for_each(|_| stats.add_search(&answer(1, None, Some(u64::MAX))));
        stats += stats;
        assert_eq!((stats.nodes, stats.nodes_ms), (u64::MAX, 4));
    }

    #[test]
    fn search_stats_are_read_back_from_their_text() {
        let text = "1,2,3,4,5,6,7,8,9";
        assert_eq!(text.parse::<EngineSearchStats>().unwrap().to_string(), text);
        for bad in ["", "1,2,3", "1,2,3,4,5,6,7,8,9,10", "1,2,3,4,5,6,7,8,x"] {
            assert_eq!(bad.parse::<EngineSearchStats>(), Err(SearchStatsError), "{bad}");
        }
    }
}
