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
    /// Combinational.
    pub struct CellParts {
        about: About = About::new(
            "cell_parts",
            format!("Fingerprint and generation of a cell: {{r, generation}}, or {{generation, low bits of r, ones}} for r from 2^{f} on."),
        ),
        pub word: Bus<In> = Bus::new(shape.cell_bits()).doc("as it is stored"),
        pub value: Bus<Out> = Bus::new(shape.value_bits()).doc("fingerprint, r"),
        pub generation: Bus<Out> = Bus::new(v),
        second: Wire<Local> = Wire::default().doc("r is 2^f or more"),
        value_bits: usize = shape.value_bits(),
        generation_bits: usize = v,
        fingerprint_bits: usize = f,
        low_bits: usize = f - v,
    }

    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
    }
}

impl Logic for CellParts {
    #[hdl_gen]
    fn update(&mut self) {
        self.second.next = bits_to(self.word.val(), self.generation_bits).all();
        self.generation.next = bits_to(self.word.val(), self.generation_bits);
        self.value.next = bits_to(self.word.val() >> self.generation_bits, self.value_bits);
        if self.second.val() {
            self.generation.next = bits_to(
                self.word.val() >> self.fingerprint_bits,
                self.generation_bits,
            );
            self.value.next = bits_to(
                bits_to(self.word.val() >> self.generation_bits, self.low_bits),
                self.value_bits,
            )
            .replace_bit(self.fingerprint_bits, true);
        }
    }
}
