//! A Count-Min sketch's numbers.

use super::division::{best, divisions, neighbours, partitions, Kind, CAPACITY_RATE};
use crate::forecast::line::{exact, line, Line};
use crate::forecast::{short, things, whole};
use bloomline_spec::{CellGeometry, Hashing};
use bloomline_theory::cells::Rows;
use bloomline_theory::count_min::CountMin;
use bloomline_theory::{Figure, TheoryError};

/// Predicts the sketch with amounts of `items` in all.
pub fn predict(geometry: &CellGeometry) -> Result<Kind, TheoryError> {
    let (parts, total) = (partitions(geometry)?, geometry.items());
    let threshold = u64::from(geometry.threshold());
    let copies = geometry.copies();
    let rows = Rows::new(parts, total)?.in_copies(copies)?;
    let amount = |figure: &Figure| Figure {
        value: figure.value * total as f64,
        formula: format!("N times: {}", figure.formula),
        accuracy: figure.accuracy,
        ln: None,
    };
    let share = at_most_all(rows.error_bound(CAPACITY_RATE)?);
    let error = amount(&share);
    let capacity = rows.most_total(threshold, CAPACITY_RATE)?;
    let values: Vec<_> = divisions(geometry)
        .filter(|(division, _)| is_divided(division.hashes, copies))
        .map(|(division, parts)| {
            let rows = Rows::new(parts, total)?.in_copies(copies)?;
            let error = at_most_all(rows.error_bound(CAPACITY_RATE)?).value * total as f64;
            Ok((
                division,
                vec![error.into(), (&rows.false_report_bound(threshold)).into()],
            ))
        })
        .collect::<Result<_, TheoryError>>()?;
    let k = geometry.hashes();
    let amounts = |value: f64| whole(value.ceil());
    let mut why = format!(
        "{} of {} counters keep the error below {} with 99% by the bound",
        things(k.into(), "row"),
        whole(geometry.range() as f64),
        amounts(error.value),
    );
    let others = neighbours(&values, 0, k, amounts);
    if !others.is_empty() {
        why += &format!("; it would be {others}");
    }
    why.push('.');
    if let Some((least_k, least)) = best(&values, 0, true) {
        why += &format!(
            " The least that can be built is {} with k = {least_k}.",
            least.text(amounts)
        );
    }
    let mut reasons = vec![("rows", why)];
    if copies > 1 {
        let of_copies = |other: u32| {
            let rows = Rows::new(parts, total).ok()?.in_copies(other).ok()?;
            let error = at_most_all(rows.error_bound(CAPACITY_RATE).ok()?).value * total as f64;
            let word = if other == 1 { "copy" } else { "copies" };
            Some(format!("{} in {other} {word}", amounts(error)))
        };
        let others: Vec<String> = (1..=k / 2)
            .filter(|other| *other != copies && is_divided(k, *other))
            .filter_map(of_copies)
            .collect();
        reasons.push((
            "copies",
            format!(
                "{copies} copies of {} rows have two hash functions each, and an estimate is the least of theirs; in the same memory \
                 that error would be {}.",
                k / copies,
                others.join(", "),
            ),
        ));
    }
    let why_threshold = format!(
        "{} is {:.3}% of the total; a key that never came is reported with a probability of at most {}, and up to a total of {} \
         with at most {}.",
        whole(threshold as f64),
        100.0 * threshold as f64 / total as f64,
        short(rows.false_report_bound(threshold).value),
        whole(capacity.value),
        short(CAPACITY_RATE),
    );
    reasons.push(("threshold", why_threshold));
    let mut warnings = Vec::new();
    let max = u64::from(geometry.cell_max());
    if total >= max {
        warnings.push(format!(
            "counters of {} bits hold {max}, and filter.items = {total} may pass that: a counter that reaches it stays there",
            geometry.cell_bits()
        ));
    }
    let mut lines = vec![
        line("row_error", "amount", &rows.row_error()),
        line("error_1pct", "amount", &error),
        line("epsilon_1pct", "", &share),
        line("false_report", "", &rows.false_report_bound(threshold)),
        line("unit_error", "", &rows.unit_error()),
        line(
            "unit_error_1pct",
            "",
            &rows.unit_error_quantile(CAPACITY_RATE)?,
        ),
        line("saturated", "", &rows.saturated_bound(max)),
        line("capacity_items", "amount", &capacity),
        exact(
            "counters",
            (geometry.range() * u64::from(k)) as f64,
            "counters",
            "k rows of so many positions",
        ),
    ];
    lines.extend(printed_theorem(geometry));
    Ok(Kind {
        lines,
        floor: None,
        warnings,
        columns: vec!["error at 1%", "false report"],
        values,
        reasons,
    })
}

/// A bound of the error as a share of N, at most 1: others add no more than N to a counter.
pub(super) fn at_most_all(share: Figure) -> Figure {
    match share.value > 1.0 {
        true => Figure {
            value: 1.0,
            formula: format!(
                "others add at most N to a counter; {} is above that",
                share.formula
            ),
            ..share
        },
        false => share,
    }
}

/// Whether so many rows divide into copies of two or more.
fn is_divided(rows: u32, copies: u32) -> bool {
    copies == 1 || (rows.is_multiple_of(copies) && rows / copies >= 2)
}

/// KM Theorem 9.1 as printed, where it applies: double hashing and rows of prime width. Of copies to their power.
fn printed_theorem(geometry: &CellGeometry) -> Vec<Line> {
    let copies = geometry.copies();
    let depth = geometry.hashes() / copies;
    let Some(sketch) = CountMin::new(geometry.range(), depth.into())
        .ok()
        .filter(|_| geometry.hashing() == Hashing::Double)
    else {
        return Vec::new();
    };
    let failure = |excess: f64| sketch.failure_bound_of_copies(excess, copies).ok();
    // the bound falls with the excess: bisect the logarithm for the least that meets the rate
    let (mut low, mut high) = (1e-15_f64, 1.0 - 1e-9);
    for _ in 0..200 {
        let middle = (low * high).sqrt();
        match failure(middle) {
            Some(bound) if bound.value <= CAPACITY_RATE => high = middle,
            _ => low = middle,
        }
    }
    let of_threshold = failure(f64::from(geometry.threshold()) / geometry.items() as f64);
    let least = failure(high).filter(|bound| bound.value <= CAPACITY_RATE);
    let epsilon = least.map(|bound| Figure {
        value: high,
        formula: format!("least eps at which {} is 1%", bound.formula),
        accuracy: bound.accuracy,
        ln: None,
    });
    let report = of_threshold.map(|bound| Figure {
        formula: format!("{}, eps = theta/N", bound.formula),
        ..bound
    });
    [("epsilon_1pct_km", epsilon), ("false_report_km", report)]
        .into_iter()
        .filter_map(|(key, figure)| Some(line(key, "", &figure?)))
        .collect()
}
