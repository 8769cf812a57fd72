//! Compares the word addresses of two slots.

use crate::prelude::*;

/// Compares two word addresses in one clock; the last AND stands behind the registers, where its user combines it with more.
///
/// Timing: one clock from `ahead`/`behind` to `same`.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct WordCompare {
    about: About,
    pub clock: Signal<In, Clock>,
    pub ahead: Bus<In>,
    pub behind: Bus<In>,
    pub same: Wire<Out>,
    equal_low: Flag,
    equal_high: Flag,
    low_bits: usize,
    high_bits: usize,
    high_from: usize,
}

impl WordCompare {
    /// For word addresses of `address_bits` bits (at least 2).
    pub fn new(address_bits: usize) -> Self {
        let low_bits = address_bits / 2;
        Self {
            about: About::new(
                "word_compare",
                "Do two slots go to the same word? Half of the address a register, so that no comparison is wide.",
            ),
            clock: Default::default(),
            ahead: Bus::new(address_bits).doc("word address of the slot ahead"),
            behind: Bus::new(address_bits).doc("word address of the slot behind"),
            same: Wire::default().doc("they are equal, one clock later"),
            equal_low: Default::default(),
            equal_high: Default::default(),
            low_bits,
            high_bits: address_bits - low_bits,
            high_from: low_bits,
        }
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
