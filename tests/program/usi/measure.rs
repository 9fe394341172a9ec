//! Measurements, which run only on request:
//!
//! ```text
//! cargo test --release --test program measure -- --ignored --nocapture --test-threads 1
//! ```

use std::time::{Duration, Instant};

use super::engine::{Engine, ms};
use super::game::Game;

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let millis = |index: usize| times[index].as_secs_f64() * 1000.0;
    let last = times.len() - 1;
    println!(
        "{what}: {} times, least {:.2} ms, median {:.2} ms, 99th of 100 {:.2} ms, most {:.2} ms",
        times.len(),
        millis(0),
        millis(last / 2),
        millis(last * 99 / 100),
        millis(last),
    );
}

fn stops(threads: usize) -> Vec<Duration> {
    let mut engine = Engine::ready(&[&format!("Threads={threads}"), "USI_Hash=256"]);
    let game = Game::new().after("7g7f 3c3d 2g2f 8c8d");
    let times = (0..1000).map(|number| {
        engine.send(&game.command());
        engine.send("go infinite");
        engine.during(ms(number % 20));
        engine.stop(&game).took
    });
    times.collect()
}

#[test]
#[ignore = "takes a minute and a half"]
fn measure_the_time_from_stop_to_the_answer() {
    for threads in [1, 2, 64] {
        report(&format!("stop to bestmove, {threads} threads"), stops(threads));
    }
}

#[test]
#[ignore = "takes half a minute and 1 GiB of memory"]
fn measure_the_time_from_the_start_to_the_first_answers() {
    let mut greetings = Vec::new();
    let mut ready = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let mut engine = Engine::start(&[]);
        engine.send("usi");
        greetings.push(engine.until("usiok").1 - start);
        engine.send("setoption name USI_Hash value 1024");
        engine.send("isready");
        ready.push(engine.until("readyok").1 - start);
        engine.quit();
    }
    report("start to usiok", greetings);
    report("start to readyok with 1 GiB of table", ready);
}
