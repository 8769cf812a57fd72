//! Match and empty flags of one cell, with forwarding.

use crate::prelude::*;
use crate::sliding::{CellCheck, SlidingShape, FORWARDED};

block! {
    /// Whether a cell matches the slot in stage D or is empty to it, as every slot ahead leaves it.
    ///
    /// ```text
    /// stage 1..4                       4             5                       6 = D
    /// what slots in W write   | equal, live  | with what W writes | and what D writes
    /// (touched, matched,      |              |                    |
    ///  cleared)               |              |                    |
    /// ```
    /// A slot that takes a cell leaves it with its own fingerprint (`sets`), a scan leaves it empty. The memory's contents count only
    /// where no slot ahead touched the cell since it was read.
    /// New inputs in every clock. No reset.
    pub struct LaneFlags {
        about: About = About::new(
            "lane_flags",
            format!("Does a cell match the slot in stage 6, and is it empty to it? What the slots ahead write since the cell was read counts.{told}"),
        ),
        pub clock: Signal<In, Clock>,
        pub equal: Wire<In> = Wire::default().doc("stage 3: the cell bears the slot's fingerprint"),
        pub age: Bus<In> = Bus::new(shape.generation_bits).doc("stage 3: generations since the cell's"),
        pub taken: Wire<In> = Wire::default().doc("the slot in stage 7 writes this lane"),
        pub sets: Wire<In> = Wire::default().doc("it is an element; else a scan, which empties"),
        pub same_bucket: Bus<In> = Bus::new(FORWARDED).doc("bit s: the slot in stage s + 1 holds its bucket"),
        pub same_value: Bus<In> = Bus::new(FORWARDED).doc("and bears its fingerprint"),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 writes this lane"),
        pub setting: Wire<In> = Wire::default().doc("it is an element"),
        pub near_bucket: Wire<In> = Wire::default().doc("the slot in stage 5 holds its bucket"),
        pub near_value: Wire<In> = Wire::default().doc("and bears its fingerprint"),
        pub wrong: Vec<Wire<In>> = checks
            .iter()
            .map(|check| match check {
                CellCheck::Parity => Wire::default().doc("stage 4: the parity of the cell from memory is wrong"),
                check => Wire::default().doc(format!("stage 4: memory gave a cell {}", check.of_a_cell())),
            })
            .collect(),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub empty: Wire<Out> = Wire::default().doc("stage 6: the cell is empty"),
        pub wrong_5: Vec<Wire<Out>> = checks.iter().map(|_| Wire::default().doc("stage 5: it was wrong, and no slot ahead had taken it")).collect(),
        equal_4: Flag,
        live_4: Flag,
        touched: Reg = Reg::new(EARLY).doc("stages 2 to 4: a slot ahead took the cell since"),
        matched: Reg = Reg::new(EARLY).doc("and left it with this slot's fingerprint"),
        cleared: Reg = Reg::new(EARLY).doc("and left it empty"),
        hit: Bus<Local> = Bus::new(FORWARDED),
        hit_early: Bus<Local> = Bus::new(EARLY),
        value: Bus<Local> = Bus::new(FORWARDED),
        match_base: Wire<Local>,
        empty_base: Wire<Local>,
        match_5: Flag,
        empty_5: Flag,
        match_mid: Wire<Local>,
        empty_mid: Wire<Local>,
        match_6: Flag,
        empty_6: Flag,
        wrong_r: Vec<Flag> = checks.iter().map(|_| Flag::default()).collect(),
        oldest: Const = Const::new(shape.generations, shape.generation_bits)
            .doc("age of the oldest live generation"),
        no_hit: Const = Const::new(0, FORWARDED),
        trusts: bool = empties == 0,
        empties: usize = empties,
    }

    fn checked(shape: &SlidingShape, checks: &[CellCheck], empties: usize) {
        const EARLY: usize = 3;
        let told = match (checks, empties) {
            ([], _) => "",
            ([CellCheck::Parity], 0) => "\nA cell whose parity is wrong is told.",
            ([CellCheck::Parity], _) => {
                "\nA cell whose parity is wrong is told, and counts as empty."
            }
            _ => "\nA cell that was corrected is told, and one that cannot be.",
        };
    }
}

impl LaneFlags {
    /// Of a cell in registers, of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) -> Self {
        Self::checked(shape, &[], 0)
    }

    /// Of a cell from memory, whose parity or error-correcting code is checked where the shape says so.
    pub fn of_memory(shape: &SlidingShape) -> Self {
        Self::checked(shape, shape.checks(), shape.parity_empties)
    }
}

impl Logic for LaneFlags {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal_4.d.next = self.equal.val();
        self.live_4.d.next = self.age.val() <= self.oldest.val();

        comment!("what the slot in stage 7 writes, for the slots in stages 1 to 5");
        self.hit.next = self.no_hit.val();
        if self.taken.val() {
            self.hit.next = self.same_bucket.val();
        }
        self.value.next = self.no_hit.val();
        if self.sets.val() {
            self.value.next = self.same_value.val();
        }
        self.hit_early.next = bits_to(self.hit.val(), 3);
        self.touched.d.next = (self.touched.q.val() << 1) | self.hit_early.val();
        self.matched.d.next = ((self.matched.q.val() << 1) & !self.hit_early.val())
            | (self.hit_early.val() & bits_to(self.value.val(), 3));
        self.cleared.d.next = (self.cleared.q.val() << 1) & !self.hit_early.val();
        if !self.sets.val() {
            self.cleared.d.next = (self.cleared.q.val() << 1) | self.hit_early.val();
        }

        comment!("stage 4 to 5: memory, unless touched");
        if self.trusts {
            self.match_base.next = self.equal_4.q.val() && self.live_4.q.val();
            self.empty_base.next = !self.live_4.q.val();
        }
        for e in 0..self.empties {
            self.match_base.next =
                self.equal_4.q.val() && self.live_4.q.val() && !self.wrong[e].val();
            self.empty_base.next = !self.live_4.q.val() || self.wrong[e].val();
        }
        if self.touched.q.val().get_bit(2) {
            self.match_base.next = self.matched.q.val().get_bit(2);
            self.empty_base.next = self.cleared.q.val().get_bit(2);
        }
        self.match_5.d.next = self.match_base.val();
        self.empty_5.d.next = self.empty_base.val();
        if self.hit.val().get_bit(3) {
            self.match_5.d.next = self.value.val().get_bit(3);
            self.empty_5.d.next = !self.sets.val();
        }
        for p in 0..self.wrong.len() {
            self.wrong_r[p].d.next = self.wrong[p].val() && !self.touched.q.val().get_bit(2);
            self.wrong_5[p].next = self.wrong_r[p].q.val();
        }

        comment!("stage 5 to 6: and what the slot in stage 6 decides in this clock");
        self.match_mid.next = self.match_5.q.val();
        self.empty_mid.next = self.empty_5.q.val();
        if self.hit.val().get_bit(4) {
            self.match_mid.next = self.value.val().get_bit(4);
            self.empty_mid.next = !self.sets.val();
        }
        self.match_6.d.next = self.match_mid.val();
        self.empty_6.d.next = self.empty_mid.val();
        if self.taking.val() && self.near_bucket.val() {
            self.match_6.d.next = self.setting.val() && self.near_value.val();
            self.empty_6.d.next = !self.setting.val();
        }
        self.matching.next = self.match_6.q.val();
        self.empty.next = self.empty_6.q.val();
    }
}
