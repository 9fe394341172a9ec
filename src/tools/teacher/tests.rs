use std::path::PathBuf;
#[cfg(unix)]
use std::sync::atomic::AtomicBool;

use super::predictions::{PackedPrediction, PredictionWriter, UnitPredictions};
use super::*;
use crate::position::{Position, Setup};
use crate::tools::game_file::{GameMove, Replay, ScoredGame};
use crate::tools::part::Part;
use crate::tools::referee::{GameEnd, GameEndReason};
use crate::tools::selfplay::GameJob;
#[cfg(unix)]
use crate::tools::selfplay::{GameFailure, StopSignal, StopState};
use crate::types::{Color, Move, Score};

/// Games from the initial position, and the FNV-1a hash of the packed input after them.
/// `tools/teacher/check_inputs.py` has found these inputs equal to the planes of miniosl 0.1.6.
const INPUTS: [(&str, u64); 4] = [
    (
        "2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 4a3b 2d2e P*2c 6i7h 3c3d 7g7f 7a6b 3i3h 2b3c 8h7g \
         3a2b 7i8h 5a4b 2e2h 7c7d",
        0x4818_f872_621a_8dbb,
    ),
    (
        "6i7h 4a3b 4g4f 8c8d 3i3h 1a1b 3h4g 1c1d 5i6i 7a6b 7g7f 8d8e 1g1f 7c7d 8h7g 7d7e 7f7e \
         8b8d 7i8h 9c9d 4i5h 8e8f 7g8f 5a4a 2g2f 6a5b 7e7d 3c3d 2f2e 8d7d P*7f 8a7c 4g5f 7d7f \
         8h7g 7f7d 7g6f 3a4b",
        0xbdca_5ffd_df2c_f25a,
    ),
    (
        "6i7h 6c6d 2g2f 3c3d 7g7f 4a3b 2f2e 7a7b 3i4h 7b6c 9g9f 2b8h+ 7i8h 3a2b 8h7g 2b3c 4i5h \
         8c8d 3g3f 4c4d 4h3g 6c5d 2e2d 2c2d 5i6h 6a5b 6h7i 7c7d 3g4f 4d4e 4f3g 5a4b 1g1f 1c1d \
         5g5f 8d8e B*6h 4b3a 3g2f 8a7c 3f3e 5d4c 1f1e 8e8f 8g8f 1d1e 1i1e P*1d 1e1d 1a1d P*1c \
         P*1f 1c1b+ 7c6e 7g6f",
        0xf1bc_e0e3_9ea3_8154,
    ),
    (
        "9i9h 8b4b 6i7h 5a6b 3i4h 7a7b 5i6i 6b5a 2g2f 3c3d 3g3f 7c7d 4i5h 2b3c 1g1f 3a3b 7i6h \
         1c1d 9g9f 4c4d 7g7f 5a6b 6i7i 6b7a 8h5e 7b7c 6g6f 6a7b 5e3g 9c9d 6h6g 3b4c 8i7g 4d4e \
         5g5f 6c6d 4h5g 4c5d 7i8h 4a5b 5f5e 5d5e 7g8e 7c8d 8g8f 7a8b 7h8g 5b6c 2f2e 6c5d 8h9i \
         3c4d 2e2d 5e4f 4g4f 8d8e 8f8e 4e4f 2d2c+ P*2g 2h4h N*5e 3g4f 5e6g+ 5h6g P*4g 4h8h 2g2h+ \
         8h2h 4g4h+ 2h4h 8a7c 9i8h 7c8e P*8f P*4g 4h4g S*5h 4g4i 5h6g+ 8f8e 5d5e 4f5e 4d5e 4i4b+ \
         B*7i 8h9i 7i5g+ S*8h S*7h",
        0xb130_961d_a7d3_89a2,
    ),
];

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn input(moves: &[Move]) -> [u8; INPUT_BYTES] {
    let (mut position, mut encoder) = (Position::startpos(), PlaneEncoder::new());
    for &mv in moves {
        encoder.follow(&mut position, mv);
        position.do_move(mv);
    }
    encoder.encode(&mut position)
}

#[test]
fn inputs_are_those_of_the_teachers_own_program() {
    for (text, expected) in INPUTS {
        let hash = input(&moves(text)).iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(hash, expected, "{text}");
    }
}

#[test]
fn an_input_does_not_depend_on_moves_long_past() {
    let (first, second) = (moves("7g7f 3c3d"), moves("2g2f 8c8d"));
    let tail = moves("6i7h 4a3b 6g6f 5a4b 3i4h 7a6b 5i6h");
    let cut = |start: &[Move]| input(&[start, &tail[..]].concat());
    assert_ne!(cut(&first), cut(&second));
    // Nine moves lead there. The last seven, which the input contains, are the same, so the input is
    // too.
    let (one, other) = (moves("7g7f 3c3d 2g2f 8c8d"), moves("2g2f 8c8d 7g7f 3c3d"));
    assert_eq!(cut(&one), cut(&other));
}

#[test]
fn every_legal_move_has_its_own_index() {
    let sfens = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    ];
    for sfen in sfens {
        let position = Position::from_sfen(sfen).unwrap();
        let mut indices: Vec<_> =
            position.legal_moves().moves().map(|mv| policy_index(&position, mv)).collect();
        let count = indices.len();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), count, "{sfen}");
        assert!(indices.iter().all(|&index| index < 27 * 81), "{sfen}");
    }
}

#[test]
fn moves_have_the_indices_of_the_policy() {
    // The planes of miniosl's policy_move_label: 8 is a step forwards, 7 + 10 + 8 a knight's promoting jump.
    let index = |sfen: &str, mv: &str| {
        policy_index(&Position::from_sfen(sfen).unwrap(), mv.parse().unwrap())
    };
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(index(start, "7g7f"), 8 * 81 + 5 * 9 + 6);
    let white = start.replace(" b ", " w ");
    assert_eq!(index(&white, "3c3d"), 8 * 81 + 5 * 9 + 6);
    assert_eq!(index("k8/9/9/9/2N6/9/9/9/K8 b P 1", "7e8c+"), (7 + 10 + 8) * 81 + 2 * 9 + 7);
    assert_eq!(index("k8/9/9/9/2N6/9/9/9/K8 b P 1", "P*5e"), 81 + 4 * 9 + 4);
}

/// The second game of [`INPUTS`], every position scored.
fn game() -> ScoredGame {
    let plies = moves(INPUTS[1].0).into_iter().map(|mv| GameMove::searched(mv, Score(0), true));
    let end = GameEnd::win(Color::Black, GameEndReason::Resign);
    ScoredGame { start: Setup::startpos(), plies: plies.collect(), end }
}

fn selection(children: usize) -> PositionSelection {
    let games = vec![game(); 130].into();
    PositionSelection {
        games,
        source: "test".into(),
        part: Part::WHOLE,
        seed: 5,
        share_percent: 30,
        children,
    }
}

/// Regression: a position without the moves before it was labelled, with a value that was as good as random.
#[test]
fn positions_without_the_moves_before_them_are_not_labelled() {
    let whole = game();
    let mut positions = Vec::new();
    let mut replay = Replay::new(&whole).unwrap();
    while let Some(sample) = replay.advance().unwrap() {
        positions.push(sample.position.setup());
    }
    let selected = |game: ScoredGame| {
        let (mut starts, mut source) = (Vec::new(), selection(0));
        (source.games, source.share_percent) = ([game].into(), 100);
        source.for_each(0, &mut |position| starts.push(position.unlabelled().start)).unwrap();
        starts
    };
    let all = selected(whole.clone());
    assert!(all.contains(&positions[0]));
    let late = ScoredGame {
        start: positions[4].clone(),
        plies: whole.plies[4..].to_vec(),
        ..whole.clone()
    };
    let expected: Vec<Setup> =
        all.into_iter().filter(|setup| positions[7..].contains(setup)).collect();
    assert!(!expected.is_empty());
    assert_eq!(selected(late), expected);
}

#[test]
fn children_have_no_winning_capture_and_depend_on_seed_and_game_only() {
    let of_unit = |source: &PositionSelection, unit| {
        let mut starts = Vec::new();
        source.for_each(unit, &mut |position| starts.push(position.unlabelled().start)).unwrap();
        starts
    };
    let (alone, with) = (of_unit(&selection(0), 1), of_unit(&selection(3), 1));
    assert_eq!(with, of_unit(&selection(3), 1));
    assert!(alone.len() >= 10 && with.len() > 3 * alone.len() && with.len() <= 4 * alone.len());
    assert!(alone.iter().all(|start| with.contains(start)));
    for start in &with {
        let position = Position::from_setup(start).unwrap();
        assert!(!position.in_check());
        let of_game = alone.contains(start);
        let legal = position.legal_moves();
        let hangs = legal.moves().any(|mv| position.is_capture(mv) && position.see_ge(mv, 1));
        assert!(of_game || !hangs, "{}", position.to_sfen());
    }
    // Two games of one unit differ in what is chosen of them.
    let first = of_unit(&selection(3), 0);
    assert_ne!(first[..with.len()], with[..]);
}

/// Writes predictions all bytes of which are "y": a value beyond 1, which counts as 1, and no legal move.
#[cfg(unix)]
const SURE_WINS: &str = "yes | tr -d '\\n'";
/// Writes predictions all bits of which are ones: the value is no number.
#[cfg(unix)]
const NO_NUMBERS: &str = "yes | LC_ALL=C tr 'y\\n' '\\377\\377'";
/// The same for the first value only.
#[cfg(unix)]
const ONE_NO_NUMBER: &str = "{ printf '\\377\\377\\377\\377'; yes | tr -d '\\n'; }";

#[cfg(unix)]
fn teacher(units: std::ops::Range<u64>) -> TeacherPool {
    teacher_with(units, &|_| SURE_WINS)
}

/// A teacher for these units whose predictions are the bytes that a command of the shell writes.
#[cfg(unix)]
fn teacher_with(units: std::ops::Range<u64>, bytes: &dyn Fn(u64) -> &'static str) -> TeacherPool {
    let mut script = "echo ready 100000 test;".to_owned();
    for unit in units {
        let mut count = 0;
        selection(2).for_each(unit, &mut |_| count += 1).unwrap();
        script += &format!(
            "head -c {} >/dev/null; {} | head -c {};",
            4 + count * INPUT_BYTES,
            bytes(unit),
            count * 20
        );
    }
    TeacherPool::start(&["sh", "-c", &script].map(std::ffi::OsString::from), 1).unwrap()
}

fn label_config(out: PathBuf, predictions: PredictionSource) -> LabelConfig {
    LabelConfig {
        out,
        positions: None,
        threads: 1,
        selection: selection(2),
        scale: 650.0,
        played_moves: false,
        predictions,
        wrong_values: WrongValues::default(),
    }
}

#[cfg(unix)]
fn predict_config(
    out: PathBuf,
    selection: PositionSelection,
    teacher: TeacherPool,
) -> PredictConfig {
    PredictConfig { out, threads: 1, selection, teacher, wrong_values: WrongValues::default() }
}

/// Regression: a value that is not a number became a label of 0, and in a file of predictions a sure loss.
#[cfg(unix)]
#[test]
fn more_than_a_hundred_values_that_are_not_a_number_end_the_labelling() {
    let folder = tempfile::tempdir().unwrap();
    let mut starts = Vec::new();
    selection(2).for_each(0, &mut |position| starts.push(position.unlabelled().start)).unwrap();
    let expected =
        format!("the teacher's value of sfen {} is NaN, not a number from -1 to 1", starts[100]);
    let signal = StopSignal::new();
    let stop = StopState::new(&signal);
    let teacher = PredictionSource::Teacher(teacher_with(0..1, &|_| NO_NUMBERS));
    let label = label_config(folder.path().join("a.games"), teacher);
    let error = label.play_unit(0, &mut &stop).unwrap_err();
    assert_eq!(error, GameFailure::Impossible(expected));
}

/// Regression: a single such value ended the labelling, and the same command could never continue after it.
#[cfg(unix)]
#[test]
fn a_position_whose_value_is_not_a_number_has_no_score_but_others_have() {
    let folder = tempfile::tempdir().unwrap();
    let signal = StopSignal::new();
    let stop = StopState::new(&signal);
    let teacher = PredictionSource::Teacher(teacher_with(1..2, &|_| ONE_NO_NUMBER));
    let label = label_config(folder.path().join("a.games"), teacher);
    assert_eq!(label.wrong_values.report(), None);
    let games = label.play_unit(1, &mut &stop).unwrap();
    let scores: Vec<_> = games.iter().map(|game| game.plies[0].score()).collect();
    let mut expected = vec![Some(Score(4038)); games.len()];
    expected[0] = None;
    assert_eq!(scores, expected);
    let report = label.wrong_values.report().unwrap();
    let start = "1 position without a score: the teacher's value of sfen ";
    assert!(report.starts_with(start), "{report}");
}

/// Regression: a single such value ended a run of minutes on a GPU, whose results were then lost; later it cost all
/// predictions of 128 games.
#[cfg(unix)]
#[test]
fn a_value_that_is_not_a_number_costs_its_position_the_score_in_a_file_of_predictions_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.predictions");
    let bytes = |unit: u64| if unit == 0 { ONE_NO_NUMBER } else { SURE_WINS };
    let predict = predict_config(out.clone(), selection(2), teacher_with(0..2, &bytes));
    let end = predict.run(&AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(end.units, 2);
    let report = predict.wrong_values.report().unwrap();
    let start = "1 position without a score: the teacher's value of sfen ";
    assert!(report.starts_with(start), "{report}");

    let packed = PredictionSource::Packed(PackedPredictions::read(&out).unwrap());
    let label = label_config(folder.path().join("a.games"), packed);
    let signal = StopSignal::new();
    let stop = StopState::new(&signal);
    let games = label.play_unit(0, &mut &stop).unwrap();
    let scores: Vec<_> = games.iter().map(|game| game.plies[0].score()).collect();
    let mut expected = vec![Some(Score(4038)); games.len()];
    expected[0] = None;
    assert_eq!(scores, expected);
}

/// Regression: the tool panicked.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn a_refused_thread_ends_the_predictions_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (out, teacher) = (folder.path().join("a.predictions"), teacher(0..0));
    let predict = predict_config(out, selection(2), teacher);
    // More memory than a process can address.
    let builder = || std::thread::Builder::new().stack_size(1 << 60);
    let error = predict.run_with(&builder, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert!(error.contains("too many threads"), "{error}");
}

/// Regression: with more predictions than before, labels were continued within the wrong unit, so that some were in the
/// file twice and others never.
#[test]
fn labels_are_continued_with_the_same_predictions_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.predictions");
    let header_with = |unit| {
        let (mut writer, _) = PredictionWriter::append(&path, "teacher=test\nunits=3\n").unwrap();
        let predictions = vec![PackedPrediction::new(0.5, None)];
        writer.push(unit, &UnitPredictions { positions_checksum: 0, predictions }).unwrap();
        writer.finish().unwrap();
        let packed = PredictionSource::Packed(PackedPredictions::read(&path).unwrap());
        label_config(folder.path().join("a.games"), packed).header("program")
    };
    let [first, second, whole] = [1, 0, 2].map(header_with);
    assert!(first.get("predictions").unwrap().starts_with("1 of 3 units, "));
    assert!(second.get("predictions").unwrap().starts_with("2 of 3 units, "));
    assert_eq!(whole.get("predictions"), None);
    assert!(first != second && second != whole);
}

#[cfg(unix)]
#[test]
fn labels_of_packed_predictions_are_those_of_the_teacher() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.predictions");
    let predict = |teacher| predict_config(out.clone(), selection(2), teacher);
    let go_on = AtomicBool::new(false);
    let end = predict(teacher(0..2)).run(&go_on, &mut |_| {}).unwrap();
    assert_eq!((end.units, end.all_units, end.old_predictions), (2, 2, 0));
    let nothing_left = predict(teacher(0..0)).run(&go_on, &mut |_| {}).unwrap();
    assert_eq!(
        (nothing_left.predictions, nothing_left.old_predictions),
        (end.predictions, end.predictions)
    );

    let label = |name: &str, predictions| label_config(folder.path().join(name), predictions);
    let packed = || PredictionSource::Packed(PackedPredictions::read(&out).unwrap());
    let signal = StopSignal::new();
    let stop = StopState::new(&signal);
    let direct = label("a.games", PredictionSource::Teacher(teacher(0..2)));
    for unit in 0..2 {
        let unpacked = label("b.games", packed()).play_unit(unit, &mut &stop).unwrap();
        assert_eq!(unpacked, direct.play_unit(unit, &mut &stop).unwrap());
        assert_eq!(unpacked[0].plies[0].score(), Some(Score(4038)));
    }
    let mut with_moves = label("d.games", packed());
    with_moves.played_moves = true;
    let labels = with_moves.play_unit(0, &mut &stop).unwrap();
    let (of_game, children): (Vec<_>, Vec<_>) =
        labels.iter().map(|label| label.plies[0]).partition(|ply| ply.is_best());
    assert!(
        !of_game.is_empty()
            && of_game.iter().all(|ply| game().plies.iter().any(|p| p.mv() == ply.mv()))
    );
    assert_eq!(children.len(), 2 * of_game.len());
    let mut other = label("c.games", packed());
    other.selection.seed = 6;
    let error = other.play_unit(0, &mut &stop).unwrap_err();
    assert!(format!("{error:?}").contains("other positions"), "{error:?}");
}

#[cfg(unix)]
#[test]
fn joined_predictions_of_parts_equal_those_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let predict = |name: &str, part: &str, units| {
        let selection = PositionSelection { part: part.parse().unwrap(), ..selection(2) };
        let config = predict_config(at(name), selection, teacher(units));
        let end = config.run(&AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(end.units, end.all_units);
    };
    predict("all.predictions", "1/1", 0..2);
    predict("1.predictions", "1/2", 0..1);
    predict("2.predictions", "2/2", 1..2);
    let parts = ["2.predictions", "1.predictions"].map(at);
    let joined = at("joined.predictions");
    let refused = |files: &[PathBuf], reason: &str| {
        let error = PackedPredictions::join(files, &joined).unwrap_err();
        assert!(error.contains(reason) && !joined.exists(), "{error}");
    };
    refused(&parts[..1], "unit 0 of 2 are missing");
    refused(&[&parts[..], &parts[1..]].concat(), "have the same unit 0");
    std::fs::write(at("other.predictions"), "something else").unwrap();
    refused(&[parts[0].clone(), at("other.predictions")], "other.predictions");
    assert_eq!(PackedPredictions::join(&parts, &joined).unwrap(), 2);
    assert_eq!(std::fs::read(&joined).unwrap(), std::fs::read(at("all.predictions")).unwrap());
}
