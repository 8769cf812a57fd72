use super::session::Session;
use super::{Device, Status};
use crate::error::DriverError;
use crate::transport::Transport;
use bloomline_spec::registers::{address, field};
use bloomline_spec::{RecyclingGeometry, TICK_CLOCKS};
use std::time::{Duration, Instant};

impl<T: Transport> Device<T> {
    /// What the filter is doing. Traffic: one read of STATUS.
    ///
    /// # Errors
    /// A failed access.
    pub fn status(&self) -> Result<Status, DriverError> {
        let bits = self.session("status").read(address::STATUS)?;
        Ok(Status::from_bits(&self.map, bits))
    }

    /// The threshold in force: bits set or messages of one half, or the count from which a key is reported. Traffic: one read of THRESHOLD.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for static and sliding-window filters, or a failed access.
    pub fn threshold(&self) -> Result<u64, DriverError> {
        self.needs("threshold", address::THRESHOLD, "threshold")?;
        Ok(self.session("threshold").read(address::THRESHOLD)?.into())
    }

    /// Sets the threshold, in the unit of [`Device::threshold`]. Traffic: one write of THRESHOLD.
    ///
    /// In a recycling filter items meet it once those ahead have left the pipeline, and a value below what the half holds
    /// acts at the next bit-setting item; in a filter of counters it acts at once.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for static and sliding-window filters, [`DriverError::Threshold`] for a value that the
    /// specification would refuse too; nothing is written then. Or a failed access.
    pub fn set_threshold(&self, threshold: u64) -> Result<(), DriverError> {
        let value = self.legal_threshold(threshold)?;
        self.session("set threshold")
            .write(address::THRESHOLD, value)
    }

    pub(super) fn legal_threshold(&self, threshold: u64) -> Result<u32, DriverError> {
        let Some((least, most)) = self.design.thresholds() else {
            return Err(self.not_there("set threshold", "threshold"));
        };
        match u32::try_from(threshold) {
            Ok(value) if (least..=most).contains(&threshold) => Ok(value),
            _ => Err(DriverError::Threshold {
                least,
                most,
                got: threshold,
            }),
        }
    }

    /// The longest time a half stays active, in ticks of 1024 clocks; 0 means no limit. Traffic: one read of MAX_AGE.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, [`DriverError::NotBuilt`] for one without `features.max_age`, or a failed access.
    pub fn max_age_ticks(&self) -> Result<u32, DriverError> {
        self.needs_max_age("maximum age")?;
        self.session("maximum age").read(address::MAX_AGE)
    }

    fn needs_max_age(&self, doing: &'static str) -> Result<(), DriverError> {
        match self.design.recycling() {
            Some(geometry) if !geometry.has_max_age() => {
                Err(self.not_built(doing, "maximum age", "features.max_age"))
            }
            _ => self.needs(doing, address::MAX_AGE, "maximum age"),
        }
    }

    /// Sets the longest time a half stays active, in ticks of 1024 clocks; 0 means no limit. Traffic: one write of MAX_AGE.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, or a failed access.
    pub fn set_max_age_ticks(&self, ticks: u32) -> Result<(), DriverError> {
        self.needs_max_age("set maximum age")?;
        self.session("set maximum age")
            .write(address::MAX_AGE, ticks)
    }

    /// Sets the longest time a half stays active, by the clock of the specification, rounded down to whole ticks of 1024
    /// clocks but at least one; zero means no limit. Gives the ticks. Traffic: one write of MAX_AGE.
    ///
    /// # Errors
    /// [`DriverError::MaxAge`] for a time that is more ticks than the register holds; as [`Device::set_max_age_ticks`].
    pub fn set_max_age(&self, age: Duration) -> Result<u32, DriverError> {
        let ticks = self.legal_max_age(age)?;
        self.set_max_age_ticks(ticks)?;
        Ok(ticks)
    }

    /// The ticks of an age.
    pub(super) fn legal_max_age(&self, age: Duration) -> Result<u32, DriverError> {
        self.needs_max_age("set maximum age")?;
        let hz = u128::from(self.design.common().clock_hz());
        let tick = u128::from(TICK_CLOCKS);
        let ticks = match age.is_zero() {
            true => 0,
            false => (age.as_nanos() * hz / (tick * 1_000_000_000)).max(1),
        };
        u32::try_from(ticks).map_err(|_| {
            let seconds = tick * u128::from(u32::MAX) / hz;
            DriverError::MaxAge {
                got: age,
                most: Duration::from_secs(seconds as u64),
            }
        })
    }

    /// Empties the filter and waits until it takes items again. Counters stay. Traffic: one write of CONTROL, then reads of
    /// STATUS until two in a row say running.
    ///
    /// # Errors
    /// [`DriverError::NotRunning`] if it does not run again within [`Limits::command`](crate::Limits), or a failed access.
    pub fn clear(&self) -> Result<(), DriverError> {
        self.command(self.session("clear"), 1 << field::CONTROL_CLEAR)
    }

    /// Recycles now, as the age of the active half would: it becomes the frozen half, or with one phase empty; counts in
    /// RECYCLES. Waits until the filter takes items again. Traffic: that of [`Device::clear`].
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter; as [`Device::clear`].
    pub fn recycle(&self) -> Result<(), DriverError> {
        if self.design.recycling().is_none() {
            return Err(self.not_there("recycle", "halves to recycle"));
        }
        self.command(self.session("recycle"), 1 << field::CONTROL_RECYCLE)
    }

    /// Hashes with `secret` from then on; waits until the filter takes items again. Traffic: a write of each of HASH_KEY_0 to
    /// 3, one of CONTROL, then reads of STATUS until two in a row say running. The device never gives a secret back.
    ///
    /// A recycling filter of two phases recycles once: the half that freezes keeps its entries and the secret they were made
    /// under until the next recycle, so nothing of it is forgotten. Every other filter is emptied.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] where the hash family has no secret; as [`Device::clear`].
    pub fn rekey(&self, secret: u128) -> Result<(), DriverError> {
        self.new_secret("rekey", secret, 1 << field::CONTROL_REKEY)
    }

    /// Empties the filter, of whatever kind, and hashes with `secret` from then on. Traffic: that of [`Device::rekey`].
    ///
    /// # Errors
    /// As [`Device::rekey`].
    pub fn clear_and_rekey(&self, secret: u128) -> Result<(), DriverError> {
        let both = 1 << field::CONTROL_CLEAR | 1 << field::CONTROL_REKEY;
        self.new_secret("clear and rekey", secret, both)
    }

    /// Empties the filter and takes a secret that was loaded out of the device: the specification's, which is public, comes into force in every half, and stands in
    /// the registers in which the last one was handed over. Traffic: that of [`Device::rekey`].
    ///
    /// # Errors
    /// As [`Device::rekey`].
    pub fn clear_and_forget_secret(&self) -> Result<(), DriverError> {
        let public = self.design.hash().secret;
        self.clear_and_rekey(public.unwrap_or_default())
    }

    pub(super) fn needs_secret(&self, doing: &'static str) -> Result<(), DriverError> {
        if self.map.at(address::HASH_KEY).is_some() {
            return Ok(());
        }
        let next = format!(
            "hash.family is {:?}: a secret needs hash.family = \"siphash\" in the specification and a new build",
            self.design.common().family().word()
        );
        Err(self.missing(doing, "secret of the hash", next))
    }

    fn new_secret(&self, doing: &'static str, secret: u128, bits: u32) -> Result<(), DriverError> {
        self.needs_secret(doing)?;
        let mut session = self.session(doing);
        for word in 0..4 {
            session.write(address::HASH_KEY + 4 * word, (secret >> (32 * word)) as u32)?;
        }
        self.command(session, bits)
    }

    fn command(&self, mut session: Session<'_, T>, bits: u32) -> Result<(), DriverError> {
        session.write(address::CONTROL, bits)?;
        let start = Instant::now();
        // A filter that was still starting runs for a clock before it acts, so one reading is not enough.
        let mut in_a_row = 0;
        while in_a_row < 2 {
            let status = Status::from_bits(&self.map, session.read(address::STATUS)?);
            in_a_row = if status.running { in_a_row + 1 } else { 0 };
            if in_a_row == 0 && start.elapsed() >= self.limits.command {
                return Err(DriverError::NotRunning {
                    command: session.doing,
                    within: self.limits.command,
                });
            }
        }
        Ok(())
    }

    /// Bits set in the active half. Traffic: one read of BITS_ACTIVE.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, or a failed access.
    pub fn bits_active(&self) -> Result<u64, DriverError> {
        self.gauge(address::BITS_ACTIVE, "count of bits set")
    }

    /// Bits set in the frozen half, 0 with one phase. Traffic: one read of BITS_FROZEN.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, or a failed access.
    pub fn bits_frozen(&self) -> Result<u64, DriverError> {
        self.gauge(address::BITS_FROZEN, "count of bits set")
    }

    /// Bit-setting messages accepted in this cycle. Traffic: one read of MESSAGES.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a recycling filter, or a failed access.
    pub fn messages(&self) -> Result<u64, DriverError> {
        self.gauge(address::MESSAGES, "count of messages")
    }

    fn gauge(&self, address: u32, name: &'static str) -> Result<u64, DriverError> {
        let counts = |geometry: &RecyclingGeometry| geometry.has_count_registers();
        if self
            .design
            .recycling()
            .is_some_and(|geometry| !counts(geometry))
        {
            return Err(self.not_built("fill", name, "features.registers"));
        }
        self.needs("fill", address, name)?;
        Ok(self.session("fill").read(address)?.into())
    }
}
