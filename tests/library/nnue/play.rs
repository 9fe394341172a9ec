//! Random walks, evaluated from time to time.

use std::sync::Arc;

use kawasemi::nnue::{Evaluator, FeatureSet, Isa, Kernels, Network};
use kawasemi::position::Position;
use kawasemi::types::{MAX_PLY, Move, PieceKind, Random};

use super::networks::{NetworkPair, classic, pair, sfnn, sharded_pair};
use crate::reference::slow::SlowPosition;
use crate::reference::slow_network::SlowShards;

/// Even and handicap games, full hands, entered kings, problems without one king and without both.
const STARTS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "1+P1K5/3+P+PG3/9/4s4/9/9/3r5/2+p1+p4/4k1+p2 b RB2S4L9Pb3g3n3p 1",
    "4k4/9/4P4/9/9/4S4/9/9/9 b G2r2b3g3s4n4l17p 1",
    "k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1",
    "9/9/2P1P4/9/4r4/4S4/9/9/9 b G 1",
];

struct RandomWalk<'a> {
    pair: &'a NetworkPair,
    random: Random,
    position: Position,
    /// The moves since the evaluators were reset; `None` is a null move.
    line: Vec<Option<Move>>,
    evaluators: Vec<Evaluator>,
    evaluated: usize,
}

impl RandomWalk<'_> {
    fn new(pair: &NetworkPair, seed: u64) -> RandomWalk<'_> {
        let position = Position::startpos();
        let kernels = [Some(Kernels::best()), Kernels::of(Isa::Scalar)];
        let evaluators = kernels
            .into_iter()
            .flatten()
            .map(|kernels| {
                Evaluator::new(
                    Network { kernels, ..Network::new(Arc::clone(&pair.fast)) },
                    &position,
                )
            })
            .collect();
        let random = Random::new(seed);
        RandomWalk { pair, random, position, line: Vec::new(), evaluators, evaluated: 0 }
    }

    fn begin(&mut self, position: Position) {
        self.line.clear();
        self.position = position;
        self.evaluators.iter_mut().for_each(|evaluator| evaluator.reset(&self.position));
    }

    fn step(&mut self) {
        let moves: Vec<Move> = self.position.legal_moves().moves().collect();
        match self.random.below(16) {
            0..4 => self.back(),
            4 if !self.position.in_check() => {
                self.position.do_null_move();
                self.evaluators.iter_mut().for_each(Evaluator::push_null);
                self.line.push(None);
            }
            5 if self.random.one_in(4) => self.begin(self.position.clone()),
            6..9 => {
                let is_king = |mv: &Move| {
                    !mv.is_drop()
                        && self.position.piece_at(mv.from()).map(|piece| piece.kind())
                            == Some(PieceKind::King)
                };
                let kings: Vec<Move> = moves.iter().copied().filter(is_king).collect();
                self.forth(&kings);
            }
            _ => self.forth(&moves),
        }
    }

    fn forth(&mut self, moves: &[Move]) {
        if moves.is_empty() {
            return self.back();
        }
        let mv = *self.random.pick(moves);
        let dirty = self.position.do_move(mv);
        for evaluator in &mut self.evaluators {
            evaluator.push(&dirty);
        }
        self.line.push(Some(mv));
    }

    fn back(&mut self) {
        match self.line.pop() {
            Some(Some(mv)) => self.position.undo_move(mv),
            Some(None) => self.position.undo_null_move(),
            None => return,
        }
        self.evaluators.iter_mut().for_each(Evaluator::pop);
    }

    fn check(&mut self) {
        let sfen = self.position.to_sfen();
        let expected = self.pair.slow.evaluate(&SlowPosition::from_sfen(&sfen));
        for evaluator in &mut self.evaluators {
            let found = evaluator.output(&self.position);
            assert_eq!(found, expected, "{} in {sfen}", self.pair.name);
        }
        self.evaluated += 1;
    }
}

/// Plays from all starts and checks one position in three.
fn play(pair: &NetworkPair, steps: usize) {
    let mut game = RandomWalk::new(pair, 1);
    game.check();
    for sfen in STARTS {
        game.begin(Position::from_sfen(sfen).unwrap());
        for _ in 0..steps {
            game.step();
            if game.random.one_in(3) {
                game.check();
            }
        }
    }
    assert!(game.evaluated > STARTS.len() * steps / 5);
}

#[test]
fn classic_networks_of_all_features_equal_the_slow_ones() {
    for (seed, features) in (1..).zip(FeatureSet::ALL) {
        for extreme in [false, true] {
            play(&pair(classic(features, [64, 8, 16]), "", seed, extreme), 80);
        }
    }
}

#[test]
fn classic_networks_of_all_sizes_equal_the_slow_ones() {
    let sizes = [[256, 32, 32], [96, 16, 8], [512, 8, 96], [1024, 8, 64], [768, 16, 64]];
    for (seed, size) in (20..).zip(sizes) {
        play(&pair(classic(FeatureSet::KP, size), "", seed, false), 40);
    }
}

#[test]
fn sfnn_networks_of_all_features_equal_the_slow_ones() {
    for (seed, features) in
        (40..).zip([FeatureSet::HalfKa2, FeatureSet::HalfKaHm2, FeatureSet::ZoneKaHm1])
    {
        play(&pair(sfnn(features, [64, 7, 8], 9), "k3k3", seed, false), 80);
    }
    for (seed, size) in (50..).zip([[256, 15, 32], [128, 8, 64], [1024, 7, 64], [96, 16, 8]]) {
        for extreme in [false, true] {
            play(&pair(sfnn(FeatureSet::KA2, size, 9), "k3k3", seed, extreme), 40);
        }
    }
    play(&pair(sfnn(FeatureSet::KA2, [64, 7, 8], 1), "", 60, false), 40);
}

/// Down to the narrowest and up to the widest that YaneuraOu's trainer makes.
#[test]
fn sfnn_networks_of_all_widths_equal_the_slow_ones() {
    for (seed, size) in (100..).zip([[32, 7, 32], [32, 8, 64], [3072, 15, 64], [8192, 7, 64]]) {
        play(&pair(sfnn(FeatureSet::KA2, size, 9), "k3k3", seed, false), 20);
    }
    play(&pair(classic(FeatureSet::KP, [32, 8, 32]), "", 104, false), 40);
    play(&pair(classic(FeatureSet::KP, [4096, 8, 32]), "", 105, false), 20);
}

#[test]
fn networks_with_a_sharded_first_layer_equal_the_slow_ones() {
    for (seed, (size, [common, inputs, count])) in (110..).zip([
        ([3072, 7, 64], [1024, 256, 8]),
        ([1024, 7, 64], [0, 128, 8]),
        ([1024, 8, 64], [512, 128, 4]),
        ([1024, 15, 64], [0, 64, 16]),
        ([1024, 31, 64], [768, 128, 2]),
    ]) {
        let shards = SlowShards { common, inputs, count };
        play(&sharded_pair(sfnn(FeatureSet::KA2, size, 9), shards, seed), 20);
    }
}

#[test]
fn layer_stacks_are_selected_as_in_the_slow_networks() {
    let modes = [
        ("k9k9", 81),
        ("k9k9z", 81),
        ("k13k13z", 169),
        ("k21k21", 441),
        ("k29k29", 841),
        ("hand4", 4),
        ("hand16", 16),
        ("hand64", 64),
        ("hand64z", 64),
        ("hand256", 256),
        ("hand1024", 1024),
        ("progress2", 2),
        ("progress3", 3),
        ("progress32", 32),
        ("hand16_k3k3_progress4", 576),
        ("progress8_k9k9z", 648),
    ];
    for (seed, (mode, stacks)) in (70..).zip(modes) {
        play(&pair(sfnn(FeatureSet::KA2, [64, 7, 8], stacks), mode, seed, false), 30);
    }
    play(&pair(sfnn(FeatureSet::HalfKaHm2, [64, 7, 8], 32), "progress32", 92, false), 80);
}

#[test]
fn a_reused_evaluator_equals_a_new_one() {
    let pair = pair(classic(FeatureSet::HalfKaHm1, [64, 8, 16]), "", 90, false);
    let mut old = Evaluator::new(Network::new(Arc::clone(&pair.fast)), &Position::startpos());
    // Alternate between full sets and handicaps, which invalidates the refresh cache.
    for round in 0..3 {
        for sfen in STARTS {
            let position = Position::from_sfen(sfen).unwrap();
            let mut new = Evaluator::new(Network::new(Arc::clone(&pair.fast)), &position);
            old.reset(&position);
            assert_eq!(old.output(&position), new.output(&position), "{round} {sfen}");
        }
    }
}

#[test]
fn a_line_may_be_as_long_as_the_longest_of_a_search() {
    let mut position = Position::startpos();
    let mut evaluator = Evaluator::new(Network::built_in(), &position);
    for mv in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(MAX_PLY) {
        evaluator.push(&position.do_move(mv.parse().unwrap()));
    }
    let mut new = Evaluator::new(Network::built_in(), &position);
    assert_eq!(evaluator.output(&position), new.output(&position));
}

#[test]
fn the_evaluation_is_symmetric_in_the_sides() {
    let pair = pair(classic(FeatureSet::HalfKp, [64, 8, 16]), "", 91, false);
    let output = |sfen: &str| {
        let position = Position::from_sfen(sfen).unwrap();
        Evaluator::new(Network::new(Arc::clone(&pair.fast)), &position).output(&position)
    };
    let one = "lnsgk1snl/1r4gb1/p1ppppppp/9/1p7/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
    let other = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/7P1/9/PPPPPPP1P/1BG4R1/LNS1KGSNL w - 1";
    assert_eq!(output(one), output(other));
    assert_ne!(output(one), output(&one.replace(" b ", " w ")));
}
