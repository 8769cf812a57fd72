//! Header registers of the host port: parse the header of a request, build that of its answer.

use crate::prelude::*;
use bloomline_spec::host_port::{HostAddress, HOST_HEAD_BYTES, HOST_TIME_TO_LIVE};

/// Bits of the row.
const BITS: usize = 8 * HOST_HEAD_BYTES;
/// Bytes of a MAC address.
const BYTES_OF_MAC: usize = 6;

block! {
    /// A row of 42 bytes, the first highest: a frame's head goes in at the bottom, is looked at, makes place for the answer's head, and that leaves at the top.
    ///
    /// What is known of it is registers: a clock late. `docs/host-port.md`, "What is taken, and what is answered".
    /// No reset.
    pub struct HostHead {
        about: About = About::new(
            "host_head",
            "42 bytes: the head of a frame to the card, and of its answer.\nbyte b of the frame is in bits 335 - 8 b to 328 - 8 b.",
        ),
        pub clock: Signal<In, Clock>,
        pub store: Wire<In> = Wire::default().doc("a byte of a frame's head comes"),
        pub byte: Bus<In> = Bus::new(8).doc("it"),
        pub total: Bus<In> = Bus::new(16).doc("the IP packet's length"),
        pub single: Wire<Out> = Wire::default().doc("its source address is one station's"),
        pub arp: Wire<Out> = Wire::default().doc("an ARP request for the card's IP address"),
        pub ip: Wire<Out> = Wire::default().doc("whole IPv4 without options to the card's IP address"),
        pub echo: Wire<Out> = Wire::default().doc("an ICMP echo request, if it is IPv4"),
        pub datagram: Wire<Out> = Wire::default().doc("UDP to the card's port, if it is IPv4"),
        pub unchecked: Wire<Out> = Wire::default().doc("with a checksum of 0"),
        pub peer: Bus<Out> = Bus::new(32).doc("source IP address"),
        pub answer: Wire<In> = Wire::default().doc("put the answer's head in place of it"),
        pub answer_arp: Wire<In> = Wire::default().doc("of an ARP reply"),
        pub answer_echo: Wire<In> = Wire::default().doc("of an echo reply, else of a datagram"),
        pub answer_total: Bus<In> = Bus::new(16).doc("length of its IP packet"),
        pub answer_check: Bus<In> = Bus::new(16).doc("checksum of its IP header"),
        pub give: Wire<In> = Wire::default().doc("the first byte is taken"),
        pub first: Bus<Out> = Bus::new(8).doc("the first byte"),
        row: WideReg = WideReg::new(BITS),
        single_r: Flag,
        arp_r: Flag,
        ip_r: Flag,
        echo_r: Flag,
        datagram_r: Flag,
        unchecked_r: Flag,
        raised: Bus<Local> = Bus::new(17).doc("checksum of an echo reply, before its carry is added"),
        echo_check: Bus<Local> = Bus::new(16).doc("checksum of an echo reply"),
        length: Bus<Local> = Bus::new(16).doc("length of the answer's datagram"),
        arp_request: Const = Const::new(number(&[0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 1]), 80)
            .doc("type, Ethernet and IPv4, request"),
        ipv4: Const = Const::new(0x08_0045, 24).doc("type, version and header length"),
        fragment_bits: Const = Const::new(0xBFFF, 16).doc("all but do not fragment"),
        icmp: Const = Const::new(ICMP.into(), 8),
        echo_type: Const = Const::new(0x0800, 16).doc("echo request"),
        udp: Const = Const::new(UDP.into(), 8),
        own_ip: Const = Const::new(number(&address.ip), 32).doc("the card's IP address"),
        own_port: Const = Const::new(number(&port), 16).doc("its UDP port"),
        less_type: Const = Const::new(0x0800, 17).doc("what the checksum gains by the type of a reply"),
        ip_header: Const = Const::new(20, 16).doc("bytes of the IP header"),
        arp_answer: WideConst = WideConst::from_value(arp).doc("what all ARP replies have"),
        echo_answer: WideConst = WideConst::from_value(ip | placed(23, &[ICMP]))
            .doc("what all echo replies have"),
        datagram_answer: WideConst = WideConst::from_value(ip | placed(23, &[UDP]) | placed(34, &port))
            .doc("what all datagrams have"),
    }

    /// For the card of `address`.
    pub fn new(address: &HostAddress) {
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |all, &byte| all << 8 | u128::from(byte))
        };
        let port = address.udp_port.to_be_bytes();
        let own = placed(BYTES_OF_MAC, &address.mac);
        let arp = own
            | placed(12, &[0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 2])
            | placed(22, &address.mac)
            | placed(28, &address.ip);
        let ip = own
            | placed(12, &[0x08, 0, 0x45, 0])
            | placed(18, &[0, 0, 0x40, 0, HOST_TIME_TO_LIVE])
            | placed(26, &address.ip);
    }
}

/// Protocol numbers of IP.
const ICMP: u8 = 1;
const UDP: u8 = 17;

/// `bytes` in the row from byte `at` on.
fn placed(at: usize, bytes: &[u8]) -> Wide {
    let mut row = [0; HOST_HEAD_BYTES];
    row[at..at + bytes.len()].copy_from_slice(bytes);
    row.reverse();
    Wide::from_bytes(&row, BITS)
}

impl Logic for HostHead {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what is known of a frame");
        self.single_r.d.next = !self.row.q.val().get_bit(280);
        self.arp_r.d.next = (bits_to(self.row.q.val() >> 160, 80) == self.arp_request.val())
            && (bits_to(self.row.q.val(), 32) == self.own_ip.val());
        self.ip_r.d.next = (bits_to(self.row.q.val() >> 216, 24) == self.ipv4.val())
            && !(bits_to(self.row.q.val() >> 160, 16) & self.fragment_bits.val()).any()
            && (bits_to(self.row.q.val() >> 64, 32) == self.own_ip.val());
        self.echo_r.d.next = (bits_to(self.row.q.val() >> 144, 8) == self.icmp.val())
            && (bits_to(self.row.q.val() >> 48, 16) == self.echo_type.val());
        self.datagram_r.d.next = (bits_to(self.row.q.val() >> 144, 8) == self.udp.val())
            && (bits_to(self.row.q.val() >> 32, 16) == self.own_port.val())
            && (bits_to(self.row.q.val() >> 16, 16) == (self.total.val() - self.ip_header.val()));
        self.unchecked_r.d.next = !bits_to(self.row.q.val(), 16).any();
        self.peer.next = bits_to(self.row.q.val() >> 96, 32);

        self.row.d.next = self.row.q.val();
        if self.store.val() {
            self.row.d.next = (self.row.q.val() << 8) | bits_wide(self.byte.val(), 336);
        }
        comment!("answer: to whom it came from");
        self.raised.next = bits_to(bits_to(self.row.q.val() >> 32, 16), 17) + self.less_type.val();
        self.echo_check.next =
            bits_to(self.raised.val(), 16) + bits_to(self.raised.val() >> 16, 16);
        self.length.next = self.answer_total.val() - self.ip_header.val();
        if self.answer.val() {
            self.row.d.next = ((self.row.q.val() >> 240) << 288)
                | self.datagram_answer.val()
                | (bits_wide(self.answer_total.val(), 336) << 192)
                | (bits_wide(self.answer_check.val(), 336) << 128)
                | (bits_wide(self.peer.val(), 336) << 64)
                | (bits_wide(bits_to(self.row.q.val() >> 48, 16), 336) << 32)
                | (bits_wide(self.length.val(), 336) << 16);
            if self.answer_echo.val() {
                self.row.d.next = ((self.row.q.val() >> 240) << 288)
                    | self.echo_answer.val()
                    | (bits_wide(self.answer_total.val(), 336) << 192)
                    | (bits_wide(self.answer_check.val(), 336) << 128)
                    | (bits_wide(self.peer.val(), 336) << 64)
                    | (bits_wide(self.echo_check.val(), 336) << 32)
                    | bits_wide(bits_to(self.row.q.val(), 32), 336);
            }
            if self.answer_arp.val() {
                self.row.d.next = ((self.row.q.val() >> 240) << 288)
                    | self.arp_answer.val()
                    | bits_wide(bits_to(self.row.q.val() >> 80, 80), 336);
            }
        }
        if self.give.val() {
            self.row.d.next = self.row.q.val() << 8;
        }
        self.single.next = self.single_r.q.val();
        self.arp.next = self.arp_r.q.val();
        self.ip.next = self.ip_r.q.val();
        self.echo.next = self.echo_r.q.val();
        self.datagram.next = self.datagram_r.q.val();
        self.unchecked.next = self.unchecked_r.q.val();
        self.first.next = bits_to(self.row.q.val() >> 328, 8);
    }
}
