//! Tests of the line card's model: one filter for both lanes, registers of each lane, ports.

use crate::frames::{frame, ipv4, UDP};
use bloomline_model::mac::FrameEnd;
use bloomline_model::{HostAccess, HostBus, HostResponse, LineCardModel, PathFilter, Sorted};
use bloomline_spec::registers::{
    address, HostCounter, PathCounter, PortCounter, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::{
    Access, FilterSpec, FrameClass, Policy, LANES, LINECARD_EXAMPLES, PACKET_EXAMPLES,
};
use std::path::Path;

fn filter((file, text): (&str, &str)) -> PathFilter {
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let sizing = spec.validate().expect("is valid");
    PathFilter::new(sizing.with_threshold(20_000).expect("is legal"))
}

fn card() -> LineCardModel {
    LineCardModel::new(filter(LINECARD_EXAMPLES[0])).expect("is a line card")
}

/// The card with a host port at port 1.
fn card_with_host(auth: &str) -> LineCardModel {
    let (file, text) = LINECARD_EXAMPLES[0];
    let text = format!(
        "{text}\n[packet.host]\nport = 1\nmac = \"02:b1:00:00:00:01\"\nip = \"192.168.1.50\"\nudp_port = 4660\nauth = \"{auth}\"\n"
    );
    LineCardModel::new(filter((file, &text))).expect("is a line card")
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

const MAC: [u8; 6] = [0x02, 0xB1, 0, 0, 0, 1];

/// Registers in the middle of which each holds its address.
struct Addresses;

impl HostBus for Addresses {
    fn access(&mut self, access: HostAccess) -> Option<HostResponse> {
        Some(HostResponse {
            code: 0,
            data: access.address,
        })
    }

    fn owes(&self) -> bool {
        false
    }
}

/// An ARP request for the card.
fn arp(to: [u8; 6]) -> Vec<u8> {
    let from = [0x02, 0, 0, 0, 0, 9];
    let asked = [0, 0, 0, 0, 0, 0, 192, 168, 1, 50];
    let kind = [8, 6, 0, 1, 8, 0, 6, 4, 0, 1];
    let mut frame = [&to[..], &from, &kind, &from, &[192, 168, 1, 9], &asked].concat();
    frame.resize(60, 0);
    frame
}

/// A datagram of Etherbone from port 7 that writes a word and reads words; without checksums but the header's.
fn etherbone(write: (u32, u32), reads: &[u32]) -> Vec<u8> {
    let mut payload = vec![
        0x4E,
        0x6F,
        0x10,
        0x44,
        0,
        0,
        0,
        0,
        0,
        0x0F,
        1,
        reads.len() as u8,
    ];
    let words = [&[write.0, write.1, 5], reads].concat();
    payload.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    let length = payload.len() as u16;
    let mut header = vec![0x45, 0];
    header.extend((28 + length).to_be_bytes());
    header.extend([0, 0, 0x40, 0, 9, 17, 0, 0, 192, 168, 1, 9, 192, 168, 1, 50]);
    let sum: u32 = header
        .chunks(2)
        .map(|h| u32::from(h[0]) << 8 | u32::from(h[1]))
        .sum();
    let check = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&check.to_be_bytes());
    let ports = [7, 4660, 8 + length, 0].map(u16::to_be_bytes);
    let ethernet = [&MAC[..], &[0x02, 0, 0, 0, 0, 9, 8, 0]].concat();
    [&ethernet[..], &header, ports.as_flattened(), &payload].concat()
}

#[test]
fn frames_to_the_host_port_stay_out_of_its_lane_and_answers_leave_at_its_port() {
    let mut card = card_with_host("none");
    let answered = |card: &mut LineCardModel, port, frame: &[u8], end| {
        card.answered(port, frame, end, true, &mut Addresses)
    };
    let good = FrameEnd::Good;
    // at its own port: one to the card goes nowhere else, one to all goes on too
    let (own, all) = (arp(MAC), arp([0xFF; 6]));
    assert_eq!(card.received(1, &own, good), None);
    let answer = answered(&mut card, 1, &own, good).expect("is answered");
    assert_eq!(answer.len(), 60);
    assert_eq!(answer[6..12], MAC);
    assert!(card.received(1, &all, good).is_some());
    assert!(answered(&mut card, 1, &all, good).is_some());
    // at the other one it is a frame like any
    assert!(card.received(0, &own, good).is_some());
    assert_eq!(answered(&mut card, 0, &own, good), None);
    assert_eq!(answered(&mut card, 1, &own, FrameEnd::BadFcs), None);
    assert_eq!(card.answered(1, &own, good, false, &mut Addresses), None);
    let counters = HostCounter::ALL.map(|counter| card.read(counter.address_lo()).0);
    // taken, missed, refused, answered, late
    assert_eq!(counters, [3, 1, 1, 2, 0]);
    assert_eq!(card.read(PortCounter::FramesSent.address_lo(1)).0, 2);
    card.reset();
    assert_eq!(card.read(HostCounter::FramesTaken.address_lo()).0, 0);
}

#[test]
fn the_host_port_reaches_the_registers_of_the_card_in_the_middle_of_lanes_and_of_ports() {
    let mut card = card_with_host("none");
    let policy = address::POLICY + address::LANE_BYTES;
    let reads = [
        policy,
        address::MAGIC,
        address::HOST,
        HostCounter::FramesTaken.address_lo(),
    ];
    let frame = etherbone((policy, 1), &reads);
    assert_eq!(card.received(1, &frame, FrameEnd::Good), None);
    let answer = card.answered(1, &frame, FrameEnd::Good, true, &mut Addresses);
    let answer = answer.expect("has reads");
    let words: Vec<u32> = answer[58..]
        .chunks(4)
        .map(|word| u32::from_be_bytes(word.try_into().expect("whole words")))
        .collect();
    assert_eq!(words, [1, address::MAGIC, 4660 << 16 | 0b10, 1]);
    assert_eq!(card.read(policy), (1, RESPONSE_OKAY));
}

#[test]
fn every_address_is_what_the_register_map_says() {
    addresses_are_those_of_the_map(card());
    addresses_are_those_of_the_map(card_with_host("siphash-2-4"));
}

fn addresses_are_those_of_the_map(mut card: LineCardModel) {
    let map = card.filter().design().register_map();
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
        if !matches!(register.access, Access::ReadWrite | Access::WriteOnly) {
            assert_eq!(card.write(address, 0), RESPONSE_SLVERR, "{address:#x}");
        }
    }
    assert_eq!(LANES, 2);
}
