//! Speed of the models on this machine: `cargo run --release -p bloomline-model --example speed`.

use bloomline_model::{Inputs, PipelineModel, ProbeHasher, RecyclingFilter};
use bloomline_spec::{FilterSpec, Key, Operation, RecyclingGeometry, SpecError, EXAMPLES};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const KEYS: usize = 1 << 20;

fn main() -> Result<(), SpecError> {
    let (file, text) = EXAMPLES[0];
    let geometry = FilterSpec::from_toml(text, Path::new(file))?
        .validate()?
        .with_threshold(32_768)?;
    println!(
        "{}: k = {}, {} bits",
        geometry.name(),
        geometry.hashes(),
        geometry.memory_bits()
    );
    let keys: Vec<Key> = (0..KEYS as u128)
        .map(|index| {
            let spread = index.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
            Key::from_integer(spread >> (128 - geometry.key_bits()), geometry.key_bits())
                .expect("shifted down to the width of a key")
        })
        .collect();
    hash(&geometry, &keys);
    functional(&geometry, &keys);
    pipeline(&geometry, &keys);
    Ok(())
}

fn report(what: &str, unit: &str, count: usize, started: Instant) {
    println!(
        "{what:<20} {:6.2} million {unit}/s",
        count as f64 / started.elapsed().as_secs_f64() / 1e6
    );
}

fn hash(geometry: &RecyclingGeometry, keys: &[Key]) {
    let hasher = ProbeHasher::new(geometry);
    let started = Instant::now();
    for _ in 0..4 {
        for key in keys {
            black_box(hasher.probes(key));
        }
    }
    report("hash", "keys", 4 * keys.len(), started);
}

fn functional(geometry: &RecyclingGeometry, keys: &[Key]) {
    let mut filter = RecyclingFilter::new(geometry);
    let started = Instant::now();
    for _ in 0..4 {
        for key in keys {
            black_box(filter.apply(key, Operation::TestAndInsert));
        }
    }
    report("functional model", "items", 4 * keys.len(), started);
}

fn pipeline(geometry: &RecyclingGeometry, keys: &[Key]) {
    let mut model = PipelineModel::new(geometry);
    let mut inputs = Inputs {
        s_item_tvalid: true,
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let started = Instant::now();
    for _ in 0..2 {
        for key in keys {
            inputs.set_key(key);
            black_box(model.outputs());
            model.clock(&inputs);
        }
    }
    report("pipeline model", "clocks", 2 * keys.len(), started);
}
