//! The layers of the crate: which module may import which, that the files of a folder import each
//! other without cycles, who may print, where `unsafe` is allowed, who flushes files to disk, and how long
//! files and functions may be. Reads `src/**/*.rs`, and `docs/design.md`, which shows the import table.

#[path = "architecture/cycles.rs"]
mod cycles;
#[path = "architecture/scanner.rs"]
mod scanner;

use std::path::{Path as FilePath, PathBuf};

use scanner::{Token, functions, paths, tokens};

/// A top-level module and what it may import besides itself: the allowed prefixes of a path, and
/// paths that stay forbidden below them.
struct Rule {
    module: &'static str,
    may_import: &'static [&'static str],
    except: &'static [&'static str],
}

const fn rule(module: &'static str, may_import: &'static [&'static str]) -> Rule {
    Rule { module, may_import, except: &[] }
}

/// The modules, lowest layer first.
const RULES: &[Rule] = &[
    rule("types", &[]),
    rule("sys", &["types::message", "types::printable"]),
    rule("session", &["types", "sys"]),
    rule("position", &["types"]),
    rule("record", &["types", "position"]),
    rule("browser", &["types", "position", "record"]),
    rule("usi_client", &["types", "sys"]),
    rule("nnue", &["types", "position", "sys"]),
    rule("tt", &["types", "sys"]),
    rule("book", &["types", "position", "sys"]),
    rule("mate", &["types", "position", "sys"]),
    rule("tsume", &["types", "position", "mate", "sys"]),
    rule("search", &["types", "position", "nnue", "tt", "mate", "sys"]),
    rule("makebook", &["types", "sys", "position", "nnue", "book", "search"]),
    rule("analysis", &["types", "position", "record", "nnue", "mate", "search"]),
    rule("puzzles", &["types", "sys", "position", "record", "nnue", "mate", "search", "analysis"]),
    rule("engine", &["types", "sys", "position", "nnue", "book", "mate", "search"]),
    rule(
        "usi",
        &[
            "types",
            "position",
            "sys",
            "session",
            "nnue::Isa",
            "book",
            "mate",
            "search::request",
            "search::params",
            "engine",
        ],
    ),
    rule("csa", &["types", "sys", "position", "record", "usi_client"]),
    Rule {
        module: "cluster",
        may_import: &[
            "types",
            "sys",
            "session",
            "position",
            "search::request",
            "search::VOTE_OFFSET",
            "usi_client",
            "engine",
            "usi",
        ],
        except: &["usi::session"],
    },
    rule("wasm", &["browser", "engine", "usi"]),
    rule(
        "tools",
        &["types", "sys", "position", "record", "usi_client", "nnue", "search", "engine"],
    ),
];

/// The roots of the crate and its programs may import everything.
const ROOTS: &[&str] = &["lib", "main", "commands", "bin"];
/// Modules besides the roots that may print. `usi_client::child` names the streams of another process.
const MAY_PRINT: &[&str] = &["sys::standard_error", "usi", "csa", "usi_client::child", "tools"];
const MAY_BE_UNSAFE: &[&str] = &["sys", "nnue::kernels", "wasm"];

const MAX_FILE_LINES: usize = 800;
const MAX_FUNCTION_LINES: usize = 100;

/// The module path of a file below `src`, such as `["position", "sfen"]`; roots have their own name.
fn module_of(file: &str) -> Vec<&str> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').collect()
}

/// Every breach of the rules in one file, whose path is relative to `src`.
fn violations(file: &str, source: &str) -> Vec<String> {
    let module = module_of(file);
    let tokens = tokens(source);
    let mut found = import_violations(&module, &tokens);
    found.extend(word_violations(&module, &tokens));
    found.extend(length_violations(source, &tokens));
    found.into_iter().map(|(line, what)| format!("src/{file}:{line}: {what}")).collect()
}

type Violation = (usize, String);

fn import_violations(module: &[&str], tokens: &[Token]) -> Vec<Violation> {
    let mut found = Vec::new();
    if ROOTS.contains(&module[0]) {
        return found;
    }
    let Some(rule) = RULES.iter().find(|rule| rule.module == module[0]) else {
        let what = format!("the module {} has no row in the import table", module[0]);
        return vec![(1, what)];
    };
    for path in paths(tokens, module, env!("CARGO_PKG_NAME")) {
        if let Err(why) = may_import(rule, &path.parts) {
            found.push((path.line, why));
        }
    }
    found
}

/// Whether a module may import this path, which starts at the crate's root.
fn may_import(rule: &Rule, parts: &[String]) -> Result<(), String> {
    let path = parts.join("::");
    if matches!(parts.first().map(String::as_str), None | Some("*")) {
        return Err(format!("{} takes in the whole crate", rule.module));
    }
    if parts[0] == rule.module {
        return Ok(());
    }
    if !rule.may_import.iter().any(|allowed| is_within(&path, allowed)) {
        return Err(format!("{} must not import {path}", rule.module));
    }
    let reaches = |denied: &&&str| {
        let from_above = path.strip_suffix("::*").unwrap_or(&path);
        is_within(&path, denied) || is_within(denied, from_above)
    };
    match rule.except.iter().find(reaches) {
        Some(denied) => Err(format!("{} reaches {denied} through {path}", rule.module)),
        None => Ok(()),
    }
}

/// Whether `path` equals `above` or is below it.
fn is_within(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn word_violations(module: &[&str], tokens: &[Token]) -> Vec<Violation> {
    let path = module.join("::");
    let stands_in = |homes: &[&str]| homes.iter().any(|home| is_within(&path, home));
    let may_print = ROOTS.contains(&module[0]) || stands_in(MAY_PRINT);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let prints = matches!(token.text.as_str(), "print" | "println" | "eprint" | "eprintln")
            && tokens.get(at + 1).is_some_and(|next| next.text == "!");
        match token.text.as_str() {
            word if prints && !may_print => {
                found.push((token.line, format!("{path} must not use {word}!")));
            }
            word @ ("stdout" | "stderr") if !may_print => {
                found.push((token.line, format!("{path} must not use {word}")));
            }
            "unsafe" if !stands_in(MAY_BE_UNSAFE) => {
                found.push((token.line, UNSAFE_OUTSIDE.to_owned()));
            }
            "sync_all" | "sync_data" if path != "sys::fsync" => {
                found.push((token.line, FLUSH_OUTSIDE.to_owned()));
            }
            "available_parallelism" if path != "sys::processors" => {
                found.push((token.line, PROCESSORS_OUTSIDE.to_owned()));
            }
            _ => {}
        }
        let moves_a_module = token.text == "path"
            && at > 0
            && tokens[at - 1].text == "["
            && tokens.get(at + 1).is_some_and(|next| next.text == "=");
        if moves_a_module {
            found.push((token.line, "a path attribute hides which module this is".to_owned()));
        }
    }
    found
}

const UNSAFE_OUTSIDE: &str = "unsafe is allowed only in sys, nnue::kernels and wasm";
const FLUSH_OUTSIDE: &str = "only sys::sync_file flushes a file on every kind of disk";
const PROCESSORS_OUTSIDE: &str = "only sys::processors counts all processors of a Windows machine";

fn length_violations(source: &str, tokens: &[Token]) -> Vec<Violation> {
    let mut found = Vec::new();
    let lines = source.lines().count();
    if lines > MAX_FILE_LINES {
        found.push((1, format!("{lines} lines, more than {MAX_FILE_LINES}")));
    }
    for function in functions(tokens).into_iter().filter(|f| f.lines > MAX_FUNCTION_LINES) {
        let what = format!("{} has {} lines", function.name, function.lines);
        found.push((function.line, format!("{what}, more than {MAX_FUNCTION_LINES}")));
    }
    found
}

/// All sources, each with its path below `src`.
fn sources() -> Vec<(String, String)> {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("src is readable") {
            let path = entry.expect("src is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let below = path.strip_prefix(&root).expect("found below src");
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            (parts.join("/"), std::fs::read_to_string(&path).expect("sources are UTF-8"))
        })
        .collect()
}

#[test]
fn the_sources_keep_to_the_architecture() {
    let found: Vec<String> =
        sources().iter().flat_map(|(file, source)| violations(file, source)).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// What tells the user something in the commands, with a text in English alone.
const ENGLISH_ALONE: &[&str] = &[
    "notice(\"",
    "notice(format!(\"",
    "notice(format_args!(\"",
    "Err(\"",
    "Err(format!(\"",
    // An error shows itself in English.
    "error.to_string()",
    "Box<dynError>",
    "in_file(",
];

/// Whether a text in Japanese quotes an error, which shows itself in English; its message belongs there.
fn quotes_an_error(line: &str) -> bool {
    let mut literals = line.split('"').skip(1).step_by(2);
    literals.any(|text| text.contains("{error}") && !text.is_ascii())
}

/// The texts of a command that have no Japanese, without its tests.
fn english_alone(file: &str, source: &str) -> Vec<String> {
    let is_command = file.starts_with("commands/") || file == "main.rs";
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let dense: String = code.split_whitespace().collect();
    let may_name_files = file == "commands/notice.rs";
    let found = ENGLISH_ALONE.iter().filter(|text| is_command && dense.contains(*text));
    let found = found.filter(|text| !(may_name_files && **text == "in_file("));
    let mut found: Vec<String> = found.map(|text| format!("{file}: {text}")).collect();
    found.extend(code.lines().filter(|line| quotes_an_error(line)).map(|l| format!("{file}: {l}")));
    found
}

/// Errors that no command shows: they go to programs and logs, or are only a part of a message.
const ERRORS_IN_ENGLISH: &[&str] = &[
    "BestMoveError",
    "EngineFault",
    "PackError",
    "ParseMoveError",
    "ParseSquareError",
    "ScoredPositionError",
    "StartError",
    "UnpackError",
];

/// The errors and warnings of a source that show themselves in another way than by their message.
fn errors_in_english(file: &str, source: &str) -> Vec<String> {
    if file.starts_with("tools/") || file.starts_with("bin/") {
        return Vec::new();
    }
    let code = source.split("\nmod tests {").next().unwrap_or_default();
    let shown = code.split("impl fmt::Display for ").skip(1);
    let shown =
        shown.filter_map(|rest| Some((rest.split_once(" {")?.0, rest.split("\n}").next()?)));
    let is_error = |name: &str| {
        ["Error", "Warning", "Problem", "Refused"].iter().any(|end| name.contains(end))
            || code.contains(&format!("Error for {name} {{}}"))
    };
    let english = shown.filter(|(name, body)| {
        *name != "Message"
            && is_error(name)
            && !body.contains(".message().fmt(f)")
            && !ERRORS_IN_ENGLISH.contains(name)
    });
    english.map(|(name, _)| format!("{file}: {name}")).collect()
}

/// Regression: warnings about records and errors of networks were in English on a Japanese system.
#[test]
fn every_error_that_a_command_may_show_has_a_text_in_japanese() {
    let sources = sources();
    let found: Vec<String> =
        sources.iter().flat_map(|(file, source)| errors_in_english(file, source)).collect();
    assert!(found.is_empty(), "give them a `message`: {found:#?}");
    let planted = "impl fmt::Display for NetworkError {\n    fn fmt() {\n        x\n    }\n}\n";
    assert_eq!(errors_in_english("nnue/network.rs", planted), ["nnue/network.rs: NetworkError"]);
    assert_eq!(
        errors_in_english("nnue/network.rs", &planted.replace('x', "self.message().fmt(f)")).len(),
        0
    );
    for name in ERRORS_IN_ENGLISH {
        let shown = format!("impl fmt::Display for {name} {{");
        assert!(sources.iter().any(|(_, source)| source.contains(&shown)), "{name} is no more");
    }
}

/// Regression: on a Japanese system half of the messages were in English.
#[test]
fn every_message_of_a_command_has_a_text_in_japanese() {
    let found: Vec<String> =
        sources().iter().flat_map(|(file, source)| english_alone(file, source)).collect();
    assert!(found.is_empty(), "use message!: {found:#?}");
    let planted = "fn run() -> Result<(), String> {\n    return Err(\n        \"no\".into());\n}";
    assert_eq!(english_alone("commands/book.rs", planted).len(), 1);
    assert_eq!(english_alone("book/format.rs", planted).len(), 0);
    let quoted = "message!(\"no: {error}\", \"不可：{error}\")";
    assert_eq!(english_alone("book/format.rs", quoted).len(), 1);
}

/// An unused permission would go unnoticed when a module starts to use it.
#[test]
fn every_allowed_import_exists() {
    let sources = sources();
    for rule in RULES {
        let own = sources.iter().filter(|(file, _)| module_of(file)[0] == rule.module);
        let imported: Vec<String> = own
            .flat_map(|(file, source)| {
                paths(&tokens(source), &module_of(file), env!("CARGO_PKG_NAME"))
            })
            .map(|path| path.parts.join("::"))
            .collect();
        for allowed in rule.may_import {
            let is_used = imported.iter().any(|path| is_within(path, allowed));
            assert!(is_used, "nothing in {} imports {allowed}", rule.module);
        }
    }
}

#[test]
fn the_files_of_a_folder_have_no_import_cycle() {
    let found = cycles::cycles(&sources(), env!("CARGO_PKG_NAME"));
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_import_table_has_no_cycle() {
    let mut below: Vec<&str> = Vec::new();
    for rule in RULES {
        for import in rule.may_import {
            let module = import.split("::").next().unwrap_or(import);
            assert!(below.contains(&module), "{} may import {module} from above", rule.module);
        }
        below.push(rule.module);
    }
}

/// A rule as a row of the table in the design document.
fn table_row(rule: &Rule) -> String {
    let names = |paths: &[&str]| {
        let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        quoted.join(", ")
    };
    let imports =
        if rule.may_import.is_empty() { "nothing".to_owned() } else { names(rule.may_import) };
    let except = match rule.except {
        [] => String::new(),
        denied => format!("; but not {}", names(denied)),
    };
    format!("| `{}` | {imports}{except} |", rule.module)
}

#[test]
fn the_design_document_shows_the_import_table() {
    let path = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("docs/design.md");
    let text = std::fs::read_to_string(path).expect("docs/design.md is readable");
    let shown: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let rows: Vec<String> = RULES.iter().map(table_row).collect();
    assert_eq!(shown, rows, "the table should be\n{}", rows.join("\n"));
}

/// The messages for a sample source, without file and line.
fn planted(file: &str, source: &str) -> Vec<String> {
    let place = |breach: &String| breach.split_once(": ").map(|(_, what)| what.to_owned());
    violations(file, source).iter().filter_map(place).collect()
}

#[test]
fn an_import_from_a_higher_layer_is_detected_in_every_syntax() {
    let spellings = [
        "use crate::search::Worker;",
        "use crate::search;",
        "use crate::{types::Move, search::Worker};",
        "use crate::{\n    types::{Move, Square},\n    search::{self, pool::Pool},\n};",
        "fn f() -> crate::search::Score { loop {} }",
        "fn f() { let x = crate::search::f(1); }",
        "use super::super::search::Worker;",
        "use super::super::{search::Worker};",
        "mod tests { use super::super::super::search::Worker; }",
        "use kawasemi::search::Worker;",
        "macro_rules! m { () => { $crate::search::f() } }",
        "pub use crate::search::Worker as Other;",
        "use crate /* a comment */ :: search :: Worker;",
        "fn f() { for x in crate::search::all() {} }",
        "type T = Vec<crate::search::Worker>;",
        "fn f() { g::<crate::search::Worker>() }",
        "use {crate::search::Worker};",
    ];
    for source in spellings {
        let found = planted("position/sfen.rs", source);
        assert!(!found.is_empty(), "not caught: {source}");
        for what in found {
            assert!(what.starts_with("position must not import search"), "{source}: {what}");
        }
    }
}

#[test]
fn texts_that_only_resemble_an_import_are_allowed() {
    let allowed = [
        "// use crate::search::Worker;",
        "/* outer /* use crate::search::Worker; */ still a comment */",
        "/// [`crate::search`] says more.\nfn f() {}",
        "const S: &str = \"crate::search::Worker\";",
        "const S: &str = r#\"a \" crate::search::Worker\"#;",
        "const C: char = '\"'; const D: char = '\"'; use crate::types::Move;",
        "fn f<'a>(x: &'a str) -> &'a str { x } use crate::types::{Color, Move};",
        "use crate::position::validate;",
        "use super::validate::validate_setup;",
        "use super::super::types::Move;",
        "pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::position) fn h() {}",
        "mod tests { use super::*; use super::super::validate; }",
        "impl S { fn search(&self) -> Self { self.search(self) } }",
        "fn f() { let search = 1; search::<u8>(); }",
    ];
    for source in allowed {
        assert_eq!(planted("position/sfen.rs", source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn the_whole_crate_is_no_import() {
    let sources = ["use crate::*;", "use crate::{self as k};", "use crate as k;", "use super::*;"];
    for source in sources {
        assert_eq!(planted("engine.rs", source), ["engine takes in the whole crate"], "{source}");
    }
    assert_eq!(planted("engine.rs", "mod tests { use super::*; }"), Vec::<String>::new());
}

#[test]
fn a_submodule_may_be_allowed_where_its_module_is_not() {
    let silent = Vec::<String>::new();
    assert_eq!(planted("usi/session.rs", "use crate::search::request::Limits;"), silent);
    assert_eq!(planted("usi/session.rs", "use crate::search::{request::Limits};"), silent);
    for source in ["use crate::search;", "use crate::search::*;", "use crate::search::requests;"] {
        let found = planted("usi/session.rs", source);
        assert!(found[0].starts_with("usi must not import search"), "{source}: {found:?}");
    }
    assert_eq!(planted("cluster/options.rs", "use crate::usi::line::Line;"), silent);
    let ways = [
        "use crate::usi::session::Session;",
        "use crate::usi::{line, session};",
        "use crate::usi;",
        "use crate::usi::*;",
    ];
    for source in ways {
        let found = planted("cluster/options.rs", source);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert!(found[0].starts_with("cluster reaches usi::session"), "{source}: {found:?}");
    }
}

#[test]
fn a_module_without_a_row_is_caught() {
    let found = planted("helpers.rs", "fn f() {}");
    assert_eq!(found, ["the module helpers has no row in the import table"]);
}

#[test]
fn printing_is_detected_outside_its_modules() {
    for word in ["print", "println", "eprint", "eprintln"] {
        let source = format!("fn f() {{ {word}!(\"x\"); }}");
        assert_eq!(
            planted("search/root.rs", &source),
            [format!("search::root must not use {word}!")]
        );
        for home in ["usi/line.rs", "csa/mod.rs", "tools/gauntlet.rs", "bin/gauntlet.rs", "main.rs"]
        {
            assert_eq!(planted(home, &source), Vec::<String>::new());
        }
    }
    let source = "fn f() { std::io::stdout().flush(); }";
    assert_eq!(planted("engine.rs", source), ["engine must not use stdout"]);
    assert_eq!(planted("engine.rs", "use std::io::{Write, stdout};").len(), 1);
    assert_eq!(planted("engine.rs", "fn print() { self.print(); }"), Vec::<String>::new());
}

#[test]
fn unsafe_is_detected_outside_its_modules() {
    let source = "fn f() { unsafe { g() } }";
    assert_eq!(planted("search/root.rs", source), [UNSAFE_OUTSIDE]);
    assert_eq!(planted("nnue/forward.rs", source), [UNSAFE_OUTSIDE]);
    assert_eq!(planted("nnue/kernels/avx2.rs", source), Vec::<String>::new());
    assert_eq!(planted("sys/mmap.rs", source), Vec::<String>::new());
    assert_eq!(planted("search/root.rs", "#![deny(unsafe_code)]"), Vec::<String>::new());
}

/// Regression: on a Mac no predictions could be joined on a network share or an exFAT disk.
#[test]
fn a_flush_that_some_disks_refuse_is_detected() {
    let source = "fn f(file: &File) { file.sync_all() }";
    assert_eq!(planted("tools/files.rs", source), [FLUSH_OUTSIDE]);
    assert_eq!(planted("sys/fsync.rs", source), Vec::<String>::new());
}

/// Regression: on Windows `train` and `selfplay` used 64 processors of a larger machine.
#[test]
fn a_count_of_one_group_of_processors_is_detected() {
    let source = "fn f() -> usize { std::thread::available_parallelism().map_or(1, usize::from) }";
    assert_eq!(planted("bin/train.rs", source), [PROCESSORS_OUTSIDE]);
    assert_eq!(planted("sys/processors.rs", source), Vec::<String>::new());
}

#[test]
fn long_files_and_functions_are_detected() {
    let long_file = "\n".repeat(MAX_FILE_LINES + 1);
    assert_eq!(planted("engine.rs", &long_file), ["801 lines, more than 800"]);
    assert_eq!(planted("engine.rs", &"\n".repeat(MAX_FILE_LINES)), Vec::<String>::new());
    let body = "    if a { g(\"}\"); }\n".repeat(MAX_FUNCTION_LINES - 1);
    let long = format!("trait T {{ fn no_body(a: [u8; 4]); }}\nfn f(a: bool) {{\n{body}}}\n");
    assert_eq!(planted("engine.rs", &long), ["f has 101 lines, more than 100"]);
    let body = "    g();\n".repeat(MAX_FUNCTION_LINES - 2);
    let short = format!("fn f() {{\n{body}}}\nfn g() {{\n{body}}}\n");
    assert_eq!(planted("engine.rs", &short), Vec::<String>::new());
}

#[test]
fn breaches_name_the_line() {
    let source = "/* one\ntwo */\nconst S: &str = \"a\nb\";\n\nuse crate::search::Worker;\n";
    assert_eq!(
        violations("position/mod.rs", source),
        ["src/position/mod.rs:6: position must not import search::Worker"]
    );
}

#[test]
fn a_path_attribute_is_caught() {
    let found = planted("engine.rs", "#[path = \"other.rs\"] mod other;");
    assert_eq!(found, ["a path attribute hides which module this is"]);
}

fn planted_cycles(sources: &[(&str, &str)]) -> Vec<String> {
    let owned: Vec<_> =
        sources.iter().map(|&(file, source)| (file.to_owned(), source.to_owned())).collect();
    cycles::cycles(&owned, env!("CARGO_PKG_NAME"))
}

#[test]
fn an_import_cycle_between_files_of_a_folder_is_detected() {
    let parent =
        ("mate/mod.rs", "mod a; mod b; mod c; pub use b::{B, Other as Name}; pub struct M;");
    let direct = [parent, ("mate/a.rs", "use super::b::B;"), ("mate/b.rs", "use super::a::A;")];
    assert_eq!(planted_cycles(&direct), ["mate: a -> b -> a"]);
    let by_the_parent = [
        parent,
        ("mate/a.rs", "use super::Name;"),
        ("mate/b.rs", "fn f() -> crate::mate::c::C { loop {} }"),
        ("mate/c.rs", "use crate::mate::a::{self, A};"),
    ];
    assert_eq!(planted_cycles(&by_the_parent), ["mate: a -> b -> c -> a"]);
    let by_a_folder = [
        parent,
        ("mate/a/mod.rs", "mod deep;"),
        ("mate/a/deep.rs", "use crate::mate::B;"),
        ("mate/b.rs", "use super::a::A;"),
    ];
    assert_eq!(planted_cycles(&by_a_folder), ["mate: a -> b -> a"]);
}

#[test]
fn the_parent_and_the_tests_of_a_file_make_no_cycle() {
    let allowed = [
        ("mate/mod.rs", "mod a; mod b; pub use a::A; pub struct M;"),
        ("mate/a.rs", "use super::{M, b::B}; mod tests { use super::super::b; }"),
        ("mate/b.rs", "use super::M; mod tests { use super::super::A; fn f() {} }"),
        ("mate/b/tests.rs", "use crate::mate::a::A;"),
    ];
    assert_eq!(planted_cycles(&allowed), Vec::<String>::new());
}
