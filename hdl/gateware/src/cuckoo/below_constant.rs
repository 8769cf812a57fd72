//! Comparison of a number with a constant, in lookup tables.

use crate::prelude::*;

block! {
    /// Says whether a number is less than a constant.
    ///
    /// A comparison written with `<` becomes a carry chain of an adder's size; with a constant, lookup tables do it in a third of that. From the lowest bit on: where the constant has a 1, the number is less if
    /// its bit is 0 or its lower bits are less; where it has a 0, if its bit is 0 and its lower bits are less. Combinational.
    pub struct BelowConstant {
        about: About = About::new("below_constant", format!("Is a number of {bits} bits less than {limit}?")),
        pub x: Bus<In> = Bus::new(bits),
        pub below: Wire<Out> = Wire::default().doc("it is less"),
        less: Vec<Wire<Local>> = (0..bits).map(|_| Wire::default()).collect(),
        limit: Const = Const::new(limit, bits),
        last_bit: usize = bits - 1,
    }

    /// For numbers of `bits` bits.
    pub fn new(limit: u128, bits: usize) {}
}

impl Logic for BelowConstant {
    #[hdl_gen]
    fn update(&mut self) {
        self.less[0].next = self.limit.val().get_bit(0usize) && !self.x.val().get_bit(0usize);
        for i in 1..self.less.len() {
            self.less[i].next = (self.less[i - 1].val()
                && (self.limit.val().get_bit(i) || !self.x.val().get_bit(i)))
                || (self.limit.val().get_bit(i) && !self.x.val().get_bit(i));
        }
        self.below.next = self.less[self.last_bit].val();
    }
}
