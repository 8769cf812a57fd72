//! Rates of a recycling filter in the shared layout, and what its other variants would do in the same memory.

use bloomline_spec::{Hashing, Layout, RecycleOn, RecyclingGeometry, Sizing};
use bloomline_theory::sizing::{self, On, Prediction, SharedParams};
use bloomline_theory::two_hash::Extension;
use serde::Serialize;

/// What theory needs to know of a filter with `threshold`.
pub fn params(sizing: &Sizing, threshold: u64) -> SharedParams {
    SharedParams {
        half_bits: sizing.half_bits(),
        phases: sizing.phases(),
        hashes: sizing.hashes(),
        distinct: sizing.distinct(),
        two_hash: match sizing.hashing() {
            Hashing::Independent => None,
            Hashing::Double => Some(Extension::None),
            Hashing::ExtendedDouble2 => Some(Extension::Square),
            Hashing::ExtendedDouble3 => Some(Extension::Cube),
        },
        on: match sizing.recycle_on() {
            RecycleOn::BitsSet => On::BitsSet,
            RecycleOn::Messages => On::Messages,
        },
        threshold,
        retain: sizing.retain(),
    }
}

/// How the positions of an item are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Probes {
    /// k independent draws (RBF: colliding).
    Colliding,
    /// k that differ (RBF: non-colliding).
    Distinct,
    /// By two hash functions, as the specification says.
    TwoHash,
}

impl Probes {
    fn of(params: &SharedParams) -> Self {
        match params {
            SharedParams { distinct: true, .. } => Probes::Distinct,
            SharedParams {
                two_hash: Some(_), ..
            } => Probes::TwoHash,
            _ => Probes::Colliding,
        }
    }
}

/// A variant of RBF in the same memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variant {
    /// Whether this is the specification's own filter, at its own threshold.
    pub own: bool,
    /// Halves.
    pub phases: u32,
    /// How an item's positions are drawn.
    pub probes: Probes,
    /// Bits of one half that are probed.
    pub half_bits: u64,
    /// Threshold of one half, in the specification's unit.
    pub threshold: u64,
    /// What theory says of it.
    #[serde(flatten)]
    pub prediction: Prediction,
}

/// The variants of RBF (colliding or not, one phase or two), and with two hash functions those, all at the same average rate.
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
    pub fn of(geometry: &RecyclingGeometry, own: &Prediction) -> Option<Variants> {
        let own_params = match geometry.layout() {
            Layout::Partitioned => return None,
            Layout::Shared => params(geometry, geometry.threshold()),
        };
        let rate = match geometry.target_fpr() {
            Some(target) if own.fpr_average.value <= target => target,
            _ => own.fpr_average.value,
        };
        let variant = |probes: Probes, phases: u32| {
            let is_own = probes == Probes::of(&own_params) && phases == own_params.phases;
            let with = SharedParams {
                half_bits: own_params.half_bits * u64::from(own_params.phases) / u64::from(phases),
                phases,
                distinct: probes == Probes::Distinct,
                two_hash: own_params.two_hash.filter(|_| probes == Probes::TwoHash),
                ..own_params
            };
            let (threshold, prediction) = if is_own {
                (own_params.threshold, own.clone())
            } else {
                sizing::solve_shared_quickly(&with, rate).ok()?
            };
            Some(Variant {
                own: is_own,
                phases,
                probes,
                half_bits: with.half_bits,
                threshold,
                prediction,
            })
        };
        let two_hash = own_params.two_hash.map(|_| Probes::TwoHash);
        let probes = two_hash
            .into_iter()
            .chain([Probes::Colliding, Probes::Distinct]);
        Some(Variants {
            rate,
            variants: probes
                .flat_map(|probes| [(probes, 1), (probes, 2)])
                .filter_map(|(probes, phases)| variant(probes, phases))
                .collect(),
        })
    }
}
