//! Expressions: widths and values.

use super::{Elaborator, Entity, Key, Made, Mode, Run};
use crate::ir::{Bits, Graph, Id};
use crate::lexer::{Pos, MAX_BITS};
use crate::syntax::{Binary, Expr, ExprKind, Select, Unary};

impl<'a> Elaborator<'a> {
    /// Self-determined width, and whether the expression is signed.
    pub(super) fn size(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<(u32, bool)> {
        self.deeper(expr.pos, |e| e.size_here(run, expr))
    }

    pub(super) fn size_here(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<(u32, bool)> {
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

    pub(super) fn concat_size(&mut self, run: &Run<'a>, parts: &'a [Expr]) -> Made<u32> {
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
    pub(super) fn named(&self, run: &Run<'a>, name: &str, pos: Pos) -> Made<(u32, bool, bool)> {
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
    pub(super) fn value(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<Bits> {
        let (width, signed) = self.size(run, expr)?;
        self.evaluate(run, expr, width, signed)
    }

    /// The value as it is assigned to `width` bits.
    pub(super) fn assigned(&mut self, run: &Run<'a>, expr: &'a Expr, width: u32) -> Made<Bits> {
        let (own, signed) = self.size(run, expr)?;
        let bits = self.evaluate(run, expr, own.max(width), signed)?;
        Ok(self.graph.part(&bits, 0, width))
    }

    /// One bit: the value is not zero.
    pub(super) fn truth(&mut self, run: &Run<'a>, expr: &'a Expr) -> Made<Id> {
        let bits = self.value(run, expr)?;
        Ok(self.graph.any(&bits))
    }

    /// Both at the greater width of the two.
    pub(super) fn compared(
        &mut self,
        run: &Run<'a>,
        a: &'a Expr,
        b: &'a Expr,
    ) -> Made<(Bits, Bits, bool)> {
        let ((v, s), (w, t)) = (self.size(run, a)?, self.size(run, b)?);
        let (width, signed) = (v.max(w), s && t);
        Ok((
            self.evaluate(run, a, width, signed)?,
            self.evaluate(run, b, width, signed)?,
            signed,
        ))
    }

    /// The value in a context of `width` bits and that signedness.
    pub(super) fn evaluate(
        &mut self,
        run: &Run<'a>,
        expr: &'a Expr,
        width: u32,
        signed: bool,
    ) -> Made<Bits> {
        self.deeper(expr.pos, |e| e.evaluate_here(run, expr, width, signed))
    }

    pub(super) fn evaluate_here(
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

    pub(super) fn concatenated(&mut self, run: &Run<'a>, parts: &'a [Expr]) -> Made<Bits> {
        let mut bits = vec![];
        for part in parts.iter().rev() {
            bits.push(self.value(run, part)?);
        }
        Ok(self.graph.join(&bits))
    }

    pub(super) fn operation(
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

    pub(super) fn selected(
        &mut self,
        run: &Run<'a>,
        name: &str,
        at: &'a Select,
        pos: Pos,
    ) -> Made<Bits> {
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
    pub(super) fn bits_of(
        &mut self,
        run: &Run<'a>,
        name: &str,
        low: u32,
        width: u32,
        pos: Pos,
    ) -> Made<Bits> {
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
        let own = match (run.mode, &run.slice, key) {
            (Mode::Function, _, Key::Result) => true,
            (Mode::Combinational, Some(slice), Key::Signal(id)) => slice.own.contains(&id),
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

    pub(super) fn call(
        &mut self,
        run: &Run<'a>,
        name: &str,
        arguments: &'a [Expr],
        pos: Pos,
    ) -> Made<Bits> {
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
