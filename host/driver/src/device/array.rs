use super::session::Session;
use super::Device;
use crate::error::DriverError;
use crate::snapshot::{ArrayShape, Snapshot};
use crate::transport::Transport;
use bloomline_spec::registers::{address, CellCounter};
use bloomline_spec::CellGeometry;

/// Times that a word is fetched again because another host moved the address in between.
const TRIES: u32 = 16;
const NO_ARRAY: &str = "access to its array";

impl<T: Transport> Device<T> {
    /// One word of the array: cells side by side, the least position in the lowest bits; `word` is the bank times the words
    /// of a bank, plus the word's address in it. Traffic: a write of ARRAY_ADDRESS and a burst that reads it and ARRAY_DATA;
    /// again where another host came in between. Takes two clocks from the stream.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for recycling and sliding-window filters, [`DriverError::ArrayWord`] beyond the array,
    /// [`DriverError::ArrayContended`], or a failed access.
    pub fn array_word(&self, word: u64) -> Result<u32, DriverError> {
        let word = self.word_address("array", word)?;
        fetch(&mut self.session("array"), word)
    }

    /// Replaces one word of the array; bits above its cells are ignored. Traffic: a write of ARRAY_ADDRESS and one of
    /// ARRAY_DATA. Takes four clocks from the stream.
    ///
    /// # Errors
    /// As [`Device::array_word`].
    pub fn set_array_word(&self, word: u64, data: u32) -> Result<(), DriverError> {
        let word = self.word_address("array", word)?;
        store(&mut self.session("array"), word, data)
    }

    /// The whole array. `done` is told how many words are read. Traffic: that of [`Device::array_word`] for every word, and
    /// the counter ITEMS before and after.
    ///
    /// Each word is of one instant, the array is not: with items coming in it holds every change from before the call, none
    /// from after, and some of those between. [`Snapshot::is_of_one_instant`] says whether there were any.
    ///
    /// # Errors
    /// As [`Device::array_word`].
    pub fn snapshot(&self, mut done: impl FnMut(u64)) -> Result<Snapshot, DriverError> {
        let shape = ArrayShape::of(self.cells("snapshot")?);
        let items_before = self.counter(CellCounter::Items)?;
        let mut words = Vec::with_capacity(shape.words() as usize);
        for word in 0..shape.words() {
            let word = self.word_address("snapshot", word)?;
            words.push(fetch(&mut self.session("snapshot"), word)?);
            done(words.len() as u64);
        }
        let items_after = self.counter(CellCounter::Items)?;
        Ok(Snapshot::new(shape, words, [items_before, items_after]))
    }

    /// Writes a snapshot's cells into the array, every word, then reads all of it back. `done` is told how many words are
    /// written or read back. Traffic: that of [`Device::set_array_word`] and [`Device::array_word`] for every word. Counters
    /// and threshold stay. Items that come in meanwhile change words that are written already or still to come.
    ///
    /// # Errors
    /// [`DriverError::SnapshotGeometry`] for a snapshot of another filter: nothing is written then.
    /// [`DriverError::NotRestored`] where the array reads as something else afterwards; as [`Device::array_word`].
    pub fn restore(
        &self,
        snapshot: &Snapshot,
        mut done: impl FnMut(u64),
    ) -> Result<(), DriverError> {
        let shape = ArrayShape::of(self.cells("restore")?);
        if *snapshot.shape() != shape {
            return Err(DriverError::SnapshotGeometry {
                expected: shape.geometry_hash,
                got: snapshot.shape().geometry_hash,
            });
        }
        let mut steps = 0;
        let mut step = || {
            steps += 1;
            done(steps);
        };
        for (word, &data) in (0..).zip(snapshot.words()) {
            let address = self.word_address("restore", word)?;
            store(&mut self.session("restore"), address, data)?;
            step();
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

    fn cells(&self, doing: &'static str) -> Result<&CellGeometry, DriverError> {
        self.design
            .cells()
            .ok_or_else(|| self.not_there(doing, NO_ARRAY))
    }

    /// The address register's value for a word of the array.
    fn word_address(&self, doing: &'static str, word: u64) -> Result<u32, DriverError> {
        let words = ArrayShape::of(self.cells(doing)?).words();
        match u32::try_from(word) {
            Ok(address) if word < words => Ok(address),
            _ => Err(DriverError::ArrayWord { words, got: word }),
        }
    }
}

fn fetch<T: Transport>(session: &mut Session<'_, T>, word: u32) -> Result<u32, DriverError> {
    for _ in 0..TRIES {
        session.write(address::ARRAY_ADDRESS, word)?;
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
    session.write(address::ARRAY_ADDRESS, word)?;
    session.write(address::ARRAY_DATA, data)
}
