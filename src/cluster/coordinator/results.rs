//! The answers of the workers, votes, and workers that fail.

use std::time::{Duration, Instant};

use super::Coordinator;
use crate::cluster::action::ClusterAction;
use crate::cluster::go_task::GoTask;
use crate::cluster::options::OwnTurnMode;
use crate::cluster::vote::{Vote, decide};
use crate::cluster::worker::{ClusterWorker, WorkerLine};
use crate::cluster::worker_search::{SearchPurpose, WorkerSearch};
use crate::usi_client::{BestMove, error_text, possible_answers};

/// Maximum time after the leader's vote for further votes, in addition to the latency.
const VOTE_TIMEOUT: Duration = Duration::from_millis(200);

impl Coordinator {
    /// Reads a line of a worker.
    pub(in crate::cluster) fn read_worker(&mut self, id: usize, line: &str, now: Instant) {
        let read = self.workers[id].read_line(line, &self.options, now, &mut self.out);
        match read {
            WorkerLine::Nothing => {}
            WorkerLine::Info => self.forward_info(id, line),
            WorkerLine::Entries(entries) => self.share_entries(id, &entries),
            WorkerLine::Other => self.forward_free_text(id, line),
            WorkerLine::UnexpectedAnswer => {
                let title = self.workers[id].title();
                self.forward_line(&format!(
                    "info string {title}: unexpected answer ignored: {line}"
                ));
            }
            WorkerLine::Changed => {
                self.options.set_declared(&self.workers[id].declared);
                self.answer_usi();
                if self.prepared && !self.workers[id].has_isready() {
                    self.workers[id].prepare(&self.options, now, &mut self.out);
                }
                self.send_readyok_if_due();
                self.advance(now);
            }
            WorkerLine::Answer(search, line) => {
                self.answered(id, *search, &line, now);
                self.workers[id].flush(&self.options, now, &mut self.out);
                self.advance(now);
            }
        }
    }

    /// The process of a worker has ended, or could not be started.
    pub(in crate::cluster) fn worker_ended(&mut self, id: usize, why: &str, now: Instant) {
        self.restart_worker(id, why, now);
        self.answer_usi();
        self.send_readyok_if_due();
        self.advance(now);
    }

    /// Forwards an `info` line to the GUI, if it belongs to the current `go` or answers a command.
    fn forward_info(&mut self, id: usize, line: &str) {
        if self.workers[id].is_answering_command() && line.starts_with("info string ") {
            return self.forward_line(line);
        }
        if !self.workers[id].is_searching() {
            return self.forward_idle_info(id, line);
        }
        let search = self.workers[id].running();
        let Some(task) = self.tasks.front_mut() else { return };
        if task.worker != Some(id) || search.is_none_or(|search| search.task != task.id) {
            return;
        }
        task.best = search.and_then(WorkerSearch::best).or(task.best);
        self.forward_line(line);
    }

    /// Sends entries of a worker's transposition table to the others that exchange them.
    fn share_entries(&mut self, from: usize, entries: &str) {
        if self.options.own_turn != OwnTurnMode::Shared {
            return;
        }
        for (id, worker) in self.workers.iter().enumerate() {
            if id != from && worker.exchanges_with(&self.workers[from]) {
                let line = format!("entries {entries}").into_bytes();
                self.out.push(ClusterAction::SendEntries(id, line));
            }
        }
    }

    /// Forwards a line that is not part of the protocol: unchanged if a user may have asked for it, else as a
    /// message, because a GUI may misread it, and only if it is of the worker whose output is forwarded.
    fn forward_free_text(&mut self, id: usize, line: &str) {
        if self.commanded == Some(id) || self.workers[id].is_answering_command() {
            self.forward_line(line);
        } else if id == self.output_worker() {
            self.forward_line(&format!("info string {}: {line}", self.workers[id].title()));
        }
    }

    /// Forwards an `info` line of a worker that is not searching, for example on loading. During a search by
    /// others only errors are forwarded.
    fn forward_idle_info(&mut self, id: usize, line: &str) {
        if id == self.leader && self.tasks.is_empty() {
            self.forward_line(line);
        } else if let Some(error) = error_text(line) {
            self.message(format!("{}: {error}", self.workers[id].title()));
        }
    }

    /// Handles answers that came early.
    pub(super) fn handle_early_answers(&mut self, now: Instant) {
        while let Some((id, search, line)) = self.early.pop() {
            self.answered(id, *search, &line, now);
            self.workers[id].flush(&self.options, now, &mut self.out);
            self.advance(now);
        }
    }

    /// A worker has answered a search.
    fn answered(&mut self, id: usize, search: WorkerSearch, line: &str, now: Instant) {
        if !search.wanted {
            return self.workers[id].reset_failures();
        }
        let Some(task) = self.tasks.front_mut().filter(|task| task.id == search.task) else {
            return;
        };
        if search.purpose == SearchPurpose::Rank {
            task.replies = Some(search.ranked_replies());
            return self.workers[id].reset_failures();
        }
        if task.go.limits.mate.is_some() {
            return self.mate_search_answered(id, line, now);
        }
        match self.legal_answer(id, &search, line) {
            Some(answer) => {
                self.workers[id].reset_failures();
                self.accept(id, &search, answer, now);
            }
            None => self.restart_worker(id, &format!("no legal answer: {line}"), now),
        }
    }

    /// The answer of a worker, or else the best move of its PVs. A worker is not restarted because of the
    /// form of its answer: that would cost its search, and the next answer may look the same.
    fn legal_answer(&mut self, id: usize, search: &WorkerSearch, line: &str) -> Option<BestMove> {
        let rule = self.settings.entering_king;
        let is_legal = |answer: &BestMove| search.game.is_legal(*answer, rule);
        possible_answers(line).find(is_legal).or_else(|| {
            let shown = search.best().filter(is_legal)?;
            let title = self.workers[id].title();
            self.message(format!(
                "{title}: no legal answer: {line}; playing the best move of its PV"
            ));
            Some(shown)
        })
    }

    /// A worker has answered `go mate`.
    fn mate_search_answered(&mut self, id: usize, line: &str, now: Instant) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !matches!(words[..], ["checkmate", _, ..]) {
            return self.restart_worker(id, &format!("no answer to go mate: {line}"), now);
        }
        self.workers[id].reset_failures();
        self.output(words.join(" "));
        self.tasks.pop_front();
    }

    /// Accepts a legal answer, as the answer to the `go` or as a vote.
    fn accept(&mut self, id: usize, search: &WorkerSearch, answer: BestMove, now: Instant) {
        let Some(task) = self.tasks.front_mut() else { return };
        let votes =
            self.options.own_turn != OwnTurnMode::None && search.purpose == SearchPurpose::OwnTurn;
        if !votes || !task.go.is_play() {
            if task.worker != Some(id) {
                return;
            }
            if search.purpose == SearchPurpose::OwnTurn {
                self.leader = id;
            }
            let answer = match answer {
                // As `engine::answer_check` does.
                BestMove::DeclareWin if task.go.limits.ponder => task.fallback(),
                answer => answer,
            };
            let line = task.game.bestmove_line(answer);
            self.output(line);
            self.tasks.pop_front();
            return;
        }
        let score = search.info.score.map(|score| score.centipawns());
        let depth = search.info.depth.unwrap_or(1);
        let vote = Vote { answer, score, depth, line: search.last_line.clone() };
        if task.worker != Some(id) {
            task.votes.push(vote);
        } else {
            task.votes.insert(0, vote);
            let latency = self.workers.iter().map(ClusterWorker::latency).max().unwrap_or_default();
            task.decide_by = Some(now + VOTE_TIMEOUT + latency);
            self.leader = id;
            let task = task.id;
            self.stop_workers(task, now);
        }
        self.count_votes(now);
    }

    /// Decides when all have voted, or the time for votes is over.
    fn count_votes(&mut self, now: Instant) {
        let Some(task) = self.tasks.front() else { return };
        let late = task.decide_by.is_some_and(|by| by <= now);
        let votes = |search: &WorkerSearch| search.task == task.id;
        let waiting = self.workers.iter().any(|worker| worker.needed_search().is_some_and(votes));
        if task.votes.is_empty() || waiting && !late {
            return;
        }
        let Some(vote) = decide(&task.votes, self.options.own_turn).cloned() else { return };
        let answer = task.game.bestmove_line(vote.answer);
        if !vote.line.is_empty() {
            self.output(vote.line);
        }
        self.output(answer);
        self.tasks.pop_front();
        self.end_ponder_after_miss(now);
    }

    /// Answers a `go` by the best known move, because no worker has answered.
    pub(super) fn answer_by_fallback(&mut self, task: &GoTask) {
        if task.go.limits.mate.is_some() {
            return self.output("checkmate timeout");
        }
        if !task.go.limits.ponder {
            let known =
                if task.best.is_some() { "the best move known" } else { "a move without a search" };
            self.message(format!("no worker has answered in time; playing {known}"));
        }
        let line = task.game.bestmove_line(task.fallback());
        self.output(line);
    }

    /// Answers every `go` by the best known move.
    pub(super) fn answer_all_by_fallback(&mut self) {
        for task in std::mem::take(&mut self.tasks) {
            if task.position_unknown {
                self.answer_unknown_position(&task);
            } else {
                self.answer_by_fallback(&task);
            }
        }
    }

    /// Answers a `go` whose position is unknown.
    pub(super) fn answer_unknown_position(&mut self, task: &GoTask) {
        self.output(if task.go.limits.mate.is_some() {
            "checkmate timeout"
        } else {
            "bestmove resign"
        });
    }

    /// Cancels the searches for this `go`. Other workers may continue to ponder.
    fn release(&mut self, task: &GoTask, now: Instant) {
        for (id, worker) in self.workers.iter_mut().enumerate() {
            let answers = |search: &WorkerSearch| {
                search.purpose == SearchPurpose::OwnTurn || task.worker == Some(id)
            };
            if worker
                .needed_search()
                .is_some_and(|search| search.task == task.id && answers(search))
            {
                worker.cancel_and_continue(&self.options, now, &mut self.out);
            }
        }
    }

    /// Restarts a worker that has failed. Others take over its search.
    pub(super) fn restart_worker(&mut self, id: usize, why: &str, now: Instant) {
        let title = self.workers[id].title();
        self.message(format!("{title}: {why}; restarting it"));
        self.workers[id].restart(now, &mut self.out);
        // Starts the worker unless it must pause; nothing else can be due.
        let _ = self.workers[id].check(&self.options, now, &mut self.out);
        if let Some(task) = self.tasks.front_mut().filter(|task| task.worker == Some(id)) {
            task.worker = None;
        }
        self.check_all_failed(&format!("{title}: {why}"), now);
        self.count_votes(now);
    }

    /// Acts on the deadlines of the first `go`.
    pub(super) fn check_task(&mut self, now: Instant) {
        let Some(task) = self.tasks.front() else { return };
        let is_due = |due: Option<Instant>| due.is_some_and(|due| due <= now);
        let latency = task.worker.map_or(Duration::ZERO, |id| self.workers[id].latency());
        if is_due(task.fallback_at(latency)) {
            if task.votes.is_empty() {
                let Some(task) = self.tasks.pop_front() else { return };
                self.answer_by_fallback(&task);
                return self.release(&task, now);
            }
            self.tasks[0].decide_by = Some(now);
        }
        if is_due(self.tasks[0].decide_by) {
            return self.count_votes(now);
        }
        if is_due(self.tasks[0].stop_at(latency)) {
            self.tasks[0].time_is_over = true;
            let id = self.tasks[0].id;
            self.stop_workers(id, now);
            self.handle_early_answers(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, TestCluster};

    /// Regression: a game could be played with the wrong network without any message.
    #[test]
    fn an_error_of_a_worker_that_gets_ready_during_a_search_is_shown() {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        cluster.ends(1);
        cluster.finish_handshake(1, 0);
        assert!(cluster.sent_to(1).ends_with("isready"));
        cluster.worker(1, "info string error: there is no file \"nn.bin\"");
        cluster.worker(1, "info string going on with another");
        let message = cluster.messages.last().unwrap();
        assert!(
            message.starts_with("worker 2") && message.ends_with("no file \"nn.bin\""),
            "{message}"
        );
        assert!(cluster.output().is_empty());
        // The same if the workers get ready because of the `go`.
        let mut cluster = TestCluster::new(&[true]);
        cluster.finish_handshake(0, 0);
        cluster.gui("go infinite");
        cluster.worker(0, "info string error: there is no file \"nn.bin\"");
        assert!(cluster.messages.iter().any(|text| text.ends_with("no file \"nn.bin\"")));
    }

    /// Regression: only errors in Kawasemi's format were recognised.
    #[test]
    fn errors_of_other_engines_are_shown_too() {
        let mut cluster = TestCluster::playing_with(2, "Another");
        cluster.worker(1, "info string Error! : there is no nn.bin");
        let message = cluster.messages.last().unwrap();
        assert!(
            message.starts_with("worker 2") && message.ends_with(": Error! : there is no nn.bin")
        );
    }

    /// Regression: the worker was killed and restarted.
    #[test]
    fn an_answer_that_comes_twice_is_ignored_with_a_message() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos");
        cluster.gui("go nodes 9");
        cluster.worker(0, "bestmove 7g7f");
        assert_eq!(cluster.output(), ["bestmove 7g7f"]);
        cluster.worker(0, "bestmove 7g7f");
        let output = cluster.output();
        assert!(output[0].ends_with(": unexpected answer ignored: bestmove 7g7f"), "{output:?}");
        cluster.gui("go nodes 9");
        cluster.worker(0, "bestmove 2g2f");
        assert_eq!(cluster.output(), ["bestmove 2g2f"]);
    }

    /// Regression: such a line reached the GUI unchanged.
    #[test]
    fn a_line_outside_the_protocol_is_a_message_unless_a_person_has_asked_for_it() {
        let mut cluster = TestCluster::playing(1);
        let lines_of_worker = |cluster: &mut TestCluster| {
            cluster.worker(0, "board: 42");
            cluster.output()
        };
        let output = lines_of_worker(&mut cluster);
        assert!(output[0].starts_with("info string worker 1"), "{output:?}");
        assert!(output[0].ends_with(": board: 42"), "{output:?}");
        cluster.gui("d");
        assert_eq!(lines_of_worker(&mut cluster), ["board: 42"]);
        cluster.worker(0, "usiok");
        cluster.gui("go infinite");
        let output = lines_of_worker(&mut cluster);
        assert!(output[0].starts_with("info string worker 1"), "{output:?}");
    }

    #[test]
    fn info_of_a_cancelled_search_is_not_forwarded() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos");
        cluster.gui("go infinite");
        cluster.gui("stop");
        cluster.after(1100);
        let output = cluster.output();
        assert!(output.len() == 1 && output[0].starts_with("bestmove "), "{output:?}");
        cluster.worker(0, "info depth 9 score cp 1 pv 2g2f");
        assert!(cluster.output().is_empty());
    }

    /// Regression: the worker was killed and restarted, and its search was lost.
    #[test]
    fn unusual_forms_of_bestmove_are_read() {
        for (answer, played) in [
            ("bestmove 7g7f ponder", "bestmove 7g7f"),
            ("bestmove 7g7f 3c3d", "bestmove 7g7f"),
            ("bestmove 3c3d 7g7f ponder 8c8d", "bestmove 7g7f ponder 8c8d"),
            ("bestmove pass", "bestmove 2g2f ponder 3c3d"),
            ("bestmove 0000", "bestmove 2g2f ponder 3c3d"),
            ("bestmove win", "bestmove 2g2f ponder 3c3d"),
        ] {
            let mut cluster = TestCluster::playing(1);
            cluster.gui("position startpos");
            cluster.gui(&format!("go {CLOCK}"));
            cluster.worker(0, "info depth 5 score cp 9 pv 2g2f 3c3d");
            cluster.worker(0, answer);
            assert_eq!(cluster.output().last().map(String::as_str), Some(played), "{answer}");
            assert!(cluster.killed.is_empty(), "{answer}");
        }
    }

    /// A position in which Black may declare a win.
    const DECLARABLE: &str = "position sfen GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1";

    /// Regression: after a ponder miss usiToCsa declared a win in another position, and lost the game.
    #[test]
    fn a_win_is_declared_only_on_the_own_turn() {
        for (end, answer) in [("ponderhit", "bestmove win"), ("stop", "bestmove P*1e")] {
            let mut cluster = TestCluster::playing(1);
            cluster.gui(DECLARABLE);
            cluster.gui(&format!("go ponder {CLOCK}"));
            cluster.worker(0, "info depth 5 score cp 9 pv P*1e");
            cluster.gui(end);
            cluster.worker(0, "bestmove win");
            assert_eq!(cluster.output().last().map(String::as_str), Some(answer), "{end}");
        }
    }

    /// Regression: any legal move was played instead.
    #[test]
    fn a_declaration_that_is_replaced_gives_one_of_the_search_moves() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui(DECLARABLE);
        cluster.gui(&format!("go ponder {CLOCK} searchmoves R*1e"));
        cluster.gui("stop");
        cluster.worker(0, "bestmove win");
        assert_eq!(cluster.output().last().map(String::as_str), Some("bestmove R*1e"));
    }

    #[test]
    fn a_worker_without_a_legal_move_is_replaced_by_another() {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        cluster.worker(0, "bestmove pass");
        assert_eq!(cluster.killed, [0]);
        cluster.worker(1, "bestmove 7g7f");
        assert_eq!(cluster.output(), ["bestmove 7g7f"]);
    }

    #[test]
    fn workers_that_share_receive_the_entries_of_the_others() {
        let mut cluster = TestCluster::playing(3);
        cluster.worker(0, "info string entries aa");
        assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), [""; 3]);
        cluster.gui("setoption name MultiPonderOwnTurn value shared");
        let numbers =
            ["1", "2", "3"].map(|number| format!("setoption name ClusterWorker value {number}"));
        assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), numbers);
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        assert!((0..3).all(|id| cluster.last_sent_to(id).starts_with("go btime 59990 ")));
        cluster.worker(1, "info string entries aa bb");
        assert_eq!([0, 1, 2].map(|id| cluster.sent_to(id)), ["entries aa bb", "", "entries aa bb"]);
        assert!(cluster.output().is_empty(), "a GUI does not see them");
        cluster.ends(2);
        cluster.worker(0, "info string entries cc");
        assert_eq!([0, 1].map(|id| cluster.sent_to(id)), ["", "entries cc"]);
        assert_eq!(cluster.sent_to(2), "usi", "it is not ready");
        cluster.finish_handshake(2, 0);
        let options = cluster.sent_to(2);
        assert!(options.contains("; setoption name ClusterWorker value 3; isready"), "{options}");
        cluster.gui("setoption name MultiPonderOwnTurn value majority");
        cluster.worker(0, "bestmove 7g7f");
        cluster.worker(1, "bestmove 7g7f");
        assert!(cluster.sent_to(1).ends_with("setoption name ClusterWorker value 0"));
    }

    /// Regression: the vote undid the errors of a level.
    #[test]
    fn at_a_level_one_worker_chooses_the_move() {
        let mut cluster = TestCluster::playing(3);
        cluster.gui("setoption name USI_LimitStrength value true");
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        let searching = (0..3).filter(|&id| cluster.last_sent_to(id).starts_with("go "));
        assert_eq!(searching.count(), 1);
    }

    #[test]
    fn entries_go_only_to_workers_of_the_same_version() {
        let mut cluster = TestCluster::playing(2);
        cluster.gui("setoption name MultiPonderOwnTurn value shared");
        cluster.worker(1, "id name Kawasemi other");
        _ = cluster.sent_to(1);
        cluster.worker(0, "info string entries aa");
        assert_eq!(cluster.sent_to(1), "");
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        assert_eq!(cluster.sent_to(1), "", "nor do they vote");
        cluster.worker(0, "bestmove 7g7f");
        assert_eq!(cluster.output().last().unwrap(), "bestmove 7g7f");
    }
}
