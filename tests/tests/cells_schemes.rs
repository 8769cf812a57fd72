//! The schemes of KM, Figure 1, on the functional model of the gateware with its own hash families: each meets its own law, and
//! the laws of two hash functions are told apart from that of k.

use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, CellOperation, FilterSpec, Key, Validated};
use bloomline_theory::static_filter::{Probes, StaticFilter};
use bloomline_theory::two_hash::{
    Extension, PartitionedDoubleHashing, PrimePartition, SingleArray,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

const KEY_BITS: u32 = 104;
const HASHES: u32 = 5;
const FILTERS: u64 = 400;
const QUERIES: usize = 1_500;
/// 99% for the family of 28 intervals, two-sided.
const BOUND: f64 = 3.57;

/// A way to draw positions: layout, hashing, distinct, positions of a bank, cells of a bank.
#[derive(Debug, Clone, Copy)]
struct Scheme {
    layout: &'static str,
    hashing: &'static str,
    distinct: bool,
    range: u64,
    cells: u64,
}

impl Scheme {
    fn banks(&self) -> u64 {
        if self.layout == "shared" {
            1
        } else {
            u64::from(HASHES)
        }
    }

    /// Eight positions an item.
    fn items(&self) -> u64 {
        self.range * self.banks() / 8
    }

    fn geometry(&self, family: &str, seed: u64) -> CellGeometry {
        let text = format!(
            "name = \"scheme\"\n[filter]\nkind = \"static\"\nmemory_bits = {}\nhashes = {HASHES}\nlayout = \"{}\"\nhashing = \"{}\"\n\
             distinct = {}\nrange = {}\nitems = {}\naccept_two_hash_floor = true\n[key]\nbits = {KEY_BITS}\n\
             [hash]\nfamily = \"{family}\"\nseed = {seed}\n",
            self.cells * self.banks(),
            self.layout,
            self.hashing,
            self.distinct,
            self.range,
            self.items(),
        );
        let spec = FilterSpec::from_toml(&text, Path::new("scheme.toml"));
        match spec.and_then(|spec| spec.resolve()) {
            Ok(Validated::Cells(geometry)) => geometry,
            other => panic!("{self:?}: {other:?}"),
        }
    }

    /// Rate of false positives of each of many filters, each with hash constants of its own.
    fn rates(&self, family: &str) -> Vec<f64> {
        let one = |seed| {
            let mut filter = CellFilter::new(&self.geometry(family, seed));
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut next = || {
                let value = random.random::<u128>() >> (128 - KEY_BITS);
                Key::from_integer(value, KEY_BITS).expect("cut to its width")
            };
            for _ in 0..self.items() {
                filter.apply(&next(), CellOperation::Insert, 1);
            }
            let seen = (0..QUERIES)
                .filter(|_| filter.apply(&next(), CellOperation::Query, 1).verdict.seen)
                .count();
            seen as f64 / QUERIES as f64
        };
        (0..FILTERS).map(one).collect()
    }
}

/// Mean and its standard error.
fn mean(samples: &[f64]) -> (f64, f64) {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Double hashing with ideal random numbers in the place of hash values, on one array whatever its size: there is no law to
/// compare with where the size is no prime.
fn ideal_double_hashing(scheme: &Scheme) -> Vec<f64> {
    let one = |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x6964_6561_6c00);
        let mut positions = || {
            let (h1, h2) = (
                random.random_range(0..scheme.range),
                random.random_range(0..scheme.range),
            );
            (0..u64::from(HASHES)).map(move |i| ((h1 + i * h2) % scheme.range) as usize)
        };
        let mut bits = vec![false; scheme.range as usize];
        for _ in 0..scheme.items() {
            positions().for_each(|position| bits[position] = true);
        }
        let seen = (0..QUERIES)
            .filter(|_| positions().all(|position| bits[position]))
            .count();
        seen as f64 / QUERIES as f64
    };
    (0..FILTERS).map(one).collect()
}

/// What a scheme is held to: a value, and its error where it was simulated.
fn expected(scheme: &Scheme) -> (f64, f64) {
    let (range, items) = (scheme.range, scheme.items());
    let exact = |value: f64| (value, 0.0);
    let in_domain = "in the law's domain";
    let single = |extension| {
        let law = SingleArray::new(range, items, HASHES, extension).expect(in_domain);
        exact(law.rate().value)
    };
    let standard = |probes| {
        let law = StaticFilter::new(range, items, HASHES.into(), probes).expect(in_domain);
        exact(law.rate().expect(in_domain).value)
    };
    match (scheme.layout, scheme.hashing) {
        ("partitioned", _) if range.is_power_of_two() => {
            let law = PartitionedDoubleHashing::new(range, HASHES).expect(in_domain);
            exact(law.rate(items as f64))
        }
        ("partitioned", _) => {
            let law = PrimePartition::new(range, HASHES, items).expect(in_domain);
            exact(law.rate().expect(in_domain).value)
        }
        (_, "independent") if scheme.distinct => standard(Probes::Distinct),
        (_, "independent") => standard(Probes::Independent),
        (_, "double") if range.is_power_of_two() => mean(&ideal_double_hashing(scheme)),
        (_, "double") => single(Extension::None),
        (_, "extended-double-2") => single(Extension::Square),
        _ => single(Extension::Cube),
    }
}

/// Every scheme at two sizes: the smallest memories, where two hash functions show most, and larger ones.
fn schemes() -> Vec<Scheme> {
    let mut schemes = Vec::new();
    for (cells, prime, prime_of_partition) in [(256, 251, 131), (2048, 2039, 409)] {
        let bank = cells.min(512);
        for (layout, hashing, distinct, range, cells) in [
            ("shared", "independent", false, prime, cells),
            ("shared", "independent", true, prime, cells),
            ("partitioned", "double", false, prime_of_partition, bank),
            ("partitioned", "double", false, bank, bank),
            ("shared", "double", false, prime, cells),
            ("shared", "double", false, cells, cells),
            ("shared", "extended-double-3", false, prime, cells),
        ] {
            schemes.push(Scheme {
                layout,
                hashing,
                distinct,
                range,
                cells,
            });
        }
    }
    schemes
}

#[test]
fn every_scheme_of_the_figure_meets_its_own_law_with_the_hash_families_of_the_gateware() {
    for scheme in schemes() {
        let (predicted, error_of_prediction) = expected(&scheme);
        for family in ["siphash", "h3-sbox"] {
            let (rate, error) = mean(&scheme.rates(family));
            let z = (rate - predicted) / error.hypot(error_of_prediction);
            println!("{scheme:?} {family}: {rate:.5}, predicted {predicted:.5}, z {z:.2}");
            assert!(
                z.abs() < BOUND,
                "{scheme:?} {family}, seeds 0 to {}: {rate:.5}, predicted {predicted:.5}, z {z:.2}",
                FILTERS - 1
            );
            // In the smallest memories two hash functions are told apart from k by far.
            if scheme.hashing == "double" && scheme.cells == 256 {
                let all = scheme.range * scheme.banks();
                let law =
                    StaticFilter::new(all, scheme.items(), HASHES.into(), Probes::Independent)
                        .and_then(|law| law.rate())
                        .expect("in the law's domain");
                assert!(
                    rate - law.value > BOUND * error,
                    "{scheme:?} {family}: {rate:.5} is that of k functions, {:.5}",
                    law.value
                );
            }
        }
    }
}
