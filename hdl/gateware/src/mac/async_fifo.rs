//! FIFO between two clock domains.

use crate::mac::{CrossingMemory, Synchroniser};
use crate::prelude::*;

block! {
    /// A FIFO whose ends have clocks of their own, in any ratio and phase.
    ///
    /// ```text
    /// write --> memory --> read
    /// write_place --gray--> synchroniser --> valid
    /// full <-- synchroniser <--gray-- read_place
    /// ```
    ///
    /// Both ends are reset together, the reading one until the writing one is done: `docs/mac.md`, "Asynchronous FIFO".
    pub struct AsyncFifo {
        about: About = About::new(
            "async_fifo",
            format!("FIFO of {depth} words of {width} bits between two clocks; places cross in Gray code."),
        ),
        pub write_clock: Signal<In, Clock>,
        pub write_reset: Wire<In> = Wire::default().doc("empty; with read_reset, and not after it"),
        pub write: Wire<In> = Wire::default().doc("store a word, unless full"),
        pub write_data: Bus<In> = Bus::new(width),
        pub full: Wire<Out> = Wire::default().doc("there is no place"),
        pub read_clock: Signal<In, Clock>,
        pub read_reset: Wire<In> = Wire::default().doc("empty"),
        pub valid: Wire<Out> = Wire::default().doc("there is a word"),
        pub ready: Wire<In> = Wire::default().doc("it is taken"),
        pub read_data: Bus<Out> = Bus::new(width).doc("the oldest"),
        memory: CrossingMemory = CrossingMemory::new(depth, width),
        write_place: ResetReg = ResetReg::new(place).doc("words written"),
        write_gray: ResetReg = ResetReg::new(place).doc("the same in Gray code"),
        read_place: ResetReg = ResetReg::new(place).doc("words read"),
        read_gray: ResetReg = ResetReg::new(place).doc("the same in Gray code"),
        read_seen: Synchroniser = Synchroniser::new(place),
        write_seen: Synchroniser = Synchroniser::new(place),
        storing: Wire<Local>,
        taking: Wire<Local>,
        write_after: Bus<Local> = Bus::new(place).doc("write_place, one further"),
        read_after: Bus<Local> = Bus::new(place).doc("read_place, one further"),
        lap: Const = Const::new(0b11 << (place - 2), place).doc("a whole FIFO ahead, in Gray code"),
        address: usize = address,
    }

    /// Of `depth` words (a power of two, at least 4) of `width` bits.
    pub fn new(depth: usize, width: usize) {
        let address = clog2(depth);
        let place = address + 1;
    }
}

impl Logic for AsyncFifo {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, write_clock, write_place, write_gray, read_seen);
        clock!(self, read_clock, read_place, read_gray, write_seen);
        self.memory.write_clock.next = self.write_clock.val();
        self.write_place.reset.next = self.write_reset.val();
        self.write_gray.reset.next = self.write_reset.val();
        self.read_seen.reset.next = self.write_reset.val();
        self.read_place.reset.next = self.read_reset.val();
        self.read_gray.reset.next = self.read_reset.val();
        self.write_seen.reset.next = self.read_reset.val();

        self.read_seen.d.next = self.read_gray.q.val();
        self.full.next = self.write_gray.q.val() == (self.read_seen.q.val() ^ self.lap.val());
        self.storing.next = self.write.val() && !self.full.val();
        self.write_after.next = self.write_place.q.val() + 1;
        self.write_place.d.next = self.write_place.q.val();
        self.write_gray.d.next = self.write_gray.q.val();
        if self.storing.val() {
            self.write_place.d.next = self.write_after.val();
            self.write_gray.d.next = self.write_after.val() ^ (self.write_after.val() >> 1);
        }
        self.memory.write_enable.next = self.storing.val();
        self.memory.write_address.next = bits_to(self.write_place.q.val(), self.address);
        self.memory.write_data.next = self.write_data.val();

        self.write_seen.d.next = self.write_gray.q.val();
        self.valid.next = self.read_gray.q.val() != self.write_seen.q.val();
        self.taking.next = self.valid.val() && self.ready.val();
        self.read_after.next = self.read_place.q.val() + 1;
        self.read_place.d.next = self.read_place.q.val();
        self.read_gray.d.next = self.read_gray.q.val();
        if self.taking.val() {
            self.read_place.d.next = self.read_after.val();
            self.read_gray.d.next = self.read_after.val() ^ (self.read_after.val() >> 1);
        }
        self.memory.read_address.next = bits_to(self.read_place.q.val(), self.address);
        self.read_data.next = self.memory.read_data.val();
    }
}
