//! The bridge's mailbox: requests that are carried out exactly as meant or not at all, and the record of the last access.

use crate::card::crc32::register_after;
use crate::card::Crc32Step;
use crate::prelude::*;
use bloomline_spec::registers::RESPONSE_DECERR;

/// Word address of the mailbox, without the four bits within it: byte address 0xA5A5_A500.
pub(crate) const MAILBOX: u128 = 0xA5A5_A500 >> 6;
/// First byte of a request.
const REQUEST_MARK: u8 = 0xB1;
/// First byte of a record.
const RECORD_MARK: u8 = 0xB2;
/// Bits that a word of a request carries: seven a byte.
const CARRIED: usize = 28;
/// Bits that the words of a request carry.
const REQUEST_BITS: usize = WORDS * CARRIED;
/// Words of a request.
const WORDS: usize = 6;
/// Bits of a message before its check.
const MESSAGE_BITS: usize = 128;

block! {
    /// Request and record of the bridge, and the CRC-32 over either. The record's address, data and kind are those of the access under way, too.
    ///
    /// `checking` runs the CRC: sixteen clocks, for a request two more, in the last of which `good` is its judgement; `over` is the last of them.
    /// Encoding: `bloomline_driver::mailbox`; timing: `docs/card.md`, "UART bridge".
    /// `reset` is synchronous and active high.
    pub struct Mailbox {
        about: About = About::new(
            ["bridge_mailbox", "tagged_mailbox"][tagged],
            "Requests of accesses that are carried out exactly as meant or not at all, and the record of the last access.\n\
             CRC-32 over either, a byte a clock: byte 1 is fetched in the first clock and run in the second, byte 15 in the sixteenth.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no request, and a record of nothing"),
        pub place: Bus<In> = Bus::new(3).doc("word of the request or record"),
        pub keep: Wire<In> = Wire::default().doc("a word of the request is written"),
        pub word: Bus<In> = Bus::new(32).doc("it, or what an access writes"),
        pub fetched: Bus<Out> = Bus::new(32).doc("word of the record"),
        pub start: Wire<In> = Wire::default().doc("an access of a command begins"),
        pub start_write: Wire<In> = Wire::default().doc("it writes"),
        pub start_address: Bus<In> = Bus::new(30).doc("its address in words"),
        pub finish: Wire<In> = Wire::default().doc("the access is finished"),
        pub response: Bus<In> = Bus::new(2).doc("with this response, 0 or 2 or 3"),
        pub read_data: Bus<In> = Bus::new(32).doc("and these data"),
        pub checking: Wire<In> = Wire::default().doc("run the CRC, until it is over"),
        pub of_request: Wire<In> = Wire::default().doc("over the request and judge it, otherwise over the record"),
        pub over: Wire<Out> = Wire::default().doc("the last clock of it"),
        pub good: Wire<Out> = Wire::default().doc("the request is good; its access begins in the next clock"),
        pub write: Wire<Out> = Wire::default().doc("the access writes"),
        pub address: Bus<Out> = Bus::new(address_bits).doc("its byte address, if it is one of the device"),
        pub data: Bus<Out> = Bus::new(32).doc("what it writes"),
        pub outside: Wire<Out> = Wire::default().doc("no device is at its address"),
        pub message: Vec<Bus<Out>> = (0..tagged).map(|_| Bus::new(MESSAGE_BITS).doc("the request without its check")).collect(),
        // request
        request: WideReg = WideReg::new(REQUEST_BITS).doc("what the words carry, the first word highest"),
        marked: Reg = Reg::new(WORDS).doc("bit i: every byte of word i has its top bit"),
        carried: Bus<Local> = Bus::new(CARRIED),
        request_words: Bus<Local> = Bus::new(MESSAGE_BITS),
        framed: Flag = Flag::default().doc("the request is one by all but check and count"),
        expected: Flag = Flag::default().doc("it expects the record's count"),
        // record
        tag: Reg = Reg::new(16),
        write_r: Flag,
        response_r: Reg = Reg::new(2),
        count: Reg = Reg::new(32),
        reset_before: Vec<Flag> = (0..tagged).map(|_| Flag::default().doc("reset in the clock before")).collect(),
        address_r: Reg = Reg::new(32),
        outside_r: Flag,
        data_r: Reg = Reg::new(32),
        check: Reg = Reg::with_init(32, check_at_reset.into()),
        record_words: Bus<Local> = Bus::new(MESSAGE_BITS),
        // check
        at: Reg = Reg::with_init(5, 1).doc("byte to be fetched while the CRC runs"),
        from: Bus<Local> = Bus::new(7),
        octet: Reg = Reg::new(8),
        crc: Reg = Reg::new(32),
        step: Crc32Step,
        right: Flag = Flag::default().doc("the CRC was the request's check"),
        ending: Flag = Flag::default().doc("the last clock of a check of the record"),
        complete: Flag = Flag::default().doc("the CRC has run over the record"),
        judging: Flag = Flag::default().doc("the last clock of a check of the request: right is its judgement"),
        starting: Wire<Local>,
        keep_others: Vec<WideConst> = (0..WORDS).map(others).collect(),
        keep_from: Vec<usize> = (0..WORDS).map(from).collect(),
        request_mark: Const = Const::new(REQUEST_MARK.into(), 8),
        record_mark: Const = Const::new(RECORD_MARK.into(), 8),
        after_request_mark: Const = number(register_after(&[REQUEST_MARK])).doc("the CRC after the mark"),
        after_record_mark: Const = number(register_after(&[RECORD_MARK])).doc("the CRC after the mark"),
        check_at_reset: Const = number(check_at_reset),
        no_request: WideConst = WideConst::from_value(Wide::zero(REQUEST_BITS)),
        no_marks: Const = Const::new(0, WORDS),
        no_tag: Const = Const::new(0, 16),
        okay: Const = Const::new(0, 2),
        decode_error: Const = Const::new(RESPONSE_DECERR.into(), 2),
        zero: Const = number(0),
        first: Const = Const::new(1, 5),
        above_of_word: usize = address_bits - 2,
        above_of_request: usize = 64 + address_bits,
        words: usize = WORDS,
        above: usize = 32 - address_bits,
        device: usize = address_bits,
        tagged: usize = tagged,
    }

    /// The same where `tagged` is 0; where it is 1, the request without its check is put out for a tag to be computed, and the count goes on with every
    /// reset: no request is good twice.
    pub fn with_tags(address_bits: usize, tagged: usize) {
        let number = |value: u32| Const::new(value.into(), 32);
        let from = |word: usize| REQUEST_BITS - CARRIED * (word + 1);
        let others = |word: usize| {
            let own = Wide::new(ones(CARRIED), REQUEST_BITS) << from(word);
            WideConst::from_value(!own).doc("the other words")
        };
        let mut at_reset = [0; MESSAGE_BITS / 8];
        at_reset[0] = RECORD_MARK;
        let check_at_reset = !register_after(&at_reset);
    }
}

impl Mailbox {
    /// For a device at byte addresses of `address_bits` bits; above them there is none.
    pub fn new(address_bits: usize) -> Self {
        Self::with_tags(address_bits, 0)
    }
}

impl Logic for Mailbox {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("request: seven bits of every byte");
        self.carried.next = (bits_to(bits_to(self.word.val() >> 24, 7), 28) << 21)
            | (bits_to(bits_to(self.word.val() >> 16, 7), 28) << 14)
            | (bits_to(bits_to(self.word.val() >> 8, 7), 28) << 7)
            | bits_to(bits_to(self.word.val(), 7), 28);
        self.request.d.next = self.request.q.val();
        self.marked.d.next = self.marked.q.val();
        for i in 0..self.words {
            if self.keep.val() && (self.place.val() == i) {
                self.request.d.next = (self.request.q.val() & self.keep_others[i].val())
                    | (bits_wide(self.carried.val(), 168) << self.keep_from[i]);
                self.marked.d.next = self.marked.q.val().replace_bit(
                    i,
                    self.word.val().get_bit(31)
                        && self.word.val().get_bit(23)
                        && self.word.val().get_bit(15)
                        && self.word.val().get_bit(7),
                );
            }
        }
        self.request_words.next = bits_to(self.request.q.val() >> 40, 128);
        self.framed.d.next = self.marked.q.val().all()
            && !bits_to(self.request.q.val(), 8).any()
            && (bits_to(self.request_words.val() >> 120, 8) == self.request_mark.val())
            && !bits_to(self.request_words.val() >> 97, 7).any();
        self.expected.d.next = bits_to(self.request_words.val(), 32) == self.count.q.val();

        comment!("record");
        self.record_words.next = (bits_to(self.record_mark.val(), 128) << 120)
            | (bits_to(self.tag.q.val(), 128) << 104)
            | (bits_to(self.response_r.q.val(), 128) << 97)
            | (bits_of(self.write_r.q.val(), 128) << 96)
            | (bits_to(self.count.q.val(), 128) << 64)
            | (bits_to(self.address_r.q.val(), 128) << 32)
            | bits_to(self.data_r.q.val(), 128);
        self.fetched.next = bits_to(self.record_words.val() >> 96, 32);
        if self.place.val() == 1 {
            self.fetched.next = self.count.q.val();
        }
        if self.place.val() == 2 {
            self.fetched.next = self.address_r.q.val();
        }
        if self.place.val() == 3 {
            self.fetched.next = self.data_r.q.val();
        }
        if self.place.val() == 4 {
            self.fetched.next = self.check.q.val();
        }

        comment!("check: the first byte is the mark");
        self.from.next = bits_to(!bits_to(self.at.q.val(), 4), 7) << 3;
        self.octet.d.next = bits_to(self.record_words.val() >> self.from.val(), 8);
        if self.of_request.val() {
            self.octet.d.next = bits_to(self.request_words.val() >> self.from.val(), 8);
        }
        self.starting.next = self.at.q.val() == self.first.val();
        self.step.crc.next = self.crc.q.val();
        self.step.data.next = self.octet.q.val();
        self.crc.d.next = self.step.stepped.val();
        if self.starting.val() {
            self.crc.d.next = self.after_record_mark.val();
            if self.of_request.val() {
                self.crc.d.next = self.after_request_mark.val();
            }
        }
        self.at.d.next = self.first.val();
        if self.checking.val() {
            self.at.d.next = self.at.q.val() + 1;
        }
        self.right.d.next = !self.crc.q.val() == bits_to(self.request.q.val() >> 8, 32);
        self.judging.d.next =
            self.checking.val() && self.of_request.val() && (self.at.q.val() == 17);
        self.ending.d.next =
            self.checking.val() && !self.of_request.val() && (self.at.q.val() == 15);
        self.over.next = self.ending.q.val() || self.judging.q.val();
        self.good.next = self.judging.q.val()
            && self.framed.q.val()
            && self.expected.q.val()
            && self.right.q.val();
        self.complete.d.next = self.ending.q.val();
        self.check.d.next = self.check.q.val();
        if self.complete.q.val() {
            self.check.d.next = !self.crc.q.val();
        }

        comment!("access: nobody sees the record before it is finished");
        self.tag.d.next = self.tag.q.val();
        self.write_r.d.next = self.write_r.q.val();
        self.response_r.d.next = self.response_r.q.val();
        self.count.d.next = self.count.q.val();
        self.address_r.d.next = self.address_r.q.val();
        self.outside_r.d.next = self.outside_r.q.val();
        self.data_r.d.next = self.data_r.q.val();
        if self.start.val() {
            self.tag.d.next = self.no_tag.val();
            self.write_r.d.next = self.start_write.val();
            self.address_r.d.next = bits_to(self.start_address.val(), 32) << 2;
            self.outside_r.d.next =
                bits_to(self.start_address.val() >> self.above_of_word, self.above).any();
            self.data_r.d.next = self.word.val();
        }
        if self.good.val() {
            self.tag.d.next = bits_to(self.request_words.val() >> 104, 16);
            self.write_r.d.next = self.request_words.val().get_bit(96);
            self.address_r.d.next = bits_to(self.request_words.val() >> 64, 32);
            self.outside_r.d.next = bits_to(
                self.request_words.val() >> self.above_of_request,
                self.above,
            )
            .any();
            self.data_r.d.next = bits_to(self.request_words.val() >> 32, 32);
        }
        if self.finish.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.response_r.d.next = self.response.val();
            if self.outside_r.q.val() {
                self.response_r.d.next = self.decode_error.val();
            }
            if !self.write_r.q.val() {
                self.data_r.d.next = self.read_data.val();
            }
        }
        if self.reset.val() {
            self.request.d.next = self.no_request.val();
            self.marked.d.next = self.no_marks.val();
            self.tag.d.next = self.no_tag.val();
            self.write_r.d.next = false;
            self.response_r.d.next = self.okay.val();
            if self.tagged == 0 {
                self.count.d.next = self.zero.val();
            }
            for t in 0..self.tagged {
                comment!("the access under way may have been made; once a reset, so that a long one does not wrap the count");
                if !self.reset_before[t].q.val() {
                    self.count.d.next = self.count.q.val() + 1;
                }
                comment!("and the check of the record begins anew, from its first byte");
                self.at.d.next = self.first.val();
            }
            self.address_r.d.next = self.zero.val();
            self.data_r.d.next = self.zero.val();
            self.check.d.next = self.check_at_reset.val();
            self.ending.d.next = false;
            self.complete.d.next = false;
            self.judging.d.next = false;
        }
        for t in 0..self.tagged {
            self.reset_before[t].d.next = self.reset.val();
            self.message[t].next = self.request_words.val();
        }
        self.write.next = self.write_r.q.val();
        self.address.next = bits_to(self.address_r.q.val(), self.device);
        self.data.next = self.data_r.q.val();
        self.outside.next = self.outside_r.q.val();
    }
}
