//! From a device's URL to its registers, for every verb that takes one.

use bloomline_driver::{open, Transport, Within};

/// Opens the device that `url` names. `within` is the time that a bridge has to say what it can do, where the URL leaves
/// that open.
///
/// # Errors
/// Those of [`open`].
pub fn open_device(url: &str, within: Within) -> anyhow::Result<Box<dyn Transport + Send>> {
    Ok(open(url, within)?)
}
