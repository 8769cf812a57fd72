use super::bridge::Bridge;
use super::Responder;
use crate::transport::Transport;
use crate::uartbone::{
    DROPPED_AFTER, HEADER, READ_FIXED, READ_INCREMENTING, WRITE_FIXED, WRITE_INCREMENTING,
};
use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};
use std::time::Instant;

/// A bridge that speaks [uartbone](crate::uartbone), command for command as LiteX's does: commands it does not know are
/// passed over with their length and address, and one that does not end within 100 ms is dropped. A run of synchronisation bytes drops it at once.
#[derive(Debug)]
pub struct UartResponder<T> {
    bridge: Bridge<T>,
    /// What came of the command in hand: its header, and the word in hand of its data.
    header: Vec<u8>,
    data: Vec<u8>,
    /// Words of a write that were written.
    words: u32,
    started: Instant,
    /// Synchronisation bytes that came last, in a row.
    run: usize,
}

impl<T: Transport + Send> UartResponder<T> {
    /// Answers for `bridge`.
    pub fn new(bridge: Bridge<T>) -> UartResponder<T> {
        UartResponder {
            bridge,
            header: Vec::with_capacity(HEADER),
            data: Vec::with_capacity(4),
            words: 0,
            started: Instant::now(),
            run: 0,
        }
    }

    /// The bridge.
    pub fn bridge_mut(&mut self) -> &mut Bridge<T> {
        &mut self.bridge
    }

    fn take(&mut self, byte: u8, now: Instant, answer: &mut Vec<u8>) {
        if now.saturating_duration_since(self.started) > DROPPED_AFTER {
            self.drop_command();
        }
        self.run = if byte == UART_SYNC_BYTE {
            self.run + 1
        } else {
            0
        };
        if self.run >= UART_SYNC_RUN {
            self.drop_command();
            return;
        }
        if self.header.is_empty() {
            self.started = now;
        }
        if self.header.len() < HEADER {
            self.header.push(byte);
        } else {
            self.data.push(byte);
        }
        let [command, words, a, b, c, d] = self.header[..] else {
            return;
        };
        let words = if words == 0 { 256 } else { u32::from(words) };
        let start = u32::from_be_bytes([a, b, c, d]) << 2;
        let address = |word: u32| match command {
            READ_FIXED | WRITE_FIXED => start,
            _ => start.wrapping_add(4 * word),
        };
        match command {
            READ_INCREMENTING | READ_FIXED => {
                for word in 0..words {
                    // A bus access that gets no answer holds the bridge up until it drops the command.
                    let Some(value) = self.bridge.read(address(word)) else {
                        break;
                    };
                    answer.extend(value.to_be_bytes());
                }
                self.drop_command();
            }
            WRITE_INCREMENTING | WRITE_FIXED => {
                let [a, b, c, d] = self.data[..] else {
                    return;
                };
                let address = address(self.words);
                self.bridge.write(address, u32::from_be_bytes([a, b, c, d]));
                self.data.clear();
                self.words += 1;
                if self.words == words {
                    self.drop_command();
                }
            }
            _ => self.drop_command(),
        }
    }

    fn drop_command(&mut self) {
        self.header.clear();
        self.data.clear();
        self.words = 0;
    }
}

impl<T: Transport + Send> Responder for UartResponder<T> {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let mut answer = Vec::new();
        for &byte in bytes {
            self.take(byte, now, &mut answer);
        }
        answer
    }
}
