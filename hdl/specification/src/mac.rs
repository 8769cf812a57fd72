//! Constants of the Ethernet MAC: those of IEEE 802.3, and the sizes of its buffers.

/// Bytes of 0x55 before a frame that is sent.
pub const PREAMBLE_BYTES: usize = 7;
/// Byte of the preamble.
pub const PREAMBLE_BYTE: u8 = 0x55;
/// Byte that ends the preamble: start of frame delimiter (SFD).
pub const FRAME_START_BYTE: u8 = 0xD5;
/// Bytes of the frame check sequence (FCS).
pub const FCS_BYTES: usize = 4;
/// Least bytes of a frame with its FCS; what is shorter is a runt.
pub const MIN_FRAME_BYTES: usize = 64;
/// Least clocks between the last byte of a frame and the first of the next one's preamble, where frames are sent.
pub const GAP_CLOCKS: usize = 12;
/// Words of the FIFO between two clocks.
pub const MAC_FIFO_WORDS: usize = 16;
/// Bits of each: {tuser, tlast, tdata}.
pub const MAC_WORD_BITS: usize = 10;
/// Bytes that wait for the transmitter.
pub const MAC_BUFFER_BYTES: usize = 64;
/// Bytes of a frame that must wait for it before the frame begins, unless it is whole.
pub const MAC_START_BYTES: usize = 32;
/// Most steps of an input or output delay, of about 25 ps each.
pub const MAX_DELAY_STEPS: u32 = 127;
