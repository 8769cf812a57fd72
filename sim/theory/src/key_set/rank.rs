//! Rank over the field of two elements.

/// The rank of vectors of bits over the field of two elements, by elimination; words that a vector has not are 0.
///
/// Exact. Time O(r n w) for n vectors of w words and rank r.
pub fn rank<V: AsRef<[u64]>>(vectors: impl IntoIterator<Item = V>) -> u32 {
    // each with the place of its lowest set bit, which no later one has
    let mut basis: Vec<(usize, u32, Vec<u64>)> = Vec::new();
    for vector in vectors {
        let mut rest = vector.as_ref().to_vec();
        for (word, bit, row) in &basis {
            let set = rest.get(*word).is_some_and(|value| value >> bit & 1 == 1);
            if set {
                if row.len() > rest.len() {
                    rest.resize(row.len(), 0);
                }
                rest.iter_mut().zip(row).for_each(|(a, b)| *a ^= b);
            }
        }
        if let Some(word) = rest.iter().position(|value| *value != 0) {
            basis.push((word, rest[word].trailing_zeros(), rest));
        }
    }
    u32::try_from(basis.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::rank;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn the_span_has_two_to_the_rank_elements(vectors in proptest::collection::vec((0u64..64, 0u64..4), 0..7)) {
            let mut span = HashSet::from([(0, 0)]);
            for (low, high) in &vectors {
                let moved: Vec<_> = span.iter().map(|(a, b)| (a ^ low, b ^ high)).collect();
                span.extend(moved);
            }
            prop_assert_eq!(span.len(), 1 << rank(vectors.iter().map(|(low, high)| [*low, *high])));
        }
    }

    #[test]
    fn vectors_of_different_lengths_count_as_padded() {
        assert_eq!(rank([vec![1], vec![1, 1], vec![0, 1]]), 2);
        assert_eq!(rank(Vec::<Vec<u64>>::new()), 0);
    }
}
