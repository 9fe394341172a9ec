//! The mean of the weights of several networks that were trained further from one network ("model soups",
//! M. Wortsman and others, 2022).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::TrainError;
use super::export::{self, AccumulatorRange};
use super::output_bias::output_bias_difference;
use crate::nnue::file::{self, LoadOptions};
use crate::nnue::{
    Architecture, LayerParameters, LayerStackParameters, MAX_BYTE_WEIGHT, NetworkParameters,
    NetworkWeights,
};
use crate::sys::in_file;

/// What is added to the output bias of every layer stack of a mean.
#[derive(Clone, Copy, Debug)]
pub enum OutputBias<'a> {
    /// This, in the unit of the output: `FV_SCALE` times a score.
    Given(i32),
    /// What gives even positions of these games the mean evaluation of the first network, computed on this
    /// number of threads.
    FromGames { games: &'a [PathBuf], threads: usize },
}

/// A mean that has been written.
#[derive(Clone, Copy, Debug)]
pub struct MeanNetwork {
    pub architecture: Architecture,
    pub accumulators: AccumulatorRange,
    /// What has been added to the output bias.
    pub output_bias: i32,
}

/// Writes the mean of the weights of `nets`. A K-P network among networks of the same layers with king
/// buckets counts as one whose buckets are equal. The differences between king buckets are rounded to
/// multiples of `king_bucket_step`: with 3, the deflated file is a fifth smaller. The weights of the rows are limited
/// to 8 bits.
///
/// # Errors
/// If a network cannot be read, has no `FV_SCALE` or has a progress model, the networks differ in more than
/// weights, the games cannot be used, or the mean cannot be written.
///
/// # Panics
/// If there is no network, or `king_bucket_step` is not positive.
pub fn average(
    nets: &[PathBuf],
    output_bias: OutputBias<'_>,
    king_bucket_step: i16,
    to: &Path,
) -> Result<MeanNetwork, String> {
    assert!(king_bucket_step > 0, "a step between weights is positive");
    let loaded: Vec<NetworkWeights> =
        nets.iter().map(|path| load(path)).collect::<Result<_, _>>()?;
    let most_buckets = |net: &&NetworkWeights| net.architecture.features.king_buckets();
    let target = loaded.iter().max_by_key(most_buckets).expect("there is a network").architecture;
    let mode = loaded[0].buckets.name().to_owned();
    let no_fv_scale = || in_file(&nets[0], "the file does not state a usable FV_SCALE");
    let fv_scale = loaded[0].fv_scale.ok_or_else(no_fv_scale)?;
    let mut parameters = Vec::with_capacity(nets.len());
    for (net, path) in loaded.iter().zip(nets) {
        let is_alike = net.buckets.name() == mode && net.fv_scale == Some(fv_scale);
        let extended = extended(net.parameters(), target).filter(|_| is_alike);
        let differs = "another architecture, bucket mode or FV_SCALE than the first network";
        parameters.push(extended.ok_or_else(|| in_file(path, differs))?);
    }
    let mut mean = mean(&parameters);
    round_differences(&mut mean.rows, target.king_bucket_weights(), king_bucket_step);
    let limited = |weight: i16| weight.clamp(-MAX_BYTE_WEIGHT, MAX_BYTE_WEIGHT);
    mean.rows.iter_mut().for_each(|weight| *weight = limited(*weight));
    let output_bias = match output_bias {
        OutputBias::Given(bias) => bias,
        OutputBias::FromGames { games, threads } => {
            bias_from_games(loaded, &mean, games, threads).map_err(|error| error.to_string())?
        }
    };
    for stack in &mut mean.stacks {
        stack.output.bias[0] = stack.output.bias[0].saturating_add(output_bias);
    }
    let accumulators =
        export::write(to, &mean, Some(&mode), fv_scale).map_err(|error| error.to_string())?;
    Ok(MeanNetwork { architecture: target, accumulators, output_bias })
}

/// What gives even positions of these games the mean evaluation of the first network.
fn bias_from_games(
    mut nets: Vec<NetworkWeights>,
    mean: &NetworkParameters,
    games: &[PathBuf],
    threads: usize,
) -> Result<i32, TrainError> {
    let first = nets.swap_remove(0);
    // All networks have the same buckets.
    let Some(other) = nets.pop() else { return Ok(0) };
    let mean = mean.packed(other.buckets).map_err(TrainError::Memory)?;
    output_bias_difference(&Arc::new(first), &Arc::new(mean), games, threads)
}

fn load(path: &Path) -> Result<NetworkWeights, String> {
    let net = file::load(path, &LoadOptions::default()).map_err(|error| error.to_string())?;
    if net.buckets.progress_model().is_some() {
        Err(in_file(path, "networks with a progress model cannot be averaged"))
    } else {
        Ok(net)
    }
}

/// The same network with the features of `target`; `None` if it has another architecture.
fn extended(mut net: NetworkParameters, target: Architecture) -> Option<NetworkParameters> {
    let (from, to) = (net.architecture.features, target.features);
    if from != to && from.king_buckets() == 1 && from.king_bucket_len() == to.king_bucket_len() {
        net.rows = net.rows.repeat(to.king_buckets());
        net.architecture.features = to;
    }
    (net.architecture == target).then_some(net)
}

fn mean(nets: &[NetworkParameters]) -> NetworkParameters {
    let stack = |at: usize| {
        let layer = |of: fn(&LayerStackParameters) -> &LayerParameters| LayerParameters {
            bias: means(nets, |net| &of(&net.stacks[at]).bias),
            weights: means(nets, |net| &of(&net.stacks[at]).weights),
        };
        LayerStackParameters {
            l1: layer(|stack| &stack.l1),
            l2: layer(|stack| &stack.l2),
            output: layer(|stack| &stack.output),
        }
    };
    NetworkParameters {
        architecture: nets[0].architecture,
        bias: means(nets, |net| &net.bias),
        rows: means(nets, |net| &net.rows),
        progress_model: None,
        stacks: (0..nets[0].stacks.len()).map(stack).collect(),
    }
}

/// Rounds the differences between buckets of `bucket` weights to multiples of `step`: every weight becomes the nearest
/// number that differs from a base by such a multiple. The base is the one with the smallest squared error over all
/// buckets. So every weight changes by half a step at most.
fn round_differences(rows: &mut [i16], bucket: usize, step: i16) {
    let rounded = |weight: i16, base: f64| {
        // Ties to even numbers of steps make 0 more frequent and are not biased away from it.
        let steps = ((f64::from(weight) - base) / f64::from(step)).round_ties_even();
        // The cast saturates.
        (base + steps * f64::from(step)) as i16
    };
    for first in 0..bucket {
        let error = |base: f64| {
            let weights = rows[first..].iter().step_by(bucket);
            let change = |&weight: &i16| f64::from(rounded(weight, base)) - f64::from(weight);
            weights.map(change).map(|change| change * change).sum::<f64>()
        };
        // Of equal errors the base of the first bucket is taken; always the smallest one would lower all weights.
        let own = i32::from(rows[first]);
        let bases =
            (0..i32::from(step)).map(|more| f64::from((own + more).rem_euclid(step.into())));
        let best = bases.min_by(|&one, &other| error(one).total_cmp(&error(other)));
        let base = best.expect("a step is positive");
        let weights = rows[first..].iter_mut().step_by(bucket);
        weights.for_each(|weight| *weight = rounded(*weight, base));
    }
}

/// The mean of each number of a list, rounded with ties to even: of two networks half of the sums are odd, and away
/// from zero all these weights would grow.
fn means<T: Copy + Into<i64> + TryFrom<i64>>(
    nets: &[NetworkParameters],
    numbers: impl Fn(&NetworkParameters) -> &[T],
) -> Vec<T> {
    let mean = |at: usize| {
        let sum: i64 = nets.iter().map(|net| numbers(net)[at].into()).sum();
        let mean = (sum as f64 / nets.len() as f64).round_ties_even() as i64;
        T::try_from(mean).unwrap_or_else(|_| unreachable!("a mean is in the range of its numbers"))
    };
    (0..numbers(&nets[0]).len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{FeatureSet, RandomNetwork, Topology};

    fn net(features: FeatureSet, seed: u64) -> NetworkParameters {
        let topology = Topology::Sfnn { stacks: 9, shortcut: true };
        RandomNetwork::new(Architecture { features, width: 64, h1: 15, h2: 16, topology }, seed)
            .parameters()
    }

    fn written(folder: &Path, name: &str, net: &NetworkParameters) -> PathBuf {
        let path = folder.join(name);
        export::write(&path, net, Some("k3k3"), 20).unwrap();
        path
    }

    #[test]
    fn every_weight_is_the_mean_and_the_output_bias_is_moved() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (net(FeatureSet::KP, 1), net(FeatureSet::ZoneKaHm1, 2));
        let paths = [written(folder.path(), "a", &first), written(folder.path(), "b", &second)];
        let out = folder.path().join("mean.bin");
        average(&paths, OutputBias::Given(-100), 1, &out).unwrap();
        let mean = file::load(&out, &LoadOptions::default()).unwrap().parameters();
        assert_eq!(mean.architecture, second.architecture);
        let half = |a: i32, b: i32| (f64::from(a + b) / 2.0).round_ties_even() as i32;
        for (at, &row) in mean.rows.iter().enumerate() {
            let old = first.rows[at % first.rows.len()];
            assert_eq!(i32::from(row), half(old.into(), second.rows[at].into()));
        }
        for (at, stack) in mean.stacks.iter().enumerate() {
            let [old, new] = [&first, &second].map(|net| net.stacks[at].output.bias[0]);
            assert_eq!(stack.output.bias[0], half(old, new) - 100);
        }
    }

    /// Regression: halves were rounded away from zero.
    #[test]
    fn the_weights_of_a_mean_are_neither_larger_nor_smaller_by_its_rounding() {
        let (mut first, mut second) = (net(FeatureSet::KP, 1), net(FeatureSet::KP, 2));
        for (at, weights) in first.rows.iter_mut().zip(&mut second.rows).enumerate() {
            let weight = (at % 100) as i16;
            (*weights.0, *weights.1) = (weight, weight + 1);
        }
        let (count, nets) = (first.rows.len() as i32, [first, second]);
        let sum = |rows: &[i16]| rows.iter().map(|&row| i32::from(row)).sum::<i32>();
        let mean: Vec<i16> = means(&nets, |net| &net.rows);
        assert_eq!(2 * sum(&mean), 2 * sum(&nets[0].rows) + count);
    }

    #[test]
    fn rounded_differences_between_king_buckets_change_a_weight_by_half_a_step_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let net = net(FeatureSet::ZoneKaHm1, 3);
        let out = folder.path().join("mean.bin");
        average(&[written(folder.path(), "a", &net)], OutputBias::Given(0), 4, &out).unwrap();
        let rounded = file::load(&out, &LoadOptions::default()).unwrap().parameters().rows;
        let bucket = net.architecture.king_bucket_weights();
        let difference = |a: i16, b: i16| i32::from(a) - i32::from(b);
        assert!(rounded[bucket..].iter().zip(&rounded).all(|(&a, &b)| difference(a, b) % 4 == 0));
        let changes = rounded.iter().zip(&net.rows).map(|(&a, &b)| difference(a, b).abs());
        assert_eq!(changes.max(), Some(2));
    }

    /// Regression: the weight of the first bucket, of kings that have left their camp, was kept, and those of the
    /// frequent buckets followed it.
    #[test]
    fn differences_are_rounded_to_what_is_nearest_to_all_king_buckets() {
        for (weights, rounded) in [
            ([1, 0, 0, 0], [0, 0, 0, 0]),
            ([1, 0, 4, 3], [1, 1, 4, 4]),
            ([-7, -8, -8, -11], [-8, -8, -8, -11]),
            ([5, 5, 6, 8], [5, 5, 5, 8]),
        ] {
            let mut rows = weights;
            round_differences(&mut rows, 1, 3);
            assert_eq!(rows, rounded, "{weights:?}");
        }
    }

    #[test]
    fn weights_of_rows_are_limited_to_eight_bits() {
        let folder = tempfile::tempdir().unwrap();
        let mut net = net(FeatureSet::KP, 1);
        (net.rows[5], net.rows[70]) = (300, -128);
        let out = folder.path().join("mean.bin");
        average(&[written(folder.path(), "a", &net)], OutputBias::Given(0), 1, &out).unwrap();
        (net.rows[5], net.rows[70]) = (127, -127);
        assert_eq!(file::load(&out, &LoadOptions::default()).unwrap().parameters().rows, net.rows);
    }

    #[test]
    fn networks_that_differ_in_more_than_weights_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let first = written(folder.path(), "a", &net(FeatureSet::KA2, 1));
        let other = written(folder.path(), "b", &net(FeatureSet::ZoneKaHm1, 1));
        let out = folder.path().join("mean.bin");
        let error = average(&[first.clone(), other], OutputBias::Given(0), 1, &out).unwrap_err();
        assert!(error.ends_with("than the first network"), "{error}");
        let other = folder.path().join("c");
        export::write(&other, &net(FeatureSet::KA2, 2), Some("k3k3"), 24).unwrap();
        let error = average(&[first, other], OutputBias::Given(0), 1, &out).unwrap_err();
        assert!(error.ends_with("than the first network"), "{error}");
        assert!(!out.exists());
    }
}
