use super::Device;
use crate::error::DriverError;
use crate::transport::Transport;
use bloomline_spec::{FrameClass, Policy};
use std::time::Duration;

/// A secret to hash with, which is not printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NewSecret {
    /// The secret.
    pub secret: u128,
    /// Whether the filter is emptied whatever its kind.
    pub clear: bool,
}

impl std::fmt::Debug for NewSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSecret")
            .field("clear", &self.clear)
            .finish_non_exhaustive()
    }
}

/// What [`Device::configure`] sets; what is left out stays as it is. Lanes as [`Device::path_settings`] has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// As [`Device::set_threshold`].
    pub threshold: Option<u64>,
    /// As [`Device::set_max_age`].
    pub max_age: Option<Duration>,
    /// As [`Device::rekey`] and [`Device::clear_and_rekey`].
    pub secret: Option<NewSecret>,
    /// Lane and bytes, as [`Device::set_max_frame`].
    pub max_frames: Vec<(usize, u32)>,
    /// Lane, class and what happens to it, as [`Device::set_policy`].
    pub policies: Vec<(usize, FrameClass, Policy)>,
    /// Lane, and whether it learns, as [`Device::set_learn`].
    pub learns: Vec<(usize, bool)>,
}

impl<T: Transport> Device<T> {
    /// Sets everything that is given. All of it is checked before the first of it is written. Traffic: that of the single settings.
    ///
    /// # Errors
    /// Those of the single settings. One that the device cannot have, or a value that it cannot take: nothing is written then. A failed access:
    /// what comes before it is set.
    pub fn configure(&self, settings: &Settings) -> Result<(), DriverError> {
        if let Some(threshold) = settings.threshold {
            self.legal_threshold(threshold)?;
        }
        if let Some(age) = settings.max_age {
            self.legal_max_age(age)?;
        }
        if settings.secret.is_some() {
            self.needs_secret("rekey")?;
        }
        for &(lane, bytes) in &settings.max_frames {
            self.legal_max_frame(lane, bytes)?;
        }
        for &(lane, _, policy) in &settings.policies {
            self.legal_policy(lane, policy)?;
        }
        for &(lane, _) in &settings.learns {
            self.lane("set learn", lane)?;
        }

        if let Some(threshold) = settings.threshold {
            self.set_threshold(threshold)?;
        }
        if let Some(age) = settings.max_age {
            self.set_max_age(age)?;
        }
        match settings.secret {
            Some(NewSecret {
                secret,
                clear: true,
            }) => self.clear_and_rekey(secret)?,
            Some(NewSecret {
                secret,
                clear: false,
            }) => self.rekey(secret)?,
            None => {}
        }
        for &(lane, bytes) in &settings.max_frames {
            self.set_max_frame(lane, bytes)?;
        }
        for &(lane, class, policy) in &settings.policies {
            self.set_policy(lane, class, policy)?;
        }
        for &(lane, learn) in &settings.learns {
            self.set_learn(lane, learn)?;
        }
        Ok(())
    }
}
