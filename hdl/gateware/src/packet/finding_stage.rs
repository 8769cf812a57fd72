//! Last pipeline stage of the parser: fields of the headers, the key, and how the parse ended.

use super::fields::{ending, mode, state, FAR_BITS, HEADER_WORDS, PLACE_BITS};
use super::{KeyLayout, NetworkOrder};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

block! {
    /// Keeps what the words of a frame say, by what the stages before have found that they are, and says how the parse stands behind each beat.
    ///
    /// Outputs are registers, or logic of a few gates behind them: latency 1 clock. In `finding` only the fields are set that [`super::FrameClassifier`] and [`super::Front`] read.
    /// `docs/packet.md`, "What a frame is to the parser". `reset` is synchronous and active high.
    ///
    /// What is read word by word (types, labels, the fixed part of an IP header) is too deep if the last word that may be read was there and it did not end with it; what stands behind a length, if that reaches
    /// beyond that word. Headers that reach beyond the IP packet are [`super::FrameClassifier`]'s.
    pub struct FindingStage {
        about: About = About::new(
            "finding_stage",
            "Keeps what the words of a frame say, and says how the parse stands behind each beat, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub word: Vec<Bus<In>> = words(),
        pub number: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(HEADER_WORDS).doc("bit i: the word is number i of the IP header")).collect(),
        pub six: Wire<In> = Wire::default().doc("of version 6"),
        pub header: Vec<Wire<In>> = (0..LANES).map(|_| Wire::default().doc("the word is the first of an extension")).collect(),
        pub ports: Vec<Wire<In>> = (0..LANES).map(|_| Wire::default().doc("the word holds the ports")).collect(),
        pub steps: Wire<In> = Wire::default().doc("a header begins"),
        pub from: Bus<In> = Bus::new(PLACE_BITS).doc("number of its first word"),
        pub words: Bus<In> = Bus::new(FAR_BITS).doc("words that it takes"),
        pub no_ip: Wire<In> = Wire::default().doc("the parse has ended without IP"),
        pub unfit: Wire<In> = Wire::default().doc("an IP header began whose version or lengths are wrong"),
        pub waits: Wire<In> = Wire::default().doc("a word is still to be read behind the IP header"),
        pub malformed: Wire<In> = Wire::default().doc("a header stands there that must not"),
        pub deepest: Wire<In> = Wire::default().doc("the beat holds the last word that may be read"),
        pub finding: Bus<Out> = Bus::new(state::BITS).doc("state after the beat"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        pub hops_4: Vec<Wire<Out>> = lanes("the word holds TTL and checksum"),
        pub hops_6: Vec<Wire<Out>> = lanes("the hop limit"),
        begins: Flag = Flag::with_init(true).doc("the next beat is the first of its frame"),
        // of the frame
        six_r: Flag = Flag::default().doc("the IP header is of version 6"),
        in_ip: Flag = Flag::default().doc("its first word is read"),
        fixed: Flag = Flag::default().doc("and the last of its fixed part"),
        wrong: Flag = Flag::default().doc("its version or lengths are wrong"),
        no_ip_r: Flag,
        waits_r: Flag,
        malformed_r: Flag,
        deepest_r: Flag = Flag::default().doc("the frame has the last word that may be read"),
        at: Reg = Reg::new(FAR_BITS).doc("number of the word behind the last header"),
        ip_place: Reg = Reg::new(PLACE_BITS).doc("of the first of the IP header"),
        length: Reg = Reg::new(16).doc("total of IPv4, payload of IPv6"),
        dscp: Reg = Reg::new(6),
        checksum: Reg = Reg::new(16),
        next: Reg = Reg::new(8).doc("number of the last header"),
        key_words: Vec<Reg> = layout.words.iter().map(|_| Reg::new(32)).collect(),
        key_ports: Vec<Reg> = layout.ports.iter().map(|_| Reg::new(32)).collect(),
        hops_4_r: Vec<Flag> = flags(),
        hops_6_r: Vec<Flag> = flags(),
        order: Vec<NetworkOrder> = (0..LANES).map(|_| Default::default()).collect(),
        // how the parse stands
        at_header: Wire<Local> = Wire::default().doc("the parser waits for a header behind the fixed part"),
        reads: Wire<Local> = Wire::default().doc("the parser reads word by word"),
        deep: Wire<Local>,
        mode: Bus<Local> = Bus::new(mode::BITS),
        ending: Bus<Local> = Bus::new(ending::BITS),
        bytes: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        unread: Const = Const::new(super::fields::LAST_PLACE as u128 + 1, PLACE_BITS).doc("word behind the last that may be read"),
        no_length: Const = Const::new(0, 16),
        no_ports: Const = Const::new(0, 32),
        waiting_mode: Const = Const::new(mode::TYPE, mode::BITS),
        end_mode: Const = Const::new(mode::END, mode::BITS),
        end_no_ip: Const = end(ending::NO_IP),
        end_ip: Const = end(ending::IP),
        end_malformed: Const = end(ending::MALFORMED),
        end_too_deep: Const = end(ending::TOO_DEEP),
        at_place: Const = state::AT.place(),
        ending_place: Const = state::ENDING.place(),
        six_place: Const = state::SIX.place(),
        in_ip_place: Const = state::IN_IP.place(),
        ip_place_place: Const = state::IP_PLACE.place(),
        length_place: Const = state::LENGTH.place(),
        next_place: Const = state::NEXT.place(),
        dscp_place: Const = state::DSCP.place(),
        checksum_place: Const = state::CHECKSUM.place(),
        word_number: Vec<usize> = layout.words.iter().map(|w| w.0).collect(),
        word_place: Vec<usize> = layout.words.iter().map(|w| w.1).collect(),
        ports_place: Vec<usize> = layout.ports.into_iter().collect(),
        wanted_six: bool = layout.six,
        word_count: usize = layout.words.len(),
        port_count: usize = usize::from(layout.ports.is_some()),
        state_bits: usize = state::BITS,
        key_bits: usize = layout.bits,
        lanes: usize = LANES,
        far: usize = FAR_BITS,
        beyond: usize = FAR_BITS - PLACE_BITS,
        place_bits: usize = PLACE_BITS,
    }

    /// For keys of `layout`.
    pub fn new(layout: &KeyLayout) {
        let words = || (0..LANES).map(|_| Bus::new(32)).collect();
        let lanes = |text: &str| (0..LANES).map(|_| Wire::default().doc(text)).collect();
        let flags = || (0..LANES).map(|_| Flag::default()).collect();
        let end = |value| Const::new(value, ending::BITS);
    }
}

impl Logic for FindingStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            begins,
            six_r,
            in_ip,
            fixed,
            wrong,
            no_ip_r,
            waits_r,
            malformed_r,
            deepest_r,
            at,
            ip_place,
            length,
            dscp,
            checksum,
            next
        );
        if self.valid.val() {
            self.begins.d.next = self.last.val();
        }
        if self.reset.val() {
            self.begins.d.next = true;
        }

        comment!("what holds of the frame behind this beat");
        if self.valid.val() {
            self.no_ip_r.d.next = self.no_ip.val();
            self.waits_r.d.next = self.waits.val();
            self.malformed_r.d.next = self.malformed.val();
            self.in_ip.d.next = (self.in_ip.q.val() && !self.begins.q.val())
                || self.number[0].val().get_bit(0)
                || self.number[1].val().get_bit(0);
            self.wrong.d.next = (self.wrong.q.val() && !self.begins.q.val()) || self.unfit.val();
            self.deepest_r.d.next =
                (self.deepest_r.q.val() && !self.begins.q.val()) || self.deepest.val();
            self.fixed.d.next = (self.fixed.q.val() && !self.begins.q.val())
                || (!self.six.val()
                    && (self.number[0].val().get_bit(4) || self.number[1].val().get_bit(4)))
                || self.number[0].val().get_bit(9)
                || self.number[1].val().get_bit(9);
            if self.steps.val() {
                self.at.d.next = bits_to(self.from.val(), self.far) + self.words.val();
            }
        }

        comment!("what the words say");
        for i in 0..self.lanes {
            if self.valid.val() && self.number[i].val().get_bit(0) {
                self.six_r.d.next = self.six.val();
                self.ip_place.d.next = self.from.val();
                self.dscp.d.next = bits_to(self.word[i].val() >> 18, 6);
                self.length.d.next = self.no_length.val();
                if !self.six.val() {
                    self.length.d.next = bits_to(self.word[i].val(), 16);
                }
            }
        }
        for i in 0..self.lanes {
            if self.valid.val() && self.six.val() && self.number[i].val().get_bit(1) {
                self.length.d.next = bits_to(self.word[i].val() >> 16, 16);
                self.next.d.next = bits_to(self.word[i].val() >> 8, 8);
            }
            if self.valid.val() && !self.six.val() && self.number[i].val().get_bit(2) {
                self.checksum.d.next = bits_to(self.word[i].val(), 16);
                self.next.d.next = bits_to(self.word[i].val() >> 16, 8);
            }
            if self.valid.val() && self.header[i].val() {
                self.next.d.next = bits_to(self.word[i].val() >> 24, 8);
            }
            self.hops_4_r[i].d.next = !self.six.val() && self.number[i].val().get_bit(2);
            self.hops_4[i].next = self.hops_4_r[i].q.val();
            self.hops_6_r[i].d.next = self.six.val() && self.number[i].val().get_bit(1);
            self.hops_6[i].next = self.hops_6_r[i].q.val();
            self.order[i].bytes.next = self.word[i].val();
        }

        comment!("the key");
        self.bytes.next = bits_wide(0, self.key_bits);
        for k in 0..self.word_count {
            self.key_words[k].d.next = self.key_words[k].q.val();
            for i in 0..self.lanes {
                if self.valid.val()
                    && (self.six.val() == self.wanted_six)
                    && self.number[i].val().get_bit(self.word_number[k])
                {
                    self.key_words[k].d.next = self.order[i].word.val();
                }
            }
            self.bytes.next = self.bytes.val()
                | (bits_wide(self.key_words[k].q.val(), self.key_bits) << self.word_place[k]);
        }
        for k in 0..self.port_count {
            self.key_ports[k].d.next = self.key_ports[k].q.val();
            if self.valid.val() && self.begins.q.val() {
                self.key_ports[k].d.next = self.no_ports.val();
            }
            for i in 0..self.lanes {
                if self.valid.val() && self.ports[i].val() {
                    self.key_ports[k].d.next = self.order[i].word.val();
                }
            }
            self.bytes.next = self.bytes.val()
                | (bits_wide(self.key_ports[k].q.val(), self.key_bits) << self.ports_place[k]);
        }
        self.key.next = self.bytes.val();

        comment!("how the parse stands");
        self.at_header.next = self.fixed.q.val() && self.waits_r.q.val();
        self.reads.next = !self.fixed.q.val() && !self.wrong.q.val() && !self.no_ip_r.q.val();
        self.deep.next = (self.reads.val() && self.deepest_r.q.val())
            || (self.at_header.val()
                && (bits_to(self.at.q.val() >> 5, self.beyond).any()
                    || (bits_to(self.at.q.val(), self.place_bits) == self.unread.val())));
        self.mode.next = self.end_mode.val();
        self.ending.next = self.end_ip.val();
        if self.reads.val() || self.at_header.val() {
            self.mode.next = self.waiting_mode.val();
        }
        if self.no_ip_r.q.val() {
            self.ending.next = self.end_no_ip.val();
        }
        if self.wrong.q.val() || self.malformed_r.q.val() {
            self.ending.next = self.end_malformed.val();
        }
        if self.deep.val() {
            self.mode.next = self.end_mode.val();
            self.ending.next = self.end_too_deep.val();
        }
        self.finding.next = bits_to(self.mode.val(), self.state_bits)
            | (bits_to(self.at.q.val(), self.state_bits) << self.at_place.val())
            | (bits_to(self.ending.val(), self.state_bits) << self.ending_place.val())
            | (bits_of(self.six_r.q.val(), self.state_bits) << self.six_place.val())
            | (bits_of(self.in_ip.q.val(), self.state_bits) << self.in_ip_place.val())
            | (bits_to(self.ip_place.q.val(), self.state_bits) << self.ip_place_place.val())
            | (bits_to(self.length.q.val(), self.state_bits) << self.length_place.val())
            | (bits_to(self.next.q.val(), self.state_bits) << self.next_place.val())
            | (bits_to(self.dscp.q.val(), self.state_bits) << self.dscp_place.val())
            | (bits_to(self.checksum.q.val(), self.state_bits) << self.checksum_place.val());
    }
}
