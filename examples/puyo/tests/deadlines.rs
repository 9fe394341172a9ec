//! Deadlines of searches.

use std::time::{Duration, Instant};

use super::engine::deadline::Deadlines;

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn a_search_ends_as_much_earlier_as_the_last_answers_were_late() {
    let (mut deadlines, now) = (Deadlines::default(), Instant::now());
    assert_eq!(deadlines.after(now, ms(300)), now + ms(275));
    deadlines.record_answer(now, now + ms(2));
    assert_eq!(deadlines.after(now, ms(300)), now + ms(293));
    deadlines.record_answer(now, now + ms(80));
    assert_eq!(deadlines.after(now, ms(300)), now + ms(215));
    // An answer before its deadline is not measured.
    deadlines.record_answer(now + ms(500), now);
    assert_eq!(deadlines.after(now, ms(300)), now + ms(215));
}

#[test]
fn half_of_the_time_is_for_the_search() {
    let (mut deadlines, now) = (Deadlines::default(), Instant::now());
    assert_eq!(deadlines.after(now, ms(10)), now + ms(5));
    assert_eq!(deadlines.after(now, ms(0)), now);
    deadlines.record_answer(now, now + ms(90_000));
    assert_eq!(deadlines.after(now, ms(300)), now + ms(150));
}
