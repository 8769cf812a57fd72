//! Front end of the packet path: parses frames into classes and keys.

use super::fields::{state, PLACE_BITS};
use super::inner_front::inner_clocks;
use super::pair_parser::PAIR_PARSER_CLOCKS;
use super::parser::PARSER_CLOCKS;
use super::wide_parser::WIDE_PARSER_CLOCKS;
use super::{
    Beat, BeatDelay, FrameClassifier, FrameDigest, InnerFront, KeyLayout, PairParser, Parser,
    WideParser,
};
use crate::prelude::*;
use bloomline_spec::{FrameClass, Tunnels};

/// Clocks from what was found to the class.
pub(super) const CLASS_CLOCKS: usize = 3;

/// The parser and what works on its findings; beats wait as long, so that a frame's class and key are here with its last beat.
///
/// ```text
/// beat --> a parser --------------+--> beats, some clocks later ---> beat
///                                 +--> FrameClassifier ------------> class
///                                 +--> key, or FrameDigest --------> key
/// ```
///
/// `docs/packet.md`, "What a frame is to the parser", "Classes".
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct Front {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub bad: Wire<In>,
    pub most: Bus<In>,
    pub data: WideBus<In>,
    pub max_frame: Bus<In>,
    pub valid_out: Wire<Out>,
    pub last_out: Wire<Out>,
    pub most_out: Bus<Out>,
    pub data_out: WideBus<Out>,
    pub class: Bus<Out>,
    pub keyed: Wire<Out>,
    pub is_ip: Wire<Out>,
    pub six: Wire<Out>,
    pub ip_place: Bus<Out>,
    pub adjust: Bus<Out>,
    pub bytes: Bus<Out>,
    pub key: WideBus<Out>,
    narrow: Vec<Parser>,
    pair: Vec<PairParser>,
    wide: Vec<WideParser>,
    digests: Vec<FrameDigest>,
    inner: Vec<InnerFront>,
    beats: BeatDelay,
    classifier: FrameClassifier,
    valid_p: Wire<Local>,
    last_p: Wire<Local>,
    bad_p: Wire<Local>,
    most_p: Bus<Local>,
    data_p: WideBus<Local>,
    finding: Bus<Local>,
    parsed_key: WideBus<Local>,
    zeroes: Bus<Local>,
    before: Wire<Local>,
    next: Slice,
    key_in: WideBus<Local>,
    keys: WideDelay,
    late_class: Delay,
    late_keyed: FlagDelay,
    late_is_ip: FlagDelay,
    late_six: FlagDelay,
    late_place: Delay,
    late_adjust: Delay,
    late_bytes: Delay,
    next_place: Vec<usize>,
    no_zeroes: Const,
    next_count: usize,
    key_bits: usize,
    narrow_count: usize,
    pair_count: usize,
    wide_count: usize,
    digest_count: usize,
    key_count: usize,
    inner_count: usize,
    unseen: Const,
    other: Const,
    masks: bool,
    no_masks: bool,
}

/// Clocks from what was found to class and key.
fn settle_clocks(beat: Beat, digest: bool, tunnels: Tunnels) -> usize {
    match (digest, tunnels.is_empty()) {
        (true, _) => FrameDigest::clocks(beat).max(CLASS_CLOCKS),
        (false, true) => CLASS_CLOCKS,
        (false, false) => inner_clocks(beat),
    }
}

/// Clocks from a frame's last beat at the stream to its class and key at the buffer: register, parser, class.
pub(super) fn front_clocks(beat: Beat, digest: bool, tunnels: Tunnels) -> usize {
    let parser = match beat.bytes() {
        1 => PARSER_CLOCKS,
        8 => PAIR_PARSER_CLOCKS,
        _ => WIDE_PARSER_CLOCKS,
    };
    1 + parser + settle_clocks(beat, digest, tunnels)
}

impl Front {
    /// For keys of `layout` from the outer header or from inside `tunnels`, or (`digest`) of the frame's digest; `mask_hops` leaves out of that what changes from hop to hop.
    pub fn new(
        beat: Beat,
        layout: &KeyLayout,
        digest: bool,
        mask_hops: bool,
        tunnels: Tunnels,
    ) -> Self {
        let narrow = usize::from(beat.bytes() == 1);
        let pair = usize::from(beat.bytes() == 8);
        let wide = 1 - narrow - pair;
        let settle = settle_clocks(beat, digest, tunnels);
        let opens = usize::from(!tunnels.is_empty());
        let late = settle - CLASS_CLOCKS;
        let keys = match digest {
            true => settle - FrameDigest::clocks(beat),
            false => settle,
        };
        Self {
            about: About::new(
                "front",
                "Frames to classes and keys: both are here with the frame's last beat.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("a frame begins"),
            valid: Wire::default().doc("a beat"),
            last: Wire::default().doc("the last of its frame"),
            bad: Wire::default().doc("of a bad one"),
            most: Bus::new(beat.most_bits()).doc("its last valid byte"),
            data: WideBus::<In>::new(beat.bits()),
            max_frame: Bus::new(16).doc("register MAX_FRAME"),
            valid_out: Wire::default().doc("the beat, later"),
            last_out: Default::default(),
            most_out: Bus::new(beat.most_bits()),
            data_out: WideBus::<Out>::new(beat.bits()),
            class: Bus::new(3).doc("with the last beat: class, 0 for one with a key"),
            keyed: Wire::default().doc("the frame has a key"),
            is_ip: Wire::default().doc("its parse ended with IP"),
            six: Wire::default().doc("of version 6"),
            ip_place: Bus::new(PLACE_BITS).doc("word that the IP header begins with"),
            adjust: Bus::new(16).doc("to this a mark adds its DSCP, for the checksum of IPv4"),
            bytes: Bus::new(16).doc("bytes of the frame"),
            key: WideBus::<Out>::new(layout.bits),
            narrow: (0..narrow).map(|_| Parser::new(beat, layout)).collect(),
            pair: (0..pair).map(|_| PairParser::new(beat, layout)).collect(),
            wide: (0..wide).map(|_| WideParser::new(beat, layout)).collect(),
            digests: (0..usize::from(digest))
                .map(|_| FrameDigest::new(beat))
                .collect(),
            inner: (0..opens)
                .map(|_| InnerFront::new(beat, layout, tunnels))
                .collect(),
            beats: BeatDelay::new(beat, settle),
            classifier: FrameClassifier::new(beat, layout, !digest),
            valid_p: Wire::default().doc("the beat, with what was found up to it"),
            last_p: Default::default(),
            bad_p: Default::default(),
            most_p: Bus::new(beat.most_bits()),
            data_p: WideBus::<Local>::new(beat.bits()),
            finding: Bus::new(state::BITS),
            parsed_key: WideBus::<Local>::new(layout.bits),
            zeroes: Bus::new(beat.bytes()).doc("bytes of it that change from hop to hop"),
            before: Wire::default().doc("bytes before it do, too"),
            next: state::NEXT.of(state::BITS),
            key_in: WideBus::<Local>::new(layout.bits),
            keys: WideDelay::new(layout.bits, keys),
            late_class: Delay::new(3, late),
            late_keyed: FlagDelay::new(late),
            late_is_ip: FlagDelay::new(late),
            late_six: FlagDelay::new(late),
            late_place: Delay::new(PLACE_BITS, late),
            late_adjust: Delay::new(16, late),
            late_bytes: Delay::new(16, late),
            next_place: layout.next.into_iter().collect(),
            no_zeroes: Const::new(0, beat.bytes()),
            next_count: usize::from(layout.next.is_some()),
            key_bits: layout.bits,
            narrow_count: narrow,
            pair_count: pair,
            wide_count: wide,
            digest_count: usize::from(digest),
            key_count: usize::from(!digest),
            inner_count: opens,
            unseen: Const::new(FrameClass::Unseen.number().into(), 3),
            other: Const::new(FrameClass::Other.number().into(), 3),
            masks: mask_hops,
            no_masks: !mask_hops,
        }
    }
}

impl Logic for Front {
    #[hdl_gen]
    fn update(&mut self) {
        for p in 0..self.narrow_count {
            self.narrow[p].reset.next = self.reset.val();
            self.narrow[p].valid.next = self.valid.val();
            self.narrow[p].last.next = self.last.val();
            self.narrow[p].bad.next = self.bad.val();
            self.narrow[p].most.next = self.most.val();
            self.narrow[p].data.next = self.data.val();
            self.valid_p.next = self.narrow[p].valid_out.val();
            self.last_p.next = self.narrow[p].last_out.val();
            self.bad_p.next = self.narrow[p].bad_out.val();
            self.most_p.next = self.narrow[p].most_out.val();
            self.data_p.next = self.narrow[p].data_out.val();
            self.finding.next = self.narrow[p].finding.val();
            self.parsed_key.next = self.narrow[p].key.val();
            self.zeroes.next = self.narrow[p].zeroes.val();
            self.before.next = self.narrow[p].before.val();
        }
        for p in 0..self.pair_count {
            self.pair[p].reset.next = self.reset.val();
            self.pair[p].valid.next = self.valid.val();
            self.pair[p].last.next = self.last.val();
            self.pair[p].bad.next = self.bad.val();
            self.pair[p].most.next = self.most.val();
            self.pair[p].data.next = self.data.val();
            self.valid_p.next = self.pair[p].valid_out.val();
            self.last_p.next = self.pair[p].last_out.val();
            self.bad_p.next = self.pair[p].bad_out.val();
            self.most_p.next = self.pair[p].most_out.val();
            self.data_p.next = self.pair[p].data_out.val();
            self.finding.next = self.pair[p].finding.val();
            self.parsed_key.next = self.pair[p].key.val();
            self.zeroes.next = self.pair[p].zeroes.val();
            self.before.next = self.pair[p].before.val();
        }
        for p in 0..self.wide_count {
            self.wide[p].reset.next = self.reset.val();
            self.wide[p].valid.next = self.valid.val();
            self.wide[p].last.next = self.last.val();
            self.wide[p].bad.next = self.bad.val();
            self.wide[p].most.next = self.most.val();
            self.wide[p].data.next = self.data.val();
            self.valid_p.next = self.wide[p].valid_out.val();
            self.last_p.next = self.wide[p].last_out.val();
            self.bad_p.next = self.wide[p].bad_out.val();
            self.most_p.next = self.wide[p].most_out.val();
            self.data_p.next = self.wide[p].data_out.val();
            self.finding.next = self.wide[p].finding.val();
            self.parsed_key.next = self.wide[p].key.val();
            self.zeroes.next = self.wide[p].zeroes.val();
            self.before.next = false;
        }

        comment!("the class");
        self.classifier.reset.next = self.reset.val();
        self.classifier.valid.next = self.valid_p.val();
        self.classifier.last.next = self.last_p.val();
        self.classifier.bad.next = self.bad_p.val();
        self.classifier.most.next = self.most_p.val();
        self.classifier.finding.next = self.finding.val();
        self.classifier.max_frame.next = self.max_frame.val();
        self.late_class.d.next = self.classifier.class.val();
        self.class.next = self.late_class.q.val();
        self.late_keyed.d.next = self.classifier.keyed.val();
        self.keyed.next = self.late_keyed.q.val();
        self.late_is_ip.d.next = self.classifier.is_ip.val();
        self.is_ip.next = self.late_is_ip.q.val();
        self.late_six.d.next = self.classifier.six.val();
        self.six.next = self.late_six.q.val();
        self.late_place.d.next = self.classifier.ip_place.val();
        self.ip_place.next = self.late_place.q.val();
        self.late_adjust.d.next = self.classifier.adjust.val();
        self.adjust.next = self.late_adjust.q.val();
        self.late_bytes.d.next = self.classifier.bytes.val();
        self.bytes.next = self.late_bytes.q.val();

        comment!("the beats");
        self.beats.reset.next = self.reset.val();
        self.beats.valid.next = self.valid_p.val();
        self.beats.last.next = self.last_p.val();
        self.beats.bad.next = false;
        self.beats.most.next = self.most_p.val();
        self.beats.data.next = self.data_p.val();
        self.valid_out.next = self.beats.valid_out.val();
        self.last_out.next = self.beats.last_out.val();
        self.most_out.next = self.beats.most_out.val();
        self.data_out.next = self.beats.data_out.val();

        comment!("the key: at its end the number of the last header; or the digest");
        self.next.input.next = self.finding.val();
        if self.key_count > 0 {
            self.key_in.next = self.parsed_key.val();
            for i in 0..self.next_count {
                self.key_in.next = self.parsed_key.val()
                    | (bits_wide(self.next.output.val(), self.key_bits) << self.next_place[i]);
            }
        }
        for i in 0..self.digest_count {
            self.digests[i].reset.next = self.reset.val();
            self.digests[i].valid.next = self.valid_p.val();
            self.digests[i].last.next = self.last_p.val();
            self.digests[i].most.next = self.most_p.val();
            self.digests[i].data.next = self.data_p.val();
            if self.masks {
                self.digests[i].zeroes.next = self.zeroes.val();
                self.digests[i].before.next = self.before.val();
            }
            if self.no_masks {
                self.digests[i].zeroes.next = self.no_zeroes.val();
                self.digests[i].before.next = false;
            }
            self.key_in.next = self.digests[i].digest.val();
        }
        self.keys.d.next = self.key_in.val();
        self.key.next = self.keys.q.val();

        for i in 0..self.inner_count {
            comment!("what is inside a tunnel says class and key, if the outer packet is whole");
            self.inner[i].reset.next = self.reset.val();
            self.inner[i].valid.next = self.valid_p.val();
            self.inner[i].last.next = self.last_p.val();
            self.inner[i].data.next = self.data_p.val();
            self.inner[i].finding.next = self.finding.val();
            self.inner[i].leaves.next = self.beats.valid_out.val() && self.beats.last_out.val();
            if self.inner[i].found.val()
                && ((self.late_class.q.val() == self.unseen.val())
                    || (self.late_class.q.val() == self.other.val()))
            {
                self.class.next = self.inner[i].class.val();
                self.keyed.next = self.inner[i].keyed.val();
                self.key.next = self.inner[i].key.val();
            }
        }
    }
}
