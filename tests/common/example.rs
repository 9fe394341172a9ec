//! The programs in `examples`.

use std::env;
use std::path::PathBuf;

/// `cargo test` builds the examples before it runs the tests.
pub fn example(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let folder = test.parent().unwrap().parent().unwrap().join("examples");
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: run cargo build --example {name}", program.display());
    program
}
