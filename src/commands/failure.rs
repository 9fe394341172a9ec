//! Why a command fails, in the language of the system.

use std::io;
use std::path::Path;

use kawasemi::nnue::file::LoadError;
use kawasemi::position::IllegalSetup;
use kawasemi::sys::AllocationError;
use kawasemi::types::message::{Message, message};
use kawasemi::usi::options::OptionError;

use crate::commands::notice::{file_error, in_system_language};

/// Why a command fails. Errors convert to it by their [`Message`], so `?` does not compile for an error that has an
/// English text only.
#[derive(Debug)]
pub enum Failure {
    /// The reader of standard output has closed it, which is not an error.
    ClosedPipe,
    /// The user has ended the command before its work was complete. What it found is written, and the user was
    /// told.
    Interrupted,
    /// The arguments of the program are wrong: the text in the language of the system.
    Arguments(String),
    /// Any other error: the text in the language of the system.
    Error(String),
}

impl Failure {
    /// The arguments of the program are wrong.
    pub fn arguments(why: &Message) -> Failure {
        Failure::Arguments(in_system_language(why))
    }

    /// The name of a file to write is wrong, whatever is in the file.
    pub fn file_name(path: &Path, why: &Message) -> Failure {
        Failure::Arguments(file_error(path, why))
    }

    /// Adds the place of the error.
    pub fn at(self, place: &str) -> Failure {
        match self {
            Failure::ClosedPipe | Failure::Interrupted => self,
            Failure::Arguments(text) => Failure::Arguments(format!("{place}: {text}")),
            Failure::Error(text) => Failure::Error(format!("{place}: {text}")),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Message::from(&error).into(),
        }
    }
}

impl From<ctrlc::Error> for Failure {
    fn from(why: ctrlc::Error) -> Failure {
        message!("interrupts cannot be caught: {why}", "割り込みを受け取れません：{why}").into()
    }
}

impl From<Message> for Failure {
    fn from(message: Message) -> Failure {
        Failure::Error(in_system_language(&message))
    }
}

/// A text in the language of the system.
impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure::Error(text)
    }
}

/// Fails if the results of work could not be printed. If nobody reads them any more, the command goes on: how the work
/// ended decides its status.
pub fn check_printed(printed: io::Result<()>) -> Result<(), Failure> {
    match printed.map_err(Failure::from) {
        Err(Failure::ClosedPipe) => Ok(()),
        checked => checked,
    }
}

/// Errors with a text in every language.
macro_rules! from_message {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                error.message().into()
            }
        })+
    };
}

from_message!(LoadError, IllegalSetup, AllocationError, OptionError);
