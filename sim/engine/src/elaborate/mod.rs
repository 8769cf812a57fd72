//! Flattens modules into a [`Netlist`]: instances, widths by the rules of IEEE 1364-2005 (section 5.4), processes as functions
//! of what they read.
//!
//! What drives a signal is computed when the signal is first read, so a path that comes back to a driver that is being computed
//! is a combinational loop.

mod connect;
mod drivers;
mod evaluate;
mod execute;
mod power_up;

use crate::error::EngineError;
use crate::ir::{Bits, Graph, Id, Memory, Named, Netlist, Port, Register};
use crate::lexer::{Files, Pos, MAX_BITS};
use crate::syntax::{self, Event, Expr, Function, Module, NetKind, Stmt};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

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

/// A driver, the first of its bits and the one behind the last.
type Part = (usize, u32, u32);

enum Busy {
    Driver(usize),
    Part(Part),
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

/// The part of a process that one of its signals depends on.
struct Slice {
    /// The signals that the process assigns.
    own: BTreeSet<usize>,
    /// Places of the assignments that are executed.
    assignments: BTreeSet<Pos>,
}

impl Slice {
    fn new(own: &[usize]) -> Self {
        Slice {
            own: own.iter().copied().collect(),
            assignments: BTreeSet::new(),
        }
    }
}

/// Where statements run.
struct Run<'a> {
    scope: usize,
    mode: Mode,
    /// Inputs of a function, or the variables of loops.
    locals: HashMap<&'a str, (Bits, bool)>,
    result: Option<(&'a str, u32)>,
    variables: BTreeMap<Key, Variable>,
    /// What of the process is executed.
    slice: Option<Slice>,
    /// Condition under which the present statement runs.
    path: Id,
    writes: Vec<(usize, Id, Id, Bits)>,
}

/// What there is beyond a memory's depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Words of zeros that cannot be written.
    Empty,
    /// Anything; addresses are not checked.
    Undefined,
}

/// Elaborates `top`. To the value of each of the signals `sites` an input beside the ports is added.
pub(crate) fn netlist(
    files: &Files,
    modules: &[Module],
    top: &str,
    sites: &[String],
    beyond: Beyond,
) -> Made<Netlist> {
    let mut by_name: HashMap<&str, &Module> = HashMap::default();
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
        beyond,
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
        partly: HashMap::default(),
        busy: vec![],
        looped: false,
        retries: 0,
        stack: vec![],
    };
    elaborator.run(root, sites)
}

struct Elaborator<'a> {
    files: &'a Files,
    modules: HashMap<&'a str, &'a Module>,
    beyond: Beyond,
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
    /// Bits of signals that were asked for while the others were being computed.
    partly: HashMap<Part, State>,
    /// What is being computed, the innermost last.
    busy: Vec<Busy>,
    /// The last error was a loop.
    looped: bool,
    /// Attempts that ended in one.
    retries: u32,
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

    /// An input of the graph, in the words from `next` on.
    fn input(&mut self, width: u32, next: &mut u32) -> Bits {
        let limb = |i| {
            *next += 1;
            let width = crate::ir::limb_width(width, i);
            self.graph.input(*next - 1, width)
        };
        let limbs = (0..width.div_ceil(64)).map(limb).collect();
        Bits { width, limbs }
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
                let bits = self.input(width, &mut input_word);
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
            let bits = self.input(width, &mut input_word);
            self.signals[id].fault = Some(bits.clone());
            faults.push(bits);
        }
        self.declare_registers()?;
        let mut held: Vec<&Signal> = self
            .signals
            .iter()
            .filter(|s| s.register.is_some())
            .collect();
        held.sort_by_key(|signal| signal.register);
        let register_names = held.iter().map(|s| (s.path.clone(), s.width)).collect();
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
            register_names,
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
            locals: HashMap::default(),
            result: None,
            variables: BTreeMap::new(),
            slice: None,
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
}
