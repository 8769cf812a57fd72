//! What lockstep of a netlist needs to know of a kind of filter.

use bloomline_bench::filter::{
    emitted_design, CellReference, CellTorture, CellTortureMix, ModelReference, SlidingReference,
    SlidingTorture, SlidingTortureMix, Torture, TortureMix,
};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::Design;
use bloomline_spec::registers::{CellCounter, SlidingCounter};
use bloomline_spec::{CellGeometry, FilterKind, RecyclingGeometry, SlidingGeometry};

/// A filter of some kind: its text, its model, what drives both, and what shows that they were driven.
pub trait GateFilter {
    /// What a netlist is compared with.
    type Reference: Reference;
    /// What drives both.
    type Stimulus: Stimulus;

    /// Its text, under the ports of its model.
    fn emitted(&self) -> Design;

    /// The model at power-up and a run of so many clocks.
    fn sides(&self, seed: u64, clocks: u64) -> (Self::Reference, Self::Stimulus);

    /// How often each of what runs must meet has happened. A number that falls has begun again at 0.
    fn met(&self, reference: &Self::Reference) -> Vec<(&'static str, u64)>;
}

const PRINTED: &str = "every legal geometry can be printed";

impl GateFilter for RecyclingGeometry {
    type Reference = ModelReference;
    type Stimulus = Torture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (ModelReference, Torture) {
        let mix = TortureMix::draw(self, seed, clocks);
        (ModelReference::new(self), Torture::new(self, mix, seed))
    }

    fn met(&self, reference: &ModelReference) -> Vec<(&'static str, u64)> {
        vec![("recycles", reference.model.filter().recycles())]
    }
}

impl GateFilter for CellGeometry {
    type Reference = CellReference;
    type Stimulus = CellTorture;

    fn emitted(&self) -> Design {
        emitted_design(self).expect(PRINTED).0
    }

    fn sides(&self, seed: u64, clocks: u64) -> (CellReference, CellTorture) {
        let mix = CellTortureMix::draw(self, seed, clocks);
        (CellReference::new(self), CellTorture::new(self, mix, seed))
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

impl GateFilter for SlidingGeometry {
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
