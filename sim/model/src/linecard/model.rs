use super::ports::PortsModel;
use crate::mac::FrameEnd;
use crate::packet::{JudgedFrame, PathFilter, PathLane, SortedFrame};
use bloomline_spec::mac::{FCS_BYTES, MIN_FRAME_BYTES};
use bloomline_spec::registers::{address, RESPONSE_DECERR, RESPONSE_OKAY};
use bloomline_spec::LANES;

/// The line card, one frame at a time, with no notion of time: lane i takes the frames of port i and gives them to port 1 - i.
///
/// A frame's way has three steps: [`LineCardModel::received`] when it has ended at the pins; where it has a key,
/// [`LineCardModel::item_taken`] when its item goes to the filter, which both lanes share, so that the order of these calls is that of the
/// items; and [`LineCardModel::sent`] when its turn comes to leave.
///
/// ```
/// use bloomline_model::mac::FrameEnd;
/// use bloomline_model::{LineCardModel, PathFilter};
/// use bloomline_spec::{FilterSpec, FrameClass, LINECARD_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = LINECARD_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(20_000)?;
/// let mut card = LineCardModel::new(PathFilter::from(geometry)).expect("the example is a line card");
/// let arp = [[0xFF; 12].as_slice(), &[0x08, 0x06], &[0; 46]].concat();
/// let sorted = card.received(0, &arp, FrameEnd::Good).expect("has bytes");
/// let judged = card.item_taken(0, &sorted);
/// assert_eq!(judged.class, FrameClass::Other);
/// assert_eq!(card.sent(0, &arp, &judged), Some(arp), "as it came, at port 1");
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LineCardModel {
    filter: PathFilter,
    lanes: [PathLane; LANES],
    ports: PortsModel,
}

impl LineCardModel {
    /// The card as after reset, with an empty filter; `None` if the specification of the filter is not that of a line card.
    pub fn new(filter: PathFilter) -> Option<LineCardModel> {
        filter.common().line_card()?;
        let lane = PathLane::new(filter.common())?;
        Some(LineCardModel {
            lanes: [lane.clone(), lane],
            ports: PortsModel::default(),
            filter,
        })
    }

    /// The filter that both lanes share.
    pub fn filter(&self) -> &PathFilter {
        &self.filter
    }

    /// Filter, lanes and ports.
    pub fn into_parts(self) -> (PathFilter, [PathLane; LANES], PortsModel) {
        (self.filter, self.lanes, self.ports)
    }

    /// A frame has ended at a port: what it is to its lane. `None` for one of no bytes, which no lane sees.
    pub fn received(&mut self, port: usize, frame: &[u8], end: FrameEnd) -> Option<SortedFrame> {
        self.ports.received(port, end);
        let bad = end != FrameEnd::Good;
        (!frame.is_empty()).then(|| self.lanes[port].sort(frame, bad))
    }

    /// A frame's item, if it has one, goes to the filter: what the frame is.
    pub fn item_taken(&mut self, lane: usize, sorted: &SortedFrame) -> JudgedFrame {
        sorted.judged(&self.lanes[lane], &mut self.filter)
    }

    /// The turn of a frame of a lane has come: what the other port sends, from destination address to before the FCS, if it sends anything.
    pub fn sent(&mut self, lane: usize, frame: &[u8], judged: &JudgedFrame) -> Option<Vec<u8>> {
        let left = self.lanes[lane].release(frame, judged)?;
        self.ports.sent(1 - lane);
        Some(padded(left))
    }

    /// A read from a byte address above those of the card in the middle: data and AXI4-Lite response.
    pub fn read(&mut self, address: u32) -> (u32, u32) {
        match lane_of(address) {
            Some((lane, address::PACKET_PATH_NEXT)) => {
                let next = address::PACKET_PATH + address::LANE_BYTES * (lane as u32 + 1);
                (next, RESPONSE_OKAY)
            }
            Some((lane, address)) => self.lanes[lane].read(address),
            None if address >= address::PORTS => self.ports.read(address),
            None => (0, RESPONSE_DECERR),
        }
    }

    /// A write of a whole word to such an address; gives the AXI4-Lite response.
    pub fn write(&mut self, address: u32, value: u32) -> u32 {
        match lane_of(address) {
            Some((lane, address)) => self.lanes[lane].write(address, value),
            None if address >= address::PORTS => self.ports.write(address),
            None => RESPONSE_DECERR,
        }
    }

    /// What a PHY tells of its link.
    pub fn tell(&mut self, port: usize, link: u8) {
        self.ports.tell(port, link);
    }

    /// What a reset leaves: an empty filter, counters of 0, and the settings of the specification.
    pub fn reset(&mut self) {
        self.filter.reset();
        self.lanes.iter_mut().for_each(PathLane::reset);
        self.ports.reset();
    }
}

/// The lane whose block an address stands in, and the address as that of a packet path.
fn lane_of(address: u32) -> Option<(usize, u32)> {
    let by = address.checked_sub(address::PACKET_PATH)?;
    let lane = (by / address::LANE_BYTES) as usize;
    (lane < LANES).then_some((lane, address - address::LANE_BYTES * lane as u32))
}

/// A frame as a port sends it: of the least length at least.
fn padded(mut frame: Vec<u8>) -> Vec<u8> {
    frame.resize(frame.len().max(MIN_FRAME_BYTES - FCS_BYTES), 0);
    frame
}
