//! Compares the positions of two slots in a bank.

use crate::prelude::*;

block! {
    /// Compares two positions in two clocks, a third of them a register in between; or, where there is no time for that, in one, or in the same clock.
    ///
    /// Timing: `clocks` (2, 1 or 0) from `ahead`/`behind` to `same`; `inserting` (the slot ahead inserts) is sampled in the last of them.
    /// New inputs in every clock. No reset.
    pub struct PositionCompare {
        about: About = About::new("position_compare", text),
        pub clock: Signal<In, Clock>,
        pub ahead: Bus<In> = Bus::new(index_bits).doc("position of the slot ahead"),
        pub behind: Bus<In> = Bus::new(index_bits).doc("position of the slot behind"),
        pub inserting: Wire<In> = Wire::default().doc(match clocks {
            2 => "the slot ahead inserts (one clock after its position)",
            _ => "the slot ahead inserts",
        }),
        pub same: Wire<Out> = Wire::default().doc(match clocks {
            0 => "both are one bit and the slot ahead inserts",
            1 => "both are one bit and the slot ahead inserts, one clock later",
            _ => "both are one bit and the slot ahead inserts, two clocks later",
        }),
        equal_low: Optional<Flag> = Optional::new(clocks == 2, Flag::default()),
        equal_middle: Optional<Flag> = Optional::new(clocks == 2, Flag::default()),
        equal_high: Optional<Flag> = Optional::new(clocks == 2, Flag::default()),
        same_r: Optional<Flag> = Optional::new(clocks > 0, Flag::default()),
        clocks: usize = clocks,
        part: usize = part,
        middle_from: usize = part,
        high_from: usize = 2 * part,
        high_bits: usize = index_bits - 2 * part,
    }

    /// A comparison that takes `clocks` clocks, at most two.
    pub fn within(clocks: usize, index_bits: usize) {
        let part = index_bits.div_ceil(3);
        let text = match clocks {
            0 => "Do two slots probe one bit, and does the slot ahead insert? In the same clock.",
            1 => "Do two slots probe one bit, and does the slot ahead insert? One clock.",
            _ => "Do two slots probe one bit, and does the slot ahead insert? Two clocks, so that no comparison is wide.",
        };
    }
}

impl PositionCompare {
    /// For positions of `index_bits` bits (at least 7).
    pub fn new(index_bits: usize) -> Self {
        PositionCompare::within(2, index_bits)
    }
}

impl Logic for PositionCompare {
    #[hdl_gen]
    fn update(&mut self) {
        if self.clocks == 0 {
            self.same.next = (self.ahead.val() == self.behind.val()) && self.inserting.val();
        }
        if self.clocks == 1 {
            self.same_r.d.next = (self.ahead.val() == self.behind.val()) && self.inserting.val();
            self.same.next = self.same_r.q.val();
        }
        if self.clocks == 2 {
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
}
