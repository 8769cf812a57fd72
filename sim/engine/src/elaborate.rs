//! Flattens modules into a [`Netlist`]: instances, widths by the rules of IEEE 1364-2005 (section 5.4), processes as functions
//! of what they read.
//!
//! What drives a signal is computed when the signal is first read, so a path that comes back to a driver that is being computed
//! is a combinational loop.

use crate::error::EngineError;
use crate::ir::{
    address_bits, Bits, Edge, Graph, Id, Memory, Named, Netlist, Port, Register, Write,
};
use crate::lexer::{Files, Pos, MAX_BITS};
use crate::syntax::{
    self, Binary, Event, Expr, ExprKind, Function, Item, Module, Name, NetKind, Select, Stmt,
    Target, Unary,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Most words of a memory.
const MAX_WORDS: u64 = 1 << 26;
/// Most passes of all loops of the text together.
const MAX_PASSES: u32 = 1 << 26;
/// Deepest recursion; [`STACK_BYTES`] suffices for it.
const DEEPEST: u32 = 60_000;
/// Stack of the thread that elaborates.
pub(crate) const STACK_BYTES: usize = 1 << 30;
/// Most instances.
const MAX_INSTANCES: usize = 100_000;

type Made<T> = Result<T, EngineError>;

#[derive(Clone)]
enum Entity {
    Signal(usize),
    Memory(usize),
    Constant(Bits, bool),
    Integer,
}

struct Scope<'a> {
    path: String,
    names: HashMap<&'a str, Entity>,
    functions: HashMap<&'a str, &'a Function>,
}

struct Signal {
    path: String,
    width: u32,
    pos: Pos,
    kind: NetKind,
    drivers: Vec<usize>,
    value: Option<Bits>,
    /// Its first register.
    register: Option<usize>,
    /// What is added to its value.
    fault: Option<Bits>,
    /// Power-up value, and which of its bits the text gives.
    initial: Option<(Vec<u64>, Vec<u64>)>,
}

enum State {
    New,
    Busy,
    Done(Bits),
}

struct Driver<'a> {
    low: u32,
    width: u32,
    pos: Pos,
    source: Source<'a>,
    state: State,
}

#[derive(Clone)]
enum Source<'a> {
    Expr {
        scope: usize,
        expr: &'a Expr,
        exact: bool,
    },
    /// A process without a clock, by its index.
    Process(usize),
    /// The output of an instance.
    Signal(usize),
    Given(Bits),
}

struct Process<'a> {
    scope: usize,
    pos: Pos,
    body: &'a Stmt,
    targets: Vec<usize>,
}

struct ClockedProcess<'a> {
    process: Process<'a>,
    events: &'a [Event],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Signal(usize),
    Result,
}

/// A variable while a process runs: its bits, and which of them have been assigned.
#[derive(Clone, PartialEq)]
struct Variable {
    bits: Bits,
    defined: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    Combinational,
    Clocked,
    Function,
}

/// Where statements run.
struct Run<'a> {
    scope: usize,
    mode: Mode,
    /// Inputs of a function, or the variables of loops.
    locals: HashMap<&'a str, (Bits, bool)>,
    result: Option<(&'a str, u32)>,
    variables: BTreeMap<Key, Variable>,
    /// Only these are computed.
    needed: Option<BTreeSet<Key>>,
    /// Condition under which the present statement runs.
    path: Id,
    writes: Vec<(usize, Id, Id, Bits)>,
}

/// Elaborates `top`. To the value of each of the signals `sites` an input beside the ports is added.
pub(crate) fn netlist(
    files: &Files,
    modules: &[Module],
    top: &str,
    sites: &[String],
) -> Made<Netlist> {
    let mut by_name: HashMap<&str, &Module> = HashMap::new();
    for module in modules {
        if let Some(other) = by_name.insert(&module.name.text, module) {
            let problem = format!(
                "module {} is defined twice; the other is at {}",
                module.name.text,
                files.place(other.name.pos)
            );
            return Err(files.contradiction(module.name.pos, problem));
        }
    }
    let Some(&root) = by_name.get(top) else {
        let names: Vec<&str> = modules.iter().map(|m| m.name.text.as_str()).collect();
        return Err(EngineError::NoTop {
            top: top.to_string(),
            available: names.join(", "),
        });
    };
    let elaborator = Elaborator {
        files,
        modules: by_name,
        graph: Graph::default(),
        scopes: vec![],
        signals: vec![],
        memories: vec![],
        drivers: vec![],
        processes: vec![],
        clocked: vec![],
        initials: vec![],
        registers: vec![],
        order: vec![],
        depth: 0,
        passes: 0,
        stack: vec![],
    };
    elaborator.run(root, sites)
}

struct Elaborator<'a> {
    files: &'a Files,
    modules: HashMap<&'a str, &'a Module>,
    graph: Graph,
    scopes: Vec<Scope<'a>>,
    signals: Vec<Signal>,
    memories: Vec<(Memory, Pos)>,
    drivers: Vec<Driver<'a>>,
    processes: Vec<Process<'a>>,
    clocked: Vec<ClockedProcess<'a>>,
    initials: Vec<(usize, &'a Stmt)>,
    registers: Vec<Register>,
    /// Signals and memories with their paths, in the order of the text.
    order: Vec<(String, Entity)>,
    depth: u32,
    passes: u32,
    /// Modules that are being instantiated.
    stack: Vec<&'a str>,
}

impl<'a> Elaborator<'a> {
    fn wrong<T>(&self, pos: Pos, problem: impl Into<String>) -> Made<T> {
        Err(self.files.contradiction(pos, problem))
    }

    fn refused<T>(&self, pos: Pos, construct: impl Into<String>) -> Made<T> {
        Err(self.files.refused(pos, construct))
    }

    fn deeper<T>(&mut self, pos: Pos, f: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        if self.depth >= DEEPEST {
            return self.wrong(pos, "the path of logic that ends here is too long");
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn run(mut self, root: &'a Module, sites: &[String]) -> Made<Netlist> {
        self.instantiate(root, root.name.text.clone(), root.name.pos)?;
        let mut ports = vec![];
        let mut input_bits = vec![];
        let mut input_word = 0;
        for port in &root.ports {
            let Some(&Entity::Signal(id)) = self.scopes[0].names.get(port.name.text.as_str())
            else {
                continue;
            };
            let width = self.signals[id].width;
            if port.input {
                let limbs = (0..width.div_ceil(64))
                    .map(|i| {
                        input_word += 1;
                        self.graph
                            .input(input_word - 1, crate::ir::limb_width(width, i))
                    })
                    .collect();
                let bits = Bits { width, limbs };
                input_bits.push(bits.clone());
                self.drive(id, 0, width, port.name.pos, Source::Given(bits))?;
            }
            ports.push((
                id,
                Port {
                    name: port.name.text.clone(),
                    width: width as usize,
                    input: port.input,
                },
            ));
        }
        let mut faults = vec![];
        for site in sites {
            let found = self.signals.iter().position(|s| s.path == *site);
            let Some(id) = found else {
                return Err(EngineError::NoSignal {
                    top: root.name.text.clone(),
                    kind: "signal",
                    name: site.clone(),
                });
            };
            let width = self.signals[id].width;
            let limbs = (0..width.div_ceil(64))
                .map(|i| {
                    input_word += 1;
                    self.graph
                        .input(input_word - 1, crate::ir::limb_width(width, i))
                })
                .collect();
            let bits = Bits { width, limbs };
            self.signals[id].fault = Some(bits.clone());
            faults.push(bits);
        }
        self.declare_registers()?;
        for (scope, body) in std::mem::take(&mut self.initials) {
            let mut run = self.fresh(scope, Mode::Plain);
            self.initialise(&mut run, body)?;
        }
        self.give_power_up()?;
        // Every signal, so that errors are found in logic that nothing uses, too.
        for id in 0..self.signals.len() {
            if !self.signals[id].drivers.is_empty() {
                let (width, pos) = (self.signals[id].width, self.signals[id].pos);
                // Bits that nothing drives are an error where they are read.
                if self.is_driven(id) {
                    self.read(id, 0, width, pos)?;
                }
            }
        }
        let domains = self.clock()?;
        let mut names = vec![];
        for (path, entity) in std::mem::take(&mut self.order) {
            match entity {
                Entity::Signal(id) => {
                    if let Some(bits) = self.signals[id].value.clone() {
                        names.push((path, Named::Signal(bits)));
                    }
                }
                Entity::Memory(id) => names.push((path, Named::Memory(id as u32))),
                Entity::Constant(..) | Entity::Integer => {}
            }
        }
        let mut port_bits = vec![];
        let mut input_bits = input_bits.into_iter();
        for (id, port) in &ports {
            port_bits.push(match port.input {
                true => input_bits.next().unwrap_or_default(),
                false => self.read(*id, 0, port.width as u32, self.signals[*id].pos)?,
            });
        }
        Ok(Netlist {
            graph: self.graph,
            ports: ports.into_iter().map(|(_, port)| port).collect(),
            port_bits,
            registers: self.registers,
            memories: self.memories.into_iter().map(|(m, _)| m).collect(),
            domains,
            faults,
            names,
        })
    }

    fn is_driven(&self, id: usize) -> bool {
        let signal = &self.signals[id];
        let driven: u32 = signal.drivers.iter().map(|d| self.drivers[*d].width).sum();
        driven == signal.width
    }

    // Declarations.

    fn fresh(&mut self, scope: usize, mode: Mode) -> Run<'a> {
        Run {
            scope,
            mode,
            locals: HashMap::new(),
            result: None,
            variables: BTreeMap::new(),
            needed: None,
            path: self.graph.constant(1, 1),
            writes: vec![],
        }
    }

    /// A constant expression that is no negative number.
    fn number(&mut self, scope: usize, expr: &'a Expr, what: &str) -> Made<u64> {
        let run = self.fresh(scope, Mode::Plain);
        self.number_in(&run, expr, what)
    }

    fn number_in(&mut self, run: &Run<'a>, expr: &'a Expr, what: &str) -> Made<u64> {
        let bits = self.value(run, expr)?;
        match self.graph.wide_value(&bits) {
            Some(limbs) if limbs[1..].iter().all(|l| *l == 0) => Ok(limbs[0]),
            Some(_) => self.wrong(expr.pos, format!("{what} is too great")),
            None => self.wrong(expr.pos, format!("{what} is not constant")),
        }
    }

    fn width(&mut self, scope: usize, range: &'a Option<syntax::Range>) -> Made<u32> {
        let Some(range) = range else {
            return Ok(1);
        };
        let left = self.number(scope, &range.left, "the range's left bound")?;
        let right = self.number(scope, &range.right, "the range's right bound")?;
        if right != 0 {
            return self.refused(range.right.pos, "a range that does not end at 0");
        }
        if left >= u64::from(MAX_BITS) {
            return self.wrong(range.left.pos, format!("more than {MAX_BITS} bits"));
        }
        Ok(left as u32 + 1)
    }

    fn declare(&mut self, scope: usize, name: &'a Name, entity: Entity) -> Made<()> {
        let known = &mut self.scopes[scope];
        if known.functions.contains_key(name.text.as_str())
            || known.names.insert(&name.text, entity.clone()).is_some()
        {
            return self.wrong(name.pos, format!("{} is declared twice", name.text));
        }
        let path = format!("{}.{}", self.scopes[scope].path, name.text);
        self.order.push((path, entity));
        Ok(())
    }

    fn signal(&mut self, scope: usize, name: &'a Name, width: u32, kind: NetKind) -> Made<usize> {
        let id = self.signals.len();
        self.signals.push(Signal {
            path: format!("{}.{}", self.scopes[scope].path, name.text),
            width,
            pos: name.pos,
            kind,
            drivers: vec![],
            value: None,
            register: None,
            fault: None,
            initial: None,
        });
        self.declare(scope, name, Entity::Signal(id))?;
        Ok(id)
    }

    fn drive(
        &mut self,
        signal: usize,
        low: u32,
        width: u32,
        pos: Pos,
        source: Source<'a>,
    ) -> Made<()> {
        let clash = self.signals[signal]
            .drivers
            .iter()
            .map(|d| &self.drivers[*d])
            .find(|d| low < d.low + d.width && d.low < low + width);
        if let Some(clash) = clash {
            let problem = format!(
                "{} has two drivers; the other is at {}",
                self.signals[signal].path,
                self.files.place(clash.pos)
            );
            return self.wrong(pos, problem);
        }
        self.signals[signal].drivers.push(self.drivers.len());
        self.drivers.push(Driver {
            low,
            width,
            pos,
            source,
            state: State::New,
        });
        Ok(())
    }

    fn instantiate(&mut self, module: &'a Module, path: String, pos: Pos) -> Made<usize> {
        if self.stack.contains(&module.name.text.as_str()) {
            return self.wrong(pos, format!("module {} contains itself", module.name.text));
        }
        if self.scopes.len() == MAX_INSTANCES {
            return self.wrong(pos, format!("more than {MAX_INSTANCES} instances"));
        }
        self.stack.push(&module.name.text);
        let scope = self.scopes.len();
        self.scopes.push(Scope {
            path: path.clone(),
            names: HashMap::new(),
            functions: HashMap::new(),
        });
        for port in &module.ports {
            let width = self.width(scope, &port.range)?;
            let kind = if port.reg {
                NetKind::Reg
            } else {
                NetKind::Wire
            };
            self.signal(scope, &port.name, width, kind)?;
        }
        for item in &module.items {
            self.declare_item(scope, item)?;
        }
        for item in &module.items {
            self.connect_item(scope, &path, item)?;
        }
        for port in module
            .ports
            .iter()
            .filter(|p| p.input && self.stack.len() > 1)
        {
            let id = self.find_signal(scope, &port.name)?;
            if !self.signals[id].drivers.is_empty() {
                let pos = self.drivers[self.signals[id].drivers[0]].pos;
                return self.wrong(pos, format!("input {} is driven inside", port.name.text));
            }
        }
        self.stack.pop();
        Ok(scope)
    }

    fn declare_item(&mut self, scope: usize, item: &'a Item) -> Made<()> {
        match item {
            Item::Constant { name, range, value } => {
                let run = self.fresh(scope, Mode::Plain);
                let (own, signed) = self.size(&run, value)?;
                let (width, signed) = match range {
                    Some(_) => (self.width(scope, range)?, false),
                    None => (own, signed),
                };
                let bits = self.assigned(&run, value, width)?;
                if self.graph.wide_value(&bits).is_none() {
                    return self.wrong(value.pos, format!("{} is not constant", name.text));
                }
                self.declare(scope, name, Entity::Constant(bits, signed))
            }
            Item::Net {
                kind: NetKind::Integer,
                name,
                ..
            } => self.declare(scope, name, Entity::Integer),
            Item::Net {
                kind,
                name,
                range,
                words,
                value,
            } => {
                let width = self.width(scope, range)?;
                if let Some(words) = words {
                    let first = self.number(scope, &words.left, "the memory's first word")?;
                    let last = self.number(scope, &words.right, "the memory's last word")?;
                    if first != 0 {
                        return self.refused(words.left.pos, "a memory that does not begin at 0");
                    }
                    let count = last.saturating_add(1);
                    if count.saturating_mul(u64::from(width.div_ceil(64))) > MAX_WORDS {
                        return self.wrong(words.right.pos, "the memory is too great");
                    }
                    let depth = last as usize + 1;
                    let limbs = width.div_ceil(64) as usize;
                    let memory = Memory {
                        width,
                        depth,
                        initial: vec![0; depth * limbs],
                        given: vec![false; depth],
                        writes: vec![],
                    };
                    self.memories.push((memory, name.pos));
                    return self.declare(scope, name, Entity::Memory(self.memories.len() - 1));
                }
                let id = self.signal(scope, name, width, *kind)?;
                if let Some(expr) = value {
                    let source = Source::Expr {
                        scope,
                        expr,
                        exact: false,
                    };
                    self.drive(id, 0, width, name.pos, source)?;
                }
                Ok(())
            }
            Item::Function(function) => {
                let known = &mut self.scopes[scope];
                let name = function.name.text.as_str();
                if known.names.contains_key(name)
                    || known.functions.insert(name, function).is_some()
                {
                    return self.wrong(function.name.pos, format!("{name} is declared twice"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn connect_item(&mut self, scope: usize, path: &str, item: &'a Item) -> Made<()> {
        match item {
            Item::Assign { target, value } => {
                let id = self.find_signal(scope, &target.name)?;
                let (low, width) = self.place(scope, id, &target.at, target.name.pos)?;
                let source = Source::Expr {
                    scope,
                    expr: value,
                    exact: false,
                };
                self.drive(id, low, width, target.name.pos, source)
            }
            Item::Initial(body) => {
                self.initials.push((scope, body));
                Ok(())
            }
            Item::Always { pos, events, body } => {
                let mut targets = vec![];
                self.targets(scope, body, !events.is_empty(), &mut targets)?;
                let process = Process {
                    scope,
                    pos: *pos,
                    body,
                    targets,
                };
                if events.is_empty() {
                    let index = self.processes.len();
                    for &id in &process.targets {
                        let width = self.signals[id].width;
                        self.drive(id, 0, width, *pos, Source::Process(index))?;
                    }
                    self.processes.push(process);
                } else {
                    self.clocked.push(ClockedProcess { process, events });
                }
                Ok(())
            }
            Item::Instance {
                module,
                name,
                connections,
            } => {
                let Some(&child) = self.modules.get(module.text.as_str()) else {
                    return self.wrong(module.pos, format!("no module {}", module.text));
                };
                let taken = &self.scopes[scope];
                if taken.names.contains_key(name.text.as_str())
                    || taken.functions.contains_key(name.text.as_str())
                {
                    return self.wrong(name.pos, format!("{} is declared twice", name.text));
                }
                let inside = self.instantiate(child, format!("{path}.{}", name.text), name.pos)?;
                for (index, (port, expr)) in connections.iter().enumerate() {
                    if connections[..index]
                        .iter()
                        .any(|(p, _)| p.text == port.text)
                    {
                        return self.wrong(port.pos, format!("port {} twice", port.text));
                    }
                    let Some(declared) = child.ports.iter().find(|p| p.name.text == port.text)
                    else {
                        let problem = format!("module {} has no port {}", module.text, port.text);
                        return self.wrong(port.pos, problem);
                    };
                    let id = self.find_signal(inside, &declared.name)?;
                    let width = self.signals[id].width;
                    let run = self.fresh(scope, Mode::Plain);
                    let (given, _) = self.size(&run, expr)?;
                    if given != width {
                        let problem = format!(
                            "port {} of module {} has {width} bits, what is connected has {given}",
                            port.text, module.text
                        );
                        return self.wrong(expr.pos, problem);
                    }
                    if declared.input {
                        let source = Source::Expr {
                            scope,
                            expr,
                            exact: true,
                        };
                        self.drive(id, 0, width, expr.pos, source)?;
                        continue;
                    }
                    let ExprKind::Signal(text, at) = &expr.kind else {
                        let construct = "an output connected to an expression";
                        return self.refused(expr.pos, construct);
                    };
                    let name = Name {
                        text: text.clone(),
                        pos: expr.pos,
                    };
                    let outside = self.find_signal(scope, &name)?;
                    let (low, width) = self.place(scope, outside, at, expr.pos)?;
                    self.drive(outside, low, width, expr.pos, Source::Signal(id))?;
                }
                if let Some(open) = child
                    .ports
                    .iter()
                    .find(|p| !connections.iter().any(|(c, _)| c.text == p.name.text))
                {
                    let problem = format!(
                        "port {} of module {} is not connected",
                        open.name.text, module.text
                    );
                    return self.wrong(name.pos, problem);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn within(&self, id: usize, low: u64, high: u64, pos: Pos) -> Made<(u32, u32)> {
        let signal = &self.signals[id];
        if high >= u64::from(signal.width) || low > high {
            let problem = format!(
                "{} has bits {}:0, not {high}:{low}",
                signal.path,
                signal.width - 1
            );
            return self.wrong(pos, problem);
        }
        Ok((low as u32, (high - low + 1) as u32))
    }

    /// Bits of a signal that an assignment or an output drives: lowest and how many.
    fn place(&mut self, scope: usize, id: usize, at: &'a Select, pos: Pos) -> Made<(u32, u32)> {
        let whole = self.signals[id].width;
        let (low, high) = match at {
            Select::Whole => (0, u64::from(whole) - 1),
            Select::Index(index) => {
                let i = self.number(scope, index, "the bit that is assigned")?;
                (i, i)
            }
            Select::Part(range) => (
                self.number(scope, &range.right, "the part's right bound")?,
                self.number(scope, &range.left, "the part's left bound")?,
            ),
        };
        self.within(id, low, high, pos)
    }

    fn find_signal(&self, scope: usize, name: &Name) -> Made<usize> {
        match self.scopes[scope].names.get(name.text.as_str()) {
            Some(Entity::Signal(id)) => Ok(*id),
            Some(_) => self.wrong(name.pos, format!("{} is no signal", name.text)),
            None => self.wrong(name.pos, format!("{} is not declared", name.text)),
        }
    }

    /// The signals that a process assigns, and what kind of assignment it may use.
    fn targets(
        &self,
        scope: usize,
        body: &Stmt,
        clocked: bool,
        found: &mut Vec<usize>,
    ) -> Made<()> {
        match body {
            Stmt::Empty => Ok(()),
            Stmt::Block(block) => block
                .iter()
                .try_for_each(|s| self.targets(scope, s, clocked, found)),
            Stmt::If {
                then, otherwise, ..
            } => {
                self.targets(scope, then, clocked, found)?;
                self.targets(scope, otherwise, clocked, found)
            }
            Stmt::Case { arms, default, .. } => {
                for (_, arm) in arms {
                    self.targets(scope, arm, clocked, found)?;
                }
                match default {
                    Some(arm) => self.targets(scope, arm, clocked, found),
                    None => Ok(()),
                }
            }
            Stmt::For { variable, .. } => {
                self.refused(variable.pos, "a `for` loop outside `initial`")
            }
            Stmt::Assign {
                target,
                nonblocking,
                ..
            } => {
                let pos = target.name.pos;
                match (clocked, *nonblocking) {
                    (true, false) => return self.refused(pos, "`=` in a clocked process"),
                    (false, true) => return self.refused(pos, "`<=` in a process without a clock"),
                    _ => {}
                }
                if let Some(Entity::Memory(_)) = self.scopes[scope].names.get(&*target.name.text) {
                    if clocked {
                        return Ok(());
                    }
                    return self.refused(pos, "a memory written without a clock");
                }
                let id = self.find_signal(scope, &target.name)?;
                if self.signals[id].kind != NetKind::Reg {
                    let problem = format!("{} is a wire; a process assigns regs", target.name.text);
                    return self.wrong(pos, problem);
                }
                if !found.contains(&id) {
                    found.push(id);
                }
                Ok(())
            }
        }
    }

    /// Makes registers of all that clocked processes assign.
    fn declare_registers(&mut self) -> Made<()> {
        for process in 0..self.clocked.len() {
            let pos = self.clocked[process].process.pos;
            for id in self.clocked[process].process.targets.clone() {
                let width = self.signals[id].width;
                let first = self.registers.len();
                let limbs = (0..width.div_ceil(64))
                    .map(|i| {
                        let width = crate::ir::limb_width(width, i);
                        let node = self.graph.register(self.registers.len() as u32, width);
                        self.registers.push(Register {
                            node,
                            width,
                            next: node,
                            domain: 0,
                            initial: (0, 0),
                        });
                        node
                    })
                    .collect();
                self.drive(id, 0, width, pos, Source::Given(Bits { width, limbs }))?;
                self.signals[id].register = Some(first);
            }
        }
        Ok(())
    }

    /// Bits of a register as it holds them.
    fn held(&self, id: usize) -> Option<Bits> {
        let (first, width) = (self.signals[id].register?, self.signals[id].width);
        let registers = &self.registers[first..first + width.div_ceil(64) as usize];
        let limbs = registers.iter().map(|r| r.node).collect();
        Some(Bits { width, limbs })
    }

    fn give_power_up(&mut self) -> Made<()> {
        for id in 0..self.signals.len() {
            let signal = &self.signals[id];
            let Some((values, given)) = signal.initial.clone() else {
                continue;
            };
            if let Some(first) = signal.register {
                for (i, (value, given)) in values.iter().zip(given).enumerate() {
                    self.registers[first + i].initial = (*value, given);
                }
                continue;
            }
            let (width, pos) = (signal.width, signal.pos);
            if !signal.drivers.is_empty() {
                let problem = format!("{} has a driver and an initial value", signal.path);
                return self.wrong(pos, problem);
            }
            let full = (0..width).all(|b| given[(b / 64) as usize] >> (b % 64) & 1 == 1);
            if full {
                let bits = self.graph.wide_constant(&values, width);
                self.drive(id, 0, width, pos, Source::Given(bits))?;
            }
        }
        Ok(())
    }

    // `initial`.

    fn initialise(&mut self, run: &mut Run<'a>, body: &'a Stmt) -> Made<()> {
        match body {
            Stmt::Empty => Ok(()),
            Stmt::Block(block) => block.iter().try_for_each(|s| self.initialise(run, s)),
            Stmt::If { condition, .. } => self.refused(condition.pos, "`if` in `initial`"),
            Stmt::Case { test, .. } => self.refused(test.pos, "`case` in `initial`"),
            Stmt::For {
                variable,
                from,
                condition,
                step,
                body,
            } => {
                if !matches!(
                    self.scopes[run.scope].names.get(&*variable.text),
                    Some(Entity::Integer)
                ) {
                    let problem = format!("{} is no integer", variable.text);
                    return self.wrong(variable.pos, problem);
                }
                let mut value = self.assigned(run, from, 32)?;
                loop {
                    run.locals.insert(&variable.text, (value, true));
                    let go = self.truth(run, condition)?;
                    match self.graph.value(go) {
                        Some(0) => break,
                        Some(_) => {}
                        None => return self.wrong(condition.pos, "the loop's end is not constant"),
                    }
                    self.passes += 1;
                    if self.passes > MAX_PASSES {
                        return self.wrong(variable.pos, "the loop does not end");
                    }
                    self.initialise(run, body)?;
                    value = self.assigned(run, step, 32)?;
                }
                run.locals.remove(variable.text.as_str());
                Ok(())
            }
            Stmt::Assign {
                target,
                value,
                nonblocking,
            } => {
                let pos = target.name.pos;
                if *nonblocking {
                    return self.refused(pos, "`<=` in `initial`");
                }
                let entity = self.scopes[run.scope]
                    .names
                    .get(&*target.name.text)
                    .cloned();
                if let Some(Entity::Memory(id)) = entity {
                    let Select::Index(index) = &target.at else {
                        return self.refused(pos, "an assignment to a whole memory");
                    };
                    let at = self.number_in(run, index, "the word that is assigned")?;
                    let (width, depth) = (self.memories[id].0.width, self.memories[id].0.depth);
                    if at >= depth as u64 {
                        let problem = format!("the memory has words 0 to {}, not {at}", depth - 1);
                        return self.wrong(index.pos, problem);
                    }
                    let limbs = self.constant_of(run, value, width)?;
                    let memory = &mut self.memories[id].0;
                    let at = at as usize;
                    memory.given[at] = true;
                    memory.initial[at * limbs.len()..][..limbs.len()].copy_from_slice(&limbs);
                    return Ok(());
                }
                let id = self.find_signal(run.scope, &target.name)?;
                if self.signals[id].kind != NetKind::Reg {
                    let problem = format!("{} is a wire; `initial` assigns regs", target.name.text);
                    return self.wrong(pos, problem);
                }
                let whole = self.signals[id].width;
                let (low, width) = match &target.at {
                    Select::Index(index) => {
                        let i = self.number_in(run, index, "the bit that is assigned")?;
                        self.within(id, i, i, pos)?
                    }
                    at => self.place(run.scope, id, at, pos)?,
                };
                let limbs = self.constant_of(run, value, width)?;
                let count = whole.div_ceil(64) as usize;
                let (values, given) = self.signals[id]
                    .initial
                    .get_or_insert_with(|| (vec![0; count], vec![0; count]));
                for bit in 0..width {
                    let (to, from) = (low + bit, bit);
                    let one = limbs[(from / 64) as usize] >> (from % 64) & 1;
                    let (limb, shift) = ((to / 64) as usize, to % 64);
                    values[limb] = values[limb] & !(1 << shift) | one << shift;
                    given[limb] |= 1 << shift;
                }
                Ok(())
            }
        }
    }

    fn constant_of(&mut self, run: &Run<'a>, value: &'a Expr, width: u32) -> Made<Vec<u64>> {
        let bits = self.assigned(run, value, width)?;
        match self.graph.wide_value(&bits) {
            Some(limbs) => Ok(limbs),
            None => self.refused(value.pos, "an initial value that is not constant"),
        }
    }

    // Clocked processes.

    fn clock(&mut self) -> Made<Vec<Vec<Edge>>> {
        let mut domains: Vec<Vec<Edge>> = vec![];
        let clocked = std::mem::take(&mut self.clocked);
        for ClockedProcess { process, events } in &clocked {
            let mut edges = vec![];
            for event in *events {
                let id = self.find_signal(process.scope, &event.signal)?;
                if self.signals[id].width != 1 {
                    let problem =
                        format!("the edge of {}, which has several bits", event.signal.text);
                    return self.wrong(event.signal.pos, problem);
                }
                let signal = self.read(id, 0, 1, event.signal.pos)?.limbs[0];
                // The rising edge of an inverted signal is its falling edge.
                let edge = match *self.graph.op(signal) {
                    crate::ir::Op::Not(x) => Edge {
                        signal: x,
                        rising: !event.rising,
                    },
                    _ => Edge {
                        signal,
                        rising: event.rising,
                    },
                };
                edges.push(edge);
            }
            edges.sort();
            edges.dedup();
            let domain = match domains.iter().position(|d| *d == edges) {
                Some(domain) => domain,
                None => {
                    domains.push(edges);
                    domains.len() - 1
                }
            } as u32;
            let mut run = self.fresh(process.scope, Mode::Clocked);
            self.execute(&mut run, process.body)?;
            for (key, variable) in run.variables {
                let Key::Signal(id) = key else { continue };
                let Some(first) = self.signals[id].register else {
                    continue;
                };
                for (i, next) in variable.bits.limbs.into_iter().enumerate() {
                    self.registers[first + i].next = next;
                    self.registers[first + i].domain = domain;
                }
            }
            for (memory, enable, address, data) in run.writes {
                self.memories[memory].0.writes.push(Write {
                    domain,
                    enable,
                    address,
                    data,
                });
            }
        }
        for (memory, pos) in &self.memories {
            if memory.writes.windows(2).any(|w| w[0].domain != w[1].domain) {
                return self.refused(*pos, "a memory written by two clocks");
            }
        }
        Ok(domains)
    }

    // Signals.

    fn read(&mut self, id: usize, low: u32, width: u32, pos: Pos) -> Made<Bits> {
        if let Some(value) = self.signals[id].value.clone() {
            return Ok(self.graph.part(&value, low, width));
        }
        let mut drivers: Vec<(u32, u32, usize)> = self.signals[id]
            .drivers
            .iter()
            .map(|&d| (self.drivers[d].low, self.drivers[d].width, d))
            .filter(|(l, w, _)| *l < low + width && low < l + w)
            .collect();
        drivers.sort_unstable();
        let mut parts = vec![];
        let mut at = low;
        for (from, wide, driver) in drivers {
            if from > at {
                break;
            }
            let value = self.deeper(pos, |e| e.driven(driver, id, pos))?;
            let end = (from + wide).min(low + width);
            parts.push(self.graph.part(&value, at - from, end - at));
            at = end;
        }
        if at < low + width {
            let signal = &self.signals[id];
            let what = if signal.width == 1 {
                signal.path.clone()
            } else {
                format!("{}[{at}]", signal.path)
            };
            return self.wrong(pos, format!("nothing drives {what}"));
        }
        let bits = self.graph.join(&parts);
        if low == 0 && width == self.signals[id].width {
            self.signals[id].value = Some(bits.clone());
        }
        Ok(bits)
    }

    fn driven(&mut self, driver: usize, id: usize, pos: Pos) -> Made<Bits> {
        match &self.drivers[driver].state {
            State::Done(bits) => return Ok(bits.clone()),
            State::Busy => {
                let problem = format!(
                    "a combinational loop: {} depends on itself; it is read again at {}",
                    self.signals[id].path,
                    self.files.place(pos)
                );
                return self.wrong(self.drivers[driver].pos, problem);
            }
            State::New => {}
        }
        self.drivers[driver].state = State::Busy;
        let (width, pos) = (self.drivers[driver].width, self.drivers[driver].pos);
        let bits = match self.drivers[driver].source.clone() {
            Source::Given(bits) => bits,
            Source::Expr { scope, expr, exact } => {
                let run = self.fresh(scope, Mode::Plain);
                if exact {
                    self.evaluate(&run, expr, width, false)?
                } else {
                    self.assigned(&run, expr, width)?
                }
            }
            Source::Signal(inside) => self.read(inside, 0, width, pos)?,
            Source::Process(process) => self.processed(process, id)?,
        };
        let bits = match self.signals[id].fault.clone() {
            Some(fault) => {
                let fault = self.graph.part(&fault, self.drivers[driver].low, width);
                self.graph.both(&bits, &fault, Graph::xor)
            }
            None => bits,
        };
        self.drivers[driver].state = State::Done(bits.clone());
        Ok(bits)
    }

    /// What a process without a clock gives a signal.
    fn processed(&mut self, index: usize, id: usize) -> Made<Bits> {
        let (scope, body, pos) = {
            let process = &self.processes[index];
            (process.scope, process.body, process.pos)
        };
        let mut run = self.fresh(scope, Mode::Combinational);
        // Only what this signal depends on: two signals of one process make no loop.
        let mut needed = BTreeSet::from([id]);
        loop {
            let before = needed.len();
            self.needs(scope, index, body, &BTreeSet::new(), &mut needed);
            if needed.len() == before {
                break;
            }
        }
        run.needed = Some(needed.into_iter().map(Key::Signal).collect());
        self.execute(&mut run, body)?;
        match run.variables.remove(&Key::Signal(id)) {
            Some(variable) if variable.defined.iter().all(|d| *d) => Ok(variable.bits),
            _ => {
                let problem = format!(
                    "{} is not assigned on every path through this process: a latch",
                    self.signals[id].path
                );
                self.wrong(pos, problem)
            }
        }
    }

    /// Adds to `needed` what the assignments of needed signals read of the process's own; `above` is read by conditions.
    fn needs(
        &self,
        scope: usize,
        process: usize,
        body: &Stmt,
        above: &BTreeSet<usize>,
        needed: &mut BTreeSet<usize>,
    ) {
        let own = |e: &Expr, into: &mut BTreeSet<usize>| {
            names_of(e, &mut |name| {
                if let Some(Entity::Signal(id)) = self.scopes[scope].names.get(name) {
                    if self.processes[process].targets.contains(id) {
                        into.insert(*id);
                    }
                }
            });
        };
        match body {
            Stmt::Empty | Stmt::For { .. } => {}
            Stmt::Block(block) => block
                .iter()
                .for_each(|s| self.needs(scope, process, s, above, needed)),
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let mut above = above.clone();
                own(condition, &mut above);
                self.needs(scope, process, then, &above, needed);
                self.needs(scope, process, otherwise, &above, needed);
            }
            Stmt::Case {
                test,
                arms,
                default,
            } => {
                let mut above = above.clone();
                own(test, &mut above);
                for (labels, _) in arms {
                    labels.iter().for_each(|l| own(l, &mut above));
                }
                let bodies = arms.iter().map(|(_, s)| s).chain(default.as_deref());
                bodies.for_each(|s| self.needs(scope, process, s, &above, needed));
            }
            Stmt::Assign { target, value, .. } => {
                let id = match self.scopes[scope].names.get(&*target.name.text) {
                    Some(Entity::Signal(id)) if needed.contains(id) => *id,
                    _ => return,
                };
                needed.insert(id);
                needed.extend(above);
                own(value, needed);
                if let Select::Index(index) = &target.at {
                    own(index, needed);
                }
            }
        }
    }

    // Statements.

    /// Whether a statement assigns what is asked for.
    fn concerns(&self, run: &Run<'a>, body: &Stmt) -> bool {
        let Some(needed) = &run.needed else {
            return true;
        };
        match body {
            Stmt::Empty | Stmt::For { .. } => false,
            Stmt::Block(block) => block.iter().any(|s| self.concerns(run, s)),
            Stmt::If {
                then, otherwise, ..
            } => self.concerns(run, then) || self.concerns(run, otherwise),
            Stmt::Case { arms, default, .. } => {
                let mut bodies = arms.iter().map(|(_, s)| s).chain(default.as_deref());
                bodies.any(|s| self.concerns(run, s))
            }
            Stmt::Assign { target, .. } => {
                match self.scopes[run.scope].names.get(&*target.name.text) {
                    Some(Entity::Signal(id)) => needed.contains(&Key::Signal(*id)),
                    _ => false,
                }
            }
        }
    }

    fn execute(&mut self, run: &mut Run<'a>, body: &'a Stmt) -> Made<()> {
        match body {
            Stmt::Empty => Ok(()),
            Stmt::Block(block) => block.iter().try_for_each(|s| self.execute(run, s)),
            Stmt::Assign {
                target,
                nonblocking: true,
                ..
            } if run.mode == Mode::Function => self.refused(target.name.pos, "`<=` in a function"),
            Stmt::Assign { target, value, .. } => self.assign(run, target, value),
            Stmt::For { variable, .. } => {
                self.refused(variable.pos, "a `for` loop outside `initial`")
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                if !self.concerns(run, body) {
                    return Ok(());
                }
                let condition = self.truth(run, condition)?;
                self.branch(
                    run,
                    condition,
                    |e, run| e.execute(run, then),
                    |e, run| e.execute(run, otherwise),
                )
            }
            Stmt::Case {
                test,
                arms,
                default,
            } => {
                if !self.concerns(run, body) {
                    return Ok(());
                }
                let pos = test.pos;
                let (mut width, mut signed) = self.size(run, test)?;
                for label in arms.iter().flat_map(|(labels, _)| labels) {
                    let (w, s) = self.size(run, label)?;
                    width = width.max(w);
                    signed &= s;
                }
                let test = self.evaluate(run, test, width, signed)?;
                let mut conditions = vec![];
                let mut values = BTreeSet::new();
                for (labels, _) in arms {
                    let mut any = self.graph.constant(0, 1);
                    for label in labels {
                        let label = self.evaluate(run, label, width, signed)?;
                        if let Some(value) = self.graph.wide_value(&label) {
                            values.insert(value);
                        }
                        let equal = self.graph.wide_equal(&test, &label);
                        any = self.graph.or(any, equal);
                    }
                    conditions.push(any);
                }
                // Every value has its arm: the last one needs no test.
                if default.is_none() && width < 20 && values.len() == 1 << width {
                    if let Some(last) = conditions.last_mut() {
                        *last = self.graph.constant(1, 1);
                    }
                }
                self.arms(run, pos, &conditions, arms, default.as_deref())
            }
        }
    }

    fn arms(
        &mut self,
        run: &mut Run<'a>,
        pos: Pos,
        conditions: &[Id],
        arms: &'a [(Vec<Expr>, Stmt)],
        default: Option<&'a Stmt>,
    ) -> Made<()> {
        let ([condition, conditions @ ..], [(_, body), arms @ ..]) = (conditions, arms) else {
            return match default {
                Some(body) => self.execute(run, body),
                None => Ok(()),
            };
        };
        self.deeper(pos, |e| {
            e.branch(
                run,
                *condition,
                |e, run| e.execute(run, body),
                |e, run| e.arms(run, pos, conditions, arms, default),
            )
        })
    }

    fn branch(
        &mut self,
        run: &mut Run<'a>,
        condition: Id,
        then: impl FnOnce(&mut Self, &mut Run<'a>) -> Made<()>,
        otherwise: impl FnOnce(&mut Self, &mut Run<'a>) -> Made<()>,
    ) -> Made<()> {
        match self.graph.value(condition) {
            Some(0) => return otherwise(self, run),
            Some(_) => return then(self, run),
            None => {}
        }
        let (path, before) = (run.path, run.variables.clone());
        run.path = self.graph.and(path, condition);
        then(self, run)?;
        let mut taken = std::mem::replace(&mut run.variables, before);
        let not = self.graph.not(condition);
        run.path = self.graph.and(path, not);
        otherwise(self, run)?;
        run.path = path;
        let keys: BTreeSet<Key> = taken.keys().chain(run.variables.keys()).copied().collect();
        for key in keys {
            let (a, b) = (taken.remove(&key), run.variables.remove(&key));
            let a = self.or_before(run, key, a)?;
            let b = self.or_before(run, key, b)?;
            let merged = if a == b {
                a
            } else {
                Variable {
                    bits: self.graph.wide_choose(condition, &a.bits, &b.bits),
                    defined: a
                        .defined
                        .iter()
                        .zip(&b.defined)
                        .map(|(a, b)| *a && *b)
                        .collect(),
                }
            };
            run.variables.insert(key, merged);
        }
        Ok(())
    }

    /// A variable as it stands; one that nothing has assigned keeps its register's value or is not defined.
    fn or_before(&mut self, run: &Run<'a>, key: Key, now: Option<Variable>) -> Made<Variable> {
        if let Some(now) = now {
            return Ok(now);
        }
        match (key, run.mode) {
            (Key::Signal(id), Mode::Clocked) => Ok(Variable {
                bits: self.held(id).unwrap_or_default(),
                defined: vec![true; self.signals[id].width as usize],
            }),
            _ => {
                let width = match (key, run.result) {
                    (Key::Signal(id), _) => self.signals[id].width,
                    (Key::Result, Some((_, width))) => width,
                    (Key::Result, None) => 1,
                };
                Ok(Variable {
                    bits: self.graph.wide_constant(&[], width),
                    defined: vec![false; width as usize],
                })
            }
        }
    }

    fn assign(&mut self, run: &mut Run<'a>, target: &'a Target, value: &'a Expr) -> Made<()> {
        let pos = target.name.pos;
        let name = target.name.text.as_str();
        let entity = self.scopes[run.scope].names.get(name).cloned();
        let (key, whole) = match (run.result, entity) {
            (Some((result, width)), _) if result == name => (Key::Result, width),
            (Some(_), _) => {
                return self.refused(pos, "a function that assigns anything but its result")
            }
            (None, Some(Entity::Memory(id))) => {
                let Select::Index(index) = &target.at else {
                    return self.refused(pos, "an assignment to a whole memory");
                };
                let address = self.address(run, id, index)?;
                let width = self.memories[id].0.width;
                let data = self.assigned(run, value, width)?;
                // Words beyond the last one do not exist.
                let (valid, address) = address;
                let enable = self.graph.and(run.path, valid);
                run.writes.push((id, enable, address, data));
                return Ok(());
            }
            (None, _) => {
                let id = self.find_signal(run.scope, &target.name)?;
                (Key::Signal(id), self.signals[id].width)
            }
        };
        if run.needed.as_ref().is_some_and(|n| !n.contains(&key)) {
            return Ok(());
        }
        if let Select::Whole = target.at {
            let bits = self.assigned(run, value, whole)?;
            let defined = vec![true; whole as usize];
            run.variables.insert(key, Variable { bits, defined });
            return Ok(());
        }
        let old = run.variables.get(&key).cloned();
        let old = self.or_before(run, key, old)?;
        let (low, width) = match &target.at {
            Select::Whole => (0, whole),
            Select::Index(index) => {
                let at = self.value(run, index)?;
                match self.graph.wide_value(&at) {
                    Some(at) if at[0] < u64::from(whole) => (at[0] as u32, 1),
                    Some(at) => {
                        let problem = format!("{name} has bits {}:0, not {}", whole - 1, at[0]);
                        return self.wrong(index.pos, problem);
                    }
                    None => {
                        // A bit beyond the highest does not exist: the shift drops it.
                        let bit = self.assigned(run, value, 1)?;
                        let one = self.graph.wide_constant(&[1], whole);
                        let chosen = self.graph.wide_shift(&one, &at, true);
                        let bit = self.graph.resize(&bit, whole, true);
                        let set = self.graph.both(&chosen, &bit, Graph::and);
                        let others = self.graph.each(&chosen, Graph::not);
                        let kept = self.graph.both(&old.bits, &others, Graph::and);
                        let bits = self.graph.both(&kept, &set, Graph::or);
                        let defined = old.defined;
                        run.variables.insert(key, Variable { bits, defined });
                        return Ok(());
                    }
                }
            }
            Select::Part(range) => {
                let low = self.number_in(run, &range.right, "the part's right bound")?;
                let high = self.number_in(run, &range.left, "the part's left bound")?;
                if high >= u64::from(whole) || low > high {
                    let problem = format!("{name} has bits {}:0, not {high}:{low}", whole - 1);
                    return self.wrong(pos, problem);
                }
                (low as u32, (high - low + 1) as u32)
            }
        };
        let middle = self.assigned(run, value, width)?;
        let mut parts = vec![];
        if low > 0 {
            parts.push(self.graph.part(&old.bits, 0, low));
        }
        parts.push(middle);
        if low + width < whole {
            parts.push(self.graph.part(&old.bits, low + width, whole - low - width));
        }
        let bits = self.graph.join(&parts);
        let mut defined = old.defined;
        defined[low as usize..(low + width) as usize].fill(true);
        run.variables.insert(key, Variable { bits, defined });
        Ok(())
    }

    // Expressions.

    /// Whether an address has a word, and the address cut to the bits that reach all words.
    fn address(&mut self, run: &Run<'a>, memory: usize, index: &'a Expr) -> Made<(Id, Id)> {
        let depth = self.memories[memory].0.depth;
        let bits = address_bits(depth).max(1);
        let address = self.value(run, index)?;
        let width = address.width.max(bits);
        let address = self.graph.resize(&address, width, false);
        let valid = if width == bits && depth == 1 << bits {
            self.graph.constant(1, 1)
        } else {
            let mut limbs = vec![0; width.div_ceil(64) as usize];
            limbs[0] = depth as u64 - 1;
            let last = self.graph.wide_constant(&limbs, width);
            let beyond = self.graph.wide_less(&last, &address);
            self.graph.not(beyond)
        };
        Ok((valid, self.graph.part(&address, 0, bits).limbs[0]))
    }

    /// Self-determined width, and whether the expression is signed.
    fn size(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<(u32, bool)> {
        self.deeper(expr.pos, |e| e.size_here(run, expr))
    }

    fn size_here(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<(u32, bool)> {
        Ok(match &expr.kind {
            ExprKind::Number(n) => (n.width.unwrap_or(32), n.signed),
            ExprKind::Signal(name, at) => {
                let (whole, signed, memory) = self.named(run, name, expr.pos)?;
                match at {
                    Select::Whole if memory => {
                        return self.refused(expr.pos, "a whole memory in an expression")
                    }
                    Select::Whole => (whole, signed),
                    Select::Index(_) if memory => (whole, false),
                    Select::Index(_) => (1, false),
                    Select::Part(range) => {
                        if memory {
                            return self.refused(expr.pos, "a range of a memory's words");
                        }
                        let low = self.number_in(run, &range.right, "the part's right bound")?;
                        let high = self.number_in(run, &range.left, "the part's left bound")?;
                        if high >= u64::from(whole) || low > high {
                            let problem =
                                format!("{name} has bits {}:0, not {high}:{low}", whole - 1);
                            return self.wrong(expr.pos, problem);
                        }
                        ((high - low + 1) as u32, false)
                    }
                }
            }
            ExprKind::Unary(op, x) => match op {
                Unary::Not | Unary::Negate | Unary::Plus => self.size(run, x)?,
                _ => (1, false),
            },
            ExprKind::Binary(op, a, b) => match op {
                Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::Xnor => {
                    let ((a, s), (b, t)) = (self.size(run, a)?, self.size(run, b)?);
                    (a.max(b), s && t)
                }
                Binary::ShiftLeft | Binary::ShiftRight => self.size(run, a)?,
                _ => (1, false),
            },
            ExprKind::Choose(_, a, b) => {
                let ((a, s), (b, t)) = (self.size(run, a)?, self.size(run, b)?);
                (a.max(b), s && t)
            }
            ExprKind::Concat(parts) => (self.concat_size(run, parts)?, false),
            ExprKind::Repeat(count, parts) => {
                let count = self.number_in(run, count, "the count of a repetition")?;
                let width = u64::from(self.concat_size(run, parts)?);
                match count.saturating_mul(width) {
                    total @ 1.. if total <= u64::from(MAX_BITS) => (total as u32, false),
                    _ => return self.wrong(expr.pos, "a repetition of no or too many bits"),
                }
            }
            ExprKind::Call(name, _) => {
                let Some(&function) = self.scopes[run.scope].functions.get(name.as_str()) else {
                    return self.wrong(expr.pos, format!("no function {name}"));
                };
                (self.width(run.scope, &function.range)?, false)
            }
        })
    }

    fn concat_size(&mut self, run: &Run<'a>, parts: &'a [Expr]) -> Made<u32> {
        let mut total = 0u32;
        for part in parts {
            if let ExprKind::Number(n) = &part.kind {
                if n.width.is_none() {
                    return self.wrong(part.pos, "a number without a size in a concatenation");
                }
            }
            total = total.saturating_add(self.size(run, part)?.0);
            if total > MAX_BITS {
                return self.wrong(part.pos, format!("more than {MAX_BITS} bits"));
            }
        }
        Ok(total)
    }

    /// Width, signedness and whether it is a memory.
    fn named(&self, run: &Run<'a>, name: &str, pos: Pos) -> Made<(u32, bool, bool)> {
        if let Some((bits, signed)) = run.locals.get(name) {
            return Ok((bits.width, *signed, false));
        }
        if let Some((_, width)) = run.result.filter(|(result, _)| *result == name) {
            return Ok((width, false, false));
        }
        match self.scopes[run.scope].names.get(name) {
            Some(Entity::Signal(id)) => Ok((self.signals[*id].width, false, false)),
            Some(Entity::Memory(id)) => Ok((self.memories[*id].0.width, false, true)),
            Some(Entity::Constant(bits, signed)) => Ok((bits.width, *signed, false)),
            Some(Entity::Integer) => {
                self.refused(pos, format!("the integer {name} outside its loop"))
            }
            None => self.wrong(pos, format!("{name} is not declared")),
        }
    }

    /// The value by itself.
    fn value(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<Bits> {
        let (width, signed) = self.size(run, expr)?;
        self.evaluate(run, expr, width, signed)
    }

    /// The value as it is assigned to `width` bits.
    fn assigned(&mut self, run: &Run<'a>, expr: &'a Expr, width: u32) -> Made<Bits> {
        let (own, signed) = self.size(run, expr)?;
        let bits = self.evaluate(run, expr, own.max(width), signed)?;
        Ok(self.graph.part(&bits, 0, width))
    }

    /// One bit: the value is not zero.
    fn truth(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<Id> {
        let bits = self.value(run, expr)?;
        Ok(self.graph.any(&bits))
    }

    /// Both at the greater width of the two.
    fn compared(&mut self, run: &Run<'a>, a: &'a Expr, b: &'a Expr) -> Made<(Bits, Bits, bool)> {
        let ((v, s), (w, t)) = (self.size(run, a)?, self.size(run, b)?);
        let (width, signed) = (v.max(w), s && t);
        Ok((
            self.evaluate(run, a, width, signed)?,
            self.evaluate(run, b, width, signed)?,
            signed,
        ))
    }

    /// The value in a context of `width` bits and that signedness.
    fn evaluate(&mut self, run: &Run<'a>, expr: &'a Expr, width: u32, signed: bool) -> Made<Bits> {
        self.deeper(expr.pos, |e| e.evaluate_here(run, expr, width, signed))
    }

    fn evaluate_here(
        &mut self,
        run: &Run<'a>,
        expr: &'a Expr,
        width: u32,
        signed: bool,
    ) -> Made<Bits> {
        let one = |graph: &mut Graph, id: Id| {
            let bit = Bits {
                width: 1,
                limbs: vec![id],
            };
            graph.resize(&bit, width, false)
        };
        match &expr.kind {
            ExprKind::Number(n) => {
                let bits = self.graph.wide_constant(&n.limbs, n.width.unwrap_or(32));
                Ok(self.graph.resize(&bits, width, signed))
            }
            ExprKind::Signal(name, at) => {
                let bits = self.selected(run, name, at, expr.pos)?;
                Ok(self.graph.resize(&bits, width, signed))
            }
            ExprKind::Unary(op, x) => {
                let result = match op {
                    Unary::Not => {
                        let x = self.evaluate(run, x, width, signed)?;
                        return Ok(self.graph.each(&x, Graph::not));
                    }
                    Unary::Negate => {
                        let x = self.evaluate(run, x, width, signed)?;
                        let zero = self.graph.wide_constant(&[], width);
                        return Ok(self.graph.wide_sum(&zero, &x, true));
                    }
                    Unary::Plus => return self.evaluate(run, x, width, signed),
                    Unary::Logical => {
                        let x = self.truth(run, x)?;
                        self.graph.not(x)
                    }
                    Unary::All | Unary::NotAll => {
                        let x = self.value(run, x)?;
                        let all = self.graph.all(&x);
                        match op {
                            Unary::All => all,
                            _ => self.graph.not(all),
                        }
                    }
                    Unary::Any | Unary::NotAny => {
                        let any = self.truth(run, x)?;
                        match op {
                            Unary::Any => any,
                            _ => self.graph.not(any),
                        }
                    }
                    Unary::Parity | Unary::NotParity => {
                        let x = self.value(run, x)?;
                        let parity = self.graph.wide_parity(&x);
                        match op {
                            Unary::Parity => parity,
                            _ => self.graph.not(parity),
                        }
                    }
                };
                Ok(one(&mut self.graph, result))
            }
            ExprKind::Binary(op, a, b) => self.operation(run, *op, a, b, width, signed),
            ExprKind::Choose(c, a, b) => {
                let c = self.truth(run, c)?;
                let a = self.evaluate(run, a, width, signed)?;
                let b = self.evaluate(run, b, width, signed)?;
                Ok(self.graph.wide_choose(c, &a, &b))
            }
            ExprKind::Concat(parts) => {
                self.concat_size(run, parts)?;
                let bits = self.concatenated(run, parts)?;
                Ok(self.graph.resize(&bits, width, false))
            }
            ExprKind::Repeat(_, parts) => {
                let (total, _) = self.size(run, expr)?;
                let bits = self.concatenated(run, parts)?;
                let count = total / bits.width;
                let bits = self.graph.join(&vec![bits; count as usize]);
                Ok(self.graph.resize(&bits, width, false))
            }
            ExprKind::Call(name, arguments) => {
                let bits = self.call(run, name, arguments, expr.pos)?;
                Ok(self.graph.resize(&bits, width, false))
            }
        }
    }

    fn concatenated(&mut self, run: &Run<'a>, parts: &'a [Expr]) -> Made<Bits> {
        let mut bits = vec![];
        for part in parts.iter().rev() {
            bits.push(self.value(run, part)?);
        }
        Ok(self.graph.join(&bits))
    }

    fn operation(
        &mut self,
        run: &Run<'a>,
        op: Binary,
        a: &'a Expr,
        b: &'a Expr,
        width: u32,
        signed: bool,
    ) -> Made<Bits> {
        let bit = match op {
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Xnor => {
                let a = self.evaluate(run, a, width, signed)?;
                let b = self.evaluate(run, b, width, signed)?;
                let graph = &mut self.graph;
                return Ok(match op {
                    Binary::Add => graph.wide_sum(&a, &b, false),
                    Binary::Sub => graph.wide_sum(&a, &b, true),
                    Binary::Mul => graph.wide_product(&a, &b),
                    Binary::And => graph.both(&a, &b, Graph::and),
                    Binary::Or => graph.both(&a, &b, Graph::or),
                    Binary::Xor => graph.both(&a, &b, Graph::xor),
                    _ => {
                        let differ = graph.both(&a, &b, Graph::xor);
                        graph.each(&differ, Graph::not)
                    }
                });
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                let a = self.evaluate(run, a, width, signed)?;
                let b = self.value(run, b)?;
                return Ok(self.graph.wide_shift(&a, &b, op == Binary::ShiftLeft));
            }
            Binary::LogicalAnd | Binary::LogicalOr => {
                let (a, b) = (self.truth(run, a)?, self.truth(run, b)?);
                if op == Binary::LogicalAnd {
                    self.graph.and(a, b)
                } else {
                    self.graph.or(a, b)
                }
            }
            Binary::Equal | Binary::NotEqual => {
                let (a, b, _) = self.compared(run, a, b)?;
                let equal = self.graph.wide_equal(&a, &b);
                if op == Binary::Equal {
                    equal
                } else {
                    self.graph.not(equal)
                }
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (mut a, mut b, signed) = self.compared(run, a, b)?;
                if signed {
                    // The order of signed numbers is that of numbers with the sign inverted.
                    let mut top = vec![0; a.limbs.len()];
                    let sign = a.width - 1;
                    top[(sign / 64) as usize] = 1 << (sign % 64);
                    let top = self.graph.wide_constant(&top, a.width);
                    a = self.graph.both(&a, &top, Graph::xor);
                    b = self.graph.both(&b, &top, Graph::xor);
                }
                match op {
                    Binary::Less => self.graph.wide_less(&a, &b),
                    Binary::Greater => self.graph.wide_less(&b, &a),
                    Binary::LessEqual => {
                        let greater = self.graph.wide_less(&b, &a);
                        self.graph.not(greater)
                    }
                    _ => {
                        let less = self.graph.wide_less(&a, &b);
                        self.graph.not(less)
                    }
                }
            }
        };
        let bit = Bits {
            width: 1,
            limbs: vec![bit],
        };
        Ok(self.graph.resize(&bit, width, false))
    }

    fn selected(&mut self, run: &Run<'a>, name: &str, at: &'a Select, pos: Pos) -> Made<Bits> {
        let (whole, _, memory) = self.named(run, name, pos)?;
        if memory {
            let (Select::Index(index), Some(Entity::Memory(id))) =
                (at, self.scopes[run.scope].names.get(name).cloned())
            else {
                return self.refused(pos, "a whole memory in an expression");
            };
            let (valid, address) = self.address(run, id, index)?;
            let limbs = (0..whole.div_ceil(64))
                .map(|limb| {
                    let width = crate::ir::limb_width(whole, limb);
                    self.graph.read(id as u32, limb, address, width)
                })
                .collect();
            let word = Bits {
                width: whole,
                limbs,
            };
            let none = self.graph.wide_constant(&[], whole);
            return Ok(self.graph.wide_choose(valid, &word, &none));
        }
        let (low, width) = match at {
            Select::Whole => (0, whole),
            Select::Part(range) => {
                let low = self.number_in(run, &range.right, "the part's right bound")?;
                let high = self.number_in(run, &range.left, "the part's left bound")?;
                if high >= u64::from(whole) || low > high {
                    let problem = format!("{name} has bits {}:0, not {high}:{low}", whole - 1);
                    return self.wrong(pos, problem);
                }
                (low as u32, (high - low + 1) as u32)
            }
            Select::Index(index) => {
                let by = self.value(run, index)?;
                match self.graph.wide_value(&by) {
                    Some(i) if i[0] < u64::from(whole) && i[1..].iter().all(|l| *l == 0) => {
                        (i[0] as u32, 1)
                    }
                    Some(i) => {
                        let problem = format!("{name} has bits {}:0, not {}", whole - 1, i[0]);
                        return self.wrong(index.pos, problem);
                    }
                    None => {
                        let bits = self.bits_of(run, name, 0, whole, pos)?;
                        let shifted = self.graph.wide_shift(&bits, &by, false);
                        return Ok(self.graph.part(&shifted, 0, 1));
                    }
                }
            }
        };
        self.bits_of(run, name, low, width, pos)
    }

    /// Bits of a name: a local, a variable of the process, a constant or a signal.
    fn bits_of(&mut self, run: &Run<'a>, name: &str, low: u32, width: u32, pos: Pos) -> Made<Bits> {
        if let Some((bits, _)) = run.locals.get(name) {
            let bits = bits.clone();
            return Ok(self.graph.part(&bits, low, width));
        }
        let entity = self.scopes[run.scope].names.get(name).cloned();
        let key = match (run.result, entity) {
            (Some((result, _)), _) if result == name => Key::Result,
            (_, Some(Entity::Constant(bits, _))) => {
                return Ok(self.graph.part(&bits, low, width));
            }
            (_, Some(Entity::Signal(id))) => Key::Signal(id),
            _ => return self.wrong(pos, format!("{name} is no signal")),
        };
        let own = match (run.mode, &run.needed, key) {
            (Mode::Function, _, Key::Result) => true,
            (Mode::Combinational, Some(needed), key) => needed.contains(&key),
            _ => false,
        };
        if own {
            return match run.variables.get(&key) {
                Some(variable)
                    if variable.defined[low as usize..(low + width) as usize]
                        .iter()
                        .all(|d| *d) =>
                {
                    let bits = variable.bits.clone();
                    Ok(self.graph.part(&bits, low, width))
                }
                _ => self.wrong(
                    pos,
                    format!("{name} is read before it is assigned: a latch"),
                ),
            };
        }
        match key {
            Key::Signal(id) => self.read(id, low, width, pos),
            Key::Result => self.wrong(pos, format!("{name} is no signal")),
        }
    }

    fn call(&mut self, run: &Run<'a>, name: &str, arguments: &'a [Expr], pos: Pos) -> Made<Bits> {
        let Some(&function) = self.scopes[run.scope].functions.get(name) else {
            return self.wrong(pos, format!("no function {name}"));
        };
        if arguments.len() != function.inputs.len() {
            let problem = format!(
                "function {name} has {} inputs, here are {}",
                function.inputs.len(),
                arguments.len()
            );
            return self.wrong(pos, problem);
        }
        if run.mode == Mode::Function {
            return self.refused(pos, "a function that calls a function");
        }
        let width = self.width(run.scope, &function.range)?;
        let mut inside = self.fresh(run.scope, Mode::Function);
        for ((input, range), argument) in function.inputs.iter().zip(arguments) {
            let width = self.width(run.scope, range)?;
            let bits = self.assigned(run, argument, width)?;
            inside.locals.insert(&input.text, (bits, false));
        }
        inside.result = Some((&function.name.text, width));
        self.execute(&mut inside, &function.body)?;
        match inside.variables.remove(&Key::Result) {
            Some(result) if result.defined.iter().all(|d| *d) => Ok(result.bits),
            _ => {
                let problem = format!("function {name} does not give its result on every path");
                self.wrong(function.name.pos, problem)
            }
        }
    }
}

/// Calls `visit` with every name that an expression reads.
fn names_of(expr: &Expr, visit: &mut impl FnMut(&str)) {
    match &expr.kind {
        ExprKind::Number(_) => {}
        ExprKind::Signal(name, at) => {
            visit(name);
            if let Select::Index(index) = at {
                names_of(index, visit);
            }
        }
        ExprKind::Unary(_, x) => names_of(x, visit),
        ExprKind::Binary(_, a, b) => {
            names_of(a, visit);
            names_of(b, visit);
        }
        ExprKind::Choose(a, b, c) => {
            names_of(a, visit);
            names_of(b, visit);
            names_of(c, visit);
        }
        ExprKind::Concat(parts) | ExprKind::Call(_, parts) => {
            parts.iter().for_each(|p| names_of(p, visit));
        }
        ExprKind::Repeat(count, parts) => {
            names_of(count, visit);
            parts.iter().for_each(|p| names_of(p, visit));
        }
    }
}
