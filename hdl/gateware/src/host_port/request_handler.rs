//! Request handler of the host port: checks a frame, executes its requests, and starts the answer.

use crate::prelude::*;
use bloomline_spec::host_port::{HostAddress, HOST_TIME_TO_LIVE};

/// Bits of a state.
const STATE: usize = 4;
/// Bits of what a word of a packet is.
const ROLE: usize = 3;

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
#[derive(LogicBlock)]
pub struct RequestHandler {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub free: Wire<Out>,
    pub ended: Wire<In>,
    pub own: Wire<In>,
    pub sound: Wire<In>,
    pub fits: Wire<In>,
    pub header_right: Wire<In>,
    pub body_right: Wire<In>,
    pub total: Bus<In>,
    pub single: Wire<In>,
    pub arp: Wire<In>,
    pub ip: Wire<In>,
    pub echo: Wire<In>,
    pub datagram: Wire<In>,
    pub unchecked: Wire<In>,
    pub peer: Bus<In>,
    pub place: Bus<Out>,
    pub payload: Bus<In>,
    pub put: Wire<Out>,
    pub put_place: Bus<Out>,
    pub put_word: Bus<Out>,
    pub start: Wire<Out>,
    pub write: Wire<Out>,
    pub address: Bus<Out>,
    pub word: Bus<Out>,
    pub done: Wire<In>,
    pub late: Wire<In>,
    pub data: Bus<In>,
    pub stuck: Wire<In>,
    pub answer: Wire<Out>,
    pub answers: Wire<Out>,
    pub answer_arp: Wire<Out>,
    pub answer_echo: Wire<Out>,
    pub answer_probe: Wire<Out>,
    pub answer_total: Bus<Out>,
    pub answer_check: Bus<Out>,
    pub answer_bytes: Bus<Out>,
    pub answer_reads: Bus<Out>,
    pub sent: Wire<In>,
    pub refused: Wire<Out>,
    pub missing: Wire<Out>,
    state: Reg,
    role: Reg,
    place_r: Reg,
    slot: Reg,
    arp_r: Flag,
    echo_r: Flag,
    probe_r: Flag,
    writes: Reg,
    reads: Reg,
    left: Reg,
    address_r: Reg,
    word_r: Reg,
    writing: Flag,
    total_r: Reg,
    sum: Reg,
    step: Reg,
    summed: Bus<Local>,
    part: Bus<Local>,
    listening: Wire<Local>,
    looking: Wire<Local>,
    good: Wire<Local>,
    packet: Wire<Local>,
    length: Reg,
    need: Bus<Local>,
    bad_header: Wire<Local>,
    bad_record: Wire<Local>,
    refuses: Wire<Local>,
    listen: Const,
    judge: Const,
    fetch: Const,
    wait: Const,
    look: Const,
    ask: Const,
    access: Const,
    adding: Const,
    heading: Const,
    answering: Const,
    header: Const,
    record: Const,
    write_base: Const,
    write_word: Const,
    read_base: Const,
    read_address: Const,
    of_header: Const,
    of_record: Const,
    of_lists: Const,
    magic: Const,
    sizes: Const,
    enables: Const,
    no_step: Const,
    echo_sum: Const,
    udp_sum: Const,
    head_total: Const,
    probe_total: Const,
    packet_total: Const,
    ethernet: Const,
    header_bytes: Const,
    record_bytes: Const,
    record_words: Const,
    place_count: usize,
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

impl RequestHandler {
    /// For the card of `address`, with a memory of `place` bits of address.
    pub fn new(address: &HostAddress, place: usize) -> Self {
        let state = |value: u128, doc: &str| Const::new(value, STATE).doc(doc);
        let role = |value: u128, doc: &str| Const::new(value, ROLE).doc(doc);
        let at = |value: u128| Const::new(value, place);
        let half = |value: u128| Const::new(value, 16);
        Self {
            about: About::new(
                "request_handler",
                "Judges a frame that has come, goes through its packet word by word, and has it answered.\n\
                 LISTEN, JUDGE, FETCH, WAIT, LOOK, ASK, ACCESS, SUM, HEAD, ANSWER.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("no frame"),
            free: Wire::default().doc("a frame that begins is read"),
            ended: Wire::default().doc("one has come; what is known of it, from the next clock on:"),
            own: Wire::default().doc("to the card"),
            sound: Wire::default().doc("not bad, and of a length that can be"),
            fits: Wire::default().doc("the IP packet is long enough, and within the frame"),
            header_right: Default::default(),
            body_right: Default::default(),
            total: Bus::new(16).doc("its length"),
            single: Wire::default().doc("the source address is one station's"),
            arp: Wire::default().doc("an ARP request for the card"),
            ip: Wire::default().doc("IPv4 to the card"),
            echo: Default::default(),
            datagram: Default::default(),
            unchecked: Wire::default().doc("its UDP checksum is 0"),
            peer: Bus::new(32).doc("source IP address"),
            place: Bus::new(place).doc("word of the payload"),
            payload: Bus::new(32).doc("it, two clocks later"),
            put: Wire::default().doc("a word of the answer"),
            put_place: Bus::new(place),
            put_word: Bus::new(32),
            start: Wire::default().doc("an access"),
            write: Default::default(),
            address: Bus::new(30).doc("in words"),
            word: Bus::new(32).doc("what is written"),
            done: Wire::default().doc("it is made"),
            late: Wire::default().doc("with done: there was no response in time"),
            data: Bus::new(32).doc("what was read"),
            stuck: Wire::default().doc("the bus owes a response"),
            answer: Wire::default().doc("an answer begins"),
            answers: Wire::default().doc("it leaves"),
            answer_arp: Wire::default().doc("an ARP reply"),
            answer_echo: Wire::default().doc("an echo reply"),
            answer_probe: Wire::default().doc("to a probe"),
            answer_total: Bus::new(16).doc("length of its IP packet"),
            answer_check: Bus::new(16).doc("checksum of its IP header"),
            answer_bytes: Bus::new(10).doc("its bytes"),
            answer_reads: Bus::new(8).doc("words that were read"),
            sent: Wire::default().doc("its last byte is taken"),
            refused: Wire::default().doc("nothing is done of a frame to the card"),
            missing: Wire::default().doc("an access was late"),
            state: Reg::new(STATE),
            role: Reg::new(ROLE).doc("what the next word is"),
            place_r: Reg::new(place).doc("place of it"),
            slot: Reg::new(place).doc("place of the next word of the answer"),
            arp_r: Default::default(),
            echo_r: Default::default(),
            probe_r: Default::default(),
            writes: Reg::new(8).doc("words to be written"),
            reads: Reg::new(8).doc("words to be read"),
            left: Reg::new(8).doc("of those, not yet"),
            address_r: Reg::new(30),
            word_r: Reg::new(32),
            writing: Default::default(),
            total_r: Reg::new(16).doc("length of the answer's IP packet"),
            sum: Reg::new(16).doc("over its header, in ones' complement"),
            step: Reg::new(2).doc("halves added"),
            summed: Bus::new(17),
            part: Bus::new(17).doc("what is added next"),
            listening: Default::default(),
            looking: Default::default(),
            good: Wire::default().doc("the frame is good"),
            packet: Wire::default().doc("a datagram for Etherbone"),
            length: Reg::new(16).doc("bytes of its payload"),
            need: Bus::new(16).doc("bytes that a packet's lists ask for"),
            bad_header: Default::default(),
            bad_record: Default::default(),
            refuses: Default::default(),
            listen: state(0, "LISTEN"),
            judge: state(1, "JUDGE"),
            fetch: state(2, "FETCH"),
            wait: state(3, "WAIT"),
            look: state(4, "LOOK"),
            ask: state(5, "ASK"),
            access: state(6, "ACCESS"),
            adding: state(7, "SUM"),
            heading: state(8, "HEAD"),
            answering: state(9, "ANSWER"),
            header: role(0, "packet header"),
            record: role(1, "record header"),
            write_base: role(2, "base address of the writes"),
            write_word: role(3, "word to write"),
            read_base: role(4, "base address of the answer"),
            read_address: role(5, "address to read"),
            of_header: at(0),
            of_record: at(2),
            of_lists: at(3),
            magic: Const::new(0x4E6F1, 20).doc("Etherbone, version 1"),
            sizes: Const::new(0x44, 8).doc("addresses and words of 32 bits"),
            enables: Const::new(0x000F, 16).doc("no flags, all bytes"),
            no_step: Const::new(0, 2),
            echo_sum: half(fixed_sum(address, 1)).doc("sum of what echo replies have in the header"),
            udp_sum: half(fixed_sum(address, 17)).doc("of what datagrams have"),
            head_total: half(28).doc("bytes of IP in the head"),
            probe_total: half(40).doc("the same, and the answer to a probe"),
            packet_total: half(44).doc("the same, and a packet without words"),
            ethernet: half(14).doc("bytes before the IP packet"),
            header_bytes: half(8).doc("bytes of a packet's header"),
            record_bytes: half(12).doc("and the record's"),
            record_words: half(3),
            place_count: place,
        }
    }
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
