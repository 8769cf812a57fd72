//! From a URL to a transport.

use crate::bridge_link::{BridgeLink, Carrier};
use crate::checking::Checking;
use crate::error::TransportError;
use crate::etherbone::{EtherboneCarrier, UdpLine};
use crate::open_error::OpenError;
use crate::pcie::PcieBar;
use crate::serial::SerialLine;
use crate::transport::{Transport, Within};
use crate::uart::UartCarrier;
use crate::url::{Check, Url};
use std::io;
use std::net::ToSocketAddrs;
use std::path::Path;

/// Opens the transport that `url` names; see [`Url`] for how one is written. `within` is the time that a bridge has to say
/// what it can do, where the URL leaves that open; resolving a host's name takes what the operating system takes.
/// The first access over a serial line waits until that was silent for 120 ms.
///
/// ```no_run
/// use bloomline_driver::{open, Transport};
/// use std::time::Duration;
///
/// let second = Duration::from_secs(1);
/// let mut link = open("uart:/dev/ttyUSB0?baud=1000000", second)?;
/// println!("{:08X}", link.read(0, second)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`], which says what to do.
pub fn open(url: &str, within: Within) -> Result<Box<dyn Transport + Send>, OpenError> {
    let parsed = Url::parse(url)?;
    match &parsed {
        Url::Uart {
            path,
            baud,
            base,
            check,
        } => {
            let line = SerialLine::open(path, *baud)
                .map_err(|error| OpenError::from_serial(path, error))?;
            let mut carrier = UartCarrier::new(line, *baud);
            // Whoever had the line before may have left in the middle of a write, whose data our first bytes would become.
            carrier.unsettle();
            bridged(url, carrier, *base, *check, within)
        }
        Url::Etherbone {
            host, base, check, ..
        } => {
            let failed = |source| OpenError::Host {
                host: host.clone(),
                source,
            };
            let peer = host.to_socket_addrs().map_err(failed)?.next();
            let peer = peer.ok_or_else(|| {
                failed(io::Error::new(io::ErrorKind::NotFound, "it has no address"))
            })?;
            let line = UdpLine::connect(peer).map_err(failed)?;
            bridged(url, EtherboneCarrier::new(line), *base, *check, within)
        }
        Url::Pcie { path, offset } => Ok(Box::new(PcieBar::open(path, *offset)?)),
    }
}

fn bridged<C: Carrier + 'static>(
    url: &str,
    carrier: C,
    base: u32,
    check: Check,
    within: Within,
) -> Result<Box<dyn Transport + Send>, OpenError> {
    let checking = match check {
        Check::Auto => {
            let url = url.to_owned();
            return match BridgeLink::probe(carrier, base, within) {
                Ok(link) => Ok(Box::new(link)),
                Err(source @ TransportError::NoMailbox) => {
                    Err(OpenError::NoMailbox { url, source })
                }
                Err(source) => Err(OpenError::NoAnswer { url, source }),
            };
        }
        Check::Mailbox => Checking::Mailbox,
        Check::Agree => Checking::Agree,
        Check::None => Checking::None,
    };
    Ok(Box::new(BridgeLink::new(carrier, base, checking)))
}

impl OpenError {
    fn from_serial(path: &str, error: serialport::Error) -> OpenError {
        let path = Path::new(path);
        match error.kind {
            // The port is locked; a missing file comes as an I/O error.
            serialport::ErrorKind::NoDevice if path.exists() => OpenError::Busy {
                path: path.to_owned(),
            },
            serialport::ErrorKind::NoDevice => OpenError::NoDevice {
                path: path.to_owned(),
            },
            serialport::ErrorKind::Io(kind) => {
                OpenError::from_io(path, io::Error::new(kind, error.description))
            }
            _ => OpenError::from_io(path, io::Error::other(error.description)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_operating_system_says_becomes_what_to_do() {
        let serial = |kind| serialport::Error::new(serialport::ErrorKind::Io(kind), "refused");
        let denied = OpenError::from_serial("/dev/x", serial(io::ErrorKind::PermissionDenied));
        assert!(matches!(denied, OpenError::Permission { .. }), "{denied:?}");
        let missing = OpenError::from_serial("/dev/x", serial(io::ErrorKind::NotFound));
        assert!(matches!(missing, OpenError::NoDevice { .. }), "{missing:?}");
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let denied = OpenError::from_io(Path::new("/sys/x"), denied).to_string();
        assert!(denied.starts_with("/sys/x: no permission;"), "{denied}");
        assert!(
            denied.contains("usermod -aG dialout") && denied.contains("udev"),
            "{denied}"
        );
    }
}
