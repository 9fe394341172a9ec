//! Tuned values as rows, for people and for the source of the search parameters.

use std::path::Path;

use super::parameter::Parameter;
use crate::sys::in_file;

/// The error that the file has no parameter of this name, or several.
pub(super) fn not_once(path: &Path, name: &str) -> String {
    in_file(path, format!("it does not have exactly one parameter {name}"))
}

/// The error that the parameter of the file does not have the start value of the tuning.
pub(super) fn other_value(path: &Path, name: &str) -> String {
    in_file(path, format!("its parameter {name} is not the one that was tuned"))
}

/// A row for every value, as in the source, with its start value as a comment.
pub fn rows(values: &[(Parameter, f64)]) -> String {
    let line = |(parameter, value): &(Parameter, f64)| {
        let (start, new, steps) = (parameter.start, rounded(*value), parameter.steps_to(*value));
        let row = parameter.starting_at(new);
        format!("    {row}; // {start} -> {new} ({steps:+.2} steps)\n")
    };
    values.iter().map(line).collect()
}

/// The source of the table at `path`, with the values as its defaults.
///
/// # Errors
/// If a parameter is not there exactly once, or has another value than at the start of the tuning.
pub(super) fn rewritten(
    path: &Path,
    source: &str,
    values: &[(Parameter, f64)],
) -> Result<String, String> {
    let mut text = source.to_string();
    for (parameter, value) in values {
        let begin = format!("    {} = ", parameter.name);
        let mut places = text.match_indices(&begin).map(|(at, _)| at);
        let (Some(at), None) = (places.next(), places.next()) else {
            return Err(not_once(path, &parameter.name));
        };
        let old = format!("    {parameter};");
        if !text[at..].starts_with(&old) {
            return Err(other_value(path, &parameter.name));
        }
        let new = format!("    {};", parameter.starting_at(rounded(*value)));
        text.replace_range(at..at + old.len(), &new);
    }
    Ok(text)
}

pub(super) fn rounded(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::PARAMS;

    const SOURCE: &str = include_str!("../../search/params.rs");

    #[test]
    fn a_row_can_be_pasted_into_the_source_and_shows_the_old_value() {
        let parameter = Parameter { name: "DEPTH".into(), start: -10, min: -20, max: 40, step: 4 };
        let expected = "    DEPTH = -7, -20, 40, 4; // -10 -> -7 (+0.80 steps)\n";
        assert_eq!(rows(&[(parameter, -6.8)]), expected);
    }

    #[test]
    fn only_the_defaults_of_the_source_are_replaced() {
        let parameters: Vec<Parameter> = PARAMS.iter().map(Parameter::from).collect();
        let moved = |by: f64| {
            let value =
                |parameter: &Parameter| (parameter.clone(), f64::from(parameter.start) + by);
            let values: Vec<_> = parameters.iter().map(value).collect();
            rewritten(Path::new("params.rs"), SOURCE, &values).unwrap()
        };
        assert_eq!(moved(0.0), SOURCE);
        let new = moved(0.6);
        assert_eq!(new.lines().count(), SOURCE.lines().count());
        for (old, new) in SOURCE.lines().zip(new.lines()) {
            let parameter = parameters
                .iter()
                .find(|parameter| old.starts_with(&format!("    {} = ", parameter.name)));
            match parameter {
                Some(parameter) => {
                    let row = parameter.starting_at(parameter.start + 1);
                    assert!(new.starts_with(&format!("    {row};")));
                }
                None => assert_eq!(old, new),
            }
        }
    }

    #[test]
    fn a_source_with_other_rows_is_refused() {
        let parameter = Parameter::from(&PARAMS[0]);
        let rewrite = |source: &str| {
            let values = [(parameter.clone(), 1.0)];
            rewritten(Path::new("params.rs"), source, &values).unwrap_err()
        };
        let name = &parameter.name;
        let not_once = format!("params.rs: it does not have exactly one parameter {name}");
        assert_eq!(rewrite(""), not_once);
        assert_eq!(rewrite(&SOURCE.repeat(2)), not_once);
        let other = format!("    {};", parameter.starting_at(parameter.start + 1));
        let refused = format!("params.rs: its parameter {name} is not the one that was tuned");
        assert_eq!(rewrite(&other), refused);
    }
}
