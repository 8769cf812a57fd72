//! Claims about LiteX: its server, its client, its packet code and its gateware on the other end of ours.
//!
//! The package comes from PyPI at a pinned version, into the tools folder (`BLOOMLINE_TOOLS`, or `.tools` in the source tree).
//! Where it cannot be had the tests say that they were skipped, and fail when `CI=true`.

use crate::common::{geometry, Fake, Kept};
use crate::litex::{numbers, python, run, script, Running};
use bloomline_driver::serve::{serve, Bridge, EtherboneResponder, UartResponder, UdpServer};
use bloomline_driver::{open, OpenError, SerialLine, Transport};
use bloomline_spec::registers::{address, MAGIC, MAP_VERSION};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const WITHIN: Duration = Duration::from_secs(5);
const DEVICE_WITHIN: Duration = Duration::from_millis(100);
const VALUE: u32 = 54_321;

/// Tells the serving thread to end, also when the test fails.
struct EndServing<'a>(&'a AtomicBool);

impl Drop for EndServing<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn identification() -> [u32; 5] {
    let hash = geometry().geometry_hash();
    [
        MAGIC,
        MAP_VERSION,
        hash as u32,
        (hash >> 32) as u32,
        address::FILTER,
    ]
}

#[test]
fn litex_server_and_its_client_reach_our_registers_over_uart() {
    let Some(python) = python() else { return };
    let device = Kept::new(Fake::new(&geometry()));
    let mut responder = UartResponder::new(Bridge::new(device.clone(), DEVICE_WITHIN));
    let (mut line, kept_open) = SerialLine::pair().expect("a pseudo-terminal");
    let terminal = kept_open.path().expect("the terminal's path");
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("it is bound").port().to_string();
    drop(free);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let _ends = EndServing(&stop);
        let server = Command::new(python)
            .args(["-m", "litex.tools.litex_server", "--uart", "--uart-port"])
            .args([&terminal, "--bind-port", &port])
            .stdout(Stdio::null())
            .spawn();
        let _server = Running(server.expect("Python starts"));
        let (register, value) = (address::THRESHOLD.to_string(), VALUE.to_string());
        let printed = run(Command::new(python)
            .arg(script("client.py"))
            .args([&port, &register, &value]));
        let read = numbers(&printed.expect("the client ends well"));
        assert_eq!(read[..2], [MAGIC, VALUE]);
        assert_eq!(read[2..], identification());
    });
    assert_eq!(
        device.with(|fake| fake.writes.clone()),
        [(address::THRESHOLD, VALUE)]
    );
}

#[test]
fn litex_over_udp_reaches_our_registers() {
    let Some(python) = python() else { return };
    let device = Kept::new(Fake::new(&geometry()));
    let mut responder = EtherboneResponder::new(Bridge::new(device.clone(), DEVICE_WITHIN));
    let mut line = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let port = line.address().expect("it is bound").port().to_string();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let _ends = EndServing(&stop);
        let (register, value) = (address::THRESHOLD.to_string(), VALUE.to_string());
        let printed = run(Command::new(python)
            .arg(script("udp_host.py"))
            .args([&port, &register, &value]));
        let read = numbers(&printed.expect("the host ends well"));
        assert_eq!(read[..3], [1, MAGIC, VALUE]);
        assert_eq!(read[3..], identification());
    });
    assert_eq!(
        device.with(|fake| fake.writes.clone()),
        [(address::THRESHOLD, VALUE)]
    );
}

#[test]
fn our_packets_are_understood_by_litex_packet_code() {
    let Some(python) = python() else { return };
    let bridge = Command::new(python)
        .arg(script("udp_device.py"))
        .stdout(Stdio::piped())
        .spawn();
    let mut bridge = Running(bridge.expect("Python starts"));
    let output = bridge.0.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(output).lines();
    let mut line = || lines.next().expect("it runs").expect("it prints text");
    let port = line();
    let mut etherbone = {
        let url = format!("etherbone:127.0.0.1:{port}");
        // LiteX's bridge has no mailbox, which a user must allow.
        let refused = open(&url, Duration::from_secs(1)).map(|_| ());
        assert!(
            matches!(refused, Err(OpenError::NoMailbox { .. })),
            "{refused:?}"
        );
        open(&(url + "?check=none"), WITHIN).expect("nothing is asked yet")
    };
    assert_eq!(etherbone.read(0, WITHIN).expect("it answers"), MAGIC);
    etherbone
        .write(0x54, 0xCAFE_F00D, WITHIN)
        .expect("it answers");
    assert_eq!(
        etherbone.read(0x54, WITHIN).expect("it answers"),
        0xCAFE_F00D
    );
    let mut words = [0; 3];
    etherbone
        .burst(0x50, &mut words, WITHIN)
        .expect("it answers");
    assert_eq!(words, [0, 0xCAFE_F00D, 0]);
    // The search for a mailbox only reads; the first write is ours.
    assert_eq!(line(), "write 0x54 0xcafef00d");
}

#[test]
fn our_commands_are_understood_by_litex_gateware() {
    let Some(python) = python() else { return };
    let (mut line, kept_open) = SerialLine::pair().expect("a pseudo-terminal");
    let (mut other, host_end) = SerialLine::pair().expect("a pseudo-terminal");
    let gateware_path = kept_open.path().expect("the terminal's path");
    let host_path = host_end.path().expect("the terminal's path");
    let gateware = Command::new(python)
        .arg(script("gateware.py"))
        .arg(&gateware_path)
        .stdout(Stdio::piped())
        .spawn();
    let mut gateware = Running(gateware.expect("Python starts"));
    let output = gateware.0.stdout.take().expect("it is piped");
    let ready = BufReader::new(output).lines().next();
    assert_eq!(ready.expect("it runs").expect("it prints text"), "ready");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| join(&mut line, &mut other, &stop));
        let _ends = EndServing(&stop);
        // The simulator is about as fast as a line of 1200 baud.
        let url = format!("uart:{host_path}?check=agree&baud=1200");
        let mut uart = open(&url, WITHIN).expect("it opens");
        assert_eq!(uart.read(0, WITHIN).expect("it answers"), MAGIC);
        let mut words = [0; 4];
        uart.burst(0, &mut words, WITHIN).expect("it answers");
        assert_eq!(words, [MAGIC, 11, 22, 33]);
        uart.write(0x54, 0x1234_5678, WITHIN).expect("it answers");
        assert_eq!(uart.read(0x54, WITHIN).expect("it answers"), 0x1234_5678);
    });
}

/// Carries bytes between the ends of two terminals.
fn join(a: &mut SerialLine, b: &mut SerialLine, stop: &AtomicBool) {
    use bloomline_driver::Line;
    let mut buffer = [0; 256];
    while !stop.load(Ordering::Relaxed) {
        for turn in [true, false] {
            let (from, to) = if turn {
                (&mut *a, &mut *b)
            } else {
                (&mut *b, &mut *a)
            };
            let until = from.now() + Duration::from_millis(1);
            let got = from
                .receive(&mut buffer, until)
                .expect("the terminals are open");
            if got > 0 {
                to.send(&buffer[..got], until + WITHIN)
                    .expect("the terminals are open");
            }
        }
    }
}
