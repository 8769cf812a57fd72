//! Verification of static filters, counting filters and Count-Min sketches.
//!
//! * **static**: a set is inserted, other keys are asked for: the rate against theory at that many items, and against the bits set.
//! * **counting**: every arrival of a stream is inserted; reports below the threshold against theory for that very stream, and
//!   against the counters.
//! * **count-min**: the same with amounts; the errors of all estimates against the bound, and fresh keys against the counters.
//!
//! Of counters that are updated conservatively no more than the plain update's numbers are predicted, as upper bounds: reports below the
//! threshold fail only above theirs, and no estimate may be above that of the plain filter on the same items.
//!
//! On every kind: no answer below the truth, the pipeline equal to the functional model, the latency that of the contract.

mod alarms;
mod conclude;
mod law;
mod outcome;
mod plain;
mod report;
mod script;
mod statistics;
mod text;
mod traffic;

pub use outcome::{
    Bound, CellVerification, ConservativeFound, CountMinFound, CountingFound, Details, HotKey,
    Quantile, StaticFound,
};

use super::Verified;
use crate::latency::LatencyProbe;
use crate::runner::{clocks_of, simulate, Clocks, Plan, Watch};
use crate::VerifyError;
use bloomline_bench::filter::{emitted_design, CellReference};
use bloomline_bench::lockstep::Reference;
use bloomline_model::CellEvent;
use bloomline_spec::{CellGeometry, CellKind, Design};
use law::Law;
use script::Script;
use statistics::CellStatistics;
use std::sync::Arc;
use traffic::ScriptTraffic;

/// The model with the statistics attached.
struct Measured {
    inner: CellReference,
    statistics: CellStatistics,
    clocks: Clocks,
    now: u64,
    two_hash_excess: f64,
}

impl Reference for Measured {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let model = &self.inner.model;
        // waiting for the probes of the item before is the interval between items, no stall
        if !model.holds_up() {
            let ready = model.outputs().s_item_tready;
            let running = model.status().running;
            self.clocks
                .clock(self.now, inputs[1] & 1 == 1, ready, running);
        }
        self.inner.clock(inputs);
        self.now += 1;
        for event in self.inner.model.drain_events() {
            if let CellEvent::Item(decision) = event {
                self.statistics.decided(&decision, self.two_hash_excess);
            }
        }
    }

    fn progress(&self) -> u64 {
        self.statistics.items
    }
}

impl Verified for CellGeometry {
    type Found = CellVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<CellVerification, VerifyError> {
        let geometry = self;
        let loaded = plan.keys.load(geometry, plan.items, plan.seed)?;
        let script = Arc::new(Script::new(geometry, &loaded, plan.seed)?);
        let law = Law::of(geometry)?;
        let two_hash_excess = match geometry.cell_kind() {
            CellKind::Static => law.excess_given_cells(script.fill)?.unwrap_or(0.0),
            _ => 0.0,
        };
        let make = |_seed: u64| {
            let mut inner = CellReference::new(geometry);
            inner.model.keep_events();
            let measured = Measured {
                inner,
                statistics: CellStatistics::new(geometry, &law, script.clone()),
                clocks: Clocks::default(),
                now: 0,
                two_hash_excess,
            };
            (measured, ScriptTraffic::new(geometry, script.clone()))
        };
        let (design, _) = emitted_design(geometry)?;
        let contract = Design::from(geometry).timing().latency_clocks();
        let mut latency = LatencyProbe::new(geometry, contract);
        let total = script.items.len() as u64;
        let run = simulate(&design, plan, watch, total, make, &mut latency)?;
        let ended = conclude::Ended {
            plan,
            geometry,
            law,
            loaded: &loaded,
            script: &script,
            statistics: &run.reference.statistics,
            finished: run.finished,
            mismatch: run.mismatch,
            clocks: clocks_of(run.reference.clocks),
            latency,
        };
        ended.conclude()
    }
}

#[cfg(test)]
mod tests;
