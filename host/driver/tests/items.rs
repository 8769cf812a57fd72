//! Claims about items over registers: a card whose filter is the pipeline model answers as the functional model does.

use crate::model::{alone, card, design, key, text, ModelCard, LIMITS};
use bloomline_driver::serve::{
    serve, Bridge, EtherboneResponder, FaultRates, Faults, Medium, Responder, Simulated, UdpServer,
};
use bloomline_driver::{
    open, Checking, Classed, Design, Device, DriverError, ErrorClass, Etherbone, EtherboneCarrier,
    Item, Limits, Transport, TransportError, Verdict,
};
use bloomline_model::{CellFilter, CuckooFilter, RecyclingFilter, SlidingFilter};
use bloomline_spec::registers::{address, field, CellCounter};
use bloomline_spec::{CellOperation, FilterKind, Key, Operation, SplitMix64, CUCKOO_EXAMPLES};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The functional model of any kind.
enum Reference {
    Recycling(Box<RecyclingFilter>),
    Cells(Box<CellFilter>, FilterKind),
    Sliding(Box<SlidingFilter>),
    Cuckoo(Box<CuckooFilter>),
}

impl Reference {
    fn new(design: &Design) -> Reference {
        match design {
            Design::Recycling(geometry) => {
                Reference::Recycling(Box::new(RecyclingFilter::new(geometry)))
            }
            Design::Cells(geometry) => {
                Reference::Cells(Box::new(CellFilter::new(geometry)), geometry.kind())
            }
            Design::Sliding(geometry) => Reference::Sliding(Box::new(SlidingFilter::new(geometry))),
            Design::Cuckoo(geometry) => Reference::Cuckoo(Box::new(CuckooFilter::new(geometry))),
        }
    }

    fn apply(&mut self, item: &Item) -> Option<Verdict> {
        let code = item.operation.code();
        let verdict = match self {
            Reference::Recycling(filter) => {
                let outcome = filter.apply(&item.key, Operation::from_code(code));
                Verdict::Recycling(outcome.flags())
            }
            Reference::Cells(filter, kind) => {
                let verdict = filter.apply(&item.key, item.operation, item.amount).verdict;
                match kind {
                    FilterKind::Static => Verdict::Static { seen: verdict.seen },
                    _ => Verdict::Counted(verdict),
                }
            }
            Reference::Sliding(filter) => {
                let outcome = filter.apply(&item.key, Operation::from_code(code));
                Verdict::Sliding(outcome.verdict)
            }
            Reference::Cuckoo(filter) => {
                let outcome = filter.apply(&item.key, Operation::from_code(code));
                Verdict::Sliding(outcome.verdict)
            }
        };
        item.operation.has_verdict().then_some(verdict)
    }
}

fn items(design: &Design, count: u64, seed: u64) -> Vec<Item> {
    let mut random = SplitMix64::new(seed);
    let removes = design.kind() == FilterKind::Counting;
    let carries = design.kind() == FilterKind::CountMin;
    let item = |_| {
        let drawn = random.next_word();
        let operation = match drawn >> 32 & 3 {
            3 if !removes => CellOperation::Query,
            code => CellOperation::from_code(code, removes),
        };
        Item {
            key: key(design, drawn & 0xFFFF, 500),
            operation,
            amount: if carries {
                (drawn >> 40 & 511) as u32
            } else {
                1
            },
        }
    };
    (0..count).map(item).collect()
}

fn on_card(kind: FilterKind) -> (Design, Device<ModelCard>) {
    let design = card(kind);
    let device = Device::identify(ModelCard::new(&design), &design, LIMITS);
    (design, device.expect("a card of this design"))
}

#[test]
fn verdicts_of_every_kind_equal_the_models_in_bulk_and_one_by_one() {
    let kinds = FilterKind::ALL.iter().map(|&kind| card(kind));
    let cuckoo = design(&format!("{}\n[card]\n", CUCKOO_EXAMPLES[0].1));
    for design in kinds.chain([cuckoo]) {
        let kind = design.kind();
        let device = Device::identify(ModelCard::new(&design), &design, LIMITS);
        let device = device.expect("a card of this design");
        let mut reference = Reference::new(&design);
        let seed = 20_261_121;
        let items = items(&design, 3_000, seed);
        let expected: Vec<_> = items.iter().map(|item| reference.apply(item)).collect();
        let (bulk, single) = items.split_at(2_000);
        let mut told = Vec::new();
        let mut got = device
            .apply_all(bulk, |done| told.push(done.len()))
            .expect("the card takes them");
        for item in single {
            got.push(device.apply(item).expect("the card takes it"));
        }
        for (place, (got, expected)) in got.iter().zip(&expected).enumerate() {
            assert_eq!(got, expected, "{kind}, item {place}, seed {seed}");
        }
        assert_eq!(told.last(), Some(&bulk.len()));
        let positive = expected
            .iter()
            .flatten()
            .filter(|verdict| verdict.is_positive());
        let positive = positive.count();
        assert!(
            (300..2_200).contains(&positive),
            "{kind}: {positive} say nothing"
        );
        let counted = device.counters().expect("it answers").named("ITEMS");
        assert_eq!(counted, Some(3_000), "{kind}");
    }
}

#[test]
fn the_calls_for_one_item_do_what_they_say() {
    let (design, device) = on_card(FilterKind::Counting);
    let (one, other) = (key(&design, 1, 9), key(&design, 2, 9));
    let estimate = |verdict: Result<Verdict, DriverError>| match verdict {
        Ok(Verdict::Counted(verdict)) => (verdict.estimate, verdict.reached),
        other => panic!("{other:?}"),
    };
    device.insert(&one).expect("taken");
    assert_eq!(estimate(device.query(&one)), (1, false));
    assert_eq!(estimate(device.test_and_insert(&one)), (2, false));
    assert_eq!(estimate(device.test_and_insert(&one)), (3, true));
    assert_eq!(estimate(device.remove(&one)), (2, false));
    assert_eq!(estimate(device.query(&other)), (0, false));
    let (design, device) = on_card(FilterKind::CountMin);
    let one = key(&design, 1, 9);
    assert_eq!(estimate(device.update(&one, 300)), (300, false));
    assert_eq!(estimate(device.update(&one, 511)), (811, true));
}

#[test]
fn a_card_that_is_updated_conservatively_answers_as_its_model_and_refuses_to_remove() {
    let conservative = "kind = \"counting\"\nlayout = \"shared\"\nconservative = true";
    let text = text(FilterKind::Counting).replace("kind = \"counting\"", conservative);
    let design = design(&format!("{text}\n[card]\n"));
    let device = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a card");
    let mut reference = Reference::new(&design);
    for mut item in items(&design, 400, 5) {
        if item.operation == CellOperation::Remove {
            item.operation = CellOperation::Query;
        }
        let verdict = device.apply(&item).expect("it answers");
        assert_eq!(verdict, reference.apply(&item), "{item:?}");
    }
    let error = device.remove(&key(&design, 1, 9)).expect_err("refused");
    assert!(
        error.to_string().contains("filter.conservative is true"),
        "{error}"
    );
    let removed = device.counters().expect("it answers").named("REMOVED");
    assert_eq!(removed, None);
}

#[test]
fn a_key_or_amount_or_operation_that_the_device_has_not_is_refused_before_it_is_sent() {
    let (design, device) = on_card(FilterKind::Counting);
    let good = key(&design, 1, 9);
    let wide = Key::from_integer(1, 104).expect("fits");
    assert!(matches!(
        device.insert(&wide),
        Err(DriverError::KeyWidth {
            expected: 40,
            got: 104,
            ..
        })
    ));
    assert!(matches!(
        device.update(&good, 2),
        Err(DriverError::Amount {
            most: 1,
            got: 2,
            ..
        })
    ));
    let (_, sketch) = on_card(FilterKind::CountMin);
    assert!(matches!(
        sketch.update(&good, 512),
        Err(DriverError::Amount {
            most: 511,
            got: 512,
            ..
        })
    ));
    assert!(matches!(
        sketch.remove(&good),
        Err(DriverError::NotThere { .. })
    ));
    let items = [
        Item::new(CellOperation::Insert, good),
        Item::new(CellOperation::Insert, wide),
    ];
    assert!(matches!(
        device.apply_all(&items, |_| panic!("nothing is done")),
        Err(DriverError::Bulk {
            place: 1,
            of: 2,
            ..
        })
    ));
    assert_eq!(device.counter(CellCounter::Items).expect("it answers"), 0);

    let design = alone(FilterKind::Counting);
    let bare = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a filter");
    let error = bare.insert(&good).expect_err("no item port");
    assert!(error.to_string().contains("item port"), "{error}");
}

#[test]
fn an_item_that_is_never_taken_ends_with_the_limit_and_the_port_serves_on() {
    let design = card(FilterKind::Static);
    let limits = Limits {
        command: Duration::from_millis(20),
        ..LIMITS
    };
    let mut held = ModelCard::new(&design);
    held.held = true;
    let device = Device::identify(held, &design, limits).expect("a card");
    let key = key(&design, 1, 9);
    // it stands in the port, and is done as soon as the port goes on: that it was not is not known
    let offered = device.insert(&key).expect_err("it is held");
    assert_eq!(offered.class(), ErrorClass::Uncertain, "{offered}");
    assert!(
        offered.to_string().contains("still busy after 20 ms"),
        "{offered}"
    );
    // the next one is not even offered
    let busy = device.insert(&key);
    assert!(
        matches!(busy, Err(DriverError::ItemBusy { .. })),
        "{busy:?}"
    );
    let mut freed = device.into_transport();
    freed.held = false;
    let device = Device::identify(freed, &design, limits).expect("a card");
    device.insert(&key).expect("free again");
    assert!(device.query(&key).expect("free").is_positive());
}

/// A link that is cut between an item and its result: an item that changes the filter must not look as if it could simply be made again.
#[test]
fn an_item_whose_result_cannot_be_read_is_uncertain_and_a_query_is_not() {
    struct Cut {
        card: ModelCard,
        offered: bool,
    }
    impl Transport for Cut {
        fn read(&mut self, a: u32, within: Duration) -> Result<u32, TransportError> {
            match a == address::ITEM_RESULT && std::mem::take(&mut self.offered) {
                true => Err(TransportError::Timeout { address: a, within }),
                false => self.card.read(a, within),
            }
        }
        fn write(&mut self, a: u32, v: u32, within: Duration) -> Result<(), TransportError> {
            self.offered |= a >= address::ITEM_KEY;
            self.card.write(a, v, within)
        }
    }
    let design = card(FilterKind::Counting);
    let card = ModelCard::new(&design);
    let cut = Cut {
        card,
        offered: false,
    };
    let device = Device::identify(cut, &design, LIMITS).expect("a card");
    let key = key(&design, 1, 9);
    let lost = device.insert(&key).expect_err("its result was not read");
    assert_eq!(lost.class(), ErrorClass::Uncertain, "{lost}");
    let text = lost.to_string();
    assert!(
        text.contains("no answer within") && !text.contains("try again"),
        "{text}"
    );
    let lost = device.query(&key).expect_err("its result was not read");
    assert_eq!(lost.class(), ErrorClass::Timeout, "{lost}");
    let bulk = device.apply_all(&[Item::new(CellOperation::Insert, key)], |_| {});
    assert_eq!(bulk.expect_err("the same").class(), ErrorClass::Uncertain);
}

#[test]
fn another_hosts_item_in_between_is_found_out() {
    /// Does an item of its own whenever the host reads the result for the second time.
    struct Meddled {
        card: ModelCard,
        reads: u32,
    }
    impl Transport for Meddled {
        fn read(
            &mut self,
            a: u32,
            within: Duration,
        ) -> Result<u32, bloomline_driver::TransportError> {
            if a == address::ITEM_RESULT {
                self.reads += 1;
                if self.reads == 2 {
                    self.card.idle(100);
                    self.card.write(address::ITEM_KEY + 4, 7, within)?;
                    self.card.idle(100);
                }
            }
            self.card.read(a, within)
        }
        fn write(
            &mut self,
            a: u32,
            v: u32,
            within: Duration,
        ) -> Result<(), bloomline_driver::TransportError> {
            self.card.write(a, v, within)
        }
    }
    let design = card(FilterKind::Static);
    let card = ModelCard::new(&design);
    let device = Device::identify(Meddled { card, reads: 0 }, &design, LIMITS).expect("a card");
    let got = device.query(&key(&design, 1, 9));
    assert!(
        matches!(
            got,
            Err(DriverError::ItemInterrupted {
                expected: 1,
                got: 2,
                ..
            })
        ),
        "{got:?}"
    );
    assert!(device.query(&key(&design, 1, 9)).is_ok(), "and used on");
}

#[test]
fn threads_share_a_device_and_each_gets_its_own_verdicts() {
    let (design, device) = on_card(FilterKind::CountMin);
    const ROUNDS: u32 = 300;
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (device, design) = (&device, &design);
            scope.spawn(move || {
                // 3 of 4096 keys in 4 rows of 1024: their counters are their own, by the seed of the hash.
                let own = key(design, thread, 9);
                for round in 1..=ROUNDS {
                    match device.update(&own, thread as u32 + 1) {
                        Ok(Verdict::Counted(verdict)) => {
                            let expected = round * (thread as u32 + 1);
                            assert_eq!(verdict.estimate, expected, "thread {thread}");
                        }
                        other => panic!("{other:?}"),
                    }
                    if round % 16 == 0 {
                        let word = device.array_word(u64::from(round)).expect("it answers");
                        assert!(word >> 24 == 0, "two cells of 12 bits: {word:X}");
                        device.counters().expect("it answers");
                    }
                }
            });
        }
    });
    let counters = device.counters().expect("it answers");
    assert_eq!(
        counters.get(CellCounter::Items),
        Some(3 * u64::from(ROUNDS))
    );
}

#[test]
fn a_rekeyed_filter_answers_as_the_model_under_that_secret() {
    let (design, device) = on_card(FilterKind::Static);
    let Design::Cells(geometry) = &design else {
        panic!("a static filter is one of cells")
    };
    let mut reference = CellFilter::new(geometry);
    let secret = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210;
    device.insert(&key(&design, 1, 9)).expect("taken");
    device.rekey(secret).expect("it runs again");
    reference.set_secret(secret);
    assert!(!device
        .query(&key(&design, 1, 9))
        .expect("taken")
        .is_positive());
    for number in 0..400 {
        let key = key(&design, number, 400);
        device.insert(&key).expect("taken");
        reference.apply(&key, CellOperation::Insert, 1);
    }
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    let words = (0..).zip(snapshot.words());
    for (place, &word) in words {
        assert_eq!(word, reference.word(place), "word {place}");
    }
}

#[test]
fn two_phases_keep_a_half_through_a_rekey_and_nothing_through_a_clear_with_it() {
    let text = crate::model::text(FilterKind::Recycling);
    let design = crate::model::design(&format!("{text}[hash]\nfamily = \"siphash\"\n[card]\n"));
    let device = Device::identify(ModelCard::new(&design), &design, LIMITS).expect("a card");
    let key = key(&design, 1, 9);
    device.insert(&key).expect("taken");
    device.rekey(77).expect("it runs again");
    let kept = device.query(&key).expect("taken");
    assert!(
        matches!(kept, Verdict::Recycling(flags) if flags.in_frozen && !flags.in_active),
        "{kept:?}"
    );
    device.insert(&key).expect("taken");
    device.clear_and_rekey(78).expect("it runs again");
    assert!(!device.query(&key).expect("taken").is_positive());
}

#[test]
fn items_go_over_a_link_that_answers_late() {
    for millis in [5, 15, 30, 60, 100] {
        let limits = Limits::default();
        let design = card(FilterKind::CountMin);
        let bridge = Bridge::new(ModelCard::new(&design), Duration::from_millis(1));
        let medium = Medium::Datagrams {
            latency: Duration::from_millis(millis),
        };
        let faults = Faults::new(0, FaultRates::default());
        let line = Simulated::new(EtherboneResponder::new(bridge), medium, faults);
        let link = Etherbone::probe(EtherboneCarrier::new(line), 0, limits.access);
        let mut link = link.expect("it has a mailbox");
        link.authorise(None, limits.access)
            .expect("asks for no tag");
        let device = Device::identify(link, &design, limits).expect("a card");
        for count in 1..=4 {
            let verdict = device.update(&key(&design, 1, 9), 1);
            assert!(
                matches!(verdict, Ok(Verdict::Counted(verdict)) if verdict.estimate == count),
                "{millis} ms each way: {verdict:?}"
            );
        }
    }
}

/// A responder of hosts whose clocks are simulated: the one that is behind in time is answered first, however the system runs their threads.
struct InTime<R> {
    shared: Arc<(Mutex<Shared<R>>, Condvar)>,
    host: usize,
}

struct Shared<R> {
    responder: R,
    hosts: [Host; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum Host {
    Computing,
    Asking(Instant),
    Gone,
}

impl<R: Responder> Responder for InTime<R> {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let (shared, changed) = &*self.shared;
        let mut at_once = shared.lock().expect("no host failed");
        at_once.hosts[self.host] = Host::Asking(now);
        changed.notify_all();
        let other = 1 - self.host;
        let mut turn = changed
            .wait_while(at_once, |shared| match shared.hosts[other] {
                Host::Computing => true,
                Host::Asking(others) => (others, other) < (now, self.host),
                Host::Gone => false,
            })
            .expect("no host failed");
        turn.hosts[self.host] = Host::Computing;
        turn.responder.answer(bytes, now)
    }
}

impl<R> Drop for InTime<R> {
    fn drop(&mut self) {
        let (shared, changed) = &*self.shared;
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.hosts[self.host] = Host::Gone;
        changed.notify_all();
    }
}

#[test]
fn two_hosts_that_insert_at_once_each_get_their_own_verdicts() {
    const ROUNDS: u32 = 120;
    let limits = Limits {
        access: Duration::from_secs(5),
        command: Duration::from_secs(20),
    };
    let design = card(FilterKind::CountMin);
    let bridge = Bridge::new(ModelCard::new(&design), Duration::from_millis(1));
    let shared = Shared {
        responder: EtherboneResponder::new(bridge),
        hosts: [Host::Computing; 2],
    };
    let shared = Arc::new((Mutex::new(shared), Condvar::new()));
    let line = |host| {
        let shared = Arc::clone(&shared);
        let medium = Medium::Datagrams {
            latency: Duration::from_micros(100),
        };
        // some come later, so that accesses of both fall anywhere among each other
        let late = FaultRates {
            delay: 500_000,
            longest_delay: Duration::from_micros(300),
            ..FaultRates::default()
        };
        let faults = Faults::new(host as u64, late);
        Simulated::new(InTime { shared, host }, medium, faults)
    };
    let lines = [line(0), line(1)];
    let (items, unsure) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for (host, line) in (0..).zip(lines) {
            let (design, items, unsure) = (&design, &items, &unsure);
            scope.spawn(move || {
                let link = Etherbone::probe(EtherboneCarrier::new(line), 0, limits.access);
                let link = link.expect("it has a mailbox");
                let device = Device::identify(link, design, limits).expect("a card");
                let own = key(design, host, 9);
                // Items that were made for sure, and those that may have been.
                let (mut made, mut perhaps) = (0, 0);
                while made < ROUNDS {
                    match device.update(&own, 1) {
                        Ok(Verdict::Counted(verdict)) => {
                            let possible = made + 1..=made + perhaps + 1;
                            assert!(possible.contains(&verdict.estimate), "{possible:?}");
                            (made, perhaps) = (verdict.estimate, 0);
                        }
                        // Done all the same, as the next verdict shows.
                        Err(DriverError::VerdictLost { .. }) => made += 1,
                        // The other host's items came between, so that the port's count does not settle it.
                        Err(DriverError::Transport {
                            source: TransportError::Unknown { .. },
                            ..
                        }) => perhaps += 1,
                        other => panic!("host {host}, {made} made: {other:?}"),
                    }
                }
                items.fetch_add(made, Ordering::Relaxed);
                unsure.fetch_add(perhaps, Ordering::Relaxed);
            });
        }
    });
    let link = Etherbone::new(EtherboneCarrier::new(line(0)), 0, Checking::Mailbox);
    let device = Device::identify(link, &design, limits).expect("a card");
    let counters = device.counters().expect("it answers");
    let done = counters.get(CellCounter::Items).expect("it counts them");
    let least = u64::from(items.into_inner());
    assert!((least..=least + u64::from(unsure.into_inner())).contains(&done));
}

/// Runs `hosts` while a card of this design is served at the URL that they get.
fn while_served(design: &Design, hosts: impl FnOnce(&str)) {
    let bridge = Bridge::new(ModelCard::new(design), Duration::from_millis(1));
    let mut responder = EtherboneResponder::new(bridge);
    let mut line = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let url = format!("etherbone:{}", line.address().expect("it is bound"));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let server = scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hosts(&url)));
        stop.store(true, Ordering::Relaxed);
        server.join().expect("it ends").expect("the line is good");
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[test]
fn three_hosts_that_insert_at_once_lose_no_verdict() {
    const ITEMS: u64 = 100;
    let limits = Limits {
        access: Duration::from_secs(20),
        command: Duration::from_secs(20),
    };
    for kind in [FilterKind::CountMin, FilterKind::Static] {
        let design = card(kind);
        let start = Barrier::new(3);
        while_served(&design, |url| {
            std::thread::scope(|scope| {
                for host in 0..3 {
                    let (design, start) = (&design, &start);
                    scope.spawn(move || {
                        let link = open(url, limits.access).expect("it answers");
                        let device = Device::identify(link, design, limits).expect("a card");
                        start.wait();
                        // Each key twice.
                        for number in 0..ITEMS {
                            let own = key(design, 3 * (number / 2) + host, 3 * ITEMS);
                            let seen = match device.test_and_insert(&own).expect("its verdict") {
                                Verdict::Counted(verdict) => verdict.estimate > 1,
                                verdict => verdict.is_positive(),
                            };
                            assert!(seen || number % 2 == 0);
                        }
                    });
                }
            });
        });
    }
}

#[test]
fn an_item_waits_for_the_host_that_has_not_read_its_verdict_but_not_for_ever() {
    let design = card(FilterKind::Static);
    let within = LIMITS.access;
    // Items that were done, once the port is not busy.
    let done = |link: &mut dyn Transport| loop {
        let result = link.read(address::ITEM_RESULT, within);
        let result = result.expect("it answers");
        if result >> field::ITEM_BUSY & 1 == 0 {
            break result >> field::ITEM_SEQUENCE;
        }
    };
    while_served(&design, |url| {
        let mut first = open(url, within).expect("it answers");
        let second = open(url, within).expect("it answers");
        let second = Device::identify(second, &design, LIMITS).expect("a card");
        let mut item = vec![CellOperation::TestAndInsert.code().into()];
        item.extend(key(&design, 1, 9).words_32());
        for (reads, before) in [(true, 0), (false, 2)] {
            let (result, operation) = (address::ITEM_RESULT, address::ITEM_OPERATION);
            first
                .read_then_write(result, &mut [0], operation, &item, within)
                .expect("it is offered");
            std::thread::scope(|scope| {
                let offered = scope.spawn(|| second.test_and_insert(&key(&design, 2, 9)));
                std::thread::sleep(Duration::from_millis(50));
                if reads {
                    assert_eq!(done(&mut first), before + 1, "the other waited");
                }
                offered.join().expect("it ends").expect("its verdict");
            });
            assert_eq!(done(&mut first), before + 2);
        }
    });
}
