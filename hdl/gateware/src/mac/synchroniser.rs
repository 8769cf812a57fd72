//! Two-register synchroniser.

use crate::prelude::*;

block! {
    /// Takes a value of another clock into this one: two registers, nothing between.
    ///
    /// `d` changes in one bit between two edges of `clock`, or its bits are flags of which each stands for itself. Timing: `docs/mac.md`.
    /// `reset` is synchronous and active high.
    pub struct Synchroniser {
        about: About = About::new("synchroniser", "Two registers against metastability."),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("all 0"),
        pub d: Bus<In> = Bus::new(width).doc("of another clock"),
        pub q: Bus<Out> = Bus::new(width).doc("of this one, two edges later"),
        first: ResetReg = ResetReg::new(width).asynchronous().doc("may be metastable: nothing else reads it"),
        second: ResetReg = ResetReg::new(width).asynchronous(),
    }

    /// Of `width` bits.
    pub fn new(width: usize) {}
}

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.reset.next = self.reset.val();
        self.second.reset.next = self.reset.val();
        self.first.d.next = self.d.val();
        self.second.d.next = self.first.q.val();
        self.q.next = self.second.q.val();
    }
}
