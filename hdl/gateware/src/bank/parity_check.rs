//! Checks the parity of a memory word.

use crate::prelude::*;

/// Bits of a word that one register of its parity stands for.
const PART_BITS: usize = 10;

/// Tells whether a word of any width has an odd number of bits set.
///
/// Timing: `word` in one clock, `wrong` in the next; two of three steps are before the registers. Rules: `docs/soft-errors.md`.
/// No reset.
#[derive(LogicBlock)]
pub struct ParityCheck {
    about: About,
    pub clock: Signal<In, Clock>,
    pub word: Bus<In>,
    pub wrong: Wire<Out>,
    slice: Vec<Slice>,
    part: Reg,
    part_in: Bus<Local>,
    parts: usize,
}

impl ParityCheck {
    /// For words of `width` bits, the parity bit among them.
    pub fn new(width: usize) -> Self {
        let parts = width.div_ceil(PART_BITS);
        let slice = |i: usize| {
            let low = i * PART_BITS;
            Slice::new(width, low, PART_BITS.min(width - low))
        };
        Self {
            about: About::new(
                "parity_check",
                format!("Is the parity of a word of {width} bits wrong? Right is an even number of bits set."),
            ),
            clock: Default::default(),
            word: Bus::new(width).doc("word from memory, its parity bit among its bits"),
            wrong: Wire::default().doc("a clock later: an odd number of its bits is set"),
            slice: (0..parts).map(slice).collect(),
            part: Reg::new(parts).doc("parity of its parts"),
            part_in: Bus::new(parts),
            parts,
        }
    }
}

impl Logic for ParityCheck {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.parts {
            self.slice[i].input.next = self.word.val();
            self.part_in.next = self
                .part_in
                .val()
                .replace_bit(i, self.slice[i].output.val().xor());
        }
        self.part.d.next = self.part_in.val();
        self.wrong.next = self.part.q.val().xor();
    }
}
