use crate::error::DriverError;
use crate::transport::{Transport, Within};
use std::sync::MutexGuard;

/// The link while one call of the device has it: a sequence of accesses that no other thread of the device comes into.
pub(super) struct Session<'a, T> {
    pub(super) link: MutexGuard<'a, T>,
    pub(super) access: Within,
    pub(super) doing: &'static str,
}

impl<T: Transport> Session<'_, T> {
    pub(super) fn read(&mut self, address: u32) -> Result<u32, DriverError> {
        self.link
            .read(address, self.access)
            .map_err(DriverError::while_(self.doing))
    }

    pub(super) fn write(&mut self, address: u32, value: u32) -> Result<(), DriverError> {
        self.link
            .write(address, value, self.access)
            .map_err(DriverError::while_(self.doing))
    }

    /// Writes consecutive registers; over a bridge with a mailbox no access of another host comes between.
    pub(super) fn write_undisturbed(
        &mut self,
        address: u32,
        words: &[u32],
    ) -> Result<(), DriverError> {
        let within = self.accesses(words.len());
        self.link
            .read_then_write(address, &mut [], address, words, within)
            .map_err(DriverError::while_(self.doing))
    }

    /// The time of so many accesses in a row.
    pub(super) fn accesses(&self, count: usize) -> Within {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        self.access.saturating_mul(count)
    }

    pub(super) fn burst(&mut self, address: u32, values: &mut [u32]) -> Result<(), DriverError> {
        let within = self.accesses(values.len());
        self.link
            .burst(address, values, within)
            .map_err(DriverError::while_(self.doing))
    }
}
