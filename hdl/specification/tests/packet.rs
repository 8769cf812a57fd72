//! A packet path adds its block to the register map and its facts to the geometry hash, and says what of it cannot be.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{self, edited, legal_values_offered, listing_of_rules, Broken};
use bloomline_spec::registers::{address, PathCounter, BLOCK_PACKET_PATH};
use bloomline_spec::{
    Access, CardSection, Design, FilterSpec, FrameClass, Packet, Policy, RecyclingGeometry,
    RegisterMap, SpecError, Tunnel, CELL_EXAMPLES, PACKET_EXAMPLES, SLIDING_EXAMPLES,
};
use std::path::Path;

const SECTION: &str = "[packet]\ntrusted_keys = true\ndata_bits = 8\n";

fn read(text: &str) -> Result<FilterSpec, SpecError> {
    FilterSpec::from_toml(text, Path::new("tiny.toml"))
}

fn complete(text: &str) -> Result<RecyclingGeometry, SpecError> {
    read(text)?.validate()?.with_threshold(20_000)
}

/// The small specification as a packet path, edited.
fn path(edits: &[(&str, &str)]) -> String {
    let source = ("bits = 104", "source = \"ipv4-5tuple\"");
    let base = edited(crate::common::BASE, &[source]);
    edited(&format!("{base}[card]\n{SECTION}"), edits)
}

fn packet(edits: &[(&str, &str)]) -> Packet {
    let geometry = complete(&path(edits)).unwrap_or_else(|error| panic!("{error}"));
    geometry.packet().expect("has a packet path")
}

fn inline() -> RecyclingGeometry {
    let (file, text) = PACKET_EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let sizing = spec.validate().expect("is valid");
    sizing.with_threshold(30_000).expect("is legal")
}

pub fn broken() -> Vec<Broken> {
    common::broken("packet", path, complete)
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    assert_eq!(legal_values_offered(broken(), complete), broken().len() - 4);
}

#[test]
fn words_that_are_no_policy_no_class_and_no_key_are_refused_where_they_stand() {
    let errors: String = [
        "[packet.policy]\nseen = \"reject\"",
        "[packet.policy]\nseen = \"mark\"",
        "[packet.policy]\nseen = \"mark:64\"",
        "[packet.policy]\nseen = \"mark:-1\"",
        "[packet.policy]\nseen = 1",
        "[packet.policy]\nknown = \"pass\"",
        "[packet.policy]\ntoo_deep = \"pass\"",
        "ports = 2",
        "ports = \"sfp\"",
        "port = \"rgmii\"",
        "tunnels = [\"geneve\"]",
        "tunnels = \"gre\"",
    ]
    .into_iter()
    .map(|line| {
        let text = path(&[(SECTION, &format!("{SECTION}{line}\n"))]);
        let error = complete(&text).expect_err(line);
        assert!(matches!(error, SpecError::Syntax { .. }), "{line}: {error}");
        format!("[{line}]\n{error}\n")
    })
    .collect();
    insta::assert_snapshot!(errors);
    let text = path(&[("data_bits = 8", "")]);
    let error = complete(&text).expect_err("a width is required");
    assert!(error.to_string().contains("packet.data_bits: is missing"));
}

#[test]
fn what_is_not_given_is_as_documented() {
    let packet = packet(&[]);
    assert_eq!(
        (packet.data_bits(), packet.beat_bytes()),
        (8, 1),
        "as given"
    );
    assert_eq!(
        (packet.buffer_bytes(), packet.buffer_beats()),
        (16_384, 16_384)
    );
    assert_eq!(packet.max_frame_bytes(), 1_518);
    assert!(packet.learn() && !packet.mask_hops());
    let dropped: Vec<FrameClass> = FrameClass::ALL
        .iter()
        .copied()
        .filter(|&class| packet.policy(class) != Policy::Pass)
        .inspect(|&class| assert_eq!(packet.policy(class), Policy::Drop, "{class}"))
        .collect();
    use FrameClass::*;
    assert_eq!(dropped, [Truncated, Malformed, Oversize, Bad]);
}

#[test]
fn the_frame_queue_holds_a_full_buffer_of_minimum_size_frames_at_8_bits() {
    let of = |width: &str| packet(&[("data_bits = 8", width)]).frame_queue_frames();
    assert_eq!(of("data_bits = 8"), 256);
    assert_eq!(of("data_bits = 64"), 64);
    assert_eq!(of("data_bits = 512"), 64);
    let default_frames = 16_384 / 64;
    assert_eq!(of("data_bits = 8"), default_frames);
}

#[test]
fn the_frame_queue_holds_what_comes_behind_the_longest_frame_until_it_has_left() {
    let of = |bits: u32, longest: u32, family: &str| {
        let section = format!(
            "[packet]\ntrusted_keys = true\ndata_bits = {bits}\nmax_frame_bytes = {longest}\nbuffer_bytes = 32768\n"
        );
        packet(&[
            (SECTION, &section),
            ("family = \"h3-sbox\"", &format!("family = \"{family}\"")),
        ])
        .frame_queue_frames()
    };
    // (9018 / 8 + 24) / 8 frames of minimum size, and so on; SipHash takes 18 clocks more than an h3, SipHash-2-4 30
    assert_eq!(of(64, 1518, "h3-sbox"), 64);
    assert_eq!(of(64, 9018, "h3-sbox"), 256);
    assert_eq!(of(512, 1518, "h3-sbox"), 64);
    assert_eq!(of(512, 1518, "siphash"), 64);
    assert_eq!(of(512, 1518, "siphash-2-4"), 128);
    assert_eq!(of(512, 9018, "siphash"), 256);
    assert_eq!(of(8, 9018, "siphash"), 256);
    assert_eq!(of(8, 16_384, "siphash"), 512);
}

#[test]
fn policies_travel_through_words_and_registers() {
    let marks = (0..64).map(Policy::Mark);
    for policy in [Policy::Pass, Policy::Drop].into_iter().chain(marks) {
        assert_eq!(policy.to_string().parse(), Ok(policy));
        assert_eq!(Policy::from_register(policy.register()), policy);
    }
    assert_eq!(Policy::Mark(46).register(), 0x2E02);
    assert_eq!(Policy::from_register(0x2E03), Policy::Pass, "action 3");
    assert_eq!(Policy::from_register(0x2E01), Policy::Drop);
}

#[test]
fn the_packet_path_ends_the_list_of_blocks() {
    let map = RegisterMap::of(inline());
    let next = |block| map.register(block, "NEXT_BLOCK").expect("has one").reset;
    assert_eq!(next("counters"), Some(address::ITEM_PORT));
    assert_eq!(next("item_port"), Some(address::PACKET_PATH));
    assert_eq!(next("packet_path"), Some(0));
    assert_eq!(map.address_bits, 10);
    let block = map.block("packet_path").expect("has one");
    assert_eq!(
        (block.offset, block.registers[0].reset),
        (0x200, Some(BLOCK_PACKET_PATH))
    );
    assert!(block.registers.is_sorted_by(|a, b| a.offset < b.offset));
    assert!(block.registers.iter().all(|r| r.offset + 4 <= 0x400));
    let named = |name, offset, access, width, reset| {
        let register = map.register("packet_path", name).expect(name);
        assert_eq!(
            (
                register.offset,
                register.access,
                register.width,
                register.reset
            ),
            (offset, access, width, Some(reset)),
            "{name}"
        );
    };
    named("LEARN", 0x20C, Access::ReadWrite, 1, 1);
    named("MAX_FRAME", 0x210, Access::ReadWrite, 16, 1_518);
    named("POLICY_UNSEEN", 0x220, Access::ReadWrite, 14, 0x802);
    named("POLICY_SEEN", 0x224, Access::ReadWrite, 14, 0);
    named("POLICY_TOO_DEEP", 0x234, Access::ReadWrite, 14, 0);
    named("POLICY_BAD", 0x23C, Access::ReadWrite, 14, 1);
    named("FRAMES_UNSEEN_LO", 0x240, Access::ReadOnly, 32, 0);
    named("FRAMES_BAD_HI", 0x27C, Access::ReadOnly, 32, 0);
    named("OVERFLOWS_LO", 0x280, Access::ReadOnly, 32, 0);
    named("DROPPED_LO", 0x288, Access::ReadOnly, 32, 0);
    named("MARKED_HI", 0x294, Access::ReadOnly, 32, 0);
}

#[test]
fn every_counter_and_policy_has_the_register_its_number_says() {
    let map = RegisterMap::of(inline());
    let name = |offset| map.at(offset).map_or("", |register| register.name);
    for (index, counter) in PathCounter::all().enumerate() {
        assert_eq!(counter.index(), index);
        let low = name(counter.address_lo())
            .strip_suffix("_LO")
            .expect("a low half");
        assert_eq!(name(counter.address_hi()).strip_suffix("_HI"), Some(low));
        if let PathCounter::Frames(class) = counter {
            let word = class.word().to_uppercase().replace('-', "_");
            assert_eq!(low, format!("FRAMES_{word}"));
            let policy = address::POLICY + 4 * class.number();
            assert_eq!(name(policy), format!("POLICY_{word}"));
        }
    }
}

#[test]
fn a_card_alone_keeps_its_map_and_its_hash() {
    let mut bare = read(&path(&[])).expect("reads");
    bare.packet = None;
    let sizing = bare.validate().expect("is valid");
    let geometry = sizing.with_threshold(20_000).expect("is legal");
    assert_eq!((geometry.packet(), geometry.map_address_bits()), (None, 9));
    let map = RegisterMap::of(&geometry);
    assert_eq!(
        map.register("item_port", "NEXT_BLOCK")
            .and_then(|r| r.reset),
        Some(0)
    );
    assert!(map.block("packet_path").is_none());
    let with = complete(&path(&[])).expect("is legal");
    assert_ne!(with.geometry_hash(), geometry.geometry_hash());
}

#[test]
fn what_changes_the_path_changes_the_geometry_hash() {
    let digest = ("ipv4-5tuple", "frame-digest");
    let section = |line: &str| format!("{SECTION}{line}\n");
    let mut texts = vec![
        path(&[]),
        path(&[("data_bits = 8", "data_bits = 64")]),
        path(&[digest]),
        path(&[digest, (SECTION, &section("mask_hops = true"))]),
    ];
    for line in [
        "buffer_bytes = 4096",
        "max_frame_bytes = 1514",
        "learn = false",
        "tunnels = [\"vxlan\"]",
        "tunnels = [\"vxlan\", \"gtp-u\"]",
        "tunnels = [\"gre\"]",
    ] {
        texts.push(path(&[(SECTION, &section(line))]));
    }
    for class in FrameClass::ALL {
        let line = format!("[packet.policy]\n{class} = \"mark:5\"");
        texts.push(path(&[(SECTION, &section(&line))]));
    }
    let hashes: Vec<u64> = texts
        .iter()
        .map(|text| {
            let geometry = complete(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            geometry.geometry_hash()
        })
        .collect();
    for (index, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..index].contains(hash), "{}", texts[index]);
    }
}

#[test]
fn a_list_of_tunnels_is_a_set_and_none_is_what_no_list_is() {
    let of = |line: &str| {
        let text = path(&[(SECTION, &format!("{SECTION}{line}\n"))]);
        complete(&text).unwrap_or_else(|error| panic!("{line}: {error}"))
    };
    let hash = |line: &str| of(line).geometry_hash();
    assert_eq!(hash("tunnels = []"), hash(""));
    assert_eq!(
        hash("tunnels = [\"gre\", \"vxlan\"]"),
        hash("tunnels = [\"vxlan\", \"gre\"]")
    );
    let tunnels = of("tunnels = [\"gtp-u\", \"ip-in-ip\"]").packet();
    let tunnels = tunnels.expect("has a packet path").tunnels();
    let listed: Vec<Tunnel> = tunnels.iter().collect();
    assert_eq!(listed, [Tunnel::IpInIp, Tunnel::GtpU]);
    assert!(packet(&[]).tunnels().is_empty());
}

#[test]
fn every_kind_of_filter_takes_a_packet_path() {
    let section = read(&path(&[])).expect("reads").packet;
    let on_path = |(file, text): (&str, &str)| {
        let mut spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
        spec.key = read(&path(&[])).expect("reads").key;
        spec.card = Some(CardSection::default());
        spec.packet.clone_from(&section);
        spec
    };
    for example in CELL_EXAMPLES {
        let geometry = match on_path(*example).design() {
            Ok(Design::Cells(geometry)) => geometry,
            other => panic!("{}: {other:?}", example.0),
        };
        let map = RegisterMap::of(&geometry);
        assert!(map.block("packet_path").is_some(), "{}", example.0);
    }
    let geometry = match on_path(SLIDING_EXAMPLES[0]).design() {
        Ok(Design::Sliding(geometry)) => geometry,
        other => panic!("{other:?}"),
    };
    let map = RegisterMap::of(&geometry);
    assert!(map.block("packet_path").is_some());
}

#[test]
fn the_example_reads_back_as_the_same_specification() {
    let (file, text) = PACKET_EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let again = FilterSpec::from_toml(&spec.to_toml(), Path::new(file)).expect("canonical text");
    assert_eq!(again, spec);
    assert_eq!(again.to_toml(), spec.to_toml());
    assert!(spec.to_toml().contains("too-deep = \"pass\""));
    assert_eq!(inline().name(), "in_line");
}

#[test]
fn the_block_reads_as_reviewed() {
    let map = RegisterMap::of(inline());
    let page = map.to_markdown();
    let (_, block) = page.split_once("## Block `packet_path`").expect("has one");
    insta::assert_snapshot!(block);
    let rdl = map.to_systemrdl();
    assert!(rdl.contains("} packet_path @ 0x200;"), "{rdl}");
    assert!(rdl.contains("} POLICY_SEEN @ 0x24;"), "{rdl}");
}

#[test]
fn a_path_of_frames_has_a_keyed_hash_or_says_that_it_trusts_them() {
    let of = |edits: &[(&str, &str)]| complete(&path(edits));
    let keyed = ("family = \"h3-sbox\"", "family = \"siphash\"");
    let untrusted = ("trusted_keys = true\n", "");
    let keyed_path = of(&[keyed, untrusted]).expect("is keyed");
    let trusting = of(&[keyed]).expect("is keyed, and trusts");
    assert_eq!(keyed_path.geometry_hash(), trusting.geometry_hash());
    let told = of(&[untrusted]).expect_err("is public").to_string();
    assert!(
        told.contains("hash.family") && told.contains("trusted_keys"),
        "{told}"
    );
}
