//! Peers of the benchmark: usual loops around a Verilated model of the same design.

use bloomline_bench::verilator::{cxx_arguments, verilator_arguments, BuildOptions, Design};
use bloomline_toolchain::{Program, Toolchain};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const PLAIN: &str = include_str!("plain.cpp");

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Clocks, seconds.
pub type Timing = (u64, f64);

/// Runs a command and returns what it prints, or its complaint.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = text.lines().chain(complaint.lines()).collect();
        let last = lines[lines.len().saturating_sub(20)..].join("\n");
        Err(format!("{command:?}: {}\n{last}", output.status).into())
    }
}

/// The C++ of the design in `folder`, under the given prefix.
fn verilate(
    toolchain: &Toolchain,
    design: &Design,
    folder: &Path,
    arguments: &[String],
    prefix: &str,
) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in &design.sources {
        std::fs::write(folder.join(name), text)?;
    }
    let mut command = toolchain.find(Program::Verilator)?.command();
    command.current_dir(folder).args(arguments);
    command.args([
        "--Mdir",
        ".",
        "--prefix",
        prefix,
        "--top-module",
        &design.top,
    ]);
    output(command.args(design.sources.iter().map(|(name, _)| name))).map(drop)
}

/// Compiles every generated file as one unit with `main`, as the loader does, and the runtime with it.
fn compile(
    toolchain: &Toolchain,
    folder: &Path,
    main: &str,
    runtime: &[&str],
    arguments: &[String],
) -> Result<PathBuf> {
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".cpp"))
        .collect();
    names.sort();
    let includes: String = names
        .iter()
        .map(|name| format!("#include \"{name}\"\n"))
        .collect();
    std::fs::write(folder.join("unit.cc"), includes + main)?;
    let verilator = toolchain.find(Program::Verilator)?;
    let root = verilator
        .verilator_root()
        .ok_or("verilator without its headers")?;
    let include = root.join("include");
    let binary = folder.join("loop");
    let mut command = toolchain.find(Program::Cxx)?.command();
    command
        .current_dir(folder)
        .args(["-std=gnu++17", "-pthread", "-w", "-I."]);
    command
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("vltstd"))
        .arg("unit.cc");
    command.args(runtime.iter().map(|file| include.join(file)));
    output(command.args(arguments).arg("-o").arg(&binary))?;
    Ok(binary)
}

/// The plain loop, by the Verilator and optimisation arguments of `options`.
pub fn build_plain(
    toolchain: &Toolchain,
    design: &Design,
    options: &BuildOptions,
    folder: &Path,
) -> Result<PathBuf> {
    let folder = folder.join("plain");
    verilate(
        toolchain,
        design,
        &folder,
        &verilator_arguments(options),
        "Vdut",
    )?;
    let runtime = ["verilated.cpp", "verilated_threads.cpp"];
    let mut arguments = cxx_arguments(options);
    arguments.push("-DVL_TIME_CONTEXT".to_owned());
    compile(toolchain, &folder, PLAIN, &runtime, &arguments)
}

/// `clocks seconds verdicts`, as both loops print them; every item must have had its verdict.
fn timing(text: &str, items: u64) -> Result<Timing> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    match parts[..] {
        [clocks, seconds, verdicts] if verdicts.parse() == Ok(items) => {
            Ok((clocks.parse()?, seconds.parse()?))
        }
        _ => Err(format!("{items} verdicts expected, got {text:?}").into()),
    }
}

/// Runs the plain loop.
pub fn run_plain(binary: &Path, keys: &Path, items: u64) -> Result<Timing> {
    timing(
        &output(Command::new(binary).arg(keys).arg(items.to_string()))?,
        items,
    )
}
