//! Match, current and empty flags of one cell, with forwarding: two bits.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// Whether a cell matches the slot in stage D, bears its generation, or is empty to it, as every slot ahead leaves it.
    ///
    /// ```text
    /// stage 1..4                       4                  5                       6 = D
    /// what slots in W write   | equal, live, fresh | with what W writes | and what D writes
    /// (matched, mark)         |                    |                    |
    ///
    /// stages 1 to 4: matched mark               stages 5 and 6: matching settled
    ///                0       0    not written                   0        0       another element
    ///                0       1    another element               0        1       empty
    ///                1       turn this element                  1        0       this element, of an older generation
    ///                                                           1        1       this element, of the slot's generation
    /// ```
    /// A slot that takes a cell leaves it with its own fingerprint and generation. The memory's contents count only where no slot ahead wrote the cell since it was read. Whether two slots of
    /// one fingerprint stand in one generation is told by one bit (`turn`), which changes with each generation. What is the same for all cells of a row comes from the table:
    /// `mark_in`, `settled_4`, `settled_5`, `near_settled`.
    /// Latency: `equal` in stage 3, `live` and `fresh` in stage 4, flags in stage 6. New inputs in every clock. No reset.
    pub struct CellFlags {
        about: About = About::new(
            "cell_flags",
            "Does a cell match the slot in stage 6, does it bear its generation, and is it empty to it? What the slots ahead write since the cell was read counts.",
        ),
        pub clock: Signal<In, Clock>,
        pub equal: Wire<In> = Wire::default().doc("stage 3: the cell bears the slot's fingerprint"),
        pub live: Wire<In> = Wire::default().doc("stage 4: the cell was live in stage 3"),
        pub fresh: Wire<In> = Wire::default().doc("stage 4: it was of its phase's generation, which is the slot's if their fingerprints are equal"),
        pub taken: Wire<In> = Wire::default().doc("the slot in stage 7 writes this cell of its row"),
        pub same_row: Bus<In> = Bus::new(forwarded).doc(format!("bit s: the slot in stage {} holds its row", shape.forwarded_stage())),
        pub same_value: Bus<In> = Bus::new(forwarded).doc("and its fingerprint"),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 writes this cell of its row"),
        pub near_row: Wire<In> = Wire::default().doc("the slot in stage 5 holds its row"),
        pub near_value: Wire<In> = Wire::default().doc("and its fingerprint"),
        pub mark_in: Bus<In> = Bus::new(early).doc("where the fingerprints are the same, turn of the slot in stage 7; else 1"),
        pub near_settled: Wire<In> = Wire::default().doc("and its fingerprint and turn"),
        pub turn_4: Wire<In> = Wire::default().doc("turn of the slot in stage 4"),
        pub settled_4: Wire<In> = Wire::default().doc("the slots in stages 4 and 7 have one fingerprint and one turn"),
        pub settled_5: Wire<In> = Wire::default().doc("the slots in stages 5 and 7 have one fingerprint and one turn"),
        pub corrected: Optional<Wire<In>> = Optional::new(shape.ecc, Wire::default().doc("stage 4: memory gave a cell with a flipped bit, which is right again")),
        pub uncorrectable: Optional<Wire<In>> = Optional::new(shape.ecc, Wire::default().doc("stage 4: memory gave a cell with more than one")),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub settled: Wire<Out> = Wire::default().doc("stage 6: where it matches, it bears the slot's generation; else it is empty"),
        pub matching_5: Wire<Out> = Wire::default().doc("stage 5: the cell matches, whatever the slot in stage 6 writes"),
        pub settled_next: Wire<Out> = Wire::default().doc("stage 5: `settled`, whatever the slot in stage 6 writes"),
        pub corrected_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: a bit was corrected, and no slot ahead had taken the cell")),
        pub uncorrectable_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: more than one were wrong, and none had taken it")),
        equal_4: Flag,
        matched: Reg = Reg::new(early).doc(format!("stages {} to 4: a slot ahead left the cell with this slot's fingerprint since it was read", 2 - shape.read_ahead as i32)),
        mark: Reg = Reg::new(early).doc("if so, its turn; else a slot ahead left it with another fingerprint"),
        hit: Bus<Local> = Bus::new(forwarded),
        hit_early: Bus<Local> = Bus::new(early),
        match_base: Wire<Local>,
        settled_base: Wire<Local>,
        match_5: Flag,
        settled_r: Flag = Flag::default().doc("stage 5"),
        match_next: Wire<Local>,
        settled_ahead: Wire<Local>,
        match_6: Flag,
        settled_6: Flag,
        corrected_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        uncorrectable_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        no_hit: Const = Const::new(0, forwarded),
        early: usize = early,
        last_early: usize = early - 1,
        at_5: usize = early + 1,
        ecc: bool = shape.ecc,
    }

    /// Of a cell of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let forwarded = shape.forwarded();
        let early = EARLY + shape.read_ahead;
    }
}

/// Stages in which a write is only noted: 1 to 3.
const EARLY: usize = 3;

impl Logic for CellFlags {
    #[hdl_gen]
    fn update(&mut self) {
        self.equal_4.d.next = self.equal.val();

        comment!("what the slot in stage 7 writes, for the slots in stages 1 to 5");
        self.hit.next = self.no_hit.val();
        if self.taken.val() {
            self.hit.next = self.same_row.val();
        }
        self.hit_early.next = bits_to(self.hit.val(), self.early);
        self.matched.d.next = ((self.matched.q.val() << 1) & !self.hit_early.val())
            | (self.hit_early.val() & bits_to(self.same_value.val(), self.early));
        self.mark.d.next = ((self.mark.q.val() << 1) & !self.hit_early.val())
            | (self.hit_early.val() & self.mark_in.val());

        comment!("stage 4 to 5: memory, unless it was written since");
        self.match_base.next = self.equal_4.q.val() && self.live.val();
        self.settled_base.next = !self.live.val() || (self.equal_4.q.val() && self.fresh.val());
        if self.matched.q.val().get_bit(self.last_early) {
            self.match_base.next = true;
            self.settled_base.next =
                self.mark.q.val().get_bit(self.last_early) == self.turn_4.val();
        } else if self.mark.q.val().get_bit(self.last_early) {
            self.match_base.next = false;
            self.settled_base.next = false;
        }
        self.match_5.d.next = self.match_base.val();
        self.settled_r.d.next = self.settled_base.val();
        if self.hit.val().get_bit(self.early) {
            self.match_5.d.next = self.same_value.val().get_bit(self.early);
            self.settled_r.d.next = self.settled_4.val();
        }
        if self.ecc {
            self.corrected_r.d.next = self.corrected.val()
                && !self.matched.q.val().get_bit(self.last_early)
                && !self.mark.q.val().get_bit(self.last_early);
            self.uncorrectable_r.d.next = self.uncorrectable.val()
                && !self.matched.q.val().get_bit(self.last_early)
                && !self.mark.q.val().get_bit(self.last_early);
            self.corrected_5.next = self.corrected_r.q.val();
            self.uncorrectable_5.next = self.uncorrectable_r.q.val();
        }

        comment!("stage 5 to 6: and what the slot in stage 6 decides in this clock");
        self.match_next.next = self.match_5.q.val();
        self.settled_ahead.next = self.settled_r.q.val();
        if self.hit.val().get_bit(self.at_5) {
            self.match_next.next = self.same_value.val().get_bit(self.at_5);
            self.settled_ahead.next = self.settled_5.val();
        }
        self.matching_5.next = self.match_next.val();
        self.settled_next.next = self.settled_ahead.val();
        self.match_6.d.next = self.match_next.val();
        self.settled_6.d.next = self.settled_ahead.val();
        if self.taking.val() && self.near_row.val() {
            self.match_6.d.next = self.near_value.val();
            self.settled_6.d.next = self.near_settled.val();
        }
        self.matching.next = self.match_6.q.val();
        self.settled.next = self.settled_6.q.val();
    }
}
