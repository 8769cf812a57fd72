//! Sends an answer byte by byte.

use crate::prelude::*;
use bloomline_spec::host_port::HOST_HEAD_BYTES;

/// Bits that count the bytes of an answer.
const COUNT: usize = 10;
/// Bits that count those of its head.
const HEAD: usize = 6;

block! {
    /// Gives an answer: its head from the row, its payload from the memory, the first three words of Etherbone's as they always are.
    ///
    /// A byte in every clock in which it is taken. `place` is the next word of payload; the memory has it two clocks later, and a word lasts four.
    /// `reset` is synchronous and active high.
    pub struct HostAnswer {
        about: About = About::new(
            "host_answer",
            "Gives an answer: its head from the row, its payload from the memory.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no answer"),
        pub start: Wire<In> = Wire::default().doc("an answer; not while there is one"),
        pub bytes: Bus<In> = Bus::new(COUNT).doc("of so many bytes"),
        pub packet: Wire<In> = Wire::default().doc("of Etherbone"),
        pub probe: Wire<In> = Wire::default().doc("to a probe"),
        pub reads: Bus<In> = Bus::new(8).doc("words that were read"),
        pub first: Bus<In> = Bus::new(8).doc("first byte of the row"),
        pub give: Wire<Out> = Wire::default().doc("it is taken"),
        pub place: Bus<Out> = Bus::new(place).doc("word of the payload, two clocks ahead"),
        pub payload: Bus<In> = Bus::new(32).doc("the word"),
        pub tvalid: Wire<Out> = Wire::default().doc("the answer"),
        pub tready: Wire<In>,
        pub tdata: Bus<Out> = Bus::new(8),
        pub tlast: Wire<Out>,
        pub sent: Wire<Out> = Wire::default().doc("its last byte is taken"),
        left: Reg = Reg::new(COUNT).doc("bytes to be given"),
        head_left: Reg = Reg::new(HEAD).doc("of those, of the head"),
        place_r: Reg = Reg::new(place),
        word: Reg = Reg::new(32).doc("the next byte highest"),
        spent: Reg = Reg::new(2).doc("bytes of it that are given"),
        taken: Wire<Local>,
        in_head: Wire<Local>,
        load: Wire<Local> = Wire::default().doc("the next word's turn comes"),
        next: Bus<Local> = Bus::new(32),
        head_bytes: Const = Const::new(HOST_HEAD_BYTES as u128, HEAD),
        probe_start: Const = Const::new(0x4E6F_1244, 32).doc("header of the answer to a probe"),
        packet_start: Const = Const::new(0x4E6F_1044, 32).doc("header of a packet"),
        record: Const = Const::new(0x000F_0000, 32).doc("record of writes"),
        zero: Const = Const::new(0, 32),
        none: Const = Const::new(0, COUNT),
        no_place: Const = Const::new(0, place),
        fresh: Const = Const::new(0, 2),
    }

    /// From a memory with `place` bits of address.
    pub fn new(place: usize) {}
}

impl Logic for HostAnswer {
    #[hdl_gen]
    fn update(&mut self) {
        self.tvalid.next = self.left.q.val().any();
        self.taken.next = self.tvalid.val() && self.tready.val();
        self.in_head.next = self.head_left.q.val().any();
        self.give.next = self.taken.val() && self.in_head.val();
        self.tdata.next = bits_to(self.word.q.val() >> 24, 8);
        if self.in_head.val() {
            self.tdata.next = self.first.val();
        }
        self.tlast.next = self.left.q.val() == 1;
        self.sent.next = self.taken.val() && self.tlast.val();

        comment!("the word that is next");
        self.next.next = self.payload.val();
        if self.packet.val() && (self.place_r.q.val() == 0) {
            self.next.next = self.packet_start.val();
            if self.probe.val() {
                self.next.next = self.probe_start.val();
            }
        }
        if self.packet.val() && (self.place_r.q.val() == 1) {
            self.next.next = self.zero.val();
        }
        if self.packet.val() && (self.place_r.q.val() == 2) {
            self.next.next = self.record.val() | (bits_to(self.reads.val(), 32) << 8);
            if self.probe.val() {
                self.next.next = self.zero.val();
            }
        }
        self.load.next = self.taken.val()
            && ((self.head_left.q.val() == 1) || (!self.in_head.val() && self.spent.q.val().all()));

        self.left.d.next = self.left.q.val();
        self.head_left.d.next = self.head_left.q.val();
        self.place_r.d.next = self.place_r.q.val();
        self.word.d.next = self.word.q.val();
        self.spent.d.next = self.spent.q.val();
        if self.taken.val() {
            self.left.d.next = self.left.q.val() - 1;
            self.spent.d.next = self.spent.q.val() + 1;
            self.word.d.next = self.word.q.val() << 8;
            if self.in_head.val() {
                self.head_left.d.next = self.head_left.q.val() - 1;
            }
        }
        if self.load.val() {
            self.word.d.next = self.next.val();
            self.spent.d.next = self.fresh.val();
            self.place_r.d.next = self.place_r.q.val() + 1;
        }
        if self.start.val() {
            self.left.d.next = self.bytes.val();
            self.head_left.d.next = self.head_bytes.val();
            self.place_r.d.next = self.no_place.val();
        }
        if self.reset.val() {
            self.left.d.next = self.none.val();
        }
        self.place.next = self.place_r.q.val();
    }
}
