//! Any text is the address of a device or an error.
#![no_main]

use bloomline_driver::Url;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Url::parse(text);
});
