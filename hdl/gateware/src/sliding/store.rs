//! Overflow store: fully associative cells behind both tables.

use crate::prelude::*;
use crate::sliding::{LaneFlags, SlidingShape, FORWARDED};

block! {
    /// A cell of the store: a whole position and a generation, in registers.
    ///
    /// Timing: as a lane of a table; the contents are looked at in stage 3.
    /// New inputs in every clock. No reset.
    pub struct StoreLane {
        about: About = About::new(
            "store_lane",
            format!(
                "A cell of the store: {} bits of position, {} of generation.",
                shape.position_bits, shape.generation_bits
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub position: Bus<In> = Bus::new(shape.position_bits).doc("the slot's, stage 3"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("the slot's, stage 3"),
        pub write_position: Bus<In> = Bus::new(shape.position_bits).doc("the slot's, stage 7"),
        pub write_generation: Bus<In> = Bus::new(shape.generation_bits)
            .doc("that the slot in stage 7 writes"),
        pub sets: Wire<In> = Wire::default()
            .doc("the slot in stage 7 is an element; else a scan, which empties"),
        pub same_value: Bus<In> = Bus::new(FORWARDED).doc("and bears its fingerprint"),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 writes this lane"),
        pub setting: Wire<In> = Wire::default().doc("it is an element"),
        pub near_value: Wire<In> = Wire::default().doc("and bears its fingerprint"),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub empty: Wire<Out> = Wire::default().doc("stage 6: the cell is empty"),
        held_position: Reg = Reg::new(shape.position_bits),
        held_generation: Reg = Reg::new(shape.generation_bits),
        flags: LaneFlags = LaneFlags::new(shape),
        taken: Flag = Flag::default().doc("the slot in stage 7 writes this cell"),
        everywhere: Const = Const::new(ones(FORWARDED), FORWARDED)
            .doc("every slot sees the store, as if all held one bucket"),
    }

    /// A cell of the store of this shape.
    pub fn new(shape: &SlidingShape) {}
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

block! {
    /// S fully associative cells: for each slot in stage D, which match and which are empty.
    ///
    /// Timing: as [`super::BucketTable`].
    /// New inputs in every clock. No reset.
    pub struct CellStore {
        about: About = About::new(
            "cell_store",
            format!("{cells} cells for what finds both buckets full, each seen by every slot."),
        ),
        pub clock: Signal<In, Clock>,
        pub position: Bus<In> = Bus::new(shape.position_bits).doc("front position of the slot in stage 3"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("of the slot in stage 3"),
        pub write_position: Bus<In> = Bus::new(shape.position_bits)
            .doc("front position of the slot in stage 7"),
        pub write_generation: Bus<In> = Bus::new(shape.generation_bits)
            .doc("that the slot in stage 7 writes"),
        pub sets: Wire<In> = Wire::default().doc("the slot in stage 7 is an element"),
        pub setting: Wire<In> = Wire::default().doc("the slot in stage 6 is an element"),
        pub same_value: Bus<In> = Bus::new(FORWARDED)
            .doc("bit s: the slot in stage s + 1 has the position of that in stage 7"),
        pub near_value: Wire<In> = Wire::default()
            .doc("the slot in stage 5 has the position of that in stage 6"),
        pub taking: Bus<In> = Bus::new(cells).doc("cells that the slot in stage 6 writes"),
        pub matching: Bus<Out> = Bus::new(cells).doc("stage 6: cells that match"),
        pub empty: Bus<Out> = Bus::new(cells).doc("stage 6: cells that are empty"),
        lane: Vec<StoreLane> = (0..cells).map(|_| StoreLane::new(shape)).collect(),
        shape: SlidingShape = *shape,
    }

    /// The store of this shape.
    pub fn new(shape: &SlidingShape) {
        let cells = shape.store_cells;
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
            self.matching.set_bit(i, self.lane[i].matching.val());
            self.empty.set_bit(i, self.lane[i].empty.val());
        }
    }
}
