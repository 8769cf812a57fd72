use super::Device;
use crate::error::DriverError;
use crate::snapshot::{Cycle, Snapshot};
use crate::transport::Transport;
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::{ArrayShape, HalfRole, RecycleOn};

/// Times that a snapshot which a recycle tore is taken again.
const TRIES: u32 = 8;
/// Words after which it is asked whether one did.
const WORDS_A_LOOK: u64 = 64;

/// What tells one pair of halves from the next: equal before and after the words, they are of the same two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Halves {
    /// Recycles of every cause, modulo 65536.
    turns: u32,
    /// Those that count, in 64 bits.
    recycles: u64,
}

/// Bits set, as the filter counts them.
#[derive(Debug, Clone, Copy)]
struct Counted {
    active: u32,
    frozen: u32,
    messages: u32,
}

impl<T: Transport> Device<T> {
    /// The words of both halves, of the same cycle.
    pub(super) fn snapshot_of_halves(
        &self,
        shape: &ArrayShape,
        done: &mut impl FnMut(u64),
    ) -> Result<Snapshot, DriverError> {
        for _ in 0..TRIES {
            if let Some(snapshot) = self.one_try(shape, done)? {
                return Ok(snapshot);
            }
        }
        Err(DriverError::SnapshotTorn {
            words: shape.words(),
            tries: TRIES,
        })
    }

    /// The words, unless a recycle came between.
    fn one_try(
        &self,
        shape: &ArrayShape,
        done: &mut impl FnMut(u64),
    ) -> Result<Option<Snapshot>, DriverError> {
        // What is compared is read first and last, so that nothing read in between is of other halves.
        let (active_half, before) = self.halves()?;
        let threshold = self.threshold()?;
        let counted_before = self.counted()?;
        let items_before = self.counter(RecyclingCounter::Items)?;
        let mut words = Vec::with_capacity(shape.words() as usize);
        for word in 0..shape.words() {
            if word % WORDS_A_LOOK == WORDS_A_LOOK - 1 && self.halves()?.1 != before {
                return Ok(None);
            }
            words.push(self.snapshot_word(word)?);
            done(words.len() as u64);
        }
        let items_after = self.counter(RecyclingCounter::Items)?;
        let counted_after = self.counted()?;
        if self.halves()?.1 != before {
            return Ok(None);
        }
        let cycle = Cycle {
            on: self.recycle_on(),
            active_half,
            threshold,
            messages: counted_after.messages,
            recycles: before.recycles,
        };
        let snapshot = Snapshot::new(shape.clone(), words, [items_before, items_after]);
        let snapshot = snapshot.with_cycle(cycle);
        let counts = [
            (
                HalfRole::Active,
                counted_before.active,
                counted_after.active,
            ),
            (
                HalfRole::Frozen,
                counted_before.frozen,
                counted_after.frozen,
            ),
        ];
        for ((half, least, most), bits) in counts.into_iter().zip(snapshot.bits_of_halves()) {
            if !(u64::from(least)..=u64::from(most)).contains(&bits) {
                return Err(DriverError::SnapshotCount {
                    half: half.word(),
                    least: least.into(),
                    most: most.into(),
                    got: bits,
                });
            }
        }
        Ok(Some(snapshot))
    }

    /// Brings the halves of an empty filter to what they were, the frozen one first.
    pub(super) fn restore_halves(
        &self,
        snapshot: &Snapshot,
        done: &mut impl FnMut(),
    ) -> Result<(), DriverError> {
        let shape = snapshot.shape();
        let (active, frozen) = snapshot
            .words()
            .split_at((shape.words() / u64::from(shape.halves)) as usize);
        let messages = snapshot.cycle().map_or(0, |cycle| cycle.messages);
        self.clear()?;
        if !frozen.is_empty() {
            self.fill_half(frozen, 0, done)?;
            self.recycle()?;
        }
        let apart = u64::from(messages).saturating_sub(snapshot.filled_words());
        self.fill_half(active, apart, done)
    }

    /// The words of the active half fit a cycle: each is written on its own, and each write counts as a message.
    ///
    /// # Errors
    /// [`DriverError::SnapshotMessages`].
    pub(super) fn words_fit_a_cycle(&self, snapshot: &Snapshot) -> Result<(), DriverError> {
        let (words, Some(cycle)) = (snapshot.filled_words(), snapshot.cycle()) else {
            return Ok(());
        };
        if self.recycle_on() == RecycleOn::BitsSet || words <= u64::from(cycle.messages) {
            return Ok(());
        }
        let threshold = self.threshold()?;
        match words < threshold {
            true => Ok(()),
            false => Err(DriverError::SnapshotMessages {
                words,
                messages: cycle.messages,
                threshold,
            }),
        }
    }

    /// Sets the bits of a half's words in the active half, in `apart` more writes than words, as far as there are bits. A write counts as a message.
    fn fill_half(
        &self,
        words: &[u32],
        mut apart: u64,
        done: &mut impl FnMut(),
    ) -> Result<(), DriverError> {
        for (place, &word) in (0..).zip(words) {
            let mut left = word;
            while apart > 0 && left.count_ones() > 1 {
                let lowest = left & left.wrapping_neg();
                self.set_array_bits(place, lowest)?;
                left ^= lowest;
                apart -= 1;
            }
            if left != 0 {
                self.set_array_bits(place, left)?;
            }
            done();
        }
        Ok(())
    }

    /// Which half is active, and what tells these halves from others. RECYCLES is read first: STATUS knows of each recycle
    /// that it counts.
    fn halves(&self) -> Result<(u32, Halves), DriverError> {
        let recycles = self.counter(RecyclingCounter::Recycles)?;
        let status = self.session("snapshot").read(address::STATUS)?;
        let halves = Halves {
            turns: status >> field::STATUS_TURNS,
            recycles,
        };
        Ok((status >> field::STATUS_ACTIVE_HALF & 1, halves))
    }

    /// Traffic: one burst of three reads.
    fn counted(&self) -> Result<Counted, DriverError> {
        let mut three = [0; 3];
        self.session("snapshot")
            .burst(address::BITS_ACTIVE, &mut three)?;
        let [active, frozen, messages] = three;
        Ok(Counted {
            active,
            frozen,
            messages,
        })
    }

    fn recycle_on(&self) -> RecycleOn {
        let recycling = self.design.recycling();
        recycling.map_or(RecycleOn::BitsSet, |geometry| geometry.recycle_on())
    }
}
