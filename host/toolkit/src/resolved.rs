//! A complete geometry with its forecast.

use crate::forecast::{CellForecast, Forecast, SlidingForecast};
use bloomline_spec::{CellGeometry, CuckooGeometry, RecyclingGeometry, SlidingGeometry};

/// A geometry of one kind with its forecast.
#[derive(Debug)]
pub(crate) struct Resolved<G, F> {
    pub geometry: G,
    pub forecast: F,
}

/// A recycling filter.
pub(crate) type Recycling = Resolved<RecyclingGeometry, Forecast>;
/// A static filter, a counting filter or a Count-Min sketch.
pub(crate) type Cells = Resolved<CellGeometry, CellForecast>;
/// A sliding-window filter on tables of buckets.
pub(crate) type Sliding = Resolved<SlidingGeometry, SlidingForecast>;
/// A sliding-window filter on cuckoo tables.
pub(crate) type Cuckoo = Resolved<CuckooGeometry, SlidingForecast>;
