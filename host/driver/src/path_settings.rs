use crate::error::TransportError;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, Policy};

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

/// Address of the policy register of a class, in a device with one packet path.
pub(crate) fn policy(class: FrameClass) -> u32 {
    address::POLICY + 4 * class.number()
}
