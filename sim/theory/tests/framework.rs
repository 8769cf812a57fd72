//! The check of KM Theorem 4.1 against laws of schemes that are known, and schemes for which it does not hold.

use bloomline_theory::two_hash::framework::{check, check_extension};
use bloomline_theory::two_hash::{Extension, PartitionedDoubleHashing, SingleArray};

#[test]
fn double_hashing_has_the_rates_of_its_exact_laws() {
    let found = check_extension(&[0, 0, 0, 0], 8.0).unwrap();
    assert!(found.holds(), "{found:?}");
    for size in &found.sizes {
        let law = SingleArray::new(size.range, 4, Extension::None).unwrap();
        let expected = law.rate(size.items as u64).value;
        assert!(
            (size.rate / expected - 1.0).abs() < 1e-9,
            "{size:?} {expected}"
        );
    }
    let found = check(3, 3, 8.0, |range, h1, h2| {
        (0..3).map(|i| i * range + (h1 + i * h2) % range).collect()
    })
    .unwrap();
    assert!(found.holds(), "{found:?}");
    for size in &found.sizes {
        let law = PartitionedDoubleHashing::new(size.range, 3).unwrap();
        let expected = law.rate(size.items);
        assert!(
            (size.rate / expected - 1.0).abs() < 1e-9,
            "{size:?} {expected}"
        );
    }
}

#[test]
fn any_f_meets_the_conditions_and_tends_to_the_limit() {
    // KM Theorem 5.2 holds for every f
    for f in [
        vec![0, 1, 4, 9],
        vec![5, 77, 1, 0, 31],
        vec![0, 13],
        vec![9],
    ] {
        let found = check_extension(&f, 8.0).unwrap();
        assert!(found.holds(), "{f:?} {found:?}");
        let off = |at: usize| (found.sizes[at].rate / found.limit.value - 1.0).abs();
        assert!(off(2) < 0.7 * off(0), "{f:?} {found:?}");
    }
}

#[test]
fn schemes_that_lack_a_condition_are_found() {
    // neighbours of one position: a collision brings others with it
    let neighbours = check(3, 1, 8.0, |m, h1, _| (0..3).map(|i| (h1 + i) % m).collect()).unwrap();
    assert!(!neighbours.collisions_hold, "{neighbours:?}");
    // the same function twice: the third position alone is independent
    let twice = check(3, 3, 8.0, |m, h1, h2| vec![h1, m + h1, 2 * m + h2]).unwrap();
    assert!(!twice.collisions_hold, "{twice:?}");
    // one of the positions is the same for all items
    let fixed = check(2, 1, 8.0, |m, h1, _| vec![h1 % m, 0]).unwrap();
    assert!(!fixed.holds(), "{fixed:?}");
    // half of the strides are lost, but the conditions hold
    let even = check(3, 1, 8.0, |m, h1, h2| {
        (0..3).map(|i| (h1 + 2 * i * h2) % m).collect()
    });
    assert!(even.unwrap().holds());
    assert!(check(2, 1, 8.0, |_, h1, _| vec![h1]).is_err());
    assert!(check(2, 1, 8.0, |m, h1, _| vec![h1, m]).is_err());
    assert!(check_extension(&[0; 11], 8.0).is_err());
}
