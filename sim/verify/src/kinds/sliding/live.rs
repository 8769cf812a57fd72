//! Running count of live cells.

use bloomline_model::{Place, SlidingFilter};
use bloomline_spec::SlidingGeometry;

/// Live cells of a filter. Within a generation none goes stale, so only insertions change their number; where a generation
/// begins they are counted anew.
pub(super) struct LiveCells {
    front_buckets: f64,
    back_buckets: f64,
    fingerprints: f64,
    front: u64,
    back: u64,
    store: u64,
}

impl LiveCells {
    /// Of an empty filter.
    pub fn new(geometry: &SlidingGeometry) -> LiveCells {
        LiveCells {
            front_buckets: geometry.front_buckets() as f64,
            back_buckets: geometry.back_buckets() as f64,
            fingerprints: f64::from(geometry.fingerprint_bits()).exp2(),
            front: 0,
            back: 0,
            store: 0,
        }
    }

    /// Looks at every cell.
    pub fn count(&mut self, filter: &SlidingFilter) {
        self.front = filter.live_cells(Place::Front);
        self.back = filter.live_cells(Place::Back);
        self.store = filter.live_cells(Place::Store);
    }

    /// An element took an empty cell.
    pub fn inserted(&mut self, place: Place) {
        match place {
            Place::Front => self.front += 1,
            Place::Back => self.back += 1,
            Place::Store => self.store += 1,
        }
    }

    /// Probability that an absent key is seen, for two independent positions that fall anywhere: the live values of a bucket
    /// differ, and so do those of front table and store together.
    pub fn probability_seen(&self) -> f64 {
        let front = (self.front + self.store) as f64 / self.front_buckets / self.fingerprints;
        let back = self.back as f64 / self.back_buckets / self.fingerprints;
        front + back - front * back
    }
}
