//! Pipeline stage of the parser for the length of the header that begins.

use super::fields::{FAR_BITS, PLACE_BITS};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

block! {
    /// Chooses the one header that begins in a beat: the word it begins with, and how many words it takes.
    ///
    /// Outputs are registers: latency 1 clock. `docs/packet.md`, "What a frame is to the parser". No reset.
    pub struct ReachStage {
        about: About = About::new(
            "reach_stage",
            "The header that begins in a beat: its first word and its words, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub place: Bus<In> = Bus::new(PLACE_BITS).doc("number of the beat's second word"),
        pub word: Vec<Bus<In>> = (0..LANES).map(|_| Bus::new(32)).collect(),
        pub six: Wire<In> = Wire::default().doc("IP version 6"),
        pub begins: Vec<Wire<In>> = lanes("the word is the first of an IP header"),
        pub options: Vec<Wire<In>> = lanes("of an extension of 8 (b + 1) bytes"),
        pub authentication: Vec<Wire<In>> = lanes("of one of 4 (b + 2) bytes"),
        pub fragment: Vec<Wire<In>> = lanes("of one of 8 bytes"),
        pub ports: Vec<Wire<In>> = lanes("the word holds the ports"),
        pub steps: Wire<Out> = Wire::default().doc("one of them begins"),
        pub from: Bus<Out> = Bus::new(PLACE_BITS).doc("number of its first word"),
        pub words: Bus<Out> = Bus::new(FAR_BITS).doc("words that it takes"),
        second: Wire<Local> = Wire::default().doc("it begins with the beat's second word"),
        header_words: Bus<Local> = Bus::new(4),
        size: Bus<Local> = Bus::new(8),
        length: Bus<Local> = Bus::new(FAR_BITS),
        steps_r: Flag,
        from_r: Reg = Reg::new(PLACE_BITS),
        words_r: Reg = Reg::new(FAR_BITS),
        ipv6_words: Const = Const::new(super::fields::HEADER_WORDS as u128, FAR_BITS),
        two_words: Const = Const::new(2, FAR_BITS),
        one_word: Const = Const::new(1, FAR_BITS),
        far: usize = FAR_BITS,
    }

    fn default() {
        let lanes = |text: &str| (0..LANES).map(|_| Wire::default().doc(text)).collect();
    }
}

impl Logic for ReachStage {
    #[hdl_gen]
    fn update(&mut self) {
        self.second.next = self.begins[1].val()
            || self.options[1].val()
            || self.authentication[1].val()
            || self.fragment[1].val()
            || self.ports[1].val();
        self.header_words.next = bits_to(self.word[0].val() >> 24, 4);
        self.size.next = bits_to(self.word[0].val() >> 16, 8);
        self.from_r.d.next = self.place.val() - 1;
        if self.second.val() {
            self.header_words.next = bits_to(self.word[1].val() >> 24, 4);
            self.size.next = bits_to(self.word[1].val() >> 16, 8);
            self.from_r.d.next = self.place.val();
        }
        self.length.next = self.one_word.val();
        if self.begins[0].val() || self.begins[1].val() {
            self.length.next = bits_to(self.header_words.val(), self.far);
            if self.six.val() {
                self.length.next = self.ipv6_words.val();
            }
        }
        if self.options[0].val() || self.options[1].val() {
            self.length.next = (bits_to(self.size.val(), self.far) << 1) + 2;
        }
        if self.authentication[0].val() || self.authentication[1].val() {
            self.length.next = bits_to(self.size.val(), self.far) + 2;
        }
        if self.fragment[0].val() || self.fragment[1].val() {
            self.length.next = self.two_words.val();
        }
        self.words_r.d.next = self.length.val();
        self.steps_r.d.next = self.second.val()
            || self.begins[0].val()
            || self.options[0].val()
            || self.authentication[0].val()
            || self.fragment[0].val()
            || self.ports[0].val();
        self.steps.next = self.steps_r.q.val();
        self.from.next = self.from_r.q.val();
        self.words.next = self.words_r.q.val();
    }
}
