use crate::faults::{self, Fault};
use crate::setup::{few, simulation, soak};
use crate::CardSample;
use bloomline_bench::filter::{
    emitted_card_design, CardReference, CardTorture, CardTortureMix, ClockedModel,
};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::verilator::{Design, Initial};
use bloomline_model::{CardModel, CardStatus};
use bloomline_spec::{by_kind, Common};
use std::cell::RefCell;

/// Something to do with a card, whatever its filter.
pub trait CardTask {
    /// What comes of it.
    type Result;

    /// Does it with the emitted design of a card, and with its model at power-up.
    fn run<M: ClockedModel + Clone>(
        self,
        common: &Common,
        design: Design,
        model: CardModel<M>,
    ) -> Self::Result;
}

/// Does `task` with the card of `sample`.
///
/// # Panics
/// When the card cannot be emitted.
pub fn with_card<T: CardTask>(sample: &CardSample, task: T) -> T::Result {
    const CARD: &str = "a card sample has a card";
    by_kind!(sample.geometry(), geometry => {
        let (design, _) = emitted_card_design(&geometry).expect("emit");
        task.run(&geometry, design, CardModel::new(&geometry).expect(CARD))
    })
}

/// What the runs of a sample came to, so that a run that tests nothing fails.
#[derive(Debug, Default)]
struct Tally {
    /// Items of the host's that were done, and those seen before.
    items: u64,
    seen: u64,
    /// Accesses over the UART, and those asked for by mailbox.
    accesses: u64,
    requests: u64,
    before: Option<CardStatus>,
}

impl Tally {
    fn look(&mut self, now: CardStatus) {
        let before = self.before.replace(now).unwrap_or(now);
        if now.item_result >> 24 & 0x7F != before.item_result >> 24 & 0x7F {
            self.items += 1;
            self.seen += u64::from(now.item_result & 1);
        }
        if now.accesses != before.accesses {
            self.accesses += 1;
            self.requests += u64::from(now.tag != 0);
        }
    }
}

struct Lockstep {
    sample: CardSample,
    runs: u64,
    clocks: u64,
}

impl CardTask for Lockstep {
    type Result = u64;

    fn run<M: ClockedModel + Clone>(
        self,
        common: &Common,
        design: Design,
        model: CardModel<M>,
    ) -> u64 {
        let bench = Bench::new(simulation(&design));
        let tally = RefCell::new(Tally::default());
        let mut clocks = 0;
        for seed in 0..self.runs {
            let make = |seed| {
                let mix = CardTortureMix::draw(common, seed, self.clocks);
                (
                    CardReference::new(common, model.clone()),
                    CardTorture::new(common, mix, seed),
                )
            };
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    tally.borrow_mut().look(clock.reference.model.status());
                })
                .unwrap_or_else(|error| panic!("{:?}, seed {seed}: {error}", self.sample));
            clocks += outcome.clocks;
        }
        let tally = tally.into_inner();
        println!("{:?}: {tally:?}", self.sample);
        let uart = self.sample.clocks_per_bit.is_some();
        assert!(
            tally.items > 4 * self.runs && tally.seen > self.runs,
            "{tally:?}"
        );
        assert!(
            !uart || (tally.accesses > 20 * self.runs && tally.requests > self.runs),
            "{tally:?}"
        );
        clocks
    }
}

/// Runs the emitted Verilog of each card against the model under torture, `runs` times for `clocks` clocks, or over a UART for
/// so many times its clocks a bit, each with a mix of its own; the environment's `BLOOMLINE_SOAK` multiplies the runs.
///
/// # Panics
/// At the first difference, and when the runs of a sample never came to what they are for.
pub fn cards_in_lockstep(runs: u64, clocks: u64, samples: &[CardSample]) {
    let runs = runs * soak();
    let run = |&sample: &CardSample| {
        let task = Lockstep {
            sample,
            runs,
            clocks: clocks * sample.clocks_per_bit.unwrap_or(1),
        };
        with_card(&sample, task)
    };
    let clocks: u64 = few(samples, 1).iter().map(run).sum();
    println!("{clocks} clocks in lockstep");
}

struct Faults<'a> {
    faults: &'a [Fault],
    seeds: u64,
    clocks: u64,
}

impl CardTask for Faults<'_> {
    type Result = ();

    fn run<M: ClockedModel + Clone>(self, common: &Common, design: Design, model: CardModel<M>) {
        faults::every_fault_is_caught_in_lanes(&design, self.faults, self.seeds, |seed| {
            let mix = CardTortureMix::draw(common, seed, self.clocks);
            (
                CardReference::new(common, model.clone()),
                CardTorture::new(common, mix, seed),
            )
        });
    }
}

/// As [`faults::every_fault_is_caught_in_lanes`], for the emitted card of `sample` under torture of `clocks` clocks a seed.
///
/// # Panics
/// As [`faults::every_fault_is_caught_in_lanes`].
pub fn every_card_fault_is_caught(sample: &CardSample, faults: &[Fault], seeds: u64, clocks: u64) {
    let task = Faults {
        faults,
        seeds,
        clocks,
    };
    with_card(sample, task);
}
