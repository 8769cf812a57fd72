use crate::device::Device;
use crate::error::{DriverError, TransportError};
use crate::guarded::Guarded;
use crate::open::open;
use crate::open_error::{of_the_rate, OpenError};
use crate::transport::Transport;
use crate::url::Url;
use bloomline_spec::Design;

/// Any link, which refuses what the register map says the device would refuse.
pub type Link = Guarded<Box<dyn Transport + Send>>;

/// Why there is no device at a URL.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The link cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What is at its other end is not this device, or does not answer.
    #[error("{url}: {source}{}", of_silence(url, source))]
    Device {
        /// The URL.
        url: String,
        /// Why not.
        source: DriverError,
    },
}

/// What else to check where no answer comes in time.
fn of_silence(url: &str, source: &DriverError) -> String {
    match source {
        DriverError::Transport {
            source: TransportError::Timeout { .. },
            ..
        } => of_the_rate(url),
        _ => String::new(),
    }
}

/// Opens what `url` names ([`Url`]) and takes it only if it is a filter of this design; waits as long as the link needs. Where the
/// URL of a serial line has no `baud`, it is that of the design.
///
/// # Errors
/// [`ConnectError`].
pub fn connect(url: &str, design: &Design) -> Result<Device<Link>, ConnectError> {
    let url = Url::for_design(url, design);
    let limits = Url::parse(&url)?.limits();
    let device = Device::identify(open(&url, limits.access)?, design, limits);
    let device = device.map_err(|source| ConnectError::Device {
        url: url.to_string(),
        source,
    })?;
    Ok(device.guarded())
}
