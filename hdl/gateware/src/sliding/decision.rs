//! Chooses the cell that an element takes.

use crate::prelude::*;
use crate::sliding::SlidingShape;

block! {
    /// First fit: the first matching cell, else the first empty one; a scan takes every empty cell, a wipe all of them.
    ///
    /// No registers: inputs and outputs in stage D. `x & -x` is the lowest set bit of x.
    pub struct FirstFit {
        about: About = About::new(
            "first_fit",
            format!("Of {cells} cells (front bucket, back bucket, store, lowest first): the first that matches, else the first that is empty.\nA scan takes every empty cell, a wipe all of them."),
        ),
        pub matching: Bus<In> = Bus::new(cells).doc("cells that match"),
        pub empty: Bus<In> = Bus::new(cells).doc("cells that are empty"),
        pub element: Wire<In> = Wire::default().doc("the slot is an element"),
        pub scan: Wire<In> = Wire::default().doc("the slot is a scan"),
        pub wipe: Wire<In> = Wire::default().doc("the slot is a wipe"),
        pub taking: Bus<Out> = Bus::new(cells).doc("cells that the slot writes"),
        pub seen: Wire<Out> = Wire::default().doc("a cell matches"),
        pub lost: Wire<Out> = Wire::default().doc("an element for which there is no cell"),
        pub inserted: Wire<Out> = Wire::default().doc("an element that takes an empty cell"),
        pub inserted_back: Wire<Out> = Wire::default().doc("in the back table"),
        pub inserted_store: Wire<Out> = Wire::default().doc("in the store"),
        lowest_match: Bus<Local> = Bus::new(cells),
        lowest_empty: Bus<Local> = Bus::new(cells),
        newly: Wire<Local>,
        front_full: Wire<Local>,
        back_full: Wire<Local>,
        no_cell: Const = Const::new(0, cells),
        all_cells: Const = Const::new(ones(cells), cells),
        back_from: usize = shape.bucket_cells,
        bucket_cells: usize = shape.bucket_cells,
    }

    /// The decision of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) {
        let cells = shape.cells();
    }
}

impl Logic for FirstFit {
    #[hdl_gen]
    fn update(&mut self) {
        self.lowest_match.next = self.matching.val() & -self.matching.val();
        self.lowest_empty.next = self.empty.val() & -self.empty.val();
        self.taking.next = self.no_cell.val();
        if self.element.val() {
            self.taking.next = self.lowest_empty.val();
            if self.matching.val().any() {
                self.taking.next = self.lowest_match.val();
            }
        }
        if self.scan.val() {
            self.taking.next = self.empty.val();
        }
        if self.wipe.val() {
            self.taking.next = self.all_cells.val();
        }
        self.seen.next = self.matching.val().any();
        self.newly.next = self.element.val() && !self.matching.val().any();
        self.lost.next = self.newly.val() && !self.empty.val().any();
        self.inserted.next = self.newly.val() && self.empty.val().any();
        self.front_full.next = !bits_to(self.empty.val(), self.bucket_cells).any();
        self.back_full.next = !bits_to(self.empty.val() >> self.back_from, self.bucket_cells).any();
        self.inserted_back.next =
            self.newly.val() && self.front_full.val() && !self.back_full.val();
        self.inserted_store.next =
            self.inserted.val() && self.front_full.val() && self.back_full.val();
    }
}
