//! Forecast of a filter of cells (static, counting, Count-Min).

mod count_min;
mod counting;
mod division;
mod fixed;
mod shared;
mod two_hash;
mod window;

use super::line::{chosen_keys, exact, few_keys, Line, LINEAR_HASH, PUBLIC_SECRET};
use super::{path, queue};
use crate::Error;
use bloomline_spec::{CellGeometry, CellKind, Design, Erase, HashFamily, Layout};
use serde::Serialize;
use std::path::Path;

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
    /// Their natural logarithms where doubles end; left out where they end for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ln: Vec<Option<f64>>,
    /// Which are lower bounds; left out where none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lower_bounds: Vec<bool>,
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

impl CellForecast {
    /// Predicts.
    ///
    /// # Errors
    /// Two hash functions that put too high a floor under the rate, unless the specification accepts it; a number of items
    /// beyond what theory covers.
    pub fn of(file: &Path, geometry: &CellGeometry) -> Result<CellForecast, Error> {
        let kind = match (geometry.layout(), geometry.cell_kind()) {
            (Layout::Shared, _) => shared::predict(geometry),
            (_, CellKind::Counting) => match geometry.window() {
                Some(window) => window::predict(geometry, window),
                None => counting::predict(geometry),
            },
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
        let pipeline = Design::from(geometry).timing();
        kind.lines.extend(queue::lines(&pipeline));
        kind.warnings.extend(queue::warning(&pipeline));
        let (what, keys) = match geometry.window() {
            Some(window) => ("filter.counting.window", window),
            None => ("filter.items", geometry.items()),
        };
        // The items of a sketch are amounts, which few keys can have, too.
        if geometry.cell_kind() != CellKind::CountMin {
            let what = format!("{what} = {keys}");
            kind.warnings.extend(few_keys(geometry, &what, keys as f64));
        }
        let frames = path::warnings(&Design::from(geometry), &kind.lines);
        kind.warnings.extend(frames);
        kind.warnings.splice(0..0, chosen_keys(geometry));
        if geometry.family() == HashFamily::H3 {
            kind.warnings.push(LINEAR_HASH.to_owned());
        }
        if geometry.hash().secret.is_some() {
            kind.warnings.push(PUBLIC_SECRET.to_owned());
        }
        let alternatives = kind
            .values
            .into_iter()
            .map(|(division, numbers)| CellAlternative {
                own: division.hashes == geometry.hashes(),
                hashes: division.hashes,
                bank_cells: division.bank_cells,
                buildable: division.buildable,
                ln: match numbers.iter().any(|number| number.ln.is_some()) {
                    true => numbers.iter().map(|number| number.ln).collect(),
                    false => Vec::new(),
                },
                lower_bounds: match numbers.iter().any(|number| number.lower_bound) {
                    true => numbers.iter().map(|number| number.lower_bound).collect(),
                    false => Vec::new(),
                },
                values: numbers.iter().map(|number| number.value).collect(),
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

/// Speed, latency, and what a clear takes.
fn speed(geometry: &CellGeometry) -> Vec<Line> {
    let timing = geometry.timing();
    let pipeline = Design::from(geometry).timing();
    let queue_rate = pipeline.queue_rate();
    let turn = f64::from(timing.turn_clocks());
    let interval = f64::from(timing.initiation_interval())
        * geometry
            .window()
            .map_or(1.0, |window| 1.0 + turn / window as f64);
    vec![
        exact(
            "items_per_clock",
            queue_rate / interval,
            "items",
            match geometry.layout() {
                Layout::Partitioned if geometry.window().is_some() => {
                    "N/(N + 4): one item a clock, and four clocks behind every N insertions"
                }
                Layout::Partitioned => "one item a clock, whatever the operation",
                Layout::Shared if geometry.conservative() => {
                    "1/(2 k + 4), of insertions: k probes look, the level is known four clocks later, k probes raise; a query takes k clocks"
                }
                Layout::Shared => "1/k: an item's k probes go through the one array one after the other",
            },
        ),
        exact(
            "items_per_second",
            queue_rate * geometry.clock_hz() as f64 / interval,
            "items/s",
            match geometry.layout() {
                Layout::Partitioned if geometry.window().is_some() => {
                    "N/(N + 4) items a clock times target.clock_hz"
                }
                Layout::Partitioned => "one item a clock times target.clock_hz",
                Layout::Shared if geometry.conservative() => {
                    "1/(2 k + 4) insertions a clock times target.clock_hz"
                }
                Layout::Shared => "1/k items a clock times target.clock_hz",
            },
        ),
        queue::latency(
            &pipeline,
            match geometry.layout() {
                Layout::Partitioned => "front_clocks + decision_stage",
                Layout::Shared => "front_clocks + (k - 1) + decision_stage",
            },
        ),
        exact(
            "clear_clocks",
            geometry.clear_clocks() as f64,
            "clocks",
            match geometry.erase() {
                Erase::InPlace => "retire_clocks + rows + 2 without items, rows = bank_cells / row_bits erased one a clock",
                Erase::Epoch | Erase::SpareHalf => "2 retire_clocks + 2 without items, when an epoch is to spare",
            },
        ),
    ]
}
