//! POPCNT, for x86-64 processors that have it.
//!
//! A program for every x86-64 must not rely on POPCNT, so `count_ones` compiles to a dozen
//! instructions. A function compiled for newer processors could use it but would not be inlined, which
//! costs more than it gains. So the instruction is written here as assembly.

/// Proof that the processor has POPCNT.
///
/// ```
/// use kawasemi::sys::Popcnt;
/// if let Some(popcnt) = Popcnt::detect() {
///     assert_eq!(popcnt.count(0b1011 << 100), 3);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Popcnt(());

impl Popcnt {
    /// `None` if the processor lacks the instruction, or the compiler may use it anyway.
    pub fn detect() -> Option<Popcnt> {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "popcnt"), not(miri)))]
        if is_x86_feature_detected!("popcnt") {
            return Some(Popcnt(()));
        }
        None
    }

    /// How many bits are set.
    #[inline(always)]
    pub fn count(self, bits: u128) -> u32 {
        (self.count_word(bits as u64) + self.count_word((bits >> 64) as u64)) as u32
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline(always)]
    fn count_word(self, word: u64) -> u64 {
        let mut count = word;
        // SAFETY: `self` shows that the processor knows the instruction, which changes nothing but
        // its register and the flags. (One register for both, since some processors wait for the
        // former contents of the second.)
        unsafe {
            std::arch::asm!("popcnt {0}, {0}", inout(reg) count, options(pure, nomem, nostack));
        }
        count
    }

    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    #[inline(always)]
    fn count_word(self, word: u64) -> u64 {
        u64::from(word.count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_instruction_counts_as_the_language_does(bits: u128) {
            if let Some(popcnt) = Popcnt::detect() {
                assert_eq!(popcnt.count(bits), bits.count_ones());
            }
        }
    }
}
