//! The numbers of the search as values that can be set while the engine runs.
//!
//! They belong to the process, like the constants they stand for. A search that runs while one is
//! set may see it at once or later, so whoever compares values sets them between games.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::{PARAMS, ParamSpec};
use crate::types::Score;

/// The present values, in the order of the table.
static VALUES: [AtomicI32; PARAMS.len()] = {
    let mut values = [const { AtomicI32::new(0) }; PARAMS.len()];
    let mut place = 0;
    while place < PARAMS.len() {
        values[place] = AtomicI32::new(PARAMS[place].default);
        place += 1;
    }
    values
};

/// A row of the table, in place of the number it stands for.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Tunable(usize);

impl Tunable {
    pub(super) const fn at(place: usize) -> Tunable {
        Tunable(place)
    }

    /// Sets the value, in the range of its row.
    pub(super) fn set(self, value: i64) {
        let ParamSpec { min, max, .. } = PARAMS[self.0];
        VALUES[self.0].store(value.clamp(min.into(), max.into()) as i32, Relaxed);
    }
}

/// How a row is read and set by those who keep their other values in an `S`.
#[derive(Clone, Copy, Debug)]
pub struct ParamAccessor<S> {
    pub row: &'static ParamSpec,
    pub get: fn(&S) -> i64,
    pub set: fn(&mut S, i64),
}

impl From<Tunable> for i32 {
    #[inline(always)]
    fn from(tunable: Tunable) -> i32 {
        VALUES[tunable.0].load(Relaxed)
    }
}

macro_rules! arithmetic {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<i32> for Tunable {
            type Output = i32;

            #[inline(always)]
            fn $method(self, other: i32) -> i32 {
                i32::from(self).$method(other)
            }
        }

        impl $operator<Tunable> for Tunable {
            type Output = i32;

            #[inline(always)]
            fn $method(self, other: Tunable) -> i32 {
                i32::from(self).$method(i32::from(other))
            }
        }

        impl $operator<Tunable> for i32 {
            type Output = i32;

            #[inline(always)]
            fn $method(self, other: Tunable) -> i32 {
                self.$method(i32::from(other))
            }
        }
    )*};
}

arithmetic!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Tunable {
    type Output = i32;

    #[inline(always)]
    fn neg(self) -> i32 {
        -i32::from(self)
    }
}

impl AddAssign<Tunable> for i32 {
    #[inline(always)]
    fn add_assign(&mut self, other: Tunable) {
        *self += i32::from(other);
    }
}

impl SubAssign<Tunable> for i32 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tunable) {
        *self -= i32::from(other);
    }
}

impl PartialEq<Tunable> for i32 {
    #[inline(always)]
    fn eq(&self, other: &Tunable) -> bool {
        *self == i32::from(*other)
    }
}

impl PartialOrd<Tunable> for i32 {
    #[inline(always)]
    fn partial_cmp(&self, other: &Tunable) -> Option<Ordering> {
        self.partial_cmp(&i32::from(*other))
    }
}

impl Add<Tunable> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, other: Tunable) -> Score {
        self + i32::from(other)
    }
}

impl Sub<Tunable> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, other: Tunable) -> Score {
        self - i32::from(other)
    }
}
