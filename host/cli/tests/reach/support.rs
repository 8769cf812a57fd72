//! Served cards for clients in other languages, and what those need: a compiler, the library for C, the Python module.

use crate::serve_support::{line_card, tools, Serving};
use bloomline_toolchain::{Package, Toolchain};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The card of the recycling example, of two phases, reached over AXI4-Lite: its own UART is simulated bit by bit, at a few
/// items a second.
const RECYCLING: &str = include_str!("../../../../hdl/specification/examples/admit.toml");
/// The counting example, as a card.
const COUNTING: &str = include_str!("../../../../hdl/specification/examples/hotkeys.toml");

/// A served card, and the folder with its specification `card.toml` and its manifest.
pub struct Card {
    pub folder: TempDir,
    pub serving: Serving,
}

impl Card {
    /// Emits and serves a specification, of which `edits` are made; `at` says where.
    pub fn serve(spec: &str, edits: &[(&str, &str)], at: &[&str]) -> Card {
        let mut spec = spec.to_owned();
        for (from, to) in edits {
            assert!(spec.contains(from), "{from}");
            spec = spec.replacen(from, to, 1);
        }
        let folder = crate::common::folder("");
        std::fs::write(folder.path().join("card.toml"), spec).expect("the specification");
        let emitted = crate::common::run(folder.path(), &["emit", "card.toml", "--out", "emitted"]);
        assert_eq!(emitted.code, 0, "{}", emitted.stderr);
        let serving = Serving::start(folder.path(), &[&["card.toml"], at].concat());
        Card { folder, serving }
    }

    /// The recycling example.
    pub fn recycling(at: &[&str]) -> Card {
        let edits = [("uart_baud = 1_000_000", "# no UART:")];
        Card::serve(RECYCLING, &edits, at)
    }

    /// The same with an eighth of the memory, whose array is soon read.
    pub fn small_recycling(at: &[&str]) -> Card {
        let edits = [
            ("uart_baud = 1_000_000", "# no UART:"),
            ("memory_bits = 131072", "memory_bits = 16384"),
        ];
        Card::serve(RECYCLING, &edits, at)
    }

    /// The counting example over UDP, with a card around it.
    pub fn counting(edits: &[(&str, &str)]) -> Card {
        let spec = format!("{COUNTING}\n[card]\n");
        Card::serve(&spec, edits, &["--udp", "0"])
    }

    /// A line card over UDP.
    pub fn line_card() -> Card {
        Card::serve(&line_card(), &[], &["--udp", "0"])
    }

    /// Where clients reach it, from any folder, with time for a computer that is busy with other tests.
    pub fn url(&self) -> String {
        let path = self.path("");
        let absolute = format!("uart:{}", path.display());
        match self.serving.url.strip_prefix("uart:") {
            Some(place) if !place.starts_with('/') => format!("{absolute}{place}"),
            _ if self.serving.url.starts_with("etherbone:") => {
                let place = self.serving.url.split('?').next().unwrap_or_default();
                format!("{place}?timeout_ms=60000")
            }
            _ => self.serving.url.clone(),
        }
    }

    /// A file of its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The manifest that it was emitted with.
    pub fn manifest(&self) -> PathBuf {
        self.path("emitted/manifest.json")
    }
}

/// A recorded trace; `None` after saying that the test is skipped.
///
/// # Panics
/// Where it is missing and `CI` is `true`.
pub fn trace(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("BLOOMLINE_TRACES") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/traces"),
    };
    let file = folder.join(name);
    if file.is_file() {
        return Some(file);
    }
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    let missing = format!("{} is not there; set BLOOMLINE_TRACES", file.display());
    assert!(!ci, "{missing}");
    eprintln!("skipped: {missing}");
    None
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command printed; it must end well.
///
/// # Panics
/// Where it does not.
pub fn run(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {status}\n{said}");
    String::from_utf8(stdout).expect("UTF-8")
}

/// How a program is linked with the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    Shared,
    /// As `Shared`, and the compiler's own checks look at every access and for what was not given back.
    Checked,
    Static,
}

/// Compiles a program in C of `host/c` into `folder` with the system's `compiler`, every warning an error.
pub fn compile(source: &str, compiler: &str, linked: Linked, folder: &Path) -> PathBuf {
    let library = root().join("host/c");
    // Beside the tests, where cargo puts what they depend on.
    let test = std::env::current_exe().expect("its path");
    let built = test.parent().expect("a folder");
    let program = folder.join("program");
    let mut command = Command::new(compiler);
    // The only standard that both languages have in common is the language itself.
    match compiler {
        "g++" => command.args(["-x", "c++", "-std=c++11"]),
        _ => command.args(["-std=c99", "-pedantic"]),
    };
    command.args(["-Wall", "-Wextra", "-Werror", "-O1", "-I"]);
    command
        .arg(library.join("include"))
        .arg(library.join(source));
    command.args(["-x", "none", "-o"]).arg(&program);
    match linked {
        Linked::Shared | Linked::Checked => {
            if linked == Linked::Checked {
                command.args(["-g", "-fsanitize=address,undefined"]);
                command.arg("-fno-sanitize-recover=undefined");
            }
            command.arg("-L").arg(built).arg("-lbloomline_c");
            command.arg(format!("-Wl,-rpath,{}", built.display()));
        }
        Linked::Static => {
            command.arg(built.join("libbloomline_c.a"));
            command.args(["-lpthread", "-ldl", "-lm"]);
        }
    }
    run(&mut command);
    program
}

/// What the notebook draws with.
const MATPLOTLIB: &str = "matplotlib==3.10.8";

/// The Python module: a wheel that maturin makes, installed into an environment of its own.
pub struct Module {
    folder: TempDir,
}

impl Module {
    /// Builds and installs it, once a test program. maturin and NumPy come from PyPI into the tools folder.
    pub fn get() -> &'static Module {
        static MODULE: OnceLock<Module> = OnceLock::new();
        MODULE.get_or_init(Module::install)
    }

    fn install() -> Module {
        let toolchain = Toolchain::in_folder(tools()).expect("a folder for tools");
        toolchain
            .install(&[Package::Maturin], &|progress| eprintln!("{progress}"))
            .unwrap_or_else(|error| panic!("{error}"));
        let tool_python = toolchain.python_of(Package::Maturin);
        let tool_python = std::path::absolute(tool_python).expect("a current folder");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let environment = folder.path().join("environment");
        let site = "import numpy, pathlib; print(pathlib.Path(numpy.__file__).parents[1])";

        // The release profile and the folder of this build, so that only Python's own crates are compiled.
        run(Command::new(tool_python.with_file_name("maturin"))
            .args(["build", "--release", "--locked", "--interpreter"])
            .arg(&tool_python)
            .arg("--manifest-path")
            .arg(root().join("host/python/Cargo.toml"))
            .arg("--out")
            .arg(folder.path()));
        let wheels = std::fs::read_dir(folder.path()).expect("the folder");
        let mut wheels = wheels.map(|entry| entry.expect("an entry").path());
        let wheel = wheels.find(|path| path.extension().is_some_and(|ending| ending == "whl"));
        let wheel = wheel.expect("maturin makes a wheel");
        run(Command::new(&tool_python)
            .args(["-m", "venv", "--without-pip"])
            .arg(&environment));
        run(Command::new(&tool_python)
            .args(["-m", "pip", "--disable-pip-version-check", "--python"])
            .arg(environment.join("bin/python"))
            .args(["install", "--no-input", "--no-deps", "--no-index"])
            .arg(&wheel));
        // NumPy as the tools folder has it.
        let numpy = run(Command::new(&tool_python).args(["-c", site]));
        let own = "import sysconfig; print(sysconfig.get_path('purelib'))";
        let own = run(Command::new(environment.join("bin/python")).args(["-c", own]));
        std::fs::write(Path::new(own.trim_end()).join("numpy.pth"), numpy).expect("its packages");
        Module { folder }
    }

    /// Installs matplotlib, which the notebook draws with.
    pub fn add_matplotlib(&self) {
        let toolchain = Toolchain::in_folder(tools()).expect("a folder for tools");
        run(Command::new(toolchain.python_of(Package::Maturin))
            .args(["-m", "pip", "--disable-pip-version-check", "--python"])
            .arg(self.folder.path().join("environment/bin/python"))
            .args([
                "install",
                "--no-input",
                "--only-binary",
                ":all:",
                MATPLOTLIB,
            ]));
    }

    /// The folder of the environment's packages, for an interpreter of the same version.
    pub fn packages(&self) -> PathBuf {
        let python = self.folder.path().join("environment/bin/python");
        let own = "import sysconfig; print(sysconfig.get_path('purelib'))";
        PathBuf::from(run(Command::new(python).args(["-c", own])).trim_end())
    }

    /// The environment's Python, about to run a script of `host/python`.
    pub fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.path().join("environment/bin/python"));
        command.arg(root().join("host/python").join(name));
        command
    }
}
