use crate::device_link::{simulate, simulate_host_port, CardSimulator};
use crate::output::{Ending, Output};
use anyhow::Context;
use bloomline_driver::packet::LARGEST;
use bloomline_driver::serve::{Bridge, EtherboneResponder, UartResponder};
use bloomline_driver::{read_key, Design, Line, Within};
use bloomline_simulated::device::{bind_udp, serve, Clocked, SimulatedCard, Terminal};
use bloomline_spec::host_port::HostAuth;
use bloomline_toolkit::Filter;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time that the card has for each access of the bridge.
const ACCESS: Within = Duration::from_millis(50);
/// The time for which the simulation's speed is measured.
const MEASURED: Duration = Duration::from_millis(50);
/// The least time that a client has for an access through a line card's UART, bit by bit in the simulation, and the longest that a URL may give it.
const UART_TIMEOUT_MS: [u64; 2] = [30_000, 600_000];
/// Bits on a UART for which a client waits for an access: one takes some 5,000, with what the card's bridge adds, and the computer may have other work.
const BITS_OF_AN_ACCESS: u64 = 20_000;
/// Clocks between two looks at the time meanwhile.
const CLOCKS_AT_ONCE: u64 = 100;

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    #[command(flatten)]
    at: At,
    /// Key that is loaded into a line card whose host port asks for tags (32 hexadecimal digits), for --udp
    #[arg(long, value_name = "FILE", requires = "udp")]
    key: Option<PathBuf>,
    /// What the card runs in; without it the built-in simulator, and Verilator for a card with a UART where that is installed
    #[arg(long, value_enum)]
    simulator: Option<CardSimulator>,
}

/// Where clients reach the card; nothing: a pseudo-terminal.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct At {
    /// A pseudo-terminal that speaks LiteX's uartbone (the default), with a link to it at LINK
    #[arg(long, value_name = "LINK", num_args = 0..=1)]
    pty: Option<Option<PathBuf>>,
    /// UDP that speaks Etherbone; without ADDR for this computer alone, port 0: any that is free. To the host port of a line
    /// card ([packet.host]) datagrams go as Ethernet frames, through its pins
    #[arg(long, value_name = "[ADDR:]PORT")]
    udp: Option<String>,
}

/// What `serve` prints once clients can come.
#[derive(Serialize)]
struct Served {
    url: String,
    filter: String,
    geometry_hash: String,
    /// Clock cycles a second that the simulation reaches on this computer.
    simulated_hz: u64,
    /// Clock of the card itself.
    clock_hz: u64,
}

impl Cmd {
    /// Serves until it is interrupted.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::read(&self.spec)?;
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        let design = filter.design();
        if !design.has_registers() {
            anyhow::bail!(
                "{}: features.registers = \"none\" leaves nothing to serve: a host reaches a filter by its registers; use \"full\" or \"threshold\"",
                self.spec.display()
            );
        }
        if let (Some(key), None) = (&self.key, design.host()) {
            anyhow::bail!(
                "--key {}: {} has no host port, which alone takes a key; leave it out, or add [packet.host] to a line card",
                key.display(),
                self.spec.display()
            );
        }
        let simulator = self.simulator;
        let stop = stop_on_signals()?;
        // The line first: what is wrong with it is known before the simulation is built.
        match self.at.udp {
            Some(address) => {
                let line = bind_udp(&with_host(address))?;
                let url = format!("etherbone:{}", line.address()?);
                if let Some(host) = design.host() {
                    let key = self.key.as_deref().map(read_key).transpose()?;
                    let mut card = simulate_host_port(design, simulator)?;
                    match key {
                        Some(key) => card.load_key(design, key)?,
                        None if host.auth == HostAuth::SipHash24 => note!(
                            "warning: no key is loaded, so the host port makes no access; give --key FILE, and the same file in the client's URL (?key=FILE)"
                        ),
                        None => {}
                    }
                    return attend(line, card, Served::new(url, design), &stop, output);
                }
                // Datagrams do not come over a UART, so its time need not pass either.
                let on_a_bus = design.on_a_bus();
                let card = simulate(on_a_bus.as_ref().unwrap_or(design), simulator)?;
                let mut bridge = EtherboneResponder::new(bridge_to(card, design));
                let uart = design.common().card().and_then(|card| card.uart);
                let url = match (&on_a_bus, uart) {
                    (None, Some(uart)) => {
                        let hz = simulated_hz(&mut bridge)?;
                        format!(
                            "{url}?timeout_ms={}",
                            uart_timeout_ms(uart.clocks_per_bit, hz)
                        )
                    }
                    _ => url,
                };
                attend(line, bridge, Served::new(url, design), &stop, output)
            }
            None => {
                let line = Terminal::open(self.at.pty.flatten().as_deref())?;
                let url = format!("uart:{}", line.path());
                match simulate(design, simulator)?.into_uart_pins() {
                    Ok(mut pins) => {
                        let url = with_baud(&url, pins.simulated_baud()?);
                        attend(line, pins, Served::new(url, design), &stop, output)
                    }
                    Err(card) => {
                        let bridge = UartResponder::new(bridge_to(card, design));
                        attend(line, bridge, Served::new(url, design), &stop, output)
                    }
                }
            }
        }
    }
}

/// The bridge to a simulated card of this design.
fn bridge_to(card: SimulatedCard, design: &Design) -> Bridge<SimulatedCard> {
    Bridge::new(card, ACCESS).with_bus_bits(design.common().map_address_bits())
}

impl Served {
    fn new(url: String, design: &Design) -> Served {
        Served {
            url,
            filter: design.common().name().to_owned(),
            geometry_hash: format!("{:016x}", design.geometry_hash()),
            simulated_hz: 0,
            clock_hz: design.common().clock_hz(),
        }
    }
}

/// Clock cycles a second that the simulation reaches, by what it does in [`MEASURED`].
fn simulated_hz(device: &mut impl Clocked) -> anyhow::Result<u64> {
    let start = Instant::now();
    let mut clocks = 0;
    while start.elapsed() < MEASURED {
        device.run(CLOCKS_AT_ONCE, Instant::now())?;
        clocks += CLOCKS_AT_ONCE;
    }
    Ok((clocks as f64 / start.elapsed().as_secs_f64()) as u64)
}

/// Milliseconds for which a client waits for an access over a UART that is simulated at this speed.
fn uart_timeout_ms(clocks_per_bit: u32, simulated_hz: u64) -> u64 {
    let [least, most] = UART_TIMEOUT_MS;
    let taken = 1_000 * BITS_OF_AN_ACCESS * u64::from(clocks_per_bit) / simulated_hz.max(1);
    taken.clamp(least, most)
}

/// Says where the device is, and answers for it until `stop`.
fn attend(
    mut line: impl Line,
    mut device: impl Clocked,
    served: Served,
    stop: &AtomicBool,
    output: Output,
) -> anyhow::Result<Ending> {
    let served = Served {
        simulated_hz: simulated_hz(&mut device)?,
        ..served
    };
    // What was sent before the card was there is lost, as it is while a part is configured.
    let mut lost = [0; LARGEST];
    while line.receive(&mut lost, line.now())? > 0 {}
    output.result(&served, || served.url.clone())?;
    note!(
        "serving {}; the simulation runs at about {:.2} MHz, the card itself would at {:.2} MHz; Ctrl-C ends",
        served.filter,
        served.simulated_hz as f64 / 1e6,
        served.clock_hz as f64 / 1e6,
    );
    serve(&mut line, &mut device, stop)?;
    Ok(Ending::Good)
}

/// The URL with the rate by which a client waits for answers: an eighth of what the simulation was measured to reach, as the
/// computer may have other work later. An answer that is there is not held back by it.
fn with_baud(url: &str, simulated: u32) -> String {
    format!("{url}?baud={}", (simulated / 8).max(1))
}

/// A flag that Ctrl-C and the signals that end a process set.
fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// The address with a host; a port alone is one of this computer's, for itself.
fn with_host(address: String) -> String {
    match address.parse::<u16>() {
        Ok(port) => format!("127.0.0.1:{port}"),
        Err(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_waits_the_longer_for_a_simulated_uart_the_slower_it_is() {
        // 125 MHz and a megabaud: 2,500,000 clocks
        assert_eq!(uart_timeout_ms(125, 1_000_000), 30_000);
        assert_eq!(uart_timeout_ms(125, 40_000), 62_500);
        assert_eq!(uart_timeout_ms(125, 0), 600_000);
    }
}
