//! The registry as the option table of the README.
//!
//! Owns the shape of the table and where it stands. Writes no file; a test does, when asked.

use std::fmt::Write;

use super::options::{Group, ROWS, Row};
use crate::engine::Settings;

/// The line before the table.
pub const BEGIN: &str = "<!-- options:begin -->";
/// The line after the table.
pub const END: &str = "<!-- options:end -->";

/// One table for each group of options, in Markdown.
fn option_tables() -> String {
    let defaults = Settings::default();
    let mut text = String::new();
    for group in Group::ALL {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n#### {}\n\n", group.title().en);
        text += "| Option | Values | Default | Meaning |\n|---|---|---|---|\n";
        for row in ROWS.iter().filter(|row| row.group == group) {
            text += &table_row(row, &defaults);
        }
    }
    text + "\n"
}

/// The README with the tables put between its markers; `None` if a marker is missing.
pub fn with_option_tables(readme: &str) -> Option<String> {
    let begin = readme.find(BEGIN)? + BEGIN.len();
    let end = begin + readme[begin..].find(END)?;
    Some(format!("{}\n{}{}", &readme[..begin], option_tables(), &readme[end..]))
}

fn table_row(row: &Row, defaults: &Settings) -> String {
    let mut name = format!("`{}`", row.name);
    for alias in row.aliases {
        let _ = write!(name, " (or `{alias}`)");
    }
    let default = match row.varying_default {
        Some(words) => words.en.to_string(),
        None if row.is_empty(defaults) => "none".to_string(),
        None => format!("`{}`", row.value(defaults)),
    };
    format!("| {name} | {} | {default} | {} |\n", row.kind.values("`"), row.help.en)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_stand_between_the_markers_and_replace_what_was_there() {
        let old = format!("# A\n\n{BEGIN}\nold\n{END}\n\n## B\n");
        let new = with_option_tables(&old).unwrap();
        assert_eq!(new, format!("# A\n\n{BEGIN}\n{}{END}\n\n## B\n", option_tables()));
        assert_eq!(with_option_tables(&new).unwrap(), new);
    }

    #[test]
    fn a_readme_without_markers_gets_no_tables() {
        for text in ["", BEGIN, END] {
            assert_eq!(with_option_tables(text), None);
        }
    }

    #[test]
    fn the_tables_name_every_option_and_depend_on_no_machine() {
        let text = option_tables();
        for row in &ROWS {
            assert!(text.contains(&format!("| `{}`", row.name)), "{}", row.name);
        }
        let threads = text.lines().find(|line| line.starts_with("| `Threads`")).unwrap();
        assert!(threads.contains("| one for each processor, at most 32 |"), "{threads}");
        assert!(text.contains("| `USI_Hash` (or `Hash`) | 1 to 33554432 | `256` |"), "{text}");
    }
}
