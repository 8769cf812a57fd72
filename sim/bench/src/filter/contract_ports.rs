//! Ports of a filter by its contract: when it takes items, and when their verdicts come, for a filter that is never held up.

use super::PackedModel;
use crate::lockstep::Reference;
use bloomline_model::{output_ports, Inputs, Modelled};
use bloomline_spec::ports::Port;
use bloomline_spec::{Common, Design, Erase};

/// Clocks within which a filter that is never reset takes its first item.
const MOST_START_CLOCKS: u32 = 1 << 20;
/// Words of the packed inputs with `s_item_tvalid`.
const TVALID: usize = 1;

/// Predicts the ports of a filter that takes an item in every clock from its first on, as long as verdicts are taken and no register is
/// touched: each verdict comes the contract's latency after its item. What a verdict is comes from outside.
///
/// It knows nothing of stalls: a filter that has one differs, and only the cycle-accurate model says whether rightly.
#[derive(Debug, Clone)]
pub struct ContractPorts {
    /// Outputs, and the bits of them that are compared, of the clocks before the first item may come; the last are those of every clock
    /// after them.
    start: Vec<(Vec<u64>, Vec<u64>)>,
    now: usize,
    /// Words of `m_verdict_tvalid`, `m_verdict_tdata` and `m_verdict_tid` in the packed outputs.
    verdict: [usize; 3],
    masks: [u64; 2],
    tid: usize,
    /// Verdicts and tags by the clock in which they come, modulo its length.
    coming: Vec<Option<(u64, u64)>>,
    latency: usize,
}

/// Whether items wait for the panes of a counting filter to change places.
fn waits_for_turns(design: &Design) -> bool {
    design.cells().is_some_and(|cells| cells.window().is_some())
}

/// Whether items may wait for the spare half of a recycling filter to be erased.
fn waits_for_an_erase(design: &Design) -> bool {
    let Design::Recycling(filter) = design else {
        return false;
    };
    filter.erase() == Erase::SpareHalf && filter.threshold() < filter.stall_free_threshold()
}

impl ContractPorts {
    /// The ports of a filter at power-up; none for one that takes an item only every few clocks, or whose items may wait for an erase or a turn.
    pub fn new<G>(geometry: &G) -> Option<ContractPorts>
    where
        G: Modelled,
        for<'a> Design: From<&'a G>,
    {
        let common: &Common = geometry.common();
        let timing = Design::from(geometry).timing();
        let design = Design::from(geometry);
        if timing.initiation_interval != 1
            || waits_for_an_erase(&design)
            || waits_for_turns(&design)
        {
            return None;
        }
        let ports = output_ports(common);
        let place = |name: &str| -> usize {
            let before = ports.iter().take_while(|port| port.name != name);
            before.map(Port::words).sum()
        };
        let verdict = ["m_verdict_tvalid", "m_verdict_tdata", "m_verdict_tid"].map(place);
        let words: usize = ports.iter().map(Port::words).sum();
        let mut model = PackedModel::new(geometry);
        let mut inputs = vec![0; 64];
        let idle = Inputs {
            m_verdict_tready: true,
            ..Inputs::default()
        };
        idle.pack(common.key_bits(), &mut inputs);
        let mut start = Vec::new();
        let ready = place("s_item_tready");
        for _ in 0..MOST_START_CLOCKS {
            let (mut outputs, mut care) = (vec![0; words], vec![0; words]);
            model.outputs(&mut outputs, &mut care);
            model.clock(&inputs);
            let begins = outputs[ready] == 1;
            start.push((outputs, care));
            if begins {
                let latency = timing.latency_clocks() as usize;
                return Some(ContractPorts {
                    start,
                    now: 0,
                    verdict,
                    masks: [common.verdict_bits(), common.tag_bits()]
                        .map(|bits| u64::MAX >> (64 - bits)),
                    tid: TVALID + 1 + common.key_bits().div_ceil(64) as usize + 1,
                    coming: vec![None; latency + 1],
                    latency,
                });
            }
        }
        None
    }

    /// Whether the item of these inputs is taken in the present clock.
    pub fn takes(&self, inputs: &[u64]) -> bool {
        inputs[TVALID] == 1 && self.now + 1 >= self.start.len()
    }

    /// Predicts the outputs of the present clock, as of [`Reference::outputs`].
    pub fn outputs(&self, outputs: &mut [u64], care: &mut [u64]) {
        let (idle, cared) = &self.start[self.now.min(self.start.len() - 1)];
        outputs.copy_from_slice(idle);
        care.copy_from_slice(cared);
        if let Some((verdict, tag)) = self.coming[self.now % self.coming.len()] {
            let [valid, data, tid] = self.verdict;
            outputs[valid] = 1;
            (outputs[data], care[data]) = (verdict, self.masks[0]);
            (outputs[tid], care[tid]) = (tag, self.masks[1]);
        }
    }

    /// Ends the present clock; `verdict` is that of the item that was taken in it.
    pub fn clock(&mut self, inputs: &[u64], verdict: Option<u64>) {
        let places = self.coming.len();
        self.coming[self.now % places] = None;
        let at = (self.now + self.latency) % places;
        let tag = inputs[self.tid] & self.masks[1];
        self.coming[at] = verdict.map(|verdict| (verdict, tag));
        self.now += 1;
    }
}
