//! Verification of sliding-window filters.
//!
//! Every key of a stream is tested and inserted; between them keys that came before are asked for. The exact truth says how far
//! back each lies: within the window a no is a failure; in the slack the share seen is held against its formula; beyond both, and
//! for keys that never came, a yes is a false positive, of which the rate is held against theory and each against the live cells
//! that it met. Insertions that are lost are counted.

mod conclude;
mod dictionary;
mod outcome;
mod report;
mod script;
mod statistics;
mod text;
mod truth;
mod window;

pub use dictionary::{cuckoo_tables, dictionary};
pub use outcome::{
    OverflowFound, RateTest, Share, SlackBand, SlackFound, SlidingVerification, WindowFound,
};

use super::Verified;
use crate::latency::LatencyProbe;
use crate::plan::{Plan, Watch};
use crate::runner::simulate;
use crate::session::{clocks_of, Against, Clocks, Pooled, Prepared};
use crate::{Keys, VerifyError};
use bloomline_bench::filter::{emitted_design, PackedModel, Traffic};
use bloomline_bench::lockstep::Reference;
use bloomline_model::ClockedModel;
use bloomline_spec::{CuckooGeometry, Design, SlidingGeometry};
use script::{Items, Script};
use statistics::SlidingStatistics;
use std::sync::Arc;
use window::{Event, Window};

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
struct Measured<G: Window> {
    inner: PackedModel<G::Model>,
    statistics: SlidingStatistics<G::Filter>,
    clocks: Clocks,
    now: u64,
    skipped: u64,
    planned: u64,
}

impl<G: Window> Pooled for Measured<G> {
    fn pool(&mut self, others: Vec<Measured<G>>) {
        self.statistics.ended();
        for mut other in others {
            other.statistics.ended();
            self.clocks.add(other.clocks);
            self.planned += other.planned;
            self.statistics.add(other.statistics);
        }
    }
}

impl<G: Window> Reference for Measured<G> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let ready = self.inner.model.ready();
        let running = G::running(&self.inner.model);
        self.clocks
            .clock(self.now, inputs[1] & 1 == 1, ready, running);
        self.inner.clock(inputs);
        self.now += 1;
        let statistics = &mut self.statistics;
        G::events(&mut self.inner.model, |event| match event {
            Event::Item(decided) => statistics.decided(&decided),
            // that of power-up is before the first item; no other is asked for
            Event::Clear => statistics.differing += u64::from(statistics.items > 0),
        });
        statistics.scan_late |= !G::in_time(&self.inner.model);
    }

    fn progress(&self) -> u64 {
        self.statistics.items
    }
}

impl Verified for SlidingGeometry {
    type Found = SlidingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<SlidingVerification, VerifyError> {
        run(self, &Design::from(self), plan, watch)
    }
}

impl Verified for CuckooGeometry {
    type Found = SlidingVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<SlidingVerification, VerifyError> {
        run(self, &Design::from(self), plan, watch)
    }
}

/// Memory that a run takes for each item, in bytes, about: its key, and what is asked for.
const BYTES_AN_ITEM: u64 = 100;

/// Verifies the filter of `geometry`, which is that of `design`.
fn run<G: Window>(
    geometry: &G,
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<SlidingVerification, VerifyError> {
    let promise = geometry.promise();
    let test = match plan.keys {
        Keys::RandomNew => RateTest::Prediction,
        Keys::Capture(_) | Keys::Column { .. } | Keys::Zipf { .. } => RateTest::AtMostTarget,
    };
    plan.keys.fit(plan.items, BYTES_AN_ITEM)?;
    let prepare = |seed: u64, drawing: &dyn Fn()| {
        let loaded = plan
            .keys
            .load_watched(design, plan.items_a_filter(), seed, drawing)?;
        let skipped = loaded.skipped;
        let script = Arc::new(Script::new(promise, loaded, seed)?);
        Ok(Scripted { script, skipped })
    };
    // Copies share the tables of the hash functions.
    let mut fresh = PackedModel::new(geometry);
    G::watch(&mut fresh.model);
    let filter = geometry.empty();
    let steady = test == RateTest::Prediction;
    let start = |scripted: &Scripted, _: Against| {
        let script = &scripted.script;
        let measured = Measured::<G> {
            inner: fresh.clone(),
            statistics: SlidingStatistics::new(promise, script.clone(), filter.clone(), steady),
            clocks: Clocks::default(),
            now: 0,
            skipped: scripted.skipped,
            planned: scripted.items(),
        };
        let items = Items {
            script: script.clone(),
            next: 0,
        };
        (measured, Traffic::new(design, items))
    };
    let (emitted, _) = emitted_design(geometry)?;
    let mut latency = LatencyProbe::new(design, design.timing().latency_clocks());
    let run = simulate(&emitted, plan, watch, prepare, start, &mut latency)?;
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

#[cfg(test)]
mod tests;
