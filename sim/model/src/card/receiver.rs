/// The receiver of the UART: two registers against metastability, then a state machine that meets each bit in its middle.
#[derive(Debug, Clone)]
pub(super) struct Receiver {
    clocks_per_bit: u32,
    rx1: bool,
    rx2: bool,
    state: State,
    shift: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Busy { count: u32, bit: u32 },
    Break,
}

/// Number of the stop bit; the start bit is 0.
const STOP_BIT: u32 = 9;

impl Receiver {
    /// As after reset, for so many clocks a bit.
    pub fn new(clocks_per_bit: u32) -> Receiver {
        Receiver {
            clocks_per_bit,
            rx1: true,
            rx2: true,
            state: State::Idle,
            shift: 0,
        }
    }

    /// One clock without reset, in which the pin shows `rx`; the byte that is received in it.
    pub fn clock(&mut self, rx: bool) -> Option<u8> {
        let line = std::mem::replace(&mut self.rx2, std::mem::replace(&mut self.rx1, rx));
        let mut received = None;
        let next_bit = |bit| State::Busy {
            count: self.clocks_per_bit - 1,
            bit,
        };
        self.state = match self.state {
            State::Idle if line => State::Idle,
            State::Idle => State::Busy {
                count: self.clocks_per_bit / 2 - 1,
                bit: 0,
            },
            State::Busy { count, bit } if count > 0 => State::Busy {
                count: count - 1,
                bit,
            },
            // A start bit that is over by its middle was a glitch.
            State::Busy { bit: 0, .. } if line => State::Idle,
            State::Busy { bit: 0, .. } => next_bit(1),
            State::Busy { bit: STOP_BIT, .. } if line => {
                received = Some(self.shift);
                State::Idle
            }
            State::Busy { bit: STOP_BIT, .. } => State::Break,
            State::Busy { bit, .. } => {
                self.shift = self.shift >> 1 | u8::from(line) << 7;
                next_bit(bit + 1)
            }
            State::Break if line => State::Idle,
            State::Break => State::Break,
        };
        received
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Receiver::new(self.clocks_per_bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pin of one byte: start, eight bits, stop, each of so many clocks.
    fn frame(byte: u8, clocks_per_bit: u32) -> Vec<bool> {
        let bits = (u16::from(byte) << 1) | 1 << 9;
        (0..10)
            .flat_map(|bit| vec![bits >> bit & 1 == 1; clocks_per_bit as usize])
            .collect()
    }

    /// What is received, and in which clock, while the pin shows these and then rests.
    fn received(receiver: &mut Receiver, pin: &[bool]) -> Vec<(usize, u8)> {
        let rest = std::iter::repeat_n(true, 400);
        pin.iter()
            .copied()
            .chain(rest)
            .enumerate()
            .filter_map(|(clock, rx)| Some((clock, receiver.clock(rx)?)))
            .collect()
    }

    #[test]
    fn every_byte_is_received_in_the_middle_of_its_stop_bit() {
        for n in [8, 9, 13, 20, 125] {
            let mut receiver = Receiver::new(n);
            for byte in 0..=u8::MAX {
                // two clocks to the state machine, one more to leave IDLE
                let clock = 2 + n / 2 + 9 * n;
                assert_eq!(
                    received(&mut receiver, &frame(byte, n)),
                    [(clock as usize, byte)],
                    "{n} clocks a bit"
                );
            }
        }
    }

    #[test]
    fn bytes_may_follow_each_other_without_rest() {
        for n in [8, 9] {
            let pin: Vec<bool> = [0x00, 0xFF, 0x5A].map(|byte| frame(byte, n)).concat();
            let bytes = received(&mut Receiver::new(n), &pin);
            let bytes: Vec<u8> = bytes.iter().map(|&(_, byte)| byte).collect();
            assert_eq!(bytes, [0x00, 0xFF, 0x5A], "{n} clocks a bit");
        }
    }

    #[test]
    fn low_for_less_than_half_a_bit_is_a_glitch_and_half_a_bit_is_a_start() {
        for n in [8_u32, 9, 20] {
            for low in 1..=n {
                let pin = vec![false; low as usize];
                let bytes = received(&mut Receiver::new(n), &pin);
                let starts = low > n / 2;
                // all ones behind the start bit
                let expected = if starts { vec![0xFF] } else { vec![] };
                let bytes: Vec<u8> = bytes.iter().map(|&(_, byte)| byte).collect();
                assert_eq!(bytes, expected, "{low} clocks low of {n}");
            }
        }
    }

    #[test]
    fn a_break_gives_no_byte_and_the_next_byte_is_whole() {
        let n = 8;
        for bits in [10, 11, 30] {
            let mut pin = vec![false; (bits * n) as usize];
            pin.extend(vec![true; 3]);
            pin.extend(frame(0x42, n));
            let bytes = received(&mut Receiver::new(n), &pin);
            assert!(matches!(bytes[..], [(_, 0x42)]), "{bits} bits: {bytes:?}");
        }
    }

    #[test]
    fn reset_in_a_byte_drops_it() {
        let n = 8;
        let mut receiver = Receiver::new(n);
        for rx in &frame(0xFF, n)[..60] {
            assert_eq!(receiver.clock(*rx), None);
        }
        receiver.reset();
        assert_eq!(received(&mut receiver, &frame(0xFF, n)[60..]), []);
    }
}
