//! Prints every kind of block once and names the modules.

use super::error::EmitError;
use super::lower::{port_names, Reader};
use super::module;
use super::names::{is_plain, Names};
use super::print::{comment, line};
use super::tree::{Body, Instance};
use super::EmittedModule;
use std::collections::HashMap;

/// Stands around a module's index in texts until the modules have names. No Verilog text holds it.
const MARK: char = '\u{1}';

struct Draft {
    base: String,
    about: String,
    text: String,
}

#[derive(Default)]
struct Design {
    drafts: Vec<Draft>,
    /// The module of a kind of block of this base name.
    printed: HashMap<(usize, String), usize>,
    cores: Vec<String>,
}

/// The modules of the design under `root` in dependency order, and the cores they need.
pub(super) fn print(
    root: &Instance,
    top_name: &str,
) -> Result<(Vec<EmittedModule>, Vec<String>), EmitError> {
    if !is_plain(top_name) {
        return Err(EmitError::BadName {
            block: root.path.clone(),
            name: top_name.into(),
        });
    }
    let mut design = Design::default();
    let top = design.module(root)?;
    let mut names = Names::default();
    let top_name = names.unique(top_name);
    let named: Vec<String> = design
        .drafts
        .iter()
        .enumerate()
        .map(|(i, draft)| {
            if i == top {
                top_name.clone()
            } else {
                names.unique(&draft.base)
            }
        })
        .collect();
    let mut modules = vec![];
    for (draft, name) in design.drafts.iter().zip(&named) {
        let mut about = String::new();
        comment(
            &draft.about.lines().map(String::from).collect::<Vec<_>>(),
            0,
            &mut about,
        );
        let mut module = EmittedModule {
            name: name.clone(),
            text: String::new(),
            about,
            body: draft.text.clone(),
        };
        module.print(&named);
        modules.push(module);
    }
    Ok((modules, design.cores))
}

impl EmittedModule {
    /// Prints it where the modules of the design, in their order, have these names.
    pub(super) fn print(&mut self, names: &[String]) {
        let mut text = self.about.clone();
        let body = resolve(&self.body, names);
        line(
            &mut text,
            format_args!("module {} {body}endmodule", self.name),
        );
        self.text = text;
    }
}

/// `text` with module indices replaced by names.
fn resolve(text: &str, names: &[String]) -> String {
    let mut out = String::new();
    for (i, piece) in text.split(MARK).enumerate() {
        match (i % 2, piece.parse::<usize>()) {
            (1, Ok(index)) => out.push_str(&names[index]),
            _ => out.push_str(piece),
        }
    }
    out
}

impl Design {
    /// Prints `instance` and returns the index of its module.
    fn module(&mut self, instance: &Instance) -> Result<usize, EmitError> {
        let (base, about) = match &instance.about {
            Some((name, _)) if !is_plain(name) => {
                return Err(EmitError::BadName {
                    block: instance.path.clone(),
                    name: name.clone(),
                });
            }
            Some(about) => about.clone(),
            None => (base_name(&instance.name), String::new()),
        };
        let kind = (instance.kind, base.clone());
        if let Some(&index) = self.printed.get(&kind) {
            return Ok(index);
        }
        let text = match &instance.body {
            Body::Kernel(kernel) => {
                let reader = Reader::read(instance, kernel)?;
                let children: Vec<&Instance> =
                    reader.module.children.iter().map(|c| c.instance).collect();
                module::text(reader, &mut |i| {
                    let child = self.module(children[i])?;
                    Ok(format!("{MARK}{child}{MARK}"))
                })?
            }
            Body::Text(text, cores) => {
                if !cores.is_empty() && !self.cores.contains(cores) {
                    self.cores.push(cores.clone());
                }
                let mut body = module::text_ports(&port_names(instance).1);
                for l in text.trim_matches('\n').lines() {
                    line(
                        &mut body,
                        format_args!(
                            "{}",
                            if l.is_empty() {
                                String::new()
                            } else {
                                format!("  {l}")
                            }
                        ),
                    );
                }
                body
            }
            Body::Register(_) | Body::Slice(_) => {
                let hdl = "no module of its own (registers and slices are printed inside the block that holds them)";
                return Err(EmitError::NoKernel {
                    block: instance.path.clone(),
                    hdl: hdl.into(),
                });
            }
        };
        let same = |d: &Draft| d.base == base && d.about == about && d.text == text;
        let found = self.drafts.iter().position(same);
        let index = found.unwrap_or(self.drafts.len());
        if found.is_none() {
            self.drafts.push(Draft { base, about, text });
        }
        self.printed.insert(kind, index);
        Ok(index)
    }
}

/// The name of a field without its indices.
fn base_name(instance: &str) -> String {
    let parts = instance
        .split('$')
        .filter(|p| !p.bytes().all(|b| b.is_ascii_digit()));
    parts.collect::<Vec<_>>().join("_")
}
