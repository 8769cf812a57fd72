//! Opening of the transport that a URL names.

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
use bloomline_spec::files;
use std::io;
use std::net::ToSocketAddrs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Opens the transport that `url` names; see [`Url`] for how one is written. `within` is the time that a bridge has to say
/// what it can do, where the URL leaves that open; resolving a host's name takes what the operating system takes.
/// A serial port that another process holds is tried for 200 ms. The first access over a serial line waits until that was silent for 120 ms.
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
            let line = open_serial(path, *baud)?;
            let mut carrier = UartCarrier::new(line, *baud);
            // Whoever had the line before may have left in the middle of a write, whose data our first bytes would become.
            carrier.unsettle();
            let opening = Opening {
                base: *base,
                check: *check,
                host_port: None,
            };
            bridged(url, carrier, opening, within)
        }
        Url::Etherbone {
            host,
            base,
            check,
            key,
            ..
        } => {
            let secret = key.as_deref().map(read_key).transpose()?;
            let failed = |source| OpenError::Host {
                host: host.clone(),
                source,
            };
            let peer = host.to_socket_addrs().map_err(failed)?.next();
            let peer = peer.ok_or_else(|| {
                failed(io::Error::new(io::ErrorKind::NotFound, "it has no address"))
            })?;
            let line = UdpLine::connect(peer).map_err(failed)?;
            let opening = Opening {
                base: *base,
                check: *check,
                host_port: Some(secret),
            };
            bridged(url, EtherboneCarrier::new(line), opening, within)
        }
        Url::Pcie { path, offset } => Ok(Box::new(PcieBar::open(path, *offset)?)),
    }
}

/// How a bridge is opened.
struct Opening {
    base: u32,
    check: Check,
    /// Where it may be a host port, which may ask for tags: the secret for them, if there is one.
    host_port: Option<Option<u128>>,
}

fn bridged<C: Carrier + 'static>(
    url: &str,
    carrier: C,
    opening: Opening,
    within: Within,
) -> Result<Box<dyn Transport + Send>, OpenError> {
    let Opening {
        base,
        check,
        host_port,
    } = opening;
    let no_answer = |source| match source {
        TransportError::NoMailbox => OpenError::NoMailbox {
            url: url.to_owned(),
            source,
        },
        TransportError::Tag { .. } => OpenError::Tag {
            url: url.to_owned(),
            source,
        },
        source => OpenError::NoAnswer {
            url: url.to_owned(),
            source,
        },
    };
    let checking = match check {
        Check::Auto => {
            let mut link = BridgeLink::probe(carrier, base, within).map_err(no_answer)?;
            if let Some(secret) = host_port {
                link.authorise(secret, within).map_err(no_answer)?;
            }
            return Ok(Box::new(link));
        }
        Check::Mailbox => Checking::Mailbox,
        Check::Agree => Checking::Agree,
        Check::None => Checking::None,
    };
    let mut link = BridgeLink::new(carrier, base, checking);
    if let Some(secret @ Some(_)) = host_port {
        link.authorise(secret, within).map_err(no_answer)?;
    }
    Ok(Box::new(link))
}

/// How long a serial port may still be another's before that is told, and how often it is tried: one that has just ended, or a process that it
/// started, may hold it for a moment.
const STILL_HELD: Duration = Duration::from_millis(200);
const TRY_EVERY: Duration = Duration::from_millis(5);

fn open_serial(path: &str, baud: u32) -> Result<SerialLine, OpenError> {
    let start = Instant::now();
    loop {
        let opened = SerialLine::open(path, baud);
        match opened.map_err(|error| OpenError::from_serial(path, error)) {
            Err(OpenError::Busy { .. }) if start.elapsed() < STILL_HELD => {
                std::thread::sleep(TRY_EVERY);
            }
            other => return other,
        }
    }
}

/// Bytes that are read of a key's file: what is longer is no key, and may have no end.
const MOST_KEY_BYTES: u64 = 4096;

/// The secret in a file: 32 hexadecimal digits.
///
/// # Errors
/// [`OpenError::Key`].
pub fn read_key(file: &Path) -> Result<u128, OpenError> {
    let wrong = |why| OpenError::Key {
        file: file.to_owned(),
        why,
    };
    let text = files::text(file, MOST_KEY_BYTES).map_err(|error| wrong(error.to_string()))?;
    let digits = text.trim();
    let hexadecimal = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match u128::from_str_radix(digits, 16) {
        Ok(0) => Err(wrong("it is 0, which stands for no secret".to_owned())),
        Ok(secret) if hexadecimal => Ok(secret),
        _ => Err(wrong(format!(
            "it has {} characters that are not a key",
            digits.chars().count()
        ))),
    }
}

/// Lists serial ports.
const SERIAL_PORTS: &str = "ls /dev/serial/by-id";
/// What the operating system calls ENOTTY; the library gives its text alone.
const NOT_A_TERMINAL: &str = "Not a typewriter";

impl OpenError {
    fn from_serial(path: &str, error: serialport::Error) -> OpenError {
        let path = Path::new(path);
        match error.kind {
            _ if error.description == NOT_A_TERMINAL => OpenError::NotSerial {
                path: path.to_owned(),
                list: SERIAL_PORTS,
            },
            // The port is locked; a missing file comes as an I/O error.
            serialport::ErrorKind::NoDevice if path.exists() => OpenError::Busy {
                path: path.to_owned(),
            },
            serialport::ErrorKind::NoDevice => OpenError::NoDevice {
                path: path.to_owned(),
                list: SERIAL_PORTS,
            },
            serialport::ErrorKind::Io(kind) => {
                let source = io::Error::new(kind, error.description);
                OpenError::from_io(path, source, SERIAL_PORTS)
            }
            _ => OpenError::from_io(path, io::Error::other(error.description), SERIAL_PORTS),
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
        let denied = OpenError::from_io(Path::new("/sys/x"), denied, "lspci -D").to_string();
        assert!(denied.starts_with("/sys/x: no permission;"), "{denied}");
        assert!(
            denied.contains("usermod -aG dialout") && denied.contains("udev"),
            "{denied}"
        );
    }
}
