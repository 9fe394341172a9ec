//! What becomes of what the workers say, and of workers that fail.

use std::time::{Duration, Instant};

use super::Coordinator;
use crate::cluster::ask::Ask;
use crate::cluster::job::{Job, Purpose};
use crate::cluster::options::OwnTurn;
use crate::cluster::vote::{Vote, decide};
use crate::cluster::worker::{Worker, WorkerReply};
use crate::usi_client::{BestMove, is_error, parse_bestmove};

/// From the leader's vote to the last that counts, besides the way there and back.
const LAST_VOTES: Duration = Duration::from_millis(200);

impl Coordinator {
    /// A line of a worker.
    pub(in crate::cluster) fn hear_worker(&mut self, id: usize, line: &str, now: Instant) {
        let heard = self.workers[id].hear(line, &self.options, now, &mut self.out);
        match heard {
            WorkerReply::Nothing => {}
            WorkerReply::Info => self.relay(id, line),
            WorkerReply::Other if id == self.speaker() => self.say(line),
            WorkerReply::Other => {}
            WorkerReply::Changed => {
                self.options.learn(&self.workers[id].declared);
                self.introduce();
                if self.prepared && !self.workers[id].has_been_told() {
                    self.workers[id].prepare(&self.options, now, &mut self.out);
                }
                self.show_ready();
                self.advance(now);
            }
            WorkerReply::Answer(job, line) => {
                self.answered(id, *job, &line, now);
                self.workers[id].settle(&self.options, now, &mut self.out);
                self.advance(now);
            }
            WorkerReply::Fault(why) => {
                self.drop_worker(id, &why, now);
                self.advance(now);
            }
        }
    }

    /// A worker's process has ended, or could not be started.
    pub(in crate::cluster) fn lost_worker(&mut self, id: usize, why: &str, now: Instant) {
        self.drop_worker(id, why, now);
        self.introduce();
        self.show_ready();
        self.advance(now);
    }

    /// Repeats a line of information outside, if it is about what the outside has asked.
    fn relay(&mut self, id: usize, line: &str) {
        if !self.workers[id].is_searching() {
            return self.remark(id, line);
        }
        let job = self.workers[id].running();
        let Some(ask) = self.asks.front_mut() else { return };
        if ask.worker != Some(id) || job.is_none_or(|job| job.ask != ask.id) {
            return;
        }
        ask.best = job.and_then(Job::best).or(ask.best);
        self.say(line);
    }

    /// Tells what a worker says that searches nothing, on loading and the like. It may be getting
    /// ready while others search: then nothing but errors is worth a line.
    fn remark(&mut self, id: usize, line: &str) {
        if id == self.lead && self.asks.is_empty() {
            self.say(line);
        } else if is_error(line) {
            let said = line.strip_prefix("info string ").unwrap_or(line);
            let error = said.strip_prefix("error: ").unwrap_or(said);
            self.complain(format!("{}: {error}", self.workers[id].title()));
        }
    }

    /// Takes the answers that had come too early.
    pub(super) fn take_early(&mut self, now: Instant) {
        while let Some((id, job, line)) = self.early.pop() {
            self.answered(id, *job, &line, now);
            self.workers[id].settle(&self.options, now, &mut self.out);
            self.advance(now);
        }
    }

    /// A worker has ended a search.
    fn answered(&mut self, id: usize, job: Job, line: &str, now: Instant) {
        if !job.wanted {
            return self.workers[id].praise();
        }
        let Some(ask) = self.asks.front_mut().filter(|ask| ask.id == job.ask) else { return };
        if job.purpose == Purpose::Rank {
            ask.replies = Some(job.ranking());
            return self.workers[id].praise();
        }
        if ask.go.limits.mate.is_some() {
            return self.solved(id, line, now);
        }
        let rule = self.settings.entering_king;
        match parse_bestmove(line) {
            Ok(answer) if job.game.allows(answer, rule) => {
                self.workers[id].praise();
                self.accept(id, &job, answer, now);
            }
            Ok(_) => self.drop_worker(id, &format!("against the rules: {line}"), now),
            Err(bad) => self.drop_worker(id, &format!("{line}: {bad}"), now),
        }
    }

    fn solved(&mut self, id: usize, line: &str, now: Instant) {
        if !line.starts_with("checkmate ") {
            return self.drop_worker(id, &format!("no answer to go mate: {line}"), now);
        }
        self.workers[id].praise();
        self.say(line);
        self.asks.pop_front();
    }

    /// An answer that can be played: the answer, or a vote.
    fn accept(&mut self, id: usize, job: &Job, answer: BestMove, now: Instant) {
        let Some(ask) = self.asks.front_mut() else { return };
        let votes = self.options.own_turn != OwnTurn::None && job.purpose == Purpose::Own;
        if !votes || !ask.go.is_play() {
            if ask.worker != Some(id) {
                return;
            }
            if job.purpose == Purpose::Own {
                self.lead = id;
            }
            let line = ask.game.answer_line(answer);
            self.say(line);
            self.asks.pop_front();
            return;
        }
        let score = job.info.score.map(|score| score.centipawns());
        let vote = Vote { answer, score, line: job.last_line.clone() };
        if ask.worker != Some(id) {
            ask.votes.push(vote);
        } else {
            ask.votes.insert(0, vote);
            let latency = self.workers.iter().map(Worker::latency).max().unwrap_or_default();
            ask.decide_by = Some(now + LAST_VOTES + latency);
            self.lead = id;
            let ask = ask.id;
            self.hurry(ask, now);
        }
        self.count_votes(now);
    }

    /// Decides if all have voted, or the leader is gone and nobody else searches.
    fn count_votes(&mut self, now: Instant) {
        let Some(ask) = self.asks.front() else { return };
        let late = ask.decide_by.is_some_and(|by| by <= now);
        let votes = |job: &Job| job.ask == ask.id;
        let waiting = self.workers.iter().any(|worker| worker.wanted().is_some_and(votes));
        if ask.votes.is_empty() || waiting && !late {
            return;
        }
        let Some(vote) = decide(&ask.votes, self.options.own_turn).cloned() else { return };
        let answer = ask.game.answer_line(vote.answer);
        if !vote.line.is_empty() {
            self.say(vote.line);
        }
        self.say(answer);
        self.asks.pop_front();
        self.rest(now);
    }

    /// Gives the best answer known, since no worker gives one.
    pub(super) fn make_do(&mut self, ask: &Ask) {
        if ask.go.limits.mate.is_some() {
            return self.say("checkmate timeout");
        }
        if !ask.go.limits.ponder {
            let known =
                if ask.best.is_some() { "the best move known" } else { "a move without a search" };
            self.complain(format!("no worker has answered in time; {known} is played"));
        }
        let answer = ask.game.fallback(ask.best, &ask.go.limits.search_moves);
        let line = ask.game.answer_line(answer);
        self.say(line);
    }

    /// Gives every `go` that still waits the best answer known.
    pub(super) fn make_do_for_all(&mut self) {
        for ask in std::mem::take(&mut self.asks) {
            if ask.is_forfeit {
                self.forfeit(&ask);
            } else {
                self.make_do(&ask);
            }
        }
    }

    /// Answers a `go` whose position is not known.
    pub(super) fn forfeit(&mut self, ask: &Ask) {
        self.say(if ask.go.limits.mate.is_some() {
            "checkmate timeout"
        } else {
            "bestmove resign"
        });
    }

    /// Nobody waits any longer for those who were to answer this; others may ponder on.
    fn release(&mut self, ask: &Ask, now: Instant) {
        for (id, worker) in self.workers.iter_mut().enumerate() {
            let answers = |job: &Job| job.purpose == Purpose::Own || ask.worker == Some(id);
            if worker.wanted().is_some_and(|job| job.ask == ask.id && answers(job)) {
                worker.let_go(&self.options, now, &mut self.out);
            }
        }
    }

    /// A worker that cannot be relied on is ended and started again; others take over.
    pub(super) fn drop_worker(&mut self, id: usize, why: &str, now: Instant) {
        let title = self.workers[id].title();
        self.complain(format!("{title}: {why}; it is started again"));
        self.workers[id].fail(now, &mut self.out);
        // It is started, if it need not rest, and nothing else can be due.
        let _ = self.workers[id].check(&self.options, now, &mut self.out);
        if let Some(ask) = self.asks.front_mut().filter(|ask| ask.worker == Some(id)) {
            ask.worker = None;
        }
        self.despair(&format!("{title}: {why}"), now);
        self.count_votes(now);
    }

    /// The clock of the first `go`.
    pub(super) fn check_ask(&mut self, now: Instant) {
        let Some(ask) = self.asks.front() else { return };
        let is_due = |due: Option<Instant>| due.is_some_and(|due| due <= now);
        let latency = ask.worker.map_or(Duration::ZERO, |id| self.workers[id].latency());
        if is_due(ask.rescue_at(latency)) {
            if ask.votes.is_empty() {
                let Some(ask) = self.asks.pop_front() else { return };
                self.make_do(&ask);
                return self.release(&ask, now);
            }
            self.asks[0].decide_by = Some(now);
        }
        if is_due(self.asks[0].decide_by) {
            return self.count_votes(now);
        }
        if is_due(self.asks[0].hurry_at(latency)) {
            self.asks[0].hurried = true;
            let id = self.asks[0].id;
            self.hurry(id, now);
            self.take_early(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::{CLOCK, Table};

    /// A game could be played by another network than was meant, and nobody was told.
    #[test]
    fn an_error_of_a_worker_that_gets_ready_during_a_search_is_told() {
        let mut table = Table::playing(2);
        table.outside("position startpos");
        table.outside(&format!("go {CLOCK}"));
        table.dies(1);
        table.greet(1, 0);
        assert!(table.told(1).ends_with("isready"));
        table.worker(1, "info string error: there is no file \"nn.bin\"");
        table.worker(1, "info string going on with another");
        let told = table.complained.last().unwrap();
        assert!(told.starts_with("worker 2") && told.ends_with("no file \"nn.bin\""), "{told}");
        assert!(table.said().is_empty());
        // Nor is anything lost where the workers get ready because of the `go`.
        let mut table = Table::new(&[true]);
        table.greet(0, 0);
        table.outside("go infinite");
        table.worker(0, "info string error: there is no file \"nn.bin\"");
        assert!(table.complained.iter().any(|text| text.ends_with("no file \"nn.bin\"")));
    }

    /// Only what Kawasemi writes before its own errors was known.
    #[test]
    fn errors_of_engines_of_another_make_are_told_in_their_words() {
        let mut table = Table::playing_with(2, "Another");
        table.worker(1, "info string Error! : there is no nn.bin");
        let told = table.complained.last().unwrap();
        assert!(told.starts_with("worker 2") && told.ends_with(": Error! : there is no nn.bin"));
    }

    #[test]
    fn what_a_search_says_that_nobody_waits_for_any_longer_is_not_told() {
        let mut table = Table::playing(1);
        table.outside("position startpos");
        table.outside("go infinite");
        table.outside("stop");
        table.after(1100);
        let said = table.said();
        assert!(said.len() == 1 && said[0].starts_with("bestmove "), "{said:?}");
        table.worker(0, "info depth 9 score cp 1 pv 2g2f");
        assert!(table.said().is_empty());
    }
}
