//! Verification of recycling filters.
//!
//! Two tests of the rate:
//! * **state test**, on any traffic: the first arrival of a key is a false positive with a probability that the bits then set give;
//!   observed minus expected is a martingale with variance sum p (1 - p). It needs few cycles and separates the hash from the occupancy.
//!   Later arrivals are not counted: a key that returns collides with the same keys again, so they are not independent.
//! * **model test**, on random new keys: the rate over whole cycles against the predicted average.
//!
//! One of the false negatives, on traffic with few repeats among random new keys: those not seen against what theory expects of
//! their reuse distances. And one of the latency, measured at the device's ports: it is what the contract says.

mod forgetting;
mod outcome;
mod statistics;
mod text;

pub use forgetting::Forgotten;
pub use outcome::{ArrivalShare, ByArrivals, RecyclingVerification};

pub use statistics::{Ratios, Statistics};

use super::{Source, Verified};
use crate::keys::KeyList;
use crate::latency::LatencyProbe;
use crate::plan::{Plan, Watch};
use crate::runner::simulate;
use crate::session::{clocks_of, Against, Clocks, Pooled, Prepared};
use crate::VerifyError;
use bloomline_bench::filter::{
    emitted_design, ContractPorts, ModelReference, Traffic, TrafficItem,
};
use bloomline_bench::lockstep::Reference;
use bloomline_bench::verilator::Design as Simulated;
use bloomline_model::Event;
use bloomline_spec::{Design, Operation, RecyclingGeometry};

/// The keys of one filter, and how many records had none.
struct Listed {
    keys: KeyList,
    skipped: u64,
}

impl Prepared for Listed {
    fn items(&self) -> u64 {
        self.keys.len()
    }
}

/// The model with the statistics attached.
#[derive(Clone)]
struct Measured {
    source: Source<ModelReference>,
    statistics: Statistics,
    clocks: Clocks,
    now: u64,
    skipped: u64,
}

impl Measured {
    fn new(geometry: &RecyclingGeometry, two_hash_excess: f64) -> Measured {
        let mut inner = ModelReference::new(geometry);
        inner.model.keep_events();
        Measured {
            source: Source::Model(Box::new(inner)),
            statistics: Statistics::new(geometry, two_hash_excess),
            clocks: Clocks::default(),
            now: 0,
            skipped: 0,
        }
    }
}

impl Pooled for Measured {
    fn pool(&mut self, others: Vec<Measured>) {
        let mut statistics = Vec::with_capacity(others.len());
        for other in others {
            self.clocks.add(other.clocks);
            statistics.push(other.statistics);
        }
        self.statistics.pool(&statistics);
    }
}

impl Reference for Measured {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.source.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let inner = match &mut self.source {
            Source::Model(inner) => inner,
            Source::Contract(ports) => {
                let taken = ports.takes(inputs);
                self.clocks.clock(self.now, inputs[1] & 1 == 1, taken, true);
                self.now += 1;
                let outcome = taken.then(|| self.statistics.take(Operation::TestAndInsert));
                let verdict = outcome
                    .flatten()
                    .map(|outcome| outcome.flags().to_bits().into());
                return ports.clock(inputs, verdict);
            }
        };
        let model = &inner.model;
        if !model.within_interval() {
            let offered = inputs[1] & 1 == 1;
            self.clocks
                .clock(self.now, offered, model.ready(), model.running());
        }
        inner.clock(inputs);
        self.now += 1;
        for event in inner.model.drain_events() {
            match event {
                Event::Item(decision) => self.statistics.decided(&decision),
                Event::Force { cause, .. } if cause.counts() => self.statistics.aged(),
                Event::Force { .. } | Event::Fetch(_) | Event::Set(_) => {}
            }
        }
    }

    fn progress(&self) -> u64 {
        self.statistics.items
    }
}

impl Verified for RecyclingGeometry {
    type Found = RecyclingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<RecyclingVerification, VerifyError> {
        let (design, _) = emitted_design(self)?;
        verify_design(self, &design, plan, watch)
    }
}

/// Verifies a design that claims to be the filter.
fn verify_design(
    geometry: &RecyclingGeometry,
    design: &Simulated,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<RecyclingVerification, VerifyError> {
    let prepare = |seed: u64, drawing: &dyn Fn()| {
        let (keys, skipped) =
            plan.keys
                .list_watched(geometry, plan.items_a_filter(), seed, drawing)?;
        Ok(Listed { keys, skipped })
    };
    // Copies share the tables of the hash functions.
    let fresh = Measured::new(geometry, plan.two_hash_excess);
    // Ageing is a matter of time, which only the cycle-accurate model has.
    let contract = ContractPorts::new(geometry).filter(|_| geometry.max_age_ticks() == 0);
    let start = |listed: &Listed, against: Against| {
        let mut measured = fresh.clone();
        if let (Against::Contract, Some(ports)) = (against, &contract) {
            measured.source = Source::Contract(ports.clone());
        }
        measured.skipped = listed.skipped;
        measured.statistics.follow(listed.keys.clone());
        let items = Items {
            keys: listed.keys.clone(),
            next: 0,
        };
        (measured, Traffic::new(geometry, items))
    };
    let latency_clocks = Design::from(geometry).timing().latency_clocks();
    let mut latency = LatencyProbe::new(geometry, latency_clocks);
    let ended = simulate(design, plan, watch, prepare, start, &mut latency)?;
    let Measured {
        statistics,
        clocks,
        skipped,
        ..
    } = ended.reference;
    outcome::conclude(
        plan,
        skipped,
        ended.finished,
        ended.mismatch,
        clocks_of(clocks),
        latency,
        &statistics,
    )
}

/// The keys as test-and-insert items.
struct Items {
    keys: KeyList,
    next: u64,
}

impl Iterator for Items {
    type Item = TrafficItem;

    fn next(&mut self) -> Option<TrafficItem> {
        let key = self.keys.at(self.next)?;
        self.next += 1;
        Some(TrafficItem {
            key,
            operation: Operation::TestAndInsert,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Verdict;
    use crate::{run, Keys, Simulator, TINY};
    use bloomline_spec::{FilterSpec, Key};
    use std::cell::RefCell;
    use std::path::Path;
    use std::sync::Arc;

    #[test]
    fn a_watcher_hears_of_the_items_as_they_are_decided() {
        let spec = FilterSpec::from_toml(TINY, Path::new("tiny.toml")).expect("legal");
        let sizing = spec.validate().expect("legal");
        let geometry = sizing.with_threshold(1000).expect("legal");
        let plan = Plan::new(Keys::RandomNew, 10_000, 1, Simulator::BuiltIn);
        let heard = RefCell::new(Vec::new());
        let watch = Watch {
            tools: &|_| {},
            items: &|done, total| heard.borrow_mut().push((done, total)),
        };
        let result = run(&geometry, &plan, &watch).expect("it runs");
        assert_eq!((result.items, result.mismatches), (10_000, 0));
        let heard = heard.into_inner();
        assert!(heard.len() > 10 && heard.last() == Some(&(10_000, 10_000)));
        assert!(heard.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert!(heard.iter().all(|&(_, total)| total == 10_000));
    }

    fn tiny(threshold: u64) -> RecyclingGeometry {
        let spec = FilterSpec::from_toml(TINY, Path::new("tiny.toml")).expect("legal");
        let sizing = spec.validate().expect("legal");
        sizing.with_threshold(threshold).expect("legal")
    }

    #[test]
    fn few_false_positives_decide_nothing_and_differ_as_rarely_as_they_should() {
        // without a whole cycle, and with some
        for threshold in [1000, 60] {
            let geometry = tiny(threshold);
            let results: Vec<_> = (1..=40)
                .map(|seed| {
                    let plan = Plan::new(Keys::RandomNew, 300, seed, Simulator::BuiltIn);
                    run(&geometry, &plan, &Watch::silent()).expect("it runs")
                })
                .collect();
            let with = |verdict| {
                let these = results
                    .iter()
                    .filter(|one| one.state_test.verdict == verdict);
                these.count()
            };
            assert_eq!(with(Verdict::Pass), 0);
            assert!(with(Verdict::Fail) <= 2, "{}", with(Verdict::Fail));
            let whole = |one: &RecyclingVerification| one.fpr_by_arrivals.cycles >= 2;
            assert_eq!(results.iter().all(whole), threshold == 60);
            for fpr in results.iter().map(|one| &one.fpr) {
                assert_eq!(fpr.measured, fpr.events as f64 / fpr.trials as f64);
                // no event is not a rate of 0
                assert!(fpr.ci_high > 0.0);
            }
        }
    }

    fn lanes(items_a_lane: u64) -> Plan {
        Plan {
            lanes: Some(64),
            ..Plan::new(Keys::RandomNew, 64 * items_a_lane, 7, Simulator::BuiltIn)
        }
    }

    /// Later arrivals of a key collide with the same keys again: they are not independent trials.
    #[test]
    fn a_key_is_a_trial_of_the_state_test_when_it_comes_for_the_first_time() {
        let key = |value: u64| Key::from_integer((value % 1_000).into(), 64).expect("fits");
        let mut statistics = Statistics::new(&tiny(100), 0.0);
        statistics.follow(KeyList::Loaded(Arc::new((0..5_000).map(key).collect())));
        while statistics.take(Operation::TestAndInsert).is_some() {}
        assert!(statistics.counted > 4_500 && statistics.recycles > 20);
        assert_eq!(statistics.state.trials(), 1_000);
    }

    #[test]
    fn lanes_pool_what_single_filters_find() {
        let (geometry, items) = (tiny(1000), 1500);
        let pooled = run(&geometry, &lanes(items), &Watch::silent()).expect("it runs");
        assert_eq!(pooled.mismatches, 0, "{:?}", pooled.first_mismatch);
        let fresh = Statistics::new(&geometry, 0.0);
        let mut singles = Vec::new();
        for lane in 0..64 {
            let seed = crate::lanes::seed_of_lane(7, lane);
            let (keys, _) = Keys::RandomNew.list(&geometry, items, seed).expect("keys");
            let mut single = fresh.clone();
            single.follow(keys);
            while single.take(Operation::TestAndInsert).is_some() {}
            singles.push(single);
        }
        let sum = |of: fn(&Statistics) -> u64| singles.iter().map(of).sum::<u64>();
        assert_eq!(pooled.items, sum(|one| one.items));
        assert_eq!(pooled.recycles, sum(|one| one.recycles));
        assert_eq!(pooled.state_test.observed, sum(|one| one.state.observed()));
        let expected: f64 = singles.iter().map(|one| one.state.expected()).sum();
        assert!((pooled.state_test.expected - expected).abs() < 1e-6);
        let rates = || singles.iter().filter_map(|one| one.ratios.instance.ratio());
        let (least, most) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
        assert!((least..=most).contains(&pooled.fpr.measured));
        let again = run(&geometry, &lanes(items), &Watch::silent()).expect("it runs");
        assert_eq!(
            (again.fpr, again.state_test),
            (pooled.fpr, pooled.state_test),
            "a seed gives the same run"
        );
    }

    /// Each cycle by the definition: F of a key's first arrival, and the number of its arrivals (RBF II-E).
    #[test]
    fn the_three_ways_to_count_are_those_of_the_definition() {
        let text = TINY.replace("phases = 2", "phases = 1");
        let spec = FilterSpec::from_toml(&text, Path::new("tiny.toml")).expect("legal");
        let geometry = spec
            .validate()
            .expect("legal")
            .with_threshold(3000)
            .expect("legal");
        let (keys, _) = Keys::Zipf { exponent: 1.1 }
            .list(&geometry, 60_000, 5)
            .expect("keys");
        let mut statistics = Statistics::new(&geometry, 0.0);
        statistics.follow(keys.clone());
        while statistics.take(Operation::TestAndInsert).is_some() {}

        let mut filter = bloomline_model::RecyclingFilter::new(&geometry);
        // (false at first, arrivals) of the keys of this cycle; those that a retained item left are known
        let mut cycle: std::collections::HashMap<_, (bool, u64)> = Default::default();
        let mut kept: Option<bloomline_spec::Key> = None;
        let mut repeats_of_kept = 0;
        let (mut cycles, mut first_arrivals, mut arrivals) = (0, 0_u64, 0_u64);
        let (mut false_at_first, mut false_each) = (0_u64, 0_u64);
        for place in 0..keys.len() {
            let key = keys.at(place).expect("a key");
            let outcome = filter.apply(&key, Operation::TestAndInsert);
            if kept == Some(key) {
                repeats_of_kept += 1;
            } else {
                let entry = cycle.entry(key).or_insert((outcome.seen(), 0));
                entry.1 += 1;
            }
            if outcome.tripped {
                cycles += 1;
                if cycles > 1 {
                    first_arrivals += cycle.len() as u64;
                    arrivals +=
                        cycle.values().map(|(_, number)| number).sum::<u64>() + repeats_of_kept;
                    let falsely = || cycle.values().filter(|(falsely, _)| *falsely);
                    false_at_first += falsely().count() as u64;
                    false_each += falsely().map(|(_, number)| number).sum::<u64>();
                }
                cycle.clear();
                kept = outcome.stored.then_some(key);
                repeats_of_kept = 0;
            }
        }
        let part = |events: u64, of: u64| Some(events as f64 / of as f64);
        let ratios = &statistics.ratios;
        assert!(cycles > 3 && false_each > false_at_first && false_at_first > 50);
        assert_eq!(
            ratios.instance.ratio(),
            part(false_at_first, first_arrivals)
        );
        assert_eq!(ratios.first.ratio(), part(false_at_first, arrivals));
        assert_eq!(ratios.each.ratio(), part(false_each, arrivals));
        // RBF, Theorem 1
        assert!(ratios.each.ratio() < ratios.instance.ratio());
    }

    #[test]
    fn a_lane_that_differs_is_named_with_its_clock_and_port_and_drawn() {
        let (design, _) = emitted_design(&tiny(1003)).expect("legal");
        let found = verify_design(&tiny(1000), &design, &lanes(1000), &Watch::silent());
        let found = found.expect("it runs");
        assert_eq!(found.verdict, crate::stats::Verdict::Fail);
        let first = found.first_mismatch.expect("the thresholds differ");
        assert_eq!(first.port, "m_verdict_tdata", "{}", first.message);
        assert!(first.message.starts_with("lane "), "{}", first.message);
        let waveform = first.message.split("before it: ").nth(1).expect("drawn");
        std::fs::remove_file(waveform).expect("the waveform");
    }

    #[test]
    fn what_lanes_do_not_do_is_refused() {
        let refused = |plan: Plan| {
            let error = run(&tiny(1000), &plan, &Watch::silent()).expect_err("refused");
            error.to_string()
        };
        let few = Plan {
            items: 63,
            ..lanes(1)
        };
        assert!(refused(few).contains("give more --items"));
        let other = Plan {
            lanes: Some(65),
            ..lanes(9)
        };
        assert!(refused(other).contains("64, 128, 256 or 512"));
        let simulator = Plan {
            simulator: Simulator::Verilator,
            ..lanes(9)
        };
        assert!(refused(simulator).contains("built-in"));
        let waves = Plan {
            waves: Some(crate::Window {
                path: "a.vcd".into(),
                from: 0,
                to: 1,
            }),
            ..lanes(9)
        };
        assert!(refused(waves).contains("--waves"));
        let capture = Plan {
            keys: Keys::Capture("a.pcap".into()),
            ..lanes(9)
        };
        assert!(refused(capture).contains("leave out"));
    }
}
