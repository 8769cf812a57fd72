//! Update logic of cells of one bit.

use crate::bank::BitSelect;
use crate::prelude::*;

block! {
    /// The bits of a word of a static filter: sets the item's bit and says whether it was set before.
    ///
    /// The word before the item and the bit that it sets are registers of their own, so that the loop of one clock is a choice between two words.
    ///
    /// Timing: `inserting` in stage 3, the word in stage 4, `value` in stage 5, `above` in stage 6. Source: OCC.
    /// New inputs in every clock. No reset.
    pub struct SetBits {
        about: About = About::new(
            "set_bits",
            "Sets the item's bit in its word and says whether it was set before. Source: OCC.",
        ),
        pub clock: Signal<In, Clock>,
        pub inserting: Wire<In> = Wire::default().doc("stage 3: the item inserts"),
        pub offset: Bus<In> = Bus::new(OFFSET_BITS).doc("stage 4: its bit in the word"),
        pub word: Bus<In> = Bus::new(WORD_BITS)
            .doc("stage 4: the word, from memory or a slot two to four ahead"),
        pub current: Wire<In> = Wire::default().doc("stage 4: that counts; if not, the word is 0"),
        pub chained: Wire<In> = Wire::default()
            .doc("stage 4: the slot one ahead has the same word: take its value"),
        pub value: Bus<Out> = Bus::new(WORD_BITS).doc("stage 5: the word after the item"),
        pub above: Wire<Out> = Wire::default().doc("stage 6: the item's bit was set before"),
        inserting_4: Flag,
        offset_5: Reg = Reg::new(OFFSET_BITS),
        before: Reg = Reg::new(WORD_BITS).doc("the word before the item"),
        mask: Reg = Reg::new(WORD_BITS).doc("the bit that it sets"),
        select: BitSelect,
        one: Const = Const::new(1, WORD_BITS),
        no_bit: Const = Const::new(0, WORD_BITS),
    }
}

impl Logic for SetBits {
    #[hdl_gen]
    fn update(&mut self) {
        self.inserting_4.d.next = self.inserting.val();
        self.before.d.next = self.no_bit.val();
        if self.chained.val() {
            self.before.d.next = self.before.q.val() | self.mask.q.val();
        } else if self.current.val() {
            self.before.d.next = self.word.val();
        }
        self.mask.d.next = self.no_bit.val();
        if self.inserting_4.q.val() {
            self.mask.d.next = self.one.val() << self.offset.val();
        }
        self.value.next = self.before.q.val() | self.mask.q.val();
        self.offset_5.d.next = self.offset.val();
        self.select.word.next = self.before.q.val();
        self.select.current.next = true;
        self.select.offset.next = self.offset_5.q.val();
        self.above.next = self.select.selected.val();
    }
}
