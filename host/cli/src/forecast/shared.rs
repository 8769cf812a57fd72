//! Rates of a recycling filter in the shared layout, and what its other variants would do in the same memory.

use bloomline_spec::{Geometry, Hashing, Layout, RecycleOn, Sizing};
use bloomline_theory::sizing::{self, On, Prediction, SharedParams};
use bloomline_theory::TheoryError;
use serde::Serialize;

/// What theory needs to know of a filter with `threshold`.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for two hash functions and more than two probes: no chain covers them in one array.
pub fn params(sizing: &Sizing, threshold: u64) -> Result<SharedParams, TheoryError> {
    // with up to two probes h1 and h1 + h2 are two independent positions
    if sizing.hashing() != Hashing::Independent && sizing.hashes() > 2 {
        return Err(TheoryError::OutOfDomain {
            formula: "recycling filter in the shared layout",
            argument: "filter.hashing",
            expected:
                "\"independent\": no chain covers two hash functions in one array that recycles"
                    .to_owned(),
            got: sizing.hashing().to_string(),
        });
    }
    Ok(SharedParams {
        half_bits: sizing.half_bits(),
        phases: sizing.phases(),
        hashes: sizing.hashes(),
        distinct: sizing.distinct(),
        on: match sizing.recycle_on() {
            RecycleOn::BitsSet => On::BitsSet,
            RecycleOn::Messages => On::Messages,
        },
        threshold,
        retain: sizing.retain(),
    })
}

/// A variant of RBF in the same memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variant {
    /// Whether this is the specification's own filter, at its own threshold.
    pub own: bool,
    /// Halves.
    pub phases: u32,
    /// Whether an item's positions differ from each other (RBF: non-colliding).
    pub distinct: bool,
    /// Bits of one half that are probed.
    pub half_bits: u64,
    /// Threshold of one half, in the specification's unit.
    pub threshold: u64,
    /// What theory says of it.
    #[serde(flatten)]
    pub prediction: Prediction,
}

/// The four variants of RBF (colliding or not, one phase or two), all at the same average rate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variants {
    /// The average rate that all of them keep: the target, or what a given threshold comes to.
    pub rate: f64,
    /// The variants that meet it.
    pub variants: Vec<Variant>,
}

impl Variants {
    /// Solves every variant of a filter in the shared layout; those whose smallest threshold exceeds the rate are left out.
    /// `None` in the partitioned layout.
    pub fn of(geometry: &Geometry, own: &Prediction) -> Option<Variants> {
        let own_params = match geometry.layout() {
            Layout::Partitioned => return None,
            Layout::Shared => params(geometry, geometry.threshold()).ok()?,
        };
        let rate = match geometry.target_fpr() {
            Some(target) if own.fpr_average.value <= target => target,
            _ => own.fpr_average.value,
        };
        let variant = |distinct: bool, phases: u32| {
            let is_own = distinct == own_params.distinct && phases == own_params.phases;
            let with = SharedParams {
                half_bits: own_params.half_bits * u64::from(own_params.phases) / u64::from(phases),
                phases,
                distinct,
                ..own_params
            };
            let (threshold, prediction) = if is_own {
                (own_params.threshold, own.clone())
            } else {
                let threshold = sizing::solve_shared_threshold(&with, rate).ok()?;
                let solved = SharedParams { threshold, ..with };
                (threshold, sizing::predict_shared(&solved).ok()?)
            };
            Some(Variant {
                own: is_own,
                phases,
                distinct,
                half_bits: with.half_bits,
                threshold,
                prediction,
            })
        };
        let each = [(false, 1), (false, 2), (true, 1), (true, 2)];
        Some(Variants {
            rate,
            variants: each
                .into_iter()
                .filter_map(|(distinct, phases)| variant(distinct, phases))
                .collect(),
        })
    }
}
