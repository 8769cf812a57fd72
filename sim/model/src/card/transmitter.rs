/// The transmitter of the UART.
#[derive(Debug, Clone)]
pub(super) struct Transmitter {
    clocks_per_bit: u32,
    /// Bits still to be shown, the present one lowest; ones behind them.
    frame: u16,
    idle: bool,
    count: u32,
    bits: u32,
}

/// Ten ones: the line at rest.
const AT_REST: u16 = 0x3FF;
/// Bits of a frame behind its start bit.
const BITS_AFTER_START: u32 = 9;

impl Transmitter {
    /// As after reset, for so many clocks a bit.
    pub fn new(clocks_per_bit: u32) -> Transmitter {
        Transmitter {
            clocks_per_bit,
            frame: AT_REST,
            idle: true,
            count: 0,
            bits: 0,
        }
    }

    /// `uart_tx`.
    pub fn pin(&self) -> bool {
        self.frame & 1 == 1
    }

    /// Whether a byte may be loaded in this clock.
    pub fn idle(&self) -> bool {
        self.idle
    }

    /// One clock without reset, in which `load` is loaded; only while idle.
    pub fn clock(&mut self, load: Option<u8>) {
        debug_assert!(self.idle || load.is_none(), "loaded while at work");
        if let Some(byte) = load {
            self.frame = 1 << 9 | u16::from(byte) << 1;
            self.idle = false;
            self.count = self.clocks_per_bit - 1;
            self.bits = BITS_AFTER_START;
        } else if self.idle {
        } else if self.count > 0 {
            self.count -= 1;
        } else if self.bits == 0 {
            self.idle = true;
        } else {
            self.frame = 1 << 9 | self.frame >> 1;
            self.bits -= 1;
            self.count = self.clocks_per_bit - 1;
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Transmitter::new(self.clocks_per_bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_bits_of_n_clocks_follow_the_load_and_then_it_is_idle() {
        for n in [8_u32, 9] {
            let mut transmitter = Transmitter::new(n);
            assert!(transmitter.pin() && transmitter.idle());
            transmitter.clock(Some(0b1010_0110));
            for bit in [0, 0, 1, 1, 0, 0, 1, 0, 1, 1] {
                for _ in 0..n {
                    assert_eq!((transmitter.pin(), transmitter.idle()), (bit == 1, false));
                    transmitter.clock(None);
                }
            }
            assert!(transmitter.pin() && transmitter.idle());
        }
    }
}
