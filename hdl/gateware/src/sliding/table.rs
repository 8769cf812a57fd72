//! One hash table of buckets.

use crate::bank::ParitySeal;
use crate::prelude::*;
use crate::sliding::{PositionTrack, SlidingShape, TableLane, FORWARDED};

block! {
    /// 2^b buckets of s cells: for each slot in stage D, which cells of its bucket match and which are empty.
    ///
    /// Timing: `index` as it enters stage 0, `matching` and `empty` in stage 6; `taking` in the same clock says which cells the slot writes, in stage 7.
    /// New inputs in every clock. No reset.
    pub struct BucketTable {
        about: About = About::new(
            "bucket_table",
            format!("{} buckets of {cells} cells: which cells of a slot's bucket match, which are empty.", 1u64 << bucket_bits),
        ),
        pub clock: Signal<In, Clock>,
        pub index: Bus<In> = Bus::new(shape.position_bits).doc(format!("position of the slot entering stage {entry}")),
        pub scanning: Wire<In> = Wire::default().doc(format!("the slot entering stage {entry} is a scan")),
        pub scan_address: Bus<In> = Bus::new(shape.front_bits).doc("bucket that it visits"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("of the slot in stage 3"),
        pub write_generation: Bus<In> = Bus::new(shape.generation_bits).doc("that the slot in stage 7 writes"),
        pub sets: Wire<In> = Wire::default().doc("the slot in stage 7 is an element"),
        pub setting: Wire<In> = Wire::default().doc("the slot in stage 6 is an element"),
        pub taking: Bus<In> = Bus::new(cells).doc("cells that the slot in stage 6 writes"),
        pub matching: Bus<Out> = Bus::new(cells).doc("stage 6: cells that match"),
        pub empty: Bus<Out> = Bus::new(cells).doc("stage 6: cells that are empty"),
        pub position_3: Vec<Bus<Out>> = (0..shows).map(|_| Bus::new(shape.position_bits).doc("stage 3")).collect(),
        pub position_7: Vec<Bus<Out>> = (0..shows).map(|_| Bus::new(shape.position_bits).doc("stage 7")).collect(),
        pub same_value: Vec<Bus<Out>> = (0..shows)
            .map(|_| Bus::new(FORWARDED).doc("bit s: the slot in stage s + 1 has the position of that in stage 7"))
            .collect(),
        pub near_value: Vec<Wire<Out>> = (0..shows)
            .map(|_| Wire::default().doc("the slot in stage 5 has the position of that in stage 6"))
            .collect(),
        pub wrong_6: Vec<Wire<Out>> = (shape.checks().iter())
            .map(|check| {
                Wire::default().doc(format!("stage 6: the slot met a cell {}", check.of_a_cell()))
            })
            .collect(),
        pub reading: Vec<Wire<In>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("the slot in stage 3 is an item or a scan"))
            .collect(),
        track: PositionTrack = PositionTrack::new(shape, bucket_bits),
        lane: Vec<TableLane> = (0..cells).map(|_| TableLane::new(shape, bucket_bits)).collect(),
        read_address: Bus<Local> = Bus::new(bucket_bits),
        fingerprint: Bus<Local> = Bus::new(shape.fingerprint_bits),
        write_address: Bus<Local> = Bus::new(bucket_bits),
        write_fingerprint: Bus<Local> = Bus::new(shape.fingerprint_bits),
        write_data: Bus<Local> = Bus::new(stored),
        seal: Vec<ParitySeal> = (0..shape.parity).map(|_| ParitySeal::new(shape.cell_bits())).collect(),
        wrong_cells: Vec<Bus<Local>> = (shape.checks().iter())
            .map(|_| Bus::new(cells))
            .collect(),
        wrong: Vec<Flag> = (shape.checks().iter()).map(|_| Flag::default()).collect(),
        fingerprint_from: usize = shape.position_bits - shape.fingerprint_bits,
        cell_fingerprint_from: usize = shape.generation_bits,
        shows: usize = shows,
        bucket_bits: usize = bucket_bits,
        fingerprint_bits: usize = shape.fingerprint_bits,
        shape: SlidingShape = *shape,
    }

    /// A table of `2^bucket_bits` buckets; with `shows` the positions leave it for the store.
    pub fn new(shape: &SlidingShape, bucket_bits: usize, shows: bool) {
        let shows = usize::from(shows);
        let cells = shape.bucket_cells;
        let stored = shape.cell_bits() + shape.parity;
        let entry = shape.entry();
    }
}

impl Logic for BucketTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.track.index.next = self.index.val();
        self.track.scanning.next = self.scanning.val();
        self.track.scan_address.next = self.scan_address.val();
        for s in 0..self.shows {
            self.position_3[s].next = self.track.position_3.val();
            self.position_7[s].next = self.track.position_7.val();
            self.same_value[s].next = self.track.same_value.val();
            self.near_value[s].next = self.track.near_value.val();
        }
        if self.shape.ecc == 0 {
            self.read_address.next = bits_to(self.track.position_1.val(), self.bucket_bits);
        }
        for e in 0..self.shape.ecc {
            self.read_address.next = bits_to(self.track.position_early[e].val(), self.bucket_bits);
            for i in 0..self.shape.bucket_cells {
                self.lane[i].reading[e].next = self.reading[e].val();
            }
        }
        self.fingerprint.next = bits_to(
            self.track.position_3.val() >> self.fingerprint_from,
            self.fingerprint_bits,
        );
        self.write_address.next = bits_to(self.track.position_7.val(), self.bucket_bits);
        self.write_fingerprint.next = bits_to(
            self.track.position_7.val() >> self.fingerprint_from,
            self.fingerprint_bits,
        );
        if self.shape.parity == 0 {
            self.write_data.next = (bits_to(self.write_fingerprint.val(), self.shape.cell_bits())
                << self.cell_fingerprint_from)
                | bits_to(self.write_generation.val(), self.shape.cell_bits());
        }
        for p in 0..self.shape.parity {
            self.seal[p].payload.next =
                (bits_to(self.write_fingerprint.val(), self.shape.cell_bits())
                    << self.cell_fingerprint_from)
                    | bits_to(self.write_generation.val(), self.shape.cell_bits());
            self.write_data.next = self.seal[p].word.val();
        }
        for i in 0..self.shape.bucket_cells {
            self.lane[i].read_address.next = self.read_address.val();
            self.lane[i].fingerprint.next = self.fingerprint.val();
            self.lane[i].generation.next = self.generation.val();
            self.lane[i].write_address.next = self.write_address.val();
            self.lane[i].write_data.next = self.write_data.val();
            self.lane[i].sets.next = self.sets.val();
            self.lane[i].setting.next = self.setting.val();
            self.lane[i].same_bucket.next = self.track.same_bucket.val();
            self.lane[i].same_value.next = self.track.same_value.val();
            self.lane[i].near_bucket.next = self.track.near_bucket.val();
            self.lane[i].near_value.next = self.track.near_value.val();
            self.lane[i].taking.next = self.taking.val().get_bit(i);
            self.matching.set_bit(i, self.lane[i].matching.val());
            self.empty.set_bit(i, self.lane[i].empty.val());
        }
        for p in 0..self.shape.checks().len() {
            for i in 0..self.shape.bucket_cells {
                self.wrong_cells[p].set_bit(i, self.lane[i].wrong_5[p].val());
            }
            self.wrong[p].d.next = self.wrong_cells[p].val().any();
            self.wrong_6[p].next = self.wrong[p].q.val();
        }
    }
}
