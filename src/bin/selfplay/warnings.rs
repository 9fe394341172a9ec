//! Warnings about damaged input.

use kawasemi::tools::terminal::print_error;

/// Prints warnings, up to a limit.
#[derive(Default)]
pub(crate) struct Warnings(usize);

impl Warnings {
    const MOST: usize = 20;

    pub(crate) fn tell(&mut self, words: &str) {
        self.0 += 1;
        match self.0 {
            number if number < Warnings::MOST => print_error(format_args!("selfplay: {words}")),
            Warnings::MOST => {
                print_error(format_args!("selfplay: {words}; further warnings are not shown"))
            }
            _ => {}
        }
    }
}
