use crate::setup::{skip, toolchain};
use bloomline_bench::verilator::{icarus_accepts, lint, VerilatorError};
use bloomline_hdl::{design_verilog, CardFilter};
use bloomline_language::emit::Emitted;
use bloomline_spec::{FilterSpec, SpecError};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, ToolchainError};
use std::path::Path;

/// In yosys's log, what comes before the name of a design.
const BEGINS: &str = "elaborates ";

/// An emitted design as one file, and what holds of every one: other tools take it without a word, and it is the committed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmittedText {
    /// The top module.
    pub top: String,
    /// The Verilog.
    pub text: String,
}

impl EmittedText {
    /// The text of a printed design.
    ///
    /// # Panics
    /// When it has no module.
    pub fn of(emitted: &Emitted) -> EmittedText {
        let top = emitted.modules.last().expect("a design has a top module");
        EmittedText {
            top: top.name.clone(),
            text: emitted.text(),
        }
    }

    /// The packet path, card or filter, whichever its specification asks for.
    ///
    /// # Panics
    /// When it cannot be printed.
    pub fn of_filter(filter: &impl CardFilter) -> EmittedText {
        let emitted = design_verilog(filter, "");
        EmittedText::of(&emitted.expect("every legal geometry can be printed"))
    }

    /// As [`EmittedText::of_filter`], for a filter of any kind. Half the bits stand in place of an `auto` threshold: that is one
    /// constant of the text.
    ///
    /// # Panics
    /// When the specification is illegal.
    pub fn of_spec(spec: &FilterSpec) -> EmittedText {
        EmittedText::of(&EmittedText::emitted(spec))
    }

    /// As [`EmittedText::of_spec`], module by module.
    ///
    /// # Panics
    /// When the specification is illegal.
    pub fn emitted(spec: &FilterSpec) -> Emitted {
        let design = spec.design_with::<SpecError>(|sizing, _| Ok(sizing.half_bits() / 2));
        let emitted = design_verilog(&design.expect("is legal"), "");
        emitted.expect("every legal geometry can be printed")
    }

    /// File name and text.
    pub fn sources(&self) -> [(String, String); 1] {
        [(format!("{}.v", self.top), self.text.clone())]
    }

    /// Verilator has no warning with all of them on.
    ///
    /// # Panics
    /// When it has one.
    pub fn lints_clean(&self) {
        let toolchain = toolchain(&[Program::Verilator]);
        let warnings = lint(&toolchain, &self.sources(), &self.top).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{}: {} warning(s), first: {}",
            self.top,
            warnings.len(),
            warnings[0]
        );
    }

    /// Icarus Verilog takes it as Verilog-2005 and prints nothing; skipped where there is no Icarus.
    ///
    /// # Panics
    /// When it prints something, and in CI when it is not there.
    pub fn icarus_accepts(&self) {
        match icarus_accepts(&toolchain(&[]), &self.sources(), &self.top) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{}", self.top),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => skip(error),
            Err(error) => panic!("{}: {error}", self.top),
        }
    }

    /// What yosys prints when it runs `script`, in which `FILE` is the text and `TOP` the top module.
    ///
    /// # Panics
    /// When the script fails.
    pub fn yosys(&self, script: &str) -> String {
        let toolchain = toolchain(&[Program::Yosys]);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [(file, text)] = self.sources();
        std::fs::write(folder.path().join(&file), text).expect("written");
        let script = script.replace("FILE", &file).replace("TOP", &self.top);
        run_yosys_script(&toolchain, folder.path(), &script)
            .unwrap_or_else(|error| panic!("{}: {error}", self.top))
            .text()
    }

    /// yosys elaborates each without a problem or a warning. One process does for all: its start takes longer than most of them.
    ///
    /// # Panics
    /// When it has one.
    pub fn elaborate_clean(texts: &[EmittedText]) {
        let toolchain = toolchain(&[Program::Yosys]);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut script = String::new();
        for (text, i) in texts.iter().zip(0..) {
            let EmittedText { top, text } = text;
            std::fs::write(folder.path().join(format!("{i}.v")), text).expect("written");
            script += &format!(
                "log {BEGINS}{top}; read_verilog {i}.v; hierarchy -check -top {top}; proc; opt; check -assert; design -reset; "
            );
        }
        let log = run_yosys_script(&toolchain, folder.path(), &script)
            .unwrap_or_else(|error| panic!("{error}"))
            .text();
        let elaborated = log.lines().filter(|line| line.starts_with(BEGINS)).count();
        assert_eq!(elaborated, texts.len());
        let warnings: Vec<&str> = log
            .lines()
            .filter(|line| line.starts_with("Warning") || line.starts_with(BEGINS))
            .collect();
        assert_eq!(warnings.len(), texts.len(), "{}", warnings.join("\n"));
    }

    /// It is the committed text `golden/<file>`, which `BLOOMLINE_BLESS=1` rewrites.
    ///
    /// # Panics
    /// When they differ.
    pub fn is_golden(&self, file: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("golden")
            .join(file);
        if std::env::var("BLOOMLINE_BLESS").is_ok_and(|value| value == "1") {
            std::fs::write(&path, &self.text).expect("the golden file");
        }
        let expected =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut lines = expected.lines().zip(self.text.lines());
        let first = lines.position(|(a, b)| a != b);
        assert!(
            expected == self.text,
            "{} differs, first in line {:?}; review the change, then BLOOMLINE_BLESS=1 regenerates it",
            path.display(),
            first.map(|line| line + 1)
        );
    }
}
