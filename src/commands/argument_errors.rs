//! Errors in the arguments of the program, in the language of the system.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorFormatter, ErrorKind};
use kawasemi::record::{UnknownEncoding, UnknownFormat};
use kawasemi::types::language::{Language, UnknownLanguage};

use crate::commands::failure::{Failure, check_printed};
use crate::commands::games::by_extension;
use crate::commands::language::system_language;
use crate::commands::notice::notice;

/// The option of the program that no command has.
const USI_OPTION: &str = "--usi-option";

/// Prints what is wrong and exits. Also prints the help if that was asked for.
pub fn exit(mut error: clap::Error) -> ! {
    remove_useless_tips(&mut error);
    let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    if error.kind() == ErrorKind::UnknownArgument && argument.as_deref() == Some(USI_OPTION) {
        let tip =
            "it comes before the command, as in 'kawasemi --usi-option Threads=4 analyze game.kif'";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    match system_language() {
        Language::English => print_and_exit(&error),
        Language::Japanese => print_and_exit(&error.apply::<JapaneseFormatter>()),
    }
}

/// Clap would exit with status 0 too if the help cannot be written.
fn print_and_exit<F: ErrorFormatter>(error: &clap::error::Error<F>) -> ! {
    let printed = error.print().and_then(|()| io::stdout().flush());
    match check_printed(printed) {
        Err(Failure::Error(why)) if !error.use_stderr() => {
            notice(why);
            process::exit(1)
        }
        _ => process::exit(error.exit_code()),
    }
}

/// Prints the error for a word that is not a command, with the command that it may mean, and exits.
pub fn exit_without_command(known: &mut Command, word: &str) -> ! {
    let meant = meant_command(known, word);
    match system_language() {
        Language::English => {
            let mut text = format!("there is no command '{word}'");
            if let Some(meant) = meant {
                let _ = write!(text, "\n\n  tip: did you mean '{meant}'?");
            }
            known.error(ErrorKind::InvalidSubcommand, text).exit()
        }
        Language::Japanese => {
            let mut error = clap::Error::new(ErrorKind::InvalidSubcommand).with_cmd(known);
            let word = ContextValue::String(word.to_owned());
            error.insert(ContextKind::InvalidSubcommand, word);
            let usage = ContextValue::StyledStr(known.render_usage());
            error.insert(ContextKind::Usage, usage);
            if let Some(meant) = meant {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(meant));
            }
            exit(error)
        }
    }
}

/// The command that a word may mean: for a game record its analysis, otherwise the command of which at most a
/// third of the letters differ.
fn meant_command(known: &Command, word: &str) -> Option<String> {
    if by_extension(Path::new(word)).is_some() {
        let quote = if word.contains(' ') { "\"" } else { "" };
        return Some(format!("analyze {quote}{word}{quote}"));
    }
    let names = known.get_subcommands().map(Command::get_name);
    let compared = names.map(|name| (strsim::osa_distance(name, word), name));
    let similar = compared.filter(|&(typos, name)| typos * 3 <= name.len()).min();
    similar.map(|(_, name)| name.to_owned())
}

/// Removes tips such as `-- --hlep`: nobody who mistypes an argument means a file of that name.
fn remove_useless_tips(error: &mut clap::Error) {
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().starts_with("to pass "));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
}

/// Writes errors in Japanese, in the order in which clap writes them.
struct JapaneseFormatter;

impl ErrorFormatter for JapaneseFormatter {
    fn format_error(error: &clap::error::Error<JapaneseFormatter>) -> StyledStr {
        let mut text = format!("エラー: {}\n", fault(error));
        for (kind, what) in [
            (ContextKind::SuggestedSubcommand, "コマンド"),
            (ContextKind::SuggestedArg, "引数"),
            (ContextKind::SuggestedValue, "値"),
        ] {
            if let Some(known) = error.get(kind) {
                let _ = write!(text, "\n  {what}の候補: {known}\n");
            }
        }
        if let Some(usage) = error.get(ContextKind::Usage) {
            let usage = usage.to_string();
            let _ = write!(text, "\n使い方: {}\n", usage.trim_start_matches("Usage: "));
        }
        text += "\n詳しい説明は '--help' で表示します。\n";
        text.into()
    }
}

/// The error, without a full stop.
fn fault(error: &clap::error::Error<JapaneseFormatter>) -> String {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let command = context(ContextKind::InvalidSubcommand);
    match error.kind() {
        ErrorKind::UnknownArgument if argument == USI_OPTION => {
            "'--usi-option' はコマンドの前に指定してください（例: kawasemi --usi-option Threads=4 analyze game.kif）"
                .into()
        }
        ErrorKind::UnknownArgument => format!("引数 '{argument}' はありません"),
        ErrorKind::InvalidSubcommand => format!("コマンド '{command}' はありません"),
        ErrorKind::MissingSubcommand => format!("'{command}' の後にコマンドが必要です"),
        ErrorKind::MissingRequiredArgument => format!("必要な引数がありません: {argument}"),
        ErrorKind::InvalidValue if value.is_empty() => format!("'{argument}' には値が必要です"),
        ErrorKind::InvalidValue => {
            let known = context(ContextKind::ValidValue);
            format!("'{argument}' の値 '{value}' は使えません（使える値: {known}）")
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(reason).unwrap_or_default();
            format!("'{argument}' の値 '{value}' は使えません: {why}")
        }
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg);
            if other == argument {
                format!("'{argument}' は一度しか指定できません")
            } else {
                format!("'{argument}{command}' と '{other}' は同時に指定できません")
            }
        }
        ErrorKind::TooManyValues => format!("'{argument}' の値 '{value}' は余分です"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("'{argument}' の値の数が違います")
        }
        ErrorKind::InvalidUtf8 => "引数にUTF-8でない文字があります".into(),
        kind => kind.to_string(),
    }
}

/// The reason why a value is refused. The parsers of `arguments` already use the system language.
fn reason(why: &(dyn Error + 'static)) -> String {
    let language = why.downcast_ref::<UnknownLanguage>().map(UnknownLanguage::message);
    let format = || why.downcast_ref::<UnknownFormat>().map(UnknownFormat::message);
    let encoding = || why.downcast_ref::<UnknownEncoding>().map(UnknownEncoding::message);
    let message = language.or_else(format).or_else(encoding);
    message.map_or_else(|| why.to_string(), |message| message.ja)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CommandLine;
    use crate::commands::help_ja;

    fn error_of(line: &[&str]) -> clap::Error {
        let command = help_ja::translated(CommandLine::command());
        command.try_get_matches_from([&["kawasemi"][..], line].concat()).unwrap_err()
    }

    #[test]
    fn a_mistyped_command_resembles_a_command() {
        let known = CommandLine::command();
        let meant = |word| meant_command(&known, word);
        assert_eq!(meant("anaylze").as_deref(), Some("analyze"));
        assert_eq!(meant("puzzle").as_deref(), Some("puzzles"));
        assert_eq!([meant("usi"), meant("solve"), meant("Threads=2")], [None, None, None]);
    }

    /// Regression: the error did not say what to do with a game, as when it is dropped on the program.
    #[test]
    fn a_game_record_without_a_command_means_its_analysis() {
        let meant = |word| meant_command(&CommandLine::command(), word);
        assert_eq!(meant("game.kif").as_deref(), Some("analyze game.kif"));
        let spaced = meant("my games/game.kif");
        assert_eq!(spaced.as_deref(), Some(r#"analyze "my games/game.kif""#));
    }

    #[test]
    fn errors_are_in_japanese_with_usage_and_the_way_to_the_help() {
        for (line, fault) in [
            (&["perft", "--depht", "3"][..], "引数 '--depht' はありません"),
            (&["perft"], "必要な引数がありません: <DEPTH>"),
            (&["bench", "--depth"], "'--depth <DEPTH>' には値が必要です"),
            (&["bench", "--hash", "1", "--hash", "2"], "'--hash <MIB>' は一度しか指定できません"),
            (
                &["analyze", "a.kif", "--nodes", "1", "--depth", "1"],
                "'--nodes <NODES>' と '--depth <DEPTH>' は同時に指定できません",
            ),
            (&["book", "inof"], "コマンド 'inof' はありません"),
            (
                &["define", "--lang", "xx"],
                "'--lang <LANGUAGE>' の値 'xx' は使えません: 言語はen、jaのどれかです",
            ),
        ] {
            let text = error_of(line).apply::<JapaneseFormatter>().to_string();
            assert!(text.starts_with(&format!("エラー: {fault}")), "{text}");
            assert!(text.ends_with("\n詳しい説明は '--help' で表示します。\n"), "{text}");
            for word in ["error", "Usage", "tip:", "For more", "similar"] {
                assert!(!text.contains(word), "{text}");
            }
        }
        let text = error_of(&["bench", "--dept", "3"]).apply::<JapaneseFormatter>().to_string();
        assert!(text.contains("\n  引数の候補: --depth\n"), "{text}");
        assert!(text.contains("\n使い方: kawasemi bench "), "{text}");
    }

    /// Regression: `--hlep` gave the useless tip to pass it as a value.
    #[test]
    fn no_tip_takes_a_mistyped_argument_for_a_value() {
        for line in [&["--hlep"][..], &["analyze", "--qqq"], &["mate", "a.txt", "--qqq"]] {
            let mut error = error_of(line);
            assert!(error.to_string().contains("to pass "), "{error}");
            remove_useless_tips(&mut error);
            assert!(!error.to_string().contains("to pass "), "{error}");
        }
        let mut helpful = error_of(&["--depth", "3", "bench"]);
        remove_useless_tips(&mut helpful);
        assert!(helpful.to_string().contains("'bench --depth' exists"), "{helpful}");
    }
}
