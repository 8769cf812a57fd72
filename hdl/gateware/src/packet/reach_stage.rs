//! Pipeline stage of the parser for the length of the header that begins.

use super::fields::{FAR_BITS, PLACE_BITS};
use crate::prelude::*;

/// Words of a beat.
const LANES: usize = 2;

/// Chooses the one header that begins in a beat: the word it begins with, and how many words it takes.
///
/// Outputs are registers: latency 1 clock. `docs/packet.md`, "What a frame is to the parser". No reset.
#[derive(LogicBlock)]
pub struct ReachStage {
    about: About,
    pub clock: Signal<In, Clock>,
    pub place: Bus<In>,
    pub word: Vec<Bus<In>>,
    pub six: Wire<In>,
    pub begins: Vec<Wire<In>>,
    pub options: Vec<Wire<In>>,
    pub authentication: Vec<Wire<In>>,
    pub fragment: Vec<Wire<In>>,
    pub ports: Vec<Wire<In>>,
    pub steps: Wire<Out>,
    pub from: Bus<Out>,
    pub words: Bus<Out>,
    second: Wire<Local>,
    header_words: Bus<Local>,
    size: Bus<Local>,
    length: Bus<Local>,
    steps_r: Flag,
    from_r: Reg,
    words_r: Reg,
    ipv6_words: Const,
    two_words: Const,
    one_word: Const,
    far: usize,
}

impl Default for ReachStage {
    fn default() -> Self {
        let lanes = |text: &str| (0..LANES).map(|_| Wire::default().doc(text)).collect();
        Self {
            about: About::new(
                "reach_stage",
                "The header that begins in a beat: its first word and its words, a clock later.",
            ),
            clock: Default::default(),
            place: Bus::new(PLACE_BITS).doc("number of the beat's second word"),
            word: (0..LANES).map(|_| Bus::new(32)).collect(),
            six: Wire::default().doc("IP version 6"),
            begins: lanes("the word is the first of an IP header"),
            options: lanes("of an extension of 8 (b + 1) bytes"),
            authentication: lanes("of one of 4 (b + 2) bytes"),
            fragment: lanes("of one of 8 bytes"),
            ports: lanes("the word holds the ports"),
            steps: Wire::default().doc("one of them begins"),
            from: Bus::new(PLACE_BITS).doc("number of its first word"),
            words: Bus::new(FAR_BITS).doc("words that it takes"),
            second: Wire::default().doc("it begins with the beat's second word"),
            header_words: Bus::new(4),
            size: Bus::new(8),
            length: Bus::new(FAR_BITS),
            steps_r: Default::default(),
            from_r: Reg::new(PLACE_BITS),
            words_r: Reg::new(FAR_BITS),
            ipv6_words: Const::new(super::fields::HEADER_WORDS as u128, FAR_BITS),
            two_words: Const::new(2, FAR_BITS),
            one_word: Const::new(1, FAR_BITS),
            far: FAR_BITS,
        }
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
