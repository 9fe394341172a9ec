//! The output of an engine, sorted: answers with the time of their arrival, and reports of a search.
//!
//! `info` lines are folded into one [`SearchInfo`], and other unknown lines are dropped, so memory
//! stays bounded.

use std::time::Instant;

use crossbeam::channel::Sender;

use super::info::SearchInfo;

/// Capacity of the queue of answers, in lines.
pub(super) const ANSWER_QUEUE: usize = 4096;

/// A line that answers a command, such as `bestmove` or `readyok`.
#[derive(Debug)]
pub struct EngineLine {
    pub line: String,
    pub received: Instant,
    /// With `bestmove`, `checkmate` and `readyok`: the contents of the `info` lines since the last of them. Empty
    /// with other lines.
    pub info: SearchInfo,
}

/// The reports of an engine in `info` lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineReport {
    /// The latest results of the current search.
    Search(SearchInfo),
    /// The text of an `info string`.
    Message(String),
}

/// Sorts the lines of an engine into two channels.
#[derive(Debug)]
pub(super) struct OutputSorter {
    lines: Sender<EngineLine>,
    reports: Option<Sender<EngineReport>>,
    info: SearchInfo,
}

impl OutputSorter {
    pub(super) fn new(
        lines: Sender<EngineLine>,
        reports: Option<Sender<EngineReport>>,
    ) -> OutputSorter {
        OutputSorter { lines, reports, info: SearchInfo::default() }
    }

    pub(super) fn take(&mut self, line: &str) {
        let received = Instant::now();
        let info = match line.split_whitespace().next() {
            Some("info") => {
                self.info.update(line);
                self.report(line);
                return;
            }
            Some("bestmove" | "checkmate" | "readyok") => std::mem::take(&mut self.info),
            Some("option" | "usiok") => SearchInfo::default(),
            _ => return,
        };
        // An engine that fills the queue is faulty, and the lines in the queue already show it.
        let _ = self.lines.try_send(EngineLine { line: line.trim().into(), received, info });
    }

    fn report(&self, line: &str) {
        let Some(reports) = &self.reports else { return };
        let report = match line.trim().strip_prefix("info string ") {
            Some(text) => EngineReport::Message(text.into()),
            None => EngineReport::Search(self.info.clone()),
        };
        // A slow reader misses some reports; the last results also come with `bestmove`.
        let _ = reports.try_send(report);
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::{bounded, unbounded};

    use super::*;

    fn sorted(text: &str) -> (Vec<EngineLine>, Vec<EngineReport>) {
        let (sender, lines) = bounded(ANSWER_QUEUE);
        let (reporter, reports) = unbounded();
        let mut sorter = OutputSorter::new(sender, Some(reporter));
        text.lines().for_each(|line| sorter.take(line));
        drop(sorter);
        (lines.iter().collect(), reports.iter().collect())
    }

    #[test]
    fn unknown_lines_are_dropped_and_bestmove_carries_its_info() {
        let text = "hello\n\nid name x\nusiok\r\ninfo depth 3 nodes 7\ninfo string bestmove\n\
                    bestmove 7g7f\nbestmove 2g2f";
        let (lines, reports) = sorted(text);
        let texts: Vec<&str> = lines.iter().map(|line| line.line.as_str()).collect();
        assert_eq!(texts, ["usiok", "bestmove 7g7f", "bestmove 2g2f"]);
        assert_eq!(lines[1].info.depth, Some(3));
        assert_eq!(lines[2].info, SearchInfo::default());
        let expected =
            [EngineReport::Search(lines[1].info.clone()), EngineReport::Message("bestmove".into())];
        assert_eq!(reports, expected);
    }

    /// Regression: the results of a mate search came with the answer to the next `go`.
    #[test]
    fn checkmate_carries_its_info_too() {
        let (lines, _) = sorted("info depth 3\ncheckmate nomate\ninfo nodes 7\nbestmove 7g7f");
        assert_eq!((lines[0].info.depth, lines[0].info.nodes), (Some(3), None));
        assert_eq!((lines[1].info.depth, lines[1].info.nodes), (None, Some(7)));
    }

    #[test]
    fn the_queue_of_answers_is_bounded() {
        assert_eq!(sorted(&"bestmove 7g7f\n".repeat(ANSWER_QUEUE + 100)).0.len(), ANSWER_QUEUE);
    }
}
