//! Specifications of any kind at sizes that are built, drawn from a seed: for figures of area.

use bloomline_spec::{FilterSpec, SpecError};
use bloomline_toolkit::Filter;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// What is drawn in turn.
const SORTS: [&str; 12] = [
    "recycling",
    "spare-half",
    "recycling, one array",
    "static",
    "in-place",
    "static, one array",
    "counting",
    "counting, one array",
    "count-min",
    "count-min, one array",
    "sliding",
    "cuckoo",
];

/// What of the draws of memory makes counters single.
const SINGLE_COUNTERS: u32 = 3;

/// The specification of `seed` as TOML, and its sort; sorts come in turn.
pub fn drawn_spec(seed: u64) -> (&'static str, String) {
    let sort = SORTS[seed as usize % SORTS.len()];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    loop {
        if let Some(text) = legal(draw(&mut rng, sort)) {
            return (sort, text);
        }
    }
}

/// The text, with the memory that a sliding window's sizes take, if it is a legal specification.
fn legal(text: String) -> Option<String> {
    let file = Path::new("drawn.toml");
    let with = |bits: &str| text.replace("memory_bits = 0", &format!("memory_bits = {bits}"));
    let spec = FilterSpec::from_toml(&with("1"), file).ok()?;
    let text = match spec.design() {
        _ if text.contains("cuckoo") => with(&spec.cuckoo_memory_bits().ok()?.to_string()),
        Err(SpecError::Rule {
            advice,
            key: "filter.memory_bits",
            ..
        }) => with(advice.trim_start_matches("nearest legal value ")),
        _ => text,
    };
    Filter::from_text(file, text.clone()).ok()?;
    Some(text)
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, choices: &[T]) -> T {
    *choices.choose(rng).expect("there are choices")
}

fn draw(rng: &mut ChaCha8Rng, sort: &str) -> String {
    let cuckoo = sort == "cuckoo";
    let sliding = sort == "sliding" || cuckoo;

    let shared = sort.ends_with("one array");
    let hashes: u64 = match (sliding, cuckoo) {
        (_, true) => 1,
        (true, _) => 2,
        _ => pick(rng, &[1, 2, 3, 4, 4, 4, 5, 6, 8]),
    };
    let banks = if shared { 1 } else { hashes };
    let hashing = match (cuckoo, shared) {
        (true, _) => "independent",
        (_, true) => pick(
            rng,
            &[
                "double",
                "independent",
                "extended-double-2",
                "extended-double-3",
            ],
        ),
        _ => pick(rng, &["double", "double", "independent"]),
    };
    let bank_bits: u64 = 1 << rng.random_range(10..=13);
    let mut filter =
        format!("hashes = {hashes}\nhashing = \"{hashing}\"\naccept_two_hash_floor = true\n");
    let mut memory = String::new();
    let mut features = String::new();
    let mut protection = String::new();
    let mut section = String::new();
    let memory_bits;
    let mut panes = 1;
    let kind = match sort {
        "sliding" | "cuckoo" => {
            let window: u64 = rng.random_range(256..=8_192);
            let table = if cuckoo { "table = \"cuckoo\"\n" } else { "" };
            section = format!(
                "{table}window = {window}\nslack = {}\ntarget_fpr = {}\n",
                rng.random_range(window / 8..=window),
                pick(rng, &[0.05, 0.01, 1e-3, 1e-4])
            );
            memory_bits = 0;
            "sliding"
        }
        "counting" | "counting, one array" => {
            let bits: u64 = pick(rng, &[2, 3, 4, 4, 8, 16]);
            section = format!(
                "counter_bits = {bits}\nthreshold = {}\n",
                rng.random_range(1..1u64 << bits)
            );
            let lanes = 1 << (32 / bits).ilog2();
            if !shared && rng.random_bool(0.25) {
                section += &format!("window = {}\n", rng.random_range(1_000..100_000));
                panes = 2;
            } else {
                filter += "items = 100\n";
            }
            memory_bits = panes * banks * (bank_bits / 32) * lanes * bits;
            "counting"
        }
        "count-min" | "count-min, one array" => {
            let bits: u64 = pick(rng, &[8, 16, 24, 32, 32]);
            section = format!(
                "counter_bits = {bits}\namount_bits = {}\nthreshold = {}\n",
                rng.random_range(1..=bits),
                rng.random_range(1..1u64 << bits)
            );
            filter += "items = 100\n";
            let lanes = 1 << (32 / bits).ilog2();
            memory_bits = banks * (bank_bits / 32) * lanes * bits;
            "count-min"
        }
        "static" | "in-place" | "static, one array" => {
            memory_bits = banks * bank_bits;
            filter += "items = 100\n";
            "static"
        }
        _ => {
            let phases: u64 = rng.random_range(1..=2);
            memory_bits = phases * banks * bank_bits;
            let on = pick(rng, &["bits-set", "messages"]);
            section = format!(
                "phases = {phases}\non = \"{on}\"\nthreshold = {}\nretain = {}\nmax_age_ms = {}\n",
                rng.random_range(hashes + 1..banks * bank_bits / 2),
                rng.random::<bool>(),
                pick(rng, &[0, 0, 100])
            );
            "recycling"
        }
    };
    let layout = if shared { "shared" } else { "partitioned" };
    let mut single_bits = false;
    match sort {
        "spare-half" => {
            memory = format!(
                "erase = \"spare-half\"\nrow_bits = {}\n",
                pick(rng, &[1, 1, 2, 4, 8, 16])
            );
            single_bits = true;
        }
        "in-place" => {
            memory = format!(
                "erase = \"in-place\"\nrow_bits = {}\n",
                pick(rng, &[1, 1, 2, 4, 8, 16])
            );
            single_bits = true;
        }
        "cuckoo" => {}
        _ => match rng.random_range(0..6) {
            0 => memory = "parity = \"count\"\n".to_owned(),
            1 => memory = "parity = \"empty\"\n".to_owned(),
            2 => memory = "ecc = true\n".to_owned(),
            SINGLE_COUNTERS if kind.starts_with("count") && !shared && panes == 1 => {
                memory = "erase = \"in-place\"\n".to_owned();
            }
            _ => {}
        },
    }
    if sort == "recycling" && rng.random_bool(0.25) {
        protection = "[protection]\nself_check = true\n".to_owned();
    }
    if !sliding
        && rng.random_bool(0.2)
        && sort != "recycling"
        && sort != "spare-half"
        && hashing != "double"
    {
        filter += &format!(
            "range = {}\n",
            rng.random_range(bank_bits / 2 + 1..=bank_bits)
        );
    }
    if shared && hashing == "independent" && rng.random_bool(0.3) {
        filter += "distinct = true\n";
    }
    if shared && kind.starts_with("count") && rng.random_bool(0.4) {
        filter += "conservative = true\n";
    }
    features += match rng.random_range(0..4) {
        0 => "counters = 32\n",
        1 => "counters = \"none\"\n",
        _ => "",
    };
    if single_bits && rng.random_bool(0.4) {
        features += "array_access = false\n";
    }
    if kind == "recycling" && rng.random_bool(0.3) {
        features += "max_age = false\n";
    }
    let family = match sliding {
        true => pick(rng, &["h3-sbox", "h3"]),
        false if hashing == "double" => pick(
            rng,
            &[
                "h3-sbox",
                "h3-sbox",
                "h3-sbox",
                "h3",
                "h3",
                "siphash",
                "siphash-2-4",
            ],
        ),
        false => pick(rng, &["h3-sbox", "h3"]),
    };
    let section = match section.is_empty() {
        true => section,
        false if kind == "recycling" => format!("[filter.recycle]\n{section}"),
        false => format!("[filter.{kind}]\n{section}"),
    };
    format!(
        "name = \"drawn\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {memory_bits}\nlayout = \"{layout}\"\n{filter}{section}[key]\nbits = {}\ntag_bits = {}\n\
         [hash]\nfamily = \"{family}\"\nseed = {}\n[memory]\n{memory}{protection}[features]\n{features}",
        pick(rng, &[16, 32, 48, 64, 104, 104, 128, 256]),
        pick(rng, &[1, 8, 16, 16, 32, 63]),
        rng.random_range(1..1_000_000),
    )
}
