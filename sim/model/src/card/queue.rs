use bloomline_spec::UART_QUEUE_BYTES;

/// Bytes that were received and not yet taken.
#[derive(Debug, Clone, Default)]
pub(super) struct ByteQueue {
    bytes: [u8; UART_QUEUE_BYTES as usize],
    /// How many of the first are in use, the oldest first.
    used: usize,
    /// What is shown of the oldest.
    shown: Option<u8>,
}

impl ByteQueue {
    /// The oldest byte, if there was one in the clock before and none was taken there.
    pub fn head(&self) -> Option<u8> {
        self.shown
    }

    /// Whether a byte that comes in this clock is dropped.
    pub fn is_full(&self) -> bool {
        self.used == self.bytes.len()
    }

    /// One clock without reset: the head is taken, a byte came. What comes while the queue is full is dropped, also when
    /// the head is taken in the same clock.
    pub fn clock(&mut self, take: bool, received: Option<u8>) {
        let full = self.is_full();
        self.shown = (self.used > 0 && !take).then(|| self.bytes[0]);
        if take {
            self.bytes.copy_within(1.., 0);
            self.used -= 1;
        }
        if let Some(byte) = received.filter(|_| !full) {
            self.bytes[self.used] = byte;
            self.used += 1;
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.used = 0;
        self.shown = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seventeenth_byte_is_dropped_even_if_the_first_is_taken_in_its_clock() {
        let mut queue = ByteQueue::default();
        for byte in 0..16 {
            queue.clock(false, Some(byte));
        }
        queue.clock(false, Some(16));
        queue.clock(true, Some(17));
        queue.clock(false, None);
        queue.clock(true, Some(18));
        let mut left = Vec::new();
        queue.clock(false, None);
        while let Some(byte) = queue.head() {
            left.push(byte);
            queue.clock(true, None);
            queue.clock(false, None);
        }
        let expected: Vec<u8> = (2..16).chain([18]).collect();
        assert_eq!(left, expected);
    }
}
