//! Checks the parity of a memory word.

use crate::prelude::*;

/// Bits of a word that one register of its parity stands for.
const PART_BITS: usize = 10;

block! {
    /// Tells whether a word of any width has an odd number of bits set.
    ///
    /// Timing: `word` in one clock, `wrong` in the next; two of three steps are before the registers. Rules: `docs/soft-errors.md`.
    /// No reset.
    pub struct ParityCheck {
        about: About = About::new(
            "parity_check",
            format!("Is the parity of a word of {width} bits wrong? Right is an even number of bits set."),
        ),
        pub clock: Signal<In, Clock>,
        pub word: Bus<In> = Bus::new(width).doc("word from memory, its parity bit among its bits"),
        pub wrong: Wire<Out> = Wire::default().doc("a clock later: an odd number of its bits is set"),
        slice: Vec<Slice> = (0..parts).map(slice).collect(),
        part: Reg = Reg::new(parts).doc("parity of its parts"),
        part_in: Bus<Local> = Bus::new(parts),
        parts: usize = parts,
    }

    /// For words of `width` bits, the parity bit among them.
    pub fn new(width: usize) {
        let parts = width.div_ceil(PART_BITS);
        let slice = |i: usize| {
            let low = i * PART_BITS;
            Slice::new(width, low, PART_BITS.min(width - low))
        };
    }
}

impl Logic for ParityCheck {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.parts {
            self.slice[i].input.next = self.word.val();
            self.part_in.set_bit(i, self.slice[i].output.val().xor());
        }
        self.part.d.next = self.part_in.val();
        self.wrong.next = self.part.q.val().xor();
    }
}
