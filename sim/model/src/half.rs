use bloomline_spec::WORD_BITS;

/// One half of a filter: k partitions of bits, or one array that every probe goes to; emptied in constant time.
///
/// A word holds 32 data bits and the generation in which it was last written; a word of an older generation reads as
/// empty. Generations are 32 bits wide; before they would repeat the words are wiped, once in 2^32 - 1 times.
#[derive(Debug, Clone)]
pub(crate) struct Half {
    words: Vec<u64>,
    words_per_partition: usize,
    shared: bool,
    generation: u32,
    bits: u64,
    bits_by_partition: Vec<u32>,
}

impl Half {
    /// An empty half of one array for every probe.
    pub fn shared(words: usize) -> Half {
        Half {
            shared: true,
            ..Half::new(1, words)
        }
    }

    /// An empty half.
    pub fn new(partitions: usize, words_per_partition: usize) -> Half {
        Half {
            words: vec![0; partitions * words_per_partition],
            words_per_partition,
            shared: false,
            generation: 1,
            bits: 0,
            bits_by_partition: vec![0; partitions],
        }
    }

    /// Where probe `probe` goes.
    pub fn partition(&self, probe: usize) -> usize {
        if self.shared {
            0
        } else {
            probe
        }
    }

    fn place(&self, probe: usize, position: u32) -> (usize, u32) {
        let partition = self.partition(probe);
        let words = self.words_per_partition as u32;
        let word = (position / WORD_BITS % words) as usize;
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

    /// The data bits of a word of a partition; 0 where there is no such partition.
    pub fn word(&self, partition: u32, word: u32) -> u32 {
        match (partition as usize) < self.bits_by_partition.len() {
            true => self.data(partition as usize * self.words_per_partition + word as usize),
            false => 0,
        }
    }

    /// Whether a bit is set.
    pub fn bit(&self, probe: usize, position: u32) -> bool {
        let (word, bit) = self.place(probe, position);
        self.data(word) >> bit & 1 == 1
    }

    /// How many different bits of those that the positions, one a probe, go to are clear.
    pub fn clear_bits(&self, positions: &[u32]) -> u32 {
        positions
            .iter()
            .enumerate()
            .filter(|&(probe, position)| {
                let repeated = self.shared && positions[..probe].contains(position);
                !repeated && !self.bit(probe, *position)
            })
            .count() as u32
    }

    /// Whether every position, one a probe, is set.
    pub fn holds(&self, positions: &[u32]) -> bool {
        positions
            .iter()
            .enumerate()
            .all(|(probe, &position)| self.bit(probe, position))
    }

    /// Sets a bit; true if it was clear.
    pub fn set(&mut self, probe: usize, position: u32) -> bool {
        let partition = self.partition(probe);
        let (word, bit) = self.place(probe, position);
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
    fn probes_of_a_shared_half_go_to_one_array_and_a_position_counts_once() {
        let mut half = Half::shared(8);
        assert_eq!(half.clear_bits(&[7, 8, 7, 7]), 2);
        assert!(half.set(0, 7) && !half.set(2, 7));
        assert_eq!(half.clear_bits(&[7, 8, 7, 8]), 1);
        assert!(half.holds(&[7, 7]) && !half.holds(&[7, 8]));
        assert_eq!((half.bits(), half.bits_by_partition()), (1, &[1][..]));
    }

    #[test]
    fn setting_a_bit_twice_counts_once() {
        let mut half = Half::new(2, 4);
        assert!(half.set(0, 31) && !half.set(0, 31) && half.set(0, 32));
        assert_eq!((half.bits(), half.bits_by_partition()), (2, &[2, 0][..]));
        assert_eq!(half.clear_bits(&[31, 31]), 1);
        let words = |half: &Half| [(0, 0), (0, 1), (1, 0), (2, 0)].map(|(p, w)| half.word(p, w));
        assert_eq!(words(&half), [1 << 31, 1, 0, 0]);
        half.empty();
        assert_eq!(words(&half), [0; 4]);
        assert_eq!(half.clear_bits(&[31, 31]), 2);
    }
}
