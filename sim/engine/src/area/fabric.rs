//! Families of parts, as far as a count differs between them.

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

/// What a memory is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Block(BlockRams),
    /// Lookup tables as memory: words of a slice, and tables of each slice.
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

    /// What yosys makes of a memory with so many addresses that are read and written; `registered`: what is read goes to flip-flops alone.
    ///
    /// Distributed RAM has one port for each: of two addresses that are read each takes a copy, and two that are written it cannot have.
    pub(super) fn kind(
        self,
        (words, width): (usize, usize),
        registered: bool,
        (reads, writes): (usize, usize),
    ) -> Kind {
        let distributed = self.distributed(words, width);
        if !registered {
            return distributed.1;
        }
        let (cost, block) = self.block(words, width, reads == 1 && writes == 1);
        match writes == 1 && distributed.0 * (reads as u64) < 2 * cost {
            // RAM64X1D and RAM128X1D: two tables for 64 bits, whose second port is the one that writes
            true if self != Fabric::Ecp5 && reads == 2 && words > 32 => Kind::Distributed {
                slice_words: if words > 64 { 128 } else { 64 },
                tables: (width * if words > 64 { 2 } else { 1 }) as u64,
            },
            true => distributed.1,
            false => Kind::Block(block),
        }
    }

    /// Twice the cost that yosys gives it, and what it is: each slice costs what its library says, and a bit of each choice between slices, when it is read or written, a half.
    fn distributed(self, words: usize, width: usize) -> (u64, Kind) {
        // words, bits, tables and cost of each
        let shapes: &[(usize, usize, u64, u64)] = match self {
            Fabric::Ecp5 => &[(16, 4, 4, 4)],
            Fabric::Series7 => &[(32, 6, 4, 8), (64, 3, 4, 8)],
            Fabric::UltraScalePlus => &[(32, 14, 8, 16), (64, 7, 8, 16)],
        };
        let made = |&(slice_words, bits, tables, cost): &(usize, usize, u64, u64)| {
            let (deep, wide) = (words.div_ceil(slice_words), width.div_ceil(bits) as u64);
            let kind = Kind::Distributed {
                slice_words,
                tables: tables * wide,
            };
            let choices = ((deep - 1) * (width + 1)) as u64;
            (2 * deep as u64 * wide * cost + choices, kind)
        };
        shapes
            .iter()
            .map(made)
            .min_by_key(|(cost, _)| *cost)
            .unwrap_or((0, Kind::Block(BlockRams::default())))
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
