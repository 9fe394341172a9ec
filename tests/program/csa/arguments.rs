//! Errors in the arguments of a client without a configuration file.

use std::fs;

use tempfile::tempdir;

use crate::kawasemi::command;

/// What the client says in the language of the locale before it fails.
fn complaint(locale: &str, arguments: &[&str]) -> String {
    let output = command(&["csa"]).args(arguments).env("LC_ALL", locale).output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Regression: the client named keys of a file that the user does not have.
#[test]
fn errors_in_arguments_name_the_flags() {
    let server = ["--host", "localhost", "--name", "kawasemi"];
    for locale in ["C", "ja_JP.UTF-8"] {
        let text = complaint(locale, &server);
        for flag in ["--password-env VARIABLE", "--password-file FILE", "--game GAME"] {
            assert!(text.contains(flag) && !text.contains("server."), "{text}");
        }
    }
    let game = [&server[..], &["--game", "a b"]].concat();
    assert!(complaint("C", &game).contains("the command line: --game must be a word"));
    assert!(complaint("C", &["--name", "kawasemi"]).contains("--host is missing"));
}

/// Regression: the error about a file `pw` began `pwの1行目は`.
#[test]
fn an_invalid_password_is_said_to_be_in_the_password_file() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("pw");
    fs::write(&file, "two words\n").unwrap();
    let file = file.to_str().unwrap();
    let arguments = ["--host", "localhost", "--name", "kawasemi", "--password-file", file];
    let text = complaint("ja_JP.UTF-8", &arguments);
    assert!(text.contains(&format!("パスワードのファイル{file}の1行目は空白を含まない")), "{text}");
}
