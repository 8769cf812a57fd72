use crate::setup::{few, simulation, soak};
use crate::CellSample;
use crate::NativeFilter;
use bloomline_bench::filter::{emitted_design, CellReference, CellTorture, CellTortureMix};
use bloomline_bench::lockstep::{compare, Bench, Limits};
use bloomline_bench::verilator::Initial;
use bloomline_model::CellPipelineModel;
use bloomline_spec::registers::CellCounter;
use std::cell::Cell;

/// Clocks a run.
const CLOCKS: u64 = 12_000;

/// Clocks from one look at the model's state to the next.
const LOOK: u64 = 16;

/// What the runs of a sample came to, so that a run that tests nothing fails.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// Items, those reported, those that saturated a cell.
    counts: [u64; 3],
    used_up: u64,
    rekeys: u64,
    /// As of the last look.
    counters: [u64; 3],
    secret: Option<u128>,
}

impl Tally {
    fn look(&mut self, model: &CellPipelineModel) {
        let status = model.status();
        let counters = [
            CellCounter::Items,
            CellCounter::Reported,
            CellCounter::Saturated,
        ]
        .map(|counter| status.counter(counter));
        for ((count, before), now) in self.counts.iter_mut().zip(self.counters).zip(counters) {
            // From 0 again after a reset, and at the start of a run.
            *count += now.checked_sub(before).unwrap_or(now);
        }
        self.counters = counters;
        self.used_up += u64::from(status.spare_epochs == 0);
        let secret = model.filter().hasher().secret();
        self.rekeys += u64::from(secret != self.secret);
        self.secret = secret;
    }
}

/// Runs the emitted Verilog of each sample against the model under torture, `runs` times with a mix of its own; the
/// environment's `BLOOMLINE_SOAK` multiplies the runs.
///
/// # Panics
/// At the first difference, and when the runs of a sample never came to what they are for.
pub fn cells_in_lockstep(runs: u64, samples: &[CellSample]) {
    let soak = soak();
    let mut clocks = 0;
    for sample in few(samples, 1) {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(simulation(&design));
        let tally = Cell::new(Tally::default());
        for seed in 0..runs * soak {
            let make = |seed| {
                let mix = CellTortureMix::draw(&geometry, seed, CLOCKS);
                (
                    CellReference::new(&geometry),
                    CellTorture::new(&geometry, mix, seed),
                )
            };
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    let model = &clock.reference.model;
                    if clock.cycle % LOOK == 0 {
                        let mut now = tally.get();
                        now.look(model);
                        tally.set(now);
                    }
                    if clock.cycle + 1 == CLOCKS {
                        model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                    }
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        let tally = tally.get();
        let interval = u64::from(geometry.timing().initiation_interval());
        let [items, reported, saturated] = tally.counts;
        assert!(
            items * interval > 1_000 * runs * soak && reported > 100,
            "{sample:?}: {tally:?}"
        );
        assert!(
            saturated > 10 || sample.cell_bits == 1,
            "{sample:?}: {tally:?}"
        );
        assert!(
            tally.used_up > 0 || sample.words < 128,
            "{sample:?}: {tally:?}"
        );
        // Each run starts from the secret of the specification.
        assert!(
            tally.rekeys > 3 * runs * soak || geometry.hash().secret.is_none(),
            "{sample:?}: {tally:?}"
        );
    }
    println!("{clocks} clocks in lockstep");
}

/// Runs each sample in the native simulation against the model under torture, three times for `clocks` clocks, with a mix of its own.
///
/// # Panics
/// At the first difference.
pub fn native_cells_in_lockstep(clocks: u64, samples: &[CellSample]) {
    for sample in samples {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        for seed in 0..3 {
            let mix = CellTortureMix::draw(&geometry, seed, clocks);
            compare(
                &design,
                &mut NativeFilter::new(&geometry).expect("native"),
                &mut CellReference::new(&geometry),
                &mut CellTorture::new(&geometry, mix, seed),
                seed,
                Limits::default(),
                |_| {},
            )
            .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}
