//! Parser of the packet inside a tunnel, for data paths of 8 bits.

use super::fields::{fact, inside, look, mode, state, INSIDE_PLACE};
use super::{KeyCapture, KeyLayout, KeyPart, ParserLook, ParserStep, WordFacts};
use crate::prelude::*;

/// Clocks from a word to what was found with it.
pub(super) const INNER_PARSER_CLOCKS: usize = 3;

block! {
    /// Reads the words of the inside as [`super::Parser`] reads those of a frame: from its Ethernet header on, or from its IP header.
    ///
    /// ```text
    ///                                                     +--> [ ] --> KeyCapture --> key
    /// word --> WordFacts --> [ ] --> ParserLook --> [ ] --> ParserStep --+
    ///                                    ^                               |
    /// opens ---> first state ------------+------------- [ ] <------------+--> finding
    /// ```
    ///
    /// There is a word in four clocks. `finding` and `key` hold what was found with a word three clocks after it, and stand until the next inside. `docs/packet.md`, "Tunnels". No reset: an
    /// inside begins with `opens`.
    pub struct InnerParser {
        about: About = About::new(
            "inner_parser",
            format!("Reads the words inside a tunnel; what was found with one is here {INNER_PARSER_CLOCKS} clocks after it."),
        ),
        pub clock: Signal<In, Clock>,
        pub opens: Wire<In> = Wire::default().doc("the inside begins"),
        pub inside: Bus<In> = Bus::new(inside::BITS).doc("what it is"),
        pub word: Bus<In> = Bus::new(32).doc("first byte highest"),
        pub place: Bus<In> = Bus::new(super::fields::PLACE_BITS).doc("its number"),
        pub whole: Wire<In> = Wire::default().doc("there is one"),
        pub finding: Bus<Out> = Bus::new(state::BITS),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        word_facts: WordFacts,
        facts_r: Reg = Reg::new(fact::BITS),
        parser_look: ParserLook,
        look_r: Reg = Reg::new(look::BITS),
        parser_step: ParserStep,
        key_part: KeyPart = KeyPart::new(layout),
        capture: KeyCapture = KeyCapture::new(layout),
        word_part: Slice = fact::WORD.of(fact::BITS),
        whole_1: Flag,
        whole_2: Flag,
        word_r: Reg = Reg::new(32),
        part_r: Reg = Reg::new(layout.parts()),
        state: Reg = Reg::new(state::BITS),
        key_r: WideReg = WideReg::new(layout.bits),
        first: Bus<Local> = Bus::new(state::BITS).doc("before the first word"),
        read_once: Const = Const::new(ones(fact::BITS) & !(1 << fact::WHOLE.low), fact::BITS).doc("the word is read in one clock"),
        ipv4: Const = inside(inside::IPV4),
        ipv6: Const = inside(inside::IPV6),
        ethernet: Const = inside(inside::ETHERNET),
        at_ipv4: Const = first(mode::IP, 0),
        at_ipv6: Const = first(mode::IP, 1),
        at_version: Const = first(mode::VERSION, 0),
        at_ethernet: Const = Const::new(state::INITIAL, state::BITS),
        no_key: WideConst = WideConst::from_value(Wide::zero(layout.bits)),
    }

    /// For keys of `layout`.
    pub fn new(layout: &KeyLayout) {
        let inside = |value| Const::new(value, inside::BITS);
        let first = |mode: u128, six: u128| {
            let at = (INSIDE_PLACE as u128) << state::AT.low;
            Const::new(mode | at | six << state::SIX.low, state::BITS)
        };
    }
}

impl Logic for InnerParser {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_facts.word.next = self.word.val();
        self.word_facts.place.next = self.place.val();
        self.word_facts.second.next = bits_to(self.place.val(), 6) + 2;
        self.word_facts.whole.next = self.whole.val();
        comment!("a step takes two clocks, in which the facts stand");
        self.facts_r.d.next = self.facts_r.q.val() & self.read_once.val();
        if self.whole.val() {
            self.facts_r.d.next = self.word_facts.facts.val();
        }
        self.whole_1.d.next = self.whole.val();
        self.whole_2.d.next = self.whole_1.q.val();
        self.parser_look.facts.next = self.facts_r.q.val();
        self.parser_look.state.next = self.state.q.val();
        self.look_r.d.next = self.parser_look.look.val();
        self.parser_step.facts.next = self.facts_r.q.val();
        self.parser_step.look.next = self.look_r.q.val();
        self.parser_step.state.next = self.state.q.val();

        comment!("what the first word is read as");
        self.first.next = self.at_version.val();
        if self.inside.val() == self.ipv4.val() {
            self.first.next = self.at_ipv4.val();
        }
        if self.inside.val() == self.ipv6.val() {
            self.first.next = self.at_ipv6.val();
        }
        if self.inside.val() == self.ethernet.val() {
            self.first.next = self.at_ethernet.val();
        }
        self.state.d.next = self.state.q.val();
        if self.whole_2.q.val() {
            self.state.d.next = self.parser_step.stepped.val();
        }
        if self.opens.val() {
            self.state.d.next = self.first.val();
        }
        self.finding.next = self.state.q.val();

        comment!("the key, a clock behind");
        self.word_part.input.next = self.facts_r.q.val();
        self.word_r.d.next = self.word_part.output.val();
        self.key_part.in_header.next = self.parser_step.header.val();
        self.key_part.six.next = self.parser_step.six_header.val();
        self.key_part.step.next = self.parser_step.header_step.val();
        self.key_part.ports.next = self.parser_step.ports.val();
        self.part_r.d.next = self.key_part.part.val();
        self.capture.word.next = self.word_r.q.val();
        self.capture.part.next = self.part_r.q.val();
        self.capture.key.next = self.key_r.q.val();
        self.key.next = self.capture.captured.val();
        self.key_r.d.next = self.capture.captured.val();
        if self.opens.val() {
            self.key_r.d.next = self.no_key.val();
        }
    }
}
