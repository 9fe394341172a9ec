//! A game with the file that it comes from.

use kawasemi::record::{GameRecord, HeaderKey};
use kawasemi::types::message::{Message, message};
use kawasemi::types::{Color, printable};

use crate::commands::games::ReadFile;

/// A game, and where it comes from.
pub struct SourceGame {
    /// The name of the file without its folder, because the results are for others too.
    pub file: String,
    /// Number of the game in its file, from 1; `None` if it is the only one.
    pub number: Option<usize>,
    pub game: GameRecord,
}

impl SourceGame {
    /// The games of a file.
    pub fn of_file(file: &ReadFile, games: Vec<GameRecord>) -> Vec<SourceGame> {
        let name = file.path.file_name().unwrap_or(file.path.as_os_str()).to_string_lossy();
        let several = games.len() > 1;
        let source = |(index, game)| SourceGame {
            file: printable(&*name).into_owned(),
            number: several.then_some(index + 1),
            game,
        };
        games.into_iter().enumerate().map(source).collect()
    }

    /// A header without control characters: it goes to terminals and into the page.
    pub fn header(&self, key: HeaderKey) -> Option<String> {
        self.game.headers.get(&key).map(|value| printable(value).into_owned())
    }

    pub fn player(&self, side: Color) -> Option<String> {
        self.header(if side == Color::Black { HeaderKey::Black } else { HeaderKey::White })
    }

    pub fn date(&self) -> Option<String> {
        self.header(HeaderKey::Start).or_else(|| self.header(HeaderKey::Date))
    }

    /// The file, and the number of the game in it.
    pub fn name(&self) -> Message {
        game_name(&self.file, self.number)
    }
}

/// A file, and the number of a game in it, or `None` if it has only one.
pub fn game_name(file: &str, number: Option<usize>) -> Message {
    match number {
        Some(number) => message!("{file}, game {number}", "{file} 第{number}局"),
        None => Message::verbatim(file),
    }
}
