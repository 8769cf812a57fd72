use bloomline_spec::CellGeometry;

/// The cells of all banks, packed in words as memory holds them: the least position in the lowest bits.
#[derive(Debug, Clone)]
pub(super) struct CellWords {
    words: Vec<u32>,
    words_per_bank: usize,
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
            words: vec![0; words_per_bank * geometry.hashes() as usize],
            words_per_bank,
            cell_bits: geometry.cell_bits(),
            lane_bits: geometry.lane_bits(),
            used: u32::MAX >> (32 - geometry.lanes() * geometry.cell_bits()),
            max: geometry.cell_max(),
        }
    }

    /// Cells of one bank.
    pub fn cells_per_bank(&self) -> u64 {
        (self.words_per_bank as u64) << self.lane_bits
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

    pub fn at_least(&self, bank: usize, least: u32) -> u64 {
        let words = &self.words[bank * self.words_per_bank..][..self.words_per_bank];
        let cells = |word: &u32| {
            (0..1 << self.lane_bits)
                .filter(|lane| word >> (lane * self.cell_bits) & self.max >= least)
                .count() as u64
        };
        words.iter().map(cells).sum()
    }
}
