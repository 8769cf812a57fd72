//! The check values of the recycling models, to the digits given.

use bloomline_theory::recycling::cycle_length::{mean_messages_printed_boundary, single_hash_rate};
use bloomline_theory::recycling::shared_bits::bits_set_law;
use bloomline_theory::recycling::Restart;
use bloomline_theory::recycling::{
    messages_law, partitioned_bits_set_law, Method, PartitionedHalf, SharedHalf,
};

/// Half a unit in the last digit given.
fn agrees(value: f64, expected: f64, last_digit: f64) {
    assert!(
        (value - expected).abs() <= 0.51 * last_digit,
        "got {value:.12}, expected {expected}"
    );
}

fn shared(bits: u64, hashes: u32, distinct: bool) -> SharedHalf {
    SharedHalf::new(bits, hashes, distinct).expect("legal half")
}

#[test]
fn bits_set_rates_match_the_check_values() {
    let colliding = bits_set_law(shared(1000, 4, false), 500, Restart::Forget).expect("legal");
    agrees(colliding.active_rate, 0.015683629, 1e-9);
    agrees(colliding.mean_arrivals, 174.036858, 1e-6);
    agrees(colliding.retaining().active_rate, 0.0157742665, 1e-10);
    let distinct = bits_set_law(shared(1000, 4, true), 500, Restart::Forget).expect("legal");
    agrees(distinct.active_rate, 0.0155484672, 1e-10);
    let retaining = bits_set_law(shared(1000, 4, true), 500, Restart::Retain).expect("legal");
    agrees(retaining.active_rate, 0.0156384592, 1e-10);
    let printed = mean_messages_printed_boundary(shared(1000, 4, false), 500).expect("legal");
    agrees(printed, 173.536858, 1e-6);
    let two_phase = bits_set_law(shared(500, 4, false), 250, Restart::Forget).expect("legal");
    agrees(two_phase.two_phase_rate(), 0.0764926822, 1e-10);
    agrees(two_phase.retaining().two_phase_rate(), 0.076663, 1e-6);
    agrees(
        single_hash_rate(200, 100).expect("legal"),
        0.2792442340,
        1e-10,
    );
    let chain = bits_set_law(shared(200, 1, false), 100, Restart::Forget).expect("legal");
    agrees(chain.active_rate, 0.2792442340, 1e-10);
}

#[test]
fn partitioned_rates_match_the_check_values_by_either_method() {
    for method in [Method::Convolution, Method::Contour] {
        let law = |range, hashes, sigma| {
            let half = PartitionedHalf::new(range, hashes).expect("legal half");
            partitioned_bits_set_law(half, sigma, method).expect("legal threshold")
        };
        let half = law(125, 4, 250);
        agrees(half.mean_arrivals, 87.1323719, 1e-7);
        agrees(half.active_rate, 0.0156422062, 1e-10);
        agrees(half.frozen_rate, 0.0615257908, 1e-10);
        agrees(half.two_phase_rate(), 0.0762055979, 1e-10);
        agrees(half.retaining().two_phase_rate(), 0.0763760310, 1e-10);
        let one = law(250, 4, 500);
        agrees(one.active_rate, 0.0156516823, 1e-10);
        agrees(one.mean_arrivals, 173.776318, 1e-6);
        let large = law(1024, 4, 2048);
        agrees(large.active_rate, 0.0156588700, 1e-10);
        agrees(large.mean_arrivals, 710.272649, 1e-6);
    }
}

#[test]
fn contour_agrees_with_convolution() {
    for (range, hashes, sigma) in [
        (32, 4, 64),
        (64, 2, 40),
        (32, 8, 20),
        (1024, 4, 2048),
        (512, 1, 300),
        (4096, 4, 8192),
        (256, 16, 2000),
        (64, 4, 250),
        (4096, 4, 1000),
    ] {
        let half = PartitionedHalf::new(range, hashes).expect("legal half");
        let law = |method| partitioned_bits_set_law(half, sigma, method).expect("legal threshold");
        let (exact, contour) = (law(Method::Convolution), law(Method::Contour));
        for (name, a, b) in [
            ("cycle", exact.mean_arrivals, contour.mean_arrivals),
            ("active", exact.active_rate, contour.active_rate),
            ("frozen", exact.frozen_rate, contour.frozen_rate),
        ] {
            assert!(
                (b / a - 1.0).abs() < 1e-9,
                "{range} {hashes} {sigma} {name}: {a:e} {b:e}"
            );
        }
    }
}

#[test]
fn messages_rate_matches_the_check_value() {
    let law = messages_law(shared(1000, 4, false), 173, Restart::Forget).expect("legal");
    agrees(law.active_rate, 0.0162318647, 1e-10);
}
