use super::{Probes, MAX_PROBES};
use bloomline_spec::{Hashing, Probing};

/// From the hash functions' values to the positions of an item.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    hashes: usize,
    /// Probes that share two functions under double hashing.
    hashes_per_copy: usize,
    range: u64,
    function_bits: u32,
    scheme: Scheme,
    /// `f(i)` modulo the range.
    extension: [u64; MAX_PROBES],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    /// k functions, their low bits.
    IndependentLow,
    /// k functions, scaled.
    IndependentScaled,
    /// Two functions a copy, their low bits.
    DoubleLow,
    /// Two functions a copy, scaled.
    DoubleScaled,
    /// k functions, each scaled to the places that are left.
    Distinct,
}

impl Spread {
    pub fn new(probing: &Probing) -> Spread {
        let scheme = match (probing.hashing, probing.scales()) {
            _ if probing.distinct => Scheme::Distinct,
            (Hashing::Independent, false) => Scheme::IndependentLow,
            (Hashing::Independent, true) => Scheme::IndependentScaled,
            (_, false) => Scheme::DoubleLow,
            (_, true) => Scheme::DoubleScaled,
        };
        Spread {
            hashes: probing.hashes as usize,
            hashes_per_copy: (probing.hashes / probing.copies) as usize,
            range: probing.range,
            function_bits: probing.function_bits(),
            scheme,
            extension: std::array::from_fn(|i| probing.extension(i as u64) % probing.range),
        }
    }

    /// Probes an item makes, k.
    pub fn hashes(&self) -> usize {
        self.hashes
    }

    /// The positions of an item, from the values of its functions.
    #[inline]
    pub fn probes(&self, values: &[u64]) -> Probes {
        let mut probes = Probes {
            count: self.hashes as u32,
            positions: [0; MAX_PROBES],
        };
        let positions = &mut probes.positions[..self.hashes];
        match self.scheme {
            Scheme::IndependentLow => {
                for (position, &value) in positions.iter_mut().zip(values) {
                    *position = self.low_bits(value);
                }
            }
            Scheme::IndependentScaled => {
                for (position, &value) in positions.iter_mut().zip(values) {
                    *position = self.scaled(value, self.range) as u32;
                }
            }
            Scheme::DoubleLow => {
                for (copy, values) in positions
                    .chunks_mut(self.hashes_per_copy)
                    .zip(values.chunks(2))
                {
                    let (mut sum, step) = (values[0], values[1]);
                    for (position, extension) in copy.iter_mut().zip(self.extension) {
                        *position = self.low_bits(sum.wrapping_add(extension));
                        sum = sum.wrapping_add(step);
                    }
                }
            }
            Scheme::DoubleScaled => {
                for (copy, values) in positions
                    .chunks_mut(self.hashes_per_copy)
                    .zip(values.chunks(2))
                {
                    let mut sum = self.scaled(values[0], self.range);
                    let step = self.scaled(values[1], self.range);
                    for (position, extension) in copy.iter_mut().zip(self.extension) {
                        *position = self.wrapped(sum + extension) as u32;
                        sum = self.wrapped(sum + step);
                    }
                }
            }
            Scheme::Distinct => self.distinct(values, positions),
        }
        probes
    }

    /// Reduction to a range that is a power of two.
    fn low_bits(&self, value: u64) -> u32 {
        (value & (self.range - 1)) as u32
    }

    /// Reduction to any range: `floor(value range / 2^F)`.
    fn scaled(&self, value: u64, range: u64) -> u64 {
        ((u128::from(value) * u128::from(range)) >> self.function_bits) as u64
    }

    /// A sum of two values below the range, modulo the range.
    fn wrapped(&self, sum: u64) -> u64 {
        if sum >= self.range {
            sum - self.range
        } else {
            sum
        }
    }

    /// Floyd's sampling: place i is drawn from the first `range - k + 1 + i`; if it is taken, the last of these, which no
    /// earlier draw could reach, takes its place.
    fn distinct(&self, values: &[u64], positions: &mut [u32]) {
        let first = self.range - self.hashes as u64;
        for (i, &value) in values.iter().enumerate() {
            let last = first + i as u64;
            let drawn = self.scaled(value, last + 1) as u32;
            positions[i] = if positions[..i].contains(&drawn) {
                last as u32
            } else {
                drawn
            };
        }
    }
}
