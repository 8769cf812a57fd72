//! The design as the back end sees it: instances with their atoms and kernels, collected through rust-hdl's `Probe`.

use super::error::EmitError;
use crate::wires::{Description, Fact, RegisterShape, SliceShape, Wide, ASYNCHRONOUS};
use rust_hdl::prelude::{Atom, AtomKind, Block, Probe, Verilog};
use std::collections::HashMap;
use std::fmt::Write;

/// A port, local signal or constant of an instance.
#[derive(Clone, Debug)]
pub(super) struct AtomInfo {
    /// rust-hdl's name, `$` between a field and an index, a bundle and its member.
    pub name: String,
    /// The same as Verilog has it: without the name of a bundle that gives its members no prefix.
    pub label: String,
    pub kind: AtomKind,
    pub width: usize,
    pub doc: String,
    /// A register of it takes data of another clock.
    pub asynchronous: bool,
    pub clock: bool,
    /// A constant's value.
    pub value: Option<Wide>,
    /// A number of the block: a flag of one bit, or 128 for one that takes the width of its partner.
    pub number: bool,
}

/// What an instance is to its parent.
#[derive(Clone, Debug)]
pub(super) enum Body {
    Kernel(rust_hdl::prelude::ast::VerilogBlock),
    /// Verilog text, and further modules it needs.
    Text(String, String),
    Register(RegisterShape),
    Slice(SliceShape),
}

/// A block of the design.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub name: String,
    pub path: String,
    /// Number of its signature: blocks with the same one have the same text.
    pub kind: usize,
    /// Module name and header comment from its `About`.
    pub about: Option<(String, String)>,
    pub body: Body,
    pub atoms: Vec<AtomInfo>,
    pub children: Vec<Instance>,
}

impl Instance {
    pub fn ports(&self) -> impl Iterator<Item = &AtomInfo> {
        self.atoms.iter().filter(|a| a.kind.is_parameter())
    }

    /// Writes everything that decides its text but its own name; the kinds of its children must be known.
    fn sign(&self, signature: &mut String) {
        let children = self.children.iter().map(|child| (&child.name, child.kind));
        let children: Vec<_> = children.collect();
        let all = (&self.about, &self.body, &self.atoms, children);
        write!(signature, "{all:?}").expect("a string takes all");
    }
}

/// Reads a design. The root instance bears `name`.
pub(super) fn collect(top: &dyn Block, name: &str) -> Result<Instance, EmitError> {
    let mut collector = Collector {
        stack: vec![],
        bundles: vec![],
        kinds: HashMap::new(),
        signature: String::new(),
        root: None,
        error: None,
    };
    top.accept(name, &mut collector);
    match (collector.error, collector.root) {
        (Some(error), _) => Err(error),
        (None, Some(root)) => Ok(root),
        (None, None) => Err(EmitError::NoKernel {
            block: name.into(),
            hdl: "no scope of its own".into(),
        }),
    }
}

struct Collector {
    stack: Vec<Instance>,
    /// The open bundles: name, and prefix of the members in Verilog.
    bundles: Vec<(String, String)>,
    /// The kinds of blocks, by signature.
    kinds: HashMap<String, usize>,
    /// Of the last block; its room serves all.
    signature: String,
    root: Option<Instance>,
    error: Option<EmitError>,
}

impl Collector {
    fn fail(&mut self, error: EmitError) {
        self.error.get_or_insert(error);
    }

    fn path(&self, name: &str) -> String {
        let name = dotted(name);
        self.stack
            .last()
            .map_or(name.clone(), |parent| format!("{}.{name}", parent.path))
    }
}

/// rust-hdl's `$`-joined name as a person writes it: `banks$0$q` is `banks[0].q`.
pub(super) fn dotted(name: &str) -> String {
    let mut out = String::new();
    for (i, part) in name.trim_end_matches("$next").split('$').enumerate() {
        if !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) {
            out.push_str(&format!("[{part}]"));
        } else {
            if i > 0 {
                out.push('.');
            }
            out.push_str(part);
        }
    }
    out
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let path = self.path(name);
        let hdl = node.hdl();
        let body = match (RegisterShape::of(&hdl), SliceShape::of(&hdl), hdl) {
            (Some(shape), _, _) => Body::Register(shape),
            (_, Some(shape), _) => Body::Slice(shape),
            (_, _, Verilog::Combinatorial(kernel)) => Body::Kernel(kernel),
            (_, _, Verilog::Custom(text)) => Body::Text(text, String::new()),
            (_, _, Verilog::Wrapper(wrapper)) => Body::Text(wrapper.code, wrapper.cores),
            (_, _, Verilog::Empty) => {
                self.fail(EmitError::NoKernel {
                    block: path.clone(),
                    hdl: "an empty `hdl()`".into(),
                });
                Body::Kernel(vec![])
            }
            (_, _, Verilog::Blackbox(_)) => {
                self.fail(EmitError::NoKernel {
                    block: path.clone(),
                    hdl: "a black box (use `Verilog::Wrapper`)".into(),
                });
                Body::Kernel(vec![])
            }
        };
        self.stack.push(Instance {
            name: name.into(),
            path,
            kind: 0,
            about: None,
            body,
            atoms: vec![],
            children: vec![],
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.bundles.push((name.into(), name.into()));
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.bundles.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let description = Description::unpack(&atom.descriptor());
        let Some(instance) = self.stack.last_mut() else {
            return;
        };
        if let Some(numbers) = description.numbers() {
            // a block of Verilog text has its numbers there
            if !matches!(instance.body, Body::Text(..)) {
                for (at, value) in numbers.enumerate() {
                    let number = Fact {
                        bits: atom.bits(),
                        ..Fact::new("number", "", value)
                    };
                    self.visit_atom(&format!("{name}${at}"), &number);
                }
            }
            return;
        }
        let clock = description.type_name == "clock";
        let number = description.type_name == "number";
        match description.type_name.as_str() {
            "about" => {
                instance.about = Some((description.value, description.doc));
                return;
            }
            "prefix" => {
                if let Some((_, prefix)) = self.bundles.last_mut() {
                    *prefix = description.value;
                }
                return;
            }
            "bool" | "UInt" | "Wide" | "clock" | "Bit" | "number" => {}
            _ => {
                let (block, signal) = (instance.path.clone(), dotted(name));
                self.fail(EmitError::UnknownType {
                    block,
                    signal,
                    type_name: description.type_name,
                });
                return;
            }
        }
        let constant = atom.kind() == AtomKind::Constant;
        let directed = matches!(
            atom.kind(),
            AtomKind::InputParameter
                | AtomKind::OutputParameter
                | AtomKind::LocalSignal
                | AtomKind::Constant
        );
        if !directed || (constant && description.value.is_empty()) {
            let type_name = format!("{} of kind {:?}", description.type_name, atom.kind());
            let (block, signal) = (instance.path.clone(), dotted(name));
            self.fail(EmitError::UnknownType {
                block,
                signal,
                type_name,
            });
            return;
        }
        let joined = |parts: &mut dyn Iterator<Item = &str>| {
            let parts = parts.filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("$")
        };
        let own = std::iter::once(name);
        let names = self.bundles.iter().map(|(name, _)| name.as_str());
        let prefixes = self.bundles.iter().map(|(_, prefix)| prefix.as_str());
        let width = if number && atom.bits() == 0 {
            128
        } else {
            atom.bits()
        };
        instance.atoms.push(AtomInfo {
            name: joined(&mut names.chain(own.clone())),
            label: joined(&mut prefixes.chain(own)),
            number,
            kind: atom.kind(),
            width: atom.bits(),
            doc: description.doc,
            asynchronous: !constant && description.value == ASYNCHRONOUS,
            clock,
            value: constant.then(|| from_hex(&description.value, width)),
        });
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        if let Some(mut instance) = self.stack.pop() {
            let next = self.kinds.len();
            self.signature.clear();
            instance.sign(&mut self.signature);
            instance.kind = match self.kinds.get(&self.signature) {
                Some(kind) => *kind,
                None => {
                    self.kinds.insert(self.signature.clone(), next);
                    next
                }
            };
            match self.stack.last_mut() {
                Some(parent) => parent.children.push(instance),
                None => self.root = Some(instance),
            }
        }
    }
}

/// The value of hexadecimal digits, cut to `width` bits.
pub(super) fn from_hex(digits: &str, width: usize) -> Wide {
    let nibbles = digits
        .chars()
        .rev()
        .map(|c| c.to_digit(16).unwrap_or(0) as u8);
    let nibbles: Vec<u8> = nibbles.collect();
    let bytes: Vec<u8> = nibbles
        .chunks(2)
        .map(|n| n[0] | n.get(1).unwrap_or(&0) << 4)
        .collect();
    Wide::from_bytes(&bytes, width)
}
