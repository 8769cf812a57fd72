//! Any file is a capture or an error; every frame is counted once.
#![no_main]

use bloomline_stimulus::Capture;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("is written");
    let Ok(mut capture) = Capture::open(file.path()) else {
        return;
    };
    let (mut records, mut errors) = (0, 0);
    for record in capture.by_ref() {
        match record {
            Ok(_) => records += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors <= 1, "nothing comes after an error");
    let counts = capture.counts();
    assert_eq!(counts.records, records);
    assert_eq!(
        counts.frames,
        records + counts.skipped.values().sum::<u64>()
    );
});
