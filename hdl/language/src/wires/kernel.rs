//! Builds rust-hdl's syntax tree from what [`crate::wires::prelude::hdl_gen`] writes for a kernel: statements and expressions as text.

use rust_hdl::ast::{
    Verilog, VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional,
    VerilogExpression as Expression, VerilogLink, VerilogLinkDetails, VerilogLoop, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement as Statement,
};
use std::str::Split;

/// A number of the block, known when it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number; 0 or 1 for a `bool`.
    pub value: u128,
    /// Whether it is a `bool`, which is one bit wide.
    pub is_flag: bool,
}

macro_rules! numbers {
    ($($number:ty)+) => { $(
        impl From<$number> for Number {
            #[inline(always)]
            fn from(value: $number) -> Self {
                Number { value: value as u128, is_flag: false }
            }
        }
    )+ };
}

numbers!(i32 u32 u64 usize u128);

impl From<bool> for Number {
    #[inline(always)]
    fn from(flag: bool) -> Self {
        Number {
            value: u128::from(flag),
            is_flag: true,
        }
    }
}

/// How a member of a bundle is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The member.
    pub member: &'static str,
    /// From the bundle named first to the one named second, not back.
    pub ahead: bool,
}

/// What is open.
enum Open {
    Loop {
        turns: usize,
    },
    Turn {
        index: &'static str,
        at: usize,
    },
    When {
        test: Expression,
    },
    Otherwise {
        test: Expression,
        then: VerilogBlock,
    },
    Choice {
        test: Expression,
        cases: Vec<VerilogCase>,
    },
    Arm {
        pattern: &'static str,
    },
}

/// A kernel under construction.
#[derive(Default)]
pub struct Kernel {
    statements: VerilogBlock,
    /// What is open, and the statements in front of it.
    open: Vec<(Open, VerilogBlock)>,
}

impl Kernel {
    /// The tree.
    pub fn verilog(self) -> Verilog {
        Verilog::Combinatorial(self.statements)
    }

    /// Adds statements, a line each: `set SIGNAL EXPRESSION`, `when TEST`, `else`, `match VALUE`, `arm PATTERN` and `end`.
    pub fn run(&mut self, text: &'static str, numbers: &[Number]) {
        for line in text.split('\n') {
            let (statement, text) = line.split_once(' ').unwrap_or((line, ""));
            let mut reader = Reader::of(text, numbers);
            match statement {
                "set" => {
                    let target = Expression::Signal(format!("{}$next", reader.name()));
                    let value = reader.expression();
                    self.statements.push(Statement::Assignment(target, value));
                }
                "when" => {
                    let test = reader.expression();
                    self.begin(Open::When { test });
                }
                "else" => self.otherwise(),
                "match" => {
                    let (test, cases) = (reader.expression(), vec![]);
                    self.begin(Open::Choice { test, cases });
                }
                "arm" => self.begin(Open::Arm { pattern: text }),
                _ => self.end(),
            }
        }
    }

    /// Begins `else`.
    fn otherwise(&mut self) {
        if let Some((Open::When { test }, before)) = self.open.pop() {
            let then = std::mem::take(&mut self.statements);
            self.open.push((Open::Otherwise { test, then }, before));
        }
    }

    /// Begins a loop.
    pub fn begin_loop(&mut self) {
        self.begin(Open::Loop { turns: 0 });
    }

    /// Begins a turn of the loop.
    pub fn turn(&mut self, index: &'static str, at: usize) {
        if let Some((Open::Loop { turns }, _)) = self.open.last_mut() {
            *turns += 1;
        }
        self.begin(Open::Turn { index, at });
    }

    /// A comment; one in a loop stands in its first turn.
    pub fn comment(&mut self, text: &str) {
        let later = |open: &(Open, _)| matches!(open.0, Open::Loop { turns } if turns > 1);
        if !self.open.iter().any(later) {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            self.statements.push(Statement::Comment(text));
        }
    }

    /// Connects the members of two bundles; `text` names the owner and the other.
    pub fn connect(&mut self, text: &'static str, numbers: &[Number], ties: Vec<Tie>) {
        let mut reader = Reader::of(text, numbers);
        let (owner_name, other_name) = (reader.name(), reader.name());
        let link = |tie: Tie| {
            let details = VerilogLinkDetails {
                my_name: format!(".{}", tie.member),
                owner_name: owner_name.clone(),
                other_name: other_name.clone(),
            };
            match tie.ahead {
                true => VerilogLink::Forward(details),
                false => VerilogLink::Backward(details),
            }
        };
        let links = ties.into_iter().map(link).collect();
        self.statements.push(Statement::Link(links));
    }

    fn begin(&mut self, open: Open) {
        let before = std::mem::take(&mut self.statements);
        self.open.push((open, before));
    }

    /// Ends what was begun last.
    pub fn end(&mut self) {
        let Some((open, before)) = self.open.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.statements, before);
        let statement = match open {
            Open::Loop { .. } => return self.statements.extend(inner),
            Open::Turn { index, at } => Statement::Loop(VerilogLoop {
                index: index.into(),
                from: at.into(),
                to: (at + 1).into(),
                block: inner,
            }),
            Open::When { test } => Statement::If(VerilogConditional {
                test,
                then: inner,
                otherwise: VerilogBlockOrConditional::None,
            }),
            Open::Otherwise { test, then } => Statement::If(VerilogConditional {
                test,
                then,
                otherwise: VerilogBlockOrConditional::Block(inner),
            }),
            Open::Choice { test, cases } => Statement::Match(VerilogMatch { test, cases }),
            Open::Arm { pattern } => {
                if let Some((Open::Choice { cases, .. }, _)) = self.open.last_mut() {
                    cases.push(VerilogCase {
                        condition: pattern.into(),
                        block: inner,
                    });
                }
                return;
            }
        };
        self.statements.push(statement);
    }
}

/// Reads text word by word.
struct Reader<'t> {
    words: Split<'t, char>,
    numbers: &'t [Number],
}

impl<'t> Reader<'t> {
    fn of(text: &'t str, numbers: &'t [Number]) -> Self {
        Reader {
            words: text.split(' '),
            numbers,
        }
    }

    fn number(&self, hole: &str) -> Number {
        let number = hole.parse().ok().and_then(|at: usize| self.numbers.get(at));
        *number.expect("the macro writes as many holes as numbers")
    }

    /// A name, with the indices in its holes.
    fn name(&mut self) -> String {
        let word = self.words.next().unwrap_or_default();
        self.filled(word)
    }

    fn filled(&self, word: &str) -> String {
        let mut parts = word.split('?');
        let mut name = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let end = part.find(']').unwrap_or(part.len());
            name += &self.number(&part[..end]).value.to_string();
            name += &part[end..];
        }
        name
    }

    fn boxed(&mut self) -> Box<Expression> {
        Box::new(self.expression())
    }

    fn unary(&mut self, op: VerilogOpUnary) -> Expression {
        Expression::Unary(op, self.boxed())
    }

    fn binary(&mut self, op: VerilogOp) -> Expression {
        let left = self.boxed();
        Expression::Binary(left, op, self.boxed())
    }

    fn expression(&mut self) -> Expression {
        let word = self.words.next().unwrap_or_default();
        match word {
            "(" => Expression::Paren(self.boxed()),
            "!" => self.unary(VerilogOpUnary::Not),
            "neg" => self.unary(VerilogOpUnary::Neg),
            ".all" => self.unary(VerilogOpUnary::All),
            ".any" => self.unary(VerilogOpUnary::Any),
            ".xor" => self.unary(VerilogOpUnary::Xor),
            ".bit" => {
                let value = self.boxed();
                Expression::Index(value, self.boxed())
            }
            ".replace" => {
                let (value, index) = (self.boxed(), self.boxed());
                Expression::IndexReplace(value, index, self.boxed())
            }
            "+" => self.binary(VerilogOp::Add),
            "-" => self.binary(VerilogOp::Sub),
            "*" => self.binary(VerilogOp::Mul),
            "&&" => self.binary(VerilogOp::LogicalAnd),
            "||" => self.binary(VerilogOp::LogicalOr),
            "^" => self.binary(VerilogOp::BitXor),
            "&" => self.binary(VerilogOp::BitAnd),
            "|" => self.binary(VerilogOp::BitOr),
            "<<" => self.binary(VerilogOp::Shl),
            ">>" => self.binary(VerilogOp::Shr),
            "==" => self.binary(VerilogOp::Eq),
            "!=" => self.binary(VerilogOp::Ne),
            "<" => self.binary(VerilogOp::Lt),
            "<=" => self.binary(VerilogOp::Le),
            ">" => self.binary(VerilogOp::Gt),
            ">=" => self.binary(VerilogOp::Ge),
            "#true" => Expression::Literal(true.into()),
            "#false" => Expression::Literal(false.into()),
            _ => self.leaf(word),
        }
    }

    fn leaf(&mut self, word: &str) -> Expression {
        if let Some(hole) = word.strip_prefix(":?") {
            let width = self.number(hole).value as usize;
            return Expression::Cast(self.boxed(), width);
        }
        if let Some(digits) = word.strip_prefix('#') {
            let value: u128 = digits.parse().expect("the macro writes digits");
            return Expression::Literal(value.into());
        }
        if let Some(hole) = word.strip_prefix('?') {
            let number = self.number(hole);
            return Expression::Literal(match number.is_flag {
                true => (number.value == 1).into(),
                false => number.value.into(),
            });
        }
        Expression::Signal(self.filled(word))
    }
}
