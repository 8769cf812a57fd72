use crate::device_link::open_device;
use crate::output::{Ending, Output};
use crate::resolve::Filter;
use anyhow::Context;
use bloomline_driver::{Block, Device, Guarded, Identity, Limits};
use bloomline_spec::registers::{
    BLOCK_CELL_COUNTERS, BLOCK_COUNTERS, BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH,
    BLOCK_RECYCLING_FILTER, BLOCK_STATIC_FILTER,
};
use bloomline_spec::RegisterMap;
use comfy_table::{presets, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `device`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Where the device is: uart:/dev/ttyUSB0?baud=115200, etherbone:HOST:PORT, pcie:0000:03:00.0/2?offset=0x100000 or
    /// sim:SPEC, a simulated card
    url: String,
    #[command(subcommand)]
    what: What,
}

/// What to ask the device.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Print who the device is
    Info,
    /// Print state and counters of a recycling filter
    Stats {
        /// Specification the device was emitted from (TOML)
        spec: PathBuf,
    },
}

/// What `info` prints.
#[derive(Serialize)]
struct Info {
    geometry_hash: String,
    blocks: Vec<BlockInfo>,
}

/// A block of the device.
#[derive(Serialize)]
struct BlockInfo {
    address: u32,
    #[serde(rename = "type")]
    kind: u32,
    name: &'static str,
    version: u32,
}

/// What `stats` prints.
#[derive(Serialize)]
struct Stats {
    filter: String,
    running: bool,
    active_half: u32,
    epoch: u32,
    threshold: u64,
    max_age_ticks: u32,
    bits_active: u64,
    bits_frozen: u64,
    messages: u64,
    /// By the names of the register map, in lower case.
    counters: serde_json::Map<String, serde_json::Value>,
}

impl Cmd {
    /// Asks and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match &self.what {
            What::Info => {
                let info = info(&self.url)?;
                output.result(&info, || info_text(&info))?;
            }
            What::Stats { spec } => {
                let stats = stats(&self.url, spec)?;
                output.result(&stats, || stats_text(&stats))?;
            }
        }
        Ok(Ending::Good)
    }
}

fn info(url: &str) -> anyhow::Result<Info> {
    let within = Limits::default().access;
    let mut link = open_device(url, within)?;
    let identity = Identity::read(&mut link, within).with_context(|| url.to_owned())?;
    Ok(Info {
        geometry_hash: format!("{:016x}", identity.geometry_hash),
        blocks: identity.blocks.iter().map(block_info).collect(),
    })
}

fn block_info(block: &Block) -> BlockInfo {
    BlockInfo {
        address: block.address,
        kind: block.kind,
        name: match block.kind {
            BLOCK_RECYCLING_FILTER => "recycling filter",
            BLOCK_COUNTERS => "counters of a recycling filter",
            BLOCK_STATIC_FILTER => "static filter",
            BLOCK_COUNTING_FILTER => "counting filter",
            BLOCK_COUNT_MIN_SKETCH => "Count-Min sketch",
            BLOCK_CELL_COUNTERS => "counters of a filter of cells",
            _ => "not known to this release",
        },
        version: block.version,
    }
}

fn stats(url: &str, spec: &Path) -> anyhow::Result<Stats> {
    let geometry = Filter::load(spec)?.recycling("device URL stats")?.geometry;
    let limits = Limits::default();
    let link = open_device(url, limits.access)?;
    let link = Guarded::new(link, RegisterMap::for_geometry(&geometry));
    let mut device = Device::identify(link, &geometry, limits).with_context(|| url.to_owned())?;
    let status = device.status()?;
    let counters = device.counters()?;
    Ok(Stats {
        filter: geometry.name().to_owned(),
        running: status.running,
        active_half: status.active_half,
        epoch: status.epoch,
        threshold: device.threshold()?,
        max_age_ticks: device.max_age_ticks()?,
        bits_active: device.bits_active()?,
        bits_frozen: device.bits_frozen()?,
        messages: device.messages()?,
        counters: counters
            .iter()
            .map(|(counter, value)| (counter.name().to_lowercase(), value.into()))
            .collect(),
    })
}

fn info_text(info: &Info) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["address", "type", "version", "block"]);
    for block in &info.blocks {
        table.add_row([
            format!("0x{:03X}", block.address),
            block.kind.to_string(),
            block.version.to_string(),
            block.name.to_owned(),
        ]);
    }
    format!("geometry hash {}\n{}", info.geometry_hash, table.trim_fmt())
}

fn stats_text(stats: &Stats) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let state = match stats.running {
        true => format!(
            "running, half {} active, epoch {}",
            stats.active_half, stats.epoch
        ),
        false => "not running: coming out of configuration, reset or clear".to_owned(),
    };
    table.add_row(["state", &state]);
    for (name, value) in [
        ("threshold", stats.threshold),
        ("max_age_ticks", stats.max_age_ticks.into()),
        ("bits_active", stats.bits_active),
        ("bits_frozen", stats.bits_frozen),
        ("messages", stats.messages),
    ] {
        table.add_row([name, &value.to_string()]);
    }
    for (name, value) in &stats.counters {
        table.add_row([name, &value.to_string()]);
    }
    format!("{}\n{}", stats.filter, table.trim_fmt())
}
