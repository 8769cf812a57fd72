use super::Beat;
use bloomline_spec::mac::{MAC_BUFFER_BYTES, MAC_START_BYTES};
use std::collections::VecDeque;

/// The transmit buffer: a frame leaves when it is whole, or far enough in.
#[derive(Debug, Clone, Default)]
pub struct TransmitBufferModel {
    beats: VecDeque<Beat>,
    open: bool,
    // false at power-up and in the clock after a reset
    running: bool,
}

impl TransmitBufferModel {
    /// Whether a beat is taken in this clock.
    pub fn ready(&self) -> bool {
        self.running && self.beats.len() < MAC_BUFFER_BYTES
    }

    /// The beat that is offered in this clock.
    pub fn offered(&self) -> Option<Beat> {
        let begins = self.open
            || self.beats.len() >= MAC_START_BYTES
            || self.beats.iter().any(|beat| beat.last);
        self.beats.front().copied().filter(|_| begins)
    }

    /// One clock with these inputs.
    pub fn clock(&mut self, reset: bool, beat: Option<Beat>, ready: bool) {
        if reset {
            *self = Self::default();
            return;
        }
        let taken = beat.filter(|_| self.ready());
        self.running = true;
        if let Some(given) = self.offered().filter(|_| ready) {
            self.beats.pop_front();
            self.open = !given.last;
        }
        self.beats.extend(taken);
    }
}
