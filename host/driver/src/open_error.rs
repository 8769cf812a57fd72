//! Errors of opening a transport.

use crate::error::TransportError;
use crate::url::{names_baud, USUAL_BAUD};
use std::io;
use std::path::{Path, PathBuf};

/// Why a transport cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The text has no scheme, or one that is not known.
    #[error("`{url}`: expected one of the schemes {schemes}, got {got}; write for example `uart:/dev/ttyUSB0`", got = if scheme.is_empty() { "none".to_owned() } else { format!("`{scheme}:`") })]
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
    /// A parameter that is given more than once.
    #[error("`{url}`: the parameter `{name}` is given more than once; give it once")]
    Repeated {
        /// The whole text.
        url: String,
        /// The parameter.
        name: String,
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
    #[error("{path}: there is no such device; check that it is plugged in and powered (`{list}` lists what there is)")]
    NoDevice {
        /// The file.
        path: PathBuf,
        /// The command that lists devices of this sort.
        list: &'static str,
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
    /// The file is there, and no serial line.
    #[error("{path}: it is no serial device; name one, for example /dev/ttyUSB0 (`{list}` lists what there is)")]
    NotSerial {
        /// The file.
        path: PathBuf,
        /// The command that lists serial devices.
        list: &'static str,
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
    /// The host port answers, and its tags are in the way.
    #[error("`{url}`: {source}")]
    Tag {
        /// The whole text.
        url: String,
        /// [`TransportError::Tag`], which says what to do.
        source: TransportError,
    },
    /// The file of the secret for tags is not one.
    #[error("key {file}: {why}; a key is 32 hexadecimal digits (`bloomline device uart:.. host-key SPEC FILE --new` makes and loads one)", file = file.display())]
    Key {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The line is open, and nothing answers.
    #[error("`{url}`: nothing answers: {source}{}", of_the_rate(url))]
    NoAnswer {
        /// The whole text.
        url: String,
        /// The access that failed.
        source: TransportError,
    },
}

/// What else to check where nothing answers on a serial line.
pub(crate) fn of_the_rate(url: &str) -> String {
    match (url.starts_with("uart:"), names_baud(url)) {
        (true, true) => {
            "; check too that the card's UART has the rate of `baud=`: card.uart_baud of its specification, or what `bloomline serve` printed".to_owned()
        }
        (true, false) => format!(
            "; check too that the card's UART runs at {USUAL_BAUD} baud, which is taken where neither `?baud=` nor a specification names a rate; \
             give the specification's card.uart_baud as `?baud=`"
        ),
        (false, _) => String::new(),
    }
}

impl OpenError {
    /// `list` is the command that lists devices of this sort.
    pub(crate) fn from_io(path: &Path, source: io::Error, list: &'static str) -> OpenError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => OpenError::NoDevice { path, list },
            io::ErrorKind::PermissionDenied => OpenError::Permission { path },
            io::ErrorKind::ResourceBusy => OpenError::Busy { path },
            _ => OpenError::Io { path, source },
        }
    }
}
