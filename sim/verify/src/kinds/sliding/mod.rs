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
use crate::plan::{Plan, Watch};
use crate::runner::simulate;
use crate::session::{clocks_of, Against, Clocks, Pooled, Prepared};
use crate::{Keys, VerifyError};
use bloomline_bench::filter::{emitted_design, SlidingReference, Traffic};
use bloomline_bench::lockstep::Reference;
use bloomline_model::{SlidingEvent, SlidingFilter};
use bloomline_spec::{Design, SlidingGeometry};
use script::{Items, Script};
use statistics::SlidingStatistics;
use std::sync::Arc;

/// The items of one filter, and how many records had no key.
struct Scripted {
    script: Arc<Script>,
    skipped: u64,
}

impl Prepared for Scripted {
    fn items(&self) -> u64 {
        self.script.items.len() as u64
    }
}

/// The model with the statistics attached.
struct Measured {
    inner: SlidingReference,
    statistics: SlidingStatistics,
    clocks: Clocks,
    now: u64,
    skipped: u64,
    planned: u64,
}

impl Pooled for Measured {
    fn pool(&mut self, others: Vec<Measured>) {
        self.statistics.ended();
        for mut other in others {
            other.statistics.ended();
            self.clocks.add(other.clocks);
            self.planned += other.planned;
            self.statistics.add(other.statistics);
        }
    }
}

impl Reference for Measured {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let ready = self.inner.model.outputs().s_item_tready;
        let running = self.inner.model.status().running;
        self.clocks
            .clock(self.now, inputs[1] & 1 == 1, ready, running);
        self.inner.clock(inputs);
        self.now += 1;
        let statistics = &mut self.statistics;
        for event in self.inner.model.drain_events() {
            match event {
                SlidingEvent::Item(decision) => statistics.decided(&decision),
                // that of power-up is before the first item; no other is asked for
                SlidingEvent::Clear => statistics.differing += u64::from(statistics.items > 0),
            }
        }
        statistics.scan_late |= self.inner.model.check().is_err();
    }

    fn progress(&self) -> u64 {
        self.statistics.items
    }
}

impl Verified for SlidingGeometry {
    type Found = SlidingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<SlidingVerification, VerifyError> {
        let geometry = self;
        let test = match plan.keys {
            Keys::RandomNew => RateTest::Prediction,
            Keys::Capture(_) | Keys::Column { .. } | Keys::Zipf { .. } => RateTest::AtMostTarget,
        };
        let prepare = |seed: u64| {
            let loaded = plan.keys.load(geometry, plan.items_a_filter(), seed)?;
            let skipped = loaded.skipped;
            let script = Arc::new(Script::new(geometry, loaded, seed)?);
            Ok(Scripted { script, skipped })
        };
        // Copies share the tables of the hash functions.
        let mut fresh = SlidingReference::new(geometry);
        fresh.model.keep_events();
        let filter = SlidingFilter::new(geometry);
        let steady = test == RateTest::Prediction;
        let start = |scripted: &Scripted, _: Against| {
            let script = &scripted.script;
            let measured = Measured {
                inner: fresh.clone(),
                statistics: SlidingStatistics::new(
                    geometry,
                    script.clone(),
                    filter.clone(),
                    steady,
                ),
                clocks: Clocks::default(),
                now: 0,
                skipped: scripted.skipped,
                planned: scripted.items(),
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
        let run = simulate(&design, plan, watch, prepare, start, &mut latency)?;
        let Measured {
            mut statistics,
            clocks,
            skipped,
            planned,
            ..
        } = run.reference;
        statistics.ended();
        let ended = conclude::Ended {
            plan,
            geometry,
            skipped,
            planned,
            test,
            statistics: &statistics,
            finished: run.finished,
            mismatch: run.mismatch,
            clocks: clocks_of(clocks),
            latency,
        };
        ended.conclude()
    }
}

#[cfg(test)]
mod tests;
