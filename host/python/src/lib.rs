//! The module `bloomline` for programs in Python: the verbs of `bloomline device` for cards, and without a card the reference model of a filter, its
//! plan, sizes and verification.
//!
//! ```text
//!  device    Device: open, info, configure, items, counters, events, clear
//!  keys      what Python gives as a key, or as many        verdict   what a filter says of one, or of many
//!  filter    Filter: the reference model, without a card
//!  functions plan, size, emit, verify                      spec      a specification, as Python gives it
//!  path      packet paths and Ethernet ports as dictionaries
//!  snapshot  Snapshot: arrays as NumPy arrays and files     error     exceptions, one for each class of errors
//! ```
//!
//! The package is what `python/bloomline` holds, with this library as its `_bloomline`: `maturin build --release` in this
//! folder makes the wheel. Its types and texts for readers and checkers are `python/bloomline/__init__.pyi`; a test compares
//! them with the built module. Every call that waits for a card lets Python's other threads run meanwhile.
//!
//! A simulated card is reached through `bloomline serve`, as from C.

#[cfg(feature = "module")]
mod device;
#[cfg(feature = "module")]
mod error;
#[cfg(feature = "module")]
mod filter;
#[cfg(feature = "module")]
mod functions;
#[cfg(feature = "module")]
mod keys;
#[cfg(feature = "module")]
mod path;
#[cfg(feature = "module")]
mod snapshot;
#[cfg(feature = "module")]
mod spec;
#[cfg(feature = "module")]
mod verdict;

#[cfg(feature = "module")]
use pyo3::prelude::*;

/// Membership filters: sized, predicted, modelled, verified, and as cards.
#[cfg(feature = "module")]
#[pymodule]
fn _bloomline(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<device::Device>()?;
    module.add_class::<device::Event>()?;
    module.add_class::<filter::Filter>()?;
    module.add_class::<snapshot::Snapshot>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add_class::<verdict::Verdicts>()?;
    module.add_function(wrap_pyfunction!(functions::emit, module)?)?;
    module.add_function(wrap_pyfunction!(functions::plan, module)?)?;
    module.add_function(wrap_pyfunction!(functions::size, module)?)?;
    module.add_function(wrap_pyfunction!(functions::verify, module)?)?;
    error::add(module)
}
