//! A screen of characters: what the view draws on, shown in a terminal or kept as a picture.

use std::fmt::{self, Write};

/// Foreground colour of a character, as the terminal shows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    #[default]
    Plain,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    Grey,
}

impl Colour {
    /// Parameter of the ANSI sequence that selects it.
    fn code(self) -> u8 {
        match self {
            Self::Plain => 39,
            Self::Red => 31,
            Self::Green => 32,
            Self::Yellow => 33,
            Self::Blue => 34,
            Self::Magenta => 35,
            Self::Cyan => 36,
            Self::Grey => 90,
        }
    }
}

/// Text of one colour and weight.
#[derive(Debug, Clone)]
pub struct Span {
    text: String,
    colour: Colour,
    bold: bool,
}

impl Span {
    pub fn coloured(text: impl Into<String>, colour: Colour) -> Self {
        Self {
            text: text.into(),
            colour,
            bold: false,
        }
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
}

impl<T: Into<String>> From<T> for Span {
    fn from(text: T) -> Self {
        Self::coloured(text, Colour::Plain)
    }
}

/// A line of text.
pub type Line = Vec<Span>;

/// A rectangle of a screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Area {
    pub top: usize,
    pub left: usize,
    pub rows: usize,
    pub columns: usize,
}

impl Area {
    /// Takes rows away at the top, as many as there are at most.
    pub fn take(&mut self, rows: usize) -> Self {
        let rows = rows.min(self.rows);
        let taken = Self { rows, ..*self };
        self.top += rows;
        self.rows -= rows;
        taken
    }

    /// Parts of about the same width, side by side.
    pub fn split(self, parts: usize) -> impl Iterator<Item = Self> {
        let edge = move |part: usize| self.left + part * self.columns / parts;
        (0..parts).map(move |part| Self {
            left: edge(part),
            columns: edge(part + 1) - edge(part),
            ..self
        })
    }

    /// What a frame leaves.
    fn inside(self) -> Self {
        Self {
            top: self.top + 1,
            left: self.left + 1,
            rows: self.rows.saturating_sub(2),
            columns: self.columns.saturating_sub(2),
        }
    }
}

/// One character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub symbol: char,
    pub colour: Colour,
    pub bold: bool,
}

/// Rows of characters.
pub struct Screen {
    columns: usize,
    cells: Vec<Cell>,
}

impl Screen {
    /// An empty one.
    pub fn new(rows: usize, columns: usize) -> Self {
        let cell = Cell {
            symbol: ' ',
            colour: Colour::Plain,
            bold: false,
        };
        Self {
            columns,
            cells: vec![cell; rows * columns],
        }
    }

    /// All of it.
    pub fn area(&self) -> Area {
        Area {
            rows: self.rows().len(),
            columns: self.columns,
            ..Area::default()
        }
    }

    /// Its rows, from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.cells.chunks(self.columns.max(1))
    }

    /// Writes a character at a place of an area; outside of it there is nothing to write on.
    pub fn set(&mut self, area: Area, row: usize, column: usize, symbol: char, colour: Colour) {
        self.write(area, row, column, &[Span::coloured(symbol, colour)]);
    }

    /// Writes text at a place of an area, as far as there is room.
    pub fn write(&mut self, area: Area, row: usize, column: usize, line: &[Span]) {
        if row >= area.rows {
            return;
        }
        let start = (area.top + row) * self.columns + area.left;
        let characters = line
            .iter()
            .flat_map(|span| span.text.chars().map(move |symbol| (symbol, span)));
        for (place, (symbol, span)) in (column..area.columns).zip(characters) {
            self.cells[start + place] = Cell {
                symbol,
                colour: span.colour,
                bold: span.bold,
            };
        }
    }

    /// Writes lines of text from the top of an area.
    pub fn write_all(&mut self, area: Area, lines: impl IntoIterator<Item = Line>) {
        for (row, line) in lines.into_iter().enumerate() {
            self.write(area, row, 0, &line);
        }
    }

    /// Draws a frame with a title around an area, and returns what is inside.
    pub fn frame(&mut self, area: Area, title: &[Span]) -> Area {
        if area.rows < 2 || area.columns < 2 {
            return Area::default();
        }
        let (last_row, last_column) = (area.rows - 1, area.columns - 1);
        let across = "─".repeat(last_column - 1);
        for (row, [left, right]) in [(0, ["┌", "┐"]), (last_row, ["└", "┘"])] {
            self.write(area, row, 0, &[format!("{left}{across}{right}").into()]);
        }
        for row in 1..last_row {
            self.set(area, row, 0, '│', Colour::Plain);
            self.set(area, row, last_column, '│', Colour::Plain);
        }
        let on_frame = Area {
            columns: last_column,
            ..area
        };
        self.write(on_frame, 0, 1, title);
        area.inside()
    }

    /// What makes a terminal show it.
    pub fn escapes(&self) -> String {
        let mut text = String::new();
        for (row, cells) in self.rows().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "\x1b[{};1H", row + 1);
            for cells in
                cells.chunk_by(|one, next| (one.colour, one.bold) == (next.colour, next.bold))
            {
                let weight = if cells[0].bold { 1 } else { 22 };
                let _ = write!(text, "\x1b[{weight};{}m", cells[0].colour.code());
                text.extend(cells.iter().map(|cell| cell.symbol));
            }
        }
        text + "\x1b[0m"
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            let text: String = row.iter().map(|cell| cell.symbol).collect();
            writeln!(f, "\"{text}\"")?;
        }
        Ok(())
    }
}
