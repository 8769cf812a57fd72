//! Two Ethernet ports around a packet path add a lane's block and their own to the register map, and say what they need.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{self, edited, legal_values_offered, listing_of_rules, Broken};
use bloomline_spec::host_port::{HostAddress, HostAuth, HostBinding};
use bloomline_spec::registers::{
    address, HostCounter, PathCounter, PortCounter, BLOCK_PACKET_PATH, BLOCK_PORTS,
};
use bloomline_spec::{
    Access, FilterSpec, Ports, RecyclingGeometry, RegisterMap, SpecError, CELL_EXAMPLES, LANES,
    LINECARD_EXAMPLES, PACKET_EXAMPLES, SLIDING_EXAMPLES,
};
use std::path::Path;

fn read((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn complete(text: &str) -> Result<RecyclingGeometry, SpecError> {
    FilterSpec::from_toml(text, Path::new("tiny.toml"))?
        .validate()?
        .with_threshold(20_000)
}

/// The example, edited.
fn line_card(edits: &[(&str, &str)]) -> String {
    edited(LINECARD_EXAMPLES[0].1, edits)
}

fn geometry() -> RecyclingGeometry {
    complete(&line_card(&[])).unwrap_or_else(|error| panic!("{error}"))
}

const HOST: &str = "[packet.host]\nport = 1\nmac = \"02:b1:00:0c:00:01\"\nip = \"192.168.1.50\"\n";

/// The example without its comments and with a host port, edited.
fn with_host(edits: &[(&str, &str)]) -> String {
    let text = line_card(&[]);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let bare: String = lines.map(|line| format!("{line}\n")).collect();
    edited(&format!("{bare}{HOST}"), edits)
}

fn host(edits: &[(&str, &str)]) -> RecyclingGeometry {
    complete(&with_host(edits)).unwrap_or_else(|error| panic!("{error}"))
}

pub fn broken_host() -> Vec<Broken> {
    common::broken("linecard_host", with_host, complete)
}

#[test]
fn rule_errors_of_a_host_port_name_key_value_rule_and_next_step() {
    insta::assert_snapshot!(listing_of_rules(broken_host()));
}

#[test]
fn the_nearest_legal_value_of_a_host_port_is_legal() {
    assert_eq!(legal_values_offered(broken_host(), complete), 5);
}

#[test]
fn a_host_port_is_at_the_port_and_has_the_addresses_that_the_specification_says() {
    assert_eq!(
        geometry().line_card().and_then(|packet| packet.host()),
        None
    );
    let of = |geometry: RecyclingGeometry| geometry.line_card().and_then(|packet| packet.host());
    let address = HostAddress {
        mac: [0x02, 0xB1, 0x00, 0x0C, 0x00, 0x01],
        ip: [192, 168, 1, 50],
        udp_port: 1234,
    };
    assert_eq!(
        of(host(&[])),
        Some(HostBinding {
            port: 1,
            address,
            auth: HostAuth::SipHash24
        })
    );
    let other = host(&[
        ("port = 1", "port = 0\nudp_port = 65535"),
        ("0c", "0C"),
        ("192.168.1.50", "10.0.0.255"),
    ]);
    let address = HostAddress {
        ip: [10, 0, 0, 255],
        udp_port: 65_535,
        ..address
    };
    assert_eq!(
        of(other),
        Some(HostBinding {
            port: 0,
            address,
            auth: HostAuth::SipHash24
        })
    );
}

#[test]
fn what_changes_the_host_port_changes_the_geometry_hash() {
    let mut hashes = vec![geometry().geometry_hash(), host(&[]).geometry_hash()];
    for edit in [
        ("port = 1", "port = 0"),
        ("port = 1", "port = 1\nudp_port = 1235"),
        ("port = 1", "port = 1\nauth = \"none\""),
        (":01\"", ":02\""),
        (".50", ".51"),
    ] {
        hashes.push(host(&[edit]).geometry_hash());
    }
    let different: std::collections::HashSet<u64> = hashes.iter().copied().collect();
    assert_eq!(different.len(), hashes.len());
    let as_default = host(&[("port = 1", "port = 1\nudp_port = 1234")]);
    assert_eq!(as_default.geometry_hash(), hashes[1]);
}

#[test]
fn a_line_card_without_a_host_port_says_so_and_has_no_register_of_one() {
    let map = RegisterMap::of(geometry());
    let register = map.register("ports", "HOST").expect("has one");
    assert_eq!(
        (register.offset, register.access, register.reset),
        (0x410, Access::Constant, Some(0))
    );
    let of_host = map.registers().filter(|r| r.name.starts_with("HOST_"));
    assert_eq!(of_host.count(), 0);
}

#[test]
fn the_registers_of_a_host_port_say_where_it_is_and_what_it_did() {
    let map = RegisterMap::of(host(&[]));
    let constants = [
        ("HOST", 0x410, 0x04D2_0006),
        ("HOST_IP", 0x414, 0xC0A8_0132),
        ("HOST_MAC_LO", 0x418, 0x000C_0001),
        ("HOST_MAC_HI", 0x41C, 0x0000_02B1),
    ];
    for (name, offset, value) in constants {
        let register = map.register("ports", name).expect(name);
        assert_eq!(
            (register.offset, register.access, register.reset),
            (offset, Access::Constant, Some(value)),
            "{name}"
        );
    }
    for (word, name) in ["HOST_KEY_0", "HOST_KEY_1", "HOST_KEY_2", "HOST_KEY_3"]
        .into_iter()
        .enumerate()
    {
        let register = map.register("ports", name).expect(name);
        let offset = 0x420 + 4 * word as u32;
        assert_eq!(
            (register.offset, register.access, register.width),
            (offset, Access::WriteOnly, 32)
        );
    }
    let version = |map: &RegisterMap| map.register("ports", "BLOCK_VERSION")?.reset;
    let open = RegisterMap::of(host(&[("port = 1", "port = 1\nauth = \"none\"")]));
    assert_eq!(version(&map), Some(2));
    assert_eq!(version(&open), Some(1));
    assert!(open.register("ports", "HOST_KEY_0").is_none());
    let names = [
        "HOST_FRAMES_TAKEN",
        "HOST_FRAMES_MISSED",
        "HOST_FRAMES_REFUSED",
        "HOST_ANSWERS_SENT",
        "HOST_ACCESSES_LATE",
    ];
    for (counter, name) in HostCounter::ALL.into_iter().zip(names) {
        let low = 0x4C0 + 8 * counter as u32;
        assert_eq!((counter.address_lo(), counter.address_hi()), (low, low + 4));
        let at = |address| map.at(address).expect(name);
        assert_eq!(at(low).name.strip_suffix("_LO"), Some(name));
        assert_eq!(at(low + 4).name.strip_suffix("_HI"), Some(name));
        assert_eq!(at(low).access, Access::ReadOnly);
    }
    assert!(map.registers().is_sorted_by(|a, b| a.offset < b.offset));
    assert!(map.registers().all(|register| register.offset < 0x500));
    let bare = RegisterMap::of(geometry());
    assert_eq!(
        map.registers().count(),
        bare.registers().count() + 3 + 4 + 10
    );
}

pub fn broken() -> Vec<Broken> {
    common::broken("linecard", line_card, complete)
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    assert_eq!(legal_values_offered(broken(), complete), 3);
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
    let map = RegisterMap::of(geometry());
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
    let of_path = RegisterMap::of(&path);
    let map = RegisterMap::of(&cards);
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
    let map = RegisterMap::of(geometry());
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
    let page = RegisterMap::of(geometry()).to_markdown();
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
        let design = spec.design();
        let map = design
            .unwrap_or_else(|error| panic!("{}: {error}", example.0))
            .register_map();
        assert!(map.block("ports").is_some(), "{}", example.0);
    }
}

#[test]
fn the_example_reads_back_as_the_same_specification_with_and_without_a_host_port() {
    let spec = read(LINECARD_EXAMPLES[0]);
    let again = read((LINECARD_EXAMPLES[0].0, &spec.to_toml()));
    assert_eq!(again, spec);
    assert!(spec.to_toml().contains("ports = \"rgmii\""));
    assert!(!spec.to_toml().contains("host"));
    let spec = read((LINECARD_EXAMPLES[0].0, &with_host(&[])));
    let again = read((LINECARD_EXAMPLES[0].0, &spec.to_toml()));
    assert_eq!(again, spec);
    assert!(spec.to_toml().contains("udp_port = 1234"));
}
