//! Adam for the rows of the feature transformer that a batch uses.
//!
//! A row that no position of the batch uses is left alone, including its moments, and each row
//! counts its own steps. The work is split by tiles and, within a tile, by a fixed number of groups
//! of king buckets, so that the order of additions does not depend on the number of threads.

use super::adam::{self, AdamRate, BiasCorrections};
use super::parallel;
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::NetworkTensors;
use super::workspace::{MAX_MICRO_BATCH, Workspace};

/// Groups of king buckets per tile.
const GROUPS: usize = 4;

/// The step counts of the rows, and space for gradients.
#[derive(Debug)]
pub(super) struct SparseAdam {
    layout: TensorLayout,
    /// `[tile][king bucket][feature]`
    pub(super) bucket_steps: Vec<u32>,
    /// `[tile][feature]`
    pub(super) shared_steps: Vec<u32>,
    /// `[tile][group]`
    gradients: Vec<GroupGradients>,
    corrections: BiasCorrections,
}

/// The weights and the moments of Adam.
pub(super) struct AdamTensors<'a> {
    pub(super) weights: &'a mut NetworkTensors,
    pub(super) moments: [&'a mut NetworkTensors; 2],
}

/// The gradients of one king bucket at a time, and their sum over a group for the shared rows.
#[derive(Debug)]
struct GroupGradients {
    of_bucket: RowGradients,
    of_group: RowGradients,
}

/// One tile of gradients, one row per feature of a king bucket.
#[derive(Debug, Default)]
struct RowGradients {
    rows: Vec<[f32; TILE]>,
    is_used: Vec<bool>,
}

impl RowGradients {
    fn zeros(rows: usize) -> RowGradients {
        RowGradients { rows: vec![[0.0; TILE]; rows], is_used: vec![false; rows] }
    }

    /// Adds the gradients of one king bucket of one micro-batch.
    fn add(&mut self, workspace: &Workspace, bucket: usize, tile: usize) {
        let grads = workspace.accumulator_grads(tile);
        for (feature, perspectives) in workspace.inputs.features_of_bucket(bucket) {
            self.is_used[feature] = true;
            let mut sum = self.rows[feature];
            perspectives
                .iter()
                .for_each(|&perspective| add(&mut sum, &grads[perspective as usize]));
            self.rows[feature] = sum;
        }
    }

    /// Takes the gradient of a row, if the row was used.
    #[inline(always)]
    fn take(&mut self, feature: usize) -> Option<[f32; TILE]> {
        let used = std::mem::take(&mut self.is_used[feature]);
        used.then(|| std::mem::replace(&mut self.rows[feature], [0.0; TILE]))
    }
}

#[inline(always)]
fn add(sum: &mut [f32; TILE], grad: &[f32; TILE]) {
    sum.iter_mut().zip(grad).for_each(|(sum, grad)| *sum += grad);
}

/// Some rows of one tile with their moments and step counts.
struct RowRange<'a> {
    weights: &'a mut [f32],
    moments: [&'a mut [f32]; 2],
    steps: &'a mut [u32],
}

impl RowRange<'_> {
    #[inline(always)]
    fn step(
        &mut self,
        rate: AdamRate,
        corrections: &BiasCorrections,
        row: usize,
        gradient: &[f32; TILE],
    ) {
        self.steps[row] = self.steps[row].saturating_add(1);
        let range = row * TILE..(row + 1) * TILE;
        let [first, second] = &mut self.moments;
        let moments = [&mut first[range.clone()], &mut second[range.clone()]];
        let corrections = corrections.of(self.steps[row]);
        adam::step(rate, corrections, &mut self.weights[range], moments, gradient);
    }
}

/// Splits rows into ranges of `count` rows.
fn parts<'a>(
    count: usize,
    weights: &'a mut [f32],
    moments: [&'a mut [f32]; 2],
    steps: &'a mut [u32],
) -> impl Iterator<Item = RowRange<'a>> {
    let [first, second] = moments;
    let size = count * TILE;
    let moments = first.chunks_exact_mut(size).zip(second.chunks_exact_mut(size));
    let weights = weights.chunks_exact_mut(size).zip(moments);
    weights.zip(steps.chunks_exact_mut(count)).map(|((weights, (first, second)), steps)| RowRange {
        weights,
        moments: [first, second],
        steps,
    })
}

impl SparseAdam {
    pub(super) fn new(layout: &TensorLayout) -> SparseAdam {
        let rows = layout.tiles * layout.bucket_len;
        let gradient =
            |needed: bool| RowGradients::zeros(if needed { layout.bucket_len } else { 0 });
        let gradients = || GroupGradients {
            of_bucket: gradient(layout.king_buckets > 0),
            of_group: gradient(layout.shared),
        };
        SparseAdam {
            layout: *layout,
            bucket_steps: vec![0; rows * layout.king_buckets],
            shared_steps: vec![0; if layout.shared { rows } else { 0 }],
            gradients: (0..layout.tiles * GROUPS).map(|_| gradients()).collect(),
            corrections: BiasCorrections::new(),
        }
    }

    /// One step for all rows that the batch uses.
    pub(super) fn step(
        &mut self,
        rate: AdamRate,
        workspaces: &[Workspace],
        trained: &mut AdamTensors<'_>,
        threads: usize,
    ) {
        match self.layout.king_buckets {
            0 => self.sum_up_groups(workspaces, threads),
            _ => self.step_buckets(rate, workspaces, trained, threads),
        }
        if self.layout.shared {
            self.step_shared(rate, trained, threads);
        }
    }

    /// Without king buckets, each group sums some of the micro-batches.
    fn sum_up_groups(&mut self, workspaces: &[Workspace], threads: usize) {
        let jobs: Vec<_> = self.gradients.iter_mut().enumerate().collect();
        parallel::for_each(threads, jobs, |(job, gradients)| {
            let (tile, group) = (job / GROUPS, job % GROUPS);
            let group_workspaces = workspaces.iter().skip(group).step_by(GROUPS);
            group_workspaces.for_each(|workspace| gradients.of_group.add(workspace, 0, tile));
        });
    }

    /// Updates the rows of the king buckets and sums the gradients of the shared rows.
    fn step_buckets(
        &mut self,
        rate: AdamRate,
        workspaces: &[Workspace],
        trained: &mut AdamTensors<'_>,
        threads: usize,
    ) {
        let TensorLayout { king_buckets, bucket_len, shared, .. } = self.layout;
        let groups = assign_groups(king_buckets, workspaces);
        let [first, second] = &mut trained.moments;
        let moments: [&mut [f32]; 2] = [&mut first.bucket_rows, &mut second.bucket_rows];
        let parts =
            parts(bucket_len, &mut trained.weights.bucket_rows, moments, &mut self.bucket_steps);
        let mut jobs: Vec<_> =
            self.gradients.iter_mut().map(|gradients| (gradients, Vec::new())).collect();
        for (at, part) in parts.enumerate() {
            let (tile, bucket) = (at / king_buckets, at % king_buckets);
            if let Some(group) = groups[bucket] {
                jobs[tile * GROUPS + group].1.push((bucket, part));
            }
        }
        let corrections = &self.corrections;
        let jobs = jobs.into_iter().enumerate().collect();
        parallel::for_each(threads, jobs, |(job, (gradients, parts)): (usize, (_, Vec<_>))| {
            let GroupGradients { of_bucket, of_group } = gradients;
            for (bucket, mut part) in parts {
                workspaces
                    .iter()
                    .for_each(|workspace| of_bucket.add(workspace, bucket, job / GROUPS));
                for feature in 0..bucket_len {
                    let Some(gradient) = of_bucket.take(feature) else { continue };
                    part.step(rate, corrections, feature, &gradient);
                    if shared {
                        of_group.is_used[feature] = true;
                        add(&mut of_group.rows[feature], &gradient);
                    }
                }
            }
        });
    }

    /// Updates the shared rows.
    fn step_shared(&mut self, rate: AdamRate, trained: &mut AdamTensors<'_>, threads: usize) {
        let bucket_len = self.layout.bucket_len;
        let [first, second] = &mut trained.moments;
        let moments: [&mut [f32]; 2] = [&mut first.shared_rows, &mut second.shared_rows];
        let parts =
            parts(bucket_len, &mut trained.weights.shared_rows, moments, &mut self.shared_steps);
        let jobs = parts.zip(self.gradients.chunks_exact_mut(GROUPS)).collect();
        let corrections = &self.corrections;
        parallel::for_each(
            threads,
            jobs,
            |(mut part, groups): (RowRange<'_>, &mut [GroupGradients])| {
                for feature in 0..bucket_len {
                    let gradients =
                        groups.iter_mut().filter_map(|group| group.of_group.take(feature));
                    let sum = gradients.reduce(|mut sum, gradient| {
                        add(&mut sum, &gradient);
                        sum
                    });
                    if let Some(gradient) = sum {
                        part.step(rate, corrections, feature, &gradient);
                    }
                }
            },
        );
    }
}

/// Assigns every king bucket in use to a group, balancing the work.
fn assign_groups(king_buckets: usize, workspaces: &[Workspace]) -> Vec<Option<usize>> {
    debug_assert!(2 * MAX_MICRO_BATCH * workspaces.len() < u32::MAX as usize);
    let perspectives = |bucket| {
        workspaces.iter().map(|workspace| workspace.inputs.of_bucket(bucket).len()).sum::<usize>()
    };
    let mut used: Vec<(usize, usize)> = (0..king_buckets)
        .map(|bucket| (perspectives(bucket), bucket))
        .filter(|&(perspectives, _)| perspectives > 0)
        .collect();
    used.sort_unstable_by_key(|&(perspectives, bucket)| (std::cmp::Reverse(perspectives), bucket));
    let (mut loads, mut groups) = ([0; GROUPS], vec![None; king_buckets]);
    for (perspectives, bucket) in used {
        let group = (0..GROUPS).min_by_key(|&group| loads[group]).unwrap_or(0);
        loads[group] += perspectives;
        groups[bucket] = Some(group);
    }
    groups
}
