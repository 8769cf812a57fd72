//! Event counter whose events come from another clock domain.

use crate::mac::Synchroniser;
use crate::prelude::*;

/// Bits of the number that crosses.
const CROSSING: usize = 4;

block! {
    /// Counts in 64 bits, in one clock, what happens in another; the upper half follows the lower one clock later.
    ///
    /// Exact for up to 15 events between two edges of `clock`. Timing: `docs/mac.md`, "Counters".
    /// `reset` is synchronous and active high.
    pub struct MacCounter {
        about: About = About::new(
            "mac_counter",
            "Counts in one clock the events of another: a small number crosses in Gray code.",
        ),
        pub event_clock: Signal<In, Clock>,
        pub event_reset: Wire<In> = Wire::default().doc("with reset, and not after it"),
        pub event: Wire<In> = Wire::default().doc("one more, in event_clock"),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("back to zero"),
        pub count: Bus<Out> = Bus::new(64).doc("how many, in clock; the upper half a clock late"),
        number: ResetReg = ResetReg::new(CROSSING).doc("events, modulo 16"),
        gray: ResetReg = ResetReg::new(CROSSING).doc("the same in Gray code"),
        seen: Synchroniser = Synchroniser::new(CROSSING),
        before: ResetReg = ResetReg::new(CROSSING).doc("events a clock ago"),
        more: ResetReg = ResetReg::new(CROSSING).doc("events in the clock before"),
        low: ResetReg = ResetReg::new(32).doc("lower half"),
        carry: ResetFlag,
        high_half: ResetReg = ResetReg::new(32).doc("upper half as it was a clock ago"),
        sum: Bus<Local> = Bus::new(33),
        next: Bus<Local> = Bus::new(CROSSING),
        high: Bus<Local> = Bus::new(CROSSING),
        now: Bus<Local> = Bus::new(CROSSING).doc("events, as seen here"),
    }
}

impl Logic for MacCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, event_clock, number, gray);
        self.number.reset.next = self.event_reset.val();
        self.gray.reset.next = self.event_reset.val();
        self.seen.reset.next = self.reset.val();
        self.before.reset.next = self.reset.val();
        self.more.reset.next = self.reset.val();
        self.low.reset.next = self.reset.val();
        self.carry.reset.next = self.reset.val();
        self.high_half.reset.next = self.reset.val();
        self.next.next = self.number.q.val() + bits_of(self.event.val(), 4);
        self.number.d.next = self.next.val();
        self.gray.d.next = self.next.val() ^ (self.next.val() >> 1);
        self.seen.d.next = self.gray.q.val();
        self.high.next = self.seen.q.val() ^ (self.seen.q.val() >> 1);
        self.now.next = self.high.val() ^ (self.high.val() >> 2);
        self.before.d.next = self.now.val();
        self.more.d.next = self.now.val() - self.before.q.val();
        self.sum.next = bits_to(self.low.q.val(), 33) + bits_to(self.more.q.val(), 33);
        self.low.d.next = bits_to(self.sum.val(), 32);
        self.carry.d.next = self.sum.val().get_bit(32);
        self.high_half.d.next = self.high_half.q.val() + bits_of(self.carry.q.val(), 32);
        self.count.next =
            (bits_to(self.high_half.q.val(), 64) << 32) | bits_to(self.low.q.val(), 64);
    }
}
