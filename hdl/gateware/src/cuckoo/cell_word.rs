//! A cell as it is stored, and what it holds.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// Makes the word of a cell from its fingerprint and its generation.
    ///
    /// `{r, generation}`; of the fingerprints from 2^f on, whose bits between the highest and the low ones are 0, `{generation, low bits of r, ones}`: a generation is never all ones. Combinational.
    pub struct CellWord {
        about: About = About::new(
            "cell_word",
            format!("The word of a cell: {{r, generation}}; of the fingerprints from 2^{f} on {{generation, low bits of r, ones}}."),
        ),
        pub value: Bus<In> = Bus::new(shape.value_bits()).doc("fingerprint, r"),
        pub generation: Bus<In> = Bus::new(v).doc("never all ones"),
        pub word: Bus<Out> = Bus::new(shape.cell_bits()).doc("as it is stored"),
        ones: Const = Const::new(ones(v), v),
        generation_bits: usize = v,
        fingerprint_bits: usize = f,
        low_bits: usize = f - v,
        shape: CuckooShape = shape.clone(),
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
    }
}

impl Logic for CellWord {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.next = (bits_to(self.value.val(), self.shape.cell_bits())
            << self.generation_bits)
            | bits_to(self.generation.val(), self.shape.cell_bits());
        if self.value.val().get_bit(self.fingerprint_bits) {
            self.word.next = (bits_to(self.generation.val(), self.shape.cell_bits())
                << self.fingerprint_bits)
                | (bits_to(
                    bits_to(self.value.val(), self.low_bits),
                    self.shape.cell_bits(),
                ) << self.generation_bits)
                | bits_to(self.ones.val(), self.shape.cell_bits());
        }
    }
}

block! {
    /// What the word of a cell holds: the other way round.
    ///
    /// The low bits of r, its phase among them, stand in the same place in both forms. Combinational.
    pub struct CellParts {
        about: About = About::new(
            "cell_parts",
            format!("What a cell holds: {{r, generation}}, or {{generation, low bits of r, ones}} for r from 2^{f} on."),
        ),
        pub word: Bus<In> = Bus::new(shape.cell_bits()).doc("as it is stored"),
        pub value: Optional<Bus<Out>> = Optional::new(whole, Bus::new(shape.value_bits()).doc("fingerprint, r")),
        pub phase: Bus<Out> = Bus::new(shape.phase_bits()).doc("its phase, r modulo the number of phases"),
        pub generation: Bus<Out> = Bus::new(v),
        pub second: Wire<Out> = Wire::default().doc("r is 2^f or more"),
        is_second: Wire<Local>,
        whole: bool = whole,
        phase_bits: usize = shape.phase_bits(),
        value_bits: usize = shape.value_bits(),
        generation_bits: usize = v,
        fingerprint_bits: usize = f,
        low_bits: usize = f - v,
    }

    /// Of a pipeline of this shape, with the fingerprint if `whole`.
    pub fn new(shape: &CuckooShape, whole: bool) {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
    }
}

impl Logic for CellParts {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_second.next = bits_to(self.word.val(), self.generation_bits).all();
        self.second.next = self.is_second.val();
        self.generation.next = bits_to(self.word.val(), self.generation_bits);
        self.phase.next = bits_to(self.word.val() >> self.generation_bits, self.phase_bits);
        if self.is_second.val() {
            self.generation.next = bits_to(
                self.word.val() >> self.fingerprint_bits,
                self.generation_bits,
            );
        }
        if self.whole {
            self.value.next = bits_to(self.word.val() >> self.generation_bits, self.value_bits);
            if self.is_second.val() {
                self.value.next = bits_to(
                    bits_to(self.word.val() >> self.generation_bits, self.low_bits),
                    self.value_bits,
                )
                .replace_bit(self.fingerprint_bits, true);
            }
        }
    }
}

block! {
    /// Says whether a cell bears a fingerprint, from its word.
    ///
    /// The low bits of r stand in the same place in both forms. The bits above them are compared where r is below 2^f, and are 0 where it is not; so a fingerprint need not be taken out of its word. Combinational.
    pub struct CellMatch {
        about: About = About::new("cell_match", "Does a cell bear this fingerprint?"),
        pub word: Bus<In> = Bus::new(shape.cell_bits()).doc("the cell as it is stored"),
        pub second: Wire<In> = Wire::default().doc("the r that it holds is 2^f or more"),
        pub value: Bus<In> = Bus::new(shape.value_bits()).doc("fingerprint, r"),
        pub equal: Wire<Out> = Wire::default().doc("the cell bears it"),
        low: Wire<Local> = Wire::default().doc("the low bits of both are the same"),
        high: Wire<Local> = Wire::default().doc("and those above them, or r is 2^f or more"),
        generation_bits: usize = v,
        fingerprint_bits: usize = f,
        low_bits: usize = f - v,
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
    }
}

impl Logic for CellMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.low.next = bits_to(self.word.val() >> self.generation_bits, self.low_bits)
            == bits_to(self.value.val(), self.low_bits);
        self.high.next = self.value.val().get_bit(self.fingerprint_bits)
            || (bits_to(
                self.word.val() >> self.fingerprint_bits,
                self.generation_bits,
            ) == bits_to(self.value.val() >> self.low_bits, self.generation_bits));
        self.equal.next = self.low.val()
            && self.high.val()
            && (self.second.val() == self.value.val().get_bit(self.fingerprint_bits));
    }
}
