//! Statements of a kernel as text, for error messages.

use super::tree::dotted;
use rust_hdl::ast::{
    VerilogExpression as Ast, VerilogLiteral, VerilogOp, VerilogOpUnary, VerilogStatement,
};

/// Value and width of a literal; integers of a kernel have the width of their Rust type, `true` and `false` one bit.
pub(super) fn literal(literal: &VerilogLiteral) -> (u128, usize) {
    let text = format!("{literal:x}");
    let (bits, digits) = text.split_once("'h").unwrap_or(("128", &text));
    (
        u128::from_str_radix(digits, 16).unwrap_or(u128::MAX),
        bits.parse().unwrap_or(128),
    )
}

/// The kernel's own spelling of an operator.
pub(super) fn operator(op: &VerilogOp) -> &'static str {
    match op {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}

/// An expression as the kernel has it, less `self.` and `.val()`.
pub(super) fn expression(e: &Ast) -> String {
    match e {
        Ast::Signal(name) => dotted(name),
        Ast::Literal(l) => {
            let (value, width) = literal(l);
            if width == 1 {
                (value == 1).to_string()
            } else {
                value.to_string()
            }
        }
        Ast::Cast(x, width) => format!("bits_to({}, {width})", expression(x)),
        Ast::Signed(x) => format!("signed({})", expression(x)),
        Ast::Unsigned(x) => format!("unsigned({})", expression(x)),
        Ast::Paren(x) => format!("({})", expression(x)),
        Ast::Binary(a, op, b) => format!("{} {} {}", expression(a), operator(op), expression(b)),
        Ast::Unary(op, x) => match op {
            VerilogOpUnary::Not => format!("!{}", expression(x)),
            VerilogOpUnary::Neg => format!("-{}", expression(x)),
            VerilogOpUnary::All => format!("{}.all()", expression(x)),
            VerilogOpUnary::Any => format!("{}.any()", expression(x)),
            VerilogOpUnary::Xor => format!("{}.xor()", expression(x)),
        },
        Ast::Index(x, i) => format!("{}.get_bit({})", expression(x), expression(i)),
        Ast::Slice(x, width, low) => {
            format!("{}.get_bits::<{width}>({})", expression(x), expression(low))
        }
        Ast::IndexReplace(x, i, bit) => {
            format!(
                "{}.replace_bit({}, {})",
                expression(x),
                expression(i),
                expression(bit)
            )
        }
    }
}

/// The first line of a statement, with the loop indices it stands under.
pub(super) fn statement(s: &VerilogStatement, loops: &[(String, usize)]) -> String {
    let text = match s {
        VerilogStatement::Assignment(target, value) => {
            format!("{} = {}", expression(target), expression(value))
        }
        VerilogStatement::SliceAssignment {
            base, replacement, ..
        } => {
            format!("{}.field = {}", expression(base), expression(replacement))
        }
        VerilogStatement::If(c) => format!("if {}", expression(&c.test)),
        VerilogStatement::Match(m) => format!("match {}", expression(&m.test)),
        VerilogStatement::Loop(l) => format!("for {} in ..", l.index),
        VerilogStatement::Comment(text) => format!("comment!(\"{text}\")"),
        VerilogStatement::Link(_) => "join or link".into(),
        VerilogStatement::Macro(_) => "clock!".into(),
    };
    text + &indices(loops)
}

/// The text of an assignment that a statement stands for.
pub(super) fn assignment(target: &Ast, value: &Ast, loops: &[(String, usize)]) -> String {
    format!(
        "{} = {}{}",
        expression(target),
        expression(value),
        indices(loops)
    )
}

fn indices(loops: &[(String, usize)]) -> String {
    let indices: Vec<String> = loops
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if indices.is_empty() {
        String::new()
    } else {
        format!(", {}", indices.join(", "))
    }
}

/// The text of a `comment!`, which reaches us as the macro's token string, `comment! ("text")`, or its tail.
pub(super) fn comment(tokens: &str) -> Vec<String> {
    let is_call = ["comment", "println"]
        .iter()
        .filter_map(|name| tokens.strip_prefix(name))
        .any(|rest| rest.trim_start().starts_with('!'));
    let text = match tokens.find('"') {
        Some(quote) if is_call => &tokens[quote + 1..],
        _ => tokens,
    };
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out.lines()
        .map(|line| line.trim_end().to_string())
        .collect()
}
