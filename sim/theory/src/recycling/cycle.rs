//! Cycle of one half under a threshold model, and its combination to a filter of one or two halves.

use crate::accuracy::Accuracy;

/// The life of one half between two recycles, seen by new (absent) arrivals.
///
/// Rates are count-instance (RBF II-E): every arrival of an absent key is tested against the state before it, the
/// tripping arrival included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CycleLaw {
    /// Mean number of new arrivals between two recycles, false positives and the tripping one included.
    pub mean_arrivals: f64,
    /// Average rate of a match in the active half, per new arrival.
    pub active_rate: f64,
    /// Mean rate of a match in a half as it stands when it is frozen.
    pub frozen_rate: f64,
    /// Accuracy of the three numbers.
    pub accuracy: Accuracy,
}

impl CycleLaw {
    /// Mean number of false positives of the active half in a cycle.
    pub fn mean_false_positives(&self) -> f64 {
        self.mean_arrivals * self.active_rate
    }

    /// Mean number of bit-setting new arrivals in a cycle, the tripping one included.
    pub fn mean_bit_setting(&self) -> f64 {
        self.mean_arrivals * (1.0 - self.active_rate)
    }

    /// The accuracy of [`Self::mean_bit_setting`], what the arrivals leave without the positives: of a small difference.
    pub(crate) fn bit_setting_accuracy(&self) -> Accuracy {
        Accuracy {
            relative_error: self.accuracy.relative_error / (1.0 - self.active_rate).max(1e-9),
            ..self.accuracy
        }
    }

    /// The law of the filter that keeps the tripping message, from that of the filter that forgets it.
    ///
    /// `f_ret = f L/(L-1)` and a cycle of `L-1` arrivals (derivation of this crate): the retaining cycle is the
    /// non-retaining one without its first arrival, which never is a false positive. Exact for partitioned and
    /// non-colliding probes, where the first message always sets k bits. For colliding probes it is the retaining
    /// chain of RBF (10), which draws the retained message afresh.
    pub fn retaining(&self) -> Self {
        Self {
            mean_arrivals: self.mean_arrivals - 1.0,
            active_rate: self.mean_false_positives() / (self.mean_arrivals - 1.0),
            ..*self
        }
    }

    /// RBF (26): the average rate of two phases, `1 - (1 - active)(1 - frozen)`.
    ///
    /// Exact for non-retaining partitioned and non-colliding filters: halves hold different messages. Colliding
    /// probes share their repeats between the halves, and a retained message has set a bit of the frozen half; both
    /// are O(1/M) corrections of the product term alone. For a threshold on bits
    /// [`two_phase_bits_set_rate`](super::two_phase_bits_set_rate), [`two_phase_retaining_rate`](super::two_phase_retaining_rate)
    /// and, partitioned, [`partitioned_retaining_rate`](super::partitioned_retaining_rate) have them.
    pub fn two_phase_rate(&self) -> f64 {
        self.active_rate + self.frozen_rate - self.active_rate * self.frozen_rate
    }

    /// The average rate with one or two phases.
    pub fn rate(&self, phases: u32) -> f64 {
        if phases == 1 {
            self.active_rate
        } else {
            self.two_phase_rate()
        }
    }
}
