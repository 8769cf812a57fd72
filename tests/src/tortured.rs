//! Constrained-random (torture) runs of a filter of any kind.

use bloomline_bench::filter::{
    emitted_design, CellReference, CellTorture, CellTortureMix, CuckooReference, ModelReference,
    SlidingReference, SlidingTorture, SlidingTortureMix, Torture, TortureMix,
};
use bloomline_bench::lockstep::{Bench, Clock, Reference, Simulation, Stimulus};
use bloomline_bench::verilator::{Design, Initial};
use bloomline_spec::registers::{CellCounter, CuckooCounter, SlidingCounter};
use bloomline_spec::{
    CellGeometry, CuckooGeometry, FilterKind, RecyclingGeometry, SlidingGeometry,
};

/// A filter of some kind: its text, its model, what drives both, and what shows that they were driven.
pub trait Tortured {
    /// What its text is compared with.
    type Reference: Reference;
    /// What drives both.
    type Stimulus: Stimulus;

    /// Its text, under the ports of its model.
    fn emitted(&self) -> Design;

    /// The model at power-up and a run of so many clocks.
    fn sides(&self, seed: u64, clocks: u64) -> (Self::Reference, Self::Stimulus);

    /// That the model never did what it must not, such as to issue an epoch that a word bears.
    ///
    /// # Panics
    /// When it did.
    fn check(&self, reference: &Self::Reference);

    /// How often each of what runs must meet has happened. A number that falls has begun again at 0.
    fn met(&self, reference: &Self::Reference) -> Vec<(&'static str, u64)>;
}

/// Runs the text of a filter against its model, with the seeds below `runs`, for so many clocks each; `look` sees every clock. The clocks in all.
///
/// # Panics
/// At the first difference, with the seed, and where [`Tortured::check`] does.
pub fn in_lockstep<F: Tortured>(
    filter: &F,
    simulation: Simulation,
    runs: u64,
    clocks: u64,
    mut look: impl FnMut(&Clock<'_, F::Reference>),
) -> u64 {
    let bench = Bench::new(simulation);
    let run = |seed| {
        let make = |seed| filter.sides(seed, clocks);
        let outcome = bench.run(seed, Initial::Random(seed), make, |clock| {
            look(clock);
            if clock.cycle + 1 == clocks {
                filter.check(clock.reference);
            }
        });
        outcome
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
            .clocks
    };
    (0..runs).map(run).sum()
}

const PRINTED: &str = "every legal geometry can be printed";
const EPOCHS: &str = "no epoch is issued while a word bears it";

impl Tortured for RecyclingGeometry {
    type Reference = ModelReference;
    type Stimulus = Torture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (ModelReference, Torture) {
        let mix = TortureMix::draw(self, seed, clocks);
        (ModelReference::new(self), Torture::new(self, mix, seed))
    }

    fn check(&self, reference: &ModelReference) {
        reference.model.check().expect(EPOCHS);
    }

    fn met(&self, reference: &ModelReference) -> Vec<(&'static str, u64)> {
        vec![("recycles", reference.model.filter().recycles())]
    }
}

impl Tortured for CellGeometry {
    type Reference = CellReference;
    type Stimulus = CellTorture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (CellReference, CellTorture) {
        let mix = CellTortureMix::draw(self, seed, clocks);
        (CellReference::new(self), CellTorture::new(self, mix, seed))
    }

    fn check(&self, reference: &CellReference) {
        reference.model.check().expect(EPOCHS);
    }

    fn met(&self, reference: &CellReference) -> Vec<(&'static str, u64)> {
        let status = reference.model.status();
        let mut met = vec![
            // an epoch each; the first after the last is 1
            ("clears", status.epoch.into()),
            ("items", status.counter(CellCounter::Items)),
            ("reported", status.counter(CellCounter::Reported)),
            ("inserted", status.counter(CellCounter::Inserted)),
        ];
        if self.kind() != FilterKind::Static {
            met.push(("saturated", status.counter(CellCounter::Saturated)));
        }
        met
    }
}

impl Tortured for SlidingGeometry {
    type Reference = SlidingReference;
    type Stimulus = SlidingTorture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (SlidingReference, SlidingTorture) {
        let mix = SlidingTortureMix::draw(self, seed, clocks);
        (
            SlidingReference::new(self),
            SlidingTorture::new(self, mix, seed),
        )
    }

    fn check(&self, reference: &SlidingReference) {
        reference.model.check().expect("the scan is never late");
    }

    fn met(&self, reference: &SlidingReference) -> Vec<(&'static str, u64)> {
        let status = reference.model.status();
        [
            ("seen", SlidingCounter::Seen),
            ("inserted", SlidingCounter::Inserted),
            ("to the back table", SlidingCounter::Back),
            ("to the store", SlidingCounter::Stored),
            ("lost", SlidingCounter::Lost),
        ]
        .map(|(name, counter)| (name, status.counter(counter)))
        .to_vec()
    }
}

impl Tortured for CuckooGeometry {
    type Reference = CuckooReference;
    type Stimulus = SlidingTorture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (CuckooReference, SlidingTorture) {
        let mix = SlidingTortureMix::draw(self, seed, clocks);
        (
            CuckooReference::new(self),
            SlidingTorture::new(self, mix, seed),
        )
    }

    fn check(&self, reference: &CuckooReference) {
        reference.model.check().expect("the scan is never late");
    }

    fn met(&self, reference: &CuckooReference) -> Vec<(&'static str, u64)> {
        let status = reference.model.status();
        [
            ("seen", CuckooCounter::Seen),
            ("inserted", CuckooCounter::Inserted),
            ("to the stash", CuckooCounter::Stashed),
            ("moves", CuckooCounter::Moves),
        ]
        .map(|(name, counter)| (name, status.counter(counter)))
        .to_vec()
    }
}
