//! The parse of the packet path's model against `etherparse`, which shares nothing with it: on recorded traffic, and on frames
//! whose headers were damaged at random. Where the contract and `etherparse` do not mean the same thing, the rule stands here.
//!
//! `BLOOMLINE_SOAK=50` compares 1,000,000 damaged frames instead of 20,000.

use bloomline_bench::path::{FrameMaker, FrameMix};
use bloomline_model::{parse, parse_opening, Finding, ParsedFrame};
use bloomline_spec::{FiveTuple, FrameClass, KeySource, Tunnel, Tunnels};
use bloomline_stimulus::{decode_frame, Capture, LinkType, Record, Skip};
use bloomline_tests::{captures, soak, traces};
use etherparse::err::ip::{HeaderError, HeadersError, SliceError};
use etherparse::err::{ip_auth, ipv6_exts};
use etherparse::{
    Ethernet2HeaderSlice, IpAuthHeaderSlice, IpNumber, IpSlice, Ipv6ExtensionSlice,
    Ipv6FragmentHeaderSlice, Ipv6RawExtHeaderSlice, LenSource, SingleVlanHeaderSlice,
};
use std::collections::BTreeMap;

const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];
const GRE: u8 = 47;
/// Bytes that the contract's parser looks at.
const DEPTH: usize = 126;

/// What lies behind Ethernet, tags and labels, by `etherparse`.
enum Inner<'a> {
    /// Bytes that ought to be an IP packet of this version, and where they begin.
    Ip(u8, usize, &'a [u8]),
    /// No IP packet.
    Other,
    /// The frame ends before that is known.
    Cut,
}

fn inner(frame: &[u8]) -> Inner<'_> {
    let Ok(ethernet) = Ethernet2HeaderSlice::from_slice(frame) else {
        return Inner::Cut;
    };
    let (mut kind, mut at) = (ethernet.ether_type().0, 14);
    while [0x8100, 0x88A8, 0x9100].contains(&kind) {
        let Ok(tag) = SingleVlanHeaderSlice::from_slice(&frame[at..]) else {
            return Inner::Cut;
        };
        (kind, at) = (tag.ether_type().0, at + 4);
    }
    if [0x8847, 0x8848].contains(&kind) {
        let labels = frame[at..].chunks_exact(4);
        let Some(bottom) = labels.clone().position(|label| label[2] & 1 == 1) else {
            return Inner::Cut;
        };
        at += 4 * (bottom + 1);
        return match frame.get(at..at + 4).map(|word| word[0] >> 4) {
            Some(version @ (4 | 6)) => Inner::Ip(version, at, &frame[at..]),
            Some(_) => Inner::Other,
            None => Inner::Cut,
        };
    }
    match kind {
        0x0800 => Inner::Ip(4, at, &frame[at..]),
        0x86DD => Inner::Ip(6, at, &frame[at..]),
        _ => Inner::Other,
    }
}

/// What the contract must say, as far as `etherparse` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// A packet of these fields, all of whose headers, and ports, end at this byte of the frame.
    Ip(FiveTuple, usize),
    Malformed,
    /// The frame ends before the packet: truncated, unless something malformed comes before the cut.
    Cut,
    /// The two do not mean the same, by this rule.
    Rule(&'static str),
}

fn expected(version: u8, at: usize, bytes: &[u8]) -> Expected {
    if bytes.len() < 4 {
        // the contract reads words; etherparse looks at a first byte that is alone
        return Expected::Cut;
    }
    if bytes[0] >> 4 != version {
        return Expected::Malformed;
    }
    let packet = match IpSlice::from_slice(bytes) {
        Ok(packet) => packet,
        Err(error) => return refused(version, bytes, error),
    };
    let payload = packet.payload();
    let mut headers_end = at + payload.payload.as_ptr() as usize - bytes.as_ptr() as usize;
    let mut protocol = payload.ip_number;
    let mut later = false;
    match &packet {
        IpSlice::Ipv4(v4) => {
            if v4.header().fragments_offset().value() > 0 {
                // etherparse opens an authentication header in the middle of a packet
                (later, protocol) = (true, v4.header().protocol());
            } else if payload.ip_number == IpNumber(51) {
                return Expected::Rule("etherparse opens one authentication header of IPv4");
            }
        }
        IpSlice::Ipv6(v6) => {
            if v6.header().payload_length() == 0 && bytes.len() > 40 {
                return Expected::Rule(
                    "etherparse takes an IPv6 payload of 0 bytes for a jumbogram",
                );
            }
            for header in v6.extensions().clone() {
                if let Ipv6ExtensionSlice::Fragment(fragment) = header {
                    if fragment.fragment_offset().value() > 0 {
                        let inside = fragment.slice().as_ptr() as usize - bytes.as_ptr() as usize;
                        (later, protocol) = (true, fragment.next_header());
                        headers_end = at + inside + 8;
                        break;
                    }
                }
            }
        }
    }
    let mut tuple = FiveTuple {
        source: packet.source_addr(),
        destination: packet.destination_addr(),
        source_port: 0,
        destination_port: 0,
        protocol: protocol.0,
    };
    if !later && WITH_PORTS.contains(&protocol.0) {
        let [a, b, c, d, ..] = *payload.payload else {
            // beyond the packet, and perhaps beyond the frame, which is read first
            let in_frame = headers_end - at + 4 <= bytes.len();
            return match in_frame {
                true => Expected::Malformed,
                false => Expected::Cut,
            };
        };
        tuple.source_port = u16::from_be_bytes([a, b]);
        tuple.destination_port = u16::from_be_bytes([c, d]);
        headers_end += 4;
    }
    Expected::Ip(tuple, headers_end)
}

fn refused(version: u8, bytes: &[u8], error: SliceError) -> Expected {
    let authenticated_later_fragment = version == 4
        && matches!(bytes, [_, _, _, _, _, _, high, low, _, 51, ..] if high & 0x1F != 0 || *low != 0);
    match error {
        SliceError::Len(error) if error.len_source == LenSource::Slice => Expected::Cut,
        _ if authenticated_later_fragment => {
            Expected::Rule("etherparse opens an authentication header in the middle of a packet")
        }
        SliceError::Len(error) if error.layer == etherparse::err::Layer::IpAuthHeader => {
            Expected::Rule("etherparse wants 12 bytes of an authentication header")
        }
        SliceError::IpHeaders(
            HeadersError::Ipv4Ext(ip_auth::HeaderError::ZeroPayloadLen)
            | HeadersError::Ipv6Ext(ipv6_exts::HeaderError::IpAuth(_)),
        ) => Expected::Rule("etherparse refuses authentication headers of 8 bytes"),
        _ if version == 6 && first_fragment_is_later(bytes) => {
            Expected::Rule("etherparse reads headers behind a later fragment's")
        }
        _ if version == 6 && bytes[4..6] == [0, 0] && bytes.len() > 40 => {
            Expected::Rule("etherparse takes an IPv6 payload of 0 bytes for a jumbogram")
        }
        // a header that is longer than its packet: but its first word may lie behind the frame
        SliceError::Len(error) if error.layer_start_offset + 4 > bytes.len() => Expected::Cut,
        SliceError::Len(_) => Expected::Malformed,
        SliceError::IpHeaders(
            HeadersError::Ip(
                HeaderError::Ipv4HeaderLengthSmallerThanHeader { .. }
                | HeaderError::UnsupportedIpVersion { .. },
            )
            | HeadersError::Ipv6Ext(ipv6_exts::HeaderError::HopByHopNotAtStart),
        ) => Expected::Malformed,
    }
}

/// Whether a fragment header with an offset stands among the extension headers as far as they can be read. Header by header,
/// since the iterator of `etherparse` 0.21 reads on behind the last one where a packet is cut within one.
fn first_fragment_is_later(bytes: &[u8]) -> bool {
    let (Some(&first), Some(mut rest)) = (bytes.get(6), bytes.get(40..)) else {
        return false;
    };
    let mut kind = IpNumber(first);
    loop {
        let (next, length) = match kind.0 {
            44 => match Ipv6FragmentHeaderSlice::from_slice(rest) {
                Ok(header) if header.fragment_offset().value() > 0 => return true,
                Ok(header) => (header.next_header(), header.slice().len()),
                Err(_) => return false,
            },
            0 | 43 | 60 => match Ipv6RawExtHeaderSlice::from_slice(rest) {
                Ok(header) => (header.next_header(), header.slice().len()),
                Err(_) => return false,
            },
            51 => match IpAuthHeaderSlice::from_slice(rest) {
                Ok(header) => (header.next_header(), header.slice().len()),
                Err(_) => return false,
            },
            _ => return false,
        };
        (kind, rest) = (next, &rest[length..]);
    }
}

/// Compares one frame; gives what the comparison was.
fn compare(frame: &[u8]) -> Result<&'static str, String> {
    compare_as(frame, &parse(frame))
}

/// Compares what the model says of a frame, or of one inside another; gives what the comparison was.
fn compare_as(frame: &[u8], parsed: &ParsedFrame) -> Result<&'static str, String> {
    let differ = |expected: &dyn std::fmt::Debug| {
        Err(format!(
            "etherparse: {expected:?}\nmodel: {parsed:?}\n{frame:02x?}"
        ))
    };
    let too_deep = parsed.finding == Finding::TooDeep;
    match inner(frame) {
        Inner::Cut | Inner::Other | Inner::Ip(..) if too_deep && frame.len() < 14 => {
            differ(&"a frame without a type")
        }
        Inner::Cut if too_deep => Ok("too deep"),
        Inner::Cut if parsed.finding == Finding::Truncated => Ok("cut before IP"),
        Inner::Cut => differ(&"cut"),
        Inner::Other if parsed.finding == Finding::WithoutIp => Ok("without IP"),
        Inner::Other if too_deep => Ok("too deep"),
        Inner::Other => differ(&"without IP"),
        Inner::Ip(version, at, bytes) => {
            let expected = expected(version, at, bytes);
            let fits = match (expected, parsed.finding) {
                (Expected::Rule(rule), _) => return Ok(rule),
                (Expected::Ip(_, end), Finding::TooDeep) => end > DEPTH,
                // headers that are not read to their end may lie deep, ports may not
                (Expected::Ip(tuple, end), Finding::Ip(found)) => {
                    let ports = (tuple.source_port, tuple.destination_port) != (0, 0);
                    found == tuple && !parsed.cut && (end <= DEPTH || !ports)
                }
                (Expected::Malformed, Finding::Malformed) => true,
                (Expected::Malformed | Expected::Cut, Finding::TooDeep) => may_be_deep(at, bytes),
                (Expected::Cut, finding) => matches!(
                    (finding, parsed.cut),
                    (Finding::Truncated | Finding::Malformed, _) | (Finding::Ip(_), true)
                ),
                _ => false,
            };
            match (fits, expected) {
                (false, _) => differ(&expected),
                _ if too_deep => Ok("too deep"),
                (true, Expected::Ip(..)) => Ok("IP"),
                (true, Expected::Cut) => Ok("cut"),
                (true, _) => Ok("malformed"),
            }
        }
    }
}

/// The tunnel in a packet that is to be IP and whole, and what is in it as a frame of Ethernet, by `etherparse` and, behind the headers that it knows,
/// by the bytes. `Err` with a rule where `etherparse` does not mean the same.
fn in_tunnel(frame: &[u8]) -> Result<Option<(Tunnel, Vec<u8>)>, &'static str> {
    let Inner::Ip(version, at, bytes) = inner(frame) else {
        return Ok(None);
    };
    let (tuple, end) = match expected(version, at, bytes) {
        Expected::Ip(tuple, end) => (tuple, end),
        Expected::Rule(rule) => return Err(rule),
        Expected::Malformed | Expected::Cut => return Ok(None),
    };
    let packet = IpSlice::from_slice(bytes).map_err(|_| "etherparse changed its mind")?;
    let has_fragment_header = match &packet {
        IpSlice::Ipv4(_) => false,
        IpSlice::Ipv6(v6) => {
            let mut headers = v6.extensions().clone().into_iter();
            headers.any(|header| matches!(header, Ipv6ExtensionSlice::Fragment(_)))
        }
    };
    let payload = packet.payload();
    if payload.fragmented || has_fragment_header {
        return Ok(None);
    }
    let payload_end = payload.payload.as_ptr_range().end as usize - frame.as_ptr() as usize;
    let behind = &frame[end..payload_end];
    let typed = |kind: [u8; 2], bytes: &[u8]| [&[0; 12], &kind[..], bytes].concat();
    let inside = match (tuple.protocol, tuple.destination_port, behind) {
        (4, _, bytes) => Some((Tunnel::IpInIp, bytes, typed([8, 0], bytes))),
        (41, _, bytes) => Some((Tunnel::IpInIp, bytes, typed([0x86, 0xDD], bytes))),
        (47, _, [flags, version, kind @ ..]) if kind.len() >= 2 => {
            let optional: usize = [0x80, 0x20, 0x10]
                .map(|bit| flags & bit)
                .iter()
                .filter(|bit| **bit > 0)
                .count();
            let (kind, rest) = kind.split_at(2);
            let known = flags & 0x4C == 0 && version & 7 == 0;
            match (known, kind, rest.get(4 * optional..)) {
                (true, [8, 0] | [0x86, 0xDD], Some(bytes)) => {
                    Some((Tunnel::Gre, bytes, typed([kind[0], kind[1]], bytes)))
                }
                (true, [0x65, 0x58], Some(bytes)) => Some((Tunnel::Gre, bytes, bytes.to_vec())),
                _ => None,
            }
        }
        (17, 4789, [_, _, _, _, flags, _, _, _, _, _, _, _, bytes @ ..]) if flags & 8 != 0 => {
            Some((Tunnel::Vxlan, bytes, bytes.to_vec()))
        }
        (17, 2152, [_, _, _, _, bytes @ ..]) => {
            behind_gtp(bytes).and_then(|bytes| match bytes.first()? >> 4 {
                4 => Some((Tunnel::GtpU, bytes, typed([8, 0], bytes))),
                6 => Some((Tunnel::GtpU, bytes, typed([0x86, 0xDD], bytes))),
                _ => None,
            })
        }
        _ => None,
    };
    Ok(inside
        .filter(|(_, bytes, _)| bytes.len() >= 4)
        .map(|(tunnel, _, frame)| (tunnel, frame)))
}

/// What stands behind the headers of a G-PDU.
fn behind_gtp(bytes: &[u8]) -> Option<&[u8]> {
    let (header, mut rest) = bytes.split_at_checked(8)?;
    if header[0] & 0xF0 != 0x30 || header[1] != 255 {
        return None;
    }
    if header[0] & 7 != 0 {
        let (optional, behind) = rest.split_at_checked(4)?;
        rest = behind;
        let mut kind = if header[0] & 4 != 0 { optional[3] } else { 0 };
        while kind != 0 {
            let length = 4 * usize::from(*rest.first()?);
            let (extension, behind) = rest.split_at_checked(length)?;
            (kind, rest) = (*extension.last()?, behind);
        }
    }
    Some(rest)
}

/// Compares what the model says of a frame if it opens these tunnels; gives what the comparison was.
fn compare_opened(frame: &[u8], tunnels: Tunnels) -> Result<String, String> {
    let (outer, opening) = (parse(frame), parse_opening(frame, tunnels));
    let differ = |expected: &str| {
        Err(format!(
            "expected {expected}\nouter: {outer:?}\nopening: {opening:?}\n{frame:02x?}"
        ))
    };
    let whole = matches!(outer.finding, Finding::Ip(_)) && !outer.cut;
    let inside = match whole {
        true => match in_tunnel(frame) {
            Err(rule) => return Ok(rule.to_owned()),
            Ok(inside) => inside.filter(|(tunnel, _)| tunnels.has(*tunnel)),
        },
        false => None,
    };
    let Some((tunnel, inside)) = inside else {
        return match opening == outer {
            true => Ok("not opened".to_owned()),
            false => differ("the outer packet"),
        };
    };
    let same_outside = opening.header == outer.header && opening.hops == outer.hops;
    match inner(&inside) {
        Inner::Other if opening == outer => Ok(format!("{tunnel}: without IP")),
        // a type that lies too deep is not read
        Inner::Other if opening.finding != Finding::TooDeep => {
            differ("the outer packet, for its inside is not IP")
        }
        _ if opening.opened != Some(tunnel) || !same_outside => differ(&format!("{tunnel}")),
        _ => compare_as(&inside, &opening).map(|kind| format!("{tunnel}: {kind}")),
    }
}

/// Whether headers can reach behind the bytes that are looked at: the packet begins late, or its header is no plain one.
fn may_be_deep(at: usize, bytes: &[u8]) -> bool {
    let extensions = [0, 43, 44, 51, 60];
    let next = if bytes[0] >> 4 == 6 { 6 } else { 9 };
    let plain = bytes.len() <= next || !extensions.contains(&bytes[next]);
    at + 60 + 4 > DEPTH || !plain
}

/// The seed of a test's damage.
const SEED: u64 = 0x7061_7273_6572;

/// Packets of anything under tags, labels and extensions, most of them damaged or cut.
const DAMAGED: FrameMix = FrameMix {
    flows: 1,
    plain: 0.0,
    tunnelled: 0.0,
    damaged: 0.8,
    bad: 0.0,
    tiny: 0.01,
    longest: 300,
    long: 0.3,
    numbered: false,
};

#[test]
fn damaged_frames_are_to_the_model_what_they_are_to_etherparse() {
    let frames = 20_000 * soak() as usize;
    let mut kinds = BTreeMap::<&str, u64>::new();
    for (number, frame) in FrameMaker::new(DAMAGED, SEED).take(frames).enumerate() {
        match compare(&frame.bytes) {
            Ok(kind) => *kinds.entry(kind).or_default() += 1,
            Err(difference) => panic!("seed {SEED:#x}, frame {number}: {difference}"),
        }
    }
    println!("{frames} frames: {kinds:#?}");
    // every outcome was compared often enough to mean something
    for kind in [
        "IP",
        "cut",
        "malformed",
        "cut before IP",
        "without IP",
        "too deep",
    ] {
        assert!(
            kinds
                .get(kind)
                .is_some_and(|&count| count > frames as u64 / 200),
            "{kind}: {kinds:?}"
        );
    }
    let by_rule: u64 = kinds
        .iter()
        .filter(|(kind, _)| kind.starts_with("etherparse"))
        .map(|(_, n)| n)
        .sum();
    assert!(by_rule < frames as u64 / 5, "{kinds:?}");
}

#[test]
fn damaged_tunnels_are_to_the_model_what_they_are_to_etherparse() {
    const TUNNELLED: FrameMix = FrameMix {
        tunnelled: 0.9,
        damaged: 0.5,
        ..DAMAGED
    };
    let frames = 20_000 * soak() as usize;
    let mut kinds = BTreeMap::<String, u64>::new();
    for (number, frame) in FrameMaker::new(TUNNELLED, SEED).take(frames).enumerate() {
        // all four, or each of their sets
        let tunnels = match number % 2 {
            0 => Tunnel::ALL.to_vec(),
            _ => Tunnel::ALL
                .iter()
                .copied()
                .filter(|&tunnel| number >> 1 >> tunnel as usize & 1 == 1)
                .collect(),
        };
        match compare_opened(&frame.bytes, Tunnels::of(&tunnels)) {
            Ok(kind) => *kinds.entry(kind).or_default() += 1,
            Err(difference) => panic!("seed {SEED:#x}, frame {number}, {tunnels:?}: {difference}"),
        }
    }
    println!("{frames} frames: {kinds:#?}");
    // every outcome was compared often enough to mean something
    for &tunnel in Tunnel::ALL {
        for kind in ["IP", "cut", "malformed", "too deep"] {
            let count = kinds.get(&format!("{tunnel}: {kind}"));
            assert!(
                count.is_some_and(|&count| count > frames as u64 / 10_000),
                "{tunnel}: {kind}"
            );
        }
        let other = kinds.get(&format!("{tunnel}: without IP"));
        let ethernet = matches!(tunnel, Tunnel::Vxlan | Tunnel::Gre);
        assert_eq!(other.is_some(), ethernet, "{tunnel}");
    }
    assert!(kinds["not opened"] < 3 * frames as u64 / 4);
}

fn flow(record: &Record) -> FiveTuple {
    FiveTuple {
        source: record.source,
        destination: record.destination,
        source_port: record.source_port,
        destination_port: record.destination_port,
        protocol: record.protocol,
    }
}

/// Why the parser of captures may see another packet than the contract's: it opens what the contract does not.
fn opened(frame: &[u8], parsed: &ParsedFrame) -> Option<&'static str> {
    match parsed.finding {
        Finding::Ip(tuple) if tuple.protocol == GRE => Some("a tunnel"),
        Finding::WithoutIp => match u16::from_be_bytes([frame[12], frame[13]]) {
            0..=1500 => Some("LLC and SNAP"),
            _ => Some("a pseudowire, or LLC and SNAP behind tags"),
        },
        _ => None,
    }
}

#[test]
fn recorded_frames_have_the_key_and_class_that_the_parser_of_captures_says() {
    let Some(folder) = traces() else { return };
    let mut compared = BTreeMap::<&str, u64>::new();
    let mut openings = BTreeMap::<String, u64>::new();
    for path in captures(&folder) {
        let mut capture = Capture::open(&path).expect("a capture");
        let mut number = 0;
        while let Some(captured) = capture.next_captured() {
            let captured = captured.expect("a good frame");
            number += 1;
            if captured.link != Some(LinkType::Ethernet) {
                *compared.entry("not Ethernet").or_default() += 1;
                continue;
            }
            let frame = &captured.bytes[..];
            let place = || format!("{}, frame {number}: {frame:02x?}", path.display());
            // one and the other by etherparse: the outer packet, and the innermost
            let outer =
                compare(frame).unwrap_or_else(|difference| panic!("{}\n{difference}", place()));
            *compared.entry(outer).or_default() += 1;
            // and what is opened where all tunnels are
            let opening = compare_opened(frame, Tunnels::of(Tunnel::ALL))
                .unwrap_or_else(|difference| panic!("{}\n{difference}", place()));
            *openings.entry(opening).or_default() += 1;
            let parsed = parse(frame);
            let record = decode_frame(LinkType::Ethernet, frame, 0, 0);
            let what = match (opened(frame, &parsed), &record, parsed.finding) {
                (Some(what), ..) => what,
                (None, Ok(record), Finding::Ip(tuple)) => {
                    assert_eq!(flow(record), tuple, "{}", place());
                    let source = match tuple.source.is_ipv4() {
                        true => KeySource::Ipv4FiveTuple,
                        false => KeySource::Ipv6FiveTuple,
                    };
                    let cut = (captured.frame_bytes as usize > frame.len())
                        .then_some(FrameClass::Truncated);
                    assert_eq!(parsed.class(source), cut, "{}", place());
                    match cut {
                        None => "a key",
                        Some(_) => "cut by the capture",
                    }
                }
                (None, Ok(_), Finding::TooDeep) => "behind byte 126",
                (None, Err(Skip::Truncated), Finding::Truncated) => "cut within headers",
                (None, record, finding) => panic!("{record:?}, {finding:?}: {}", place()),
            };
            *compared.entry(what).or_default() += 1;
        }
    }
    println!("{compared:#?} {openings:#?}");
    assert!(compared["a key"] > 80_000, "{compared:?}");
    assert!(compared["a tunnel"] > 1_000, "{compared:?}");
}
