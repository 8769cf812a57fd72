//! A static filter's numbers.

use super::division::{best, divisions, neighbours, partitions, Kind, CAPACITY_RATE};
use super::two_hash;
use crate::forecast::line::{exact, line, Line};
use crate::forecast::whole;
use crate::forecast::UNLIKELY;
use bloomline_spec::CellGeometry;
use bloomline_theory::cells::PartitionedStatic;
use bloomline_theory::{Accuracy, Figure, TheoryError};
use bloomline_verify::text::percent;

/// Bits that an ideal filter of the same rate has over those of this one; none where the rate is 0 or 1.
pub(super) fn efficiency(geometry: &CellGeometry, rate: &Figure) -> Option<Line> {
    let ln = rate.ln.unwrap_or(rate.value.ln());
    let bits = -(geometry.items() as f64) * ln / std::f64::consts::LN_2;
    let figure = Figure::new(
        bits / geometry.memory_bits() as f64,
        "OCC (69): n log2(1/fpr) / m",
        Accuracy {
            relative_error: rate.accuracy.relative_error / ln.abs(),
            ..rate.accuracy
        },
    );
    (bits > 0.0 && bits.is_finite()).then(|| line("efficiency", "", &figure))
}

/// Predicts the filter with `items` keys in it.
pub fn predict(geometry: &CellGeometry) -> Result<Kind, TheoryError> {
    let (parts, items) = (partitions(geometry)?, geometry.items());
    let filter = PartitionedStatic::new(parts, items)?;
    let (rate, excess) = (filter.rate(), filter.two_hash_excess());
    let capacity = PartitionedStatic::most_items(parts, CAPACITY_RATE)?;
    let values: Vec<_> = divisions(geometry)
        .map(|(division, parts)| {
            let rate = PartitionedStatic::new(parts, items)?.rate();
            let capacity = PartitionedStatic::most_items(parts, CAPACITY_RATE);
            Ok((
                division,
                vec![
                    (&rate).into(),
                    capacity.map_or(0.0, |items| items.value).into(),
                ],
            ))
        })
        .collect::<Result<_, TheoryError>>()?;
    let k = geometry.hashes();
    let mut why = format!(
        "k = {k} gives a rate of {} with {} items; it would be {}.",
        percent(rate.value),
        whole(items as f64),
        neighbours(&values, 0, k, percent),
    );
    if let (Some((free, least)), Some((built, rate))) =
        (best(&values, 0, false), best(&values, 0, true))
    {
        why += &format!(
            " The least of k = 1 to 16 in this memory is {} with k = {free}",
            least.text(percent)
        );
        if built != free {
            why += &format!(
                "; of those that can be built (banks of a power of two) {} with k = {built}",
                rate.text(percent)
            );
        }
        why.push('.');
    }
    let why_memory = format!(
        "{} bits are {:.2} bits an item; {} items keep the rate within {}.",
        whole(geometry.memory_bits() as f64),
        geometry.memory_bits() as f64 / items as f64,
        whole(capacity.value),
        percent(CAPACITY_RATE),
    );
    let mut lines = vec![
        line("fpr", "", &rate),
        line("two_hash_excess", "", &excess),
        line("fpr_deviation", "", &filter.rate_deviation()),
        line("fpr_1pct", "", &filter.rate_exceeded_by(UNLIKELY)?),
        line(
            "fpr_observed_1pct",
            "",
            &filter.observed_exceeded_by(items, UNLIKELY)?,
        ),
        line("fill", "", &filter.fill()),
        line("capacity_items", "items", &capacity),
        exact(
            "bits_per_item",
            geometry.memory_bits() as f64 / items as f64,
            "bits",
            "memory_bits / items",
        ),
    ];
    lines.extend(efficiency(geometry, &rate));
    lines.extend(two_hash::lines(geometry, &rate));
    Ok(Kind {
        lines,
        floor: Some((excess, rate)),
        warnings: Vec::new(),
        columns: vec!["rate", "items at 1%"],
        values,
        reasons: vec![("hashes", why), ("memory", why_memory)],
    })
}
