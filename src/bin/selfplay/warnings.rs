//! Warnings about damaged input.

use kawasemi::tools::terminal::print_error;

/// Prints warnings, up to a limit.
#[derive(Default)]
pub(crate) struct Warnings(usize);

impl Warnings {
    const MAX: usize = 20;

    pub(crate) fn print(&mut self, text: &str) {
        self.0 += 1;
        match self.0 {
            number if number < Warnings::MAX => print_error(format_args!("selfplay: {text}")),
            Warnings::MAX => {
                print_error(format_args!("selfplay: {text}; further warnings are not shown"))
            }
            _ => {}
        }
    }
}
