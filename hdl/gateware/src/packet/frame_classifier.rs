//! Classifies a frame at its last beat.

use super::fields::{ending, mode, state};
use super::{Beat, KeyLayout};
use crate::prelude::*;
use bloomline_spec::FrameClass;

/// Bytes of an IPv6 header, which its length leaves out.
const IPV6_HEADER: u128 = 40;
/// Bits that count a frame's bytes; from the highest bit on nothing depends on the number any more.
pub(super) const LENGTH_BITS: usize = 18;

block! {
    /// The class of a frame from what the parser found, its length and its end, three clocks after its last beat is here; one frame a clock.
    ///
    /// A parse is malformed, too, if its headers reach beyond the IP packet. `adjust` is what a mark adds its DSCP to, for the checksum of IPv4: the complements of the old checksum
    /// and of the old DSCP, in 16-bit ones' complement. `docs/packet.md`, "Classes" and "Policies".
    /// `reset` is synchronous and active high.
    pub struct FrameClassifier {
        about: About = About::new(
            "frame_classifier",
            "The class of a frame, from what the parser found and the frame's length, three clocks after its last beat is here.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub bad: Wire<In> = Wire::default().doc("of a bad one"),
        pub most: Bus<In> = Bus::new(beat.most_bits()).doc("its last valid byte"),
        pub finding: Bus<In> = Bus::new(state::BITS).doc("the parser's state after it"),
        pub max_frame: Bus<In> = Bus::new(16).doc("register MAX_FRAME"),
        pub begins: Vec<Wire<In>> = (0..inside).map(|_| Wire::default().doc("the inside begins")).collect(),
        pub first: Vec<Bus<In>> = (0..inside).map(|_| Bus::new(LENGTH_BITS).doc("bytes of it that have come")).collect(),
        pub class: Bus<Out> = Bus::new(3).doc("class of the frame that ended three clocks ago; 0: by its verdict"),
        pub keyed: Wire<Out> = Wire::default().doc("it has a key"),
        pub is_ip: Wire<Out> = Wire::default().doc("its parse ended with IP"),
        pub six: Wire<Out> = Wire::default().doc("of version 6"),
        pub ip_place: Bus<Out> = Bus::new(place_bits).doc("word that the IP header begins with"),
        pub adjust: Bus<Out> = Bus::new(16).doc("to this a mark adds its DSCP, for the checksum of IPv4"),
        pub bytes: Bus<Out> = Bus::new(16).doc("bytes of the frame"),
        mode: Slice = part(state::MODE),
        ending: Slice = part(state::ENDING),
        at: Slice = part(state::AT),
        place: Slice = part(state::IP_PLACE),
        length: Slice = part(state::LENGTH),
        dscp: Slice = part(state::DSCP),
        checksum: Slice = part(state::CHECKSUM),
        six_bit: Const = state::SIX.place(),
        in_ip_bit: Const = state::IN_IP.place(),
        count: Reg = length().doc("bytes of the frame before this beat"),
        ended: Wire<Local>,
        total: Bus<Local> = Bus::new(LENGTH_BITS).doc("and with it"),
        old_dscp: Bus<Local> = Bus::new(16).doc("where it stands in its half"),
        // after one clock
        bytes_1: Reg = length().doc("bytes of the frame"),
        packet_1: Reg = length().doc("of the IP packet, as its header says"),
        from_ip_1: Reg = length().doc("of the frame from its IP header on"),
        up_to_ip: Bus<Local> = Bus::new(LENGTH_BITS).doc("bytes before its IP header"),
        reach_1: Reg = length().doc("of the IP packet that its headers take"),
        sum_1: Reg = Reg::new(17),
        bad_1: Flag = flag(),
        waits_1: Flag = flag().doc("the parser waits for a word"),
        is_ip_1: Flag = flag(),
        no_ip_1: Flag = flag(),
        malformed_1: Flag = flag(),
        deep_1: Flag = flag(),
        in_ip_1: Flag = flag(),
        six_1: Flag = flag(),
        place_1: Reg = Reg::new(place_bits),
        // after two
        short_2: Flag = Flag::default().doc("the frame ends before the IP packet"),
        sum_2: Reg = Reg::new(16),
        bad_2: Flag = flag(),
        above_2: Flag = flag().doc("upper part of the frame's bytes above that of MAX_FRAME"),
        level_2: Flag = flag().doc("the same as that"),
        above_low_2: Flag = flag().doc("lower part above"),
        waits_2: Flag = flag(),
        is_ip_2: Flag = flag(),
        no_ip_2: Flag = flag(),
        malformed_2: Flag = flag(),
        deep_2: Flag = flag(),
        six_2: Flag = flag(),
        place_2: Reg = Reg::new(place_bits),
        high: Bus<Local> = Bus::new(LENGTH_BITS).doc("the frame's bytes, their upper part"),
        max_high: Bus<Local> = Bus::new(LENGTH_BITS).doc("that of MAX_FRAME"),
        beyond: Wire<Local> = Wire::default().doc("the headers say that they are longer than the IP packet"),
        // after three
        class_r: Reg = Reg::new(3),
        keyed_r: Flag = flag(),
        is_ip_3: Flag = flag(),
        six_3: Flag = flag(),
        place_3: Reg = Reg::new(place_bits),
        sum_3: Reg = Reg::new(16),
        bytes_2: Reg = Reg::new(16),
        bytes_3: Reg = Reg::new(16),
        found: Bus<Local> = Bus::new(3),
        end_mode: Const = Const::new(mode::END, mode::BITS),
        end_no_ip: Const = end(ending::NO_IP),
        end_ip: Const = end(ending::IP),
        end_malformed: Const = end(ending::MALFORMED),
        end_too_deep: Const = end(ending::TOO_DEEP),
        no_bytes: Const = Const::new(0, LENGTH_BITS),
        beat_bytes: Const = Const::new(beat.bytes() as u128, LENGTH_BITS),
        full: usize = LENGTH_BITS - 1,
        ipv6_header: Const = Const::new(IPV6_HEADER, LENGTH_BITS),
        two: Const = Const::new(2, LENGTH_BITS),
        wanted_six: Const = Const::new(layout.six.into(), 1),
        unseen: Const = class(FrameClass::Unseen),
        other: Const = class(FrameClass::Other),
        truncated: Const = class(FrameClass::Truncated),
        malformed: Const = class(FrameClass::Malformed),
        too_deep: Const = class(FrameClass::TooDeep),
        oversize: Const = class(FrameClass::Oversize),
        bad_class: Const = class(FrameClass::Bad),
        length_bits: usize = LENGTH_BITS,
        parsed: bool = parsed,
        wide: bool = beat.bytes() > 1,
        inside: usize = inside,
    }

    fn counting_from(beat: Beat, layout: &KeyLayout, parsed: bool, inside: usize) {
        let class = |class: FrameClass| Const::new(class.number().into(), 3);
        let part = |field: super::fields::Field| field.of(state::BITS);
        let end = |value| Const::new(value, ending::BITS);
        let length = || Reg::new(LENGTH_BITS);
        let flag = Flag::default;
        let place_bits = super::fields::PLACE_BITS;
    }
}

impl FrameClassifier {
    /// For beats of `beat` and keys of `layout`; `parsed` says that the key is one of what the parser finds, not the frame's digest.
    pub fn new(beat: Beat, layout: &KeyLayout, parsed: bool) -> Self {
        Self::counting_from(beat, layout, parsed, 0)
    }

    /// Of what is inside a tunnel: its bytes are counted from `first` on, those that had come with the beat in which it `begins`.
    pub fn of_inside(beat: Beat, layout: &KeyLayout) -> Self {
        Self::counting_from(beat, layout, true, 1)
    }
}

impl Logic for FrameClassifier {
    #[hdl_gen]
    fn update(&mut self) {
        self.mode.input.next = self.finding.val();
        self.ending.input.next = self.finding.val();
        self.at.input.next = self.finding.val();
        self.place.input.next = self.finding.val();
        self.length.input.next = self.finding.val();
        self.dscp.input.next = self.finding.val();
        self.checksum.input.next = self.finding.val();

        comment!("length of the frame");
        self.total.next = self.count.q.val() + 1;
        if self.wide {
            self.total.next = self.count.q.val() + bits_to(self.most.val(), self.length_bits) + 1;
        }
        self.count.d.next = self.count.q.val();
        if self.valid.val() {
            if !self.count.q.val().get_bit(self.full) {
                self.count.d.next = self.count.q.val() + self.beat_bytes.val();
            }
            for i in 0..self.inside {
                if self.begins[i].val() {
                    self.count.d.next = self.first[i].val();
                }
            }
            if self.last.val() {
                self.count.d.next = self.no_bytes.val();
            }
        }
        for i in 0..self.inside {
            if self.begins[i].val() {
                self.total.next = self.first[i].val();
            }
        }
        if self.reset.val() {
            self.count.d.next = self.no_bytes.val();
        }

        comment!("first clock: what the parse says, lengths in bytes");
        self.ended.next = self.mode.output.val() == self.end_mode.val();
        self.bytes_1.d.next = self.total.val();
        self.packet_1.d.next = bits_to(self.length.output.val(), self.length_bits);
        if self.finding.val().get_bit(self.six_bit.val()) {
            self.packet_1.d.next =
                bits_to(self.length.output.val(), self.length_bits) + self.ipv6_header.val();
        }
        self.up_to_ip.next =
            (bits_to(self.place.output.val(), self.length_bits) << 2) | self.two.val();
        self.from_ip_1.d.next = self.total.val() - self.up_to_ip.val();
        self.reach_1.d.next = (bits_to(self.at.output.val(), self.length_bits)
            - bits_to(self.place.output.val(), self.length_bits))
            << 2;
        self.old_dscp.next = bits_to(self.dscp.output.val(), 16) << 2;
        self.sum_1.d.next =
            bits_to(!self.checksum.output.val(), 17) + bits_to(!self.old_dscp.val(), 17);
        self.bad_1.d.next = self.bad.val();
        self.waits_1.d.next = !self.ended.val();
        self.is_ip_1.d.next = self.ended.val() && (self.ending.output.val() == self.end_ip.val());
        self.no_ip_1.d.next =
            self.ended.val() && (self.ending.output.val() == self.end_no_ip.val());
        self.malformed_1.d.next =
            self.ended.val() && (self.ending.output.val() == self.end_malformed.val());
        self.deep_1.d.next =
            self.ended.val() && (self.ending.output.val() == self.end_too_deep.val());
        self.in_ip_1.d.next = self.finding.val().get_bit(self.in_ip_bit.val());
        self.six_1.d.next = self.finding.val().get_bit(self.six_bit.val());
        self.place_1.d.next = self.place.output.val();

        comment!("second: headers against the packet, the frame against the longest");
        self.beyond.next = self.in_ip_1.q.val() && (self.reach_1.q.val() > self.packet_1.q.val());
        self.short_2.d.next =
            self.is_ip_1.q.val() && (self.from_ip_1.q.val() < self.packet_1.q.val());
        self.bytes_2.d.next = bits_to(self.bytes_1.q.val(), 16);
        self.sum_2.d.next =
            bits_to(self.sum_1.q.val(), 16) + bits_of(self.sum_1.q.val().get_bit(16), 16);
        self.bad_2.d.next = self.bad_1.q.val();
        self.high.next = self.bytes_1.q.val() >> 8;
        self.max_high.next = bits_to(self.max_frame.val(), self.length_bits) >> 8;
        self.above_2.d.next = self.high.val() > self.max_high.val();
        self.level_2.d.next = self.high.val() == self.max_high.val();
        self.above_low_2.d.next =
            bits_to(self.bytes_1.q.val(), 8) > bits_to(self.max_frame.val(), 8);
        self.waits_2.d.next = self.waits_1.q.val();
        self.is_ip_2.d.next = self.is_ip_1.q.val() && !self.beyond.val();
        self.no_ip_2.d.next = self.no_ip_1.q.val();
        self.malformed_2.d.next = self.malformed_1.q.val() || self.beyond.val();
        self.deep_2.d.next = self.deep_1.q.val();
        self.six_2.d.next = self.six_1.q.val();
        self.place_2.d.next = self.place_1.q.val();

        comment!("third: the class");
        self.found.next = self.unseen.val();
        if self.parsed {
            if self.no_ip_2.q.val() || (bits_of(self.six_2.q.val(), 1) != self.wanted_six.val()) {
                self.found.next = self.other.val();
            }
            if self.waits_2.q.val() || self.short_2.q.val() {
                self.found.next = self.truncated.val();
            }
            if self.deep_2.q.val() {
                self.found.next = self.too_deep.val();
            }
            if self.malformed_2.q.val() {
                self.found.next = self.malformed.val();
            }
        }
        if self.above_2.q.val() || (self.level_2.q.val() && self.above_low_2.q.val()) {
            self.found.next = self.oversize.val();
        }
        if self.bad_2.q.val() {
            self.found.next = self.bad_class.val();
        }
        self.class_r.d.next = self.found.val();
        self.keyed_r.d.next = self.found.val() == self.unseen.val();
        self.is_ip_3.d.next = self.is_ip_2.q.val();
        self.six_3.d.next = self.six_2.q.val();
        self.place_3.d.next = self.place_2.q.val();
        self.sum_3.d.next = self.sum_2.q.val();
        self.class.next = self.class_r.q.val();
        self.keyed.next = self.keyed_r.q.val();
        self.is_ip.next = self.is_ip_3.q.val();
        self.six.next = self.six_3.q.val();
        self.ip_place.next = self.place_3.q.val();
        self.adjust.next = self.sum_3.q.val();
        self.bytes_3.d.next = self.bytes_2.q.val();
        self.bytes.next = self.bytes_3.q.val();
    }
}
