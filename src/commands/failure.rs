//! Why a command fails, in the language of the system.

use std::io;

use kawasemi::nnue::file::LoadError;
use kawasemi::position::IllegalSetup;
use kawasemi::sys::AllocationError;
use kawasemi::types::message::{Message, message};
use kawasemi::usi::options::OptionError;

use crate::commands::notice::in_system_language;

/// The end of a command that fails. It is made only of what has a text in every language; so `?` does not compile
/// for an error that speaks English alone.
#[derive(Debug)]
pub enum Failure {
    /// The reader of standard output has closed it, which is no error.
    ClosedPipe,
    Told(String),
}

impl Failure {
    /// Says where it failed.
    pub fn at(self, place: &str) -> Failure {
        match self {
            Failure::ClosedPipe => self,
            Failure::Told(text) => Failure::Told(format!("{place}: {text}")),
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
        Failure::Told(in_system_language(&message))
    }
}

/// A text in the language of the system.
impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure::Told(text)
    }
}

/// Errors with a text in every language.
macro_rules! told {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                error.message().into()
            }
        })+
    };
}

told!(LoadError, IllegalSetup, AllocationError, OptionError);
