//! A Verilog design and the layout of its ports.

use super::VerilatorError;
use itertools::Itertools;

/// Widest port, in bits.
pub const MAX_PORT_BITS: usize = 1024;

/// Words of 64 bits that `bits` bits need.
pub const fn words_of_bits(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Direction of a port, seen from the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The test bench drives it.
    Input,
    /// The design drives it.
    Output,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Direction::Input => "input",
            Direction::Output => "output",
        })
    }
}

/// One port of the top module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in the Verilog text.
    pub name: String,
    /// Width in bits, 1 to [`MAX_PORT_BITS`].
    pub width: usize,
    /// Direction.
    pub direction: Direction,
}

impl Port {
    /// An input of `width` bits.
    pub fn input(name: impl Into<String>, width: usize) -> Self {
        Self {
            name: name.into(),
            width,
            direction: Direction::Input,
        }
    }

    /// An output of `width` bits.
    pub fn output(name: impl Into<String>, width: usize) -> Self {
        Self {
            name: name.into(),
            width,
            direction: Direction::Output,
        }
    }

    /// Words it takes in a packed buffer.
    pub fn words(&self) -> usize {
        words_of_bits(self.width)
    }
}

/// A Verilog design: texts, top module, clock and ports.
///
/// # Layout of the packed buffers
///
/// The inputs (the clock is not among them) lie one after the other in the order of `ports`, each in
/// `ceil(width / 64)` words of its own, bit 0 of the port in bit 0 of its first word. The outputs lie the same way in a buffer of
/// their own. Bits of an input above its width are ignored; those of an output are zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Design {
    /// Top module.
    pub top: String,
    /// Name of the clock input; `None` for a design without one.
    pub clock: Option<String>,
    /// File names (no folders, ending in `.v` or `.sv`) and their texts.
    pub sources: Vec<(String, String)>,
    /// Every port of the top module but the clock.
    pub ports: Vec<Port>,
}

impl Design {
    /// The design `top` with these ports around a text. `clock` names the one clock; a design with several has none here, and they are inputs like any other.
    pub fn around(
        top: &str,
        clock: Option<&str>,
        ports: Vec<bloomline_spec::ports::Port>,
        sources: Vec<(String, String)>,
    ) -> Design {
        use bloomline_spec::ports::Direction;
        let ports = ports
            .into_iter()
            .filter(|port| Some(port.name.as_str()) != clock)
            .map(|port| match port.direction {
                Direction::Input => Port::input(port.name, port.width as usize),
                Direction::Output => Port::output(port.name, port.width as usize),
            })
            .collect();
        Design {
            top: top.into(),
            clock: clock.map(str::to_owned),
            sources,
            ports,
        }
    }

    /// The inputs with the index of their first word in the input buffer.
    pub fn inputs(&self) -> impl Iterator<Item = (&Port, usize)> {
        self.laid_out(Direction::Input)
    }

    /// The outputs with the index of their first word in the output buffer.
    pub fn outputs(&self) -> impl Iterator<Item = (&Port, usize)> {
        self.laid_out(Direction::Output)
    }

    /// Words of the input buffer.
    pub fn input_words(&self) -> usize {
        self.inputs().map(|(port, _)| port.words()).sum()
    }

    /// Words of the output buffer.
    pub fn output_words(&self) -> usize {
        self.outputs().map(|(port, _)| port.words()).sum()
    }

    /// Index of the first word of the port `name` in its buffer.
    pub fn word_of(&self, name: &str) -> Option<usize> {
        self.inputs()
            .chain(self.outputs())
            .find(|(port, _)| port.name == name)
            .map(|(_, word)| word)
    }

    /// Index of the first word of a port that must be there.
    ///
    /// # Errors
    /// [`VerilatorError::PortMissing`].
    pub fn place(&self, port: &str) -> Result<usize, VerilatorError> {
        self.word_of(port)
            .ok_or_else(|| VerilatorError::PortMissing {
                top: self.top.clone(),
                port: port.to_owned(),
                available: self.ports.iter().map(|port| &port.name).join(", "),
            })
    }

    fn laid_out(&self, direction: Direction) -> impl Iterator<Item = (&Port, usize)> {
        self.ports
            .iter()
            .filter(move |port| port.direction == direction)
            .scan(0, |next, port| {
                let word = *next;
                *next += port.words();
                Some((port, word))
            })
    }

    /// Checks what can be known without building.
    pub(crate) fn validate(&self) -> Result<(), VerilatorError> {
        let fail = |problem: String| {
            Err(VerilatorError::Design {
                top: self.top.clone(),
                problem,
            })
        };
        let identifiers = self
            .ports
            .iter()
            .map(|port| &port.name)
            .chain(&self.clock)
            .chain([&self.top]);
        if let Some(name) = identifiers.clone().find(|name| !is_identifier(name)) {
            return fail(format!("{name:?} is not a plain Verilog identifier"));
        }
        if let Some(name) = self
            .ports
            .iter()
            .map(|port| &port.name)
            .chain(&self.clock)
            .duplicates()
            .next()
        {
            return fail(format!("port {name} is declared twice"));
        }
        if let Some(port) = self
            .ports
            .iter()
            .find(|port| !(1..=MAX_PORT_BITS).contains(&port.width))
        {
            return fail(format!(
                "port {} has {} bits, allowed are 1 to {MAX_PORT_BITS}",
                port.name, port.width
            ));
        }
        if self.sources.is_empty() {
            return fail("it has no source text".to_string());
        }
        if let Some(name) = self
            .sources
            .iter()
            .map(|(name, _)| name)
            .find(|name| !is_source_name(name))
        {
            return fail(format!(
                "source name {name:?} must be a file name that ends in .v or .sv, without a folder"
            ));
        }
        if let Some(name) = self
            .sources
            .iter()
            .map(|(name, _)| name)
            .duplicates()
            .next()
        {
            return fail(format!("source {name} is given twice"));
        }
        Ok(())
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(crate) fn is_source_name(name: &str) -> bool {
    !name.starts_with(['.', '-'])
        && !name.contains(['/', '\\', '\0'])
        && (name.ends_with(".v") || name.ends_with(".sv"))
}
