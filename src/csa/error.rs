//! Why the client ends.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::config::ConfigError;

/// Why the client ends, except at the user's request.
#[derive(Debug)]
pub enum ClientError {
    Config(ConfigError),
    /// The log file or the folder for records cannot be used.
    File(PathBuf, io::Error),
    /// The path of the folder for records is not a folder.
    NoFolder(PathBuf),
    /// The server refuses name and password.
    Refused,
    /// The engine cannot play, and why.
    Player(String),
    /// The system refuses a thread.
    Thread(io::Error),
    /// The number of games that could not be saved completely.
    Unsaved(u32),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Config(error) => error.fmt(f),
            ClientError::File(path, error) => write!(f, "{}: {error}", path.display()),
            ClientError::NoFolder(path) => {
                write!(f, "the folder for records, {}, is not a folder", path.display())
            }
            ClientError::Refused => f.write_str(
                "the server refuses this name and password; the name may still be logged in",
            ),
            ClientError::Player(why) => write!(f, "the engine cannot play: {why}"),
            ClientError::Thread(error) => write!(f, "no thread: {error}"),
            ClientError::Unsaved(games) => write!(f, "games that could not be saved: {games}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<ConfigError> for ClientError {
    fn from(error: ConfigError) -> ClientError {
        ClientError::Config(error)
    }
}
