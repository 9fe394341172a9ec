//! The commands that name an option: `setoption` and `getoption`.

use super::Command;
use super::error::CommandError;
use super::words::{Parser, trim};

impl Parser<'_> {
    pub(super) fn set_option(&mut self) -> Option<Command> {
        self.eat(b"name");
        let text = self.rest();
        let mut name = text;
        let mut value = None;
        while let Some(token) = self.next() {
            if token == b"value" {
                name = &text[..text.len() - self.rest().len() - token.len()];
                value = Some(self.remainder().to_vec());
            }
        }
        let name = trim(name);
        if name.is_empty() {
            self.error(CommandError::Missing { word: "setoption name", what: "a name" });
            return None;
        }
        Some(Command::SetOption { name: name.to_vec(), value })
    }

    pub(super) fn get_option(&mut self) -> Command {
        self.eat(b"name");
        let name = self.remainder();
        Command::GetOption((!name.is_empty()).then(|| name.to_vec()))
    }
}
