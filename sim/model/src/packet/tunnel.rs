use super::parse::{parse, parse_outer, Finding, ParsedFrame};
use bloomline_spec::{Tunnel, Tunnels, GTP_U_PORT, VXLAN_PORT};

const IPV4_IN_IP: u8 = 4;
const UDP: u8 = 17;
const IPV6_IN_IP: u8 = 41;
const GRE: u8 = 47;
/// Type of a frame of IPv4, IPv6, and of one of Ethernet inside another.
const IPV4: u32 = 0x0800;
const IPV6: u32 = 0x86DD;
const ETHERNET: u32 = 0x6558;
/// Bits of a GRE header's first word that must be 0: routing, strict source route, recursion, version.
const GRE_UNKNOWN: u32 = 0x4C07_0000;
/// Bits of it that announce a word each: checksum, key, sequence number.
const GRE_WORDS: u32 = 0xB000_0000;
const VXLAN_HAS_NETWORK: u32 = 1 << 27;
/// Version 1, GTP and not GTP', a G-PDU.
const G_PDU: (u32, u32) = (0xF0FF_0000, 0x30FF_0000);
const GTP_HAS_EXTENSION: u32 = 1 << 26;
/// Bits that announce the word with sequence number, N-PDU number and type of the first extension.
const GTP_HAS_WORD: u32 = 0x0700_0000;
const ETHERNET_BYTES: usize = 14;

/// The packet that a tunnel's headers lead to.
enum Inside {
    /// One that would stand behind this type.
    Typed(u32),
    /// An Ethernet frame.
    Ethernet,
}

/// What the parser says of a whole frame if it opens these tunnels: finding and cut are those of the inner packet where one was opened and holds IP, or
/// ought to; header and hops those of the outer one.
pub fn parse_opening(frame: &[u8], tunnels: Tunnels) -> ParsedFrame {
    let (outer, payload) = parse_outer(frame);
    let (Finding::Ip(tuple), false, Some(payload)) = (outer.finding, outer.cut, payload) else {
        return outer;
    };
    let words = Words(&frame[..payload.packet_end]);
    let Some((tunnel, inner)) = opened(
        tunnels,
        &words,
        payload.at,
        tuple.protocol,
        tuple.destination_port,
    ) else {
        return outer;
    };
    let inner = parse(&inner);
    match inner.finding {
        Finding::WithoutIp => outer,
        finding => ParsedFrame {
            finding,
            cut: inner.cut,
            opened: Some(tunnel),
            ..outer
        },
    }
}

/// The outer packet as words, up to its end.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    /// The word at a byte, the first byte the most significant; none that the packet does not hold.
    fn at(&self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }
}

/// The tunnel that what stands behind the outer headers is, and what is inside, as a frame of Ethernet.
fn opened(
    tunnels: Tunnels,
    words: &Words<'_>,
    at: usize,
    protocol: u8,
    destination_port: u16,
) -> Option<(Tunnel, Vec<u8>)> {
    let (tunnel, (at, inside)) = match protocol {
        IPV4_IN_IP => (Tunnel::IpInIp, (at, Inside::Typed(IPV4))),
        IPV6_IN_IP => (Tunnel::IpInIp, (at, Inside::Typed(IPV6))),
        GRE => (Tunnel::Gre, gre(words, at)?),
        UDP if destination_port == VXLAN_PORT => (Tunnel::Vxlan, vxlan(words, at)?),
        UDP if destination_port == GTP_U_PORT => (Tunnel::GtpU, gtp_u(words, at)?),
        _ => return None,
    };
    // the first word of the inside is there
    words.at(at)?;
    if !tunnels.has(tunnel) {
        return None;
    }
    let bytes = &words.0[at..];
    let frame = match inside {
        Inside::Ethernet => bytes.to_vec(),
        Inside::Typed(kind) => {
            let mut frame = vec![0; ETHERNET_BYTES];
            frame[ETHERNET_BYTES - 2..].copy_from_slice(&(kind as u16).to_be_bytes());
            [frame, bytes.to_vec()].concat()
        }
    };
    Some((tunnel, frame))
}

/// Where the inside of a GRE packet begins, and what it is.
fn gre(words: &Words<'_>, at: usize) -> Option<(usize, Inside)> {
    let first = words.at(at)?;
    if first & GRE_UNKNOWN != 0 {
        return None;
    }
    let inside = match first & 0xFFFF {
        kind @ (IPV4 | IPV6) => Inside::Typed(kind),
        ETHERNET => Inside::Ethernet,
        _ => return None,
    };
    let optional = (first & GRE_WORDS).count_ones() as usize;
    Some((at + 4 + 4 * optional, inside))
}

/// Behind the rest of the UDP header at `at`, flags and network number.
fn vxlan(words: &Words<'_>, at: usize) -> Option<(usize, Inside)> {
    let flags = words.at(at + 4)?;
    (flags & VXLAN_HAS_NETWORK != 0).then_some((at + 12, Inside::Ethernet))
}

/// Behind the rest of the UDP header at `at`, the GTP header and its extensions.
fn gtp_u(words: &Words<'_>, at: usize) -> Option<(usize, Inside)> {
    let first = words.at(at + 4)?;
    if first & G_PDU.0 != G_PDU.1 {
        return None;
    }
    let mut at = at + 12;
    if first & GTP_HAS_WORD != 0 {
        let mut last = words.at(at)?;
        at += 4;
        while first & GTP_HAS_EXTENSION != 0 && last & 0xFF != 0 {
            let count = (words.at(at)? >> 24) as usize;
            at += 4 * count.checked_sub(1)?;
            last = words.at(at)?;
            at += 4;
        }
    }
    match words.at(at)? >> 28 {
        4 => Some((at, Inside::Typed(IPV4))),
        6 => Some((at, Inside::Typed(IPV6))),
        _ => None,
    }
}
