//! A cell as it is stored, and what it holds.

use super::CuckooShape;
use crate::prelude::*;

/// Makes the word of a cell from its fingerprint and its generation.
///
/// `{r, generation}`; of the fingerprints from 2^f on, whose bits between the highest and the low ones are 0, `{generation, low bits of r, ones}`: a generation is never all ones. Combinational.
#[derive(LogicBlock)]
pub struct CellWord {
    about: About,
    pub value: Bus<In>,
    pub generation: Bus<In>,
    pub word: Bus<Out>,
    ones: Const,
    generation_bits: usize,
    fingerprint_bits: usize,
    low_bits: usize,
    shape: CuckooShape,
}

impl CellWord {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
        Self {
            about: About::new(
                "cell_word",
                format!("The word of a cell: {{r, generation}}; of the fingerprints from 2^{f} on {{generation, low bits of r, ones}}."),
            ),
            value: Bus::new(shape.value_bits()).doc("fingerprint, r"),
            generation: Bus::new(v).doc("never all ones"),
            word: Bus::new(shape.cell_bits()).doc("as it is stored"),
            ones: Const::new(ones(v), v),
            generation_bits: v,
            fingerprint_bits: f,
            low_bits: f - v,
            shape: shape.clone(),
        }
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

/// What the word of a cell holds: the other way round.
///
/// Combinational.
#[derive(LogicBlock)]
pub struct CellParts {
    about: About,
    pub word: Bus<In>,
    pub value: Bus<Out>,
    pub generation: Bus<Out>,
    second: Wire<Local>,
    value_bits: usize,
    generation_bits: usize,
    fingerprint_bits: usize,
    low_bits: usize,
}

impl CellParts {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
        Self {
            about: About::new(
                "cell_parts",
                format!("Fingerprint and generation of a cell: {{r, generation}}, or {{generation, low bits of r, ones}} for r from 2^{f} on."),
            ),
            word: Bus::new(shape.cell_bits()).doc("as it is stored"),
            value: Bus::new(shape.value_bits()).doc("fingerprint, r"),
            generation: Bus::new(v),
            second: Wire::default().doc("r is 2^f or more"),
            value_bits: shape.value_bits(),
            generation_bits: v,
            fingerprint_bits: f,
            low_bits: f - v,
        }
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
