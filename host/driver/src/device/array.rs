use super::session::Session;
use super::Device;
use crate::error::DriverError;
use crate::snapshot::Snapshot;
use crate::transport::Transport;
use bloomline_spec::registers::{address, field, CellCounter};
use bloomline_spec::{ArrayShape, HalfRole, RecyclingGeometry, MIN_WINDOW};

/// Times that a word is fetched or stored again because another host came in between.
const TRIES: u32 = 64;
/// Times that a snapshot which a turn of panes tore is taken again.
const TORN_TRIES: u32 = 8;
const NO_ARRAY: &str = "access to its array";

impl<T: Transport> Device<T> {
    /// One word of the array: cells side by side, the least position in the lowest bits; `word` counts the words of bank 0,
    /// then those of the others, and in a recycling filter the active half's, then those of the frozen half (with a window likewise of panes). Traffic: a write
    /// of ARRAY_ADDRESS and a burst that reads it and ARRAY_DATA; again where another host came in between. Takes two clocks
    /// from the stream, in a recycling filter as many as an item needs to be written.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for sliding-window filters, [`DriverError::ArrayWord`] beyond the array,
    /// [`DriverError::ArrayContended`], or a failed access.
    pub fn array_word(&self, word: u64) -> Result<u32, DriverError> {
        let word = self.word_address("array", word)?;
        fetch(&mut self.session("array"), word)
    }

    /// Replaces one word of the array of a filter of cells; bits above its cells are ignored. Traffic: a write of ARRAY_ADDRESS and one of
    /// ARRAY_DATA, between which no access of another host comes over a bridge with a mailbox. Takes four clocks from the stream.
    ///
    /// # Errors
    /// [`DriverError::CountedBits`] for recycling filters, whose words [`Device::set_array_bits`] fills; as [`Device::array_word`].
    pub fn set_array_word(&self, word: u64, data: u32) -> Result<(), DriverError> {
        if self.design.recycling().is_some() {
            return Err(DriverError::CountedBits { doing: "array" });
        }
        let word = self.word_address("array", word)?;
        store(&mut self.session("array"), word, data)
    }

    /// Sets the bits of a word of a recycling filter's active half that are 1 in `bits`, and counts them; `word` counts that
    /// half's words as [`Device::array_word`] does. Bits that were clear are one message together; nothing recycles, but the
    /// next item that sets a bit does if more are set then than the threshold says. Traffic: a write of ARRAY_ADDRESS and one
    /// of ARRAY_DATA. Takes about 70 clocks from the stream.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, [`DriverError::ArrayWord`] beyond the active half; as
    /// [`Device::array_word`].
    pub fn set_array_bits(&self, word: u64, bits: u32) -> Result<(), DriverError> {
        let Some(geometry) = self.design.recycling() else {
            return Err(self.not_there("array", "bits of halves"));
        };
        let halves = u64::from(geometry.phases());
        let words = self.array("array")?.words() / halves;
        if word >= words {
            return Err(DriverError::ArrayWord { words, got: word });
        }
        let address = self.word_address("array", word)?;
        store(&mut self.session("array"), address, bits)
    }

    /// The whole array. `done` is told how many words are read (of a recycling filter anew for each try). Traffic: that of
    /// [`Device::array_word`] for every word, the counter ITEMS before and after, and for a recycling filter STATUS every 64
    /// words and registers and counters before and after.
    ///
    /// Each word is of one instant, the array is not: with items coming in it holds every change from before the call, none
    /// from after, and some of those between. [`Snapshot::is_of_one_instant`] says whether there were any. The words of a
    /// recycling filter are all of the same two halves, those of a counting filter over a window of the same two panes: a snapshot that a
    /// recycle or turn tore is taken again, and never returned.
    ///
    /// # Errors
    /// As [`Device::array_word`]; [`DriverError::NotBuilt`] for gateware without counters, which say whether items came in between;
    /// [`DriverError::SnapshotTorn`] if a recycle or turn came into every one of 8 tries;
    /// [`DriverError::SnapshotCount`] if the bits of a half's words are not as many as the filter counts.
    pub fn snapshot(&self, mut done: impl FnMut(u64)) -> Result<Snapshot, DriverError> {
        let shape = self.array("snapshot")?;
        if !self.design.counter_width().is_built() {
            // Nothing else tells whether items came in between.
            return Err(self.not_built("snapshot", "counter ITEMS", "features.counters"));
        }
        if self.design.recycling().is_some() {
            return self.snapshot_of_halves(&shape, &mut done);
        }
        for _ in 0..TORN_TRIES {
            let turns = self.turns_of_panes()?;
            let items_before = self.counter(CellCounter::Items)?;
            let mut words = Vec::with_capacity(shape.words() as usize);
            for word in 0..shape.words() {
                words.push(self.snapshot_word(word)?);
                done(words.len() as u64);
            }
            let items_after = self.counter(CellCounter::Items)?;
            let items = [items_before, items_after];
            // so few that the 16 bits of `turns` cannot have come round
            let few =
                items_after.wrapping_sub(items_before) < MIN_WINDOW << field::STATUS_TURNS_BITS;
            if turns.is_none() || (turns == self.turns_of_panes()? && few) {
                return Ok(Snapshot::new(shape, words, items));
            }
        }
        Err(DriverError::SnapshotTorn {
            words: shape.words(),
            tries: TORN_TRIES,
        })
    }

    /// Turns of the panes and clears, modulo 65536; `None` for any but a counting filter over a window.
    fn turns_of_panes(&self) -> Result<Option<u32>, DriverError> {
        if self
            .design
            .cells()
            .is_none_or(|cells| cells.window().is_none())
        {
            return Ok(None);
        }
        let status = self.session("snapshot").read(address::STATUS)?;
        Ok(Some(status >> field::STATUS_TURNS))
    }

    /// A word of the array, for a snapshot.
    pub(super) fn snapshot_word(&self, word: u64) -> Result<u32, DriverError> {
        let word = self.word_address("snapshot", word)?;
        fetch(&mut self.session("snapshot"), word)
    }

    /// Writes a snapshot into the array, every word, then reads all of it back. `done` is told how many words are written or
    /// read back. Counters, threshold and secret stay. Items that come in meanwhile change words that are written already or
    /// still to come.
    ///
    /// Traffic: that of [`Device::set_array_word`] and [`Device::array_word`] for every word. A recycling filter is cleared; its
    /// halves then come back, with no limit to their age meanwhile, as they would in life: the bits of the frozen half are set in the active one, a recycle freezes
    /// them, and those of the active half follow. Its words take as many writes as the snapshot has messages in its cycle, so
    /// that MESSAGES comes back too, but at least one for each that is not 0 ([`Snapshot::messages_restored`]): with a threshold on messages such a cycle is
    /// as much shorter. All of it comes back under the secret in force: halves
    /// that were filled under two secrets (a rekey came between) do not. If the link fails for good, the age stays without limit.
    ///
    /// # Errors
    /// [`DriverError::SnapshotGeometry`] for a snapshot of another filter, [`DriverError::SnapshotMessages`] where those writes alone would end a cycle:
    /// nothing is written then.
    /// [`DriverError::NotRestored`] where the array reads as something else afterwards; [`DriverError::PartlyRestored`] where the link
    /// failed meanwhile; as [`Device::array_word`].
    pub fn restore(
        &self,
        snapshot: &Snapshot,
        mut done: impl FnMut(u64),
    ) -> Result<(), DriverError> {
        let shape = self.array("restore")?;
        if *snapshot.shape() != shape {
            return Err(DriverError::SnapshotGeometry {
                expected: shape.geometry_hash,
                got: snapshot.shape().geometry_hash,
            });
        }
        self.words_fit_a_cycle(snapshot)?;
        let max_age = match self.design.recycling() {
            Some(geometry) if geometry.has_max_age() => self.max_age_ticks()?,
            _ => 0,
        };
        let partly = |max_age_off| {
            move |error| match error {
                DriverError::NotRestored { .. } => error,
                error => DriverError::PartlyRestored {
                    max_age_off,
                    source: Box::new(error),
                },
            }
        };
        if max_age == 0 {
            let restored = self.write_and_read_back(snapshot, &mut done);
            return restored.map_err(partly(false));
        }
        // A recycle by age would come in between, as bits take longer to bring back than they did to come.
        self.set_max_age_ticks(0)?;
        let restored = self.write_and_read_back(snapshot, &mut done);
        let limited = self.set_max_age_ticks(max_age);
        restored.map_err(partly(limited.is_err())).and(limited)
    }

    fn write_and_read_back(
        &self,
        snapshot: &Snapshot,
        done: &mut impl FnMut(u64),
    ) -> Result<(), DriverError> {
        let mut steps = 0;
        let mut step = || {
            steps += 1;
            done(steps);
        };
        match self.design.recycling() {
            Some(_) => self.restore_halves(snapshot, &mut step)?,
            None => {
                for (word, &data) in (0..).zip(snapshot.words()) {
                    self.set_array_word(word, data)?;
                    step();
                }
            }
        }
        for (word, &expected) in (0..).zip(snapshot.words()) {
            let address = self.word_address("restore", word)?;
            let got = fetch(&mut self.session("restore"), address)?;
            if got != expected {
                return Err(DriverError::NotRestored {
                    word,
                    expected,
                    got,
                });
            }
            step();
        }
        Ok(())
    }

    fn array(&self, doing: &'static str) -> Result<ArrayShape, DriverError> {
        self.design
            .array()
            .ok_or_else(|| match self.design.array_access() {
                true => self.not_there(doing, NO_ARRAY),
                false => self.not_built(doing, NO_ARRAY, "features.array_access"),
            })
    }

    /// The address register's value for a word of the array.
    fn word_address(&self, doing: &'static str, word: u64) -> Result<u32, DriverError> {
        let words = self.array(doing)?.words();
        match (u32::try_from(word), self.design.recycling()) {
            (Ok(word), Some(geometry)) if u64::from(word) < words => {
                Ok(address_in_half(geometry, word))
            }
            (Ok(address), _) if word < words => Ok(address),
            _ => Err(DriverError::ArrayWord { words, got: word }),
        }
    }
}

/// ARRAY_ADDRESS of a word that is counted through banks and halves.
fn address_in_half(geometry: &RecyclingGeometry, word: u32) -> u32 {
    let words = geometry.words_per_bank() as u32;
    let (bank, word) = (word / words, word % words);
    let half = match bank < geometry.banks() {
        true => HalfRole::Active,
        false => HalfRole::Frozen,
    };
    geometry.array_address(half, bank % geometry.banks(), word)
}

fn fetch<T: Transport>(session: &mut Session<'_, T>, word: u32) -> Result<u32, DriverError> {
    for _ in 0..TRIES {
        // whether it was written or not, it is read back
        match session.write(address::ARRAY_ADDRESS, word) {
            Err(error) if !error.is_unknown() => return Err(error),
            _ => {}
        }
        let mut both = [0; 2];
        session.burst(address::ARRAY_ADDRESS, &mut both)?;
        let [fetched, data] = both;
        if fetched == word {
            return Ok(data);
        }
    }
    Err(DriverError::ArrayContended {
        doing: session.doing,
        tries: TRIES,
    })
}

fn store<T: Transport>(
    session: &mut Session<'_, T>,
    word: u32,
    data: u32,
) -> Result<(), DriverError> {
    for _ in 0..TRIES {
        // a word that was stored already is stored once more without harm
        match session.write_undisturbed(address::ARRAY_ADDRESS, &[word, data]) {
            Err(error) if error.is_unknown() => {}
            stored => return stored,
        }
    }
    Err(DriverError::ArrayContended {
        doing: session.doing,
        tries: TRIES,
    })
}
