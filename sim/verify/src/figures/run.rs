//! Distributes the units of a figure over the processor cores.

use super::{unit_seed, Counts, Experiment, FigureError, Journal, JournalHeader, Size, Unit};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{mpsc, Mutex};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Units finished, earlier runs included.
    pub done: usize,
    /// Units in all.
    pub total: usize,
}

/// Runs what is missing of a figure on `threads` threads; the journal in `folder` has every finished unit at once.
///
/// # Errors
/// Those of [`Journal`]. Units in flight are lost then, finished ones are not.
pub fn run(
    experiment: &dyn Experiment,
    header: &JournalHeader,
    folder: &Path,
    threads: usize,
    mut at: impl FnMut(Progress),
) -> Result<Journal, FigureError> {
    let size: Size = header.size;
    let path = Journal::path(folder, experiment.id());
    let mut journal = Journal::open(path, header)?;
    let units = experiment.units(size);
    let total = units.len();
    let open: VecDeque<Unit> = units
        .into_iter()
        .filter(|unit| !journal.results().contains_key(unit))
        .collect();
    let mut done = total - open.len();
    at(Progress { done, total });
    let open = Mutex::new(open);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<(Unit, Counts)>();
        for _ in 0..threads.max(1) {
            let (sender, open) = (sender.clone(), &open);
            scope.spawn(move || loop {
                let next = match open.lock() {
                    Ok(mut open) => open.pop_front(),
                    Err(_) => None,
                };
                let Some(unit) = next else { break };
                let seed = unit_seed(header.seed, experiment.id(), unit);
                if sender
                    .send((unit, experiment.simulate(size, unit, seed)))
                    .is_err()
                {
                    break;
                }
            });
        }
        drop(sender);
        for (unit, counts) in receiver {
            journal.add(unit, counts)?;
            done += 1;
            at(Progress { done, total });
        }
        Ok(journal)
    })
}
