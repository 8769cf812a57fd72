//! Primality by trial division.

/// Whether `number` is prime; takes `sqrt(number)/3` divisions.
pub(crate) fn is_prime(number: u64) -> bool {
    if number < 4 {
        return number >= 2;
    }
    if number.is_multiple_of(2) || number.is_multiple_of(3) {
        return false;
    }
    (5..)
        .step_by(6)
        .take_while(|i| i * i <= number)
        .all(|i| !number.is_multiple_of(i) && !number.is_multiple_of(i + 2))
}

/// The smallest prime that is at least `number`.
pub(crate) fn next_prime(number: u64) -> u64 {
    let mut candidate = number.max(2);
    while !is_prime(candidate) {
        candidate += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_up_to_a_hundred_are_the_known_ones() {
        let found: Vec<u64> = (0..100).filter(|n| is_prime(*n)).collect();
        let known = [
            2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
            89, 97,
        ];
        assert_eq!(found, known);
        assert_eq!(next_prime(5437), 5437);
        assert_eq!(next_prime(1 << 31), (1 << 31) + 11);
    }
}
