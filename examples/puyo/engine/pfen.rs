//! The notation of positions. A field is written column by column from the bottom, each followed by a slash.
//!
//! ```text
//! ry////// 1 ////// 0 0 0 0
//! ```
//!
//! Own field, number of the own pair, the opponent's field and number, then the garbage: fixed, unfixed, and the
//! frames until it is fixed. The GUI of the protocol's author has two more numbers after each number of a pair:
//! whether the field was cleared (0 or 1), and the points that have not yet become garbage.

use std::fmt;
use std::str::FromStr;

use super::field::{COLUMNS, Field, Puyo, ROWS};
use super::garbage::Garbage;
use super::position::{Position, Side};

/// The largest number that is accepted. Larger ones do not occur in a game.
const MAX_NUMBER: u32 = 99_999_999;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PfenError {
    /// Neither seven nor eleven words.
    Words(usize),
    Field(FieldError),
    /// Not a number in the allowed range.
    Number(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    Letter(char),
    /// A column has more puyos than rows.
    High,
    /// Not exactly one slash for each column.
    Slashes,
}

impl fmt::Display for PfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PfenError::Words(count) => write!(f, "a position has 7 or 11 words, not {count}"),
            PfenError::Field(error) => write!(f, "{error}"),
            PfenError::Number(name) => write!(f, "the {name} is not a number in range"),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldError::Letter(letter) => {
                write!(f, "no puyo has the letter {:?}; r, g, b, y, p and o have one", letter)
            }
            FieldError::High => write!(f, "a column has more than {ROWS} puyos"),
            FieldError::Slashes => {
                write!(f, "a field has {COLUMNS} slashes, one after each column")
            }
        }
    }
}

impl FromStr for Field {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Field, FieldError> {
        let columns = text.strip_suffix('/').ok_or(FieldError::Slashes)?;
        if columns.split('/').count() != COLUMNS {
            return Err(FieldError::Slashes);
        }
        let mut field = Field::default();
        for (column, letters) in columns.split('/').enumerate() {
            for (row, letter) in letters.chars().enumerate() {
                let puyo = Puyo::from_letter(letter).ok_or(FieldError::Letter(letter))?;
                if row == ROWS {
                    return Err(FieldError::High);
                }
                field.put(column, row, puyo);
            }
        }
        Ok(field)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..COLUMNS {
            for puyo in (0..ROWS).map_while(|row| self.puyo(column, row)) {
                write!(f, "{}", puyo.letter())?;
            }
            f.write_str("/")?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = PfenError;

    fn from_str(text: &str) -> Result<Position, PfenError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (own, opponent, garbage) = match *words.as_slice() {
            [field, number, other_field, other_number, ref garbage @ ..] if garbage.len() == 3 => {
                ([field, number, "0", "0"], [other_field, other_number, "0", "0"], garbage)
            }
            [a, b, c, d, e, f, g, h, ref garbage @ ..] if garbage.len() == 3 => {
                ([a, b, c, d], [e, f, g, h], garbage)
            }
            _ => return Err(PfenError::Words(words.len())),
        };
        let (own, number) = side(own)?;
        let (opponent, opponent_number) = side(opponent)?;
        let garbage = Garbage {
            fixed: signed(garbage[0], "fixed garbage")?,
            unfixed: signed(garbage[1], "unfixed garbage")?,
            frames: unsigned(garbage[2], "number of frames")?,
        };
        Ok(Position { own, number, opponent, opponent_number, garbage })
    }
}

/// A player's side, and the number of the pair.
fn side([field, number, all_clear, points]: [&str; 4]) -> Result<(Side, usize), PfenError> {
    let field = field.parse().map_err(PfenError::Field)?;
    let number = unsigned(number, "number of a pair")?;
    let has_all_clear = match all_clear {
        "0" => false,
        "1" => true,
        _ => return Err(PfenError::Number("mark of a cleared field")),
    };
    let points = unsigned(points, "number of points")?;
    Ok((Side { field, has_all_clear, points }, number as usize))
}

/// A decimal number of digits only.
pub fn unsigned(word: &str, name: &'static str) -> Result<u32, PfenError> {
    let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.parse().ok().filter(|&number| is_plain && number <= MAX_NUMBER);
    number.ok_or(PfenError::Number(name))
}

/// A decimal number of digits, possibly after a minus.
fn signed(word: &str, name: &'static str) -> Result<i32, PfenError> {
    let (digits, sign) = word.strip_prefix('-').map_or((word, 1), |digits| (digits, -1));
    Ok(sign * unsigned(digits, name)? as i32)
}
