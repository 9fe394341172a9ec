//! The options and levels as `engine.json`, which describes the WebAssembly build to ShogiHome's
//! web app (`shogihome-wasm-engine/1`).

use serde::Serialize;

use super::engine_define::{LEVELS, level_preset};
use super::options::{BROWSER_MAX_HASH_MIB, OPTIONS, OptionType, UsiOption};
use crate::engine::{AUTHOR, NAME, Settings};
use crate::types::language::Language;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    abi: &'static str,
    module: &'static str,
    module_format: &'static str,
    name: &'static str,
    author: &'static str,
    options: Vec<OptionRow>,
    presets: Vec<Preset>,
}

#[derive(Serialize)]
struct OptionRow {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vars: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Number(i64),
    Text(String),
}

/// A row in the app's list of engines. The app stores its `id` in the settings of its users, so an id
/// never changes, and never gets another meaning.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Preset {
    id: String,
    display_name: String,
    #[serde(serialize_with = "in_order")]
    values: Vec<(&'static str, Value)>,
}

fn in_order<S: serde::Serializer>(
    values: &[(&'static str, Value)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

/// The contents of the file.
pub fn engine_json() -> String {
    let manifest = Manifest {
        abi: "shogihome-wasm-engine/1",
        module: "kawasemi.js",
        module_format: "esm",
        name: NAME,
        author: AUTHOR,
        options: OPTIONS.iter().filter(|option| option.is_for_browser()).map(row).collect(),
        presets: std::iter::once(full_strength()).chain(LEVELS.map(level)).collect(),
    };
    let text = serde_json::to_string_pretty(&manifest).expect("plain data has a JSON form");
    text + "\n"
}

fn row(option: &UsiOption) -> OptionRow {
    let settings = Settings { hash_mib: Settings::BROWSER_HASH_MIB, ..Settings::default() };
    let (mut min, mut max, mut vars) = (None, None, Vec::new());
    let text = || Value::Text(option.value(&settings).into_owned());
    let default = match &option.kind {
        OptionType::Check { .. } => Some(text()),
        OptionType::Spin { min: option_min, max: option_max, get, .. } => {
            let option_max =
                if option.name == "USI_Hash" { BROWSER_MAX_HASH_MIB } else { *option_max };
            (min, max) = (Some(*option_min), Some(option_max));
            Some(Value::Number(get(&settings)))
        }
        OptionType::Combo { choices, .. } => {
            vars = choices.iter().map(|(word, _)| *word).collect();
            Some(text())
        }
        OptionType::File { .. } | OptionType::Text { .. } => None,
    };
    OptionRow { name: option.name, kind: option.kind.word(), default, min, max, vars }
}

fn full_strength() -> Preset {
    let hash = Value::Number(Settings::BROWSER_HASH_MIB as i64);
    Preset {
        id: "kawasemi-full-v1".into(),
        display_name: "Kawasemi".into(),
        values: vec![("USI_Hash", hash), ("USI_LimitStrength", Value::Text("false".into()))],
    }
}

fn level(level: i32) -> Preset {
    let grade = if level < 0 { "kyu" } else { "dan" };
    let name = |language| level_preset(level, language).0;
    let hash = Value::Number(Settings::BROWSER_HASH_MIB as i64);
    Preset {
        id: format!("kawasemi-{}{grade}-v1", level.abs()),
        display_name: format!(
            "Kawasemi {} ({})",
            name(Language::Japanese),
            name(Language::English)
        ),
        values: vec![
            ("USI_Hash", hash),
            ("USI_LimitStrength", Value::Text("true".into())),
            ("USI_Strength", Value::Number(level.into())),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::options;

    /// Users of the app have these in their settings.
    #[test]
    fn the_ids_of_the_presets_do_not_change() {
        let ids: Vec<String> =
            std::iter::once(full_strength()).chain(LEVELS.map(level)).map(|row| row.id).collect();
        assert_eq!(
            ids.join(" "),
            "kawasemi-full-v1 kawasemi-9dan-v1 kawasemi-7dan-v1 kawasemi-5dan-v1 kawasemi-3dan-v1 \
             kawasemi-1dan-v1 kawasemi-1kyu-v1 kawasemi-3kyu-v1 kawasemi-5kyu-v1 kawasemi-10kyu-v1 \
             kawasemi-15kyu-v1 kawasemi-18kyu-v1 kawasemi-20kyu-v1"
        );
    }

    #[test]
    fn the_engine_accepts_the_values_of_every_preset() {
        for preset in std::iter::once(full_strength()).chain(LEVELS.map(level)) {
            let mut settings = Settings::default();
            for (name, value) in preset.values {
                let value = match value {
                    Value::Number(number) => number.to_string(),
                    Value::Text(text) => text,
                };
                options::set(&mut settings, name.as_bytes(), Some(value.as_bytes())).unwrap();
            }
            assert_eq!(settings.limit_strength, preset.id != "kawasemi-full-v1");
        }
    }

    #[test]
    fn no_option_is_for_files_threads_or_a_cluster() {
        let text = engine_json();
        for word in ["EvalDir", "BookFile", "Log", "Threads", "ClusterWorker"] {
            assert!(!text.contains(word), "{word}");
        }
        assert!(text.contains("\"USI_Hash\"") && text.contains("\"max\": 256"));
    }
}
