use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::graph::{BookGraph, KnownMove, LeafSelection};
use super::*;
use crate::book::{BookEntry, BookMove, MemoryBook};
use crate::position::{Position, Setup};
use crate::search::request::SearchOptions;

const SELECTION: LeafSelection = LeafSelection { ply_cost: 5, last_ply: 100, decided: 1000 };

/// Expands the position after a line with these moves and their values.
fn expand(graph: &mut BookGraph, line: &[&str], moves: &[(&str, i32)]) -> usize {
    let mut position = Position::startpos();
    line.iter().for_each(|mv| _ = position.try_play(mv.parse().unwrap()).unwrap());
    let index = graph.add(&position.setup());
    let moves = moves.iter().map(|&(mv, value)| KnownMove::searched(mv.parse().unwrap(), value, 4));
    graph.expand(index, &moves.collect::<Vec<_>>());
    graph.update_values();
    index
}

/// The SFENs of the leaves to search next.
fn next_leaves(graph: &BookGraph, root: usize, max: usize) -> Vec<String> {
    let leaves = graph.select_leaves(&[(root, 1)], SELECTION, max);
    leaves.iter().map(|&leaf| graph.position(leaf).unwrap().to_sfen()).collect()
}

fn sfen(line: &[&str]) -> String {
    let mut position = Position::startpos();
    line.iter().for_each(|mv| _ = position.try_play(mv.parse().unwrap()).unwrap());
    position.to_sfen()
}

#[test]
fn the_values_of_a_book_are_minimax_values_of_its_leaves() {
    let mut graph = BookGraph::default();
    let root = expand(&mut graph, &[], &[("7g7f", 50), ("2g2f", 40)]);
    assert_eq!(graph.pv(root).0, Some(50));
    expand(&mut graph, &["7g7f"], &[("3c3d", -30), ("8c8d", -35)]);
    assert_eq!(graph.pv(root).0, Some(40), "White has a better reply than the search saw");
    expand(&mut graph, &["2g2f"], &[("8c8d", -38)]);
    expand(&mut graph, &["2g2f", "8c8d"], &[("2f2e", -200)]);
    assert_eq!(graph.pv(root).0, Some(30));
    let (_, line) = graph.pv(root);
    assert_eq!(line, ["7g7f".parse().unwrap(), "3c3d".parse().unwrap()]);
}

#[test]
fn the_cheapest_line_is_searched_next() {
    let mut graph = BookGraph::default();
    let root = expand(&mut graph, &[], &[("7g7f", 50), ("2g2f", 42), ("9g9f", 0)]);
    assert_eq!(next_leaves(&graph, root, 9), [sfen(&["7g7f"]), sfen(&["2g2f"]), sfen(&["9g9f"])]);
    expand(&mut graph, &["7g7f"], &[("3c3d", -50), ("8c8d", -54)]);
    // Costs: 10 for two best moves; 13 for one move that loses 8; 14 for two that lose 4.
    let three = [sfen(&["7g7f", "3c3d"]), sfen(&["2g2f"]), sfen(&["7g7f", "8c8d"])];
    assert_eq!(next_leaves(&graph, root, 3), three);
    let shallow = LeafSelection { last_ply: 2, ..SELECTION };
    assert_eq!(graph.select_leaves(&[(root, 1)], shallow, 9).len(), 2);
    let undecided = LeafSelection { decided: 42, ..SELECTION };
    assert_eq!(graph.select_leaves(&[(root, 1)], undecided, 9).len(), 1);
}

#[test]
fn a_repetition_is_a_draw_unless_a_side_does_better_by_leaving_it() {
    let cycle = ["2h1h", "8b9b", "1h2h", "9b8b"];
    let with = |escapes: [Option<(&str, i32)>; 2]| {
        let mut graph = BookGraph::default();
        let mut root = 0;
        for ply in 0..4 {
            let mut moves = vec![(cycle[ply], 7)];
            moves.extend(escapes.get(ply).copied().flatten());
            let index = expand(&mut graph, &cycle[..ply], &moves);
            root = if ply == 0 { index } else { root };
        }
        graph.pv(root).0.unwrap()
    };
    assert_eq!(with([None, None]), 0);
    assert_eq!(with([Some(("7g7f", -20)), Some(("3c3d", -20))]), 0, "nobody wants to leave");
    assert_eq!(with([Some(("7g7f", 20)), None]), 20, "Black does better");
    assert_eq!(with([None, Some(("3c3d", 20))]), -20, "White does better");
    assert_eq!(with([Some(("7g7f", -5)), Some(("3c3d", 20))]), -5);
}

#[test]
fn a_mate_is_one_ply_farther_at_each_earlier_position() {
    let mut graph = BookGraph::default();
    let root = expand(&mut graph, &[], &[("7g7f", 10)]);
    expand(&mut graph, &["7g7f"], &[("3c3d", -31_990)]);
    expand(&mut graph, &["7g7f", "3c3d"], &[("2g2f", 31_990)]);
    assert_eq!(graph.pv(root).0, Some(31_988));
    let book = graph.book();
    let mut again = BookGraph::of(&book);
    let root = again.add(&Setup::startpos());
    again.update_values();
    assert_eq!(again.pv(root).0, Some(31_988));
    assert_eq!(again.book(), book);
}

#[test]
fn the_book_is_the_only_state() {
    let mut graph = BookGraph::default();
    let root = expand(&mut graph, &[], &[("7g7f", 50), ("2g2f", 48)]);
    expand(&mut graph, &["7g7f"], &[("3c3d", -45), ("8c8d", -60)]);
    // Another order of moves to the same position, with another value.
    expand(&mut graph, &["2g2f"], &[("3c3d", -47)]);
    expand(&mut graph, &["2g2f", "3c3d"], &[("7g7f", 46), ("2f2e", 47)]);
    expand(&mut graph, &["7g7f", "3c3d"], &[("2g2f", 44)]);
    let book = graph.book();
    let mut again = BookGraph::of(&book);
    let same_root = again.add(&Setup::startpos());
    again.update_values();
    assert_eq!(again.pv(same_root), graph.pv(root));
    assert_eq!(next_leaves(&again, same_root, 9), next_leaves(&graph, root, 9));
    assert_eq!(again.book(), book);
    let entry = book.positions().find(|(setup, _)| *setup == Setup::startpos()).unwrap().1;
    let first = &entry.moves[0];
    assert_eq!((first.eval, first.depth), (Some(47), Some(6)), "{entry:?}");
    assert_eq!(first.reply, "3c3d".parse().ok());
}

/// Regression: a continued book kept the depths of best lines that it no longer had.
#[test]
fn the_depths_of_a_book_do_not_depend_on_interruptions() {
    type Step<'a> = (&'a [&'a str], &'a [(&'a str, i32)]);
    let steps: [Step<'_>; 4] = [
        (&[], &[("7g7f", 50)]),
        (&["7g7f"], &[("3c3d", -45), ("8c8d", -46)]),
        (&["7g7f", "3c3d"], &[("2g2f", 44)]),
        // Now 8c8d is better, and the line ends earlier.
        (&["7g7f", "3c3d", "2g2f"], &[("8c8d", -60)]),
    ];
    let (mut straight, mut continued) = (BookGraph::default(), BookGraph::default());
    let mut depths = Vec::new();
    for (line, moves) in steps {
        expand(&mut straight, line, moves);
        expand(&mut continued, line, moves);
        let book = straight.book();
        assert_eq!(continued.book(), book);
        continued = BookGraph::of(&book);
        let entry = book.positions().find(|(setup, _)| *setup == Setup::startpos()).unwrap().1;
        depths.push(entry.moves[0].depth.unwrap());
    }
    assert_eq!(depths, [4, 5, 6, 5]);
}

/// Regression: each of its four plies had depth 5.
#[test]
fn a_repetition_has_the_depth_of_its_plies() {
    // The first move leads into it.
    let line = ["7g7f", "8b9b", "2h1h", "9b8b", "1h2h"];
    let mut graph = BookGraph::default();
    for (ply, mv) in line.into_iter().enumerate() {
        expand(&mut graph, &line[..ply], &[(mv, 7)]);
    }
    let book = graph.book();
    let mut depths: Vec<_> = book.iter().map(|(_, entry)| entry.moves[0].depth).collect();
    depths.sort_unstable();
    assert_eq!(depths, [4, 4, 4, 4, 5].map(Some), "{book:?}");
    let mut continued = BookGraph::of(&book);
    continued.update_values();
    assert_eq!(continued.book(), book);
}

#[test]
fn illegal_moves_and_impossible_positions_are_left_out() {
    let mut book = MemoryBook::default();
    let moves = vec![BookMove::new("5e5d".parse().unwrap())];
    book.insert(&Setup::startpos(), BookEntry { ply: Some(1), moves });
    // Two pawns on a file.
    let impossible = "4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1".parse().unwrap();
    book.insert(&impossible, BookEntry::default());
    let mut graph = BookGraph::of(&book);
    graph.update_values();
    assert_eq!(graph.positions(), 0);
    assert!(graph.book().is_empty());
    let root = graph.add(&Setup::startpos());
    assert_eq!(next_leaves(&graph, root, 9), [sfen(&[])]);
}

/// Regression: the largest value became the smallest, which also means unknown.
#[test]
fn extreme_evaluations_of_a_book_keep_their_sign() {
    for eval in [i32::MAX, i32::MIN] {
        let mv = BookMove { eval: Some(eval), ..BookMove::new("7g7f".parse().unwrap()) };
        let mut book = MemoryBook::default();
        book.insert(&Setup::startpos(), BookEntry { ply: Some(1), moves: vec![mv] });
        let mut graph = BookGraph::of(&book);
        let root = graph.add(&Setup::startpos());
        graph.update_values();
        let value = graph.pv(root).0.unwrap();
        assert_eq!(value.signum(), eval.signum(), "{eval} became {value}");
    }
}

/// Regression: all positions got move number 1.
#[test]
fn a_book_without_move_numbers_is_continued_without_them() {
    let mut book = MemoryBook::default();
    let moves = vec![BookMove::new("7g7f".parse().unwrap())];
    book.insert(&Setup::startpos(), BookEntry { ply: None, moves });
    let longer = build(settings(4, 1), &book);
    assert_eq!(longer.len(), 4);
    assert!(longer.iter().all(|(_, entry)| entry.ply.is_none()), "{longer:?}");
    // The limit counts moves from the root.
    for (last_ply, positions) in [(1, 1), (2, 2)] {
        assert_eq!(build(BuildSettings { last_ply, ..settings(4, 1) }, &book).len(), positions);
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

fn build(settings: BuildSettings, book: &MemoryBook) -> MemoryBook {
    let mut builder = BookBuilder::new(settings, book, Arc::default()).unwrap();
    let mut seen = builder.positions();
    while builder
        .step(&mut |count| {
            assert_eq!(count, seen + 1);
            seen = count;
        })
        .unwrap()
    {}
    builder.book()
}

/// Regression: a run that was interrupted at 88 of 300 positions left nothing.
#[test]
fn an_interrupted_book_keeps_the_positions_that_were_searched() {
    let (stop, mut told) = (Arc::new(AtomicBool::new(false)), 0);
    let book = MemoryBook::default();
    let mut builder = BookBuilder::new(settings(50, 1), &book, stop.clone()).unwrap();
    let mut progress = |count| {
        told = count;
        stop.fetch_or(count >= 3, Ordering::Relaxed);
    };
    while builder.step(&mut progress).unwrap() && !stop.load(Ordering::Relaxed) {}
    // The searches in progress may have ended as well.
    assert!(told >= 3);
    assert_eq!(builder.book().len(), told);
    assert!(!builder.step(&mut |_| {}).unwrap(), "nothing is begun after a stop");
}

/// Regression: an interrupt waited for the end of the searches.
#[test]
fn a_stop_abandons_the_searches_in_progress() {
    let endless = BuildSettings { nodes: u64::MAX, ..settings(50, 2) };
    let stop = Arc::new(AtomicBool::new(false));
    let mut builder = BookBuilder::new(endless, &MemoryBook::default(), stop.clone()).unwrap();
    let is_extended = thread::scope(|scope| {
        scope.spawn(|| stop.store(true, Ordering::Relaxed));
        builder.step(&mut |_| {}).unwrap()
    });
    assert!(!is_extended && builder.book().is_empty());
}

/// Regression: it was written without a move and counted as a position of the book.
#[test]
fn a_mated_position_gets_no_entry() {
    let mated: Setup = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2".parse().unwrap();
    let before: Setup = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
    let with = |roots| BuildSettings { roots, decided: i32::MAX, ..settings(3, 1) };
    assert!(build(with(vec![mated.clone()]), &MemoryBook::default()).is_empty());
    // Other positions are searched, and the mate affects their values.
    let book = build(with(vec![mated, before.clone()]), &MemoryBook::default());
    assert_eq!(book.len(), 3, "{book:?}");
    assert!(book.iter().all(|(_, entry)| !entry.moves.is_empty()), "{book:?}");
    let entry = book.positions().find(|(setup, _)| *setup == before).unwrap().1;
    let best = &entry.moves[0];
    assert_eq!((best.mv.to_string().as_str(), best.eval), ("G*5b", Some(31_999)), "{entry:?}");
}

#[test]
fn the_order_of_equal_moves_does_not_depend_on_the_order_of_a_book() {
    let known = |text: &str| KnownMove::searched(text.parse().unwrap(), 20, 3);
    let book = |moves: [&str; 2]| {
        let mut graph = BookGraph::of(&MemoryBook::default());
        let root = graph.add(&Setup::startpos());
        graph.expand(root, &moves.map(known));
        graph.update_values();
        graph.book()
    };
    assert_eq!(book(["7g7f", "2g2f"]), book(["2g2f", "7g7f"]));
}

#[test]
fn the_book_does_not_depend_on_threads_or_interruptions() {
    let one = build(settings(20, 1), &MemoryBook::default());
    assert_eq!(one.len(), 20);
    let start = one.positions().find(|(setup, _)| *setup == Setup::startpos());
    let moves = &start.unwrap().1.moves;
    assert_eq!(moves.len(), 3);
    assert!(moves.iter().all(|mv| mv.depth > Some(0) && mv.eval.is_some()), "{moves:?}");
    assert_eq!(build(settings(20, 2), &MemoryBook::default()), one);
    let whole_batches = 1 + 3;
    let part = build(settings(whole_batches, 1), &MemoryBook::default());
    assert_eq!(build(settings(20, 1), &part), one);
}
