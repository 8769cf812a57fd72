//! Decides which move may end.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// Keeps which of the moves in R4 may end: that of the lowest table; and which entry of the stash it moves.
    ///
    /// Both outputs are registers: in the clock in which a move ends only whether it ends is left to decide. A move counts from its first clock in R4 on. `reset` is synchronous and active high.
    pub struct MoveOrder {
        about: About = About::new(
            "move_order",
            "Of the moves that have come to R4, that of the lowest table may end: which is it, and which entry of the stash does it move?",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no move is in R4"),
        pub arrives: Bus<In> = Bus::new(tables).doc("tables whose move is in R4 from the next clock on"),
        pub stands: Bus<In> = Bus::new(tables).doc("tables whose move is in R4"),
        pub ends: Bus<In> = Bus::new(tables).doc("the table whose move ends, if one does"),
        pub moved: Vec<Bus<In>> = (0..tables).map(|_| Bus::new(entry).doc("entry that the agent moves")).collect(),
        pub first: Bus<Out> = Bus::new(tables).doc("the table whose move may end"),
        pub entry: Bus<Out> = Bus::new(entry).doc("its entry"),
        first_r: Reg = Reg::new(tables),
        entry_r: Reg = Reg::new(entry),
        behind: Bus<Local> = Bus::new(tables).doc("moves that are in R4 in the next clock, but for the first"),
        all: Bus<Local> = Bus::new(tables).doc("and with it"),
        first_next: Bus<Local> = Bus::new(tables),
        entry_next: Bus<Local> = Bus::new(entry),
        no_entry: Const = Const::new(0, entry),
        lower: Vec<u64> = (0..tables).map(|t| (1 << t) - 1).collect(),
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let (tables, entry) = (CuckooShape::TABLES, shape.entry_bits());
    }
}

impl Logic for MoveOrder {
    #[hdl_gen]
    fn update(&mut self) {
        self.behind.next = self.arrives.val() | (self.stands.val() & !self.first_r.q.val());
        self.all.next = self.behind.val() | self.first_r.q.val();
        for t in 0..CuckooShape::TABLES {
            self.first_next.set_bit(
                t,
                self.all.val().get_bit(t)
                    && !(self.all.val() & bits_to(self.lower[t], CuckooShape::TABLES)).any(),
            );
        }
        if self.ends.val().any() {
            for t in 0..CuckooShape::TABLES {
                self.first_next.set_bit(
                    t,
                    self.behind.val().get_bit(t)
                        && !(self.behind.val() & bits_to(self.lower[t], CuckooShape::TABLES)).any(),
                );
            }
        }
        self.entry_next.next = self.no_entry.val();
        for t in 0..CuckooShape::TABLES {
            if self.first_next.val().get_bit(t) {
                self.entry_next.next = self.entry_next.val() | self.moved[t].val();
            }
        }
        self.first_r.d.next = self.first_next.val();
        self.entry_r.d.next = self.entry_next.val();
        if self.reset.val() {
            self.first_r.d.next = bits_to(0, CuckooShape::TABLES);
            self.entry_r.d.next = self.no_entry.val();
        }
        self.first.next = self.first_r.q.val();
        self.entry.next = self.entry_r.q.val();
    }
}
