//! Measures the reuse distance of the keys of a recorded stream.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The reuse distances of a stream with their numbers: for every arrival of a key that came before, the number of different keys
/// that arrived in between.
///
/// For a filter whose cycle is longer than the distance these are the new messages in between, but for those keys among them
/// that the filter still held: an upper bound, close where few keys return soon. Time O(n log n) for n arrivals.
pub fn reuse_distances<K: Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Vec<(u64, u64)> {
    // A Fenwick tree over the arrivals: 1 where some key arrived last.
    let mut tree: Vec<u64> = vec![0];
    let mut last = HashMap::new();
    let mut counts = BTreeMap::new();
    for (place, key) in (1usize..).zip(keys) {
        // The new entry of the tree covers `place - lowbit + 1 ..= place`.
        let start = place & (place - 1);
        tree.push(prefix(&tree, place - 1) - prefix(&tree, start));
        if let Some(before) = last.insert(key, place) {
            let distance = prefix(&tree, place) - prefix(&tree, before);
            *counts.entry(distance).or_insert(0) += 1;
            add(&mut tree, before, -1);
        }
        add(&mut tree, place, 1);
    }
    counts.into_iter().collect()
}

fn prefix(tree: &[u64], mut place: usize) -> u64 {
    let mut sum = 0;
    while place > 0 {
        sum += tree[place];
        place &= place - 1;
    }
    sum
}

fn add(tree: &mut [u64], mut place: usize, amount: i64) {
    while place < tree.len() {
        tree[place] = tree[place].wrapping_add_signed(amount);
        place += place & place.wrapping_neg();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn distances_count_different_keys_in_between() {
        assert_eq!(reuse_distances("abcab".chars()), [(2, 2)]);
        assert_eq!(reuse_distances("aabba".chars()), [(0, 2), (1, 1)]);
        assert_eq!(reuse_distances("abcd".chars()), []);
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition(keys in proptest::collection::vec(0u8..12, 0..200)) {
            let mut expected = BTreeMap::new();
            for (place, key) in keys.iter().enumerate() {
                if let Some(before) = keys[..place].iter().rposition(|other| other == key) {
                    let between: HashSet<_> = keys[before + 1..place].iter().collect();
                    *expected.entry(between.len() as u64).or_insert(0u64) += 1;
                }
            }
            prop_assert_eq!(reuse_distances(keys), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
