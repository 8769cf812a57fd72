//! Parity of a word on its way to memory.

use crate::prelude::*;

/// Puts a parity bit above epoch and data, so that the whole word has an even number of bits set.
///
/// Timing: none, all in one clock. Rules: `docs/soft-errors.md`.
#[derive(LogicBlock)]
pub struct WordSeal {
    about: About,
    pub epoch: Bus<In>,
    pub data: Bus<In>,
    pub word: Bus<Out>,
    payload: Bus<Local>,
}

impl Default for WordSeal {
    fn default() -> Self {
        Self {
            about: About::new(
                "word_seal",
                "A word for memory: parity above epoch and data, so that an even number of bits is set.",
            ),
            epoch: Bus::new(EPOCH_BITS).doc("epoch that is written"),
            data: Bus::new(WORD_BITS).doc("data bits"),
            word: Bus::new(WORD_BITS + EPOCH_BITS + 1).doc("{parity, epoch, data}"),
            payload: Bus::new(WORD_BITS + EPOCH_BITS),
        }
    }
}

impl Logic for WordSeal {
    #[hdl_gen]
    fn update(&mut self) {
        self.payload.next = (bits_to(self.epoch.val(), WORD_BITS + EPOCH_BITS) << 32)
            | bits_to(self.data.val(), WORD_BITS + EPOCH_BITS);
        self.word.next = (bits_of(self.payload.val().xor(), WORD_BITS + EPOCH_BITS + 1) << 36)
            | bits_to(self.payload.val(), WORD_BITS + EPOCH_BITS + 1);
    }
}
