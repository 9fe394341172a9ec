//! Import cycles between the files of one folder. A file counts together with the folder of its
//! name, its tests do not count, and neither does the `mod.rs` of the folder: a name that it only
//! re-exports counts for the file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use crate::scanner::{paths, re_exports, tokens, without_tests};

/// A module as its path from the crate's root.
type Module = Vec<String>;

/// For each name in a folder, the names in the same folder that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The cycles in every folder, as `folder: one -> other -> one`. Sources have paths below `src`.
pub fn cycles(sources: &[(String, String)], crate_name: &str) -> Vec<String> {
    let crate_map = CrateMap::new(sources, crate_name);
    let mut found = Vec::new();
    for (folder, imports) in crate_map.folders() {
        if let Some(cycle) = cycle(&imports) {
            found.push(format!("{}: {}", folder.join("::"), cycle.join(" -> ")));
        }
    }
    found
}

struct CrateMap {
    /// Each module with the modules that it imports from.
    modules: BTreeMap<Module, BTreeSet<Module>>,
}

impl CrateMap {
    fn new(sources: &[(String, String)], crate_name: &str) -> CrateMap {
        let is_test = |module: &Module| module.iter().any(|part| part == "tests");
        let scanned: BTreeMap<Module, _> = sources
            .iter()
            .map(|(file, source)| (module_of(file), without_tests(tokens(source))))
            .filter(|(module, _)| !is_test(module))
            .collect();
        let mut exported = BTreeMap::new();
        for (module, tokens) in &scanned {
            for (name, target) in re_exports(tokens, module, crate_name) {
                exported.insert([&module[..], &[name]].concat(), target);
            }
        }
        let known: BTreeSet<&Module> = scanned.keys().collect();
        let modules = scanned.iter().map(|(module, tokens)| {
            let borrowed: Vec<&str> = module.iter().map(String::as_str).collect();
            let imported = paths(tokens, &borrowed, crate_name).into_iter();
            let imported = imported.filter_map(|path| home(path.parts, &known, &exported));
            (module.clone(), imported.collect())
        });
        CrateMap { modules: modules.collect() }
    }

    fn folders(&self) -> BTreeMap<&[String], Imports> {
        let mut folders: BTreeMap<&[String], Imports> = BTreeMap::new();
        for (module, imported) in &self.modules {
            for at in 1..module.len() {
                let folder = &module[..at];
                let siblings = imported
                    .iter()
                    .filter(|other| other.len() > at && &other[..at] == folder)
                    .map(|other| &other[at])
                    .filter(|&name| *name != module[at]);
                let imports = folders.entry(folder).or_default();
                imports.entry(module[at].clone()).or_default().extend(siblings.cloned());
            }
        }
        folders
    }
}

fn module_of(file: &str) -> Module {
    crate::module_of(file).into_iter().map(str::to_owned).collect()
}

/// The module that defines what a path names: re-exports are followed.
fn home(
    mut path: Vec<String>,
    known: &BTreeSet<&Module>,
    exported: &BTreeMap<Module, Vec<String>>,
) -> Option<Module> {
    // More steps than any chain of re-exports has.
    for _ in 0..8 {
        let length =
            (1..=path.len()).rev().find(|&length| known.contains(&path[..length].to_vec()))?;
        let Some(target) = path.get(..=length).and_then(|name| exported.get(name)) else {
            path.truncate(length);
            return Some(path);
        };
        path = [&target[..], &path[length + 1..]].concat();
    }
    None
}

/// A way from a file back to itself, if there is one.
fn cycle(imports: &Imports) -> Option<Vec<&str>> {
    let mut acyclic = BTreeSet::new();
    imports.keys().find_map(|start| search(start, imports, &mut Vec::new(), &mut acyclic))
}

fn search<'a>(
    file: &'a str,
    imports: &'a Imports,
    way: &mut Vec<&'a str>,
    acyclic: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if let Some(start) = way.iter().position(|&before| before == file) {
        return Some([&way[start..], &[file]].concat());
    }
    if acyclic.contains(file) {
        return None;
    }
    way.push(file);
    let found = imports
        .get(file)
        .and_then(|next| next.iter().find_map(|next| search(next, imports, way, acyclic)));
    way.pop();
    acyclic.insert(file);
    found
}
