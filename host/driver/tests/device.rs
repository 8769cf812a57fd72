//! Claims about the device, against a fake that answers by the register map.

use crate::common::{geometry, Fake};
use bloomline_driver::{conformance, Device, DriverError, Limits, Transport, TransportError};
use bloomline_spec::registers::{address, RecyclingCounter, MAGIC, MAP_VERSION};
use bloomline_spec::{
    all_examples, Design, FilterSpec, RegisterMap, LINECARD_EXAMPLES, PACKET_EXAMPLES,
};
use std::path::Path;
use std::time::Duration;

const LIMITS: Limits = Limits {
    access: Duration::from_millis(50),
    command: Duration::from_millis(50),
};

fn identified(fake: &mut Fake) -> Device<&mut Fake> {
    Device::identify(fake, geometry(), LIMITS).expect("a filter of this geometry")
}

fn refusal(address: u32, value: u32) -> DriverError {
    let mut fake = Fake::new(&geometry());
    fake.values.insert(address, value);
    match Device::identify(&mut fake, geometry(), LIMITS) {
        Ok(_) => panic!("0x{address:03X} = 0x{value:X} must be refused"),
        Err(error) => error,
    }
}

#[test]
fn the_fake_passes_the_conformance_suite() {
    let geometry = geometry();
    conformance::check(&mut Fake::new(&geometry), &geometry, LIMITS.access).expect("conforms");
}

#[test]
fn conformance_finds_a_transport_that_answers_zero_when_nothing_came() {
    struct Zeros(Fake);
    impl Transport for Zeros {
        fn read(&mut self, address: u32, within: Duration) -> Result<u32, TransportError> {
            Ok(self.0.read(address, within).unwrap_or(0))
        }
        fn write(&mut self, a: u32, value: u32, within: Duration) -> Result<(), TransportError> {
            self.0.write(a, value, within)
        }
    }
    let geometry = geometry();
    let found = conformance::check(&mut Zeros(Fake::new(&geometry)), &geometry, LIMITS.access);
    let message = found.expect_err("zeros for a missing register are no answer");
    assert!(message.contains("where no register is"), "{message}");
}

#[test]
fn a_filter_of_the_geometry_is_identified_with_both_blocks() {
    let mut fake = Fake::new(&geometry());
    let device = identified(&mut fake);
    let kinds: Vec<_> = device
        .blocks()
        .iter()
        .map(|block| (block.address, block.kind, block.version))
        .collect();
    assert_eq!(kinds, [(0x40, 1, 3), (0x80, 2, 1)]);
}

#[test]
fn a_card_in_a_packet_path_and_a_line_card_are_identified_with_all_their_blocks() {
    for (file, text) in PACKET_EXAMPLES.iter().chain(LINECARD_EXAMPLES) {
        let sizing = FilterSpec::from_toml(text, Path::new(file)).and_then(|spec| spec.validate());
        let geometry = sizing
            .and_then(|sizing| sizing.with_threshold(20_000))
            .expect("an example");
        let device = Device::identify(Fake::new(&geometry), &geometry, LIMITS).expect(file);
        let found: Vec<u32> = device.blocks().iter().map(|block| block.address).collect();
        let map = RegisterMap::of(&geometry);
        let listed: Vec<u32> = map.blocks.iter().map(|block| block.offset).collect();
        assert_eq!(found, listed[1..], "{file}: all but the identification");
        assert!(found.contains(&address::PACKET_PATH), "{file}");
    }
}

#[test]
fn strangers_are_refused_with_both_values() {
    assert!(
        matches!(refusal(address::MAGIC, 7), DriverError::Magic { expected, got: 7 } if expected == MAGIC)
    );
    assert!(
        matches!(refusal(address::VERSION, 2), DriverError::MapVersion { expected, got: 2 } if expected == MAP_VERSION)
    );
    let expected_hash = geometry().geometry_hash();
    let other = refusal(address::GEOMETRY_HASH_HI, 7);
    let message = other.to_string();
    assert!(
        matches!(other, DriverError::GeometryHash { expected, got } if expected == expected_hash && got >> 32 == 7)
    );
    assert!(
        message.contains(&format!("{expected_hash:016x}")),
        "{message}"
    );
}

/// Every example, and filters with what no example has.
fn designs() -> Vec<Design> {
    let more = |name: &str, text: &str| {
        let found = all_examples().find(|(file, _)| file.ends_with(name));
        let (file, example) = found.expect("an example");
        (file, format!("{example}\n{text}"))
    };
    let plain = all_examples().map(|(file, text)| (file, text.to_owned()));
    let changed = [
        more("onehit.toml", "[memory]\necc = true\n"),
        more("hotkeys.toml", "[memory]\necc = true\n"),
        more("window.toml", "[memory]\nparity = \"count\"\n"),
        more("window.toml", "[memory]\necc = true\n"),
        more("recent.toml", "[memory]\necc = true\n"),
    ];
    plain
        .chain(changed)
        .map(|(file, text)| {
            let spec = FilterSpec::from_toml(&text, Path::new(file)).expect(file);
            match spec.design() {
                Ok(design) => design,
                // its threshold is found by theory
                Err(_) => {
                    let sizing = spec.validate().expect(file);
                    sizing.with_threshold(20_000).expect(file).into()
                }
            }
        })
        .collect()
}

#[test]
fn no_design_of_this_release_is_taken_for_one_of_a_newer_release_and_every_newer_block_is_told() {
    for design in designs() {
        let fake = Fake::with_map(design.register_map());
        let device = Device::identify(fake, &design, LIMITS).expect("it is of this release");
        for block in device.blocks() {
            let mut fake = Fake::with_map(design.register_map());
            // another design altogether: what is new in it is more to the point than its hash
            fake.values.insert(address::GEOMETRY_HASH_LO, 7);
            fake.values.insert(block.address + 4, 9);
            let refused = match Device::identify(fake, &design, LIMITS) {
                Ok(_) => panic!("block {block:?} of version 9 must be refused"),
                Err(error) => error,
            };
            assert!(
                matches!(refused, DriverError::NewerBlock { address, version: 9, newest: Some(newest), .. }
                    if address == block.address && newest >= block.version),
                "{refused}"
            );
            assert!(refused.to_string().contains("newer release"), "{refused}");
        }
    }
    assert!(matches!(
        refusal(address::COUNTERS, 99),
        DriverError::NewerBlock {
            kind: 99,
            newest: None,
            ..
        }
    ));
}

#[test]
fn a_damaged_block_list_is_refused_and_never_followed_for_ever() {
    for (value, why) in [
        (0x41, "no multiple of 4"),
        (0x1000, "outside"),
        (0xFC, "outside"),
        (u32::MAX - 3, "outside"),
    ] {
        let error = refusal(address::FIRST_BLOCK, value);
        assert!(
            matches!(error, DriverError::BlockList { to, .. } if to == value)
                && error.to_string().contains(why),
            "{error}"
        );
    }
    let circle = refusal(address::COUNTERS_NEXT, address::FILTER);
    assert!(circle.to_string().contains("circle"), "{circle}");
    assert!(matches!(
        refusal(address::COUNTERS, 9),
        DriverError::UnknownBlock {
            kind: 9,
            version: 1,
            address: address::COUNTERS,
            expected: None,
        }
    ));
    for version in [1, 2, 4] {
        let error = refusal(address::FILTER_VERSION, version);
        assert!(
            matches!(error, DriverError::UnknownBlock { version: got, .. } if got == version),
            "{error}"
        );
    }
    assert!(matches!(
        refusal(address::FIRST_BLOCK, address::COUNTERS),
        DriverError::MissingBlock { name: "filter", .. }
    ));
    assert!(matches!(
        refusal(address::FILTER_NEXT, 0),
        DriverError::MissingBlock {
            name: "counters",
            ..
        }
    ));
}

#[test]
fn silence_is_a_timeout_that_names_the_register_not_a_zero() {
    let mut fake = Fake::new(&geometry());
    fake.silent = Some(address::STATUS);
    let error = identified(&mut fake)
        .status()
        .expect_err("no answer, no status");
    assert_eq!(
        error.to_string(),
        "status: register 0x050: no answer within 50 ms; check that the device is powered, configured and clocked, then try again (over Ethernet `timeout_ms=` in the URL sets the time; each access of a burst has its share of it)"
    );
}

#[test]
fn status_is_taken_apart_by_its_fields() {
    let mut fake = Fake::new(&geometry());
    fake.values.insert(address::STATUS, 0x1E52);
    let status = identified(&mut fake).status().expect("answers");
    assert_eq!(
        (
            status.running,
            status.active_half,
            status.epoch,
            status.spare_epochs,
            status.covered
        ),
        (true, Some(1), Some(5), Some(14), Some(true))
    );
}

#[test]
fn thresholds_are_set_within_the_rule_and_never_sent_beyond_it() {
    let mut fake = Fake::new(&geometry());
    let device = identified(&mut fake);
    assert_eq!(device.threshold().expect("answers"), 30_000);
    for threshold in [4, 65_535] {
        device.set_threshold(threshold).expect("legal");
        assert_eq!(device.threshold().expect("answers"), threshold);
    }
    for threshold in [0, 3, 65_536, 1 << 32 | 4] {
        let error = device.set_threshold(threshold).expect_err("illegal");
        assert!(
            matches!(error, DriverError::Threshold { least: 4, most: 65_535, got } if got == threshold)
        );
    }
    assert_eq!(
        fake.writes,
        [(address::THRESHOLD, 4), (address::THRESHOLD, 65_535)]
    );
}

#[test]
fn clear_waits_until_the_filter_runs_and_says_so_when_it_does_not() {
    let mut fake = Fake::new(&geometry());
    fake.clocks_to_clear = 5;
    identified(&mut fake).clear().expect("runs again");
    assert_eq!(fake.writes, [(address::CONTROL, 1)]);
    fake.clocks_to_clear = u32::MAX;
    let error = identified(&mut fake).clear().expect_err("never runs");
    assert!(
        matches!(
            error,
            DriverError::NotRunning {
                command: "clear",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_counter_that_carries_between_its_halves_is_never_torn() {
    let mut fake = Fake::new(&geometry());
    fake.set_counter(RecyclingCounter::Items, 0xFFFF_FFF0);
    fake.busy = Some(RecyclingCounter::Items.into());
    let device = identified(&mut fake);
    let mut last = 0;
    let mut carried = false;
    for _ in 0..64 {
        let value = device.counter(RecyclingCounter::Items).expect("answers");
        assert!(
            value > last && (last == 0 || value - last == 2),
            "{last:x} then {value:x}"
        );
        carried |= value > u64::from(u32::MAX);
        last = value;
    }
    assert!(carried, "the carry must be crossed: {last:x}");
}

#[test]
fn counters_are_told_apart() {
    let mut fake = Fake::new(&geometry());
    for &counter in geometry().counters() {
        fake.set_counter(counter, (counter as u64 + 1) << 33 | 5);
    }
    let counters = identified(&mut fake).counters().expect("answers");
    for &counter in geometry().counters() {
        let expected = (counter as u64 + 1) << 33 | 5;
        assert_eq!(counters.get(counter), Some(expected), "{}", counter.name());
    }
}

#[test]
fn a_burst_keeps_to_its_deadline() {
    struct Slow;
    impl Transport for Slow {
        fn read(&mut self, _: u32, _: Duration) -> Result<u32, TransportError> {
            std::thread::sleep(Duration::from_millis(5));
            Ok(1)
        }
        fn write(&mut self, _: u32, _: u32, _: Duration) -> Result<(), TransportError> {
            Ok(())
        }
    }
    let error = Slow
        .burst(0, &mut [0; 100], Duration::from_millis(12))
        .expect_err("100 reads of 5 ms");
    assert!(matches!(error, TransportError::Timeout { .. }), "{error}");
}
