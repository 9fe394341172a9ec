//! Gradients, quantisation, shared rows and overfitting of the trainer; in the child modules, files
//! and whole trainings.

mod files;
mod runs;

use super::adam::{AdamRate, BiasCorrections};
use super::clipped_stacks::{ClippedStack, clipped_stacks};
use super::initial::{initial, normal, random_weights};
use super::objective::Objective;
use super::quantize::{dequantized, quantized, round_transformer};
use super::ranking::{MicroBatch, RankingLoss};
use super::sample::SampleRef;
use super::scales::QuantScales;
use super::tensor_layout::TensorLayout;
use super::tensors::{NetworkTensors, RowRef};
use super::trainer::{QUANTIZED_PARTS, Trainer, evaluate};
use super::*;
use crate::nnue::{
    Architecture, Buckets, FeatureSet, LayerStackParameters, MAX_BYTE_WEIGHT, NetworkParameters,
    RandomNetwork, Topology,
};
use crate::position::Position;
use crate::types::{Move, Random};

const STILL: AdamRate = AdamRate { learning: 0.0, decay: 0.0 };

fn classic(features: FeatureSet, [width, h1, h2]: [usize; 3]) -> Architecture {
    Architecture { features, width, h1, h2, topology: Topology::Classic }
}

fn sfnn(features: FeatureSet, [width, h1, h2]: [usize; 3]) -> Architecture {
    let topology = Topology::Sfnn { stacks: 9, shortcut: h1 % 8 == 7 };
    Architecture { features, width, h1, h2, topology }
}

/// Positions of random games with random labels.
fn samples(count: usize, seed: u64) -> Vec<TrainingSample> {
    let mut random = Random::of_part(seed, 1);
    let mut position = Position::startpos();
    let buckets = Buckets::parse("k3k3", None).unwrap();
    let mut samples = Vec::new();
    while samples.len() < count {
        let moves: Vec<Move> = position.legal_moves().moves().collect();
        if moves.is_empty() || position.game_ply() > 200 {
            position = Position::startpos();
            continue;
        }
        position.do_move(moves[random.below(moves.len())]);
        let score = (normal(&mut random) * 500.0) as i16;
        let label = Label { score, result: random.below(3) as i8 - 1 };
        samples.push(TrainingSample { label, ..TrainingSample::unlabelled(&position, &buckets) });
    }
    samples
}

/// The same for networks with one stack.
fn flat_samples(count: usize, seed: u64) -> Vec<TrainingSample> {
    samples(count, seed).into_iter().map(|sample| TrainingSample { stack: 0, ..sample }).collect()
}

fn samples_for(architecture: &Architecture, count: usize, seed: u64) -> Vec<TrainingSample> {
    match architecture.topology {
        Topology::Classic => flat_samples(count, seed),
        Topology::Sfnn { .. } => samples(count, seed),
    }
}

fn objective() -> Objective {
    Objective { loss: LossFunction::CrossEntropy, lambda: 0.7, sigmoid_scale: 600.0 }
}

fn scales() -> QuantScales {
    QuantScales::new(600.0, 16)
}

/// Nonzero wherever a file has a parameter; the rest is padding, which stays zero.
fn parameters_of_files(layout: &TensorLayout) -> NetworkTensors {
    let mut file = NetworkParameters::zeros(layout.architecture);
    file.bias.fill(1);
    file.rows.fill(1);
    for LayerStackParameters { l1, l2, output } in &mut file.stacks {
        for layer in [l1, l2, output] {
            layer.bias.fill(1);
            layer.weights.fill(1);
        }
    }
    dequantized(layout, &file, &scales()).unwrap()
}

/// A network of random weights, large enough that everything is clipped from time to time.
fn noisy(layout: &TensorLayout, seed: u64) -> NetworkTensors {
    let mut net = random_weights(layout, seed).unwrap();
    let held = parameters_of_files(layout);
    let mut random = Random::of_part(seed, 2);
    for (array, held) in net.arrays_mut().into_iter().zip(held.arrays()) {
        for (number, &held) in array.iter_mut().zip(held) {
            // Shared rows start with numbers in all columns.
            if held != 0.0 || *number != 0.0 {
                *number += 0.05 * normal(&mut random);
            }
        }
    }
    for stack in &mut net.stacks {
        for weight in &mut stack.output.weights[..layout.architecture.h2] {
            *weight = 0.3 * normal(&mut random);
        }
    }
    net
}

fn copy_of(layout: &TensorLayout, net: &NetworkTensors) -> NetworkTensors {
    let mut copy = NetworkTensors::zeros(layout).unwrap();
    for (to, from) in copy.arrays_mut().into_iter().zip(net.arrays()) {
        to.copy_from_slice(from);
    }
    copy
}

fn trainer(layout: TensorLayout, net: NetworkTensors, threads: usize) -> Trainer {
    Trainer::new(layout, net, scales(), 0.99, threads).unwrap()
}

fn all(samples: &[TrainingSample]) -> Vec<SampleRef> {
    (0..samples.len() as u32).map(|sample| SampleRef::of_epoch(sample, 0, false)).collect()
}

/// The mean loss of a network.
fn loss(layout: &TensorLayout, net: &NetworkTensors, samples: &[TrainingSample]) -> f64 {
    let judged = evaluate(layout, net, samples, 2);
    let of = |&(_, label, output): &_| {
        f64::from(objective().loss.with_gradient(output, objective().target(label)).0)
    };
    judged.iter().map(of).sum::<f64>() / samples.len() as f64
}

const POSITIONS: usize = 24;
/// How many numbers of each array are perturbed.
const TRIES: usize = 12;

/// Compares the gradient of a batch with differences of the loss, for some numbers of each array.
fn check_gradient(architecture: Architecture, factorized: bool) {
    let samples = samples_for(&architecture, POSITIONS, 3);
    check_gradient_of(architecture, factorized, &samples, None);
}

/// [`check_gradient`] with a ranking loss of half the weight.
fn check_ranking_gradient(architecture: Architecture, buckets: Buckets) {
    let quiet = |sample: TrainingSample| {
        let position = sample.position();
        let mut moves = position.legal_moves().moves().collect::<Vec<_>>().into_iter();
        let best = moves.find(|&mv| crate::tools::game_file::is_quiet(&position, mv));
        TrainingSample { best: best.unwrap_or(Move::NONE), ..sample }
    };
    let samples = samples_for(&architecture, POSITIONS, 3).into_iter().map(quiet);
    let samples: Vec<TrainingSample> = samples.collect();
    let ranking = RankingLoss { weight: 0.5, negatives: 3, sharpness: 2.0, buckets, seed: 4 };
    check_gradient_of(architecture, true, &samples, Some(ranking));
}

/// The mean ranking loss of the first step.
fn ranking_loss(
    layout: &TensorLayout,
    net: &NetworkTensors,
    samples: &[TrainingSample],
    ranking: &RankingLoss,
) -> f64 {
    let mut micro_batch = MicroBatch::labelled(samples.iter().copied());
    micro_batch.add_comparisons(ranking, |at| Random::of_part(ranking.seed, at as u64));
    assert!(micro_batch.comparisons.len() > samples.len() / 2);
    let mut outputs = vec![0.0; micro_batch.samples.len()];
    for (number, _, output) in evaluate(layout, net, &micro_batch.samples, 2) {
        outputs[number as usize] = output;
    }
    let costs = micro_batch
        .comparisons
        .iter()
        .map(|group| ranking.with_gradient(&outputs[group.clone()]).0);
    f64::from(ranking.weight) * costs.map(f64::from).sum::<f64>() / samples.len() as f64
}

fn check_gradient_of(
    architecture: Architecture,
    factorized: bool,
    samples: &[TrainingSample],
    ranking: Option<RankingLoss>,
) {
    let layout = TensorLayout::new(architecture, factorized);
    let mut net = noisy(&layout, 5);
    let mut trainer = trainer(layout, copy_of(&layout, &net), 2);
    trainer.ranking = ranking;
    let sum = trainer.step(samples, &all(samples), &objective(), STILL);
    assert!((sum / POSITIONS as f64 - loss(&layout, &net, samples)).abs() < 1e-6);
    let ranking = trainer.ranking.take();
    let cost = |net: &NetworkTensors| {
        ranking.as_ref().map_or(0.0, |ranking| ranking_loss(&layout, net, samples, ranking))
    };
    let gradient: Vec<Vec<f32>> =
        trainer.moments[0].arrays().iter().map(|a| a.iter().map(|m| m * 10.0).collect()).collect();
    let mut random = Random::new(9);
    for (array, gradient) in gradient.iter().enumerate() {
        let used: Vec<usize> = (0..gradient.len()).filter(|&at| gradient[at] != 0.0).collect();
        let largest = gradient.iter().fold(0.0f32, |max, grad| max.max(grad.abs()));
        if used.is_empty() {
            continue;
        }
        let mut outside = Vec::new();
        for _ in 0..TRIES {
            let at = used[random.below(used.len())];
            let mut at_distance = |distance: f32| {
                net.arrays_mut()[array][at] += distance;
                let loss = loss(&layout, &net, samples) + cost(&net);
                net.arrays_mut()[array][at] -= distance;
                loss
            };
            let step = 5e-4;
            let grad = (at_distance(step) - at_distance(-step)) / f64::from(2.0 * step);
            let error = (grad - f64::from(gradient[at])).abs();
            if error > 0.06 * f64::from(largest) + 3e-5 {
                outside.push((at, grad, gradient[at]));
            }
        }
        // Between the two losses a value may start or stop being clipped.
        assert!(outside.len() <= 1, "{architecture}, array {array}: {outside:?}");
    }
}

#[test]
fn gradients_of_classic_networks_are_differences_of_the_loss() {
    check_gradient(classic(FeatureSet::KP, [64, 8, 8]), true);
    check_gradient(classic(FeatureSet::HalfKaHm2, [64, 16, 24]), true);
    check_gradient(classic(FeatureSet::HalfKpVm, [96, 32, 8]), false);
}

#[test]
fn gradients_of_networks_with_stacks_are_differences_of_the_loss() {
    check_gradient(sfnn(FeatureSet::KP, [96, 15, 32]), true);
    check_gradient(sfnn(FeatureSet::KA2, [64, 16, 16]), true);
}

#[test]
fn gradients_of_the_ranking_loss_are_its_differences() {
    check_ranking_gradient(classic(FeatureSet::KP, [64, 8, 8]), Buckets::One);
    let k3k3 = Buckets::parse("k3k3", None).unwrap();
    check_ranking_gradient(sfnn(FeatureSet::KA2, [64, 16, 16]), k3k3);
}

#[test]
fn quantised_parts_stay_fixed_and_later_parts_are_trained_on() {
    let layout = TensorLayout::new(classic(FeatureSet::KP, [64, 8, 8]), true);
    let samples = flat_samples(30, 2);
    let rate = AdamRate { learning: 0.01, decay: 0.1 };
    let mut trainer = trainer(layout, noisy(&layout, 5), 1);
    (0..20).for_each(|_| _ = trainer.step(&samples, &all(&samples), &objective(), rate));
    let ema = copy_of(&layout, &trainer.ema.tensors);
    assert_ne!(trainer.weights.bias, ema.bias);
    let of_file = |net: &NetworkTensors| quantized(&layout, net, &scales());
    for quantized_parts in 1..=QUANTIZED_PARTS {
        trainer.quantize_next_part();
        assert_eq!(trainer.quantized_parts, quantized_parts);
        if quantized_parts == 1 {
            let file = of_file(&ema);
            assert_eq!((of_file(&trainer.weights).rows, trainer.ema.updates), (file.rows, 0));
            assert_eq!(trainer.weights.stacks[0].arrays(), ema.stacks[0].arrays());
        }
        let before = copy_of(&layout, &trainer.weights);
        (0..20).for_each(|_| _ = trainer.step(&samples, &all(&samples), &objective(), rate));
        let (before, after) = (before.arrays(), trainer.weights.arrays());
        // Bias, rows of the king buckets, shared rows; then weights and biases of the layers.
        assert_eq!(before[..3], after[..3], "the transformer");
        for layer in 0..3 {
            let is_fixed = layer + 1 < quantized_parts;
            assert_eq!(before[3 + 2 * layer] == after[3 + 2 * layer], is_fixed, "{layer}");
            assert_ne!(before[4 + 2 * layer], after[4 + 2 * layer], "biases are trained on");
        }
        let exact = dequantized(&layout, &of_file(&trainer.weights), &scales()).unwrap();
        for layer in 0..quantized_parts - 1 {
            assert_eq!(exact.arrays()[3 + 2 * layer], after[3 + 2 * layer], "{layer}");
            assert_eq!(trainer.ema.tensors.arrays()[3 + 2 * layer], after[3 + 2 * layer]);
        }
    }
}

/// Regression: moments after a few steps were corrected as if all steps had been made, and so were too
/// small.
#[test]
fn skipped_steps_leave_the_corrected_moments_as_they_are() {
    let layout = TensorLayout::new(classic(FeatureSet::KP, [64, 8, 8]), true);
    let samples = flat_samples(30, 2);
    let mut trainer = trainer(layout, noisy(&layout, 5), 1);
    let rate = AdamRate { learning: 0.01, decay: 0.0 };
    (0..5).for_each(|_| _ = trainer.step(&samples, &all(&samples), &objective(), rate));
    let corrected = |trainer: &Trainer, steps| {
        let corrections = BiasCorrections::new().of(steps);
        [0, 1].map(|at| {
            let arrays = trainer.moments[at].stacks[0].arrays();
            let numbers = arrays.into_iter().flatten();
            numbers.map(|number| number * corrections[at]).collect::<Vec<f32>>()
        })
    };
    let before = corrected(&trainer, 5);
    trainer.skip_to(3000);
    assert_eq!(trainer.steps, 3000);
    let after = corrected(&trainer, 3000);
    for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
        assert!((before - after).abs() <= 1e-5 * before.abs().max(1e-30), "{before} {after}");
    }
    assert!(before.iter().flatten().any(|&number| number != 0.0));
}

#[test]
fn a_rounded_transformer_is_what_its_file_holds_and_is_not_rounded_again() {
    for (features, factorized) in
        [(FeatureSet::KP, true), (FeatureSet::HalfKpVm, true), (FeatureSet::HalfKpVm, false)]
    {
        let layout = TensorLayout::new(classic(features, [64, 8, 8]), factorized);
        let mut net = noisy(&layout, 7);
        let before = quantized(&layout, &net, &scales());
        round_transformer(&layout, &mut net);
        let once = copy_of(&layout, &net);
        round_transformer(&layout, &mut net);
        assert_eq!(net.arrays(), once.arrays());
        let after = quantized(&layout, &net, &scales());
        assert_eq!((before.bias, before.rows), (after.bias, after.rows));
    }
}

#[test]
fn weights_of_rows_are_limited_to_eight_bits() {
    for (features, factorized) in [(FeatureSet::KP, true), (FeatureSet::HalfKpVm, true)] {
        let layout = TensorLayout::new(classic(features, [64, 8, 8]), factorized);
        let mut net = noisy(&layout, 7);
        for rows in [&mut net.shared_rows, &mut net.bucket_rows] {
            rows.iter_mut().for_each(|number| *number *= 100.0);
        }
        let file = quantized(&layout, &net, &scales());
        assert_eq!(file.rows.iter().min(), Some(&-MAX_BYTE_WEIGHT));
        assert_eq!(file.rows.iter().max(), Some(&MAX_BYTE_WEIGHT));
        round_transformer(&layout, &mut net);
        assert_eq!(quantized(&layout, &net, &scales()).rows, file.rows);
    }
}

#[test]
fn a_row_that_is_not_used_stays_and_padding_stays_zero() {
    let architecture = classic(FeatureSet::KP, [96, 8, 8]);
    let layout = TensorLayout::new(architecture, true);
    let samples = flat_samples(30, 1);
    let mut trainer = trainer(layout, initial(&layout, 1).unwrap(), 1);
    let rate = AdamRate { learning: 0.01, decay: 0.1 };
    for _ in 0..5 {
        trainer.step(&samples, &all(&samples), &objective(), rate);
    }
    let mut used = vec![false; layout.bucket_len];
    for (sample, color) in samples.iter().flat_map(|s| [(s, s.side), (s, !s.side)]) {
        let mut numbers = Vec::new();
        sample.pieces.append_active(architecture.features, color, &mut numbers);
        numbers.iter().for_each(|&number| used[usize::from(number)] = true);
    }
    let before = initial(&layout, 1).unwrap();
    for (feature, used) in used.into_iter().enumerate() {
        let row = |net: &NetworkTensors, tile| {
            net.row_tile(&layout, tile, RowRef::Shared { feature }).to_vec()
        };
        let is_same = row(&before, 0) == row(&trainer.weights, 0);
        assert_eq!(is_same, !used, "{feature}");
        assert!(row(&trainer.weights, 1)[32..].iter().all(|&weight| weight == 0.0));
    }
    assert!(trainer.weights.bias[96..].iter().all(|&bias| bias == 0.0));
}

#[test]
fn a_few_positions_are_overfitted() {
    for architecture in
        [classic(FeatureSet::KP, [64, 16, 16]), sfnn(FeatureSet::HalfKaHm2, [64, 15, 16])]
    {
        let layout = TensorLayout::new(architecture, true);
        let samples = samples_for(&architecture, 64, 2);
        let mut trainer = trainer(layout, initial(&layout, 1).unwrap(), 2);
        let before = loss(&layout, &trainer.weights, &samples);
        for step in 0..400 {
            let learning = 0.005 * (1.0 - step as f32 / 400.0);
            let rate = AdamRate { learning, decay: 0.0 };
            trainer.step(&samples, &all(&samples), &objective(), rate);
        }
        let after = loss(&layout, &trainer.weights, &samples);
        assert!(before > 0.05 && after < 0.003, "{architecture}: {before} {after}");
        let ema = loss(&layout, trainer.ema_weights(), &samples);
        assert!(ema < 0.01, "{architecture}: {ema}");
    }
}

#[test]
fn weights_of_layers_are_clipped_to_the_range_of_files_at_every_step() {
    let architecture = sfnn(FeatureSet::KP, [64, 15, 16]);
    let layout = TensorLayout::new(architecture, true);
    let samples = samples(40, 4);
    let mut net = noisy(&layout, 1);
    let layers = |net: &NetworkTensors| {
        let stack = net.stacks[8].clone();
        [stack.l1.weights, stack.l2.weights, stack.output.weights]
    };
    for stack in &mut net.stacks {
        stack.arrays_mut().into_iter().flatten().for_each(|number| *number *= 50.0);
    }
    let before = layers(&net);
    let mut trainer = trainer(layout, net, 1);
    let rate = AdamRate { learning: 1e-3, decay: 0.0 };
    trainer.step(&samples, &all(&samples), &objective(), rate);
    let after = layers(&trainer.weights);
    // The shortcut counts as much as the output: a weight of the output is 127 / (600 * 16).
    let (hidden, last) = (127.0 / 64.0, 127.0 * 127.0 / (600.0 * 16.0));
    let shortcut = layout.shortcut().unwrap();
    for (layer, (before, after)) in before.iter().zip(&after).enumerate() {
        let mut clipped = [0, 0];
        for (at, (&before, &after)) in before.iter().zip(after).enumerate() {
            let to_output = layer == 2 || layer == 0 && at % 16 == shortcut;
            let limit: f32 = if to_output { last } else { hidden };
            if before.abs() > limit + 2e-3 {
                assert!((after - limit.copysign(before)).abs() < 1e-6, "{layer} {at}: {after}");
                clipped[usize::from(to_output)] += 1;
            } else {
                assert!((after - before).abs() < 2e-3, "{layer} {at}: {before} {after}");
            }
        }
        assert!(clipped.iter().sum::<u32>() > 5 && (layer > 0 || clipped[1] > 5), "{clipped:?}");
    }
    let file = quantized(&layout, &trainer.weights, &scales());
    let stack = &file.stacks[8];
    for layer in [&stack.l1, &stack.l2, &stack.output] {
        let extremes = layer.weights.iter().filter(|weight| weight.unsigned_abs() == 127).count();
        assert!(extremes > 5 && layer.weights.iter().all(|&weight| weight != -128));
    }
}

/// All rows of king buckets.
fn king_buckets(layout: &TensorLayout) -> impl Iterator<Item = (usize, usize)> {
    let (king_buckets, bucket_len) = (layout.king_buckets, layout.bucket_len);
    (0..king_buckets).flat_map(move |bucket| (0..bucket_len).map(move |feature| (bucket, feature)))
}

#[test]
fn shared_rows_are_added_to_those_of_every_king_bucket() {
    for architecture in
        [classic(FeatureSet::HalfKpVm, [96, 8, 8]), sfnn(FeatureSet::HalfKaHm2, [64, 15, 16])]
    {
        let (layout, plain) =
            (TensorLayout::new(architecture, true), TensorLayout::new(architecture, false));
        let mut net = noisy(&layout, 7);
        let mut random = Random::new(1);
        // Rows of king buckets are zero initially.
        for (bucket, feature) in king_buckets(&layout) {
            for (tile, left) in (0..layout.tiles).zip([architecture.width, architecture.width - 64])
            {
                let row = net.row_tile_mut(&layout, tile, RowRef::Own { bucket, feature });
                row.iter_mut().take(left).for_each(|weight| *weight = 0.02 * normal(&mut random));
            }
        }
        let mut folded = NetworkTensors::zeros(&plain).unwrap();
        folded.bias.copy_from_slice(&net.bias);
        folded.stacks.clone_from(&net.stacks);
        for tile in 0..layout.tiles {
            for (bucket, feature) in king_buckets(&layout) {
                let row = RowRef::Own { bucket, feature };
                let shared = net.row_tile(&layout, tile, RowRef::Shared { feature });
                let sum: Vec<f32> = net
                    .row_tile(&layout, tile, row)
                    .iter()
                    .zip(shared)
                    .map(|(a, b)| a + b)
                    .collect();
                folded.row_tile_mut(&plain, tile, row).copy_from_slice(&sum);
            }
        }
        assert!(quantized(&layout, &net, &scales()) == quantized(&plain, &folded, &scales()));
        let samples = samples_for(&architecture, 30, 6);
        let outputs = |layout: &TensorLayout, net: &NetworkTensors| {
            evaluate(layout, net, &samples, 1).into_iter().map(|(_, _, output)| output)
        };
        for (left, right) in outputs(&layout, &net).zip(outputs(&plain, &folded)) {
            assert!((left - right).abs() < 1e-4, "{left} {right}");
        }
    }
}

#[test]
fn a_network_without_king_buckets_grows_into_one_with_them() {
    let small = classic(FeatureSet::KP, [96, 32, 8]);
    let file = RandomNetwork::new(small, 3).parameters();
    for features in [FeatureSet::HalfKa1, FeatureSet::HalfKaHm1, FeatureSet::ZoneKaHm1] {
        let layout = TensorLayout::new(classic(features, [96, 32, 8]), true);
        assert!(layout.can_start_from(small) && layout.can_start_from(layout.architecture));
        let grown = quantized(&layout, &dequantized(&layout, &file, &scales()).unwrap(), &scales());
        assert!(grown.bias == file.bias && grown.stacks == file.stacks);
        assert!(grown.rows.chunks_exact(file.rows.len()).all(|bucket| bucket == file.rows));
        assert!(
            !TensorLayout::new(layout.architecture, false).can_start_from(small),
            "no rows to share"
        );
    }
    for other in [
        classic(FeatureSet::HalfKaHm2, [96, 32, 8]),
        classic(FeatureSet::HalfKa1, [96, 16, 8]),
        sfnn(FeatureSet::HalfKa1, [96, 32, 8]),
    ] {
        assert!(!TensorLayout::new(other, true).can_start_from(small), "{other}");
    }
}

#[test]
fn weights_in_another_layout_are_the_same_network() {
    let layout =
        |features, factorized| TensorLayout::new(classic(features, [96, 32, 8]), factorized);
    let zones = |factorized| layout(FeatureSet::ZoneKaHm1, factorized);
    for (from, to) in [
        (zones(true), zones(true)),
        (zones(true), zones(false)),
        (zones(false), zones(true)),
        (layout(FeatureSet::KP, true), zones(true)),
    ] {
        assert!(to.can_start_from(from.architecture));
        let old = noisy(&from, 7);
        let new = NetworkTensors::converted(&to, &from, &old).unwrap();
        assert!(from != to || old.arrays() == new.arrays());
        let [old, new] = [quantized(&from, &old, &scales()), quantized(&to, &new, &scales())];
        assert!(new.bias == old.bias && new.stacks == old.stacks);
        assert!(new.rows.chunks_exact(old.rows.len()).all(|rows| rows == old.rows));
    }
}

#[test]
fn the_parameters_of_a_file_survive_a_round_trip() {
    for architecture in [
        classic(FeatureSet::KP, [96, 32, 8]),
        classic(FeatureSet::HalfKpVm, [64, 8, 40]),
        sfnn(FeatureSet::HalfKaHm2, [96, 15, 32]),
        sfnn(FeatureSet::KA2, [64, 16, 8]),
    ] {
        for factorized in [true, false] {
            let layout = TensorLayout::new(architecture, factorized);
            let file = RandomNetwork::new(architecture, 3).parameters();
            let net = dequantized(&layout, &file, &scales()).unwrap();
            assert!(quantized(&layout, &net, &scales()) == file, "{architecture}");
        }
    }
}

/// Regression: in eight of nine stacks the second layer was always clipped, and no command said so.
#[test]
fn a_stack_whose_second_layer_is_clipped_is_named_and_does_not_change() {
    let layout = TensorLayout::new(sfnn(FeatureSet::KP, [64, 15, 8]), true);
    let mut net = noisy(&layout, 3);
    let l2 = &mut net.stacks[0].l2;
    l2.weights.fill(0.0);
    l2.bias.fill(-1.0);
    let samples: Vec<TrainingSample> = samples(400, 5)
        .into_iter()
        .enumerate()
        .map(|(at, sample)| TrainingSample { stack: if at % 2 == 0 { 0 } else { 8 }, ..sample })
        .collect();
    let expected = ClippedStack { stack: 0, clipped: 200, positions: 200 };
    assert_eq!(clipped_stacks(&layout, &net, &samples), [expected]);
    assert_eq!(clipped_stacks(&layout, &net, &samples[..100]), []);
    let mut trainer = trainer(layout, copy_of(&layout, &net), 2);
    let rate = AdamRate { learning: 0.01, decay: 0.0 };
    trainer.step(&samples, &all(&samples), &objective(), rate);
    let same = |stack: usize| {
        let [old, new] = [&net, &trainer.weights].map(|net| &net.stacks[stack].l2);
        old.weights == new.weights && old.bias == new.bias
    };
    assert_eq!([same(0), same(8)], [true, false]);
}
