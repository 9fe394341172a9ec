//! A password that only the server gets; `redaction` hides it in all texts that are shown or
//! written.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// The error of an invalid password, which does not show it.
pub(super) const INVALID_PASSWORD: &str = "a password is printable ASCII without spaces";
/// Shown instead of a password.
pub(super) const HIDDEN: &str = "*****";

/// Printable ASCII without spaces. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// `None` for an empty text, spaces, and anything but ASCII.
    pub fn new(text: &str) -> Option<Password> {
        let is_valid = !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic());
        is_valid.then(|| Password(text.into()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
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
        for text in ["", "a b", "語", "a\n"] {
            assert_eq!(Password::new(text), None, "{text:?}");
        }
    }
}
