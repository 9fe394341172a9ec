//! Who searches what: the likely replies while pondering, one search or several on the own turn.

use std::sync::Arc;
use std::time::Instant;

use super::Coordinator;
use crate::cluster::ask::Ask;
use crate::cluster::go::Go;
use crate::cluster::job::{Job, Purpose};
use crate::cluster::options::OwnTurn;
use crate::cluster::worker::Worker;
use crate::search::request::Limits;
use crate::usi_client::setoption_line;

impl Coordinator {
    /// The worker whose words are heard outside.
    pub(super) fn speaker(&self) -> usize {
        self.asks.front().and_then(|ask| ask.worker).unwrap_or(self.lead)
    }

    /// Gives the workers what the first `go` needs, as far as they can take it. May be called at any
    /// time.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some(mut ask) = self.asks.pop_front() {
            if ask.is_forfeit {
                if ask.must_wait() {
                    self.asks.push_front(ask);
                    break;
                }
                self.rest(now);
                self.forfeit(&ask);
                continue;
            }
            if ask.is_pondering() && ask.go.is_play() {
                self.ponder(&mut ask, now);
            } else {
                self.search(&mut ask, now);
            }
            let hopeless = ask.stopped.is_some()
                || !ask.must_wait() && self.workers.iter().all(Worker::is_hopeless);
            if ask.worker.is_none() && ask.votes.is_empty() && hopeless {
                self.make_do(&ask);
            } else {
                self.asks.push_front(ask);
                break;
            }
        }
        self.take_early(now);
    }

    /// The guess from outside first, then the ranking, then one reply for each worker.
    fn ponder(&mut self, ask: &mut Ask, now: Instant) {
        self.dismiss_others(ask, now);
        if ask.worker.is_none() {
            let Some(id) = self.choose() else { return };
            let job = Job::new(Purpose::Ponder, ask.id, Arc::clone(&ask.game), ask.go.clone());
            ask.worker = Some(id);
            self.begin(id, job, now);
        }
        if self.workers.len() == 1 {
            return;
        }
        let Some((guess, before)) = ask.game.before() else { return };
        while let Some(id) = self.workers.iter().position(Worker::is_free) {
            let job = match &ask.replies {
                None if self.is_ranking(ask) => return,
                None => self.ranking(ask.id, Arc::new(before.clone()), now),
                Some(replies) => {
                    let mut others = replies.iter().filter(|&&reply| reply != guess);
                    let game = others.find_map(|&reply| {
                        let game = before.after(reply).ok()?;
                        (!self.is_pondered(&game)).then_some(game)
                    });
                    let Some(game) = game else { return };
                    Job::new(Purpose::Ponder, ask.id, Arc::new(game), ask.go.clone())
                }
            };
            self.begin(id, job, now);
        }
    }

    fn is_ranking(&self, ask: &Ask) -> bool {
        let ranks = |job: &Job| job.ask == ask.id && job.purpose == Purpose::Rank;
        self.workers.iter().any(|worker| worker.wanted().is_some_and(ranks))
    }

    fn is_pondered(&self, game: &super::Game) -> bool {
        let here = |job: &Job| job.purpose == Purpose::Ponder && *job.game == *game;
        self.workers.iter().any(|worker| worker.wanted().is_some_and(here))
    }

    /// A short search for the best moves of the opponent, as many as there are workers.
    fn ranking(&self, ask: u64, before: Arc<super::Game>, now: Instant) -> Job {
        let limits = Limits { move_time: Some(self.options.ranking), ..Limits::default() };
        let line = format!("go movetime {}", self.options.ranking.as_millis());
        let mut job = Job::new(Purpose::Rank, ask, before, Go::new(line.as_bytes(), limits, now));
        if let Some(usual) = self.options.value("MultiPV") {
            let lines = self.workers.len().to_string();
            job.around = Some((
                setoption_line("MultiPV", lines.as_bytes()),
                setoption_line("MultiPV", usual),
            ));
        }
        job
    }

    /// The worker to search next: the leader if it can, else one that has nothing to do, else any.
    fn choose(&self) -> Option<usize> {
        let is = |id: &usize, fits: fn(&Worker) -> bool| self.workers.get(*id).is_some_and(fits);
        let lead = Some(self.lead).filter(|id| is(id, Worker::is_ready));
        let all = || 0..self.workers.len();
        lead.or_else(|| all().find(|id| is(id, Worker::is_free)))
            .or_else(|| all().find(|id| is(id, Worker::is_ready)))
    }

    /// One worker searches, or all do where they vote.
    fn search(&mut self, ask: &mut Ask, now: Instant) {
        if ask.worker.is_none() && ask.stopped.is_none() && ask.votes.is_empty() {
            self.appoint(ask, now);
        }
        self.dismiss_others(ask, now);
        if ask.worker.is_none()
            || ask.stopped.is_some()
            || !ask.go.is_play()
            || !ask.votes.is_empty()
        {
            return;
        }
        if self.options.own_turn == OwnTurn::None {
            return;
        }
        while let Some(id) = self.workers.iter().position(Worker::is_free) {
            let job = Job::new(Purpose::Own, ask.id, Arc::clone(&ask.game), ask.go.clone());
            self.begin(id, job, now);
        }
    }

    /// Finds the worker that is to answer: one that searches already, one that has been pondering
    /// just this, or one that begins.
    fn appoint(&mut self, ask: &mut Ask, now: Instant) {
        let searching = |worker: &Worker| {
            worker.wanted().is_some_and(|job| job.ask == ask.id && job.purpose == Purpose::Own)
        };
        if let Some(id) = self.workers.iter().position(searching) {
            ask.worker = Some(id);
            return;
        }
        let pondering = |worker: &Worker| {
            worker
                .running()
                .is_some_and(|job| job.purpose == Purpose::Ponder && *job.game == *ask.game)
        };
        let pondering = self.workers.iter().position(pondering);
        if let Some(id) = pondering.filter(|_| ask.go.has_clocks_only()) {
            ask.worker = Some(id);
            let worker = &self.workers[id];
            let side = ask.game.position.side_to_move();
            let same = worker.running().is_some_and(|job| job.go.same_clock(&ask.go, side));
            // Whoever cannot be told of another clock begins anew, with what its memory holds.
            if worker.takes_clocks() || same {
                return self.go_on(id, ask, worker.takes_clocks(), now);
            }
        }
        if let Some(id) = ask.worker.or_else(|| self.choose()) {
            ask.worker = Some(id);
            let job = Job::new(Purpose::Own, ask.id, Arc::clone(&ask.game), ask.go.clone());
            self.begin(id, job, now);
        }
    }

    /// A worker goes on with what it ponders, as the search for this `go`.
    fn go_on(&mut self, id: usize, ask: &mut Ask, with_clocks: bool, now: Instant) {
        let worker = &mut self.workers[id];
        ask.best = worker.running().and_then(Job::best);
        let answer = worker.hit(ask.id, &ask.go, with_clocks, now, &mut self.out);
        self.early.extend(answer.map(|(job, line)| (id, job, line)));
    }

    /// The guess from outside was right: the first `go` is no longer pondering.
    pub(super) fn convert(&mut self, with_clocks: bool, now: Instant) {
        let Some(mut ask) = self.asks.pop_front() else { return };
        if let Some(id) = ask.worker {
            let worker = &self.workers[id];
            let takes_clocks = worker.takes_clocks();
            let side = ask.game.position.side_to_move();
            let goes_on = |job: &Job| takes_clocks || job.go.same_clock(&ask.go, side);
            if worker.running().is_some_and(goes_on) {
                self.go_on(id, &mut ask, with_clocks && takes_clocks, now);
            } else {
                // Whoever has not begun yet, or cannot be told of the clock, begins with it.
                self.workers[id].dismiss(now, &mut self.out);
                ask.worker = None;
            }
        }
        self.asks.push_front(ask);
    }

    fn begin(&mut self, id: usize, job: Job, now: Instant) {
        self.workers[id].begin(job, &self.options, now, &mut self.out);
    }

    /// Ends all that serves another `go`, but not what this one may go on with.
    fn dismiss_others(&mut self, ask: &Ask, now: Instant) {
        if ask.stopped.is_some() {
            return;
        }
        for worker in &mut self.workers {
            let keep = |job: &Job| {
                job.ask == ask.id && (ask.is_pondering() || job.purpose == Purpose::Own)
            };
            if worker.wanted().is_some_and(|job| !keep(job)) {
                worker.let_go(&self.options, now, &mut self.out);
            }
        }
    }

    /// All that search for this `go` are to answer at once; nobody ranks any more.
    pub(super) fn hurry(&mut self, ask: u64, now: Instant) {
        let front = self.asks.front().filter(|front| front.id == ask);
        let Some(front) = front else { return };
        let leader = front.worker;
        for id in 0..self.workers.len() {
            let worker = &mut self.workers[id];
            let Some(job) = worker.wanted().filter(|job| job.ask == ask) else { continue };
            match job.purpose {
                Purpose::Ponder if leader != Some(id) => {}
                Purpose::Rank => worker.let_go(&self.options, now, &mut self.out),
                Purpose::Own | Purpose::Ponder => {
                    let answer = worker.stop(now, &mut self.out);
                    self.early.extend(answer.map(|(job, line)| (id, job, line)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, Table};

    /// It was answered at once, though nobody had said stop, and was over for good.
    #[test]
    fn an_analysis_whose_workers_all_fail_waits_for_them_or_for_stop() {
        let mut table = Table::playing(1);
        table.outside("position startpos");
        table.outside("go infinite");
        for _ in 0..3 {
            table.dies(0);
            table.after(4000);
        }
        assert!(table.said().is_empty());
        table.revive(0);
        assert!(table.told(0).ends_with("position startpos; go infinite"));
        (0..3).for_each(|_| table.dies(0));
        assert!(table.said().is_empty());
        table.outside("stop");
        let said = table.said();
        assert!(said.len() == 1 && said[0].starts_with("bestmove "), "{said:?}");
    }

    /// The worker was told them, and to stop within a second.
    #[test]
    fn a_hit_with_clocks_at_zero_leaves_a_search_to_its_other_limits() {
        let mut table = Table::playing(1);
        table.outside("position startpos moves 7g7f 3c3d");
        table.outside("go ponder nodes 5000000");
        assert_eq!(table.last_told(0), "go ponder nodes 5000000");
        table.outside("ponderhit btime 0 wtime 0");
        assert_eq!(table.told(0), "ponderhit");
        for _ in 0..5 {
            table.after(900);
            table.worker(0, "info nodes 1");
        }
        assert_eq!(table.told(0), "");
        table.worker(0, "bestmove 2g2f");
        assert_eq!(table.said().last().unwrap(), "bestmove 2g2f");
    }

    /// They were told clocks behind `ponderhit`, or, passing over these, had none.
    #[test]
    fn engines_of_another_make_begin_anew_at_a_hit_with_another_clock() {
        let mut table = Table::playing_with(1, "Another");
        table.outside("position startpos moves 7g7f 3c3d");
        table.outside("go ponder");
        assert_eq!(table.last_told(0), "go ponder");
        table.outside(&format!("ponderhit {CLOCK}"));
        assert_eq!(table.told(0), "stop");
        table.worker(0, "bestmove 2g2f");
        let fresh = "position startpos moves 7g7f 3c3d; go btime 59990 wtime 60000 byoyomi 1000";
        assert_eq!(table.told(0), fresh);
        table.worker(0, "bestmove 2g2f");
        assert_eq!(table.said(), ["bestmove 2g2f"]);
        table.outside("position startpos moves 7g7f 3c3d 2g2f 8c8d");
        table.outside(&format!("go ponder {CLOCK}"));
        _ = table.told(0);
        table.outside(&format!("ponderhit {CLOCK}"));
        assert_eq!(table.told(0), "ponderhit", "its clock is that of its go ponder");
    }
}
