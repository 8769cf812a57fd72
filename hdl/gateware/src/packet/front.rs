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

block! {
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
    pub struct Front {
        about: About = About::new(
            "front",
            "Frames to classes and keys: both are here with the frame's last beat.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub bad: Wire<In> = Wire::default().doc("of a bad one"),
        pub most: Bus<In> = Bus::new(beat.most_bits()).doc("its last valid byte"),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()),
        pub max_frame: Bus<In> = Bus::new(16).doc("register MAX_FRAME"),
        pub valid_out: Wire<Out> = Wire::default().doc("the beat, later"),
        pub last_out: Wire<Out> = Wire::default().doc("it, and it is the last of its frame"),
        pub most_out: Bus<Out> = Bus::new(beat.most_bits()),
        pub data_out: WideBus<Out> = WideBus::<Out>::new(beat.bits()),
        pub class: Bus<Out> = Bus::new(3).doc("with the last beat: class, 0 for one with a key"),
        pub keyed: Wire<Out> = Wire::default().doc("the frame has a key"),
        pub is_ip: Wire<Out> = Wire::default().doc("its parse ended with IP"),
        pub six: Wire<Out> = Wire::default().doc("of version 6"),
        pub ip_place: Bus<Out> = Bus::new(PLACE_BITS).doc("word that the IP header begins with"),
        pub adjust: Bus<Out> = Bus::new(16).doc("to this a mark adds its DSCP, for the checksum of IPv4"),
        pub bytes: Bus<Out> = Bus::new(16).doc("bytes of the frame"),
        pub key: WideBus<Out> = WideBus::<Out>::new(layout.bits),
        narrow: Vec<Parser> = (0..narrow).map(|_| Parser::new(beat, layout)).collect(),
        pair: Vec<PairParser> = (0..pair).map(|_| PairParser::new(beat, layout)).collect(),
        wide: Vec<WideParser> = (0..wide).map(|_| WideParser::new(beat, layout)).collect(),
        digests: Vec<FrameDigest> = (0..usize::from(digest))
            .map(|_| FrameDigest::new(beat))
            .collect(),
        inner: Vec<InnerFront> = (0..opens)
            .map(|_| InnerFront::new(beat, layout, tunnels))
            .collect(),
        beats: BeatDelay = BeatDelay::new(beat, settle),
        classifier: FrameClassifier = FrameClassifier::new(beat, layout, !digest),
        valid_p: Wire<Local> = Wire::default().doc("the beat, with what was found up to it"),
        last_p: Wire<Local>,
        bad_p: Wire<Local>,
        most_p: Bus<Local> = Bus::new(beat.most_bits()),
        data_p: WideBus<Local> = WideBus::<Local>::new(beat.bits()),
        finding: Bus<Local> = Bus::new(state::BITS),
        parsed_key: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        zeroes: Bus<Local> = Bus::new(beat.bytes()).doc("bytes of it that change from hop to hop"),
        before: Wire<Local> = Wire::default().doc("bytes before it do, too"),
        next: Slice = state::NEXT.of(state::BITS),
        key_in: WideBus<Local> = WideBus::<Local>::new(layout.bits),
        keys: WideDelay = WideDelay::new(layout.bits, keys),
        late_class: Delay = Delay::new(3, late),
        late_keyed: FlagDelay = FlagDelay::new(late),
        late_is_ip: FlagDelay = FlagDelay::new(late),
        late_six: FlagDelay = FlagDelay::new(late),
        late_place: Delay = Delay::new(PLACE_BITS, late),
        late_adjust: Delay = Delay::new(16, late),
        late_bytes: Delay = Delay::new(16, late),
        next_place: Vec<usize> = layout.next.into_iter().collect(),
        no_zeroes: Const = Const::new(0, beat.bytes()),
        next_count: usize = usize::from(layout.next.is_some()),
        key_bits: usize = layout.bits,
        narrow_count: usize = narrow,
        pair_count: usize = pair,
        wide_count: usize = wide,
        digest_count: usize = usize::from(digest),
        key_count: usize = usize::from(!digest),
        inner_count: usize = opens,
        unseen: Const = Const::new(FrameClass::Unseen.number().into(), 3),
        other: Const = Const::new(FrameClass::Other.number().into(), 3),
        masks: bool = mask_hops,
        no_masks: bool = !mask_hops,
    }

    /// For keys of `layout` from the outer header or from inside `tunnels`, or (`digest`) of the frame's digest; `mask_hops` leaves out of that what changes from hop to hop.
    pub fn new(beat: Beat, layout: &KeyLayout, digest: bool, mask_hops: bool, tunnels: Tunnels) {
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
    }
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
            self.inner[i].leaves.next = self.beats.last_out.val();
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
