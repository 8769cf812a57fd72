//! The register map: its shape for every geometry, and its two written forms, verbatim, for one.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{complete, edited, geometry, BASE};
use bloomline_spec::registers::{address, RecyclingCounter, ADDRESS_BITS, MAGIC};
use bloomline_spec::{Access, HalfRole, RegisterMap};
use std::collections::HashSet;

fn map() -> RegisterMap {
    RegisterMap::of(geometry(&[]))
}

#[test]
fn registers_are_aligned_disjoint_and_within_the_space() {
    let map = map();
    let offsets: Vec<u32> = map.registers().map(|register| register.offset).collect();
    assert!(offsets.is_sorted_by(|a, b| a < b));
    assert!(offsets
        .iter()
        .all(|offset| offset % 4 == 0 && offset + 4 <= 1 << ADDRESS_BITS));
}

#[test]
fn the_linked_list_visits_every_block_and_ends() {
    let map = map();
    let value = |offset| {
        map.at(offset)
            .and_then(|register| register.reset)
            .expect("a constant")
    };
    let mut visited = Vec::new();
    let mut block = value(address::FIRST_BLOCK);
    while block != 0 {
        visited.push((block, value(block), value(block + 4)));
        block = value(block + 8);
    }
    assert_eq!(visited, [(0x040, 1, 3), (0x080, 2, 1)]);
}

#[test]
fn parity_has_a_counter_of_its_own_and_a_newer_block() {
    let at = RecyclingCounter::ParityErrors.address_lo();
    assert_eq!(at, 0xC8);
    assert_eq!(map().at(at), None);
    for parity in ["count", "empty"] {
        let section = format!("[memory]\nparity = \"{parity}\"\n[key]");
        let map = RegisterMap::of(geometry(&[("[key]", &section)]));
        let name = |offset| map.at(offset).map(|register| register.name);
        assert_eq!(name(at), Some("PARITY_ERRORS_LO"));
        assert_eq!(name(at + 4), Some("PARITY_ERRORS_HI"));
        let version = map
            .register("counters", "BLOCK_VERSION")
            .expect("it has one");
        assert_eq!(version.reset, Some(2));
    }
}

#[test]
fn error_correction_has_two_counters_and_a_newer_block() {
    let map = RegisterMap::of(geometry(&[("[key]", "[memory]\necc = true\n[key]")]));
    let name = |offset| map.at(offset).map(|register| register.name);
    assert_eq!(name(0xC8), None);
    assert_eq!(name(0xD8), Some("ECC_CORRECTED_LO"));
    assert_eq!(name(0xDC), Some("ECC_CORRECTED_HI"));
    assert_eq!(name(0xE0), Some("ECC_UNCORRECTABLE_LO"));
    assert_eq!(name(0xE4), Some("ECC_UNCORRECTABLE_HI"));
    let version = map
        .register("counters", "BLOCK_VERSION")
        .expect("it has one");
    assert_eq!(version.reset, Some(4));
}

#[test]
fn error_correction_is_refused_where_words_bear_no_code() {
    let memory = |lines: &str| format!("[memory]\necc = true\n{lines}\n[key]");
    let told = |edits: &[(&str, &str)]| {
        complete(&edited(BASE, edits))
            .expect_err("it has no code")
            .to_string()
    };
    let parity = told(&[("[key]", &memory("parity = \"count\""))]);
    assert!(
        parity.contains("memory.ecc") && parity.contains("leave out memory.parity"),
        "{parity}"
    );
    let spare = told(&[("[key]", &memory("erase = \"spare-half\""))]);
    assert!(
        spare.contains("memory.erase") && spare.contains("leave out memory.ecc"),
        "{spare}"
    );
    // nothing is refused of a filter that has it
    let with = geometry(&[("[key]", &memory(""))]);
    let plain = geometry(&[]);
    assert_eq!(with.stored_bits(), plain.stored_bits() / 36 * 43);
    assert_eq!(with.timing(), plain.timing());
    assert_ne!(with.geometry_hash(), plain.geometry_hash());
}

#[test]
fn identification_holds_magic_and_geometry_hash() {
    let geometry = geometry(&[]);
    let map = RegisterMap::of(&geometry);
    let reset = |name| {
        map.register("identification", name)
            .and_then(|register| register.reset)
            .expect("a constant")
    };
    assert_eq!(reset("MAGIC"), MAGIC);
    assert_eq!(MAGIC.to_be_bytes(), *b"BLML");
    let hash = u64::from(reset("GEOMETRY_HASH_HI")) << 32 | u64::from(reset("GEOMETRY_HASH_LO"));
    assert_eq!(hash, geometry.geometry_hash());
}

#[test]
fn addresses_given_as_constants_are_those_of_the_named_registers() {
    let map = map();
    let expected = [
        ("filter", "CONTROL", address::CONTROL, 0x4C),
        ("filter", "STATUS", address::STATUS, 0x50),
        ("filter", "THRESHOLD", address::THRESHOLD, 0x54),
        ("filter", "MAX_AGE", address::MAX_AGE, 0x58),
        ("filter", "BITS_ACTIVE", address::BITS_ACTIVE, 0x5C),
        ("filter", "BITS_FROZEN", address::BITS_FROZEN, 0x60),
        ("filter", "MESSAGES", address::MESSAGES, 0x64),
        ("filter", "ARRAY_ADDRESS", address::ARRAY_ADDRESS, 0x68),
        ("filter", "ARRAY_DATA", address::ARRAY_DATA, 0x6C),
        (
            "counters",
            "ITEMS_LO",
            RecyclingCounter::Items.address_lo(),
            0x90,
        ),
        (
            "counters",
            "STALL_VERDICT_HI",
            RecyclingCounter::StallVerdict.address_hi(),
            0xC4,
        ),
    ];
    for (block, name, constant, number) in expected {
        assert_eq!(
            map.register(block, name).map(|register| register.offset),
            Some(constant),
            "{name}"
        );
        assert_eq!(constant, number, "{name}");
    }
    for counter in geometry(&[]).counters() {
        let name = |half| map.at(half).map(|register| register.name.to_owned());
        assert_eq!(
            name(counter.address_lo()),
            Some(format!("{}_LO", counter.name()))
        );
        assert_eq!(
            name(counter.address_hi()),
            Some(format!("{}_HI", counter.name()))
        );
    }
}

#[test]
fn fields_are_disjoint_and_inside_their_register_and_resets_fit() {
    for edits in [
        &[][..],
        &[("131072", "2147483648")],
        &[("131072", "1024"), ("20000", "100")],
    ] {
        let map = RegisterMap::of(geometry(edits));
        for register in map.registers() {
            assert!((1..=32).contains(&register.width), "{}", register.name);
            assert!(
                register
                    .reset
                    .is_none_or(|value| value <= register.max_value()),
                "{}",
                register.name
            );
            let mut bits = HashSet::new();
            for field in &register.fields {
                for bit in field.lowest_bit..field.lowest_bit + field.width {
                    assert!(
                        bit < register.width && bits.insert(bit),
                        "{}.{}",
                        register.name,
                        field.name
                    );
                }
            }
        }
    }
}

#[test]
fn widths_and_resets_follow_the_geometry() {
    let map = RegisterMap::of(geometry(&[("20000", "30000\nmax_age_ms = 100")]));
    let register = |name| map.register("filter", name).expect("in the filter block");
    assert_eq!(
        (register("THRESHOLD").width, register("THRESHOLD").reset),
        (17, Some(30_000))
    );
    assert_eq!(
        (register("MAX_AGE").width, register("MAX_AGE").reset),
        (32, Some(24_414))
    );
    assert_eq!(register("THRESHOLD").max_value(), 0x1_FFFF);
    let writable: Vec<&str> = map
        .registers()
        .filter(|r| r.access.is_writable())
        .map(|r| r.name)
        .collect();
    assert_eq!(
        writable,
        [
            "CONTROL",
            "THRESHOLD",
            "MAX_AGE",
            "ARRAY_ADDRESS",
            "ARRAY_DATA"
        ]
    );
    assert_eq!(register("CONTROL").access, Access::WritePulse);
}

#[test]
fn names_are_unique_in_their_block() {
    for block in &map().blocks {
        let names: HashSet<&str> = block
            .registers
            .iter()
            .map(|register| register.name)
            .collect();
        assert_eq!(names.len(), block.registers.len(), "{}", block.name);
        assert!(block
            .registers
            .iter()
            .all(|register| register.offset >= block.offset));
    }
}

#[test]
fn markdown_is_as_reviewed() {
    insta::assert_snapshot!(map().to_markdown());
}

#[test]
fn systemrdl_is_as_reviewed() {
    insta::assert_snapshot!(map().to_systemrdl());
}

#[test]
fn array_addresses_of_halves_banks_and_words_are_disjoint_and_fit_the_register() {
    for (edits, bits) in [
        (&[][..], 9 + 2 + 1),
        // five banks leave three numbers unused
        (
            &[("131072", "163840"), ("hashes = 4", "hashes = 5")],
            9 + 3 + 1,
        ),
        (&[("phases = 2", "phases = 1"), ("131072", "65536")], 9 + 2),
    ] {
        let geometry = geometry(edits);
        assert_eq!(geometry.array_address_bits(), bits, "{edits:?}");
        let register = RegisterMap::of(&geometry);
        let register = register.at(address::ARRAY_ADDRESS).expect("there");
        assert_eq!(register.width, bits);
        let mut seen = HashSet::new();
        for half in HalfRole::of(geometry.phases()) {
            for bank in 0..geometry.banks() {
                for word in 0..geometry.words_per_bank() as u32 {
                    let address = geometry.array_address(*half, bank, word);
                    assert!(address <= register.max_value() && seen.insert(address));
                }
            }
        }
    }
}

#[test]
fn a_word_of_the_array_is_volatile_as_a_fetch_changes_it() {
    let map = map();
    let is_volatile = |name| {
        let register = map.register("filter", name).expect("it is there");
        register.is_volatile()
    };
    assert!(is_volatile("ARRAY_DATA") && is_volatile("STATUS"));
    assert!(!is_volatile("ARRAY_ADDRESS") && !is_volatile("THRESHOLD") && !is_volatile("CONTROL"));
    let rdl = map.to_systemrdl();
    let register = |name: &str| {
        let before = rdl.split(&format!("}} {name} @")).next();
        let body = before.and_then(|text| text.rsplit("reg {").next());
        body.expect("it is there").to_owned()
    };
    assert!(
        register("ARRAY_DATA").contains("sw = rw; hw = rw;"),
        "{rdl}"
    );
    assert!(register("THRESHOLD").contains("sw = rw; hw = r;"), "{rdl}");
}
