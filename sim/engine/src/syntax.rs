//! The syntax tree of a Verilog text.

use crate::lexer::{Number, Pos};

#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub text: String,
    pub pos: Pos,
}

/// `[left:right]`.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub left: Expr,
    pub right: Expr,
}

#[derive(Debug, Clone)]
pub(crate) struct Module {
    pub name: Name,
    pub ports: Vec<Port>,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone)]
pub(crate) struct Port {
    pub name: Name,
    pub input: bool,
    /// `output reg`.
    pub reg: bool,
    pub range: Option<Range>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetKind {
    Wire,
    Reg,
    Integer,
}

#[derive(Debug, Clone)]
pub(crate) enum Item {
    Constant {
        name: Name,
        range: Option<Range>,
        value: Expr,
    },
    Net {
        kind: NetKind,
        name: Name,
        range: Option<Range>,
        words: Option<Range>,
        value: Option<Expr>,
    },
    Assign {
        target: Target,
        value: Expr,
    },
    Initial(Stmt),
    Always {
        pos: Pos,
        /// Empty: `@*`.
        events: Vec<Event>,
        body: Stmt,
    },
    Function(Function),
    Instance {
        module: Name,
        name: Name,
        connections: Vec<(Name, Expr)>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub rising: bool,
    pub signal: Name,
}

#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub name: Name,
    pub range: Option<Range>,
    pub inputs: Vec<(Name, Option<Range>)>,
    pub body: Stmt,
}

#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub name: Name,
    pub at: Select,
}

#[derive(Debug, Clone)]
pub(crate) enum Select {
    Whole,
    Index(Box<Expr>),
    Part(Box<Range>),
}

#[derive(Debug, Clone)]
pub(crate) enum Stmt {
    Empty,
    Block(Vec<Stmt>),
    Assign {
        target: Target,
        value: Expr,
        /// `<=`.
        nonblocking: bool,
    },
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Box<Stmt>,
    },
    Case {
        test: Expr,
        /// Labels and statement, in order.
        arms: Vec<(Vec<Expr>, Stmt)>,
        default: Option<Box<Stmt>>,
    },
    For {
        variable: Name,
        from: Expr,
        condition: Expr,
        step: Expr,
        body: Box<Stmt>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub pos: Pos,
    pub kind: ExprKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Negate,
    Plus,
    Logical,
    All,
    Any,
    Parity,
    NotAll,
    NotAny,
    NotParity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Xnor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
    ShiftLeft,
    ShiftRight,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Number(Number),
    Signal(String, Select),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Concat(Vec<Expr>),
    Repeat(Box<Expr>, Vec<Expr>),
    Call(String, Vec<Expr>),
}
