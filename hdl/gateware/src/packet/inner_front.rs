//! Front end for the packet inside a tunnel: its class and key.

use super::fields::{ending, inside, mode, state, INSIDE_PLACE};
use super::frame_classifier::LENGTH_BITS;
use super::front::CLASS_CLOCKS;
use super::inner_parser::INNER_PARSER_CLOCKS;
use super::pair_parser::PAIR_PARSER_CLOCKS;
use super::tunnel_beats::TUNNEL_BEATS_CLOCKS;
use super::{Beat, FrameClassifier, InnerParser, KeyLayout, PairParser, TunnelBeats, TunnelStage};
use crate::prelude::*;
use bloomline_spec::Tunnels;

/// Clocks from a beat and what was found up to it to class and key of what is inside.
pub(super) fn inner_clocks(beat: Beat) -> usize {
    let found = match beat.bytes() {
        1 => 1 + INNER_PARSER_CLOCKS,
        _ => TUNNEL_BEATS_CLOCKS + PAIR_PARSER_CLOCKS,
    };
    found + CLASS_CLOCKS + 1
}

block! {
    /// Parses what a tunnel holds, from the beats behind a parser and what that found; class and key of it stand until the frame leaves.
    ///
    /// ```text
    /// 8 bits:  beat, finding --> TunnelStage --> InnerParser --+--> FrameClassifier --> [ ] --> class
    /// 64 bits: beat, finding --> TunnelBeats --> PairParser ---+
    ///                                                          +----------------------> [ ] --> key
    /// ```
    ///
    /// `docs/packet.md`, "Tunnels". `reset` is synchronous and active high.
    pub struct InnerFront {
        about: About = About::new(
            "inner_front",
            "Class and key of the packet inside a tunnel, which stand until its frame leaves.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()),
        pub finding: Bus<In> = Bus::new(state::BITS).doc("what was found in the frame up to it"),
        pub leaves: Wire<In> = Wire::default()
            .doc("the last beat of a frame leaves, with what was found inside"),
        pub found: Wire<Out> = Wire::default().doc("a tunnel was opened, and what is inside is not without IP"),
        pub class: Bus<Out> = Bus::new(3).doc("class of the inside, 0 for one with a key"),
        pub keyed: Wire<Out> = Wire::default().doc("the inside has a key"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        // 8 bits
        stage: Vec<TunnelStage> = (0..narrow).map(|_| TunnelStage::new(tunnels)).collect(),
        narrow: Vec<InnerParser> = (0..narrow).map(|_| InnerParser::new(layout)).collect(),
        opens: Vec<Flag> = flags(narrow * INNER_PARSER_CLOCKS),
        valids: Vec<Flag> = flags(narrow * INNER_PARSER_CLOCKS),
        ends: Vec<Flag> = flags(narrow * INNER_PARSER_CLOCKS),
        first: Vec<Bus<Local>> = (0..narrow)
            .map(|_| Bus::new(LENGTH_BITS).doc("bytes of the inside with its first word"))
            .collect(),
        // 64 bits
        beats: Vec<TunnelBeats> = (0..pair).map(|_| TunnelBeats::new(beat, tunnels)).collect(),
        pair: Vec<PairParser> = (0..pair).map(|_| PairParser::new(beat, layout)).collect(),
        classifier: FrameClassifier = match narrow {
            1 => FrameClassifier::of_inside(beat, layout),
            _ => FrameClassifier::new(beat, layout, true),
        },
        judged: Vec<Flag> = flags(CLASS_CLOCKS),
        valid_p: Wire<Local> = Wire::default().doc("bytes of the inside, with what was found up to them"),
        ends_p: Wire<Local> = Wire::default().doc("the last of them"),
        most_p: Bus<Local> = Bus::new(beat.most_bits()),
        parsed: Bus<Local> = Bus::new(state::BITS).doc("what was found inside"),
        parsed_key: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        mode: Slice = state::MODE.of(state::BITS),
        ending: Slice = state::ENDING.of(state::BITS),
        next: Slice = state::NEXT.of(state::BITS),
        found_r: Flag,
        is_ip: Flag = Flag::default().doc("the inside is not without IP"),
        class_r: Reg = Reg::new(3),
        keyed_r: Flag,
        key_r: WideReg = WideReg::new(layout.bits),
        ethernet: Const = Const::new(inside::ETHERNET, inside::BITS),
        first_word: Const = bytes(4),
        behind_header: Const = bytes(4 * INSIDE_PLACE + 2 + 4),
        end_mode: Const = Const::new(mode::END, mode::BITS),
        end_no_ip: Const = Const::new(ending::NO_IP, ending::BITS),
        no_byte: Const = Const::new(0, beat.most_bits()),
        most_bytes: Const = Const::new(ones(16), 16),
        next_place: Vec<usize> = layout.next.into_iter().collect(),
        next_count: usize = usize::from(layout.next.is_some()),
        key_bits: usize = layout.bits,
        narrow_count: usize = narrow,
        pair_count: usize = pair,
        parser_clocks: usize = INNER_PARSER_CLOCKS,
        with_parsed: usize = INNER_PARSER_CLOCKS - 1,
        class_clocks: usize = CLASS_CLOCKS,
        with_class: usize = CLASS_CLOCKS - 1,
    }

    /// For beats of 8 or 64 bits, keys of `layout`, and the tunnels that are opened.
    pub fn new(beat: Beat, layout: &KeyLayout, tunnels: Tunnels) {
        let narrow = usize::from(beat.bytes() == 1);
        let pair = 1 - narrow;
        let flags = |count: usize| (0..count).map(|_| Flag::default()).collect();
        let bytes = |value: usize| Const::new(value as u128, LENGTH_BITS);
    }
}

impl Logic for InnerFront {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, found_r, is_ip, class_r, keyed_r, key_r);
        for p in 0..self.narrow_count {
            self.stage[p].reset.next = self.reset.val();
            self.stage[p].valid.next = self.valid.val();
            self.stage[p].last.next = self.last.val();
            self.stage[p].data.next = self.data.val();
            self.stage[p].finding.next = self.finding.val();
            self.narrow[p].opens.next = self.stage[p].opens.val();
            self.narrow[p].inside.next = self.stage[p].inside.val();
            self.narrow[p].word.next = self.stage[p].word.val();
            self.narrow[p].place.next = self.stage[p].place.val();
            self.narrow[p].whole.next = self.stage[p].whole.val();
            comment!("bytes of the inside wait for the parser; the first that count come with its first word");
            self.opens[0].d.next = self.stage[p].opens.val() && !self.reset.val();
            self.valids[0].d.next = self.stage[p].valid_out.val() && !self.reset.val();
            self.ends[0].d.next = self.stage[p].ends.val() && !self.reset.val();
            for i in 1..self.parser_clocks {
                self.opens[i].d.next = self.opens[i - 1].q.val() && !self.reset.val();
                self.valids[i].d.next = self.valids[i - 1].q.val() && !self.reset.val();
                self.ends[i].d.next = self.ends[i - 1].q.val() && !self.reset.val();
            }
            self.first[p].next = self.behind_header.val();
            if self.stage[p].inside.val() == self.ethernet.val() {
                self.first[p].next = self.first_word.val();
            }
            self.classifier.begins[p].next = self.opens[self.with_parsed].q.val();
            self.classifier.first[p].next = self.first[p].val();
            self.valid_p.next = self.valids[self.with_parsed].q.val();
            self.ends_p.next = self.ends[self.with_parsed].q.val();
            self.most_p.next = self.no_byte.val();
            self.parsed.next = self.narrow[p].finding.val();
            self.parsed_key.next = self.narrow[p].key.val();
        }
        for p in 0..self.pair_count {
            self.beats[p].reset.next = self.reset.val();
            self.beats[p].valid.next = self.valid.val();
            self.beats[p].last.next = self.last.val();
            self.beats[p].data.next = self.data.val();
            self.beats[p].finding.next = self.finding.val();
            self.pair[p].reset.next = self.reset.val();
            self.pair[p].valid.next = self.beats[p].valid_out.val();
            self.pair[p].last.next = self.beats[p].last_out.val();
            self.pair[p].bad.next = false;
            self.pair[p].most.next = self.beats[p].most_out.val();
            self.pair[p].data.next = self.beats[p].data_out.val();
            self.valid_p.next = self.pair[p].valid_out.val();
            self.ends_p.next = self.pair[p].valid_out.val() && self.pair[p].last_out.val();
            self.most_p.next = self.pair[p].most_out.val();
            self.parsed.next = self.pair[p].finding.val();
            self.parsed_key.next = self.pair[p].key.val();
        }

        comment!("the class, as that of a frame that ends where the outer packet does");
        self.classifier.reset.next = self.reset.val();
        self.classifier.valid.next = self.valid_p.val();
        self.classifier.last.next = self.ends_p.val();
        self.classifier.bad.next = false;
        self.classifier.most.next = self.most_p.val();
        self.classifier.finding.next = self.parsed.val();
        self.classifier.max_frame.next = self.most_bytes.val();

        comment!("what is kept: the key at the end of the inside, the class when it is known");
        self.mode.input.next = self.parsed.val();
        self.ending.input.next = self.parsed.val();
        self.next.input.next = self.parsed.val();
        if self.ends_p.val() {
            self.is_ip.d.next = (self.mode.output.val() != self.end_mode.val())
                || (self.ending.output.val() != self.end_no_ip.val());
            self.key_r.d.next = self.parsed_key.val();
            for i in 0..self.next_count {
                self.key_r.d.next = self.parsed_key.val()
                    | (bits_wide(self.next.output.val(), self.key_bits) << self.next_place[i]);
            }
        }
        self.judged[0].d.next = self.ends_p.val() && !self.reset.val();
        for i in 1..self.class_clocks {
            self.judged[i].d.next = self.judged[i - 1].q.val() && !self.reset.val();
        }
        if self.leaves.val() {
            self.found_r.d.next = false;
        }
        if self.judged[self.with_class].q.val() {
            self.found_r.d.next = self.is_ip.q.val();
            self.class_r.d.next = self.classifier.class.val();
            self.keyed_r.d.next = self.classifier.keyed.val();
        }
        if self.reset.val() {
            self.found_r.d.next = false;
        }
        self.found.next = self.found_r.q.val();
        self.class.next = self.class_r.q.val();
        self.keyed.next = self.keyed_r.q.val();
        self.key.next = self.key_r.q.val();
    }
}
