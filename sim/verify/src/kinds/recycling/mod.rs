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
use crate::latency::LatencyProbe;
use crate::runner::{clocks_of, simulate, Clocks, Plan, Watch, CLOCKS_A_REPORT};
use crate::VerifyError;
use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::Reference;
use bloomline_model::Event;
use bloomline_spec::{Design, Key, Operation, RecyclingGeometry};
use std::cell::RefCell;
use std::rc::Rc;

/// The model with the statistics attached: a reference like any other.
struct Measured<'a> {
    inner: ModelReference,
    statistics: Rc<RefCell<Statistics>>,
    clocks: Rc<RefCell<Clocks>>,
    now: u64,
    watch: &'a Watch<'a>,
    total: u64,
}

impl Reference for Measured<'_> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let ready = self.inner.model.outputs().s_item_tready;
        let running = self.inner.model.status().running;
        if !self.inner.model.within_interval() {
            self.clocks
                .borrow_mut()
                .clock(self.now, inputs[1] & 1 == 1, ready, running);
        }
        self.inner.clock(inputs);
        self.now += 1;
        let mut statistics = self.statistics.borrow_mut();
        for event in self.inner.model.drain_events() {
            match event {
                Event::Item(decision) => statistics.decided(&decision),
                Event::Force { cause, .. } if cause.counts() => statistics.aged(),
                Event::Force { .. } | Event::Fetch(_) | Event::Set(_) => {}
            }
        }
        if self.now.is_multiple_of(CLOCKS_A_REPORT) {
            (self.watch.items)(statistics.items, self.total);
        }
    }
}

impl Verified for RecyclingGeometry {
    type Found = RecyclingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<RecyclingVerification, VerifyError> {
        let geometry = self;
        let loaded = plan.keys.load(geometry, plan.items, plan.seed)?;
        let keys = Rc::new(loaded.keys);
        let statistics = RefCell::new(None);
        let clocks = RefCell::new(Rc::new(RefCell::new(Clocks::default())));
        let make = |_seed: u64| {
            let shared = Rc::new(RefCell::new(Statistics::new(
                geometry,
                keys.clone(),
                plan.two_hash_excess,
            )));
            // the first run is the one that counts; a replay for the waveform counts for itself
            let mut slot = statistics.borrow_mut();
            if slot.is_none() {
                *slot = Some(shared.clone());
            }
            let mut inner = ModelReference::new(geometry);
            inner.model.keep_events();
            let measured = Measured {
                inner,
                statistics: shared,
                clocks: clocks.borrow().clone(),
                now: 0,
                watch,
                total: keys.len() as u64,
            };
            let items: Items = Items {
                keys: keys.clone(),
                next: 0,
            };
            (measured, Traffic::new(geometry, items))
        };
        let (design, _) = emitted_design(geometry)?;
        let contract = Design::from(geometry).timing().latency_clocks();
        let mut latency = LatencyProbe::new(geometry, contract);
        let (finished, mismatch) = simulate(
            &design,
            (plan.simulator, plan.seed),
            watch,
            make,
            &mut latency,
        )?;
        let clocks = *clocks.borrow().borrow();
        let statistics = statistics
            .into_inner()
            .expect("the run made its statistics");
        let statistics = statistics.borrow();
        outcome::conclude(
            plan,
            loaded.skipped,
            finished,
            mismatch,
            clocks_of(clocks),
            latency,
            &statistics,
        )
    }
}

/// The keys as test-and-insert items.
struct Items {
    keys: Rc<Vec<Key>>,
    next: usize,
}

impl Iterator for Items {
    type Item = TrafficItem;

    fn next(&mut self) -> Option<TrafficItem> {
        let key = *self.keys.get(self.next)?;
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
    use std::path::Path;

    #[test]
    fn a_watcher_hears_of_the_items_as_they_are_decided() {
        let spec = FilterSpec::from_toml(TINY, Path::new("tiny.toml")).expect("legal");
        let sizing = spec.validate().expect("legal");
        let geometry = sizing.with_threshold(1000).expect("legal");
        let plan = Plan {
            keys: Keys::RandomNew,
            items: 10_000,
            seed: 1,
            simulator: Simulator::BuiltIn,
            predicted: None,
            two_hash_excess: 0.0,
        };
        let heard = RefCell::new(Vec::new());
        let watch = Watch {
            tools: &|_| {},
            items: &|done, total| heard.borrow_mut().push((done, total)),
        };
        let result = run(&geometry, &plan, &watch).expect("it runs");
        assert_eq!((result.items, result.mismatches), (10_000, 0));
        let heard = heard.into_inner();
        assert_eq!(heard.len() as u64, result.cycles / CLOCKS_A_REPORT);
        assert!(heard.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(heard.iter().all(|&(_, total)| total == 10_000));
    }
}
