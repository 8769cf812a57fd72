//! Builds a design into a shared library.

use super::cache::{build_once, read_hash, Key};
use super::runtime::{Builder, HEADER_NAME};
use super::{metadata, shim, Design, VerilatorError};
use bloomline_toolchain::Toolchain;
use std::ffi::CString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The shared library in a folder of the cache, and the hash of its content as it was built.
const LIBRARY: &str = "model.so";
const STAMP: &str = "model.so.hash";

/// How hard the C++ compiler works on the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Optimisation {
    /// `-O1`: builds fastest; right for tests of up to some million clocks.
    #[default]
    Quick,
    /// `-O3`: right for long runs and for measuring speed.
    Full,
}

impl Optimisation {
    const fn flag(self) -> &'static str {
        match self {
            Optimisation::Quick => "-O1",
            Optimisation::Full => "-O3",
        }
    }
}

/// What to build besides the plain model.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct BuildOptions {
    /// Waveforms can be written ([`super::Sim::trace_open`]). A model with tracing is somewhat slower even while it writes none.
    pub trace: bool,
    /// Line and toggle coverage is counted ([`super::Sim::write_coverage`]); much slower.
    pub coverage: bool,
    /// Optimisation of the C++ compiler.
    pub optimisation: Optimisation,
    /// Further arguments for Verilator, for example `-GWIDTH=8` or `+define+X`.
    pub verilator_flags: Vec<String>,
    /// Further arguments for g++.
    pub cxx_flags: Vec<String>,
}

/// A built design, from which any number of [`super::Sim`]s can be opened.
#[derive(Debug, Clone)]
pub struct Library {
    pub(crate) path: PathBuf,
    pub(crate) design: Arc<Design>,
    pub(crate) options: BuildOptions,
    fresh: bool,
    pub(crate) plus_arguments: Vec<CString>,
}

impl Library {
    /// Builds `design`, or finds it in the cache: a folder named by the hash of all texts, ports, options, the shim and the
    /// tools (by content, not by time). Safe between processes and threads; a failed build leaves nothing behind.
    ///
    /// The first build with a toolchain also compiles the Verilated runtime (12 to 15 s); a model then takes some seconds,
    /// a cached one about a millisecond.
    ///
    /// # Errors
    /// When a tool is missing, when Verilator or g++ refuse the texts, or when the declared ports differ from those of the built
    /// model in name, direction or width.
    pub fn build(
        toolchain: &Toolchain,
        design: &Design,
        options: &BuildOptions,
    ) -> Result<Self, VerilatorError> {
        design.validate()?;
        let builder = Builder::new(toolchain)?;
        let shim = shim::shim_text(design, options);
        let name = Key::new("model")
            .with(&builder.key)
            .with(&shim)
            .with(&design.top)
            .with_all(verilator_arguments(options))
            .with_all(cxx_arguments(options))
            .with_all(design.sources.iter().flat_map(|(name, text)| [name, text]))
            .with_all(
                design
                    .ports
                    .iter()
                    .map(|port| format!("{} {} {}", port.direction, port.width, port.name)),
            )
            .finish();
        let build = || {
            build_once(&toolchain.cache().join("models"), &name, |folder| {
                let runtime = builder.runtime(toolchain)?;
                build_model(&builder, &runtime, folder, design, options, &shim)
            })
        };
        let (mut folder, mut fresh) = build()?;
        if !fresh && !is_whole(&folder)? {
            // Loading a library that was cut short would end the process.
            fs::remove_dir_all(&folder).map_err(VerilatorError::io("remove", &folder))?;
            (folder, fresh) = build()?;
        }
        Ok(Self {
            path: folder.join(LIBRARY),
            design: Arc::new(design.clone()),
            options: options.clone(),
            fresh,
            plus_arguments: Vec::new(),
        })
    }

    /// The same, for [`super::Sim`]s in which `$value$plusargs("name=%d", ..)` gives this value.
    ///
    /// # Panics
    /// When the name has a zero byte in it.
    pub fn with_plus_argument(&self, name: &str, value: u64) -> Self {
        let mut library = self.clone();
        let text = CString::new(format!("+{name}={value}")).expect("a name without a zero byte");
        library.plus_arguments.push(text);
        library
    }

    /// The design it was built from.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The options it was built with.
    pub fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// The shared library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether [`Library::build`] built it, or found it in the cache.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }
}

/// The arguments Verilator gets for `options`, but for the names of folders, prefix, top module and sources. Warnings do not stop
/// a build: [`super::lint`] is where they are judged.
pub fn verilator_arguments(options: &BuildOptions) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "--cc",
        "--no-timing",
        "-O3",
        "-Wno-fatal",
        "--x-assign",
        "unique",
        "--x-initial",
        "unique",
        "--timescale-override",
        "1ns/1ns",
        // Verilator 5.048 to 5.050 add the amounts of `(x >> a) >> b` in too few bits (its issue 7955): wrong results without a word.
        // The filter's C++ is the same to the byte with these. Its other fault, an internal error at `^{6'd0, x}` that
        // `-fno-expand` turns off, ends a build and cannot falsify one; the flag would cost the filter 13 % of its speed.
        "-fno-dfg-peephole-replace-shiftl-shiftl",
        "-fno-dfg-peephole-replace-shiftr-shiftr",
    ]
    .map(String::from)
    .to_vec();
    if options.trace {
        // Wide buses are the rule here; memories stay out of the waveform.
        arguments.extend(
            [
                "--trace",
                "--trace-max-width",
                "4096",
                "--trace-max-array",
                "32",
            ]
            .map(String::from),
        );
    }
    if options.coverage {
        arguments.extend(["--coverage-line", "--coverage-toggle"].map(String::from));
    }
    arguments.extend(options.verilator_flags.iter().cloned());
    arguments
}

/// The arguments g++ gets for a model built with `options`, on top of those that make it a shared library.
pub fn cxx_arguments(options: &BuildOptions) -> Vec<String> {
    let mut arguments = vec![
        options.optimisation.flag().to_string(),
        format!("-DVM_TRACE={}", u8::from(options.trace)),
        format!("-DVM_TRACE_VCD={}", u8::from(options.trace)),
        format!("-DVM_COVERAGE={}", u8::from(options.coverage)),
    ];
    arguments.extend(options.cxx_flags.iter().cloned());
    arguments
}

fn build_model(
    builder: &Builder,
    runtime: &Path,
    folder: &Path,
    design: &Design,
    options: &BuildOptions,
    shim: &str,
) -> Result<(), VerilatorError> {
    write_sources(folder, &design.sources)?;
    let mut command = builder.verilator.command();
    command
        .current_dir(folder)
        .args(verilator_arguments(options));
    command.args([
        "--Mdir",
        "cpp",
        "--prefix",
        "Vdut",
        "--top-module",
        &design.top,
    ]);
    command.args(design.sources.iter().map(|(name, _)| name));
    let log = bloomline_toolchain::collect(&builder.verilator, command)?;
    if !log.success {
        return Err(VerilatorError::Verilate {
            top: design.top.clone(),
            log: log.tail(40),
        });
    }
    let cpp = folder.join("cpp");
    let header_path = cpp.join("Vdut.h");
    let header =
        fs::read_to_string(&header_path).map_err(VerilatorError::io("read", header_path))?;
    metadata::check_ports(design, &header)?;

    fs::write(cpp.join("shim.cpp"), unit_text(&cpp, shim)?)
        .map_err(VerilatorError::io("write", cpp.join("shim.cpp")))?;
    builder.compile(&design.top, &cpp, |c| {
        c.arg("-I")
            .arg(runtime)
            .args(["-include", HEADER_NAME])
            .args(cxx_arguments(options));
        c.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "shim.cpp"])
            .arg(runtime.join("runtime.o"));
        c.arg("-o").arg(folder.join(LIBRARY));
    })?;
    let hash = read_hash(&folder.join(LIBRARY))?;
    let stamp = folder.join(STAMP);
    fs::write(&stamp, hash).map_err(VerilatorError::io("write", stamp))?;
    // The sources stay beside the library for whoever looks; the C++ is of no further use.
    fs::remove_dir_all(&cpp).map_err(VerilatorError::io("remove", cpp))
}

/// Whether the library in a folder of the cache is as it was built. One of an earlier release, which left no hash, gets one now.
fn is_whole(folder: &Path) -> Result<bool, VerilatorError> {
    let (library, stamp) = (folder.join(LIBRARY), folder.join(STAMP));
    if !library.is_file() {
        return Ok(false);
    }
    let found = read_hash(&library)?;
    match fs::read_to_string(&stamp) {
        Ok(built) => Ok(built == found),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::write(&stamp, found).map_err(VerilatorError::io("write", stamp))?;
            Ok(true)
        }
        Err(error) => Err(VerilatorError::io("read", stamp)(error)),
    }
}

/// One unit of everything: the headers, which are most of the work, are then read once.
fn unit_text(cpp: &Path, shim: &str) -> Result<String, VerilatorError> {
    let entries = fs::read_dir(cpp).map_err(VerilatorError::io("read the folder", cpp))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name.ends_with(".cpp"));
    names.sort();
    let mut text = String::new();
    for name in names {
        let _ = writeln!(text, "#include \"{name}\"");
    }
    text.push_str(shim);
    Ok(text)
}

/// Writes the texts into `folder`.
pub(crate) fn write_sources(
    folder: &Path,
    sources: &[(String, String)],
) -> Result<(), VerilatorError> {
    for (name, text) in sources {
        let path = folder.join(name);
        fs::write(&path, text).map_err(VerilatorError::io("write", path))?;
    }
    Ok(())
}
