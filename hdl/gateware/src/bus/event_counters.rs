//! The counters of a register file.

use crate::bus::SmallMemory;
use crate::prelude::*;

/// Clocks between two reads of a host at least: `RegisterFile` takes them one at a time.
const READ_CLOCKS: usize = 5;
/// Clocks from reading a word of the memory to writing it.
const WRITE_CLOCKS: usize = 2;

block! {
    /// Counts events, one a clock of each kind at most, in 64 bits each or in 32 (modulo 2^32), with one adder and one small memory for all of them.
    ///
    /// Each event has a narrow counter that wraps. The memory holds the bits above it, and the top bit that the narrow counter had when they were
    /// written: where that bit has fallen from 1 to 0 since, the counter has wrapped, and the bits above take a carry. The counters are updated round
    /// robin, one in every clock, before half of a narrow counter's range can pass; a host's read takes the place of one of these updates.
    ///
    /// `read` with `which` in clock t: `low` in clock t + 2 and `high` in clock t + 3 are the count of the events up to clock t. New inputs in every
    /// clock. `reset` is synchronous and active high; it makes the words of the memory invalid and does not write them.
    pub struct EventCounters {
        about: About = About::new(
            "event_counters",
            format!(
                "{counters} counters of {} bits. Each event has a counter of {narrow} bits that wraps; a memory holds the bits above it,\nwhich one adder updates round robin, and for each read of a host.",
                if long { 64 } else { 32 }
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("all back to zero"),
        pub event: Vec<Wire<In>> = names
            .iter()
            .map(|name| Wire::default().doc(format!("count in {name}")))
            .collect(),
        pub read: Wire<In> = Wire::default().doc("read a counter"),
        pub which: Bus<In> = Bus::new(place_bits).doc("its number"),
        pub low: Bus<Out> = Bus::new(32).doc(if long {
            "lower half, two clocks behind `read`"
        } else {
            "its value, two clocks behind `read`"
        }),
        pub high: Optional<Bus<Out>> = Optional::new(long, Bus::new(32).doc("upper half, three clocks behind `read`")),
        recent: Vec<Reg> = (0..counters)
            .map(|_| Reg::new(narrow).doc("lowest bits of the count; wraps"))
            .collect(),
        valid: Reg = Reg::new(1 << place_bits).doc("bit i: the words of counter i are valid"),
        due: Flag = Flag::default().doc("not reset since the words were read"),
        due_late: Flag,
        turn: Reg = Reg::new(place_bits).doc("round robin: the next counter"),
        last_turn: Flag = Flag::with_init(counters == 1).doc("turn is the last counter"),
        place: Reg = Reg::new(place_bits).doc("the counter that is updated"),
        here: Vec<Wire<Local>> = (0..counters).map(|_| Wire::default()).collect(),
        number: Vec<Const> = (0..counters)
            .map(|c| Const::new(c as u128, place_bits))
            .collect(),
        recent_here: Bus<Local> = Bus::new(narrow),
        valid_here: Wire<Local>,
        place_late: Reg = Reg::new(place_bits),
        recent_late: Reg = Reg::new(narrow),
        valid_late: Optional<Flag> = Optional::new(long, Flag::default()),
        above: Reg = Reg::new(wide).doc("bits above the narrow counter, and its top bit when they were written"),
        wrapped: Flag = Flag::default().doc("the narrow counter has wrapped since"),
        sum: Bus<Local> = Bus::new(wide),
        written: Reg = Reg::new(wide),
        place_later: Reg = Reg::new(place_bits),
        memory: SmallMemory = SmallMemory::new("counter_memory", 1 << place_bits, wide),
        place_latest: Optional<Reg> = Optional::new(long, Reg::new(place_bits)),
        due_latest: Optional<Flag> = Optional::new(long, Flag::default()),
        upper: Optional<Reg> = Optional::new(long, Reg::new(32)),
        carry: Optional<Flag> = Optional::new(long, Flag::default()),
        upper_sum: Optional<Bus<Local>> = Optional::new(long, Bus::new(32)),
        upper_written: Optional<Reg> = Optional::new(long, Reg::new(32)),
        upper_memory: Optional<SmallMemory> = Optional::new(
            long,
            SmallMemory::new("counter_memory", 1 << place_bits, 32),
        ),
        first: Const = Const::new(0, place_bits),
        before_last: Const = Const::new(before_last, place_bits),
        no_events: Const = Const::new(0, narrow),
        none_valid: Const = Const::new(0, 1 << place_bits),
        no_word: Const = Const::new(0, wide),
        zero: Const = Const::new(0, 32),
        narrow: usize = narrow,
        wide: usize = wide,
        place_bits: usize = place_bits,
        places: usize = 1 << place_bits,
        long: bool = long,
    }

    /// Counters of these names, one at least, of 64 bits (`long`) or 32.
    pub fn new(names: &[&str], long: bool) {
        let counters = names.len();
        let place_bits = Self::place_bits(counters);
        let before_last = counters.saturating_sub(2) as u128;
        // Between two updates of a counter are those of the others and the reads of a host. An update within `WRITE_CLOCKS` of the one before
        // still reads the words that were there before both. Half of the narrow counter's range has to cover the two together.
        let mut between = counters;
        while between < counters + between.div_ceil(READ_CLOCKS) {
            between += 1;
        }
        let narrow = clog2(between + WRITE_CLOCKS) + 1;
        let wide = 32 - narrow + 1;
    }
}

impl EventCounters {
    /// Bits of a number of one of `counters` counters.
    pub fn place_bits(counters: usize) -> usize {
        clog2(counters).max(1)
    }
}

impl Logic for EventCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("round robin; a read comes first");
        self.place.d.next = self.turn.q.val();
        self.turn.d.next = self.turn.q.val() + bits_to(1, self.place_bits);
        self.last_turn.d.next = self.turn.q.val() == self.before_last.val();
        if self.last_turn.q.val() {
            self.turn.d.next = self.first.val();
        }
        if self.read.val() {
            self.place.d.next = self.which.val();
            self.turn.d.next = self.turn.q.val();
            self.last_turn.d.next = self.last_turn.q.val();
        }
        self.recent_here.next = self.no_events.val();
        self.valid_here.next = self.valid.q.val().get_bit(self.place.q.val());
        for c in 0..self.event.len() {
            self.here[c].next = self.place.q.val() == self.number[c].val();
            if self.here[c].val() {
                self.recent_here.next = self.recent_here.val() | self.recent[c].q.val();
            }
            self.recent[c].d.next =
                self.recent[c].q.val() + bits_of(self.event[c].val(), self.narrow);
        }
        self.place_late.d.next = self.place.q.val();
        self.recent_late.d.next = self.recent_here.val();
        self.memory.read_address.next = self.place.q.val();
        self.above.d.next = self.memory.read_data.val();
        self.wrapped.d.next = self.memory.read_data.val().get_bit(0)
            && !self.recent_here.val().get_bit(self.narrow - 1);
        if !self.valid_here.val() {
            self.above.d.next = self.no_word.val();
            self.wrapped.d.next = false;
        }

        comment!("update");
        self.sum.next = (self.above.q.val() >> 1) + bits_of(self.wrapped.q.val(), self.wide);
        self.low.next =
            (bits_to(self.sum.val(), 32) << self.narrow) | bits_to(self.recent_late.q.val(), 32);
        self.written.d.next = (self.sum.val() << 1)
            | bits_of(self.recent_late.q.val().get_bit(self.narrow - 1), self.wide);
        self.due.d.next = !self.reset.val();

        comment!("write back");
        self.place_later.d.next = self.place_late.q.val();
        self.due_late.d.next = self.due.q.val() && !self.reset.val();
        self.memory.write_enable.next = self.due_late.q.val();
        self.memory.write_address.next = self.place_later.q.val();
        self.memory.write_data.next = self.written.q.val();
        self.valid.d.next = self.valid.q.val();
        if self.due_late.q.val() {
            self.valid.d.next =
                self.valid.q.val() | (bits_to(1, self.places) << self.place_later.q.val());
        }
        if self.reset.val() {
            self.valid.d.next = self.none_valid.val();
            for c in 0..self.event.len() {
                self.recent[c].d.next = self.no_events.val();
            }
        }

        if self.long {
            comment!("upper half");
            self.valid_late.d.next = self.valid_here.val();
            self.place_latest.d.next = self.place_later.q.val();
            self.carry.d.next = self.sum.val().get_bit(self.wide - 1);
            self.upper_memory.read_address.next = self.place_late.q.val();
            self.upper.d.next = self.upper_memory.read_data.val();
            if !self.valid_late.q.val() {
                self.upper.d.next = self.zero.val();
            }
            if self.reset.val() {
                self.carry.d.next = false;
                self.upper.d.next = self.zero.val();
            }
            self.upper_sum.next = self.upper.q.val() + bits_of(self.carry.q.val(), 32);
            self.high.next = self.upper_sum.val();
            self.due_latest.d.next = self.due_late.q.val();
            self.upper_memory.write_enable.next = self.due_latest.q.val();
            self.upper_memory.write_address.next = self.place_latest.q.val();
            self.upper_written.d.next = self.upper_sum.val();
            self.upper_memory.write_data.next = self.upper_written.q.val();
        }
    }
}
