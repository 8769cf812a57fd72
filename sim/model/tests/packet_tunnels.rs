//! What the packet path's model opens and what it does not, each rule of the contract on packets made by hand for it.

use crate::frames::{frame, ipv4, ipv6, UDP};
use bloomline_model::{mark, parse, parse_opening, Finding, ParsedFrame};
use bloomline_spec::{FiveTuple, FrameClass, KeySource, Tunnel, Tunnels};

/// What is inside: from other addresses than those outside.
fn inner_4() -> Vec<u8> {
    let mut packet = ipv4(6, &[], 0, &UDP);
    packet[12..20].copy_from_slice(&[192, 0, 2, 1, 192, 0, 2, 2]);
    packet
}

fn inner_6() -> Vec<u8> {
    let mut packet = ipv6(17, &UDP);
    packet[23] = 0x66;
    packet
}

fn all(frame: &[u8]) -> ParsedFrame {
    parse_opening(frame, Tunnels::of(Tunnel::ALL))
}

fn tuple(parsed: &ParsedFrame) -> FiveTuple {
    match parsed.finding {
        Finding::Ip(tuple) if !parsed.cut => tuple,
        _ => panic!("{parsed:?}"),
    }
}

/// The frame is opened, and the key is that of [`inner_4`].
fn opens(frame: &[u8], tunnel: Tunnel) {
    let parsed = all(frame);
    assert_eq!(parsed.opened, Some(tunnel), "{parsed:?}");
    let inner = tuple(&parsed);
    assert_eq!(inner.source.to_string(), "192.0.2.1");
    assert_eq!(
        (inner.protocol, inner.source_port, inner.destination_port),
        (6, 1000, 2000)
    );
    assert_eq!(parsed.header, parse(frame).header, "the outer one");
    let others: Vec<Tunnel> = Tunnel::ALL
        .iter()
        .copied()
        .filter(|&other| other != tunnel)
        .collect();
    assert_eq!(parse_opening(frame, Tunnels::of(&others)), parse(frame));
}

/// The outer header decides.
fn stays_shut(frame: &[u8]) {
    assert_eq!(all(frame), parse(frame));
    tuple(&parse(frame));
}

fn around(protocol: u8, bytes: &[&[u8]]) -> Vec<u8> {
    frame(0x0800, &[&ipv4(protocol, &[], 0, &bytes.concat())])
}

/// A datagram to a port.
fn udp(port: u16, bytes: &[&[u8]]) -> Vec<u8> {
    let [high, low] = port.to_be_bytes();
    let header = [0x80, 1, high, low, 0, 0, 0, 0];
    around(17, &[&header, &bytes.concat()])
}

#[test]
fn ip_in_ip_is_opened_by_its_number_in_both_versions() {
    opens(&around(4, &[&inner_4()]), Tunnel::IpInIp);
    let outer_6 = frame(0x86DD, &[&ipv6(4, &inner_4())]);
    opens(&outer_6, Tunnel::IpInIp);
    let six = all(&around(41, &[&inner_6()]));
    assert_eq!(tuple(&six).source.to_string(), "2001:db8::66");
    assert_eq!(six.class(KeySource::Ipv6FiveTuple), None);
    assert_eq!(six.class(KeySource::Ipv4FiveTuple), Some(FrameClass::Other));
    // the number says IPv6, the inside IPv4
    assert_eq!(all(&around(41, &[&inner_4()])).finding, Finding::Malformed);
    stays_shut(&around(4, &[&[0x45, 0, 0]]));
}

#[test]
fn gre_has_three_optional_words_and_one_version() {
    for (flags, words) in [
        (0u8, 0),
        (0x80, 1),
        (0x20, 1),
        (0x10, 1),
        (0xA0, 2),
        (0xB0, 3),
    ] {
        let header = [&[flags, 0, 8, 0][..], &vec![0xA5; 4 * words]].concat();
        opens(&around(47, &[&header, &inner_4()]), Tunnel::Gre);
    }
    let ethernet = frame(0x8100, &[&[0, 5, 8, 0], &inner_4()]);
    opens(
        &around(47, &[&[0x20, 0, 0x65, 0x58, 1, 2, 3, 4], &ethernet]),
        Tunnel::Gre,
    );
    // bits that are ignored
    opens(&around(47, &[&[3, 0xF8, 8, 0], &inner_4()]), Tunnel::Gre);
    for header in [
        [0x40, 0, 8, 0],
        [0x08, 0, 8, 0],
        [0x04, 0, 8, 0],
        [0x20, 1, 0x88, 0x0B],
        [0, 1, 8, 0],
        [0x10, 0, 0x88, 0xBE],
    ] {
        stays_shut(&around(47, &[&header, &[0; 8], &inner_4()]));
    }
    stays_shut(&around(47, &[&[0x80, 0, 8, 0, 0, 0, 0, 0]]));
}

#[test]
fn vxlan_needs_its_port_and_a_network_number() {
    let ethernet = frame(0x0800, &[&inner_4()]);
    opens(
        &udp(4789, &[&[8, 0, 0, 0, 0, 0, 5, 0], &ethernet]),
        Tunnel::Vxlan,
    );
    stays_shut(&udp(4789, &[&[0, 0, 0, 0, 0, 0, 5, 0], &ethernet]));
    stays_shut(&udp(4790, &[&[8, 0, 0, 0, 0, 0, 5, 0], &ethernet]));
    // a neighbour is asked for: the packet between the tunnel's ends
    let arp = frame(0x0806, &[&[0; 28]]);
    stays_shut(&udp(4789, &[&[8, 0, 0, 0, 0, 0, 5, 0], &arp]));
    // 14 + 40 + 8 + 8 + 14 + 40 bytes before the ports
    let deep = frame(0x86DD, &[&inner_6()]);
    let header = [0x80, 1, 0x12, 0xB5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 5, 0];
    let parsed = all(&frame(0x86DD, &[&ipv6(17, &[&header[..], &deep].concat())]));
    assert_eq!(tuple(&parsed).destination_port, 2000);
}

#[test]
fn gtp_u_has_extension_headers_in_any_number() {
    let of = |header: &[u8]| udp(2152, &[header, &inner_4()]);
    opens(&of(&[0x30, 255, 0, 28, 0, 0, 0, 1]), Tunnel::GtpU);
    // a sequence number; the type behind it says nothing
    opens(
        &of(&[0x32, 255, 0, 32, 0, 0, 0, 1, 0, 7, 0, 0x85]),
        Tunnel::GtpU,
    );
    let extended = [0x34, 255, 0, 36, 0, 0, 0, 1, 0, 0, 0, 0x85];
    opens(
        &of(&[&extended[..], &[1, 0x10, 9, 0]].concat()),
        Tunnel::GtpU,
    );
    let two = [1, 0x10, 9, 0xC0, 2, 0, 0, 0, 0, 0, 0, 0x85];
    opens(
        &of(&[&extended[..], &two, &[1, 0, 0, 0]].concat()),
        Tunnel::GtpU,
    );
    opens(
        &of(&[0x34, 255, 0, 32, 0, 0, 0, 1, 0, 0, 0, 0]),
        Tunnel::GtpU,
    );
    // an extension of no words, an echo request, GTP', version 2, a PDU that is not IP
    stays_shut(&of(&[&extended[..], &[0, 0, 0, 0]].concat()));
    stays_shut(&of(&[0x32, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]));
    stays_shut(&of(&[0x20, 255, 0, 28, 0, 0, 0, 1]));
    stays_shut(&of(&[0x50, 255, 0, 28, 0, 0, 0, 1]));
    stays_shut(&udp(2152, &[&[0x30, 255, 0, 28, 0, 0, 0, 1], &[0x02; 20]]));
}

#[test]
fn fragments_are_not_opened_the_first_one_included() {
    for fragment in [0x2000, 1] {
        stays_shut(&frame(0x0800, &[&ipv4(4, &[], fragment, &inner_4())]));
    }
    opens(
        &frame(0x0800, &[&ipv4(4, &[], 0x4000, &inner_4())]),
        Tunnel::IpInIp,
    );
    let atomic = [&[4, 0, 0, 0, 0, 0, 0, 7][..], &inner_4()].concat();
    stays_shut(&frame(0x86DD, &[&ipv6(44, &atomic)]));
}

#[test]
fn an_inside_is_a_frame_that_ends_with_the_outer_packet_and_is_not_opened_again() {
    let inner = inner_4();
    // a mirror port that sends the first bytes only: the outer packet is whole
    for length in 4..inner.len() {
        let parsed = all(&around(4, &[&inner[..length]]));
        assert_eq!(
            parsed.class(KeySource::Ipv4FiveTuple),
            Some(FrameClass::Truncated)
        );
        assert_eq!(parsed.opened, Some(Tunnel::IpInIp));
    }
    // what the inner packet lacks does not stand behind the outer one
    let padded = [around(4, &[&inner[..24]]), inner[24..].to_vec()].concat();
    assert_eq!(
        all(&padded).class(KeySource::Ipv4FiveTuple),
        Some(FrameClass::Truncated)
    );
    let cut = around(4, &[&inner]);
    let parsed = all(&cut[..cut.len() - 1]);
    assert_eq!(
        (parsed.opened, parsed.cut),
        (None, true),
        "the outer packet is cut"
    );
    let nested = all(&around(4, &[&ipv4(4, &[], 0, &inner)]));
    assert_eq!(tuple(&nested).protocol, 4);
    assert_eq!(tuple(&nested).source.to_string(), "10.0.0.1");
    let labels = [[0, 1, 0, 64].repeat(24), vec![0, 1, 1, 64]].concat();
    let deep = frame(0x8847, &[&labels, &inner]);
    let vxlan = udp(4789, &[&[8, 0, 0, 0, 0, 0, 5, 0], &deep]);
    assert_eq!(
        all(&vxlan).finding,
        Finding::TooDeep,
        "126 bytes of the inside"
    );
}

#[test]
fn a_mark_is_on_the_outer_header() {
    let mut marked = around(4, &[&inner_4()]);
    let before = marked.clone();
    let header = all(&marked).header.expect("is IP");
    mark(&mut marked, header, 46);
    assert_eq!((header.offset, marked[15] >> 2), (14, 46));
    assert_eq!(marked[34..], before[34..], "the inner packet is as it was");
}
