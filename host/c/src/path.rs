//! Functions on packet paths and Ethernet ports: frame policies, learning, longest frame, links.

use crate::checks::{call, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::PortLink;
use bloomline_spec::{FrameClass, Policy};

/// Class that a packet path gives a frame. If several apply, the highest one counts.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineFrameClass {
    /// The filter did not hold the frame's key.
    BLOOMLINE_FRAME_UNSEEN = 0,
    /// The filter held the frame's key.
    BLOOMLINE_FRAME_SEEN = 1,
    /// The frame has no key.
    BLOOMLINE_FRAME_OTHER = 2,
    /// Truncated: a header, or the IP packet, is longer than the frame.
    BLOOMLINE_FRAME_TRUNCATED = 3,
    /// Malformed: headers contradict each other.
    BLOOMLINE_FRAME_MALFORMED = 4,
    /// A header lies deeper in the frame than the parser looks.
    BLOOMLINE_FRAME_TOO_DEEP = 5,
    /// The frame is longer than the configured limit.
    BLOOMLINE_FRAME_OVERSIZE = 6,
    /// The source marked the frame as bad (FCS error, for example).
    BLOOMLINE_FRAME_BAD = 7,
}

/// Action on a frame.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineAction {
    /// Pass the frame unchanged.
    BLOOMLINE_PASS = 0,
    /// Drop the frame.
    BLOOMLINE_DROP = 1,
    /// Pass the frame; if it is an IP packet, with another DSCP.
    BLOOMLINE_MARK = 2,
}

/// Link state that the PHY of an Ethernet port reports.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineLink {
    /// Whether the link is up. The other fields are valid only if it is.
    pub up: bool,
    /// Full duplex.
    pub full_duplex: bool,
    /// Link speed in Mb/s; 0 if the PHY reports an unknown one. Frames are carried at 1000 Mb/s only.
    pub megabits: u32,
}

/// The class for a number, which is checked because a C enumeration can hold any value.
fn class(number: u32) -> Result<FrameClass, Failure> {
    let of = |class: &&FrameClass| class.number() == number;
    FrameClass::ALL.iter().find(of).copied().ok_or_else(|| {
        Failure::argument(format!(
            "frame_class = {number}: must be one of BloomlineFrameClass, 0 to 7"
        ))
    })
}

/// Number of packet paths of the card: 1 for a path between two frame streams, 2 on a line card (lane 0 from Ethernet port 0 to 1,
/// lane 1 from 1 to 0), else 0; 0 for a null pointer.
///
/// # Safety
/// `device` is open or null.
#[no_mangle]
pub unsafe extern "C" fn bloomline_lane_count(device: *const BloomlineDevice) -> usize {
    // SAFETY: the caller's promise.
    unsafe { device.as_ref() }.map_or(0, |device| device.device.design().lanes())
}

/// Number of Ethernet ports of the card: 2 on a line card, else 0; 0 for a null pointer.
///
/// # Safety
/// `device` is open or null.
#[no_mangle]
pub unsafe extern "C" fn bloomline_port_count(device: *const BloomlineDevice) -> usize {
    // SAFETY: the caller's promise.
    unsafe { device.as_ref() }.map_or(0, |device| device.device.design().ports())
}

/// Reads the policy for frames of a class (`BloomlineFrameClass`) in a lane: `*action` is a `BloomlineAction`, `*dscp` the mark,
/// 0 without one.
///
/// # Safety
/// `device` is open; `action` and `dscp` point to memory for the results.
#[no_mangle]
pub unsafe extern "C" fn bloomline_policy(
    device: *const BloomlineDevice,
    lane: usize,
    frame_class: u32,
    action: *mut u32,
    dscp: *mut u8,
) -> BloomlineStatus {
    call(|| {
        present(action, "action")?;
        present(dscp, "dscp")?;
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        let (of, mark) = match device.device.policy(lane, class(frame_class)?)? {
            Policy::Pass => (BloomlineAction::BLOOMLINE_PASS, 0),
            Policy::Drop => (BloomlineAction::BLOOMLINE_DROP, 0),
            Policy::Mark(dscp) => (BloomlineAction::BLOOMLINE_MARK, dscp),
        };
        // SAFETY: the caller's promise.
        unsafe {
            write(action, "action", of as u32)?;
            write(dscp, "dscp", mark)
        }
    })
}

/// Sets the policy for frames of a class (`BloomlineFrameClass`) in a lane: a `BloomlineAction`, and the DSCP of a mark, 0 to
/// 63; for other actions `dscp` is 0.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_set_policy(
    device: *const BloomlineDevice,
    lane: usize,
    frame_class: u32,
    action: u32,
    dscp: u8,
) -> BloomlineStatus {
    const PASS: u32 = BloomlineAction::BLOOMLINE_PASS as u32;
    const DROP: u32 = BloomlineAction::BLOOMLINE_DROP as u32;
    const MARK: u32 = BloomlineAction::BLOOMLINE_MARK as u32;
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        let policy = match (action, dscp) {
            (PASS, 0) => Policy::Pass,
            (DROP, 0) => Policy::Drop,
            (MARK, dscp) => Policy::Mark(dscp),
            (PASS | DROP, _) => {
                return Err(Failure::argument(format!(
                    "dscp = {dscp}: goes with BLOOMLINE_MARK; give 0"
                )))
            }
            (other, _) => {
                return Err(Failure::argument(format!(
                    "action = {other}: must be one of BloomlineAction, 0 to 2"
                )))
            }
        };
        Ok(device
            .device
            .set_policy(lane, class(frame_class)?, policy)?)
    })
}

/// Reads whether the keys of a lane's frames are inserted (learning) or only queried.
///
/// # Safety
/// `device` is open; `learn` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_learn(
    device: *const BloomlineDevice,
    lane: usize,
    learn: *mut bool,
) -> BloomlineStatus {
    call(|| {
        present(learn, "learn")?;
        // SAFETY: the caller's promise.
        let got = unsafe { shared(device, "device")? }.device.learn(lane)?;
        // SAFETY: the caller's promise.
        unsafe { write(learn, "learn", got) }
    })
}

/// Sets whether the keys of a lane's frames are inserted (learning) or only queried.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_set_learn(
    device: *const BloomlineDevice,
    lane: usize,
    learn: bool,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        Ok(device.device.set_learn(lane, learn)?)
    })
}

/// Reads the greatest length of a frame of a lane that is not oversize, in bytes without FCS.
///
/// # Safety
/// `device` is open; `bytes` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn bloomline_max_frame(
    device: *const BloomlineDevice,
    lane: usize,
    bytes: *mut u32,
) -> BloomlineStatus {
    call(|| {
        present(bytes, "bytes")?;
        // SAFETY: the caller's promise.
        let got = unsafe { shared(device, "device")? }
            .device
            .max_frame(lane)?;
        // SAFETY: the caller's promise.
        unsafe { write(bytes, "bytes", got) }
    })
}

/// Sets the greatest length of a frame of a lane that is not oversize, in bytes without FCS: 60 to 65535 and at most what the frame buffer holds.
///
/// # Safety
/// `device` is open.
#[no_mangle]
pub unsafe extern "C" fn bloomline_set_max_frame(
    device: *const BloomlineDevice,
    lane: usize,
    bytes: u32,
) -> BloomlineStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        Ok(device.device.set_max_frame(lane, bytes)?)
    })
}

/// Reads the link states that the PHYs of a line card report, all at one instant. `length` must be `bloomline_port_count`.
///
/// # Safety
/// `device` is open; `links` points to memory for `length` states.
#[no_mangle]
pub unsafe extern "C" fn bloomline_links(
    device: *const BloomlineDevice,
    links: *mut BloomlineLink,
    length: usize,
) -> BloomlineStatus {
    call(|| {
        present(links, "links")?;
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        let ports = device.device.design().ports();
        if ports > 0 && length != ports {
            return Err(Failure::argument(format!(
                "length = {length}: the card has {ports} Ethernet ports; give room for so many"
            )));
        }
        for (place, link) in device.device.links()?.into_iter().enumerate() {
            // SAFETY: the caller's promise; there are as many links as ports.
            unsafe { links.add(place).write(link.into()) };
        }
        Ok(())
    })
}

impl From<PortLink> for BloomlineLink {
    fn from(link: PortLink) -> BloomlineLink {
        BloomlineLink {
            up: link.up,
            full_duplex: link.full_duplex,
            megabits: link.megabits.unwrap_or(0),
        }
    }
}
