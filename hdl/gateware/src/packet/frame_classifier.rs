//! Classifies a frame at its last beat.

use super::fields::{ending, mode, state};
use super::{Beat, KeyLayout};
use crate::prelude::*;
use bloomline_spec::FrameClass;

/// Bytes of an IPv6 header, which its length leaves out.
const IPV6_HEADER: u128 = 40;
/// Bits that count a frame's bytes; from the highest bit on nothing depends on the number any more.
pub(super) const LENGTH_BITS: usize = 18;

/// The class of a frame from what the parser found, its length and its end, three clocks after its last beat is here; one frame a clock.
///
/// A parse is malformed, too, if its headers reach beyond the IP packet. `adjust` is what a mark adds its DSCP to, for the checksum of IPv4: the complements of the old checksum
/// and of the old DSCP, in 16-bit ones' complement. `docs/packet.md`, "Classes" and "Policies".
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct FrameClassifier {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub bad: Wire<In>,
    pub most: Bus<In>,
    pub finding: Bus<In>,
    pub max_frame: Bus<In>,
    pub begins: Vec<Wire<In>>,
    pub first: Vec<Bus<In>>,
    pub class: Bus<Out>,
    pub keyed: Wire<Out>,
    pub is_ip: Wire<Out>,
    pub six: Wire<Out>,
    pub ip_place: Bus<Out>,
    pub adjust: Bus<Out>,
    pub bytes: Bus<Out>,
    mode: Slice,
    ending: Slice,
    at: Slice,
    place: Slice,
    length: Slice,
    dscp: Slice,
    checksum: Slice,
    six_bit: Const,
    in_ip_bit: Const,
    count: Reg,
    ended: Wire<Local>,
    total: Bus<Local>,
    old_dscp: Bus<Local>,
    // after one clock
    bytes_1: Reg,
    packet_1: Reg,
    need_1: Reg,
    before: Bus<Local>,
    reach_1: Reg,
    sum_1: Reg,
    bad_1: Flag,
    waits_1: Flag,
    is_ip_1: Flag,
    no_ip_1: Flag,
    malformed_1: Flag,
    deep_1: Flag,
    in_ip_1: Flag,
    six_1: Flag,
    place_1: Reg,
    // after two
    short_2: Flag,
    sum_2: Reg,
    bad_2: Flag,
    above_2: Flag,
    level_2: Flag,
    above_low_2: Flag,
    waits_2: Flag,
    is_ip_2: Flag,
    no_ip_2: Flag,
    malformed_2: Flag,
    deep_2: Flag,
    six_2: Flag,
    place_2: Reg,
    high: Bus<Local>,
    max_high: Bus<Local>,
    beyond: Wire<Local>,
    // after three
    class_r: Reg,
    keyed_r: Flag,
    is_ip_3: Flag,
    six_3: Flag,
    place_3: Reg,
    sum_3: Reg,
    bytes_2: Reg,
    bytes_3: Reg,
    found: Bus<Local>,
    end_mode: Const,
    end_no_ip: Const,
    end_ip: Const,
    end_malformed: Const,
    end_too_deep: Const,
    no_bytes: Const,
    beat_bytes: Const,
    full: usize,
    ipv6_header: Const,
    two: Const,
    two_and_header: Const,
    wanted_six: Const,
    unseen: Const,
    other: Const,
    truncated: Const,
    malformed: Const,
    too_deep: Const,
    oversize: Const,
    bad_class: Const,
    length_bits: usize,
    parsed: bool,
    wide: bool,
    inside: usize,
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

    fn counting_from(beat: Beat, layout: &KeyLayout, parsed: bool, inside: usize) -> Self {
        let class = |class: FrameClass| Const::new(class.number().into(), 3);
        let part = |field: super::fields::Field| field.of(state::BITS);
        let end = |value| Const::new(value, ending::BITS);
        let length = || Reg::new(LENGTH_BITS);
        let flag = Flag::default;
        let place_bits = super::fields::PLACE_BITS;
        Self {
            about: About::new(
                "frame_classifier",
                "The class of a frame, from what the parser found and the frame's length, three clocks after its last beat is here.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("a frame begins"),
            valid: Wire::default().doc("a beat"),
            last: Wire::default().doc("the last of its frame"),
            bad: Wire::default().doc("of a bad one"),
            most: Bus::new(beat.most_bits()).doc("its last valid byte"),
            finding: Bus::new(state::BITS).doc("the parser's state after it"),
            max_frame: Bus::new(16).doc("register MAX_FRAME"),
            begins: (0..inside).map(|_| Wire::default().doc("the inside begins")).collect(),
            first: (0..inside).map(|_| Bus::new(LENGTH_BITS).doc("bytes of it that have come")).collect(),
            class: Bus::new(3).doc("class of the frame that ended three clocks ago; 0: by its verdict"),
            keyed: Wire::default().doc("it has a key"),
            is_ip: Wire::default().doc("its parse ended with IP"),
            six: Wire::default().doc("of version 6"),
            ip_place: Bus::new(place_bits).doc("word that the IP header begins with"),
            adjust: Bus::new(16).doc("to this a mark adds its DSCP, for the checksum of IPv4"),
            bytes: Bus::new(16).doc("bytes of the frame"),
            mode: part(state::MODE),
            ending: part(state::ENDING),
            at: part(state::AT),
            place: part(state::IP_PLACE),
            length: part(state::LENGTH),
            dscp: part(state::DSCP),
            checksum: part(state::CHECKSUM),
            six_bit: state::SIX.place(),
            in_ip_bit: state::IN_IP.place(),
            count: length().doc("bytes of the frame before this beat"),
            ended: Default::default(),
            total: Bus::new(LENGTH_BITS).doc("and with it"),
            old_dscp: Bus::new(16).doc("where it stands in its half"),
            bytes_1: length().doc("bytes of the frame"),
            packet_1: length().doc("of the IP packet, as its header says"),
            need_1: length().doc("of a frame that holds the whole IP packet"),
            before: Bus::new(LENGTH_BITS).doc("before the IP packet, and its header if that does not count in its length"),
            reach_1: length().doc("of the IP packet that its headers take"),
            sum_1: Reg::new(17),
            bad_1: flag(),
            waits_1: flag().doc("the parser waits for a word"),
            is_ip_1: flag(),
            no_ip_1: flag(),
            malformed_1: flag(),
            deep_1: flag(),
            in_ip_1: flag(),
            six_1: flag(),
            place_1: Reg::new(place_bits),
            short_2: Flag::default().doc("the frame ends before the IP packet"),
            sum_2: Reg::new(16),
            bad_2: flag(),
            above_2: flag().doc("upper part of the frame's bytes above that of MAX_FRAME"),
            level_2: flag().doc("the same as that"),
            above_low_2: flag().doc("lower part above"),
            waits_2: flag(),
            is_ip_2: flag(),
            no_ip_2: flag(),
            malformed_2: flag(),
            deep_2: flag(),
            six_2: flag(),
            place_2: Reg::new(place_bits),
            high: Bus::new(LENGTH_BITS).doc("the frame's bytes, their upper part"),
            max_high: Bus::new(LENGTH_BITS).doc("that of MAX_FRAME"),
            beyond: Wire::default().doc("the headers say that they are longer than the IP packet"),
            class_r: Reg::new(3),
            keyed_r: flag(),
            is_ip_3: flag(),
            six_3: flag(),
            place_3: Reg::new(place_bits),
            sum_3: Reg::new(16),
            bytes_2: Reg::new(16),
            bytes_3: Reg::new(16),
            found: Bus::new(3),
            end_mode: Const::new(mode::END, mode::BITS),
            end_no_ip: end(ending::NO_IP),
            end_ip: end(ending::IP),
            end_malformed: end(ending::MALFORMED),
            end_too_deep: end(ending::TOO_DEEP),
            no_bytes: Const::new(0, LENGTH_BITS),
            beat_bytes: Const::new(beat.bytes() as u128, LENGTH_BITS),
            full: LENGTH_BITS - 1,
            ipv6_header: Const::new(IPV6_HEADER, LENGTH_BITS),
            two: Const::new(2, LENGTH_BITS),
            two_and_header: Const::new(2 + IPV6_HEADER, LENGTH_BITS),
            wanted_six: Const::new(layout.six.into(), 1),
            unseen: class(FrameClass::Unseen),
            other: class(FrameClass::Other),
            truncated: class(FrameClass::Truncated),
            malformed: class(FrameClass::Malformed),
            too_deep: class(FrameClass::TooDeep),
            oversize: class(FrameClass::Oversize),
            bad_class: class(FrameClass::Bad),
            length_bits: LENGTH_BITS,
            parsed,
            wide: beat.bytes() > 1,
            inside,
        }
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
        self.before.next =
            (bits_to(self.place.output.val(), self.length_bits) << 2) + self.two.val();
        if self.finding.val().get_bit(self.six_bit.val()) {
            self.before.next = (bits_to(self.place.output.val(), self.length_bits) << 2)
                + self.two_and_header.val();
        }
        self.need_1.d.next =
            bits_to(self.length.output.val(), self.length_bits) + self.before.val();
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
        self.short_2.d.next = self.is_ip_1.q.val() && (self.bytes_1.q.val() < self.need_1.q.val());
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
