//! The recycling filter in the shared layout: the functional model against an independent writing on sets, and the cycle-accurate
//! model against the functional one, through the ports.

use crate::common::harness::{Harness, Traffic};
use bloomline_model::RecyclingFilter;
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{FilterSpec, Key, Operation, RecyclingGeometry};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::Path;

/// What a test varies.
#[derive(Debug, Clone, Copy)]
struct SharedArray {
    phases: u64,
    messages: bool,
    retain: bool,
    distinct: bool,
    hashes: u64,
    half_bits: u64,
    range: u64,
    threshold: u64,
}

const BASE: SharedArray = SharedArray {
    phases: 2,
    messages: false,
    retain: true,
    distinct: false,
    hashes: 4,
    half_bits: 512,
    range: 512,
    threshold: 256,
};

impl SharedArray {
    /// Phases, rule, retention and draws in every combination, the threshold `items` items' worth.
    fn modes(self, items: u64) -> impl Iterator<Item = SharedArray> {
        (0..16).map(move |index| {
            let messages = index & 2 != 0;
            SharedArray {
                phases: 1 + (index & 1),
                messages,
                retain: index & 4 == 0,
                distinct: index & 8 != 0,
                threshold: if messages { items } else { items * self.hashes },
                ..self
            }
        })
    }

    fn geometry(&self) -> RecyclingGeometry {
        let text = format!(
            "name = \"shared_array\"\n[filter]\nkind = \"recycling\"\nlayout = \"shared\"\nmemory_bits = {}\nrange = {}\nhashes = {}\n\
             hashing = \"independent\"\ndistinct = {}\n[filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {}\nretain = {}\n\
             [key]\nbits = 104\ntag_bits = 16\n",
            self.half_bits * self.phases,
            self.range,
            self.hashes,
            self.distinct,
            self.phases,
            if self.messages { "messages" } else { "bits-set" },
            self.threshold,
            self.retain,
        );
        FilterSpec::from_toml(&text, Path::new("shared_array.toml"))
            .and_then(|spec| spec.validate())
            .and_then(|sizing| sizing.with_threshold(self.threshold))
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    fn harness(&self, traffic: Traffic, seed: u64) -> Harness {
        Harness::on(
            self.geometry(),
            format!("{self:?} seed {seed}"),
            traffic,
            seed,
        )
    }
}

/// The semantics once more, on sets of positions.
struct OnSets {
    shape: SharedArray,
    active: BTreeSet<u32>,
    frozen: BTreeSet<u32>,
    messages: u64,
}

impl OnSets {
    /// (in active, in frozen, tripped)
    fn apply(&mut self, positions: &BTreeSet<u32>, operation: Operation) -> (bool, bool, bool) {
        let shape = self.shape;
        let in_frozen = shape.phases == 2 && positions.is_subset(&self.frozen);
        let new = positions.difference(&self.active).count() as u64;
        if !operation.inserts() || new == 0 {
            return (new == 0, in_frozen, false);
        }
        let trips = if shape.messages {
            self.messages + 1 >= shape.threshold
        } else {
            self.active.len() as u64 + new > shape.threshold
        };
        if trips {
            self.frozen = std::mem::take(&mut self.active);
            self.messages = 0;
        }
        if !trips || shape.retain {
            self.active.extend(positions);
            self.messages += 1;
        }
        (false, in_frozen, trips)
    }

    /// Chance that the positions of a fresh key, all ordered draws alike, lie in one of the halves.
    fn probability(&self) -> f64 {
        let hits = |set: f64| -> f64 {
            (0..self.shape.hashes)
                .map(|i| if self.shape.distinct { i as f64 } else { 0.0 })
                .map(|gone| (set - gone).max(0.0) / (self.shape.range as f64 - gone))
                .product()
        };
        let active = hits(self.active.len() as f64);
        if self.shape.phases == 1 {
            return active;
        }
        let both = self.active.intersection(&self.frozen).count();
        active + hits(self.frozen.len() as f64) - hits(both as f64)
    }
}

#[test]
fn every_mode_equals_an_independent_writing_on_sets() {
    let base = SharedArray { range: 389, ..BASE };
    for (items, base) in [
        (1, base),
        (2, base),
        (60, base),
        (30, SharedArray { hashes: 7, ..BASE }),
    ] {
        for shape in base.modes(items) {
            let mut random = ChaCha8Rng::seed_from_u64(31);
            let mut filter = RecyclingFilter::new(&shape.geometry());
            let mut sets = OnSets {
                shape,
                active: BTreeSet::new(),
                frozen: BTreeSet::new(),
                messages: 0,
            };
            let (mut trips, mut colliding) = (0, 0);
            for item in 0..6_000 {
                let key = Key::from_integer(random.random_range(0..900), 104).expect("fits");
                let operation = Operation::from_code(random.random_range(0..3));
                let probes = filter.hasher().probes(&key);
                let positions: BTreeSet<u32> = probes.positions().iter().copied().collect();
                assert!(positions.iter().all(|&p| u64::from(p) < shape.range));
                colliding += u32::from((positions.len() as u64) < shape.hashes);
                let probability = filter.probability_seen();
                assert!(
                    (probability - sets.probability()).abs() < 1e-12,
                    "{shape:?} item {item}"
                );
                let got = filter.apply(&key, operation);
                let expected = sets.apply(&positions, operation);
                assert_eq!(
                    (got.in_active, got.in_frozen, got.tripped),
                    expected,
                    "{shape:?} item {item}"
                );
                assert_eq!(
                    filter.bits_active(),
                    sets.active.len() as u64,
                    "{shape:?} item {item}"
                );
                assert_eq!(filter.messages(), sets.messages, "{shape:?} item {item}");
                trips += u32::from(got.tripped);
            }
            assert!(trips > 20, "{shape:?}: {trips} trips");
            assert_eq!(
                colliding == 0,
                shape.distinct,
                "{shape:?}: {colliding} keys collide"
            );
        }
    }
}

/// Clears, threshold and age writes and resets, every few hundred clocks.
fn disturb(harness: &mut Harness, rounds: u32) {
    let half_bits = harness.geometry.half_bits() as u32;
    for _ in 0..rounds {
        let clocks = harness.random.random_range(1..700);
        harness.run(clocks);
        let threshold = harness.random.random_range(0..half_bits);
        let places = 1 << harness.geometry.array_address_bits();
        let place = harness.random.random_range(0..places);
        match harness.random.random_range(0..11) {
            8..11 => {
                harness.write(address::ARRAY_ADDRESS, place);
                harness.read_now(address::ARRAY_DATA);
            }
            0..2 => harness.write(address::CONTROL, 1),
            2..4 => harness.write(address::THRESHOLD, threshold),
            4 => harness.write(address::MAX_AGE, threshold % 5),
            5 => harness.write(address::THRESHOLD, harness.geometry.threshold() as u32),
            6 => harness.finish_accesses(),
            _ => {
                let clocks = harness.random.random_range(1..4);
                harness.reset(clocks);
            }
        }
    }
    harness.settle();
}

#[test]
fn verdicts_match_through_clears_resets_and_writes_in_every_mode() {
    for (index, shape) in BASE.modes(70).enumerate() {
        for traffic in [Traffic::FULL, Traffic::HOLES] {
            let mut harness = shape.harness(traffic, 700 + index as u64);
            disturb(&mut harness, 100);
            assert!(
                harness.verdicts_compared > 500 && harness.fetches > 10,
                "{shape:?} {} {}",
                harness.verdicts_compared,
                harness.fetches
            );
        }
    }
}

#[test]
fn shortest_cycles_reuse_no_epoch() {
    for (index, shape) in BASE.modes(1).enumerate() {
        let mut harness = shape.harness(Traffic::FULL, 800 + index as u64);
        harness.run(30_000);
        harness.settle();
        let recycles = harness.model.status().counter(RecyclingCounter::Recycles);
        assert!(recycles > 100, "{shape:?}: {recycles} recycles");
    }
}

#[test]
fn items_enter_once_an_interval_and_none_of_its_clocks_is_a_stall() {
    for hashes in [1, 2, 4, 9] {
        let shape = SharedArray {
            hashes,
            half_bits: 8192,
            range: 8192,
            threshold: 4000,
            ..BASE
        };
        let mut harness = shape.harness(
            Traffic {
                keys: 1 << 24,
                ..Traffic::FULL
            },
            900,
        );
        while !harness.model.outputs().s_item_tready {
            harness.run(1);
        }
        let interval = u64::from(harness.geometry.timing().initiation_interval);
        assert_eq!(interval, 2 * hashes + 6);
        let stalls = |harness: &Harness| {
            [
                RecyclingCounter::StallRecycle,
                RecyclingCounter::StallControl,
                RecyclingCounter::StallVerdict,
            ]
            .map(|counter| harness.model.status().counter(counter))
        };
        let before = stalls(&harness);
        harness.run(interval * 3_000);
        assert_eq!(harness.accepted, 3_000, "{shape:?}");
        harness.run(4);
        let after = stalls(&harness);
        assert_eq!((before[0], before[2]), (after[0], after[2]), "{shape:?}");
        harness.settle();
    }
}
