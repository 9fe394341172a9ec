//! Training as a whole: gradients, exactness of what is folded, learning by heart.

use super::adam::Rate;
use super::goal::Goal;
use super::initial::{initial, normal};
use super::numbers::Numbers;
use super::quantize::{dequantized, quantized};
use crate::tools::random::Random;
use super::scales::Scales;
use super::shape::Shape;
use super::trainer::{Trainer, judge};
use super::*;
use crate::nnue::{Architecture, Buckets, FeatureSet, PieceList, Topology};
use crate::position::Position;
use crate::types::Move;

const STILL: Rate = Rate { learning: 0.0, decay: 0.0 };

fn classic(features: FeatureSet, [width, h1, h2]: [usize; 3]) -> Architecture {
    Architecture { features, width, h1, h2, topology: Topology::Classic }
}

fn sfnn(features: FeatureSet, [width, h1, h2]: [usize; 3]) -> Architecture {
    let topology = Topology::Sfnn { stacks: 9, shortcut: h1 % 8 == 7 };
    Architecture { features, width, h1, h2, topology }
}

/// Positions of random games, with random labels.
fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random::of_part(seed, 1);
    let mut position = Position::startpos();
    let buckets = Buckets::parse("k3k3", None).unwrap();
    let mut samples = Vec::new();
    while samples.len() < count {
        let moves: Vec<Move> = position.legal_moves().moves().collect();
        if moves.is_empty() || position.ply() > 200 {
            position = Position::startpos();
            continue;
        }
        position.do_move(moves[random.below(moves.len())]);
        let score = (normal(&mut random) * 500.0) as i16;
        samples.push(Sample {
            pieces: PieceList::new(&position),
            side: position.side_to_move(),
            stack: buckets.index(&position) as u16,
            label: Label { score, result: random.below(3) as i8 - 1 },
        });
    }
    samples
}

/// The same for nets with one stack.
fn flat_samples(count: usize, seed: u64) -> Vec<Sample> {
    samples(count, seed).into_iter().map(|sample| Sample { stack: 0, ..sample }).collect()
}

fn samples_for(architecture: &Architecture, count: usize, seed: u64) -> Vec<Sample> {
    match architecture.topology {
        Topology::Classic => flat_samples(count, seed),
        Topology::Sfnn { .. } => samples(count, seed),
    }
}

fn goal() -> Goal {
    Goal { loss: Loss::Entropy, lambda: 0.7, win_rate_scale: 600.0 }
}

fn scales() -> Scales {
    Scales::new(600.0, 16)
}

/// A net of random numbers, so large that everything is clipped now and then.
fn noisy(shape: &Shape, seed: u64) -> Numbers {
    let mut net = initial(shape, seed).unwrap();
    let real = dequantized(shape, &quantized(shape, &net, &scales()), &scales()).unwrap();
    let mut random = Random::of_part(seed, 2);
    // Only numbers that a file holds may be other than zero.
    let is_real = |number: f32| number != 0.0;
    for (array, real) in net.arrays_mut().into_iter().zip(real.arrays()) {
        for (number, &real) in array.iter_mut().zip(real) {
            if is_real(*number) || is_real(real) {
                *number += 0.05 * normal(&mut random);
            }
        }
    }
    for stack in &mut net.stacks {
        for weight in &mut stack.output.weights[..shape.architecture.h2] {
            *weight = 0.3 * normal(&mut random);
        }
    }
    net
}

fn copy_of(shape: &Shape, net: &Numbers) -> Numbers {
    let mut copy = Numbers::zeros(shape).unwrap();
    for (to, from) in copy.arrays_mut().into_iter().zip(net.arrays()) {
        to.copy_from_slice(from);
    }
    copy
}

fn trainer(shape: Shape, net: Numbers, threads: usize) -> Trainer {
    Trainer::new(shape, net, scales(), 0.99, threads).unwrap()
}

fn all(samples: &[Sample]) -> Vec<u32> {
    (0..samples.len() as u32).collect()
}

/// The mean loss of a net.
fn loss(shape: &Shape, net: &Numbers, samples: &[Sample]) -> f64 {
    let judged = judge(shape, net, samples, 2);
    let of = |&(_, label, output): &_| f64::from(goal().loss.at(output, goal().of(label)).0);
    judged.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// How many numbers of each array are changed a little.
const TRIES: usize = 20;

/// Compares the gradient of a batch with differences of the loss, for some numbers of each array.
fn check_gradient(architecture: Architecture, factorized: bool) {
    let shape = Shape::new(architecture, factorized);
    let samples = samples_for(&architecture, 40, 3);
    let mut net = noisy(&shape, 5);
    let mut trainer = trainer(shape, copy_of(&shape, &net), 2);
    let sum = trainer.step(&samples, &all(&samples), &goal(), STILL);
    assert!((sum / 40.0 - loss(&shape, &net, &samples)).abs() < 1e-6);
    let gradient: Vec<Vec<f32>> =
        trainer.means[0].arrays().iter().map(|a| a.iter().map(|m| m * 10.0).collect()).collect();
    let mut random = Random::new(9);
    for (array, gradient) in gradient.iter().enumerate() {
        let used: Vec<usize> = (0..gradient.len()).filter(|&at| gradient[at] != 0.0).collect();
        let largest = gradient.iter().fold(0.0f32, |most, slope| most.max(slope.abs()));
        if used.is_empty() {
            continue;
        }
        let mut outside = Vec::new();
        for _ in 0..TRIES {
            let at = used[random.below(used.len())];
            let mut at_distance = |distance: f32| {
                net.arrays_mut()[array][at] += distance;
                let loss = loss(&shape, &net, &samples);
                net.arrays_mut()[array][at] -= distance;
                loss
            };
            let step = 5e-4;
            let slope = (at_distance(step) - at_distance(-step)) / f64::from(2.0 * step);
            let error = (slope - f64::from(gradient[at])).abs();
            if error > 0.06 * f64::from(largest) + 3e-5 {
                outside.push((at, slope, gradient[at]));
            }
        }
        // Between the two losses a value may begin or cease to be clipped.
        assert!(outside.len() <= TRIES / 10, "{architecture}, array {array}: {outside:?}");
    }
}

#[test]
fn gradients_of_classic_nets_are_differences_of_the_loss() {
    check_gradient(classic(FeatureSet::KP, [64, 8, 8]), true);
    check_gradient(classic(FeatureSet::HalfKaHm2, [64, 16, 24]), true);
    check_gradient(classic(FeatureSet::HalfKpVm, [96, 32, 8]), false);
}

#[test]
fn gradients_of_nets_with_stacks_are_differences_of_the_loss() {
    check_gradient(sfnn(FeatureSet::KP, [96, 15, 32]), true);
    check_gradient(sfnn(FeatureSet::KA2, [64, 16, 16]), true);
}
