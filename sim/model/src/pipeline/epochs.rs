use crate::error::ModelError;

/// Epoch values go 1, 2, .. 15, 1, ..; 0 is what memory holds at configuration.
const LAST_EPOCH: u8 = 15;
/// Values a half may be given before one comes round that a word may still bear.
const ALL_SPARE: u8 = LAST_EPOCH - 1;

/// What a slot writes to memory, as settled where recycles take effect: in the decision stage, or the clear stage of a
/// filter of cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Write {
    /// The slot recycled.
    pub recycled: bool,
    /// Half that is active behind the slot.
    pub half: usize,
    /// Epoch of that half behind the slot.
    pub epoch: u8,
}

impl Write {
    /// Of a slot that has not come to that stage.
    pub const NONE: Write = Write {
        recycled: false,
        half: 0,
        epoch: 0,
    };
}

/// Epochs of the halves (a filter of cells has one), and the proof that no value is issued while a word bears it.
///
/// Three views of one thing: `epoch` and `phase` at the decision stage; `touched`, `covered`, `spare` and `here` at the
/// retirement point, as the gateware keeps them; and the tag of every word, which the gateware cannot look at and this
/// model checks each issued value against. Nothing here resets: it describes memory.
#[derive(Debug, Clone)]
pub(crate) struct Epochs {
    phases: usize,
    words: usize,
    epoch: [u8; 2],
    phase: usize,
    /// Recycles decided, modulo 2^16.
    turns: u16,
    here: usize,
    spare: [u8; 2],
    covered: bool,
    blocked: bool,
    touched: Vec<TouchedSet>,
    refresh_address: usize,
    tags: Vec<u8>,
    /// Words of each (half, bank) that bear each value.
    bearers: Vec<[u32; 16]>,
    broken: Option<ModelError>,
}

/// A set of word addresses that empties in constant time, but for one in 255 times. Bytes: most of them are in the cache.
#[derive(Debug, Clone)]
struct TouchedSet {
    stamps: Vec<u8>,
    stamp: u8,
    len: usize,
}

impl TouchedSet {
    fn insert(&mut self, word: usize) {
        if self.stamps[word] != self.stamp {
            self.stamps[word] = self.stamp;
            self.len += 1;
        }
    }

    /// A word whose writer says itself whether it bore another epoch: in a memory with errors it may have lost one that it had
    /// already.
    fn insert_as(&mut self, word: usize, first: bool) {
        self.stamps[word] = self.stamp;
        self.len += usize::from(first);
    }

    fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }
}

impl Epochs {
    /// Memory as configured: every tag 0, epoch 1 in each half, 14 values spare.
    pub fn new(phases: usize, banks: usize, words: usize) -> Epochs {
        let set = TouchedSet {
            stamps: vec![0; words],
            stamp: 1,
            len: 0,
        };
        let mut untouched = [0; 16];
        untouched[0] = words as u32;
        Epochs {
            phases,
            words,
            epoch: [1; 2],
            phase: 0,
            turns: 0,
            here: 0,
            spare: [ALL_SPARE; 2],
            covered: false,
            blocked: false,
            touched: vec![set; banks],
            refresh_address: 0,
            tags: vec![0; phases * banks * words],
            bearers: vec![untouched; phases * banks],
            broken: None,
        }
    }

    /// Half that is active at the decision stage.
    pub fn phase(&self) -> usize {
        self.phase
    }

    /// Epoch of that half.
    pub fn epoch(&self) -> u8 {
        self.epoch[self.phase]
    }

    /// Epoch of the other half; with one phase that of the only one.
    pub fn other_epoch(&self) -> u8 {
        self.epoch[(self.phase + 1) % self.phases]
    }

    /// As if there had been so many turns.
    pub fn set_past(&mut self, turns: u16) {
        self.turns = turns;
    }

    /// As if each half had so many values to spare.
    pub fn set_spare(&mut self, spare: u8) {
        self.spare = [spare; 2];
    }

    /// Recycles that were decided, of every cause, modulo 65536.
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// Spare values of the half that is active at the retirement point.
    pub fn spare(&self) -> u8 {
        self.spare[self.here]
    }

    /// Every word of that half bears its current epoch.
    pub fn covered(&self) -> bool {
        self.covered
    }

    /// No recycle may begin.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// The first promise broken so far.
    pub fn broken(&self) -> Option<ModelError> {
        self.broken
    }

    /// The address of the refresh slot made in this clock; the next one takes the word after.
    pub fn take_refresh_address(&mut self) -> usize {
        let address = self.refresh_address;
        self.refresh_address = (address + 1) % self.words;
        address
    }

    /// Settles what a slot writes, in the stage where recycles take effect; a recycle moves the phase and issues an epoch
    /// value.
    pub fn decide(&mut self, clock: u64, recycled: bool) -> Write {
        if recycled {
            self.phase = (self.phase + 1) % self.phases;
            self.turns = self.turns.wrapping_add(1);
            let epoch = &mut self.epoch[self.phase];
            *epoch = *epoch % LAST_EPOCH + 1;
            self.check_issue(clock);
        }
        Write {
            recycled,
            half: self.phase,
            epoch: self.epoch(),
        }
    }

    fn check_issue(&mut self, clock: u64) {
        let (half, epoch) = (self.phase, self.epoch());
        let banks = self.touched.len();
        let bearing =
            (0..banks).find(|bank| self.bearers[half * banks + bank][usize::from(epoch)] > 0);
        if let Some(bank) = bearing {
            let word = (0..self.words)
                .find(|&word| self.tags[self.place(half, bank, word)] == epoch)
                .unwrap_or(0);
            self.broken.get_or_insert(ModelError::EpochReused {
                clock,
                half,
                bank,
                word,
                epoch,
            });
        }
    }

    fn place(&self, half: usize, bank: usize, word: usize) -> usize {
        (half * self.touched.len() + bank) * self.words + word
    }

    /// The slot in the write stage, with the word it writes in each bank, if it writes.
    pub fn retire(&mut self, clock: u64, write: Write, words: Option<impl Iterator<Item = usize>>) {
        let words = words.into_iter().flatten().map(|word| (word, None));
        self.retire_as(clock, write, words);
    }

    /// The same for words that say themselves, where it is `Some`, whether they bore another epoch.
    pub fn retire_as(
        &mut self,
        clock: u64,
        write: Write,
        words: impl Iterator<Item = (usize, Option<bool>)>,
    ) {
        let full = self.touched.iter().all(|set| set.len >= self.words);
        self.blocked = self.spare[self.here] == 0;
        if write.recycled {
            self.here = (self.here + 1) % self.phases;
            match self.spare[self.here].checked_sub(1) {
                Some(spare) => self.spare[self.here] = spare,
                None => {
                    self.broken.get_or_insert(ModelError::NoSpareEpoch {
                        clock,
                        half: self.here,
                    });
                }
            }
            self.touched.iter_mut().for_each(TouchedSet::clear);
        } else if self.covered {
            self.spare[self.here] = ALL_SPARE;
        }
        self.covered = full && !write.recycled;
        for (bank, (word, first)) in words.enumerate() {
            match first {
                Some(first) => self.touched[bank].insert_as(word, first),
                None => self.touched[bank].insert(word),
            }
            let place = self.place(write.half, bank, word);
            let bearers = &mut self.bearers[write.half * self.touched.len() + bank];
            bearers[usize::from(self.tags[place])] -= 1;
            bearers[usize::from(write.epoch)] += 1;
            self.tags[place] = write.epoch;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_epoch_value_is_reported_with_clock_half_bank_and_word() {
        for phases in [1, 2] {
            let mut epochs = Epochs::new(phases, 2, 4);
            // Word 3 of half 0 is written once and then never again; 14 more values of that half are safe.
            let write = epochs.decide(0, false);
            epochs.retire(0, write, Some([3, 3].into_iter()));
            for clock in 1..15 * phases as u64 {
                epochs.decide(clock, true);
            }
            assert_eq!(epochs.broken(), None, "{phases} phases");
            epochs.decide(1000, true);
            let expected = ModelError::EpochReused {
                clock: 1000,
                half: 0,
                bank: 0,
                word: 3,
                epoch: 1,
            };
            assert_eq!(epochs.broken(), Some(expected), "{phases} phases");
        }
    }

    #[test]
    fn a_set_of_words_stays_empty_when_stamps_come_round() {
        let mut set = TouchedSet {
            stamps: vec![0; 255],
            stamp: 1,
            len: 0,
        };
        // each word is touched again when the stamp of its first time has come round, and word 0 in every turn
        for word in (0..255).chain(0..255) {
            set.insert(word);
            set.insert(0);
            assert_eq!(set.len, 1 + usize::from(word > 0), "{word}");
            set.clear();
        }
    }

    #[test]
    fn a_recycle_without_spare_value_is_reported() {
        let mut epochs = Epochs::new(1, 1, 4);
        for clock in 0..14 {
            recycle_nothing(&mut epochs, clock);
        }
        assert_eq!((epochs.spare(), epochs.broken()), (0, None));
        recycle_nothing(&mut epochs, 14);
        assert_eq!(
            epochs.broken(),
            Some(ModelError::NoSpareEpoch { clock: 14, half: 0 })
        );
    }

    fn recycle_nothing(epochs: &mut Epochs, clock: u64) {
        let write = epochs.decide(clock, true);
        epochs.retire(clock, write, None::<std::iter::Empty<usize>>);
    }

    #[test]
    fn covering_every_word_returns_fourteen_spare_values_two_clocks_later() {
        let mut epochs = Epochs::new(1, 2, 4);
        recycle_nothing(&mut epochs, 0);
        for word in 0..4 {
            assert!(!epochs.covered());
            let write = epochs.decide(1, false);
            epochs.retire(1, write, Some([word, word].into_iter()));
        }
        let idle = epochs.decide(2, false);
        epochs.retire(2, idle, None::<std::iter::Empty<usize>>);
        assert_eq!((epochs.covered(), epochs.spare()), (true, 13));
        epochs.retire(3, idle, None::<std::iter::Empty<usize>>);
        assert_eq!(epochs.spare(), 14);
    }
}
