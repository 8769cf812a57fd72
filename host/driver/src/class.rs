//! Errors by what a program does about them: the status codes of the C library and the exceptions of the Python module.

use crate::connect::ConnectError;
use crate::error::{DriverError, TransportError};
use crate::open_error::OpenError;
use crate::snapshot::SnapshotError;
use bloomline_spec::{DesignError, KeyError};

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The caller gave a value that cannot be: nothing was sent.
    Argument,
    /// The manifest or specification is wrong or cannot be read.
    Design,
    /// The link cannot be opened, or nothing answers there.
    Open,
    /// No answer came in time.
    Timeout,
    /// The link failed, or carried what cannot be.
    Link,
    /// Whether a write or an item was carried out cannot be said.
    Uncertain,
    /// The device refuses the access.
    Refused,
    /// The device is another than the design.
    WrongDevice,
    /// This kind of filter has no such thing.
    NotThere,
    /// The device is not ready, or another host came in between.
    Busy,
    /// A snapshot file cannot be read or written, or is none.
    File,
}

/// An error with a class.
pub trait Classed: std::error::Error {
    /// Its class.
    fn class(&self) -> ErrorClass;
}

impl Classed for KeyError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Argument
    }
}

impl Classed for DesignError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Design
    }
}

impl Classed for OpenError {
    fn class(&self) -> ErrorClass {
        match self {
            OpenError::Scheme { .. }
            | OpenError::Place { .. }
            | OpenError::UnknownParameter { .. }
            | OpenError::Repeated { .. }
            | OpenError::Parameter { .. } => ErrorClass::Argument,
            OpenError::Key { .. }
            | OpenError::NoDevice { .. }
            | OpenError::Permission { .. }
            | OpenError::Busy { .. }
            | OpenError::BarSize { .. }
            | OpenError::Host { .. }
            | OpenError::NotSerial { .. }
            | OpenError::Io { .. }
            | OpenError::NoMailbox { .. }
            | OpenError::Tag { .. }
            | OpenError::NoAnswer { .. } => ErrorClass::Open,
        }
    }
}

impl Classed for ConnectError {
    fn class(&self) -> ErrorClass {
        match self {
            ConnectError::Open(error) => error.class(),
            ConnectError::Device { source, .. } => source.class(),
        }
    }
}

impl Classed for TransportError {
    fn class(&self) -> ErrorClass {
        match self {
            TransportError::Timeout { .. } | TransportError::Starved { .. } => ErrorClass::Timeout,
            TransportError::Refused { .. } | TransportError::NoRegister { .. } => {
                ErrorClass::Refused
            }
            TransportError::Unknown { .. } => ErrorClass::Uncertain,
            TransportError::Unsteady { .. }
            | TransportError::NoMailbox
            | TransportError::Tag { .. }
            | TransportError::Link { .. } => ErrorClass::Link,
        }
    }
}

impl Classed for DriverError {
    fn class(&self) -> ErrorClass {
        match self {
            DriverError::Transport { source, .. } => source.class(),
            DriverError::Bulk { source, .. } | DriverError::PartlyRestored { source, .. } => {
                source.class()
            }
            DriverError::Magic { .. }
            | DriverError::MapVersion { .. }
            | DriverError::GeometryHash { .. }
            | DriverError::BlockList { .. }
            | DriverError::NewerBlock { .. }
            | DriverError::UnknownBlock { .. }
            | DriverError::MissingBlock { .. } => ErrorClass::WrongDevice,
            DriverError::Threshold { .. }
            | DriverError::MaxAge { .. }
            | DriverError::Place { .. }
            | DriverError::Dscp { .. }
            | DriverError::MaxFrame { .. }
            | DriverError::KeyWidth { .. }
            | DriverError::Amount { .. }
            | DriverError::ArrayWord { .. }
            | DriverError::SnapshotGeometry { .. }
            | DriverError::SnapshotMessages { .. } => ErrorClass::Argument,
            DriverError::NotThere { .. }
            | DriverError::NotBuilt { .. }
            | DriverError::CountedBits { .. } => ErrorClass::NotThere,
            DriverError::ItemBusy { .. }
            | DriverError::SnapshotTorn { .. }
            | DriverError::ArrayContended { .. }
            | DriverError::NotRestored { .. }
            | DriverError::NotRunning { .. } => ErrorClass::Busy,
            DriverError::ItemUncertain { .. }
            | DriverError::ItemInterrupted { .. }
            | DriverError::VerdictLost { .. } => ErrorClass::Uncertain,
            DriverError::Verdict { .. } | DriverError::SnapshotCount { .. } => ErrorClass::Link,
        }
    }
}

impl Classed for SnapshotError {
    fn class(&self) -> ErrorClass {
        match self {
            SnapshotError::Io { .. }
            | SnapshotError::Foreign { .. }
            | SnapshotError::Version { .. }
            | SnapshotError::Length { .. }
            | SnapshotError::Damaged { .. }
            | SnapshotError::Header { .. } => ErrorClass::File,
            SnapshotError::Geometry { .. }
            | SnapshotError::Secrets { .. }
            | SnapshotError::Estimate { .. } => ErrorClass::Argument,
        }
    }
}
