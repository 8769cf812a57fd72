//! Finds the inside of a tunnel in data paths of 8 bits.

use super::fields::{inside, mode, state, tunnel, walk, FAR_BITS, INSIDE_PLACE, PLACE_BITS};
use super::frame_classifier::LENGTH_BITS;
use super::{NetworkOrder, OuterPacket, TunnelStep};
use crate::prelude::*;
use bloomline_spec::{Tunnels, GTP_U_PORT, VXLAN_PORT};

block! {
    /// Reads the beats of a frame behind [`super::Parser`], with what that found up to each of them, and gives the words of the one packet inside: numbered as the parser numbers those of a
    /// frame, from an Ethernet header on or as if one stood before.
    ///
    /// ```text
    /// beat, finding --+--> end of the outer packet --+
    ///                 +--> word --> TunnelStep ------+--> [ ] --> opens, words, bytes, end of the inside
    ///                                 ^      |
    ///                                 +- [ ]-+
    /// ```
    ///
    /// Outputs are registers: latency 1 clock. `docs/packet.md`, "Tunnels". `reset` is synchronous and active high.
    pub struct TunnelStage {
        about: About = About::new(
            "tunnel_stage",
            "Finds the packet inside a tunnel: its words, its bytes and its end, a clock later.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub data: WideBus<In> = WideBus::<In>::new(8),
        pub finding: Bus<In> = Bus::new(state::BITS).doc("what was found in the frame up to it"),
        pub opens: Wire<Out> = Wire::default().doc("the inside begins: its first word has come"),
        pub inside: Bus<Out> = Bus::new(inside::BITS).doc("what it is; stands until the next one"),
        pub word: Bus<Out> = Bus::new(32).doc("first byte highest"),
        pub place: Bus<Out> = Bus::new(PLACE_BITS).doc("number of the word inside"),
        pub whole: Wire<Out> = Wire::default().doc("there is a word"),
        pub valid_out: Wire<Out> = Wire::default().doc("a byte of the inside behind its first three"),
        pub ends: Wire<Out> = Wire::default().doc("the last of the outer packet"),
        // the bytes
        tail: WideReg = WideReg::new(tail).doc("last bytes of the beats before"),
        joined: WideBus<Local> = WideBus::<Local>::new(joined),
        bytes: WideSlice = WideSlice::new(joined, 0, 32),
        order: NetworkOrder,
        index: Reg = Reg::new(LENGTH_BITS).doc("bytes of the frame before this beat"),
        // the outer packet
        mode: Slice = part(state::MODE),
        header_step: Slice = part(state::STEP),
        at: Slice = part(state::AT),
        next: Slice = part(state::NEXT),
        six_bit: Const = state::SIX.place(),
        packet: OuterPacket,
        end: Reg = Reg::new(LENGTH_BITS).doc("last byte of the outer packet"),
        ends_here: Wire<Local> = Wire::default().doc("the outer packet ends with this byte"),
        ended: Flag = Flag::default().doc("it has ended before"),
        fragment: Flag = Flag::default().doc("it is one, the first or a later one"),
        // the walk
        step: TunnelStep = TunnelStep::new(tunnels),
        walk: Reg = Reg::new(tunnel::BITS),
        number: Bus<Local> = Bus::new(FAR_BITS).doc("of the word that this byte completes"),
        aligned: Wire<Local> = Wire::default().doc("it completes a word of the outer packet"),
        reads: Wire<Local>,
        opens_here: Wire<Local>,
        to_vxlan: Flag = Flag::default().doc("the word before ends in the port of VXLAN"),
        to_gtp: Flag = Flag::default().doc("in that of GTP-U"),
        // the inside
        opened: Flag,
        within: Wire<Local> = Wire::default().doc("the byte is one of the inside, or behind it"),
        shifted: Wire<Local> = Wire::default().doc("behind an inner Ethernet header words begin with a multiple of four"),
        word_here: Wire<Local> = Wire::default().doc("the byte completes a word of the inside"),
        next_place: Reg = Reg::new(PLACE_BITS).doc("number of the next word inside; the parser has read a word when its number comes again"),
        opens_r: Flag,
        inside_r: Reg = Reg::new(inside::BITS),
        word_r: Reg = Reg::new(32),
        place_r: Reg = Reg::new(PLACE_BITS),
        whole_r: Flag,
        valid_r: Flag,
        ends_r: Flag,
        no_index: Const = Const::new(0, LENGTH_BITS),
        no_walk: Const = Const::new(walk::OUTER, tunnel::BITS),
        ip_mode: Const = Const::new(mode::IP, mode::BITS),
        fragment_mode: Const = Const::new(mode::FRAGMENT, mode::BITS),
        vxlan_port: Const = Const::new(VXLAN_PORT.into(), 16),
        gtp_port: Const = Const::new(GTP_U_PORT.into(), 16),
        ethernet: Const = Const::new(inside::ETHERNET, inside::BITS),
        inside_place: Const = place(INSIDE_PLACE),
        behind_inside_place: Const = place(INSIDE_PLACE + 1),
        no_place: Const = place(0),
        tail_bits: usize = tail,
        joined_bits: usize = joined,
        beat_bits: usize = 8,
        far: usize = FAR_BITS,
        one: Const = Const::new(1, FAR_BITS),
    }

    /// For the tunnels that are opened.
    pub fn new(tunnels: Tunnels) {
        let part = |field: super::fields::Field| field.of(state::BITS);
        let place = |value: usize| Const::new(value as u128, PLACE_BITS);
        let (tail, joined) = (24, 32);
    }
}

impl Logic for TunnelStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, tail, index, ended, fragment, walk, to_vxlan, to_gtp, opened, inside_r,
            next_place
        );
        self.joined.next = bits_wide(self.tail.q.val(), self.joined_bits)
            | (bits_wide(self.data.val(), self.joined_bits) << self.tail_bits);
        self.bytes.input.next = self.joined.val();
        self.order.bytes.next = self.bytes.output.val();
        self.aligned.next = bits_to(self.index.q.val(), 2) == 1;
        self.number.next = bits_to(self.index.q.val() >> 2, self.far) - self.one.val();

        comment!("the outer packet: where it ends, and whether it is a fragment");
        self.mode.input.next = self.finding.val();
        self.header_step.input.next = self.finding.val();
        self.at.input.next = self.finding.val();
        self.next.input.next = self.finding.val();
        self.packet.finding.next = self.finding.val();
        self.end.d.next = self.packet.last_byte.val();
        self.ends_here.next =
            self.valid.val() && self.packet.whole.val() && (self.index.q.val() == self.end.q.val());

        comment!("the walk to the inside");
        self.reads.next = self.valid.val()
            && self.aligned.val()
            && self.packet.whole.val()
            && !self.ended.q.val()
            && !self.fragment.q.val();
        self.step.state.next = self.walk.q.val();
        self.step.word.next = self.order.word.val();
        self.step.behind.next = self.number.val() == self.at.output.val();
        self.step.next.next = self.next.output.val();
        self.step.to_vxlan.next = self.to_vxlan.q.val();
        self.step.to_gtp.next = self.to_gtp.q.val();
        self.opens_here.next = self.reads.val() && self.step.opens.val();

        comment!("words of the inside");
        self.within.next = self.valid.val() && (self.opened.q.val() || self.opens_here.val());
        self.shifted.next = self.inside_r.q.val() == self.ethernet.val();
        self.word_here.next = self.within.val() && self.opened.q.val() && self.aligned.val();
        if self.shifted.val() {
            self.word_here.next =
                self.within.val() && self.opened.q.val() && (bits_to(self.index.q.val(), 2) == 3);
        }
        self.opens_r.d.next = self.opens_here.val() && !self.reset.val();
        self.word_r.d.next = self.order.word.val();
        self.place_r.d.next = self.next_place.q.val();
        self.whole_r.d.next = self.word_here.val() && !self.reset.val();
        if self.opens_here.val() {
            self.place_r.d.next = self.inside_place.val();
            self.whole_r.d.next =
                (self.step.inside.val() != self.ethernet.val()) && !self.reset.val();
        }
        self.valid_r.d.next = self.within.val() && !self.reset.val();
        self.ends_r.d.next = self.within.val() && self.ends_here.val() && !self.reset.val();
        self.opens.next = self.opens_r.q.val();
        self.inside.next = self.inside_r.q.val();
        self.word.next = self.word_r.q.val();
        self.place.next = self.place_r.q.val();
        self.whole.next = self.whole_r.q.val();
        self.valid_out.next = self.valid_r.q.val();
        self.ends.next = self.ends_r.q.val();

        comment!("from beat to beat");
        if self.valid.val() {
            self.tail.d.next = bits_wide(self.joined.val() >> self.beat_bits, self.tail_bits);
            self.index.d.next = self.index.q.val() + 1;
            if self.ends_here.val() {
                self.ended.d.next = true;
            }
            if self.mode.output.val() == self.fragment_mode.val() {
                self.fragment.d.next = true;
            }
            if self.aligned.val() {
                self.to_vxlan.d.next = bits_to(self.order.word.val(), 16) == self.vxlan_port.val();
                self.to_gtp.d.next = bits_to(self.order.word.val(), 16) == self.gtp_port.val();
                comment!("more fragments, in the second word of an IPv4 header; a later one ends the outer parse there");
                if (self.mode.output.val() == self.ip_mode.val())
                    && (self.header_step.output.val() == 2)
                    && !self.finding.val().get_bit(self.six_bit.val())
                    && (self.order.word.val().get_bit(13)
                        || bits_to(self.order.word.val(), 13).any())
                {
                    self.fragment.d.next = true;
                }
            }
        }
        if self.reads.val() {
            self.walk.d.next = self.step.stepped.val();
        }
        if self.word_here.val() {
            self.next_place.d.next = self.next_place.q.val() + 1;
        }
        if self.opens_here.val() {
            self.opened.d.next = true;
            self.inside_r.d.next = self.step.inside.val();
            self.next_place.d.next = self.behind_inside_place.val();
            if self.step.inside.val() == self.ethernet.val() {
                self.next_place.d.next = self.no_place.val();
            }
        }
        if (self.valid.val() && self.last.val()) || self.reset.val() {
            self.index.d.next = self.no_index.val();
            self.ended.d.next = false;
            self.fragment.d.next = false;
            self.walk.d.next = self.no_walk.val();
            self.opened.d.next = false;
        }
    }
}
