//! The teacher's values that are not a number: a few cost their positions the score, many end the run.

use parking_lot::Mutex;

use crate::position::Setup;
use crate::types::message::counted;

/// The values of a run that are not a number. Their positions have no score in the file.
#[derive(Debug, Default)]
pub struct WrongValues(Mutex<Vec<String>>);

impl WrongValues {
    /// With more of them, the teacher is at fault.
    const MAX: usize = 100;

    /// Remembers the value of a position if it is not a number: as a score it would say that the position is even or
    /// lost.
    ///
    /// # Errors
    /// If there are too many of them.
    pub(super) fn check(&self, position: &Setup, value: f32) -> Result<(), String> {
        if value.is_finite() {
            return Ok(());
        }
        let why =
            format!("the teacher's value of sfen {position} is {value}, not a number from -1 to 1");
        let mut found = self.0.lock();
        if found.len() == WrongValues::MAX {
            return Err(why);
        }
        found.push(why);
        Ok(())
    }

    /// Their number and the first one; `None` without any.
    pub fn report(&self) -> Option<String> {
        let found = self.0.lock();
        let first = found.first()?;
        Some(format!("{} without a score: {first}", counted(found.len() as u64, "position")))
    }
}
