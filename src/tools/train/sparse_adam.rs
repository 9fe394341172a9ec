//! The feature transformer's share of a step: derivatives by the rows that a batch has used, and
//! Adam for these rows alone.
//!
//! A row that no position of a batch uses is left as it is, its means too, and counts its own
//! steps: for a rare input time passes only when it is there. The work is dealt out by tiles and,
//! within a tile, by groups of blocks; there are always as many groups, so that sums have one order.

use super::adam::{self, AdamRate, BiasCorrections};
use super::parallel;
use super::tensor_layout::{TILE, TensorLayout};
use super::tensors::NetTensors;
use super::workspace::{MAX_MICRO_BATCH, Workspace};

/// Into how many parts the views of a batch are divided, besides tiles.
const GROUPS: usize = 4;

/// Steps that each row has made, and room for gradients.
#[derive(Debug)]
pub(super) struct SparseAdam {
    shape: TensorLayout,
    /// `[tile][block][number]`
    pub(super) block_steps: Vec<u32>,
    /// `[tile][number]`
    pub(super) shared_steps: Vec<u32>,
    /// `[tile][group]`: sums over all blocks of a group, or over a block.
    gradients: Vec<GroupGradients>,
    corrections: BiasCorrections,
}

/// The weights and the means that Adam keeps.
pub(super) struct AdamTensors<'a> {
    pub(super) weights: &'a mut NetTensors,
    pub(super) means: [&'a mut NetTensors; 2],
}

#[derive(Debug)]
struct GroupGradients {
    of_block: RowGradients,
    of_group: RowGradients,
}

/// A tile of gradients, one row for each input of a block, zero where nothing is used.
#[derive(Debug, Default)]
struct RowGradients {
    rows: Vec<[f32; TILE]>,
    is_used: Vec<bool>,
}

impl RowGradients {
    fn zeros(rows: usize) -> RowGradients {
        RowGradients { rows: vec![[0.0; TILE]; rows], is_used: vec![false; rows] }
    }

    /// Adds what the views of one block of one chunk say.
    fn add(&mut self, chunk: &Workspace, block: usize, tile: usize) {
        let slopes = chunk.slopes(tile);
        for (number, views) in chunk.views.inputs_of_block(block) {
            self.is_used[number] = true;
            let mut sum = self.rows[number];
            views.iter().for_each(|&view| add(&mut sum, &slopes[view as usize]));
            self.rows[number] = sum;
        }
    }

    /// Takes the gradient of a row out, if it was used.
    #[inline(always)]
    fn take(&mut self, number: usize) -> Option<[f32; TILE]> {
        let used = std::mem::take(&mut self.is_used[number]);
        used.then(|| std::mem::replace(&mut self.rows[number], [0.0; TILE]))
    }
}

#[inline(always)]
fn add(sum: &mut [f32; TILE], slope: &[f32; TILE]) {
    sum.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
}

/// Some rows of one tile with all that training keeps of them.
struct RowRange<'a> {
    weights: &'a mut [f32],
    means: [&'a mut [f32]; 2],
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
        let [first, second] = &mut self.means;
        let means = [&mut first[range.clone()], &mut second[range.clone()]];
        let corrections = corrections.of(self.steps[row]);
        adam::step(rate, corrections, &mut self.weights[range], means, gradient);
    }
}

/// Cuts rows into parts of `count` rows.
fn parts<'a>(
    count: usize,
    weights: &'a mut [f32],
    means: [&'a mut [f32]; 2],
    steps: &'a mut [u32],
) -> impl Iterator<Item = RowRange<'a>> {
    let [first, second] = means;
    let size = count * TILE;
    let means = first.chunks_exact_mut(size).zip(second.chunks_exact_mut(size));
    let weights = weights.chunks_exact_mut(size).zip(means);
    weights.zip(steps.chunks_exact_mut(count)).map(|((weights, (first, second)), steps)| RowRange {
        weights,
        means: [first, second],
        steps,
    })
}

impl SparseAdam {
    pub(super) fn new(shape: &TensorLayout) -> SparseAdam {
        let rows = shape.tiles * shape.numbers;
        let gradient = |needed: bool| RowGradients::zeros(if needed { shape.numbers } else { 0 });
        let gradients = || GroupGradients {
            of_block: gradient(shape.blocks > 0),
            of_group: gradient(shape.shared),
        };
        SparseAdam {
            shape: *shape,
            block_steps: vec![0; rows * shape.blocks],
            shared_steps: vec![0; if shape.shared { rows } else { 0 }],
            gradients: (0..shape.tiles * GROUPS).map(|_| gradients()).collect(),
            corrections: BiasCorrections::new(),
        }
    }

    /// One step for all rows that the chunks of a batch use.
    pub(super) fn step(
        &mut self,
        rate: AdamRate,
        chunks: &[Workspace],
        trained: &mut AdamTensors<'_>,
        threads: usize,
    ) {
        match self.shape.blocks {
            0 => self.sum_up_groups(chunks, threads),
            _ => self.step_blocks(rate, chunks, trained, threads),
        }
        if self.shape.shared {
            self.step_shared(rate, trained, threads);
        }
    }

    /// Without blocks there is one list of views; each group takes some of the chunks.
    fn sum_up_groups(&mut self, chunks: &[Workspace], threads: usize) {
        let jobs: Vec<_> = self.gradients.iter_mut().enumerate().collect();
        parallel::for_each(threads, jobs, |(job, gradients)| {
            let (tile, group) = (job / GROUPS, job % GROUPS);
            let mine = chunks.iter().skip(group).step_by(GROUPS);
            mine.for_each(|chunk| gradients.of_group.add(chunk, 0, tile));
        });
    }

    /// The rows of the blocks; what they share is summed up on the way.
    fn step_blocks(
        &mut self,
        rate: AdamRate,
        chunks: &[Workspace],
        trained: &mut AdamTensors<'_>,
        threads: usize,
    ) {
        let TensorLayout { blocks, numbers, shared, .. } = self.shape;
        let groups = deal_out(blocks, chunks);
        let [first, second] = &mut trained.means;
        let means: [&mut [f32]; 2] = [&mut first.blocks, &mut second.blocks];
        let parts = parts(numbers, &mut trained.weights.blocks, means, &mut self.block_steps);
        let mut jobs: Vec<_> =
            self.gradients.iter_mut().map(|gradients| (gradients, Vec::new())).collect();
        for (at, part) in parts.enumerate() {
            let (tile, block) = (at / blocks, at % blocks);
            if let Some(group) = groups[block] {
                jobs[tile * GROUPS + group].1.push((block, part));
            }
        }
        let corrections = &self.corrections;
        let jobs = jobs.into_iter().enumerate().collect();
        parallel::for_each(threads, jobs, |(job, (gradients, parts)): (usize, (_, Vec<_>))| {
            let GroupGradients { of_block, of_group } = gradients;
            for (block, mut part) in parts {
                chunks.iter().for_each(|chunk| of_block.add(chunk, block, job / GROUPS));
                for number in 0..numbers {
                    let Some(gradient) = of_block.take(number) else { continue };
                    part.step(rate, corrections, number, &gradient);
                    if shared {
                        of_group.is_used[number] = true;
                        add(&mut of_group.rows[number], &gradient);
                    }
                }
            }
        });
    }

    /// The rows that all blocks share, or the only ones there are.
    fn step_shared(&mut self, rate: AdamRate, trained: &mut AdamTensors<'_>, threads: usize) {
        let numbers = self.shape.numbers;
        let [first, second] = &mut trained.means;
        let means: [&mut [f32]; 2] = [&mut first.shared, &mut second.shared];
        let parts = parts(numbers, &mut trained.weights.shared, means, &mut self.shared_steps);
        let jobs = parts.zip(self.gradients.chunks_exact_mut(GROUPS)).collect();
        let corrections = &self.corrections;
        parallel::for_each(
            threads,
            jobs,
            |(mut part, groups): (RowRange<'_>, &mut [GroupGradients])| {
                for number in 0..numbers {
                    let gradients =
                        groups.iter_mut().filter_map(|group| group.of_group.take(number));
                    let sum = gradients.reduce(|mut sum, gradient| {
                        add(&mut sum, &gradient);
                        sum
                    });
                    if let Some(gradient) = sum {
                        part.step(rate, corrections, number, &gradient);
                    }
                }
            },
        );
    }
}

/// Gives every block that is used to a group, so that all groups have about as much to do.
fn deal_out(blocks: usize, chunks: &[Workspace]) -> Vec<Option<usize>> {
    debug_assert!(2 * MAX_MICRO_BATCH * chunks.len() < u32::MAX as usize);
    let views = |block| chunks.iter().map(|chunk| chunk.views.of_block(block).len()).sum::<usize>();
    let mut used: Vec<(usize, usize)> =
        (0..blocks).map(|block| (views(block), block)).filter(|&(views, _)| views > 0).collect();
    used.sort_unstable_by_key(|&(views, block)| (std::cmp::Reverse(views), block));
    let (mut loads, mut groups) = ([0; GROUPS], vec![None; blocks]);
    for (views, block) in used {
        let group = (0..GROUPS).min_by_key(|&group| loads[group]).unwrap_or(0);
        loads[group] += views;
        groups[block] = Some(group);
    }
    groups
}
