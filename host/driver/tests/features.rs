//! Claims about devices whose specification leaves something out.

use crate::common::{Fake, Kept};
use crate::model::{design, key, text, ModelCard, LIMITS};
use bloomline_driver::{Design, Device, DriverError, Event, NewSecret, Settings, Verdict, Watch};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::FilterKind;
use std::time::Duration;

/// A recycling filter with a spare half and these features, on a card.
fn with(features: &str) -> Design {
    let sections = format!("[memory]\nerase = \"spare-half\"\n[features]\n{features}\n[card]\n");
    design(&format!("{}{sections}", text(FilterKind::Recycling)))
}

fn identified(design: &Design) -> Device<ModelCard> {
    Device::identify(ModelCard::new(design), design, LIMITS).expect("a filter of this design")
}

fn not_built<T: std::fmt::Debug>(result: Result<T, DriverError>, key: &str) {
    match result {
        Err(error @ DriverError::NotBuilt { .. }) => {
            let told = error.to_string();
            assert!(told.contains(key) && told.contains("not built"), "{told}");
        }
        other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn what_is_not_built_is_said_before_anything_is_sent_and_the_rest_works() {
    let design = with("counters = \"none\"\narray_access = false\nmax_age = false");
    let device = identified(&design);
    not_built(device.counter(RecyclingCounter::Items), "features.counters");
    not_built(device.max_age_ticks(), "features.max_age");
    not_built(device.set_max_age_ticks(3), "features.max_age");
    not_built(
        device.set_max_age(Duration::from_secs(1)),
        "features.max_age",
    );
    not_built(device.array_word(0), "features.array_access");
    not_built(device.set_array_bits(0, 1), "features.array_access");
    not_built(device.snapshot(|_| ()), "features.array_access");
    let sample = device.sample().expect("it answers");
    assert_eq!(sample.max_age_ticks, None);
    assert_eq!(sample.counters.iter().count(), 0);
    assert!(!sample.counters.are_built());
    device.set_threshold(500).expect("it answers");
    device.recycle().expect("it answers");
    device.clear().expect("it answers");
    let seen = |number| match device.query(&key(&design, number, 1_000)) {
        Ok(Verdict::Recycling(flags)) => flags.seen(),
        other => panic!("{other:?}"),
    };
    device.insert(&key(&design, 7, 1_000)).expect("it answers");
    assert!(seen(7) && !seen(8));
}

#[test]
fn without_counters_words_are_read_and_set_but_no_snapshot_is_taken() {
    let design = with("counters = \"none\"");
    let device = identified(&design);
    device.set_array_bits(1, 0b1001).expect("it answers");
    assert_eq!(device.array_word(1).expect("it answers"), 0b1001);
    assert_eq!(device.bits_active().expect("it answers"), 2);
    not_built(device.snapshot(|_| ()), "features.counters");
}

#[test]
fn a_snapshot_comes_back_into_a_filter_with_short_counters_and_without_a_timer() {
    let design = with("counters = 32\nmax_age = false");
    let device = identified(&design);
    for number in 0..200 {
        let inserted = device.insert(&key(&design, number, 1_000));
        inserted.expect("it answers");
    }
    let snapshot = device.snapshot(|_| ()).expect("nothing recycles");
    let items = device.counter(RecyclingCounter::Items).expect("it answers");
    assert_eq!(snapshot.items(), [items; 2]);
    device.clear().expect("it answers");
    device.restore(&snapshot, |_| ()).expect("it comes back");
    let again = device.snapshot(|_| ()).expect("nothing recycles");
    assert_eq!(again.words(), snapshot.words());
}

#[test]
fn a_short_counter_that_goes_round_goes_on() {
    let design = with("counters = 32");
    let kept = Kept::new(Fake::with_map(design.register_map()));
    let device = Device::identify(kept.clone(), &design, LIMITS).expect("a filter");
    let mut watch = Watch::new(&device, Duration::ZERO);
    let mut events = || watch.next().expect("endless").expect("it answers").events;
    let recycles = |count: u32| {
        kept.with(|fake| {
            let low = RecyclingCounter::Recycles.address_lo();
            fake.values.insert(low, count);
        });
    };
    recycles(u32::MAX);
    assert_eq!(events(), []);
    recycles(2);
    assert_eq!(events(), [Event::Recycled { times: 3 }]);
    recycles(0);
    assert_eq!(events(), [Event::Restarted]);
}

/// One setting that cannot be had keeps all others from being set.
#[test]
fn settings_are_made_together_or_not_at_all() {
    let design = with("");
    let device = identified(&design);
    let before = device.threshold().expect("it answers");
    let wanted = Settings {
        threshold: Some(500),
        ..Settings::default()
    };
    let ages = Settings {
        max_age: Some(Duration::from_secs(1_000_000_000)),
        ..wanted.clone()
    };
    let secret = Settings {
        secret: Some(NewSecret {
            secret: 1,
            clear: false,
        }),
        ..wanted.clone()
    };
    let lanes = Settings {
        learns: vec![(0, true)],
        ..wanted.clone()
    };
    for settings in [ages, secret, lanes] {
        device
            .configure(&settings)
            .expect_err("this filter has no such setting");
        assert_eq!(device.threshold().expect("it answers"), before);
    }
    let both = Settings {
        max_age: Some(Duration::ZERO),
        ..wanted
    };
    device.configure(&both).expect("legal");
    assert_eq!(device.threshold().expect("it answers"), 500);
}

#[test]
fn a_device_with_the_registers_of_the_field_alone_is_identified_and_set_and_the_rest_is_said_to_be_missing(
) {
    let design = with("registers = \"threshold\"");
    let device = identified(&design);
    not_built(
        device.counter(RecyclingCounter::Items),
        "features.registers",
    );
    not_built(device.bits_active(), "features.registers");
    not_built(device.messages(), "features.registers");
    not_built(device.array_word(0), "features.registers");
    not_built(device.snapshot(|_| ()), "features.registers");
    let sample = device.sample().expect("it answers");
    assert_eq!((sample.bits_active, sample.max_age_ticks), (None, Some(0)));
    device.set_max_age_ticks(3).expect("it answers");
    device.set_threshold(500).expect("it answers");
    assert_eq!(device.threshold().expect("it answers"), 500);
    device.recycle().expect("it answers");
    device.clear().expect("it answers");
    device.insert(&key(&design, 7, 1_000)).expect("it answers");
    match device.query(&key(&design, 7, 1_000)) {
        Ok(Verdict::Recycling(flags)) => assert!(flags.seen()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_filter_without_registers_is_refused_before_anything_is_sent() {
    let sections = "[memory]\nerase = \"spare-half\"\n[features]\nregisters = \"none\"\n";
    let unreached = design(&format!("{}{sections}", text(FilterKind::Recycling)));
    let link = ModelCard::new(&with(""));
    let refused = Device::identify(link, &unreached, LIMITS).map(|_| ());
    not_built(refused, "features.registers");
}
