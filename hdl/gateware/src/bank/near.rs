//! Detects that the slots directly ahead probe the same bit, before those slots are decided.

use crate::bank::IndexCompare;
use crate::prelude::*;

block! {
    /// The match of a slot with the one `distance` ahead, early for the new-bit count and late for the flags.
    ///
    /// Positions are taken when the slot behind stands in stage 6. `early` is valid when it stands in stage 8, `following` in stage 9, `late_bit` and `late_word` when
    /// the slot ahead stands in the decision stage.
    /// New inputs in every clock. No reset.
    pub struct NearMatch {
        about: About = About::new(
            "near_match",
            "Match with a slot directly ahead: early for the count of new bits, late for the flags.",
        ),
        pub clock: Signal<In, Clock>,
        pub ahead: Bus<In> = Bus::new(index_bits).doc("probe position of the slot ahead"),
        pub behind: Bus<In> = Bus::new(index_bits).doc("probe position of the slot behind, stage 6"),
        pub inserting: Wire<In> = Wire::default().doc("the slot ahead inserts (one clock after its position)"),
        pub early: Wire<Out> = Wire::default().doc("same bit, slot behind in stage 8"),
        pub following: Wire<Out> = Wire::default().doc("same bit, slot behind in stage 9"),
        pub late_bit: Wire<Out> = Wire::default().doc("same bit, slot ahead in the decision stage"),
        pub late_word: Wire<Out> = Wire::default().doc("same word, slot ahead in the decision stage"),
        compare: IndexCompare = IndexCompare::new(index_bits),
        bit_delay: Vec<Flag> = (0..delay).map(|_| Flag::default()).collect(),
        word_delay: Vec<Flag> = (0..delay).map(|_| Flag::default()).collect(),
        delay: usize = delay,
        last: usize = delay - 1,
    }

    /// `delay` clocks (at least 2) from stage 8 of the slot behind until the slot ahead is decided.
    pub fn new(index_bits: usize, delay: usize) {}
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
