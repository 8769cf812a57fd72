//! Parses tokens into modules; refuses every construct that the emitted Verilog does not use.

use crate::error::EngineError;
use crate::lexer::{Files, Number, Pos, Token};
use crate::syntax::{
    Binary, Event, Expr, ExprKind, Function, Item, Module, Name, NetKind, Port, Range, Select,
    Stmt, Target, Unary,
};

/// Deepest nesting of expressions and statements.
const DEEPEST: usize = 200;

/// Words that Verilog-2005 reserves; none of them is a name.
const RESERVED: [&str; 124] = [
    "always",
    "and",
    "assign",
    "automatic",
    "begin",
    "buf",
    "bufif0",
    "bufif1",
    "case",
    "casex",
    "casez",
    "cell",
    "cmos",
    "config",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "edge",
    "else",
    "end",
    "endcase",
    "endconfig",
    "endfunction",
    "endgenerate",
    "endmodule",
    "endprimitive",
    "endspecify",
    "endtable",
    "endtask",
    "event",
    "for",
    "force",
    "forever",
    "fork",
    "function",
    "generate",
    "genvar",
    "highz0",
    "highz1",
    "if",
    "ifnone",
    "incdir",
    "include",
    "initial",
    "inout",
    "input",
    "instance",
    "integer",
    "join",
    "large",
    "liblist",
    "library",
    "localparam",
    "macromodule",
    "medium",
    "module",
    "nand",
    "negedge",
    "nmos",
    "nor",
    "noshowcancelled",
    "not",
    "notif0",
    "notif1",
    "or",
    "output",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "pull0",
    "pull1",
    "pulldown",
    "pullup",
    "pulsestyle_ondetect",
    "pulsestyle_onevent",
    "rcmos",
    "real",
    "realtime",
    "reg",
    "release",
    "repeat",
    "rnmos",
    "rpmos",
    "rtran",
    "rtranif0",
    "rtranif1",
    "scalared",
    "showcancelled",
    "signed",
    "small",
    "specify",
    "specparam",
    "strong0",
    "strong1",
    "supply0",
    "supply1",
    "table",
    "task",
    "time",
    "tran",
    "tranif0",
    "tranif1",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "unsigned",
    "use",
    "uwire",
    "vectored",
    "wait",
    "wand",
    "weak0",
    "weak1",
    "while",
    "wire",
    "wor",
    "xnor",
    "xor",
];

pub(crate) fn modules(files: &Files, tokens: &[(Token, Pos)]) -> Result<Vec<Module>, EngineError> {
    let mut parser = Parser {
        files,
        tokens,
        at: 0,
        depth: 0,
    };
    let mut modules = vec![];
    loop {
        parser.attributes()?;
        if *parser.peek() == Token::End {
            return Ok(modules);
        }
        modules.push(parser.module()?);
    }
}

struct Parser<'t> {
    files: &'t Files,
    tokens: &'t [(Token, Pos)],
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, EngineError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    fn advance(&mut self) {
        // The last token is the end, which stays.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        let found = self.peek().describe();
        Err(self.files.syntax(self.pos(), expected, found))
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) {
            Ok(())
        } else {
            self.unexpected(&format!("`{sign}`"))
        }
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) {
            Ok(())
        } else {
            self.unexpected(&format!("`{word}`"))
        }
    }

    fn refused<T>(&self, construct: impl Into<String>) -> Parsed<T> {
        Err(self.files.refused(self.pos(), construct))
    }

    /// Counts one level of nesting.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return self.refused(format!("nesting deeper than {DEEPEST} levels"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let pos = self.pos();
        match self.peek().clone() {
            Token::Word(word) if RESERVED.contains(&word.as_str()) => self.unexpected(what),
            Token::Word(text) => {
                self.advance();
                Ok(Name { text, pos })
            }
            _ => self.unexpected(what),
        }
    }

    /// Attributes change nothing that a simulation shows.
    fn attributes(&mut self) -> Parsed<()> {
        while self.take_sign("(*") {
            while !self.take_sign("*)") {
                if *self.peek() == Token::End {
                    return self.unexpected("`*)`");
                }
                self.advance();
            }
        }
        Ok(())
    }

    fn module(&mut self) -> Parsed<Module> {
        if let Token::Word(word) = self.peek() {
            if word != "module" && RESERVED.contains(&word.as_str()) {
                return self.refused(format!("`{word}` outside a module"));
            }
        }
        self.word("module")?;
        let name = self.name("the module's name")?;
        if self.is_sign("#") {
            return self.refused("a module with parameters");
        }
        let mut ports = vec![];
        if self.take_sign("(") && !self.take_sign(")") {
            loop {
                ports.push(self.port(ports.last())?);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        self.sign(";")?;
        let mut items = vec![];
        while !self.take_word("endmodule") {
            self.attributes()?;
            self.item(&mut items)?;
        }
        Ok(Module { name, ports, items })
    }

    fn port(&mut self, before: Option<&Port>) -> Parsed<Port> {
        self.attributes()?;
        let input = if self.take_word("input") {
            true
        } else if self.take_word("output") {
            false
        } else if self.is_word("inout") {
            return self.refused("an `inout` port");
        } else if let Some(before) = before {
            // `input wire a, b`
            let name = self.name("a port")?;
            return Ok(Port {
                name,
                ..before.clone()
            });
        } else {
            return self.refused("a port without its direction in the module's header");
        };
        let reg = !self.take_word("wire") && !input && self.take_word("reg");
        self.not_signed()?;
        let range = self.optional_range()?;
        let name = self.name("the port's name")?;
        Ok(Port {
            name,
            input,
            reg,
            range,
        })
    }

    fn not_signed(&self) -> Parsed<()> {
        if self.is_word("signed") {
            return self.refused("`signed`");
        }
        Ok(())
    }

    fn optional_range(&mut self) -> Parsed<Option<Range>> {
        if self.is_sign("[") {
            self.range().map(Some)
        } else {
            Ok(None)
        }
    }

    fn range(&mut self) -> Parsed<Range> {
        self.sign("[")?;
        let left = self.expression()?;
        self.sign(":")?;
        let right = self.expression()?;
        self.sign("]")?;
        Ok(Range { left, right })
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
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
            word if RESERVED.contains(&word) => self.refused(format!("`{word}`")),
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

    fn events(&mut self) -> Parsed<Vec<Event>> {
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

    fn function(&mut self) -> Parsed<Function> {
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

    fn target(&mut self) -> Parsed<Target> {
        if self.is_sign("{") {
            return self.refused("an assignment to a concatenation");
        }
        let name = self.name("the name of what is assigned")?;
        let at = self.select()?;
        Ok(Target { name, at })
    }

    fn select(&mut self) -> Parsed<Select> {
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

    fn statement(&mut self) -> Parsed<Stmt> {
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parsed<Stmt> {
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
            if RESERVED.contains(&word.as_str()) {
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

    fn case(&mut self) -> Parsed<Stmt> {
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

    fn expression(&mut self) -> Parsed<Expr> {
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
    fn binary(&mut self, level: usize) -> Parsed<Expr> {
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

    fn unary(&mut self) -> Parsed<Expr> {
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

    fn primary(&mut self) -> Parsed<Expr> {
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

    fn list(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut parts = vec![self.expression()?];
        while self.take_sign(",") {
            parts.push(self.expression()?);
        }
        self.sign(end)?;
        Ok(parts)
    }
}
