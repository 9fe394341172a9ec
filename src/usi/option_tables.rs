//! The options as Markdown tables, for the documents. The test `documents` writes them.

use std::fmt::Write;

use super::options::{OPTIONS, OptionGroup, UsiOption};
use crate::engine::Settings;

/// The line before the table.
pub const BEGIN: &str = "<!-- options:begin -->";
/// The line after the table.
pub const END: &str = "<!-- options:end -->";

/// One table for each group of options, in Markdown.
fn option_tables() -> String {
    let defaults = Settings::default();
    let mut text = String::new();
    for group in OptionGroup::ALL {
        let _ = write!(text, "\n#### {}\n\n", group.title().en);
        text += "| Option | Values | Default | Meaning |\n|---|---|---|---|\n";
        for option in OPTIONS.iter().filter(|option| option.group == group) {
            text += &table_row(option, &defaults);
        }
    }
    text + "\n"
}

/// The document with the tables between its markers; `None` if a marker is missing.
pub fn with_option_tables(document: &str) -> Option<String> {
    let begin = document.find(BEGIN)? + BEGIN.len();
    let end = begin + document[begin..].find(END)?;
    Some(format!("{}\n{}{}", &document[..begin], option_tables(), &document[end..]))
}

fn table_row(option: &UsiOption, defaults: &Settings) -> String {
    let mut name = format!("`{}`", option.name);
    for alias in option.aliases {
        let _ = write!(name, " (or `{alias}`)");
    }
    let default = match option.varying_default {
        Some(words) => words.en.to_string(),
        None if option.is_empty(defaults) => "none".to_string(),
        None => format!("`{}`", option.value(defaults)),
    };
    format!("| {name} | {} | {default} | {} |\n", option.kind.values("`"), option.help.en)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_replace_the_text_between_the_markers() {
        let old = format!("# A\n\n{BEGIN}\nold\n{END}\n\n## B\n");
        let new = with_option_tables(&old).unwrap();
        assert_eq!(new, format!("# A\n\n{BEGIN}\n{}{END}\n\n## B\n", option_tables()));
        assert_eq!(with_option_tables(&new).unwrap(), new);
    }

    #[test]
    fn a_document_without_markers_gets_no_tables() {
        for text in ["", BEGIN, END] {
            assert_eq!(with_option_tables(text), None);
        }
    }

    #[test]
    fn the_tables_list_every_option_and_are_the_same_on_every_machine() {
        let text = option_tables();
        for option in &OPTIONS {
            assert!(text.contains(&format!("| `{}`", option.name)), "{}", option.name);
        }
        let threads = text.lines().find(|line| line.starts_with("| `Threads`")).unwrap();
        assert!(threads.contains("| number of CPU threads, at most 32 |"), "{threads}");
        assert!(text.contains("| `USI_Hash` (or `Hash`) | 1 to 33554432 | `256` |"), "{text}");
    }
}
