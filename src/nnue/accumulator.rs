//! The accumulators of both perspectives along the line being searched.
//!
//! An accumulator is computed when an evaluation asks for it, not when a move is made: many
//! positions are never evaluated. Networks that select their layer stack by progress keep the progress
//! sum of each perspective beside its accumulator, updated in the same way.

use super::buckets::ProgressModel;
use super::features::{FeatureIndexer, FeatureScheme, IndexList, MAX_CHANGED};
use super::kernels::Kernels;
use super::placed_piece::{DirtyPlacedPiece, missing_pieces, oriented_king};
use super::refresh_cache::RefreshCache;
use super::weights::{FeatureTransformer, NetworkWeights};
use crate::position::{DirtyPieces, Position};
use crate::sys::{AllocationError, HugePages};
use crate::types::{ByColor, Color, MAX_PLY};

/// Maximum number of positions of a line that differ: the root, and one for each of `MAX_PLY` moves, with a few to
/// spare.
const MAX_STATES: usize = MAX_PLY + 10;

/// One accumulator per perspective for each position of a line.
#[derive(Debug)]
pub(super) struct AccumulatorStack {
    scheme: FeatureScheme,
    /// Whether a move of its king may invalidate what a perspective keeps: the progress sum always, the
    /// accumulator if the king leaves its bucket.
    depends_on_king: bool,
    width: usize,
    /// `[MAX_STATES][perspective][width]`
    accumulators: HugePages<i16>,
    /// `[MAX_STATES]`, the progress sum of each perspective, valid where its accumulator is; empty if
    /// the network does not use progress.
    progress_q16: Box<[ByColor<i64>]>,
    /// State 0 is the root.
    states: Box<[AccumulatorState; MAX_STATES]>,
    /// The index of the state of each position of the line. A null move changes no feature, so the
    /// position after it shares the state of the one before.
    line: Vec<u16>,
    cache: RefreshCache,
}

/// How a position differs from the one before it, and what has been computed for it.
#[derive(Clone, Copy, Debug)]
struct AccumulatorState {
    /// `None` for the root.
    moved: Option<DirtyPlacedPiece>,
    captured: Option<DirtyPlacedPiece>,
    computed: ByColor<bool>,
}

impl AccumulatorState {
    const ROOT: AccumulatorState =
        AccumulatorState { moved: None, captured: None, computed: ByColor([false; 2]) };
}

impl AccumulatorStack {
    pub(super) fn new(weights: &NetworkWeights) -> Result<AccumulatorStack, AllocationError> {
        let width = weights.transformer.width();
        let scheme = FeatureScheme::of(weights.architecture.features);
        let uses_progress = weights.buckets.progress_model().is_some();
        let mut line = Vec::with_capacity(2 * MAX_STATES);
        line.push(0);
        Ok(AccumulatorStack {
            scheme,
            depends_on_king: scheme.depends_on_king() || uses_progress,
            width,
            accumulators: HugePages::zeroed(MAX_STATES * 2 * width)?,
            progress_q16: vec![ByColor([0; 2]); if uses_progress { MAX_STATES } else { 0 }].into(),
            states: Box::new([AccumulatorState::ROOT; MAX_STATES]),
            line,
            cache: RefreshCache::new(&scheme, width)?,
        })
    }

    /// Starts a new line at this position.
    pub(super) fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.line.push(0);
        self.states[0] = AccumulatorState::ROOT;
        self.cache.set_missing_pieces(missing_pieces(position));
    }

    /// Appends a move to the line.
    #[inline(always)]
    pub(super) fn push(&mut self, dirty: &DirtyPieces) {
        let next = self.current() + 1;
        self.states[next] = AccumulatorState {
            moved: Some(DirtyPlacedPiece::new(&dirty.moved)),
            captured: dirty.captured.as_ref().map(DirtyPlacedPiece::new),
            computed: ByColor([false; 2]),
        };
        self.line.push(next as u16);
    }

    /// Appends a null move to the line.
    #[inline(always)]
    pub(super) fn push_null(&mut self) {
        self.line.push(self.current() as u16);
    }

    /// Removes the last move or null move from the line.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.line.pop();
        debug_assert!(!self.line.is_empty());
    }

    fn uses_progress(&self) -> bool {
        !self.progress_q16.is_empty()
    }

    /// The index of the state of the current position.
    #[inline(always)]
    fn current(&self) -> usize {
        *self.line.last().expect("a line has its root") as usize
    }

    /// Computes the accumulators of the current position, `position`, that are not computed yet.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        weights: &NetworkWeights,
        kernels: &Kernels,
        position: &Position,
    ) {
        let current = self.current();
        for perspective in Color::ALL {
            if !self.states[current].computed[perspective] {
                self.compute(perspective, current, weights, kernels, position);
            }
        }
    }

    /// The accumulators of the current position, `[width]` each; [`AccumulatorStack::update`] must
    /// have computed them.
    #[inline(always)]
    pub(super) fn accumulators(&self) -> ByColor<&[i16]> {
        let pair = &self.accumulators[self.current() * 2 * self.width..];
        let (black, white) = pair.split_at(self.width);
        ByColor([black, &white[..self.width]])
    }

    /// The progress sum of the current position over both perspectives, which
    /// [`AccumulatorStack::update`] must have computed; 0 if the network does not use progress.
    #[inline(always)]
    pub(super) fn progress_q16(&self) -> i64 {
        self.progress_q16.get(self.current()).map_or(0, |sums| sums.0.iter().sum())
    }

    /// Computes one perspective of the current position.
    #[inline(always)]
    fn compute(
        &mut self,
        perspective: Color,
        current: usize,
        weights: &NetworkWeights,
        kernels: &Kernels,
        position: &Position,
    ) {
        // The king has not left its bucket since the state found, so one indexer serves all states.
        let king = oriented_king(position, perspective);
        let indexer = self.scheme.indexer(perspective, king);
        let computed = self.last_computed(perspective, current);
        match computed {
            Some(computed) => {
                for state in computed + 1..=current {
                    self.update_incrementally(
                        perspective,
                        state,
                        &indexer,
                        &weights.transformer,
                        kernels,
                    );
                }
            }
            None => {
                let start = (current * 2 + perspective.index()) * self.width;
                let to = &mut self.accumulators[start..][..self.width];
                self.cache.refresh(&indexer, &weights.transformer, kernels, position, to);
                self.states[current].computed[perspective] = true;
            }
        }
        if let Some(model) = weights.buckets.progress_model() {
            self.compute_progress(perspective, computed, current, model, position);
        }
    }

    /// Computes the progress sum of one perspective of the current position, incrementally from the
    /// state `computed` if there is one.
    fn compute_progress(
        &mut self,
        perspective: Color,
        computed: Option<usize>,
        current: usize,
        model: &ProgressModel,
        position: &Position,
    ) {
        let Some(computed) = computed else {
            self.progress_q16[current][perspective] = model.perspective_q16(perspective, position);
            return;
        };
        let indexer = ProgressModel::indexer(perspective, oriented_king(position, perspective));
        for state in computed + 1..=current {
            let AccumulatorState { moved, captured, .. } = &self.states[state];
            let dirty_pieces = moved.iter().chain(captured);
            let change: i64 = dirty_pieces.map(|dirty| model.change_q16(&indexer, dirty)).sum();
            self.progress_q16[state][perspective] =
                self.progress_q16[state - 1][perspective] + change;
        }
    }

    /// Whether both perspectives of the current position can be updated incrementally.
    #[cfg(test)]
    pub(super) fn is_incremental(&self) -> bool {
        let current = self.current();
        Color::ALL.into_iter().all(|color| self.last_computed(color, current).is_some())
    }

    /// The last state before `current` that is computed and from which no refresh is needed.
    #[inline(always)]
    fn last_computed(&self, perspective: Color, current: usize) -> Option<usize> {
        let mut state = current;
        loop {
            let moved = self.states[state].moved.as_ref()?;
            if self.depends_on_king
                && moved.is_king_of(perspective)
                && (self.uses_progress() || self.scheme.is_refresh_needed(perspective, moved))
            {
                return None;
            }
            state -= 1;
            if self.states[state].computed[perspective] {
                return Some(state);
            }
        }
    }

    /// Computes one accumulator of a state from that of the state before.
    #[inline(always)]
    fn update_incrementally(
        &mut self,
        perspective: Color,
        state: usize,
        indexer: &FeatureIndexer,
        transformer: &FeatureTransformer,
        kernels: &Kernels,
    ) {
        let AccumulatorState { moved: Some(moved), captured, .. } = &self.states[state] else {
            return;
        };
        let mut added = IndexList::<MAX_CHANGED>::new();
        let mut removed = IndexList::<MAX_CHANGED>::new();
        indexer.append_changed(moved, &mut added, &mut removed);
        if let Some(captured) = captured {
            indexer.append_changed(captured, &mut added, &mut removed);
        }
        let (before, after) = self.accumulators.split_at_mut(state * 2 * self.width);
        let from = &before[((state - 1) * 2 + perspective.index()) * self.width..][..self.width];
        let to = &mut after[perspective.index() * self.width..][..self.width];
        kernels.update(to, from, transformer.rows(), &added, &removed);
        self.states[state].computed[perspective] = true;
    }
}
