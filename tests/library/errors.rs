//! The errors of the library, as programs that use it pass them on and report them.

use std::error::Error;
use std::iter::successors;
use std::path::Path;

use kawasemi::analysis::AnalysisError;
use kawasemi::book::{Book, Validation};
use kawasemi::nnue::file::{self, LoadOptions};
use kawasemi::position::Position;
use kawasemi::record::{MoveError, RecordErrorKind};

/// Regression: the reason was in the text of these errors and again in their source, so programs showed it twice.
#[test]
fn a_report_of_an_error_with_its_sources_gives_the_reason_once() {
    let missing = Path::new("no-such-file");
    let errors: [Box<dyn Error>; 3] = [
        Position::from_sfen("4k4/9/9/9/4R4/9/9/9/4K4 b - 1").unwrap_err().into(),
        Book::open(missing, Validation::Full).unwrap_err().into(),
        file::load(missing, &LoadOptions::default()).unwrap_err().into(),
    ];
    for error in errors {
        let chain = successors(Some(&*error), |&error| error.source());
        assert_eq!(chain.count(), 1, "{error}");
    }
}

/// Regression: these did not implement `Error`.
#[test]
fn errors_can_be_passed_on() {
    fn is_error<E: Error + Send + Sync + 'static>() {}
    is_error::<AnalysisError>();
    is_error::<MoveError>();
    is_error::<RecordErrorKind>();
}
