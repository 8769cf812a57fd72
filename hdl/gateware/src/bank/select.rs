//! Selects one bit of a memory word.

use crate::prelude::*;

block! {
    /// Selects one bit of a 32-bit memory word; a word of another epoch reads as zero.
    ///
    /// Timing: `word`, `current` and `offset` in stage 7; `selected` in stage 8 (one clock; the last 4:1 step is after the register).
    /// New inputs in every clock. No reset.
    pub struct BitSelect {
        about: About = About::new(
            "bit_select",
            "One bit of a memory word; a word of another epoch reads as zero.",
        ),
        pub clock: Signal<In, Clock>,
        pub word: Bus<In> = Bus::new(WORD_BITS).doc("memory word, stage 7"),
        pub current: Wire<In> = Wire::default().doc("the word bears its half's epoch, stage 7"),
        pub offset: Bus<In> = Bus::new(OFFSET_BITS).doc("bit in the word, stage 7"),
        pub selected: Wire<Out> = Wire::default().doc("the bit, stage 8"),
        byte_0: Bus<Local> = Bus::new(8),
        byte_1: Bus<Local> = Bus::new(8),
        byte_2: Bus<Local> = Bus::new(8),
        byte_3: Bus<Local> = Bus::new(8),
        in_byte: Bus<Local> = Bus::new(3),
        picked: Bus<Local> = Bus::new(4),
        picked_r: Reg = Reg::new(4),
        byte_select: Reg = Reg::new(2),
    }
}

impl Logic for BitSelect {
    #[hdl_gen]
    fn update(&mut self) {
        self.byte_0.next = bits_to(self.word.val(), 8);
        self.byte_1.next = bits_to(self.word.val() >> 8, 8);
        self.byte_2.next = bits_to(self.word.val() >> 16, 8);
        self.byte_3.next = bits_to(self.word.val() >> 24, 8);
        self.in_byte.next = bits_to(self.offset.val(), 3);
        self.picked.next = bits_to(0, 4);
        if self.current.val() {
            self.picked
                .set_bit(0, self.byte_0.val().get_bit(self.in_byte.val()));
            self.picked
                .set_bit(1, self.byte_1.val().get_bit(self.in_byte.val()));
            self.picked
                .set_bit(2, self.byte_2.val().get_bit(self.in_byte.val()));
            self.picked
                .set_bit(3, self.byte_3.val().get_bit(self.in_byte.val()));
        }
        self.picked_r.d.next = self.picked.val();
        self.byte_select.d.next = bits_to(self.offset.val() >> 3, 2);
        self.selected.next = self.picked_r.q.val().get_bit(self.byte_select.q.val());
    }
}
