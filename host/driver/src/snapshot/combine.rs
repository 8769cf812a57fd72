use super::{Cycle, Snapshot, SnapshotError};

impl Snapshot {
    /// What one filter would hold that had met the items of both: cell by cell the sum, which stays at the greatest value.
    ///
    /// In a static filter that is the bits set in either; in a recycling filter that is so half by half: the active halves' in the active,
    /// the frozen ones' in the frozen half, so that a key is in the union's half if it is in that half of either (where both filters met
    /// the same key, but in other cycles, it may be in both halves). In filters that count it is the sum and not the greater of the two:
    /// cells count insertions, and a key inserted twice here and thrice there was inserted five times, so every estimate
    /// stays at or above the count in both streams together (CBF; a Count-Min sketch is linear in its stream). Traffic that
    /// both filters saw counts twice. Exact where nothing was removed; a cell at its greatest value stays there. Counters that
    /// were updated conservatively would be lower in one filter, since each stream raised some that the other had raised already;
    /// no estimate of their sum is below the count either.
    ///
    /// # Errors
    /// [`SnapshotError::Geometry`] for another geometry.
    pub fn union(&self, other: &Snapshot) -> Result<Snapshot, SnapshotError> {
        let max = self.shape.cell_max();
        self.combined(other, |a, b| a.saturating_add(b).min(max))
    }

    /// Cell by cell the lesser of the two; in a static filter, and in each half of a recycling one, the bits set in both.
    ///
    /// Holds every key that both hold, each counted at least as often as where it is less frequent. It may hold more than a
    /// filter of the common keys alone: a cell that different keys set in each stays set (OCC 2.3.3).
    ///
    /// # Errors
    /// [`SnapshotError::Geometry`] for another geometry.
    pub fn intersection(&self, other: &Snapshot) -> Result<Snapshot, SnapshotError> {
        self.combined(other, u32::min)
    }

    /// Refuses a snapshot of another geometry.
    pub(super) fn same_geometry(&self, other: &Snapshot) -> Result<(), SnapshotError> {
        let (left, right) = (&self.shape, &other.shape);
        match left == right {
            true => Ok(()),
            false => Err(SnapshotError::Geometry {
                left: left.geometry_hash,
                left_name: left.name.clone(),
                right: right.geometry_hash,
                right_name: right.name.clone(),
            }),
        }
    }

    fn combined(
        &self,
        other: &Snapshot,
        cell: impl Fn(u32, u32) -> u32,
    ) -> Result<Snapshot, SnapshotError> {
        self.same_geometry(other)?;
        let shape = &self.shape;
        let (bits, max) = (shape.cell_bits, shape.cell_max());
        let word = |(&a, &b): (&u32, &u32)| {
            (0..shape.lanes()).fold(0, |word, lane| {
                let shift = lane * bits;
                word | cell(a >> shift & max, b >> shift & max) << shift
            })
        };
        Ok(Snapshot {
            combined: true,
            shape: shape.clone(),
            words: self.words.iter().zip(&other.words).map(word).collect(),
            items: [0, 1].map(|place: usize| self.items[place].saturating_add(other.items[place])),
            cycle: self.cycle.zip(other.cycle).map(|(one, other)| Cycle {
                threshold: one.threshold.max(other.threshold),
                messages: one.messages.saturating_add(other.messages),
                recycles: one.recycles.saturating_add(other.recycles),
                ..one
            }),
        })
    }
}
