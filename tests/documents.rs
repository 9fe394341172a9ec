//! The generated files match their sources, and the documents name what exists.

#[path = "documents/page.rs"]
mod page;
#[path = "documents/third_party.rs"]
mod third_party;

use std::path::{Path, PathBuf};
use std::{env, fs};

use kawasemi::engine::{AUTHOR, BookOptionSet, Settings};
use kawasemi::types::language::Language;
use kawasemi::usi::options::{self, UsiOption};
use kawasemi::usi::{browser_manifest, engine_define, option_tables, translation};

/// If this variable is set, the tests write the generated files.
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
        "{name} differs from its source from line {line} on; write it with\n\
         {WRITE}=1 cargo test --profile checked --test documents"
    );
}

/// Compares a whole file with its source. A file that is to be written need not exist.
fn check_whole(name: &str, new: &str) {
    let old = if path(name).exists() { read(name) } else { String::new() };
    check(name, &old, new);
}

#[test]
fn engine_define_xml_equals_the_option_definitions() {
    check_whole(
        "engine_define.xml",
        &engine_define::engine_define_xml(Language::English, BookOptionSet::V1),
    );
    check_whole(
        "engine_define.ja.xml",
        &engine_define::engine_define_xml(Language::Japanese, BookOptionSet::V1),
    );
}

#[test]
fn engine_json_equals_the_option_definitions() {
    check_whole("web/engine/engine.json", &browser_manifest::engine_json());
}

#[test]
fn the_translation_equals_the_option_definitions() {
    check_whole("translation.txt", &translation::translation());
}

#[test]
fn the_option_tables_equal_the_option_definitions() {
    let old = read("docs/options.md");
    let new = option_tables::with_option_tables(&old).expect("the option markers");
    check("docs/options.md", &old, &new);
}

#[test]
fn every_archive_is_named_in_the_guides_and_found_by_binstall() {
    let script = read("packaging/archives.sh");
    let names = script.split_once("\ntriple() {").unwrap().1.split_once("\n}").unwrap().0;
    let names = names.lines().filter_map(|line| line.trim().split_once(") echo "));
    let platforms: Vec<&str> = names.map(|(platform, _)| platform).collect();
    assert_eq!(platforms.len(), 6, "{platforms:?}");
    for file in ["README.md", "docs/ja.md", "Cargo.toml"] {
        let text = read(file);
        for &platform in &platforms {
            // The page for browsers has no program to install.
            if file == "Cargo.toml" && platform == "web" {
                continue;
            }
            let is_zip = platform == "web" || platform.starts_with("windows");
            let ending = if is_zip { "zip" } else { "tar.gz" };
            assert!(text.contains(&format!("-{platform}.{ending}")), "{file} names no {platform}");
        }
    }
}

#[test]
fn the_licence_and_the_engine_name_the_same_authors() {
    let licence = read("LICENSE-MIT");
    assert!(licence.lines().any(|line| line.ends_with(AUTHOR)), "{licence}");
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(line: &str) -> String {
    let heading = line.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn the_targets_of_links_in_documents_exist() {
    let files = |folder| {
        let entries = fs::read_dir(path(folder)).unwrap();
        entries.map(move |entry| format!("{folder}/{}", entry.unwrap().file_name().display()))
    };
    let docs = ["docs", "docs/experiments"].into_iter().flat_map(files);
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "eval/README.md",
        "book/README.md",
        "packaging/README.md",
        "web/engine/README.md",
    ];
    let others = others.map(str::to_owned);
    let documents = docs.filter(|name| name.ends_with(".md")).chain(others);
    let mut links = 0;
    for document in documents {
        let text = read(&document);
        let folder = Path::new(&document).parent().unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let name = match file {
                "" => document.clone(),
                _ => folder.join(file).to_string_lossy().into_owned(),
            };
            assert!(path(&name).exists(), "{document} links to {name}");
            let is_target = |line: &str| line.starts_with('#') && anchor(line) == heading;
            let has_heading = || read(&name).lines().any(is_target);
            assert!(heading.is_empty() || has_heading(), "{document} links to {target}");
        }
    }
    assert!(links > 100, "only {links} links found");
}

#[test]
fn the_paths_and_names_in_the_glossary_exist() {
    let text = read("docs/glossary.md");
    let mut places = 0;
    for row in text.lines().filter(|line| line.ends_with("` |")) {
        // A file, and what it defines; some rows have several of both.
        let mut source = String::new();
        for name in row.rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2) {
            places += 1;
            if name.ends_with(".rs") {
                source = read(&format!("src/{name}"));
                continue;
            }
            let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let defines = |word| source.split(&format!("{word} {name}")).skip(1).any(is_end);
            assert!(["fn", "struct", "enum", "const", "static"].into_iter().any(defines), "{row}");
        }
    }
    assert!(places > 200, "only {places} places found");
}

#[test]
fn the_readme_and_the_check_script_test_by_the_same_command() {
    let (script, readme) = (read(".ci/run"), read("README.md"));
    let is_in_readme = |line: &&str| readme.contains(&format!("```\n{line}\n```"));
    let commands = script.lines().filter(|line| line.starts_with("cargo test "));
    assert_eq!(commands.filter(is_in_readme).count(), 1, "{script}");
}

/// The README repeats results of matches, which grow in the log.
#[test]
fn the_results_in_the_readme_are_in_the_log_of_experiments() {
    let files = fs::read_dir(path("docs/experiments")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let log: String = texts.collect();
    let log = log.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = read("README.md");
    let words = readme.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', '.']));
    let words: Vec<&str> = words.collect();
    let mut results = 0;
    for result in words.windows(3) {
        // As `+159 -139 =2`.
        let is_count = |(word, sign): (&&str, char)| {
            word.strip_prefix(sign).is_some_and(|count| count.parse::<u32>().is_ok())
        };
        if result.iter().zip(['+', '-', '=']).all(is_count) {
            let result = result.join(" ");
            assert!(log.contains(&result), "the log of experiments has no {result}");
            results += 1;
        }
    }
    assert!(results > 3, "only {results} results found");
}

/// The guide in Japanese, which is written by hand.
const GUIDE: &str = "docs/ja.md";

/// The option that a word of the guide names, or `None` if the word is no option name. In the guide,
/// only option names begin with a capital and have only letters, digits and underscores.
fn option_of_the_guide(name: &str) -> Option<&'static UsiOption> {
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
    // The text between backticks, one or three of them.
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
fn the_japanese_guide_has_the_steps_for_every_gui() {
    let (english, guide) = (read("docs/gui.md"), read(GUIDE));
    let mut programs = 0;
    for section in english.split("\n### ").skip(1) {
        // A heading, and the steps directly below it.
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
        let Some((_, default)) = line.split_once("既定値は") else { continue };
        let digits = default.find(|c: char| !c.is_ascii_digit()).unwrap_or(default.len());
        let name = line.split('`').nth(1).unwrap();
        let Some(row) = option_of_the_guide(name).filter(|_| digits > 0) else { continue };
        assert_eq!(row.value(&Settings::default()), default[..digits], "{GUIDE}: {name}");
        given += 1;
    }
    assert!(given > 3, "only {given} defaults found");
}
