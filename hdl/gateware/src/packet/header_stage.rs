//! Pipeline stage of the parser for the fixed part of an IP header.

use super::fields::{header, HEADER_WORDS, RING};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;
/// Beats that the words of a header take behind that of its first.
const BEATS: usize = HEADER_WORDS / LANES;
/// Words of an IPv6 header.
const IPV6_WORDS: u128 = HEADER_WORDS as u128;

block! {
    /// Numbers the words of an IP header, and says what follows it and where, two words a clock.
    ///
    /// One bit moves through a shift register as the header's beats pass; it and the lane that the header begins in name the words of a beat.
    /// What follows is known in the beat behind the header's first: `known`. Outputs are registers: latency 1 clock.
    /// `docs/packet.md`, "What a frame is to the parser". `reset` is synchronous and active high.
    pub struct HeaderStage {
        about: About = About::new(
            "header_stage",
            "Numbers the words of an IP header, and says what follows it and where, two words a clock, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub begins: Vec<Wire<In>> = (0..LANES).map(|_| Wire::default().doc("the word is the first of the IP header")).collect(),
        pub six: Wire<In> = Wire::default().doc("of version 6"),
        pub fits: Wire<In> = Wire::default().doc("its version is the one announced, and its lengths agree"),
        pub whole: Vec<Wire<In>> = flags(),
        pub header_words: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(4).doc("words of an IPv4 header that begins here")).collect(),
        pub fragment_4: Vec<Wire<In>> = flags(),
        pub middle: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(header::BITS)).collect(),
        pub low: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(header::BITS)).collect(),
        pub number: Vec<Bus<Out>> = (0..LANES).map(|_| Bus::new(HEADER_WORDS).doc("bit i: word i of the header")).collect(),
        pub version_6: Wire<Out> = Wire::default().doc("of version 6"),
        pub unfit: Wire<Out> = Wire::default().doc("a header began whose version or lengths are wrong"),
        pub reach: Bus<Out> = Bus::new(RING).doc("bit i: the word behind the header that begins stands i words behind this beat"),
        pub known: Wire<Out> = Wire::default().doc("what follows the header is known"),
        pub options: Wire<Out> = Wire::default().doc("an extension of 8 (b + 1) bytes"),
        pub authentication: Wire<Out> = Wire::default().doc("one of 4 (b + 2) bytes"),
        pub fragment: Wire<Out> = Wire::default().doc("one of 8 bytes"),
        pub ports: Wire<Out>,
        beats: Reg = Reg::new(BEATS).doc("bit i: i + 1 beats behind the first of the header"),
        odd: Flag = Flag::default().doc("it began with a beat's second word"),
        six_r: Flag,
        fragment_before: Flag = Flag::default().doc("of the second word of the beat before"),
        low_before: Reg = Reg::new(header::BITS),
        now_begins: Wire<Local>,
        now_six: Wire<Local>,
        numbers: Vec<Bus<Local>> = (0..LANES).map(|_| Bus::new(HEADER_WORDS)).collect(),
        later_fragment: Wire<Local> = Wire::default().doc("not the first one"),
        kinds: Bus<Local> = Bus::new(header::BITS),
        number_r: Vec<Reg> = (0..LANES).map(|_| Reg::new(HEADER_WORDS)).collect(),
        version_6_r: Flag,
        unfit_r: Flag,
        reach_r: Reg = Reg::new(RING),
        known_r: Flag,
        options_r: Flag,
        authentication_r: Flag,
        fragment_r: Flag,
        ports_r: Flag,
        no_beats: Const = Const::new(0, BEATS),
        every_word: Const = Const::new(ones(HEADER_WORDS), HEADER_WORDS),
        words_of_4: Const = Const::new(0b1_1111, HEADER_WORDS).doc("words of an IPv4 header that are read"),
        no_words: Const = Const::new(0, HEADER_WORDS),
        one: Const = Const::new(1, RING + LANES),
        ipv6_reach: Vec<Const> = (0..LANES).map(|lane| Const::new(1 << (IPV6_WORDS as usize + lane - LANES), RING)).collect(),
        two: Const = Const::number(LANES),
        hops_bit: usize = header::HOPS,
        options_bit: usize = header::OPTIONS,
        fragment_bit: usize = header::FRAGMENT,
        authentication_bit: usize = header::AUTHENTICATION,
        ports_bit: usize = header::PORTS,
        beat_count: usize = BEATS,
        number_bits: usize = HEADER_WORDS,
        reach_bits: usize = RING,
        lanes: usize = LANES,
    }

    fn default() {
        let flags = || (0..LANES).map(|_| Wire::default()).collect();
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
