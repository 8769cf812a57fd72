//! The theory that applies to a geometry: partitioned or shared layout.

use crate::VerifyError;
use bloomline_spec::{CellGeometry, Hashing, Layout};
use bloomline_theory::cells::{
    Alarm, CountingStream, Draw, PartitionedStatic, Partitions, Rows, SharedArray, WindowStream,
};
use bloomline_theory::two_hash::Extension;
use bloomline_theory::{sizing, Figure, TheoryError};

/// The laws of a layout.
#[derive(Debug, Clone, Copy)]
pub(super) enum Law {
    /// A bank for every probe; the copies of a sketch.
    Partitioned(Partitions, u32),
    /// One array.
    Shared(SharedArray),
}

impl Law {
    /// The laws for a geometry.
    ///
    /// # Errors
    /// [`VerifyError`] outside the domain of theory.
    pub fn of(geometry: &CellGeometry) -> Result<Law, VerifyError> {
        let (range, hashes) = (geometry.range(), geometry.hashes());
        let law = match geometry.layout() {
            Layout::Partitioned => {
                let hashing = match geometry.hashing() {
                    Hashing::Independent => sizing::Hashing::Independent,
                    Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => {
                        sizing::Hashing::Double
                    }
                };
                Law::Partitioned(Partitions::new(range, hashes, hashing)?, geometry.copies())
            }
            Layout::Shared => {
                let draw = match geometry.hashing() {
                    Hashing::Independent if geometry.distinct() => Draw::Distinct,
                    Hashing::Independent => Draw::Independent,
                    Hashing::Double => Draw::TwoHash(Extension::None),
                    Hashing::ExtendedDouble2 => Draw::TwoHash(Extension::Square),
                    Hashing::ExtendedDouble3 => Draw::TwoHash(Extension::Cube),
                };
                Law::Shared(SharedArray::new(range, hashes, draw)?)
            }
        };
        Ok(law)
    }

    /// The partitions of one copy; none in one array.
    pub fn one_copy(&self) -> Option<Partitions> {
        match self {
            Law::Partitioned(all, copies) => {
                Partitions::new(all.range(), all.hashes() / copies, all.hashing()).ok()
            }
            Law::Shared(_) => None,
        }
    }

    /// A static filter of `items`: the rate, and what filters of other hash functions differ from it by. None where there is no
    /// law.
    pub fn rate(&self, items: u64) -> Result<Option<(f64, f64)>, VerifyError> {
        Ok(match self {
            Law::Partitioned(partitions, _) => {
                let law = PartitionedStatic::new(*partitions, items)?;
                Some((law.rate().value, law.rate_deviation().value))
            }
            Law::Shared(array) => {
                let found = array.rate(items).ok().zip(array.rate_deviation(items).ok());
                found.map(|(rate, deviation)| (rate.value, deviation.value))
            }
        })
    }

    /// What two hash functions add to the probability that a static filter of `items` finds an absent key, given its cells.
    /// None on one array, where cells do not give that probability by their number alone.
    pub fn excess_given_cells(&self, items: u64) -> Result<Option<f64>, VerifyError> {
        Ok(match self {
            Law::Partitioned(partitions, _) => {
                let law = PartitionedStatic::new(*partitions, items)?;
                Some(law.two_hash_excess().value)
            }
            Law::Shared(array) => match array.draw() {
                Draw::Independent | Draw::Distinct => Some(0.0),
                Draw::TwoHash(_) => None,
            },
        })
    }

    /// Expectations along a stream of a counting filter, which may have a window; none for large thresholds and two hash functions on
    /// one array.
    pub fn stream(&self, threshold: u32, window: bool) -> Option<Stream> {
        let whole = |stream| Stream::Whole(Box::new(stream));
        match self {
            Law::Partitioned(partitions, _) if window => {
                let stream = WindowStream::new(*partitions, threshold);
                stream.map(|stream| Stream::Window(Box::new(stream)))
            }
            Law::Partitioned(partitions, _) => {
                CountingStream::new(*partitions, threshold).map(whole)
            }
            Law::Shared(array) => CountingStream::shared(*array, threshold).map(whole),
        }
        .ok()
    }

    /// The share of the total that a sketch's errors reach with a probability of at most `failure`; none without a bound.
    pub fn error_bound(&self, total: u64, failure: f64) -> Result<Option<f64>, VerifyError> {
        let bound = match self {
            Law::Partitioned(partitions, copies) => {
                let rows = Rows::new(*partitions, total)?.in_copies(*copies)?;
                Some(rows.error_bound(failure)?)
            }
            Law::Shared(array) => array.error_bound(failure).ok(),
        };
        Ok(bound.map(|bound| bound.value))
    }

    /// Bound of the probability of an error of `excess` times the total or more; none without a bound.
    pub fn failure_bound(&self, total: u64, excess: f64) -> Result<Option<f64>, VerifyError> {
        let bound: Option<Figure> = match self {
            Law::Partitioned(partitions, copies) => {
                let rows = Rows::new(*partitions, total)?.in_copies(*copies)?;
                Some(rows.failure_bound(excess)?)
            }
            Law::Shared(array) => array.failure_bound(excess).ok(),
        };
        Ok(bound.map(|bound| bound.value))
    }

    /// Mean of what other keys add to a counter of a sketch.
    pub fn counter_error(&self, total: u64) -> Result<f64, TheoryError> {
        Ok(match self {
            Law::Partitioned(partitions, _) => Rows::new(*partitions, total)?.row_error().value,
            Law::Shared(array) => array.counter_error(total).value,
        })
    }
}

/// What follows a stream of arrivals.
pub(super) enum Stream {
    /// Counts since the last clear.
    Whole(Box<CountingStream>),
    /// Counts over a window.
    Window(Box<WindowStream>),
}

impl Stream {
    /// A key arrives once more that has come so often, in the active pane and in the frozen one; without a window all are active.
    pub fn arrive(&mut self, (active, frozen): (u64, u64)) -> Option<Alarm> {
        match self {
            Stream::Whole(stream) => stream.arrive(active),
            Stream::Window(stream) => stream.arrive(active, frozen),
        }
    }

    /// The panes change places.
    pub fn turn(&mut self) {
        if let Stream::Window(stream) = self {
            stream.turn();
        }
    }
}
