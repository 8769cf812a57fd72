use bloomline_spec::host_port::HostBinding;
use bloomline_spec::registers::{
    RegisterMap, BLOCK_CELL_COUNTERS, BLOCK_COUNTERS, BLOCK_COUNTING_FILTER,
    BLOCK_COUNT_MIN_SKETCH, BLOCK_ITEM_PORT, BLOCK_PACKET_PATH, BLOCK_PORTS,
    BLOCK_RECYCLING_FILTER, BLOCK_SLIDING_COUNTERS, BLOCK_SLIDING_FILTER, BLOCK_STATIC_FILTER,
};
use bloomline_spec::{
    CellGeometry, Common, FilterKind, Geometry, RecycleOn, SlidingGeometry, LANES,
};

use crate::device::{around, CounterRegister, Part};
use crate::snapshot::ArrayShape;

/// A filter of any kind, complete: what a driver must know of a device before it believes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// `recycling`.
    Recycling(Geometry),
    /// `static`, `counting`, `count-min`.
    Cells(CellGeometry),
    /// `sliding`.
    Sliding(SlidingGeometry),
}

impl Design {
    /// What every kind has.
    pub fn common(&self) -> &Common {
        match self {
            Design::Recycling(geometry) => geometry,
            Design::Cells(geometry) => geometry,
            Design::Sliding(geometry) => geometry,
        }
    }

    /// The kind of filter.
    pub fn kind(&self) -> FilterKind {
        match self {
            Design::Recycling(_) => FilterKind::Recycling,
            Design::Cells(geometry) => geometry.kind(),
            Design::Sliding(_) => FilterKind::Sliding,
        }
    }

    /// Hash over everything that changes the gateware.
    pub fn geometry_hash(&self) -> u64 {
        match self {
            Design::Recycling(geometry) => geometry.geometry_hash(),
            Design::Cells(geometry) => geometry.geometry_hash(),
            Design::Sliding(geometry) => geometry.geometry_hash(),
        }
    }

    /// The registers of the filter.
    pub fn register_map(&self) -> RegisterMap {
        match self {
            Design::Recycling(geometry) => RegisterMap::for_geometry(geometry),
            Design::Cells(geometry) => RegisterMap::for_cells(geometry),
            Design::Sliding(geometry) => RegisterMap::for_sliding(geometry),
        }
    }

    /// How the array is made up, for the kinds whose array can be read: all but `sliding`.
    pub fn array(&self) -> Option<ArrayShape> {
        match self {
            Design::Recycling(geometry) => Some(ArrayShape::of_halves(geometry)),
            Design::Cells(geometry) => Some(ArrayShape::of(geometry)),
            Design::Sliding(_) => None,
        }
    }

    /// The cells, for the kinds whose array can be read and written.
    pub fn cells(&self) -> Option<&CellGeometry> {
        match self {
            Design::Cells(geometry) => Some(geometry),
            Design::Recycling(_) | Design::Sliding(_) => None,
        }
    }

    /// Whether there is an item port, for the host's own items.
    pub fn has_item_port(&self) -> bool {
        self.common().card().is_some()
    }

    /// Whether its hash has a secret that the host can replace.
    pub fn is_keyed(&self) -> bool {
        self.common().hash().secret.is_some()
    }

    /// Packet paths: 0, 1 between two streams of frames, 2 on a line card (its lanes).
    pub fn lanes(&self) -> usize {
        match self.common().packet() {
            Some(_) => self.ports().max(1),
            None => 0,
        }
    }

    /// The part that packet path number `lane` is, as users see it.
    pub fn lane_part(&self, lane: usize) -> Part {
        match self.ports() {
            0 => Part::Path,
            _ => Part::Lane(lane),
        }
    }

    /// Ethernet ports: 0, or 2 on a line card.
    pub fn ports(&self) -> usize {
        self.common().line_card().map_or(0, |_| LANES)
    }

    /// Where the registers of a line card are reached over Ethernet, and who it is there; `None` without a host port.
    pub fn host(&self) -> Option<HostBinding> {
        self.common().line_card()?.host()
    }

    /// The counters in the order of their addresses: those of the kind of filter, then those of the packet paths, of the
    /// Ethernet ports and of the host port, where there are any.
    pub fn counters(&self) -> Vec<CounterRegister> {
        let mut counters = self.filter_counters();
        if self.lanes() > 0 {
            counters.extend(around(&self.register_map()));
        }
        counters
    }

    fn filter_counters(&self) -> Vec<CounterRegister> {
        match self {
            Design::Recycling(geometry) => {
                let of_filter = geometry.counters();
                of_filter.iter().copied().map(Into::into).collect()
            }
            Design::Cells(geometry) => {
                let of_kind = geometry.counters();
                of_kind.iter().copied().map(Into::into).collect()
            }
            Design::Sliding(geometry) => {
                let of_kind = geometry.counters();
                of_kind.iter().copied().map(Into::into).collect()
            }
        }
    }

    /// Least and greatest threshold that the specification would take, in the register's unit; `None` where the kind has no
    /// threshold.
    pub fn thresholds(&self) -> Option<(u64, u64)> {
        match self {
            Design::Recycling(geometry) => {
                let least = match geometry.recycle_on() {
                    RecycleOn::BitsSet => u64::from(geometry.hashes()),
                    RecycleOn::Messages => 1,
                };
                Some((least, geometry.half_bits()))
            }
            Design::Cells(geometry) if geometry.kind() != FilterKind::Static => {
                Some((1, geometry.cell_max().into()))
            }
            Design::Cells(_) | Design::Sliding(_) => None,
        }
    }

    /// Type and version of the blocks that this driver knows in such a device.
    pub(crate) fn known_blocks(&self) -> Vec<(u32, u32)> {
        let (filter, counters) = match self.kind() {
            FilterKind::Recycling => (BLOCK_RECYCLING_FILTER, BLOCK_COUNTERS),
            FilterKind::Static => (BLOCK_STATIC_FILTER, BLOCK_CELL_COUNTERS),
            FilterKind::Counting => (BLOCK_COUNTING_FILTER, BLOCK_CELL_COUNTERS),
            FilterKind::CountMin => (BLOCK_COUNT_MIN_SKETCH, BLOCK_CELL_COUNTERS),
            FilterKind::Sliding => (BLOCK_SLIDING_FILTER, BLOCK_SLIDING_COUNTERS),
        };
        let card = self.has_item_port().then_some((BLOCK_ITEM_PORT, 1));
        let path = self.common().packet().map(|_| (BLOCK_PACKET_PATH, 1));
        let ports = self.common().line_card().map(|_| (BLOCK_PORTS, 1));
        let version = match self.kind() {
            FilterKind::Recycling => 3,
            _ => 1,
        };
        // 2: with PARITY_ERRORS
        let counter_version = 1 + self.common().parity().bits();
        [(filter, version), (counters, counter_version)]
            .into_iter()
            .chain(card)
            .chain(path)
            .chain(ports)
            .collect()
    }
}

impl From<Geometry> for Design {
    fn from(geometry: Geometry) -> Design {
        Design::Recycling(geometry)
    }
}

impl From<CellGeometry> for Design {
    fn from(geometry: CellGeometry) -> Design {
        Design::Cells(geometry)
    }
}

impl From<SlidingGeometry> for Design {
    fn from(geometry: SlidingGeometry) -> Design {
        Design::Sliding(geometry)
    }
}

impl From<&Geometry> for Design {
    fn from(geometry: &Geometry) -> Design {
        Design::Recycling(geometry.clone())
    }
}

impl From<&CellGeometry> for Design {
    fn from(geometry: &CellGeometry) -> Design {
        Design::Cells(geometry.clone())
    }
}

impl From<&SlidingGeometry> for Design {
    fn from(geometry: &SlidingGeometry) -> Design {
        Design::Sliding(geometry.clone())
    }
}

impl From<&Design> for Design {
    fn from(design: &Design) -> Design {
        design.clone()
    }
}
