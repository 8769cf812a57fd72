//! Detects that the slots directly ahead probe the same bit, before those slots are decided.

use crate::bank::IndexCompare;
use crate::prelude::*;

/// The match of a slot with the one `distance` ahead, early for the new-bit count and late for the flags.
///
/// Positions are taken when the slot behind stands in stage 6. `early` is valid when it stands in stage 8, `following` in stage 9, `late_bit` and `late_word` when
/// the slot ahead stands in the decision stage.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct NearMatch {
    about: About,
    pub clock: Signal<In, Clock>,
    pub ahead: Bus<In>,
    pub behind: Bus<In>,
    pub inserting: Wire<In>,
    pub early: Wire<Out>,
    pub following: Wire<Out>,
    pub late_bit: Wire<Out>,
    pub late_word: Wire<Out>,
    compare: IndexCompare,
    bit_delay: Vec<Flag>,
    word_delay: Vec<Flag>,
    delay: usize,
    last: usize,
}

impl NearMatch {
    /// `delay` clocks (at least 2) from stage 8 of the slot behind until the slot ahead is decided.
    pub fn new(index_bits: usize, delay: usize) -> Self {
        Self {
            about: About::new(
                "near_match",
                "Match with a slot directly ahead: early for the count of new bits, late for the flags.",
            ),
            clock: Default::default(),
            ahead: Bus::new(index_bits).doc("probe position of the slot ahead"),
            behind: Bus::new(index_bits).doc("probe position of the slot behind, stage 6"),
            inserting: Wire::default().doc("the slot ahead inserts (one clock after its position)"),
            early: Wire::default().doc("same bit, slot behind in stage 8"),
            following: Wire::default().doc("same bit, slot behind in stage 9"),
            late_bit: Wire::default().doc("same bit, slot ahead in the decision stage"),
            late_word: Wire::default().doc("same word, slot ahead in the decision stage"),
            compare: IndexCompare::new(index_bits),
            bit_delay: (0..delay).map(|_| Flag::default()).collect(),
            word_delay: (0..delay).map(|_| Flag::default()).collect(),
            delay,
            last: delay - 1,
        }
    }
}

impl Logic for NearMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.compare.ahead.next = self.ahead.val();
        self.compare.behind.next = self.behind.val();
        self.compare.inserting.next = self.inserting.val();
        self.bit_delay[0].d.next = self.compare.same_bit.val();
        self.word_delay[0].d.next = self.compare.same_word.val();
        for i in 1..self.delay {
            self.bit_delay[i].d.next = self.bit_delay[i - 1].q.val();
            self.word_delay[i].d.next = self.word_delay[i - 1].q.val();
        }
        self.early.next = self.compare.same_bit.val();
        self.following.next = self.bit_delay[0].q.val();
        for i in self.last..self.delay {
            self.late_bit.next = self.bit_delay[i].q.val();
            self.late_word.next = self.word_delay[i].q.val();
        }
    }
}
