//! Verification of recycling filters.
//!
//! Two tests of the rate:
//! * **state test**, on any traffic: each counted arrival is a false positive with a probability that the bits then set give;
//!   observed minus expected is a martingale with variance sum p (1 - p). It needs few cycles and separates the hash from the occupancy.
//! * **model test**, on random new keys: the rate over whole cycles against the predicted average.
//!
//! One of the false negatives, on traffic with few repeats among random new keys: those not seen against what theory expects of
//! their reuse distances. And one of the latency, measured at the device's ports: it is what the contract says.

mod forgetting;
mod outcome;
mod statistics;
mod text;

pub use forgetting::Forgotten;
pub use outcome::RecyclingVerification;
pub use statistics::Statistics;

use super::Verified;
use crate::keys::KeyList;
use crate::latency::LatencyProbe;
use crate::runner::{clocks_of, simulate, Clocks, Plan, Watch};
use crate::VerifyError;
use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::Reference;
use bloomline_model::Event;
use bloomline_spec::{Design, Operation, RecyclingGeometry};

/// The model with the statistics attached.
struct Measured {
    inner: ModelReference,
    statistics: Statistics,
    clocks: Clocks,
    now: u64,
}

impl Measured {
    fn new(geometry: &RecyclingGeometry, statistics: Statistics) -> Measured {
        let mut inner = ModelReference::new(geometry);
        inner.model.keep_events();
        Measured {
            inner,
            statistics,
            clocks: Clocks::default(),
            now: 0,
        }
    }
}

impl Reference for Measured {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let model = &self.inner.model;
        if !model.within_interval() {
            let ready = model.outputs().s_item_tready;
            let running = model.status().running;
            self.clocks
                .clock(self.now, inputs[1] & 1 == 1, ready, running);
        }
        self.inner.clock(inputs);
        self.now += 1;
        for event in self.inner.model.drain_events() {
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
        let geometry = self;
        let (keys, skipped) = plan.keys.list(geometry, plan.items, plan.seed)?;
        let total = keys.len();
        let make = |_seed: u64| {
            let statistics = Statistics::new(geometry, keys.clone(), plan.two_hash_excess);
            let items = Items {
                keys: keys.clone(),
                next: 0,
            };
            (
                Measured::new(geometry, statistics),
                Traffic::new(geometry, items),
            )
        };
        let (design, _) = emitted_design(geometry)?;
        let contract = Design::from(geometry).timing().latency_clocks();
        let mut latency = LatencyProbe::new(geometry, contract);
        let ended = simulate(&design, plan, watch, total, make, &mut latency)?;
        let Measured {
            statistics, clocks, ..
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
    use crate::{run, Keys, Simulator, TINY};
    use bloomline_spec::FilterSpec;
    use std::cell::RefCell;
    use std::path::Path;

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
}
