use super::ages::Ages;
use super::cell::Cell;
use bloomline_spec::{CuckooGeometry, CUCKOO_TABLES};
use std::ops::Range;

/// The four tables, as decisions of items and ends of the agents' operations up to the last clock leave them, and the row that the slot in the
/// write stage writes.
///
/// A decision changes the cells at the end of its clock, although the gateware writes a clock later: slots meet what decisions ahead of them
/// left, and an agent reads its row only in a clock in which nothing is written.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    row_cells: usize,
    cells: [Box<[Cell]>; CUCKOO_TABLES],
    /// The cell that the slot in the write stage writes in this clock.
    writing: Option<CellPlace>,
    /// The one that the slot in the decision stage writes in the next clock.
    to_write: Option<CellPlace>,
    wiped_rows: u32,
}

/// A cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CellPlace {
    pub table: usize,
    pub row: u32,
    pub lane: usize,
}

impl Tables {
    pub fn new(geometry: &CuckooGeometry) -> Tables {
        let cells = geometry.rows() as usize * geometry.row_cells() as usize;
        Tables {
            row_cells: geometry.row_cells() as usize,
            cells: std::array::from_fn(|_| vec![Cell::default(); cells].into()),
            writing: None,
            to_write: None,
            wiped_rows: 0,
        }
    }

    fn places(&self, row: u32) -> Range<usize> {
        let first = row as usize * self.row_cells;
        first..first + self.row_cells
    }

    /// The cells of a row.
    pub fn row(&self, table: usize, row: u32) -> &[Cell] {
        &self.cells[table][self.places(row)]
    }

    /// The cell that the slot in the write stage writes in this clock.
    pub fn written(&self) -> Option<CellPlace> {
        self.writing
    }

    /// The row of a table that the slot in the write stage writes in this clock.
    pub fn writing(&self, table: usize) -> Option<u32> {
        let here = self.writing.filter(|place| place.table == table);
        here.map(|place| place.row)
    }

    /// The item in the decision stage changes a cell, which is written in the next clock.
    pub fn decide(&mut self, place: CellPlace, cell: Cell) {
        self.to_write = Some(place);
        self.write(place, cell);
    }

    /// An agent writes a cell in this clock.
    pub fn write(&mut self, place: CellPlace, cell: Cell) {
        let first = self.places(place.row).start;
        self.cells[place.table][first + place.lane] = cell;
    }

    /// A clock of the wipe: the next row of every table, which it gives.
    pub fn wipe(&mut self, ages: &Ages) -> u32 {
        let places = self.places(self.wiped_rows);
        for cells in &mut self.cells {
            cells[places.clone()].fill(ages.wiped());
        }
        self.wiped_rows += 1;
        self.wiped_rows - 1
    }

    /// Ends a clock.
    pub fn clock(&mut self) {
        self.writing = self.to_write.take();
    }

    /// Restart, and a clock with reset.
    pub fn restart(&mut self) {
        self.writing = None;
        self.to_write = None;
        self.wiped_rows = 0;
    }
}
