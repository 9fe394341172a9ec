//! The commands of the program.

use std::io;
use std::time::{Duration, Instant};

use kawasemi::types::Random;

use super::board::{Board, perft};
use super::ofen::{Position, square_name};
use super::players::{greedy, play_match, random, timed};
use super::search::{Limits, best_line};
use super::table::Table;
use super::{ffo, session, training};

const USAGE: &str = "\
usage: othello                             speaks UOI on standard input and output
       othello --help                      shows this text
       othello --version                   shows the version
       othello perft DEPTH                 counts sequences of moves
       othello solve [OFEN]                solves a position, or the endgames 40 to 44 of the FFO
       othello match random|greedy N MS    plays N games with MS milliseconds a move
       othello train N                     prints the weights that N games give";

/// Runs the command of the arguments; without arguments, speaks UOI.
///
/// # Errors
/// The error as text: the usage if the command is unknown.
pub fn run(words: &[&str]) -> Result<(), String> {
    let number = |word: &str| word.parse().map_err(|_| format!("no number: {word}"));
    match words {
        [] => session::run(io::stdin(), io::stdout()).map_err(|error| error.to_string()),
        ["--help" | "-h" | "help"] => {
            println!("{USAGE}");
            Ok(())
        }
        ["--version" | "-V"] => {
            println!("othello {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        ["perft", depth] => {
            count(number(depth)?);
            Ok(())
        }
        ["solve"] => {
            solve_suite();
            Ok(())
        }
        ["solve", ofen] => {
            let position = Position::from_ofen(ofen).map_err(|error| error.to_string())?;
            if position.board.moves() == 0 {
                return Err("the side to move has no move".into());
            }
            println!("{}", solve(position));
            Ok(())
        }
        ["match", opponent, games, millis] => {
            play(opponent, number(games)?, number(millis)?.into())
        }
        ["train", games] => {
            let weights = training::train(number(games)?, &mut Random::new(1));
            weights.iter().for_each(|row| println!("    {row:?},"));
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn count(depth: u32) {
    let start = Instant::now();
    println!("{} in {:.2} s", perft(Board::START, depth), start.elapsed().as_secs_f64());
}

fn solve_suite() {
    for (number, ofen, score, moves) in ffo::POSITIONS {
        let position = Position::from_ofen(ofen).expect("the suite has positions");
        println!("#{number} ({score:+} by {}): {}", moves.join(" or "), solve(position));
    }
}

/// Score, best move, nodes and time.
fn solve(position: Position) -> String {
    let start = Instant::now();
    let mut table = Table::new(128);
    let line = best_line(position.board, Limits::default(), &mut table, &|| false, &mut |_| ());
    let seconds = start.elapsed().as_secs_f64();
    let (score, best) = (line.score / 100, square_name(line.moves[0]));
    format!("{score:+} by {best}, {} nodes, {seconds:.1} s", line.nodes)
}

fn play(opponent: &str, games: u32, millis: u64) -> Result<(), String> {
    let mut seed = Random::new(1);
    let mut engine = timed(Duration::from_millis(millis));
    let [wins, draws, losses] = match opponent {
        "random" => play_match(games, &mut engine, &mut random(&mut seed)),
        "greedy" => play_match(games, &mut engine, &mut greedy(&mut seed)),
        _ => return Err(USAGE.into()),
    };
    println!("+{wins} ={draws} -{losses}");
    Ok(())
}
