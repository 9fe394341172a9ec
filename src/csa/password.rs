//! A password that is shown to nobody but the server.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// The beginning of a login line; name and password follow.
const LOGIN: &str = "LOGIN ";
/// The error of an invalid password, which does not show it.
pub(super) const INVALID_PASSWORD: &str = "a password is printable ASCII without blanks";
/// Shown instead of a password.
const HIDDEN: &str = "*****";

/// Printable ASCII without blanks. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// `None` for an empty text, blanks, and anything but ASCII.
    pub fn new(text: &str) -> Option<Password> {
        let is_valid = !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic());
        is_valid.then(|| Password(text.into()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Hides the password in a text that repeats a login line. Elsewhere the same letters stay: hiding
    /// them would garble moves and names, and reveal the password.
    pub(super) fn redact(&self, text: &str) -> String {
        let Some(login) = text.find(LOGIN) else { return text.to_owned() };
        // The name may be the same word, and is no secret.
        let name = login + LOGIN.len();
        let end = text[name..].find(' ').map_or(text.len(), |length| name + length);
        let (before, rest) = text.split_at(end);
        let mut shown = before.to_owned();
        let mut done = 0;
        for (start, word) in rest.match_indices(&self.0) {
            let end = start + word.len();
            // After a blank, or the comma after the name of a game.
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
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Password, D::Error> {
        let text = String::deserialize(deserializer)?;
        Password::new(&text).ok_or_else(|| de::Error::custom(INVALID_PASSWORD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let secret = Password::new("hunter2").unwrap();
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "***** Some(*****)");
        assert_eq!(secret.redact("no user LOGIN a hunter2 x1"), "no user LOGIN a ***** x1");
        for text in ["", "a b", "語", "a\n"] {
            assert_eq!(Password::new(text), None, "{text:?}");
        }
    }

    /// Regression: a password of one digit garbled every move in the log, and was revealed by that.
    #[test]
    fn a_password_is_hidden_in_login_lines_only() {
        let redact = |password: &str, text: &str| Password::new(password).unwrap().redact(text);
        for text in ["+2726FU,T2", "Name+:kawasemi", "LOGIN:kawasemi OK", "##[LOGIN] 2"] {
            assert_eq!((redact("2", text), redact("kawasemi", text)), (text.into(), text.into()));
        }
        assert_eq!(redact("kawasemi", "LOGIN kawasemi kawasemi"), "LOGIN kawasemi *****");
        assert_eq!(redact("2", "LOGIN a2 test-2-2F,2 x1"), "LOGIN a2 test-2-2F,***** x1");
        assert_eq!(redact("a,b", "what is `LOGIN x g,a,b'?"), "what is `LOGIN x g,*****'?");
        assert_eq!(redact("2", "LOGIN 2"), "LOGIN 2");
    }
}
