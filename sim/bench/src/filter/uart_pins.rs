//! UART bus functional model: drives and samples a serial line clock by clock.

use std::collections::VecDeque;

/// Bits of a byte on the line: start, eight, stop.
const FRAME_BITS: u64 = 10;
/// Parts of a clock that a bit's length is kept in.
const PARTS: u64 = 1 << 16;

/// Shows bytes, breaks and glitches on a pin.
#[derive(Debug, Clone)]
pub struct PinWriter {
    /// Length of a bit in 1/65536 of a clock.
    bit_parts: u64,
    waiting: VecDeque<Signal>,
    shown: Option<(Signal, u64)>,
}

/// What a [`PinWriter`] shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// Ten bits, the lowest first.
    Frame(u16),
    Level(bool, u64),
}

impl PinWriter {
    /// At rest. A bit takes `clocks_per_bit`, times one plus `off`.
    pub fn new(clocks_per_bit: u32, off: f64) -> Self {
        Self {
            bit_parts: (f64::from(clocks_per_bit) * (1.0 + off) * PARTS as f64) as u64,
            waiting: VecDeque::new(),
            shown: None,
        }
    }

    /// A byte, behind what waits.
    pub fn byte(&mut self, byte: u8) {
        self.damaged_byte(byte, 0);
    }

    /// A byte some of whose ten bits on the line, the start bit lowest, are inverted.
    pub fn damaged_byte(&mut self, byte: u8, inverted: u16) {
        let frame = u16::from(byte) << 1 | 1 << (FRAME_BITS - 1);
        self.waiting.push_back(Signal::Frame(frame ^ inverted));
    }

    /// Bytes, behind what waits.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    /// The pin is held low (a glitch, a break) or high (rest) for so many clocks.
    pub fn level(&mut self, high: bool, clocks: u64) {
        self.waiting.push_back(Signal::Level(high, clocks));
    }

    /// Clocks that a byte is shown for.
    pub fn frame_clocks(&self) -> u64 {
        (FRAME_BITS * self.bit_parts).div_ceil(PARTS)
    }

    /// Nothing is shown and nothing waits.
    pub fn at_rest(&self) -> bool {
        self.shown.is_none() && self.waiting.is_empty()
    }

    /// Throws away what waits and what is left of what is shown.
    pub fn abandon(&mut self) {
        self.waiting.clear();
        self.shown = None;
    }

    /// The pin in the next clock.
    #[inline]
    pub fn clock(&mut self) -> bool {
        loop {
            let (signal, clock) = match self.shown {
                Some(shown) => shown,
                None => match self.waiting.pop_front() {
                    Some(signal) => (signal, 0),
                    None => return true,
                },
            };
            self.shown = Some((signal, clock + 1));
            match signal {
                Signal::Frame(bits) => {
                    let bit = clock * PARTS / self.bit_parts;
                    if bit < FRAME_BITS {
                        return bits >> bit & 1 == 1;
                    }
                }
                Signal::Level(high, clocks) if clock < clocks => return high,
                Signal::Level(..) => {}
            }
            self.shown = None;
        }
    }
}

/// Takes bytes from a pin, each in the middle of its stop bit.
#[derive(Debug, Clone)]
pub struct PinReader {
    clocks_per_bit: u64,
    /// Clocks since the start bit began, and the bits so far.
    frame: Option<(u64, u16)>,
    /// A stop bit was missing, and the pin has not been high since.
    broken: bool,
}

impl PinReader {
    /// Listens at so many clocks a bit.
    pub fn new(clocks_per_bit: u32) -> Self {
        Self {
            clocks_per_bit: clocks_per_bit.into(),
            frame: None,
            broken: false,
        }
    }

    /// One clock in which the pin shows `high`; the byte that is complete in it. One without a stop bit is dropped.
    #[inline]
    pub fn clock(&mut self, high: bool) -> Option<u8> {
        if self.broken {
            self.broken = !high;
            return None;
        }
        let (clock, mut bits) = match self.frame {
            None if high => return None,
            None => (0, 0),
            Some(frame) => frame,
        };
        let (bit, within) = (clock / self.clocks_per_bit, clock % self.clocks_per_bit);
        self.frame = Some((clock + 1, bits));
        if within != self.clocks_per_bit / 2 {
            return None;
        }
        bits |= u16::from(high) << bit;
        self.frame = Some((clock + 1, bits));
        if bit + 1 < FRAME_BITS {
            return None;
        }
        self.frame = None;
        self.broken = !high;
        high.then_some((bits >> 1) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_up_to_two_per_cent_off() {
        for n in [8, 13, 125] {
            for off in [-0.02, 0.0, 0.02] {
                let (mut writer, mut reader) = (PinWriter::new(n, off), PinReader::new(n));
                let bytes: Vec<u8> = (0..=u8::MAX).collect();
                writer.bytes(&bytes);
                let mut read = Vec::new();
                while !writer.at_rest() {
                    read.extend(reader.clock(writer.clock()));
                }
                read.extend((0..n).filter_map(|_| reader.clock(writer.clock())));
                assert_eq!(read, bytes, "{n} clocks a bit, off by {off}");
            }
        }
    }

    #[test]
    fn a_byte_without_stop_bit_is_dropped() {
        let (mut writer, mut reader) = (PinWriter::new(8, 0.0), PinReader::new(8));
        writer.damaged_byte(0xA5, 1 << 9);
        writer.level(true, 100);
        writer.byte(0x5A);
        let read: Vec<u8> = (0..300)
            .filter_map(|_| reader.clock(writer.clock()))
            .collect();
        assert_eq!(read, [0x5A]);
    }
}
