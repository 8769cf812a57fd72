//! Recycling filters with a keyed hash: the emitted Verilog equals the cycle-accurate model on every port of every clock, through
//! rekeys in mid-stream.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::verilator::Initial;
use bloomline_tests::{few, simulation, soak, Sample};
use std::cell::Cell;

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 18;

#[test]
fn emitted_recycling_filters_with_keyed_hashes_equal_the_model_through_rekeys() {
    let samples = [
        // Cycles long enough for full rate among its thresholds.
        Sample {
            family: "siphash",
            partition_bits: 512,
            threshold: 700,
            ..Sample::BASE
        },
        // Several units, each with its number, and a pipeline that needs the deeper queue.
        Sample {
            family: "siphash-2-4",
            hashes: 8,
            hashing: "independent",
            threshold: 500,
            key_bits: 121,
            phases: 1,
            ..Sample::BASE
        },
        Sample {
            family: "siphash",
            on: "messages",
            threshold: 150,
            partition_bits: 1024,
            key_bits: 64,
            retain: false,
            ..Sample::BASE
        },
    ];
    let soak = soak();
    let mut clocks = 0;
    for sample in few(&samples, 1) {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(simulation(&design));
        let (recycles, rekeys, secret) = (Cell::new(0), Cell::new(0), Cell::new(None));
        // With a secret a half: clocks in which they differ, and items that ended that.
        let (differing, differed, tripped) = (Cell::new(0), Cell::new(false), Cell::new(0));
        for seed in 0..RUNS * soak {
            let make = |seed| {
                let mix = TortureMix::draw(&geometry, seed, CLOCKS);
                (
                    ModelReference::new(&geometry),
                    Torture::new(&geometry, mix, seed),
                )
            };
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    let model = &clock.reference.model;
                    let differ = model.filter().older_hasher().is_some();
                    differing.set(differing.get() + u64::from(differ));
                    if differed.replace(differ) && !differ && model.status().running {
                        tripped.set(tripped.get() + 1);
                    }
                    if clock.cycle % 64 == 0 {
                        let now = model.filter().hasher().secret();
                        rekeys.set(rekeys.get() + u32::from(secret.replace(now) != now));
                    }
                    if clock.cycle + 1 == CLOCKS {
                        model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                        recycles.set(recycles.get() + model.filter().recycles());
                    }
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        assert!(
            recycles.get() > 50 && rekeys.get() > 20,
            "{sample:?}: {} recycles, {} secrets",
            recycles.get(),
            rekeys.get()
        );
        println!(
            "{} clocks with two secrets, {} items ended that",
            differing.get(),
            tripped.get()
        );
        assert!(
            sample.phases == 1 || (differing.get() > 5_000 && tripped.get() > 4),
            "{sample:?}: {} clocks with two secrets, {} items ended that",
            differing.get(),
            tripped.get()
        );
    }
    println!("{clocks} clocks in lockstep");
}
