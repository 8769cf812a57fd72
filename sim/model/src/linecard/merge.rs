use bloomline_spec::LANES;
use std::collections::VecDeque;

/// The lane merge on every clock: which lane's item is on offer, and which verdicts wait for whom.
///
/// What it shows are functions of its state and of the offers of the same clock; [`LaneMergeModel::clock`] moves to the next.
#[derive(Debug, Clone, Default)]
pub struct LaneMergeModel {
    lane: usize,
    verdicts: [VecDeque<bool>; LANES],
}

impl LaneMergeModel {
    /// The lane whose turn it is: `item_tid`, also where it offers nothing.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// The lane whose item is on offer to the card in a clock in which the lanes offer as told.
    pub fn offers(&self, offered: [bool; LANES]) -> Option<usize> {
        offered[self.lane].then_some(self.lane)
    }

    /// `item_i_tready` of the lanes, where the card's is `item_tready`.
    pub fn ready(&self, item_tready: bool) -> [bool; LANES] {
        std::array::from_fn(|lane| lane == self.lane && item_tready)
    }

    /// Bit 0 of the verdict that each lane is offered, if it is offered one.
    pub fn verdicts(&self) -> [Option<bool>; LANES] {
        std::array::from_fn(|lane| self.verdicts[lane].front().copied())
    }

    /// Verdicts that wait for a lane.
    pub fn waiting(&self, lane: usize) -> usize {
        self.verdicts[lane].len()
    }

    /// One clock: what the lanes offer, whether the card takes items, the verdict that came (lane, its bit 0), and which lanes take verdicts.
    pub fn clock(
        &mut self,
        reset: bool,
        offered: [bool; LANES],
        item_tready: bool,
        verdict: Option<(usize, bool)>,
        taken: [bool; LANES],
    ) {
        if reset {
            *self = LaneMergeModel::default();
            return;
        }
        let stands = offered[self.lane] && !item_tready;
        if !stands {
            self.lane = 1 - self.lane;
        }
        for (queue, taken) in self.verdicts.iter_mut().zip(taken) {
            if taken {
                queue.pop_front();
            }
        }
        if let Some((lane, seen)) = verdict {
            self.verdicts[lane].push_back(seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [bool; LANES] = [false; LANES];

    #[test]
    fn with_nothing_offered_the_lanes_are_asked_in_turn() {
        let mut merge = LaneMergeModel::default();
        for clock in 0..6 {
            assert_eq!((merge.lane(), merge.offers(NONE)), (clock % 2, None));
            merge.clock(false, NONE, clock % 3 == 0, None, NONE);
        }
    }

    #[test]
    fn an_offer_that_stands_is_not_taken_back_and_then_it_is_the_others_turn() {
        let mut merge = LaneMergeModel::default();
        for _ in 0..5 {
            assert_eq!(merge.offers([true; LANES]), Some(0));
            assert_eq!(merge.ready(false), NONE);
            merge.clock(false, [true; LANES], false, None, NONE);
        }
        assert_eq!(merge.ready(true), [true, false]);
        merge.clock(false, [true; LANES], true, None, NONE);
        assert_eq!(merge.offers([true; LANES]), Some(1));
        assert_eq!(merge.ready(true), [false, true]);
    }

    #[test]
    fn verdicts_are_their_lanes_own_from_the_next_clock_on_and_in_order() {
        let mut merge = LaneMergeModel::default();
        for (lane, seen) in [(1, true), (0, false), (1, false)] {
            merge.clock(false, NONE, false, Some((lane, seen)), NONE);
        }
        assert_eq!(merge.verdicts(), [Some(false), Some(true)]);
        merge.clock(false, NONE, false, None, [false, true]);
        assert_eq!(merge.verdicts(), [Some(false), Some(false)]);
        assert_eq!((merge.waiting(0), merge.waiting(1)), (1, 1));
        merge.clock(true, NONE, false, Some((0, true)), NONE);
        assert_eq!(merge.verdicts(), [None; LANES]);
    }
}
