//! Claims about the transports: each against the one conformance suite, in trouble, and with two clients.

use crate::common::{geometry, Fake, Kept};
use bloomline_driver::conformance::{self, Trouble};
use bloomline_driver::serve::{
    serve, Bridge, EtherboneResponder, Faults, FaultyResponder, Medium, Responder, Simulated,
    UartResponder, UdpServer,
};
use bloomline_driver::{
    open, Checking, Device, Etherbone, EtherboneCarrier, Guarded, Limits, PcieBar, SerialLine,
    Shared, Transport, TransportError, Uart, UartCarrier, UdpLine,
};
use bloomline_spec::registers::{address, RecyclingCounter, MAGIC};
use bloomline_spec::RegisterMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_secs(2);
const DEVICE_WITHIN: Duration = Duration::from_millis(100);
const BAUD: u32 = 1_000_000;
const STREAM: Medium = Medium::Stream {
    byte_time: Duration::from_micros(10),
};
const DATAGRAMS: Medium = Medium::Datagrams {
    latency: Duration::from_micros(50),
};

fn fake_bridge() -> Bridge<Kept> {
    Bridge::new(Kept::new(Fake::new(&geometry())), DEVICE_WITHIN)
}

fn plain_bridge() -> Bridge<Kept> {
    Bridge::plain(Kept::new(Fake::new(&geometry())), DEVICE_WITHIN)
}

/// Runs `test` with the path of a terminal at whose other end `responder` answers.
fn at_a_terminal(mut responder: impl Responder, test: impl FnOnce(&str)) {
    let (mut server, kept_open) = SerialLine::pair().expect("a pseudo-terminal");
    let path = kept_open.path().expect("the terminal's path");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let serving = scope.spawn(|| serve(&mut server, &mut responder, &stop));
        let ends = EndServing(&stop);
        test(&path);
        drop(ends);
        serving
            .join()
            .expect("the server does not panic")
            .expect("the terminal stays open");
    });
}

/// Runs `test` with the address of a UDP port where `responder` answers.
fn at_a_port(mut responder: impl Responder, test: impl FnOnce(SocketAddr)) {
    let mut server = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let address = server.address().expect("it is bound");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let serving = scope.spawn(|| serve(&mut server, &mut responder, &stop));
        let ends = EndServing(&stop);
        test(address);
        drop(ends);
        serving
            .join()
            .expect("the server does not panic")
            .expect("the port stays open");
    });
}

/// Also when the test fails, or its scope would wait for the server for ever.
struct EndServing<'a>(&'a AtomicBool);

impl Drop for EndServing<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A file as long as OpenNIC's BAR 2, with the reset values of the map at its offset.
fn bar_file(folder: &Path) -> (std::path::PathBuf, u64) {
    const OFFSET: u64 = 0x10_0000;
    let mut bytes = vec![0; 0x20_0000];
    for register in RegisterMap::of(geometry()).registers() {
        let place = OFFSET as usize + register.offset as usize;
        let value = register.reset.unwrap_or(1);
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
    }
    let path = folder.join("resource2");
    std::fs::write(&path, bytes).expect("a temporary file");
    (path, OFFSET)
}

#[test]
fn uart_conforms_over_a_terminal() {
    at_a_terminal(UartResponder::new(fake_bridge()), |path| {
        let url = format!("uart:{path}?baud={BAUD}");
        let mut uart = open(&url, WITHIN).expect("a bridge answers");
        conformance::check(&mut uart, &geometry(), WITHIN).expect("conforms");
    });
}

#[test]
fn etherbone_conforms_over_udp() {
    at_a_port(EtherboneResponder::new(fake_bridge()), |address| {
        let mut etherbone =
            open(&format!("etherbone:{address}"), WITHIN).expect("a bridge answers");
        conformance::check(&mut etherbone, &geometry(), WITHIN).expect("conforms");
    });
}

#[test]
fn pcie_conforms_behind_its_guard_on_a_file_of_the_same_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, offset) = bar_file(folder.path());
    let url = format!("pcie:{}?offset=0x{offset:x}", path.display());
    let bar = open(&url, WITHIN).expect("a file of the right size");
    let map = RegisterMap::of(geometry());
    conformance::check(&mut Guarded::new(bar, map), &geometry(), WITHIN).expect("conforms");
    let bar = PcieBar::open(&path, offset).expect("a file of the right size");
    let device = Device::identify(bar, geometry(), Limits::default()).expect("our filter");
    device.set_threshold(77).expect("legal");
    let bytes = std::fs::read(&path).expect("the file");
    let place = (offset + u64::from(address::THRESHOLD)) as usize;
    assert_eq!(bytes[place..place + 4], 77u32.to_le_bytes());
}

#[test]
fn bridges_without_a_mailbox_conform_behind_the_guard() {
    let map = RegisterMap::of(geometry());
    let line = Simulated::new(UartResponder::new(plain_bridge()), STREAM, Faults::none());
    let refused = Uart::probe(UartCarrier::new(line, BAUD), 0, WITHIN).map(|_| ());
    assert!(
        matches!(refused, Err(TransportError::NoMailbox)),
        "{refused:?}"
    );
    let line = Simulated::new(UartResponder::new(plain_bridge()), STREAM, Faults::none());
    let uart = Uart::new(UartCarrier::new(line, BAUD), 0, Checking::Agree);
    let mut guarded = Guarded::new(uart, map.clone());
    conformance::check(&mut guarded, &geometry(), WITHIN).expect("conforms");

    let responder = EtherboneResponder::new(plain_bridge());
    let line = Simulated::new(responder, DATAGRAMS, Faults::none());
    let refused = Etherbone::probe(EtherboneCarrier::new(line), 0, WITHIN).map(|_| ());
    assert!(
        matches!(refused, Err(TransportError::NoMailbox)),
        "{refused:?}"
    );
    let responder = EtherboneResponder::new(plain_bridge());
    let line = Simulated::new(responder, DATAGRAMS, Faults::none());
    let etherbone = Etherbone::new(EtherboneCarrier::new(line), 0, Checking::None);
    let mut guarded = Guarded::new(etherbone, map);
    conformance::check(&mut guarded, &geometry(), WITHIN).expect("conforms");
}

/// Answers nothing to its first messages, as a network that loses them.
struct LosesFirst<R> {
    responder: R,
    left: u32,
}

impl<R: Responder> Responder for LosesFirst<R> {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        if self.left > 0 {
            self.left -= 1;
            return Vec::new();
        }
        self.responder.answer(bytes, now)
    }
}

#[test]
fn lost_messages_do_not_lower_the_checking() {
    for left in 0..12 {
        let responder = LosesFirst {
            responder: EtherboneResponder::new(Bridge::new(
                Kept::new(Fake::new(&geometry())),
                DEVICE_WITHIN,
            )),
            left,
        };
        let line = Simulated::new(responder, DATAGRAMS, Faults::none());
        let link = Etherbone::probe(EtherboneCarrier::new(line), 0, 30 * WITHIN);
        let link = link.unwrap_or_else(|error| panic!("{left} lost: {error}"));
        assert_eq!(link.checking(), Checking::Mailbox, "{left} lost");
    }
}

#[test]
fn a_device_that_is_not_at_address_0_of_the_bus_is_reached_by_its_base() {
    struct At(u32, Kept);
    impl Transport for At {
        fn read(&mut self, a: u32, within: Duration) -> Result<u32, TransportError> {
            let inner = a.checked_sub(self.0);
            let inner = inner.ok_or(TransportError::NoRegister { address: a })?;
            self.1.read(inner, within)
        }
        fn write(&mut self, a: u32, value: u32, within: Duration) -> Result<(), TransportError> {
            let inner = a.checked_sub(self.0);
            let inner = inner.ok_or(TransportError::NoRegister { address: a })?;
            self.1.write(inner, value, within)
        }
    }
    let at = At(0x8200_0000, Kept::new(Fake::new(&geometry())));
    let responder = UartResponder::new(Bridge::new(at, DEVICE_WITHIN));
    at_a_terminal(responder, |path| {
        let url = format!("uart:{path}?base=0x82000000&check=mailbox");
        let mut uart = open(&url, WITHIN).expect("it opens");
        conformance::check(&mut uart, &geometry(), WITHIN).expect("conforms");
    });
}

/// Each trouble on a bridge of its own, at once: what takes time is waiting.
fn in_every_trouble(check: impl Fn(Trouble) + Sync) {
    thread::scope(|scope| {
        for trouble in Trouble::ALL {
            let check = &check;
            scope.spawn(move || check(trouble));
        }
    });
}

#[test]
fn uart_in_trouble_gives_typed_errors_in_time_and_recovers() {
    in_every_trouble(|trouble| {
        let (responder, breaker) = FaultyResponder::new(UartResponder::new(fake_bridge()));
        at_a_terminal(responder, |path| {
            let mut uart =
                open(&format!("uart:{path}?baud={BAUD}"), WITHIN).expect("a bridge answers");
            let within = Duration::from_millis(600);
            let set = |trouble| breaker.set(trouble);
            conformance::check_troubled(&mut uart, &geometry(), within, &[trouble], set)
                .expect("conforms");
        });
    });
}

#[test]
fn etherbone_in_trouble_gives_typed_errors_in_time_and_recovers() {
    in_every_trouble(|trouble| {
        let (responder, breaker) = FaultyResponder::new(EtherboneResponder::new(fake_bridge()));
        at_a_port(responder, |address| {
            let mut etherbone =
                open(&format!("etherbone:{address}"), WITHIN).expect("a bridge answers");
            let within = Duration::from_millis(400);
            let set = |trouble| breaker.set(trouble);
            conformance::check_troubled(&mut etherbone, &geometry(), within, &[trouble], set)
                .expect("conforms");
        });
    });
}

#[test]
fn a_plain_uart_bridge_in_trouble_gives_typed_errors_too() {
    let (responder, breaker) = FaultyResponder::new(UartResponder::new(plain_bridge()));
    let line = Simulated::new(responder, STREAM, Faults::none());
    let mut uart = Uart::new(UartCarrier::new(line, BAUD), 0, Checking::Agree);
    conformance::check_troubled(&mut uart, &geometry(), WITHIN, &Trouble::ALL, |trouble| {
        breaker.set(trouble)
    })
    .expect("conforms");
}

#[test]
fn conformance_finds_a_transport_that_believes_what_comes() {
    let (responder, breaker) = FaultyResponder::new(UartResponder::new(plain_bridge()));
    let line = Simulated::new(responder, STREAM, Faults::none());
    let mut uart = Uart::new(UartCarrier::new(line, BAUD), 0, Checking::None);
    let found =
        conformance::check_troubled(&mut uart, &geometry(), WITHIN, &Trouble::ALL, |trouble| {
            breaker.set(trouble)
        });
    let message = found.expect_err("damage goes unseen");
    assert!(message.contains("under Damaged"), "{message}");
}

#[test]
fn two_threads_share_one_uart() {
    at_a_terminal(UartResponder::new(fake_bridge()), |path| {
        let uart = open(&format!("uart:{path}"), WITHIN).expect("a bridge answers");
        let mut first = Shared::new(uart);
        let mut second = first.clone();
        conformance::check_two_clients(&mut first, &mut second, &geometry(), WITHIN, 50)
            .expect("conforms");
    });
}

#[test]
fn two_hosts_share_one_etherbone_bridge() {
    at_a_port(EtherboneResponder::new(fake_bridge()), |address| {
        let url = format!("etherbone:{address}");
        let mut first = open(&url, WITHIN).expect("a bridge answers");
        let mut second = open(&url, WITHIN).expect("a bridge answers");
        conformance::check_two_clients(&mut first, &mut second, &geometry(), WITHIN, 200)
            .expect("conforms");
    });
}

#[test]
fn a_client_that_another_outruns_a_thousand_times_in_a_row_conforms() {
    struct Outrun {
        device: Fake,
        left: u32,
    }
    impl Transport for Outrun {
        fn read(&mut self, address: u32, within: Duration) -> Result<u32, TransportError> {
            self.device.read(address, within)
        }
        fn write(&mut self, address: u32, value: u32, w: Duration) -> Result<(), TransportError> {
            if self.left == 0 {
                return self.device.write(address, value, w);
            }
            self.left -= 1;
            let why = "other hosts' accesses came at the same time".to_owned();
            Err(TransportError::Unknown {
                address,
                value,
                why,
            })
        }
    }
    let outrun = |left| Outrun {
        device: Fake::new(&geometry()),
        left,
    };
    let check = |left, within| {
        conformance::check_two_clients(&mut outrun(left), &mut outrun(0), &geometry(), within, 3)
    };
    check(1000, WITHIN).expect("conforms");
    let message = check(u32::MAX, Duration::from_millis(20)).expect_err("never written");
    assert!(message.contains("cannot be said"), "{message}");
}

#[test]
fn a_terminal_is_opened_by_one_process_at_a_time() {
    at_a_terminal(UartResponder::new(fake_bridge()), |path| {
        let url = format!("uart:{path}?check=mailbox");
        let _first = open(&url, WITHIN).expect("it opens");
        let second = open(&url, WITHIN).map(|_| ());
        let message = second.expect_err("it is in use").to_string();
        assert!(
            message.contains("another process uses the device"),
            "{message}"
        );
    });
}

#[test]
fn a_terminal_whose_user_is_just_going_is_opened() {
    at_a_terminal(UartResponder::new(fake_bridge()), |path| {
        let url = format!("uart:{path}?check=mailbox");
        let first = open(&url, WITHIN).expect("it opens");
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(40));
                drop(first);
            });
            open(&url, WITHIN).map(|_| ()).expect("it opens again");
        });
    });
}

#[test]
fn a_counter_stays_whole_while_two_hosts_read_counters() {
    let mut fake = Fake::new(&geometry());
    fake.set_counter(RecyclingCounter::Items, 0xFFFF_FF00);
    fake.set_counter(RecyclingCounter::Seen, 0x5_0000_0000);
    fake.busy = Some(RecyclingCounter::Items.into());
    let bridge = Bridge::new(Kept::new(fake), DEVICE_WITHIN);
    at_a_port(EtherboneResponder::new(bridge), |address| {
        let limits = Limits {
            access: WITHIN,
            command: WITHIN,
        };
        let device = || {
            let link = open(&format!("etherbone:{address}"), WITHIN).expect("a bridge answers");
            Device::identify(link, geometry(), limits).expect("our filter")
        };
        let (first, second) = (device(), device());
        thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..300 {
                    let seen = second.counter(RecyclingCounter::Seen).expect("answers");
                    assert_eq!(seen, 0x5_0000_0000);
                }
            });
            let mut last = 0;
            for _ in 0..300 {
                let items = first.counter(RecyclingCounter::Items).expect("answers");
                assert!(
                    items > last && items < 0x1_0000_FFFF,
                    "{last:x} then {items:x}"
                );
                last = items;
            }
            assert!(
                last > u64::from(u32::MAX),
                "the carry must be crossed: {last:x}"
            );
        });
    });
}

#[test]
fn a_terminal_whose_other_end_closes_is_a_link_error_at_once() {
    let (server, other) = SerialLine::pair().expect("a pseudo-terminal");
    let path = other.path().expect("the terminal's path");
    let mut uart = open(&format!("uart:{path}?check=mailbox"), WITHIN).expect("it opens");
    drop(other);
    let closing = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        drop(server);
    });
    let start = Instant::now();
    let error = uart.read(address::MAGIC, Duration::from_secs(20));
    assert!(
        matches!(error, Err(TransportError::Link { .. })),
        "{error:?}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    closing.join().expect("it only sleeps");
    let error = uart.write(address::THRESHOLD, 5, Duration::from_millis(200));
    assert!(
        matches!(
            error,
            Err(TransportError::Link { .. } | TransportError::Unknown { .. })
        ),
        "{error:?}"
    );
}

#[test]
fn a_bridge_that_starts_late_is_reached_once_it_runs() {
    let server = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let port = server.address().expect("it is bound");
    drop(server);
    let mut etherbone = open(&format!("etherbone:{port}?check=mailbox"), WITHIN).expect("it opens");
    let error = etherbone.read(address::MAGIC, Duration::from_millis(100));
    assert!(
        matches!(
            error,
            Err(TransportError::Link { .. } | TransportError::Timeout { .. })
        ),
        "{error:?}"
    );
    let mut server = UdpServer::bind(port).expect("the port is free again");
    let mut responder = EtherboneResponder::new(fake_bridge());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&mut server, &mut responder, &stop));
        let ends = EndServing(&stop);
        let magic = etherbone.read(address::MAGIC, WITHIN);
        assert!(matches!(magic, Ok(MAGIC)), "{magic:?}");
        drop(ends);
    });
}

#[test]
fn a_bridge_that_is_reset_in_the_middle_is_used_on() {
    let kept = Kept::new(Fake::new(&geometry()));
    let responder = UartResponder::new(Bridge::new(kept.clone(), DEVICE_WITHIN));
    let mut line = Simulated::new(responder, STREAM, Faults::none());
    // Accesses of an earlier host, so that the count does not start where the reset puts it.
    let restart = |line: &mut Simulated<UartResponder<Kept>>| {
        *line.responder_mut() = UartResponder::new(Bridge::new(kept.clone(), DEVICE_WITHIN));
    };
    line.responder_mut().bridge_mut().write(address::MAX_AGE, 3);
    let mut uart = Uart::new(UartCarrier::new(line, BAUD), 0, Checking::Mailbox);
    uart.write(address::MAX_AGE, 4, WITHIN).expect("answers");
    restart(uart.carrier_mut().line_mut());
    uart.write(address::MAX_AGE, 5, WITHIN).expect("answers");
    assert_eq!(uart.read(address::MAX_AGE, WITHIN).expect("answers"), 5);
}

#[test]
fn a_device_that_gives_no_answer_is_a_timeout_through_the_bridge_and_a_write_to_it_unknown() {
    let mut fake = Fake::new(&geometry());
    fake.silent = Some(address::THRESHOLD);
    let responder = EtherboneResponder::new(Bridge::new(Kept::new(fake), DEVICE_WITHIN));
    let line = Simulated::new(responder, DATAGRAMS, Faults::none());
    let mut etherbone = Etherbone::probe(EtherboneCarrier::new(line), 0, WITHIN).expect("answers");
    let read = etherbone.read(address::THRESHOLD, WITHIN);
    assert!(
        matches!(read, Err(TransportError::Timeout { .. })),
        "{read:?}"
    );
    let write = etherbone.write(address::THRESHOLD, 9, WITHIN);
    assert!(
        matches!(write, Err(TransportError::Unknown { value: 9, .. })),
        "{write:?}"
    );
}

#[test]
fn a_card_that_is_gone_reads_as_ones_and_is_a_link_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, offset) = bar_file(folder.path());
    let mut bar = PcieBar::open(&path, offset).expect("a file of the right size");
    bar.write(address::MAX_AGE, u32::MAX, WITHIN)
        .expect("it takes all ones");
    assert_eq!(
        bar.read(address::MAX_AGE, WITHIN)
            .expect("a value like any other"),
        u32::MAX
    );
    std::fs::write(&path, vec![0xFF; 0x20_0000]).expect("the file");
    for address in [address::MAGIC, address::MAX_AGE] {
        let read = bar.read(address, WITHIN);
        assert!(matches!(read, Err(TransportError::Link { .. })), "{read:?}");
    }
    let write = bar.write(address::MAX_AGE, 5, WITHIN);
    assert!(
        matches!(write, Err(TransportError::Link { .. })),
        "{write:?}"
    );
}

#[test]
fn no_time_is_a_timeout_on_every_transport_and_addresses_off_the_grid_are_no_registers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, offset) = bar_file(folder.path());
    let uart_line = Simulated::new(UartResponder::new(fake_bridge()), STREAM, Faults::none());
    let udp_line = Simulated::new(
        EtherboneResponder::new(fake_bridge()),
        DATAGRAMS,
        Faults::none(),
    );
    let mut every: [Box<dyn Transport>; 4] = [
        Box::new(PcieBar::open(&path, offset).expect("a file of the right size")),
        Box::new(Uart::new(
            UartCarrier::new(uart_line, BAUD),
            0,
            Checking::Mailbox,
        )),
        Box::new(Etherbone::new(
            EtherboneCarrier::new(udp_line),
            0,
            Checking::Mailbox,
        )),
        Box::new(Shared::new(Fake::new(&geometry()))),
    ];
    for transport in &mut every {
        let none = Duration::ZERO;
        let read = transport.read(address::MAGIC, none);
        assert!(
            matches!(read, Err(TransportError::Timeout { .. })),
            "{read:?}"
        );
        let write = transport.write(address::THRESHOLD, 5, none);
        assert!(
            matches!(write, Err(TransportError::Timeout { .. })),
            "{write:?}"
        );
        for address in [2, u32::MAX - 3] {
            let read = transport.read(address, WITHIN);
            assert!(
                matches!(read, Err(TransportError::NoRegister { .. })),
                "{read:?}"
            );
        }
        assert_eq!(
            transport
                .read(address::MAGIC, Duration::MAX)
                .expect("answers"),
            MAGIC
        );
    }
}

#[test]
fn waiting_for_another_client_counts_against_the_deadline() {
    struct Slow;
    impl Transport for Slow {
        fn read(&mut self, _: u32, _: Duration) -> Result<u32, TransportError> {
            thread::sleep(Duration::from_millis(400));
            Ok(1)
        }
        fn write(&mut self, _: u32, _: u32, _: Duration) -> Result<(), TransportError> {
            Ok(())
        }
    }
    let mut first = Shared::new(Slow);
    let mut second = first.clone();
    thread::scope(|scope| {
        let holding = scope.spawn(move || first.read(0, WITHIN));
        thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        let error = second.write(4, 1, Duration::from_millis(50));
        assert!(
            matches!(error, Err(TransportError::Starved { address: 4, .. })),
            "{error:?}"
        );
        assert!(
            start.elapsed() < Duration::from_millis(250),
            "{:?}",
            start.elapsed()
        );
        assert_eq!(holding.join().expect("no panic").expect("answers"), 1);
        second.write(4, 1, WITHIN).expect("it is free again");
    });
}

#[test]
fn a_peer_that_listens_and_says_nothing_is_a_timeout() {
    let server = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let line = UdpLine::connect(server.address().expect("it is bound")).expect("it connects");
    let mut etherbone = Etherbone::new(EtherboneCarrier::new(line), 0, Checking::None);
    let start = Instant::now();
    let read = etherbone.read(0, Duration::from_millis(100));
    assert!(
        matches!(read, Err(TransportError::Timeout { .. })),
        "{read:?}"
    );
    assert!(start.elapsed() < Duration::from_millis(400));
    drop(server);
}
