//! A game with the file that it comes from.

use kawasemi::record::{GameRecord, HeaderKey};
use kawasemi::types::message::{Message, message};
use kawasemi::types::{Color, printable};

use crate::commands::games::ReadFile;

/// A game, and where it comes from.
pub struct SourceGame {
    /// The name of the file without its folder, because the results are for others too; `-` for standard input.
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
    let file = file_name(file);
    match number {
        Some(number) => message!("{}, game {number}", "{} 第{number}局"; file),
        None => file,
    }
}

/// The name of a file for the reader, who may not know the argument `-`.
pub fn file_name(file: &str) -> Message {
    match file {
        "-" => message!("standard input", "標準入力"),
        _ => Message::verbatim(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the title of a puzzle was `- 3手目`.
    #[test]
    fn standard_input_is_named_in_words() {
        assert_eq!(game_name("-", None), message!("standard input", "標準入力"));
        assert_eq!(game_name("-", Some(2)).ja, "標準入力 第2局");
        assert_eq!(game_name("a.kif", Some(2)).en, "a.kif, game 2");
        assert_eq!(game_name("a-.kif", None).ja, "a-.kif");
    }
}
