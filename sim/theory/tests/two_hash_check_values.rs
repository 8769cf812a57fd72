//! The excess of two hashes, against the check values.

use bloomline_theory::two_hash::PartitionedDoubleHashing;

#[test]
fn mean_excess_matches_the_check_values() {
    for (range, hashes, excess, base) in [
        (256u64, 4u32, 8.68e-4, 0.0157),
        (1024, 8, 3.38e-4, 5.7e-4),
        (4096, 16, 8.5e-5, 1.3e-6),
    ] {
        let started = std::time::Instant::now();
        let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal");
        let last = (range as f64 * std::f64::consts::LN_2).floor();
        let mean = scheme.excess_sum(last + 1.0) / (last + 1.0);
        println!(
            "{range} {hashes} {mean:e} {excess:e} {base} {:?}",
            started.elapsed()
        );
    }
}
