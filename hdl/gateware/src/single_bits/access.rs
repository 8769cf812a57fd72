//! Reads or stores a word of the array for a host, bit by bit.

use super::{ROW_STAGE, WRITE_STAGE};
use crate::prelude::*;

/// Sends the 32 bits of a word through the pipeline, one a clock, behind the items that were accepted before.
///
/// ```text
/// issue -> F clocks, in which items ahead pass stage 0 -> bit 0, 1, .. 31 in stage 0 -> ... -> stage D
/// ```
///
/// ARRAY_DATA turns by one bit with every bit: of a fetch with those in stage D, which come in; of a store with those in stage 0, which come back.
/// Timing: issued in clock t, bit j stands in stage 0 in clock t + F + j; `done` in clock t + F + D + 32. Rules: `docs/single-bits.md`.
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct WordAccess {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub issue: Wire<In>,
    pub storing: Wire<In>,
    pub word_address: Bus<In>,
    pub bits: Bus<In>,
    pub in_bank: Bus<In>,
    pub present: Bus<In>,
    pub direct: Wire<Out>,
    pub position: Bus<Out>,
    pub writing_2: Bus<Out>,
    pub value_3: Wire<Out>,
    pub load: Wire<Out>,
    pub word: Bus<Out>,
    pub done: Wire<Out>,
    on_way: Flag,
    clocks: Reg,
    direct_r: Flag,
    offset: Reg,
    write_line: FlagDelay,
    value_line: FlagDelay,
    collect: FlagDelay,
    last: Flag,
    before_bits: Const,
    last_bit: Const,
    one_clock: Const,
    before_done: Const,
    no_offset: Const,
    no_bank: Const,
    no_bit: Const,
    shape: CellShape,
}

impl WordAccess {
    /// For a pipeline of this shape.
    pub fn new(shape: &CellShape) -> Self {
        let clock_bits = width_of(shape.access);
        let at = |clock: usize| Const::new(clock as u128, clock_bits);
        Self {
            about: About::new(
                "word_access",
                "A word of the array for a host, bit by bit: the bits pass the pipeline behind the items that were accepted before, and none comes meanwhile.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("ends an access"),
            issue: Wire::default().doc("an access begins"),
            storing: Wire::default().doc("it stores; if not, it fetches"),
            word_address: Bus::new(shape.word_address_bits).doc("the word in its bank"),
            bits: Bus::new(WORD_BITS).doc("register ARRAY_DATA"),
            in_bank: Bus::new(shape.banks).doc("bit i: the word is in bank i"),
            present: Bus::new(shape.banks).doc("stage D: the bit in each bank"),
            direct: Wire::default().doc("stage 0: a bit of the word"),
            position: Bus::new(shape.index_bits).doc("its position"),
            writing_2: Bus::new(shape.banks).doc("stage 2: bank i writes the bit"),
            value_3: Wire::default().doc("stage 3: what is written; 1 for an item"),
            load: Wire::default().doc("ARRAY_DATA turns"),
            word: Bus::new(WORD_BITS).doc("to this"),
            done: Wire::default().doc("last clock of the access"),
            on_way: Flag::default().doc("an access is on its way"),
            clocks: Reg::new(clock_bits).doc("clocks since it was issued"),
            direct_r: Default::default(),
            offset: Reg::new(OFFSET_BITS).doc("bit in stage 0"),
            write_line: FlagDelay::new(ROW_STAGE),
            value_line: FlagDelay::new(WRITE_STAGE),
            collect: FlagDelay::new(shape.decision),
            last: Default::default(),
            before_bits: at(shape.front - 1),
            last_bit: at(shape.front + WORD_BITS - 1),
            one_clock: Const::new(1, clock_bits),
            before_done: at(shape.access - 1),
            no_offset: Const::new(OFFSET_BITS as u128, 3),
            no_bank: Const::new(0, shape.banks),
            no_bit: Const::new(0, OFFSET_BITS),
            shape: *shape,
        }
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
            self.word.next = self
                .word
                .val()
                .replace_bit(31, self.bits.val().get_bit(0usize));
        } else {
            self.word.next = self
                .word
                .val()
                .replace_bit(31, (self.present.val() & self.in_bank.val()).any());
        }

        if self.reset.val() {
            self.on_way.d.next = false;
            self.direct_r.d.next = false;
            self.last.d.next = false;
            self.offset.d.next = self.no_bit.val();
        }
    }
}
