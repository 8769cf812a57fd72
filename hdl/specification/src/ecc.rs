//! Constants of the error-correcting code of memory words (`memory.ecc`).
//!
//! It is a code of Hsiao, "A Class of Optimal Minimum Odd-weight-column SEC-DED Codes", IBM Journal of Research and Development 14 (1970): every column of its
//! parity-check matrix has an odd number of bits set. One flipped bit of a code word gives its column as syndrome, two give a syndrome with an even
//! number of bits. The column of check bit j is bit j alone; payload bits have the columns of three bits in ascending order, then those of five.
//! A word of zeros is a code word.

/// Clocks that memory with this code is read ahead of a memory without it: what they take is between the memory and the bank.
pub const READ_AHEAD_CLOCKS: u32 = 2;

/// Fewest check bits of a payload of `payload_bits` bits (1 to 57).
pub const fn check_bits(payload_bits: u32) -> u32 {
    let mut bits = 3;
    // half of all columns are odd; those of one bit belong to the check bits
    while (1 << (bits - 1)) - bits < payload_bits {
        bits += 1;
    }
    bits
}

/// The columns of a code word: those of its payload bits, bit 0 first, then those of its check bits.
pub fn columns(payload_bits: u32) -> Vec<u32> {
    let checks = check_bits(payload_bits);
    let of_weight =
        |weight| (0..1_u32 << checks).filter(move |column| column.count_ones() == weight);
    let payload = of_weight(3).chain(of_weight(5)).chain(of_weight(7));
    payload
        .take(payload_bits as usize)
        .chain((0..checks).map(|bit| 1 << bit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_sum_of_two_columns_is_a_column_and_none_occurs_twice() {
        for payload in 1..=57 {
            let columns = columns(payload);
            let set: HashSet<u32> = columns.iter().copied().collect();
            assert_eq!(columns.len() as u32, payload + check_bits(payload));
            assert_eq!(set.len(), columns.len(), "{payload}");
            for a in &columns {
                for b in &columns {
                    assert!(!set.contains(&(a ^ b)), "{payload}: {a:#x}, {b:#x}");
                }
            }
        }
        assert_eq!(check_bits(36), 7);
    }

    #[test]
    fn a_check_bit_of_a_word_of_36_bits_has_sixteen_inputs_at_most() {
        let columns = columns(36);
        for bit in 0..7 {
            let inputs = columns[..36]
                .iter()
                .filter(|column| *column >> bit & 1 == 1);
            assert!((15..=16).contains(&inputs.count()));
        }
    }
}
