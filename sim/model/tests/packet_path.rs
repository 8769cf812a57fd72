//! Tests of the packet path's model on parsed frames: digest, mark, class, policy, registers.

use crate::frames::{frame, ipv4, ipv6, sum, UDP};
use bloomline_model::{frame_digest, parse, Finding, IpHeader, PathFilter, PathModel};
use bloomline_spec::registers::{address, PathCounter};
use bloomline_spec::{
    Design, FilterSpec, FrameClass, Policy, CELL_EXAMPLES, DIGEST_POLYNOMIAL, PACKET_EXAMPLES,
};
use std::path::Path;

fn spec() -> FilterSpec {
    let (file, text) = PACKET_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn model_of(spec: &FilterSpec) -> PathModel {
    let sizing = spec.validate().expect("is valid");
    let geometry = sizing.with_threshold(30_000).expect("is legal");
    PathModel::new(PathFilter::new(geometry)).expect("has a packet path")
}

fn model() -> PathModel {
    model_of(&spec())
}

#[test]
fn the_digest_is_crc_64_xz_over_the_frame() {
    assert_eq!(crc::CRC_64_XZ.poly, DIGEST_POLYNOMIAL);
    let digest = |frame: &[u8], mask| frame_digest(frame, &parse(frame), mask);
    assert_eq!(digest(b"123456789", false), 0x995D_C9BB_DF19_39FA);
    assert_eq!(digest(b"123456789", true), 0x995D_C9BB_DF19_39FA);
}

#[test]
fn a_masked_digest_does_not_see_hops_but_everything_else() {
    let digest = |frame: &[u8]| frame_digest(frame, &parse(frame), true);
    for (kind, packet, hops) in [
        (0x0800, ipv4(17, &[], 0, &UDP), &[22, 24, 25][..]),
        (0x86DD, ipv6(17, &UDP), &[21]),
    ] {
        let whole = frame(kind, &[&packet]);
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 0x10;
            let same = digest(&other) == digest(&whole);
            assert_eq!(same, hops.contains(&at), "byte {at} of {kind:x}");
            assert_ne!(
                frame_digest(&other, &parse(&other), false),
                frame_digest(&whole, &parse(&whole), false)
            );
        }
    }
}

#[test]
fn hops_are_masked_where_the_parser_has_read_their_word_and_only_there() {
    let masked = |frame: &[u8]| {
        let parsed = parse(frame);
        frame_digest(frame, &parsed, true) != frame_digest(frame, &parsed, false)
    };
    let v4 = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    assert!(!masked(&v4[..25]), "the word is cut");
    assert!(masked(&v4[..26]), "read, though the frame is truncated");
    let mut malformed = v4.clone();
    malformed[14] = 0x44;
    assert!(!masked(&malformed), "the parse ended before it");
    let v6 = frame(0x86DD, &[&ipv6(17, &UDP)]);
    assert!(!masked(&v6[..21]));
    assert!(masked(&v6[..22]));
    // of 25 labels the word ends at byte 126
    for (labels, expected) in [(25, true), (26, false)] {
        let stack = [[0, 1, 0, 64].repeat(labels - 1), vec![0, 1, 1, 64]].concat();
        let deep = frame(0x8847, &[&stack, &ipv4(17, &[], 0, &UDP)]);
        assert_eq!(parse(&deep).finding, Finding::TooDeep);
        assert_eq!(masked(&deep), expected, "{labels} labels");
    }
}

#[test]
fn a_mark_changes_the_dscp_and_keeps_the_checksum_right() {
    for dscp in 0..64 {
        let packet = ipv4(17, &[2; 4], 0, &UDP);
        let mut marked = frame(0x0800, &[&packet]);
        marked[15] = 0x57;
        marked[24..26].fill(0);
        let checksum = !sum(&marked[14..38]);
        marked[24..26].copy_from_slice(&checksum.to_be_bytes());
        let before = marked.clone();
        let header = parse(&marked).header.expect("is IP");
        bloomline_model::mark(&mut marked, header, dscp);
        assert_eq!(marked[15], dscp << 2 | 3, "the two bits of ECN stay");
        assert_eq!(sum(&marked[14..38]), 0xFFFF, "DSCP {dscp}");
        let others = |frame: &[u8]| [&frame[..15], &frame[16..24], &frame[26..]].concat();
        assert_eq!(others(&marked), others(&before));
    }
}

#[test]
fn a_mark_of_ipv6_changes_six_bits_of_the_traffic_class() {
    let mut marked = frame(0x86DD, &[&ipv6(17, &UDP)]);
    (marked[14], marked[15]) = (0x6F, 0xFF);
    let header = parse(&marked).header.expect("is IP");
    assert_eq!(
        header,
        IpHeader {
            offset: 14,
            version: 6
        }
    );
    bloomline_model::mark(&mut marked, header, 0b10_1101);
    assert_eq!((marked[14], marked[15]), (0x6B, 0x7F));
}

#[test]
fn a_wrong_checksum_stays_wrong_by_as_much_and_the_corner_of_no_change_is_as_written() {
    let mut frame = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    let header = parse(&frame).header.expect("is IP");
    frame[24..26].copy_from_slice(&[0xFF, 0xFF]);
    // ~C = 0, ~m + m' = 0xFFFF: s = 0xFFFF, C' = 0
    bloomline_model::mark(&mut frame, header, 0);
    assert_eq!(frame[24..26], [0, 0]);
    frame[24..26].copy_from_slice(&[0x12, 0x34]);
    let wrong_by = |frame: &[u8]| sum(&frame[14..34]);
    let before = wrong_by(&frame);
    bloomline_model::mark(&mut frame, header, 46);
    assert_eq!(wrong_by(&frame), before);
}

#[test]
fn bad_beats_oversize_beats_what_the_parser_says() {
    let mut path = model();
    let long = frame(0x0800, &[&ipv4(17, &[], 0, &[0; 2000])]);
    let short = &long[..10];
    assert_eq!(path.judge(&long, true).class, FrameClass::Bad);
    assert_eq!(path.judge(&long, false).class, FrameClass::Oversize);
    assert_eq!(path.judge(short, true).class, FrameClass::Bad);
    assert_eq!(path.judge(short, false).class, FrameClass::Truncated);
    assert_eq!(path.write(address::MAX_FRAME, long.len() as u32), 0);
    assert_eq!(path.judge(&long, false).class, FrameClass::Unseen);
    assert_eq!(path.write(address::MAX_FRAME, long.len() as u32 - 1), 0);
    assert_eq!(path.judge(&long, false).class, FrameClass::Oversize);
}

#[test]
fn the_first_packet_of_a_flow_is_unseen_and_only_learning_makes_the_next_one_seen() {
    let mut path = model();
    let packet = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    assert_eq!(path.write(address::LEARN, 0), 0);
    let judged: Vec<FrameClass> = (0..2).map(|_| path.judge(&packet, false).class).collect();
    assert_eq!(judged, [FrameClass::Unseen; 2]);
    assert_eq!(path.write(address::LEARN, 1), 0);
    let judged: Vec<FrameClass> = (0..2).map(|_| path.judge(&packet, false).class).collect();
    assert_eq!(judged, [FrameClass::Unseen, FrameClass::Seen]);
    let key = path.judge(&packet, false).key.expect("has one");
    assert_eq!(
        key.to_bytes(),
        [10, 0, 0, 1, 10, 0, 0, 2, 3, 232, 7, 208, 17]
    );
    assert_eq!(
        path.judge(&packet, true).key,
        None,
        "a bad frame sends no item"
    );
    path.filter_mut().clear();
    assert_eq!(path.judge(&packet, false).class, FrameClass::Unseen);
}

#[test]
fn policies_pass_drop_and_mark_and_their_counters_tell() {
    let mut path = model();
    let packet = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    let first = path.pass(&packet, false).expect("unseen is marked");
    assert_eq!((first[15], packet[15]), (8 << 2, 0));
    assert_eq!(
        path.pass(&packet, false).as_ref(),
        Some(&packet),
        "seen passes"
    );
    let drop = Policy::Drop.register();
    assert_eq!(path.write(address::POLICY + 4, drop), 0);
    assert_eq!(path.pass(&packet, false), None);
    let arp = frame(0x0806, &[&[0; 46]]);
    let mark = Policy::Mark(46).register();
    for class in [FrameClass::Other, FrameClass::Bad, FrameClass::Truncated] {
        assert_eq!(path.write(address::POLICY + 4 * class.number(), mark), 0);
    }
    assert_eq!(
        path.pass(&arp, false).as_ref(),
        Some(&arp),
        "nothing to mark"
    );
    let bad = path.pass(&packet, true).expect("is marked");
    assert_eq!(bad[15], 46 << 2, "a bad frame with an IP header");
    let cut = &packet[..packet.len() - 1];
    let marked = path.pass(cut, false).expect("is marked");
    assert_eq!(
        (marked[15], marked.len()),
        (46 << 2, cut.len()),
        "the parse ended with IP"
    );
    let within_header = &packet[..30];
    assert_eq!(
        path.pass(within_header, false).as_deref(),
        Some(within_header)
    );
    path.overflow();
    let counts: Vec<u64> = PathCounter::all().map(|c| path.counter(c)).collect();
    assert_eq!(counts, [1, 2, 1, 2, 0, 0, 0, 1, 1, 1, 3]);
    path.reset();
    assert!(PathCounter::all().all(|counter| path.counter(counter) == 0));
    assert_eq!(path.policy(FrameClass::Seen), Policy::Pass);
    assert_eq!(path.judge(&packet, false).class, FrameClass::Unseen);
}

#[test]
fn registers_answer_as_the_map_says() {
    let spec = spec();
    let sizing = spec.validate().expect("is valid");
    let geometry = sizing.with_threshold(30_000).expect("is legal");
    let map = bloomline_spec::RegisterMap::of(&geometry);
    let mut path = PathModel::new(PathFilter::new(geometry)).expect("has a packet path");
    for offset in (0x200..0x400).step_by(4) {
        let Some(register) = map.at(offset) else {
            assert_eq!(path.read(offset), (0, 3), "0x{offset:x}");
            assert_eq!(path.write(offset, 0), 3, "0x{offset:x}");
            continue;
        };
        assert_eq!(path.read(offset).0, register.reset.expect("has one"));
        let writable = register.access.is_writable();
        let expected = if writable { 0 } else { 2 };
        assert_eq!(path.write(offset, register.max_value()), expected);
        if writable {
            let kept = match register.fields[..] {
                [] => register.max_value(),
                _ => 0x3F03,
            };
            assert_eq!(path.read(offset), (kept, 0), "{}", register.name);
            assert_eq!(path.write(offset, register.max_value() + 1), 2);
            assert_eq!(path.read(offset), (kept, 0), "{}", register.name);
        }
    }
    assert_eq!(
        path.policy(FrameClass::Bad),
        Policy::Pass,
        "action 3 acts as 0"
    );
}

#[test]
fn every_kind_of_filter_gives_bit_0_of_its_verdict() {
    let packet = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    for &(file, text) in CELL_EXAMPLES {
        let mut cells = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
        let path = spec();
        (cells.key, cells.card, cells.packet) = (path.key, path.card, path.packet);
        cells.target = path.target;
        let Ok(Design::Cells(geometry)) = cells.design() else {
            panic!("{file} is a filter of cells")
        };
        let threshold = match geometry.kind() {
            bloomline_spec::FilterKind::Static => 2,
            _ => geometry.threshold(),
        };
        let mut path = PathModel::new(PathFilter::new(geometry)).expect("has a path");
        for count in 1..=threshold.min(1_000) {
            let class = path.judge(&packet, false).class;
            let expected = match count >= threshold {
                true => FrameClass::Seen,
                false => FrameClass::Unseen,
            };
            assert_eq!(class, expected, "{file}: frame {count} of {threshold}");
        }
    }
}
