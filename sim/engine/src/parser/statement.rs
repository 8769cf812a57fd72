//! Statements.

use super::{is_reserved, Parsed, Parser};
use crate::lexer::Token;
use crate::syntax::Stmt;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.deeper(Self::statement_here)
    }

    pub(super) fn statement_here(&mut self) -> Parsed<Stmt> {
        self.attributes()?;
        if self.take_sign(";") {
            return Ok(Stmt::Empty);
        }
        if self.is_sign("#") {
            return self.refused("a delay");
        }
        if self.is_sign("@") || self.is_sign("@*") || self.is_sign("->") {
            return self.refused("an event inside a statement");
        }
        if self.take_word("begin") {
            if self.is_sign(":") {
                return self.refused("a named block");
            }
            let mut block = vec![];
            while !self.take_word("end") {
                block.push(self.statement()?);
            }
            return Ok(Stmt::Block(block));
        }
        if self.take_word("if") {
            self.sign("(")?;
            let condition = self.expression()?;
            self.sign(")")?;
            let then = Box::new(self.statement()?);
            let otherwise = match self.take_word("else") {
                true => self.statement()?,
                false => Stmt::Empty,
            };
            return Ok(Stmt::If {
                condition,
                then,
                otherwise: Box::new(otherwise),
            });
        }
        if self.take_word("case") {
            return self.case();
        }
        if self.take_word("for") {
            self.sign("(")?;
            let variable = self.name("the loop's variable")?;
            self.sign("=")?;
            let from = self.expression()?;
            self.sign(";")?;
            let condition = self.expression()?;
            self.sign(";")?;
            let again = self.name("the loop's variable")?;
            if again.text != variable.text {
                let construct = "a `for` that steps another variable than its own";
                return Err(self.files.refused(again.pos, construct));
            }
            self.sign("=")?;
            let step = self.expression()?;
            self.sign(")")?;
            let body = Box::new(self.statement()?);
            return Ok(Stmt::For {
                variable,
                from,
                condition,
                step,
                body,
            });
        }
        if let Token::Word(word) = self.peek() {
            if is_reserved(word) {
                return self.refused(format!("`{word}` in a statement"));
            }
        }
        let target = self.target()?;
        let nonblocking = if self.take_sign("<=") {
            true
        } else if self.take_sign("=") {
            false
        } else if self.is_sign("(") || self.is_sign(";") {
            return Err(self.files.refused(target.name.pos, "a task"));
        } else {
            return self.unexpected("`=` or `<=`");
        };
        if self.is_sign("#") || self.is_sign("@") {
            return self.refused("a delay in an assignment");
        }
        let value = self.expression()?;
        self.sign(";")?;
        Ok(Stmt::Assign {
            target,
            value,
            nonblocking,
        })
    }

    pub(super) fn case(&mut self) -> Parsed<Stmt> {
        self.sign("(")?;
        let test = self.expression()?;
        self.sign(")")?;
        let (mut arms, mut default) = (vec![], None);
        while !self.take_word("endcase") {
            if self.is_word("default") {
                if default.is_some() {
                    return self.unexpected("only one `default`");
                }
                self.advance();
                self.take_sign(":");
                default = Some(Box::new(self.statement()?));
                continue;
            }
            let mut labels = vec![self.expression()?];
            while self.take_sign(",") {
                labels.push(self.expression()?);
            }
            self.sign(":")?;
            arms.push((labels, self.statement()?));
        }
        Ok(Stmt::Case {
            test,
            arms,
            default,
        })
    }
}
