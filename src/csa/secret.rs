//! A password, which shows itself to nobody but the server.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use serde::{Deserialize, Deserializer, de};

use super::config::{ConfigError, ServerConfig};

/// What a line begins with that logs in; name and password follow.
const LOGIN: &str = "LOGIN ";
/// What is wrong with a text that is no password; does not show it.
pub(super) const UNSOUND: &str = "a password is printable ASCII without blanks";
/// What stands in the place of a password.
const HIDDEN: &str = "*****";
/// Most bytes of a file with a password that are read.
const LONGEST: u64 = 4096;

/// See the module's comment.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// `None` for what no server takes: blanks, nothing, or other than ASCII.
    pub fn new(text: &str) -> Option<Secret> {
        let sound = !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic());
        sound.then(|| Secret(text.into()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text without the password, should it repeat a login. The same letters elsewhere are no
    /// password: hidden there too, they would spoil moves and names, and show what it is.
    pub(super) fn hide(&self, text: &str) -> String {
        let Some(login) = text.find(LOGIN) else { return text.to_owned() };
        // A name may be the same, and is known anyway.
        let name = login + LOGIN.len();
        let end = text[name..].find(' ').map_or(text.len(), |length| name + length);
        let (before, rest) = text.split_at(end);
        let mut shown = before.to_owned();
        let mut done = 0;
        for (start, word) in rest.match_indices(&self.0) {
            let end = start + word.len();
            // Behind a blank, or the comma behind the name of a game.
            let begins = rest[..start].ends_with([' ', ',']);
            let ends = !rest[end..].starts_with(|c: char| c.is_ascii_alphanumeric());
            if begins && ends {
                shown += &rest[done..start];
                shown += HIDDEN;
                done = end;
            }
        }
        shown + &rest[done..]
    }

    /// The password that a configuration leads to; `None` if a game's name is enough.
    ///
    /// # Errors
    /// If nothing leads to one, or several things do, or one that leads nowhere.
    pub fn of(server: &ServerConfig) -> Result<Option<Secret>, ConfigError> {
        let ServerConfig { password, password_env, password_file, game, extended, .. } = server;
        let unsound = |what: &str| {
            let why = format!("{what} must be printable ASCII without blanks");
            ConfigError::Password(why)
        };
        match (password, password_env, password_file) {
            (Some(secret), None, None) => Ok(Some(secret.clone())),
            (None, Some(name), None) => {
                let text = std::env::var(name).map_err(|_| {
                    let why = format!("the environment has no variable {name} for the password");
                    ConfigError::Password(why)
                })?;
                let secret = Secret::new(text.trim());
                secret.ok_or_else(|| unsound(&format!("the variable {name}"))).map(Some)
            }
            (None, None, Some(path)) => {
                let shown = path.display();
                let mut line = String::new();
                File::open(path)
                    .and_then(|file| BufReader::new(file.take(LONGEST)).read_line(&mut line))
                    .map_err(|error| {
                        ConfigError::Password(format!("the password file {shown}: {error}"))
                    })?;
                // Editors on Windows put a mark of the encoding in front.
                let secret = Secret::new(line.trim_start_matches('\u{feff}').trim());
                secret.ok_or_else(|| unsound(&format!("the first line of {shown}"))).map(Some)
            }
            (None, None, None) if game.is_some() && !extended => Ok(None),
            (None, None, None) => {
                Err(ConfigError::Missing("server.password (or password_env, or password_file)"))
            }
            _ => Err(ConfigError::Password("more than one thing says the password".into())),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        let text = String::deserialize(deserializer)?;
        Secret::new(&text).ok_or_else(|| de::Error::custom(UNSOUND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_does_not_show_itself() {
        let secret = Secret::new("hunter2").unwrap();
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "***** Some(*****)");
        assert_eq!(secret.hide("no user LOGIN a hunter2 x1"), "no user LOGIN a ***** x1");
        for text in ["", "a b", "語", "a\n"] {
            assert_eq!(Secret::new(text), None, "{text:?}");
        }
    }

    /// A password of one digit spoiled every move in the log, and showed itself by that.
    #[test]
    fn a_password_is_hidden_where_it_is_one_and_nowhere_else() {
        let hide = |password: &str, text: &str| Secret::new(password).unwrap().hide(text);
        for text in ["+2726FU,T2", "Name+:kawasemi", "LOGIN:kawasemi OK", "##[LOGIN] 2"] {
            assert_eq!((hide("2", text), hide("kawasemi", text)), (text.into(), text.into()));
        }
        assert_eq!(hide("kawasemi", "LOGIN kawasemi kawasemi"), "LOGIN kawasemi *****");
        assert_eq!(hide("2", "LOGIN a2 test-2-2F,2 x1"), "LOGIN a2 test-2-2F,***** x1");
        assert_eq!(hide("a,b", "what is `LOGIN x g,a,b'?"), "what is `LOGIN x g,*****'?");
        assert_eq!(hide("2", "LOGIN 2"), "LOGIN 2");
    }

    #[test]
    fn a_password_comes_from_one_place() {
        let mut server = ServerConfig::default();
        let of = |server: &ServerConfig| Secret::of(server).map_err(|error| error.to_string());
        assert!(of(&server).unwrap_err().ends_with("is missing"));
        server.game = Some("floodgate-300-10F".into());
        assert_eq!(of(&server), Ok(None));
        server.password = Secret::new("a");
        assert_eq!(of(&server), Ok(Secret::new("a")));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kawasemi-secret");
        std::fs::write(&file, "from a file \nsecond line\n").unwrap();
        server.password_file = Some(file.clone());
        assert!(of(&server).unwrap_err().starts_with("more than one"));
        server.password = None;
        assert!(of(&server).unwrap_err().contains("must be printable"));
        std::fs::write(&file, "from_a_file\r\nsecond line\n").unwrap();
        assert_eq!(of(&server), Ok(Secret::new("from_a_file")));
        std::fs::write(&file, "\u{feff}marked\r\n").unwrap();
        assert_eq!(of(&server), Ok(Secret::new("marked")));
        std::fs::remove_file(&file).unwrap();
        assert!(of(&server).unwrap_err().contains("kawasemi-secret"));
        server.password_file = None;
        server.password_env = Some("KAWASEMI_NO_SUCH_VARIABLE".into());
        assert!(of(&server).unwrap_err().contains("KAWASEMI_NO_SUCH_VARIABLE"));
    }
}
