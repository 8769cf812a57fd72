//! Request handler of the host port: checks a frame, executes its requests, and starts the answer.

use crate::prelude::*;
use bloomline_spec::host_port::{HostAddress, HOST_TIME_TO_LIVE};

/// Bits of a state.
const STATE: usize = 4;
/// Bits of what a word of a packet is.
const ROLE: usize = 3;

block! {
    /// Judges a frame that has come, goes through its packet word by word, and has it answered.
    ///
    /// ```text
    /// LISTEN -> JUDGE -> SUM -> HEAD -> ANSWER -> LISTEN          ARP, echo
    ///              \---> FETCH -> WAIT -> LOOK -> SUM ..          a probe, or the last read
    ///                      ^               \-> ASK -> ACCESS -\
    ///                      \----------------------------------/   LOOK, ACCESS and JUDGE may end in LISTEN
    /// ```
    ///
    /// `docs/host-port.md`, "What is taken, and what is answered" and "Etherbone".
    /// `reset` is synchronous and active high.
    pub struct RequestHandler {
        about: About = About::new(
            "request_handler",
            "Judges a frame that has come, goes through its packet word by word, and has it answered.\n\
             LISTEN, JUDGE, FETCH, WAIT, LOOK, ASK, ACCESS, SUM, HEAD, ANSWER.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame"),
        pub free: Wire<Out> = Wire::default().doc("a frame that begins is read"),
        pub ended: Wire<In> = Wire::default().doc("one has come; what is known of it, from the next clock on:"),
        pub own: Wire<In> = Wire::default().doc("to the card"),
        pub sound: Wire<In> = Wire::default().doc("not bad, and of a length that can be"),
        pub fits: Wire<In> = Wire::default().doc("the IP packet is long enough, and within the frame"),
        pub header_right: Wire<In>,
        pub body_right: Wire<In>,
        pub total: Bus<In> = Bus::new(16).doc("its length"),
        pub single: Wire<In> = Wire::default().doc("the source address is one station's"),
        pub arp: Wire<In> = Wire::default().doc("an ARP request for the card"),
        pub ip: Wire<In> = Wire::default().doc("IPv4 to the card"),
        pub echo: Wire<In>,
        pub datagram: Wire<In>,
        pub unchecked: Wire<In> = Wire::default().doc("its UDP checksum is 0"),
        pub peer: Bus<In> = Bus::new(32).doc("source IP address"),
        pub place: Bus<Out> = Bus::new(place).doc("word of the payload"),
        pub payload: Bus<In> = Bus::new(32).doc("it, two clocks later"),
        pub put: Wire<Out> = Wire::default().doc("a word of the answer"),
        pub put_place: Bus<Out> = Bus::new(place),
        pub put_word: Bus<Out> = Bus::new(32),
        pub start: Wire<Out> = Wire::default().doc("an access"),
        pub write: Wire<Out>,
        pub address: Bus<Out> = Bus::new(30).doc("in words"),
        pub word: Bus<Out> = Bus::new(32).doc("what is written"),
        pub done: Wire<In> = Wire::default().doc("it is made"),
        pub late: Wire<In> = Wire::default().doc("with done: there was no response in time"),
        pub data: Bus<In> = Bus::new(32).doc("what was read"),
        pub stuck: Wire<In> = Wire::default().doc("the bus owes a response"),
        pub answer: Wire<Out> = Wire::default().doc("an answer begins"),
        pub answers: Wire<Out> = Wire::default().doc("it leaves"),
        pub answer_arp: Wire<Out> = Wire::default().doc("an ARP reply"),
        pub answer_echo: Wire<Out> = Wire::default().doc("an echo reply"),
        pub answer_probe: Wire<Out> = Wire::default().doc("to a probe"),
        pub answer_total: Bus<Out> = Bus::new(16).doc("length of its IP packet"),
        pub answer_check: Bus<Out> = Bus::new(16).doc("checksum of its IP header"),
        pub answer_bytes: Bus<Out> = Bus::new(10).doc("its bytes"),
        pub answer_reads: Bus<Out> = Bus::new(8).doc("words that were read"),
        pub sent: Wire<In> = Wire::default().doc("its last byte is taken"),
        pub refused: Wire<Out> = Wire::default().doc("nothing is done of a frame to the card"),
        pub missing: Wire<Out> = Wire::default().doc("an access was late"),
        state: Reg = Reg::new(STATE),
        role: Reg = Reg::new(ROLE).doc("what the next word is"),
        place_r: Reg = Reg::new(place).doc("place of it"),
        slot: Reg = Reg::new(place).doc("place of the next word of the answer"),
        arp_r: Flag,
        echo_r: Flag,
        probe_r: Flag,
        writes: Reg = Reg::new(8).doc("words to be written"),
        reads: Reg = Reg::new(8).doc("words to be read"),
        left: Reg = Reg::new(8).doc("of those, not yet"),
        address_r: Reg = Reg::new(30),
        word_r: Reg = Reg::new(32),
        writing: Flag,
        total_r: Reg = Reg::new(16).doc("length of the answer's IP packet"),
        sum: Reg = Reg::new(16).doc("over its header, in ones' complement"),
        step: Reg = Reg::new(2).doc("halves added"),
        summed: Bus<Local> = Bus::new(17),
        part: Bus<Local> = Bus::new(17).doc("what is added next"),
        listening: Wire<Local>,
        looking: Wire<Local>,
        good: Wire<Local> = Wire::default().doc("the frame is good"),
        packet: Wire<Local> = Wire::default().doc("a datagram for Etherbone"),
        length: Reg = Reg::new(16).doc("bytes of its payload"),
        need: Bus<Local> = Bus::new(16).doc("bytes that a packet's lists ask for"),
        bad_header: Wire<Local>,
        bad_record: Wire<Local>,
        refuses: Wire<Local>,
        listen: Const = state(0, "LISTEN"),
        judge: Const = state(1, "JUDGE"),
        fetch: Const = state(2, "FETCH"),
        wait: Const = state(3, "WAIT"),
        look: Const = state(4, "LOOK"),
        ask: Const = state(5, "ASK"),
        access: Const = state(6, "ACCESS"),
        adding: Const = state(7, "SUM"),
        heading: Const = state(8, "HEAD"),
        answering: Const = state(9, "ANSWER"),
        header: Const = role(0, "packet header"),
        record: Const = role(1, "record header"),
        write_base: Const = role(2, "base address of the writes"),
        write_word: Const = role(3, "word to write"),
        read_base: Const = role(4, "base address of the answer"),
        read_address: Const = role(5, "address to read"),
        of_header: Const = at(0),
        of_record: Const = at(2),
        of_lists: Const = at(3),
        magic: Const = Const::new(0x4E6F1, 20).doc("Etherbone, version 1"),
        sizes: Const = Const::new(0x44, 8).doc("addresses and words of 32 bits"),
        enables: Const = Const::new(0x000F, 16).doc("no flags, all bytes"),
        no_step: Const = Const::new(0, 2),
        echo_sum: Const = half(fixed_sum(address, 1)).doc("sum of what echo replies have in the header"),
        udp_sum: Const = half(fixed_sum(address, 17)).doc("of what datagrams have"),
        head_total: Const = half(28).doc("bytes of IP in the head"),
        probe_total: Const = half(40).doc("the same, and the answer to a probe"),
        packet_total: Const = half(44).doc("the same, and a packet without words"),
        ethernet: Const = half(14).doc("bytes before the IP packet"),
        header_bytes: Const = half(8).doc("bytes of a packet's header"),
        record_bytes: Const = half(12).doc("and the record's"),
        record_words: Const = half(3),
    }

    /// For the card of `address`, with a memory of `place` bits of address.
    pub fn new(address: &HostAddress, place: usize) {
        let state = |value: u128, doc: &str| Const::new(value, STATE).doc(doc);
        let role = |value: u128, doc: &str| Const::new(value, ROLE).doc(doc);
        let at = |value: u128| Const::new(value, place);
        let half = |value: u128| Const::new(value, 16);
    }
}

/// Sum in ones' complement of what all answers of a protocol have in their IP header.
fn fixed_sum(address: &HostAddress, protocol: u8) -> u128 {
    let [a, b, c, d] = address.ip.map(u32::from);
    let halves = [
        0x4500,
        0x4000,
        u32::from(HOST_TIME_TO_LIVE) << 8 | u32::from(protocol),
        a << 8 | b,
        c << 8 | d,
    ];
    let sum: u32 = halves.iter().sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    u128::from((sum & 0xFFFF) + (sum >> 16))
}

impl Logic for RequestHandler {
    #[hdl_gen]
    fn update(&mut self) {
        self.listening.next = self.state.q.val() == self.listen.val();
        self.looking.next = self.state.q.val() == self.look.val();
        self.free.next = self.listening.val() && !self.ended.val();
        self.state.d.next = self.state.q.val();
        self.role.d.next = self.role.q.val();
        self.place_r.d.next = self.place_r.q.val();
        self.slot.d.next = self.slot.q.val();
        self.arp_r.d.next = self.arp_r.q.val();
        self.echo_r.d.next = self.echo_r.q.val();
        self.probe_r.d.next = self.probe_r.q.val();
        self.writes.d.next = self.writes.q.val();
        self.reads.d.next = self.reads.q.val();
        self.left.d.next = self.left.q.val();
        self.address_r.d.next = self.address_r.q.val();
        self.word_r.d.next = self.word_r.q.val();
        self.writing.d.next = self.writing.q.val();
        self.total_r.d.next = self.total_r.q.val();
        self.sum.d.next = self.sum.q.val();
        self.step.d.next = self.no_step.val();
        self.put.next = false;
        self.put_place.next = self.slot.q.val();
        self.put_word.next = self.data.val();
        self.refuses.next = false;

        comment!("the frame");
        self.packet.next = self.own.val()
            && self.ip.val()
            && self.fits.val()
            && self.header_right.val()
            && self.datagram.val()
            && (self.unchecked.val() || self.body_right.val());
        self.good.next = self.sound.val()
            && self.single.val()
            && (self.arp.val()
                || self.packet.val()
                || (self.own.val()
                    && self.ip.val()
                    && self.fits.val()
                    && self.header_right.val()
                    && self.echo.val()
                    && self.body_right.val()));
        if self.listening.val() && self.ended.val() {
            self.state.d.next = self.judge.val();
        }
        if self.state.q.val() == self.judge.val() {
            self.arp_r.d.next = self.arp.val();
            self.echo_r.d.next = !self.arp.val() && !self.packet.val();
            self.probe_r.d.next = false;
            self.place_r.d.next = self.of_header.val();
            self.role.d.next = self.header.val();
            self.total_r.d.next = self.total.val();
            self.sum.d.next = self.echo_sum.val();
            self.state.d.next = self.adding.val();
            if self.arp.val() {
                self.total_r.d.next = self.head_total.val();
            } else if self.packet.val() {
                self.sum.d.next = self.udp_sum.val();
                self.state.d.next = self.fetch.val();
            }
            if !self.good.val() {
                self.state.d.next = self.listen.val();
                self.refuses.next = self.own.val();
            }
        }

        comment!("the packet, word by word");
        if self.state.q.val() == self.fetch.val() {
            self.state.d.next = self.wait.val();
        }
        if self.state.q.val() == self.wait.val() {
            self.state.d.next = self.look.val();
        }
        self.length.d.next = self.total.val() - self.head_total.val();
        self.bad_header.next = (bits_to(self.payload.val() >> 12, 20) != self.magic.val())
            || (self.length.q.val() < self.header_bytes.val())
            || (!self.payload.val().get_bit(8)
                && (self.payload.val().get_bit(9)
                    || (bits_to(self.payload.val(), 8) != self.sizes.val())
                    || (self.length.q.val() < self.record_bytes.val())));
        self.need.next = self.record_words.val()
            + bits_to(bits_to(self.payload.val() >> 8, 8), 16)
            + bits_of(bits_to(self.payload.val() >> 8, 8).any(), 16)
            + bits_to(bits_to(self.payload.val(), 8), 16)
            + bits_of(bits_to(self.payload.val(), 8).any(), 16);
        self.bad_record.next = (bits_to(self.payload.val() >> 16, 16) != self.enables.val())
            || (self.need.val() > (self.length.q.val() >> 2))
            || (self.stuck.val() && (bits_to(self.payload.val(), 16).any()));
        if self.looking.val() {
            self.state.d.next = self.fetch.val();
            self.place_r.d.next = self.place_r.q.val() + 1;
            if self.role.q.val() == self.header.val() {
                self.role.d.next = self.record.val();
                self.place_r.d.next = self.of_record.val();
                if self.payload.val().get_bit(8) {
                    self.probe_r.d.next = true;
                    self.total_r.d.next = self.probe_total.val();
                    self.state.d.next = self.adding.val();
                }
                if self.bad_header.val() {
                    self.refuses.next = true;
                    self.state.d.next = self.listen.val();
                }
            }
            if self.role.q.val() == self.record.val() {
                self.writes.d.next = bits_to(self.payload.val() >> 8, 8);
                self.reads.d.next = bits_to(self.payload.val(), 8);
                self.total_r.d.next =
                    self.packet_total.val() + (bits_to(bits_to(self.payload.val(), 8), 16) << 2);
                self.role.d.next = self.write_base.val();
                if !bits_to(self.payload.val() >> 8, 8).any() {
                    self.role.d.next = self.read_base.val();
                    if !bits_to(self.payload.val(), 8).any() {
                        self.state.d.next = self.listen.val();
                    }
                }
                if self.bad_record.val() {
                    self.refuses.next = true;
                    self.state.d.next = self.listen.val();
                }
            }
            if self.role.q.val() == self.write_base.val() {
                self.address_r.d.next = bits_to(self.payload.val() >> 2, 30);
                self.left.d.next = self.writes.q.val();
                self.writing.d.next = true;
                self.role.d.next = self.write_word.val();
            }
            if self.role.q.val() == self.write_word.val() {
                self.word_r.d.next = self.payload.val();
                self.state.d.next = self.ask.val();
            }
            if self.role.q.val() == self.read_base.val() {
                self.put.next = true;
                self.put_place.next = self.of_lists.val();
                self.put_word.next = self.payload.val();
                self.slot.d.next = self.of_lists.val() + 1;
                self.left.d.next = self.reads.q.val();
                self.writing.d.next = false;
                self.role.d.next = self.read_address.val();
            }
            if self.role.q.val() == self.read_address.val() {
                self.address_r.d.next = bits_to(self.payload.val() >> 2, 30);
                self.state.d.next = self.ask.val();
            }
        }

        comment!("an access");
        self.start.next = self.state.q.val() == self.ask.val();
        if self.start.val() {
            self.state.d.next = self.access.val();
        }
        self.missing.next = false;
        if (self.state.q.val() == self.access.val()) && self.done.val() {
            self.left.d.next = self.left.q.val() - 1;
            self.state.d.next = self.fetch.val();
            if self.writing.q.val() {
                self.address_r.d.next = self.address_r.q.val() + 1;
            } else {
                self.put.next = true;
                self.slot.d.next = self.slot.q.val() + 1;
            }
            if self.left.q.val() == 1 {
                self.role.d.next = self.read_base.val();
                if !self.writing.q.val() {
                    self.state.d.next = self.adding.val();
                } else if !self.reads.q.val().any() {
                    self.state.d.next = self.listen.val();
                }
            }
            if self.late.val() {
                self.missing.next = true;
                self.state.d.next = self.listen.val();
            }
        }

        comment!("the answer");
        self.part.next = bits_to(bits_to(self.peer.val(), 16), 17);
        if self.step.q.val() == 0 {
            self.part.next = bits_to(self.total_r.q.val(), 17);
        }
        if self.step.q.val() == 1 {
            self.part.next = bits_to(self.peer.val() >> 16, 17);
        }
        self.summed.next = bits_to(self.sum.q.val(), 17) + self.part.val();
        if self.state.q.val() == self.adding.val() {
            self.step.d.next = self.step.q.val() + 1;
            self.sum.d.next = bits_to(self.summed.val(), 16) + bits_to(self.summed.val() >> 16, 16);
            if self.step.q.val() == 2 {
                self.state.d.next = self.heading.val();
            }
        }
        self.answer.next = self.state.q.val() == self.heading.val();
        if self.answer.val() {
            self.state.d.next = self.answering.val();
        }
        self.answers.next = self.state.q.val() == self.answering.val();
        if self.answers.val() && self.sent.val() {
            self.state.d.next = self.listen.val();
        }
        if self.reset.val() {
            self.state.d.next = self.listen.val();
        }
        self.place.next = self.place_r.q.val();
        self.write.next = self.writing.q.val();
        self.address.next = self.address_r.q.val();
        self.word.next = self.word_r.q.val();
        self.refused.next = self.refuses.val();
        self.answer_arp.next = self.arp_r.q.val();
        self.answer_echo.next = self.echo_r.q.val();
        self.answer_probe.next = self.probe_r.q.val();
        self.answer_total.next = self.total_r.q.val();
        self.answer_check.next = !self.sum.q.val();
        self.answer_bytes.next = bits_to(self.total_r.q.val() + self.ethernet.val(), 10);
        self.answer_reads.next = self.reads.q.val();
    }
}
