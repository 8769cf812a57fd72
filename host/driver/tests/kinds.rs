//! Claims about devices of every kind, whose registers are those of the pipeline models.

use crate::model::{alone, card, key, ModelCard, LIMITS};
use bloomline_driver::{Design, Device, DriverError, Status};
use bloomline_spec::registers::{
    CellCounter, RecyclingCounter, SlidingCounter, BLOCK_CELL_COUNTERS, BLOCK_COUNTERS,
    BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH, BLOCK_ITEM_PORT, BLOCK_RECYCLING_FILTER,
    BLOCK_SLIDING_COUNTERS, BLOCK_SLIDING_FILTER, BLOCK_STATIC_FILTER,
};
use bloomline_spec::{FilterKind, TICK_CLOCKS};
use std::time::Duration;

fn identified(design: &Design) -> Device<ModelCard> {
    Device::identify(ModelCard::new(design), design, LIMITS).expect("a filter of this design")
}

#[test]
fn every_kind_is_identified_by_its_blocks() {
    for &kind in FilterKind::ALL {
        let expected = match kind {
            FilterKind::Recycling => [BLOCK_RECYCLING_FILTER, BLOCK_COUNTERS],
            FilterKind::Static => [BLOCK_STATIC_FILTER, BLOCK_CELL_COUNTERS],
            FilterKind::Counting => [BLOCK_COUNTING_FILTER, BLOCK_CELL_COUNTERS],
            FilterKind::CountMin => [BLOCK_COUNT_MIN_SKETCH, BLOCK_CELL_COUNTERS],
            FilterKind::Sliding => [BLOCK_SLIDING_FILTER, BLOCK_SLIDING_COUNTERS],
        };
        let blocks = |design: &Design| -> Vec<u32> {
            let device = identified(design);
            device.blocks().iter().map(|block| block.kind).collect()
        };
        assert_eq!(blocks(&alone(kind)), expected, "{kind}");
        let with_port = [&expected[..], &[BLOCK_ITEM_PORT]].concat();
        assert_eq!(blocks(&card(kind)), with_port, "{kind}");
    }
}

#[test]
fn a_device_of_one_kind_is_refused_as_another_with_both_hashes() {
    for &kind in FilterKind::ALL {
        for &other in FilterKind::ALL {
            if kind == other {
                continue;
            }
            let (device, specified) = (alone(kind), alone(other));
            let refused = Device::identify(ModelCard::new(&device), &specified, LIMITS);
            let Err(DriverError::GeometryHash { expected, got }) = refused else {
                panic!("{kind} must be refused as {other}");
            };
            assert_eq!(
                (expected, got),
                (specified.geometry_hash(), device.geometry_hash())
            );
        }
    }
}

#[test]
fn status_has_what_the_kind_has() {
    for &kind in FilterKind::ALL {
        let device = identified(&alone(kind));
        device.clear().expect("it runs again");
        let status = device.status().expect("it answers");
        let has = (
            status.running,
            status.active_half.is_some(),
            status.epoch.is_some() && status.spare_epochs.is_some() && status.covered.is_some(),
            status.generation.is_some(),
        );
        let expected = match kind {
            FilterKind::Recycling => (true, true, true, false),
            FilterKind::Sliding => (true, false, false, true),
            _ => (true, false, true, false),
        };
        assert_eq!(has, expected, "{kind}: {status:?}");
    }
    let status = Status::from_bits(&alone(FilterKind::Sliding).register_map(), 0x0000_1E01);
    assert_eq!((status.running, status.generation), (true, Some(0x1E)));
}

#[test]
fn thresholds_are_those_of_the_specification_and_settable_within_its_rule() {
    for (kind, at_first, least, most) in [
        (FilterKind::Recycling, 600, 4, 4095),
        (FilterKind::Counting, 3, 1, 7),
        (FilterKind::CountMin, 400, 1, 4095),
    ] {
        let device = identified(&alone(kind));
        assert_eq!(device.threshold().expect("it answers"), at_first, "{kind}");
        for threshold in [least, most] {
            device.set_threshold(threshold).expect("legal");
            assert_eq!(device.threshold().expect("it answers"), threshold);
        }
        for threshold in [least - 1, most + 1, u64::MAX] {
            let refused = device.set_threshold(threshold);
            assert!(
                matches!(refused, Err(DriverError::Threshold { least: l, most: m, got })
                    if (l, m, got) == (least, most, threshold)),
                "{kind}: {refused:?}"
            );
        }
        assert_eq!(device.threshold().expect("it answers"), most);
    }
}

#[test]
fn what_a_kind_has_not_is_said_before_anything_is_sent() {
    let not_there = |result: Result<(), DriverError>, kind: FilterKind| match result {
        Err(error @ DriverError::NotThere { .. }) => {
            assert!(error.to_string().contains(kind.word()), "{error}");
        }
        other => panic!("{kind}: {other:?}"),
    };
    for &kind in FilterKind::ALL {
        let device = identified(&alone(kind));
        if matches!(kind, FilterKind::Static | FilterKind::Sliding) {
            not_there(device.threshold().map(drop), kind);
            not_there(device.set_threshold(1), kind);
        }
        if kind != FilterKind::Recycling {
            not_there(device.max_age_ticks().map(drop), kind);
            not_there(device.set_max_age_ticks(1), kind);
            not_there(device.bits_active().map(drop), kind);
            not_there(device.counter(RecyclingCounter::Recycles).map(drop), kind);
        }
        if kind != FilterKind::Static {
            not_there(device.rekey(1), kind);
        }
        if kind == FilterKind::Sliding {
            not_there(device.array_word(0).map(drop), kind);
            not_there(device.snapshot(|_| ()).map(drop), kind);
        }
        not_there(device.counter(NoCounterOf(kind).get()).map(drop), kind);
    }
}

#[test]
fn what_another_specification_brings_is_said_with_its_key() {
    let told = |result: Result<(), DriverError>| match result {
        Err(error @ DriverError::NotThere { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let text = told(identified(&alone(FilterKind::Counting)).rekey(1));
    assert_eq!(
        text,
        "rekey: a counting filter has no secret of the hash in its gateware; hash.family is \"h3-sbox\": a secret needs hash.family = \"siphash\" in the \
         specification and a new build"
    );
    let text = told(identified(&alone(FilterKind::Static)).load_host_key(1));
    assert_eq!(
        text,
        "host key: a static filter has no host port that asks for tags in its gateware; the specification has no [packet.host]: a key needs a line card \
         with [packet.host] and auth = \"siphash-2-4\" in it, and a new build"
    );
    let design = card(FilterKind::Static);
    let device = identified(&design);
    let text = told(device.remove(&key(&design, 1, 8)).map(drop));
    assert_eq!(
        text,
        "remove: a static filter has no operation to remove a key in its gateware; filter.kind is \"static\": removing needs filter.kind = \"counting\" in \
         the specification and a new build"
    );
    let design = alone(FilterKind::Static);
    let text = told(identified(&design).insert(&key(&design, 1, 8)).map(drop));
    assert!(
        text.ends_with("has no item port in its gateware; items of a host need [card] in the specification and a new build"),
        "{text}"
    );
}

/// A counter that a kind has not.
struct NoCounterOf(FilterKind);

impl NoCounterOf {
    fn get(self) -> bloomline_driver::CounterRegister {
        match self.0 {
            FilterKind::Sliding => CellCounter::Underflows.into(),
            _ => SlidingCounter::Lost.into(),
        }
    }
}

#[test]
fn an_age_in_time_becomes_whole_ticks_of_the_clock() {
    let design = alone(FilterKind::Recycling);
    let device = identified(&design);
    let tick = f64::from(TICK_CLOCKS) / design.common().clock_hz() as f64;
    for (age, ticks) in [
        (Duration::ZERO, 0),
        (Duration::from_nanos(1), 1),
        (Duration::from_secs_f64(10.5 * tick), 10),
        (Duration::from_secs(1), (1.0 / tick) as u32),
    ] {
        assert_eq!(device.set_max_age(age).expect("legal"), ticks);
        assert_eq!(device.max_age_ticks().expect("it answers"), ticks);
    }
    let refused = device.set_max_age(Duration::from_secs(u64::MAX));
    assert!(
        matches!(refused, Err(DriverError::MaxAge { most, .. })
            if (most.as_secs_f64() / (tick * f64::from(u32::MAX)) - 1.0).abs() < 1e-3),
        "{refused:?}"
    );
}

#[test]
fn every_counter_of_the_kind_is_read_and_named() {
    for &kind in FilterKind::ALL {
        let design = alone(kind);
        let device = identified(&design);
        device.clear().expect("it runs again");
        let counters = device.counters().expect("it answers");
        let names: Vec<_> = counters.iter().map(|(counter, _)| counter.name()).collect();
        let map = design.register_map();
        let of_map = map.block("counters").expect("it has counters");
        let halves = of_map
            .registers
            .iter()
            .filter_map(|register| register.name.strip_suffix("_LO"));
        assert_eq!(names, halves.collect::<Vec<_>>(), "{kind}");
        assert_eq!(counters.named("ITEMS"), Some(0), "{kind}");
        assert!(
            counters.named("STALL_CONTROL") > Some(0),
            "{kind}: {counters:?}"
        );
    }
}
