//! Claims about two hosts of one bridge whose datagrams are lost, flipped, delayed and doubled while they get in each other's
//! way: what each was told holds, though neither knows of the other.

use crate::common::{geometry, Fake, Kept};
use bloomline_driver::serve::{
    Bridge, EtherboneResponder, FaultRates, Faults, Medium, Responder, Simulated,
};
use bloomline_driver::{Checking, Etherbone, EtherboneCarrier, Line, Transport, TransportError};
use bloomline_spec::registers::{address, MAGIC};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_secs(2);
const ROUNDS: u32 = 4_000;

const RATES: FaultRates = FaultRates {
    drop: 50_000,
    flip: 50_000,
    delay: 100_000,
    duplicate: 100_000,
    longest_delay: Duration::from_millis(300),
};

/// What one host was told.
#[derive(Debug, Default)]
struct Told {
    /// Clears that were made, and clears of which it could not be said.
    cleared: usize,
    perhaps_cleared: usize,
    unknown: usize,
    timeouts: usize,
    wrong: Vec<String>,
}

/// Writes `own`, which only this host writes, and clears; looks behind every write at the device itself.
fn host<L: Transport>(link: &mut L, own: u32, device: &Kept) -> Told {
    let mut told = Told::default();
    // Values of writes of which it could not be said; each may still come.
    let mut floating = Vec::new();
    for value in 5..5 + ROUNDS {
        let before = device.with(|fake| fake.values.get(&own).copied());
        let result = link.write(own, value, WITHIN);
        let held = device.with(|fake| fake.values.get(&own).copied());
        match result {
            Ok(()) if held == Some(value) => floating.clear(),
            Ok(()) => told
                .wrong
                .push(format!("0x{own:03X}: {value} written, {held:?} held")),
            Err(TransportError::Unknown { .. }) => {
                told.unknown += 1;
                floating.push(value);
            }
            Err(TransportError::Timeout { .. } | TransportError::Starved { .. }) => {
                told.timeouts += 1;
                if held != before && !floating.iter().any(|&value| held == Some(value)) {
                    told.wrong
                        .push(format!("{value} timed out, {before:?} to {held:?}"));
                }
            }
            Err(error) => told.wrong.push(error.to_string()),
        }
        match link.write(address::CONTROL, 1, WITHIN) {
            Ok(()) => told.cleared += 1,
            Err(TransportError::Unknown { .. }) => told.perhaps_cleared += 1,
            Err(TransportError::Timeout { .. } | TransportError::Starved { .. }) => {
                told.timeouts += 1
            }
            Err(error) => told.wrong.push(error.to_string()),
        }
        match link.read(address::MAGIC, WITHIN) {
            Ok(MAGIC) => {}
            Err(TransportError::Timeout { .. } | TransportError::Starved { .. }) => {
                told.timeouts += 1
            }
            other => told.wrong.push(format!("MAGIC: {other:X?}")),
        }
    }
    told
}

#[test]
fn the_same_access_of_two_hosts_at_the_same_count_is_made_twice() {
    let device = Kept::new(Fake::new(&geometry()));
    let bridge = Bridge::new(device.clone(), Duration::from_millis(1));
    let responder = Arc::new(Mutex::new(EtherboneResponder::new(bridge)));
    let host = || {
        let medium = Medium::Datagrams {
            latency: Duration::from_micros(100),
        };
        let line = Simulated::new(Arc::clone(&responder), medium, Faults::none());
        Etherbone::probe(EtherboneCarrier::new(line), 0, WITHIN).expect("it answers")
    };
    let (mut first, mut second) = (host(), host());
    first
        .write(address::CONTROL, 1, WITHIN)
        .expect("it answers");
    second
        .write(address::CONTROL, 1, WITHIN)
        .expect("it answers");
    let writes = device.with(|fake| fake.writes.clone());
    assert_eq!(writes, [(address::CONTROL, 1); 2]);
}

#[test]
fn what_two_hosts_are_told_holds() {
    for seed in 1..=2 {
        let device = Kept::new(Fake::new(&geometry()));
        let bridge = Bridge::new(device.clone(), Duration::from_millis(1));
        let responder = Arc::new(Mutex::new(EtherboneResponder::new(bridge)));
        let start = Barrier::new(2);
        let run = |own, seed| {
            let medium = Medium::Datagrams {
                latency: Duration::from_micros(100),
            };
            let faults = Faults::new(seed, RATES);
            let counts = faults.counts();
            let line = Simulated::new(Arc::clone(&responder), medium, faults);
            let carrier = EtherboneCarrier::new(line);
            let mut link = Etherbone::new(carrier, 0, Checking::Mailbox);
            start.wait();
            (host(&mut link, own, &device), counts.total())
        };
        let [(first, faults), (second, more_faults)] = thread::scope(|scope| {
            let run = &run;
            let first = scope.spawn(move || run(address::THRESHOLD, 2 * seed));
            let second = scope.spawn(move || run(address::MAX_AGE, 2 * seed + 1));
            [first, second].map(|host| host.join().expect("no host panics"))
        });
        println!(
            "seed {seed}: {} faults; {first:?} and {second:?}",
            faults + more_faults
        );
        assert!(faults + more_faults > 5_000, "harm must be done");
        for told in [&first, &second] {
            assert!(told.wrong.is_empty(), "seed {seed}: {:#?}", told.wrong);
            // How often the two collide is up to the scheduler of the machine: about one clear in five.
            assert!(told.cleared * 2 > ROUNDS as usize, "{told:?}");
        }
        let cleared = first.cleared + second.cleared;
        let perhaps = first.perhaps_cleared + second.perhaps_cleared;
        let writes = device.with(|fake| fake.writes.clone());
        let made = writes
            .iter()
            .filter(|&&write| write == (address::CONTROL, 1));
        let made = made.count();
        assert!(
            (cleared..=cleared + perhaps).contains(&made),
            "{made} clears were made, {cleared} told as made, {perhaps} perhaps"
        );
        for value in 5..5 + ROUNDS {
            for own in [address::THRESHOLD, address::MAX_AGE] {
                let times = writes
                    .iter()
                    .filter(|&&write| write == (own, value))
                    .count();
                assert!(
                    times <= 1,
                    "0x{own:03X} = {value} was written {times} times"
                );
            }
        }
    }
}

/// A bridge at which another host's access comes before each message, and which answers only the first so many.
struct Crowded {
    bridge: EtherboneResponder<Kept>,
    answers: usize,
}

impl Responder for Crowded {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let Some(answers) = self.answers.checked_sub(1) else {
            return vec![];
        };
        self.answers = answers;
        // of another register: the same access under the same tag, one in 65,536, would be taken for the host's own
        self.bridge.bridge_mut().read(address::VERSION);
        self.bridge.answer(bytes, now)
    }
}

/// What comes of a read at such a bridge, in simulated time.
fn read_in_a_crowd(answers: usize) -> Result<u32, TransportError> {
    const SHORT: Duration = Duration::from_millis(200);
    let device = Kept::new(Fake::new(&geometry()));
    let bridge = EtherboneResponder::new(Bridge::new(device, Duration::from_millis(1)));
    let medium = Medium::Datagrams {
        latency: Duration::from_micros(100),
    };
    let line = Simulated::new(Crowded { bridge, answers }, medium, Faults::none());
    let mut link = Etherbone::new(EtherboneCarrier::new(line), 0, Checking::Mailbox);
    link.read(address::MAGIC, SHORT)
}

#[test]
fn who_never_gets_a_turn_is_told_that_others_had_it_and_not_that_nothing_answers() {
    // Pauses are random: in some of these the time ends while an answer is on its way.
    for _ in 0..500 {
        let read = read_in_a_crowd(usize::MAX);
        assert!(
            matches!(read, Err(TransportError::Starved { address: 0, .. })),
            "{read:?}"
        );
    }
}

#[test]
fn a_bridge_that_others_had_and_that_is_gone_since_does_not_answer() {
    for answers in 0..8 {
        let read = read_in_a_crowd(answers);
        assert!(
            matches!(read, Err(TransportError::Timeout { address: 0, .. })),
            "{answers} answers: {read:?}"
        );
    }
}

type SharedBridge = Arc<Mutex<EtherboneResponder<Kept>>>;

/// Datagrams to a bridge that others reach, too.
struct Datagrams {
    bridge: SharedBridge,
    answers: VecDeque<Vec<u8>>,
    /// Packets up to the one whose answer comes only when it was waited for in vain, and what happens meanwhile.
    late: Option<(u32, Box<dyn FnOnce() + Send>)>,
    held: Option<Vec<u8>>,
}

impl Datagrams {
    fn new(bridge: &SharedBridge) -> Datagrams {
        Datagrams {
            bridge: Arc::clone(bridge),
            answers: VecDeque::new(),
            late: None,
            held: None,
        }
    }
}

impl Line for Datagrams {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn send(&mut self, bytes: &[u8], _: Instant) -> io::Result<()> {
        let mut bridge = self.bridge.lock().expect("sound");
        let answer = bridge.answer(bytes, self.now());
        drop(bridge);
        match self.late.take() {
            Some((1, meanwhile)) => {
                meanwhile();
                self.held = Some(answer);
            }
            Some((left, meanwhile)) => {
                self.late = Some((left - 1, meanwhile));
                self.answers.push_back(answer);
            }
            None => {
                // What was late comes first.
                self.answers.extend(self.held.take());
                self.answers.push_back(answer);
            }
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        let Some(answer) = self.answers.pop_front() else {
            thread::sleep(until.saturating_duration_since(self.now()));
            return Ok(0);
        };
        buffer[..answer.len()].copy_from_slice(&answer);
        Ok(answer.len())
    }
}

/// A bridge and the device behind it.
fn shared_bridge() -> (SharedBridge, Kept) {
    let device = Kept::new(Fake::new(&geometry()));
    let bridge = Bridge::new(device.clone(), Duration::from_millis(100));
    (
        Arc::new(Mutex::new(EtherboneResponder::new(bridge))),
        device,
    )
}

fn host_of(bridge: &SharedBridge) -> Etherbone<Datagrams> {
    let carrier = EtherboneCarrier::new(Datagrams::new(bridge));
    Etherbone::new(carrier, 0, Checking::Mailbox)
}

#[test]
fn a_late_answer_to_the_first_copy_of_a_request_says_what_became_of_it() {
    let (bridge, device) = shared_bridge();
    let (mut link, mut other) = (host_of(&bridge), host_of(&bridge));
    // The count is asked for, then the request goes; two accesses of another host's come behind it.
    let meanwhile = Box::new(move || {
        for _ in 0..2 {
            let magic = other.read(address::MAGIC, WITHIN).expect("nothing is late");
            assert_eq!(magic, MAGIC);
        }
    });
    link.carrier_mut().line_mut().late = Some((2, meanwhile));
    link.write(address::THRESHOLD, 9, WITHIN)
        .expect("the late answer says that it was made");
    let held = device.with(|fake| fake.values.get(&address::THRESHOLD).copied());
    assert_eq!(held, Some(9));
}

#[test]
fn anothers_unfinished_sequence_is_waited_for_whatever_came_behind_it() {
    // as a host would that is in the middle of a sequence of two writes
    let begin = |other: &mut Etherbone<Datagrams>| {
        let begun = other.write(address::THRESHOLD, 7, WITHIN);
        begun.expect("nobody is in the way");
    };
    let waits = |link: &mut Etherbone<Datagrams>| {
        let start = Instant::now();
        let (read, write) = (address::STATUS, address::THRESHOLD);
        link.read_then_write(read, &mut [0], write, &[5, 0], WITHIN)
            .expect("the other goes on no more");
        start.elapsed() > Duration::from_millis(150)
    };
    let hosts = || {
        let (bridge, _) = shared_bridge();
        (host_of(&bridge), host_of(&bridge))
    };

    let (mut link, mut other) = hosts();
    assert!(!waits(&mut link), "there is nobody");
    begin(&mut other);
    assert!(waits(&mut link), "it is the last access");
    assert!(!waits(&mut link), "it was waited for once");

    let (mut link, mut other) = hosts();
    begin(&mut other);
    assert_eq!(link.read(address::MAGIC, WITHIN).expect("read"), MAGIC);
    assert!(waits(&mut link), "a read of the host's own came behind it");

    let (mut link, mut other) = hosts();
    begin(&mut other);
    link.authorise(None, WITHIN).expect("asks for no tag");
    assert!(waits(&mut link), "the host began behind it");
    link.authorise(None, WITHIN).expect("asks for no tag");
    assert!(!waits(&mut link), "beginning alone is not waited for");

    let (mut link, mut other) = hosts();
    let meanwhile = Box::new(move || begin(&mut other));
    link.carrier_mut().line_mut().late = Some((1, meanwhile));
    link.authorise(None, WITHIN).expect("asks for no tag");
    assert!(waits(&mut link), "the other began while the host did");

    let (mut link, mut other) = hosts();
    begin(&mut other);
    link.read(address::MAGIC, WITHIN).expect("read");
    link.carrier_mut().line_mut().late = Some((1, Box::new(|| ())));
    assert!(waits(&mut link), "an answer was lost");
}
