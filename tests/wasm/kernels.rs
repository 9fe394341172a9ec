//! All instruction sets against the scalar reference, with ordinary and extreme random numbers. A program
//! of its own, so that it can be run in WebAssembly too (`tests/wasm.sh`).

#![cfg_attr(
    not(test),
    allow(dead_code, unused_imports, reason = "an example is also built as a program")
)]

use kawasemi::nnue::{
    AffineLayer, ByteRows, FeatureRows, Isa, Kernels, LayerStack, MAX_CLASSIC_WIDTH, MAX_WIDTH,
};
use kawasemi::types::Random;

/// Weights of a row are padded to a multiple of this many inputs.
const INPUT_BLOCK: usize = 32;

fn many<T>(random: &mut Random, count: usize, mut one: impl FnMut(&mut Random) -> T) -> Vec<T> {
    (0..count).map(|_| one(random)).collect()
}

/// The size of the random numbers of a network.
#[derive(Clone, Copy, Debug)]
enum Magnitude {
    /// About as in trained networks.
    Usual,
    /// Only the largest and the smallest, with biases near overflow, so that sums wrap.
    Extreme,
}

impl Magnitude {
    fn weight(self, random: &mut Random) -> i8 {
        match self {
            Magnitude::Usual => random.next() as i8 / 4,
            Magnitude::Extreme => [i8::MIN, i8::MAX][random.below(2)],
        }
    }

    fn bias(self, random: &mut Random) -> i32 {
        match self {
            Magnitude::Usual => random.next() as i32 >> 18,
            Magnitude::Extreme => {
                [i32::MIN, i32::MAX, 0][random.below(3)] ^ random.below(1 << 20) as i32
            }
        }
    }

    /// A value of an accumulator; if `sparse`, most are negative, so that groups are skipped.
    fn accumulator(self, random: &mut Random, sparse: bool) -> i16 {
        if sparse && random.below(8) != 0 {
            return -(random.below(1000) as i16);
        }
        match self {
            Magnitude::Usual => random.below(300) as i16 - 100,
            Magnitude::Extreme => [i16::MIN, i16::MAX, 127, 128, 126, -1, 0, 1][random.below(8)],
        }
    }
}

fn layer(random: &mut Random, magnitude: Magnitude, inputs: usize, outputs: usize) -> AffineLayer {
    let bias = many(random, outputs, |random| magnitude.bias(random));
    let mut weights = many(random, outputs * inputs.next_multiple_of(INPUT_BLOCK), |random| {
        magnitude.weight(random)
    });
    if matches!(magnitude, Magnitude::Extreme) && random.below(2) == 0 {
        // All of one sign, for the largest sums.
        weights.fill(i8::MIN);
    }
    AffineLayer::new(inputs, outputs, &bias, &weights).unwrap()
}

fn others() -> Vec<Kernels> {
    Isa::ALL.into_iter().skip(1).filter_map(Kernels::of).collect()
}

fn scalar() -> Kernels {
    Kernels::of(Isa::Scalar).unwrap()
}

fn check_classic(random: &mut Random, magnitude: Magnitude, width: usize, h1: usize, h2: usize) {
    let stack = LayerStack {
        l1: layer(random, magnitude, 2 * width, h1),
        l2: layer(random, magnitude, h1, h2),
        output: layer(random, magnitude, h2, 1),
    };
    for sparse in [false, true] {
        let own = many(random, width, |random| magnitude.accumulator(random, sparse));
        let other = many(random, width, |random| magnitude.accumulator(random, sparse));
        let expected = scalar().forward_classic(&stack, &own, &other);
        for kernels in others() {
            let found = kernels.forward_classic(&stack, &own, &other);
            assert_eq!(found, expected, "{}: {width}x2-{h1}-{h2} {magnitude:?}", kernels.isa());
        }
    }
}

fn check_sfnn(random: &mut Random, magnitude: Magnitude, width: usize, h1: usize, h2: usize) {
    let shortcut = h1 % 8 == 7;
    let stack = LayerStack {
        l1: layer(random, magnitude, width, h1 + usize::from(shortcut)),
        l2: layer(random, magnitude, 2 * h1, h2),
        output: layer(random, magnitude, h2, 1),
    };
    for sparse in [false, true] {
        let own = many(random, width, |random| magnitude.accumulator(random, sparse));
        let other = many(random, width, |random| magnitude.accumulator(random, sparse));
        let expected = scalar().forward_sfnn(&stack, &own, &other);
        for kernels in others() {
            let found = kernels.forward_sfnn(&stack, &own, &other);
            assert_eq!(found, expected, "{}: {width}-{h1}-{h2} {magnitude:?}", kernels.isa());
        }
    }
}

/// Fewer architectures under Miri.
const STEP: usize = if cfg!(miri) { 9 } else { 1 };

/// All widths in common use, and some of those above.
fn widths() -> impl Iterator<Item = usize> {
    let usual = (32..=2304).step_by(32 * STEP);
    usual.chain((2304..=MAX_WIDTH).step_by(992 * STEP)).chain([MAX_CLASSIC_WIDTH, MAX_WIDTH])
}
const BOTH: [Magnitude; 2] = [Magnitude::Usual, Magnitude::Extreme];

#[test]
fn all_kernels_agree_on_classic_networks_of_every_layer_size() {
    let mut random = Random::new(1);
    for h1 in (8..=128).step_by(8 * STEP) {
        for h2 in (8..=128).step_by(8 * STEP) {
            for magnitude in BOTH {
                check_classic(&mut random, magnitude, 64, h1, h2);
            }
        }
    }
}

#[test]
fn all_kernels_agree_on_sfnn_networks_of_every_layer_size() {
    let mut random = Random::new(2);
    for h1 in (7..=127).step_by(8 * STEP).chain((8..=128).step_by(8 * STEP)) {
        for h2 in (8..=128).step_by(8 * STEP) {
            for magnitude in BOTH {
                check_sfnn(&mut random, magnitude, 128, h1, h2);
            }
        }
    }
}

#[test]
fn all_kernels_agree_on_networks_of_every_width() {
    let mut random = Random::new(3);
    for width in widths() {
        for magnitude in BOTH {
            let (classic, sfnn) = ([8, 16, 32][random.below(3)], [7, 15, 16, 31][random.below(4)]);
            if width <= MAX_CLASSIC_WIDTH {
                check_classic(&mut random, magnitude, width, classic, 32);
            }
            check_sfnn(&mut random, magnitude, width, sfnn, 32);
        }
    }
}

#[test]
fn all_kernels_agree_on_odd_widths_and_layer_sizes() {
    let mut random = Random::new(4);
    for _ in 0..200 / STEP {
        let width = 2 * (1 + random.below(150));
        let (h1, h2) = (1 + random.below(60), 1 + random.below(60));
        for magnitude in BOTH {
            check_classic(&mut random, magnitude, width, h1, h2);
            check_sfnn(&mut random, magnitude, width, h1, h2);
        }
    }
}

#[test]
fn all_kernels_square_every_sum_exactly() {
    let mut random = Random::new(5);
    let edges = [0, 1, 723, 724, 725, 8158, 8159, 8160, 8191, 8192, 8193, 32_767, 32_768, 46_341];
    let ends = [i32::MAX, i32::MIN, i32::MIN + 1, 1 << 16, (1 << 16) + 725];
    let sums: Vec<i32> = edges.iter().flat_map(|&edge| [edge, -edge]).chain(ends).collect();
    for sums in sums.chunks(8) {
        let mut bias = [0; 8];
        bias[..sums.len()].copy_from_slice(sums);
        let stack = LayerStack {
            l1: AffineLayer::new(64, 8, &bias, &[0; 8 * 64]).unwrap(),
            l2: layer(&mut random, Magnitude::Usual, 16, 8),
            output: layer(&mut random, Magnitude::Usual, 8, 1),
        };
        let expected = scalar().forward_sfnn(&stack, &[0; 64], &[0; 64]);
        for kernels in others() {
            let found = kernels.forward_sfnn(&stack, &[0; 64], &[0; 64]);
            assert_eq!(found, expected, "{}: {sums:?}", kernels.isa());
        }
    }
}

/// Products that are added in 16 bits must not overflow.
#[test]
fn all_kernels_add_the_largest_products_exactly() {
    let mut random = Random::new(8);
    let pairs = [[127, 2], [-128, -1], [127, -128], [127, 3], [-128, -2], [-128, -128]];
    for (pair, outputs) in
        pairs.into_iter().flat_map(|pair| [8, 16, 24, 32, 64].map(|outputs| (pair, outputs)))
    {
        for turned in [pair, [pair[1], pair[0]]] {
            let weights = turned.repeat(outputs * 256 / 2);
            let l1 = AffineLayer::new(256, outputs, &vec![0; outputs], &weights).unwrap();
            let stack = LayerStack {
                l1,
                l2: layer(&mut random, Magnitude::Usual, outputs, 8),
                output: layer(&mut random, Magnitude::Usual, 8, 1),
            };
            // All groups, for the dense kernel, and half of them, for the sparse one.
            for other in [[127; 128], [0; 128]] {
                let expected = scalar().forward_classic(&stack, &[127; 128], &other);
                for kernels in others() {
                    let found = kernels.forward_classic(&stack, &[127; 128], &other);
                    assert_eq!(found, expected, "{}: {turned:?} x {outputs}", kernels.isa());
                }
            }
        }
    }
}

#[test]
fn the_scalar_kernel_equals_the_formula() {
    // 2x2-1-1: inputs (5, 127, 0, 1), weights (1, -2, 3, 100), bias 900.
    let mut weights = [0; 32];
    weights[..4].copy_from_slice(&[1, -2, 3, 100]);
    let mut small = [0; 32];
    small[0] = 50;
    let mut last = [0; 32];
    last[0] = -3;
    let stack = LayerStack {
        l1: AffineLayer::new(4, 1, &[900], &weights).unwrap(),
        l2: AffineLayer::new(1, 1, &[-100], &small).unwrap(),
        output: AffineLayer::new(1, 1, &[7], &last).unwrap(),
    };
    // 900 + 5 - 254 + 100 = 751, 751 >> 6 = 11; 550 - 100 = 450, 450 >> 6 = 7; 7 - 21 = -14.
    assert_eq!(scalar().forward_classic(&stack, &[5, 300], &[-9, 1]), -14);

    // SFNN of one output and a shortcut: inputs 100 * 127 >> 7 = 99 and 0; the first output is
    // 99 * 20 + 1 = 1981, 1981^2 >> 19 = 7 and 1981 >> 6 = 30; the shortcut 99 * -1 = -99.
    let mut weights = [0; 64];
    weights[0] = 20;
    weights[32] = -1;
    let mut second = [0; 32];
    second[..2].copy_from_slice(&[100, -10]);
    let stack = LayerStack {
        l1: AffineLayer::new(2, 2, &[1, 0], &weights).unwrap(),
        l2: AffineLayer::new(2, 1, &[0], &second).unwrap(),
        output: AffineLayer::new(1, 1, &[7], &last).unwrap(),
    };
    // 700 - 300 = 400, 400 >> 6 = 6; 7 - 18 - 99.
    assert_eq!(scalar().forward_sfnn(&stack, &[100, 500], &[-1, 127]), -110);
}

/// How many rows are added and how many removed.
const COUNTS: [(usize, usize); 11] =
    [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (1, 2), (3, 3), (4, 1), (38, 0), (20, 20), (16, 16)];

/// The accumulator after an update, by the definition.
fn updated(from: &[i16], rows: &[i16], added: &[u32], removed: &[u32]) -> Vec<i16> {
    let width = from.len();
    let mut to = from.to_vec();
    for (at, to) in to.iter_mut().enumerate() {
        for &row in added {
            *to = to.wrapping_add(rows[row as usize * width + at]);
        }
        for &row in removed {
            *to = to.wrapping_sub(rows[row as usize * width + at]);
        }
    }
    to
}

/// Checks updates by fifty rows, given in the form for the kernels and as weights.
fn check_updates(random: &mut Random, rows: FeatureRows<'_>, weights: &[i16]) {
    let width = weights.len() / 50;
    let from = many(random, width, |random| random.next() as i16);
    for (added, removed) in COUNTS {
        let added = many(random, added, |random| random.below(50) as u32);
        let removed = many(random, removed, |random| random.below(50) as u32);
        let expected = updated(&from, weights, &added, &removed);
        for kernels in others().into_iter().chain([scalar()]) {
            let isa = kernels.isa();
            let mut in_place = from.clone();
            kernels.update_in_place(&mut in_place, rows, &added, &removed);
            assert!(in_place == expected, "{isa} in place: {width} {added:?} {removed:?}");
            let mut to = vec![0; width];
            kernels.update(&mut to, &from, rows, &added, &removed);
            assert!(to == expected, "{isa}: {width} {added:?} {removed:?}");
        }
    }
}

#[test]
fn all_kernels_agree_on_updates_of_accumulators() {
    let mut random = Random::new(6);
    for width in widths().chain([1, 7, 17, 33, 100, 255]) {
        let rows = many(&mut random, 50 * width, |random| random.next() as i16);
        check_updates(&mut random, FeatureRows::Words(&rows), &rows);
    }
}

#[test]
fn all_kernels_agree_on_updates_by_rows_in_eight_bits() {
    let mut random = Random::new(8);
    for width in widths().filter(|width| width.is_multiple_of(64)) {
        let extremes = [i8::MIN, i8::MAX];
        let rows: Vec<i16> = many(&mut random, 50 * width, |random| match random.below(3) {
            0 => (*random.pick(&extremes)).into(),
            _ => (random.next() as i8).into(),
        });
        let packed = ByteRows::of(&rows, width).unwrap().unwrap();
        check_updates(&mut random, FeatureRows::Bytes(&packed), &rows);
    }
}

#[cfg(not(target_family = "wasm"))]
fn panics(act: impl FnOnce() + std::panic::UnwindSafe) -> bool {
    std::panic::catch_unwind(act).is_err()
}

/// In WebAssembly a panic ends the program.
#[cfg(not(target_family = "wasm"))]
#[test]
fn wrong_lengths_are_refused() {
    let mut random = Random::new(7);
    for kernels in others().into_iter().chain([scalar()]) {
        let words = vec![0; 64 * 10];
        let bytes = ByteRows::of(&words, 64).unwrap().unwrap();
        // The row of zeros is one more.
        for (rows, count) in [(FeatureRows::Words(&words), 10), (FeatureRows::Bytes(&bytes), 11)] {
            let update = |width: usize, from: usize, added: &[u32], removed: &[u32]| {
                panics(|| {
                    let (mut to, from) = (vec![0; width], vec![0; from]);
                    kernels.update(&mut to, &from, rows, added, removed);
                })
            };
            assert!(!update(64, 64, &[9], &[0]));
            assert!(update(64, 64, &[count], &[0]));
            assert!(update(64, 64, &[0], &[0, u32::MAX]));
            assert!(update(64, 32, &[0], &[0]));
            assert!(panics(|| kernels.update_in_place(&mut [0; 64], rows, &[count], &[])));
        }
        assert!(panics(|| {
            kernels.update_in_place(&mut [0; 128], FeatureRows::Bytes(&bytes), &[0], &[0]);
        }));
    }
    let magnitude = Magnitude::Usual;
    let mut stack = |l1: (usize, usize), l2: (usize, usize), output: (usize, usize)| LayerStack {
        l1: layer(&mut random, magnitude, l1.0, l1.1),
        l2: layer(&mut random, magnitude, l2.0, l2.1),
        output: layer(&mut random, magnitude, output.0, output.1),
    };
    let refused = |stack: &LayerStack, width: usize, sfnn: bool| {
        let kernels = scalar();
        panics(std::panic::AssertUnwindSafe(|| {
            let (own, other) = (vec![0; width], vec![0; width]);
            _ = if sfnn {
                kernels.forward_sfnn(stack, &own, &other)
            } else {
                kernels.forward_classic(stack, &own, &other)
            };
        }))
    };
    assert!(!refused(&stack((128, 8), (8, 8), (8, 1)), 64, false));
    assert!(refused(&stack((128, 8), (8, 8), (8, 1)), 32, false));
    assert!(refused(&stack((128, 8), (16, 8), (8, 1)), 64, false));
    assert!(refused(&stack((128, 8), (8, 8), (16, 1)), 64, false));
    assert!(refused(&stack((128, 8), (8, 8), (8, 2)), 64, false));
    assert!(refused(&stack((128, 136), (136, 8), (8, 1)), 64, false));
    assert!(refused(&stack((128, 8), (8, 136), (136, 1)), 64, false));
    let wide = MAX_CLASSIC_WIDTH;
    assert!(!refused(&stack((2 * wide, 8), (8, 8), (8, 1)), wide, false));
    assert!(refused(&stack((2 * wide + 2, 8), (8, 8), (8, 1)), wide + 1, false));
    assert!(!refused(&stack((MAX_WIDTH, 8), (16, 8), (8, 1)), MAX_WIDTH, true));
    assert!(refused(&stack((MAX_WIDTH + 2, 8), (16, 8), (8, 1)), MAX_WIDTH + 2, true));
    assert!(!refused(&stack((64, 8), (14, 8), (8, 1)), 64, true));
    assert!(!refused(&stack((64, 8), (16, 8), (8, 1)), 64, true));
    assert!(refused(&stack((64, 8), (12, 8), (8, 1)), 64, true));
    assert!(refused(&stack((64, 8), (8, 8), (8, 1)), 64, true));
    assert!(refused(&stack((65, 8), (16, 8), (8, 1)), 65, true));
}

#[test]
fn the_best_kernel_is_available() {
    assert!(Isa::best().is_available());
    assert_eq!(Kernels::best().isa(), Isa::best());
}

#[cfg(not(test))]
fn main() {}
