//! Two Ethernet ports around a packet path add a lane's block and their own to the register map, and say what they need.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

mod common;

use bloomline_spec::registers::{
    address, PathCounter, PortCounter, BLOCK_PACKET_PATH, BLOCK_PORTS,
};
use bloomline_spec::{
    Access, FilterSpec, Geometry, Ports, RegisterMap, SpecError, Validated, CELL_EXAMPLES, LANES,
    LINECARD_EXAMPLES, PACKET_EXAMPLES, SLIDING_EXAMPLES,
};
use common::{edited, legal_values_offered, listing_of_rules, Broken};
use std::path::Path;

fn read((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn complete(text: &str) -> Result<Geometry, SpecError> {
    FilterSpec::from_toml(text, Path::new("tiny.toml"))?
        .validate()?
        .with_threshold(20_000)
}

/// The example, edited.
fn line_card(edits: &[(&str, &str)]) -> String {
    edited(LINECARD_EXAMPLES[0].1, edits)
}

fn geometry() -> Geometry {
    complete(&line_card(&[])).unwrap_or_else(|error| panic!("{error}"))
}

const BROKEN: &[(&str, &[(&str, &str)])] = &[
    ("wide beats", &[("data_bits = 8", "data_bits = 64")]),
    (
        "another clock",
        &[("clock_hz = 125_000_000", "clock_hz = 125000001")],
    ),
    ("no UART", &[("uart_baud = 1_000_000\n", "\n")]),
    ("no card", &[("[card]\nuart_baud = 1_000_000\n", "")]),
];

fn broken() -> impl Iterator<Item = Broken> {
    BROKEN
        .iter()
        .map(|&(name, edits)| Broken::of(name, line_card(edits), complete))
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    assert_eq!(legal_values_offered(broken(), complete), 2);
}

#[test]
fn streams_are_what_a_packet_path_has_unless_it_says_otherwise() {
    let text = line_card(&[("ports = \"rgmii\" ", "")]);
    let streams = complete(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(streams.packet().map(|p| p.ports()), Some(Ports::Streams));
    assert_eq!(streams.line_card(), None);
    assert_eq!(geometry().line_card(), geometry().packet());
    assert_ne!(streams.geometry_hash(), geometry().geometry_hash());
}

#[test]
fn the_list_of_blocks_is_card_lanes_ports() {
    let map = RegisterMap::for_geometry(&geometry());
    assert_eq!(map.address_bits, 11);
    let next = |block| map.register(block, "NEXT_BLOCK").expect(block).reset;
    assert_eq!(next("item_port"), Some(0x200));
    assert_eq!(next("lane_0"), Some(0x300));
    assert_eq!(next("lane_1"), Some(0x400));
    assert_eq!(next("ports"), Some(0));
    let types: Vec<(&str, u32, Option<u32>)> = map.blocks[4..]
        .iter()
        .map(|block| (block.name, block.offset, block.registers[0].reset))
        .collect();
    assert_eq!(
        types,
        [
            ("lane_0", 0x200, Some(BLOCK_PACKET_PATH)),
            ("lane_1", 0x300, Some(BLOCK_PACKET_PATH)),
            ("ports", 0x400, Some(BLOCK_PORTS)),
        ]
    );
    assert!(map.registers().is_sorted_by(|a, b| a.offset < b.offset));
    assert!(map.registers().all(|register| register.offset < 0x500));
}

#[test]
fn both_lanes_have_the_registers_of_a_packet_path() {
    let mut spec = read(PACKET_EXAMPLES[0]);
    let path = complete(&spec.to_toml()).expect("is legal");
    spec.packet.as_mut().expect("has one").ports = Ports::Rgmii;
    let cards = complete(&spec.to_toml()).expect("is legal");
    let of_path = RegisterMap::for_geometry(&path);
    let map = RegisterMap::for_geometry(&cards);
    for (lane, name) in ["lane_0", "lane_1"].into_iter().enumerate() {
        let above = address::LANE_BYTES * lane as u32;
        let expected = &of_path.block("packet_path").expect("has one").registers;
        let got = &map.block(name).expect(name).registers;
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(expected) {
            assert_eq!(got.name, expected.name);
            assert_eq!(got.offset, expected.offset + above, "{}", got.name);
            assert_eq!(got.access, expected.access, "{}", got.name);
            if got.name != "NEXT_BLOCK" {
                assert_eq!(got.reset, expected.reset, "{}", got.name);
            }
        }
    }
    let name = |address| map.at(address).map(|register| register.name);
    for counter in PathCounter::all() {
        let low = counter.address_lo();
        assert!(name(low).is_some());
        assert_eq!(name(low), name(low + address::LANE_BYTES));
    }
}

#[test]
fn every_counter_of_a_port_has_the_register_its_number_says() {
    let map = RegisterMap::for_geometry(&geometry());
    for port in 0..LANES {
        for counter in PortCounter::ALL {
            let (low, high) = (counter.address_lo(port), counter.address_hi(port));
            let at = |address| map.at(address).unwrap_or_else(|| panic!("{address:x}"));
            assert_eq!(low, 0x440 + 0x40 * port as u32 + 8 * counter as u32);
            let name = at(low).name.strip_suffix("_LO").expect("a low half");
            assert!(name.starts_with(&format!("PORT_{port}_")), "{name}");
            assert_eq!(at(high).name.strip_suffix("_HI"), Some(name));
            assert_eq!(at(high).access, Access::ReadOnly);
        }
    }
}

#[test]
fn the_ports_block_reads_as_reviewed() {
    let page = RegisterMap::for_geometry(&geometry()).to_markdown();
    let (_, block) = page.split_once("## Block `ports`").expect("has one");
    insta::assert_snapshot!(block);
}

#[test]
fn every_kind_of_filter_takes_two_ports() {
    let of = read(LINECARD_EXAMPLES[0]);
    for example in [CELL_EXAMPLES, SLIDING_EXAMPLES].concat() {
        let mut spec = read(example);
        spec.key.clone_from(&of.key);
        spec.card.clone_from(&of.card);
        spec.packet.clone_from(&of.packet);
        spec.target.clone_from(&of.target);
        let map = match spec.resolve() {
            Ok(Validated::Cells(geometry)) => RegisterMap::for_cells(&geometry),
            Ok(Validated::Sliding(geometry)) => RegisterMap::for_sliding(&geometry),
            other => panic!("{}: {other:?}", example.0),
        };
        assert!(map.block("ports").is_some(), "{}", example.0);
    }
}

#[test]
fn the_example_reads_back_as_the_same_specification() {
    let spec = read(LINECARD_EXAMPLES[0]);
    let again = read((LINECARD_EXAMPLES[0].0, &spec.to_toml()));
    assert_eq!(again, spec);
    assert!(spec.to_toml().contains("ports = \"rgmii\""));
}
