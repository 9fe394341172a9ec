//! The side of a GUI.

use std::io::{self, BufRead, BufReader, Lines, Read, Write};
use std::mem;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::example::example;
use crate::engine::session;

/// A GUI that talks to the program.
pub(super) struct Gui {
    input: Option<Box<dyn Write>>,
    output: Lines<BufReader<Box<dyn Read>>>,
    program: Program,
}

enum Program {
    Thread(Option<JoinHandle<io::Result<()>>>),
    Process(Child),
}

impl Gui {
    /// With the session on a thread.
    pub(super) fn with_session() -> Gui {
        let (from_gui, input) = io::pipe().unwrap();
        let (output, to_gui) = io::pipe().unwrap();
        let thread = thread::spawn(|| session::run(from_gui, to_gui));
        Gui::new(input, output, Program::Thread(Some(thread)))
    }

    /// With the program in a process of its own.
    pub(super) fn with_program() -> Gui {
        let mut child = Command::new(example("othello"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Gui::new(input, output, Program::Process(child))
    }

    fn new(input: impl Write + 'static, output: impl Read + 'static, program: Program) -> Gui {
        let output: Box<dyn Read> = Box::new(output);
        Gui { input: Some(Box::new(input)), output: BufReader::new(output).lines(), program }
    }

    pub(super) fn write(&mut self, line: &str) {
        self.write_bytes(line.as_bytes());
    }

    pub(super) fn write_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    /// The next line of the program.
    pub(super) fn read(&mut self) -> String {
        self.output.next().expect("the program goes on").unwrap()
    }

    /// The next line of the program that is not `info`.
    pub(super) fn answer(&mut self) -> String {
        loop {
            let line = self.read();
            if !line.starts_with("info ") {
                return line;
            }
        }
    }

    /// All lines up to this one.
    pub(super) fn read_to(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line| line != last) {
            lines.push(self.read());
        }
        lines
    }

    /// Checks that the program sends no answer.
    pub(super) fn expect_silence(&mut self) {
        self.write("isready");
        assert_eq!(self.answer(), "readyok");
    }

    /// Sends the last line, and ends the input. Returns the rest of the output.
    pub(super) fn end(mut self, last: &str) -> Vec<String> {
        if !last.is_empty() {
            self.write(last);
        }
        drop(mem::take(&mut self.input));
        let rest: Vec<String> = self.output.map(Result::unwrap).collect();
        match self.program {
            Program::Thread(mut thread) => thread.take().unwrap().join().unwrap().unwrap(),
            Program::Process(mut child) => assert!(child.wait().unwrap().success()),
        }
        rest
    }
}
