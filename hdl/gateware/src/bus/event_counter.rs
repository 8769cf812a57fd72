//! An event counter.

use crate::prelude::*;
use bloomline_spec::CounterWidth;

/// Counts one event a clock in 64 bits, the upper half following the lower one clock later, or in 32 bits, without an upper half.
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
    pub high: Optional<Bus<Out>>,
    low_r: Reg,
    high_r: Optional<Reg>,
    event_r: Flag,
    sum: Optional<Bus<Local>>,
    carry: Optional<Flag>,
    zero: Const,
    long: bool,
}

impl EventCounter {
    /// A counter of this width; none where none is built.
    pub fn of(width: CounterWidth) -> Self {
        let long = width == CounterWidth::Bits64;
        Self {
            about: match long {
                true => About::new(
                    "event_counter",
                    "Counts events in 64 bits. The upper half takes the carry a clock later: low now and high in the next clock are one value.",
                ),
                false => About::new("event_counter_32", "Counts events in 32 bits, modulo 2^32."),
            },
            clock: Default::default(),
            reset: Wire::default().doc("back to zero"),
            event: Wire::default().doc("count"),
            low: Bus::new(32).doc(if long { "lower half" } else { "count" }),
            high: Optional::new(long, Bus::new(32).doc("upper half as it was a clock ago")),
            low_r: Reg::new(32),
            high_r: Optional::new(long, Reg::new(32)),
            event_r: Default::default(),
            sum: Optional::new(long, Bus::new(33)),
            carry: Optional::new(long, Flag::default()),
            zero: Const::new(0, 32),
            long,
        }
    }
}

impl Default for EventCounter {
    /// A counter of 64 bits.
    fn default() -> Self {
        EventCounter::of(CounterWidth::Bits64)
    }
}

impl Logic for EventCounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.event_r.d.next = self.event.val();
        if self.long {
            self.sum.next = bits_to(self.low_r.q.val(), 33) + bits_of(self.event_r.q.val(), 33);
            self.low_r.d.next = bits_to(self.sum.val(), 32);
            self.carry.d.next = self.sum.val().get_bit(32);
            self.high_r.d.next = self.high_r.q.val() + bits_of(self.carry.q.val(), 32);
        } else {
            self.low_r.d.next = self.low_r.q.val() + bits_of(self.event_r.q.val(), 32);
        }
        if self.reset.val() {
            self.event_r.d.next = false;
            self.low_r.d.next = self.zero.val();
            if self.long {
                self.high_r.d.next = self.zero.val();
                self.carry.d.next = false;
            }
        }
        self.low.next = self.low_r.q.val();
        if self.long {
            self.high.next = self.high_r.q.val();
        }
    }
}
