//! The arithmetic of nets, in every instruction set that this processor has.
//!
//! The figures to watch, of the instruction set that the engine would choose, at 512, the width of
//! the built-in net: `update 1/1` and `update 2/2`, twice per move made; `refresh 38`, now and then
//! when a king moves; and `classic 512x2-32-32`, once per position judged. Rows and weights are in
//! the first caches here, as they are not for the rows of a large net in a search; what is measured
//! is the arithmetic.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kawasemi::nnue::{AffineLayer, Isa, Kernels, LayerStack};
use kawasemi::sys::HugePages;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn layer(&mut self, inputs: usize, outputs: usize) -> AffineLayer {
        let bias: Vec<i32> = (0..outputs).map(|_| self.next() as i32 >> 20).collect();
        let weights = outputs * inputs.next_multiple_of(32);
        let weights: Vec<i8> = (0..weights).map(|_| self.next() as i8 / 8).collect();
        AffineLayer::new(inputs, outputs, &bias, &weights).expect("memory")
    }

    /// An accumulator of which a third is above zero, as in trained nets: of its groups of four,
    /// four fifths are not all zero.
    fn sums(&mut self, width: usize) -> HugePages<i16> {
        aligned(width, || (self.next() % 300) as i16 - 200)
    }
}

/// Numbers that begin at a page, as those of a net do: kernels are slower where they do not.
fn aligned(count: usize, mut number: impl FnMut() -> i16) -> HugePages<i16> {
    let mut numbers = HugePages::zeroed(count).expect("memory");
    numbers.fill_with(&mut number);
    numbers
}

fn available() -> impl Iterator<Item = Kernels> {
    Isa::ALL.into_iter().filter_map(Kernels::of)
}

fn updates(c: &mut Criterion) {
    let mut random = Random(1);
    for width in [256, 512, 1024, 1536] {
        let rows = aligned(64 * width, || random.next() as i16);
        let from = random.sums(width);
        let mut to = random.sums(width);
        let lists: [(&str, &[u32], &[u32]); 3] = [
            ("update 1/1", &[3], &[7]),
            ("update 2/2", &[3, 12], &[7, 30]),
            ("refresh 38", &std::array::from_fn::<u32, 38, _>(|n| n as u32), &[]),
        ];
        for (name, added, removed) in lists {
            let mut group = c.benchmark_group(format!("{name}, {width}"));
            for kernels in available() {
                group.bench_function(kernels.isa().name(), |b| {
                    b.iter(|| kernels.update(&mut to, black_box(&from), &rows, added, removed));
                });
            }
            group.finish();
        }
    }
}

fn forward(c: &mut Criterion) {
    let mut random = Random(2);
    for (width, h1, h2) in [(256, 32, 32), (512, 32, 32), (1024, 8, 32)] {
        let stack = LayerStack {
            l1: random.layer(2 * width, h1),
            l2: random.layer(h1, h2),
            output: random.layer(h2, 1),
        };
        let (own, other) = (random.sums(width), random.sums(width));
        let mut group = c.benchmark_group(format!("classic {width}x2-{h1}-{h2}"));
        for kernels in available() {
            group.bench_function(kernels.isa().name(), |b| {
                b.iter(|| kernels.classic(&stack, black_box(&own), black_box(&other)));
            });
        }
        group.finish();
    }
    let stack = LayerStack {
        l1: random.layer(1536, 16),
        l2: random.layer(30, 32),
        output: random.layer(32, 1),
    };
    let (own, other) = (random.sums(1536), random.sums(1536));
    let mut group = c.benchmark_group("sfnn 1536-15-32");
    for kernels in available() {
        group.bench_function(kernels.isa().name(), |b| {
            b.iter(|| kernels.sfnn(&stack, black_box(&own), black_box(&other)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = updates, forward
}
criterion_main!(benches);
