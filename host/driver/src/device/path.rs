use super::Device;
use crate::error::{DriverError, TransportError};
use crate::transport::{Transport, Within};
use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, Policy, MAX_DSCP, MAX_FRAME_BYTES};

/// What the registers of a packet path say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathSettings {
    /// Items of frames are inserted as they are looked up; false: they are looked up only.
    pub learn: bool,
    /// Bytes of the longest frame that is not oversize, without FCS.
    pub max_frame_bytes: u32,
    /// What happens to frames, by the number of their class.
    pub policies: [Policy; FrameClass::COUNT],
}

impl PathSettings {
    /// Those of a packet path whose block stands at `block`.
    pub(crate) fn read<T: Transport>(
        link: &mut T,
        block: u32,
        within: Within,
    ) -> Result<PathSettings, TransportError> {
        let above = block - address::PACKET_PATH;
        // One by one: each has its own time, which on a slow link a burst of ten would share.
        let mut read = |address| link.read(address + above, within);
        let mut policies = [Policy::Pass; FrameClass::COUNT];
        for (place, &class) in policies.iter_mut().zip(FrameClass::ALL) {
            *place = Policy::from_register(read(policy(class))?);
        }
        Ok(PathSettings {
            learn: read(address::LEARN)? & 1 == 1,
            max_frame_bytes: read(address::MAX_FRAME)?,
            policies,
        })
    }

    /// What happens to the frames of a class.
    pub fn policy(&self, class: FrameClass) -> Policy {
        self.policies[class as usize]
    }
}

/// Packet paths: a card between two streams of frames has one, 0; a line card has two lanes, of which lane i takes its frames
/// from Ethernet port i.
impl<T: Transport> Device<T> {
    /// Everything that can be set of a packet path. Traffic: a read of each of POLICY_c, LEARN and MAX_FRAME.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for a card without a packet path, [`DriverError::Place`] for a lane that it has not, or a
    /// failed access.
    pub fn path_settings(&self, lane: usize) -> Result<PathSettings, DriverError> {
        let above = self.lane("packet path", lane)?;
        let mut session = self.session("packet path");
        PathSettings::read(
            &mut *session.link,
            address::PACKET_PATH + above,
            session.access,
        )
        .map_err(DriverError::while_(session.doing))
    }

    /// What happens to the frames of a class. Traffic: one read of POLICY_c.
    ///
    /// # Errors
    /// As [`Device::path_settings`].
    pub fn policy(&self, lane: usize, class: FrameClass) -> Result<Policy, DriverError> {
        let above = self.lane("policy", lane)?;
        let value = self.session("policy").read(policy(class) + above)?;
        Ok(Policy::from_register(value))
    }

    /// Sets what happens to the frames of a class, from the next one on whose turn comes to leave. Traffic: one write of
    /// POLICY_c.
    ///
    /// # Errors
    /// [`DriverError::Dscp`] for a mark beyond [`MAX_DSCP`], and nothing is written then; as [`Device::path_settings`].
    pub fn set_policy(
        &self,
        lane: usize,
        class: FrameClass,
        to: Policy,
    ) -> Result<(), DriverError> {
        let above = self.lane("set policy", lane)?;
        match to {
            Policy::Mark(got) if got > MAX_DSCP => Err(DriverError::Dscp {
                most: MAX_DSCP,
                got,
            }),
            _ => self
                .session("set policy")
                .write(policy(class) + above, to.register()),
        }
    }

    /// Whether items of frames are inserted as they are looked up. Traffic: one read of LEARN.
    ///
    /// # Errors
    /// As [`Device::path_settings`].
    pub fn learn(&self, lane: usize) -> Result<bool, DriverError> {
        let above = self.lane("learn", lane)?;
        Ok(self.session("learn").read(address::LEARN + above)? & 1 == 1)
    }

    /// Sets whether items of frames are inserted as they are looked up, from the next item on. Traffic: one write of LEARN.
    ///
    /// # Errors
    /// As [`Device::path_settings`].
    pub fn set_learn(&self, lane: usize, learn: bool) -> Result<(), DriverError> {
        let above = self.lane("set learn", lane)?;
        self.session("set learn")
            .write(address::LEARN + above, learn.into())
    }

    /// Bytes of the longest frame that is not oversize, without FCS. Traffic: one read of MAX_FRAME.
    ///
    /// # Errors
    /// As [`Device::path_settings`].
    pub fn max_frame(&self, lane: usize) -> Result<u32, DriverError> {
        let above = self.lane("longest frame", lane)?;
        self.session("longest frame")
            .read(address::MAX_FRAME + above)
    }

    /// Sets the bytes of the longest frame that is not oversize, without FCS, for frames that end from then on. Traffic: one
    /// write of MAX_FRAME.
    ///
    /// # Errors
    /// [`DriverError::MaxFrame`] for what a specification would not take, and nothing is written then; as
    /// [`Device::path_settings`].
    pub fn set_max_frame(&self, lane: usize, bytes: u32) -> Result<(), DriverError> {
        let above = self.lane("set longest frame", lane)?;
        if !MAX_FRAME_BYTES.contains(&u64::from(bytes)) {
            return Err(DriverError::MaxFrame {
                least: *MAX_FRAME_BYTES.start(),
                most: *MAX_FRAME_BYTES.end(),
                got: bytes,
            });
        }
        self.session("set longest frame")
            .write(address::MAX_FRAME + above, bytes)
    }

    /// How far the registers of a lane stand above those of a packet path.
    pub(super) fn lane(&self, doing: &'static str, lane: usize) -> Result<u32, DriverError> {
        self.place(doing, "packet path", lane, self.design.lanes())?;
        Ok(address::LANE_BYTES * lane as u32)
    }
}

fn policy(class: FrameClass) -> u32 {
    address::POLICY + 4 * class.number()
}
