use super::host::{padded, CardBus, CardHostModel};
use super::ports::PortsModel;
use super::{lane_of, read_lane};
use crate::host_port::HostBus;
use crate::mac::FrameEnd;
use crate::packet::{JudgedFrame, PathFilter, PathLane, SortedFrame};
use bloomline_spec::registers::{address, RESPONSE_DECERR};
use bloomline_spec::LANES;

/// The line card, one frame at a time, with no notion of time: lane i takes the frames of port i and gives them to port 1 - i.
///
/// A frame's way has three steps: [`LineCardModel::received`] when it has ended at the pins; where it has a key,
/// [`LineCardModel::item_taken`] when its item goes to the filter, which both lanes share, so that the order of these calls is that of the
/// items; and [`LineCardModel::sent`] when its turn comes to leave. What a host port says of a frame is [`LineCardModel::answered`]; it leaves among the
/// frames that [`LineCardModel::sent`] gives at its port, before or behind any of them.
///
/// ```
/// use bloomline_model::mac::FrameEnd;
/// use bloomline_model::{LineCardModel, PathFilter};
/// use bloomline_spec::{FilterSpec, FrameClass, LINECARD_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = LINECARD_EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(20_000)?;
/// let mut card = LineCardModel::new(PathFilter::new(geometry)).expect("the example is a line card");
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
    host: Option<CardHostModel>,
}

impl LineCardModel {
    /// The card as after reset, with an empty filter; `None` if the specification of the filter is not that of a line card.
    pub fn new(filter: PathFilter) -> Option<LineCardModel> {
        let host = filter.design().line_card()?.host();
        let lane = PathLane::new(filter.design())?;
        Some(LineCardModel {
            lanes: [lane.clone(), lane],
            ports: PortsModel::new(host),
            host: host.map(CardHostModel::new),
            filter,
        })
    }

    /// The filter that both lanes share.
    pub fn filter(&self) -> &PathFilter {
        &self.filter
    }

    /// Filter, lanes, ports, and the host port if there is one.
    pub fn into_parts(
        self,
    ) -> (
        PathFilter,
        [PathLane; LANES],
        PortsModel,
        Option<CardHostModel>,
    ) {
        (self.filter, self.lanes, self.ports, self.host)
    }

    /// A frame has ended at a port: what it is to its lane. `None` for one of no bytes, which no lane sees, and for one that the host port takes.
    pub fn received(&mut self, port: usize, frame: &[u8], end: FrameEnd) -> Option<SortedFrame> {
        self.ports.received(port, end);
        let bad = end != FrameEnd::Good;
        let taken = self.host.as_ref().is_some_and(|h| h.takes(port, frame));
        (!frame.is_empty() && !taken).then(|| self.lanes[port].sort(frame, bad))
    }

    /// The same frame to the host port, `heard` if it began while no other was worked on: what leaves at that port, if anything does. `middle` are
    /// the registers of the card in the middle.
    pub fn answered(
        &mut self,
        port: usize,
        frame: &[u8],
        end: FrameEnd,
        heard: bool,
        middle: &mut impl HostBus,
    ) -> Option<Vec<u8>> {
        let mut bus = CardBus {
            lanes: &mut self.lanes,
            ports: &mut self.ports,
            middle,
        };
        let bad = end != FrameEnd::Good;
        let host = self.host.as_mut()?;
        let answer = host.received(port, frame, bad, heard, &mut bus)?;
        self.ports.sent(port);
        Some(answer)
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
            Some((lane, address)) => read_lane(&mut self.lanes[lane], lane, address),
            None if address >= address::PORTS => self.ports.read(address),
            None => (0, RESPONSE_DECERR),
        }
    }

    /// A write of a whole word to such an address; gives the AXI4-Lite response.
    pub fn write(&mut self, address: u32, value: u32) -> u32 {
        match lane_of(address) {
            Some((lane, address)) => self.lanes[lane].write(address, value),
            None if address >= address::PORTS => self.ports.write(address, value),
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
        self.host.iter_mut().for_each(CardHostModel::reset);
    }
}
