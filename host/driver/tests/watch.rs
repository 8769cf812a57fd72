//! Claims about samples and events.

use crate::common::{geometry, geometry_with_parity, Fake, Kept};
use crate::model::{alone, key, ModelCard, LIMITS};
use bloomline_driver::{Device, DriverError, Event, Watch};
use bloomline_spec::registers::{address, CellCounter, RecyclingCounter, SlidingCounter};
use bloomline_spec::FilterKind;
use std::time::{Duration, Instant};

#[test]
fn events_are_told_once_by_what_the_counters_gained() {
    let kept = Kept::new(Fake::new(&geometry()));
    let device = Device::identify(kept.clone(), geometry(), LIMITS).expect("a filter");
    let mut watch = Watch::new(&device, Duration::ZERO);
    let mut events = || watch.next().expect("endless").expect("it answers").events;
    kept.with(|fake| fake.set_counter(RecyclingCounter::Recycles, 5));
    assert_eq!(events(), [], "what was before the first sample is no event");
    kept.with(|fake| {
        fake.set_counter(RecyclingCounter::Recycles, 7);
        fake.set_counter(RecyclingCounter::Items, 900);
        fake.set_counter(RecyclingCounter::StallVerdict, 1 << 40);
    });
    let stalled = Event::Stalled {
        cause: RecyclingCounter::StallVerdict.into(),
        clocks: 1 << 40,
    };
    assert_eq!(events(), [Event::Recycled { times: 2 }, stalled]);
    assert_eq!(events(), []);
    kept.with(|fake| fake.set_counter(RecyclingCounter::Recycles, 6));
    let before = device.sample().expect("it answers");
    kept.with(|fake| {
        fake.set_counter(RecyclingCounter::Recycles, 0);
        fake.set_counter(RecyclingCounter::Items, 1000);
    });
    let after = device.sample().expect("it answers");
    assert_eq!(after.events_since(&before), [Event::Restarted]);
    assert_eq!(
        after.items_per_second(&before),
        None,
        "what came before the reset is not known"
    );
    assert_eq!(events(), [Event::Restarted]);
    kept.with(|fake| fake.silent = Some(address::STATUS));
    assert!(watch.next().expect("endless").is_err());
    kept.with(|fake| fake.silent = None);
    assert!(
        watch.next().expect("endless").is_ok(),
        "it goes on after an error"
    );
}

#[test]
fn a_card_that_became_another_design_behind_an_open_link_is_told() {
    let kept = Kept::new(Fake::new(&geometry()));
    let device = Device::identify(kept.clone(), geometry(), LIMITS).expect("a filter");
    device.sample().expect("it is still the same");
    let hash = geometry().geometry_hash();
    kept.with(|fake| {
        fake.values
            .insert(address::GEOMETRY_HASH_LO, hash as u32 ^ 1)
    });
    let told = device.sample();
    let (expected, other) = (hash, hash ^ 1);
    assert!(
        matches!(told, Err(DriverError::GeometryHash { expected: e, got }) if (e, got) == (expected, other)),
        "{told:?}"
    );
}

#[test]
fn a_sample_has_the_registers_of_the_kind() {
    for &kind in FilterKind::ALL {
        let design = alone(kind);
        let device = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a filter");
        let sample = device.sample().expect("it answers");
        let recycling = kind == FilterKind::Recycling;
        assert_eq!(sample.bits_active.is_some(), recycling, "{kind}");
        assert_eq!(sample.bits_frozen.is_some(), recycling, "{kind}");
        assert_eq!(sample.messages.is_some(), recycling, "{kind}");
        assert_eq!(sample.max_age_ticks.is_some(), recycling, "{kind}");
        let thresholds = design.thresholds().is_some();
        assert_eq!(sample.threshold.is_some(), thresholds, "{kind}");
    }
}

#[test]
fn counters_that_overflow_and_run_under_are_events_of_their_kind() {
    let design = alone(FilterKind::Counting);
    let mut link = ModelCard::new(&design);
    link.stream(&key(&design, 9, 99), 3);
    for _ in 0..8 {
        link.stream(&key(&design, 1, 99), 1);
    }
    link.idle(100);
    let device = Device::identify(link, &design, LIMITS).expect("a filter");
    let mut before = device.sample().expect("it answers");
    let after = before.clone();
    before.counters = Default::default();
    assert_eq!(
        after.events_since(&before),
        [Event::Restarted],
        "no counter in common"
    );
    let fresh = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a filter");
    let events = after.events_since(&fresh.sample().expect("it answers"));
    assert!(
        events.contains(&Event::Underflowed { items: 1 }),
        "{events:?}"
    );
    // 3-bit counters stand at 7 with the seventh insertion, and after the eighth.
    assert!(
        events.contains(&Event::Saturated { items: 2 }),
        "{events:?}"
    );
}

#[test]
fn words_of_wrong_parity_are_events_where_there_is_parity() {
    let geometry = geometry_with_parity();
    let kept = Kept::new(Fake::new(&geometry));
    let device = Device::identify(kept.clone(), &geometry, LIMITS).expect("a filter with parity");
    let before = device.sample().expect("it answers");
    assert_eq!(before.counters.get(RecyclingCounter::ParityErrors), Some(0));
    kept.with(|fake| fake.set_counter(RecyclingCounter::ParityErrors, 3));
    let after = device.sample().expect("it answers");
    assert_eq!(
        after.events_since(&before),
        [Event::WrongWords { slots: 3 }]
    );
    let plain = Device::identify(
        Fake::new(&crate::common::geometry()),
        crate::common::geometry(),
        LIMITS,
    );
    let plain = plain.expect("a filter without");
    assert!(plain.counter(RecyclingCounter::ParityErrors).is_err());
}

#[test]
fn corrected_and_uncorrectable_words_are_events_of_every_kind_that_has_them() {
    for kind in [
        FilterKind::Recycling,
        FilterKind::Static,
        FilterKind::Counting,
        FilterKind::CountMin,
        FilterKind::Sliding,
    ] {
        let text = format!("{}\n[memory]\necc = true\n", crate::model::text(kind));
        let design = crate::model::design(&text);
        let kept = Kept::new(Fake::with_map(design.register_map()));
        let device = Device::identify(kept.clone(), &design, LIMITS).expect("a filter");
        let before = device.sample().expect("it answers");
        assert_eq!(before.counters.named("ECC_CORRECTED"), Some(0));
        assert_eq!(before.counters.named("PARITY_ERRORS"), None);
        kept.with(|fake| {
            fake.set_counter(CellCounter::EccCorrected, 4);
            fake.set_counter(CellCounter::EccUncorrectable, 1);
        });
        let after = device.sample().expect("it answers");
        assert_eq!(
            after.events_since(&before),
            [
                Event::CorrectedWords { slots: 4 },
                Event::UncorrectableWords { slots: 1 }
            ]
        );
        let link = ModelCard::new(&design);
        assert!(Device::identify(link, alone(kind), LIMITS).is_err());
    }
}

#[test]
fn filters_of_cells_have_that_counter_too() {
    for kind in [
        FilterKind::Static,
        FilterKind::Counting,
        FilterKind::CountMin,
    ] {
        let parity = format!(
            "{}\n[memory]\nparity = \"count\"\n",
            crate::model::text(kind)
        );
        let design = crate::model::design(&parity);
        let kept = Kept::new(Fake::with_map(design.register_map()));
        let device = Device::identify(kept.clone(), &design, LIMITS).expect("a filter");
        let before = device.sample().expect("it answers");
        assert_eq!(before.counters.get(CellCounter::ParityErrors), Some(0));
        kept.with(|fake| fake.set_counter(CellCounter::ParityErrors, 4));
        let after = device.sample().expect("it answers");
        assert_eq!(after.counters.named("PARITY_ERRORS"), Some(4));
        assert_eq!(
            after.events_since(&before),
            [Event::WrongWords { slots: 4 }]
        );
        let link = ModelCard::new(&design);
        assert!(Device::identify(link, alone(kind), LIMITS).is_err());
    }
}

#[test]
fn a_filter_with_parity_is_not_taken_for_one_without() {
    let fake = Fake::new(&geometry_with_parity());
    assert!(Device::identify(fake, geometry(), LIMITS).is_err());
}

#[test]
fn elements_that_find_no_room_are_events() {
    let text = crate::model::text(FilterKind::Sliding);
    let design = crate::model::design(&text);
    let device = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a filter");
    let sample = device.sample().expect("it answers");
    assert_eq!(sample.counters.get(SlidingCounter::Lost), Some(0));
    let lost = bloomline_driver::CounterRegister::from(SlidingCounter::Lost);
    assert_eq!(sample.since(&sample, lost), Some(0));
    assert_eq!(sample.events_since(&sample), []);
}

#[test]
fn a_sliding_window_with_parity_has_the_counter_and_one_without_has_not() {
    let plain = crate::model::text(FilterKind::Sliding);
    let with = format!("{plain}\n[memory]\nparity = \"count\"\n");
    for (text, expected) in [(plain, None), (with, Some(0))] {
        let design = crate::model::design(&text);
        let device = Device::identify(ModelCard::new(&design), &design, LIMITS);
        let sample = device.expect("a filter").sample().expect("it answers");
        let counted = sample.counters.get(SlidingCounter::ParityErrors);
        assert_eq!(counted, expected);
    }
}

#[test]
fn samples_come_at_their_pace() {
    let device = Device::identify(Fake::new(&geometry()), geometry(), LIMITS).expect("a filter");
    let period = Duration::from_millis(30);
    let start = Instant::now();
    let samples: Vec<_> = Watch::new(&device, period)
        .take(4)
        .map(|sample| sample.expect("it answers"))
        .collect();
    assert!(start.elapsed() >= 3 * period);
    for pair in samples.windows(2) {
        assert!(pair[1].at - pair[0].at >= period - Duration::from_millis(2));
        assert_eq!(pair[1].items_per_second(&pair[0]), Some(0.0));
    }
}
