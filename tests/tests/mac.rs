//! The MAC's blocks are their models, clock for clock.

use bloomline_bench::lockstep::{Bench, Clock};
use bloomline_bench::verilator::Initial;
use bloomline_model::mac::FrameEnd;
use bloomline_tests::{mac_sides, runs, simulation, MacReference, MacTorture};
use std::collections::BTreeMap;

/// What the runs came to, so that one that tests nothing fails.
#[derive(Debug, Default)]
struct Tally {
    ends: BTreeMap<FrameEnd, u64>,
    overflows: u64,
    sent: u64,
    broken: u64,
    underruns: u64,
    held_up: u64,
    dry: u64,
    clocks: u64,
}

impl Tally {
    fn look(&mut self, clock: &Clock<'_, MacReference>) {
        let reference = clock.reference;
        if let Some(end) = reference.receiver.end() {
            *self.ends.entry(end).or_default() += 1;
        }
        let shown = reference.transmitter.outputs();
        self.overflows += u64::from(reference.gate.overflow());
        self.sent += u64::from(shown.sent);
        self.broken += u64::from(shown.broken);
        self.underruns += u64::from(shown.underrun);
        self.held_up += u64::from(!reference.buffer.ready());
        self.dry += u64::from(reference.buffer.offered().is_none());
        self.clocks += 1;
    }

    /// Every kind of thing happened, so often in a million clocks.
    fn is_worth(&self, least: u64) {
        println!("{self:?}");
        let rare = [self.overflows, self.sent, self.broken, self.underruns];
        let ends = self.ends.values().copied();
        let all: Vec<u64> = ends.chain(rare).chain([self.held_up, self.dry]).collect();
        assert_eq!(self.ends.len(), 4, "{self:?}");
        assert!(
            all.iter()
                .all(|&count| count * 1_000_000 > least * self.clocks),
            "{self:?}"
        );
    }
}

#[test]
fn every_output_on_every_clock_is_the_models_in_verilator() {
    let (design, _) = mac_sides(&[]);
    let bench = Bench::new(simulation(&design));
    let mut tally = Tally::default();
    for seed in 0..runs(1, 4) {
        let make = |seed| (MacReference::default(), MacTorture::new(seed, 150_000));
        bench
            .run(seed, Initial::Random(seed), make, |clock| tally.look(clock))
            .unwrap_or_else(|error| panic!("{error}"));
    }
    tally.is_worth(50);
}
