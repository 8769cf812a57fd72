//! Rules for sliding-window filters on cuckoo tables, and default sizes.

use super::geometry::{CuckooGeometry, CUCKOO_TABLES};
use crate::error::SpecError;
use crate::rules::{nearest, nearest_power_of_two, quoted, Rules};
use crate::specification::{FilterSpec, SlidingSection};
use crate::values::{Hashing, Parity, WindowTable};

/// Least elements of a generation: many more than items in flight, so that a fingerprint changes its generation at most once while they are.
const MIN_GENERATION_ITEMS: u64 = 64;
/// Longest window, in elements.
const MAX_WINDOW: u64 = 1 << 21;
/// Most generations of a window.
const MAX_GENERATIONS: u64 = 64;
const MIN_ROWS: u64 = 16;
const MAX_ROWS: u64 = 1 << 18;
const ROW_CELLS: std::ops::RangeInclusive<u64> = 3..=8;
/// Cells of a row of a cuckoo table, and the thousandths to which such rows are filled on average at most: about a quarter of the elements then
/// cause a move. `bloomline_theory::sliding::CuckooTables` derives the figures, and a test of `host/toolkit` holds these to them.
pub const CUCKOO_LOAD_LIMITS: [(u32, u64); 6] =
    [(3, 790), (4, 835), (5, 865), (6, 885), (7, 900), (8, 910)];
const STASH_CELLS: u64 = 24;
const MIN_STASH_CELLS: u64 = 16;
const MAX_STASH_CELLS: u64 = 64;
const MIN_FINGERPRINT_BITS: u64 = 8;
/// Most bits of an identity: it is carried as 32 bits.
const MAX_IDENTITY_BITS: u64 = 32;
/// Those that the fewest rows leave, with the bit that extends the fingerprints.
const MAX_FINGERPRINT_BITS: u64 = MAX_IDENTITY_BITS - 1 - MIN_ROWS.trailing_zeros() as u64;
const MIN_GENERATION_BITS: u64 = 3;
const MAX_GENERATION_BITS: u64 = 8;
/// Elements a row that a chosen `generation_bits` gives the scan at least.
const CHOSEN_QUOTA: u64 = 10;
/// Fewest that do.
const MIN_QUOTA: u64 = 8;
/// Fewest elements that a table may be ahead of its scan.
const MIN_ROOM: u64 = 16;
/// Elements that a chosen `generation_bits` lets a table be ahead of its scan at least: with fewer, agents that wait for their port hold a saturated stream.
pub(super) const CHOSEN_ROOM: u64 = 64;
/// Most; beyond it nothing is gained.
const MAX_ROOM: u64 = 4095;
/// Elements counted for those in flight.
const IN_FLIGHT: u64 = 64;

/// What `[filter.sliding]` says of cuckoo tables, checked and completed.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    pub window: u64,
    pub slack: u64,
    pub target_fpr: f64,
    pub generations: u32,
    pub generation_items: u64,
    pub generation_bits: u32,
    pub rows: u64,
    pub row_cells: u32,
    pub stash_cells: u32,
    pub fingerprint_bits: u32,
}

impl Sizes {
    pub fn generation_values(&self) -> u64 {
        (1 << self.generation_bits) - 1
    }

    pub fn fingerprints(&self) -> u64 {
        (1 << self.fingerprint_bits) + (1 << (self.fingerprint_bits - self.generation_bits))
    }

    pub fn cell_bits(&self) -> u32 {
        self.fingerprint_bits + self.generation_bits
    }

    pub fn memory_bits(&self) -> u64 {
        CUCKOO_TABLES as u64 * self.rows * u64::from(self.row_cells) * u64::from(self.cell_bits())
    }

    pub fn peak_live(&self) -> u64 {
        u64::from(self.generations) * self.generation_items
            + (9 * self.generation_items).div_ceil(16)
    }

    /// Elements between two visits of a row at most, so that no stale cell comes to look young.
    fn deadline(&self) -> u64 {
        self.generation_values()
            .saturating_sub(u64::from(self.generations) + 2)
            * self.generation_items
    }

    pub fn scan_quota(&self) -> u64 {
        7 * self.deadline() / (8 * self.rows)
    }

    pub fn scan_room(&self) -> u64 {
        self.deadline()
            .saturating_sub(self.rows * self.scan_quota() + IN_FLIGHT)
            .min(MAX_ROOM)
    }

    fn scans_in_time(&self, quota: u64, room: u64) -> bool {
        self.scan_quota() >= quota && self.scan_room() >= room.max(2 * self.scan_quota())
    }

    /// Share of the cells that are live on average, in thousandths, rounded up.
    fn load(&self) -> u64 {
        let twice = (2 * u64::from(self.generations) + 1) * self.generation_items;
        (1000 * twice).div_ceil(2 * CUCKOO_TABLES as u64 * self.rows * u64::from(self.row_cells))
    }

    fn load_limit(&self) -> u64 {
        let place = (u64::from(self.row_cells).saturating_sub(*ROW_CELLS.start())) as usize;
        CUCKOO_LOAD_LIMITS[place.min(CUCKOO_LOAD_LIMITS.len() - 1)].1
    }

    fn rate(&self) -> f64 {
        self.peak_live() as f64 / (self.rows * self.fingerprints()) as f64
    }
}

impl Rules<'_> {
    /// Words of the format that this filter has no use for.
    pub fn cuckoo_supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        if spec.filter.hashing != Hashing::Independent {
            return Err(self.unsupported(
                "filter.hashing",
                quoted(spec.filter.hashing),
                "cuckoo tables take one hash value, and find the rows from it",
                "write filter.hashing = \"independent\"",
            ));
        }
        if spec.parity() != Parity::None {
            return Err(self.unsupported(
                "memory.parity",
                quoted(spec.parity()),
                "cells of cuckoo tables bear no parity, but an error-correcting code if one is wanted",
                "leave it out, write memory.ecc = true in its place, or use filter.sliding.table = \"buckets\"",
            ));
        }
        Ok(())
    }

    /// Every size of the filter, given or chosen, with the memory that they take.
    pub fn cuckoo_sizes(&self, spec: &FilterSpec) -> Result<Sizes, SpecError> {
        let (filter, sizes) = (&spec.filter, self.cuckoo_tables(spec)?);
        if filter.memory_bits != sizes.memory_bits() {
            let rule = format!(
                "must be {CUCKOO_TABLES} tables * {} rows * {} cells * ({} fingerprint + {} generation) bits = {}",
                sizes.rows,
                sizes.row_cells,
                sizes.fingerprint_bits,
                sizes.generation_bits,
                sizes.memory_bits()
            );
            return Err(self.broken(
                "filter.memory_bits",
                filter.memory_bits,
                rule,
                nearest(sizes.memory_bits()),
            ));
        }
        Ok(sizes)
    }

    /// The same, whatever `filter.memory_bits` says.
    pub fn cuckoo_tables(&self, spec: &FilterSpec) -> Result<Sizes, SpecError> {
        let section = self.cuckoo_section(spec)?;
        if spec.filter.hashes != 1 {
            let rule = "must be 1 with filter.sliding.table = \"cuckoo\": one hash value gives the rows of a key in all tables";
            return Err(self.broken("filter.hashes", spec.filter.hashes, rule, nearest(1)));
        }
        let window = self.integer(
            "filter.sliding.window",
            section.window,
            MIN_GENERATION_ITEMS,
            MAX_WINDOW,
        )?;
        self.sliding_target(section)?;
        let stash = section.stash_cells.unwrap_or(STASH_CELLS);
        let stash = self.integer(
            "filter.sliding.stash_cells",
            stash,
            MIN_STASH_CELLS,
            MAX_STASH_CELLS,
        )?;
        let given_rows = section
            .rows
            .map(|rows| self.cuckoo_rows(rows))
            .transpose()?;
        let given_cells = section.row_cells.map(|cells| {
            self.integer(
                "filter.sliding.row_cells",
                cells,
                *ROW_CELLS.start(),
                *ROW_CELLS.end(),
            )
        });
        let given_cells = given_cells.transpose()?.map(u64::from);
        let given_fingerprint = section.fingerprint_bits.map(|bits| {
            self.integer(
                "filter.sliding.fingerprint_bits",
                bits,
                MIN_FINGERPRINT_BITS,
                MAX_FINGERPRINT_BITS,
            )
        });
        let given_fingerprint = given_fingerprint.transpose()?;
        let given_generation = section.generation_bits.map(|bits| {
            self.integer(
                "filter.sliding.generation_bits",
                bits,
                MIN_GENERATION_BITS,
                MAX_GENERATION_BITS,
            )
        });
        let given_generation = given_generation.transpose()?;
        let base = Sizes {
            window: u64::from(window),
            slack: section.slack,
            target_fpr: section.target_fpr,
            generations: 0,
            generation_items: 0,
            generation_bits: 0,
            rows: 0,
            row_cells: 0,
            stash_cells: stash,
            fingerprint_bits: 0,
        };
        let mut tried = Vec::new();
        for (generations, generation_items) in self.cuckoo_generations(section)? {
            let cells = given_cells.map_or(ROW_CELLS, |cells| cells..=cells);
            tried.extend(cells.map(|row_cells| Sizes {
                generations: generations as u32,
                generation_items,
                row_cells: row_cells as u32,
                ..base.clone()
            }));
        }
        let sizes = |with: &dyn Fn(Sizes) -> Option<Sizes>, of: &[Sizes]| -> Vec<Sizes> {
            of.iter().cloned().filter_map(with).collect()
        };
        let placed = sizes(&|sizes| sizes.with_rows(given_rows), &tried);
        let scanned = sizes(
            &|sizes| sizes.with_generation_bits(given_generation),
            &placed,
        );
        let mut best: Option<Sizes> = None;
        for sizes in sizes(
            &|sizes| sizes.with_fingerprint_bits(given_fingerprint),
            &scanned,
        ) {
            // the first of equals has the fewest generations
            let better = best.as_ref().is_none_or(|best| {
                sizes.memory_bits() < best.memory_bits()
                    || sizes.memory_bits() == best.memory_bits()
                        && sizes.generations == best.generations
            });
            if better {
                best = Some(sizes);
            }
        }
        best.ok_or_else(|| match (placed.is_empty(), scanned.is_empty()) {
            (true, _) => self.no_rows(section, &tried),
            (_, true) => self.no_scan(section, &base),
            _ => self.no_fingerprint(section, &base),
        })
    }

    /// What a stash must hold at least.
    pub fn cuckoo_stash(&self, geometry: &CuckooGeometry) -> Result<(), SpecError> {
        const LEAST_LIMIT: u32 = 4;
        let least = geometry.stash_reserve() + LEAST_LIMIT;
        if geometry.stash_cells() >= least {
            return Ok(());
        }
        let rule = format!("must be at least {least}: {} elements may be on their way to it, and {LEAST_LIMIT} must have room beside them", geometry.stash_reserve());
        Err(self.broken(
            "filter.sliding.stash_cells",
            geometry.stash_cells(),
            rule,
            nearest(u64::from(least)),
        ))
    }

    /// The section, without sizes of the other tables.
    fn cuckoo_section<'s>(&self, spec: &'s FilterSpec) -> Result<&'s SlidingSection, SpecError> {
        let Some(section) = &spec.filter.sliding else {
            let rule = "is required by filter.kind = \"sliding\"";
            let advice = "add it with window, slack and target_fpr";
            return Err(self.broken("filter.sliding", "(missing)", rule, advice));
        };
        let others = [
            ("filter.sliding.front_buckets", section.front_buckets),
            ("filter.sliding.back_buckets", section.back_buckets),
            ("filter.sliding.bucket_cells", section.bucket_cells),
            ("filter.sliding.store_cells", section.store_cells),
        ];
        let (of, is) = (WindowTable::Buckets, WindowTable::Cuckoo);
        self.no_other_table(&others, of, is)?;
        match section.accept_overflow {
            true => Err(self.wrong_table("filter.sliding.accept_overflow", true, of, is)),
            false => Ok(section),
        }
    }

    /// None of the sizes that belong to the other way of storing a window is given.
    pub fn no_other_table(
        &self,
        others: &[(&'static str, Option<u64>)],
        of: WindowTable,
        is: WindowTable,
    ) -> Result<(), SpecError> {
        let given = others
            .iter()
            .find_map(|(key, value)| Some((key, (*value)?)));
        given.map_or(Ok(()), |(key, value)| {
            Err(self.wrong_table(key, value, of, is))
        })
    }

    fn wrong_table(
        &self,
        key: &'static str,
        value: impl ToString,
        of: WindowTable,
        is: WindowTable,
    ) -> SpecError {
        let rule = format!("belongs to filter.sliding.table = \"{of}\", and this is \"{is}\"");
        self.broken(key, value, rule, "leave it out, or change the table")
    }

    fn cuckoo_rows(&self, rows: u64) -> Result<u64, SpecError> {
        if rows.is_power_of_two() && (MIN_ROWS..=MAX_ROWS).contains(&rows) {
            return Ok(rows);
        }
        let rule = format!("must be a power of two from {MIN_ROWS} to {MAX_ROWS}");
        let legal = nearest_power_of_two(rows).clamp(MIN_ROWS, MAX_ROWS);
        Err(self.broken("filter.sliding.rows", rows, rule, nearest(legal)))
    }

    /// Numbers of generations that the slack allows, with the elements of each.
    fn cuckoo_generations(&self, section: &SlidingSection) -> Result<Vec<(u64, u64)>, SpecError> {
        let (window, slack) = (section.window, section.slack);
        let most = (window / MIN_GENERATION_ITEMS).min(MAX_GENERATIONS);
        let all = (1..=most).map(|c| (c, window.div_ceil(c)));
        let legal =
            all.filter(|&(c, g)| g >= MIN_GENERATION_ITEMS && (c + 1) * g - window <= slack);
        let legal: Vec<_> = legal.collect();
        if legal.is_empty() {
            let least = (1..=most)
                .map(|c| (c + 1) * window.div_ceil(c) - window)
                .min()
                .unwrap_or(window);
            let rule = format!(
                "allows no generation: a window of {window} elements has at most {most} generations (of {MIN_GENERATION_ITEMS} elements or more), \
                 and the slack must hold one of them"
            );
            return Err(self.broken("filter.sliding.slack", slack, rule, nearest(least)));
        }
        let Some(given) = section.generations else {
            return Ok(legal);
        };
        if let Some(&found) = legal.iter().find(|&&(c, _)| c == given) {
            return Ok(vec![found]);
        }
        let near = legal
            .iter()
            .map(|&(c, _)| c)
            .min_by_key(|c| c.abs_diff(given))
            .unwrap_or(1);
        let rule = format!(
            "must be from 1 to {most}, with generations of {MIN_GENERATION_ITEMS} elements or more, one of which fits into filter.sliding.slack = {slack}"
        );
        Err(self.broken("filter.sliding.generations", given, rule, nearest(near)))
    }

    /// Why no number of rows will do.
    fn no_rows(&self, section: &SlidingSection, tried: &[Sizes]) -> SpecError {
        let filled = |sizes: &Sizes| Sizes {
            rows: section.rows.unwrap_or(MAX_ROWS),
            ..sizes.clone()
        };
        let least = tried.iter().map(filled).min_by_key(Sizes::load);
        let (load, limit, cells) = least.map_or((0, 0, 0), |sizes| {
            (sizes.load(), sizes.load_limit(), sizes.row_cells)
        });
        let rule = format!(
            "fill rows of {cells} cells to {} % at least; {} % is the most",
            load / 10,
            limit / 10
        );
        match section.rows {
            Some(rows) => self.broken(
                "filter.sliding.rows",
                rows,
                rule,
                "take more rows, or leave filter.sliding.rows out",
            ),
            None => self.broken(
                "filter.sliding.window",
                section.window,
                format!("in {MAX_ROWS} rows a table, the most there are, its elements {rule}"),
                "leave out filter.sliding.row_cells and filter.sliding.generations, or take a shorter window",
            ),
        }
    }

    /// Why no scan of the rows comes round in time.
    fn no_scan(&self, section: &SlidingSection, base: &Sizes) -> SpecError {
        if let Some(bits) = section.generation_bits {
            let rule = "does not tell the live generations from those that pass while the rows are scanned, with any number of generations that the slack allows";
            let advice = "leave it out, and the least is chosen";
            return self.broken("filter.sliding.generation_bits", bits, rule, advice);
        }
        if let Some(rows) = section.rows {
            let rule = format!("are more than can be scanned while {MAX_GENERATION_BITS} bits tell generations apart, with any number of generations that the slack allows");
            let advice = "take fewer rows, or leave filter.sliding.rows out";
            return self.broken("filter.sliding.rows", rows, rule, advice);
        }
        let rule = format!("has generations too short for a scan of the rows while {MAX_GENERATION_BITS} bits tell them apart");
        let advice = "leave out filter.sliding.generations, or take a longer window";
        self.broken("filter.sliding.window", base.window, rule, advice)
    }

    /// Why no fingerprint will do.
    fn no_fingerprint(&self, section: &SlidingSection, base: &Sizes) -> SpecError {
        if let Some(bits) = section.fingerprint_bits {
            let rule = "must have 5 bits more than a generation number, with the bits of a row's number 31 at most, and give a rate within \
                        filter.sliding.target_fpr with a number of generations that the slack allows";
            let advice = "leave it out, and the least is chosen";
            return self.broken("filter.sliding.fingerprint_bits", bits, rule, advice);
        }
        let rule = format!(
            "is below what {MAX_IDENTITY_BITS} bits of row and fingerprint give for a window of {} elements",
            base.window
        );
        let given = [
            section.generations.map(|_| "filter.sliding.generations"),
            section.rows.map(|_| "filter.sliding.rows"),
        ];
        let given: Vec<&str> = given.into_iter().flatten().collect();
        let advice = match given.is_empty() {
            true => "take a greater rate".to_owned(),
            false => format!("take a greater rate, or leave out {}", given.join(" and ")),
        };
        self.broken("filter.sliding.target_fpr", base.target_fpr, rule, advice)
    }
}

impl Sizes {
    fn with_rows(self, given: Option<u64>) -> Option<Sizes> {
        let mut rows = given.unwrap_or(MIN_ROWS);
        loop {
            let sizes = Sizes {
                rows,
                ..self.clone()
            };
            if sizes.load() <= sizes.load_limit() {
                return Some(sizes);
            }
            if given.is_some() || rows == MAX_ROWS {
                return None;
            }
            rows *= 2;
        }
    }

    fn with_generation_bits(self, given: Option<u32>) -> Option<Sizes> {
        let (range, quota, room) = match given {
            Some(bits) => (bits..=bits, MIN_QUOTA, MIN_ROOM),
            None => (
                MIN_GENERATION_BITS as u32..=MAX_GENERATION_BITS as u32,
                CHOSEN_QUOTA,
                CHOSEN_ROOM,
            ),
        };
        range
            .map(|generation_bits| Sizes {
                generation_bits,
                ..self.clone()
            })
            .find(|sizes| sizes.scans_in_time(quota, room))
    }

    fn with_fingerprint_bits(self, given: Option<u32>) -> Option<Sizes> {
        let least = (MIN_FINGERPRINT_BITS as u32).max(self.generation_bits + 5);
        let most = MAX_IDENTITY_BITS as u32 - 1 - self.rows.trailing_zeros();
        let range = given.map_or(least..=most, |bits| bits..=bits.min(most));
        range
            .filter(|&bits| bits >= least)
            .map(|fingerprint_bits| Sizes {
                fingerprint_bits,
                ..self.clone()
            })
            .find(|sizes| sizes.rate() <= sizes.target_fpr)
    }
}
