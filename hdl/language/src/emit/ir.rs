//! A module after its kernel was read: typed, loops unrolled, signals by index.

use super::expr::{Expr, SignalId};
use super::tree::Instance;
use crate::wires::{RegisterShape, Wide};

/// What a signal is to the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    Local,
    Constant,
    /// Input of the child with this index.
    ChildInput(usize),
    ChildOutput,
    RegisterQ,
    /// `d` of the register with this index.
    RegisterD(usize),
    /// `reset` or `enable` of a register.
    RegisterControl,
    RegisterClock,
    SliceInput,
    /// A part of an expression that needs a name.
    Term,
}

impl Role {
    /// For error messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Role::Input => "an input of the block",
            Role::Output => "an output of the block",
            Role::Local => "a local signal",
            Role::Constant => "a constant",
            Role::ChildOutput | Role::RegisterQ => "an output of a sub-block",
            Role::Term => "a term",
            Role::ChildInput(_)
            | Role::RegisterD(_)
            | Role::RegisterControl
            | Role::RegisterClock
            | Role::SliceInput => "an input of a sub-block",
        }
    }

    /// Whether the kernel drives signals of this role.
    pub fn is_driven(&self) -> bool {
        !matches!(
            self,
            Role::Input | Role::Constant | Role::ChildOutput | Role::RegisterQ | Role::Term
        )
    }

    /// Whether reading the signal gives its settled value, not the last one assigned.
    pub fn reads_settled(&self) -> bool {
        !matches!(self, Role::Output | Role::Local)
    }
}

/// A signal of a module.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    /// rust-hdl's name within the block.
    pub key: String,
    /// Its Verilog name.
    pub name: String,
    pub width: usize,
    pub role: Role,
    pub doc: String,
    /// It is a register that takes data of another clock.
    pub asynchronous: bool,
    pub clock: bool,
    /// A constant's value.
    pub value: Option<Wide>,
}

/// A register of a module.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub q: SignalId,
    pub d: SignalId,
    pub clock: SignalId,
    /// `reset` or `enable`, as the shape has it.
    pub control: Option<SignalId>,
    pub shape: RegisterShape,
}

/// A sub-block printed as a module.
#[derive(Clone, Debug)]
pub(super) struct Child<'a> {
    pub instance: &'a Instance,
    /// Instance name in Verilog.
    pub name: String,
    /// Port names in Verilog and the signals they connect to.
    pub ports: Vec<(String, SignalId)>,
}

/// Which bits of its target an assignment sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum At {
    Whole,
    Bit(usize),
    /// The bit an expression chooses; it cannot leave the target.
    Chosen(Expr),
}

/// An assignment. `order` counts assignments and conditions in program order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assign {
    pub target: SignalId,
    pub at: At,
    pub value: Expr,
    pub order: usize,
}

/// A statement with the comments above it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stmt {
    pub comments: Vec<String>,
    /// Index into [`Module::texts`].
    pub text: usize,
    pub kind: StmtKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum StmtKind {
    Assign(Assign),
    If {
        condition: Expr,
        order: usize,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Arms in order; `default` is empty when `full` says that the arms cover every value.
    Case {
        test: Expr,
        order: usize,
        arms: Vec<(Expr, Vec<Stmt>)>,
        default: Option<Vec<Stmt>>,
    },
}

impl Stmt {
    /// The nested blocks.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::Assign(_) => vec![],
            StmtKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            StmtKind::Case { arms, default, .. } => arms
                .iter()
                .map(|(_, block)| &block[..])
                .chain(default.as_deref())
                .collect(),
        }
    }

    /// Whether `arms` (with a default, or all values named) leave no value out.
    pub fn is_exhaustive(&self) -> bool {
        match &self.kind {
            StmtKind::Case {
                test,
                arms,
                default,
                ..
            } => default.is_some() || (test.width < 20 && arms.len() == 1 << test.width),
            _ => true,
        }
    }

    /// Calls `see` with every assignment in the statement.
    pub fn assigns<'s>(&'s self, see: &mut impl FnMut(&'s Assign)) {
        if let StmtKind::Assign(assign) = &self.kind {
            see(assign);
        }
        for block in self.blocks() {
            block.iter().for_each(|s| s.assigns(see));
        }
    }

    /// Calls `see` with every expression in the statement.
    pub fn expressions(&self, see: &mut impl FnMut(&Expr)) {
        match &self.kind {
            StmtKind::Assign(assign) => {
                if let At::Chosen(index) = &assign.at {
                    see(index);
                }
                see(&assign.value);
            }
            StmtKind::If { condition, .. } => see(condition),
            StmtKind::Case { test, .. } => see(test),
        }
        for block in self.blocks() {
            block.iter().for_each(|s| s.expressions(see));
        }
    }

    /// Calls `change` with every expression in the statement.
    pub fn expressions_mut(&mut self, change: &mut impl FnMut(&mut Expr)) {
        match &mut self.kind {
            StmtKind::Assign(assign) => {
                if let At::Chosen(index) = &mut assign.at {
                    change(index);
                }
                change(&mut assign.value);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                change(condition);
                then.iter_mut()
                    .chain(otherwise)
                    .for_each(|s| s.expressions_mut(change));
            }
            StmtKind::Case {
                test,
                arms,
                default,
                ..
            } => {
                change(test);
                let blocks = arms
                    .iter_mut()
                    .flat_map(|(_, block)| block)
                    .chain(default.iter_mut().flatten());
                blocks.for_each(|s| s.expressions_mut(change));
            }
        }
    }
}

/// A module read from a kernel.
#[derive(Clone, Debug)]
pub(super) struct Module<'a> {
    pub instance: &'a Instance,
    pub signals: Vec<Signal>,
    pub registers: Vec<Register>,
    pub children: Vec<Child<'a>>,
    pub statements: Vec<Stmt>,
    /// The kernel's statements as text, for errors.
    pub texts: Vec<String>,
}
