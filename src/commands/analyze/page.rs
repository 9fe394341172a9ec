//! The report as a page for the browser: one self-contained file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kawasemi::usi::language::Language;
use sha2::{Digest, Sha256};

use super::report::AnalysisReport;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The placeholders in the template, in their order.
const MARKS: [&str; 6] =
    ["@lang@", "@style-hash@", "@script-hash@", "@style@", "@data@", "@script@"];

pub(super) fn html(report: &AnalysisReport, language: Language) -> String {
    let data = within_script(&report.json());
    let mut rest = TEMPLATE;
    let mut page = String::with_capacity(data.len() + SCRIPT.len() + STYLE.len() + rest.len());
    // Browsers read the line ends of a checkout on Windows as these, and then hash.
    let [style, script] = [STYLE, SCRIPT].map(|part| part.replace("\r\n", "\n"));
    let parts = [language.code(), &hash(&style), &hash(&script), &style, &data, &script];
    for (mark, part) in MARKS.into_iter().zip(parts) {
        // Inserted text is not searched again, so a name in a record is never taken for a placeholder.
        let (before, after) = rest.split_once(mark).expect("the template has every mark once");
        page += before;
        page += part;
        rest = after;
    }
    page + rest
}

/// The hash by which the content security policy knows an inline style or script: no other is obeyed.
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

    #[test]
    fn the_template_has_every_mark_once_and_in_order() {
        let places = MARKS.map(|mark| TEMPLATE.find(mark).unwrap());
        assert!(places.is_sorted());
        MARKS.iter().for_each(|mark| assert_eq!(TEMPLATE.matches(mark).count(), 1, "{mark}"));
    }

    #[test]
    fn what_could_end_the_data_is_escaped_and_means_the_same() {
        let name = "</script><!-- &amp; \u{2028} ▲";
        let json = serde_json::to_string(name).unwrap();
        let text = within_script(&json);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    /// The scores had an ASCII minus, the losses another.
    #[test]
    fn the_page_has_one_minus_sign() {
        assert!(!TEMPLATE.contains('\u{2212}') && !include_str!("page.js").contains('\u{2212}'));
    }

    /// Regression: the policy obeyed any inline script, such as one in a name that was not escaped.
    #[test]
    fn only_the_style_and_the_script_of_the_page_are_obeyed() {
        // Of the empty text, as published with the algorithm.
        assert_eq!(hash(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert!(!TEMPLATE.contains("unsafe-"));
        for (element, mark) in [("style", "@style@"), ("script", "@script@")] {
            assert!(TEMPLATE.contains(&format!("<{element}>{mark}</{element}>")), "{element}");
            assert!(TEMPLATE.contains(&format!("{element}-src 'sha256-@{element}-hash@'")));
        }
        // The policy forbids these too.
        assert!(!TEMPLATE.contains(" style=") && !TEMPLATE.contains(" onclick="));
    }

    /// Regression: the page lost a branch that had not been analysed if a bad move came before it.
    #[test]
    fn nothing_is_taken_for_found_where_the_analysis_was_stopped() {
        for (at, call) in SCRIPT.match_indices("found(") {
            let (_, behind) = SCRIPT[at + call.len()..].split_once(')').unwrap();
            assert!(!behind.starts_with(['.', '[']), "at byte {at}");
        }
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        for part in [TEMPLATE, STYLE, SCRIPT] {
            for word in ["http:", "https:", "//cdn", "url(", "@import", "fetch(", "import("] {
                assert!(!part.contains(word), "{word}");
            }
        }
        assert!(TEMPLATE.contains("default-src 'none'"));
    }
}
