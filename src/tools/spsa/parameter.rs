//! A parameter that can be tuned, of the search or of a network.

use std::fmt;
use std::str::FromStr;

use crate::search::params::ParamSpec;

/// The start value, range and step of a parameter. As text `NAME = START, MIN, MAX, STEP`, like a row of
/// the table of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub start: i32,
    pub min: i32,
    pub max: i32,
    pub step: i32,
}

impl From<&ParamSpec> for Parameter {
    fn from(row: &ParamSpec) -> Parameter {
        let ParamSpec { name, default, min, max, step } = *row;
        Parameter { name: name.into(), start: default, min, max, step }
    }
}

impl Parameter {
    /// The nearest value in its range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }

    /// The distance of this value from the start, in steps.
    pub fn steps_to(&self, value: f64) -> f64 {
        (value - f64::from(self.start)) / f64::from(self.step)
    }

    /// The same parameter with another start value.
    pub fn starting_at(&self, start: i32) -> Parameter {
        Parameter { start, ..self.clone() }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, start, min, max, step } = self;
        write!(f, "{name} = {start}, {min}, {max}, {step}")
    }
}

/// The text is not a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterError;

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Parameter, ParameterError> {
        let (name, values) = text.split_once(" = ").ok_or(ParameterError)?;
        let values: Result<Vec<i32>, _> = values.split(", ").map(str::parse).collect();
        match values.as_deref() {
            Ok(&[start, min, max, step]) if min < max && step > 0 => {
                Ok(Parameter { name: name.into(), start, min, max, step })
            }
            _ => Err(ParameterError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_read_as_it_is_written() {
        let parameter =
            Parameter { name: "L2_3_7".into(), start: -4, min: -128, max: 127, step: 2 };
        assert_eq!(parameter.to_string(), "L2_3_7 = -4, -128, 127, 2");
        assert_eq!(parameter.to_string().parse(), Ok(parameter));
        for bad in ["", "A", "A = 1, 0, 2", "A = 1, 0, 2, 0", "A = 1, 2, 2, 1", "A = 1, 0, x, 1"] {
            assert_eq!(bad.parse::<Parameter>(), Err(ParameterError), "{bad}");
        }
    }
}
