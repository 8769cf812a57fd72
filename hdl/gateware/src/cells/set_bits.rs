//! Update logic of cells of one bit.

use crate::bank::BitSelect;
use crate::prelude::*;

/// The bits of a word of a static filter: sets the item's bit and says whether it was set before.
///
/// The word before the item and the bit that it sets are registers of their own, so that the loop of one clock is a choice between two words.
///
/// Timing: `inserting` in stage 3, the word in stage 4, `value` in stage 5, `above` in stage 6. Source: OCC.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct SetBits {
    about: About,
    pub clock: Signal<In, Clock>,
    pub inserting: Wire<In>,
    pub offset: Bus<In>,
    pub word: Bus<In>,
    pub current: Wire<In>,
    pub chained: Wire<In>,
    pub value: Bus<Out>,
    pub above: Wire<Out>,
    inserting_4: Flag,
    offset_5: Reg,
    before: Reg,
    mask: Reg,
    select: BitSelect,
    one: Const,
    no_bit: Const,
}

impl Default for SetBits {
    fn default() -> Self {
        Self {
            about: About::new(
                "set_bits",
                "Sets the item's bit in its word and says whether it was set before. Source: OCC.",
            ),
            clock: Default::default(),
            inserting: Wire::default().doc("stage 3: the item inserts"),
            offset: Bus::new(OFFSET_BITS).doc("stage 4: its bit in the word"),
            word: Bus::new(WORD_BITS)
                .doc("stage 4: the word, from memory or a slot two to four ahead"),
            current: Wire::default().doc("stage 4: that counts; if not, the word is 0"),
            chained: Wire::default()
                .doc("stage 4: the slot one ahead has the same word: take its value"),
            value: Bus::new(WORD_BITS).doc("stage 5: the word after the item"),
            above: Wire::default().doc("stage 6: the item's bit was set before"),
            inserting_4: Default::default(),
            offset_5: Reg::new(OFFSET_BITS),
            before: Reg::new(WORD_BITS).doc("the word before the item"),
            mask: Reg::new(WORD_BITS).doc("the bit that it sets"),
            select: Default::default(),
            one: Const::new(1, WORD_BITS),
            no_bit: Const::new(0, WORD_BITS),
        }
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
