//! Any text is a manifest or an error, by itself or as the specification in one; one that is refused for its hash alone is a manifest with the hash that the error names.
#![no_main]

use bloomline_driver::{Design, DesignError};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.json");
    let _ = Design::from_manifest(text, file);
    let manifest = |hash: u64| {
        let fields = serde_json::json!({
            "specification": text,
            "geometry": { "threshold": text.len() },
            "geometry_hash": format!("0x{hash:x}"),
        });
        Design::from_manifest(&fields.to_string(), file)
    };
    if let Err(DesignError::Hash { made, .. }) = manifest(0) {
        let design = manifest(made).expect("the hash was all that was wrong");
        assert_eq!(design.geometry_hash(), made);
    }
});
