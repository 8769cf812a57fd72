//! Pipeline stage of the parser for the fixed part of an IP header.

use super::fields::{header, HEADER_WORDS, RING};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;
/// Beats that the words of a header take behind that of its first.
const BEATS: usize = HEADER_WORDS / LANES;
/// Words of an IPv6 header.
const IPV6_WORDS: u128 = HEADER_WORDS as u128;

/// Numbers the words of an IP header, and says what follows it and where, two words a clock.
///
/// One bit moves through a shift register as the header's beats pass; it and the lane that the header begins in name the words of a beat.
/// What follows is known in the beat behind the header's first: `known`. Outputs are registers: latency 1 clock.
/// `docs/packet.md`, "What a frame is to the parser". `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct HeaderStage {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub begins: Vec<Wire<In>>,
    pub six: Wire<In>,
    pub fits: Wire<In>,
    pub whole: Vec<Wire<In>>,
    pub header_words: Vec<Bus<In>>,
    pub fragment_4: Vec<Wire<In>>,
    pub middle: Vec<Bus<In>>,
    pub low: Vec<Bus<In>>,
    pub number: Vec<Bus<Out>>,
    pub version_6: Wire<Out>,
    pub unfit: Wire<Out>,
    pub reach: Bus<Out>,
    pub known: Wire<Out>,
    pub options: Wire<Out>,
    pub authentication: Wire<Out>,
    pub fragment: Wire<Out>,
    pub ports: Wire<Out>,
    beats: Reg,
    odd: Flag,
    six_r: Flag,
    fragment_before: Flag,
    low_before: Reg,
    now_begins: Wire<Local>,
    now_six: Wire<Local>,
    numbers: Vec<Bus<Local>>,
    later_fragment: Wire<Local>,
    kinds: Bus<Local>,
    number_r: Vec<Reg>,
    version_6_r: Flag,
    unfit_r: Flag,
    reach_r: Reg,
    known_r: Flag,
    options_r: Flag,
    authentication_r: Flag,
    fragment_r: Flag,
    ports_r: Flag,
    no_beats: Const,
    every_word: Const,
    words_of_4: Const,
    no_words: Const,
    one: Const,
    ipv6_reach: Vec<Const>,
    two: Const,
    hops_bit: usize,
    options_bit: usize,
    fragment_bit: usize,
    authentication_bit: usize,
    ports_bit: usize,
    beat_count: usize,
    number_bits: usize,
    reach_bits: usize,
    lanes: usize,
}

impl Default for HeaderStage {
    fn default() -> Self {
        let flags = || (0..LANES).map(|_| Wire::default()).collect();
        Self {
            about: About::new(
                "header_stage",
                "Numbers the words of an IP header, and says what follows it and where, two words a clock, a clock later.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("a frame begins"),
            valid: Wire::default().doc("a beat"),
            last: Wire::default().doc("the last of its frame"),
            begins: (0..LANES).map(|_| Wire::default().doc("the word is the first of the IP header")).collect(),
            six: Wire::default().doc("of version 6"),
            fits: Wire::default().doc("its version is the one announced, and its lengths agree"),
            whole: flags(),
            header_words: (0..LANES).map(|_| Bus::new(4).doc("words of an IPv4 header that begins here")).collect(),
            fragment_4: flags(),
            middle: (0..LANES).map(|_| Bus::new(header::BITS)).collect(),
            low: (0..LANES).map(|_| Bus::new(header::BITS)).collect(),
            number: (0..LANES).map(|_| Bus::new(HEADER_WORDS).doc("bit i: word i of the header")).collect(),
            version_6: Wire::default().doc("of version 6"),
            unfit: Wire::default().doc("a header began whose version or lengths are wrong"),
            reach: Bus::new(RING).doc("bit i: the word behind the header that begins stands i words behind this beat"),
            known: Wire::default().doc("what follows the header is known"),
            options: Wire::default().doc("an extension of 8 (b + 1) bytes"),
            authentication: Wire::default().doc("one of 4 (b + 2) bytes"),
            fragment: Wire::default().doc("one of 8 bytes"),
            ports: Default::default(),
            beats: Reg::new(BEATS).doc("bit i: i + 1 beats behind the first of the header"),
            odd: Flag::default().doc("it began with a beat's second word"),
            six_r: Default::default(),
            fragment_before: Flag::default().doc("of the second word of the beat before"),
            low_before: Reg::new(header::BITS),
            now_begins: Default::default(),
            now_six: Default::default(),
            numbers: (0..LANES).map(|_| Bus::new(HEADER_WORDS)).collect(),
            later_fragment: Wire::default().doc("not the first one"),
            kinds: Bus::new(header::BITS),
            number_r: (0..LANES).map(|_| Reg::new(HEADER_WORDS)).collect(),
            version_6_r: Default::default(),
            unfit_r: Default::default(),
            reach_r: Reg::new(RING),
            known_r: Default::default(),
            options_r: Default::default(),
            authentication_r: Default::default(),
            fragment_r: Default::default(),
            ports_r: Default::default(),
            no_beats: Const::new(0, BEATS),
            every_word: Const::new(ones(HEADER_WORDS), HEADER_WORDS),
            words_of_4: Const::new(0b1_1111, HEADER_WORDS).doc("words of an IPv4 header that are read"),
            no_words: Const::new(0, HEADER_WORDS),
            one: Const::new(1, RING + LANES),
            ipv6_reach: (0..LANES).map(|lane| Const::new(1 << (IPV6_WORDS as usize + lane - LANES), RING)).collect(),
            two: Const::number(LANES),
            hops_bit: header::HOPS,
            options_bit: header::OPTIONS,
            fragment_bit: header::FRAGMENT,
            authentication_bit: header::AUTHENTICATION,
            ports_bit: header::PORTS,
            beat_count: BEATS,
            number_bits: HEADER_WORDS,
            reach_bits: RING,
            lanes: LANES,
        }
    }
}

impl Logic for HeaderStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("words of the header in this beat");
        self.now_begins.next = (self.begins[0].val() || self.begins[1].val()) && self.fits.val();
        self.now_six.next = self.six_r.q.val();
        if self.now_begins.val() {
            self.now_six.next = self.six.val();
        }
        self.numbers[0].next = bits_of(self.begins[0].val() && self.fits.val(), self.number_bits);
        self.numbers[1].next = bits_of(self.begins[1].val() && self.fits.val(), self.number_bits)
            | (bits_of(self.begins[0].val() && self.fits.val(), self.number_bits) << 1);
        for i in 0..self.beat_count {
            self.numbers[0].next = self.numbers[0].val()
                | (bits_of(
                    self.beats.q.val().get_bit(i) && self.odd.q.val(),
                    self.number_bits,
                ) << (2 * i + 1))
                | (bits_of(
                    self.beats.q.val().get_bit(i) && !self.odd.q.val(),
                    self.number_bits,
                ) << (2 * i + 2));
            self.numbers[1].next = self.numbers[1].val()
                | (bits_of(
                    self.beats.q.val().get_bit(i) && self.odd.q.val(),
                    self.number_bits,
                ) << (2 * i + 2))
                | (bits_of(
                    self.beats.q.val().get_bit(i) && !self.odd.q.val(),
                    self.number_bits,
                ) << (2 * i + 3));
        }
        for i in 0..self.lanes {
            self.number_r[i].d.next = self.numbers[i].val() & self.words_of_4.val();
            if self.now_six.val() {
                self.number_r[i].d.next = self.numbers[i].val() & self.every_word.val();
            }
            if !self.whole[i].val() {
                self.number_r[i].d.next = self.no_words.val();
            }
            self.number[i].next = self.number_r[i].q.val();
        }
        self.version_6_r.d.next = self.now_six.val();
        self.version_6.next = self.version_6_r.q.val();
        self.unfit_r.d.next = (self.begins[0].val() || self.begins[1].val()) && !self.fits.val();
        self.unfit.next = self.unfit_r.q.val();

        comment!("where it ends");
        self.reach_r.d.next = bits_to(
            (self.one.val() << self.header_words[0].val()) >> self.two.val(),
            self.reach_bits,
        );
        if self.six.val() {
            self.reach_r.d.next = self.ipv6_reach[0].val();
        }
        if self.begins[1].val() {
            self.reach_r.d.next = bits_to(
                (self.one.val() << self.header_words[1].val()) >> 1,
                self.reach_bits,
            );
            if self.six.val() {
                self.reach_r.d.next = self.ipv6_reach[1].val();
            }
        }
        self.reach.next = self.reach_r.q.val();

        comment!("what follows: IPv4 says the fragment offset in word 1 and the number in word 2, IPv6 the number in word 1");
        self.later_fragment.next = !self.six_r.q.val() && self.fragment_before.q.val();
        self.kinds.next = self.middle[0].val();
        if self.odd.q.val() {
            self.later_fragment.next = !self.six_r.q.val() && self.fragment_4[0].val();
            self.kinds.next = self.middle[1].val();
        }
        if self.six_r.q.val() {
            self.kinds.next = self.low_before.q.val();
            if self.odd.q.val() {
                self.kinds.next = self.low[0].val();
            }
        }
        self.known_r.d.next = self.beats.q.val().get_bit(0);
        self.known.next = self.known_r.q.val();
        self.options_r.d.next = self.six_r.q.val()
            && (self.kinds.val().get_bit(self.options_bit)
                || self.kinds.val().get_bit(self.hops_bit));
        self.options.next = self.options_r.q.val();
        self.authentication_r.d.next =
            self.kinds.val().get_bit(self.authentication_bit) && !self.later_fragment.val();
        self.authentication.next = self.authentication_r.q.val();
        self.fragment_r.d.next = self.six_r.q.val() && self.kinds.val().get_bit(self.fragment_bit);
        self.fragment.next = self.fragment_r.q.val();
        self.ports_r.d.next =
            self.kinds.val().get_bit(self.ports_bit) && !self.later_fragment.val();
        self.ports.next = self.ports_r.q.val();

        dff_setup!(self, clock, beats, odd, six_r, fragment_before, low_before);
        if self.valid.val() {
            self.beats.d.next =
                (self.beats.q.val() << 1) | bits_of(self.now_begins.val(), self.beat_count);
            self.six_r.d.next = self.now_six.val();
            if self.now_begins.val() {
                self.odd.d.next = self.begins[1].val();
            }
            self.fragment_before.d.next = self.fragment_4[1].val();
            self.low_before.d.next = self.low[1].val();
        }
        if (self.valid.val() && self.last.val()) || self.reset.val() {
            self.beats.d.next = self.no_beats.val();
        }
    }
}
