//! Families of parts, as far as a count differs between them.

use super::cover::Sizes;
use std::ops::AddAssign;

/// A family of FPGAs as yosys maps to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fabric {
    /// Lattice ECP5: tables of four inputs, block RAM of 18 kbit (DP16KD).
    Ecp5,
    /// AMD 7 series: tables of six inputs, block RAM of 36 or 18 kbit.
    Series7,
    /// AMD UltraScale+: the same, with distributed RAM in groups of eight tables.
    UltraScalePlus,
}

/// Block RAMs by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockRams {
    /// Of 18 kbit.
    pub of_18_kbit: u64,
    /// Of 36 kbit.
    pub of_36_kbit: u64,
}

impl AddAssign for BlockRams {
    fn add_assign(&mut self, other: Self) {
        self.of_18_kbit += other.of_18_kbit;
        self.of_36_kbit += other.of_36_kbit;
    }
}

/// Addresses of a memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ports {
    pub(super) reads: usize,
    pub(super) writes: usize,
    /// Two ports serve all of them.
    pub(super) two_suffice: bool,
}

impl Ports {
    /// One port reads and one writes.
    fn simple(self) -> bool {
        self.reads == 1 && self.writes == 1
    }
}

/// What a memory is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Block(BlockRams),
    /// Lookup tables as memory: words of a slice, and tables of each slice for all that is read.
    Distributed {
        slice_words: usize,
        tables: u64,
    },
}

impl Fabric {
    /// Whether it differs from another in its memories alone.
    pub(super) fn logic_is_alike(self, other: Self) -> bool {
        (self == Fabric::Ecp5) == (other == Fabric::Ecp5)
    }

    /// Inputs of a lookup table.
    pub(super) const fn table_inputs(self) -> usize {
        match self {
            Fabric::Ecp5 => 4,
            Fabric::Series7 | Fabric::UltraScalePlus => 6,
        }
    }

    /// Lookup tables of a function, by the number of its inputs: the wide ones of an ECP5 are several behind multiplexers (PFUMX, L6MUX21), as fast as one.
    pub(super) const fn table_sizes(self) -> Sizes {
        match self {
            Fabric::Ecp5 => [0, 1, 1, 1, 1, 2, 4],
            Fabric::Series7 | Fabric::UltraScalePlus => [0, 1, 1, 1, 1, 1, 1],
        }
    }

    /// The first step of a carry chain's bit is a lookup table of its own, which takes logic before it too.
    pub(super) const fn sums_in_tables(self) -> bool {
        !matches!(self, Fabric::Ecp5)
    }

    /// Bits of the longest sum that yosys makes of gates, without a carry chain.
    pub(super) const fn longest_sum_in_gates(self) -> usize {
        match self {
            Fabric::Ecp5 => 4,
            Fabric::Series7 | Fabric::UltraScalePlus => 2,
        }
    }

    /// A lookup table can be a shift register.
    pub(super) const fn shifts_in_tables(self) -> bool {
        !matches!(self, Fabric::Ecp5)
    }

    /// What yosys makes of a memory; `registered`: what is read goes to flip-flops alone. Lookup tables cannot be written at two addresses.
    pub(super) fn kind(
        self,
        (words, width): (usize, usize),
        registered: bool,
        ports: Ports,
    ) -> Kind {
        let distributed = self.distributed(words, width, ports);
        if !registered {
            return distributed.1;
        }
        let (cost, block) = self.block(words, width, ports.simple());
        match ports.writes == 1 && distributed.0 < cost as f64 {
            true => distributed.1,
            false => Kind::Block(block),
        }
    }

    /// The cost that yosys gives it, and what it is. A slice costs what yosys' library says, of AMD's families the less the fewer of its bits are used (`widthscale`);
    /// each bit that is chosen between slices costs a half.
    fn distributed(self, words: usize, width: usize, ports: Ports) -> (f64, Kind) {
        // those of AMD's families have a second port that reads where the first one reads and writes
        let dual = ports.two_suffice && ports.reads == 2;
        // words, bits and tables of each
        let shapes: &[(usize, usize, u64)] = match (self, dual) {
            (Fabric::Ecp5, _) => &[(16, 4, 4)],
            (Fabric::Series7, false) => &[(32, 6, 4), (64, 3, 4)],
            (Fabric::Series7, true) => &[(32, 4, 4), (64, 2, 4), (128, 1, 4)],
            (Fabric::UltraScalePlus, false) => &[(32, 14, 8), (64, 7, 8)],
            (Fabric::UltraScalePlus, true) => &[(32, 8, 8), (64, 4, 8), (128, 2, 8), (256, 1, 8)],
        };
        // of a slice as such, and of all its bits
        let (as_such, of_bits) = match (self, dual) {
            (Fabric::Ecp5, _) => (4.0, 0.0),
            (Fabric::Series7, false) => (1.0, 7.0),
            (Fabric::Series7, true) => (0.0, 8.0),
            (Fabric::UltraScalePlus, _) => (0.0, 16.0),
        };
        // else each address that is read has a copy
        let copies = match dual && self != Fabric::Ecp5 {
            true => 1,
            false => ports.reads,
        };
        let made = |&(slice_words, bits, tables): &(usize, usize, u64)| {
            let (deep, wide) = (words.div_ceil(slice_words), width.div_ceil(bits) * copies);
            let kind = Kind::Distributed {
                slice_words,
                tables: tables * wide as u64,
            };
            let row = as_such * wide as f64 + of_bits * (width * copies) as f64 / bits as f64;
            let chosen = (deep - 1) * (width * ports.reads + 1);
            (deep as f64 * row + 0.5 * chosen as f64, kind)
        };
        shapes
            .iter()
            .map(made)
            .min_by(|(one, _), (other, _)| one.total_cmp(other))
            .unwrap_or((0.0, Kind::Block(BlockRams::default())))
    }

    /// The same of block RAM. `simple`: one port reads and one writes, which are as wide as can be.
    fn block(self, words: usize, width: usize, simple: bool) -> (u64, BlockRams) {
        // the widest shape takes two ports of half the width
        let number = |bits: usize, widest: usize| {
            let shapes = [(1, 1), (2, 2), (4, 4), (9, 8), (18, 16), (36, 32), (72, 64)];
            let fitting = shapes.iter().filter(|(wide, _)| *wide <= widest);
            let of = |(wide, power): &(usize, usize)| {
                words.div_ceil(bits / power) * width.div_ceil(*wide)
            };
            fitting.map(of).min().unwrap_or(0) as u64
        };
        let half = number(1 << 14, if simple { 36 } else { 18 });
        let halves = BlockRams {
            of_18_kbit: half,
            of_36_kbit: 0,
        };
        if self == Fabric::Ecp5 {
            return (128 * half, halves);
        }
        let full = number(1 << 15, if simple { 72 } else { 36 });
        let wholes = BlockRams {
            of_18_kbit: 0,
            of_36_kbit: full,
        };
        match 257 * full <= 129 * half {
            true => (257 * full, wholes),
            false => (129 * half, halves),
        }
    }
}
