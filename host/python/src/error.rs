use bloomline_driver::{Classed, ErrorClass};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

macro_rules! exceptions {
    ($($name:ident $doc:literal;)+) => {
        $(create_exception!(bloomline, $name, BloomlineError, $doc);)+

        /// Adds every exception to the module.
        pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add("BloomlineError", module.py().get_type::<BloomlineError>())?;
            module.add("ArgumentError", ArgumentError::type_of(module.py())?)?;
            $(module.add(stringify!($name), module.py().get_type::<$name>())?;)+
            Ok(())
        }
    };
}

create_exception!(
    bloomline,
    BloomlineError,
    PyException,
    "What this module raises; its text says what failed, where, expected and got, and the next step.

Where a call with many keys fails or Ctrl-C ends it, the exception (KeyboardInterrupt too) has two attributes: done, how many of the
items were done, and verdicts, their Verdicts (None for insert). Other exceptions do not have them."
);

exceptions! {
    DesignError "The manifest or specification is wrong or cannot be read.";
    OpenError "The link cannot be opened, or nothing answers there.";
    TimeoutError "No answer came in time.";
    LinkError "The link failed, or carried what cannot be.";
    UncertainError "Whether a write or an item was carried out cannot be said.";
    RefusedError "The device refuses the access.";
    WrongDeviceError "The device is another than the design.";
    NotThereError "This kind of filter has no such thing.";
    BusyError "The device is not ready, or another host came in between.";
    FileError "A file or folder cannot be read or written, or is not what it should be: a snapshot, a table, a capture, a folder to write.";
}

/// The exception for a value that cannot be. It is a `ValueError` too, which the macro for exceptions of one base cannot say.
pub struct ArgumentError;

impl ArgumentError {
    fn type_of(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
        static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let made = TYPE.get_or_try_init(py, || {
            let bases = (
                py.get_type::<BloomlineError>(),
                py.get_type::<PyValueError>(),
            );
            let names = PyDict::new(py);
            names.set_item("__module__", "bloomline")?;
            let text = "The caller gave a value that cannot be: nothing was sent.";
            names.set_item("__doc__", text)?;
            let made = py
                .get_type::<PyType>()
                .call1(("ArgumentError", bases, names))?;
            PyResult::Ok(made.cast_into::<PyType>()?.unbind())
        });
        made.map(|made| made.bind(py))
    }

    /// With this text.
    pub fn new_err(text: impl Into<String>) -> PyErr {
        Python::attach(|py| match ArgumentError::type_of(py) {
            Ok(made) => PyErr::from_type(made.clone(), text.into()),
            Err(error) => error,
        })
    }
}

/// The value of the argument `name`; one of another type or out of range is an error that says what to `give`.
pub fn argument<'py, T>(name: &str, value: &Bound<'py, PyAny>, give: &str) -> PyResult<T>
where
    T: for<'b> FromPyObject<'b, 'py>,
{
    let extracted = value.extract();
    extracted.map_err(|_| ArgumentError::new_err(format!("{name} = {value}: give {give}")))
}

/// Functions that read arguments of a Python function, each by its name.
macro_rules! arguments {
    ($($name:ident: $type:ty, $give:literal;)+) => {
        $(fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            $crate::error::argument(stringify!($name), value, $give)
        })+
    };
}
pub(crate) use arguments;

/// The exception for an error of the driver.
pub fn raise(error: impl Classed) -> PyErr {
    let text = error.to_string();
    match error.class() {
        ErrorClass::Argument => ArgumentError::new_err(text),
        ErrorClass::Design => DesignError::new_err(text),
        ErrorClass::Open => OpenError::new_err(text),
        ErrorClass::Timeout => TimeoutError::new_err(text),
        ErrorClass::Link => LinkError::new_err(text),
        ErrorClass::Uncertain => UncertainError::new_err(text),
        ErrorClass::Refused => RefusedError::new_err(text),
        ErrorClass::WrongDevice => WrongDeviceError::new_err(text),
        ErrorClass::NotThere => NotThereError::new_err(text),
        ErrorClass::Busy => BusyError::new_err(text),
        ErrorClass::File => FileError::new_err(text),
    }
}
