//! The Verilog back end: prints rust-hdl blocks as plain Verilog-2005.
//!
//! [`verilog`] walks a connected design through rust-hdl's `Probe` and prints one module a kind of block: exact widths,
//! registers inside the module that holds them, equal modules once, comments carried over from the blocks. What the
//! kernel language allows and Verilog would compute differently is an [`EmitError`] that names the block, the statement
//! and what to write instead. The text is the same, byte for byte, on every run. `hdl/docs/language.md` says how each
//! construct prints. Depends on [`crate::wires`] and rust-hdl only.

mod analyse;
mod constant;
mod error;
mod expr;
mod hoist;
mod index;
mod ir;
mod lower;
mod lower_expr;
mod module;
mod names;
mod print;
mod render;
mod sections;
mod share;
mod tree;

pub use error::{EmitError, Place};
pub use names::reserved_words;

use crate::wires::take_fault;
use rust_hdl::check_connected::check_connected;
use rust_hdl::prelude::Block;

/// What the caller chooses about the text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Text of the comment that opens every file: where it came from, under which licence. May have several lines.
    pub header: String,
}

/// A module as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedModule {
    /// The module's name.
    pub name: String,
    /// Its comment and text, from `//` to `endmodule` and a newline.
    pub text: String,
    /// Its comment.
    about: String,
    /// Its text from the ports on, with the places of other modules' names marked.
    body: String,
}

/// A printed design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The modules, every one after those it instantiates; the top module is the last.
    pub modules: Vec<EmittedModule>,
    /// Modules that `Verilog::Wrapper` leaves brought along (vendor cores), in the order first met.
    pub cores: Vec<String>,
    header: String,
}

impl Emitted {
    /// The same design with every module but the tops named after `design`: `<design>__<module>`. Two designs of different names can then stand in one
    /// project, where modules of one name but different contents would be taken for each other. The tops are `<design>`, `<design>_card`, `<design>_path`
    /// and `<design>_linecard`.
    pub fn named_after(&self, design: &str) -> Emitted {
        let is_top = |name: &str| {
            name.strip_prefix(design)
                .is_some_and(|rest| ["", "_card", "_path", "_linecard"].contains(&rest))
        };
        let names: Vec<String> = self
            .modules
            .iter()
            .map(|module| match is_top(&module.name) {
                true => module.name.clone(),
                false => format!("{design}__{}", module.name),
            })
            .collect();
        let mut named = self.clone();
        for (module, name) in named.modules.iter_mut().zip(&names) {
            module.name.clone_from(name);
            module.print(&names);
        }
        named
    }

    /// The same design with its top module named `core`, and after it a module `shell` that instantiates it: its comment `about`, and its text from
    /// the ports on.
    pub fn within(mut self, core: &str, shell: &str, about: &str, body: &str) -> Emitted {
        if let Some(top) = self.modules.last_mut() {
            core.clone_into(&mut top.name);
        }
        self.modules.push(EmittedModule {
            name: shell.to_owned(),
            text: String::new(),
            about: about.to_owned(),
            body: body.to_owned(),
        });
        let names: Vec<String> = self.modules.iter().map(|m| m.name.clone()).collect();
        for module in &mut self.modules {
            module.print(&names);
        }
        self
    }

    /// The design as one file. Its only lint pragma is for the rule that a file holds one module of its own name.
    pub fn text(&self) -> String {
        let mut text = self.opening();
        if self.modules.len() + self.cores.len() > 1 {
            text.push_str("// Several modules stand in this one file.\n/* verilator lint_off DECLFILENAME */\n\n");
        }
        let bodies: Vec<&str> = self
            .cores
            .iter()
            .chain(self.modules.iter().map(|m| &m.text))
            .map(|t| &t[..])
            .collect();
        text.push_str(&bodies.join("\n"));
        text
    }

    /// The design as one file a module: name of the file (`<module>.v`) and text. Cores stand in `<top>_cores.v`.
    pub fn files(&self) -> Vec<(String, String)> {
        let opening = self.opening();
        let mut files = vec![];
        if !self.cores.is_empty() {
            let top = self.modules.last().map_or("", |m| &m.name);
            files.push((
                format!("{top}_cores.v"),
                format!("{opening}{}", self.cores.join("\n")),
            ));
        }
        files.extend(
            self.modules
                .iter()
                .map(|m| (format!("{}.v", m.name), format!("{opening}{}", m.text))),
        );
        files
    }

    fn opening(&self) -> String {
        let mut text = String::new();
        for line in self.header.lines() {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

/// Prints `top` and everything below it; the top module is called `top_name`. Call `connect_all` on it first.
///
/// # Errors
/// An [`EmitError`] for the first thing that cannot be printed so that Verilog computes what rust-hdl simulates.
pub fn verilog(top: &dyn Block, top_name: &str, options: &Options) -> Result<Emitted, EmitError> {
    if let Some(fault) = take_fault() {
        return Err(fault.into());
    }
    // Of rust-hdl's checks the back end makes the other two itself, bit by bit, and says where.
    check_connected(top).map_err(EmitError::Check)?;
    let root = tree::collect(top, top_name)?;
    let printed = share::print(&root, top_name);
    // A width broken inside `bits_to(..)` shows up as a fault too; the kernel's own error says where.
    let fault = take_fault();
    let (modules, cores) = printed?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    Ok(Emitted {
        modules,
        cores,
        header: options.header.clone(),
    })
}
