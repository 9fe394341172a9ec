//! The options of the engine: one row for each.

use std::path::PathBuf;

use kawasemi::session::OptionType;
use kawasemi::types::excerpt;
use kawasemi::types::language::localized;

/// The values of the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub hash_mib: usize,
    /// 0 for no limit.
    pub max_depth: u32,
    pub thinking_log: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { hash_mib: 32, max_depth: 0, thinking_log: None }
    }
}

struct Row {
    name: &'static str,
    kind: OptionType<Settings>,
}

// The casts lose nothing: values are within their ranges.
static ROWS: [Row; 3] = [
    Row {
        name: "Hash",
        kind: OptionType::Spin {
            min: 1,
            max: 4_096,
            get: |settings| settings.hash_mib as i64,
            set: |settings, value| settings.hash_mib = value as usize,
        },
    },
    Row {
        name: "MaxDepth",
        kind: OptionType::Spin {
            min: 0,
            max: 60,
            get: |settings| settings.max_depth.into(),
            set: |settings, value| settings.max_depth = value as u32,
        },
    },
    Row {
        name: "ThinkingLog",
        kind: OptionType::File {
            what: localized("a file", "ファイル"),
            get: |settings| settings.thinking_log.as_deref(),
            set: |settings, value| settings.thinking_log = value,
        },
    },
];

/// The `option` lines. The draft defines neither types nor ranges.
pub fn declarations() -> impl Iterator<Item = String> {
    let defaults = Settings::default();
    ROWS.iter()
        .map(move |row| format!("option name {} default {}", row.name, row.kind.value(&defaults)))
}

/// Sets the option of this name, in any case.
///
/// # Errors
/// If there is no such option, or it refuses the value; the settings are then unchanged.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let row = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| format!("no option is called \"{}\"", excerpt(name)))?;
    row.kind.set(row.name, settings, value.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_lines_are_in_the_format_of_the_draft() {
        let lines: Vec<String> = declarations().collect();
        assert_eq!(
            lines,
            [
                "option name Hash default 32",
                "option name MaxDepth default 0",
                "option name ThinkingLog default <empty>",
            ]
        );
    }

    #[test]
    fn a_refused_option_changes_nothing() {
        let mut settings = Settings::default();
        set(&mut settings, "hash", "64").unwrap();
        assert_eq!(settings.hash_mib, 64);
        let before = settings.clone();
        for (name, value, expected) in [
            ("Hash", "0", "option Hash is from 1 to 4096, not \"0\""),
            ("MaxDepth", "x", "option MaxDepth is a number, not \"x\""),
            ("Threads", "1", "no option is called \"Threads\""),
        ] {
            assert_eq!(set(&mut settings, name, value).unwrap_err(), expected);
            assert_eq!(settings, before);
        }
    }
}
