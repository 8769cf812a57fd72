//! `device`, against a file with the layout of a card's registers.

mod common;

use bloomline_spec::registers::{address, field, Counter};
use bloomline_spec::{FilterSpec, Geometry, RegisterMap};
use std::path::Path;

const OFFSET: usize = 0x10_0000;
const URL: &str = "pcie:./bar?offset=0x100000";

fn geometry() -> Geometry {
    let spec = FilterSpec::from_toml(common::BASE, Path::new("tiny.toml")).expect("it parses");
    let sizing = spec.validate().expect("it is valid");
    sizing.with_threshold(20_000).expect("its own threshold")
}

/// A folder with the specification and a BAR whose registers have their reset values and `changed` ones.
fn card(changed: &[(u32, u32)]) -> tempfile::TempDir {
    let folder = common::folder(common::BASE);
    let mut bytes = vec![0; OFFSET + 4096];
    let mut put = |address: u32, value: u32| {
        let place = OFFSET + address as usize;
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
    };
    for register in RegisterMap::for_geometry(&geometry()).registers() {
        put(register.offset, register.reset.unwrap_or(0));
    }
    for &(address, value) in changed {
        put(address, value);
    }
    std::fs::write(folder.path().join("bar"), bytes).expect("the file");
    folder
}

#[test]
fn info_tells_hash_and_blocks_without_a_specification() {
    let folder = card(&[]);
    let run = common::run(folder.path(), &["device", URL, "info"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let hash = format!("geometry hash {:016x}", geometry().geometry_hash());
    assert!(run.stdout.starts_with(&hash), "{}", run.stdout);
    for needle in ["0x040", "recycling filter", "0x080", "counters"] {
        assert!(run.stdout.contains(needle), "{needle}: {}", run.stdout);
    }
    let json = common::run(folder.path(), &["device", URL, "info", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["blocks"][1]["type"], 2);
    assert_eq!(json["blocks"][1]["address"], address::COUNTERS);
}

#[test]
fn stats_are_those_of_the_registers() {
    let items = Counter::Items;
    let folder = card(&[
        (
            address::STATUS,
            1 << field::STATUS_RUNNING | 5 << field::STATUS_EPOCH,
        ),
        (address::BITS_ACTIVE, 777),
        (items.address_lo(), 9),
        (items.address_hi(), 2),
    ]);
    let arguments = ["device", URL, "stats", "tiny.toml"];
    let json = common::run(folder.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(json.code, 0, "{}", json.stderr);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!(json["counters"]["items"], (2u64 << 32) + 9);
    assert_eq!(json["counters"]["seen"], 0);
    assert_eq!(json["bits_active"], 777);
    assert_eq!(json["threshold"], 20_000);
    assert_eq!(json["running"], true);
    let text = common::run(folder.path(), &arguments).stdout;
    assert!(text.contains("running, half 0 active, epoch 5"), "{text}");
    assert!(text.contains("8589934601"), "{text}");
}

#[test]
fn what_is_no_device_or_another_is_refused_with_code_2() {
    let folder = card(&[(address::GEOMETRY_HASH_LO, 1)]);
    for (arguments, needle) in [
        (
            ["device", "usb:1", "info"].to_vec(),
            "expected one of the schemes",
        ),
        (
            ["device", "uart:/dev/no-such", "info"].to_vec(),
            "no such device",
        ),
        (
            ["device", "pcie:./bar", "info"].to_vec(),
            "the device's magic is 0x00000000",
        ),
        (
            ["device", URL, "stats", "tiny.toml"].to_vec(),
            "geometry hash is",
        ),
    ] {
        let run = common::run(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(needle), "{}", run.stderr);
    }
}
