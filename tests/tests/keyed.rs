//! Recycling filters with a keyed hash: the emitted Verilog equals the cycle-accurate model on every port of every clock, through
//! rekeys in mid-stream.

use bloomline_tests::{few, in_lockstep, simulation, soak, Sample, Tortured};

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
    let mut clocks = 0;
    for sample in few(&samples, 1) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let simulation = simulation(&geometry.emitted());
        let (mut recycles, mut rekeys, mut secret) = (0, 0, None);
        // With a secret a half: clocks in which they differ, and items that ended that.
        let (mut differing, mut differed, mut tripped) = (0, false, 0);
        clocks += in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |clock| {
            let model = &clock.reference.model;
            let differ = model.filter().older_hasher().is_some();
            differing += u64::from(differ);
            if std::mem::replace(&mut differed, differ) && !differ && model.status().running {
                tripped += 1;
            }
            if clock.cycle % 64 == 0 {
                let now = model.filter().hasher().secret();
                rekeys += u32::from(std::mem::replace(&mut secret, now) != now);
            }
            if clock.cycle + 1 == CLOCKS {
                recycles += model.filter().recycles();
            }
        });
        println!("{differing} clocks with two secrets, {tripped} items ended that");
        assert!(
            recycles > 50 && rekeys > 20,
            "{recycles} recycles, {rekeys} secrets"
        );
        assert!(sample.phases == 1 || (differing > 5_000 && tripped > 4));
    }
    println!("{clocks} clocks in lockstep");
}
