//! Reads or stores a word of the array for a host, bit by bit.

use super::{ROW_STAGE, WRITE_STAGE};
use crate::prelude::*;

block! {
    /// Sends the 32 bits of a word through the pipeline, one a clock, behind the items that were accepted before.
    ///
    /// ```text
    /// issue -> F clocks, in which items ahead pass stage 0 -> bit 0, 1, .. 31 in stage 0 -> ... -> stage D
    /// ```
    ///
    /// ARRAY_DATA turns by one bit with every bit: of a fetch with those in stage D, which come in; of a store with those in stage 0, which come back.
    /// Timing: issued in clock t, bit j stands in stage 0 in clock t + F + j; `done` in clock t + F + D + 32. Rules: `docs/single-bits.md`.
    /// `reset` is synchronous and active high.
    pub struct WordAccess {
        about: About = About::new(
            "word_access",
            "A word of the array for a host, bit by bit: the bits pass the pipeline behind the items that were accepted before, and none comes meanwhile.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("ends an access"),
        pub issue: Wire<In> = Wire::default().doc("an access begins"),
        pub storing: Wire<In> = Wire::default().doc("it stores; if not, it fetches"),
        pub word_address: Bus<In> = Bus::new(shape.word_address_bits).doc("the word in its bank"),
        pub bits: Bus<In> = Bus::new(WORD_BITS).doc("register ARRAY_DATA"),
        pub in_bank: Bus<In> = Bus::new(shape.banks).doc("bit i: the word is in bank i"),
        pub present: Bus<In> = Bus::new(shape.banks).doc("stage D: the bit in each bank"),
        pub direct: Wire<Out> = Wire::default().doc("stage 0: a bit of the word"),
        pub position: Bus<Out> = Bus::new(shape.index_bits).doc("its position"),
        pub writing_2: Bus<Out> = Bus::new(shape.banks).doc("stage 2: bank i writes the bit"),
        pub value_3: Wire<Out> = Wire::default().doc("stage 3: what is written; 1 for an item"),
        pub load: Wire<Out> = Wire::default().doc("ARRAY_DATA turns"),
        pub word: Bus<Out> = Bus::new(WORD_BITS).doc("to this"),
        pub done: Wire<Out> = Wire::default().doc("last clock of the access"),
        on_way: Flag = Flag::default().doc("an access is on its way"),
        clocks: Reg = Reg::new(clock_bits).doc("clocks since it was issued"),
        direct_r: Flag,
        offset: Reg = Reg::new(OFFSET_BITS).doc("bit in stage 0"),
        write_line: FlagDelay = FlagDelay::new(ROW_STAGE),
        value_line: FlagDelay = FlagDelay::new(WRITE_STAGE),
        collect: FlagDelay = FlagDelay::new(shape.decision),
        last: Flag,
        before_bits: Const = at(shape.front - 1),
        last_bit: Const = at(shape.front + WORD_BITS - 1),
        one_clock: Const = Const::new(1, clock_bits),
        before_done: Const = at(shape.access - 1),
        no_offset: Const = Const::new(OFFSET_BITS as u128, 3),
        no_bank: Const = Const::new(0, shape.banks),
        no_bit: Const = Const::new(0, OFFSET_BITS),
        shape: CellShape = *shape,
    }

    /// For a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let clock_bits = width_of(shape.access);
        let at = |clock: usize| Const::new(clock as u128, clock_bits);
    }
}

impl Logic for WordAccess {
    #[hdl_gen]
    fn update(&mut self) {
        self.clocks.d.next = self.clocks.q.val() + 1;
        self.on_way.d.next = self.on_way.q.val() && !self.last.q.val();
        self.last.d.next = self.on_way.q.val() && (self.clocks.q.val() == self.before_done.val());
        self.direct_r.d.next = self.direct_r.q.val();
        if self.on_way.q.val() && (self.clocks.q.val() == self.before_bits.val()) {
            self.direct_r.d.next = true;
        } else if self.clocks.q.val() == self.last_bit.val() {
            self.direct_r.d.next = false;
        }
        self.offset.d.next = self.offset.q.val();
        if self.direct_r.q.val() {
            self.offset.d.next = self.offset.q.val() + 1;
        }
        if self.issue.val() {
            self.on_way.d.next = true;
            self.clocks.d.next = self.one_clock.val();
        }
        self.done.next = self.last.q.val();

        comment!("stage 0");
        self.direct.next = self.direct_r.q.val();
        self.position.next = (bits_to(self.word_address.val(), self.shape.index_bits)
            << self.no_offset.val())
            | bits_to(self.offset.q.val(), self.shape.index_bits);

        comment!("a store: what is written, and where");
        self.write_line.d.next = self.direct_r.q.val() && self.storing.val();
        self.value_line.d.next = !self.direct_r.q.val() || self.bits.val().get_bit(0usize);
        self.writing_2.next = self.no_bank.val();
        if self.write_line.q.val() {
            self.writing_2.next = self.in_bank.val();
        }
        self.value_3.next = self.value_line.q.val();

        comment!("a fetch: bits come in from stage D; a store: those in stage 0 come back");
        self.collect.d.next = self.direct_r.q.val() && !self.storing.val();
        self.load.next = (self.collect.q.val() && self.on_way.q.val())
            || (self.direct_r.q.val() && self.storing.val());
        self.word.next = self.bits.val() >> 1;
        if self.storing.val() {
            self.word.set_bit(31, self.bits.val().get_bit(0usize));
        } else {
            self.word
                .set_bit(31, (self.present.val() & self.in_bank.val()).any());
        }

        if self.reset.val() {
            self.on_way.d.next = false;
            self.direct_r.d.next = false;
            self.last.d.next = false;
            self.offset.d.next = self.no_bit.val();
        }
    }
}
