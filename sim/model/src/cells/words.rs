use bloomline_spec::CellGeometry;

/// The cells of all banks (with a window those of one pane), packed in words as memory holds them: the least position in the lowest bits.
#[derive(Debug, Clone)]
pub(super) struct CellWords {
    words: Vec<u32>,
    words_per_bank: usize,
    /// Positions of a bank that probes choose from.
    range: u64,
    cell_bits: u32,
    lane_bits: u32,
    /// Bits of a word that belong to a cell.
    used: u32,
    max: u32,
}

impl CellWords {
    /// All cells 0.
    pub fn new(geometry: &CellGeometry) -> CellWords {
        let words_per_bank = geometry.words_per_bank() as usize;
        CellWords {
            words: vec![0; words_per_bank * (geometry.banks() / geometry.panes()) as usize],
            words_per_bank,
            range: geometry.range(),
            cell_bits: geometry.cell_bits(),
            lane_bits: geometry.lane_bits(),
            used: u32::MAX >> (32 - geometry.lanes() * geometry.cell_bits()),
            max: geometry.cell_max(),
        }
    }

    /// Positions of a bank that probes choose from.
    pub fn range(&self) -> u64 {
        self.range
    }

    /// Place of a position's word, and the lowest bit of its cell there.
    fn place(&self, bank: usize, position: u32) -> (usize, u32) {
        let word = (position >> self.lane_bits) as usize & (self.words_per_bank - 1);
        let lane = position & ((1 << self.lane_bits) - 1);
        (bank * self.words_per_bank + word, lane * self.cell_bits)
    }

    pub fn cell(&self, bank: usize, position: u32) -> u32 {
        let (word, shift) = self.place(bank, position);
        self.words[word] >> shift & self.max
    }

    /// `value` is at most the greatest value of a cell.
    pub fn set_cell(&mut self, bank: usize, position: u32, value: u32) {
        let (word, shift) = self.place(bank, position);
        let others = self.words[word] & !(self.max << shift);
        self.words[word] = others | value << shift;
    }

    /// Words of all banks.
    pub fn words(&self) -> u64 {
        self.words.len() as u64
    }

    pub fn word(&self, address: u64) -> u32 {
        usize::try_from(address)
            .ok()
            .and_then(|address| self.words.get(address).copied())
            .unwrap_or(0)
    }

    pub fn set_word(&mut self, address: u64, data: u32) {
        let word = usize::try_from(address)
            .ok()
            .and_then(|address| self.words.get_mut(address));
        if let Some(word) = word {
            *word = data & self.used;
        }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Of the positions that probes choose from.
    pub fn at_least(&self, bank: usize, least: u32) -> u64 {
        let words = &self.words[bank * self.words_per_bank..][..self.words_per_bank];
        let lanes = 1_u64 << self.lane_bits;
        let cells = |(address, word): (usize, &u32)| {
            let in_range = self.range.saturating_sub(address as u64 * lanes).min(lanes);
            (0..in_range as u32)
                .filter(|lane| word >> (lane * self.cell_bits) & self.max >= least)
                .count() as u64
        };
        words.iter().enumerate().map(cells).sum()
    }
}
