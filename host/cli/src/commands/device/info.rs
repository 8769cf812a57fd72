use super::link::NO_DEVICE;
use super::path_and_ports::{host_as_text, paths_as_text, ports_as_text, Host, Path, Port};
use crate::device_link::{limits_of, open_device};
use crate::output::Output;
use anyhow::{bail, Context};
use bloomline_driver::{Block, ConnectError, Identity};
use bloomline_spec::registers::{
    field, version_and_width, BLOCK_CELL_COUNTERS, BLOCK_COUNTERS, BLOCK_COUNTING_FILTER,
    BLOCK_COUNT_MIN_SKETCH, BLOCK_CUCKOO_COUNTERS, BLOCK_ITEM_PORT, BLOCK_PACKET_PATH, BLOCK_PORTS,
    BLOCK_RECYCLING_FILTER, BLOCK_SLIDING_COUNTERS, BLOCK_SLIDING_FILTER, BLOCK_STATIC_FILTER,
    COUNTER_BLOCKS,
};
use comfy_table::{presets, Table};
use serde::Serialize;

/// What `info` prints.
#[derive(Serialize)]
struct Info {
    geometry_hash: String,
    /// How accesses over a bridge are checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    /// The hash has a secret, and it is still the specification's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    public_secret: bool,
    /// There are no counters of the filter: the specification leaves them out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    counters_not_built: bool,
    blocks: Vec<BlockInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<Path>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ports: Vec<Port>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<Host>,
}

/// A block of the device.
#[derive(Serialize)]
struct BlockInfo {
    address: u32,
    #[serde(rename = "type")]
    kind: u32,
    name: String,
    version: u32,
}

/// Asks who the device is, whatever filter it may be.
pub fn run(url: &str, output: Output) -> anyhow::Result<()> {
    if url == NO_DEVICE {
        bail!("`-` in the place of the URL is no device; give the URL of one");
    }
    let within = limits_of(url).access;
    let mut link = open_device(url, within)?;
    let identity = Identity::read(&mut link, within);
    let identity = identity.map_err(|source| ConnectError::Device {
        url: url.to_owned(),
        source,
    })?;
    let around = identity.surroundings(&mut link, within);
    let around = around.with_context(|| url.to_owned())?;
    let status = identity.status(&mut link, within);
    let status = status.with_context(|| url.to_owned())?.unwrap_or_default();
    let paths = around.paths.iter();
    let ports = around.links.iter().enumerate();
    let info = Info {
        geometry_hash: format!("{:016x}", identity.geometry_hash),
        check: link.checking().map(|checking| checking.to_string()),
        public_secret: status >> field::STATUS_PUBLIC_SECRET & 1 == 1,
        counters_not_built: !identity
            .blocks
            .iter()
            .any(|block| COUNTER_BLOCKS.contains(&block.kind)),
        blocks: identity.blocks.iter().map(block_info).collect(),
        paths: paths.map(|(part, of)| Path::new(*part, of)).collect(),
        ports: ports.map(|(port, link)| Port::new(port, link)).collect(),
        host: around.host.as_ref().map(Host::new),
    };
    output.result(&info, || as_text(&info))
}

fn block_info(block: &Block) -> BlockInfo {
    let (_, short) = version_and_width(block.kind, block.version);
    let width = if short { "32-bit " } else { "" };
    BlockInfo {
        address: block.address,
        kind: block.kind,
        name: width.to_owned()
            + match block.kind {
                BLOCK_RECYCLING_FILTER => "recycling filter",
                BLOCK_COUNTERS => "counters of a recycling filter",
                BLOCK_STATIC_FILTER => "static filter",
                BLOCK_COUNTING_FILTER => "counting filter",
                BLOCK_COUNT_MIN_SKETCH => "Count-Min sketch",
                BLOCK_CELL_COUNTERS => "counters of a filter of cells",
                BLOCK_SLIDING_FILTER => "sliding-window filter",
                BLOCK_SLIDING_COUNTERS => "counters of a sliding-window filter",
                BLOCK_CUCKOO_COUNTERS => "counters of a sliding-window filter on cuckoo tables",
                BLOCK_ITEM_PORT => "item port",
                BLOCK_PACKET_PATH => "packet path",
                BLOCK_PORTS => "Ethernet ports",
                _ => "not known to this release",
            },
        version: block.version,
    }
}

fn as_text(info: &Info) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["address", "type", "version", "block"]);
    for block in &info.blocks {
        table.add_row([
            format!("0x{:03X}", block.address),
            block.kind.to_string(),
            block.version.to_string(),
            block.name.clone(),
        ]);
    }
    let check = info.check.as_ref();
    let secret = match info.public_secret {
        true => {
            "secret        the specification's, which is public; load one: device URL rekey SPEC\n"
        }
        false => "",
    };
    let counters = match info.counters_not_built {
        true => "counters      not built (features.counters = \"none\")\n",
        false => "",
    };
    format!(
        "geometry hash {}\n{secret}{counters}{}{}{}{}{}",
        info.geometry_hash,
        check.map_or_else(String::new, |check| format!(
            "accesses are checked by: {check}\n"
        )),
        table.trim_fmt(),
        paths_as_text(&info.paths),
        ports_as_text(&info.ports),
        host_as_text(info.host.as_ref())
    )
}
