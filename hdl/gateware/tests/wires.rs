//! Numbers of run-time widths.

use bloomline_language::wires::{take_fault, Fault, UInt, Wide};

#[test]
fn shifts_and_bits_agree_with_128_bit_integers() {
    let value = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128;
    let wide = Wide::new(value, 128);
    for by in 0..130_usize {
        let (left, right) = (value.checked_shl(by as u32), value.checked_shr(by as u32));
        assert_eq!((wide << by).low(), left.unwrap_or(0), "<< {by}");
        assert_eq!((wide >> by).low(), right.unwrap_or(0), ">> {by}");
        assert_eq!(
            wide.get_bit(by),
            by < 128 && value >> by & 1 == 1,
            "bit {by}"
        );
    }
    assert_eq!((!wide).low(), !value);
    assert_eq!(wide.xor(), value.count_ones() % 2 == 1);
}

#[test]
fn bits_beyond_the_width_stay_zero() {
    let wide = Wide::from_words(&[u64::MAX; 16], 1000);
    assert!(wide.all());
    assert_eq!((wide << 1u32).words()[15] >> 40, 0);
    assert!(!(!wide).any());
    assert!(!wide.replace_bit(999, false).all());
    assert_eq!(wide.replace_bit(1000, false), wide);
    assert_eq!(Wide::from_bytes(&[1, 2], 1024).low(), 0x201);
}

#[test]
fn arithmetic_wraps_at_the_width() {
    let (a, b) = (UInt::new(250, 8), UInt::new(10, 8));
    assert_eq!(
        [(a + b).get(), (b - a).get(), (a * b).get(), (-b).get()],
        [4, 16, 196, 246]
    );
    assert_eq!((UInt::new(u128::MAX, 128) + 1u64).get(), 0);
    assert_eq!((a << 5u32).get(), 64);
    assert_eq!((a >> UInt::new(200, 8)).get(), 0);
    assert!((a + 6) == 0);
    assert_eq!(take_fault(), None);
}

#[test]
fn broken_rules_are_recorded_and_the_first_is_kept() {
    let _ = UInt::new(1, 4) & UInt::new(1, 5);
    let _ = UInt::new(1, 4) == 16;
    let first = Fault::WidthMismatch {
        operator: "&",
        left: 4,
        right: 5,
    };
    assert_eq!(take_fault(), Some(first));
    let _ = UInt::new(1, 4) == 16;
    assert_eq!(
        take_fault(),
        Some(Fault::NumberTooWide {
            operator: "==",
            number: 16,
            width: 4
        })
    );
    assert_eq!(take_fault(), None);
}
