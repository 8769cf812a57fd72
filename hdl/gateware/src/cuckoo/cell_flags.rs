//! Match, current and empty flags of one cell, with forwarding.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// Whether a cell matches the slot in stage D, bears its generation, or is empty to it, as every slot ahead leaves it.
    ///
    /// ```text
    /// stage 1..4                       4                  5                       6 = D
    /// what slots in W write   | equal, live, fresh | with what W writes | and what D writes
    /// (touched, matched, turn)|                    |                    |
    /// ```
    /// A slot that takes a cell leaves it with its own fingerprint and generation. The memory's contents count only where no slot ahead touched the cell since it was read. Whether two slots of
    /// one fingerprint stand in one generation is told by one bit (`turn`), which changes with each generation.
    /// New inputs in every clock. No reset.
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
        pub turn_4: Wire<In> = Wire::default().doc("turn of the slot in stage 4"),
        pub turn_7: Wire<In> = Wire::default().doc("turn of the slot in stage 7"),
        pub same_turn_4: Wire<In> = Wire::default().doc("the slots in stages 4 and 7 have one turn"),
        pub same_turn_5: Wire<In> = Wire::default().doc("the slots in stages 5 and 7 have one turn"),
        pub near_turn: Wire<In> = Wire::default().doc("the slots in stages 5 and 6 have one turn"),
        pub corrected: Optional<Wire<In>> = Optional::new(shape.ecc, Wire::default().doc("stage 4: memory gave a cell with a flipped bit, which is right again")),
        pub uncorrectable: Optional<Wire<In>> = Optional::new(shape.ecc, Wire::default().doc("stage 4: memory gave a cell with more than one")),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub current: Wire<Out> = Wire::default().doc("stage 6: if so, it bears the slot's generation"),
        pub empty: Wire<Out> = Wire::default().doc("stage 6: the cell is empty"),
        pub matching_5: Wire<Out> = Wire::default().doc("stage 5: the cell matches, whatever the slot in stage 6 writes"),
        pub empty_5: Wire<Out> = Wire::default().doc("stage 5: the cell is empty, whatever the slot in stage 6 writes"),
        pub corrected_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: a bit was corrected, and no slot ahead had taken the cell")),
        pub uncorrectable_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: more than one were wrong, and none had taken it")),
        equal_4: Flag,
        touched: Reg = Reg::new(early).doc(format!("stages {} to 4: a slot ahead took the cell since", 2 - shape.read_ahead as i32)),
        matched: Reg = Reg::new(early).doc("and left it with this slot's fingerprint"),
        turned: Reg = Reg::new(early).doc("its turn"),
        hit: Bus<Local> = Bus::new(forwarded),
        hit_early: Bus<Local> = Bus::new(early),
        turn_early: Bus<Local> = Bus::new(early),
        match_base: Wire<Local>,
        current_base: Wire<Local>,
        empty_base: Wire<Local>,
        match_5: Flag,
        current_5: Flag,
        empty_5_r: Flag,
        match_next: Wire<Local>,
        current_next: Wire<Local>,
        empty_next: Wire<Local>,
        match_6: Flag,
        current_6: Flag,
        empty_6: Flag,
        corrected_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        uncorrectable_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        no_hit: Const = Const::new(0, forwarded),
        no_turn: Const = Const::new(0, early),
        all_turn: Const = Const::new(ones(early), early),
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
        self.turn_early.next = self.no_turn.val();
        if self.turn_7.val() {
            self.turn_early.next = self.all_turn.val();
        }
        self.touched.d.next = (self.touched.q.val() << 1) | self.hit_early.val();
        self.matched.d.next = ((self.matched.q.val() << 1) & !self.hit_early.val())
            | (self.hit_early.val() & bits_to(self.same_value.val(), self.early));
        self.turned.d.next = ((self.turned.q.val() << 1) & !self.hit_early.val())
            | (self.hit_early.val() & self.turn_early.val());

        comment!("stage 4 to 5: memory, unless touched");
        self.match_base.next = self.equal_4.q.val() && self.live.val();
        self.current_base.next = self.fresh.val();
        self.empty_base.next = !self.live.val();
        if self.touched.q.val().get_bit(self.last_early) {
            self.match_base.next = self.matched.q.val().get_bit(self.last_early);
            self.current_base.next =
                self.turned.q.val().get_bit(self.last_early) == self.turn_4.val();
            self.empty_base.next = false;
        }
        self.match_5.d.next = self.match_base.val();
        self.current_5.d.next = self.current_base.val();
        self.empty_5_r.d.next = self.empty_base.val();
        if self.hit.val().get_bit(self.early) {
            self.match_5.d.next = self.same_value.val().get_bit(self.early);
            self.current_5.d.next = self.same_turn_4.val();
            self.empty_5_r.d.next = false;
        }
        if self.ecc {
            self.corrected_r.d.next =
                self.corrected.val() && !self.touched.q.val().get_bit(self.last_early);
            self.uncorrectable_r.d.next =
                self.uncorrectable.val() && !self.touched.q.val().get_bit(self.last_early);
            self.corrected_5.next = self.corrected_r.q.val();
            self.uncorrectable_5.next = self.uncorrectable_r.q.val();
        }

        comment!("stage 5 to 6: and what the slot in stage 6 decides in this clock");
        self.match_next.next = self.match_5.q.val();
        self.current_next.next = self.current_5.q.val();
        self.empty_next.next = self.empty_5_r.q.val();
        if self.hit.val().get_bit(self.at_5) {
            self.match_next.next = self.same_value.val().get_bit(self.at_5);
            self.current_next.next = self.same_turn_5.val();
            self.empty_next.next = false;
        }
        self.matching_5.next = self.match_next.val();
        self.empty_5.next = self.empty_next.val();
        self.match_6.d.next = self.match_next.val();
        self.current_6.d.next = self.current_next.val();
        self.empty_6.d.next = self.empty_next.val();
        if self.taking.val() && self.near_row.val() {
            self.match_6.d.next = self.near_value.val();
            self.current_6.d.next = self.near_turn.val();
            self.empty_6.d.next = false;
        }
        self.matching.next = self.match_6.q.val();
        self.current.next = self.current_6.q.val();
        self.empty.next = self.empty_6.q.val();
    }
}
