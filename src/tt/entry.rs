//! An entry of the table, and its packing into 64 bits together with its generation.

use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

/// The result of a search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The best move, or [`Move::NONE`]. It may be illegal, since two positions may share a key.
    pub mv: Move,
    /// With mates counted from the position, or from the root after [`TtEntry::at_ply`].
    pub score: Score,
    /// The static evaluation, or [`Score::NONE`].
    pub eval: Score,
    /// The remaining depth in plies, clamped to [`TtEntry::MIN_DEPTH`] and [`TtEntry::MAX_DEPTH`].
    pub depth: Depth,
    /// The kind of the score; [`Bound::None`] if there is only the static evaluation.
    pub bound: Bound,
    /// Whether the position is or was on a principal variation.
    pub is_pv: bool,
}

impl TtEntry {
    /// The smallest depth of an entry. The depths of quiescence search are zero and below.
    pub const MIN_DEPTH: Depth = 1 - DEPTH_BIAS;
    /// The greatest depth of an entry.
    pub const MAX_DEPTH: Depth = u8::MAX as Depth - DEPTH_BIAS;

    /// Whether the bound proves on which side of `limit` the true score is.
    #[inline(always)]
    pub fn decides(&self, limit: Score) -> bool {
        self.score != Score::NONE
            && if self.score >= limit { self.bound.is_lower() } else { self.bound.is_upper() }
    }

    /// The entry in 64 bits, for another process.
    pub(super) fn to_bits(self) -> u64 {
        Packed::new(self, Generation::of(0)).0
    }

    /// The entry with these bits; `None` unless the main search can have stored it: with a bound, and a depth of 1 or
    /// more, because the depths of quiescence search are lower.
    pub(super) fn from_bits(bits: u64) -> Option<TtEntry> {
        let entry = Packed(bits).entry();
        let TtEntry { mv, score, eval, depth, bound, is_pv: _ } = entry;
        let is_valid = (mv.is_none() || Move::from_bits(mv.bits()).is_some())
            && (-Score::MATE..=Score::MATE).contains(&score)
            && (eval == Score::NONE || (-Score::MAX_EVAL..=Score::MAX_EVAL).contains(&eval))
            && (1..=MAX_PLY as Depth).contains(&depth)
            && bound != Bound::None;
        is_valid.then_some(entry)
    }
}

/// Added to a depth to make a byte that is never 0: 0 marks the empty entry.
const DEPTH_BIAS: Depth = 8;
/// A new entry that is shallower by at least this much does not replace the old one of its position.
const DEPTH_GRACE: i32 = 4;
/// Added to the depth of a new entry of a PV node before the comparison.
const PV_BONUS: i32 = 2;
/// Each search since an entry was stored lowers its value for replacement by this many plies.
const PLIES_PER_GENERATION: i32 = 8;

/// The number of a search, modulo 32 (Stockfish: `generation8`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation(u8);

impl Generation {
    pub(super) const COUNT: u8 = 32;

    /// The generation of the search with this number.
    #[inline(always)]
    pub(super) const fn of(search: u8) -> Generation {
        Generation(search % Self::COUNT)
    }

    /// The number of searches since `older`, modulo 32.
    #[inline(always)]
    const fn relative_age(self, older: Generation) -> u8 {
        self.0.wrapping_sub(older.0) % Self::COUNT
    }
}

/// An entry and its generation in 64 bits, lowest first: move 16, score 16, evaluation 16, biased depth
/// 8, generation 5, PV 1, bound 2. All bits zero: empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u64);

const SCORE_SHIFT: u32 = 16;
const EVAL_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const GENERATION_SHIFT: u32 = 56;
const PV_SHIFT: u32 = 61;
const BOUND_SHIFT: u32 = 62;

impl Packed {
    #[inline]
    pub(super) fn new(entry: TtEntry, generation: Generation) -> Packed {
        let depth = entry.depth.clamp(TtEntry::MIN_DEPTH, TtEntry::MAX_DEPTH) + DEPTH_BIAS;
        Packed(
            u64::from(entry.mv.bits())
                | score_bits(entry.score) << SCORE_SHIFT
                | score_bits(entry.eval) << EVAL_SHIFT
                | (depth as u64) << DEPTH_SHIFT
                | u64::from(generation.0) << GENERATION_SHIFT
                | u64::from(entry.is_pv) << PV_SHIFT
                | (entry.bound as u64) << BOUND_SHIFT,
        )
    }

    #[inline]
    pub(super) fn entry(self) -> TtEntry {
        TtEntry {
            mv: self.mv(),
            score: score_at(self.0, SCORE_SHIFT),
            eval: score_at(self.0, EVAL_SHIFT),
            depth: self.depth(),
            bound: self.bound(),
            is_pv: self.0 >> PV_SHIFT & 1 != 0,
        }
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.biased_depth() == 0
    }

    #[inline(always)]
    fn mv(self) -> Move {
        bytemuck::cast(self.0 as u16)
    }

    #[inline(always)]
    fn with_move(self, mv: Move) -> Packed {
        Packed(self.0 & !u64::from(u16::MAX) | u64::from(mv.bits()))
    }

    #[inline(always)]
    fn biased_depth(self) -> i32 {
        i32::from((self.0 >> DEPTH_SHIFT) as u8)
    }

    #[inline(always)]
    fn depth(self) -> Depth {
        self.biased_depth() - DEPTH_BIAS
    }

    #[inline(always)]
    fn bound(self) -> Bound {
        Bound::from_bits((self.0 >> BOUND_SHIFT) as u8)
    }

    #[inline(always)]
    pub(super) fn generation(self) -> Generation {
        Generation::of((self.0 >> GENERATION_SHIFT) as u8)
    }

    /// The value for replacement in a search of `current`; the lowest is replaced first.
    #[inline(always)]
    pub(super) fn replacement_value(self, current: Generation) -> i32 {
        if self.is_empty() {
            i32::MIN
        } else {
            self.depth() - PLIES_PER_GENERATION * i32::from(current.relative_age(self.generation()))
        }
    }

    /// The entry after `new`, of the current generation, is stored for the same position (Stockfish's
    /// rule): a shallow result does not replace a deep one of this search, but the newest move is
    /// always kept.
    #[inline]
    pub(super) fn merged(self, new: Packed) -> Packed {
        let mv = if new.mv().is_none() { self.mv() } else { new.mv() };
        if new.replaces(self) { new.with_move(mv) } else { self.with_move(mv) }
    }

    #[inline]
    fn replaces(self, old: Packed) -> bool {
        let bonus = if self.entry().is_pv { PV_BONUS } else { 0 };
        self.bound() == Bound::Exact
            || self.depth() + bonus > old.depth() - DEPTH_GRACE
            || self.generation() != old.generation()
    }
}

/// All scores fit in 16 bits, also [`Score::NONE`].
#[inline(always)]
fn score_bits(score: Score) -> u64 {
    debug_assert!(i16::try_from(score.0).is_ok(), "{score:?} is no score");
    u64::from(score.0 as u16)
}

#[inline(always)]
fn score_at(bits: u64, shift: u32) -> Score {
    Score(i32::from((bits >> shift) as i16))
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Generation = Generation::of(9);
    const EARLIER: Generation = Generation::of(8);

    /// An ordinary entry.
    pub(in super::super) const PLAIN: TtEntry = TtEntry {
        mv: Move::NONE,
        score: Score(12),
        eval: Score(-34),
        depth: 10,
        bound: Bound::Upper,
        is_pv: false,
    };

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn entries() -> impl Strategy<Value = TtEntry> {
        let moves = (0..Move::TABLE as u16)
            .prop_map(|bits| Move::from_bits(bits).unwrap_or(Move::NONE))
            .boxed();
        let score = (i16::MIN..=i16::MAX).prop_map(|value| Score(i32::from(value))).boxed();
        let depth = TtEntry::MIN_DEPTH..=TtEntry::MAX_DEPTH;
        (moves, score.clone(), score, depth, 0..4u8, any::<bool>()).prop_map(
            |(mv, score, eval, depth, bound, is_pv)| {
                let bound = Bound::from_bits(bound);
                TtEntry { mv, score, eval, depth, bound, is_pv }
            },
        )
    }

    proptest! {
        #[test]
        fn an_entry_reads_back_as_it_was_packed(entry in entries(), search in any::<u8>()) {
            let packed = Packed::new(entry, Generation::of(search));
            prop_assert_eq!(packed.entry(), entry);
            prop_assert_eq!(packed.generation(), Generation::of(search));
            prop_assert!(!packed.is_empty());
        }
    }

    #[test]
    fn marked_and_extreme_scores_survive() {
        for score in [Score::NONE, Score::INFINITE, Score::MATE, Score::MAX_EVAL, Score::ZERO] {
            for score in [score, -score] {
                let entry = TtEntry { score, eval: score, ..PLAIN };
                assert_eq!(Packed::new(entry, NOW).entry(), entry);
            }
        }
    }

    #[test]
    fn a_bound_allows_a_cutoff_only_on_its_side_of_beta() {
        let of = |bound, score| TtEntry { bound, score, ..PLAIN }.decides(Score(30));
        for (bound, expected) in [
            (Bound::Upper, [true, false, false]),
            (Bound::Lower, [false, true, true]),
            (Bound::Exact, [true; 3]),
            (Bound::None, [false; 3]),
        ] {
            assert_eq!([29, 30, 31].map(|score| of(bound, Score(score))), expected, "{bound:?}");
            assert!(!of(bound, Score::NONE), "{bound:?}");
        }
    }

    #[test]
    fn the_null_move_survives() {
        let entry = TtEntry { mv: Move::NULL, ..PLAIN };
        assert_eq!(Packed::new(entry, NOW).entry(), entry);
    }

    #[test]
    fn depths_outside_the_range_become_the_nearer_end() {
        let depth = |depth| Packed::new(TtEntry { depth, ..PLAIN }, NOW).entry().depth;
        assert_eq!(depth(-100), TtEntry::MIN_DEPTH);
        assert_eq!(depth(1000), TtEntry::MAX_DEPTH);
        assert!(TtEntry::MIN_DEPTH < 0 && TtEntry::MAX_DEPTH as usize >= crate::types::MAX_PLY);
    }

    #[test]
    fn generations_wrap_around() {
        assert_eq!(Generation::of(1).relative_age(Generation::of(31)), 2);
        assert_eq!(Generation::of(0).relative_age(Generation::of(255)), 1);
        assert_eq!(NOW.relative_age(NOW), 0);
    }

    #[test]
    fn an_empty_entry_is_replaced_first() {
        let worst = Packed::new(TtEntry { depth: TtEntry::MIN_DEPTH, ..PLAIN }, Generation::of(10));
        assert!(Packed(0).replacement_value(NOW) < worst.replacement_value(NOW));
    }

    #[test]
    fn each_generation_of_age_costs_eight_plies() {
        let worth =
            |depth, search| Packed::new(TtEntry { depth, ..PLAIN }, search).replacement_value(NOW);
        assert!(worth(3, NOW) > worth(10, EARLIER));
        assert_eq!(worth(3, NOW), worth(11, EARLIER));
        assert!(worth(3, NOW) < worth(12, EARLIER));
    }

    fn merge(old: TtEntry, old_generation: Generation, new: TtEntry) -> Packed {
        Packed::new(old, old_generation).merged(Packed::new(new, NOW))
    }

    #[test]
    fn the_old_move_is_kept_when_the_new_is_none() {
        let old = TtEntry { mv: mv("7g7f"), ..PLAIN };
        let new = TtEntry { depth: 20, score: Score(99), ..PLAIN };
        assert_eq!(merge(old, NOW, new).entry(), TtEntry { mv: mv("7g7f"), ..new });
    }

    #[test]
    fn a_new_move_displaces_the_old() {
        let old = TtEntry { mv: mv("7g7f"), ..PLAIN };
        let new = TtEntry { mv: mv("P*5e"), ..PLAIN };
        assert_eq!(merge(old, NOW, new).entry(), new);
    }

    #[test]
    fn a_result_four_plies_shallower_leaves_only_its_move() {
        let old = TtEntry { mv: mv("7g7f"), depth: 10, ..PLAIN };
        let new = TtEntry { mv: mv("2g2f"), depth: 6, score: Score(99), ..PLAIN };
        assert_eq!(merge(old, NOW, new).entry(), TtEntry { mv: new.mv, ..old });
    }

    #[test]
    fn a_result_three_plies_shallower_displaces() {
        let new = TtEntry { depth: 7, score: Score(99), ..PLAIN };
        assert_eq!(merge(PLAIN, NOW, new).entry(), new);
    }

    #[test]
    fn a_result_on_the_principal_variation_counts_two_plies_more() {
        let new = |depth| TtEntry { depth, is_pv: true, ..PLAIN };
        assert_eq!(merge(PLAIN, NOW, new(5)).entry(), new(5));
        assert_eq!(merge(PLAIN, NOW, new(4)).entry(), PLAIN);
    }

    #[test]
    fn an_exact_result_displaces_whatever_its_depth() {
        let new = TtEntry { depth: -1, bound: Bound::Exact, ..PLAIN };
        assert_eq!(merge(PLAIN, NOW, new).entry(), new);
    }

    #[test]
    fn a_result_of_an_earlier_search_is_displaced_whatever_its_depth() {
        let new = TtEntry { depth: -1, ..PLAIN };
        let merged = merge(PLAIN, EARLIER, new);
        assert_eq!((merged.entry(), merged.generation()), (new, NOW));
    }
}
