//! What the manuals say about the JSON of the commands.

use std::collections::BTreeSet;

use serde_json::Value;

/// Fails unless the section on JSON of a manual names every key.
#[track_caller]
pub fn check_keys(json: &Value, manual: &str) {
    let (_, section) = manual.split_once("# JSON\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let named: BTreeSet<&str> = section.split('`').skip(1).step_by(2).collect();
    let mut keys = BTreeSet::new();
    collect_keys(json, &mut keys);
    let missing: Vec<&&str> = keys.difference(&named).collect();
    assert!(!keys.is_empty() && missing.is_empty(), "not in the manual: {missing:?}");
}

/// The keys of all objects.
fn collect_keys<'a>(json: &'a Value, keys: &mut BTreeSet<&'a str>) {
    match json {
        Value::Object(members) => {
            for (key, value) in members {
                keys.insert(key);
                collect_keys(value, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}
