//! Compares the word addresses of two slots.

use crate::prelude::*;

block! {
    /// Compares two word addresses in one clock; the last AND stands behind the registers, where its user combines it with more.
    ///
    /// Timing: one clock from `ahead`/`behind` to `same`.
    /// New inputs in every clock. No reset.
    pub struct WordCompare {
        about: About = About::new(
            "word_compare",
            "Do two slots go to the same word? Half of the address a register, so that no comparison is wide.",
        ),
        pub clock: Signal<In, Clock>,
        pub ahead: Bus<In> = Bus::new(address_bits).doc("word address of the slot ahead"),
        pub behind: Bus<In> = Bus::new(address_bits).doc("word address of the slot behind"),
        pub same: Wire<Out> = Wire::default().doc("they are equal, one clock later"),
        equal_low: Flag,
        equal_high: Flag,
        low_bits: usize = low_bits,
        high_bits: usize = address_bits - low_bits,
        high_from: usize = low_bits,
    }

    /// For word addresses of `address_bits` bits (at least 2).
    pub fn new(address_bits: usize) {
        let low_bits = address_bits / 2;
    }
}

impl Logic for WordCompare {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal_low.d.next =
            bits_to(self.ahead.val(), self.low_bits) == bits_to(self.behind.val(), self.low_bits);
        self.equal_high.d.next = bits_to(self.ahead.val() >> self.high_from, self.high_bits)
            == bits_to(self.behind.val() >> self.high_from, self.high_bits);
        self.same.next = self.equal_low.q.val() && self.equal_high.q.val();
    }
}
