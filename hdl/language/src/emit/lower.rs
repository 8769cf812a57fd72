//! Reads a kernel: resolves names, unrolls loops and gives every statement its place.

use super::error::{EmitError, Place};
use super::expr::{clog2, Amount, Expr, SignalId};
use super::ir::{Assign, At, Child, Module, Register, Role, Signal, Stmt, StmtKind};
use super::names::Names;
use super::render;
use super::tree::{dotted, AtomInfo, Body, Instance};
use crate::wires::{RegisterShape, SliceShape, Wide};
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression as Ast,
    VerilogLink, VerilogMatch, VerilogStatement,
};
use rust_hdl::prelude::AtomKind;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// What a name in a kernel stands for.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Signal(SignalId),
    /// A number of the block, which takes the width of its partner.
    Number(SignalId, u128),
    /// A number of one bit.
    Flag(SignalId, u128),
    SliceOutput(SignalId, SliceShape),
}

/// The state of reading one kernel.
pub(super) struct Reader<'a> {
    pub module: Module<'a>,
    pub names: Names,
    meanings: HashMap<String, Meaning>,
    /// Widths of the numbers that were used.
    widths: RefCell<HashMap<SignalId, usize>>,
    pub(super) loops: Vec<(String, usize)>,
    /// How many of the open loops are beyond their first turn (their comments were printed already).
    later_turns: usize,
    comments: Vec<String>,
    order: usize,
    /// Text of the statement being read.
    pub(super) text: String,
}

/// The Verilog names of a block's ports, in the order of its atoms, and the names they take.
pub(super) fn port_names(instance: &Instance) -> (Names, Vec<(&AtomInfo, String)>) {
    let mut names = Names::default();
    let ports = instance
        .ports()
        .map(|atom| (atom, names.unique(&atom.label)))
        .collect();
    (names, ports)
}

impl<'a> Reader<'a> {
    /// Reads `kernel`, the kernel of `instance`.
    pub fn read(instance: &'a Instance, kernel: &VerilogBlock) -> Result<Self, EmitError> {
        let module = Module {
            instance,
            signals: vec![],
            registers: vec![],
            children: vec![],
            statements: vec![],
            texts: vec![],
        };
        let (names, ports) = port_names(instance);
        let mut reader = Reader {
            module,
            names,
            meanings: HashMap::new(),
            widths: RefCell::default(),
            loops: vec![],
            later_turns: 0,
            comments: vec![],
            order: 0,
            text: String::new(),
        };
        for (atom, name) in ports {
            let role = if atom.kind == AtomKind::InputParameter {
                Role::Input
            } else {
                Role::Output
            };
            reader.declare(atom, atom.name.clone(), name, role);
        }
        for atom in instance.atoms.iter().filter(|a| !a.kind.is_parameter()) {
            let role = if atom.value.is_some() {
                Role::Constant
            } else {
                Role::Local
            };
            let name = match atom.number {
                true => String::new(),
                false => reader.names.unique(&atom.label),
            };
            reader.declare(atom, atom.name.clone(), name, role);
        }
        for child in &instance.children {
            reader.child(child);
        }
        let mut statements = vec![];
        reader.block(kernel, &mut statements, true)?;
        reader.drive_clocks(&mut statements);
        reader.module.statements = statements;
        reader.name_numbers();
        Ok(reader)
    }

    /// Connects the `clock` of every sub-block that the kernel leaves out to the block's own, as the simulation does.
    fn drive_clocks(&mut self, statements: &mut Vec<Stmt>) {
        let Some(Meaning::Signal(clock)) = self.meanings.get("clock").copied() else {
            return;
        };
        let mut open: Vec<SignalId> = (self.module.signals.iter().enumerate())
            .filter(|(_, s)| s.clock && s.role.is_driven() && s.key.ends_with("$clock"))
            .map(|(id, _)| id)
            .collect();
        for statement in &*statements {
            statement.assigns(&mut |a| open.retain(|id| *id != a.target));
        }
        for target in open {
            let order = self.next_order();
            let assign = Assign {
                target,
                at: At::Whole,
                value: Expr::signal(clock, 1),
                order,
            };
            let text = dotted(&self.module.signals[target].key) + " = clock";
            let statement = self.statement(StmtKind::Assign(assign), text, vec![]);
            statements.push(statement);
        }
    }

    /// Gives the numbers that were used their names and widths.
    fn name_numbers(&mut self) {
        for (id, signal) in self.module.signals.iter_mut().enumerate() {
            if let Some(width) = self.widths.borrow().get(&id) {
                signal.name = self.names.unique(&signal.key);
                signal.width = *width;
                signal.value = signal.value.map(|value| value.resized(*width));
            }
        }
    }

    /// A number of the block as a constant of `width` bits. A second width gives a plain literal.
    pub(super) fn number_at(
        &self,
        id: SignalId,
        value: u128,
        width: usize,
    ) -> Result<Expr, EmitError> {
        let literal = self.fitting(value, width)?;
        let known = *self.widths.borrow_mut().entry(id).or_insert(width);
        Ok(match known == width {
            true => Expr::signal(id, width),
            false => Expr::literal(literal),
        })
    }

    fn declare(&mut self, atom: &AtomInfo, key: String, name: String, role: Role) -> SignalId {
        let id = self.module.signals.len();
        let meaning = match (atom.number, atom.value) {
            (true, Some(value)) if atom.width == 1 => Meaning::Flag(id, value.low()),
            (true, Some(value)) => Meaning::Number(id, value.low()),
            _ => Meaning::Signal(id),
        };
        // A member of a bundle without a prefix is also known without the bundle's name.
        let outer = key.len() - atom.name.len();
        let alias = format!("{}{}", &key[..outer], atom.label);
        if alias != key {
            self.meanings.entry(alias).or_insert(meaning);
        }
        self.meanings.insert(key.clone(), meaning);
        self.module.signals.push(Signal {
            key,
            name,
            width: atom.width,
            role,
            doc: atom.doc.clone(),
            asynchronous: atom.asynchronous,
            clock: atom.clock,
            value: atom.value,
        });
        id
    }

    fn child(&mut self, child: &'a Instance) {
        match &child.body {
            Body::Register(shape) => self.register(child, shape),
            Body::Slice(shape) => self.slice(child, *shape),
            Body::Kernel(_) | Body::Text(..) => self.sub_module(child),
        }
    }

    fn register(&mut self, child: &Instance, shape: &RegisterShape) {
        let base = self.names.unique(&child.name);
        let next = self.names.unique(&format!("{base}_next"));
        let index = self.module.registers.len();
        let (mut q, mut d, mut clock, mut control) = (0, 0, 0, None);
        for atom in &child.atoms {
            let key = format!("{}${}", child.name, atom.name);
            match atom.name.as_str() {
                "q" => q = self.declare(atom, key, base.clone(), Role::RegisterQ),
                "d" => d = self.declare(atom, key, next.clone(), Role::RegisterD(index)),
                "clock" => {
                    clock = self.declare(atom, key, format!("{base}_clock"), Role::RegisterClock)
                }
                _ => {
                    let name = self.names.unique(&key);
                    control = Some(self.declare(atom, key, name, Role::RegisterControl));
                }
            }
        }
        self.module.registers.push(Register {
            q,
            d,
            clock,
            control,
            shape: shape.clone(),
        });
    }

    fn slice(&mut self, child: &Instance, shape: SliceShape) {
        if let Some(input) = child.atoms.iter().find(|a| a.name == "input") {
            let key = format!("{}$input", child.name);
            let name = self.names.unique(&key);
            let id = self.declare(input, key, name, Role::SliceInput);
            self.meanings.insert(
                format!("{}$output", child.name),
                Meaning::SliceOutput(id, shape),
            );
        }
    }

    fn sub_module(&mut self, child: &'a Instance) {
        let index = self.module.children.len();
        let name = self.names.unique(&child.name);
        let mut ports = vec![];
        for (atom, port) in port_names(child).1 {
            let key = format!("{}${}", child.name, atom.name);
            let input = atom.kind == AtomKind::InputParameter;
            let role = if input {
                Role::ChildInput(index)
            } else {
                Role::ChildOutput
            };
            let wire = self.names.unique(&format!("{name}_{port}"));
            let atom = AtomInfo {
                doc: String::new(),
                asynchronous: false,
                ..atom.clone()
            };
            ports.push((port, self.declare(&atom, key, wire, role)));
        }
        self.module.children.push(Child {
            instance: child,
            name,
            ports,
        });
    }

    /// Where the statement being read is.
    pub(super) fn place(&self) -> Place {
        Place {
            block: self.module.instance.path.clone(),
            statement: self.text.clone(),
        }
    }

    pub(super) fn unsupported(
        &self,
        construct: impl Into<String>,
        instead: impl Into<String>,
    ) -> EmitError {
        EmitError::Unsupported {
            place: self.place(),
            construct: construct.into(),
            instead: instead.into(),
        }
    }

    fn block(
        &mut self,
        block: &VerilogBlock,
        out: &mut Vec<Stmt>,
        top: bool,
    ) -> Result<(), EmitError> {
        let mut run = None;
        for statement in block {
            if !matches!(statement, VerilogStatement::Link(_)) {
                run = None;
            }
            if !matches!(
                statement,
                VerilogStatement::Macro(_) | VerilogStatement::Comment(_)
            ) {
                self.text = render::statement(statement, &self.loops);
            }
            match statement {
                VerilogStatement::Assignment(target, value) => {
                    self.assignment(target, value, out, top)?
                }
                VerilogStatement::If(conditional) => {
                    let statement = self.conditional(conditional)?;
                    out.push(statement);
                }
                VerilogStatement::Match(choice) => {
                    let statement = self.choice(choice)?;
                    out.push(statement);
                }
                VerilogStatement::Loop(l) => {
                    if self.meanings.contains_key(&l.index)
                        || self.loops.iter().any(|(name, _)| *name == l.index)
                    {
                        let construct = format!(
                            "a loop index `{}` that is also a signal or outer index",
                            l.index
                        );
                        return Err(self.unsupported(construct, "rename it"));
                    }
                    let (from, to) = (l.from.as_usize(), l.to.as_usize());
                    for turn in from..to {
                        self.loops.push((l.index.clone(), turn));
                        self.later_turns += usize::from(turn > from);
                        self.block(&l.block, out, top)?;
                        self.later_turns -= usize::from(turn > from);
                        self.loops.pop();
                    }
                }
                VerilogStatement::Macro(block) => self.block(block, out, top)?,
                VerilogStatement::Comment(text) => {
                    if self.later_turns == 0 {
                        self.comments.extend(render::comment(text));
                    }
                }
                VerilogStatement::SliceAssignment { .. } => {
                    return Err(self.unsupported(
                        "an assignment to a field of a signal",
                        "use one signal a field",
                    ));
                }
                VerilogStatement::Link(links) => {
                    let first = *run.get_or_insert(out.len());
                    for link in links {
                        let (details, ahead) = match link {
                            VerilogLink::Forward(details) => (details, true),
                            VerilogLink::Backward(details) => (details, false),
                            VerilogLink::Bidirectional(_) => {
                                return Err(self.unsupported(
                                    "a bidirectional member of a bundle",
                                    "use one signal a direction",
                                ))
                            }
                        };
                        let member = details.my_name.replace('.', "$");
                        let owner = format!("{}{member}", details.owner_name);
                        let other = format!("{}{member}", details.other_name);
                        let (from, to) = match ahead {
                            true => (owner, other),
                            false => (other, owner),
                        };
                        let (to, from) = (Ast::Signal(to), Ast::Signal(from));
                        self.text = render::assignment(&to, &from, &self.loops);
                        self.assignment(&to, &from, out, top)?;
                    }
                    self.sort_outputs(&mut out[first..]);
                }
            }
        }
        Ok(())
    }

    /// Puts the block's outputs among the assignments of connections that stand together into the order of its ports.
    fn sort_outputs(&self, run: &mut [Stmt]) {
        let target = |s: &Stmt| match &s.kind {
            StmtKind::Assign(a) if self.module.signals[a.target].role == Role::Output => {
                Some(a.target)
            }
            _ => None,
        };
        let places: Vec<usize> = (0..run.len())
            .filter(|at| target(&run[*at]).is_some())
            .collect();
        let mut sorted: Vec<(usize, StmtKind)> = places
            .iter()
            .map(|at| (run[*at].text, run[*at].kind.clone()))
            .collect();
        let target_of = |kind: &StmtKind| match kind {
            StmtKind::Assign(a) => a.target,
            _ => 0,
        };
        // Not where one of them is read, or assigned twice: then their order means something.
        let targets: HashSet<SignalId> = sorted.iter().map(|(_, kind)| target_of(kind)).collect();
        let mut read = false;
        for statement in &*run {
            statement.expressions(&mut |e| e.reads(&mut |id, _, _| read |= targets.contains(&id)));
        }
        if read || targets.len() < sorted.len() {
            return;
        }
        sorted.sort_by_key(|(_, kind)| target_of(kind));
        for (at, (text, kind)) in places.into_iter().zip(sorted) {
            (run[at].text, run[at].kind) = (text, kind);
        }
    }

    fn statement(&mut self, kind: StmtKind, text: String, comments: Vec<String>) -> Stmt {
        self.module.texts.push(text);
        Stmt {
            comments,
            text: self.module.texts.len() - 1,
            kind,
        }
    }

    fn next_order(&mut self) -> usize {
        self.order += 1;
        self.order
    }

    fn assignment(
        &mut self,
        target: &Ast,
        value: &Ast,
        out: &mut Vec<Stmt>,
        top: bool,
    ) -> Result<(), EmitError> {
        let Ast::Signal(name) = target else {
            return Err(self.unsupported(
                "an assignment to an expression",
                "assign `.next` of a signal",
            ));
        };
        let signal = |id: SignalId, reader: &Self| (id, reader.module.signals[id].clone());
        let (target, info) = match self.meaning(name)? {
            Meaning::Signal(id) if self.module.signals[id].role.is_driven() => signal(id, self),
            Meaning::Signal(id) => {
                let role = self.module.signals[id].role.describe().into();
                return Err(EmitError::NotAssignable {
                    place: self.place(),
                    signal: dotted(name),
                    role,
                });
            }
            Meaning::SliceOutput(..) | Meaning::Number(..) | Meaning::Flag(..) => {
                let role = match self.meaning(name)? {
                    Meaning::SliceOutput(..) => "an output of a sub-block".into(),
                    _ => "a number of the block".into(),
                };
                return Err(EmitError::NotAssignable {
                    place: self.place(),
                    signal: dotted(name),
                    role,
                });
            }
        };
        let (at, value) = self.assigned(target, &info, value)?;
        if info.width != value.width && at == At::Whole {
            let (left, right) = (info.width, value.width);
            return Err(EmitError::Width {
                place: self.place(),
                operator: "=".into(),
                left,
                right,
            });
        }
        if info.clock {
            self.check_clock(target, &info, &value, out, top)?;
        }
        let order = self.next_order();
        let clocks_only =
            info.role == Role::RegisterClock || (info.clock && info.role != Role::Output);
        let comments = if clocks_only {
            vec![]
        } else {
            std::mem::take(&mut self.comments)
        };
        let kind = StmtKind::Assign(Assign {
            target,
            at,
            value,
            order,
        });
        let text = self.text.clone();
        let statement = self.statement(kind, text, comments);
        out.push(statement);
        Ok(())
    }

    /// The bits assigned and the value; `x.next = x.val().replace_bit(i, b)` assigns one bit.
    fn assigned(
        &mut self,
        target: SignalId,
        info: &Signal,
        value: &Ast,
    ) -> Result<(At, Expr), EmitError> {
        if let Ast::IndexReplace(base, index, bit) = strip(value) {
            if let Ast::Signal(name) = strip(base) {
                if matches!(self.meaning(name)?, Meaning::Signal(id) if id == target) {
                    let index = self.amount(index)?;
                    let bit = self.condition(bit)?;
                    let exact = 1 << clog2(info.width).min(20) == info.width;
                    match index {
                        Amount::Constant(i) if i < info.width => {
                            let at = if info.width == 1 {
                                At::Whole
                            } else {
                                At::Bit(i)
                            };
                            return Ok((at, bit));
                        }
                        Amount::Signal(i)
                            if info.width > 1
                                && (i.width < clog2(info.width)
                                    || (exact && i.width == clog2(info.width))) =>
                        {
                            return Ok((At::Chosen(i.resize(clog2(info.width))), bit));
                        }
                        index => {
                            return Ok((
                                At::Whole,
                                Expr::signal(target, info.width).replaced(index, bit),
                            ))
                        }
                    }
                }
            }
        }
        Ok((At::Whole, self.typed(value)?))
    }

    fn check_clock(
        &self,
        target: SignalId,
        info: &Signal,
        value: &Expr,
        before: &[Stmt],
        top: bool,
    ) -> Result<(), EmitError> {
        let mut from_clock = false;
        if let super::expr::Kind::Signal(id) = value.kind {
            from_clock = self.module.signals[id].clock;
        }
        let mut earlier = false;
        before
            .iter()
            .for_each(|s| s.assigns(&mut |a| earlier |= a.target == target));
        if from_clock && top && !earlier {
            return Ok(());
        }
        Err(EmitError::ClockLogic {
            place: self.place(),
            signal: dotted(&info.key),
        })
    }

    fn conditional(&mut self, c: &VerilogConditional) -> Result<Stmt, EmitError> {
        let text = self.text.clone();
        let condition = self.condition(&c.test)?;
        let comments = std::mem::take(&mut self.comments);
        let order = self.next_order();
        let mut then = vec![];
        self.block(&c.then, &mut then, false)?;
        let mut otherwise = vec![];
        match &c.otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block, &mut otherwise, false)?,
            VerilogBlockOrConditional::Conditional(nested) => {
                self.block(&vec![(**nested).clone()], &mut otherwise, false)?;
            }
            VerilogBlockOrConditional::None => {}
        }
        Ok(self.statement(
            StmtKind::If {
                condition,
                order,
                then,
                otherwise,
            },
            text,
            comments,
        ))
    }

    fn choice(&mut self, m: &VerilogMatch) -> Result<Stmt, EmitError> {
        let text = self.text.clone();
        let test = self.typed(&m.test)?;
        let comments = std::mem::take(&mut self.comments);
        let order = self.next_order();
        let mut arms: Vec<(Expr, Vec<Stmt>)> = vec![];
        let mut default = None;
        for case in &m.cases {
            self.text.clone_from(&text);
            let pattern = self.pattern(&case.condition, test.width)?;
            let mut block = vec![];
            self.block(&case.block, &mut block, false)?;
            match pattern {
                // Rust takes the first arm that matches; what follows `_` is never reached.
                None => {
                    default = Some(block);
                    break;
                }
                Some(pattern) if arms.iter().any(|(other, _)| *other == pattern) => {}
                Some(pattern) => arms.push((pattern, block)),
            }
        }
        if arms.is_empty() {
            let then = default.unwrap_or_default();
            let condition = Expr::number(1, 1);
            return Ok(self.statement(
                StmtKind::If {
                    condition,
                    order,
                    then,
                    otherwise: vec![],
                },
                text,
                comments,
            ));
        }
        Ok(self.statement(
            StmtKind::Case {
                test,
                order,
                arms,
                default,
            },
            text,
            comments,
        ))
    }

    /// The value of a pattern, None for `_`.
    fn pattern(&self, text: &str, width: usize) -> Result<Option<Expr>, EmitError> {
        let number = match text {
            "default" => return Ok(None),
            "true" => 1,
            "false" => 0,
            text => integer(text).ok_or_else(|| EmitError::UnknownName {
                place: self.place(),
                name: text.to_string(),
            })?,
        };
        self.fitting(number, width)
            .map(|value| Some(Expr::literal(value)))
    }

    /// `number` at `width` bits.
    pub(super) fn fitting(&self, number: u128, width: usize) -> Result<Wide, EmitError> {
        if width < 128 && number >> width != 0 {
            return Err(EmitError::Number {
                place: self.place(),
                number,
                width,
            });
        }
        Ok(Wide::new(number, width))
    }

    /// What a name in the kernel means.
    pub(super) fn meaning(&self, name: &str) -> Result<Meaning, EmitError> {
        let key = self.key(name)?;
        self.meanings
            .get(&key)
            .copied()
            .ok_or_else(|| EmitError::UnknownName {
                place: self.place(),
                name: dotted(&key),
            })
    }

    /// The value of the constant called `name`.
    pub(super) fn constant_named(&self, name: &str) -> Option<u128> {
        let value = match self.meaning(name) {
            Ok(Meaning::Number(_, value) | Meaning::Flag(_, value)) => return Some(value),
            Ok(Meaning::Signal(id)) => self.module.signals[id].value?,
            _ => return None,
        };
        (!(value >> 128usize).any()).then(|| value.low())
    }

    /// A kernel's name with its indices computed: `banks[i-1]$q$next` is `banks$2$q`.
    fn key(&self, name: &str) -> Result<String, EmitError> {
        let mut rest = name.strip_suffix("$next").unwrap_or(name);
        let mut key = String::new();
        while let Some(open) = rest.find('[') {
            let unknown = || EmitError::UnknownName {
                place: self.place(),
                name: name.to_string(),
            };
            let close = open + rest[open..].find(']').ok_or_else(unknown)?;
            let index = super::index::value(&rest[open + 1..close], &|name| self.index_name(name));
            let index = index.map_err(|name| EmitError::UnknownName {
                place: self.place(),
                name,
            })?;
            key.push_str(&rest[..open]);
            key.push_str(&format!("${index}"));
            rest = &rest[close + 1..];
        }
        key.push_str(rest);
        Ok(key)
    }

    /// A name inside an index: a loop index, or `constant$position()`.
    fn index_name(&self, name: &str) -> Option<usize> {
        if let Some((_, value)) = self.loops.iter().rev().find(|(index, _)| index == name) {
            return Some(*value);
        }
        let constant = name.strip_suffix("$position()")?;
        self.constant_named(constant)
            .and_then(|value| usize::try_from(value).ok())
    }
}

/// The expression without the parentheses around it.
pub(super) fn strip(e: &Ast) -> &Ast {
    match e {
        Ast::Paren(inner) => strip(inner),
        e => e,
    }
}

/// The value of a Rust integer literal.
fn integer(text: &str) -> Option<u128> {
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0b") => (&text[2..], 2),
        Some("0o") => (&text[2..], 8),
        _ => (&text[..], 10),
    };
    let suffixes = ["usize", "u128", "u64", "u32", "u16", "u8", "i32"];
    let digits = suffixes
        .iter()
        .find_map(|s| digits.strip_suffix(s))
        .unwrap_or(digits);
    u128::from_str_radix(digits, radix).ok()
}
