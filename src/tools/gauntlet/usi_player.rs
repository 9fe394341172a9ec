//! A player that is a USI engine in a process of its own.
//!
//! It owns the protocol: the handshake, options, `go` and its one answer, pondering, the time an
//! answer took. What the answer means, and whether it came in time, is for the game to say.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::player::{Ask, Fault, GameOver, Player, Reply};
use super::process::{Heard, Process, Silence};
use super::spec::{EngineSpec, set_option};

/// How long an engine may be silent where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start to `usiok`, and from `isready` to `readyok`.
    pub ready: Duration,
    /// From `stop` to the answer.
    pub stop: Duration,
    /// From `quit` to its end.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            ready: Duration::from_secs(60),
            stop: Duration::from_secs(3),
            quit: Duration::from_secs(3),
        }
    }
}

/// Why an engine does not come up.
#[derive(Debug)]
pub enum StartError {
    Spawn(io::Error),
    /// It declares no such option, and it is none that every engine must accept.
    UnknownOption(String),
    Fault(Fault),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Spawn(error) => write!(f, "cannot start it: {error}"),
            StartError::UnknownOption(name) => write!(f, "it declares no option `{name}`"),
            StartError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Fault(fault)
    }
}

/// Options that an interface may send to an engine that declares none of them.
const ALWAYS_ACCEPTED: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// A running engine.
#[derive(Debug)]
pub struct UsiPlayer {
    process: Process,
    patience: Patience,
    /// The types of the options it has, by name in lower case.
    declared: HashMap<String, String>,
    /// Whether a search runs whose answer nobody has taken.
    pondering: bool,
    /// Whether it can still be spoken to.
    sound: bool,
}

impl UsiPlayer {
    /// Starts the engine, waits for `usiok` and sets its options.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn start(spec: &EngineSpec, patience: Patience) -> Result<UsiPlayer, StartError> {
        let process = Process::spawn(command(spec)).map_err(StartError::Spawn)?;
        let declared = HashMap::new();
        let mut player = UsiPlayer { process, patience, declared, pondering: false, sound: true };
        player.send("usi")?;
        player.hear_options()?;
        let mut options = spec.options.clone();
        if spec.ponder {
            set_option(&mut options, "USI_Ponder", "true");
        }
        for (name, value) in &options {
            let line = option_line(name, value, &player.declared)?;
            player.send(&line)?;
        }
        Ok(player)
    }

    /// Waits for `usiok`, and notes the declared options.
    fn hear_options(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.patience.ready;
        let mut declared = HashMap::new();
        let done = self.hear_until(deadline, |heard| {
            declared.extend(declared_option(&heard.line));
            heard.line == "usiok"
        })?;
        self.in_time(done, "no usiok in time")?;
        self.declared = declared;
        Ok(())
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.process.send(line).map_err(|error| {
            self.sound = false;
            Fault::crash(format!("{}; {error} at `{line}`", self.process.epitaph()))
        })
    }

    /// The first line that is wanted; `None` if none comes until the deadline. A line that comes
    /// late counts as long as nothing unwanted stands before it, so no flood of lines keeps this
    /// from ending.
    fn hear_until(
        &mut self,
        deadline: Instant,
        mut is_wanted: impl FnMut(&Heard) -> bool,
    ) -> Result<Option<Heard>, Fault> {
        loop {
            match self.process.hear(deadline) {
                Ok(heard) if is_wanted(&heard) => return Ok(Some(heard)),
                Ok(_) if Instant::now() < deadline => {}
                Ok(_) | Err(Silence::Timeout) => return Ok(None),
                Err(Silence::Closed) => return Err(self.closed()),
            }
        }
    }

    /// What was heard, or the fault of having heard nothing.
    fn in_time<T>(&mut self, heard: Option<T>, silence: &str) -> Result<T, Fault> {
        heard.ok_or_else(|| {
            self.sound = false;
            Fault::hang(silence)
        })
    }

    fn closed(&mut self) -> Fault {
        self.sound = false;
        Fault::crash(self.process.epitaph())
    }

    fn unasked(&mut self, heard: &Heard) -> Fault {
        self.sound = false;
        Fault::protocol(format!("unasked: {}", heard.line))
    }

    /// Nothing that answers a search may have come while none was asked for.
    fn check_silence(&mut self) -> Result<(), Fault> {
        // One more than there are, to learn of a closed output too.
        for _ in 0..=self.process.pending() {
            match self.process.hear_now() {
                Ok(heard) if is_answer(&heard.line) => return Err(self.unasked(&heard)),
                Ok(_) => {}
                Err(Silence::Timeout) => return Ok(()),
                Err(Silence::Closed) => return Err(self.closed()),
            }
        }
        Ok(())
    }

    /// The answer to what was asked at `asked`; asks to stop when patience is at its end.
    fn answer(&mut self, asked: Instant, patience: Duration) -> Result<Reply, Fault> {
        match self.hear_answer(asked, asked + patience)? {
            Some(reply) => Ok(reply),
            None => self.stop(asked),
        }
    }

    /// Sends `stop` and waits for the answer to what was asked at `asked`.
    fn stop(&mut self, asked: Instant) -> Result<Reply, Fault> {
        self.send("stop")?;
        let reply = self.hear_answer(asked, Instant::now() + self.patience.stop)?;
        let limit = self.patience.stop.as_millis();
        self.in_time(reply, &format!("no answer {limit} ms after stop"))
    }

    /// `None` when no answer comes until the deadline.
    fn hear_answer(&mut self, asked: Instant, deadline: Instant) -> Result<Option<Reply>, Fault> {
        let heard = self.hear_until(deadline, |heard| is_answer(&heard.line))?;
        let Some(heard) = heard else { return Ok(None) };
        if heard.at < asked {
            return Err(self.unasked(&heard));
        }
        let elapsed = heard.at - asked;
        Ok(Some(Reply { line: heard.line, elapsed, info: heard.info }))
    }
}

impl Player for UsiPlayer {
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Fault> {
        for (name, value) in options {
            let line = option_line(name, value, &self.declared)
                .map_err(|error| Fault::protocol(error.to_string()))?;
            self.send(&line)?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.check_silence()?;
        self.send("isready")?;
        let deadline = Instant::now() + self.patience.ready;
        let heard =
            self.hear_until(deadline, |heard| heard.line == "readyok" || is_answer(&heard.line))?;
        let heard = self.in_time(heard, "no readyok in time")?;
        if is_answer(&heard.line) {
            return Err(self.unasked(&heard));
        }
        self.send("usinewgame")
    }

    fn think(&mut self, ask: &Ask<'_>) -> Result<Reply, Fault> {
        self.check_silence()?;
        self.send(ask.position)?;
        let asked = Instant::now();
        self.send(&format!("go{}", ask.limits))?;
        self.answer(asked, ask.patience)
    }

    fn start_ponder(&mut self, ask: &Ask<'_>) -> Result<(), Fault> {
        self.check_silence()?;
        self.send(ask.position)?;
        self.pondering = true;
        self.send(&format!("go ponder{}", ask.limits))
    }

    fn ponder_hit(&mut self, patience: Duration) -> Result<Reply, Fault> {
        self.check_silence()?;
        self.pondering = false;
        let asked = Instant::now();
        self.send("ponderhit")?;
        self.answer(asked, patience)
    }

    fn stop_ponder(&mut self) -> Result<(), Fault> {
        self.check_silence()?;
        self.pondering = false;
        self.stop(Instant::now()).map(|_| ())
    }

    fn game_over(&mut self, outcome: GameOver) -> Result<(), Fault> {
        self.check_silence()?;
        self.send(&format!("gameover {outcome}"))
    }

    fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }
}

impl Drop for UsiPlayer {
    fn drop(&mut self) {
        if !self.sound || self.pondering || self.send("quit").is_err() {
            return self.process.kill();
        }
        self.process.close(self.patience.quit);
    }
}

fn command(spec: &EngineSpec) -> Command {
    let program = Path::new(&spec.command[0]);
    // Systems disagree on whether a relative program is looked up before or after the change of
    // directory; from here on it is meant from where the tool runs.
    let absolute = std::path::absolute(program).ok();
    let is_path = program.components().count() > 1;
    let program = absolute.as_deref().filter(|_| is_path).unwrap_or(program);
    let mut command = Command::new(program);
    command.args(&spec.command[1..]);
    if let Some(directory) = &spec.directory {
        command.current_dir(directory);
    }
    command
}

fn is_answer(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("bestmove" | "checkmate"))
}

/// Name (in lower case) and type of an `option` line.
fn declared_option(line: &str) -> Option<(String, String)> {
    let rest = line.split_once(" name ")?.1;
    let (name, rest) = rest.split_once(" type ")?;
    let kind = rest.split_whitespace().next()?;
    Some((name.trim().to_lowercase(), kind.into()))
}

fn option_line(
    name: &str,
    value: &str,
    declared: &HashMap<String, String>,
) -> Result<String, StartError> {
    let kind = declared.get(&name.to_lowercase());
    if kind.is_none() && !ALWAYS_ACCEPTED.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(StartError::UnknownOption(name.into()));
    }
    Ok(match (kind.map(String::as_str), value) {
        (Some("button"), _) => format!("setoption name {name}"),
        (_, "") => format!("setoption name {name} value <empty>"),
        _ => format!("setoption name {name} value {value}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_sent_as_they_are_declared() {
        let lines = [
            "option name USI_Hash type spin default 16 min 1 max 100",
            "option name Clear Hash type button",
            "option name EvalFile type string default <empty>",
        ];
        let declared: HashMap<_, _> =
            lines.iter().filter_map(|line| declared_option(line)).collect();
        let line = |name, value| option_line(name, value, &declared).ok();
        let sent = |text: &str| Some(text.to_string());
        assert_eq!(line("usi_hash", "64"), sent("setoption name usi_hash value 64"));
        assert_eq!(line("Clear Hash", ""), sent("setoption name Clear Hash"));
        assert_eq!(line("EvalFile", ""), sent("setoption name EvalFile value <empty>"));
        assert_eq!(line("EvalFile", "a b"), sent("setoption name EvalFile value a b"));
        assert_eq!(line("USI_Ponder", "true"), sent("setoption name USI_Ponder value true"));
        assert_eq!(line("Thread", "1"), None, "a mistyped option must not pass in silence");
    }
}
