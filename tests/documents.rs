//! What is generated from the option registry, and committed, is what the registry says now; what
//! the documents say besides is held against what is there.

use std::path::{Path, PathBuf};
use std::{env, fs};

use kawasemi::engine::{AUTHOR, Settings};
use kawasemi::usi::language::Language;
use kawasemi::usi::options::{self, Row};
use kawasemi::usi::{readme, translation, xml};

/// Set, the generated files are written anew.
const WRITE: &str = "WRITE_GENERATED";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A committed file, with the line ends of the repository.
fn read(name: &str) -> String {
    let text = fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.replace("\r\n", "\n")
}

fn check(name: &str, old: &str, new: &str) {
    if env::var_os(WRITE).is_some() {
        // In one step: another test may be reading the file.
        let fresh = path(&format!("{name}.new"));
        let written = fs::write(&fresh, new).and_then(|()| fs::rename(&fresh, path(name)));
        return written.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let line = old.lines().zip(new.lines()).position(|(old, new)| old != new);
    let line = line.unwrap_or_else(|| old.lines().count().min(new.lines().count())) + 1;
    assert!(
        old == new,
        "{name} is not what the option registry says, from line {line} on; write it anew with\n\
         {WRITE}=1 cargo test --profile checked --test documents"
    );
}

/// Holds a file against what it is made of, all of it; it need not be there if it is to be written.
fn check_whole(name: &str, new: &str) {
    let old = if path(name).exists() { read(name) } else { String::new() };
    check(name, &old, new);
}

#[test]
fn engine_define_xml_is_what_the_registry_says() {
    check_whole("engine_define.xml", &xml::engine_define(Language::English));
    check_whole("engine_define.ja.xml", &xml::engine_define(Language::Japanese));
}

#[test]
fn the_translation_is_what_the_registry_says() {
    check_whole("translation.txt", &translation::translation());
}

#[test]
fn the_option_tables_of_the_readme_are_what_the_registry_says() {
    let old = read("README.md");
    let new = readme::with_option_tables(&old).expect("the README has lost its option markers");
    check("README.md", &old, &new);
}

#[test]
fn the_licence_and_the_engine_name_the_same_authors() {
    let licence = read("LICENSE-MIT");
    assert!(licence.lines().any(|line| line.ends_with(AUTHOR)), "{licence}");
}

#[test]
fn what_the_documents_link_to_is_there() {
    let docs = fs::read_dir(path("docs")).unwrap();
    let docs = docs.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let others = ["README.md", "eval/README.md", "book/README.md"].map(str::to_owned);
    let documents = docs.filter(|name| name.ends_with(".md")).chain(others);
    let mut links = 0;
    for document in documents {
        let text = read(&document);
        let folder = Path::new(&document).parent().unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("https://") {
                continue;
            }
            links += 1;
            let target = path(&folder.join(target).to_string_lossy());
            assert!(target.exists(), "{document} links to {}", target.display());
        }
    }
    assert!(links > 3, "only {links} links found");
}

#[test]
fn the_readme_and_the_check_script_test_by_the_same_command() {
    let script = read(".ci/run");
    let commands: Vec<&str> =
        script.lines().filter(|line| line.starts_with("cargo test --profile")).collect();
    assert_eq!(commands.len(), 1, "{script}");
    assert!(read("README.md").contains(&format!("```\n{}\n```", commands[0])));
}

/// The guide in Japanese, which nobody generates.
const GUIDE: &str = "docs/ja.md";

/// The option of a name that stands in the guide, spelled as it is declared; `None` if the text is
/// no name of an option: these alone begin with a capital there and have only letters, digits and
/// underscores.
fn option_of_the_guide(name: &str) -> Option<&'static Row> {
    let is_capital = |first: char| first.is_ascii_uppercase();
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !name.starts_with(is_capital) || !name.bytes().all(is_in_name) {
        return None;
    }
    let row = options::find(name.as_bytes()).filter(|row| row.name == name);
    Some(row.unwrap_or_else(|| panic!("{GUIDE} names an option {name}, and there is none")))
}

#[test]
fn the_options_that_the_japanese_guide_names_exist_and_take_the_values_it_gives() {
    let guide = read(GUIDE);
    let mut named = 0;
    // What stands between backticks, one or three of them.
    let code = guide.split('`').skip(1).step_by(2);
    for word in code.flat_map(str::split_whitespace) {
        let (name, value) = word.split_once('=').unzip();
        let Some(row) = option_of_the_guide(name.unwrap_or(word)) else { continue };
        named += 1;
        if let Some(value) = value {
            let (name, value) = (row.name.as_bytes(), Some(value.as_bytes()));
            let set = options::set(&mut Settings::default(), name, value);
            assert!(set.is_ok(), "{GUIDE}: {word}: {set:?}");
        }
    }
    assert!(named > 20, "only {named} options found");
}

#[test]
fn the_japanese_guide_tells_of_every_shogi_program_of_the_readme() {
    let (readme, guide) = (read("README.md"), read(GUIDE));
    let mut programs = 0;
    for section in readme.split("\n### ").skip(1) {
        // What is told step by step right below its name.
        let steps = section.split_once("\n\n1. ").filter(|(name, _)| !name.contains('\n'));
        let Some((name, _)) = steps else { continue };
        let japanese = name.split_once(" (").and_then(|(_, name)| name.strip_suffix(')'));
        let heading = format!("\n### {}\n\n1. ", japanese.unwrap_or(name));
        assert!(guide.contains(&heading), "{GUIDE} does not tell how to load it into {name}");
        programs += 1;
    }
    assert!(programs > 3, "only {programs} programs found");
}

#[test]
fn the_defaults_that_the_japanese_guide_gives_in_its_tables_are_those_of_the_registry() {
    let guide = read(GUIDE);
    let mut given = 0;
    for line in guide.lines().filter(|line| line.starts_with("| `")) {
        let Some((_, default)) = line.split_once("初期値は") else { continue };
        let digits = default.find(|c: char| !c.is_ascii_digit()).unwrap_or(default.len());
        let name = line.split('`').nth(1).unwrap();
        let Some(row) = option_of_the_guide(name).filter(|_| digits > 0) else { continue };
        assert_eq!(row.value(&Settings::default()), default[..digits], "{GUIDE}: {name}");
        given += 1;
    }
    assert!(given > 3, "only {given} defaults found");
}
