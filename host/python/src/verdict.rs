use bloomline_driver::FlatVerdict;
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

const NAMES: [(&str, u32); 8] = [
    ("positive", FlatVerdict::POSITIVE),
    ("seen", FlatVerdict::SEEN),
    ("in_active", FlatVerdict::IN_ACTIVE),
    ("in_frozen", FlatVerdict::IN_FROZEN),
    ("tripped", FlatVerdict::TRIPPED),
    ("underflow", FlatVerdict::UNDERFLOW),
    ("saturated", FlatVerdict::SATURATED),
    ("lost", FlatVerdict::LOST),
];

/// What a filter says of a key; true where it is positive.
#[pyclass(frozen, eq, skip_from_py_object, module = "bloomline")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict(pub FlatVerdict);

impl Verdict {
    fn has(&self, flag: u32) -> bool {
        self.0.flags & flag != 0
    }
}

#[pymethods]
impl Verdict {
    /// The key was seen; in filters that count, its count reaches the threshold.
    #[getter]
    fn positive(&self) -> bool {
        self.has(FlatVerdict::POSITIVE)
    }

    /// The key was there before the item.
    #[getter]
    fn seen(&self) -> bool {
        self.has(FlatVerdict::SEEN)
    }

    /// Recycling filters: in the active half.
    #[getter]
    fn in_active(&self) -> bool {
        self.has(FlatVerdict::IN_ACTIVE)
    }

    /// Recycling filters: in the frozen half.
    #[getter]
    fn in_frozen(&self) -> bool {
        self.has(FlatVerdict::IN_FROZEN)
    }

    /// Recycling filters: the item tripped a recycle.
    #[getter]
    fn tripped(&self) -> bool {
        self.has(FlatVerdict::TRIPPED)
    }

    /// Counting filters: the item removed what was not there.
    #[getter]
    fn underflow(&self) -> bool {
        self.has(FlatVerdict::UNDERFLOW)
    }

    /// Filters that count: a counter of the key stands at its greatest value.
    #[getter]
    fn saturated(&self) -> bool {
        self.has(FlatVerdict::SATURATED)
    }

    /// Sliding-window filters: there was no room for the key.
    #[getter]
    fn lost(&self) -> bool {
        self.has(FlatVerdict::LOST)
    }

    /// How often the key was inserted, in filters that count; else 0.
    #[getter]
    fn estimate(&self) -> u32 {
        self.0.estimate
    }

    fn __bool__(&self) -> bool {
        self.positive()
    }

    fn __repr__(&self) -> String {
        let set = NAMES.iter().filter(|(_, flag)| self.has(*flag));
        let mut parts: Vec<String> = set.map(|(name, _)| format!("{name}=True")).collect();
        if self.0.estimate > 0 {
            parts.push(format!("estimate={}", self.0.estimate));
        }
        format!("Verdict({})", parts.join(", "))
    }
}

/// What a filter says of many keys: arrays with one element a key, in the order of the keys.
#[pyclass(frozen, module = "bloomline")]
pub struct Verdicts(pub Vec<FlatVerdict>);

impl Verdicts {
    fn array<'py>(&self, py: Python<'py>, flag: u32) -> Bound<'py, PyArray1<bool>> {
        let set: Vec<bool> = self.0.iter().map(|one| one.flags & flag != 0).collect();
        set.to_pyarray(py)
    }
}

#[pymethods]
impl Verdicts {
    /// The key was seen; in filters that count, its count reaches the threshold.
    #[getter]
    fn positive<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::POSITIVE)
    }

    /// The key was there before the item.
    #[getter]
    fn seen<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::SEEN)
    }

    /// Recycling filters: in the active half.
    #[getter]
    fn in_active<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::IN_ACTIVE)
    }

    /// Recycling filters: in the frozen half.
    #[getter]
    fn in_frozen<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::IN_FROZEN)
    }

    /// Recycling filters: the item tripped a recycle.
    #[getter]
    fn tripped<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::TRIPPED)
    }

    /// Counting filters: the item removed what was not there.
    #[getter]
    fn underflow<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::UNDERFLOW)
    }

    /// Filters that count: a counter of the key stands at its greatest value.
    #[getter]
    fn saturated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::SATURATED)
    }

    /// Sliding-window filters: there was no room for the key.
    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.array(py, FlatVerdict::LOST)
    }

    /// How often the key was inserted, in filters that count; else 0.
    #[getter]
    fn estimate<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let estimates: Vec<u32> = self.0.iter().map(|one| one.estimate).collect();
        estimates.to_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Verdict> {
        let place = match index < 0 {
            true => index.checked_add_unsigned(self.0.len()),
            false => Some(index),
        };
        let place = place.and_then(|place| usize::try_from(place).ok());
        place
            .and_then(|place| self.0.get(place).copied().map(Verdict))
            .ok_or_else(|| PyIndexError::new_err(format!("verdict {index} of {}", self.0.len())))
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let builtins = this.py().import("builtins")?;
        let places = builtins.call_method1("range", (this.get().0.len(),))?;
        builtins.call_method1("map", (this.getattr("__getitem__")?, places))
    }

    fn __repr__(&self) -> String {
        format!("Verdicts({})", self.0.len())
    }
}
