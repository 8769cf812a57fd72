//! Primes and divisors by trial division.

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

/// Greatest common divisor.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

/// Every divisor of `number` (at least 1) with Euler's totient of it; takes `sqrt(number)` divisions.
pub(crate) fn divisors(number: u64) -> Vec<(u64, u64)> {
    let mut found = vec![(1, 1)];
    let (mut left, mut prime) = (number, 2);
    while left > 1 {
        if prime * prime > left {
            prime = left;
        }
        let known = found.len();
        let (mut power, mut totient) = (1, prime - 1);
        while left.is_multiple_of(prime) {
            left /= prime;
            power *= prime;
            for i in 0..known {
                let (divisor, its) = found[i];
                found.push((divisor * power, its * totient));
            }
            totient *= prime;
        }
        prime += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totients_of_all_divisors_add_up_to_the_number() {
        for number in [1, 2, 12, 97, 360, 1 << 17, 131_071, 999_999_000_000] {
            let divisors = divisors(number);
            assert_eq!(
                divisors.iter().map(|(_, totient)| totient).sum::<u64>(),
                number
            );
            assert!(divisors
                .iter()
                .all(|(divisor, _)| number.is_multiple_of(*divisor)));
        }
        assert_eq!(divisors(12).len(), 6);
        assert_eq!((gcd(12, 18), gcd(7, 0), gcd(0, 7)), (6, 7, 7));
    }

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
