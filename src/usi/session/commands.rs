//! Executes the commands of the GUI.

use super::state::Session;
use super::tasks::QueuedTask;
use crate::engine::{
    AUTHOR, LoadMessage, LoadResult, MoveListError, NAME, SearchBackend, build_info,
};
use crate::nnue::Isa;
use crate::position::Position;
use crate::sys::Instant;
use crate::usi::command::{Command, Start, UsiMoves};
use crate::usi::format;
use crate::usi::help;
use crate::usi::messages;
use crate::usi::options::{self, OptionError, OptionGroup, UsiOption};

impl<B: SearchBackend> Session<B> {
    pub(super) fn execute(&mut self, command: Command, received: Instant) {
        match command {
            Command::Usi => self.identify(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.answer_isready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::GetOption(name) => self.show_options(name.as_deref()),
            Command::Help(name) => self.show_help(name.as_deref()),
            Command::Register => {
                self.output.write_line("registration checking");
                self.output.write_line("registration ok");
            }
            Command::NewGame => {
                self.engine.new_game();
                self.lateness.begin_game();
            }
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::PosDiff(list) => self.play_moves(&list),
            Command::Go(limits) => self.go(*limits, received),
            Command::Perft(depth) => self.perft(depth),
            Command::PonderHit(clock) => self.ponder_hit(clock, received),
            Command::Stop => self.stop(received),
            Command::Entries(entries) => self.engine.insert_entries(&entries),
            Command::GameOver => self.stop_last_task(),
            Command::Quit => self.quit(),
            Command::Moves => self.show_moves(),
            Command::Display => self.show_board(),
            Command::Key => {
                self.output.write_line(&format!("{:016x}", self.engine.position().key()))
            }
            // Match runners send this too, and read any other line as white.
            Command::Side => self.output.write_line(self.engine.position().side_to_move().name()),
            Command::Eval => self.evaluate(),
            Command::Compiler => self.show_build(),
        }
    }

    fn identify(&mut self) {
        self.output.write_line(&format!("id name {NAME}"));
        self.output.write_line(&format!("id author {AUTHOR}"));
        for declaration in options::declarations(&self.initial_settings) {
            self.output.write_line(&declaration);
        }
        self.output.write_line("usiok");
    }

    /// Answers at once during a search that has not been told to stop, otherwise after the preparation. The
    /// preparation waits for stopping tasks, because it would otherwise take time of the first move.
    fn answer_isready(&mut self) {
        if self.tasks.back().is_some_and(QueuedTask::is_stopping) {
            self.tasks.push_back(QueuedTask::IsReady);
            return;
        }
        match self.tasks.front() {
            None => self.prepare(),
            Some(QueuedTask::Search(task)) if task.is_waiting() => self.await_ready(),
            Some(_) => self.output.write_line("readyok"),
        }
    }

    /// Starts the preparation for `isready`; answers at once if there is nothing to prepare.
    pub(super) fn prepare(&mut self) {
        if self.engine.prepare_game() {
            self.output.write_line("readyok");
        } else {
            self.await_ready();
        }
    }

    /// Answers one more `isready` when the preparation is done.
    fn await_ready(&mut self) {
        if self.awaiting_ready == 0 {
            self.next_blank = Instant::now() + self.timeouts.keep_alive;
        }
        self.awaiting_ready += 1;
    }

    pub(super) fn finish_load(&mut self, loaded: LoadResult<B>) {
        for message in self.engine.finish_load(loaded) {
            match message {
                LoadMessage::Note(text) => self.output.write_message(&text),
                LoadMessage::Error(text) => self.output.write_engine_error(&text),
            }
        }
        if !self.engine.ensure_ready() {
            // The settings have changed since the load began.
            return;
        }
        for _ in 0..std::mem::take(&mut self.awaiting_ready) {
            self.output.write_line("readyok");
        }
        for position in std::mem::take(&mut self.awaiting_eval) {
            self.show_evaluation(&position);
        }
        self.advance();
    }

    fn set_option(&mut self, name: &[u8], value: Option<&[u8]>) {
        let intended =
            value.map(|value| options::intended_value(name, &self.initial_settings, value));
        match self.engine.set(|settings| options::set(settings, name, intended)) {
            // Not for other options: a log that cannot be opened would report its error for each.
            Ok(option) if option.group == OptionGroup::Logs => {
                let settings = self.engine.settings();
                let (traffic, thinking) = (&settings.debug_log, &settings.thinking_log);
                self.output.set_logs(traffic.as_deref(), thinking.as_deref());
            }
            Ok(_) => {}
            Err(error) => self.output.write_error(&error.to_string()),
        }
    }

    fn show_options(&mut self, name: Option<&[u8]>) {
        let book_options = self.initial_settings.profile.book_options;
        let shown: Vec<&UsiOption> = match name {
            None => options::declared(book_options).collect(),
            Some(name) => match options::find_or_suggest(book_options, name) {
                Ok(option) => vec![option],
                Err(error) => return self.output.write_error(&error.to_string()),
            },
        };
        for option in shown {
            let value = option.value(self.engine.settings());
            self.output.write_message(&format!("{} = {value}", option.name));
        }
    }

    fn show_help(&mut self, name: Option<&[u8]>) {
        let lines = match name {
            None => Ok(help::commands()),
            Some(name) => help::on(name, &self.initial_settings, self.engine.settings()),
        };
        match lines {
            Ok(lines) => lines.iter().for_each(|line| self.output.write_message(line)),
            // The other errors do not begin with `no option`.
            Err(error @ OptionError::UnknownName { .. }) => {
                self.output.write_error(&format!("no command and {error}"));
            }
            Err(error) => self.output.write_error(&error.to_string()),
        }
    }

    fn set_position(&mut self, start: &Start, list: &UsiMoves) {
        match start.position() {
            Ok(position) => {
                self.is_position_unknown = list.is_incomplete;
                let result = self.engine.set_position(position, &list.moves);
                self.report_refused(result);
            }
            Err(error) => {
                self.is_position_unknown = true;
                self.output.write_error(&messages::start_refused(&error));
            }
        }
    }

    fn play_moves(&mut self, list: &UsiMoves) {
        self.is_position_unknown |= list.is_incomplete;
        let result = self.engine.play(&list.moves);
        self.report_refused(result);
    }

    fn report_refused(&mut self, played: Result<(), MoveListError>) {
        if let Err(refused) = played {
            self.is_position_unknown = true;
            self.output.write_error(&messages::move_refused(&refused));
        }
    }

    /// Not for commands that programs send too: they take the next line for the answer.
    fn warn_of_other_position(&mut self) {
        if self.is_position_unknown {
            self.output.write_message(messages::OTHER_POSITION);
        }
    }

    /// Answers at once, unless the network must be loaded first. A running search continues.
    fn evaluate(&mut self) {
        self.warn_of_other_position();
        let position = self.engine.position().clone();
        if self.engine.is_searching() || self.engine.ensure_ready() {
            self.show_evaluation(&position);
        } else {
            self.awaiting_eval.push(position);
        }
    }

    fn show_evaluation(&mut self, position: &Position) {
        let (score, raw) = self.engine.evaluate(position);
        self.output.write_line(&format::evaluation(score, raw));
    }

    fn show_build(&mut self) {
        let available: Vec<_> =
            Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(Isa::name).collect();
        self.output.write_message(&format!(
            "{}; evaluation: {}; kernels: {}; available: {}",
            build_info(),
            self.engine.network_name(),
            self.engine.isa().name(),
            available.join(" "),
        ));
    }

    fn show_moves(&mut self) {
        let moves: Vec<String> =
            self.engine.position().legal_moves().moves().map(|mv| mv.to_string()).collect();
        // An empty line if there is none: Ayane takes the next line for the moves, whatever it says.
        self.output.write_line(&moves.join(" "));
    }

    fn show_board(&mut self) {
        self.warn_of_other_position();
        for line in self.engine.position().to_string().lines() {
            self.output.write_line(line);
        }
    }
}
