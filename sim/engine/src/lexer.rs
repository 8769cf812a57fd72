//! Splits Verilog text into tokens.

use crate::error::{EngineError, Place};

/// A place: index of the file, line and column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pos {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// The names of the source files, to turn a [`Pos`] into a [`Place`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Files(pub Vec<String>);

impl Files {
    pub fn place(&self, pos: Pos) -> Place {
        Place {
            file: self.0.get(pos.file as usize).cloned().unwrap_or_default(),
            line: pos.line,
            column: pos.column,
        }
    }

    pub fn refused(&self, pos: Pos, construct: impl Into<String>) -> EngineError {
        EngineError::Refused {
            place: self.place(pos),
            construct: construct.into(),
        }
    }

    pub fn syntax(
        &self,
        pos: Pos,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> EngineError {
        EngineError::Syntax {
            place: self.place(pos),
            expected: expected.into(),
            found: found.into(),
        }
    }

    pub fn contradiction(&self, pos: Pos, problem: impl Into<String>) -> EngineError {
        EngineError::Contradiction {
            place: self.place(pos),
            problem: problem.into(),
        }
    }
}

/// A literal: its limbs of 64 bits, its width when it has one, and whether it is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    pub limbs: Vec<u64>,
    pub width: Option<u32>,
    pub signed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or keyword.
    Word(String),
    Number(Number),
    /// Operators and punctuation.
    Sign(&'static str),
    End,
}

impl Token {
    pub fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(_) => "a number".into(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".into(),
        }
    }
}

/// Longest first.
const SIGNS: [&str; 51] = [
    "<<<", ">>>", "===", "!==", "&&&", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "**", "~&",
    "~|", "~^", "^~", "+:", "-:", "->", "(*", "*)", "=>", "@*", "(", ")", "[", "]", "{", "}", ";",
    ":", ",", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", "#", "@",
];

/// Widest literal, and widest signal, in bits.
pub(crate) const MAX_BITS: u32 = 65_536;

pub(crate) fn tokens(
    files: &Files,
    file: u32,
    text: &str,
) -> Result<Vec<(Token, Pos)>, EngineError> {
    let mut lexer = Lexer {
        files,
        rest: text,
        pos: Pos {
            file,
            line: 1,
            column: 1,
        },
        out: vec![],
        in_attribute: false,
    };
    lexer.run()?;
    Ok(lexer.out)
}

struct Lexer<'t> {
    files: &'t Files,
    rest: &'t str,
    pos: Pos,
    out: Vec<(Token, Pos)>,
    /// Behind `(*`, where a string is the value of an attribute and no token.
    in_attribute: bool,
}

impl Lexer<'_> {
    fn skip(&mut self, bytes: usize) {
        for c in self.rest[..bytes].chars() {
            if c == '\n' {
                self.pos.line += 1;
                self.pos.column = 1;
            } else {
                self.pos.column += 1;
            }
        }
        self.rest = &self.rest[bytes..];
    }

    fn length(&self, within: impl Fn(char) -> bool) -> usize {
        self.rest.find(|c| !within(c)).unwrap_or(self.rest.len())
    }

    fn run(&mut self) -> Result<(), EngineError> {
        loop {
            self.skip(self.length(char::is_whitespace));
            let start = self.pos;
            let Some(first) = self.rest.chars().next() else {
                self.out.push((Token::End, start));
                return Ok(());
            };
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.skip(end + 2),
                    None => {
                        return Err(self.files.syntax(start, "`*/`", "the end of the file"));
                    }
                }
            } else if first.is_ascii_alphabetic() || first == '_' {
                let length = self.length(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
                let word = self.rest[..length].to_string();
                self.skip(length);
                self.out.push((Token::Word(word), start));
            } else if first.is_ascii_digit() || first == '\'' {
                let number = self.number(start)?;
                self.out.push((Token::Number(number), start));
            } else if first == '"' && self.in_attribute {
                match self.rest[1..].find('"') {
                    Some(end) => self.skip(end + 2),
                    None => return Err(self.files.syntax(start, "`\"`", "the end of the file")),
                }
            } else if first == '"' {
                return Err(self.files.refused(start, "a string"));
            } else if matches!(first, '`' | '$' | '\\') {
                let length = 1 + self.rest[1..]
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(self.rest.len() - 1);
                let what = match first {
                    '`' => "the directive",
                    '$' => "the system task or function",
                    _ => "the escaped name",
                };
                let construct = format!("{what} `{}`", &self.rest[..length]);
                return Err(self.files.refused(start, construct));
            } else {
                // most signs differ in their first byte already
                let byte = self.rest.as_bytes()[0];
                let is_next =
                    |sign: &&&str| sign.as_bytes()[0] == byte && self.rest.starts_with(**sign);
                let Some(sign) = SIGNS.iter().find(is_next) else {
                    return Err(self.files.syntax(start, "Verilog", format!("`{first}`")));
                };
                // `(*)` of a sensitivity list is no attribute.
                let sign = match *sign {
                    "(*" if self.rest.starts_with("(*)") => "(",
                    other => other,
                };
                self.skip(sign.len());
                self.in_attribute = match sign {
                    "(*" => true,
                    "*)" => false,
                    _ => self.in_attribute,
                };
                self.out.push((Token::Sign(sign), start));
            }
        }
    }

    fn number(&mut self, start: Pos) -> Result<Number, EngineError> {
        let size_length = self.length(|c| c.is_ascii_digit() || c == '_');
        let size = self.rest[..size_length].replace('_', "");
        if self.rest[size_length..].starts_with('.')
            && self.rest[size_length + 1..].starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(self.files.refused(start, "a real number"));
        }
        if !self.rest[size_length..].starts_with('\'') {
            self.skip(size_length);
            let Some(value) = size.parse::<u64>().ok().filter(|v| *v <= i32::MAX as u64) else {
                let problem =
                    format!("the number {size} does not fit the 32 bits of one without a size");
                return Err(self.files.contradiction(start, problem));
            };
            return Ok(Number {
                limbs: vec![value],
                width: None,
                signed: true,
            });
        }
        let width = match size.as_str() {
            "" => 32,
            size => size.parse::<u32>().unwrap_or(0),
        };
        if !(1..=MAX_BITS).contains(&width) {
            let problem = format!("a literal has 1 to {MAX_BITS} bits, this one has {size}");
            return Err(self.files.contradiction(start, problem));
        }
        self.skip(size_length + 1);
        let base = self.rest.chars().next().unwrap_or(' ').to_ascii_lowercase();
        let radix: u64 = match base {
            'b' => 2,
            'o' => 8,
            'd' => 10,
            'h' => 16,
            's' => return Err(self.files.refused(start, "a signed literal")),
            _ => {
                return Err(self
                    .files
                    .syntax(self.pos, "b, o, d or h", format!("`{base}`")))
            }
        };
        self.skip(1);
        let length = self.length(|c| c.is_ascii_alphanumeric() || c == '_' || c == '?');
        let digits = self.rest[..length].to_string();
        let mut limbs = vec![0u64; (width as usize).div_ceil(64)];
        let mut overflow = false;
        let mut any = false;
        for c in digits.chars().filter(|c| *c != '_') {
            if matches!(c.to_ascii_lowercase(), 'x' | 'z' | '?') {
                return Err(self.files.refused(start, format!("a literal with `{c}`")));
            }
            let Some(digit) = c.to_digit(radix as u32) else {
                return Err(self.files.syntax(
                    self.pos,
                    format!("digits of base {radix}"),
                    format!("`{c}`"),
                ));
            };
            any = true;
            let mut carry = u128::from(digit);
            for limb in &mut limbs {
                let next = u128::from(*limb) * u128::from(radix) + carry;
                *limb = next as u64;
                carry = next >> 64;
            }
            overflow |= carry != 0;
        }
        if !any {
            return Err(self.files.syntax(self.pos, "digits", "none"));
        }
        let top = width % 64;
        if let Some(last) = limbs.last_mut().filter(|_| top != 0) {
            overflow |= *last >> top != 0;
        }
        if overflow {
            let problem = format!("the literal's value does not fit its {width} bits");
            return Err(self.files.contradiction(start, problem));
        }
        self.skip(length);
        Ok(Number {
            limbs,
            width: Some(width),
            signed: false,
        })
    }
}
