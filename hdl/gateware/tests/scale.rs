//! Scaling a hash value to a range.

use bloomline_hdl::hash::{digits, Scale};
use bloomline_hdl::shape::ones;
use bloomline_language::wires::sim::NativeSim;
use bloomline_language::wires::UInt;

/// Clocks from a value to its position.
const RANKS: usize = 3;

#[test]
fn digits_add_up_to_the_number_and_have_no_neighbours() {
    for number in (1..5000).chain([65521, 131_071, (1 << 28) - 57, (1 << 31) - 1]) {
        let digits = digits(number);
        let sum: i128 = digits
            .iter()
            .map(|d| {
                if d.negative {
                    -(1 << d.shift)
                } else {
                    1 << d.shift
                }
            })
            .sum();
        assert_eq!(sum, number as i128);
        assert!(
            digits.windows(2).all(|w| w[1].shift > w[0].shift + 1),
            "{number}"
        );
    }
}

#[test]
fn values_are_the_high_part_of_the_product_three_clocks_later() {
    for (x_bits, range, y_bits) in [
        (31, 127, 7),
        (41, 131_071, 17),
        (44, 1 << 20, 20),
        (49, (1 << 28) - 57, 28),
    ] {
        let mut sim =
            NativeSim::new(Scale::new(x_bits, range, y_bits), |s| &mut s.clock).expect("settles");
        let xs: Vec<u128> = (0..50_u128)
            .map(|n| match n {
                0 => 0,
                1 => ones(x_bits),
                _ => n.wrapping_mul(0x9e37_79b9_7f4a_7c15_1234_5678_9abc_def1) & ones(x_bits),
            })
            .collect();
        for t in 0..xs.len() + RANKS {
            if t >= RANKS {
                let expected = (xs[t - RANKS] * range) >> x_bits;
                assert_eq!(sim.block().y.val().get(), expected, "{range}");
            }
            let x = xs.get(t).copied().unwrap_or(0);
            sim.block_mut().x.next = UInt::new(x, x_bits);
            sim.step().expect("settles");
        }
    }
}
