//! The command `options` of the program: prints USI options as a table.

use std::io::{self, Write};

use clap::Args;
use kawasemi::engine::{BookOptionSet, Settings};
use kawasemi::types::language::{Language, Localized, localized};
use kawasemi::usi::options::{self, OptionError, OptionGroup, OptionType, UsiOption};
use kawasemi::usi::translation::translation;

use crate::commands::columns::{pad_right, width};
use crate::commands::failure::Failure;
use crate::commands::language;

/// List and explain the USI options.
#[derive(Debug, Args)]
pub struct OptionsArgs {
    /// Names of options [default: all].
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// en or ja [default: the language of the system].
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Print translation.txt instead: all explanations in all languages.
    #[arg(long, conflicts_with_all = ["names", "lang"])]
    translation: bool,
}

impl OptionsArgs {
    /// Shows these settings as the defaults.
    pub fn run(&self, settings: &Settings) -> Result<(), Failure> {
        let text = if self.translation {
            translation()
        } else {
            let shown = self.shown(settings.profile.book_options)?;
            table(&shown, settings, self.lang.unwrap_or_else(language::system_language))
        };
        Ok(write!(io::stdout(), "{text}")?)
    }

    /// The options with the given names, or all.
    fn shown(&self, book_options: BookOptionSet) -> Result<Vec<&'static UsiOption>, Failure> {
        if self.names.is_empty() {
            return Ok(options::for_users(book_options).collect());
        }
        let named = |name: &String| options::find_or_suggest(book_options, name.as_bytes());
        let shown: Result<Vec<_>, OptionError> = self.names.iter().map(named).collect();
        shown.map_err(|error| Failure::arguments(&error.message()))
    }
}

const HEADING: [Localized; 5] = [
    localized("Name", "名前"),
    localized("Type", "種類"),
    localized("Default", "既定値"),
    localized("Range", "範囲"),
    localized("Meaning", "説明"),
];
const NONE: Localized = localized("none", "なし");
const ANY_TEXT: Localized = localized("a text", "文字列");
const ONE_OF: Localized = localized("one of:", "次のいずれか：");

/// A heading for each group, a row for each of these options, and a line for each value of a combo.
fn table(shown: &[&UsiOption], settings: &Settings, language: Language) -> String {
    let head = HEADING.map(|words| words.of(language).to_owned());
    let rows: Vec<(OptionGroup, Vec<[String; 5]>)> = OptionGroup::ALL
        .into_iter()
        .map(|group| {
            let rows = shown.iter().filter(|option| option.group == group);
            (group, rows.flat_map(|option| lines(option, settings, language)).collect())
        })
        .filter(|(_, lines): &(_, Vec<_>)| !lines.is_empty())
        .collect();
    let all = || rows.iter().flat_map(|(_, lines)| lines).chain([&head]);
    let widths: [usize; 4] =
        std::array::from_fn(|column| all().map(|line| width(&line[column])).max().unwrap_or(0));
    let line = |line: &[String; 5]| {
        let columns = line.iter().zip(widths).map(|(cell, width)| pad_right(cell, width + 2));
        format!("  {}{}\n", columns.collect::<String>(), line[4])
    };
    let mut text = line(&head);
    for (group, lines) in &rows {
        text += &format!("\n{}\n", group.title().of(language));
        text.extend(lines.iter().map(line));
    }
    text
}

/// The cells of an option: name, type, default, range, meaning.
fn lines(option: &UsiOption, settings: &Settings, language: Language) -> Vec<[String; 5]> {
    let names = [&[option.name], option.aliases].concat().join(", ");
    let none = option.is_empty(settings).then(|| NONE.of(language).to_owned());
    let default = none.unwrap_or_else(|| option.value(settings).into_owned());
    let range = match &option.kind {
        OptionType::Check { .. } => "true, false".to_owned(),
        OptionType::Spin { min, max: i64::MAX, .. } => format!("{min}.."),
        OptionType::Spin { min, max, .. } => format!("{min}..{max}"),
        OptionType::Combo { .. } => ONE_OF.of(language).to_owned(),
        OptionType::File { what, .. } => what.of(language).to_owned(),
        OptionType::Text { .. } => ANY_TEXT.of(language).to_owned(),
    };
    let help = option.help.of(language).to_owned();
    let mut lines = vec![[names, option.kind.word().to_owned(), default, range, help]];
    if let OptionType::Combo { choices, .. } = option.kind {
        lines.extend(choices.iter().map(|(word, label)| {
            let empty = String::new;
            [empty(), empty(), empty(), format!("- {word}"), label.of(language).to_owned()]
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of_all(settings: &Settings, language: Language) -> String {
        let all: Vec<_> = options::for_users(settings.profile.book_options).collect();
        table(&all, settings, language)
    }

    /// Where the last column begins, by the heading's words.
    fn meaning(text: &str, language: Language) -> usize {
        let head = text.lines().next().unwrap();
        width(head.split(HEADING[4].of(language)).next().unwrap())
    }

    #[test]
    fn every_option_has_its_row_and_the_columns_stand_below_each_other() {
        for language in Language::ALL {
            let text = table_of_all(&Settings::default(), language);
            let column = meaning(&text, language);
            for option in &options::OPTIONS {
                let start = format!("  {}", [&[option.name], option.aliases].concat().join(", "));
                let rows = text.lines().filter(|line| line.starts_with(&format!("{start} ")));
                let [line] = rows.collect::<Vec<_>>()[..] else { panic!("{}", option.name) };
                let before = line.strip_suffix(option.help.of(language)).unwrap();
                assert_eq!(width(before), column, "{line}");
            }
        }
    }

    #[test]
    fn the_words_of_an_option_stand_below_it() {
        let text = table_of_all(&Settings::default(), Language::Japanese);
        let (_, below) = text.split_once("\n  EnteringKingRule ").unwrap();
        let words: Vec<&str> = below.lines().skip(1).map(str::trim).take(2).collect();
        assert!(words[0].starts_with("- NoEnteringKing ") && words[0].ends_with(" 宣言なし"));
        assert!(words[1].starts_with("- CSARule24 ") && words[1].ends_with(" 24点法"));
    }

    #[test]
    fn defaults_are_those_of_the_settings() {
        let settings = Settings { threads: 3, eval_file: None, ..Settings::default() };
        let text = table_of_all(&settings, Language::English);
        let cells = |name: &str| {
            let row = text.lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
            row.split("  ")
                .filter(|cell| !cell.is_empty())
                .map(str::trim)
                .take(4)
                .collect::<Vec<_>>()
        };
        assert_eq!(cells("Threads"), ["Threads", "spin", "3", "1..1024"]);
        assert_eq!(cells("EvalFile"), ["EvalFile", "string", "none", "a file"]);
        assert_eq!(cells("NodesLimit"), ["NodesLimit", "spin", "0", "0.."]);
    }
}
