use bloomline_spec::WORD_BITS;

/// One half of a filter: k partitions of bits, or one array that every probe goes to.
#[derive(Debug, Clone)]
pub(crate) struct Half {
    words: Vec<u32>,
    words_per_partition: usize,
    shared: bool,
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
        let mut word = (position / WORD_BITS) as usize;
        // a division takes long, and few positions are past the end
        if word >= self.words_per_partition {
            word %= self.words_per_partition;
        }
        (
            partition * self.words_per_partition + word,
            position % WORD_BITS,
        )
    }

    /// A word of a partition; 0 where there is no such partition.
    pub fn word(&self, partition: u32, word: u32) -> u32 {
        match (partition as usize) < self.bits_by_partition.len() {
            true => self.words[partition as usize * self.words_per_partition + word as usize],
            false => 0,
        }
    }

    /// Whether a bit is set.
    pub fn bit(&self, probe: usize, position: u32) -> bool {
        let (word, bit) = self.place(probe, position);
        self.words[word] >> bit & 1 == 1
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
        let word = &mut self.words[word];
        if *word >> bit & 1 == 1 {
            return false;
        }
        *word |= 1 << bit;
        self.bits += 1;
        self.bits_by_partition[partition] += 1;
        true
    }

    /// Clears every bit.
    pub fn empty(&mut self) {
        self.words.fill(0);
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
