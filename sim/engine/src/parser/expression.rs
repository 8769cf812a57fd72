//! Expressions, by precedence.

use super::{Parsed, Parser, DEEPEST};
use crate::lexer::Token;
use crate::syntax::{Binary, Expr, ExprKind, Unary};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| {
            let condition = parser.binary(0)?;
            if !parser.take_sign("?") {
                return Ok(condition);
            }
            let pos = condition.pos;
            let then = parser.expression()?;
            parser.sign(":")?;
            let otherwise = parser.expression()?;
            let kind = ExprKind::Choose(Box::new(condition), Box::new(then), Box::new(otherwise));
            Ok(Expr { pos, kind })
        })
    }

    /// Operators of at least `level`, left-associative.
    pub(super) fn binary(&mut self, level: usize) -> Parsed<Expr> {
        /// Loosest first, as IEEE 1364-2005, table 5-4.
        const LEVELS: [&[(&str, Binary)]; 10] = [
            &[("||", Binary::LogicalOr)],
            &[("&&", Binary::LogicalAnd)],
            &[("|", Binary::Or)],
            &[
                ("^", Binary::Xor),
                ("~^", Binary::Xnor),
                ("^~", Binary::Xnor),
            ],
            &[("&", Binary::And)],
            &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
            &[
                ("<", Binary::Less),
                ("<=", Binary::LessEqual),
                (">", Binary::Greater),
                (">=", Binary::GreaterEqual),
            ],
            &[
                ("<<", Binary::ShiftLeft),
                (">>", Binary::ShiftRight),
                ("<<<", Binary::ShiftLeft),
            ],
            &[("+", Binary::Add), ("-", Binary::Sub)],
            &[("*", Binary::Mul)],
        ];
        const REFUSED: [&str; 8] = ["===", "!==", ">>>", "/", "%", "**", "&&&", "=>"];
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        // A long chain is a deep tree.
        let mut length = 0;
        while let Token::Sign(sign) = self.peek() {
            let sign = *sign;
            if REFUSED.contains(&sign) {
                return self.refused(format!("the operator `{sign}`"));
            }
            let Some((_, operator)) = operators.iter().find(|(s, _)| *s == sign) else {
                break;
            };
            length += 1;
            if length > 10 * DEEPEST {
                return self.refused(format!("more than {} operators in a row", 10 * DEEPEST));
            }
            let pos = self.pos();
            self.advance();
            let right = self.binary(level + 1)?;
            left = Expr {
                pos,
                kind: ExprKind::Binary(*operator, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let operator = match self.peek() {
            Token::Sign("~") => Unary::Not,
            Token::Sign("-") => Unary::Negate,
            Token::Sign("+") => Unary::Plus,
            Token::Sign("!") => Unary::Logical,
            Token::Sign("&") => Unary::All,
            Token::Sign("|") => Unary::Any,
            Token::Sign("^") => Unary::Parity,
            Token::Sign("~&") => Unary::NotAll,
            Token::Sign("~|") => Unary::NotAny,
            Token::Sign("~^" | "^~") => Unary::NotParity,
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expr {
            pos,
            kind: ExprKind::Unary(operator, Box::new(operand)),
        })
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let kind = match self.peek().clone() {
            Token::Number(number) => {
                self.advance();
                ExprKind::Number(number)
            }
            Token::Sign("(") => {
                self.advance();
                let inside = self.expression()?;
                self.sign(")")?;
                return Ok(inside);
            }
            Token::Sign("{") => {
                self.advance();
                let first = self.expression()?;
                if self.take_sign("{") {
                    let parts = self.list("}")?;
                    self.sign("}")?;
                    ExprKind::Repeat(Box::new(first), parts)
                } else {
                    let mut parts = vec![first];
                    while self.take_sign(",") {
                        parts.push(self.expression()?);
                    }
                    self.sign("}")?;
                    ExprKind::Concat(parts)
                }
            }
            Token::Word(_) => {
                let name = self.name("an expression")?;
                if self.take_sign("(") {
                    ExprKind::Call(name.text, self.list(")")?)
                } else if self.is_sign(".") {
                    return self.refused("a hierarchical name");
                } else {
                    ExprKind::Signal(name.text, self.select()?)
                }
            }
            _ => return self.unexpected("an expression"),
        };
        if self.is_sign("[") {
            return self.refused("a select of an expression");
        }
        Ok(Expr { pos, kind })
    }

    pub(super) fn list(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut parts = vec![self.expression()?];
        while self.take_sign(",") {
            parts.push(self.expression()?);
        }
        self.sign(end)?;
        Ok(parts)
    }
}
