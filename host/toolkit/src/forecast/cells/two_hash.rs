//! Results of the paper on two hash functions (KM) for a static filter with many items.

use crate::forecast::line::{line, Line};
use crate::forecast::UNLIKELY;
use bloomline_spec::{CellGeometry, Hashing, Layout};
use bloomline_theory::two_hash::{ManyItems, PrimePartition, Scheme};
use bloomline_theory::{Accuracy, AccuracyKind, Figure};

/// The limit, the excess over it to first order and its bounds, and the share of false positives among as many queries as items; none
/// for independent hash functions. `rate` is the filter's own.
pub fn lines(geometry: &CellGeometry, rate: &Figure) -> Vec<Line> {
    let (items, hashes) = (geometry.items(), geometry.hashes());
    let (scheme, bits) = match geometry.layout() {
        Layout::Partitioned => (Scheme::Partition, geometry.range() * u64::from(hashes)),
        Layout::Shared => (Scheme::DoubleHashing, geometry.range()),
    };
    if geometry.hashing() == Hashing::Independent {
        return Vec::new();
    }
    let Ok(many) = ManyItems::new(scheme, bits, items, hashes) else {
        return Vec::new();
    };
    let mut limit = many.limit();
    let bounds = many.excess_bounds();
    let excess = rate.value - limit.value;
    let gap = excess.abs();
    let error = rate.accuracy.relative_error * rate.value;
    // the distance from the filter's own rate is known better than KM's bounds say
    let two_sided = [AccuracyKind::Exact, AccuracyKind::Approximation];
    if two_sided.contains(&rate.accuracy.kind) {
        let apart = Accuracy::approximation((gap + error) / limit.value);
        if apart.relative_error < limit.accuracy.relative_error {
            limit.accuracy = apart;
        }
    }
    let limit_value = limit.value;
    let mut figures = vec![("fpr_limit_km", limit)];
    // KM's bounds are for n large; those that the filter's own rate keeps are shown
    let kept = |figure: Figure| Figure {
        formula: format!("{}, kept by the rate at this n", figure.formula),
        ..figure
    };
    // and that say more than that a rate lies between 0 and 1
    let (least, most) = (-limit_value, 1.0 - limit_value);
    if bounds.lower.value <= excess - error && bounds.lower.value > least {
        figures.push(("excess_least_km", kept(bounds.lower)));
    }
    if bounds.upper.value >= excess + error && bounds.upper.value < most {
        figures.push(("excess_most_km", kept(bounds.upper)));
    }
    // KM 6.1 is evaluated where no item meets a key in some partitions but not all: prime ranges
    let prime = match geometry.layout() {
        Layout::Partitioned => PrimePartition::new(geometry.range(), hashes, items).ok(),
        Layout::Shared => None,
    };
    let first_order = prime.and_then(|prime| prime.first_order_excess().ok());
    figures.extend(first_order.map(|excess| ("excess_km", excess)));
    let observed = many.queries_exceed(items, gap, UNLIKELY).ok();
    figures.extend(observed.map(|observed| ("fpr_observed_1pct_km", observed)));
    figures
        .iter()
        .map(|(key, figure)| line(key, "", figure))
        .collect()
}
