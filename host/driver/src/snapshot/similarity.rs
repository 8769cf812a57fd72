use super::{Snapshot, SnapshotError};
use bloomline_theory::occupancy::{similarity, Overlap, Similarity};

impl Snapshot {
    /// How many different keys two filters of one geometry have in common, and their Jaccard index, with intervals of
    /// `confidence` (between 0 and 1); see [`similarity`]. `None` where every cell is above 0 in one or the other.
    ///
    /// Keys are those in the array, in a filter of two halves or panes those in either. Under a keyed hash both filters must
    /// have been filled under one secret, which no snapshot tells.
    ///
    /// # Errors
    /// [`SnapshotError::Geometry`] for another geometry; [`SnapshotError::Secrets`] for two halves that may be under different
    /// secrets; [`SnapshotError::Estimate`] for a confidence outside that range and for an array beyond what theory covers.
    pub fn similarity(
        &self,
        other: &Snapshot,
        confidence: f64,
    ) -> Result<Option<Similarity>, SnapshotError> {
        self.same_geometry(other)?;
        let shape = self.shape();
        // the panes of a filter of cells are under one secret
        if shape.keyed && shape.halves > 1 && self.cycle().is_some() {
            return Err(SnapshotError::Secrets {
                name: shape.name.clone(),
            });
        }
        let overlap = |bank| {
            let mut counts = Overlap {
                one: 0,
                other: 0,
                both: 0,
            };
            for (one, other) in self.above_0(bank).zip(other.above_0(bank)) {
                counts.one += u64::from(one);
                counts.other += u64::from(other);
                counts.both += u64::from(one && other);
            }
            counts
        };
        let groups: Vec<Overlap> = (0..shape.banks).map(overlap).collect();
        similarity(shape.range, &groups, self.throw(), confidence)
            .map_err(|source| SnapshotError::Estimate { source })
    }

    /// Which cells of a bank are above 0, in either half of a recycling filter.
    fn above_0(&self, bank: u32) -> impl Iterator<Item = bool> + '_ {
        let banks = self.shape.banks;
        let frozen = (self.shape.halves > 1).then(|| self.cells(banks + bank));
        let mut frozen = frozen.into_iter().flatten();
        self.cells(bank)
            .map(move |cell| cell | frozen.next().unwrap_or(0) > 0)
    }
}
