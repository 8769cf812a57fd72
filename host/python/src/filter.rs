//! The reference model of a filter, without a card.

use crate::error::{raise, ArgumentError, NotThereError};
use crate::keys::{self, Keys};
use crate::spec;
use crate::verdict::{Verdict, Verdicts};
use bloomline_driver::{Design, DriverError, FlatVerdict};
use bloomline_model::{functional_model, FilterModel};
use bloomline_spec::{CellOperation, FilterKind, Key};
use pyo3::prelude::*;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Items between two looks at Python's signals.
const ITEMS_A_TURN: usize = 1 << 16;

/// A filter in software: the reference model that the gateware is compared with, item by item, without a card.
///
/// spec is the path of a specification, its text, or the manifest.json that `bloomline emit` wrote. The filter begins empty. Every
/// call may come from any thread; they take turns.
#[pyclass(frozen, module = "bloomline")]
pub struct Filter {
    design: Design,
    model: Mutex<Box<dyn FilterModel>>,
}

impl Filter {
    /// Offers one key or many; what Python is given for it.
    fn offer(
        &self,
        py: Python<'_>,
        operation: CellOperation,
        (keys, amounts): (&Bound<'_, PyAny>, Option<&Bound<'_, PyAny>>),
    ) -> PyResult<Py<PyAny>> {
        let kind = self.design.kind();
        let removes = self.design.cells().is_some_and(|cells| cells.removes());
        if operation == CellOperation::Remove && !removes {
            return Err(NotThereError::new_err(format!(
                "this {} filter has no operation to remove; counting filters have, but neither over a window nor with conservative update",
                kind.word()
            )));
        }
        if amounts.is_some() && kind != FilterKind::CountMin {
            return Err(ArgumentError::new_err(format!(
                "amounts: a {} filter has none; a Count-Min sketch has",
                kind.word()
            )));
        }
        let keys = keys::read(keys, self.design.common().key_bits())?;
        let given = amounts.is_some();
        let amounts = keys::amounts(amounts, keys.as_slice().len())?;
        // As a device refuses it; the model has the bits of the gateware and would take the lowest ones.
        let amount_bits = self.design.cells().map_or(0, |cells| cells.amount_bits());
        let most = u32::MAX.checked_shr(32 - amount_bits).unwrap_or(1);
        if let Some(&got) = amounts.iter().find(|&&amount| given && amount > most) {
            let doing = "item";
            return Err(raise(DriverError::Amount { doing, most, got }));
        }
        let mut verdicts = Vec::with_capacity(keys.as_slice().len());
        let turns = keys.as_slice().chunks(ITEMS_A_TURN);
        for (keys, amounts) in turns.zip(amounts.chunks(ITEMS_A_TURN)) {
            py.detach(|| self.turn(operation, keys, amounts, &mut verdicts))?;
            py.check_signals()?;
        }
        if !operation.has_verdict() {
            return Ok(py.None());
        }
        Ok(match keys {
            Keys::One(_) => Verdict(verdicts[0]).into_pyobject(py)?.into_any().unbind(),
            Keys::Many(_) => Verdicts(verdicts).into_pyobject(py)?.into_any().unbind(),
        })
    }

    fn turn(
        &self,
        operation: CellOperation,
        keys: &[Key],
        amounts: &[u32],
        verdicts: &mut Vec<FlatVerdict>,
    ) -> PyResult<()> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, amount) in keys.iter().zip(amounts) {
            let bits = model.item(key, operation, *amount);
            let verdict = bloomline_driver::Verdict::from_bits(&self.design, bits);
            let verdict = verdict.ok_or_else(|| {
                NotThereError::new_err(format!("verdict {bits:#x}: no filter gives that"))
            })?;
            verdicts.push(verdict.into());
        }
        Ok(())
    }
}

#[pymethods]
impl Filter {
    #[new]
    fn new(py: Python<'_>, spec: &Bound<'_, PyAny>) -> PyResult<Filter> {
        let manifest = spec::path(spec).ok().filter(|path| is_manifest(path));
        let design = match manifest {
            Some(file) => py.detach(|| Design::load(&file)).map_err(raise)?,
            None => spec::read(py, spec)?.design().clone(),
        };
        Ok(Filter {
            model: Mutex::new(functional_model(&design)),
            design,
        })
    }

    /// Name of the filter.
    #[getter]
    fn name(&self) -> &str {
        self.design.common().name()
    }

    /// Kind of the filter: "recycling", "static", "counting", "count-min" or "sliding".
    #[getter]
    fn kind(&self) -> &'static str {
        self.design.kind().word()
    }

    /// Bits of a key.
    #[getter]
    fn key_bits(&self) -> u32 {
        self.design.common().key_bits()
    }

    /// Threshold: of a half that is recycled, or of a count that is reported; None for kinds without one.
    #[getter]
    fn threshold(&self) -> Option<u64> {
        self.design.thresholds()?;
        self.design.threshold()
    }

    /// Looks up a key (an integer, or bytes with the lowest first) or many (an array of uint64, or of uint8 of shape (n, bytes)):
    /// a Verdict, or Verdicts. Changes nothing.
    fn query(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::Query, (keys, None))
    }

    /// Inserts a key, or many. amounts is what each adds in a Count-Min sketch: one integer, or an array of uint32.
    #[pyo3(signature = (keys, amounts = None))]
    fn insert(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        amounts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let operation = CellOperation::Insert;
        self.offer(py, operation, (keys, amounts)).map(drop)
    }

    /// Looks up and inserts a key, or many, one after the other: a Verdict, or Verdicts, of before; counts include the item.
    #[pyo3(signature = (keys, amounts = None))]
    fn test_and_insert(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        amounts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::TestAndInsert, (keys, amounts))
    }

    /// Takes a key, or many, out of a counting filter once: a Verdict, or Verdicts.
    fn remove(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.offer(py, CellOperation::Remove, (keys, None))
    }

    /// Empties the filter.
    fn clear(&self) {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        model.clear();
    }

    fn __repr__(&self) -> String {
        format!("Filter({}, {})", self.name(), self.kind())
    }
}

fn is_manifest(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "json")
}
