//! Groups of lanes on several threads.

use super::{LaneCount, Lanes};
use crate::design::Design;
use crate::error::EngineError;
use crate::initial::Initial;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Groups of lanes: how many, of how many lanes, and how they start.
///
/// The lanes of all groups are numbered on, so that with [`Initial::Random`] no two of them start alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// Number of groups.
    pub count: usize,
    /// Lanes of each group.
    pub lanes: LaneCount,
    /// Power-up state, as for [`Design::open_lanes`].
    pub initial: Initial,
    /// Threads that run groups; `None` for one on each processor core that the system offers.
    pub threads: Option<NonZero<usize>>,
}

impl Design {
    /// Calls `run` with the number and the lanes of every group, on several threads. Returns the results in the order of the groups.
    ///
    /// # Errors
    /// The first error in the order of the groups: that of `run`, or [`EngineError::NotInLanes`]. Groups that have not begun then do not
    /// begin.
    pub fn run_groups<T: Send, E: From<EngineError> + Send>(
        &self,
        groups: &Groups,
        run: impl Fn(usize, Lanes) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let cores = std::thread::available_parallelism();
        let threads = groups.threads.or(cores.ok()).map_or(1, NonZero::get);
        let next = AtomicUsize::new(0);
        let results = Mutex::new(vec![]);
        let work = || loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            if group >= groups.count {
                return;
            }
            let first = (group * groups.lanes.lanes()) as u64;
            let lanes = self.open_lanes_from(first, groups.lanes, groups.initial);
            let result = lanes.map_err(E::from).and_then(|lanes| run(group, lanes));
            if result.is_err() {
                next.store(groups.count, Ordering::Relaxed);
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((group, result));
        };
        std::thread::scope(|scope| {
            // This thread works, too.
            for _ in 1..threads.min(groups.count) {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(group, _)| *group);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
