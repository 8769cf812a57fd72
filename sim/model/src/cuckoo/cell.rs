use bloomline_spec::{CuckooGeometry, CUCKOO_TABLES};

/// What a cell holds: r and a generation number modulo V.
///
/// The code that stores both in f + v bits can hold every pair of a fingerprint below R and a generation below V, and nothing that the ports show
/// depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cell {
    pub fingerprint: u32,
    pub generation: u32,
}

/// The position of a key in its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Identity {
    /// b: the low bits, which are the row in table 0.
    pub base: u32,
    /// r: the rest.
    pub fingerprint: u32,
}

/// The functions that give the row of an identity in each table.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    row_bits: u32,
    masks: [Vec<u32>; CUCKOO_TABLES - 1],
}

impl Rows {
    pub fn new(geometry: &CuckooGeometry) -> Rows {
        Rows {
            row_bits: geometry.row_bits(),
            masks: geometry.masks().clone(),
        }
    }

    /// The parts of a position.
    pub fn identity(&self, position: u32) -> Identity {
        Identity {
            base: position & ((1 << self.row_bits) - 1),
            fingerprint: position >> self.row_bits,
        }
    }

    /// `F_T(r)`.
    fn function(&self, table: usize, fingerprint: u32) -> u32 {
        let masks = match table {
            0 => return 0,
            _ => self.masks[table - 1].iter().enumerate(),
        };
        masks.fold(0, |row, (bit, mask)| {
            row | (((fingerprint & mask).count_ones() % 2) << bit)
        })
    }

    /// The row of an identity in a table.
    pub fn row(&self, table: usize, identity: Identity) -> u32 {
        identity.base ^ self.function(table, identity.fingerprint)
    }

    /// The rows of an identity in all tables.
    pub fn rows(&self, identity: Identity) -> [u32; CUCKOO_TABLES] {
        std::array::from_fn(|table| self.row(table, identity))
    }

    /// The identity of a fingerprint that stands in a row of a table.
    pub fn identity_in(&self, table: usize, row: u32, fingerprint: u32) -> Identity {
        Identity {
            base: row ^ self.function(table, fingerprint),
            fingerprint,
        }
    }
}
