//! Whether a cell is live.

use super::{CuckooShape, Generations};
use crate::prelude::*;

block! {
    /// Says of a cell whether it is live, and whether it has been dead for a generation.
    ///
    /// Combinational. The cell's age is the difference to its phase's generation modulo V = 2^v - 1: where it borrows, one less than modulo 2^v.
    pub struct CellLife {
        about: About = About::new(
            "cell_life",
            format!(
                "Is a cell live, and has it been dead for a generation? Ages are modulo {}.",
                shape.generation_values
            ),
        ),
        pub generations: Generations<Slave> = Generations::new(shape),
        pub phase: Bus<In> = Bus::new(clog2(shape.lead.len())).doc("of the cell"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("of the cell"),
        pub live: Wire<Out> = Wire::default().doc("the cell is live"),
        pub old: Wire<Out> = Wire::default().doc("it is not, and has not been so for a generation"),
        newest: Bus<Local> = Bus::new(shape.generation_bits).doc("generation of the cell's phase"),
        age: Bus<Local> = Bus::new(shape.generation_bits).doc("of the cell"),
        oldest: Const = age(0).doc("age of the oldest live generation"),
        just_dead: Const = age(1).doc("age of the youngest that is not live"),
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let age = |more: u128| Const::new(shape.generations + more, shape.generation_bits);
    }
}

impl Logic for CellLife {
    #[hdl_gen]
    fn update(&mut self) {
        self.newest.next = self.generations.newest.val();
        if self.generations.turned.val().get_bit(self.phase.val()) {
            self.newest.next = self.generations.following.val();
        }
        self.age.next = self.newest.val() - self.generation.val();
        if self.newest.val() < self.generation.val() {
            self.age.next = self.newest.val() - self.generation.val() - 1;
        }
        self.live.next = self.age.val() <= self.oldest.val();
        self.old.next = self.age.val() > self.just_dead.val();
    }
}
