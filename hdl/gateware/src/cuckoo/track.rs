//! Carries identities through the pipeline, compares them, and finds their generations.

use super::{CuckooShape, Generations, FORWARDED};
use crate::prelude::*;

block! {
    /// Carries the identity of each slot from stage 0 to stage W, says which slots bear the same, and in which generation each stands.
    ///
    /// ```text
    /// stage 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 = W
    ///           |<- each against W ->|      same_value, same_identity: bit s is the slot in stage s + 1
    ///                       5 against 6     near_value, near_identity
    /// ```
    /// New inputs in every clock. No reset.
    pub struct CuckooTrack {
        about: About = About::new(
            "cuckoo_track",
            format!("Carries identities from stage {} to stage 7, compares them with those ahead, and finds the generation of each.", shape.entry()),
        ),
        pub clock: Signal<In, Clock>,
        pub identity: Bus<In> = Bus::new(shape.identity_bits()).doc(format!("{{r, b}} of the slot entering stage {}", shape.entry())),
        pub generations: Generations<Slave> = Generations::new(shape),
        pub odd: Wire<In> = Wire::default().doc("changes with each generation of phase 0"),
        pub identity_3: Bus<Out> = Bus::new(shape.identity_bits()).doc("stage 3"),
        pub identity_7: Bus<Out> = Bus::new(shape.identity_bits()).doc("stage 7"),
        pub first_6: Bus<Out> = Bus::new(clog2(CuckooShape::TABLES)).doc("stage 6: table that the search begins with"),
        pub own_7: Bus<Out> = Bus::new(shape.generation_bits).doc("stage 7: generation of the slot's phase"),
        pub same_value: Bus<Out> = Bus::new(shape.forwarded())
            .doc(format!("bit s: the slot in stage {} bears the fingerprint of that in stage 7", shape.forwarded_stage())),
        pub same_identity: Bus<Out> = Bus::new(FORWARDED).doc(match shape.ecc {
            false => "and its identity",
            true => "bit s: the slot in stage s + 1 bears the identity of that in stage 7",
        }),
        pub near_value: Wire<Out> = Wire::default().doc("the slot in stage 5 bears the fingerprint of that in stage 6"),
        pub near_identity: Wire<Out> = Wire::default().doc("and its identity"),
        pub turn_4: Wire<Out> = Wire::default().doc("stage 4: changes with each generation of the slot's phase"),
        pub turn_7: Wire<Out> = Wire::default().doc("stage 7"),
        pub same_turn_4: Wire<Out> = Wire::default().doc("that of stages 4 and 7 is the same"),
        pub same_turn_5: Wire<Out> = Wire::default().doc("that of stages 5 and 7"),
        pub near_turn: Wire<Out> = Wire::default().doc("that of stages 5 and 6"),
        pub identity_6: Optional<Bus<Out>> = Optional::new(shape.ecc, Bus::new(shape.identity_bits()).doc("stage 6")),
        pub own_6: Optional<Bus<Out>> = Optional::new(shape.ecc, Bus::new(shape.generation_bits).doc("stage 6")),
        early: Vec<Reg> = (0..shape.read_ahead).map(|_| Reg::new(shape.identity_bits()).doc("stages -2 and -1")).collect(),
        early_same: Vec<Flag> = (0..shape.read_ahead).map(|_| Flag::default()).collect(),
        stage: Vec<Reg> = (0..stages).map(|_| Reg::new(shape.identity_bits())).collect(),
        value_same: Vec<Flag> = (0..FORWARDED).map(|_| Flag::default()).collect(),
        row_same: Vec<Flag> = (0..FORWARDED).map(|_| Flag::default()).collect(),
        value_near: Flag,
        row_near: Flag,
        ahead: Wire<Local> = Wire::default().doc("the phase of the slot in stage 3 has turned"),
        own: Bus<Local> = Bus::new(shape.generation_bits),
        generation: Vec<Reg> = (0..kept).map(|_| Reg::new(shape.generation_bits)).collect(),
        turn: Vec<Flag> = (0..kept).map(|_| Flag::default()).collect(),
        row_bits: usize = shape.row_bits,
        phase_bits: usize = phase_bits,
        first_from: usize = shape.row_bits + phase_bits,
        kept: usize = kept,
        read_ahead: usize = shape.read_ahead,
        shape: CuckooShape = shape.clone(),
    }

    /// For a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let stages = shape.decision + 2;
        // stages 4 to 7
        let kept = stages - 4;
        let phase_bits = clog2(shape.lead.len());
    }
}

impl Logic for CuckooTrack {
    #[hdl_gen]
    fn update(&mut self) {
        if self.shape.ecc {
            self.early[0].d.next = self.identity.val();
            self.early[1].d.next = self.early[0].q.val();
            self.stage[0].d.next = self.early[1].q.val();
            self.identity_6.next = self.stage[6].q.val();
            self.own_6.next = self.generation[2].q.val();
        } else {
            self.stage[0].d.next = self.identity.val();
        }
        for s in 1..self.stage.len() {
            self.stage[s].d.next = self.stage[s - 1].q.val();
        }
        self.identity_3.next = self.stage[3].q.val();
        self.identity_7.next = self.stage[7].q.val();
        self.first_6.next = bits_to(
            self.stage[6].q.val() >> self.first_from,
            self.shape.table_bits(),
        );

        comment!("compared a clock ahead");
        for s in 0..self.early.len() {
            self.early_same[s].d.next = bits_to(
                self.stage[6].q.val() >> self.row_bits,
                self.shape.value_bits(),
            ) == bits_to(
                self.early[s].q.val() >> self.row_bits,
                self.shape.value_bits(),
            );
            self.same_value.set_bit(s, self.early_same[s].q.val());
        }
        for s in 0..FORWARDED {
            self.value_same[s].d.next = bits_to(
                self.stage[6].q.val() >> self.row_bits,
                self.shape.value_bits(),
            ) == bits_to(
                self.stage[s].q.val() >> self.row_bits,
                self.shape.value_bits(),
            );
            self.row_same[s].d.next = bits_to(self.stage[6].q.val(), self.row_bits)
                == bits_to(self.stage[s].q.val(), self.row_bits);
            self.same_value
                .set_bit(s + self.read_ahead, self.value_same[s].q.val());
            self.same_identity
                .set_bit(s, self.value_same[s].q.val() && self.row_same[s].q.val());
        }
        self.value_near.d.next = bits_to(
            self.stage[5].q.val() >> self.row_bits,
            self.shape.value_bits(),
        ) == bits_to(
            self.stage[4].q.val() >> self.row_bits,
            self.shape.value_bits(),
        );
        self.row_near.d.next = bits_to(self.stage[5].q.val(), self.row_bits)
            == bits_to(self.stage[4].q.val(), self.row_bits);
        self.near_value.next = self.value_near.q.val();
        self.near_identity.next = self.value_near.q.val() && self.row_near.q.val();

        comment!("the generation of the slot's phase, from stage 3 on");
        self.ahead.next = bits_to(self.stage[3].q.val() >> self.row_bits, self.phase_bits)
            > self.generations.unturned.val();
        self.own.next = self.generations.newest.val();
        if self.ahead.val() {
            self.own.next = self.generations.following.val();
        }
        self.generation[0].d.next = self.own.val();
        self.turn[0].d.next = self.odd.val() != self.ahead.val();
        for s in 1..self.kept {
            self.generation[s].d.next = self.generation[s - 1].q.val();
            self.turn[s].d.next = self.turn[s - 1].q.val();
        }
        self.own_7.next = self.generation[3].q.val();
        self.turn_4.next = self.turn[0].q.val();
        self.turn_7.next = self.turn[3].q.val();
        self.same_turn_4.next = self.turn[0].q.val() == self.turn[3].q.val();
        self.same_turn_5.next = self.turn[1].q.val() == self.turn[3].q.val();
        self.near_turn.next = self.turn[1].q.val() == self.turn[2].q.val();
    }
}
