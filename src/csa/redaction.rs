//! Hides the password in everything that is written, because a server may repeat it anywhere.

use super::config::ServerConfig;
use super::password::{HIDDEN, Password};
use crate::record::{GameRecord, Headers};

/// A shorter password is hidden in logins only, because it occurs in ordinary lines.
const MIN_HIDDEN_LENGTH: usize = 4;
/// The beginning of a login line, in any case; name and password follow.
const LOGIN: &str = "login ";

/// Words that servers and this client write in every game, in lower case.
const ORDINARY_WORDS: &str = "begin end game_summary protocol_version protocol_mode server format shogi \
    declaration jishogi game_id name+ name- your_turn rematch_on_draw to_move max_moves time_unit total_time \
    byoyomi delay increment least_time_per_move time_roundup position start reject agree logout completed \
    incorrect toryo kachi chudan sennichite illegal_move illegal_action time_up resign censored win lose draw \
    preparing the engine connecting to port logged in black white against depth moves saved won lost drawn \
    by resignation after next attempt no connection leaving this game comment says";

/// The places where a password is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Everywhere,
    /// Where no letter or digit is next to it.
    Words,
    /// As a word after `LOGIN` and a name.
    Logins,
}

/// Hides a password, in any letter case.
#[derive(Clone, Debug)]
pub(super) struct Redaction {
    /// In lower case.
    password: String,
    extent: Extent,
}

impl Redaction {
    /// Hiding a password that also occurs in ordinary lines would garble these lines, and reveal it. So a password of
    /// digits and capitals, which could be part of a move, is hidden as a word only. A very short one, or one that is
    /// part of a public name or of an ordinary word, is hidden in logins only.
    pub(super) fn new(password: &Password, server: &ServerConfig) -> Redaction {
        let text = password.reveal();
        let password = text.to_ascii_lowercase();
        let is_in = |name: &str| name.to_ascii_lowercase().contains(&password);
        let names =
            [Some(ORDINARY_WORDS), Some(&server.name), Some(&server.host), server.game.as_deref()];
        let is_public = names.into_iter().flatten().any(is_in);
        let extent = if is_public || text.len() < MIN_HIDDEN_LENGTH {
            Extent::Logins
        } else if text.bytes().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) {
            Extent::Words
        } else {
            Extent::Everywhere
        };
        Redaction { password, extent }
    }

    /// Whether the password is hidden in login lines only.
    pub(super) fn is_limited(&self) -> bool {
        self.extent == Extent::Logins
    }

    /// The text with the password hidden.
    pub(super) fn apply(&self, text: &str) -> String {
        // Of the same length, byte by byte.
        let lower = text.to_ascii_lowercase();
        let begin = match self.extent {
            Extent::Logins => login_name_end(&lower).unwrap_or(text.len()),
            Extent::Everywhere | Extent::Words => 0,
        };
        let mut shown = text[..begin].to_owned();
        let mut done = begin;
        for (start, found) in lower[begin..].match_indices(&self.password) {
            let (start, end) = (begin + start, begin + start + found.len());
            let is_hidden = match self.extent {
                Extent::Everywhere => true,
                Extent::Words => is_word(text, start, end),
                // After a space, or the comma after the name of a game.
                Extent::Logins => is_word(text, start, end) && text[..start].ends_with([' ', ',']),
            };
            if is_hidden {
                shown += &text[done..start];
                shown += HIDDEN;
                done = end;
            }
        }
        shown + &text[done..]
    }

    /// Hides the password in headers and comments of a game.
    pub(super) fn apply_to_game(&self, game: &mut GameRecord) {
        let mut headers = Headers::default();
        for (key, value) in game.headers.iter() {
            headers.add(key.clone(), self.apply(value));
        }
        game.headers = headers;
        let nodes: Vec<_> = game.nodes().map(|(id, _)| id).collect();
        for id in nodes {
            for comment in game.node_mut(id).comments {
                *comment = self.apply(comment);
            }
        }
    }
}

/// The end of the name in a login line. The name is not a secret, but may equal the password.
fn login_name_end(lower: &str) -> Option<usize> {
    let name = lower.find(LOGIN)? + LOGIN.len();
    Some(lower[name..].find(' ').map_or(lower.len(), |length| name + length))
}

/// Whether no letter or digit is next to this part of a text.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric();
    !text[..start].ends_with(plain) && !text[end..].starts_with(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact(password: &str, text: &str) -> String {
        let server = ServerConfig {
            host: "example.org".into(),
            name: "kawasemi".into(),
            game: Some("test-2-2F".into()),
            ..ServerConfig::default()
        };
        Redaction::new(&Password::new(password).unwrap(), &server).apply(text)
    }

    /// Regression: the password was hidden after `LOGIN ` only.
    #[test]
    fn a_password_is_hidden_wherever_a_server_repeats_it() {
        for (text, hidden) in [
            ("no user LOGIN a hunter2 x1", "no user LOGIN a ***** x1"),
            ("hunter2", "*****"),
            ("login\thunter2!", "login\t*****!"),
            ("Login a HUNTER2", "Login a *****"),
            ("Game_ID:a+b,hunter2+c+hunter23", "Game_ID:a+b,*****+c+*****3"),
            ("語hunter2語xHunter2x", "語*****語x*****x"),
        ] {
            assert_eq!(redact("hunter2", text), hidden);
        }
        assert_eq!(redact("a,b\"c", "what is `LOGIN x g,a,b\"c'?"), "what is `LOGIN x g,*****'?");
    }

    /// Regression: a password of one digit garbled every move in the log, which revealed it.
    #[test]
    fn a_password_that_ordinary_lines_contain_does_not_garble_them() {
        for text in ["+2726FU,T2", "Name+:kawasemi", "LOGIN:kawasemi OK", "##[LOGIN] 2"] {
            for password in ["2", "KAWASEMI", "wase", "2726", "26FU", "Name+"] {
                assert_eq!(redact(password, text), text, "{password}");
            }
        }
        assert_eq!(redact("kawasemi", "LOGIN kawasemi kawasemi"), "LOGIN kawasemi *****");
        assert_eq!(redact("2", "LOGIN a2 test-2-2F,2 x1"), "LOGIN a2 test-2-2F,***** x1");
        assert_eq!(redact("2", "LOGIN 2"), "LOGIN 2");
        assert_eq!(redact("2726", "##[LOGIN] 2726"), "##[LOGIN] *****");
    }
}
