//! Benchmarks of the kernels of all instruction sets of this processor.
//!
//! Watch the fastest instruction set at 1024, the width of the built-in network: `update 1/1` and
//! `update 2/2`, twice per move; `refresh 38`, sometimes when a king moves; and `sfnn
//! 1024x2-15-32`, once per evaluation. Rows and weights are in the first-level caches here, unlike
//! the rows of a large network in a search: only the arithmetic is measured.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kawasemi::nnue::{AffineLayer, ByteRows, FeatureRows, Isa, Kernels, LayerStack};
use kawasemi::sys::HugePages;
use kawasemi::types::Random;

fn layer(random: &mut Random, inputs: usize, outputs: usize) -> AffineLayer {
    let bias: Vec<i32> = (0..outputs).map(|_| random.next() as i32 >> 20).collect();
    let weights = outputs * inputs.next_multiple_of(32);
    let weights: Vec<i8> = (0..weights).map(|_| random.next() as i8 / 8).collect();
    AffineLayer::new(inputs, outputs, &bias, &weights).expect("memory")
}

/// An accumulator with a third of its values above zero, as in trained networks: four fifths of its
/// groups of four are nonzero.
fn accumulator(random: &mut Random, width: usize) -> HugePages<i16> {
    aligned(width, || (random.next() % 300) as i16 - 200)
}

/// Numbers that start at a page boundary, like those of a network; kernels are slower on unaligned data.
fn aligned(count: usize, mut number: impl FnMut() -> i16) -> HugePages<i16> {
    let mut numbers = HugePages::zeroed(count).expect("memory");
    numbers.fill_with(&mut number);
    numbers
}

fn available() -> impl Iterator<Item = Kernels> {
    Isa::ALL.into_iter().filter_map(Kernels::of)
}

fn updates(c: &mut Criterion) {
    let mut random = Random::new(1);
    for width in [256, 512, 1024, 1536] {
        let words = aligned(64 * width, || (random.next() as i8).into());
        let bytes = ByteRows::of(&words, width).expect("memory").expect("weights of 8 bits");
        let from = accumulator(&mut random, width);
        let mut to = accumulator(&mut random, width);
        let lists: [(&str, &[u32], &[u32]); 3] = [
            ("update 1/1", &[3], &[7]),
            ("update 2/2", &[3, 12], &[7, 30]),
            ("refresh 38", &std::array::from_fn::<u32, 38, _>(|n| n as u32), &[]),
        ];
        let rows = [(16, FeatureRows::Words(&words)), (8, FeatureRows::Bytes(&bytes))];
        let cases = lists.into_iter().flat_map(|list| rows.map(|rows| (list, rows)));
        for ((name, added, removed), (bits, rows)) in cases {
            let mut group = c.benchmark_group(format!("{name}, {width}, {bits} bits"));
            for kernels in available() {
                group.bench_function(kernels.isa().name(), |b| {
                    b.iter(|| kernels.update(&mut to, black_box(&from), rows, added, removed));
                });
            }
            group.finish();
        }
    }
}

fn forward(c: &mut Criterion) {
    let mut random = Random::new(2);
    for (width, h1, h2) in [(256, 32, 32), (512, 32, 32), (1024, 8, 32)] {
        let stack = LayerStack {
            l1: layer(&mut random, 2 * width, h1),
            l2: layer(&mut random, h1, h2),
            output: layer(&mut random, h2, 1),
        };
        let (own, other) = (accumulator(&mut random, width), accumulator(&mut random, width));
        let mut group = c.benchmark_group(format!("classic {width}x2-{h1}-{h2}"));
        for kernels in available() {
            group.bench_function(kernels.isa().name(), |b| {
                b.iter(|| kernels.forward_classic(&stack, black_box(&own), black_box(&other)));
            });
        }
        group.finish();
    }
    for width in [1024, 1536] {
        // The first layer has 15 outputs and the shortcut; the second gets the squares of the 15 too.
        let stack = LayerStack {
            l1: layer(&mut random, width, 16),
            l2: layer(&mut random, 30, 32),
            output: layer(&mut random, 32, 1),
        };
        let (own, other) = (accumulator(&mut random, width), accumulator(&mut random, width));
        let mut group = c.benchmark_group(format!("sfnn {width}x2-15-32"));
        for kernels in available() {
            group.bench_function(kernels.isa().name(), |b| {
                b.iter(|| kernels.forward_sfnn(&stack, black_box(&own), black_box(&other)));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = updates, forward
}
criterion_main!(benches);
