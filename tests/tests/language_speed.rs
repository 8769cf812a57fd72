//! The native simulator's speed, printed: `cargo test --release -p bloomline-tests language_speed:: -- --nocapture`.

use crate::language_support::designs::Filter;
use bloomline_hdl::wires::prelude::*;
use bloomline_hdl::wires::sim::NativeSim;
use std::time::Instant;

#[test]
fn a_filter_of_four_banks_counts_its_items_at_a_printed_speed() {
    let mut sim =
        NativeSim::new(Filter::new(1 << 17, 4, 60_000), |f| &mut f.clock).expect("settles");
    let width = sim.block().h1.val().bits();
    let mut state = 1u64;
    let cycles = 50_000;
    let start = Instant::now();
    for _ in 0..cycles {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let filter = sim.block_mut();
        filter.valid.next = true;
        filter.h1.next = UInt::new(u128::from(state >> 33), width);
        filter.h2.next = UInt::new(u128::from(state >> 13), width);
        sim.step().expect("runs");
    }
    let speed = f64::from(cycles) / start.elapsed().as_secs_f64();
    println!("{speed:.0} clocks a second");
    // 200,000 single-bit insertions into 131,072 bits: about 1 - exp(-1.53) of them are set.
    let set = sim.block().bits_set.val().get() as f64 / f64::from(1 << 17);
    assert!((0.7..0.85).contains(&set), "{set} of the bits are set");
}
