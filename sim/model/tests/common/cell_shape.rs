//! Geometries of filters of cells for tests.

use bloomline_spec::{CellGeometry, Design, FilterSpec};
use std::path::Path;

/// What a test varies of a geometry.
#[derive(Debug, Clone, Copy)]
pub struct CellShape {
    /// "static", "counting" or "count-min".
    pub kind: &'static str,
    pub cell_bits: u64,
    pub amount_bits: u64,
    pub threshold: u64,
    /// Insertions of a window of a counting filter; 0 for none.
    pub window: u64,
    pub hashes: u64,
    /// Memory words of a bank.
    pub words: u64,
    /// "partitioned" or "shared".
    pub layout: &'static str,
    pub hashing: &'static str,
    /// Copies of a sketch.
    pub copies: u64,
    pub distinct: bool,
    pub conservative: bool,
    /// Positions of a bank that are used; 0 for all.
    pub range: u64,
    pub family: &'static str,
    pub key_bits: u64,
    pub tag_bits: u64,
    pub seed: u64,
}

impl CellShape {
    /// A counting filter of 4-bit cells, k = 4, the smallest banks.
    pub const COUNTING: CellShape = CellShape {
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
    };
    /// The same as a static filter.
    pub const STATIC: CellShape = CellShape {
        kind: "static",
        cell_bits: 1,
        threshold: 1,
        ..CellShape::COUNTING
    };
    /// The same as a Count-Min sketch of 8-bit counters with amounts of 3 bits.
    pub const SKETCH: CellShape = CellShape {
        kind: "count-min",
        cell_bits: 8,
        amount_bits: 3,
        threshold: 40,
        ..CellShape::COUNTING
    };

    /// Every legal cell width: 1 of a static filter, 2 to 16 of a counting filter, 8 to 32 of a sketch with amounts as
    /// wide as the counter.
    pub fn every_width() -> impl Iterator<Item = CellShape> {
        let counting = (2..=16).map(|cell_bits| CellShape {
            cell_bits,
            threshold: 2,
            ..CellShape::COUNTING
        });
        let sketch = (8..=32).map(|cell_bits| CellShape {
            cell_bits,
            amount_bits: cell_bits,
            ..CellShape::SKETCH
        });
        std::iter::once(CellShape::STATIC)
            .chain(counting)
            .chain(sketch)
    }

    /// Cells of a word.
    fn lanes(&self) -> u64 {
        1 << (32 / self.cell_bits).ilog2()
    }

    pub fn geometry(&self) -> CellGeometry {
        let section = match (self.kind, self.window) {
            ("static", _) => String::new(),
            ("counting", 0) => format!(
                "[filter.counting]\ncounter_bits = {}\nthreshold = {}\n",
                self.cell_bits, self.threshold
            ),
            ("counting", window) => format!(
                "[filter.counting]\ncounter_bits = {}\nthreshold = {}\nwindow = {window}\n",
                self.cell_bits, self.threshold
            ),
            _ => format!(
                "[filter.count-min]\ncounter_bits = {}\namount_bits = {}\nthreshold = {}\n",
                self.cell_bits, self.amount_bits, self.threshold
            ),
        };
        let banks = if self.layout == "shared" {
            1
        } else {
            self.hashes
        };
        let (panes, items) = match self.window {
            0 => (1, "items = 100\n"),
            _ => (2, ""),
        };
        let memory = panes * self.words * self.lanes() * self.cell_bits * banks;
        let range = match self.range {
            0 => String::new(),
            range => format!("range = {range}\n"),
        };
        let text = format!(
            "name = \"tested\"\n[filter]\nkind = \"{}\"\nmemory_bits = {memory}\nhashes = {}\nhashing = \"{}\"\n\
             layout = \"{}\"\ncopies = {}\ndistinct = {}\nconservative = {}\n{range}accept_two_hash_floor = true\n{items}{section}[key]\nbits = {}\ntag_bits = {}\n[hash]\n\
             family = \"{}\"\nseed = {}\n",
            self.kind, self.hashes, self.hashing, self.layout, self.copies, self.distinct, self.conservative, self.key_bits, self.tag_bits, self.family, self.seed,
        );
        let resolved = FilterSpec::from_toml(&text, Path::new("tested.toml"))
            .and_then(|spec| spec.design())
            .unwrap_or_else(|error| panic!("{self:?}: {error}"));
        match resolved {
            Design::Cells(geometry) => geometry,
            other => panic!("{self:?} is no filter of cells: {other:?}"),
        }
    }
}
