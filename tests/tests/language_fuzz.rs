//! Claims that random kernels compute the same in rust-hdl's settle loop and, once printed, in Verilator and the built-in simulator.
//!
//! 300 kernels of 100 clocks run by default, 150 in a quick test. `BLOOMLINE_FUZZ_KERNELS=100000` runs more (in batches of
//! `BLOOMLINE_FUZZ_BATCH`, 100: Verilator and the compiled engine take longer a kernel in larger ones), `BLOOMLINE_FUZZ_SEED` starts elsewhere. Verilator compiles for most of the time: with
//! `BLOOMLINE_FUZZ_VERILATOR=0` only the engines of the built-in simulator are compared with rust-hdl.

use crate::language_support::generate::random_block;
use crate::language_support::harness::Batch;
use bloomline_tests::runs;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const VECTORS: usize = 100;

fn variable(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    }
}

#[test]
fn random_kernels_compute_the_same_in_rust_hdl_verilator_and_the_built_in_simulator() {
    let kernels = variable("BLOOMLINE_FUZZ_KERNELS", runs(150, 300));
    let batch = variable("BLOOMLINE_FUZZ_BATCH", 100);
    let first = variable("BLOOMLINE_FUZZ_SEED", 1);
    let verilator = variable("BLOOMLINE_FUZZ_VERILATOR", 1) != 0;
    let mut done = 0;
    while done < kernels {
        let count = batch.min(kernels - done);
        let seeds = first + done..first + done + count;
        let draw = |seed| {
            (
                format!("kernel_{seed}"),
                random_block(&mut ChaCha8Rng::seed_from_u64(seed)),
            )
        };
        let blocks = seeds.clone().map(draw).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seeds.start);
        let found = Batch::new(blocks, &mut rng).disagreement(VECTORS, verilator, &mut rng);
        if let Some(text) = found {
            panic!("seeds {seeds:?} (the kernel's name ends in its seed): {text}");
        }
        done += count;
        println!("{done} kernels of {VECTORS} clocks agree");
    }
}
