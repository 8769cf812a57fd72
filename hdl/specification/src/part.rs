//! FPGA parts, as far as the memory of a filter goes by them.

/// Block RAM of a family of FPGAs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRam {
    /// What the vendor calls it.
    pub name: &'static str,
    /// Words of one as memory of [`BlockRam::word_bits`], one port writing and one reading.
    pub words: u64,
    /// Bits of the widest of these words.
    pub word_bits: u64,
    /// Whether the vendor promises the old contents of a word that is read while the other port, on the same clock, writes a part of it.
    pub reads_old: bool,
}

const DP16KD: BlockRam = block_ram("DP16KD", false);
const NEXUS: BlockRam = block_ram("EBR of 18 kbit", false);
const SDPX9B: BlockRam = block_ram("BSRAM of 18 kbit", false);
/// READ_FIRST on the writing port: AMD UG473 and UG573, "Conflict Avoidance".
const RAMB18: BlockRam = block_ram("RAMB18", true);
const M10K: BlockRam = BlockRam {
    name: "M10K",
    words: 256,
    word_bits: 40,
    reads_old: false,
};

const fn block_ram(name: &'static str, reads_old: bool) -> BlockRam {
    BlockRam {
        name,
        words: 512,
        word_bits: 36,
        reads_old,
    }
}

impl BlockRam {
    /// Block RAMs of a memory of so many words of so many bits.
    pub fn of_words(&self, words: u64, bits: u64) -> u64 {
        words.div_ceil(self.words) * bits.div_ceil(self.word_bits)
    }

    /// Block RAMs of a memory of so many single cells of so many bits: of its ports' widths, each half of the next, that which takes fewest.
    pub fn of_cells(&self, cells: u64, bits: u64) -> u64 {
        let widths = (0..=self.word_bits.ilog2()).map(|halvings| {
            let (depth, width) = (self.words << halvings, self.word_bits >> halvings);
            cells.div_ceil(depth) * bits.div_ceil(width)
        });
        widths.min().unwrap_or(0)
    }
}

/// An FPGA part, or a family of parts (`target.part`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How its ordering code begins, in lower case; the name of a family.
    begins: &'static str,
    /// What the code has behind that, which tells the size; empty for every size.
    size: &'static str,
    /// Its block RAM.
    pub block_ram: BlockRam,
    /// Block RAMs that it has; `None` for a family, and for a part whose number is not listed.
    pub block_rams: Option<u64>,
}

const fn family(begins: &'static str, block_ram: BlockRam) -> Part {
    Part {
        begins,
        size: "",
        block_ram,
        block_rams: None,
    }
}

const fn part(
    begins: &'static str,
    size: &'static str,
    block_ram: BlockRam,
    block_rams: u64,
) -> Part {
    Part {
        begins,
        size,
        block_ram,
        block_rams: Some(block_rams),
    }
}

/// Families, by the words that a specification may use.
const FAMILIES: &[Part] = &[
    family("ecp5", DP16KD),
    family("nexus", NEXUS),
    family("gw2a", SDPX9B),
    family("cyclone-v", M10K),
    family("7-series", RAMB18),
    family("ultrascale", RAMB18),
];

/// Parts by the beginnings of their ordering codes, those of a known size first. Sizes: data sheets FPGA-DS-02012 (ECP5), DS180 (7 series), DS963 and DS978
/// (Alveo U280 and U55C; their UltraRAM cannot write single bits), DS102 (GW2A).
const PARTS: &[Part] = &[
    part("lfe5", "-12f", DP16KD, 56),
    part("lfe5", "-25f", DP16KD, 56),
    part("lfe5", "-45f", DP16KD, 108),
    part("lfe5", "-85f", DP16KD, 208),
    part("gw2a", "-18", SDPX9B, 46),
    part("gw2a", "-lv18", SDPX9B, 46),
    part("xc7a35t", "", RAMB18, 100),
    part("xc7a100t", "", RAMB18, 270),
    part("xc7a200t", "", RAMB18, 730),
    part("xc7k325t", "", RAMB18, 890),
    part("xc7z020", "", RAMB18, 280),
    part("xcu280", "", RAMB18, 4032),
    part("xcu55c", "", RAMB18, 4032),
    family("lfe5", DP16KD),
    family("lfcpnx", NEXUS),
    family("lifcl", NEXUS),
    family("5c", M10K),
    family("xc7", RAMB18),
    family("xcau", RAMB18),
    family("xcku", RAMB18),
    family("xcvu", RAMB18),
    family("xczu", RAMB18),
    family("xcu", RAMB18),
];

impl Part {
    /// The part that an ordering code or the word of a family stands for, if it is known.
    pub fn named(name: &str) -> Option<Part> {
        let name = name.to_lowercase();
        let is_family = |part: &&Part| part.begins == name;
        let is_part = |part: &&Part| {
            let rest = name.strip_prefix(part.begins);
            rest.is_some_and(|rest| rest.contains(part.size))
        };
        let found = FAMILIES.iter().find(is_family);
        found.or_else(|| PARTS.iter().find(is_part)).copied()
    }

    /// The words of the families.
    pub fn families() -> Vec<&'static str> {
        FAMILIES.iter().map(|part| part.begins).collect()
    }
}
