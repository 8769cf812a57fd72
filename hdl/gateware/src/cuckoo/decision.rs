//! Chooses the cell that an element takes.

use super::CuckooShape;
use crate::prelude::*;

block! {
    /// First fit from a table that the key chooses: the cell that matches, else the first empty one of tables z, z + 1, z + 2, z + 3, else the stash.
    ///
    /// No registers: inputs and outputs in stage D. Which cells are empty counts only where no cell matches.
    pub struct RotatedFit {
        about: About = About::new(
            "rotated_fit",
            format!("Of four rows of {cells} cells: the cell that matches, else the first empty one, beginning with the table that the key chooses; else an entry of the stash."),
        ),
        pub matching: Bus<In> = Bus::new(all).doc("cells that match"),
        pub settled: Bus<In> = Bus::new(all).doc("of the cells that match, those that bear the slot's generation; of the others, the empty ones"),
        pub any_matching: Bus<In> = Bus::new(tables).doc("tables with a cell that matches"),
        pub any: Bus<In> = Bus::new(tables).doc("tables with an empty cell, if no cell matches"),
        pub in_stash: Wire<In> = Wire::default().doc("an entry of the stash matches"),
        pub room: Wire<In> = Wire::default().doc("an entry of the stash is free"),
        pub element: Wire<In> = Wire::default().doc("the slot is an element"),
        pub first: Bus<In> = Bus::new(clog2(tables)).doc("table that the search begins with"),
        pub taking: Bus<Out> = Bus::new(all).doc("cell that the slot writes"),
        pub takes: Bus<Out> = Bus::new(tables).doc("the table that it is in"),
        pub stash: Wire<Out> = Wire::default().doc("the slot takes an entry of the stash"),
        pub seen: Wire<Out> = Wire::default().doc("a cell or an entry matches"),
        pub lost: Wire<Out> = Wire::default().doc("an element for which there is no room"),
        pub inserted: Wire<Out> = Wire::default().doc("an element that takes a cell or an entry"),
        row: Vec<Bus<Local>> = (0..tables).map(|_| Bus::new(cells)).collect(),
        lowest: Vec<Bus<Local>> = (0..tables).map(|_| Bus::new(cells)).collect(),
        taking_of: Vec<Bus<Local>> = (0..tables).map(|_| Bus::new(cells)).collect(),
        chosen: Bus<Local> = Bus::new(tables).doc("the first of them"),
        ahead: Vec<Bus<Local>> = (0..tables).map(|_| Bus::new(tables)).collect(),
        newly: Wire<Local> = Wire::default().doc("an element that is not seen"),
        cells: usize = cells,
        from: Vec<usize> = (0..tables).map(|t| t * cells).collect(),
        no_cell: Const = Const::new(0, cells),
        lower: Vec<u64> = (0..cells).map(|i| (1 << i) - 1).collect(),
        preceding: Vec<u64> = preceding.collect(),
        shape: CuckooShape = shape.clone(),
    }

    /// The decision of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let tables = CuckooShape::TABLES;
        let (cells, all) = (shape.row_cells, shape.cells());
        // of table t when the search begins with table z: those that come before it
        let preceding = (0..tables).flat_map(|t| {
            (0..tables).map(move |z| {
                let before = (t + tables - z) % tables;
                (0..before).fold(0u64, |mask, i| mask | 1 << ((z + i) % tables))
            })
        });
    }
}

impl Logic for RotatedFit {
    #[hdl_gen]
    fn update(&mut self) {
        self.seen.next = self.any_matching.val().any() || self.in_stash.val();
        self.newly.next = self.element.val() && !self.seen.val();
        for t in 0..CuckooShape::TABLES {
            self.row[t].next = bits_to(self.settled.val() >> self.from[t], self.cells);
            for i in 0..self.cells {
                self.lowest[t].set_bit(
                    i,
                    self.row[t].val().get_bit(i)
                        && !(self.row[t].val() & bits_to(self.lower[i], self.cells)).any(),
                );
            }
        }
        comment!("first table with an empty cell");
        for t in 0..CuckooShape::TABLES {
            self.ahead[t].next = bits_to(0, CuckooShape::TABLES);
            for z in 0..CuckooShape::TABLES {
                if self.first.val() == z {
                    self.ahead[t].next =
                        self.any.val() & bits_to(self.preceding[4 * t + z], CuckooShape::TABLES);
                }
            }
            self.chosen
                .set_bit(t, self.any.val().get_bit(t) && !self.ahead[t].val().any());
        }
        for t in 0..CuckooShape::TABLES {
            self.taking_of[t].next = self.no_cell.val();
            if self.element.val() {
                self.taking_of[t].next = bits_to(
                    (self.matching.val() & !self.settled.val()) >> self.from[t],
                    self.cells,
                );
            }
            if self.newly.val() && self.chosen.val().get_bit(t) {
                self.taking_of[t].next = self.lowest[t].val();
            }
            self.takes.set_bit(t, self.taking_of[t].val().any());
        }
        self.taking.next = (bits_to(self.taking_of[3].val(), self.shape.cells()) << self.from[3])
            | (bits_to(self.taking_of[2].val(), self.shape.cells()) << self.from[2])
            | (bits_to(self.taking_of[1].val(), self.shape.cells()) << self.from[1])
            | bits_to(self.taking_of[0].val(), self.shape.cells());
        self.stash.next = self.newly.val() && !self.any.val().any() && self.room.val();
        self.lost.next = self.newly.val() && !self.any.val().any() && !self.room.val();
        self.inserted.next = self.newly.val() && (self.any.val().any() || self.room.val());
    }
}
