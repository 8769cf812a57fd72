//! LiteX's uartbone protocol: how a bus is reached over a stream of bytes.
//!
//! ```text
//!  write   0x01 | words | word address, 4 bytes | data, 4 bytes a word          no answer
//!  read    0x02 | words | word address, 4 bytes                                 answer: data, 4 bytes a word
//!  0x03 and 0x04: the same without counting the address on
//! ```
//!
//! Numbers are sent most significant byte first; 0 words means 256. A bridge that waits more than 100 ms from a command's first
//! byte on drops the command. There is no checksum and no acknowledgement: see [`mailbox`](crate::mailbox).
//!
//! A bridge of this project also drops an incomplete command when [`UART_SYNC_RUN`] synchronisation bytes come in a row. A bridge
//! of LiteX passes [`synchronisation`] over as unknown commands.
//!
//! Source: `Stream2Wishbone` in `litex/soc/cores/uart.py` of LiteX 2024.12.

use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};
use std::time::Duration;

/// Write to rising addresses.
pub const WRITE_INCREMENTING: u8 = 1;
/// Read from rising addresses.
pub const READ_INCREMENTING: u8 = 2;
/// Write to one address.
pub const WRITE_FIXED: u8 = 3;
/// Read from one address.
pub const READ_FIXED: u8 = 4;
/// Bytes of a command before its data.
pub const HEADER: usize = 6;
/// Time from a command's first byte after which a bridge drops it.
pub const DROPPED_AFTER: Duration = Duration::from_millis(100);

/// Appends synchronisation bytes: two runs, so that one damaged byte leaves one whole, and a whole number of headers.
pub fn synchronisation(bytes: &mut Vec<u8>) {
    const BYTES: usize = (2 * UART_SYNC_RUN).next_multiple_of(HEADER);
    bytes.extend([UART_SYNC_BYTE; BYTES]);
}

/// Appends the command that writes `words` (1 to 255 of them) from byte address `address` on.
pub fn write_command(address: u32, words: &[u32], bytes: &mut Vec<u8>) {
    header(WRITE_INCREMENTING, words.len(), address, bytes);
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
}

/// Appends the command that reads `words` (1 to 255) words from byte address `address` on.
pub fn read_command(address: u32, words: usize, bytes: &mut Vec<u8>) {
    header(READ_INCREMENTING, words, address, bytes);
}

fn header(command: u8, words: usize, address: u32, bytes: &mut Vec<u8>) {
    debug_assert!((1..=255).contains(&words));
    bytes.extend([command, words as u8]);
    bytes.extend((address >> 2).to_be_bytes());
}

/// Takes the answer to a read apart; `bytes` holds four for each place of `values`.
pub fn decode_answer(bytes: &[u8], values: &mut [u32]) {
    for (bytes, value) in bytes.chunks_exact(4).zip(values) {
        *value = bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
}
