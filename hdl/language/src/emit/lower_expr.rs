//! Reads a kernel's expressions, inferring the widths Rust computed them with.

use super::error::EmitError;
use super::expr::{Amount, Expr, Op, Order, Reduce, SignalId};
use super::lower::{strip, Meaning, Reader};
use super::render;
use rust_hdl::ast::{VerilogExpression as Ast, VerilogOp, VerilogOpUnary};

/// An expression, or an integer that takes the width of its partner.
enum Operand {
    Number(u128),
    /// An integer that is a named number of the block.
    Named(SignalId, u128),
    Typed(Expr),
}

impl Reader<'_> {
    /// An expression with a width of its own.
    pub(super) fn typed(&self, e: &Ast) -> Result<Expr, EmitError> {
        match self.operand(e)? {
            Operand::Typed(e) => Ok(e),
            Operand::Number(n) | Operand::Named(_, n) => Err(self.unsupported(
                format!("the bare number {n} in this place"),
                format!("write `bits_to({n}, width)`"),
            )),
        }
    }

    /// A one-bit expression.
    pub(super) fn condition(&self, e: &Ast) -> Result<Expr, EmitError> {
        let condition = self.typed(e)?;
        if condition.width == 1 {
            return Ok(condition);
        }
        let (left, right) = (condition.width, 1);
        Err(EmitError::Width {
            place: self.place(),
            operator: "condition".into(),
            left,
            right,
        })
    }

    /// A shift amount or bit index.
    pub(super) fn amount(&self, e: &Ast) -> Result<Amount, EmitError> {
        if let Ast::Signal(name) = strip(e) {
            if let Some(value) = self.constant_named(name) {
                return Ok(Amount::Constant(
                    usize::try_from(value).unwrap_or(usize::MAX),
                ));
            }
        }
        Ok(match self.operand(e)? {
            Operand::Number(n) | Operand::Named(_, n) => {
                Amount::Constant(usize::try_from(n).unwrap_or(usize::MAX))
            }
            Operand::Typed(e) => Amount::Signal(e),
        })
    }

    fn operand(&self, e: &Ast) -> Result<Operand, EmitError> {
        let typed = match e {
            Ast::Paren(inner) => return self.operand(inner),
            Ast::Signal(name) => {
                if let Some((_, value)) = self.loops.iter().rev().find(|(index, _)| index == name) {
                    return Ok(Operand::Number(*value as u128));
                }
                match self.meaning(name)? {
                    Meaning::Signal(id) => Expr::signal(id, self.module.signals[id].width),
                    Meaning::Number(id, value) => return Ok(Operand::Named(id, value)),
                    Meaning::Flag(id, value) => self.number_at(id, value, 1)?,
                    Meaning::SliceOutput(id, shape) => {
                        Expr::signal(id, self.module.signals[id].width)
                            .slice(shape.low, shape.width)
                    }
                }
            }
            Ast::Literal(l) => match render::literal(l) {
                (value, 1) => Expr::number(value, 1),
                (value, _) => return Ok(Operand::Number(value)),
            },
            Ast::Cast(x, width) => match self.operand(x)? {
                Operand::Number(n) => Expr::number(n, *width),
                Operand::Named(id, n) => self.number_at(id, n, *width)?,
                Operand::Typed(x) => x.resize(*width),
            },
            Ast::Slice(x, width, low) => match self.amount(low)? {
                Amount::Constant(low) => self.typed(x)?.slice(low, *width),
                low => self.typed(x)?.shift_right(low).resize(*width),
            },
            Ast::Index(x, index) => self.typed(x)?.bit(self.amount(index)?),
            Ast::IndexReplace(x, index, bit) => self
                .typed(x)?
                .replaced(self.amount(index)?, self.condition(bit)?),
            Ast::Unary(op, x) => {
                let x = self.typed(x)?;
                match op {
                    VerilogOpUnary::Not => x.not(),
                    VerilogOpUnary::Neg => x.negate(),
                    VerilogOpUnary::All => x.reduce(Reduce::All),
                    VerilogOpUnary::Any => x.reduce(Reduce::Any),
                    VerilogOpUnary::Xor => x.reduce(Reduce::Parity),
                }
            }
            Ast::Binary(a, op, b) => return self.binary(e, a, op, b),
            Ast::Signed(_) | Ast::Unsigned(_) => {
                return Err(self.unsupported(
                    "a signed value",
                    "compute with `UInt`, whose operators wrap",
                ));
            }
        };
        Ok(Operand::Typed(typed))
    }

    fn binary(&self, whole: &Ast, a: &Ast, op: &VerilogOp, b: &Ast) -> Result<Operand, EmitError> {
        match op {
            VerilogOp::Shl | VerilogOp::Shr => {
                let (x, by) = (self.typed(a)?, self.amount(b)?);
                let shifted = if matches!(op, VerilogOp::Shl) {
                    x.shift_left(by)
                } else {
                    x.shift_right(by)
                };
                return Ok(Operand::Typed(shifted));
            }
            VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                let and = matches!(op, VerilogOp::LogicalAnd);
                return Ok(Operand::Typed(Expr::logical(
                    and,
                    self.condition(a)?,
                    self.condition(b)?,
                )));
            }
            _ => {}
        }
        let sized = |operand, width| match operand {
            Operand::Number(n) => self.fitting(n, width).map(Expr::literal),
            Operand::Named(id, n) => self.number_at(id, n, width),
            Operand::Typed(e) => Ok(e),
        };
        let (a, b) = match (self.operand(a)?, self.operand(b)?) {
            (Operand::Typed(a), b) => {
                let b = sized(b, a.width)?;
                (a, b)
            }
            (a, Operand::Typed(b)) => (sized(a, b.width)?, b),
            (
                Operand::Number(a) | Operand::Named(_, a),
                Operand::Number(b) | Operand::Named(_, b),
            ) => return self.folded(whole, a, op, b),
        };
        if a.width != b.width {
            let operator = render::operator(op).into();
            return Err(EmitError::Width {
                place: self.place(),
                operator,
                left: a.width,
                right: b.width,
            });
        }
        let binary = |op| Expr::binary(op, a.clone(), b.clone());
        let compare = |order| Expr::compare(order, a.clone(), b.clone());
        Ok(Operand::Typed(match op {
            VerilogOp::Add => binary(Op::Add),
            VerilogOp::Sub => binary(Op::Sub),
            VerilogOp::Mul => binary(Op::Mul),
            VerilogOp::BitAnd => binary(Op::And),
            VerilogOp::BitOr => binary(Op::Or),
            VerilogOp::BitXor => binary(Op::Xor),
            VerilogOp::Eq => compare(Order::Equal),
            VerilogOp::Ne => compare(Order::NotEqual),
            VerilogOp::Lt => compare(Order::Less),
            VerilogOp::Le => compare(Order::LessEqual),
            VerilogOp::Gt => compare(Order::Greater),
            VerilogOp::Ge => compare(Order::GreaterEqual),
            VerilogOp::Shl | VerilogOp::Shr | VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                return Err(self.unsupported("this operator", "use another"));
            }
        }))
    }

    /// Arithmetic on integers known now, such as `i + 1`.
    fn folded(&self, whole: &Ast, a: u128, op: &VerilogOp, b: u128) -> Result<Operand, EmitError> {
        let value = match op {
            VerilogOp::Add => a.checked_add(b),
            VerilogOp::Sub => a.checked_sub(b),
            VerilogOp::Mul => a.checked_mul(b),
            _ => {
                let construct = format!("`{}` between two integers", render::operator(op));
                return Err(self.unsupported(construct, "write the result"));
            }
        };
        value
            .map(Operand::Number)
            .ok_or_else(|| EmitError::ConstantOverflow {
                place: self.place(),
                expression: render::expression(whole),
            })
    }
}
