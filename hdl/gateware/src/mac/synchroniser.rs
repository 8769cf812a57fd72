//! Two-register synchroniser.

use crate::prelude::*;

/// Takes a value of another clock into this one: two registers, nothing between.
///
/// `d` changes in one bit between two edges of `clock`, or its bits are flags of which each stands for itself. Timing: `docs/mac.md`.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct Synchroniser {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub d: Bus<In>,
    pub q: Bus<Out>,
    first: ResetReg,
    second: ResetReg,
}

impl Synchroniser {
    /// Of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            about: About::new("synchroniser", "Two registers against metastability."),
            clock: Default::default(),
            reset: Wire::default().doc("all 0"),
            d: Bus::new(width).doc("of another clock"),
            q: Bus::new(width).doc("of this one, two edges later"),
            first: ResetReg::new(width).doc("may be metastable: nothing else reads it"),
            second: ResetReg::new(width),
        }
    }
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
