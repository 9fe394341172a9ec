use super::graph::{Graph, Said, Taste};
use super::*;
use crate::book::{BookEntry, BookMove, MemoryBook};
use crate::position::{Position, Setup};
use crate::search::request::SearchOptions;

const TASTE: Taste = Taste { ply_cost: 5, last_ply: 100, decided: 1000 };

/// Searches what moves say, from the start of a game.
fn learn(graph: &mut Graph, line: &[&str], said: &[(&str, i32)]) -> usize {
    let mut position = Position::startpos();
    line.iter().for_each(|mv| _ = position.try_play(mv.parse().unwrap()).unwrap());
    let place = graph.place(&position.setup());
    let said = said.iter().map(|&(mv, value)| Said::searched(mv.parse().unwrap(), value, 4));
    graph.learn(place, &said.collect::<Vec<_>>());
    graph.settle();
    place
}

/// The SFENs of the positions to search next, by the last move that leads there.
fn next(graph: &Graph, root: usize, most: usize) -> Vec<String> {
    let places = graph.most_promising(&[(root, 1)], TASTE, most);
    places.iter().map(|&place| graph.position(place).unwrap().to_sfen()).collect()
}

fn sfen(line: &[&str]) -> String {
    let mut position = Position::startpos();
    line.iter().for_each(|mv| _ = position.try_play(mv.parse().unwrap()).unwrap());
    position.to_sfen()
}

#[test]
fn values_come_back_from_the_leaves() {
    let mut graph = Graph::default();
    let root = learn(&mut graph, &[], &[("7g7f", 50), ("2g2f", 40)]);
    assert_eq!(graph.line(root).0, Some(50));
    learn(&mut graph, &["7g7f"], &[("3c3d", -30), ("8c8d", -35)]);
    assert_eq!(graph.line(root).0, Some(40), "White has better than was thought");
    learn(&mut graph, &["2g2f"], &[("8c8d", -38)]);
    learn(&mut graph, &["2g2f", "8c8d"], &[("2f2e", -200)]);
    assert_eq!(graph.line(root).0, Some(30));
    let (_, line) = graph.line(root);
    assert_eq!(line, ["7g7f".parse().unwrap(), "3c3d".parse().unwrap()]);
}

#[test]
fn the_cheapest_line_is_searched_next() {
    let mut graph = Graph::default();
    let root = learn(&mut graph, &[], &[("7g7f", 50), ("2g2f", 42), ("9g9f", 0)]);
    assert_eq!(next(&graph, root, 9), [sfen(&["7g7f"]), sfen(&["2g2f"]), sfen(&["9g9f"])]);
    learn(&mut graph, &["7g7f"], &[("3c3d", -50), ("8c8d", -54)]);
    // 10 for two moves; 13 for one that loses 8; 14 for two that lose 4.
    let three = [sfen(&["7g7f", "3c3d"]), sfen(&["2g2f"]), sfen(&["7g7f", "8c8d"])];
    assert_eq!(next(&graph, root, 3), three);
    let shallow = Taste { last_ply: 2, ..TASTE };
    assert_eq!(graph.most_promising(&[(root, 1)], shallow, 9).len(), 2);
    let calm = Taste { decided: 42, ..TASTE };
    assert_eq!(graph.most_promising(&[(root, 1)], calm, 9).len(), 1);
}

#[test]
fn what_repeats_is_a_draw_unless_somebody_does_better() {
    let cycle = ["2h1h", "8b9b", "1h2h", "9b8b"];
    let with = |escapes: [Option<(&str, i32)>; 2]| {
        let mut graph = Graph::default();
        let mut root = 0;
        for ply in 0..4 {
            let mut said = vec![(cycle[ply], 7)];
            said.extend(escapes.get(ply).copied().flatten());
            let place = learn(&mut graph, &cycle[..ply], &said);
            root = if ply == 0 { place } else { root };
        }
        graph.line(root).0.unwrap()
    };
    assert_eq!(with([None, None]), 0);
    assert_eq!(with([Some(("7g7f", -20)), Some(("3c3d", -20))]), 0, "nobody wants to leave");
    assert_eq!(with([Some(("7g7f", 20)), None]), 20, "Black does better");
    assert_eq!(with([None, Some(("3c3d", 20))]), -20, "White does better");
    assert_eq!(with([Some(("7g7f", -5)), Some(("3c3d", 20))]), -5);
}

#[test]
fn mates_are_farther_from_farther_away() {
    let mut graph = Graph::default();
    let root = learn(&mut graph, &[], &[("7g7f", 10)]);
    learn(&mut graph, &["7g7f"], &[("3c3d", -31_990)]);
    learn(&mut graph, &["7g7f", "3c3d"], &[("2g2f", 31_990)]);
    assert_eq!(graph.line(root).0, Some(31_988));
    let book = graph.book();
    let mut again = Graph::of(&book);
    let root = again.place(&Setup::startpos());
    again.settle();
    assert_eq!(again.line(root).0, Some(31_988));
    assert_eq!(again.book(), book);
}

#[test]
fn a_book_is_all_that_is_needed_to_go_on() {
    let mut graph = Graph::default();
    let root = learn(&mut graph, &[], &[("7g7f", 50), ("2g2f", 48)]);
    learn(&mut graph, &["7g7f"], &[("3c3d", -45), ("8c8d", -60)]);
    // Black may come to the same position by other ways, of which other things are said.
    learn(&mut graph, &["2g2f"], &[("3c3d", -47)]);
    learn(&mut graph, &["2g2f", "3c3d"], &[("7g7f", 46), ("2f2e", 47)]);
    learn(&mut graph, &["7g7f", "3c3d"], &[("2g2f", 44)]);
    let book = graph.book();
    let mut again = Graph::of(&book);
    let same_root = again.place(&Setup::startpos());
    again.settle();
    assert_eq!(again.line(same_root), graph.line(root));
    assert_eq!(next(&again, same_root, 9), next(&graph, root, 9));
    assert_eq!(again.book(), book);
    let entry = book.setups().find(|(setup, _)| *setup == Setup::startpos()).unwrap().1;
    let first = &entry.moves[0];
    assert_eq!((first.eval, first.depth), (Some(47), Some(6)), "{entry:?}");
    assert_eq!(first.reply, "3c3d".parse().ok());
}

#[test]
fn what_cannot_be_played_is_left_out() {
    let mut book = MemoryBook::default();
    let moves = vec![BookMove::bare("5e5d".parse().unwrap())];
    book.insert(&Setup::startpos(), BookEntry { ply: Some(1), moves });
    // Two pawns on a file.
    let impossible = "4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1".parse().unwrap();
    book.insert(&impossible, BookEntry::default());
    let mut graph = Graph::of(&book);
    graph.settle();
    assert_eq!(graph.searched(), 0);
    assert!(graph.book().is_empty());
    let root = graph.place(&Setup::startpos());
    assert_eq!(next(&graph, root, 9), [sfen(&[])]);
}

/// The greatest became the least, which also stands for what is not known.
#[test]
fn the_greatest_evaluations_of_a_book_keep_their_sign() {
    for eval in [i32::MAX, i32::MIN] {
        let mv = BookMove { eval: Some(eval), ..BookMove::bare("7g7f".parse().unwrap()) };
        let mut book = MemoryBook::default();
        book.insert(&Setup::startpos(), BookEntry { ply: Some(1), moves: vec![mv] });
        let mut graph = Graph::of(&book);
        let root = graph.place(&Setup::startpos());
        graph.settle();
        let value = graph.line(root).0.unwrap();
        assert_eq!(value.signum(), eval.signum(), "{eval} became {value}");
    }
}

/// All that was there came out as move 1.
#[test]
fn a_book_without_numbers_is_gone_on_with_without_numbers() {
    let mut book = MemoryBook::default();
    let moves = vec![BookMove::bare("7g7f".parse().unwrap())];
    book.insert(&Setup::startpos(), BookEntry { ply: None, moves });
    let longer = grown(settings(4, 1), &book);
    assert_eq!(longer.len(), 4);
    assert!(longer.iter().all(|(_, entry)| entry.ply.is_none()), "{longer:?}");
    // Moves are counted all the same.
    for (last_ply, positions) in [(1, 1), (2, 2)] {
        assert_eq!(grown(BuildSettings { last_ply, ..settings(4, 1) }, &book).len(), positions);
    }
}

fn settings(positions: usize, threads: usize) -> BuildSettings {
    let options = SearchOptions {
        report_bounds: false,
        root_mates: false,
        analysis: true,
        ..SearchOptions::for_tests()
    };
    BuildSettings {
        roots: vec![Setup::startpos()],
        positions,
        nodes: 200,
        moves: 3,
        ply_cost: 5,
        last_ply: 40,
        decided: 1500,
        threads,
        hash_mib: 1,
        network: crate::nnue::Network::built_in(),
        options,
    }
}

fn grown(settings: BuildSettings, book: &MemoryBook) -> MemoryBook {
    let mut grower = BookBuilder::new(settings, book).unwrap();
    let mut seen = grower.positions();
    while grower
        .step(&mut |count| {
            assert_eq!(count, seen + 1);
            seen = count;
        })
        .unwrap()
    {}
    grower.book()
}

/// It was written without a move, and counted among the positions of the book.
#[test]
fn where_a_side_is_mated_there_is_nothing_to_write() {
    let mated: Setup = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2".parse().unwrap();
    let before: Setup = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
    let with = |roots| BuildSettings { roots, decided: i32::MAX, ..settings(3, 1) };
    assert!(grown(with(vec![mated.clone()]), &MemoryBook::default()).is_empty());
    // It does not keep others from being searched, and stays a mate for them.
    let book = grown(with(vec![mated, before.clone()]), &MemoryBook::default());
    assert_eq!(book.len(), 3, "{book:?}");
    assert!(book.iter().all(|(_, entry)| !entry.moves.is_empty()), "{book:?}");
    let entry = book.setups().find(|(setup, _)| *setup == before).unwrap().1;
    let best = &entry.moves[0];
    assert_eq!((best.mv.to_string().as_str(), best.eval), ("G*5b", Some(31_999)), "{entry:?}");
}

#[test]
fn which_of_two_equal_moves_comes_first_does_not_hang_on_the_order_of_a_book() {
    let said = |text: &str| Said::searched(text.parse().unwrap(), 20, 3);
    let book = |moves: [&str; 2]| {
        let mut graph = Graph::of(&MemoryBook::default());
        let root = graph.place(&Setup::startpos());
        graph.learn(root, &moves.map(said));
        graph.settle();
        graph.book()
    };
    assert_eq!(book(["7g7f", "2g2f"]), book(["2g2f", "7g7f"]));
}

#[test]
fn a_book_grows_the_same_with_any_threads_and_interruptions() {
    let one = grown(settings(20, 1), &MemoryBook::default());
    assert_eq!(one.len(), 20);
    let start = one.setups().find(|(setup, _)| *setup == Setup::startpos());
    let moves = &start.unwrap().1.moves;
    assert_eq!(moves.len(), 3);
    assert!(moves.iter().all(|mv| mv.depth > Some(0) && mv.eval.is_some()), "{moves:?}");
    assert_eq!(grown(settings(20, 2), &MemoryBook::default()), one);
    let whole_batches = 1 + 3;
    let part = grown(settings(whole_batches, 1), &MemoryBook::default());
    assert_eq!(grown(settings(20, 1), &part), one);
}
