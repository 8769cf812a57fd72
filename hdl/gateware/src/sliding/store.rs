//! Overflow store: fully associative cells behind both tables.

use crate::prelude::*;
use crate::sliding::{LaneFlags, SlidingShape, FORWARDED};

/// A cell of the store: a whole position and a generation, in registers.
///
/// Timing: as a lane of a table; the contents are looked at in stage 3.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct StoreLane {
    about: About,
    pub clock: Signal<In, Clock>,
    pub position: Bus<In>,
    pub generation: Bus<In>,
    pub write_position: Bus<In>,
    pub write_generation: Bus<In>,
    pub sets: Wire<In>,
    pub same_value: Bus<In>,
    pub taking: Wire<In>,
    pub setting: Wire<In>,
    pub near_value: Wire<In>,
    pub matching: Wire<Out>,
    pub empty: Wire<Out>,
    held_position: Reg,
    held_generation: Reg,
    flags: LaneFlags,
    taken: Flag,
    everywhere: Const,
}

impl StoreLane {
    /// A cell of the store of this shape.
    pub fn new(shape: &SlidingShape) -> Self {
        Self {
            about: About::new(
                "store_lane",
                format!(
                    "A cell of the store: {} bits of position, {} of generation.",
                    shape.position_bits, shape.generation_bits
                ),
            ),
            clock: Default::default(),
            position: Bus::new(shape.position_bits).doc("the slot's, stage 3"),
            generation: Bus::new(shape.generation_bits).doc("the slot's, stage 3"),
            write_position: Bus::new(shape.position_bits).doc("the slot's, stage 7"),
            write_generation: Bus::new(shape.generation_bits)
                .doc("that the slot in stage 7 writes"),
            sets: Wire::default()
                .doc("the slot in stage 7 is an element; else a scan, which empties"),
            same_value: Bus::new(FORWARDED).doc("and bears its fingerprint"),
            taking: Wire::default().doc("the slot in stage 6 writes this lane"),
            setting: Wire::default().doc("it is an element"),
            near_value: Wire::default().doc("and bears its fingerprint"),
            matching: Wire::default().doc("stage 6: the cell matches"),
            empty: Wire::default().doc("stage 6: the cell is empty"),
            held_position: Reg::new(shape.position_bits),
            held_generation: Reg::new(shape.generation_bits),
            flags: LaneFlags::new(shape),
            taken: Flag::default().doc("the slot in stage 7 writes this cell"),
            everywhere: Const::new(ones(FORWARDED), FORWARDED)
                .doc("every slot sees the store, as if all held one bucket"),
        }
    }
}

impl Logic for StoreLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.taken.d.next = self.taking.val();
        self.held_position.d.next = self.held_position.q.val();
        self.held_generation.d.next = self.held_generation.q.val();
        if self.taken.q.val() {
            self.held_position.d.next = self.write_position.val();
            self.held_generation.d.next = self.write_generation.val();
        }
        self.flags.equal.next = self.held_position.q.val() == self.position.val();
        self.flags.age.next = self.generation.val() - self.held_generation.q.val();
        self.flags.taken.next = self.taken.q.val();
        self.flags.sets.next = self.sets.val();
        self.flags.same_bucket.next = self.everywhere.val();
        self.flags.same_value.next = self.same_value.val();
        self.flags.taking.next = self.taking.val();
        self.flags.setting.next = self.setting.val();
        self.flags.near_bucket.next = true;
        self.flags.near_value.next = self.near_value.val();
        self.matching.next = self.flags.matching.val();
        self.empty.next = self.flags.empty.val();
    }
}

/// S fully associative cells: for each slot in stage D, which match and which are empty.
///
/// Timing: as [`super::BucketTable`].
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct CellStore {
    about: About,
    pub clock: Signal<In, Clock>,
    pub position: Bus<In>,
    pub generation: Bus<In>,
    pub write_position: Bus<In>,
    pub write_generation: Bus<In>,
    pub sets: Wire<In>,
    pub setting: Wire<In>,
    pub same_value: Bus<In>,
    pub near_value: Wire<In>,
    pub taking: Bus<In>,
    pub matching: Bus<Out>,
    pub empty: Bus<Out>,
    lane: Vec<StoreLane>,
    shape: SlidingShape,
}

impl CellStore {
    /// The store of this shape.
    pub fn new(shape: &SlidingShape) -> Self {
        let cells = shape.store_cells;
        Self {
            about: About::new(
                "cell_store",
                format!("{cells} cells for what finds both buckets full, each seen by every slot."),
            ),
            clock: Default::default(),
            position: Bus::new(shape.position_bits).doc("front position of the slot in stage 3"),
            generation: Bus::new(shape.generation_bits).doc("of the slot in stage 3"),
            write_position: Bus::new(shape.position_bits)
                .doc("front position of the slot in stage 7"),
            write_generation: Bus::new(shape.generation_bits)
                .doc("that the slot in stage 7 writes"),
            sets: Wire::default().doc("the slot in stage 7 is an element"),
            setting: Wire::default().doc("the slot in stage 6 is an element"),
            same_value: Bus::new(FORWARDED)
                .doc("bit s: the slot in stage s + 1 has the position of that in stage 7"),
            near_value: Wire::default()
                .doc("the slot in stage 5 has the position of that in stage 6"),
            taking: Bus::new(cells).doc("cells that the slot in stage 6 writes"),
            matching: Bus::new(cells).doc("stage 6: cells that match"),
            empty: Bus::new(cells).doc("stage 6: cells that are empty"),
            lane: (0..cells).map(|_| StoreLane::new(shape)).collect(),
            shape: *shape,
        }
    }
}

impl Logic for CellStore {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.shape.store_cells {
            self.lane[i].position.next = self.position.val();
            self.lane[i].generation.next = self.generation.val();
            self.lane[i].write_position.next = self.write_position.val();
            self.lane[i].write_generation.next = self.write_generation.val();
            self.lane[i].sets.next = self.sets.val();
            self.lane[i].setting.next = self.setting.val();
            self.lane[i].same_value.next = self.same_value.val();
            self.lane[i].near_value.next = self.near_value.val();
            self.lane[i].taking.next = self.taking.val().get_bit(i);
            self.matching.next = self
                .matching
                .val()
                .replace_bit(i, self.lane[i].matching.val());
            self.empty.next = self.empty.val().replace_bit(i, self.lane[i].empty.val());
        }
    }
}
