//! The rate of a specification's own hash functions on a given set of keys.

use super::{Page, Table};
use crate::forecast::{short, stated, whole};
use crate::{Error, Filter};
use bloomline_model::ProbeHasher;
use bloomline_spec::{
    CellKind, Common, Design, FilterSpec, HashFamily, HashUnit, Hashing, Key, Layout, RecycleOn,
    ThresholdSetting,
};
use bloomline_theory::key_set::{rank, KeySet, Recycles};
use bloomline_theory::{Figure, TheoryError};
use bloomline_verify::text::percent;
use bloomline_verify::Keys;
use serde::Serialize;
use std::collections::BTreeSet;

/// Most free bits of a set whose keys are listed one by one.
const MOST_LISTED_BITS: u32 = 20;

/// A set of keys.
#[derive(Debug, Clone, PartialEq)]
pub enum ChosenKeys {
    /// The different keys of a source.
    Of(Keys),
    /// All keys that differ in the bits that are set here alone; the others are 0.
    Varying(Key),
}

/// Rates of a filter on a set of keys in random order, with this seed and with others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OnKeys {
    /// What the keys are.
    source: String,
    /// Different keys.
    keys: f64,
    /// Dimension of the smallest set of keys that contains them and is closed under XOR of three.
    span_bits: u32,
    /// Positions of a partition, or of the array.
    range: u64,
    /// Positions that the keys reach, function by function; one number for an array.
    reached: Vec<f64>,
    /// Different combinations of positions.
    distinct: f64,
    /// The seed of the specification.
    seed: u64,
    /// Keys in a static filter; mean of new keys a cycle of a recycling one.
    held: Figure,
    /// Whether the keys suffice to trip a recycle; `None` for static filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    recycles: Option<bool>,
    /// Average rate for another key of the set.
    fpr_on_keys: Figure,
    /// The rate just before a recycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    fpr_on_keys_worst_case: Option<Figure>,
    /// The plan's rate, of random functions; `None` where theory has none.
    fpr_of_random_functions: Option<f64>,
    /// The average rate with other seeds, from the lowest.
    other_seeds: Vec<Seed>,
}

/// The rate with a seed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Seed {
    seed: u64,
    fpr: f64,
}

/// What the filter does with the keys.
struct Rates {
    held: Figure,
    recycles: Option<bool>,
    average: Figure,
    worst: Option<Figure>,
}

impl Filter {
    /// The rate of the specification's own hash functions on a set of keys, and with `seeds` other seeds (1, 2, ..).
    ///
    /// # Errors
    /// [`Error::NoRateOnKeys`] for kinds that have no such law; the errors of the keys' source and of theory.
    pub fn on_keys(&self, chosen: &ChosenKeys, seeds: u64) -> Result<OnKeys, Error> {
        let design = self.design();
        if !matches!(design, Design::Recycling(_) | Design::Cells(_)) || is_counting(design) {
            return Err(Error::NoRateOnKeys {
                file: self.file().to_owned(),
                kind: design.kind().to_string(),
            });
        }
        let theory = |source: TheoryError| Error::Theory {
            file: self.file().to_owned(),
            source,
        };
        let listed = match chosen {
            ChosenKeys::Of(keys) => Some(different(keys.load(design, u64::MAX, 1)?.keys)),
            ChosenKeys::Varying(mask) if !is_linear(design) => {
                let free = free_bits(mask).len() as u32;
                if free > MOST_LISTED_BITS {
                    return Err(Error::TooManyKeys {
                        file: self.file().to_owned(),
                        free,
                        most: MOST_LISTED_BITS,
                    });
                }
                Some(varying(mask))
            }
            ChosenKeys::Varying(_) => None,
        };
        let set = |design: &Design| match (&listed, chosen) {
            (None, ChosenKeys::Varying(mask)) => linear_set(design, mask),
            (keys, _) => listed_set(design, keys.as_deref().unwrap_or_default()),
        };
        let own = set(design).map_err(theory)?;
        let rates = rates_on(design, &own).map_err(theory)?;
        let mut other_seeds = Vec::new();
        if seeds > 0 {
            let mut spec = FilterSpec::from_toml(self.text(), self.file())?;
            for seed in (1..)
                .filter(|seed| *seed != design.seed())
                .take(seeds as usize)
            {
                spec.hash.seed = seed;
                let other = with_threshold(&spec, design)?;
                let rates = rates_on(&other, &set(&other).map_err(theory)?).map_err(theory)?;
                other_seeds.push(Seed {
                    seed,
                    fpr: rates.average.value,
                });
            }
            other_seeds.sort_by(|a, b| a.fpr.total_cmp(&b.fpr));
        }
        let span_bits = match (&listed, chosen) {
            (Some(keys), ChosenKeys::Of(_)) => span(keys),
            (_, ChosenKeys::Varying(mask)) => free_bits(mask).len() as u32,
            (None, ChosenKeys::Of(_)) => 0,
        };
        let random = ["fpr_average", "fpr"].iter().find_map(|key| {
            let line = self.lines().iter().find(|line| line.key == *key)?;
            Some(line.value)
        });
        Ok(OnKeys {
            source: match chosen {
                ChosenKeys::Of(keys) => keys.name(),
                ChosenKeys::Varying(mask) => format!("keys that differ in the bits {mask} alone"),
            },
            keys: own.keys(),
            span_bits,
            range: design.range(),
            reached: own.reached().to_vec(),
            distinct: own.distinct(),
            seed: design.seed(),
            held: rates.held,
            recycles: rates.recycles,
            fpr_on_keys: rates.average,
            fpr_on_keys_worst_case: rates.worst,
            fpr_of_random_functions: random,
            other_seeds,
        })
    }
}

fn is_counting(design: &Design) -> bool {
    let counts = |kind| kind != CellKind::Static;
    design
        .cells()
        .is_some_and(|cells| counts(cells.cell_kind()))
}

/// Whether positions are linear in the key, each function's in a partition of its own.
fn is_linear(common: &Common) -> bool {
    let probing = common.probing();
    common.family() == HashFamily::H3
        && !probing.scales()
        && common.layout() == Layout::Partitioned
        && (probing.hashing == Hashing::Independent || probing.hashes == 1)
}

fn with_threshold(spec: &FilterSpec, own: &Design) -> Result<Design, Error> {
    let threshold = own.threshold().unwrap_or_default();
    debug_assert!(!matches!(
        own.recycling().map(|it| it.threshold_setting()),
        Some(ThresholdSetting::Fixed(fixed)) if fixed != threshold
    ));
    spec.design_with(|_, _| Ok::<u64, Error>(threshold))
}

fn linear_set(common: &Common, mask: &Key) -> Result<KeySet, TheoryError> {
    let free = free_bits(mask);
    let index = (1_u64 << common.index_bits()) - 1;
    let functions = common.hash().units.iter().filter_map(|unit| match unit {
        HashUnit::H3(h3) => Some(free.iter().map(|bit| h3.rows[*bit as usize] & index)),
        _ => None,
    });
    let functions: Vec<Vec<u64>> = functions
        .take(common.hashes() as usize)
        .map(Iterator::collect)
        .collect();
    KeySet::linear(free.len() as u32, &functions)
}

fn listed_set(common: &Common, keys: &[Key]) -> Result<KeySet, TheoryError> {
    let positions = ProbeHasher::new(common).positions(keys);
    let shared = common.layout() == Layout::Shared;
    KeySet::listed(&positions, common.hashes(), shared)
}

fn rates_on(design: &Design, set: &KeySet) -> Result<Rates, TheoryError> {
    match design {
        Design::Recycling(geometry) => {
            let threshold = geometry.threshold();
            let recycles = match geometry.recycle_on() {
                RecycleOn::BitsSet => Recycles::AboveBits(threshold),
                RecycleOn::Messages => Recycles::AfterMessages(threshold),
            };
            let cycle = set.recycling(recycles, geometry.phases(), geometry.retain())?;
            Ok(Rates {
                held: cycle.arrivals,
                recycles: Some(cycle.recycles),
                average: cycle.fpr_average,
                worst: Some(cycle.fpr_worst_case),
            })
        }
        _ => {
            let items = design.cells().map_or(0, |cells| cells.items());
            // a key must be left to ask for
            let held = (set.keys() - 1.0).min(items as f64);
            let formula = match held < items as f64 {
                true => "all keys but the one that is asked for",
                false => "filter.items",
            };
            Ok(Rates {
                held: Figure::new(held, formula, bloomline_theory::Accuracy::exact(0.0)),
                recycles: None,
                average: set.static_rate(held as u64)?,
                worst: None,
            })
        }
    }
}

fn different(keys: Vec<Key>) -> Vec<Key> {
    keys.into_iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Places of the set bits.
fn free_bits(mask: &Key) -> Vec<u32> {
    (0..mask.bits()).filter(|bit| mask.bit(*bit)).collect()
}

fn varying(mask: &Key) -> Vec<Key> {
    let mut words = vec![0_u64; mask.words().len()];
    let mut keys = Vec::new();
    loop {
        keys.extend(Key::from_words(&words, mask.bits()));
        // one more, counted in the free bits: the carry passes over the others
        let mut carry = true;
        for (word, free) in words.iter_mut().zip(mask.words()) {
            let (next, over) = (*word | !free).overflowing_add(carry.into());
            *word = next & free;
            carry = over;
        }
        if carry {
            return keys;
        }
    }
}

/// Rank of the differences of keys.
fn span(keys: &[Key]) -> u32 {
    let Some(first) = keys.first() else {
        return 0;
    };
    rank(keys.iter().skip(1).map(|key| {
        let words = key.words().iter().zip(first.words());
        words.map(|(a, b)| a ^ b).collect::<Vec<u64>>()
    }))
}

impl OnKeys {
    /// Texts and tables.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.text(format!(
            "\nRate of hash.seed = {} on {}: {} keys in random order, which span 2^{}\n\n",
            self.seed,
            self.source,
            large(self.keys),
            self.span_bits
        ));
        let mut table = Table::of_numbers(["", "value", "accuracy"]);
        let reached = self.reached.iter().copied();
        let fewest = reached.clone().fold(f64::INFINITY, f64::min);
        table.add_row([
            format!("positions reached, of {}", whole(self.range as f64)),
            match reached.fold(0.0, f64::max) {
                most if most == fewest => whole(most),
                most => format!("{} to {}", whole(fewest), whole(most)),
            },
            "exact".to_owned(),
        ]);
        table.add_row([
            "different combinations of positions".to_owned(),
            large(self.distinct),
            "exact".to_owned(),
        ]);
        table.add_row([
            match self.recycles {
                None => "keys in the filter",
                Some(true) => "new keys a cycle",
                Some(false) => "new keys, too few to trip a recycle",
            }
            .to_owned(),
            large(self.held.value.round()),
            stated(self.held.accuracy),
        ]);
        let mut rate = |name: &str, figure: &Figure| {
            table.add_row([
                name.to_owned(),
                percent(figure.value),
                stated(figure.accuracy),
            ]);
        };
        rate("rate for another of the keys", &self.fpr_on_keys);
        if let Some(worst) = &self.fpr_on_keys_worst_case {
            rate("the same just before a recycle", worst);
        }
        if let Some(random) = self.fpr_of_random_functions {
            table.add_row([
                "rate of random functions (the plan's)".to_owned(),
                percent(random),
                String::new(),
            ]);
        }
        page.table(table);
        page.text("\n");
        if let Some(times) = self.times_random() {
            let times = short(times);
            page.text(format!(
                "\nThis seed errs {times} times as often on these keys as random functions would.\n"
            ));
        }
        if let [best, .., worst] = &self.other_seeds[..] {
            let median = self.other_seeds[self.other_seeds.len() / 2];
            page.text(format!(
                "\n{} other seeds: {} with hash.seed = {}, the best; {} in the middle; {} with {}, the worst\n",
                self.other_seeds.len(),
                percent(best.fpr),
                best.seed,
                percent(median.fpr),
                percent(worst.fpr),
                worst.seed,
            ));
        }
        page.text(format!(
            "\nFormula on these keys: {}\n",
            self.fpr_on_keys.formula
        ));
        page
    }

    /// The rate as a multiple of the plan's, where both hold as many keys.
    fn times_random(&self) -> Option<f64> {
        let random = self.fpr_of_random_functions?;
        let comparable = self.recycles != Some(false)
            && self.held.formula != "all keys but the one that is asked for";
        comparable.then_some(self.fpr_on_keys.value / random)
    }
}

fn large(number: f64) -> String {
    match number {
        number if number < 9e15 => whole(number),
        number => format!("2^{:.0}", number.log2()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::Operation;
    use std::path::Path;

    fn filter(text: &str) -> Filter {
        Filter::from_text(Path::new("keys.toml"), text.to_owned()).expect("legal")
    }

    fn static_h3(seed: u64) -> Filter {
        filter(&format!(
            "name = \"keys\"\n[filter]\nkind = \"static\"\nmemory_bits = 4096\nhashes = 4\nhashing = \"independent\"\nitems = 300\n\
             [key]\nbits = 96\n[hash]\nfamily = \"h3\"\nseed = {seed}\n"
        ))
    }

    #[test]
    fn ranks_say_what_listing_every_key_says() {
        for (seed, mask) in [
            (1, 0xfff_u128),
            (7, 0xf0f0 << 70 | 0xf),
            (9, 0x111_1111_1111),
        ] {
            let filter = static_h3(seed);
            let mask = Key::from_integer(mask, 96).expect("fits");
            let by_ranks = filter
                .on_keys(&ChosenKeys::Varying(mask), 0)
                .expect("has a law");
            let set = listed_set(filter.design(), &varying(&mask)).expect("few keys");
            let listed = rates_on(filter.design(), &set).expect("few keys");
            let (a, b) = (by_ranks.fpr_on_keys.value, listed.average.value);
            assert!((a - b).abs() < 1e-12 && a > 1e-5, "{seed}: {a} {b}");
            assert_eq!(
                (&by_ranks.reached[..], by_ranks.distinct),
                (set.reached(), set.distinct())
            );
            assert_eq!(span(&varying(&mask)), by_ranks.span_bits);
        }
    }

    #[test]
    fn the_model_of_a_recycling_filter_errs_as_said() {
        let filter = filter(
            "name = \"keys\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 2048\nhashes = 2\nhashing = \"independent\"\n\
             [filter.recycle]\non = \"bits-set\"\nphases = 2\nthreshold = 300\nretain = true\n[key]\nbits = 32\n[hash]\nfamily = \"h3\"\nseed = 3\n",
        );
        let mask = Key::from_integer(0x0fff_0000, 32).expect("fits");
        let said = filter
            .on_keys(&ChosenKeys::Varying(mask), 3)
            .expect("has a law");
        assert_eq!(said.other_seeds.len(), 3);
        let geometry = filter.design().recycling().expect("recycling");
        let mut keys = varying(&mask);
        let (mut asked, mut seen) = (0_u32, 0_u32);
        let mut order = bloomline_stimulus::RandomNew::new(64, 5).expect("a width");
        for _ in 0..40 {
            keys.sort_by_cached_key(|_| order.next());
            let mut model = bloomline_model::RecyclingFilter::new(geometry);
            for key in &keys {
                let verdict = model.apply(key, Operation::TestAndInsert);
                // both halves are in use from the first recycle on
                if model.recycles() > 0 {
                    asked += 1;
                    seen += u32::from(verdict.seen());
                }
            }
        }
        let rate = f64::from(seen) / f64::from(asked);
        let ratio = rate / said.fpr_on_keys.value - 1.0;
        // some 10,000 false positives: 1 % standard deviation
        assert!(seen > 5_000, "{seen}");
        assert!(
            ratio.abs() < 0.04 + said.fpr_on_keys.accuracy.relative_error,
            "{rate} {said:?}"
        );
    }
}
