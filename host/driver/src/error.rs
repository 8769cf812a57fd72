use bloomline_spec::FilterKind;
use std::time::Duration;

/// Why one access to a register failed.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// No answer came in time.
    #[error("register 0x{address:03X}: no answer within {within}; check that the device is powered, configured and clocked, then try again (over Ethernet `timeout_ms=` in the URL sets the time; each access of a burst has its share of it)", within = in_ms(*within))]
    Timeout {
        /// Byte address of the access.
        address: u32,
        /// The time it was given.
        within: Duration,
    },
    /// The device answers, but other clients' accesses left no place for this one, which was not made.
    #[error("register 0x{address:03X}: the device answers, but other clients kept this access from being made for {within}; give it more time (`timeout_ms=` in the URL), or let fewer use the device at once", within = in_ms(*within))]
    Starved {
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
    /// The bridge answers, but not at its mailbox.
    #[error("the bridge answers, but not at its mailbox, so accesses cannot be checked: a bridge of this project has one (check the URL's base, or try again if the link loses messages); to use another bridge, LiteX's own for example, say how in the URL: `?check=agree` (reads are repeated until they agree) or `?check=none` (what comes is believed)")]
    NoMailbox,
    /// The host port and this host do not agree on tags.
    #[error("{why}")]
    Tag {
        /// In what.
        why: TagProblem,
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

/// Why a host port takes no requests of this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TagProblem {
    /// It needs a tag, and the host has no secret.
    #[error("the host port takes only requests with a tag (packet.host.auth); give the file of its secret in the URL: `?key=FILE`")]
    NotGiven,
    /// It needs a tag, and has no secret itself.
    #[error("the host port takes only requests with a tag, and no secret is loaded since power-up; load one over the UART: `bloomline device uart:.. host-key SPEC FILE`")]
    NotLoaded,
    /// It needs none.
    #[error("the host port asks for no tag, so anyone can make requests; leave `key` out of the URL if that is meant (packet.host.auth = \"none\")")]
    NotAsked,
    /// It answers, and takes no request.
    #[error("the host port answers, but takes no request under this secret, so it has another; give the file of the key that was loaded (`?key=FILE`), or load this one over the UART: `bloomline device uart:.. host-key SPEC FILE`")]
    NotTaken,
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
    /// A block that no design of this release has: the device is of a newer one.
    #[error("identify: the device has a block at 0x{address:03X} of type {kind} version {version}, and this driver knows {known}; the device is of a newer release, use the driver of the release that emitted it", known = match newest { Some(newest) => format!("this type up to version {newest}"), None => "no blocks of this type".to_owned() })]
    NewerBlock {
        /// Where it stands.
        address: u32,
        /// Its type.
        kind: u32,
        /// Its version.
        version: u32,
        /// The newest version of that type that this driver knows.
        newest: Option<u32>,
    },
    /// A block of an unknown type or version.
    #[error("identify: the block at 0x{address:03X} is of type {kind} version {version}, and this driver {known}; use the release that emitted the device, or emit and build it again", known = match expected { Some(expected) => format!("drives version {expected} of it"), None => "knows none of this type in such a device".to_owned() })]
    UnknownBlock {
        /// Where it stands.
        address: u32,
        /// Its type.
        kind: u32,
        /// Its version.
        version: u32,
        /// The version that this driver knows of that type.
        expected: Option<u32>,
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
    /// This filter has no such thing.
    #[error("{doing}: a {kind} filter has no {what} in its gateware; {next}")]
    NotThere {
        /// What the driver was to do.
        doing: &'static str,
        /// What is missing.
        what: &'static str,
        /// The kind of filter.
        kind: FilterKind,
        /// What to do next: the key of the specification that brings it, where there is one.
        next: String,
    },
    /// The specification leaves it out.
    #[error("{doing}: {what} is not built: {key} in the specification leaves it out; it takes gateware that is built with it")]
    NotBuilt {
        /// What the driver was to do.
        doing: &'static str,
        /// What is missing.
        what: &'static str,
        /// The key that leaves it out.
        key: &'static str,
    },
    /// A time beyond what the register can say.
    #[error("maximum age = {got}: must be at most {most} at the clock of the specification; choose less, or 0 for no limit", got = in_ms(*got), most = in_ms(*most))]
    MaxAge {
        /// Greatest legal value.
        most: Duration,
        /// The value.
        got: Duration,
    },
    /// A packet path or Ethernet port that the device has not.
    #[error("{doing}: {what} {got}: the device has 0 to {most}; choose one of them")]
    Place {
        /// What the driver was to do.
        doing: &'static str,
        /// What was asked for.
        what: &'static str,
        /// Greatest number there is.
        most: usize,
        /// The number.
        got: usize,
    },
    /// A mark that no frame can bear.
    #[error("mark:{got}: a DSCP is from 0 to {most}; choose one of them")]
    Dscp {
        /// Greatest legal value.
        most: u8,
        /// The value.
        got: u8,
    },
    /// A longest frame that a specification would refuse too.
    #[error("longest frame = {got} bytes: must be from {least} to {most}, without FCS; choose a value in that range")]
    MaxFrame {
        /// Least legal value.
        least: u64,
        /// Greatest legal value.
        most: u64,
        /// The value.
        got: u32,
    },
    /// A key of another width than the device's.
    #[error("{doing}: a key of {got} bits, the device's keys have {expected}; make the key for the width of the specification")]
    KeyWidth {
        /// What the driver was to do.
        doing: &'static str,
        /// Width of the device's keys in bits.
        expected: u32,
        /// Width of the key in bits.
        got: u32,
    },
    /// An amount that an item of this device cannot carry.
    #[error("{doing}: an amount of {got}, an item of this device carries at most {most}; split the amount, or build with more count-min.amount_bits (1 is the only amount of a filter without them)")]
    Amount {
        /// What the driver was to do.
        doing: &'static str,
        /// Greatest amount.
        most: u32,
        /// The amount.
        got: u32,
    },
    /// The item port did not get its item done.
    #[error("{doing}: the item port is still busy after {within}; the filter is not running, or nobody takes the verdicts of its stream: read status and the stall counters", within = in_ms(*within))]
    ItemBusy {
        /// What the driver was doing.
        doing: &'static str,
        /// How long was waited.
        within: Duration,
    },
    /// An item was offered, and what became of it could not be read.
    #[error("{doing}: the item was offered, and whether it was carried out cannot be said: {why}; read what the filter says of its key before offering it again")]
    ItemUncertain {
        /// What the driver was doing.
        doing: &'static str,
        /// What was in the way.
        why: String,
    },
    /// The item was done, and its verdict cannot be told any more.
    #[error("{doing}: the item was done, once, but another host's item came behind it before its verdict was read, and the card keeps one verdict; where verdicts matter let hosts use the port that wait for each other, as this driver does")]
    VerdictLost {
        /// What the driver was doing.
        doing: &'static str,
    },
    /// The item port's count of items is not one on from what it was, so the answer is not that of this item.
    #[error("{doing}: the item port counts {got} items (modulo 128), expected {expected}: another host used the port or the card was reset, and whether this item was done cannot be said; let one host at a time use it")]
    ItemInterrupted {
        /// What the driver was doing.
        doing: &'static str,
        /// The count after this item.
        expected: u32,
        /// The count that was read.
        got: u32,
    },
    /// A verdict that no filter gives.
    #[error("{doing}: verdict bits 0x{bits:X} contradict each other; the link damages what it carries: use one that checks")]
    Verdict {
        /// What the driver was doing.
        doing: &'static str,
        /// The bits.
        bits: u64,
    },
    /// One of many items failed.
    #[error("item {place} of {of} (counted from 0): {source}")]
    Bulk {
        /// Its place, counted from 0. Those before it were done, unless it was refused before the first was sent.
        place: usize,
        /// Items in all.
        of: usize,
        /// Why it failed.
        source: Box<DriverError>,
    },
    /// A word that the array has not.
    #[error("word {got} of the array: it has {words} words, counted from 0; choose one of them")]
    ArrayWord {
        /// Words of the array.
        words: u64,
        /// The word.
        got: u64,
    },
    /// Another host moved the array's address in the middle of an access, again and again.
    #[error("{doing}: in {tries} tries another host read or wrote the array in between; let one host at a time use it")]
    ArrayContended {
        /// What the driver was doing.
        doing: &'static str,
        /// How often it tried.
        tries: u32,
    },
    /// A word of a recycling filter's array cannot be replaced.
    #[error("{doing}: a word of a recycling filter cannot be replaced, for its bits are counted: set bits in it, or clear the filter and restore a snapshot")]
    CountedBits {
        /// What the driver was to do.
        doing: &'static str,
    },
    /// A recycle, turn, clear or reset came in the middle of every try to read the halves of a recycling filter, or the panes of a counting
    /// filter over a window.
    #[error("snapshot: the filter recycled or turned in the middle of each of {tries} tries to read its {words} words, and words of different cycles make no snapshot; hold the items for as long as it takes, raise the threshold (of a counting filter: the window), or take it over a faster link")]
    SnapshotTorn {
        /// Words of the array.
        words: u64,
        /// How often it was tried.
        tries: u32,
    },
    /// A half's words have another number of bits set than the filter counted.
    #[error("snapshot: the words of the {half} half have {got} bits set, the filter counted {least} to {most}; words were lost or changed on the way: check the link and take the snapshot again")]
    SnapshotCount {
        /// `active` or `frozen`.
        half: &'static str,
        /// Bits counted before the words were read.
        least: u64,
        /// Bits counted after.
        most: u64,
        /// Bits set in the words.
        got: u64,
    },
    /// What was written to the array is not what it holds.
    #[error("restore: word {word} of the array is 0x{got:08X}, 0x{expected:08X} was written; items came in meanwhile or another host wrote: hold the traffic and restore again")]
    NotRestored {
        /// Address of the first word that differs.
        word: u64,
        /// What was written.
        expected: u32,
        /// What was read.
        got: u32,
    },
    /// A restore ended before the array held the whole snapshot.
    #[error("restore: {source}; the array may hold a part of the snapshot only{}: restore again, or clear the filter", if *max_age_off { ", and the maximum age is off (`configure` sets it)" } else { "" })]
    PartlyRestored {
        /// The limit of a half's age, which a restore takes away meanwhile, did not come back.
        max_age_off: bool,
        /// What failed.
        source: Box<DriverError>,
    },
    /// The snapshot is of another filter.
    #[error("restore: the snapshot's geometry hash is 0x{got:016x}, the device's is 0x{expected:016x}; use a snapshot of a device of this geometry")]
    SnapshotGeometry {
        /// The hash of the device.
        expected: u64,
        /// The hash in the snapshot.
        got: u64,
    },
    /// The bits of a snapshot take more writes than a cycle has messages.
    #[error("restore: {words} words of the snapshot's active half have bits, each takes a write that counts as a message, and the register THRESHOLD is {threshold}: the next item would recycle, where the snapshot's cycle had {messages} messages; nothing was written; set a threshold above {words}, or clear the filter and let its keys come again")]
    SnapshotMessages {
        /// Words of the active half with bits.
        words: u64,
        /// Messages of the snapshot's cycle.
        messages: u32,
        /// The device's register THRESHOLD.
        threshold: u64,
    },
    /// The filter did not come out of a command in time.
    #[error("{command}: the filter still does not run {within} after the command; read its status again, then reset it", within = in_ms(*within))]
    NotRunning {
        /// What it was told.
        command: &'static str,
        /// How long was waited.
        within: Duration,
    },
}

/// A time in whole milliseconds, as options and URLs give it; a shorter one as it is.
pub(crate) fn in_ms(time: Duration) -> String {
    match time.as_micros() {
        0..1000 => format!("{time:?}"),
        micros => format!("{} ms", (micros + 500) / 1000),
    }
}

impl DriverError {
    /// Whether it cannot be said if a write was made.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(
            self,
            DriverError::Transport {
                source: TransportError::Unknown { .. },
                ..
            }
        )
    }

    pub(crate) fn while_(doing: &'static str) -> impl FnOnce(TransportError) -> DriverError {
        move |source| DriverError::Transport { doing, source }
    }
}
