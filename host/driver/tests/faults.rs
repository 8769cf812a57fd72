//! Claims under seeded harm, ten thousand and more faults a run (a thousand in `cargo test`): what an access returns is right or a typed error, in time.
//!
//! The lines are simulated and have their own clock: deadlines are checked exactly, and a run is the same for the same seed.
//! `cargo test -p bloomline-driver --release faults:: -- --nocapture` prints what each run counted.

use crate::common::{geometry, Fake, Kept};
use crate::proxy::{Proxy, Way, KINDS};
use bloomline_driver::bridge_link::{BridgeLink, Carrier};
use bloomline_driver::serve::{
    Bridge, EtherboneResponder, FaultCounts, FaultRates, Faults, Medium, Simulated, UartResponder,
};
use bloomline_driver::{Checking, EtherboneCarrier, Transport, TransportError, UartCarrier};
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{Access, RegisterMap, SplitMix64};
use std::time::Duration;

/// Seeds of a run at full strength; `cargo test` takes the first.
const SEEDS: u64 = 3;
const WITHIN: Duration = Duration::from_secs(2);
const BAUD: u32 = 115_200;
const UNMAPPED: u32 = 0x3C;

/// A size: small in `cargo test`, full where `BLOOMLINE_SOAK` is set, as `claims` does.
fn sized(quick: u64, full: u64) -> u64 {
    match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => full,
        None => quick,
    }
}

/// What a run counted.
#[derive(Debug, Default)]
struct Tally {
    right: u64,
    timeout: u64,
    unknown: u64,
    unsteady: u64,
    /// Values that the device did not give, and writes told as done that were not.
    wrong: Vec<String>,
    /// Accesses that ended after their deadline.
    late: u64,
    longest: Duration,
}

impl Tally {
    fn accesses(&self) -> u64 {
        self.right + self.timeout + self.unknown + self.unsteady + self.wrong.len() as u64
    }

    /// Counts the result of an access; `judge` says what is wrong with a value.
    fn count<R: std::fmt::Debug>(
        &mut self,
        what: &str,
        got: Result<R, TransportError>,
        judge: impl FnOnce(&Result<R, TransportError>) -> bool,
    ) {
        let right = judge(&got);
        match got {
            Err(TransportError::Timeout { .. } | TransportError::Starved { .. }) => {
                self.timeout += 1
            }
            Err(TransportError::Unknown { .. }) => self.unknown += 1,
            Err(TransportError::Unsteady { .. }) => self.unsteady += 1,
            _ if right => self.right += 1,
            got => self.wrong.push(format!("{what}: {got:X?}")),
        }
    }
}

/// A host that makes random accesses to a device whose state it can see.
struct Run<C> {
    link: BridgeLink<C>,
    device: Kept,
    random: SplitMix64,
    tally: Tally,
    /// Writes that were told as unknown, which may still come.
    floating: Vec<(u32, u32)>,
}

impl<C: Carrier> Run<C> {
    fn new(link: BridgeLink<C>, device: Kept, seed: u64) -> Run<C> {
        Run {
            link,
            device,
            random: SplitMix64::new(seed),
            tally: Tally::default(),
            floating: Vec::new(),
        }
    }

    fn until(mut self, faults: &FaultCounts, name: &str) -> Tally {
        while faults.total() < sized(1_000, 10_000) {
            self.access();
        }
        let [lost, flipped, delayed, twice] = faults.each();
        println!(
            "{name}: {lost} lost, {flipped} flipped, {delayed} delayed, {twice} doubled; {} accesses: {} right, {} timeouts, {} unknown, {} unsteady, {} WRONG, {} late; longest {:?} of {WITHIN:?}",
            self.tally.accesses(),
            self.tally.right,
            self.tally.timeout,
            self.tally.unknown,
            self.tally.unsteady,
            self.tally.wrong.len(),
            self.tally.late,
            self.tally.longest,
        );
        self.tally
    }

    fn access(&mut self) {
        self.device.with(|fake| fake.writes.clear());
        *self.device.last_read.lock().expect("no panic") = None;
        match self.random.next_word() % 8 {
            0 | 1 => self.reads_a_constant(),
            2 => self.reads_what_was_written(),
            3 => self.reads_a_running_counter(),
            4 => self.is_refused(),
            5 | 6 => self.writes(address::MAX_AGE),
            _ => self.writes(address::CONTROL),
        }
    }

    /// Times one access by the line's clock.
    fn timed<R>(&mut self, access: impl FnOnce(&mut BridgeLink<C>) -> R) -> R {
        let start = self.link.carrier().now();
        let got = access(&mut self.link);
        let took = self.link.carrier().now() - start;
        self.tally.longest = self.tally.longest.max(took);
        self.tally.late += u64::from(took > WITHIN);
        got
    }

    fn reads_a_constant(&mut self) {
        let map = RegisterMap::of(geometry());
        let constants: Vec<_> = map
            .registers()
            .filter(|register| register.access == Access::Constant)
            .collect();
        let chosen = constants[(self.random.next_word() % constants.len() as u64) as usize];
        let got = self.timed(|link| link.read(chosen.offset, WITHIN));
        self.tally.count(
            chosen.name,
            got,
            |got| matches!(got, Ok(value) if Some(*value) == chosen.reset),
        );
    }

    fn reads_what_was_written(&mut self) {
        let before = self.held(address::MAX_AGE);
        let got = self.timed(|link| link.read(address::MAX_AGE, WITHIN));
        let after = self.held(address::MAX_AGE);
        self.tally.count(
            "MAX_AGE",
            got,
            |got| matches!(got, Ok(value) if *value == before || *value == after),
        );
        self.only_written(None);
    }

    fn reads_a_running_counter(&mut self) {
        let before = self.items();
        let mut halves = [0; 2];
        let got = self
            .timed(|link| link.burst(RecyclingCounter::Items.address_lo(), &mut halves, WITHIN));
        let got = got.map(|()| u64::from(halves[1]) << 32 | u64::from(halves[0]));
        let after = self.items();
        self.tally.count(
            "ITEMS",
            got,
            |got| matches!(got, Ok(value) if (before..=after).contains(value)),
        );
    }

    fn is_refused(&mut self) {
        if self.link.checking() != Checking::Mailbox {
            return;
        }
        let got = self.timed(|link| link.read(UNMAPPED, WITHIN));
        self.tally.count("unmapped", got, |got| {
            matches!(got, Err(TransportError::NoRegister { address: UNMAPPED }))
        });
        let got = self.timed(|link| link.write(address::MAGIC, 5, WITHIN));
        self.tally.count("MAGIC", got, |got| {
            matches!(
                got,
                Err(TransportError::Refused {
                    address: address::MAGIC
                })
            )
        });
        self.only_written(None);
    }

    fn writes(&mut self, register: u32) {
        let value = match register {
            address::CONTROL => 1,
            _ => self.random.next_word() as u32,
        };
        self.device.with(|fake| fake.writes.clear());
        let got = self.timed(|link| link.write(register, value, WITHIN));
        let unknown = matches!(got, Err(TransportError::Unknown { .. }));
        let done = got.is_ok();
        let held = self.held(register);
        let kept = register == address::CONTROL || held == value;
        self.tally.count("write", got, |got| got.is_ok() && kept);
        if self.link.checking() == Checking::Mailbox {
            let times = self.only_written(Some((register, value)));
            if (done && times != 1) || (!done && !unknown && times != 0) {
                let what = format!("0x{register:03X} written {times} times, told as {done}");
                self.tally.wrong.push(what);
            }
            if unknown && times == 0 {
                self.floating.push((register, value));
            }
        }
    }

    /// Takes what the device was written from what may have been written, and returns how often `mine` was.
    fn only_written(&mut self, mine: Option<(u32, u32)>) -> usize {
        let mut times = 0;
        for written in self.device.with(|fake| std::mem::take(&mut fake.writes)) {
            if Some(written) == mine && times == 0 {
                times += 1;
            } else if let Some(place) = self.floating.iter().position(|&f| f == written) {
                self.floating.remove(place);
            } else if Some(written) == mine {
                times += 1;
            } else if self.link.checking() == Checking::Mailbox {
                self.tally
                    .wrong
                    .push(format!("nobody asked for the write {written:X?}"));
            }
        }
        times
    }

    fn held(&self, register: u32) -> u32 {
        let values = |fake: &mut Fake| fake.values.get(&register).copied().unwrap_or(0);
        self.device.with(values)
    }

    fn items(&self) -> u64 {
        let items = RecyclingCounter::Items;
        u64::from(self.held(items.address_hi())) << 32 | u64::from(self.held(items.address_lo()))
    }
}

/// A filter whose counter of items runs and soon carries into its high half.
fn device() -> Kept {
    let mut fake = Fake::new(&geometry());
    fake.set_counter(RecyclingCounter::Items, 0xFFFF_FC00);
    fake.busy = Some(RecyclingCounter::Items.into());
    Kept::new(fake)
}

/// Bytes: one of a hundred is harmed.
const ON_BYTES: FaultRates = FaultRates {
    drop: 3_000,
    flip: 5_000,
    delay: 2_000,
    duplicate: 0,
    longest_delay: Duration::from_millis(300),
};

/// Datagrams: four of ten are harmed.
const ON_DATAGRAMS: FaultRates = FaultRates {
    drop: 100_000,
    flip: 100_000,
    delay: 100_000,
    duplicate: 100_000,
    longest_delay: Duration::from_millis(500),
};

fn over_uart(checking: Checking, rates: FaultRates, seed: u64) -> Tally {
    let device = device();
    let within = Duration::from_millis(1);
    let bridge = match checking {
        Checking::Mailbox => Bridge::new(device.clone(), within),
        Checking::Agree | Checking::None => Bridge::plain(device.clone(), within),
    };
    let faults = Faults::new(seed, rates);
    let counts = faults.counts();
    let medium = Medium::Stream {
        byte_time: Duration::from_secs(10) / BAUD,
    };
    let line = Simulated::new(UartResponder::new(bridge), medium, faults);
    let link = BridgeLink::new(UartCarrier::new(line, BAUD), 0, checking);
    Run::new(link, device, seed).until(&counts, &format!("uart {checking:?}, seed {seed}"))
}

fn over_etherbone(checking: Checking, rates: FaultRates, seed: u64) -> Tally {
    let device = device();
    let within = Duration::from_millis(1);
    let bridge = match checking {
        Checking::Mailbox => Bridge::new(device.clone(), within),
        Checking::Agree | Checking::None => Bridge::plain(device.clone(), within),
    };
    let faults = Faults::new(seed, rates);
    let counts = faults.counts();
    let medium = Medium::Datagrams {
        latency: Duration::from_micros(100),
    };
    let line = Simulated::new(EtherboneResponder::new(bridge), medium, faults);
    let link = BridgeLink::new(EtherboneCarrier::new(line), 0, checking);
    Run::new(link, device, seed).until(&counts, &format!("etherbone {checking:?}, seed {seed}"))
}

fn assert_never_wrong(tally: &Tally) {
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert_eq!(tally.late, 0, "accesses ended after their deadline");
    assert!(
        tally.right * 10 > tally.accesses() * 9,
        "harm of this size is overcome by trying again nine times of ten: {tally:?}"
    );
}

#[test]
fn uart_with_a_mailbox_is_never_wrong_and_never_late() {
    for seed in 1..=sized(1, SEEDS) {
        assert_never_wrong(&over_uart(Checking::Mailbox, ON_BYTES, seed));
    }
}

#[test]
fn etherbone_with_a_mailbox_is_never_wrong_and_never_late() {
    for seed in 1..=sized(1, SEEDS) {
        assert_never_wrong(&over_etherbone(Checking::Mailbox, ON_DATAGRAMS, seed));
    }
}

/// Not never: [`Checking::Agree`] says why. The rates are those of harm to one byte in a hundred.
#[test]
fn uart_without_a_mailbox_is_wrong_in_under_one_of_a_thousand_accesses_and_never_late() {
    for seed in 1..=sized(1, SEEDS) {
        let agreeing = over_uart(Checking::Agree, ON_BYTES, seed);
        println!("{:#?}", agreeing.wrong);
        assert_eq!(agreeing.late, 0, "accesses ended after their deadline");
        assert!((agreeing.wrong.len() as u64) * 1000 < agreeing.accesses());
        assert!(agreeing.right * 2 > agreeing.accesses());
        // The harm is such that believing what comes is wrong every other time.
        let believing = over_uart(Checking::None, ON_BYTES, seed);
        assert!(believing.wrong.len() as u64 * 3 > believing.accesses());
    }
}

/// What Ethernet's own check makes of damage is loss; a switched network hardly delays or doubles.
#[test]
fn etherbone_without_a_mailbox_is_never_wrong_where_datagrams_are_lost() {
    let rates = FaultRates {
        drop: 300_000,
        ..FaultRates::default()
    };
    for seed in 1..=sized(1, SEEDS) {
        let tally = over_etherbone(Checking::None, rates, seed);
        assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
        assert_eq!(tally.late, 0, "accesses ended after their deadline");
        assert!(tally.right * 2 > tally.accesses());
    }
}

/// Accesses of a connection under harm.
const ACCESSES: u64 = 60;
/// The time in which a link must be usable when harm ends.
const USABLE: Duration = Duration::from_secs(1);

/// Opens connection after connection through a proxy that harms their messages from the first on, until it has done enough. Behind each, with the harm over, the
/// link answers within a second.
fn through_the_proxy<C: Carrier>(
    name: &str,
    mut connect: impl FnMut(Kept, u64) -> (C, crate::proxy::Hand),
) {
    let mut done = [0; KINDS.len()];
    let (mut connections, mut unopened, mut accesses, mut right, mut unusable) = (0, 0, 0, 0, 0);
    let mut longest = Duration::ZERO;
    while done.iter().sum::<u64>() < sized(1_500, 100_000) {
        connections += 1;
        let device = device();
        let (carrier, hand) = connect(device.clone(), connections);
        // What else it is than late was seen to be made good: a bridge with a mailbox is never taken for one without.
        let link = match BridgeLink::probe(carrier, 0, 5 * WITHIN) {
            Ok(link) => Some(link),
            Err(TransportError::Timeout { .. } | TransportError::Starved { .. }) => None,
            Err(error) => panic!("{name}, connection {connections}: {error}"),
        };
        if let Some(link) = link {
            let mut run = Run::new(link, device, connections);
            (0..ACCESSES).for_each(|_| run.access());
            assert!(run.tally.wrong.is_empty(), "{name}: {:#?}", run.tally.wrong);
            assert_eq!(run.tally.late, 0, "{name}, connection {connections}");
            hand.rest();
            // A message that is held back is a fault until it arrives.
            let start = run.link.carrier().now();
            let over = start.max(hand.arrived());
            let magic = run.link.read(address::MAGIC, over - start + USABLE);
            let took = run.link.carrier().now().saturating_duration_since(over);
            longest = longest.max(took);
            unusable += u64::from(magic.ok() != Some(bloomline_spec::registers::MAGIC));
            accesses += run.tally.accesses();
            right += run.tally.right;
        } else {
            unopened += 1;
        }
        for (sum, more) in done.iter_mut().zip(hand.done()) {
            *sum += more;
        }
    }
    let faults: Vec<String> = KINDS
        .iter()
        .zip(done)
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    println!(
        "{name}: {}; {connections} connections, {unopened} not opened in {:?}; {accesses} accesses, {right} right; usable {longest:?} after the last fault at most",
        faults.join(", "),
        5 * WITHIN,
    );
    assert_eq!(unusable, 0, "{name}: not usable within {USABLE:?}");
    assert!(unopened * 20 < connections && right * 10 > accesses * 8);
}

#[test]
fn etherbone_through_a_proxy_that_does_all_to_datagrams_is_never_wrong() {
    through_the_proxy("etherbone", |device, seed| {
        let bridge = Bridge::new(device, Duration::from_millis(1));
        let way = Way::Datagrams(Duration::from_micros(100));
        let (line, hand) = Proxy::new(EtherboneResponder::new(bridge), way, 200, seed);
        (EtherboneCarrier::new(line), hand)
    });
}

#[test]
fn uart_through_a_proxy_that_does_all_to_bytes_is_never_wrong() {
    through_the_proxy("uart", |device, seed| {
        let bridge = Bridge::new(device, Duration::from_millis(1));
        let way = Way::Bytes(Duration::from_secs(10) / BAUD);
        let (line, hand) = Proxy::new(UartResponder::new(bridge), way, 100, seed);
        (UartCarrier::new(line, BAUD), hand)
    });
}
