//! Predictions for the same memory divided among another number of hashes.

use crate::forecast::format_number;
use crate::forecast::line::Line;
use bloomline_spec::{CellGeometry, Hashing};
use bloomline_theory::cells::Partitions;
use bloomline_theory::{sizing, AccuracyKind, Figure, TheoryError};

/// The rate, or the probability of an error, at which capacities are given.
pub(super) const CAPACITY_RATE: f64 = 0.01;
/// Most hashes of the alternatives.
pub(super) const MOST_HASHES: u32 = 16;

/// A number of an alternative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub value: f64,
    /// Its natural logarithm where doubles end.
    pub ln: Option<f64>,
    /// The number is at least this.
    pub lower_bound: bool,
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        Number {
            value,
            ln: None,
            lower_bound: false,
        }
    }
}

impl From<&Figure> for Number {
    fn from(figure: &Figure) -> Number {
        Number {
            value: figure.value,
            ln: figure.ln,
            lower_bound: figure.accuracy.kind == AccuracyKind::LowerBound,
        }
    }
}

impl Number {
    /// The number in words, from its logarithm where doubles end.
    pub(super) fn text(self, text: impl Fn(f64) -> String) -> String {
        match self.ln {
            Some(_) => format_number(self.value, self.ln),
            None => text(self.value),
        }
    }

    /// By size, numbers below the range of doubles included.
    fn order(&self, other: &Number) -> std::cmp::Ordering {
        let ln = |number: &Number| number.ln.unwrap_or(number.value.ln());
        match (self.ln, other.ln) {
            (None, None) => self.value.total_cmp(&other.value),
            _ => ln(self).total_cmp(&ln(other)),
        }
    }
}

/// The numbers of the same memory with k hashes, for every k.
pub(super) type Values = Vec<(Division, Vec<Number>)>;

/// What the file of one kind gives.
pub(super) struct Kind {
    pub lines: Vec<Line>,
    /// What two hash functions add, and to what.
    pub floor: Option<(Figure, Figure)>,
    pub warnings: Vec<String>,
    pub columns: Vec<&'static str>,
    /// The numbers of the same memory with k hashes.
    pub values: Values,
    pub reasons: Vec<(&'static str, String)>,
}

/// The same memory with k hashes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    pub hashes: u32,
    pub bank_cells: u64,
    pub buildable: bool,
}

/// The partitions of a geometry, for theory.
pub(super) fn partitions(geometry: &CellGeometry) -> Result<Partitions, TheoryError> {
    Partitions::new(geometry.range(), geometry.hashes(), hashing(geometry))
}

fn hashing(geometry: &CellGeometry) -> sizing::Hashing {
    match geometry.hashing() {
        Hashing::Independent => sizing::Hashing::Independent,
        Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => {
            sizing::Hashing::Double
        }
    }
}

/// The memory of a geometry as k partitions, for every k from 1 to 16 and the own one, which keeps its own range.
pub(super) fn divisions(
    geometry: &CellGeometry,
) -> impl Iterator<Item = (Division, Partitions)> + '_ {
    let cells =
        geometry.memory_bits() / u64::from(geometry.cell_bits()) / u64::from(geometry.panes());
    let own = Some(geometry.hashes()).filter(|k| *k > MOST_HASHES);
    (1..=MOST_HASHES).chain(own).filter_map(move |hashes| {
        let own = hashes == geometry.hashes();
        let division = Division {
            hashes,
            bank_cells: if own {
                geometry.range()
            } else {
                cells / u64::from(hashes)
            },
            buildable: own || (cells / u64::from(hashes)).is_power_of_two(),
        };
        let partitions = Partitions::new(division.bank_cells, hashes, hashing(geometry));
        Some((division, partitions.ok()?))
    })
}

/// The best of the alternatives by one of their numbers, the least being the best: k, and the number.
pub(super) fn best(
    values: &[(Division, Vec<Number>)],
    column: usize,
    buildable: bool,
) -> Option<(u32, Number)> {
    values
        .iter()
        .filter(|(division, _)| !buildable || division.buildable)
        .map(|(division, values)| (division.hashes, values[column]))
        .min_by(|a, b| a.1.order(&b.1))
}

/// One number at k - 1, k and k + 1, in words.
pub(super) fn neighbours(
    values: &[(Division, Vec<Number>)],
    column: usize,
    k: u32,
    text: impl Fn(f64) -> String,
) -> String {
    let at = |hashes: u32| {
        let found = values
            .iter()
            .find(|(division, _)| division.hashes == hashes)?;
        Some(format!("{} with k = {hashes}", found.1[column].text(&text)))
    };
    [k.checked_sub(1).and_then(at), at(k + 1)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" and ")
}
