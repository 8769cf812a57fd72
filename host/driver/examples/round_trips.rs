//! Register reads per second over each transport, beside a bare loopback of the same line: the same number of bytes there and
//! back with nothing done to them.
//!
//! `cargo run --release -p bloomline-driver --example round_trips [SECONDS]`, 0.2 seconds a round by default. The rounds of
//! a line and its loopback alternate; the table gives the median of fifteen rounds each, and the least and the most.

#[path = "support/loopback.rs"]
mod loopback;

use bloomline_driver::serve::{Bridge, EtherboneResponder, UartResponder, UdpServer};
use bloomline_driver::{
    Checking, Etherbone, EtherboneCarrier, PcieBar, SerialLine, Transport, TransportError, Uart,
    UartCarrier, UdpLine, Within,
};
use bloomline_spec::registers::MAGIC;
use loopback::{bounce, one_read, row, while_served, Echo, WITHIN};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;

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
        while_served(echo, Echo::new(there, back), || {
            row(
                name,
                seconds,
                || one_read(&mut link),
                || bounce(&mut bare, there, back),
            )
        })
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
        while_served(echo, Echo::new(there, back), || {
            row(
                name,
                seconds,
                || one_read(&mut link),
                || bounce(&mut bare, there, back),
            )
        })
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
