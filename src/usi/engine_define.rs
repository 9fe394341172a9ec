//! The options as `engine_define.xml`, the engine description for MyShogi.
//!
//! Its reader is strict: the elements of an object must be complete and in alphabetical order. An
//! element out of order is silently ignored, and a missing one is read as null or zero.

use super::options::{OptionGroup, OptionType, UsiOption, for_users};
use crate::engine::BookOptionSet;
use crate::types::language::{Language, Localized, localized};

/// The name of the engine.
const NAME: &str = "Kawasemi";
/// The name of the program without the suffix for the processor.
const PROGRAM: &str = "kawasemi";
const BANNER: &str = "banner.png";
const SUMMARY: Localized =
    localized("A USI shogi engine that needs no setup.", "すぐに使えるUSI将棋エンジンです。");
const DESCRIPTION: Localized = localized(
    "Kawasemi, a shogi engine written in Rust.
One program for every x86-64 processor.
Plays, analyses, ponders and solves mate problems.
Weaker levels are listed below.",
    "Rustで書かれた将棋エンジン「Kawasemi」（かわせみ）です。
1つのプログラムがすべてのx86-64のCPUで動きます。
対局、検討、棋譜解析、先読み、詰将棋に対応しています。
棋力は下の一覧から選べます。",
);

const NAMESPACE: &str = "http://schemas.datacontract.org/2004/07/MyShogi.Model.Shogi.EngineDefine";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Engines are listed by descending number; this one is for engines that users add.
const DISPLAY_ORDER: i32 = 8000;
/// The engine answers `go` as well as `go mate`.
const PLAYS_AND_SOLVES_MATES: i32 = 2;

// Memory in MiB, measured as resident memory of the process.
/// The weights of the built-in network, shared by all threads.
const EVAL_MEMORY: i64 = 7;
/// A smaller transposition table is too small for more than a few seconds of search.
const MINIMUM_HASH_MEMORY: i64 = 64;
/// Data of each thread.
const STACK_PER_THREAD: i64 = 2;
/// The rest of the process with up to 32 threads: 114 when ready to play, nearly all of it shared
/// histories, and some for a mate search, which uses more if available.
const WORKING_MEMORY: i64 = 114 + 132;

/// One file for every x86-64 processor, `kawasemi_sse2.exe`.
const PROCESSORS: [&str; 1] = ["SSE2"];

/// Protocol extensions in MyShogi's spelling: separate byoyomi and clocks with `ponderhit`; nodes and
/// depth with `go mate`.
const EXTENSIONS: [&str; 3] =
    ["GoCommandTimeExtention", "GoMateNodesExtension", "GoMateDepthExtension"];

/// Options hidden in MyShogi: one is for `kawasemi cluster`, and MyShogi ignores the lines that the others enable.
const HIDDEN: [&str; 3] = ["ClusterWorker", "USI_ShowCurrLine", "USI_ShowRefutations"];

/// Levels offered below full strength, as values of `USI_Strength`.
pub(super) const LEVELS: [i32; 12] = [9, 7, 5, 3, 1, -1, -3, -5, -10, -15, -18, -20];

/// The contents of the file. Option names are not translated, since documents and other programs use them.
/// `book_options` are those to declare.
pub fn engine_define_xml(language: Language, book_options: BookOptionSet) -> String {
    let mut writer = XmlWriter { language, text: String::new(), depth: 1 };
    writer.text += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    writer.text += &format!("<EngineDefine xmlns:i=\"{INSTANCE}\" xmlns=\"{NAMESPACE}\">\n");
    writer.element("BannerFileName", BANNER);
    writer.element("Description", DESCRIPTION.of(language));
    writer.element("DescriptionSimple", SUMMARY.of(language));
    writer.element("DisplayName", NAME);
    writer.element("DisplayOrder", DISPLAY_ORDER);
    writer.element("EngineExeName", PROGRAM);
    writer.object("EngineOptionDescriptions", |writer| {
        for group in OptionGroup::ALL {
            writer.group(group, book_options);
        }
    });
    writer.element("EngineType", PLAYS_AND_SOLVES_MATES);
    writer.element("EvalMemory", EVAL_MEMORY);
    writer.element("MinimumHashMemory", MINIMUM_HASH_MEMORY);
    writer.object("Presets", |writer| {
        let (name, description) = full_strength(language);
        writer.preset(name, description, None);
        for level in LEVELS {
            let (name, description) = level_preset(level, language);
            writer.preset(&name, &description, Some(level));
        }
    });
    writer.element("StackPerThread", STACK_PER_THREAD);
    writer.list("SupportedCpus", "CpuType", &PROCESSORS);
    writer.list("SupportedExtendedProtocol", "ExtendedProtocol", &EXTENSIONS);
    writer.element("WorkingMemory", WORKING_MEMORY);
    writer.text + "</EngineDefine>\n"
}

/// Name and description of the preset at full strength.
const fn full_strength(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::English => ("Full strength", "No limit on the strength."),
        Language::Japanese => ("最強", "棋力を制限しません。"),
    }
}

/// Japanese numerals of the dan levels, by number.
const DAN: [&str; 10] = ["", "初", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Name and description of the preset for a level.
pub(super) fn level_preset(level: i32, language: Language) -> (String, String) {
    let number = level.abs();
    match language {
        Language::English => {
            let name = format!("{number} {}", if level < 0 { "kyu" } else { "dan" });
            let description = format!("For games against players of about {name}. An estimate.");
            (name, description)
        }
        Language::Japanese => {
            let name = match usize::try_from(level) {
                Ok(dan) => format!("{}段", DAN[dan]),
                Err(_) => format!("{number}級"),
            };
            let description = format!("{name}程度の人との対局に向いています。段級位は目安です。");
            (name, description)
        }
    }
}

/// Writes XML line by line, indented by two spaces.
struct XmlWriter {
    language: Language,
    text: String,
    depth: usize,
}

impl XmlWriter {
    fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text += line;
        self.text.push('\n');
    }

    fn element(&mut self, name: &str, value: impl ToString) {
        self.line(&format!("<{name}>{}</{name}>", escape(&value.to_string())));
    }

    fn nil(&mut self, name: &str) {
        self.line(&format!("<{name} i:nil=\"true\" />"));
    }

    fn object(&mut self, name: &str, content: impl FnOnce(&mut XmlWriter)) {
        self.line(&format!("<{name}>"));
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    fn list(&mut self, name: &str, item: &str, values: &[&str]) {
        self.object(name, |writer| values.iter().for_each(|value| writer.element(item, value)));
    }

    /// The heading of a group, and its options.
    fn group(&mut self, group: OptionGroup, book_options: BookOptionSet) {
        self.object("EngineOptionDescription", |writer| {
            writer.nil("ComboboxDisplayName");
            writer.nil("Description");
            writer.nil("DescriptionSimple");
            writer.element("DisplayName", group.title().of(writer.language));
            writer.element("Hide", false);
            writer.nil("Name");
            writer.nil("UsiBuildString");
        });
        for_users(book_options)
            .filter(|option| option.group == group)
            .for_each(|option| self.option(option));
    }

    fn option(&mut self, option: &UsiOption) {
        self.object("EngineOptionDescription", |writer| {
            match combo_labels(&option.kind, writer.language) {
                Some(labels) => writer.element("ComboboxDisplayName", labels),
                None => writer.nil("ComboboxDisplayName"),
            }
            let help = option.help.of(writer.language);
            writer.element("Description", help);
            writer.element("DescriptionSimple", help);
            writer.element("DisplayName", option.name);
            writer.element("Hide", HIDDEN.contains(&option.name));
            writer.element("Name", option.name);
            // Only needed for options that the engine does not declare.
            writer.nil("UsiBuildString");
        });
    }

    /// A preset for a level. Sets every option that limits the strength, so that nothing of another preset
    /// remains.
    fn preset(&mut self, name: &str, description: &str, level: Option<i32>) {
        let mut options = vec![
            ("USI_LimitStrength", level.is_some().to_string()),
            ("DepthLimit", "0".to_string()),
            ("NodesLimit", "0".to_string()),
            ("MultiPV", "1".to_string()),
        ];
        options.extend(level.map(|level| ("USI_Strength", level.to_string())));
        self.object("EnginePreset", |writer| {
            writer.element("Description", description);
            writer.element("Name", name);
            writer.object("Options", |writer| {
                for (name, value) in options {
                    writer.object("EngineOption", |writer| {
                        writer.element("Name", name);
                        writer.element("Value", value);
                    });
                }
            });
        });
    }
}

/// Values and labels in turn, separated by commas.
fn combo_labels(kind: &OptionType, language: Language) -> Option<String> {
    let OptionType::Combo { choices, .. } = kind else { return None };
    let pairs = choices.iter().map(|(word, label)| format!("{word},{}", label.of(language)));
    Some(pairs.collect::<Vec<_>>().join(","))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::usi::options;

    /// The names of the direct children of each object, in order, with the objects in order of their begin tags. Reads
    /// only what the writer writes: one element or tag on a line.
    fn children(language: Language) -> Vec<(String, Vec<String>)> {
        let mut objects: Vec<(String, Vec<String>)> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for line in engine_define_xml(language, BookOptionSet::V1)
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('<'))
        {
            let name: String = line
                .trim_start_matches(['<', '/'])
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .collect();
            if line.starts_with("</") {
                let object = open.pop().expect("an end tag without a begin");
                assert_eq!(objects[object].0, name);
                continue;
            }
            if line.starts_with("<?") {
                continue;
            }
            if let Some(&object) = open.last() {
                objects[object].1.push(name.clone());
            }
            // The description runs over several lines, its end tag ends the last of them.
            let single = line.contains("</") || line.ends_with("/>") || name == "Description";
            if !single {
                open.push(objects.len());
                objects.push((name, Vec::new()));
            }
        }
        assert!(open.is_empty(), "not closed: {open:?}");
        objects
    }

    #[test]
    fn the_root_has_all_fifteen_elements() {
        let [objects, japanese] = Language::ALL.map(children);
        assert_eq!(objects, japanese);
        assert_eq!(objects[0].0, "EngineDefine");
        let expected = [
            "BannerFileName",
            "Description",
            "DescriptionSimple",
            "DisplayName",
            "DisplayOrder",
            "EngineExeName",
            "EngineOptionDescriptions",
            "EngineType",
            "EvalMemory",
            "MinimumHashMemory",
            "Presets",
            "StackPerThread",
            "SupportedCpus",
            "SupportedExtendedProtocol",
            "WorkingMemory",
        ];
        assert_eq!(objects[0].1, expected);
    }

    #[test]
    fn every_object_has_its_elements_in_alphabetical_order() {
        for (name, elements) in children(Language::English) {
            assert!(elements.is_sorted(), "{name}: {elements:?}");
            let expected = match name.as_str() {
                "EngineOptionDescription" => 7,
                "EnginePreset" => 3,
                "EngineOption" => 2,
                _ => continue,
            };
            assert_eq!(elements.len(), expected, "{name}: {elements:?}");
        }
    }

    #[test]
    fn the_root_names_its_namespaces() {
        let text = engine_define_xml(Language::English, BookOptionSet::V1);
        let root = text.lines().nth(1).unwrap();
        assert_eq!(
            root,
            "<EngineDefine xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" \
             xmlns=\"http://schemas.datacontract.org/2004/07/MyShogi.Model.Shogi.EngineDefine\">"
        );
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"));
    }

    #[test]
    fn every_option_is_listed_once() {
        let text = engine_define_xml(Language::English, BookOptionSet::V1);
        let listed = text.split("<EngineOptionDescriptions>").nth(1).unwrap();
        let listed = listed.split("</EngineOptionDescriptions>").next().unwrap();
        for option in for_users(BookOptionSet::V1) {
            assert_eq!(listed.matches(&format!("<Name>{}</Name>", option.name)).count(), 1);
        }
        assert_eq!(listed.matches("<Name i:nil").count(), OptionGroup::ALL.len());
        assert_eq!(listed.matches("<Hide>true</Hide>").count(), HIDDEN.len());
        for name in HIDDEN {
            assert!(options::find(name.as_bytes()).is_some(), "{name}");
        }
    }

    #[test]
    fn every_preset_sets_only_what_the_engine_accepts() {
        let text = engine_define_xml(Language::English, BookOptionSet::V1);
        let presets = text.split("<Presets>").nth(1).unwrap().split("</Presets>").next().unwrap();
        let value = |line: &str, tag: &str| {
            let inner = line.trim().strip_prefix(&format!("<{tag}>"))?.to_string();
            Some(inner.strip_suffix(&format!("</{tag}>"))?.to_string())
        };
        let mut settings = Settings::default();
        let mut name = String::new();
        let mut count = 0;
        for line in presets.lines() {
            name = value(line, "Name").unwrap_or(name);
            if let Some(value) = value(line, "Value") {
                options::set(&mut settings, name.as_bytes(), Some(value.as_bytes())).unwrap();
                count += 1;
            }
        }
        assert_eq!(count, 4 + 5 * LEVELS.len());
        assert_eq!(settings.strength, LEVELS[LEVELS.len() - 1]);
    }

    /// An unknown word among them prevents MyShogi from listing the engine.
    #[test]
    fn only_keywords_that_myshogi_knows_are_used() {
        let processors = ["UNKNOWN", "NO_SSE", "SSE2", "SSE41", "SSE42", "AVX", "AVX2", "AVX512"];
        assert!(PROCESSORS.iter().all(|word| processors.contains(word)));
        let protocols = [
            "GoCommandTimeExtention",
            "HasEvalShareOption",
            "GoMateNodesExtension",
            "GoMateDepthExtension",
        ];
        assert!(EXTENSIONS.iter().all(|word| protocols.contains(word)));
    }

    #[test]
    fn combo_labels_are_pairs() {
        let option = options::find(b"EnteringKingRule").unwrap();
        let labels = combo_labels(&option.kind, Language::English).unwrap();
        assert!(labels.starts_with("NoEnteringKing,no declaration,CSARule24,24 points,"));
        assert_eq!(labels.split(',').count(), 12);
        let labels = combo_labels(&option.kind, Language::Japanese).unwrap();
        assert!(labels.starts_with("NoEnteringKing,宣言なし,CSARule24,24点法,"), "{labels}");
        assert_eq!(labels.split(',').count(), 12);
    }

    #[test]
    fn levels_have_the_names_that_players_use() {
        let name = |level, language| level_preset(level, language).0;
        assert_eq!(
            [9, 1, -15].map(|level| name(level, Language::English)),
            ["9 dan", "1 dan", "15 kyu"]
        );
        assert_eq!(
            [9, 1, -15].map(|level| name(level, Language::Japanese)),
            ["九段", "初段", "15級"]
        );
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a < b && c > d"), "a &lt; b &amp;&amp; c &gt; d");
    }
}
