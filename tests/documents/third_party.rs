//! `THIRD-PARTY.txt`: the crates that the programs may contain on any system, and their licences. Its list
//! is compared with `Cargo.lock`, which needs no network; only writing it asks Cargo.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use super::{WRITE, check_whole, path, read};

const FILE: &str = "THIRD-PARTY.txt";
const CRATES: &str = "\nCRATES\n======\n\n";
const TEXTS: &str = "\nTEXTS\n=====\n";
const HEAD: &str = "\
Third-party notices
===================

Kawasemi is under MIT OR Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). Its programs contain work of others:

- The crates below, as far as the system needs them. Where a crate offers a choice, the licence is MIT.
- The standard library of Rust, copyright (c) The Rust Project Contributors, MIT OR Apache-2.0;
  https://github.com/rust-lang/rust/blob/master/COPYRIGHT names its parts.
- Data: the built-in network (eval/kawasemi.bin, see eval/README.md) and the opening book
  (book/standard_book.db, see book/README.md) are under the licence of Kawasemi. NOTICE has the licence of
  the network that labelled its training data.

This file is generated: WRITE_GENERATED=1 cargo test --test documents
";

type Crate = (String, String);

/// The packages of `Cargo.lock`: source and dependencies by name and version.
fn locked() -> BTreeMap<Crate, (Option<String>, Vec<String>)> {
    let lock: toml::Table = read("Cargo.lock").parse().unwrap();
    let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
    let package = |row: &toml::Value| {
        let needs = row.get("dependencies").and_then(toml::Value::as_array);
        let needs = needs.into_iter().flatten().map(text).collect();
        ((text(&row["name"]), text(&row["version"])), (row.get("source").map(text), needs))
    };
    lock["package"].as_array().unwrap().iter().map(package).collect()
}

/// What the programs and tools may contain on any system: all dependencies but those of the tests.
fn contained() -> BTreeSet<Crate> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let of_systems = manifest["target"].as_table().unwrap().values();
    let tables =
        of_systems.map(|system| &system["dependencies"]).chain([&manifest["dependencies"]]);
    let roots = tables.flat_map(|table| table.as_table().unwrap().keys().cloned());
    let packages = locked();
    let (mut open, mut found): (Vec<String>, _) = (roots.collect(), BTreeSet::new());
    while let Some(wanted) = open.pop() {
        // A name, and the version if several are locked.
        let mut words = wanted.split(' ');
        let (name, version) = (words.next().unwrap(), words.next());
        let fits = |(known, at): &&Crate| known == name && version.is_none_or(|it| it == at);
        let package = packages.keys().find(fits).unwrap_or_else(|| panic!("{wanted}"));
        if found.insert(package.clone()) {
            open.extend(packages[package].1.iter().cloned());
        }
    }
    found
}

/// The rows of the list: name, version, licence.
fn listed(file: &str) -> BTreeMap<Crate, String> {
    let list = file.split_once(CRATES).unwrap().1.split_once(TEXTS).unwrap().0;
    let row = |line: &str| {
        let mut cells = line.split("  ").filter(|cell| !cell.is_empty());
        let (name, version) = cells.next().unwrap().split_once(' ').unwrap();
        ((name.to_owned(), version.to_owned()), cells.next().unwrap().trim().to_owned())
    };
    list.lines().filter(|line| !line.is_empty()).map(row).collect()
}

/// The text of the licences that a package comes with. Of a choice only MIT.
fn texts(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| {
            let name = name.to_lowercase();
            let kinds = ["license", "licence", "copying", "copyright", "notice"];
            kinds.iter().any(|kind| name.starts_with(kind))
        })
        .collect();
    names.sort();
    if names.iter().any(|name| name.to_lowercase().contains("mit")) {
        let others = ["apache", "zlib"];
        names.retain(|name| !others.iter().any(|other| name.to_lowercase().contains(other)));
    }
    let text = |name: &String| fs::read_to_string(folder.join(name)).unwrap().replace("\r\n", "\n");
    let trimmed =
        |text: String| text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    names.iter().map(text).map(trimmed).map(|text: String| text.trim().to_owned()).collect()
}

/// For a package without licence files: its authors and the terms.
fn stand_in(package: &Value) -> String {
    let terms = read("LICENSE-MIT");
    let (_, terms) = terms.split_once("\n\nPermission").unwrap();
    let names = package["authors"].as_array().unwrap().iter().filter_map(Value::as_str);
    let names: Vec<&str> = names.collect();
    format!("MIT License\n\nCopyright (c) {}\n\nPermission{}", names.join(", "), terms.trim_end())
}

/// The whole file, by the packages that Cargo has downloaded.
fn generated() -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1", "--all-features"]);
    let output = cargo.current_dir(path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut rows = String::new();
    let mut holders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version) in contained() {
        let packages = metadata["packages"].as_array().unwrap();
        let is_it = |it: &&Value| it["name"] == *name && it["version"] == *version;
        let package = packages.iter().find(is_it).unwrap_or_else(|| panic!("{name} {version}"));
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let title = format!("{name} {version}");
        rows += &format!("{title:<40}  {:<44}  {}\n", text("license"), text("repository"));
        let mut found = texts(Path::new(text("manifest_path")).parent().unwrap());
        if found.is_empty() {
            found.push(stand_in(package));
        }
        found.into_iter().for_each(|text| holders.entry(text).or_default().push(title.clone()));
    }
    let mut groups: Vec<(Vec<String>, String)> =
        holders.into_iter().map(|(text, names)| (names, text)).collect();
    groups.sort();
    let line = "-".repeat(100);
    let group = |(names, text): &(Vec<String>, String)| {
        format!("\n{line}\n{}\n{line}\n\n{text}\n", names.join("\n"))
    };
    let texts: String = groups.iter().map(group).collect();
    format!("{HEAD}{CRATES}{rows}{TEXTS}{texts}")
}

#[test]
fn every_crate_that_the_programs_may_contain_has_its_notice() {
    if env::var_os(WRITE).is_some() {
        return check_whole(FILE, &generated());
    }
    let file = read(FILE);
    let named: BTreeSet<Crate> = listed(&file).into_keys().collect();
    let wanted = contained();
    assert!(wanted.len() > 50);
    let difference: Vec<_> = named.symmetric_difference(&wanted).collect();
    assert!(difference.is_empty(), "{FILE} is old: {difference:?}; write it with {WRITE}=1");
    assert!(file.starts_with(HEAD));
    let texts = file.split_once(TEXTS).unwrap().1;
    for (name, version) in &wanted {
        let is_title = |line: &str| line == format!("{name} {version}");
        assert!(texts.lines().any(is_title), "no licence text for {name} {version}");
    }
    assert!(texts.contains("Redistributions in binary form"), "encoding_rs is under BSD-3-Clause");
}

/// Whether an SPDX expression can be met by these licences. `/` is an old spelling of `OR`.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words, allowed);
    met && rest.is_empty()
}

fn either<'a, 'b>(words: &'b [&'a str], allowed: &[String]) -> (bool, &'b [&'a str]) {
    let (mut met, mut rest) = both(words, allowed);
    while let [word, after @ ..] = rest
        && *word == "OR"
    {
        let (other, behind) = both(after, allowed);
        (met, rest) = (met || other, behind);
    }
    (met, rest)
}

fn both<'a, 'b>(words: &'b [&'a str], allowed: &[String]) -> (bool, &'b [&'a str]) {
    let (mut met, mut rest) = term(words, allowed);
    while let [word, after @ ..] = rest
        && *word == "AND"
    {
        let (other, behind) = term(after, allowed);
        (met, rest) = (met && other, behind);
    }
    (met, rest)
}

fn term<'a, 'b>(words: &'b [&'a str], allowed: &[String]) -> (bool, &'b [&'a str]) {
    match words {
        ["(", inner @ ..] => match either(inner, allowed) {
            (met, [")", rest @ ..]) => (met, rest),
            (_, rest) => (false, rest),
        },
        [licence, "WITH", exception, rest @ ..] => {
            (allowed.contains(&format!("{licence} WITH {exception}")), rest)
        }
        [licence, rest @ ..] => (allowed.contains(&(*licence).to_owned()), rest),
        [] => (false, words),
    }
}

/// The licences in `deny.toml`, which `cargo deny check licenses` reads too.
fn allowed() -> Vec<String> {
    let rules: toml::Table = read("deny.toml").parse().unwrap();
    let names = rules["licenses"]["allow"].as_array().unwrap();
    names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_crate_has_an_allowed_licence_and_comes_from_crates_io() {
    let allowed = allowed();
    for ((name, version), licence) in listed(&read(FILE)) {
        assert!(is_met(&licence, &allowed), "{name} {version} is under {licence}");
    }
    for ((name, version), (source, _)) in locked() {
        let is_ours = name == env!("CARGO_PKG_NAME");
        let is_public =
            source.is_some_and(|from| from.ends_with("github.com/rust-lang/crates.io-index"));
        assert!(is_ours || is_public, "{name} {version} does not come from crates.io");
    }
}

#[test]
fn licence_expressions_are_evaluated_correctly() {
    let allowed = ["MIT", "BSD-3-Clause"].map(str::to_owned);
    for met in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(MIT OR GPL-3.0) AND BSD-3-Clause"] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for refused in [
        "GPL-3.0",
        "",
        "MIT AND GPL-3.0",
        "MIT WITH X",
        "(MIT",
        "MIT MIT",
        "GPL-3.0 OR ISC AND MIT",
    ] {
        assert!(!is_met(refused, &allowed), "{refused}");
    }
}
