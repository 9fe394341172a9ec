//! What the session does at each command of the GUI.

use std::time::Instant;

use super::Session;
use crate::engine::{AUTHOR, LoadResult, MoveListError, NAME, SearchBackend, build};
use crate::nnue::Isa;
use crate::position::Position;
use crate::types::Color;
use crate::usi::command::{Command, MoveList, Start};
use crate::usi::complaint;
use crate::usi::help;
use crate::usi::line;
use crate::usi::options::{self, Group};

use super::tasks::Task;

impl<S: SearchBackend> Session<S> {
    pub(super) fn obey(&mut self, command: Command, received: Instant) {
        match command {
            Command::Usi => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::GetOption(name) => self.show_options(name.as_deref()),
            Command::Help(name) => self.show_help(name.as_deref()),
            Command::Register => {
                self.output.line("registration checking");
                self.output.line("registration ok");
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::PosDiff(list) => self.play(&list),
            Command::Go(limits) => self.go(*limits, received),
            Command::Perft(depth) => self.count(depth),
            Command::PonderHit(clock) => self.ponder_hit(clock, received),
            Command::Stop | Command::GameOver => self.release(),
            Command::Quit => self.leave(),
            Command::Moves => self.show_moves(),
            Command::Display => self.show_board(),
            Command::Key => self.output.line(&format!("{:016x}", self.engine.position().key())),
            Command::Side => self.show_side(),
            Command::Eval => self.evaluate(),
            Command::Compiler => self.show_build(),
        }
    }

    fn introduce(&mut self) {
        self.output.line(&format!("id name {NAME}"));
        self.output.line(&format!("id author {AUTHOR}"));
        for declaration in options::declarations(&self.initial) {
            self.output.line(&declaration);
        }
        self.output.line("usiok");
    }

    /// Answered at once while something goes on that nobody has told to end, else when all work is
    /// done. What has been told to end is over soon, so it is waited for: the work would else fall to
    /// the clock of the first move.
    fn get_ready(&mut self) {
        if self.tasks.back().is_some_and(Task::is_ending) {
            self.tasks.push_back(Task::GetReady);
            return;
        }
        match self.tasks.front() {
            None => self.prepare(),
            Some(Task::Search(turn)) if turn.is_waiting() => self.await_ready(),
            Some(_) => self.output.line("readyok"),
        }
    }

    /// Begins the work that `isready` asks for, and answers if there is none.
    pub(super) fn prepare(&mut self) {
        if self.engine.prepare_game() {
            self.output.line("readyok");
        } else {
            self.await_ready();
        }
    }

    /// One more `isready` is answered when the workshop has done its work.
    fn await_ready(&mut self) {
        if self.awaiting_ready == 0 {
            self.next_blank = Instant::now() + self.pace.keep_alive;
        }
        self.awaiting_ready += 1;
    }

    pub(super) fn take_back(&mut self, searcher: LoadResult<S>) {
        for message in self.engine.finish_load(searcher) {
            self.output.complain(&message);
        }
        if !self.engine.ensure_ready() {
            // Settings have changed meanwhile, so there is more to do.
            return;
        }
        for _ in 0..std::mem::take(&mut self.awaiting_ready) {
            self.output.line("readyok");
        }
        for position in std::mem::take(&mut self.awaiting_eval) {
            self.show_evaluation(&position);
        }
        self.advance();
    }

    fn set_option(&mut self, name: &[u8], value: Option<&[u8]>) {
        let meant = value.map(|value| options::meant(name, &self.initial, value));
        match self.engine.set(|settings| options::set(settings, name, meant)) {
            // No other option: each would try once more, and fail, where a log cannot be opened.
            Ok(row) if row.group == Group::Files => self.output.follow(self.engine.settings()),
            Ok(_) => {}
            Err(error) => self.output.complain(&error.to_string()),
        }
    }

    fn show_options(&mut self, name: Option<&[u8]>) {
        let wanted = match name.map(options::named).transpose() {
            Ok(row) => row.map(|row| row.name),
            Err(error) => return self.output.complain(&error.to_string()),
        };
        for row in options::declared().filter(|row| wanted.is_none_or(|name| name == row.name)) {
            let value = row.value(self.engine.settings());
            self.output.message(&format!("{} = {value}", row.name));
        }
    }

    fn show_help(&mut self, name: Option<&[u8]>) {
        let lines = match name {
            None => Ok(help::commands()),
            Some(name) => help::on(name, &self.initial, self.engine.settings()),
        };
        match lines {
            Ok(lines) => lines.iter().for_each(|line| self.output.message(line)),
            Err(error) => self.output.complain(&format!("no command and {error}")),
        }
    }

    fn set_position(&mut self, start: &Start, list: &MoveList) {
        match start.position() {
            Ok(position) => {
                self.is_astray = list.breaks_off;
                let result = self.engine.set_position(position, &list.moves);
                self.complain_of(result);
            }
            Err(error) => {
                self.is_astray = true;
                self.output.complain(&complaint::start_refused(&error));
            }
        }
    }

    fn play(&mut self, list: &MoveList) {
        self.is_astray |= list.breaks_off;
        let result = self.engine.play(&list.moves);
        self.complain_of(result);
    }

    fn complain_of(&mut self, played: Result<(), MoveListError>) {
        if let Err(refused) = played {
            self.is_astray = true;
            self.output.complain(&complaint::move_refused(&refused));
        }
    }

    /// Answered at once, unless the network that is to answer is still to be loaded. A search that
    /// runs goes on.
    fn evaluate(&mut self) {
        let position = self.engine.position().clone();
        if self.engine.is_searching() || self.engine.ensure_ready() {
            self.show_evaluation(&position);
        } else {
            self.awaiting_eval.push(position);
        }
    }

    fn show_evaluation(&mut self, position: &Position) {
        let (score, raw) = self.engine.evaluate(position);
        self.output.line(&line::evaluation(score, raw));
    }

    fn show_build(&mut self) {
        let able: Vec<_> =
            Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(Isa::name).collect();
        self.output.message(&format!(
            "{}; evaluation: {}; kernels: {}, of {}",
            build(),
            self.engine.evaluation_name(),
            self.engine.kernels().name(),
            able.join(" "),
        ));
    }

    fn show_moves(&mut self) {
        let moves: Vec<String> =
            self.engine.position().legal_moves().moves().map(|mv| mv.to_string()).collect();
        if moves.is_empty() {
            self.output.message("there is no legal move");
        } else {
            self.output.line(&moves.join(" "));
        }
    }

    /// Programs that let engines play ask this too, and take any other line for white.
    fn show_side(&mut self) {
        self.output.line(match self.engine.position().side_to_move() {
            Color::Black => "black",
            Color::White => "white",
        });
    }

    fn show_board(&mut self) {
        for line in self.engine.position().to_string().lines() {
            self.output.line(line);
        }
    }
}
