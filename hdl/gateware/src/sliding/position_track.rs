//! Carries a position through the pipeline and compares it with the slots ahead.

use crate::prelude::*;
use crate::sliding::{SlidingShape, SlotCompare, FORWARDED};

block! {
    /// Carries the position of each slot in one table from stage 0 to stage W, and says which slots hold the same bucket.
    ///
    /// ```text
    /// stage 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 = W
    ///           |<- each against W ->|      same_bucket, same_value: bit s is the slot in stage s + 1
    ///                       5 against 6     near_bucket, near_value
    /// ```
    /// New inputs in every clock. No reset.
    pub struct PositionTrack {
        about: About = About::new(
            "position_track",
            format!("Carries positions with 2^{bucket_bits} buckets from stage {entry} to stage 7, and compares them with those ahead."),
        ),
        pub clock: Signal<In, Clock>,
        pub index: Bus<In> = Bus::new(shape.position_bits).doc(format!("position of the slot entering stage {entry}")),
        pub scanning: Wire<In> = Wire::default().doc(format!("the slot entering stage {entry} is a scan")),
        pub scan_address: Bus<In> = Bus::new(shape.front_bits).doc("bucket that it visits"),
        pub position_early: Vec<Bus<Out>> = (0..shape.ecc)
            .map(|_| Bus::new(shape.position_bits).doc("stage -1"))
            .collect(),
        pub position_1: Bus<Out> = Bus::new(shape.position_bits).doc("stage 1"),
        pub position_3: Bus<Out> = Bus::new(shape.position_bits).doc("stage 3"),
        pub position_7: Bus<Out> = Bus::new(shape.position_bits).doc("stage 7"),
        pub same_bucket: Bus<Out> = Bus::new(FORWARDED).doc("bit s: the slot in stage s + 1 holds the bucket of that in stage 7"),
        pub same_value: Bus<Out> = Bus::new(FORWARDED).doc("and bears its fingerprint"),
        pub near_bucket: Wire<Out> = Wire::default().doc("the slot in stage 5 holds the bucket of that in stage 6"),
        pub near_value: Wire<Out> = Wire::default().doc("and bears its fingerprint"),
        entering: Bus<Local> = Bus::new(shape.position_bits),
        early: Vec<Reg> = (0..shape.read_ahead)
            .map(|_| Reg::new(shape.position_bits).doc("stages -2 and -1"))
            .collect(),
        stage: Vec<Reg> = (0..stages).map(|_| Reg::new(shape.position_bits)).collect(),
        compare: Vec<SlotCompare> = (0..FORWARDED).map(|_| compare()).collect(),
        near: SlotCompare = compare(),
        position_bits: usize = shape.position_bits,
        shape: SlidingShape = *shape,
    }

    /// For a table with `bucket_bits` bits of bucket.
    pub fn new(shape: &SlidingShape, bucket_bits: usize) {
        let compare = || SlotCompare::new(shape.position_bits, bucket_bits, shape.fingerprint_bits);
        let stages = shape.decision + 2;
        let entry = shape.entry();
    }
}

impl Logic for PositionTrack {
    #[hdl_gen]
    fn update(&mut self) {
        self.entering.next = self.index.val();
        if self.scanning.val() {
            self.entering.next = bits_to(self.scan_address.val(), self.position_bits);
        }
        if self.shape.ecc == 0 {
            self.stage[0].d.next = self.entering.val();
        }
        for e in 0..self.shape.ecc {
            self.early[e].d.next = self.entering.val();
            self.early[e + 1].d.next = self.early[e].q.val();
            self.stage[0].d.next = self.early[e + 1].q.val();
            self.position_early[e].next = self.early[e + 1].q.val();
        }
        for s in 1..self.stage.len() {
            self.stage[s].d.next = self.stage[s - 1].q.val();
        }
        self.position_1.next = self.stage[1].q.val();
        self.position_3.next = self.stage[3].q.val();
        self.position_7.next = self.stage[7].q.val();

        comment!("compared a clock ahead");
        for s in 0..FORWARDED {
            self.compare[s].ahead.next = self.stage[6].q.val();
            self.compare[s].behind.next = self.stage[s].q.val();
            self.same_bucket
                .set_bit(s, self.compare[s].same_bucket.val());
            self.same_value.set_bit(s, self.compare[s].same_value.val());
        }
        self.near.ahead.next = self.stage[5].q.val();
        self.near.behind.next = self.stage[4].q.val();
        self.near_bucket.next = self.near.same_bucket.val();
        self.near_value.next = self.near.same_value.val();
    }
}
