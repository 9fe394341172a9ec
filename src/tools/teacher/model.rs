//! The teacher's processes: batches of inputs go in, values and moves come out.
//!
//! A process first writes a line `ready BATCH NAME`: how many positions it takes at once, and its name.
//! Then it reads a number of positions (u32, little-endian) and as many packed inputs of [`INPUT_BYTES`]
//! bytes, and replies with [`PREDICTION_BYTES`] bytes for each: the value (f32, -1 to 1, for the side to
//! move) and the [`BEST_MOVES`] most probable moves as indices of the policy (u16). It exits at the end
//! of its input.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, bounded};

use super::input::INPUT_BYTES;
use crate::sys::refused_thread;

const BEST_MOVES: usize = 8;
const PREDICTION_BYTES: usize = 4 + 2 * BEST_MOVES;
/// The message when a process has ended before its input.
const ENDED: &str = "the teacher has ended";

/// The teacher's prediction for a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Expected result for the side to move, from -1 to 1.
    pub value: f32,
    /// The most probable moves, legal or not, by [`policy_index`](super::policy_index).
    pub best: [u16; BEST_MOVES],
}

type Predictions = Result<Vec<Prediction>, String>;

struct Batch {
    inputs: Vec<u8>,
    reply: Sender<Predictions>,
}

/// Processes of the same teacher that share the batches.
#[derive(Debug)]
pub struct TeacherPool {
    batches: Option<Sender<Batch>>,
    threads: Vec<JoinHandle<()>>,
    greeting: Greeting,
}

impl TeacherPool {
    /// Starts `count` processes of the command, whose first word is the program.
    ///
    /// # Errors
    /// If the command is empty, cannot be started, or does not report that it is ready, or the system refuses a
    /// thread.
    pub fn start(command: &[OsString], count: usize) -> Result<TeacherPool, String> {
        TeacherPool::start_with(&thread::Builder::new, command, count)
    }

    /// [`TeacherPool::start`] with another thread builder.
    fn start_with(
        builder: &dyn Fn() -> thread::Builder,
        command: &[OsString],
        count: usize,
    ) -> Result<TeacherPool, String> {
        let processes = (0..count.max(1)).map(|_| Process::start(command));
        // All are started before any is waited for, so that they load at the same time.
        let mut processes = processes.collect::<Result<Vec<_>, _>>()?;
        let greetings =
            processes.iter_mut().map(Process::greeting).collect::<Result<Vec<_>, _>>()?;
        let greeting = greetings.into_iter().next().expect("there is a process");
        let (batches, queue) = bounded(count.max(1));
        let mut pool = TeacherPool { batches: Some(batches), threads: Vec::new(), greeting };
        for process in processes {
            let queue: Receiver<Batch> = queue.clone();
            let thread = builder().spawn(move || process.serve(&queue));
            // Without a thread for each process, the pool is dropped, which ends the processes.
            pool.threads.push(thread.map_err(|error| refused_thread(error).to_string())?);
        }
        Ok(pool)
    }

    /// The name that the process gives its model.
    pub fn name(&self) -> &str {
        &self.greeting.name
    }

    /// Predictions for packed inputs, in their order.
    ///
    /// # Errors
    /// If a process has ended or its reply is too short.
    pub fn predict(&self, inputs: &[[u8; INPUT_BYTES]]) -> Predictions {
        let gone = || ENDED.to_string();
        let batches = self.batches.as_ref().ok_or_else(gone)?;
        let mut replies = Vec::new();
        for chunk in inputs.chunks(self.greeting.batch) {
            let (reply, predictions) = bounded(1);
            let sent = batches.send(Batch { inputs: chunk.concat(), reply });
            sent.map_err(|_| gone())?;
            replies.push(predictions);
        }
        let mut all = Vec::with_capacity(inputs.len());
        for predictions in replies {
            all.extend(predictions.recv().map_err(|_| gone())??);
        }
        Ok(all)
    }
}

impl Drop for TeacherPool {
    fn drop(&mut self) {
        self.batches = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to clean up.
            let _ = thread.join();
        }
    }
}

/// The report of a process that is ready.
#[derive(Debug)]
struct Greeting {
    /// Positions per batch.
    batch: usize,
    name: String,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(command: &[OsString]) -> Result<Process, String> {
        let (program, arguments) = command.split_first().ok_or("no command of a teacher")?;
        let mut started = Command::new(program);
        started.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let name = program.display();
        let mut child = started.spawn().map_err(|error| format!("{name}: {error}"))?;
        let input = child.stdin.take().expect("the input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        Ok(Process { child, input, output })
    }

    fn greeting(&mut self) -> Result<Greeting, String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        read.map_err(|error| format!("the teacher: {error}"))?;
        let line = line.trim_end();
        parse_greeting(line).ok_or_else(|| format!("the teacher is not ready: it sent {line:?}"))
    }

    /// Processes batches until there are no more or until the process fails.
    fn serve(mut self, queue: &Receiver<Batch>) {
        for batch in queue {
            let predictions = self.predict(&batch.inputs).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe => ENDED.to_string(),
                _ => format!("the teacher: {error}"),
            });
            let has_failed = predictions.is_err();
            // The receiver may have failed meanwhile.
            let _ = batch.reply.send(predictions);
            if has_failed {
                break;
            }
        }
        let Process { mut child, input, output } = self;
        // A process that still writes must not wait for a reader.
        drop((input, output));
        // The exit status does not matter.
        let _ = child.wait();
    }

    fn predict(&mut self, inputs: &[u8]) -> io::Result<Vec<Prediction>> {
        let count = inputs.len() / INPUT_BYTES;
        self.input.write_all(&(count as u32).to_le_bytes())?;
        self.input.write_all(inputs)?;
        self.input.flush()?;
        let mut bytes = vec![0; count * PREDICTION_BYTES];
        self.output.read_exact(&mut bytes)?;
        Ok(bytes.as_chunks::<PREDICTION_BYTES>().0.iter().map(read_prediction).collect())
    }
}

fn parse_greeting(line: &str) -> Option<Greeting> {
    let (batch, name) = line.strip_prefix("ready ")?.split_once(' ')?;
    let batch = batch.parse().ok().filter(|&batch| batch > 0)?;
    Some(Greeting { batch, name: name.to_owned() })
}

fn read_prediction(bytes: &[u8; PREDICTION_BYTES]) -> Prediction {
    let (value, best) = bytes.split_first_chunk().expect("a prediction begins with a value");
    let mut moves = best.as_chunks::<2>().0.iter().map(|&index| u16::from_le_bytes(index));
    Prediction {
        value: f32::from_le_bytes(*value),
        best: std::array::from_fn(|_| moves.next().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_a_teacher_has_a_batch_size_and_a_name() {
        let greeting = parse_greeting("ready 256 eval.onnx bf16").unwrap();
        assert_eq!((greeting.batch, greeting.name.as_str()), (256, "eval.onnx bf16"));
        for line in ["", "ready", "ready x", "ready 0 x", "ready 256", "steady 1 x"] {
            assert!(parse_greeting(line).is_none(), "{line}");
        }
    }

    #[test]
    fn a_prediction_has_a_value_and_eight_moves() {
        let mut bytes = [0; PREDICTION_BYTES];
        bytes[..4].copy_from_slice(&(-0.25_f32).to_le_bytes());
        bytes[4..6].copy_from_slice(&513_u16.to_le_bytes());
        bytes[18..].copy_from_slice(&7_u16.to_le_bytes());
        let prediction = read_prediction(&bytes);
        assert_eq!((prediction.value, prediction.best[0], prediction.best[7]), (-0.25, 513, 7));
    }

    #[cfg(unix)]
    #[test]
    fn a_teacher_that_cannot_start_or_is_silent_is_an_error() {
        let start = |words: &[&str]| {
            let command: Vec<OsString> = words.iter().map(OsString::from).collect();
            TeacherPool::start(&command, 1).map(|_| ()).unwrap_err()
        };
        assert!(start(&[]).contains("no command"));
        assert!(start(&["/no/such/teacher"]).contains("/no/such/teacher"));
        assert!(start(&["true"]).contains("the teacher is not ready"));
    }

    /// Regression: the tool waited for the process, which waited for the tool to read.
    #[cfg(unix)]
    #[test]
    fn a_teacher_that_writes_without_end_ends_with_its_pool() {
        let words = ["sh", "-c", "echo ready 4 test; exec yes"];
        drop(TeacherPool::start(&words.map(OsString::from), 1).unwrap());
    }

    /// Regression: the tool panicked.
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    #[test]
    fn a_refused_thread_is_an_error_at_the_start_of_the_teacher() {
        let words = ["sh", "-c", "echo ready 4 test; cat >/dev/null"];
        // More memory than a process can address.
        let builder = || thread::Builder::new().stack_size(1 << 60);
        let started = TeacherPool::start_with(&builder, &words.map(OsString::from), 2);
        let error = started.map(drop).unwrap_err();
        assert!(error.contains("too many threads"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_teacher_that_ends_during_a_request_is_an_error_and_no_hang() {
        let words = ["sh", "-c", "echo ready 4 test; head -c 1 >/dev/null"];
        let pool = TeacherPool::start(&words.map(OsString::from), 1).unwrap();
        assert_eq!(pool.name(), "test");
        let error = pool.predict(&[[0; INPUT_BYTES]; 9]).unwrap_err();
        // Regression: the message was "failed to fill whole buffer".
        assert_eq!(error, "the teacher has ended");
    }
}
