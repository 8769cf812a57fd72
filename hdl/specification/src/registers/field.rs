//! Bit positions within registers.

/// `CONTROL`: empty both halves.
pub const CONTROL_CLEAR: u32 = 0;
/// `CONTROL`, keyed hash: hash with the secret last written; what it empties is in the register's own text.
pub const CONTROL_REKEY: u32 = 1;
/// `CONTROL` of a recycling filter: recycle.
pub const CONTROL_RECYCLE: u32 = 2;
/// CONTROL: restart of control logic.
pub const CONTROL_RESTART: u32 = 3;
/// `POLICY`: the bits that are kept, action and DSCP.
pub const POLICY_KEPT: u32 = 0x3F03;
/// `STATUS`: the filter runs.
pub const STATUS_RUNNING: u32 = 0;
/// `STATUS`: which half is active.
pub const STATUS_ACTIVE_HALF: u32 = 1;
/// `STATUS`: lowest of the four bits of the active half's epoch.
pub const STATUS_EPOCH: u32 = 4;
/// `STATUS`: lowest of the four bits that count the active half's spare epochs.
pub const STATUS_SPARE_EPOCHS: u32 = 8;
/// `STATUS` of a sliding-window filter: lowest of eight bits of the generation.
pub const STATUS_GENERATION: u32 = 8;
/// `STATUS`: every word of the active half bears the current epoch.
pub const STATUS_COVERED: u32 = 12;
/// `STATUS`, keyed hash: the secret in force is the specification's.
pub const STATUS_PUBLIC_SECRET: u32 = 13;
/// `STATUS` of a recycling filter: lowest of sixteen bits that count recycles of every cause.
pub const STATUS_TURNS: u32 = 16;
/// Bits of that count.
pub const STATUS_TURNS_BITS: u32 = 16;
/// `ITEM_RESULT`: lowest bit of the sequence number.
pub const ITEM_SEQUENCE: u32 = 24;
/// `ITEM_RESULT`: bits of the sequence number.
pub const ITEM_SEQUENCE_BITS: u32 = 7;
/// `ITEM_RESULT`: the item is not done yet.
pub const ITEM_BUSY: u32 = 31;
/// `LINK`: bits of a port: up, two bits of speed (0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s), full duplex.
pub const LINK_BITS: u32 = 4;
/// `HOST`: requests over Ethernet need a tag.
pub const HOST_TAGGED: u32 = 2;
/// `HOST`: lowest bit of the UDP port; below, bit p is 1 where the host port stands at port p.
pub const HOST_UDP_PORT: u32 = 16;
