//! A USI engine as the player.

use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, at, bounded, never, select};

use super::go_clock::{MAX_NETWORK_DELAY, OWN_RESERVE, for_other_engine, for_own_engine};
use super::handle::{Player, PlayerChannels};
use super::protocol::{
    CommandId, GameConditions, PlayerCommand, PlayerEvent, SearchTask, SearchUpdate,
};
use crate::csa::clock::EngineClocks;
use crate::position::Setup;
use crate::types::usi::position_line;
use crate::types::{Color, Move};
use crate::usi_client::{
    BestMove, EngineFault, EngineLine, EngineReport, EngineTimeouts, GoCommand, LaunchConfig,
    SearchInfo, StartError, UsiEngine, is_answer, ponderhit_line, possible_answers,
};

/// Maximum time of an engine to get ready the first time, when it loads its files. A restarted engine may
/// miss a proposed game because of this, but so would another replacement.
const LOAD_TIMEOUT: Duration = Duration::from_secs(600);
/// Capacity of the queue of engine reports.
const REPORT_QUEUE: usize = 64;
/// The largest values of `MinimumThinkingTime` and `MaxMovesToDraw`.
const MAX_OPTION_VALUE: u64 = 100_000;

/// The user's values of options that the client adapts to each game when this program itself is the
/// engine. Other engines are only sent clocks from which the network delay has been subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnEngineOptions {
    pub minimum_thinking_ms: u64,
    /// 0 for no limit.
    pub max_moves_to_draw: u32,
    pub network_delay2_ms: u64,
}

/// Starts an engine as the player; `own` is for this program. If the engine does not start, the player
/// reports [`PlayerEvent::Failed`].
///
/// # Errors
/// If the system refuses a thread.
pub fn start_engine(
    launch: LaunchConfig,
    timeouts: EngineTimeouts,
    own: Option<OwnEngineOptions>,
) -> io::Result<Player> {
    Player::spawn(move |PlayerChannels { commands, events, cancel }| {
        let (reporter, reports) = bounded(REPORT_QUEUE);
        match UsiEngine::start(&launch, timeouts, Some(reporter), cancel) {
            Ok(engine) => EngineThread::new(engine, reports, events, own).run(&commands),
            Err(StartError::Fault(fault)) => _ = events.send(PlayerEvent::Failed(fault.detail)),
            Err(error) => _ = events.send(PlayerEvent::Failed(error.to_string())),
        }
    })
}

/// A search that the engine has not answered yet.
struct CurrentSearch {
    id: CommandId,
    side: Color,
    /// The number of moves before it.
    moves_before: usize,
    /// Whether the answer is still needed.
    wanted: bool,
    pondering: bool,
    /// The deadline of the answer after `stop`.
    deadline: Option<Instant>,
    /// An answer that came early, while pondering.
    early: Option<EngineLine>,
}

/// The state of the player's thread.
struct EngineThread {
    engine: UsiEngine,
    reports: Receiver<EngineReport>,
    events: Sender<PlayerEvent>,
    own: Option<OwnEngineOptions>,
    conditions: Option<GameConditions>,
    /// The adapted options as they were sent last.
    sent_options: HashMap<&'static str, String>,
    search: Option<CurrentSearch>,
    /// The next search, which waits for the answer to the current one.
    next: Option<Box<SearchTask>>,
    /// Whether to stop `next` as soon as it has begun.
    stop_next: bool,
    /// The number of moves before the last needed answer of this game, and the answer. `None` if its move was
    /// not played.
    last_answer: Option<(usize, String)>,
    /// Whether the engine has been ready once.
    has_loaded: bool,
}

/// An event that the thread waits for.
enum EngineThreadEvent {
    Command(PlayerCommand),
    Line(EngineLine),
    Report(EngineReport),
    /// The player was dropped.
    Dropped,
    Closed,
    Timeout,
}

impl EngineThread {
    fn new(
        engine: UsiEngine,
        reports: Receiver<EngineReport>,
        events: Sender<PlayerEvent>,
        own: Option<OwnEngineOptions>,
    ) -> EngineThread {
        EngineThread {
            engine,
            reports,
            events,
            own,
            conditions: None,
            sent_options: HashMap::new(),
            search: None,
            next: None,
            stop_next: false,
            last_answer: None,
            has_loaded: false,
        }
    }

    fn run(mut self, commands: &Receiver<PlayerCommand>) {
        loop {
            let result = match self.wait(commands) {
                EngineThreadEvent::Command(command) => self.execute(command),
                EngineThreadEvent::Line(line) => self.read_line(line),
                EngineThreadEvent::Report(report) => {
                    self.forward(report);
                    Ok(())
                }
                EngineThreadEvent::Dropped => {
                    if self.search.is_some() {
                        self.engine.kill_on_drop();
                    }
                    return;
                }
                EngineThreadEvent::Closed => Err(self.engine.closed()),
                EngineThreadEvent::Timeout => self.engine.or_timeout(None, "no answer after stop"),
            };
            if let Err(fault) = result {
                // A replacement must start at once: our clock may be running.
                self.engine.kill_on_drop();
                return self.emit(PlayerEvent::Failed(fault.detail));
            }
        }
    }

    fn wait(&self, commands: &Receiver<PlayerCommand>) -> EngineThreadEvent {
        let deadline = self.search.as_ref().and_then(|search| search.deadline);
        let timeout = deadline.map_or_else(never, at);
        loop {
            return select! {
                recv(commands) -> command => command.map_or(EngineThreadEvent::Dropped, EngineThreadEvent::Command),
                recv(self.engine.lines()) -> line => line.map_or(EngineThreadEvent::Closed, EngineThreadEvent::Line),
                recv(self.reports) -> report => match report {
                    Ok(report) => EngineThreadEvent::Report(report),
                    // The output is closed, but the lines may have an answer.
                    Err(_) => continue,
                },
                recv(timeout) -> _ => EngineThreadEvent::Timeout,
            };
        }
    }

    fn emit(&self, event: PlayerEvent) {
        // The receiver is gone while the player is being dropped.
        let _ = self.events.send(event);
    }

    fn execute(&mut self, command: PlayerCommand) -> Result<(), EngineFault> {
        match command {
            PlayerCommand::NewGame(id, conditions) => self.new_game(id, conditions),
            PlayerCommand::Search(task) => {
                self.cancel()?;
                self.next = Some(task);
                self.start_next()
            }
            PlayerCommand::PonderHit { id, clocks, received } => {
                self.ponder_hit(id, clocks, received)
            }
            PlayerCommand::Stop if self.next.is_some() => {
                self.stop_next = true;
                Ok(())
            }
            PlayerCommand::Stop => self.stop(),
            PlayerCommand::Cancel => self.cancel(),
            PlayerCommand::GameOver(result) => {
                self.cancel()?;
                self.end_search()?;
                self.engine.send(&format!("gameover {result}"))
            }
            PlayerCommand::Kill => {
                self.engine.kill_on_drop();
                Ok(())
            }
        }
    }

    fn new_game(&mut self, id: CommandId, conditions: GameConditions) -> Result<(), EngineFault> {
        self.cancel()?;
        self.end_search()?;
        self.conditions = Some(conditions);
        self.last_answer = None;
        if let Some(own) = self.own {
            let max_moves = conditions.max_moves.unwrap_or(own.max_moves_to_draw);
            let max_moves = u64::from(max_moves).min(MAX_OPTION_VALUE);
            let delay2 = own.network_delay2_ms.min(OWN_RESERVE.as_millis() as u64);
            self.set_option("MaxMovesToDraw", max_moves)?;
            self.set_option("NetworkDelay2", delay2)?;
            self.set_option("RoundUpToFullSecond", conditions.unit == Duration::from_secs(1))?;
        }
        let timeout = ready_timeout(self.engine.timeouts().ready, self.has_loaded);
        let error = self.engine.new_game(timeout)?;
        self.has_loaded = true;
        // Our own engine's messages are all forwarded, errors included.
        self.forward_waiting_messages();
        if let Some(error) = error.filter(|_| self.own.is_none()) {
            self.emit(PlayerEvent::Message(error.trim_start_matches("info string ").into()));
        }
        self.emit(PlayerEvent::Ready(id));
        Ok(())
    }

    /// Sets an option of our own engine, if the value is new.
    fn set_option(&mut self, name: &'static str, value: impl Display) -> Result<(), EngineFault> {
        let value = value.to_string();
        if self.sent_options.get(name) == Some(&value) {
            return Ok(());
        }
        self.engine.set_options(&[(name.into(), value.clone())])?;
        self.sent_options.insert(name, value);
        Ok(())
    }

    /// Sets the delays of our own engine by the time that each move loses.
    fn set_delays(&mut self, clocks: &EngineClocks) -> Result<(), EngineFault> {
        let (Some(own), Some(conditions)) = (self.own, self.conditions) else { return Ok(()) };
        let delay = clocks.overhead.min(MAX_NETWORK_DELAY);
        let server_minimum =
            conditions.least_time_per_move.saturating_sub(clocks.overhead).as_millis() as u64;
        let minimum = own.minimum_thinking_ms.max(server_minimum).min(MAX_OPTION_VALUE);
        self.set_option("NetworkDelay", delay.as_millis())?;
        self.set_option("MinimumThinkingTime", minimum)
    }

    fn cancel(&mut self) -> Result<(), EngineFault> {
        (self.next, self.stop_next) = (None, false);
        if let Some(search) = &mut self.search {
            search.wanted = false;
        }
        self.stop()
    }

    fn stop(&mut self) -> Result<(), EngineFault> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if let Some(early) = search.early.take() {
            return self.answer(early);
        }
        if search.deadline.is_none() {
            search.deadline = Some(Instant::now() + self.engine.timeouts().stop);
            search.pondering = false;
            self.engine.send("stop")?;
        }
        Ok(())
    }

    /// Waits for the end of a search that was told to stop.
    fn end_search(&mut self) -> Result<(), EngineFault> {
        let Some(search) = self.search.take() else { return Ok(()) };
        let deadline = search.deadline.unwrap_or_else(Instant::now);
        let line = self.engine.wait_for(deadline, |line| is_answer(&line.line))?;
        self.engine.or_timeout(line, "no answer after stop").map(|_| ())
    }

    fn ponder_hit(
        &mut self,
        id: CommandId,
        clocks: EngineClocks,
        received: Instant,
    ) -> Result<(), EngineFault> {
        if let Some(next) = self.next.as_mut().filter(|next| next.id == id) {
            next.ponder_hit(clocks, received);
        }
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else {
            return Ok(());
        };
        search.pondering = false;
        if let Some(early) = search.early.take() {
            return self.answer(early);
        }
        // Other engines may not read clocks here.
        let side = search.side;
        let clock = self.own.map(|_| for_own_engine(&clocks, side, received.elapsed()));
        self.engine.send(&ponderhit_line(clock.as_ref()))
    }

    fn start_next(&mut self) -> Result<(), EngineFault> {
        if self.search.is_some() {
            return Ok(());
        }
        let Some(task) = self.next.take() else { return Ok(()) };
        // Reports of the previous search.
        self.forward_waiting_messages();
        // An answer that was not played, such as an illegal move, may come again.
        self.last_answer = self.last_answer.take().filter(|(before, answer)| {
            task.moves.get(*before).is_some_and(|&mv| is_answer_with_move(answer, mv))
        });
        let (id, side, pondering) = (task.id, task.side_to_move(), task.ponder);
        let moves_before = task.moves.len();
        let (wanted, deadline, early) = (true, None, None);
        self.search =
            Some(CurrentSearch { id, side, moves_before, wanted, pondering, deadline, early });
        self.set_delays(&task.clocks)?;
        self.engine.send(&position_command(&task))?;
        // While the opponent is to move, our clock does not run.
        let waited = if pondering { Duration::ZERO } else { task.received.elapsed() };
        let clock = match self.own {
            Some(_) => for_own_engine(&task.clocks, side, waited),
            None => for_other_engine(&task.clocks, side, waited),
        };
        let go = GoCommand { ponder: task.ponder, clock: Some(clock), ..GoCommand::default() };
        self.engine.send(&go.to_string())?;
        if std::mem::take(&mut self.stop_next) { self.stop() } else { Ok(()) }
    }

    fn read_line(&mut self, line: EngineLine) -> Result<(), EngineFault> {
        let is_repeated = self.is_repeated(&line.line);
        match &mut self.search {
            _ if !is_answer(&line.line) => Ok(()),
            search if is_repeated || search.is_none() => {
                let text = format!("unexpected answer ignored: {}", line.line);
                self.emit(PlayerEvent::Message(text));
                Ok(())
            }
            Some(search) if search.pondering => {
                search.early = Some(line);
                Ok(())
            }
            _ => self.answer(line),
        }
    }

    /// Whether this repeats the answer to our previous move. That move was played, and we cannot play the same move
    /// twice in a row.
    fn is_repeated(&self, line: &str) -> bool {
        let search = self.search.as_ref();
        search.zip(self.last_answer.as_ref()).is_some_and(|(search, (before, answer))| {
            search.moves_before == *before + 2 && answer == line
        })
    }

    fn answer(&mut self, line: EngineLine) -> Result<(), EngineFault> {
        let Some(search) = self.search.take() else { return Ok(()) };
        self.forward_waiting_messages();
        if search.wanted {
            self.emit(PlayerEvent::Update(search.id, search_update(&line.info)));
            self.last_answer = Some((search.moves_before, line.line.clone()));
            self.emit(PlayerEvent::Answer(search.id, line.line));
        }
        self.start_next()
    }

    fn forward(&self, report: EngineReport) {
        match report {
            EngineReport::Search(info) => {
                if let Some(search) = self.search.as_ref().filter(|search| search.wanted) {
                    self.emit(PlayerEvent::Update(search.id, search_update(&info)));
                }
            }
            EngineReport::Message(text) => {
                if self.own.is_some() {
                    self.emit(PlayerEvent::Message(text));
                }
            }
        }
    }

    /// Forwards the queued messages, and drops reports of a search that is over.
    fn forward_waiting_messages(&self) {
        let is_message = |report: &EngineReport| matches!(report, EngineReport::Message(_));
        self.reports.try_iter().filter(is_message).for_each(|report| self.forward(report));
    }
}

/// Whether one of the possible readings of this answer is the move.
fn is_answer_with_move(answer: &str, mv: Move) -> bool {
    possible_answers(answer).any(|it| matches!(it, BestMove::Move { best, .. } if best == mv))
}

fn ready_timeout(usual: Duration, has_loaded: bool) -> Duration {
    if has_loaded { usual } else { usual.max(LOAD_TIMEOUT) }
}

fn search_update(info: &SearchInfo) -> SearchUpdate {
    let pv = info.pv.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let SearchInfo { depth, nodes, score, best, .. } = *info;
    SearchUpdate { depth, nodes, score, pv, best }
}

fn position_command(task: &SearchTask) -> String {
    let sfen = (task.start != Setup::startpos()).then_some(&task.start as &dyn Display);
    position_line(sfen, task.moves.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csa::clock::SideClock;
    use crate::types::ByColor;

    fn task(moves: &str) -> SearchTask {
        let sides = ByColor([SideClock::default(); 2]);
        SearchTask {
            id: 1,
            start: Setup::startpos(),
            moves: moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
            clocks: EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO },
            ponder: false,
            received: Instant::now(),
        }
    }

    #[test]
    fn a_position_command_has_the_start_position_and_the_moves() {
        let mut task = task("7g7f 3c3d");
        assert_eq!(position_command(&task), "position startpos moves 7g7f 3c3d");
        task.start.game_ply = 3;
        task.moves.clear();
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3";
        assert_eq!(position_command(&task), format!("position sfen {sfen}"));
    }

    #[test]
    fn an_engine_may_take_longer_to_get_ready_the_first_time() {
        let usual = Duration::from_secs(100);
        assert_eq!([false, true].map(|loaded| ready_timeout(usual, loaded)), [LOAD_TIMEOUT, usual]);
    }

    /// Engines that are shell scripts.
    #[cfg(unix)]
    mod scripts {
        use std::process::Command;

        use crossbeam::channel::{RecvTimeoutError, unbounded};

        use super::*;

        /// Longer than anything takes, even on a busy machine.
        const LONG: Duration = Duration::from_secs(600);
        const CONDITIONS: GameConditions = GameConditions {
            max_moves: Some(256),
            unit: Duration::from_secs(1),
            least_time_per_move: Duration::from_secs(1),
        };

        /// A player with this engine, told to prepare and to search.
        fn player(script: &str, own: Option<OwnEngineOptions>, task: SearchTask) -> Player {
            let timeouts = EngineTimeouts { ready: LONG, stop: LONG, quit: LONG };
            let command = ["sh", "-c", script].map(Into::into).into();
            let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
            let mut player = start_engine(launch, timeouts, own).unwrap();
            player.send(PlayerCommand::NewGame(0, CONDITIONS));
            player.send(PlayerCommand::Search(Box::new(task)));
            player
        }

        fn next(player: &Player) -> PlayerEvent {
            player.events().recv_timeout(LONG).unwrap()
        }

        /// Drops a player, which must not wait for its engine.
        fn drop_at_once(player: Player) {
            let start = Instant::now();
            drop(player);
            assert!(start.elapsed() < LONG / 10);
        }

        #[test]
        fn an_engine_that_is_silent_at_its_start_is_not_waited_for() {
            drop_at_once(player("sleep 1000", None, task("")));
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("is_preparing");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let prepare = format!("read isready; echo > '{}'; sleep 1000", pipe.display());
            let player = player(&format!("read usi; echo usiok; {prepare}"), None, task(""));
            // Waits until the engine has read `isready`.
            std::fs::read(&pipe).unwrap();
            drop_at_once(player);
        }

        /// An engine that reports this while it gets ready, answers a search by this, and then hangs.
        fn engine(report: &str, answer: &str) -> String {
            format!(
                "while read line; do case $line in usi) echo usiok;; isready) echo '{report}'; \
                 echo readyok;; go*) echo '{answer}'; sleep 1000;; esac; done"
            )
        }

        /// Regression: if the end of the reports was noticed first, the answer was lost and the engine restarted.
        #[test]
        fn the_answers_of_an_engine_that_ends_are_read_before_its_end() {
            const ANSWERS: usize = 20;
            let echoes = "echo bestmove 7g7f; ".repeat(ANSWERS);
            let script = format!("read usi; echo usiok; {echoes}");
            let command = ["sh", "-c", script.as_str()].map(Into::into).into();
            let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
            let timeouts = EngineTimeouts { ready: LONG, stop: LONG, quit: LONG };
            let (reporter, reports) = bounded(REPORT_QUEUE);
            let engine = UsiEngine::start(&launch, timeouts, Some(reporter), never()).unwrap();
            assert_eq!(reports.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
            let thread = EngineThread::new(engine, reports, unbounded().0, None);
            for _ in 0..ANSWERS {
                assert!(matches!(thread.wait(&never()), EngineThreadEvent::Line(_)));
            }
            assert!(matches!(thread.wait(&never()), EngineThreadEvent::Closed));
        }

        /// Regression: the engine was killed and restarted; and the repeated answer would have counted for
        /// the next search.
        #[test]
        fn a_repeated_answer_is_forwarded_once() {
            let script = "go=0; while read line; do case $line in usi) echo usiok;; isready) echo \
                          readyok;; go*) go=$((go+1)); if [ $go = 1 ]; then echo bestmove 7g7f; echo \
                          bestmove 7g7f; else echo bestmove 7g7f; echo bestmove 2g2f; fi;; esac; done";
            let mut player = player(script, None, task("2g2f 8c8d"));
            let heard = |player: &Player| loop {
                match next(player) {
                    PlayerEvent::Answer(id, line) => return format!("{id} {line}"),
                    PlayerEvent::Message(text) => return text,
                    PlayerEvent::Failed(why) => panic!("{why}"),
                    _ => {}
                }
            };
            let ignored = "unexpected answer ignored: bestmove 7g7f";
            assert_eq!([(); 2].map(|()| heard(&player)), ["1 bestmove 7g7f", ignored]);
            let second = SearchTask { id: 2, ..task("2g2f 8c8d 7g7f 3c3d") };
            player.send(PlayerCommand::Search(Box::new(second)));
            assert_eq!([(); 2].map(|()| heard(&player)), [ignored, "2 bestmove 2g2f"]);
        }

        /// Regression: the second answer was ignored, so the engine was killed when its time was over.
        #[test]
        fn an_answer_that_was_not_played_may_come_again() {
            let script = "while read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                          go*) echo bestmove win;; esac; done";
            let mut player = player(script, None, task("7g7f 3c3d"));
            let second = SearchTask { id: 2, ..task("7g7f 3c3d 2g2f 8c8d") };
            for id in [1, 2] {
                let answer = PlayerEvent::Answer(id, "bestmove win".into());
                while next(&player) != answer {}
                player.send(PlayerCommand::Search(Box::new(second.clone())));
            }
            player.send(PlayerCommand::Kill);
            drop_at_once(player);
        }

        /// Regression: after a move that the client had chosen, the answer was ignored, and the engine was late.
        #[test]
        fn an_answer_before_the_previous_move_may_come_again() {
            let script = "go=0; while read line; do case $line in usi) echo usiok;; isready) echo \
                          readyok;; go*) go=$((go+1)); [ $go = 2 ] || echo bestmove 2h3h;; \
                          stop) echo bestmove 2g2f;; esac; done";
            let mut player = player(script, None, task(""));
            let answer = |id| PlayerEvent::Answer(id, "bestmove 2h3h".into());
            while next(&player) != answer(1) {}
            for (id, moves) in [(2, "2h3h 8c8d"), (3, "2h3h 8c8d 3h2h 8d8e")] {
                player.send(PlayerCommand::Search(Box::new(SearchTask { id, ..task(moves) })));
            }
            assert!(matches!(next(&player), PlayerEvent::Update(3, _)));
            assert_eq!(next(&player), answer(3));
        }

        #[test]
        fn an_answer_in_any_form_is_forwarded() {
            let mut player = player(&engine("", "bestmove a b c"), None, task(""));
            let answer = PlayerEvent::Answer(1, "bestmove a b c".into());
            while next(&player) != answer {}
            player.send(PlayerCommand::Kill);
            drop_at_once(player);
        }

        #[test]
        fn an_error_while_the_engine_gets_ready_is_reported() {
            let script = engine("info string error: there is no nn.bin", "");
            let player = player(&script, None, task(""));
            let error = PlayerEvent::Message("error: there is no nn.bin".into());
            assert_eq!([0; 2].map(|_| next(&player)), [error, PlayerEvent::Ready(0)]);
            drop_at_once(player);
        }

        #[test]
        fn our_engine_gets_the_rules_of_the_game_and_the_delays_as_options() {
            let script = "while read -r line; do echo \"info string $line\"; case $line in \
                          usi) for name in MaxMovesToDraw NetworkDelay NetworkDelay2 \
                          MinimumThinkingTime RoundUpToFullSecond; do \
                          echo option name $name type string; done; echo usiok;; \
                          isready) echo readyok;; go*) echo bestmove 7g7f;; esac; done";
            let ms = Duration::from_millis;
            let byoyomi = Duration::from_secs(5);
            let sides = ByColor([SideClock { byoyomi, ..SideClock::default() }; 2]);
            let clocks = EngineClocks { net: sides, gross: sides, overhead: ms(120) };
            let own = OwnEngineOptions {
                minimum_thinking_ms: 500,
                max_moves_to_draw: 0,
                network_delay2_ms: 150,
            };
            let player = player(script, Some(own), SearchTask { clocks, ..task("7g7f 3c3d") });
            let mut lines = Vec::new();
            loop {
                match next(&player) {
                    PlayerEvent::Message(line) => lines.push(line),
                    PlayerEvent::Answer(1, _) => break,
                    _ => {}
                }
            }
            let expected = [
                "usi",
                "setoption name MaxMovesToDraw value 256",
                "setoption name NetworkDelay2 value 30",
                "setoption name RoundUpToFullSecond value true",
                "isready",
                "usinewgame",
                "setoption name NetworkDelay value 120",
                "setoption name MinimumThinkingTime value 880",
                "position startpos moves 7g7f 3c3d",
            ];
            assert_eq!(lines[..expected.len()], expected);
        }
    }
}
