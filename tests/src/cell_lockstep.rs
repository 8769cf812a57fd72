use crate::setup::{few, simulation, soak};
use crate::{in_lockstep, CellSample, Tortured};
use bloomline_model::CellPipelineModel;
use bloomline_spec::registers::CellCounter;

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
        println!("{sample:?}");
        let geometry = sample.geometry();
        let simulation = simulation(&geometry.emitted());
        let mut tally = Tally::default();
        clocks += in_lockstep(&geometry, simulation, runs * soak, CLOCKS, |clock| {
            if clock.cycle % LOOK == 0 {
                tally.look(&clock.reference.model);
            }
        });
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
