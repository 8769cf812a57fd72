//! Derived sizes of a sliding-window filter on cuckoo tables, as the kernels use them.

use crate::hash::XorMatrix;
use crate::prelude::clog2;
use bloomline_language::made;
use bloomline_spec::{CuckooGeometry, CUCKOO_PATIENCE_CLOCKS, CUCKOO_PHASES, CUCKOO_TABLES};

/// Stages that a write in stage W is applied to: 1 to 5, from the memory's address to the flags before the decision.
pub const FORWARDED: usize = 5;

made! {
    /// Sizes, widths and stages of one pipeline, as `usize` for vectors and loops.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[allow(missing_docs)] // the names are those of `CuckooGeometry` and `SlidingTiming`
    pub struct CuckooShape {
        pub row_bits: usize = geometry.row_bits() as usize,
        pub row_cells: usize = geometry.row_cells() as usize,
        pub stash_cells: usize = geometry.stash_cells() as usize,
        pub stash_limit: usize = geometry.stash_limit() as usize,
        /// Bits below the one that tells the fingerprints of the second range.
        pub fingerprint_bits: usize = geometry.fingerprint_bits() as usize,
        pub generation_bits: usize = geometry.generation_bits() as usize,
        pub generation_values: u128 = geometry.generation_values().into(),
        pub generations: u128 = geometry.generations().into(),
        pub generation_items: u128 = geometry.generation_items().into(),
        /// Elements by which each phase is ahead.
        pub lead: Vec<u128> = (0..CUCKOO_PHASES)
            .map(|phase| geometry.phase_lead(phase).into())
            .collect(),
        pub quota: u128 = geometry.scan_quota().into(),
        pub room: u128 = geometry.scan_room().into(),
        pub patience: u128 = CUCKOO_PATIENCE_CLOCKS.into(),
        pub tag_bits: usize = geometry.tag_bits() as usize,
        pub verdict_bits: usize = geometry.verdict_bits() as usize,
        /// Stages from the register of the key to that before the one of the identity.
        pub hash_stages: usize = geometry.hash_stages() as usize,
        /// Age stage.
        pub age: usize = timing.age_stage as usize,
        /// Decision stage.
        pub decision: usize = timing.decision_stage as usize,
        /// Clocks after which an accepted item has left every trace.
        pub retire: usize = timing.retire_clocks as usize,
        pub queue_depth: usize = timing.verdict_queue_depth as usize,
        /// Masks of the row functions of tables 1 to 3.
        pub masks: Vec<Vec<u32>> = geometry.masks().to_vec(),
        /// Cells of the tables bear an error-correcting code.
        pub ecc: bool = geometry.ecc(),
        /// Check bits of a cell.
        pub check_bits: usize = geometry.check_bits(geometry.cell_bits()) as usize,
        /// Clocks that memory is read ahead because of it.
        pub read_ahead: usize = geometry.read_ahead_clocks() as usize,
        /// Event counters are built.
        pub counted: bool = geometry.counter_width().is_built(),
        /// There is a verdict queue.
        pub queued: bool = geometry.has_verdict_queue(),
        /// A host reaches the registers.
        pub reached: bool = geometry.has_registers(),
    }

    /// The numbers of a geometry.
    pub fn of(geometry: &CuckooGeometry) {
        let timing = geometry.timing();
    }
}

impl CuckooShape {
    /// Tables.
    pub const TABLES: usize = CUCKOO_TABLES;

    /// Cells that an item sees in its four rows.
    pub fn cells(&self) -> usize {
        Self::TABLES * self.row_cells
    }

    /// Bits of a fingerprint's number, r.
    pub fn value_bits(&self) -> usize {
        self.fingerprint_bits + 1
    }

    /// Bits of an identity.
    pub fn identity_bits(&self) -> usize {
        self.row_bits + self.value_bits()
    }

    /// Bits that the queue before the tables keeps of an item: identity, element, with verdict; its tag, where no verdict queue has it.
    pub fn held_bits(&self) -> usize {
        let tag_bits = if self.queued { 0 } else { self.tag_bits };
        self.identity_bits() + 2 + tag_bits
    }

    /// Bits of a cell of the tables.
    pub fn cell_bits(&self) -> usize {
        self.fingerprint_bits + self.generation_bits
    }

    /// Bits of a cell with its check bits.
    pub fn code_bits(&self) -> usize {
        self.cell_bits() + self.check_bits
    }

    /// Stages that a write in stage W is applied to, from that in which memory is read to the one before the decision.
    pub fn forwarded(&self) -> usize {
        FORWARDED + self.read_ahead
    }

    /// Number of the stage in which a forwarded bit s is.
    pub fn forwarded_stage(&self) -> &'static str {
        match self.ecc {
            false => "s + 1",
            true => "s - 1",
        }
    }

    /// Stage in which memory is read.
    pub fn read_stage(&self) -> &'static str {
        match self.ecc {
            false => "1",
            true => "-1",
        }
    }

    /// Stage that a slot enters as its rows are there.
    pub fn entry(&self) -> &'static str {
        match self.ecc {
            false => "0",
            true => "-2",
        }
    }

    /// Bits of the number of a phase.
    pub fn phase_bits(&self) -> usize {
        clog2(self.lead.len())
    }

    /// Bits of the number of an entry of the stash.
    pub fn entry_bits(&self) -> usize {
        clog2(self.stash_cells)
    }

    /// Bits of the number of a table.
    pub fn table_bits(&self) -> usize {
        clog2(Self::TABLES)
    }

    /// The block of F_T(r), for a table from 1 on.
    pub fn row_function(&self, table: usize) -> XorMatrix {
        XorMatrix::new(
            "row_function",
            &format!("F_{table}(r): what distinguishes the row in table {table} from b."),
            self.value_bits(),
            self.taps(table),
            vec![false; self.row_bits],
        )
    }

    /// Bits of r that each bit of F_T(r) is the sum of.
    fn taps(&self, table: usize) -> Vec<Vec<usize>> {
        let masks = &self.masks[table - 1];
        let bits = |mask: &u32| {
            (0..self.value_bits())
                .filter(|&i| mask >> i & 1 == 1)
                .collect()
        };
        masks.iter().map(bits).collect()
    }
}
