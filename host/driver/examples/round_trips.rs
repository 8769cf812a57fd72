//! Register reads per second over each transport, beside a bare loopback of the same line: the same number of bytes there and
//! back with nothing done to them.
//!
//! `cargo run --release -p bloomline-driver --example round_trips [SECONDS]`, 0.2 seconds a round by default. The rounds of
//! a line and its loopback alternate; the table gives the median of fifteen rounds each, and the least and the most.

use bloomline_driver::serve::{
    serve, Bridge, EtherboneResponder, Responder, UartResponder, UdpServer,
};
use bloomline_driver::{
    Checking, Etherbone, EtherboneCarrier, Line, PcieBar, SerialLine, Transport, TransportError,
    Uart, UartCarrier, UdpLine, Within,
};
use bloomline_spec::registers::{address, MAGIC};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
const WITHIN: Within = Duration::from_secs(1);
/// No wait is calculated from it that the pseudo-terminal would have.
const BAUD: u32 = 4_000_000;

/// Registers that take no time.
struct Constant;

impl Transport for Constant {
    fn read(&mut self, _: u32, _: Within) -> Result<u32, TransportError> {
        Ok(MAGIC)
    }

    fn write(&mut self, _: u32, _: u32, _: Within) -> Result<(), TransportError> {
        Ok(())
    }
}

/// Answers every so many bytes with so many.
struct Echo {
    there: usize,
    back: usize,
    have: usize,
}

impl Responder for Echo {
    fn answer(&mut self, bytes: &[u8], _: Instant) -> Vec<u8> {
        self.have += bytes.len();
        let answers = self.have / self.there;
        self.have %= self.there;
        vec![0x55; answers * self.back]
    }
}

/// One round trip over a bare line.
fn bounce(line: &mut impl Line, there: usize, back: usize) -> Result<(), Box<dyn Error>> {
    let until = line.now() + WITHIN;
    line.send(&[0x55; 256][..there], until)?;
    let mut buffer = [0; 256];
    let mut have = 0;
    while have < back {
        match line.receive(&mut buffer, until)? {
            0 => return Err("the loopback lost bytes".into()),
            got => have += got,
        }
    }
    Ok(())
}

/// Round trips a second, for one round.
fn rate(
    seconds: f64,
    mut trip: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let mut trips = 0u64;
    while start.elapsed().as_secs_f64() < seconds {
        // Looking at the clock would be most of a mapped read.
        for _ in 0..16 {
            trip()?;
        }
        trips += 16;
    }
    Ok(trips as f64 / start.elapsed().as_secs_f64())
}

/// Median, least and most.
fn spread(mut rates: Vec<f64>) -> [f64; 3] {
    rates.sort_by(f64::total_cmp);
    [rates[rates.len() / 2], rates[0], rates[rates.len() - 1]]
}

/// Measures `ours` and `bare` in turns and prints a row.
fn row(
    name: &str,
    seconds: f64,
    mut ours: impl FnMut() -> Result<(), Box<dyn Error>>,
    mut bare: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (mut of_ours, mut of_bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_ours.push(rate(seconds, &mut ours)?);
        of_bare.push(rate(seconds, &mut bare)?);
    }
    let [ours, ours_least, ours_most] = spread(of_ours);
    let [bare, bare_least, bare_most] = spread(of_bare);
    println!(
        "| {name} | {ours:.0} ({ours_least:.0} to {ours_most:.0}) | {bare:.0} ({bare_least:.0} to {bare_most:.0}) | {:.2} |",
        ours / bare
    );
    Ok(())
}

fn one_read(link: &mut impl Transport) -> Result<(), Box<dyn Error>> {
    match link.read(address::MAGIC, WITHIN)? {
        MAGIC => Ok(()),
        other => Err(format!("read 0x{other:08X}").into()),
    }
}

/// Serves at one end of a line while `measure` runs.
fn while_served<R>(
    mut line: impl Line,
    mut responder: impl Responder,
    measure: impl FnOnce() -> R,
) -> R {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let result = measure();
        stop.store(true, Ordering::Relaxed);
        result
    })
}

fn uart(
    name: &str,
    seconds: f64,
    checking: Checking,
    there: usize,
    back: usize,
) -> Result<(), Box<dyn Error>> {
    let (server, host) = SerialLine::pair()?;
    let (echo, mut bare) = SerialLine::pair()?;
    let responder = UartResponder::new(Bridge::new(Constant, WITHIN));
    let mut link = Uart::new(UartCarrier::new(host, BAUD), 0, checking);
    while_served(server, responder, || {
        while_served(
            echo,
            Echo {
                there,
                back,
                have: 0,
            },
            || {
                row(
                    name,
                    seconds,
                    || one_read(&mut link),
                    || bounce(&mut bare, there, back),
                )
            },
        )
    })
}

fn etherbone(
    name: &str,
    seconds: f64,
    checking: Checking,
    there: usize,
    back: usize,
) -> Result<(), Box<dyn Error>> {
    let (server, echo) = (
        UdpServer::bind("127.0.0.1:0")?,
        UdpServer::bind("127.0.0.1:0")?,
    );
    let mut bare = UdpLine::connect(echo.address()?)?;
    let carrier = EtherboneCarrier::new(UdpLine::connect(server.address()?)?);
    let mut link = Etherbone::new(carrier, 0, checking);
    let responder = EtherboneResponder::new(Bridge::new(Constant, WITHIN));
    while_served(server, responder, || {
        while_served(
            echo,
            Echo {
                there,
                back,
                have: 0,
            },
            || {
                row(
                    name,
                    seconds,
                    || one_read(&mut link),
                    || bounce(&mut bare, there, back),
                )
            },
        )
    })
}

fn pcie(name: &str, seconds: f64, folder: &Path) -> Result<(), Box<dyn Error>> {
    let path = folder.join("resource2");
    let mut bytes = vec![0; 4096];
    bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
    std::fs::write(&path, &bytes)?;
    let mut link = PcieBar::open(&path, 0)?;
    let memory = bytes.as_ptr().cast::<u32>();
    let load = || {
        // SAFETY: the first four of 4096 bytes of a live vector; `read_unaligned` asks for no alignment.
        match u32::from_le(black_box(unsafe { black_box(memory).read_unaligned() })) {
            MAGIC => Ok(()),
            other => Err(format!("read 0x{other:08X}").into()),
        }
    };
    row(name, seconds, || one_read(&mut link), load)
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = match std::env::args().nth(1) {
        Some(seconds) => seconds.parse()?,
        None => 0.2,
    };
    println!("| transport | reads a second | bare loopback, round trips a second | share |");
    println!("|---|---|---|---|");
    uart(
        "uart, mailbox (36 bytes there, 20 back)",
        seconds,
        Checking::Mailbox,
        36,
        20,
    )?;
    uart(
        "uart, three reads that agree (6 x 6 there, 6 x 4 back)",
        seconds,
        Checking::Agree,
        6,
        4,
    )?;
    uart(
        "uart, unchecked (6 there, 4 back)",
        seconds,
        Checking::None,
        6,
        4,
    )?;
    etherbone(
        "etherbone, mailbox (64 there, 36 back)",
        seconds,
        Checking::Mailbox,
        64,
        36,
    )?;
    etherbone(
        "etherbone, unchecked (20 there, 20 back)",
        seconds,
        Checking::None,
        20,
        20,
    )?;
    pcie(
        "pcie, a mapped file (4 bytes; bare: memory)",
        seconds,
        tempfile::tempdir()?.path(),
    )?;
    Ok(())
}
