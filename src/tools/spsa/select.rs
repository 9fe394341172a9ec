//! Which numbers of the search are tuned: all, or those that patterns name.

use std::fmt;

use crate::search::params::{Row, TABLE};

/// No number has a name like this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchName(pub String);

impl fmt::Display for NoSuchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no number of the search is called `{}`", self.0)
    }
}

impl std::error::Error for NoSuchName {}

/// The rows whose names fit one of the patterns, in the order of the table; all without patterns. A
/// `*` stands for any letters and a `?` for one; upper and lower case are alike.
///
/// # Errors
/// The first pattern that no name fits.
pub fn select(patterns: &[String]) -> Result<Vec<Row>, NoSuchName> {
    let fits = |pattern: &String, row: &Row| {
        fits(pattern.to_ascii_uppercase().as_bytes(), row.name.as_bytes())
    };
    if let Some(pattern) =
        patterns.iter().find(|pattern| !TABLE.iter().any(|row| fits(pattern, row)))
    {
        return Err(NoSuchName(pattern.clone()));
    }
    let is_wanted =
        |row: &&Row| patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, row));
    Ok(TABLE.iter().filter(is_wanted).copied().collect())
}

/// The row of this very name.
pub fn find(name: &str) -> Option<Row> {
    TABLE.iter().find(|row| row.name == name).copied()
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', pattern_rest @ ..], _) => {
            (0..=name.len()).any(|skipped| fits(pattern_rest, &name[skipped..]))
        }
        ([letter, pattern @ ..], [first, name @ ..]) => {
            (*letter == b'?' || letter == first) && fits(pattern, name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_letters() {
        let fits = |pattern: &str, name: &str| fits(pattern.as_bytes(), name.as_bytes());
        for pattern in ["LMR_BASE", "LMR_*", "*", "*_BASE", "L*R*B*E", "LMR_BA?E", "*LMR_BASE*"] {
            assert!(fits(pattern, "LMR_BASE"), "{pattern}");
        }
        for pattern in ["LMR", "LMR_?", "*_BASES", "?LMR_BASE", "", "LMR_BASE?"] {
            assert!(!fits(pattern, "LMR_BASE"), "{pattern}");
        }
    }

    #[test]
    fn rows_are_chosen_once_each_in_the_order_of_the_table() {
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            let rows = select(&patterns)?;
            Ok::<Vec<&str>, NoSuchName>(rows.iter().map(|row| row.name).collect())
        };
        let all: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!(names(&[]).unwrap(), all);
        let first = all[0];
        assert_eq!(names(&[all[1], &first.to_lowercase(), first]).unwrap(), all[..2]);
        assert_eq!(names(&[first, "NOTHING_*"]), Err(NoSuchName("NOTHING_*".into())));
    }

    #[test]
    fn a_row_is_found_by_its_whole_name() {
        assert_eq!(find(TABLE[3].name), Some(TABLE[3]));
        assert_eq!(find("NOTHING"), None);
    }
}
