//! Stimulus that offers keys as fast as the filter accepts them.

use crate::lockstep::Stimulus;
use bloomline_model::Inputs;
use bloomline_spec::{Design, Key, Operation};

/// One item of a stream.
#[derive(Debug, Clone)]
pub struct TrafficItem {
    /// Its key.
    pub key: Key,
    /// What to do with it.
    pub operation: Operation,
}

/// Offers the items of a source one after the other, always taking verdicts; ends when the last has left the pipeline.
pub struct Traffic<I> {
    source: I,
    inputs: Inputs,
    key_bits: u32,
    tag_bits: u32,
    next_tag: u64,
    drain: u32,
}

impl<I: Iterator<Item = TrafficItem>> Traffic<I> {
    /// Traffic from `source` for the filter of a design, or of a geometry of any kind.
    pub fn new(design: impl Into<Design>, source: I) -> Self {
        let design = design.into();
        let timing = design.timing();
        Self {
            source,
            inputs: Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            },
            key_bits: design.key_bits(),
            tag_bits: design.tag_bits(),
            next_tag: 0,
            drain: timing.retire_clocks + timing.verdict_queue_depth,
        }
    }
}

impl<I: Iterator<Item = TrafficItem>> Stimulus for Traffic<I> {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if !self.inputs.s_item_tvalid {
            match self.source.next() {
                Some(item) => {
                    self.inputs.set_key(&item.key);
                    self.inputs.s_item_tuser = item.operation.code().into();
                    self.inputs.s_item_tid = self.next_tag & (u64::MAX >> (64 - self.tag_bits));
                    self.inputs.s_item_tvalid = true;
                    self.next_tag += 1;
                }
                None if self.drain == 0 => return false,
                None => self.drain -= 1,
            }
        }
        self.inputs.pack(self.key_bits, inputs);
        if predicted[0] & 1 == 1 {
            self.inputs.s_item_tvalid = false;
        }
        true
    }
}
