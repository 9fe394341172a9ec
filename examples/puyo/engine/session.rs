//! The UPI session: executes the commands of the GUI.
//!
//! A turn is a position with one pair to place. It gets one `bestmove`, however often `go` comes, and another one only
//! after `illegalmove`.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;
use kawasemi::engine::AUTHOR;
use kawasemi::session::{
    EventLoop, InputLine, Protocol, ProtocolMarks, SearchControl, SearchEvent, SearchMessage,
    SearchThread, SessionOutput, Urgency,
};

use super::command::{Command, CommandError, parse};
use super::deadline::Deadlines;
use super::placement::Placement;
use super::planner::{Planner, choose_placement};
use super::position::Position;
use super::rule::Rule;
use super::search::{Game, Limits, MAX_NODES};
use super::tumo::Tumo;

/// Settings of the command line. The protocol has no options.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The time of a `go` without a time.
    pub time: Duration,
    pub log: Option<&'a Path>,
}

/// Speaks UPI until `quit` or the end of the input.
///
/// # Errors
/// If the system refuses a thread, or the output cannot be written.
pub fn run(
    settings: Settings<'_>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let marks = ProtocolMarks { name: "upi", message_prefix: "# " };
    let mut event_loop = EventLoop::open(marks, output)?;
    event_loop.output.set_logs(None, settings.log);
    event_loop.run(&mut Upi::new(settings.time)?, input)?;
    event_loop.close()
}

#[derive(Debug)]
struct Job {
    game: Arc<Game>,
    position: Position,
    refused: Vec<Placement>,
    deadline: Instant,
}

/// A turn of the GUI.
#[derive(Debug)]
struct Turn {
    number: u64,
    position: Position,
    /// Answers that the GUI has called illegal.
    refused: Vec<Placement>,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Waiting,
    Thinking,
    Answered(Placement),
}

/// The context in which an answer is written.
#[derive(Debug)]
struct AnswerContext {
    turn: u64,
    deadline: Instant,
    /// The answer if the search panics.
    fallback: Placement,
}

type Search = SearchThread<Job, (), Placement, AnswerContext>;

#[derive(Debug)]
struct Upi {
    search: Search,
    /// The time of a `go` without a time.
    time: Duration,
    tumo: Option<Tumo>,
    rule: Rule,
    /// `tumo` and `rule`, shared with the searches.
    game: Option<Arc<Game>>,
    turns: u64,
    turn: Option<Turn>,
    deadlines: Deadlines,
}

impl Upi {
    fn new(time: Duration) -> io::Result<Upi> {
        let mut planner = Planner::default();
        let search =
            SearchThread::spawn(move |job: Job, control: &SearchControl<(), Placement>| {
                let limits = Limits {
                    deadline: Some(job.deadline),
                    nodes: MAX_NODES,
                    is_stopped: &|| control.is_stopped(),
                };
                let found = planner.search(&job.game, &job.position, &job.refused, limits);
                choose_placement(&job.game, &job.position, &job.refused, &found.plan.placements)
            })?;
        Ok(Upi {
            search,
            time,
            tumo: None,
            rule: Rule::default(),
            game: None,
            turns: 0,
            turn: None,
            deadlines: Deadlines::default(),
        })
    }

    fn execute(&mut self, command: Command, received: Instant, output: &mut SessionOutput) {
        match command {
            Command::Upi => {
                output.write_line(concat!("id name Kawasemi Puyo ", env!("CARGO_PKG_VERSION")));
                output.write_line(&format!("id author {AUTHOR}"));
                output.write_line("upiok");
            }
            Command::Rule(rule) => {
                self.rule = rule;
                self.new_game();
            }
            Command::Tumo(tumo) => {
                self.tumo = Some(*tumo);
                self.new_game();
            }
            Command::IsReady => {
                self.end_turn();
                output.write_line("readyok");
            }
            Command::Position(position) => self.set_position(*position, output),
            Command::Go(time) => self.go(received, time.unwrap_or(self.time), output),
            Command::IllegalMove(placement) => self.refuse(placement, output),
            Command::GameOver | Command::Quit => self.end_turn(),
        }
    }

    fn new_game(&mut self) {
        self.game = self.tumo.clone().map(|tumo| Arc::new(Game { tumo, rule: self.rule }));
        self.end_turn();
    }

    /// Ends the turn. A running search is stopped and answers.
    fn end_turn(&mut self) {
        self.search.stop();
        self.turn = None;
    }

    fn set_position(&mut self, position: Position, output: &mut SessionOutput) {
        match &mut self.turn {
            // The garbage may have changed.
            Some(turn) if turn.position.is_same_turn(&position) => {
                turn.position = position;
                output.log_note("the turn is the same");
            }
            _ => {
                self.search.stop();
                self.turns += 1;
                let (number, refused) = (self.turns, Vec::new());
                self.turn = Some(Turn { number, position, refused, stage: Stage::Waiting });
            }
        }
    }

    fn go(&mut self, received: Instant, time: Duration, output: &mut SessionOutput) {
        let Some(game) = &self.game else {
            return output.write_error("go needs the pairs of a tumo line first");
        };
        let Some(turn) = &mut self.turn else {
            return output.write_error("go needs a position first");
        };
        match turn.stage {
            Stage::Waiting => {
                turn.stage = Stage::Thinking;
                let (position, refused) = (turn.position, turn.refused.clone());
                let fallback = choose_placement(game, &position, &refused, &[]);
                let deadline = self.deadlines.after(received, time);
                let job = Job { game: Arc::clone(game), position, refused, deadline };
                self.search.begin(job, AnswerContext { turn: turn.number, deadline, fallback });
            }
            // A second `go` ends the search.
            Stage::Thinking => self.search.stop(),
            // The GUI sent this `go` before it received the answer.
            Stage::Answered(_) => output.log_note("this position has been answered"),
        }
    }

    fn refuse(&mut self, placement: Placement, output: &mut SessionOutput) {
        let Some(turn) = &mut self.turn else {
            return output.write_error("illegalmove needs a position first");
        };
        let Stage::Answered(answer) = turn.stage else {
            return output.write_error("illegalmove needs a bestmove before it");
        };
        for refused in [answer, placement] {
            if !turn.refused.contains(&refused) {
                turn.refused.push(refused);
            }
        }
        turn.stage = Stage::Waiting;
    }

    fn answer(
        &mut self,
        found: Option<Placement>,
        context: AnswerContext,
        output: &mut SessionOutput,
    ) {
        self.deadlines.record_answer(context.deadline, Instant::now());
        let placement = found.unwrap_or(context.fallback);
        output.write_line(&format!("bestmove {placement}"));
        if let Some(turn) = self.turn.as_mut().filter(|turn| turn.number == context.turn) {
            turn.stage = Stage::Answered(placement);
        }
    }
}

impl Protocol for Upi {
    type Event = SearchEvent<(), Placement>;

    fn events(&self) -> &Receiver<Self::Event> {
        self.search.events()
    }

    fn urgency(&self, line: &InputLine) -> Urgency {
        match parse(&line.bytes) {
            _ if line.truncated => Urgency::InTurn,
            Ok(Some(Command::Quit)) => Urgency::Quit,
            Ok(Some(Command::GameOver)) => Urgency::Stop,
            _ => Urgency::InTurn,
        }
    }

    fn execute_line(&mut self, line: &InputLine, output: &mut SessionOutput) {
        let command = if line.truncated { Err(CommandError::TooLong) } else { parse(&line.bytes) };
        match command {
            Ok(Some(command)) => self.execute(command, line.received, output),
            Ok(None) => {}
            Err(error) => output.write_error(&error.to_string()),
        }
    }

    fn handle_event(&mut self, event: Self::Event, output: &mut SessionOutput) {
        match self.search.accept(event) {
            Some(SearchMessage::Ended { found, context }) => self.answer(found, context, output),
            Some(SearchMessage::Report(())) | None => {}
        }
    }

    fn stop(&mut self) {
        self.search.stop();
    }

    fn is_busy(&self) -> bool {
        self.search.is_full()
    }

    fn owes_answer(&self) -> bool {
        self.search.owes_answer()
    }
}
