use bloomline_driver::{Classed, ErrorClass};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

macro_rules! exceptions {
    ($($name:ident $doc:literal;)+) => {
        $(create_exception!(bloomline, $name, BloomlineError, $doc);)+

        /// Adds every exception to the module.
        pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add("BloomlineError", module.py().get_type::<BloomlineError>())?;
            $(module.add(stringify!($name), module.py().get_type::<$name>())?;)+
            Ok(())
        }
    };
}

create_exception!(
    bloomline,
    BloomlineError,
    PyException,
    "What this module raises; its text says what failed, where, expected and got, and the next step."
);

exceptions! {
    ArgumentError "The caller gave a value that cannot be: nothing was sent.";
    DesignError "The manifest or specification is wrong or cannot be read.";
    OpenError "The link cannot be opened, or nothing answers there.";
    TimeoutError "No answer came in time.";
    LinkError "The link failed, or carried what cannot be.";
    UncertainError "Whether a write or an item was carried out cannot be said.";
    RefusedError "The device refuses the access.";
    WrongDeviceError "The device is another than the design.";
    NotThereError "This kind of filter has no such thing.";
    BusyError "The device is not ready, or another host came in between.";
    FileError "A snapshot file cannot be read or written, or is none.";
}

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
