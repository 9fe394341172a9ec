//! Pages for the browser, each one self-contained file: template, styles, scripts and data.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kawasemi::types::language::Language;
use kawasemi::types::message::message;
use sha2::{Digest, Sha256};

use crate::commands::arguments;

/// The placeholders in a template, in their order.
const MARKS: [&str; 6] =
    ["@lang@", "@style-hash@", "@script-hash@", "@style@", "@data@", "@script@"];

/// The styles of all pages.
const SHARED_STYLES: [&str; 2] =
    [include_str!("../../web/shogi.css"), include_str!("page_layout.css")];

/// The modules of all pages. Each follows those that it imports from.
const SHARED_MODULES: &[&str] = &[
    include_str!("../../web/dom.js"),
    include_str!("../../web/preferences.js"),
    include_str!("../../web/sfen.js"),
    include_str!("../../web/transfer.js"),
    include_str!("../../web/text.js"),
    include_str!("../../web/piece.js"),
    include_str!("../../web/board.js"),
    include_str!("../../web/movelist.js"),
    include_str!("page_controls.js"),
];

/// What a page adds to the shared parts, without its data.
pub struct SingleFilePage {
    /// The name in the template that identifies a page of this kind.
    pub generator: &'static str,
    pub template: &'static str,
    pub style: &'static str,
    /// Each module follows those that it imports from.
    pub modules: &'static [&'static str],
}

impl SingleFilePage {
    /// The page with its data, in JSON. Without a language, the page uses the browser's language.
    pub fn html(&self, json: &str, language: Option<Language>) -> String {
        let data = within_script(json);
        // Browsers convert the line ends of a Windows checkout before they hash.
        let [style, script] =
            [self.all_styles(), self.script()].map(|part| part.replace("\r\n", "\n"));
        let language = language.map_or(String::new(), |it| format!(" lang=\"{}\"", it.code()));
        let mut rest = self.template;
        let mut page = String::with_capacity(data.len() + script.len() + style.len() + rest.len());
        let parts = [&language, &hash(&style), &hash(&script), &style, &data, &script];
        for (mark, part) in MARKS.into_iter().zip(parts) {
            // Inserted text is not searched again, so a name in a record is never taken for a placeholder.
            let (before, after) = rest.split_once(mark).expect("the template has every mark once");
            page += before;
            page += part;
            rest = after;
        }
        page + rest
    }

    /// A page replaces another one of the same kind or an empty file, and nothing else.
    pub fn check_overwrite(&self, path: &Path) -> Result<(), String> {
        let must = message!(
            "is not a page of this command; choose another name, or delete it",
            "このコマンドのページではありません。別の名前にするか、削除してください"
        );
        arguments::check_overwrite(path, &format!("content=\"{}\"", self.generator), &must)
    }

    fn all_styles(&self) -> String {
        SHARED_STYLES.concat() + self.style
    }

    fn all_modules(&self) -> impl Iterator<Item = &'static str> {
        SHARED_MODULES.iter().chain(self.modules).copied()
    }

    /// The modules as one script. A page in one file cannot import, so the modules follow a rule: an import
    /// is one line `import { a, b } from "..."`, an export begins a declaration, and no two modules declare
    /// the same name at the top. So it suffices to drop the imports and the word `export`.
    pub fn script(&self) -> String {
        let mut script = String::from("\"use strict\";\n");
        for line in self.all_modules().flat_map(str::lines) {
            if !line.starts_with("import ") {
                script += line.strip_prefix("export ").unwrap_or(line);
                script.push('\n');
            }
        }
        script
    }
}

/// The hash of an inline style or script in the content security policy; no other is allowed.
fn hash(text: &str) -> String {
    BASE64.encode(Sha256::digest(text))
}

/// JSON that cannot end an element or begin a comment. Characters that are special in HTML occur only in
/// strings, where they can be escaped.
fn within_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text += &format!("\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{analyze, practice};

    /// Every page that the program writes.
    const PAGES: [&SingleFilePage; 2] = [&analyze::page::PAGE, &practice::PAGE];

    #[test]
    fn a_template_has_every_mark_once_and_in_order() {
        for SingleFilePage { template, .. } in PAGES {
            let places = MARKS.map(|mark| template.find(mark).unwrap());
            assert!(places.is_sorted());
            MARKS.iter().for_each(|mark| assert_eq!(template.matches(mark).count(), 1, "{mark}"));
        }
    }

    #[test]
    fn a_page_replaces_one_of_its_kind_or_an_empty_file_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let refused = |page: &SingleFilePage| {
            let checked = page.check_overwrite(&path);
            checked.is_err_and(|error| error.contains("is not a page of this command"))
        };
        assert!(!refused(PAGES[0]), "a new file");
        // Regression: the page for practice replaced the page of an analysis.
        for (page, other) in [(PAGES[0], PAGES[1]), (PAGES[1], PAGES[0])] {
            std::fs::write(&path, page.html("{}", Some(Language::Japanese))).unwrap();
            assert!(!refused(page) && refused(other), "{}", page.generator);
        }
        std::fs::write(&path, "").unwrap();
        assert!(!refused(PAGES[0]));
        for other in [&b"<!doctype html><title>mine</title>"[..], b"\xf7\x16\xf3\x7a", b"P1-FU"] {
            std::fs::write(&path, other).unwrap();
            assert!(refused(PAGES[0]), "{other:?}");
        }
    }

    #[test]
    fn characters_that_could_end_the_data_are_escaped() {
        let name = "</script><!-- &amp; \u{2028} ▲";
        let json = serde_json::to_string(name).unwrap();
        let text = within_script(&json);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    /// Regression: scores and losses had different minus signs.
    #[test]
    fn pages_use_one_kind_of_minus_sign() {
        for page in PAGES {
            assert!(!page.template.contains('\u{2212}') && !page.script().contains('\u{2212}'));
        }
    }

    /// Regression: the policy allowed any inline script, such as one in a name that was not escaped.
    #[test]
    fn the_content_security_policy_allows_only_the_inline_style_and_script_of_the_page() {
        // The hash of the empty text, as published with the algorithm.
        assert_eq!(hash(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        for SingleFilePage { template, .. } in PAGES {
            assert!(!template.contains("unsafe-"));
            for (element, mark) in [("style", "@style@"), ("script", "@script@")] {
                assert!(template.contains(&format!("<{element}>{mark}</{element}>")), "{element}");
                assert!(template.contains(&format!("{element}-src 'sha256-@{element}-hash@'")));
            }
            // The policy forbids these too.
            assert!(!template.contains(" style=") && !template.contains(" onclick="));
        }
    }

    #[test]
    fn pages_load_nothing_from_other_places() {
        for page in PAGES {
            for part in [page.template, &page.all_styles(), &page.script()] {
                // A name that is not loaded, and colours within the page.
                let part = part.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
                for word in ["http:", "https:", "//cdn", "url(", "@import", "fetch(", "import("] {
                    assert!(!part.contains(word), "{word}");
                }
            }
            assert!(page.template.contains("default-src 'none'"));
        }
    }

    /// The name that a line at the top of a module declares.
    fn declared(line: &str) -> Option<&str> {
        let rest = ["const ", "let ", "class ", "async function ", "function "]
            .iter()
            .find_map(|word| line.strip_prefix(word))?;
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
    }

    #[test]
    fn modules_can_be_joined_by_dropping_their_imports_and_the_word_export() {
        PAGES.into_iter().for_each(check_modules);
    }

    fn check_modules(page: &SingleFilePage) {
        let (mut names, mut exported) = (Vec::new(), Vec::new());
        for line in page.all_modules().flat_map(str::lines) {
            if let Some(import) = line.strip_prefix("import ") {
                let (list, _) = import.strip_prefix("{ ").unwrap().split_once(" } from ").unwrap();
                assert!(line.ends_with("\";"), "{line}");
                let known = |name: &str| exported.contains(&name);
                assert!(list.split(", ").all(known), "not exported before: {line}");
            }
            assert!(!line.contains(" import {"), "{line}");
            let export = line.strip_prefix("export ");
            let name = declared(export.unwrap_or(line));
            assert!(export.is_none() || name.is_some(), "{line}");
            names.extend(name);
            exported.extend(export.and(name));
        }
        assert!(names.contains(&"createBoard") && exported.contains(&"createBoard"));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two modules declare the same name");
        let is_rest = |line: &str| line.starts_with("import") || line.starts_with("export");
        assert!(!page.script().lines().any(is_rest));
    }

    /// The policy forbids them, so they would have no effect.
    #[test]
    fn no_script_makes_markup_from_text_or_writes_a_style_as_an_attribute() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "\"style\"",
            "cssText",
            "eval(",
        ] {
            assert!(PAGES.iter().all(|page| !page.script().contains(word)), "{word}");
        }
    }
}
