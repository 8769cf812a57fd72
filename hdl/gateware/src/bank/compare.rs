//! Compares the bit positions of two slots: same word, same bit.

use crate::bank::WordCompare;
use crate::prelude::*;

block! {
    /// Compares the probe positions of two slots in two clocks.
    ///
    /// ```text
    /// ahead, behind -> per part: equal -> [reg] -> same word / same bit and the slot ahead inserts -> [reg]
    /// ```
    ///
    /// Timing: two clocks from `ahead`/`behind` to `same_word`/`same_bit`; `inserting` (the slot ahead inserts) is sampled one clock after the positions.
    /// New inputs in every clock. No reset.
    pub struct IndexCompare {
        about: About = About::new(
            "index_compare",
            "Do two slots probe the same word, or the same bit? Two clocks, so that no comparison is wider than 20 inputs.",
        ),
        pub clock: Signal<In, Clock>,
        pub ahead: Bus<In> = Bus::new(index_bits).doc("probe position of the slot ahead"),
        pub behind: Bus<In> = Bus::new(index_bits).doc("probe position of the slot behind"),
        pub inserting: Wire<In> = Wire::default().doc("the slot ahead inserts (one clock after its position)"),
        pub same_word: Wire<Out> = Wire::default().doc("both lie in one memory word"),
        pub same_bit: Wire<Out> = Wire::default().doc("both are one bit and the slot ahead inserts"),
        word: WordCompare = WordCompare::new(word_bits),
        equal_offset: Flag,
        word_equal: Flag,
        bit_equal: Flag,
        word_bits: usize = word_bits,
    }

    /// For probe positions of `index_bits` bits (at least 7: two word-address bits above the five of the bit in the word).
    pub fn new(index_bits: usize) {
        let word_bits = index_bits - OFFSET_BITS;
    }
}

impl Logic for IndexCompare {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal_offset.d.next =
            bits_to(self.ahead.val(), OFFSET_BITS) == bits_to(self.behind.val(), OFFSET_BITS);
        self.word.ahead.next = bits_to(self.ahead.val() >> 5, self.word_bits);
        self.word.behind.next = bits_to(self.behind.val() >> 5, self.word_bits);
        self.word_equal.d.next = self.word.same.val();
        self.bit_equal.d.next =
            self.word.same.val() && self.equal_offset.q.val() && self.inserting.val();
        self.same_word.next = self.word_equal.q.val();
        self.same_bit.next = self.bit_equal.q.val();
    }
}
