//! A card adds an item port to the register map and a tag bit to the filter, and says what of its UART cannot be.

use bloomline_spec::registers::{address, BLOCK_ITEM_PORT};
use bloomline_spec::{Access, CardSection, FilterSpec, RecyclingGeometry, RegisterMap, SpecError};
use bloomline_spec::{CARD_EXAMPLES, EXAMPLES};
use std::path::Path;

fn admit() -> FilterSpec {
    let (file, text) = CARD_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn geometry(spec: &FilterSpec) -> RecyclingGeometry {
    let sizing = spec.validate().expect("is valid");
    sizing.with_threshold(30_000).expect("is legal")
}

fn refusal(spec: &FilterSpec) -> String {
    spec.validate().expect_err("is refused").to_string()
}

fn baud(baud: u64, clock_hz: u64) -> FilterSpec {
    let mut spec = admit();
    spec.target.as_mut().expect("has a target").clock_hz = clock_hz;
    spec.card = Some(CardSection {
        uart_baud: Some(baud),
    });
    spec
}

#[test]
fn the_example_has_125_clocks_a_bit_and_drops_commands_after_100_ms() {
    let uart = geometry(&admit()).card().expect("has a card").uart;
    let uart = uart.expect("has a UART");
    assert_eq!(
        (uart.baud, uart.clocks_per_bit, uart.timeout_clocks),
        (1_000_000, 125, 12_500_000)
    );
}

#[test]
fn the_item_port_ends_the_list_of_blocks() {
    let map = RegisterMap::of(geometry(&admit()));
    let next = map
        .register("counters", "NEXT_BLOCK")
        .expect("has one")
        .reset;
    assert_eq!(next, Some(address::ITEM_PORT));
    let port = map.block("item_port").expect("has one");
    assert_eq!(port.registers[0].reset, Some(BLOCK_ITEM_PORT));
    assert_eq!(map.address_bits, 9);
    let last = port.registers.last().expect("has registers");
    // 104 bits: three whole words and one byte
    assert_eq!(
        (last.name, last.offset, last.width, last.access),
        ("ITEM_KEY_3", 0x12C, 8, Access::ReadWrite)
    );
    assert!(map.filter_registers().all(|r| r.offset < 0x100));
}

#[test]
fn the_filter_of_a_card_has_a_tag_bit_for_the_host() {
    let with = geometry(&admit());
    assert_eq!((with.stream_tag_bits(), with.tag_bits()), (16, 17));
    let (file, text) = EXAMPLES[0];
    let without = geometry(&FilterSpec::from_toml(text, Path::new(file)).expect("reads"));
    assert_eq!((without.stream_tag_bits(), without.tag_bits()), (16, 16));
    let mut wide = admit();
    wide.key.tag_bits = 64;
    assert!(refusal(&wide).contains("nearest legal value 63"));
}

#[test]
fn a_card_without_uart_is_reached_over_axi() {
    let mut spec = admit();
    spec.card = Some(CardSection::default());
    assert_eq!(geometry(&spec).card().expect("has a card").uart, None);
}

#[test]
fn what_changes_the_card_changes_the_geometry_hash() {
    let hash = |spec: &FilterSpec| geometry(spec).geometry_hash();
    let mut bare = admit();
    bare.card = None;
    let mut axi = admit();
    axi.card = Some(CardSection::default());
    let other = baud(500_000, 125_000_000);
    let hashes = [hash(&admit()), hash(&bare), hash(&axi), hash(&other)];
    for (i, one) in hashes.iter().enumerate() {
        assert!(!hashes[..i].contains(one), "{hashes:x?}");
    }
}

#[test]
fn a_uart_that_cannot_be_is_refused_with_the_nearest_that_can() {
    for (spec, expected) in [
        (baud(0, 125_000_000), "nearest legal value 1908"),
        (
            baud(16_000_000, 125_000_000),
            "nearest legal value 15625000",
        ),
        // 10.87 clocks: 11 are 1.2 % off
        (
            baud(11_500_000, 125_000_000),
            "nearest legal value 11363636",
        ),
        (baud(1, 7), "raise target.clock_hz"),
    ] {
        let text = refusal(&spec);
        assert!(text.contains("card.uart_baud"), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    assert!(matches!(
        baud(16_000_000, 125_000_000).validate(),
        Err(SpecError::Rule { .. })
    ));
}

#[test]
fn the_nearest_legal_baud_is_legal() {
    for nearest in [1908, 15_625_000, 11_363_636] {
        geometry(&baud(nearest, 125_000_000));
    }
}
