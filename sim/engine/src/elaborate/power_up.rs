//! Registers and their power-up values.

use super::{Elaborator, Entity, Made, Run, Source, MAX_PASSES};
use crate::ir::{Bits, Register};
use crate::syntax::{Expr, NetKind, Select, Stmt};

impl<'a> Elaborator<'a> {
    /// Makes registers of all that clocked processes assign.
    pub(super) fn declare_registers(&mut self) -> Made<()> {
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
    pub(super) fn held(&self, id: usize) -> Option<Bits> {
        let (first, width) = (self.signals[id].register?, self.signals[id].width);
        let registers = &self.registers[first..first + width.div_ceil(64) as usize];
        let limbs = registers.iter().map(|r| r.node).collect();
        Some(Bits { width, limbs })
    }

    pub(super) fn give_power_up(&mut self) -> Made<()> {
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

    pub(super) fn initialise(&mut self, run: &mut Run<'a>, body: &'a Stmt) -> Made<()> {
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

    pub(super) fn constant_of(
        &mut self,
        run: &Run<'a>,
        value: &'a Expr,
        width: u32,
    ) -> Made<Vec<u64>> {
        let bits = self.assigned(run, value, width)?;
        match self.graph.wide_value(&bits) {
            Some(limbs) => Ok(limbs),
            None => self.refused(value.pos, "an initial value that is not constant"),
        }
    }

    // Clocked processes.
}
