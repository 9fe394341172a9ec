//! A USI engine in a process of its own as a player.

use std::convert::Infallible;
use std::fmt::{Display, Write};
use std::io;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, at, bounded, never, select};

use super::{Ask, Desk, Order, OrderId, Player, Thought, Told};
use crate::csa::clock::Clocks;
use crate::position::Setup;
use crate::types::Color;
use crate::usi_client::{
    EngineFault, EngineLine, EngineTimeouts, LaunchConfig, SearchInfo, UsiEngine, is_answer,
    parse_bestmove, position_line,
};

/// How long an engine may take to get ready the first time, when it loads what it needs. To one that was
/// started again a game that is proposed meanwhile may be lost, but were it ended, its successor would
/// fare no better.
const LOADING: Duration = Duration::from_secs(600);
/// Figures of the search that wait to be shown.
const FIGURES: usize = 64;

/// See the module's comment.
#[derive(Debug)]
pub struct UsiPlayer {
    /// Dropped before the desk: its thread may be waiting for an engine that is silent, and hears no
    /// orders then, nor their end.
    _interest: Sender<Infallible>,
    desk: Desk,
}

impl UsiPlayer {
    /// Starts the engine. What goes wrong with it is told by [`Told::Failed`].
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(launch: LaunchConfig, patience: EngineTimeouts) -> io::Result<UsiPlayer> {
        let (_interest, interest) = bounded(0);
        let work = move |orders, told: Sender<Told>| {
            let (watcher, figures) = bounded(FIGURES);
            match UsiEngine::start(&launch, patience, Some(watcher), interest) {
                Ok(link) => {
                    let _ = told.send(Told::Started);
                    let (search, next, hurry, has_loaded) = (None, None, false, false);
                    Worker { link, figures, told, search, next, hurry, has_loaded }.run(&orders);
                }
                Err(error) => _ = told.send(Told::Failed(error.to_string())),
            }
        };
        Ok(UsiPlayer { _interest, desk: Desk::open("csa-usi-engine", work)? })
    }
}

impl Player for UsiPlayer {
    fn obey(&mut self, order: Order) {
        self.desk.obey(order);
    }

    fn told(&self) -> &Receiver<Told> {
        &self.desk.told
    }
}

/// A search that the engine has not answered yet.
struct Search {
    id: OrderId,
    /// Whether anybody waits for its answer.
    wanted: bool,
    pondering: bool,
    /// When it must have answered, once told to stop.
    deadline: Option<Instant>,
    /// An answer that came while pondering, which no engine should give.
    early: Option<EngineLine>,
}

/// The thread of the player.
struct Worker {
    link: UsiEngine,
    figures: Receiver<SearchInfo>,
    told: Sender<Told>,
    search: Option<Search>,
    /// What is searched when the engine has answered.
    next: Option<Box<Ask>>,
    /// Whether that is wanted at once.
    hurry: bool,
    /// Whether the engine has been ready once.
    has_loaded: bool,
}

/// What woke the thread.
enum Wake {
    Order(Order),
    Heard(EngineLine),
    Figures(SearchInfo),
    /// Nobody gives orders any more.
    Left,
    Closed,
    Late,
}

impl Worker {
    fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let result = match self.wait(orders) {
                Wake::Order(order) => self.obey(order),
                Wake::Heard(heard) => self.hear(heard),
                Wake::Figures(figures) => {
                    self.show(&figures);
                    Ok(())
                }
                Wake::Left => {
                    if self.search.is_some() {
                        self.link.give_up();
                    }
                    return;
                }
                Wake::Closed => Err(self.link.closed()),
                Wake::Late => self.link.in_time(None, "no answer after stop"),
            };
            if let Err(fault) = result {
                // Its successor is to start at once: our clock may be running.
                self.link.give_up();
                return self.tell(Told::Failed(fault.to_string()));
            }
        }
    }

    fn wait(&self, orders: &Receiver<Order>) -> Wake {
        let deadline = self.search.as_ref().and_then(|search| search.deadline);
        let late = deadline.map_or_else(never, at);
        select! {
            recv(orders) -> order => order.map_or(Wake::Left, Wake::Order),
            recv(self.link.heard()) -> heard => heard.map_or(Wake::Closed, Wake::Heard),
            recv(self.figures) -> figures => figures.map_or(Wake::Closed, Wake::Figures),
            recv(late) -> _ => Wake::Late,
        }
    }

    fn tell(&self, told: Told) {
        // Nobody listens any more when the player is being dropped.
        let _ = self.told.send(told);
    }

    fn obey(&mut self, order: Order) -> Result<(), EngineFault> {
        match order {
            Order::Prepare(id, _) => {
                self.abandon()?;
                self.end_search()?;
                let usual = self.link.patience().ready;
                let patience = if self.has_loaded { usual } else { usual.max(LOADING) };
                let wrong = self.link.new_game_within(patience)?;
                self.has_loaded = true;
                if let Some(wrong) = wrong {
                    self.tell(Told::Remark(wrong.trim_start_matches("info string ").into()));
                }
                self.tell(Told::Ready(id));
                Ok(())
            }
            Order::Search(ask) => {
                self.abandon()?;
                self.next = Some(ask);
                self.advance()
            }
            Order::PonderHit { id, clocks, received } => self.ponder_hit(id, clocks, received),
            Order::Stop if self.next.is_some() => {
                self.hurry = true;
                Ok(())
            }
            Order::Stop => self.stop(),
            Order::Abandon => self.abandon(),
            Order::GameOver(outcome) => {
                self.abandon()?;
                self.end_search()?;
                self.link.send(&format!("gameover {outcome}"))
            }
            Order::GiveUp => {
                self.link.give_up();
                Ok(())
            }
        }
    }

    fn abandon(&mut self) -> Result<(), EngineFault> {
        (self.next, self.hurry) = (None, false);
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
            search.deadline = Some(Instant::now() + self.link.patience().stop);
            search.pondering = false;
            self.link.send("stop")?;
        }
        Ok(())
    }

    /// Waits for the end of a search that was told to stop.
    fn end_search(&mut self) -> Result<(), EngineFault> {
        let Some(search) = self.search.take() else { return Ok(()) };
        let deadline = search.deadline.unwrap_or_else(Instant::now);
        let heard = self.link.hear_until(deadline, |heard| is_answer(&heard.line))?;
        self.link.in_time(heard, "no answer after stop").map(|_| ())
    }

    fn ponder_hit(
        &mut self,
        id: OrderId,
        clocks: Clocks,
        received: Instant,
    ) -> Result<(), EngineFault> {
        if let Some(next) = self.next.as_mut().filter(|next| next.id == id) {
            next.hit(clocks, received);
        }
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else {
            return Ok(());
        };
        search.pondering = false;
        match search.early.take() {
            Some(early) => self.answer(early),
            None => self.link.send("ponderhit"),
        }
    }

    fn advance(&mut self) -> Result<(), EngineFault> {
        if self.search.is_some() {
            return Ok(());
        }
        let Some(ask) = self.next.take() else { return Ok(()) };
        // What is left of the last search.
        self.figures.try_iter().for_each(drop);
        let (id, pondering) = (ask.id, ask.ponder);
        self.search = Some(Search { id, wanted: true, pondering, deadline: None, early: None });
        self.link.send(&position_command(&ask))?;
        self.link.send(&go_command(&ask))?;
        if std::mem::take(&mut self.hurry) { self.stop() } else { Ok(()) }
    }

    fn hear(&mut self, heard: EngineLine) -> Result<(), EngineFault> {
        match &mut self.search {
            _ if !is_answer(&heard.line) => Ok(()),
            None => Err(self.link.unasked(&heard)),
            Some(search) if search.pondering => {
                search.early = Some(heard);
                Ok(())
            }
            Some(_) => self.answer(heard),
        }
    }

    fn answer(&mut self, heard: EngineLine) -> Result<(), EngineFault> {
        let Some(search) = self.search.take() else { return Ok(()) };
        if search.wanted {
            self.tell(Told::Thought(search.id, thought(&heard.info)));
            let answer = parse_bestmove(&heard.line);
            let answer =
                answer.map_err(|bad| EngineFault::protocol(format!("{} ({bad})", heard.line)))?;
            self.tell(Told::Answer(search.id, answer));
        }
        self.advance()
    }

    fn show(&self, figures: &SearchInfo) {
        if let Some(search) = self.search.as_ref().filter(|search| search.wanted) {
            self.tell(Told::Thought(search.id, thought(figures)));
        }
    }
}

fn thought(info: &SearchInfo) -> Thought {
    let line = info.pv.split_whitespace().map_while(|word| word.parse().ok()).collect();
    Thought { depth: info.depth, nodes: info.nodes, score: info.score, line }
}

fn position_command(ask: &Ask) -> String {
    let sfen = (ask.start != Setup::startpos()).then_some(&ask.start as &dyn Display);
    position_line(sfen, ask.moves.iter().copied())
}

/// The clocks as interfaces tell them: main times without the increment of the move; increments or
/// the byoyomi of the side to move, never both.
fn go_command(ask: &Ask) -> String {
    let side = side_to_move(ask);
    let sides = &ask.clocks.sides;
    let own = sides[side];
    let with_byoyomi = !own.byoyomi.is_zero() || own.increment.is_zero();
    let mut text = if ask.ponder { "go ponder".to_owned() } else { "go".to_owned() };
    let rest = |color: Color| {
        let budget = sides[color];
        // What is not told as an increment is there all the same.
        let rest = if with_byoyomi { budget.rest + budget.increment } else { budget.rest };
        rest.as_millis()
    };
    let _ = write!(text, " btime {} wtime {}", rest(Color::Black), rest(Color::White));
    let _ = if with_byoyomi {
        write!(text, " byoyomi {}", own.byoyomi.as_millis())
    } else {
        let increment = |color: Color| sides[color].increment.as_millis();
        write!(text, " binc {} winc {}", increment(Color::Black), increment(Color::White))
    };
    text
}

fn side_to_move(ask: &Ask) -> Color {
    if ask.moves.len().is_multiple_of(2) { ask.start.side } else { !ask.start.side }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csa::clock::Budget;
    use crate::types::ByColor;

    fn ask(moves: &str, black: Budget, white: Budget) -> Ask {
        let sides = ByColor([black, white]);
        Ask {
            id: 1,
            start: Setup::startpos(),
            moves: moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect(),
            clocks: Clocks { sides, whole: sides, overhead: Duration::ZERO },
            ponder: false,
            received: Instant::now(),
        }
    }

    fn budget(rest: u64, increment: u64, byoyomi: u64) -> Budget {
        let [rest, increment, byoyomi] = [rest, increment, byoyomi].map(Duration::from_millis);
        Budget { rest, increment, byoyomi }
    }

    #[test]
    fn a_position_is_told_by_its_start_and_moves() {
        let mut ask = ask("7g7f 3c3d", Budget::default(), Budget::default());
        assert_eq!(position_command(&ask), "position startpos moves 7g7f 3c3d");
        ask.start.ply = 3;
        ask.moves.clear();
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3";
        assert_eq!(position_command(&ask), format!("position sfen {sfen}"));
    }

    #[test]
    fn the_side_to_move_is_told_its_byoyomi_or_both_increments() {
        let go = |moves, black, white| go_command(&ask(moves, black, white));
        let (byoyomi, fischer) = (budget(5000, 0, 900), budget(7000, 800, 0));
        assert_eq!(go("", byoyomi, fischer), "go btime 5000 wtime 7800 byoyomi 900");
        assert_eq!(go("7g7f", byoyomi, fischer), "go btime 5000 wtime 7000 binc 0 winc 800");
        let death = budget(5000, 0, 0);
        assert_eq!(go("", death, death), "go btime 5000 wtime 5000 byoyomi 0");
        let both = budget(100, 200, 300);
        assert_eq!(go("", both, death), "go btime 300 wtime 5000 byoyomi 300");
        let mut ponder = ask("7g7f", byoyomi, byoyomi);
        ponder.ponder = true;
        assert_eq!(go_command(&ponder), "go ponder btime 5000 wtime 5000 byoyomi 900");
    }

    #[cfg(unix)]
    const LONG: Duration = Duration::from_secs(600);

    /// A player whose engine is this script, told to prepare and to search. It waits so long for the
    /// engine to get ready, and for all else without end.
    #[cfg(unix)]
    fn player(script: &str, ready: Duration) -> UsiPlayer {
        use crate::csa::player::Terms;

        let patience = EngineTimeouts { ready, stop: LONG, quit: LONG };
        let command = ["sh", "-c", script].map(Into::into).into();
        let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
        let mut player = UsiPlayer::open(launch, patience).unwrap();
        let (unit, least) = (Duration::from_secs(1), Duration::ZERO);
        player.obey(Order::Prepare(0, Terms { max_moves: None, unit, least }));
        player.obey(Order::Search(Box::new(ask("", Budget::default(), Budget::default()))));
        player
    }

    /// The same with no end at all, and what it tells until it is silent.
    #[cfg(unix)]
    fn scripted(script: &str) -> (UsiPlayer, Vec<Told>) {
        let player = player(script, LONG);
        let next = || player.told().recv_timeout(Duration::from_millis(500)).ok();
        let told = std::iter::from_fn(next).collect();
        (player, told)
    }

    /// Nobody waits long when this player is dropped.
    #[cfg(unix)]
    fn leave(player: UsiPlayer) {
        let begun = Instant::now();
        drop(player);
        assert!(begun.elapsed() < Duration::from_secs(60));
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_is_silent_at_its_start_holds_nobody_up() {
        for script in ["sleep 1000", "read usi; echo usiok; sleep 1000"] {
            let (player, told) = scripted(script);
            assert!(told.iter().all(|told| *told == Told::Started), "{told:?}");
            leave(player);
        }
    }

    /// It was ended and started again, until the client gave up.
    #[cfg(unix)]
    #[test]
    fn an_engine_may_take_longer_to_get_ready_the_first_time() {
        let script = "while read line; do case $line in usi) echo usiok;; \
                      isready) sleep 4; echo readyok;; esac; done";
        let player = player(script, Duration::from_secs(3));
        let next = || player.told().recv_timeout(Duration::from_secs(60));
        assert_eq!(next(), Ok(Told::Started));
        assert_eq!(next(), Ok(Told::Ready(0)));
        leave(player);
    }

    /// An engine that says this while it gets ready, and this when it is to search; then nothing.
    #[cfg(unix)]
    fn engine(remark: &str, answer: &str) -> String {
        format!(
            "while read line; do case $line in usi) echo usiok;; \
             isready) echo '{remark}'; echo readyok;; go*) echo '{answer}'; sleep 1000;; esac; done"
        )
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_answers_nonsense_is_not_waited_for() {
        let (player, told) = scripted(&engine("", "bestmove a b c"));
        assert!(matches!(told.last(), Some(Told::Failed(_))), "{told:?}");
        leave(player);
    }

    #[cfg(unix)]
    #[test]
    fn what_an_engine_says_is_wrong_while_it_gets_ready_is_told() {
        let (player, told) = scripted(&engine("info string error: there is no nn.bin", ""));
        let remark = Told::Remark("error: there is no nn.bin".into());
        assert_eq!(told, [Told::Started, remark, Told::Ready(0)]);
        leave(player);
    }
}
