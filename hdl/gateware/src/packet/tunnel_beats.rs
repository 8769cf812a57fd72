//! Finds the inside of a tunnel in data paths of 64 bits.

use super::fields::{inside, state, tunnel, walk, FAR_BITS};
use super::frame_classifier::LENGTH_BITS;
use super::{Beat, NetworkOrder, OuterPacket, TunnelStep};
use crate::prelude::*;
use bloomline_spec::{Tunnels, GTP_U_PORT, VXLAN_PORT};

/// Clocks from a beat to the last one of an inside that ends with it: words, beats of the inside, two that an Ethernet header takes, and one for what does not fit into the beat.
pub(super) const TUNNEL_BEATS_CLOCKS: usize = 5;
/// Words of a beat.
const LANES: usize = 2;
/// Bits of the place of a byte in a beat.
const BYTE_BITS: usize = 3;
/// Protocol number of a fragment header of IPv6.
const FRAGMENT_HEADER: u128 = 44;

block! {
    /// Reads the beats of a frame behind [`super::PairParser`], with what that found up to each of them, and gives the beats of the one packet inside as a frame of its own: where it has no
    /// Ethernet header, behind one of zeros and its type.
    ///
    /// ```text
    /// clock           1                 2             3       4
    /// beat, finding -> words, end ----> TunnelStep -> [ ] --> [ ] --> beat of the inside
    ///                                   twice        Ethernet header --^
    /// ```
    ///
    /// An inside begins at one of four places of a beat, so a beat of it lies in two beats of the frame; what is left behind the last one comes a clock later, when no other inside can have
    /// begun. `docs/packet.md`, "Tunnels". `reset` is synchronous and active high.
    pub struct TunnelBeats {
        about: About = About::new(
            "tunnel_beats",
            format!("Beats of the packet inside a tunnel, as those of a frame; what ends with a beat is here {TUNNEL_BEATS_CLOCKS} clocks later, or a clock before."),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub data: WideBus<In> = WideBus::<In>::new(bits),
        pub finding: Bus<In> = Bus::new(state::BITS).doc("what was found in the frame up to it"),
        pub valid_out: Wire<Out> = Wire::default().doc("a beat of the inside"),
        pub last_out: Wire<Out> = Wire::default().doc("its last"),
        pub most_out: Bus<Out> = Bus::new(BYTE_BITS).doc("last valid byte of it"),
        pub data_out: WideBus<Out> = WideBus::<Out>::new(bits),
        // the outer packet
        at: Slice = part(state::AT),
        from: Slice = part(state::IP_PLACE),
        next: Slice = part(state::NEXT),
        six_bit: Const = state::SIX.place(),
        in_ip_bit: Const = state::IN_IP.place(),
        index: Reg = Reg::new(LENGTH_BITS - BYTE_BITS).doc("beats of the frame before this one"),
        packet: OuterPacket,
        end: Reg = Reg::new(LENGTH_BITS).doc("last byte of the outer packet"),
        closing: Wire<Local> = Wire::default().doc("the beat holds that byte"),
        ended: Flag = Flag::default().doc("an earlier one does"),
        fragment: Flag = Flag::default().doc("the outer packet is one, the first or a later one"),
        number: Vec<Bus<Local>> = (0..LANES).map(|_| Bus::new(FAR_BITS)).collect(),
        bytes: Vec<WideSlice> = (0..LANES).map(|i| WideSlice::new(joined, 32 * i, 32)).collect(),
        order: Vec<NetworkOrder> = (0..LANES).map(|_| Default::default()).collect(),
        tail: WideReg = WideReg::new(tail).doc("last bytes of the beat before"),
        joined: WideBus<Local> = WideBus::<Local>::new(joined),
        // after one clock
        valid_1: Flag,
        last_1: Flag,
        data_1: WideReg = WideReg::new(bits),
        word_1: Vec<Reg> = (0..LANES).map(|_| Reg::new(32)).collect(),
        behind_1: Vec<Flag> = (0..LANES).map(|_| Flag::default().doc("the word is the first behind the outer headers")).collect(),
        reads_1: Vec<Flag> = (0..LANES).map(|_| Flag::default().doc("it lies within the outer packet")).collect(),
        next_1: Reg = Reg::new(8),
        ends_1: Flag = Flag::default().doc("the beat holds the last byte of the outer packet"),
        place_1: Reg = Reg::new(BYTE_BITS).doc("and where"),
        // the walk
        steps: Vec<TunnelStep> = (0..LANES).map(|_| TunnelStep::new(tunnels)).collect(),
        walk: Reg = Reg::new(tunnel::BITS),
        between: Bus<Local> = Bus::new(tunnel::BITS),
        walked: Bus<Local> = Bus::new(tunnel::BITS),
        to_vxlan: Flag = Flag::default().doc("the second word of the beat before ends in the port of VXLAN"),
        to_gtp: Flag = Flag::default().doc("in that of GTP-U"),
        opens: Vec<Wire<Local>> = (0..LANES).map(|_| Wire::default().doc("the word is the first of the inside")).collect(),
        ethernet_here: Vec<Wire<Local>> = (0..LANES).map(|_| Wire::default().doc("which begins with an Ethernet header")).collect(),
        // the inside
        open: Flag = Flag::default().doc("the inside has begun, and not ended"),
        shift: Reg = Reg::new(2).doc("where its beats begin: 0 to 3 for byte 2, 4, 6 or 8 of two beats of the frame"),
        shift_now: Bus<Local> = Bus::new(2),
        closes: Wire<Local> = Wire::default().doc("the inside ends with this beat, or the frame does"),
        place: Bus<Local> = Bus::new(BYTE_BITS).doc("its last byte"),
        fits: Wire<Local> = Wire::default().doc("which lies in the first beat of the inside that is not given yet"),
        before: WideReg = WideReg::new(bits).doc("the beat before"),
        window: WideBus<Local> = WideBus::<Local>::new(2 * bits),
        rest: Flag = Flag::default().doc("bytes are left of the beat before, which ended the inside"),
        rest_most: Reg = Reg::new(BYTE_BITS),
        valid_2: Flag,
        last_2: Flag,
        most_2: Reg = Reg::new(BYTE_BITS),
        data_2: WideReg = WideReg::new(bits),
        valid_3: Flag,
        last_3: Flag,
        most_3: Reg = Reg::new(BYTE_BITS),
        data_3: WideReg = WideReg::new(bits),
        heads: Wire<Local> = Wire::default().doc("an inside without an Ethernet header begins"),
        head_word: Bus<Local> = Bus::new(32),
        head_kind: Bus<Local> = Bus::new(inside::BITS),
        head_type: Bus<Local> = Bus::new(16).doc("the type that stands for it"),
        head_2: Flag = Flag::default().doc("the second beat of that header comes"),
        header: WideReg = WideReg::new(bits),
        header_order: NetworkOrder,
        valid_4: Flag,
        last_4: Flag,
        most_4: Reg = Reg::new(BYTE_BITS),
        data_4: WideReg = WideReg::new(bits),
        no_index: Const = Const::new(0, LENGTH_BITS - BYTE_BITS),
        no_walk: Const = Const::new(walk::OUTER, tunnel::BITS),
        one: Const = Const::new(1, FAR_BITS),
        fragment_header: Const = Const::new(FRAGMENT_HEADER, 8),
        vxlan_port: Const = kind(VXLAN_PORT.into()),
        gtp_port: Const = kind(GTP_U_PORT.into()),
        ipv4: Const = inside(inside::IPV4),
        ipv6: Const = inside(inside::IPV6),
        version: Const = inside(inside::VERSION),
        ethernet: Const = inside(inside::ETHERNET),
        no_type: Const = kind(0),
        ipv4_type: Const = kind(0x0800),
        ipv6_type: Const = kind(0x86DD),
        last_byte_of: Vec<Const> = vec![byte(1), byte(5)],
        whole_beat: Const = byte(7),
        shift_of_ip: Vec<Const> = vec![shift(8), shift(4)],
        shift_of_ethernet: Vec<Const> = vec![shift(6), shift(2)],
        no_data: WideConst = WideConst::from_value(Wide::zero(bits)),
        far: usize = FAR_BITS,
        lanes: usize = LANES,
        tail_bits: usize = tail,
        joined_bits: usize = joined,
        beat_bits: usize = bits,
        window_bits: usize = 2 * bits,
        type_place: usize = 32,
        by_two: usize = 16,
        by_four: usize = 32,
        by_six: usize = 48,
    }

    /// For beats of 64 bits, and the tunnels that are opened.
    pub fn new(beat: Beat, tunnels: Tunnels) {
        let part = |field: super::fields::Field| field.of(state::BITS);
        let inside = |value| Const::new(value, inside::BITS);
        let kind = |value| Const::new(value, 16);
        let bits = beat.bits();
        let (tail, joined) = (16, 16 + bits);
        let byte = |value: u128| Const::new(value, BYTE_BITS);
        // in steps of two bytes, less one, so that 8 bytes are 3
        let shift = |bytes: u128| Const::new(bytes / 2 - 1, 2);
    }
}

impl Logic for TunnelBeats {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, tail, index, ended, fragment, walk, to_vxlan, to_gtp, open, shift, before
        );
        comment!("the outer packet: where it ends, and whether it is a fragment");
        self.joined.next = bits_wide(self.tail.q.val(), self.joined_bits)
            | (bits_wide(self.data.val(), self.joined_bits) << self.tail_bits);
        self.at.input.next = self.finding.val();
        self.from.input.next = self.finding.val();
        self.next.input.next = self.finding.val();
        self.packet.finding.next = self.finding.val();
        self.end.d.next = self.packet.last_byte.val();
        self.closing.next = self.index.q.val() == bits_to(self.end.q.val() >> 3, 15);
        self.number[0].next = (bits_to(self.index.q.val(), self.far) << 1) - self.one.val();
        self.number[1].next = bits_to(self.index.q.val(), self.far) << 1;

        comment!("words, which begin two bytes before the beat and two behind its begin");
        self.valid_1.d.next = self.valid.val() && !self.reset.val();
        self.last_1.d.next = self.last.val();
        self.data_1.d.next = self.data.val();
        self.next_1.d.next = self.next.output.val();
        self.ends_1.d.next = self.packet.whole.val() && self.closing.val() && !self.ended.q.val();
        self.place_1.d.next = bits_to(self.end.q.val(), 3);
        for i in 0..self.lanes {
            self.bytes[i].input.next = self.joined.val();
            self.order[i].bytes.next = self.bytes[i].output.val();
            self.word_1[i].d.next = self.order[i].word.val();
            self.behind_1[i].d.next = self.number[i].val() == self.at.output.val();
            self.reads_1[i].d.next = self.valid.val()
                && self.packet.whole.val()
                && !self.ended.q.val()
                && !self.fragment.q.val()
                && (!self.closing.val()
                    || (bits_to(self.end.q.val(), 3) >= self.last_byte_of[i].val()))
                && !self.reset.val();
        }
        if self.valid.val() {
            self.tail.d.next = bits_wide(self.joined.val() >> self.beat_bits, self.tail_bits);
            self.index.d.next = self.index.q.val() + 1;
            if self.packet.whole.val() && self.closing.val() {
                self.ended.d.next = true;
            }
            comment!("more fragments, or an offset, in the second word of an IPv4 header");
            for i in 0..self.lanes {
                if self.finding.val().get_bit(self.in_ip_bit.val())
                    && !self.finding.val().get_bit(self.six_bit.val())
                    && (self.number[i].val()
                        == bits_to(self.from.output.val(), self.far) + self.one.val())
                    && (self.order[i].word.val().get_bit(13)
                        || bits_to(self.order[i].word.val(), 13).any())
                {
                    self.fragment.d.next = true;
                }
            }
            comment!("a fragment header behind that of IPv6, whose second word has come");
            if self.finding.val().get_bit(self.in_ip_bit.val())
                && self.finding.val().get_bit(self.six_bit.val())
                && (self.number[1].val() != bits_to(self.from.output.val(), self.far))
                && (self.next.output.val() == self.fragment_header.val())
            {
                self.fragment.d.next = true;
            }
        }
        if (self.valid.val() && self.last.val()) || self.reset.val() {
            self.index.d.next = self.no_index.val();
            self.ended.d.next = false;
            self.fragment.d.next = false;
        }

        comment!("the walk to the inside, two words a clock");
        for i in 0..self.lanes {
            self.steps[i].word.next = self.word_1[i].q.val();
            self.steps[i].behind.next = self.behind_1[i].q.val();
            self.steps[i].next.next = self.next_1.q.val();
            self.opens[i].next = self.reads_1[i].q.val() && self.steps[i].opens.val();
            self.ethernet_here[i].next = self.steps[i].inside.val() == self.ethernet.val();
        }
        self.steps[0].state.next = self.walk.q.val();
        self.steps[0].to_vxlan.next = self.to_vxlan.q.val();
        self.steps[0].to_gtp.next = self.to_gtp.q.val();
        self.between.next = self.walk.q.val();
        if self.reads_1[0].q.val() {
            self.between.next = self.steps[0].stepped.val();
        }
        self.steps[1].state.next = self.between.val();
        self.steps[1].to_vxlan.next = bits_to(self.word_1[0].q.val(), 16) == self.vxlan_port.val();
        self.steps[1].to_gtp.next = bits_to(self.word_1[0].q.val(), 16) == self.gtp_port.val();
        self.walked.next = self.between.val();
        if self.reads_1[1].q.val() {
            self.walked.next = self.steps[1].stepped.val();
        }

        comment!("the inside: a beat of it lies in two of the frame");
        self.shift_now.next = self.shift.q.val();
        for i in 0..self.lanes {
            if self.opens[i].val() {
                self.shift_now.next = self.shift_of_ip[i].val();
                if self.ethernet_here[i].val() {
                    self.shift_now.next = self.shift_of_ethernet[i].val();
                }
            }
        }
        self.closes.next = self.valid_1.q.val()
            && (self.open.q.val() || self.opens[0].val() || self.opens[1].val())
            && (self.ends_1.q.val() || self.last_1.q.val());
        self.place.next = self.whole_beat.val();
        if self.ends_1.q.val() {
            self.place.next = self.place_1.q.val();
        }
        self.fits.next = bits_to(self.place.val() >> 1, 2) <= self.shift_now.val();
        self.window.next = bits_wide(self.before.q.val(), self.window_bits)
            | (bits_wide(self.data_1.q.val(), self.window_bits) << self.beat_bits);
        self.valid_2.d.next = ((self.valid_1.q.val()
            && (self.open.q.val() || self.opens[0].val()))
            || self.rest.q.val())
            && !self.reset.val();
        self.last_2.d.next = (self.closes.val() && self.fits.val()) || self.rest.q.val();
        comment!("byte 8 + place of the two beats is this one of its own");
        self.most_2.d.next = self.whole_beat.val();
        if self.closes.val() && self.fits.val() {
            self.most_2.d.next =
                self.place.val() - (bits_to(self.shift_now.val(), 3) << 1) - bits_to(2, 3);
        }
        if self.rest.q.val() {
            self.most_2.d.next = self.rest_most.q.val();
        }
        self.rest.d.next = self.closes.val() && !self.fits.val() && !self.reset.val();
        self.rest_most.d.next =
            self.place.val() - (bits_to(self.shift_now.val(), 3) << 1) - bits_to(2, 3);
        self.data_2.d.next = bits_wide(self.window.val() >> self.beat_bits, self.beat_bits);
        if self.shift_now.val() == 0 {
            self.data_2.d.next = bits_wide(self.window.val() >> self.by_two, self.beat_bits);
        }
        if self.shift_now.val() == 1 {
            self.data_2.d.next = bits_wide(self.window.val() >> self.by_four, self.beat_bits);
        }
        if self.shift_now.val() == 2 {
            self.data_2.d.next = bits_wide(self.window.val() >> self.by_six, self.beat_bits);
        }
        self.valid_3.d.next = self.valid_2.q.val() && !self.reset.val();
        self.last_3.d.next = self.last_2.q.val();
        self.most_3.d.next = self.most_2.q.val();
        self.data_3.d.next = self.data_2.q.val();

        comment!("an Ethernet header of two beats for what has none; its last two bytes are the first of the packet");
        self.heads.next = (self.opens[0].val() && !self.ethernet_here[0].val())
            || (self.opens[1].val() && !self.ethernet_here[1].val());
        self.head_word.next = self.word_1[0].q.val();
        self.head_kind.next = self.steps[0].inside.val();
        if self.opens[1].val() {
            self.head_word.next = self.word_1[1].q.val();
            self.head_kind.next = self.steps[1].inside.val();
        }
        self.head_type.next = self.no_type.val();
        if (self.head_kind.val() == self.ipv4.val())
            || ((self.head_kind.val() == self.version.val())
                && (bits_to(self.head_word.val() >> 28, 4) == 4))
        {
            self.head_type.next = self.ipv4_type.val();
        }
        if (self.head_kind.val() == self.ipv6.val())
            || ((self.head_kind.val() == self.version.val())
                && (bits_to(self.head_word.val() >> 28, 4) == 6))
        {
            self.head_type.next = self.ipv6_type.val();
        }
        self.header_order.bytes.next =
            (bits_to(self.head_type.val(), 32) << 16) | (self.head_word.val() >> 16);
        self.header.d.next =
            bits_wide(self.header_order.word.val(), self.beat_bits) << self.type_place;
        self.head_2.d.next = self.heads.val() && !self.reset.val();
        self.valid_4.d.next =
            (self.valid_3.q.val() || self.heads.val() || self.head_2.q.val()) && !self.reset.val();
        self.last_4.d.next = self.last_3.q.val();
        self.most_4.d.next = self.most_3.q.val();
        self.data_4.d.next = self.data_3.q.val();
        if self.heads.val() || self.head_2.q.val() {
            self.last_4.d.next = false;
            self.most_4.d.next = self.whole_beat.val();
            self.data_4.d.next = self.no_data.val();
        }
        if self.head_2.q.val() {
            self.data_4.d.next = self.header.q.val();
        }
        self.valid_out.next = self.valid_4.q.val();
        self.last_out.next = self.last_4.q.val();
        self.most_out.next = self.most_4.q.val();
        self.data_out.next = self.data_4.q.val();

        comment!("from beat to beat");
        if self.valid_1.q.val() {
            self.before.d.next = self.data_1.q.val();
            self.walk.d.next = self.walked.val();
            self.to_vxlan.d.next = bits_to(self.word_1[1].q.val(), 16) == self.vxlan_port.val();
            self.to_gtp.d.next = bits_to(self.word_1[1].q.val(), 16) == self.gtp_port.val();
            self.shift.d.next = self.shift_now.val();
            if self.opens[0].val() || self.opens[1].val() {
                self.open.d.next = true;
            }
            if self.closes.val() {
                self.open.d.next = false;
            }
        }
        if (self.valid_1.q.val() && self.last_1.q.val()) || self.reset.val() {
            self.walk.d.next = self.no_walk.val();
            self.open.d.next = false;
        }
    }
}
