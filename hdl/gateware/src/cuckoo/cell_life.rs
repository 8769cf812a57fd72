//! Whether a cell is live.

use super::{CuckooShape, Generations};
use crate::prelude::*;

block! {
    /// Says of a cell whether it is live, whether it has been dead for a generation, and whether it is of the newest one.
    ///
    /// Latency 1 clock; new inputs in every clock; no reset. The age of a cell is the newest generation less its own, modulo V = 2^v - 1. The complement of a generation is V less that generation, so the
    /// sum in the registers is the age, or V more. Behind them it is reduced modulo V, and one is added if the cell's phase has turned.
    pub struct CellLife {
        about: About = About::new(
            "cell_life",
            format!(
                "Is a cell live, has it been dead for a generation, is it of the newest? Latency 1 clock. Ages are modulo {}.",
                shape.generation_values
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub generations: Generations<Slave> = Generations::new(shape),
        pub phase: Bus<In> = Bus::new(clog2(shape.lead.len())).doc("of the cell"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("of the cell"),
        pub live: Wire<Out> = Wire::default().doc("the cell was live"),
        pub old: Wire<Out> = Wire::default().doc("it was not, and had not been so for a generation"),
        pub fresh: Wire<Out> = Wire::default().doc("it was of its phase's generation"),
        sum: Reg = Reg::new(shape.generation_bits + 1).doc("newest generation and complement of the cell's"),
        turned: Flag = Flag::default().doc("the phase of the cell has turned"),
        low: Bus<Local> = Bus::new(shape.generation_bits),
        carried: Bus<Local> = Bus::new(shape.generation_bits).doc("age that the cell would have, had its phase not turned"),
        age: Bus<Local> = Bus::new(shape.generation_bits).doc("of the cell"),
        oldest: Const = age(shape.generations).doc("age of the oldest live generation"),
        just_dead: Const = age(shape.generations + 1).doc("age of the youngest that is not live"),
        last: Const = age(shape.generation_values - 1).doc("greatest age"),
        none: Const = age(0),
        bits: usize = shape.generation_bits,
        wide: usize = shape.generation_bits + 1,
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let age = |age: u128| Const::new(age, shape.generation_bits);
    }
}

impl Logic for CellLife {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.d.next = bits_to(self.generations.newest.val(), self.wide)
            + bits_to(!self.generation.val(), self.wide);
        self.turned.d.next = self.generations.turned.val().get_bit(self.phase.val());

        self.low.next = bits_to(self.sum.q.val(), self.bits);
        if bits_to(self.sum.q.val(), self.bits).all() {
            self.low.next = self.none.val();
        }
        self.carried.next = self.low.val();
        if self.sum.q.val().get_bit(self.bits) {
            self.carried.next = self.low.val() + 1;
            if self.low.val() == self.last.val() {
                self.carried.next = self.none.val();
            }
        }
        self.age.next = self.carried.val();
        if self.turned.q.val() {
            self.age.next = self.carried.val() + 1;
            if self.carried.val() == self.last.val() {
                self.age.next = self.none.val();
            }
        }
        self.live.next = self.age.val() <= self.oldest.val();
        self.old.next = self.age.val() > self.just_dead.val();
        self.fresh.next = !self.age.val().any();
    }
}
