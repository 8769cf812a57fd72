//! Any text is a specification or an error; what is one says the same when it is written out and read again.
#![no_main]

use bloomline_spec::{FilterSpec, SpecError};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.toml");
    let Ok(spec) = FilterSpec::from_toml(text, file) else {
        return;
    };
    let written = toml::to_string(&spec).expect("what was read can be written");
    let again = FilterSpec::from_toml(&written, file).expect("what was written can be read");
    // NaN is unequal to itself; its text is not
    assert_eq!(written, toml::to_string(&again).expect("as before"));
    let half_of_the_bits = |sizing: &bloomline_spec::Sizing, _| Ok(sizing.half_bits() / 2);
    let _ = spec.design_with::<SpecError>(half_of_the_bits);
});
