//! Tuned values as rows of the table of the search, for people and for its source.

use std::fmt;

use crate::search::params::Row;

/// A source that does not have a row, or another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteError {
    /// There is none of this name, or more than one.
    NotOnce(&'static str),
    /// Its default there is not the one that tuning began with.
    OtherDefault(&'static str),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::NotOnce(name) => write!(f, "it has not one row {name}"),
            RewriteError::OtherDefault(name) => {
                write!(f, "its row {name} is not the one that was tuned")
            }
        }
    }
}

impl std::error::Error for RewriteError {}

/// A row for every value, as the source has them, with what it comes from.
pub fn rows<'a>(values: impl Iterator<Item = (&'a Row, f64)>) -> String {
    let line = |(row, value): (&Row, f64)| {
        let Row { name, default, min, max, step } = *row;
        let steps = (value - f64::from(default)) / f64::from(step);
        let new = rounded(value);
        format!(
            "    {name} = {new}, {min}, {max}, {step}; // {default} -> {new} ({steps:+.2} steps)\n"
        )
    };
    values.map(line).collect()
}

/// The source of the table with the values as its defaults.
///
/// # Errors
/// See [`RewriteError`].
pub fn rewritten<'a>(
    source: &str,
    values: impl Iterator<Item = (&'a Row, f64)>,
) -> Result<String, RewriteError> {
    let mut text = source.to_string();
    for (row, value) in values {
        let begin = format!("    {} = ", row.name);
        let mut places = text.match_indices(&begin).map(|(at, _)| at + begin.len());
        let (Some(at), None) = (places.next(), places.next()) else {
            return Err(RewriteError::NotOnce(row.name));
        };
        let old = format!("{}, {}, {}, {};", row.default, row.min, row.max, row.step);
        if !text[at..].starts_with(&old) {
            return Err(RewriteError::OtherDefault(row.name));
        }
        let end = at + row.default.to_string().len();
        text.replace_range(at..end, &rounded(value).to_string());
    }
    Ok(text)
}

fn rounded(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::TABLE;

    const SOURCE: &str = include_str!("../../search/params.rs");

    #[test]
    fn a_row_can_be_pasted_and_says_what_it_comes_from() {
        let row = Row { name: "DEPTH", default: -10, min: -20, max: 40, step: 4 };
        let expected = "    DEPTH = -7, -20, 40, 4; // -10 -> -7 (+0.80 steps)\n";
        assert_eq!(rows([(&row, -6.8)].into_iter()), expected);
    }

    #[test]
    fn the_source_gets_new_defaults_and_stays_as_it_is_otherwise() {
        let same = TABLE.iter().map(|row| (row, f64::from(row.default)));
        assert_eq!(rewritten(SOURCE, same.clone()).unwrap(), SOURCE);
        let new = rewritten(SOURCE, same.map(|(row, value)| (row, value + 0.6))).unwrap();
        assert_eq!(new.lines().count(), SOURCE.lines().count());
        for (old, new) in SOURCE.lines().zip(new.lines()) {
            let row = TABLE.iter().find(|row| old.starts_with(&format!("    {} = ", row.name)));
            let Some(row) = row else {
                assert_eq!(old, new);
                continue;
            };
            let Row { name, default, min, max, step } = *row;
            assert!(
                new.starts_with(&format!("    {name} = {}, {min}, {max}, {step};", default + 1))
            );
        }
    }

    #[test]
    fn a_source_with_other_rows_is_refused() {
        let row = TABLE[0];
        let rewrite = |source: &str| rewritten(source, [(&row, 1.0)].into_iter()).unwrap_err();
        assert_eq!(rewrite(""), RewriteError::NotOnce(row.name));
        assert_eq!(rewrite(&SOURCE.repeat(2)), RewriteError::NotOnce(row.name));
        let Row { name, default, min, max, step } = row;
        let other = format!("    {name} = {}, {min}, {max}, {step};", default + 1);
        assert_eq!(rewrite(&other), RewriteError::OtherDefault(row.name));
    }
}
