//! Accesses over a bridge without a mailbox: what is read is believed at once, or when enough reads agree.

use super::{line_failed, BridgeLink, Carrier, Lost, Wait, AGREEING_READS, READS_TO_AGREE};
use crate::checking::Checking;
use crate::error::TransportError;
use crate::transport::Within;
use bloomline_spec::registers::address;
use std::time::Instant;

impl<C: Carrier> BridgeLink<C> {
    /// Repeats a read until it is answered.
    pub(super) fn read_until_answered(
        &mut self,
        address: u32,
        values: &mut [u32],
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let on_bus = self.on_bus(address)?;
        while self.carrier.now() < until {
            match self.carrier.carry(None, on_bus, values, Wait::Usual, until) {
                Ok(()) => return Ok(()),
                Err(Lost::Silence) => {}
                Err(Lost::Line(error)) => return Err(line_failed(address, error)),
            }
        }
        Err(TransportError::Timeout { address, within })
    }

    /// Repeats a read until enough results in a row agree, with the device's magic read unchanged between them.
    pub(super) fn read_until_agreed(
        &mut self,
        address: u32,
        values: &mut [u32],
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let mut before = vec![0; values.len()];
        let mut agree = 0;
        let mut usual = self.magic;
        for _ in 0..READS_TO_AGREE {
            self.read_until_answered(address, values, until, within)?;
            agree = if before == values { agree + 1 } else { 1 };
            let mut magic = [0];
            self.read_until_answered(address::MAGIC, &mut magic, until, within)?;
            let [magic] = magic;
            if usual.is_some_and(|usual| usual != magic) {
                self.carrier.unsettle();
                agree = 0;
            }
            // Until one agreement has settled what is usual, it is what came last.
            usual = self.magic.or(Some(magic));
            if agree == AGREEING_READS {
                self.magic = usual;
                return Ok(());
            }
            before.copy_from_slice(values);
        }
        let differ = before.iter().zip(values.iter()).position(|(a, b)| a != b);
        let place = differ.unwrap_or(0);
        Err(TransportError::Unsteady {
            address: address.wrapping_add(4 * place as u32),
            reads: READS_TO_AGREE,
        })
    }

    /// A write, which a bridge without a mailbox does not confirm: reading the register back shows that it was carried out.
    pub(super) fn plain_write(
        &mut self,
        address: u32,
        value: u32,
        until: Instant,
        within: Within,
    ) -> Result<(), TransportError> {
        let unknown = |why: String| TransportError::Unknown {
            address,
            value,
            why,
        };
        let read_back = self.checking == Checking::Agree;
        let from = match read_back {
            true => self.on_bus(address)?,
            false => self.base,
        };
        let mut read = [self.write_message(address, &[value], from, until)?];
        if !read_back {
            return Ok(());
        }
        self.read_until_agreed(address, &mut read, until, within)
            .map_err(|error| unknown(error.to_string()))?;
        match read {
            [read] if read == value => Ok(()),
            [read] => Err(unknown(format!("the register reads as 0x{read:08X}"))),
        }
    }

    /// Sends one message that writes `values`, and reads the word at `from` of the bridge's bus after them.
    pub(super) fn write_message(
        &mut self,
        address: u32,
        values: &[u32],
        from: u32,
        until: Instant,
    ) -> Result<u32, TransportError> {
        let write = Some((self.on_bus(address)?, values));
        let mut read = [0];
        let carried = self
            .carrier
            .carry(write, from, &mut read, Wait::Whole, until);
        match carried {
            Ok(()) => Ok(read[0]),
            Err(lost) => Err(TransportError::Unknown {
                address,
                value: values[0],
                why: match lost {
                    Lost::Silence => "no answer came after it".to_owned(),
                    Lost::Line(error) => line_failed(address, error).to_string(),
                },
            }),
        }
    }
}
