//! Geometry of the card around a filter.

/// What stands around the filter: an item port in the registers, and the host's way to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// The UART of the host; `None` where it comes over AXI4-Lite.
    pub uart: Option<Uart>,
}

/// A UART that speaks uartbone: 8 data bits, no parity, one stop bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uart {
    /// Bits a second, as the host is told.
    pub baud: u32,
    /// Clocks of a bit, the nearest whole number, from [`MIN_CLOCKS_PER_BIT`] to [`MAX_CLOCKS_PER_BIT`].
    pub clocks_per_bit: u32,
    /// Clocks from a command's first byte after which it is dropped unless it is complete: 100 ms.
    pub timeout_clocks: u32,
}

/// Least clocks of a bit: the middle of a bit is met within an eighth.
pub const MIN_CLOCKS_PER_BIT: u64 = 8;
/// Most clocks of a bit.
pub const MAX_CLOCKS_PER_BIT: u64 = 65_535;
/// Bytes that the UART's receiver keeps for a bridge that is at work.
pub const UART_QUEUE_BYTES: u32 = 16;
/// Synchronisation byte of the UART bridge (ASCII SYN): no byte of a mailbox request, and no command.
pub const UART_SYNC_BYTE: u8 = 0x16;
/// Synchronisation bytes in a row that end whatever command the bridge has not received completely; a power of two.
pub const UART_SYNC_RUN: usize = 8;

impl Uart {
    /// The UART for a clock, both in hertz; the rules are checked already.
    pub(crate) fn new(baud: u32, clock_hz: u64) -> Uart {
        let whole = |clocks: u64| u32::try_from(clocks).unwrap_or(u32::MAX);
        Uart {
            baud,
            clocks_per_bit: whole(nearest_divider(clock_hz, u64::from(baud))),
            timeout_clocks: whole((clock_hz / 10).max(1)),
        }
    }
}

/// `clock_hz / baud`, rounded to the nearest.
pub(crate) fn nearest_divider(clock_hz: u64, baud: u64) -> u64 {
    (clock_hz + baud / 2) / baud
}
