use crate::error::{arguments, raise, ArgumentError};
use crate::spec::as_python;
use bloomline_driver::snapshot::Part;
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// The array of a filter of any kind but sliding, as it stood. It does not change.
#[pyclass(frozen, eq, module = "bloomline")]
#[derive(PartialEq)]
pub struct Snapshot(pub bloomline_driver::Snapshot);

arguments! {
    confidence: f64, "a number between 0 and 1";
    bank: u32, "a whole number from 0 on";
}

#[pymethods]
impl Snapshot {
    /// Reads a snapshot file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Snapshot> {
        let loaded = py.detach(|| bloomline_driver::Snapshot::load(&path));
        loaded.map(Snapshot).map_err(raise)
    }

    /// Writes a snapshot file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.0.save(&path)).map_err(raise)
    }

    /// What one filter would hold that had met the items of both: bits or-ed, counters added up to their greatest value.
    fn union(&self, other: &Snapshot) -> PyResult<Snapshot> {
        self.0.union(&other.0).map(Snapshot).map_err(raise)
    }

    /// Cell by cell the lesser of the two, for bits those set in both.
    fn intersection(&self, other: &Snapshot) -> PyResult<Snapshot> {
        self.0.intersection(&other.0).map(Snapshot).map_err(raise)
    }

    fn __or__(&self, other: &Snapshot) -> PyResult<Snapshot> {
        self.union(other)
    }

    fn __and__(&self, other: &Snapshot) -> PyResult<Snapshot> {
        self.intersection(other)
    }

    /// How many different keys the array holds, with intervals of this confidence, between 0 and 1: parts (one, or one of each half
    /// of a recycling filter, the active one first), either (the keys in either half, each counted once; None where that has no
    /// meaning) and fresh_key_seen, the probability that a key which was never inserted is found.
    #[pyo3(signature = (confidence = 0.95))]
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = confidence)] confidence: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let estimate = py.detach(|| self.0.estimate(confidence)).map_err(raise)?;
        let part = |part: &Part| {
            let dict = PyDict::new(py);
            dict.set_item("half", part.half.map(|half| half.word()))?;
            dict.set_item("keys", part.keys.items)?;
            dict.set_item("low", part.keys.low)?;
            dict.set_item("high", part.keys.high)?;
            dict.set_item("confidence", part.keys.confidence)?;
            dict.set_item("formula", part.keys.formula)?;
            dict.set_item("occupied", &part.occupied)?;
            PyResult::Ok(dict)
        };
        let parts: Vec<_> = estimate.parts.iter().map(part).collect::<PyResult<_>>()?;
        let dict = PyDict::new(py);
        dict.set_item("parts", parts)?;
        dict.set_item("either", estimate.either.as_ref().map(part).transpose()?)?;
        dict.set_item("fresh_key_seen", estimate.fresh_key_seen)?;
        Ok(dict)
    }

    /// How many different keys this array and another of its geometry have in common, with intervals of this confidence, between 0
    /// and 1: common and jaccard (keys in both over keys in either; value, low, high), one, other and either (keys of each array and of
    /// both together), overlap (cells above 0 in both) beside overlap_by_chance and overlap_deviation. None where every cell is above 0
    /// in one array or the other. Under a keyed hash both must have been filled under one secret.
    #[pyo3(signature = (other, confidence = 0.95))]
    fn similarity<'py>(
        &self,
        py: Python<'py>,
        other: &Snapshot,
        #[pyo3(from_py_with = confidence)] confidence: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = py.detach(|| self.0.similarity(&other.0, confidence));
        as_python(py, &found.map_err(raise)?)
    }

    /// The 32-bit words, bank 0 first, the active half before the frozen one: cells side by side, the first in the lowest bits.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.0.words().to_pyarray(py)
    }

    /// The cells of a bank that probes go to, by rising position: bool where a cell is a bit, else uint32. Banks are counted
    /// through both halves.
    fn cells<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = bank)] bank: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.0.shape();
        if bank >= shape.all_banks() {
            return Err(ArgumentError::new_err(format!(
                "bank = {bank}: the array has {}, counted from 0",
                shape.all_banks()
            )));
        }
        let cells: Vec<u32> = self.0.cells(bank).collect();
        Ok(match shape.cell_bits {
            1 => {
                let bits: Vec<bool> = cells.iter().map(|&cell| cell == 1).collect();
                bits.to_pyarray(py).into_any()
            }
            _ => cells.to_pyarray(py).into_any(),
        })
    }

    /// Share of the cells above 0, all banks together.
    #[getter]
    fn fill(&self) -> f64 {
        self.0.fill()
    }

    /// How many cells stand at their greatest value.
    #[getter]
    fn saturated(&self) -> u64 {
        self.0.saturated()
    }

    /// The counter ITEMS before the array was read, and after.
    #[getter]
    fn items(&self) -> (u64, u64) {
        self.0.items().into()
    }

    /// Whether no item came while the array was read; False for a union or intersection, whose items are the sums of both.
    #[getter]
    fn is_of_one_instant(&self) -> bool {
        self.0.is_of_one_instant()
    }

    /// Name of the filter.
    #[getter]
    fn name(&self) -> &str {
        &self.0.shape().name
    }

    /// The cycle of a recycling filter: on, active_half, threshold, messages, recycles; None for other kinds.
    #[getter]
    fn cycle<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(cycle) = self.0.cycle() else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("on", cycle.on.word())?;
        dict.set_item("active_half", cycle.active_half)?;
        dict.set_item("threshold", cycle.threshold)?;
        dict.set_item("messages", cycle.messages)?;
        dict.set_item("recycles", cycle.recycles)?;
        Ok(Some(dict))
    }

    /// Halves of a recycling filter, 1 or 2; panes of a counting filter over a window, 2; else 1.
    #[getter]
    fn halves(&self) -> u32 {
        self.0.shape().halves
    }

    /// Kind of the filter: "recycling", "static", "counting" or "count-min".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.shape().kind.word()
    }

    /// Hash over everything that changes the gateware it came from.
    #[getter]
    fn geometry_hash(&self) -> u64 {
        self.0.shape().geometry_hash
    }

    /// Banks of a half.
    #[getter]
    fn banks(&self) -> u32 {
        self.0.shape().banks
    }

    /// Probes of a key.
    #[getter]
    fn hashes(&self) -> u32 {
        self.0.shape().hashes
    }

    /// Bits of a cell.
    #[getter]
    fn cell_bits(&self) -> u32 {
        self.0.shape().cell_bits
    }

    /// Cells of a bank that probes go to.
    #[getter]
    fn range(&self) -> u64 {
        self.0.shape().range
    }

    fn __repr__(&self) -> String {
        let shape = self.0.shape();
        format!(
            "Snapshot({}, {}, {:.4}% above 0)",
            shape.name,
            shape.kind,
            100.0 * self.0.fill()
        )
    }
}
