//! What theory says of a filter of cells.

mod count_min;
mod counting;
mod fixed;
mod shared;

use super::{Line, LINEAR_HASH, PUBLIC_SECRET};
use crate::Error;
use bloomline_spec::{CellGeometry, CellKind, Design, HashFamily, Hashing, Layout};
use bloomline_theory::cells::Partitions;
use bloomline_theory::{sizing, Accuracy, Figure, TheoryError};
use serde::Serialize;
use std::path::Path;

/// The rate, or the probability of an error, at which capacities are given.
pub const CAPACITY_RATE: f64 = 0.01;
/// Most hashes of the alternatives.
const MOST_HASHES: u32 = 16;
/// Share of the rate above which the floor of two hash functions is worth a warning.
const FLOOR_SHARE_TO_NAME: f64 = 0.01;

/// One filter of the same memory with another number of hashes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellAlternative {
    /// Whether this is the specification's own filter.
    pub own: bool,
    /// Hashes, k.
    pub hashes: u32,
    /// Cells of one bank that positions fall on.
    pub bank_cells: u64,
    /// Whether the memory divides into banks of a power of two, as the hardware needs.
    pub buildable: bool,
    /// The numbers, in the order of [`CellForecast::columns`].
    pub values: Vec<f64>,
}

/// Every predicted number of a filter of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct CellForecast {
    lines: Vec<Line>,
    warnings: Vec<String>,
    columns: Vec<&'static str>,
    alternatives: Vec<CellAlternative>,
    reasons: Vec<(&'static str, String)>,
}

/// What the file of one kind gives.
struct Kind {
    lines: Vec<Line>,
    /// What two hash functions add, and to what.
    floor: Option<(Figure, Figure)>,
    warnings: Vec<String>,
    columns: Vec<&'static str>,
    /// The numbers of the same memory with k hashes.
    values: Vec<(Division, Vec<f64>)>,
    reasons: Vec<(&'static str, String)>,
}

/// The same memory with k hashes.
#[derive(Debug, Clone, Copy)]
struct Division {
    hashes: u32,
    bank_cells: u64,
    buildable: bool,
}

impl CellForecast {
    /// Predicts.
    ///
    /// # Errors
    /// Two hash functions that put too high a floor under the rate, unless the specification accepts it; a number of items
    /// beyond what theory covers.
    pub fn of(file: &Path, geometry: &CellGeometry) -> Result<CellForecast, Error> {
        let kind = match (geometry.layout(), geometry.cell_kind()) {
            (Layout::Shared, _) => shared::predict(geometry),
            (_, CellKind::Counting) => counting::predict(geometry),
            (_, CellKind::CountMin) => count_min::predict(geometry),
            (_, CellKind::Static) => fixed::predict(geometry),
        };
        let mut kind = kind.map_err(|source| Error::Items {
            file: file.to_owned(),
            items: geometry.items(),
            source,
        })?;
        if let Some((excess, rate)) = &kind.floor {
            let refused = bloomline_theory::cells::check_two_hash_floor(excess.value, rate.value);
            match refused {
                Err(source) if !geometry.accept_two_hash_floor() => {
                    return Err(Error::TwoHashFloor {
                        file: file.to_owned(),
                        hashing: geometry.hashing(),
                        source,
                    })
                }
                _ if excess.value > FLOOR_SHARE_TO_NAME * rate.value => kind.warnings.push(format!(
                    "two hash functions add {:.3e} to the rate, {:.1}% of it; filter.hashing = \"independent\" has no \
                     such floor",
                    excess.value,
                    100.0 * excess.value / rate.value
                )),
                _ => {}
            }
        }
        kind.lines.extend(speed(geometry));
        if geometry.family() == HashFamily::H3 {
            kind.warnings.push(LINEAR_HASH.to_owned());
        }
        if geometry.hash().secret.is_some() {
            kind.warnings.push(PUBLIC_SECRET.to_owned());
        }
        let alternatives = kind
            .values
            .into_iter()
            .map(|(division, values)| CellAlternative {
                own: division.hashes == geometry.hashes(),
                hashes: division.hashes,
                bank_cells: division.bank_cells,
                buildable: division.buildable,
                values,
            });
        Ok(CellForecast {
            lines: kind.lines,
            warnings: kind.warnings,
            columns: kind.columns,
            alternatives: alternatives.collect(),
            reasons: kind.reasons,
        })
    }

    /// The numbers, in the order to show them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What the user should know before building this.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What the numbers of the alternatives are.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// The same memory with other numbers of hashes.
    pub fn alternatives(&self) -> &[CellAlternative] {
        &self.alternatives
    }

    /// Why the filter is as it is, a sentence or two each.
    pub fn reasons(&self) -> &[(&'static str, String)] {
        &self.reasons
    }
}

/// The partitions of a geometry, for theory.
fn partitions(geometry: &CellGeometry) -> Result<Partitions, TheoryError> {
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
fn divisions(geometry: &CellGeometry) -> impl Iterator<Item = (Division, Partitions)> + '_ {
    let cells = geometry.memory_bits() / u64::from(geometry.cell_bits());
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

pub(super) fn line(key: &'static str, unit: &'static str, figure: &Figure) -> Line {
    Line {
        key,
        value: figure.value,
        unit,
        formula: figure.formula.clone(),
        accuracy: figure.accuracy,
        ln: figure.ln,
    }
}

pub(super) fn exact(key: &'static str, value: f64, unit: &'static str, formula: &str) -> Line {
    line(
        key,
        unit,
        &Figure::new(value, formula, Accuracy::exact(1e-12)),
    )
}

/// Speed, latency, and what a clear takes.
fn speed(geometry: &CellGeometry) -> Vec<Line> {
    let timing = geometry.timing();
    let interval = f64::from(timing.initiation_interval());
    vec![
        exact(
            "items_per_clock",
            1.0 / interval,
            "items",
            match geometry.layout() {
                Layout::Partitioned => "one item a clock, whatever the operation",
                Layout::Shared if geometry.conservative() => {
                    "1/(2 k + 4), of insertions: k probes look, the level is known four clocks later, k probes raise; a query takes k clocks"
                }
                Layout::Shared => "1/k: an item's k probes go through the one array one after the other",
            },
        ),
        exact(
            "items_per_second",
            geometry.clock_hz() as f64 / interval,
            "items/s",
            match geometry.layout() {
                Layout::Partitioned => "one item a clock times target.clock_hz",
                Layout::Shared if geometry.conservative() => {
                    "1/(2 k + 4) insertions a clock times target.clock_hz"
                }
                Layout::Shared => "1/k items a clock times target.clock_hz",
            },
        ),
        exact(
            "latency_clocks",
            f64::from(Design::from(geometry).timing().latency_clocks()),
            "clocks",
            match geometry.layout() {
                Layout::Partitioned => "front_clocks + decision_stage + 3, from acceptance to verdict without back-pressure",
                Layout::Shared => {
                    "front_clocks + (k - 1) + decision_stage + 3, from acceptance to verdict without back-pressure"
                }
            },
        ),
        exact(
            "clear_clocks",
            f64::from(2 * timing.retire_clocks + 2),
            "clocks",
            "2 retire_clocks + 2 without items, when an epoch is to spare",
        ),
    ]
}

/// The best of the alternatives by one of their numbers, the least being the best: k, and the number.
fn best(values: &[(Division, Vec<f64>)], column: usize, buildable: bool) -> Option<(u32, f64)> {
    values
        .iter()
        .filter(|(division, _)| !buildable || division.buildable)
        .map(|(division, values)| (division.hashes, values[column]))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// One number at k - 1, k and k + 1, in words.
fn neighbours(
    values: &[(Division, Vec<f64>)],
    column: usize,
    k: u32,
    text: impl Fn(f64) -> String,
) -> String {
    let at = |hashes: u32| {
        let found = values
            .iter()
            .find(|(division, _)| division.hashes == hashes)?;
        Some(format!("{} with k = {hashes}", text(found.1[column])))
    };
    [k.checked_sub(1).and_then(at), at(k + 1)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" and ")
}
