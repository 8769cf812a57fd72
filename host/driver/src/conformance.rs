//! What every transport must do, checked against a filter of a known geometry: one suite for all of them.

use crate::error::TransportError;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{address, ADDRESS_BITS};
use bloomline_spec::{Access, Geometry, RegisterMap};

/// Runs the suite over `transport`, at whose other end is a filter of `geometry` fresh out of reset. Each access is given
/// `within`. Leaves the threshold as it found it.
///
/// # Errors
/// The first claim that does not hold, in words.
pub fn check<T: Transport>(
    transport: &mut T,
    geometry: &Geometry,
    within: Within,
) -> Result<(), String> {
    let map = RegisterMap::for_geometry(geometry);
    constants_read_as_the_map_says(transport, &map, within)?;
    bursts_equal_single_reads(transport, within)?;
    writes_are_read_back(transport, geometry, within)?;
    refusals_are_errors(transport, &map, within)
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
    geometry: &Geometry,
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
