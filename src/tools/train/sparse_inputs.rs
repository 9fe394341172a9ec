//! The active features of some positions for both perspectives, and the inverted index from
//! features to perspectives.
//!
//! The forward pass iterates over the features of each perspective, the gradient of the rows over the
//! perspectives of each feature. So both sum in registers and store each sum once.

use super::sample::TrainingSample;
use super::tensor_layout::TensorLayout;
use crate::nnue::FeatureSet;

/// The features of all perspectives: the side to move of position `p` is perspective `2 p`, the
/// other side `2 p + 1`.
#[derive(Debug)]
pub(super) struct SparseInputs {
    feature_set: FeatureSet,
    /// The features of all perspectives, concatenated.
    features: Vec<u16>,
    /// The start of each perspective, and the end.
    starts: Vec<u32>,
    king_buckets: Vec<u8>,
    /// All perspectives, ordered by king bucket.
    order: Vec<u32>,
    /// The start of each king bucket in `order`, and the end.
    bucket_starts: Vec<usize>,
    inverse: InvertedIndex,
}

/// The perspectives of all active features.
#[derive(Debug, Default)]
struct InvertedIndex {
    /// The perspectives, ordered by king bucket, then by feature.
    postings: Vec<u32>,
    /// Each active feature and the start of its perspectives, and the end.
    features: Vec<(u16, u32)>,
    /// The start of each king bucket among these, and the end.
    bucket_starts: Vec<usize>,
    /// Scratch: one number per feature of a king bucket.
    next: Vec<u32>,
}

impl SparseInputs {
    pub(super) fn new(layout: &TensorLayout) -> SparseInputs {
        let king_buckets = layout.king_buckets.max(1);
        SparseInputs {
            feature_set: layout.architecture.features,
            features: Vec::new(),
            starts: vec![0],
            king_buckets: Vec::new(),
            order: Vec::new(),
            bucket_starts: vec![0; king_buckets + 1],
            inverse: InvertedIndex { next: vec![0; layout.bucket_len], ..InvertedIndex::default() },
        }
    }

    pub(super) fn clear(&mut self) {
        self.features.clear();
        self.starts.truncate(1);
        self.king_buckets.clear();
    }

    pub(super) fn push(&mut self, sample: &TrainingSample) {
        for color in [sample.side, !sample.side] {
            let bucket = sample.pieces.append_active(self.feature_set, color, &mut self.features);
            self.king_buckets.push(bucket as u8);
            self.starts.push(self.features.len() as u32);
        }
    }

    /// Orders the perspectives by king bucket; to be called when all are there.
    pub(super) fn sort(&mut self) {
        let king_buckets = self.bucket_starts.len() - 1;
        let order = counting_sort(
            king_buckets,
            self.king_buckets.iter().map(|&bucket| usize::from(bucket)),
        );
        (self.bucket_starts, self.order) = order;
    }

    /// Builds the inverted index; to be called after [`SparseInputs::sort`].
    pub(super) fn invert(&mut self) {
        let mut inverse = std::mem::take(&mut self.inverse);
        inverse.postings.resize(self.features.len(), 0);
        inverse.features.clear();
        inverse.bucket_starts.clear();
        let mut postings = 0;
        for bucket in 0..self.bucket_starts.len() - 1 {
            inverse.bucket_starts.push(inverse.features.len());
            postings = inverse.add_bucket(self, self.of_bucket(bucket), postings);
        }
        inverse.bucket_starts.push(inverse.features.len());
        inverse.features.push((0, postings));
        self.inverse = inverse;
    }

    /// The features of a perspective, relative to its king bucket.
    #[inline(always)]
    pub(super) fn features(&self, perspective: u32) -> &[u16] {
        let perspective = perspective as usize;
        &self.features[self.starts[perspective] as usize..self.starts[perspective + 1] as usize]
    }

    /// The perspectives of a king bucket.
    #[inline(always)]
    pub(super) fn of_bucket(&self, bucket: usize) -> &[u32] {
        &self.order[self.bucket_starts[bucket]..self.bucket_starts[bucket + 1]]
    }

    /// The active features of a king bucket and the perspectives of each.
    #[inline(always)]
    pub(super) fn features_of_bucket(
        &self,
        bucket: usize,
    ) -> impl Iterator<Item = (usize, &[u32])> {
        let InvertedIndex { postings, features, bucket_starts, .. } = &self.inverse;
        let features = &features[bucket_starts[bucket]..=bucket_starts[bucket + 1]];
        features.windows(2).map(|pair| {
            let [(feature, start), (_, end)] = [pair[0], pair[1]];
            (usize::from(feature), &postings[start as usize..end as usize])
        })
    }
}

impl InvertedIndex {
    /// Adds the features of a king bucket, whose perspectives start at `start`; returns their end.
    fn add_bucket(&mut self, inputs: &SparseInputs, of_bucket: &[u32], start: u32) -> u32 {
        if of_bucket.is_empty() {
            return start;
        }
        self.next.fill(0);
        for &perspective in of_bucket {
            inputs
                .features(perspective)
                .iter()
                .for_each(|&feature| self.next[usize::from(feature)] += 1);
        }
        let mut end = start;
        for (feature, next) in self.next.iter_mut().enumerate().filter(|(_, next)| **next > 0) {
            self.features.push((feature as u16, end));
            end += std::mem::replace(next, end);
        }
        for &perspective in of_bucket {
            for &feature in inputs.features(perspective) {
                let next = &mut self.next[usize::from(feature)];
                self.postings[*next as usize] = perspective;
                *next += 1;
            }
        }
        end
    }
}

/// The start of each of `count` keys, and the end; and the indices of the items in the order of
/// their keys.
pub(super) fn counting_sort(
    count: usize,
    keys: impl ExactSizeIterator<Item = usize> + Clone,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; count + 1];
    keys.clone().for_each(|key| starts[key + 1] += 1);
    for key in 0..count {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut order = vec![0; keys.len()];
    for (item, key) in keys.enumerate() {
        order[next[key]] = item as u32;
        next[key] += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, Buckets, Topology};
    use crate::position::Position;

    fn inputs(features: FeatureSet) -> (SparseInputs, usize) {
        let architecture =
            Architecture { features, width: 16, h1: 8, h2: 8, topology: Topology::Classic };
        let layout = TensorLayout::new(architecture, true);
        let mut inputs = SparseInputs::new(&layout);
        inputs.clear();
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "5i5h", "8b5b", "8h2b+", "3a2b"] {
            position.do_move(mv.parse().unwrap());
            inputs.push(&TrainingSample::unlabelled(&position, &Buckets::One));
        }
        inputs.sort();
        (inputs, layout.king_buckets.max(1))
    }

    #[test]
    fn the_inverted_index_lists_the_perspectives_of_each_feature() {
        for features in [FeatureSet::KP, FeatureSet::HalfKp] {
            let (mut inputs, king_buckets) = inputs(features);
            for _ in 0..2 {
                inputs.invert();
                for bucket in 0..king_buckets {
                    let mut expected = Vec::new();
                    for &perspective in inputs.of_bucket(bucket) {
                        let features = inputs.features(perspective).iter();
                        expected
                            .extend(features.map(|&feature| (usize::from(feature), perspective)));
                    }
                    expected.sort_by_key(|&(feature, _)| feature);
                    let features = inputs.features_of_bucket(bucket);
                    let found = features.flat_map(|(feature, of)| {
                        of.iter().map(move |&perspective| (feature, perspective))
                    });
                    assert_eq!(found.collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
