use super::axi::CLOCKS_A_SECOND;
use super::clocked::Clocked;
use super::{CardError, SimulatedCard};
use bloomline_bench::lockstep::SimulatorError;
use bloomline_driver::packet::LARGEST;
use bloomline_driver::serve::{EtherboneResponder, UartResponder, UdpServer};
use bloomline_driver::Line;
use std::io;
use std::net::ToSocketAddrs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the clock goes on after the last message.
const AWAKE: Duration = Duration::from_secs(1);
/// How often a clock that goes on is moved while nobody asks.
const TICK: Duration = Duration::from_millis(1);
/// How soon a request to stop is noticed.
const LOOK_UP: Duration = Duration::from_millis(50);
/// How long an answer is held for a client that does not read.
const PATIENCE: Duration = Duration::from_secs(1);
/// Clocks that are made good before the line is looked at again.
const SLICE: u64 = 100;
/// Most clocks that wait to be made good; a computer that falls further behind lets them go.
const MOST_OWED: u64 = 20_000;

impl Clocked for UartResponder<SimulatedCard> {
    fn run(&mut self, clocks: u64, _now: Instant) -> Result<Vec<u8>, SimulatorError> {
        self.bridge_mut().device_mut().run(clocks)?;
        Ok(Vec::new())
    }
}

impl Clocked for EtherboneResponder<SimulatedCard> {
    fn run(&mut self, clocks: u64, _now: Instant) -> Result<Vec<u8>, SimulatorError> {
        self.bridge_mut().device_mut().run(clocks)?;
        Ok(Vec::new())
    }
}

/// Answers for `device` over `line` until `stop` is set, which is noticed within 50 ms.
///
/// While clients talk, and for a second after, the device's clock also runs beside their accesses, with
/// [`CLOCKS_A_SECOND`] if the computer manages that many; then it stands until the next message. Clients come and go; an answer that
/// nobody reads within a second is dropped.
///
/// # Errors
/// [`CardError::Simulator`] when the model ends, [`CardError::Line`] when the line itself fails.
pub fn serve(
    line: &mut impl Line,
    device: &mut impl Clocked,
    stop: &AtomicBool,
) -> Result<(), CardError> {
    let failed = |source| CardError::Line { source };
    let mut buffer = vec![0; LARGEST];
    let mut moved = line.now();
    let mut awake_until = moved;
    let mut owed = 0;
    while !stop.load(Ordering::Relaxed) {
        let now = line.now();
        let wait = match now < awake_until {
            true if owed > 0 => Duration::ZERO,
            true => TICK,
            false => LOOK_UP,
        };
        let got = line.receive(&mut buffer, now + wait).map_err(failed)?;
        let now = line.now();
        if got > 0 {
            let answer = device.answer(&buffer[..got], now);
            send(line, &answer).map_err(failed)?;
            awake_until = now + AWAKE;
        }
        let clocks = match now < awake_until {
            true => {
                owed = (owed + clocks_between(moved, now)).min(MOST_OWED);
                // One at least: a model that has ended says so.
                owed.clamp(1, SLICE)
            }
            false => 0,
        };
        owed = owed.saturating_sub(clocks);
        moved = now;
        let unasked = device.run(clocks, now)?;
        send(line, &unasked).map_err(failed)?;
    }
    Ok(())
}

/// Clocks to make good for the time from `from` to `to`.
fn clocks_between(from: Instant, to: Instant) -> u64 {
    let time = to.saturating_duration_since(from).as_nanos();
    let clocks = time * u128::from(CLOCKS_A_SECOND) / 1_000_000_000;
    u64::try_from(clocks).unwrap_or(MOST_OWED)
}

fn send(line: &mut impl Line, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    match line.send(bytes, line.now() + PATIENCE) {
        // Nobody reads: the client has gone.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Listens at `address`; port 0 means any that is free.
///
/// # Errors
/// [`CardError::PortInUse`], [`CardError::Bind`].
pub fn bind_udp(address: &str) -> Result<UdpServer, CardError> {
    let bound = address
        .to_socket_addrs()
        .and_then(|addresses| UdpServer::bind(&addresses.collect::<Vec<_>>()[..]));
    bound.map_err(|source| {
        let address = address.to_owned();
        match source.kind() {
            io::ErrorKind::AddrInUse => CardError::PortInUse { address },
            _ => CardError::Bind { address, source },
        }
    })
}
