//! Implicit clocks: a block's clock is connected by its parent.

use super::value::Value;
use super::{About, Constant, DelayLine, EnableRegister, Port, Register, ResetRegister, SliceOf};
use rust_hdl::prelude::{Clock, Direction, In, Logic, Signal};
use rust_hdl::synth::Synth;

/// What a block with a clock may hold: a sub-block with an input `clock` gets it, anything else ignores it.
///
/// `#[derive(LogicBlock)]` implements it.
pub trait Clocked {
    /// Drives the clock, before the kernel runs.
    #[inline(always)]
    fn drive_clock(&mut self, _clock: Clock) {}

    /// Notes that the clock is driven.
    fn claim_clock(&mut self) {}
}

impl<D: Direction, V: Value> Clocked for Port<D, V> {}
impl<D: Direction, T: Synth> Clocked for Signal<D, T> {}
impl<V: Value> Clocked for Constant<V> {}
impl<V: Value> Clocked for SliceOf<V> {}
impl Clocked for About {}

impl<B: Clocked> Clocked for Vec<B> {
    #[inline(always)]
    fn drive_clock(&mut self, clock: Clock) {
        for block in self {
            block.drive_clock(clock);
        }
    }

    fn claim_clock(&mut self) {
        for block in self {
            block.claim_clock();
        }
    }
}

macro_rules! clocked {
    ($($block:ident)+) => { $(
        impl<V: Value> Clocked for $block<V> {
            #[inline(always)]
            fn drive_clock(&mut self, clock: Clock) {
                self.clock.next = clock;
            }

            fn claim_clock(&mut self) {
                let clock: &mut Signal<In, Clock> = &mut self.clock;
                clock.connect();
            }
        }
    )+ };
}

clocked!(Register ResetRegister EnableRegister DelayLine);
