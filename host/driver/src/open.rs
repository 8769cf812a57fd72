//! From a URL to a transport.

use crate::bridge_link::{BridgeLink, Carrier, Checking};
use crate::error::TransportError;
use crate::etherbone::{EtherboneCarrier, UdpLine};
use crate::pcie::PcieBar;
use crate::serial::SerialLine;
use crate::transport::{Transport, Within};
use crate::uart::UartCarrier;
use crate::url::{Check, Url};
use std::io;
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};

/// Why a transport cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The text has no scheme, or one that is not known.
    #[error("`{url}`: expected one of the schemes {schemes}, got {got}; write for example `uart:/dev/ttyUSB0?baud=115200`", got = if scheme.is_empty() { "none".to_owned() } else { format!("`{scheme}:`") })]
    Scheme {
        /// The whole text.
        url: String,
        /// What stands before the colon.
        scheme: String,
        /// The schemes there are.
        schemes: &'static str,
    },
    /// What stands behind the scheme is not what the scheme needs.
    #[error("`{url}`: expected {expected}, got `{got}`; write for example `{example}`")]
    Place {
        /// The whole text.
        url: String,
        /// What the scheme needs.
        expected: &'static str,
        /// What stands there.
        got: String,
        /// A text that is right.
        example: &'static str,
    },
    /// A parameter that the scheme does not have.
    #[error("`{url}`: no parameter `{name}`; this scheme has {known}")]
    UnknownParameter {
        /// The whole text.
        url: String,
        /// The parameter.
        name: String,
        /// Those there are.
        known: &'static str,
    },
    /// A parameter's value that it cannot have.
    #[error("`{url}`: {name} must be {expected}, got `{got}`; correct the parameter")]
    Parameter {
        /// The whole text.
        url: String,
        /// The parameter.
        name: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        got: String,
    },
    /// The file of the device is not there.
    #[error("{path}: there is no such device; check that it is plugged in and powered (serial ports: `ls /dev/serial/by-id`, PCIe cards: `lspci -D`)")]
    NoDevice {
        /// The file.
        path: PathBuf,
    },
    /// The file of the device may not be opened by this user.
    #[error("{path}: no permission; serial ports: join the group that owns the file (`ls -l {path}`, often dialout: `sudo usermod -aG dialout $USER`, then log in again); PCIe cards: run as root or give the file to your user with a udev rule")]
    Permission {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it.
    #[error("{path}: another process uses the device; end that process (`fuser {path}` names it)")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The BAR ends before the registers do.
    #[error("{path}: the BAR has {size} bytes, the registers at offset 0x{offset:X} need {needed} and an offset that is a multiple of 4; check the number of the BAR and the offset")]
    BarSize {
        /// The file.
        path: PathBuf,
        /// Where the registers should start, in bytes.
        offset: u64,
        /// Bytes that the BAR must have.
        needed: u64,
        /// Bytes that it has.
        size: u64,
    },
    /// The name of the host cannot be resolved, or its address not be reached.
    #[error("{host}: the address cannot be used: {source}; check the name, the network and the route (`ping` reaches it?)")]
    Host {
        /// Host and port.
        host: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refuses for another reason.
    #[error("{path}: cannot be opened: {source}; check that the path is the device's")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The bridge answers, and never at its mailbox.
    #[error("`{url}`: {source}")]
    NoMailbox {
        /// The whole text.
        url: String,
        /// [`TransportError::NoMailbox`], which says what to do.
        source: TransportError,
    },
    /// The line is open, and nothing answers.
    #[error("`{url}`: nothing answers: {source}")]
    NoAnswer {
        /// The whole text.
        url: String,
        /// The access that failed.
        source: TransportError,
    },
}

impl OpenError {
    pub(crate) fn from_io(path: &Path, source: io::Error) -> OpenError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => OpenError::NoDevice { path },
            io::ErrorKind::PermissionDenied => OpenError::Permission { path },
            io::ErrorKind::ResourceBusy => OpenError::Busy { path },
            _ => OpenError::Io { path, source },
        }
    }
}

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
        Url::Etherbone { host, base, check } => {
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
