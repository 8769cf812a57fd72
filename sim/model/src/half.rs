use bloomline_spec::WORD_BITS;

/// One half of a filter: k partitions of bits, emptied in constant time.
///
/// A word holds 32 data bits and the generation in which it was last written; a word of an older generation reads as
/// empty. Generations are 32 bits wide; before they would repeat the words are wiped, once in 2^32 - 1 times.
#[derive(Debug, Clone)]
pub(crate) struct Half {
    words: Vec<u64>,
    words_per_partition: usize,
    generation: u32,
    bits: u64,
    bits_by_partition: Vec<u32>,
}

impl Half {
    /// An empty half; `words_per_partition` is a power of two.
    pub fn new(partitions: usize, words_per_partition: usize) -> Half {
        Half {
            words: vec![0; partitions * words_per_partition],
            words_per_partition,
            generation: 1,
            bits: 0,
            bits_by_partition: vec![0; partitions],
        }
    }

    fn place(&self, partition: usize, position: u32) -> (usize, u32) {
        let word = (position / WORD_BITS) as usize & (self.words_per_partition - 1);
        (
            partition * self.words_per_partition + word,
            position % WORD_BITS,
        )
    }

    fn data(&self, word: usize) -> u32 {
        let stored = self.words[word];
        if (stored >> 32) as u32 == self.generation {
            stored as u32
        } else {
            0
        }
    }

    /// Whether a bit is set.
    pub fn bit(&self, partition: usize, position: u32) -> bool {
        let (word, bit) = self.place(partition, position);
        self.data(word) >> bit & 1 == 1
    }

    /// How many of the positions, one a partition, are clear.
    pub fn clear_bits(&self, positions: &[u32]) -> u32 {
        positions
            .iter()
            .enumerate()
            .map(|(partition, &position)| u32::from(!self.bit(partition, position)))
            .sum()
    }

    /// Whether every position, one a partition, is set.
    pub fn holds(&self, positions: &[u32]) -> bool {
        positions
            .iter()
            .enumerate()
            .all(|(partition, &position)| self.bit(partition, position))
    }

    /// Sets a bit; true if it was clear.
    pub fn set(&mut self, partition: usize, position: u32) -> bool {
        let (word, bit) = self.place(partition, position);
        let data = self.data(word);
        if data >> bit & 1 == 1 {
            return false;
        }
        self.words[word] = u64::from(self.generation) << 32 | u64::from(data | 1 << bit);
        self.bits += 1;
        self.bits_by_partition[partition] += 1;
        true
    }

    /// Clears every bit.
    pub fn empty(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.words.fill(0);
            self.generation = 1;
        }
        self.bits = 0;
        self.bits_by_partition.fill(0);
    }

    /// Bits set.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Bits set in each partition.
    pub fn bits_by_partition(&self) -> &[u32] {
        &self.bits_by_partition
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_stays_empty_when_generations_wrap_round() {
        let mut half = Half::new(2, 4);
        half.generation = 1;
        assert!(half.set(1, 77));
        half.generation = u32::MAX;
        half.empty();
        assert_eq!(
            (half.generation, half.bit(1, 77), half.bits()),
            (1, false, 0)
        );
    }

    #[test]
    fn setting_a_bit_twice_counts_once() {
        let mut half = Half::new(2, 4);
        assert!(half.set(0, 31) && !half.set(0, 31) && half.set(0, 32));
        assert_eq!((half.bits(), half.bits_by_partition()), (2, &[2, 0][..]));
        assert_eq!(half.clear_bits(&[31, 31]), 1);
        half.empty();
        assert_eq!(half.clear_bits(&[31, 31]), 2);
    }
}
