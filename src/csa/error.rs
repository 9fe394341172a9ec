//! The errors that end the client.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::config::ConfigError;
use crate::types::message::{Message, message};

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
    /// The engine cannot play, with the reason.
    Player(String),
    /// The system refuses a thread.
    Thread(io::Error),
    /// The number of games that could not be saved completely.
    Unsaved(u32),
}

impl ClientError {
    pub fn message(&self) -> Message {
        match self {
            ClientError::Config(error) => error.message(),
            ClientError::File(path, error) => {
                let path = path.display();
                message!("{path}: {}", "{path}: {}"; Message::from(error))
            }
            ClientError::NoFolder(path) => {
                let path = path.display();
                message!(
                    "the folder for records, {path}, is not a folder",
                    "棋譜のフォルダ{path}はフォルダではありません"
                )
            }
            ClientError::Refused => message!(
                "the server refuses this name and password; the name may still be logged in",
                "サーバーがこの名前とパスワードを拒否しました。同じ名前でまだログイン中かもしれません"
            ),
            ClientError::Player(why) => {
                message!("the engine cannot play: {why}", "エンジンが対局できません：{why}")
            }
            ClientError::Thread(error) => {
                message!("the client cannot start: {}", "対局を始められません：{}"; Message::from(error))
            }
            ClientError::Unsaved(games) => {
                message!("games that could not be saved: {games}", "保存できなかった対局：{games}")
            }
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ClientError {}

impl From<ConfigError> for ClientError {
    fn from(error: ConfigError) -> ClientError {
        ClientError::Config(error)
    }
}
