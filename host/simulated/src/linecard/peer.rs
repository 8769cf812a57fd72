//! Network peer of the card: builds and parses ARP, ping and UDP frames with the crate `etherparse`.

use bloomline_spec::host_port::HostAddress;
use etherparse::{NetSlice, PacketBuilder, SlicedPacket, TransportSlice};

/// Time to live of what it sends.
const TIME_TO_LIVE: u8 = 61;

/// Somebody who talks to the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPeer {
    /// MAC address.
    pub mac: [u8; 6],
    /// IP address.
    pub ip: [u8; 4],
    /// UDP port.
    pub port: u16,
}

impl HostPeer {
    /// Its ARP request for the card, to one MAC address or all.
    pub fn arp(&self, card: &HostAddress, to: [u8; 6]) -> Vec<u8> {
        let parts = [
            &to[..],
            &self.mac,
            &[0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 1],
            &self.mac,
            &self.ip,
            &[0; 6],
            &card.ip,
        ];
        parts.concat()
    }

    /// Its ping.
    pub fn echo(&self, card: &HostAddress, identifier: u16, data: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        PacketBuilder::ethernet2(self.mac, card.mac)
            .ipv4(self.ip, card.ip, TIME_TO_LIVE)
            .icmpv4_echo_request(identifier, 7)
            .write(&mut frame, data)
            .expect("a vector takes all bytes");
        frame
    }

    /// Its datagram to the card's port.
    pub fn datagram(&self, card: &HostAddress, payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        PacketBuilder::ethernet2(self.mac, card.mac)
            .ipv4(self.ip, card.ip, TIME_TO_LIVE)
            .udp(self.port, card.udp_port)
            .write(&mut frame, payload)
            .expect("a vector takes all bytes");
        frame
    }

    /// What is in a datagram from the card's port to it; `None` for any other frame, and where a length, an address or a checksum is wrong.
    pub fn payload(&self, card: &HostAddress, frame: &[u8]) -> Option<Vec<u8>> {
        let packet = SlicedPacket::from_ethernet(frame).ok()?;
        let Some(NetSlice::Ipv4(ip)) = &packet.net else {
            return None;
        };
        let Some(TransportSlice::Udp(udp)) = &packet.transport else {
            return None;
        };
        let header = ip.header();
        let checksum = match udp.checksum() {
            0 => 0,
            _ => udp
                .to_header()
                .calc_checksum_ipv4(&header.to_header(), udp.payload())
                .ok()?,
        };
        let is_right = frame[..12] == *[self.mac, card.mac].as_flattened()
            && [header.source(), header.destination()] == [card.ip, self.ip]
            && [udp.source_port(), udp.destination_port()] == [card.udp_port, self.port]
            && header.to_header().calc_header_checksum() == header.header_checksum()
            && checksum == udp.checksum();
        is_right.then(|| udp.payload().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: HostAddress = HostAddress {
        mac: [0x02, 0, 0, 0, 0, 1],
        ip: [10, 0, 0, 1],
        udp_port: 1234,
    };
    const PEER: HostPeer = HostPeer {
        mac: [0x02, 0, 0, 0, 0, 2],
        ip: [10, 0, 0, 2],
        port: 99,
    };

    #[test]
    fn what_the_card_sends_is_read_and_nothing_else() {
        let card = HostPeer {
            mac: CARD.mac,
            ip: CARD.ip,
            port: CARD.udp_port,
        };
        let peer = HostAddress {
            mac: PEER.mac,
            ip: PEER.ip,
            udp_port: PEER.port,
        };
        let frame = card.datagram(&peer, b"twelve words");
        assert_eq!(PEER.payload(&CARD, &frame), Some(b"twelve words".to_vec()));
        // but for the time to live and what the header's checksum guards against, no bit may be wrong
        for byte in 0..frame.len() {
            let mut wrong = frame.clone();
            wrong[byte] ^= 0x10;
            assert_eq!(PEER.payload(&CARD, &wrong), None, "byte {byte}");
        }
        assert_eq!(PEER.payload(&CARD, &PEER.datagram(&CARD, b"mine")), None);
    }
}
