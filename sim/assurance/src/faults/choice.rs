//! One text with any number of faults, among which a simulation chooses.

use super::{fault_span, Fault, FaultError};
use std::collections::BTreeMap;
use std::ops::Range;

/// How a simulation chooses among the faults of a text. Faults are numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection<'a> {
    /// By the Verilog plus argument of this name, which holds the number of the fault; one at a time. With 0 and without the argument the design is
    /// as it was.
    PlusArgument(&'a str),
    /// By a one-bit signal for each fault, [`site`], in the module of the fault. It is constant 0 until a simulation adds a fault to it.
    Sites,
}

/// Name of the signal that puts fault `number` in force with [`Selection::Sites`].
pub fn site(number: usize) -> String {
    format!("chosen_fault_{number}")
}

/// The `text` of top module `top` with every fault in it, to be chosen among as `selection` says.
///
/// A fault's text may be any part of a connection, condition, declaration or statement, or some statements: what is chosen between is the expression or
/// the statements that it is in.
///
/// # Errors
/// [`FaultError`] when a fault's text does not occur once in its module, or two faults are in texts that overlap without being the same.
pub fn choose(
    text: &str,
    top: &str,
    faults: &[Fault],
    selection: Selection<'_>,
) -> Result<String, FaultError> {
    let mut places: BTreeMap<usize, (Place, Vec<(usize, String)>)> = BTreeMap::new();
    for (fault, number) in faults.iter().zip(1..) {
        let (place, other) = change(text, fault)?;
        let (known, others) = places
            .entry(place.span.start)
            .or_insert_with(|| (place.clone(), Vec::new()));
        if *known != place {
            return Err(FaultError::Overlap {
                fault: fault.name.to_string(),
            });
        }
        others.push((number, other));
    }
    let mut end = 0;
    for (place, others) in places.values() {
        if place.span.start < end {
            return Err(FaultError::Overlap {
                fault: faults[others[0].0 - 1].name.to_string(),
            });
        }
        end = place.span.end;
    }
    let mut text = text.to_owned();
    // from the end on, so that places before stay where they are
    for (place, others) in places.into_values().rev() {
        let sound = &text[place.span.clone()];
        let either = others
            .into_iter()
            .rev()
            .fold(sound.to_owned(), |rest, (number, other)| {
                let in_force = match selection {
                    Selection::PlusArgument(name) => format!("{top}.{name} == {number}"),
                    Selection::Sites => site(number),
                };
                match place.is_expression {
                    true => format!("(({in_force}) ? ({other}) : ({rest}))"),
                    false => format!("if ({in_force}) begin {other}\nend else begin {rest}\nend\n"),
                }
            });
        let declared = format!(
            "wire{}",
            &text[place.declaration.clone()].replacen("localparam", "", 1)
        );
        text.replace_range(place.span.clone(), &either);
        if !place.declaration.is_empty() {
            text.replace_range(place.declaration, &declared);
        }
    }
    match selection {
        Selection::PlusArgument(name) => {
            let declared = format!("  integer {name};\n  initial if (!$value$plusargs(\"{name}=%d\", {name})) {name} = 0;\n");
            declare(&mut text, top, &declared);
        }
        Selection::Sites => {
            for (fault, number) in faults.iter().zip(1..) {
                let declared = format!("  wire {} = 1'b0;\n", site(number));
                declare(&mut text, &fault.module, &declared);
            }
        }
    }
    Ok(text)
}

/// Puts `declared` behind the ports of a module that is there.
fn declare(text: &mut String, module: &str, declared: &str) {
    let body = || {
        let start = text.find(&format!("module {module} "))?;
        Some(start + text[start..].find(");\n")? + 3)
    };
    if let Some(body) = body() {
        text.insert_str(body, declared);
    }
}

/// What a fault is a part of, and what takes its place.
fn change(text: &str, fault: &Fault) -> Result<(Place, String), FaultError> {
    let span = fault_span(text, fault)?;
    let common = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let before = common(&fault.from, &fault.to);
    let reversed = |text: &str| text.bytes().rev().map(char::from).collect::<String>();
    let behind = common(
        &reversed(&fault.from[before..]),
        &reversed(&fault.to[before..]),
    );
    let changed = span.start + before..span.end - behind;
    let place = Place::around(text, changed.clone(), fault)?;
    let other = format!(
        "{}{}{}",
        &text[place.span.start..changed.start],
        &fault.to[before..fault.to.len() - behind],
        &text[changed.end..place.span.end]
    );
    Ok((place, other))
}

/// What a fault is a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    span: Range<usize>,
    /// An expression, or statements.
    is_expression: bool,
    /// Of a constant: `localparam` and what is before the equals sign, which has to become a wire. Else empty.
    declaration: Range<usize>,
}

impl Place {
    /// The expression or statements around a part of `text`, which is printed as everything emitted is: a statement begins a line, a connection is one.
    fn around(text: &str, part: Range<usize>, fault: &Fault) -> Result<Self, FaultError> {
        let line = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at);
        let indent = text[line..].len() - text[line..].trim_start_matches(' ').len();
        let begin = line + indent;
        let first = &text[begin..line_end(begin)];
        let refused = || FaultError::NotAnExpression {
            fault: fault.name.to_string(),
            line: first.to_string(),
        };
        let expression = |span: Range<usize>| {
            if part.start < span.start || span.end < part.end {
                return Err(refused());
            }
            Ok(Self {
                span,
                is_expression: true,
                declaration: 0..0,
            })
        };
        if first.starts_with('.') {
            let (open, close) = (first.find('('), first.rfind(')'));
            let (open, close) = open.zip(close).ok_or_else(refused)?;
            return expression(begin + open + 1..begin + close);
        }
        // a condition, of which the part is no more than what is in its parentheses
        if let (Some(at), Some(close)) = (first.find("if ("), first.rfind(") begin")) {
            if part.end <= begin + close {
                return expression(begin + at + 4..begin + close);
            }
        }
        let end_of = |from: usize| {
            let length = text[from..].find(';').ok_or_else(refused)?;
            Ok(from + length + 1)
        };
        for keyword in ["assign ", "wire ", "localparam "] {
            if first.starts_with(keyword) {
                let equals = begin + first.find(" = ").ok_or_else(refused)?;
                let place = expression(equals + 3..end_of(part.start)? - 1)?;
                let declaration = match keyword {
                    "localparam " => begin..equals,
                    _ => 0..0,
                };
                return Ok(Self {
                    declaration,
                    ..place
                });
            }
        }
        // whole statements: to the end of the last one that is changed
        let changed = text[part.clone()].trim_end();
        let end = match changed.ends_with(';') || changed.ends_with("end") {
            true => part.end,
            false => end_of(part.end)?,
        };
        Ok(Self {
            span: begin.min(part.start)..end,
            is_expression: false,
            declaration: 0..0,
        })
    }
}
