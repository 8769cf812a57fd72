use crate::device::Limits;
use crate::open_error::OpenError;
use bloomline_spec::host_port::HOST_UDP_PORT;
use bloomline_spec::Design;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

const SCHEMES: &str = "uart:, etherbone:, pcie:";
const BONE_PARAMETERS: &str = "base, check, key and timeout_ms";
const UART_PARAMETERS: &str = "baud, base and check";
const PCIE_PARAMETERS: &str = "offset";
/// Of a serial line when neither the URL nor a specification names one.
pub(crate) const USUAL_BAUD: u32 = 115_200;

/// How accesses over a bridge are checked, as far as a URL says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// By the bridge's mailbox, which is looked for when the device is opened: a bridge without one is an error.
    Auto,
    /// By the bridge's mailbox; nothing is asked when the device is opened.
    Mailbox,
    /// By reads that agree.
    Agree,
    /// Not at all.
    None,
}

/// Where a device is.
///
/// | form | parameters |
/// |---|---|
/// | `uart:/dev/ttyUSB0` | `baud`, by default that of the specification ([`Url::for_design`]), 115200 without one; `base=0`, where the device's registers start on the bridge's bus; `check=auto`, `mailbox`, `agree` or `none` |
/// | `etherbone:HOST` or `etherbone:HOST:PORT`, by default port 1234; an IPv6 address in brackets | `base`, `check`; `timeout_ms=1000`, for an access, within which lost messages are sent again; `key=FILE`, the secret of a host port that asks for tags |
/// | `pcie:0000:03:00.0/2`, device and BAR, or `pcie:` and the path of a resource file | `offset=0`, where the registers start in the BAR (OpenNIC: BAR 2, 0x100000) |
///
/// Numbers are decimal or, with `0x`, hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Url {
    /// A serial line.
    Uart {
        /// Its device file.
        path: String,
        /// Bits a second.
        baud: u32,
        /// Byte address of the device on the bridge's bus.
        base: u32,
        /// How accesses are checked.
        check: Check,
    },
    /// UDP.
    Etherbone {
        /// Host and port, with a colon between.
        host: String,
        /// Byte address of the device on the bridge's bus.
        base: u32,
        /// How accesses are checked.
        check: Check,
        /// Time for an access; that of [`Limits::default`] unless given.
        timeout: Option<Duration>,
        /// File of the secret under which requests get a tag.
        key: Option<PathBuf>,
    },
    /// A BAR.
    Pcie {
        /// Its resource file.
        path: PathBuf,
        /// Byte offset of the registers in it.
        offset: u64,
    },
}

/// Bits of some ten messages and answers on a serial line: what a try and its repeats take.
const BITS_OF_AN_ACCESS: u32 = 2560;

impl Url {
    /// How long to wait for the device: [`Limits::default`], and what a slow serial line takes.
    pub fn limits(&self) -> Limits {
        let mut usual = Limits::default();
        if let Url::Etherbone {
            timeout: Some(given),
            ..
        } = self
        {
            usual = Limits {
                access: *given,
                command: (*given).max(usual.command),
            };
        }
        let line = match self {
            Url::Uart { baud, .. } => Duration::from_secs(1) * BITS_OF_AN_ACCESS / (*baud).max(1),
            _ => Duration::ZERO,
        };
        Limits {
            access: usual.access + line,
            command: usual.command + line,
        }
    }

    /// `url` with what it leaves open and the design knows: the baud rate of the card's UART (`card.uart_baud`).
    pub fn for_design<'a>(url: &'a str, design: &Design) -> Cow<'a, str> {
        let uart = design.common().card().and_then(|card| card.uart);
        let (Some(uart), true) = (uart, url.starts_with("uart:") && !names_baud(url)) else {
            return Cow::Borrowed(url);
        };
        let joint = if url.contains('?') { '&' } else { '?' };
        Cow::Owned(format!("{url}{joint}baud={}", uart.baud))
    }

    /// Takes `url` apart; opens nothing.
    ///
    /// # Errors
    /// [`OpenError::Scheme`], [`OpenError::Place`], [`OpenError::UnknownParameter`] or [`OpenError::Parameter`].
    pub fn parse(url: &str) -> Result<Url, OpenError> {
        let Some((scheme, rest)) = url.split_once(':') else {
            return Err(unknown_scheme(url, ""));
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let text = Text { url, place, query };
        match scheme {
            "uart" => text.uart(),
            "etherbone" => text.etherbone(),
            "pcie" => text.pcie(),
            _ => Err(unknown_scheme(url, scheme)),
        }
    }
}

/// Whether a URL says at what rate its serial line runs.
pub(crate) fn names_baud(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query
        .split('&')
        .any(|parameter| parameter.split('=').next() == Some("baud"))
}

fn unknown_scheme(url: &str, scheme: &str) -> OpenError {
    OpenError::Scheme {
        url: url.to_owned(),
        scheme: scheme.to_owned(),
        schemes: SCHEMES,
    }
}

/// A URL in pieces.
struct Text<'a> {
    url: &'a str,
    place: &'a str,
    query: &'a str,
}

impl Text<'_> {
    fn uart(&self) -> Result<Url, OpenError> {
        if self.place.is_empty() {
            return Err(self.misplaced("a serial device", "uart:/dev/ttyUSB0"));
        }
        let (mut baud, mut base, mut check) = (USUAL_BAUD, 0, Check::Auto);
        self.parameters(UART_PARAMETERS, |name, value| {
            match name {
                "baud" => baud = self.baud(value)?,
                "base" => base = self.base(value)?,
                "check" => check = self.check(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Url::Uart {
            path: self.place.to_owned(),
            baud,
            base,
            check,
        })
    }

    fn etherbone(&self) -> Result<Url, OpenError> {
        let without_port = !self.place.contains(':') || self.place.ends_with(']');
        let host = match without_port {
            true => format!("{}:{HOST_UDP_PORT}", self.place),
            false => self.place.to_owned(),
        };
        let port = host.rsplit_once(':').filter(|(host, port)| {
            !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0)
        });
        if port.is_none() {
            return Err(self.misplaced(
                "HOST:PORT with a port from 1 to 65535, or HOST alone for port 1234",
                "etherbone:192.168.1.50:1234",
            ));
        }
        let (mut base, mut check, mut timeout, mut key) = (0, Check::Auto, None, None);
        self.parameters(BONE_PARAMETERS, |name, value| {
            match name {
                "base" => base = self.base(value)?,
                "check" => check = self.check(value)?,
                "timeout_ms" => timeout = Some(self.timeout(value)?),
                "key" if value.is_empty() => {
                    return Err(self.refused("key", "the path of a file", value))
                }
                "key" => key = Some(PathBuf::from(value)),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Url::Etherbone {
            host,
            base,
            check,
            timeout,
            key,
        })
    }

    fn pcie(&self) -> Result<Url, OpenError> {
        let path = match self.place {
            "" => None,
            path if path.starts_with(['/', '.']) => Some(PathBuf::from(path)),
            device_and_bar => bar_path(device_and_bar),
        };
        let path = path.ok_or_else(|| {
            self.misplaced(
                "DOMAIN:BUS:DEVICE.FUNCTION/BAR with a BAR from 0 to 5, or the path of a resource file",
                "pcie:0000:03:00.0/2?offset=0x100000",
            )
        })?;
        let mut offset = 0;
        self.parameters(PCIE_PARAMETERS, |name, value| {
            if name == "offset" {
                let aligned = number(value).filter(|offset| offset.is_multiple_of(4));
                offset = aligned.ok_or_else(|| {
                    self.refused("offset", "a number of bytes, a multiple of 4", value)
                })?;
            }
            Ok(name == "offset")
        })?;
        Ok(Url::Pcie { path, offset })
    }

    /// Gives every parameter to `take`, which says whether it knows it.
    fn parameters(
        &self,
        known: &'static str,
        mut take: impl FnMut(&str, &str) -> Result<bool, OpenError>,
    ) -> Result<(), OpenError> {
        let mut given = Vec::new();
        for parameter in self.query.split('&').filter(|text| !text.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if given.contains(&name) {
                return Err(OpenError::Repeated {
                    url: self.url.to_owned(),
                    name: name.to_owned(),
                });
            }
            given.push(name);
            if !take(name, value)? {
                return Err(OpenError::UnknownParameter {
                    url: self.url.to_owned(),
                    name: name.to_owned(),
                    known,
                });
            }
        }
        Ok(())
    }

    fn baud(&self, value: &str) -> Result<u32, OpenError> {
        number(value)
            .and_then(|baud| u32::try_from(baud).ok())
            .filter(|&baud| baud > 0)
            .ok_or_else(|| self.refused("baud", "a number of bits a second above 0", value))
    }

    fn timeout(&self, value: &str) -> Result<Duration, OpenError> {
        let milliseconds = number(value).filter(|n| (1..=600_000).contains(n));
        let milliseconds = milliseconds.ok_or_else(|| {
            self.refused(
                "timeout_ms",
                "a number of milliseconds from 1 to 600000",
                value,
            )
        })?;
        Ok(Duration::from_millis(milliseconds))
    }

    fn base(&self, value: &str) -> Result<u32, OpenError> {
        number(value)
            .and_then(|base| u32::try_from(base).ok())
            .filter(|base| base.is_multiple_of(4))
            .ok_or_else(|| self.refused("base", "a 32-bit byte address, a multiple of 4", value))
    }

    fn check(&self, value: &str) -> Result<Check, OpenError> {
        match value {
            "auto" => Ok(Check::Auto),
            "mailbox" => Ok(Check::Mailbox),
            "agree" => Ok(Check::Agree),
            "none" => Ok(Check::None),
            _ => Err(self.refused("check", "auto, mailbox, agree or none", value)),
        }
    }

    fn refused(&self, name: &'static str, expected: &'static str, got: &str) -> OpenError {
        OpenError::Parameter {
            url: self.url.to_owned(),
            name,
            expected,
            got: got.to_owned(),
        }
    }

    fn misplaced(&self, expected: &'static str, example: &'static str) -> OpenError {
        OpenError::Place {
            url: self.url.to_owned(),
            expected,
            got: self.place.to_owned(),
            example,
        }
    }
}

/// The resource file of `0000:03:00.0/2`; nothing else is let into the path.
fn bar_path(device_and_bar: &str) -> Option<PathBuf> {
    let (device, bar) = device_and_bar.split_once('/')?;
    let hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let (address, function) = device.split_once('.')?;
    let fields: Vec<&str> = address.split(':').collect();
    let [domain, bus, slot] = fields[..] else {
        return None;
    };
    let known = hex(domain, 4)
        && hex(bus, 2)
        && hex(slot, 2)
        && matches!(function, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7");
    let bar_known = matches!(bar, "0" | "1" | "2" | "3" | "4" | "5");
    (known && bar_known)
        .then(|| PathBuf::from(format!("/sys/bus/pci/devices/{device}/resource{bar}")))
}

fn number(text: &str) -> Option<u64> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hex {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
