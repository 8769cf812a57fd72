//! The walked chain against its closed form up to 2^30 bits, with the time each takes: `cargo run --release -p
//! bloomline-theory --example chain_soak -- 30` (the largest size as a power of two, 26 unless given).

use bloomline_theory::recycling::shared_bits::{bits_set_law_by, Evaluation};
use bloomline_theory::recycling::{Restart, SharedHalf};
use bloomline_theory::TheoryError;
use std::time::Instant;

fn main() -> Result<(), TheoryError> {
    let largest = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(26u32)
        .clamp(16, 34);
    println!("bits    k  chain_s   closed_s  cycle_diff  active_diff frozen_diff stated");
    for log in (16..=largest).step_by(2) {
        let half = SharedHalf::new(1 << log, 8, false)?;
        let timed = |by| {
            let started = Instant::now();
            let law = bits_set_law_by(half, half.bits() / 2, Restart::Forget, by)?;
            Ok((law, started.elapsed().as_secs_f64()))
        };
        let (chain, chain_seconds) = timed(Evaluation::Chain)?;
        let (closed, closed_seconds) = timed(Evaluation::Settled)?;
        println!(
            "2^{log:<4} {:>2}  {chain_seconds:<8.4}  {closed_seconds:<8.6}  {:<10.1e}  {:<10.1e}  {:<10.1e}  {:.1e}",
            half.hashes(),
            (closed.mean_arrivals / chain.mean_arrivals - 1.0).abs(),
            (closed.active_rate / chain.active_rate - 1.0).abs(),
            (closed.frozen_rate / chain.frozen_rate - 1.0).abs(),
            closed.accuracy.relative_error,
        );
    }
    Ok(())
}
