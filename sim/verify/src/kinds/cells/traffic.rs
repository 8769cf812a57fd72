//! The items of a script as stimulus.

use super::script::Script;
use bloomline_bench::lockstep::Stimulus;
use bloomline_model::Inputs;
use bloomline_spec::{CellGeometry, OPERATION_BITS};
use std::sync::Arc;

/// Offers the items one after the other, always taking verdicts; ends when the last has left the pipeline.
pub(super) struct ScriptTraffic {
    script: Arc<Script>,
    next: usize,
    inputs: Inputs,
    key_bits: u32,
    tag_mask: u64,
    amount_mask: u64,
    drain: u32,
}

impl ScriptTraffic {
    pub fn new(geometry: &CellGeometry, script: Arc<Script>) -> Self {
        let timing = geometry.timing();
        Self {
            script,
            next: 0,
            inputs: Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            },
            key_bits: geometry.key_bits(),
            tag_mask: u64::MAX >> (64 - geometry.tag_bits()),
            amount_mask: (1 << geometry.amount_bits()) - 1,
            drain: timing.retire_clocks + timing.verdict_queue_depth,
        }
    }
}

impl Stimulus for ScriptTraffic {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if !self.inputs.s_item_tvalid {
            match self.script.items.get(self.next) {
                Some(item) => {
                    self.inputs.set_key(&self.script.keys[item.key as usize]);
                    let amount = u64::from(item.amount) & self.amount_mask;
                    self.inputs.s_item_tuser =
                        u64::from(item.operation().code()) | amount << OPERATION_BITS;
                    self.inputs.s_item_tid = self.next as u64 & self.tag_mask;
                    self.inputs.s_item_tvalid = true;
                    self.next += 1;
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
