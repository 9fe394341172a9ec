//! Assigns searches to workers: one reply each while pondering; one or all workers on our own turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Coordinator;
use crate::cluster::game_moves::GameMoves;
use crate::cluster::go_limits::GoLimits;
use crate::cluster::go_task::GoTask;
use crate::cluster::options::OwnTurnMode;
use crate::cluster::worker::ClusterWorker;
use crate::cluster::worker_search::{SearchPurpose, WorkerSearch};
use crate::search::request::Limits;
use crate::usi_client::{GoCommand, setoption_line};

impl Coordinator {
    /// The worker whose output is forwarded.
    pub(super) fn output_worker(&self) -> usize {
        self.tasks.front().and_then(|task| task.worker).unwrap_or(self.leader)
    }

    /// Starts the searches that the first `go` needs, as far as workers are free. May be called at any
    /// time.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some(mut task) = self.tasks.pop_front() {
            if task.position_unknown {
                if task.must_wait() {
                    self.tasks.push_front(task);
                    break;
                }
                self.end_ponder_after_miss(now);
                self.answer_unknown_position(&task);
                continue;
            }
            if task.is_pondering() && task.go.is_play() {
                self.ponder(&mut task, now);
            } else {
                self.search(&mut task, now);
            }
            if task.worker.is_none() && task.votes.is_empty() && self.is_unsearchable(&task) {
                self.answer_by_fallback(&task);
            } else {
                self.tasks.push_front(task);
                break;
            }
        }
        self.handle_early_answers(now);
    }

    /// Whether no worker will search for this `go`. While there is time, a restarted worker still may.
    fn is_unsearchable(&self, task: &GoTask) -> bool {
        let may_wait = task.must_wait() || task.fallback_at(Duration::ZERO).is_some();
        let fails = ClusterWorker::keeps_failing;
        task.stopped.is_some() || !may_wait && self.workers.iter().all(fails)
    }

    /// Assigns first the GUI's expected move, then the ranking search, then one reply to each worker.
    fn ponder(&mut self, task: &mut GoTask, now: Instant) {
        self.cancel_others(task, now);
        if task.worker.is_none() {
            let Some(id) = self.choose_worker() else { return };
            let search = WorkerSearch::of_task(SearchPurpose::Ponder, task);
            task.worker = Some(id);
            self.begin(id, search, now);
        }
        if self.workers.len() == 1 || !self.workers.iter().any(ClusterWorker::is_free) {
            return;
        }
        let Some((expected, before)) = task.game.before() else { return };
        while let Some(id) = self.workers.iter().position(ClusterWorker::is_free) {
            let search = match &task.replies {
                None if self.is_ranking(task) => return,
                None => self.ranking_search(task.id, Arc::new(before.clone()), now),
                Some(replies) => {
                    let mut others = replies.iter().filter(|&&reply| reply != expected);
                    let game = others.find_map(|&reply| {
                        let game = before.after(reply).ok()?;
                        (!self.is_pondered(&game)).then_some(game)
                    });
                    let Some(game) = game else { return };
                    WorkerSearch::new(
                        SearchPurpose::Ponder,
                        task.id,
                        Arc::new(game),
                        task.go.clone(),
                    )
                }
            };
            self.begin(id, search, now);
        }
    }

    fn is_ranking(&self, task: &GoTask) -> bool {
        let ranks =
            |search: &WorkerSearch| search.task == task.id && search.purpose == SearchPurpose::Rank;
        self.workers.iter().any(|worker| worker.needed_search().is_some_and(ranks))
    }

    fn is_pondered(&self, game: &GameMoves) -> bool {
        let here = |search: &WorkerSearch| {
            search.purpose == SearchPurpose::Ponder && *search.game == *game
        };
        self.workers.iter().any(|worker| worker.needed_search().is_some_and(here))
    }

    /// A short search for the best replies of the opponent, one for each worker.
    fn ranking_search(&self, task: u64, before: Arc<GameMoves>, now: Instant) -> WorkerSearch {
        let limits = Limits { move_time: Some(self.options.ranking_time), ..Limits::default() };
        let go = GoCommand { move_time: limits.move_time, ..GoCommand::default() };
        let line = go.to_string();
        let mut search = WorkerSearch::new(
            SearchPurpose::Rank,
            task,
            before,
            GoLimits::new(line.as_bytes(), limits, now),
        );
        if let Some(usual) = self.options.value("MultiPV") {
            let lines = self.workers.len().to_string();
            search.set_and_restore = Some((
                setoption_line("MultiPV", lines.as_bytes()),
                setoption_line("MultiPV", usual),
            ));
        }
        search
    }

    /// The worker to search next: the leader if it is ready, else a free one, else any that is ready.
    fn choose_worker(&self) -> Option<usize> {
        let workers = &self.workers;
        let is_ready = |&id: &usize| workers.get(id).is_some_and(ClusterWorker::is_ready);
        let leader = Some(self.leader).filter(is_ready);
        leader
            .or_else(|| workers.iter().position(ClusterWorker::is_free))
            .or_else(|| workers.iter().position(ClusterWorker::is_ready))
    }

    /// Starts the search on one worker, and on those that search with it.
    fn search(&mut self, task: &mut GoTask, now: Instant) {
        if task.worker.is_none() && task.stopped.is_none() && task.votes.is_empty() {
            self.assign_worker(task, now);
        }
        self.cancel_others(task, now);
        let Some(leader) = task.worker else { return };
        if task.stopped.is_some() || !task.go.is_play() || !task.votes.is_empty() {
            return;
        }
        while let Some(id) = self.free_helper(leader) {
            let search = WorkerSearch::of_task(SearchPurpose::OwnTurn, task);
            self.begin(id, search, now);
        }
    }

    /// A free worker that searches with this leader on our own turn. A level errs in each worker alone; a vote
    /// would undo most errors.
    fn free_helper(&self, leader: usize) -> Option<usize> {
        if self.settings.limit_strength {
            return None;
        }
        let joins = |worker: &ClusterWorker| match self.options.own_turn {
            OwnTurnMode::None => false,
            OwnTurnMode::Majority | OwnTurnMode::Optimistic => true,
            OwnTurnMode::Shared => worker.exchanges_with(&self.workers[leader]),
        };
        self.workers.iter().position(|worker| worker.is_free() && joins(worker))
    }

    /// Chooses the worker that is to answer: one that already searches the position, one that ponders on it,
    /// or a free one.
    fn assign_worker(&mut self, task: &mut GoTask, now: Instant) {
        let searching = |worker: &ClusterWorker| {
            worker.needed_search().is_some_and(|search| {
                search.task == task.id && search.purpose == SearchPurpose::OwnTurn
            })
        };
        if let Some(id) = self.workers.iter().position(searching) {
            task.worker = Some(id);
            return;
        }
        let pondering = |worker: &ClusterWorker| {
            worker.running().is_some_and(|search| {
                search.purpose == SearchPurpose::Ponder && *search.game == *task.game
            })
        };
        let pondering = self.workers.iter().position(pondering);
        if let Some(id) = pondering.filter(|_| task.go.has_clocks_only()) {
            task.worker = Some(id);
            let worker = &self.workers[id];
            let side = task.game.position.side_to_move();
            let same = worker.running().is_some_and(|search| search.go.same_clock(&task.go, side));
            // Another engine cannot take a new clock in a search. It starts again, with its table filled.
            if worker.is_kawasemi() || same {
                return self.continue_search(id, task, worker.is_kawasemi(), now);
            }
        }
        if let Some(id) = task.worker.or_else(|| self.choose_worker()) {
            task.worker = Some(id);
            let search = WorkerSearch::of_task(SearchPurpose::OwnTurn, task);
            self.begin(id, search, now);
        }
    }

    /// Turns the ponder search of a worker into the search for this `go`.
    fn continue_search(&mut self, id: usize, task: &mut GoTask, with_clocks: bool, now: Instant) {
        let worker = &mut self.workers[id];
        task.best = worker.running().and_then(WorkerSearch::best);
        let answer = worker.ponder_hit(task.id, &task.go, with_clocks, now, &mut self.out);
        self.early.extend(answer.map(|(search, line)| (id, search, line)));
    }

    /// The GUI's expected move was played: the first `go` is no longer pondering.
    pub(super) fn end_pondering(&mut self, with_clocks: bool, now: Instant) {
        let Some(mut task) = self.tasks.pop_front() else { return };
        if let Some(id) = task.worker {
            let worker = &self.workers[id];
            let is_kawasemi = worker.is_kawasemi();
            let side = task.game.position.side_to_move();
            let is_continuable =
                |search: &WorkerSearch| is_kawasemi || search.go.same_clock(&task.go, side);
            if worker.running().is_some_and(is_continuable) {
                self.continue_search(id, &mut task, with_clocks && is_kawasemi, now);
            } else {
                // A search that has not begun, or cannot take the new clock, is started with it.
                self.workers[id].cancel(now, &mut self.out);
                task.worker = None;
            }
        }
        self.tasks.push_front(task);
    }

    fn begin(&mut self, id: usize, search: WorkerSearch, now: Instant) {
        self.workers[id].begin(search, &self.options, now, &mut self.out);
    }

    /// Cancels the searches that serve another `go`, except those that this one can continue.
    fn cancel_others(&mut self, task: &GoTask, now: Instant) {
        if task.stopped.is_some() {
            return;
        }
        for worker in &mut self.workers {
            let keep = |search: &WorkerSearch| {
                search.task == task.id
                    && (task.is_pondering() || search.purpose == SearchPurpose::OwnTurn)
            };
            if worker.needed_search().is_some_and(|search| !keep(search)) {
                worker.cancel_and_continue(&self.options, now, &mut self.out);
            }
        }
    }

    /// Stops all searches for this `go`, and cancels the ranking search.
    pub(super) fn stop_workers(&mut self, task: u64, now: Instant) {
        let front = self.tasks.front().filter(|front| front.id == task);
        let Some(front) = front else { return };
        let leader = front.worker;
        for id in 0..self.workers.len() {
            let worker = &mut self.workers[id];
            let Some(search) = worker.needed_search().filter(|search| search.task == task) else {
                continue;
            };
            match search.purpose {
                SearchPurpose::Ponder if leader != Some(id) => {}
                SearchPurpose::Rank => {
                    worker.cancel_and_continue(&self.options, now, &mut self.out)
                }
                SearchPurpose::OwnTurn | SearchPurpose::Ponder => {
                    let answer = worker.stop(now, &mut self.out);
                    self.early.extend(answer.map(|(search, line)| (id, search, line)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, TestCluster};

    /// Regression: the analysis was answered at once, without `stop`.
    #[test]
    fn an_analysis_whose_workers_all_fail_waits_for_a_worker_or_for_stop() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos");
        cluster.gui("go infinite");
        for _ in 0..3 {
            cluster.ends(0);
            cluster.after(4000);
        }
        assert!(cluster.output().is_empty());
        cluster.revive(0);
        assert!(cluster.sent_to(0).ends_with("position startpos; go infinite"));
        (0..3).for_each(|_| cluster.ends(0));
        assert!(cluster.output().is_empty());
        cluster.gui("stop");
        let output = cluster.output();
        assert!(output.len() == 1 && output[0].starts_with("bestmove "), "{output:?}");
    }

    /// Regression: the first legal move was played at once, with all the time left.
    #[test]
    fn with_time_left_workers_that_have_all_failed_are_started_again_and_awaited() {
        let mut cluster = TestCluster::playing(1);
        cluster.ends(0);
        cluster.ends(0);
        cluster.after(1100);
        cluster.ends(0);
        let starts = cluster.started.len();
        cluster.gui("position startpos");
        cluster.gui(&format!("go {CLOCK}"));
        assert_eq!(cluster.started.len(), starts + 1, "without a pause");
        cluster.after(5000);
        assert!(cluster.output().is_empty());
        cluster.revive(0);
        cluster.worker(0, "bestmove 2g2f");
        assert_eq!(cluster.output(), ["bestmove 2g2f"]);
    }

    /// Regression: the worker received the zeros, and stopped within a second.
    #[test]
    fn a_ponderhit_with_zero_clocks_keeps_the_other_limits() {
        let mut cluster = TestCluster::playing(1);
        cluster.gui("position startpos moves 7g7f 3c3d");
        cluster.gui("go ponder nodes 5000000");
        assert_eq!(cluster.last_sent_to(0), "go ponder nodes 5000000");
        cluster.gui("ponderhit btime 0 wtime 0");
        assert_eq!(cluster.sent_to(0), "ponderhit");
        for _ in 0..5 {
            cluster.after(900);
            cluster.worker(0, "info nodes 1");
        }
        assert_eq!(cluster.sent_to(0), "");
        cluster.worker(0, "bestmove 2g2f");
        assert_eq!(cluster.output().last().unwrap(), "bestmove 2g2f");
    }

    /// Regression: other engines received clocks after `ponderhit`, which they may ignore.
    #[test]
    fn other_engines_begin_again_at_a_ponderhit_with_another_clock() {
        let mut cluster = TestCluster::playing_with(1, "Another");
        cluster.gui("position startpos moves 7g7f 3c3d");
        cluster.gui("go ponder");
        assert_eq!(cluster.last_sent_to(0), "go ponder");
        cluster.gui(&format!("ponderhit {CLOCK}"));
        assert_eq!(cluster.sent_to(0), "stop");
        cluster.worker(0, "bestmove 2g2f");
        let fresh = "position startpos moves 7g7f 3c3d; go btime 59990 wtime 60000 byoyomi 1000";
        assert_eq!(cluster.sent_to(0), fresh);
        cluster.worker(0, "bestmove 2g2f");
        assert_eq!(cluster.output(), ["bestmove 2g2f"]);
        cluster.gui("position startpos moves 7g7f 3c3d 2g2f 8c8d");
        cluster.gui(&format!("go ponder {CLOCK}"));
        _ = cluster.sent_to(0);
        cluster.gui(&format!("ponderhit {CLOCK}"));
        assert_eq!(cluster.sent_to(0), "ponderhit", "its clock is that of its go ponder");
    }
}
