//! Any file is a snapshot or an error; what is one is written as it was read. The check sum is put right first, or nothing
//! behind it would ever be looked at.
#![no_main]

use bloomline_driver::Snapshot;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("fuzz.snapshot");
    let _ = Snapshot::from_bytes(bytes, path);
    let contents = &bytes[..bytes.len().saturating_sub(4)];
    let sound = [contents, &crc32fast::hash(contents).to_le_bytes()].concat();
    let Ok(snapshot) = Snapshot::from_bytes(&sound, path) else {
        return;
    };
    let again = Snapshot::from_bytes(&snapshot.to_bytes(), path).expect("what was written");
    assert_eq!(again.to_bytes(), snapshot.to_bytes());
    assert!((0.0..=1.0).contains(&snapshot.fill()));
    let halves: u64 = snapshot.bits_of_halves().iter().sum();
    let both: u64 = snapshot.bits_of_both(|a, b| a & b).iter().sum();
    assert!(2 * both <= halves);
    snapshot.union(&again).expect("is of the same filter");
    snapshot
        .intersection(&again)
        .expect("is of the same filter");
});
