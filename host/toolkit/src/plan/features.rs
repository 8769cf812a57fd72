//! Plan section about what is built beside the filter itself.

use bloomline_spec::Common;
use serde_json::{json, Value};

/// LUT4 sites and registers of an ECP5 that a part takes in `lean`, the example with a spare half: measured, hdl/docs/results.md.
struct Cost {
    part: &'static str,
    key: &'static str,
    lut4: u32,
}
