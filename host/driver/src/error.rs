use std::time::Duration;

/// Why one access to a register failed.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// No answer came in time.
    #[error("register 0x{address:03X}: no answer within {within:?}; check that the device is powered, configured and clocked, then try again")]
    Timeout {
        /// Byte address of the access.
        address: u32,
        /// The time it was given.
        within: Duration,
    },
    /// The device refuses this access (SLVERR).
    #[error("register 0x{address:03X}: the device refuses the access (SLVERR): the register is read-only or narrower than the value; compare with the register map")]
    Refused {
        /// Byte address of the access.
        address: u32,
    },
    /// The device has no register there (DECERR).
    #[error("register 0x{address:03X}: the device has no register there (DECERR); compare with the register map")]
    NoRegister {
        /// Byte address of the access.
        address: u32,
    },
    /// A write was sent, and whether it was carried out cannot be said: once at most over a bridge with a mailbox; over a plain
    /// bridge it may also have changed another register.
    #[error("register 0x{address:03X}: whether 0x{value:08X} was written cannot be said: {why}; read the device's registers before writing again")]
    Unknown {
        /// Byte address of the write.
        address: u32,
        /// Its value.
        value: u32,
        /// Why it cannot be said.
        why: String,
    },
    /// Reads over a plain bridge that do not agree: the register changes by itself, or the link damages what it carries.
    #[error("register 0x{address:03X}: {reads} reads do not agree; a register that changes by itself needs a bridge with a mailbox, or `check=none` to take what comes")]
    Unsteady {
        /// Byte address of the access.
        address: u32,
        /// Reads made.
        reads: u32,
    },
    /// The link failed or carried something that is no answer.
    #[error("register 0x{address:03X}: the link failed: {what}; check the connection, then open it again")]
    Link {
        /// Byte address of the access.
        address: u32,
        /// What happened.
        what: String,
        /// What the operating system said, where it was the one to fail.
        source: Option<std::io::Error>,
    },
}

/// Why a device cannot be used, or not as asked.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// An access failed.
    #[error("{doing}: {source}")]
    Transport {
        /// What the driver was doing.
        doing: &'static str,
        /// The access.
        source: TransportError,
    },
    /// The other end is no filter of ours.
    #[error("identify: the device's magic is 0x{got:08X}, expected 0x{expected:08X}; this is no filter of this project, or its address is wrong")]
    Magic {
        /// Magic of a filter.
        expected: u32,
        /// What was read.
        got: u32,
    },
    /// The register map is of another version.
    #[error("identify: the device's register map has version {got}, this driver knows version {expected}; use the release that emitted the device")]
    MapVersion {
        /// The version this driver knows.
        expected: u32,
        /// What was read.
        got: u32,
    },
    /// The device was built from another geometry.
    #[error("identify: the device's geometry hash is 0x{got:016x}, the specification's is 0x{expected:016x}; use the specification the device was emitted from, or emit and build it again")]
    GeometryHash {
        /// The hash of the specification at hand.
        expected: u64,
        /// What was read.
        got: u64,
    },
    /// The list of blocks leads outside the register space or in a circle.
    #[error("identify: the block list goes from 0x{from:03X} to 0x{to:03X}, which {why}; the device is damaged or no filter of this project")]
    BlockList {
        /// Address of the pointer.
        from: u32,
        /// What it points to.
        to: u32,
        /// What is wrong with that.
        why: &'static str,
    },
    /// A block of an unknown type or version.
    #[error("identify: the block at 0x{address:03X} is of type {kind} version {version}, which this driver does not know; use the release that emitted the device")]
    UnknownBlock {
        /// Where it stands.
        address: u32,
        /// Its type.
        kind: u32,
        /// Its version.
        version: u32,
    },
    /// A block that the geometry has is missing, or stands elsewhere.
    #[error("identify: the block `{name}` is not at 0x{address:03X}, where the specification has it; use the release that emitted the device")]
    MissingBlock {
        /// Its name.
        name: &'static str,
        /// Where it should stand.
        address: u32,
    },
    /// A value the device would refuse, caught before it is sent.
    #[error("threshold = {got}: must be from {least} to {most}, for the geometry of this device; choose a value in that range")]
    Threshold {
        /// Least legal value.
        least: u64,
        /// Greatest legal value.
        most: u64,
        /// The value.
        got: u64,
    },
    /// The filter did not come out of a command in time.
    #[error("{command}: the filter still does not run {within:?} after the command; read its status again, then reset it")]
    NotRunning {
        /// What it was told.
        command: &'static str,
        /// How long was waited.
        within: Duration,
    },
}

impl DriverError {
    pub(crate) fn while_(doing: &'static str) -> impl FnOnce(TransportError) -> DriverError {
        move |source| DriverError::Transport { doing, source }
    }
}
