use bloomline_spec::{FiveTuple, FrameClass, KeySource, PacketFields, Tunnel, PARSE_BYTES};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;

/// Where the words that the parser reads begin: the last two bytes of the source address stand before the type.
const FIRST_WORD: usize = 10;
const TAGS: [u32; 3] = [0x8100, 0x88A8, 0x9100];
const LABELS: [u32; 2] = [0x8847, 0x8848];
const IPV4: u32 = 0x0800;
const IPV6: u32 = 0x86DD;
const IPV6_HEADER_BYTES: usize = 40;
/// In the second word of an IPv4 header.
const MORE_FRAGMENTS: u32 = 1 << 13;
const FRAGMENT_HEADER_BYTES: usize = 8;
const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION_OPTIONS: u8 = 60;
/// TCP, UDP, DCCP, SCTP and UDP-Lite begin with their two ports.
const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];

/// How the parse of a frame ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// At an IP packet, whose addresses, ports and protocol these are.
    Ip(FiveTuple),
    /// Before any IP packet, at a type or under labels that announce none.
    WithoutIp,
    /// At the end of the frame, within a header.
    Truncated,
    /// At a header that contradicts another.
    Malformed,
    /// At a header behind the bytes that are looked at.
    TooDeep,
}

/// The IP header of a frame whose parse ended with IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpHeader {
    /// Byte of the frame that it begins with.
    pub offset: usize,
    /// 4 or 6.
    pub version: u8,
}

/// What the parser says of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedFrame {
    /// How the parse ended.
    pub finding: Finding,
    /// Where the IP header is, if the parse ended with IP.
    pub header: Option<IpHeader>,
    /// The parse ended with IP, and the frame ends before the packet does.
    pub cut: bool,
    /// Bytes that change with each hop, where the parser has read them.
    pub hops: Option<HopBytes>,
    /// The tunnel whose inner packet finding and cut are of; the rest is the outer packet's.
    pub opened: Option<Tunnel>,
}

/// Bytes of an IP header that a router changes: time to live and header checksum, or hop limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HopBytes {
    /// The byte that counts hops.
    pub count: usize,
    /// The checksum over it; empty in IPv6.
    pub checksum: Range<usize>,
}

impl ParsedFrame {
    /// The class by the parse alone; `None` where the frame has a key of this source, and the verdict decides.
    pub fn class(&self, source: KeySource) -> Option<FrameClass> {
        if source == KeySource::FrameDigest {
            return None;
        }
        match self.finding {
            Finding::TooDeep => Some(FrameClass::TooDeep),
            Finding::Malformed => Some(FrameClass::Malformed),
            Finding::Truncated => Some(FrameClass::Truncated),
            Finding::Ip(_) if self.cut => Some(FrameClass::Truncated),
            Finding::Ip(_) if source.bytes(&self.fields()).is_some() => None,
            Finding::Ip(_) | Finding::WithoutIp => Some(FrameClass::Other),
        }
    }

    /// What the parse offers as a key; the digest is not the parser's.
    pub fn fields(&self) -> PacketFields {
        PacketFields {
            five_tuple: match self.finding {
                Finding::Ip(tuple) => Some(tuple),
                _ => None,
            },
            frame_digest: None,
        }
    }
}

/// What the parser says of the bytes of a whole frame, from the destination address on, without FCS.
pub fn parse(frame: &[u8]) -> ParsedFrame {
    parse_outer(frame).0
}

/// What stands behind the headers that were read of an IP packet that is no fragment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Payload {
    /// Byte of the frame that it begins with: behind the ports where they were read.
    pub at: usize,
    /// Byte behind the packet.
    pub packet_end: usize,
}

/// The same, and what stands behind the headers.
pub(super) fn parse_outer(frame: &[u8]) -> (ParsedFrame, Option<Payload>) {
    let mut walk = Walk {
        frame,
        packet_end: None,
        header: None,
        hops: None,
        fragment: false,
        behind: None,
    };
    let finding = match walk.frame() {
        Ok(Some(tuple)) => Finding::Ip(tuple),
        Ok(None) => Finding::WithoutIp,
        Err(finding) => finding,
    };
    let with_ip = matches!(finding, Finding::Ip(_));
    let parsed = ParsedFrame {
        finding,
        header: walk.header.filter(|_| with_ip),
        cut: with_ip && walk.packet_end.is_some_and(|end| frame.len() < end),
        hops: walk.hops,
        opened: None,
    };
    let behind = walk.behind.zip(walk.packet_end);
    let payload = behind.map(|(at, packet_end)| Payload { at, packet_end });
    (parsed, payload.filter(|_| !walk.fragment))
}

/// A parse on its way; each step ends it with a finding or goes on.
struct Walk<'a> {
    frame: &'a [u8],
    /// End of the IP packet, as soon as its header has said it.
    packet_end: Option<usize>,
    header: Option<IpHeader>,
    hops: Option<HopBytes>,
    /// The packet is a fragment, the first or a later one.
    fragment: bool,
    /// Byte behind the last header that was read.
    behind: Option<usize>,
}

impl Walk<'_> {
    /// The word at a byte of the frame, the first byte the most significant.
    fn word(&self, at: usize) -> Result<u32, Finding> {
        if at + 4 > PARSE_BYTES as usize {
            return Err(Finding::TooDeep);
        }
        let bytes = self.frame.get(at..at + 4).ok_or(Finding::Truncated)?;
        self.inside(at + 4)?;
        Ok(bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    /// What ends at this byte does not go beyond the IP packet.
    fn inside(&self, end: usize) -> Result<(), Finding> {
        match self.packet_end {
            Some(packet_end) if end > packet_end => Err(Finding::Malformed),
            _ => Ok(()),
        }
    }

    fn frame(&mut self) -> Result<Option<FiveTuple>, Finding> {
        let mut kind = self.word(FIRST_WORD)? & 0xFFFF;
        let mut at = FIRST_WORD + 4;
        while TAGS.contains(&kind) {
            kind = self.word(at)? & 0xFFFF;
            at += 4;
        }
        if LABELS.contains(&kind) {
            while self.word(at)? >> 8 & 1 == 0 {
                at += 4;
            }
            at += 4;
            kind = match self.word(at)? >> 28 {
                4 => IPV4,
                6 => IPV6,
                _ => return Ok(None),
            };
        }
        match kind {
            IPV4 => self.ipv4(at).map(Some),
            IPV6 => self.ipv6(at).map(Some),
            _ => Ok(None),
        }
    }

    fn ipv4(&mut self, at: usize) -> Result<FiveTuple, Finding> {
        let first = self.word(at)?;
        let header_bytes = 4 * (first >> 24 & 0xF) as usize;
        let total_bytes = (first & 0xFFFF) as usize;
        if first >> 28 != 4 || header_bytes < 20 || total_bytes < header_bytes {
            return Err(Finding::Malformed);
        }
        self.header = Some(IpHeader {
            offset: at,
            version: 4,
        });
        self.packet_end = Some(at + total_bytes);
        let second = self.word(at + 4)?;
        let fragment_offset = second & 0x1FFF;
        self.fragment = second & MORE_FRAGMENTS != 0 || fragment_offset != 0;
        let protocol = (self.word(at + 8)? >> 16) as u8;
        self.hops = Some(HopBytes {
            count: at + 8,
            checksum: at + 10..at + 12,
        });
        let source = Ipv4Addr::from(self.word(at + 12)?);
        let destination = Ipv4Addr::from(self.word(at + 16)?);
        let addresses = (IpAddr::V4(source), IpAddr::V4(destination));
        if fragment_offset != 0 {
            return Ok(without_ports(addresses, protocol));
        }
        self.behind_ipv4(addresses, at + header_bytes, protocol)
    }

    fn behind_ipv4(
        &mut self,
        addresses: (IpAddr, IpAddr),
        mut at: usize,
        mut next: u8,
    ) -> Result<FiveTuple, Finding> {
        while next == AUTHENTICATION {
            (at, next) = self.authentication(at)?;
        }
        self.upper_layer(addresses, at, next)
    }

    fn ipv6(&mut self, at: usize) -> Result<FiveTuple, Finding> {
        if self.word(at)? >> 28 != 6 {
            return Err(Finding::Malformed);
        }
        self.header = Some(IpHeader {
            offset: at,
            version: 6,
        });
        let second = self.word(at + 4)?;
        self.packet_end = Some(at + IPV6_HEADER_BYTES + (second >> 16) as usize);
        self.hops = Some(HopBytes {
            count: at + 7,
            checksum: 0..0,
        });
        let source = self.ipv6_address(at + 8)?;
        let destination = self.ipv6_address(at + 24)?;
        let next = (second >> 8) as u8;
        self.behind_ipv6((source, destination), at + IPV6_HEADER_BYTES, next)
    }

    fn ipv6_address(&self, at: usize) -> Result<IpAddr, Finding> {
        let mut address = 0;
        for word in 0..4 {
            address = address << 32 | u128::from(self.word(at + 4 * word)?);
        }
        Ok(IpAddr::V6(Ipv6Addr::from(address)))
    }

    fn behind_ipv6(
        &mut self,
        addresses: (IpAddr, IpAddr),
        mut at: usize,
        mut next: u8,
    ) -> Result<FiveTuple, Finding> {
        let mut first = true;
        loop {
            match next {
                HOP_BY_HOP if !first => return Err(Finding::Malformed),
                HOP_BY_HOP | ROUTING | DESTINATION_OPTIONS => {
                    let word = self.word(at)?;
                    let bytes = 8 * ((word >> 16 & 0xFF) as usize + 1);
                    (at, next) = self.behind(at, bytes, word)?;
                }
                AUTHENTICATION => (at, next) = self.authentication(at)?,
                FRAGMENT => {
                    self.fragment = true;
                    let word = self.word(at)?;
                    (at, next) = self.behind(at, FRAGMENT_HEADER_BYTES, word)?;
                    if word >> 3 & 0x1FFF != 0 {
                        return Ok(without_ports(addresses, next));
                    }
                }
                _ => return self.upper_layer(addresses, at, next),
            }
            first = false;
        }
    }

    /// Behind an authentication header, and what stands there.
    fn authentication(&self, at: usize) -> Result<(usize, u8), Finding> {
        let word = self.word(at)?;
        let bytes = 4 * ((word >> 16 & 0xFF) as usize + 2);
        self.behind(at, bytes, word)
    }

    /// Behind a header of some bytes whose first word this is, and what stands there.
    fn behind(&self, at: usize, bytes: usize, word: u32) -> Result<(usize, u8), Finding> {
        self.inside(at + bytes)?;
        Ok((at + bytes, (word >> 24) as u8))
    }

    fn upper_layer(
        &mut self,
        addresses: (IpAddr, IpAddr),
        at: usize,
        protocol: u8,
    ) -> Result<FiveTuple, Finding> {
        let mut tuple = without_ports(addresses, protocol);
        self.behind = Some(at);
        if WITH_PORTS.contains(&protocol) {
            let ports = self.word(at)?;
            self.behind = Some(at + 4);
            tuple.source_port = (ports >> 16) as u16;
            tuple.destination_port = ports as u16;
        }
        Ok(tuple)
    }
}

fn without_ports((source, destination): (IpAddr, IpAddr), protocol: u8) -> FiveTuple {
    FiveTuple {
        source,
        destination,
        source_port: 0,
        destination_port: 0,
        protocol,
    }
}
