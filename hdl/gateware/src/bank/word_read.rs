//! From the memory's output to a checked word.

use crate::prelude::*;

/// Registers the word read from one half and whether it bears the half's epoch; the word of a write that met the read takes its place.
///
/// Timing: inputs in stage 6, outputs in stage 7.
#[derive(LogicBlock)]
pub struct WordRead {
    about: About,
    pub clock: Signal<In, Clock>,
    pub read_data: Bus<In>,
    pub epoch: Bus<In>,
    pub bypass: Wire<In>,
    pub bypass_word: Bus<In>,
    pub word: Bus<Out>,
    pub current: Wire<Out>,
    word_r: Reg,
    current_r: Flag,
}

impl Default for WordRead {
    fn default() -> Self {
        Self {
            about: About::new(
                "word_read",
                "The word read from one half, and whether it bears the half's epoch (if not, it reads as empty).",
            ),
            clock: Default::default(),
            read_data: Bus::new(WORD_BITS + EPOCH_BITS).doc("{epoch, data} from memory, stage 6"),
            epoch: Bus::new(EPOCH_BITS).doc("the half's epoch"),
            bypass: Wire::default().doc("a write met this read: take its word"),
            bypass_word: Bus::new(WORD_BITS).doc("that word"),
            word: Bus::new(WORD_BITS).doc("data bits, stage 7"),
            current: Wire::default().doc("they bear the half's epoch"),
            word_r: Reg::new(WORD_BITS),
            current_r: Default::default(),
        }
    }
}

impl Logic for WordRead {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, word_r, current_r);
        self.word_r.d.next = bits_to(self.read_data.val(), WORD_BITS);
        if self.bypass.val() {
            self.word_r.d.next = self.bypass_word.val();
        }
        self.current_r.d.next = self.bypass.val()
            || (bits_to(self.read_data.val() >> 32, EPOCH_BITS) == self.epoch.val());
        self.word.next = self.word_r.q.val();
        self.current.next = self.current_r.q.val();
    }
}
