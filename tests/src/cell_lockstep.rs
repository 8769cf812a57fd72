use crate::CellSample;
use bloomline_bench::filter::{emitted_cell_design, CellReference, CellTorture, CellTortureMix};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{BuildOptions, Initial};
use bloomline_spec::registers::CellCounter;
use std::cell::Cell;

/// Clocks a run.
const CLOCKS: u64 = 12_000;

/// What the runs of a sample came to (counters: since the last reset of each run), so that a run that tests nothing fails.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    items: u64,
    reported: u64,
    saturated: u64,
    used_up: u64,
    rekeys: u64,
    secret: Option<u128>,
}

/// Runs the emitted Verilog of each sample against the model under torture, `runs` times with a mix of its own; the
/// environment's `BLOOMLINE_SOAK` multiplies the runs.
///
/// # Panics
/// At the first difference, and when the runs of a sample never came to what they are for.
pub fn cells_in_lockstep(runs: u64, samples: &[CellSample]) {
    let toolchain = Toolchain::discover().expect("toolchain");
    toolchain
        .find_or_install(Program::Verilator, &|p| eprintln!("{p}"))
        .expect("Verilator");
    let soak: u64 = std::env::var("BLOOMLINE_SOAK")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1);
    let mut clocks = 0;
    for sample in samples {
        let geometry = sample.geometry();
        let (design, _) = emitted_cell_design(&geometry).expect("emit");
        let bench = Bench::new(&toolchain, &design, &BuildOptions::default()).expect("build");
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
                    let mut now = tally.get();
                    if clock.cycle % 64 == 0 {
                        now.used_up += u64::from(model.status().spare_epochs == 0);
                        let secret = model.filter().hasher().secret();
                        now.rekeys += u64::from(secret != now.secret);
                        now.secret = secret;
                    }
                    if clock.cycle + 1 == CLOCKS {
                        model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                        let status = model.status();
                        now.items += status.counter(CellCounter::Items);
                        now.reported += status.counter(CellCounter::Reported);
                        now.saturated += status.counter(CellCounter::Saturated);
                    }
                    tally.set(now);
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        let tally = tally.get();
        let interval = u64::from(geometry.timing().initiation_interval());
        assert!(
            tally.items * interval > 10_000 && tally.reported > 100,
            "{sample:?}: {tally:?}"
        );
        assert!(
            tally.saturated > 10 || sample.cell_bits == 1,
            "{sample:?}: {tally:?}"
        );
        assert!(
            tally.used_up > 0 || sample.words < 128,
            "{sample:?}: {tally:?}"
        );
        // Each run starts from the secret of the specification.
        assert!(
            tally.rekeys > 10 * runs * soak || geometry.hash().secret.is_none(),
            "{sample:?}: {tally:?}"
        );
    }
    println!("{clocks} clocks in lockstep");
}
