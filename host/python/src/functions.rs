//! Python functions that need no card: plan, size, verify.

use crate::error::{argument, arguments, ArgumentError, BloomlineError, FileError};
use crate::keys;
use crate::spec::{self, as_python, raise};
use bloomline_spec::WindowTable;
use bloomline_toolkit::forecast::AreaFit;
use bloomline_toolkit::sizing::{
    Amounts, CountMin, Counting, Form, Recycling, Sliding, Static, Wants,
};
use bloomline_verify::{Keys, Simulator, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyDictMethods};
use std::cell::Cell;
use std::io::Write;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, Instant};

arguments! {
    key_bits: u32, "a whole number of bits from 1 to 512";
    items: Option<u64>, "a whole number from 1 to 2^64 - 1";
    seed: u64, "a whole number from 0 to 2^64 - 1";
}

/// Predicts a filter: the numbers of `bloomline plan --json` as a dictionary, from the path of a specification or its text. With compare
/// other structures that forget by age too, under comparison; with area lookup tables, flip-flops and block RAMs, under area.
#[pyfunction]
#[pyo3(signature = (spec, *, compare = false, area = false))]
pub fn plan<'py>(
    py: Python<'py>,
    spec: &Bound<'py, PyAny>,
    compare: bool,
    area: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let filter = spec::read(py, spec)?;
    let plan = py.detach(|| {
        let mut plan = filter.plan().map_err(raise)?;
        if area {
            let fit = AreaFit::built_in().map_err(raise)?;
            plan.add_area(&fit, &filter.area().map_err(raise)?, None);
        }
        if compare {
            plan.add(&filter.compare().map_err(raise)?);
        }
        PyResult::Ok(plan)
    });
    as_python(py, &plan?)
}

/// Emits the gateware of a filter as the folder out, whole or not at all: Verilog, manifest, register maps, templates, testbenches. A
/// folder that is there must be empty, or with force hold an earlier emission. Gives what `bloomline emit --json` prints.
#[pyfunction]
#[pyo3(signature = (spec, out, *, force = false))]
pub fn emit<'py>(
    py: Python<'py>,
    spec: &Bound<'py, PyAny>,
    out: PathBuf,
    force: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let filter = spec::read(py, spec)?;
    let emitted = py.detach(|| filter.emit_to(&out, force).map_err(Box::new));
    as_python(py, &emitted.map_err(|error| raise(*error))?)
}

/// Sizes a filter that can be built, the smallest that meets what is wanted of it: its numbers, with the paper's beside them, and
/// its specification. wants, of which None counts as not given, are those of `bloomline size KIND`: recycling: memory, rate, messages, hashes, phases, threshold, and True
/// for on_messages, independent, forget_tripping, powers_of_two; static: bits, items, rate, hashes, and True for distinct; counting:
/// insertions or window, threshold, counters, rate, hashes, true_count; count-min: error, failure, copies, total, counter_bits,
/// amount_bits; sliding: window, slack (no limit without it), rate, generations, table ("buckets" or "cuckoo").
#[pyfunction]
#[pyo3(signature = (kind, *, name = "sized", key_bits = 64, **wants))]
pub fn size<'py>(
    py: Python<'py>,
    kind: &str,
    name: &str,
    #[pyo3(from_py_with = key_bits)] key_bits: u32,
    wants: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut wanted = Wanted {
        kind,
        given: match wants {
            Some(wants) => wants.copy()?,
            None => PyDict::new(py),
        },
        known: Vec::new(),
    };
    let wants = wanted.of_kind()?;
    wanted.nothing_is_left()?;
    let form = Form {
        name: name.to_owned(),
        key: format!("bits = {key_bits}"),
        ..Form::default()
    };
    let built = py.detach(|| wants.built(&form));
    let built = built.map_err(|error| ArgumentError::new_err(in_python(&error.to_string())))?;
    as_python(py, &built)
}

/// The text of an error that names options of the command, which are keyword arguments here; commands in backquotes stay.
fn in_python(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts: Vec<String> = parts
        .map(|(place, part)| match place % 2 {
            0 => part.replace("--", ""),
            _ => part.to_owned(),
        })
        .collect();
    parts.join("`")
}

/// Wants of one kind, taken one by one from what was given.
struct Wanted<'a, 'py> {
    kind: &'a str,
    given: Bound<'py, PyDict>,
    known: Vec<&'static str>,
}

impl<'py> Wanted<'_, 'py> {
    /// What was given under a name; `None` stands for nothing.
    fn value(&mut self, key: &'static str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.known.push(key);
        let Some(value) = self.given.get_item(key)? else {
            return Ok(None);
        };
        self.given.del_item(key)?;
        Ok((!value.is_none()).then_some(value))
    }

    fn take<T>(&mut self, key: &'static str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py>,
    {
        let Some(value) = self.value(key)? else {
            return Ok(None);
        };
        let give = "a number (a whole one where things are counted, from 0 on)";
        argument(key, &value, give).map(Some)
    }

    fn need<T>(&mut self, key: &'static str) -> PyResult<T>
    where
        T: for<'b> FromPyObject<'b, 'py>,
    {
        let kind = self.kind;
        self.take(key)?.ok_or_else(|| {
            ArgumentError::new_err(format!("size({kind:?}): {key} is missing; give {key}="))
        })
    }

    /// A want that is asked for or not.
    fn flag(&mut self, key: &'static str) -> PyResult<bool> {
        let Some(value) = self.value(key)? else {
            return Ok(false);
        };
        argument(key, &value, "True or False")
    }

    /// `table` of a sliding window, by its word in a specification.
    fn table(&mut self) -> PyResult<WindowTable> {
        let Some(value) = self.value("table")? else {
            return Ok(WindowTable::default());
        };
        let word: Option<String> = value.extract().ok();
        let mut tables = WindowTable::ALL.iter().copied();
        tables
            .find(|table| word.as_deref() == Some(table.word()))
            .ok_or_else(|| {
                let words = WindowTable::words().join(" or ");
                ArgumentError::new_err(format!("table = {value}: give {words}"))
            })
    }

    fn of_kind(&mut self) -> PyResult<Wants> {
        Ok(match self.kind {
            "recycling" => Wants::Recycling(Recycling {
                memory: self.take("memory")?,
                rate: self.take("rate")?,
                messages: self.take("messages")?,
                hashes: self.take("hashes")?,
                phases: self.take("phases")?,
                threshold: self.take("threshold")?,
                on_messages: self.flag("on_messages")?,
                independent: self.flag("independent")?,
                forget_tripping: self.flag("forget_tripping")?,
                powers_of_two: self.flag("powers_of_two")?,
                false_negatives: None,
            }),
            "static" => Wants::Static(Static {
                bits: self.take("bits")?,
                items: self.take("items")?,
                rate: self.take("rate")?,
                hashes: self.take("hashes")?,
                distinct: self.flag("distinct")?,
            }),
            "counting" => {
                let (window, insertions) = (self.take("window")?, self.take("insertions")?);
                let ((Some(count), None) | (None, Some(count))) = (window, insertions) else {
                    return Err(ArgumentError::new_err(
                        "size(\"counting\"): give insertions=, or window= in its place",
                    ));
                };
                Wants::Counting(Counting {
                    window: window.is_some(),
                    insertions: count,
                    threshold: self.need("threshold")?,
                    counters: self.take("counters")?,
                    rate: self.take("rate")?,
                    hashes: self.take("hashes")?,
                    true_count: self.take("true_count")?.unwrap_or(0),
                })
            }
            "count-min" => {
                let wants = CountMin {
                    error: self.need("error")?,
                    failure: self.need("failure")?,
                    copies: self.take("copies")?,
                };
                let usual = Amounts::default();
                let amounts = Amounts {
                    total: self.take("total")?.unwrap_or(usual.total),
                    counter_bits: self.take("counter_bits")?.unwrap_or(usual.counter_bits),
                    amount_bits: self.take("amount_bits")?,
                };
                Wants::CountMin(wants, amounts)
            }
            "sliding" => Wants::Sliding(Sliding {
                window: self.need("window")?,
                slack: self.take("slack")?,
                rate: self.need("rate")?,
                generations: self.take("generations")?,
                table: self.table()?,
            }),
            other => {
                return Err(ArgumentError::new_err(format!(
                    "kind = {other:?}: give one of recycling, static, counting, count-min, sliding"
                )))
            }
        })
    }

    fn nothing_is_left(&self) -> PyResult<()> {
        match self.given.keys().iter().next() {
            None => Ok(()),
            Some(key) => Err(ArgumentError::new_err(format!(
                "size({:?}): {key} is no want of that kind; it takes {}",
                self.kind,
                self.known.join(", ")
            ))),
        }
    }
}

/// Simulates a filter's gateware in the built-in simulator, clock for clock against the reference model, and compares its rates with
/// theory: the result of `bloomline verify --json` as a dictionary. keys is None for random new keys, an array as query takes it,
/// "FILE:COLUMN" of a table, or the path of a capture; items is the most that are taken. With report, a folder, the page is written
/// there. Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (spec, keys = None, *, items = None, seed = 1, report = None))]
pub fn verify<'py>(
    py: Python<'py>,
    spec: &Bound<'py, PyAny>,
    keys: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = items)] items: Option<u64>,
    #[pyo3(from_py_with = seed)] seed: u64,
    report: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    const DRAWN_ITEMS: u64 = 1_000_000;
    let filter = spec::read(py, spec)?;
    let folder = tempfile::tempdir().map_err(|error| {
        BloomlineError::new_err(format!("no temporary folder can be made: {error}"))
    })?;
    let (keys, all) = match keys {
        None => (Keys::RandomNew, DRAWN_ITEMS),
        Some(keys) => {
            let bits = filter.design().common().key_bits();
            (
                source(keys, bits, folder.path().join("keys.csv"))?,
                u64::MAX,
            )
        }
    };
    let items = items.unwrap_or(all);
    if items == 0 {
        return Err(ArgumentError::new_err("items = 0: give 1 or more"));
    }
    if let Some(folder) = &report {
        // Before the time is spent.
        let writable = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        writable.map_err(|error| {
            FileError::new_err(format!(
                "report = {}: cannot be written: {error}; name a folder that can",
                folder.display()
            ))
        })?;
    }
    let result = py.detach(|| {
        let result = interruptible(|watch| {
            let verified = filter.verify(keys, items, seed, Simulator::BuiltIn, watch);
            verified.map_err(raise)
        })?;
        if let Some(folder) = &report {
            filter.write_report(&result, folder, seed).map_err(raise)?;
        }
        PyResult::Ok(result)
    });
    as_python(py, &result?)
}

/// Time between two looks at Python's signals.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Runs a verification, which an exception of a signal handler ends, as Ctrl-C does.
fn interruptible<R>(run: impl FnOnce(&Watch<'_>) -> PyResult<R>) -> PyResult<R> {
    let looked = Cell::new(Instant::now());
    let items = |_, _| {
        if looked.get().elapsed() >= LOOK_EVERY {
            looked.set(Instant::now());
            if let Err(raised) = Python::attach(|py| py.check_signals()) {
                // A run has no way to be told to end, and leaves nothing that is used again.
                resume_unwind(Box::new(raised));
            }
        }
    };
    let watch = Watch {
        items: &items,
        ..Watch::silent()
    };
    catch_unwind(AssertUnwindSafe(|| run(&watch))).unwrap_or_else(|payload| {
        let raised = payload.downcast::<PyErr>();
        Err(*raised.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Hexadecimal digits of the widest key that is read from a table.
const MOST_DIGITS: usize = 128 / 4;

/// Where keys of `bits` bits come from: an array, which goes through a file; a table's column; a capture.
fn source(keys: &Bound<'_, PyAny>, bits: u32, file: PathBuf) -> PyResult<Keys> {
    if let Ok(text) = keys.extract::<String>() {
        return Ok(match text.rsplit_once(':') {
            Some((file, column)) => Keys::Column {
                file: file.into(),
                column: column.to_owned(),
            },
            None => Keys::Capture(text.into()),
        });
    }
    if let Ok(capture) = keys.extract() {
        return Ok(Keys::Capture(capture));
    }
    // Checked here, since the temporary file below means nothing to the caller.
    let keys = match keys::many(keys, bits)? {
        Some(keys) if !keys.is_empty() => keys,
        Some(_) => {
            return Err(ArgumentError::new_err(
                "keys: the array is empty; give at least one key, or leave keys out for random ones",
            ))
        }
        None => {
            return Err(ArgumentError::new_err(
                "keys: give an array of uint64 (keys.astype(numpy.uint64)) or of uint8, \"FILE:COLUMN\", or the path of a capture",
            ))
        }
    };
    let mut text = b"key\n".to_vec();
    for key in keys {
        let key = key.to_string();
        if key.len() > "0x".len() + MOST_DIGITS {
            return Err(ArgumentError::new_err(format!(
                "keys: {key} has more than 128 bits, the most that a key from a table has"
            )));
        }
        writeln!(text, "{key}")?;
    }
    std::fs::write(&file, text)?;
    Ok(Keys::Column {
        file,
        column: "key".to_owned(),
    })
}
