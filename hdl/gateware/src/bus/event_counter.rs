//! A 64-bit event counter.

use crate::prelude::*;

/// Counts one event a clock in 64 bits; the upper half follows the lower one clock later.
///
/// An event in clock t shows in `low` in clock t + 2. `low` in clock t and `high` in clock t + 1 are one value.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct EventCounter {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub event: Wire<In>,
    pub low: Bus<Out>,
    pub high: Bus<Out>,
    low_r: Reg,
    high_r: Reg,
    event_r: Flag,
    sum: Bus<Local>,
    carry: Flag,
    zero: Const,
}

impl Default for EventCounter {
    fn default() -> Self {
        Self {
            about: About::new(
                "event_counter",
                "Counts events in 64 bits. The upper half takes the carry a clock later: low now and high in the next clock are one value.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("back to zero"),
            event: Wire::default().doc("count"),
            low: Bus::new(32).doc("lower half"),
            high: Bus::new(32).doc("upper half as it was a clock ago"),
            low_r: Reg::new(32),
            high_r: Reg::new(32),
            event_r: Default::default(),
            sum: Bus::new(33),
            carry: Default::default(),
            zero: Const::new(0, 32),
        }
    }
}

impl Logic for EventCounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.event_r.d.next = self.event.val();
        self.sum.next = bits_to(self.low_r.q.val(), 33) + bits_of(self.event_r.q.val(), 33);
        self.low_r.d.next = bits_to(self.sum.val(), 32);
        self.carry.d.next = self.sum.val().get_bit(32);
        self.high_r.d.next = self.high_r.q.val() + bits_of(self.carry.q.val(), 32);
        if self.reset.val() {
            self.event_r.d.next = false;
            self.low_r.d.next = self.zero.val();
            self.high_r.d.next = self.zero.val();
            self.carry.d.next = false;
        }
        self.low.next = self.low_r.q.val();
        self.high.next = self.high_r.q.val();
    }
}
