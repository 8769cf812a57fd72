//! Decides whether a cell is live.

use super::{CuckooShape, Generations};
use crate::prelude::*;

block! {
    /// Says of a cell whether it is live, whether it has been dead for a generation, and whether it is of the newest one.
    ///
    /// Latency 1 clock; new inputs in every clock; no reset. The age of a cell is the newest generation less its own, plus 1 if its phase has turned, modulo V = 2^v - 1. The complement of a generation is V less
    /// that generation, so the sum of both is the age modulo V. A phase has turned if it is above `unturned`: if its sum with the complement of `unturned` has a carry. Generations and phases are
    /// therefore added as one number of v + 3 bits. The sum, from 0 to 2 V, is reduced modulo V behind the registers.
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
        sum: Reg = Reg::new(shape.generation_bits + 1).doc("age, or V or 2 V more"),
        now: Bus<Local> = Bus::new(wide).doc("{newest generation, complement of the highest phase that has not turned}"),
        born: Bus<Local> = Bus::new(wide).doc("{complement of the cell's generation, its phase}"),
        low: Bus<Local> = Bus::new(shape.generation_bits),
        age: Bus<Local> = Bus::new(shape.generation_bits).doc("of the cell"),
        oldest: Const = age(shape.generations).doc("age of the oldest live generation"),
        just_dead: Const = age(shape.generations + 1).doc("age of the youngest that is not live"),
        last: Const = age(shape.generation_values - 1).doc("greatest age"),
        none: Const = age(0),
        bits: usize = shape.generation_bits,
        wide: usize = wide,
        phase_bits: usize = shape.phase_bits(),
        sum_bits: usize = shape.generation_bits + 1,
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let age = |age: u128| Const::new(age, shape.generation_bits);
        let wide = shape.generation_bits + 1 + shape.phase_bits();
    }
}

impl Logic for CellLife {
    #[hdl_gen]
    fn update(&mut self) {
        self.now.next = (bits_to(self.generations.newest.val(), self.wide) << self.phase_bits)
            | bits_to(!self.generations.unturned.val(), self.wide);
        self.born.next = (bits_to(!self.generation.val(), self.wide) << self.phase_bits)
            | bits_to(self.phase.val(), self.wide);
        self.sum.d.next = bits_to(
            (self.now.val() + self.born.val()) >> self.phase_bits,
            self.sum_bits,
        );

        self.low.next = bits_to(self.sum.q.val(), self.bits);
        if bits_to(self.sum.q.val(), self.bits).all() {
            self.low.next = self.none.val();
        }
        self.age.next = self.low.val();
        if self.sum.q.val().get_bit(self.bits) {
            self.age.next = self.low.val() + 1;
            if self.low.val() == self.last.val() {
                self.age.next = self.none.val();
            }
        }
        self.live.next = self.age.val() <= self.oldest.val();
        self.old.next = self.age.val() > self.just_dead.val();
        self.fresh.next = !self.age.val().any();
    }
}
