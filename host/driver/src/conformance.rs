//! Conformance suite of every transport, which checks it against a filter of a known geometry.
//!
//! [`check`] is what holds on a good link, [`check_troubled`] what holds when the link fails in the middle, and
//! [`check_two_clients`] what holds when two hosts, or two threads, use the device at once.

use crate::error::TransportError;
use crate::line::deadline;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{address, ADDRESS_BITS};
use bloomline_spec::{Access, RecyclingGeometry, RegisterMap};
use std::time::{Duration, Instant};

/// What can be wrong with a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing.
    None,
    /// Requests do not arrive.
    Deaf,
    /// Requests arrive and are carried out, answers do not come back.
    Mute,
    /// Answers end in the middle.
    Partial,
    /// Every answer is damaged, each differently.
    Damaged,
}

impl Trouble {
    /// Every kind but [`Trouble::None`].
    pub const ALL: [Trouble; 4] = [
        Trouble::Deaf,
        Trouble::Mute,
        Trouble::Partial,
        Trouble::Damaged,
    ];
}

/// How much later than its deadline an access may end: what the operating system takes to wake a thread of a busy machine.
const WAKING: Duration = Duration::from_millis(250);

/// Runs the suite over `transport`, at whose other end is a filter of `geometry` fresh out of reset. Each access is given
/// `within`. Leaves threshold and maximum age as it found them.
///
/// # Errors
/// The first claim that does not hold, in words.
pub fn check<T: Transport>(
    transport: &mut T,
    geometry: &RecyclingGeometry,
    within: Within,
) -> Result<(), String> {
    check_registers(transport, &RegisterMap::of(geometry), within)?;
    writes_are_read_back(transport, geometry, within)?;
    write_bursts_arrive(transport, geometry, within)
}

/// The part of [`check`] that asks for no kind of filter: runs it over `transport`, at whose other end is a filter with the
/// registers of `map`. Changes no register.
///
/// # Errors
/// The first claim that does not hold, in words.
pub fn check_registers<T: Transport>(
    transport: &mut T,
    map: &RegisterMap,
    within: Within,
) -> Result<(), String> {
    constants_read_as_the_map_says(transport, map, within)?;
    bursts_equal_single_reads(transport, within)?;
    refusals_are_errors(transport, map, within)
}

/// Runs the suite over a `transport` whose link `set` brings into each of `troubles` and out of it again. Each access is given `within`,
/// enough for one after the trouble to find its feet. Leaves the threshold at the geometry's.
///
/// # Errors
/// The first claim that does not hold, in words.
pub fn check_troubled<T: Transport>(
    transport: &mut T,
    geometry: &RecyclingGeometry,
    within: Within,
    troubles: &[Trouble],
    mut set: impl FnMut(Trouble),
) -> Result<(), String> {
    let before = u32::try_from(geometry.threshold())
        .map_err(|_| "the geometry's threshold does not fit a register".to_owned())?;
    for &trouble in troubles {
        set(trouble);
        let start = Instant::now();
        let got = transport.read(address::VERSION, within);
        in_time(trouble, start, within)?;
        expect_no_answer(trouble, &got)?;
        let start = Instant::now();
        let got = transport.burst(address::MAGIC, &mut [0; 5], within);
        in_time(trouble, start, within)?;
        expect_no_answer(trouble, &got)?;
        let written = geometry.hashes();
        let start = Instant::now();
        let got = transport.write(address::THRESHOLD, written, within);
        in_time(trouble, start, within)?;
        expect_no_answer(trouble, &got)?;

        set(Trouble::None);
        let magic = transport.read(address::MAGIC, within);
        if !matches!(magic, Ok(bloomline_spec::registers::MAGIC)) {
            return Err(format!("after {trouble:?} the first read gave {magic:?}"));
        }
        let threshold = transport.read(address::THRESHOLD, within);
        let carried_out =
            trouble != Trouble::Deaf && matches!(threshold, Ok(read) if read == written);
        let left_alone = matches!(threshold, Ok(read) if read == before);
        if !carried_out && !left_alone {
            return Err(format!(
                "{trouble:?} left a threshold of {threshold:?}: neither {before} nor the {written} of the write"
            ));
        }
        transport
            .write(address::THRESHOLD, before, within)
            .map_err(|error| format!("after {trouble:?} a write failed: {error}"))?;
    }
    Ok(())
}

fn in_time(trouble: Trouble, start: Instant, within: Within) -> Result<(), String> {
    let took = start.elapsed();
    if took > within + WAKING {
        return Err(format!(
            "under {trouble:?} an access of {within:?} took {took:?}"
        ));
    }
    Ok(())
}

fn expect_no_answer<R: std::fmt::Debug>(
    trouble: Trouble,
    got: &Result<R, TransportError>,
) -> Result<(), String> {
    match got {
        Err(
            TransportError::Timeout { .. }
            | TransportError::Link { .. }
            | TransportError::Unknown { .. }
            | TransportError::Unsteady { .. },
        ) => Ok(()),
        other => Err(format!("under {trouble:?} an access gave {other:?}")),
    }
}

/// Runs two clients of one device against each other, `rounds` times: one sets the threshold, the other the maximum age, both
/// read bursts. Leaves both registers changed.
///
/// # Errors
/// The first claim that does not hold, in words.
pub fn check_two_clients<A: Transport + Send, B: Transport + Send>(
    first: &mut A,
    second: &mut B,
    geometry: &RecyclingGeometry,
    within: Within,
    rounds: u32,
) -> Result<(), String> {
    let least = geometry.hashes();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| own_register(first, address::THRESHOLD, least, within, rounds));
        let second = own_register(second, address::MAX_AGE, 1, within, rounds);
        let first = first
            .join()
            .map_err(|_| "the first client panicked".to_owned())?;
        first.and(second)
    })
}

/// Writes a register that nobody else writes and finds it as it was written, with the constants around it.
fn own_register<T: Transport>(
    transport: &mut T,
    register: u32,
    first: u32,
    within: Within,
    rounds: u32,
) -> Result<(), String> {
    let mut constants = [0; 5];
    transport
        .burst(address::MAGIC, &mut constants, within)
        .map_err(|error| format!("the first burst: {error}"))?;
    for value in first..first + rounds {
        // Where the other client came in between, a bridge may be unable to say; the register is this client's own. How often
        // in a row that happens is the scheduler's to say, so it is the time that ends it.
        let until = deadline(Instant::now(), within);
        let mut written = transport.write(register, value, within);
        while matches!(written, Err(TransportError::Unknown { .. })) && Instant::now() < until {
            written = transport.write(register, value, within);
        }
        written.map_err(|error| format!("writing {value} at 0x{register:03X}: {error}"))?;
        let mut again = [0; 5];
        transport
            .burst(address::MAGIC, &mut again, within)
            .map_err(|error| format!("a burst: {error}"))?;
        if again != constants {
            return Err(format!("constants {constants:X?} became {again:X?}"));
        }
        let got = transport.read(register, within);
        if !matches!(got, Ok(read) if read == value) {
            return Err(format!(
                "0x{register:03X} written as {value}, read as {got:?}"
            ));
        }
    }
    Ok(())
}

fn constants_read_as_the_map_says<T: Transport>(
    transport: &mut T,
    map: &RegisterMap,
    within: Within,
) -> Result<(), String> {
    for register in map.registers() {
        let (Access::Constant, Some(expected)) = (register.access, register.reset) else {
            continue;
        };
        let got = transport.read(register.offset, within);
        if !matches!(got, Ok(value) if value == expected) {
            return Err(format!(
                "reading {} at 0x{:03X}: expected 0x{expected:08X}, got {got:?}",
                register.name, register.offset
            ));
        }
    }
    Ok(())
}

fn bursts_equal_single_reads<T: Transport>(
    transport: &mut T,
    within: Within,
) -> Result<(), String> {
    let mut together = [0; 5];
    transport
        .burst(address::MAGIC, &mut together, within)
        .map_err(|error| format!("a burst of five from 0x000: {error}"))?;
    for (place, &got) in (0u32..).zip(&together) {
        let alone = transport.read(address::MAGIC + 4 * place, within);
        if !matches!(alone, Ok(value) if value == got) {
            return Err(format!(
                "place {place} of a burst is 0x{got:08X}, read alone it is {alone:?}"
            ));
        }
    }
    transport
        .burst(address::MAGIC, &mut [], within)
        .map_err(|error| format!("a burst of nothing must do nothing: {error}"))
}

fn writes_are_read_back<T: Transport>(
    transport: &mut T,
    geometry: &RecyclingGeometry,
    within: Within,
) -> Result<(), String> {
    let mut write_and_read = |value: u32| -> Result<(), String> {
        let got = transport
            .write(address::THRESHOLD, value, within)
            .and_then(|()| transport.read(address::THRESHOLD, within));
        match got {
            Ok(read) if read == value => Ok(()),
            _ => Err(format!("THRESHOLD written as {value}, read as {got:?}")),
        }
    };
    let threshold = u32::try_from(geometry.threshold())
        .map_err(|_| "the geometry's threshold does not fit a register".to_owned())?;
    write_and_read(geometry.hashes())?;
    write_and_read(threshold)
}

/// Threshold and maximum age are neighbours.
fn write_bursts_arrive<T: Transport>(
    transport: &mut T,
    geometry: &RecyclingGeometry,
    within: Within,
) -> Result<(), String> {
    let threshold = u32::try_from(geometry.threshold())
        .map_err(|_| "the geometry's threshold does not fit a register".to_owned())?;
    let as_found = [threshold, geometry.max_age_ticks()];
    for values in [[geometry.hashes(), u32::MAX], as_found] {
        let mut got = [0; 2];
        let done = transport
            .write_burst(address::THRESHOLD, &values, within)
            .and_then(|()| transport.burst(address::THRESHOLD, &mut got, within));
        if done.is_err() || got != values {
            return Err(format!(
                "a burst of writes of {values:?} from THRESHOLD on: {done:?}, read as {got:?}"
            ));
        }
    }
    transport
        .write_burst(address::THRESHOLD, &[], within)
        .map_err(|error| format!("a burst of no writes must do nothing: {error}"))?;
    let got = transport.write_burst(address::COUNTERS_NEXT, &[0, 0], within);
    if !matches!(got, Err(TransportError::Refused { address }) if address == address::COUNTERS_NEXT)
    {
        return Err(format!(
            "a burst of writes to constants must be refused with the first address, got {got:?}"
        ));
    }
    Ok(())
}

fn refusals_are_errors<T: Transport>(
    transport: &mut T,
    map: &RegisterMap,
    within: Within,
) -> Result<(), String> {
    let got = transport.write(address::MAGIC, 0, within);
    if !matches!(got, Err(TransportError::Refused { address }) if address == address::MAGIC) {
        return Err(format!(
            "writing MAGIC must be refused with its address, got {got:?}"
        ));
    }
    let unmapped = (0..1u32 << ADDRESS_BITS)
        .step_by(4)
        .find(|&address| map.at(address).is_none());
    if let Some(unmapped) = unmapped {
        let got = transport.read(unmapped, within);
        if !matches!(got, Err(TransportError::NoRegister { address }) if address == unmapped) {
            return Err(format!(
                "reading 0x{unmapped:03X}, where no register is, must fail with its address, got {got:?}"
            ));
        }
    }
    let after = transport.read(address::VERSION, within);
    match after {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("after a refusal the next access failed: {error}")),
    }
}
