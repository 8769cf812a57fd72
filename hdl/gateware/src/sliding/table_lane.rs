//! One lane of a table: one cell of every bucket.

use crate::bank::{BankMemory, EccPort, ParityCheck};
use crate::prelude::*;
use crate::sliding::{LaneFlags, SlidingShape, FORWARDED};
use bloomline_spec::ecc;

block! {
    /// The i-th cell of every bucket: its memory and what an item sees of it.
    ///
    /// A cell is `{fingerprint, generation}`, with parity `{parity, fingerprint, generation}`. Timing: address in stage 1 (with an error-correcting code -1), contents in stage 3, flags in stage 6, written in stage 7; one slot a clock.
    /// New inputs in every clock. No reset.
    pub struct TableLane {
        about: About = About::new(
            "table_lane",
            format!(
                "One cell of each of {} buckets: {} bits of fingerprint, {} of generation{beside}.",
                1u64 << bucket_bits,
                shape.fingerprint_bits,
                shape.generation_bits
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(bucket_bits).doc(read_stage),
        pub fingerprint: Bus<In> = Bus::new(shape.fingerprint_bits).doc("the slot's, stage 3"),
        pub generation: Bus<In> = Bus::new(shape.generation_bits).doc("the slot's, stage 3"),
        pub write_address: Bus<In> = Bus::new(bucket_bits).doc("bucket, stage 7"),
        pub write_data: Bus<In> = Bus::new(width).doc(format!("{layout}, stage 7")),
        pub sets: Wire<In> = Wire::default()
            .doc("the slot in stage 7 is an element; else a scan, which empties"),
        pub same_bucket: Bus<In> = Bus::new(FORWARDED)
            .doc("bit s: the slot in stage s + 1 holds the bucket of that in stage 7"),
        pub same_value: Bus<In> = Bus::new(FORWARDED).doc("and bears its fingerprint"),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 writes this lane"),
        pub setting: Wire<In> = Wire::default().doc("it is an element"),
        pub near_bucket: Wire<In> = Wire::default().doc("the slot in stage 5 holds its bucket"),
        pub near_value: Wire<In> = Wire::default().doc("and bears its fingerprint"),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub empty: Wire<Out> = Wire::default().doc("stage 6: the cell is empty"),
        pub wrong_5: Vec<Wire<Out>> = (shape.checks().iter())
            .map(|check| {
                Wire::default().doc(format!("stage 5: a cell {} was met", check.of_a_cell()))
            })
            .collect(),
        pub reading: Vec<Wire<In>> = (0..shape.ecc)
            .map(|_| {
                Wire::default()
                    .doc("stage 3: the slot reads: write the cell back if it was corrected")
            })
            .collect(),
        memory: BankMemory = BankMemory::of_cells(bucket_bits, width + shape.ecc * check_bits),
        flags: LaneFlags = LaneFlags::of_memory(shape),
        taken: Flag = Flag::default().doc("the slot in stage 7 writes this lane"),
        check: Vec<ParityCheck> = (0..parity).map(|_| ParityCheck::new(width)).collect(),
        ecc_port: Vec<EccPort> = (0..shape.ecc)
            .map(|_| {
                let (fingerprint, generation) = (shape.fingerprint_bits, shape.generation_bits);
                EccPort::of_cells(1 << bucket_bits, fingerprint, generation)
            })
            .collect(),
        corrected_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        fingerprint_from: usize = shape.generation_bits,
        fingerprint_bits: usize = shape.fingerprint_bits,
        shape: SlidingShape = *shape,
    }

    /// A lane of `2^bucket_bits` cells.
    pub fn new(shape: &SlidingShape, bucket_bits: usize) {
        let parity = shape.parity;
        let width = shape.cell_bits() + parity;
        let check_bits = ecc::check_bits(shape.cell_bits() as u32) as usize;
        let (beside, layout) = match (parity, shape.ecc) {
            (0, 0) => (String::new(), "{fingerprint, generation}"),
            (0, _) => (
                format!(", and {check_bits} check bits"),
                "{fingerprint, generation}",
            ),
            _ => (
                ", and a parity bit".to_owned(),
                "{parity, fingerprint, generation}",
            ),
        };
        let read_stage = match shape.ecc {
            0 => "bucket, stage 1",
            _ => "bucket, stage -1",
        };
    }
}

impl Logic for TableLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.taken.d.next = self.taking.val();
        self.memory.read_address.next = self.read_address.val();
        if self.shape.ecc == 0 {
            self.memory.write_enable.next = self.taken.q.val();
            self.memory.write_address.next = self.write_address.val();
            self.memory.write_data.next = self.write_data.val();
            self.flags.equal.next = bits_to(
                self.memory.read_data.val() >> self.fingerprint_from,
                self.fingerprint_bits,
            ) == self.fingerprint.val();
            self.flags.age.next = self.generation.val()
                - bits_to(self.memory.read_data.val(), self.shape.generation_bits);
        }
        for e in 0..self.shape.ecc {
            self.ecc_port[e].read_address.next = self.read_address.val();
            self.ecc_port[e].reading[e].next = self.reading[e].val();
            self.ecc_port[e].write_enable.next = self.taken.q.val();
            self.ecc_port[e].write_address.next = self.write_address.val();
            self.ecc_port[e].write_data.next = self.write_data.val();
            self.ecc_port[e].memory_read.next = self.memory.read_data.val();
            self.memory.write_enable.next = self.ecc_port[e].memory_enable.val();
            self.memory.write_address.next = self.ecc_port[e].memory_address.val();
            self.memory.write_data.next = self.ecc_port[e].memory_write.val();
            self.flags.equal.next = bits_to(
                self.ecc_port[e].read_data.val() >> self.fingerprint_from,
                self.fingerprint_bits,
            ) == self.fingerprint.val();
            self.flags.age.next = self.generation.val()
                - bits_to(self.ecc_port[e].read_data.val(), self.shape.generation_bits);
            self.corrected_4[e].d.next = self.ecc_port[e].corrected.val();
            self.uncorrectable_4[e].d.next = self.ecc_port[e].uncorrectable.val();
            self.flags.wrong[e].next = self.corrected_4[e].q.val();
            self.flags.wrong[e + 1].next = self.uncorrectable_4[e].q.val();
        }
        for p in 0..self.shape.parity {
            self.check[p].word.next = self.memory.read_data.val();
            self.flags.wrong[p].next = self.check[p].wrong.val();
        }
        for p in 0..self.shape.checks().len() {
            self.wrong_5[p].next = self.flags.wrong_5[p].val();
        }
        self.flags.taken.next = self.taken.q.val();
        self.flags.sets.next = self.sets.val();
        self.flags.same_bucket.next = self.same_bucket.val();
        self.flags.same_value.next = self.same_value.val();
        self.flags.taking.next = self.taking.val();
        self.flags.setting.next = self.setting.val();
        self.flags.near_bucket.next = self.near_bucket.val();
        self.flags.near_value.next = self.near_value.val();
        self.matching.next = self.flags.matching.val();
        self.empty.next = self.flags.empty.val();
    }
}
