//! Rules for sliding-window filters, and default sizes.

use crate::error::SpecError;
use crate::rules::{nearest, nearest_power_of_two, quoted, Rules};
use crate::specification::{FilterSpec, SlidingSection};
use crate::values::{FilterKind, HashFamily, Layout, WindowTable};
use itertools::Itertools;

/// Least elements of a generation: more than the items in flight, so that ages of neighbours differ by one at most.
const MIN_GENERATION_ITEMS: u64 = 16;
/// Longest window, in elements; the design load loses less than one insertion in 10^12 up to here.
const MAX_WINDOW: u64 = 1 << 23;
/// Most generations of a window: with the stale ones they must be told apart in 8 bits.
const MAX_GENERATIONS: u64 = 64;
const MIN_FRONT_BUCKETS: u64 = 16;
const MIN_BACK_BUCKETS: u64 = 4;
const MAX_FRONT_BUCKETS: u64 = 1 << 22;
const MIN_FINGERPRINT_BITS: u64 = 4;
/// Most bits of a position: it is carried as 32 bits.
const MAX_POSITION_BITS: u64 = 32;
const MIN_GENERATION_BITS: u64 = 3;
const MAX_GENERATION_BITS: u64 = 8;
const MAX_STORE_CELLS: u64 = 32;
/// Cells of a bucket and of the store at the design load.
const BUCKET_CELLS: u64 = 8;
const STORE_CELLS: u64 = 16;
/// Live elements a front bucket at the design load, in halves.
const DESIGN_LOAD_HALVES: u64 = 9;
/// Front buckets a back bucket at the design load.
const FRONT_TO_BACK: u64 = 4;
/// Scan interval that a chosen `generation_bits` gives at least: 16 cells every 8 elements are two cells a step.
const CHOSEN_SCAN_INTERVAL: u64 = 8;
/// Longest scan interval; beyond it nothing is gained.
const MAX_SCAN_INTERVAL: u64 = 64;

/// What `[filter.sliding]` says, checked and completed.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    pub window: u64,
    pub slack: u64,
    pub target_fpr: f64,
    pub generations: u32,
    pub generation_items: u64,
    pub generation_bits: u32,
    pub scan_interval: u32,
    pub front_buckets: u64,
    pub back_buckets: u64,
    pub bucket_cells: u32,
    pub store_cells: u32,
    pub fingerprint_bits: u32,
}

impl Sizes {
    pub fn live_items(&self) -> u64 {
        (u64::from(self.generations) + 1) * self.generation_items
    }

    pub fn cell_bits(&self) -> u32 {
        self.fingerprint_bits + self.generation_bits
    }

    /// Whether the scan takes no more clocks from a saturated stream than the sizes that are chosen let it.
    fn scan_is_fast(&self) -> bool {
        u64::from(self.scan_interval) >= CHOSEN_SCAN_INTERVAL
    }

    pub fn memory_bits(&self) -> u64 {
        (self.front_buckets + self.back_buckets)
            * u64::from(self.bucket_cells)
            * u64::from(self.cell_bits())
    }
}

/// Elements of a generation and how far back the oldest live element may lie behind the window.
fn generation(window: u64, generations: u64) -> (u64, u64) {
    let items = window.div_ceil(generations);
    (items, (generations + 1) * items - window)
}

impl Rules<'_> {
    pub fn sliding_kind(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        if spec.filter.kind != FilterKind::Sliding {
            return Err(self.unsupported(
                "filter.kind",
                quoted(spec.filter.kind),
                "this takes sliding-window filters only",
                "use \"sliding\"",
            ));
        }
        match spec.filter.items {
            None => Ok(()),
            Some(items) => Err(self.broken(
                "filter.items",
                items,
                "belongs to filters that forget only when cleared; filter.sliding.window says how much this one remembers",
                "leave it out",
            )),
        }
    }

    /// Words of the format that a sliding-window filter has no use for.
    pub fn sliding_supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        if filter.layout != Layout::Partitioned {
            return Err(self.unsupported(
                "filter.layout",
                quoted(filter.layout),
                "the sliding-window filter has one table",
                "use \"partitioned\"",
            ));
        }
        if let Some(range) = filter.range {
            let reason = "the sliding-window filter uses every position";
            return Err(self.unsupported("filter.range", range, reason, "leave it out"));
        }
        match spec.hash.family {
            HashFamily::SipHash | HashFamily::SipHash24 => Err(self.unsupported(
                "hash.family",
                quoted(spec.hash.family),
                "the sliding-window filter has no registers for a secret",
                "use \"h3-sbox\", which does not resist an attacker who knows the seed",
            )),
            HashFamily::H3 | HashFamily::H3Sbox => Ok(()),
        }
    }

    /// A sliding-window filter has no counters to update conservatively.
    pub fn sliding_has_no_counters(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        self.conservative(
            spec,
            Some((
                "belongs to counters; a sliding-window filter keeps fingerprints, and removes old ones",
                "leave it out, or use filter.kind = \"counting\" and clear it when an interval ends",
            )),
        )
    }

    /// Every size of the filter, given or chosen, with the memory that they take.
    pub fn sliding_sizes(&self, spec: &FilterSpec) -> Result<Sizes, SpecError> {
        let (filter, sizes) = (&spec.filter, self.sliding_tables(spec)?);
        if filter.memory_bits != sizes.memory_bits() {
            let rule = format!(
                "must be ({} + {}) buckets * {} cells * ({} fingerprint + {} generation) bits = {}",
                sizes.front_buckets,
                sizes.back_buckets,
                sizes.bucket_cells,
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
    pub fn sliding_tables(&self, spec: &FilterSpec) -> Result<Sizes, SpecError> {
        let filter = &spec.filter;
        let Some(section) = &filter.sliding else {
            let rule = "is required by filter.kind = \"sliding\"";
            let advice = "add it with window, slack and target_fpr";
            return Err(self.broken("filter.sliding", "(missing)", rule, advice));
        };
        if filter.hashes != 2 {
            let rule = "must be 2 in a sliding-window filter: one bucket of the front table, one of the back table";
            return Err(self.broken("filter.hashes", filter.hashes, rule, nearest(2)));
        }
        self.integer(
            "filter.sliding.window",
            section.window,
            MIN_GENERATION_ITEMS,
            MAX_WINDOW,
        )?;
        self.sliding_target(section)?;
        self.buckets_only(section)?;
        let tables = |generations| self.tables_with(section, generations);
        let (built, refused): (Vec<Sizes>, Vec<SpecError>) = self
            .generations(section)?
            .into_iter()
            .map(tables)
            .partition_result();
        let least = built
            .into_iter()
            .min_by_key(|sizes| (!sizes.scan_is_fast(), sizes.memory_bits()));
        // both lists begin with what costs least by the formula: it is taken of equals, and tells why nothing can be built
        match (least, refused.into_iter().next()) {
            (Some(least), _) => Ok(least),
            (None, Some(error)) => Err(error),
            (None, None) => tables(1),
        }
    }

    /// The sizes with so many generations a window.
    fn tables_with(&self, section: &SlidingSection, generations: u64) -> Result<Sizes, SpecError> {
        let (generation_items, _) = generation(section.window, generations);
        let live = (generations + 1) * generation_items;
        let bucket_cells = self.bucket_cells(section)?;
        let store_cells = self.store_cells(section)?;
        let front_buckets = self.front_buckets(section, live)?;
        let back_buckets = self.back_buckets(section, front_buckets)?;
        let mut sizes = Sizes {
            window: section.window,
            slack: section.slack,
            target_fpr: section.target_fpr,
            generations: generations as u32,
            generation_items,
            generation_bits: 0,
            scan_interval: 0,
            front_buckets,
            back_buckets,
            bucket_cells: bucket_cells as u32,
            store_cells: store_cells as u32,
            fingerprint_bits: 0,
        };
        sizes.fingerprint_bits = self.fingerprint_bits(section, &sizes)?;
        sizes.generation_bits = self.generation_bits(section, &sizes)?;
        sizes.scan_interval =
            scan_interval(&sizes, sizes.generation_bits).min(MAX_SCAN_INTERVAL) as u32;
        Ok(sizes)
    }

    /// Keys of the other way of storing a window.
    fn buckets_only(&self, section: &SlidingSection) -> Result<(), SpecError> {
        let others = [
            ("filter.sliding.rows", section.rows),
            ("filter.sliding.row_cells", section.row_cells),
            ("filter.sliding.stash_cells", section.stash_cells),
        ];
        self.no_other_table(&others, WindowTable::Cuckoo, WindowTable::Buckets)
    }

    /// eps of a sliding window.
    pub fn sliding_target(&self, section: &SlidingSection) -> Result<(), SpecError> {
        let target_fpr = section.target_fpr;
        if target_fpr > 0.0 && target_fpr <= 0.5 {
            return Ok(());
        }
        self.target_error(
            target_fpr,
            "must be above 0 and at most 0.5: it is a false-positive rate",
        )
    }

    fn target_error<T>(&self, target_fpr: f64, rule: impl Into<String>) -> Result<T, SpecError> {
        let advice = "take the rate you can live with, such as 0.001";
        Err(self.broken("filter.sliding.target_fpr", target_fpr, rule, advice))
    }

    /// c as given, or all that the slack allows: first those that cost least by SBF 2.3.
    fn generations(&self, section: &SlidingSection) -> Result<Vec<u64>, SpecError> {
        let (window, slack) = (section.window, section.slack);
        let most = (window / MIN_GENERATION_ITEMS).min(MAX_GENERATIONS);
        // rounding up can leave less than the least for a c below the quotient
        let legal = |&c: &u64| generation(window, c).0 >= MIN_GENERATION_ITEMS;
        let fits = |c: &u64| generation(window, *c).1 <= slack;
        let Some(given) = section.generations else {
            let bits = -section.target_fpr.log2();
            let cost = |c: u64| (1.0 + 1.0 / c as f64) * (bits + (c as f64).log2() + 1.0);
            let mut cheapest: Vec<u64> = (1..=most).filter(legal).filter(fits).collect();
            cheapest.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)));
            if cheapest.is_empty() {
                let least = (1..=most)
                    .filter(legal)
                    .map(|c| generation(window, c).1)
                    .min()
                    .unwrap_or(window);
                let rule = format!(
                    "allows no generation: a window of {window} elements has at most {most} generations (of {MIN_GENERATION_ITEMS} elements \
                     or more), and the slack must hold one of them"
                );
                return Err(self.broken("filter.sliding.slack", slack, rule, nearest(least)));
            }
            return Ok(cheapest);
        };
        const KEY: &str = "filter.sliding.generations";
        let nearest_legal = (1..=most)
            .filter(legal)
            .filter(fits)
            .min_by_key(|c| c.abs_diff(given));
        if nearest_legal == Some(given) {
            return Ok(vec![given]);
        }
        if !(1..=most).contains(&given) || !legal(&given) {
            let rule = format!(
                "must be from 1 to {most}, generations of {MIN_GENERATION_ITEMS} elements or more"
            );
            let advice = match nearest_legal {
                Some(legal) => nearest(legal),
                None => "take a greater slack".to_owned(),
            };
            return Err(self.broken(KEY, given, rule, advice));
        }
        let (items, used) = generation(window, given);
        let rule = format!(
            "gives generations of {items} elements, so that elements up to {used} before the window are still seen; filter.sliding.slack \
             = {slack} allows {slack}"
        );
        let advice = match nearest_legal {
            Some(legal) => nearest(legal),
            None => format!("take a slack of at least {used}"),
        };
        Err(self.broken(KEY, given, rule, advice))
    }

    fn bucket_cells(&self, section: &SlidingSection) -> Result<u64, SpecError> {
        const KEY: &str = "filter.sliding.bucket_cells";
        let cells = section.bucket_cells.unwrap_or(BUCKET_CELLS);
        if !matches!(cells, 2 | 4 | 8) {
            let least = if section.accept_overflow {
                2
            } else {
                BUCKET_CELLS
            };
            let legal = nearest_power_of_two(cells).clamp(least, 8);
            return Err(self.broken(KEY, cells, "must be 2, 4 or 8", nearest(legal)));
        }
        if cells < BUCKET_CELLS && !section.accept_overflow {
            return self.overflows(
                KEY,
                cells,
                format!("buckets of {BUCKET_CELLS} cells"),
                BUCKET_CELLS,
            );
        }
        Ok(cells)
    }

    fn store_cells(&self, section: &SlidingSection) -> Result<u64, SpecError> {
        const KEY: &str = "filter.sliding.store_cells";
        let cells = section.store_cells.unwrap_or(STORE_CELLS);
        let cells = u64::from(self.integer(KEY, cells, 1, MAX_STORE_CELLS)?);
        if cells < STORE_CELLS && !section.accept_overflow {
            return self.overflows(
                KEY,
                cells,
                format!("a store of {STORE_CELLS} cells"),
                STORE_CELLS,
            );
        }
        Ok(cells)
    }

    fn overflows<T>(
        &self,
        key: &'static str,
        value: u64,
        needs: String,
        legal: u64,
    ) -> Result<T, SpecError> {
        let rule = format!(
            "may lose more than one insertion in 10^12, which takes {needs} unless filter.sliding.accept_overflow is true"
        );
        Err(self.broken(key, value, rule, nearest(legal)))
    }

    fn front_buckets(&self, section: &SlidingSection, live: u64) -> Result<u64, SpecError> {
        const KEY: &str = "filter.sliding.front_buckets";
        let least = (2 * live)
            .div_ceil(DESIGN_LOAD_HALVES)
            .next_power_of_two()
            .max(MIN_FRONT_BUCKETS);
        let Some(given) = section.front_buckets else {
            return Ok(least);
        };
        self.buckets(KEY, given, MIN_FRONT_BUCKETS, MAX_FRONT_BUCKETS)?;
        if given < least && !section.accept_overflow {
            let needs = format!(
                "at most {} live elements a bucket (there are up to {live})",
                DESIGN_LOAD_HALVES as f64 / 2.0
            );
            return self.overflows(KEY, given, needs, least);
        }
        Ok(given)
    }

    fn back_buckets(&self, section: &SlidingSection, front: u64) -> Result<u64, SpecError> {
        const KEY: &str = "filter.sliding.back_buckets";
        let least = (front / FRONT_TO_BACK).max(MIN_BACK_BUCKETS);
        let Some(given) = section.back_buckets else {
            return Ok(least);
        };
        self.buckets(KEY, given, MIN_BACK_BUCKETS, front)?;
        if given < least && !section.accept_overflow {
            let needs = format!("at least a quarter of the {front} front buckets");
            return self.overflows(KEY, given, needs, least);
        }
        Ok(given)
    }

    fn buckets(
        &self,
        key: &'static str,
        value: u64,
        least: u64,
        most: u64,
    ) -> Result<(), SpecError> {
        if value.is_power_of_two() && (least..=most).contains(&value) {
            return Ok(());
        }
        let rule = format!("must be a power of two from {least} to {most}");
        let legal = nearest_power_of_two(value).clamp(least, most);
        Err(self.broken(key, value, rule, nearest(legal)))
    }

    fn fingerprint_bits(&self, section: &SlidingSection, sizes: &Sizes) -> Result<u32, SpecError> {
        const KEY: &str = "filter.sliding.fingerprint_bits";
        let front_bits = u64::from(sizes.front_buckets.trailing_zeros());
        let most = MAX_POSITION_BITS - front_bits;
        let compared = compared_cells(sizes);
        let rate = |bits: u64| compared / (bits as f64).exp2();
        let least = (MIN_FINGERPRINT_BITS..=most).find(|&bits| rate(bits) <= sizes.target_fpr);
        let Some(least) = least else {
            let rule = format!(
                "is below {:.3e}, what fingerprints of {most} bits give at {compared:.2} cells compared: position and fingerprint have \
                 {MAX_POSITION_BITS} bits, {front_bits} of them for the {} front buckets",
                rate(most),
                sizes.front_buckets
            );
            return self.target_error(sizes.target_fpr, rule);
        };
        let Some(given) = section.fingerprint_bits else {
            return Ok(least as u32);
        };
        let bits = self.integer(KEY, given, MIN_FINGERPRINT_BITS, most)?;
        if given >= least {
            return Ok(bits);
        }
        let rule = format!(
            "gives a false-positive rate of up to {:.3e} at {compared:.2} cells compared; filter.sliding.target_fpr = {} is below it",
            rate(given),
            sizes.target_fpr
        );
        Err(self.broken(KEY, given, rule, nearest(least)))
    }

    fn generation_bits(&self, section: &SlidingSection, sizes: &Sizes) -> Result<u32, SpecError> {
        const KEY: &str = "filter.sliding.generation_bits";
        let interval_of = |bits: u64| scan_interval(sizes, bits as u32);
        let least_for = |interval: u64| {
            (MIN_GENERATION_BITS..=MAX_GENERATION_BITS).find(|&bits| interval_of(bits) >= interval)
        };
        let Some(least) = least_for(1) else {
            let rule = format!(
                "is {} with {} front buckets to scan: not even {MAX_GENERATION_BITS} bits of a generation tell the live from the stale until the \
                 scan comes round",
                sizes.generations, sizes.front_buckets
            );
            let advice = "take fewer generations or fewer front buckets";
            return Err(self.broken(
                "filter.sliding.generations",
                sizes.generations,
                rule,
                advice,
            ));
        };
        let Some(given) = section.generation_bits else {
            let chosen = least_for(CHOSEN_SCAN_INTERVAL).unwrap_or(MAX_GENERATION_BITS);
            return Ok(chosen as u32);
        };
        let bits = self.integer(KEY, given, MIN_GENERATION_BITS, MAX_GENERATION_BITS)?;
        if given >= least {
            return Ok(bits);
        }
        let rule = format!(
            "is too narrow: {} live generations and those that pass while {} buckets are scanned, one an element, must differ",
            sizes.generations + 1,
            sizes.front_buckets
        );
        Err(self.broken(KEY, given, rule, nearest(least)))
    }
}

/// Elements between two scan slots at most, so that no stale cell comes to look young: 0 if none will do.
fn scan_interval(sizes: &Sizes, generation_bits: u32) -> u64 {
    let spare = (1u64 << generation_bits).saturating_sub(u64::from(sizes.generations) + 2);
    spare * sizes.generation_items / sizes.front_buckets
}

/// Cells that a key is compared with on average when the most elements are live, at most: those of its front bucket and of its back bucket.
///
/// A share of the elements lies in the back table, by Erlang's formula averaged over a generation; generations that end at once add up to 0.4/c of it.
/// `bloomline_theory::sliding::Dictionary` derives the figures, and a test of `host/toolkit` holds this to them.
fn compared_cells(sizes: &Sizes) -> f64 {
    const STEPS: u32 = 8;
    let (live, items) = (sizes.live_items() as f64, sizes.generation_items as f64);
    let (front_buckets, back_buckets) = (sizes.front_buckets as f64, sizes.back_buckets as f64);
    let to_back = |share: f64| {
        let stored = live - items * (1.0 - share);
        erlang_loss(sizes.bucket_cells, stored / front_buckets)
    };
    // Simpson's rule
    let weight = |step: u32| match step {
        0 | STEPS => 1.0,
        step => f64::from(2 + 2 * (step % 2)),
    };
    let weighted =
        (0..=STEPS).map(|step| weight(step) * to_back(f64::from(step) / f64::from(STEPS)));
    let mean = weighted.sum::<f64>() / f64::from(3 * STEPS);
    let cells = f64::from(sizes.bucket_cells);
    let in_back = (live * mean * (1.0 + 0.4 / f64::from(sizes.generations)))
        .min(live)
        .min(back_buckets * cells);
    // a cell of the store is compared with the keys of one front bucket
    let in_front = (live - in_back).min(front_buckets * cells + f64::from(sizes.store_cells));
    in_front / front_buckets + in_back / back_buckets
}

/// Erlang's formula: share of the arrivals that find all cells of a bucket taken.
fn erlang_loss(cells: u32, load: f64) -> f64 {
    (1..=cells).fold(1.0, |loss, cell| {
        load * loss / (f64::from(cell) + load * loss)
    })
}
