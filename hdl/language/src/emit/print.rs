//! Expressions and statements as Verilog text.

use super::expr::{Amount, Expr, Kind, Op, Order, Reduce, SignalId};
use super::ir::{Assign, At, Stmt, StmtKind};
use crate::wires::{Value, Wide};
use std::fmt::Write;

/// What printing needs to know of a module's signals.
pub(super) struct Printer<'m> {
    /// Name and width of every signal.
    pub signals: Vec<(&'m str, usize)>,
}

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Operator,
    Reduction,
    Unary,
    Atom,
}

/// A literal with its width: decimal where that reads better, else hexadecimal.
pub(super) fn literal(value: &Wide) -> String {
    let width = value.bits();
    let high = *value >> 64usize;
    let low = value.low() as u64;
    if width == 1 {
        format!("1'b{low}")
    } else if !high.any() && (low < 10 || (low < 100 && width <= 8)) {
        format!("{width}'d{low}")
    } else {
        format!("{width}'h{}", value.hex())
    }
}

/// The range of a declaration, with a space after it; nothing for one bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0]", width - 1)
    }
}

impl Printer<'_> {
    fn name(&self, id: SignalId) -> &str {
        self.signals[id].0
    }

    /// Bits `low .. low + width` of a signal.
    pub fn part(&self, id: SignalId, low: usize, width: usize) -> String {
        let (name, whole) = self.signals[id];
        if width == whole {
            name.to_string()
        } else if width == 1 {
            format!("{name}[{low}]")
        } else {
            format!("{name}[{}:{low}]", low + width - 1)
        }
    }

    pub fn expression(&self, e: &Expr) -> String {
        self.bound(e).0
    }

    fn bound(&self, e: &Expr) -> (String, Binding) {
        match &e.kind {
            Kind::Signal(id) => (self.name(*id).to_string(), Binding::Atom),
            Kind::Literal(value) => (literal(value), Binding::Atom),
            Kind::Part(base, low) => match base.kind {
                Kind::Signal(id) => (self.part(id, *low, e.width), Binding::Atom),
                // Never reached: terms get names before printing. A comment would hide it, broken text does not.
                _ => (
                    format!("({})[{}:{low}]", self.expression(base), low + e.width - 1),
                    Binding::Atom,
                ),
            },
            Kind::BitAt(base, index) => (
                format!("{}[{}]", self.expression(base), self.expression(index)),
                Binding::Atom,
            ),
            Kind::Not(x) => {
                let sign = if x.width == 1 { '!' } else { '~' };
                (
                    format!("{sign}{}", self.inside(x, Binding::Atom)),
                    Binding::Unary,
                )
            }
            Kind::Negate(x) => (
                format!("-{}", self.inside(x, Binding::Atom)),
                Binding::Unary,
            ),
            Kind::Reduce(how, x) => {
                let sign = match how {
                    Reduce::All => '&',
                    Reduce::Any => '|',
                    Reduce::Parity => '^',
                };
                (
                    format!("{sign}{}", self.inside(x, Binding::Atom)),
                    Binding::Reduction,
                )
            }
            Kind::Binary(op, a, b) => (self.chain(*op, a, b), Binding::Operator),
            Kind::Compare(order, a, b) => {
                let sign = match order {
                    Order::Equal => "==",
                    Order::NotEqual => "!=",
                    Order::Less => "<",
                    Order::LessEqual => "<=",
                    Order::Greater => ">",
                    Order::GreaterEqual => ">=",
                };
                let (a, b) = (
                    self.inside(a, Binding::Unary),
                    self.inside(b, Binding::Unary),
                );
                (format!("{a} {sign} {b}"), Binding::Operator)
            }
            Kind::Logical(and, a, b) => {
                let sign = if *and { "&&" } else { "||" };
                let side = |x: &Expr| match &x.kind {
                    Kind::Logical(other, ..) if other == and => self.expression(x),
                    _ => self.inside(x, Binding::Unary),
                };
                // Only the left side may go without parentheses: `a && (b && c)` keeps the kernel's shape.
                (
                    format!("{} {sign} {}", side(a), self.inside(b, Binding::Unary)),
                    Binding::Operator,
                )
            }
            Kind::ShiftLeft(x, by) => (
                format!("{} << {}", self.inside(x, Binding::Unary), self.amount(by)),
                Binding::Operator,
            ),
            Kind::ShiftRight(x, by) => (
                format!("{} >> {}", self.inside(x, Binding::Unary), self.amount(by)),
                Binding::Operator,
            ),
            Kind::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.expression(p)).collect();
                (format!("{{{}}}", parts.join(", ")), Binding::Atom)
            }
        }
    }

    fn chain(&self, op: Op, a: &Expr, b: &Expr) -> String {
        let sign = match op {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
        };
        let left = match &a.kind {
            Kind::Binary(other, ..) if *other == op => self.expression(a),
            _ => self.inside(a, Binding::Unary),
        };
        format!("{left} {sign} {}", self.inside(b, Binding::Unary))
    }

    fn amount(&self, amount: &Amount) -> String {
        match amount {
            Amount::Constant(n) => n.to_string(),
            Amount::Signal(e) => self.inside(e, Binding::Unary),
        }
    }

    /// `e`, in parentheses unless it binds at least as tightly as `least`.
    fn inside(&self, e: &Expr, least: Binding) -> String {
        let (text, binding) = self.bound(e);
        if binding >= least {
            text
        } else {
            format!("({text})")
        }
    }

    /// The left-hand side of an assignment.
    pub fn target(&self, a: &Assign) -> String {
        let name = self.name(a.target);
        match &a.at {
            At::Whole => name.to_string(),
            At::Bit(i) => format!("{name}[{i}]"),
            At::Chosen(index) => format!("{name}[{}]", self.expression(index)),
        }
    }

    /// Statements at `depth`, with `=` or `<=`; `retarget` names the left-hand side.
    pub fn statements(
        &self,
        block: &[Stmt],
        depth: usize,
        sign: &str,
        retarget: &dyn Fn(&Assign) -> String,
        out: &mut String,
    ) {
        let pad = "  ".repeat(depth);
        for (i, statement) in block.iter().enumerate() {
            if !statement.comments.is_empty() && i > 0 {
                out.push('\n');
            }
            comment(&statement.comments, depth, out);
            match &statement.kind {
                StmtKind::Assign(a) => {
                    line(
                        out,
                        format_args!("{pad}{} {sign} {};", retarget(a), self.expression(&a.value)),
                    );
                }
                StmtKind::If { .. } => {
                    out.push_str(&pad);
                    self.conditional(statement, depth, sign, retarget, out);
                }
                StmtKind::Case {
                    test,
                    arms,
                    default,
                    ..
                } => {
                    line(out, format_args!("{pad}case ({})", self.expression(test)));
                    let mut arm = |label: &str, block: &[Stmt]| {
                        if block.is_empty() {
                            line(out, format_args!("{pad}  {label}: ;"));
                        } else {
                            line(out, format_args!("{pad}  {label}: begin"));
                            self.statements(block, depth + 2, sign, retarget, out);
                            line(out, format_args!("{pad}  end"));
                        }
                    };
                    for (value, block) in arms {
                        arm(&self.expression(value), block);
                    }
                    if let Some(block) = default {
                        arm("default", block);
                    }
                    line(out, format_args!("{pad}endcase"));
                }
            }
        }
    }

    fn conditional(
        &self,
        statement: &Stmt,
        depth: usize,
        sign: &str,
        retarget: &dyn Fn(&Assign) -> String,
        out: &mut String,
    ) {
        let StmtKind::If {
            condition,
            then,
            otherwise,
            ..
        } = &statement.kind
        else {
            return;
        };
        let pad = "  ".repeat(depth);
        line(
            out,
            format_args!("if ({}) begin", self.expression(condition)),
        );
        self.statements(then, depth + 1, sign, retarget, out);
        match &otherwise[..] {
            [] => line(out, format_args!("{pad}end")),
            [nested]
                if matches!(nested.kind, StmtKind::If { .. }) && nested.comments.is_empty() =>
            {
                out.push_str(&format!("{pad}end else "));
                self.conditional(nested, depth, sign, retarget, out);
            }
            block => {
                line(out, format_args!("{pad}end else begin"));
                self.statements(block, depth + 1, sign, retarget, out);
                line(out, format_args!("{pad}end"));
            }
        }
    }
}

/// Writes a line.
pub(super) fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Writes comment lines at `depth`.
pub(super) fn comment(lines: &[String], depth: usize, out: &mut String) {
    for text in lines {
        line(
            out,
            format_args!("{}", format!("{}// {text}", "  ".repeat(depth)).trim_end()),
        );
    }
}

/// Rows of cells as lines with the columns aligned; the last cell of a row is not padded.
pub(super) fn align(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        rows.iter()
            .filter_map(|r| r.get(c))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    rows.iter()
        .map(|row| {
            let mut text = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                if *width > 0 {
                    text.push_str(&format!("{cell:width$} "));
                }
            }
            text.trim_end().to_string()
        })
        .collect()
}
