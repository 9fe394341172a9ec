//! The endgames 40 to 44 of the test suite of the Fédération Française d'Othello, with their scores for the
//! side to move (published by Gunnar Andersson, <http://www.radagast.se/othello/ffotest.html>).

/// Number, position, score, and the best moves as square names of the protocol.
pub const POSITIONS: [(u32, &str, i32, &[&str]); 5] = [
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------B", 38, &["b1"]),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-B", 0, &["d8"]),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--B", 6, &["b7"]),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-W", -12, &["g3", "c7"]),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--W", -14, &["b4", "h2"]),
];
