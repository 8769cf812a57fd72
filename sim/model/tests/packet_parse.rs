//! The parse of the packet path's model, each rule of the contract on frames made by hand for it.

use crate::frames::{frame, ipv4, ipv6, UDP};
use bloomline_model::{parse, Finding};
use bloomline_spec::{FiveTuple, FrameClass, KeySource};

/// Protocol and ports of a frame that must be IP, and whole.
fn transport(frame: &[u8]) -> (u8, u16, u16) {
    let parsed = parse(frame);
    assert!(!parsed.cut, "{parsed:?}");
    let Finding::Ip(tuple) = parsed.finding else {
        panic!("{parsed:?}")
    };
    let FiveTuple {
        source,
        destination,
        ..
    } = tuple;
    let ends = match source.is_ipv4() {
        true => ("10.0.0.1", "10.0.0.2"),
        false => ("2001:db8::1", "2001:db8::2"),
    };
    assert_eq!(
        (&*source.to_string(), &*destination.to_string()),
        ends,
        "{parsed:?}"
    );
    (tuple.protocol, tuple.source_port, tuple.destination_port)
}

fn offset(frame: &[u8]) -> usize {
    parse(frame).header.expect("ended with IP").offset
}

fn class(frame: &[u8]) -> Option<FrameClass> {
    parse(frame).class(KeySource::Ipv4FiveTuple)
}

const SOME_PORTS: (u16, u16) = (1000, 2000);

fn with_ports(protocol: u8) -> (u8, u16, u16) {
    (protocol, SOME_PORTS.0, SOME_PORTS.1)
}

#[test]
fn tags_are_passed_over_in_any_number_and_of_three_kinds() {
    let packet = ipv4(17, &[], 0, &UDP);
    assert_eq!(transport(&frame(0x0800, &[&packet])), with_ports(17));
    for (kind, tags) in [
        (0x8100, &[0, 5, 0x08, 0][..]),
        (0x88A8, &[0, 5, 0x81, 0, 0, 6, 0x08, 0]),
        (
            0x9100,
            &[
                0, 5, 0x88, 0xA8, 0, 6, 0x91, 0, 0, 7, 0x81, 0, 0, 8, 0x08, 0,
            ],
        ),
    ] {
        let tagged = frame(kind, &[tags, &packet]);
        assert_eq!(transport(&tagged), with_ports(17), "{kind:x}");
        assert_eq!(offset(&tagged), 14 + tags.len());
    }
    let q_in_q_old = frame(0x9200, &[&[0, 5, 0x08, 0], &packet]);
    assert_eq!(class(&q_in_q_old), Some(FrameClass::Other));
}

#[test]
fn labels_end_at_the_bottom_of_the_stack_and_the_next_four_bits_tell_what_follows() {
    let (v4, v6) = (ipv4(17, &[], 0, &UDP), ipv6(6, &UDP));
    for kind in [0x8847, 0x8848] {
        let two = frame(kind, &[&[0, 1, 0, 64, 0, 2, 1, 64], &v4]);
        assert_eq!(transport(&two), with_ports(17));
        assert_eq!(offset(&two), 22);
        let one = frame(kind, &[&[0, 1, 1, 64], &v6]);
        assert_eq!(transport(&one), with_ports(6));
    }
    let pseudowire = frame(
        0x8847,
        &[&[0, 1, 1, 64, 0, 0, 0, 0], &frame(0x0800, &[&v4])],
    );
    assert_eq!(parse(&pseudowire).finding, Finding::WithoutIp);
    let nothing_below = frame(0x8847, &[&[0, 1, 1, 64]]);
    assert_eq!(parse(&nothing_below).finding, Finding::Truncated);
    let tagged = frame(0x8100, &[&[0, 5, 0x88, 0x47, 0, 1, 1, 64], &v4]);
    assert_eq!(transport(&tagged), with_ports(17));
}

#[test]
fn types_that_announce_no_ip_end_the_parse() {
    for kind in [0x0806, 0x0000, 46, 1500, 0x8864, 0x6558] {
        assert_eq!(parse(&frame(kind, &[])).finding, Finding::WithoutIp);
    }
    let snap = frame(
        50,
        &[&[0xAA, 0xAA, 3, 0, 0, 0, 8, 0], &ipv4(17, &[], 0, &UDP)],
    );
    assert_eq!(parse(&snap).finding, Finding::WithoutIp);
}

#[test]
fn frames_shorter_than_the_type_are_truncated() {
    let arp = frame(0x0806, &[]);
    for length in 0..14 {
        assert_eq!(parse(&arp[..length]).finding, Finding::Truncated);
    }
}

#[test]
fn an_ipv4_header_needs_its_version_five_words_and_a_length_that_holds_it() {
    let good = frame(0x0800, &[&ipv4(17, &[1; 4], 0, &UDP)]);
    assert_eq!(transport(&good), with_ports(17));
    for (at, value, finding) in [
        (14, 0x56, Finding::Malformed),
        (14, 0x66, Finding::Malformed),
        (14, 0x44, Finding::Malformed),
        (17, 23, Finding::Malformed),
        // 24 bytes: the header fits, the ports lie behind the packet
        (17, 24, Finding::Malformed),
        (17, 27, Finding::Malformed),
    ] {
        let mut frame = good.clone();
        frame[at] = value;
        assert_eq!(parse(&frame).finding, finding, "byte {at} = {value}");
    }
    let mut just = good.clone();
    just[17] = 28;
    assert_eq!(transport(&just), with_ports(17));
}

#[test]
fn a_fragment_of_ipv4_after_the_first_has_no_ports() {
    let later = frame(0x0800, &[&ipv4(17, &[], 1, &UDP)]);
    assert_eq!(transport(&later), (17, 0, 0));
    let first = frame(0x0800, &[&ipv4(17, &[], 0x2000, &UDP)]);
    assert_eq!(transport(&first), with_ports(17), "more fragments");
    let authenticated = frame(0x0800, &[&ipv4(51, &[], 1, &[0; 12])]);
    assert_eq!(transport(&authenticated), (51, 0, 0), "nothing is opened");
}

#[test]
fn five_protocols_have_ports() {
    for protocol in 0..=255 {
        let expected = match protocol {
            6 | 17 | 33 | 132 | 136 => with_ports(protocol),
            // read as an authentication header of 4 (232 + 2) bytes
            51 => continue,
            _ => (protocol, 0, 0),
        };
        let v4 = frame(0x0800, &[&ipv4(protocol, &[], 0, &UDP)]);
        assert_eq!(transport(&v4), expected);
        if ![0, 43, 44, 60].contains(&protocol) {
            let v6 = frame(0x86DD, &[&ipv6(protocol, &UDP)]);
            assert_eq!(transport(&v6), expected);
        }
    }
}

#[test]
fn authentication_headers_are_passed_over_in_both_versions() {
    // 4 (1 + 2) = 12 bytes
    let header = [17, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let v4 = frame(0x0800, &[&ipv4(51, &[], 0, &[&header[..], &UDP].concat())]);
    assert_eq!(transport(&v4), with_ports(17));
    let v6 = frame(0x86DD, &[&ipv6(51, &[&header[..], &UDP].concat())]);
    assert_eq!(transport(&v6), with_ports(17));
    let alone = ipv4(51, &[], 0, &[17, 0, 0, 0, 0, 0, 0, 0]);
    let none = frame(0x0800, &[&alone, &[0; 40]]);
    assert_eq!(
        parse(&none).finding,
        Finding::Malformed,
        "no room for ports"
    );
    let too_long = frame(0x0800, &[&ipv4(51, &[], 0, &[17, 1, 0, 0])]);
    assert_eq!(parse(&too_long).finding, Finding::Malformed);
}

#[test]
fn extension_headers_of_ipv6_are_passed_over_by_their_lengths() {
    let hop_by_hop = [43, 0, 1, 4, 0, 0, 0, 0];
    let routing = [60, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let destination = [44, 0, 1, 4, 0, 0, 0, 0];
    let fragment = [6, 0, 0, 1, 0, 0, 0, 7];
    let chain = [
        &hop_by_hop[..],
        &routing,
        &destination,
        &fragment,
        &UDP[..4],
    ];
    let whole = frame(0x86DD, &[&ipv6(0, &chain.concat())]);
    assert_eq!(transport(&whole), with_ports(6));
    let mut later = whole.clone();
    later[14 + 40 + 32 + 3] = 8;
    assert_eq!(transport(&later), (6, 0, 0), "offset 1");
}

#[test]
fn hop_by_hop_options_stand_right_behind_the_header_or_the_packet_is_malformed() {
    let behind = [0, 0, 0, 0, 0, 0, 0, 0];
    let options = [17, 0, 1, 4, 0, 0, 0, 0];
    let twice = frame(0x86DD, &[&ipv6(0, &[&behind[..], &options, &UDP].concat())]);
    assert_eq!(parse(&twice).finding, Finding::Malformed);
    let late = frame(
        0x86DD,
        &[&ipv6(60, &[&behind[..], &options, &UDP].concat())],
    );
    assert_eq!(parse(&late).finding, Finding::Malformed);
    let once = frame(0x86DD, &[&ipv6(0, &[&options[..], &UDP].concat())]);
    assert_eq!(transport(&once), with_ports(17));
    // although what would be read of it lies behind byte 126
    let far = frame(
        0x86DD,
        &[&ipv6(60, &[&[0, 9][..], &[0; 78], &options].concat())],
    );
    assert_eq!(parse(&far).finding, Finding::Malformed);
}

#[test]
fn the_header_of_ipv6_says_its_version_and_where_the_packet_ends() {
    let good = frame(0x86DD, &[&ipv6(17, &UDP)]);
    let mut version = good.clone();
    version[14] = 0x40;
    assert_eq!(parse(&version).finding, Finding::Malformed);
    for (payload_bytes, finding) in [(3, Finding::Malformed), (0, Finding::Malformed)] {
        let mut short = good.clone();
        short[19] = payload_bytes;
        assert_eq!(parse(&short).finding, finding);
    }
    let mut just = good.clone();
    just[19] = 4;
    assert_eq!(transport(&just), with_ports(17));
    let empty = frame(0x86DD, &[&ipv6(59, &[])]);
    assert_eq!(transport(&empty), (59, 0, 0));
}

#[test]
fn every_cut_of_a_packet_is_truncated_and_padding_is_none_of_it() {
    for (kind, packet) in [
        (0x0800, ipv4(17, &[1; 8], 0, &UDP)),
        (0x86DD, ipv6(17, &UDP)),
    ] {
        let whole = frame(kind, &[&packet]);
        for length in 0..whole.len() {
            assert_eq!(class(&whole[..length]), Some(FrameClass::Truncated));
        }
        let padded = [&whole[..], &[0xA5; 40]].concat();
        assert_eq!(transport(&padded), with_ports(17));
        let without_ports = frame(kind, &[&packet]);
        let cut = &without_ports[..without_ports.len() - 1];
        assert!(parse(cut).cut && parse(cut).header.is_some());
    }
}

#[test]
fn a_cut_is_found_before_the_end_of_the_packet_and_depth_before_a_cut() {
    // four bytes of ports are missing in the frame, and the packet has no room for them either
    let mut both = frame(0x0800, &[&ipv4(17, &[], 0, &[])]);
    assert_eq!(parse(&both).finding, Finding::Truncated);
    both.extend([0; 4]);
    assert_eq!(parse(&both).finding, Finding::Malformed);
    // 27 tags: the word behind them lies at 122, of 28 at 126
    let tags = |number: usize| frame(0x8100, &[&[0, 5, 0x81, 0].repeat(number)]);
    assert_eq!(parse(&tags(27)).finding, Finding::Truncated);
    assert_eq!(parse(&tags(28)).finding, Finding::TooDeep);
    let mut last = tags(27);
    last.extend([0, 5, 0x08, 0x06]);
    assert_eq!(last.len(), 126);
    assert_eq!(parse(&last).finding, Finding::WithoutIp);
}

#[test]
fn options_and_extensions_may_reach_behind_byte_126_where_nothing_is_read_there() {
    let options = [1; 40];
    let labels = [[0, 1, 0, 64].repeat(15), vec![0, 1, 1, 64]].concat();
    let deep = frame(0x8847, &[&labels, &ipv4(47, &options, 0, &[])]);
    assert!(offset(&deep) + 60 > 126);
    assert_eq!(transport(&deep), (47, 0, 0));
    let ports = frame(0x8847, &[&labels, &ipv4(17, &options, 0, &UDP)]);
    assert_eq!(parse(&ports).finding, Finding::TooDeep);
    let header = [59, 20]
        .iter()
        .chain(&[0; 166])
        .copied()
        .collect::<Vec<_>>();
    let far = frame(0x86DD, &[&ipv6(60, &header)]);
    assert_eq!(transport(&far), (59, 0, 0));
}

#[test]
fn the_packet_of_another_version_is_other_and_a_digest_knows_no_parser() {
    let (v4, v6) = (
        frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]),
        frame(0x86DD, &[&ipv6(17, &UDP)]),
    );
    let arp = frame(0x0806, &[&[0; 46]]);
    use KeySource::*;
    for source in [Ipv4FiveTuple, SrcIp, DstIp] {
        assert_eq!(parse(&v4).class(source), None);
        assert_eq!(parse(&v6).class(source), Some(FrameClass::Other));
    }
    for source in [Ipv6FiveTuple, SrcIp6, DstIp6] {
        assert_eq!(parse(&v6).class(source), None);
        assert_eq!(parse(&v4).class(source), Some(FrameClass::Other));
    }
    for frame in [&v4[..], &v6, &arp, &v4[..20], &[]] {
        assert_eq!(parse(frame).class(FrameDigest), None);
    }
    assert_eq!(class(&arp), Some(FrameClass::Other));
    let v6_cut = &v6[..v6.len() - 1];
    assert_eq!(class(v6_cut), Some(FrameClass::Truncated));
}
