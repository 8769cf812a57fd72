//! The Verilated runtime, compiled once per toolchain and linked into every model.

use super::cache::{build_once, content_hash, Key};
use super::VerilatorError;
use bloomline_toolchain::{Found, Program, Toolchain};
use std::fs;
use std::path::{Path, PathBuf};

const RUNTIME_HEADER: &str = include_str!("runtime.h");
const RUNTIME_SOURCE: &str = include_str!("runtime.cpp");

/// Name of the header in the build folders.
pub(crate) const HEADER_NAME: &str = "bloomline_runtime.h";

/// Flags of every C++ compilation. Hidden, non-unique symbols keep several models in one process apart.
pub(crate) const CXX_FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-pthread",
    "-w",
    "-DVL_TIME_CONTEXT",
    "-DVL_USER_FINISH",
    "-DVL_USER_STOP",
    "-DVL_USER_FATAL",
    "-DVL_USER_WARN",
    "-DVM_SC=0",
    "-DVM_TRACE_FST=0",
    "-DVM_TRACE_SAIF=0",
];

/// Files of the runtime that a model without timing can need.
const FILES: &[&str] = &[
    "verilated.cpp",
    "verilated_threads.cpp",
    "verilated_vcd_c.cpp",
    "verilated_cov.cpp",
];

/// The tools a model is built with and a hash that changes when they do.
pub(crate) struct Builder {
    pub(crate) verilator: Found,
    pub(crate) cxx: Found,
    pub(crate) key: String,
    /// Verilator's root.
    pub(crate) root: PathBuf,
}

impl Builder {
    pub(crate) fn new(toolchain: &Toolchain) -> Result<Self, VerilatorError> {
        let verilator = toolchain.find(Program::Verilator)?;
        let cxx = toolchain.find(Program::Cxx)?;
        // `find` returns a Verilator only together with its root.
        let root = verilator
            .verilator_root()
            .unwrap_or(Path::new("/"))
            .to_path_buf();
        let cache = toolchain.cache();
        let key = Key::new("builder")
            .with(content_hash(cache, &verilator.path)?)
            .with(content_hash(cache, &root.join("include/verilated.cpp"))?)
            .with(content_hash(cache, &root.join("include/verilated.h"))?)
            .with(content_hash(cache, &cxx.path)?)
            .with(cxx.path.as_os_str().as_encoded_bytes())
            .with_all(CXX_FLAGS)
            .with(RUNTIME_HEADER)
            .with(RUNTIME_SOURCE)
            .finish();
        Ok(Self {
            verilator,
            cxx,
            key,
            root,
        })
    }

    /// The folder with `runtime.o` and the shim's header; compiles it when needed (12 to 15 s).
    pub(crate) fn runtime(&self, toolchain: &Toolchain) -> Result<PathBuf, VerilatorError> {
        let (folder, _) = build_once(&toolchain.cache().join("runtime"), &self.key, |folder| {
            self.build_runtime(folder)
        })?;
        Ok(folder)
    }

    fn build_runtime(&self, folder: &Path) -> Result<(), VerilatorError> {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(VerilatorError::io("write", path))
        };
        write(HEADER_NAME, RUNTIME_HEADER)?;
        write("bloomline_runtime.cpp", RUNTIME_SOURCE)?;
        let mut sources: Vec<PathBuf> = FILES
            .iter()
            .map(|name| self.root.join("include").join(name))
            .collect();
        sources.push(folder.join("bloomline_runtime.cpp"));
        let objects: Vec<PathBuf> = (0..sources.len())
            .map(|index| folder.join(format!("{index}.o")))
            .collect();
        std::thread::scope(|scope| {
            let compile = |source: &Path, object: &Path| {
                self.compile("the Verilated runtime", folder, |c| {
                    c.args(["-O2", "-include", HEADER_NAME, "-c"])
                        .arg(source)
                        .arg("-o")
                        .arg(object);
                })
            };
            let running: Vec<_> = sources
                .iter()
                .zip(&objects)
                .map(|(source, object)| scope.spawn(move || compile(source, object)))
                .collect();
            running
                .into_iter()
                .try_for_each(|thread| match thread.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
        })?;
        self.compile("the Verilated runtime", folder, |c| {
            c.args(["-r", "-nostdlib", "-o", "runtime.o"])
                .args(&objects);
        })?;
        for object in objects {
            fs::remove_file(&object).map_err(VerilatorError::io("remove", object))?;
        }
        Ok(())
    }

    /// Runs g++ in `folder` with the common flags and Verilator's include folders.
    pub(crate) fn compile(
        &self,
        what: &str,
        folder: &Path,
        prepare: impl FnOnce(&mut std::process::Command),
    ) -> Result<(), VerilatorError> {
        let mut command = self.cxx.command();
        command.current_dir(folder).args(CXX_FLAGS).arg("-I.");
        command
            .arg("-I")
            .arg(self.root.join("include"))
            .arg("-I")
            .arg(self.root.join("include/vltstd"));
        prepare(&mut command);
        let log = bloomline_toolchain::collect(&self.cxx, command)?;
        if log.success {
            Ok(())
        } else {
            Err(VerilatorError::Compile {
                top: what.to_string(),
                log: log.tail(40),
            })
        }
    }
}
