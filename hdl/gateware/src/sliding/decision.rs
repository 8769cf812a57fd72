//! Chooses the cell that an element takes.

use crate::prelude::*;
use crate::sliding::SlidingShape;

/// First fit: the first matching cell, else the first empty one; a scan takes every empty cell, a wipe all of them.
///
/// No registers: inputs and outputs in stage D. `x & -x` is the lowest set bit of x.
#[derive(LogicBlock)]
pub struct FirstFit {
    about: About,
    pub matching: Bus<In>,
    pub empty: Bus<In>,
    pub element: Wire<In>,
    pub scan: Wire<In>,
    pub wipe: Wire<In>,
    pub taking: Bus<Out>,
    pub seen: Wire<Out>,
    pub lost: Wire<Out>,
    pub inserted: Wire<Out>,
    pub inserted_back: Wire<Out>,
    pub inserted_store: Wire<Out>,
    lowest_match: Bus<Local>,
    lowest_empty: Bus<Local>,
    newly: Wire<Local>,
    front_full: Wire<Local>,
    back_full: Wire<Local>,
    no_cell: Const,
    all_cells: Const,
    back_from: usize,
    bucket_cells: usize,
}

impl FirstFit {
    /// The decision of a pipeline of this shape.
    pub fn new(shape: &SlidingShape) -> Self {
        let cells = shape.cells();
        Self {
            about: About::new(
                "first_fit",
                format!("Of {cells} cells (front bucket, back bucket, store, lowest first): the first that matches, else the first that is empty.\nA scan takes every empty cell, a wipe all of them."),
            ),
            matching: Bus::new(cells).doc("cells that match"),
            empty: Bus::new(cells).doc("cells that are empty"),
            element: Wire::default().doc("the slot is an element"),
            scan: Wire::default().doc("the slot is a scan"),
            wipe: Wire::default().doc("the slot is a wipe"),
            taking: Bus::new(cells).doc("cells that the slot writes"),
            seen: Wire::default().doc("a cell matches"),
            lost: Wire::default().doc("an element for which there is no cell"),
            inserted: Wire::default().doc("an element that takes an empty cell"),
            inserted_back: Wire::default().doc("in the back table"),
            inserted_store: Wire::default().doc("in the store"),
            lowest_match: Bus::new(cells),
            lowest_empty: Bus::new(cells),
            newly: Default::default(),
            front_full: Default::default(),
            back_full: Default::default(),
            no_cell: Const::new(0, cells),
            all_cells: Const::new(ones(cells), cells),
            back_from: shape.bucket_cells,
            bucket_cells: shape.bucket_cells,
        }
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
