//! Register reads per second of a simulated card, in this process and served to others, beside a bare loopback of the same
//! medium: for the card in this process as many clocks of its model with nothing done to the pins, for a line the same number
//! of bytes there and back with nothing done to them.
//!
//! `cargo run --release -p bloomline-simulated --example served_card [SECONDS]`, 0.2 seconds a round by default. The rounds of a
//! card and its loopback alternate; the table gives the median of fifteen rounds each, and the least and the most. The
//! card is the two-phase example.

#[allow(dead_code, reason = "keys in bulk are measured elsewhere")]
#[path = "../../driver/examples/support/loopback.rs"]
mod loopback;

use bloomline_bench::lockstep::Simulator;
use bloomline_bench::verilator::Initial;
use bloomline_driver::serve::{Bridge, EtherboneResponder, UartResponder, UdpServer};
use bloomline_driver::{open, Line, SerialLine, Transport, UdpLine};
use bloomline_simulated::device::{bind_udp, serve, Clocked, SimulatedCard, Terminal};
use bloomline_spec::{FilterSpec, EXAMPLES};
use bloomline_toolchain::{Program, Toolchain};
use loopback::{bounce, one_read, row, while_served, Echo, WITHIN};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The two-phase example in Verilator.
fn card() -> Result<SimulatedCard, Box<dyn Error>> {
    let (file, text) = EXAMPLES[0];
    let sizing = FilterSpec::from_toml(text, Path::new(file))?.validate()?;
    let toolchain = Toolchain::discover()?;
    toolchain.find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))?;
    let geometry = sizing.with_threshold(20_000)?;
    Ok(SimulatedCard::build(
        &geometry,
        Simulator::Verilator(&toolchain),
        Initial::Random(1),
    )?)
}

/// In this process.
fn alone(seconds: f64) -> Result<(), Box<dyn Error>> {
    let (mut card, mut bare) = (card()?, card()?);
    let before = card.clocks();
    one_read(&mut card)?;
    let clocks = card.clocks() - before;
    let name = format!("sim (a read takes {clocks} clocks)");
    row(
        &name,
        seconds,
        || one_read(&mut card),
        || Ok(bare.run(clocks)?),
    )
}

/// Through a line at which the card is served, beside a line with an echo; the client is a thread of this process.
fn over(
    name: &str,
    seconds: f64,
    url: &str,
    (there, back): (usize, usize),
    (mut line, mut device): (impl Line, impl Clocked),
    (echo, mut bare): (impl Line, impl Line),
) -> Result<(), Box<dyn Error>> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let served = scope.spawn(|| serve(&mut line, &mut device, &stop));
        let measured = while_served(echo, Echo::new(there, back), || {
            let mut link: Box<dyn Transport + Send> = open(url, WITHIN)?;
            row(
                name,
                seconds,
                || one_read(&mut link),
                || bounce(&mut bare, there, back),
            )
        });
        stop.store(true, Ordering::Relaxed);
        served.join().map_err(|_| "serving panicked")??;
        measured
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = match std::env::args().nth(1) {
        Some(seconds) => seconds.parse()?,
        None => 0.2,
    };
    println!("| simulated card | reads a second | bare loopback, round trips a second | share |");
    println!("|---|---|---|---|");
    alone(seconds)?;

    let terminal = Terminal::open(None)?;
    // No wait is calculated from the rate that the pseudo-terminal would have.
    let url = format!("uart:{}?baud=4000000", terminal.path());
    let bridge = UartResponder::new(Bridge::new(card()?, WITHIN));
    over(
        "uart over a pseudo-terminal, mailbox (36 bytes there, 20 back)",
        seconds,
        &url,
        (36, 20),
        (terminal, bridge),
        SerialLine::pair()?,
    )?;

    let socket = bind_udp("127.0.0.1:0")?;
    let url = format!("etherbone:{}", socket.address()?);
    let bridge = EtherboneResponder::new(Bridge::new(card()?, WITHIN));
    let echo = UdpServer::bind("127.0.0.1:0")?;
    let bare = UdpLine::connect(echo.address()?)?;
    over(
        "etherbone over loopback UDP, mailbox (64 there, 36 back)",
        seconds,
        &url,
        (64, 36),
        (socket, bridge),
        (echo, bare),
    )
}
