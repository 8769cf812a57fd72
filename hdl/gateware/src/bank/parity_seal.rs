//! Adds the parity bit to a word that is written to memory.

use crate::prelude::*;

block! {
    /// Puts a parity bit above a word, so that the whole has an even number of bits set.
    ///
    /// Timing: none, all in one clock. Rules: `docs/soft-errors.md`.
    pub struct ParitySeal {
        about: About = About::new(
            "parity_seal",
            format!("A word of {width} bits for memory: parity above it, so that an even number of bits is set."),
        ),
        pub payload: Bus<In> = Bus::new(width).doc("what is written"),
        pub word: Bus<Out> = Bus::new(width + 1).doc("{parity, payload}"),
        parity_from: usize = width,
        width: usize = width + 1,
    }

    /// For words of `width` bits, without the parity bit.
    pub fn new(width: usize) {}
}

impl Logic for ParitySeal {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.next = (bits_of(self.payload.val().xor(), self.width) << self.parity_from)
            | bits_to(self.payload.val(), self.width);
    }
}
