//! The excess of two hashes, against the check values.

use bloomline_theory::two_hash::PartitionedDoubleHashing;

#[test]
fn mean_excess_matches_the_check_values() {
    for (range, hashes, excess, last_digit) in [
        (256, 4, 8.68e-4, 1e-6),
        (1024, 8, 3.38e-4, 1e-6),
        (4096, 16, 8.5e-5, 1e-6),
    ] {
        let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
        let arrivals = (range as f64 * std::f64::consts::LN_2).floor() + 1.0;
        let mean = scheme.excess_sum(arrivals) / arrivals;
        assert!(
            (mean - excess).abs() <= 0.51 * last_digit,
            "{range} {hashes}: {mean:e} for {excess:e}"
        );
    }
}
