//! Expressions with exact widths, and the rewrites that keep every Verilog operand at the width Rust computed with.

use crate::wires::Wide;

/// Index of a signal in its module's table.
pub(super) type SignalId = usize;

/// Operators whose operands and result have one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
}

/// Comparisons: operands of one width, result one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Reductions of a value to one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduce {
    All,
    Any,
    Parity,
}

/// An expression and its width in bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    // First, so that literals of different width are never compared.
    pub width: usize,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Signal(SignalId),
    Literal(Wide),
    /// Bits `low ..` of the operand. Printed only of signals; [`super::hoist`] names anything else first.
    Part(Box<Expr>, usize),
    /// Bit of a signal chosen by an expression that cannot leave the signal.
    BitAt(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Reduce(Reduce, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Compare(Order, Box<Expr>, Box<Expr>),
    /// `&&` when true, `||` when false.
    Logical(bool, Box<Expr>, Box<Expr>),
    ShiftLeft(Box<Expr>, Box<Amount>),
    ShiftRight(Box<Expr>, Box<Amount>),
    /// Most significant part first.
    Concat(Vec<Expr>),
}

/// A shift amount or bit index.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Amount {
    Constant(usize),
    Signal(Expr),
}

impl Expr {
    pub fn signal(id: SignalId, width: usize) -> Expr {
        Expr {
            kind: Kind::Signal(id),
            width,
        }
    }

    pub fn literal(value: Wide) -> Expr {
        Expr {
            width: value.bits(),
            kind: Kind::Literal(value),
        }
    }

    pub fn number(value: u128, width: usize) -> Expr {
        Self::literal(Wide::new(value, width))
    }

    pub fn zero(width: usize) -> Expr {
        Self::number(0, width)
    }

    pub fn is_zero(&self) -> bool {
        matches!(&self.kind, Kind::Literal(v) if !v.any())
    }

    pub fn not(self) -> Expr {
        Expr {
            width: self.width,
            kind: Kind::Not(Box::new(self)),
        }
    }

    pub fn negate(self) -> Expr {
        Expr {
            width: self.width,
            kind: Kind::Negate(Box::new(self)),
        }
    }

    pub fn reduce(self, how: Reduce) -> Expr {
        if self.width == 1 {
            return self;
        }
        Expr {
            width: 1,
            kind: Kind::Reduce(how, Box::new(self)),
        }
    }

    pub fn logical(and: bool, a: Expr, b: Expr) -> Expr {
        Expr {
            width: 1,
            kind: Kind::Logical(and, Box::new(a), Box::new(b)),
        }
    }

    pub fn compare(order: Order, a: Expr, b: Expr) -> Expr {
        Expr {
            width: 1,
            kind: Kind::Compare(order, Box::new(a), Box::new(b)),
        }
    }

    pub fn binary(op: Op, a: Expr, b: Expr) -> Expr {
        if op == Op::Or {
            if let Some(joined) = join(&a, &b) {
                return joined;
            }
        }
        Expr {
            width: a.width,
            kind: Kind::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    /// `self << amount` at the width of `self`.
    pub fn shift_left(self, amount: Amount) -> Expr {
        let width = self.width;
        match amount {
            Amount::Constant(0) => self,
            Amount::Constant(by) if by >= width => Expr::zero(width),
            amount => Expr {
                width,
                kind: Kind::ShiftLeft(Box::new(self), Box::new(amount)),
            },
        }
    }

    /// `self >> amount` at the width of `self`.
    pub fn shift_right(self, amount: Amount) -> Expr {
        let width = self.width;
        match amount {
            Amount::Constant(0) => self,
            Amount::Constant(by) if by >= width => Expr::zero(width),
            amount => Expr {
                width,
                kind: Kind::ShiftRight(Box::new(self), Box::new(amount)),
            },
        }
    }

    /// Parts in order, most significant first; flattened, neighbouring literals merged.
    pub fn concat(parts: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = vec![];
        for part in parts {
            let inner = match part.kind {
                Kind::Concat(inner) => inner,
                _ => vec![part],
            };
            for part in inner {
                if let (Some(Kind::Literal(high)), Kind::Literal(low)) =
                    (flat.last().map(|e| &e.kind), &part.kind)
                {
                    let width = high.bits() + low.bits();
                    let merged = high.resized(width) << low.bits() | low.resized(width);
                    flat.pop();
                    flat.push(Expr::literal(merged));
                } else {
                    flat.push(part);
                }
            }
        }
        if flat.len() == 1 {
            return flat.swap_remove(0);
        }
        Expr {
            width: flat.iter().map(|e| e.width).sum(),
            kind: Kind::Concat(flat),
        }
    }

    /// Cut or zero-extended to `width` bits.
    pub fn resize(self, width: usize) -> Expr {
        if width <= self.width {
            return self.slice(0, width);
        }
        Expr::concat(vec![Expr::zero(width - self.width), self])
    }

    /// Bits `low .. low + width`, zero beyond the expression's own width.
    pub fn slice(self, low: usize, width: usize) -> Expr {
        if low >= self.width {
            return Expr::zero(width);
        }
        let present = width.min(self.width - low);
        let part = if present == self.width {
            self
        } else {
            self.cut(low, present)
        };
        if present == width {
            part
        } else {
            Expr::concat(vec![Expr::zero(width - present), part])
        }
    }

    /// Bits `low .. low + width`, all of them present and fewer than all.
    fn cut(self, low: usize, width: usize) -> Expr {
        match self.kind {
            Kind::Literal(value) => Expr::literal((value >> low).resized(width)),
            Kind::Part(base, from) => Expr {
                kind: Kind::Part(base, from + low),
                width,
            },
            Kind::Not(x) => x.slice(low, width).not(),
            Kind::Binary(op @ (Op::And | Op::Or | Op::Xor), a, b) => {
                Expr::binary(op, a.slice(low, width), b.slice(low, width))
            }
            Kind::Binary(op, a, b) if low == 0 => {
                Expr::binary(op, a.slice(0, width), b.slice(0, width))
            }
            Kind::Negate(x) if low == 0 => x.slice(0, width).negate(),
            Kind::ShiftRight(x, amount) if matches!(*amount, Amount::Constant(_)) => {
                let Amount::Constant(by) = *amount else {
                    unreachable!("the guard admits constants only")
                };
                x.slice(low + by, width)
            }
            Kind::ShiftLeft(x, amount) if matches!(*amount, Amount::Constant(_)) => {
                let Amount::Constant(by) = *amount else {
                    unreachable!("the guard admits constants only")
                };
                if low >= by {
                    x.slice(low - by, width)
                } else if low + width <= by {
                    Expr::zero(width)
                } else {
                    Expr::concat(vec![x.slice(0, low + width - by), Expr::zero(by - low)])
                }
            }
            Kind::ShiftLeft(x, amount) if low == 0 => x.slice(0, width).shift_left(*amount),
            Kind::Concat(parts) => {
                let mut kept = vec![];
                let mut at = 0;
                for part in parts.into_iter().rev() {
                    let (from, to) = (at.max(low), (at + part.width).min(low + width));
                    let here = at;
                    at += part.width;
                    if from < to {
                        kept.push(part.slice(from - here, to - from));
                    }
                }
                kept.reverse();
                Expr::concat(kept)
            }
            kind => {
                let base = Expr {
                    kind,
                    width: self.width,
                };
                Expr {
                    kind: Kind::Part(Box::new(base), low),
                    width,
                }
            }
        }
    }

    /// Bit `index` as one bit; false beyond the width.
    pub fn bit(self, index: Amount) -> Expr {
        let index = match index {
            Amount::Constant(i) => return self.slice(i, 1),
            Amount::Signal(index) => index,
        };
        let needed = clog2(self.width);
        if self.width == 1 {
            let zero = Expr::zero(index.width);
            return Expr::logical(true, Expr::compare(Order::Equal, index, zero), self);
        }
        let named = matches!(self.kind, Kind::Signal(_));
        if named && (index.width < needed || (index.width == needed && self.width == 1 << needed)) {
            let index = index.resize(needed);
            return Expr {
                kind: Kind::BitAt(Box::new(self), Box::new(index)),
                width: 1,
            };
        }
        let one = Expr::number(1, self.width);
        Expr::binary(Op::And, self.shift_right(Amount::Signal(index)), one).reduce(Reduce::Any)
    }

    /// The expression with bit `index` replaced, as an expression of operators.
    pub fn replaced(self, index: Amount, bit: Expr) -> Expr {
        let width = self.width;
        match index {
            Amount::Constant(i) if i >= width => self,
            Amount::Constant(i) => {
                let mut parts = vec![];
                if i + 1 < width {
                    parts.push(self.clone().slice(i + 1, width - i - 1));
                }
                parts.push(bit);
                if i > 0 {
                    parts.push(self.slice(0, i));
                }
                Expr::concat(parts)
            }
            index => {
                let mask = Expr::number(1, width).shift_left(index.clone()).not();
                let value = bit.resize(width).shift_left(index);
                Expr::binary(Op::Or, Expr::binary(Op::And, self, mask), value)
            }
        }
    }

    /// The operands, for walks.
    pub fn operands(&self) -> Vec<&Expr> {
        fn of(amount: &Amount) -> Option<&Expr> {
            match amount {
                Amount::Constant(_) => None,
                Amount::Signal(e) => Some(e),
            }
        }
        match &self.kind {
            Kind::Signal(_) | Kind::Literal(_) => vec![],
            Kind::Part(x, _) | Kind::Not(x) | Kind::Negate(x) | Kind::Reduce(_, x) => vec![x],
            Kind::BitAt(a, b)
            | Kind::Binary(_, a, b)
            | Kind::Compare(_, a, b)
            | Kind::Logical(_, a, b) => vec![a, b],
            Kind::ShiftLeft(x, n) | Kind::ShiftRight(x, n) => {
                std::iter::once(&**x).chain(of(n)).collect()
            }
            Kind::Concat(parts) => parts.iter().collect(),
        }
    }

    /// The operands, for rewrites.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        fn of(amount: &mut Amount) -> Option<&mut Expr> {
            match amount {
                Amount::Constant(_) => None,
                Amount::Signal(e) => Some(e),
            }
        }
        match &mut self.kind {
            Kind::Signal(_) | Kind::Literal(_) => vec![],
            Kind::Part(x, _) | Kind::Not(x) | Kind::Negate(x) | Kind::Reduce(_, x) => vec![x],
            Kind::BitAt(a, b)
            | Kind::Binary(_, a, b)
            | Kind::Compare(_, a, b)
            | Kind::Logical(_, a, b) => vec![a, b],
            Kind::ShiftLeft(x, n) | Kind::ShiftRight(x, n) => {
                std::iter::once(&mut **x).chain(of(n)).collect()
            }
            Kind::Concat(parts) => parts.iter_mut().collect(),
        }
    }

    /// Calls `see` with every signal read and the bits read of it (lowest bit, width).
    pub fn reads(&self, see: &mut impl FnMut(SignalId, usize, usize)) {
        match &self.kind {
            Kind::Signal(id) => see(*id, 0, self.width),
            Kind::Part(base, low) => match base.kind {
                Kind::Signal(id) => see(id, *low, self.width),
                _ => base.reads(see),
            },
            _ => {
                for operand in self.operands() {
                    operand.reads(see);
                }
            }
        }
    }

    /// Whether the expression is a signal, a part of one, or a literal.
    pub fn is_simple(&self) -> bool {
        match &self.kind {
            Kind::Signal(_) | Kind::Literal(_) => true,
            Kind::Part(base, _) => matches!(base.kind, Kind::Signal(_)),
            _ => false,
        }
    }
}

/// Bits needed to count to `n - 1`.
pub(super) fn clog2(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// `a | b` as a concatenation, when no bit position can be set in both.
fn join(a: &Expr, b: &Expr) -> Option<Expr> {
    let mut fields = fields(a)?;
    fields.extend(self::fields(b)?);
    fields.sort_by_key(|(low, _)| std::cmp::Reverse(*low));
    let mut parts = vec![];
    let mut top = a.width;
    for (low, field) in fields {
        let above = low + field.width;
        if above > top {
            return None;
        }
        if above < top {
            parts.push(Expr::zero(top - above));
        }
        top = low;
        parts.push(field);
    }
    if top > 0 {
        parts.push(Expr::zero(top));
    }
    Some(Expr::concat(parts))
}

/// The parts of an expression that can be other than zero, with their lowest bits. None when nothing is known.
fn fields(e: &Expr) -> Option<Vec<(usize, Expr)>> {
    match &e.kind {
        Kind::Concat(parts) => {
            let mut at = 0;
            let mut out = vec![];
            for part in parts.iter().rev() {
                if !part.is_zero() {
                    out.push((at, part.clone()));
                }
                at += part.width;
            }
            Some(out)
        }
        Kind::ShiftLeft(x, amount) => {
            let Amount::Constant(by) = **amount else {
                return None;
            };
            let kept = (**x).clone().slice(0, e.width - by);
            let inner = fields(&kept).unwrap_or_else(|| vec![(0, kept)]);
            Some(
                inner
                    .into_iter()
                    .map(|(low, field)| (low + by, field))
                    .collect(),
            )
        }
        _ => None,
    }
}
