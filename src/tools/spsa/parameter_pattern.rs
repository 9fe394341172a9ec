//! Selects parameters by name patterns.

use super::parameter::Parameter;

/// The parameters whose names match one of the patterns, in order; all if there are no patterns. `*`
/// stands for any letters and `?` for one; case is ignored.
///
/// # Errors
/// If a pattern has no match.
pub fn select(parameters: &[Parameter], patterns: &[String]) -> Result<Vec<Parameter>, String> {
    let fits = |pattern: &String, parameter: &Parameter| {
        fits(pattern.to_ascii_uppercase().as_bytes(), parameter.name.as_bytes())
    };
    if let Some(pattern) =
        patterns.iter().find(|pattern| !parameters.iter().any(|parameter| fits(pattern, parameter)))
    {
        return Err(format!("no parameter is called `{pattern}`"));
    }
    let is_wanted = |parameter: &&Parameter| {
        patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, parameter))
    };
    Ok(parameters.iter().filter(is_wanted).cloned().collect())
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
    fn file_patterns_match_stars_and_question_marks() {
        let fits = |pattern: &str, name: &str| fits(pattern.as_bytes(), name.as_bytes());
        for pattern in ["LMR_BASE", "LMR_*", "*", "*_BASE", "L*R*B*E", "LMR_BA?E", "*LMR_BASE*"] {
            assert!(fits(pattern, "LMR_BASE"), "{pattern}");
        }
        for pattern in ["LMR", "LMR_?", "*_BASES", "?LMR_BASE", "", "LMR_BASE?"] {
            assert!(!fits(pattern, "LMR_BASE"), "{pattern}");
        }
    }

    #[test]
    fn parameters_are_chosen_once_each_in_their_order() {
        let parameter =
            |name: &str| Parameter { name: name.into(), start: 0, min: -1, max: 1, step: 1 };
        let all = ["C_1", "A", "B"].map(parameter);
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            let chosen = select(&all, &patterns)?;
            Ok::<Vec<String>, String>(chosen.into_iter().map(|parameter| parameter.name).collect())
        };
        assert_eq!(names(&[]).unwrap(), ["C_1", "A", "B"]);
        assert_eq!(names(&["A", "c_?", "C_1"]).unwrap(), ["C_1", "A"]);
        assert_eq!(names(&["A", "NOTHING_*"]), Err("no parameter is called `NOTHING_*`".into()));
    }
}
