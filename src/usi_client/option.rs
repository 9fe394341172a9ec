//! The `option` lines by which an engine declares its options.

use crate::types::usi::option_default;

/// Options that may be sent to an engine that does not declare them.
const ALWAYS_ACCEPTED: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// Maximum number of options kept of one engine; an endless list would fill the memory.
pub const MAX_OPTIONS: usize = 4096;

/// The declaration in an `option` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionDeclaration<'a> {
    /// May contain spaces. Case does not matter.
    pub name: &'a str,
    /// The type, such as `spin`, or `button` for an option without a value. May be empty.
    pub kind: &'a str,
    /// Without the range or the choices.
    pub default: Option<&'a str>,
}

impl OptionDeclaration<'_> {
    /// Reads an `option` line; `None` without a name or type.
    pub fn read(line: &str) -> Option<OptionDeclaration<'_>> {
        let rest = line.split_once(" name ")?.1;
        let (name, rest) = rest.split_once(" type ")?;
        let kind = rest.split_whitespace().next().unwrap_or_default();
        let default = rest.split_once(" default ").map(|(_, text)| {
            // The words that end it are ASCII, so it ends between two characters.
            &text[..option_default(kind.as_bytes(), text.as_bytes()).len()]
        });
        Some(OptionDeclaration { name: name.trim(), kind, default })
    }
}

/// Whether every engine accepts an option of this name, declared or not.
pub fn is_always_accepted(name: &str) -> bool {
    ALWAYS_ACCEPTED.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let read = |line| {
            OptionDeclaration::read(line).map(|option| (option.name, option.kind, option.default))
        };
        let spin = "option name USI_Hash type spin default 256 min 1 max 1024";
        assert_eq!(read(spin), Some(("USI_Hash", "spin", Some("256"))));
        let combo = "option name Own Book type combo default a b var a b var c";
        assert_eq!(read(combo), Some(("Own Book", "combo", Some("a b"))));
        let text = "option name  EvalFile  type string default my net.bin";
        assert_eq!(read(text), Some(("EvalFile", "string", Some("my net.bin"))));
        // Regression: the name of a file ended at a word of a range.
        let file = "option name Book type filename default 評価 min 3.db";
        assert_eq!(read(file), Some(("Book", "filename", Some("評価 min 3.db"))));
        let button = "option name Clear Hash type button";
        assert_eq!(read(button), Some(("Clear Hash", "button", None)));
        let hidden = "option name Use default book type check default true";
        assert_eq!(read(hidden), Some(("Use default book", "check", Some("true"))));
        for line in ["", "option", "option name Threads", "option type spin default 1", "usiok"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn names_that_are_always_accepted_are_so_in_any_case() {
        assert!(is_always_accepted("USI_Hash") && is_always_accepted("usi_ponder"));
        assert!(!is_always_accepted("Threads") && !is_always_accepted(""));
    }
}
