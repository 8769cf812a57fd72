//! Reads or sets a word of the array for a host, bit by bit.

use crate::prelude::*;

block! {
    /// Sends the 32 bits of a word through the pipeline, one a clock, while no item is in it.
    ///
    /// ```text
    /// issue -> bit 0, 1, .. 31 in stage 0 -> ... -> stage D: each shifted into ARRAY_DATA, or a clock later counted if it is newly set
    /// ```
    ///
    /// Timing: issued in clock t, bit j stands in stage 0 in clock t + 1 + j; `accessing` from t + 1 until bit 31 stands in stage D. Rules: `docs/spare-half.md`.
    /// `reset` is synchronous and active high.
    pub struct BitAccess {
        about: About = About::new(
            "bit_access",
            "A word of the array for a host, bit by bit: the bits pass the pipeline like items of one bank, while no item is in it.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("ends an access"),
        pub fetch: Wire<In> = Wire::default().doc("read a word"),
        pub set: Wire<In> = Wire::default().doc("set bits in one"),
        pub word_address: Bus<In> = Bus::new(shape.word_address_bits).doc("the word in its bank"),
        pub bits: Bus<In> = Bus::new(WORD_BITS).doc("register ARRAY_DATA"),
        pub in_bank: Bus<In> = Bus::new(shape.banks).doc("bit i: it is bank i"),
        pub of_frozen: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("a word to be read is of the frozen half")).collect(),
        pub in_active: Bus<In> = Bus::new(shape.banks).doc("stage D: the bit in the active half of each bank"),
        pub in_frozen: Vec<Bus<In>> = (0..shape.frozen_halves()).map(|_| Bus::new(shape.banks).doc("stage D: in the frozen half")).collect(),
        pub inserting: Wire<In> = Wire::default().doc("stage D: the bit is to be set"),
        pub accessing: Wire<Out> = Wire::default().doc("an access is under way"),
        pub position: Bus<Out> = Bus::new(shape.index_bits).doc("stage 0: position of the bit"),
        pub adding: Wire<Out> = Wire::default().doc("stage 0: it is to be set"),
        pub takes: Bus<Out> = Bus::new(shape.banks).doc("banks in which bits are set: all, but for an access"),
        pub fetching: Wire<Out> = Wire::default().doc("a bit may be there"),
        pub fetched: Wire<Out> = Wire::default().doc("it is the last one"),
        pub word: Bus<Out> = Bus::new(WORD_BITS).doc("ARRAY_DATA with it"),
        pub fresh: Wire<Out> = Wire::default().doc("the bit that stood in stage D in the clock before is newly set"),
        pub fresh_word: Wire<Out> = Wire::default().doc("it is the first of its word"),
        accessing_r: Flag,
        setting: Flag = Flag::default().doc("bits are set, not read"),
        ahead: Reg = Reg::new(CLOCK_BITS).doc("bit that stands in stage 0 in the next clock"),
        rest: Reg = Reg::new(WORD_BITS).doc("bits of ARRAY_DATA from that one on"),
        next_offset: Bus<Local> = Bus::new(OFFSET_BITS),
        offset: Reg = Reg::new(OFFSET_BITS).doc("bit in stage 0"),
        adding_r: Flag,
        last: Flag = Flag::default().doc("the last bit stands in stage D"),
        takes_r: Reg = Reg::with_init(shape.banks, ones(shape.banks)),
        found: Bus<Local> = Bus::new(shape.banks),
        fresh_in: Wire<Local>,
        fresh_r: Flag,
        fresh_word_r: Flag,
        counted: Flag = Flag::default().doc("a bit of this word was newly set"),
        bit_1: Const = Const::new(1, CLOCK_BITS),
        bit_0: Const = Const::new(0, OFFSET_BITS),
        last_clock: Const = Const::new(last as u128, CLOCK_BITS),
        every_bank: Const = Const::new(ones(shape.banks), shape.banks),
        no_offset: Const = Const::new(OFFSET_BITS as u128, 3),
        shape: Shape = *shape,
    }

    /// For a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let last = WORD_BITS - 1 + shape.decision;
    }
}

/// Bits that count the clocks of an access: D + 32 of them at most.
const CLOCK_BITS: usize = OFFSET_BITS + 1;

impl Logic for BitAccess {
    #[hdl_gen]
    fn update(&mut self) {
        self.ahead.d.next = self.ahead.q.val() + 1;
        self.next_offset.next = bits_to(self.ahead.q.val(), OFFSET_BITS);
        self.offset.d.next = self.next_offset.val();
        comment!("bit 0 comes as the access begins, the others behind it; one access at a time");
        self.rest.d.next = self.bits.val() >> 1;
        if self.accessing_r.q.val() {
            self.rest.d.next = self.rest.q.val() >> 1;
        }
        self.adding_r.d.next =
            (self.accessing_r.q.val() && self.setting.q.val() && self.rest.q.val().get_bit(0usize))
                || (self.set.val() && self.bits.val().get_bit(0usize));
        self.setting.d.next = self.setting.q.val();
        self.accessing_r.d.next = self.accessing_r.q.val() && !self.last.q.val();
        self.last.d.next =
            self.accessing_r.q.val() && (self.ahead.q.val() == self.last_clock.val());
        self.takes_r.d.next = self.takes_r.q.val();
        if self.last.q.val() {
            self.takes_r.d.next = self.every_bank.val();
        }
        if self.fetch.val() || self.set.val() {
            self.ahead.d.next = self.bit_1.val();
            self.offset.d.next = self.bit_0.val();
            self.setting.d.next = self.set.val();
            self.accessing_r.d.next = true;
            self.takes_r.d.next = self.in_bank.val();
        }
        if self.reset.val() {
            self.accessing_r.d.next = false;
            self.adding_r.d.next = false;
            self.last.d.next = false;
            self.takes_r.d.next = self.every_bank.val();
        }
        self.accessing.next = self.accessing_r.q.val();
        self.takes.next = self.takes_r.q.val();

        comment!("stage 0");
        self.position.next = (bits_to(self.word_address.val(), self.shape.index_bits)
            << self.no_offset.val())
            | bits_to(self.offset.q.val(), self.shape.index_bits);
        self.adding.next = self.adding_r.q.val();

        comment!("stage D");
        self.found.next = self.in_active.val();
        if self.shape.phases == 2 {
            if self.of_frozen[0].val() && !self.setting.q.val() {
                self.found.next = self.in_frozen[0].val();
            }
        }
        self.fetching.next = self.accessing_r.q.val() && !self.setting.q.val();
        self.fetched.next = self.last.q.val() && !self.setting.q.val();
        self.word.next = (self.bits.val() >> 1)
            | (bits_of((self.found.val() & self.takes_r.q.val()).any(), WORD_BITS) << 31);
        self.fresh_in.next = self.accessing_r.q.val()
            && self.inserting.val()
            && (self.takes_r.q.val() & !self.found.val()).any();
        self.counted.d.next =
            self.accessing_r.q.val() && (self.counted.q.val() || self.fresh_in.val());
        self.fresh_r.d.next = self.fresh_in.val() && !self.reset.val();
        self.fresh_word_r.d.next =
            self.fresh_in.val() && !self.counted.q.val() && !self.reset.val();
        self.fresh.next = self.fresh_r.q.val();
        self.fresh_word.next = self.fresh_word_r.q.val();
    }
}
