//! A counting filter's numbers.

use super::division::{best, divisions, neighbours, partitions, Kind, Number, CAPACITY_RATE};
use crate::forecast::line::{exact, line};
use crate::forecast::UNLIKELY;
use crate::forecast::{format_number, short, whole};
use bloomline_spec::CellGeometry;
use bloomline_theory::cells::PartitionedCounting;
use bloomline_theory::counting::{optimal_hashes, optimal_load};
use bloomline_theory::{Figure, TheoryError};

/// A probability in a sentence.
fn short_figure(figure: &Figure) -> String {
    match figure.ln {
        Some(_) => format_number(figure.value, figure.ln),
        None => short(figure.value),
    }
}

/// Predicts the filter after `items` insertions of keys that come once each.
pub fn predict(geometry: &CellGeometry) -> Result<Kind, TheoryError> {
    let (parts, items) = (partitions(geometry)?, geometry.items());
    let threshold = u64::from(geometry.threshold());
    let filter = PartitionedCounting::new(parts, items, threshold)?;
    let max = geometry.cell_max().into();
    let short_by_one = threshold - 1;
    let (worst, excess) = (
        filter.reported(short_by_one)?,
        filter.two_hash_excess(short_by_one)?,
    );
    let new = filter.reported(1.min(short_by_one))?;
    let capacity =
        |parts, count| PartitionedCounting::most_insertions(parts, threshold, count, CAPACITY_RATE);
    let values: Vec<_> = divisions(geometry)
        .map(|(division, parts)| {
            let filter = PartitionedCounting::new(parts, items, threshold)?;
            let rates = [0, 1.min(short_by_one), short_by_one]
                .map(|count| filter.reported(count).map(|rate| Number::from(&rate)));
            Ok((division, rates.into_iter().collect::<Result<Vec<_>, _>>()?))
        })
        .collect::<Result<_, TheoryError>>()?;
    let counters = geometry.memory_bits() / u64::from(geometry.cell_bits());
    let k = geometry.hashes();
    let best_load = optimal_load(threshold)?.value;
    let mut why = format!(
        "k = {k} reports a key one short of the threshold with probability {}; it would be {}.",
        short_figure(&worst),
        neighbours(&values, 2, k, short),
    );
    if let Some((least_k, least)) = best(&values, 2, true) {
        why += &format!(
            " The least that can be built is {} with k = {least_k}.",
            least.text(short)
        );
    }
    why += &format!(
        " For a key that never came, CBF Theorem 1 has its best load kn/m = {best_load:.4}, here k = {} ({} counters, {} insertions).",
        optimal_hashes(counters, items, threshold)?,
        whole(counters as f64),
        whole(items as f64),
    );
    let why_counters = format!(
        "counters of {} bits hold {max}; a key's counters reach that because of others with probability {}. Keys are \
         reported from {threshold} on, and none that came so often is missed. The numbers are for keys that come once; \
         repeats make counters uneven and false reports likelier, and `verify` predicts them from the exact counts.",
        geometry.cell_bits(),
        short_figure(&filter.saturated(max)),
    );
    let mut lines = vec![line("false_report_absent", "", &filter.reported(0)?)];
    if threshold > 1 {
        lines.push(line("false_report_new", "", &new));
    }
    lines.extend([
        line("false_report_one_short", "", &worst),
        line(
            "false_report_one_short_1pct",
            "",
            &filter.reported_exceeded_by(short_by_one, UNLIKELY)?,
        ),
        line("two_hash_excess", "", &excess),
        line("false_alarms", "keys", &filter.false_alarms_of_new_keys()?),
        line(
            "counter_reaches_threshold",
            "",
            &filter.counter_reaches(threshold),
        ),
        line("saturated", "", &filter.saturated(max)),
        line(
            "capacity_items",
            "insertions",
            &capacity(parts, short_by_one)?,
        ),
        line("capacity_items_absent", "insertions", &capacity(parts, 0)?),
        exact(
            "bits_per_item",
            geometry.memory_bits() as f64 / items as f64,
            "bits",
            "memory_bits / items",
        ),
    ]);
    Ok(Kind {
        lines,
        floor: Some((excess, worst)),
        warnings: Vec::new(),
        columns: vec!["never came", "new", "one short"],
        values,
        reasons: vec![("hashes", why), ("counters", why_counters)],
    })
}
