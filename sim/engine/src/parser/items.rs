//! Module items: declarations, assignments, processes, instances and functions.

use super::{is_reserved, Parsed, Parser};
use crate::lexer::{Number, Token};
use crate::syntax::{
    Binary, Event, Expr, ExprKind, Function, Item, NetKind, Range, Select, Target,
};

impl Parser<'_> {
    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let pos = self.pos();
        let Token::Word(word) = self.peek().clone() else {
            return self.unexpected("a declaration, a statement or `endmodule`");
        };
        match word.as_str() {
            "localparam" => {
                self.advance();
                self.not_signed()?;
                let range = self.optional_range()?;
                loop {
                    let name = self.name("the constant's name")?;
                    self.sign("=")?;
                    let value = self.expression()?;
                    let range = range.clone();
                    items.push(Item::Constant { name, range, value });
                    if !self.take_sign(",") {
                        break;
                    }
                }
                self.sign(";")
            }
            "wire" | "reg" | "integer" => {
                self.advance();
                let kind = match word.as_str() {
                    "wire" => NetKind::Wire,
                    "reg" => NetKind::Reg,
                    _ => NetKind::Integer,
                };
                self.not_signed()?;
                let range = self.optional_range()?;
                loop {
                    let name = self.name("the signal's name")?;
                    let words = self.optional_range()?;
                    if self.is_sign("[") {
                        return self.refused("a memory of several dimensions");
                    }
                    let value_pos = self.pos();
                    let value = match self.take_sign("=") {
                        true => Some(self.expression()?),
                        false => None,
                    };
                    if value.is_some() && kind != NetKind::Wire {
                        let construct = "an initial value in a declaration (use `initial`)";
                        return Err(self.files.refused(value_pos, construct));
                    }
                    if words.is_some() && kind != NetKind::Reg {
                        return Err(self.files.refused(name.pos, "an array of wires"));
                    }
                    items.push(Item::Net {
                        kind,
                        name,
                        range: range.clone(),
                        words,
                        value,
                    });
                    if !self.take_sign(",") {
                        break;
                    }
                }
                self.sign(";")
            }
            "assign" => {
                self.advance();
                loop {
                    let target = self.target()?;
                    self.sign("=")?;
                    let value = self.expression()?;
                    items.push(Item::Assign { target, value });
                    if !self.take_sign(",") {
                        break;
                    }
                }
                self.sign(";")
            }
            "initial" => {
                self.advance();
                let body = self.statement()?;
                items.push(Item::Initial(body));
                Ok(())
            }
            "always" => {
                self.advance();
                let events = self.events()?;
                let body = self.statement()?;
                items.push(Item::Always { pos, events, body });
                Ok(())
            }
            "function" => {
                let function = self.function()?;
                items.push(Item::Function(function));
                Ok(())
            }
            "input" | "output" | "inout" => {
                self.refused("a port declared outside the module's header")
            }
            word if is_reserved(word) => self.refused(format!("`{word}`")),
            _ => {
                let module = self.name("a module's name")?;
                if self.is_sign("#") {
                    return self.refused("an instance with parameters");
                }
                let name = self.name("the instance's name")?;
                if self.is_sign("[") {
                    return self.refused("an array of instances");
                }
                self.sign("(")?;
                let mut connections = vec![];
                if !self.is_sign(")") {
                    loop {
                        if !self.is_sign(".") {
                            return self.refused("a port connected by its place");
                        }
                        self.advance();
                        let port = self.name("a port's name")?;
                        self.sign("(")?;
                        if self.is_sign(")") {
                            return self.refused("a port that is left open");
                        }
                        connections.push((port, self.expression()?));
                        self.sign(")")?;
                        if !self.take_sign(",") {
                            break;
                        }
                    }
                }
                self.sign(")")?;
                self.sign(";")?;
                items.push(Item::Instance {
                    module,
                    name,
                    connections,
                });
                Ok(())
            }
        }
    }

    pub(super) fn events(&mut self) -> Parsed<Vec<Event>> {
        if self.take_sign("@*") {
            return Ok(vec![]);
        }
        if !self.is_sign("@") {
            return self.refused("`always` without `@`");
        }
        self.advance();
        self.sign("(")?;
        if self.take_sign("*)") {
            return Ok(vec![]);
        }
        let mut events = vec![];
        loop {
            let rising = if self.take_word("posedge") {
                true
            } else if self.take_word("negedge") {
                false
            } else {
                return self.refused("a list of signals after `@` (use `@*`)");
            };
            let signal = self.name("a signal")?;
            events.push(Event { rising, signal });
            if !(self.take_word("or") || self.take_sign(",")) {
                break;
            }
        }
        self.sign(")")?;
        Ok(events)
    }

    pub(super) fn function(&mut self) -> Parsed<Function> {
        self.word("function")?;
        self.take_word("automatic");
        self.not_signed()?;
        let range = self.optional_range()?;
        let name = self.name("the function's name")?;
        let mut inputs = vec![];
        if self.is_sign("(") {
            return self.refused("a function whose inputs stand in its header");
        }
        self.sign(";")?;
        while self.take_word("input") {
            self.not_signed()?;
            let range = self.optional_range()?;
            loop {
                inputs.push((self.name("the input's name")?, range.clone()));
                if !self.take_sign(",") {
                    break;
                }
            }
            self.sign(";")?;
        }
        if matches!(self.peek(), Token::Word(word) if word == "reg" || word == "integer") {
            return self.refused("a variable in a function");
        }
        let body = self.statement()?;
        self.word("endfunction")?;
        Ok(Function {
            name,
            range,
            inputs,
            body,
        })
    }

    pub(super) fn target(&mut self) -> Parsed<Target> {
        if self.is_sign("{") {
            return self.refused("an assignment to a concatenation");
        }
        let name = self.name("the name of what is assigned")?;
        let at = self.select()?;
        Ok(Target { name, at })
    }

    pub(super) fn select(&mut self) -> Parsed<Select> {
        if !self.take_sign("[") {
            return Ok(Select::Whole);
        }
        let left = self.expression()?;
        if self.is_sign("-:") {
            return self.refused("a part select with `-:`");
        }
        if self.take_sign("+:") {
            // `[low +: width]` is `[low + width - 1:low]`.
            let pos = left.pos;
            let binary = |op, a, b| Expr {
                pos,
                kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            };
            let one = Number {
                limbs: vec![1],
                width: None,
                signed: true,
            };
            let one = Expr {
                pos,
                kind: ExprKind::Number(one),
            };
            let width = self.expression()?;
            let end = binary(Binary::Add, left.clone(), width);
            let range = Range {
                left: binary(Binary::Sub, end, one),
                right: left,
            };
            self.sign("]")?;
            return Ok(Select::Part(Box::new(range)));
        }
        let select = if self.take_sign(":") {
            let right = self.expression()?;
            Select::Part(Box::new(Range { left, right }))
        } else {
            Select::Index(Box::new(left))
        };
        self.sign("]")?;
        if self.is_sign("[") {
            return self.refused("a select of a select");
        }
        Ok(select)
    }
}
