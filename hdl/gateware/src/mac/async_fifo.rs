//! FIFO between two clock domains.

use crate::mac::{CrossingMemory, Synchroniser};
use crate::prelude::*;

/// A FIFO whose ends have clocks of their own, in any ratio and phase.
///
/// ```text
/// write --> memory --> read
/// write_place --gray--> synchroniser --> valid
/// full <-- synchroniser <--gray-- read_place
/// ```
///
/// Both ends are reset together, the reading one until the writing one is done: `docs/mac.md`, "Asynchronous FIFO".
#[derive(LogicBlock)]
pub struct AsyncFifo {
    about: About,
    pub write_clock: Signal<In, Clock>,
    pub write_reset: Wire<In>,
    pub write: Wire<In>,
    pub write_data: Bus<In>,
    pub full: Wire<Out>,
    pub read_clock: Signal<In, Clock>,
    pub read_reset: Wire<In>,
    pub valid: Wire<Out>,
    pub ready: Wire<In>,
    pub read_data: Bus<Out>,
    memory: CrossingMemory,
    write_place: ResetReg,
    write_gray: ResetReg,
    read_place: ResetReg,
    read_gray: ResetReg,
    read_seen: Synchroniser,
    write_seen: Synchroniser,
    storing: Wire<Local>,
    taking: Wire<Local>,
    write_next: Bus<Local>,
    read_next: Bus<Local>,
    lap: Const,
    place: usize,
    address: usize,
}

impl AsyncFifo {
    /// Of `depth` words (a power of two, at least 4) of `width` bits.
    pub fn new(depth: usize, width: usize) -> Self {
        let address = clog2(depth);
        let place = address + 1;
        Self {
            about: About::new(
                "async_fifo",
                format!("FIFO of {depth} words of {width} bits between two clocks; places cross in Gray code."),
            ),
            write_clock: Default::default(),
            write_reset: Wire::default().doc("empty; with read_reset, and not after it"),
            write: Wire::default().doc("store a word, unless full"),
            write_data: Bus::new(width),
            full: Wire::default().doc("there is no place"),
            read_clock: Default::default(),
            read_reset: Wire::default().doc("empty"),
            valid: Wire::default().doc("there is a word"),
            ready: Wire::default().doc("it is taken"),
            read_data: Bus::new(width).doc("the oldest"),
            memory: CrossingMemory::new(depth, width),
            write_place: ResetReg::new(place).doc("words written"),
            write_gray: ResetReg::new(place).doc("the same in Gray code"),
            read_place: ResetReg::new(place).doc("words read"),
            read_gray: ResetReg::new(place).doc("the same in Gray code"),
            read_seen: Synchroniser::new(place),
            write_seen: Synchroniser::new(place),
            storing: Default::default(),
            taking: Default::default(),
            write_next: Bus::new(place),
            read_next: Bus::new(place),
            lap: Const::new(0b11 << (place - 2), place).doc("a whole FIFO ahead, in Gray code"),
            place,
            address,
        }
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
        self.write_next.next = self.write_place.q.val() + bits_of(self.storing.val(), self.place);
        self.write_place.d.next = self.write_next.val();
        self.write_gray.d.next = self.write_next.val() ^ (self.write_next.val() >> 1);
        self.memory.write_enable.next = self.storing.val();
        self.memory.write_address.next = bits_to(self.write_place.q.val(), self.address);
        self.memory.write_data.next = self.write_data.val();

        self.write_seen.d.next = self.write_gray.q.val();
        self.valid.next = self.read_gray.q.val() != self.write_seen.q.val();
        self.taking.next = self.valid.val() && self.ready.val();
        self.read_next.next = self.read_place.q.val() + bits_of(self.taking.val(), self.place);
        self.read_place.d.next = self.read_next.val();
        self.read_gray.d.next = self.read_next.val() ^ (self.read_next.val() >> 1);
        self.memory.read_address.next = bits_to(self.read_place.q.val(), self.address);
        self.read_data.next = self.memory.read_data.val();
    }
}
