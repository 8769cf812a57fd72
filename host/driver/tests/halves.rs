//! Claims about snapshots of recycling filters: both halves as they stood in one cycle, or none at all.

use crate::model::{alone, card, design, key, text, ModelCard, LIMITS};
use bloomline_driver::{
    Cycle, Design, Device, DriverError, Snapshot, SnapshotError, Transport, TransportError, Within,
};
use bloomline_model::RecyclingFilter;
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{FilterKind, HalfRole, Operation, RecycleOn, RecyclingGeometry};
use std::cell::Cell;
use std::path::Path;

fn geometry(design: &Design) -> &RecyclingGeometry {
    match design {
        Design::Recycling(geometry) => geometry,
        other => panic!("{other:?}"),
    }
}

/// A device and a model that have met the keys of these numbers.
fn filled(design: &Design, numbers: std::ops::Range<u64>) -> (Device<ModelCard>, RecyclingFilter) {
    let mut link = ModelCard::new(design);
    let mut filter = RecyclingFilter::new(geometry(design));
    for number in numbers {
        let key = key(design, number, 1 << 20);
        link.stream(&key, 1);
        filter.apply(&key, Operation::Insert);
    }
    let device = Device::identify(link, design, LIMITS).expect("a filter of this design");
    (device, filter)
}

/// The words of the model, in the order of a snapshot.
fn words_of(design: &Design, filter: &RecyclingFilter) -> Vec<u32> {
    let geometry = geometry(design);
    let words = geometry.words_per_bank() as u32;
    let banks = (0..geometry.banks()).flat_map(|bank| (0..words).map(move |word| (bank, word)));
    HalfRole::of(geometry.phases())
        .iter()
        .flat_map(|&half| banks.clone().map(move |place| (half, place)))
        .map(|(half, (bank, word))| filter.word(half, bank, word))
        .collect()
}

/// Specifications of every make: partitioned, also of 33 words a bank, and shared, one phase and two, bits set and messages, keyed.
fn designs() -> Vec<Design> {
    let base = text(FilterKind::Recycling);
    let shared = "hashing = \"independent\"\nlayout = \"shared\"";
    let five = base
        .replace("memory_bits = 8192", "memory_bits = 10240")
        .replace("hashes = 4", "hashes = 5");
    let any_size = base
        .replace("memory_bits = 8192", "memory_bits = 8448")
        .replace("hashes = 4", "hashes = 4\nrange = 1051");
    [
        base.clone(),
        five,
        any_size,
        base.replace("phases = 2", "phases = 1"),
        base.replace("bits-set", "messages"),
        base.replace("hashing = \"double\"", shared),
        format!("{base}\n[hash]\nfamily = \"siphash\"\n"),
    ]
    .map(|text| design(&text))
    .into()
}

#[test]
fn a_snapshot_holds_both_halves_of_the_model() {
    for design in designs() {
        let (device, filter) = filled(&design, 0..1_000);
        let mut told = 0;
        let snapshot = device.snapshot(|done| told = done).expect("it answers");
        let shape = snapshot.shape();
        let name = format!("{:?}", shape);
        assert_eq!(told, shape.words(), "{name}");
        assert_eq!(snapshot.words(), words_of(&design, &filter), "{name}");
        let bits = [filter.bits_active(), filter.bits_frozen()];
        let halves = shape.halves as usize;
        assert_eq!(snapshot.bits_of_halves(), bits[..halves], "{name}");
        assert_eq!(snapshot.items(), [1_000, 1_000]);
        let cycle = snapshot.cycle().expect("it recycles");
        let geometry = geometry(&design);
        assert_eq!(cycle.on, geometry.recycle_on(), "{name}");
        assert_eq!(u64::from(cycle.messages), filter.messages(), "{name}");
        assert_eq!(
            (cycle.threshold, cycle.recycles),
            (600, filter.recycles()),
            "{name}"
        );
        assert!(cycle.recycles > 0, "{name}");
        assert!(cycle.active_half < shape.halves, "{name}");
        let at = device.status().expect("it answers").active_half;
        assert_eq!(at, Some(cycle.active_half), "{name}");
        assert_eq!(
            snapshot.occupied().len(),
            (shape.halves * shape.banks) as usize
        );
    }
}

#[test]
fn a_word_beyond_the_halves_is_refused() {
    let design = alone(FilterKind::Recycling);
    let (device, filter) = filled(&design, 0..300);
    let words = words_of(&design, &filter);
    for word in [0, 31, 32, 127, 128, 255] {
        let got = device.array_word(word).expect("it answers");
        assert_eq!(got, words[word as usize], "{word}");
    }
    let beyond = device.array_word(256);
    assert!(
        matches!(
            beyond,
            Err(DriverError::ArrayWord {
                words: 256,
                got: 256
            })
        ),
        "{beyond:?}"
    );
}

#[test]
fn a_snapshot_that_a_recycle_or_a_clear_tears_is_taken_again() {
    // By an item, by age, by a clear, and by none.
    for disturbance in 0..4 {
        let design = card(FilterKind::Recycling);
        let (device, _) = filled(&design, 0..180);
        if disturbance == 0 {
            // The next bit-setting item recycles.
            device.set_threshold(4).expect("it answers");
        }
        let disturbed = Cell::new(0);
        let calls = Cell::new(0);
        let snapshot = device.snapshot(|done| {
            calls.set(calls.get() + 1);
            if done != 100 || disturbed.get() > 0 {
                return;
            }
            disturbed.set(calls.get());
            match disturbance {
                0 => device.insert(&key(&design, 9_999, 1 << 20)).expect("taken"),
                1 => {
                    device.set_max_age_ticks(1).expect("it answers");
                    while device
                        .counter(bloomline_spec::registers::RecyclingCounter::Recycles)
                        .expect("it answers")
                        == 0
                    {}
                    device.set_max_age_ticks(0).expect("it answers");
                }
                2 => device.clear().expect("it ends"),
                _ => {}
            }
        });
        let snapshot = snapshot.expect("of the second try");
        let torn = disturbance < 3;
        assert_eq!(calls.get() > 256, torn, "{disturbance}: {}", calls.get());
        let words: Vec<u32> = (0..256)
            .map(|word| device.array_word(word).expect("it answers"))
            .collect();
        assert_eq!(snapshot.words(), words, "{disturbance}");
        let bits = [device.bits_active(), device.bits_frozen()].map(|bits| bits.expect("answered"));
        assert_eq!(snapshot.bits_of_halves(), bits, "{disturbance}");
    }
}

#[test]
fn a_snapshot_that_every_try_tears_is_refused() {
    let design = card(FilterKind::Recycling);
    let (device, _) = filled(&design, 0..100);
    // In the last word of each try, or in the first.
    for place in [256, 1] {
        let mut tries = 0;
        let torn = device.snapshot(|done| {
            if done == place {
                tries += 1;
                device.clear().expect("it ends");
            }
        });
        assert!(
            matches!(
                torn,
                Err(DriverError::SnapshotTorn {
                    words: 256,
                    tries: 8
                })
            ),
            "{torn:?}"
        );
        assert_eq!(tries, 8);
        let message = torn.expect_err("torn").to_string();
        assert!(message.contains("raise the threshold"), "{message}");
    }
}

#[test]
fn items_that_come_meanwhile_are_in_it_or_not_and_nothing_else_is() {
    let design = card(FilterKind::Recycling);
    let (device, filter) = filled(&design, 0..40);
    let mut after = filter.clone();
    let mut number = 40;
    let snapshot = device
        .snapshot(|done| {
            if done % 16 == 8 {
                let key = key(&design, number, 1 << 20);
                device.insert(&key).expect("taken");
                after.apply(&key, Operation::Insert);
                number += 1;
            }
        })
        .expect("no recycle came between");
    assert_eq!(snapshot.items(), [40, 56]);
    assert!(!snapshot.is_of_one_instant());
    let (before, after) = (words_of(&design, &filter), words_of(&design, &after));
    assert!(snapshot.words() != before && snapshot.words() != after);
    for ((&word, before), after) in snapshot.words().iter().zip(before).zip(after) {
        assert_eq!((word & before, word & !after), (before, 0));
    }
}

/// Words that are not 0.
fn filled_words(words: &[u32]) -> u64 {
    words.iter().filter(|&&word| word != 0).count() as u64
}

#[test]
fn a_restored_device_is_the_one_of_the_snapshot_and_goes_on_as_it() {
    for design in designs() {
        let name = format!("{design:?}");
        let (device, mut filter) = filled(&design, 0..1_000);
        let snapshot = device.snapshot(|_| ()).expect("it answers");
        let (other, _) = filled(&design, 5_000..5_700);
        // a limit below the time that it takes
        other.set_max_age_ticks(20).expect("set");
        other.restore(&snapshot, |_| ()).expect("it holds");
        assert_eq!(other.max_age_ticks().expect("it answers"), 20, "{name}");
        other.set_max_age_ticks(0).expect("set");
        let mut told = 0;
        other
            .restore(&snapshot, |done| told = done)
            .expect("it holds");
        assert_eq!(told, 2 * snapshot.shape().words(), "{name}");
        let halves = snapshot.shape().halves as usize;
        let active = &snapshot.words()[..snapshot.words().len() / halves];
        let least = filled_words(active);
        assert_eq!(
            other.messages().expect("it answers"),
            filter.messages().max(least),
            "{name}"
        );
        let bits = [filter.bits_active(), filter.bits_frozen()];
        let counted = [other.bits_active(), other.bits_frozen()].map(|bits| bits.expect("counted"));
        assert_eq!(counted, bits, "{name}");
        let again = other.snapshot(|_| ()).expect("it answers");
        assert_eq!(again.words(), snapshot.words(), "{name}");
        if filter.messages() < least {
            continue;
        }
        let mut link = other.into_transport();
        for number in 1_000..2_000 {
            let key = key(&design, number, 1 << 20);
            link.stream(&key, 1);
            filter.apply(&key, Operation::Insert);
        }
        let other = Device::identify(link, &design, LIMITS).expect("a filter of this design");
        let later = other.snapshot(|_| ()).expect("it answers");
        assert_eq!(later.words(), words_of(&design, &filter), "{name}");
    }
}

#[test]
fn a_restore_that_would_count_more_messages_than_a_cycle_has_writes_nothing() {
    let text = text(FilterKind::Recycling)
        .replace("bits-set", "messages")
        .replace("threshold = 600", "threshold = 20");
    let design = design(&text);
    let (device, filter) = filled(&design, 0..15);
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    let halves = snapshot.words().len() / 2;
    let words = filled_words(&snapshot.words()[..halves]);
    assert!(filter.messages() == 15 && words > 20, "{words}");
    let (other, _) = filled(&design, 100..110);
    let before = other.snapshot(|_| ()).expect("it answers");
    let refused = other.restore(&snapshot, |_| ()).expect_err("too many");
    let message = refused.to_string();
    let parts = [
        format!("{words} words"),
        "15 messages".into(),
        "THRESHOLD is 20".into(),
    ];
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    assert_eq!(other.snapshot(|_| ()).expect("it answers"), before);
    // as many as a cycle has are still refused: the next item would recycle
    other.set_threshold(words).expect("legal");
    other.restore(&snapshot, |_| ()).expect_err("none is left");
    other.set_threshold(words + 1).expect("legal");
    other.restore(&snapshot, |_| ()).expect("it holds");
    assert_eq!(other.messages().expect("it answers"), words);
    assert_eq!(snapshot.messages_restored(), words);
}

#[test]
fn a_recycle_on_command_freezes_the_active_half() {
    for design in designs() {
        let (device, mut filter) = filled(&design, 0..100);
        let recycles = device
            .counter(RecyclingCounter::Recycles)
            .expect("it answers");
        device.recycle().expect("it runs again");
        filter.recycle();
        let snapshot = device.snapshot(|_| ()).expect("it answers");
        assert_eq!(snapshot.words(), words_of(&design, &filter), "{design:?}");
        assert_eq!(
            device
                .counter(RecyclingCounter::Recycles)
                .expect("it answers"),
            recycles + 1
        );
    }
    let refused = filled_cells().recycle();
    assert!(
        matches!(refused, Err(DriverError::NotThere { .. })),
        "{refused:?}"
    );
}

/// A counting filter.
fn filled_cells() -> Device<ModelCard> {
    let design = alone(FilterKind::Counting);
    Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a filter of this design")
}

#[test]
fn bits_are_set_in_the_active_half_and_words_of_it_are_not_replaced() {
    let design = alone(FilterKind::Recycling);
    let (device, _) = filled(&design, 0..100);
    let before = device.snapshot(|_| ()).expect("it answers");
    let (bits, messages) = (device.bits_active(), device.messages());
    let (bits, messages) = (bits.expect("counted"), messages.expect("counted"));
    let old = before.words()[3];
    device.set_array_bits(3, 0x8000_0001).expect("set");
    device.set_array_bits(3, 0x8000_0001).expect("set");
    let new = (0x8000_0001 & !old).count_ones();
    assert_eq!(device.array_word(3).expect("it answers"), old | 0x8000_0001);
    assert_eq!(
        device.bits_active().expect("counted"),
        bits + u64::from(new)
    );
    assert_eq!(
        device.messages().expect("counted"),
        messages + u64::from(new > 0)
    );
    let replaced = device.set_array_word(0, 1);
    assert!(
        matches!(replaced, Err(DriverError::CountedBits { .. })),
        "{replaced:?}"
    );
    let words = before.words().len() as u64 / 2;
    for beyond in [words, 2 * words] {
        let refused = device.set_array_bits(beyond, 1);
        assert!(
            matches!(refused, Err(DriverError::ArrayWord { words: of, got }) if (of, got) == (words, beyond)),
            "{refused:?}"
        );
    }
    let refused = filled_cells().set_array_bits(0, 1);
    assert!(
        matches!(refused, Err(DriverError::NotThere { .. })),
        "{refused:?}"
    );
}

/// A link that turns a bit of one word over.
struct Flips {
    inner: ModelCard,
    fetches: u32,
    at: u32,
}

impl Transport for Flips {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        let value = self.inner.read(address, within)?;
        if address != address::ARRAY_DATA {
            return Ok(value);
        }
        self.fetches += 1;
        Ok(value ^ u32::from(self.fetches == self.at))
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.inner.write(address, value, within)
    }
}

#[test]
fn a_word_that_changes_on_the_way_is_found_out_by_the_count_of_bits() {
    let design = alone(FilterKind::Recycling);
    for (at, expected) in [(5, "active"), (200, "frozen")] {
        let (device, _) = filled(&design, 0..300);
        let link = Flips {
            inner: device.into_transport(),
            fetches: 0,
            at,
        };
        let device = Device::identify(link, &design, LIMITS).expect("a filter of this design");
        let wrong = device.snapshot(|_| ());
        assert!(
            matches!(wrong, Err(DriverError::SnapshotCount { half, .. }) if half == expected),
            "{wrong:?}"
        );
        device.snapshot(|_| ()).expect("the next is whole");
    }
}

#[test]
fn unions_and_intersections_go_half_by_half() {
    let design = alone(FilterKind::Recycling);
    let snapshot = |numbers| {
        let (device, filter) = filled(&design, numbers);
        (
            device.snapshot(|_| ()).expect("it answers"),
            words_of(&design, &filter),
        )
    };
    let ((one, one_words), (other, other_words)) = (snapshot(0..700), snapshot(500..900));
    let of_both = |bit: fn(u32, u32) -> u32| -> Vec<u32> {
        let pairs = one_words.iter().zip(&other_words);
        pairs.map(|(&a, &b)| bit(a, b)).collect()
    };
    let union = one.union(&other).expect("of one geometry");
    assert_eq!(union.words(), of_both(|a, b| a | b));
    let both = one.intersection(&other).expect("of one geometry");
    assert_eq!(both.words(), of_both(|a, b| a & b));
    let cycles = [&one, &other, &union].map(|snapshot| *snapshot.cycle().expect("it recycles"));
    assert_eq!(cycles[2].recycles, cycles[0].recycles + cycles[1].recycles);
    assert_eq!(union.items(), [1_100, 1_100]);
    let bank_bits = |snapshot: &Snapshot, bit: fn(u32, u32) -> u32| -> u64 {
        snapshot.bits_of_both(bit).iter().sum()
    };
    let halves: u64 = one.bits_of_halves().iter().sum();
    assert_eq!(
        bank_bits(&one, |a, b| a | b) + bank_bits(&one, |a, b| a & b),
        halves
    );
}

#[test]
fn files_come_back_as_they_were_written_and_are_as_documented() {
    for design in designs() {
        let (device, _) = filled(&design, 0..900);
        let snapshot = device.snapshot(|_| ()).expect("it answers");
        let bytes = snapshot.to_bytes();
        let path = Path::new("x");
        assert_eq!(Snapshot::from_bytes(&bytes, path).expect("whole"), snapshot);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let (shape, cycle) = (snapshot.shape(), snapshot.cycle().expect("it recycles"));
        assert_eq!([8, 12, 16, 20].map(word), [2, 120, 1, 1]);
        assert_eq!([24, 28].map(word), [shape.banks, shape.hashes]);
        assert_eq!([76, 80, 84].map(word), [8, shape.halves, cycle.active_half]);
        let on = u32::from(cycle.on == RecycleOn::Messages);
        assert_eq!([88, 92, 96, 100].map(word), [on, cycle.messages, 600, 0]);
        assert_eq!([104, 108].map(word), [cycle.recycles as u32, 0]);
        assert_eq!(&bytes[112..120], b"recycler");
        assert_eq!(word(120), snapshot.words()[0]);
        assert_eq!(bytes.len() as u64, 120 + 4 * shape.words() + 4);
    }
}

#[test]
fn a_header_of_no_recycling_filter_is_refused_though_its_check_sum_fits() {
    let (device, _) = filled(&alone(FilterKind::Recycling), 0..50);
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    for (place, value) in [
        (8, 1),
        (16, 3),
        (20, 2),
        (24, 2),
        (80, 0),
        (80, 1),
        (80, 3),
        (80, u32::MAX),
        (84, 2),
        (88, 2),
        (76, 6_000),
        (12, 80),
    ] {
        let mut bytes = snapshot.to_bytes();
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        let end = bytes.len() - 4;
        let check = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&check);
        let refused = Snapshot::from_bytes(&bytes, Path::new("x")).expect_err("no filter");
        assert!(
            matches!(
                refused,
                SnapshotError::Header { .. } | SnapshotError::Length { .. }
            ),
            "{place} = {value}: {refused:?}"
        );
    }
    let bytes = snapshot.to_bytes();
    for length in 8..bytes.len() {
        let cut = Snapshot::from_bytes(&bytes[..length], Path::new("x"));
        assert!(
            matches!(cut, Err(SnapshotError::Length { .. })),
            "{length}: {cut:?}"
        );
    }
}

#[test]
fn a_cycle_stays_with_kinds_that_recycle() {
    let cells = alone(FilterKind::Static).array().expect("cells");
    let snapshot = Snapshot::new(cells, Vec::new(), [0, 0]).with_cycle(Cycle::default());
    assert_eq!(snapshot.cycle(), None);
    assert!(alone(FilterKind::Sliding).array().is_none());
}

#[test]
fn similarity_takes_the_keys_of_both_halves_and_no_halves_of_unknown_secrets() {
    for design in designs() {
        let (one, _) = filled(&design, 0..100);
        let (other, _) = filled(&design, 50..150);
        let [one, other] = [one, other].map(|device| device.snapshot(|_| {}).expect("it answers"));
        let shape = one.shape();
        let got = one.similarity(&other, 0.999);
        if shape.keyed {
            assert!(matches!(got, Err(SnapshotError::Secrets { .. })), "{got:?}");
            continue;
        }
        // 50 keys of 150 are common, and nothing was recycled.
        let got = got.expect("a law").expect("not full");
        let within = |low: f64, high: f64, truth: f64| {
            assert!((low..=high).contains(&truth), "{shape:?} {got:?}");
        };
        within(got.common.low, got.common.high, 50.0);
        within(got.jaccard.low, got.jaccard.high, 1.0 / 3.0);
        let itself = one
            .similarity(&one, 0.999)
            .expect("a law")
            .expect("not full");
        assert_eq!(
            (itself.jaccard.value, itself.jaccard.high),
            (1.0, 1.0),
            "{shape:?}"
        );
        let held = one.estimate(0.999).expect("legal");
        let keys = held
            .whole()
            .and_then(|part| part.keys.items)
            .expect("not full") as f64;
        assert!(
            (itself.one / keys - 1.0).abs() < 0.02,
            "{shape:?}: {} {keys}",
            itself.one
        );
    }
}
