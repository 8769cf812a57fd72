use crate::{CellFilter, RecyclingFilter, SlidingFilter};
use bloomline_spec::{
    CellGeometry, CellOperation, Common, FilterKind, Geometry, Key, Operation, RecycleOn,
    RegisterMap, SlidingGeometry,
};

/// Amount of an item that a frame sends.
const AMOUNT: u32 = 1;

/// The filter of a packet path, of any kind.
#[derive(Debug, Clone)]
pub enum PathFilter {
    /// Bits that are forgotten all at once.
    Recycling(Geometry, RecyclingFilter),
    /// Saturating counters.
    Cells(CellGeometry, CellFilter),
    /// Fingerprints with an age.
    Sliding(SlidingGeometry, Box<SlidingFilter>),
}

impl From<Geometry> for PathFilter {
    fn from(geometry: Geometry) -> PathFilter {
        let filter = RecyclingFilter::new(&geometry);
        PathFilter::Recycling(geometry, filter)
    }
}

impl From<CellGeometry> for PathFilter {
    fn from(geometry: CellGeometry) -> PathFilter {
        let filter = CellFilter::new(&geometry);
        PathFilter::Cells(geometry, filter)
    }
}

impl From<SlidingGeometry> for PathFilter {
    fn from(geometry: SlidingGeometry) -> PathFilter {
        let filter = SlidingFilter::new(&geometry);
        PathFilter::Sliding(geometry, Box::new(filter))
    }
}

impl PathFilter {
    /// What all kinds have in common.
    pub fn common(&self) -> &Common {
        match self {
            PathFilter::Recycling(geometry, _) => geometry,
            PathFilter::Cells(geometry, _) => geometry,
            PathFilter::Sliding(geometry, _) => geometry,
        }
    }

    /// Tests a key, and inserts it if `learn`; gives bit 0 of the verdict.
    pub fn verdict(&mut self, key: &Key, learn: bool) -> bool {
        let operation = if learn {
            Operation::TestAndInsert
        } else {
            Operation::Query
        };
        match self {
            PathFilter::Recycling(_, filter) => filter.apply(key, operation).seen(),
            PathFilter::Sliding(_, filter) => filter.apply(key, operation).verdict.seen,
            PathFilter::Cells(geometry, filter) => {
                let operation = CellOperation::from_code(operation.code().into(), false);
                let verdict = filter.apply(key, operation, AMOUNT).verdict;
                match geometry.kind() {
                    FilterKind::Static => verdict.seen,
                    _ => verdict.reached,
                }
            }
        }
    }

    /// The register map of the whole path.
    pub fn register_map(&self) -> RegisterMap {
        match self {
            PathFilter::Recycling(geometry, _) => RegisterMap::for_geometry(geometry),
            PathFilter::Cells(geometry, _) => RegisterMap::for_cells(geometry),
            PathFilter::Sliding(geometry, _) => RegisterMap::for_sliding(geometry),
        }
    }

    /// Clocks of the pipeline from an item's acceptance to its verdict, where nobody holds it up.
    pub fn verdict_clocks(&self) -> u32 {
        /// From the decision to the verdict at the port.
        const BEHIND_DECISION: u32 = 3;
        BEHIND_DECISION
            + match self {
                PathFilter::Recycling(geometry, _) => {
                    let timing = geometry.timing();
                    timing.front_clocks + timing.decision_stage
                }
                PathFilter::Cells(geometry, _) => {
                    let timing = geometry.timing();
                    timing.front_clocks + timing.fold_clocks + timing.decision_stage
                }
                PathFilter::Sliding(geometry, _) => {
                    let timing = geometry.timing();
                    timing.front_clocks + timing.decision_stage
                }
            }
    }

    /// Clocks from an item to the next that the pipeline takes, at most. A recycling filter whose cycles are short takes one item at a time.
    pub fn item_clocks(&self) -> u32 {
        match self {
            PathFilter::Recycling(geometry, _) => {
                let timing = geometry.timing();
                let unit = match geometry.recycle_on() {
                    RecycleOn::BitsSet => u64::from(geometry.hashes()),
                    RecycleOn::Messages => 1,
                };
                // the tripping item may count for both cycles
                let large = unit * (u64::from(timing.large_cycle_items) + 1);
                match geometry.threshold() > large {
                    true => timing.initiation_interval,
                    false => timing.retire_clocks,
                }
            }
            PathFilter::Cells(geometry, _) => geometry.timing().initiation_interval(),
            PathFilter::Sliding(..) => 1,
        }
    }

    /// Empties the filter.
    pub fn clear(&mut self) {
        match self {
            PathFilter::Recycling(_, filter) => filter.clear(),
            PathFilter::Cells(_, filter) => filter.clear(),
            PathFilter::Sliding(_, filter) => filter.clear(),
        }
    }

    /// The filter as after reset: empty, with what the specification says.
    pub fn reset(&mut self) {
        *self = match self {
            PathFilter::Recycling(geometry, _) => PathFilter::from(geometry.clone()),
            PathFilter::Cells(geometry, _) => PathFilter::from(geometry.clone()),
            PathFilter::Sliding(geometry, _) => PathFilter::from(geometry.clone()),
        };
    }
}
