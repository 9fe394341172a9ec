//! The registry as `translation.txt`: what the options are called and mean in every language.
//!
//! The draft of USI 2.0 wants such a file beside the program, since the protocol itself is ASCII, and
//! leaves its form open. Here it is a text in UTF-8 with a section for each language, and in it a
//! line for each option and for each word that an option may be set to.

use std::fmt::Write;

use super::language::{Language, Words, both};
use super::options::{Group, Kind, ROWS, Row};
use crate::engine::AUTHOR;

const HEAD: &str = "\
# The options of the engine in several languages, in UTF-8.
# NAME = what the option means. NAME.WORD = what it means when it is set to WORD.
";
const ENGINE: Words = both("Kawasemi", "かわせみ");
const DEVELOPERS: Words = both(AUTHOR, "Kawasemi開発者一同");

/// The file, with a line feed at its end.
pub fn translation() -> String {
    let mut text = HEAD.to_owned();
    for language in Language::ALL {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n[{}]\n", language.code());
        let _ = writeln!(text, "engine = {}", ENGINE.of(language));
        let _ = writeln!(text, "author = {}", DEVELOPERS.of(language));
        for group in Group::ALL {
            let _ = write!(text, "\n# {}\n", group.title().of(language));
            for row in ROWS.iter().filter(|row| row.group == group) {
                option(&mut text, row, language);
            }
        }
    }
    text
}

fn option(text: &mut String, row: &Row, language: Language) {
    let _ = writeln!(text, "{} = {}", row.name, row.help.of(language));
    let Kind::Combo { words, .. } = row.kind else { return };
    for (word, label) in words {
        let _ = writeln!(text, "{}.{word} = {}", row.name, label.of(language));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_and_every_word_has_one_line_in_each_language() {
        let text = translation();
        for language in Language::ALL {
            let section = text.split(&format!("[{}]\n", language.code())).nth(1).unwrap();
            let section = section.split("\n[").next().unwrap();
            let names: Vec<&str> = section
                .lines()
                .filter_map(|line| line.split_once(" = "))
                .map(|(name, _)| name)
                .collect();
            let mut expected = vec!["engine".to_owned(), "author".to_owned()];
            for row in &ROWS {
                expected.push(row.name.to_owned());
                if let Kind::Combo { words, .. } = row.kind {
                    expected.extend(words.iter().map(|(word, _)| format!("{}.{word}", row.name)));
                }
            }
            assert_eq!(names, expected);
        }
        assert!(text.contains("\nMultiPV = 表示する候補手の数。\n"), "{text}");
        assert!(crate::engine::NAME.starts_with(ENGINE.en));
    }
}
