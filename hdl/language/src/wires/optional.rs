//! Parts of a block that only some of its kind have.

use super::clocked::Clocked;
use rust_hdl::prelude::{Block, Clock, Logic, Probe};
use std::ops::{Deref, DerefMut};

/// A signal, register or sub-block that a block has only where it is asked for, under the name that it would have anyway.
///
/// Where it is not there it is neither printed nor simulated, and a kernel names it only under a condition that is decided when the block
/// is built. A `Vec` of none or one does the same with a number at the end of the name.
#[derive(Clone, Debug)]
pub struct Optional<B> {
    block: B,
    built: bool,
}

impl<B> Optional<B> {
    /// `block`, there if `built`.
    pub fn new(built: bool, block: B) -> Self {
        Optional { block, built }
    }
}

impl<B> Deref for Optional<B> {
    type Target = B;

    #[inline(always)]
    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Optional<B> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: Logic> Logic for Optional<B> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        if self.built {
            self.block.connect();
        }
    }
}

impl<B: Clocked> Clocked for Optional<B> {
    #[inline(always)]
    fn drive_clock(&mut self, clock: Clock) {
        if self.built {
            self.block.drive_clock(clock);
        }
    }

    fn claim_clock(&mut self) {
        if self.built {
            self.block.claim_clock();
        }
    }
}

impl<B: Block> Block for Optional<B> {
    fn connect_all(&mut self) {
        if self.built {
            self.block.connect_all();
        }
    }

    #[inline(always)]
    fn update_all(&mut self) {
        if self.built {
            self.block.update_all();
        }
    }

    #[inline(always)]
    fn has_changed(&self) -> bool {
        self.built && self.block.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if self.built {
            self.block.accept(name, probe);
        }
    }
}
