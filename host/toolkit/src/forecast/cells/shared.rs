//! The numbers of one array that all probes share, as far as there are laws.

use super::count_min::at_most_all;
use super::division::{
    best, neighbours, Division, Kind, Number, Values, CAPACITY_RATE, MOST_HASHES,
};
use super::fixed::efficiency;
use super::two_hash;
use crate::forecast::line::{exact, line, Line};
use crate::forecast::UNLIKELY;
use crate::forecast::{short, whole};
use bloomline_spec::{CellGeometry, CellKind, Hashing};
use bloomline_theory::cells::{Draw, SharedArray};
use bloomline_theory::two_hash::Extension;
use bloomline_theory::{Accuracy, AccuracyKind, Figure, TheoryError};

/// Largest array for which other numbers of hashes are compared: every one is a sum over the items.
const MOST_COMPARED: u64 = 1 << 22;

/// Most hashes whose coincidences under two hash functions are counted for a comparison.
const MOST_COINCIDENCES_OF: u32 = 8;

/// Why the numbers of counters that are updated conservatively are bounds.
const CONSERVATIVE: &str = "an insertion raises a counter to the least of its item's counters and the amount, and no further. So after the \
    same stream no counter stands higher than it would with every insertion added in full, and none below a true count: the numbers are \
    those of the plain update, upper bounds of this one's (of capacities: lower bounds), those of other numbers of hashes too. How far below \
    it stays depends on the order of the stream, for which there is no law; `verify` measures it beside the plain update.";

/// Predicts any kind. What has no law is left out, with a warning that says why.
pub fn predict(geometry: &CellGeometry) -> Result<Kind, TheoryError> {
    let array = array(geometry, geometry.hashes())?;
    let mut numbers = Numbers::default();
    let (floor, columns, values, mut reasons) = match geometry.cell_kind() {
        CellKind::Counting => {
            counting(geometry, array, &mut numbers);
            let (columns, values) = reports(geometry);
            (
                None,
                columns,
                values,
                vec![("hashes", on_counters(geometry, array))],
            )
        }
        CellKind::CountMin => {
            count_min(geometry, array, &mut numbers);
            (
                None,
                Vec::new(),
                Vec::new(),
                vec![("rows", on_counters(geometry, array))],
            )
        }
        CellKind::Static => {
            let floor = fixed(geometry, array, &mut numbers);
            let (columns, values) = rates(geometry);
            let why = on_rate(geometry, array, &values);
            (floor, columns, values, vec![("hashes", why)])
        }
    };
    if geometry.conservative() {
        numbers.bound();
        reasons.push(("update", CONSERVATIVE.to_owned()));
    }
    Ok(Kind {
        lines: numbers.lines,
        floor,
        warnings: numbers.warnings,
        columns,
        values,
        reasons,
    })
}

fn array(geometry: &CellGeometry, hashes: u32) -> Result<SharedArray, TheoryError> {
    let draw = match geometry.hashing() {
        Hashing::Independent if geometry.distinct() => Draw::Distinct,
        Hashing::Independent => Draw::Independent,
        Hashing::Double => Draw::TwoHash(Extension::None),
        Hashing::ExtendedDouble2 => Draw::TwoHash(Extension::Square),
        Hashing::ExtendedDouble3 => Draw::TwoHash(Extension::Cube),
    };
    SharedArray::new(geometry.range(), hashes, draw)
}

/// Numbers that there are, and why others are not.
#[derive(Default)]
struct Numbers {
    lines: Vec<Line>,
    warnings: Vec<String>,
}

impl Numbers {
    /// A number, or the reason why it is missing, said once.
    fn take(&mut self, key: &'static str, unit: &'static str, figure: Result<Figure, TheoryError>) {
        match figure {
            Ok(figure) => self.lines.push(line(key, unit, &figure)),
            Err(error) => {
                let missing = |text: &String| text.ends_with(&format!(": {error}"));
                match self.warnings.iter_mut().find(|text| missing(text)) {
                    Some(text) => {
                        let verb = [" is not predicted: ", " are not predicted: "]
                            .into_iter()
                            .find(|verb| text.contains(verb));
                        if let Some(verb) = verb {
                            let more = format!(", {key} are not predicted: ");
                            *text = text.replacen(verb, &more, 1);
                        }
                    }
                    None => self
                        .warnings
                        .push(format!("{key} is not predicted: {error}")),
                }
            }
        }
    }

    /// Turns the numbers of the plain update into bounds of the conservative one's, those with a stated error at its end. What is known
    /// from the other side only is left out.
    fn bound(&mut self) {
        let mut unknown = Vec::new();
        self.lines.retain_mut(|line| {
            if matches!(line.key, "bits_per_item" | "counters") {
                return true;
            }
            let (accuracy, capacity) = (line.accuracy, line.key.starts_with("capacity"));
            let factor = match (accuracy.kind, capacity) {
                (AccuracyKind::Exact, _)
                | (AccuracyKind::Bound, false)
                | (AccuracyKind::LowerBound, true) => 1.0,
                (AccuracyKind::Approximation, false) => 1.0 + accuracy.relative_error,
                (AccuracyKind::Approximation, true) => 1.0 - accuracy.relative_error,
                (AccuracyKind::LowerBound, false) | (AccuracyKind::Bound, true) => f64::NAN,
            };
            let value = match line.value * factor {
                value if capacity => value.floor(),
                value => value,
            };
            // a probability of 1 says nothing, nor does an error without an end
            let says_something = value.is_finite() && (value < 1.0 || !line.unit.is_empty());
            if !says_something || value < 0.0 {
                unknown.push(line.key);
                return false;
            }
            line.value = value;
            line.ln = line.ln.map(|ln| ln + factor.ln());
            let (side, accuracy) = match capacity {
                true => ("lower", Accuracy::lower_bound()),
                false => ("upper", Accuracy::bound()),
            };
            line.accuracy = accuracy;
            line.formula = format!("{side} bound, from the plain update: {}", line.formula);
            true
        });
        if !unknown.is_empty() {
            let keys = unknown.join(", ");
            let why = "the law of the plain update bounds nothing here";
            self.warnings.push(format!("no law of {keys}: {why}"));
        }
    }

    fn bits_per_item(&mut self, geometry: &CellGeometry) {
        self.lines.push(exact(
            "bits_per_item",
            geometry.memory_bits() as f64 / geometry.items() as f64,
            "bits",
            "memory_bits / items",
        ));
    }
}

/// A static filter. Gives what two hash functions add, and to what.
fn fixed(
    geometry: &CellGeometry,
    array: SharedArray,
    numbers: &mut Numbers,
) -> Option<(Figure, Figure)> {
    let items = geometry.items();
    let (rate, excess) = (array.rate(items), array.two_hash_excess(items));
    let floor = rate.as_ref().ok().zip(excess.as_ref().ok());
    let floor = floor.map(|(rate, excess)| (excess.clone(), rate.clone()));
    numbers.take("fpr", "", rate);
    numbers.take("two_hash_excess", "", excess);
    numbers.take("fpr_deviation", "", array.rate_deviation(items));
    numbers.take("fpr_1pct", "", array.rate_exceeded_by(items, UNLIKELY));
    let observed = array.observed_exceeded_by(items, items, UNLIKELY);
    numbers.take("fpr_observed_1pct", "", observed);
    numbers.take("fill", "", Ok(array.fill(items)));
    numbers.take("capacity_items", "items", array.most_items(CAPACITY_RATE));
    numbers.bits_per_item(geometry);
    if let Some((_, rate)) = &floor {
        numbers.lines.extend(efficiency(geometry, rate));
        numbers.lines.extend(two_hash::lines(geometry, rate));
    }
    floor
}

/// What a report is asked of, where the verdict of an arrival may be lower.
const OF_A_QUERY: &str = "; of a query that follows: the verdict of the key's last arrival itself takes the count of a position that two of \
                          its probes meet after the first of them, so it may be lower";

fn counting(geometry: &CellGeometry, array: SharedArray, numbers: &mut Numbers) {
    let (items, threshold) = (geometry.items(), u64::from(geometry.threshold()));
    let max = geometry.cell_max().into();
    let reported = |count| {
        let mut figure = array.reported(items, threshold, count)?;
        if count > 0 && array.draw() != Draw::Distinct && !geometry.conservative() {
            figure.formula += OF_A_QUERY;
        }
        Ok(figure)
    };
    numbers.take("false_report_absent", "", reported(0));
    if threshold > 1 {
        numbers.take("false_report_new", "", reported(1));
    }
    numbers.take("false_report_one_short", "", reported(threshold - 1));
    let exceeded = array.reported_exceeded_by(items, threshold, threshold - 1, UNLIKELY);
    numbers.take("false_report_one_short_1pct", "", exceeded);
    numbers.take(
        "counter_reaches_threshold",
        "",
        array.counter_reaches(items, threshold),
    );
    numbers.take("counter_saturated", "", array.counter_reaches(items, max));
    let capacity = |count| array.most_insertions(threshold, count, CAPACITY_RATE);
    numbers.take("capacity_items", "insertions", capacity(threshold - 1));
    numbers.take("capacity_items_absent", "insertions", capacity(0));
    numbers.bits_per_item(geometry);
}

fn count_min(geometry: &CellGeometry, array: SharedArray, numbers: &mut Numbers) {
    let (total, threshold) = (geometry.items(), f64::from(geometry.threshold()));
    let share = array.error_bound(CAPACITY_RATE).map(at_most_all);
    let error = share.clone().map(|figure| Figure {
        value: figure.value * total as f64,
        formula: format!("N times: {}", figure.formula),
        accuracy: figure.accuracy,
        ln: None,
    });
    numbers.take("counter_error", "amount", Ok(array.counter_error(total)));
    numbers.take("error_1pct", "amount", error);
    numbers.take("epsilon_1pct", "", share);
    numbers.take(
        "false_report",
        "",
        array.failure_bound(threshold / total as f64),
    );
    let max = u64::from(geometry.cell_max());
    if u128::from(total) * u128::from(geometry.hashes()) >= u128::from(max) {
        numbers.warnings.push(format!(
            "counters of {} bits hold {max}, and filter.items = {total} may pass that: a counter that reaches it stays there",
            geometry.cell_bits()
        ));
    }
    numbers.lines.push(exact(
        "counters",
        geometry.range() as f64,
        "counters",
        "positions of the one array",
    ));
}

type Compared = (Vec<&'static str>, Values);

/// One number for every k from 1 to 16 and the own one; nothing unless there is one for each of them that a law covers.
fn compared(
    geometry: &CellGeometry,
    columns: Vec<&'static str>,
    of: impl Fn(SharedArray) -> Option<Vec<Number>>,
) -> Compared {
    if geometry.range() > MOST_COMPARED {
        return (Vec::new(), Vec::new());
    }
    let own = Some(geometry.hashes()).filter(|k| *k > MOST_HASHES);
    // conservative update needs a second hash
    let least = 1 + u32::from(geometry.conservative());
    let values: Vec<_> = (least..=MOST_HASHES)
        .chain(own)
        .filter_map(|hashes| {
            let division = Division {
                hashes,
                bank_cells: geometry.range(),
                buildable: true,
            };
            let array = array(geometry, hashes).ok()?;
            let two_hash = matches!(array.draw(), Draw::TwoHash(_));
            if two_hash && hashes > MOST_COINCIDENCES_OF && hashes != geometry.hashes() {
                return None;
            }
            Some((division, of(array)?))
        })
        .collect();
    (columns, values)
}

fn rates(geometry: &CellGeometry) -> Compared {
    compared(geometry, vec!["rate"], |array| {
        Some(vec![(&array.rate(geometry.items()).ok()?).into()])
    })
}

fn reports(geometry: &CellGeometry) -> Compared {
    let threshold = u64::from(geometry.threshold());
    compared(geometry, vec!["never came", "one short"], |array| {
        if array.hashes() != geometry.hashes() && !array.counts_quickly(geometry.items()) {
            return None;
        }
        let reported = |count| array.reported(geometry.items(), threshold, count).ok();
        Some(vec![
            (&reported(0)?).into(),
            (&reported(threshold - 1)?).into(),
        ])
    })
}

fn on_rate(
    geometry: &CellGeometry,
    array: SharedArray,
    values: &[(Division, Vec<Number>)],
) -> String {
    let k = geometry.hashes();
    let mut why = format!(
        "one array of {} bits takes {k} probes of an item, one a clock.",
        whole(array.range() as f64)
    );
    if let Some((_, own)) = values.iter().find(|(division, _)| division.hashes == k) {
        why += &format!(" k = {k} gives a rate of {}", own[0].text(short));
        let others = neighbours(values, 0, k, short);
        if !others.is_empty() {
            why += &format!("; it would be {others}");
        }
        why.push('.');
    }
    if let Some((least_k, least)) = best(values, 0, true) {
        why += &format!(
            " The least of those compared is {} with k = {least_k}.",
            least.text(short)
        );
    }
    why
}

fn on_counters(geometry: &CellGeometry, array: SharedArray) -> String {
    if geometry.conservative() {
        return format!(
            "one array of {} counters takes {k} probes of an item that look, one a clock, and of an insertion {k} more that raise; a \
             counter that an item probes twice is raised once.",
            whole(array.range() as f64),
            k = array.hashes()
        );
    }
    format!(
        "one array of {} counters takes {} probes of an item, one a clock; a counter that an item probes twice is added to twice.",
        whole(array.range() as f64),
        array.hashes()
    )
}
