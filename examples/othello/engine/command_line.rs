//! The commands of the program.

use std::io::{self, Write};
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

/// Runs the command of the arguments, with its results to `out`; without arguments, speaks UOI on the standard
/// streams.
///
/// # Errors
/// If the arguments are wrong, with the usage if the command is unknown; if `out` cannot be written.
pub fn run(words: &[&str], out: &mut impl Write) -> io::Result<()> {
    let number = |word: &str| word.parse().map_err(|_| invalid(format!("no number: {word}")));
    match words {
        [] => session::run(io::stdin(), io::stdout()),
        ["--help" | "-h" | "help"] => writeln!(out, "{USAGE}"),
        ["--version" | "-V"] => writeln!(out, "othello {}", env!("CARGO_PKG_VERSION")),
        ["perft", depth] => {
            let (depth, start) = (number(depth)?, Instant::now());
            let count = perft(Board::START, depth);
            writeln!(out, "{count} in {:.2} s", start.elapsed().as_secs_f64())
        }
        ["solve"] => solve_suite(out),
        ["solve", ofen] => {
            let position = Position::from_ofen(ofen).map_err(|error| invalid(error.to_string()))?;
            if position.board.moves() == 0 {
                return Err(invalid("the side to move has no move".into()));
            }
            writeln!(out, "{}", solve(position))
        }
        ["match", opponent, games, millis] => {
            let [wins, draws, losses] = play(opponent, number(games)?, number(millis)?.into())?;
            writeln!(out, "+{wins} ={draws} -{losses}")
        }
        ["train", games] => {
            let weights = training::train(number(games)?, &mut Random::new(1));
            weights.iter().try_for_each(|row| writeln!(out, "    {row:?},"))
        }
        _ => Err(invalid(USAGE.into())),
    }
}

/// The error of wrong arguments.
fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn solve_suite(out: &mut impl Write) -> io::Result<()> {
    for (number, ofen, score, moves) in ffo::POSITIONS {
        let position = Position::from_ofen(ofen).expect("the suite has positions");
        writeln!(out, "#{number} ({score:+} by {}): {}", moves.join(" or "), solve(position))?;
    }
    Ok(())
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

/// Wins, draws and losses of the engine.
fn play(opponent: &str, games: u32, millis: u64) -> io::Result<[u32; 3]> {
    let mut seed = Random::new(1);
    let mut engine = timed(Duration::from_millis(millis));
    match opponent {
        "random" => Ok(play_match(games, &mut engine, &mut random(&mut seed))),
        "greedy" => Ok(play_match(games, &mut engine, &mut greedy(&mut seed))),
        _ => Err(invalid(USAGE.into())),
    }
}
