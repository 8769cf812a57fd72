//! Declarations, instances and connections of a module.

use super::{
    ClockedProcess, Driver, Elaborator, Entity, Made, Mode, Process, Scope, Signal, Source, State,
    MAX_INSTANCES, MAX_WORDS,
};
use crate::ir::Memory;
use crate::lexer::Pos;
use crate::syntax::{ExprKind, Item, Module, Name, NetKind, Select, Stmt};
use rustc_hash::FxHashMap as HashMap;

impl<'a> Elaborator<'a> {
    pub(super) fn declare(&mut self, scope: usize, name: &'a Name, entity: Entity) -> Made<()> {
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

    pub(super) fn signal(
        &mut self,
        scope: usize,
        name: &'a Name,
        width: u32,
        kind: NetKind,
    ) -> Made<usize> {
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

    pub(super) fn drive(
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

    pub(super) fn instantiate(
        &mut self,
        module: &'a Module,
        path: String,
        pos: Pos,
    ) -> Made<usize> {
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
            names: HashMap::default(),
            functions: HashMap::default(),
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

    pub(super) fn declare_item(&mut self, scope: usize, item: &'a Item) -> Made<()> {
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

    pub(super) fn connect_item(&mut self, scope: usize, path: &str, item: &'a Item) -> Made<()> {
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

    pub(super) fn within(&self, id: usize, low: u64, high: u64, pos: Pos) -> Made<(u32, u32)> {
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
    pub(super) fn place(
        &mut self,
        scope: usize,
        id: usize,
        at: &'a Select,
        pos: Pos,
    ) -> Made<(u32, u32)> {
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

    pub(super) fn find_signal(&self, scope: usize, name: &Name) -> Made<usize> {
        match self.scopes[scope].names.get(name.text.as_str()) {
            Some(Entity::Signal(id)) => Ok(*id),
            Some(_) => self.wrong(name.pos, format!("{} is no signal", name.text)),
            None => self.wrong(name.pos, format!("{} is not declared", name.text)),
        }
    }

    /// The signals that a process assigns, and what kind of assignment it may use.
    pub(super) fn targets(
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
}
