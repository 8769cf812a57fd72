//! Step of the search for the inside of a tunnel: one word of the outer packet.

use super::fields::{inside, tunnel, walk};
use crate::prelude::*;
use bloomline_spec::{Tunnel, Tunnels};

/// Bits of a GRE header's first word that must be 0: routing, strict source route, recursion, version.
const GRE_UNKNOWN: u128 = 1 << 30 | 1 << 27 | 1 << 26 | 7 << 16;
/// Bits of GTP-U's first word that tell a G-PDU of version 1.
const G_PDU_BITS: u128 = 0xF0FF_0000;
const G_PDU: u128 = 0x30FF_0000;

block! {
    /// Reads one word behind the outer headers: the walk through the headers of a tunnel to its inside; combinational. `docs/packet.md`, "Tunnels".
    ///
    /// What it says counts only for a word that lies within an outer packet whose parse ended with IP and which is no fragment.
    pub struct TunnelStep {
        about: About = About::new(
            "tunnel_step",
            "One word behind the outer headers: the walk through the headers of a tunnel to its inside.",
        ),
        pub state: Bus<In> = Bus::new(tunnel::BITS),
        pub word: Bus<In> = Bus::new(32).doc("first byte highest"),
        pub behind: Wire<In> = Wire::default().doc("it is the first behind the outer headers"),
        pub next: Bus<In> = Bus::new(8).doc("number of the header that begins there"),
        pub to_vxlan: Wire<In> = Wire::default().doc("the word before ends in the port of VXLAN"),
        pub to_gtp: Wire<In> = Wire::default().doc("in that of GTP-U"),
        pub stepped: Bus<Out> = Bus::new(tunnel::BITS),
        pub opens: Wire<Out> = Wire::default().doc("the word is the first of the inside"),
        pub inside: Bus<Out> = Bus::new(inside::BITS).doc("what that is"),
        walk_was: Slice = was(tunnel::WALK),
        left_was: Slice = was(tunnel::LEFT),
        inside_was: Slice = was(tunnel::INSIDE),
        optional_bit: Const = tunnel::OPTIONAL.place(),
        extended_bit: Const = tunnel::EXTENDED.place(),
        walk: Bus<Local> = Bus::new(walk::BITS).doc("what the next word is read as"),
        left: Bus<Local> = Bus::new(8).doc("words that are passed over before it"),
        kind: Bus<Local> = Bus::new(inside::BITS),
        optional: Wire<Local>,
        extended: Wire<Local>,
        says_type: Vec<Wire<Local>> = (0..usize::from(tunnels.has(Tunnel::GtpU)))
            .map(|_| Wire::default().doc("the word ends in the type of an extension header"))
            .collect(),
        outer: Const = walk(walk::OUTER),
        vxlan: Const = walk(walk::VXLAN),
        gtp: Const = walk(walk::GTP),
        teid: Const = walk(walk::TEID),
        sequence_walk: Const = walk(walk::SEQUENCE),
        extension: Const = walk(walk::EXTENSION),
        rest: Const = walk(walk::REST),
        inside_walk: Const = walk(walk::INSIDE),
        end: Const = walk(walk::END),
        ipv4: Const = inside(inside::IPV4),
        ipv6: Const = inside(inside::IPV6),
        version: Const = inside(inside::VERSION),
        ethernet: Const = inside(inside::ETHERNET),
        ipv4_type: Const = Const::new(0x0800, 16),
        ipv6_type: Const = Const::new(0x86DD, 16),
        ethernet_type: Const = Const::new(0x6558, 16),
        gre_unknown: Const = Const::new(GRE_UNKNOWN, 32).doc("routing, strict source route, recursion, version"),
        g_pdu_bits: Const = Const::new(G_PDU_BITS, 32),
        g_pdu: Const = Const::new(G_PDU, 32).doc("version 1, a G-PDU"),
        left_place: Const = tunnel::LEFT.place(),
        inside_place: Const = tunnel::INSIDE.place(),
        state_bits: usize = tunnel::BITS,
        opens_ip_in_ip: bool = tunnels.has(Tunnel::IpInIp),
        opens_gre: bool = tunnels.has(Tunnel::Gre),
        opens_vxlan: bool = tunnels.has(Tunnel::Vxlan),
        opens_gtp_u: bool = tunnels.has(Tunnel::GtpU),
    }

    /// For the tunnels that are opened.
    pub fn new(tunnels: Tunnels) {
        let was = |field: super::fields::Field| field.of(tunnel::BITS);
        let walk = |value| Const::new(value, walk::BITS);
        let inside = |value| Const::new(value, inside::BITS);
    }
}

impl Logic for TunnelStep {
    #[hdl_gen]
    fn update(&mut self) {
        self.walk_was.input.next = self.state.val();
        self.left_was.input.next = self.state.val();
        self.inside_was.input.next = self.state.val();
        self.walk.next = self.walk_was.output.val();
        self.left.next = self.left_was.output.val();
        self.kind.next = self.inside_was.output.val();
        self.optional.next = self.state.val().get_bit(self.optional_bit.val());
        self.extended.next = self.state.val().get_bit(self.extended_bit.val());
        self.opens.next = false;

        comment!("the first word behind the outer headers");
        if (self.walk_was.output.val() == self.outer.val()) && self.behind.val() {
            self.walk.next = self.end.val();
        }
        if self.opens_ip_in_ip {
            if (self.walk_was.output.val() == self.outer.val())
                && self.behind.val()
                && (self.next.val() == 4)
            {
                self.kind.next = self.ipv4.val();
                self.opens.next = true;
            }
            if (self.walk_was.output.val() == self.outer.val())
                && self.behind.val()
                && (self.next.val() == 41)
            {
                self.kind.next = self.ipv6.val();
                self.opens.next = true;
            }
        }
        if self.opens_gre {
            if (self.walk_was.output.val() == self.outer.val())
                && self.behind.val()
                && (self.next.val() == 47)
                && !(self.word.val() & self.gre_unknown.val()).any()
            {
                comment!("checksum, key and sequence number stand before the inside");
                self.left.next = bits_of(self.word.val().get_bit(31), 8)
                    + bits_of(self.word.val().get_bit(29), 8)
                    + bits_of(self.word.val().get_bit(28), 8);
                if bits_to(self.word.val(), 16) == self.ipv4_type.val() {
                    self.walk.next = self.inside_walk.val();
                    self.kind.next = self.ipv4.val();
                }
                if bits_to(self.word.val(), 16) == self.ipv6_type.val() {
                    self.walk.next = self.inside_walk.val();
                    self.kind.next = self.ipv6.val();
                }
                if bits_to(self.word.val(), 16) == self.ethernet_type.val() {
                    self.walk.next = self.inside_walk.val();
                    self.kind.next = self.ethernet.val();
                }
            }
        }
        if self.opens_vxlan {
            if (self.walk_was.output.val() == self.outer.val())
                && self.behind.val()
                && (self.next.val() == 17)
                && self.to_vxlan.val()
            {
                self.walk.next = self.vxlan.val();
            }
            comment!("flag I: a network number follows, then an Ethernet header");
            if self.walk_was.output.val() == self.vxlan.val() {
                self.walk.next = self.end.val();
                if self.word.val().get_bit(27) {
                    self.walk.next = self.inside_walk.val();
                    self.left.next = bits_to(1, 8);
                    self.kind.next = self.ethernet.val();
                }
            }
        }
        if self.opens_gtp_u {
            if (self.walk_was.output.val() == self.outer.val())
                && self.behind.val()
                && (self.next.val() == 17)
                && self.to_gtp.val()
            {
                self.walk.next = self.gtp.val();
            }
            if self.walk_was.output.val() == self.gtp.val() {
                self.walk.next = self.end.val();
                if (self.word.val() & self.g_pdu_bits.val()) == self.g_pdu.val() {
                    self.walk.next = self.teid.val();
                }
                self.optional.next = bits_to(self.word.val() >> 24, 3).any();
                self.extended.next = self.word.val().get_bit(26);
            }
            if self.walk_was.output.val() == self.teid.val() {
                self.walk.next = self.inside_walk.val();
                self.left.next = bits_to(0, 8);
                self.kind.next = self.version.val();
                if self.state.val().get_bit(self.optional_bit.val()) {
                    self.walk.next = self.sequence_walk.val();
                }
            }
            comment!("an extension header's last word ends in the type of the next one, as the word before the first does");
            self.says_type[0].next = (self.walk_was.output.val() == self.sequence_walk.val())
                || ((self.walk_was.output.val() == self.extension.val())
                    && (bits_to(self.word.val() >> 24, 8) == 1))
                || ((self.walk_was.output.val() == self.rest.val())
                    && !self.left_was.output.val().any());
            if self.walk_was.output.val() == self.extension.val() {
                self.walk.next = self.rest.val();
                self.left.next = bits_to(self.word.val() >> 24, 8) - 2;
                if !bits_to(self.word.val() >> 24, 8).any() {
                    self.walk.next = self.end.val();
                }
            }
            if self.walk_was.output.val() == self.rest.val() {
                self.left.next = self.left_was.output.val() - 1;
            }
            if self.says_type[0].val() {
                self.walk.next = self.inside_walk.val();
                self.left.next = bits_to(0, 8);
                self.kind.next = self.version.val();
                if self.state.val().get_bit(self.extended_bit.val())
                    && bits_to(self.word.val(), 8).any()
                {
                    self.walk.next = self.extension.val();
                }
            }
        }

        comment!("words in front of the inside, and its first");
        if self.walk_was.output.val() == self.inside_walk.val() {
            self.left.next = self.left_was.output.val() - 1;
            if !self.left_was.output.val().any() {
                self.walk.next = self.end.val();
                self.opens.next = true;
            }
        }
        self.inside.next = self.kind.val();
        self.stepped.next = bits_to(self.walk.val(), self.state_bits)
            | (bits_to(self.left.val(), self.state_bits) << self.left_place.val())
            | (bits_to(self.kind.val(), self.state_bits) << self.inside_place.val())
            | (bits_of(self.optional.val(), self.state_bits) << self.optional_bit.val())
            | (bits_of(self.extended.val(), self.state_bits) << self.extended_bit.val());
    }
}
