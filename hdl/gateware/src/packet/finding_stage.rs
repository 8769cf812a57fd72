//! Last pipeline stage of the parser: fields of the headers, the key, and how the parse ended.

use super::fields::{ending, mode, state, FAR_BITS, HEADER_WORDS, PLACE_BITS};
use super::{KeyLayout, NetworkOrder};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

/// Keeps what the words of a frame say, by what the stages before have found that they are, and says how the parse stands behind each beat.
///
/// Outputs are registers, or logic of a few gates behind them: latency 1 clock. In `finding` only the fields are set that [`super::FrameClassifier`] and [`super::Front`] read.
/// `docs/packet.md`, "What a frame is to the parser". `reset` is synchronous and active high.
///
/// What is read word by word (types, labels, the fixed part of an IP header) is too deep if the last word that may be read was there and it did not end with it; what stands behind a length, if that reaches
/// beyond that word. Headers that reach beyond the IP packet are [`super::FrameClassifier`]'s.
#[derive(LogicBlock)]
pub struct FindingStage {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub word: Vec<Bus<In>>,
    pub number: Vec<Bus<In>>,
    pub six: Wire<In>,
    pub header: Vec<Wire<In>>,
    pub ports: Vec<Wire<In>>,
    pub steps: Wire<In>,
    pub from: Bus<In>,
    pub words: Bus<In>,
    pub no_ip: Wire<In>,
    pub unfit: Wire<In>,
    pub waits: Wire<In>,
    pub malformed: Wire<In>,
    pub deepest: Wire<In>,
    pub finding: Bus<Out>,
    pub key: WideBus<Out>,
    pub hops_4: Vec<Wire<Out>>,
    pub hops_6: Vec<Wire<Out>>,
    begins: Flag,
    // of the frame
    six_r: Flag,
    in_ip: Flag,
    fixed: Flag,
    wrong: Flag,
    no_ip_r: Flag,
    waits_r: Flag,
    malformed_r: Flag,
    deepest_r: Flag,
    at: Reg,
    ip_place: Reg,
    length: Reg,
    dscp: Reg,
    checksum: Reg,
    next: Reg,
    key_words: Vec<Reg>,
    key_ports: Vec<Reg>,
    hops_4_r: Vec<Flag>,
    hops_6_r: Vec<Flag>,
    order: Vec<NetworkOrder>,
    // how the parse stands
    at_header: Wire<Local>,
    reads: Wire<Local>,
    deep: Wire<Local>,
    mode: Bus<Local>,
    ending: Bus<Local>,
    bytes: WideBus<Local>,
    unread: Const,
    no_length: Const,
    no_ports: Const,
    waiting_mode: Const,
    end_mode: Const,
    end_no_ip: Const,
    end_ip: Const,
    end_malformed: Const,
    end_too_deep: Const,
    at_place: Const,
    ending_place: Const,
    six_place: Const,
    in_ip_place: Const,
    ip_place_place: Const,
    length_place: Const,
    next_place: Const,
    dscp_place: Const,
    checksum_place: Const,
    word_number: Vec<usize>,
    word_place: Vec<usize>,
    ports_place: Vec<usize>,
    wanted_six: bool,
    word_count: usize,
    port_count: usize,
    state_bits: usize,
    key_bits: usize,
    lanes: usize,
    far: usize,
    beyond: usize,
    place_bits: usize,
}

impl FindingStage {
    /// For keys of `layout`.
    pub fn new(layout: &KeyLayout) -> Self {
        let words = || (0..LANES).map(|_| Bus::new(32)).collect();
        let lanes = |text: &str| (0..LANES).map(|_| Wire::default().doc(text)).collect();
        let flags = || (0..LANES).map(|_| Flag::default()).collect();
        let end = |value| Const::new(value, ending::BITS);
        Self {
            about: About::new(
                "finding_stage",
                "Keeps what the words of a frame say, and says how the parse stands behind each beat, a clock later.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("a frame begins"),
            valid: Wire::default().doc("a beat"),
            last: Wire::default().doc("the last of its frame"),
            word: words(),
            number: (0..LANES).map(|_| Bus::new(HEADER_WORDS).doc("bit i: the word is number i of the IP header")).collect(),
            six: Wire::default().doc("of version 6"),
            header: (0..LANES).map(|_| Wire::default().doc("the word is the first of an extension")).collect(),
            ports: (0..LANES).map(|_| Wire::default().doc("the word holds the ports")).collect(),
            steps: Wire::default().doc("a header begins"),
            from: Bus::new(PLACE_BITS).doc("number of its first word"),
            words: Bus::new(FAR_BITS).doc("words that it takes"),
            no_ip: Wire::default().doc("the parse has ended without IP"),
            unfit: Wire::default().doc("an IP header began whose version or lengths are wrong"),
            waits: Wire::default().doc("a word is still to be read behind the IP header"),
            malformed: Wire::default().doc("a header stands there that must not"),
            deepest: Wire::default().doc("the beat holds the last word that may be read"),
            finding: Bus::new(state::BITS).doc("state after the beat"),
            key: WideBus::<Out>::new(layout.bits),
            hops_4: lanes("the word holds TTL and checksum"),
            hops_6: lanes("the hop limit"),
            begins: Flag::with_init(true).doc("the next beat is the first of its frame"),
            six_r: Flag::default().doc("the IP header is of version 6"),
            in_ip: Flag::default().doc("its first word is read"),
            fixed: Flag::default().doc("and the last of its fixed part"),
            wrong: Flag::default().doc("its version or lengths are wrong"),
            no_ip_r: Default::default(),
            waits_r: Default::default(),
            malformed_r: Default::default(),
            deepest_r: Flag::default().doc("the frame has the last word that may be read"),
            at: Reg::new(FAR_BITS).doc("number of the word behind the last header"),
            ip_place: Reg::new(PLACE_BITS).doc("of the first of the IP header"),
            length: Reg::new(16).doc("total of IPv4, payload of IPv6"),
            dscp: Reg::new(6),
            checksum: Reg::new(16),
            next: Reg::new(8).doc("number of the last header"),
            key_words: layout.words.iter().map(|_| Reg::new(32)).collect(),
            key_ports: layout.ports.iter().map(|_| Reg::new(32)).collect(),
            hops_4_r: flags(),
            hops_6_r: flags(),
            order: (0..LANES).map(|_| Default::default()).collect(),
            at_header: Wire::default().doc("the parser waits for a header behind the fixed part"),
            reads: Wire::default().doc("the parser reads word by word"),
            deep: Default::default(),
            mode: Bus::new(mode::BITS),
            ending: Bus::new(ending::BITS),
            bytes: WideBus::<Local>::new(layout.bits),
            unread: Const::new(super::fields::LAST_PLACE as u128 + 1, PLACE_BITS).doc("word behind the last that may be read"),
            no_length: Const::new(0, 16),
            no_ports: Const::new(0, 32),
            waiting_mode: Const::new(mode::TYPE, mode::BITS),
            end_mode: Const::new(mode::END, mode::BITS),
            end_no_ip: end(ending::NO_IP),
            end_ip: end(ending::IP),
            end_malformed: end(ending::MALFORMED),
            end_too_deep: end(ending::TOO_DEEP),
            at_place: state::AT.place(),
            ending_place: state::ENDING.place(),
            six_place: state::SIX.place(),
            in_ip_place: state::IN_IP.place(),
            ip_place_place: state::IP_PLACE.place(),
            length_place: state::LENGTH.place(),
            next_place: state::NEXT.place(),
            dscp_place: state::DSCP.place(),
            checksum_place: state::CHECKSUM.place(),
            word_number: layout.words.iter().map(|w| w.0).collect(),
            word_place: layout.words.iter().map(|w| w.1).collect(),
            ports_place: layout.ports.into_iter().collect(),
            wanted_six: layout.six,
            word_count: layout.words.len(),
            port_count: usize::from(layout.ports.is_some()),
            state_bits: state::BITS,
            key_bits: layout.bits,
            lanes: LANES,
            far: FAR_BITS,
            beyond: FAR_BITS - PLACE_BITS,
            place_bits: PLACE_BITS,
        }
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
