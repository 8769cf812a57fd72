//! AXI4-Stream source that holds each beat until it is accepted.

use super::frames::OfferedFrame;
use super::pins::{shows, FramePins};
use super::script::Rates;
use rand::rngs::SmallRng;
use rand::Rng;

/// A frame on its way in.
#[derive(Debug)]
struct Incoming {
    frame: OfferedFrame,
    /// Bytes of the beats that were taken.
    taken: usize,
    /// A reset came after its first beat.
    cut: bool,
}

/// What became of an offer in a clock.
#[derive(Debug)]
pub(super) enum Came {
    /// Nothing ended.
    Nothing,
    /// This frame has ended.
    Whole(OfferedFrame),
    /// One that a reset had cut has ended.
    Cut,
}

/// The source of frames.
#[derive(Debug)]
pub(super) struct Source {
    pins: FramePins,
    beat_bytes: usize,
    incoming: Option<Incoming>,
    /// A beat is on offer and stands.
    offering: bool,
}

impl Source {
    pub fn new(pins: FramePins, beat_bytes: usize) -> Source {
        Source {
            pins,
            beat_bytes,
            incoming: None,
            offering: false,
        }
    }

    /// No frame is on its way in.
    pub fn is_idle(&self) -> bool {
        self.incoming.is_none()
    }

    /// Begins a frame; none is on its way.
    pub fn begin(&mut self, frame: OfferedFrame) {
        self.incoming = Some(Incoming {
            frame,
            taken: 0,
            cut: false,
        });
    }

    /// The pins in this clock; what means nothing is noise.
    pub fn drive(&mut self, rng: &mut SmallRng, rates: &Rates, inputs: &mut [u64]) {
        let pins = self.pins;
        if let Some(incoming) = &self.incoming {
            let within = incoming.taken > 0;
            let gap = if within {
                rates.gap_within
            } else {
                rates.gap_between
            };
            self.offering |= gap == 0.0 || !rng.random_bool(gap);
        }
        inputs[pins.s_valid] = self.offering.into();
        inputs[pins.s_user] = rng.random::<u64>() & 1;
        let words = &mut inputs[pins.s_data..][..self.beat_bytes.div_ceil(8)];
        words.fill_with(|| rng.random());
        let Some(incoming) = self.incoming.as_ref().filter(|_| self.offering) else {
            inputs[pins.s_last] = rng.random::<u64>() & 1;
            if let Some(keep) = pins.s_keep {
                inputs[keep] = rng.random();
            }
            return;
        };
        let left = &incoming.frame.bytes[incoming.taken..];
        let beat = &left[..left.len().min(self.beat_bytes)];
        for (at, &byte) in beat.iter().enumerate() {
            let word = &mut inputs[pins.s_data + at / 8];
            let shift = 8 * (at % 8);
            *word = *word & !(0xFF << shift) | u64::from(byte) << shift;
        }
        if let Some(keep) = pins.s_keep {
            inputs[keep] = u64::MAX >> (64 - beat.len());
        }
        let last = beat.len() == left.len();
        inputs[pins.s_last] = last.into();
        if last {
            inputs[pins.s_user] = incoming.frame.bad.into();
        }
    }

    /// What came of the offer.
    pub fn clock(&mut self, reset: bool, outputs: &[u64]) -> Came {
        let taken = self.offering && shows(outputs, self.pins.s_ready);
        let Some(incoming) = &mut self.incoming else {
            return Came::Nothing;
        };
        if taken {
            self.offering = false;
            incoming.taken += self.beat_bytes;
        }
        incoming.cut |= reset && incoming.taken > 0;
        if incoming.taken < incoming.frame.bytes.len() {
            return Came::Nothing;
        }
        match self.incoming.take() {
            Some(incoming) if !incoming.cut => Came::Whole(incoming.frame),
            _ => Came::Cut,
        }
    }
}
