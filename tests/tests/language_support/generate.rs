//! Random kernels: well-typed syntax trees over random signals, drawn so that the back end must accept them.

use super::interpret::Interpreted;
use super::slots::Slot;
use bloomline_hdl::wires::prelude::*;
use rand::seq::IndexedRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rust_hdl_core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional,
    VerilogExpression as Ast, VerilogLoop, VerilogMatch, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};

/// What an expression evaluates to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Flag,
    Uint(usize),
    Wide(usize),
}

/// A signal that statements assign.
#[derive(Clone)]
struct Target {
    /// The kernel's name to assign, less `$next`.
    write: String,
    /// The kernel's name to read; none for inputs of sub-blocks.
    read: Option<String>,
    kind: Type,
    assigned: bool,
}

struct Generator<'r> {
    rng: &'r mut ChaCha8Rng,
    slots: Vec<(String, Slot)>,
    readable: Vec<(String, Type)>,
    targets: Vec<Target>,
    /// Open loop index and its bound.
    index: Option<usize>,
    /// Whether targets that are not yet assigned may be (only where every path assigns them).
    depth: usize,
}

/// A block with a random kernel.
pub fn random_block(rng: &mut ChaCha8Rng) -> Interpreted {
    let mut g = Generator {
        rng,
        slots: vec![],
        readable: vec![],
        targets: vec![],
        index: None,
        depth: 0,
    };
    g.signals();
    let kernel = g.kernel();
    Interpreted::new(g.slots, kernel)
}

fn signal(name: impl Into<String>) -> Ast {
    Ast::Signal(name.into())
}

fn number(n: usize) -> Ast {
    Ast::Literal((n as i32).into())
}

fn assign(target: &str, value: Ast) -> VerilogStatement {
    VerilogStatement::Assignment(signal(format!("{target}$next")), value)
}

fn paren(e: Ast) -> Ast {
    match e {
        Ast::Signal(_) | Ast::Literal(_) | Ast::Cast(..) | Ast::Paren(_) => e,
        e => Ast::Paren(Box::new(e)),
    }
}

fn binary(a: Ast, op: VerilogOp, b: Ast) -> Ast {
    Ast::Binary(Box::new(paren(a)), op, Box::new(paren(b)))
}

impl Generator<'_> {
    fn width(&mut self) -> usize {
        match self.rng.random_range(0..20) {
            0..11 => self.rng.random_range(1..=8),
            11..16 => self.rng.random_range(9..=32),
            16..19 => self.rng.random_range(33..=65),
            _ => self.rng.random_range(66..=128),
        }
    }

    fn add(&mut self, name: &str, slot: Slot, readable: Option<(String, Type)>) {
        self.slots.push((name.into(), slot));
        self.readable.extend(readable);
    }

    fn target(&mut self, write: String, read: Option<String>, kind: Type) {
        self.targets.push(Target {
            write,
            read,
            kind,
            assigned: false,
        });
    }

    fn signals(&mut self) {
        // A few widths used again and again, so that operands of one width abound.
        let common = [self.width(), self.width(), self.width()];
        let wide = self.rng.random_range(129..300);
        for (i, width) in common.into_iter().enumerate() {
            let name = format!("in{i}");
            self.add(
                &name,
                Slot::In(Bus::new(width)),
                Some((name.clone(), Type::Uint(width))),
            );
        }
        self.add(
            "yes",
            Slot::InFlag(Wire::default()),
            Some(("yes".into(), Type::Flag)),
        );
        self.add(
            "key",
            Slot::InWide(WideBus::new(wide)),
            Some(("key".into(), Type::Wide(wide))),
        );
        let value = self.rng.random::<u128>();
        self.add(
            "fixed",
            Slot::Const(Const::new(value, common[0])),
            Some(("fixed".into(), Type::Uint(common[0]))),
        );
        for (i, width) in common.into_iter().enumerate() {
            let name = format!("temp{i}");
            self.add(&name, Slot::Local(Bus::new(width)), None);
            self.target(name.clone(), Some(name), Type::Uint(width));
        }
        self.add("mark", Slot::LocalFlag(Wire::default()), None);
        self.target("mark".into(), Some("mark".into()), Type::Flag);
        self.add("big", Slot::LocalWide(WideBus::new(wide)), None);
        self.target("big".into(), Some("big".into()), Type::Wide(wide));
        for i in 0..3 {
            self.add(&format!("lane${i}"), Slot::Local(Bus::new(common[1])), None);
        }
        let init = self.rng.random::<u128>();
        self.register(
            "count",
            Slot::Reg(Reg::with_init(common[0], init)),
            Type::Uint(common[0]),
            None,
        );
        self.register(
            "flag",
            Slot::Flag(Flag::with_init(init & 1 == 1)),
            Type::Flag,
            None,
        );
        self.register(
            "keep",
            Slot::EnableReg(EnableReg::with_init(common[1], init)),
            Type::Uint(common[1]),
            Some("enable"),
        );
        self.register(
            "state",
            Slot::ResetReg(ResetReg::with_init(common[2], init)),
            Type::Uint(common[2]),
            Some("reset"),
        );
        self.register(
            "late",
            Slot::Delay(Delay::new(common[1], (init & 3) as usize)),
            Type::Uint(common[1]),
            None,
        );
        let (low, width) = (
            self.rng.random_range(0..common[2] + 2),
            self.rng.random_range(1..9),
        );
        self.add(
            "part",
            Slot::Slice(Slice::new(common[2], low, width)),
            Some(("part$output".into(), Type::Uint(width))),
        );
        self.target("part$input".into(), None, Type::Uint(common[2]));
        for (i, width) in common.into_iter().take(2).enumerate() {
            let name = format!("out{i}");
            self.add(&name, Slot::Out(Bus::new(width)), None);
            self.target(name.clone(), Some(name), Type::Uint(width));
        }
        self.add("all", Slot::OutWide(WideBus::new(wide)), None);
        self.target("all".into(), Some("all".into()), Type::Wide(wide));
        self.add("done", Slot::OutFlag(Wire::default()), None);
        self.target("done".into(), Some("done".into()), Type::Flag);
    }

    fn register(&mut self, name: &str, slot: Slot, kind: Type, control: Option<&str>) {
        self.add(name, slot, None);
        // What a register holds, and what a zero-clock delay passes on, is readable; the latter may not feed itself.
        if name != "late" {
            self.readable.push((format!("{name}$q"), kind));
        }
        self.target(format!("{name}$d"), None, kind);
        if let Some(control) = control {
            self.target(format!("{name}${control}"), None, Type::Flag);
        }
    }

    fn kernel(&mut self) -> VerilogBlock {
        let mut block = vec![];
        let clocks = ["count", "flag", "keep", "state", "late"];
        let connect = |r: &str| {
            VerilogStatement::Assignment(signal(format!("{r}$clock$next")), signal("clock"))
        };
        block.push(VerilogStatement::Macro(
            clocks.iter().map(|r| connect(r)).collect(),
        ));
        // Feedback through the slice must stay acyclic: its input reads only what is not computed here.
        let early = self.readable.clone();
        let slice = self
            .targets
            .iter()
            .position(|t| t.write == "part$input")
            .expect("the slice");
        self.readable.retain(|(name, _)| name != "part$output");
        let value = self.of(self.targets[slice].kind, 2);
        block.push(assign("part$input", value));
        self.targets.remove(slice);
        self.readable = early;

        for _ in 0..self.rng.random_range(4..12) {
            self.statement(&mut block);
        }
        for i in 0..self.targets.len() {
            if !self.targets[i].assigned {
                self.assign_to(i, &mut block, 2);
            }
        }
        // The delayed value is read last, so that a delay of no clocks closes no loop.
        let readable = ("late$q".to_string(), self.readable_type("late$q"));
        self.readable.push(readable);
        let lanes = self.rng.random_range(0..2) == 0;
        self.lanes(&mut block, lanes);
        block
    }

    fn readable_type(&self, name: &str) -> Type {
        let write = name.replace("$q", "$d");
        self.targets
            .iter()
            .find(|t| t.write == write)
            .expect("a register")
            .kind
    }

    /// A loop over a vector of signals, each reading the one before; then their sum in an output.
    fn lanes(&mut self, block: &mut VerilogBlock, nested_default: bool) {
        let Some((_, Slot::Local(lane))) = self.slots.iter().find(|(name, _)| name == "lane$0")
        else {
            return;
        };
        let width = lane.val().bits();
        let first = self.of(Type::Uint(width), 2);
        block.push(assign("lane[0]", first));
        self.index = Some(3);
        let mut body = vec![];
        if nested_default {
            body.push(assign("lane[i]", signal("lane[i-1]")));
            let then = vec![assign(
                "lane[i]",
                binary(
                    signal("lane[i-1]"),
                    VerilogOp::Add,
                    self.of(Type::Uint(width), 1),
                ),
            )];
            let test = self.of(Type::Flag, 2);
            let otherwise = VerilogBlockOrConditional::None;
            body.push(VerilogStatement::If(VerilogConditional {
                test,
                then,
                otherwise,
            }));
        } else {
            body.push(assign(
                "lane[i]",
                binary(
                    signal("lane[i-1]"),
                    VerilogOp::BitXor,
                    self.of(Type::Uint(width), 2),
                ),
            ));
        }
        self.index = None;
        block.push(VerilogStatement::Loop(VerilogLoop {
            index: "i".into(),
            from: 1usize.into(),
            to: 3usize.into(),
            block: body,
        }));
        self.slots.push(("sum".into(), Slot::Out(Bus::new(width))));
        block.push(assign(
            "sum",
            binary(signal("lane[1]"), VerilogOp::Sub, signal("lane[2]")),
        ));
        // Most kernels leave some of their logic dead, as real ones do; it also builds far faster.
        if self.rng.random_range(0..6) == 0 {
            self.observers(block);
        }
    }

    /// Outputs that show every local signal and register, so that no difference stays hidden.
    fn observers(&mut self, block: &mut VerilogBlock) {
        for (name, kind) in self.readable.clone() {
            let port = format!("see_{}", name.replace('$', "_"));
            let slot = match kind {
                Type::Flag => Slot::OutFlag(Wire::default()),
                Type::Uint(width) => Slot::Out(Bus::new(width)),
                Type::Wide(_) => continue,
            };
            block.push(assign(&port, signal(name)));
            self.slots.push((port, slot));
        }
    }

    fn assign_to(&mut self, i: usize, block: &mut VerilogBlock, depth: usize) {
        let target = self.targets[i].clone();
        if !target.assigned && self.depth == 0 {
            // Now and then bit by bit, without a default.
            if let (Type::Uint(width), Some(_), true) =
                (target.kind, &target.read, self.rng.random_range(0..4) == 0)
            {
                if (2..=8).contains(&width) {
                    self.bit_by_bit(i, width, block);
                    return;
                }
            }
        }
        let held = target.write.replace("$d", "$q");
        let holds =
            self.readable.iter().any(|(name, _)| *name == held) && target.write.ends_with("$d");
        let value = if holds && self.rng.random_range(0..4) == 0 {
            signal(held)
        } else {
            self.of(target.kind, depth)
        };
        block.push(assign(&target.write, value));
        self.mark(i);
    }

    fn mark(&mut self, i: usize) {
        if self.targets[i].assigned {
            return;
        }
        self.targets[i].assigned = true;
        if let Some(read) = self.targets[i].read.clone() {
            self.readable.push((read, self.targets[i].kind));
        }
    }

    fn bit_by_bit(&mut self, i: usize, width: usize, block: &mut VerilogBlock) {
        let name = self.targets[i].write.clone();
        self.index = Some(width);
        let bit = self.of(Type::Flag, 2);
        self.index = None;
        let value = Ast::IndexReplace(
            Box::new(signal(&name)),
            Box::new(signal("i")),
            Box::new(bit),
        );
        let body = vec![
            VerilogStatement::Comment("Every bit.".into()),
            assign(&name, value),
        ];
        let (from, to) = (0usize.into(), width.into());
        block.push(VerilogStatement::Loop(VerilogLoop {
            index: "i".into(),
            from,
            to,
            block: body,
        }));
        self.mark(i);
    }

    fn statement(&mut self, block: &mut VerilogBlock) {
        let assigned: Vec<usize> = (0..self.targets.len())
            .filter(|i| self.targets[*i].assigned)
            .collect();
        let fresh: Vec<usize> = (0..self.targets.len())
            .filter(|i| !self.targets[*i].assigned)
            .collect();
        let choice = self.rng.random_range(0..10);
        match (
            choice,
            assigned.choose(self.rng).copied(),
            fresh.choose(self.rng).copied(),
        ) {
            (0..4, _, Some(i)) if self.depth == 0 => self.assign_to(i, block, 3),
            (0..6, Some(i), _) => {
                let target = self.targets[i].clone();
                match (target.kind, &target.read, self.rng.random_range(0..3)) {
                    (Type::Uint(width), Some(read), 0) => {
                        let index = self.amount(width);
                        let bit = self.of(Type::Flag, 2);
                        let value = Ast::IndexReplace(
                            Box::new(signal(read)),
                            Box::new(index),
                            Box::new(bit),
                        );
                        block.push(assign(&target.write, value));
                    }
                    _ => self.assign_to(i, block, 2),
                }
            }
            (6..8, Some(_), _) if self.depth < 3 => {
                let test = self.of(Type::Flag, 2);
                let then = self.branch();
                let otherwise = match self.rng.random_range(0..3) {
                    0 => VerilogBlockOrConditional::None,
                    1 => VerilogBlockOrConditional::Block(self.branch()),
                    _ => {
                        let (test, then) = (self.of(Type::Flag, 1), self.branch());
                        let otherwise = VerilogBlockOrConditional::Block(self.branch());
                        let nested = VerilogConditional {
                            test,
                            then,
                            otherwise,
                        };
                        VerilogBlockOrConditional::Conditional(Box::new(VerilogStatement::If(
                            nested,
                        )))
                    }
                };
                block.push(VerilogStatement::If(VerilogConditional {
                    test,
                    then,
                    otherwise,
                }));
            }
            (8, Some(_), _) if self.depth < 3 => {
                let width = self.rng.random_range(1..4);
                let test = self.of(Type::Uint(width), 2);
                let mut cases = vec![];
                for _ in 0..self.rng.random_range(1..4) {
                    let condition = self.rng.random_range(0..1 << width).to_string();
                    cases.push(VerilogCase {
                        condition,
                        block: self.branch(),
                    });
                }
                cases.push(VerilogCase {
                    condition: "default".into(),
                    block: self.branch(),
                });
                block.push(VerilogStatement::Match(VerilogMatch { test, cases }));
            }
            (9, _, Some(_)) if self.depth == 0 => self.both_branches(fresh, block),
            _ => {}
        }
    }

    /// An `if` whose branches both assign something not assigned before.
    fn both_branches(&mut self, fresh: Vec<usize>, block: &mut VerilogBlock) {
        let Some(i) = fresh.choose(self.rng).copied() else {
            return;
        };
        let test = self.of(Type::Flag, 2);
        self.depth += 1;
        let kind = self.targets[i].kind;
        let write = self.targets[i].write.clone();
        let then = vec![assign(&write, self.of(kind, 2))];
        let otherwise = VerilogBlockOrConditional::Block(vec![assign(&write, self.of(kind, 2))]);
        self.depth -= 1;
        block.push(VerilogStatement::If(VerilogConditional {
            test,
            then,
            otherwise,
        }));
        self.mark(i);
    }

    fn branch(&mut self) -> VerilogBlock {
        self.depth += 1;
        let mut block = vec![];
        for _ in 0..self.rng.random_range(0..3) {
            self.statement(&mut block);
        }
        self.depth -= 1;
        block
    }

    /// A shift amount or bit index for a value of `width` bits, sometimes beyond it.
    fn amount(&mut self, width: usize) -> Ast {
        match (self.rng.random_range(0..4), self.index) {
            (0, Some(_)) => signal("i"),
            (1, _) => {
                let width = self.rng.random_range(1..8);
                self.of(Type::Uint(width), 1)
            }
            (2, _) => signal("fixed"),
            _ => number(self.rng.random_range(0..width + 2)),
        }
    }

    fn of(&mut self, kind: Type, depth: usize) -> Ast {
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
