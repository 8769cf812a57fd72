//! Random expressions of a wanted type over the signals that a kernel may read.

use super::generate::{number, signal, Generator, Type};
use bloomline_language::wires::prelude::*;
use rand::seq::IndexedRandom;
use rand::Rng;
use rust_hdl::ast::{VerilogExpression as Ast, VerilogOp, VerilogOpUnary};

fn paren(e: Ast) -> Ast {
    match e {
        Ast::Signal(_) | Ast::Literal(_) | Ast::Cast(..) | Ast::Paren(_) => e,
        e => Ast::Paren(Box::new(e)),
    }
}

pub(super) fn binary(a: Ast, op: VerilogOp, b: Ast) -> Ast {
    Ast::Binary(Box::new(paren(a)), op, Box::new(paren(b)))
}

impl Generator<'_> {
    /// A shift amount or bit index for a value of `width` bits, sometimes beyond it.
    pub(super) fn amount(&mut self, width: usize) -> Ast {
        match (self.rng.random_range(0..4), self.index) {
            (0, Some(_)) => signal("i"),
            (1, _) => {
                let width = self.rng.random_range(1..8);
                self.of(Type::Uint(width), 1)
            }
            (2, _) => signal(*["fixed", "few"].choose(self.rng).expect("two")),
            _ => number(self.rng.random_range(0..width + 2)),
        }
    }

    pub(super) fn of(&mut self, kind: Type, depth: usize) -> Ast {
        match kind {
            Type::Flag => self.flag(depth),
            Type::Uint(width) => self.uint(width, depth),
            Type::Wide(width) => self.wide(width, depth),
        }
    }

    fn leaf(&mut self, kind: Type) -> Option<Ast> {
        let fitting: Vec<&String> = self
            .readable
            .iter()
            .filter(|(_, k)| *k == kind)
            .map(|(name, _)| name)
            .collect();
        fitting.choose(self.rng).map(|name| signal(*name))
    }

    fn uint(&mut self, width: usize, depth: usize) -> Ast {
        if depth == 0 || self.rng.random_range(0..5) == 0 {
            if let (Some(leaf), true) = (
                self.leaf(Type::Uint(width)),
                self.rng.random_range(0..5) > 0,
            ) {
                return leaf;
            }
            if self.rng.random_range(0..3) == 0 {
                return Ast::Cast(Box::new(number(self.rng.random_range(0..300))), width);
            }
            let uints = self
                .readable
                .iter()
                .filter(|(_, k)| matches!(k, Type::Uint(_)));
            let uints: Vec<String> = uints.map(|(name, _)| name.clone()).collect();
            let name = uints
                .choose(self.rng)
                .cloned()
                .expect("inputs are readable");
            return Ast::Cast(Box::new(signal(name)), width);
        }
        match self.rng.random_range(0..16) {
            0..5 => {
                let ops = [
                    VerilogOp::Add,
                    VerilogOp::Sub,
                    VerilogOp::Mul,
                    VerilogOp::BitAnd,
                    VerilogOp::BitOr,
                    VerilogOp::BitXor,
                ];
                let op = ops.choose(self.rng).cloned().expect("operators");
                let a = self.uint(width, depth - 1);
                let b = if self.rng.random_range(0..4) == 0 {
                    self.small_number(width)
                } else {
                    self.uint(width, depth - 1)
                };
                binary(a, op, b)
            }
            5 => Ast::Unary(
                VerilogOpUnary::Not,
                Box::new(paren(self.uint(width, depth - 1))),
            ),
            6 => Ast::Unary(
                VerilogOpUnary::Neg,
                Box::new(paren(self.uint(width, depth - 1))),
            ),
            7 | 8 => {
                let op = if self.rng.random() {
                    VerilogOp::Shl
                } else {
                    VerilogOp::Shr
                };
                let a = self.uint(width, depth - 1);
                let by = self.amount(width);
                binary(a, op, by)
            }
            9 => {
                let a = self.uint(width, depth - 1);
                let index = self.amount(width);
                let bit = self.flag(depth - 1);
                Ast::IndexReplace(Box::new(paren(a)), Box::new(index), Box::new(bit))
            }
            10 => self.joined(width, depth),
            11 => Ast::Cast(Box::new(self.flag(depth - 1)), width),
            12 => {
                let wide = self.rng.random_range(129..260);
                let a = self.wide(wide, depth - 1);
                let by = number(self.rng.random_range(0..300));
                Ast::Cast(Box::new(binary(a, VerilogOp::Shr, by)), width)
            }
            _ => {
                // A slice of something else: the heart of most kernels.
                let from = self.width();
                let a = self.uint(from, depth - 1);
                let by = self.amount(from);
                Ast::Cast(Box::new(binary(a, VerilogOp::Shr, by)), width)
            }
        }
    }

    fn small_number(&mut self, width: usize) -> Ast {
        match self.index {
            Some(bound) if clog2(bound + 1) <= width && self.rng.random_range(0..2) == 0 => {
                signal("i")
            }
            _ if width >= 2 && self.rng.random_range(0..3) == 0 => signal("few"),
            _ => number(self.rng.random_range(0..1usize << width.min(20))),
        }
    }

    /// `(bits_to(a, w) << n) | bits_to(b, w)`, exact or overlapping.
    fn joined(&mut self, width: usize, depth: usize) -> Ast {
        let (high, low) = (self.width(), self.width());
        let by = if self.rng.random_range(0..3) > 0 {
            low
        } else {
            self.rng.random_range(0..width + 1)
        };
        let a = Ast::Cast(Box::new(self.uint(high, depth - 1)), width);
        let b = Ast::Cast(Box::new(self.uint(low, depth - 1)), width);
        binary(binary(a, VerilogOp::Shl, number(by)), VerilogOp::BitOr, b)
    }

    fn flag(&mut self, depth: usize) -> Ast {
        if depth == 0 || self.rng.random_range(0..6) == 0 {
            return match (self.rng.random_range(0..12), self.leaf(Type::Flag)) {
                (0, _) | (_, None) => Ast::Literal(self.rng.random::<bool>().into()),
                (_, Some(leaf)) => leaf,
            };
        }
        match self.rng.random_range(0..12) {
            0..4 => {
                let orders = [
                    VerilogOp::Eq,
                    VerilogOp::Ne,
                    VerilogOp::Lt,
                    VerilogOp::Le,
                    VerilogOp::Gt,
                    VerilogOp::Ge,
                ];
                let op = orders.choose(self.rng).cloned().expect("operators");
                let width = self.width();
                let a = self.uint(width, depth - 1);
                let b = if self.rng.random() {
                    self.small_number(width)
                } else {
                    self.uint(width, depth - 1)
                };
                binary(a, op, b)
            }
            4 | 5 => {
                let op = if self.rng.random() {
                    VerilogOp::LogicalAnd
                } else {
                    VerilogOp::LogicalOr
                };
                binary(self.flag(depth - 1), op, self.flag(depth - 1))
            }
            6 => {
                let ops = [
                    VerilogOp::BitAnd,
                    VerilogOp::BitOr,
                    VerilogOp::BitXor,
                    VerilogOp::Eq,
                    VerilogOp::Ne,
                    VerilogOp::Lt,
                ];
                let op = ops.choose(self.rng).cloned().expect("operators");
                binary(self.flag(depth - 1), op, self.flag(depth - 1))
            }
            7 => Ast::Unary(VerilogOpUnary::Not, Box::new(paren(self.flag(depth - 1)))),
            8 | 9 => {
                let ops = [
                    VerilogOpUnary::All,
                    VerilogOpUnary::Any,
                    VerilogOpUnary::Xor,
                ];
                let op = ops.choose(self.rng).cloned().expect("operators");
                let value = if self.rng.random_range(0..6) == 0 {
                    self.wide(200, depth - 1)
                } else {
                    let width = self.width();
                    self.uint(width, depth - 1)
                };
                Ast::Unary(op, Box::new(paren(value)))
            }
            10 => {
                let wide = self.rng.random_range(129..260);
                let op = if self.rng.random() {
                    VerilogOp::Eq
                } else {
                    VerilogOp::Ne
                };
                binary(self.wide(wide, depth - 1), op, self.wide(wide, depth - 1))
            }
            _ => {
                let width = self.width();
                let a = self.uint(width, depth - 1);
                let index = self.amount(width);
                Ast::Index(Box::new(paren(a)), Box::new(index))
            }
        }
    }

    fn wide(&mut self, width: usize, depth: usize) -> Ast {
        if depth == 0 || self.rng.random_range(0..4) == 0 {
            if let Some(leaf) = self.leaf(Type::Wide(width)) {
                return leaf;
            }
            if self.rng.random() {
                return Ast::Cast(Box::new(signal("key")), width);
            }
            let small = self.width();
            return Ast::Cast(Box::new(self.uint(small, depth.saturating_sub(1))), width);
        }
        match self.rng.random_range(0..6) {
            0..3 => {
                let ops = [VerilogOp::BitAnd, VerilogOp::BitOr, VerilogOp::BitXor];
                let op = ops.choose(self.rng).cloned().expect("operators");
                binary(self.wide(width, depth - 1), op, self.wide(width, depth - 1))
            }
            3 => Ast::Unary(
                VerilogOpUnary::Not,
                Box::new(paren(self.wide(width, depth - 1))),
            ),
            4 => {
                let op = if self.rng.random() {
                    VerilogOp::Shl
                } else {
                    VerilogOp::Shr
                };
                let by = number(self.rng.random_range(0..width + 5));
                binary(self.wide(width, depth - 1), op, by)
            }
            _ => {
                let a = Ast::Cast(Box::new(self.wide(width, depth - 1)), width);
                let by = number(self.rng.random_range(0..width));
                let small = self.width();
                let b = Ast::Cast(Box::new(self.uint(small, depth - 1)), width);
                binary(binary(a, VerilogOp::Shl, by), VerilogOp::BitOr, b)
            }
        }
    }
}
