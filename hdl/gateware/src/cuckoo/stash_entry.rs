//! One entry of the stash.

use super::{CuckooShape, KeptLife, Turns};
use crate::prelude::*;

block! {
    /// An identity, its generation and the table it is aimed at, in registers; and whether it matches the slot in stage 4.
    ///
    /// The contents are compared in stage 3. What the slots ahead take or refresh since is forwarded by the stash, which knows one entry at most for each slot. An entry that is freed or exchanged needs no
    /// forwarding: an agent does that only while no item with its identity is in flight.
    /// `taking` and `refreshing` in stage 6; the entry is written in stage 7. `clear` frees it.
    pub struct StashEntry {
        about: About = About::new(
            "stash_entry",
            format!("An entry of the stash: {bits} bits of identity, {v} of generation, and the table that it is aimed at."),
        ),
        pub clock: Signal<In, Clock>,
        pub clear: Wire<In> = Wire::default().doc("free it"),
        pub identity_3: Bus<In> = Bus::new(bits).doc("the slot's, stage 3"),
        pub turns: Turns<Slave> = Turns::new(shape),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 takes this entry"),
        pub refreshing: Wire<In> = Wire::default().doc("the slot in stage 6 refreshes this entry"),
        pub takes_7: Wire<In> = Wire::default().doc("the slot in stage 7 takes an entry"),
        pub own_7: Bus<In> = Bus::new(v).doc("generation of the slot in stage 7"),
        pub first_7: Bus<In> = Bus::new(tables).doc("table that its search began with"),
        pub picks: Wire<In> = Wire::default().doc("the entry is picked for a move"),
        pub ends: Wire<In> = Wire::default().doc("its move ends"),
        pub placed: Wire<In> = Wire::default().doc("it is in a row now"),
        pub stores: Wire<In> = Wire::default().doc("it takes the element that gave way; of no effect if it becomes free"),
        pub target_in: Bus<In> = Bus::new(tables).doc("table that the entry is aimed at from now on"),
        pub identity_in: Bus<In> = Bus::new(bits).doc("of the other element; else of the slot in stage 7"),
        pub generation_in: Bus<In> = Bus::new(v).doc("generation of the other element"),
        pub live_in: Wire<In> = Wire::default().doc("the other element is live"),
        pub old_in: Wire<In> = Wire::default().doc("it has been dead for a generation"),
        pub meets_4: Wire<Out> = Wire::default().doc("stage 4: the entry matched in stage 3"),
        pub disturbed: Wire<Out> = Wire::default().doc("it was refreshed up to the clock before since it was picked, or was old in that clock"),
        pub used: Wire<Out> = Wire::default().doc("it holds an element"),
        pub waits: Wire<Out> = Wire::default().doc("it can be picked"),
        pub free: Wire<Out> = Wire::default().doc("it can be taken"),
        pub wrote_7: Wire<Out> = Wire::default().doc("the slot in stage 7 takes or refreshes this entry"),
        pub generation: Bus<Out> = Bus::new(v).doc("of the element"),
        pub target: Bus<Out> = Bus::new(tables).doc("table that it is aimed at"),
        used_r: Flag,
        flying_r: Flag,
        touched: Flag,
        stirred: Flag = Flag::default().doc("it was refreshed since it was picked, or was old in the clock before; of an element that has been here for two clocks"),
        identity_r: Reg = Reg::new(bits),
        generation_r: Reg = Reg::new(v),
        target_r: Reg = Reg::new(tables),
        wrote: Flag = Flag::default().doc("the slot in stage 7 takes or refreshes this entry"),
        taken: Wire<Local> = Wire::default().doc("it takes this entry"),
        life: KeptLife = KeptLife::new(shape),
        hit_4: Flag,
        touched_next: Wire<Local>,
        expires: Wire<Local>,
        row_bits: usize = shape.row_bits,
        shape: CuckooShape = shape.clone(),
    }

    /// An entry of the stash of this shape.
    pub fn new(shape: &CuckooShape) {
        let (bits, v) = (shape.identity_bits(), shape.generation_bits);
        let tables = clog2(CuckooShape::TABLES);
    }
}

impl Logic for StashEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("match: compared in stage 3");
        self.life.phase.next = bits_to(
            self.identity_r.q.val() >> self.row_bits,
            self.shape.phase_bits(),
        );
        self.life.generation.next = self.generation_r.q.val();
        self.turns.link(&mut self.life.turns);
        self.life.fresh.next = self.wrote.q.val();
        self.life.given.next = self.stores.val();
        self.life.given_live.next = self.live_in.val();
        self.life.given_old.next = self.old_in.val();
        self.hit_4.d.next = self.used_r.q.val()
            && self.life.live.val()
            && (self.identity_r.q.val() == self.identity_3.val());
        self.meets_4.next = self.hit_4.q.val();
        self.wrote.d.next = self.taking.val() || self.refreshing.val();
        self.wrote_7.next = self.wrote.q.val();
        self.taken.next = self.wrote.q.val() && self.takes_7.val();

        comment!("contents");
        self.identity_r.d.next = self.identity_r.q.val();
        self.generation_r.d.next = self.generation_r.q.val();
        self.target_r.d.next = self.target_r.q.val();
        if self.taken.val() || self.stores.val() {
            self.identity_r.d.next = self.identity_in.val();
        }
        if self.stores.val() {
            self.generation_r.d.next = self.generation_in.val();
        }
        if self.wrote.q.val() {
            self.generation_r.d.next = self.own_7.val();
        }
        if self.ends.val() {
            self.target_r.d.next = self.target_in.val();
        }
        if self.taken.val() {
            self.target_r.d.next = self.first_7.val();
        }

        comment!("state");
        self.expires.next = self.used_r.q.val()
            && !self.flying_r.q.val()
            && !self.picks.val()
            && self.life.old.val();
        self.used_r.d.next =
            (self.used_r.q.val() || self.taken.val()) && !self.placed.val() && !self.expires.val();
        self.flying_r.d.next = (self.flying_r.q.val() || self.picks.val()) && !self.ends.val();
        self.touched_next.next =
            (self.touched.q.val() && !self.picks.val()) || self.refreshing.val();
        self.touched.d.next = self.touched_next.val();
        self.stirred.d.next = self.touched_next.val() || self.life.old.val();
        self.disturbed.next = self.stirred.q.val();
        self.used.next = self.used_r.q.val();
        self.waits.next = self.used_r.q.val() && !self.flying_r.q.val() && !self.life.was_old.val();
        self.free.next = !self.used_r.q.val() && !self.taken.val();
        self.generation.next = self.generation_r.q.val();
        self.target.next = self.target_r.q.val();
        if self.clear.val() {
            self.used_r.d.next = false;
            self.flying_r.d.next = false;
            self.touched.d.next = false;
            self.stirred.d.next = false;
            self.wrote.d.next = false;
            self.hit_4.d.next = false;
        }
    }
}
