//! The oracle of absence on streams short enough to work out by hand, and against the filter's promise.

use crate::common::Shape;
use bloomline_model::{Oracle, Outcome, RecyclingFilter};
use bloomline_spec::{Key, Operation};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const WRITES: Outcome = Outcome {
    in_active: false,
    in_frozen: false,
    tripped: false,
    new_bits: 2,
    stored: true,
};
const TRIPS: Outcome = Outcome {
    tripped: true,
    ..WRITES
};
const TRIPS_AND_IS_FORGOTTEN: Outcome = Outcome {
    stored: false,
    ..TRIPS
};
const FALSE_POSITIVE: Outcome = Outcome {
    in_active: true,
    in_frozen: false,
    tripped: false,
    new_bits: 0,
    stored: true,
};
const INSERT: Operation = Operation::TestAndInsert;

fn oracle(phases: u64) -> Oracle<u32> {
    Oracle::new(
        &Shape {
            phases,
            ..Shape::default()
        }
        .geometry(),
    )
}

#[test]
fn a_written_key_is_held_until_its_half_is_emptied() {
    for phases in [1, 2] {
        let mut oracle = oracle(phases);
        assert!(oracle.observe(7, INSERT, &WRITES).absent);
        for _ in 0..phases {
            let arrival = oracle.observe(7, Operation::Query, &FALSE_POSITIVE);
            assert!(!arrival.absent && !arrival.counted && arrival.repeat);
            oracle.recycle();
        }
        let arrival = oracle.observe(7, Operation::Query, &Outcome::default());
        assert!(arrival.absent && arrival.repeat && arrival.false_negative() && !arrival.lost());
    }
}

#[test]
fn a_tripping_item_is_held_by_the_new_half_only_if_retained() {
    let mut oracle = oracle(1);
    oracle.observe(7, INSERT, &TRIPS);
    assert!(!oracle.observe(7, Operation::Query, &FALSE_POSITIVE).absent);
    oracle.observe(8, INSERT, &TRIPS_AND_IS_FORGOTTEN);
    assert!(
        oracle
            .observe(8, Operation::Query, &Outcome::default())
            .absent
    );
    assert!(
        oracle
            .observe(7, Operation::Query, &Outcome::default())
            .absent,
        "its half was emptied by key 8"
    );
}

#[test]
fn a_false_positive_counts_once_until_the_half_that_showed_it_is_emptied() {
    let mut oracle = oracle(2);
    assert!(oracle.observe(7, INSERT, &FALSE_POSITIVE).false_positive());
    let again = oracle.observe(7, INSERT, &FALSE_POSITIVE);
    assert!(again.absent && !again.counted && !again.false_positive());
    oracle.recycle();
    assert!(
        !oracle.observe(7, Operation::Query, &FALSE_POSITIVE).counted,
        "the half that showed it is frozen"
    );
    oracle.recycle();
    assert!(
        !oracle.observe(7, Operation::Query, &FALSE_POSITIVE).counted,
        "it was shown again by the older live half"
    );
    oracle.recycle();
    oracle.recycle();
    assert!(oracle.observe(7, INSERT, &FALSE_POSITIVE).counted);
}

#[test]
fn a_clear_makes_every_key_absent_and_no_key_a_repeat() {
    for phases in [1, 2] {
        let mut oracle = oracle(phases);
        oracle.observe(7, INSERT, &WRITES);
        oracle.clear();
        let arrival = oracle.observe(7, INSERT, &WRITES);
        assert!(arrival.absent && arrival.counted && !arrival.repeat);
        assert!(oracle.observe(7, INSERT, &FALSE_POSITIVE).repeat);
    }
}

#[test]
fn a_query_makes_no_later_arrival_a_repeat() {
    let mut oracle = oracle(2);
    oracle.observe(7, Operation::Query, &Outcome::default());
    assert!(!oracle.observe(7, INSERT, &WRITES).repeat);
}

#[test]
fn keys_that_never_come_again_need_no_record() {
    for shape in Shape::default().modes() {
        let geometry = shape.geometry();
        let mut filter = RecyclingFilter::new(&geometry);
        let (mut with, mut without) = (Oracle::new(&geometry), Oracle::<u32>::new(&geometry));
        for identity in 0..5_000u32 {
            let key = Key::from_integer(u128::from(identity), 104).expect("fits");
            let operation = Operation::from_code(identity as u8 % 4);
            let outcome = filter.apply(&key, operation);
            let arrival = with.observe(identity, operation, &outcome);
            assert_eq!(without.observe_new(operation, &outcome), arrival);
            assert_eq!(without.new_messages(), with.new_messages());
        }
        assert_eq!((with.distinct_keys(), without.distinct_keys()), (5_000, 0));
    }
}

#[test]
fn no_held_key_is_ever_lost_in_any_mode() {
    for shape in Shape::default().modes() {
        let geometry = shape.geometry();
        let mut filter = RecyclingFilter::new(&geometry);
        let mut oracle = Oracle::new(&geometry);
        let mut random = ChaCha8Rng::seed_from_u64(31);
        let (mut held, mut false_positives) = (0, 0);
        for item in 0..20_000 {
            match random.random_range(0..500) {
                0 => {
                    filter.clear();
                    oracle.clear();
                }
                1 => {
                    filter.recycle();
                    oracle.recycle();
                }
                _ => {}
            }
            let identity: u32 = random.random_range(0..400);
            let key = Key::from_integer(u128::from(identity), 104).expect("fits");
            let operation = Operation::from_code(random.random_range(0..4));
            let outcome = filter.apply(&key, operation);
            let arrival = oracle.observe(identity, operation, &outcome);
            assert!(
                !arrival.lost(),
                "{shape:?} seed 31 item {item} key {identity}"
            );
            held += u32::from(!arrival.absent);
            false_positives += u32::from(arrival.false_positive());
        }
        assert!(
            held > 100 && false_positives > 10,
            "{shape:?}: {held} held, {false_positives} false positives"
        );
    }
}

#[test]
fn reuse_distances_count_the_new_messages_between() {
    for phases in [1, 2] {
        let mut oracle = oracle(phases);
        let mut distance = |key, outcome: &Outcome| oracle.observe(key, INSERT, outcome).distance;
        assert_eq!(distance(1, &WRITES), None);
        assert_eq!(distance(2, &WRITES), None);
        assert_eq!(distance(2, &FALSE_POSITIVE), Some(0));
        // 2 came twice in this cycle and counts once
        assert_eq!(distance(1, &FALSE_POSITIVE), Some(1));
        assert_eq!(distance(3, &TRIPS), None);
        // held by the new half from its beginning: no new message of the cycle that 3 opened
        assert_eq!(distance(3, &FALSE_POSITIVE), Some(0));
        assert_eq!(distance(2, &WRITES), Some(1));
        assert_eq!(distance(4, &TRIPS_AND_IS_FORGOTTEN), None);
        // forgotten at once, so it is new again
        assert_eq!(distance(4, &WRITES), Some(0));
        assert_eq!(distance(1, &WRITES), Some(4), "3, 2, 4 and 4 again");
        assert_eq!(oracle.new_messages(), 7);
    }
}

#[test]
fn queries_are_no_messages_but_have_a_distance() {
    let mut oracle = oracle(2);
    oracle.observe(1, INSERT, &WRITES);
    let unknown = oracle.observe(2, Operation::Query, &Outcome::default());
    assert_eq!((unknown.distance, oracle.new_messages()), (None, 1));
    oracle.observe(3, INSERT, &WRITES);
    let known = oracle.observe(1, Operation::Query, &FALSE_POSITIVE);
    assert_eq!((known.distance, oracle.new_messages()), (Some(1), 2));
}
