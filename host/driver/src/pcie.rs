//! `pcie:`, a BAR of a PCIe card mapped through sysfs.

use crate::error::TransportError;
use crate::open_error::OpenError;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{address, ADDRESS_BITS};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::OpenOptions;
use std::path::Path;
use std::time::Instant;

/// What a read gives when the card is not there, not enabled, or does not answer.
const NOBODY: u32 = u32::MAX;
/// Bytes of a filter's register space; a card's is twice that.
const SPAN: u64 = 1 << ADDRESS_BITS;
const CARD_SPAN: u64 = 2 * SPAN;

/// Registers in mapped memory: little-endian words, read and written one at a time.
///
/// The bus has no way to refuse an access, and a read cannot be abandoned: an access that takes longer than its time is told as
/// [`TransportError::Timeout`] when it is over. A path without refusals wants [`Guarded`](crate::Guarded).
#[derive(Debug)]
pub struct PcieBar {
    mapped: MmapRaw,
}

impl PcieBar {
    /// Maps the registers at byte `offset` of the BAR in the file at `path`, such as
    /// `/sys/bus/pci/devices/0000:03:00.0/resource2`.
    ///
    /// # Errors
    /// [`OpenError`] when there is no such file, no permission, or the BAR ends before the registers do.
    pub fn open(path: &Path, offset: u64) -> Result<PcieBar, OpenError> {
        let failed = |source| OpenError::from_io(path, source, "lspci -D");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let needed = offset.saturating_add(SPAN);
        if !offset.is_multiple_of(4) || size < needed {
            return Err(OpenError::BarSize {
                path: path.to_owned(),
                offset,
                needed,
                size,
            });
        }
        let mapped = MmapOptions::new()
            .offset(offset)
            .len((size - offset).min(CARD_SPAN) as usize)
            .map_raw(&file)
            .map_err(failed)?;
        Ok(PcieBar { mapped })
    }

    fn word(&self, address: u32) -> Result<*mut u32, TransportError> {
        let inside = address as usize + 4 <= self.mapped.len() && address.is_multiple_of(4);
        if !inside {
            return Err(TransportError::NoRegister { address });
        }
        // In bounds by the check above; a page-aligned start plus a multiple of four is aligned.
        Ok(self
            .mapped
            .as_mut_ptr()
            .wrapping_add(address as usize)
            .cast())
    }

    fn load(&self, address: u32) -> Result<u32, TransportError> {
        let word = self.word(address)?;
        // SAFETY: `word` is inside the mapping, which lives as long as `self`, and aligned; volatile, as devices change it.
        Ok(u32::from_le(unsafe { word.read_volatile() }))
    }

    /// All ones may be a value; that of MAGIC never is.
    fn loaded(&self, address: u32) -> Result<u32, TransportError> {
        let value = self.load(address)?;
        if value == NOBODY && self.load(address::MAGIC)? == NOBODY {
            return Err(TransportError::Link {
                address,
                what: "every read gives all ones: the card is gone, held in reset, or its memory space is not enabled \
                       (`setpci -s DEVICE COMMAND=2:2` enables it)"
                    .to_owned(),
                source: None,
            });
        }
        Ok(value)
    }
}

/// `done` if it was done in time.
fn in_time<R>(
    address: u32,
    within: Within,
    access: impl FnOnce() -> Result<R, TransportError>,
) -> Result<R, TransportError> {
    let timeout = TransportError::Timeout { address, within };
    if within.is_zero() {
        return Err(timeout);
    }
    let start = Instant::now();
    let done = access()?;
    if start.elapsed() > within {
        return Err(timeout);
    }
    Ok(done)
}

impl Transport for PcieBar {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        in_time(address, within, || self.loaded(address))
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        let written = in_time(address, within, || {
            let word = self.word(address)?;
            // SAFETY: as for `load`; the mapping is writable and no reference to it exists.
            unsafe { word.write_volatile(value.to_le()) };
            // A write is posted; a read behind it comes back only when it has arrived.
            self.loaded(address::MAGIC).map(|_| ())
        });
        match written {
            Err(error @ TransportError::Timeout { .. }) if !within.is_zero() => {
                Err(TransportError::Unknown {
                    address,
                    value,
                    why: error.to_string(),
                })
            }
            other => other,
        }
    }
}
