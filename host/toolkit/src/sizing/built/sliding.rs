//! The sliding-window filter as the gateware has it.

use super::{specification, Built, Form};
use crate::forecast::items_per_clock;
use crate::sizing::{Sheet, SizeError, Sliding};
use bloomline_spec::{FilterKind, FilterSpec, Hashing, SlidingSection, SpecError, WindowTable};
use std::ops::RangeInclusive;

/// Most generations that a search tries.
const MOST_GENERATIONS: u64 = 64;
/// Bits of a generation number that a search tries.
const GENERATION_BITS: RangeInclusive<u64> = 3..=8;

/// Memory that the tables of a sliding-window filter take, in bits, whatever the specification says of it.
///
/// # Errors
/// For sizes that no tables have.
pub(crate) fn window_memory_bits(spec: &FilterSpec) -> Result<u64, SpecError> {
    match spec.window_table() {
        WindowTable::Buckets => spec.sliding_memory_bits(),
        WindowTable::Cuckoo => spec.cuckoo_memory_bits(),
    }
}

impl Sliding {
    /// The tables that the gateware takes for window, slack and rate.
    ///
    /// # Errors
    /// [`SizeError`], for wants that no tables meet.
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        SizeError::unless_share("rate", Some(self.rate))?;
        // what can be built is looked at first: the paper has more generations than the gateware
        let spec = self.specification(form)?;
        let paper = self.clone().sheet()?;
        let (slack, slack_source) = self.slack();
        let wants = Sheet::new("Sliding-window filter: the last elements, always")
            .whole("window", self.window, "elements", "given")
            .whole("slack", slack, "elements", slack_source)
            .given("target_fpr", self.rate);
        let shown = [
            "fpr",
            "fpr_peak",
            "items_per_clock",
            "generations",
            "slack_used",
            "bits_per_element",
            "lower_bound_bits_per_element",
            "stashed",
        ];
        let least = self.least_of_any_scan(&spec);
        let mut built = Built::new(spec, wants, false, &shown, Some(&paper))?;
        if let Some((bits, sizes)) = least {
            built.sheet = built
                .sheet
                .whole("slow_scan_memory_bits", bits, "bits", &sizes);
        }
        let (other, key, source) = match self.table {
            WindowTable::Buckets => (
                WindowTable::Cuckoo,
                "cuckoo_memory_bits",
                "the same on cuckoo tables: --table cuckoo",
            ),
            WindowTable::Cuckoo => (
                WindowTable::Buckets,
                "buckets_memory_bits",
                "the same on tables of buckets: --table buckets",
            ),
        };
        if let Ok(bits) = self.memory_bits_on(other) {
            built.sheet = built.sheet.whole(key, bits, "bits", source);
        }
        Ok(built)
    }

    /// Memory of the tables of the same window, slack and rate, stored in one way or the other, in bits.
    ///
    /// # Errors
    /// [`SizeError`], for wants that no tables meet.
    pub fn memory_bits_on(&self, table: WindowTable) -> Result<u64, SizeError> {
        let same = Sliding {
            table,
            ..self.clone()
        };
        Ok(same.specification(&Form::default())?.filter.memory_bits)
    }

    /// The specification with every size left open that is not given.
    pub(crate) fn specification(&self, form: &Form) -> Result<FilterSpec, SizeError> {
        let hashes = match self.table {
            WindowTable::Buckets => 2,
            WindowTable::Cuckoo => 1,
        };
        let mut spec = specification(form, FilterKind::Sliding, 0, hashes)?;
        if self.table == WindowTable::Cuckoo {
            spec.filter.hashing = Hashing::Independent;
        }
        spec.filter.sliding = Some(SlidingSection {
            window: self.window,
            slack: self.slack().0,
            target_fpr: self.rate,
            generations: self.generations,
            table: self.table,
            rows: None,
            row_cells: None,
            stash_cells: None,
            front_buckets: None,
            back_buckets: None,
            bucket_cells: None,
            store_cells: None,
            fingerprint_bits: None,
            generation_bits: None,
            accept_overflow: false,
        });
        spec.filter.memory_bits = window_memory_bits(&spec)?;
        Ok(spec)
    }

    /// The least memory at any throughput, in bits, and the sizes that take it: the specification's own, or tables whose generation numbers are so
    /// narrow that the scan takes more clocks of the stream.
    fn least_of_any_scan(&self, spec: &FilterSpec) -> Option<(u64, String)> {
        let given = |generations: u64, generation_bits: u64| {
            let mut spec = spec.clone();
            let section = spec.filter.sliding.as_mut()?;
            section.generations = Some(generations);
            section.generation_bits = Some(generation_bits);
            spec.filter.memory_bits = window_memory_bits(&spec).ok()?;
            Some((spec.filter.memory_bits, generations, generation_bits, spec))
        };
        let numbers = match self.generations {
            Some(generations) => generations..=generations,
            None => 1..=MOST_GENERATIONS,
        };
        let (bits, generations, generation_bits, least) = numbers
            .flat_map(|generations| GENERATION_BITS.map(move |bits| (generations, bits)))
            .filter_map(|(generations, bits)| given(generations, bits))
            .min_by_key(|(bits, ..)| *bits)?;
        let speed = match least.sliding() {
            Ok(geometry) => format!(", {:.2} items a clock", items_per_clock(&geometry)),
            Err(_) => ", a scan with less room".to_owned(),
        };
        let sizes =
            format!("with generations = {generations}, generation_bits = {generation_bits}{speed}");
        (bits < spec.filter.memory_bits).then_some((bits, sizes))
    }
}
