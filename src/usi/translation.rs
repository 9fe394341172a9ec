//! The options as `translation.txt`: their explanations in every language.
//!
//! The draft of USI asks for such a file next to the program and leaves its format open. Here it is
//! UTF-8 text with a section for each language, and a line for each option and each value of a combo.

use std::fmt::Write;

use super::options::{OPTIONS, OptionGroup, OptionType, UsiOption};
use crate::engine::AUTHOR;
use crate::types::language::{Language, Localized, localized};

const HEAD: &str = "\
# The options of the engine in several languages, in UTF-8.
# NAME = explanation of the option. NAME.VALUE = explanation of one of its values.
";
const ENGINE: Localized = localized("Kawasemi", "かわせみ");
const DEVELOPERS: Localized = localized(AUTHOR, "Kawasemi開発者一同");

/// The contents of the file.
pub fn translation() -> String {
    let mut text = HEAD.to_owned();
    for language in Language::ALL {
        let _ = write!(text, "\n[{}]\n", language.code());
        let _ = writeln!(text, "engine = {}", ENGINE.of(language));
        let _ = writeln!(text, "author = {}", DEVELOPERS.of(language));
        for group in OptionGroup::ALL {
            let _ = write!(text, "\n# {}\n", group.title().of(language));
            for option in OPTIONS.iter().filter(|option| option.group == group) {
                write_option(&mut text, option, language);
            }
        }
    }
    text
}

fn write_option(text: &mut String, option: &UsiOption, language: Language) {
    let _ = writeln!(text, "{} = {}", option.name, option.help.of(language));
    let OptionType::Combo { choices, .. } = option.kind else { return };
    for (word, label) in choices {
        let _ = writeln!(text, "{}.{word} = {}", option.name, label.of(language));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_and_every_value_has_one_line_in_each_language() {
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
            for option in &OPTIONS {
                expected.push(option.name.to_owned());
                if let OptionType::Combo { choices, .. } = option.kind {
                    expected
                        .extend(choices.iter().map(|(word, _)| format!("{}.{word}", option.name)));
                }
            }
            assert_eq!(names, expected);
        }
        assert!(text.contains("\nMultiPV = 表示する候補手の数。\n"), "{text}");
        assert!(crate::engine::NAME.starts_with(ENGINE.en));
    }
}
