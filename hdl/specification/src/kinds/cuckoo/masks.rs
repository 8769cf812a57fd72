//! The functions that give the rows of a fingerprint.

use super::geometry::CUCKOO_TABLES;
use crate::hash::SplitMix64;

/// Start of the sequence that the masks are drawn from; any number does.
const FIRST_DRAW: u64 = 0x6375_636b_6f6f_0001;

/// Masks of `F_1`, `F_2` and `F_3`: bit j of `F_T(r)` is the sum modulo 2 of the bits of r under `row_masks(..)[T - 1][j]`.
///
/// The row of a key in table T is `b xor F_T(r)`, with `F_0 = 0`. Each F_T, and the sum of each two of them, has the greatest rank that
/// `fingerprint_bits` and `row_bits` allow, so that the rows of one key in two tables are as good as independent. The masks depend on the two widths alone;
/// they are no secret, and need not be: the identity of a key comes from the hash.
///
/// ```
/// let masks = bloomline_spec::row_masks(15, 10);
/// assert_eq!(masks.each_ref().map(Vec::len), [10, 10, 10]);
/// let f = |masks: &[u32], r: u32| masks.iter().rev().fold(0, |row, mask| row << 1 | (mask & r).count_ones() % 2);
/// assert_eq!(f(&masks[0], 0), 0);
/// assert_eq!(f(&masks[0], 5) ^ f(&masks[0], 9), f(&masks[0], 5 ^ 9));
/// ```
pub fn row_masks(fingerprint_bits: u32, row_bits: u32) -> [Vec<u32>; CUCKOO_TABLES - 1] {
    let mut draws = SplitMix64::new(FIRST_DRAW);
    let mut draw = || (draws.next_word() >> (64 - fingerprint_bits)) as u32;
    let full = fingerprint_bits.min(row_bits);
    let mut found: Vec<Vec<u32>> = Vec::new();
    while found.len() < CUCKOO_TABLES - 1 {
        let next: Vec<u32> = (0..row_bits).map(|_| draw()).collect();
        let sums = found.iter().map(|other| sum(other, &next));
        if rank(&next) == full && sums.map(|sum| rank(&sum)).all(|rank| rank == full) {
            found.push(next);
        }
    }
    let mut found = found.into_iter();
    std::array::from_fn(|_| found.next().unwrap_or_default())
}

fn sum(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Rank over GF(2) of a matrix whose rows are the bits of these numbers.
fn rank(rows: &[u32]) -> u32 {
    let mut basis: Vec<u32> = Vec::new();
    for &row in rows {
        let rest = basis.iter().fold(row, |rest, &b| rest.min(rest ^ b));
        if rest != 0 {
            basis.push(rest);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis.len() as u32
}
