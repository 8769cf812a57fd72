use bloomline_spec::{CellGeometry, Design, FilterSpec, SpecError};
use std::path::Path;

/// The line of `[memory]` that gives memory words such parity, or with "ecc" an error-correcting code.
pub fn memory_check(parity: &str) -> String {
    match parity {
        "ecc" => "ecc = true".to_owned(),
        parity => format!("parity = \"{parity}\""),
    }
}

/// A filter of cells for tests, from the parts of a specification that matter there.
#[derive(Debug, Clone, Copy)]
pub struct CellSample {
    /// "static", "counting" or "count-min".
    pub kind: &'static str,
    /// Bits of a cell; 1 for a static filter.
    pub cell_bits: u64,
    /// Bits of an item's amount; only a sketch has one.
    pub amount_bits: u64,
    /// Count from which a key is reported; a static filter has none.
    pub threshold: u64,
    /// Insertions of a window of a counting filter; 0 for none.
    pub window: u64,
    /// Probes an item.
    pub hashes: u64,
    /// Memory words of one bank.
    pub words: u64,
    /// "partitioned" or "shared".
    pub layout: &'static str,
    /// "double", "independent", or in the shared layout "extended-double-2" or "extended-double-3".
    pub hashing: &'static str,
    /// Copies of a sketch.
    pub copies: u64,
    /// Positions of an item differ (shared layout, independent functions).
    pub distinct: bool,
    /// Conservative update (shared layout, counters).
    pub conservative: bool,
    /// Positions of a bank that are used; 0 for all.
    pub range: u64,
    /// "h3-sbox", "h3", "siphash" or "siphash-2-4".
    pub family: &'static str,
    /// Key width.
    pub key_bits: u32,
    /// Tag width.
    pub tag_bits: u32,
    /// Number that the constants of the hash come from.
    pub seed: u64,
    /// "none", "count" or "empty".
    pub parity: &'static str,
    /// Single cells in rows of so many, which a clear erases (counters one by one); 0 for words with epochs.
    pub row_bits: u64,
    /// A host reads and stores words of the array.
    pub array_access: bool,
    /// "64", "32" or "\"none\"".
    pub counters: &'static str,
}

impl CellSample {
    /// A counting filter of 4-bit cells with threshold 5, k = 4, the smallest banks, default hash of 104-bit keys.
    pub const COUNTING: CellSample = CellSample {
        kind: "counting",
        cell_bits: 4,
        amount_bits: 0,
        threshold: 5,
        window: 0,
        hashes: 4,
        words: 8,
        layout: "partitioned",
        hashing: "double",
        copies: 1,
        distinct: false,
        conservative: false,
        range: 0,
        family: "h3-sbox",
        key_bits: 104,
        tag_bits: 16,
        seed: 1,
        parity: "none",
        row_bits: 0,
        array_access: true,
        counters: "64",
    };

    /// The same as a static filter.
    pub const STATIC: CellSample = CellSample {
        kind: "static",
        cell_bits: 1,
        ..CellSample::COUNTING
    };

    /// The same of single bits.
    pub const SINGLE_BITS: CellSample = CellSample {
        row_bits: 1,
        ..CellSample::STATIC
    };

    /// The counting filter of single counters.
    pub const SINGLE_COUNTERS: CellSample = CellSample {
        row_bits: 1,
        ..CellSample::COUNTING
    };

    /// The same as a Count-Min sketch of 8-bit counters with amounts of 3 bits.
    pub const SKETCH: CellSample = CellSample {
        kind: "count-min",
        cell_bits: 8,
        amount_bits: 3,
        threshold: 40,
        ..CellSample::COUNTING
    };

    /// Every legal width of a cell: 1 of a static filter, 2 to 16 of a counting filter, 8 to 32 of a sketch with amounts as wide as the counter.
    pub fn every_width() -> impl Iterator<Item = CellSample> {
        let counting = (2..=16).map(|cell_bits| CellSample {
            cell_bits,
            threshold: 2,
            ..CellSample::COUNTING
        });
        let sketch = (8..=32).map(|cell_bits| CellSample {
            cell_bits,
            amount_bits: cell_bits,
            ..CellSample::SKETCH
        });
        std::iter::once(CellSample::STATIC)
            .chain(counting)
            .chain(sketch)
    }

    /// The specification as TOML.
    pub fn toml(&self) -> String {
        let section = match self.kind {
            "counting" => format!(
                "[filter.counting]\ncounter_bits = {}\nthreshold = {}\n{}",
                self.cell_bits,
                self.threshold,
                match self.window {
                    0 => String::new(),
                    window => format!("window = {window}\n"),
                }
            ),
            "count-min" => format!(
                "[filter.count-min]\ncounter_bits = {}\namount_bits = {}\nthreshold = {}\n",
                self.cell_bits, self.amount_bits, self.threshold
            ),
            _ => String::new(),
        };
        let lanes = 1 << (32 / self.cell_bits).ilog2();
        let banks = if self.layout == "shared" {
            1
        } else {
            self.hashes
        };
        let panes = 1 + u64::from(self.window > 0);
        let memory: u64 = panes * self.words * lanes * self.cell_bits * banks;
        let items = match self.window {
            0 => "items = 100\n",
            _ => "",
        };
        let range = match self.range {
            0 => String::new(),
            range => format!("range = {range}\n"),
        };
        let erase = match self.row_bits {
            0 => String::new(),
            bits => format!("erase = \"in-place\"\nrow_bits = {bits}\n"),
        };
        let access = match self.array_access {
            true => "",
            false => "array_access = false\n",
        };
        let features = match (self.counters, access) {
            ("64", "") => String::new(),
            (counters, access) => format!("[features]\ncounters = {counters}\n{access}"),
        };
        format!(
            "name = \"sample\"\n[filter]\nkind = \"{}\"\nmemory_bits = {memory}\nhashes = {}\nhashing = \"{}\"\n\
             layout = \"{}\"\ncopies = {}\ndistinct = {}\nconservative = {}\n{range}accept_two_hash_floor = true\n{items}{section}[key]\nbits = {}\ntag_bits = {}\n\
             [hash]\nfamily = \"{}\"\nseed = {}\n[memory]\n{}\n{erase}{features}",
            self.kind, self.hashes, self.hashing, self.layout, self.copies, self.distinct, self.conservative, self.key_bits, self.tag_bits, self.family, self.seed, memory_check(self.parity)
        )
    }

    /// The geometry, if the sample is a legal specification.
    ///
    /// # Errors
    /// As [`FilterSpec::design`].
    ///
    /// # Panics
    /// When it is one of another kind.
    pub fn resolve(&self) -> Result<CellGeometry, SpecError> {
        let spec = FilterSpec::from_toml(&self.toml(), Path::new("sample.toml"))?;
        match spec.design()? {
            Design::Cells(geometry) => Ok(geometry),
            other => panic!("{self:?} is no filter of cells: {other:?}"),
        }
    }

    /// The geometry.
    ///
    /// # Panics
    /// When the sample is no legal specification of a filter of cells.
    pub fn geometry(&self) -> CellGeometry {
        self.resolve()
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}
