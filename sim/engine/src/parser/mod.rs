//! Parses tokens into modules; refuses every construct that the emitted Verilog does not use.

mod expression;
mod items;
mod statement;

use crate::error::EngineError;
use crate::lexer::{Files, Pos, Token};
use crate::syntax::{Module, Name, Port, Range};
use rustc_hash::FxHashSet as HashSet;
use std::sync::LazyLock;

/// Deepest nesting of expressions and statements.
const DEEPEST: usize = 200;

/// Whether Verilog-2005 reserves a word; none of those is a name.
fn is_reserved(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| include_str!("reserved.txt").split_whitespace().collect());
    WORDS.contains(word)
}

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
            Token::Word(word) if is_reserved(&word) => self.unexpected(what),
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
            if word != "module" && is_reserved(word) {
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
}
