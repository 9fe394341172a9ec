//! Options by name and value, and lines that name no option.

use super::*;

#[test]
fn an_option_has_a_name_and_an_optional_value() {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let some = |value| Some(bytes(value));
    for (line, name, value) in [
        ("setoption name Threads value 4", "Threads", some("4")),
        (
            "setoption name EvalFile value C:\\My  Nets\\a b.nnue \r",
            "EvalFile",
            some("C:\\My  Nets\\a b.nnue"),
        ),
        ("setoption name EvalFile value a value b", "EvalFile", some("a value b")),
        ("setoption name EvalFile value ", "EvalFile", some("")),
        ("setoption name EvalFile value", "EvalFile", some("")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name  Clear Hash  value 1", "Clear Hash", some("1")),
        ("setoption Threads value 4", "Threads", some("4")),
    ] {
        assert_eq!(clean(line), Command::SetOption { name: bytes(name), value }, "{line}");
    }
}

#[test]
fn an_option_value_may_be_any_bytes() {
    let parsed = parse(b"setoption name EvalFile value /\x83\x65\xff");
    let value = Some(b"/\x83\x65\xff".to_vec());
    assert_eq!(parsed.command, Some(Command::SetOption { name: b"EvalFile".to_vec(), value }));
}

#[test]
fn an_option_without_a_name_is_reported() {
    for line in ["setoption", "setoption name", "setoption name value 3"] {
        let parsed = parse(line.as_bytes());
        assert!(parsed.command.is_none());
        assert_eq!(parsed.errors[0].to_string(), "a name is missing after setoption name");
    }
}

#[test]
fn getoption_may_name_an_option() {
    assert_eq!(clean("getoption  Threads "), Command::GetOption(Some(b"Threads".to_vec())));
}

#[test]
fn help_may_name_an_option_or_a_command() {
    for name in ["Threads", "go mate"] {
        assert_eq!(clean(&format!("help {name} ")), Command::Help(Some(name.into())));
    }
}
