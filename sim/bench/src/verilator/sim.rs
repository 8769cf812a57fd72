//! A running Verilated model.

use super::library::Library;
use super::{shim, Design, VerilatorError};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// What registers and memories hold before the first clock, where the Verilog text does not say it. Hardware promises
/// nothing, so a design must work with each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initial {
    /// All bits zero.
    #[default]
    Zeros,
    /// All bits one.
    Ones,
    /// Random bits, the same for the same seed.
    Random(u64),
}

/// One instance of a built design.
///
/// Several can live side by side, of one library or of several. An instance may move between threads.
pub struct Sim {
    handle: *mut c_void,
    functions: Functions,
    design: Arc<Design>,
    input_words: usize,
    output_words: usize,
    trace: bool,
    coverage: bool,
    // Dropped last: the functions above live in it.
    _library: libloading::Library,
}

// SAFETY: the handle owns all state of its model; the runtime's thread-local pointers are set anew in every call.
unsafe impl Send for Sim {}

#[derive(Clone, Copy)]
struct Functions {
    step: unsafe extern "C" fn(*mut c_void, *const u64, *mut u64) -> c_int,
    steps: unsafe extern "C" fn(*mut c_void, *const u64, *mut u64, u64, *mut u64) -> c_int,
    cycle: unsafe extern "C" fn(*mut c_void) -> u64,
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    log: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    clear_log: unsafe extern "C" fn(*mut c_void),
    trace_open: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    trace_close: unsafe extern "C" fn(*mut c_void),
    write_coverage: unsafe extern "C" fn(*mut c_void, *const c_char),
    free: unsafe extern "C" fn(*mut c_void),
}

impl Library {
    /// Opens a new instance of the design.
    ///
    /// # Errors
    /// [`VerilatorError::Load`] when the library cannot be opened or was made by another version of this crate,
    /// [`VerilatorError::Stopped`] when the model stops while it is made.
    pub fn open(&self, initial: Initial) -> Result<Sim, VerilatorError> {
        let fail = |why: String| VerilatorError::Load {
            path: self.path.clone(),
            why,
        };
        // SAFETY: the file was made by `Library::build` from generated code; its initialisers only set up Verilator's globals.
        let library = unsafe { libloading::Library::new(&self.path) }
            .map_err(|error| fail(error.to_string()))?;
        // SAFETY (all of them): the types are those of the functions that the shim defines, whose version is checked first.
        macro_rules! symbol {
            ($name:literal) => {
                *unsafe { library.get($name) }.map_err(|error| fail(error.to_string()))?
            };
        }
        let abi: unsafe extern "C" fn() -> u32 = symbol!(b"bloomline_abi\0");
        // SAFETY: takes nothing and returns a constant.
        let found = unsafe { abi() };
        if found != shim::ABI {
            return Err(fail(format!(
                "it has interface version {found}, this program has {}",
                shim::ABI
            )));
        }
        let new: unsafe extern "C" fn(c_int, u64, c_int, *const *const c_char) -> *mut c_void =
            symbol!(b"bloomline_new\0");
        let status: unsafe extern "C" fn(*mut c_void) -> c_int = symbol!(b"bloomline_status\0");
        let functions = Functions {
            step: symbol!(b"bloomline_step\0"),
            steps: symbol!(b"bloomline_steps\0"),
            cycle: symbol!(b"bloomline_cycle\0"),
            error: symbol!(b"bloomline_error\0"),
            log: symbol!(b"bloomline_log\0"),
            clear_log: symbol!(b"bloomline_clear_log\0"),
            trace_open: symbol!(b"bloomline_trace_open\0"),
            trace_close: symbol!(b"bloomline_trace_close\0"),
            write_coverage: symbol!(b"bloomline_write_coverage\0"),
            free: symbol!(b"bloomline_free\0"),
        };
        let (mode, seed) = match initial {
            Initial::Zeros => (0, 0),
            Initial::Ones => (1, 0),
            Initial::Random(seed) => (2, seed),
        };
        let arguments: Vec<*const c_char> = self
            .plus_arguments
            .iter()
            .map(|argument| argument.as_ptr())
            .collect();
        // SAFETY: copies the arguments, which live in `self`; returns a handle that `free` takes back in `drop`; it is never null.
        let handle = unsafe { new(mode, seed, arguments.len() as c_int, arguments.as_ptr()) };
        let sim = Sim {
            handle,
            functions,
            design: Arc::clone(&self.design),
            input_words: self.design.input_words(),
            output_words: self.design.output_words(),
            trace: self.options.trace,
            coverage: self.options.coverage,
            _library: library,
        };
        // SAFETY: the handle is live.
        match unsafe { status(sim.handle) } {
            0 => Ok(sim),
            status => Err(sim.ended(status)),
        }
    }
}

impl Sim {
    /// The design it runs.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Words of the input buffer of one clock.
    pub fn input_words(&self) -> usize {
        self.input_words
    }

    /// Words of the output buffer of one clock.
    pub fn output_words(&self) -> usize {
        self.output_words
    }

    /// Clocks run so far.
    pub fn cycle(&self) -> u64 {
        // SAFETY: the handle is live.
        unsafe { (self.functions.cycle)(self.handle) }
    }

    /// Runs one clock: drives `inputs`, settles with the clock low, reads `outputs` (so those that depend on inputs of this
    /// clock are settled, and registers show their value before the edge), then raises the clock. Buffers as in
    /// [`Design`]. Without a clock it only drives, settles and reads.
    ///
    /// # Errors
    /// [`VerilatorError::Buffer`] for a buffer of the wrong length; [`VerilatorError::Stopped`] or
    /// [`VerilatorError::Finished`] when the design ends, and in every call after that.
    #[inline]
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), VerilatorError> {
        if inputs.len() != self.input_words || outputs.len() != self.output_words {
            return Err(self.wrong_buffer(inputs.len(), outputs.len(), 1));
        }
        // SAFETY: the handle is live and the buffers have the lengths the shim was generated for.
        match unsafe { (self.functions.step)(self.handle, inputs.as_ptr(), outputs.as_mut_ptr()) } {
            0 => Ok(()),
            status => Err(self.ended(status)),
        }
    }

    /// Runs `clocks` clocks in one call; the buffers hold those of the single clocks one after the other.
    ///
    /// # Errors
    /// As [`Sim::step`]; what the clocks before the end produced is in `outputs`.
    pub fn step_many(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        clocks: usize,
    ) -> Result<(), VerilatorError> {
        if inputs.len() != self.input_words * clocks || outputs.len() != self.output_words * clocks
        {
            return Err(self.wrong_buffer(inputs.len(), outputs.len(), clocks));
        }
        let mut done = 0;
        // SAFETY: the handle is live and the buffers have `clocks` times the lengths the shim was generated for.
        match unsafe {
            (self.functions.steps)(
                self.handle,
                inputs.as_ptr(),
                outputs.as_mut_ptr(),
                clocks as u64,
                &mut done,
            )
        } {
            0 => Ok(()),
            status => Err(self.ended(status)),
        }
    }

    /// Starts writing a VCD waveform to `path`, from the next clock on. Clock `c` begins at 10 `c` ns and its edge rises at
    /// 10 `c` + 5 ns. An open waveform is closed first; several windows go into several files.
    ///
    /// # Errors
    /// [`VerilatorError::NotBuilt`] without [`super::BuildOptions::trace`], [`VerilatorError::OutputFile`] when the file cannot be
    /// made.
    pub fn trace_open(&mut self, path: &Path) -> Result<(), VerilatorError> {
        if !self.trace {
            return Err(self.not_built("trace"));
        }
        let name = c_path(path)?;
        self.trace_close();
        // SAFETY: the handle is live; the string lives until the call returns.
        match unsafe { (self.functions.trace_open)(self.handle, name.as_ptr()) } {
            0 => Ok(()),
            _ => Err(VerilatorError::OutputFile {
                path: path.to_path_buf(),
            }),
        }
    }

    /// Ends the waveform and completes its file; nothing happens when none is open.
    pub fn trace_close(&mut self) {
        // SAFETY: the handle is live.
        unsafe { (self.functions.trace_close)(self.handle) }
    }

    /// Writes the coverage counted so far to `path`, in Verilator's `coverage.dat` format.
    ///
    /// # Errors
    /// [`VerilatorError::NotBuilt`] without [`super::BuildOptions::coverage`], [`VerilatorError::OutputFile`] when the file is not
    /// there afterwards.
    pub fn write_coverage(&mut self, path: &Path) -> Result<(), VerilatorError> {
        if !self.coverage {
            return Err(self.not_built("coverage"));
        }
        let name = c_path(path)?;
        // SAFETY: the handle is live; the string lives until the call returns.
        unsafe { (self.functions.write_coverage)(self.handle, name.as_ptr()) };
        if path.is_file() {
            Ok(())
        } else {
            Err(VerilatorError::OutputFile {
                path: path.to_path_buf(),
            })
        }
    }

    /// What the design has printed since the last call (`$display`, warnings), at most 64 KiB of it.
    pub fn take_log(&mut self) -> String {
        let text = self.text(self.functions.log);
        // SAFETY: the handle is live.
        unsafe { (self.functions.clear_log)(self.handle) };
        text
    }

    fn text(&self, function: unsafe extern "C" fn(*mut c_void) -> *const c_char) -> String {
        // SAFETY: the handle is live and the model's strings end in zero; the copy is made before anything can change them.
        unsafe { CStr::from_ptr(function(self.handle)) }
            .to_string_lossy()
            .into_owned()
    }

    #[cold]
    fn ended(&self, status: c_int) -> VerilatorError {
        let (top, cycle) = (self.design.top.clone(), self.cycle());
        if status == 1 {
            // The clock of the $finish was completed and counted.
            return VerilatorError::Finished {
                top,
                cycle: cycle.saturating_sub(1),
            };
        }
        let log = self.text(self.functions.log);
        let said = log
            .lines()
            .rev()
            .find(|line| line.contains("%Fatal") || line.contains("%Error"));
        let reason = match said {
            Some(line) => format!("{} ({})", line.trim(), self.text(self.functions.error)),
            None => self.text(self.functions.error),
        };
        VerilatorError::Stopped { top, cycle, reason }
    }

    #[cold]
    fn wrong_buffer(&self, inputs: usize, outputs: usize, clocks: usize) -> VerilatorError {
        let top = self.design.top.clone();
        let expected = self.input_words * clocks;
        if inputs != expected {
            return VerilatorError::Buffer {
                top,
                what: "the input buffer",
                expected,
                got: inputs,
            };
        }
        VerilatorError::Buffer {
            top,
            what: "the output buffer",
            expected: self.output_words * clocks,
            got: outputs,
        }
    }

    fn not_built(&self, feature: &'static str) -> VerilatorError {
        VerilatorError::NotBuilt {
            top: self.design.top.clone(),
            feature,
        }
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        // SAFETY: the handle came from `bloomline_new` and is used no more.
        unsafe { (self.functions.free)(self.handle) }
    }
}

impl std::fmt::Debug for Sim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sim")
            .field("top", &self.design.top)
            .field("cycle", &self.cycle())
            .finish_non_exhaustive()
    }
}

fn c_path(path: &Path) -> Result<CString, VerilatorError> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| VerilatorError::OutputFile {
        path: path.to_path_buf(),
    })
}
