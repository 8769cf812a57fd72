//! Expressions as text with holes: `+ a$q ?0` is `self.a.q.val() + n`, `n` being the first number filled in.
//!
//! Operators stand before their operands, one space between words, so that `bloomline_language::wires::Kernel` reads a text word by word.

use crate::block::SIZES;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{BinOp, Error, Expr, ExprMethodCall, Lit, Member, Result, UnOp};

/// An expression's text, and the Rust expressions of its holes.
#[derive(Default)]
pub(crate) struct Text {
    words: Vec<String>,
    holes: Vec<TokenStream>,
}

impl Text {
    /// A text that begins with this word.
    pub fn of(word: &str) -> Text {
        Text {
            words: vec![word.into()],
            holes: vec![],
        }
    }

    /// The arguments `text, numbers` of a call for these texts, a line each.
    pub fn arguments(lines: &[Text]) -> TokenStream {
        let mut holes = vec![];
        let mut text = vec![];
        for line in lines {
            text.push(renumbered(&line.words.join(" "), holes.len()));
            holes.extend(&line.holes);
        }
        let text = text.join("\n");
        quote!(#text, &[#(Number::from(#holes)),*])
    }

    fn hole(&mut self, number: &impl ToTokens) -> String {
        self.holes.push(number.to_token_stream());
        format!("?{}", self.holes.len() - 1)
    }

    fn word(&mut self, word: &str) {
        self.words.push(word.into());
    }

    /// Adds the name of a signal: `self.banks[i].q` is `banks[i]$q`.
    pub fn signal(&mut self, e: &Expr, loops: &[String]) -> Result<()> {
        let name = self.name(e, loops)?;
        self.words.push(name);
        Ok(())
    }

    fn name(&mut self, e: &Expr, loops: &[String]) -> Result<String> {
        match e {
            Expr::Path(path) if path.path.is_ident("self") => Ok(String::new()),
            Expr::Field(field) => {
                let base = self.name(&field.base, loops)?;
                let Member::Named(member) = &field.member else {
                    return Err(Error::new_spanned(e, "signals are fields with names"));
                };
                if SIZES.contains(&base.as_str()) {
                    let message =
                        "a size is no operand: name it with a field or a constant of the block";
                    return Err(Error::new_spanned(e, message));
                }
                Ok(match base.is_empty() {
                    true => member.to_string(),
                    false => format!("{base}${member}"),
                })
            }
            Expr::Index(index) => {
                let base = self.name(&index.expr, loops)?;
                let at = match is_symbolic(&index.index, loops) {
                    true => index.index.to_token_stream().to_string().replace(' ', ""),
                    false => self.hole(&index.index),
                };
                Ok(format!("{base}[{at}]"))
            }
            Expr::Paren(inner) => self.name(&inner.expr, loops),
            _ => Err(Error::new_spanned(e, "no signal of the block")),
        }
    }

    /// Adds the signal `target` with bit `index` set to `bit`.
    pub fn replaced_bit(
        &mut self,
        target: &Expr,
        index: &Expr,
        bit: &Expr,
        loops: &[String],
    ) -> Result<()> {
        self.word(".replace");
        self.signal(target, loops)?;
        self.expression(index, loops)?;
        self.expression(bit, loops)
    }

    /// Adds an expression.
    pub fn expression(&mut self, e: &Expr, loops: &[String]) -> Result<()> {
        match e {
            Expr::Paren(inner) => {
                self.word("(");
                self.expression(&inner.expr, loops)
            }
            Expr::Group(inner) => self.expression(&inner.expr, loops),
            Expr::Binary(binary) => {
                self.word(operator(&binary.op)?);
                self.expression(&binary.left, loops)?;
                self.expression(&binary.right, loops)
            }
            Expr::Unary(unary) => {
                self.word(match unary.op {
                    UnOp::Not(_) => "!",
                    UnOp::Neg(_) => "neg",
                    _ => return Err(Error::new_spanned(e, "no operator of a kernel")),
                });
                self.expression(&unary.expr, loops)
            }
            Expr::Lit(literal) => {
                match &literal.lit {
                    Lit::Bool(flag) => self.word(if flag.value { "#true" } else { "#false" }),
                    Lit::Int(number) => self.word(&format!("#{}", number.base10_digits())),
                    _ => return Err(Error::new_spanned(e, "no literal of a kernel")),
                }
                Ok(())
            }
            Expr::Path(path) => {
                let index = path.path.get_ident().map(ToString::to_string);
                match index.filter(|name| loops.contains(name)) {
                    Some(index) => self.word(&index),
                    None => {
                        let hole = self.hole(e);
                        self.words.push(hole);
                    }
                }
                Ok(())
            }
            Expr::Call(call) => {
                let name = call.func.to_token_stream().to_string();
                if !["bits_to", "bits_wide", "bits_of"].contains(&name.as_str())
                    || call.args.len() != 2
                {
                    let message = "a kernel calls `bits_to`, `bits_wide` and `bits_of` only";
                    return Err(Error::new_spanned(e, message));
                }
                let width = self.hole(&call.args[1]);
                self.words.push(format!(":{width}"));
                self.expression(&call.args[0], loops)
            }
            Expr::MethodCall(method) => self.method(method, loops),
            Expr::Field(_) | Expr::Index(_) => self.signal(e, loops),
            _ => Err(Error::new_spanned(e, "no expression of a kernel")),
        }
    }

    fn method(&mut self, call: &ExprMethodCall, loops: &[String]) -> Result<()> {
        let name = call.method.to_string();
        let (word, operands) = match name.as_str() {
            "val" => return self.expression(&call.receiver, loops),
            "all" | "any" | "xor" => (name.as_str(), 0),
            "get_bit" => ("bit", 1),
            "replace_bit" => ("replace", 2),
            _ => return Err(Error::new_spanned(&call.method, "no method of a kernel")),
        };
        if call.args.len() != operands {
            let message = format!("`{name}` takes {operands} argument(s)");
            return Err(Error::new_spanned(call, message));
        }
        self.word(&format!(".{word}"));
        self.expression(&call.receiver, loops)?;
        for argument in &call.args {
            self.expression(argument, loops)?;
        }
        Ok(())
    }
}

/// The text with the numbers of its holes raised by `first`.
fn renumbered(text: &str, first: usize) -> String {
    let mut parts = text.split('?');
    let mut renumbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = part.split_at(digits.unwrap_or(part.len()));
        let number: usize = number.parse().unwrap_or_default();
        renumbered += &format!("?{}{rest}", first + number);
    }
    renumbered
}

/// Whether an index consists of numbers and loop indices, which the tree keeps for messages.
fn is_symbolic(e: &Expr, loops: &[String]) -> bool {
    match e {
        Expr::Paren(inner) => is_symbolic(&inner.expr, loops),
        Expr::Binary(binary) => {
            is_symbolic(&binary.left, loops) && is_symbolic(&binary.right, loops)
        }
        Expr::Lit(_) => true,
        Expr::Path(path) => loops.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

fn operator(op: &BinOp) -> Result<&'static str> {
    Ok(match op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::And(_) => "&&",
        BinOp::Or(_) => "||",
        BinOp::BitXor(_) => "^",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Eq(_) => "==",
        BinOp::Ne(_) => "!=",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Gt(_) => ">",
        BinOp::Ge(_) => ">=",
        _ => return Err(Error::new_spanned(op, "no operator of a kernel")),
    })
}
