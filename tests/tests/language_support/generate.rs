//! Random kernels: well-typed syntax trees over random signals, drawn so that the back end must accept them.

use super::expressions::binary;
use super::interpret::Interpreted;
use super::slots::{Fixed, Slot};
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::Number;
use rand::seq::IndexedRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional,
    VerilogExpression as Ast, VerilogLink, VerilogLinkDetails, VerilogLoop, VerilogMatch,
    VerilogOp, VerilogStatement,
};

/// What an expression evaluates to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
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

pub(super) struct Generator<'r> {
    pub(super) rng: &'r mut ChaCha8Rng,
    slots: Vec<(String, Slot)>,
    pub(super) readable: Vec<(String, Type)>,
    targets: Vec<Target>,
    /// Open loop index and its bound.
    pub(super) index: Option<usize>,
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

pub(super) fn signal(name: impl Into<String>) -> Ast {
    Ast::Signal(name.into())
}

pub(super) fn number(n: usize) -> Ast {
    Ast::Literal((n as i32).into())
}

/// An assignment; half of those of a plain signal stand as connections of a bundle with one member.
fn assign(target: &str, value: Ast) -> VerilogStatement {
    if let Ast::Signal(from) = &value {
        let ahead = from.len() % 2 == 0;
        let (owner, other) = if ahead {
            (&from[..], target)
        } else {
            (target, &from[..])
        };
        let details = VerilogLinkDetails {
            my_name: String::new(),
            owner_name: owner.into(),
            other_name: other.into(),
        };
        if target.len().is_multiple_of(2) && from != "few" && from != "sure" {
            return VerilogStatement::Link(vec![match ahead {
                true => VerilogLink::Forward(details),
                false => VerilogLink::Backward(details),
            }]);
        }
    }
    VerilogStatement::Assignment(signal(format!("{target}$next")), value)
}

impl Generator<'_> {
    pub(super) fn width(&mut self) -> usize {
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
        let few = Fixed(Number::from(self.rng.random_range(0..4usize)));
        self.add("few", Slot::Number(few), None);
        let sure = Fixed(Number::from(self.rng.random::<bool>()));
        let readable = ("sure".into(), Type::Flag);
        self.add("sure", Slot::Number(sure), Some(readable));
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
        // Some clocks are connected by the kernel; the others connect themselves.
        let connected = self.rng.random_range(0..=clocks.len());
        block.push(VerilogStatement::Macro(
            clocks[..connected].iter().map(|r| connect(r)).collect(),
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
}
