//! The sums of the first layer, kept along the line being searched, and with them what the pieces add
//! to the progress of the game where stacks are chosen by that.
//!
//! Owns when sums are computed and from what; which inputs a move changes is the business of
//! [`features`](super::features), the adding that of [`kernels`](super::kernels). Nothing is
//! computed before it is asked for: many positions are left without having been judged. That sums
//! are refreshed from those of the last position with the king on the same square, by the difference
//! alone, is an idea from chess engines (Koivisto, 2021).

use super::buckets::ProgressModel;
use super::features::{
    DirtyPiece, FULL_SET, FeatureIndexer, FeatureScheme, IndexList, MAX_ACTIVE, MAX_CHANGED,
    PlacedPiece, missing_pieces, own_king,
};
use super::kernels::Kernels;
use super::net::{FeatureTransformer, Net};
use crate::position::{Delta, Position, Spot};
use crate::sys::{MemoryRefused, Pages};
use crate::types::{ByColor, Color, Hand, MAX_PLY, Piece, PieceKind, Square};

/// Positions of a line, the root and some room included.
const DEPTH: usize = MAX_PLY + 10;

/// Sums along a line, one pair for each position that a move has led to.
#[derive(Debug)]
pub(super) struct AccumulatorStack {
    inputs: FeatureScheme,
    /// Whether a move of its king changes all that a view keeps.
    depend_on_king: bool,
    width: usize,
    /// `[DEPTH][view][width]`
    sums: Pages<i16>,
    /// `[DEPTH]`, what each view adds to the logit of progress, as far as its sums are there; empty if
    /// no stack is chosen by that.
    seen_q16: Box<[ByColor<i64>]>,
    /// What led to each position of the line and what is known of it; the first is the root.
    steps: Box<[AccumulatorState; DEPTH]>,
    /// The step of each position of the line. A null move changes no sum, so the position after it
    /// shares the step of the one before.
    line: Vec<u16>,
    cache: RefreshCache,
}

#[derive(Clone, Copy, Debug)]
struct AccumulatorState {
    /// Nothing for the root.
    moved: Option<DirtyPiece>,
    captured: Option<DirtyPiece>,
    /// Whether the sums of a view are there.
    is_computed: ByColor<bool>,
}

impl AccumulatorState {
    const ROOT: AccumulatorState =
        AccumulatorState { moved: None, captured: None, is_computed: ByColor([false; 2]) };
}

impl AccumulatorStack {
    pub(super) fn new(net: &Net) -> Result<AccumulatorStack, MemoryRefused> {
        let (inputs, width) =
            (FeatureScheme::of(net.architecture.features), net.transformer.width());
        let by_progress = net.buckets.progress().is_some();
        let mut line = Vec::with_capacity(2 * DEPTH);
        line.push(0);
        Ok(AccumulatorStack {
            inputs,
            depend_on_king: inputs.depend_on_king() || by_progress,
            width,
            sums: Pages::zeroed(DEPTH * 2 * width)?,
            seen_q16: vec![ByColor([0; 2]); if by_progress { DEPTH } else { 0 }].into(),
            steps: Box::new([AccumulatorState::ROOT; DEPTH]),
            line,
            cache: RefreshCache::new(&inputs, width)?,
        })
    }

    /// Begins a new line at this position.
    pub(super) fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.line.push(0);
        self.steps[0] = AccumulatorState::ROOT;
        self.cache.set_missing(missing_pieces(position));
    }

    /// Follows a move. A line has at most `MAX_PLY` of them, with a few to spare.
    #[inline(always)]
    pub(super) fn push(&mut self, delta: &Delta) {
        let step = self.present() + 1;
        self.steps[step] = AccumulatorState {
            moved: Some(DirtyPiece::new(&delta.moved)),
            captured: delta.captured.as_ref().map(DirtyPiece::new),
            is_computed: ByColor([false; 2]),
        };
        self.line.push(step as u16);
    }

    /// Follows a null move.
    #[inline(always)]
    pub(super) fn push_null(&mut self) {
        self.line.push(self.present() as u16);
    }

    /// Goes back by one move or null move.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.line.pop();
        debug_assert!(!self.line.is_empty());
    }

    #[inline(always)]
    fn present(&self) -> usize {
        *self.line.last().expect("a line has its root") as usize
    }

    /// Brings both views up to date. `position` is the one that the pushes and pops have led to.
    #[inline(always)]
    pub(super) fn update(&mut self, net: &Net, kernels: &Kernels, position: &Position) {
        let present = self.present();
        for view in Color::ALL {
            if !self.steps[present].is_computed[view] {
                self.bring(view, present, net, kernels, position);
            }
        }
    }

    /// The sums of both views, if they are up to date.
    #[inline(always)]
    pub(super) fn sums(&self) -> ByColor<&[i16]> {
        let (black, white) = self.sums[self.present() * 2 * self.width..].split_at(self.width);
        ByColor([black, &white[..self.width]])
    }

    /// What the pieces add to the logit of progress, if both views are up to date; 0 if no stack is
    /// chosen by that.
    #[inline(always)]
    pub(super) fn seen_q16(&self) -> i64 {
        self.seen_q16.get(self.present()).map_or(0, |views| views.0.iter().sum())
    }

    /// Computes what one view of the present keeps.
    #[inline(always)]
    fn bring(
        &mut self,
        view: Color,
        present: usize,
        net: &Net,
        kernels: &Kernels,
        position: &Position,
    ) {
        // No king of this view has moved since the step that is found, so one lens fits all.
        let king = own_king(position, view);
        let lens = self.inputs.lens(view, king);
        let known = self.computed_before(view, present);
        match known {
            Some(known) => {
                for step in known + 1..=present {
                    self.follow(view, step, &lens, &net.transformer, kernels);
                }
            }
            None => {
                let to = &mut self.sums[(present * 2 + view.index()) * self.width..][..self.width];
                self.cache.refresh(view, king, &lens, &net.transformer, kernels, position, to);
                self.steps[present].is_computed[view] = true;
            }
        }
        if let Some(progress) = net.buckets.progress() {
            self.bring_progress(view, known, present, progress, position);
        }
    }

    /// Computes what one view of the present adds to the logit of progress, from what that of a step
    /// before adds, if it is known there.
    fn bring_progress(
        &mut self,
        view: Color,
        known: Option<usize>,
        present: usize,
        progress: &ProgressModel,
        position: &Position,
    ) {
        let Some(known) = known else {
            self.seen_q16[present][view] = progress.seen_by_q16(view, position);
            return;
        };
        let lens = ProgressModel::lens(view, own_king(position, view));
        for step in known + 1..=present {
            let AccumulatorState { moved, captured, .. } = &self.steps[step];
            let shifts = moved.iter().chain(captured);
            let change: i64 = shifts.map(|shift| progress.change_q16(&lens, shift)).sum();
            self.seen_q16[step][view] = self.seen_q16[step - 1][view] + change;
        }
    }

    /// Whether the sums of the present are but some changes away from others of its line.
    #[cfg(test)]
    pub(super) fn can_follow(&self) -> bool {
        let present = self.present();
        Color::ALL.into_iter().all(|view| self.computed_before(view, present).is_some())
    }

    /// The last step before `present` whose sums are there and lead to those of `present` by
    /// changes alone.
    #[inline(always)]
    fn computed_before(&self, view: Color, present: usize) -> Option<usize> {
        let mut step = present;
        loop {
            let moved = self.steps[step].moved.as_ref()?;
            if self.depend_on_king && moved.moves_king_of(view) {
                return None;
            }
            step -= 1;
            if self.steps[step].is_computed[view] {
                return Some(step);
            }
        }
    }

    /// Computes the sums of one view of a step from those of the step before.
    #[inline(always)]
    fn follow(
        &mut self,
        view: Color,
        step: usize,
        lens: &FeatureIndexer,
        transformer: &FeatureTransformer,
        kernels: &Kernels,
    ) {
        let AccumulatorState { moved: Some(moved), captured, .. } = &self.steps[step] else {
            return;
        };
        let (mut added, mut removed) =
            (IndexList::<MAX_CHANGED>::new(), IndexList::<MAX_CHANGED>::new());
        lens.append_change(moved, &mut added, &mut removed);
        if let Some(captured) = captured {
            lens.append_change(captured, &mut added, &mut removed);
        }
        let (before, after) = self.sums.split_at_mut(step * 2 * self.width);
        let from = &before[((step - 1) * 2 + view.index()) * self.width..][..self.width];
        let to = &mut after[view.index() * self.width..][..self.width];
        kernels.update(to, from, transformer.rows(), &added, &removed);
        self.steps[step].is_computed[view] = true;
    }
}

/// For each view and each square of its king the sums of some position, to begin from.
///
/// Sets that do not ask for the king have one for each view.
#[derive(Debug)]
struct RefreshCache {
    depends_on_king: bool,
    width: usize,
    /// `[view][king]`
    placements: Box<[RefreshEntry]>,
    /// `[view][king][width]`
    sums: Pages<i16>,
    /// How many pieces the game lacks; all sums hold them.
    missing: usize,
}

type Actives = IndexList<MAX_ACTIVE>;

/// What sums were computed from.
#[derive(Clone, Debug)]
struct RefreshEntry {
    /// Whether there are sums at all.
    is_known: bool,
    board: [Option<Piece>; Square::COUNT],
    hands: ByColor<Hand>,
}

impl RefreshEntry {
    const NOTHING: RefreshEntry = RefreshEntry {
        is_known: false,
        board: [None; Square::COUNT],
        hands: ByColor([Hand::EMPTY; 2]),
    };
}

impl RefreshCache {
    fn new(inputs: &FeatureScheme, width: usize) -> Result<RefreshCache, MemoryRefused> {
        let kings = if inputs.depend_on_king() { Square::COUNT } else { 1 };
        Ok(RefreshCache {
            depends_on_king: inputs.depend_on_king(),
            width,
            placements: vec![RefreshEntry::NOTHING; 2 * kings].into(),
            sums: Pages::zeroed(2 * kings * width)?,
            missing: 0,
        })
    }

    /// Says how many pieces positions lack from now on.
    fn set_missing(&mut self, missing: usize) {
        if self.missing != missing {
            self.missing = missing;
            self.placements.fill(RefreshEntry::NOTHING);
        }
    }

    /// Computes the sums of one view of a position.
    #[allow(clippy::too_many_arguments, reason = "it is one step of `bring`, cut off")]
    fn refresh(
        &mut self,
        view: Color,
        king: Square,
        lens: &FeatureIndexer,
        transformer: &FeatureTransformer,
        kernels: &Kernels,
        position: &Position,
        to: &mut [i16],
    ) {
        let slot = match self.depends_on_king {
            true => view.index() * Square::COUNT + king.index(),
            false => view.index(),
        };
        let sums = &mut self.sums[slot * self.width..][..self.width];
        let placement = &mut self.placements[slot];
        let (mut added, mut removed) = placement.change_to(position, lens);
        let is_far = added.len() + removed.len() > MAX_ACTIVE;
        if is_far || !placement.is_known {
            sums.copy_from_slice(transformer.bias());
            let missing = [lens.missing(); FULL_SET];
            kernels.update_within(sums, transformer.rows(), &missing[..self.missing], &[]);
            *placement = RefreshEntry { is_known: true, ..RefreshEntry::NOTHING };
            (added, removed) = placement.change_to(position, lens);
        }
        kernels.update_within(sums, transformer.rows(), &added, &removed);
        to.copy_from_slice(sums);
    }
}

impl RefreshEntry {
    /// Becomes that of `position`, and says what that switches on and off.
    fn change_to(&mut self, position: &Position, lens: &FeatureIndexer) -> (Actives, Actives) {
        let (mut added, mut removed) = (Actives::new(), Actives::new());
        for (square, known) in Square::all().zip(&mut self.board) {
            let piece = position.piece_at(square);
            if *known == piece {
                continue;
            }
            if let Some(old) = *known {
                lens.append(PlacedPiece::new(old, Spot::Board(square)), &mut removed);
            }
            if let Some(new) = piece {
                lens.append(PlacedPiece::new(new, Spot::Board(square)), &mut added);
            }
            *known = piece;
        }
        for color in Color::ALL {
            let (old, new) = (self.hands[color], position.hand(color));
            if old == new {
                continue;
            }
            for kind in PieceKind::HAND {
                let piece = Piece::new(color, kind);
                let (old, new) = (old.count(kind) as u8, new.count(kind) as u8);
                for n in old + 1..=new {
                    lens.append(PlacedPiece::new(piece, Spot::Hand(n)), &mut added);
                }
                for n in new + 1..=old {
                    lens.append(PlacedPiece::new(piece, Spot::Hand(n)), &mut removed);
                }
            }
            self.hands[color] = position.hand(color);
        }
        (added, removed)
    }
}
