//! Matrices of exclusive ORs, as they are emitted.

use bloomline_hdl::emit::{verilog, Options};
use bloomline_hdl::hash::XorMatrix;
use bloomline_language::wires::prelude::Block as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is emitted for each output: the right side of its assignment.
fn sums(taps: &[Vec<usize>], inputs: usize) -> Vec<String> {
    let plain = vec![false; taps.len()];
    let mut matrix = XorMatrix::new("matrix", "Sums.", inputs, taps.to_vec(), plain);
    matrix.connect_all();
    let emitted = verilog(&matrix, "matrix", &Options::default()).expect("it can be emitted");
    let text = emitted.text();
    let assigned = text
        .split(';')
        .filter_map(|statement| statement.split_once("assign y["));
    assigned
        .map(|(_, assigned)| {
            assigned
                .split_once(" = ")
                .expect("a right side")
                .1
                .to_string()
        })
        .collect()
}

/// Numbers of the inputs in a sum.
fn inputs(sum: &str) -> Vec<usize> {
    let named = sum.split("x[").skip(1);
    named
        .map(|rest| {
            rest.split_once(']')
                .expect("a number")
                .0
                .parse()
                .expect("a number")
        })
        .collect()
}

#[test]
fn every_input_of_an_output_is_in_its_sum_once() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for density in [0.02, 0.1, 0.5, 1.0] {
        let taps: Vec<Vec<usize>> = (0..40)
            .map(|_| (0..100).filter(|_| random.random_bool(density)).collect())
            .collect();
        for (sum, taps) in sums(&taps, 100).iter().zip(&taps) {
            let mut found = inputs(sum);
            found.sort_unstable();
            assert_eq!(&found, taps, "{sum}");
            assert_eq!(sum.matches('(').count(), sum.matches(')').count(), "{sum}");
        }
    }
}

#[test]
fn outputs_with_four_inputs_in_common_share_their_sum() {
    let sums = sums(
        &[
            vec![0, 1, 2, 3, 8, 70],
            vec![1, 2, 3, 8, 9],
            vec![4, 5, 6, 7],
        ],
        71,
    );
    let shared = "(x[1] ^ x[2] ^ x[3] ^ x[8])";
    assert_eq!(
        sums,
        [
            format!("{shared} ^ x[0] ^ x[70]"),
            format!("{shared} ^ x[9]"),
            "x[4] ^ x[5] ^ x[6] ^ x[7]".to_string(),
        ]
    );
}
