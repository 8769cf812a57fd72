//! Evaluates blocks that read constants only. `always @*` never runs for them: it waits for a change of what it reads.

use super::expr::{Amount, Expr, Kind, Op, Order, Reduce, SignalId};
use super::ir::{At, Module, Stmt, StmtKind};
use crate::wires::{UInt, Wide};
use std::collections::HashMap;

/// What the signals assigned in `block` end up as, when nothing in it depends on a signal from outside.
pub(super) fn run(module: &Module, block: &[Stmt]) -> Option<HashMap<SignalId, Wide>> {
    let mut values = HashMap::new();
    for (id, signal) in module.signals.iter().enumerate() {
        values.extend(signal.value.map(|value| (id, value)));
    }
    let constants = values.clone();
    execute(module, block, &mut values)?;
    values.retain(|id, _| !constants.contains_key(id));
    Some(values)
}

fn execute(module: &Module, block: &[Stmt], values: &mut HashMap<SignalId, Wide>) -> Option<()> {
    for statement in block {
        match &statement.kind {
            StmtKind::Assign(a) => {
                let value = evaluate(&a.value, values)?;
                let width = module.signals[a.target].width;
                let before = values
                    .get(&a.target)
                    .copied()
                    .unwrap_or_else(|| Wide::zero(width));
                let after = match &a.at {
                    At::Whole => value,
                    At::Bit(i) => before.replace_bit(*i, value.any()),
                    At::Chosen(index) => {
                        before.replace_bit(position(&evaluate(index, values)?), value.any())
                    }
                };
                values.insert(a.target, after);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                let taken = if evaluate(condition, values)?.any() {
                    then
                } else {
                    otherwise
                };
                execute(module, taken, values)?;
            }
            StmtKind::Case {
                test,
                arms,
                default,
                ..
            } => {
                let value = evaluate(test, values)?;
                let same = |arm: &Expr| matches!(&arm.kind, Kind::Literal(v) if *v == value);
                let taken = arms
                    .iter()
                    .find(|(arm, _)| same(arm))
                    .map(|(_, block)| block)
                    .or(default.as_ref());
                execute(module, taken.map_or(&[], |block| block), values)?;
            }
        }
    }
    Some(())
}

/// A value as a shift amount or index.
fn position(value: &Wide) -> usize {
    let beyond = (*value >> 64usize).any();
    if beyond {
        usize::MAX
    } else {
        usize::try_from(value.low()).unwrap_or(usize::MAX)
    }
}

fn flag(value: bool) -> Wide {
    Wide::new(u128::from(value), 1)
}

fn evaluate(e: &Expr, values: &HashMap<SignalId, Wide>) -> Option<Wide> {
    let eval = |e: &Expr| evaluate(e, values);
    let amount = |a: &Amount| match a {
        Amount::Constant(n) => Some(*n),
        Amount::Signal(e) => eval(e).map(|v| position(&v)),
    };
    // Arithmetic and order exist for values of at most 128 bits only.
    let uint = |e: &Expr| eval(e).map(|v| UInt::new(v.low(), v.bits().min(UInt::MOST_BITS)));
    Some(match &e.kind {
        Kind::Signal(id) => *values.get(id)?,
        Kind::Literal(value) => *value,
        Kind::Part(x, low) => (eval(x)? >> *low).resized(e.width),
        Kind::BitAt(x, index) => flag(eval(x)?.get_bit(position(&eval(index)?))),
        Kind::Not(x) => !eval(x)?,
        Kind::Negate(x) => Wide::new((-uint(x)?).get(), e.width),
        Kind::Reduce(Reduce::All, x) => flag(eval(x)?.all()),
        Kind::Reduce(Reduce::Any, x) => flag(eval(x)?.any()),
        Kind::Reduce(Reduce::Parity, x) => flag(eval(x)?.xor()),
        Kind::Binary(op, a, b) => match op {
            Op::And => eval(a)? & eval(b)?,
            Op::Or => eval(a)? | eval(b)?,
            Op::Xor => eval(a)? ^ eval(b)?,
            Op::Add => Wide::new((uint(a)? + uint(b)?).get(), e.width),
            Op::Sub => Wide::new((uint(a)? - uint(b)?).get(), e.width),
            Op::Mul => Wide::new((uint(a)? * uint(b)?).get(), e.width),
        },
        Kind::Compare(Order::Equal, a, b) => flag(eval(a)? == eval(b)?),
        Kind::Compare(Order::NotEqual, a, b) => flag(eval(a)? != eval(b)?),
        Kind::Compare(Order::Less, a, b) => flag(uint(a)? < uint(b)?),
        Kind::Compare(Order::LessEqual, a, b) => flag(uint(a)? <= uint(b)?),
        Kind::Compare(Order::Greater, a, b) => flag(uint(a)? > uint(b)?),
        Kind::Compare(Order::GreaterEqual, a, b) => flag(uint(a)? >= uint(b)?),
        Kind::Logical(true, a, b) => flag(eval(a)?.any() && eval(b)?.any()),
        Kind::Logical(false, a, b) => flag(eval(a)?.any() || eval(b)?.any()),
        Kind::ShiftLeft(x, by) => eval(x)? << amount(by)?.min(Wide::MOST_BITS),
        Kind::ShiftRight(x, by) => eval(x)? >> amount(by)?.min(Wide::MOST_BITS),
        Kind::Concat(parts) => {
            let mut joined = Wide::zero(e.width);
            for part in parts {
                joined = joined << part.width | eval(part)?.resized(e.width);
            }
            joined
        }
    })
}
