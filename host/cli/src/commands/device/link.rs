//! Connection to the device at a URL, identified by its specification.

use crate::device_link::{limits_of, open_device};
use anyhow::bail;
pub use bloomline_driver::Link;
use bloomline_driver::{ConnectError, Design, Device, Url};
use bloomline_toolkit::Filter;
use std::path::{Path, PathBuf};

/// In the place of a URL: no device, files only.
pub const NO_DEVICE: &str = "-";

/// The complete design of a specification file, or of the manifest of an emission (a name that ends in `.json`).
///
/// # Errors
/// Those of the specification.
pub fn design(spec: &Path) -> anyhow::Result<Design> {
    Ok(
        match spec.extension().is_some_and(|ending| ending == "json") {
            true => Design::load(spec)?,
            false => Filter::read(spec)?.design().clone(),
        },
    )
}

/// The specification of the device at `url`: the one that was given, or that of a simulated card.
pub fn specification(url: &str, given: Option<PathBuf>) -> Option<PathBuf> {
    given.or_else(|| url.strip_prefix("sim:").map(PathBuf::from))
}

/// The device at `url`, which must be the one of the specification.
///
/// # Errors
/// Those of the specification and of opening the link; that the device is another.
pub fn identified(url: &str, spec: &Path) -> anyhow::Result<Device<Link>> {
    if url == NO_DEVICE {
        bail!(
            "`-` in the place of the URL is no device; only union, estimate and similarity work on files alone"
        );
    }
    let design = design(spec)?;
    let url = Url::for_design(url, &design);
    let limits = limits_of(&url);
    let device = Device::identify(open_device(&url, limits.access)?, design, limits);
    let device = device.map_err(|source| ConnectError::Device {
        url: url.to_string(),
        source,
    })?;
    Ok(device.guarded())
}
