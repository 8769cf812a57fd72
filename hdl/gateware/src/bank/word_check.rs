//! Parity of a word that comes from memory.

use crate::prelude::*;

/// Registers between the steps of a parity.
const PARTS: usize = 4;

/// Tells whether a word read from memory is wrong: whether it has an odd number of bits set.
///
/// What takes the place of a read is not checked. Timing: inputs one clock ahead of `wrong`; two of three steps are before the registers.
/// Rules: `docs/soft-errors.md`.
#[derive(LogicBlock)]
pub struct WordCheck {
    about: About,
    pub clock: Signal<In, Clock>,
    pub read_data: Bus<In>,
    pub taken: Wire<In>,
    pub wrong: Wire<Out>,
    part: Reg,
    part_in: Bus<Local>,
    no_part: Const,
}

impl Default for WordCheck {
    fn default() -> Self {
        Self {
            about: About::new(
                "word_check",
                "Is a word read from memory wrong: has it an odd number of bits set?",
            ),
            clock: Default::default(),
            read_data: Bus::new(WORD_BITS + EPOCH_BITS + 1)
                .doc("{parity, epoch, data} from memory"),
            taken: Wire::default().doc("another word takes its place: it is not checked"),
            wrong: Wire::default().doc("one clock later: it is wrong"),
            part: Reg::new(PARTS).doc("parity of ten bits each, at most"),
            part_in: Bus::new(PARTS),
            no_part: Const::new(0, PARTS),
        }
    }
}

impl Logic for WordCheck {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, part);
        self.part_in.next = self.no_part.val();
        if !self.taken.val() {
            self.part_in.next = self
                .part_in
                .val()
                .replace_bit(0, bits_to(self.read_data.val(), 10).xor());
            self.part_in.next = self
                .part_in
                .val()
                .replace_bit(1, bits_to(self.read_data.val() >> 10, 10).xor());
            self.part_in.next = self
                .part_in
                .val()
                .replace_bit(2, bits_to(self.read_data.val() >> 20, 10).xor());
            self.part_in.next = self
                .part_in
                .val()
                .replace_bit(3, bits_to(self.read_data.val() >> 30, 7).xor());
        }
        self.part.d.next = self.part_in.val();
        self.wrong.next = self.part.q.val().xor();
    }
}
