use crate::block::Block;
use crate::device::part::Part;
use crate::error::DriverError;
use crate::path_settings::PathSettings;
use crate::ports::{host_port, PortLink};
use crate::transport::{Transport, Within};
use bloomline_spec::host_port::HostBinding;
use bloomline_spec::registers::{
    address, version_and_width, ADDRESS_BITS, BLOCK_CELL_COUNTERS, BLOCK_COUNTERS,
    BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH, BLOCK_CUCKOO_COUNTERS, BLOCK_ITEM_PORT,
    BLOCK_PACKET_PATH, BLOCK_PORTS, BLOCK_RECYCLING_FILTER, BLOCK_SLIDING_COUNTERS,
    BLOCK_SLIDING_FILTER, BLOCK_STATIC_FILTER, MAGIC, MAP_VERSION,
};

/// Registers that open every block: type, version, next.
const BLOCK_HEADER: usize = 3;
/// Bytes of one part of the register space: the filter's, and above it the card's, its packet paths' and Ethernet ports'.
const PART_BYTES: u32 = 1 << ADDRESS_BITS;
/// Newest version of the blocks around a filter that this driver reads without a specification.
const KNOWN_VERSION: u32 = 2;
/// Types of blocks that this driver knows, and the newest version of each.
const NEWEST_VERSIONS: [(u32, u32); 12] = [
    (BLOCK_RECYCLING_FILTER, 4),
    (BLOCK_COUNTERS, 4),
    (BLOCK_STATIC_FILTER, 2),
    (BLOCK_COUNTING_FILTER, 3),
    (BLOCK_COUNT_MIN_SKETCH, 2),
    (BLOCK_CELL_COUNTERS, 4),
    (BLOCK_SLIDING_FILTER, 1),
    (BLOCK_SLIDING_COUNTERS, 4),
    (BLOCK_CUCKOO_COUNTERS, 4),
    (BLOCK_ITEM_PORT, 1),
    (BLOCK_PACKET_PATH, 1),
    (BLOCK_PORTS, 2),
];
/// Parts of the largest register space, that of a line card.
const PARTS: u32 = 8;

/// What a device says about itself, whatever filter it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Hash over everything that changes the gateware.
    pub geometry_hash: u64,
    /// Its blocks, in the order of its list.
    pub blocks: Vec<Block>,
}

impl Identity {
    /// Reads it, each access within `within`.
    ///
    /// # Errors
    /// [`DriverError::Magic`] and [`DriverError::MapVersion`] with the value expected and the value read,
    /// [`DriverError::BlockList`], or a failed access.
    pub fn read<T: Transport>(transport: &mut T, within: Within) -> Result<Identity, DriverError> {
        let mut read = |address| {
            transport
                .read(address, within)
                .map_err(DriverError::while_("identify"))
        };
        let got = read(address::MAGIC)?;
        if got != MAGIC {
            let expected = MAGIC;
            return Err(DriverError::Magic { expected, got });
        }
        let got = read(address::VERSION)?;
        if got != MAP_VERSION {
            let expected = MAP_VERSION;
            return Err(DriverError::MapVersion { expected, got });
        }
        let low = read(address::GEOMETRY_HASH_LO)?;
        let high = read(address::GEOMETRY_HASH_HI)?;
        let first = read(address::FIRST_BLOCK)?;
        Ok(Identity {
            geometry_hash: u64::from(high) << 32 | u64::from(low),
            blocks: walk(transport, first, within)?,
        })
    }

    /// The first block that no design of this release has, with the newest version of its type that this driver knows.
    pub fn newer_block(&self) -> Option<(Block, Option<u32>)> {
        self.blocks.iter().find_map(|&block| {
            let mut known = NEWEST_VERSIONS.iter();
            let newest = known
                .find(|(kind, _)| *kind == block.kind)
                .map(|(_, newest)| *newest);
            let (version, _) = version_and_width(block.kind, block.version);
            let is_known = newest.is_some_and(|newest| version <= newest);
            (!is_known).then_some((block, newest))
        })
    }

    /// STATUS of a filter whose hash may have a secret: a recycling filter or one of cells; `None` for another. Traffic: one read.
    ///
    /// # Errors
    /// A failed access.
    pub fn status<T: Transport>(
        &self,
        transport: &mut T,
        within: Within,
    ) -> Result<Option<u32>, DriverError> {
        const KINDS: [u32; 4] = [
            BLOCK_RECYCLING_FILTER,
            BLOCK_STATIC_FILTER,
            BLOCK_COUNTING_FILTER,
            BLOCK_COUNT_MIN_SKETCH,
        ];
        if !self.blocks.iter().any(|block| KINDS.contains(&block.kind)) {
            return Ok(None);
        }
        let read = transport.read(address::STATUS, within);
        Ok(Some(read.map_err(DriverError::while_("identify"))?))
    }

    /// What stands around the filter by these blocks, whatever filter it may be. Traffic: ten reads for each packet path, and
    /// for the Ethernet ports two, or five with a host port; blocks of another version are passed over.
    ///
    /// # Errors
    /// A failed access.
    pub fn surroundings<T: Transport>(
        &self,
        transport: &mut T,
        within: Within,
    ) -> Result<Surroundings, DriverError> {
        let of_kind = |kind| {
            let blocks = self.blocks.iter();
            blocks.filter(move |block| {
                block.kind == kind && (1..=KNOWN_VERSION).contains(&block.version)
            })
        };
        let failed = || DriverError::while_("identify");
        let (mut links, mut host) = (Vec::new(), None);
        for _ in of_kind(BLOCK_PORTS) {
            let bits = transport.read(address::LINK, within).map_err(failed())?;
            links.extend(PortLink::all(bits));
            host = host_port(transport, within).map_err(failed())?;
        }
        let mut paths = Vec::new();
        for (lane, block) in of_kind(BLOCK_PACKET_PATH).enumerate() {
            let part = match links.is_empty() {
                true => Part::Path,
                false => Part::Lane(lane),
            };
            let settings = PathSettings::read(transport, block.address, within).map_err(failed())?;
            paths.push((part, settings));
        }
        Ok(Surroundings { paths, links, host })
    }
}

/// What stands around a filter: nothing where it is alone or on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// Its packet paths, and what is set in them.
    pub paths: Vec<(Part, PathSettings)>,
    /// The links of its Ethernet ports.
    pub links: Vec<PortLink>,
    /// Where its registers are reached over Ethernet, and who it is there.
    pub host: Option<HostBinding>,
}

/// Follows the list of blocks from `first` on, each of which is passed once.
fn walk<T: Transport>(
    transport: &mut T,
    first: u32,
    within: Within,
) -> Result<Vec<Block>, DriverError> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut from, mut to) = (address::FIRST_BLOCK, first);
    while to != 0 {
        let bad = |why| DriverError::BlockList { from, to, why };
        if !to.is_multiple_of(4) {
            return Err(bad("is no multiple of 4"));
        }
        if to / PART_BYTES >= PARTS || to % PART_BYTES > PART_BYTES - 4 * BLOCK_HEADER as u32 {
            return Err(bad("is outside the register space"));
        }
        if blocks.iter().any(|block| block.address == to) {
            return Err(bad("was passed before: the list is a circle"));
        }
        let mut header = [0; BLOCK_HEADER];
        transport
            .burst(to, &mut header, within)
            .map_err(DriverError::while_("identify"))?;
        let [kind, version, next] = header;
        blocks.push(Block {
            address: to,
            kind,
            version,
        });
        (from, to) = (to + 8, next);
    }
    Ok(blocks)
}
