use super::Device;
use crate::error::DriverError;
use crate::path_settings::{policy, PathSettings};
use crate::transport::Transport;
use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, Policy, MAX_DSCP, MAX_FRAME_BYTES};

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
        let above = self.legal_policy(lane, to)?;
        self.session("set policy")
            .write(policy(class) + above, to.register())
    }

    /// How far the lane's registers stand above those of a packet path.
    pub(super) fn legal_policy(&self, lane: usize, to: Policy) -> Result<u32, DriverError> {
        let above = self.lane("set policy", lane)?;
        match to {
            Policy::Mark(got) if got > MAX_DSCP => Err(DriverError::Dscp {
                most: MAX_DSCP,
                got,
            }),
            _ => Ok(above),
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
        let above = self.legal_max_frame(lane, bytes)?;
        self.session("set longest frame")
            .write(address::MAX_FRAME + above, bytes)
    }

    /// As [`Self::legal_policy`].
    pub(super) fn legal_max_frame(&self, lane: usize, bytes: u32) -> Result<u32, DriverError> {
        let above = self.lane("set longest frame", lane)?;
        let (least, most) = MAX_FRAME_BYTES.into_inner();
        // a frame leaves only when the buffer holds all of it
        let buffer = self.design.packet().map(|packet| packet.buffer_bytes());
        let most = buffer.map_or(most, |buffer| most.min(buffer.into()));
        if !(least..=most).contains(&u64::from(bytes)) {
            return Err(DriverError::MaxFrame {
                least,
                most,
                got: bytes,
            });
        }
        Ok(above)
    }

    /// How far the registers of a lane stand above those of a packet path.
    pub(super) fn lane(&self, doing: &'static str, lane: usize) -> Result<u32, DriverError> {
        self.place(doing, "packet path", lane, self.design.lanes())?;
        Ok(address::LANE_BYTES * lane as u32)
    }
}
