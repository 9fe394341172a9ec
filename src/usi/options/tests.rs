//! The registry against the settings, and values of every kind.

use proptest::prelude::*;

use super::*;
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

/// A value that the row accepts and that is not the default.
fn other_value(row: &Row) -> String {
    let default = row.value(&Settings::default());
    match &row.kind {
        Kind::Check { get, .. } => (!get(&Settings::default())).to_string(),
        Kind::Spin { min, max, .. } => {
            [min, max].map(ToString::to_string).into_iter().find(|end| *end != default).unwrap()
        }
        Kind::Combo { words, .. } => {
            words.iter().find(|(word, _)| *word != default).unwrap().0.to_string()
        }
        Kind::File { .. } | Kind::Text { .. } => "some thing".to_string(),
    }
}

#[test]
fn every_name_is_declared_once_and_found_in_any_case() {
    let names: Vec<String> = ROWS
        .iter()
        .flat_map(|row| [&[row.name], row.aliases].concat())
        .map(str::to_ascii_lowercase)
        .collect();
    for name in &names {
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        assert!(!name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_'), "{name}");
        assert!(find(name.as_bytes()).is_some(), "{name}");
        assert!(find(name.to_ascii_uppercase().as_bytes()).is_some(), "{name}");
    }
}

/// Two rows on one field, or a getter and a setter on different ones, fail here.
#[test]
fn every_option_changes_its_own_setting_and_no_other() {
    for row in &ROWS {
        let mut settings = Settings::default();
        let value = other_value(row);
        row.set(&mut settings, value.as_bytes()).unwrap();
        assert_eq!(row.value(&settings), value, "{}", row.name);
        for other in ROWS.iter().filter(|other| other.name != row.name) {
            let default = other.value(&Settings::default());
            assert_eq!(other.value(&settings), default, "{} by {}", other.name, row.name);
        }
        row.set(&mut settings, row.value(&Settings::default()).as_bytes()).unwrap();
        assert_eq!(settings, Settings::default(), "{}", row.name);
    }
}

#[test]
fn both_ends_of_a_range_are_accepted_and_nothing_beyond() {
    for row in &ROWS {
        let Kind::Spin { min, max, .. } = row.kind else { continue };
        for value in [min, max] {
            let mut settings = Settings::default();
            row.set(&mut settings, value.to_string().as_bytes()).unwrap();
            assert_eq!(row.value(&settings), value.to_string(), "{}", row.name);
        }
        for value in [i128::from(min) - 1, i128::from(max) + 1, i128::MAX] {
            let said = error(row.name, Some(&value.to_string()));
            let expected = format!("option {} is from {min} to {max}, not \"{value}\"", row.name);
            assert_eq!(said, expected);
        }
    }
}

#[test]
fn the_declared_lines_are_as_clients_read_them() {
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
         var avxvnni var avx512 var avx512vnni var neon",
        "option name DebugLogFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    assert_eq!(lines.len(), declared().count());
}

/// One client keeps a default in 32 bits and loses the option otherwise; one cuts a default at
/// the first blank; all want single blanks and ASCII.
#[test]
fn no_declared_line_upsets_a_known_client() {
    for (row, line) in ROWS.iter().zip(declarations(&Settings::default())) {
        assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
        assert!(!line.contains("  ") && !line.ends_with(' '), "{line}");
        let default = row.value(&Settings::default());
        assert!(!default.contains(' '), "{line}");
        if let Kind::Spin { .. } = row.kind {
            assert!(default.parse::<i32>().is_ok(), "{line}");
        }
        let read = usi::EngineCommand::parse(&line).unwrap();
        let usi::EngineCommand::Option(read) = read else { panic!("not an option: {line}") };
        assert_eq!(read.name, row.name);
    }
}

#[test]
fn aliases_set_the_same_option() {
    assert_eq!(changed(&["Hash=64"]), changed(&["usi_hash=64"]));
    assert_eq!(changed(&["USI_MultiPV=5"]), changed(&["multipv=5"]));
    assert_eq!(changed(&["Hash=64"]).hash_mb, 64);
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

#[test]
fn an_empty_value_unsets_a_file() {
    for text in ["EvalFile=", "EvalFile=<empty>"] {
        assert_eq!(changed(&["EvalFile=x", text]), Settings::default());
    }
}

#[test]
fn a_text_is_kept_as_it_is_and_an_empty_one_unsets_it() {
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
        "option EnteringKingRule is one of NoEnteringKing CSARule24 CSARule24H CSARule27 \
         CSARule27H TryRule, not \"???\""
    );
    let said = assign(&mut Settings::default(), b"Threads").unwrap_err().to_string();
    assert_eq!(said, "an option is set by NAME=VALUE, not by \"Threads\"");
}

#[test]
fn a_name_that_is_nearly_one_is_said_to_be() {
    let said = error("Thread", Some("4"));
    assert_eq!(said, "no option is called \"Thread\"; did you mean Threads?");
    let said = assign(&mut Settings::default(), b"Ponder=true").unwrap_err().to_string();
    assert_eq!(said, "no option is called \"Ponder\"; did you mean USI_Ponder?");
    // However long it is.
    assert!(error(&"Threads".repeat(1 << 18), Some("4")).starts_with("no option is called "));
}

/// The value was said to be part of the name.
#[test]
fn a_value_without_the_word_before_it_is_said_to_lack_it() {
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
fn a_path_keeps_bytes_that_are_no_text() {
    let mut settings = Settings::default();
    set(&mut settings, b"EvalFile", Some(b"/\x83\x65\xff")).unwrap();
    let path = settings.eval_file.as_deref().unwrap();
    assert_eq!(path.as_os_str().as_encoded_bytes(), b"/\x83\x65\xff");
    assert_eq!(find(b"EvalFile").unwrap().value(&settings), "/?e?");
}

#[test]
fn every_help_is_one_line_of_ascii_and_a_sentence() {
    for row in &ROWS {
        let help = row.help.en;
        assert!(help.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", row.name);
        assert!(help.ends_with('.') && help.len() <= 100, "{}", row.name);
    }
}

#[test]
fn every_help_is_there_in_japanese_too() {
    for row in &ROWS {
        let help = row.help.ja;
        assert!(help.chars().any(|c| matches!(c, '\u{3041}'..='\u{3096}')), "{}", row.name);
        assert!(help.ends_with('。') && help.chars().count() <= 60, "{}", row.name);
        // Line ends, and the half-width signs of ASCII, have no place in Japanese.
        assert!(!help.contains(['\n', '(', ')', ',', '%']), "{}", row.name);
    }
}

/// Labels are listed between commas.
#[test]
fn no_label_has_a_comma_in_any_language() {
    for row in &ROWS {
        let Kind::Combo { words, .. } = row.kind else { continue };
        for (word, label) in words {
            assert!(!label.en.contains(',') && !label.ja.contains(','), "{} {word}", row.name);
            assert!(!label.en.is_empty() && !label.ja.is_empty(), "{} {word}", row.name);
        }
    }
}

#[test]
fn rows_of_a_group_stand_together() {
    let mut groups: Vec<Group> = ROWS.iter().map(|row| row.group).collect();
    groups.dedup();
    assert_eq!(groups, Group::ALL);
}

proptest! {
    #[test]
    fn no_value_can_upset_an_option(
        index in 0..ROWS.len(),
        value in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
    ) {
        let row = &ROWS[index];
        let mut settings = Settings::default();
        match set(&mut settings, row.name.as_bytes(), value.as_deref()) {
            Ok(set) => prop_assert_eq!(set.name, row.name),
            Err(error) => {
                prop_assert_eq!(settings, Settings::default());
                prop_assert!(error.to_string().is_ascii());
            }
        }
    }
}

#[test]
fn a_default_that_a_gui_gives_back_means_what_it_stands_for() {
    let path = "/将棋/my net.bin";
    let initial = Settings { eval_file: Some(path.into()), ..Settings::default() };
    let row = find(b"EvalFile").unwrap();
    let declared = row.value(&initial);
    assert!(declared.is_ascii() && declared.ends_with("/my net.bin"), "{declared}");
    let first_word = declared.split(' ').next().unwrap();
    for echo in [&declared, first_word] {
        assert_eq!(row.meant(&initial, echo.as_bytes()), path.as_bytes());
    }
    assert_eq!(row.meant(&initial, b"other.bin"), b"other.bin");
    let number = find(b"Threads").unwrap();
    assert_eq!(number.meant(&initial, b"2"), b"2");
}
