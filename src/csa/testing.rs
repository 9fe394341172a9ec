//! A session at a table in memory, for tests: what the server and the player say is given to it,
//! and what it does is written down. Time goes only as the test says.

use std::time::{Duration, Instant};

use super::action::{Action, Finished, Parting};
use super::game::Manner;
use super::player::{Ask, Order, OrderId, Thought, Told};
use super::session::{Career, Input, Plan, Session};
use crate::types::Move;
use crate::usi_client::{BestMove, EngineScore, GameOver};

pub(super) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(super) fn plan() -> Plan {
    Plan {
        manner: Manner { ponder: false, comments: false },
        challenge: None,
        logout: false,
        keep_alive: Duration::from_secs(40),
        margin: Duration::ZERO,
    }
}

/// See the module's comment.
pub(super) struct Table {
    pub(super) session: Session,
    pub(super) now: Instant,
    pub(super) sent: Vec<String>,
    pub(super) orders: Vec<Order>,
    pub(super) said: Vec<String>,
    pub(super) warned: Vec<String>,
    pub(super) saved: Vec<Finished>,
    pub(super) restarts: usize,
    pub(super) parting: Option<Parting>,
}

impl Table {
    pub(super) fn new(plan: Plan) -> Table {
        Table::with_games(plan, None)
    }

    pub(super) fn with_games(plan: Plan, games: Option<u32>) -> Table {
        let now = Instant::now();
        let (session, actions) = Session::open(plan, Career { games, next_id: 1 }, now);
        assert_eq!(actions, [Action::Login]);
        Table {
            session,
            now,
            sent: Vec::new(),
            orders: Vec::new(),
            said: Vec::new(),
            warned: Vec::new(),
            saved: Vec::new(),
            restarts: 0,
            parting: None,
        }
    }

    /// In a game that has just begun, with these lines in the proposal besides our colour.
    pub(super) fn playing(plan: Plan, sign: char, lines: &str) -> Table {
        let mut table = Table::new(plan);
        table.login();
        table.propose(sign, lines);
        table.hear("START:g");
        table.sent.clear();
        table
    }

    pub(super) fn login(&mut self) {
        self.hear("LOGIN:kawasemi OK");
    }

    /// A proposal, for which the player gets ready.
    pub(super) fn propose(&mut self, sign: char, lines: &str) {
        self.hear(&format!(
            "BEGIN Game_Summary\nGame_ID:g\nName+:black\nName-:white\nYour_Turn:{sign}\n{lines}\n\
             END Game_Summary"
        ));
        self.ready();
    }

    /// The player has got ready as it was ordered last.
    pub(super) fn ready(&mut self) {
        let id = |order: &Order| match order {
            Order::Prepare(id, _) => Some(*id),
            _ => None,
        };
        let id = self.orders.iter().rev().find_map(id).expect("an order to get ready");
        self.tell(Told::Ready(id));
    }

    pub(super) fn hear(&mut self, lines: &str) {
        for line in lines.split('\n') {
            self.handle(Input::Line(line));
        }
    }

    pub(super) fn tell(&mut self, told: Told) {
        self.handle(Input::Told(told));
    }

    /// Lets time go by, and what is due then happen.
    pub(super) fn after(&mut self, millis: u64) {
        self.now += ms(millis);
        self.handle(Input::Time);
    }

    pub(super) fn handle(&mut self, input: Input<'_>) {
        assert_eq!(self.parting, None, "{input:?} comes too late");
        for action in self.session.handle(input, self.now) {
            match action {
                Action::Login => panic!("a second login"),
                Action::Send(line) => self.sent.push(line),
                Action::Order(order) => self.orders.push(order),
                Action::Restart => self.restarts += 1,
                Action::Say(text) => self.said.push(text),
                Action::Warn(text) => self.warned.push(text),
                Action::Save(finished) => self.saved.push(*finished),
                Action::Part(parting) => self.parting = Some(parting),
            }
        }
    }

    /// The last search that was ordered.
    pub(super) fn ask(&self) -> &Ask {
        let search = |order: &'_ Order| matches!(order, Order::Search(_));
        match self.orders.iter().rev().find(|order| search(order)) {
            Some(Order::Search(ask)) => ask,
            _ => panic!("no search in {:?}", self.orders),
        }
    }

    /// The moves of that search, in words, and whether it ponders.
    pub(super) fn asked(&self) -> (String, bool) {
        let moves: Vec<String> = self.ask().moves.iter().map(|mv| mv.to_string()).collect();
        (moves.join(" "), self.ask().ponder)
    }

    /// The player answers its last search: `7g7f`, `7g7f 3c3d` with the move to ponder on,
    /// `resign` or `win`.
    pub(super) fn answer(&mut self, text: &str) {
        let id = self.ask().id;
        self.answer_to(id, text);
    }

    pub(super) fn answer_to(&mut self, id: OrderId, text: &str) {
        let answer = match text.split(' ').collect::<Vec<_>>()[..] {
            ["resign"] => BestMove::Resign,
            ["win"] => BestMove::DeclareWin,
            [best] => BestMove::Move { best: mv(best), ponder: None },
            [best, ponder] => BestMove::Move { best: mv(best), ponder: Some(mv(ponder)) },
            _ => panic!("{text}"),
        };
        self.tell(Told::Answer(id, answer));
    }

    /// The player says what it thinks in its last search.
    pub(super) fn think(&mut self, score: EngineScore, line: &str) {
        let line = line.split_whitespace().map(mv).collect();
        let thought = Thought { depth: Some(9), nodes: Some(99), score: Some(score), line };
        self.tell(Told::Thought(self.ask().id, thought));
    }

    /// What the player was told of the end of games.
    pub(super) fn game_overs(&self) -> Vec<GameOver> {
        let over = |order: &Order| match order {
            Order::GameOver(outcome) => Some(*outcome),
            _ => None,
        };
        self.orders.iter().filter_map(over).collect()
    }

    pub(super) fn last_sent(&self) -> &str {
        self.sent.last().map_or("", String::as_str)
    }
}

pub(super) fn mv(text: &str) -> Move {
    text.parse().unwrap_or_else(|_| panic!("{text} is no move"))
}
