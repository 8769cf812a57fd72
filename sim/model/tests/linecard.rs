//! What the line card's model does between its two lanes: one filter, registers of each alone, ports.

#[path = "common/frames.rs"]
mod frames;

use bloomline_model::mac::FrameEnd;
use bloomline_model::{LineCardModel, PathFilter, Sorted};
use bloomline_spec::registers::{
    address, PathCounter, PortCounter, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{
    Access, FilterSpec, FrameClass, Policy, LANES, LINECARD_EXAMPLES, PACKET_EXAMPLES,
};
use frames::{frame, ipv4, UDP};
use std::path::Path;

fn filter((file, text): (&str, &str)) -> PathFilter {
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let sizing = spec.validate().expect("is valid");
    PathFilter::from(sizing.with_threshold(20_000).expect("is legal"))
}

fn card() -> LineCardModel {
    LineCardModel::new(filter(LINECARD_EXAMPLES[0])).expect("is a line card")
}

fn packet() -> Vec<u8> {
    let mut packet = frame(0x0800, &[&ipv4(17, &[], 0, &UDP)]);
    packet.resize(packet.len().max(60), 0);
    packet
}

/// A frame's whole way.
fn pass(card: &mut LineCardModel, lane: usize, bytes: &[u8], end: FrameEnd) -> Option<Vec<u8>> {
    let sorted = card.received(lane, bytes, end)?;
    let judged = card.item_taken(lane, &sorted);
    card.sent(lane, bytes, &judged)
}

#[test]
fn a_packet_path_of_streams_is_no_line_card() {
    assert!(LineCardModel::new(filter(PACKET_EXAMPLES[0])).is_none());
}

#[test]
fn what_one_lane_inserts_the_other_has_seen_in_the_order_of_the_items() {
    let mut card = card();
    let bytes = packet();
    let [zero, one] = [0, 1].map(|lane| card.received(lane, &bytes, FrameEnd::Good));
    let (zero, one) = (zero.expect("has bytes"), one.expect("has bytes"));
    assert!(matches!(zero.finding, Sorted::Key(_)));
    let first = card.item_taken(1, &one);
    let second = card.item_taken(0, &zero);
    assert_eq!(
        [first.class, second.class],
        [FrameClass::Unseen, FrameClass::Seen]
    );
    assert_ne!(card.sent(1, &bytes, &first), Some(bytes.clone()), "marked");
    assert_eq!(card.sent(0, &bytes, &second), Some(bytes));
}

#[test]
fn a_lane_has_its_own_registers_and_leaves_at_the_other_port() {
    let mut card = card();
    let seen = address::POLICY + 4 * FrameClass::Unseen.number();
    let drop = Policy::Drop.register();
    assert_eq!(card.write(seen + address::LANE_BYTES, drop), RESPONSE_OKAY);
    assert_eq!(card.read(seen + address::LANE_BYTES), (drop, RESPONSE_OKAY));
    assert_ne!(card.read(seen).0, drop);
    assert_eq!(pass(&mut card, 1, &packet(), FrameEnd::Good), None);
    assert!(pass(&mut card, 0, &packet(), FrameEnd::Good).is_some());
    let mut counter = |address| card.read(address).0;
    let dropped = PathCounter::Dropped.address_lo();
    assert_eq!(
        [counter(dropped), counter(dropped + address::LANE_BYTES)],
        [0, 1]
    );
    let sent = [0, 1].map(|port| counter(PortCounter::FramesSent.address_lo(port)));
    assert_eq!(sent, [0, 1]);
    let good = [0, 1].map(|port| counter(PortCounter::FramesGood.address_lo(port)));
    assert_eq!(good, [1, 1]);
    card.reset();
    assert_ne!(card.read(seen + address::LANE_BYTES).0, drop);
    assert_eq!(card.read(PortCounter::FramesSent.address_lo(1)).0, 0);
}

#[test]
fn bad_frames_are_counted_by_kind_and_leave_whole_and_padded_if_they_may() {
    let mut card = card();
    assert_eq!(card.received(0, &[], FrameEnd::Runt), None);
    assert_eq!(pass(&mut card, 0, &[7; 20], FrameEnd::Runt), None);
    let bad = address::POLICY + 4 * FrameClass::Bad.number();
    assert_eq!(card.write(bad, Policy::Pass.register()), RESPONSE_OKAY);
    let left = pass(&mut card, 0, &[7; 20], FrameEnd::BadFcs).expect("passes");
    assert_eq!(left, [vec![7; 20], vec![0; 40]].concat());
    let ends = [
        (PortCounter::FramesRunt, 2),
        (PortCounter::FramesBadFcs, 1),
        (PortCounter::FramesError, 0),
        (PortCounter::FramesGood, 0),
    ];
    for (counter, expected) in ends {
        assert_eq!(card.read(counter.address_lo(0)).0, expected, "{counter:?}");
    }
}

#[test]
fn every_address_is_what_the_register_map_says() {
    let map = filter(LINECARD_EXAMPLES[0]).register_map();
    let mut card = card();
    card.tell(1, 0b1101);
    assert_eq!(card.read(address::LINK), (0b1101_0000, RESPONSE_OKAY));
    for address in (address::PACKET_PATH..0x800).step_by(4) {
        let (value, response) = card.read(address);
        let Some(register) = map.at(address) else {
            assert_eq!((value, response), (0, RESPONSE_DECERR), "{address:#x}");
            assert_eq!(card.write(address, 0), RESPONSE_DECERR);
            continue;
        };
        assert_eq!(response, RESPONSE_OKAY, "{address:#x}");
        if let Some(reset) = register.reset {
            assert_eq!(value, reset, "{address:#x}");
        }
        if register.access != Access::ReadWrite {
            assert_eq!(card.write(address, 0), RESPONSE_SLVERR, "{address:#x}");
        }
    }
    assert_eq!(LANES, 2);
}
