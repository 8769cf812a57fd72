//! Frames to classes and keys, at 8 and 64 bits.

use super::fields::state;
use super::{BeatDelay, Beat, FrameClassifier, KeyLayout, Parser, CLASS_CLOCKS, PARSER_CLOCKS};
use crate::prelude::*;

/// The parser and what works on its findings; beats wait as long, so that a frame's class and key are here with its last beat.
///
/// ```text
/// beat --+--> 3 clocks --+--> 3 clocks -------> beat
///        |               |
///        +--> Parser ----+--> FrameClassifier -> class
///                        +--> 3 clocks --------> key
/// ```
///
/// `docs/packet.md`, "What a frame is to the parser", "Classes".
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
    pub key: WideBus<Out>,
    parser: Parser,
    parsed: BeatDelay,
    classified: BeatDelay,
    classifier: FrameClassifier,
    next: Slice,
    key_in: WideBus<Local>,
    keys: WideDelay,
    next_place: Vec<Const>,
    _next: usize,
    _key: usize,
}

impl Front {
    /// For beats of 8 or 64 bits and keys of `layout`.
    pub fn new(beat: Beat, layout: &KeyLayout) -> Self {
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
            valid_out: Wire::default().doc("the beat, six clocks later"),
            last_out: Default::default(),
            most_out: Bus::new(beat.most_bits()),
            data_out: WideBus::<Out>::new(beat.bits()),
            class: Bus::new(3).doc("with the last beat: class, 0 for one with a key"),
            keyed: Wire::default().doc("the frame has a key"),
            is_ip: Wire::default().doc("its parse ended with IP"),
            six: Wire::default().doc("of version 6"),
            ip_place: Bus::new(super::fields::PLACE_BITS).doc("word that the IP header begins with"),
            adjust: Bus::new(16).doc("to this a mark adds its DSCP, for the checksum of IPv4"),
            key: WideBus::<Out>::new(layout.bits),
            parser: Parser::new(beat, layout),
            parsed: BeatDelay::new(beat, PARSER_CLOCKS),
            classified: BeatDelay::new(beat, CLASS_CLOCKS),
            classifier: FrameClassifier::new(beat, layout, true),
            next: state::NEXT.of(state::BITS),
            key_in: WideBus::<Local>::new(layout.bits),
            keys: WideDelay::new(layout.bits, CLASS_CLOCKS),
            next_place: layout.next.iter().map(|&low| Const::number(low)).collect(),
            _next: usize::from(layout.next.is_some()),
            _key: layout.bits,
        }
    }
}

impl Logic for Front {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, parser, parsed, classified, classifier, keys);
        self.parser.reset.next = self.reset.val();
        self.parser.valid.next = self.valid.val();
        self.parser.last.next = self.last.val();
        self.parser.data.next = self.data.val();
        self.parser.most.next = self.most.val();

        self.parsed.reset.next = self.reset.val();
        self.parsed.valid.next = self.valid.val();
        self.parsed.last.next = self.last.val();
        self.parsed.bad.next = self.bad.val();
        self.parsed.most.next = self.most.val();
        self.parsed.data.next = self.data.val();

        self.classifier.reset.next = self.reset.val();
        self.classifier.valid.next = self.parsed.valid_out.val();
        self.classifier.last.next = self.parsed.last_out.val();
        self.classifier.bad.next = self.parsed.bad_out.val();
        self.classifier.most.next = self.parsed.most_out.val();
        self.classifier.finding.next = self.parser.finding.val();
        self.classifier.max_frame.next = self.max_frame.val();
        self.class.next = self.classifier.class.val();
        self.keyed.next = self.classifier.keyed.val();
        self.is_ip.next = self.classifier.is_ip.val();
        self.six.next = self.classifier.six.val();
        self.ip_place.next = self.classifier.ip_place.val();
        self.adjust.next = self.classifier.adjust.val();

        self.classified.reset.next = self.reset.val();
        self.classified.valid.next = self.parsed.valid_out.val();
        self.classified.last.next = self.parsed.last_out.val();
        self.classified.bad.next = false;
        self.classified.most.next = self.parsed.most_out.val();
        self.classified.data.next = self.parsed.data_out.val();
        self.valid_out.next = self.classified.valid_out.val();
        self.last_out.next = self.classified.last_out.val();
        self.most_out.next = self.classified.most_out.val();
        self.data_out.next = self.classified.data_out.val();

        comment!("the number of the last header, at the end of the key");
        self.next.input.next = self.parser.finding.val();
        self.key_in.next = self.parser.key.val();
        for i in 0..self._next {
            self.key_in.next = self.parser.key.val()
                | (bits_wide(self.next.output.val(), self._key) << self.next_place[i].val());
        }
        self.keys.d.next = self.key_in.val();
        self.key.next = self.keys.q.val();
    }
}
