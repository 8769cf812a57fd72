//! Compares the positions of two slots in a bank.

use crate::prelude::*;

/// Compares two positions in two clocks, a third of them a register in between.
///
/// Timing: two clocks from `ahead`/`behind` to `same`; `inserting` (the slot ahead inserts) is sampled one clock after the positions.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct PositionCompare {
    about: About,
    pub clock: Signal<In, Clock>,
    pub ahead: Bus<In>,
    pub behind: Bus<In>,
    pub inserting: Wire<In>,
    pub same: Wire<Out>,
    equal_low: Flag,
    equal_middle: Flag,
    equal_high: Flag,
    same_r: Flag,
    part: usize,
    middle_from: usize,
    high_from: usize,
    high_bits: usize,
}

impl PositionCompare {
    /// For positions of `index_bits` bits (at least 7).
    pub fn new(index_bits: usize) -> Self {
        let part = index_bits.div_ceil(3);
        Self {
            about: About::new(
                "position_compare",
                "Do two slots probe one bit, and does the slot ahead insert? Two clocks, so that no comparison is wide.",
            ),
            clock: Default::default(),
            ahead: Bus::new(index_bits).doc("position of the slot ahead"),
            behind: Bus::new(index_bits).doc("position of the slot behind"),
            inserting: Wire::default().doc("the slot ahead inserts (one clock after its position)"),
            same: Wire::default().doc("both are one bit and the slot ahead inserts, two clocks later"),
            equal_low: Default::default(),
            equal_middle: Default::default(),
            equal_high: Default::default(),
            same_r: Default::default(),
            part,
            middle_from: part,
            high_from: 2 * part,
            high_bits: index_bits - 2 * part,
        }
    }
}

impl Logic for PositionCompare {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal_low.d.next =
            bits_to(self.ahead.val(), self.part) == bits_to(self.behind.val(), self.part);
        self.equal_middle.d.next = bits_to(self.ahead.val() >> self.middle_from, self.part)
            == bits_to(self.behind.val() >> self.middle_from, self.part);
        self.equal_high.d.next = bits_to(self.ahead.val() >> self.high_from, self.high_bits)
            == bits_to(self.behind.val() >> self.high_from, self.high_bits);
        self.same_r.d.next = self.equal_low.q.val()
            && self.equal_middle.q.val()
            && self.equal_high.q.val()
            && self.inserting.val();
        self.same.next = self.same_r.q.val();
    }
}
