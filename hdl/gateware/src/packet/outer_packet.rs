//! Finds the end of the packet that may carry a tunnel.

use super::fields::{ending, mode, state};
use super::frame_classifier::LENGTH_BITS;
use crate::prelude::*;

/// Bytes of a frame before word 0, less one.
const BEFORE: u128 = 1;
/// Bytes of an IPv6 header, which its length leaves out.
const IPV6_HEADER: u128 = 40;

block! {
    /// The last byte of the packet that a parser has found in a frame.
    ///
    /// Combinational: no latency, no reset. `docs/packet.md`, "Tunnels".
    pub struct OuterPacket {
        about: About = About::new("outer_packet", "The last byte of the packet that a parser has found in a frame."),
        pub finding: Bus<In> = Bus::new(state::BITS),
        pub whole: Wire<Out> = Wire::default().doc("the parse has ended with IP"),
        pub last_byte: Bus<Out> = Bus::new(LENGTH_BITS).doc("of the frame, counted from 0; valid once the header's length is"),
        mode: Slice = part(state::MODE),
        ending: Slice = part(state::ENDING),
        from: Slice = part(state::IP_PLACE),
        length: Slice = part(state::LENGTH),
        six_bit: Const = state::SIX.place(),
        before: Bus<Local> = Bus::new(LENGTH_BITS).doc("bytes before what its length counts, less one"),
        end_mode: Const = Const::new(mode::END, mode::BITS),
        end_ip: Const = Const::new(ending::IP, ending::BITS),
        before_bytes: Const = Const::new(BEFORE, LENGTH_BITS),
        ipv6_header: Const = Const::new(IPV6_HEADER, LENGTH_BITS),
        length_bits: usize = LENGTH_BITS,
    }

    fn default() {
        let part = |field: super::fields::Field| field.of(state::BITS);
    }
}

impl Logic for OuterPacket {
    #[hdl_gen]
    fn update(&mut self) {
        self.mode.input.next = self.finding.val();
        self.ending.input.next = self.finding.val();
        self.from.input.next = self.finding.val();
        self.length.input.next = self.finding.val();
        self.before.next =
            (bits_to(self.from.output.val(), self.length_bits) << 2) + self.before_bytes.val();
        if self.finding.val().get_bit(self.six_bit.val()) {
            self.before.next = (bits_to(self.from.output.val(), self.length_bits) << 2)
                + self.before_bytes.val()
                + self.ipv6_header.val();
        }
        self.last_byte.next =
            self.before.val() + bits_to(self.length.output.val(), self.length_bits);
        self.whole.next = (self.mode.output.val() == self.end_mode.val())
            && (self.ending.output.val() == self.end_ip.val());
    }
}
