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
//! A counting filter over a window is judged by the occurrences in its panes: each key once between two turns.
//!
//! On every kind: no answer below the truth, the pipeline equal to the functional model, the latency that of the contract.

mod alarms;
mod conclude;
mod hash_pairs;
mod law;
mod outcome;
mod plain_update;
mod ready;
mod report;
mod script;
mod statistics;
mod text;
mod traffic;
mod window;

pub use outcome::{
    Bound, CellVerification, ConservativeFound, CountMinFound, CountingFound, Details, HotKey,
    Quantile, StaticFound,
};

use super::{Source, Verified};
use crate::latency::LatencyProbe;
use crate::plan::{Plan, Watch};
use crate::runner::simulate;
use crate::session::{clocks_of, Against, Clocks, Pooled, Prepared};
use crate::VerifyError;
use bloomline_bench::filter::{emitted_design, CellReference, ContractPorts};
use bloomline_bench::lockstep::Reference;
use bloomline_model::{CellEvent, CellFilter, CellOutcome};
use bloomline_spec::{CellGeometry, CellKind, Design, FilterKind};
use law::Law;
use script::Script;
use statistics::CellStatistics;
use std::sync::Arc;
use traffic::ScriptTraffic;

/// The items of one filter, and how many records had no key.
struct Scripted {
    script: Arc<Script>,
    skipped: u64,
    two_hash_excess: f64,
}

impl Prepared for Scripted {
    fn items(&self) -> u64 {
        self.script.items.len() as u64
    }
}

/// The model with the statistics attached.
struct Measured {
    source: Source<CellReference>,
    statistics: CellStatistics,
    clocks: Clocks,
    now: u64,
    two_hash_excess: f64,
    skipped: u64,
}

impl Pooled for Measured {
    fn pool(&mut self, others: Vec<Measured>) {
        let mut statistics = Vec::with_capacity(others.len());
        for other in others {
            self.clocks.add(other.clocks);
            statistics.push(other.statistics);
        }
        self.statistics.pool(statistics);
    }
}

impl Measured {
    /// A verdict as the bits of the verdict stream.
    fn verdict_bits(&self, outcome: &CellOutcome) -> u64 {
        match self.statistics.kind() {
            FilterKind::Static => outcome.verdict.seen.into(),
            _ => outcome.verdict.to_bits(),
        }
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
                let outcome = taken.then(|| self.statistics.take(self.two_hash_excess));
                let verdict = outcome.flatten().map(|outcome| self.verdict_bits(&outcome));
                if let Source::Contract(ports) = &mut self.source {
                    ports.clock(inputs, verdict);
                }
                return;
            }
        };
        let model = &inner.model;
        // waiting for the probes of the item before is the interval between items, no stall
        if !model.holds_up() {
            let offered = inputs[1] & 1 == 1;
            self.clocks
                .clock(self.now, offered, model.ready(), model.running());
        }
        inner.clock(inputs);
        self.now += 1;
        for event in inner.model.drain_events() {
            if let CellEvent::Item(decision) = event {
                self.statistics.decided(&decision, self.two_hash_excess);
            }
        }
    }

    fn progress(&self) -> u64 {
        self.statistics.items
    }
}

/// Memory that a run takes for each item, in bytes, about, of a sketch, which takes the most: its key, what it is sent for, and what is counted of it.
const BYTES_AN_ITEM: u64 = 190;

impl Verified for CellGeometry {
    type Found = CellVerification;

    fn run(&self, plan: &Plan, watch: &Watch<'_>) -> Result<CellVerification, VerifyError> {
        let geometry = self;
        let law = Law::of(geometry)?;
        plan.keys.fit(plan.items, BYTES_AN_ITEM)?;
        let prepare = |seed: u64, drawing: &dyn Fn()| {
            let loaded = plan
                .keys
                .load_watched(geometry, plan.items_a_filter(), seed, drawing)?;
            let skipped = loaded.skipped;
            let script = Script::new(geometry, loaded, seed)?;
            let two_hash_excess = match geometry.cell_kind() {
                CellKind::Static => law.excess_given_cells(script.fill)?.unwrap_or(0.0),
                _ => 0.0,
            };
            Ok(Scripted {
                script: Arc::new(script),
                skipped,
                two_hash_excess,
            })
        };
        // Copies share the tables of the hash functions.
        let mut fresh = CellReference::new(geometry);
        fresh.model.keep_events();
        let filter = CellFilter::new(geometry);
        let contract = ContractPorts::new(geometry);
        let start = |scripted: &Scripted, against: Against| {
            let script = &scripted.script;
            let measured = Measured {
                source: match (against, &contract) {
                    (Against::Contract, Some(ports)) => Source::Contract(ports.clone()),
                    _ => Source::Model(Box::new(fresh.clone())),
                },
                statistics: CellStatistics::new(geometry, &law, script.clone(), filter.clone()),
                clocks: Clocks::default(),
                now: 0,
                two_hash_excess: scripted.two_hash_excess,
                skipped: scripted.skipped,
            };
            (measured, ScriptTraffic::new(geometry, script.clone()))
        };
        let (design, _) = emitted_design(geometry)?;
        let latency_clocks = Design::from(geometry).timing().latency_clocks();
        let mut latency = LatencyProbe::new(geometry, latency_clocks);
        let run = simulate(&design, plan, watch, prepare, start, &mut latency)?;
        let ended = conclude::Ended {
            plan,
            geometry,
            law,
            skipped: run.reference.skipped,
            script: &run.reference.statistics.script,
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
