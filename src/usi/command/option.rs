//! The commands that name an option: `setoption`, `getoption` and `help`.

use super::error::CommandError;
use super::parser::{Parser, trim};
use super::types::Command;

impl Parser<'_> {
    pub(super) fn set_option(&mut self) -> Option<Command> {
        self.accept(b"name");
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
        self.accept(b"name");
        Command::GetOption(self.subject())
    }

    pub(super) fn help(&mut self) -> Command {
        Command::Help(self.subject())
    }

    /// The rest of the line, unless it is empty.
    fn subject(&mut self) -> Option<Vec<u8>> {
        let name = self.remainder();
        (!name.is_empty()).then(|| name.to_vec())
    }
}
