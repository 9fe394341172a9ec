//! A second implementation of the networks: the bytes of a file, the inputs of a position and the
//! sums, in plain loops from the published description of the format, without any state between
//! positions.
//!
//! The caller gives the architecture; the headers are skipped.

use kawasemi::types::{Color, PieceKind, Square};

use super::slow::SlowPosition;

/// The architecture of a file.
#[derive(Clone, Debug)]
pub struct SlowShape {
    /// The name in files, without `(Friend)`.
    pub features: String,
    pub dimensions: usize,
    pub width: usize,
    pub h1: usize,
    pub h2: usize,
    pub sfnn: Option<SlowStacks>,
}

/// The additional parts of an SFNN file.
#[derive(Clone, Debug)]
pub struct SlowStacks {
    pub count: usize,
    pub shortcut: bool,
    /// The name by YaneuraOu; empty for a single stack.
    pub mode: String,
    pub progress: bool,
    pub shards: Option<SlowShards>,
}

/// `C{common}_S{inputs}X{count}` in YaneuraOu's names.
#[derive(Clone, Copy, Debug)]
pub struct SlowShards {
    pub common: usize,
    pub inputs: usize,
    pub count: usize,
}

#[derive(Clone, Debug)]
pub struct SlowNetwork {
    shape: SlowShape,
    bias: Vec<i16>,
    rows: Vec<i16>,
    progress: Option<(i32, Vec<i32>)>,
    stacks: Vec<[SlowLayer; 3]>,
}

#[derive(Clone, Debug)]
struct SlowLayer {
    bias: Vec<i32>,
    /// By output.
    weights: Vec<Vec<i8>>,
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.0[0];
        self.0 = &self.0[1..];
        byte
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes([self.byte(), self.byte()])
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    fn skip(&mut self, count: usize) {
        self.0 = &self.0[count..];
    }

    fn compressed(&mut self, count: usize) -> Vec<i16> {
        assert_eq!(&self.0[..17], b"COMPRESSED_LEB128");
        self.skip(17);
        let size = self.i32() as usize;
        let behind = self.0.len() - size;
        let numbers = (0..count).map(|_| self.leb128()).collect();
        assert_eq!(self.0.len(), behind);
        numbers
    }

    /// Rows of zones: those of the first zone, and for the others the differences to the zone before.
    fn deflated(&mut self, count: usize) -> Vec<i16> {
        self.skip(b"DEFLATED_DIFFERENCES".len());
        assert_eq!(self.i32() as usize, count);
        let size = self.i32() as usize;
        let numbers = miniz_oxide::inflate::decompress_to_vec(&self.0[..size]).unwrap();
        self.skip(size);
        let mut numbers = Bytes(&numbers);
        let mut rows: Vec<i16> = (0..count).map(|_| numbers.leb128()).collect();
        for at in count / 4..count {
            rows[at] = rows[at].wrapping_add(rows[at - count / 4]);
        }
        rows
    }

    fn leb128(&mut self) -> i16 {
        let (mut number, mut shift) = (0i32, 0);
        loop {
            let byte = self.byte();
            number |= i32::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                let negative = byte & 64 != 0;
                return if negative { (number - (1 << shift)) as i16 } else { number as i16 };
            }
        }
    }

    fn layer(&mut self, inputs: usize, outputs: usize) -> SlowLayer {
        let bias = (0..outputs).map(|_| self.i32()).collect();
        let mut weights = Vec::new();
        for _ in 0..outputs {
            let mut row: Vec<i8> =
                (0..inputs.next_multiple_of(32)).map(|_| self.byte() as i8).collect();
            row.truncate(inputs);
            weights.push(row);
        }
        SlowLayer { bias, weights }
    }
}

impl SlowLayer {
    fn apply(&self, inputs: &[i32]) -> Vec<i32> {
        let row = |(weights, &bias): (&Vec<i8>, &i32)| {
            assert_eq!(weights.len(), inputs.len());
            let products = weights.iter().zip(inputs);
            let sum: i64 = products.map(|(&w, &x)| i64::from(w) * i64::from(x)).sum();
            (sum + i64::from(bias)) as i32
        };
        self.weights.iter().zip(&self.bias).map(row).collect()
    }
}

/// The first layer in which an output sees the common inputs and one shard, whatever weights the file
/// has for others.
fn sharded(layer: &SlowLayer, inputs: &[i32], shards: SlowShards) -> Vec<i32> {
    let group = layer.weights.len() / shards.count;
    let mut sums = layer.bias.clone();
    for (output, sum) in sums.iter_mut().enumerate() {
        let start = shards.common + output / group * shards.inputs;
        for at in (0..shards.common).chain(start..start + shards.inputs) {
            *sum += i32::from(layer.weights[output][at]) * inputs[at];
        }
    }
    sums
}

fn clipped(sums: &[i32]) -> Vec<i32> {
    sums.iter().map(|&sum| (sum >> 6).clamp(0, 127)).collect()
}

impl SlowNetwork {
    pub fn read(file: &[u8], shape: SlowShape) -> SlowNetwork {
        let mut bytes = Bytes(file);
        bytes.skip(8);
        let description = bytes.i32() as usize;
        bytes.skip(description + 4);
        let (width, rows) = (shape.width, shape.dimensions * shape.width);
        let (bias, rows) = match shape.sfnn {
            Some(_) if shape.features.starts_with("Zone") => {
                (bytes.compressed(width), bytes.deflated(rows))
            }
            Some(_) => (bytes.compressed(width), bytes.compressed(rows)),
            None => (
                (0..width).map(|_| bytes.i16()).collect(),
                (0..rows).map(|_| bytes.i16()).collect(),
            ),
        };
        let progress = shape.sfnn.as_ref().filter(|sfnn| sfnn.progress).map(|_| {
            bytes.skip(4);
            (bytes.i32(), (0..81 * 1548).map(|_| bytes.i32()).collect())
        });
        let (count, first, second, extra) = match &shape.sfnn {
            Some(sfnn) => (sfnn.count, width, 2 * shape.h1, usize::from(sfnn.shortcut)),
            None => (1, 2 * width, shape.h1, 0),
        };
        let mut stacks = Vec::new();
        for _ in 0..count {
            bytes.skip(4);
            stacks.push([
                bytes.layer(first, shape.h1 + extra),
                bytes.layer(second, shape.h2),
                bytes.layer(shape.h2, 1),
            ]);
        }
        assert!(bytes.0.is_empty(), "{} bytes are left", bytes.0.len());
        SlowNetwork { shape, bias, rows, progress, stacks }
    }

    /// The unscaled output for the side to move.
    pub fn evaluate(&self, position: &SlowPosition) -> i32 {
        let own = self.transformed(position, position.side);
        let other = self.transformed(position, !position.side);
        match &self.shape.sfnn {
            None => {
                let [l1, l2, output] = &self.stacks[0];
                let inputs = [own, other].concat();
                output.apply(&clipped(&l2.apply(&clipped(&l1.apply(&inputs)))))[0]
            }
            Some(sfnn) => {
                let [l1, l2, output] = &self.stacks[self.stack(sfnn, position)];
                let half = self.shape.width / 2;
                let mut inputs = Vec::new();
                for view in [own, other] {
                    inputs.extend((0..half).map(|j| (view[j] * view[j + half]) >> 7));
                }
                let sums = match sfnn.shards {
                    None => l1.apply(&inputs),
                    Some(shards) => sharded(l1, &inputs, shards),
                };
                let narrow = &sums[..self.shape.h1];
                let square = |&sum: &i32| ((i64::from(sum) * i64::from(sum)) >> 19).min(127) as i32;
                let mut second: Vec<i32> = narrow.iter().map(square).collect();
                second.extend(clipped(narrow));
                let raw = output.apply(&clipped(&l2.apply(&second)))[0];
                if sfnn.shortcut { raw.wrapping_add(sums[self.shape.h1]) } else { raw }
            }
        }
    }

    /// The clipped sums of one perspective.
    fn transformed(&self, position: &SlowPosition, view: Color) -> Vec<i32> {
        let width = self.shape.width;
        let mut sums = self.bias.clone();
        for input in self.active(position, view) {
            let row = &self.rows[input * width..][..width];
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*number);
            }
        }
        sums.into_iter().map(|sum| i32::from(sum.clamp(0, 127))).collect()
    }

    /// The active inputs of one perspective; some may occur several times.
    fn active(&self, position: &SlowPosition, view: Color) -> Vec<usize> {
        let mut pieces = pieces(position, view);
        let own = position.king(view).map(|square| seen(view, square));
        let enemy = position.king(!view).map(|square| seen(view, square));
        let (mut block, mirrored) = match own.unwrap_or(44) {
            king if self.shape.features.contains('m') && king >= 45 => (mirror(king), true),
            king => (king, false),
        };
        let kings = |planes: [usize; 2]| {
            [own.map(|own| planes[0] + own), enemy.map(|enemy| planes[1] + enemy)]
                .into_iter()
                .flatten()
        };
        let per_block = match self.shape.features.as_str() {
            "K+P" => {
                pieces.extend(kings([1548, 1629]));
                return pieces;
            }
            "K+A2" => {
                pieces.extend(kings([1548, 1548]));
                pieces.extend(kings([1629, 1629 + 81]));
                return pieces;
            }
            "HalfKP" | "HalfKP_vm" => 1548,
            "HalfKA1" | "HalfKA_hm1" => {
                pieces.extend(kings([1548, 1629]));
                1710
            }
            "ZoneKA_hm1" => {
                pieces.extend(kings([1548, 1629]));
                block = zone(block);
                1710
            }
            "HalfKA2" | "HalfKA_hm2" => {
                pieces.extend(kings([1548, 1548]));
                1629
            }
            other => panic!("no features {other}"),
        };
        let place = |piece: usize| {
            if mirrored && piece >= 90 {
                (piece - 90) / 81 * 81 + 90 + mirror((piece - 90) % 81)
            } else {
                piece
            }
        };
        pieces.into_iter().map(|piece| block * per_block + place(piece)).collect()
    }

    fn stack(&self, sfnn: &SlowStacks, position: &SlowPosition) -> usize {
        let (us, them) = (position.side, !position.side);
        // The product is in this order of its parts, whatever the order of their names.
        let mut index = 0;
        for part in sfnn.mode.split('_').filter(|part| part.starts_with("hand")) {
            let count = hand_classes(part);
            index = index * count + hand_class(part, position, us);
            index = index * count + hand_class(part, position, them);
        }
        for part in sfnn.mode.split('_').filter(|part| part.starts_with('k')) {
            let count = part[1..part[1..].find('k').unwrap() + 1].parse::<usize>().unwrap();
            index = index * count + king_class(part, position, us);
            index = index * count + king_class(part, position, them);
        }
        for part in sfnn.mode.split('_').filter_map(|part| part.strip_prefix("progress")) {
            let count: usize = part.parse().unwrap();
            index = index * count + self.progress_256(position) * count / 256;
        }
        index
    }

    /// The progress of the game in 256ths.
    fn progress_256(&self, position: &SlowPosition) -> usize {
        let (bias, weights) = self.progress.as_ref().unwrap();
        let mut sum = i64::from(*bias);
        for view in [Color::Black, Color::White] {
            let king = position.king(view).map_or(44, |square| seen(view, square));
            for piece in pieces(position, view) {
                sum += i64::from(weights[king * 1548 + piece]);
            }
        }
        let reached = |step: &usize| {
            let share = *step as f64 / 256.0;
            sum >= ((share / (1.0 - share)).ln() * 65536.0).round() as i64
        };
        (1..256).filter(reached).count()
    }
}

fn seen(view: Color, square: Square) -> usize {
    if view == Color::Black { square.index() } else { 80 - square.index() }
}

/// Beyond the third rank of the own camp, on files 1 and 2, on 3 and 4, on 5.
fn zone(king: usize) -> usize {
    let (file, rank) = (king / 9 + 1, king % 9 + 1);
    if rank < 7 { 0 } else { file.div_ceil(2) }
}

fn mirror(square: usize) -> usize {
    (8 - square / 9) * 9 + square % 9
}

/// The BonaPiece numbers of the 38 pieces other than kings; 0 for missing pieces.
fn pieces(position: &SlowPosition, view: Color) -> Vec<usize> {
    let mut numbers = Vec::new();
    for owner in [Color::Black, Color::White] {
        let own = owner == view;
        let pick = |f: usize, e: usize| if own { f } else { e };
        for (square, kind) in position.squares_of(owner) {
            let base = match kind {
                PieceKind::King => continue,
                PieceKind::Pawn => pick(90, 171),
                PieceKind::Lance => pick(252, 333),
                PieceKind::Knight => pick(414, 495),
                PieceKind::Silver => pick(576, 657),
                PieceKind::Gold
                | PieceKind::ProPawn
                | PieceKind::ProLance
                | PieceKind::ProKnight
                | PieceKind::ProSilver => pick(738, 819),
                PieceKind::Bishop => pick(900, 981),
                PieceKind::Horse => pick(1062, 1143),
                PieceKind::Rook => pick(1224, 1305),
                PieceKind::Dragon => pick(1386, 1467),
            };
            numbers.push(base + seen(view, square));
        }
        for (kind, base) in [
            (PieceKind::Pawn, pick(1, 20)),
            (PieceKind::Lance, pick(39, 44)),
            (PieceKind::Knight, pick(49, 54)),
            (PieceKind::Silver, pick(59, 64)),
            (PieceKind::Gold, pick(69, 74)),
            (PieceKind::Bishop, pick(79, 82)),
            (PieceKind::Rook, pick(85, 88)),
        ] {
            numbers.extend((0..position.in_hand(owner, kind) as usize).map(|n| base + n));
        }
    }
    numbers.resize(38, 0);
    numbers
}

/// The board from the perspective of the king's side, with the far rank first and files from the
/// right; one letter for each class.
const ZONES: [(&str, [&str; 9]); 6] = [
    ("k3k3", [A, A, A, B, B, B, C, C, C]),
    ("k9k9", [A, B, C, D, E, F, G, H, I]),
    ("k9k9z", [A, A, A, B, B, B, C, "DDDEEEFFF", "GGGHHHIII"]),
    ("k13k13z", [A, B, C, D, E, F, G, "HHHIIIJJJ", "KKKLLLMMM"]),
    ("k21k21", [A, A, A, B, B, B, C, "DEFGHIJKL", "MNOPQRSTU"]),
    ("k29k29", [A, A, A, B, B, B, "CDEFGHIJK", "LMNOPQRST", "UVWXYZ[\\]"]),
];
const A: &str = "AAAAAAAAA";
const B: &str = "BBBBBBBBB";
const C: &str = "CCCCCCCCC";
const D: &str = "DDDDDDDDD";
const E: &str = "EEEEEEEEE";
const F: &str = "FFFFFFFFF";
const G: &str = "GGGGGGGGG";
const H: &str = "HHHHHHHHH";
const I: &str = "IIIIIIIII";

fn king_class(part: &str, position: &SlowPosition, color: Color) -> usize {
    let king = position.king(color).map_or(44, |square| seen(color, square));
    let (_, zones) = ZONES.iter().find(|(name, _)| *name == part).expect("a known part");
    usize::from(zones[king % 9].as_bytes()[king / 9] - b'A')
}

fn hand_classes(part: &str) -> usize {
    match part {
        "hand4" => 2,
        "hand16" => 4,
        "hand64" | "hand64z" => 8,
        "hand256" => 16,
        "hand1024" => 32,
        other => panic!("no part {other}"),
    }
}

fn hand_class(part: &str, position: &SlowPosition, color: Color) -> usize {
    let count = |kind| position.in_hand(color, kind) as usize;
    let [pawns, lances, knights, silvers, golds, bishops, rooks] = [
        count(PieceKind::Pawn),
        count(PieceKind::Lance),
        count(PieceKind::Knight),
        count(PieceKind::Silver),
        count(PieceKind::Gold),
        count(PieceKind::Bishop),
        count(PieceKind::Rook),
    ];
    let bits = |groups: &[usize]| {
        (0..groups.len()).filter(|&bit| groups[bit] > 0).map(|bit| 1 << bit).sum()
    };
    match part {
        "hand4" => bits(&[bishops]),
        "hand16" => bits(&[pawns, bishops]),
        "hand64" => bits(&[pawns + lances + knights, golds + silvers + rooks, bishops]),
        "hand64z" => {
            let points =
                pawns + 2 * (lances + knights) + 3 * (silvers + golds) + 5 * (bishops + rooks);
            points.div_ceil(4).min(7)
        }
        "hand256" => bits(&[pawns + lances + knights, silvers + golds, bishops, rooks]),
        "hand1024" => bits(&[pawns, lances + knights, silvers + golds, bishops, rooks]),
        other => panic!("no part {other}"),
    }
}
