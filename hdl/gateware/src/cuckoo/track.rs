//! Carries identities through the pipeline, compares them, and finds their generations.

use super::{CuckooShape, Generations, FORWARDED};
use crate::prelude::*;

/// Carries the identity of each slot from stage 0 to stage W, says which slots bear the same, and in which generation each stands.
///
/// ```text
/// stage 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 = W
///           |<- each against W ->|      same_value, same_identity: bit s is the slot in stage s + 1
///                       5 against 6     near_value, near_identity
/// ```
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct CuckooTrack {
    about: About,
    pub clock: Signal<In, Clock>,
    pub identity: Bus<In>,
    pub generations: Generations<Slave>,
    pub odd: Wire<In>,
    pub identity_3: Bus<Out>,
    pub identity_7: Bus<Out>,
    pub first_6: Bus<Out>,
    pub own_3: Bus<Out>,
    pub own_7: Bus<Out>,
    pub same_value: Bus<Out>,
    pub same_identity: Bus<Out>,
    pub near_value: Wire<Out>,
    pub near_identity: Wire<Out>,
    pub turn_4: Wire<Out>,
    pub turn_7: Wire<Out>,
    pub same_turn_4: Wire<Out>,
    pub same_turn_5: Wire<Out>,
    pub near_turn: Wire<Out>,
    stage: Vec<Reg>,
    value_same: Vec<Flag>,
    row_same: Vec<Flag>,
    value_near: Flag,
    row_near: Flag,
    ahead: Wire<Local>,
    own: Bus<Local>,
    generation: Vec<Reg>,
    turn: Vec<Flag>,
    row_bits: usize,
    phase_bits: usize,
    first_from: usize,
    kept: usize,
    shape: CuckooShape,
}

impl CuckooTrack {
    /// For a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let stages = shape.decision + 2;
        // stages 4 to 7
        let kept = stages - 4;
        let phase_bits = clog2(shape.lead.len());
        Self {
            about: About::new(
                "cuckoo_track",
                "Carries identities from stage 0 to stage 7, compares them with those ahead, and finds the generation of each.",
            ),
            clock: Default::default(),
            identity: Bus::new(shape.identity_bits()).doc("{r, b} of the slot entering stage 0"),
            generations: Generations::new(shape),
            odd: Wire::default().doc("changes with each generation of phase 0"),
            identity_3: Bus::new(shape.identity_bits()).doc("stage 3"),
            identity_7: Bus::new(shape.identity_bits()).doc("stage 7"),
            first_6: Bus::new(clog2(CuckooShape::TABLES)).doc("stage 6: table that the search begins with"),
            own_3: Bus::new(shape.generation_bits).doc("stage 3: generation of the slot's phase"),
            own_7: Bus::new(shape.generation_bits).doc("stage 7"),
            same_value: Bus::new(FORWARDED)
                .doc("bit s: the slot in stage s + 1 bears the fingerprint of that in stage 7"),
            same_identity: Bus::new(FORWARDED).doc("and its identity"),
            near_value: Wire::default().doc("the slot in stage 5 bears the fingerprint of that in stage 6"),
            near_identity: Wire::default().doc("and its identity"),
            turn_4: Wire::default().doc("stage 4: changes with each generation of the slot's phase"),
            turn_7: Wire::default().doc("stage 7"),
            same_turn_4: Wire::default().doc("that of stages 4 and 7 is the same"),
            same_turn_5: Wire::default().doc("that of stages 5 and 7"),
            near_turn: Wire::default().doc("that of stages 5 and 6"),
            stage: (0..stages).map(|_| Reg::new(shape.identity_bits())).collect(),
            value_same: (0..FORWARDED).map(|_| Flag::default()).collect(),
            row_same: (0..FORWARDED).map(|_| Flag::default()).collect(),
            value_near: Default::default(),
            row_near: Default::default(),
            ahead: Wire::default().doc("the phase of the slot in stage 3 has turned"),
            own: Bus::new(shape.generation_bits),
            generation: (0..kept).map(|_| Reg::new(shape.generation_bits)).collect(),
            turn: (0..kept).map(|_| Flag::default()).collect(),
            row_bits: shape.row_bits,
            phase_bits,
            first_from: shape.row_bits + phase_bits,
            kept,
            shape: shape.clone(),
        }
    }
}

impl Logic for CuckooTrack {
    #[hdl_gen]
    fn update(&mut self) {
        self.stage[0].d.next = self.identity.val();
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
            self.same_value.next = self
                .same_value
                .val()
                .replace_bit(s, self.value_same[s].q.val());
            self.same_identity.next = self
                .same_identity
                .val()
                .replace_bit(s, self.value_same[s].q.val() && self.row_same[s].q.val());
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
        self.ahead.next = self.generations.turned.val().get_bit(bits_to(
            self.stage[3].q.val() >> self.row_bits,
            self.phase_bits,
        ));
        self.own.next = self.generations.newest.val();
        if self.ahead.val() {
            self.own.next = self.generations.following.val();
        }
        self.own_3.next = self.own.val();
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
