//! A host on a bad line to the pins of a card: under drops, flips and delays every operation through the mailbox is right or
//! fails with an error that says so, and afterwards the card is what the host was told.

use bloomline_driver::{
    conformance, Checking, Device, Item, Limits, Line, Transport, TransportError, Uart,
    UartCarrier, Verdict,
};
use bloomline_model::{CardModel, PipelineModel, RecyclingFilter};
use bloomline_spec::registers::{address, field, RecyclingCounter, RegisterMap};
use bloomline_spec::{Access, CellOperation, Common, Key, Operation, RecyclingGeometry};
use bloomline_tests::{soak, CardGeometry, CardLine, CardSample, HarmRates, Sample, SampleFilter};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// One byte in forty is harmed.
const RATES: HarmRates = HarmRates {
    drop: 0.008,
    flip: 0.009,
    delay: 0.008,
};

/// Given to every access, by the line's clock.
const WITHIN: Duration = Duration::from_secs(8);

/// Drops, flips and delays of a run; `BLOOMLINE_SOAK` multiplies the runs.
const HARM: u64 = 2_500;
const RUNS: u64 = 4;

/// Keys that items are drawn from.
const KEYS: u128 = 60;

const KEY_BITS: u32 = 40;

fn sample() -> CardSample {
    CardSample {
        filter: SampleFilter::Recycling(Sample {
            key_bits: KEY_BITS,
            hashes: 2,
            threshold: 128,
            ..Sample::BASE
        }),
        ..CardSample::BASE
    }
}

/// What became of the accesses.
#[derive(Debug, Default)]
struct Tally {
    right: u64,
    timeouts: u64,
    unknown: u64,
    items: u64,
}

/// A host that keeps account of what it was told.
struct Host {
    link: Uart<CardLine<PipelineModel>>,
    geometry: RecyclingGeometry,
    rng: ChaCha8Rng,
    tally: Tally,
    /// What the filter ought to hold.
    twin: RecyclingFilter,
    /// Items that were done, in all and by operation.
    items: u64,
    /// What the registers ought to hold.
    max_age: u32,
    sequence: u32,
}

impl Host {
    fn new(seed: u64) -> Host {
        let CardGeometry::Recycling(geometry) = sample().geometry() else {
            unreachable!("the sample is a recycling filter")
        };
        let common: &Common = &geometry;
        let card = CardModel::new(&geometry).expect("has a card");
        let baud = common
            .card()
            .and_then(|card| card.uart)
            .expect("has a UART")
            .baud;
        let line = CardLine::new(common, card, seed);
        Host {
            link: Uart::new(UartCarrier::new(line, baud), 0, Checking::Mailbox),
            twin: RecyclingFilter::new(&geometry),
            geometry,
            rng: ChaCha8Rng::seed_from_u64(!seed),
            tally: Tally::default(),
            items: 0,
            max_age: 0,
            sequence: 0,
        }
    }

    fn line(&self) -> &CardLine<PipelineModel> {
        self.link.carrier().line()
    }

    fn set_rates(&mut self, rates: HarmRates) {
        self.link.carrier_mut().line_mut().set_rates(rates);
    }

    /// One access, which ends in time; `None` where it fails with an error that a bad line may give.
    fn access<R>(
        &mut self,
        what: &str,
        access: impl FnOnce(&mut Uart<CardLine<PipelineModel>>) -> Result<R, TransportError>,
    ) -> Option<R> {
        let before = self.line().now();
        let result = access(&mut self.link);
        let took = self.line().now() - before;
        assert!(
            took <= WITHIN + Duration::from_millis(1),
            "{what} took {took:?}"
        );
        match result {
            Ok(value) => {
                self.tally.right += 1;
                Some(value)
            }
            Err(TransportError::Timeout { .. }) => {
                self.tally.timeouts += 1;
                None
            }
            Err(TransportError::Unknown { .. }) => {
                self.tally.unknown += 1;
                None
            }
            Err(error) => panic!("{what}: {error}"),
        }
    }

    fn read(&mut self, byte: u32) -> Option<u32> {
        self.access("a read", |link| link.read(byte, WITHIN))
    }

    /// Reads until an answer comes: with it, no write of before can be carried out any more.
    fn read_for_sure(&mut self, byte: u32) -> u32 {
        for _ in 0..50 {
            if let Some(value) = self.read(byte) {
                return value;
            }
        }
        panic!("no answer in 50 tries at {byte:#x}");
    }

    /// Writes a register that holds what it is written, and finds out what it holds where that is not certain.
    fn set(&mut self, byte: u32, value: u32, before: u32) -> u32 {
        let written = self.access("a write", |link| link.write(byte, value, WITHIN));
        if written.is_some() {
            return value;
        }
        let held = self.read_for_sure(byte);
        assert!(held == value || held == before, "{byte:#x} holds {held:#x}");
        held
    }

    fn reads_constants(&mut self) {
        let map = RegisterMap::of(&self.geometry);
        let constants: Vec<_> = map
            .registers()
            .filter(|register| register.access == Access::Constant)
            .collect();
        let register = constants[self.rng.random_range(0..constants.len())];
        if let Some(value) = self.read(register.offset) {
            assert_eq!(Some(value), register.reset, "{}", register.name);
        }
    }

    fn is_refused(&mut self) {
        let result = self.link.write(address::MAGIC, 1, WITHIN);
        assert!(
            matches!(
                result,
                Err(TransportError::Refused { .. }
                    | TransportError::Timeout { .. }
                    | TransportError::Unknown { .. })
            ),
            "{result:?}"
        );
        let result = self.link.read(0x1FC, WITHIN);
        assert!(
            matches!(
                result,
                Err(TransportError::NoRegister { .. } | TransportError::Timeout { .. })
            ),
            "{result:?}"
        );
    }

    fn writes_max_age(&mut self) {
        // far off: no recycle by age comes in the run
        let value = 1 << 31 | self.rng.random::<u32>();
        self.max_age = self.set(address::MAX_AGE, value, self.max_age);
        if let Some(value) = self.read(address::MAX_AGE) {
            assert_eq!(value, self.max_age);
        }
    }

    /// One item through the registers: its verdict is the twin's, and it is done once.
    fn item(&mut self) {
        let value = self.rng.random_range(0..KEYS);
        let operation = Operation::ALL[self.rng.random_range(0..3)];
        let key = Key::from_integer(value << 7 | value, KEY_BITS).expect("fits");
        let words = [key.words()[0] as u32, (key.words()[0] >> 32) as u32];
        // until each holds what it is to hold; the operation's write is harmless again and again
        for (byte, data) in [
            (address::ITEM_OPERATION, u32::from(operation.code())),
            (address::ITEM_KEY, words[0]),
        ] {
            while self
                .access("a write", |link| link.write(byte, data, WITHIN))
                .is_none()
            {}
        }
        // the highest word offers the item: whether it was done, where that is not certain, the sequence says
        let done = loop {
            let offered = self.access("an offer", |link| {
                link.write(address::ITEM_KEY + 4, words[1], WITHIN)
            });
            let result = loop {
                let result = self.read_for_sure(address::ITEM_RESULT);
                if result >> field::ITEM_BUSY == 0 {
                    break result;
                }
            };
            let sequence = result >> field::ITEM_SEQUENCE & 0x7F;
            if sequence != self.sequence {
                assert_eq!(sequence, (self.sequence + 1) & 0x7F, "done once");
                self.sequence = sequence;
                break result;
            }
            assert!(offered.is_none(), "told as offered and not done");
        };
        let verdict = self.twin.apply(&key, operation).flags().to_bits();
        let expected = if operation.has_verdict() { verdict } else { 0 };
        assert_eq!(done & 0xF, u32::from(expected), "{operation:?} of {value}");
        self.items += 1;
        self.tally.items += 1;
    }

    fn clears(&mut self) {
        // a clear that may or may not have been done leaves a filter that may or may not be empty: only the certain ones count
        if self.rng.random_bool(0.9) {
            return;
        }
        let cleared = self.access("a clear", |link| link.write(address::CONTROL, 1, WITHIN));
        if cleared.is_some() {
            self.twin.clear();
            return;
        }
        let empty = self.read_for_sure(address::BITS_ACTIVE) == 0
            && self.read_for_sure(address::BITS_FROZEN) == 0;
        if empty {
            self.twin.clear();
        }
    }

    fn act(&mut self) {
        match self.rng.random_range(0..10) {
            0 | 1 => self.reads_constants(),
            2 => self.is_refused(),
            3 | 4 => self.writes_max_age(),
            5 => self.clears(),
            _ => self.item(),
        }
    }

    /// On a good line: the card holds what the host was told, in every register and for every key.
    fn compare_all(&mut self) {
        self.set_rates(HarmRates::default());
        for (byte, expected) in [
            (address::MAX_AGE, self.max_age),
            (address::BITS_ACTIVE, self.twin.bits_active() as u32),
            (address::BITS_FROZEN, self.twin.bits_frozen() as u32),
            (RecyclingCounter::Items.address_lo(), self.items as u32),
        ] {
            let held = self.link.read(byte, WITHIN).expect("the line is good");
            assert_eq!(held, expected, "{byte:#x}");
        }
        for value in 0..KEYS {
            let key = Key::from_integer(value << 7 | value, KEY_BITS).expect("fits");
            let words = [key.words()[0] as u32, (key.words()[0] >> 32) as u32];
            for (byte, data) in [
                (address::ITEM_OPERATION, 0),
                (address::ITEM_KEY, words[0]),
                (address::ITEM_KEY + 4, words[1]),
            ] {
                self.link
                    .write(byte, data, WITHIN)
                    .expect("the line is good");
            }
            let result = self
                .link
                .read(address::ITEM_RESULT, WITHIN)
                .expect("the line is good");
            let expected = self.twin.apply(&key, Operation::Query).flags().to_bits();
            assert_eq!(result & 0xF, u32::from(expected), "key {value}");
            self.items += 1;
        }
        self.sequence = (self.sequence + KEYS as u32) & 0x7F;
        self.set_rates(RATES);
    }
}

#[test]
fn the_drivers_suite_and_its_items_hold_over_the_pins() {
    let mut host = Host::new(0);
    conformance::check(&mut host.link, &host.geometry, WITHIN).expect("conforms");
    let limits = Limits {
        access: WITHIN,
        ..Limits::default()
    };
    let device = Device::identify(host.link, host.geometry.clone(), limits).expect("is the card");
    let operations = [
        (CellOperation::Query, Operation::Query),
        (CellOperation::Insert, Operation::Insert),
        (CellOperation::TestAndInsert, Operation::TestAndInsert),
    ];
    for place in 0..60 {
        let (asked, operation) = operations[host.rng.random_range(0..3)];
        let value = host.rng.random_range(0..12);
        let key = Key::from_integer(value, KEY_BITS).expect("fits");
        let verdict = device
            .apply(&Item::new(asked, key))
            .expect("the line is good");
        let flags = host.twin.apply(&key, operation).flags();
        let expected = operation.has_verdict().then_some(Verdict::Recycling(flags));
        assert_eq!(verdict, expected, "item {place}, {operation:?} of {value}");
    }
}

#[test]
#[ignore = "a claim"]
fn under_harm_on_the_pins_every_operation_is_right_or_a_typed_error() {
    let runs = RUNS * soak();
    let (harm, tallies) = std::thread::scope(|scope| {
        let half = |odd: u64| {
            move || {
                let mut harm = [0; 3];
                let mut tallies = Vec::new();
                for seed in (0..runs).filter(|seed| seed % 2 == odd) {
                    let mut host = Host::new(seed);
                    host.set_rates(RATES);
                    let mut next_look = HARM / 2;
                    while host.line().harm().total() < HARM {
                        host.act();
                        if host.line().harm().total() >= next_look {
                            host.compare_all();
                            next_look += HARM / 2;
                        }
                    }
                    host.compare_all();
                    println!(
                        "seed {seed}: {:?} in {} clocks; {:?}",
                        host.line().harm(),
                        host.line().clocks(),
                        host.tally
                    );
                    for (sum, done) in harm.iter_mut().zip(host.line().harm().done) {
                        *sum += done;
                    }
                    tallies.push(host.tally);
                }
                (harm, tallies)
            }
        };
        let other = scope.spawn(half(1));
        let (mut harm, mut tallies) = half(0)();
        let (more, more_tallies) = other.join().expect("the other half holds");
        for (sum, done) in harm.iter_mut().zip(more) {
            *sum += done;
        }
        tallies.extend(more_tallies);
        (harm, tallies)
    });
    assert!(harm.iter().sum::<u64>() >= runs * HARM);
    assert!(harm.iter().all(|&kind| kind > 500 * runs), "{harm:?}");
    for tally in tallies {
        assert!(tally.items > 40, "{tally:?}");
        let failed = tally.timeouts + tally.unknown;
        assert!(tally.right > 3 * failed, "{tally:?}");
    }
}
