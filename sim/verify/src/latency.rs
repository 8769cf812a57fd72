//! Measures the latency from item to verdict at the device's ports.

use bloomline_model::output_ports;
use bloomline_spec::ports::Port;
use bloomline_spec::Common;
use std::collections::{BTreeMap, VecDeque};

/// Watches the handshakes of both streams. Verdicts come in the order of their items, and every item of a verification asks for
/// one.
#[derive(Debug, Clone)]
pub(super) struct LatencyProbe {
    waiting: VecDeque<u64>,
    /// Items by clocks from the acceptance to the verdict's first clock.
    pub items_by_clocks: BTreeMap<u64, u64>,
    /// What the contract says of a verdict that nobody holds up.
    pub contract_clocks: u64,
    tready: usize,
    verdict: usize,
}

/// Word of the packed inputs with `s_item_tvalid`.
const TVALID: usize = 1;

impl LatencyProbe {
    /// Of a filter whose verdicts come `contract_clocks` after their items.
    pub fn new(common: &Common, contract_clocks: u32) -> Self {
        let ports = output_ports(common);
        let place = |name: &str| {
            let before = ports.iter().take_while(|port| port.name != name);
            before.map(Port::words).sum()
        };
        Self {
            waiting: VecDeque::new(),
            items_by_clocks: BTreeMap::new(),
            contract_clocks: contract_clocks.into(),
            tready: place("s_item_tready"),
            verdict: place("m_verdict_tvalid"),
        }
    }

    /// Counts another probe's items too.
    pub fn add(&mut self, other: &LatencyProbe) {
        for (clocks, items) in &other.items_by_clocks {
            *self.items_by_clocks.entry(*clocks).or_default() += items;
        }
    }

    /// A clock's packed inputs and outputs; verdicts are always taken, so each shows for one clock.
    pub fn clock(&mut self, now: u64, inputs: &[u64], outputs: &[u64]) {
        if outputs[self.verdict] == 1 {
            if let Some(accepted) = self.waiting.pop_front() {
                *self.items_by_clocks.entry(now - accepted).or_default() += 1;
            }
        }
        if inputs[TVALID] == 1 && outputs[self.tready] == 1 {
            self.waiting.push_back(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Verdict;
    use crate::{Latency, TINY};
    use bloomline_spec::FilterSpec;
    use std::path::Path;

    /// Three items a clock apart, each with its verdict `clocks` later.
    fn probe(clocks: u64) -> LatencyProbe {
        let spec = FilterSpec::from_toml(TINY, Path::new("tiny.toml")).expect("legal");
        let sizing = spec.validate().expect("legal");
        let mut probe = LatencyProbe::new(&sizing, 21);
        let (mut inputs, mut outputs) = (vec![0; 8], vec![0; 16]);
        for now in 0..3 + clocks {
            inputs[TVALID] = u64::from(now < 3);
            outputs[probe.tready] = 1;
            outputs[probe.verdict] = u64::from(now >= clocks);
            probe.clock(now, &inputs, &outputs);
        }
        probe
    }

    #[test]
    fn clocks_are_counted_from_acceptance_to_verdict() {
        let counted = probe(17).items_by_clocks;
        assert_eq!(counted.into_iter().collect::<Vec<_>>(), [(17, 3)]);
    }

    #[test]
    fn a_latency_beside_the_contract_fails_and_none_does_not_apply() {
        let contract = probe(1).contract_clocks;
        let verdict = |clocks| Latency::of(&probe(clocks)).verdict;
        assert_eq!(verdict(contract), Verdict::Pass);
        assert_eq!(verdict(contract + 1), Verdict::Fail);
        assert_eq!(verdict(contract - 1), Verdict::Fail);
        let mut silent = probe(contract);
        silent.items_by_clocks.clear();
        assert_eq!(Latency::of(&silent).verdict, Verdict::NotApplicable);
    }
}
