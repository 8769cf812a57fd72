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
use crate::runner::{clocks_of, simulate, Clocks, Plan, Watch, CLOCKS_A_REPORT};
use crate::VerifyError;
use bloomline_bench::filter::{emitted_design, CellReference};
use bloomline_bench::lockstep::Reference;
use bloomline_model::CellEvent;
use bloomline_spec::{CellGeometry, CellKind, Design};
use law::Law;
use script::Script;
use statistics::CellStatistics;
use std::cell::RefCell;
use std::rc::Rc;
use traffic::ScriptTraffic;

/// The model with the statistics attached.
struct Measured<'a> {
    inner: CellReference,
    statistics: Rc<RefCell<CellStatistics>>,
    clocks: Rc<RefCell<Clocks>>,
    now: u64,
    two_hash_excess: f64,
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
        // waiting for the probes of the item before is the interval between items, no stall
        let valid = inputs[1] & 1 == 1;
        if !self.inner.model.holds_up() {
            self.clocks
                .borrow_mut()
                .clock(self.now, valid, ready, running);
        }
        self.inner.clock(inputs);
        self.now += 1;
        let mut statistics = self.statistics.borrow_mut();
        for event in self.inner.model.drain_events() {
            if let CellEvent::Item(decision) = event {
                statistics.decided(&decision, self.two_hash_excess);
            }
        }
        if self.now.is_multiple_of(CLOCKS_A_REPORT) {
            (self.watch.items)(statistics.items, self.total);
        }
    }
}

impl Verified for CellGeometry {
    type Found = CellVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<CellVerification, VerifyError> {
        let geometry = self;
        let loaded = plan.keys.load(geometry, plan.items, plan.seed)?;
        let script = Rc::new(Script::new(geometry, &loaded, plan.seed)?);
        let law = Law::of(geometry)?;
        let two_hash_excess = match geometry.cell_kind() {
            CellKind::Static => law.excess_given_cells(script.fill)?.unwrap_or(0.0),
            _ => 0.0,
        };
        let clocks = Rc::new(RefCell::new(Clocks::default()));
        let statistics: RefCell<Option<Rc<RefCell<CellStatistics>>>> = RefCell::new(None);
        let make = |_seed: u64| {
            let fresh = CellStatistics::new(geometry, &law, script.clone());
            let shared = Rc::new(RefCell::new(fresh));
            // the first run is the one that counts; a replay for the waveform counts for itself
            let mut slot = statistics.borrow_mut();
            let counts = slot.is_none();
            slot.get_or_insert_with(|| shared.clone());
            let mut inner = CellReference::new(geometry);
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
                two_hash_excess,
                watch,
                total: script.items.len() as u64,
            };
            (measured, ScriptTraffic::new(geometry, script.clone()))
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
        let statistics = statistics.borrow();
        let clocks = clocks_of(*clocks.borrow());
        let ended = conclude::Ended {
            plan,
            geometry,
            law,
            loaded: &loaded,
            script: &script,
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
