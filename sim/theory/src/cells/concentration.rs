//! How far the rate of one filter, with the functions and the keys it has, may lie above the mean over all of them (KM 7).

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::chernoff::share_exceeded_by;

const NAME: &str = "rate of one filter";

/// Refuses what is no probability.
pub(super) fn check_chance(chance: f64) -> Result<(), TheoryError> {
    TheoryError::check_fraction(NAME, "chance", chance)
}

/// A rate that is exceeded with a probability of at most `chance`, for k positions that are drawn independently, each in a partition
/// of its own or all in one array, from `fill`, the expected share of `cells` cells in all that answer yes.
///
/// Given the cells, the rate is a product of shares whose mean is the share of all cells, so at most its k-th power (arithmetic and
/// geometric mean). The cells of an occupancy are negatively associated, and so are those of independent partitions together and
/// those that reach a count, so the Chernoff bound of independent cells holds for their number: the share exceeds x with a
/// probability of at most `exp(-cells (x ln(x/fill) + (1-x) ln((1-x)/(1-fill))))`. Derivation of this project.
pub(super) fn by_cells(cells: f64, fill: f64, hashes: u32, chance: f64) -> Figure {
    let high = share_exceeded_by(cells, fill, chance);
    let k = f64::from(hashes);
    Figure::new(
        high.powf(k),
        format!(
            "x^k, exceeded with a probability of at most {chance}: Chernoff bound of the cells that answer yes"
        ),
        Accuracy::bound(),
    )
    .with_ln(k * high.ln())
}

/// What one item does to the rate of a filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Most that the rate falls by if the item is left out.
    pub change: f64,
    /// Items that, each by itself, would turn one positive answer into a negative one if they were left out: at most.
    pub critical: f64,
}

/// The same for any hashing, from the mean rate: the least of several bounds.
///
/// * Cantelli's inequality, where the standard deviation of the rate is known: `mean + deviation sqrt(1/p - 1)`, each with its stated error.
/// * KM Theorem 7.1, whose proof (Azuma, McDiarmid) is for every n, against the mean itself: `mean + change sqrt(n ln(1/p)/2)`.
/// * Over `change`, the rate is a self-bounding function of the items: leaving one out lowers it by 0 to 1, and the sum of this over
///   all items is at most `critical` times itself. So it exceeds its mean Z by more than t with a probability of at most
///   `exp(-t^2 / (2 (critical Z + c t)))`, c = critical/2 - 1/6 (S. Boucheron, G. Lugosi, P. Massart, "On concentration of self-bounding
///   functions", Electronic Journal of Probability 14, 2009, Theorem 1; its use here is a derivation of this project). The sharpest
///   where the rate is small.
/// * Markov's inequality: `mean / p`.
pub(super) fn by_items(
    mean: &Figure,
    deviation: Option<&Figure>,
    items: f64,
    item: Item,
    chance: f64,
) -> Figure {
    let most = mean.value * (1.0 + mean.accuracy.relative_error);
    let change = item.change.min(1.0);
    let unlikely = -chance.ln();
    let slope = (0.5 * item.critical - 1.0 / 6.0) * unlikely;
    let self_bounding =
        slope + (slope * slope + 2.0 * unlikely * item.critical * most / change).sqrt();
    let bounds = [
        (
            most + change * (0.5 * items * unlikely).sqrt(),
            "KM Theorem 7.1, mean + change of an item times sqrt(n ln(1/p)/2)",
        ),
        (
            most + change * self_bounding,
            "concentration of self-bounding functions (Boucheron, Lugosi, Massart)",
        ),
        (most / chance, "Markov's inequality, mean / p"),
    ];
    // an error of less than the whole
    let deviation = deviation.filter(|deviation| deviation.accuracy.relative_error < 1.0);
    let by_deviation = deviation.map(|deviation| {
        let largest = deviation.value / (1.0 - deviation.accuracy.relative_error);
        (
            most + largest * (1.0 / chance - 1.0).sqrt(),
            "Cantelli's inequality, mean + deviation sqrt(1/p - 1)",
        )
    });
    let bounds = bounds.into_iter().chain(by_deviation);
    let least = bounds.min_by(|a, b| a.0.total_cmp(&b.0));
    let (value, source) = least.unwrap_or((1.0, "any rate"));
    let figure = Figure::new(
        value.min(1.0),
        format!("exceeded with a probability of at most {chance}: {source}"),
        Accuracy::bound(),
    );
    match mean.ln {
        Some(ln) => figure.with_ln(ln - chance.ln() + mean.accuracy.relative_error.ln_1p()),
        None => figure,
    }
}

/// A share of false positives among `queries` keys that were not inserted, which one filter exceeds with a probability of at most
/// `chance`, from the rate that it exceeds with half of that: given the filter the answers are independent, so Chernoff's bound takes the
/// other half (KM 7.2, part 3, with sharper bounds of both).
pub(super) fn by_queries(rate: &Figure, queries: u64, chance: f64) -> Figure {
    Figure::new(
        share_exceeded_by(queries as f64, rate.value, 0.5 * chance),
        format!(
            "exceeded with a probability of at most {chance} among {queries} queries: Chernoff bound at a rate that is {}",
            rate.formula
        ),
        Accuracy::bound(),
    )
}
