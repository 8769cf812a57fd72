//! Verification of sliding-window filters.
//!
//! Every key of a stream is tested and inserted; between them keys that came before are asked for. The exact truth says how far
//! back each lies: within the window a no is a failure; in the slack the share seen is held against its formula; beyond both, and
//! for keys that never came, a yes is a false positive, of which the rate is held against theory and each against the live cells
//! that it met. Insertions that are lost are counted.

mod conclude;
mod dictionary;
mod live;
mod outcome;
mod report;
mod script;
mod statistics;
mod text;
mod truth;

pub use dictionary::dictionary;
pub use outcome::{
    OverflowFound, RateTest, Share, SlackBand, SlackFound, SlidingVerification, WindowFound,
};

use super::Verified;
use crate::latency::LatencyProbe;
use crate::runner::{clocks_of, simulate, Clocks, Plan, Watch, CLOCKS_A_REPORT};
use crate::{Keys, VerifyError};
use bloomline_bench::filter::{emitted_design, SlidingReference, Traffic};
use bloomline_bench::lockstep::Reference;
use bloomline_model::SlidingEvent;
use bloomline_spec::{Design, SlidingGeometry};
use script::{Items, Script};
use statistics::SlidingStatistics;
use std::cell::RefCell;
use std::rc::Rc;

/// The model with the statistics attached.
struct Measured<'a> {
    inner: SlidingReference,
    statistics: Rc<RefCell<SlidingStatistics>>,
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
        self.clocks
            .borrow_mut()
            .clock(self.now, inputs[1] & 1 == 1, ready, running);
        self.inner.clock(inputs);
        self.now += 1;
        let mut statistics = self.statistics.borrow_mut();
        for event in self.inner.model.drain_events() {
            match event {
                SlidingEvent::Item(decision) => statistics.decided(&decision),
                // that of power-up is before the first item; no other is asked for
                SlidingEvent::Clear => statistics.differing += u64::from(statistics.items > 0),
            }
        }
        statistics.scan_late |= self.inner.model.check().is_err();
        if self.now.is_multiple_of(CLOCKS_A_REPORT) {
            (self.watch.items)(statistics.items, self.total);
        }
    }
}

impl Verified for SlidingGeometry {
    type Found = SlidingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<SlidingVerification, VerifyError> {
        let geometry = self;
        let loaded = plan.keys.load(geometry, plan.items, plan.seed)?;
        let skipped = loaded.skipped;
        let script = Rc::new(Script::new(geometry, loaded, plan.seed)?);
        let test = match plan.keys {
            Keys::RandomNew => RateTest::Prediction,
            Keys::Capture(_) | Keys::Column { .. } | Keys::Zipf { .. } => RateTest::AtMostTarget,
        };
        let clocks = Rc::new(RefCell::new(Clocks::default()));
        let statistics: RefCell<Option<Rc<RefCell<SlidingStatistics>>>> = RefCell::new(None);
        let make = |_seed: u64| {
            let steady = test == RateTest::Prediction;
            let fresh = SlidingStatistics::new(geometry, script.clone(), steady);
            let shared = Rc::new(RefCell::new(fresh));
            // the first run is the one that counts; a replay for the waveform counts for itself
            let mut slot = statistics.borrow_mut();
            let counts = slot.is_none();
            slot.get_or_insert_with(|| shared.clone());
            let mut inner = SlidingReference::new(geometry);
            inner.model.keep_events();
            let measured = Measured {
                inner,
                statistics: shared,
                clocks: if counts {
                    clocks.clone()
                } else {
                    Rc::default()
                },
                now: 0,
                watch,
                total: script.items.len() as u64,
            };
            let items = Items {
                script: script.clone(),
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
        let statistics = statistics
            .into_inner()
            .expect("the run made its statistics");
        let mut statistics = statistics.borrow_mut();
        statistics.ended();
        let clocks = clocks_of(*clocks.borrow());
        let ended = conclude::Ended {
            plan,
            geometry,
            skipped,
            planned: script.items.len() as u64,
            test,
            statistics: &statistics,
            finished,
            mismatch,
            clocks,
            latency,
        };
        ended.conclude()
    }
}

#[cfg(test)]
mod tests;
