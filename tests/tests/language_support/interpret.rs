//! A block whose kernel is a syntax tree held as data: `hdl()` returns the tree, `update()` computes it with the operators
//! the macro's Rust code would use. It makes random kernels possible, which a compile-time macro cannot give.

use super::slots::{Fixed, Loaded, Slot};
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::{BitIndex, Number, RegisterShape, SliceShape};
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogExpression as Ast, VerilogLink, VerilogLiteral,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};
use rust_hdl::atom::{Atom, AtomKind};
use rust_hdl::probe::Probe;
use std::collections::HashMap;

/// A block run from its syntax tree.
pub struct Interpreted {
    pub clock: Signal<In, Clock>,
    pub slots: Vec<(String, Slot)>,
    kernel: VerilogBlock,
    program: Vec<Step>,
}

/// Where a name of the kernel leads: a slot, and which of its ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    slot: usize,
    port: PortOf,
}

/// The ports a slot can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortOf {
    Itself,
    D,
    Q,
    Control,
    Clock,
    Input,
    Output,
}

/// A statement with names resolved and loops unrolled.
enum Step {
    Assign(Reference, Term),
    If(Term, Vec<Step>, Vec<Step>),
    Match(Term, Vec<(Option<u128>, Vec<Step>)>),
}

/// An expression with names resolved.
enum Term {
    Read(Reference),
    Clock,
    Value(Loaded),
    Number(u128),
    Cast(Box<Term>, usize),
    Binary(Box<Term>, VerilogOp, Box<Term>),
    Unary(VerilogOpUnary, Box<Term>),
    Index(Box<Term>, Box<Term>),
    Replace(Box<Term>, Box<Term>, Box<Term>),
}

impl Interpreted {
    /// A block with these signals and this kernel. Every name must be one of a slot, a port of one, or `clock`.
    pub fn new(slots: Vec<(String, Slot)>, kernel: VerilogBlock) -> Self {
        let names: HashMap<&str, usize> = slots
            .iter()
            .enumerate()
            .map(|(i, (name, _))| (&name[..], i))
            .collect();
        let mut loops = vec![];
        let program = Compiler {
            names: &names,
            slots: &slots,
        }
        .block(&kernel, &mut loops);
        Interpreted {
            clock: Signal::default(),
            slots,
            kernel,
            program,
        }
    }

    /// A block that is only printed; its kernel may be wrong in any way.
    pub fn unchecked(slots: Vec<(String, Slot)>, kernel: VerilogBlock) -> Self {
        Interpreted {
            clock: Signal::default(),
            slots,
            kernel,
            program: vec![],
        }
    }

    /// The interpreted twin of a block written with the macro.
    pub fn like(block: &dyn Block) -> Self {
        let Verilog::Combinatorial(kernel) = block.hdl() else {
            panic!("a kernel written with the macro")
        };
        let mut reader = SlotReader::default();
        block.accept("twin", &mut reader);
        Interpreted::new(reader.slots, kernel)
    }

    /// The slot called `name`.
    pub fn slot(&mut self, name: &str) -> &mut Slot {
        let found = self.slots.iter_mut().find(|(n, _)| n == name);
        &mut found.unwrap_or_else(|| panic!("no slot {name}")).1
    }
}

struct Compiler<'n> {
    names: &'n HashMap<&'n str, usize>,
    slots: &'n [(String, Slot)],
}

type Loops = Vec<(String, usize)>;

impl Compiler<'_> {
    fn block(&self, block: &VerilogBlock, loops: &mut Loops) -> Vec<Step> {
        let mut out = vec![];
        for statement in block {
            match statement {
                VerilogStatement::Assignment(Ast::Signal(target), value) => {
                    out.push(Step::Assign(
                        self.reference(target, loops),
                        self.term(value, loops),
                    ));
                }
                VerilogStatement::If(c) => {
                    let then = self.block(&c.then, loops);
                    let otherwise = match &c.otherwise {
                        VerilogBlockOrConditional::Block(block) => self.block(block, loops),
                        VerilogBlockOrConditional::Conditional(nested) => {
                            self.block(&vec![(**nested).clone()], loops)
                        }
                        VerilogBlockOrConditional::None => vec![],
                    };
                    out.push(Step::If(self.term(&c.test, loops), then, otherwise));
                }
                VerilogStatement::Match(m) => {
                    let arms = m.cases.iter().map(|case| {
                        let pattern = match case.condition.as_str() {
                            "default" => None,
                            "true" => Some(1),
                            "false" => Some(0),
                            number => Some(number.parse().expect("a number")),
                        };
                        (pattern, self.block(&case.block, loops))
                    });
                    let arms = arms.collect();
                    out.push(Step::Match(self.term(&m.test, loops), arms));
                }
                VerilogStatement::Loop(l) => {
                    for turn in l.from.as_usize()..l.to.as_usize() {
                        loops.push((l.index.clone(), turn));
                        out.extend(self.block(&l.block, loops));
                        loops.pop();
                    }
                }
                VerilogStatement::Macro(block) => out.extend(self.block(block, loops)),
                VerilogStatement::Comment(_) => {}
                VerilogStatement::Link(links) => {
                    for link in links {
                        let (details, ahead) = match link {
                            VerilogLink::Forward(details) => (details, true),
                            VerilogLink::Backward(details) => (details, false),
                            VerilogLink::Bidirectional(_) => panic!("not interpreted: {link:?}"),
                        };
                        let member = details.my_name.replace('.', "$");
                        let owner = format!("{}{member}", details.owner_name);
                        let other = format!("{}{member}", details.other_name);
                        let (from, to) = if ahead {
                            (owner, other)
                        } else {
                            (other, owner)
                        };
                        let value = self.term(&Ast::Signal(from), loops);
                        out.push(Step::Assign(self.reference(&to, loops), value));
                    }
                }
                other => panic!("not interpreted: {other:?}"),
            }
        }
        out
    }

    fn reference(&self, name: &str, loops: &Loops) -> Reference {
        let mut name = name.trim_end_matches("$next").to_string();
        while let Some(open) = name.find('[') {
            let close = open + name[open..].find(']').expect("a closing bracket");
            let text = &name[open + 1..close];
            let (base, offset) = match (text.split_once('+'), text.split_once('-')) {
                (Some((base, by)), _) => (base, by.parse::<isize>().expect("a number")),
                (_, Some((base, by))) => (base, -by.parse::<isize>().expect("a number")),
                _ => (text, 0),
            };
            let constant = |name: &str| match &self.slots[self.names[name]].1 {
                Slot::Const(x) => x.position(),
                _ => panic!("{name} is no constant"),
            };
            let value = match base.strip_suffix("$position()") {
                Some(name) => Some(constant(name)),
                None => loops.iter().find(|(n, _)| n == base).map(|(_, v)| *v),
            };
            let value = value.or_else(|| base.parse().ok());
            let value = value.expect("a loop index or number") as isize + offset;
            name = format!("{}${value}{}", &name[..open], &name[close + 1..]);
        }
        if let Some(slot) = self.names.get(&name[..]) {
            return Reference {
                slot: *slot,
                port: PortOf::Itself,
            };
        }
        let (block, port) = name
            .rsplit_once('$')
            .unwrap_or_else(|| panic!("unknown name {name}"));
        let slot = *self
            .names
            .get(block)
            .unwrap_or_else(|| panic!("unknown name {name}"));
        let port = match port {
            "d" => PortOf::D,
            "q" => PortOf::Q,
            "reset" | "enable" => PortOf::Control,
            "clock" => PortOf::Clock,
            "input" => PortOf::Input,
            "output" => PortOf::Output,
            other => panic!("unknown port {other}"),
        };
        Reference { slot, port }
    }

    fn term(&self, e: &Ast, loops: &Loops) -> Term {
        let boxed = |e: &Ast| Box::new(self.term(e, loops));
        match e {
            Ast::Paren(x) => self.term(x, loops),
            Ast::Signal(name) if name == "clock" => Term::Clock,
            Ast::Signal(name) => match loops.iter().find(|(n, _)| n == name) {
                Some((_, value)) => Term::Number(*value as u128),
                None => Term::Read(self.reference(name, loops)),
            },
            Ast::Literal(l) => match literal(l) {
                (value, 1) => Term::Value(Loaded::Bool(value == 1)),
                (value, _) => Term::Number(value),
            },
            Ast::Cast(x, width) => Term::Cast(boxed(x), *width),
            Ast::Binary(a, op, b) => Term::Binary(boxed(a), op.clone(), boxed(b)),
            Ast::Unary(op, x) => Term::Unary(op.clone(), boxed(x)),
            Ast::Index(x, i) => Term::Index(boxed(x), boxed(i)),
            Ast::IndexReplace(x, i, bit) => Term::Replace(boxed(x), boxed(i), boxed(bit)),
            other => panic!("not interpreted: {other:?}"),
        }
    }
}

fn literal(l: &VerilogLiteral) -> (u128, usize) {
    let text = format!("{l:x}");
    let (bits, digits) = text.split_once("'h").expect("a sized literal");
    (
        u128::from_str_radix(digits, 16).expect("digits"),
        bits.parse().expect("a width"),
    )
}

/// The value of `term`, computed with the operators of `UInt`, `Wide` and `bool`.
fn evaluate(term: &Term, slots: &[(String, Slot)]) -> Loaded {
    use Loaded::{Bool, Number, Uint, Wide as Big};
    let eval = |t: &Term| evaluate(t, slots);
    match term {
        Term::Read(r) => slots[r.slot].1.read(r.port),
        Term::Clock => panic!("a clock is connected, not computed with"),
        Term::Value(v) => *v,
        Term::Number(n) => Number(*n),
        Term::Cast(x, width) if *width > UInt::MOST_BITS => match eval(x) {
            Bool(x) => Big(bits_wide(x, *width)),
            Number(x) => Big(bits_wide(x, *width)),
            Uint(x) => Big(bits_wide(x, *width)),
            Big(x) => Big(bits_wide(x, *width)),
        },
        Term::Cast(x, width) => Uint(match eval(x) {
            Bool(x) => bits_to(x, *width),
            Number(x) => bits_to(x, *width),
            Uint(x) => bits_to(x, *width),
            Big(x) => bits_to(x, *width),
        }),
        Term::Unary(op, x) => match (op, eval(x)) {
            (VerilogOpUnary::Not, Bool(x)) => Bool(!x),
            (VerilogOpUnary::Not, Uint(x)) => Uint(!x),
            (VerilogOpUnary::Not, Big(x)) => Big(!x),
            (VerilogOpUnary::Neg, Uint(x)) => Uint(-x),
            (VerilogOpUnary::All, Uint(x)) => Bool(x.all()),
            (VerilogOpUnary::Any, Uint(x)) => Bool(x.any()),
            (VerilogOpUnary::Xor, Uint(x)) => Bool(x.xor()),
            (VerilogOpUnary::All, Big(x)) => Bool(x.all()),
            (VerilogOpUnary::Any, Big(x)) => Bool(x.any()),
            (VerilogOpUnary::Xor, Big(x)) => Bool(x.xor()),
            (op, x) => panic!("{op:?} of {x:?}"),
        },
        Term::Binary(a, VerilogOp::LogicalAnd, b) => Bool(eval(a).bool() && eval(b).bool()),
        Term::Binary(a, VerilogOp::LogicalOr, b) => Bool(eval(a).bool() || eval(b).bool()),
        Term::Binary(a, op, b) => binary(eval(a), op, eval(b)),
        Term::Index(x, i) => Bool(match (eval(x), eval(i)) {
            (Uint(x), i) => x.get_bit(i.position()),
            (Big(x), i) => x.get_bit(i.position()),
            (x, _) => panic!("a bit of {x:?}"),
        }),
        Term::Replace(x, i, bit) => match (eval(x), eval(i), eval(bit)) {
            (Uint(x), i, bit) => Uint(x.replace_bit(i.position(), bit.bool())),
            (Big(x), i, bit) => Big(x.replace_bit(i.position(), bit.bool())),
            (x, ..) => panic!("a bit of {x:?}"),
        },
    }
}

fn binary(a: Loaded, op: &VerilogOp, b: Loaded) -> Loaded {
    use Loaded::{Bool, Number, Uint, Wide as Big};
    macro_rules! uint {
        ($a:expr, $b:expr) => {
            match op {
                VerilogOp::Add => Uint($a + $b),
                VerilogOp::Sub => Uint($a - $b),
                VerilogOp::Mul => Uint($a * $b),
                VerilogOp::BitAnd => Uint($a & $b),
                VerilogOp::BitOr => Uint($a | $b),
                VerilogOp::BitXor => Uint($a ^ $b),
                VerilogOp::Shl => Uint($a << $b),
                VerilogOp::Shr => Uint($a >> $b),
                VerilogOp::Eq => Bool($a == $b),
                VerilogOp::Ne => Bool($a != $b),
                VerilogOp::Lt => Bool($a < $b),
                VerilogOp::Le => Bool($a <= $b),
                VerilogOp::Gt => Bool($a > $b),
                VerilogOp::Ge => Bool($a >= $b),
                VerilogOp::LogicalAnd | VerilogOp::LogicalOr => panic!("{op:?} of numbers"),
            }
        };
    }
    match (a, b) {
        (Uint(a), Uint(b)) => uint!(a, b),
        (Uint(a), Number(b)) => uint!(a, b),
        (Number(a), Number(b)) => match op {
            VerilogOp::Add => Number(a + b),
            VerilogOp::Sub => Number(a - b),
            VerilogOp::Mul => Number(a * b),
            _ => panic!("{op:?} of integers"),
        },
        (Bool(a), Bool(b)) => Bool(match op {
            VerilogOp::BitAnd => a & b,
            VerilogOp::BitOr => a | b,
            VerilogOp::BitXor => a ^ b,
            VerilogOp::Eq => a == b,
            VerilogOp::Ne => a != b,
            VerilogOp::Lt => !a & b,
            VerilogOp::Le => a <= b,
            VerilogOp::Gt => a & !b,
            VerilogOp::Ge => a >= b,
            _ => panic!("{op:?} of flags"),
        }),
        (Big(a), Big(b)) => match op {
            VerilogOp::BitAnd => Big(a & b),
            VerilogOp::BitOr => Big(a | b),
            VerilogOp::BitXor => Big(a ^ b),
            VerilogOp::Eq => Bool(a == b),
            VerilogOp::Ne => Bool(a != b),
            _ => panic!("{op:?} of wide values"),
        },
        (Big(a), b) => match op {
            VerilogOp::Shl => Big(a << b.position()),
            VerilogOp::Shr => Big(a >> b.position()),
            _ => panic!("{op:?} of a wide value and {b:?}"),
        },
        (a, b) => panic!("{op:?} of {a:?} and {b:?}"),
    }
}

impl Loaded {
    fn bool(self) -> bool {
        match self {
            Loaded::Bool(b) => b,
            other => panic!("{other:?} as a flag"),
        }
    }

    fn position(self) -> usize {
        match self {
            Loaded::Number(n) => usize::try_from(n).unwrap_or(usize::MAX),
            Loaded::Uint(x) => x.position(),
            other => panic!("{other:?} as an index"),
        }
    }

    fn number(self) -> u128 {
        match self {
            Loaded::Bool(b) => u128::from(b),
            Loaded::Number(n) => n,
            Loaded::Uint(x) => x.get(),
            Loaded::Wide(x) => x.low(),
        }
    }
}

fn run(program: &[Step], slots: &mut [(String, Slot)], clock: Clock) {
    for step in program {
        match step {
            Step::Assign(target, Term::Clock) => slots[target.slot].1.set_clock(clock),
            Step::Assign(target, value) => {
                let value = evaluate(value, slots);
                slots[target.slot].1.write(target.port, value);
            }
            Step::If(test, then, otherwise) => {
                let block = if evaluate(test, slots).bool() {
                    then
                } else {
                    otherwise
                };
                run(block, slots, clock);
            }
            Step::Match(test, arms) => {
                let value = evaluate(test, slots).number();
                let arm = arms
                    .iter()
                    .find(|(pattern, _)| pattern.is_none_or(|p| p == value));
                run(&arm.expect("a default arm").1, slots, clock);
            }
        }
    }
}

impl Logic for Interpreted {
    fn update(&mut self) {
        let clock = self.clock.val();
        let clocked = self.slots.iter_mut().filter(|(_, slot)| slot.is_clocked());
        clocked.for_each(|(_, slot)| slot.set_clock(clock));
        run(&self.program, &mut self.slots, self.clock.val());
    }

    fn connect(&mut self) {
        self.slots.iter_mut().for_each(|(_, slot)| slot.claim());
    }

    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self.kernel.clone())
    }
}

impl Block for Interpreted {
    fn connect_all(&mut self) {
        self.connect();
        self.slots
            .iter_mut()
            .for_each(|(_, slot)| slot.block_mut().connect_all());
    }

    fn update_all(&mut self) {
        self.update();
        self.clock.update_all();
        self.slots
            .iter_mut()
            .for_each(|(_, slot)| slot.block_mut().update_all());
    }

    fn has_changed(&self) -> bool {
        self.clock.has_changed()
            || self
                .slots
                .iter()
                .any(|(_, slot)| slot.block().has_changed())
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        for (name, slot) in &self.slots {
            slot.block().accept(name, probe);
        }
        probe.visit_end_scope(name, self);
    }
}

/// Name, body, and types and widths of the ports of an open block.
type Scope = (String, Verilog, Vec<(String, usize)>);

/// Makes slots like the signals and registers of a block.
#[derive(Default)]
struct SlotReader {
    slots: Vec<(String, Slot)>,
    scopes: Vec<Scope>,
    bundles: Vec<String>,
}

impl Probe for SlotReader {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.scopes.push((name.into(), node.hdl(), vec![]));
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let description = bloomline_language::wires::Description::unpack(&atom.descriptor());
        if description.type_name == "clock" || description.type_name == "about" {
            return;
        }
        if self.scopes.len() > 1 {
            self.scopes
                .last_mut()
                .expect("a scope")
                .2
                .push((description.type_name, atom.bits()));
            return;
        }
        let kind = &description.type_name[..];
        let number = |value: &str| {
            Slot::Number(Fixed(Number {
                value: u128::from_str_radix(value, 16).expect("a number"),
                is_flag: atom.bits() == 1,
            }))
        };
        if let Some(numbers) = description.numbers() {
            let slots = numbers
                .enumerate()
                .map(|(at, value)| (format!("{name}${at}"), number(value)));
            self.slots.extend(slots);
            return;
        }
        let slot = match atom.kind() {
            AtomKind::Constant if kind == "number" => number(&description.value),
            AtomKind::InputParameter => Slot::input(kind, atom.bits()),
            AtomKind::OutputParameter => Slot::output(kind, atom.bits()),
            AtomKind::LocalSignal => Slot::local(kind, atom.bits()),
            AtomKind::Constant => {
                let value =
                    u128::from_str_radix(&description.value, 16).expect("a narrow constant");
                Slot::Const(Const::new(value, atom.bits()))
            }
            other => panic!("{other:?}"),
        };
        let bundles = self.bundles.iter().map(|bundle| format!("{bundle}$"));
        self.slots.push((bundles.collect::<String>() + name, slot));
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.bundles.push(name.into());
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.bundles.pop();
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let (name, hdl, ports) = self.scopes.pop().expect("a scope");
        if self.scopes.is_empty() {
            return;
        }
        let (kind, width) = ports.last().expect("a port").clone();
        let slot = if let Some(shape) = RegisterShape::of(&hdl) {
            let initial = u128::from_str_radix(&shape.initial, 16).expect("a narrow register");
            match (shape.reset, shape.enable) {
                (true, _) => Slot::ResetReg(ResetReg::with_init(width, initial)),
                (_, true) => Slot::EnableReg(EnableReg::with_init(width, initial)),
                _ if kind == "bool" => Slot::Flag(Flag::with_init(initial == 1)),
                _ => Slot::Reg(Reg::with_init(width, initial)),
            }
        } else {
            let shape = SliceShape::of(&hdl).expect("a register or slice");
            Slot::Slice(Slice::new(ports[0].1, shape.low, shape.width))
        };
        self.slots.push((name, slot));
    }
}
