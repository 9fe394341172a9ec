//! All options against the settings, and values of every type.

use proptest::prelude::*;

use std::path::Path;

use super::error::OptionError;
use super::option::*;
use super::registry::*;
use super::{BOOK_OPTIONS_V2, OPTIONS};
use crate::engine::{BookOptionSet, OptionProfile, Settings};
use crate::position::EnteringKingRule;

fn changed(assignments: &[&str]) -> Settings {
    let mut settings = Settings::default();
    for text in assignments {
        assign(&mut settings, text.as_bytes()).unwrap();
    }
    settings
}

fn error(name: &str, value: Option<&str>) -> String {
    let mut settings = Settings::default();
    let error = set(&mut settings, name.as_bytes(), value.map(str::as_bytes)).unwrap_err();
    assert_eq!(settings, Settings::default(), "{name}");
    error.to_string()
}

/// A value that the option accepts and that is not the default.
fn other_value(option: &UsiOption) -> String {
    let default = option.value(&Settings::default());
    match &option.kind {
        OptionType::Check { get, .. } => (!get(&Settings::default())).to_string(),
        OptionType::Spin { min, max, .. } => {
            [min, max].map(ToString::to_string).into_iter().find(|end| *end != default).unwrap()
        }
        OptionType::Combo { choices, .. } => {
            choices.iter().find(|(word, _)| *word != default).unwrap().0.to_string()
        }
        OptionType::File { .. } | OptionType::Text { .. } => "some thing".to_string(),
    }
}

#[test]
fn every_name_is_declared_once_and_found_in_any_case() {
    let names: Vec<String> = OPTIONS
        .iter()
        .flat_map(|option| [&[option.name], option.aliases].concat())
        .map(str::to_ascii_lowercase)
        .collect();
    for name in &names {
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        assert!(!name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_'), "{name}");
        assert!(find(name.as_bytes()).is_some(), "{name}");
        assert!(find(name.to_ascii_uppercase().as_bytes()).is_some(), "{name}");
    }
}

/// Fails if two options share a field, or a getter and a setter use different ones.
#[test]
fn every_option_changes_its_own_setting_only() {
    for option in &OPTIONS {
        let mut settings = Settings::default();
        let value = other_value(option);
        option.set(&mut settings, value.as_bytes()).unwrap();
        assert_eq!(option.value(&settings), value, "{}", option.name);
        for other in OPTIONS.iter().filter(|other| other.name != option.name) {
            let default = other.value(&Settings::default());
            assert_eq!(other.value(&settings), default, "{} by {}", other.name, option.name);
        }
        option.set(&mut settings, option.value(&Settings::default()).as_bytes()).unwrap();
        assert_eq!(settings, Settings::default(), "{}", option.name);
    }
}

#[test]
fn both_ends_of_a_range_are_accepted_and_nothing_beyond() {
    for option in OPTIONS.iter().chain(&BOOK_OPTIONS_V2) {
        let OptionType::Spin { min, max, .. } = option.kind else { continue };
        for value in [min, max] {
            let mut settings = Settings::default();
            option.set(&mut settings, value.to_string().as_bytes()).unwrap();
            assert_eq!(option.value(&settings), value.to_string(), "{}", option.name);
        }
        for value in [i128::from(min) - 1, i128::from(max) + 1, i128::MAX] {
            let mut settings = Settings::default();
            let refused = option.set(&mut settings, value.to_string().as_bytes()).unwrap_err();
            let expected =
                format!("option {} is from {min} to {max}, not \"{value}\"", option.name);
            assert_eq!((refused.to_string(), settings), (expected, Settings::default()));
        }
    }
}

#[test]
fn the_declared_lines_are_in_the_format_of_the_protocol() {
    let lines: Vec<String> = declarations(&changed(&["Threads=3"])).collect();
    for expected in [
        "option name USI_Hash type spin default 256 min 1 max 33554432",
        "option name Threads type spin default 3 min 1 max 1024",
        "option name USI_Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 600",
        "option name NodesLimit type spin default 0 min 0 max 9223372036854775807",
        "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \
         var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule",
        "option name EvalDir type string default eval",
        "option name LS_BUCKET_MODE type string default <empty>",
        "option name EvalKernel type combo default auto var auto var scalar var sse41 var avx2 \
         var avxvnni var avx512 var avx512vnni var neon var simd128",
        "option name DebugLogFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    assert_eq!(lines.len(), declared(BookOptionSet::V1).count());
}

/// The settings at the start with the second set of book options.
fn of_second_set() -> Settings {
    let book_options = BookOptionSet::V2;
    Settings::with_profile(OptionProfile { book_options, ..OptionProfile::default() })
}

#[test]
fn the_second_set_of_book_options_has_limits_for_each_colour() {
    let lines: Vec<String> = declarations(&of_second_set()).collect();
    let of_books: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .filter(|line| line.contains("Book"))
        .collect();
    assert_eq!(
        of_books,
        [
            "USI_OwnBook type check default true",
            "BookFile type string default user_book1.db",
            "BookDir type string default book",
            "BookMoves type spin default 200 min 0 max 10000",
            "BookIgnoreRate type spin default 0 min 0 max 100",
            "BookEvalBlackLimit type spin default 0 min -99999 max 99999",
            "BookEvalWhiteLimit type spin default -140 min -99999 max 99999",
            "BookOnTheFly type check default true",
            "BookPvMoves type spin default 8 min 1 max 246",
            "IgnoreBookPly type check default true",
            "FlippedBook type check default true",
            "BookEvalBlackDiff type spin default 0 min 0 max 99999",
            "BookEvalWhiteDiff type spin default 0 min 0 max 99999",
            "BookDepthBlackLimit type spin default 0 min 0 max 99999",
            "BookDepthWhiteLimit type spin default 5 min 0 max 99999",
        ]
    );
    assert_eq!(lines.len(), declared(BookOptionSet::V1).count(), "four instead of four");
}

/// Regression: `NarrowBook` could be set and shown with a set of book options that lacks it.
#[test]
fn an_option_of_the_other_set_of_book_options_is_neither_set_nor_found() {
    for (mut settings, own, other) in [
        (Settings::default(), "NarrowBook", "BookDepthBlackLimit"),
        (of_second_set(), "BookDepthBlackLimit", "NarrowBook"),
    ] {
        let chosen = settings.profile.book_options;
        assert!(find_or_suggest(chosen, own.as_bytes()).is_ok());
        let error = OptionError::OtherBookOptions { name: other, book_options: chosen };
        assert_eq!(find_or_suggest(chosen, other.as_bytes()).unwrap_err(), error);
        assert_eq!(set(&mut settings, other.as_bytes(), Some(b"1")).unwrap_err(), error);
        assert!(error.to_string().contains("engine_option_profile.txt"), "{error}");
    }
}

#[test]
fn an_option_for_one_colour_changes_one_and_an_option_for_both_changes_both() {
    let limits = |assignments: &[&str]| {
        let mut settings = of_second_set();
        for text in assignments {
            assign(&mut settings, text.as_bytes()).unwrap();
        }
        (settings.book.eval_diff.0, settings.book.depth_limit.0)
    };
    let book = changed(&["BookEvalDiff=7", "BookDepthLimit=8"]).book;
    assert_eq!((book.eval_diff.0, book.depth_limit.0), ([7, 7], [8, 8]));
    assert_eq!(limits(&["BookEvalBlackDiff=1", "BookEvalWhiteDiff=2"]).0, [1, 2]);
    assert_eq!(limits(&["BookDepthBlackLimit=3", "bookdepthwhitelimit=4"]).1, [3, 4]);
    for option in &BOOK_OPTIONS_V2 {
        let mut settings = of_second_set();
        option.set(&mut settings, b"9").unwrap();
        let changed = BOOK_OPTIONS_V2.iter().filter(|other| other.value(&settings) == "9");
        assert_eq!(changed.map(|other| other.name).collect::<Vec<_>>(), [option.name]);
    }
}

/// One client keeps defaults in 32 bits and drops an option whose default exceeds them; one cuts a default at
/// the first space; all need single spaces and ASCII.
#[test]
fn every_known_client_can_parse_the_declared_lines() {
    for (option, line) in OPTIONS.iter().zip(declarations(&Settings::default())) {
        assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
        assert!(!line.contains("  ") && !line.ends_with(' '), "{line}");
        let default = option.value(&Settings::default());
        assert!(!default.contains(' '), "{line}");
        if let OptionType::Spin { .. } = option.kind {
            assert!(default.parse::<i32>().is_ok(), "{line}");
        }
        let read = usi::EngineCommand::parse(&line).unwrap();
        let usi::EngineCommand::Option(read) = read else { panic!("not an option: {line}") };
        assert_eq!(read.name, option.name);
    }
}

#[test]
fn aliases_set_the_same_option() {
    assert_eq!(changed(&["Hash=64"]), changed(&["usi_hash=64"]));
    assert_eq!(changed(&["USI_MultiPV=5"]), changed(&["multipv=5"]));
    assert_eq!(changed(&["Hash=64"]).hash_mib, 64);
    assert_eq!(changed(&["USI_MultiPV=5"]).multi_pv, 5);
}

#[test]
fn values_are_read_in_any_case_and_files_with_blanks() {
    let settings = changed(&[
        "USI_Ponder=TRUE",
        "enteringkingrule=csarule24h",
        "EvalFile=/My Nets/a b.nnue",
        "ThinkingLog=<EMPTY>",
        "DrawValueWhite=-30",
    ]);
    assert!(settings.ponder);
    assert_eq!(settings.entering_king, EnteringKingRule::Csa24Handicap);
    assert_eq!(settings.eval_file.as_deref(), Some(Path::new("/My Nets/a b.nnue")));
    assert_eq!(settings.thinking_log, None);
    assert_eq!(settings.draw_value.0, [Settings::default().draw_value.0[0], -30]);
}

/// Regression: a path that was copied in the Explorer of Windows was not found.
#[test]
fn a_path_may_be_in_quotation_marks() {
    let file = |text: &str| changed(&[text]).eval_file;
    assert_eq!(file("EvalFile=\"C:\\My Nets\\nn.bin\""), file("EvalFile=C:\\My Nets\\nn.bin"));
    for text in ["EvalFile=\"nn.bin", "EvalFile=nn.bin\"", "EvalFile=\""] {
        assert_eq!(file(text).as_deref(), text.strip_prefix("EvalFile=").map(Path::new));
    }
}

#[test]
fn an_empty_value_unsets_a_file() {
    for text in ["EvalFile=", "EvalFile=<empty>", "EvalFile=\"\""] {
        assert_eq!(changed(&["EvalFile=x", text]), Settings::default());
    }
}

#[test]
fn a_text_is_stored_unchanged_and_an_empty_one_unsets_it() {
    let settings = changed(&["LS_BUCKET_MODE=Progress 8"]);
    assert_eq!(settings.ls_bucket_mode.as_deref(), Some("Progress 8"));
    for text in ["LS_BUCKET_MODE=", "LS_BUCKET_MODE=<empty>"] {
        assert_eq!(changed(&["LS_BUCKET_MODE=x", text]), Settings::default());
    }
}

#[test]
fn kernels_are_chosen_by_name() {
    for isa in crate::nnue::Isa::ALL {
        let settings = changed(&[&format!("EvalKernel={}", isa.name().to_ascii_uppercase())]);
        assert_eq!(settings.eval_kernel, Some(isa));
    }
    assert_eq!(changed(&["EvalKernel=neon", "EvalKernel=auto"]).eval_kernel, None);
}

#[test]
fn errors_say_what_is_wrong_and_keep_the_old_value() {
    assert_eq!(error("Joho", Some("1")), "no option is called \"Joho\"");
    assert_eq!(error("Threads", None), "option Threads needs a value");
    assert_eq!(error("Threads", Some("")), "option Threads is a number, not \"\"");
    assert_eq!(error("threads", Some("2x")), "option Threads is a number, not \"2x\"");
    assert_eq!(error("threads", Some("--2")), "option Threads is a number, not \"--2\"");
    assert_eq!(error("Hash", Some("0")), "option USI_Hash is from 1 to 33554432, not \"0\"");
    assert_eq!(error("USI_Ponder", Some("1")), "option USI_Ponder is true or false, not \"1\"");
    assert_eq!(
        error("EnteringKingRule", Some("\u{3042}")),
        "option EnteringKingRule is one of NoEnteringKing, CSARule24, CSARule24H, CSARule27, \
         CSARule27H, TryRule, not \"\u{3042}\""
    );
    let message = assign(&mut Settings::default(), b"Threads").unwrap_err().to_string();
    assert_eq!(message, "an option must have the form NAME=VALUE, not \"Threads\"");
}

#[test]
fn a_similar_name_is_suggested() {
    let message = error("Thread", Some("4"));
    assert_eq!(message, "no option is called \"Thread\"; did you mean Threads?");
    let message = assign(&mut Settings::default(), b"Ponder=true").unwrap_err().to_string();
    assert_eq!(message, "no option is called \"Ponder\"; did you mean USI_Ponder?");
    // A name of megabytes must not be slow.
    assert!(error(&"Threads".repeat(1 << 18), Some("4")).starts_with("no option is called "));
}

#[test]
fn a_missing_word_value_is_reported() {
    for name in ["usi_hash 32", "USI_Hash=32", "Hash  32"] {
        assert_eq!(error(name, None), "the word value is missing after USI_Hash", "{name}");
    }
    assert_eq!(error("Clear Hash", None), "no option is called \"Clear Hash\"");
}

#[test]
fn an_assignment_is_split_at_the_first_equals_sign() {
    assert_eq!(changed(&["EvalFile=a=b"]).eval_file.as_deref(), Some(Path::new("a=b")));
}

#[cfg(unix)]
#[test]
fn a_path_may_contain_invalid_utf8() {
    let mut settings = Settings::default();
    set(&mut settings, b"EvalFile", Some(b"/\x83\x65\xff")).unwrap();
    let path = settings.eval_file.as_deref().unwrap();
    assert_eq!(path.as_os_str().as_encoded_bytes(), b"/\x83\x65\xff");
    assert_eq!(find(b"EvalFile").unwrap().value(&settings), "/\u{fffd}e\u{fffd}");
}

#[test]
fn every_help_is_one_line_of_ascii_and_a_sentence() {
    for option in OPTIONS.iter().chain(&BOOK_OPTIONS_V2) {
        let help = option.help.en;
        assert!(help.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", option.name);
        assert!(help.ends_with('.') && help.len() <= 100, "{}", option.name);
    }
}

#[test]
fn every_help_text_exists_in_japanese_too() {
    for option in OPTIONS.iter().chain(&BOOK_OPTIONS_V2) {
        let help = option.help.ja;
        assert!(help.chars().any(|c| matches!(c, '\u{3041}'..='\u{3096}')), "{}", option.name);
        assert!(help.ends_with('。') && help.chars().count() <= 60, "{}", option.name);
        // Japanese texts contain no line ends and no half-width signs of ASCII.
        assert!(!help.contains(['\n', '(', ')', ',', '%']), "{}", option.name);
    }
}

/// Labels are listed between commas.
#[test]
fn no_label_has_a_comma_in_any_language() {
    for option in &OPTIONS {
        let OptionType::Combo { choices, .. } = option.kind else { continue };
        for (word, label) in choices {
            assert!(!label.en.contains(',') && !label.ja.contains(','), "{} {word}", option.name);
            assert!(!label.en.is_empty() && !label.ja.is_empty(), "{} {word}", option.name);
        }
    }
}

#[test]
fn options_of_a_group_are_listed_together() {
    let mut groups: Vec<OptionGroup> = OPTIONS.iter().map(|option| option.group).collect();
    groups.dedup();
    assert_eq!(groups, OptionGroup::ALL);
}

proptest! {
    #[test]
    fn any_value_is_accepted_or_refused(
        index in 0..OPTIONS.len(),
        value in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
    ) {
        let option = &OPTIONS[index];
        let mut settings = Settings::default();
        match set(&mut settings, option.name.as_bytes(), value.as_deref()) {
            Ok(set) => prop_assert_eq!(set.name, option.name),
            Err(error) => {
                prop_assert_eq!(settings, Settings::default());
                prop_assert!(!error.to_string().contains(char::is_control));
            }
        }
    }
}

#[test]
fn a_default_sent_back_by_a_gui_means_the_real_default() {
    let path = "/将棋/my net.bin";
    let initial = Settings { eval_file: Some(path.into()), ..Settings::default() };
    let option = find(b"EvalFile").unwrap();
    assert_eq!(option.value(&initial), path);
    let line = option.declaration(&initial);
    let declared = line.split_once(" default ").unwrap().1;
    assert!(declared.is_ascii() && declared.ends_with("/my net.bin"), "{declared}");
    let first_word = declared.split(' ').next().unwrap();
    for echo in [declared, first_word] {
        assert_eq!(option.intended_value(&initial, echo.as_bytes()), path.as_bytes());
    }
    assert_eq!(option.intended_value(&initial, b"other.bin"), b"other.bin");
    let number = find(b"Threads").unwrap();
    assert_eq!(number.intended_value(&initial, b"2"), b"2");
}
