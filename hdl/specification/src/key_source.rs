use crate::key::{Key, KeyError};
use crate::values::words;
use std::net::IpAddr;

words! {
    /// The packet field that is the key (`key.source`). It fixes the width of the key.
    ///
    /// | word | bits | bytes, byte 0 first; addresses and ports in network byte order |
    /// |---|---|---|
    /// | `ipv4-5tuple` | 104 | source address 0..4, destination address 4..8, source port 8..10, destination port 10..12, protocol 12 |
    /// | `ipv6-5tuple` | 296 | source address 0..16, destination address 16..32, source port 32..34, destination port 34..36, protocol 36 |
    /// | `src-ip`, `dst-ip` | 32 | IPv4 address |
    /// | `src-ip6`, `dst-ip6` | 128 | IPv6 address |
    /// | `frame-digest` | 64 | the digest of the frame that the packet front end computes, low byte first |
    ///
    /// A packet of the other IP version has no such field: it gives no key, and whoever feeds the filter counts it as
    /// skipped. Nothing is folded to fit.
    KeySource {
        /// IPv4 addresses, ports and protocol.
        Ipv4FiveTuple = "ipv4-5tuple",
        /// IPv6 addresses, ports and protocol.
        Ipv6FiveTuple = "ipv6-5tuple",
        /// IPv4 source address.
        SrcIp = "src-ip",
        /// IPv4 destination address.
        DstIp = "dst-ip",
        /// IPv6 source address.
        SrcIp6 = "src-ip6",
        /// IPv6 destination address.
        DstIp6 = "dst-ip6",
        /// Digest of the whole frame.
        FrameDigest = "frame-digest",
    }
}

/// Addresses, ports and protocol of a packet. Protocols without ports have ports 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FiveTuple {
    /// Source address.
    pub source: IpAddr,
    /// Destination address.
    pub destination: IpAddr,
    /// Source port, or 0.
    pub source_port: u16,
    /// Destination port, or 0.
    pub destination_port: u16,
    /// IP protocol number (IPv6: the upper-layer protocol after the extension headers).
    pub protocol: u8,
}

impl FiveTuple {
    /// The bytes of the key: source address, destination address, source port, destination port, protocol, in network
    /// byte order. 13 bytes if both addresses are IPv4, 37 if both are IPv6, `None` if they are mixed.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = match (self.source, self.destination) {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                [source.octets(), destination.octets()].concat()
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => {
                [source.octets(), destination.octets()].concat()
            }
            _ => return None,
        };
        bytes.extend(self.source_port.to_be_bytes());
        bytes.extend(self.destination_port.to_be_bytes());
        bytes.push(self.protocol);
        Some(bytes)
    }
}

/// What a packet offers as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PacketFields {
    /// Addresses, ports and protocol, if it is an IP packet.
    pub five_tuple: Option<FiveTuple>,
    /// Digest of the whole frame, if one was computed.
    pub frame_digest: Option<u64>,
}

impl KeySource {
    /// Width of the key in bits.
    pub fn bits(self) -> u32 {
        match self {
            KeySource::Ipv4FiveTuple => 104,
            KeySource::Ipv6FiveTuple => 296,
            KeySource::SrcIp | KeySource::DstIp => 32,
            KeySource::SrcIp6 | KeySource::DstIp6 => 128,
            KeySource::FrameDigest => 64,
        }
    }

    /// The bytes of this field of a packet, or `None` if the packet has no such field.
    pub fn bytes(self, packet: &PacketFields) -> Option<Vec<u8>> {
        let tuple = packet.five_tuple;
        match self {
            KeySource::Ipv4FiveTuple => tuple.filter(|t| t.source.is_ipv4())?.to_bytes(),
            KeySource::Ipv6FiveTuple => tuple.filter(|t| t.source.is_ipv6())?.to_bytes(),
            KeySource::SrcIp => ipv4(tuple?.source),
            KeySource::DstIp => ipv4(tuple?.destination),
            KeySource::SrcIp6 => ipv6(tuple?.source),
            KeySource::DstIp6 => ipv6(tuple?.destination),
            KeySource::FrameDigest => Some(packet.frame_digest?.to_le_bytes().to_vec()),
        }
    }
}

fn ipv4(address: IpAddr) -> Option<Vec<u8>> {
    match address {
        IpAddr::V4(address) => Some(address.octets().to_vec()),
        IpAddr::V6(_) => None,
    }
}

fn ipv6(address: IpAddr) -> Option<Vec<u8>> {
    match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => Some(address.octets().to_vec()),
    }
}

/// How whatever feeds a filter makes its keys: the `[key]` section, validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyFormat {
    /// Width of the key in bits.
    pub bits: u32,
    /// The packet field that is the key, if the specification names one.
    pub source: Option<KeySource>,
}

impl KeyFormat {
    /// The field that a packet's key is taken from: the source named, else the IPv4 5-tuple.
    pub fn packet_source(&self) -> KeySource {
        self.source.unwrap_or(KeySource::Ipv4FiveTuple)
    }

    /// The key of a packet, zero-extended to the width; `None` if the packet has no such field (count it as skipped).
    ///
    /// # Errors
    /// [`KeyError::DoesNotFit`] if `key.bits` is too narrow for the field.
    pub fn of_packet(&self, packet: &PacketFields) -> Result<Option<Key>, KeyError> {
        self.packet_source()
            .bytes(packet)
            .map(|bytes| Key::from_bytes(&bytes, self.bits))
            .transpose()
    }

    /// The key of an integer as text, such as a CSV value. See [`Key::from_text`].
    ///
    /// # Errors
    /// [`KeyError::NoInteger`], [`KeyError::DoesNotFit`].
    pub fn of_text(&self, text: &str) -> Result<Key, KeyError> {
        Key::from_text(text, self.bits)
    }

    /// The key of an integer. See [`Key::from_integer`].
    ///
    /// # Errors
    /// [`KeyError::DoesNotFit`].
    pub fn of_integer(&self, value: u128) -> Result<Key, KeyError> {
        Key::from_integer(value, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(source: &str, destination: &str) -> PacketFields {
        let address = |text: &str| text.parse().expect("an address");
        PacketFields {
            five_tuple: Some(FiveTuple {
                source: address(source),
                destination: address(destination),
                source_port: 0x1234,
                destination_port: 443,
                protocol: 6,
            }),
            frame_digest: Some(0x0102_0304_0506_0708),
        }
    }

    #[test]
    fn ipv4_five_tuple_is_thirteen_bytes_in_network_order() {
        let format = KeyFormat {
            bits: 104,
            source: Some(KeySource::Ipv4FiveTuple),
        };
        let key = format
            .of_packet(&packet("192.0.2.1", "198.51.100.7"))
            .expect("fits")
            .expect("IPv4");
        assert_eq!(
            key.to_bytes(),
            [192, 0, 2, 1, 198, 51, 100, 7, 0x12, 0x34, 0x01, 0xBB, 6]
        );
        assert_eq!(key.to_string(), "0x6bb013412076433c6010200c0");
    }

    #[test]
    fn ipv6_five_tuple_is_thirty_seven_bytes_in_network_order() {
        let format = KeyFormat {
            bits: 296,
            source: Some(KeySource::Ipv6FiveTuple),
        };
        let key = format
            .of_packet(&packet("2001:db8::1", "2001:db8::2"))
            .expect("fits")
            .expect("IPv6");
        let mut expected = vec![0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        expected.extend([0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        expected.extend([0x12, 0x34, 0x01, 0xBB, 6]);
        assert_eq!(key.to_bytes(), expected);
    }

    #[test]
    fn every_source_gives_its_width_or_skips_the_packet() {
        let v4 = packet("192.0.2.1", "198.51.100.7");
        let v6 = packet("2001:db8::1", "2001:db8::2");
        let mixed = packet("192.0.2.1", "2001:db8::2");
        let sizes = |fields: &PacketFields| -> Vec<Option<usize>> {
            KeySource::ALL
                .iter()
                .map(|source| source.bytes(fields).map(|bytes| 8 * bytes.len()))
                .collect()
        };
        assert_eq!(
            sizes(&v4),
            [Some(104), None, Some(32), Some(32), None, None, Some(64)]
        );
        assert_eq!(
            sizes(&v6),
            [None, Some(296), None, None, Some(128), Some(128), Some(64)]
        );
        assert_eq!(
            sizes(&mixed),
            [None, None, Some(32), None, None, Some(128), Some(64)]
        );
        assert_eq!(sizes(&PacketFields::default()), [None; 7]);
        for source in KeySource::ALL {
            for size in [&v4, &v6]
                .into_iter()
                .filter_map(|fields| source.bytes(fields))
                .map(|bytes| bytes.len())
            {
                assert_eq!(8 * size, source.bits() as usize, "{source}");
            }
        }
    }

    #[test]
    fn frame_digest_is_little_endian() {
        let format = KeyFormat {
            bits: 64,
            source: Some(KeySource::FrameDigest),
        };
        let key = format
            .of_packet(&packet("192.0.2.1", "192.0.2.2"))
            .expect("fits")
            .expect("has a digest");
        assert_eq!(key.words(), [0x0102_0304_0506_0708]);
    }

    #[test]
    fn a_bits_key_takes_the_ipv4_five_tuple_and_never_folds() {
        let v4 = packet("192.0.2.1", "198.51.100.7");
        let wide = KeyFormat {
            bits: 128,
            source: None,
        }
        .of_packet(&v4)
        .expect("fits")
        .expect("IPv4");
        assert_eq!(
            (wide.bits(), wide.to_bytes()[12], wide.to_bytes()[13]),
            (128, 6, 0)
        );
        let narrow = KeyFormat {
            bits: 64,
            source: None,
        };
        assert!(matches!(
            narrow.of_packet(&v4),
            Err(KeyError::DoesNotFit {
                bits: 64,
                highest_bit: 98,
                ..
            })
        ));
        let v6 = packet("2001:db8::1", "2001:db8::2");
        assert_eq!(
            KeyFormat {
                bits: 512,
                source: None
            }
            .of_packet(&v6),
            Ok(None)
        );
    }
}
