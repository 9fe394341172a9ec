//! The programs in `examples`.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Output};

/// `cargo test` builds the examples before it runs the tests.
pub fn example(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let folder = test.parent().unwrap().parent().unwrap().join("examples");
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: run cargo build --example {name}", program.display());
    program
}

/// What a program returns and writes to standard error if nobody reads its standard output.
pub fn unread_output(name: &str, arguments: &[&str]) -> Output {
    let unread = io::pipe().unwrap().1;
    Command::new(example(name)).args(arguments).stdout(unread).output().unwrap()
}
