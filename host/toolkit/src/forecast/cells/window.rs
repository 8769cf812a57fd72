//! Numbers of a counting filter over a window.

use super::division::{best, divisions, neighbours, partitions, Kind, Number, CAPACITY_RATE};
use crate::forecast::line::{exact, line};
use crate::forecast::UNLIKELY;
use crate::forecast::{format_number, short, whole};
use bloomline_spec::CellGeometry;
use bloomline_theory::cells::{
    PartitionedCounting, Partitions, WindowedCounting, MOST_WINDOW_THRESHOLD,
};
use bloomline_theory::{sizing, Accuracy, Figure, TheoryError};

/// A probability in a sentence.
fn short_figure(figure: &Figure) -> String {
    match figure.ln {
        Some(_) => format_number(figure.value, figure.ln),
        None => short(figure.value),
    }
}

/// The laws of a filter: those of two panes, or above their domain, as a bound, those of one filter that holds what both do.
enum Law {
    Panes(WindowedCounting),
    Whole(PartitionedCounting),
}

impl Law {
    fn of(parts: Partitions, window: u64, threshold: u64) -> Result<Law, TheoryError> {
        Ok(match threshold <= MOST_WINDOW_THRESHOLD {
            true => Law::Panes(WindowedCounting::new(parts, window, threshold)?),
            false => Law::Whole(PartitionedCounting::new(parts, 2 * window, threshold)?),
        })
    }

    fn bound(figure: Figure) -> Figure {
        Figure {
            formula: format!(
                "one filter of the 2 N insertions of both panes, whose least counters are never below their sum: {}",
                figure.formula
            ),
            accuracy: Accuracy::bound(),
            ..figure
        }
    }

    /// Over a whole window.
    fn mean(&self, count: u64) -> Result<Figure, TheoryError> {
        match self {
            Law::Panes(law) => law.reported_in_mean(count),
            Law::Whole(law) => law.reported(count).map(Law::bound),
        }
    }

    /// Just before the panes turn, exceeded by one filter with a probability of at most `chance`.
    fn exceeded(&self, count: u64, chance: f64) -> Result<Figure, TheoryError> {
        match self {
            Law::Panes(law) => law.reported_exceeded_by(count, chance),
            Law::Whole(law) => law.reported_exceeded_by(count, chance).map(Law::bound),
        }
    }

    /// At the last arrival before the panes turn: the one with which they do meets N - 1 insertions in the active pane.
    fn full(&self, window: u64, count: u64) -> Result<Figure, TheoryError> {
        match self {
            Law::Panes(law) => law.reported(count, window - 1),
            Law::Whole(law) => law.reported(count).map(Law::bound),
        }
    }
}

/// Predicts the filter once it has seen two windows of keys that come once each.
pub fn predict(geometry: &CellGeometry, window: u64) -> Result<Kind, TheoryError> {
    let parts = partitions(geometry)?;
    let threshold = u64::from(geometry.threshold());
    let law = Law::of(parts, window, threshold)?;
    let short_by_one = threshold - 1;
    let [absent, new, worst] = [0, 1.min(short_by_one), short_by_one].map(|count| law.mean(count));
    let (absent, new, worst) = (absent?, new?, worst?);
    let full = law.full(window, short_by_one)?;
    let k = geometry.hashes();
    let independent = Partitions::new(geometry.range(), k, sizing::Hashing::Independent)?;
    let plain = Law::of(independent, window, threshold)?.full(window, short_by_one)?;
    let excess = Figure {
        value: full.value - plain.value,
        formula: "that less the same of k independent functions".to_owned(),
        accuracy: full.accuracy,
        ln: None,
    };
    let values: Vec<_> = divisions(geometry)
        .map(|(division, parts)| {
            let law = Law::of(parts, window, threshold)?;
            let rates = [0, 1.min(short_by_one), short_by_one]
                .map(|count| law.full(window, count).map(|rate| Number::from(&rate)));
            Ok((division, rates.into_iter().collect::<Result<Vec<_>, _>>()?))
        })
        .collect::<Result<_, TheoryError>>()?;
    let mut why = format!(
        "k = {k} reports a key one short of the threshold with probability {} just before the panes turn; it would be {}.",
        short_figure(&full),
        neighbours(&values, 2, k, short),
    );
    if let Some((least_k, least)) = best(&values, 2, true) {
        why += &format!(
            " The least that can be built is {} with k = {least_k}.",
            least.text(short)
        );
    }
    let pane = geometry.memory_bits() / 2;
    let why_panes = format!(
        "an arrival counts those among the last {n} insertions and the rest of the window before, so no occurrence within {n} is missed \
         and none counts that lies {} back. They cost twice {} bits, a second bank with its counters for each of {k} hashes, and a clock \
         cycle of latency; a turn empties a pane by one epoch and takes {} clock cycles from the stream. A filter that is cleared every {n} \
         insertions needs one pane, and misses keys that come on both sides of a clear.",
        whole(2.0 * window as f64),
        whole(pane as f64),
        geometry.timing().turn_clocks(),
        n = whole(window as f64),
    );
    let max = u64::from(geometry.cell_max());
    let saturated = match &law {
        Law::Panes(law) => law.saturated(max)?,
        Law::Whole(law) => Law::bound(law.saturated(max)),
    };
    let why_counters = format!(
        "counters of {} bits hold {max}; one of a key's counters reaches that because of others with probability {} just before a turn. The \
         numbers are for keys that come once in two windows; repeats make counters uneven and false reports likelier, and `verify` \
         predicts them from the exact counts.",
        geometry.cell_bits(),
        short_figure(&saturated),
    );
    let mut lines = vec![line("false_report_absent", "", &absent)];
    if threshold > 1 {
        lines.push(line("false_report_new", "", &new));
    }
    lines.extend([
        line("false_report_one_short", "", &worst),
        line("false_report_one_short_full", "", &full),
        line(
            "false_report_one_short_full_1pct",
            "",
            &law.exceeded(short_by_one, UNLIKELY)?,
        ),
        line("two_hash_excess", "", &excess),
        line("saturated", "", &saturated),
    ]);
    if threshold <= MOST_WINDOW_THRESHOLD {
        let most = |count| WindowedCounting::most_window(parts, threshold, count, CAPACITY_RATE);
        lines.extend([
            line("capacity_window", "insertions", &most(short_by_one)?),
            line("capacity_window_absent", "insertions", &most(0)?),
        ]);
    }
    lines.extend([
        exact(
            "window_least",
            window as f64,
            "insertions",
            "N: every occurrence among so many counts",
        ),
        exact(
            "window_most",
            2.0 * window as f64,
            "insertions",
            "2 N: none that lies so many back counts",
        ),
        exact(
            "bits_per_item",
            geometry.memory_bits() as f64 / window as f64,
            "bits",
            "memory_bits / N, of both panes",
        ),
    ]);
    Ok(Kind {
        lines,
        floor: Some((excess, full)),
        warnings: Vec::new(),
        columns: vec!["never came", "new", "one short"],
        values,
        reasons: vec![
            ("hashes", why),
            ("panes", why_panes),
            ("counters", why_counters),
        ],
    })
}
