use crate::checking::Checking;
use crate::error::TransportError;
use std::time::Duration;

/// The time an access may take, from its call to its answer.
pub type Within = Duration;

/// A way to a device's 32-bit registers.
///
/// Addresses are byte addresses in the device's register space, multiples of four. Every access ends within the time it is
/// given or fails with [`TransportError::Timeout`]: a value that did not come is never reported as zero. An answer the device
/// gives is passed on: [`TransportError::Refused`] and [`TransportError::NoRegister`] are its two ways of saying no. A write
/// that fails with [`TransportError::Timeout`] was not made; one of which that cannot be said fails with
/// [`TransportError::Unknown`]. After any error the next access starts afresh: an implementation drops what may still arrive for the failed one.
pub trait Transport {
    /// Reads the register at `address`.
    ///
    /// # Errors
    /// [`TransportError`], naming the address.
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError>;

    /// Writes `value` to the register at `address`; returns once the device has answered.
    ///
    /// # Errors
    /// [`TransportError`], naming the address.
    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError>;

    /// Reads consecutive registers from `address` on, in rising order, one for each place of `values`. The time is that of
    /// the whole burst. On an error `values` holds nothing of meaning. Where several clients share the link, no access of
    /// another comes between the reads.
    ///
    /// Implementations with a cheaper way than one access after another replace this.
    ///
    /// # Errors
    /// [`TransportError`], naming the address that failed.
    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let start = std::time::Instant::now();
        for (place, value) in (0u32..).zip(values) {
            let address = address.wrapping_add(4 * place);
            let left = within
                .checked_sub(start.elapsed())
                .filter(|left| !left.is_zero())
                .ok_or(TransportError::Timeout { address, within })?;
            *value = self.read(address, left)?;
        }
        Ok(())
    }

    /// Writes `values` to consecutive registers from `address` on, in rising order. The time is that of the whole burst. After
    /// an error those before the failing one were written. Where several threads share the link, no access of another comes
    /// between the writes; another host's may.
    ///
    /// Implementations with a cheaper way than one access after another replace this.
    ///
    /// # Errors
    /// [`TransportError`], naming the address that failed.
    fn write_burst(
        &mut self,
        address: u32,
        values: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let start = std::time::Instant::now();
        for (place, &value) in (0u32..).zip(values) {
            let address = address.wrapping_add(4 * place);
            let left = within
                .checked_sub(start.elapsed())
                .filter(|left| !left.is_zero())
                .ok_or(TransportError::Timeout { address, within })?;
            self.write(address, value, left)?;
        }
        Ok(())
    }

    /// Reads consecutive registers from `read` on, then writes `words` to those from `write` on. Over a bridge with a mailbox no access
    /// of another host comes between any two of these, so what was read still holds when the last word is written: where one came, the
    /// whole is begun again, so writing any but the last word must not do harm. It is not begun while another host that did the same
    /// has not read all these registers since, unless that host rests for 200 ms (and 16 answers); waiting for it takes at most half of
    /// the time given. Other ways to a device cannot tell.
    ///
    /// # Errors
    /// As [`Transport::burst`] and [`Transport::write_burst`].
    fn read_then_write(
        &mut self,
        read: u32,
        values: &mut [u32],
        write: u32,
        words: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        self.burst(read, values, within)?;
        self.write_burst(write, words, within)
    }

    /// What stands between a damaged link and a wrong value, for a device behind a bridge; `None` for one without.
    fn checking(&self) -> Option<Checking> {
        None
    }
}

/// A pointer to a transport is one.
macro_rules! passed_on {
    ($($pointer:ty)+) => { $(
        impl<T: Transport + ?Sized> Transport for $pointer {
            fn checking(&self) -> Option<Checking> {
                (**self).checking()
            }

            fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
                (**self).read(address, within)
            }

            fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
                (**self).write(address, value, within)
            }

            fn burst(
                &mut self,
                address: u32,
                values: &mut [u32],
                within: Within,
            ) -> Result<(), TransportError> {
                (**self).burst(address, values, within)
            }

            fn write_burst(
                &mut self,
                address: u32,
                values: &[u32],
                within: Within,
            ) -> Result<(), TransportError> {
                (**self).write_burst(address, values, within)
            }

            fn read_then_write(
                &mut self,
                read: u32,
                values: &mut [u32],
                write: u32,
                words: &[u32],
                within: Within,
            ) -> Result<(), TransportError> {
                (**self).read_then_write(read, values, write, words, within)
            }
        }
    )+ };
}

passed_on!(Box<T> &mut T);
