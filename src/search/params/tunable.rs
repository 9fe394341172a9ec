//! Parameters that can be set at run time.
//!
//! The values belong to the process. A running search may see a change at any time, so a tuner sets
//! values between games.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::{PARAMS, ParamSpec};
use crate::types::Score;

/// The current values, in the order of the table.
static VALUES: [AtomicI32; PARAMS.len()] = {
    let mut values = [const { AtomicI32::new(0) }; PARAMS.len()];
    let mut index = 0;
    while index < PARAMS.len() {
        values[index] = AtomicI32::new(PARAMS[index].default);
        index += 1;
    }
    values
};

/// A parameter that replaces the constant.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Tunable(usize);

impl Tunable {
    pub(super) const fn at(index: usize) -> Tunable {
        Tunable(index)
    }

    /// Sets the value, clamped to its range.
    pub(super) fn set(self, value: i64) {
        let ParamSpec { min, max, .. } = PARAMS[self.0];
        VALUES[self.0].store(value.clamp(min.into(), max.into()) as i32, Relaxed);
    }
}

/// Access to a parameter for a registry whose other values are in an `S`.
#[derive(Clone, Copy, Debug)]
pub struct ParamAccessor<S> {
    pub spec: &'static ParamSpec,
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
