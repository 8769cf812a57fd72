//! Decodes a captured frame into its flow fields.
//!
//! The headers of Ethernet, VLAN and IP are read by `etherparse`. No well-kept crate skips MPLS label stacks, GRE or the 802.11
//! headers that wireless controllers put into GRE, so that is done here.

use super::{Record, Skip};
use etherparse::{
    Ethernet2HeaderSlice, LaxIpPayloadSlice, LaxIpSlice, LinuxSllHeaderSlice, LinuxSllProtocolType,
    SingleVlanHeaderSlice,
};

/// How the frames of a capture begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkType {
    /// Ethernet II or 802.3.
    Ethernet,
    /// An IP packet.
    RawIp,
    /// Four bytes of address family, then IP (BSD loopback).
    Loopback,
    /// Linux cooked capture, version 1.
    LinuxCooked,
}

impl LinkType {
    /// From the numbers of the tcpdump registry.
    pub fn from_number(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Ethernet),
            12 | 14 | 101 | 228 | 229 => Some(Self::RawIp),
            0 | 108 => Some(Self::Loopback),
            113 => Some(Self::LinuxCooked),
            _ => None,
        }
    }
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const MPLS: [u16; 2] = [0x8847, 0x8848];
const VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
const TRANSPARENT_ETHERNET: u16 = 0x6558;
const GRE: u8 = 47;
const IPV6_HOP_BY_HOP: u8 = 0;
const IPV6_ROUTING: u8 = 43;
const IPV6_FRAGMENT: u8 = 44;
const IPV6_AUTHENTICATION: u8 = 51;
const IPV6_DESTINATION_OPTIONS: u8 = 60;
/// TCP, DCCP, UDP, SCTP and UDP-Lite begin with their two ports.
const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];
/// Headers inside headers: more than this is an attack on the parser, not traffic.
const MAX_NESTING: usize = 8;

/// The flow fields of the innermost IP packet that can be reached through VLAN tags (any number), MPLS labels, LLC/SNAP and
/// GRE (with IP, Ethernet, or 802.11 inside). Where the inside of a GRE packet cannot be read, the outer packet counts, as protocol 47. `timestamp_ns`
/// and `frame_bytes` go into the record as they are.
///
/// # Errors
/// Why the frame has no flow fields.
pub fn decode_frame(
    link: LinkType,
    frame: &[u8],
    timestamp_ns: u64,
    frame_bytes: u32,
) -> Result<Record, Skip> {
    let mut record = match link {
        LinkType::Ethernet => ethernet(frame, MAX_NESTING),
        LinkType::RawIp => ip(frame, MAX_NESTING),
        LinkType::Loopback => ip(frame.get(4..).ok_or(Skip::Truncated)?, MAX_NESTING),
        LinkType::LinuxCooked => {
            let header =
                LinuxSllHeaderSlice::from_slice(frame).map_err(|_| cut_or_bad(frame, 16))?;
            match header.protocol_type() {
                LinuxSllProtocolType::EtherType(kind) => {
                    ether_payload(kind.0, &frame[16..], MAX_NESTING)
                }
                _ => Err(Skip::NotIp),
            }
        }
    }?;
    record.timestamp_ns = timestamp_ns;
    record.frame_bytes = frame_bytes;
    Ok(record)
}

fn cut_or_bad(bytes: &[u8], needed: usize) -> Skip {
    if bytes.len() < needed {
        Skip::Truncated
    } else {
        Skip::Malformed
    }
}

fn ethernet(bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    let header = Ethernet2HeaderSlice::from_slice(bytes).map_err(|_| Skip::Truncated)?;
    ether_payload(
        header.ether_type().0,
        &bytes[header.slice().len()..],
        nesting,
    )
}

fn ether_payload(kind: u16, bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    let nesting = nesting.checked_sub(1).ok_or(Skip::Malformed)?;
    match kind {
        IPV4 | IPV6 => ip(bytes, nesting),
        kind if VLAN.contains(&kind) => {
            let header = SingleVlanHeaderSlice::from_slice(bytes).map_err(|_| Skip::Truncated)?;
            ether_payload(
                header.ether_type().0,
                &bytes[header.slice().len()..],
                nesting,
            )
        }
        kind if MPLS.contains(&kind) => mpls(bytes, nesting),
        TRANSPARENT_ETHERNET => ethernet(bytes, nesting),
        // Up to 1500 the field is a length: 802.3 with LLC.
        0..=1500 => snap(bytes, nesting),
        _ => Err(Skip::NotIp),
    }
}

/// LLC with SNAP and the organisation code of EtherTypes.
fn snap(bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    match bytes {
        [0xaa, 0xaa, 0x03, 0, 0, 0, high, low, rest @ ..] => {
            ether_payload(u16::from_be_bytes([*high, *low]), rest, nesting)
        }
        [_, _, _, ..] => Err(Skip::NotIp),
        _ => Err(Skip::Truncated),
    }
}

/// Skips the label stack (RFC 3032: 20 bits label, 3 class, 1 bottom of stack, 8 time to live). What lies below it is not
/// named; the first four bits tell IPv4, IPv6 and an Ethernet pseudowire with its control word (RFC 4385) apart.
fn mpls(mut bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    loop {
        let [_, _, third, _, rest @ ..] = bytes else {
            return Err(Skip::Truncated);
        };
        bytes = rest;
        if third & 1 == 1 {
            break;
        }
    }
    match bytes.first().map(|byte| byte >> 4) {
        Some(4 | 6) => ip(bytes, nesting),
        Some(0) => ethernet(bytes.get(4..).ok_or(Skip::Truncated)?, nesting),
        Some(_) => Err(Skip::NotIp),
        None => Err(Skip::Truncated),
    }
}

fn ip(bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    let needed = match bytes.first().map(|byte| byte >> 4) {
        Some(4) => usize::from(bytes[0] & 0xf) * 4,
        Some(6) => 40,
        Some(_) => return Err(Skip::Malformed),
        None => return Err(Skip::Truncated),
    };
    let (packet, _) = LaxIpSlice::from_slice(bytes).map_err(|_| cut_or_bad(bytes, needed))?;
    let payload = packet.payload();
    let (protocol, later_fragment) = protocol_of(&packet, payload);
    let mut record = Record {
        source: packet.source_addr(),
        destination: packet.destination_addr(),
        protocol,
        source_port: 0,
        destination_port: 0,
        timestamp_ns: 0,
        frame_bytes: 0,
    };
    if later_fragment {
        return Ok(record);
    }
    if protocol == GRE && !payload.fragmented {
        return Ok(gre(payload.payload, nesting).unwrap_or(record));
    }
    if WITH_PORTS.contains(&protocol) {
        let [a, b, c, d, ..] = *payload.payload else {
            return Err(if payload.incomplete {
                Skip::Truncated
            } else {
                Skip::Malformed
            });
        };
        record.source_port = u16::from_be_bytes([a, b]);
        record.destination_port = u16::from_be_bytes([c, d]);
    }
    Ok(record)
}

/// Protocol of the payload and whether it is a fragment after the first. Behind the fragment header of such a one lies the middle
/// of a packet, so no extension header is looked for there.
fn protocol_of(packet: &LaxIpSlice<'_>, payload: &LaxIpPayloadSlice<'_>) -> (u8, bool) {
    match packet {
        LaxIpSlice::Ipv4(v4) => {
            let later = v4.header().fragments_offset().value() > 0;
            let number = if later {
                v4.header().protocol()
            } else {
                payload.ip_number
            };
            (number.0, later)
        }
        LaxIpSlice::Ipv6(v6) => {
            let extensions = v6.extensions();
            let later = extensions
                .first_header()
                .and_then(|first| later_fragment(first.0, extensions.slice()));
            (later.unwrap_or(payload.ip_number.0), later.is_some())
        }
    }
}

/// What a fragment header among these extension headers says comes next, if it is that of a fragment after the first.
///
/// Walked here, with every length checked: the iterator of etherparse 0.21 reads on behind the last header where a packet is cut
/// within one, since it takes the chain for whole.
fn later_fragment(first: u8, headers: &[u8]) -> Option<u8> {
    let (mut kind, mut rest) = (first, headers);
    loop {
        let &[next, length, high, low, ..] = rest else {
            return None;
        };
        let words = usize::from(length);
        let bytes = match kind {
            IPV6_FRAGMENT if rest.len() < 8 => return None,
            IPV6_FRAGMENT if u16::from_be_bytes([high, low]) >> 3 > 0 => return Some(next),
            IPV6_FRAGMENT => 8,
            IPV6_AUTHENTICATION => 4 * (words + 2),
            IPV6_HOP_BY_HOP | IPV6_ROUTING | IPV6_DESTINATION_OPTIONS => 8 * (words + 1),
            _ => return None,
        };
        (kind, rest) = (next, rest.get(bytes..)?);
    }
}

/// GRE version 0 (RFC 2784, 2890): two bytes of flags, two of EtherType, four each for checksum, key and sequence number where
/// flagged.
fn gre(bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    let [flags, version, high, low, rest @ ..] = bytes else {
        return Err(Skip::Truncated);
    };
    if version & 7 != 0 {
        return Err(Skip::NotIp);
    }
    let optional = 4 * (flags & 0b1011_0000).count_ones() as usize;
    let inner = rest.get(optional..).ok_or(Skip::Truncated)?;
    match u16::from_be_bytes([*high, *low]) {
        // Access points of Aruba and others tunnel whole 802.11 frames under numbers of their own.
        0x8200..=0x83ff | 0x9000 | 0x9100 => wireless(inner, nesting),
        kind => ether_payload(kind, inner, nesting),
    }
}

/// An 802.11 data frame: 24 bytes, a fourth address between access points, two bytes for quality of service; then LLC/SNAP.
fn wireless(bytes: &[u8], nesting: usize) -> Result<Record, Skip> {
    let [control, flags, ..] = *bytes else {
        return Err(Skip::Truncated);
    };
    let (is_data, has_qos, is_empty) = (
        control & 0x0c == 0x08,
        control & 0x80 != 0,
        control & 0x40 != 0,
    );
    let (four_addresses, encrypted) = (flags & 3 == 3, flags & 0x40 != 0);
    if !is_data || is_empty || encrypted {
        return Err(Skip::NotIp);
    }
    let header = 24 + 6 * usize::from(four_addresses) + 2 * usize::from(has_qos);
    snap(
        bytes.get(header..).ok_or(Skip::Truncated)?,
        nesting.checked_sub(1).ok_or(Skip::Malformed)?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use etherparse::PacketBuilder;

    const UDP: [u8; 36] = {
        // 10.0.0.1:1000 -> 10.0.0.2:2000, 8 bytes of payload.
        let mut p = [0; 36];
        p[0] = 0x45;
        p[3] = 36;
        p[8] = 64;
        p[9] = 17;
        p[12] = 10;
        p[15] = 1;
        p[16] = 10;
        p[19] = 2;
        p[20] = 3;
        p[21] = 232;
        p[22] = 7;
        p[23] = 208;
        p[25] = 16;
        p
    };

    fn framed(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
        let mut frame = vec![2; 12];
        frame.extend(kind.to_be_bytes());
        frame.extend(parts.concat());
        frame
    }

    fn ports(frame: &[u8]) -> Result<(u16, u16), Skip> {
        decode_frame(LinkType::Ethernet, frame, 5, 9).map(|r| {
            assert_eq!((r.timestamp_ns, r.frame_bytes), (5, 9));
            (r.source_port, r.destination_port)
        })
    }

    /// An IPv4 header of protocol GRE before `inside`.
    fn gre_packet(inside: &[&[u8]]) -> Vec<u8> {
        let inside = inside.concat();
        let mut packet = UDP[..20].to_vec();
        packet[9] = 47;
        packet[15] = 99;
        packet[2..4].copy_from_slice(&(20 + inside.len() as u16).to_be_bytes());
        packet.extend(inside);
        packet
    }

    #[test]
    fn tags_labels_and_tunnels_are_skipped() {
        let expected = Ok((1000, 2000));
        assert_eq!(ports(&framed(0x0800, &[&UDP])), expected);
        assert_eq!(ports(&framed(0x8100, &[&[0, 5, 8, 0], &UDP])), expected);
        assert_eq!(
            ports(&framed(
                0x88a8,
                &[&[0, 5, 0x81, 0, 0, 6, 0x91, 0, 0, 7, 8, 0], &UDP]
            )),
            expected
        );
        assert_eq!(
            ports(&framed(0x8847, &[&[0, 1, 0, 64, 0, 2, 1, 64], &UDP])),
            expected,
            "two labels"
        );
        let inner = framed(0x0800, &[&UDP]);
        assert_eq!(
            ports(&framed(0x8847, &[&[0, 1, 1, 64], &[0; 4], &inner])),
            expected,
            "a pseudowire"
        );
        assert_eq!(
            ports(&framed(50, &[&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &UDP])),
            expected,
            "LLC and SNAP"
        );
        let plain = gre_packet(&[&[0, 0, 8, 0], &UDP]);
        assert_eq!(ports(&framed(0x0800, &[&plain])), expected);
        let all_options = gre_packet(&[&[0xb0, 0, 8, 0], &[0; 12], &UDP]);
        assert_eq!(ports(&framed(0x0800, &[&all_options])), expected);
        let bridged = gre_packet(&[&[0x20, 0, 0x65, 0x58], &[0; 4], &inner]);
        assert_eq!(ports(&framed(0x0800, &[&bridged])), expected);
    }

    #[test]
    fn an_unreadable_tunnel_counts_as_its_outside() {
        for inside in [
            &[0_u8, 0, 0x88, 0xbe, 1, 2][..],
            &[0, 1, 0x88, 0x0b],
            &[0x30, 0, 8, 0, 1],
        ] {
            let frame = framed(0x0800, &[&gre_packet(&[inside])]);
            let record = decode_frame(LinkType::Ethernet, &frame, 0, 0).expect("the outer packet");
            assert_eq!((record.protocol, record.source_port), (47, 0));
            assert_eq!(record.source.to_string(), "10.0.0.99");
        }
    }

    #[test]
    fn fragments_after_the_first_have_no_ports() {
        let mut first = UDP;
        first[6] = 0x20;
        assert_eq!(ports(&framed(0x0800, &[&first])), Ok((1000, 2000)));
        let mut later = UDP;
        later[7] = 1;
        let record = decode_frame(LinkType::RawIp, &later, 0, 0).expect("a record");
        assert_eq!(
            (record.protocol, record.source_port, record.destination_port),
            (17, 0, 0)
        );
    }

    #[test]
    fn a_later_ipv6_fragment_is_not_taken_for_extension_headers() {
        let mut packet = vec![0x60, 0, 0, 0, 0, 16, 44, 64];
        packet.extend([1; 32]);
        // Next header 60 (destination options), offset 8; then bytes that would be a wrong option header.
        packet.extend([60, 0, 0, 9, 0, 0, 0, 1, 17, 0xff, 3, 4, 5, 6, 7, 8]);
        let record = decode_frame(LinkType::RawIp, &packet, 0, 0).expect("a record");
        assert_eq!(
            (record.protocol, record.source_port, record.destination_port),
            (60, 0, 0)
        );
    }

    #[test]
    fn extension_headers_of_ipv6_that_are_cut_end_the_walk() {
        // hop-by-hop options, destination options, a fragment header with offset 8, a piece of UDP
        let headers = [
            [60, 0, 0, 0, 0, 0, 0, 0],
            [44, 0, 0, 0, 0, 0, 0, 0],
            [17, 0, 0, 0x41, 0, 0, 0, 1],
            [0, 1, 0, 2, 0, 8, 0, 0],
        ];
        let mut packet = vec![0x60, 0, 0, 0, 0, 32, 0, 64];
        packet.extend([1; 32]);
        packet.extend(headers.concat());
        let decoded = |bytes: &[u8]| decode_frame(LinkType::RawIp, bytes, 0, 0);
        let whole = decoded(&packet).expect("a record");
        assert_eq!((whole.protocol, whole.source_port), (17, 0));
        assert_eq!(later_fragment(0, &headers.concat()), Some(17));
        for length in 0..24 {
            assert_eq!(later_fragment(0, &headers.concat()[..length]), None);
            let _ = decoded(&packet[..40 + length]);
        }
        // each header in turn says that it is longer than what there is
        for at in [41, 49] {
            let mut longer = packet.clone();
            longer[at] = 0x51;
            let _ = decoded(&longer);
        }
        assert_eq!(later_fragment(0, &[60, 0x51, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(later_fragment(51, &[44, 0xff, 0, 0]), None);
    }

    #[test]
    fn every_cut_frame_is_counted_and_none_panics() {
        let bridged = gre_packet(&[&[0x20, 0, 0x65, 0x58], &[0; 4], &framed(0x0800, &[&UDP])]);
        let frames = [
            framed(0x88a8, &[&[0, 5, 0x81, 0, 0, 6, 8, 0], &UDP]),
            framed(0x8847, &[&[0, 1, 1, 64], &bridged]),
        ];
        for frame in &frames {
            for length in 0..frame.len() {
                let _ = ports(&frame[..length]);
            }
            for at in 0..frame.len() {
                for value in [0, 1, 0x0f, 0x40, 0x60, 0x7f, 0x80, 0xff] {
                    let mut other = frame.clone();
                    other[at] = value;
                    let _ = ports(&other);
                }
            }
        }
        let plain = framed(0x0800, &[&UDP]);
        assert_eq!(ports(&plain[..10]), Err(Skip::Truncated));
        assert_eq!(ports(&plain[..14 + 19]), Err(Skip::Truncated));
        assert_eq!(ports(&plain[..14 + 23]), Err(Skip::Truncated));
        assert_eq!(ports(&plain[..14 + 24]), Ok((1000, 2000)));
        assert_eq!(ports(&framed(0x0806, &[&[0; 28]])), Err(Skip::NotIp));
        let mut version = UDP;
        version[0] = 0x25;
        assert_eq!(ports(&framed(0x0800, &[&version])), Err(Skip::Malformed));
        let mut length = UDP;
        length[0] = 0x44;
        assert_eq!(ports(&framed(0x0800, &[&length])), Err(Skip::Malformed));
        let endless = framed(0x8100, &[&[0, 1, 0x81, 0].repeat(40)]);
        assert_eq!(ports(&endless), Err(Skip::Malformed));
    }

    #[test]
    fn other_link_types_reach_the_packet() {
        assert_eq!(
            decode_frame(LinkType::RawIp, &UDP, 0, 0).map(|r| r.source_port),
            Ok(1000)
        );
        let loopback = [&[2, 0, 0, 0], &UDP[..]].concat();
        assert_eq!(
            decode_frame(LinkType::Loopback, &loopback, 0, 0).map(|r| r.source_port),
            Ok(1000)
        );
        let mut cooked = Vec::new();
        let builder = PacketBuilder::linux_sll(etherparse::LinuxSllPacketType::HOST, 6, [1; 8])
            .ipv4([1, 2, 3, 4], [5, 6, 7, 8], 9)
            .tcp(77, 88, 1, 2);
        builder.write(&mut cooked, &[]).expect("a frame");
        let record = decode_frame(LinkType::LinuxCooked, &cooked, 0, 0).expect("a record");
        assert_eq!(
            (record.protocol, record.source_port, record.destination_port),
            (6, 77, 88)
        );
    }
}
